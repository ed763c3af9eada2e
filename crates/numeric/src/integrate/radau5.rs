//! The method of Radau IIA with three stages, order 5: stiff motions.
//!
//! ```text
//! c = (4 − √6)/10, (4 + √6)/10, 1          the formulas are those of `radau.rs`
//! ```
//!
//! Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd ed. (1996), IV.5 and IV.8.

use std::sync::OnceLock;

use super::Description;
use super::radau::{Radau, Scheme};

/// The description in the list.
pub const METHOD: Description = Description {
    name: "radau5",
    purpose: "Radau IIA, order 5, implicit: stiff motions, in steps that it chooses",
    chooses_steps: true,
    make: |n| Box::new(Radau::new(scheme(), n)),
};

/// √6
const ROOT: f64 = 2.449489742783178;
const C: [f64; 3] = [(4.0 - ROOT) / 10.0, (4.0 + ROOT) / 10.0, 1.0];
const A: [[f64; 3]; 3] = [
    [(88.0 - 7.0 * ROOT) / 360.0, (296.0 - 169.0 * ROOT) / 1800.0, (-2.0 + 3.0 * ROOT) / 225.0],
    [(296.0 + 169.0 * ROOT) / 1800.0, (88.0 + 7.0 * ROOT) / 360.0, (-2.0 - 3.0 * ROOT) / 225.0],
    [(16.0 - ROOT) / 36.0, (16.0 + ROOT) / 36.0, 1.0 / 9.0],
];
/// The real eigenvalue of A.
const GAMMA: f64 = 0.2748888295956774;
/// e of (3), without its factor γ.
const E: [f64; 3] = [(-13.0 - 7.0 * ROOT) / 3.0, (-13.0 + 7.0 * ROOT) / 3.0, -1.0 / 3.0];

/// Its coefficients.
pub fn scheme() -> &'static Scheme {
    static SCHEME: OnceLock<Scheme> = OnceLock::new();
    SCHEME.get_or_init(|| Scheme {
        c: C.to_vec(),
        A: A.map(|row| row.to_vec()).to_vec(),
        gamma: GAMMA,
        e: E.to_vec(),
        powers: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Trouble;
    use crate::integrate::{End, Field, Stepper};

    /// y' = −λ (y − cos t): after a moment y is nearly cos t, however large λ is.
    struct Pulled(f64);

    impl Field for Pulled {
        fn rates(&mut self, t: f64, y: &[f64], to: &mut [f64]) -> Result<(), Trouble> {
            to[0] = -self.0 * (y[0] - t.cos());
            Ok(())
        }
    }

    #[test]
    fn what_decays_at_once_is_forgotten() {
        // steps ten thousand times too long for an explicit method
        let (mut stepper, mut field, mut y, h) = (Radau::new(scheme(), 1), Pulled(1e6), [2.0], 0.05);
        for k in 0..40 {
            let (t, mut slope, mut end) = (f64::from(k) * h, [0.0], [0.0]);
            field.rates(t, &y, &mut slope).unwrap();
            stepper.step(&mut field, End { t, y: &y, slope: &slope }, h, &mut end).unwrap();
            y = end;
        }
        assert!((y[0] - 2.0_f64.cos()).abs() < 2e-6, "{}", y[0]);
    }

    #[test]
    fn weights_of_a_stage_add_up_to_its_instant() {
        // a digit wrong in A, and this fails; the error vanishes for slopes that do not change
        for (row, c) in A.iter().zip(C) {
            assert!((row.iter().sum::<f64>() - c).abs() < 1e-15);
            let second: f64 = row.iter().zip(C).map(|(a, c)| a * c).sum();
            let third: f64 = row.iter().zip(C).map(|(a, c)| a * c * c).sum();
            assert!((second - c * c / 2.0).abs() < 1e-15 && (third - c * c * c / 3.0).abs() < 1e-15);
        }
        assert!((1.0 + E.iter().zip(C).map(|(e, c)| e * c).sum::<f64>()).abs() < 1e-14);
        // γ is an eigenvalue of A: γ³ − (9/15) γ² + (3/20) γ − 1/60 = 0
        assert!((GAMMA.powi(3) - 0.6 * GAMMA.powi(2) + 0.15 * GAMMA - 1.0 / 60.0).abs() < 1e-16);
    }
}

//! The method of Radau IIA with three stages, order 5: stiff motions.
//!
//! ```text
//! zᵢ = h Σ aᵢⱼ f(t + cⱼ h, y + zⱼ)                   i = 1 … 3; y₁ = y + z₃                            (1)
//! (1 − h A ⊗ J) Δz = −z + h (A ⊗ 1) f               Newton's steps with the slopes J = ∂f/∂y at the beginning (2)
//! err = (1 − h γ J)⁻¹ (γ h f(t, y) + Σ eᵢ zᵢ)       the difference to a formula of order 3             (3)
//! ```
//!
//! It is stable for every step where the motion itself is, and forgets what decays at once. Steps are as long as (3) allows and
//! (2) converges.
//!
//! Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd ed. (1996), IV.5 and IV.8.

use linear::lu::Factors;

use super::{Description, End, Field, Stepper};
use crate::Trouble;

/// The description in the list.
pub const METHOD: Description = Description {
    name: "radau5",
    purpose: "Radau IIA, order 5, implicit: stiff motions, in steps that it chooses",
    chooses_steps: true,
    make: |n| Box::new(Radau5::new(n)),
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

/// So many steps of Newton are made.
const MOST: usize = 12;
/// Relative changes below the first are rounding; at the second Newton's steps may end if they get no smaller.
const DONE: f64 = 1e-14;
const CLOSE: f64 = 1e-10;

/// The stages of a step.
pub struct Radau5 {
    n: usize,
    /// The natural sizes of the state.
    sizes: Vec<f64>,
    jacobian: Vec<f64>,
    z: Vec<f64>,
    slopes: Vec<f64>,
    error: Vec<f64>,
    has_converged: bool,
}

impl Radau5 {
    /// Room for states of this length.
    pub fn new(n: usize) -> Radau5 {
        Radau5 {
            n,
            sizes: vec![0.0; n],
            jacobian: vec![0.0; n * n],
            z: vec![0.0; 3 * n],
            slopes: vec![0.0; 3 * n],
            error: vec![0.0; n],
            has_converged: false,
        }
    }

    /// 1 − h A ⊗ J
    fn system(&self, h: f64) -> Vec<f64> {
        let (n, size) = (self.n, 3 * self.n);
        let mut matrix = vec![0.0; size * size];
        for (row, entry) in matrix.iter_mut().enumerate() {
            let (i, j) = (row / size, row % size);
            let unit = f64::from(u8::from(i == j));
            *entry = unit - h * A[i / n][j / n] * self.jacobian[(i % n) * n + j % n];
        }
        matrix
    }

    /// The slopes at the stages.
    fn evaluate(&mut self, field: &mut dyn Field, from: End<'_>, h: f64) -> Result<(), Trouble> {
        let n = self.n;
        let mut place = vec![0.0; n];
        for (i, c) in C.iter().enumerate() {
            for (j, place) in place.iter_mut().enumerate() {
                *place = from.y[j] + self.z[i * n + j];
            }
            field.rates(from.t + c * h, &place, &mut self.slopes[i * n..(i + 1) * n])?;
        }
        Ok(())
    }

    /// (2); false if it does not converge.
    fn newton(&mut self, field: &mut dyn Field, from: End<'_>, h: f64) -> Result<bool, Trouble> {
        let n = self.n;
        let Ok(factors) = Factors::new(self.system(h), 3 * n) else { return Ok(false) };
        let sizes: Vec<f64> =
            (0..n).map(|j| self.sizes[j].max(from.y[j].abs()).max((h * from.slope[j]).abs())).collect();
        let least = 1e-8 * sizes.iter().fold(f64::MIN_POSITIVE, |largest, &size| largest.max(size));
        self.z.fill(0.0);
        let mut before = f64::INFINITY;
        for _ in 0..MOST {
            if let Err(trouble) = self.evaluate(field, from, h) {
                // a stage may lie where there is no slope, though the motion does not go there
                return if before.is_infinite() { Err(trouble) } else { Ok(false) };
            }
            let mut step: Vec<f64> = self.z.iter().map(|z| -z).collect();
            for (i, row) in A.iter().enumerate() {
                for (j, weight) in row.iter().enumerate() {
                    let slopes = &self.slopes[j * n..(j + 1) * n];
                    step[i * n..(i + 1) * n].iter_mut().zip(slopes).for_each(|(x, f)| *x += h * weight * f);
                }
            }
            factors.solve(&mut step);
            self.z.iter_mut().zip(&step).for_each(|(z, step)| *z += step);
            let relative = |(k, step): (usize, &f64)| step.abs() / sizes[k % n].max(self.z[k].abs()).max(least);
            let change = step.iter().enumerate().map(relative).fold(0.0, f64::max);
            if change.is_nan() {
                return Ok(false);
            }
            let next = if before.is_finite() { change * (change / before) } else { change };
            if change <= DONE || next <= DONE {
                return Ok(true);
            }
            if change >= before {
                return Ok(before <= CLOSE);
            }
            before = change;
        }
        Ok(before <= CLOSE)
    }

    /// (3)
    fn estimate(&mut self, from: End<'_>, h: f64) {
        let n = self.n;
        for j in 0..n {
            let sum: f64 = E.iter().enumerate().map(|(i, e)| e * self.z[i * n + j]).sum();
            self.error[j] = GAMMA * (h * from.slope[j] + sum);
        }
        let matrix = (0..n * n).map(|k| f64::from(u8::from(k / n == k % n)) - h * GAMMA * self.jacobian[k]).collect();
        match Factors::new(matrix, n) {
            Ok(factors) => factors.solve(&mut self.error),
            Err(_) => self.error.fill(f64::INFINITY),
        }
    }
}

impl Stepper for Radau5 {
    fn step(&mut self, field: &mut dyn Field, from: End<'_>, h: f64, to: &mut [f64]) -> Result<(), Trouble> {
        let n = self.n;
        field.jacobian(from, h, &mut self.jacobian)?;
        self.has_converged = self.newton(field, from, h)?;
        self.estimate(from, h);
        to.iter_mut().enumerate().for_each(|(j, to)| *to = from.y[j] + self.z[2 * n + j]);
        Ok(())
    }

    fn natural(&mut self, sizes: &[f64]) {
        self.sizes.copy_from_slice(sizes);
    }

    /// h |J| in the norm of the largest row: not less than h |λ|.
    fn stiffness(&self, h: f64, _: End<'_>, sizes: &[f64]) -> Option<f64> {
        let row = |i: usize| (0..self.n).map(|j| (self.jacobian[i * self.n + j] * sizes[j] / sizes[i]).abs()).sum();
        let largest = (0..self.n).map(row).fold(0.0, f64::max);
        largest.is_finite().then_some(h.abs() * largest)
    }

    fn order(&self) -> u32 {
        5
    }

    fn falls(&self) -> u32 {
        4
    }

    /// In the root of the mean of squares; without an end where Newton's steps do not converge.
    fn error(&self, _: f64, scale: &[f64]) -> Option<f64> {
        if !self.has_converged {
            return Some(f64::INFINITY);
        }
        let sum: f64 = self.error.iter().zip(scale).map(|(error, scale)| (error / scale).powi(2)).sum();
        Some((sum / self.n.max(1) as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let (mut stepper, mut field, mut y, h) = (Radau5::new(1), Pulled(1e6), [2.0], 0.05);
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

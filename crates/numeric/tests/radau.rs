//! Are the coefficients of the implicit methods what their rules say, and do they forget what decays at once?

use numeric::integrate::radau::Scheme;
use numeric::integrate::{End, Field, radau5};
use numeric::{Method, Trouble};

#[test]
fn three_stages_are_those_of_the_books() {
    // nodes, integrals, the eigenvalue and the embedded formula, each from its rule
    let (found, known) = (Scheme::new(3), radau5::scheme());
    let off = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off(&found.c, &known.c) < 1e-15 && (found.gamma - known.gamma).abs() < 1e-15, "{found:?}");
    assert!(found.A.iter().zip(&known.A).all(|(a, b)| off(a, b) < 1e-15) && off(&found.e, &known.e) < 1e-13);
}

#[test]
fn weights_integrate_the_powers_that_they_should() {
    for s in [5, 7] {
        let scheme = Scheme::new(s);
        assert_eq!((scheme.c.len(), scheme.c[s - 1]), (s, 1.0));
        for (row, c) in scheme.A.iter().zip(&scheme.c) {
            for k in 0..s as i32 {
                let sum: f64 = row.iter().zip(&scheme.c).map(|(a, c)| a * c.powi(k)).sum();
                assert!((sum - c.powi(k + 1) / f64::from(k + 1)).abs() < 4e-15, "{s} {k}: {sum}");
            }
        }
        for k in 0..2 * s as i32 - 1 {
            let sum: f64 = scheme.A[s - 1].iter().zip(&scheme.c).map(|(b, c)| b * c.powi(k)).sum();
            assert!((sum - 1.0 / f64::from(k + 1)).abs() < 4e-15, "{s} {k}: {sum}");
        }
    }
}

/// y' = −λ (y − cos t): after a moment y is nearly cos t, however large λ is.
struct Pulled(f64);

impl Field for Pulled {
    fn rates(&mut self, t: f64, y: &[f64], to: &mut [f64]) -> Result<(), Trouble> {
        to[0] = -self.0 * (y[0] - t.cos());
        Ok(())
    }
}

#[test]
fn what_decays_at_once_is_forgotten_with_every_number_of_stages() {
    // steps ten thousand times too long for an explicit method
    for method in [Method::Radau5, Method::Radau9, Method::Radau13] {
        let (mut stepper, mut field, mut y, h) = (method.stepper(1), Pulled(1e6), [2.0], 0.05);
        for k in 0..40 {
            let (t, mut slope, mut end) = (f64::from(k) * h, [0.0], [0.0]);
            field.rates(t, &y, &mut slope).unwrap();
            stepper.step(&mut field, End { t, y: &y, slope: &slope }, h, &mut end).unwrap();
            y = end;
        }
        assert!((y[0] - 2.0_f64.cos()).abs() < 2e-6, "{}: {}", method.name(), y[0]);
    }
}

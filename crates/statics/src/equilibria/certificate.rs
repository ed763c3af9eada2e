//! How fast does a damped system return, and how large may be what the first approximation leaves out?
//!
//! ```text
//! P = exp(A h)                              the map of the linear system over a time h                          (1)
//! Pᵀ X P − X = −1                           B = √cond X,  e^(−2α) = 1 − 1/λ_max(X)                              (2)
//! ‖y(m)‖ ≤ B ‖y₀‖ (e^(−α) + B γ)^m          if what is left out is smaller than γ ‖y‖, and e^(−α) + B γ < 1     (3)
//! ```
//!
//! (3) is the discrete form of Gronwall's inequality. With a multiplier on the unit circle, as in conservative and most
//! nonholonomic systems, X does not exist and nothing is certified.

use linear::Matrix;
use linear::jacobi::symmetric;
use linear::vector::add;
use serde::Serialize;

/// Constants of (2) and (3).
#[derive(Clone, Debug, Serialize)]
pub struct Certificate {
    /// h: the time of one step, in s.
    pub step: f64,
    /// B.
    pub bound: f64,
    /// α, by step.
    pub decay: f64,
    /// The largest γ that is allowed: (1 − e^(−α))/B.
    pub remainder: f64,
    /// The classical rate ln 2/(ln 4B/α + 1), by step.
    pub classical: f64,
}

/// The constants for a linear system whose eigenvalues are no larger than `fastest`; nothing if it does not return.
pub fn certificate(A: &Matrix, fastest: f64) -> Option<Certificate> {
    let step = 1.0 / fastest;
    let mut P = exponential(A, step);
    let mut X = Matrix::identity(P.rows());
    // X = Σ (Pᵀ)^k P^k, twice as many terms each time
    for _ in 0..60 {
        let added = P.transposed().times(&X.times(&P));
        let is_enough = added.largest() <= 1e-16 * X.largest();
        add(X.entries_mut(), 1.0, added.entries());
        if is_enough || !X.is_finite() {
            break;
        }
        P = P.times(&P);
    }
    let values = symmetric(&X).ok()?.values;
    let (least, most) = (*values.first()?, *values.last()?);
    if !(least >= 0.999 && most.is_finite() && most < 1e14) {
        return None;
    }
    let bound = (most / least).sqrt();
    let decay = -0.5 * (1.0 - 1.0 / most).ln();
    let classical = std::f64::consts::LN_2 / ((4.0 * bound).ln() / decay + 1.0);
    Some(Certificate { step, bound, decay, remainder: (1.0 - (-decay).exp()) / bound, classical })
}

/// exp(A h) by its series, after halving.
fn exponential(A: &Matrix, h: f64) -> Matrix {
    let size = A.iter().map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max) * h;
    let halvings = (size.max(1e-300).log2().ceil() as i32 + 4).max(0);
    let h = h / 2.0_f64.powi(halvings);
    let mut sum = Matrix::identity(A.rows());
    let mut term = sum.clone();
    for k in 1..=14 {
        term = term.times(A);
        term.entries_mut().iter_mut().for_each(|x| *x *= h / f64::from(k));
        add(sum.entries_mut(), 1.0, term.entries());
    }
    (0..halvings).fold(sum, |power, _| power.times(&power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damped_oscillator_stays_below_its_bound() {
        // x'' + 0.2 x' + x = 0, with a remainder of almost the size that is allowed
        let A = Matrix::from([[0.0, 1.0], [-1.0, -0.2]]);
        let found = certificate(&A, 1.0).unwrap();
        assert!(found.bound >= 1.0 && found.decay > 0.0 && found.remainder > 0.0);
        let P = exponential(&A, found.step);
        let gamma = 0.9 * found.remainder;
        let mut y = [1.0_f64, 0.0];
        for m in 1..200 {
            let length = y[0].hypot(y[1]);
            y = [P[0][0] * y[0] + P[0][1] * y[1] + gamma * length, P[1][0] * y[0] + P[1][1] * y[1]];
            let bound = found.bound * ((-found.decay).exp() + found.bound * gamma).powi(m);
            assert!(y[0].hypot(y[1]) <= bound, "step {m}: {y:?} beyond {bound}");
        }
    }

    #[test]
    fn what_does_not_return_gets_no_certificate() {
        assert!(certificate(&Matrix::from([[0.0, 1.0], [-1.0, 0.0]]), 1.0).is_none());
    }

    #[test]
    fn the_map_over_a_time_is_the_exponential() {
        let P = exponential(&Matrix::from([[0.0, 1.0], [-4.0, 0.0]]), 0.7);
        let (s, c) = 1.4_f64.sin_cos();
        let exact = [[c, s / 2.0], [-2.0 * s, c]];
        assert!((0..2).all(|i| (0..2).all(|j| (P[i][j] - exact[i][j]).abs() < 1e-13)), "{P:?}");
    }
}

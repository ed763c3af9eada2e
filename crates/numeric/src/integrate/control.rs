//! How long may the next step be, and the first one?
//!
//! ```text
//! error ≈ (h/h₁)^order        a step of error 1 has the length h₁; 9/10 of it are safe        (1)
//! h ≈ (0.01/|y''|)^(1/order)  the first step, by the size of slope and curvature               (2)
//! ```
//!
//! Source: E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed.
//! (1993), II.4.

use super::{End, Field};

/// So much of (1) is used.
const SAFE: f64 = 0.9;

/// How many times longer the step after a good one may be (1); no longer at all right after one
/// that was refused.
pub fn growth(error: f64, order: u32, was_refused: bool) -> f64 {
    let most = if was_refused { 1.0 } else { 6.0 };
    (SAFE * error.powf(-1.0 / f64::from(order))).clamp(0.333, most)
}

/// How many times shorter a step is made that was refused: by (1) if it was too wrong, to a quarter
/// if its error has no value.
pub fn shrinking(error: f64, order: u32) -> f64 {
    match error.is_finite() && error > 1.0 {
        true => (SAFE * error.powf(-1.0 / f64::from(order))).clamp(0.1, 0.9),
        false => 0.25,
    }
}

/// A guess at the first step (2), not longer than `rest`, where a step may be wrong by `scale`.
pub fn first_step(field: &mut dyn Field, from: End<'_>, scale: &[f64], rest: f64, order: u32) -> f64 {
    let norm = |x: &[f64]| {
        let sum: f64 = x.iter().zip(scale).map(|(x, s)| (x / s).powi(2)).sum();
        (sum / x.len().max(1) as f64).sqrt()
    };
    let (size, speed) = (norm(from.y), norm(from.slope));
    let guess = if size < 1e-10 || speed < 1e-10 { 1e-6 } else { 0.01 * size / speed };
    let guess = guess.min(rest);
    let ahead: Vec<f64> = from.y.iter().zip(from.slope).map(|(y, f)| y + guess * f).collect();
    let mut slope = vec![0.0; ahead.len()];
    if field.rates(from.t + guess, &ahead, &mut slope).is_err() {
        return guess;
    }
    let bend: Vec<f64> = slope.iter().zip(from.slope).map(|(a, b)| a - b).collect();
    let largest = speed.max(norm(&bend) / guess);
    let better = match largest <= 1e-15 {
        true => (guess * 1e-3).max(1e-6),
        false => (0.01 / largest).powf(1.0 / f64::from(order)),
    };
    better.min(100.0 * guess).min(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_made_as_long_as_its_error_allows() {
        // sixteen times too wrong with order 4: half as long, and a little shorter
        assert!((shrinking(16.0, 4) - 0.45).abs() < 1e-15 && (growth(1.0 / 16.0, 4, false) - 1.8).abs() < 1e-15);
        assert_eq!((growth(0.0, 4, false), growth(0.0, 4, true), growth(1.0, 8, false)), (6.0, 1.0, 0.9));
        assert_eq!((shrinking(f64::INFINITY, 4), shrinking(f64::NAN, 4), shrinking(1e30, 4)), (0.25, 0.25, 0.1));
        assert_eq!(shrinking(0.5, 4), 0.25, "refused for another reason");
    }
}

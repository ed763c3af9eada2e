//! The classical method of order 4, with a fixed step.
//!
//! ```text
//! k₁ = f(t, y)    k₂ = f(t + h/2, y + h/2 k₁)    k₃ = f(t + h/2, y + h/2 k₂)    k₄ = f(t + h, y + h k₃)
//! y₁ = y + h/6 (k₁ + 2 k₂ + 2 k₃ + k₄)
//! ```
//!
//! Source: W. Kutta, Z. Math. Phys. 46 (1901) 435–453.

use super::Field;
use crate::Trouble;

/// A step from `y` with the slope `f0` there.
pub fn step(field: &mut dyn Field, (t, y, f0): (f64, &[f64], &[f64]), h: f64, to: &mut [f64]) -> Result<(), Trouble> {
    let n = y.len();
    let (mut k, mut trial) = (f0.to_vec(), vec![0.0; n]);
    let mut sum = k.clone();
    for (c, weight) in [(0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
        (0..n).for_each(|j| trial[j] = y[j] + c * h * k[j]);
        field.rates(t + c * h, &trial, &mut k)?;
        (0..n).for_each(|j| sum[j] += weight * k[j]);
    }
    (0..n).for_each(|j| to[j] = y[j] + h / 6.0 * sum[j]);
    Ok(())
}

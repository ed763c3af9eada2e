//! The classical method of order 4, with a fixed step.
//!
//! ```text
//! k₁ = f(t, y)    k₂ = f(t + h/2, y + h/2 k₁)    k₃ = f(t + h/2, y + h/2 k₂)    k₄ = f(t + h, y + h k₃)
//! y₁ = y + h/6 (k₁ + 2 k₂ + 2 k₃ + k₄)
//! ```
//!
//! Source: W. Kutta, Z. Math. Phys. 46 (1901) 435–453.

use super::{Description, End, Field, Stepper};
use crate::Trouble;

/// The description in the list.
pub const METHOD: Description = Description {
    name: "rk4",
    purpose: "Kutta's classical method, order 4: fixed steps, to compare with other programs",
    chooses_steps: false,
    make: |n| Box::new(Rk4 { k: vec![0.0; n], trial: vec![0.0; n], sum: vec![0.0; n] }),
};

/// The stages of a step.
pub struct Rk4 {
    k: Vec<f64>,
    trial: Vec<f64>,
    sum: Vec<f64>,
}

impl Stepper for Rk4 {
    fn step(&mut self, field: &mut dyn Field, from: End<'_>, h: f64, to: &mut [f64]) -> Result<(), Trouble> {
        let n = from.y.len();
        self.k.copy_from_slice(from.slope);
        self.sum.copy_from_slice(from.slope);
        for (c, weight) in [(0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
            (0..n).for_each(|j| self.trial[j] = from.y[j] + c * h * self.k[j]);
            field.rates(from.t + c * h, &self.trial, &mut self.k)?;
            (0..n).for_each(|j| self.sum[j] += weight * self.k[j]);
        }
        (0..n).for_each(|j| to[j] = from.y[j] + h / 6.0 * self.sum[j]);
        Ok(())
    }

    fn order(&self) -> u32 {
        4
    }
}

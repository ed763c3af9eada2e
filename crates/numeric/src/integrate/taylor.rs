//! Taylor's method: the power series of the motion itself, of an order that follows from the tolerance.
//!
//! ```text
//! y₁ = Σ y[k] hᵏ                            k = 0 … p, the coefficients from recurrences (`series.rs`)          (1)
//! p = 1 − ln(tol)/2                         steps of e⁻² of the radius: the least work for p² a step            (2)
//! h = minⱼ (tol e^(2(p+1−j))/|y[j]|)^(1/j)  j = p − 4 … p: the first power that is left out is tol, about       (3)
//! err = maxⱼ |y[j]| hʲ e^(−2(p+1−j))        j = p − 1, p, in the norm of the tolerances                         (4)
//! defect = h |f(t + h, y₁) − Σ k y[k] hᵏ⁻¹|/(p + 1)         what the end of the step says of it                 (5)
//! ```
//!
//! The length of a step is known before it is made, and what lies inside it is (1) for a part of h. A step is thrown away
//! only where (5) finds what the last coefficients do not show. Where the field has no series, steps are those of Dormand and
//! Prince.
//!
//! Source: A. Jorba, M. Zou, A software package for the numerical integration of ODEs by means of high-order Taylor methods,
//! Experimental Mathematics 14 (2005) 99–117.

use super::dop853::Dop853;
use super::{Dense, Description, End, Field, Method, Stepper};
use crate::Trouble;

/// The description in the list.
pub const METHOD: Description = Description {
    name: "taylor",
    purpose: "Taylor's series of an order that follows from the tolerance: smooth motions to the last digits, in the longest steps",
    chooses_steps: true,
    make: |n| Box::new(Taylor::new(n)),
};

/// The orders that are used.
const ORDERS: (usize, usize) = (6, 24);
/// So many of the last coefficients are looked at for the length of a step (3): a series may have gaps.
const LAST: usize = 5;
/// So much of (3) is used.
const SAFE: f64 = 0.9;
/// How many times its share a defect (5) may be.
const SLACK: f64 = 100.0;

/// The series of the last step.
pub struct Taylor {
    n: usize,
    order: usize,
    /// y[k], those of all numbers for one power after those for the power before.
    series: Vec<f64>,
    /// Where it begins; nothing if there is none.
    at: Option<(f64, Vec<f64>)>,
    /// What makes steps where there is no series.
    instead: Dop853,
    is_instead: bool,
}

impl Taylor {
    /// Room for states of n numbers.
    pub fn new(n: usize) -> Taylor {
        let order = order(1e-6);
        let series = vec![0.0; n * (order + 1)];
        Taylor { n, order, series, at: None, instead: Dop853::new(n), is_instead: false }
    }

    /// Makes the series from a state, unless it is there; false if there is none.
    fn expand(&mut self, field: &mut dyn Field, from: End<'_>) -> Result<bool, Trouble> {
        if self.at.as_ref().is_some_and(|(t, y)| *t == from.t && y == from.y) {
            return Ok(true);
        }
        self.at = None;
        let is_there = field.series(from.t, from.y, self.order, &mut self.series)?;
        if is_there {
            self.at = Some((from.t, from.y.to_vec()));
        }
        Ok(is_there)
    }

    /// The coefficients of a power.
    fn power(&self, k: usize) -> &[f64] {
        &self.series[k * self.n..(k + 1) * self.n]
    }

    /// |y[k]| in the norm of `scale`.
    fn size(&self, k: usize, scale: &[f64]) -> f64 {
        let sizes = self.power(k).iter().zip(scale).map(|(y, scale)| (y / scale).abs());
        sizes.fold(0.0, |most: f64, size| if size.is_nan() { f64::INFINITY } else { most.max(size) })
    }

    /// How much larger than the first one that is left out a coefficient may be.
    fn allowance(&self, k: usize) -> f64 {
        (2.0 * (self.order + 1 - k) as f64).exp()
    }
}

/// (2)
fn order(tolerance: f64) -> usize {
    // steps are held to a tenth of the tolerance
    let order = (1.0 - (0.1 * tolerance).ln() / 2.0).ceil();
    if order.is_finite() { (order as usize).clamp(ORDERS.0, ORDERS.1) } else { ORDERS.1 }
}

impl Stepper for Taylor {
    /// (1)
    fn step(&mut self, field: &mut dyn Field, from: End<'_>, h: f64, to: &mut [f64]) -> Result<(), Trouble> {
        self.is_instead = !self.expand(field, from)?;
        if self.is_instead {
            return self.instead.step(field, from, h, to);
        }
        to.copy_from_slice(self.power(self.order));
        for k in (0..self.order).rev() {
            to.iter_mut().zip(self.power(k)).for_each(|(to, y)| *to = *to * h + y);
        }
        Ok(())
    }

    fn tolerance(&mut self, tolerance: f64) {
        self.order = order(tolerance);
        self.series = vec![0.0; self.n * (self.order + 1)];
        self.at = None;
    }

    fn forget(&mut self) {
        self.at = None;
    }

    /// (3)
    fn length(&mut self, field: &mut dyn Field, from: End<'_>, scale: &[f64]) -> Option<f64> {
        self.is_instead = !self.expand(field, from).ok()?;
        if self.is_instead {
            return None;
        }
        let of = |k: usize| (self.allowance(k) / self.size(k, scale)).powf(1.0 / k as f64);
        Some(SAFE * (self.order + 1 - LAST..=self.order).map(of).fold(f64::MAX, f64::min))
    }

    fn instead(&self) -> Option<Method> {
        self.is_instead.then_some(Method::Dop853)
    }

    fn order(&self) -> u32 {
        if self.is_instead { self.instead.order() } else { self.order as u32 }
    }

    fn falls(&self) -> u32 {
        if self.is_instead { self.instead.falls() } else { self.order as u32 - 1 }
    }

    /// (4)
    fn error(&self, h: f64, scale: &[f64]) -> Option<f64> {
        if self.is_instead {
            return self.instead.error(h, scale);
        }
        let of = |k: usize| self.size(k, scale) * h.abs().powi(k as i32) / self.allowance(k);
        Some(of(self.order - 1).max(of(self.order)))
    }

    /// (5); what rounding does to slopes is no defect.
    fn defect(&self, h: f64, slope: &[f64], scale: &[f64]) -> f64 {
        if self.is_instead {
            return 0.0;
        }
        let mut worst = 0.0_f64;
        for j in 0..self.n {
            let mut said = 0.0;
            for k in (1..=self.order).rev() {
                said = said * h + k as f64 * self.series[k * self.n + j];
            }
            let off = h.abs() * (slope[j] - said).abs() / (self.order + 1) as f64;
            let rounding = 64.0 * f64::EPSILON * h.abs() * slope[j].abs().max(said.abs());
            let relative = off / (SLACK * scale[j] + rounding);
            worst = if relative.is_nan() { f64::INFINITY } else { worst.max(relative) };
        }
        worst
    }

    fn inside(&mut self, field: &mut dyn Field, from: End<'_>, h: f64, to: End<'_>) -> Result<Dense, Trouble> {
        if self.is_instead || !self.expand(field, from)? {
            return self.instead.inside(field, from, h, to);
        }
        let mut parts = Vec::with_capacity(self.order + 1);
        let mut factor = 1.0;
        for k in 0..=self.order {
            parts.push(self.power(k).iter().map(|y| y * factor).collect::<Vec<f64>>());
            factor *= h;
        }
        let mut dense = Dense { t: from.t, h, parts, has_powers: true };
        // the end of the step was moved to the levels
        let mut end = vec![0.0; self.n];
        dense.at(1.0, &mut end);
        (0..self.n).for_each(|j| dense.parts[2][j] += to.y[j] - end[j]);
        Ok(dense)
    }
}

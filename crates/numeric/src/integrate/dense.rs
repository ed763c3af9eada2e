//! What lies inside a step?
//!
//! ```text
//! y(t + θh) = y + θ(F₀ + (1 − θ)(F₁ + θ(F₂ + (1 − θ)(F₃ + …))))                       (1)
//! F₀ = y₁ − y     F₁ = h f(t, y) − F₀     F₂ = 2 F₀ − h (f(t, y) + f(t + h, y₁))      (2)
//! y(t + θh) = y + θ(C₁ + θ(C₂ + θ(C₃ + …)))                                           (3)
//! ```
//!
//! With (2) the polynomial (1) has the states and slopes of both ends, whatever follows: a method
//! adds what it knows besides. A method that knows the powers of the motion has (3).

use super::End;

/// A step as a polynomial between its ends (1).
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    /// Where the step begins.
    pub t: f64,
    /// Its length.
    pub h: f64,
    /// The state at the beginning, then F₀, F₁, …, or C₁, C₂, ….
    pub parts: Vec<Vec<f64>>,
    /// Whether the parts are those of (3).
    pub has_powers: bool,
}

impl Dense {
    /// The cubic (2) through the states and slopes at both ends.
    pub fn cubic(from: End<'_>, h: f64, to: End<'_>) -> Dense {
        let n = from.y.len();
        let rise: Vec<f64> = (0..n).map(|j| to.y[j] - from.y[j]).collect();
        let begin = (0..n).map(|j| h * from.slope[j] - rise[j]).collect();
        let bend = (0..n).map(|j| 2.0 * rise[j] - h * (to.slope[j] + from.slope[j])).collect();
        Dense { t: from.t, h, parts: vec![from.y.to_vec(), rise, begin, bend], has_powers: false }
    }

    /// The state at the fraction θ of the step.
    pub fn at(&self, theta: f64, to: &mut [f64]) {
        to.fill(0.0);
        for (k, part) in self.parts.iter().enumerate().skip(1).rev() {
            let factor = if self.has_powers || k % 2 == 1 { theta } else { 1.0 - theta };
            to.iter_mut().zip(part).for_each(|(to, part)| *to = (*to + part) * factor);
        }
        to.iter_mut().zip(&self.parts[0]).for_each(|(to, y)| *to += y);
    }
}

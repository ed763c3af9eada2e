//! How is a step made, how long may it be, and what lies inside it?
//!
//! One file for each method. A method makes a step and says how wrong it is; this file knows what they share: the
//! field that is followed, the dense output of a step, the choice of the next step.

pub mod dop853;
pub mod rk4;

use crate::Trouble;

/// What is followed: y' = f(t, y).
pub trait Field {
    /// The slope f at a state.
    fn rates(&mut self, t: f64, y: &[f64], to: &mut [f64]) -> Result<(), Trouble>;
}

/// The methods by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Dormand and Prince of order 8, with step control unless a step is given.
    Dop853,
    /// The classical method of order 4, with a given step.
    Rk4,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 2] = [Method::Dop853, Method::Rk4];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Dop853 => "dop853",
            Method::Rk4 => "rk4",
        }
    }
}

/// A step as a polynomial between its ends, in the nested form of [`dop853`].
#[derive(Clone, Debug)]
pub struct Dense {
    /// Where the step begins.
    pub t: f64,
    /// Its length.
    pub h: f64,
    /// The state at the beginning, then F₀, F₁, ….
    pub parts: Vec<Vec<f64>>,
}

impl Dense {
    /// The cubic through the states and slopes at both ends.
    pub fn hermite(t: f64, h: f64, (y, f0): (&[f64], &[f64]), (end, f1): (&[f64], &[f64])) -> Dense {
        let n = y.len();
        let rise: Vec<f64> = (0..n).map(|j| end[j] - y[j]).collect();
        let begin = (0..n).map(|j| h * f0[j] - rise[j]).collect();
        let bend = (0..n).map(|j| 2.0 * rise[j] - h * (f1[j] + f0[j])).collect();
        Dense { t, h, parts: vec![y.to_vec(), rise, begin, bend] }
    }

    /// The state at the fraction θ of the step.
    pub fn at(&self, theta: f64, to: &mut [f64]) {
        to.fill(0.0);
        for (k, part) in self.parts.iter().enumerate().skip(1).rev() {
            let factor = if k % 2 == 1 { theta } else { 1.0 - theta };
            to.iter_mut().zip(part).for_each(|(to, part)| *to = (*to + part) * factor);
        }
        to.iter_mut().zip(&self.parts[0]).for_each(|(to, y)| *to += y);
    }
}

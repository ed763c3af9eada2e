//! How does a motion pass an instant at which its linear systems are singular?
//!
//! Steps become shorter and shorter there, although the motion may be smooth:
//!
//! ```text
//! p(t) through the last states and slopes, beyond it; there |p' − f| Δt within the tolerance  (1)
//! ```
//!
//! is a step across it, which is taken where (1) holds.

use std::collections::VecDeque;

/// A step across a singular instant may be wrong by so many times as much as another step.
pub const FITS: f64 = 2000.0;

/// So many states lead to a step across a singular instant.
const REMEMBERED: usize = 4;

/// A step is short if it is so many times shorter than steps were lately.
const SHORT: f64 = 0.05;

/// A time, the state and its slope.
pub type Moment = (f64, Vec<f64>, Vec<f64>);

/// The last states of a motion, and how long its steps have been lately.
#[derive(Clone, Debug, Default)]
pub struct History {
    instants: VecDeque<Moment>,
    usual: f64,
}

impl History {
    /// Adds the beginning of a step of this length.
    pub fn remember(&mut self, from: Moment, span: f64) {
        self.usual = span.max(0.97 * self.usual);
        self.instants.push_back(from);
        if self.instants.len() > REMEMBERED {
            self.instants.pop_front();
        }
    }

    /// Begins anew.
    pub fn forget(&mut self) {
        self.usual = 0.0;
        self.instants.clear();
    }

    /// Have steps become so short that it is worth to look for a step across?
    pub fn is_short(&self, h: f64) -> bool {
        h < SHORT * self.usual && self.instants.len() == REMEMBERED
    }

    /// The last states, up to now.
    pub fn until(&self, now: Moment) -> Vec<Moment> {
        self.instants.iter().skip(1).cloned().chain([now]).collect()
    }

    /// Lengths to try, the longest first: shorter ones fit too, and end before the singular
    /// instant.
    pub fn spans(&self, h: f64, rest: f64) -> impl Iterator<Item = f64> + use<> {
        let longest = rest.min(0.5 * self.usual);
        (1..16).rev().map(move |k| h * f64::from(1 << k)).filter(move |span| *span < longest)
    }
}

/// The polynomial through states with their slopes, and its slope, at a time: Newton's form on
/// doubled points.
pub fn hermite(points: &[Moment], t: f64) -> (Vec<f64>, Vec<f64>) {
    let nodes: Vec<f64> = points.iter().flat_map(|point| [point.0, point.0]).collect();
    let m = nodes.len();
    let of = |k: usize| {
        // divided differences, column by column
        let mut column: Vec<f64> = points.iter().flat_map(|point| [point.1[k], point.1[k]]).collect();
        let mut heads = vec![column[0]];
        for width in 1..m {
            column = (0..m - width)
                .map(|i| match nodes[i + width] - nodes[i] {
                    0.0 => points[i / 2].2[k],
                    span => (column[i + 1] - column[i]) / span,
                })
                .collect();
            heads.push(column[0]);
        }
        let (mut value, mut slope) = (0.0, 0.0);
        for (head, node) in heads.iter().zip(&nodes).rev() {
            (slope, value) = (slope * (t - node) + value, value * (t - node) + head);
        }
        (value, slope)
    };
    (0..points[0].1.len()).map(of).unzip()
}

#[cfg(test)]
mod tests {
    use super::{History, hermite};

    #[test]
    fn a_polynomial_of_degree_seven_goes_on_as_it_is() {
        let f = |t: f64| (t.powi(7) - 3.0 * t.powi(4) + t, 7.0 * t.powi(6) - 12.0 * t.powi(3) + 1.0);
        let points: Vec<_> = [0.0, 0.5, 0.7, 1.1].map(|t| (t, vec![f(t).0], vec![f(t).1])).to_vec();
        let (value, slope) = hermite(&points, 1.4);
        assert!((value[0] - f(1.4).0).abs() < 1e-12 && (slope[0] - f(1.4).1).abs() < 1e-11, "{value:?} {slope:?}");
    }

    #[test]
    fn a_leap_is_looked_for_after_enough_states_and_a_short_step() {
        let mut history = History::default();
        for k in 0..4 {
            assert!(!history.is_short(1e-6));
            history.remember((f64::from(k), vec![], vec![]), 1.0);
        }
        assert!(history.is_short(1e-6) && !history.is_short(0.5));
        assert_eq!(
            history.until((4.0, vec![], vec![])).iter().map(|one| one.0).collect::<Vec<_>>(),
            [1.0, 2.0, 3.0, 4.0]
        );
        assert_eq!(history.spans(0.01, 0.1).collect::<Vec<_>>(), [0.08, 0.04, 0.02]);
        history.forget();
        assert!(!history.is_short(1e-6));
    }
}

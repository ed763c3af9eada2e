//! Which contacts take part in an impact beside those that brought it, and which come too late to be seen?
//!
//! ```text
//! |f| rounding, f' < 0         it closes at this instant: two gaps close together, or another impact drove it back     (1)
//! |f| rounding, f' ≥ 0         it touches: it takes part, and nothing of it bounces                                   (2)
//! |f|, |f'| rounding           of what was large before: it is closed                                                 (3)
//! ```

use expr::{At, Expr, MathError};
use mechanics::Mode;
use mechanics::standing::{Standing, shut};

use super::{Next, Run};
use crate::simulate::event::EventKind;

/// A rate that is smaller, against what the rates of the motion have been, is rounding.
const STILL: f64 = 1e-13;

impl Run<'_, '_> {
    /// What acts at the state, with (3).
    pub(super) fn mode(&self, at: &At) -> Result<Mode, MathError> {
        let system = &self.loaded().system;
        let mode = self.state.mode(system, at)?;
        let still: Vec<usize> = self.shut(&mode, at).filter(|&place| self.is_still(place, at)).collect();
        Ok(mode.closing(&still))
    }

    /// Whether the gaps of a constraint do not change, but for rounding.
    pub(super) fn is_still(&self, place: usize, at: &At) -> bool {
        let rates = self.loaded().system.constraints[place].rows.iter().map(|&row| expr::total_derivative(row));
        rates.into_iter().all(|rate| rate.is_ok_and(|rate| at.value(rate).abs() <= STILL * self.usual(rate, at)))
    }

    /// One-sided constraints that are not closed by their rates alone.
    fn shut<'r>(&'r self, mode: &'r Mode, at: &'r At) -> impl Iterator<Item = usize> + 'r {
        let system = &self.loaded().system;
        let is_shut = move |place: &usize| {
            let constraint = &system.constraints[*place];
            let is_open = matches!(mode.standing[*place], Standing::Open | Standing::Violated);
            is_open && constraint.is_one_sided() && shut(system, &constraint.rows, at)
        };
        (0..system.constraints.len()).filter(is_shut)
    }

    /// What a rate would be with the largest rates that the motion has had.
    fn usual(&self, rate: Expr, at: &At) -> f64 {
        let coordinates = &self.loaded().system.coordinates;
        let n = coordinates.len();
        let part = |(k, c): (usize, &mechanics::Coordinate)| {
            let slope = expr::derivative(rate, c.q_dot).map_or(0.0, |slope| at.value(slope).abs());
            slope * self.log.sizes.get(n + k).copied().unwrap_or(0.0)
        };
        coordinates.iter().enumerate().map(part).sum()
    }

    /// What else closes where these do (1), and what touches there (2).
    pub(super) fn beside(&self, mode: &Mode, closing: &[usize], at: &At) -> (Vec<usize>, Vec<usize>) {
        let others = self.shut(mode, at).filter(|place| !closing.contains(place));
        others.partition(|&place| mode.standing[place] == Standing::Violated)
    }

    /// Lets contacts meet whose gaps are closed and shrink (1), though no step ended there.
    pub(super) fn meets_late(&mut self) -> Option<Next> {
        if self.is_first || self.state.is_back {
            return None;
        }
        let at = self.state.at(self.loaded());
        let mode = self.mode(&at).ok()?;
        let (late, _) = self.beside(&mode, &[], &at);
        let late: Vec<usize> = late.into_iter().filter(|place| !self.state.gone.contains(place)).collect();
        for &place in &late {
            let name = self.loaded().system.constraints[place].name.clone();
            self.log.happens(name, EventKind::Closes, &self.state, self.kept.loaded);
        }
        (!late.is_empty()).then(|| self.collide(&late))
    }
}

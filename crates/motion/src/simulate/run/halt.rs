//! How do rough contacts come to rest?
//!
//! ```text
//! |s| ≤ 1e-7 of its natural size, where another halts      they halt together: one instant, not two that rounding makes     (1)
//! t + δ,  δ = s²/(−s·s')                                   where steps become too short, since s has no direction at rest     (2)
//! ```
//!
//! What has come to rest is looked at anew: it sticks, or begins to slip.

use expr::At;
use linear::vector::{dot, length};
use mechanics::Mode;
use mechanics::friction::Rough;
use numeric::Failure;

use super::{Next, Run};
use crate::simulate::event::EventKind;

/// A slip that is smaller, against its natural size, is rest where another comes to rest.
const TOGETHER: f64 = 1e-7;
/// A slip that is smaller, against its natural size, may have come to rest where steps are too short.
const SLOW: f64 = 1e-5;

/// The slips of a contact, and how large they are by nature.
fn slips(rough: &Rough, at: &At) -> Vec<f64> {
    rough.slips.iter().map(|slip| at.value(slip.1)).collect()
}

impl Run<'_, '_> {
    fn is_slow(&self, rough: &Rough, at: &At, limit: f64) -> bool {
        let system = &self.loaded().system;
        let sizes = rough.slips.iter().map(|slip| mechanics::standing::natural_rate(system, slip.1, at));
        length(&slips(rough, at)) <= limit * sizes.fold(0.0, f64::max)
    }

    /// Takes away what is left of slips that have come to rest along their directions, and of those that do so with
    /// them (1).
    pub(super) fn come_to_rest(&mut self, mode: &Mode, places: &[usize]) {
        let at = self.state.at(self.loaded());
        let others = mode.sliding().map(|sliding| &sliding.rough).filter(|rough| !places.contains(&rough.gap));
        let others: Vec<_> = others.filter(|rough| self.is_slow(rough, &at, TOGETHER)).collect();
        for rough in &others {
            self.log.happens(rough.name.clone(), EventKind::Sticks, &self.state, self.kept.loaded);
        }
        let halts = |rough: &Rough| match others.iter().any(|other| other.gap == rough.gap) {
            true => true,
            false => places.contains(&rough.gap) && rough.slips.len() > 1,
        };
        let halted = mode.held.iter().map(|held| &held.rough).filter(|rough| halts(rough));
        let halted: Vec<(usize, Vec<f64>)> =
            halted.map(|rough| (rough.gap, slips(rough, &at).iter().map(|slip| -slip).collect())).collect();
        if !halted.is_empty() {
            self.nudge(mode, &at, &|gap| halted.iter().find(|one| one.0 == gap).map(|one| one.1.clone()));
        }
    }

    /// Goes on where steps became too short since a slip in space comes to rest there (2); nothing if none does.
    pub(super) fn halts(&mut self, phase: usize, mode: &Mode, failure: Failure) -> Option<Next> {
        let Failure::TooStiff { t } = failure else { return None };
        let (at, span) = (self.state.at(self.loaded()), self.span.1 - self.span.0);
        // it must have gone on since it was helped last
        let has_moved = self.helped.is_none_or(|last| t - last > 1e-9 * span);
        let in_space = mode.sliding().map(|sliding| &sliding.rough).filter(|rough| rough.slips.len() > 1);
        let slow: Vec<_> = in_space.filter(|rough| self.is_slow(rough, &at, SLOW)).cloned().collect();
        let rough = slow.first().filter(|_| has_moved)?;
        let mut slope = vec![0.0; self.state.y.len()];
        let machine = &mut self.kept.phases[phase].2.machine;
        numeric::Field::rates(machine, t, &self.state.y, &mut slope).ok()?;
        let ahead = |by: f64| {
            let mut there = self.state.clone();
            there.t += by;
            there.y.iter_mut().zip(&slope).for_each(|(y, slope)| *y += by * slope);
            there
        };
        let step = 1e-10 * span;
        let (now, next) = (slips(rough, &at), slips(rough, &ahead(step).at(self.loaded())));
        let falls = (dot(&now, &now) - dot(&now, &next)) / step;
        let rest = dot(&now, &now) / falls;
        if falls.is_nan() || falls <= 0.0 || rest > 1e-3 * span {
            return None;
        }
        let is_free = self.log.times.front().is_none_or(|time| *time > t + rest) && t + rest < self.span.1;
        if is_free {
            self.state = ahead(rest);
        }
        self.helped = Some(self.state.t);
        for rough in &slow {
            self.log.happens(rough.name.clone(), EventKind::Sticks, &self.state, self.kept.loaded);
        }
        self.come_to_rest(mode, &slow.iter().map(|rough| rough.gap).collect::<Vec<_>>());
        Some(Next::GoesOn)
    }
}

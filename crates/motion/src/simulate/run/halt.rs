//! How do rough contacts come to rest?
//!
//! ```text
//! |s| ≤ 1e-7 of its natural size, or all ≤ 1e-5            where another halts: they halt together, at one instant            (1)
//! t + δ,  δ = s²/(−s·s')                                  the rest of their way; also where steps become too short, since
//!                                                         s has no direction at rest                                        (2)
//! ```
//!
//! The feet of one body halt together, and rounding makes several instants of it: a turn that is rounding is as fast as they
//! are in the end. What has come to rest is looked at anew: it sticks, or begins to slip.

use expr::At;
use linear::vector::{dot, length};
use mechanics::Mode;
use mechanics::friction::Rough;
use numeric::Failure;

use super::{Next, Run};
use crate::simulate::event::EventKind;

/// A slip that is smaller, against its natural size, is rest where another comes to rest.
const STILL: f64 = 1e-7;
/// Slips that are all smaller, against their natural sizes, are about to come to rest.
const SLOW: f64 = 1e-5;

fn slips(rough: &Rough, at: &At) -> Vec<f64> {
    rough.slips.iter().map(|slip| at.value(slip.1)).collect()
}

impl Run<'_, '_> {
    fn is_slow(&self, rough: &Rough, at: &At, limit: f64) -> bool {
        let system = &self.loaded().system;
        let sizes = rough.slips.iter().map(|slip| mechanics::standing::natural_rate(system, slip.1, at));
        length(&slips(rough, at)) <= limit * sizes.fold(0.0, f64::max)
    }

    /// Brings slips to rest that have come there along their directions, and those that do so with them (1).
    pub(super) fn come_to_rest(&mut self, phase: usize, mode: &Mode, places: &[usize]) {
        let at = self.state.at(self.loaded());
        let others: Vec<&Rough> =
            mode.sliding().map(|sliding| &sliding.rough).filter(|rough| !places.contains(&rough.gap)).collect();
        let limit = if others.iter().all(|rough| self.is_slow(rough, &at, SLOW)) { SLOW } else { STILL };
        let halting: Vec<Rough> = others.into_iter().filter(|rough| self.is_slow(rough, &at, limit)).cloned().collect();
        let slope = self.slope(phase);
        let rest = |rough: &Rough| slope.as_ref().and_then(|slope| self.rests_after(rough, slope));
        // the fastest of them tells best how long they still go
        let speed = |rough: &Rough| length(&slips(rough, &at));
        let fastest = halting.iter().max_by(|a, b| speed(a).total_cmp(&speed(b)));
        let fastest = fastest.filter(|rough| !self.is_slow(rough, &at, STILL));
        let wait = fastest.and_then(rest).unwrap_or(0.0);
        if let Some(slope) = slope.filter(|_| wait > 0.0 && self.is_free(wait)) {
            self.go_along(&slope, wait);
        }
        for rough in &halting {
            self.log.happens(rough.name.clone(), EventKind::Sticks, &self.state, self.kept.loaded);
        }
        let at = self.state.at(self.loaded());
        let with: Vec<usize> = halting.iter().map(|rough| rough.gap).collect();
        let halts = |rough: &Rough| with.contains(&rough.gap) || places.contains(&rough.gap) && rough.slips.len() > 1;
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
        let slow = in_space.filter(|rough| self.is_slow(rough, &at, SLOW));
        let speed = |rough: &Rough| length(&slips(rough, &at));
        let rough = slow.max_by(|a, b| speed(a).total_cmp(&speed(b))).filter(|_| has_moved)?.clone();
        let slope = self.slope(phase)?;
        let rest = self.rests_after(&rough, &slope)?;
        if self.is_free(rest) {
            self.go_along(&slope, rest);
        }
        self.helped = Some(self.state.t);
        self.log.happens(rough.name.clone(), EventKind::Sticks, &self.state, self.kept.loaded);
        self.come_to_rest(phase, mode, &[rough.gap]);
        Some(Next::GoesOn)
    }

    /// The slope of the state in a phase.
    fn slope(&mut self, phase: usize) -> Option<Vec<f64>> {
        let mut slope = vec![0.0; self.state.y.len()];
        let machine = &mut self.kept.phases[phase].2.machine;
        numeric::Field::rates(machine, self.state.t, &self.state.y, &mut slope).ok()?;
        Some(slope)
    }

    /// δ of (2) along a slope; nothing if the slip does not fall.
    fn rests_after(&self, rough: &Rough, slope: &[f64]) -> Option<f64> {
        let span = self.span.1 - self.span.0;
        let step = 1e-10 * span;
        let mut next = self.state.clone();
        next.t += step;
        next.y.iter_mut().zip(slope).for_each(|(y, slope)| *y += step * slope);
        let (now, next) = (slips(rough, &self.state.at(self.loaded())), slips(rough, &next.at(self.loaded())));
        let rest = step * dot(&now, &now) / (dot(&now, &now) - dot(&now, &next));
        (rest >= 0.0 && rest <= 1e-3 * span).then_some(rest)
    }

    /// Whether no instant that is wanted lies in a time to come.
    fn is_free(&self, time: f64) -> bool {
        let until = self.state.t + time;
        self.log.times.front().is_none_or(|next| *next > until) && until < self.span.1
    }

    fn go_along(&mut self, slope: &[f64], time: f64) {
        self.state.t += time;
        self.state.y.iter_mut().zip(slope).for_each(|(y, slope)| *y += time * slope);
    }
}

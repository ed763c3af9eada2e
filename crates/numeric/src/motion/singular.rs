//! What does a motion do where guarded rows lose their rank?
//!
//! ```text
//! far away        the least pivot falls: when will it vanish?                                              (1)
//! near            one step across, by nodes on both sides; no other step ends close to the instant         (2)
//! inside a step   the instant, to rounding; the onlooker says whether the motion goes on through it        (3)
//! ```

use super::{Failure, Made, Motion, Onlooker, Stop};
use crate::crossing::{self, Moment};
use crate::guard;
use crate::integrate::Field;

/// A step across a singular instant is not asked for more than other steps are at this tolerance: rounding is larger there.
const ROUNDING: f64 = 1e-10;

/// A state is singular if the least singular value of the rows is so small, against their size.
const THERE: f64 = 1e-4;

/// No step ends nearer to a singular instant, against the usual length of steps: branches may meet there.
pub(super) const NEAR: f64 = 1e-4;

/// Accelerations that change by more on the rest of the way have no limit there; against the sizes of rates.
const LIMIT: f64 = 1e-9;

impl Motion<'_> {
    /// Whether a step ends so near to a singular instant that a shorter one is better.
    pub(super) fn is_near(&mut self, h: f64, until: f64, lost: Option<&(f64, Vec<f64>)>) -> bool {
        let edge = self.ahead.or(lost.map(|lost| self.t + lost.0 * h));
        let is_last = self.crossed.is_some() || self.t + h >= until || self.plan.step.is_some();
        if !is_last && edge.is_some_and(|edge| (edge - self.t - h).abs() < 1e-2 * h) {
            (self.followed, self.ahead) = (0.5 * h, edge);
            return true;
        }
        // values that are not too near to each other
        let (last, pivot) = (self.trail[2].1, self.guard.as_ref().map_or(f64::NAN, |guard| guard.pivot));
        if !(0.6 * last..last).contains(&pivot) {
            self.trail = [self.trail[1], self.trail[2], (self.t + h, pivot)];
        }
        false
    }

    /// Whether the motion ends where guarded rows lose their rank; then it is there.
    pub(super) fn ends_there(
        &mut self,
        h: f64,
        (theta, state): (f64, Vec<f64>),
        onlooker: &mut dyn Onlooker,
    ) -> Result<bool, Failure> {
        let t = self.t + theta * h;
        if self.guard.as_ref().is_none_or(|guard| onlooker.passes(t, &state, guard)) {
            return Ok(false);
        }
        self.states_until(t, onlooker)?;
        (self.t, self.y) = (t, state);
        Ok(true)
    }

    /// A step across an instant that is so far away, at which guarded rows lose their rank.
    pub(super) fn cross(&mut self, away: f64, rest: f64) -> Option<Made> {
        let over = 2.0 * away;
        let is_far = away - rest > 0.05 * self.usual;
        if !self.plan.crosses || self.plan.step.is_some() || is_far || away > 0.7 * self.tried {
            return None;
        }
        self.tried = away;
        let now = (self.t, self.y.clone(), self.slope.clone());
        let known: Vec<Moment> = self.previous.iter().cloned().chain([now.clone()]).collect();
        let guess = |t: f64| crossing::hermite(&known, t);
        let crossed = crossing::cross(self.machine, &now, over, &self.plan.sizes, &guess)?;
        let (mut end, mut slope) = (crossed.end, vec![0.0; self.y.len()]);
        let scale = self.scale(&end);
        // near the instant there is more rounding than elsewhere
        let rounding = (ROUNDING / self.plan.tolerance).max(1.0);
        let fits = crossed.errors.iter().zip(&scale).all(|(error, scale)| *error <= rounding * scale);
        if !fits || self.machine.rates(self.t + over, &end, &mut slope).is_err() {
            return None;
        }
        let last = (self.t + over, end.clone(), slope.clone());
        let points: Vec<Moment> = [now].into_iter().chain(crossed.inside).chain([last]).collect();
        // the motion may end inside, or at the instant itself
        let span = over.min(rest);
        if span < over {
            end = crossing::hermite(&points, self.t + span);
        }
        self.crossed = Some(points);
        self.remember(span);
        Some((span, end, slope))
    }

    /// The last step, if it ends where the masses are singular in these coordinates and the accelerations have a limit: from
    /// a little before, with accelerations that go on as they did from ten times as far.
    pub(super) fn arrive_singular(&mut self, rest: f64) -> Option<Made> {
        if self.plan.step.is_some() || self.ahead.is_some() {
            return None;
        }
        let n = self.y.len() / 2;
        for before in [1e-7, 1e-6, 1e-5, 1e-4] {
            let far = self.attempt(rest * (1.0 - 10.0 * before));
            let near = self.attempt(rest * (1.0 - before));
            let (Ok(((_, _, far), _)), Ok(((short, mut end, slope), _))) = (far, near) else { continue };
            let (left, scale) = (rest - short, self.scale(&end));
            let jumps = |k: usize| (slope[k] - far[k]).abs() * left > scale[k].max(LIMIT * self.plan.sizes[k]);
            if (n..end.len()).any(jumps) {
                continue;
            }
            let turn: Vec<f64> = slope.iter().zip(&far).map(|(near, far)| (near - far) / 18.0).collect();
            // backwards the slope of a place is its rate with the other sign
            let sense = |k: usize| if slope[k] != 0.0 && slope[k] == -end[n + k] { -0.5 } else { 0.5 };
            let bends: Vec<f64> = (0..n).map(|k| sense(k) * left * left * slope[n + k]).collect();
            (0..end.len()).for_each(|k| end[k] += left * slope[k]);
            (n..end.len()).for_each(|k| end[k] += left * turn[k]);
            bends.iter().enumerate().for_each(|(k, bend)| end[k] += bend);
            self.remember(rest);
            return Some((rest, end, slope));
        }
        None
    }

    /// What ends a motion whose steps could not go on: guarded rows that lose their rank just there?
    pub(super) fn ends_singular(&mut self, failure: Failure, onlooker: &mut dyn Onlooker) -> Result<Stop, Failure> {
        let away = self.ahead.map(|then| then - self.t).filter(|away| *away > 0.0 && *away < 1e-3 * self.whole);
        let (Some(away), Some(guard)) = (away, &self.guard) else { return Err(failure) };
        if matches!(failure, Failure::Interrupted { .. }) {
            return Err(failure);
        }
        let away = guard::vanishes(self.trail, 20.0 * away.max(self.trail[2].0 - self.trail[1].0))
            .map_or(away, |then| then - self.t);
        let Some((rows, _)) = self.machine.guarded(self.t, &self.y) else { return Err(failure) };
        let mut state = self.y.clone();
        (0..rows.columns()).for_each(|k| state[k] += away * self.slope[k]);
        // what runs away may seem to come there
        let there = self.machine.guarded(self.t + away, &state).map(|(rows, _)| guard.least(&guard.scaled(&rows)));
        if !there.is_some_and(|least| least < THERE) {
            return Err(failure);
        }
        // whether it is known how to go on or not, it was not possible to go there
        onlooker.passes(self.t + away, &state, guard);
        (self.t, self.y) = (self.t + away, state);
        Ok(Stop::Singular)
    }

    /// The fraction of the step just made at which guarded rows lose their rank, and the state there.
    pub(super) fn loses(&mut self, h: f64, ends: (&[f64], &[f64])) -> Result<Option<(f64, Vec<f64>)>, Failure> {
        let Some(mut guard) = self.guard.take() else { return Ok(None) };
        let t = self.t;
        let ends_of_rows = [(t, &self.y[..]), (t + h, ends.0)].map(|(t, y)| self.machine.guarded(t, y));
        let [Some((first, _)), Some((last, _))] = ends_of_rows else { return Ok(None) };
        let mut inside = None;
        let near = (10.0 * self.plan.tolerance).clamp(1e-7, 1e-3);
        let mut failure = None;
        let mut state = |theta: f64, motion: &mut Self| {
            if inside.is_none() {
                inside = motion.inside(h, ends).map_err(|told| failure = Some(told)).ok();
            }
            let mut state = vec![0.0; ends.0.len()];
            // not brought to the levels: near the instant this would turn the rates anywhere
            inside.as_ref()?.at(theta, &mut state);
            Some(state)
        };
        let rows = |theta: f64| {
            let state = state(theta, self)?;
            Some(self.machine.guarded(t + theta * h, &state)?.0)
        };
        let lost = guard.loses([&first, &last], near, rows);
        let lost = lost.and_then(|theta| Some((theta, state(theta, self)?)));
        self.ahead = guard.ahead.filter(|_| lost.is_none()).map(|steps| t + h + steps * h);
        self.tried = if self.ahead.is_some() { self.tried } else { f64::INFINITY };
        self.guard = Some(guard);
        failure.map_or(Ok(lost), Err)
    }
}

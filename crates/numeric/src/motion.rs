//! How does a motion go on from a state, and what happens on the way?
//!
//! ```text
//! step → levels → slope → watched values on the dense output → the earliest event → land on it by a step   (1)
//! ```
//!
//! Where the linear systems become singular the steps become shorter and shorter, although the motion may be smooth:
//!
//! ```text
//! p(t) through the last four states and slopes, beyond the singular instant; there |p' − f| Δt within the tolerance   (2)
//! ```
//!
//! is a step across it, which is taken where (2) holds.
//!
//! States at given instants are found by a step of their own from the beginning of the step around them, so that they
//! are as exact as the steps, and on the levels.

use std::collections::VecDeque;

use crate::Trouble;
use crate::event::{Crossing, Samples};
use crate::integrate::dop853::Dop853;
use crate::integrate::{Dense, Field, Method, rk4};
use crate::machine::Machine;

/// A motion makes at most so many events at one instant.
const MOST_AT_ONCE: usize = 40;

/// After so many tiny steps a motion is given up.
const MOST_CRUMBS: usize = 3000;

/// What was seen on a step.
enum Seen {
    Nothing,
    /// Watched values change too fast for so long a step.
    TooFast,
    /// Where, as a fraction of the step; which with their crossings; what they were found in.
    Events(f64, Vec<(usize, Crossing)>, Samples),
}

/// A time, the state and its slope.
type Point = (f64, Vec<f64>, Vec<f64>);

/// A step across a singular instant may be wrong by so many times as much as another step.
const FITS: f64 = 2000.0;

/// So many states lead to a step across a singular instant.
const REMEMBERED: usize = 4;

/// How a motion is computed.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The method.
    pub method: Method,
    /// The relative tolerance.
    pub tolerance: f64,
    /// The natural size of each number of the state: times the tolerance it is the absolute tolerance.
    pub sizes: Vec<f64>,
    /// A fixed step.
    pub step: Option<f64>,
    /// What is watched, in the order of the problem.
    pub watches: Vec<Watch>,
    /// Steps that are longer are not made.
    pub longest: f64,
    /// Whether singular instants may be passed by a step of their own.
    pub leaps: bool,
}

/// Which zeros of a watched value are events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watch {
    /// The direction.
    pub direction: Direction,
    /// The natural size of the value; what is much smaller has no sign.
    pub size: f64,
}

/// The direction of a zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From negative to positive.
    Up,
    /// From positive to negative.
    Down,
    /// Every zero.
    Any,
}

/// Why a motion went no further.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Failure {
    /// There is no slope at this time, or none a little later.
    NoSlope {
        /// The time reached.
        t: f64,
        /// What stood in the way.
        trouble: Trouble,
    },
    /// The steps became too short: the motion is singular, or not smooth.
    TooStiff {
        /// The time reached.
        t: f64,
    },
    /// Somebody asked to stop.
    Interrupted {
        /// The time reached.
        t: f64,
    },
}

/// What ended a stretch of motion.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// The time that was asked for.
    Time,
    /// Events: places among the watches.
    Events(Vec<usize>),
}

/// A motion under way.
pub struct Motion<'m> {
    /// The problem.
    pub machine: &'m mut Machine,
    plan: Plan,
    /// The time.
    pub t: f64,
    /// The state.
    pub y: Vec<f64>,
    slope: Vec<f64>,
    h: Option<f64>,
    stepper: Dop853,
    /// The signs of watched values and switches, and how large they have been.
    signs: Vec<i8>,
    seen: Vec<f64>,
    /// Events without a step between them.
    at_once: usize,
    /// The longest step on which watched values could be followed lately.
    followed: f64,
    /// Steps that were made.
    pub steps: u64,
    /// Steps that were made and thrown away.
    pub rejected: u64,
    /// Whether a level could not be met after some step.
    pub off_level: bool,
    /// Singular instants that were passed by (2).
    pub passed: Vec<f64>,
    /// The last states and slopes.
    history: VecDeque<Point>,
    /// How long steps have been lately.
    usual: f64,
    /// How long the motion is to be, and how many steps were tiny against that, one after the other.
    whole: f64,
    crumbs: usize,
}

/// Who looks at a motion on its way.
pub trait Onlooker {
    /// The next instant at which a state is wanted, if any.
    fn next(&self) -> Option<f64>;
    /// Takes the state at that instant.
    fn take(&mut self, machine: &mut Machine, t: f64, y: &[f64]) -> Result<(), Trouble>;
    /// Looks at the state after each step: go on?
    fn goes_on(&mut self, machine: &mut Machine, t: f64, y: &[f64]) -> bool;
}

impl<'m> Motion<'m> {
    /// A motion from a state.
    pub fn new(machine: &'m mut Machine, plan: Plan, t: f64, y: Vec<f64>) -> Result<Motion<'m>, Failure> {
        let n = machine.size();
        let mut motion = Motion {
            machine,
            plan,
            t,
            y,
            slope: vec![0.0; n],
            h: None,
            stepper: Dop853::new(n),
            signs: Vec::new(),
            seen: Vec::new(),
            at_once: 0,
            followed: f64::INFINITY,
            steps: 0,
            rejected: 0,
            off_level: false,
            passed: Vec::new(),
            history: VecDeque::new(),
            usual: 0.0,
            whole: 0.0,
            crumbs: 0,
        };
        motion.begin()?;
        Ok(motion)
    }

    fn no_slope(&self, trouble: Trouble) -> Failure {
        Failure::NoSlope { t: self.t, trouble }
    }

    /// Slopes and signs at the state.
    fn begin(&mut self) -> Result<(), Failure> {
        let t = self.t;
        let no_slope = |trouble| Failure::NoSlope { t, trouble };
        self.machine.settle(t, &self.y).map_err(no_slope)?;
        self.machine.rates(t, &self.y, &mut self.slope).map_err(no_slope)?;
        let mut values = Vec::new();
        self.machine.watch(t, &self.y, &mut values).map_err(no_slope)?;
        self.seen = values.iter().map(|value| value.abs()).collect();
        self.signs = (0..values.len()).map(|k| sign(values[k], self.noise(k, values[k].abs()))).collect();
        self.sides();
        Ok(())
    }

    /// The signs of switches are the sides that they are on.
    fn sides(&mut self) {
        let watches = self.plan.watches.len();
        for switch in 0..self.machine.switches() {
            let negative = self.machine.side(switch) > 0.5;
            let is_stuck = self.machine.is_stuck(switch);
            self.signs[watches + switch] = if negative && !is_stuck { -1 } else { 1 };
        }
    }

    /// What is smaller has no sign.
    fn noise(&self, which: usize, size: f64) -> f64 {
        let natural = self.plan.watches.get(which).map_or(0.0, |watch| watch.size);
        let seen = self.seen.get(which).copied().unwrap_or(0.0);
        1e-14 * natural.max(seen) + 1e-13 * size
    }

    /// Goes on until a time or an event, whichever is first.
    pub fn advance(&mut self, until: f64, onlooker: &mut dyn Onlooker) -> Result<Stop, Failure> {
        loop {
            self.look(self.t, onlooker)?;
            if self.t >= until {
                return Ok(Stop::Time);
            }
            if !onlooker.goes_on(self.machine, self.t, &self.y) {
                return Err(Failure::Interrupted { t: self.t });
            }
            let (h, end, slope) = self.step(until)?;
            let fired = match self.events(h, (&end, &slope))? {
                Seen::TooFast if self.plan.step.is_none() && h > 1e-12 * self.t.abs().max(1e-6 * until.abs()) => {
                    self.followed = 0.5 * h;
                    continue;
                }
                Seen::Nothing | Seen::TooFast => {
                    self.at_once = 0;
                    self.states_until(self.t + h, onlooker)?;
                    self.t = if self.t + h >= until - 1e-15 * until.abs() { until } else { self.t + h };
                    (self.y, self.slope) = (end, slope);
                    continue;
                }
                Seen::Events(theta, fired, samples) => (theta, fired, samples),
            };
            let (theta, fired, samples) = fired;
            let (span, landed) = self.land(theta * h, h, &fired, &samples)?;
            self.states_until(self.t + span, onlooker)?;
            self.at_once = if span > 1e-13 * self.t.abs() { 0 } else { self.at_once + 1 };
            if self.at_once > MOST_AT_ONCE {
                return Err(Failure::TooStiff { t: self.t });
            }
            self.t += span;
            self.y = landed;
            self.after(&fired)?;
            self.look(self.t, onlooker)?;
            let watches = self.plan.watches.len();
            let fired: Vec<usize> = fired.into_iter().map(|one| one.0).filter(|&which| which < watches).collect();
            if !fired.is_empty() {
                return Ok(Stop::Events(fired));
            }
        }
    }

    /// One accepted step, no longer than up to `until`: its length, the state and the slope at its end.
    fn step(&mut self, until: f64) -> Result<(f64, Vec<f64>, Vec<f64>), Failure> {
        let n = self.y.len();
        let (mut end, mut slope) = (vec![0.0; n], vec![0.0; n]);
        let rest = until - self.t;
        let least = 1e-14 * self.t.abs().max(until.abs()).max(1e-3 * rest.abs());
        self.whole = self.whole.max(rest);
        if self.crumbs > MOST_CRUMBS {
            return Err(Failure::TooStiff { t: self.t });
        }
        let mut trouble = None;
        let mut was_rejected = false;
        let mut h = match (self.plan.step, self.h) {
            (Some(step), _) => step,
            (None, Some(h)) => h,
            (None, None) => self.first_step(rest),
        };
        if self.plan.step.is_none() {
            h = h.min(self.plan.longest).min(self.followed);
            self.followed *= 1.5;
        }
        if let Some(leap) = self.leap(h, rest) {
            return Ok(leap);
        }
        loop {
            // no crumb at the end
            let span =
                if h >= rest || (self.plan.step.is_none() && h > 0.9 * rest) || rest - h < least { rest } else { h };
            if span < least && span < rest {
                let t = self.t;
                return Err(trouble.map_or(Failure::TooStiff { t }, |trouble| Failure::NoSlope { t, trouble }));
            }
            let from = (self.t, &self.y[..], &self.slope[..]);
            let made = match self.plan.method {
                Method::Dop853 => self.stepper.step(self.machine, from, span, &mut end),
                Method::Rk4 => rk4::step(self.machine, from, span, &mut end),
            };
            let error = match made {
                Err(reason) => {
                    trouble = Some(reason);
                    f64::INFINITY
                }
                Ok(()) if self.plan.step.is_some() => 0.0,
                Ok(()) => self.stepper.error(span, &self.scale(&end)),
            };
            let error = if error <= 1.0 { error.max(self.put_on_levels(span, &mut end)) } else { error };
            if error <= 1.0 {
                match self.machine.rates(self.t + span, &end, &mut slope) {
                    Ok(()) => {
                        let most = if was_rejected { 1.0 } else { 6.0 };
                        let factor = (0.9 * error.powf(-0.125)).clamp(0.333, most);
                        if span == h || error > 0.1 {
                            self.h = Some(span * factor);
                        } else {
                            self.h = Some(h.max(span * factor));
                        }
                        self.steps += 1;
                        self.remember(span);
                        return Ok((span, end, slope));
                    }
                    Err(reason) => trouble = Some(reason),
                }
            }
            if self.plan.step.is_some() {
                let trouble = trouble.unwrap_or(Trouble::NotFinite);
                return Err(self.no_slope(trouble));
            }
            self.rejected += 1;
            was_rejected = true;
            h = span * if error.is_finite() && error > 1.0 { (0.9 * error.powf(-0.125)).clamp(0.1, 0.9) } else { 0.25 };
        }
    }

    /// Brings the end of a step to the levels; how far it was moved, in hundreds of what a step may be wrong by. More
    /// than that is another branch of the levels, not an error of the step.
    fn put_on_levels(&mut self, span: f64, end: &mut [f64]) -> f64 {
        let before = end.to_vec();
        self.off_level |= !self.machine.project(self.t + span, end, &self.plan.sizes);
        if self.plan.step.is_some() {
            return 0.0;
        }
        let scale = self.scale(end);
        let moved = end.iter().zip(&before).zip(&scale).map(|((end, before), scale)| (end - before).abs() / scale);
        moved.fold(0.0, f64::max) / 100.0
    }

    fn remember(&mut self, span: f64) {
        // a hundred million steps to the end are no motion
        self.crumbs = if span < 1e-8 * self.whole { self.crumbs + 1 } else { 0 };
        self.usual = span.max(0.97 * self.usual);
        self.history.push_back((self.t, self.y.clone(), self.slope.clone()));
        if self.history.len() > REMEMBERED {
            self.history.pop_front();
        }
    }

    /// A step (2), if steps have become so short that it is worth to look for one.
    fn leap(&mut self, h: f64, rest: f64) -> Option<(f64, Vec<f64>, Vec<f64>)> {
        let is_short =
            self.plan.leaps && self.plan.step.is_none() && h < 0.05 * self.usual && self.history.len() == REMEMBERED;
        if !is_short {
            return None;
        }
        let now = (self.t, self.y.clone(), self.slope.clone());
        let points: Vec<Point> = self.history.iter().skip(1).cloned().chain([now]).collect();
        let longest = rest.min(0.5 * self.usual);
        // the longest that fits: shorter ones fit too, and end before the singular instant
        let spans = (1..16).rev().map(|k| h * f64::from(1 << k)).filter(|span| *span < longest);
        let mut found = None;
        for span in spans {
            let (mut end, rates) = hermite(&points, self.t + span);
            let (scale, guess, mut slope) = (self.scale(&end), end.clone(), vec![0.0; end.len()]);
            let met = self.machine.project(self.t + span, &mut end, &self.plan.sizes);
            if !met || self.machine.rates(self.t + span, &end, &mut slope).is_err() {
                continue;
            }
            let misses = |k: usize| (end[k] - guess[k]).abs().max((slope[k] - rates[k]).abs() * span) / scale[k];
            if (0..end.len()).map(misses).fold(0.0, f64::max) <= FITS {
                found = Some((span, end, slope));
                break;
            }
        }
        if let Some((span, ..)) = &found {
            self.passed.push(self.t + 0.5 * span);
            self.h = Some(0.5 * span);
            (self.usual, self.steps) = (0.0, self.steps + 1);
            self.history.clear();
        }
        found
    }

    /// What a step may be wrong by: a tenth of the tolerance, so that many steps together keep it.
    fn scale(&self, end: &[f64]) -> Vec<f64> {
        let sizes = self.plan.sizes.iter().zip(self.y.iter().zip(end));
        sizes.map(|(size, (y, end))| 0.1 * self.plan.tolerance * size.max(y.abs()).max(end.abs())).collect()
    }

    /// A guess at the first step, by the size of slope and curvature (Hairer, Nørsett, Wanner, II.4).
    fn first_step(&mut self, rest: f64) -> f64 {
        let scale = self.scale(&self.y.clone());
        let norm = |x: &[f64]| {
            let sum: f64 = x.iter().zip(&scale).map(|(x, s)| (x / s).powi(2)).sum();
            (sum / x.len().max(1) as f64).sqrt()
        };
        let (size, speed) = (norm(&self.y), norm(&self.slope));
        let guess = if size < 1e-10 || speed < 1e-10 { 1e-6 } else { 0.01 * size / speed };
        let guess = guess.min(rest);
        let ahead: Vec<f64> = self.y.iter().zip(&self.slope).map(|(y, f)| y + guess * f).collect();
        let mut slope = vec![0.0; ahead.len()];
        if self.machine.rates(self.t + guess, &ahead, &mut slope).is_err() {
            return guess;
        }
        let bend: Vec<f64> = slope.iter().zip(&self.slope).map(|(a, b)| a - b).collect();
        let largest = speed.max(norm(&bend) / guess);
        let better = if largest <= 1e-15 { (guess * 1e-3).max(1e-6) } else { (0.01 / largest).powf(0.125) };
        better.min(100.0 * guess).min(rest)
    }

    /// The earliest events of the step just made.
    fn events(&mut self, h: f64, (end, slope): (&[f64], &[f64])) -> Result<Seen, Failure> {
        let watched = self.signs.len();
        if watched == 0 {
            return Ok(Seen::Nothing);
        }
        let trouble = |trouble| Failure::NoSlope { t: self.t, trouble };
        let dense = match self.plan.method {
            Method::Dop853 => self.stepper.dense(self.machine, (self.t, &self.y), h, (end, slope)).map_err(trouble)?,
            Method::Rk4 => Dense::hermite(self.t, h, (&self.y, &self.slope), (end, slope)),
        };
        let mut state = vec![0.0; self.y.len()];
        let noise: Vec<f64> = (0..watched).map(|which| self.noise(which, 0.0)).collect();
        let machine = &mut *self.machine;
        let samples = Samples::take(&noise, |theta, list| {
            match theta {
                1.0 => state.copy_from_slice(end),
                _ => dense.at(theta, &mut state),
            }
            machine.watch(dense.t + theta * h, &state, list)
        });
        let Some(samples) = samples.map_err(trouble)? else { return Ok(Seen::TooFast) };
        for (which, seen) in self.seen.iter_mut().enumerate() {
            *seen = seen.max(samples.size(which)).min(1e300);
        }
        let mut fired: Vec<(usize, Crossing)> = Vec::new();
        let mut signs = Vec::with_capacity(watched);
        for which in 0..watched {
            let noise = self.noise(which, samples.size(which));
            let (crossings, sign) = samples.crossings(which, self.signs[which], noise);
            signs.push(sign);
            let direction = self.plan.watches.get(which).map_or(Direction::Any, |watch| watch.direction);
            let is_switch = which >= self.plan.watches.len();
            let counts = |crossing: &&Crossing| match (direction, crossing.rising) {
                (Direction::Any, None) => !is_switch,
                (Direction::Any, Some(_)) => true,
                (Direction::Up, rising) => rising == Some(true),
                (Direction::Down, rising) => rising == Some(false),
            };
            fired.extend(crossings.iter().find(counts).map(|&crossing| (which, crossing)));
        }
        let Some(first) = fired.iter().map(|one| one.1.theta).min_by(f64::total_cmp) else {
            self.signs = signs;
            return Ok(Seen::Nothing);
        };
        fired.retain(|one| one.1.theta <= first + 1e-9);
        Ok(Seen::Events(first, fired, samples))
    }

    /// The state at an event near `span` after the beginning of the step: its time is made better by what the watched
    /// value is there.
    fn land(
        &mut self,
        mut span: f64,
        h: f64,
        fired: &[(usize, Crossing)],
        samples: &Samples,
    ) -> Result<(f64, Vec<f64>), Failure> {
        let (which, crossing) = fired[0];
        let slope = samples.slope(which, crossing.theta) / h;
        let mut state = self.state_after(span)?;
        let mut values = Vec::new();
        for _ in 0..3 {
            let looked = self.machine.watch(self.t + span, &state, &mut values);
            let shift = values.get(which).map_or(0.0, |value| -value / slope);
            let is_small = shift.abs() < 1e-3 * h && (span + shift) >= 0.0;
            if looked.is_err() || crossing.rising.is_none() || !is_small || shift.abs() < f64::EPSILON * self.t.abs() {
                break;
            }
            span += shift;
            state = self.state_after(span)?;
        }
        Ok((span, state))
    }

    /// The state a little later than the beginning of the step.
    fn state_after(&mut self, span: f64) -> Result<Vec<f64>, Failure> {
        let mut state = self.y.clone();
        if span <= 0.0 {
            return Ok(state);
        }
        let from = (self.t, &self.y[..], &self.slope[..]);
        let made = match self.plan.method {
            Method::Dop853 => self.stepper.step(self.machine, from, span, &mut state),
            Method::Rk4 => rk4::step(self.machine, from, span, &mut state),
        };
        made.map_err(|trouble| self.no_slope(trouble))?;
        self.machine.project(self.t + span, &mut state, &self.plan.sizes);
        Ok(state)
    }

    /// States that are wanted before the end of a step.
    fn states_until(&mut self, end: f64, onlooker: &mut dyn Onlooker) -> Result<(), Failure> {
        while let Some(t) = onlooker.next().filter(|&t| t > self.t && t < end) {
            let state = self.state_after(t - self.t)?;
            onlooker.take(self.machine, t, &state).map_err(|trouble| Failure::NoSlope { t, trouble })?;
        }
        Ok(())
    }

    /// States that are wanted now.
    fn look(&mut self, t: f64, onlooker: &mut dyn Onlooker) -> Result<(), Failure> {
        while onlooker.next().is_some_and(|next| next <= t) {
            onlooker.take(self.machine, t, &self.y).map_err(|trouble| Failure::NoSlope { t, trouble })?;
        }
        Ok(())
    }

    /// Signs, switches and slopes after an event.
    fn after(&mut self, fired: &[(usize, Crossing)]) -> Result<(), Failure> {
        let watches = self.plan.watches.len();
        for &(which, crossing) in fired {
            if let Some(rising) = crossing.rising {
                self.signs[which] = if rising { 1 } else { -1 };
            }
            if which >= watches {
                let turned = self.machine.turned(which - watches, self.t, &self.y);
                turned.map_err(|trouble| self.no_slope(trouble))?;
            }
        }
        self.sides();
        // after a switch the step is chosen anew
        if fired.iter().any(|one| one.0 >= watches) {
            (self.h, self.usual) = (None, 0.0);
            self.history.clear();
        }
        let rated = self.machine.rates(self.t, &self.y, &mut self.slope);
        rated.map_err(|trouble| self.no_slope(trouble))
    }
}

/// The polynomial through states with their slopes, and its slope, at a time: Newton's form on doubled points.
fn hermite(points: &[Point], t: f64) -> (Vec<f64>, Vec<f64>) {
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

fn sign(value: f64, noise: f64) -> i8 {
    match value {
        _ if value > noise => 1,
        _ if value < -noise => -1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::hermite;

    #[test]
    fn a_polynomial_of_degree_seven_goes_on_as_it_is() {
        let f = |t: f64| (t.powi(7) - 3.0 * t.powi(4) + t, 7.0 * t.powi(6) - 12.0 * t.powi(3) + 1.0);
        let points: Vec<_> = [0.0, 0.5, 0.7, 1.1].map(|t| (t, vec![f(t).0], vec![f(t).1])).to_vec();
        let (value, slope) = hermite(&points, 1.4);
        assert!((value[0] - f(1.4).0).abs() < 1e-12 && (slope[0] - f(1.4).1).abs() < 1e-11, "{value:?} {slope:?}");
    }
}

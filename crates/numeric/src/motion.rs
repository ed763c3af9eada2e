//! How does a motion go on from a state, and what happens on the way?
//!
//! ```text
//! step → levels → slope → watched values on the dense output → the earliest event → land on it by a step   (1)
//! ```
//!
//! States at given instants are found by a step of their own from the beginning of the step around them, so that they
//! are as exact as the steps, and on the levels.

mod choice;
mod events;
mod memory;
mod singular;

pub use memory::Memory;

use crate::Trouble;
use crate::crossing::{self, Moment};
use crate::event::{Crossing, Lately, Samples};
use crate::guard::Guard;
use crate::integrate::control::{first_step, growth, shrinking};
use crate::integrate::{Dense, End, Field, Method, Stepper};
use crate::machine::Machine;
use choice::Choice;
use events::Seen;
use singular::NEAR;

/// A motion makes at most so many events at one instant.
const MOST_AT_ONCE: usize = 40;

/// After so many tiny steps a motion is given up.
const MOST_CRUMBS: usize = 3000;

/// What lies inside a step.
enum Inside {
    Step(Dense),
    /// The polynomial through these, from a time on, of a length.
    Crossing(Vec<Moment>, f64, f64),
}

impl Inside {
    /// The state at a fraction of the step.
    fn at(&self, theta: f64, to: &mut [f64]) {
        match self {
            Inside::Step(dense) => dense.at(theta, to),
            Inside::Crossing(points, t, h) => to.copy_from_slice(&crossing::hermite(points, t + theta * h)),
        }
    }
}

/// A step that was made: its length, the state and the slope at its end.
type Made = (f64, Vec<f64>, Vec<f64>);

/// A step that was not.
struct Refused {
    /// How wrong it is, infinite if there was none.
    error: f64,
    /// What stood in the way, if it was not the error alone.
    trouble: Option<Trouble>,
}

/// How a motion is computed.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The method.
    pub method: Method,
    /// Whether another may take over where it does better.
    pub is_free: bool,
    /// The relative tolerance.
    pub tolerance: f64,
    /// The natural size of each number of the state: times the tolerance it is the absolute tolerance.
    pub sizes: Vec<f64>,
    /// A fixed step; a method that does not choose its steps needs one.
    pub step: Option<f64>,
    /// What is watched, in the order of the problem.
    pub watches: Vec<Watch>,
    /// Steps that are longer are not made.
    pub longest: f64,
    /// Whether singular instants may be crossed by a step of their own.
    pub crosses: bool,
    /// Whether it shall be possible to go on beyond the end as if there had been none.
    pub keeps: bool,
}

/// Which zeros of a watched value are events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watch {
    /// The direction.
    pub direction: Direction,
    /// The natural size of the value; what is much smaller has no sign.
    pub size: f64,
    /// The sign that a value without one is taken to have had before the motion began; 0 if it had none. So a value that
    /// leaves zero at once crosses it at the first instant.
    pub before: i8,
    /// Whether it may jump.
    pub jumps: Jumps,
    /// Whether it stays above zero where nothing happens: where it had no sign and is clearly negative, it has crossed zero.
    pub is_bounded: bool,
}

/// What is known of jumps of a watched value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jumps {
    /// It has none: what no series follows is looked at in shorter steps.
    Never,
    /// It may jump or pass infinity, and that is no zero.
    Pass,
    /// A change of sign by a jump counts as a zero, as of sign(x).
    Count,
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
    /// The steps became too short: the motion is singular, not smooth, or very fast.
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
    /// Guarded rows have lost their rank, and the onlooker does not let it pass.
    Singular,
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
    stepper: Box<dyn Stepper>,
    /// The signs of watched values and switches, and how large they have been.
    signs: Vec<i8>,
    seen: Vec<f64>,
    /// What they did at the end of the last step.
    lately: Vec<Lately>,
    /// Events without a step between them.
    at_once: usize,
    /// The longest step on which watched values could be followed lately.
    followed: f64,
    /// Steps that were made.
    pub steps: u64,
    /// Steps that were made and thrown away.
    pub rejected: u64,
    /// Steps of these that another method made in place of the one that was asked for, and which.
    pub otherwise: (u64, Option<Method>),
    /// The method that makes steps, and what is known of stiffness.
    choice: Choice,
    /// When other methods took over, and which.
    pub changes: Vec<(f64, Method)>,
    /// Whether a level could not be met after some step.
    pub off_level: bool,
    /// The beginning of the step before.
    previous: Option<Moment>,
    guard: Option<Guard>,
    /// When guarded rows will lose their rank, if they go on as they do; from how far away it was not possible to cross.
    ahead: Option<f64>,
    tried: f64,
    /// The last times, and their least pivots.
    trail: [(f64, f64); 3],
    /// How long steps have been lately.
    usual: f64,
    /// What lies inside the last step if it crosses a singular instant.
    crossed: Option<Vec<Moment>>,
    /// How long the motion is to be, and how many steps were tiny against that and against those before, in a row.
    whole: f64,
    crumbs: usize,
    /// Whether some step was as long as steps may be.
    pub is_limited: bool,
    /// What was remembered before the first step that the end made shorter.
    before_end: Option<Memory>,
}

/// What looks at a motion on its way.
pub trait Onlooker {
    /// The next instant at which a state is wanted, if any.
    fn next(&self) -> Option<f64>;
    /// Takes the state at that instant.
    fn take(&mut self, machine: &mut Machine, t: f64, y: &[f64]) -> Result<(), Trouble>;
    /// Whether the motion goes on through an instant at which guarded rows lose their rank.
    fn passes(&mut self, t: f64, y: &[f64], guard: &Guard) -> bool;
    /// Looks at the state after each step: go on?
    fn goes_on(&mut self, machine: &mut Machine, t: f64, y: &[f64]) -> bool;
}

impl<'m> Motion<'m> {
    /// A motion from a state. Panics if the method does not choose its steps and none is given.
    pub fn new(machine: &'m mut Machine, plan: Plan, t: f64, y: Vec<f64>) -> Result<Motion<'m>, Failure> {
        let n = machine.size();
        let method = plan.method;
        assert!(method.chooses_steps() || plan.step.is_some(), "`{}` needs a step", method.name());
        let mut motion = Motion {
            machine,
            plan,
            t,
            y,
            slope: vec![0.0; n],
            h: None,
            stepper: method.stepper(n),
            signs: Vec::new(),
            seen: Vec::new(),
            lately: Vec::new(),
            at_once: 0,
            followed: f64::INFINITY,
            steps: 0,
            rejected: 0,
            otherwise: (0, None),
            choice: Choice::new(method),
            changes: Vec::new(),
            off_level: false,
            previous: None,
            guard: None,
            ahead: None,
            tried: f64::INFINITY,
            trail: [(f64::NAN, f64::NAN); 3],
            usual: 0.0,
            crossed: None,
            whole: 0.0,
            crumbs: 0,
            is_limited: false,
            before_end: None,
        };
        motion.set_method(method);
        motion.begin()?;
        Ok(motion)
    }

    /// What was remembered before the first step that the end of the motion made shorter, if it was kept and there was one.
    pub fn before_end(&self) -> Option<&Memory> {
        self.before_end.as_ref()
    }

    /// The signs of watched values where the last step ended; 0 if not known.
    pub fn signs(&self) -> &[i8] {
        &self.signs[..self.plan.watches.len()]
    }

    /// The method that makes steps now.
    pub fn method(&self) -> Method {
        self.choice.method
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
        let before = |k: usize| self.plan.watches.get(k).map_or(0, |watch| watch.before);
        let first = |k: usize| match sign(values[k], self.noise(k, values[k].abs())) {
            0 => before(k),
            sign => sign,
        };
        self.signs = (0..values.len()).map(first).collect();
        self.lately = vec![Lately::Nothing; values.len()];
        self.sides();
        let columns = &self.plan.sizes;
        self.guard = self.machine.guarded(t, &self.y).map(|(rows, rank)| Guard::new(rank, rows.rows(), columns));
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
        noise(&self.plan, &self.seen, which, size)
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
            let (h, end, slope) = match self.step(until) {
                Ok(made) => made,
                Err(_) if self.gives_up() => continue,
                Err(failure) => return self.ends_singular(failure, onlooker),
            };
            let lost = self.loses(h, (&end, &slope))?;
            if self.is_near(h, until, lost.as_ref()) {
                continue;
            }
            let seen = self.events(h, (&end, &slope))?;
            if let Some(lost) = lost.filter(|lost| !seen.is_before(lost.0))
                && self.ends_there(h, lost, onlooker)?
            {
                return Ok(Stop::Singular);
            }
            let fired = match seen {
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
            let (span, landed, fired) = self.land(theta * h, h, fired, &samples)?;
            self.states_until(self.t + span, onlooker)?;
            self.at_once = if span > 1e-13 * self.t.abs() { 0 } else { self.at_once + 1 };
            if self.at_once > MOST_AT_ONCE {
                return Err(Failure::TooStiff { t: self.t });
            }
            self.t += span;
            self.y = landed;
            self.after(&fired, &samples)?;
            self.look(self.t, onlooker)?;
            let watches = self.plan.watches.len();
            let fired: Vec<usize> = fired.into_iter().map(|one| one.0).filter(|&which| which < watches).collect();
            if !fired.is_empty() {
                return Ok(Stop::Events(fired));
            }
        }
    }

    /// One accepted step, no longer than up to `until`.
    fn step(&mut self, until: f64) -> Result<Made, Failure> {
        let rest = until - self.t;
        let least = 1e-14 * self.t.abs().max(until.abs()).max(1e-3 * rest.abs());
        self.whole = self.whole.max(rest);
        if self.crumbs > MOST_CRUMBS {
            return Err(Failure::TooStiff { t: self.t });
        }
        let followed = self.followed;
        let mut h = self.wanted(rest);
        if self.plan.keeps && self.before_end.is_none() && h > 0.8 * rest {
            self.keep_before_end(followed);
        }
        self.crossed = None;
        if let Some(away) =
            self.ahead.map(|then| then - self.t).filter(|away| *away > 0.0 && *away < 1.5 * h.max(self.usual))
        {
            if let Some(made) = self.cross(away, rest) {
                return Ok(made);
            }
            if away < NEAR * self.usual {
                return Err(self.no_slope(Trouble::Singular));
            }
            h = h.min(0.7 * away);
        }
        let (mut trouble, mut was_refused) = (None, false);
        loop {
            // no crumb at the end
            let span =
                if h >= rest || (self.plan.step.is_none() && h > 0.9 * rest) || rest - h < least { rest } else { h };
            if span < least && span < rest {
                let t = self.t;
                return Err(trouble.map_or(Failure::TooStiff { t }, |trouble| Failure::NoSlope { t, trouble }));
            }
            let refused = match self.attempt(span) {
                Ok((made, error)) => {
                    let next = span * growth(error, self.stepper.falls(), was_refused);
                    self.h = Some(if span == h || error > 0.1 { next } else { h.max(next) });
                    self.remember(span);
                    self.consider(span, &made.1, &made.2);
                    return Ok(made);
                }
                Err(refused) => refused,
            };
            let is_first = trouble.is_none() && refused.trouble == Some(Trouble::Singular);
            trouble = refused.trouble.or(trouble);
            if is_first
                && span == rest
                && let Some(made) = self.arrive_singular(rest)
            {
                return Ok(made);
            }
            if self.plan.step.is_some() {
                return Err(self.no_slope(trouble.unwrap_or(Trouble::NotFinite)));
            }
            self.count_refused();
            was_refused = true;
            // one node alone may lie where the masses are singular
            h = span * if is_first { ASIDE } else { shrinking(refused.error, self.stepper.falls()) };
        }
    }

    /// Remembers the state before the length of the step was chosen.
    fn keep_before_end(&mut self, followed: f64) {
        let now = std::mem::replace(&mut self.followed, followed);
        self.before_end = Some(self.memory());
        self.followed = now;
    }

    /// The length that the next step should have.
    fn wanted(&mut self, rest: f64) -> f64 {
        if let Some(step) = self.plan.step {
            return step;
        }
        let scale = self.scale(&self.y);
        let from = End { t: self.t, y: &self.y, slope: &self.slope };
        let h = match self.stepper.length(self.machine, from, &scale).or(self.h) {
            Some(h) => h,
            None => {
                let order = self.stepper.falls();
                first_step(self.machine, from, &scale, rest, order)
            }
        };
        self.is_limited |= h.min(self.followed) > self.plan.longest;
        let h = h.min(self.plan.longest).min(self.followed);
        self.followed *= 1.5;
        h
    }

    /// A step of this length, on the levels, with its error.
    fn attempt(&mut self, span: f64) -> Result<(Made, f64), Refused> {
        let n = self.y.len();
        let (mut end, mut slope) = (vec![0.0; n], vec![0.0; n]);
        let from = End { t: self.t, y: &self.y, slope: &self.slope };
        let made = self.stepper.step(self.machine, from, span, &mut end);
        made.map_err(|trouble| Refused { error: f64::INFINITY, trouble: Some(trouble) })?;
        let mut error = match self.plan.step {
            Some(_) => 0.0,
            None => self.stepper.error(span, &self.scale(&end)).unwrap_or(f64::INFINITY),
        };
        if error <= 1.0 {
            error = error.max(self.put_on_levels(span, &mut end));
        }
        if error.is_nan() || error > 1.0 {
            return Err(Refused { error, trouble: None });
        }
        if let Err(trouble) = self.machine.rates(self.t + span, &end, &mut slope) {
            return Err(Refused { error, trouble: Some(trouble) });
        }
        if self.plan.step.is_none() {
            let defect = self.stepper.defect(span, &slope, &self.scale(&end));
            if defect.is_nan() || defect > 1.0 {
                return Err(Refused { error: defect, trouble: None });
            }
        }
        Ok(((span, end, slope), error))
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
        self.steps += 1;
        if let Some(other) = self.stepper.instead() {
            self.otherwise = (self.otherwise.0 + 1, Some(other));
        }
        // tiny against the motion, and once also against the steps before: a long motion of even steps goes on
        let is_crumb = span < 1e-8 * self.whole && (self.crumbs > 0 || span < 1e-3 * self.usual);
        self.crumbs = if is_crumb { self.crumbs + 1 } else { 0 };
        self.usual = span.max(0.97 * self.usual);
        self.previous = Some((self.t, self.y.clone(), self.slope.clone()));
    }

    /// What a step may be wrong by: a tenth of the tolerance, so that many steps together keep it.
    fn scale(&self, end: &[f64]) -> Vec<f64> {
        let sizes = self.plan.sizes.iter().zip(self.y.iter().zip(end));
        sizes.map(|(size, (y, end))| 0.1 * self.plan.tolerance * size.max(y.abs()).max(end.abs())).collect()
    }

    /// What lies inside the step just made.
    fn inside(&mut self, h: f64, (end, slope): (&[f64], &[f64])) -> Result<Inside, Failure> {
        if let Some(points) = &self.crossed {
            return Ok(Inside::Crossing(points.clone(), self.t, h));
        }
        let from = End { t: self.t, y: &self.y, slope: &self.slope };
        let to = End { t: self.t + h, y: end, slope };
        let inside = self.stepper.inside(self.machine, from, h, to);
        inside.map(Inside::Step).map_err(|trouble| self.no_slope(trouble))
    }

    /// The state a little later than the beginning of the step.
    fn state_after(&mut self, span: f64) -> Result<Vec<f64>, Failure> {
        let mut state = self.y.clone();
        if span <= 0.0 {
            return Ok(state);
        }
        if let Some(points) = &self.crossed {
            state = crossing::hermite(points, self.t + span);
        } else {
            let from = End { t: self.t, y: &self.y, slope: &self.slope };
            if self.stepper.step(self.machine, from, span, &mut state).is_err() {
                state = self.state_before(span)?;
            }
        }
        self.machine.project(self.t + span, &mut state, &self.plan.sizes);
        Ok(state)
    }

    /// The state after a part of a step at whose end there is no slope: from a little before, along the slope there.
    fn state_before(&mut self, span: f64) -> Result<Vec<f64>, Failure> {
        let (t, mut slope) = (self.t + span, self.slope.clone());
        let from = End { t: self.t, y: &self.y, slope: &self.slope };
        let mut trouble = Trouble::Singular;
        for before in [1e-9, 1e-7, 1e-5, 1e-4] {
            let (short, mut state) = (span * (1.0 - before), self.y.clone());
            let made = self.stepper.step(self.machine, from, short, &mut state);
            match made.and_then(|_| self.machine.rates(self.t + short, &state, &mut slope)) {
                Ok(()) => {
                    state.iter_mut().zip(&slope).for_each(|(y, slope)| *y += (span - short) * slope);
                    return Ok(state);
                }
                Err(why) => trouble = why,
            }
        }
        Err(Failure::NoSlope { t, trouble })
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
    fn after(&mut self, fired: &[(usize, Crossing)], samples: &Samples) -> Result<(), Failure> {
        self.stepper.forget();
        let watches = self.plan.watches.len();
        let mut values = Vec::new();
        if self.machine.watch(self.t, &self.y, &mut values).is_ok() {
            self.arrive(samples, &values);
        }
        fired.iter().for_each(|one| self.lately[one.0] = Lately::Told);
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
            (self.h, self.previous, self.ahead) = (None, None, None);
        }
        let rated = self.machine.rates(self.t, &self.y, &mut self.slope);
        rated.map_err(|trouble| self.no_slope(trouble))
    }
}

/// After a step with a node where nothing is determined one of this part of its length is tried.
const ASIDE: f64 = 0.7;

/// What is smaller has no sign: of a watched value that has been so large.
fn noise(plan: &Plan, seen: &[f64], which: usize, size: f64) -> f64 {
    let natural = plan.watches.get(which).map_or(0.0, |watch| watch.size);
    let seen = seen.get(which).copied().unwrap_or(0.0);
    1e-14 * natural.max(seen) + 1e-13 * size
}

fn sign(value: f64, noise: f64) -> i8 {
    match value {
        _ if value > noise => 1,
        _ if value < -noise => -1,
        _ => 0,
    }
}

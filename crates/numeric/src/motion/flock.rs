//! How do several motions of one problem go on side by side, each with steps of its own?
//!
//! ```text
//! lane k:  (t, y, h)ₖ → one step of all lanes at once → accepted or refused, hₖ chosen anew → …
//! a lane whose motion is over takes the next one
//! ```
//!
//! Every number is that of the motion by itself, to the bit: the line of a step has the operations of its stages, and the length
//! of steps follows the same rules (`motion.rs`, `choice.rs`). What is not plain here, such as a step that needs the tape or looks
//! stiff, is left to the motion by itself.

use jit::WIDE;

use super::choice::{QUIET, SIGNS, STIFF};
use super::{MOST_CRUMBS, Memory, Motion, Plan};
use crate::integrate::control::{first_step, growth, shrinking};
use crate::integrate::dop853::{self, TABLE};
use crate::integrate::{End, Method};
use crate::leap::{Landed, Leaps};
use crate::machine::Machine;

/// The powers with which errors fall.
const FALLS: u32 = 8;

/// A motion that is about to start: its plan, time and state.
pub struct Start {
    /// How it is computed.
    pub plan: Plan,
    /// The time.
    pub t: f64,
    /// The state.
    pub y: Vec<f64>,
}

/// How far a motion has come: to its end.
#[derive(Clone, Debug)]
pub struct Ahead {
    /// What is needed to go on there.
    pub memory: Memory,
    /// The largest size of each number of the state where a step begins.
    pub most: Vec<f64>,
    /// How often slopes were computed.
    pub evaluations: u64,
}

/// A motion in a lane.
struct Lane {
    which: usize,
    start: Start,
    t: f64,
    y: Vec<f64>,
    slope: Vec<f64>,
    h: Option<f64>,
    first: f64,
    /// The step at hand: its length, what it was before the end made it another, whether it was refused before.
    span: f64,
    wanted: f64,
    was_refused: bool,
    steps: u64,
    rejected: u64,
    usual: f64,
    whole: f64,
    crumbs: usize,
    trail: [(f64, f64); 3],
    signs: u32,
    others: u32,
    previous: Option<(f64, Vec<f64>, Vec<f64>)>,
    most: Vec<f64>,
}

/// What becomes of a lane.
enum Fate {
    GoesOn,
    /// It is at its end, or left to itself.
    Ends(Option<()>),
}

/// Whether motions of this problem may go side by side by this plan at all.
fn is_plain(motion: &Motion<'_>) -> bool {
    let plan = &motion.plan;
    let is_free = plan.method == Method::Dop853 && plan.step.is_none() && !plan.keeps;
    is_free && motion.signs.is_empty() && motion.guard.is_none() && !motion.machine.has_levels()
}

/// Goes on with all of these until a time. Nothing for those that must go by themselves, and for all if somebody wishes to stop.
pub fn advance(
    machine: &mut Machine,
    starts: Vec<Start>,
    until: f64,
    goes_on: &mut dyn FnMut() -> bool,
) -> Vec<Option<Ahead>> {
    let mut found: Vec<Option<Ahead>> = starts.iter().map(|_| None).collect();
    // a problem with switches is not plain: the same line serves for good
    let Some(mut leaps) = machine.lanes.take().or_else(|| Leaps::new(&machine.source(), &TABLE)) else { return found };
    let mut waiting = starts.into_iter().enumerate();
    let mut lanes: [Option<Lane>; WIDE] = [const { None }; WIDE];
    loop {
        for (place, lane) in lanes.iter_mut().enumerate() {
            while lane.is_none() {
                let Some((which, start)) = waiting.next() else { break };
                *lane = Lane::new(machine, which, start, until).and_then(|mut lane| lane.aims(until).then_some(lane));
                if let Some(lane) = lane {
                    leaps.take(place, 0.1 * lane.start.plan.tolerance, &lane.start.plan.sizes);
                    leaps.put(place, lane.end());
                }
            }
            if let Some(lane) = lane {
                leaps.step(place, lane.span);
            }
        }
        if lanes.iter().all(Option::is_none) || !goes_on() {
            machine.lanes = Some(leaps);
            return found;
        }
        leaps.run();
        for (place, slot) in lanes.iter_mut().enumerate() {
            let Some(lane) = slot else { continue };
            let before = lane.steps;
            let fate = match leaps.landed(place) {
                Some(landed) => lane.lands(&landed, until),
                None => Fate::Ends(None),
            };
            if lane.steps > before {
                leaps.put(place, lane.end());
            }
            if let Fate::Ends(end) = fate
                && let Some(lane) = slot.take()
            {
                let which = lane.which;
                found[which] = end.and_then(|()| lane.ahead(machine));
            }
        }
    }
}

impl Lane {
    /// A motion takes a lane; nothing if it must go by itself.
    fn new(machine: &mut Machine, which: usize, start: Start, until: f64) -> Option<Lane> {
        let motion = Motion::new(machine, start.plan.clone(), start.t, start.y.clone()).ok()?;
        if !is_plain(&motion) {
            return None;
        }
        let (scale, rest) = (motion.scale(&motion.y), until - motion.t);
        let (y, slope) = (motion.y.clone(), motion.slope.clone());
        let from = End { t: start.t, y: &y, slope: &slope };
        let first = first_step(motion.machine, from, &scale, rest, FALLS);
        Some(Lane {
            which,
            t: start.t,
            most: vec![0.0; y.len()],
            y,
            slope,
            h: None,
            first,
            span: 0.0,
            wanted: 0.0,
            was_refused: false,
            steps: 0,
            rejected: 0,
            usual: 0.0,
            whole: 0.0,
            crumbs: 0,
            trail: [(f64::NAN, f64::NAN); 3],
            signs: 0,
            others: 0,
            previous: None,
            start,
        })
    }

    /// Chooses the next step; false if the motion must go by itself.
    fn aims(&mut self, until: f64) -> bool {
        self.most.iter_mut().zip(&self.y).for_each(|(most, y)| *most = most.max(y.abs()));
        let rest = until - self.t;
        self.whole = self.whole.max(rest);
        self.wanted = self.h.unwrap_or(self.first).min(self.start.plan.longest);
        self.was_refused = false;
        self.crumbs <= MOST_CRUMBS && self.fits(until)
    }

    /// The length of the step at hand, without a crumb at the end; false if it is too short.
    fn fits(&mut self, until: f64) -> bool {
        let (rest, h) = (until - self.t, self.wanted);
        let least = 1e-14 * self.t.abs().max(until.abs()).max(1e-3 * rest.abs());
        self.span = if h >= rest || h > 0.9 * rest || rest - h < least { rest } else { h };
        self.span >= least || self.span >= rest
    }

    fn end(&self) -> End<'_> {
        End { t: self.t, y: &self.y, slope: &self.slope }
    }

    /// Accepts a step or refuses it.
    fn lands(&mut self, landed: &Landed<'_>, until: f64) -> Fate {
        let (span, [five, three, turn, away]) = (self.span, landed.sums());
        let error = dop853::error(span, five, three, self.y.len());
        if error.is_nan() || error > 1.0 {
            self.rejected += 1;
            self.was_refused = true;
            self.wanted = span * shrinking(error, FALLS);
            return if self.fits(until) { Fate::GoesOn } else { Fate::Ends(None) };
        }
        let next = span * growth(error, FALLS, self.was_refused);
        self.h = Some(if span == self.wanted || error > 0.1 { next } else { self.wanted.max(next) });
        self.steps += 1;
        let is_crumb = span < 1e-8 * self.whole && (self.crumbs > 0 || span < 1e-3 * self.usual);
        self.crumbs = if is_crumb { self.crumbs + 1 } else { 0 };
        self.usual = span.max(0.97 * self.usual);
        let n = self.y.len();
        let (mut y, mut slope) = (Vec::new(), Vec::new());
        if let Some((_, old, before)) = self.previous.take() {
            (y, slope) = (old, before);
        }
        y.clear();
        y.extend((0..n).map(|j| landed.end(j)));
        slope.clear();
        slope.extend((0..n).map(|j| landed.slope(j)));
        if self.start.plan.is_free && self.looks_stiff(turn, away) {
            return Fate::Ends(None);
        }
        let last = self.t;
        self.trail = [self.trail[1], self.trail[2], (last + span, f64::NAN)];
        std::mem::swap(&mut self.y, &mut y);
        std::mem::swap(&mut self.slope, &mut slope);
        self.previous = Some((last, y, slope));
        self.t = if last + span >= until - 1e-15 * until.abs() { until } else { last + span };
        if self.t >= until {
            return Fate::Ends(Some(()));
        }
        if self.aims(until) { Fate::GoesOn } else { Fate::Ends(None) }
    }

    /// Counts signs of stiffness; so many, and the motion by itself may take another method.
    fn looks_stiff(&mut self, turn: f64, away: f64) -> bool {
        match dop853::fastest(self.span, turn, away) {
            Some(found) if found > STIFF => (self.signs, self.others) = (self.signs + 1, 0),
            _ => self.others = self.others.saturating_add(1),
        }
        if self.others >= QUIET {
            self.signs = 0;
        }
        self.signs >= SIGNS
    }

    /// What the motion by itself would remember here.
    fn ahead(self, machine: &mut Machine) -> Option<Ahead> {
        let mut motion = Motion::new(machine, self.start.plan, self.start.t, self.start.y).ok()?;
        motion.is_limited = false;
        (motion.t, motion.y, motion.slope, motion.h) = (self.t, self.y, self.slope, self.h);
        (motion.steps, motion.rejected) = (self.steps, self.rejected);
        (motion.usual, motion.whole, motion.crumbs, motion.trail) = (self.usual, self.whole, self.crumbs, self.trail);
        (motion.choice.signs, motion.choice.others) = (self.signs, self.others);
        motion.previous = self.previous;
        let stages = TABLE.a.len() as u64;
        // a step that is accepted has the slope at its end too
        let evaluations = 1 + stages * self.steps + (stages - 1) * self.rejected;
        Some(Ahead { memory: motion.memory(), most: self.most, evaluations })
    }
}

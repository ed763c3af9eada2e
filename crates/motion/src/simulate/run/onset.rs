//! How do slips begin that have a direction and no speed yet?
//!
//! ```text
//! s' = α₀ + (α₁ − α₀) t/h        slips at rest: α₀ here, α₁ where contacts were looked at, h later             (1)
//! s(δ) = v                       v small, but so large that its direction can be followed: δ from (1)         (2)
//! q' + a δ,  q + a δ²/2          and what (1) adds to it: the state at δ, from which the motion goes on       (3)
//! ```
//!
//! From rest nothing is added to the motion by this but what is of higher order in δ. Where something moves already, or
//! where δ is long or an instant that is wanted lies in it, the slips get v at once: the motion is then right to v.

use linear::vector::length;
use mechanics::friction::{Grip, Rough, Slip};
use mechanics::{Held, Mode};

use super::{Leg, Run};
use dynamics::Touching;

/// Rates that are smaller, against their natural sizes, are rest.
const REST: f64 = 1e-13;
/// δ is at most this part of the time of the run.
const LONGEST: f64 = 1e-3;

impl Run<'_, '_> {
    /// Gives slips that begin a speed.
    pub(super) fn begin_slips(&mut self, leg: &Leg, touching: &Touching, slow: &dyn Fn(&Rough) -> f64) {
        let begun = begun(&leg.mode, touching, slow);
        let speed = |gap: usize| begun.speeds.iter().find(|one| one.0 == gap).map(|one| one.1.clone());
        let Some((delta, kept)) = self.delay(leg, &begun) else { return self.nudge(&leg.mode, &leg.at, &speed) };
        let (loaded, n) = (self.loaded(), kept.len());
        let before = self.state.y.clone();
        self.state.t += delta;
        self.state.kick(&kept.iter().map(|a| a * delta).collect::<Vec<f64>>());
        let at = self.state.at(loaded);
        let missing = |gap: usize| {
            let held = leg.mode.held.iter().find(|held| held.rough.gap == gap)?;
            let now = held.rough.slips.iter().map(|slip| at.value(slip.1));
            Some(speed(gap)?.iter().zip(now).map(|(wanted, now)| wanted - now).collect())
        };
        self.nudge(&leg.mode, &at, &missing);
        for k in 0..n {
            let (steady, gained) = (kept[k] * delta, self.state.y[n + k] - before[n + k]);
            self.state.y[k] += delta * (before[n + k] + steady / 2.0 + (gained - steady) / 3.0);
        }
    }

    /// δ of (2), and the accelerations; nothing if something moves already, or δ is no short time of its own.
    fn delay(&self, leg: &Leg, begun: &Begun) -> Option<(f64, Vec<f64>)> {
        let system = &self.loaded().system;
        let n = system.coordinates.len();
        let moves = |k: usize| {
            let rate = system.coordinates[k].q_dot;
            leg.at.value(rate).abs() > REST * mechanics::standing::natural_rate(system, rate, &leg.at)
        };
        if (0..n).any(moves) || begun.pace <= 0.0 {
            return None;
        }
        let numbers = &leg.solved.as_ref()?.numbers.accelerations;
        let own = |k: usize| numbers.iter().find(|one| one.0 == system.coordinates[k].q_ddot).map(|one| one.1);
        let kept: Vec<f64> = (0..n).map(own).collect::<Option<_>>()?;
        let rates: Vec<_> = system.coordinates.iter().map(|c| c.q_dot).zip(kept.iter().copied()).collect();
        // slips are linear in the rates: at rest their slopes are the slips of the accelerations
        let at = leg.at.with(&rates);
        let fastest = leg.mode.held.iter().find(|held| held.rough.gap == begun.first)?;
        let here = length(&fastest.rough.slips.iter().map(|slip| at.value(slip.1)).collect::<Vec<f64>>());
        let (v, later) = (length(&begun.speeds.iter().find(|one| one.0 == begun.first)?.1), begun.acceleration);
        let delta = match self.looked {
            // v = α₀ δ + (α₁ − α₀) δ²/(2 h)
            Some(h) if h > 0.0 => {
                let bend = (later - here) / h;
                let root = (here * here + 2.0 * bend * v).sqrt();
                2.0 * v / (here + root)
            }
            _ => v / here,
        };
        let until = self.state.t + delta;
        let is_free = self.log.times.front().is_none_or(|time| *time > until) && until < self.span.1;
        let is_short = delta > 0.0 && delta <= LONGEST * (self.span.1 - self.span.0);
        (is_short && is_free).then_some((delta, kept))
    }
}

/// Slips that begin.
struct Begun {
    /// Their speeds, by gap.
    speeds: Vec<(usize, Vec<f64>)>,
    /// The gap of the fastest, its acceleration, and that by unit of its speed.
    first: usize,
    acceleration: f64,
    pace: f64,
}

/// The speeds with which contacts begin to slip: as their accelerations are to each other, the fastest with the speed
/// that is wished.
fn begun(mode: &Mode, touching: &Touching, slow: &dyn Fn(&Rough) -> f64) -> Begun {
    let starting = mode.held.iter().filter_map(|held| match held.grip {
        Grip::Slides(_, Slip::Toward(direction)) => Some((held, direction)),
        _ => None,
    });
    let place = |gap: usize| touching.contacts.iter().position(|touched| touched.rough.gap == gap);
    let starting: Vec<_> = starting
        .filter_map(|(held, direction)| Some((held, direction, place(held.rough.gap)?)))
        .filter(|(_, _, place)| !touching.contacts[*place].is_slipping)
        .collect();
    let starts = touching.courses.first().map_or(&[][..], |course| &course.starts[..]);
    let start = |d: [f64; 2], place: usize| starts.get(place).map_or(d.to_vec(), Vec::clone);
    let pace = |one: &(&Held, [f64; 2], usize)| length(&start(one.1, one.2)) / slow(&one.0.rough);
    let fastest = starting.iter().max_by(|a, b| pace(a).total_cmp(&pace(b)));
    let most = fastest.map_or(0.0, &pace);
    let speeds = |d: [f64; 2], place: usize| start(d, place).iter().map(|a| a / most).collect();
    Begun {
        speeds: starting.iter().map(|&(held, d, place)| (held.rough.gap, speeds(d, place))).collect(),
        first: fastest.map_or(0, |one| one.0.rough.gap),
        acceleration: fastest.map_or(0.0, |one| length(&start(one.1, one.2))),
        pace: if starts.is_empty() { 0.0 } else { most },
    }
}

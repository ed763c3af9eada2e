//! Which watched values come to zero on a step, and where exactly?
//!
//! ```text
//! watched values as series on the step → zeros and touches → the earliest → a step that ends there        (1)
//! ```
//!
//! What comes to zero exactly where a step ends is told with the next one, once it is known whether it turns there.

use std::cmp::Ordering;

use super::{Direction, Failure, Jumps, Motion, Plan};
use crate::Trouble;
use crate::event::{Before, Crossing, Lately, Samples, THERE};
use crate::integrate::{End, Field};

/// A change of sign is looked at so far ahead, against the step.
const AHEAD: f64 = 0.01;
/// Values that no series follows are looked at place by place on steps that are shorter than this. Scale: a usual step.
const ROUGH: f64 = 1e-3;
/// What is bounded by zero, began without a sign or beyond it by rounding, and is beyond it by more than this, or than
/// the tolerance, has crossed it. Scale: its natural size.
const BEYOND: f64 = 1e-9;
/// So many parts are looked at then.
const PARTS: u8 = 8;
/// Steps that are shorter than this, against the whole motion or a thousand usual steps, are not made shorter to see
/// better.
const TINY: f64 = 1e-7;

/// What was seen on a step.
pub(super) enum Seen {
    Nothing,
    /// Watched values change too fast for so long a step.
    TooFast,
    /// Where, as a fraction of the step; which with their crossings; what they were found in.
    Events(f64, Vec<(usize, Crossing)>, Samples),
}

impl Seen {
    /// Whether something is seen before this fraction of the step, or the step is not taken at all.
    pub(super) fn is_before(&self, theta: f64) -> bool {
        match self {
            Seen::Nothing => false,
            Seen::TooFast => true,
            Seen::Events(first, ..) => *first < theta,
        }
    }
}

/// Watched values at a fraction of a step.
type Look<'a> = dyn FnMut(f64, &mut Vec<f64>) -> Result<(), Trouble> + 'a;

/// Where a judged value falls through zero on a step, and its sign at the end. It is looked at in quarters: it may have
/// corners, so that no series follows it.
fn falling(look: &mut Look<'_>, which: usize, before: i8, noise: f64) -> Result<(Vec<Crossing>, i8), Trouble> {
    let mut list = Vec::new();
    let mut value = |theta: f64| {
        look(theta, &mut list)?;
        Ok::<f64, Trouble>(list[which])
    };
    let (mut last, mut sign) = (0.0, before);
    for theta in [0.25, 0.5, 0.75, 1.0] {
        let now = value(theta)?;
        if now < -noise && sign >= 0 {
            let (mut low, mut high) = (last, theta);
            for _ in 0..50 {
                let middle = 0.5 * (low + high);
                if value(middle)? > 0.0 { low = middle } else { high = middle }
            }
            return Ok((vec![Crossing { theta: high, rising: Some(false), jumps: false }], -1));
        }
        if now.abs() > noise {
            sign = if now > 0.0 { 1 } else { -1 };
        }
        last = theta;
    }
    Ok((Vec::new(), sign))
}

/// Where an event is, after the beginning of its step, the state there, and what else happens there.
type Landed = (f64, Vec<f64>, Vec<(usize, Crossing)>);

/// Where a value that no series follows changes its sign on a short step, and its sign at the end.
fn walked(look: &mut Look<'_>, which: usize, before: Before, noise: f64) -> Result<(Vec<Crossing>, i8), Trouble> {
    let mut list = Vec::new();
    let mut side = |theta: f64| {
        look(theta, &mut list)?;
        let value = list[which];
        Ok::<i8, Trouble>(i8::from(value > noise) - i8::from(value < -noise))
    };
    let (mut last, mut sign, mut found) = (0.0, before.sign, Vec::new());
    // the instant that was told is known to rounding alone
    for part in u8::from(before.lately == Lately::Told)..=PARTS {
        let theta = f64::from(part) / f64::from(PARTS);
        let now = side(theta)?;
        if now != 0 && sign != 0 && now != sign {
            let (mut low, mut high) = (last, theta);
            for _ in 0..50 {
                let middle = 0.5 * (low + high);
                if side(middle)? == now { high = middle } else { low = middle }
            }
            found.push(Crossing { theta: high, rising: Some(now > 0), jumps: false });
        }
        sign = if now == 0 { sign } else { now };
        last = theta;
    }
    Ok((found, sign))
}

/// Where a value that no series follows touches zero on a short step, as |x| does.
fn touched(look: &mut Look<'_>, which: usize, before: Before, noise: f64) -> Result<Vec<Crossing>, Trouble> {
    let mut list = Vec::new();
    let mut size = |theta: f64| {
        look(theta, &mut list)?;
        Ok::<f64, Trouble>(list[which].abs())
    };
    let place = |part: u8| f64::from(part) / f64::from(PARTS);
    let sizes: Vec<f64> = (0..=PARTS).map(|part| size(place(part))).collect::<Result<_, _>>()?;
    let mut found = Vec::new();
    for part in 1 + u8::from(before.lately == Lately::Told)..PARTS {
        let k = usize::from(part);
        if sizes[k] > sizes[k - 1] || sizes[k] >= sizes[k + 1] {
            continue;
        }
        let (mut low, mut high) = (place(part - 1), place(part + 1));
        for _ in 0..100 {
            let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if size(left)? <= size(right)? { high = right } else { low = left }
        }
        let theta = 0.5 * (low + high);
        if size(theta)? <= THERE * noise {
            found.push(Crossing { theta, rising: None, jumps: false });
        }
    }
    Ok(found)
}

/// Whether a value that changes its sign jumps there, or passes infinity: near a zero it becomes smaller.
fn jumps(look: &mut Look<'_>, which: usize, theta: f64, noise: f64) -> Result<bool, Trouble> {
    const NEAR: f64 = 1e-9;
    const FAR: f64 = 1e-6;
    let mut list = Vec::new();
    for side in [-1.0, 1.0] {
        let [near, far] = [NEAR, FAR].map(|step| theta + side * step);
        if !(0.0..=1.0).contains(&far) {
            continue;
        }
        let mut sizes = [0.0; 2];
        for (size, theta) in sizes.iter_mut().zip([near, far]) {
            look(theta, &mut list)?;
            *size = list[which].abs();
        }
        if sizes[0] <= THERE * noise || sizes[0] <= 0.5 * sizes[1] {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The changes of sign of a watched value on a step, and its sign at the end.
fn followed(
    look: &mut Look<'_>,
    which: usize,
    (before, noise): (Before, f64),
    samples: &Samples,
    plan: &Plan,
) -> Result<(Vec<Crossing>, i8), Trouble> {
    let mut found = |before: Before| match samples.rough[which] {
        true => walked(look, which, before, noise),
        false => Ok(samples.crossings(which, before, noise)),
    };
    let (mut list, sign) = found(before)?;
    let is_beyond = plan.watches.get(which).is_some_and(|watch| {
        let depth = (BEYOND.max(plan.tolerance) * watch.size).max(THERE * noise);
        watch.is_bounded && samples.ends(which)[1] < -depth
    });
    if is_beyond && before.sign <= 0 && list.is_empty() {
        list = found(Before { sign: 1, ..before })?.0;
    }
    if samples.rough[which] && list.is_empty() {
        list = touched(look, which, before, noise)?;
    }
    if plan.watches.get(which).is_some_and(|watch| watch.jumps != Jumps::Never) {
        for one in list.iter_mut().filter(|one| one.rising.is_some()) {
            one.jumps = jumps(look, which, one.theta, noise)?;
        }
    }
    Ok((list, sign))
}

/// Whether a zero of a watched value, or of a switch, is an event.
fn counts(plan: &Plan, which: usize, crossing: &Crossing) -> bool {
    let Some(watch) = plan.watches.get(which) else { return crossing.rising.is_some() };
    match watch.direction {
        Direction::Any => !crossing.jumps || watch.jumps == Jumps::Count,
        Direction::Up => crossing.rising == Some(true),
        Direction::Down => crossing.rising == Some(false),
    }
}

impl Motion<'_> {
    /// The earliest events of the step just made.
    pub(super) fn events(&mut self, h: f64, (end, slope): (&[f64], &[f64])) -> Result<Seen, Failure> {
        let watched = self.signs.len();
        if watched == 0 {
            return Ok(Seen::Nothing);
        }
        let (start, inside) = (self.t, self.inside(h, (end, slope))?);
        let trouble = |trouble| Failure::NoSlope { t: start, trouble };
        let mut state = vec![0.0; self.y.len()];
        let noise: Vec<f64> = (0..watched).map(|which| self.noise(which, 0.0)).collect();
        let judged = self.machine.judged();
        let machine = &mut *self.machine;
        let mut look = |theta: f64, list: &mut Vec<f64>| {
            match theta {
                1.0 => state.copy_from_slice(end),
                _ => inside.at(theta, &mut state),
            }
            machine.watch(start + theta * h, &state, list)
        };
        let samples = Samples::take(&noise, |theta, list| {
            look(theta, list)?;
            // what is judged has corners
            list[judged.clone()].fill(1.0);
            Ok(())
        });
        let samples = samples.map_err(trouble)?;
        let is_smooth = |which: usize| self.plan.watches.get(which).is_none_or(|one| one.jumps == Jumps::Never);
        let is_long = |which: usize| h > ROUGH * self.usual || is_smooth(which);
        if self.plan.step.is_none() && (0..watched).any(|which| samples.rough[which] && is_long(which)) {
            return Ok(Seen::TooFast);
        }
        let fall = |which: usize| falling(&mut look, which, self.signs[which], noise[which]);
        let falls: Vec<_> = judged.clone().map(fall).collect::<Result<_, _>>().map_err(trouble)?;
        for (which, seen) in self.seen.iter_mut().enumerate() {
            // near infinity nothing is said of its size
            let size = if samples.rough[which] { 0.0 } else { samples.size(which) };
            *seen = seen.max(size).min(1e300);
        }
        let (mut fired, mut signs): (Vec<(usize, Crossing)>, _) = (Vec::new(), Vec::with_capacity(watched));
        for which in 0..watched {
            let size = if samples.rough[which] { 0.0 } else { samples.size(which) };
            let noise = super::noise(&self.plan, &self.seen, which, size);
            let before = Before { sign: self.signs[which], lately: self.lately[which] };
            let (crossings, sign) = match judged.contains(&which) {
                true => falls[which - judged.start].clone(),
                false => followed(&mut look, which, (before, noise), &samples, &self.plan).map_err(trouble)?,
            };
            signs.push(sign);
            let counts = crossings.into_iter().find(|crossing| counts(&self.plan, which, crossing));
            fired.extend(counts.map(|crossing| (which, crossing)));
        }
        let Some(first) = fired.iter().map(|one| one.1.theta).min_by(f64::total_cmp) else {
            let lasts: Vec<f64> = (0..watched).map(|which| samples.ends(which)[1]).collect();
            self.arrive(&samples, &lasts);
            self.signs = signs;
            return Ok(Seen::Nothing);
        };
        fired.retain(|one| one.1.theta <= first + 1e-9);
        let is_sure = self.plan.step.is_some() || self.are_real(h, &fired, &samples, &signs)?;
        Ok(if is_sure { Seen::Events(first, fired, samples) } else { Seen::TooFast })
    }

    /// Whether all of these are real.
    fn are_real(
        &mut self,
        h: f64,
        fired: &[(usize, Crossing)],
        samples: &Samples,
        signs: &[i8],
    ) -> Result<bool, Failure> {
        for &one in fired {
            if !self.is_real(h, one, samples, signs[one.0])? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a change of sign is one of the motion, and not of the polynomial that stands for it inside the step or of the error
    /// of the step: after a step of its own to the place the value does not move the other way, and the sign is still there at
    /// the end of the step, or where the value is largest, after one step and after two. Where steps are tiny anyway, it is taken
    /// as it is.
    fn is_real(
        &mut self,
        h: f64,
        (which, crossing): (usize, Crossing),
        samples: &Samples,
        last: i8,
    ) -> Result<bool, Failure> {
        let Some(rising) = crossing.rising.filter(|_| !crossing.jumps) else { return Ok(true) };
        let is_plain = which < self.plan.watches.len() && !self.machine.judged().contains(&which);
        if !is_plain || self.crossed.is_some() || h < TINY * self.whole.min(1e3 * self.usual) {
            return Ok(true);
        }
        let (sign, noise) = (if rising { 1.0 } else { -1.0 }, self.noise(which, samples.size(which)));
        let (t, state) = (self.t + crossing.theta * h, self.state_after(crossing.theta * h)?);
        if let Some(moves) = self.moves(which, t, &state, AHEAD * h)
            && sign * moves < -noise
        {
            return Ok(false);
        }
        let peak = if f64::from(last) == sign { Some(1.0) } else { samples.peak(which, crossing.theta, sign) };
        let Some(peak) = peak else { return Ok(true) };
        let span = peak * h;
        let state = self.state_after(span)?;
        let Some(once) = self.seen_at(which, self.t + span, &state) else { return Ok(true) };
        if sign * once <= noise {
            return Ok(false);
        }
        // a value that two shorter steps change by as much as it is has no sign yet
        let Some(state) = self.state_in_two(span) else { return Ok(true) };
        let twice = self.seen_at(which, self.t + span, &state).unwrap_or(once);
        Ok((once - twice).abs() < 0.5 * once.abs())
    }

    fn seen_at(&mut self, which: usize, t: f64, state: &[f64]) -> Option<f64> {
        let mut values = Vec::new();
        self.machine.watch(t, state, &mut values).ok()?;
        values.get(which).copied()
    }

    /// The state a little later than the beginning of the step, by two steps.
    fn state_in_two(&mut self, span: f64) -> Option<Vec<f64>> {
        let (t, middle) = (self.t + 0.5 * span, self.state_after(0.5 * span).ok()?);
        let (mut slope, mut end) = (vec![0.0; middle.len()], middle.clone());
        self.machine.rates(t, &middle, &mut slope).ok()?;
        let from = End { t, y: &middle, slope: &slope };
        self.stepper.step(self.machine, from, 0.5 * span, &mut end).ok()?;
        self.machine.project(self.t + span, &mut end, &self.plan.sizes);
        Some(end)
    }

    /// By how much a watched value changes in a time along the slope of a state; nothing where that has no value.
    fn moves(&mut self, which: usize, t: f64, state: &[f64], time: f64) -> Option<f64> {
        let (mut slope, mut values) = (vec![0.0; state.len()], Vec::new());
        self.machine.rates(t, state, &mut slope).ok()?;
        self.machine.watch(t, state, &mut values).ok()?;
        let before = values[which];
        let ahead: Vec<f64> = state.iter().zip(&slope).map(|(y, slope)| y + time * slope).collect();
        self.machine.watch(t + time, &ahead, &mut values).ok()?;
        Some(values[which] - before).filter(|change| change.is_finite())
    }

    /// Notes what has come to zero with a step that ends with these values, and has not left it yet.
    pub(super) fn arrive(&mut self, samples: &Samples, lasts: &[f64]) {
        for (which, last) in lasts.iter().enumerate() {
            let (noise, last) = (self.noise(which, samples.size(which)), last.abs());
            let comes = samples.ends(which)[0].abs() > THERE * noise && last <= THERE * noise;
            let stays = self.lately[which] == Lately::Came && last <= 1e3 * noise;
            self.lately[which] = if comes || stays { Lately::Came } else { Lately::Nothing };
        }
    }

    /// The state at an event near `span` after the beginning of the step: its time is made better by what the watched
    /// value is there.
    pub(super) fn land(
        &mut self,
        mut span: f64,
        h: f64,
        fired: Vec<(usize, Crossing)>,
        samples: &Samples,
    ) -> Result<Landed, Failure> {
        // the place of a crossing is sharper than that of a touch, and that of a jump is not sharp at all
        let order = |one: &&(usize, Crossing)| (one.1.jumps, one.1.rising.is_none(), one.1.theta);
        let first = fired.iter().min_by(|a, b| order(a).partial_cmp(&order(b)).unwrap_or(Ordering::Equal));
        let (which, crossing) = *first.unwrap_or(&fired[0]);
        let mut values = Vec::new();
        let slope = match self.machine.judged().contains(&which) {
            false => samples.slope(which, crossing.theta) / h,
            true => self.fall(which, span, h)?,
        };
        let mut state = self.state_after(span)?;
        for _ in 0..3 {
            let looked = self.machine.watch(self.t + span, &state, &mut values);
            let shift = values.get(which).map_or(0.0, |value| -value / slope);
            let is_small = shift.abs() < 1e-3 * h && (span + shift) >= 0.0;
            let is_sharp = crossing.rising.is_some() && !crossing.jumps && !samples.rough[which];
            if looked.is_err() || !is_sharp || !is_small || shift.abs() < f64::EPSILON * self.t.abs() {
                break;
            }
            span += shift;
            state = self.state_after(span)?;
        }
        // others that come a little later wait for the next step
        if self.machine.watch(self.t + span, &state, &mut values).is_err() {
            return Ok((span, state, fired));
        }
        let is_here = |one: &(usize, Crossing)| {
            let (value, noise) = (values[one.0], self.noise(one.0, samples.size(one.0)));
            let has_turned = one.1.rising.is_some_and(|rising| (value > 0.0) == rising);
            one.0 == which || has_turned || value.abs() <= noise
        };
        let here = fired.into_iter().filter(is_here).collect();
        Ok((span, state, here))
    }

    /// How fast a judged value falls before an instant of a step.
    pub(super) fn fall(&mut self, which: usize, span: f64, h: f64) -> Result<f64, Failure> {
        let before = (span - 1e-4 * h).max(0.0);
        let mut values = [0.0; 2];
        for (value, span) in values.iter_mut().zip([before, span]) {
            let (state, mut list) = (self.state_after(span)?, Vec::new());
            self.machine.watch(self.t + span, &state, &mut list).map_err(|trouble| self.no_slope(trouble))?;
            *value = list[which];
        }
        Ok((values[1] - values[0]) / (span - before))
    }
}

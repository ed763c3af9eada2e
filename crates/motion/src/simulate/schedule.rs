//! From when to when does a motion run, and at which instants is its state wanted?

use crate::simulate::Simulate;
use crate::simulate::back::turned;
use engine::{Error, Field, Loaded};

/// How long a motion runs if nothing is said, in seconds.
pub const USUAL: f64 = 10.0;

/// The first and the last time, and the instants at which the state is wanted, in order.
pub fn schedule(wanted: &Simulate, loaded: &Loaded) -> Result<(f64, f64, Vec<f64>), Error> {
    let first = loaded.start.time.number.unwrap_or(0.0);
    refuse_settings(wanted)?;
    if let Some(back) = wanted.back {
        return backwards(wanted, turned(first), back);
    }
    if let Some(time) = wanted.times.iter().find(|time| !time.is_finite() || **time < first) {
        let begins = format!("the motion begins at t = {} s", text(first));
        let message = format!("there is no state at t = {} s: {begins}", text(*time));
        return wrong(Field::Times, &message, "times are those of the model");
    }
    let last = find_end(wanted, first)?;
    Ok((first, last, list_times(wanted, first, last)?))
}

/// The instants after a time at which the state is wanted, on the way from `first` to `last`; in −t backwards.
pub fn after(wanted: &Simulate, first: f64, last: f64, now: f64) -> Result<Vec<f64>, Error> {
    refuse_settings(wanted)?;
    let is_back = wanted.back.is_some();
    let times = wanted.times.iter().map(|&t| if is_back { turned(t) } else { t }).collect();
    let mut times = list_times(&Simulate { times, ..wanted.clone() }, first, last)?;
    times.retain(|&t| t > now && t <= last);
    Ok(times)
}

/// The same in −t, for a motion that runs backwards.
fn backwards(wanted: &Simulate, first: f64, back: f64) -> Result<(f64, f64, Vec<f64>), Error> {
    if wanted.duration.is_some() {
        let message = format!("`{}` and `{}` both say how long, to different sides", Field::Back, Field::Duration);
        return wrong(Field::Back, &message, "leave one of them out");
    }
    if !(back > 0.0 && back.is_finite()) {
        let hint = format!("as in `{}`, in seconds before the start", Field::Back.asked("10"));
        return wrong(Field::Back, &format!("a motion of {} s back cannot be had", text(back)), &hint);
    }
    let last = first + back;
    let times: Vec<f64> = wanted.times.iter().map(|&t| turned(t)).collect();
    if let Some(&time) = times.iter().find(|time| !time.is_finite() || **time < first || **time > last) {
        let runs = format!("the motion runs from t = {} s back to t = {} s", text(turned(first)), text(turned(last)));
        let message = format!("there is no state at t = {} s: {runs}", text(turned(time)));
        return wrong(Field::Times, &message, "times are those of the model");
    }
    let turned = Simulate { times, ..wanted.clone() };
    Ok((first, last, list_times(&turned, first, last)?))
}

fn text(value: f64) -> String {
    expr::decimal(value)
}

fn wrong<T>(field: Field, what: &str, hint: &str) -> Result<T, Error> {
    Err(Error::new(what).hint(hint).of(field))
}

/// Refuses tolerances, steps and durations that cannot be kept.
fn refuse_settings(wanted: &Simulate) -> Result<(), Error> {
    let is_positive = |value: f64| value > 0.0 && value.is_finite();
    let tolerance = wanted.tolerance();
    if !(tolerance > 0.0 && tolerance < 1.0) {
        let hint = format!("it is relative, as in `{}`", Field::Tolerance.asked("1e-9"));
        let message = format!("a tolerance of {} is not between 0 and 1", text(tolerance));
        return wrong(Field::Tolerance, &message, &hint);
    }
    if tolerance < 1e-15 {
        let hint = "the smallest is 1e-15: numbers have sixteen digits";
        return wrong(Field::Tolerance, &format!("a tolerance of {} cannot be kept", text(tolerance)), hint);
    }
    if wanted.tolerance.is_some() && wanted.step.is_some() {
        let (tolerance, step) = (Field::Tolerance, Field::Step);
        let message = format!("`{tolerance}` has no effect beside `{step}`: steps of a given length keep no tolerance");
        return wrong(Field::Tolerance, &message, "leave one of them out");
    }
    if let Some(step) = wanted.step.filter(|&step| !is_positive(step)) {
        let hint = format!("as in `{}`", Field::Step.asked("0.001"));
        return wrong(Field::Step, &format!("a step of {} s is not positive", text(step)), &hint);
    }
    if !wanted.first_method().chooses_steps() && wanted.step.is_none() {
        let hint = format!("give a step, as in `{} {}`", Field::Method.asked("rk4"), Field::Step.asked("0.001"));
        return wrong(Field::Step, "`rk4` has no step control", &hint);
    }
    if let Some(duration) = wanted.duration.filter(|&duration| !is_positive(duration)) {
        let hint = format!("as in `{}`, in seconds", Field::Duration.asked(10));
        return wrong(Field::Duration, &format!("a duration of {} s is not positive", text(duration)), &hint);
    }
    if let Some(every) = wanted.every.filter(|&every| !is_positive(every)) {
        let hint = format!("as in `{}`, in seconds", Field::Every.asked("0.1"));
        return wrong(Field::Every, &format!("states every {} s cannot be had", text(every)), &hint);
    }
    Ok(())
}

/// Finds the last time: by the duration, or the latest instant that is wanted, or as usual.
fn find_end(wanted: &Simulate, first: f64) -> Result<f64, Error> {
    let latest = wanted.times.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let last = match wanted.duration {
        Some(duration) => first + duration,
        None if latest > first => latest,
        None => first + USUAL,
    };
    if latest > last {
        let hint = format!("let it run for longer, as in `{}`", Field::Duration.asked(text(latest - first)));
        let message = format!("the motion ends at t = {} s, before t = {} s", text(last), text(latest));
        return wrong(Field::Duration, &message, &hint);
    }
    Ok(last)
}

/// Lists the instants: those that are named, and every so often.
fn list_times(wanted: &Simulate, first: f64, last: f64) -> Result<Vec<f64>, Error> {
    let mut times = wanted.times.clone();
    let every = match (wanted.every, times.is_empty()) {
        (Some(every), _) => Some(every),
        (None, true) => Some((last - first) / 100.0),
        (None, false) => None,
    };
    if let Some(every) = every {
        let count = ((last - first) / every + 1e-9).floor();
        if count > 1e7 {
            let hint = format!("ask for fewer with `{}`", Field::Every);
            return wrong(Field::Every, &format!("that would be {count} states"), &hint);
        }
        times.extend((0..=count as u64).map(|k| (first + k as f64 * every).min(last)));
    }
    times.sort_by(f64::total_cmp);
    times.dedup();
    Ok(times)
}

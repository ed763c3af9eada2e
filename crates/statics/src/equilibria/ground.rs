//! Where is looked? The ranges that the user gives, full turns of angles, and how far to go without either.

use super::program::Program;
use super::search::{Ground, Range};
use super::statics::Statics;
use super::{Equilibria, Trouble, bad, unknown_coordinate};
use engine::{Field, Loaded};
use expr::decimal;

/// From so many places the program learns.
const LEARNT: usize = 24;

/// The ground of a search; the program learns from it how large its numbers are.
pub fn ground(
    loaded: &Loaded,
    statics: &Statics,
    wanted: &Equilibria,
    program: &mut Program,
    notes: &mut Vec<String>,
) -> Result<Ground, Trouble> {
    let given = ranges(loaded, wanted.within.as_deref())?;
    for (s, _) in given.iter().filter(|(s, _)| !statics.searched.contains(s)) {
        let note = format!("nothing depends on `{}`: its range says nothing", statics.names[*s]);
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    let mut list = Ground { ranges: Vec::new(), starts: Vec::new(), reach: Vec::new() };
    for &s in &statics.searched {
        let start = loaded.start.coordinates[s].number.filter(|x| x.is_finite()).unwrap_or(0.0);
        let is_angle = statics.is_angle(s);
        let range = match given.iter().find(|one| one.0 == s) {
            Some((_, [low, high])) => {
                resolved(&statics.names[s], *low, *high, is_angle)?;
                Some(Range::given(*low, *high, is_angle))
            }
            None if is_angle => Some(Range::TURN),
            // of the places that a bound around the start allows, one of each is there
            None if statics.is_bounded_angle(s) => {
                let turn = std::f64::consts::TAU;
                Some(Range::given(start - turn, start + turn, false))
            }
            None => None,
        };
        list.reach.push(match range {
            Some(range) if range.is_turn => (0.0, std::f64::consts::PI),
            Some(range) => (0.5 * (range.low + range.high), 0.5 * (range.high - range.low)),
            None => (start, natural(loaded, s)),
        });
        list.ranges.push(range);
    }
    let start = |&s: &usize| loaded.start.coordinates[s].number.filter(|x| x.is_finite()).unwrap_or(0.0);
    list.starts.push(statics.searched.iter().map(start).collect());
    for (k, (_, half)) in list.reach.iter().enumerate() {
        program.scales[k] = half.max(f64::MIN_POSITIVE);
    }
    // not from corners, where forces like to vanish
    let places = list.places(LEARNT);
    program.learn(&places[places.len() - LEARNT..]);
    Ok(list)
}

/// An error for a range in which floats cannot tell places apart.
fn resolved(name: &str, low: f64, high: f64, is_angle: bool) -> Result<(), Trouble> {
    const MOST_TURNS: f64 = 1e6;
    const FARTHEST: f64 = 1e100;
    let said = format!("`{}`: the range of `{name}`, {low:e} .. {high:e},", Field::Within);
    let farthest = low.abs().max(high.abs());
    if is_angle && farthest >= MOST_TURNS * std::f64::consts::TAU {
        let hint = format!("`{name}` comes back after a full turn: `{name}=-pi..pi` has every place");
        return Err(bad(&format!("{said} goes beyond a million turns"), &hint));
    }
    if farthest >= FARTHEST {
        let hint = format!("give `{name}` ends that are closer, as in `{name}=-1e6..1e6`");
        return Err(bad(&format!("{said} is wider than floating point numbers resolve"), &hint));
    }
    Ok(())
}

/// How large a coordinate is by nature: its own start, those of its kind, and parameters of its dimension.
pub fn natural(loaded: &Loaded, s: usize) -> f64 {
    let system = &loaded.system;
    let own = &system.coordinates[s].dimension;
    let starts = system.coordinates.iter().zip(&loaded.start.coordinates);
    let starts = starts.filter(|(one, _)| one.dimension == *own).filter_map(|(_, value)| value.number);
    let parameters = system.parameters.iter().zip(&loaded.start.parameters);
    let parameters =
        parameters.filter(|(one, _)| own.is_some() && one.dimension == *own).filter_map(|(_, value)| *value);
    let largest = starts.chain(parameters).map(f64::abs).filter(|x| x.is_finite()).fold(0.0, f64::max);
    if largest > 0.0 { 2.0 * largest } else { 2.0 }
}

/// `phi=0..2*pi, x=-1..1` as places of coordinates and ends.
fn ranges(loaded: &Loaded, text_of: Option<&str>) -> Result<Vec<(usize, [f64; 2])>, Trouble> {
    let Some(all) = text_of else { return Ok(Vec::new()) };
    let names: Vec<&str> = loaded.system.coordinates.iter().map(|coordinate| coordinate.name.as_str()).collect();
    let within = Field::Within;
    let how = &format!(
        "write ranges as in `{}`, in SI units or with a unit at the end",
        within.asked("\"phi=0..2*pi, x=-1..1\"")
    );
    let mut list: Vec<(usize, [f64; 2])> = Vec::new();
    for part in all.split(',').map(str::trim) {
        let sides = part.split_once('=').filter(|(_, range)| range.contains(".."));
        let Some((name, range)) = sides.map(|(name, range)| (name.trim(), range)) else {
            return Err(bad(&format!("`{within}`: `{part}` is no range"), how));
        };
        let s = names.iter().position(|one| *one == name).ok_or_else(|| unknown_coordinate(within, name, &names))?;
        if list.iter().any(|one| one.0 == s) {
            return Err(bad(&format!("`{within}`: `{name}` has two ranges"), "give each coordinate one"));
        }
        let value_of = |name: &str| {
            let mut parameters = loaded.system.parameters.iter().zip(&loaded.start.parameters);
            parameters.find(|(one, _)| one.name == name).and_then(|(_, value)| *value)
        };
        let dimension = loaded.system.coordinates[s].dimension.as_ref();
        let ends = model::range(range.trim(), dimension, &value_of);
        let (low, high) = ends.map_err(|why| bad(&format!("`{within}`: {why}"), how))?;
        if low == high {
            let message =
                format!("`{within}`: the range of `{name}` is one place: {} .. {}", decimal(low), decimal(high));
            let hint = format!(
                "`{}` looks near it, or give two ends: `{name}={}..{}`",
                Field::Near.asked(format_args!("\"{name} = {}\"", decimal(low))),
                decimal(low - 0.1),
                decimal(high + 0.1)
            );
            return Err(bad(&message, &hint));
        }
        if low > high {
            let message = format!(
                "`{within}`: the range of `{name}` ends before it begins: {} .. {}",
                decimal(low),
                decimal(high)
            );
            return Err(bad(
                &message,
                &format!("write the smaller end first: `{name}={}..{}`", decimal(high), decimal(low)),
            ));
        }
        list.push((s, [low, high]));
    }
    Ok(list)
}

//! Which whole turns of an equilibrium lie in a range that is wider than one?

use std::f64::consts::TAU;

use super::answer::{Found, clean};
use super::search::{Ground, Range};

/// More equilibria than this are told modulo whole turns.
const MOST: usize = 40;
/// The ends of a range belong to it, but for rounding.
const ROOM: f64 = 1e-9;

/// The equilibria with all their whole turns in the ranges, or each at one place if there are too many; and whether all
/// are there. `searched` are the coordinates of the ranges, `names` those of all.
pub fn unrolled(ground: &Ground, searched: &[usize], names: &[String], own: Vec<Found>) -> (Vec<Found>, bool) {
    let wide: Vec<(usize, Range)> = searched
        .iter()
        .zip(&ground.ranges)
        .filter_map(|(&s, range)| Some((s, (*range)?)))
        .filter(|(_, range)| range.is_wide())
        .collect();
    if wide.is_empty() {
        return (own, true);
    }
    let turns: Vec<Vec<(i64, i64)>> = own.iter().map(|found| turns(found, &wide, names)).collect();
    let count = |list: &Vec<(i64, i64)>| list.iter().map(|(first, last)| (last - first + 1) as f64).product::<f64>();
    let all = turns.iter().map(count).sum::<f64>() <= MOST as f64;
    let mut made = Vec::new();
    for (found, turns) in own.iter().zip(&turns) {
        let mut choices: Vec<Vec<i64>> = vec![Vec::new()];
        for &(first, last) in turns {
            let list = if all { first..=last } else { 0.clamp(first, last)..=0.clamp(first, last) };
            choices = list.flat_map(|m| choices.iter().map(move |one| [&one[..], &[m]].concat())).collect();
        }
        made.extend(choices.iter().map(|choice| turned(found, &wide, choice, names)));
    }
    (made, all)
}

/// By how many turns, from the first to the last, a place may be turned and stay in each range.
fn turns(found: &Found, wide: &[(usize, Range)], names: &[String]) -> Vec<(i64, i64)> {
    let moves = |s: usize| found.equilibrium.directions.iter().any(|one| one.get(&names[s]).is_some());
    let of = |&(s, range): &(usize, Range)| {
        let first = ((range.low - found.q[s]) / TAU - ROOM).ceil() as i64;
        let last = ((range.high - found.q[s]) / TAU + ROOM).floor() as i64;
        // along a family one place is enough
        if moves(s) { (0.clamp(first, last), 0.clamp(first, last)) } else { (first, last) }
    };
    wide.iter().map(of).collect()
}

/// The same equilibrium some turns away.
fn turned(found: &Found, wide: &[(usize, Range)], turns: &[i64], names: &[String]) -> Found {
    let mut made = found.clone();
    for (&(s, range), &m) in wide.iter().zip(turns) {
        // an end of the range is met up to rounding
        made.q[s] = (found.q[s] + m as f64 * TAU).clamp(range.low, range.high);
        let value = clean(made.q[s]);
        let place = |list: &[(String, f64)]| list.iter().position(|one| one.0 == names[s]);
        if let Some(k) = place(&made.equilibrium.values.0) {
            made.equilibrium.values.0[k].1 = value;
        }
        let exact = made.equilibrium.exact.iter_mut().flat_map(|exact| &mut exact.0);
        exact.filter(|one| one.0 == names[s] && m != 0).for_each(|one| one.1 = further(&one.1, m));
    }
    made
}

/// An expression, some turns further.
fn further(text: &str, turns: i64) -> String {
    let by = format!("{}*pi", 2 * turns.abs());
    match (text, turns > 0) {
        ("0", true) => by,
        ("0", false) => format!("-{by}"),
        (_, true) => format!("{text} + {by}"),
        (_, false) => format!("{text} - {by}"),
    }
}

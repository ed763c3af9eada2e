//! Which roots get names?
//!
//! ```text
//! v_floor = sqrt(…)        the speed at which a contact slips                         (1)
//! d_AB = sqrt(…)           the distance of two points                                 (2)
//! root = sqrt(…)           any other root that stands there often
//! ```
//!
//! A root of a long sum that is written three times or more makes a page hard to read; with a name the page is shorter.

use expr::{Expr, Kind, Op, Rational, Substitution, Symbol};
use mechanics::System;
use rustc_hash::FxHashMap;

use crate::parts::parts;
use crate::readable::length;

/// A root that is written fewer times gets no name.
const OFTEN: usize = 3;
/// At most so many get names, of at most so many different ones.
const MOST: usize = 12;
const LOOKED_AT: usize = 60;
/// A name must save so many characters.
const SAVED: usize = 40;
/// Distances of at most so many points are looked at.
const POINTS: usize = 12;

/// Expressions in terms of names for roots, and the names with what they stand for.
pub fn named(
    outputs: &[Expr],
    called: &dyn Fn(Expr) -> Option<String>,
    taken: &dyn Fn(&str) -> bool,
) -> (Vec<Expr>, Vec<(Expr, Expr)>) {
    let order = parts(outputs);
    let mut times: FxHashMap<Expr, usize> = FxHashMap::default();
    outputs.iter().for_each(|&e| *times.entry(e).or_default() += 1);
    for &node in order.iter().rev() {
        let own = times.get(&node).copied().unwrap_or(0);
        for argument in node.arguments() {
            let known = times.entry(argument).or_default();
            *known = known.saturating_add(own);
        }
    }
    let mut squares: Vec<(Expr, usize)> = Vec::new();
    for &node in &order {
        let Some((square, _)) = root(node) else { continue };
        match squares.iter().position(|known| is_one(known.0, square)) {
            Some(place) => squares[place].1 = squares[place].1.saturating_add(times[&node]),
            None if squares.len() < LOOKED_AT => squares.push((square, times[&node])),
            None => {}
        }
    }
    let (mut put, mut definitions) = (Substitution::new(), Vec::new());
    for (square, count) in squares.into_iter().filter(|one| one.1 >= OFTEN) {
        // a sum that is a multiple of another, as x^2 + x^2, keeps its root in one piece
        let tidy = reading::polished(square);
        let tidy = if tidy.op() == Op::Sum && length(tidy) < length(square) { tidy } else { square };
        let (place, value) = (definitions.len() + 1, tidy.sqrt());
        let name =
            called(square).unwrap_or_else(|| if place == 1 { "root".to_owned() } else { format!("root{place}") });
        let (long, short) = (length(value), name.chars().count());
        let is_worth = long < usize::MAX && (count - 1) * long > (count + 1) * short + SAVED;
        if !is_worth || taken(&name) || definitions.len() == MOST {
            continue;
        }
        let symbol = expr::symbol(Symbol::new(&name, Kind::Parameter));
        for &node in &order {
            if let Some(power) =
                root(node).filter(|one| is_one(one.0, square)).and_then(|one| symbol.try_pow(&one.1).ok())
            {
                put.insert(node, power);
            }
        }
        definitions.push((symbol, value));
    }
    match put.apply(outputs) {
        Ok(made) if !definitions.is_empty() => (made, definitions),
        _ => (outputs.to_vec(), Vec::new()),
    }
}

/// Whether two radicands are one, however they are written.
fn is_one(a: Expr, b: Expr) -> bool {
    a == b || a.image() == b.image() && a.is_same(b)
}

/// What is under a square root, a sum, and the power of the root.
fn root(node: Expr) -> Option<(Expr, Rational)> {
    let arguments = node.arguments();
    let exponent = (node.op() == Op::Power).then(|| arguments[1].as_number()).flatten()?;
    let twice = &exponent + &exponent;
    let odd = twice.to_i64().is_some_and(|n| n % 2 != 0);
    (odd && arguments[0].op() == Op::Sum).then_some((arguments[0], twice))
}

/// What a person would call the root of this (1) (2).
pub fn called(square: Expr, system: &System) -> Option<String> {
    let slips = system.contacts.iter().filter(|contact| !contact.touch.slips.is_empty());
    for contact in slips {
        let speed: Expr = contact.touch.slips.iter().map(|slip| slip.row * slip.row).sum();
        if speed.is_same(square) {
            return Some(format!("v_{}", contact.name));
        }
    }
    let points = &system.points[..system.points.len().min(POINTS)];
    for (k, one) in points.iter().enumerate() {
        for other in &points[k + 1..] {
            let along = one.position - other.position;
            if along.dot(along).is_same(square) {
                return Some(distance(&one.name, &other.name));
            }
        }
    }
    None
}

/// The name of a distance: of `P[1]` and `P[2]` it is `d_12`.
fn distance(one: &str, other: &str) -> String {
    let index = |name: &str| Some(name.split_once('[')?.1.strip_suffix(']')?.to_owned());
    let stem = |name: &str| name.split('[').next().unwrap_or_default().to_owned();
    match (index(one), index(other)) {
        (Some(a), Some(b)) if stem(one) == stem(other) => format!("d_{a}{b}"),
        _ => format!("d_{}{}", stem(one), stem(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_that_stands_often_gets_a_name() {
        let _scope = expr::Scope::with_seed(2);
        let long = "(a + b*cos(x))^2 + (c + d*sin(x))^2";
        let text = [format!("a/sqrt({long})"), format!("x*sqrt({long})"), format!("y*({long})^(3/2) + z")];
        let list: Vec<Expr> = text.iter().map(|text| expr::parse(text).unwrap()).collect();
        let (made, names) = named(&list, &|_| None, &|_| false);
        let made: Vec<String> = made.iter().map(Expr::to_string).collect();
        assert_eq!(made, ["a/root", "x*root", "y*root^3 + z"]);
        assert_eq!(names.len(), 1);
        assert!(named(&list[..2], &|_| None, &|_| false).1.is_empty());
        assert_eq!(distance("P[1]", "P[2]"), "d_12");
    }
}

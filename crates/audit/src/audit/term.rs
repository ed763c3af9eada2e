//! Is one term of a claim off by a factor?
//!
//! ```text
//! e + (φ − 1) τ = 0  on the true motion      ⇒  φ = 1 − e/τ  at every state                      (1)
//! φ = c Π p^k                                   a number times a few powers of parameters          (2)
//! ```
//!
//! By (1) each term τ says which factor would make the claim right. If that is the same product (2) at all states,
//! with other parameters at each, the term lacks it: −1 is a lost sign, 0 a term that does not belong there.

use expr::{Expr, Op};

use super::diagnosis::{Diagnosis, SAME};
use super::state::{State, at};
use super::{Auditor, Equation};

/// So many terms of a claim are looked at.
const MOST_TERMS: usize = 60;
/// A factor is looked for where so many states tell it.
const FEWEST: usize = 2;
/// Numerators and denominators of a factor.
const MOST: i64 = 16;

/// A factor (2): how it is written, and whether it is −1 or 0.
#[derive(Clone, PartialEq)]
struct Factor {
    c: (i64, i64),
    powers: Vec<(String, i32)>,
}

/// Powers of parameters, and the value of their product at every state.
pub type Powers = (Vec<(String, i32)>, Vec<f64>);

/// One slip that makes every wrong claim right.
pub fn slip(auditor: &Auditor<'_>, wrong: &[&Equation]) -> Option<Diagnosis> {
    let states = auditor.generic();
    if states.len() < 3 {
        return None;
    }
    let powers = powers(auditor, states);
    let mut common: Option<Factor> = None;
    let mut first: Option<(String, Factor, usize)> = None;
    for equation in wrong {
        let slips = slips(auditor, equation, states, &powers);
        let found = match &common {
            None => slips.into_iter().next(),
            Some(factor) => slips.into_iter().find(|(_, other, _)| other == factor || inverse(other) == *factor),
        }?;
        common.get_or_insert_with(|| found.1.clone());
        first.get_or_insert_with(|| (named(found.0, equation), found.1, found.2));
    }
    let (what, factor, terms) = first?;
    Some(said(&what, &factor, terms))
}

/// How a side of several terms is named.
pub const WHOLE: &str = "the whole ";

/// A term as the reader finds it: a side of several terms is called one.
fn named(term: Expr, equation: &Equation) -> String {
    let is_it = |side: &&(Expr, &str)| side.0.op() == Op::Sum && (side.0 == term || side.0 == -term);
    match equation.sides.iter().find(is_it) {
        Some((side, which)) => format!("{WHOLE}{which} side `{}`", side.brief()),
        None => format!("the term `{}`", term.brief()),
    }
}

fn said(what: &str, factor: &Factor, terms: usize) -> Diagnosis {
    let (id, text) = match (factor.c, factor.powers.is_empty()) {
        ((0, _), _) => ("extra term", format!("{what} does not belong there")),
        ((-1, 1), true) => ("sign", format!("{what} has the wrong sign")),
        _ => {
            let (lacks, extra) = sides(factor);
            let sign = if factor.c.0 < 0 { " and the opposite sign" } else { "" };
            let text = match (lacks.as_str(), extra.as_str()) {
                (lacks, "1") => format!("{what} lacks the factor {lacks}{sign}"),
                ("1", extra) => format!("{what} has the factor {extra} too much{sign}"),
                (lacks, extra) => format!("{what} should be multiplied by {lacks}/{extra}{sign}"),
            };
            ("factor", text)
        }
    };
    let mut explanation = format!("One slip explains this: {text}. With it put right the claim holds.");
    if id == "factor" && what.starts_with(WHOLE) {
        explanation.push_str(" The same slip may sit in the other side, the other way round.");
    } else if id == "factor" && terms == 2 {
        explanation.push_str(" Since there are two terms, the same slip may sit in the other, the other way round.");
    }
    if id == "factor" {
        explanation.push_str(" A check of the units of both sides finds such a slip when the factor has a unit.");
    }
    Diagnosis { mistakes: vec![format!("{id}: {text}")], explanation }
}

fn inverse(factor: &Factor) -> Factor {
    let c = match factor.c {
        (0, d) => (0, d),
        (n, d) => (d * n.signum(), n.abs()),
    };
    Factor { c, powers: factor.powers.iter().map(|(name, power)| (name.clone(), -power)).collect() }
}

/// Numerator and denominator in words.
fn sides(factor: &Factor) -> (String, String) {
    let side = |number: i64, sign: i32| {
        let powers = factor.powers.iter().filter(|(_, power)| power.signum() == sign);
        let powers = powers.map(|(name, power)| match power.abs() {
            1 => name.clone(),
            power => format!("{name}^{power}"),
        });
        let number = (number != 1).then(|| number.to_string());
        let all: Vec<String> = number.into_iter().chain(powers).collect();
        if all.is_empty() { "1".to_owned() } else { all.join("*") }
    };
    (side(factor.c.0.abs(), 1), side(factor.c.1, -1))
}

/// Products of powers of parameters, each with its value at every state.
pub fn powers(auditor: &Auditor<'_>, states: &[State]) -> Vec<Powers> {
    let parameters: Vec<(String, Vec<f64>)> = auditor
        .loaded
        .system
        .parameters
        .iter()
        .filter(|one| !one.symbol.as_symbol().is_some_and(|symbol| expr::names_function(&symbol)))
        .take(14)
        .map(|parameter| {
            let values = states.iter().map(|state| at(&[parameter.symbol], &state.values)[0]).collect();
            (parameter.name.clone(), values)
        })
        .collect();
    let raised = |list: &[f64], power: i32| list.iter().map(|value| value.powi(power)).collect::<Vec<f64>>();
    let mut all = vec![(Vec::new(), vec![1.0; states.len()])];
    for (name, values) in &parameters {
        all.extend([1, -1, 2, -2].map(|power| (vec![(name.clone(), power)], raised(values, power))));
    }
    for (i, (a, x)) in parameters.iter().enumerate() {
        for (b, y) in &parameters[i + 1..] {
            for (k, l) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let values = raised(x, k).iter().zip(raised(y, l)).map(|(x, y)| x * y).collect();
                all.push((vec![(a.clone(), k), (b.clone(), l)], values));
            }
        }
    }
    all
}

/// The slips that would make a claim right, the simplest first: term, factor, and how many terms there are.
fn slips(
    auditor: &Auditor<'_>,
    equation: &Equation,
    states: &[State],
    powers: &[Powers],
) -> Vec<(Expr, Factor, usize)> {
    let own = |e: &Expr| e.symbols().iter().any(|symbol| auditor.own.contains(symbol));
    let wrong: Vec<Expr> = equation
        .parts
        .iter()
        .copied()
        .filter(|&part| states.iter().any(|state| super::misses(state, &[part]) > SAME))
        .collect();
    let [e] = wrong[..] else { return Vec::new() };
    if own(&e) {
        return Vec::new();
    }
    let (terms, count) = terms(e);
    let mut list: Vec<(usize, Expr, Factor, usize)> = Vec::new();
    for term in terms {
        let Some((needed, kept)) = needed(e, term, states) else { continue };
        let some: Vec<Powers>;
        let powers = if kept.len() == states.len() {
            powers
        } else {
            let pick = |(names, values): &Powers| (names.clone(), kept.iter().map(|&state| values[state]).collect());
            some = powers.iter().map(pick).collect();
            &some
        };
        if let Some((cost, factor)) = simplest(&needed, powers) {
            // Inertia is written last: a slip is looked for among the forces first.
            let moving = term.symbols().iter().any(|symbol| symbol.as_symbol().is_some_and(|one| one.order >= 2));
            list.push((2 * cost + usize::from(moving), term, factor, count));
        }
    }
    list.sort_by_key(|one| one.0);
    // numbers have found it, a proof must confirm it
    list.retain(|(_, term, factor, _)| {
        let put_right = e + (factor.value(auditor) - 1) * *term;
        // what is left must say something
        // a rate may hold terms that nobody wrote: one of those is no slip
        let is_unwritten = equation.is_rate && factor.c.0 == 0;
        !is_unwritten && !put_right.is_zero() && auditor.may_hold(put_right, e)
    });
    list.into_iter().map(|(_, term, factor, count)| (term, factor, count)).collect()
}

/// The factors (1) that a term needs, and the states that say so: where the term is 0 it may have any, if the claim holds there.
fn needed(e: Expr, term: Expr, states: &[State]) -> Option<(Vec<f64>, Vec<usize>)> {
    let (mut factors, mut kept) = (Vec::new(), Vec::new());
    for (place, state) in states.iter().enumerate() {
        let values = at(&[e, term], &state.values);
        let factor = 1.0 - values[0] / values[1];
        if values[1] != 0.0 && factor.is_finite() {
            factors.push(factor);
            kept.push(place);
        } else if values[1] != 0.0 || super::misses(state, &[e]) > SAME {
            return None;
        }
    }
    (kept.len() >= FEWEST).then_some((factors, kept))
}

impl Factor {
    /// The factor as an expression.
    fn value(&self, auditor: &Auditor<'_>) -> Expr {
        let symbol = |name: &str| {
            let known = auditor.loaded.system.parameters.iter().find(|one| one.name == name);
            known.map_or_else(Expr::one, |one| one.symbol)
        };
        let raised = self.powers.iter().map(|(name, power)| symbol(name).pow((*power).into()));
        raised.fold(expr::rational(self.c.0, self.c.1), |product, power| product * power)
    }
}

/// The terms of a sum, those of its products multiplied out too, and how many the sum has.
pub fn terms(e: Expr) -> (Vec<Expr>, usize) {
    let parts = |e: Expr| if e.op() == Op::Sum { e.arguments() } else { vec![e] };
    let mut list = parts(e);
    let count = list.len();
    let expanded = list.iter().filter_map(|&part| expr::expand(part).ok()).flat_map(parts).collect::<Vec<_>>();
    for part in expanded {
        if !list.contains(&part) {
            list.push(part);
        }
    }
    list.truncate(MOST_TERMS);
    (list, count)
}

/// The simplest factor with these values, and how simple it is.
fn simplest(needed: &[f64], powers: &[Powers]) -> Option<(usize, Factor)> {
    if needed.iter().all(|value| value.abs() < SAME) {
        return Some((1, Factor { c: (0, 1), powers: Vec::new() }));
    }
    let mut best: Option<(usize, Factor)> = None;
    for (names, values) in powers {
        let ratios: Vec<f64> = needed.iter().zip(values).map(|(needed, value)| needed / value).collect();
        let c = ratios[0];
        if !ratios.iter().all(|ratio| (ratio - c).abs() <= SAME * c.abs()) {
            continue;
        }
        let Some(c) = fraction(c) else { continue };
        if c == (1, 1) && names.is_empty() {
            continue;
        }
        let of_number = if c.0.abs() == 1 && c.1 == 1 { 0 } else { 1 + (c.0.abs().max(c.1) > 4) as usize };
        let exponents: usize = names.iter().map(|(_, power)| power.unsigned_abs() as usize * 2).sum();
        let inverse = names.iter().filter(|(_, power)| *power < 0).count() + usize::from(c.1 > c.0.abs());
        let cost = of_number * 2 + exponents + inverse;
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, Factor { c, powers: names.clone() }));
        }
    }
    best
}

/// Whether numbers are one product (2) of parameters at all states.
pub fn is_product(numbers: &[f64], powers: &[Powers]) -> bool {
    numbers.iter().all(|number| (number - 1.0).abs() <= SAME) || simplest(numbers, powers).is_some()
}

/// A small fraction, if it is one.
fn fraction(value: f64) -> Option<(i64, i64)> {
    (1..=MOST).find_map(|denominator| {
        let numerator = (value * denominator as f64).round();
        let close = (numerator / denominator as f64 - value).abs() <= SAME * value.abs();
        (close && numerator != 0.0 && numerator.abs() <= MOST as f64).then_some((numerator as i64, denominator))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_a_number_times_powers() {
        let m = vec![2.0, 3.0, 5.0];
        let powers = vec![
            (Vec::new(), vec![1.0; 3]),
            (vec![("m".to_owned(), 1)], m.clone()),
            (vec![("m".to_owned(), -1)], m.iter().map(|m| 1.0 / m).collect()),
        ];
        let said = |needed: &[f64]| simplest(needed, &powers).map(|(_, factor)| (factor.c, sides(&factor)));
        let text = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(said(&[-1.0; 3]), Some(((-1, 1), text("1", "1"))));
        assert_eq!(said(&[1.5, 2.25, 3.75]), Some(((3, 4), text("3*m", "4"))));
        assert_eq!(said(&[0.5, 1.0 / 3.0, 0.2]), Some(((1, 1), text("1", "m"))));
        assert_eq!(said(&[1.0; 3]), None);
        assert_eq!(said(&[1.0, 2.0, 4.0]), None);
    }
}

//! Systems made to have a solution, with parameters: it lies on a branch, or an obstacle is named.

use algebra::{Branch, Condition, solve};
use expr::field::Random;
use expr::{Comparison, Expr, Scope, Substitution, parameter, rational};
use proof::{Assumptions, decide};

/// A choice of the round.
struct Dice(Random);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0.next() % n
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }

    /// A small number, often zero.
    fn number(&mut self) -> Expr {
        Expr::from(self.one_of(&[0, 0, 1, 1, -1, 2, -2, 3]))
    }
}

/// An unknown as the equations see it: itself, or an angle by cosine and sine.
struct Unknown {
    symbol: Expr,
    /// What equations are made of, with the values at the solution.
    parts: Vec<(Expr, Expr)>,
}

fn plain(name: &str, value: Expr) -> Unknown {
    let symbol = parameter(name);
    Unknown { symbol, parts: vec![(symbol, value)] }
}

fn angle(name: &str, (c, s): (Expr, Expr)) -> Unknown {
    let symbol = parameter(name);
    Unknown { symbol, parts: vec![(symbol.cos(), c), (symbol.sin(), s)] }
}

/// Cosine and sine of some angle.
fn turn(dice: &mut Dice) -> (Expr, Expr) {
    let (c, s, r) = dice.one_of(&[(3, 4, 5), (-4, 3, 5), (5, -12, 13), (1, 0, 1), (-1, 0, 1), (0, 1, 1), (0, -1, 1)]);
    (rational(c, r), rational(s, r))
}

/// A polynomial of few terms in the parts that vanishes at the solution, where the gap is zero.
fn equation(dice: &mut Dice, parts: &[(Expr, Expr)], parameters: &[Expr], gap: Expr) -> Expr {
    let mut sum = Expr::zero();
    for _ in 0..=dice.below(2) {
        // f·(monomial − its value), or f·(part − its value)·part
        let (first, second) = (dice.one_of(parts), dice.one_of(parts));
        let is_turned = |part: (Expr, Expr)| part.0.as_symbol().is_none();
        let kinds = if is_turned(first) || is_turned(second) { 2 } else { 4 };
        let factor = if dice.below(3) == 0 { dice.one_of(parameters) } else { Expr::from(dice.one_of(&[1, 2, -1])) };
        sum += factor
            * match dice.below(kinds) {
                0 | 1 => first.0 - first.1,
                2 => first.0 * second.0 - first.1 * second.1,
                _ => (first.0 - first.1) * second.0,
            };
    }
    if dice.below(3) == 0 {
        sum += gap;
    }
    expr::expand(sum).unwrap_or(sum)
}

/// Is the solution on the branch, with the parameters as they are given?
fn lies_on(branch: &Branch, unknowns: &[Unknown], values: &Substitution) -> Option<bool> {
    // free unknowns get the values of the solution, then parameters theirs
    let mut map = values.clone();
    for unknown in unknowns.iter().filter(|unknown| branch.free.contains(&unknown.symbol)) {
        map.extend(&unknown.parts);
        if let [(_, c), (_, s)] = unknown.parts[..]
            && let Ok(tangent) = s.try_div(c)
        {
            map.insert(unknown.symbol.tan(), tangent);
        }
    }
    let at = |e: Expr| values.apply_one(map.apply_one(e).ok()?).ok();
    for condition in &branch.conditions {
        let Some(value) = at(condition.value) else { return Some(false) };
        let verdict = decide(value, &Assumptions::none());
        let number = if verdict.is_zero() { 0.0 } else { expr::At::generic().value(value) };
        if !condition.comparison.holds(number) {
            return Some(false);
        }
    }
    for &(part, value) in unknowns.iter().flat_map(|unknown| &unknown.parts) {
        let Some(there) = at(branch.put(part).ok()?) else { return Some(false) };
        let verdict = decide(there - values.apply_one(value).ok()?, &Assumptions::none());
        if !verdict.is_zero() {
            return verdict.is_nonzero().then_some(false);
        }
    }
    Some(true)
}

/// Solutions lost, systems solved, systems with an obstacle.
fn tried(seed: u64, rounds: u64) -> (Vec<String>, u32, u32) {
    let mut dice = Dice(Random::new(seed));
    let (mut lost, mut solved, mut stopped) = (Vec::new(), 0, 0);
    for round in 0..rounds {
        let _scope = Scope::with_seed(round + 1);
        let [a, b] = ["a", "b"].map(parameter);
        let with_sign = dice.below(2) == 0;
        let values = Substitution::from([(a, Expr::from(1 + dice.below(3) as i64)), (b, dice.number())]);
        let mut unknowns = Vec::new();
        for name in ["x", "y"].iter().take(1 + dice.below(3).min(1) as usize) {
            let known = dice.number() + dice.one_of(&[Expr::zero(), a, b, a * b]);
            let turned = turn(&mut dice);
            unknowns.push(if dice.below(3) == 0 { angle(name, turned) } else { plain(name, known) });
        }
        let parts: Vec<(Expr, Expr)> = unknowns.iter().flat_map(|unknown| unknown.parts.clone()).collect();
        let count = unknowns.len();
        let system: Vec<Expr> = (0..count).map(|_| equation(&mut dice, &parts, &[a, b], b - values[1].1)).collect();
        let symbols: Vec<Expr> = unknowns.iter().map(|unknown| unknown.symbol).collect();
        let positive = [Condition { value: a, comparison: Comparison::Greater }];
        match solve(&system, &symbols, if with_sign { &positive } else { &[] }) {
            Err(_) => stopped += 1,
            Ok(solution) => {
                solved += 1;
                let on: Vec<Option<bool>> =
                    solution.branches.iter().map(|branch| lies_on(branch, &unknowns, &values)).collect();
                if !on.contains(&Some(true)) {
                    let list = |all: &mut dyn Iterator<Item = String>| all.collect::<Vec<_>>().join("; ");
                    lost.push(format!(
                        "round {round}: {} has {} at a = {}, b = {}, not on {}{}",
                        list(&mut system.iter().map(ToString::to_string)),
                        list(&mut parts.iter().map(|(part, value)| format!("{part} = {value}"))),
                        values[0].1,
                        values[1].1,
                        list(&mut solution.branches.iter().map(ToString::to_string)),
                        if on.contains(&None) { " (undecided)" } else { "" },
                    ));
                }
            }
        }
    }
    (lost, solved, stopped)
}

#[test]
fn no_known_solution_is_lost() {
    let (lost, solved, stopped) = tried(3, 60);
    assert!(lost.is_empty(), "{}", lost.join("\n"));
    assert!(solved > 2 * stopped, "{solved} solved, {stopped} with an obstacle");
}

//! Does an expression jump on a motion? Its slope does not tell: that of sign(x) is zero wherever there is one.
//!
//! ```text
//! sign(u), if(u < 0, a, b), |u|, min, max     e with u > 0 less e with u < 0, where u = 0: a jump unless that vanishes     (1)
//! atan2(y, x), atan of what may have a pole   a jump, unless nothing in it moves                                         (2)
//! ```
//!
//! By (1) |u| alone does not jump, but u/|u| does. For u of min(a, b) and max(a, b) stands a − b.

use expr::{Comparison, Expr, Kind, Op, Substitution};
use mechanics::{LoadKind, System};
use proof::Assumptions;
use rustc_hash::FxHashSet;

/// Switches that are looked at; one more counts as a jump.
const MOST: usize = 64;

/// A function in one of these expressions by which it jumps as things move, as it is written; `None` if none does.
pub fn jump(list: &[Expr], assumptions: &Assumptions) -> Option<String> {
    let switches = switches(list);
    if switches.len() > MOST {
        return Some(switches[0].brief());
    }
    if let Some(angle) = nodes(list).into_iter().find(|&e| may_turn(e)) {
        return Some(angle.brief());
    }
    let mut conditions: Vec<Expr> = switches.iter().filter_map(|&one| condition(one)).collect();
    conditions.dedup();
    conditions.into_iter().find_map(|u| {
        let own: Vec<Expr> = switches.iter().copied().filter(|&one| condition(one) == Some(u)).collect();
        let there = assumptions.clone().and(u, Comparison::Equal, Expr::zero());
        let jumps = |&e: &Expr| {
            let [above, below] = [Side::Above, Side::Below].map(|side| on(side, e, &own));
            !matches!((above, below), (Some(above), Some(below)) if vanishes(above - below, u, &there))
        };
        list.iter().any(jumps).then(|| own[0].brief())
    })
}

/// Does an expression vanish where `u` does? A symbol in which `u` is linear is put in, or the prover is asked.
fn vanishes(e: Expr, u: Expr, there: &Assumptions) -> bool {
    let put = |symbol: Expr| {
        let (slopes, rests) = expr::linear_coefficients(&[u], &[symbol]).ok()?;
        let root = (-rests[0]).try_div(slopes[0][0]).ok()?;
        Substitution::from([(symbol, root)]).apply_one(e).ok()
    };
    let is_zero = |e: Expr| proof::decide(e, &Assumptions::none()).is_zero();
    is_zero(e) || u.symbols().into_iter().filter_map(put).any(is_zero) || proof::decide(e, there).is_zero()
}

/// Functions by which energies or velocities of a model jump: motions that cross such a place are not described.
pub fn of_model(system: &System, assumptions: &Assumptions) -> Option<String> {
    let energy = |kind: &LoadKind| match kind {
        LoadKind::Potential(e) | LoadKind::Kinetic(e) => Some(*e),
        _ => None,
    };
    let energies = system.loads.iter().filter_map(|load| energy(&load.kind));
    let places = system.points.iter().flat_map(|point| point.position.0);
    let rates = places.filter(|&e| is_switched(e)).filter_map(|e| expr::total_derivative(e).ok());
    let list: Vec<Expr> = energies.filter(|&e| is_switched(e)).chain(rates).collect();
    jump(&list, assumptions)
}

/// Has it a kink or a switch anywhere? Then its slope may jump.
fn is_switched(e: Expr) -> bool {
    let is = |e: &Expr| matches!(e.op(), Op::Abs | Op::Sign | Op::IfNegative | Op::IfZero | Op::Min | Op::Max);
    nodes(&[e]).iter().any(is)
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Above,
    Below,
}

/// An expression beside the place where these switch.
fn on(side: Side, e: Expr, switches: &[Expr]) -> Option<Expr> {
    let value = |&one: &Expr| {
        let arguments = one.arguments();
        let value = match (one.op(), &arguments[..], side) {
            (Op::Sign, _, Side::Above) => Expr::one(),
            (Op::Sign, _, Side::Below) => -Expr::one(),
            (Op::Abs, &[u], Side::Above) => u,
            (Op::Abs, &[u], Side::Below) => -u,
            (Op::Max, &[a, _], Side::Above) | (Op::Min, &[a, _], Side::Below) => a,
            (Op::Max, &[_, b], Side::Below) | (Op::Min, &[_, b], Side::Above) => b,
            // at zero itself, and beside it
            (Op::IfZero, &[_, at, _], Side::Above) => at,
            (_, &[_, _, above], Side::Above) => above,
            (Op::IfNegative, &[_, below, _], Side::Below) => below,
            (_, &[_, _, beside], Side::Below) => beside,
            _ => one,
        };
        (one, value)
    };
    let map: Substitution = switches.iter().map(value).collect();
    // what is put in may hold another one
    let mut e = e;
    for _ in 0..=switches.len() {
        e = map.apply_one(e).ok()?;
    }
    Some(e)
}

/// All that switches as something moves.
fn switches(list: &[Expr]) -> Vec<Expr> {
    nodes(list).into_iter().filter(|&e| condition(e).is_some_and(moves)).collect()
}

/// What vanishes where a function switches.
fn condition(e: Expr) -> Option<Expr> {
    match (e.op(), &e.arguments()[..]) {
        (Op::Abs | Op::Sign, &[u]) | (Op::IfNegative | Op::IfZero, &[u, ..]) => Some(u),
        (Op::Min | Op::Max, &[a, b]) => Some(a - b),
        _ => None,
    }
}

/// May an angle that moves come back by a whole or half turn?
fn may_turn(e: Expr) -> bool {
    let is_pole = |one: &Expr| {
        let negative = || one.arguments().iter().filter_map(|e| e.as_number()).any(|number| number.is_negative());
        one.op() == Op::Tan || one.op() == Op::Power && negative()
    };
    let has_pole = |e: Expr| nodes(&[e]).iter().any(is_pole);
    match (e.op(), &e.arguments()[..]) {
        (Op::Atan2, arguments) => arguments.iter().any(|&one| moves(one)),
        (Op::Atan, &[one]) => moves(one) && has_pole(one),
        _ => false,
    }
}

fn moves(e: Expr) -> bool {
    e.symbols().iter().any(|symbol| symbol.as_symbol().is_some_and(|symbol| symbol.kind != Kind::Parameter))
}

/// All parts of expressions.
fn nodes(list: &[Expr]) -> Vec<Expr> {
    let (mut seen, mut waiting, mut found) = (FxHashSet::default(), list.to_vec(), Vec::new());
    while let Some(e) = waiting.pop() {
        if seen.insert(e) {
            found.push(e);
            waiting.extend(e.arguments());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_jumps_unless_both_sides_meet() {
        let _scope = expr::Scope::with_seed(1);
        let t = expr::time();
        let jumps = |text: &str| {
            let e = expr::parse(text).unwrap();
            let e = Substitution::from([(expr::parameter("x"), t)]).apply_one(e).unwrap();
            jump(&[e], &Assumptions::none())
        };
        for text in [
            "sign(x)",
            "x*sign(x - a)",
            "if(x > a, x, 0)",
            "abs(x) + sign(x)",
            "x/abs(x)",
            "atan(1/x)",
            "atan2(sin(x), cos(x))",
        ] {
            assert!(jumps(text).is_some(), "{text}");
        }
        for text in
            ["x*sign(x)", "if(x > a, x - a, 0)", "abs(x)", "sign(a)", "max(x, a)", "x^2*sign(x) + if(x < 0, x, 0)"]
        {
            assert_eq!(jumps(text), None, "{text}");
        }
    }
}

//! Does an expression jump on a motion? Its slope does not tell: that of sign(x) is zero wherever there is one.
//!
//! ```text
//! sign(u), if(u < 0, a, b)      e with u > 0 less e with u < 0, where u = 0: a jump unless that vanishes          (1)
//! |u|, min, max                 do not jump; their slopes do                                                     (2)
//! ```

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
    let mut conditions: Vec<Expr> = switches.iter().map(|one| one.arguments()[0]).collect();
    conditions.dedup();
    conditions.into_iter().find_map(|u| {
        let own: Vec<Expr> = switches.iter().copied().filter(|one| one.arguments()[0] == u).collect();
        let there = assumptions.clone().and(u, Comparison::Equal, Expr::zero());
        let jumps = |&e: &Expr| {
            let [above, below] = [Side::Above, Side::Below].map(|side| on(side, e, &own));
            !matches!((above, below), (Some(above), Some(below)) if proof::decide(above - below, &there).is_zero())
        };
        list.iter().any(jumps).then(|| own[0].brief())
    })
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
    let moves = |symbol: &Expr| {
        let symbol = symbol.as_symbol();
        symbol.is_some_and(|symbol| symbol.kind != Kind::Parameter)
    };
    let switches = |e: &Expr| {
        matches!(e.op(), Op::Sign | Op::IfNegative | Op::IfZero) && e.arguments()[0].symbols().iter().any(moves)
    };
    nodes(list).into_iter().filter(switches).collect()
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
        for text in ["sign(x)", "x*sign(x - a)", "if(x > a, x, 0)", "abs(x) + sign(x)"] {
            assert!(jumps(text).is_some(), "{text}");
        }
        for text in
            ["x*sign(x)", "if(x > a, x - a, 0)", "abs(x)", "sign(a)", "max(x, a)", "x^2*sign(x) + if(x < 0, x, 0)"]
        {
            assert_eq!(jumps(text), None, "{text}");
        }
    }
}

//! Do the equations have slopes at a state, the same on both sides of it?
//!
//! ```text
//! |g(x + h) − g(x − h)|      falls with h where g is smooth, and stays where it bends or jumps      (1)
//! ```
//!
//! Values and slopes are compared at two distances, along every coordinate and rate. What bends is named by its load.

use expr::{At, Expr, Op, Substitution};
use mechanics::chart::ChartKind;
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;
use mechanics::{Mode, System};
use rustc_hash::FxHashSet;

use super::equations::{By, Equations, Of, State};
use engine::Loaded;

/// Distances from the state, in units of the size of a coordinate.
const STEPS: [f64; 2] = [1e-5, 1e-7];
/// What stays of a difference when the distance falls to a hundredth, if something bends.
const STAYS: f64 = 0.5;
/// How much steeper an infinite slope is at least when the distance falls to a hundredth.
const STEEPER: f64 = 1.2;
/// A difference that is smaller, relative to what is compared, is rounding.
const SMALL: f64 = 1e-7;
/// A number that is smaller, relative to its terms, is zero.
const ZERO: f64 = 1e-9;

/// Why there are no linear equations at a state: a load, or an equation, that bends, jumps or has an infinite slope there.
pub fn refusal(loaded: &Loaded, mode: &Mode, equations: &Equations, state: &State) -> Option<String> {
    let doubtful = doubtful(&equations.list);
    if doubtful.is_empty() {
        return None;
    }
    let at = equations.at(state);
    let here: Vec<Expr> = doubtful.into_iter().filter(|part| is_here(&at, *part)).collect();
    let bent = || match here.is_empty() {
        true => None,
        false => one_sided(equations, state).or_else(|| bent(equations, state)),
    };
    let (row, what) = infinite(equations, state).or_else(bent)?;
    let named = load_with(loaded, mode, &at, &here).unwrap_or_else(|| equation_of(equations, row));
    Some(match what == NOT_COMPUTED {
        true => format!("{named} {what} at this state; written otherwise, without a root of zero, it may have one"),
        false => format!(
            "{named} {what} at this state: there is no linear approximation; another state beside it may have one"
        ),
    })
}

/// Said where a slope is no number and does not grow beside the state: of cbrt(x)^4 it is a product of zero and infinity.
const NOT_COMPUTED: &str = "has a slope that is not computed";

/// Rows that are looked at.
fn rows(equations: &Equations) -> impl Iterator<Item = usize> {
    [Of::Motion, Of::Velocity, Of::Position].map(|of| equations.of(of)).into_iter().flatten()
}

/// A row with a slope that is no number.
fn infinite(equations: &Equations, state: &State) -> Option<(usize, &'static str)> {
    let (_, slopes) = equations.plain_slopes(state);
    let width = equations.by(By::Rate).end;
    let row = rows(equations).find(|&row| slopes[row][..width].iter().any(|x| !x.is_finite()))?;
    let grows = (0..width).filter(|&k| !slopes[row][k].is_finite()).any(|k| is_steeper(equations, state, row, k));
    Some((row, if grows { "has an infinite slope" } else { NOT_COMPUTED }))
}

/// Whether a row is steeper along an unknown the nearer one comes, on either side, or has no slope beside the state either.
fn is_steeper(equations: &Equations, state: &State, row: usize, k: usize) -> bool {
    let slope = |step: f64| equations.plain_slopes(&moved(equations, state, k, step)).1[row][k].abs();
    [1.0, -1.0].into_iter().any(|side| {
        let [wide, narrow] = STEPS.map(|step| slope(side * step));
        !narrow.is_finite() || narrow > STEEPER * wide
    })
}

/// A row that has a value at the state and none a little beside it, as x^(5/2) at zero.
fn one_sided(equations: &Equations, state: &State) -> Option<(usize, &'static str)> {
    let values = |state: &State| equations.plain_slopes(state).0;
    let here = values(state);
    let beside = (0..equations.by(By::Rate).end).flat_map(|k| [1.0, -1.0].map(|side| (k, side * STEPS[1])));
    let mut beside = beside.map(|(k, step)| values(&moved(equations, state, k, step)));
    let row = beside.find_map(|there| rows(equations).find(|&row| here[row].is_finite() && there[row].is_nan()))?;
    Some((row, "has values on one side only"))
}

/// Values and slopes beside a state.
type Beside = (Vec<f64>, Vec<Vec<f64>>);

/// (1): a row that bends or jumps.
fn bent(equations: &Equations, state: &State) -> Option<(usize, &'static str)> {
    let width = equations.by(By::Rate).end;
    for k in 0..width {
        let beside = |step: f64| equations.plain_slopes(&moved(equations, state, k, step));
        let [wide, narrow] = STEPS.map(|step| (beside(step), beside(-step)));
        for row in rows(equations) {
            let stays = |get: &dyn Fn(&Beside) -> f64, least: f64| {
                let gap = |pair: &(_, _)| (get(&pair.0) - get(&pair.1)).abs();
                gap(&narrow) > least && gap(&narrow) > STAYS * gap(&wide)
            };
            // slopes are compared with the largest of the row, values with both
            let slopes = narrow.0.1[row].iter().chain(&narrow.1.1[row]).fold(0.0_f64, |size, x| size.max(x.abs()));
            let values = narrow.0.0[row].abs().max(narrow.1.0[row].abs());
            if stays(&|side| side.0[row], SMALL * values.max(slopes)) {
                return Some((row, "jumps"));
            }
            if (0..width).any(|j| stays(&|side| side.1[row][j], SMALL * slopes)) {
                return Some((row, "bends"));
            }
        }
    }
    None
}

/// A state a step away along a coordinate or a rate.
fn moved(equations: &Equations, state: &State, k: usize, step: f64) -> State {
    let (n, mut next) = (equations.n(), state.clone());
    let x = if k < n { &mut next.q[k] } else { &mut next.q_dot[k - n] };
    *x += step * x.abs().max(1.0);
    next
}

/// Parts of expressions that may bend, jump or have infinite slopes, each once.
fn doubtful(list: &[Expr]) -> Vec<Expr> {
    let (mut found, mut seen, mut waiting) = (Vec::new(), FxHashSet::default(), list.to_vec());
    while let Some(e) = waiting.pop() {
        if !seen.insert(e) {
            continue;
        }
        let is_root = || e.arguments()[1].as_number().is_none_or(|power| power.to_i64().is_none());
        let is_one = match e.op() {
            Op::Abs | Op::Min | Op::Max | Op::Sign | Op::IfNegative | Op::IfZero | Op::Cbrt | Op::Asin | Op::Acos => {
                true
            }
            Op::Power => is_root(),
            _ => false,
        };
        if is_one && !e.is_constant() {
            found.push(e);
        }
        waiting.extend(e.arguments());
    }
    found
}

/// Whether something switches as time goes on.
pub fn switches_with(time: Expr, list: &[Expr]) -> bool {
    let is_switch = |part: &Expr| !matches!(part.op(), Op::Power | Op::Cbrt | Op::Asin | Op::Acos);
    doubtful(list).iter().any(|part| is_switch(part) && part.symbols().contains(&time))
}

/// Whether a part switches, or takes a root of zero, at a state.
fn is_here(at: &At, part: Expr) -> bool {
    let arguments = part.arguments();
    let gaps: Vec<Expr> = match part.op() {
        Op::Min | Op::Max => vec![arguments[0] - arguments[1]],
        Op::Asin | Op::Acos => vec![arguments[0] - Expr::one(), arguments[0] + Expr::one()],
        _ => vec![arguments[0]],
    };
    gaps.iter().any(|&gap| at.value(gap).abs() <= ZERO * at.size(gap) || at.value(gap).is_nan())
}

/// The load that one of these parts stands in, as it is written and with its place.
fn load_with(loaded: &Loaded, mode: &Mode, at: &At, parts: &[Expr]) -> Option<String> {
    let system = &loaded.system;
    let none = Rows::default();
    let given = Ingredients::of(system, mode, &none, ChartKind::Rates, at);
    let has_part = |load: &usize| forces(system, &given, *load).is_some_and(|list| stands_in(&list, parts));
    let load = (0..system.loads.len()).find(has_part)?;
    let (source, span) = loaded.model.sources.local(system.loads[load].span);
    let line = source.position(span.start).line;
    Some(format!("`{}` ({}, line {line})", source.line(line).trim(), source.name))
}

/// What a load does to the coordinates.
fn forces(system: &System, given: &Ingredients<'_>, load: usize) -> Option<Vec<Expr>> {
    let own = given.free().ok()?.efforts[load].clone();
    let pairs: Vec<(Expr, Expr)> = own.iter().map(|effort| (effort.velocity, effort.force)).collect();
    let forces = given.thawed(&expr::pullback(&pairs, &given.q_dot).ok()?).ok()?;
    let inputs: Substitution = system.inputs.iter().filter_map(|one| Some((one.symbol, one.value?))).collect();
    inputs.apply(&forces).ok()
}

/// Whether one of some parts stands in one of these expressions.
fn stands_in(list: &[Expr], parts: &[Expr]) -> bool {
    let (mut seen, mut waiting) = (FxHashSet::default(), list.to_vec());
    while let Some(e) = waiting.pop() {
        if parts.contains(&e) {
            return true;
        }
        if seen.insert(e) {
            waiting.extend(e.arguments());
        }
    }
    false
}

/// The name of a row of the equations.
fn equation_of(equations: &Equations, row: usize) -> String {
    match row.checked_sub(equations.of(Of::Motion).start) {
        Some(s) if equations.of(Of::Motion).contains(&row) => {
            format!("the equation of motion of `{}`", equations.names[s])
        }
        _ => "a constraint".to_owned(),
    }
}

//! Do forces that depend on rates take energy out, whatever the motion?
//!
//! ```text
//! damper c         c l'^2 ≥ 0 if c ≥ 0 and l changes with the coordinates alone                       (1)
//! dissipation D    q'·∂D/∂q' ≥ 0: by its shape, or since D is a form with constant coefficients       (2)
//! other forces     q'·(Q(q, q') − Q(q, 0)) ≤ 0 by its shape, all of them together                       (3)
//! ```
//!
//! The first approximation at rest is not enough: −x² x'^2 feeds energy, and is zero at x = 0.

use expr::{Comparison, Expr, Substitution};
use linear::Matrix;
use linear::jacobi::symmetric;
use mechanics::{LoadKind, Mode, System};

use super::Trouble;
use super::statics::{Damping, Turning, math, still};
use algebra::Condition;
use engine::Loaded;

/// An eigenvalue of a form that is smaller, relative to the largest, is zero.
const ZERO: f64 = 1e-12;

/// What forces that depend on rates do.
pub fn damping(loaded: &Loaded, mode: &Mode, Q: &[Expr], turning: &[Turning]) -> Result<Damping, Trouble> {
    let system = &loaded.system;
    let slow = still(system).apply(Q).map_err(math)?;
    let moves = Q.iter().zip(&slow).any(|(&all, &rest)| !(all - rest).is_zero());
    Ok(match moves {
        false => Damping::None,
        true if !only_dampers(system, mode) => match takes_together(loaded, Q, &slow, turning) {
            true => Damping::Dissipative,
            false => Damping::Other,
        },
        true if mode.loads(system).all(|load| takes(loaded, &load.kind, turning)) => Damping::Dissipative,
        true => Damping::Doubtful,
    })
}

/// (3); where something turns or thrusts at rest, rates do not vanish with the motion.
fn takes_together(loaded: &Loaded, Q: &[Expr], slow: &[Expr], turning: &[Turning]) -> bool {
    let system = &loaded.system;
    let is_plain = turning.is_empty()
        && system.points.iter().all(|point| point.exhaust.is_none())
        && system.inputs.iter().all(|input| input.value.is_none());
    let rates = system.q_dot();
    let power = || rates.iter().zip(Q.iter().zip(slow)).map(|(&rate, (&all, &rest))| rate * (rest - all)).sum();
    is_plain && Q.len() == rates.len() && is_never_negative(loaded, power())
}

/// Whether a load takes energy out of every motion, or does not depend on rates.
fn takes(loaded: &Loaded, load: &LoadKind, turning: &[Turning]) -> bool {
    let system = &loaded.system;
    match load {
        LoadKind::Damper { coefficient, ends } => {
            let gap = |k: usize| ends[0].position.0[k] - ends[1].position.0[k];
            let square: Expr = (0..3).map(|k| gap(k) * gap(k)).sum();
            let stays = |symbol: Expr| expr::derivative(square, symbol).is_ok_and(|slope| slope.is_zero());
            let is_still = stays(system.time) && turning.iter().all(|one| stays(system.coordinates[one.coordinate].q));
            is_still && is_never_negative(loaded, *coefficient)
        }
        LoadKind::Dissipation(D) => dissipates(loaded, *D, turning).unwrap_or(false),
        _ => true,
    }
}

/// (2)
fn dissipates(loaded: &Loaded, D: Expr, turning: &[Turning]) -> Option<bool> {
    let rates = loaded.system.q_dot();
    let turns = |symbol: &Expr| turning.iter().any(|one| rates[one.coordinate] == *symbol);
    if D.symbols().iter().any(turns) {
        return Some(false);
    }
    let slopes = expr::gradient(D, &rates).ok()?;
    let power: Expr = rates.iter().zip(&slopes).map(|(&rate, &slope)| rate * slope).sum();
    if is_never_negative(loaded, power) {
        return Some(true);
    }
    // twice a form is the power of it
    if !(power - 2 * D).is_zero() {
        return Some(false);
    }
    let felt: Vec<usize> = (0..rates.len()).filter(|&k| !slopes[k].is_zero()).collect();
    let entry = |i: usize, j: usize| expr::derivative(slopes[i], rates[j]).ok();
    let mut form = Matrix::zeros(felt.len(), felt.len());
    for (i, &row) in felt.iter().enumerate() {
        for (j, &column) in felt.iter().enumerate() {
            let value = values(loaded, entry(row, column)?)?;
            form[i][j] = value.is_constant().then(|| loaded.at.value(value))?;
        }
    }
    let found = symmetric(form).ok()?.values;
    let largest = found.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    Some(found.iter().all(|x| *x >= -ZERO * largest))
}

/// Whether an expression is never negative with the values of the model.
fn is_never_negative(loaded: &Loaded, e: Expr) -> bool {
    let Some(value) = values(loaded, e) else { return false };
    algebra::judge(&Condition { value, comparison: Comparison::AtLeast }, &[]) == Some(true)
}

/// An expression with the values of the model.
fn values(loaded: &Loaded, e: Expr) -> Option<Expr> {
    let given: Substitution =
        loaded.system.parameters.iter().filter_map(|one| Some((one.symbol, one.value?))).collect();
    given.apply_one(e).ok()
}

/// Whether rates stand in no load but dampers and dissipation functions.
fn only_dampers(system: &System, mode: &Mode) -> bool {
    let rates = system.q_dot();
    let still = |e: &Expr| !e.symbols().iter().any(|symbol| rates.contains(symbol));
    mode.loads(system).all(|load| match &load.kind {
        LoadKind::Force { force, at, .. } => force.0.iter().chain(&at.0).all(still),
        LoadKind::Torque { along, .. } => along.iter().all(|(_, part)| part.0.iter().all(still)),
        LoadKind::Generalized { force, .. } => still(force),
        LoadKind::Spring { stiffness, rest, .. } => still(stiffness) && still(rest),
        _ => true,
    }) && system.points.iter().all(|point| point.exhaust.is_none())
        && system.inputs.iter().all(|input| input.value.is_none_or(|value| still(&value)))
}

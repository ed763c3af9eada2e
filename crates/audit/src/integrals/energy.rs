//! Why is the energy not constant? By the terms of its rate (1) that do not vanish; and which potential was not declared?
//!
//! ```text
//! F = Q + ∂V/∂q = F₀ + F₁ q   and symmetric   ⇒   U = −F₀·q − ½ q·F₁ q,   T + V + U constant                     (2)
//! ```

use expr::{Expr, Substitution};
use mechanics::balance::potential_energy;

use crate::audit::{Auditor, Vanishing};

/// The potential (2) of forces that were declared as forces, if they are constant or linear in the coordinates.
pub fn undeclared(auditor: &Auditor<'_>) -> Option<Expr> {
    let q = &auditor.given.q;
    let forces = forces(auditor)?;
    let origin: Substitution = q.iter().map(|&q| (q, Expr::zero())).collect();
    let first = origin.apply(&forces).ok()?;
    let half = Expr::one() / Expr::from(2);
    let parts = forces.iter().zip(&first).zip(q).map(|((&force, &first), &q)| -(first + force) * half * q);
    let U: Expr = parts.sum();
    let slopes = expr::gradient(U, q).ok()?;
    if !have_potential(auditor, &forces) {
        return None;
    }
    let is_potential = slopes.iter().zip(&forces).all(|(&slope, &force)| (slope + force).is_zero());
    (is_potential && !U.is_zero()).then_some(U)
}

/// Q + ∂V/∂q: what V does not account for.
fn forces(auditor: &Auditor<'_>) -> Option<Vec<Expr>> {
    let given = auditor.given;
    let slope = expr::gradient(potential_energy(&auditor.loaded.system).ok()?, &given.q).ok()?;
    let forces: Vec<Expr> = given.Q().ok()?.iter().zip(&slope).map(|(&force, &slope)| force + slope).collect();
    inputs(auditor).apply(&given.thawed(&forces).ok()?).ok()
}

/// Inputs with what the model says of them.
fn inputs(auditor: &Auditor<'_>) -> Substitution {
    let inputs = auditor.loaded.system.inputs.iter();
    inputs.filter_map(|input| Some((input.symbol, input.value?))).collect()
}

/// Whether forces are functions of the position alone, with ∂F_i/∂q_j = ∂F_j/∂q_i.
fn have_potential(auditor: &Auditor<'_>, forces: &[Expr]) -> bool {
    let q = &auditor.given.q;
    let system = &auditor.loaded.system;
    let changes = |symbol: &Expr| {
        auditor.given.q_dot.contains(symbol)
            || *symbol == system.time
            || system.inputs.iter().any(|input| input.symbol == *symbol)
            || system.states.iter().any(|state| state.symbol == *symbol)
    };
    if forces.iter().any(|force| force.symbols().iter().any(changes)) {
        return false;
    }
    let slopes: Option<Vec<Vec<Expr>>> = forces.iter().map(|&force| expr::gradient(force, q).ok()).collect();
    slopes.is_some_and(|rows| (0..q.len()).all(|i| (0..i).all(|j| (rows[i][j] - rows[j][i]).is_zero())))
}

/// Whether the energy is constant on every motion.
pub fn judged(auditor: &Auditor<'_>) -> Vanishing {
    let energy = mechanics::balance::energy(auditor.given).map_err(|error| error.to_string());
    let energy = energy.and_then(|e| auditor.given.thawed(&[e]).map_err(|error| error.to_string()));
    match energy {
        Ok(energy) => auditor.is_constant(energy[0]),
        Err(why) => Vanishing::Undecided(why),
    }
}

/// What changes the energy, in words.
pub fn why_not(auditor: &Auditor<'_>) -> Vec<String> {
    powers(auditor).unwrap_or_default()
}

fn powers(auditor: &Auditor<'_>) -> Option<Vec<String>> {
    let (given, system) = (auditor.given, &auditor.loaded.system);
    let V = potential_energy(system).ok()?;
    let (T, E, Q) = (given.T().ok()?, given.E().ok()?, given.Q().ok()?);
    let slope = expr::gradient(V, &given.q).ok()?;
    let along = |list: &[Expr]| -> Expr { list.iter().zip(&given.q_dot).map(|(&e, &rate)| e * rate).sum() };
    let forces: Vec<Expr> = Q.iter().zip(&slope).map(|(&force, &slope)| force + slope).collect();
    let inputs = inputs(auditor);
    let vanishes = |power: Expr| {
        let quiet = inputs.apply(&given.thawed(&[power]).ok()?).ok()?;
        auditor.solution.put(&quiet).map(|put| put[0].is_zero())
    };
    let mut reasons = Vec::new();
    if vanishes(along(&forces)) == Some(false) {
        let declared = match self::forces(auditor).is_some_and(|forces| have_potential(auditor, &forces)) {
            true => "forces do work whose potential is not declared (`potential` declares it)",
            false => "forces without a potential do work",
        };
        reasons.push(declared.to_owned());
    }
    if vanishes(expr::derivative(V, system.time).ok()?) == Some(false) {
        reasons.push("the potential energy changes with time by itself".to_owned());
    }
    for (is_second, why) in [(false, "not homogeneous in the rates"), (true, "of second order")] {
        let works =
            |row: &&mechanics::rows::Row| (row.order == 2) == is_second && vanishes(along(&row.A)) == Some(false);
        let names: Vec<String> = auditor.rows.list.iter().filter(works).map(|row| format!("`{}`", row.name)).collect();
        match &names[..] {
            [] => {}
            [one] => reasons.push(format!("the constraint {one} may do work, since it is {why}")),
            all => reasons.push(format!("the constraints {} may do work, since they are {why}", all.join(", "))),
        }
    }
    if vanishes(expr::total_derivative(T).ok()? - along(E)) == Some(false) {
        reasons.push("the kinetic energy contains a drive or a mass that changes with time".to_owned());
    }
    Some(reasons)
}

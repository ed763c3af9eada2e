//! Why is the energy not constant? By the terms of its rate (1) that do not vanish.

use expr::Expr;
use mechanics::balance::potential_energy;

use crate::audit::Auditor;

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
    let inputs: Vec<(Expr, Expr)> =
        system.inputs.iter().filter_map(|input| Some((input.symbol, input.value?))).collect();
    let vanishes = |power: Expr| {
        let quiet = expr::substitute(&given.thawed(&[power]).ok()?, &inputs).ok()?;
        auditor.solution.put(&quiet).map(|put| put[0].is_zero())
    };
    let mut reasons = Vec::new();
    if vanishes(along(&forces)) == Some(false) {
        reasons.push("forces without a potential do work".to_owned());
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

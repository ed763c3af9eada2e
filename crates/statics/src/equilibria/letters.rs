//! What can be said in letters: the virtual work that rest is judged by, and the whole set where parameters have no values.
//!
//! ```text
//! δA = Σ Qᵢ δqᵢ,   Qᵢ = −∂Π/∂qᵢ where the forces have a potential      at rest, inertial forces of turning frames counted
//! ```

use engine::{Loaded, Ordered, Progress};
use expr::{Expr, Formula, Substitution};
use mechanics::chart::ChartKind;
use mechanics::ingredients::Ingredients;
use serde::Serialize;

use super::statics::Statics;
use super::{EquilibriumSet, Trouble, answer, bad, choice, exact, supports, unknowns};

/// Longer expressions, in operations, are not written out.
const MOST_OPERATIONS: usize = 300;

/// The virtual work of the forces at rest, without reactions.
#[derive(Clone, Debug, Serialize)]
pub struct VirtualWork {
    /// What each displacement is multiplied with: the generalized forces.
    pub forces: Ordered<Formula>,
    /// The energy whose slopes they are, with their signs changed; without it the forces have none, or none was proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub potential: Option<Formula>,
}

/// The virtual work, unless it is too long to be read.
pub fn virtual_work(loaded: &Loaded, statics: &Statics) -> Option<VirtualWork> {
    // forces act on coordinates that nothing depends on, too
    let is_told = |s: &usize| statics.searched.contains(s) || !statics.force[*s].is_zero();
    let acting = || statics.moving().filter(is_told).map(|s| (statics.names[s].clone(), statics.force[s]));
    let is_short = |e: Expr| e.operations() <= MOST_OPERATIONS;
    if !acting().all(|(_, force)| is_short(force)) {
        return None;
    }
    let written = |e: Expr| Formula::of(expr::simplify(e, &[]));
    let potential = potential(loaded, statics).filter(|&energy| is_short(energy)).map(written);
    Some(VirtualWork { forces: acting().map(|(name, force)| (name, written(force))).collect(), potential })
}

/// V − T₀ at rest, if the forces are its slopes.
pub fn potential(loaded: &Loaded, statics: &Statics) -> Option<Expr> {
    if !statics.is_potential || statics.is_nonholonomic() {
        return None;
    }
    let system = &loaded.system;
    let given = Ingredients::of(system, &statics.mode, &statics.rows, ChartKind::Rates, &loaded.at);
    let V = mechanics::balance::potential_energy(system).ok()? - given.T().ok()?;
    let V = given.thawed(&[V]).ok()?[0];
    let at_rest = |(s, one): (usize, &mechanics::Coordinate)| {
        let turning = statics.turning.iter().find(|turning| turning.coordinate == s);
        let rate = turning.map_or_else(Expr::zero, |turning| turning.rate);
        [(one.q_dot, rate)].into_iter().chain(turning.map(|turning| (one.q, turning.position))).collect::<Vec<_>>()
    };
    let is_moving = |one: &&mechanics::Input| one.symbol.as_symbol().is_some_and(|one| one.kind == expr::Kind::Input);
    let inputs = system.inputs.iter().filter(is_moving).map(|one| (one.symbol, one.value.unwrap_or_else(Expr::zero)));
    let rest: Substitution = system.coordinates.iter().enumerate().flat_map(at_rest).chain(inputs).collect();
    let V = rest.apply_one(V).ok()?;
    let is_slope = |s: usize| expr::derivative(V, statics.q[s]).is_ok_and(|slope| (slope + statics.force[s]).is_zero());
    statics.moving().all(is_slope).then_some(V)
}

/// More one-sided constraints are not looked at in letters: each may be closed or open.
const MOST_SUPPORTS: usize = 3;

/// The set where some parameters have no values: branches in letters, and nothing in numbers. One-sided constraints are closed or
/// open; a closed one pushes, an open one is at a distance, and both are conditions where their signs are not proved.
pub fn solved(
    loaded: &Loaded,
    relative: &[(usize, Expr)],
    missing: Vec<String>,
    notes: Vec<String>,
    progress: &mut dyn Progress,
) -> Result<EquilibriumSet, Trouble> {
    let supports = loaded.system.constraints.iter().filter(|one| one.is_one_sided()).count();
    if supports > MOST_SUPPORTS {
        let message = format!(
            "{supports} one-sided constraints are more than {MOST_SUPPORTS}, and {} has no value: which of them hold is decided by numbers",
            missing[0]
        );
        return Err(bad(&message, "give values, or make constraints two-sided with `=`"));
    }
    let mut answer = answer::empty(loaded, notes);
    answer.without_values = missing;
    let mut open = Vec::new();
    for choice in choice::choices(loaded, &mut Vec::new()) {
        let mode = choice::mode(loaded, &choice);
        let rows = choice::rows(loaded, &mode)?;
        let statics = Statics::new(loaded, mode, rows, relative, unknowns(loaded), &mut answer.notes)?;
        if let Some(why) = statics.inadmissible() {
            (answer.admissible, answer.completeness) = (false, why);
            return Ok(answer);
        }
        // with all supports open nothing may be left to look for
        let known = answer.virtual_work.take().filter(|work| !work.forces.is_empty());
        answer.virtual_work = known.or_else(|| virtual_work(loaded, &statics));
        let found = exact::branches(loaded, &statics, progress);
        match found.and_then(|found| supports::pushing(loaded, &statics, &choice, found)) {
            Ok(found) => answer::take(&mut answer, found),
            Err(why) => open.push(format!("{why}{}", supports::said(loaded, &choice))),
        }
    }
    answer.notes.dedup();
    (answer.complete, answer.decided) = (open.is_empty(), open.is_empty());
    answer.completeness = match open.is_empty() {
        true => "proved: the equations were solved exactly, for all values that the assumptions allow".to_owned(),
        false => format!(
            "not solved in letters: {}; `assume` lines that give signs of parameters may help, and with values it is \
             looked for in numbers",
            open.join("; ")
        ),
    };
    Ok(answer)
}

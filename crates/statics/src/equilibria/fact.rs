//! Is a place that somebody names an equilibrium, and stable as they say?
//!
//! Nothing moves there, and nothing starts to: all accelerations vanish. Then the verdict of `stability.rs`.

use expr::{At, Expr, Substitution};
use mechanics::{Equation, Fact, Mode, Relation, StartReport, System};

use super::program::Program;
use super::stability::Rest;
use super::statics::{Statics, Wanted};
use super::{Equilibria, Trouble, ground, set, stability};
use dynamics::Solved;
use engine::Loaded;
use engine::forms::numbers;

/// What is found.
pub enum Verdict {
    /// It is as they say.
    Right,
    /// It is not, in words.
    Wrong(String),
    /// Nobody knows, for this reason.
    Unknown(String),
}

/// Accelerations smaller than this are zero.
const STILL: f64 = 1e-9;

/// Judges an `equilibrium` fact; a rough contact holds as in the mode.
pub fn judged(loaded: &Loaded, mode: &Mode, fact: &Fact) -> Option<Verdict> {
    let Fact::Equilibrium { equations, stability } = fact else { return None };
    if let Some(error) = engine::observe::unspecified(loaded) {
        return Some(Verdict::Unknown(error.message().to_owned()));
    }
    let system = &loaded.system;
    // loads that statics finds may be given with the place
    let load = |equation: &&Relation| {
        let (left, _, right) = equation.scalars()?;
        system.unknowns.iter().any(|unknown| unknown.symbol == left).then_some((left, right))
    };
    let loads: Substitution = equations.iter().filter_map(|equation| load(&equation)).collect();
    let places = equations.iter().filter(|equation| load(equation).is_none());
    let lines = places.map(|equation| system.equations(&equation.tree).ok());
    let Some(lines) = lines.collect::<Option<Vec<_>>>() else {
        return Some(Verdict::Unknown("the place cannot be read".to_owned()));
    };
    let mut lines = lines.concat();
    if let Err(Trouble::Bad(error)) = rest_states(loaded, &mut lines) {
        return Some(Verdict::Unknown(error.message().to_owned()));
    }
    let report = mechanics::state(system, &lines, &system.guesses);
    if let Some(why) = beyond(system, &report.at(system)) {
        return Some(Verdict::Unknown(why));
    }
    if let Some(contradiction) = report.contradictions.first() {
        let row = &report.rows[contradiction.row].name;
        return Some(Verdict::Wrong(format!("The constraints do not allow this place: it contradicts `{row}`.")));
    }
    if !report.missing.is_empty() {
        return Some(Verdict::Unknown(format!("{} has no value", report.missing.join(", "))));
    }
    let there = report.at(system);
    let loads: Vec<(Expr, f64)> = loads.into_iter().map(|(symbol, value)| (symbol, there.value(value))).collect();
    let there = report.at_with(system, &loads);
    let Some(solved) = solved(loaded, mode, &there) else {
        return Some(Verdict::Unknown("the accelerations are not determined there".to_owned()));
    };
    Some(compared(loaded, &report, solved, &loads, *stability))
}

/// Why the model says nothing of a place: a contact is on another side there than at the start.
fn beyond(system: &System, there: &At) -> Option<String> {
    let (contact, root, _) = mechanics::contact::sides(system).find(|side| there.value(side.1) <= 0.0)?;
    let name = &system.contacts[contact].name;
    Some(format!("`{name}` holds while {root} > 0, as at the start: nothing is said of this place"))
}

/// States that the place does not name are as their laws say at rest.
fn rest_states(loaded: &Loaded, lines: &mut Vec<Equation>) -> Result<(), Trouble> {
    let system = &loaded.system;
    let is_named = |state: &mechanics::FirstOrder| lines.iter().any(|one| one.left == state.symbol);
    if system.states.iter().all(is_named) {
        return Ok(());
    }
    let inputs: Substitution = system.inputs.iter().filter_map(|one| Some((one.symbol, one.value?))).collect();
    let put = |list: &[Expr]| inputs.apply(list).map_err(super::statics::math);
    let lawful = super::lawful::Lawful::of(system, &super::statics::still(system), put, &loaded.at)?;
    let open = system.states.iter().zip(&lawful.at_rest).filter(|(state, _)| !is_named(state));
    let equation = |(state, &(left, right)): (&mechanics::FirstOrder, &(Expr, Expr))| {
        let text = format!("{} = {right}", state.name);
        Equation { left, right, axis: None, text, span: state.span }
    };
    let more: Vec<Equation> = open.map(equation).collect();
    lines.extend(more);
    Ok(())
}

/// The accelerations at a place, where a rough contact holds as in the mode.
fn solved(loaded: &Loaded, mode: &Mode, at: &At) -> Option<Solved> {
    let mode = Mode { held: mode.held.clone(), ..Mode::at(&loaded.system, at).ok()? };
    numbers(loaded, &mode, at, loaded.kind(), None).ok()?.ok()
}

/// The verdict on a place with these loads and accelerations.
fn compared(
    loaded: &Loaded,
    report: &StartReport,
    solved: Solved,
    loads: &[(Expr, f64)],
    claimed: Option<model::Stability>,
) -> Verdict {
    let there = report.at(&loaded.system);
    let rates = loaded.system.states.iter().map(|state| (&state.name, there.value(state.rate)));
    let moves: Vec<String> = solved
        .numbers
        .accelerations
        .iter()
        .filter(|value| value.1.abs() >= STILL)
        .map(|(symbol, value)| format!("{symbol} = {}", expr::decimal(*value)))
        .chain(
            rates.filter(|one| one.1.abs() >= STILL).map(|(name, rate)| format!("{name}' = {}", expr::decimal(rate))),
        )
        .collect();
    if !moves.is_empty() {
        return Verdict::Wrong(format!("A system that rests there starts to move: {}.", moves.join(", ")));
    }
    let Some(claimed) = claimed else { return Verdict::Right };
    let found = match found(loaded, report, solved, loads) {
        Ok(found) => found,
        Err(Trouble::Bad(error)) => return Verdict::Unknown(error.to_string()),
    };
    let is_stable = matches!(found.verdict, Rest::Stable | Rest::AsymptoticallyStable);
    match (claimed, found.verdict) {
        (model::Stability::Stable, _) if is_stable => Verdict::Right,
        (model::Stability::Unstable, Rest::Unstable) => Verdict::Right,
        (_, Rest::Undecided | Rest::Neutral) => {
            Verdict::Unknown(format!("it is an equilibrium, {}: {}", found.verdict.word(), found.reason))
        }
        _ => Verdict::Wrong(format!("It is an equilibrium, but {}: {}.", found.verdict.word(), found.reason)),
    }
}

/// The stability of a place with these loads, in the mode that acts there.
fn found(
    loaded: &Loaded,
    report: &StartReport,
    solved: Solved,
    loads: &[(Expr, f64)],
) -> Result<stability::Stability, Trouble> {
    let mut notes = Vec::new();
    let name = |symbol: &Expr| Wanted { name: symbol.to_string(), symbol: *symbol };
    let wanted: Vec<Wanted> = loads.iter().map(|(symbol, _)| name(symbol)).collect();
    let statics = Statics::new(loaded, solved.mode, solved.recipe.rows.clone(), &[], wanted, &mut notes)?;
    let mut program = Program::new(loaded, &statics, statics.instants.clone())?;
    let ground = ground::ground(loaded, &statics, &Equilibria::default(), &mut program, &mut notes)?;
    let number = |value: &mechanics::StartValue| value.number.unwrap_or(0.0);
    program.elsewhere = report.coordinates.iter().map(number).collect();
    let q: Vec<f64> = program.searched.iter().map(|&s| program.elsewhere[s]).collect();
    let _ = ground;
    let mut z = program.with_multipliers(&q);
    let first = z.len() - loads.len();
    z[first..].iter_mut().zip(loads).for_each(|(z, load)| *z = load.1);
    let mut point = set::point(&program, z);
    let Some(nearby) = stability::Nearby::new(loaded, &statics) else {
        return Err(super::bad("a load has no value", "give it with the place"));
    };
    point.kink = super::kink::at(loaded, &statics, &program, &nearby, &point.z);
    Ok(stability::stability(&statics, &program, &nearby, &point))
}

//! What are accelerations, multipliers and reactions at a state?

use expr::{At, Expr, Rational, Substitution};
use mechanics::formalism::Formalism;
use mechanics::ingredients::Ingredients;
use mechanics::reaction::Acts;
use mechanics::rows::Rows;
use mechanics::{Mode, Sense, System};
use serde::Serialize;

use dynamics::{Frictions, NoNumbers, Numbers, Solved, Touch};
use engine::forms::numbers;
use engine::observe::{observed, unobserved, valueless};
use engine::reactions::{Acting, ContactReaction, JointReaction, carried};
use engine::{Error, Field, Loaded, Ordered, Progress, SharedLoad};

/// Numbers of the motion at one state.
#[derive(Clone, Debug, Serialize)]
pub struct Evaluation {
    /// The model.
    pub model: String,
    /// The title of the model.
    #[serde(skip)]
    pub title: String,
    /// The formalism by which they were found.
    pub form: &'static str,
    /// The accelerations q'', and u' of speeds.
    pub accelerations: Ordered<f64>,
    /// The rates of first-order states, `a'`.
    #[serde(skip_serializing_if = "Ordered::is_empty")]
    pub rates: Ordered<f64>,
    /// The accelerations as exact numbers, where the state is exact and they are rational.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<Ordered<String>>,
    /// The multipliers by row: `rod`, `noslip.x`.
    pub multipliers: Ordered<f64>,
    /// What each constraint does to points and bodies.
    pub reactions: Vec<Acting>,
    /// The reactions of contacts, at the points that touch.
    pub contact_reactions: Vec<ContactReaction>,
    /// The reactions of joints on their first bodies: a force, and a torque about the joint.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joint_reactions: Vec<JointReaction>,
    /// The sum of the forces of each constraint.
    pub resultants: Ordered<[f64; 3]>,
    /// What each constraint does to the coordinates.
    pub generalized_reactions: Ordered<Ordered<f64>>,
    /// Rows that share a load: what they carry together. What each of them carries is not determined, and not told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shared_loads: Vec<SharedLoad>,
    /// What the model observes: numbers, and lists of three for vectors.
    pub observes: Ordered<Vec<f64>>,
    /// The energy T + V.
    pub energy: Option<f64>,
    /// What is left of the constraints at this state, relative to their terms.
    pub residual: Option<f64>,
    /// Unilateral and rough constraints: `closed`, `leaves`, `open`, or `two solutions`.
    pub contact: Ordered<Touch>,
    /// What a rough contact does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction: Option<Frictions>,
    /// Where friction allows two solutions: both.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub solutions: Vec<Solution>,
    /// The state.
    pub state: Ordered<f64>,
    /// Remarks for the reader.
    pub notes: Vec<String>,
}

/// One of the solutions that friction allows.
#[derive(Clone, Debug, Serialize)]
pub struct Solution {
    /// `sticks`, `slides` or `leaves`.
    pub state: String,
    /// The accelerations.
    pub accelerations: Ordered<f64>,
    /// The multipliers.
    pub multipliers: Ordered<f64>,
}

/// An answer, or why there is none.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Evaluated {
    /// The numbers.
    Found(Box<Evaluation>),
    /// There are none.
    NoAnswer {
        /// The model.
        model: String,
        /// Why.
        reason: String,
        /// Rough contacts at which no acceleration is possible: `none`.
        #[serde(skip_serializing_if = "Option::is_none")]
        contact: Option<Ordered<Touch>>,
        /// The rough contact.
        #[serde(skip_serializing_if = "Option::is_none")]
        friction: Option<Frictions>,
    },
}

/// What is asked about a state.
#[derive(Clone, Debug, Default)]
pub struct Evaluate {
    /// The form by which numbers are found; the usual one if not said.
    pub form: Option<String>,
}

/// Accelerations, multipliers and reactions at the start, by a form of that name or the usual one.
pub fn evaluate(loaded: &Loaded, wanted: &Evaluate, _: &mut dyn Progress) -> Result<Evaluated, Error> {
    let _in = loaded.enter();
    let form = wanted.form.as_deref();
    if form == Some("all") {
        let all = Field::Form.asked("all");
        let hint = format!("`anholon derive {all}` writes every form; `anholon prove` tells whether they agree");
        return Err(Error::new("`evaluate` takes one form").hint(hint).of(Field::Form));
    }
    let chosen = form.map(engine::forms::known).transpose()?;
    engine::sound::coordinates(loaded)?;
    if let Some(error) = valueless(loaded) {
        return Err(error);
    }
    engine::sound::masses(loaded)?;
    if let Some(contradiction) = loaded.start.contradictions.first() {
        let row = &loaded.start.rows[contradiction.row].name;
        let misses = contradiction.misses_by.filter(|amount| amount.is_finite());
        let misses = misses.map_or(String::new(), |amount| format!(": it misses by {}", expr::decimal(amount)));
        return Err(no_state(&format!("`{row}` does not hold there{misses}"), "`anholon check` says more"));
    }
    let Some(touching) = &loaded.touching else { return at_start(loaded, &loaded.mode, chosen) };
    if touching.courses.is_empty() {
        let contact = Some(touching.words().collect());
        let (model, reason) = (loaded.file.clone(), touching.trouble().unwrap_or_default());
        return Ok(Evaluated::NoAnswer { model, reason, contact, friction: Some(touching.told()) });
    }
    let mut all = Vec::new();
    let free = loaded.mode.unheld();
    for course in &touching.courses {
        let mode = course.mode(&loaded.system, &free, &touching.contacts).map_err(Error::new)?;
        match at_start(loaded, &mode, chosen)? {
            Evaluated::Found(found) => all.push((course.words(), found)),
            no_answer => return Ok(no_answer),
        }
    }
    let mut first = all[0].1.clone();
    first.friction = Some(touching.told());
    first.notes.extend(loaded.taken.clone().filter(|_| all.len() == 1));
    if all.len() > 1 {
        first.contact = touching.words().collect();
        first.notes.extend(touching.trouble());
        first.solutions = all
            .into_iter()
            .map(|(state, found)| Solution {
                state,
                accelerations: found.accelerations,
                multipliers: found.multipliers,
            })
            .collect();
    }
    Ok(Evaluated::Found(first))
}

/// The numbers at the start in a mode.
fn at_start(loaded: &Loaded, mode: &Mode, chosen: Option<&'static Formalism>) -> Result<Evaluated, Error> {
    let no_answer =
        |reason: String| Ok(Evaluated::NoAnswer { model: loaded.file.clone(), reason, contact: None, friction: None });
    if let Some(reason) = loaded.system.laws.iter().find_map(|law| law.trouble(&loaded.at)) {
        return no_answer(reason);
    }
    let kind = loaded.kind();
    let Solved { numbers: found, mode, recipe, .. } = match numbers(loaded, mode, &loaded.at, kind, chosen)? {
        Ok(found) => found,
        Err(NoNumbers::NoState(reason)) => {
            return Err(no_state(
                &reason,
                "a state satisfies every constraint that acts there; `anholon check` says more",
            ));
        }
        Err(NoNumbers::NotApplicable(reason) | NoNumbers::Undetermined(reason)) => return no_answer(reason),
    };
    let (system, formalism) = (&loaded.system, recipe.formalism);
    let given = Ingredients::of(system, &mode, &recipe.rows, kind, &loaded.at).knowing(recipe.forms.clone());
    let exact = exact(loaded, &given, formalism);
    let rows = recipe.rows.with_pressed();
    let given = Ingredients::of(system, &mode, &rows, kind, &loaded.at);
    let energy = mechanics::balance::energy(&given).ok();
    let observed = observed(loaded, &given);
    let at = loaded.at.with(&found.all());
    let carried = carried(&Acts::from(&given), &at);
    let mut notes = of_rows(&rows);
    notes.extend(engine::forms::unused_speeds(&given));
    notes.extend(carried.notes);
    notes.extend(unobserved(loaded, &given));
    notes.extend(engine::sound::assumed(loaded, &loaded.at));
    let evaluation = Evaluation {
        model: loaded.file.clone(),
        title: system.title.clone(),
        form: formalism.name,
        accelerations: accelerations(system, &found, &at),
        rates: system.states.iter().map(|state| (format!("{}'", state.name), at.value(state.rate))).collect(),
        exact,
        multipliers: carried.multipliers,
        reactions: carried.reactions,
        contact_reactions: carried.contacts,
        joint_reactions: carried.joints,
        resultants: carried.resultants,
        generalized_reactions: carried.generalized,
        shared_loads: carried.shared,
        observes: observed.into_iter().map(|(name, list)| (name, at.values(&list))).collect(),
        energy: energy.map(|energy| at.value(energy)).filter(|energy| energy.is_finite()),
        residual: loaded.start.residual,
        contact: contacts(loaded, &rows, &mode.released),
        friction: None,
        solutions: Vec::new(),
        state: [&loaded.start.time]
            .into_iter()
            .chain(loaded.start.values())
            .filter_map(|value| Some((value.symbol.to_string(), value.number?)))
            .collect(),
        notes,
    };
    Ok(Evaluated::Found(Box::new(evaluation)))
}

/// q'' by name, and u' of the speeds that have a value.
fn accelerations(system: &System, found: &Numbers, at: &At) -> Ordered<f64> {
    let q_ddot = found.accelerations.iter().map(|(symbol, value)| (symbol.to_string(), *value));
    let u_dot = system.speeds.iter().filter_map(|speed| {
        let (symbol, value) =
            (expr::total_derivative(speed.symbol).ok()?, expr::total_derivative(speed.definition).ok()?);
        Some((symbol.to_string(), at.value(value))).filter(|(_, value)| value.is_finite())
    });
    q_ddot.chain(u_dot).collect()
}

/// What must be said of rows that depend on each other.
fn of_rows(rows: &Rows) -> Vec<String> {
    let mut notes = Vec::new();
    if !rows.redundant.is_empty() {
        let names: Vec<String> = rows.redundant.iter().map(|name| format!("`{name}`")).collect();
        let verb = if names.len() == 1 { "follows" } else { "follow" };
        notes.push(format!("{} {verb} from other constraints: reactions are not unique", names.join(", ")));
    }
    notes.extend(rows.findings.iter().filter_map(|finding| match finding {
        mechanics::constraint::Finding::Implies { remainder, .. } => Some(format!(
            "the constraints imply {} = 0, which nobody wrote down; it holds here, and need not hold later",
            remainder.brief()
        )),
        _ => None,
    }));
    notes
}

fn no_state(why: &str, hint: &str) -> Error {
    Error::new(format!("no such state: {why}")).hint(hint)
}

fn contacts(loaded: &Loaded, rows: &Rows, released: &[usize]) -> Ordered<Touch> {
    let is_rough = |place: usize| loaded.touching.as_ref().is_some_and(|touching| touching.has(place));
    let may_open = |(place, one): &(usize, &mechanics::Constraint)| one.sense != Sense::Equal || is_rough(*place);
    let unilateral = loaded.system.constraints.iter().enumerate().filter(may_open);
    let standing = |(place, one): (usize, &mechanics::Constraint)| {
        let acts = rows.list.iter().chain(&rows.left_out).any(|row| row.constraint == place);
        let touch = if released.contains(&place) {
            Touch::Leaves
        } else if acts {
            Touch::Closed
        } else {
            Touch::Open
        };
        (one.name.clone(), touch)
    };
    unilateral.map(standing).collect()
}

/// The accelerations as rational numbers, if state and equations are rational.
fn exact(loaded: &Loaded, given: &Ingredients<'_>, formalism: &Formalism) -> Option<Ordered<String>> {
    let form = formalism.closed(given).ok()?;
    let system = &loaded.system;
    let values = system.parameter_values();
    let put = |list: &[Expr], map: &Substitution| map.apply(list).ok();
    let mut state = Substitution::new();
    for value in [&loaded.start.time].into_iter().chain(loaded.start.values()) {
        state.insert(value.symbol, values.apply_one(value.exact?).ok()?);
    }
    for speed in &system.speeds {
        let there = state.apply_one(speed.definition).ok()?;
        state.insert(speed.symbol, values.apply_one(there).ok()?);
    }
    let inputs: Substitution =
        system.inputs.iter().map(|input| Some((input.symbol, input.value?))).collect::<Option<_>>()?;
    let unknowns = form.all_unknowns();
    let (matrix, constants) = expr::linear_coefficients(&form.residuals(), &unknowns).ok()?;
    let mut rows = Vec::new();
    for (row, constant) in matrix.into_iter().zip(constants) {
        let row: Vec<Expr> = row.into_iter().chain([-constant]).collect();
        let row = put(&put(&put(&row, &inputs)?, &state)?, &values)?;
        rows.push(row.iter().map(|entry| entry.as_number()).collect::<Option<Vec<Rational>>>()?);
    }
    let x = rational(rows, unknowns.len())?;
    let found: Substitution = unknowns.iter().copied().zip(x.iter().cloned().map(Expr::number)).collect();
    let accelerations = match form.written_in {
        mechanics::form::Setting::Coordinates => given.q_ddot.clone(),
        mechanics::form::Setting::Chart => given.chart().ok()?.accelerations.clone(),
    };
    let list = put(&put(&put(&accelerations, &found)?, &state)?, &values)?;
    let named =
        given.q_ddot.iter().zip(list).map(|(symbol, value)| Some((symbol.to_string(), value.as_number()?.to_string())));
    named.collect::<Option<Vec<_>>>().map(|list| list.into_iter().collect())
}

/// Solves a rational system; its last column is the right-hand side.
fn rational(mut rows: Vec<Vec<Rational>>, unknowns: usize) -> Option<Vec<Rational>> {
    for k in 0..unknowns {
        let pivot = (k..rows.len()).find(|&row| !rows[row][k].is_zero())?;
        rows.swap(k, pivot);
        let head = rows[k][k].recip()?;
        for entry in &mut rows[k][k..] {
            *entry = &*entry * &head;
        }
        let row = rows[k].clone();
        for (place, other) in rows.iter_mut().enumerate() {
            let factor = other[k].clone();
            if place != k && !factor.is_zero() {
                for (entry, above) in other[k..].iter_mut().zip(&row[k..]) {
                    *entry = &*entry - &(&factor * above);
                }
            }
        }
    }
    Some((0..unknowns).map(|k| rows[k][unknowns].clone()).collect())
}

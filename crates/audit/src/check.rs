//! What does a model say? Units, constraint classes, freedom, the start, and the facts that can be judged.
//!
//! ```text
//! Loaded → acting rows → constraint::analyse ─┬→ classes, rank, freedoms, integrals
//!                                             ├→ findings: redundant, conflicting, singular …
//!                                             └→ facts
//! ```
//!
//! Plain values come out, with the sentences that people read; a shell only lays them out.

mod expansion;
mod finding;
mod mass;
mod motion;
mod rows;
pub(crate) mod state;
mod written;

use expr::Formula;
use mechanics::Role;
use mechanics::constraint::{self, Integrability, Report, Space};
use serde::Serialize;
use syntax::Diagnostic;

pub use finding::{Finding, Level, Matter};
pub use motion::{Motion, Show};
pub use rows::{Standing, Unused};
pub use state::{Contradiction, Guess, Start};

use crate::judge::Judge;
use dynamics::grip::Touching;
use engine::{Error, Field, Loaded, Ordered, Progress};
use rows::Acting;
use written::Written;

/// What `check` found. The keys of its JSON are those of the design, and more.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// What messages call the file.
    pub model: String,
    /// The words after `system`.
    pub title: String,
    /// Where the model comes from.
    pub sources: Vec<String>,
    /// The remarks of its author.
    pub notes: Vec<String>,
    /// Whether nothing is wrong.
    pub fine: bool,
    /// Whether the model uses units, and so was checked for dimensions.
    pub units_checked: bool,
    /// How many coordinates there are: n.
    pub coordinates: usize,
    /// Their names, each with its unit.
    pub coordinate_units: Ordered<String>,
    /// The quasi-velocities with their definitions.
    pub speeds: Ordered<String>,
    /// The same in every shape.
    #[serde(skip)]
    pub speed_formulas: Ordered<Formula>,
    /// n minus the rank.
    pub degrees_of_freedom: usize,
    /// How many constants a motion leaves free, first values of first-order states among them; `null` where some motion moves
    /// no mass, so that the equations of motion are not all of second order.
    pub constants: Option<usize>,
    /// The first-order states.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<String>,
    /// How many rows are independent.
    pub rank: usize,
    /// The same of the geometric rows alone.
    pub rank_geometric: usize,
    /// The same of the geometric and first-order rows.
    pub rank_rates: usize,
    /// How many rows are independent at the start.
    pub rank_at_start: usize,
    /// The rows that follow from others or say nothing.
    pub redundant: Vec<String>,
    /// The rows, in the order of the model.
    pub constraints: Vec<Constraint>,
    /// The dimension of the largest integrable subsystem of the rate rows.
    pub integrable_dimension: usize,
    /// How many rate rows there are of which integrability was not decided: then that dimension is an upper bound.
    pub integrable_undecided: usize,
    /// The dimensions of the derived flag of the rate rows.
    pub flag: Vec<usize>,
    /// The integrals of the rate rows that were found.
    pub integrals: Vec<Integral>,
    /// How many integrals exist besides, not found in closed form.
    pub integrals_missing: usize,
    /// Accelerations and generalized reactions: 2n.
    pub unknowns: usize,
    /// Equations of motion and independent constraints: n + rank.
    pub equations: usize,
    /// What the reader should hear.
    pub findings: Vec<Finding>,
    /// The first state.
    pub start: Start,
    /// The facts of the model.
    pub expects: Vec<Expect>,
    /// What the model declares that `check` has no use for.
    pub unused: Vec<Unused>,
    /// What rough contacts that are closed at the start do there: one object, or a list of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction: Option<dynamics::Frictions>,
    /// What was asked to be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<Motion>,
    /// Warnings and notes on lines of the model.
    pub remarks: Vec<String>,
}

/// A row of a constraint.
#[derive(Clone, Debug, Serialize)]
pub struct Constraint {
    /// The name before the colon.
    pub name: String,
    /// The component, if its sides are vectors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<String>,
    /// Its class in words.
    pub class: String,
    /// The order of the highest derivative of a coordinate: 0, 1 or 2.
    pub order: Option<u32>,
    /// Is it linear in its highest derivatives?
    pub linear: bool,
    /// Does it follow from geometric constraints and integrals, for general values of the parameters? `null` where the
    /// question has no answer.
    pub integrable: Option<bool>,
    /// Whether it does with the values of the model, though not for general ones.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub integrable_with_values: bool,
    /// Does the time occur in it?
    pub rheonomic: bool,
    /// The integral that replaces it, if it has one of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integral: Option<String>,
    /// Does it act at the start?
    pub standing: Standing,
    /// Its gap at the start, if it is one-sided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<f64>,
    /// As written.
    pub text: String,
    /// The line of the file.
    pub line: usize,
}

impl Constraint {
    /// Its name, with its component.
    pub fn full_name(&self) -> String {
        match &self.component {
            Some(component) => format!("{}.{component}", self.name),
            None => self.name.clone(),
        }
    }
}

/// A function of the coordinates that the rate rows keep constant.
#[derive(Clone, Debug, Serialize)]
pub struct Integral {
    /// The function.
    #[serde(flatten)]
    pub formula: Formula,
    /// Its value at the start.
    pub value: Option<f64>,
    /// The row whose integral it is by itself.
    pub of: Option<String>,
}

/// A fact of the model.
#[derive(Clone, Debug, Serialize)]
pub struct Expect {
    /// The name before the colon.
    pub name: String,
    /// Does it hold? `null` while it waits.
    pub holds: Option<bool>,
    /// The verb that will judge it, or the value that is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting_for: Option<String>,
    /// Why it does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// As written.
    pub text: String,
    /// The line of the file.
    pub line: usize,
}

/// Judges one statement of a model as a fact.
pub(crate) fn judged(loaded: &Loaded, statement: &mechanics::Statement) -> engine::fact::Judged {
    let unknown = |reason: String| engine::fact::Judged { holds: None, waiting_for: None, reason: Some(reason) };
    let space = match Space::new(&loaded.system.q()) {
        Ok(space) => space,
        Err(error) => return unknown(error.to_string()),
    };
    let acting = match rows::acting(loaded) {
        Ok(acting) => acting,
        Err(error) => return unknown(error.to_string()),
    };
    let analyse = |rows| constraint::analyse(rows, &space, &loaded.at);
    match (analyse(&acting.rows), analyse(&acting.always)) {
        (Ok(report), Ok(always)) => {
            let (freedoms, complete) = (report.degrees_of_freedom, acting.is_complete(loaded));
            Judge::new(loaded, &acting.always, &space, &always, freedoms, complete).judge(statement)
        }
        (Err(error), _) | (_, Err(error)) => unknown(error.to_string()),
    }
}

/// What is asked of a check.
#[derive(Clone, Debug, Default)]
pub struct Inspect {
    /// What is shown besides.
    pub show: Option<Show>,
}

/// Checks a model.
///
/// ```
/// let sled = engine::load(&engine::Settings::gallery("sled")?)?;
/// let sled = audit::check(&sled, &audit::Inspect::default(), &mut engine::Alone)?;
/// assert_eq!((sled.degrees_of_freedom, sled.constants), (2, Some(5)));
/// assert!(sled.fine);
/// # Ok::<(), engine::Error>(())
/// ```
pub fn check(loaded: &Loaded, wanted: &Inspect, progress: &mut dyn Progress) -> Result<Check, Error> {
    let _in = loaded.enter();
    engine::sound::coordinates(loaded)?;
    refuse_expansion(loaded, wanted)?;
    let space = Space::new(&loaded.system.q()).map_err(Error::new)?;
    let acting = rows::acting(loaded)?;
    let wrong = |error: expr::MathError| Error::new(error);
    let report = constraint::analyse_with(&acting.rows, &space, &acting.one_sided, &loaded.at).map_err(wrong)?;
    refuse_outside(loaded, &acting, &report)?;
    // What follows from constraints that do not always act holds in some motions only.
    let always = match acting.always.len() == acting.rows.len() {
        true => report.clone(),
        false => constraint::analyse(&acting.always, &space, &loaded.at).map_err(wrong)?,
    };
    let freedoms = report.degrees_of_freedom;
    let judge = Judge::new(loaded, &acting.always, &space, &always, freedoms, acting.is_complete(loaded));
    let judge = judge.having_moved(progress);
    let expects = judge_expects(loaded, &judge);
    let shown = wanted.show.map(|show| motion::shown(show, loaded, &acting, &space, &report));
    let start = state::start(loaded, &acting);
    let findings = finding::findings(loaded, &acting, &report, &start);
    let missed = expects.iter().any(|expect| expect.holds == Some(false));
    let fine = findings.iter().all(|one| one.level != Level::Wrong) && start.contradictions.is_empty() && !missed;
    let (system, integrability) = (&loaded.system, &report.integrability);
    Ok(Check {
        model: loaded.file.clone(),
        title: system.title.clone(),
        sources: system.sources.clone(),
        notes: system.notes.clone(),
        fine,
        units_checked: loaded.model.has_units,
        coordinates: report.coordinates,
        coordinate_units: engine::coordinate_units(loaded),
        speeds: speeds(system, |e| e.brief()),
        speed_formulas: speeds(system, Formula::of),
        degrees_of_freedom: report.degrees_of_freedom,
        constants: (!mass::is_missing(loaded, &acting, &report)).then(|| report.constants + loaded.system.states.len()),
        states: loaded.system.states.iter().map(|state| state.name.clone()).collect(),
        rank: report.rank,
        rank_geometric: report.rank_geometric,
        rank_rates: report.rank_rates,
        rank_at_start: report.rank_here,
        redundant: report.redundant().iter().map(|&row| report.rows[row].name.clone()).collect(),
        constraints: described(loaded, &acting, &space, &report),
        integrable_dimension: integrability.dimension,
        integrable_undecided: integrability.undecided.len(),
        flag: integrability.flag.clone(),
        integrals: integrals(integrability, loaded, &report),
        integrals_missing: integrability.missing,
        unknowns: report.unknowns,
        equations: report.equations,
        findings,
        start,
        expects,
        unused: rows::unused(loaded),
        friction: loaded.touching.as_ref().map(Touching::told),
        shown,
        remarks: loaded.remarks.clone(),
    })
}

/// The rows in words, with what the values of the model make of them.
fn described(loaded: &Loaded, acting: &Acting, space: &Space, report: &Report) -> Vec<Constraint> {
    let mut constraints = rows::described(loaded, acting, space, report);
    let with_values = integrable_with_values(loaded, acting, space, report);
    let lasting = constraints.iter_mut().filter(|row| with_values.contains(&row.full_name()));
    lasting.for_each(|row| row.integrable_with_values = true);
    constraints
}

/// The rows that no integral replaces for general values of the parameters, but one does with those of the model.
fn integrable_with_values(loaded: &Loaded, acting: &Acting, space: &Space, report: &Report) -> Vec<String> {
    let values = loaded.system.parameter_values();
    let put =
        |row: &constraint::Row| Some(constraint::Row { name: row.name.clone(), f: values.apply_one(row.f).ok()? });
    if values.is_empty() || report.rows.iter().all(|row| row.integrable != Some(false)) {
        return Vec::new();
    }
    let Some(rows) = acting.rows.iter().map(put).collect::<Option<Vec<_>>>() else { return Vec::new() };
    if rows.iter().zip(&acting.rows).all(|(put, row)| put.f == row.f) {
        return Vec::new();
    }
    let Ok(with_values) = constraint::analyse_with(&rows, space, &acting.one_sided, &loaded.at) else {
        return Vec::new();
    };
    let both = report.rows.iter().zip(&with_values.rows);
    let changed = both.filter(|(one, here)| one.integrable == Some(false) && here.integrable == Some(true));
    changed.map(|(one, _)| one.name.clone()).collect()
}

/// Without a contact there is no expansion to show.
fn refuse_expansion(loaded: &Loaded, wanted: &Inspect) -> Result<(), Error> {
    if wanted.show != Some(Show::Expansion) || !loaded.system.contacts.is_empty() {
        return Ok(());
    }
    let asked = Field::Show.asked("expansion");
    let hint = format!(
        "`{}`, `velocities` or `accelerations` show what the constraints allow",
        Field::Show.asked("displacements")
    );
    Err(Error::new(format!("`{asked}` has nothing to show: the model declares no contact")).hint(hint))
}

/// A row of a class that is not treated is no row to count with.
fn refuse_outside(loaded: &Loaded, acting: &Acting, report: &Report) -> Result<(), Error> {
    let outside = report.findings.iter().filter_map(|finding| match *finding {
        constraint::Finding::Outside { row } => Some(row),
        _ => None,
    });
    let told: Vec<Diagnostic> = outside
        .map(|row| {
            let class = match report.rows[row].class {
                constraint::Class::NonlinearSecond => "is not linear in the accelerations",
                _ => "holds a derivative above the second",
            };
            let message = format!("constraint `{}` {class}: that is not treated", report.rows[row].name);
            let hint = "constraints are geometric, of first order, or of second order and linear in the accelerations";
            Diagnostic::error(acting.span(loaded, row), message).hint(hint)
        })
        .collect();
    match told.is_empty() {
        true => Ok(()),
        false => Err(Error::of_model(&loaded.model.sources, &told)),
    }
}

/// Judges all facts that the model expects.
fn judge_expects(loaded: &Loaded, judge: &Judge<'_>) -> Vec<Expect> {
    let expects = loaded.system.statements.iter().filter(|statement| statement.role == Role::Expect);
    let written = Written::new(&loaded.model);
    expects.map(|statement| expect(loaded, judge, &written, statement)).collect()
}

fn expect(loaded: &Loaded, judge: &Judge<'_>, written: &Written<'_>, statement: &mechanics::Statement) -> Expect {
    let judged = judge.judge(statement);
    Expect {
        name: statement.name.clone(),
        holds: judged.holds,
        waiting_for: judged.waiting_for,
        reason: judged.reason,
        text: written.after_colon(statement.span, || engine::fact::text(&statement.fact)),
        line: loaded.model.sources.line_of(statement.span),
    }
}

fn integrals(found: &Integrability, loaded: &Loaded, report: &Report) -> Vec<Integral> {
    let has_numbers = loaded.has_numbers();
    let integral = |integral: &constraint::Integral| Integral {
        formula: Formula::of(integral.f),
        value: Some(loaded.at.value(integral.f)).filter(|value| has_numbers && value.is_finite()),
        of: integral.row.map(|row| report.rows[row].name.clone()),
    };
    found.integrals.iter().map(integral).collect()
}

/// The speeds by their names, as they are told.
fn speeds<T>(system: &mechanics::System, of: impl Fn(expr::Expr) -> T) -> Ordered<T> {
    system.speeds.iter().map(|one| (one.name.clone(), of(motion::told(one.definition)))).collect()
}

#[cfg(test)]
mod tests;

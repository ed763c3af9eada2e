//! The motion: from the start, with reactions, events and an account of the energy.
//!
//! ```text
//! state → which constraints act → Phase → Motion → event → state …
//! ```
//!
//! A phase is a stretch in which the same constraints act. A one-sided constraint lets go where its multiplier would
//! become negative; it closes where its gap does: the rates jump by M⁻¹Aᵀ times impulses. A rough contact sticks or slides in a
//! phase, and a constraint with `from` or `until` is on or off.

mod columns;
mod facts;
mod impact;
mod impacts;
mod phase;
mod recorder;
mod rough;
mod run;
mod schedule;
mod sizes;
mod table;

use serde::Serialize;

pub use columns::{Column, Meaning};
pub use numeric::Method;
pub use table::{Sample, Table};

use crate::{BadInput, Loaded, Ordered};
use facts::Asked;
use run::Run;

/// Why a fact is not decided.
const TOO_SHORT: &str = "the motion did not come so far";

/// What is asked of a simulation.
#[derive(Clone, Debug)]
pub struct Simulate {
    /// How long; to the last of `times` if not said.
    pub duration: Option<f64>,
    /// Instants at which the state is wanted.
    pub times: Vec<f64>,
    /// The state is wanted every so often.
    pub every: Option<f64>,
    /// The relative tolerance.
    pub tolerance: f64,
    /// The method.
    pub method: Method,
    /// A fixed step.
    pub step: Option<f64>,
    /// The form that drives the motion; the one with the fewest operations if not said.
    pub form: Option<String>,
}

impl Default for Simulate {
    fn default() -> Simulate {
        Simulate {
            duration: None,
            times: Vec::new(),
            every: None,
            tolerance: 1e-9,
            method: Method::Dop853,
            step: None,
            form: None,
        }
    }
}

/// Who follows a simulation while it runs.
pub trait Follower {
    /// The time reached, between the first and the last; false to stop there.
    fn reached(&mut self, t: f64, first: f64, last: f64) -> bool;
}

/// Nobody follows.
pub struct Alone;

impl Follower for Alone {
    fn reached(&mut self, _: f64, _: f64, _: f64) -> bool {
        true
    }
}

/// A motion.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// The model.
    pub model: String,
    /// The title of the model.
    pub title: String,
    /// The time at which it began.
    pub began: f64,
    /// The form that drove it, the last one if it changed.
    pub form: &'static str,
    /// The method.
    pub method: &'static str,
    /// The tolerance.
    pub tolerance: f64,
    /// Accepted steps.
    pub steps: u64,
    /// Rejected steps.
    pub rejected: u64,
    /// How often the right-hand side was computed.
    pub rhs_evaluations: u64,
    /// |energy − its first value − work|, the largest, relative to the energies that were moved.
    pub energy_drift: f64,
    /// The work of what is not in the energy.
    pub work: f64,
    /// What was left of the constraints, relative to their terms, the largest.
    pub constraint_residual: f64,
    /// What happened.
    pub events: Vec<Happened>,
    /// The states that were asked for, and the last one.
    pub table: Table,
    /// The state at the end.
    pub last: Sample,
    /// Why it ended: `time`, the name of an event, `interrupted`, or `failure`.
    pub stopped_by: String,
    /// Why it went no further, in words.
    pub failure: Option<String>,
    /// Facts that the motion decided.
    pub expects: Vec<Expected>,
    /// Remarks for the reader.
    pub notes: Vec<String>,
}

/// An event.
#[derive(Clone, Debug, Serialize)]
pub struct Happened {
    /// The event, or the constraint.
    pub name: String,
    /// `stop`, `record`; `leaves`, `closes`, `bounces`, `rests`; `slips`, `sticks`, `turns`; `begins`, `ends`.
    pub kind: &'static str,
    /// When.
    pub t: f64,
    /// Coordinates and rates then; after an impact the new ones.
    pub state: Ordered<f64>,
    /// The impulses of the constraints, for an impact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impulse: Option<Ordered<f64>>,
    /// The energy that was lost in an impact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy_lost: Option<f64>,
}

/// A fact that a motion decided.
#[derive(Clone, Debug, Serialize)]
pub struct Expected {
    /// Its name.
    pub name: String,
    /// Whether it holds; nothing if the motion did not come so far.
    pub holds: Option<bool>,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Runs a motion.
pub fn simulate(loaded: &Loaded, wanted: &Simulate, follower: &mut dyn Follower) -> Result<Simulation, BadInput> {
    let chosen = wanted.form.as_deref().map(crate::derive::known).transpose()?;
    ready(loaded)?;
    let (first, last, times) = schedule::schedule(wanted, loaded)?;
    let run = Run::new(loaded, wanted, chosen, Vec::new(), (first, last, times), follower);
    let simulation = run.finish();
    let simulation = simulation.map(|found| {
        let until = if found.stopped_by == "time" { last } else { found.last.t };
        Simulation { expects: decided(loaded, Some(until), follower), ..found }
    });
    loaded.refer_to(&loaded.start);
    simulation
}

/// The facts that a motion decides, up to a time if it is given: published numbers have many digits, so they get a run
/// of their own with the tightest tolerance.
pub(crate) fn decided(loaded: &Loaded, end: Option<f64>, follower: &mut dyn Follower) -> Vec<Expected> {
    // Facts tell of the motion from the start of the model.
    if loaded.is_elsewhere {
        return Vec::new();
    }
    let asked = Asked::list(loaded);
    let first = loaded.start.time.number.unwrap_or(0.0);
    let until = |one: &Asked<'_>| one.until().unwrap_or(first + schedule::USUAL);
    let longest = asked.iter().map(until).fold(f64::NEG_INFINITY, f64::max);
    let last = end.map_or(longest, |end| longest.min(end));
    let without = |reason: String| {
        let expected = |one: Asked<'_>| {
            let reason = Some(reason.clone());
            Expected { name: one.statement.name.clone(), holds: None, reason }
        };
        Asked::list(loaded).into_iter().map(expected).collect()
    };
    if asked.is_empty() {
        return Vec::new();
    }
    if last <= first || !loaded.has_numbers() {
        return without(TOO_SHORT.to_owned());
    }
    let wanted = Simulate { tolerance: 1e-12, ..Simulate::default() };
    let judged = ready(loaded).and_then(|()| {
        let run = Run::new(loaded, &wanted, None, asked, (first, last, Vec::new()), follower);
        run.finish()
    });
    loaded.refer_to(&loaded.start);
    match judged {
        Ok(found) => found.expects,
        Err(error) => without(error.0.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()),
    }
}

/// An error if the model cannot be run.
fn ready(loaded: &Loaded) -> Result<(), BadInput> {
    crate::sound::coordinates(loaded)?;
    if let Some(error) = crate::evaluate::valueless(loaded) {
        return Err(error);
    }
    crate::sound::masses(loaded)?;
    if let Some(contradiction) = loaded.start.contradictions.first() {
        let row = &loaded.start.rows[contradiction.row].name;
        let misses = contradiction.misses_by.filter(|amount| amount.is_finite());
        let misses = misses.map_or(String::new(), |amount| format!(": it misses by {}", crate::number::text(amount)));
        return Err(BadInput(format!(
            "error: the motion cannot start: `{row}` does not hold at the start{misses}\nhint: `anholon check` says more"
        )));
    }
    Ok(())
}

//! The motion: from the start, with reactions, events and an account of the energy.
//!
//! ```text
//! state → which constraints act → Phase → Motion → event → state …
//! ```
//!
//! A phase is a stretch in which the same constraints act. A one-sided constraint lets go where its multiplier would
//! become negative; it closes where its gap does: the rates jump by M⁻¹Aᵀ times impulses. A rough contact sticks or slides in a
//! phase, and a constraint with `from` or `until` is on or off.

mod again;
mod back;
pub mod bridge;
mod checkpoint;
mod columns;
mod edge;
mod event;
mod facts;
mod failure;
mod impact;
mod impacts;
mod methods;
mod passage;
mod phase;
mod recorder;
mod rough;
mod run;
mod schedule;
mod sizes;
mod state;
mod strain;
mod table;
mod unique;
mod unshared;
mod watch;

pub use again::{Again, starts_alone};
pub use checkpoint::Checkpoint;
pub use columns::{Column, Meaning, Units};
pub use event::{EventKind, Happened, StoppedBy};
pub use facts::Expected;
pub use numeric::Method;
pub use table::{Sample, Table};
pub use watch::becomes_true;

use std::sync::Arc;

use engine::{Error, Loaded, Progress};
use facts::Asked;
use run::{Kept, Run};

/// Facts that need it are decided by a motion with this tolerance: published numbers have many digits.
const TIGHT: f64 = 1e-12;

/// What is asked of a simulation.
#[derive(Clone, Debug, Default)]
pub struct Simulate {
    /// How long; to the last of `times` if not said.
    pub duration: Option<f64>,
    /// How long backwards from the start, in place of `duration`.
    pub back: Option<f64>,
    /// Instants at which the state is wanted.
    pub times: Vec<f64>,
    /// The state is wanted every so often.
    pub every: Option<f64>,
    /// The relative tolerance, 1e-9 if not said; fixed steps have none.
    pub tolerance: Option<f64>,
    /// The method; if not said, `dop853`, and an implicit one where the motion is seen to be stiff.
    pub method: Option<Method>,
    /// A fixed step.
    pub step: Option<f64>,
    /// The form that drives the motion; one that suits what is constrained if not said.
    pub form: Option<String>,
    /// Whether a checkpoint is wanted: at the end, and when [`Progress::keeps`] says so.
    pub keeps: bool,
    /// Goes on from there.
    pub resume: Option<Arc<Checkpoint>>,
}

impl Simulate {
    /// The method that makes the first steps.
    pub(crate) fn first_method(&self) -> Method {
        self.method.unwrap_or(Method::ALL[0])
    }

    /// What motions and events are held to; with fixed steps events alone.
    pub(crate) fn tolerance(&self) -> f64 {
        self.tolerance.unwrap_or(1e-9)
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
    /// The method, the last one if it changed.
    pub method: &'static str,
    /// The tolerance.
    pub tolerance: f64,
    /// The length of its steps, where they were fixed.
    pub step: Option<f64>,
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
    /// Why it ended.
    pub stopped_by: StoppedBy,
    /// How many phases were made: one for each mode and chart.
    pub phases: usize,
    /// How many forms were derived for them.
    pub derived: usize,
    /// Facts that the motion decided.
    pub expects: Vec<Expected>,
    /// Remarks for the reader.
    pub notes: Vec<String>,
    /// Where one can go on, if that was wanted and is possible.
    pub checkpoint: Option<Checkpoint>,
}

impl Simulation {
    fn begin(loaded: &Loaded, wanted: &Simulate, first: f64, times: Vec<f64>) -> Simulation {
        Simulation {
            model: loaded.file.clone(),
            began: first,
            title: loaded.system.title.clone(),
            form: "",
            method: wanted.first_method().name(),
            tolerance: wanted.tolerance(),
            step: wanted.step,
            steps: 0,
            rejected: 0,
            rhs_evaluations: 0,
            energy_drift: 0.0,
            work: 0.0,
            constraint_residual: 0.0,
            events: Vec::new(),
            table: Table::new(times),
            last: Sample::default(),
            stopped_by: StoppedBy::Time,
            phases: 0,
            derived: 0,
            expects: Vec::new(),
            notes: engine::sound::assumed(loaded, &loaded.at),
            checkpoint: None,
        }
    }
}

/// Runs a motion. Facts are judged on it as far as its tolerance serves them; where it does not, a second motion with the
/// tightest tolerance decides them.
pub fn simulate(loaded: &Loaded, wanted: &Simulate, progress: &mut dyn Progress) -> Result<Simulation, Error> {
    let mut found = simulated(loaded, wanted, progress)?;
    if found.expects.iter().any(|one| one.holds == Some(false)) {
        let changed = changed(loaded);
        let missed = found.expects.iter_mut().filter(|one| one.holds == Some(false) && !changed.is_empty());
        missed.for_each(|one| one.not_applicable(&changed));
    }
    Ok(found)
}

fn simulated(loaded: &Loaded, wanted: &Simulate, progress: &mut dyn Progress) -> Result<Simulation, Error> {
    let _in = loaded.enter();
    let chosen = wanted.form.as_deref().map(engine::forms::known).transpose()?;
    ready(loaded)?;
    if wanted.keeps || wanted.resume.is_some() {
        checkpoint::refuse(loaded)?;
    }
    if let Some(from) = &wanted.resume {
        return checkpoint::resumed(loaded, wanted, from, progress);
    }
    if wanted.back.is_some() {
        back::refuse(loaded)?;
    }
    let (first, last, times) = schedule::schedule(wanted, loaded)?;
    let all = if wanted.back.is_some() { Vec::new() } else { asked(loaded) };
    let run = Run::new(Kept::new(loaded), wanted, chosen, all, (first, last, times), progress);
    let (mut found, kept) = run.finish()?;
    if wanted.back.is_some() {
        back::turn(&mut found);
        back::note(&mut found, &asked(loaded));
    }
    let serves = |one: &Expected| one.is_safe || wanted.tolerance() <= TIGHT && wanted.step.is_none();
    let until = if found.stopped_by == StoppedBy::Time { last } else { found.last.t };
    // a motion that ends where it begins has no error
    if found.stopped_by != StoppedBy::Interrupted && until > first && !found.expects.iter().all(serves) {
        let decided = decided_with(kept, loaded, Some(until), progress);
        for (one, better) in found.expects.iter_mut().zip(decided).filter(|(one, _)| !serves(one)) {
            *one = better;
        }
    }
    Ok(found)
}

/// The names whose values were set to others than those of the model.
fn changed(loaded: &Loaded) -> Vec<String> {
    let set = &loaded.settings.set;
    if set.is_empty() {
        return Vec::new();
    }
    let name_of = |text: &String| text.split_once('=').map_or(text.as_str(), |(name, _)| name).trim().to_owned();
    // a value that is set to itself changes nothing
    let alone = engine::load(&engine::Settings { set: Vec::new(), ..loaded.settings.clone() }).ok();
    let value = |of: &Loaded, name: &str| {
        let _in = of.enter();
        let read = syntax::parse_expression(name).ok()?;
        match of.system.read(&read, mechanics::Reading::default()).ok()? {
            mechanics::Term::Scalar(e) => Some(of.at.value(e)).filter(|value| value.is_finite()),
            _ => None,
        }
    };
    let before = |name: &str| value(alone.as_ref()?, name);
    let is_other = |name: &String| before(name).is_none_or(|before| value(loaded, name) != Some(before));
    set.iter().map(name_of).filter(is_other).collect()
}

/// The facts that need a motion; they tell of the motion from the start of the model.
fn asked(loaded: &Loaded) -> Vec<Asked<'_>> {
    if loaded.is_elsewhere { Vec::new() } else { Asked::list(loaded) }
}

/// The facts that a motion decides, up to a time if it is given, by a run of their own with the tightest tolerance.
pub fn decided(loaded: &Loaded, end: Option<f64>, progress: &mut dyn Progress) -> Vec<Expected> {
    let _in = loaded.enter();
    decided_with(Kept::new(loaded), loaded, end, progress)
}

fn decided_with<'a>(
    kept: Kept<'a>,
    loaded: &'a Loaded,
    end: Option<f64>,
    progress: &mut dyn Progress,
) -> Vec<Expected> {
    let all = asked(loaded);
    let first = loaded.start.time.number.unwrap_or(0.0);
    let longest = all.iter().map(|one| one.until.unwrap_or(first + schedule::USUAL)).fold(f64::NEG_INFINITY, f64::max);
    let last = end.map_or(longest, |end| longest.min(end));
    let without = |reason: Option<&str>| asked(loaded).iter().map(|one| Expected::undecided(one, reason)).collect();
    if all.is_empty() {
        return Vec::new();
    }
    if last <= first || !loaded.has_numbers() {
        return without(None);
    }
    let wanted = Simulate { tolerance: Some(TIGHT), ..Simulate::default() };
    let judged =
        ready(loaded).and_then(|()| Run::new(kept, &wanted, None, all, (first, last, Vec::new()), progress).finish());
    match judged {
        Ok((found, _)) => found.expects,
        Err(error) => without(Some(error.message())),
    }
}

/// An error if the model cannot be run.
fn ready(loaded: &Loaded) -> Result<(), Error> {
    engine::sound::coordinates(loaded)?;
    if let Some(error) = engine::observe::valueless(loaded) {
        return Err(error);
    }
    engine::sound::masses(loaded)?;
    if let Some(contradiction) = loaded.start.contradictions.first() {
        let row = &loaded.start.rows[contradiction.row].name;
        let misses = contradiction.misses_by.filter(|amount| amount.is_finite());
        let misses = misses.map_or(String::new(), |amount| format!(": it misses by {}", expr::decimal(amount)));
        return Err(Error::new(format!("the motion cannot start: `{row}` does not hold at the start{misses}"))
            .hint("`anholon check` says more"));
    }
    Ok(())
}

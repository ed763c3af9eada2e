//! The motion: from the start, with reactions, events and an account of the energy.
//!
//! ```text
//! state → which constraints act → Phase → Motion → event → state …
//! ```
//!
//! A phase is a stretch in which the same constraints act. A one-sided constraint lets go where its multiplier would
//! become negative; it closes where its gap does, without bouncing: the rates jump by M⁻¹Aᵀ times the impulses that
//! stop what closes.

mod columns;
mod facts;
mod impact;
mod phase;
mod table;

use mechanics::chart::ChartKind;
use mechanics::formalism::Formalism;
use mechanics::rows::Rows;
use mechanics::{StartReport, System};
use numeric::{Failure, Machine, Motion, Onlooker, Plan, Stop, Trouble};
use serde::Serialize;

pub use columns::{Column, Meaning};
pub use numeric::Method;
pub use table::{Sample, Table};

use crate::dynamics::{NoNumbers, numbers_without};
use crate::{BadInput, Loaded, Ordered};
use facts::{Asked, When};
use phase::{NoPhase, Phase, Watched};

/// Why a fact is not decided.
const TOO_SHORT: &str = "the motion did not come so far";
/// A motion makes at most so many events at one instant.
const MOST_AT_ONCE: usize = 20;

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
    /// `stop`, `record`, `leaves`, `closes`.
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
    let (first, last, times) = wanted.schedule(loaded)?;
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
pub(crate) fn decided(loaded: &Loaded, until: Option<f64>, follower: &mut dyn Follower) -> Vec<Expected> {
    let asked = Asked::list(loaded);
    let first = loaded.start.time.number.unwrap_or(0.0);
    let longest = asked.iter().filter_map(Asked::until).fold(f64::NEG_INFINITY, f64::max);
    let last = until.map_or(longest, |until| longest.min(until));
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
    let switched = loaded.system.constraints.iter().find(|one| one.from.is_some() || one.until.is_some());
    let refuse = |span, message: String, hint: &str| {
        let diagnostic = syntax::Diagnostic::error(span, message).hint(hint);
        Err(BadInput(loaded.model.sources.render(&diagnostic)))
    };
    if let Some(one) = switched {
        let message = format!("`simulate` cannot switch the constraint `{}` on or off yet", one.name);
        return refuse(one.span, message, "leave out `from` and `until`, or run the two stretches one after the other");
    }
    if let Some(one) = loaded.system.frictions.first() {
        let hint = "leave the line out, or write the friction as a force";
        return refuse(one.span, format!("`simulate` cannot use the friction on `{}` yet", one.on), hint);
    }
    if let Some(one) = loaded.system.restitutions.first() {
        let hint = "leave the line out: then impacts are inelastic";
        return refuse(one.span, format!("`simulate` cannot use the restitution on `{}` yet", one.on), hint);
    }
    Ok(())
}

impl Simulate {
    /// The first and the last time, and the instants at which the state is wanted, in order.
    fn schedule(&self, loaded: &Loaded) -> Result<(f64, f64, Vec<f64>), BadInput> {
        let first = loaded.start.time.number.unwrap_or(0.0);
        let wrong = |what: &str, hint: &str| Err(BadInput(format!("error: {what}\nhint: {hint}")));
        let text = crate::number::text;
        if !(self.tolerance > 0.0 && self.tolerance < 1.0) {
            let hint = "it is relative, as in `--tolerance 1e-9`";
            return wrong(&format!("a tolerance of {} is not between 0 and 1", text(self.tolerance)), hint);
        }
        if let Some(step) = self.step.filter(|step| !(*step > 0.0 && step.is_finite())) {
            return wrong(&format!("a step of {} s is not positive", text(step)), "as in `--step 0.001`");
        }
        if self.method == Method::Rk4 && self.step.is_none() {
            return wrong("`rk4` has no step control", "give a step, as in `--method rk4 --step 0.001`");
        }
        if let Some(duration) = self.duration.filter(|duration| !(*duration > 0.0 && duration.is_finite())) {
            return wrong(
                &format!("a duration of {} s is not positive", text(duration)),
                "as in `--for 10`, in seconds",
            );
        }
        if let Some(every) = self.every.filter(|every| !(*every > 0.0 && every.is_finite())) {
            return wrong(&format!("states every {} s cannot be had", text(every)), "as in `--every 0.1`, in seconds");
        }
        if let Some(time) = self.times.iter().find(|time| !time.is_finite() || **time < first) {
            let begins = format!("the motion begins at t = {} s", text(first));
            return wrong(
                &format!("there is no state at t = {} s: {begins}", text(*time)),
                "times are those of the model",
            );
        }
        let latest = self.times.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let last = match self.duration {
            Some(duration) => first + duration,
            None if latest > first => latest,
            None => first + 10.0,
        };
        if latest > last {
            let hint = format!("let it run for longer, as in `--for {}`", text(latest - first));
            return wrong(&format!("the motion ends at t = {} s, before t = {} s", text(last), text(latest)), &hint);
        }
        let mut times = self.times.clone();
        let every = match (self.every, times.is_empty()) {
            (Some(every), _) => Some(every),
            (None, true) => Some((last - first) / 100.0),
            (None, false) => None,
        };
        if let Some(every) = every {
            let count = ((last - first) / every + 1e-9).floor();
            if count > 1e7 {
                return wrong(&format!("that would be {count} states"), "ask for fewer with `--every`");
            }
            times.extend((0..=count as u64).map(|k| (first + k as f64 * every).min(last)));
        }
        times.sort_by(f64::total_cmp);
        times.dedup();
        Ok((first, last, times))
    }
}

/// A simulation under way.
struct Run<'a> {
    loaded: &'a Loaded,
    wanted: &'a Simulate,
    chosen: Option<&'static Formalism>,
    kind: ChartKind,
    asked: Vec<Asked<'a>>,
    /// Values of the sides of facts.
    answers: Vec<Vec<Vec<f64>>>,
    /// The first and the last time.
    span: (f64, f64),
    state: State,
    follower: &'a mut dyn Follower,
    times: Vec<f64>,
    done: Simulation,
    energies: Energies,
}

/// Where the motion is.
#[derive(Clone, Debug)]
struct State {
    t: f64,
    /// q, q' and the work.
    y: Vec<f64>,
    /// One-sided constraints that have let go here.
    gone: Vec<usize>,
}

/// What is needed for the account of energy.
#[derive(Clone, Copy, Debug, Default)]
struct Energies {
    first: Option<(f64, f64)>,
    /// The largest kinetic energy and change of potential energy.
    scale: f64,
    /// The largest imbalance.
    worst: f64,
    /// The energy that impacts took.
    lost: f64,
}

impl Energies {
    fn note(&mut self, kinetic: f64, potential: f64, work: f64) {
        let (energy, start) = *self.first.get_or_insert((kinetic + potential, potential));
        self.scale = self.scale.max(kinetic.abs()).max((potential - start).abs());
        self.worst = self.worst.max((kinetic + potential - energy - work + self.lost).abs());
    }

    fn drift(&self) -> f64 {
        if self.worst == 0.0 { 0.0 } else { self.worst / self.scale.max(f64::MIN_POSITIVE) }
    }
}

impl<'a> Run<'a> {
    fn new(
        loaded: &'a Loaded,
        wanted: &'a Simulate,
        chosen: Option<&'static Formalism>,
        asked: Vec<Asked<'a>>,
        (first, last, times): (f64, f64, Vec<f64>),
        follower: &'a mut dyn Follower,
    ) -> Run<'a> {
        let kind = if loaded.system.speeds.is_empty() { ChartKind::Rates } else { ChartKind::Speeds };
        let y = loaded.start.values().map(|value| value.number.unwrap_or(f64::NAN)).chain([0.0]).collect();
        let mut all = times.clone();
        all.extend(asked.iter().filter_map(|one| match one.when {
            When::Time(time) if time >= first && time <= last => Some(time),
            _ => None,
        }));
        all.sort_by(f64::total_cmp);
        all.dedup();
        let answers = asked.iter().map(|_| Vec::new()).collect();
        let done = Simulation {
            model: loaded.file.clone(),
            title: loaded.system.title.clone(),
            form: "",
            method: wanted.method.name(),
            tolerance: wanted.tolerance,
            steps: 0,
            rejected: 0,
            rhs_evaluations: 0,
            energy_drift: 0.0,
            work: 0.0,
            constraint_residual: 0.0,
            events: Vec::new(),
            table: Table::new(times),
            last: Sample::default(),
            stopped_by: String::new(),
            failure: None,
            expects: Vec::new(),
            notes: Vec::new(),
        };
        Run {
            loaded,
            wanted,
            chosen,
            kind,
            asked,
            answers,
            span: (first, last),
            state: State { t: first, y, gone: Vec::new() },
            follower,
            times: all,
            done,
            energies: Energies::default(),
        }
    }

    fn system(&self) -> &'a System {
        &self.loaded.system
    }

    /// Makes the state of the motion the reference.
    fn refer(&self) {
        self.loaded.refer_to(&self.report());
    }

    fn report(&self) -> StartReport {
        let mut report = self.loaded.start.clone();
        report.time.number = Some(self.state.t);
        let n = report.coordinates.len();
        for (value, &number) in report.coordinates.iter_mut().zip(&self.state.y) {
            (value.number, value.exact) = (Some(number), None);
        }
        for (value, &number) in report.rates.iter_mut().zip(&self.state.y[n..]) {
            (value.number, value.exact) = (Some(number), None);
        }
        report.speeds.iter_mut().for_each(|speed| *speed = None);
        report
    }

    /// Runs to the end.
    fn finish(mut self) -> Result<Simulation, BadInput> {
        let (mut at_once, mut instant) = (0, f64::NEG_INFINITY);
        loop {
            (at_once, instant) = if self.state.t > instant { (0, self.state.t) } else { (at_once + 1, instant) };
            if at_once > MOST_AT_ONCE {
                self.fail("too many events at one instant: contacts open and close without end there".to_owned());
                break;
            }
            let rows = match self.rows()? {
                Ok(rows) => rows,
                Err(reason) => {
                    self.fail(reason);
                    break;
                }
            };
            let mut phase = match Phase::new(self.loaded, &rows, self.kind, self.chosen, &self.asked) {
                Ok(phase) => phase,
                Err(NoPhase::NotApplicable(reason) | NoPhase::Broken(reason)) => {
                    self.fail(reason);
                    break;
                }
            };
            self.begin(&mut phase);
            if self.stretch(&mut phase)? {
                break;
            }
        }
        self.close();
        Ok(self.done)
    }

    /// The rows that act at the state, or why there is no motion from there.
    fn rows(&mut self) -> Result<Result<Rows, String>, BadInput> {
        self.refer();
        let is_first = self.done.form.is_empty();
        // From a later state on, errors are no longer those of the input.
        let found = numbers_without(self.loaded, self.kind, None, &self.state.gone);
        Ok(match found {
            Err(error) if is_first => return Err(error),
            Err(error) => Err(error.0),
            Ok(Err(NoNumbers::NoState(reason))) if is_first => {
                let hint = "a state satisfies every constraint that acts there; `anholon check` says more";
                return Err(BadInput(format!("error: the motion cannot start: {reason}\nhint: {hint}")));
            }
            Ok(Err(
                NoNumbers::NoState(reason) | NoNumbers::NotApplicable(reason) | NoNumbers::Undetermined(reason),
            )) => Err(reason),
            Ok(Ok((numbers, rows, _))) => {
                for &place in numbers.released.iter().filter(|place| !self.state.gone.contains(place)) {
                    let t = self.state.t;
                    let state = self.shown();
                    let name = self.system().constraints[place].name.clone();
                    self.done.events.push(Happened {
                        name,
                        kind: "leaves",
                        t,
                        state,
                        impulse: None,
                        energy_lost: None,
                    });
                }
                self.state.gone = numbers.released;
                Ok(rows)
            }
        })
    }

    /// Coordinates and rates by name.
    fn shown(&self) -> Ordered<f64> {
        let n = self.system().coordinates.len();
        let coordinates = self.system().coordinates.iter().zip(&self.state.y);
        let rates = self.system().coordinates.iter().zip(&self.state.y[n..]);
        let coordinates = coordinates.map(|(c, &value)| (c.name.clone(), value));
        coordinates.chain(rates.map(|(c, &value)| (format!("{}'", c.name), value))).collect()
    }

    /// Remarks about the first phase, and about a new form.
    fn begin(&mut self, phase: &mut Phase) {
        if self.done.form.is_empty() {
            if !phase.redundant.is_empty() {
                let names: Vec<String> = phase.redundant.iter().map(|name| format!("`{name}`")).collect();
                let verb = if names.len() == 1 { "follows" } else { "follow" };
                self.done.notes.push(format!(
                    "{} {verb} from other constraints: the motion is determined, its reactions are not unique; the \
                     smallest in the metric of the masses are shown",
                    names.join(", ")
                ));
            }
            if let Some(note) = rough(phase, &self.state) {
                self.done.notes.push(note);
            }
        }
        self.done.form = phase.form.name;
    }

    /// One stretch of motion with the same constraints; true at the end of all.
    fn stretch(&mut self, phase: &mut Phase) -> Result<bool, BadInput> {
        let sizes = self.sizes(phase);
        self.energies.scale = self.energies.scale.max(sizes.last().copied().unwrap_or(0.0));
        let plan = Plan {
            method: self.wanted.method,
            tolerance: self.wanted.tolerance,
            sizes: sizes.clone(),
            step: self.wanted.step,
            watches: phase.watched.iter().map(|one| one.1).collect(),
            longest: f64::INFINITY,
        };
        let watched: Vec<Watched> = phase.watched.iter().map(|one| one.0).collect();
        let (columns, widths, work) = (phase.columns.clone(), phase.widths.clone(), phase.work);
        let (first, last) = self.span;
        let mut recorder = Recorder {
            asked: &self.asked,
            answers: &mut self.answers,
            columns: &columns,
            widths: &widths,
            table: &mut self.done.table,
            last: &mut self.done.last,
            times: &mut self.times,
            energies: &mut self.energies,
            residual: &mut self.done.constraint_residual,
            work,
            sizes: &sizes,
            follower: self.follower,
            span: (first, last),
        };
        let before = phase.machine.evaluations;
        let outcome = match Motion::new(&mut phase.machine, plan, self.state.t, self.state.y.clone()) {
            Err(failure) => Err(failure),
            Ok(mut motion) => loop {
                let stop = motion.advance(last, &mut recorder);
                (self.state.t, self.state.y) = (motion.t, motion.y.clone());
                let fired = match stop {
                    Ok(Stop::Events(fired)) => fired,
                    other => {
                        self.done.steps += motion.steps;
                        self.done.rejected += motion.rejected;
                        break other.map(|_| Vec::new());
                    }
                };
                let kinds: Vec<Watched> = fired.iter().map(|&which| watched[which]).collect();
                // What is only recorded does not disturb the motion.
                let names = recorder.look(motion.machine, motion.t, &motion.y, &kinds, self.loaded);
                let stops = kinds.iter().any(|kind| match kind {
                    Watched::Event(place) => self.loaded.system.events[*place].stops,
                    _ => true,
                });
                for (name, kind) in names {
                    let state = shown_of(self.loaded, &motion.y);
                    let t = motion.t;
                    self.done.events.push(Happened { name, kind, t, state, impulse: None, energy_lost: None });
                }
                if stops {
                    self.done.steps += motion.steps;
                    self.done.rejected += motion.rejected;
                    break Ok(kinds);
                }
            },
        };
        recorder.keep_last(&mut phase.machine, self.state.t, &self.state.y);
        self.done.rhs_evaluations += phase.machine.evaluations - before;
        match outcome {
            Err(failure) => {
                self.failed(failure);
                Ok(true)
            }
            Ok(kinds) if kinds.is_empty() => {
                self.done.stopped_by = "time".to_owned();
                Ok(true)
            }
            Ok(kinds) => Ok(self.happened(&kinds)),
        }
    }

    /// What events do; true if they end the motion.
    fn happened(&mut self, kinds: &[Watched]) -> bool {
        let system = self.system();
        let stop = kinds.iter().find_map(|kind| match kind {
            Watched::Event(place) if system.events[*place].stops => Some(name_of(self.loaded, *kind)),
            _ => None,
        });
        if let Some(name) = stop {
            self.done.stopped_by = name;
            return true;
        }
        let releases =
            kinds.iter().filter_map(|kind| if let Watched::Release(place) = kind { Some(*place) } else { None });
        let mut gone: Vec<usize> = releases.collect();
        gone.dedup();
        let closing: Vec<usize> = kinds
            .iter()
            .filter_map(|kind| if let Watched::Close(place) = kind { Some(*place) } else { None })
            .collect();
        self.state.gone = gone;
        if !closing.is_empty() {
            self.refer();
            match impact::impact(self.loaded, self.kind, &closing, &self.state.gone) {
                Ok(blow) => {
                    let n = system.coordinates.len();
                    self.state.y[n..2 * n].iter_mut().zip(&blow.jump).for_each(|(rate, jump)| *rate += jump);
                    self.energies.lost += blow.energy_lost;
                    let state = self.shown();
                    if let Some(event) = self.done.events.iter_mut().rev().find(|event| event.kind == "closes") {
                        event.state = state;
                        event.impulse = Some(blow.impulses);
                        event.energy_lost = Some(blow.energy_lost);
                    }
                    self.state.gone.extend(blow.opened);
                }
                Err(reason) => {
                    self.fail(reason);
                    return true;
                }
            }
        }
        false
    }

    /// Natural sizes of the numbers of the state: those of all coordinates with the same unit.
    fn sizes(&self, phase: &mut Phase) -> Vec<f64> {
        let system = self.system();
        let n = system.coordinates.len();
        let mut slope = vec![0.0; 2 * n + 1];
        let known = numeric::Field::rates(&mut phase.machine, self.state.t, &self.state.y, &mut slope).is_ok();
        let dimension = |k: usize| &system.coordinates[k].dimension;
        let alike = |k: usize| (0..n).filter(move |&other| dimension(other) == dimension(k));
        let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0_f64, |size, x| size.max(x.abs()));
        let mut sizes = vec![0.0; 2 * n + 1];
        for k in 0..n {
            let seen = largest(&mut alike(k).map(|other| self.state.y[other]));
            let parameters = system.parameters.iter().zip(&self.loaded.start.parameters);
            let same = parameters
                .filter(|(parameter, _)| parameter.dimension.is_some() && parameter.dimension == *dimension(k));
            let said = largest(&mut same.filter_map(|one| *one.1));
            let is_angle = dimension(k).as_ref().is_some_and(model::Dimension::is_none);
            let size = if is_angle { 1.0 } else { seen.max(said) };
            sizes[k] = if size > 0.0 && size.is_finite() { size } else { 1.0 };
        }
        for k in 0..n {
            let rate = largest(&mut alike(k).map(|other| self.state.y[n + other]));
            let turn = if known { largest(&mut alike(k).map(|other| slope[n + other])) } else { 0.0 };
            // what the forces could do, though they may balance here
            let push = largest(&mut alike(k).map(|other| phase.loads[other]).map(|(force, mass)| force / mass));
            let push = if push.is_finite() { push } else { 0.0 };
            let size = rate.max((turn.max(push) * sizes[k]).sqrt());
            sizes[n + k] = if size > 0.0 && size.is_finite() { size } else { sizes[k] };
        }
        let moved = phase
            .loads
            .iter()
            .enumerate()
            .map(|(k, (force, mass))| (0.5 * mass * sizes[n + k].powi(2)).abs().max((force * sizes[k]).abs()));
        let energy = moved.filter(|x| x.is_finite()).fold(self.energies.scale, f64::max);
        sizes[2 * n] = if energy > 0.0 && energy.is_finite() { energy } else { 1.0 };
        sizes
    }

    fn fail(&mut self, reason: String) {
        self.done.stopped_by = "failure".to_owned();
        self.done.failure = Some(reason);
    }

    fn failed(&mut self, failure: Failure) {
        let at = |t: f64| format!("t = {} s", crate::number::text(t));
        let words = match failure {
            Failure::Interrupted { .. } => {
                self.done.stopped_by = "interrupted".to_owned();
                return;
            }
            Failure::TooStiff { t } => format!(
                "the steps became too short at {}: something grows without bound there, or is not smooth",
                at(t)
            ),
            Failure::NoSlope { t, trouble: Trouble::NotFinite } => {
                format!("{} at {}", self.without_value(), at(t))
            }
            Failure::NoSlope { t, trouble: Trouble::Singular } => format!(
                "the accelerations are not determined at {}: the constraints or the mass matrix are singular there",
                at(t)
            ),
            Failure::NoSlope { t, trouble: Trouble::Sticky } => format!(
                "at {} two forces that switch would have to hold something at once, and which share each takes is not \
                 determined",
                at(t)
            ),
        };
        self.fail(words);
    }

    /// What has no value at the state.
    fn without_value(&self) -> String {
        self.refer();
        let system = self.system();
        let bad = |list: &[expr::Expr]| list.iter().any(|e| !e.reference().is_finite());
        for load in &system.loads {
            let (list, what) = match &load.kind {
                mechanics::LoadKind::Force { force, .. } => (force.0.to_vec(), "a force"),
                mechanics::LoadKind::Torque { along, .. } => {
                    (along.iter().flat_map(|part| part.1.0).collect(), "a torque")
                }
                mechanics::LoadKind::Gravity(vector) => (vector.0.to_vec(), "gravity"),
                mechanics::LoadKind::Potential(e) => (vec![*e], "a potential"),
                mechanics::LoadKind::Generalized { force, .. } => (vec![*force], "a generalized force"),
                mechanics::LoadKind::Dissipation(e) => (vec![*e], "a dissipation"),
                mechanics::LoadKind::Kinetic(e) => (vec![*e], "a kinetic energy"),
                _ => continue,
            };
            if bad(&list) {
                let sources = &self.loaded.model.sources;
                return format!("{what} ({}:{}) has no value", sources.name_of(load.span), sources.line_of(load.span));
            }
        }
        "something in the equations has no value".to_owned()
    }

    /// Judges facts and closes the books.
    fn close(&mut self) {
        self.done.energy_drift = self.energies.drift();
        self.done.work = self.state.y.last().copied().unwrap_or(0.0);
        let error = 1e3 * self.wanted.tolerance;
        let asked = self.asked.iter().zip(&self.answers);
        let judge = |(one, answers): (&Asked<'_>, &Vec<Vec<f64>>)| {
            let judged: Vec<_> = answers.iter().map(|values| one.holds(values, error)).collect();
            let best = judged.iter().find(|judged| judged.holds == Some(true)).or(judged.first());
            let reason = match (best, &one.when) {
                (Some(judged), _) => judged.reason.clone(),
                (None, When::Time(_)) => Some(TOO_SHORT.to_owned()),
                (None, When::Event(name)) => Some(format!("`{name}` did not happen")),
            };
            let holds = match (best, &one.when, one.until()) {
                (Some(judged), ..) => judged.holds,
                // it should have happened
                (None, When::Event(_), Some(until)) if self.state.t >= until => Some(false),
                _ => None,
            };
            Expected { name: one.statement.name.clone(), holds, reason }
        };
        self.done.expects = asked.map(judge).collect();
    }
}

/// Coordinates and rates by name.
fn shown_of(loaded: &Loaded, y: &[f64]) -> Ordered<f64> {
    let (n, coordinates) = (loaded.system.coordinates.len(), &loaded.system.coordinates);
    let values = coordinates.iter().zip(y).map(|(c, &value)| (c.name.clone(), value));
    values.chain(coordinates.iter().zip(&y[n..]).map(|(c, &value)| (format!("{}'", c.name), value))).collect()
}

/// The name of an event, or of the constraint that it is about.
fn name_of(loaded: &Loaded, kind: Watched) -> String {
    match kind {
        Watched::Release(place) | Watched::Close(place) => loaded.system.constraints[place].name.clone(),
        Watched::Event(place) => {
            let event = &loaded.system.events[place];
            event.name.clone().unwrap_or_else(|| syntax::format_relation(&event.when.tree))
        }
        Watched::Chart => "chart".to_owned(),
    }
}

/// Who writes down a stretch of motion.
struct Recorder<'r, 'a> {
    asked: &'r [Asked<'a>],
    answers: &'r mut [Vec<Vec<f64>>],
    columns: &'r [Column],
    /// How many values belong to each fact.
    widths: &'r [usize],
    table: &'r mut Table,
    last: &'r mut Sample,
    /// Instants that are still to come, for samples and for facts.
    times: &'r mut Vec<f64>,
    energies: &'r mut Energies,
    residual: &'r mut f64,
    work: usize,
    sizes: &'r [f64],
    follower: &'r mut dyn Follower,
    span: (f64, f64),
}

impl Recorder<'_, '_> {
    /// Outputs at a state: the columns, then the answers that `fits` wants.
    fn note(
        &mut self,
        machine: &mut Machine,
        t: f64,
        y: &[f64],
        fits: impl Fn(&When) -> bool,
    ) -> Result<Vec<f64>, Trouble> {
        let values = machine.outputs(t, y)?;
        let (shown, rest) = values.split_at(self.columns.len());
        self.energies.note(rest[0], rest[1], y[self.work]);
        let mut place = 2;
        for (k, (one, answers)) in self.asked.iter().zip(self.answers.iter_mut()).enumerate() {
            let width = self.widths[k];
            if fits(&one.when)
                && let Some(values) = rest.get(place..place + width)
            {
                answers.push(values.to_vec());
            }
            place += width;
        }
        Ok(shown.to_vec())
    }

    /// Notes events, and their names and kinds.
    fn look(
        &mut self,
        machine: &mut Machine,
        t: f64,
        y: &[f64],
        kinds: &[Watched],
        loaded: &Loaded,
    ) -> Vec<(String, &'static str)> {
        let mut names = Vec::new();
        for &kind in kinds {
            let word = match kind {
                Watched::Release(_) => "leaves",
                Watched::Close(_) => "closes",
                Watched::Event(place) if loaded.system.events[place].stops => "stop",
                Watched::Event(_) => "record",
                Watched::Chart => continue,
            };
            let name = name_of(loaded, kind);
            let _ = self.note(machine, t, y, |when| *when == When::Event(name.clone()));
            if !names.contains(&(name.clone(), word)) {
                names.push((name, word));
            }
        }
        names
    }

    fn keep_last(&mut self, machine: &mut Machine, t: f64, y: &[f64]) {
        if let Ok(values) = self.note(machine, t, y, |_| false) {
            *self.last = Sample::new(t, self.columns, &values);
        }
    }
}

impl Onlooker for Recorder<'_, '_> {
    fn next(&self) -> Option<f64> {
        self.times.first().copied()
    }

    fn take(&mut self, machine: &mut Machine, t: f64, y: &[f64]) -> Result<(), Trouble> {
        self.times.remove(0);
        let values = self.note(machine, t, y, |when| matches!(when, When::Time(time) if *time == t))?;
        self.table.add(t, self.columns, &values);
        Ok(())
    }

    fn goes_on(&mut self, machine: &mut Machine, t: f64, y: &[f64]) -> bool {
        let worst = machine.residuals(t, y, self.sizes).into_iter().fold(0.0_f64, f64::max);
        *self.residual = self.residual.max(worst);
        self.follower.reached(t, self.span.0, self.span.1)
    }
}

/// A note if the slope is not Lipschitz at a state where the motion rests: it need not be the only one.
fn rough(phase: &mut Phase, state: &State) -> Option<String> {
    let n = state.y.len();
    let mut rest = vec![0.0; n];
    numeric::Field::rates(&mut phase.machine, state.t, &state.y, &mut rest).ok()?;
    for k in 0..n - 1 {
        let size = state.y[k].abs().max(1.0);
        let mut growth = |step: f64| {
            let mut y = state.y.clone();
            y[k] += step * size;
            let mut slope = vec![0.0; n];
            numeric::Field::rates(&mut phase.machine, state.t, &y, &mut slope).ok()?;
            let change = slope.iter().zip(&rest).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            Some(change / (step * size))
        };
        let (coarse, middle, fine) = (growth(1e-4)?, growth(1e-7)?, growth(1e-10)?);
        // a power below one: the same factor from each scale to the next
        if middle > 3.0 * coarse && fine > 3.0 * middle && (fine / middle) / (middle / coarse) < 3.0 && coarse > 0.0 {
            let is_rest = rest.iter().all(|slope| *slope == 0.0);
            let what =
                if is_rest { "resting there is one motion, and not the only one" } else { "it is one of several" };
            return Some(format!(
                "the motion from the start is not unique: the forces are not Lipschitz there; {what}"
            ));
        }
    }
    None
}

//! How does a motion go from phase to phase?
//!
//! ```text
//! State → Leg: what acts from here on → Phase, made once for each mode and chart → stretch → events → State …
//! ```

mod halt;
mod jump;
mod late;
mod onset;
mod pause;

use std::collections::VecDeque;

use expr::At;
use mechanics::Mode;
use mechanics::formalism::Formalism;
use mechanics::friction::{Grip, Rough, Slip};
use mechanics::rows::RowsError;
use mechanics::standing::Standing;
use numeric::{Failure, Machine, Memory, Motion, Plan, Stop};

use crate::simulate::back;
use crate::simulate::bridge::NoPhase;
use crate::simulate::checkpoint::Place;
use crate::simulate::edge::Edges;
use crate::simulate::event::{EventKind, Happened, StoppedBy};
use crate::simulate::facts::{Asked, When};
use crate::simulate::failure;
use crate::simulate::impact::{self, Blow, Meeting};
use crate::simulate::impacts::Impacts;
use crate::simulate::methods::Ways;
use crate::simulate::phase::{Phase, Wish};
use crate::simulate::recorder::{Balance, Energies, Recorder};
use crate::simulate::run::jump::Sides;
use crate::simulate::state::State;
use crate::simulate::unique;
use crate::simulate::watch::Watched;
use crate::simulate::{Expected, Simulate, Simulation, sizes};
use dynamics::grip::{self, Forces, Own};
use dynamics::{Change, Dynamics, NoNumbers, Solved};
use engine::forms::no_rows;
use engine::{Error, Loaded, Progress};

/// A motion makes at most so many events at one instant.
const MOST_AT_ONCE: usize = 20;
/// A motion is not made of fewer steps, so that nothing short is overlooked.
const FEWEST_STEPS: f64 = 50.0;

/// A disc that leans less than this against its plane, and does not get further, lies flat.
const FLAT: f64 = 1e-3;

/// With fixed steps this much of the energies may be missing before it is remarked.
const UNBALANCED: f64 = 1e-2;

/// What one motion of a model leaves for the next: equations by mode, and phases by mode, form and chart.
pub struct Kept<'a> {
    loaded: &'a Loaded,
    dynamics: Dynamics<'a>,
    /// The phases so far, each with its mode and the form that was asked for.
    phases: Vec<(Mode, Option<&'static str>, Phase)>,
}

impl<'a> Kept<'a> {
    /// Nothing yet.
    pub fn new(loaded: &'a Loaded) -> Kept<'a> {
        Kept { loaded, dynamics: loaded.dynamics(), phases: Vec::new() }
    }
}

/// A simulation under way.
pub struct Run<'a, 'p> {
    kept: Kept<'a>,
    wanted: &'p Simulate,
    /// The first and the last time.
    span: (f64, f64),
    state: State,
    charts: Charts,
    impacts: Impacts,
    log: Log<'a>,
    /// Whether nothing has moved yet.
    is_first: bool,
    /// What acted last, and a state a little ahead where contacts could not go on with it.
    last: Option<Mode>,
    ahead: Vec<State>,
    /// How far ahead contacts were looked at, if they were.
    looked: Option<f64>,
    /// When steps were too short for a slip that came to rest, the last time.
    helped: Option<f64>,
    /// The signs of relations where the last stretch ended.
    sides: Sides,
    /// Where phases were made, for checkpoints.
    made: Vec<Place>,
    /// Where the motion goes on, if it was left there.
    recalled: Option<(usize, Plan, Memory)>,
    progress: &'p mut dyn Progress,
}

/// How a stretch was followed.
struct Followed {
    /// The events that ended it, none if the time is over.
    outcome: Result<Vec<Watched>, Failure>,
    /// What is needed to go on, where it was left or before the end made a step shorter.
    memory: Option<Memory>,
    /// Steps, rejected steps and evaluations until there.
    counted: [u64; 3],
    /// The account of energy there.
    energies: Energies,
    /// The signs of what is watched, there.
    signs: Vec<i8>,
    is_paused: bool,
}

impl Followed {
    fn failed(failure: Failure) -> Followed {
        Followed {
            outcome: Err(failure),
            memory: None,
            counted: [0; 3],
            energies: Energies::default(),
            signs: Vec::new(),
            is_paused: false,
        }
    }
}

/// What a motion writes down.
struct Log<'a> {
    asked: Vec<Asked<'a>>,
    /// Values of the sides of facts.
    answers: Vec<Vec<Vec<f64>>>,
    times: VecDeque<f64>,
    done: Simulation,
    energies: Energies,
    balance: Balance,
    /// Natural sizes of the state so far.
    sizes: Vec<f64>,
    /// What happened at the state, and is to be looked at once more as the motion goes on from there.
    after: Vec<(String, f64)>,
    /// Why the motion does not go on where constraints depend on each other.
    refused: Option<&'static str>,
    /// Instants at which rows depend on each other, of a stretch that was left for a moment.
    singular: Vec<f64>,
    /// How steps were made.
    ways: Ways,
}

/// How charts are changed on the way.
struct Charts {
    /// The form that is asked for, or goes on where no chart is regular.
    form: Option<&'static Formalism>,
    /// The rates that the chart of the last phase eliminated.
    dependent: Vec<usize>,
    /// Whether a new chart may do better.
    is_watched: bool,
    /// Whether the last phase ended where its chart became singular.
    has_ended: bool,
}

/// From a state on: what acts, and where that is.
struct Leg {
    at: At,
    mode: Mode,
    /// What was found on the way to it, unless a phase for it is there.
    solved: Option<Solved>,
}

/// Whether a motion goes on.
enum Next {
    GoesOn,
    Ends(StoppedBy),
}

impl Next {
    fn fails(reason: String) -> Next {
        Next::Ends(StoppedBy::Failure(reason))
    }
}

impl<'a, 'p> Run<'a, 'p> {
    /// A run that is about to start.
    pub fn new(
        kept: Kept<'a>,
        wanted: &'p Simulate,
        chosen: Option<&'static Formalism>,
        asked: Vec<Asked<'a>>,
        (first, last, times): (f64, f64, Vec<f64>),
        progress: &'p mut dyn Progress,
    ) -> Run<'a, 'p> {
        let loaded = kept.loaded;
        let mut all = times.clone();
        all.extend(asked.iter().filter_map(|one| match one.when {
            When::Time(time) if time >= first && time <= last => Some(time),
            _ => None,
        }));
        all.sort_by(f64::total_cmp);
        all.dedup();
        let log = Log {
            answers: asked.iter().map(|_| Vec::new()).collect(),
            asked,
            times: all.into(),
            done: Simulation::begin(loaded, wanted, first, times),
            energies: Energies::default(),
            balance: Balance::default(),
            sizes: Vec::new(),
            after: Vec::new(),
            refused: None,
            singular: Vec::new(),
            ways: Ways::default(),
        };
        Run {
            kept,
            wanted,
            span: (first, last),
            state: State::start(loaded, wanted.back.is_some()),
            charts: Charts { form: chosen, dependent: Vec::new(), is_watched: true, has_ended: false },
            impacts: Impacts::default(),
            log,
            is_first: true,
            sides: Sides::default(),
            last: None,
            ahead: Vec::new(),
            looked: None,
            helped: None,
            made: Vec::new(),
            recalled: None,
            progress,
        }
    }

    /// The run with some numbers of its first state in place of those of the model.
    pub fn starting(mut self, values: &[(usize, f64)]) -> Run<'a, 'p> {
        values.iter().for_each(|&(place, value)| self.state.y[place] = value);
        self
    }

    fn loaded(&self) -> &'a Loaded {
        self.kept.loaded
    }

    /// Runs to the end.
    pub fn finish(mut self) -> Result<(Simulation, Kept<'a>), Error> {
        let (mut at_once, mut instant) = (0, f64::NEG_INFINITY);
        let stopped_by = loop {
            (at_once, instant) = if self.state.t > instant { (0, self.state.t) } else { (at_once + 1, instant) };
            if at_once > MOST_AT_ONCE {
                let reason = "too many events at one instant: contacts open and close without end there";
                break StoppedBy::Failure(reason.to_owned());
            }
            if let Some((place, plan, memory)) = self.recalled.take() {
                let mode = self.kept.phases[place].0.clone();
                match self.along(place, plan, &mode, Some(memory)) {
                    Next::Ends(stopped_by) => break stopped_by,
                    Next::GoesOn => continue,
                }
            }
            if let Some(next) = self.meets_late() {
                match next {
                    Next::Ends(stopped_by) => break stopped_by,
                    Next::GoesOn => continue,
                }
            }
            let leg = match self.leg()? {
                Ok(leg) => leg,
                Err(reason) => break StoppedBy::Failure(reason),
            };
            let Leg { at, mode, solved } = leg;
            let place = match self.phase(&at, &mode, solved) {
                Ok(Some(place)) => place,
                // no other chart is better here: go on without one
                Ok(None) => continue,
                Err(reason) => break StoppedBy::Failure(reason),
            };
            if let Next::Ends(stopped_by) = self.stretch(place, &at, &mode) {
                break stopped_by;
            }
        };
        let stopped_by = self.unless_lawless(stopped_by);
        self.close(stopped_by);
        Ok((self.log.done, self.kept))
    }

    /// Why it ended: where a law of a reaction becomes singular there is no way on.
    fn unless_lawless(&self, stopped_by: StoppedBy) -> StoppedBy {
        match stopped_by {
            StoppedBy::Event(name) if self.loaded().system.laws.iter().any(|law| law.end() == name) => {
                StoppedBy::Failure(format!("{name}, and no accelerations follow from it"))
            }
            other => other,
        }
    }

    /// What acts from the state on, or why there is no motion from there.
    fn leg(&mut self) -> Result<Result<Leg, String>, Error> {
        let (loaded, at) = (self.loaded(), self.state.at(self.loaded()));
        if let Some(reason) = loaded.system.laws.iter().find_map(|law| law.trouble(&at)) {
            return Ok(Err(reason));
        }
        let mode = match self.mode(&at) {
            Ok(mode) => mode,
            Err(error) => return Ok(Err(error.to_string())),
        };
        if self.is_known(&mode, &at) {
            self.state.change = Change::Nothing;
            return Ok(Ok(Leg { mode: mode.settled(&loaded.system), at, solved: None }));
        }
        let is_first = self.log.done.form.is_empty();
        // From a later state on, errors are no longer those of the input.
        let found = match self.going_on(&mode, &at) {
            Err(error) if is_first => return Err(no_rows(loaded, error)),
            Err(error) => return Ok(Err(no_rows(loaded, error).to_string())),
            Ok(Err(NoNumbers::NoState(reason))) if is_first => {
                let hint = "a state satisfies every constraint that acts there; `anholon check` says more";
                return Err(Error::new(format!("the motion cannot start: {reason}")).hint(hint));
            }
            Ok(Err(
                NoNumbers::NoState(reason) | NoNumbers::NotApplicable(reason) | NoNumbers::Undetermined(reason),
            )) => {
                let t = expr::decimal(self.state.time());
                return Ok(Err(format!("at t = {t} s: {reason}")));
            }
            Ok(Ok(found)) => found,
        };
        for &place in found.mode.released.iter().filter(|place| !self.state.gone.contains(place)) {
            let name = loaded.system.constraints[place].name.clone();
            self.log.after.extend((self.state.change == Change::Strains).then(|| (name.clone(), self.state.t)));
            self.log.happens(name, EventKind::Leaves, &self.state, loaded);
        }
        self.note_slips(&found.mode);
        self.state.gone.clone_from(&found.mode.released);
        self.state.change = Change::Nothing;
        let mode = found.mode.settled(&loaded.system);
        self.hold(Leg { at, mode, solved: Some(found) }).map(Ok)
    }

    /// What acts and how it moves from the state on. Where several contacts cannot go on as they did, what comes next is
    /// seen a little later; the first later state is taken at which they do something else.
    fn going_on(&mut self, mode: &Mode, at: &At) -> Result<Result<Solved, NoNumbers>, RowsError> {
        self.looked = None;
        let is_joint = match self.state.change {
            Change::Strains => true,
            // beside other contacts no law of its own says how it slips
            Change::Slips => !self.ahead.is_empty() && self.kept.dynamics.has_several(mode, at),
            _ => false,
        };
        if !is_joint {
            return self.kept.dynamics.going_on(mode, at, self.state.change);
        }
        let system = &self.loaded().system;
        let mut found = self.kept.dynamics.going_on_together(mode, at, at)?;
        for ahead in &self.ahead {
            let look = ahead.at(self.loaded());
            let next = self.kept.dynamics.going_on_together(mode, at, &look)?;
            let is_other = |solved: &Solved| {
                self.last.as_ref().is_none_or(|last| !does_the_same(last, &solved.mode.settled(system)))
            };
            let is_taken = next.as_ref().is_ok_and(is_other);
            if is_taken {
                self.looked = Some(ahead.t - self.state.t);
                return Ok(next);
            }
            if found.is_err() {
                found = next;
            }
        }
        // to go on as before would be a guess
        let reason = "contacts cannot go on together as they did, and what comes next could not be found";
        Ok(found.and(Err(NoNumbers::Undetermined(reason.to_owned()))))
    }

    /// Notes contacts that stuck and slide now, where several were looked at together.
    fn note_slips(&mut self, mode: &Mode) {
        if self.state.change != Change::Strains {
            return;
        }
        let stuck = self.last.iter().flat_map(|last| &last.held).filter(|held| held.grip == Grip::Sticks);
        let slides = |gap: usize| mode.sliding().any(|sliding| sliding.rough.gap == gap);
        let begin: Vec<String> =
            stuck.filter(|held| slides(held.rough.gap)).map(|held| held.rough.name.clone()).collect();
        for name in begin {
            self.log.after.push((name.clone(), self.state.t));
            self.log.happens(name, EventKind::Slips, &self.state, self.kept.loaded);
        }
    }

    /// Whether nothing must be solved to know what acts: all is open or equal, nothing is rough, and a phase is there.
    fn is_known(&self, mode: &Mode, at: &At) -> bool {
        let system = &self.loaded().system;
        let is_open = |standing: &Standing| !matches!(standing, Standing::Closed | Standing::Violated);
        mode.standing.iter().all(is_open)
            && mode.released.is_empty()
            && (system.frictions.is_empty() || grip::closed(system, mode, at).is_empty())
            && self.find(&mode.settled(system), at).is_some()
    }

    /// The phase for a mode that serves at a state.
    fn find(&self, mode: &Mode, at: &At) -> Option<usize> {
        let form = self.charts.form.map(|form| form.name);
        self.kept.phases.iter().position(|known| known.1 == form && known.0 == *mode && known.2.serves(at))
    }

    /// Takes over how a rough contact goes on. A slip that begins has a direction before it has a speed: it gets a speed
    /// that is rounding.
    fn hold(&mut self, leg: Leg) -> Result<Leg, Error> {
        let loaded = self.loaded();
        for sliding in leg.mode.sliding() {
            self.log.turns(&sliding.rough.name, self.state.t);
        }
        let system = &loaded.system;
        let size = |rough: &Rough| {
            let sizes = rough.slips.iter().map(|slip| mechanics::standing::natural_rate(system, slip.1, &leg.at));
            sizes.fold(0.0, f64::max)
        };
        // several that begin slowly are stiff: they turn each other while their forces grow
        let least = if leg.mode.held.len() > 1 && self.looked.is_some() { 1e-7 } else { 1e-10 };
        let slow = self.wanted.tolerance().clamp(least, 1e-6);
        let mut mode = leg.mode.clone();
        for held in &leg.mode.held {
            let Grip::Slides(press, Slip::Toward(direction)) = held.grip else { continue };
            let power = (1e-2 * slow * size(&held.rough)).log10().floor().clamp(-18.0, 0.0) as i32;
            let grip = Grip::Slides(press, Slip::Near(direction, power));
            mode = mode.holding(system, &held.rough, grip).map_err(Error::new)?;
        }
        if mode == leg.mode {
            return Ok(leg);
        }
        if let Some(touching) = leg.solved.as_ref().and_then(|found| found.touching.as_ref()) {
            self.begin_slips(&leg, touching, &|rough| slow * size(rough));
        }
        // its form is another than that of the direction alone
        let solved = leg.solved.map(|found| Solved { recipe: found.recipe.without_forms(), ..found });
        Ok(Leg { at: self.state.at(loaded), mode, solved })
    }

    /// The place of the phase for a mode, made if it is new; `None` if its chart is the one that has just ended.
    fn phase(&mut self, at: &At, mode: &Mode, solved: Option<Solved>) -> Result<Option<usize>, String> {
        let place = match (self.find(mode, at), solved) {
            (Some(place), _) => place,
            (None, Some(solved)) => {
                let recipe = &solved.recipe;
                let maker = self.place();
                let made = Phase::new(Wish {
                    loaded: self.kept.loaded,
                    mode,
                    rows: &recipe.rows,
                    forms: recipe.forms.clone(),
                    at,
                    form: self.charts.form,
                    asked: &self.log.asked,
                    watches_chart: self.charts.is_watched,
                    is_back: self.state.is_back,
                });
                let phase = made.map_err(|no_phase| match no_phase {
                    NoPhase::NotApplicable(reason) => {
                        let form =
                            self.charts.form.map_or(String::new(), |form| format!("`{}` does not apply: ", form.name));
                        form + &reason
                    }
                    NoPhase::Broken(reason) => reason,
                })?;
                self.made.push(maker);
                self.log.done.phases += 1;
                self.log.done.derived += phase.derived + recipe.forms.len();
                self.kept.phases.push((mode.clone(), self.charts.form.map(|form| form.name), phase));
                self.kept.phases.len() - 1
            }
            (None, None) => return Err("no phase was made for this state".to_owned()),
        };
        let phase = &self.kept.phases[place].2;
        let charts = &mut self.charts;
        charts.is_watched = !(charts.has_ended && charts.dependent == phase.dependent);
        charts.dependent.clone_from(&phase.dependent);
        if !charts.is_watched && charts.form.is_none() {
            charts.form = mechanics::formalism::formalism("multipliers");
            return Ok(None);
        }
        self.log.begin(phase);
        Ok(Some(place))
    }

    /// One stretch of motion in a phase.
    fn stretch(&mut self, place: usize, at: &At, mode: &Mode) -> Next {
        let loaded = self.loaded();
        let phase = &mut self.kept.phases[place].2;
        // Switches look where they are before anything is computed; a failure is told by the motion itself.
        let _ = phase.machine.settle(self.state.t, &self.state.y);
        let sizes = self.log.sizes(loaded, phase, &self.state, at, mode.held.is_empty().then_some(self.span.1));
        if std::mem::take(&mut self.log.balance.is_anew) {
            phase.machine.project(self.state.t, &mut self.state.y, &sizes);
        }
        let worst = phase.machine.residuals(self.state.t, &self.state.y, &sizes).into_iter().fold(0.0_f64, f64::max);
        if worst > 1e-6 {
            return Next::fails(format!(
                "the constraints that begin to act at t = {} s do not hold there: they miss by {} of their size",
                expr::decimal(self.state.time()),
                expr::decimal(worst)
            ));
        }
        let watched = phase.watched();
        let is_first = std::mem::take(&mut self.is_first);
        let watches = phase.watches(at, is_first);
        // A contact at the very edge of its cone slips, and a guide that presses on neither side does so at once.
        if let Some(change) = changes(phase, &watched, &watches, mode, &self.state, self.span) {
            self.state.change = change;
            return Next::GoesOn;
        }
        let jumped = self.jumped(place, &watches);
        let plan = Plan {
            method: self.wanted.first_method(),
            is_free: self.wanted.method.is_none(),
            tolerance: self.wanted.tolerance(),
            sizes: sizes.clone(),
            step: self.wanted.step,
            watches,
            longest: (self.span.1 - self.span.0) / FEWEST_STEPS,
            // where a slip comes to rest, the contact sticks
            crosses: mode.sliding().next().is_none(),
            keeps: self.wanted.keeps,
        };
        if !jumped.is_empty() {
            let (phase, now) = (&mut self.kept.phases[place].2, (self.span.0, self.state.t));
            self.log.follow(phase, (plan, None), &mut self.state, now, self.progress, self.kept.loaded);
            return self.happened(place, &jumped, mode);
        }
        self.along(place, plan, mode, None)
    }

    /// One stretch of motion by a plan, from a memory if there is one.
    fn along(&mut self, place: usize, plan: Plan, mode: &Mode, memory: Option<Memory>) -> Next {
        let watched = self.kept.phases[place].2.watched();
        let outcome = self.follow(place, plan, memory);
        if let Some(t) = self.log.balance.strays {
            return self.strayed(place, t);
        }
        if let Some(reason) = self.passed_through(&watched) {
            return Next::fails(reason);
        }
        let is_told = match &outcome {
            Err(failure) => !matches!(failure, Failure::Interrupted { .. }),
            Ok(kinds) => {
                kinds.iter().any(|kind| matches!(kind, Watched::Edge(_) | Watched::Side(_) | Watched::Singular))
            }
        };
        if let Some((missing, times)) = self.log.balance.broken.filter(|_| !is_told) {
            return Next::fails(failure::unbalanced(missing, times));
        }
        self.ahead.clear();
        let is_edge = |kind: &Watched| matches!(kind, Watched::Strain | Watched::Slip(_));
        if outcome.as_ref().is_ok_and(|kinds| kinds.iter().any(is_edge)) {
            self.ahead = ahead(&mut self.kept.phases[place].2, &self.state, self.span);
        }
        self.last = Some(mode.clone());
        match outcome {
            Err(failure) => match self.halts(place, mode, failure) {
                Some(next) => next,
                None => Next::Ends(self.failed(place, &watched, mode, failure)),
            },
            Ok(kinds) if kinds.is_empty() => Next::Ends(StoppedBy::Time),
            Ok(kinds) => self.happened(place, &kinds, mode),
        }
    }

    /// Rows stopped to follow from those that were chosen: others are chosen at the last state at which they did, if these do
    /// not stand well there any more.
    fn strayed(&mut self, place: usize, t: f64) -> Next {
        let (phase, at) = (&self.kept.phases[place].2, self.state.at(self.loaded()));
        if !self.log.balance.goes_on(phase.serves(&at), self.state.t, self.span) {
            return Next::fails(failure::strays(&phase.redundant, t));
        }
        Next::GoesOn
    }

    /// Why the equations do not lead further: rows depend on each other, a mass vanishes, something grows without bound.
    fn breaks_down(&self, phase: usize, kinds: &[Watched]) -> Option<String> {
        let (loaded, t) = (self.loaded(), self.state.time());
        if kinds.contains(&Watched::Singular) {
            let why = self.log.refused.unwrap_or("no step leads through there");
            let name = self.log.done.events.last().map_or("", |event| &event.name);
            return Some(failure::singular(name, why, t));
        }
        kinds.iter().find_map(|kind| match *kind {
            Watched::Mass(place) => Some(failure::massless(&loaded.system, place, t)),
            Watched::Side(place) => failure::flat(&loaded.system, place, t),
            Watched::Edge(place) => {
                let grown = self.kept.phases[phase].2.edges.grown(place, &self.state.at(loaded))?;
                Some(failure::edge(&grown, t))
            }
            _ => None,
        })
    }

    /// What events do.
    fn happened(&mut self, phase: usize, kinds: &[Watched], mode: &Mode) -> Next {
        let system = &self.loaded().system;
        let stop = kinds.iter().find_map(|kind| match kind {
            Watched::Event(place) if system.events[*place].stops => Some(name_of(self.loaded(), *kind)),
            _ => None,
        });
        if let Some(name) = stop {
            return Next::Ends(StoppedBy::Event(name));
        }
        if let Some(reason) = self.breaks_down(phase, kinds) {
            return Next::fails(reason);
        }
        self.charts.has_ended = kinds.contains(&Watched::Chart);
        let places = |wanted: fn(Watched) -> Option<usize>| {
            let mut places: Vec<usize> = kinds.iter().filter_map(|&kind| wanted(kind)).collect();
            places.dedup();
            places
        };
        if let [place, ..] = places(|kind| if let Watched::Lost(place) = kind { Some(place) } else { None })[..] {
            return Next::fails(failure::lost(self.loaded(), place, self.state.time()));
        }
        let halted = places(|kind| if let Watched::Halt(place) = kind { Some(place) } else { None });
        if !halted.is_empty() {
            self.come_to_rest(phase, mode, &halted);
        }
        let press = |place: usize| mode.sliding().find(|one| one.rough.gap == place).map(|one| one.press);
        self.state.change = kinds.iter().fold(Change::Nothing, |change, &kind| match kind {
            Watched::Strain => Change::Strains,
            Watched::Slip(_) if change == Change::Nothing => Change::Slips,
            Watched::Presses(place) if change == Change::Nothing => {
                press(place).map_or(change, |press| Change::Presses(-press))
            }
            _ => change,
        });
        self.state.gone = places(|kind| if let Watched::Release(place) = kind { Some(place) } else { None });
        let mut closing = places(|kind| if let Watched::Close(place) = kind { Some(place) } else { None });
        let begins = places(|kind| if let Watched::Begin(place) = kind { Some(place) } else { None });
        let ends = places(|kind| if let Watched::End(place) = kind { Some(place) } else { None });
        begins.iter().for_each(|&place| self.state.on[place] = Standing::Acts);
        ends.iter().for_each(|&place| self.state.on[place] = Standing::Over);
        if let Some(reason) = begins.iter().find_map(|&place| self.begins_elsewhere(place)) {
            return Next::fails(reason);
        }
        if let Some(&place) = closing.first().filter(|_| self.state.is_back) {
            return Next::fails(back::touches(&system.constraints[place].name, self.state.time()));
        }
        closing.extend(begins.into_iter().filter(|&place| {
            let constraint = &system.constraints[place];
            !constraint.is_one_sided() && !constraint.while_closed && !constraint.is_rough
        }));
        if closing.is_empty() { Next::GoesOn } else { self.collide(&closing) }
    }

    /// What an impact does.
    fn collide(&mut self, closing: &[usize]) -> Next {
        let (loaded, at) = (self.loaded(), self.state.at(self.loaded()));
        let system = &loaded.system;
        let mode = match self.mode(&at) {
            Ok(mode) => mode,
            Err(error) => return Next::fails(error.to_string()),
        };
        let (late, touching) = self.beside(&mode, closing, &at);
        let closing = &[closing, &late[..]].concat()[..];
        let since = self.impacts.since(self.state.t);
        let is_small = since.is_some_and(|since| closing.iter().all(|&place| is_short(loaded, place, since, &at)));
        // what begins by a line does so once
        let can_bounce = closing.iter().any(|&place| system.constraints[place].is_one_sided());
        let resting = if can_bounce { self.impacts.accumulate(self.state.t, closing, is_small) } else { None };
        let is_shut = |place: &usize| mechanics::standing::shut(system, &system.constraints[*place].rows, &at);
        let all: Vec<usize> = match &resting {
            Some(ending) => ending.places.iter().copied().filter(is_shut).collect(),
            None => closing.to_vec(),
        };
        let open: Vec<usize> = mode.released.iter().copied().filter(|place| !all.contains(place)).collect();
        let mode = Mode { released: open, ..mode };
        let touching: Vec<usize> = touching.into_iter().filter(|place| !all.contains(place)).collect();
        let is_elastic = resting.is_none();
        let meeting = Meeting { mode: &mode, at: &at, closing: &all, touching: &touching, is_elastic };
        let blow = match (impact::impact(&self.kept.dynamics, &meeting), &resting) {
            (Ok(blow), None) => blow,
            (Ok(blow), Some(_)) if !blow.opened.iter().any(|place| all.contains(place)) => blow,
            // one blow could not stop them without impulses that pull, but many do that become ever weaker
            (_, Some(ending)) => {
                let has_limit = ending.falls && ending.places.len() == all.len();
                match impact::limit(&self.kept.dynamics, &meeting).filter(|_| has_limit) {
                    Some(blow) => blow,
                    None => return Next::fails(failure::no_rest(loaded, ending.t, &ending.places)),
                }
            }
            (Err(reason), None) => {
                return Next::fails(format!("at t = {} s: {reason}", expr::decimal(self.state.time())));
            }
        };
        self.state.kick(&blow.jump);
        let at = self.state.at(loaded);
        let moves = |place: &&usize| !self.is_still(**place, &at);
        let opened: Vec<usize> = blow.opened.iter().filter(moves).copied().collect();
        self.state.gone.extend(opened);
        self.impacts.had(blow.strength);
        self.log.meets(&blow, &self.state, closing, resting.map(|ending| ending.t), loaded);
        Next::GoesOn
    }

    /// Changes the slips of rough contacts by these, by gap, and no slip of the others, with the least change of the
    /// rates.
    fn nudge(&mut self, mode: &Mode, at: &At, slips: &dyn Fn(usize) -> Option<Vec<f64>>) {
        let own: Vec<Own<'_>> = mode.held.iter().map(|held| Own::of(&held.rough)).collect();
        let speeds = mode.held.iter().flat_map(|held| {
            let slips = slips(held.rough.gap).unwrap_or_else(|| vec![0.0; held.rough.slips.len()]);
            std::iter::once(0.0).chain(slips)
        });
        let forces = Forces::of(&self.kept.dynamics.ground, &mode.unheld(), at, &own, false);
        if let Some(change) = forces.ok().and_then(|forces| forces.nudge(&speeds.collect::<Vec<f64>>())) {
            self.state.kick(&change);
        }
    }

    /// An open one-sided constraint that is violated, although its closing was watched for.
    fn passed_through(&self, watched: &[Watched]) -> Option<String> {
        const DEEP: f64 = 1e-6;
        if !watched.iter().any(|kind| matches!(kind, Watched::Close(_))) {
            return None;
        }
        let (system, at) = (&self.loaded().system, self.state.at(self.loaded()));
        watched.iter().find_map(|kind| {
            let Watched::Close(place) = *kind else { return None };
            let deep = |gap: f64, row| gap < -DEEP * mechanics::standing::natural_gap(system, row, &at);
            let rows = system.constraints[place].rows.iter();
            let gap = rows.map(|&row| (at.value(row), row)).find(|&(gap, row)| gap < 0.0 && deep(gap, row))?.0;
            let (t, gap) = (expr::decimal(self.state.time()), expr::decimal(gap));
            let name = &system.constraints[place].name;
            Some(format!("`{name}` is violated at t = {t} s, with the gap {gap}: its closing was too small to be seen"))
        })
    }

    /// What is wrong with a constraint that begins to act where it does not hold.
    fn begins_elsewhere(&self, place: usize) -> Option<String> {
        let system = &self.loaded().system;
        let constraint = &system.constraints[place];
        let misses = mechanics::standing::misses(system, constraint, &self.state.at(self.loaded()))?;
        let (t, misses) = (expr::decimal(self.state.time()), expr::decimal(misses));
        Some(format!("`{}` begins to act at t = {t} s and does not hold there: it misses by {misses}", constraint.name))
    }

    /// Why the steps could not go on.
    fn failed(&mut self, place: usize, watched: &[Watched], mode: &Mode, failure: Failure) -> StoppedBy {
        let loaded = self.loaded();
        if matches!(failure, Failure::Interrupted { .. }) {
            return StoppedBy::Interrupted;
        }
        if let Some(lost) = self.boundary(place, watched, mode) {
            return StoppedBy::Failure(failure::lost(loaded, lost, self.state.time()));
        }
        let at = self.state.at(loaded);
        let flat = mechanics::contact::sides(&loaded.system).position(|side| at.value(side.1).abs() < FLAT);
        if let Some(why) = flat.and_then(|side| failure::flat(&loaded.system, side, self.state.time())) {
            return StoppedBy::Failure(why);
        }
        let is_chosen = self.wanted.form.is_some() && !self.charts.dependent.is_empty();
        StoppedBy::Failure(failure::told(loaded, &failure, &self.state, self.span, is_chosen))
    }

    /// The contact whose force grows without bound where the motion could not go on: the determinant vanishes on the way
    /// that the rates point, which may take forces that no step can follow. The state is moved there.
    fn boundary(&mut self, phase: usize, watched: &[Watched], mode: &Mode) -> Option<usize> {
        const NEAR: f64 = 1e-2;
        let (which, place) = watched.iter().enumerate().find_map(|(which, kind)| match kind {
            Watched::Lost(place) => Some((which, *place)),
            _ => None,
        })?;
        let loaded = self.loaded();
        let (system, at) = (&loaded.system, self.state.at(loaded));
        let [held] = &mode.held[..] else { return None };
        let sliding = grip::sliding(&self.kept.dynamics.ground, &mode.unheld(), &at, &held.rough).ok()?;
        if sliding.abs() > NEAR {
            return None;
        }
        let (n, here) = (system.coordinates.len(), self.state.clone());
        let ahead = |s: f64| {
            let mut y = here.y.clone();
            (0..n).for_each(|k| y[k] += s * y[n + k]);
            y
        };
        let (machine, mut values) = (&mut self.kept.phases[phase].2.machine, Vec::new());
        let mut determinant = |s: f64| {
            machine.watch(here.t + s, &ahead(s), &mut values).ok()?;
            Some(values[which])
        };
        // by secants
        let (mut s, mut next) = (0.0, 1e-9 * (self.span.1 - self.span.0));
        let mut value = determinant(s)?;
        for _ in 0..30 {
            // at the boundary itself nothing can be solved
            let Some(other) = determinant(next).filter(|other| *other != value) else { break };
            (s, next, value) = (next, next - other * (next - s) / (other - value), other);
        }
        let is_near = next >= 0.0 && next < 1e-2 * (self.span.1 - self.span.0);
        if !is_near {
            return None;
        }
        (self.state.t, self.state.y) = (here.t + next, ahead(next));
        let name = system.constraints[place].name.clone();
        self.log.happens(name, EventKind::LosesSolvability, &self.state, loaded);
        Some(place)
    }

    /// Judges facts and closes the books.
    fn close(&mut self, stopped_by: StoppedBy) {
        let log = &mut self.log;
        log.done.stopped_by = stopped_by;
        log.done.energy_drift = log.energies.drift();
        if self.wanted.step.is_some() && log.done.energy_drift > UNBALANCED {
            let words = "the energy balance is broken: the steps are too long for this motion, or it has left the domain of its \
                         equations";
            log.done.notes.push(words.to_owned());
        }
        log.ways.tell(&mut log.done, self.state.is_back);
        log.done.work = self.state.y.last().copied().unwrap_or(0.0);
        let (error, t) = (1e3 * self.wanted.tolerance(), self.state.t);
        let asked = log.asked.iter().zip(&log.answers);
        log.done.expects = asked.map(|(one, answers)| Expected::of(one, answers, error, t)).collect();
    }
}

impl Log<'_> {
    /// Notes an event at a state.
    fn happens(&mut self, name: String, kind: EventKind, state: &State, loaded: &Loaded) {
        self.done.events.push(Happened::new(name, kind, state.t, state.shown(&loaded.system)));
    }

    /// What came to rest at this instant slides on.
    fn turns(&mut self, name: &str, t: f64) {
        let here = self.done.events.iter_mut().rev().take_while(|event| event.t == t);
        if let Some(event) = here.into_iter().find(|event| event.kind == EventKind::Sticks && event.name == name) {
            event.kind = EventKind::Turns;
        }
    }

    /// Remarks about a phase.
    fn begin(&mut self, phase: &Phase) {
        self.done.form = phase.form.name;
        for note in phase.unobserved.iter().filter(|note| !self.done.notes.contains(note)).cloned().collect::<Vec<_>>()
        {
            self.done.notes.push(note);
        }
        if phase.redundant.is_empty()
            || self.done.notes.iter().any(|note| note.contains("its reactions are not unique"))
        {
            return;
        }
        let names: Vec<String> = phase.redundant.iter().map(|name| format!("`{name}`")).collect();
        let verb = if names.len() == 1 { "follows" } else { "follow" };
        self.done.notes.push(format!(
            "{} {verb} from other constraints: the motion is determined, its reactions are not unique; what rows that share \
             a load carry one by one is not told",
            names.join(", ")
        ));
    }

    /// Natural sizes at a state. What has been large is not small because it rests.
    fn sizes(&mut self, loaded: &Loaded, phase: &mut Phase, state: &State, at: &At, until: Option<f64>) -> Vec<f64> {
        let mut sizes = sizes::natural(loaded, phase, state, at, self.energies.scale);
        sizes.iter_mut().zip(&self.sizes).for_each(|(size, before)| *size = size.max(*before));
        self.sizes.clone_from(&sizes);
        if self.done.table.t.is_empty() && self.energies.is_empty() {
            // friction is not Lipschitz, and the law says how it goes on
            if let Some(until) = until {
                self.done.notes.extend(unique::note(phase, state, &sizes, until));
            }
            self.energies.begin(phase, state.t, &state.y);
        }
        self.energies.scale = self.energies.scale.max(sizes.last().copied().unwrap_or(0.0));
        sizes
    }

    /// Follows a stretch to its end: the events that ended it, none if the time is over.
    fn follow(
        &mut self,
        phase: &mut Phase,
        (plan, memory): (Plan, Option<Memory>),
        state: &mut State,
        span: (f64, f64),
        progress: &mut dyn Progress,
        loaded: &Loaded,
    ) -> Followed {
        let (watched, sizes, motion_keeps) = (phase.watched(), plan.sizes.clone(), plan.keeps);
        let mut recorder = Recorder {
            asked: &self.asked,
            answers: &mut self.answers,
            columns: &phase.columns,
            widths: &phase.widths,
            unshared: phase.unshared.as_ref(),
            table: &mut self.done.table,
            last: &mut self.done.last,
            times: &mut self.times,
            energies: &mut self.energies,
            residual: &mut self.done.constraint_residual,
            work: phase.work,
            sizes: &sizes,
            progress,
            span,
            keeps: plan.keeps,
            loaded,
            rows: &phase.rows,
            events: &mut self.done.events,
            singular: std::mem::take(&mut self.singular),
            is_paused: false,
            is_back: state.is_back,
            refused: &mut self.refused,
            balance: &mut self.balance,
            tolerance: Some(plan.tolerance).filter(|_| plan.step.is_none()),
            steps: self.done.steps,
            sound: (state.t, state.y.clone()),
        };
        self.after.drain(..).for_each(|one| recorder.look_again(&mut phase.machine, one.1, &state.y, &one.0));
        let (mut motion, before) = match begun(&mut phase.machine, plan, state, memory.as_ref()) {
            Ok(ready) => ready,
            Err(failure) => return Followed::failed(failure),
        };
        let outcome = advanced(&mut motion, &mut recorder, state, (&watched, &mut self.done.notes), &phase.edges);
        let first = [self.done.steps, self.done.rejected, self.done.rhs_evaluations];
        (self.done.steps, self.done.rejected) = (first[0] + motion.steps, first[1] + motion.rejected);
        self.ways.take(&motion);
        let signs = motion.signs().to_vec();
        let is_left = motion_keeps && matches!(outcome, Err(Failure::Interrupted { .. }));
        let memory = if is_left { Some(motion.memory()) } else { motion.before_end().cloned() };
        let counted = memory.as_ref().map_or([0; 3], |memory| counted_until(memory, first, before));
        let (is_paused, energies) = (recorder.is_paused, *recorder.energies);
        recorder.sound_end(is_stuck(&outcome)).into_iter().for_each(|sound| (state.t, state.y) = sound);
        match is_paused {
            true => self.singular = std::mem::take(&mut recorder.singular),
            false => recorder.keep_last(&mut phase.machine, state.t, &state.y),
        }
        self.done.rhs_evaluations += phase.machine.evaluations - before;
        Followed { outcome, memory, counted, energies, signs, is_paused }
    }

    /// Notes an impact beside the events that brought it.
    fn meets(&mut self, blow: &Blow, state: &State, closing: &[usize], rests: Option<f64>, loaded: &Loaded) {
        self.energies.lost += blow.energy_lost;
        let (shown, t) = (state.shown(&loaded.system), state.t);
        let is_cause = |kind: EventKind| matches!(kind, EventKind::Closes | EventKind::Begins);
        let name = |place: &usize| loaded.system.constraints[*place].name.clone();
        let bouncing: Vec<String> = blow.bouncing.iter().map(name).collect();
        if let Some(event) = self.done.events.iter_mut().rev().find(|event| is_cause(event.kind)) {
            event.state = shown.clone();
            event.impulse = Some(blow.impulses.clone()).filter(|all| !all.0.is_empty());
            event.energy_lost = Some(blow.energy_lost);
            match rests {
                Some(t) => (event.kind, event.t) = (EventKind::Rests, t),
                None if bouncing.contains(&event.name) => event.kind = EventKind::Bounces,
                None => {}
            }
            self.after.push((event.name.clone(), event.t));
        }
        // those that meet at the same instant
        for event in self.done.events.iter_mut().rev().take_while(|event| event.t == t) {
            if event.kind == EventKind::Closes && bouncing.contains(&event.name) {
                event.kind = EventKind::Bounces;
            }
            if matches!(event.kind, EventKind::Closes | EventKind::Begins | EventKind::Bounces) {
                event.state = shown.clone();
            }
        }
        // what touches and gets no impulse is off again
        for place in closing.iter().filter(|place| rests.is_none() && blow.opened.contains(place)) {
            self.happens(name(place), EventKind::Leaves, state, loaded);
        }
    }
}

/// Whether no step led on.
fn is_stuck(outcome: &Result<Vec<Watched>, Failure>) -> bool {
    matches!(outcome, Err(Failure::TooStiff { .. } | Failure::NoSlope { .. }))
}

/// A motion from a state, or from a memory, and how often slopes had been computed before it.
fn begun<'m>(
    machine: &'m mut Machine,
    plan: Plan,
    state: &State,
    memory: Option<&Memory>,
) -> Result<(Motion<'m>, u64), Failure> {
    let mut before = machine.evaluations;
    let mut motion = Motion::new(machine, plan, state.t, state.y.clone())?;
    if let Some(memory) = memory {
        // it has been read before
        let _ = motion.recall(memory);
        before = motion.machine.evaluations;
    }
    Ok((motion, before))
}

/// Steps, rejected steps and evaluations of a run until a memory: those of its stretch beside those before; the machine had
/// computed so often when the stretch began.
fn counted_until(memory: &Memory, first: [u64; 3], before: u64) -> [u64; 3] {
    let [steps, rejected, evaluations] = memory.counted;
    [first[0] + steps, first[1] + rejected, first[2] + evaluations.saturating_sub(before)]
}

/// Goes on until something ends the stretch: what that is.
fn advanced(
    motion: &mut Motion<'_>,
    recorder: &mut Recorder<'_, '_>,
    state: &mut State,
    (watched, notes): (&[Watched], &mut Vec<String>),
    edges: &Edges,
) -> Result<Vec<Watched>, Failure> {
    let loaded = recorder.loaded;
    loop {
        let stop = motion.advance(recorder.span.1, recorder);
        (state.t, state.y) = (motion.t, motion.y.clone());
        let fired = match stop? {
            Stop::Events(fired) => fired,
            Stop::Singular => return Ok(vec![Watched::Singular]),
            Stop::Time => return Ok(Vec::new()),
        };
        let kinds: Vec<Watched> = fired.iter().map(|&which| watched[which]).collect();
        recorder.look(motion.machine, motion.t, &motion.y, &kinds);
        note_assumptions(notes, &kinds, state, loaded);
        let at = || state.at(loaded);
        if kinds.iter().any(|kind| ends_stretch(loaded, *kind, edges, &at)) {
            return Ok(kinds);
        }
    }
}

/// Whether a stretch ends with it; what is only recorded does not disturb the motion.
fn ends_stretch(loaded: &Loaded, kind: Watched, edges: &Edges, at: &dyn Fn() -> At) -> bool {
    match kind {
        // what is removable passes
        Watched::Edge(place) => edges.grown(place, &at()).is_some(),
        Watched::Event(place) => loaded.system.events[place].stops,
        Watched::Assumption(_) => false,
        _ => true,
    }
}

/// Notes what the model assumes and does not hold any more.
fn note_assumptions(notes: &mut Vec<String>, kinds: &[Watched], state: &State, loaded: &Loaded) {
    let (from, on, t) =
        (if state.is_back { "before" } else { "from" }, if state.is_back { "" } else { " on" }, state.time());
    for kind in kinds {
        if let Watched::Assumption(place) = kind {
            let relation = syntax::format_relation(&loaded.system.assumptions[*place].tree);
            let words = format!("the model assumes {relation}, which does not hold {from}");
            if !notes.iter().any(|note| note.starts_with(&words)) {
                notes.push(format!("{words} t = {} s{on}", expr::decimal(t)));
            }
        }
    }
}

/// Whether what closes has come from so near, in this time, that its gap is almost rounding.
fn is_short(loaded: &Loaded, place: usize, time: f64, at: &At) -> bool {
    const SHORT: f64 = 1e-10;
    let system = &loaded.system;
    system.constraints[place].rows.iter().all(|&gap| {
        let rate = expr::total_derivative(gap).map_or(0.0, |rate| at.value(rate).abs());
        0.25 * rate * time < SHORT * mechanics::standing::natural_gap(system, gap, at)
    })
}

/// Whether two modes hold the same contacts in the same way, but for directions that are not exactly the same.
fn does_the_same(one: &Mode, two: &Mode) -> bool {
    let kind = |grip: Grip| match grip {
        Grip::Sticks => None,
        Grip::Slides(press, Slip::Sign(sign)) => Some((press, sign)),
        Grip::Slides(press, _) => Some((press, 0)),
    };
    let held = |mode: &Mode| mode.held.iter().map(|held| (held.rough.gap, kind(held.grip))).collect::<Vec<_>>();
    one.standing == two.standing && held(one) == held(two)
}

/// States a little ahead, the nearest first, along the rates of a phase.
fn ahead(phase: &mut Phase, state: &State, span: (f64, f64)) -> Vec<State> {
    let (n, mut slope) = (phase.coordinates, vec![0.0; state.y.len()]);
    if numeric::Field::rates(&mut phase.machine, state.t, &state.y, &mut slope).is_err() {
        return Vec::new();
    }
    let moved = |time: f64| {
        let mut ahead = state.clone();
        ahead.t += time;
        for k in 0..n {
            ahead.y[k] += time * slope[k] + 0.5 * time * time * slope[n + k];
            ahead.y[n + k] += time * slope[n + k];
        }
        (2 * n..phase.work).for_each(|k| ahead.y[k] += time * slope[k]);
        ahead
    };
    let (whole, short) = (span.1 - span.0, (span.1 - span.0).min(1.0));
    // loads that grow slowly show themselves later
    [1e-7 * short, 1e-6 * short, 1e-5 * short, 1e-4 * short, 1e-6 * whole, 1e-4 * whole].map(moved).to_vec()
}

/// What changes at once where a phase begins: the cone is left already, or the normal force of a guide is zero and takes
/// the other sign.
fn changes(
    phase: &mut Phase,
    watched: &[Watched],
    watches: &[numeric::Watch],
    mode: &Mode,
    state: &State,
    span: (f64, f64),
) -> Option<Change> {
    let place = |wanted: fn(&Watched) -> bool| watched.iter().position(wanted);
    let mut values = Vec::new();
    if let Some(place) = place(|kind| matches!(kind, Watched::Slip(_))) {
        phase.machine.watch(state.t, &state.y, &mut values).ok()?;
        return (values[place] < 0.0 && state.change == Change::Nothing).then_some(Change::Slips);
    }
    let place = place(|kind| matches!(kind, Watched::Presses(_)))?;
    let sliding = mode.sliding().next()?;
    phase.machine.watch(state.t, &state.y, &mut values).ok()?;
    if values[place].abs() > 1e-9 * watches[place].size {
        return None;
    }
    let mut slope = vec![0.0; state.y.len()];
    numeric::Field::rates(&mut phase.machine, state.t, &state.y, &mut slope).ok()?;
    let ahead = 1e-5 * (span.1 - span.0).min(1.0);
    let y: Vec<f64> = state.y.iter().zip(&slope).map(|(y, slope)| y + ahead * slope).collect();
    phase.machine.watch(state.t + ahead, &y, &mut values).ok()?;
    let is_other = values[place] * f64::from(sliding.press) < 0.0;
    is_other.then_some(Change::Presses(-sliding.press))
}

/// The name of an event, or of the constraint that it is about.
pub fn name_of(loaded: &Loaded, kind: Watched) -> String {
    match kind {
        Watched::Release(place)
        | Watched::Close(place)
        | Watched::Begin(place)
        | Watched::End(place)
        | Watched::Slip(place)
        | Watched::Halt(place)
        | Watched::Turn(place)
        | Watched::Presses(place)
        | Watched::Lost(place) => loaded.system.constraints[place].name.clone(),
        Watched::Event(place) => {
            let event = &loaded.system.events[place];
            event.name.clone().unwrap_or_else(|| syntax::format_relation(&event.when.tree))
        }
        Watched::Chart
        | Watched::Assumption(_)
        | Watched::Strain
        | Watched::Singular
        | Watched::Mass(_)
        | Watched::Edge(_)
        | Watched::Side(_) => "chart".to_owned(),
    }
}

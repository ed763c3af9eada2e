//! How does a motion go from phase to phase?

use std::collections::VecDeque;
use std::rc::Rc;

use mechanics::chart::ChartKind;
use mechanics::formalism::Formalism;
use mechanics::friction::{Grip, Rough, Slip};
use mechanics::rows::Rows;
use mechanics::standing::Standing;
use mechanics::{Part, StartReport, System};
use numeric::{Failure, Motion, Plan, Stop, Trouble};

use crate::dynamics::{Change, NoNumbers, going_on};
use crate::grip::{self, Forces, Touching};
use crate::simulate::facts::{Asked, When};
use crate::simulate::impact::Meeting;
use crate::simulate::impacts::Impacts;
use crate::simulate::phase::{NoPhase, Phase, Watched};
use crate::simulate::recorder::{Energies, Recorder};
use crate::simulate::{Expected, Follower, Happened, Sample, Simulate, Simulation, TOO_SHORT, Table, impact, sizes};
use crate::{BadInput, Loaded, Ordered};

/// A motion makes at most so many events at one instant.
const MOST_AT_ONCE: usize = 20;
/// A motion is not made of fewer steps, so that nothing short is overlooked.
const FEWEST_STEPS: f64 = 50.0;

/// A simulation under way.
pub struct Run<'a> {
    loaded: &'a Loaded,
    /// The model with the constraints that are switched on.
    base: Loaded,
    /// The same as its rough contact goes on.
    mode: Option<Loaded>,
    rough: Option<Rc<Rough>>,
    impacts: Impacts,
    /// What happened at the state, and is to be looked at once more as the motion goes on from there.
    after: Vec<(String, f64)>,
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
    times: VecDeque<f64>,
    done: Simulation,
    energies: Energies,
    /// The rates that the chart of the last phase eliminated, and whether a new chart may do better.
    dependent: Vec<usize>,
    watches_chart: bool,
    /// Natural sizes of the state so far.
    sizes: Vec<f64>,
    /// Whether the last phase ended where its chart became singular.
    chart_ended: bool,
    /// The form to go on with where no chart is regular.
    without_chart: Option<&'static Formalism>,
}

/// Where the motion is.
#[derive(Clone, Debug)]
pub struct State {
    pub t: f64,
    /// q, q' and the work.
    pub y: Vec<f64>,
    /// One-sided constraints that have let go here.
    gone: Vec<usize>,
    /// Whether each constraint is switched on.
    on: Vec<bool>,
    /// What has just changed at a rough contact.
    change: Change,
}

impl<'a> Run<'a> {
    /// A run that is about to start.
    pub fn new(
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
            began: first,
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
        let on: Vec<bool> = loaded.written.constraints.iter().map(is_on).collect();
        Run {
            loaded,
            base: loaded.with_system(switched(&loaded.written, &on)),
            mode: None,
            rough: None,
            impacts: Impacts::default(),
            after: Vec::new(),
            wanted,
            chosen,
            kind,
            asked,
            answers,
            span: (first, last),
            state: State { t: first, y, gone: Vec::new(), on, change: Change::Nothing },
            follower,
            times: all.into(),
            done,
            energies: Energies::default(),
            dependent: Vec::new(),
            watches_chart: true,
            sizes: Vec::new(),
            chart_ended: false,
            without_chart: None,
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
    pub fn finish(mut self) -> Result<Simulation, BadInput> {
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
            let form = self.chosen.or(self.without_chart);
            let mode = self.mode.as_ref().unwrap_or(&self.base);
            let rough = self.rough.as_deref();
            let made = Phase::new(mode, &rows, self.kind, form, &self.asked, self.watches_chart, rough);
            let mut phase = match made {
                Ok(phase) => phase,
                Err(NoPhase::NotApplicable(reason)) => {
                    let form =
                        self.chosen.map_or(String::new(), |chosen| format!("`{}` does not apply: ", chosen.name));
                    self.fail(form + &reason);
                    break;
                }
                Err(NoPhase::Broken(reason)) => {
                    self.fail(reason);
                    break;
                }
            };
            self.begin(&mut phase);
            if !self.watches_chart && form.is_none() {
                // no other chart is better here: go on without one
                self.without_chart = mechanics::formalism::formalism("multipliers");
                continue;
            }
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
        let found = going_on(&self.base, self.kind, &self.state.gone, self.state.change);
        let found = match found {
            Err(error) if is_first => return Err(error),
            Err(error) => return Ok(Err(error.0)),
            Ok(Err(NoNumbers::NoState(reason))) if is_first => {
                let hint = "a state satisfies every constraint that acts there; `anholon check` says more";
                return Err(BadInput(format!("error: the motion cannot start: {reason}\nhint: {hint}")));
            }
            Ok(Err(
                NoNumbers::NoState(reason) | NoNumbers::NotApplicable(reason) | NoNumbers::Undetermined(reason),
            )) => {
                let t = crate::number::text(self.state.t);
                return Ok(Err(format!("at t = {t} s: {reason}")));
            }
            Ok(Ok(found)) => found,
        };
        let released = found.numbers.released.iter().copied();
        for place in released.filter(|place| !self.state.gone.contains(place)).collect::<Vec<_>>() {
            let name = self.system().constraints[place].name.clone();
            self.happens(name, "leaves");
        }
        self.state.gone = found.numbers.released;
        self.state.change = Change::Nothing;
        self.hold(found.loaded, found.touching)?;
        Ok(Ok(found.rows))
    }

    /// Takes over how a rough contact goes on.
    fn hold(&mut self, mode: Loaded, touching: Option<Touching>) -> Result<(), BadInput> {
        let is_slipping = touching.as_ref().is_some_and(|touching| touching.is_slipping);
        self.rough = touching.map(|touching| touching.rough).filter(|rough| !self.state.gone.contains(&rough.gap));
        self.mode = None;
        let Some(rough) = self.rough.clone() else { return Ok(()) };
        let begins = mode.system.sliding.as_ref().map(|sliding| (sliding.press, sliding.slip));
        // what came to rest, and slides on
        if begins.is_some()
            && let Some(event) = self.done.events.last_mut()
            && (event.kind, event.t, &event.name) == ("sticks", self.state.t, &rough.name)
        {
            event.kind = "turns";
        }
        self.mode = Some(mode);
        let Some((press, Slip::Toward(direction))) = begins else { return Ok(()) };
        // A slip that begins has a direction before it has a speed: it gets a speed that is rounding.
        let size = rough.slips.iter().map(|slip| mechanics::standing::natural_rate(self.system(), slip.1));
        let size = size.fold(0.0, f64::max);
        let slow = self.wanted.tolerance.clamp(1e-10, 1e-6);
        if !is_slipping {
            let speed = slow * size;
            let forces = Forces::of(&self.base.system, self.kind, &self.state.gone, &rough, false).map_err(BadInput)?;
            let slip: Vec<f64> = direction.iter().map(|d| speed * d).collect();
            self.nudge(&forces, &rough, &slip);
        }
        let power = (1e-2 * slow * size).log10().floor().clamp(-18.0, 0.0) as i32;
        let grip = Grip::Slides(press, Slip::Near(direction, power));
        self.mode = Some(grip::held(&self.base, &rough, grip).map_err(BadInput)?);
        Ok(())
    }

    /// Notes an event at the state.
    fn happens(&mut self, name: String, kind: &'static str) {
        let (t, state) = (self.state.t, self.shown());
        self.done.events.push(Happened { name, kind, t, state, impulse: None, energy_lost: None });
    }

    /// Coordinates and rates by name.
    fn shown(&self) -> Ordered<f64> {
        let n = self.system().coordinates.len();
        let coordinates = self.system().coordinates.iter().zip(&self.state.y);
        let rates = self.system().coordinates.iter().zip(&self.state.y[n..]);
        let coordinates = coordinates.map(|(c, &value)| (c.name.clone(), value));
        coordinates.chain(rates.map(|(c, &value)| (format!("{}'", c.name), value))).collect()
    }

    /// Remarks about the first phase; a chart that could not be changed is not watched again.
    fn begin(&mut self, phase: &mut Phase) {
        self.watches_chart = !(self.chart_ended && self.dependent == phase.dependent);
        self.dependent.clone_from(&phase.dependent);
        if !phase.redundant.is_empty() && !self.done.notes.iter().any(|note| note.contains("not unique; the smallest"))
        {
            let names: Vec<String> = phase.redundant.iter().map(|name| format!("`{name}`")).collect();
            let verb = if names.len() == 1 { "follows" } else { "follow" };
            self.done.notes.push(format!(
                "{} {verb} from other constraints: the motion is determined, its reactions are not unique; the \
                     smallest in the metric of the masses are shown",
                names.join(", ")
            ));
        }
        self.done.form = phase.form.name;
    }

    /// One stretch of motion with the same constraints; true at the end of all.
    fn stretch(&mut self, phase: &mut Phase) -> Result<bool, BadInput> {
        // Switches look where they are before anything is computed; a failure is told by the motion itself.
        let _ = phase.machine.settle(self.state.t, &self.state.y);
        let mut sizes = sizes::natural(self.loaded, phase, &self.state, self.energies.scale);
        // What has been large is not small because it rests.
        sizes.iter_mut().zip(&self.sizes).for_each(|(size, before)| *size = size.max(*before));
        self.sizes.clone_from(&sizes);
        if self.done.table.t.is_empty() && self.energies.is_empty() {
            // friction is not Lipschitz, and the law says how it goes on
            if self.rough.is_none() {
                self.done.notes.extend(sizes::rough(phase, &self.state, &sizes));
            }
            self.energies.begin(phase, self.state.t, &self.state.y);
        }
        self.energies.scale = self.energies.scale.max(sizes.last().copied().unwrap_or(0.0));
        let worst = phase.machine.residuals(self.state.t, &self.state.y, &sizes).into_iter().fold(0.0_f64, f64::max);
        if worst > 1e-6 {
            self.fail(format!(
                "the constraints that begin to act at t = {} s do not hold there: they miss by {} of their size",
                crate::number::text(self.state.t),
                crate::number::text(worst)
            ));
            return Ok(true);
        }
        let plan = Plan {
            method: self.wanted.method,
            tolerance: self.wanted.tolerance,
            sizes: sizes.clone(),
            step: self.wanted.step,
            watches: phase.watched.iter().map(|one| one.1).collect(),
            longest: (self.span.1 - self.span.0) / FEWEST_STEPS,
            // where a slip comes to rest, the contact sticks
            leaps: self.mode.as_ref().is_none_or(|mode| mode.system.sliding.is_none()),
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
        // A contact at the very edge of its cone slips, and a guide that presses on neither side does so at once.
        if let Some(change) = changes(phase, &watched, self.mode.as_ref(), &self.state, self.span) {
            self.state.change = change;
            return Ok(false);
        }
        let before = phase.machine.evaluations;
        for (name, t) in self.after.drain(..) {
            recorder.look_again(&mut phase.machine, t, &self.state.y, &name);
        }
        let mut ended = Ended::default();
        let outcome = match Motion::new(&mut phase.machine, plan, self.state.t, self.state.y.clone()) {
            Err(failure) => Err(failure),
            Ok(mut motion) => loop {
                let stop = motion.advance(last, &mut recorder);
                (self.state.t, self.state.y) = (motion.t, motion.y.clone());
                let fired = match stop {
                    Ok(Stop::Events(fired)) => fired,
                    other => {
                        ended = Ended::of(&motion);
                        break other.map(|_| Vec::new());
                    }
                };
                let kinds: Vec<Watched> = fired.iter().map(|&which| watched[which]).collect();
                // What is only recorded does not disturb the motion.
                let names = recorder.look(motion.machine, motion.t, &motion.y, &kinds, self.loaded);
                let stops = kinds.iter().any(|kind| match kind {
                    Watched::Event(place) => self.loaded.system.events[*place].stops,
                    Watched::Assumption(_) => false,
                    _ => true,
                });
                for kind in &kinds {
                    if let Watched::Assumption(place) = kind {
                        let relation = syntax::format_relation(&self.loaded.system.assumptions[*place].tree);
                        let words = format!("the model assumes {relation}, which does not hold from");
                        if !self.done.notes.iter().any(|note| note.starts_with(&words)) {
                            let t = crate::number::text(motion.t);
                            self.done.notes.push(format!("{words} t = {t} s on"));
                        }
                    }
                }
                for (name, kind) in names {
                    let state = shown_of(self.loaded, &motion.y);
                    let t = motion.t;
                    self.done.events.push(Happened { name, kind, t, state, impulse: None, energy_lost: None });
                }
                if stops {
                    ended = Ended::of(&motion);
                    break Ok(kinds);
                }
            },
        };
        recorder.keep_last(&mut phase.machine, self.state.t, &self.state.y);
        let passed = self.passed_through(&watched);
        self.done.rhs_evaluations += phase.machine.evaluations - before;
        self.done.steps += ended.steps;
        self.done.rejected += ended.rejected;
        for t in ended.passed {
            let state = Ordered(Vec::new());
            let happened =
                Happened { name: "singular".to_owned(), kind: "passed", t, state, impulse: None, energy_lost: None };
            self.done.events.push(happened);
        }
        if let Some(reason) = passed {
            self.fail(reason);
            return Ok(true);
        }
        match outcome {
            Err(failure) => {
                match self.boundary(phase, &watched, &failure) {
                    Some((place, t)) => self.lose(place, t),
                    None => self.failed(failure),
                }
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
        self.chart_ended = kinds.contains(&Watched::Chart);
        if let Some(place) =
            kinds.iter().find_map(|kind| if let Watched::Lost(place) = kind { Some(*place) } else { None })
        {
            self.lose(place, self.state.t);
            return true;
        }
        let places = |wanted: fn(Watched) -> Option<usize>| {
            let mut places: Vec<usize> = kinds.iter().filter_map(|&kind| wanted(kind)).collect();
            places.dedup();
            places
        };
        if kinds.iter().any(|kind| matches!(kind, Watched::Halt(_))) {
            self.come_to_rest();
        }
        let sliding = self.mode.as_ref().and_then(|mode| mode.system.sliding.as_ref());
        let press = sliding.filter(|sliding| !sliding.rough.is_one_sided).map(|sliding| sliding.press);
        self.state.change = match (kinds.iter().any(|kind| matches!(kind, Watched::Slip(_))), press) {
            (true, _) => Change::Slips,
            (false, Some(press)) if kinds.iter().any(|kind| matches!(kind, Watched::Presses(_))) => {
                Change::Presses(-press)
            }
            _ => Change::Nothing,
        };
        self.state.gone = places(|kind| if let Watched::Release(place) = kind { Some(place) } else { None });
        let mut closing = places(|kind| if let Watched::Close(place) = kind { Some(place) } else { None });
        let begins = places(|kind| if let Watched::Begin(place) = kind { Some(place) } else { None });
        let ends = places(|kind| if let Watched::End(place) = kind { Some(place) } else { None });
        if !begins.is_empty() || !ends.is_empty() {
            begins.iter().for_each(|&place| self.state.on[place] = true);
            ends.iter().for_each(|&place| self.state.on[place] = false);
            self.base = self.loaded.with_system(switched(&self.loaded.written, &self.state.on));
            if let Some(reason) = begins.iter().find_map(|&place| self.begins_elsewhere(place)) {
                self.fail(reason);
                return true;
            }
            closing.extend(begins.into_iter().filter(|&place| self.base.system.constraints[place].acts_always()));
        }
        !closing.is_empty() && !self.collide(&closing)
    }

    /// An open one-sided constraint that is violated, although its closing was watched for.
    fn passed_through(&self, watched: &[Watched]) -> Option<String> {
        const DEEP: f64 = 1e-6;
        self.refer();
        let system = &self.base.system;
        watched.iter().find_map(|kind| {
            let Watched::Close(place) = *kind else { return None };
            let gap = *system.constraints[place]
                .rows
                .iter()
                .find(|gap| gap.reference() < -DEEP * mechanics::standing::natural_gap(system, **gap))?;
            let (t, gap) = (crate::number::text(self.state.t), crate::number::text(gap.reference()));
            let name = &system.constraints[place].name;
            Some(format!("`{name}` is violated at t = {t} s, with the gap {gap}: its closing was too small to be seen"))
        })
    }

    /// Friction at a contact has no solution beyond this time.
    fn lose(&mut self, place: usize, t: f64) {
        let (name, t) = (&self.system().constraints[place].name, crate::number::text(t));
        self.fail(format!(
            "friction at `{name}` loses solvability at t = {t} s (Painlevé): the determinant of A M⁻¹(Aᵀ + B) vanishes, and \
             beyond there is no acceleration or there are two"
        ));
    }

    /// The contact whose force grows without bound where the motion could not go on, and when: the determinant vanishes on
    /// the way that the rates point, which may take forces that no step can follow. The state is moved there.
    fn boundary(&mut self, phase: &mut Phase, watched: &[Watched], failure: &Failure) -> Option<(usize, f64)> {
        const NEAR: f64 = 1e-2;
        if matches!(failure, Failure::Interrupted { .. }) {
            return None;
        }
        let (which, place) = watched.iter().enumerate().find_map(|(which, kind)| match kind {
            Watched::Lost(place) => Some((which, *place)),
            _ => None,
        })?;
        self.refer();
        let rough = self.rough.clone()?;
        let sliding = grip::sliding(&self.base.system, self.kind, &self.state.gone, &rough).ok()?;
        if sliding.abs() > NEAR {
            return None;
        }
        let (n, here) = (self.system().coordinates.len(), self.state.clone());
        let ahead = |s: f64| {
            let mut y = here.y.clone();
            (0..n).for_each(|k| y[k] += s * y[n + k]);
            y
        };
        let mut values = Vec::new();
        let mut determinant = |s: f64| {
            phase.machine.watch(here.t + s, &ahead(s), &mut values).ok()?;
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
        let name = self.system().constraints[place].name.clone();
        self.happens(name, "loses solvability");
        Some((place, self.state.t))
    }

    /// What an impact does; false if the motion ends there.
    fn collide(&mut self, closing: &[usize]) -> bool {
        self.refer();
        let gone = self.state.gone.clone();
        let mut meeting = Meeting { closing, gone: &gone, is_elastic: true };
        let since = self.impacts.since(self.state.t);
        let is_small = since.is_some_and(|since| closing.iter().all(|&place| self.is_short(place, since)));
        let resting = self.impacts.accumulate(self.state.t, closing, is_small);
        let all: Vec<usize>;
        if let Some((_, places)) = &resting {
            all = places.iter().copied().filter(|&place| self.is_shut(place)).collect();
            meeting = Meeting { closing: &all, gone: &gone, is_elastic: false };
        }
        let blow = match (impact::impact(&self.base, self.kind, &meeting), &resting) {
            (Ok(blow), None) => blow,
            (Ok(blow), Some(_)) if blow.opened.is_empty() => blow,
            // they would have to stop with impulses that pull, or their rows depend on each other
            (_, Some((t, places))) => {
                let names: Vec<String> =
                    places.iter().map(|&place| format!("`{}`", self.system().constraints[place].name)).collect();
                let t = crate::number::text(*t);
                self.fail(format!(
                    "infinitely many impacts of {} end at t = {t} s, and how they rest together is not determined",
                    names.join(", ")
                ));
                return false;
            }
            (Err(reason), None) => {
                let t = crate::number::text(self.state.t);
                self.fail(format!("at t = {t} s: {reason}"));
                return false;
            }
        };
        let n = self.system().coordinates.len();
        self.state.y[n..2 * n].iter_mut().zip(&blow.jump).for_each(|(rate, jump)| *rate += jump);
        self.energies.lost += blow.energy_lost;
        let state = self.shown();
        let (t, bouncing) = (self.state.t, self.bouncing(closing));
        if let Some(event) = self.done.events.iter_mut().rev().find(|event| matches!(event.kind, "closes" | "begins")) {
            event.state = state.clone();
            event.impulse = Some(blow.impulses);
            event.energy_lost = Some(blow.energy_lost);
            match &resting {
                Some((t, _)) => (event.kind, event.t) = ("rests", *t),
                None if blow.bounces => event.kind = "bounces",
                None => {}
            }
            self.after.push((event.name.clone(), event.t));
        }
        // those that meet at the same instant
        for event in self.done.events.iter_mut().rev().take_while(|event| event.t == t) {
            if blow.bounces && event.kind == "closes" && bouncing.contains(&event.name) {
                (event.kind, event.state) = ("bounces", state.clone());
            }
        }
        self.state.gone.extend(blow.opened);
        true
    }

    /// Takes away what is left of a slip that has come to rest along its direction.
    fn come_to_rest(&mut self) {
        self.refer();
        let Some(rough) = self.rough.clone().filter(|rough| rough.slips.len() > 1) else { return };
        let slips: Vec<f64> = rough.slips.iter().map(|slip| -slip.1.reference()).collect();
        let Ok(forces) = Forces::of(&self.base.system, self.kind, &self.state.gone, &rough, false) else { return };
        self.nudge(&forces, &rough, &slips);
    }

    /// Adds a slip.
    fn nudge(&mut self, forces: &Forces, rough: &Rough, slip: &[f64]) {
        if let Some(change) = forces.nudge(rough, slip) {
            let n = change.len();
            self.state.y[n..2 * n].iter_mut().zip(&change).for_each(|(rate, change)| *rate += change);
            self.refer();
        }
    }

    /// What is wrong with a constraint that begins to act where it does not hold.
    fn begins_elsewhere(&self, place: usize) -> Option<String> {
        self.refer();
        let constraint = &self.base.system.constraints[place];
        let misses = mechanics::standing::misses(&self.base.system, constraint)?;
        let (t, misses) = (crate::number::text(self.state.t), crate::number::text(misses));
        Some(format!("`{}` begins to act at t = {t} s and does not hold there: it misses by {misses}", constraint.name))
    }

    /// The names of those that have a coefficient of restitution.
    fn bouncing(&self, closing: &[usize]) -> Vec<String> {
        let names = closing.iter().map(|&place| &self.system().constraints[place].name);
        let has = |name: &&String| self.system().restitutions.iter().any(|one| one.on == **name);
        names.filter(has).cloned().collect()
    }

    /// Whether what closes has come from so near, in this time, that its gap is almost rounding.
    fn is_short(&self, place: usize, time: f64) -> bool {
        const SHORT: f64 = 1e-10;
        let system = &self.base.system;
        system.constraints[place].rows.iter().all(|&gap| {
            let rate = expr::total_derivative(gap).map_or(0.0, |rate| rate.reference().abs());
            0.25 * rate * time < SHORT * mechanics::standing::natural_gap(system, gap)
        })
    }

    /// Whether a gap is zero.
    fn is_shut(&self, place: usize) -> bool {
        let rows = &self.base.system.constraints[place].rows;
        mechanics::standing::shut(&self.base.system, rows)
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
            Failure::TooStiff { t } if !self.dependent.is_empty() && self.chosen.is_some() => format!(
                "the steps became too short at {}: the chart may be singular there, and a form without one, such as \
                 `multipliers`, go on",
                at(t)
            ),
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

    /// What has no value at the state, or a little later.
    fn without_value(&mut self) -> String {
        let (here, n) = (self.state.y.clone(), self.system().coordinates.len());
        let mut found = None;
        for ahead in [0.0, 1e-9, 1e-6, 1e-3] {
            for k in 0..n {
                self.state.y[k] = here[k] + ahead * (self.span.1 - self.span.0) * here[n + k];
            }
            found = found.or_else(|| self.broken_load());
        }
        self.state.y = here;
        found.unwrap_or_else(|| "something in the equations has no value".to_owned())
    }

    /// A load without a value at the state.
    fn broken_load(&self) -> Option<String> {
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
                let place = (sources.name_of(load.span), sources.line_of(load.span));
                return Some(format!("{what} ({}:{}) has no value", place.0, place.1));
            }
        }
        None
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

/// What changes at once where a phase begins: the cone is left already, or the normal force of a guide is zero and takes
/// the other sign.
fn changes(
    phase: &mut Phase,
    watched: &[Watched],
    mode: Option<&Loaded>,
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
    let sliding = mode?.system.sliding.as_ref()?;
    phase.machine.watch(state.t, &state.y, &mut values).ok()?;
    let size = phase.watched[place].1.size;
    if values[place].abs() > 1e-9 * size {
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

/// Whether a constraint is switched on at the reference state.
fn is_on(constraint: &mechanics::Constraint) -> bool {
    mechanics::standing::switched(constraint, &|e| Some(e.reference())) == Standing::Acts
}

/// The system with the constraints that are switched on, and nothing that switches.
fn switched(system: &System, on: &[bool]) -> System {
    let mut system = system.clone();
    for (constraint, on) in system.constraints.iter_mut().zip(on) {
        (constraint.from, constraint.until) = (None, None);
        if !on {
            constraint.part = Part::Off;
        }
    }
    system
}

/// What a stretch of motion leaves.
#[derive(Default)]
struct Ended {
    steps: u64,
    rejected: u64,
    passed: Vec<f64>,
}

impl Ended {
    fn of(motion: &Motion<'_>) -> Ended {
        Ended { steps: motion.steps, rejected: motion.rejected, passed: motion.passed.clone() }
    }
}

/// Coordinates and rates by name.
fn shown_of(loaded: &Loaded, y: &[f64]) -> Ordered<f64> {
    let (n, coordinates) = (loaded.system.coordinates.len(), &loaded.system.coordinates);
    let values = coordinates.iter().zip(y).map(|(c, &value)| (c.name.clone(), value));
    values.chain(coordinates.iter().zip(&y[n..]).map(|(c, &value)| (format!("{}'", c.name), value))).collect()
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
        Watched::Chart | Watched::Assumption(_) => "chart".to_owned(),
    }
}

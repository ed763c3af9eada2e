//! Who writes down a motion while it runs: states, answers to facts, the account of energy.

use std::collections::VecDeque;

use mechanics::rows::Row;
use numeric::guard::Guard;
use numeric::{Machine, Onlooker, Trouble};

use crate::simulate::back::turned;
use crate::simulate::event::{EventKind, Happened};
use crate::simulate::facts::{Asked, When};
use crate::simulate::passage::Passage;
use crate::simulate::phase::Phase;
use crate::simulate::run::name_of;
use crate::simulate::state;
use crate::simulate::unshared::Unshared;
use crate::simulate::watch::Watched;
use crate::simulate::{Column, Sample, Table};
use engine::{Loaded, Progress, SharedLoad};

/// What is needed for the account of energy.
#[derive(Clone, Copy, Debug, Default)]
pub struct Energies {
    first: Option<(f64, f64)>,
    /// The largest kinetic energy and change of potential energy.
    pub scale: f64,
    /// The largest work on the way, also between the instants that are shown.
    moved: f64,
    /// The largest imbalance.
    worst: f64,
    /// The energy that impacts took.
    pub lost: f64,
}

impl Energies {
    /// The account as plain numbers.
    pub fn numbers(&self) -> Vec<f64> {
        let first = self.first.map_or(Vec::new(), |(energy, potential)| vec![energy, potential]);
        [vec![self.scale, self.moved, self.worst, self.lost], first].concat()
    }

    /// The account from plain numbers; nothing if they are none.
    pub fn from_numbers(numbers: &[f64]) -> Option<Energies> {
        let (&[scale, moved, worst, lost], rest) = numbers.split_first_chunk()?;
        let first = match *rest {
            [] => None,
            [energy, potential] => Some((energy, potential)),
            _ => return None,
        };
        Some(Energies { first, scale, moved, worst, lost })
    }

    /// Notes the work so far.
    fn works(&mut self, work: f64) {
        self.moved = self.moved.max(work.abs());
    }

    /// Whether nothing was noted yet.
    pub fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// The energies at the start.
    pub fn begin(&mut self, phase: &mut Phase, t: f64, y: &[f64]) {
        let shown = phase.columns.len();
        if let Ok(values) = phase.machine.outputs(t, y) {
            self.note(values[shown], values[shown + 1], y[phase.work]);
        }
    }

    /// Notes energies and the work so far: the imbalance, and how much of it may be rounding.
    fn note(&mut self, kinetic: f64, potential: f64, work: f64) -> (f64, f64) {
        let (energy, start) = *self.first.get_or_insert((kinetic + potential, potential));
        self.scale = self.scale.max(kinetic.abs()).max((potential - start).abs());
        let missing = kinetic + potential - energy - work + self.lost;
        self.worst = self.worst.max(missing.abs());
        let size = kinetic.abs() + potential.abs() + work.abs() + energy.abs() + self.lost.abs();
        (missing, ROUNDING * size)
    }

    /// The imbalance, relative to the energies that were moved.
    pub fn drift(&self) -> f64 {
        if self.worst == 0.0 { 0.0 } else { self.worst / self.scale.max(self.moved).max(f64::MIN_POSITIVE) }
    }
}

/// Energies are wrong by so much of their size where nothing but rounding is.
const ROUNDING: f64 = 1e-11;
/// So much of the energies that were moved may be missing whatever the tolerance is, and so many tolerances in each step.
const MISSING: f64 = 1e-4;
const EACH_STEP: f64 = 10.0;

/// Whether the energies of a motion are explained.
#[derive(Clone, Copy, Debug, Default)]
pub struct Balance {
    /// When they were, the last time.
    kept: Option<f64>,
    /// What is missing, nothing if the energy has no value, and since when.
    pub broken: Option<(Option<f64>, (f64, f64))>,
    /// Since when rows that follow from others do not, and after how many steps.
    since: Option<(f64, u64)>,
    /// Since when they did not for long.
    pub strays: Option<f64>,
    /// Whether other rows cannot be chosen that would hold them better.
    pub is_final: bool,
    /// Whether others were chosen just now: the state is to be brought onto them.
    pub is_anew: bool,
    /// When they were, the last time, and how often.
    pub chosen: (f64, usize),
}

/// Rows are chosen anew so often at most, and not again before so much of the run is over.
const MOST_CHOICES: usize = 1000;
const LATER: f64 = 1e-7;

impl Balance {
    /// Takes note that other rows are chosen at an instant, or that these are the best; false if that was done there already.
    pub fn goes_on(&mut self, is_best: bool, t: f64, span: (f64, f64)) -> bool {
        let (last, count) = self.chosen;
        let is_later = count == 0 || t - last > LATER * (span.1 - span.0);
        if (is_best && self.is_final) || !is_later || count == MOST_CHOICES {
            return false;
        }
        (self.since, self.strays, self.is_final, self.is_anew) = (None, None, is_best, true);
        self.chosen = (t, count + 1);
        true
    }
}

/// Rows that follow from others hold to this, relative to their natural size.
const FOLLOWS: f64 = 1e-6;
/// To this while other rows may be chosen, beside the tolerance of the motion.
const CLOSELY: f64 = 10.0;
/// For so long, against the time of the run, and for so many steps they may not: where the others are nearly dependent, a motion passes.
const PASSING: f64 = 1e-3;
const FEW_STEPS: u64 = 20;

/// So near a singular instant, against the time of the run, accelerations are rounding.
const NEAR: f64 = 1e-6;

/// What is shown of a state.
struct Shown {
    /// The columns.
    values: Vec<f64>,
    /// What rows carry together that share a load.
    shared: Vec<SharedLoad>,
}

/// Who writes down a stretch of motion.
pub struct Recorder<'r, 'a> {
    /// The facts.
    pub asked: &'r [Asked<'a>],
    /// Values of their sides.
    pub answers: &'r mut [Vec<Vec<f64>>],
    /// What the outputs mean.
    pub columns: &'r [Column],
    /// How many values belong to each fact.
    pub widths: &'r [usize],
    /// Which outputs are not determined.
    pub unshared: Option<&'r Unshared>,
    /// The states that were asked for.
    pub table: &'r mut Table,
    /// The last state.
    pub last: &'r mut Sample,
    /// Instants that are still to come, for samples and for facts.
    pub times: &'r mut VecDeque<f64>,
    /// The account of energy.
    pub energies: &'r mut Energies,
    /// The largest residual of the constraints.
    pub residual: &'r mut f64,
    /// The place of the work in the state.
    pub work: usize,
    /// Natural sizes of the state.
    pub sizes: &'r [f64],
    /// Hears how far it has come.
    pub progress: &'r mut dyn Progress,
    /// The first and the last time.
    pub span: (f64, f64),
    /// Whether checkpoints are wanted.
    pub keeps: bool,
    /// The model.
    pub loaded: &'r Loaded,
    /// All rows that act.
    pub rows: &'r [Row],
    /// What happened so far.
    pub events: &'r mut Vec<Happened>,
    /// Instants at which rows depend on each other.
    pub singular: Vec<f64>,
    /// Whether the motion was left for a moment, since a checkpoint is wanted now.
    pub is_paused: bool,
    /// Whether the motion runs backwards.
    pub is_back: bool,
    /// Why the motion does not go on there.
    pub refused: &'r mut Option<&'static str>,
    /// Whether energies are explained.
    pub balance: &'r mut Balance,
    /// The tolerance that steps are held to; none if they are fixed.
    pub tolerance: Option<f64>,
    /// Steps so far.
    pub steps: u64,
    /// The last state at which rows that follow from others did, the first where there are none.
    pub sound: (f64, Vec<f64>),
}

impl Recorder<'_, '_> {
    /// The time of the model.
    fn time(&self, t: f64) -> f64 {
        if self.is_back { turned(t) } else { t }
    }

    /// Outputs at a state: the columns, and what rows carry together; answers that `fits` wants are kept.
    fn note(
        &mut self,
        machine: &mut Machine,
        t: f64,
        y: &[f64],
        fits: impl Fn(&When) -> bool,
    ) -> Result<Shown, Trouble> {
        let values = machine.outputs(t, y)?;
        let (shown, rest) = values.split_at(self.columns.len());
        let (missing, rounding) = self.energies.note(rest[0], rest[1], y[self.work]);
        self.judge(t, missing, rounding);
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
        let mut values = shown.to_vec();
        let shared = self.unshared.map_or_else(Vec::new, |unshared| unshared.clear(self.time(t), y, &mut values));
        Ok(Shown { values, shared })
    }

    /// Whether what is missing in the account of energy can be an error of steps.
    fn judge(&mut self, t: f64, missing: f64, rounding: f64) {
        let Some(tolerance) = self.tolerance.filter(|_| self.balance.broken.is_none()) else { return };
        let allowed = MISSING.max(EACH_STEP * tolerance * self.steps as f64)
            * self.energies.scale.max(self.energies.moved)
            + rounding;
        if missing.abs() <= allowed {
            self.balance.kept = Some(t);
        } else if let Some(kept) = self.balance.kept {
            let times = if self.is_back { (turned(t), turned(kept)) } else { (kept, t) };
            self.balance.broken = Some((Some(missing).filter(|x| x.is_finite()), times));
        }
    }

    /// How far rows that follow from others may miss.
    fn follows(&self) -> f64 {
        let closely = self.tolerance.filter(|_| !self.balance.is_final).map(|tolerance| CLOSELY * tolerance);
        closely.map_or(FOLLOWS, |closely| closely.clamp(1e-10, 0.1 * FOLLOWS))
    }

    /// How far rows that follow from others miss; nothing if there are none.
    fn missed(&self, machine: &mut Machine, t: f64, y: &[f64]) -> Option<f64> {
        machine.followers(t, y, self.sizes).into_iter().reduce(f64::max)
    }

    /// Where a motion ends whose rows stopped to follow, which may be why no step leads on: at the last state at which they
    /// did. What came later is taken back.
    pub fn sound_end(&mut self, is_stuck: bool) -> Option<(f64, Vec<f64>)> {
        let since = self.balance.since.filter(|_| is_stuck).map(|since| since.0);
        self.balance.strays = self.balance.strays.or(since);
        self.balance.strays?;
        let (t, y) = std::mem::take(&mut self.sound);
        self.table.until(t);
        self.events.truncate(self.events.partition_point(|event| event.t <= t));
        Some((t, y))
    }

    /// Whether rows that follow from others still do, at the end of a step.
    fn follow(&mut self, machine: &mut Machine, t: f64, y: &[f64]) {
        let Some(missed) = self.missed(machine, t, y) else { return };
        if missed <= self.follows() {
            *self.residual = self.residual.max(missed);
            self.balance.since = None;
            self.sound = (t, y.to_vec());
            return;
        }
        let (since, steps) = *self.balance.since.get_or_insert((t, self.steps));
        if t - since > PASSING * (self.span.1 - self.span.0) || self.steps - steps > FEW_STEPS {
            self.balance.strays = Some(since);
        }
    }

    /// Notes events.
    pub fn look(&mut self, machine: &mut Machine, t: f64, y: &[f64], kinds: &[Watched]) {
        let mut names = Vec::new();
        for &kind in kinds {
            let Some(word) = word_of(self.loaded, kind, self.is_back) else { continue };
            let name = name_of(self.loaded, kind);
            let _ = self.note(machine, t, y, |when| *when == When::Event(name.clone()));
            if !names.contains(&(name.clone(), word)) {
                names.push((name, word));
            }
        }
        let state = state::shown(&self.loaded.system, y);
        self.events.extend(names.into_iter().map(|(name, kind)| Happened::new(name, kind, t, state.clone())));
    }

    /// Answers facts about an event once more: after an impact, or where it has been located better.
    pub fn look_again(&mut self, machine: &mut Machine, t: f64, y: &[f64], name: &str) {
        let _ = self.note(machine, t, y, |when| *when == When::Event(name.to_owned()));
    }

    /// What is left of the outputs where the state is singular: nothing that takes accelerations or forces.
    fn determined(&self, t: f64, y: &[f64], noted: Result<Shown, Trouble>) -> Result<Shown, Trouble> {
        let near = NEAR * (self.span.1 - self.span.0);
        let is_singular = matches!(noted, Err(Trouble::Singular));
        if !is_singular && self.singular.iter().all(|one| (one - t).abs() > near) {
            return noted;
        }
        let mut values = noted.map(|shown| shown.values).unwrap_or_else(|_| {
            // coordinates and rates come first
            let rest = self.columns.len() - self.work;
            y[..self.work].iter().copied().chain(std::iter::repeat_n(f64::NAN, rest)).collect()
        });
        let lost = values.iter_mut().zip(self.columns).filter(|(_, column)| column.meaning.is_of_forces());
        lost.for_each(|(value, _)| *value = f64::NAN);
        Ok(Shown { values, shared: Vec::new() })
    }

    /// Keeps the last state.
    pub fn keep_last(&mut self, machine: &mut Machine, t: f64, y: &[f64]) {
        let noted = self.note(machine, t, y, |_| false);
        if let Ok(Shown { values, shared }) = self.determined(t, y, noted) {
            *self.last = Sample::new(t, self.columns, &values, shared);
        }
    }
}

impl Onlooker for Recorder<'_, '_> {
    fn next(&self) -> Option<f64> {
        self.times.front().copied()
    }

    fn take(&mut self, machine: &mut Machine, t: f64, y: &[f64]) -> Result<(), Trouble> {
        match self.missed(machine, t, y) {
            Some(missed) if missed > self.follows() => {
                self.balance.strays.get_or_insert(t);
                return Ok(());
            }
            Some(_) => self.sound = (t, y.to_vec()),
            None => {}
        }
        self.times.pop_front();
        let values = self.note(machine, t, y, |when| matches!(when, When::Time(time) if *time == t));
        let Shown { values, shared } = self.determined(t, y, values)?;
        self.table.add(t, self.columns, (&values, shared));
        Ok(())
    }

    fn passes(&mut self, t: f64, y: &[f64], guard: &Guard) -> bool {
        let passage = Passage::of(&self.loaded.system, self.rows, &state::at(self.loaded, self.time(t), y), guard);
        let state = state::shown(&self.loaded.system, y);
        self.events.push(Happened::new(passage.names.join(", "), EventKind::Singular, t, state));
        self.singular.push(t);
        *self.refused = passage.refused;
        passage.refused.is_none()
    }

    fn goes_on(&mut self, machine: &mut Machine, t: f64, y: &[f64]) -> bool {
        let worst = machine.residuals(t, y, self.sizes).into_iter().fold(0.0_f64, f64::max);
        *self.residual = self.residual.max(worst);
        self.follow(machine, t, y);
        self.steps += 1;
        self.energies.works(y[self.work]);
        let goes_on = self.progress.reached((t - self.span.0) / (self.span.1 - self.span.0));
        let is_sound = self.balance.broken.is_none() && self.balance.strays.is_none();
        self.is_paused = goes_on && is_sound && self.keeps && self.progress.keeps();
        goes_on && !self.is_paused && is_sound
    }
}

/// What it is called when it happens; nothing for what is not told.
pub fn word_of(loaded: &Loaded, kind: Watched, is_back: bool) -> Option<EventKind> {
    Some(match kind {
        Watched::Release(_) => EventKind::Leaves,
        // what comes to touch backwards has left then
        Watched::Close(_) if is_back => EventKind::Leaves,
        Watched::Close(_) => EventKind::Closes,
        Watched::Event(place) if loaded.system.events[place].stops => EventKind::Stop,
        Watched::Event(_) => EventKind::Record,
        Watched::Begin(_) => EventKind::Begins,
        Watched::End(_) => EventKind::Ends,
        Watched::Slip(_) => EventKind::Slips,
        Watched::Halt(_) => EventKind::Sticks,
        Watched::Lost(_) => EventKind::LosesSolvability,
        Watched::Singular
        | Watched::Chart
        | Watched::Assumption(_)
        | Watched::Turn(_)
        | Watched::Presses(_)
        | Watched::Mass(_)
        | Watched::Edge(_)
        | Watched::Side(_)
        | Watched::Strain => return None,
    })
}

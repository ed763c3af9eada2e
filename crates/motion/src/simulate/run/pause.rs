//! How is a run left for a moment, and taken up again?

use numeric::{Failure, Memory, Motion, Plan};

use super::jump::Sides;
use super::{Charts, FEWEST_STEPS, Followed, Leg, Run};
use crate::simulate::checkpoint::{self, Checkpoint, Place, floats};
use crate::simulate::impacts::Impacts;
use crate::simulate::recorder::Energies;
use crate::simulate::state::State;
use crate::simulate::watch::Watched;
use engine::{Error, Field};

impl Run<'_, '_> {
    /// Where the run is, and how charts stand there.
    pub(super) fn place(&self) -> Place {
        let charts = &self.charts;
        Place {
            form: charts.form.map(|form| form.name.to_owned()),
            dependent: charts.dependent.clone(),
            is_watched: charts.is_watched,
            has_ended: charts.has_ended,
            ..Place::of(&self.state)
        }
    }

    /// Follows a stretch, and hands checkpoints out on the way.
    pub(super) fn follow(&mut self, place: usize, plan: Plan, memory: Option<Memory>) -> Result<Vec<Watched>, Failure> {
        let (now, mut memory) = (self.place(), memory);
        loop {
            let (phase, loaded) = (&mut self.kept.phases[place].2, self.kept.loaded);
            let way = (plan.clone(), memory.take());
            let done = self.log.follow(phase, way, &mut self.state, self.span, self.progress, loaded);
            let Followed { outcome, memory: left, counted, energies, signs, is_paused } = done;
            self.sides = Sides::of(&self.kept.phases[place].2.watched(), &signs);
            if let Some(left) = &left {
                let finished = outcome.is_ok().then_some(self.state.t);
                let kept = self.checkpoint(place, &plan, (left, counted), (energies, now.clone()), finished);
                match (&mut self.log.done.checkpoint, finished) {
                    _ if is_paused => self.progress.keep(&kept.text()),
                    // what came before the end made a step shorter is kept
                    (Some(first), Some(_)) => first.reaches(&kept),
                    (to, _) => *to = Some(kept),
                }
            }
            if !is_paused {
                return outcome;
            }
            memory = left;
        }
    }

    fn checkpoint(
        &self,
        phase: usize,
        plan: &Plan,
        (memory, counted): (&Memory, [u64; 3]),
        (energies, now): (Energies, Place),
        finished: Option<f64>,
    ) -> Checkpoint {
        Checkpoint::of(checkpoint::Kept {
            loaded: self.kept.loaded,
            wanted: self.wanted,
            span: self.span,
            made: &self.made,
            phase,
            now,
            plan,
            memory,
            counted,
            energies,
            natural: &self.log.sizes,
            impacts: self.impacts.plain(),
            done: &self.log.done,
            finished,
            is_limited: self.log.ways.is_limited,
        })
    }

    /// The run as it was when it was left: phases are made again where they were made, in the same order.
    pub fn resume(mut self, from: &Checkpoint) -> Result<Self, Error> {
        let broken = || {
            Error::new("the checkpoint does not fit the model: it was changed, or written by another version")
                .hint("begin anew")
                .of(Field::Resume)
        };
        let like = self.state.clone();
        for place in &from.made {
            self.go_to(place, &like).ok_or_else(broken)?;
            let Ok(Leg { at, mode, solved }) = self.leg()? else { return Err(broken()) };
            self.phase(&at, &mode, solved).map_err(Error::new)?;
        }
        self.go_to(&from.now, &like).ok_or_else(broken)?;
        self.take_over(from).ok_or_else(broken)?;
        Ok(self)
    }

    fn go_to(&mut self, place: &Place, like: &State) -> Option<()> {
        self.state = place.state(like)?;
        let form = match &place.form {
            Some(name) => Some(mechanics::formalism::formalism(name)?),
            None => None,
        };
        let (is_watched, has_ended) = (place.is_watched, place.has_ended);
        self.charts = Charts { form, dependent: place.dependent.clone(), is_watched, has_ended };
        Some(())
    }

    /// Takes over where the motion is, its plan and its accounts; nothing if they are not of this model.
    fn take_over(&mut self, from: &Checkpoint) -> Option<()> {
        let memory = from.memory();
        let plan = from.plan(self.wanted, (self.span.1 - self.span.0) / FEWEST_STEPS);
        let phase = &mut self.kept.phases.get_mut(from.phase)?.2;
        let n = self.state.y.len();
        let fits = memory.y.len() == n && plan.sizes.len() == n && plan.watches.len() == phase.watched().len();
        if !fits || from.natural.len() != n {
            return None;
        }
        let tried = Motion::new(&mut phase.machine, plan.clone(), memory.t, memory.y.clone());
        tried.ok()?.recall(&memory)?;
        let log = &mut self.log;
        log.begin(phase);
        log.done.events.clear();
        log.after.clear();
        log.energies = Energies::from_numbers(&floats(&from.energies))?;
        log.sizes = floats(&from.natural);
        log.ways.is_limited = from.is_limited;
        log.done.constraint_residual = f64::from_bits(from.residual);
        [log.done.steps, log.done.rejected, log.done.rhs_evaluations] = from.counted;
        log.done.began = from.time_inside();
        self.impacts = Impacts::from_plain(&from.impacts);
        (self.state.t, self.state.y) = (memory.t, memory.y.clone());
        self.is_first = false;
        self.recalled = Some((from.phase, plan, memory));
        Some(())
    }
}

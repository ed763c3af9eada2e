//! Which relations become true by a jump, between two stretches of motion?
//!
//! ```text
//! s₋  the sign of left − right where the stretch before ended        s₊  where this one begins
//! s₋ ≠ s₊, in the direction of the relation, or to zero where equality is enough              (1)
//! ```
//!
//! Rates jump at an impact, and forces where rows begin or end to act. Inside a stretch signs are followed by the motion.

use numeric::{Direction, Watch};

use super::Run;
use crate::simulate::recorder::word_of;
use crate::simulate::run::name_of;
use crate::simulate::watch::Watched;

/// Values that are smaller are zero. Scale: their natural size.
const NOTHING: f64 = 1e-13;

/// The signs of relations where a stretch ended.
#[derive(Default)]
pub(super) struct Sides(Vec<(Watched, i8)>);

impl Sides {
    /// Those of what is watched.
    pub fn of(watched: &[Watched], signs: &[i8]) -> Sides {
        let is_relation = |kind: &Watched| matches!(kind, Watched::Event(_) | Watched::Begin(_) | Watched::End(_));
        let pairs = watched.iter().copied().zip(signs.iter().copied());
        Sides(pairs.filter(|(kind, _)| is_relation(kind)).collect())
    }

    fn sign(&self, kind: Watched) -> i8 {
        self.0.iter().find(|one| one.0 == kind).map_or(0, |one| one.1)
    }
}

impl Run<'_, '_> {
    /// What becomes true at the state by (1), noted as an event; the signs are those of this state from now on.
    pub(super) fn jumped(&mut self, place: usize, watches: &[Watch]) -> Vec<Watched> {
        let (loaded, state) = (self.kept.loaded, &self.state);
        let phase = &mut self.kept.phases[place].2;
        let mut values = Vec::new();
        if state.is_back || self.sides.0.is_empty() || phase.machine.watch(state.t, &state.y, &mut values).is_err() {
            return Vec::new();
        }
        let watched = phase.watched();
        let signs: Vec<i8> = values.iter().zip(watches).map(|(&value, watch)| sign(value, watch.size)).collect();
        let is_true = |k: &usize| {
            let (was, now) = (self.sides.sign(watched[*k]), signs[*k]);
            let reaches = !phase.is_strict(*k) && now == 0;
            match watches[*k].direction {
                Direction::Up => was < 0 && (now > 0 || reaches),
                Direction::Down => was > 0 && (now < 0 || reaches),
                Direction::Any => was != 0 && reaches,
            }
        };
        let kinds: Vec<Watched> = (0..watched.len()).filter(is_true).map(|k| watched[k]).collect();
        self.sides = Sides::of(&watched, &signs);
        for &kind in &kinds {
            let name = name_of(loaded, kind);
            if let Some(word) = word_of(loaded, kind, false) {
                self.log.happens(name.clone(), word, &self.state, loaded);
            }
            self.log.after.push((name, self.state.t));
        }
        kinds
    }
}

fn sign(value: f64, size: f64) -> i8 {
    i8::from(value > NOTHING * size) - i8::from(value < -NOTHING * size)
}

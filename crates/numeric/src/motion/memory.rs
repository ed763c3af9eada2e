//! What must be known to go on with a motion as if it had never been left?
//!
//! Everything that a step depends on: the state and its slope, the length of the next step, the signs of what is watched, the
//! sides of switches, the guard of the rows. What is written in one order is read in the same one.

use super::Motion;
use super::choice::Choice;
use crate::event::Lately;
use crate::guard::Guard;
use crate::integrate::Method;

/// A motion between two steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// The time.
    pub t: f64,
    /// The state.
    pub y: Vec<f64>,
    /// All other numbers.
    pub floats: Vec<f64>,
    /// Counts, signs and lengths of lists.
    pub counts: Vec<i64>,
    /// Steps of this motion, rejected ones, and how often the machine computed slopes.
    pub counted: [u64; 3],
}

impl Memory {
    fn list(&mut self, values: &[f64]) {
        self.counts.push(values.len() as i64);
        self.floats.extend(values);
    }

    fn integers(&mut self, values: impl ExactSizeIterator<Item = i64>) {
        self.counts.push(values.len() as i64);
        self.counts.extend(values);
    }

    fn option(&mut self, value: Option<f64>) {
        self.list(value.as_slice());
    }
}

/// Reads a memory in the order in which it was written.
struct Reader<'m> {
    floats: &'m [f64],
    counts: &'m [i64],
}

impl Reader<'_> {
    fn count(&mut self) -> Option<i64> {
        let (first, rest) = self.counts.split_first()?;
        self.counts = rest;
        Some(*first)
    }

    fn float(&mut self) -> Option<f64> {
        let (first, rest) = self.floats.split_first()?;
        self.floats = rest;
        Some(*first)
    }

    fn list(&mut self) -> Option<Vec<f64>> {
        let length = usize::try_from(self.count()?).ok()?;
        let (list, rest) = self.floats.split_at_checked(length)?;
        self.floats = rest;
        Some(list.to_vec())
    }

    /// A list that must have this length.
    fn list_of(&mut self, length: usize) -> Option<Vec<f64>> {
        self.list().filter(|list| list.len() == length)
    }

    fn integers(&mut self, length: usize) -> Option<Vec<i64>> {
        let given = usize::try_from(self.count()?).ok()?;
        let (list, rest) = self.counts.split_at_checked(given).filter(|_| given == length)?;
        self.counts = rest;
        Some(list.to_vec())
    }

    fn option(&mut self) -> Option<Option<f64>> {
        match self.list()?[..] {
            [] => Some(None),
            [value] => Some(Some(value)),
            _ => None,
        }
    }
}

impl Motion<'_> {
    /// What a motion remembers here.
    pub fn memory(&self) -> Memory {
        let counted = [self.steps, self.rejected, self.machine.evaluations];
        let mut to = Memory { t: self.t, y: self.y.clone(), floats: Vec::new(), counts: Vec::new(), counted };
        to.list(&self.slope);
        to.option(self.h);
        to.integers(self.signs.iter().map(|&sign| i64::from(sign)));
        to.list(&self.seen);
        to.integers(self.lately.iter().map(|&one| one as i64));
        to.floats.extend([self.followed, self.tried, self.usual, self.whole]);
        to.counts.extend([self.at_once as i64, self.crumbs as i64, i64::from(self.off_level)]);
        let (t, y, slope) = self.previous.clone().unwrap_or_default();
        to.option(self.previous.is_some().then_some(t));
        to.list(&y);
        to.list(&slope);
        to.option(self.ahead);
        to.floats.extend(self.trail.iter().flat_map(|&(t, pivot)| [t, pivot]));
        let guard = self.guard.as_ref().map(Guard::memory).unwrap_or_default();
        to.list(&guard);
        let (sides, stuck, evaluations) = self.machine.memory();
        to.list(sides);
        to.counts.push(stuck.len() as i64);
        to.counts.extend(stuck.iter().map(|&switch| switch as i64));
        to.counts.push(evaluations as i64);
        let Choice { method, signs, others, patience, tried, way, before } = self.choice;
        let place = Method::ALL.iter().position(|one| *one == method).unwrap_or(0);
        to.counts.extend([place as i64].into_iter().chain([signs, others, patience, tried].map(i64::from)));
        to.floats.extend([way, before]);
        to
    }

    /// Takes a memory over; nothing if it is not one of a motion like this.
    pub fn recall(&mut self, memory: &Memory) -> Option<()> {
        let (n, watched) = (self.y.len(), self.signs.len());
        let mut from = Reader { floats: &memory.floats, counts: &memory.counts };
        (self.t, self.y) = (memory.t, memory.y.clone());
        self.slope = from.list_of(n)?;
        self.h = from.option()?;
        self.signs = from.integers(watched)?.into_iter().map(|sign| i8::try_from(sign).ok()).collect::<Option<_>>()?;
        self.seen = from.list_of(watched)?;
        let lately = |code| [Lately::Nothing, Lately::Came, Lately::Told].into_iter().find(|one| *one as i64 == code);
        self.lately = from.integers(watched)?.into_iter().map(lately).collect::<Option<_>>()?;
        (self.followed, self.tried) = (from.float()?, from.float()?);
        (self.usual, self.whole) = (from.float()?, from.float()?);
        (self.at_once, self.crumbs) = (usize::try_from(from.count()?).ok()?, usize::try_from(from.count()?).ok()?);
        self.off_level = from.count()? != 0;
        let (t, y, slope) = (from.option()?, from.list()?, from.list()?);
        self.previous = t.map(|t| (t, y, slope));
        self.ahead = from.option()?;
        for one in &mut self.trail {
            *one = (from.float()?, from.float()?);
        }
        let guard = from.list()?;
        if let Some(own) = &mut self.guard {
            own.recall(&guard)?;
        }
        let sides = from.list_of(self.machine.switches())?;
        let count = usize::try_from(from.count()?).ok().filter(|&count| count <= sides.len())?;
        let mut stuck = Vec::with_capacity(count);
        for _ in 0..count {
            stuck.push(usize::try_from(from.count()?).ok().filter(|&one| one < sides.len())?);
        }
        self.machine.recall(sides, stuck, u64::try_from(from.count()?).ok()?);
        let method = *Method::ALL.get(usize::try_from(from.count()?).ok()?)?;
        self.set_method(method);
        let mut next = || u32::try_from(from.count()?).ok();
        let (signs, others, patience, tried) = (next()?, next()?, next()?, next()?);
        let (way, before) = (from.float()?, from.float()?);
        self.choice = Choice { method, signs, others, patience, tried, way, before };
        (from.floats.is_empty() && from.counts.is_empty()).then_some(())
    }
}

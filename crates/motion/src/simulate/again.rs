//! How does one preparation serve motions from many starts?
//!
//! ```text
//! first motion: forms → equations → machine ─┬→ motion from this start
//!                                            ├→ motion from another
//!                                            └→ …
//! ```
//!
//! Facts of the model are not looked at: they tell of its own start.

use engine::{Error, Loaded, Progress};
use expr::Expr;
use mechanics::System;

use super::run::{Kept, Run};
use super::{Simulate, Simulation, ready, schedule};

/// Motions of one model, one after the other. Whoever makes it has entered the graph of the model and stays there, since what is
/// prepared lives in it.
pub struct Again<'a> {
    loaded: &'a Loaded,
    kept: Option<Kept<'a>>,
}

impl<'a> Again<'a> {
    /// Nothing is prepared yet; an error if the model cannot be run.
    pub fn new(loaded: &'a Loaded) -> Result<Again<'a>, Error> {
        ready(loaded)?;
        Ok(Again { loaded, kept: None })
    }

    /// The motion from the start of the model, with some numbers of the state (coordinates, then rates) in place of its own.
    pub fn from(
        &mut self,
        start: &[(usize, f64)],
        wanted: &Simulate,
        progress: &mut dyn Progress,
    ) -> Result<Simulation, Error> {
        let span = schedule::schedule(wanted, self.loaded)?;
        let kept = self.kept.take().unwrap_or_else(|| Kept::new(self.loaded));
        let (found, kept) = Run::new(kept, wanted, None, Vec::new(), span, progress).starting(start).finish()?;
        self.kept = Some(kept);
        Ok(found)
    }
}

/// The places of coordinates and rates in the state, if all these names are such, and if a start is nothing but numbers for them:
/// nothing is constrained, each line of `start` is about one of them, and no mass depends on them.
pub fn starts_alone(loaded: &Loaded, names: &[&str]) -> Option<Vec<usize>> {
    let _in = loaded.enter();
    let system = &loaded.system;
    let state: Vec<Expr> = system.q().into_iter().chain(system.q_dot()).collect();
    let place = |name: &&str| {
        let coordinate = |name: &str| system.coordinates.iter().position(|one| one.name == name);
        match name.strip_suffix('\'') {
            Some(of) => Some(system.coordinates.len() + coordinate(of)?),
            None => coordinate(name),
        }
    };
    let places: Vec<usize> = names.iter().map(place).collect::<Option<_>>()?;
    let depends = |e: Expr| e.symbols().iter().any(|symbol| state.contains(symbol));
    let has_own_lines = system.start.iter().all(|line| state.contains(&line.left) && !depends(line.right));
    let is_free = is_unconstrained(system) && has_own_lines;
    let masses = system.points.iter().filter_map(|one| one.mass).chain(system.bodies.iter().map(|one| one.mass));
    (is_free && !masses.into_iter().any(depends)).then_some(places)
}

/// Nothing but coordinates, masses and forces.
fn is_unconstrained(system: &System) -> bool {
    let counts = [
        system.constraints.len(),
        system.contacts.len(),
        system.joints.len(),
        system.frictions.len(),
        system.speeds.len(),
        system.dependent.len(),
        system.states.len(),
        system.inputs.len(),
        system.unknowns.len(),
        system.laws.len(),
        system.impulses.len(),
        system.assumptions.len(),
        system.guesses.len(),
    ];
    counts.iter().all(|&count| count == 0)
}

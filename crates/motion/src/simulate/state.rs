//! Where is a motion, and what has just happened there?

use expr::At;
use mechanics::standing::{Standing, switch};
use mechanics::{Mode, System};

use super::back::turned;
use dynamics::Change;
use engine::{Loaded, Ordered};

/// Where a motion is.
#[derive(Clone, Debug)]
pub struct State {
    /// The time; backwards it is −t of the model.
    pub t: f64,
    /// Whether the motion runs backwards.
    pub is_back: bool,
    /// q, q', first-order states and the work.
    pub y: Vec<f64>,
    /// How the switches of the constraints stand.
    pub on: Vec<Standing>,
    /// One-sided constraints that have let go here.
    pub gone: Vec<usize>,
    /// What has just changed at a rough contact.
    pub change: Change,
}

impl State {
    /// The start of a motion.
    pub fn start(loaded: &Loaded, is_back: bool) -> State {
        let t = loaded.start.time.number.unwrap_or(0.0);
        let t = if is_back { turned(t) } else { t };
        let y = loaded.start.values().map(|value| value.number.unwrap_or(f64::NAN)).chain([0.0]).collect();
        let on = loaded.system.constraints.iter().map(|one| switch(&loaded.system, one, &loaded.at)).collect();
        State { t, is_back, y, on, gone: Vec::new(), change: Change::Nothing }
    }

    /// The state as a value.
    pub fn at(&self, loaded: &Loaded) -> At {
        at(loaded, self.time(), &self.y)
    }

    /// The time of the model.
    pub fn time(&self) -> f64 {
        if self.is_back { turned(self.t) } else { self.t }
    }

    /// What acts here, as far as that is known without accelerations.
    pub fn mode(&self, system: &System, at: &At) -> Result<Mode, expr::MathError> {
        Ok(Mode::switched(system, &self.on, at)?.releasing(&self.gone))
    }

    /// Coordinates and rates by name.
    pub fn shown(&self, system: &System) -> Ordered<f64> {
        shown(system, &self.y)
    }

    /// Adds to the rates.
    pub fn kick(&mut self, change: &[f64]) {
        let n = change.len();
        self.y[n..2 * n].iter_mut().zip(change).for_each(|(rate, change)| *rate += change);
    }
}

/// A time, coordinates, rates and first-order states as a value.
pub fn at(loaded: &Loaded, t: f64, y: &[f64]) -> At {
    let system = &loaded.system;
    let parameters = system.parameters.iter().zip(&loaded.start.parameters);
    let mut values: Vec<_> = parameters.filter_map(|(one, value)| Some((one.symbol, (*value)?))).collect();
    values.push((system.time, t));
    let moving = system.q().into_iter().chain(system.q_dot()).chain(system.state_symbols());
    values.extend(moving.zip(y.iter().copied()));
    let bare = At::new(&values);
    let speeds: Vec<_> = system.speeds.iter().map(|speed| (speed.symbol, bare.value(speed.definition))).collect();
    mechanics::with_inputs(if speeds.is_empty() { bare } else { bare.with(&speeds) }, system)
}

/// Coordinates, rates and first-order states by name.
pub fn shown(system: &System, y: &[f64]) -> Ordered<f64> {
    let (n, coordinates) = (system.coordinates.len(), &system.coordinates);
    let values = coordinates.iter().zip(y).map(|(c, &value)| (c.name.clone(), value));
    let rates = coordinates.iter().zip(&y[n..]).map(|(c, &value)| (format!("{}'", c.name), value));
    let states = system.states.iter().zip(&y[2 * n..]).map(|(one, &value)| (one.name.clone(), value));
    values.chain(rates).chain(states).collect()
}

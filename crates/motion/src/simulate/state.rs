//! Where is a motion, and what has just happened there?

use expr::At;
use mechanics::standing::{Standing, switch};
use mechanics::{Mode, System};

use dynamics::Change;
use engine::{Loaded, Ordered};

/// Where a motion is.
#[derive(Clone, Debug)]
pub struct State {
    /// The time.
    pub t: f64,
    /// q, q' and the work.
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
    pub fn start(loaded: &Loaded) -> State {
        let t = loaded.start.time.number.unwrap_or(0.0);
        let y = loaded.start.values().map(|value| value.number.unwrap_or(f64::NAN)).chain([0.0]).collect();
        let on = loaded.system.constraints.iter().map(|one| switch(&loaded.system, one, &loaded.at)).collect();
        State { t, y, on, gone: Vec::new(), change: Change::Nothing }
    }

    /// The state as a value.
    pub fn at(&self, loaded: &Loaded) -> At {
        at(loaded, self.t, &self.y)
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

/// A time, coordinates and rates as a value.
pub fn at(loaded: &Loaded, t: f64, y: &[f64]) -> At {
    let (system, n) = (&loaded.system, loaded.system.coordinates.len());
    let parameters = system.parameters.iter().zip(&loaded.start.parameters);
    let mut values: Vec<_> = parameters.filter_map(|(one, value)| Some((one.symbol, (*value)?))).collect();
    values.push((system.time, t));
    values.extend(system.q().into_iter().chain(system.q_dot()).zip(y[..2 * n].iter().copied()));
    let bare = At::new(&values);
    let speeds: Vec<_> = system.speeds.iter().map(|speed| (speed.symbol, bare.value(speed.definition))).collect();
    mechanics::with_inputs(if speeds.is_empty() { bare } else { bare.with(&speeds) }, system)
}

/// Coordinates and rates by name.
pub fn shown(system: &System, y: &[f64]) -> Ordered<f64> {
    let (n, coordinates) = (system.coordinates.len(), &system.coordinates);
    let values = coordinates.iter().zip(y).map(|(c, &value)| (c.name.clone(), value));
    values.chain(coordinates.iter().zip(&y[n..]).map(|(c, &value)| (format!("{}'", c.name), value))).collect()
}

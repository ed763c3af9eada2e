//! What leaves: a model as routines in no language yet, with names, units, a start and numbers to compare with.

use expr::Symbol;
use rustc_hash::FxHashMap;

use crate::names::Names;
use crate::points::Point;
use crate::value::{Routine, Step, Value};

/// Equations in which accelerations and multipliers are unknown.
#[derive(Clone, Debug)]
pub struct Implicit {
    /// What vanishes (`e`), the laws of the inputs (`u`), what is observed (`o`), the event functions (`g`).
    pub routine: Routine,
    /// What each equation is.
    pub says: Vec<String>,
    /// The names of the accelerations.
    pub accelerations: Vec<String>,
    /// The names of the multipliers, and of their rows.
    pub multipliers: Vec<(String, String)>,
    /// The names of what is observed, and what it is.
    pub observes: Vec<(String, String)>,
    /// The names of the event functions, and what they are.
    pub events: Vec<(String, String)>,
    /// Which coordinates and rates can be chosen freely at the start.
    pub fixed: Vec<bool>,
}

/// A quantity of the model.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// What the model calls it.
    pub name: String,
    /// What the code calls it.
    pub code: String,
    /// Its unit; empty if it has none.
    pub unit: String,
    /// Its value, at the start if it moves.
    pub value: f64,
    /// The value exactly, where it is known so.
    pub exact: Option<Value>,
    /// Whether elements of the model are counted by it: it cannot change any more.
    pub counts: bool,
}

impl Quantity {
    /// `theta [rad]`
    pub fn label(&self) -> String {
        labelled(&self.name, &self.unit)
    }
}

/// A name with its unit.
pub fn labelled(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") }
}

/// Equations that a part of the state is brought back to.
#[derive(Clone, Debug)]
pub struct Level {
    /// The routine that computes them.
    pub routine: &'static str,
    /// The first place in the state that is moved.
    pub first: usize,
    /// How many equations there are.
    pub rows: usize,
}

/// What an event function means.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// Whether the motion ends there.
    pub stops: bool,
    /// 1 if it rises through zero, −1 if it falls, 0 for both.
    pub way: i32,
}

/// A model that leaves.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The name of files and functions.
    pub stem: String,
    /// The title of the model.
    pub title: String,
    /// What messages call the model.
    pub file: String,
    /// A word that changes with the model's text.
    pub hash: String,
    /// The form that the right-hand side is of.
    pub form: &'static str,
    /// What the reader must know besides.
    pub remarks: Vec<String>,
    /// The coordinates; the state is these and then their rates.
    pub coordinates: Vec<Quantity>,
    /// The rates.
    pub rates: Vec<Quantity>,
    /// The parameters, then the inputs.
    pub parameters: Vec<Quantity>,
    /// Whether parameters are arguments; otherwise they have the model's values.
    pub takes_parameters: bool,
    /// The routines for the caller.
    pub routines: Vec<Routine>,
    /// Routines that others call.
    pub own: Vec<Routine>,
    /// The routines of the projection.
    pub levels: Vec<(Level, Routine)>,
    /// The first state for any parameters: what is given, and the equations of the rest.
    pub starting: Option<(Routine, Vec<(Level, Routine)>)>,
    /// The units of the accelerations.
    pub accelerations: Vec<String>,
    /// Which entries of the first state follow from equations.
    pub solved: Vec<bool>,
    /// What the event functions mean.
    pub events: Vec<Event>,
    /// The equations as they stand, where a language keeps them so.
    pub implicit: Option<Implicit>,
    /// How many of the parameters are inputs.
    pub input_count: usize,
    /// The time at the start.
    pub t0: f64,
    /// States, and what Anholon computes there.
    pub points: Vec<Point>,
}

impl Unit {
    /// Whether another value of a parameter leads to other numbers: it counts no elements, and some routine reads it.
    pub fn may_change(&self, parameter: &Quantity) -> bool {
        !parameter.counts && self.all_routines().any(|one| one.mentions(&parameter.code))
    }

    /// How many coordinates there are.
    pub fn n(&self) -> usize {
        self.coordinates.len()
    }

    /// The state at the start.
    pub fn start(&self) -> Vec<f64> {
        self.coordinates.iter().chain(&self.rates).map(|one| one.value).collect()
    }

    /// The names of what is read from the state and from the parameters.
    pub fn inputs(&self) -> [Vec<&str>; 2] {
        let state = self.coordinates.iter().chain(&self.rates).map(|one| one.code.as_str());
        [state.collect(), self.parameters.iter().map(|one| one.code.as_str()).collect()]
    }

    /// All equations that a part of the state is brought to.
    pub fn all_levels(&self) -> impl Iterator<Item = &(Level, Routine)> {
        self.levels.iter().chain(self.starting.iter().flat_map(|one| &one.1))
    }

    /// The routines that only others call.
    pub fn own_routines(&self) -> impl Iterator<Item = &Routine> {
        self.all_levels().map(|one| &one.1).chain(self.starting.iter().map(|one| &one.0)).chain(&self.own)
    }

    /// Everything that is computed.
    pub fn all_routines(&self) -> impl Iterator<Item = &Routine> {
        self.own_routines().chain(&self.routines)
    }

    /// The most unknowns that are solved for at once.
    pub fn most_unknowns(&self) -> usize {
        let of = |step: &Step| if let Step::Solve { right, .. } = step { right.len() } else { 0 };
        let solved = self.all_routines().flat_map(|one| &one.steps).map(of);
        solved.chain(self.all_levels().map(|one| self.n() + one.0.rows)).max().unwrap_or(0)
    }
}

/// The names of symbols, and what the others are.
pub struct Naming {
    /// The names that are taken.
    pub names: Names,
    /// What symbols are called that are arguments.
    pub inputs: FxHashMap<Symbol, String>,
}

//! What leaves: a model as routines in no language yet, with names, units, a start and numbers to compare with.

use expr::Symbol;
use rustc_hash::FxHashMap;

use crate::names::Names;
use crate::points::Point;
use crate::value::{Routine, Step, Value};

/// Equations in which accelerations and multipliers are unknown.
#[derive(Clone, Debug)]
pub struct Implicit {
    /// What vanishes (`e`), the rates of states of first order (`a`), the laws of the inputs (`u`), what is observed (`o`), the event functions (`g`).
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

/// Something that opens and closes, begins and ends, or sticks and slides.
#[derive(Clone, Debug)]
pub struct Item {
    /// The name of the constraint or the contact.
    pub name: String,
    /// Whether it is one-sided.
    pub is_sided: bool,
    /// 1 if it has `from`, 2 if it has `until`, 3 for both.
    pub switched: u8,
    /// The row that presses, of what is one-sided or rough.
    pub normal: Option<usize>,
    /// The first row of no slip of what is rough.
    pub slip: usize,
    /// How many such rows there are.
    pub slips: usize,
}

/// A row that acts, or may act.
#[derive(Clone, Copy, Debug)]
pub struct ModeRow {
    /// The item that switches it.
    pub item: Option<usize>,
    /// 0 for an equation, 1 for a row that presses, 2 for no slip of a rough contact, 3 for what goes with a closed one.
    pub kind: u8,
    /// 0, 1 or 2: whether it holds coordinates, rates or accelerations.
    pub order: u32,
}

/// A mode in numbers, item by item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModeAt {
    /// 0 for off or open, -1 for over, 1 for on, closed or sticking, 2 for sliding.
    pub state: Vec<i32>,
    /// The sign of the normal force.
    pub side: Vec<i32>,
    /// The direction of a slip.
    pub along: Vec<[f64; 2]>,
}

/// What a model has whose equations change on the way.
#[derive(Clone, Debug)]
pub struct Modes {
    /// What the equations of all modes are made of.
    pub parts: Routine,
    /// What is observed and watched, by state, accelerations and multipliers.
    pub shown: Routine,
    /// The accelerations and multipliers that `shown` reads behind the state.
    pub wide: Vec<Quantity>,
    /// The rows.
    pub rows: Vec<ModeRow>,
    /// The items.
    pub items: Vec<Item>,
    /// What is watched besides the events of the model: a kind and an item.
    pub watches: Vec<(u8, usize)>,
    /// How many events the model has.
    pub events: usize,
    /// The modes of the points, and of the start.
    pub points: Vec<ModeAt>,
    /// The mode of the start.
    pub start: ModeAt,
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
    /// The coordinates; the state is these, their rates, and the states of first order.
    pub coordinates: Vec<Quantity>,
    /// The rates.
    pub rates: Vec<Quantity>,
    /// The states of first order, which follow the rates in the state.
    pub states: Vec<Quantity>,
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
    /// The units of the rates of states of first order.
    pub laws: Vec<String>,
    /// Which entries of the first state follow from equations.
    pub solved: Vec<bool>,
    /// What the event functions mean.
    pub events: Vec<Event>,
    /// The equations as they stand, where a language keeps them so.
    pub implicit: Option<Implicit>,
    /// What it has besides if its equations change on the way.
    pub modes: Option<Modes>,
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

    /// How many numbers the state has.
    pub fn size(&self) -> usize {
        2 * self.n() + self.states.len()
    }

    /// What the state is made of, in order.
    pub fn state(&self) -> impl Iterator<Item = &Quantity> {
        self.coordinates.iter().chain(&self.rates).chain(&self.states)
    }

    /// The state at the start.
    pub fn start(&self) -> Vec<f64> {
        self.state().map(|one| one.value).collect()
    }

    /// The names of what is read from the state and from the parameters.
    pub fn inputs(&self) -> [Vec<&str>; 2] {
        let state = self.state().map(|one| one.code.as_str());
        [state.collect(), self.parameters.iter().map(|one| one.code.as_str()).collect()]
    }

    /// All equations that a part of the state is brought to.
    pub fn all_levels(&self) -> impl Iterator<Item = &(Level, Routine)> {
        self.levels.iter().chain(self.starting.iter().flat_map(|one| &one.1))
    }

    /// The routines that only others call.
    pub fn own_routines(&self) -> impl Iterator<Item = &Routine> {
        let modes = self.modes.iter().flat_map(|modes| [&modes.parts, &modes.shown]);
        let levels = self.all_levels().map(|one| &one.1);
        levels.chain(self.starting.iter().map(|one| &one.0)).chain(&self.own).chain(modes)
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

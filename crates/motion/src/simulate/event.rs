//! What can happen on a motion, and why does it end?

use std::fmt;

use serde::Serialize;

use engine::Ordered;

expr::in_words! {
    /// What happened.
    pub enum EventKind {
        /// An event of the model that ends the motion.
        Stop = "stop",
        /// An event of the model that is recorded.
        Record = "record",
        /// A one-sided constraint lets go.
        Leaves = "leaves",
        /// It closes.
        Closes = "closes",
        /// It closes, and bounces.
        Bounces = "bounces",
        /// Its bounces have come to an end.
        Rests = "rests",
        /// A rough contact begins to slip.
        Slips = "slips",
        /// It comes to rest, and sticks.
        Sticks = "sticks",
        /// It comes to rest, and slips to another side.
        Turns = "turns",
        /// A constraint is switched on.
        Begins = "begins",
        /// It is switched off.
        Ends = "ends",
        /// Friction has no solution beyond.
        LosesSolvability = "loses solvability",
        /// Constraints depend on each other at one instant.
        Singular = "singular",
    }
}

/// An event.
#[derive(Clone, Debug, Serialize)]
pub struct Happened {
    /// The event, or the constraint.
    pub name: String,
    /// What happened.
    pub kind: EventKind,
    /// When.
    pub t: f64,
    /// Coordinates and rates then; after an impact the new ones.
    pub state: Ordered<f64>,
    /// The impulses of the constraints, for an impact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impulse: Option<Ordered<f64>>,
    /// The energy that was lost in an impact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy_lost: Option<f64>,
}

impl Happened {
    /// Something that happened without an impact.
    pub fn new(name: String, kind: EventKind, t: f64, state: Ordered<f64>) -> Happened {
        Happened { name, kind, t, state, impulse: None, energy_lost: None }
    }
}

/// Why a motion ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoppedBy {
    /// The time was over.
    Time,
    /// An event of the model, by its name.
    Event(String),
    /// Somebody wished it.
    Interrupted,
    /// It could not go on, and why.
    Failure(String),
}

impl StoppedBy {
    /// Why it could not go on.
    pub fn failure(&self) -> Option<&str> {
        match self {
            StoppedBy::Failure(reason) => Some(reason),
            _ => None,
        }
    }
}

impl fmt::Display for StoppedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StoppedBy::Time => "time",
            StoppedBy::Event(name) => name,
            StoppedBy::Interrupted => "interrupted",
            StoppedBy::Failure(_) => "failure",
        })
    }
}

//! What can happen on a motion, and why does it end?

use std::fmt;

use serde::{Serialize, Serializer};

use engine::Ordered;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// An event of the model that ends the motion.
    Stop,
    /// An event of the model that is recorded.
    Record,
    /// A one-sided constraint lets go.
    Leaves,
    /// It closes.
    Closes,
    /// It closes, and bounces.
    Bounces,
    /// Its bounces have come to an end.
    Rests,
    /// A rough contact begins to slip.
    Slips,
    /// It comes to rest, and sticks.
    Sticks,
    /// It comes to rest, and slips to another side.
    Turns,
    /// A constraint is switched on.
    Begins,
    /// It is switched off.
    Ends,
    /// Friction has no solution beyond.
    LosesSolvability,
    /// Constraints depend on each other at one instant.
    Singular,
}

impl EventKind {
    /// What it is called.
    pub fn word(self) -> &'static str {
        match self {
            EventKind::Stop => "stop",
            EventKind::Record => "record",
            EventKind::Leaves => "leaves",
            EventKind::Closes => "closes",
            EventKind::Bounces => "bounces",
            EventKind::Rests => "rests",
            EventKind::Slips => "slips",
            EventKind::Sticks => "sticks",
            EventKind::Turns => "turns",
            EventKind::Begins => "begins",
            EventKind::Ends => "ends",
            EventKind::LosesSolvability => "loses solvability",
            EventKind::Singular => "singular",
        }
    }
}

impl Serialize for EventKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
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

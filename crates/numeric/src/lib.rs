//! Motions in numbers: programs, linear solves, integration, events, projection. Knows no mechanics.
//!
//! ```text
//! Problem → Machine (tape, solves, levels) → Motion (steps, events, states at given instants)
//! ```

#![allow(non_snake_case, reason = "inside formulas the letters of the books")]

pub mod cones;
pub mod contacts;
pub mod coulomb;
mod crossing;
pub mod event;
pub mod guard;
pub mod integrate;
mod interval;
mod machine;
pub mod motion;
pub mod problem;
pub mod prune;
mod real;
mod slope;
mod tape;

pub use integrate::{Description, Field, Method, Stepper};
pub use interval::{Interval, Tangent};
pub use machine::{Machine, Trouble};
pub use motion::{Direction, Failure, Motion, Onlooker, Plan, Stop, Watch};
pub use problem::{Guarded, Judged, Level, Problem, Solve, Structure};
pub use real::{Function, Lanes, Measured, Real};
pub use slope::Slope;
pub use tape::{Switches, Tape, Unbound};

//! Motions in numbers: programs, linear solves, integration, events, projection. Knows no mechanics.
//!
//! ```text
//! Problem → Machine (tape, solves, levels) → Motion (steps, events, states at given instants)
//! ```

pub mod cones;
pub mod contacts;
pub mod coulomb;
pub mod event;
pub mod integrate;
mod interval;
mod leap;
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
pub use problem::{Judged, Level, Problem, Solve, Structure};
pub use real::{Function, Lanes, Measured, Real};
pub use slope::Slope;
pub use tape::{Switches, Tape, Unbound};

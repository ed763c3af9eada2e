//! Motions in numbers: programs, linear solves, integration, events, projection. Knows no mechanics.
//!
//! ```text
//! Problem → Machine (tape, solves, levels) → Motion (steps, events, states at given instants)
//! ```

#![allow(non_snake_case, reason = "inside formulas the letters of the books")]

mod compiled;
pub mod cones;
pub mod contacts;
pub mod coulomb;
mod crossing;
pub mod event;
mod function;
pub mod guard;
pub mod integrate;
mod interval;
mod leap;
mod level;
pub mod lifted;
mod machine;
pub mod motion;
pub mod problem;
pub mod prune;
mod real;
mod series;
mod slope;
mod system;
mod tape;

pub use function::{Function, Part, Work};
pub use integrate::{Description, Field, Method, Stepper};
pub use interval::{Interval, Tangent};
pub use machine::Machine;
pub use motion::{Direction, Failure, Jumps, Memory, Motion, Onlooker, Plan, Stop, Watch};
pub use problem::{Guarded, Judged, Level, Problem, Solve, Structure};
pub use real::{Function as Elementary, Lanes, Measured, Real};
pub use slope::Slope;
pub use system::{Trouble, dense_cost};
pub use tape::{Switches, Tape, Unbound};

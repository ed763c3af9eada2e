//! Numbers of the motion at a state, and the motion from it.

#![allow(non_snake_case, reason = "inside formulas the letters of the books")]

mod evaluate;
mod simulate;

pub use evaluate::{Evaluate, Evaluated, Evaluation, Solution, evaluate};
pub use simulate::bridge;
pub use simulate::{
    Again, Checkpoint, Column, EventKind, Expected, Happened, Meaning, Method, Sample, Simulate, Simulation, StoppedBy,
    Table, Units, becomes_true, decided, simulate, starts_alone,
};

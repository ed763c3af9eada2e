//! From a model to its mechanics: what is the system, and in which state does it start?
//!
//! ```text
//! Model → lower → System ─→ start → first state
//! ```
//!
//! Everything here is exact, save the numbers of the first state in `start.rs`. Expressions belong
//! to the current scope of the crate `expr`.
//!
//! ```
//! let _scope = expr::Scope::enter();
//! let text = "\
//! param l = 2 m, m = 1 kg
//! coord phi : rad
//! point P = l*(sin(phi), -cos(phi)) mass m
//! start phi = 30 deg";
//! let model = model::parse("pendulum.mech", text).model.unwrap();
//! let system = mechanics::lower(&model).unwrap();
//! assert_eq!(system.points[0].position.to_string(), "(l*sin(phi), -l*cos(phi), 0)");
//! assert_eq!(system.start[0].right.to_string(), "pi/6");
//! ```

#![allow(non_snake_case, reason = "inside formulas the letters of the books")]

pub mod agreement;
pub mod balance;
pub mod chart;
pub mod constraint;
pub mod contact;
pub mod determined;
pub mod displacement;
pub mod form;
pub mod formalism;
mod frame;
pub mod friction;
pub mod ingredients;
mod joint;
pub mod kinematics;
pub mod law;
mod length;
pub mod lifted;
mod lower;
pub mod matrices;
pub mod mistake;
pub mod mode;
mod numbers;
pub mod operator;
mod page;
mod places;
pub mod reaction;
mod read;
mod root;
pub mod rows;
mod settle;
pub mod standing;
mod start;
pub mod steps;
mod system;
mod vector;

pub use frame::{About, Frame, Orientation, Rate, Rotation, Turn};
pub use lower::lower;
pub use mode::{Held, Mode};
pub use read::{Motion, NEEDS_MOTION, Operator, Reading, Speeds, Variable};
pub use settle::settle;
pub use start::{
    Contradiction, Found, Level, Residual, StartReport, StartValue, generic, start, start_with, state, with_inputs,
};
pub use system::*;
pub use vector::Vector;

//! What happens at a state: accelerations, multipliers, and what a rough contact does.
//!
//! ```text
//! System × Mode × At → Rows → Form → Recipe → Numbers
//!                └ rough contacts: (mode, state) → every way on
//! ```

#![allow(non_snake_case, reason = "inside formulas the letters of the books")]

mod explicit;
pub mod grip;
mod ground;
mod known;
mod recipe;
mod state;
mod struck;
pub mod together;

pub use explicit::Explicit;
pub use grip::{Friction, Frictions, Touch, Touching};
pub use ground::Ground;
pub use known::Known;
pub use recipe::{NoNumbers, Numbers, Recipe};
pub use state::{Change, Dynamics, Solved};
pub use struck::struck;

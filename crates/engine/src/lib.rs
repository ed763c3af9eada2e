//! The façade: the same few verbs for the command line, for other languages and for the studio.
//!
//! Text and plain values in, plain values out; no handle leaves the scope that made it.

#![allow(non_snake_case, reason = "inside formulas the letters of the books")]

pub mod audit;
pub mod check;
pub mod derive;
mod dynamics;
pub mod equilibria;
pub mod error;
pub mod evaluate;
mod fact;
mod gallery;
mod grip;
pub mod integrals;
mod kernel;
pub mod linearize;
mod load;
pub mod number;
mod ordered;
mod pages;
pub mod picture;
pub mod progress;
pub mod prove;
pub mod reactions;
mod readable;
pub mod simulate;
mod sound;

pub use audit::{Audit, Claims, audit};
pub use check::{Check, Inspect, Show, check};
pub use derive::{Derivation, Derive, derive};
pub use equilibria::{Equilibria, Equilibrium, EquilibriumSet, equilibria};
pub use error::{Error, Field};
pub use evaluate::{Evaluate, Evaluated, Evaluation, evaluate};
pub use gallery::{CLAIMS, ClaimFile, Example, GALLERY, claims, example, format, template};
pub use grip::Friction;
pub use integrals::{Integral, Integrals, Integrate, integrals};
pub use kernel::{Derivative, Same, Simplified, Verdict, Witness, differentiate, same, simplify};
pub use linearize::{Linearization, Linearize, Linearized, linearize};
pub use load::{Loaded, Settings, load};
pub use ordered::Ordered;
pub use pages::pages as formalism_pages;
pub use progress::{Alone, Progress};
pub use prove::{Agreement, Prove, Proved, Replay, Verified, prove, verify};
pub use reactions::SharedLoad;
pub use simulate::{Simulate, Simulation, simulate};

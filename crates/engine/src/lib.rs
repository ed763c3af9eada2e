//! A model opened, and what verbs share: settings, errors, progress, facts; the verbs `derive` and `prove`.
//!
//! Text and plain values in, plain values out; no handle leaves the scope that made it.

#![allow(non_snake_case, reason = "inside formulas the letters of the books")]

mod alike;
mod bodies;
mod catalogue;
mod corners;
pub mod derive;
mod direction;
mod divide;
mod double;
pub mod error;
mod explicit;
pub mod fact;
pub mod forms;
mod gallery;
mod kernel;
mod layout;
mod letters;
mod lines;
mod load;
mod matrices;
mod names;
pub mod observe;
mod ordered;
mod pages;
mod parts;
mod positive;
pub mod progress;
pub mod prove;
mod quantities;
pub mod reactions;
pub mod readable;
mod relations;
mod roots;
mod shape;
pub mod shared;
pub mod side;
pub mod sound;
pub mod steps;
mod units;
mod written;

pub use catalogue::{Explained, explain, forms};
pub use derive::{Derivation, Derive, derive};
pub use error::{Error, Field};
pub use explicit::Explicit;
pub use gallery::{CLAIMS, ClaimFile, Example, GALLERY, claims, example, format, template};
pub use kernel::{Derivative, Same, Simplified, Verdict, Witness, differentiate, same, simplify};
pub use load::{Loaded, Settings, acting, hash, load, load_at};
pub use matrices::MatrixPage;
pub use mechanics::agreement::Agreement;
pub use model::{Dimension, quantity, range};
pub use ordered::Ordered;
pub use pages::pages as formalism_pages;
pub use progress::{Alone, Progress};
pub use prove::{Prove, Proved, Replay, Verified, VerifiedClaim, prove, verify};
pub use shared::SharedLoad;
pub use units::coordinate_units;

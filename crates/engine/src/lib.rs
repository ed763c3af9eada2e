//! The façade: the same few verbs for the command line, for other languages and for the studio.
//!
//! Text and plain values in, plain values out; no handle leaves the scope that made it.

mod gallery;
mod kernel;

pub use gallery::{Example, GALLERY, example, format, template};
pub use kernel::{Derivative, Same, Simplified, Verdict, Witness, differentiate, same, simplify};

/// What was wrong with the input, as a message for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadInput(pub String);

impl std::fmt::Display for BadInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

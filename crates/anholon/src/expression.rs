//! What can be asked of expressions alone, without a model?

pub use engine::{Derivative, Same, Simplified, Verdict, Witness, differentiate, same, simplify};

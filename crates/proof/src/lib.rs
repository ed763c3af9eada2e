//! Is it zero? Verdicts with evidence, certificates and their checker, certified linear algebra.
//!
//! Agreement between formalisms, the class of a constraint, a pivot that may be divided by: all
//! are questions whether an expression is identically zero. [`decide`] answers them.

mod assume;
pub mod ball;
mod certificate;
mod check;
mod constant;
mod cramer;
mod decide;
pub mod linear;
mod numeric;
mod witness;

pub use assume::Assumptions;
pub use certificate::{
    Certificate, Grounds, Line, Name, Place, Points, Question, Relation, Solution, Uncertified, certify,
};
pub use check::{Checked, Rejection, check, check_for};
pub use decide::{ErrorBound, Evidence, Obstacle, Proof, Verdict, decide, decide_all};
pub use numeric::value_at;
pub use witness::Witness;

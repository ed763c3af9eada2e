//! How does a lecturer write this, judged by its values alone?
//!
//! ```text
//! expression → program over a prime field → values → quotient of sparse sums → shortest real form
//! ```
//!
//! An expression of many pages may be a function of one line. Its values at well-chosen points tell the
//! line, at a cost that follows the line and not the pages. What comes out depends on the function, not on the
//! way in which it was derived, so that all forms of one system read alike.
//!
//! Nothing that is written here is believed: it is taken only if it equals the expression by the kernel's
//! signatures, which stand in other primes and at other points. Work is bounded by counts, and the points are always the
//! same, so that the text is the same in every run.
//!
//! ```
//! let _scope = expr::Scope::enter();
//! let e = expr::parse("(A*sin(x)^2 + A*cos(x)^2)*tan(x)*cos(x)")?;
//! let short = reading::rewritten(e, 20, &mut 100_000).unwrap();
//! assert_eq!(short.to_string(), "A*sin(x)");
//! # Ok::<(), expr::ParseError>(())
//! ```

mod bracket;
mod choice;
mod dense;
mod factor;
mod fourier;
mod halves;
mod interpolate;
mod machine;
mod polish;
mod recurrence;
mod relation;
mod roots;
mod shape;
mod squares;
mod write;

use std::cell::Cell;

use expr::Expr;
use expr::field::Field;

use interpolate::{BITS, Interpolation};
use machine::Machine;

pub use bracket::bracketed;
pub use choice::is_better;
pub use polish::polished;
pub use relation::{Relation, is_same_on, rewritten_on};

/// A prime with roots of unity of order 2^44. It may be fixed, since what is found with it is checked in others.
const PRIME: u64 = 462_157 * (1 << BITS) + 1;

/// The expression written anew from its values, with at most so many terms and so many steps of evaluation and writing;
/// `None` if that does not suffice, or if its numbers are too long to be told. It may be longer than it was.
pub fn rewritten(e: Expr, terms: usize, work: &mut u64) -> Option<Expr> {
    let field = Field::with_prime(PRIME, 1 << BITS)?;
    let machine = Machine::of(e, field)?;
    let mut interpolation = Interpolation::new(&machine, terms, work);
    let quotient = interpolation.quotient(machine.output, terms, false)?;
    let factors = interpolation.factors;
    let left = Cell::new(*work);
    let made = write::written(&machine.variables, &factors, &quotient, &left);
    *work = left.get();
    made.filter(|made| made.is_same(e))
}

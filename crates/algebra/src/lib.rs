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

mod angle;
mod case;
mod content;
mod eliminate;
mod factor;
mod facts;
mod finish;
mod fraction;
mod roots;
mod sign;
mod solution;
mod square;
mod translate;
mod work;

pub use sign::{Sign, judge, shortened, sign};
pub use solution::{Branch, Condition, Obstacle, Solution, Threshold};

use std::cell::{Cell, RefCell};

use expr::{Expr, Substitution};

use case::Case;
use eliminate::Plan;
use facts::Facts;
use finish::{Question, merged};
use translate::{Translation, depends};

/// Solves `equations` (each = 0) for the `unknowns`, which are symbols; `assumptions` are what is known of
/// the parameters, such as `m > 0`, and what is asked of the unknowns, such as `h > 0`.
///
/// An unknown that enters by sines and cosines only is an angle: its values are meant modulo 2π, or modulo
/// 2πk where the equations know its k-th part. They lie between −π and π where the sign of the sine is known.
pub fn solve(equations: &[Expr], unknowns: &[Expr], assumptions: &[Condition]) -> Result<Solution, Obstacle> {
    solve_while(equations, unknowns, assumptions, &mut |_| true)
}

/// Solves as [`solve`] does; `goes_on` hears how much of the work that is allowed has been done, from 0 to 1, and says
/// whether to go on.
pub fn solve_while(
    equations: &[Expr],
    unknowns: &[Expr],
    assumptions: &[Condition],
    goes_on: &mut dyn FnMut(f64) -> bool,
) -> Result<Solution, Obstacle> {
    let (asked, assumed): (Vec<Condition>, Vec<Condition>) =
        assumptions.iter().partition(|condition| depends(condition.value, unknowns));
    let assumed = Facts::new(&assumed);
    let mut translation = Translation::new(equations, unknowns)?;
    let rows = equations.iter().map(|&e| translation.fraction(e)).collect::<Result<Vec<_>, _>>()?;
    for condition in asked {
        let value = translation.fraction(condition.value)?;
        translation.conditions.push(Condition { value: value.above * value.below, ..condition });
    }
    let (angles, roots) = (&translation.angles[..], &translation.roots[..]);
    let is_angle = |unknown: &Expr| angles.iter().any(|angle| angle.unknown == *unknown);
    let mut variables: Vec<Expr> = unknowns.iter().copied().filter(|unknown| !is_angle(unknown)).collect();
    variables.extend(roots.iter().map(|root| root.variable));
    variables.extend(angles.iter().flat_map(|angle| [angle.cosine, angle.sine]));
    let first = Case {
        equations: rows.iter().map(|row| row.above).chain(roots.iter().map(|root| root.definition)).collect(),
        variables,
        values: Substitution::new(),
        conditions: translation.conditions.clone(),
        written: Vec::new(),
        multiplicity: 1,
    };
    let plan = Plan { angles, roots, assumed: &assumed, looked_at: Cell::new(0), goes_on: RefCell::new(goes_on) };
    let cases = plan.solve(first)?;
    let question = Question { equations: &rows, unknowns, angles, roots, assumed: &assumed };
    let branch = |case| plan.asked().and_then(|()| question.branch(case));
    let branches = cases.iter().map(branch).collect::<Result<Vec<_>, _>>()?;
    let branches = merged(branches.into_iter().flatten().collect(), &assumed);
    let thresholds = question.thresholds(&branches);
    assumed.check()?;
    Ok(Solution { branches, thresholds })
}

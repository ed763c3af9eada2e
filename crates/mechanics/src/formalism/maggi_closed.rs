//! Maggi's equations, closed: one square system for all accelerations, with the reactions eliminated.
//!
//! ```text
//! (E + AᵀA) q'' = F − Aᵀ a0                                                    (1)
//! E = Π M,  F = Π (Q − h),  Π = 1 − Aᵀ Bᵀ              A B = 1, B = ∂q''/∂w      (2)
//! Λ = Bᵀ (M q'' + h − Q)                               the reactions            (3)
//! ```
//!
//! Π removes what the rows can carry: Π² = Π, Π Aᵀ = 0. Therefore E has rank n − k and cannot be inverted,
//! as the source does; AᵀA adds the rows A q'' + a0 = 0 in the directions that are missing.
//!
//! Class: systems with constraints of any class; without a constraint there is nothing to close.
//!
//! History: Zegzhda, Yushkov and coauthors put Maggi's reactions back into Lagrange's equations in 2015. The
//! matrix that they invert is singular; the closing (1) is ours.
//!
//! Source: Zegzhda, Naumova, Soltakhanov and Yushkov 2015, equation (4.3), corrected.

use expr::Expr;

use crate::form::{Form, FormError, Reaction};
use crate::ingredients::{Ingredients, dot};
use crate::steps::{Step, Steps};

/// The closed system (1), and the reactions (3).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_linear_accelerations()?;
    if given.rows.list.is_empty() {
        return Err(FormError::NotApplicable("there is no constraint to project on".to_owned()));
    }
    let (metric, rows, B) = (given.metric()?, &given.rows.list, given.reaction_directions()?);
    let inertia: Vec<Expr> = metric.mass.iter().map(|row| dot(row, &given.q_ddot)).collect();
    let force: Vec<Expr> = given.Q()?.iter().zip(&metric.h).map(|(&Q, &h)| Q - h).collect();
    let transposed = |s: usize, of_rows: &[Expr]| rows.iter().zip(of_rows).map(|(row, &x)| row.A[s] * x).sum::<Expr>();
    let on_rows = |x: &[Expr]| B.iter().map(|B| dot(B, x)).collect::<Vec<_>>();
    let (carried, pushed) = (on_rows(&inertia), on_rows(&force));
    let left_rows: Vec<Expr> =
        rows.iter().zip(&carried).map(|(row, &carried)| dot(&row.A, &given.q_ddot) - carried).collect();
    let right_rows: Vec<Expr> = rows.iter().zip(&pushed).map(|(row, &pushed)| -row.drift - pushed).collect();
    let left: Vec<Expr> = (0..inertia.len()).map(|s| inertia[s] + transposed(s, &left_rows)).collect();
    let right: Vec<Expr> = (0..force.len()).map(|s| force[s] + transposed(s, &right_rows)).collect();
    show.matrix("The mass matrix", "M", "M = ∂²T/∂q'∂q'", &metric.mass);
    show.each("Forces, less what T leaves beside M q''", "(Q − h)[#]", "", &given.q, &force);
    show.gradients(given, "A q'' + a0 = 0");
    show.matrix("Accelerations for each row that change it by one: a row for each constraint", "Bᵀ", "A B = 1", &B);
    show.add(|| Ok(projector(rows, &B)))?;
    show.balance("(1)", &given.q, &[("((E + AᵀA) q'')[#]", &left)], &[("(F − Aᵀ a0)[#]", &right)]);
    let form = Form::in_coordinates(given, &left, &right)?;
    let values: Vec<Expr> = carried.iter().zip(&pushed).map(|(&carried, &pushed)| carried - pushed).collect();
    let values = given.thawed(&values)?;
    let reaction =
        |(row, value): (&crate::rows::Row, Expr)| Reaction { name: row.name.clone(), lambda: row.lambda, value };
    let reactions: Vec<Reaction> = rows.iter().zip(values).map(reaction).collect();
    let named = reactions.iter().map(|one| (one.lambda.to_string(), one.value));
    show.add(|| Ok(Step::values("The reactions", "Λ", "(3)", named)))?;
    Ok(Form { conditions: Vec::new(), reactions, ..form })
}

/// Π (2).
fn projector(rows: &[crate::rows::Row], B: &[Vec<Expr>]) -> Step {
    let n = B[0].len();
    let unit = |s: usize, k: usize| if s == k { Expr::one() } else { Expr::zero() };
    let entry = |s: usize, k: usize| unit(s, k) - rows.iter().zip(B).map(|(row, B)| row.A[s] * B[k]).sum::<Expr>();
    let matrix = (0..n).map(|s| (0..n).map(|k| entry(s, k)).collect()).collect();
    Step::matrix("The projector", "Π", "(2)", matrix)
}

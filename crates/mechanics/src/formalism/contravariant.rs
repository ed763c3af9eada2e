//! Lagrange's equations in contravariant form: solved for the accelerations by the metric.
//!
//! ```text
//! q''^σ = Q^σ + Λ_κ a^κσ − Γ^σ_αβ x'^α x'^β          x = (q, t)                       (1)
//! A^κκ' Λ_κ' = B^κ                                   A^κκ' = a^κ_σ a^κ'σ              (2)
//! B^κ = a^κ_σ Γ^σ_αβ x'^α x'^β − a^κ_σ Q^σ − a^κ_0                                    (3)
//! ```
//!
//! Indices are raised by the inverse of the mass matrix: the block of the coordinates alone, while α and
//! β also take the value of time. (2) gives the reactions by themselves, and (1) then every acceleration.
//! The total mass, which the source takes out of the metric, is left in it.
//!
//! Class: constraints of every class, time-dependent ones and variable mass included.
//!
//! History: G. Ricci and T. Levi-Civita wrote dynamics in their absolute calculus in 1900. Zegzhda, Yushkov and
//! coauthors extended it to constraints of second order, to compare it with Udwadia and Kalaba's.
//!
//! Source: Zegzhda, Naumova, Soltakhanov and Yushkov 2015, equations (3.4), (4.1), (4.2).

use expr::Expr;

use crate::form::{Condition, Form, FormError};
use crate::ingredients::{Ingredients, dot, inverse_times};
use crate::steps::{Line, Step, Steps, Terms, solution};

/// The accelerations (1), and the reactions (2).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_linear_accelerations()?;
    let (metric, rows) = (given.metric()?, &given.rows.list);
    let mut covariant = vec![given.Q()?.clone(), metric.h.clone()];
    covariant.extend(rows.iter().map(|row| row.A.clone()));
    let mut raised = inverse_times(&metric.mass, &covariant, given.at)
        .map_err(|error| FormError::NotApplicable(format!("the mass matrix has no inverse: {error}")))?;
    let a = raised.split_off(2);
    let (Q, gamma) = (&raised[0], &raised[1]);
    show.matrix("The metric", "g", "T = ½ g_αβ x'^α x'^β", &metric.mass);
    show.each(
        "Christoffel's symbols of the first kind, on the motion",
        "Γ[#]",
        "Γ_ρ = Γ_ρ,αβ x'^α x'^β",
        &given.q,
        &metric.h,
    );
    show.each("The same, raised", "Γ^[#]", "Γ^σ = g^σρ Γ_ρ", &given.q, gamma);
    show.coordinate_forces(given)?;
    show.each("Forces, raised", "Q^[#]", "Q^σ = g^σρ Q_ρ", &given.q, Q);
    show.gradients(given, "a^κ_σ q''^σ + a^κ_0 = 0");
    let reaction = |s: usize| rows.iter().zip(&a).map(move |(row, a)| row.lambda * a[s]);
    let right: Vec<Expr> = (0..given.q.len()).map(|s| [Q[s], -gamma[s]].into_iter().chain(reaction(s)).sum()).collect();
    let pushes: Vec<Expr> = (0..given.q.len()).map(|s| reaction(s).sum()).collect();
    let form = Form::in_coordinates(given, &given.q_ddot, &right)?;
    let multiplied = |row: &[Expr]| rows.iter().zip(&a).map(|(other, a)| dot(row, a) * other.lambda).sum::<Expr>();
    let of_row = rows.iter().map(|row| multiplied(&row.A) - (dot(&row.A, gamma) - dot(&row.A, Q) - row.drift));
    let of_row = given.thawed(&of_row.collect::<Vec<_>>())?;
    show.add(|| Ok(for_multipliers(given, &a, Q, gamma)))?;
    let terms: &[Terms<'_>] = &[("Q^[#]", Q), ("− Γ^[#]", gamma), ("+ Σ Λ a[#]", &pushes)];
    show.balance("(1)", &given.q, &[("#''", &given.q_ddot)], if rows.is_empty() { &terms[..2] } else { terms });
    let conditions =
        rows.iter().zip(of_row).map(|(row, condition)| Condition { name: row.name.clone(), row: condition });
    Ok(Form { conditions: conditions.collect(), multipliers: rows.iter().map(|row| row.lambda).collect(), ..form })
}

/// A and B of the equations (2) for the reactions, and their solution if there are few.
fn for_multipliers(given: &Ingredients<'_>, a: &[Vec<Expr>], Q: &[Expr], gamma: &[Expr]) -> Step {
    let rows = &given.rows.list;
    let matrix: Vec<Vec<Expr>> = rows.iter().map(|row| a.iter().map(|a| dot(&row.A, a)).collect()).collect();
    let B: Vec<Expr> = rows.iter().map(|row| dot(&row.A, gamma) - dot(&row.A, Q) - row.drift).collect();
    let mut lines = vec![Line::Matrix { name: "A^κκ'".to_owned(), rows: matrix.clone() }];
    let named = rows.iter().zip(&B);
    lines.extend(named.map(|(row, &value)| Line::Value { name: format!("B[{}]", row.name), value }));
    lines.extend(solution(given, &matrix, &B));
    if rows.is_empty() {
        lines = vec![Line::Words("there is no constraint, and no reaction".to_owned())];
    }
    Step { title: "The equations for the reactions", name: "Λ".to_owned(), formula: "(2)", lines }
}

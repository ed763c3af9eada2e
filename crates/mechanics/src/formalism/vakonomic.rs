//! The vakonomic equations: an integral made stationary with the constraints inside it. The stranger among the forms.
//!
//! ```text
//! δ ∫ (T + Σ μ f) dt + ∫ Σ Q δq dt = 0         f(q, q', t) = 0, also for the varied motions        (1)
//! E_s = Q_s + Σ λ ∂f/∂q'_s − Σ μ (d/dt ∂f/∂q'_s − ∂f/∂q_s)        λ = −μ'                          (2)
//! ```
//!
//! The other forms admit virtual displacements; (1) admits varied motions. They agree exactly when the
//! bracket in (2) vanishes, for geometric constraints f = d/dt g; elsewhere μ is a part of the state
//! that no measurement of positions and velocities gives. It stands outside every table of agreement.
//!
//! Class: constraints of first order and geometric ones; it is mechanics for the latter alone.
//!
//! History: V. V. Kozlov developed it from 1982 on and coined the name for mechanics of variational axiomatic
//! kind. Lewis and Murray found in 1995 that a ball on a turning table does not move so.
//!
//! Source: V. V. Kozlov, Vestn. Mosk. Univ., Ser. Mat. Mekh., 1982 and 1983.

use expr::{Expr, Kind, Symbol};

use crate::form::{Form, FormError, Remark};
use crate::ingredients::Ingredients;
use crate::rows::Row;
use crate::steps::{Step, Steps};

/// The vakonomic equations (2).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_first_order()?;
    let mut right = given.Q()?.clone();
    let mut remarks = Vec::new();
    for row in given.rows.of_velocity() {
        let f = row.velocity.unwrap_or(row.f);
        let mu = mu(row);
        let (steep, slopes) = (expr::gradient(f, &given.q_dot)?, expr::gradient(f, &given.q)?);
        let mut strange = false;
        for (s, (steep, slope)) in steep.into_iter().zip(slopes).enumerate() {
            let bracket = expr::total_derivative(steep)? - slope;
            if !bracket.is_zero() {
                right[s] -= mu * bracket;
                strange = true;
            }
        }
        if strange {
            remarks.push(Remark { what: format!("d/dt {mu}"), value: -row.lambda });
        }
    }
    let (E, Q) = (given.E()?, given.Q()?);
    show.add(|| extended(given))?;
    show.lagrange_operator(given)?;
    show.coordinate_forces(given)?;
    let strange: Vec<Expr> = right.iter().zip(Q).map(|(&right, &Q)| Q - right).collect();
    let formula = "Y_s = Σ μ (d/dt ∂f/∂q'_s − ∂f/∂q_s)";
    show.each("What the other forms do not have", "Y[#]", formula, &given.q, &strange);
    show.balance_with_multipliers("(2)", given, &[("E[#]", E)], &[("Q[#]", Q), ("− Y[#]", &strange)]);
    let form = Form::with_multipliers(given, E, &right)?;
    Ok(Form { remarks, ..form })
}

/// The multiplier of a row under the integral (1).
fn mu(row: &Row) -> Expr {
    expr::symbol(Symbol::new(&format!("mu_{}", row.name.replace('.', "_")), Kind::Multiplier))
}

/// The extended function under the integral (1).
fn extended(given: &Ingredients<'_>) -> Result<Step, FormError> {
    let rows = given.rows.of_velocity().map(|row| mu(row) * row.velocity.unwrap_or(row.f));
    let value = given.T()? + rows.sum::<Expr>();
    Ok(Step::of("The extended function, whose integral is stationary", "T + Σ μ f", "(1)", value))
}

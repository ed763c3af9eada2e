//! Kane's equations: generalized active and inertia forces along partial velocities cancel.
//!
//! ```text
//! Σ_s (∂q'_s/∂u_σ) Σ (m a − F)·∂v/∂q'_s + (I α + ω × I ω − M)·∂ω/∂q'_s = 0      σ = 1 … ε      (1)
//! ```
//!
//! Velocities, accelerations and partial velocities are those of the unconstrained system, as functions
//! of the rates; the chart enters by ∂q'/∂u alone, and the rates are put on the constraints at the end.
//!
//! Class: constraints of every class, time-dependent ones and variable mass included.
//!
//! History: published by T. R. Kane in 1961 for nonholonomic systems and made a working method for
//! spacecraft in the years after. Its partial velocities made the projection mechanical enough for programs.
//!
//! Source: Qiu Rong 1997, equation (9); T. R. Kane, J. Appl. Mech. 28 (1961) 574–578.

use crate::form::{Form, FormError};
use crate::ingredients::{Ingredients, inertia_pairs};
use crate::steps::{Line, Step, Steps};

/// Kane's equations (1).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_particles()?;
    let free = given.free()?;
    let chart = given.chart()?;
    show.velocities(given, free, ["v", "ω"]);
    show.partial_velocities(given, free, &given.q_dot, ["v", "ω"])?;
    show.accelerations(given, free, &expr::total_derivative, ["a", "α"])?;
    let inertia = expr::pullback(&inertia_pairs(free, &expr::total_derivative)?, &given.q_dot)?;
    let active = expr::pullback(&free.pairs(), &given.q_dot)?;
    let sum = "I_s = Σ m a·∂v/∂q'_s + (I α + ω × I ω)·∂ω/∂q'_s";
    show.each("Generalized inertia forces of the coordinates, against the motion", "I[#]", sum, &given.q, &inertia);
    show.coordinate_forces(given)?;
    show.rates(given)?;
    if chart.rates != given.q_dot {
        show.add(|| partials(given))?;
    }
    let (left, right) = (given.projected(&inertia)?, given.projected(&active)?);
    show.balance("(1)", &chart.w, &[("Σ I ∂q'/∂%", &left)], &[("Σ Q ∂q'/∂%", &right)]);
    Form::in_chart(given, &left, &right)
}

/// ∂q'_s/∂u_σ, by which the partial velocities of the speeds follow from those of the rates.
fn partials(given: &Ingredients<'_>) -> Result<Step, FormError> {
    let (u, rows) = (&given.chart()?.u, given.partials()?);
    let of_row = |(rate, row): (&expr::Expr, &Vec<expr::Expr>)| {
        let entries = u.iter().zip(row).filter(|(_, entry)| !entry.is_zero());
        entries.map(|(u, &value)| Line::Value { name: format!("∂{rate}/∂{u}"), value }).collect::<Vec<_>>()
    };
    let lines = given.q_dot.iter().zip(rows).flat_map(of_row).collect();
    let formula = "∂v/∂u_σ = Σ_s (∂q'_s/∂u_σ) ∂v/∂q'_s";
    Ok(Step {
        title: "From rates to speeds (entries left out are zero)", name: "∂q'/∂u".to_owned(), formula, lines
    })
}

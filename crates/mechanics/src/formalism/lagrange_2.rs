//! Lagrange's equations of the second kind: the rate of each momentum, less what position contributes, is the force.
//!
//! ```text
//! d/dt ∂T/∂q'_s − ∂T/∂q_s = Q_s           s = 1 … n        (1)
//! ```
//!
//! The coordinates are minimal: every constraint is built into them, and no reaction appears.
//!
//! Class: holonomic systems in minimal coordinates, time-dependent ones and variable mass included.
//!
//! History: the core of Lagrange's Mécanique analytique (1788), which has no figures. Until Hertz (1894)
//! named the nonholonomic systems, many believed that it covers everything.
//!
//! Source: J. L. Lagrange, Mécanique analytique, Paris 1788, part 2, section 4.

use crate::balance::potential_energy;
use crate::form::{Form, FormError};
use crate::ingredients::Ingredients;
use crate::steps::{Line, Step, Steps, values_of};

/// Lagrange's equations of the second kind (1).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    if let Some(row) = given.rows.list.first() {
        return Err(FormError::NotApplicable(format!(
            "its coordinates must be free, and the constraint `{}` ties them",
            row.name
        )));
    }
    let (E, Q) = (given.E()?, given.Q()?);
    show.lagrangian(given)?;
    show.lagrange_operator(given)?;
    show.add(|| split(given))?;
    show.balance("(1)", &given.q, &[("E[#]", E)], &[("Q[#]", Q)]);
    Form::in_coordinates(given, E, Q)
}

/// Q, and what of it comes from the potential.
fn split(given: &Ingredients<'_>) -> Result<Step, FormError> {
    let slopes = expr::gradient(potential_energy(given.system)?, &given.q)?;
    let mut lines = values_of("Q[#]", &given.q, given.Q()?);
    for ((q, &Q), &slope) in given.q.iter().zip(given.Q()?).zip(&slopes).filter(|(_, slope)| !slope.is_zero()) {
        let rest = given.thawed(&[Q + slope])?[0];
        lines.push(match rest.is_zero() {
            true => Line::Same { name: format!("Q[{q}] = −∂V/∂{q}"), value: -slope, difference: rest },
            false => Line::Value { name: format!("Q[{q}] + ∂V/∂{q}"), value: rest },
        });
    }
    let formula = "Q_s = Σ F·∂v/∂q'_s + M·∂ω/∂q'_s";
    Ok(Step { title: "Generalized forces", name: "Q".to_owned(), formula, lines })
}

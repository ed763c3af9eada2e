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

use crate::form::{Form, FormError};
use crate::ingredients::Ingredients;

/// Lagrange's equations of the second kind (1).
pub fn derive(given: &Ingredients<'_>) -> Result<Form, FormError> {
    if let Some(row) = given.rows.list.first() {
        return Err(FormError::NotApplicable(format!(
            "its coordinates must be free, and the constraint `{}` ties them",
            row.name
        )));
    }
    Form::in_coordinates(given, given.E()?, given.Q()?)
}

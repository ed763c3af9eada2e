//! Lagrange's equations with multipliers: the reaction of each constraint along its gradient.
//!
//! ```text
//! d/dt ∂T/∂q'_s − ∂T/∂q_s = Q_s + Σ_κ λ_κ ∂f_κ/∂q''_s        s = 1 … n        (1)
//! A q'' + a0 = 0                                             the rows          (2)
//! ```
//!
//! A geometric row enters differentiated twice, a row of first order once, and a row of second
//! order as it is: ∂f/∂q = ∂f'/∂q' = ∂f''/∂q''. It gives the accelerations and all reactions, and needs
//! no choice of independent velocities.
//!
//! Class: constraints of every class, time-dependent ones and variable mass included.
//!
//! History: Lagrange had it for geometric constraints; Ferrers (1873) and Routh used it for rolling.
//! Zegzhda, Yushkov and coauthors extended it to constraints of second order.
//!
//! Source: Zegzhda, Naumova, Soltakhanov and Yushkov 2015, equation (3.1).

use crate::form::{Form, FormError};
use crate::ingredients::Ingredients;
use crate::steps::Steps;

/// Lagrange's equations (1) with the rows (2).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    let (E, Q) = (given.E()?, given.Q()?);
    show.kinetic("T", given.T()?);
    show.lagrange_operator(given)?;
    show.coordinate_forces(given)?;
    show.gradients(given, "A = ∂f/∂q (∂f/∂q', ∂f/∂q''),   A q'' + a0 = 0");
    show.by_metric(given)?;
    show.balance_with_multipliers("(1)", given, &[("E[#]", E)], &[("Q[#]", Q)]);
    Form::with_multipliers(given, E, Q)
}

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

use expr::Expr;

use crate::form::{Form, FormError};
use crate::ingredients::{Ingredients, inertia_pairs};

/// Kane's equations (1).
pub fn derive(given: &Ingredients<'_>) -> Result<Form, FormError> {
    given.need_particles()?;
    let free = given.free()?;
    let partial = |pairs: &[(Expr, Expr)]| expr::pullback(pairs, &given.q_dot);
    let inertia = partial(&inertia_pairs(free, &expr::total_derivative)?)?;
    let active = partial(&free.pairs())?;
    Form::in_chart(given, &given.projected(&inertia)?, &given.projected(&active)?)
}

//! The fundamental equation: forces and inertia forces do no work on any velocity that the constraints admit.
//!
//! ```text
//! Σ (m ã − F)·∂ṽ/∂u_σ + (I α̃ + ω̃ × I ω̃ − M)·∂ω̃/∂u_σ = 0        σ = 1 … ε        (1)
//! ```
//!
//! ṽ(q, u, t) are velocities with the constraints built in and ã = dṽ/dt, so every term is a function
//! of the chart from the start; where rows are of second order, ∂ã/∂w takes the place of ∂ṽ/∂u.
//!
//! Class: constraints of every class, time-dependent ones and variable mass included.
//!
//! History: d'Alembert's principle in the form that Jourdain (1909) gave it, as an equation for each
//! independent quasi-velocity. Qiu Rong carried it to nonlinear constraints and variable mass.
//!
//! Source: Qiu Rong 1997, equation (5).

use crate::form::{Form, FormError};
use crate::ingredients::{Ingredients, inertia_pairs};

/// The fundamental equation (1).
pub fn derive(given: &Ingredients<'_>) -> Result<Form, FormError> {
    given.need_particles()?;
    let chart = given.chart()?;
    let pairs = inertia_pairs(given.charted()?, &|e| chart.flow.rate(e))?;
    let inertia = expr::pullback(&pairs, &chart.u)?;
    Form::in_chart(given, &given.on_free(&inertia)?, &given.P_star()?)
}

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
use crate::steps::Steps;

/// The fundamental equation (1).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_particles()?;
    let chart = given.chart()?;
    let (moving, d_dt) = (given.charted()?, |e| chart.flow.rate(e));
    show.rates(given)?;
    show.velocities(given, moving, ["ṽ", "ω̃"]);
    show.partial_velocities(given, moving, &chart.u, ["ṽ", "ω̃"])?;
    show.accelerations(given, moving, &d_dt, ["ã", "α̃"])?;
    show.moments(given, moving, &d_dt, "K' = I α̃ + ω̃ × I ω̃")?;
    let inertia = given.on_free(&expr::pullback(&inertia_pairs(moving, &d_dt)?, &chart.u)?)?;
    let sum = "I_σ = Σ m ã·∂ṽ/∂u_σ + K'·∂ω̃/∂u_σ";
    show.each("Generalized inertia forces, against the motion", "I[%]", sum, &chart.w, &inertia);
    show.chart_forces(given)?;
    let P = given.P_star()?;
    show.balance("(1)", &chart.w, &[("I[%]", &inertia)], &[("P*[%]", &P)]);
    Form::in_chart(given, &inertia, &P)
}

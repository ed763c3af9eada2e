//! Tzenoff's equations: the slope of the second derivative of the kinetic energy, less what position contributes.
//!
//! ```text
//! ∂R₁/∂w_σ = P*_σ                            σ = 1 … ε                          (1)
//! R  = ½ (T'' − 3 T0'')                      R₁ = R with q', q'' of the chart   (2)
//! T0 = T with the rates in it frozen         T0'' along the motion              (3)
//! ```
//!
//! R differs from the acceleration energy by terms free of accelerations, yet it is made from T alone.
//! T'' contains q''': it is not eliminated, or (1) would be wrong by ½ Σ p ∂q'''/∂q''. The rates in
//! T0 stand still while it is differentiated, and are given their values afterwards.
//!
//! Class: constraints of every class, time-dependent ones and variable mass included.
//!
//! History: I. Tzenoff of Sofia published it in 1953, for holonomic and for linear nonholonomic systems. The
//! printed formulas have lost several dots, T0 for T0'' among them.
//!
//! Source: Tzenoff 1953, equations (8) to (15).

use expr::{Expr, total_derivative};

use crate::form::{Form, FormError};
use crate::ingredients::Ingredients;

/// Tzenoff's equations (1).
pub fn derive(given: &Ingredients<'_>) -> Result<Form, FormError> {
    let (T, (T0, frozen)) = (given.T()?, given.T_frozen()?);
    let R = expr::rational(1, 2) * (twice(T)? - 3 * twice(T0)?);
    let reduced = given.on_shell(&[R])?[0];
    let slopes = expr::gradient(reduced, &given.chart()?.w)?;
    Form::in_chart(given, &expr::substitute(&slopes, &frozen)?, &given.P_star()?)
}

/// The second derivative along the motion.
fn twice(e: Expr) -> Result<Expr, FormError> {
    Ok(total_derivative(total_derivative(e)?)?)
}

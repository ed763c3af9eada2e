//! Qiu's equations (32): the slope of the rate of energy, with the unreduced energy for what position contributes.
//!
//! ```text
//! ∂T*'/∂u_σ − 2 Σ_s (∂T/∂q_s) ∂β_s/∂u_σ − Σ_s p_s ∂q''_s/∂u_σ = P*_σ        σ = 1 … ε        (1)
//! ```
//!
//! T*' is dT/dt with the rates and accelerations of the chart; ∂T/∂q and p = ∂T/∂q' are taken from the
//! unreduced T and put on the constraints afterwards. The masses are frozen.
//!
//! Class: constraints of first order, nonlinear and time-dependent ones and variable mass included.
//!
//! History: Qiu Rong published it in 1997 as one of two new forms. In the print ∂T*/∂u stands for ∂T*'/∂u, and
//! q' for q'' in the last sum.
//!
//! Source: Qiu Rong 1997, equation (32).

use expr::Expr;

use crate::form::{Form, FormError};
use crate::ingredients::Ingredients;

/// Qiu's equations (1).
pub fn derive(given: &Ingredients<'_>) -> Result<Form, FormError> {
    given.need_first_order()?;
    let (chart, T, p) = (given.chart()?, given.T()?, given.p_star()?);
    let rate = given.on_shell(&[expr::total_derivative(T)?])?[0];
    let of_rate = expr::gradient(rate, &chart.u)?;
    let position = given.along_chart(&given.on_shell(&expr::gradient(T, &given.q)?)?)?;
    let weighted: Vec<(Expr, Expr)> = chart.accelerations.iter().copied().zip(p.iter().copied()).collect();
    let of_accelerations = expr::pullback(&weighted, &chart.u)?;
    let each = of_rate.into_iter().zip(position).zip(of_accelerations);
    let left: Vec<Expr> = each.map(|((rate, position), bent)| rate - 2 * position - bent).collect();
    Form::in_chart(given, &left, &given.P_star()?)
}

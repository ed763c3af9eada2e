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
use crate::steps::{Steps, Terms};

/// Qiu's equations (1).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_first_order()?;
    let (chart, T, p) = (given.chart()?, given.T()?, given.p_star()?);
    let rate = given.on_shell(&[expr::total_derivative(T)?])?[0];
    let of_rate = expr::gradient(rate, &chart.u)?;
    let position = given.along_chart(&given.on_shell(&expr::gradient(T, &given.q)?)?)?;
    let position: Vec<Expr> = position.into_iter().map(|slope| 2 * slope).collect();
    let weighted: Vec<(Expr, Expr)> = chart.accelerations.iter().copied().zip(p.iter().copied()).collect();
    let of_accelerations = expr::pullback(&weighted, &chart.u)?;
    let P = given.P_star()?;
    show.kinetic("T", T);
    show.rates(given)?;
    show.accelerations_of_chart(given)?;
    show.value("The rate of T, on the constraints", "T*'", "T*' = T' with q', q'' of the chart", rate);
    show.momenta(given)?;
    show.each("Slopes of T by the positions, along the chart", "2 Σ (∂T/∂q) ∂β/∂#", "", &chart.u, &position);
    show.chart_forces(given)?;
    let terms: [Terms<'_>; 3] =
        [("∂T*'/∂#", &of_rate), ("− 2 Σ (∂T/∂q) ∂β/∂#", &position), ("− Σ p ∂q''/∂#", &of_accelerations)];
    show.balance("(1)", &chart.u, &terms, &[("P*[#]", &P)]);
    let each = of_rate.iter().zip(&position).zip(&of_accelerations);
    let left: Vec<Expr> = each.map(|((&rate, &position), &bent)| rate - position - bent).collect();
    Form::in_chart(given, &left, &P)
}

//! Tzenoff's operator on the reduced kinetic energy, with the nonholonomic correction.
//!
//! ```text
//! ½ (∂T*''/∂u'_σ − 3 ∂T*/∂π_σ) − C_σ = P*_σ              σ = 1 … ε        (1)
//! C_σ = Σ_s p_s (d/dt ∂β_s/∂u_σ − ∂β_s/∂π_σ)             p = ∂T/∂q'       (2)
//! ```
//!
//! T*'' is taken along q' = β(q, u, t) with u'' as symbols that stay. The operator equals Lagrange's and
//! Nielsen's on every function; so the constraints may enter T before it acts, if C is paid back.
//! The momenta p are those of the unreduced T.
//!
//! Class: constraints of first order, nonlinear and time-dependent ones and variable mass included.
//!
//! History: Tzenoff applied his operator in 1953 to the unreduced energy only. That it carries over to the
//! reduced energy with the same correction as Chaplygin's is an extension made for this program.
//!
//! Source: Tzenoff 1953, equation (8), with the correction of Qiu Rong 1997, equation (25).

use crate::form::{Form, FormError};
use crate::ingredients::Ingredients;

/// Tzenoff's operator on T*, corrected (1).
pub fn derive(given: &Ingredients<'_>) -> Result<Form, FormError> {
    given.need_first_order()?;
    let (chart, T) = (given.chart()?, given.T_star()?);
    let flow = given.second_flow()?;
    let second = expr::gradient(flow.rate(flow.rate(T)?)?, &chart.u_dot)?;
    let slopes = given.slopes(&[(T, expr::integer(1))])?;
    let half = expr::rational(1, 2);
    let each = second.into_iter().zip(slopes).zip(given.correction()?);
    let left: Vec<_> = each.map(|((second, slope), &C)| half * (second - 3 * slope) - C).collect();
    Form::in_chart(given, &left, &given.P_star()?)
}

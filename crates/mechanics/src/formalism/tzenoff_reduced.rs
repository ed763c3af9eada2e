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
use crate::steps::{Steps, Terms};

/// Tzenoff's operator on T*, corrected (1).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_first_order()?;
    let (chart, T) = (given.chart()?, given.T_star()?);
    let flow = given.second_flow()?;
    let T_2 = flow.rate(flow.rate(T)?)?;
    let half = expr::rational(1, 2);
    let second: Vec<_> = expr::gradient(T_2, &chart.u_dot)?.into_iter().map(|slope| half * slope).collect();
    let slopes: Vec<_> =
        given.slopes(&[(T, expr::integer(1))])?.into_iter().map(|slope| expr::rational(3, 2) * slope).collect();
    let (C, P) = (given.correction()?, given.P_star()?);
    show.rates(given)?;
    show.kinetic("T*", T);
    show.value("Its second derivative along the chart", "T*''", "", T_2);
    show.each("Its slopes by the accelerations, halved", "½ ∂T*''/∂#", "", &chart.u_dot, &second);
    show.momenta(given)?;
    show.each("The nonholonomic correction", "C[#]", "(2)", &chart.u, C);
    show.chart_forces(given)?;
    let terms: [Terms<'_>; 3] = [("½ ∂T*''/∂#'", &second), ("− ³⁄₂ ∂T*/∂π[#]", &slopes), ("− C[#]", C)];
    show.balance("(1)", &chart.u, &terms, &[("P*[#]", &P)]);
    let each = second.iter().zip(&slopes).zip(C);
    let left: Vec<_> = each.map(|((&second, &slope), &C)| second - slope - C).collect();
    Form::in_chart(given, &left, &P)
}

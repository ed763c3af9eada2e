//! Chaplygin's equations for nonlinear constraints: Lagrange's operator on the reduced energy, corrected.
//!
//! ```text
//! d/dt ∂T*/∂u_σ − ∂T*/∂π_σ − C_σ = P*_σ                  σ = 1 … ε        (1)
//! C_σ = Σ_s p_s (d/dt ∂β_s/∂u_σ − ∂β_s/∂π_σ)             p = ∂T/∂q'       (2)
//! ```
//!
//! The constraints enter T early, but p are the momenta of the unreduced T and are put on the
//! constraints afterwards. To drop C is the classical error; it is zero in a holonomic chart.
//!
//! Class: constraints of first order, nonlinear and time-dependent ones and variable mass included.
//!
//! History: Chaplygin's equations were carried to nonlinear constraints by several authors in the twentieth
//! century. Qiu Rong gave them in 1997 with quasi-velocities and variable mass, as equation (25).
//!
//! Source: Qiu Rong 1997, equation (25).

use crate::form::{Form, FormError};
use crate::ingredients::Ingredients;
use crate::steps::{Steps, Terms};

/// Chaplygin's equations in any chart (1).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_first_order()?;
    let (chart, T) = (given.chart()?, given.T_star()?);
    let momenta = expr::gradient(T, &chart.u)?;
    let slopes = given.slopes(&[(T, expr::integer(1))])?;
    let rates = momenta.iter().map(|&momentum| chart.flow.rate(momentum)).collect::<Result<Vec<_>, _>>()?;
    let (C, P) = (given.correction()?, given.P_star()?);
    show.rates(given)?;
    show.kinetic("T*", T);
    show.each("Its momenta", "∂T*/∂#", "", &chart.u, &momenta);
    show.each("Its slopes along the chart", "∂T*/∂π[#]", "∂T*/∂π_σ = Σ_s (∂β_s/∂u_σ) ∂T*/∂q_s", &chart.u, &slopes);
    show.momenta(given)?;
    show.each("The nonholonomic correction", "C[#]", "(2)", &chart.u, C);
    show.chart_forces(given)?;
    let terms: [Terms<'_>; 3] = [("d/dt ∂T*/∂#", &rates), ("− ∂T*/∂π[#]", &slopes), ("− C[#]", C)];
    show.balance("(1)", &chart.u, &terms, &[("P*[#]", &P)]);
    let each = rates.iter().zip(&slopes).zip(C);
    let left: Vec<_> = each.map(|((&rate, &slope), &C)| rate - slope - C).collect();
    Form::in_chart(given, &left, &P)
}

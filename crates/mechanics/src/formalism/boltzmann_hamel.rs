//! The Boltzmann–Hamel equations: momenta of all quasi-velocities and the curl of their definitions.
//!
//! ```text
//! d/dt P_σ − ∂T^f/∂π_σ + Σ_k Σ_s P_k (d/dt ∂π_k/∂q'_s − ∂π_k/∂q_s) ∂β_s/∂u_σ = P*_σ      σ = 1 … ε      (1)
//! P_k = ∂T^f/∂π_k                    k = 1 … n, the quasi-velocities of the rows included               (2)
//! ```
//!
//! π_k(q, q', t) are the definitions of the speeds and the left sides of the rows; T^f has all of them
//! free, and P_k is put on the rows afterwards. The bracket belongs to the definitions, while
//! Chaplygin's belongs to their inverse: the pair checks a chart.
//!
//! Class: constraints of first order, nonlinear and time-dependent ones and variable mass included.
//!
//! History: L. Boltzmann (1902) and G. Hamel (1904) found the linear case independently. Qiu Rong wrote the
//! nonlinear one in 1997 as equation (28).
//!
//! Source: Qiu Rong 1997, equation (28); L. Boltzmann, Sitzungsber. Akad. Wiss. Wien 111 (1902) 1603–1614.

use expr::{Expr, Substitution};

use crate::form::{Form, FormError};
use crate::ingredients::Ingredients;
use crate::steps::{Steps, Terms};

/// The Boltzmann–Hamel equations (1).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_first_order()?;
    let (chart, T) = (given.chart()?, given.T_full()?);
    let quasi: Vec<Expr> = chart.u.iter().chain(&chart.c).copied().collect();
    let on_rows: Substitution = chart.c.iter().map(|&c| (c, Expr::zero())).collect();
    let P = on_rows.apply(&expr::gradient(T, &quasi)?)?;
    let slopes = on_rows.apply(&expr::gradient(T, &given.q)?)?;
    // Σ_k P_k (d/dt ∂π_k/∂q'_s − ∂π_k/∂q_s) and ∂T^f/∂q_s, then along the chart
    let weighted: Vec<(Expr, Expr)> = chart.forward.iter().copied().zip(P.iter().copied()).collect();
    let across = expr::pullback(&weighted, &given.q)?;
    let partials = expr::jacobian(&chart.forward, &given.q_dot)?;
    let (mut bracket, mut position) = (Vec::with_capacity(given.q.len()), Vec::with_capacity(given.q.len()));
    for (s, (&across, &slope)) in across.iter().zip(&slopes).enumerate() {
        let mut terms = vec![-across];
        position.push(slope);
        for (&P, row) in P.iter().zip(&partials) {
            terms.push(P * expr::total_derivative(row[s])?);
        }
        bracket.push(terms.into_iter().sum());
    }
    let curl = given.along_chart(&given.on_shell(&bracket)?)?;
    let slopes = given.along_chart(&given.on_shell(&position)?)?;
    let rates = P[..curl.len()].iter().map(|&P| chart.flow.rate(P)).collect::<Result<Vec<_>, _>>()?;
    show.each(
        "Definitions of the quasi-velocities, those of the rows last",
        "π[#]",
        "π_k = π_k(q, q', t)",
        &quasi,
        &chart.forward,
    );
    show.rates(given)?;
    show.kinetic("T^f", T);
    show.each("Momenta of all quasi-velocities, on the rows", "P[#]", "(2)", &quasi, &P);
    let formula = "J_s = Σ_k P_k (d/dt ∂π_k/∂q'_s − ∂π_k/∂q_s)";
    show.each("The curl of the definitions, weighed by the momenta", "J[#]", formula, &given.q, &bracket);
    show.each("The same along the chart", "J*[#]", "J*_σ = Σ_s J_s ∂β_s/∂u_σ", &chart.u, &curl);
    show.chart_forces(given)?;
    let force = given.P_star()?;
    let terms: [Terms<'_>; 3] = [("d/dt P[#]", &rates), ("− ∂T^f/∂π[#]", &slopes), ("+ J*[#]", &curl)];
    show.balance("(1)", &chart.u, &terms, &[("P*[#]", &force)]);
    let left: Vec<Expr> = (0..rates.len()).map(|k| rates[k] - slopes[k] + curl[k]).collect();
    Form::in_chart(given, &left, &force)
}

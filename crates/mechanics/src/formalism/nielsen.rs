//! Nielsen's equations: the slope of the rate of the reduced energy, corrected.
//!
//! ```text
//! ∂T*'/∂u_σ − 2 ∂T*/∂π_σ − Σ_s p_s (∂q''_s/∂u_σ − 2 ∂β_s/∂π_σ) = P*_σ        σ = 1 … ε        (1)
//! q'' = ∂β/∂q β + ∂β/∂u u' + ∂β/∂t                                                            (2)
//! ```
//!
//! T*' = dT*/dt along q' = β(q, u, t), a function of q, u, u', t. The masses are frozen in it. In
//! coordinates that are free (1) is ∂T'/∂q' − 2 ∂T/∂q = Q.
//!
//! Class: constraints of first order, nonlinear and time-dependent ones and variable mass included.
//!
//! History: Jakob Nielsen gave the form without constraints in his lectures on mechanics (1935). Qiu Rong
//! extended it in 1997 to nonlinear constraints.
//!
//! Source: J. Nielsen, Vorlesungen über elementare Mechanik, Berlin 1935; Qiu Rong 1997, equation (23).

use expr::Expr;

use crate::form::{Form, FormError};
use crate::ingredients::Ingredients;
use crate::steps::{Steps, Terms};

/// Nielsen's equations (1).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_first_order()?;
    let (chart, T, p) = (given.chart()?, given.T_star()?, given.p_star()?);
    let with_p = |list: &[Expr]| list.iter().copied().zip(p.iter().copied()).collect::<Vec<_>>();
    let rate = chart.flow.rate(T)?;
    let of_rate = expr::gradient(rate, &chart.u)?;
    let of_accelerations = expr::pullback(&with_p(&chart.accelerations), &chart.u)?;
    // ∂T*/∂π − Σ p ∂β/∂π, in one pass
    let mut weighted: Vec<(Expr, Expr)> = with_p(&chart.rates).into_iter().map(|(rate, p)| (rate, -p)).collect();
    weighted.push((T, Expr::one()));
    let slopes: Vec<Expr> = given.slopes(&weighted)?.into_iter().map(|slope| 2 * slope).collect();
    let P = given.P_star()?;
    show.rates(given)?;
    show.kinetic("T*", T);
    show.value("Its rate along the chart", "T*'", "", rate);
    show.each("Slopes of the rate", "∂T*'/∂#", "", &chart.u, &of_rate);
    show.momenta(given)?;
    show.accelerations_of_chart(given)?;
    show.each("What the accelerations add", "Σ p ∂q''/∂#", "", &chart.u, &of_accelerations);
    show.chart_forces(given)?;
    let on_positions = "− 2 (∂T*/∂π[#] − Σ p ∂β/∂π[#])";
    let terms: [Terms<'_>; 3] = [("∂T*'/∂#", &of_rate), ("− Σ p ∂q''/∂#", &of_accelerations), (on_positions, &slopes)];
    show.balance("(1)", &chart.u, &terms, &[("P*[#]", &P)]);
    let each = of_rate.iter().zip(&of_accelerations).zip(&slopes);
    let left: Vec<Expr> = each.map(|((&rate, &bent), &slope)| rate - bent - slope).collect();
    Form::in_chart(given, &left, &P)
}

//! Qiu's equations (31): the rate of the reduced momentum, less the momenta on the rates of partial velocities.
//!
//! ```text
//! d/dt ∂T*/∂u_σ − Σ m ṽ·d/dt ∂ṽ/∂u_σ = P*_σ                     σ = 1 … ε        (1)
//! body: h·(W' + ω_f × W) is added to the sum, W = ∂ω̃/∂u_σ, h = Iω̃                 (2)
//! ```
//!
//! Nothing but restricted velocities is needed, and no derivative with respect to position. Along
//! axes that turn with ω_f the derivative of a partial velocity gets ω_f ×, as in (2). The masses are frozen.
//!
//! Class: constraints of first order, nonlinear and time-dependent ones and variable mass included.
//!
//! History: Qiu Rong published it in 1997 as one of two new forms. For constraints linear in the velocities and
//! without time it is Volterra's of 1898.
//!
//! Source: Qiu Rong 1997, equation (31).

use expr::Expr;

use crate::Vector;
use crate::form::{Form, FormError};
use crate::ingredients::{Ingredients, element_momenta};
use crate::kinematics::Local;
use crate::steps::{Steps, Terms};

/// Qiu's equations (1).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_particles()?;
    given.need_first_order()?;
    let (chart, moving) = (given.chart()?, element_momenta(given.charted()?));
    let d_dt = |e| chart.flow.rate(e);
    let T = given.T_star()?;
    let momenta = expr::gradient(T, &chart.u)?;
    let (mut rates, mut sums) = (Vec::new(), Vec::new());
    let components: Vec<Expr> = moving.iter().flat_map(|(velocity, _)| velocity.components.0).collect();
    for (&u, &momentum) in chart.u.iter().zip(&momenta) {
        let partial = expr::directional(&components, &[(u, Expr::one())])?;
        let mut sum = Vec::with_capacity(moving.len());
        for (W, (velocity, momentum)) in partial.chunks_exact(3).zip(&moving) {
            let W = Local { components: Vector([W[0], W[1], W[2]]), ..*velocity };
            sum.push(momentum.dot(W.rate(&d_dt)?));
        }
        rates.push(d_dt(momentum)?);
        sums.push(sum.into_iter().sum::<Expr>());
    }
    let P = given.P_star()?;
    show.rates(given)?;
    show.velocities(given, given.charted()?, ["ṽ", "ω̃"]);
    show.partial_velocities(given, given.charted()?, &chart.u, ["ṽ", "ω̃"])?;
    show.kinetic("T*", T);
    show.each("Its momenta", "∂T*/∂#", "", &chart.u, &momenta);
    show.each(
        "Momenta of the masses along the rates of partial velocities",
        "Σ m ṽ·d/dt ∂ṽ/∂#",
        "(2)",
        &chart.u,
        &sums,
    );
    show.chart_forces(given)?;
    let terms: [Terms<'_>; 2] = [("d/dt ∂T*/∂#", &rates), ("− Σ m ṽ·d/dt ∂ṽ/∂#", &sums)];
    show.balance("(1)", &chart.u, &terms, &[("P*[#]", &P)]);
    let left: Vec<Expr> = rates.iter().zip(&sums).map(|(&rate, &sum)| rate - sum).collect();
    Form::in_chart(given, &left, &P)
}

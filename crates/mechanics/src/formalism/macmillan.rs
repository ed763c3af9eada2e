//! MacMillan's equations: Lagrange's operator on the reduced energy, corrected by the restricted velocities.
//!
//! ```text
//! d/dt ∂T*/∂u_σ − ∂T*/∂π_σ − Σ m ṽ·(d/dt ∂ṽ/∂u_σ − ∂ṽ/∂π_σ) = P*_σ         σ = 1 … ε      (1)
//! body: h·(W' + ω_f × W − ∂ω̃/∂π_σ) is added to the sum, W = ∂ω̃/∂u_σ, h = Iω̃                 (2)
//! ```
//!
//! The unreduced energy never appears: T* = ½ Σ m ṽ·ṽ + ½ ω̃·Iω̃. Along axes that turn with ω_f every
//! derivative d/dt of a partial velocity gets ω_f ×, as in (2); ∂/∂π acts on components, since the rest
//! is at right angles to the momentum.
//!
//! Class: constraints of first order, nonlinear and time-dependent ones and variable mass included.
//!
//! History: W. D. MacMillan has it for linear constraints in his Dynamics of Rigid Bodies (1936). Qiu Rong
//! carried it to nonlinear constraints in 1997.
//!
//! Source: W. D. MacMillan, Dynamics of Rigid Bodies, New York 1936; Qiu Rong 1997, equation (30).

use expr::Expr;

use crate::Vector;
use crate::form::{Form, FormError};
use crate::ingredients::{Ingredients, element_momenta};
use crate::steps::{Steps, Terms};

/// MacMillan's equations (1).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_particles()?;
    given.need_first_order()?;
    let (chart, T, partials) = (given.chart()?, given.T_star()?, given.partials()?);
    let d_dt = |e| chart.flow.rate(e);
    let moving = element_momenta(given.charted()?);
    let components: Vec<Expr> = moving.iter().flat_map(|(velocity, _)| velocity.components.0).collect();
    let (momenta, slopes) = (expr::gradient(T, &chart.u)?, given.slopes(&[(T, Expr::one())])?);
    let (mut rates, mut sums) = (Vec::new(), Vec::new());
    for (sigma, &u) in chart.u.iter().enumerate() {
        let partial = expr::directional(&components, &[(u, Expr::one())])?;
        let pi: Vec<(Expr, Expr)> = given.q.iter().zip(partials).map(|(&q, row)| (q, row[sigma])).collect();
        let across = expr::directional(&components, &pi)?;
        let mut sum = Vec::with_capacity(moving.len());
        for (place, (velocity, momentum)) in moving.iter().enumerate() {
            let at = |list: &[Expr]| Vector([0, 1, 2].map(|i| list[3 * place + i]));
            let W = at(&partial);
            let change = W.try_map(d_dt)? + velocity.omega_axes.cross(W);
            sum.push(momentum.dot(change - at(&across)));
        }
        rates.push(d_dt(momenta[sigma])?);
        sums.push(sum.into_iter().sum::<Expr>());
    }
    let P = given.P_star()?;
    show.rates(given)?;
    show.velocities(given, given.charted()?, ["ṽ", "ω̃"]);
    show.partial_velocities(given, given.charted()?, &chart.u, ["ṽ", "ω̃"])?;
    show.kinetic("T*", T);
    show.each("Lagrange's operator on it, the first term", "d/dt ∂T*/∂#", "", &chart.u, &rates);
    show.each("The second term", "∂T*/∂π[#]", "∂T*/∂π_σ = Σ_s (∂β_s/∂u_σ) ∂T*/∂q_s", &chart.u, &slopes);
    let formula = "D_σ = Σ m ṽ·(d/dt ∂ṽ/∂u_σ − ∂ṽ/∂π_σ) + Iω̃·(d/dt ∂ω̃/∂u_σ − ∂ω̃/∂π_σ)";
    show.each("How far the restricted velocities are from derivatives of positions", "D[#]", formula, &chart.u, &sums);
    show.chart_forces(given)?;
    let terms: [Terms<'_>; 3] = [("d/dt ∂T*/∂#", &rates), ("− ∂T*/∂π[#]", &slopes), ("− D[#]", &sums)];
    show.balance("(1)", &chart.u, &terms, &[("P*[#]", &P)]);
    let each = rates.iter().zip(&slopes).zip(&sums);
    let left: Vec<Expr> = each.map(|((&rate, &slope), &sum)| rate - slope - sum).collect();
    Form::in_chart(given, &left, &P)
}

//! Hamel's equations: momenta of all quasi-velocities, coupled by three-index symbols.
//!
//! ```text
//! π_k = Σ a_ks q'_s + a_k0        q'_s = Σ b_sρ u_ρ + b_s0                                        (1)
//! d/dt P_σ − ∂T^f/∂π_σ + Σ_k P_k (Σ_ρ γ^k_ρσ u_ρ + γ^k_0σ) = P*_σ          P_k = ∂T^f/∂π_k        (2)
//! γ^k_ρσ = Σ_sj (∂a_ks/∂q_j − ∂a_kj/∂q_s) b_sσ b_jρ                                               (3)
//! γ^k_0σ = Σ_s [Σ_j (∂a_ks/∂q_j − ∂a_kj/∂q_s) b_j0 + ∂a_ks/∂t − ∂a_k0/∂q_s] b_sσ                  (4)
//! ```
//!
//! k runs over all n quasi-velocities: those of the rows are free in T^f and put to zero after
//! P_k has been made. To put them to zero before loses the reactions' share of the coupling.
//!
//! Class: charts and constraints linear in the rates, affine and time-dependent ones and variable mass included.
//!
//! History: G. Hamel published them in 1904 as the equations of Lagrange and Euler in one. His symbols are the
//! structure constants of a group, where the quasi-velocities come from one.
//!
//! Source: G. Hamel, Z. Math. Phys. 50 (1904) 1–57; Qiu Rong 1997, equation (28), for linear charts.

use expr::{Expr, Substitution};

use crate::form::{Form, FormError, Remark};
use crate::ingredients::{Ingredients, dot};
use crate::steps::{Step, Steps, Terms};

/// Hamel's equations (2).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_first_order()?;
    let chart = given.chart()?;
    if !chart.linear {
        return Err(FormError::NotApplicable("a speed or a constraint is not linear in the rates".to_owned()));
    }
    let T = given.T_full()?;
    let quasi: Vec<Expr> = chart.u.iter().chain(&chart.c).copied().collect();
    let on_rows: Substitution = chart.c.iter().map(|&c| (c, Expr::zero())).collect();
    let P = on_rows.apply(&expr::gradient(T, &quasi)?)?;
    let slopes = given.along_chart(&on_rows.apply(&expr::gradient(T, &given.q)?)?)?;
    let symbols = Symbols::new(given)?;
    let told = symbols.told(&quasi, &chart.u);
    let (mut rates, mut couplings) = (Vec::new(), Vec::new());
    for sigma in 0..chart.u.len() {
        let coupling =
            symbols.gamma.iter().map(|(k, gamma)| P[*k] * (dot(&gamma.of[sigma], &chart.u) + gamma.of_time[sigma]));
        rates.push(chart.flow.rate(P[sigma])?);
        couplings.push(coupling.sum::<Expr>());
    }
    show.rates(given)?;
    show.kinetic("T^f", T);
    show.each("Momenta of all quasi-velocities, on the rows", "P[#]", "P_k = ∂T^f/∂π_k", &quasi, &P);
    show.add(|| Ok(three_indices(&told)))?;
    show.each("What they couple", "G[#]", "G_σ = Σ_k P_k (Σ_ρ γ^k_ρσ u_ρ + γ^k_0σ)", &chart.u, &couplings);
    show.chart_forces(given)?;
    let terms: [Terms<'_>; 3] = [("d/dt P[#]", &rates), ("− ∂T^f/∂π[#]", &slopes), ("+ G[#]", &couplings)];
    let force = given.P_star()?;
    show.balance("(2)", &chart.u, &terms, &[("P*[#]", &force)]);
    let left: Vec<Expr> = (0..rates.len()).map(|k| rates[k] - slopes[k] + couplings[k]).collect();
    let form = Form::in_chart(given, &left, &force)?;
    Ok(Form { remarks: told, ..form })
}

/// The symbols that are not zero, as a step.
fn three_indices(told: &[Remark]) -> Step {
    let title = "Three-index symbols (those left out are zero, or differ by a sign)";
    match told.is_empty() {
        true => Step::words(title, "all are zero: the chart is holonomic".to_owned()),
        false => Step::values(title, "γ", "(3)", told.iter().map(|remark| (remark.what.clone(), remark.value))),
    }
}

/// The symbols of one quasi-velocity k.
struct Gamma {
    /// γ^k_ρσ (3), for each σ and ρ.
    of: Vec<Vec<Expr>>,
    /// γ^k_0σ (4).
    of_time: Vec<Expr>,
}

/// The symbols that are not zero, with their k.
struct Symbols {
    gamma: Vec<(usize, Gamma)>,
}

impl Symbols {
    fn new(given: &Ingredients<'_>) -> Result<Symbols, FormError> {
        let chart = given.chart()?;
        let curved = |_| FormError::NotApplicable("a speed or a constraint is not linear in the rates".to_owned());
        let (a, a0) = expr::linear_coefficients(&chart.forward, &given.q_dot).map_err(curved)?;
        let (b, b0) = expr::linear_coefficients(&chart.rates, &chart.u).map_err(curved)?;
        let n = given.q.len();
        let moves = |e: &Expr| !e.is_constant();
        let mut gamma = Vec::new();
        for (k, (a, &a0)) in a.iter().zip(&a0).enumerate().filter(|(_, (a, a0))| a.iter().any(moves) || moves(a0)) {
            let change = expr::jacobian(a, &given.q)?;
            let drift = expr::gradient(a0, &given.q)?;
            let in_time = expr::directional(a, &[(given.system.time, Expr::one())])?;
            let places = (0..n).flat_map(|s| (0..n).map(move |j| (s, j)));
            let curl = places.map(|(s, j)| (s, j, change[s][j] - change[j][s]));
            let curl: Vec<(usize, usize, Expr)> = curl.filter(|(.., curl)| !curl.is_zero()).collect();
            let symbol =
                |rho: usize, sigma: usize| curl.iter().map(|&(s, j, c)| c * b[s][sigma] * b[j][rho]).sum::<Expr>();
            let of_time = |sigma: usize| {
                let turned = curl.iter().map(|&(s, j, c)| c * b0[j] * b[s][sigma]);
                let moved = (0..n).map(|s| (in_time[s] - drift[s]) * b[s][sigma]);
                turned.chain(moved).sum::<Expr>()
            };
            let all = 0..chart.u.len();
            let of = all.clone().map(|sigma| all.clone().map(|rho| symbol(rho, sigma)).collect()).collect();
            gamma.push((k, Gamma { of, of_time: all.map(of_time).collect() }));
        }
        Ok(Symbols { gamma })
    }

    /// The symbols as a person would list them: ρ before σ, since they change sign with their order.
    fn told(&self, quasi: &[Expr], u: &[Expr]) -> Vec<Remark> {
        let mut remarks = Vec::new();
        for (k, gamma) in &self.gamma {
            for sigma in 0..u.len() {
                let pairs = (0..sigma).map(|rho| (u[rho].to_string(), gamma.of[sigma][rho]));
                for (rho, value) in pairs.chain([("0".to_owned(), gamma.of_time[sigma])]) {
                    if !value.is_zero() {
                        remarks.push(Remark { what: format!("γ[{}; {rho}, {}]", quasi[*k], u[sigma]), value });
                    }
                }
            }
        }
        remarks
    }
}

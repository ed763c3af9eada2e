//! The central equation: the rate of the virtual work of momenta, with its transposition rule in the open.
//!
//! ```text
//! d/dt Σ p_s δq_s − δT + Σ p_s (δq'_s − d/dt δq_s) = Σ Q_s δq_s                                  (1)
//! δq_s = Σ (∂β_s/∂u_σ) δπ_σ        δu_σ = d/dt δπ_σ        the rule: variations of u commute      (2)
//! δq'_s = Σ (∂β_s/∂q_k) δq_k + Σ (∂β_s/∂u_σ) δu_σ          then those of q' do not               (3)
//! ```
//!
//! (1) holds with any transposition rule, if δT and the last sum use the same one. With (2) the terms in
//! d/dt δπ_σ cancel, and what multiplies δπ_σ is the equation for it. The rule δq'_s − d/dt δq_s comes
//! out as a remark. p are the unreduced momenta, on the constraints.
//!
//! Class: constraints of first order, nonlinear and time-dependent ones and variable mass included.
//!
//! History: K. Heun gave Lagrange's identity its name, and G. Hamel built his equations on it in 1904. Romanov
//! used it in 1974 to show that quarrels about the gyroframe were quarrels about the transposition rule.
//!
//! Source: Romanov 1974, section 3.

use expr::{Expr, Flow, Kind, Symbol};

use crate::form::{Form, FormError, Remark};
use crate::ingredients::{Ingredients, dot};
use crate::steps::Steps;

/// The central equation (1) for each δπ_σ.
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_first_order()?;
    let varied = Varied::new(given)?;
    let (left, P) = (expr::gradient(varied.inertia, &varied.pi)?, given.P_star()?);
    show.rates(given)?;
    show.momenta(given)?;
    show.kinetic("T*", given.T_star()?);
    show.each("Variations of the coordinates", "δ#", "(2)", &given.q, &varied.delta_q);
    show.value("The variation of T", "δT", "(3)", varied.delta_T);
    let rule = "δq'_s − d/dt δq_s";
    show.each("The transposition rule", "δ#' − d/dt δ#", rule, &given.q, &varied.transposed);
    let formula = "Z = d/dt Σ p_s δq_s − δT + Σ p_s (δq'_s − d/dt δq_s)";
    show.value("The left side of the central equation", "Z", formula, varied.inertia);
    show.chart_forces(given)?;
    let u = &given.chart()?.u;
    show.balance("(1)", u, &[("∂Z/∂δπ[#]", &left)], &[("P*[#]", &P)]);
    let form = Form::in_chart(given, &left, &P)?;
    let names = given.system.coordinates.iter().map(|coordinate| &coordinate.name);
    let rules = names.zip(varied.transposed).filter(|(_, rule)| !rule.is_zero());
    let remark = |(name, value)| Remark { what: format!("δ{name}' − d/dt δ{name}"), value };
    Ok(Form { remarks: rules.map(remark).collect(), ..form })
}

/// The left side of (1) for variations δπ.
struct Varied {
    /// δπ.
    pi: Vec<Expr>,
    /// The left side of (1).
    inertia: Expr,
    /// δq.
    delta_q: Vec<Expr>,
    /// δT.
    delta_T: Expr,
    /// δq'_s − d/dt δq_s.
    transposed: Vec<Expr>,
}

impl Varied {
    fn new(given: &Ingredients<'_>) -> Result<Varied, FormError> {
        let (chart, p, partials) = (given.chart()?, given.p_star()?, given.partials()?);
        let virtual_one = |u: &Expr| {
            let name = u.as_symbol().map_or_else(|| u.to_string(), |symbol| symbol.name);
            expr::symbol(Symbol::new(&format!("{name}@virtual"), Kind::QuasiVelocity))
        };
        let pi: Vec<Expr> = chart.u.iter().map(virtual_one).collect();
        let delta_u = pi.iter().map(|&pi| expr::total_derivative(pi)).collect::<Result<Vec<_>, _>>()?;
        let pairs = |symbols: &[Expr], rates: &[Expr]| symbols.iter().copied().zip(rates.iter().copied()).collect();
        let delta_q: Vec<Expr> = partials.iter().map(|row| dot(row, &pi)).collect();
        let mut variation: Vec<(Expr, Expr)> = pairs(&given.q, &delta_q);
        variation.extend::<Vec<_>>(pairs(&chart.u, &delta_u));
        let mut varied = expr::directional(&[&chart.rates[..], &[given.T_star()?]].concat(), &variation)?;
        let delta_T = varied.pop().unwrap_or_else(Expr::zero);
        let mut motion: Vec<(Expr, Expr)> = pairs(&given.q, &chart.rates);
        motion.extend::<Vec<_>>(pairs(&chart.u, &chart.u_dot));
        motion.extend::<Vec<_>>(pairs(&pi, &delta_u));
        motion.push((given.system.time, Expr::one()));
        let flow = Flow::new(&motion);
        let mut transposed = Vec::with_capacity(delta_q.len());
        for (&delta_rate, &delta) in varied.iter().zip(&delta_q) {
            transposed.push(delta_rate - flow.rate(delta)?);
        }
        let inertia = flow.rate(dot(p, &delta_q))? - delta_T + dot(p, &transposed);
        Ok(Varied { pi, inertia, delta_q, delta_T, transposed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mode;
    use crate::chart::ChartKind;
    use crate::rows::Rows;

    #[test]
    fn rates_of_variations_cancel() {
        for text in [
            "coord x, y, z\npoint P = (x, y, z) mass 2\nconstraint c: x' = z*y' + sin(y)\nstart z = 1, y' = 1",
            "coord a, b, s\npoint P = (s*cos(a)*sin(b), s*sin(a)*sin(b), s*cos(b)) mass 2\nstart b = 1, s = 1, a' = 1",
        ] {
            let _scope = expr::Scope::enter();
            let model = model::parse("m.mech", text).model.expect("a model");
            let system = crate::lower(&model).expect("a system");
            let at = expr::At::generic();
            let mode = Mode::at(&system, &at).expect("a mode");
            let rows = Rows::of(&system, &mode, &at).expect("rows");
            let given = Ingredients::of(&system, &mode, &rows, ChartKind::Rates, &at);
            let varied = Varied::new(&given).expect("variations");
            let rates: Vec<Expr> = varied.pi.iter().map(|&pi| expr::total_derivative(pi).expect("a rate")).collect();
            let left_over = expr::gradient(varied.inertia, &rates).expect("slopes");
            assert!(left_over.iter().all(|slope| slope.is_zero()), "{left_over:?}");
        }
    }
}

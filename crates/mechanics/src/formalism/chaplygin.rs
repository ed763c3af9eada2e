//! Chaplygin's equations: Lagrange's for the reduced energy, with terms for what the constraints cannot integrate.
//!
//! ```text
//! q'_i = Σ_k b_ik q'_k                                     i dependent, k independent      (1)
//! d/dt ∂T*/∂q'_k − ∂T*/∂q_k − Σ_i p_i Σ_j (∂b_ik/∂q_j − ∂b_ij/∂q_k) q'_j = Q_k + Σ_i b_ik Q_i   (2)
//! ```
//!
//! p_i = ∂T/∂q'_i are the momenta of the unreduced energy, put on the constraints afterwards. T and b
//! may not depend on the dependent coordinates; b not on time either. If the forces do, (2) still
//! holds, but it does not close by itself.
//!
//! Class: linear homogeneous constraints with T and b free of the dependent coordinates; variable mass included.
//!
//! History: S. A. Chaplygin found them in 1895 after a slip in a paper of Lindelöf, who had used Lagrange's
//! equations for a rolling body. They were printed in 1897.
//!
//! Source: S. A. Chaplygin, 1897; Romanov 1974, who names them.

use expr::Expr;

use crate::form::{Form, FormError};
use crate::ingredients::{Ingredients, dot};
use crate::steps::{Step, Steps, Terms};

/// Chaplygin's equations (2).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    let (dependent, independent, b) = system(given)?;
    let (chart, p, Q, T) = (given.chart()?, given.p_star()?, given.Q()?, given.T_star()?);
    let pick = |list: &[Expr], places: &[usize]| places.iter().map(|&place| list[place]).collect::<Vec<_>>();
    let (q, p, tied) = (pick(&given.q, &independent), pick(p, &dependent), pick(Q, &dependent));
    let (momenta, slopes) = (expr::gradient(T, &chart.u)?, expr::gradient(T, &q)?);
    // ∂b_ik/∂q_j
    let change: Vec<Vec<Vec<Expr>>> = b.iter().map(|row| expr::jacobian(row, &q)).collect::<Result<_, _>>()?;
    let (mut rates, mut turnings, mut right) = (Vec::new(), Vec::new(), Vec::new());
    for k in 0..q.len() {
        let curl = |i: usize, j: usize| change[i][k][j] - change[i][j][k];
        let turning = |i: usize| p[i] * (0..q.len()).map(|j| curl(i, j) * chart.u[j]).sum::<Expr>();
        turnings.push((0..p.len()).map(turning).sum::<Expr>());
        rates.push(chart.flow.rate(momenta[k])?);
        let column: Vec<Expr> = b.iter().map(|row| row[k]).collect();
        right.push(Q[independent[k]] + dot(&column, &tied));
    }
    let tied: Vec<Expr> = pick(&given.q, &dependent);
    show.add(|| Ok(coefficients(&pick(&given.q_dot, &dependent), &chart.u, &b)))?;
    show.kinetic("T*", T);
    show.each("Momenta of the dependent coordinates, of the unreduced energy", "p[#]", "p_i = ∂T/∂q'_i", &tied, &p);
    let curl = "W_k = Σ_i p_i Σ_j (∂b_ik/∂q_j − ∂b_ij/∂q_k) q'_j";
    show.each("What cannot be integrated", "W[#]", curl, &q, &turnings);
    show.each("Forces", "P*[#]", "P*_k = Q_k + Σ_i b_ik Q_i", &q, &right);
    let terms: [Terms<'_>; 3] = [("d/dt ∂T*/∂#'", &rates), ("− ∂T*/∂#", &slopes), ("− W[#]", &turnings)];
    show.balance("(2)", &q, &terms, &[("P*[#]", &right)]);
    let left: Vec<Expr> = (0..q.len()).map(|k| rates[k] - slopes[k] - turnings[k]).collect();
    Form::in_chart(given, &left, &right)
}

/// b (1).
fn coefficients(dependent: &[Expr], u: &[Expr], b: &[Vec<Expr>]) -> Step {
    let entries = dependent.iter().zip(b).flat_map(|(i, row)| u.iter().zip(row).map(move |(k, &b)| (i, k, b)));
    let entries = entries.filter(|(.., b)| !b.is_zero()).map(|(i, k, b)| (format!("b[{i}, {k}]"), b));
    Step::values("Dependent rates by independent ones (entries left out are zero)", "b", "(1)", entries)
}

type Linear = (Vec<usize>, Vec<usize>, Vec<Vec<Expr>>);

/// Dependent and independent coordinates and b (1), if the system is one of Chaplygin's.
fn system(given: &Ingredients<'_>) -> Result<Linear, FormError> {
    given.need_linear_rates()?;
    let no = |why: String| Err(FormError::NotApplicable(why));
    let chart = given.chart()?;
    let dependent = chart.dependent.clone();
    let independent: Vec<usize> = (0..given.q.len()).filter(|s| !dependent.contains(s)).collect();
    let rates: Vec<Expr> = dependent.iter().map(|&i| chart.rates[i]).collect();
    let (b, constants) = expr::linear_coefficients(&rates, &chart.u)
        .map_err(|_| FormError::NotApplicable("a constraint is not linear in the rates".to_owned()))?;
    if !constants.iter().all(|constant| constant.is_zero()) {
        return no("a constraint is not homogeneous in the rates".to_owned());
    }
    let slopes = expr::gradient(given.T()?, &given.q)?;
    for &i in &dependent {
        let name = &given.system.coordinates[i].name;
        if !slopes[i].is_zero() {
            return no(format!("T depends on the dependent coordinate `{name}`"));
        }
        for &b in b.iter().flatten() {
            if !expr::derivative(b, given.q[i])?.is_zero() {
                return no(format!("a constraint depends on the dependent coordinate `{name}`"));
            }
        }
    }
    for &b in b.iter().flatten() {
        if !expr::derivative(b, given.system.time)?.is_zero() {
            return no("a constraint depends on time".to_owned());
        }
    }
    Ok((dependent, independent, b))
}

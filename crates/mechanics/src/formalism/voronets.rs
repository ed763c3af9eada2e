//! Voronets's equations: the reduced energy and the momenta of the dependent coordinates, for any linear constraints.
//!
//! ```text
//! q'_i = Σ_k b_ik q'_k + b_i                               i dependent, k independent            (1)
//! d/dt ∂T*/∂q'_k − ∂T*/∂q_k − Σ_i b_ik ∂T*/∂q_i − Σ_i B_ik p_i = Q_k + Σ_i b_ik Q_i             (2)
//! B_ik = db_ik/dt − Σ_j (∂b_ij/∂q_k + Σ_μ b_μk ∂b_ij/∂q_μ) q'_j − ∂b_i/∂q_k − Σ_μ b_μk ∂b_i/∂q_μ  (3)
//! ```
//!
//! b may depend on all coordinates and on time. db/dt counts the dependent velocities and ∂b/∂t.
//! p_i = ∂T/∂q'_i belong to the unreduced energy.
//!
//! Class: constraints linear in the rates, affine and time-dependent ones and variable mass included.
//!
//! History: P. V. Voronets of Kiev published them in 1901, and later treated rolling bodies with them. Where
//! nothing depends on the dependent coordinates or on time they are Chaplygin's.
//!
//! Source: Romanov 1974, equations (1.1) to (1.9).

use expr::Expr;

use crate::form::{Form, FormError};
use crate::ingredients::{Ingredients, dot};
use crate::steps::{Step, Steps, Terms};

/// Voronets's equations (2).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_linear_rates()?;
    let (chart, p, Q, T) = (given.chart()?, given.p_star()?, given.Q()?, given.T_star()?);
    let dependent = &chart.dependent;
    let independent: Vec<usize> = (0..given.q.len()).filter(|s| !dependent.contains(s)).collect();
    let rates: Vec<Expr> = dependent.iter().map(|&i| chart.rates[i]).collect();
    let b = expr::jacobian(&rates, &chart.u)?;
    let (momenta, slopes) = (expr::gradient(T, &chart.u)?, expr::gradient(T, &given.q)?);
    let of_dependent = |list: &[Expr]| dependent.iter().map(|&i| list[i]).collect::<Vec<_>>();
    let (tied_p, tied_Q, tied_slopes) = (of_dependent(p), of_dependent(Q), of_dependent(&slopes));
    let (mut rates_of, mut along, mut turnings, mut right, mut shown) = (vec![], vec![], vec![], vec![], vec![]);
    for (place, &k) in independent.iter().enumerate() {
        let column: Vec<Expr> = b.iter().map(|row| row[place]).collect();
        // The sums in (3): (1) differentiated along q_k and the q_μ that go with it, the rates held.
        let with = dependent.iter().zip(&column).map(|(&i, &b)| (given.q[i], b));
        let direction: Vec<(Expr, Expr)> = with.chain([(given.q[k], Expr::one())]).collect();
        let across = expr::directional(&rates, &direction)?;
        let mut B = Vec::with_capacity(dependent.len());
        for (&b, &across) in column.iter().zip(&across) {
            B.push(chart.flow.rate(b)? - across);
        }
        rates_of.push(chart.flow.rate(momenta[place])?);
        along.push(slopes[k] + dot(&column, &tied_slopes));
        turnings.push(dot(&B, &tied_p));
        right.push(Q[k] + dot(&column, &tied_Q));
        let names = |letter: char, i: usize| format!("{letter}[{}, {}]", given.q[dependent[i]], given.q[k]);
        shown.extend((0..B.len()).flat_map(|i| [(names('b', i), column[i]), (names('B', i), B[i])]));
    }
    let q: Vec<Expr> = independent.iter().map(|&k| given.q[k]).collect();
    show.rates(given)?;
    show.add(|| {
        let entries = shown.into_iter().filter(|(_, value)| !value.is_zero());
        Ok(Step::values("The coefficients, and how they turn (entries left out are zero)", "B", "(3)", entries))
    })?;
    show.kinetic("T*", T);
    show.each("Its momenta", "∂T*/∂#", "", &chart.u, &momenta);
    let title = "Momenta of the dependent coordinates, of the unreduced energy";
    show.each(title, "p[#]", "p_i = ∂T/∂q'_i", &of_dependent(&given.q), &tied_p);
    show.each("The correction", "W[#]", "W_k = Σ_i B_ik p_i", &q, &turnings);
    show.each("Forces", "P*[#]", "P*_k = Q_k + Σ_i b_ik Q_i", &q, &right);
    let slope = "− (∂T*/∂# + Σ b ∂T*/∂q_i)";
    let terms: [Terms<'_>; 3] = [("d/dt ∂T*/∂#'", &rates_of), (slope, &along), ("− W[#]", &turnings)];
    show.balance("(2)", &q, &terms, &[("P*[#]", &right)]);
    let left: Vec<Expr> = (0..q.len()).map(|k| rates_of[k] - along[k] - turnings[k]).collect();
    Form::in_chart(given, &left, &right)
}

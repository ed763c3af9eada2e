//! Gauss's principle: among all accelerations that the constraints admit, the true ones deviate least.
//!
//! ```text
//! K(q'') = Σ ½ m a·a + ½ α·Iα + α·(ω × Iω) − Σ Q_s q''_s  →  min      subject to A q'' + a0 = 0      (1)
//! ∂K/∂q''_s = Σ λ A_s                                                                               (2)
//! ```
//!
//! Up to terms free of accelerations (1) is ½ Σ m (a − F/m)². The state is not varied. It is a minimum
//! of a quadratic function at each instant, not of an integral; λ are its multipliers.
//!
//! Class: constraints of every class. Where one is not linear in the accelerations, A = ∂f/∂q'' holds them, and (2) is
//! necessary for a minimum.
//!
//! History: C. F. Gauss stated it in 1829, by analogy with his method of least squares. It is the only
//! principle of mechanics that is a true minimum.
//!
//! Source: C. F. Gauss, J. reine angew. Math. 4 (1829) 232–235.

use expr::Expr;

use crate::form::{Form, FormError};
use crate::ingredients::{Ingredients, acceleration_energy, dot};
use crate::steps::{Line, Step, Steps};

/// The conditions (2) of the minimum (1).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_particles()?;
    let S = acceleration_energy(given.free()?, &expr::total_derivative)?;
    let (slopes, Q): (Vec<Expr>, _) = (expr::gradient(S, &given.q_ddot)?, given.Q()?);
    show.accelerations(given, given.free()?, &expr::total_derivative, ["a", "α"])?;
    show.coordinate_forces(given)?;
    let title = "The compulsion, as far as it depends on the accelerations";
    show.add(|| Ok(Step::of(title, "K", "(1)", S - dot(Q, &given.q_ddot))))?;
    show.gradients(given, "A q'' + a0 = 0");
    show.add(|| minimum(given, &slopes))?;
    show.balance_with_multipliers("(2)", given, &[("∂S/∂#''", &slopes), ("− Q[#]", Q)], &[]);
    Form::with_multipliers(given, &slopes, Q)
}

/// Why the compulsion has one minimum: its second derivatives are those of T by the rates, and T > 0 in motion.
fn minimum(given: &Ingredients<'_>, slopes: &[Expr]) -> Result<Step, FormError> {
    let rows = expr::jacobian(slopes, &given.q_ddot)?;
    let inertia = expr::jacobian(&given.p()?, &given.q_dot)?;
    let same = |(s, k): (usize, usize)| Line::Same {
        name: format!("∂²K/∂{}∂{} = ∂²T/∂{}∂{}", given.q_ddot[s], given.q_ddot[k], given.q_dot[s], given.q_dot[k]),
        value: rows[s][k],
        difference: rows[s][k] - inertia[s][k],
    };
    let n = given.q.len();
    let mut lines = vec![Line::Matrix { name: "∂²K/∂q''∂q''".to_owned(), rows: rows.clone() }];
    lines.extend((0..n).flat_map(|s| (0..=s).map(move |k| (s, k))).filter(|&(s, k)| !rows[s][k].is_zero()).map(same));
    let words = match given.rows.curved() {
        None => {
            "the Hessian of K is the matrix of the kinetic energy, which is positive for every motion of masses: \
             where the slopes of K on the rows vanish, there is its only minimum"
        }
        Some(_) => {
            "the Hessian of K is the matrix of the kinetic energy, which is positive for every motion of masses; on rows that are \
             not linear in the accelerations its slopes vanish elsewhere too, and (2) alone does not tell the minimum"
        }
    };
    lines.push(Line::Words(words.to_owned()));
    let title = "The Hessian, and why it is a minimum";
    Ok(Step { title, name: "∂²K/∂q''∂q''".to_owned(), formula: "", lines })
}

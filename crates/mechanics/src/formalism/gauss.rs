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
//! Class: constraints of every class that is linear in the accelerations once differentiated: all of ours.
//!
//! History: C. F. Gauss stated it in 1829, by analogy with his method of least squares. It is the only
//! principle of mechanics that is a true minimum.
//!
//! Source: C. F. Gauss, J. reine angew. Math. 4 (1829) 232–235.

use expr::Expr;

use crate::form::{Form, FormError};
use crate::ingredients::{Ingredients, acceleration_energy};

/// The conditions (2) of the minimum (1).
pub fn derive(given: &Ingredients<'_>) -> Result<Form, FormError> {
    given.need_particles()?;
    let S = acceleration_energy(given.free()?, &expr::total_derivative)?;
    let slopes: Vec<Expr> = expr::gradient(S, &given.q_ddot)?;
    Form::with_multipliers(given, &slopes, given.Q()?)
}

//! Lagrange's equations of the first kind: Newton's law for each particle, with the reactions of all constraints.
//!
//! ```text
//! m w = F + Σ λ ∂f/∂r            for each particle, component by component        (1)
//! ```
//!
//! For rows of first or second order ∂f/∂r' or ∂f/∂r'' takes the place of ∂f/∂r. Reactions come out
//! per constraint and per particle. The number of equations grows with every constraint.
//!
//! Class: particles whose Cartesian components are the coordinates; constraints of every class.
//!
//! History: Lagrange introduced the multipliers in 1788 for equilibrium and carried them to motion. The
//! name "first kind" is later and tells them from the equations without reactions.
//!
//! Source: lecture notes on constrained dynamics and statics, equations (4.1) to (4.7).

use expr::Expr;

use crate::form::{Form, FormError};
use crate::ingredients::Ingredients;
use crate::steps::Steps;

/// Lagrange's equations of the first kind (1).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    let masses = cartesian(given)?;
    let left: Vec<Expr> = masses.iter().zip(&given.q_ddot).map(|(&m, &w)| m * w).collect();
    show.each("Mass times acceleration", "m #", "", &given.q_ddot, &left);
    show.coordinate_forces(given)?;
    show.gradients(given, "f = 0,   A = ∂f/∂r,   A w + a0 = 0");
    let over = |x: &Vec<Expr>| x.iter().zip(&masses).map(|(&x, m)| x * m.pow(-1)).collect::<Vec<_>>();
    let solved = |columns: &[Vec<Expr>]| Ok(columns.iter().map(over).collect());
    let h = vec![Expr::zero(); left.len()];
    show.multiplier_system(given, "(Σ A Aᵀ/m) λ = −a0 − Σ A F/m", solved, &h)?;
    show.balance_with_multipliers("(1)", given, &[("m #''", &left)], &[("F[#]", given.Q()?)]);
    Form::with_multipliers(given, &left, given.Q()?)
}

/// The mass that belongs to each coordinate, if each is a component of one particle.
fn cartesian(given: &Ingredients<'_>) -> Result<Vec<Expr>, FormError> {
    let no = |why: &str| Err(FormError::NotApplicable(why.to_owned()));
    given.need_particles()?;
    if !given.system.bodies.is_empty() {
        return no("it is written for particles, and the model has a rigid body");
    }
    let mut masses = vec![None; given.q.len()];
    for element in &given.free()?.elements {
        for component in element.velocity.components.0 {
            if component == Expr::zero() {
                continue;
            }
            match given.q_dot.iter().position(|&rate| rate == component) {
                Some(place) if masses[place].is_none() => masses[place] = Some(element.mass),
                _ => return no("the coordinates are not the Cartesian components of the particles"),
            }
        }
    }
    match masses.into_iter().collect() {
        Some(masses) => Ok(masses),
        None => no("a coordinate is no component of a particle"),
    }
}

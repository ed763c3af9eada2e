//! Jourdain's principle: no power on any variation of the velocities, without choosing a chart.
//!
//! ```text
//! Σ (m a − F)·δv + (I α + ω × I ω − M)·δω = 0        for all δq' with A δq' = 0        (1)
//! δq' = N z,  A N = 0                                 N a basis of the null space       (2)
//! ```
//!
//! Time and position are not varied. With the basis (2) the principle is n − k equations in all
//! accelerations, which the rows A q'' + a0 = 0 complete. A null space always exists, so there is no
//! chart that could be singular; its pivots do not vanish at the reference state.
//!
//! Class: constraints of every class, time-dependent ones and variable mass included.
//!
//! History: P. E. B. Jourdain set it between d'Alembert's principle, which varies positions, and
//! Gauss's, which varies accelerations. It is the natural one for constraints on velocities.
//!
//! Source: P. E. B. Jourdain, Quart. J. Pure Appl. Math. 40 (1909) 153–157; Qiu Rong 1997, equation (33).

use expr::Expr;
use proof::linear::{Matrix, null_space};

use crate::form::{Form, FormError};
use crate::ingredients::{Ingredients, inertia_pairs};

/// Jourdain's principle (1) on a basis of variations (2).
pub fn derive(given: &Ingredients<'_>) -> Result<Form, FormError> {
    given.need_particles()?;
    let free = given.free()?;
    let n = given.q.len();
    let basis = match given.rows.list.is_empty() {
        true => (0..n).map(|s| (0..n).map(|k| if s == k { Expr::one() } else { Expr::zero() }).collect()).collect(),
        false => {
            let rows: Vec<Vec<Expr>> = given.rows.list.iter().map(|row| row.A.clone()).collect();
            null_space(&Matrix::from_rows(&rows), given.at).map_err(|error| {
                FormError::NotApplicable(format!("the constraints have no null space that is certain: {error}"))
            })?
        }
    };
    let inertia = expr::pullback(&inertia_pairs(free, &expr::total_derivative)?, &given.q_dot)?;
    let active = expr::pullback(&free.pairs(), &given.q_dot)?;
    let along = |z: &Vec<Expr>, forces: &[Expr]| {
        let terms = z.iter().zip(forces).filter(|(direction, _)| **direction != Expr::zero());
        terms.map(|(&direction, &force)| direction * force).sum()
    };
    let left: Vec<Expr> = basis.iter().map(|z| along(z, &inertia)).collect();
    let right: Vec<Expr> = basis.iter().map(|z| along(z, &active)).collect();
    Form::in_coordinates(given, &left, &right)
}

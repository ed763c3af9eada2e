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
use crate::steps::{Line, Step, Steps, variation};

/// Jourdain's principle (1) on a basis of variations (2).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_particles()?;
    let free = given.free()?;
    let n = given.q.len();
    let basis: Vec<Vec<Expr>> = match given.rows.list.is_empty() {
        true => (0..n).map(|s| (0..n).map(|k| if s == k { Expr::one() } else { Expr::zero() }).collect()).collect(),
        false => {
            let rows: Vec<Vec<Expr>> = given.rows.list.iter().map(|row| row.A.clone()).collect();
            null_space(&Matrix::from_rows(&rows), given.at).map_err(|error| {
                FormError::NotApplicable(format!("the constraints have no null space that is certain: {error}"))
            })?
        }
    };
    show.accelerations(given, free, &expr::total_derivative, ["a", "α"])?;
    let inertia = expr::pullback(&inertia_pairs(free, &expr::total_derivative)?, &given.q_dot)?;
    let active = expr::pullback(&free.pairs(), &given.q_dot)?;
    show.add(|| Ok(power(given, &inertia, &active)))?;
    show.add(|| Ok(admitted(given, &basis)))?;
    let along = |z: &Vec<Expr>, forces: &[Expr]| {
        let terms = z.iter().zip(forces).filter(|(direction, _)| **direction != Expr::zero());
        terms.map(|(&direction, &force)| direction * force).sum()
    };
    let left: Vec<Expr> = basis.iter().map(|z| along(z, &inertia)).collect();
    let right: Vec<Expr> = basis.iter().map(|z| along(z, &active)).collect();
    let z: Vec<Expr> = (1..=basis.len()).map(|k| variation(&format!("z{k}"))).collect();
    show.balance("(1)", &z, &[("I[#]", &left)], &[("F[#]", &right)]);
    Form::in_coordinates(given, &left, &right)
}

/// The virtual power, written out.
fn power(given: &Ingredients<'_>, inertia: &[Expr], active: &[Expr]) -> Step {
    let coefficients = inertia.iter().zip(active).zip(&given.q_dot);
    let terms = coefficients.map(|((&inertia, &active), rate)| (inertia - active) * variation(&rate.to_string()));
    let value = terms.sum();
    let lines = vec![Line::Value { name: "δP".to_owned(), value }];
    Step {
        title: "The virtual power",
        name: "δP".to_owned(),
        formula: "δP = Σ (m a − F)·δv + (I α + ω × I ω − M)·δω",
        lines,
    }
}

/// The variations that the rows admit (2): z are free.
fn admitted(given: &Ingredients<'_>, basis: &[Vec<Expr>]) -> Step {
    let of = |s: usize| {
        let along = basis.iter().enumerate().map(|(k, z)| z[s] * variation(&format!("z{}", k + 1)));
        Line::Value { name: format!("δ{}", given.q_dot[s]), value: along.sum() }
    };
    let title = "Variations of the rates that the constraints admit";
    Step { title, name: "δq'".to_owned(), formula: "(2)", lines: (0..given.q.len()).map(of).collect() }
}

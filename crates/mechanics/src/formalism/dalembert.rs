//! The general equation of dynamics: forces and inertia forces do no work on virtual displacements.
//!
//! ```text
//! Σ (F − m w)·δr + (M − I α − ω × I ω)·δθ = 0        for all δq with A δq = 0           (1)
//! δr = Σ ∂r/∂q_s δq_s                                 time does not run                 (2)
//! ```
//!
//! The work (1) is written out as a linear form in δq; the dependent δq are eliminated by A δq = 0,
//! and what multiplies an independent δq must vanish. The rows A q'' + a0 = 0 complete the equations.
//! For rows of first or second order A is ∂f/∂q' or ∂f/∂q'' (Chetaev's definition).
//!
//! Class: constraints of every class, time-dependent ones and variable mass included.
//!
//! History: d'Alembert (1743) balanced lost forces; Lagrange joined this with virtual displacements to one
//! equation for all of mechanics. The lecture notes call it the general equation of dynamics.
//!
//! Source: lecture notes on constrained dynamics and statics, equation (7.3).

use expr::{Expr, Kind, Symbol};
use proof::linear::{Columns, Matrix, solve_for};

use crate::form::{Form, FormError};
use crate::ingredients::{Ingredients, moment};
use crate::kinematics::Kinematics;
use crate::steps::{Line, Step, Steps, variation};

/// The general equation of dynamics (1), for independent displacements.
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_particles()?;
    let symbol = |s: usize| {
        let name = format!("{}@delta", given.system.coordinates[s].name);
        expr::symbol(Symbol::new(&name, Kind::Parameter))
    };
    let delta: Vec<Expr> = (0..given.q.len()).map(symbol).collect();
    let displaced = given.moving(&delta, Expr::zero())?;
    // The displacements (2) stand where velocities stand in a power; the forces are those of the motion.
    let inertia = work(&displaced, given.free()?)?;
    let independent = eliminated(given, &delta)?;
    show.accelerations(given, given.free()?, &expr::total_derivative, ["w", "α"])?;
    show.velocities(given, &displaced, ["δr", "δθ"]);
    show.add(|| virtual_work(&delta, &inertia, &displaced.pairs()))?;
    show.add(|| Ok(tied(given, &delta, &independent)))?;
    let on = |pairs: &[(Expr, Expr)]| {
        let linear = expr::pullback(pairs, &delta)?;
        Ok::<_, FormError>(independent.iter().map(|(_, direction)| along(direction, &linear)).collect::<Vec<_>>())
    };
    let (left, right) = (on(&inertia)?, on(&displaced.pairs())?);
    let free: Vec<Expr> = independent.iter().map(|&(k, _)| variation(&given.q[k].to_string())).collect();
    show.balance("(1)", &free, &[("I[#]", &left)], &[("F[#]", &right)]);
    Form::in_coordinates(given, &left, &right)
}

/// Displacements with the inertia forces of the motion that act along them.
fn work(displaced: &Kinematics, moving: &Kinematics) -> Result<Vec<(Expr, Expr)>, FormError> {
    let d_dt: crate::Rate<'_> = &expr::total_derivative;
    let mut pairs = Vec::new();
    for (shifted, real) in displaced.elements.iter().zip(&moving.elements) {
        let force = real.velocity.rate(d_dt)? * real.mass;
        pairs.extend(shifted.velocity.components.0.into_iter().zip(force.0));
        if let (Some(turned), Some(spin)) = (&shifted.spin, &real.spin) {
            pairs.extend(turned.omega.components.0.into_iter().zip(moment(spin, d_dt)?.0));
        }
    }
    Ok(pairs)
}

/// An independent displacement, and all displacements if it is one and the other independent ones are zero.
type Direction = (usize, Vec<Expr>);

/// The independent displacements.
fn eliminated(given: &Ingredients<'_>, delta: &[Expr]) -> Result<Vec<Direction>, FormError> {
    let n = delta.len();
    let unit = |k: usize| (0..n).map(|s| if s == k { Expr::one() } else { Expr::zero() }).collect::<Vec<_>>();
    if given.rows.list.is_empty() {
        return Ok((0..n).map(|k| (k, unit(k))).collect());
    }
    let rows: Vec<Vec<Expr>> = given.rows.list.iter().map(|row| row.A.clone()).collect();
    let zero = vec![Expr::zero(); rows.len()];
    let named: Vec<usize> = given.system.dependent.iter().map(|dependent| dependent.coordinate).collect();
    let solved = solve_for(&Matrix::from_rows(&rows), &zero, Columns::Prefer(&named), given.at)
        .map_err(|error| FormError::NotApplicable(format!("dependent displacements cannot be eliminated: {error}")))?;
    let directions = solved.independent.iter().enumerate().map(|(place, &k)| {
        let mut direction = unit(k);
        for (&d, coefficients) in solved.dependent.iter().zip(&solved.coefficients) {
            direction[d] = coefficients[place];
        }
        (k, direction)
    });
    Ok(directions.collect())
}

fn along(direction: &[Expr], forces: &[Expr]) -> Expr {
    let terms = direction.iter().zip(forces).filter(|(direction, _)| **direction != Expr::zero());
    terms.map(|(&direction, &force)| direction * force).sum()
}

/// The virtual work of forces and inertia forces, written out.
fn virtual_work(delta: &[Expr], inertia: &[(Expr, Expr)], loads: &[(Expr, Expr)]) -> Result<Step, FormError> {
    let slopes = expr::pullback(loads, delta)?.into_iter().zip(expr::pullback(inertia, delta)?);
    let value = slopes.zip(delta).map(|((force, inertia), &delta)| (force - inertia) * delta).sum();
    let lines = vec![Line::Value { name: "δW".to_owned(), value }];
    let formula = "δW = Σ (F − m w)·δr + (M − I α − ω × I ω)·δθ";
    Ok(Step { title: "The virtual work of forces and inertia forces", name: "δW".to_owned(), formula, lines })
}

/// The dependent displacements by the independent ones.
fn tied(given: &Ingredients<'_>, delta: &[Expr], independent: &[Direction]) -> Step {
    let dependent = (0..given.q.len()).filter(|&s| independent.iter().all(|&(k, _)| k != s));
    let line = |s: usize| {
        let value = independent.iter().map(|(k, direction)| direction[s] * delta[*k]).sum();
        Line::Value { name: format!("δ{}", given.q[s]), value }
    };
    let title = "Dependent displacements by independent ones";
    Step { title, name: "δq".to_owned(), formula: "A δq = 0", lines: dependent.map(line).collect() }
}

//! What are energy, momentum and angular momentum of a motion?
//!
//! ```text
//! energy             T + V,  V = Σ potentials − Σ m g·r + Σ ½ k (L − L0)²                     (1)
//! momentum           Σ m v                                                                   (2)
//! angular momentum   Σ (r − P) × m v + R I ω                                                 (3)
//! ```
//!
//! Masses that vary are taken as they are at the moment. What a `kinetic` line adds to T counts in (1); it has no particles,
//! so that (2) and (3) are refused beside it, not given without its part.

use expr::{Expr, MathError};

use crate::form::FormError;
use crate::ingredients::Ingredients;
use crate::kinematics::central;
use crate::{LoadKind, System, Vector};

/// The potential energy in (1): of all loads that have one.
pub fn potential_energy(system: &System) -> Result<Expr, MathError> {
    let mut terms = Vec::new();
    for load in &system.loads {
        match &load.kind {
            LoadKind::Potential(potential) => terms.push(*potential),
            LoadKind::Gravity(g) => {
                let masses = masses(system).into_iter();
                terms.extend(masses.map(|(mass, position)| -(mass * g.dot(position))));
            }
            LoadKind::Spring { stiffness, rest, ends } => {
                let r = ends[1].position - ends[0].position;
                let half = expr::rational(1, 2);
                let stretch = || Ok::<_, MathError>(crate::length::length(system, r)? - *rest);
                let square = if *rest == Expr::zero() { r.dot(r) } else { stretch()?.pow(2) };
                terms.push(half * *stiffness * square);
            }
            _ => {}
        }
    }
    Ok(terms.into_iter().sum())
}

/// The energy (1).
pub fn energy(given: &Ingredients<'_>) -> Result<Expr, FormError> {
    Ok(given.thawed(&[given.T()? + potential_energy(given.system)?])?[0])
}

/// The momentum (2); refused where part of T has no particles.
pub fn momentum(system: &System) -> Result<Vector, FormError> {
    all_have_places(system, "momentum")?;
    let terms = masses(system).into_iter().map(|(mass, position)| Ok(position.rate()? * mass));
    Ok(Vector::sum(&terms.collect::<Result<Vec<_>, MathError>>()?))
}

/// The angular momentum (3) about a place; refused where part of T has no particles.
pub fn angular_momentum(system: &System, about: Vector) -> Result<Vector, FormError> {
    all_have_places(system, "angular momentum")?;
    let mut terms = Vec::new();
    for (mass, position) in masses(system) {
        terms.push((position - about).cross(position.rate()? * mass));
    }
    for (place, body) in system.bodies.iter().enumerate() {
        let frame = &system.frames[body.frame];
        let omega = frame.in_inertial.inward(frame.omega);
        let spin = crate::kinematics::Spin::times_of(&central(system, place), omega);
        terms.push(frame.vector(spin));
    }
    Ok(Vector::sum(&terms))
}

fn all_have_places(system: &System, what: &str) -> Result<(), FormError> {
    match system.loads.iter().any(|load| matches!(load.kind, LoadKind::Kinetic(_))) {
        true => Err(FormError::NotApplicable(format!(
            "part of T is given by `kinetic`, without particles: its {what} is not known"
        ))),
        false => Ok(()),
    }
}

/// Every mass and where it is.
fn masses(system: &System) -> Vec<(Expr, Vector)> {
    let particles = system.points.iter().filter_map(|point| Some((point.mass?, point.position)));
    particles.chain(system.bodies.iter().map(|body| (body.mass, body.centre))).collect()
}

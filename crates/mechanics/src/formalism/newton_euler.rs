//! The equations of Newton and Euler: momentum and moment of momentum of each mass, in axes at rest.
//!
//! ```text
//! (m r')' = F + R,   L' = M + N            each particle and body, along N                  (1)
//! ω = ½ Σ e × e'                           over the unit vectors e of the body              (2)
//! L = Σ e I (e·ω)                          its moment of momentum about the mass centre     (3)
//! Σ (m r')'·∂r/∂q_s + L'·∂ω/∂q'_s = Q_s + Σ λ A_s                                           (4)
//! ```
//!
//! R and N are reactions. Those of joints, which the coordinates satisfy by themselves, do no work
//! along ∂r/∂q and drop out of (4); those of the rows stay, each with its multiplier. Positions and unit
//! vectors are differentiated twice along axes at rest: no local frame, no energy.
//!
//! Class: constraints of every class, time-dependent ones and variable mass included.
//!
//! History: Euler wrote Newton's law for every piece of mass along fixed axes in 1750, and stated the law of
//! moment of momentum as an equal of it in 1775. Tables of both for each link became the textbook method.
//!
//! Source: L. Euler, Mém. Acad. Sci. Berlin 6 (1752) 185–217; Novi Comm. Acad. Petrop. 20 (1776) 208–238.

use expr::{Expr, total_derivative};

use crate::form::{Form, FormError};
use crate::ingredients::Ingredients;
use crate::kinematics::central;
use crate::{Target, Vector};

/// The equations (4).
pub fn derive(given: &Ingredients<'_>) -> Result<Form, FormError> {
    given.need_particles()?;
    let mut pairs = Vec::new();
    let mut push = |velocity: Vector, force: Vector| pairs.extend(velocity.0.into_iter().zip(force.0));
    for element in &given.free()?.elements {
        let r = match element.target {
            Target::Point(place) => given.system.points[place].position,
            Target::Body(place) => given.system.bodies[place].centre,
        };
        let v = r.rate()?;
        push(v, (v * element.mass).rate()?);
        if let Target::Body(place) = element.target {
            let (omega, momentum) = turning(given, place)?;
            push(omega, momentum.try_map(total_derivative)?);
        }
    }
    let left: Vec<Expr> = expr::pullback(&pairs, &given.q_dot)?;
    Form::with_multipliers(given, &left, given.Q()?)
}

/// ω (2) and L (3), along N.
fn turning(given: &Ingredients<'_>, body: usize) -> Result<(Vector, Vector), FormError> {
    let rotation = given.system.frames[given.system.bodies[body].frame].in_inertial;
    let half = expr::rational(1, 2);
    let mut parts = Vec::with_capacity(3);
    for e in rotation.axes {
        parts.push(e.cross(e.rate()?) * half);
    }
    let omega = Vector::sum(&parts);
    let [xx, yy, zz, xy, yz, zx] = central(given.system, body);
    let [x, y, z] = rotation.inward(omega).0;
    let along_body = Vector([
        Expr::sum(&[xx * x, xy * y, zx * z]),
        Expr::sum(&[xy * x, yy * y, yz * z]),
        Expr::sum(&[zx * x, yz * y, zz * z]),
    ]);
    Ok((omega, rotation.outward(along_body)))
}

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
use crate::reaction::{Acts, Receiver};
use crate::steps::{Line, Step, Steps, name_of};
use crate::{LoadKind, Target, Vector};

/// The equations (4).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
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
    let (left, Q): (Vec<Expr>, _) = (expr::pullback(&pairs, &given.q_dot)?, given.Q()?);
    show.add(|| momenta(given))?;
    show.add(|| loads(given))?;
    show.add(|| Ok(reactions(given)))?;
    show.coordinate_forces(given)?;
    let along = "Σ (m r')'·∂r/∂# + L'·∂ω/∂#'";
    show.balance_with_multipliers("(4)", given, &[(along, &left)], &[("Q[#]", Q)]);
    Form::with_multipliers(given, &left, Q)
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

/// The rates of the momenta of each mass, along N.
fn momenta(given: &Ingredients<'_>) -> Result<Step, FormError> {
    let mut lines = Vec::new();
    let mut push = |name: String, value: Vector| lines.push(Line::Vector { name, value, frame: 0 });
    for element in &given.free()?.elements {
        let name = name_of(given, element.target);
        match element.target {
            Target::Point(place) => {
                push(format!("(m r')'[{name}]"), (given.system.points[place].position.rate()? * element.mass).rate()?);
            }
            Target::Body(place) => {
                push(format!("(m r')'[{name}]"), (given.system.bodies[place].centre.rate()? * element.mass).rate()?);
                let (omega, momentum) = turning(given, place)?;
                push(format!("ω[{name}]"), omega);
                push(format!("L[{name}]"), momentum);
            }
        }
    }
    let title = "Each mass by itself: its momentum and moment of momentum, along N";
    Ok(Step { title, name: "(m r')'".to_owned(), formula: "(1)", lines })
}

/// The forces that are known to act on each mass, along N.
fn loads(given: &Ingredients<'_>) -> Result<Step, FormError> {
    let mut lines = Vec::new();
    for element in &given.free()?.elements {
        let mut forces = Vec::new();
        for load in given.mode.loads(given.system) {
            match &load.kind {
                LoadKind::Gravity(g) => forces.push(*g * element.mass),
                LoadKind::Force { force, on, .. } if *on == element.target => forces.push(*force),
                LoadKind::Force { force, against: Some(other), .. } if *other == element.target => forces.push(-*force),
                _ => {}
            }
        }
        let name = format!("F[{}]", name_of(given, element.target));
        lines.push(Line::Vector { name, value: Vector::sum(&forces), frame: 0 });
    }
    let others = given
        .mode
        .loads(given.system)
        .any(|load| !matches!(load.kind, LoadKind::Gravity(_) | LoadKind::Force { .. } | LoadKind::Kinetic(_)));
    if others {
        lines.push(Line::Words("torques, springs, dampers and potentials enter by Q below".to_owned()));
    }
    Ok(Step { title: "Weights and forces on each mass", name: "F".to_owned(), formula: "", lines })
}

/// What each constraint does to which point or body, along N.
fn reactions(given: &Ingredients<'_>) -> Step {
    let mut lines = Vec::new();
    for one in crate::reaction::reactions(&Acts::from(given)).unwrap_or_default() {
        for push in &one.on {
            let name = format!("[{}, {}]", push.on.name(given.system), one.name);
            if !push.force.is_zero() {
                lines.push(Line::Vector { name: format!("R{name}"), value: push.force, frame: 0 });
            }
            let torque = push.torque.filter(|torque| !torque.is_zero() && matches!(push.on, Receiver::Body(_)));
            lines.extend(torque.map(|value| Line::Vector { name: format!("N{name}"), value, frame: 0 }));
        }
        lines.extend(one.shared.map(|why| Line::Words(format!("{}: {why}", one.name))));
    }
    lines.push(Line::Words(
        "what is built into the coordinates reacts too, and does no work along ∂r/∂q: it drops out of (4)".to_owned(),
    ));
    Step { title: "Reactions on each point and body", name: "R".to_owned(), formula: "R = λ ∂f/∂r", lines }
}

//! What does each constraint do to which point or body?
//!
//! ```text
//! G_s = Σ λ A_s                                  on the coordinates                                      (1)
//! F_P = Σ λ ∂f/∂δr_P,   M_B = Σ λ ∂f/∂δφ_B       on the points and frames that its text names             (2)
//! F·∂v/∂q'_s + M·∂ω/∂q'_s = Σ λ ∂f/∂δq_s         for coordinates that stand there by themselves: on the
//!                                                point or body that alone moves with them                 (3)
//! ```
//!
//! A constraint acts on what its text names (`displacement.rs`). (3) has a solution where the coordinates of a point are
//! its own, or where those of a body are its own and let it move without turning and turn without moving: then F
//! lies along the velocities that they allow, M along the angular velocities, and metres are never compared with radians.
//! Where a body turns about a point that is built into its coordinates, or where bodies share a coordinate, only
//! (1) follows from the model, and that is said. What is built into the coordinates has no reaction.
//!
//! A contact needs no such search: its reaction is λ n + Σ λ t at the point K that touches,
//!
//! ```text
//! F = λ_gap n + Σ λ_slip t,   M_C = (K − C) × F,     −F at K on a body that carries the plane            (4)
//! ```
//!
//! Friction where it slides belongs to the reaction, in (1) too. Which of these numbers are determined where rows
//! depend on each other, `determined.rs` says.

use std::cell::OnceCell;

use expr::{At, Expr, MathError, Substitution};
use proof::linear::{Matrix, solve};

use crate::contact::contact_of;
use crate::displacement::{Named, Slopes};
use crate::friction::Sliding;
use crate::ingredients::Ingredients;
use crate::rows::{Row, Rows, row_name};
use crate::{Carrier, LoadKind, Mode, Origin, System, Target, Vector};

/// What acts on a system at a state.
#[derive(Clone, Copy)]
pub struct Acts<'a> {
    /// The system.
    pub system: &'a System,
    /// Its mode.
    pub mode: &'a Mode,
    /// The rows that act.
    pub rows: &'a Rows,
    /// The state: where pivots may not vanish.
    pub at: &'a At,
}

impl<'a> From<&Ingredients<'a>> for Acts<'a> {
    fn from(given: &Ingredients<'a>) -> Acts<'a> {
        Acts { system: given.system, mode: given.mode, rows: given.rows, at: given.at }
    }
}

/// The reaction of one constraint.
#[derive(Clone, Debug)]
pub struct Reactions {
    /// The constraint.
    pub name: String,
    /// Its rows that act.
    pub rows: Vec<usize>,
    /// What it does to each coordinate (1).
    pub generalized: Vec<Expr>,
    /// What it does to points, bodies and frames (2), (3).
    pub on: Vec<Push>,
    /// The sum of all forces, if all are known; for a contact the force on what touches the plane.
    pub resultant: Option<Vector>,
    /// Why not all forces are known.
    pub shared: Option<String>,
    /// The coordinates by which it acts on what is not known.
    pub unknown: Vec<usize>,
    /// For a contact: where it acts, and its parts.
    pub contact: Option<AtContact>,
    /// For a joint: its force and torque on the first body.
    pub joint: Option<AtJoint>,
}

/// The reaction of a joint on its first body.
#[derive(Clone, Copy, Debug)]
pub struct AtJoint {
    /// The joint's point of the first body.
    pub point: Vector,
    /// The force there.
    pub force: Vector,
    /// The torque about it.
    pub torque: Vector,
}

/// The reaction of a contact (4) on what touches the plane.
#[derive(Clone, Copy, Debug)]
pub struct AtContact {
    /// The point that touches.
    pub point: Vector,
    /// The normal part; `None` if it is built into the coordinates.
    pub normal: Option<Expr>,
    /// The part along the direction of rolling or skating, or along the first direction of the plane.
    pub along: Expr,
    /// The part across it: along n × that direction.
    pub across: Expr,
}

/// What a reaction acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// A place in [`System::points`].
    Point(usize),
    /// A place in [`System::bodies`].
    Body(usize),
    /// A frame that does not turn with exactly one body: a place in [`System::frames`].
    Frame(usize),
}

/// A force, and a torque on a body.
#[derive(Clone, Copy, Debug)]
pub struct Push {
    /// What it acts on.
    pub on: Receiver,
    /// Where the force acts: at the point, or at a place on the body; nothing for a frame.
    pub at: Option<Vector>,
    /// The force along `N`.
    pub force: Vector,
    /// The torque along `N` on a body, of the force too, about its mass centre; on a frame a couple.
    pub torque: Option<Vector>,
}

impl Receiver {
    /// Its name.
    pub fn name(self, system: &System) -> &str {
        match self {
            Receiver::Point(place) => &system.points[place].name,
            Receiver::Body(place) => &system.bodies[place].name,
            Receiver::Frame(place) => &system.frames[place].name,
        }
    }
}

impl From<Target> for Receiver {
    fn from(target: Target) -> Receiver {
        match target {
            Target::Point(place) => Receiver::Point(place),
            Target::Body(place) => Receiver::Body(place),
        }
    }
}

impl Push {
    /// A force at a place; its torque on a body is about the mass centre.
    fn force(system: &System, on: Receiver, at: Vector, force: Vector) -> Push {
        let torque = match on {
            Receiver::Body(body) => Some((at - system.bodies[body].centre).cross(force)),
            Receiver::Point(_) | Receiver::Frame(_) => None,
        };
        Push { on, at: Some(at), force, torque }
    }

    /// A couple on a body or on a frame.
    fn couple(system: &System, on: Receiver, torque: Vector) -> Push {
        let at = match on {
            Receiver::Body(body) => Some(system.bodies[body].centre),
            Receiver::Point(_) | Receiver::Frame(_) => None,
        };
        Push { on, at, force: Vector::zero(), torque: Some(torque) }
    }

    /// Both together, on the same: at the one place that both have, or reduced to the mass centre.
    fn and(self, other: Push, system: &System) -> Push {
        let at = match (self.on, self.force.is_zero(), other.force.is_zero()) {
            (_, true, _) => other.at,
            (_, _, true) => self.at,
            (Receiver::Body(body), ..) if self.at != other.at => Some(system.bodies[body].centre),
            _ => self.at,
        };
        let torque = match (self.torque, other.torque) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
        Push { on: self.on, at, force: self.force + other.force, torque }
    }
}

/// The reactions of all constraints, in terms of the multipliers.
pub fn reactions(given: &Acts<'_>) -> Result<Vec<Reactions>, MathError> {
    let system = given.system;
    let mut names: Vec<usize> = Vec::new();
    for row in &given.rows.list {
        // All rows of a contact together.
        let contact = contact_of(&system.constraints[row.constraint]);
        let is_same = |&other: &usize| {
            other == row.constraint || (contact.is_some() && contact_of(&system.constraints[other]) == contact)
        };
        if !names.iter().any(is_same) {
            names.push(row.constraint);
        }
    }
    let elements = Elements::default();
    names.into_iter().map(|constraint| one_reaction(given, constraint, &elements)).collect()
}

/// The reaction of one constraint, or of the contact that it belongs to.
pub fn reaction(given: &Acts<'_>, constraint: usize) -> Result<Reactions, MathError> {
    one_reaction(given, constraint, &Elements::default())
}

fn one_reaction(given: &Acts<'_>, constraint: usize, elements: &Elements) -> Result<Reactions, MathError> {
    match contact_of(&given.system.constraints[constraint]) {
        Some(contact) => of_contact(given, contact),
        None => match given.system.constraints[constraint].origin {
            Origin::Joint(joint) => Ok(of_joint(given, constraint, joint)),
            _ => of_constraint(given, constraint, elements),
        },
    }
}

/// The reaction of a joint: what its rows do, and the opposite on the second body at the same place.
fn of_joint(given: &Acts<'_>, constraint: usize, joint: usize) -> Reactions {
    let (system, rows) = (given.system, &given.rows.list);
    let joint = &system.joints[joint];
    let places: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].constraint == constraint).collect();
    let (mut forces, mut torques) = (Vec::new(), Vec::new());
    for row in places.iter().map(|&row| &rows[row]) {
        let named = |own: &&crate::JointRow| row.name == format!("{}.{}", joint.name, own.label);
        let Some(own) = joint.rows.iter().find(named) else { continue };
        forces.push(own.force * row.lambda);
        torques.push(own.torque * row.lambda);
    }
    let (force, torque, point) = (Vector::sum(&forces), Vector::sum(&torques), joint.point);
    let push = |body: usize, force: Vector, torque: Vector| {
        let own = Push::force(system, Receiver::Body(body), point, force);
        Push { torque: own.torque.map(|of_force| of_force + torque), ..own }
    };
    let mut on = vec![push(joint.first, force, torque)];
    on.extend(joint.second.map(|second| push(second, -force, -torque)));
    Reactions {
        name: joint.name.clone(),
        generalized: generalized(system, rows, &places),
        rows: places,
        on,
        resultant: Some(force),
        shared: None,
        unknown: Vec::new(),
        contact: None,
        joint: Some(AtJoint { point, force, torque }),
    }
}

/// The reaction of a constraint on everything, or on a point or body; or why it does not follow from the model.
pub fn asked(given: &Acts<'_>, constraint: usize, on: Option<Target>) -> Result<Vector, String> {
    let (system, one) = (given.system, &given.system.constraints[constraint]);
    if contact_of(one).is_none() && one.rows.is_empty() {
        return Err(format!(
            "`{}` holds identically: it is built into the coordinates, and its reaction does not follow from the model",
            one.name
        ));
    }
    let told = |reason: &str| format!("the reaction of `{}` does not follow from the model: {reason}", one.name);
    let found = reaction(given, constraint).map_err(|error| told(&error.to_string()))?;
    match on {
        Some(target) => found.on_target(system, target).map_err(|reason| told(&reason)),
        None => found.resultant.ok_or_else(|| told(found.shared.as_deref().unwrap_or_default())),
    }
}

/// The torque of a joint about its point, on its first body; or why there is none.
pub fn asked_torque(given: &Acts<'_>, constraint: usize) -> Result<Vector, String> {
    let one = &given.system.constraints[constraint];
    if one.rows.is_empty() {
        return Err(format!(
            "`{}` holds identically: it is built into the coordinates, and its reaction does not follow from the model",
            one.name
        ));
    }
    let found = reaction(given, constraint).map_err(|error| error.to_string())?;
    found.joint.map(|joint| joint.torque).ok_or_else(|| format!("`{}` is no joint", one.name))
}

impl Reactions {
    /// What the constraint does to a point or a body, or why that does not follow.
    ///
    /// The force on a body counts what acts at points that are fixed in it.
    pub fn on_target(&self, system: &System, target: Target) -> Result<Vector, String> {
        let moved = |s: &usize| moves_with(system, target, *s);
        if let Some(reason) = self.shared.as_ref().filter(|_| self.unknown.is_empty() || self.unknown.iter().any(moved))
        {
            return Err(reason.clone());
        }
        let mut forces = Vec::new();
        for push in &self.on {
            match (push.on, target) {
                (on, target) if on == target.into() => forces.push(push.force),
                (Receiver::Point(point), Target::Point(other)) => {
                    let same = system.points[point].position - system.points[other].position;
                    forces.extend(same.is_zero().then_some(push.force));
                }
                (Receiver::Point(point), Target::Body(body)) => match carriers(system, point)[..] {
                    [one] => forces.extend((one == body).then_some(push.force)),
                    ref several if several.contains(&body) => {
                        let name = &system.points[point].name;
                        return Err(format!(
                            "`{name}` is fixed in several bodies, and which of them carries is not known"
                        ));
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        Ok(Vector::sum(&forces))
    }
}

/// The bodies that a point is fixed in.
pub fn carriers(system: &System, point: usize) -> Vec<usize> {
    let position = system.points[point].position;
    let is_fixed = |body: &usize| {
        let body = &system.bodies[*body];
        let arm = system.frames[body.frame].in_inertial.inward(position - body.centre);
        arm.rate().is_ok_and(|rate| rate.is_zero())
    };
    (0..system.bodies.len()).filter(is_fixed).collect()
}

/// Whether a point or body moves with a coordinate.
fn moves_with(system: &System, target: Target, s: usize) -> bool {
    Moves::of(system, target).is_ok_and(|moves| moves.own.contains(&s))
}

// ---- contacts

/// The reaction (4).
fn of_contact(given: &Acts<'_>, place: usize) -> Result<Reactions, MathError> {
    let (system, rows) = (given.system, &given.rows.list);
    let (contact, touch) = (&system.contacts[place], &system.contacts[place].touch);
    let is_own = |row: &Row| contact_of(&system.constraints[row.constraint]) == Some(place);
    let places: Vec<usize> = (0..rows.len()).filter(|&row| is_own(&rows[row])).collect();
    let multiplier = |label: &str| {
        let name = format!("{}.{label}", contact.name);
        places.iter().find(|&&row| rows[row].name == name).map(|&row| rows[row].lambda)
    };
    let n = touch.normal.unwrap_or_else(Vector::zero);
    let normal = multiplier("gap");
    let parts = touch.slips.iter().filter_map(|slip| Some((multiplier(slip.label)?, slip.direction)));
    let parts: Vec<Vector> = parts.map(|(lambda, direction)| direction * lambda).collect();
    let mut tangential = Vector::sum(&parts);
    let mut generalized = generalized(system, rows, &places);
    if let Some(friction) = friction(given, |gap| contact_of(&system.constraints[gap]) == Some(place)) {
        tangential = tangential + friction.force;
        add_friction(given, &mut generalized, friction)?;
    }
    let force = normal.map_or(tangential, |lambda| tangential + n * lambda);
    let point = touch.point.unwrap_or(contact.centre);
    let mut on = vec![Push::force(system, contact.what.into(), point, force)];
    if let Some(Carrier::Body(carrier)) = contact.carrier {
        on.push(Push::force(system, Receiver::Body(carrier), point, -force));
    }
    let [along, across] = touch.along.map_or([Expr::zero(); 2], |both| both.map(|t| t.dot(tangential)));
    let contact_part = Some(AtContact { point, normal, along, across });
    let part = |name: &str| format!("its {name} part is built into the coordinates, and is not among what is told");
    let shared = match (touch.gap.is_none(), touch.is_slip_built_in) {
        (true, _) => Some(part("normal")),
        (false, true) => Some(part("tangential")),
        (false, false) => None,
    };
    let (name, resultant) = (contact.name.clone(), shared.is_none().then_some(force));
    Ok(Reactions {
        name,
        rows: places,
        generalized,
        on,
        resultant,
        shared,
        unknown: Vec::new(),
        contact: contact_part,
        joint: None,
    })
}

/// The contact or the guide that slides where this constraint presses it.
fn friction<'a>(given: &Acts<'a>, presses: impl Fn(usize) -> bool) -> Option<&'a Sliding> {
    given.mode.sliding().find(|one| presses(one.rough.gap))
}

/// The friction in (1): its work on the velocities of what it acts on, and against.
fn add_friction(given: &Acts<'_>, generalized: &mut [Expr], sliding: &Sliding) -> Result<(), MathError> {
    let LoadKind::Force { on, at, against, .. } = &sliding.load.kind else { return Ok(()) };
    let force = sliding.force;
    let (system, q_dot) = (given.system, given.system.q_dot());
    for (target, force) in [(Some(*on), force), (*against, -force)] {
        let Some(target) = target else { continue };
        let velocity = match target {
            Target::Point(point) => system.points[point].position.rate()?,
            Target::Body(body) => {
                let body = &system.bodies[body];
                body.centre.rate()? + system.frames[body.frame].omega.cross(*at - body.centre)
            }
        };
        let slopes = expr::jacobian(&velocity.0, &q_dot)?;
        for (s, sum) in generalized.iter_mut().enumerate() {
            *sum += force.dot(Vector([slopes[0][s], slopes[1][s], slopes[2][s]]));
        }
    }
    Ok(())
}

/// The sum (1).
fn generalized(system: &System, rows: &[Row], places: &[usize]) -> Vec<Expr> {
    let of_coordinate = |s: usize| {
        let terms = places.iter().map(|&row| (rows[row].lambda, rows[row].A[s]));
        terms.filter(|(_, a)| *a != Expr::zero()).map(|(lambda, a)| lambda * a).sum()
    };
    (0..system.coordinates.len()).map(of_coordinate).collect()
}

// ---- constraints

/// The reaction of a constraint by (1), (2), (3), with the friction on a guide.
fn of_constraint(given: &Acts<'_>, constraint: usize, elements: &Elements) -> Result<Reactions, MathError> {
    let (system, rows) = (given.system, &given.rows.list);
    let places: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].constraint == constraint).collect();
    let mut generalized = generalized(system, rows, &places);
    let own: Vec<&Row> = places.iter().map(|&row| &rows[row]).filter(|row| !row.slips).collect();
    let mut acting = acting(system, constraint, &own, elements, given.at);
    if let Some(held) = given.mode.held.iter().find(|held| held.rough.gap == constraint) {
        let (rough, on) = (&held.rough, Receiver::from(held.rough.on));
        let mut held_by = |force: Vector| acting.take(system, Push::force(system, on, rough.at, force));
        // no slip of a guide that sticks
        for row in places.iter().map(|&row| &rows[row]).filter(|row| row.slips) {
            if let Some((direction, _)) = rough.slips.iter().find(|(_, slip)| *slip == row.f) {
                held_by(*direction * row.lambda);
            }
        }
        if let Some(sliding) = friction(given, |gap| gap == constraint) {
            held_by(sliding.force);
            add_friction(given, &mut generalized, sliding)?;
        }
    }
    let Acting { on, shared, unknown } = acting;
    let resultant = shared.is_none().then(|| Vector::sum(&on.iter().map(|push| push.force).collect::<Vec<_>>()));
    let name = system.constraints[constraint].name.clone();
    Ok(Reactions { name, rows: places, generalized, on, resultant, shared, unknown, contact: None, joint: None })
}

/// What a constraint does to points, bodies and frames, and what is not known of it.
#[derive(Default)]
struct Acting {
    on: Vec<Push>,
    shared: Option<String>,
    unknown: Vec<usize>,
}

impl Acting {
    /// Adds a push to those on the same.
    fn take(&mut self, system: &System, push: Push) {
        match self.on.iter_mut().find(|one| one.on == push.on) {
            Some(one) => *one = one.and(push, system),
            None => self.on.push(push),
        }
    }
}

impl Acting {
    /// A force at a point that is fixed in a body, whose frame is named too, acts on that body: `P + l*B.x` is a place on it,
    /// and so is what is measured along `B` from P.
    fn gather(&mut self, system: &System) {
        let turned =
            |push: &Push| matches!((push.on, push.torque), (Receiver::Body(_), Some(torque)) if !torque.is_zero());
        let bodies: Vec<Receiver> = self.on.iter().filter(|push| turned(push)).map(|push| push.on).collect();
        if bodies.is_empty() {
            return;
        }
        let owner = |push: &Push| -> Option<Receiver> {
            let Receiver::Point(point) = push.on else { return None };
            let own = carriers(system, point).into_iter().map(Receiver::Body).filter(|body| bodies.contains(body));
            let own: Vec<Receiver> = own.collect();
            if let [body] = own[..] { Some(body) } else { None }
        };
        for push in std::mem::take(&mut self.on) {
            match (owner(&push), push.at) {
                (Some(Receiver::Body(body)), Some(at)) => {
                    let whole = Push::force(system, Receiver::Body(body), at, push.force);
                    self.take(system, Push { at: Some(system.bodies[body].centre), ..whole });
                }
                _ => self.take(system, push),
            }
        }
    }
}

/// (2) and (3) of some rows of a constraint.
fn acting(system: &System, constraint: usize, rows: &[&Row], elements: &Elements, at: &At) -> Acting {
    let (mut acting, one) = (Acting::default(), &system.constraints[constraint]);
    if let Origin::QuaternionNorm(_) = one.origin {
        // a rotation does not change the length: nothing is pushed
        return acting;
    }
    let find = |place: usize| rows.iter().find(|row| row.name == row_name(one, place));
    let orders: Vec<u32> = (0..one.rows.len()).map(|place| find(place).map_or(0, |row| row.order)).collect();
    let slopes = match system.slopes(one, &orders) {
        Ok(slopes) => slopes,
        Err(reason) => {
            acting.shared = Some(reason);
            return acting;
        }
    };
    let mut bare = vec![Expr::zero(); system.coordinates.len()];
    for (place, Slopes { on, bare: coordinates }) in slopes.into_iter().enumerate() {
        let Some(lambda) = find(place).map(|row| row.lambda) else { continue };
        on.into_iter().for_each(|(named, slope)| acting.take(system, push_on(system, named, slope * lambda)));
        coordinates.into_iter().for_each(|(s, slope)| bare[s] += slope * lambda);
    }
    spread(system, &bare, elements, at, &mut acting);
    acting.gather(system);
    acting
}

/// The force or couple (2) on what a text names.
fn push_on(system: &System, named: Named, value: Vector) -> Push {
    match named {
        Named::Point(point) => Push::force(system, Receiver::Point(point), system.points[point].position, value),
        Named::Centre(body) => Push::force(system, Receiver::Body(body), system.bodies[body].centre, value),
        Named::Material { body, place } => Push::force(system, Receiver::Body(body), place, value),
        Named::Body(body) => Push::couple(system, Receiver::Body(body), value),
        Named::Frame(frame) => {
            let turning: Vec<usize> =
                (0..system.bodies.len()).filter(|&body| system.bodies[body].frame == frame).collect();
            let on = if let [body] = turning[..] { Receiver::Body(body) } else { Receiver::Frame(frame) };
            Push::couple(system, on, value)
        }
        // never asked: coordinates are spread over what moves with them
        Named::Coordinate(_) => Push { on: Receiver::Frame(0), at: None, force: value, torque: None },
    }
}

/// The one point that the constraint f(q) = 0 holds, and its reaction for a multiplier of one; or why there is none.
pub(crate) fn on_one_point(system: &System, constraint: usize, at: &At) -> Result<(usize, Vector), String> {
    let one = &system.constraints[constraint];
    let f = one.rows[0];
    let row = Row::of(system, &row_name(one, 0), constraint, f).map_err(|error| error.to_string())?;
    let lambda = Substitution::from([(row.lambda, Expr::one())]);
    let Acting { on, shared, .. } = acting(system, constraint, &[&row], &Elements::default(), at);
    match (shared, &on[..]) {
        (Some(reason), _) => Err(reason),
        (None, &[Push { on: Receiver::Point(point), force, .. }]) => {
            let force = lambda.apply(&force.0).map_err(|error| error.to_string())?;
            Ok((point, Vector([force[0], force[1], force[2]])))
        }
        (None, [Push { on: Receiver::Body(body), .. }]) => {
            Err(format!("it holds the body `{}`, and at which point is not said", system.bodies[*body].name))
        }
        (None, on) => Err(format!("it acts on {} points or bodies", on.len())),
    }
}

// ---- coordinates that stand by themselves

/// The slopes of velocity and angular velocity of an element along `N`.
struct Moves {
    on: Receiver,
    /// The coordinates that it moves with.
    own: Vec<usize>,
    /// For each of them ∂v/∂q' and ∂ω/∂q'.
    along: Vec<(Vector, Vector)>,
}

impl Moves {
    fn of(system: &System, target: Target) -> Result<Moves, MathError> {
        let (position, omega) = match target {
            Target::Point(place) => (system.points[place].position, Vector::zero()),
            Target::Body(place) => {
                let body = &system.bodies[place];
                (body.centre, system.frames[body.frame].omega)
            }
        };
        let q_dot = system.q_dot();
        let (v, omega) = (expr::jacobian(&position.rate()?.0, &q_dot)?, expr::jacobian(&omega.0, &q_dot)?);
        let column = |matrix: &[Vec<Expr>], s: usize| Vector([matrix[0][s], matrix[1][s], matrix[2][s]]);
        let all: Vec<(Vector, Vector)> = (0..q_dot.len()).map(|s| (column(&v, s), column(&omega, s))).collect();
        let own: Vec<usize> = (0..all.len()).filter(|&s| !(all[s].0.is_zero() && all[s].1.is_zero())).collect();
        let along = own.iter().map(|&s| all[s]).collect();
        Ok(Moves { on: target.into(), own, along })
    }
}

/// What moves with coordinates: made once for all constraints, if one asks.
#[derive(Default)]
struct Elements {
    made: OnceCell<Result<Vec<Moves>, MathError>>,
}

impl Elements {
    fn of(&self, system: &System) -> &Result<Vec<Moves>, MathError> {
        self.made.get_or_init(|| elements(system))
    }
}

/// Particles and bodies; points without mass for coordinates that move none of these.
fn elements(system: &System) -> Result<Vec<Moves>, MathError> {
    let points = |heavy: bool| {
        (0..system.points.len()).filter(move |&p| system.points[p].mass.is_some() == heavy).map(Target::Point)
    };
    let bodies = (0..system.bodies.len()).map(Target::Body);
    let mut all = points(true).chain(bodies).map(|one| Moves::of(system, one)).collect::<Result<Vec<_>, _>>()?;
    let taken: Vec<usize> = all.iter().flat_map(|one| one.own.clone()).collect();
    for target in points(false) {
        let light = Moves::of(system, target)?;
        if !light.own.iter().any(|s| taken.contains(s)) {
            all.push(light);
        }
    }
    Ok(all)
}

/// What forces on coordinates do to points and bodies (3), and why that is not known.
fn spread(system: &System, bare: &[Expr], elements: &Elements, at: &At, acting: &mut Acting) {
    let mut left: Vec<usize> = (0..bare.len()).filter(|&s| !bare[s].is_zero()).collect();
    if left.is_empty() {
        return;
    }
    let elements = match elements.of(system) {
        Ok(elements) => elements,
        Err(error) => {
            (acting.shared, acting.unknown) = (Some(error.to_string()), left);
            return;
        }
    };
    let name = |s: usize| &system.coordinates[s].name;
    for element in elements {
        let Some(&first) = left.iter().find(|s| element.own.contains(s)) else { continue };
        let others = || elements.iter().filter(|other| other.on != element.on);
        let is_common = |s: &&usize| others().any(|other| other.own.contains(s));
        let own = || element.own.iter().filter(|s| left.contains(s)).chain(&element.own);
        let common = own().find(is_common).copied();
        let reason = match (common, solved(system, element, bare, at)) {
            (Some(s), _) => {
                format!("`{}` moves more than one point or body, so only generalized reactions exist", name(s))
            }
            (None, Solved::Push(push)) => {
                acting.take(system, push);
                left.retain(|s| !element.own.contains(s));
                continue;
            }
            (None, Solved::Hinged) => format!(
                "`{}` moves `{}` about what is built into its coordinates: where it acts is not said, and only \
                 generalized reactions follow; name the point, as in `P.x`",
                name(first),
                element.on.name(system)
            ),
            (None, Solved::Singular) => {
                format!("the coordinates of `{}` are singular at this state", element.on.name(system))
            }
        };
        acting.unknown.extend(left.iter().filter(|s| element.own.contains(s)));
        left.retain(|s| !element.own.contains(s));
        acting.shared = Some(reason);
    }
    if let Some(&s) = left.first() {
        acting.shared.get_or_insert(format!("`{}` moves no point or body", name(s)));
        acting.unknown.extend(left);
    }
}

/// What (3) comes to.
enum Solved {
    Push(Push),
    /// A velocity comes only with an angular velocity.
    Hinged,
    /// The coordinates fail at the state.
    Singular,
}

/// The force along the velocities, and the torque along the angular velocities, that do (3): F = Σ a ∂v, M = Σ b ∂ω with
/// independent ∂v and ∂ω, whose numbers add up to that of the coordinates.
fn solved(system: &System, element: &Moves, bare: &[Expr], at: &At) -> Solved {
    let (V, W): (Vec<Vector>, Vec<Vector>) = element.along.iter().copied().unzip();
    let (v, w) = (independent(&V), independent(&W));
    if v.len() + w.len() != element.own.len() {
        return Solved::Hinged;
    }
    let line = |k: usize| {
        let (forces, torques) = (v.iter().map(|a| a.dot(V[k])), w.iter().map(|b| b.dot(W[k])));
        forces.chain(torques).collect::<Vec<Expr>>()
    };
    let matrix: Vec<Vec<Expr>> = (0..V.len()).map(line).collect();
    let right: Vec<Expr> = element.own.iter().map(|&s| bare[s]).collect();
    let Ok(z) = solve(&Matrix::from_rows(&matrix), &right, at) else { return Solved::Singular };
    let sum = |vectors: &[Vector], z: &[Expr]| {
        Vector::sum(&vectors.iter().zip(z).map(|(vector, &z)| *vector * z).collect::<Vec<Vector>>())
    };
    let (force, torque) = (sum(&v, &z), sum(&w, &z[v.len()..]));
    Solved::Push(match element.on {
        Receiver::Body(body) => {
            Push { on: element.on, at: Some(system.bodies[body].centre), force, torque: Some(torque) }
        }
        Receiver::Point(point) => Push::force(system, element.on, system.points[point].position, force),
        Receiver::Frame(_) => return Solved::Hinged,
    })
}

/// The first vectors that span what all span, at most three.
pub(crate) fn independent(vectors: &[Vector]) -> Vec<Vector> {
    let mut basis: Vec<Vector> = Vec::new();
    for &vector in vectors {
        let is_new = match basis[..] {
            [] => !vector.is_zero(),
            [a] => !a.cross(vector).is_zero(),
            [a, b] => !a.cross(b).dot(vector).is_zero(),
            _ => false,
        };
        if is_new {
            basis.push(vector);
        }
    }
    basis
}

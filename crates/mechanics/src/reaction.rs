//! What does each constraint do to which point or body?
//!
//! ```text
//! G_s = Σ λ A_s                                       on the coordinates                       (1)
//! F·∂v/∂q'_s + M·∂ω/∂q'_s = G_s                       on the element that alone moves with q_s  (2)
//! ```
//!
//! (2) has a solution where the coordinates of an element are its own: a particle by its Cartesian or
//! any other coordinates, a body by the place of its mass centre and its angles. Of all solutions the
//! smallest is taken, so that nothing appears along directions that are built into the coordinates:
//! what is built in has no reaction. Where elements share a coordinate, only (1) is defined.
//!
//! A contact needs no such search: its reaction is λ n + Σ λ t at the point K that touches,
//!
//! ```text
//! F = λ_gap n + Σ λ_slip t,   M_C = (K − C) × F,     −F at K on a body that carries the plane   (3)
//! ```

use expr::{At, Expr, MathError};
use proof::linear::{Matrix, solve};

use crate::contact::contact_of;
use crate::form::FormError;
use crate::ingredients::Ingredients;
use crate::rows::Row;
use crate::{Carrier, Rate, System, Target, Vector};

/// The reaction of one constraint.
#[derive(Clone, Debug)]
pub struct Reactions {
    /// The constraint.
    pub name: String,
    /// Its rows that act.
    pub rows: Vec<usize>,
    /// What it does to each coordinate (1).
    pub generalized: Vec<Expr>,
    /// What it does to points and bodies (2).
    pub on: Vec<Push>,
    /// The sum of all forces, if (2) could be solved everywhere; for a contact the force on what touches the plane.
    pub resultant: Option<Vector>,
    /// Why it could not.
    pub shared: Option<String>,
    /// For a contact: where it acts, and its parts.
    pub contact: Option<AtContact>,
}

/// The reaction of a contact (3) on what touches the plane.
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

/// A force, and a torque on a body.
#[derive(Clone, Copy, Debug)]
pub struct Push {
    /// What it acts on; a force on a body at its mass centre.
    pub target: Target,
    /// The force along `N`.
    pub force: Vector,
    /// The torque along `N`, on a body.
    pub torque: Option<Vector>,
}

/// The reactions of all constraints, in terms of the multipliers.
pub fn reactions(given: &Ingredients<'_>) -> Result<Vec<Reactions>, FormError> {
    let (system, rows) = (given.system, &given.rows.list);
    let elements = inertial(system)?;
    let mut names: Vec<usize> = rows.iter().map(|row| row.constraint).collect();
    names.dedup();
    // All rows of a contact together.
    let mut seen = Vec::new();
    names.retain(|&constraint| match contact_of(&system.constraints[constraint]) {
        None => true,
        Some(contact) => {
            let is_new = !seen.contains(&contact);
            seen.push(contact);
            is_new
        }
    });
    let of = |constraint: usize| match contact_of(&system.constraints[constraint]) {
        Some(contact) => Ok(of_contact(given, contact)),
        None => of_constraint(given, &elements, constraint),
    };
    names.into_iter().map(of).collect()
}

/// The reaction (3).
fn of_contact(given: &Ingredients<'_>, place: usize) -> Reactions {
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
    if let Some(sliding) =
        given.mode.sliding().filter(|one| contact_of(&system.constraints[one.rough.gap]) == Some(place))
    {
        tangential = tangential + sliding.force;
    }
    let force = normal.map_or(tangential, |lambda| tangential + n * lambda);
    let point = touch.point.unwrap_or(contact.centre);
    let push = |target: Target, force: Vector| {
        let torque = match target {
            Target::Point(_) => None,
            Target::Body(body) => Some((point - system.bodies[body].centre).cross(force)),
        };
        Push { target, force, torque }
    };
    let mut on = vec![push(contact.what, force)];
    if let Some(Carrier::Body(carrier)) = contact.carrier {
        on.push(push(Target::Body(carrier), -force));
    }
    let [along, across] = touch.along.map_or([Expr::zero(); 2], |both| both.map(|t| t.dot(tangential)));
    let generalized = generalized(system, rows, &places);
    let contact_part = AtContact { point, normal, along, across };
    let name = contact.name.clone();
    Reactions { name, rows: places, generalized, on, resultant: Some(force), shared: None, contact: Some(contact_part) }
}

/// The sum (1).
fn generalized(system: &System, rows: &[Row], places: &[usize]) -> Vec<Expr> {
    let of_coordinate = |s: usize| {
        let terms = places.iter().map(|&row| (rows[row].lambda, rows[row].A[s]));
        terms.filter(|(_, a)| *a != Expr::zero()).map(|(lambda, a)| lambda * a).sum()
    };
    (0..system.coordinates.len()).map(of_coordinate).collect()
}

/// The slopes of velocity and angular velocity of an element along `N`.
struct Slopes {
    target: Target,
    /// The coordinates that it moves with.
    own: Vec<usize>,
    /// For each of them ∂v/∂q' and ∂ω/∂q'.
    along: Vec<(Vector, Vector)>,
}

fn inertial(system: &System) -> Result<Vec<Slopes>, MathError> {
    let (rate, q_dot): (Rate<'_>, _) = (&expr::total_derivative, system.q_dot());
    let of = |target: Target| -> Result<Slopes, MathError> {
        let (position, omega) = match target {
            Target::Point(place) => (system.points[place].position, Vector::zero()),
            Target::Body(place) => {
                let body = &system.bodies[place];
                (body.centre, system.frames[body.frame].omega)
            }
        };
        let v = position.try_map(rate)?;
        let slopes = |vector: Vector| -> Result<Vec<Vec<Expr>>, MathError> { expr::jacobian(&vector.0, &q_dot) };
        let (v, omega) = (slopes(v)?, slopes(omega)?);
        let column = |matrix: &[Vec<Expr>], s: usize| Vector([matrix[0][s], matrix[1][s], matrix[2][s]]);
        let all: Vec<(Vector, Vector)> = (0..q_dot.len()).map(|s| (column(&v, s), column(&omega, s))).collect();
        let own: Vec<usize> = (0..all.len()).filter(|&s| !(all[s].0.is_zero() && all[s].1.is_zero())).collect();
        let along = own.iter().map(|&s| all[s]).collect();
        Ok(Slopes { target, own, along })
    };
    let particles = (0..system.points.len()).filter(|&place| system.points[place].mass.is_some()).map(Target::Point);
    particles.chain((0..system.bodies.len()).map(Target::Body)).map(of).collect()
}

fn of_constraint(given: &Ingredients<'_>, elements: &[Slopes], constraint: usize) -> Result<Reactions, FormError> {
    let (system, rows) = (given.system, &given.rows.list);
    let places: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].constraint == constraint).collect();
    let generalized = generalized(system, rows, &places);
    let name = system.constraints[constraint].name.clone();
    let (mut on, shared) = spread(system, elements, &generalized, given.at);
    if let (Some(sliding), Some(push)) =
        (given.mode.sliding().filter(|one| one.rough.gap == constraint), on.first_mut())
    {
        push.force = push.force + sliding.force;
    }
    let resultant = shared.is_none().then(|| Vector::sum(&on.iter().map(|push| push.force).collect::<Vec<_>>()));
    Ok(Reactions { name, rows: places, generalized, on, resultant, shared, contact: None })
}

/// The one particle that the constraint f(q) = 0 holds, and its reaction for a multiplier of one; or why there is none.
pub(crate) fn on_one_point(system: &System, f: Expr, at: &At) -> Result<(usize, Vector), String> {
    let elements = inertial(system).map_err(|error| error.to_string())?;
    let slopes = expr::gradient(f, &system.q()).map_err(|error| error.to_string())?;
    let (on, shared) = spread(system, &elements, &slopes, at);
    match (shared, &on[..]) {
        (Some(reason), _) => Err(reason),
        (None, &[Push { target: Target::Point(point), force, .. }]) => Ok((point, force)),
        (None, [Push { target: Target::Body(body), .. }]) => {
            Err(format!("it holds the body `{}`, and at which point is not said", system.bodies[*body].name))
        }
        (None, on) => Err(format!("it acts on {} points or bodies", on.len())),
    }
}

/// What generalized forces do to points and bodies (2), or why that is not defined.
fn spread(system: &System, elements: &[Slopes], generalized: &[Expr], at: &At) -> (Vec<Push>, Option<String>) {
    let (mut on, mut shared) = (Vec::new(), None);
    let mut left: Vec<usize> = (0..generalized.len()).filter(|&s| !generalized[s].is_zero()).collect();
    for element in elements {
        if !element.own.iter().any(|s| left.contains(s)) {
            continue;
        }
        let others = elements.iter().filter(|other| other.target != element.target);
        let common = others.flat_map(|other| &other.own).find(|s| element.own.contains(s));
        if let Some(&s) = common {
            let name = &system.coordinates[s].name;
            shared = Some(format!("`{name}` moves more than one point or body, so only generalized reactions exist"));
            continue;
        }
        match solved(element, generalized, at) {
            Some(push) => on.push(push),
            None => shared = Some("the coordinates do not determine how a reaction is spread".to_owned()),
        }
        left.retain(|s| !element.own.contains(s));
    }
    if let (Some(&s), None) = (left.first(), &shared) {
        shared = Some(format!("`{}` moves no point or body", system.coordinates[s].name));
    }
    (on, shared)
}

/// The smallest force and torque that do (2): J z with JᵀJ z = G.
fn solved(element: &Slopes, generalized: &[Expr], at: &At) -> Option<Push> {
    let gram = |a: &(Vector, Vector)| {
        let entry = |b: &(Vector, Vector)| a.0.dot(b.0) + a.1.dot(b.1);
        element.along.iter().map(entry).collect::<Vec<_>>()
    };
    let gram: Vec<Vec<Expr>> = element.along.iter().map(gram).collect();
    let right: Vec<Expr> = element.own.iter().map(|&s| generalized[s]).collect();
    let z = solve(&Matrix::from_rows(&gram), &right, at).ok()?;
    let sum = |part: &dyn Fn(&(Vector, Vector)) -> Vector| {
        let terms: Vec<Vector> = element.along.iter().zip(&z).map(|(slopes, &z)| part(slopes) * z).collect();
        Vector::sum(&terms)
    };
    let torque = matches!(element.target, Target::Body(_)).then(|| sum(&|slopes| slopes.1));
    Some(Push { target: element.target, force: sum(&|slopes| slopes.0), torque })
}

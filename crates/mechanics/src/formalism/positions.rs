//! Positions alone: every mass as particles whose places are functions of the coordinates and of time.
//!
//! ```text
//! r = C + Σ ξ_a e_a                               a particle of a body: ξ is fixed, C and e_a are given          (1)
//! K_ab = Σ m ξ_a ξ_b = ½ (I_xx + I_yy + I_zz) δ_ab − I_ab                    about the mass centre               (2)
//! Σ m r''·∂r/∂q_s = m C''·∂C/∂q_s + Σ K_ab e_a''·∂e_b/∂q_s = Q_s + Σ λ A_s   over all particles                  (3)
//! F at a place of a body      F·(∂C/∂q_s + Σ ξ_a ∂e_a/∂q_s),   ξ_a = e_a·(place − C), held fast                 (4)
//! a torque M                  ½ Σ (M × e_a)·∂e_a/∂q_s                                                            (5)
//! springs, dampers            −k (l − l₀) ∂l/∂q_s,   −c l' ∂l/∂q_s           l the distance of the ends          (6)
//! ```
//!
//! No angular velocity, no velocity of a point, no energy of motion: places are differentiated twice by time and once by
//! each coordinate. What the other families take from the kinematics and from the loads is made here once more, in another way.
//!
//! Class: constraints of every class, time-dependent ones and variable mass included; inertias that do not change.
//!
//! History: d'Alembert and Lagrange began so, with sums over all particles of the bodies; Euler's angular velocity made
//! the sums short. They come back here as a check of what is short.
//!
//! Source: J.-L. Lagrange, Méchanique analitique (1788), part 2, section II.

use expr::{Expr, total_derivative};

use crate::form::{Form, FormError};
use crate::ingredients::Ingredients;
use crate::steps::{Line, Step, Steps, name_of};
use crate::{LoadKind, System, Target, Vector};

/// A component of a place, and what it is weighed with.
type Pairs = Vec<(Expr, Expr)>;

/// The equations (3).
pub fn derive(given: &Ingredients<'_>, show: &mut Steps) -> Result<Form, FormError> {
    given.need_particles()?;
    let system = given.system;
    let mut inertia = Pairs::new();
    for (target, mass) in given.masses() {
        let place = place_of(system, target);
        push(&mut inertia, place, place.rate()?.rate()? * mass);
        if let Target::Body(body) = target {
            let (e, K) = (axes(system, body), second_moments(system, body, mass)?);
            let turns = [e[0].rate()?.rate()?, e[1].rate()?.rate()?, e[2].rate()?.rate()?];
            for b in 0..3 {
                push(&mut inertia, e[b], Vector::sum(&[0, 1, 2].map(|a| turns[a] * K[a][b])));
            }
        }
    }
    let left: Vec<Expr> = expr::pullback(&inertia, &given.q)?;
    let Q = forces(given)?;
    show.add(|| places(given))?;
    show.add(|| moments(given))?;
    show.each(
        "Generalized forces by the displacements of places",
        "Q[#]",
        "Q_s = Σ F·∂r/∂q_s,   r: what a load acts on",
        &given.q,
        &Q,
    );
    show.balance_with_multipliers("(3)", given, &[("Σ m r''·∂r/∂#", &left)], &[("Q[#]", &Q)]);
    Form::with_multipliers(given, &left, &Q)
}

fn place_of(system: &System, target: Target) -> Vector {
    match target {
        Target::Point(place) => system.points[place].position,
        Target::Body(place) => system.bodies[place].centre,
    }
}

/// The unit vectors of a body, along N.
fn axes(system: &System, body: usize) -> [Vector; 3] {
    system.frames[system.bodies[body].frame].in_inertial.axes
}

fn push(pairs: &mut Pairs, place: Vector, weight: Vector) {
    let both = place.0.into_iter().zip(weight.0);
    pairs.extend(both.filter(|(place, weight)| *place != Expr::zero() && *weight != Expr::zero()));
}

/// (2); a body with one moment turns in its plane, and any two halves of it do.
fn second_moments(system: &System, body: usize, mass: Expr) -> Result<[[Expr; 3]; 3], FormError> {
    let own = &system.bodies[body];
    let half = expr::rational(1, 2);
    let [xx, yy, zz, xy, yz, zx] = own.inertia.entries;
    let varies = |e: Expr| total_derivative(e).map(|rate| rate != Expr::zero());
    for entry in own.inertia.entries {
        if varies(entry)? {
            return Err(FormError::NotApplicable(format!("the inertia of `{}` changes", own.name)));
        }
    }
    let zero = Expr::zero();
    let mut K = match own.inertia.given {
        1 => [[half * zz, zero, zero], [zero, half * zz, zero], [zero, zero, zero]],
        _ => {
            let trace = half * Expr::sum(&[xx, yy, zz]);
            [[trace - xx, -xy, -zx], [-xy, trace - yy, -yz], [-zx, -yz, trace - zz]]
        }
    };
    if let Some(about) = own.inertia.about {
        let e = axes(system, body);
        let d = e.map(|e| expr::simplify(e.dot(own.centre - about), &[]));
        let plane = if own.inertia.given == 1 { 2 } else { 3 };
        (0..plane).for_each(|a| (0..plane).for_each(|b| K[a][b] -= mass * d[a] * d[b]));
    }
    Ok(K)
}

/// The generalized forces, by the displacements of what the loads act on.
fn forces(given: &Ingredients<'_>) -> Result<Vec<Expr>, FormError> {
    let system = given.system;
    let mut pairs = Pairs::new();
    let mut more = vec![Vec::new(); given.q.len()];
    for load in given.mode.loads(system) {
        match &load.kind {
            LoadKind::Force { force, on, at, against, .. } => {
                act(system, &mut pairs, *on, *at, *force);
                if let Some(other) = *against {
                    act(system, &mut pairs, other, *at, -*force);
                }
            }
            LoadKind::Torque { along, on, against } => {
                let parts = along.iter().map(|(frame, part)| system.frames[*frame].in_inertial.outward(*part));
                let torque = Vector::sum(&parts.collect::<Vec<Vector>>());
                turn(system, &mut pairs, *on, torque);
                if let Some(other) = *against {
                    turn(system, &mut pairs, other, -torque);
                }
            }
            LoadKind::Gravity(g) => {
                given.masses().for_each(|(target, mass)| push(&mut pairs, place_of(system, target), *g * mass));
            }
            LoadKind::Spring { stiffness, rest, ends } => {
                let length = (ends[0].position - ends[1].position).norm()?;
                pairs.push((length, -*stiffness * (length - *rest)));
            }
            LoadKind::Damper { coefficient, ends } => {
                let length = (ends[0].position - ends[1].position).norm()?;
                pairs.push((length, -*coefficient * total_derivative(length)?));
            }
            LoadKind::Potential(V) => pairs.push((*V, -Expr::one())),
            LoadKind::Dissipation(D) => {
                let slopes = expr::gradient(*D, &given.q_dot)?;
                more.iter_mut().zip(slopes).for_each(|(more, slope)| more.push(-slope));
            }
            LoadKind::Generalized { force, coordinate } => more[*coordinate].push(*force),
            LoadKind::Kinetic(_) => {}
        }
    }
    for point in &system.points {
        if let (Some(mass), Some(u)) = (point.mass, point.exhaust) {
            push(&mut pairs, point.position, u * total_derivative(mass)?);
        }
    }
    let by_places = expr::pullback(&pairs, &given.q)?;
    Ok(by_places
        .into_iter()
        .zip(more)
        .map(|(force, more)| more.into_iter().fold(force, |sum, one| sum + one))
        .collect())
}

/// (4)
fn act(system: &System, pairs: &mut Pairs, on: Target, at: Vector, force: Vector) {
    push(pairs, place_of(system, on), force);
    if let Target::Body(body) = on {
        let arm = at - system.bodies[body].centre;
        axes(system, body).into_iter().for_each(|e| push(pairs, e, force * e.dot(arm)));
    }
}

/// (5)
fn turn(system: &System, pairs: &mut Pairs, body: usize, torque: Vector) {
    axes(system, body).into_iter().for_each(|e| push(pairs, e, torque.cross(e) * expr::rational(1, 2)));
}

/// The places and their second derivatives.
fn places(given: &Ingredients<'_>) -> Result<Step, FormError> {
    let mut lines = Vec::new();
    for (target, _) in given.masses() {
        let (name, place) = (name_of(given, target), place_of(given.system, target));
        lines.push(Line::Vector { name: format!("r[{name}]"), value: place, frame: 0 });
        lines.push(Line::Vector { name: format!("r''[{name}]"), value: place.rate()?.rate()?, frame: 0 });
    }
    Ok(Step { title: "Places, and how they accelerate", name: "r".to_owned(), formula: "(1)", lines })
}

/// The second moments of the bodies, along themselves.
fn moments(given: &Ingredients<'_>) -> Result<Step, FormError> {
    let mut lines = Vec::new();
    for (target, mass) in given.masses() {
        if let Target::Body(body) = target {
            let rows = second_moments(given.system, body, mass)?.map(|row| row.to_vec()).to_vec();
            lines.push(Line::Matrix { name: format!("K[{}]", name_of(given, target)), rows });
        }
    }
    Ok(Step { title: "Second moments of the bodies", name: "K".to_owned(), formula: "(2)", lines })
}

//! How does everything move, given the rates of the coordinates?
//!
//! ```text
//! frame B turned from A     ω_B = Rᵀ ω_A + ω_AB                       along B               (1)
//! position r = r_P + Σ c    v = v_P + Σ (c' + ω × c)                  each arm along its frame (2)
//! axes that turn with ω_f   a = v' + ω_f × v,   α = ω' + ω_f × ω      components differentiated (3)
//! loads                     power Σ F·v + M·ω,  so Q = Σ F·∂v/∂u + M·∂ω/∂u for a speed u   (4)
//! ```
//!
//! Kinematics is a function of rates: called with rate symbols it gives v(q, q', t), with the
//! inverse of a chart ṽ(q, u, t); nothing is substituted. Vectors are kept along the frame in
//! which they are short: v along the deepest frame of its position, ω along the body, or, for a
//! body of revolution whose last turn is about its axis, along the frame before that turn.

use expr::{Expr, Kind, MathError};
use syntax::Span;

use crate::{About, Inertia, Load, LoadKind, Orientation, Placement, Rate, Rotation, System, Target, Turn, Vector};

/// How the names of velocities end that have symbols.
const LIFTED: &str = "@lifted";

/// The masses of a system and their velocities, for one set of rates.
#[derive(Clone, Debug)]
pub struct Kinematics {
    /// Particles in the order of the points, then the bodies.
    pub elements: Vec<Element>,
    /// The loads, in their order, then the reactive forces of variable masses.
    pub efforts: Vec<Vec<Effort>>,
}

/// A component of a force and of the velocity that it acts on (4); the sum of their products is
/// the power.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The velocity, made with the rates of this kinematics.
    pub velocity: Expr,
    /// The force, with the rates as symbols.
    pub force: Expr,
}

/// A particle or a rigid body in motion.
#[derive(Clone, Debug)]
pub struct Element {
    /// Which one.
    pub target: Target,
    /// Its mass; where it varies, a symbol that stands for it and does not change.
    pub mass: Expr,
    /// The velocity of the particle or of the mass centre.
    pub velocity: Local,
    /// The angular velocity and inertia of a body.
    pub spin: Option<Spin>,
}

/// A vector by its components along axes that turn.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// The components.
    pub components: Vector,
    /// The angular velocity of the axes, along themselves.
    pub omega_axes: Vector,
    /// The frame of the axes, as a place in [`System::frames`].
    pub frame: usize,
}

impl Local {
    /// The derivative in `N` (3): `d_dt` differentiates the components.
    pub fn rate(self, d_dt: Rate<'_>) -> Result<Vector, MathError> {
        let change = self.components.try_map(d_dt)?;
        if self.omega_axes == Vector::zero() {
            return Ok(change);
        }
        Ok(change + self.omega_axes.cross(self.components))
    }
}

/// The rotation of a body.
#[derive(Clone, Debug)]
pub struct Spin {
    /// The angular velocity, along the body or along the frame that carries its axis.
    pub omega: Local,
    /// The central inertia along the same axes: xx, yy, zz, xy, yz, zx.
    pub inertia: [Expr; 6],
}

impl Spin {
    /// I w.
    pub fn times(&self, w: Vector) -> Vector {
        Spin::times_of(&self.inertia, w)
    }

    pub(crate) fn times_of(&[xx, yy, zz, xy, yz, zx]: &[Expr; 6], w: Vector) -> Vector {
        let [x, y, z] = w.0;
        Vector([
            Expr::sum(&[xx * x, xy * y, zx * z]),
            Expr::sum(&[xy * x, yy * y, yz * z]),
            Expr::sum(&[zx * x, yz * y, zz * z]),
        ])
    }
}

/// What cannot move as the model says.
#[derive(Clone, Debug)]
pub enum KinematicsError {
    /// A derivative does not exist.
    Math(MathError),
    /// A body with one moment of inertia turns in space.
    PlaneInertia {
        /// The body.
        body: String,
        /// Where it is declared.
        span: Span,
    },
}

impl From<MathError> for KinematicsError {
    fn from(error: MathError) -> KinematicsError {
        KinematicsError::Math(error)
    }
}

impl Kinematics {
    /// The motion of every mass, for the rates that `rate` stands for. `masses` are the masses of
    /// the elements, in their order.
    pub fn of(
        system: &System,
        loads: &[&Load],
        masses: &[Expr],
        rate: Rate<'_>,
    ) -> Result<Kinematics, KinematicsError> {
        Kinematics::moving(&mut Tree::new(system, rate), loads, masses)
    }

    /// The same with the rates as symbols, where each velocity of a point or a frame that others are made from is a symbol
    /// too; and these symbols, each with its value, in an order in which no value needs a later one.
    pub(crate) fn lifted(
        system: &System,
        loads: &[&Load],
        masses: &[Expr],
    ) -> Result<(Kinematics, Vec<(Expr, Expr)>), KinematicsError> {
        let mut tree = Tree::new(system, &expr::total_derivative);
        tree.lifted = Some(Vec::new());
        let made = Kinematics::moving(&mut tree, loads, masses)?;
        Ok((made, tree.lifted.unwrap_or_default()))
    }

    fn moving(tree: &mut Tree<'_>, loads: &[&Load], masses: &[Expr]) -> Result<Kinematics, KinematicsError> {
        let system = tree.system;
        let mut elements = Vec::with_capacity(masses.len());
        for place in (0..system.points.len()).filter(|&place| system.points[place].mass.is_some()) {
            let velocity = tree.point(place)?;
            elements.push(Element { target: Target::Point(place), mass: masses[elements.len()], velocity, spin: None });
        }
        for place in 0..system.bodies.len() {
            let velocity = tree.velocity(&system.bodies[place].placement)?;
            let spin = Some(tree.spin(place)?);
            elements.push(Element { target: Target::Body(place), mass: masses[elements.len()], velocity, spin });
        }
        let mut efforts = Vec::with_capacity(loads.len());
        for load in loads {
            efforts.push(tree.efforts(&load.kind, &elements)?);
        }
        efforts.push(tree.exhausts()?);
        Ok(Kinematics { elements, efforts })
    }

    /// All efforts as pairs of velocity and force.
    pub fn pairs(&self) -> Vec<(Expr, Expr)> {
        self.efforts.iter().flatten().map(|effort| (effort.velocity, effort.force)).collect()
    }
}

/// The frames and how fast they turn.
struct Tree<'a> {
    system: &'a System,
    rate: Rate<'a>,
    omegas: Vec<Option<Vector>>,
    points: Vec<Option<Local>>,
    /// Velocities that have symbols, if they get some.
    lifted: Option<Vec<(Expr, Expr)>>,
}

impl<'a> Tree<'a> {
    fn new(system: &'a System, rate: Rate<'a>) -> Tree<'a> {
        let (omegas, points) = (vec![None; system.frames.len()], vec![None; system.points.len()]);
        Tree { system, rate, omegas, points, lifted: None }
    }

    /// A symbol for each component that is made from several rates or symbols.
    fn lift(&mut self, vector: Vector) -> Vector {
        let Some(lifted) = &mut self.lifted else { return vector };
        let is_rate = |e: &Expr| {
            e.as_symbol().is_some_and(|s| (s.kind == Kind::Coordinate && s.order == 1) || s.name.ends_with(LIFTED))
        };
        Vector(vector.0.map(|component| {
            if component.symbols().iter().filter(|e| is_rate(e)).count() < 2 {
                return component;
            }
            let symbol = expr::parameter(&format!("{}{LIFTED}", lifted.len()));
            lifted.push((symbol, component));
            symbol
        }))
    }

    /// The velocity of a point.
    fn point(&mut self, place: usize) -> Result<Local, MathError> {
        if let Some(known) = self.points[place] {
            return Ok(known);
        }
        let mut found = self.velocity(&self.system.points[place].placement)?;
        found.components = self.lift(found.components);
        self.points[place] = Some(found);
        Ok(found)
    }

    /// The angular velocity of a frame along itself (1).
    fn omega(&mut self, frame: usize) -> Result<Vector, MathError> {
        if frame == 0 {
            return Ok(Vector::zero());
        }
        if let Some(omega) = self.omegas[frame] {
            return Ok(omega);
        }
        let (parent, orientation) = (self.system.frames[frame].parent, &self.system.frames[frame].orientation);
        let carried = self.omega(parent)?;
        let own = orientation.omega(self.rate)?;
        let omega = if carried == Vector::zero() { own } else { orientation.rotation().inward(carried) + own };
        let omega = self.lift(omega);
        self.omegas[frame] = Some(omega);
        Ok(omega)
    }

    /// The velocity (2) along the deepest frame that it is made of.
    fn velocity(&mut self, placement: &Placement) -> Result<Local, MathError> {
        let mut parts: Vec<(usize, Vector)> = Vec::new();
        // The axes depend on the position alone, so that all kinematics of a system have the same ones.
        let mut deepest = 0;
        let mut deeper = |tree: &Self, frame: usize| {
            if depth(tree.system, frame) > depth(tree.system, deepest) {
                deepest = frame;
            }
        };
        if let Some(from) = placement.from {
            let base = self.point(from)?;
            deeper(self, base.frame);
            if base.components != Vector::zero() {
                parts.push((base.frame, base.components));
            }
        }
        for &(frame, arm) in &placement.arms {
            deeper(self, frame);
            let change = arm.try_map(self.rate)?;
            let turning = self.omega(frame)?;
            let swung = if turning == Vector::zero() { change } else { change + turning.cross(arm) };
            if swung != Vector::zero() {
                parts.push((frame, swung));
            }
        }
        let carry = |(frame, part): (usize, Vector)| carried(self.system, part, frame, deepest, &rotation);
        let parts: Vec<Vector> = parts.into_iter().map(carry).collect();
        let components = if let [only] = parts[..] { only } else { Vector::sum(&parts) };
        Ok(Local { components, omega_axes: self.omega(deepest)?, frame: deepest })
    }

    /// The angular velocity and the central inertia of a body.
    fn spin(&mut self, place: usize) -> Result<Spin, KinematicsError> {
        let body = &self.system.bodies[place];
        let omega = self.omega(body.frame)?;
        if body.inertia.given == 1 && !(omega.0[0].is_zero() && omega.0[1].is_zero()) {
            return Err(KinematicsError::PlaneInertia { body: body.name.clone(), span: body.span });
        }
        let inertia = central(self.system, place);
        if let Some((axis, angle, before)) = axis_of_revolution(self.system, body.frame, &inertia) {
            // Along the frame before the last turn: ω = ω_carrier + φ' n.
            let parent = self.system.frames[body.frame].parent;
            let carried = self.omega(parent)?;
            let own = before.omega(self.rate)?;
            let carrier = if carried == Vector::zero() { own } else { before.rotation().inward(carried) + own };
            let omega = carrier + axis * (self.rate)(angle)?;
            let frame =
                if matches!(&before, Orientation::Turns(turns) if turns.is_empty()) { parent } else { body.frame };
            return Ok(Spin { omega: Local { components: omega, omega_axes: carrier, frame }, inertia });
        }
        Ok(Spin { omega: Local { components: omega, omega_axes: omega, frame: body.frame }, inertia })
    }
}

/// How many frames lie between a frame and `N`.
pub fn depth(system: &System, frame: usize) -> usize {
    if frame == 0 { 0 } else { 1 + depth(system, system.frames[frame].parent) }
}

/// The rotation of a frame against its parent.
fn rotation(system: &System, frame: usize) -> Rotation {
    system.frames[frame].orientation.rotation()
}

/// The components along frame `to` of a vector along frame `from`, by the rotations of frames against their parents.
pub fn carried(
    system: &System,
    vector: Vector,
    from: usize,
    to: usize,
    rotation: &dyn Fn(&System, usize) -> Rotation,
) -> Vector {
    let (mut up, mut vector, mut down) = (from, vector, vec![to]);
    while let Some(&top) = down.last() {
        if top == 0 {
            break;
        }
        down.push(system.frames[top].parent);
    }
    while !down.contains(&up) {
        vector = rotation(system, up).outward(vector);
        up = system.frames[up].parent;
    }
    let below = down.iter().position(|&frame| frame == up).unwrap_or(0);
    for &frame in down[..below].iter().rev() {
        vector = rotation(system, frame).inward(vector);
    }
    vector
}

/// If the last turn of the frame is about an axis of revolution of the inertia: that axis, the
/// angle, and the turns before it.
pub fn axis_of_revolution(system: &System, frame: usize, inertia: &[Expr; 6]) -> Option<(Vector, Expr, Orientation)> {
    let Orientation::Turns(turns) = &system.frames[frame].orientation else { return None };
    let (Turn { about: About::Own(axis), angle }, before) = turns.split_last()? else { return None };
    let k = crate::vector::place(*axis);
    let [i, j] = [(k + 1) % 3, (k + 2) % 3];
    let round = inertia[i].is_same(inertia[j]) && inertia[3..].iter().all(|product| product.is_zero());
    round.then(|| (Vector::along(*axis), *angle, Orientation::Turns(before.to_vec())))
}

// ---- loads

impl Tree<'_> {
    /// What a load does, as pairs of force and velocity.
    fn efforts(&mut self, load: &LoadKind, elements: &[Element]) -> Result<Vec<Effort>, KinematicsError> {
        let (system, mut list) = (self.system, Vec::new());
        match load {
            LoadKind::Force { force, along, on, at, against } => {
                self.push(&mut list, *force, along, *on, *at)?;
                if let Some(other) = against {
                    let opposite: Vec<_> = along.iter().map(|&(frame, part)| (frame, -part)).collect();
                    self.push(&mut list, -*force, &opposite, *other, *at)?;
                }
            }
            LoadKind::Torque { along, on, against } => {
                self.turn(&mut list, along, *on)?;
                if let Some(other) = against {
                    let opposite: Vec<_> = along.iter().map(|&(frame, part)| (frame, -part)).collect();
                    self.turn(&mut list, &opposite, *other)?;
                }
            }
            LoadKind::Gravity(g) => {
                for element in elements {
                    let mass = match element.target {
                        Target::Point(place) => system.points[place].mass.unwrap_or_else(Expr::zero),
                        Target::Body(place) => system.bodies[place].mass,
                    };
                    self.along(&mut list, &[(0, *g * mass)], element.velocity);
                }
            }
            LoadKind::Potential(potential) => {
                list.push(Effort { velocity: (self.rate)(*potential)?, force: expr::integer(-1) });
            }
            LoadKind::Kinetic(_) => {}
            LoadKind::Dissipation(dissipation) => {
                let slopes = expr::gradient(*dissipation, &system.q_dot())?;
                for (coordinate, slope) in system.coordinates.iter().zip(slopes) {
                    if slope != Expr::zero() {
                        list.push(Effort { velocity: (self.rate)(coordinate.q)?, force: -slope });
                    }
                }
            }
            LoadKind::Generalized { force, coordinate } => {
                let velocity = (self.rate)(system.coordinates[*coordinate].q)?;
                list.push(Effort { velocity, force: *force });
            }
            LoadKind::Spring { stiffness, rest, ends } => {
                let r = ends[1].position - ends[0].position;
                if *rest == Expr::zero() {
                    self.stretch(&mut list, r, -*stiffness)?;
                } else {
                    let length = crate::length::length(system, r)?;
                    list.push(Effort { velocity: (self.rate)(length)?, force: -(*stiffness * (length - *rest)) });
                }
            }
            LoadKind::Damper { coefficient, ends } => {
                // the sign of the length does not matter
                let length = crate::root::either_length(ends[1].position - ends[0].position)?;
                let force = -(*coefficient * expr::total_derivative(length)?);
                list.push(Effort { velocity: (self.rate)(length)?, force });
            }
        }
        Ok(list)
    }

    /// A force along r, proportional to it.
    fn stretch(&mut self, list: &mut Vec<Effort>, r: Vector, factor: Expr) -> Result<(), MathError> {
        for component in r.0 {
            if component != Expr::zero() {
                list.push(Effort { velocity: (self.rate)(component)?, force: factor * component });
            }
        }
        Ok(())
    }

    /// A force at a point, or at a place of a body: there it also turns.
    fn push(
        &mut self,
        list: &mut Vec<Effort>,
        force: Vector,
        along: &[(usize, Vector)],
        on: Target,
        at: Vector,
    ) -> Result<(), KinematicsError> {
        match on {
            Target::Point(place) => {
                let velocity = self.point(place)?;
                self.along(list, along, velocity);
            }
            Target::Body(place) => {
                let body = &self.system.bodies[place];
                let velocity = self.velocity(&body.placement)?;
                self.along(list, along, velocity);
                let arm = at - body.centre;
                if !arm.is_zero() {
                    self.turn(list, &[(0, arm.cross(force))], place)?;
                }
            }
        }
        Ok(())
    }

    /// A torque on a body.
    fn turn(&mut self, list: &mut Vec<Effort>, along: &[(usize, Vector)], body: usize) -> Result<(), MathError> {
        let frame = self.system.bodies[body].frame;
        let omega = Local { components: self.omega(frame)?, omega_axes: Vector::zero(), frame };
        self.along(list, along, omega);
        Ok(())
    }

    /// The components of a force, given by arms along frames, along the axes of a velocity.
    fn along(&self, list: &mut Vec<Effort>, arms: &[(usize, Vector)], velocity: Local) {
        let parts: Vec<Vector> =
            arms.iter().map(|&(frame, part)| carried(self.system, part, frame, velocity.frame, &rotation)).collect();
        let force = if let [only] = parts[..] { only } else { Vector::sum(&parts) };
        for (velocity, force) in velocity.components.0.into_iter().zip(force.0) {
            if velocity != Expr::zero() && force != Expr::zero() {
                list.push(Effort { velocity, force });
            }
        }
    }

    /// The reactive forces m' u of particles whose mass varies.
    fn exhausts(&mut self) -> Result<Vec<Effort>, KinematicsError> {
        let mut list = Vec::new();
        for place in 0..self.system.points.len() {
            let point = &self.system.points[place];
            if let (Some(mass), Some(u)) = (point.mass, point.exhaust) {
                let velocity = self.point(place)?;
                self.along(&mut list, &[(0, u * expr::total_derivative(mass)?)], velocity);
            }
        }
        Ok(list)
    }
}

/// The inertia of a body about its mass centre: I_C = I_P − m (d·d 1 − d dᵀ), d from C to P along the body.
pub fn central(system: &System, place: usize) -> [Expr; 6] {
    let body = &system.bodies[place];
    let Inertia { entries, about: Some(point), .. } = body.inertia else { return body.inertia.entries };
    let rotation: Rotation = system.frames[body.frame].in_inertial;
    let d = rotation.inward(point - body.centre).0.map(|component| expr::simplify(component, &[]));
    let square = |i: usize, j: usize| body.mass * (d[i] * d[i] + d[j] * d[j]);
    let product = |i: usize, j: usize| body.mass * d[i] * d[j];
    let [xx, yy, zz, xy, yz, zx] = entries;
    if body.inertia.given == 1 {
        return [xx, yy, zz - square(0, 1), xy, yz, zx];
    }
    [
        xx - square(1, 2),
        yy - square(2, 0),
        zz - square(0, 1),
        xy + product(0, 1),
        yz + product(1, 2),
        zx + product(2, 0),
    ]
}

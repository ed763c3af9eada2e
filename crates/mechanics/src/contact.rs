//! What does a contact stand for? One row for the gap, and rows of no slip along the plane.
//!
//! ```text
//! gap          n·(C − O) − d − h(n) = 0, or ≥ 0                  C centre, n unit normal, h support   (1)
//! no slip      t·(v_C + ω × (K − C) − v_E(K)) = 0                t in the plane, E carries it         (2)
//!
//! point        h = 0                       K = C
//! sphere       h = r                       K = C − r n
//! disc         h = r s                     K = C − r e           s = √(1 − (n·a)²), e = (n − (n·a) a)/s
//! torus        h = R s + r                 K = C − R e − r n
//! ellipsoid    h = √(Σ aᵢ² nᵢ²)            K = C − Σ aᵢ² nᵢ eᵢ/h  along the axes eᵢ of the body        (3)
//! ```
//!
//! K is the point that touches. The rate of (1) is the normal part of (2), so that part is no row of its
//! own. O is the origin, or the mass centre of the body that carries the plane. The directions t are fixed in
//! the plane, so they are singular nowhere; only a disc or torus that lies flat has no K. The reaction of (1)
//! is λ n at K, of (2) λ t at K, with the opposite on a body that carries the plane.
//!
//! Where s is the square root of a square, such as cos(lean)², it is written without root, with the sign
//! that it has at the start: it keeps that sign until the disc lies flat.

use expr::{At, Expr, Floats, Kind, MathError, Op, Rational, Substitution};
use model::ShapeKind;
use syntax::{Axis, Diagnostic, Severity, Span};

use crate::root::{shorter, without_bars};
use crate::{
    Carrier, Constraint, Contact, ContactMotion, Equation, Orientation, Origin, Placement, Rate, Sense, System, Target,
    Vector, start,
};

/// A cosine of a lean with more operations than this has a sine that is no plain function.
const PLAIN: usize = 6;

/// What a contact stands for.
#[derive(Clone, Debug, Default)]
pub struct Touch {
    /// The unit normal, towards the body.
    pub normal: Option<Vector>,
    /// Whether the normal was given with another length.
    pub is_scaled: bool,
    /// Whether the axis of the surface was given with another length.
    pub is_axis_scaled: bool,
    /// The point that touches.
    pub point: Option<Vector>,
    /// The gap (1); `None` where it is zero identically.
    pub gap: Option<Expr>,
    /// The rows of no slip (2).
    pub slips: Vec<Slip>,
    /// Directions of (2) whose row holds identically.
    pub idle: usize,
    /// Whether the body moves along one of these: then no slip is built into the coordinates.
    pub is_slip_built_in: bool,
    /// The directions in which the tangential reaction is told: along, and across.
    pub along: Option<[Vector; 2]>,
    /// The roots that it took.
    pub roots: Vec<Root>,
}

/// A row of no slip.
#[derive(Clone, Debug)]
pub struct Slip {
    /// Its name after the dot: `slip1`, `slip2`, `slip`.
    pub label: &'static str,
    /// The direction t.
    pub direction: Vector,
    /// The same along the frame that carries the plane.
    pub components: Vector,
    /// t·v, which vanishes.
    pub row: Expr,
}

/// Components that do not change, where coordinates and time only seem to occur.
pub(crate) fn at_zero(e: Expr) -> Expr {
    let moves = |s: &Expr| s.as_symbol().is_some_and(|s| s.kind != expr::Kind::Parameter);
    let still: Substitution = e.symbols().into_iter().filter(moves).map(|s| (s, Expr::zero())).collect();
    still.apply_one(e).unwrap_or(e)
}

/// A root in a contact.
#[derive(Clone, Debug)]
pub struct Root {
    /// The root, not negative.
    pub value: Expr,
    /// An expression of either sign whose square stood under the root.
    pub base: Option<Expr>,
    /// What happens where it vanishes.
    pub vanishing: &'static str,
}

type Made<T> = Result<T, Diagnostic>;

/// Makes the rows of a contact. A root with a base is its negative where `flipped` says so.
pub(crate) fn touch(system: &System, contact: &Contact, flipped: &[bool]) -> Made<Touch> {
    Maker { system, contact, flipped, touch: Touch::default() }.make()
}

struct Maker<'a> {
    system: &'a System,
    contact: &'a Contact,
    flipped: &'a [bool],
    touch: Touch,
}

/// A surface seen from the plane: its support h and the arm K − C.
struct Surface {
    reach: Expr,
    arm: Vector,
    /// The direction of rolling in `N`, for a surface with an axis.
    heading: Option<Vector>,
    /// Where the arm has its components.
    place: Place,
}

impl Maker<'_> {
    fn wrong(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.contact.span, message)
    }

    fn math(&self, error: MathError) -> Diagnostic {
        self.wrong(format!("contact `{}`: {error}", self.contact.name))
    }

    fn make(mut self) -> Made<Touch> {
        let contact = self.contact;
        self.fixed_in_body()?;
        let (n, inside) = self.normal()?;
        let d = match self.touch.is_scaled {
            true => contact.distance.try_div(self.length(contact.normal)?).map_err(|error| self.math(error))?,
            false => contact.distance,
        };
        let surface = self.surface(n)?;
        let arms = arms(self.system, &contact.placement);
        let centre = lifted(self.system, arms.clone());
        let point = centre + surface.place.out(self.system, surface.arm);
        let gap = Expr::sum(&[n.dot(centre - self.origin()), -d, -surface.reach]);
        self.touch.gap = (!vanishes(gap)).then_some(gap);
        (self.touch.normal, self.touch.point) = (Some(n), Some(point));
        let is_smooth = contact.motion == ContactMotion::Slides && !contact.rough;
        let Some(inside) = inside.filter(|_| !is_smooth) else { return Ok(self.touch) };

        let velocity = self.slip_velocity(&arms, &surface, point)?;
        let frame = &self.system.frames[self.frame()];
        let rows: Vec<(&'static str, Vector, Vector)> = match contact.motion {
            ContactMotion::Slides | ContactMotion::Rolls => {
                let [first, second] = self.tangents(inside)?;
                let outward = |t: Vector| frame.vector(t);
                self.touch.along = Some(match surface.heading {
                    Some(heading) => [heading, n.cross(heading)],
                    None => [outward(first), outward(second)],
                });
                vec![("slip1", outward(first), first), ("slip2", outward(second), second)]
            }
            ContactMotion::Skates(direction) => {
                let across = n.cross(direction);
                let across =
                    self.over(across, self.rooted(across.dot(across))?, "the direction is normal to the plane")?;
                self.touch.along = Some([short(across.cross(n)), across]);
                vec![("slip", across, across)]
            }
        };
        for (label, direction, components) in rows {
            let row = direction.dot(velocity);
            if vanishes(row) {
                self.touch.idle += 1;
                let moves = contact.centre.rate().is_ok_and(|v| !direction.dot(v).is_zero());
                self.touch.is_slip_built_in |= moves;
                continue;
            }
            self.touch.slips.push(Slip { label, direction, components, row });
        }
        Ok(self.touch)
    }

    // ---- the plane

    /// The frame that turns with the plane.
    fn frame(&self) -> usize {
        match self.contact.carrier {
            None => 0,
            Some(Carrier::Frame(place)) => place,
            Some(Carrier::Body(place)) => self.system.bodies[place].frame,
        }
    }

    /// The point that the distance of the plane is measured from.
    fn origin(&self) -> Vector {
        match self.contact.carrier {
            Some(Carrier::Body(place)) => lifted(self.system, arms(self.system, &self.system.bodies[place].placement)),
            _ => Vector::zero(),
        }
    }

    /// The unit normal; and its components along the carrier, which are constant unless the plane turns by itself.
    fn normal(&mut self) -> Made<(Vector, Option<Vector>)> {
        let (contact, name) = (self.contact, &self.contact.name);
        let n = contact.normal;
        let zero = || self.wrong(format!("the normal of the plane of `{name}` is the zero vector"));
        let hint = "a plane is written `plane(n, d)`: its points r satisfy dot(n, r) = d";
        if n.is_zero() {
            return Err(zero().hint(hint));
        }
        let length = self.length(n)?;
        if self.number(length).is_some_and(|length| length == 0.0) {
            return Err(zero().hint(hint));
        }
        let is_unit = length == Expr::one();
        let unit = match is_unit {
            true => n,
            false => n.over(length).map_err(|error| self.math(error))?,
        };
        self.touch.is_scaled = !is_unit;
        let frame = &self.system.frames[self.frame()];
        let turning = unit.rate().map_err(|error| self.math(error))? - frame.omega.cross(unit);
        if turning.is_zero() {
            return Ok((unit, Some(self.constant(frame.in_inertial.inward(unit)))));
        }
        let moves = match (&contact.carrier, contact.motion) {
            (None, ContactMotion::Slides) if !contact.rough => return Ok((unit, None)),
            (None, _) => self
                .wrong(format!("the plane of `{name}` turns, and nothing says how its points move"))
                .hint("say what carries it: `plane(B.z, 0) of B`, where `B` is a frame or a body"),
            (Some(_), _) => {
                let carrier = &frame.name;
                self.wrong(format!("the normal of the plane of `{name}` does not turn with `{carrier}`")).hint(format!(
                    "vectors have components along `N`: write `{carrier}.z` or `{carrier}*(a, b, c)` for a direction \
                     that is fixed in `{carrier}`"
                ))
            }
        };
        Err(moves)
    }

    /// Components that do not change: without the coordinates and the time that only seem to occur.
    fn constant(&self, components: Vector) -> Vector {
        let moving = |e: Expr| -> Substitution {
            let is_moving = |symbol: &Expr| {
                symbol.as_symbol().is_some_and(|symbol| matches!(symbol.kind, Kind::Coordinate | Kind::Time))
            };
            e.symbols().into_iter().filter(is_moving).map(|symbol| (symbol, Expr::zero())).collect()
        };
        Vector(components.0.map(|e| {
            let e = if e.is_zero() { Expr::zero() } else { e };
            let still = moving(e);
            shorter(still.apply_one(e).unwrap_or(e))
        }))
    }

    /// Two unit vectors in the plane, from the components of the normal along its carrier.
    fn tangents(&self, n: Vector) -> Made<[Vector; 2]> {
        let of = |axis: Axis| n.component(axis);
        let in_plane = [Axis::Y, Axis::Z, Axis::X].into_iter().find(|&axis| of(axis).is_zero());
        let steepest = || {
            let size = |axis: &Axis| self.number(of(*axis)).map_or(1.0, f64::abs);
            let least = |a: &Axis, b: &Axis| size(a).total_cmp(&size(b));
            [Axis::Y, Axis::Z, Axis::X].into_iter().min_by(least).unwrap_or(Axis::Y)
        };
        let across = Vector::along(in_plane.unwrap_or_else(steepest));
        let along = across.cross(n);
        let along = match in_plane {
            Some(_) => along,
            None => {
                let length = along.norm().map_err(|error| self.math(error))?;
                along.over(length).map_err(|error| self.math(error))?
            }
        };
        let first = along.0.into_iter().find(|e| *e != Expr::zero()).unwrap_or_else(Expr::one);
        let along = if is_negative(first) { -along } else { along };
        Ok([along, n.cross(along)])
    }

    // ---- the body

    fn omega(&self) -> Vector {
        match self.contact.what {
            Target::Point(_) => Vector::zero(),
            Target::Body(place) => self.system.frames[self.system.bodies[place].frame].omega,
        }
    }

    /// The centre and the axis of the surface must move with the body.
    fn fixed_in_body(&self) -> Made<()> {
        let (contact, name) = (self.contact, &self.contact.name);
        let Target::Body(place) = contact.what else { return Ok(()) };
        let (body, omega) = (&self.system.bodies[place], self.omega());
        let rate = |v: Vector| v.rate().map_err(|error| self.math(error));
        let arm = contact.centre - body.centre;
        if !(arm == Vector::zero() || (rate(arm)? - omega.cross(arm)).is_zero()) {
            let message = format!("the centre of the surface of `{name}` is not fixed in `{}`", body.name);
            return Err(self.wrong(message).hint("after `at` stands a point that moves with the body"));
        }
        let axis = contact.shape.as_ref().and_then(|shape| shape.axis);
        if let Some(axis) = axis.filter(|axis| !self.system.frames[body.frame].in_inertial.axes.contains(axis))
            && !(rate(axis)? - omega.cross(axis)).is_zero()
        {
            let frame = &self.system.frames[body.frame].name;
            let message = format!("the axis of the surface of `{name}` is not fixed in `{}`", body.name);
            return Err(self.wrong(message).hint(format!("write it along the frame of the body: `{frame}.y`")));
        }
        Ok(())
    }

    /// The support and the point that touches (3).
    fn surface(&mut self, n: Vector) -> Made<Surface> {
        let contact = self.contact;
        let inertial = Place::inertial();
        let (Some(shape), Target::Body(body)) = (&contact.shape, contact.what) else {
            return Ok(Surface { reach: Expr::zero(), arm: Vector::zero(), heading: None, place: inertial });
        };
        let radius = |k: usize| shape.radii.get(k).copied().unwrap_or_else(Expr::zero);
        let frame = self.system.bodies[body].frame;
        match shape.kind {
            ShapeKind::Sphere => {
                Ok(Surface { reach: radius(0), arm: -(n * radius(0)), heading: None, place: inertial })
            }
            ShapeKind::Disc | ShapeKind::Torus => {
                let axis = shape.axis.unwrap_or_else(Vector::zero);
                let own = self.system.frames[frame].in_inertial;
                let own_axis = own.axes.iter().position(|own| *own == axis);
                let a = match own_axis {
                    Some(place) => Vector::along([Axis::X, Axis::Y, Axis::Z][place]),
                    None => self.constant(own.inward(axis)),
                };
                let length = self.length(a)?;
                let a = if length == Expr::one() { a } else { a.over(length).map_err(|error| self.math(error))? };
                self.touch.is_axis_scaled = length != Expr::one();
                // Turns about the axis of the surface change nothing.
                let place = Place::of(self.system, frame).before_turns_about(a);
                let n = place.inward(n);
                let lean = shorter(n.dot(a));
                let flat = match shape.kind {
                    ShapeKind::Disc => "the disc lies flat on the plane",
                    _ => "the torus lies flat on the plane",
                };
                // What is left of a long cosine is no square.
                let square = Expr::one() - lean.pow(2);
                let root = if lean.operations() > PLAIN { self.root_of(square)? } else { self.rooted(square)? };
                let up = self.over(n - a * lean, root, flat)?;
                let s = self.touch.roots.last().map_or_else(Expr::one, |root| root.value);
                let heading = a.cross(n).over(s).map_err(|error| self.math(error))?;
                let (reach, arm) = match shape.kind {
                    ShapeKind::Disc => (radius(0) * s, -(up * radius(0))),
                    _ => (radius(0) * s + radius(1), -(up * radius(0) + n * radius(1))),
                };
                let heading = place.out(self.system, if s.has_branches() { heading } else { short(heading) });
                Ok(Surface { reach, arm, heading: Some(heading), place })
            }
            ShapeKind::Ellipsoid => self.ellipsoid(n, frame, [radius(0), radius(1), radius(2)]),
        }
    }

    fn ellipsoid(&mut self, n: Vector, frame: usize, radii: [Expr; 3]) -> Made<Surface> {
        let [a, b, c] = radii;
        if a.is_same(b) && b.is_same(c) {
            return Ok(Surface { reach: a, arm: -(n * a), heading: None, place: Place::inertial() });
        }
        let place = Place::of(self.system, frame);
        let n = place.inward(n);
        // Where two axes are equal the square of the third component is enough: Σ n² = 1.
        let equal = [(0, 1, 2), (1, 2, 0), (2, 0, 1)].into_iter().find(|&(i, j, _)| radii[i].is_same(radii[j]));
        let square = match equal {
            Some((i, _, k)) => radii[i].pow(2) + (radii[k].pow(2) - radii[i].pow(2)) * n.0[k].pow(2),
            None => (0..3).map(|k| radii[k].pow(2) * n.0[k].pow(2)).sum(),
        };
        let root = self.rooted(square)?;
        let arm = Vector([0, 1, 2].map(|k| radii[k].pow(2) * n.0[k]));
        let arm = self.over(arm, root, "the ellipsoid has no thickness")?;
        let reach = self.touch.roots.last().map_or_else(Expr::zero, |root| root.value);
        Ok(Surface { reach, arm: -arm, heading: None, place })
    }

    /// The velocity of the material point that touches, against the carrier of the plane.
    fn slip_velocity(&self, arms: &[(usize, Vector)], surface: &Surface, point: Vector) -> Made<Vector> {
        let system = self.system;
        let math = |error| self.math(error);
        let mut own = swung(system, arms).map_err(math)?;
        if surface.arm != Vector::zero()
            && let Target::Body(body) = self.contact.what
        {
            let omega = surface.place.omega(system, system.bodies[body].frame).map_err(math)?;
            surface.place.put(system, omega.cross(surface.arm), &mut own);
        }
        let own = lifted(system, own);
        let carried = match self.contact.carrier {
            None => return Ok(own),
            Some(Carrier::Frame(place)) => system.frames[place].omega.cross(point),
            Some(Carrier::Body(place)) => {
                let body = &system.bodies[place];
                let own = swung(system, &self::arms(system, &body.placement)).map_err(math)?;
                lifted(system, own) + system.frames[body.frame].omega.cross(point - self.origin())
            }
        };
        Ok(own - carried)
    }

    // ---- roots and numbers

    /// The length of a vector, as short as it can be.
    fn length(&self, vector: Vector) -> Made<Expr> {
        let square = vector.dot(vector);
        if (square - 1).is_zero() {
            return Ok(Expr::one());
        }
        let root = self.rooted(square)?;
        let negative = root.base.and_then(|base| self.number(base)).is_some_and(|value| value < 0.0);
        Ok(if negative { -root.value } else { root.value })
    }

    /// The root of a square sum.
    fn rooted(&self, square: Expr) -> Made<Root> {
        self.root_of(if (square - 1).is_zero() { Expr::one() } else { shorter(square) })
    }

    /// The root of a square as it is written.
    fn root_of(&self, square: Expr) -> Made<Root> {
        let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
        let value = square.try_pow(&half).map_err(|error| self.math(error))?;
        let base = without_bars(value).filter(|&base| base != value);
        Ok(Root { value: base.unwrap_or(value), base, vanishing: "" })
    }

    /// The vector over the root, which is taken note of.
    fn over(&mut self, vector: Vector, root: Root, vanishing: &'static str) -> Made<Vector> {
        let is_flipped = self.flipped.get(self.touch.roots.len()).copied().unwrap_or(false);
        let value = if is_flipped && root.base.is_some() { -root.value } else { root.value };
        if value.is_zero() || self.number(value) == Some(0.0) {
            return Err(self.wrong(format!("contact `{}`: {vanishing}", self.contact.name)));
        }
        let made = vector.over(value).map_err(|error| self.math(error))?;
        let is_plain = root.base.is_some() || !value.has_branches();
        self.touch.roots.push(Root { value, vanishing, ..root });
        Ok(if is_plain { short(made) } else { made })
    }

    fn number(&self, e: Expr) -> Option<f64> {
        number(self.system, e)
    }
}

/// The value of an expression of parameters, if they have values.
pub(crate) fn number(system: &System, e: Expr) -> Option<f64> {
    let moves = |symbol: &Expr| symbol.as_symbol().is_none_or(|symbol| symbol.kind != Kind::Parameter);
    if e.symbols().iter().any(moves) {
        return None;
    }
    let known = system.parameter_values().apply_one(e).ok()?;
    known.is_constant().then(|| At::generic().value(known))
}

/// Is it zero everywhere?
fn vanishes(e: Expr) -> bool {
    let none = proof::Assumptions::none();
    e.is_zero() && (!e.has_branches() || proof::decide(e, &none).is_zero())
}

fn is_negative(e: Expr) -> bool {
    match e.op() {
        Op::Number => e.as_number().is_some_and(|number| number.is_negative()),
        Op::Scale => e.arguments().iter().any(|&part| part.op() == Op::Number && is_negative(part)),
        _ => false,
    }
}

fn short(vector: Vector) -> Vector {
    Vector(vector.0.map(shorter))
}

// ---- vectors where they are short

/// Axes reached from `N` turn by turn, perhaps amid the turns of a frame.
struct Place {
    /// The turns, and the frame that each belongs to.
    steps: Vec<(Orientation, usize)>,
    /// Turns about an axis of these axes that were left out: axis and angle.
    spins: Vec<(Vector, Expr)>,
    /// The frame that the last turn belongs to ends here.
    is_whole: bool,
}

impl Place {
    fn inertial() -> Place {
        Place { steps: Vec::new(), spins: Vec::new(), is_whole: true }
    }

    fn of(system: &System, frame: usize) -> Place {
        let mut frames = vec![frame];
        while let Some(&last) = frames.last().filter(|last| **last != 0) {
            frames.push(system.frames[last].parent);
        }
        let mut steps = Vec::new();
        for &frame in frames.iter().rev().filter(|frame| **frame != 0) {
            match &system.frames[frame].orientation {
                Orientation::Turns(turns) => {
                    steps.extend(turns.iter().map(|&turn| (Orientation::Turns(vec![turn]), frame)));
                }
                whole => steps.push((whole.clone(), frame)),
            }
        }
        Place { steps, ..Place::inertial() }
    }

    /// The axes before the last turns, as long as these go about this direction.
    fn before_turns_about(mut self, axis: Vector) -> Place {
        let about = |step: &Orientation| match step {
            Orientation::Turns(turns) => {
                turns.first().filter(|turn| turn.axis() == axis || turn.axis() == -axis).copied()
            }
            Orientation::Quaternion(_) | Orientation::Matrix(_) => None,
        };
        while let Some((turn, frame)) = self.steps.last().and_then(|(step, frame)| Some((about(step)?, *frame))) {
            self.steps.pop();
            self.spins.push((turn.axis(), turn.angle));
            self.is_whole = self.steps.last().is_none_or(|(_, other)| *other != frame);
        }
        self
    }

    /// The components here of a vector along `N`.
    fn inward(&self, vector: Vector) -> Vector {
        self.steps.iter().fold(vector, |vector, (step, _)| step.rotation().inward(vector))
    }

    /// The components along `N` of a vector along these axes.
    fn out(&self, system: &System, vector: Vector) -> Vector {
        let mut list = Vec::new();
        self.put(system, vector, &mut list);
        lifted(system, list)
    }

    /// Adds a vector to a list of vectors along frames.
    fn put(&self, system: &System, vector: Vector, list: &mut Vec<(usize, Vector)>) {
        let Some(&(_, frame)) = self.steps.last() else { return list.push((0, vector)) };
        if self.is_whole {
            return list.push((frame, vector));
        }
        let amid = self.steps.iter().rev().take_while(|(_, other)| *other == frame);
        let vector = amid.fold(vector, |vector, (step, _)| step.rotation().outward(vector));
        list.push((system.frames[frame].parent, vector));
    }

    /// The angular velocity of a frame along these axes, from which only the spins lead to it.
    fn omega(&self, system: &System, frame: usize) -> Result<Vector, MathError> {
        if self.steps.is_empty() && self.spins.is_empty() {
            return Ok(system.frames[frame].omega);
        }
        let rate: Rate<'_> = &expr::total_derivative;
        let mut omega = Vector::zero();
        for (step, _) in &self.steps {
            let before = if omega == Vector::zero() { omega } else { step.rotation().inward(omega) };
            omega = before + step.omega(rate)?;
        }
        for &(axis, angle) in &self.spins {
            omega = omega + axis * expr::total_derivative(angle)?;
        }
        Ok(omega)
    }
}

/// A position as arms along frames.
pub(crate) fn arms(system: &System, placement: &Placement) -> Vec<(usize, Vector)> {
    let mut list = placement.from.map_or_else(Vec::new, |from| arms(system, &system.points[from].placement));
    list.extend(placement.arms.iter().copied());
    list
}

/// The velocities that arms add: c' + ω × c, each along its frame.
fn swung(system: &System, arms: &[(usize, Vector)]) -> Result<Vec<(usize, Vector)>, MathError> {
    let of = |&(frame, arm): &(usize, Vector)| {
        let change = arm.rate()?;
        let omega = Place::of(system, frame).omega(system, frame)?;
        Ok((frame, if omega == Vector::zero() { change } else { change + omega.cross(arm) }))
    };
    arms.iter().map(of).collect()
}

/// The sum of vectors along frames, along `N`: turn by turn, what is along the same frame together.
fn lifted(system: &System, mut list: Vec<(usize, Vector)>) -> Vector {
    loop {
        let Some(deepest) = list.iter().map(|part| part.0).max() else { return Vector::zero() };
        let (here, others): (Vec<_>, Vec<_>) = list.into_iter().partition(|part| part.0 == deepest);
        let parts: Vec<Vector> = here.into_iter().map(|part| part.1).collect();
        let sum = if let [only] = parts[..] { only } else { Vector::sum(&parts) };
        if deepest == 0 {
            return sum;
        }
        let frame = &system.frames[deepest];
        let outward = match &frame.orientation {
            Orientation::Turns(turns) => turns.iter().rev().fold(sum, |sum, turn| turn.rotation().outward(sum)),
            whole => whole.rotation().outward(sum),
        };
        list = others;
        list.push((frame.parent, outward));
    }
}

impl Touch {
    /// The constraints of the contact at this place among the contacts.
    pub(crate) fn constraints(&self, contact: &Contact, place: usize) -> Vec<Constraint> {
        let make = |rows: Vec<Expr>, labels: Vec<&'static str>, slips: bool, sense| Constraint {
            name: contact.name.clone(),
            rows,
            axes: Vec::new(),
            labels,
            sense,
            from: None,
            until: None,
            while_closed: slips && contact.unilateral,
            is_rough: slips && contact.rough,
            origin: Origin::Contact { place, slips },
            text: None,
            span: contact.span,
        };
        let sense = if contact.unilateral { Sense::AtLeast } else { Sense::Equal };
        let mut made: Vec<Constraint> =
            self.gap.iter().map(|&gap| make(vec![gap], vec!["gap"], false, sense)).collect();
        let (rows, labels): (Vec<Expr>, Vec<&str>) = self.slips.iter().map(|slip| (slip.row, slip.label)).unzip();
        if !rows.is_empty() || made.is_empty() {
            made.push(make(rows, labels, true, Sense::Equal));
        }
        made
    }

    /// What the reader should know: rows that hold identically, roots that were chosen.
    pub(crate) fn remarks(&self, contact: &Contact) -> Vec<Diagnostic> {
        let name = &contact.name;
        let mut told = Vec::new();
        if self.gap.is_none() {
            told.push(format!(
                "the gap of `{name}` is zero in these coordinates: the contact is built in, and its normal reaction \
                 is not known"
            ));
        }
        match (self.idle, self.slips.is_empty()) {
            (0, _) => {}
            (_, true) => told.push(format!("`{name}` cannot slip in these coordinates: no slip holds identically")),
            (_, false) => told.push(format!(
                "a direction of `{name}` in which it cannot slip is dropped: no slip holds there identically"
            )),
        }
        let chosen = self.roots.iter().filter(|root| root.base.is_some_and(|base| !base.is_constant()));
        for root in chosen.filter(|root| root.base.is_some_and(|base| base.symbols().iter().any(|s| is_coordinate(*s))))
        {
            told.push(format!(
                "`{name}` holds while {} > 0, as at the start; where it is 0, {}",
                root.value, root.vanishing
            ));
        }
        told.into_iter().map(|text| Diagnostic::error(contact.span, text).severity(Severity::Note)).collect()
    }
}

fn is_coordinate(symbol: Expr) -> bool {
    symbol.as_symbol().is_some_and(|symbol| symbol.kind == Kind::Coordinate)
}

/// The roots of every contact that are negative at the start, by places of contacts and roots.
pub(crate) fn negative_roots(system: &System) -> Vec<(usize, Vec<bool>)> {
    let mut found = None;
    let mut flips = Vec::new();
    for (place, contact) in system.contacts.iter().enumerate() {
        let is_negative = |root: &Root| {
            let Some(base) = root.base else { return false };
            let value = number(system, base).or_else(|| at_lines(system, base));
            let value = value.or_else(|| {
                let state = found.get_or_insert_with(|| start(system).state(system));
                value_at(base, state)
            });
            value.is_some_and(|value| value < 0.0)
        };
        let negative: Vec<bool> = contact.touch.roots.iter().map(is_negative).collect();
        if negative.contains(&true) {
            flips.push((place, negative));
        }
    }
    flips
}

/// The value where all coordinates in it are given by start lines.
fn at_lines(system: &System, e: Expr) -> Option<f64> {
    let mut known: Vec<(Expr, f64)> = Vec::new();
    for symbol in e.symbols() {
        let line = |line: &&Equation| line.left == symbol;
        let value = match system.parameters.iter().find(|parameter| parameter.symbol == symbol) {
            Some(parameter) => number(system, parameter.value?)?,
            None => number(system, system.start.iter().find(line)?.right)?,
        };
        known.push((symbol, value));
    }
    value_at(e, &known)
}

fn value_at(e: Expr, state: &[(Expr, f64)]) -> Option<f64> {
    let floats = Floats::new(&[e]);
    let mut values = vec![0.0; floats.len()];
    for (symbol, _, step) in floats.symbols() {
        values[step] = state.iter().find(|known| known.0 == symbol)?.1;
    }
    floats.run(0..floats.len(), &mut values);
    Some(values[floats.output(0)])
}

/// A contact whose point of contact does not exist at a state: a disc that lies flat.
pub fn singular(system: &System, at: &At) -> Option<Diagnostic> {
    const FLAT: f64 = 1e-9;
    system.contacts.iter().find_map(|contact| {
        let root = contact.touch.roots.iter().find(|root| at.value(root.value).abs() < FLAT)?;
        let message = format!("contact `{}` is singular at the start: {}", contact.name, root.vanishing);
        let hint = "start at another state, where one point alone touches";
        Some(Diagnostic::error(contact.span, message).hint(hint))
    })
}

/// The place of the contact that a constraint belongs to.
pub fn contact_of(constraint: &Constraint) -> Option<usize> {
    match constraint.origin {
        Origin::Contact { place, .. } => Some(place),
        _ => None,
    }
}

/// Roots that every contact took on the side of the start, and that a motion may bring to zero: the place of the contact,
/// what is positive there, and what happens where it vanishes.
pub fn sides(system: &System) -> impl Iterator<Item = (usize, Expr, &'static str)> {
    let all = system.contacts.iter().enumerate();
    let moves = |root: &&Root| root.base.is_some_and(|base| base.symbols().into_iter().any(is_coordinate));
    all.flat_map(move |(place, one)| one.touch.roots.iter().filter(moves).map(move |r| (place, r.value, r.vanishing)))
}

/// The gap that decides whether a constraint of no slip acts: a place among the constraints.
pub(crate) fn gap_of(system: &System, constraint: &Constraint) -> Option<usize> {
    let place = contact_of(constraint).filter(|_| constraint.while_closed)?;
    system.constraints.iter().position(|one| one.origin == Origin::Contact { place, slips: false })
}

/// The rows of no slip that act while the gap of this place is closed: places among the constraints.
pub fn slips_with(system: &System, gap: usize) -> Vec<usize> {
    let contact = contact_of(&system.constraints[gap]);
    let goes = |one: &Constraint| one.while_closed && contact.is_some() && contact_of(one) == contact;
    (0..system.constraints.len()).filter(|&place| place != gap && goes(&system.constraints[place])).collect()
}

/// The constraints of no slip that belong to the contact of a gap.
pub fn slips_of(system: &System, gap: usize) -> Vec<usize> {
    let Some(contact) = contact_of(&system.constraints[gap]) else { return Vec::new() };
    let is_slip = |place: &usize| *place != gap && contact_of(&system.constraints[*place]) == Some(contact);
    (0..system.constraints.len()).filter(is_slip).collect()
}

/// What is wrong with a radius: a number that is not positive.
pub(crate) fn radius(system: &System, value: Expr, span: Span, may_vanish: bool) -> Option<Diagnostic> {
    let moving = value
        .symbols()
        .into_iter()
        .find(|symbol| symbol.as_symbol().is_some_and(|symbol| matches!(symbol.kind, Kind::Coordinate | Kind::Time)));
    if let Some(symbol) = moving {
        let message = format!("a radius of a rigid surface is constant; this one depends on `{symbol}`");
        return Some(Diagnostic::error(span, message));
    }
    let number = number(system, value)?;
    let is_fine = if may_vanish { number >= 0.0 } else { number > 0.0 };
    (!is_fine).then(|| {
        let needed = if may_vanish { "may not be negative" } else { "must be positive" };
        Diagnostic::error(span, format!("this radius is {number}: it {needed}"))
    })
}

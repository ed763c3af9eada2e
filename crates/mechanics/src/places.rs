//! Where is every mass, where does every load act, and what do the rows say? The lines of a model, read once more.
//!
//! ```text
//! turn about n by φ       e_a → n n_a + cos φ (e_a − n n_a) + sin φ (n × e_a)       then along the frame before       (1)
//! quaternion (w, b)       e_a → (w² − b·b) e_a + 2 (b·e_a) b + 2 w (b × e_a)                                          (2)
//! turning, where asked    ω = ½ Σ e_a × e_a'                                                                          (3)
//! material velocity at K  C' + Σ (e_a·(K − C)) e_a'         K held fast along the body                                (4)
//! gap                     n·(C − O) − d − h,   K = C − (r e; R e + r n; Σ a² (n·e_a) e_a/h; r n)                     (5)
//! ```
//!
//! What `lower.rs`, `frame.rs`, `kinematics.rs` and `contact.rs` make for eight families is made here for the ninth,
//! in another way and without them: a mistake in theirs is then seen by `prove`. What both share is how an expression
//! is read (`read.rs`), which constraint acts, the sign of a tangent and of a root, and the friction of what slides.

use expr::{Comparison, Expr, MathError, Substitution};
use model::{Declaration, Name, ShapeKind, TurnAxis};
use rustc_hash::FxHashMap;
use syntax::{Axis, Node, NodeKind};

use crate::contact::{Root, at_zero, number};
use crate::form::FormError;
use crate::read::{Entry, Reader, Reading, Stop, at, wrong};
use crate::root::{shorter, without_bars};
use crate::settle::Multipliers;
use crate::{Load, LoadKind, Motion, System, Target, Term, Vector};

/// The unit vectors of a frame, along N.
pub(crate) type Axes = [Vector; 3];

/// A component of a place, and the force on it.
pub(crate) type Pairs = Vec<(Expr, Expr)>;

/// A particle, or a body as particles.
pub(crate) struct Mass {
    /// What it is called.
    pub name: String,
    /// Its mass centre.
    pub place: Vector,
    /// How much.
    pub mass: Expr,
    /// The axes of a body, and the second moments Σ m ξ_a ξ_b along them.
    pub body: Option<(Axes, [[Expr; 3]; 3])>,
}

/// What the lines of a model say of places.
pub(crate) struct Places {
    /// Particles, then bodies.
    pub masses: Vec<Mass>,
    /// What loads do, by components of places.
    pub work: Pairs,
    /// Forces on coordinates, an entry for each.
    pub direct: Vec<Vec<Expr>>,
    /// What vanishes, by the names of rows.
    pub rows: FxHashMap<String, Expr>,
    /// The system with its frames, points and bodies as they were read here.
    own: System,
}

type Read<T> = Result<T, Stop>;

/// How far the lines have been read.
struct Lines {
    own: System,
    frames: usize,
    points: usize,
    bodies: Vec<Mass>,
    particles: Vec<(usize, Mass)>,
    speeds: usize,
    gravities: Vec<Vector>,
    contacts: usize,
    work: Pairs,
    direct: Vec<Vec<Expr>>,
    rows: FxHashMap<String, Expr>,
    /// The reactions that loads follow, and what their multipliers are.
    laws: Option<(Multipliers, Substitution)>,
}

impl Places {
    /// Reads the lines of the model once more.
    pub fn of(system: &System) -> Result<Places, FormError> {
        let mut lines = Lines {
            own: system.clone(),
            frames: 1,
            points: 0,
            bodies: Vec::new(),
            particles: Vec::new(),
            speeds: 0,
            gravities: Vec::new(),
            contacts: 0,
            work: Pairs::new(),
            direct: vec![Vec::new(); system.coordinates.len()],
            rows: FxHashMap::default(),
            laws: laws(system).map_err(FormError::NotApplicable)?,
        };
        for line in system.lines.iter() {
            lines.line(&line.declaration).map_err(|stop| match stop {
                Stop::Wrong(diagnostic) => FormError::NotApplicable(diagnostic.message),
                _ => FormError::NotApplicable("a line says what only a motion knows".to_owned()),
            })?;
        }
        Ok(lines.finished()?)
    }

    /// What a load does that no line says: the friction of a contact that slides.
    pub fn also(&mut self, load: &Load) {
        if let LoadKind::Force { force, on, at, against, .. } = &load.kind {
            push_force(&self.own, &mut self.work, *on, *at, *force);
            if let Some(other) = against {
                push_force(&self.own, &mut self.work, *other, *at, -*force);
            }
        }
    }
}

/// The reactions that loads follow, if any do.
fn laws(system: &System) -> Result<Option<(Multipliers, Substitution)>, String> {
    if system.laws.is_empty() {
        return Ok(None);
    }
    let put = Substitution::from_iter(system.laws.iter().map(|law| (law.lambda, law.value)));
    Ok(Some((Multipliers::of(system)?, put)))
}

impl Lines {
    /// Long: a table.
    fn line(&mut self, declaration: &Declaration) -> Read<()> {
        match declaration {
            Declaration::Let(one) if one.arguments.is_empty() => self.name(&one.name, &one.value)?,
            Declaration::Observe(one) => self.name(&one.name, &one.value)?,
            Declaration::Speed(one) if self.own.pseudo.iter().any(|pseudo| pseudo.name == one.name.name) => {
                self.name(&one.name, &one.value)?;
            }
            Declaration::Speed(one) => {
                self.own.speeds[self.speeds].definition = self.scalar(&one.value)?;
                self.speeds += 1;
            }
            Declaration::Frame(frame) => self.frame(frame)?,
            Declaration::Point(point) => self.point(point)?,
            Declaration::Body(body) => self.body(body)?,
            Declaration::Gravity(gravity) => {
                let gravity = self.vector(&gravity.value)?;
                self.gravities.push(gravity);
            }
            Declaration::Potential(potential) => {
                let potential = self.scalar(&potential.value)?;
                self.work.push((potential, -Expr::one()));
            }
            Declaration::Dissipation(dissipation) => {
                let dissipation = self.scalar(&dissipation.value)?;
                let span = Default::default();
                let slopes = expr::gradient(dissipation, &self.own.q_dot()).map_err(at(span))?;
                self.direct.iter_mut().zip(slopes).for_each(|(list, slope)| list.push(-slope));
            }
            Declaration::Force(force) => {
                let value = self.vector(&force.value)?;
                let on = self.target(&force.on)?;
                let place = match &force.at {
                    Some(place) => self.vector(place)?,
                    None => place_of(&self.own, on),
                };
                push_force(&self.own, &mut self.work, on, place, value);
                if let Some(other) = &force.against {
                    let other = self.target(other)?;
                    push_force(&self.own, &mut self.work, other, place, -value);
                }
            }
            Declaration::Torque(torque) => {
                let value = self.vector(&torque.value)?;
                self.turn(&torque.on, value)?;
                if let Some(other) = &torque.against {
                    self.turn(other, -value)?;
                }
            }
            Declaration::GeneralizedForce(force) => {
                let value = self.scalar(&force.value)?;
                if let Some(Entry::Coordinate(place)) = self.own.names.get(&force.on.name) {
                    self.direct[*place].push(value);
                }
            }
            Declaration::Spring(spring) => {
                let length = self.distance(&spring.from, &spring.to)?;
                let stiffness = self.scalar(&spring.stiffness)?;
                let stretch = match &spring.rest {
                    Some(rest) => length - self.scalar(rest)?,
                    None => length,
                };
                self.work.push((length, -(stiffness * stretch)));
            }
            Declaration::Damper(damper) => {
                let length = self.distance(&damper.from, &damper.to)?;
                let rate = expr::total_derivative(length).map_err(at(damper.from.span))?;
                let coefficient = self.scalar(&damper.coefficient)?;
                self.work.push((length, -(coefficient * rate)));
            }
            Declaration::Constraint(constraint) => self.constraint(constraint)?,
            Declaration::Joint(joint) => {
                for (label, tree) in &joint.rows {
                    let row = self.scalar(tree)?;
                    self.rows.insert(format!("{}.{label}", joint.label.name), row);
                }
            }
            Declaration::Contact(contact) => self.contact(contact)?,
            _ => {}
        }
        Ok(())
    }

    fn reader(&self) -> Reader<'_> {
        let motion = self.laws.as_ref().map(|known| &known.0 as &dyn Motion);
        Reader::new(&self.own, Reading { motion, ..Reading::default() })
    }

    fn scalar(&self, node: &Node) -> Read<Expr> {
        let read = self.reader().scalar(node)?;
        self.laws.as_ref().map_or(Ok(read), |known| known.1.apply_one(read)).map_err(at(node.span))
    }

    fn vector(&self, node: &Node) -> Read<Vector> {
        let read = self.reader().vector(node)?;
        let Some((_, put)) = &self.laws else { return Ok(read) };
        let made = put.apply(&read.0).map_err(at(node.span))?;
        Ok(Vector([made[0], made[1], made[2]]))
    }

    fn entries(&self, node: &Node) -> Read<Vec<Expr>> {
        match &node.kind {
            NodeKind::Tuple(list) => list.iter().map(|entry| self.scalar(entry)).collect(),
            _ => Ok(vec![self.scalar(node)?]),
        }
    }

    fn name(&mut self, name: &Name, value: &Node) -> Read<()> {
        let entry = match self.own.term(value)? {
            Term::Scalar(scalar) => Entry::Scalar(scalar),
            Term::Vector(vector) => Entry::Vector(vector),
            Term::Deferred(_) => return Ok(()),
        };
        self.own.names.insert(name.name.clone(), entry);
        Ok(())
    }

    fn place(&self, name: &Name) -> Read<Entry> {
        let known = self.own.names.get(&name.name).cloned();
        known.ok_or_else(|| wrong(name.span, format!("this model does not declare `{}`", name.name)))
    }

    fn target(&self, name: &Name) -> Read<Target> {
        match self.place(name)? {
            Entry::Point(place) => Ok(Target::Point(place)),
            Entry::Body(place) => Ok(Target::Body(place)),
            _ => Err(wrong(name.span, format!("`{}` is neither a point nor a body", name.name))),
        }
    }

    // ---- places

    /// (1), (2), (3)
    fn frame(&mut self, frame: &model::Frame) -> Read<()> {
        let Entry::Frame(parent) = self.place(&frame.parent)? else { return Err(Stop::Told) };
        let mut reached: Axes = self.own.frames[parent].in_inertial.axes;
        match &frame.orientation {
            model::Orientation::Rotated(turns) => {
                for turn in turns {
                    let n = match &turn.about {
                        TurnAxis::Own(axis) => Vector::along(*axis),
                        TurnAxis::Direction(node) => self.vector(node)?.unit().map_err(at(node.span))?,
                        TurnAxis::Vector(node) => {
                            let unit = self.vector(node)?.unit().map_err(at(node.span))?;
                            Vector(reached.map(|axis| axis.dot(unit)))
                        }
                    };
                    let angle = self.scalar(&turn.angle)?;
                    let unit = [Axis::X, Axis::Y, Axis::Z].map(Vector::along);
                    let turned = [0, 1, 2].map(|a| {
                        let along = n * n.0[a];
                        Vector::sum(&[along, (unit[a] - along) * angle.cos(), n.cross(unit[a]) * angle.sin()])
                    });
                    reached = turned.map(|components| along(reached, components));
                }
            }
            model::Orientation::Quaternion(tuple) => {
                let list = self.entries(tuple)?;
                let [w, x, y, z] = list[..] else { return Err(Stop::Told) };
                let b = Vector([x, y, z]);
                let turned = [Axis::X, Axis::Y, Axis::Z]
                    .map(Vector::along)
                    .map(|a| Vector::sum(&[a * (w * w - b.dot(b)), b * (2 * b.dot(a)), b.cross(a) * (2 * w)]));
                self.rows.insert(frame.name.name.clone(), Expr::sum(&[w * w, b.dot(b), -Expr::one()]));
                reached = turned.map(|components| along(reached, components));
            }
            model::Orientation::Matrix(rows) => {
                let rows = rows.iter().map(|row| self.entries(row)).collect::<Read<Vec<_>>>()?;
                let column = |j: usize| Vector([rows[0][j], rows[1][j], rows[2][j]]);
                reached = [0, 1, 2].map(|j| along(reached, column(j)));
            }
        }
        let swept = |e: Vector| e.rate().map(|rate| e.cross(rate) * expr::rational(1, 2));
        let [x, y, z] = reached.map(|e| swept(e).map_err(at(frame.name.span)));
        self.own.frames[self.frames].omega = Vector::sum(&[x?, y?, z?]);
        self.own.frames[self.frames].in_inertial.axes = reached;
        self.frames += 1;
        Ok(())
    }

    fn point(&mut self, point: &model::Point) -> Read<()> {
        let here = self.points;
        self.points += 1;
        let place = self.vector(&point.position)?;
        self.own.points[here].position = place;
        let Some(mass) = &point.mass else { return Ok(()) };
        let mass = self.scalar(mass)?;
        let what_leaves = point.exhaust.as_ref().map(|exhaust| self.vector(exhaust)).transpose()?;
        if let Some(u) = what_leaves {
            let loss = expr::total_derivative(mass).map_err(at(point.name.span))?;
            push(&mut self.work, place, u * loss);
        }
        self.particles.push((here, Mass { name: point.name.name.clone(), place, mass, body: None }));
        Ok(())
    }

    fn body(&mut self, body: &model::Body) -> Read<()> {
        let here = self.bodies.len();
        let Entry::Frame(frame) = self.place(&body.frame)? else { return Err(Stop::Told) };
        let (place, mass) = (self.vector(&body.at)?, self.scalar(&body.mass)?);
        let about = body.about.as_ref().map(|about| self.vector(about)).transpose()?;
        let axes = self.own.frames[frame].in_inertial.axes;
        let K = second_moments(&self.entries(&body.inertia)?);
        let mut K = K.ok_or_else(|| wrong(body.inertia.span, "an inertia has one, three or six entries"))?;
        if let Some(about) = about {
            let d = axes.map(|e| expr::simplify(e.dot(place - about), &[]));
            let plane = if K[2][2] == Expr::zero() && K[0][2] == Expr::zero() { 2 } else { 3 };
            (0..plane).for_each(|a| (0..plane).for_each(|b| K[a][b] -= mass * d[a] * d[b]));
        }
        (self.own.bodies[here].centre, self.own.bodies[here].frame) = (place, frame);
        self.bodies.push(Mass { name: body.name.name.clone(), place, mass, body: Some((axes, K)) });
        Ok(())
    }

    fn distance(&self, from: &Node, to: &Node) -> Read<Expr> {
        (self.vector(from)? - self.vector(to)?).norm().map_err(at(from.span))
    }

    /// ½ Σ (M × e_a)·δe_a
    fn turn(&mut self, body: &Name, torque: Vector) -> Read<()> {
        let Target::Body(body) = self.target(body)? else { return Err(Stop::Told) };
        for e in axes_of(&self.own, body) {
            push(&mut self.work, e, torque.cross(e) * expr::rational(1, 2));
        }
        Ok(())
    }

    fn finished(mut self) -> Result<Places, MathError> {
        let mut masses: Vec<Mass> = self.particles.into_iter().map(|(_, mass)| mass).collect();
        masses.append(&mut self.bodies);
        for gravity in self.gravities {
            masses.iter().for_each(|one| push(&mut self.work, one.place, gravity * one.mass));
        }
        Ok(Places { masses, work: self.work, direct: self.direct, rows: self.rows, own: self.own })
    }

    // ---- rows

    fn constraint(&mut self, constraint: &model::Constraint) -> Read<()> {
        let name = &constraint.label.name;
        for (axis, left, right) in self.own.sides(&constraint.relation)? {
            let row = match constraint.relation.comparison {
                Comparison::AtMost => right - left,
                _ => left - right,
            };
            let name = axis.map_or_else(|| name.clone(), |axis| format!("{name}.{}", axis.symbol()));
            self.rows.insert(name, row);
        }
        Ok(())
    }

    /// (4), (5)
    fn contact(&mut self, contact: &model::Contact) -> Read<()> {
        let known = self.own.contacts[self.contacts].clone();
        self.contacts += 1;
        let (name, span) = (&contact.label.name, contact.plane.span);
        let what = self.target(&contact.what)?;
        let centre = match &contact.at {
            Some(place) => self.vector(place)?,
            None => place_of(&self.own, what),
        };
        let NodeKind::Tuple(plane) = &contact.plane.kind else { return Err(Stop::Told) };
        let given = self.vector(&plane[0])?;
        let length = self.length(given).map_err(at(span))?;
        let n = given.over(length).map_err(at(span))?;
        let d = self.scalar(&plane[1])?.try_div(length).map_err(at(span))?;
        let carrier = contact.of.as_ref().map(|name| self.place(name)).transpose()?;
        let (origin, carried) = match carrier {
            Some(Entry::Body(place)) => (self.own.bodies[place].centre, Some(axes_of(&self.own, place))),
            Some(Entry::Frame(place)) => (Vector::zero(), Some(self.own.frames[place].in_inertial.axes)),
            _ => (Vector::zero(), None),
        };
        let (reach, arm) = self.surface(contact, what, n, &known.touch.roots)?;
        self.rows.insert(format!("{name}.gap"), Expr::sum(&[n.dot(centre - origin), -d, -reach]));
        let mut slip = centre.rate().map_err(at(span))?;
        if let Target::Body(body) = what {
            slip = slip + swung(axes_of(&self.own, body), arm).map_err(at(span))?;
        }
        if let Some(axes) = carried {
            let base = origin.rate().map_err(at(span))?;
            slip = slip - base - swung(axes, centre + arm - origin).map_err(at(span))?;
        }
        let directions: Vec<(&str, Vector)> = match &contact.motion {
            model::Motion::Skates(direction) => {
                let across = n.cross(self.vector(direction)?);
                let length = rooted(across.dot(across), &known.touch.roots).map_err(at(span))?;
                vec![("slip", across.over(length).map_err(at(span))?)]
            }
            _ => {
                let [first, second] = self.tangents(n, carried).map_err(at(span))?;
                vec![("slip1", first), ("slip2", second)]
            }
        };
        for (label, own) in directions {
            let theirs = known.touch.slips.iter().find(|slip| slip.label == label).map(|slip| slip.direction);
            let own = if theirs.is_some_and(|theirs| (theirs + own).is_zero()) { -own } else { own };
            self.rows.insert(format!("{name}.{label}"), own.dot(slip));
        }
        Ok(())
    }

    /// How far a surface reaches against the normal, and where it touches, from its centre.
    fn surface(&self, contact: &model::Contact, what: Target, n: Vector, roots: &[Root]) -> Read<(Expr, Vector)> {
        let (Some(shape), Target::Body(body)) = (&contact.shape, what) else {
            return Ok((Expr::zero(), Vector::zero()));
        };
        let math = at(shape.span);
        let radius = |k: usize| self.scalar(&shape.arguments[k]);
        match shape.kind {
            ShapeKind::Sphere => {
                let r = radius(0)?;
                Ok((r, -(n * r)))
            }
            ShapeKind::Disc | ShapeKind::Torus => {
                let Some(axis) = shape.arguments.last() else { return Err(Stop::Told) };
                let axis = self.vector(axis)?;
                let a = axis.over(self.length(axis).map_err(&math)?).map_err(&math)?;
                let lean = n.dot(a);
                let s = rooted(Expr::one() - lean.pow(2), roots).map_err(&math)?;
                let e = (n - a * lean).over(s).map_err(&math)?;
                let thick = if shape.kind == ShapeKind::Torus { radius(1)? } else { Expr::zero() };
                let r = radius(0)?;
                Ok((r * s + thick, -(e * r + n * thick)))
            }
            ShapeKind::Ellipsoid => {
                let (e, a) = (axes_of(&self.own, body), [radius(0)?, radius(1)?, radius(2)?]);
                let part = |k: usize| a[k].pow(2) * n.dot(e[k]);
                let square = Expr::sum(&[0, 1, 2].map(|k| part(k) * n.dot(e[k])));
                let h = rooted(square, roots).map_err(&math)?;
                let arm = Vector::sum(&[0, 1, 2].map(|k| e[k] * part(k))).over(h).map_err(&math)?;
                Ok((h, -arm))
            }
        }
    }

    /// Two unit vectors in the plane, fixed in what carries it.
    fn tangents(&self, n: Vector, carried: Option<Axes>) -> Result<[Vector; 2], MathError> {
        let axes = carried.unwrap_or_else(|| [Axis::X, Axis::Y, Axis::Z].map(Vector::along));
        let parts = axes.map(|e| e.dot(n));
        let size = |k: usize| number(&self.own, at_zero(parts[k])).map_or(1.0, f64::abs);
        let order = [1, 2, 0];
        let flat = order.into_iter().find(|&k| parts[k].is_zero());
        let least = order.into_iter().min_by(|&a, &b| size(a).total_cmp(&size(b)));
        let across = axes[flat.or(least).unwrap_or(1)];
        let along = across.cross(n);
        let along = if flat.is_some() { along } else { along.unit()? };
        Ok([along, n.cross(along)])
    }

    fn length(&self, vector: Vector) -> Result<Expr, MathError> {
        let square = vector.dot(vector);
        if (square - 1).is_zero() {
            return Ok(Expr::one());
        }
        let root = vector.norm()?;
        let root = if root.has_branches() { shorter(square).sqrt() } else { root };
        let plain = without_bars(root).unwrap_or(root);
        Ok(if number(&self.own, plain).is_some_and(|value| value < 0.0) { -plain } else { plain })
    }
}

/// A root of this square: one that is known already, since its sign was chosen by the start.
fn rooted(square: Expr, known: &[Root]) -> Result<Expr, MathError> {
    let same = known.iter().find(|root| (root.value * root.value - square).is_zero());
    match same {
        Some(root) => Ok(root.value),
        None if (square - 1).is_zero() => Ok(Expr::one()),
        None => square.try_pow(&expr::Rational::new(1, 2).unwrap_or(expr::Rational::ONE)),
    }
}

/// Σ (e_a·arm) e_a', the arm held fast.
fn swung(axes: Axes, arm: Vector) -> Result<Vector, MathError> {
    let [x, y, z] = axes.map(|e| e.rate().map(|rate| rate * e.dot(arm)));
    Ok(Vector::sum(&[x?, y?, z?]))
}

/// Σ c_a e_a
fn along(axes: Axes, components: Vector) -> Vector {
    Vector::sum(&[0, 1, 2].map(|a| axes[a] * components.0[a]))
}

/// K_ab = ½ tr(I) δ_ab − I_ab; a body with one moment turns in its plane, and any two halves of it do.
fn second_moments(given: &[Expr]) -> Option<[[Expr; 3]; 3]> {
    let (half, zero) = (expr::rational(1, 2), Expr::zero());
    let [xx, yy, zz, xy, yz, zx] = match *given {
        [zz] => return Some([[half * zz, zero, zero], [zero, half * zz, zero], [zero, zero, zero]]),
        [xx, yy, zz] => [xx, yy, zz, zero, zero, zero],
        [xx, yy, zz, xy, yz, zx] => [xx, yy, zz, xy, yz, zx],
        _ => return None,
    };
    let trace = half * Expr::sum(&[xx, yy, zz]);
    Some([[trace - xx, -xy, -zx], [-xy, trace - yy, -yz], [-zx, -yz, trace - zz]])
}

fn place_of(system: &System, target: Target) -> Vector {
    match target {
        Target::Point(place) => system.points[place].position,
        Target::Body(place) => system.bodies[place].centre,
    }
}

fn axes_of(system: &System, body: usize) -> Axes {
    system.frames[system.bodies[body].frame].in_inertial.axes
}

pub(crate) fn push(pairs: &mut Pairs, place: Vector, weight: Vector) {
    let both = place.0.into_iter().zip(weight.0);
    pairs.extend(both.filter(|(place, weight)| *place != Expr::zero() && *weight != Expr::zero()));
}

/// F·(δC + Σ ξ_a δe_a), ξ_a = e_a·(place − C) held fast
fn push_force(system: &System, pairs: &mut Pairs, on: Target, at: Vector, force: Vector) {
    push(pairs, place_of(system, on), force);
    if let Target::Body(body) = on {
        let arm = at - system.bodies[body].centre;
        axes_of(system, body).into_iter().for_each(|e| push(pairs, e, force * e.dot(arm)));
    }
}

//! What do the lines of a model say in plain numbers, while the coordinates follow a path?
//!
//! No expression is made: a line is a tree, and a tree is a number along the path. This is a third reading of a
//! model, beside that of the eight families and that of the ninth, and shares neither with them.

use model::{Declaration, Name, Orientation, Param, ShapeKind, TurnAxis};
use rustc_hash::FxHashMap;
use syntax::{Arguments, Axis, Comparison, Node, NodeKind, Range, Relation, Scale, Sign};

use super::jet::{Arrow, Jet, cross, dot, minus, plus, rate, times, zero};

/// Where the coordinates are along a path, and what does not change.
pub struct Path<'a> {
    pub coordinates: &'a FxHashMap<String, Jet>,
    pub constants: &'a FxHashMap<String, f64>,
    pub time: Jet,
}

/// A mass along the path.
#[derive(Clone, Copy)]
pub struct Mass {
    pub mass: Jet,
    pub place: Arrow,
    /// The axes of a body, and its central inertia along them.
    pub body: Option<([Arrow; 3], [[Jet; 3]; 3])>,
    /// The relative velocity of what leaves it.
    pub exhaust: Option<Arrow>,
}

/// What acts.
pub enum Effort {
    /// A force on a mass or a point, at a place.
    Force {
        force: Arrow,
        on: Target,
        at: Arrow,
    },
    Torque {
        torque: Arrow,
        body: usize,
    },
    Gravity(Arrow),
    /// A force against the growth of a length or of an energy.
    Pull {
        force: Jet,
        length: Jet,
    },
    Dissipation(Jet),
    Generalized {
        force: Jet,
        coordinate: String,
    },
}

/// A point or a body, by its place in the lists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    Point(usize),
    Body(usize),
}

#[derive(Clone, Copy)]
enum Value {
    Scalar(Jet),
    Vector(Arrow),
    Frame(usize),
    Body(usize),
}

enum Item<'a> {
    Value(Value),
    Point(usize),
    Function(&'a [Name], &'a Node),
}

/// Everything along one path.
pub struct Scene<'a> {
    path: &'a Path<'a>,
    names: FxHashMap<String, Item<'a>>,
    frames: Vec<[Arrow; 3]>,
    pub points: Vec<Arrow>,
    pub bodies: Vec<Mass>,
    pub masses: Vec<Mass>,
    pub efforts: Vec<Effort>,
    /// What vanishes, by the names of rows.
    pub rows: FxHashMap<String, Jet>,
    locals: Vec<(String, Value)>,
}

/// Why there is no number: what is not read here.
type Read<T> = Option<T>;

impl<'a> Scene<'a> {
    /// Reads all lines; none if one of them says what is not read here.
    pub fn of(lines: &'a [model::Line], path: &'a Path<'a>) -> Read<Scene<'a>> {
        let inertial = [0, 1, 2].map(unit);
        let mut scene = Scene {
            path,
            names: FxHashMap::default(),
            frames: vec![inertial],
            points: Vec::new(),
            bodies: Vec::new(),
            masses: Vec::new(),
            efforts: Vec::new(),
            rows: FxHashMap::default(),
            locals: Vec::new(),
        };
        for line in lines {
            scene.line(&line.declaration)?;
        }
        let bodies = scene.bodies.clone();
        scene.masses.extend(bodies);
        Some(scene)
    }

    /// Long: a table.
    fn line(&mut self, declaration: &'a Declaration) -> Read<()> {
        match declaration {
            Declaration::Param(Param::Values(list)) => {
                list.iter().for_each(|one| self.constant(&one.name.name));
            }
            Declaration::Param(Param::Unit { names, .. }) => names.iter().for_each(|name| self.constant(&name.name)),
            Declaration::Input(input) => input.names.iter().for_each(|name| self.input(&name.name)),
            Declaration::Unknown(unknown) if unknown.function.is_some() => return None,
            Declaration::Unknown(unknown) => unknown.names.iter().for_each(|name| self.constant(&name.name)),
            Declaration::Coord(coord) => {
                for family in &coord.families {
                    let jet = *self.path.coordinates.get(&family.name)?;
                    self.names.insert(family.name.clone(), Item::Value(Value::Scalar(jet)));
                }
            }
            Declaration::Let(one) if !one.arguments.is_empty() => {
                self.names.insert(one.name.name.clone(), Item::Function(&one.arguments, &one.value));
            }
            Declaration::Let(one) => self.name(&one.name, &one.value),
            Declaration::Observe(one) | Declaration::Speed(one) => self.name(&one.name, &one.value),
            Declaration::Frame(frame) => self.frame(frame)?,
            Declaration::Point(point) => self.point(point)?,
            Declaration::Body(body) => self.body(body)?,
            Declaration::Kinetic(_) | Declaration::Function(_) => return None,
            Declaration::Constraint(constraint) => {
                let name = &constraint.label.name;
                for (axis, f) in self.sides(&constraint.relation)? {
                    let f = if constraint.relation.comparison == Comparison::AtMost { -f } else { f };
                    let name = axis.map_or_else(|| name.clone(), |axis| format!("{name}.{}", axis.symbol()));
                    self.rows.insert(name, f);
                }
            }
            Declaration::Joint(joint) => {
                for (label, tree) in &joint.rows {
                    let row = self.scalar(tree)?;
                    self.rows.insert(format!("{}.{label}", joint.label.name), row);
                }
            }
            Declaration::Contact(contact) => self.contact(contact)?,
            _ => self.load(declaration)?,
        }
        Some(())
    }

    fn load(&mut self, declaration: &'a Declaration) -> Read<()> {
        let mut made = Vec::new();
        match declaration {
            Declaration::Gravity(gravity) => made.push(Effort::Gravity(self.vector(&gravity.value)?)),
            Declaration::Potential(potential) => {
                made.push(Effort::Pull { force: Jet::constant(1.0), length: self.scalar(&potential.value)? });
            }
            Declaration::Dissipation(one) => made.push(Effort::Dissipation(self.scalar(&one.value)?)),
            Declaration::Force(one) => {
                let (force, on) = (self.vector(&one.value)?, self.target(&one.on)?);
                let at = match &one.at {
                    Some(at) => self.vector(at)?,
                    None => self.place(on),
                };
                made.push(Effort::Force { force, on, at });
                if let Some(other) = &one.against {
                    made.push(Effort::Force { force: minus(zero(), force), on: self.target(other)?, at });
                }
            }
            Declaration::Torque(one) => {
                let torque = self.vector(&one.value)?;
                let mut on = |name: &Name, torque: Arrow| match self.target(name)? {
                    Target::Body(body) => {
                        made.push(Effort::Torque { torque, body });
                        Some(())
                    }
                    Target::Point(_) => None,
                };
                on(&one.on, torque)?;
                if let Some(other) = &one.against {
                    on(other, minus(zero(), torque))?;
                }
            }
            Declaration::GeneralizedForce(one) => {
                made.push(Effort::Generalized { force: self.scalar(&one.value)?, coordinate: one.on.name.clone() });
            }
            Declaration::Spring(one) => {
                let length = self.length(&one.from, &one.to)?;
                let rest = one.rest.as_ref().map_or(Some(Jet::constant(0.0)), |rest| self.scalar(rest))?;
                made.push(Effort::Pull { force: self.scalar(&one.stiffness)? * (length - rest), length });
            }
            Declaration::Damper(one) => {
                let length = self.length(&one.from, &one.to)?;
                made.push(Effort::Pull { force: self.scalar(&one.coefficient)? * length.rate(), length });
            }
            _ => {}
        }
        self.efforts.append(&mut made);
        Some(())
    }

    fn constant(&mut self, name: &str) {
        if let Some(&value) = self.path.constants.get(name) {
            self.names.insert(name.to_owned(), Item::Value(Value::Scalar(Jet::constant(value))));
        }
    }

    /// An input that moves something comes with its rate and its acceleration, while time runs.
    fn input(&mut self, name: &str) {
        let known = |order: usize| self.path.constants.get(&format!("{name}{}", "'".repeat(order))).copied();
        match (known(0), known(1), known(2)) {
            (Some(value), Some(rate), Some(acceleration)) if self.path.time.0[1] != 0.0 => {
                let jet = Jet::along([value, rate, acceleration / 2.0]);
                self.names.insert(name.to_owned(), Item::Value(Value::Scalar(jet)));
            }
            _ => self.constant(name),
        }
    }

    /// What cannot be read has no name; who asks for it then gets nothing.
    fn name(&mut self, name: &Name, value: &Node) {
        if let Some(value) = self.value(value) {
            self.names.insert(name.name.clone(), Item::Value(value));
        }
    }

    fn target(&self, name: &Name) -> Read<Target> {
        match self.names.get(&name.name)? {
            Item::Point(place) => Some(Target::Point(*place)),
            Item::Value(Value::Body(place)) => Some(Target::Body(*place)),
            _ => None,
        }
    }

    fn place(&self, target: Target) -> Arrow {
        match target {
            Target::Point(place) => self.points[place],
            Target::Body(place) => self.bodies[place].place,
        }
    }

    fn length(&mut self, from: &Node, to: &Node) -> Read<Jet> {
        let r = minus(self.vector(from)?, self.vector(to)?);
        Some(dot(r, r).power(0.5))
    }

    // ---- places

    fn frame(&mut self, frame: &'a model::Frame) -> Read<()> {
        let Value::Frame(parent) = self.named(&frame.parent.name)? else { return None };
        let mut axes = self.frames[parent];
        match &frame.orientation {
            Orientation::Rotated(turns) => {
                for turn in turns {
                    let about = match &turn.about {
                        TurnAxis::Own(axis) => axes[index(*axis)],
                        TurnAxis::Direction(node) => spread(axes, unit_of(self.vector(node)?)),
                        TurnAxis::Vector(node) => unit_of(self.vector(node)?),
                    };
                    let [sin, cos] = self.scalar(&turn.angle)?.sin_cos();
                    axes = axes.map(|e| {
                        let along = times(about, dot(about, e));
                        plus(along, plus(times(minus(e, along), cos), times(cross(about, e), sin)))
                    });
                }
            }
            Orientation::Matrix(_) => {}
            Orientation::Quaternion(tuple) => {
                let NodeKind::Tuple(list) = &tuple.kind else { return None };
                let parts = list.iter().map(|part| self.scalar(part)).collect::<Read<Vec<Jet>>>()?;
                let [w, x, y, z] = parts[..] else { return None };
                let b = spread(axes, [x, y, z]);
                self.rows.insert(frame.name.name.clone(), w * w + dot(b, b) - Jet::constant(1.0));
                axes = axes.map(|e| {
                    let once = cross(b, e);
                    plus(e, plus(times(once, w.scaled(2.0)), times(cross(b, once), Jet::constant(2.0))))
                });
            }
        }
        if let Orientation::Matrix(rows) = &frame.orientation {
            let mut read = [zero(); 3];
            for (own, row) in read.iter_mut().zip(rows) {
                *own = self.vector(row)?;
            }
            axes = [0, 1, 2].map(|j| spread(axes, [read[0][j], read[1][j], read[2][j]]));
        }
        self.names.insert(frame.name.name.clone(), Item::Value(Value::Frame(self.frames.len())));
        self.frames.push(axes);
        Some(())
    }

    fn point(&mut self, point: &'a model::Point) -> Read<()> {
        let place = self.vector(&point.position)?;
        self.names.insert(point.name.name.clone(), Item::Point(self.points.len()));
        self.points.push(place);
        if let Some(mass) = &point.mass {
            let mass = self.scalar(mass)?;
            let exhaust = match &point.exhaust {
                Some(exhaust) => Some(self.vector(exhaust)?),
                None => None,
            };
            self.masses.push(Mass { mass, place, body: None, exhaust });
        }
        Some(())
    }

    fn body(&mut self, body: &'a model::Body) -> Read<()> {
        let Value::Frame(frame) = self.named(&body.frame.name)? else { return None };
        let (axes, place, mass) = (self.frames[frame], self.vector(&body.at)?, self.scalar(&body.mass)?);
        let list = match &body.inertia.kind {
            NodeKind::Tuple(list) => list.iter().map(|entry| self.scalar(entry)).collect::<Read<Vec<Jet>>>()?,
            _ => vec![self.scalar(&body.inertia)?],
        };
        let nothing = Jet::constant(0.0);
        let mut inertia = match list[..] {
            [zz] => [[nothing; 3], [nothing; 3], [nothing, nothing, zz]],
            [xx, yy, zz] => [[xx, nothing, nothing], [nothing, yy, nothing], [nothing, nothing, zz]],
            [xx, yy, zz, xy, yz, zx] => [[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]],
            _ => return None,
        };
        if let Some(about) = &body.about {
            let arm = minus(self.vector(about)?, place);
            let d = axes.map(|e| dot(e, arm));
            for (a, row) in inertia.iter_mut().enumerate().filter(|(a, _)| list.len() > 1 || *a == 2) {
                for (b, entry) in row.iter_mut().enumerate().filter(|(b, _)| list.len() > 1 || *b == 2) {
                    let square = match (a == b, list.len()) {
                        (false, _) => nothing,
                        (true, 1) => d[0] * d[0] + d[1] * d[1] + d[2] * d[2],
                        (true, _) => dot(d, d),
                    };
                    *entry = *entry - mass * (square - d[a] * d[b]);
                }
            }
        }
        // an inertia that changes is another question
        if inertia.iter().flatten().any(|entry| entry.0[1].abs() > 1e-9 * (1.0 + entry.0[0].abs())) {
            return None;
        }
        self.names.insert(body.name.name.clone(), Item::Value(Value::Body(self.bodies.len())));
        self.bodies.push(Mass { mass, place, body: Some((axes, inertia)), exhaust: None });
        Some(())
    }

    /// The gap, and the slip along two directions of the plane, or across one.
    fn contact(&mut self, contact: &'a model::Contact) -> Read<()> {
        let NodeKind::Tuple(plane) = &contact.plane.kind else { return None };
        let (given, distance) = (self.vector(&plane[0])?, self.scalar(&plane[1])?);
        let length = dot(given, given).power(0.5);
        let n = unit_of(given);
        let what = self.target(&contact.what)?;
        let centre = match &contact.at {
            Some(at) => self.vector(at)?,
            None => self.place(what),
        };
        let (origin, carrier) = match contact.of.as_ref().map(|name| self.named(&name.name)) {
            None => (zero(), None),
            Some(Some(Value::Frame(frame))) => (zero(), Some(self.frames[frame])),
            Some(Some(Value::Body(body))) => (self.bodies[body].place, Some(self.bodies[body].body?.0)),
            _ => return None,
        };
        let arm = self.arm(contact, what, n)?;
        let name = &contact.label.name;
        let gap = dot(n, minus(plus(centre, arm), origin)) - distance.over(length);
        self.rows.insert(format!("{name}.gap"), gap);
        let mut slip = rate(centre);
        if let Target::Body(body) = what {
            slip = plus(slip, cross(turning(self.bodies[body].body?.0), arm));
        }
        if let Some(axes) = carrier {
            let there = minus(plus(centre, arm), origin);
            slip = minus(minus(slip, rate(origin)), cross(turning(axes), there));
        }
        if let model::Motion::Skates(direction) = &contact.motion {
            let across = unit_of(cross(n, self.vector(direction)?));
            self.rows.insert(format!("{name}.slip"), dot(across, slip));
        } else {
            // fixed in the plane, whatever carries it
            let axes = carrier.unwrap_or_else(|| [0, 1, 2].map(unit));
            let lean = |k: &usize| {
                let size = dot(axes[*k], n).value().abs();
                if size < 1e-12 { 0.0 } else { size }
            };
            let least = [1, 2, 0].into_iter().min_by(|a, b| lean(a).total_cmp(&lean(b)))?;
            let first = unit_of(cross(axes[least], n));
            self.rows.insert(format!("{name}.slip1"), dot(first, slip));
            self.rows.insert(format!("{name}.slip2"), dot(cross(n, first), slip));
        }
        Some(())
    }

    /// From the centre of a surface to where it touches.
    fn arm(&mut self, contact: &'a model::Contact, what: Target, n: Arrow) -> Read<Arrow> {
        let (Some(shape), Target::Body(body)) = (&contact.shape, what) else { return Some(zero()) };
        let count = shape.arguments.len();
        let radius = |scene: &mut Scene<'a>, k: usize| scene.scalar(&shape.arguments[k]);
        let down = match shape.kind {
            ShapeKind::Sphere => times(n, radius(self, 0)?),
            ShapeKind::Disc | ShapeKind::Torus => {
                let axis = unit_of(self.vector(&shape.arguments[count - 1])?);
                let rim = times(unit_of(cross(cross(axis, n), axis)), radius(self, 0)?);
                match shape.kind {
                    ShapeKind::Torus => plus(rim, times(n, radius(self, 1)?)),
                    _ => rim,
                }
            }
            ShapeKind::Ellipsoid => {
                let (axes, _) = self.bodies[body].body?;
                let mut sum = zero();
                for (k, e) in axes.into_iter().enumerate() {
                    let a = radius(self, k)?;
                    sum = plus(sum, times(e, a * a * dot(n, e)));
                }
                times(sum, dot(n, sum).power(-0.5))
            }
        };
        Some(minus(zero(), down))
    }

    // ---- trees

    fn scalar(&mut self, node: &Node) -> Read<Jet> {
        match self.value(node)? {
            Value::Scalar(jet) => Some(jet),
            _ => None,
        }
    }

    fn vector(&mut self, node: &Node) -> Read<Arrow> {
        let value = self.value(node)?;
        arrow(value)
    }

    fn sides(&mut self, relation: &Relation) -> Read<Vec<(Option<Axis>, Jet)>> {
        match (self.value(&relation.left)?, self.value(&relation.right)?) {
            (Value::Scalar(left), Value::Scalar(right)) => Some(vec![(None, left - right)]),
            (left, right) => {
                let difference = minus(arrow(left)?, arrow(right)?);
                Some([Axis::X, Axis::Y, Axis::Z].map(|axis| (Some(axis), difference[index(axis)])).to_vec())
            }
        }
    }

    fn named(&mut self, name: &str) -> Read<Value> {
        if let Some((_, value)) = self.locals.iter().rev().find(|(local, _)| local == name) {
            return Some(*value);
        }
        match name {
            "t" => return Some(Value::Scalar(self.path.time)),
            "pi" => return Some(Value::Scalar(Jet::constant(std::f64::consts::PI))),
            "N" => return Some(Value::Frame(0)),
            _ => {}
        }
        match self.names.get(name)? {
            Item::Value(value) => Some(*value),
            Item::Point(place) => Some(Value::Vector(self.points[*place])),
            Item::Function(..) => None,
        }
    }

    /// What a name stands for: a body is itself, where it could be its mass centre.
    fn meant(&mut self, node: &Node) -> Read<Value> {
        match &node.kind {
            NodeKind::Name { name, index: None } => self.named(name),
            NodeKind::Name { name, index: Some(index) } => {
                let index = self.scalar(index)?.value().round();
                self.named(&format!("{name}[{index}]"))
            }
            _ => self.value(node),
        }
    }

    fn value(&mut self, node: &Node) -> Read<Value> {
        Some(match &node.kind {
            NodeKind::Number { text, unit } => {
                let factor = match unit {
                    Some(unit) => {
                        let factor = model::factor(unit).ok()?;
                        let root =
                            |(base, exponent): &(expr::Rational, expr::Rational)| base.to_f64().powf(exponent.to_f64());
                        let roots: f64 = factor.roots.iter().map(root).product();
                        factor.rational.to_f64() * std::f64::consts::PI.powf(factor.pi.to_f64()) * roots
                    }
                    None => 1.0,
                };
                Value::Scalar(Jet::constant(text.parse::<f64>().ok()? * factor))
            }
            NodeKind::Name { .. } => match self.meant(node)? {
                Value::Body(body) => Value::Vector(self.bodies[body].place),
                value => value,
            },
            NodeKind::Tuple(list) => {
                let mut parts = zero();
                for (part, entry) in parts.iter_mut().zip(list) {
                    *part = self.scalar(entry)?;
                }
                Value::Vector(parts)
            }
            NodeKind::Call { name, arguments } => self.call(name, arguments)?,
            NodeKind::Prime { of, order } => {
                let value = self.value(of)?;
                (0..*order).try_fold(value, |value, _| match value {
                    Value::Scalar(jet) => Some(Value::Scalar(jet.rate())),
                    Value::Vector(arrow) => Some(Value::Vector(rate(arrow))),
                    _ => None,
                })?
            }
            NodeKind::Component { of, axis } => match self.value(of)? {
                Value::Frame(frame) => Value::Vector(self.frames[frame][index(*axis)]),
                value => Value::Scalar(arrow(value)?[index(*axis)]),
            },
            NodeKind::Power { base, exponent } => {
                let exponent = self.scalar(exponent)?;
                Value::Scalar(self.scalar(base)?.power(exponent.value()))
            }
            NodeKind::Signed { sign, of } => signed(*sign, self.value(of)?)?,
            NodeKind::Product(factors) => self.product(factors)?,
            NodeKind::Sum(terms) => {
                let mut sum = Value::Scalar(Jet::constant(0.0));
                for (sign, term) in terms {
                    sum = added(sum, signed(*sign, self.value(term)?)?)?;
                }
                sum
            }
        })
    }

    fn product(&mut self, factors: &[(Scale, Node)]) -> Read<Value> {
        let (mut scale, mut vector, mut frame) = (Jet::constant(1.0), None, None);
        for (how, factor) in factors {
            match (self.value(factor)?, how) {
                (Value::Scalar(jet), Scale::Times) => scale = scale * jet,
                (Value::Scalar(jet), Scale::Over) => scale = scale.over(jet),
                (Value::Vector(arrow), Scale::Times) => vector = Some(arrow),
                (Value::Frame(place), Scale::Times) => frame = Some(place),
                _ => return None,
            }
        }
        Some(match (frame, vector) {
            (Some(frame), vector) => {
                Value::Vector(times(spread(self.frames[frame], vector.unwrap_or_else(zero)), scale))
            }
            (None, Some(vector)) => Value::Vector(times(vector, scale)),
            (None, None) => Value::Scalar(scale),
        })
    }

    fn call(&mut self, name: &str, arguments: &Arguments) -> Read<Value> {
        match arguments {
            Arguments::Choice { when, then, otherwise } => {
                let difference = self.scalar(&when.left)? - self.scalar(&when.right)?;
                let holds = when.comparison.holds(difference.value());
                self.value(if holds { then } else { otherwise })
            }
            Arguments::For { what, ranges } => self.repeated(what, ranges),
            Arguments::At { what, place } => {
                let Value::Body(body) = self.meant(what)? else { return None };
                let (there, body) = (self.vector(place)?, self.bodies[body]);
                let swing = cross(turning(body.body?.0), minus(there, body.place));
                Some(Value::Vector(plus(rate(body.place), swing)))
            }
            Arguments::List(list) => self.function(name, list),
        }
    }

    fn repeated(&mut self, what: &Node, ranges: &[Range]) -> Read<Value> {
        let [range, inner @ ..] = ranges else { return self.value(what) };
        let (from, to) = (self.scalar(&range.from)?.value().round(), self.scalar(&range.to)?.value().round());
        let mut sum = Value::Scalar(Jet::constant(0.0));
        for k in from as i64..=to as i64 {
            self.locals.push((range.index.clone(), Value::Scalar(Jet::constant(k as f64))));
            let term = self.repeated(what, inner);
            self.locals.pop();
            sum = added(sum, term?)?;
        }
        Some(sum)
    }

    fn function(&mut self, name: &str, list: &[Node]) -> Read<Value> {
        match (name, list) {
            ("dot", [a, b]) => Some(Value::Scalar(dot(self.vector(a)?, self.vector(b)?))),
            ("cross", [a, b]) => Some(Value::Vector(cross(self.vector(a)?, self.vector(b)?))),
            ("norm", [a]) => {
                let a = self.vector(a)?;
                Some(Value::Scalar(dot(a, a).power(0.5)))
            }
            ("unit", [a]) => Some(Value::Vector(unit_of(self.vector(a)?))),
            ("velocity", [a]) => Some(Value::Vector(rate(self.vector(a)?))),
            ("acceleration", [a]) => Some(Value::Vector(rate(rate(self.vector(a)?)))),
            ("omega", [what]) => match self.meant(what)? {
                Value::Frame(frame) => Some(Value::Vector(turning(self.frames[frame]))),
                Value::Body(body) => Some(Value::Vector(turning(self.bodies[body].body?.0))),
                _ => None,
            },
            _ => {
                let values = list.iter().map(|one| self.value(one)).collect::<Read<Vec<Value>>>()?;
                if let Some(Item::Function(arguments, body)) = self.names.get(name) {
                    let (arguments, body) = (*arguments, *body);
                    let locals = arguments.iter().map(|name| name.name.clone()).zip(values).collect();
                    let outer = std::mem::replace(&mut self.locals, locals);
                    let value = self.value(body);
                    self.locals = outer;
                    return value;
                }
                let jet = |value: &Value| if let Value::Scalar(jet) = value { Some(*jet) } else { None };
                let jets = values.iter().map(jet).collect::<Read<Vec<Jet>>>()?;
                Jet::applied(name, &jets).map(Value::Scalar)
            }
        }
    }
}

/// How fast axes turn: ½ Σ e × e'.
pub fn turning(axes: [Arrow; 3]) -> Arrow {
    axes.into_iter().fold(zero(), |sum, e| plus(sum, times(cross(e, rate(e)), Jet::constant(0.5))))
}

fn unit(k: usize) -> Arrow {
    [0, 1, 2].map(|i| Jet::constant(if i == k { 1.0 } else { 0.0 }))
}

fn unit_of(a: Arrow) -> Arrow {
    times(a, dot(a, a).power(-0.5))
}

fn spread(axes: [Arrow; 3], parts: Arrow) -> Arrow {
    plus(times(axes[0], parts[0]), plus(times(axes[1], parts[1]), times(axes[2], parts[2])))
}

fn index(axis: Axis) -> usize {
    match axis {
        Axis::X => 0,
        Axis::Y => 1,
        Axis::Z => 2,
    }
}

/// 0 is also the zero vector.
fn arrow(value: Value) -> Read<Arrow> {
    match value {
        Value::Vector(arrow) => Some(arrow),
        Value::Scalar(jet) if jet == Jet::constant(0.0) => Some(zero()),
        _ => None,
    }
}

fn signed(sign: Sign, value: Value) -> Read<Value> {
    match (sign, value) {
        (Sign::Plus, value) => Some(value),
        (Sign::Minus, Value::Scalar(jet)) => Some(Value::Scalar(-jet)),
        (Sign::Minus, value) => Some(Value::Vector(minus(zero(), arrow(value)?))),
    }
}

fn added(a: Value, b: Value) -> Read<Value> {
    match (a, b) {
        (Value::Scalar(a), Value::Scalar(b)) => Some(Value::Scalar(a + b)),
        (a, b) => Some(Value::Vector(plus(arrow(a)?, arrow(b)?))),
    }
}

//! What can a model say? One type for each keyword, in the words of the grammar.
//!
//! A [`Model`](crate::Model) is a list of [`Line`]s in the order in which they were written. Expressions stay trees of
//! the crate `syntax`; a line with `for` is kept as one line with its ranges.

use syntax::{Axis, Node, Range, Relation, Span, Unit};

/// A declaration with the ranges after `for`, if any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What is declared.
    pub declaration: Declaration,
    /// `for i in 1..n`: the declaration holds once for each value.
    pub ranges: Vec<Range>,
    /// Where the line stands, from its keyword to its last word.
    pub span: Span,
}

/// One declaration, by keyword.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declaration {
    /// `system "title"`
    System(Text),
    /// `source "origin"`
    Source(Text),
    /// `note "remark"`
    Note(Text),
    /// `param m = 1.3 kg`, `param F : N`
    Param(Param),
    /// `coord x, y : m`
    Coord(Coord),
    /// `speed u = x' + y'`
    Speed(Definition),
    /// `inverse x' = u - v`
    Inverse(Inverse),
    /// `dependent x', y'`
    Dependent(Dependent),
    /// `let r = sqrt(x^2 + y^2)`
    Let(Let),
    /// `observe height = y`
    Observe(Definition),
    /// `input F : N = 0`
    Input(Input),
    /// `unknown H, V : N`
    Unknown(Unknown),
    /// `frame B = N rotated z by phi`
    Frame(Frame),
    /// `point P = (x, y) mass m`
    Point(Point),
    /// `body D mass m at C frame B inertia J`
    Body(Body),
    /// `gravity (0, -g)`
    Gravity(Quantity),
    /// `potential c*x^2/2`
    Potential(Quantity),
    /// `kinetic J*phi'^2/2`
    Kinetic(Quantity),
    /// `dissipation b*x'^2/2`
    Dissipation(Quantity),
    /// `force F*N.x on P`
    Force(Force),
    /// `torque M*N.z on D`
    Torque(Torque),
    /// `generalized force Q on x`
    GeneralizedForce(GeneralizedForce),
    /// `spring c rest l between A and B`
    Spring(Spring),
    /// `damper b between A and B`
    Damper(Damper),
    /// `constraint rod: x^2 + y^2 = l^2`
    Constraint(Constraint),
    /// `contact ground: D rolls as disc(r, B.y) on plane(N.z, 0)`
    Contact(Contact),
    /// `friction mu on ground`
    Friction(Surface),
    /// `restitution e on ground`
    Restitution(Surface),
    /// `assume l > 0`
    Assume(Assume),
    /// `stop landed when y <= 0`
    Stop(Event),
    /// `record apex when y' = 0`
    Record(Event),
    /// `start x = 0, x' = 1 m/s`
    Start(Equations),
    /// `guess y = 1 m`
    Guess(Equations),
    /// `expect period: t = 2.01 s at x = 0`
    Expect(Statement),
    /// `claim law: x'' = -g`
    Claim(Statement),
}

/// `x`, or `a[i-1]`, where a name is declared or meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name without its index.
    pub name: String,
    /// The index in square brackets.
    pub index: Option<Node>,
    /// Where it stands.
    pub span: Span,
}

/// The strings of `system`, `source` and `note`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The strings, `\"` resolved; at least one.
    pub texts: Vec<String>,
}

/// The constants of one `param` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Param {
    /// `m = 1.3 kg, l = 0.8 m`
    Values(Vec<Definition>),
    /// `F, G : N`: a unit and no value.
    Unit {
        /// The names.
        names: Vec<Name>,
        /// Their unit.
        unit: Unit,
    },
}

/// `name = value`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// What is defined.
    pub name: Name,
    /// As what.
    pub value: Node,
}

/// `coord x, a[1..n] : m`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coord {
    /// The coordinates and families of coordinates.
    pub families: Vec<Family>,
    /// Their unit; without one they have none.
    pub unit: Option<Unit>,
}

/// `x`, or `a[1..n]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The name.
    pub name: String,
    /// First and last index of a family.
    pub bounds: Option<(Node, Node)>,
    /// Where it stands.
    pub span: Span,
}

/// `inverse x' = u - v`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inverse {
    /// The coordinate whose rate is given.
    pub rate: Name,
    /// The rate in terms of the speeds.
    pub value: Node,
}

/// `dependent x', y'`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependent {
    /// The coordinates whose rates reduced forms eliminate.
    pub rates: Vec<Name>,
}

/// `let r = …`, or `let f(a, b) = …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Let {
    /// The name.
    pub name: Name,
    /// The arguments, if it has any; then the name has no index.
    pub arguments: Vec<Name>,
    /// What it stands for.
    pub value: Node,
}

/// `input F : N = 2 N`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The load.
    pub name: Name,
    /// Its unit.
    pub unit: Unit,
    /// Its value while nobody sets it.
    pub value: Option<Node>,
}

/// `unknown H, V : N`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The loads that statics finds.
    pub names: Vec<Name>,
    /// Their unit.
    pub unit: Unit,
}

/// `frame B = N rotated z by psi, x by theta`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The new frame.
    pub name: Name,
    /// The frame it starts from.
    pub parent: Name,
    /// How it is turned.
    pub orientation: Orientation,
}

/// How a frame is turned against another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// One turn after the other.
    Rotated(Vec<Turn>),
    /// Four coordinates in a tuple.
    Quaternion(Node),
}

/// `z by psi`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// About what.
    pub about: TurnAxis,
    /// By which angle.
    pub angle: Node,
}

/// What a frame is turned about, in the frame reached so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnAxis {
    /// One of its own axes.
    Own(Axis),
    /// A direction: a tuple of its components.
    Direction(Node),
}

/// `point P = (x, y) mass m exhaust u`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The name.
    pub name: Name,
    /// Its position.
    pub position: Node,
    /// Its mass; with one it is a particle.
    pub mass: Option<Node>,
    /// The relative velocity of what leaves it.
    pub exhaust: Option<Node>,
}

/// `body D mass m at C frame B inertia (a, b, c) about P`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The name.
    pub name: Name,
    /// Its mass.
    pub mass: Node,
    /// Its mass centre.
    pub at: Node,
    /// The frame that turns with it.
    pub frame: Name,
    /// One, three or six entries.
    pub inertia: Node,
    /// The point that the inertia refers to; otherwise the mass centre.
    pub about: Option<Node>,
}

/// The expression after `gravity`, `potential`, `kinetic` or `dissipation`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// The expression.
    pub value: Node,
}

/// `force F on P at r against Q`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Force {
    /// The vector.
    pub value: Node,
    /// The point or body.
    pub on: Name,
    /// The place on a body.
    pub at: Option<Node>,
    /// Where the opposite acts.
    pub against: Option<Name>,
}

/// `torque M on D against E`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Torque {
    /// The vector.
    pub value: Node,
    /// The body.
    pub on: Name,
    /// Where the opposite acts.
    pub against: Option<Name>,
}

/// `generalized force Q on x`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneralizedForce {
    /// The scalar.
    pub value: Node,
    /// The coordinate.
    pub on: Name,
}

/// `spring c rest l between A and B`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spring {
    /// Force by length.
    pub stiffness: Node,
    /// The length without force; otherwise 0.
    pub rest: Option<Node>,
    /// One end.
    pub from: Node,
    /// The other end.
    pub to: Node,
}

/// `damper b between A and B`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damper {
    /// Force by speed.
    pub coefficient: Node,
    /// One end.
    pub from: Node,
    /// The other end.
    pub to: Node,
}

/// `constraint rod: left = right from … until …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The name before the colon.
    pub label: Name,
    /// `=`, `>=` or `<=` between two expressions.
    pub relation: Relation,
    /// When it is switched on.
    pub from: Option<Relation>,
    /// When it is switched off.
    pub until: Option<Relation>,
}

/// `contact ground: D rolls as disc(r, B.y) at C on plane(n, d) of E unilateral`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    /// The name before the colon.
    pub label: Name,
    /// The point or body.
    pub what: Name,
    /// How it moves on the plane.
    pub motion: Motion,
    /// Its surface; without one the point itself touches.
    pub shape: Option<Shape>,
    /// The centre of the surface; otherwise the mass centre.
    pub at: Option<Node>,
    /// `(n, d)`: normal and distance of the plane.
    pub plane: Node,
    /// The frame or body that carries the plane.
    pub of: Option<Name>,
    /// Whether the contact may open.
    pub unilateral: bool,
}

/// What a contact lets happen along the plane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Motion {
    /// No slip.
    Rolls,
    /// Free along the plane.
    Slides,
    /// No slip across this direction.
    Skates(Node),
}

/// `disc(r, B.y)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// `sphere`, `disc`, `torus` or `ellipsoid`.
    pub kind: ShapeKind,
    /// Radii, then the axis if it has one.
    pub arguments: Vec<Node>,
    /// Where it stands.
    pub span: Span,
}

/// The surfaces that a contact knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShapeKind {
    /// `sphere(r)`
    Sphere,
    /// `disc(r, axis)`
    Disc,
    /// `torus(R, r, axis)`
    Torus,
    /// `ellipsoid(a, b, c)`
    Ellipsoid,
}

/// `friction mu on c`, `restitution e on c`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surface {
    /// The coefficient.
    pub value: Node,
    /// The contact or constraint.
    pub on: Name,
}

/// `assume l > 0`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assume {
    /// What holds.
    pub relation: Relation,
}

/// `stop name when …`, `record name when …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The name of the event.
    pub name: Option<Name>,
    /// What becomes true.
    pub when: Relation,
}

/// The equations of `start` or `guess`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equations {
    /// Each with `=`; at least one.
    pub equations: Vec<Relation>,
}

/// `expect name: fact`, `claim name: fact`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The name before the colon.
    pub label: Name,
    /// What is stated.
    pub fact: Fact,
}

/// What an `expect` or a `claim` states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// `left = right at … within …`
    Relation {
        /// The relation.
        relation: Relation,
        /// Where it holds; otherwise on every motion.
        at: Option<At>,
        /// How far the sides may differ.
        within: Option<Node>,
    },
    /// `constant e`
    Constant(Node),
    /// `event name at t = 2 s within 1e-6`
    Event {
        /// The event.
        event: Name,
        /// What holds when it happens; with `=`.
        at: Relation,
        /// How far the sides may differ.
        within: Option<Node>,
    },
    /// `freedoms = 2`
    Freedoms(Node),
    /// `equilibrium x = 0, y = 0 stable`
    Equilibrium {
        /// The place; each with `=`.
        equations: Vec<Relation>,
        /// Whether it is said to be stable or unstable.
        stability: Option<Stability>,
    },
}

/// Where a relation is to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// `at start`
    Start,
    /// `at t = 1 s`, or a state; each with `=`.
    Equations(Vec<Relation>),
}

/// What is said of an equilibrium.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stability {
    /// `stable`
    Stable,
    /// `unstable`
    Unstable,
}

impl ShapeKind {
    /// All shapes.
    pub const ALL: [ShapeKind; 4] = [ShapeKind::Sphere, ShapeKind::Disc, ShapeKind::Torus, ShapeKind::Ellipsoid];

    /// As written.
    pub fn word(self) -> &'static str {
        match self {
            ShapeKind::Sphere => "sphere",
            ShapeKind::Disc => "disc",
            ShapeKind::Torus => "torus",
            ShapeKind::Ellipsoid => "ellipsoid",
        }
    }

    /// How it is written, with its arguments.
    pub fn usage(self) -> &'static str {
        match self {
            ShapeKind::Sphere => "sphere(r)",
            ShapeKind::Disc => "disc(r, axis)",
            ShapeKind::Torus => "torus(R, r, axis)",
            ShapeKind::Ellipsoid => "ellipsoid(a, b, c)",
        }
    }

    /// The number of radii, and whether an axis follows.
    pub(crate) fn arguments(self) -> (usize, bool) {
        match self {
            ShapeKind::Sphere => (1, false),
            ShapeKind::Disc => (1, true),
            ShapeKind::Torus => (2, true),
            ShapeKind::Ellipsoid => (3, false),
        }
    }
}

impl Stability {
    /// As written.
    pub fn word(self) -> &'static str {
        match self {
            Stability::Stable => "stable",
            Stability::Unstable => "unstable",
        }
    }
}

impl Declaration {
    /// The word that the line begins with.
    pub fn keyword(&self) -> &'static str {
        match self {
            Declaration::System(_) => "system",
            Declaration::Source(_) => "source",
            Declaration::Note(_) => "note",
            Declaration::Param(_) => "param",
            Declaration::Coord(_) => "coord",
            Declaration::Speed(_) => "speed",
            Declaration::Inverse(_) => "inverse",
            Declaration::Dependent(_) => "dependent",
            Declaration::Let(_) => "let",
            Declaration::Observe(_) => "observe",
            Declaration::Input(_) => "input",
            Declaration::Unknown(_) => "unknown",
            Declaration::Frame(_) => "frame",
            Declaration::Point(_) => "point",
            Declaration::Body(_) => "body",
            Declaration::Gravity(_) => "gravity",
            Declaration::Potential(_) => "potential",
            Declaration::Kinetic(_) => "kinetic",
            Declaration::Dissipation(_) => "dissipation",
            Declaration::Force(_) => "force",
            Declaration::Torque(_) => "torque",
            Declaration::GeneralizedForce(_) => "generalized",
            Declaration::Spring(_) => "spring",
            Declaration::Damper(_) => "damper",
            Declaration::Constraint(_) => "constraint",
            Declaration::Contact(_) => "contact",
            Declaration::Friction(_) => "friction",
            Declaration::Restitution(_) => "restitution",
            Declaration::Assume(_) => "assume",
            Declaration::Stop(_) => "stop",
            Declaration::Record(_) => "record",
            Declaration::Start(_) => "start",
            Declaration::Guess(_) => "guess",
            Declaration::Expect(_) => "expect",
            Declaration::Claim(_) => "claim",
        }
    }
}

//! What mechanical system does a model describe? Everything on its lines as expressions, element by
//! element, in exact numbers and SI units.
//!
//! A [`System`] is the first value behind the text: names are resolved, families expanded,
//! abbreviations and units gone, vectors have three components along `N`. It belongs to the current
//! scope of the crate `expr`, and it is never changed. A speed in an expression stands for its
//! definition in rates, except in `inverse` lines.

use std::sync::Arc;

use expr::{Comparison, Expr, MathError, Substitution};
use model::{Dimension, ShapeKind, SolidKind, Stability};
use rustc_hash::FxHashMap;
use syntax::{Axis, Diagnostic, Node, Span};

use crate::contact::Touch;
use crate::read::Entry;
use crate::{Frame, Vector};

/// A mechanical system, as its model describes it.
#[derive(Clone, Debug)]
pub struct System {
    /// The words after `system`.
    pub title: String,
    /// The words after `source`, line by line.
    pub sources: Vec<String>,
    /// The words after `note`, line by line.
    pub notes: Vec<String>,
    /// The constants, in the order of declaration.
    pub parameters: Vec<Parameter>,
    /// The time `t`.
    pub time: Expr,
    /// The coordinates, families element by element.
    pub coordinates: Vec<Coordinate>,
    /// The quasi-velocities.
    pub speeds: Vec<Speed>,
    /// The pseudo-accelerations: speeds of second order, whose definitions hold accelerations.
    pub pseudo: Vec<Speed>,
    /// Rates in terms of the speeds.
    pub inverses: Vec<Inverse>,
    /// The coordinates whose rates reduced forms eliminate.
    pub dependent: Vec<Dependent>,
    /// The loads that control may set.
    pub inputs: Vec<Input>,
    /// Quantities with a law for their rate.
    pub states: Vec<FirstOrder>,
    /// The loads that statics finds.
    pub unknowns: Vec<Unknown>,
    /// The names of the functions that statics finds.
    pub sought: Vec<String>,
    /// The output columns.
    pub observes: Vec<Observe>,
    /// The frames; the first is `N`.
    pub frames: Vec<Frame>,
    /// The points, with and without mass.
    pub points: Vec<Point>,
    /// The rigid bodies.
    pub bodies: Vec<Body>,
    /// Forces, torques, energies.
    pub loads: Vec<Load>,
    /// The laws of multipliers that loads name; the loads have their values in place of the multipliers.
    pub laws: Vec<crate::law::Law>,
    /// The constraints, and the norms of quaternions.
    pub constraints: Vec<Constraint>,
    /// The contacts as declared, and what each stands for; their rows are among the constraints.
    pub contacts: Vec<Contact>,
    /// The joints as declared, and what each does; their rows are among the constraints.
    pub joints: Vec<Joint>,
    /// Shapes without mass.
    pub drawings: Vec<Drawing>,
    /// Coefficients of friction.
    pub frictions: Vec<Surface>,
    /// Coefficients of restitution.
    pub restitutions: Vec<Surface>,
    /// What proofs and solves may use.
    pub assumptions: Vec<Relation>,
    /// Equations that the first state satisfies.
    pub start: Vec<Equation>,
    /// What strikes at the first instant.
    pub impulses: Vec<Impulse>,
    /// First approximations of it.
    pub guesses: Vec<Equation>,
    /// Which root of constraints that are not linear in the accelerations is meant: `guess x'' = …`.
    pub acceleration_guesses: Vec<Equation>,
    /// `stop` and `record`.
    pub events: Vec<Event>,
    /// `expect` and `claim`.
    pub statements: Vec<Statement>,
    /// Notes for the reader: rows that hold identically.
    pub remarks: Vec<Diagnostic>,
    /// The lines of the model, element by element: what was read, for whoever reads it in another way.
    pub(crate) lines: Arc<Vec<model::Line>>,
    /// What names stand for.
    pub(crate) names: FxHashMap<String, Entry>,
    /// The texts of abbreviations, outputs and speeds: what they name.
    pub(crate) texts: FxHashMap<String, Arc<Node>>,
}

/// A constant of the problem.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its symbol.
    pub symbol: Expr,
    /// What the model says it is, perhaps in terms of other parameters; SI units.
    pub definition: Option<Expr>,
    /// The same in numbers alone; `None` if it, or a parameter that it is made of, has no value.
    pub value: Option<Expr>,
    /// Its dimension; `None` in a model without units.
    pub dimension: Option<Dimension>,
    /// Where it is declared.
    pub span: Span,
}

/// A generalized coordinate.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// Its name, with its index: `a[3]`.
    pub name: String,
    /// Its symbol.
    pub q: Expr,
    /// Its rate.
    pub q_dot: Expr,
    /// Its acceleration.
    pub q_ddot: Expr,
    /// Its dimension; `None` in a model without units.
    pub dimension: Option<Dimension>,
    /// Where it is declared.
    pub span: Span,
}

/// A quasi-velocity.
#[derive(Clone, Debug)]
pub struct Speed {
    /// Its name.
    pub name: String,
    /// Its symbol, which stands in [`Inverse::value`].
    pub symbol: Expr,
    /// What it is, in coordinates, rates and time.
    pub definition: Expr,
    /// Where it is declared.
    pub span: Span,
}

/// A rate in terms of the speeds.
#[derive(Clone, Debug)]
pub struct Inverse {
    /// Whose rate: a place in [`System::coordinates`].
    pub coordinate: usize,
    /// The rate, with the speeds as symbols.
    pub value: Expr,
    /// Where it is declared.
    pub span: Span,
}

/// A rate that reduced forms eliminate.
#[derive(Clone, Debug)]
pub struct Dependent {
    /// Whose rate: a place in [`System::coordinates`].
    pub coordinate: usize,
    /// Where it is declared.
    pub span: Span,
}

/// A load that control may set.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its symbol: a constant while nobody sets it. Where it moves something, a function of time, whose rate and
    /// acceleration are inputs of their own.
    pub symbol: Expr,
    /// Its value while nobody sets it; may depend on the state, or on time alone where it moves something.
    pub value: Option<Expr>,
    /// Its dimension; `None` in a model without units.
    pub dimension: Option<Dimension>,
    /// Where it is declared.
    pub span: Span,
}

impl Input {
    /// Whether it is the rate or the acceleration of an input: then its value follows from that of the input itself.
    pub fn is_rate(&self) -> bool {
        self.symbol.as_symbol().is_some_and(|symbol| symbol.order > 0)
    }
}

/// A quantity with a law for its rate: a muscle's activation, a motor's current. It acts through loads.
#[derive(Clone, Debug)]
pub struct FirstOrder {
    /// Its name.
    pub name: String,
    /// Its symbol.
    pub symbol: Expr,
    /// Its rate, in states, inputs, coordinates, their rates and the time.
    pub rate: Expr,
    /// Its dimension; `None` in a model without units.
    pub dimension: Option<Dimension>,
    /// Where it is declared.
    pub span: Span,
}

impl FirstOrder {
    /// Whether its law has not been read yet: its rate is a symbol.
    pub(crate) fn is_lawless(&self) -> bool {
        self.rate.as_symbol().is_some_and(|rate| rate.kind == expr::Kind::State && rate.order == 1)
    }
}

/// A load that statics finds.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// Its name.
    pub name: String,
    /// Its symbol: a constant.
    pub symbol: Expr,
    /// Its dimension; `None` in a model without units.
    pub dimension: Option<Dimension>,
    /// Where it is declared.
    pub span: Span,
}

impl Unknown {
    /// Its time derivative of this order, a symbol of its own: `mu'`.
    pub fn rate(&self, order: usize) -> Expr {
        match order {
            0 => self.symbol,
            _ => expr::parameter(&format!("{}{}", self.name, "'".repeat(order))),
        }
    }
}

/// An output column.
#[derive(Clone, Debug)]
pub struct Observe {
    /// Its name.
    pub name: String,
    /// What is shown.
    pub value: Term,
    /// Where it is declared.
    pub span: Span,
}

/// An expression of the model.
#[derive(Clone, Debug)]
pub enum Term {
    /// A scalar.
    Scalar(Expr),
    /// A vector.
    Vector(Vector),
    /// It asks for reactions or energies of the motion: [`System::read`] makes it an expression
    /// when these are known.
    Deferred(Arc<Node>),
}

/// A point, or a particle.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its name.
    pub name: String,
    /// Its position.
    pub position: Vector,
    /// How the position is put together, frame by frame.
    pub placement: Placement,
    /// Its mass, if it is a particle.
    pub mass: Option<Expr>,
    /// The relative velocity of what leaves it.
    pub exhaust: Option<Vector>,
    /// Where it is declared.
    pub span: Span,
}

/// A position as a sum: another point, and arms along frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placement {
    /// The point that it starts from: a place in [`System::points`]; otherwise the origin.
    pub from: Option<usize>,
    /// Frames, as places in [`System::frames`], and components along them.
    pub arms: Vec<(usize, Vector)>,
}

impl Placement {
    /// One arm more, along a frame.
    pub(crate) fn add(&mut self, frame: usize, arm: Vector) {
        match self.arms.iter_mut().find(|(own, _)| *own == frame) {
            Some((_, sum)) => *sum = *sum + arm,
            None => self.arms.push((frame, arm)),
        }
    }
}

/// A rigid body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// Its mass.
    pub mass: Expr,
    /// Its mass centre.
    pub centre: Vector,
    /// How the mass centre is put together, frame by frame.
    pub placement: Placement,
    /// The frame that turns with it: a place in [`System::frames`].
    pub frame: usize,
    /// Its inertia.
    pub inertia: Inertia,
    /// What it looks like, if the model says it.
    pub solid: Option<Solid>,
    /// Where it is declared.
    pub span: Span,
}

/// The inertia of a body along the axes of its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inertia {
    /// The entries xx, yy, zz, xy, yz, zx of the matrix; those that were not given are 0.
    pub entries: [Expr; 6],
    /// How many were given: 1 (zz, plane motion), 3 or 6.
    pub given: usize,
    /// The point that the entries refer to; otherwise the mass centre.
    pub about: Option<Vector>,
}

/// A point or a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A place in [`System::points`].
    Point(usize),
    /// A place in [`System::bodies`].
    Body(usize),
}

/// A load, and where it is declared.
#[derive(Clone, Debug)]
pub struct Load {
    /// What acts.
    pub kind: LoadKind,
    /// Where it is declared.
    pub span: Span,
}

/// What acts on a system.
#[derive(Clone, Debug)]
pub enum LoadKind {
    /// A force at a place, and its opposite on another.
    Force {
        /// The force.
        force: Vector,
        /// The same as a sum of parts along frames.
        along: Vec<(usize, Vector)>,
        /// What it acts on.
        on: Target,
        /// Where: at the point, at the place on a body, or at its mass centre.
        at: Vector,
        /// What the opposite force acts on: on a body at the same place, on a point at the point.
        against: Option<Target>,
    },
    /// A torque, and its opposite on another body.
    Torque {
        /// The torque, as a sum of parts along frames.
        along: Vec<(usize, Vector)>,
        /// The body: a place in [`System::bodies`].
        on: usize,
        /// The other body.
        against: Option<usize>,
    },
    /// An acceleration that every mass feels.
    Gravity(Vector),
    /// V with Q = −∂V/∂q.
    Potential(Expr),
    /// What adds to T without particles.
    Kinetic(Expr),
    /// D with Q = −∂D/∂q'.
    Dissipation(Expr),
    /// A force on a coordinate.
    Generalized {
        /// The force.
        force: Expr,
        /// A place in [`System::coordinates`].
        coordinate: usize,
    },
    /// A linear spring.
    Spring {
        /// Force by length.
        stiffness: Expr,
        /// The length without force.
        rest: Expr,
        /// Its two ends.
        ends: [End; 2],
    },
    /// A linear damper.
    Damper {
        /// Force by speed.
        coefficient: Expr,
        /// Its two ends.
        ends: [End; 2],
    },
}

/// The end of a spring or a damper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Where it is.
    pub position: Vector,
    /// The point, if it was named: a place in [`System::points`].
    pub point: Option<usize>,
}

/// A constraint: f = 0, or f ≥ 0, row by row.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// The name before the colon, or the name of a quaternion frame.
    pub name: String,
    /// f = left − right; for `<=` f = right − left, so that f ≥ 0. Rows that hold identically are left out.
    pub rows: Vec<Expr>,
    /// The components that the rows belong to, for a constraint between vectors; otherwise empty.
    pub axes: Vec<Axis>,
    /// The names of the rows of a contact: `gap`, `slip1`, `slip2`; otherwise empty.
    pub labels: Vec<&'static str>,
    /// How its sides are compared.
    pub sense: Sense,
    /// When it is switched on; otherwise from the start.
    pub from: Option<Relation>,
    /// When it is switched off.
    pub until: Option<Relation>,
    /// Whether it acts only while the gap of its contact is closed.
    pub while_closed: bool,
    /// Whether it is no slip of a rough contact: it acts while that sticks.
    pub is_rough: bool,
    /// Why it is there.
    pub origin: Origin,
    /// As written; nothing for what the model does not write out.
    pub text: Option<Arc<syntax::Relation>>,
    /// Where it is declared.
    pub span: Span,
}

/// How the sides of a constraint are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sense {
    /// `=`
    Equal,
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
}

/// Why a constraint is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The model says so.
    Declared,
    /// The quaternion of this frame has length one.
    QuaternionNorm(usize),
    /// A contact: a place in [`System::contacts`].
    Contact {
        /// Which one.
        place: usize,
        /// Whether its rows are those of no slip; otherwise the gap.
        slips: bool,
    },
    /// A joint: a place in [`System::joints`].
    Joint(usize),
}

/// Two expressions compared.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Before the sign.
    pub left: Term,
    /// The sign.
    pub comparison: Comparison,
    /// After the sign.
    pub right: Term,
    /// As written, so that a verb can read it again: with reactions, or with speeds as symbols.
    pub tree: Arc<syntax::Relation>,
}

/// A scalar equation of `start` or `guess`; an equation between vectors makes three.
#[derive(Clone, Debug)]
pub struct Equation {
    /// Before the sign.
    pub left: Expr,
    /// After the sign.
    pub right: Expr,
    /// The component, if the sides were vectors.
    pub axis: Option<Axis>,
    /// As written.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// An impulse at the first instant.
#[derive(Clone, Debug)]
pub struct Impulse {
    /// The vector.
    pub value: Vector,
    /// What it acts on.
    pub on: Target,
    /// Where.
    pub at: Vector,
    /// Where it is declared.
    pub span: Span,
}

/// A contact, as declared, and what it stands for.
#[derive(Clone, Debug)]
pub struct Contact {
    /// The name before the colon.
    pub name: String,
    /// What touches the plane.
    pub what: Target,
    /// How it moves there.
    pub motion: ContactMotion,
    /// Its surface; without one the point itself touches.
    pub shape: Option<Shape>,
    /// The centre of the surface, or the point.
    pub centre: Vector,
    /// How the centre is put together, frame by frame.
    pub placement: Placement,
    /// The normal of the plane, towards the body.
    pub normal: Vector,
    /// The distance of the plane from the origin, along the normal as given.
    pub distance: Expr,
    /// What carries the plane; otherwise it is fixed.
    pub carrier: Option<Carrier>,
    /// Whether it may open.
    pub unilateral: bool,
    /// Whether there is friction on it.
    pub rough: bool,
    /// What it stands for.
    pub touch: Touch,
    /// Where it is declared.
    pub span: Span,
}

/// What a contact lets happen along the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactMotion {
    /// No slip.
    Rolls,
    /// Free along the plane.
    Slides,
    /// No slip across this direction.
    Skates(Vector),
}

/// The surface of a body in a contact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Sphere, disc, torus or ellipsoid.
    pub kind: ShapeKind,
    /// Its radii.
    pub radii: Vec<Expr>,
    /// Its axis, if it has one.
    pub axis: Option<Vector>,
}

/// What a uniform body looks like, or what is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solid {
    /// Which shape.
    pub kind: SolidKind,
    /// Its lengths, in the order in which they are written.
    pub lengths: Vec<Expr>,
    /// Its axis, if it has one.
    pub axis: Option<Vector>,
}

/// A shape without mass.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The name before the colon.
    pub name: String,
    /// What it looks like.
    pub solid: Solid,
    /// Its centre.
    pub at: Vector,
    /// The frame that it turns with: a place in [`System::frames`].
    pub frame: usize,
    /// Where it is declared.
    pub span: Span,
}

/// A joint, as declared, and what it does.
#[derive(Clone, Debug)]
pub struct Joint {
    /// The name before the colon.
    pub name: String,
    /// The body that its reaction is told of: a place in [`System::bodies`].
    pub first: usize,
    /// The other body; none for the ground.
    pub second: Option<usize>,
    /// The joint's point of the first body.
    pub point: Vector,
    /// What each of its rows does.
    pub rows: Vec<JointRow>,
    /// Where it is declared.
    pub span: Span,
}

/// What a row of a joint does to the first body, for a multiplier of one.
#[derive(Clone, Copy, Debug)]
pub struct JointRow {
    /// The name of the row after the dot.
    pub label: &'static str,
    /// The force at the joint's point.
    pub force: Vector,
    /// The torque about it.
    pub torque: Vector,
}

/// What carries the plane of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// A place in [`System::frames`].
    Frame(usize),
    /// A place in [`System::bodies`].
    Body(usize),
}

/// A coefficient of friction or restitution.
#[derive(Clone, Debug)]
pub struct Surface {
    /// The coefficient.
    pub value: Expr,
    /// The name of the contact or constraint.
    pub on: String,
    /// Where it is declared.
    pub span: Span,
}

/// `stop` or `record`.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its name.
    pub name: Option<String>,
    /// Whether the motion ends.
    pub stops: bool,
    /// What becomes true.
    pub when: Relation,
    /// Where it is declared.
    pub span: Span,
}

/// `expect` or `claim`.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The name before the colon.
    pub name: String,
    /// Which of the two.
    pub role: Role,
    /// What is stated.
    pub fact: Fact,
    /// The dimensions of its terms, if they do not fit: then a claim is wrong whatever moves.
    pub misfit: Option<String>,
    /// Where it is declared.
    pub span: Span,
}

/// Who states a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A published fact that `check` verifies.
    Expect,
    /// An assertion in an audit.
    Claim,
}

/// What is stated.
#[derive(Clone, Debug)]
pub enum Fact {
    /// A relation holds: there, or on every motion.
    Relation {
        /// The relation.
        relation: Relation,
        /// Where it holds.
        at: Option<Place>,
        /// How far the sides may differ.
        within: Option<Expr>,
    },
    /// This is constant on every motion.
    Constant {
        /// What.
        value: Term,
        /// As written.
        tree: Arc<Node>,
    },
    /// An event happens where this holds.
    Event {
        /// The name of the event.
        event: String,
        /// What holds when it happens.
        at: Relation,
        /// How far the sides may differ.
        within: Option<Expr>,
    },
    /// So many degrees of freedom.
    Freedoms(Expr),
    /// An equilibrium is there.
    Equilibrium {
        /// Where.
        equations: Vec<Relation>,
        /// Whether it is said to be stable or unstable.
        stability: Option<Stability>,
    },
    /// The system moves so: coordinates as functions of time.
    Solution(Vec<Relation>),
}

/// Where a relation holds.
#[derive(Clone, Debug)]
pub enum Place {
    /// In the first state.
    Start,
    /// At a time, or in a state; each with `=`.
    Equations(Vec<Relation>),
}

impl Relation {
    /// Its sides, if they are scalars that need no motion.
    pub fn scalars(&self) -> Option<(Expr, Comparison, Expr)> {
        match (&self.left, &self.right) {
            (Term::Scalar(left), Term::Scalar(right)) => Some((*left, self.comparison, *right)),
            _ => None,
        }
    }
}

impl Constraint {
    /// The name of a row after the dot: the component of a vector, or the part of a contact.
    pub fn component(&self, row: usize) -> Option<&'static str> {
        self.axes.get(row).map(|axis| axis.symbol()).or_else(|| self.labels.get(row).copied())
    }

    /// Whether it is an equation that holds from the start on.
    pub fn is_bilateral(&self) -> bool {
        self.sense == Sense::Equal && self.from.is_none() && !self.while_closed && !self.is_rough
    }
}

impl System {
    /// Does the model give something this name?
    pub fn declares(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// The place of a coordinate among the coordinates.
    pub fn coordinate(&self, name: &str) -> Option<usize> {
        match self.names.get(name) {
            Some(Entry::Coordinate(place)) => Some(*place),
            _ => None,
        }
    }

    /// What the model guesses of an acceleration; zero where it says nothing.
    pub fn guessed_acceleration(&self, q_ddot: Expr) -> Option<Expr> {
        self.acceleration_guesses.iter().find(|guess| guess.left == q_ddot).map(|guess| guess.right)
    }

    /// Whether the model chooses velocities or accelerations of its own.
    pub fn has_speeds(&self) -> bool {
        !self.speeds.is_empty() || !self.pseudo.is_empty()
    }

    /// The coordinates q.
    pub fn q(&self) -> Vec<Expr> {
        self.coordinates.iter().map(|coordinate| coordinate.q).collect()
    }

    /// The rates q'.
    pub fn q_dot(&self) -> Vec<Expr> {
        self.coordinates.iter().map(|coordinate| coordinate.q_dot).collect()
    }

    /// The accelerations q''.
    pub fn q_ddot(&self) -> Vec<Expr> {
        self.coordinates.iter().map(|coordinate| coordinate.q_ddot).collect()
    }

    /// The symbols of first-order states.
    pub fn state_symbols(&self) -> Vec<Expr> {
        self.states.iter().map(|state| state.symbol).collect()
    }

    /// Expressions with the rates of states by their laws.
    pub fn lawful(&self, list: &[Expr]) -> Result<Vec<Expr>, MathError> {
        if self.states.is_empty() {
            return Ok(list.to_vec());
        }
        let laws = self.states.iter().map(|state| Ok((expr::total_derivative(state.symbol)?, state.rate)));
        laws.collect::<Result<Substitution, MathError>>()?.apply(list)
    }

    /// The time derivative of an expression, with the rates of states by their laws.
    pub fn time_derivative(&self, e: Expr) -> Result<Expr, MathError> {
        Ok(self.lawful(&[expr::total_derivative(e)?])?[0])
    }

    /// The functions of which only the arguments are known, as declared: `b(x, t)`.
    pub fn functions(&self) -> impl Iterator<Item = &Parameter> {
        // no other name has a bracket of this kind
        let is_function = |one: &&Parameter| one.name.ends_with(')');
        self.parameters.iter().filter(is_function)
    }

    /// The parameters that have a value, with their values.
    pub fn parameter_values(&self) -> Substitution {
        self.parameters.iter().filter_map(|parameter| Some((parameter.symbol, parameter.value?))).collect()
    }
}

//! What can be asked of a part of a declaration? Steps, in the order of reading.
//!
//! One list of steps serves the check of names, of sorts and of dimensions: that a force is a vector
//! in newtons is said in the file of the force, and nowhere else.

use syntax::{Node, Relation, Span, Unit};

use crate::check::Checker;
use crate::declaration::Name;
use crate::kind::{Kind, Mentions};
use crate::scope::LabelUse;

/// One thing to check or to declare.
pub(crate) enum Step<'a> {
    /// An expression that must be something.
    Is(Is<'a>),
    /// A relation between two expressions.
    Holds(&'a Relation, Mentions),
    /// A name that must be one of these kinds.
    Refers(&'a Name, &'static [Kind], &'static str),
    /// A label that must be one of these.
    RefersToLabel(&'a Name, &'static [LabelUse], &'static str),
    /// A check of one declaration alone, and the name that it makes known.
    Own(Option<(&'a str, Span)>, Box<dyn Fn(&mut Checker<'_>) + 'a>),
    /// The name stands for the expression from here on.
    Defines(&'a Name, Kind, Is<'a>),
    /// The name is known from here on.
    Declares(&'a Name, Kind, Option<&'a Unit>),
    /// A label; with the relation of a constraint.
    DeclaresLabel(&'a Name, LabelUse, Option<&'a Relation>),
}

/// An expression and what it must be.
#[derive(Clone, Copy)]
pub(crate) struct Is<'a> {
    pub node: &'a Node,
    /// `a mass`
    pub what: &'static str,
    pub sort: Wanted,
    pub size: Size<'a>,
    /// What it must not depend on.
    pub never: Mentions,
    /// What to say if it does.
    pub hints: Hints,
    /// What to write instead if a scalar stands where a vector should.
    pub of_scalar: fn(&Node) -> String,
}

/// What an expression depends on and must not, and what to write instead; the first that fits.
pub(crate) type Hints = &'static [(Mentions, &'static str)];

/// Which sort is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Scalar,
    Vector,
    /// A scalar or a vector.
    Either,
    /// One scalar, or a tuple of three or six.
    Inertia,
    /// A tuple of four scalars.
    Quaternion,
    /// A tuple of two or three, a direction of any size.
    Direction,
}

/// Which dimension is wanted.
#[derive(Clone, Copy)]
pub(crate) enum Size<'a> {
    Any,
    /// Exponents of m, kg and s.
    Fixed([i64; 3]),
    /// That of the unit that the declaration names.
    Unit(&'a Unit),
    /// That of a force on this coordinate.
    ForceOn(&'a Name),
    /// That of the rate of this coordinate.
    RateOf(&'a Name),
}

pub(crate) const NUMBER: [i64; 3] = [0, 0, 0];
pub(crate) const LENGTH: [i64; 3] = [1, 0, 0];
pub(crate) const SPEED: [i64; 3] = [1, 0, -1];
pub(crate) const ACCELERATION: [i64; 3] = [1, 0, -2];
pub(crate) const MASS: [i64; 3] = [0, 1, 0];
pub(crate) const INERTIA: [i64; 3] = [2, 1, 0];
pub(crate) const FORCE: [i64; 3] = [1, 1, -2];
pub(crate) const ENERGY: [i64; 3] = [2, 1, -2];
pub(crate) const POWER: [i64; 3] = [2, 1, -3];
pub(crate) const STIFFNESS: [i64; 3] = [0, 1, -2];
pub(crate) const DAMPING: [i64; 3] = [0, 1, -1];

/// Nothing of the motion that is only known when it runs.
pub(crate) const RUN: Mentions = Mentions::REACTION.and(Mentions::MULTIPLIER);
/// The same for loads, which may follow the reaction of a constraint.
pub(crate) const RUN_OF_LOADS: Mentions = Mentions::REACTION;
pub(crate) const ABOVE_ACCELERATION: Mentions = RUN.and(Mentions::JERK);
pub(crate) const ABOVE_RATE: Mentions = ABOVE_ACCELERATION.and(Mentions::ACCELERATION);
pub(crate) const ABOVE_POSITION: Mentions = ABOVE_RATE.and(Mentions::RATE).and(Mentions::SPEED);
/// Nothing but positions, inputs and the time.
pub(crate) const GEOMETRY: Mentions = ABOVE_POSITION.and(Mentions::LOAD).and(Mentions::STATE);
/// The same for masses, which no input sets.
pub(crate) const MASSES: Mentions = GEOMETRY.and(Mentions::INPUT);
/// Nothing that changes.
pub(crate) const CHANGING: Mentions = MASSES.and(Mentions::POSITION).and(Mentions::TIME);

pub(crate) const OF_POSITIONS: Hints =
    &[(Mentions::BEFORE_RUN, "positions and angles depend on coordinates, inputs and time")];
pub(crate) const OF_MASSES: Hints = &[(Mentions::BEFORE_RUN, "a mass may depend on coordinates and time")];
pub(crate) const OF_LOADS: Hints = &[(
    Mentions::REACTION,
    "of the motion a load may name `multiplier(c)`, `reaction(c)` and `reaction_torque(c)` of constraints above it",
)];

/// What forces and contacts act on.
pub(crate) const MATERIAL: &[Kind] = &[Kind::Point, Kind::Body];

/// What torques act on.
pub(crate) const TURNING: &[Kind] = &[Kind::Body, Kind::Frame];

impl Is<'_> {
    /// What to say if the expression depends on what it must not.
    pub fn hints(self, hints: Hints) -> Self {
        Is { hints, ..self }
    }
}

/// A scalar of this dimension.
pub(crate) fn scalar<'a>(node: &'a Node, what: &'static str, size: [i64; 3], never: Mentions) -> Is<'a> {
    Is { sort: Wanted::Scalar, size: Size::Fixed(size), ..either(node, what, never) }
}

/// A vector of this dimension.
pub(crate) fn vector<'a>(node: &'a Node, what: &'static str, size: [i64; 3], never: Mentions) -> Is<'a> {
    Is { sort: Wanted::Vector, size: Size::Fixed(size), ..either(node, what, never) }
}

/// The position of a point or of a mass centre.
pub(crate) fn place<'a>(node: &'a Node, what: &'static str) -> Is<'a> {
    let of_scalar = |node: &Node| format!("write `({}, 0)`", crate::text_of(node));
    Is { of_scalar, ..vector(node, what, LENGTH, GEOMETRY).hints(OF_POSITIONS) }
}

/// A scalar or a vector of any dimension.
pub(crate) fn either<'a>(node: &'a Node, what: &'static str, never: Mentions) -> Is<'a> {
    let of_scalar = |node: &Node| {
        let scalar = crate::sorts::bracketed(node);
        format!("give its direction: `{scalar}*N.x`, or its components: `(a, b)`")
    };
    Is { node, what, sort: Wanted::Either, size: Size::Any, never, hints: &[], of_scalar }
}

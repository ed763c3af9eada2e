//! What must be true of each part of a declaration? A list of steps, in the order of reading.
//!
//! The same list serves the check of names, of sorts and of dimensions: what a force is, a vector
//! in newtons, stands here and nowhere else.

use syntax::{Node, NodeKind, Relation, Unit};

use crate::declaration::*;
use crate::scope::{Kind, LabelUse, Mentions};

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
    /// How far the two sides of a relation may differ.
    Tolerance(&'a Node, &'a Relation),
    /// Normal and distance of a plane.
    Plane(&'a Node, &'a Node),
    /// The name stands for the expression from here on.
    Defines(&'a Name, Kind, Is<'a>),
    /// A `let` with arguments.
    DefinesFunction(&'a Let),
    /// The name is known from here on.
    Declares(&'a Name, Kind, Option<&'a Unit>),
    /// A coordinate or a family of them.
    DeclaresFamily(&'a Family, Option<&'a Unit>),
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
}

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
const SPEED: [i64; 3] = [1, 0, -1];
const ACCELERATION: [i64; 3] = [1, 0, -2];
const MASS: [i64; 3] = [0, 1, 0];
const INERTIA: [i64; 3] = [2, 1, 0];
pub(crate) const FORCE: [i64; 3] = [1, 1, -2];
pub(crate) const ENERGY: [i64; 3] = [2, 1, -2];
const POWER: [i64; 3] = [2, 1, -3];
const STIFFNESS: [i64; 3] = [0, 1, -2];
const DAMPING: [i64; 3] = [0, 1, -1];

/// Nothing of the motion that is only known when it runs.
const RUN: Mentions = Mentions::REACTION;
const ABOVE_RATE: Mentions = RUN.and(Mentions::ACCELERATION).and(Mentions::JERK);
const ABOVE_POSITION: Mentions = ABOVE_RATE.and(Mentions::RATE).and(Mentions::SPEED);
const GEOMETRY: Mentions = ABOVE_POSITION.and(Mentions::LOAD);
const CHANGING: Mentions = GEOMETRY.and(Mentions::POSITION).and(Mentions::TIME);
const ABOVE_ACCELERATION: Mentions = RUN.and(Mentions::JERK);

const MATERIAL: &[Kind] = &[Kind::Point, Kind::Body];

fn scalar<'a>(node: &'a Node, what: &'static str, size: [i64; 3], never: Mentions) -> Is<'a> {
    Is { node, what, sort: Wanted::Scalar, size: Size::Fixed(size), never }
}

fn vector<'a>(node: &'a Node, what: &'static str, size: [i64; 3], never: Mentions) -> Is<'a> {
    Is { node, what, sort: Wanted::Vector, size: Size::Fixed(size), never }
}

fn either<'a>(node: &'a Node, what: &'static str, never: Mentions) -> Is<'a> {
    Is { node, what, sort: Wanted::Either, size: Size::Any, never }
}

/// The steps of a declaration.
pub(crate) fn steps(declaration: &Declaration) -> Vec<Step<'_>> {
    match declaration {
        Declaration::System(_) | Declaration::Source(_) | Declaration::Note(_) => Vec::new(),
        Declaration::Param(param) => param_steps(param),
        Declaration::Coord(coord) => {
            let unit = coord.unit.as_ref();
            coord.families.iter().map(|family| Step::DeclaresFamily(family, unit)).collect()
        }
        Declaration::Speed(speed) => {
            let is = Is { sort: Wanted::Scalar, ..either(&speed.value, "a speed", ABOVE_RATE.and(Mentions::LOAD)) };
            vec![Step::Defines(&speed.name, Kind::Speed, is)]
        }
        Declaration::Inverse(inverse) => {
            let rate = &inverse.rate;
            let never = ABOVE_RATE.and(Mentions::RATE).and(Mentions::LOAD);
            let is = either(&inverse.value, "an inverse", never);
            let is = Is { sort: Wanted::Scalar, size: Size::RateOf(rate), ..is };
            vec![Step::Refers(rate, &[Kind::Coordinate], "`inverse` gives the rate of"), Step::Is(is)]
        }
        Declaration::Dependent(dependent) => {
            let rates = dependent.rates.iter();
            rates.map(|rate| Step::Refers(rate, &[Kind::Coordinate], "`dependent` lists rates of")).collect()
        }
        Declaration::Let(abbreviation) if !abbreviation.arguments.is_empty() => {
            vec![Step::DefinesFunction(abbreviation)]
        }
        Declaration::Let(Let { name, value, .. }) => {
            vec![Step::Defines(name, Kind::Abbreviation, either(value, "an abbreviation", RUN))]
        }
        Declaration::Observe(Definition { name, value }) => {
            vec![Step::Defines(name, Kind::Observation, either(value, "an output", Mentions::NOTHING))]
        }
        Declaration::Input(input) => input_steps(input),
        Declaration::Unknown(Unknown { names, unit }) => {
            names.iter().map(|name| Step::Declares(name, Kind::Unknown, Some(unit))).collect()
        }
        Declaration::Frame(frame) => frame_steps(frame),
        Declaration::Point(point) => point_steps(point),
        Declaration::Body(body) => body_steps(body),
        Declaration::Gravity(gravity) => vec![Step::Is(vector(&gravity.value, "gravity", ACCELERATION, ABOVE_RATE))],
        Declaration::Potential(v) => vec![Step::Is(scalar(&v.value, "a potential", ENERGY, GEOMETRY))],
        Declaration::Kinetic(t) => vec![Step::Is(scalar(&t.value, "a kinetic energy", ENERGY, ABOVE_RATE))],
        Declaration::Dissipation(d) => vec![Step::Is(scalar(&d.value, "a dissipation", POWER, ABOVE_RATE))],
        Declaration::Force(force) => force_steps(force),
        Declaration::Torque(torque) => torque_steps(torque),
        Declaration::GeneralizedForce(force) => generalized_force_steps(force),
        Declaration::Spring(spring) => spring_steps(spring),
        Declaration::Damper(Damper { coefficient, from, to }) => vec![
            Step::Is(scalar(coefficient, "a damping coefficient", DAMPING, ABOVE_RATE)),
            Step::Is(vector(from, "the end of a damper", LENGTH, GEOMETRY)),
            Step::Is(vector(to, "the end of a damper", LENGTH, GEOMETRY)),
        ],
        Declaration::Constraint(constraint) => constraint_steps(constraint),
        Declaration::Contact(contact) => contact_steps(contact),
        Declaration::Friction(Surface { value, on }) => vec![
            Step::Is(scalar(value, "a friction coefficient", NUMBER, ABOVE_RATE)),
            Step::RefersToLabel(on, &[LabelUse::Contact, LabelUse::Constraint], "`friction` acts in"),
        ],
        Declaration::Restitution(Surface { value, on }) => vec![
            Step::Is(scalar(value, "a coefficient of restitution", NUMBER, ABOVE_RATE)),
            Step::RefersToLabel(on, &[LabelUse::Contact, LabelUse::Constraint], "`restitution` acts in"),
        ],
        Declaration::Assume(assume) => vec![Step::Holds(&assume.relation, ABOVE_RATE)],
        Declaration::Stop(event) | Declaration::Record(event) => {
            let label = event.name.as_ref().map(|name| Step::DeclaresLabel(name, LabelUse::Event, None));
            [Step::Holds(&event.when, Mentions::NOTHING)].into_iter().chain(label).collect()
        }
        Declaration::Start(Equations { equations }) | Declaration::Guess(Equations { equations }) => {
            equations.iter().map(|equation| Step::Holds(equation, RUN)).collect()
        }
        Declaration::Expect(statement) => statement_steps(statement, LabelUse::Fact),
        Declaration::Claim(statement) => statement_steps(statement, LabelUse::Claim),
    }
}

fn param_steps<'a>(param: &'a Param) -> Vec<Step<'a>> {
    match param {
        Param::Values(values) => {
            let define = |Definition { name, value }: &'a Definition| {
                let is = Is { sort: Wanted::Scalar, ..either(value, "a parameter", CHANGING) };
                Step::Defines(name, Kind::Parameter, is)
            };
            values.iter().map(define).collect()
        }
        Param::Unit { names, unit } => {
            names.iter().map(|name| Step::Declares(name, Kind::Parameter, Some(unit))).collect()
        }
    }
}

fn input_steps(input: &Input) -> Vec<Step<'_>> {
    let value = input.value.iter().map(|value| {
        let never = ABOVE_RATE.and(Mentions::LOAD);
        Step::Is(Is {
            sort: Wanted::Scalar,
            size: Size::Unit(&input.unit),
            ..either(value, "the value of an input", never)
        })
    });
    value.chain([Step::Declares(&input.name, Kind::Input, Some(&input.unit))]).collect()
}

fn frame_steps(frame: &Frame) -> Vec<Step<'_>> {
    let mut steps = vec![Step::Refers(&frame.parent, &[Kind::Frame], "a frame is turned from")];
    match &frame.orientation {
        Orientation::Quaternion(tuple) => {
            let is =
                Is { sort: Wanted::Quaternion, size: Size::Fixed(NUMBER), ..either(tuple, "a quaternion", GEOMETRY) };
            steps.push(Step::Is(is));
        }
        Orientation::Rotated(turns) => {
            for turn in turns {
                if let TurnAxis::Direction(node) = &turn.about {
                    steps.push(Step::Is(Is { sort: Wanted::Direction, ..either(node, "a direction", GEOMETRY) }));
                }
                steps.push(Step::Is(scalar(&turn.angle, "an angle", NUMBER, GEOMETRY)));
            }
        }
    }
    steps.push(Step::Declares(&frame.name, Kind::Frame, None));
    steps
}

fn point_steps(point: &Point) -> Vec<Step<'_>> {
    let position = vector(&point.position, "a position", LENGTH, GEOMETRY);
    let mut steps = vec![Step::Defines(&point.name, Kind::Point, position)];
    steps.extend(point.mass.iter().map(|mass| Step::Is(scalar(mass, "a mass", MASS, GEOMETRY))));
    let exhaust = point.exhaust.iter();
    steps.extend(exhaust.map(|exhaust| Step::Is(vector(exhaust, "an exhaust velocity", SPEED, ABOVE_RATE))));
    steps
}

fn body_steps(body: &Body) -> Vec<Step<'_>> {
    let inertia = Is {
        node: &body.inertia,
        what: "an inertia",
        sort: Wanted::Inertia,
        size: Size::Fixed(INERTIA),
        never: GEOMETRY,
    };
    let mut steps = vec![
        Step::Is(scalar(&body.mass, "a mass", MASS, GEOMETRY)),
        Step::Is(vector(&body.at, "a mass centre", LENGTH, GEOMETRY)),
        Step::Refers(&body.frame, &[Kind::Frame], "a body turns with"),
        Step::Is(inertia),
    ];
    let about = body.about.iter();
    steps.extend(about.map(|about| Step::Is(vector(about, "the point of reference of an inertia", LENGTH, GEOMETRY))));
    steps.push(Step::Declares(&body.name, Kind::Body, None));
    steps
}

fn force_steps(force: &Force) -> Vec<Step<'_>> {
    let on: &[Kind] = if force.at.is_some() { &[Kind::Body] } else { MATERIAL };
    let what = if force.at.is_some() { "a force with `at` acts on" } else { "a force acts on" };
    let mut steps = vec![Step::Is(vector(&force.value, "a force", FORCE, RUN)), Step::Refers(&force.on, on, what)];
    steps.extend(force.at.iter().map(|at| Step::Is(vector(at, "the place of a force", LENGTH, GEOMETRY))));
    let against = force.against.iter();
    steps.extend(against.map(|against| Step::Refers(against, MATERIAL, "the opposite force acts on")));
    steps
}

fn torque_steps(torque: &Torque) -> Vec<Step<'_>> {
    let mut steps = vec![
        Step::Is(vector(&torque.value, "a torque", ENERGY, RUN)),
        Step::Refers(&torque.on, &[Kind::Body], "a torque acts on"),
    ];
    let against = torque.against.iter();
    steps.extend(against.map(|against| Step::Refers(against, &[Kind::Body], "the opposite torque acts on")));
    steps
}

fn generalized_force_steps(force: &GeneralizedForce) -> Vec<Step<'_>> {
    let is = Is { size: Size::ForceOn(&force.on), ..scalar(&force.value, "a generalized force", NUMBER, RUN) };
    vec![Step::Refers(&force.on, &[Kind::Coordinate], "a generalized force acts on"), Step::Is(is)]
}

fn spring_steps(spring: &Spring) -> Vec<Step<'_>> {
    let mut steps = vec![Step::Is(scalar(&spring.stiffness, "a stiffness", STIFFNESS, ABOVE_RATE))];
    steps.extend(spring.rest.iter().map(|rest| Step::Is(scalar(rest, "a rest length", LENGTH, GEOMETRY))));
    steps.push(Step::Is(vector(&spring.from, "the end of a spring", LENGTH, GEOMETRY)));
    steps.push(Step::Is(vector(&spring.to, "the end of a spring", LENGTH, GEOMETRY)));
    steps
}

fn constraint_steps(constraint: &Constraint) -> Vec<Step<'_>> {
    let mut steps = vec![Step::Holds(&constraint.relation, ABOVE_ACCELERATION)];
    let switches = constraint.from.iter().chain(&constraint.until);
    steps.extend(switches.map(|relation| Step::Holds(relation, ABOVE_RATE)));
    steps.push(Step::DeclaresLabel(&constraint.label, LabelUse::Constraint, Some(&constraint.relation)));
    steps
}

fn contact_steps(contact: &Contact) -> Vec<Step<'_>> {
    let needs_body = contact.shape.is_some() || contact.at.is_some();
    let (kinds, what): (&[Kind], _) = match needs_body {
        true => (&[Kind::Body], "a contact with `as` or `at` is that of"),
        false => (MATERIAL, "a contact is that of"),
    };
    let mut steps = vec![Step::Refers(&contact.what, kinds, what)];
    if let Motion::Skates(along) = &contact.motion {
        steps.push(Step::Is(Is { sort: Wanted::Vector, ..either(along, "a direction", GEOMETRY) }));
    }
    if let Some(shape) = &contact.shape {
        let (radii, _) = shape.kind.arguments();
        steps.extend(shape.arguments.iter().enumerate().map(|(at, node)| match at < radii {
            true => Step::Is(scalar(node, "a radius", LENGTH, GEOMETRY)),
            false => Step::Is(Is { sort: Wanted::Vector, ..either(node, "an axis", GEOMETRY) }),
        }));
    }
    steps.extend(contact.at.iter().map(|at| Step::Is(vector(at, "the centre of a surface", LENGTH, GEOMETRY))));
    if let NodeKind::Tuple(entries) = &contact.plane.kind
        && let [normal, distance] = &entries[..]
    {
        steps.push(Step::Plane(normal, distance));
    }
    let of = contact.of.iter();
    steps.extend(of.map(|of| Step::Refers(of, &[Kind::Frame, Kind::Body], "a plane is carried by")));
    steps.push(Step::DeclaresLabel(&contact.label, LabelUse::Contact, None));
    steps
}

fn statement_steps(statement: &Statement, use_: LabelUse) -> Vec<Step<'_>> {
    let free = Mentions::NOTHING;
    let mut steps = Vec::new();
    match &statement.fact {
        Fact::Relation { relation, at, within } => {
            steps.push(Step::Holds(relation, free));
            if let Some(At::Equations(equations)) = at {
                steps.extend(equations.iter().map(|equation| Step::Holds(equation, free)));
            }
            steps.extend(within.iter().map(|within| Step::Tolerance(within, relation)));
        }
        Fact::Constant(node) => steps.push(Step::Is(either(node, "a constant of the motion", free))),
        Fact::Event { event, at, within } => {
            let uses = &[LabelUse::Event, LabelUse::Contact, LabelUse::Constraint];
            steps.push(Step::RefersToLabel(event, uses, "`event` names"));
            steps.push(Step::Holds(at, free));
            steps.extend(within.iter().map(|within| Step::Tolerance(within, at)));
        }
        Fact::Freedoms(node) => steps.push(Step::Is(scalar(node, "a number of freedoms", NUMBER, CHANGING))),
        Fact::Equilibrium { equations, .. } => {
            steps.extend(equations.iter().map(|equation| Step::Holds(equation, free)));
        }
    }
    steps.push(Step::DeclaresLabel(&statement.label, use_, None));
    steps
}

//! Which parts does a declaration have? Every expression, unit and place in it, to look at or to change.

use syntax::{Arguments, Node, NodeKind, Range, Relation, Span, Unit};

use crate::declaration::*;
use crate::units::Dimension;

/// A part of a declaration to look at.
pub(crate) enum Part<'a> {
    Node(&'a Node),
    Unit(&'a Unit),
    #[expect(dead_code, reason = "nobody looks at places, but the walk is that of the changes")]
    Span(&'a Span),
}

/// A part of a declaration to change.
pub(crate) enum PartMut<'a> {
    Node(&'a mut Node),
    Unit(&'a mut Unit),
    Span(&'a mut Span),
}

/// Writes the same walk twice: once to look, once to change.
macro_rules! walk {
    ($line:ident, $declaration:ident, $children:ident, $part:ident, $($mutable:ident)?) => {
        /// Shows every expression, unit and place of a line.
        pub(crate) fn $line<'a>(line: &'a $($mutable)? Line, show: &mut dyn FnMut($part<'a>)) {
            show($part::Span(&$($mutable)? line.span));
            for range in &$($mutable)? line.ranges {
                show($part::Span(&$($mutable)? range.span));
                show($part::Node(&$($mutable)? range.from));
                show($part::Node(&$($mutable)? range.to));
            }
            $declaration(&$($mutable)? line.declaration, show);
        }

        fn $declaration<'a>(declaration: &'a $($mutable)? Declaration, show: &mut dyn FnMut($part<'a>)) {
            macro_rules! node {
                ($e:expr) => { show($part::Node($e)) };
            }
            macro_rules! name {
                ($e:expr) => {{
                    let name = $e;
                    show($part::Span(&$($mutable)? name.span));
                    if let Some(index) = &$($mutable)? name.index {
                        node!(index);
                    }
                }};
            }
            macro_rules! relation {
                ($e:expr) => {{
                    let relation = $e;
                    show($part::Span(&$($mutable)? relation.span));
                    node!(&$($mutable)? relation.left);
                    node!(&$($mutable)? relation.right);
                }};
            }
            match declaration {
                Declaration::System(_) | Declaration::Source(_) | Declaration::Note(_) => {}
                Declaration::Param(Param::Values(values)) => {
                    for value in values {
                        name!(&$($mutable)? value.name);
                        node!(&$($mutable)? value.value);
                    }
                }
                Declaration::Param(Param::Unit { names, unit }) | Declaration::Unknown(Unknown { names, unit }) => {
                    for name in names {
                        name!(name);
                    }
                    show($part::Unit(unit));
                }
                Declaration::Coord(Coord { families, unit }) => {
                    for family in families {
                        show($part::Span(&$($mutable)? family.span));
                        if let Some((from, to)) = &$($mutable)? family.bounds {
                            node!(from);
                            node!(to);
                        }
                    }
                    if let Some(unit) = unit {
                        show($part::Unit(unit));
                    }
                }
                Declaration::Speed(definition) | Declaration::Observe(definition) => {
                    name!(&$($mutable)? definition.name);
                    node!(&$($mutable)? definition.value);
                }
                Declaration::Inverse(Inverse { rate, value }) => {
                    name!(rate);
                    node!(value);
                }
                Declaration::Dependent(Dependent { rates }) => {
                    for rate in rates {
                        name!(rate);
                    }
                }
                Declaration::Let(Let { name, arguments, value }) => {
                    name!(name);
                    for argument in arguments {
                        name!(argument);
                    }
                    node!(value);
                }
                Declaration::Input(Input { name, unit, value }) => {
                    name!(name);
                    show($part::Unit(unit));
                    if let Some(value) = value {
                        node!(value);
                    }
                }
                Declaration::Frame(Frame { name, parent, orientation }) => {
                    name!(name);
                    name!(parent);
                    match orientation {
                        Orientation::Quaternion(tuple) => node!(tuple),
                        Orientation::Rotated(turns) => {
                            for Turn { about, angle } in turns {
                                if let TurnAxis::Direction(direction) = about {
                                    node!(direction);
                                }
                                node!(angle);
                            }
                        }
                    }
                }
                Declaration::Point(Point { name, position, mass, exhaust }) => {
                    name!(name);
                    node!(position);
                    if let Some(mass) = mass {
                        node!(mass);
                    }
                    if let Some(exhaust) = exhaust {
                        node!(exhaust);
                    }
                }
                Declaration::Body(Body { name, mass, at, frame, inertia, about }) => {
                    name!(name);
                    node!(mass);
                    node!(at);
                    name!(frame);
                    node!(inertia);
                    if let Some(about) = about {
                        node!(about);
                    }
                }
                Declaration::Gravity(quantity)
                | Declaration::Potential(quantity)
                | Declaration::Kinetic(quantity)
                | Declaration::Dissipation(quantity) => node!(&$($mutable)? quantity.value),
                Declaration::Force(Force { value, on, at, against }) => {
                    node!(value);
                    name!(on);
                    if let Some(at) = at {
                        node!(at);
                    }
                    if let Some(against) = against {
                        name!(against);
                    }
                }
                Declaration::Torque(Torque { value, on, against }) => {
                    node!(value);
                    name!(on);
                    if let Some(against) = against {
                        name!(against);
                    }
                }
                Declaration::GeneralizedForce(GeneralizedForce { value, on })
                | Declaration::Friction(Surface { value, on })
                | Declaration::Restitution(Surface { value, on }) => {
                    node!(value);
                    name!(on);
                }
                Declaration::Spring(Spring { stiffness, rest, from, to }) => {
                    node!(stiffness);
                    if let Some(rest) = rest {
                        node!(rest);
                    }
                    node!(from);
                    node!(to);
                }
                Declaration::Damper(Damper { coefficient, from, to }) => {
                    node!(coefficient);
                    node!(from);
                    node!(to);
                }
                Declaration::Constraint(Constraint { label, relation, from, until }) => {
                    name!(label);
                    relation!(relation);
                    if let Some(from) = from {
                        relation!(from);
                    }
                    if let Some(until) = until {
                        relation!(until);
                    }
                }
                Declaration::Contact(Contact { label, what, motion, shape, at, plane, of, unilateral: _ }) => {
                    name!(label);
                    name!(what);
                    if let Motion::Skates(along) = motion {
                        node!(along);
                    }
                    if let Some(shape) = shape {
                        show($part::Span(&$($mutable)? shape.span));
                        for argument in &$($mutable)? shape.arguments {
                            node!(argument);
                        }
                    }
                    if let Some(at) = at {
                        node!(at);
                    }
                    node!(plane);
                    if let Some(of) = of {
                        name!(of);
                    }
                }
                Declaration::Assume(Assume { relation }) => relation!(relation),
                Declaration::Stop(Event { name, when }) | Declaration::Record(Event { name, when }) => {
                    if let Some(name) = name {
                        name!(name);
                    }
                    relation!(when);
                }
                Declaration::Start(Equations { equations }) | Declaration::Guess(Equations { equations }) => {
                    for equation in equations {
                        relation!(equation);
                    }
                }
                Declaration::Expect(Statement { label, fact }) | Declaration::Claim(Statement { label, fact }) => {
                    name!(label);
                    match fact {
                        Fact::Relation { relation, at, within } => {
                            relation!(relation);
                            if let Some(At::Equations(equations)) = at {
                                for equation in equations {
                                    relation!(equation);
                                }
                            }
                            if let Some(within) = within {
                                node!(within);
                            }
                        }
                        Fact::Constant(node) | Fact::Freedoms(node) => node!(node),
                        Fact::Event { event, at, within } => {
                            name!(event);
                            relation!(at);
                            if let Some(within) = within {
                                node!(within);
                            }
                        }
                        Fact::Equilibrium { equations, stability: _ } => {
                            for equation in equations {
                                relation!(equation);
                            }
                        }
                    }
                }
            }
        }

        /// Shows the parts of an expression, one level down.
        pub(crate) fn $children<'a>(node: &'a $($mutable)? Node, show: &mut dyn FnMut($part<'a>)) {
            match &$($mutable)? node.kind {
                NodeKind::Number { unit, .. } => {
                    if let Some(unit) = unit {
                        show($part::Unit(unit));
                    }
                }
                NodeKind::Name { index, .. } => {
                    if let Some(index) = index {
                        show($part::Node(index));
                    }
                }
                NodeKind::Tuple(entries) => {
                    for entry in entries {
                        show($part::Node(entry));
                    }
                }
                NodeKind::Call { arguments, .. } => match arguments {
                    Arguments::List(list) => {
                        for argument in list {
                            show($part::Node(argument));
                        }
                    }
                    Arguments::Choice { when, then, otherwise } => {
                        let Relation { left, right, span, .. } = &$($mutable)? **when;
                        show($part::Span(span));
                        show($part::Node(left));
                        show($part::Node(right));
                        show($part::Node(then));
                        show($part::Node(otherwise));
                    }
                    Arguments::At { what, place } => {
                        show($part::Node(what));
                        show($part::Node(place));
                    }
                    Arguments::For { what, ranges } => {
                        for Range { from, to, span, .. } in ranges {
                            show($part::Span(span));
                            show($part::Node(from));
                            show($part::Node(to));
                        }
                        show($part::Node(what));
                    }
                },
                NodeKind::Prime { of, .. } | NodeKind::Component { of, .. } | NodeKind::Signed { of, .. } => {
                    show($part::Node(of));
                }
                NodeKind::Power { base, exponent } => {
                    show($part::Node(base));
                    show($part::Node(exponent));
                }
                NodeKind::Product(factors) => {
                    for (_, factor) in factors {
                        show($part::Node(factor));
                    }
                }
                NodeKind::Sum(terms) => {
                    for (_, term) in terms {
                        show($part::Node(term));
                    }
                }
            }
        }
    };
}

walk!(parts, parts_of_declaration, children, Part,);
walk!(parts_mut, parts_of_declaration_mut, children_mut, PartMut, mut);

/// The first answer that `ask` gives for an expression or a part of it.
pub(crate) fn find<T>(node: &Node, ask: &mut dyn FnMut(&Node) -> Option<T>) -> Option<T> {
    if let Some(found) = ask(node) {
        return Some(found);
    }
    let mut found = None;
    children(node, &mut |part| {
        if let (None, Part::Node(child)) = (&found, part) {
            found = find(child, ask);
        }
    });
    found
}

/// Whether a unit stands on the line that has a dimension: `rad` and `deg` alone do not count.
pub(crate) fn has_unit(line: &Line) -> bool {
    let counts = |unit: &Unit| !Dimension::of(unit).is_none();
    let mut found = false;
    parts(line, &mut |part| match part {
        Part::Unit(unit) => found |= counts(unit),
        Part::Node(node) if !found => {
            let unit = find(node, &mut |node| match &node.kind {
                NodeKind::Number { unit: Some(unit), .. } => counts(unit).then_some(()),
                _ => None,
            });
            found = unit.is_some();
        }
        _ => {}
    });
    found
}

/// Changes every place on a line.
pub(crate) fn change_spans(line: &mut Line, change: &dyn Fn(Span) -> Span) {
    fn change_part(part: PartMut<'_>, change: &dyn Fn(Span) -> Span) {
        match part {
            PartMut::Span(span) => *span = change(*span),
            PartMut::Unit(unit) => {
                unit.span = change(unit.span);
                unit.factors.iter_mut().for_each(|factor| factor.span = change(factor.span));
            }
            PartMut::Node(node) => {
                node.span = change(node.span);
                children_mut(node, &mut |child| change_part(child, change));
            }
        }
    }
    parts_mut(line, &mut |part| change_part(part, change));
}

/// The names that a declaration makes known, with their places.
pub(crate) fn declared(declaration: &Declaration) -> Vec<(&str, Span)> {
    fn one(name: &Name) -> (&str, Span) {
        (name.name.as_str(), name.span)
    }
    match declaration {
        Declaration::Param(Param::Values(values)) => values.iter().map(|value| one(&value.name)).collect(),
        Declaration::Param(Param::Unit { names, .. }) | Declaration::Unknown(Unknown { names, .. }) => {
            names.iter().map(one).collect()
        }
        Declaration::Coord(coord) => coord.families.iter().map(|family| (family.name.as_str(), family.span)).collect(),
        Declaration::Speed(definition) | Declaration::Observe(definition) => vec![one(&definition.name)],
        Declaration::Let(abbreviation) => vec![one(&abbreviation.name)],
        Declaration::Input(input) => vec![one(&input.name)],
        Declaration::Frame(frame) => vec![one(&frame.name)],
        Declaration::Point(point) => vec![one(&point.name)],
        Declaration::Body(body) => vec![one(&body.name)],
        _ => Vec::new(),
    }
}

/// The label that a declaration makes known.
pub(crate) fn label(declaration: &Declaration) -> Option<&str> {
    match declaration {
        Declaration::Constraint(constraint) => Some(&constraint.label.name),
        Declaration::Contact(contact) => Some(&contact.label.name),
        Declaration::Stop(event) | Declaration::Record(event) => Some(&event.name.as_ref()?.name),
        Declaration::Expect(statement) | Declaration::Claim(statement) => Some(&statement.label.name),
        _ => None,
    }
}

//! Which parts does a declaration have? Expressions, names, units, places, to look at or to change.

use syntax::{Arguments, Node, NodeKind, Range, Relation, Scale, Sign, Span, Unit};

use crate::declaration::{Declaration, Line, Name};
use crate::units::Dimension;

/// A part to look at.
pub(crate) enum Part<'a> {
    Node(&'a Node),
    Unit(&'a Unit),
}

/// A part to change.
pub(crate) enum PartMut<'a> {
    Node(&'a mut Node),
    /// A name outside expressions; its index is shown by nobody else.
    Name(&'a mut Name),
    Unit(&'a mut Unit),
    Span(&'a mut Span),
}

/// What has parts. An expression is a part itself; its own parts are those of its kind.
pub(crate) trait Parts {
    /// Shows every expression and unit.
    fn look<'a>(&'a self, _show: &mut dyn FnMut(Part<'a>)) {}

    /// Shows every expression, name, unit and place.
    fn change<'a>(&'a mut self, _show: &mut dyn FnMut(PartMut<'a>)) {}
}

/// Says which fields are parts or have some, in the order of the text.
///
/// ```text
/// parts!(Spring { stiffness, rest, from, to });
/// parts!(Motion: Motion::Rolls => [], Motion::Skates(along) => [along]);
/// ```
macro_rules! parts {
    ($type:ident { $($field:ident),* }) => {
        impl $crate::walk::Parts for $type {
            fn look<'a>(&'a self, show: &mut dyn FnMut($crate::walk::Part<'a>)) {
                $(self.$field.look(show);)*
            }

            fn change<'a>(&'a mut self, show: &mut dyn FnMut($crate::walk::PartMut<'a>)) {
                $(self.$field.change(show);)*
            }
        }
    };
    ($type:ident: $($variant:pat => [$($field:ident),*]),*) => {
        impl $crate::walk::Parts for $type {
            fn look<'a>(&'a self, show: &mut dyn FnMut($crate::walk::Part<'a>)) {
                match self {
                    $($variant => { $($field.look(show);)* })*
                }
            }

            fn change<'a>(&'a mut self, show: &mut dyn FnMut($crate::walk::PartMut<'a>)) {
                match self {
                    $($variant => { $($field.change(show);)* })*
                }
            }
        }
    };
}
pub(crate) use parts;

parts!(Line { span, ranges, declaration });
parts!(Range { span, from, to });
parts!(Relation { span, left, right });
parts!(
    NodeKind: NodeKind::Number { unit, .. } => [unit],
    NodeKind::Name { index, .. } => [index],
    NodeKind::Tuple(entries) => [entries],
    NodeKind::Call { arguments, .. } => [arguments],
    NodeKind::Prime { of, .. } | NodeKind::Component { of, .. } | NodeKind::Signed { of, .. } => [of],
    NodeKind::Power { base, exponent } => [base, exponent],
    NodeKind::Product(factors) => [factors],
    NodeKind::Sum(terms) => [terms]
);
parts!(
    Arguments: Arguments::List(list) => [list],
    Arguments::Choice { when, then, otherwise } => [when, then, otherwise],
    Arguments::At { what, place } => [what, place],
    Arguments::For { what, ranges } => [ranges, what]
);
impl Parts for Sign {}
impl Parts for Scale {}

impl Parts for Declaration {
    fn look<'a>(&'a self, show: &mut dyn FnMut(Part<'a>)) {
        self.data().look(show);
    }

    fn change<'a>(&'a mut self, show: &mut dyn FnMut(PartMut<'a>)) {
        self.data_mut().change(show);
    }
}

impl Parts for Node {
    fn look<'a>(&'a self, show: &mut dyn FnMut(Part<'a>)) {
        show(Part::Node(self));
    }

    fn change<'a>(&'a mut self, show: &mut dyn FnMut(PartMut<'a>)) {
        show(PartMut::Node(self));
    }
}

impl Parts for Name {
    fn look<'a>(&'a self, show: &mut dyn FnMut(Part<'a>)) {
        self.index.look(show);
    }

    fn change<'a>(&'a mut self, show: &mut dyn FnMut(PartMut<'a>)) {
        show(PartMut::Name(self));
    }
}

impl Parts for Unit {
    fn look<'a>(&'a self, show: &mut dyn FnMut(Part<'a>)) {
        show(Part::Unit(self));
    }

    fn change<'a>(&'a mut self, show: &mut dyn FnMut(PartMut<'a>)) {
        show(PartMut::Unit(self));
    }
}

impl Parts for Span {
    fn change<'a>(&'a mut self, show: &mut dyn FnMut(PartMut<'a>)) {
        show(PartMut::Span(self));
    }
}

impl<T: Parts> Parts for Option<T> {
    fn look<'a>(&'a self, show: &mut dyn FnMut(Part<'a>)) {
        self.iter().for_each(|part| part.look(show));
    }

    fn change<'a>(&'a mut self, show: &mut dyn FnMut(PartMut<'a>)) {
        self.iter_mut().for_each(|part| part.change(show));
    }
}

impl<T: Parts> Parts for Box<T> {
    fn look<'a>(&'a self, show: &mut dyn FnMut(Part<'a>)) {
        self.as_ref().look(show);
    }

    fn change<'a>(&'a mut self, show: &mut dyn FnMut(PartMut<'a>)) {
        self.as_mut().change(show);
    }
}

impl<T: Parts> Parts for Vec<T> {
    fn look<'a>(&'a self, show: &mut dyn FnMut(Part<'a>)) {
        self.iter().for_each(|part| part.look(show));
    }

    fn change<'a>(&'a mut self, show: &mut dyn FnMut(PartMut<'a>)) {
        self.iter_mut().for_each(|part| part.change(show));
    }
}

impl<A: Parts, B: Parts> Parts for (A, B) {
    fn look<'a>(&'a self, show: &mut dyn FnMut(Part<'a>)) {
        self.0.look(show);
        self.1.look(show);
    }

    fn change<'a>(&'a mut self, show: &mut dyn FnMut(PartMut<'a>)) {
        self.0.change(show);
        self.1.change(show);
    }
}

/// The first answer that `ask` gives for an expression or a part of it.
pub(crate) fn find<T>(node: &Node, ask: &mut dyn FnMut(&Node) -> Option<T>) -> Option<T> {
    if let Some(found) = ask(node) {
        return Some(found);
    }
    let mut found = None;
    node.kind.look(&mut |part| {
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
    line.look(&mut |part| match part {
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
                if node.head != Span::default() {
                    node.head = change(node.head);
                }
                node.kind.change(&mut |child| change_part(child, change));
            }
            PartMut::Name(name) => {
                name.span = change(name.span);
                name.index.change(&mut |index| change_part(index, change));
            }
        }
    }
    line.change(&mut |part| change_part(part, change));
}

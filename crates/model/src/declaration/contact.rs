//! `contact ground: D rolls as disc(r, B.y) at C on plane(n, d) of E unilateral`: touching a plane.
//!
//! JSON: label, what, motion, along?, shape?: {kind, arguments: […]}, at?, normal, distance, of?,
//! unilateral

use syntax::nearest;

use super::common::*;
use crate::parse::count;
use crate::units::Dimension;

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

pub(super) const CONTACT: Rule<Contact> = Rule {
    keyword: Keyword {
        inner: &["rolls", "slides", "skates", "along", "as", "at", "on", "plane", "of", "unilateral"],
        has_label: true,
        ..keyword("contact", "contact ground: D rolls as disc(r, B.y) on plane(N.z, 0)")
    },
    steps,
};

fn steps(contact: &Contact) -> Vec<Step<'_>> {
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
        steps.push(Step::Own(None, Box::new(move |checker| check_plane(checker, normal, distance))));
    }
    let of = contact.of.iter();
    steps.extend(of.map(|of| Step::Refers(of, &[Kind::Frame, Kind::Body], "a plane is carried by")));
    steps.push(Step::DeclaresLabel(&contact.label, LabelUse::Contact, None));
    steps
}

/// A plane is where dot(n, r) = d: the distance is measured in the units of the normal.
fn check_plane(checker: &mut Checker<'_>, normal: &Node, distance: &Node) {
    let before = checker.troubles();
    let never = Mentions::RATE.and(Mentions::SPEED).and(Mentions::ACCELERATION).and(RUN);
    checker.wanted(&Is { sort: Wanted::Vector, ..either(normal, "the normal of a plane", never) });
    checker.wanted(&Is { sort: Wanted::Scalar, ..either(distance, "the distance of a plane", never) });
    if checker.troubles() > before || !checker.scope.units {
        return;
    }
    let (normal, found) = (checker.measure(normal), checker.measure(distance));
    let (Some(normal), Some(found)) = (normal, found) else {
        return;
    };
    let expected = normal.times(&Dimension::new(1, 0, 0));
    if found != expected {
        let text = crate::text_of(distance);
        let error = Diagnostic::error(distance.span, format!("the distance `{text}` of the plane {}", found.said()));
        let error = error.label(format!("expected {expected}"));
        checker.report(error.hint("the plane is where dot(n, r) = d; 0 needs no unit"));
    }
}

parts!(Contact { label, what, motion, shape, at, plane, of });
parts!(Motion: Motion::Rolls | Motion::Slides => [], Motion::Skates(along) => [along]);
parts!(Shape { span, arguments });

impl Declare for Contact {
    fn parse(parser: &mut Parser<'_>) -> Option<Contact> {
        let label = parser.label()?;
        let what = parser.name("the point or body that touches")?;
        let motion = Motion::parse(parser)?;
        let shape = match parser.cursor.eat_word("as") {
            Some(_) => Some(Shape::parse(parser)?),
            None => None,
        };
        let at = parser.clause("at")?;
        parser.word("on", &["as", "at"])?;
        parser.word("plane", &[])?;
        let plane = parse_plane(parser)?;
        let of = match parser.cursor.eat_word("of") {
            Some(_) => Some(parser.name("the frame or body that carries the plane")?),
            None => None,
        };
        let unilateral = parser.cursor.eat_word("unilateral").is_some();
        parser.end_unless_for(&["of", "unilateral", "for"])?;
        Some(Contact { label, what, motion, shape, at, plane, of, unilateral })
    }

    fn print(&self) -> String {
        let motion = self.motion.word().to_owned() + &optional(" along ", &self.motion.along(), |along| node(along));
        let shape = |shape: &Shape| format!("{}({})", shape.kind.word(), list(&shape.arguments, node));
        format!("{}: {} {motion}", name(&self.label), name(&self.what))
            + &optional(" as ", &self.shape, shape)
            + &optional(" at ", &self.at, node)
            + &format!(" on plane{}", node(&self.plane))
            + &optional(" of ", &self.of, name)
            + if self.unilateral { " unilateral" } else { "" }
    }

    fn to_json(&self) -> Value {
        let (normal, distance) = match &self.plane.kind {
            NodeKind::Tuple(entries) if entries.len() == 2 => (node(&entries[0]), node(&entries[1])),
            _ => (node(&self.plane), "0".to_owned()),
        };
        let shape = self.shape.as_ref();
        let shape = shape.map(|shape| json!({"kind": shape.kind.word(), "arguments": all(&shape.arguments, node)}));
        json!({
            "label": name(&self.label), "what": name(&self.what),
            "motion": self.motion.word(), "along": self.motion.along().map(node), "shape": shape,
            "at": self.at.as_ref().map(node), "normal": normal, "distance": distance,
            "of": self.of.as_ref().map(name), "unilateral": self.unilateral,
        })
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let mut text = format!("{}: {} ", keys.name("label")?, keys.name("what")?);
        text += &match keys.name("motion")?.as_str() {
            "skates" => format!("skates along {}", keys.expression("along")?),
            motion => motion.to_owned(),
        };
        if keys.has("shape") {
            let mut shape = keys.object("shape")?;
            text += &format!(" as {}({})", shape.name("kind")?, shape.list("arguments", read_expression)?);
            shape.end()?;
        }
        text += &keys.optional(" at ", "at", read_expression)?;
        text += &format!(" on plane({}, {})", keys.expression("normal")?, keys.expression("distance")?);
        text += &keys.optional(" of ", "of", read_name)?;
        Ok(text + if keys.is_true("unilateral")? { " unilateral" } else { "" })
    }

    fn brackets(&self) -> Vec<Bracket> {
        let shape = self.shape.iter().map(|shape| Bracket::After(shape.span.start));
        shape.chain([Bracket::At(self.plane.span.start)]).collect()
    }
}

impl Motion {
    fn parse(parser: &mut Parser<'_>) -> Option<Motion> {
        if parser.cursor.eat_word("rolls").is_some() {
            return Some(Motion::Rolls);
        }
        if parser.cursor.eat_word("slides").is_some() {
            return Some(Motion::Slides);
        }
        parser.word("skates", &["rolls", "slides"])?;
        parser.word("along", &[])?;
        Some(Motion::Skates(parser.cursor.expression()?))
    }

    fn word(&self) -> &'static str {
        match self {
            Motion::Rolls => "rolls",
            Motion::Slides => "slides",
            Motion::Skates(_) => "skates",
        }
    }

    fn along(&self) -> Option<&Node> {
        match self {
            Motion::Rolls | Motion::Slides => None,
            Motion::Skates(along) => Some(along),
        }
    }
}

impl Shape {
    fn parse(parser: &mut Parser<'_>) -> Option<Shape> {
        let (name, start) = parser.cursor.name("a shape such as `sphere(r)`")?;
        let Some(kind) = ShapeKind::ALL.into_iter().find(|kind| kind.word() == name) else {
            let near = nearest(&name, ShapeKind::ALL.map(ShapeKind::word));
            let usages = ShapeKind::ALL.map(|kind| format!("`{}`", kind.usage())).join(", ");
            let error = Diagnostic::error(start, format!("`{name}` is not a shape"));
            parser.report(match near {
                Some(near) => error.hint(format!("did you mean `{near}`? Shapes are {usages}")),
                None => error.hint(format!("shapes are {usages}")),
            });
            return None;
        };
        parser.cursor.expect(TokenKind::OpenParen, "`(`")?;
        let arguments = parser.list(|parser| parser.cursor.expression())?;
        parser.cursor.expect(TokenKind::CloseParen, "`,` or `)`")?;
        let span = start.to(parser.cursor.last_span());
        let (radii, axis) = kind.arguments();
        if arguments.len() != radii + usize::from(axis) {
            let given = count(arguments.len(), "argument");
            let error = Diagnostic::error(span, format!("`{name}` does not take {given}"));
            parser.report(error.hint(format!("write `{}`", kind.usage())));
            return None;
        }
        Some(Shape { kind, arguments, span })
    }
}

/// `(n, d)` after `plane`
fn parse_plane(parser: &mut Parser<'_>) -> Option<Node> {
    let plane = parser.cursor.tuple()?;
    if matches!(&plane.kind, NodeKind::Tuple(entries) if entries.len() == 2) {
        return Some(plane);
    }
    let error = Diagnostic::error(plane.span, "a plane has a normal and a distance");
    parser.report(error.hint("write `plane(N.z, 0)`; a normal by its components is `plane((0, 0, 1), 0)`"));
    None
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
    fn arguments(self) -> (usize, bool) {
        match self {
            ShapeKind::Sphere => (1, false),
            ShapeKind::Disc => (1, true),
            ShapeKind::Torus => (2, true),
            ShapeKind::Ellipsoid => (3, false),
        }
    }
}

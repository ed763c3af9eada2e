//! `disc(r, R.y)`, `box(a, b, c)`: what a uniform body looks like, and its central inertia.
//!
//! ```text
//! sphere(r)        2/5 m r²            shell(r)             2/3 m r²
//! box(a, b, c)     m (b² + c²)/12 …    ellipsoid(a, b, c)   m (b² + c²)/5 …      along the axes of the frame
//!                  about its axis      about a line across it through the mass centre
//! disc(r, a)       m r²/2              m r²/4
//! ring(r, a)       m r²                m r²/2
//! rod(l, a)        0                   m l²/12
//! cylinder(r, h)   m r²/2              m (3 r² + h²)/12
//! cone(r, h)       3/10 m r²           3/80 m (4 r² + h²)                        the axis points to the apex
//! torus(R, r)      m (4 R² + 3 r²)/4   m (4 R² + 5 r²)/8
//! ```
//!
//! About an axis a with the components aᵢ along the frame, I = I_across (1 − a aᵀ) + I_axis a aᵀ.
//!
//! JSON: kind, arguments: […]

use syntax::{Arguments, Axis, Scale, Sign, nearest};

use super::common::*;
use super::{Shape, ShapeKind};
use crate::parse::count;

/// `disc(r, R.y)`: what a body looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solid {
    /// Which one.
    pub kind: SolidKind,
    /// Lengths, then the axis if it has one.
    pub arguments: Vec<Node>,
    /// Where it stands.
    pub span: Span,
}

/// The shapes that a body can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SolidKind {
    /// `sphere(r)`
    Sphere,
    /// `shell(r)`
    Shell,
    /// `disc(r, axis)`
    Disc,
    /// `ring(r, axis)`
    Ring,
    /// `rod(l, axis)`
    Rod,
    /// `cylinder(r, h, axis)`
    Cylinder,
    /// `box(a, b, c)`
    Box,
    /// `cone(r, h, axis)`
    Cone,
    /// `ellipsoid(a, b, c)`
    Ellipsoid,
    /// `torus(R, r, axis)`
    Torus,
}

parts!(Solid { span, arguments });

impl SolidKind {
    /// All shapes.
    pub const ALL: [SolidKind; 10] = [
        SolidKind::Sphere,
        SolidKind::Shell,
        SolidKind::Disc,
        SolidKind::Ring,
        SolidKind::Rod,
        SolidKind::Cylinder,
        SolidKind::Box,
        SolidKind::Cone,
        SolidKind::Ellipsoid,
        SolidKind::Torus,
    ];

    /// As written, how it is used, and how many lengths it has; an axis follows those of one or two unless it is round.
    const fn row(self) -> (&'static str, &'static str, usize, bool) {
        match self {
            SolidKind::Sphere => ("sphere", "sphere(r)", 1, false),
            SolidKind::Shell => ("shell", "shell(r)", 1, false),
            SolidKind::Disc => ("disc", "disc(r, axis)", 1, true),
            SolidKind::Ring => ("ring", "ring(r, axis)", 1, true),
            SolidKind::Rod => ("rod", "rod(l, axis)", 1, true),
            SolidKind::Cylinder => ("cylinder", "cylinder(r, h, axis)", 2, true),
            SolidKind::Box => ("box", "box(a, b, c)", 3, false),
            SolidKind::Cone => ("cone", "cone(r, h, axis)", 2, true),
            SolidKind::Ellipsoid => ("ellipsoid", "ellipsoid(a, b, c)", 3, false),
            SolidKind::Torus => ("torus", "torus(R, r, axis)", 2, true),
        }
    }

    /// As written.
    pub fn word(self) -> &'static str {
        self.row().0
    }

    /// How many lengths come first.
    pub fn lengths(self) -> usize {
        self.row().2
    }

    /// What a plane touches; nothing where it touches more than a point or an edge.
    fn surface(self) -> Option<ShapeKind> {
        match self {
            SolidKind::Sphere | SolidKind::Shell => Some(ShapeKind::Sphere),
            SolidKind::Disc | SolidKind::Ring => Some(ShapeKind::Disc),
            SolidKind::Torus => Some(ShapeKind::Torus),
            SolidKind::Ellipsoid => Some(ShapeKind::Ellipsoid),
            SolidKind::Rod | SolidKind::Cylinder | SolidKind::Box | SolidKind::Cone => None,
        }
    }
}

impl Solid {
    /// Reads `disc(r, R.y)`.
    pub(super) fn parse(parser: &mut Parser<'_>) -> Option<Solid> {
        let (name, start) = parser.cursor.name("a shape such as `sphere(r)`")?;
        let Some(kind) = SolidKind::ALL.into_iter().find(|kind| kind.word() == name) else {
            let usages = SolidKind::ALL.map(|kind| format!("`{}`", kind.row().1)).join(", ");
            let error = Diagnostic::error(start, format!("`{name}` is not a shape"));
            parser.report(match nearest(&name, SolidKind::ALL.map(SolidKind::word)) {
                Some(near) => error.hint(format!("did you mean `{near}`? Shapes are {usages}")),
                None => error.hint(format!("shapes are {usages}")),
            });
            return None;
        };
        parser.cursor.expect(TokenKind::OpenParen, "`(`")?;
        let arguments = parser.list(|parser| parser.cursor.expression())?;
        parser.cursor.expect(TokenKind::CloseParen, "`,` or `)`")?;
        let span = start.to(parser.cursor.last_span());
        let (_, usage, lengths, axis) = kind.row();
        if arguments.len() != lengths + usize::from(axis) {
            let given = count(arguments.len(), "argument");
            let error = Diagnostic::error(span, format!("`{name}` does not take {given}"));
            parser.report(error.hint(format!("write `{usage}`")));
            return None;
        }
        Some(Solid { kind, arguments, span })
    }

    pub(super) fn print(&self) -> String {
        format!("{}({})", self.kind.word(), list(&self.arguments, node))
    }

    pub(super) fn to_json(&self) -> Value {
        json!({"kind": self.kind.word(), "arguments": all(&self.arguments, node)})
    }

    pub(super) fn from_json(keys: &mut Keys<'_>) -> Written {
        let mut shape = keys.object("shape")?;
        let text = format!("{}({})", shape.name("kind")?, shape.list("arguments", read_expression)?);
        shape.end()?;
        Ok(text)
    }

    pub(super) fn steps(&self) -> Vec<Step<'_>> {
        let lengths = self.kind.lengths();
        let step = |(at, node)| match at < lengths {
            true => Step::Is(scalar(node, "a length of a shape", LENGTH, CHANGING).hints(OF_SHAPES)),
            false => Step::Is(Is { sort: Wanted::Vector, ..either(node, "an axis", GEOMETRY) }),
        };
        self.arguments.iter().enumerate().map(step).collect()
    }

    /// What touches a plane; nothing if a contact cannot tell.
    pub(crate) fn surface(&self) -> Option<Shape> {
        let kind = self.kind.surface()?;
        Some(Shape { kind, arguments: self.arguments.clone(), span: self.span })
    }

    /// The entries of the central inertia along a frame.
    pub(super) fn inertia(&self, mass: &Node, frame: &Name) -> Node {
        let build = Build { span: self.span, mass, frame };
        let [a, b, c] = [0, 1, 2].map(|at| self.arguments.get(at).cloned().unwrap_or_else(|| mass.clone()));
        match self.kind {
            SolidKind::Sphere => build.same(2, 5, &a),
            SolidKind::Shell => build.same(2, 3, &a),
            SolidKind::Disc => build.about(&b, &[(1, 2, &a)], &[(1, 4, &a)]),
            SolidKind::Ring => build.about(&b, &[(1, 1, &a)], &[(1, 2, &a)]),
            SolidKind::Rod => build.about(&b, &[], &[(1, 12, &a)]),
            SolidKind::Cylinder => build.about(&c, &[(1, 2, &a)], &[(1, 4, &a), (1, 12, &b)]),
            SolidKind::Cone => build.about(&c, &[(3, 10, &a)], &[(3, 20, &a), (3, 80, &b)]),
            SolidKind::Torus => build.about(&c, &[(1, 1, &a), (3, 4, &b)], &[(1, 2, &a), (5, 8, &b)]),
            SolidKind::Box => build.along(12, [&a, &b, &c]),
            SolidKind::Ellipsoid => build.along(5, [&a, &b, &c]),
        }
    }
}

const OF_SHAPES: Hints = &[(Mentions::BEFORE_RUN, "a shape does not change: its lengths are parameters and numbers")];

/// Makes the tree of an inertia.
struct Build<'a> {
    span: Span,
    mass: &'a Node,
    frame: &'a Name,
}

/// Fractions of m times squares.
type Squares<'a> = [(i64, i64, &'a Node)];

impl Build<'_> {
    fn node(&self, kind: NodeKind) -> Node {
        Node::new(kind, self.span)
    }

    fn number(&self, value: i64) -> Node {
        self.node(NodeKind::Number { text: value.to_string(), unit: None })
    }

    fn square(&self, of: &Node) -> Node {
        let (base, exponent) = (Box::new(of.clone()), Box::new(self.number(2)));
        self.node(NodeKind::Power { base, exponent })
    }

    fn sum(&self, mut terms: Vec<(Sign, Node)>) -> Node {
        match terms.len() {
            0 => self.number(0),
            1 if terms[0].0 == Sign::Plus => terms.remove(0).1,
            _ => self.node(NodeKind::Sum(terms)),
        }
    }

    /// Σ p/q m s²
    fn moment(&self, squares: &Squares<'_>) -> Node {
        let term = |&(p, q, length): &(i64, i64, &Node)| {
            let mut factors = Vec::new();
            if p != 1 {
                factors.push((Scale::Times, self.number(p)));
            }
            factors.push((Scale::Times, self.mass.clone()));
            factors.push((Scale::Times, self.square(length)));
            if q != 1 {
                factors.push((Scale::Over, self.number(q)));
            }
            (Sign::Plus, self.node(NodeKind::Product(factors)))
        };
        self.sum(squares.iter().map(term).collect())
    }

    fn tuple(&self, entries: Vec<Node>) -> Node {
        self.node(NodeKind::Tuple(entries))
    }

    /// The same about every line.
    fn same(&self, p: i64, q: i64, length: &Node) -> Node {
        let moment = self.moment(&[(p, q, length)]);
        self.tuple(vec![moment.clone(), moment.clone(), moment])
    }

    /// m (b² + c²)/q about the first axis, and so on.
    fn along(&self, q: i64, [a, b, c]: [&Node; 3]) -> Node {
        let pair = |first, second| self.moment(&[(1, q, first), (1, q, second)]);
        self.tuple(vec![pair(b, c), pair(c, a), pair(a, b)])
    }

    /// One moment about an axis, another across it.
    fn about(&self, axis: &Node, own: &Squares<'_>, across: &Squares<'_>) -> Node {
        let (own, across) = (self.moment(own), self.moment(across));
        if let Some(place) = self.own_axis(axis) {
            let entry = |at| if at == place { own.clone() } else { across.clone() };
            return self.tuple(vec![entry(0), entry(1), entry(2)]);
        }
        let a = self.own_components(axis).unwrap_or_else(|| self.components(axis));
        let excess = self.sum(vec![(Sign::Plus, own.clone()), (Sign::Minus, across.clone())]);
        let times = |i: usize, j: usize| {
            let factors = [&excess, &a[i], &a[j]].map(|factor| (Scale::Times, factor.clone()));
            self.node(NodeKind::Product(factors.to_vec()))
        };
        let diagonal = |i: usize| self.sum(vec![(Sign::Plus, across.clone()), (Sign::Plus, times(i, i))]);
        self.tuple(vec![diagonal(0), diagonal(1), diagonal(2), times(0, 1), times(1, 2), times(2, 0)])
    }

    /// The components of a unit vector along an axis.
    fn components(&self, axis: &Node) -> [Node; 3] {
        [Axis::X, Axis::Y, Axis::Z].map(|symbol| {
            let own = self.node(NodeKind::Component { of: Box::new(self.frame_node()), axis: symbol });
            self.call("dot", vec![self.call("unit", vec![axis.clone()]), own])
        })
    }

    /// The same of an axis that is written along the frame, `R*(a, b, c)`.
    fn own_components(&self, axis: &Node) -> Option<[Node; 3]> {
        let NodeKind::Product(factors) = &axis.kind else { return None };
        let [(Scale::Times, frame), (Scale::Times, tuple)] = &factors[..] else { return None };
        let NodeKind::Tuple(entries) = &tuple.kind else { return None };
        let same = crate::text_of(frame) == crate::text_of(&self.frame_node());
        let [a, b, c] = &entries[..] else { return None };
        let squares = [a, b, c].map(|one| (Sign::Plus, self.square(one)));
        let length = self.call("sqrt", vec![self.node(NodeKind::Sum(squares.to_vec()))]);
        let over =
            |one: &Node| self.node(NodeKind::Product(vec![(Scale::Times, one.clone()), (Scale::Over, length.clone())]));
        same.then(|| [over(a), over(b), over(c)])
    }

    fn call(&self, name: &str, list: Vec<Node>) -> Node {
        self.node(NodeKind::Call { name: name.to_owned(), arguments: Arguments::List(list) })
    }

    fn frame_node(&self) -> Node {
        let index = self.frame.index.clone().map(Box::new);
        self.node(NodeKind::Name { name: self.frame.name.clone(), index })
    }

    /// Which axis of the frame it is, if it is written as one.
    fn own_axis(&self, axis: &Node) -> Option<usize> {
        let NodeKind::Component { of, axis } = &axis.kind else { return None };
        let same = crate::text_of(of) == crate::text_of(&self.frame_node());
        same.then_some(match axis {
            Axis::X => 0,
            Axis::Y => 1,
            Axis::Z => 2,
        })
    }
}

//! What shape has an expression? Sums and products are flat, so a long sum is not a deep tree.
//!
//! Brackets leave no node: `(a + b) + c` is a sum whose first term is a sum. The span of a node
//! leaves out the brackets around it.

use crate::Span;

/// A part of an expression and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Where it stands.
    pub span: Span,
    /// Where the bare name of a name or a call stands, as it was written; empty where no text shows it.
    pub head: Span,
}

/// What a [`Node`] can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// `1.5e-3` as written, or `9.81 m/s^2`.
    Number {
        /// The digits as written: decimals are exact.
        text: String,
        /// The unit after it.
        unit: Option<Unit>,
    },
    /// `x`, or `a[i-1]`.
    Name {
        /// The name without its index.
        name: String,
        /// The index in square brackets.
        index: Option<Box<Node>>,
    },
    /// `(a, b)`: at least two entries.
    Tuple(Vec<Node>),
    /// `sin(x)`, `velocity(D at P)`, `sum(a[i] for i in 1..n)`.
    Call {
        /// The function.
        name: String,
        /// What stands in its brackets.
        arguments: Arguments,
    },
    /// `x'`, `x''`: the time derivative, `order` ≥ 1 primes in a row.
    Prime {
        /// What is differentiated.
        of: Box<Node>,
        /// How often.
        order: u32,
    },
    /// `v.x`.
    Component {
        /// The vector or frame.
        of: Box<Node>,
        /// The direction.
        axis: Axis,
    },
    /// `x^2`; `2^3^2` is `2^(3^2)`.
    Power {
        /// What is raised.
        base: Box<Node>,
        /// To what.
        exponent: Box<Node>,
    },
    /// `-x` or `+x`; `-x^2` is `-(x^2)`, and `-a*b` a product that begins with `-a`.
    Signed {
        /// Which sign.
        sign: Sign,
        /// What it stands before.
        of: Box<Node>,
    },
    /// `a*b/c`: at least two factors, the first of them [`Scale::Times`].
    Product(Vec<(Scale, Node)>),
    /// `a + b - c`: at least two terms, the first of them [`Sign::Plus`].
    Sum(Vec<(Sign, Node)>),
}

/// What stands in the brackets of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// `a, b, c`, or nothing.
    List(Vec<Node>),
    /// `a < b, p, q`: p where the relation holds, q elsewhere.
    Choice {
        /// The relation.
        when: Box<Relation>,
        /// The value where it holds.
        then: Box<Node>,
        /// The value elsewhere.
        otherwise: Box<Node>,
    },
    /// `D at P`.
    At {
        /// Before `at`.
        what: Box<Node>,
        /// After `at`.
        place: Box<Node>,
    },
    /// `e for i in 1..n, j in 1..i`.
    For {
        /// What is repeated.
        what: Box<Node>,
        /// For which values; at least one range.
        ranges: Vec<Range>,
    },
}

/// `i in 1..n`; the span begins with the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The name that runs.
    pub index: String,
    /// Its first value.
    pub from: Node,
    /// Its last value.
    pub to: Node,
    /// Where the range stands.
    pub span: Span,
}

/// `left = right`, or another comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// Before the sign.
    pub left: Node,
    /// The sign.
    pub comparison: Comparison,
    /// After the sign.
    pub right: Node,
    /// Where the relation stands.
    pub span: Span,
}

/// How two expressions are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `<`
    Less,
    /// `!=`
    NotEqual,
}

impl Comparison {
    /// Does it hold between two numbers with this difference, left minus right?
    pub fn holds(self, difference: f64) -> bool {
        match self {
            Comparison::Equal => difference == 0.0,
            Comparison::AtLeast => difference >= 0.0,
            Comparison::AtMost => difference <= 0.0,
            Comparison::Greater => difference > 0.0,
            Comparison::Less => difference < 0.0,
            Comparison::NotEqual => difference != 0.0,
        }
    }
}

/// Plus or minus: of a term in a sum, or before a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// `+`
    Plus,
    /// `-`
    Minus,
}

/// How a factor enters its product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scale {
    /// `*`
    Times,
    /// `/`
    Over,
}

/// A direction of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// `.x`
    X,
    /// `.y`
    Y,
    /// `.z`
    Z,
}

/// `kg*m/s^2`; no factor for `1`, the unit of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The units, each with its place: a message can say that `s` was read as seconds.
    pub factors: Vec<UnitFactor>,
    /// Where the whole unit stands.
    pub span: Span,
}

/// One unit name to a power: in `m/s^2`, `s` has the exponent −2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitFactor {
    /// One of [`UNITS`](crate::UNITS).
    pub name: &'static str,
    /// Its exponent, negative after `/`; of a fraction, what stands above the line.
    pub exponent: i32,
    /// What stands below the line: 1 or more, in lowest terms.
    pub root: i32,
    /// Where its name and exponent stand.
    pub span: Span,
}

impl Node {
    /// A node at its place.
    pub fn new(kind: NodeKind, span: Span) -> Node {
        Node { kind, span, head: Span::default() }
    }

    /// The same with the place of its bare name, which may be written shorter than it is kept: `θ` for `theta`.
    pub fn headed(self, head: Span) -> Node {
        Node { head, ..self }
    }

    /// The place of the bare name of a name or a call, without index or arguments.
    pub fn name_span(&self) -> Option<Span> {
        match &self.kind {
            NodeKind::Name { .. } | NodeKind::Call { .. } if self.head != Span::default() => Some(self.head),
            NodeKind::Name { .. } | NodeKind::Call { .. } => Some(self.span),
            _ => None,
        }
    }

    /// The name, if the node is a name without an index.
    pub fn plain_name(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Name { name, index: None } => Some(name),
            _ => None,
        }
    }
}

impl Comparison {
    /// As written.
    pub fn symbol(self) -> &'static str {
        match self {
            Comparison::Equal => "=",
            Comparison::AtLeast => ">=",
            Comparison::AtMost => "<=",
            Comparison::Greater => ">",
            Comparison::Less => "<",
            Comparison::NotEqual => "!=",
        }
    }
}

impl Axis {
    /// As written, without the point.
    pub fn symbol(self) -> &'static str {
        match self {
            Axis::X => "x",
            Axis::Y => "y",
            Axis::Z => "z",
        }
    }
}

impl Sign {
    /// As written.
    pub fn symbol(self) -> &'static str {
        match self {
            Sign::Plus => "+",
            Sign::Minus => "-",
        }
    }
}

impl Scale {
    /// As written.
    pub fn symbol(self) -> &'static str {
        match self {
            Scale::Times => "*",
            Scale::Over => "/",
        }
    }
}

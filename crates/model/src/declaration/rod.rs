//! `rod R mass m between P and Q`: a uniform slender rod between two places.
//!
//! ```text
//! ½ ∫ v·v dm = ½ m/6 v_P·v_P + ½ 2m/3 v_C·v_C + ½ m/6 v_Q·v_Q,   C the middle
//! ```
//!
//! So it is three particles, exactly: those of its ends are called `R.from` and `R.to`, that in the middle `R`.
//!
//! JSON: name, mass, from, to

use syntax::{Scale, Sign};

use super::common::*;
use super::{Declaration, Line, Point, point};

/// `rod R mass m between P and Q`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rod {
    /// The name: its middle.
    pub name: Name,
    /// Its mass.
    pub mass: Node,
    /// One end.
    pub from: Node,
    /// The other end.
    pub to: Node,
}

pub(super) const ROD: Rule<Rod> = Rule {
    keyword: Keyword {
        foreign: &["bar"],
        inner: &["mass", "between", "and"],
        ..keyword("rod", "rod R mass m between P and Q")
    },
    steps: |Rod { name, mass, from, to }| {
        vec![
            Step::Is(point::mass(mass)),
            Step::Is(place(from, "the end of a rod")),
            Step::Is(place(to, "the end of a rod")),
            Step::Declares(name, Kind::Point, None),
        ]
    },
};

parts!(Rod { name, mass, from, to });

impl Rod {
    /// The particles that it is.
    pub(crate) fn particles(&self, line: &Line) -> Vec<Line> {
        let make = |end: Option<&str>, position: Node, above: i64, below: i64| {
            let span = self.name.span;
            let name = match end {
                Some(end) => format!("{}.{end}", self.name.name),
                None => self.name.name.clone(),
            };
            let name = Name { name, index: self.name.index.clone(), span };
            let mass = Some(self.times(&self.mass, above, below));
            let point = Point { name, position, mass, exhaust: None };
            Line { declaration: Declaration::Point(point), ..line.clone() }
        };
        let half = |end: &Node| (Sign::Plus, self.times(end, 1, 2));
        let middle = Node::new(NodeKind::Sum(vec![half(&self.from), half(&self.to)]), self.name.span);
        vec![
            make(Some("from"), self.from.clone(), 1, 6),
            make(None, middle, 2, 3),
            make(Some("to"), self.to.clone(), 1, 6),
        ]
    }

    fn times(&self, of: &Node, above: i64, below: i64) -> Node {
        let number = |value: i64| Node::new(NodeKind::Number { text: value.to_string(), unit: None }, of.span);
        let mut factors = vec![(Scale::Times, of.clone()), (Scale::Over, number(below))];
        if above != 1 {
            factors.insert(0, (Scale::Times, number(above)));
        }
        Node::new(NodeKind::Product(factors), of.span)
    }
}

impl Declare for Rod {
    fn parse(parser: &mut Parser<'_>) -> Option<Rod> {
        let name = parser.name("the name of the rod")?;
        parser.word("mass", &[])?;
        let mass = parser.cursor.expression();
        let (from, to) = parser.between(&[])?;
        let rod = complete!(Rod { name, mass, from, to }, mass)?;
        parser.end_unless_for(&["for"])?;
        Some(rod)
    }

    fn print(&self) -> String {
        let ends = format!("between {} and {}", node(&self.from), node(&self.to));
        format!("{} mass {} {ends}", name(&self.name), node(&self.mass))
    }

    fn to_json(&self) -> Value {
        json!({
            "name": name(&self.name), "mass": node(&self.mass), "from": node(&self.from), "to": node(&self.to),
        })
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let start = format!("{} mass {}", keys.name("name")?, keys.expression("mass")?);
        Ok(start + &format!(" between {} and {}", keys.expression("from")?, keys.expression("to")?))
    }
}

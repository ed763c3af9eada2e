//! `spring c rest l between A and B`: a force along the line between two points, by its length.
//!
//! JSON: stiffness, rest?, from, to

use super::common::*;

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

pub(super) const SPRING: Rule<Spring> = Rule {
    keyword: Keyword { inner: &["rest", "between", "and"], ..keyword("spring", "spring c rest l between A and B") },
    steps: |Spring { stiffness, rest, from, to }| {
        let mut steps = vec![Step::Is(scalar(stiffness, "a stiffness", STIFFNESS, ABOVE_RATE.and(Mentions::STATE)))];
        steps.extend(rest.iter().map(|rest| Step::Is(scalar(rest, "a rest length", LENGTH, GEOMETRY))));
        steps.extend([from, to].map(|end| Step::Is(end_of(end))));
        steps
    },
};

fn end_of(end: &Node) -> Is<'_> {
    let of_scalar = |node: &Node| {
        let text = crate::text_of(node);
        format!("give its place: `({text}, 0)`; a spring that turns by an angle is `potential c*{text}^2/2`")
    };
    Is { of_scalar, ..vector(end, "the end of a spring", LENGTH, GEOMETRY) }
}

parts!(Spring { stiffness, rest, from, to });

impl Declare for Spring {
    fn parse(parser: &mut Parser<'_>) -> Option<Spring> {
        let stiffness = parser.cursor.expression();
        let rest = parser.clause("rest");
        let (from, to) = parser.between(&["rest"])?;
        complete!(Spring { stiffness, rest, from, to }, stiffness, rest)
    }

    fn print(&self) -> String {
        let start = node(&self.stiffness) + &optional(" rest ", &self.rest, node);
        format!("{start} between {} and {}", node(&self.from), node(&self.to))
    }

    fn to_json(&self) -> Value {
        json!({
            "stiffness": node(&self.stiffness), "rest": self.rest.as_ref().map(node),
            "from": node(&self.from), "to": node(&self.to),
        })
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let start = keys.expression("stiffness")? + &keys.optional(" rest ", "rest", read_expression)?;
        Ok(format!("{start} between {} and {}", keys.expression("from")?, keys.expression("to")?))
    }
}

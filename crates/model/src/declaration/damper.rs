//! `damper b between A and B`: a force along the line between two points, by its rate.
//!
//! JSON: coefficient, from, to

use super::common::*;

/// `damper b between A and B`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damper {
    /// Force by speed.
    pub coefficient: Node,
    /// One end.
    pub from: Node,
    /// The other end.
    pub to: Node,
}

pub(super) const DAMPER: Rule<Damper> = Rule {
    keyword: Keyword {
        foreign: &["damping"],
        inner: &["between", "and"],
        ..keyword("damper", "damper b between A and B")
    },
    steps: |Damper { coefficient, from, to }| {
        let mut steps = vec![Step::Is(scalar(coefficient, "a damping coefficient", DAMPING, ABOVE_RATE))];
        steps.extend([from, to].map(|end| Step::Is(vector(end, "the end of a damper", LENGTH, GEOMETRY))));
        steps
    },
};

parts!(Damper { coefficient, from, to });

impl Declare for Damper {
    fn parse(parser: &mut Parser<'_>) -> Option<Damper> {
        let coefficient = parser.cursor.expression();
        let (from, to) = parser.between(&[])?;
        complete!(Damper { coefficient, from, to }, coefficient)
    }

    fn print(&self) -> String {
        format!("{} between {} and {}", node(&self.coefficient), node(&self.from), node(&self.to))
    }

    fn to_json(&self) -> Value {
        json!({"coefficient": node(&self.coefficient), "from": node(&self.from), "to": node(&self.to)})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let start = keys.expression("coefficient")?;
        Ok(format!("{start} between {} and {}", keys.expression("from")?, keys.expression("to")?))
    }
}

//! `force F on P at r against Q`: a force on a point or a body.
//!
//! JSON: value, on, at?, against?

use super::common::*;

/// `force F on P at r against Q`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Force {
    /// The vector.
    pub value: Node,
    /// The point or body.
    pub on: Name,
    /// The place on a body.
    pub at: Option<Node>,
    /// Where the opposite acts.
    pub against: Option<Name>,
}

pub(super) const FORCE: Rule<Force> = Rule {
    keyword: Keyword { inner: &["on", "at", "against"], ..keyword("force", "force F*N.x on P") },
    steps: |Force { value, on, at, against }| {
        let (kinds, what): (&[Kind], _) = match at {
            Some(_) => (&[Kind::Body], "a force with `at` acts on"),
            None => (MATERIAL, "a force acts on"),
        };
        let is = vector(value, "a force", crate::steps::FORCE, RUN_OF_LOADS).hints(OF_LOADS);
        let mut steps = vec![Step::Is(is), Step::Refers(on, kinds, what)];
        steps.extend(at.iter().map(|at| Step::Is(vector(at, "the place of a force", LENGTH, GEOMETRY))));
        let against = against.iter();
        steps.extend(against.map(|against| Step::Refers(against, MATERIAL, "the opposite force acts on")));
        steps
    },
};

parts!(Force { value, on, at, against });

impl Declare for Force {
    fn parse(parser: &mut Parser<'_>) -> Option<Force> {
        let value = parser.cursor.expression();
        parser.word("on", &[])?;
        let on = parser.name("the point or body that the force acts on")?;
        let at = parser.clause("at");
        let against = parser.against();
        let force = complete!(Force { value, on, at, against }, value, at, against)?;
        parser.end_unless_for(&["at", "against", "for"])?;
        Some(force)
    }

    fn print(&self) -> String {
        format!("{} on {}", node(&self.value), name(&self.on))
            + &optional(" at ", &self.at, node)
            + &optional(" against ", &self.against, name)
    }

    fn to_json(&self) -> Value {
        json!({
            "value": node(&self.value), "on": name(&self.on),
            "at": self.at.as_ref().map(node), "against": self.against.as_ref().map(name),
        })
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let start = format!("{} on {}", keys.expression("value")?, keys.name("on")?);
        let at = keys.optional(" at ", "at", read_expression)?;
        Ok(start + &at + &keys.optional(" against ", "against", read_name)?)
    }
}

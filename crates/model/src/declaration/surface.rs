//! `friction mu on ground`, `restitution e on ground`: how a contact rubs and bounces.
//!
//! JSON: value, on

use super::common::*;

/// `friction mu on c`, `restitution e on c`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surface {
    /// The coefficient.
    pub value: Node,
    /// The contact or constraint.
    pub on: Name,
}

pub(super) const FRICTION: Rule<Surface> = Rule {
    keyword: Keyword { inner: &["on"], ..keyword("friction", "friction mu on ground") },
    steps: |of| steps(of, "a friction coefficient", "`friction` acts in"),
};

pub(super) const RESTITUTION: Rule<Surface> = Rule {
    keyword: Keyword { inner: &["on"], ..keyword("restitution", "restitution e on ground") },
    steps: |of| steps(of, "a coefficient of restitution", "`restitution` acts in"),
};

fn steps<'a>(Surface { value, on }: &'a Surface, what: &'static str, acts: &'static str) -> Vec<Step<'a>> {
    let is = scalar(value, what, NUMBER, ABOVE_RATE);
    vec![Step::Is(is), Step::RefersToLabel(on, &[LabelUse::Contact, LabelUse::Constraint], acts)]
}

parts!(Surface { value, on });

impl Declare for Surface {
    fn parse(parser: &mut Parser<'_>) -> Option<Surface> {
        let value = parser.cursor.expression();
        parser.word("on", &[])?;
        let on = parser.name("the contact or constraint")?;
        complete!(Surface { value, on }, value)
    }

    fn print(&self) -> String {
        format!("{} on {}", node(&self.value), name(&self.on))
    }

    fn to_json(&self) -> Value {
        json!({"value": node(&self.value), "on": name(&self.on)})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        Ok(format!("{} on {}", keys.expression("value")?, keys.name("on")?))
    }
}

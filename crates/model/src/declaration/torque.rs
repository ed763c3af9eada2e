//! `torque M on D against E`: a torque on a body, or on a frame as the massless link that it is.
//!
//! JSON: value, on, against?

use super::common::*;
use crate::sorts::bracketed;

/// `torque M on D against E`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Torque {
    /// The vector.
    pub value: Node,
    /// The body or frame.
    pub on: Name,
    /// Where the opposite acts.
    pub against: Option<Name>,
}

pub(super) const TORQUE: Rule<Torque> = Rule {
    keyword: Keyword {
        foreign: &["moment", "couple"],
        inner: &["on", "against"],
        ..keyword("torque", "torque M*N.z on D")
    },
    steps: |Torque { value, on, against }| {
        let is = vector(value, "a torque", ENERGY, RUN_OF_LOADS).hints(OF_LOADS);
        let about_z = |node: &Node| format!("in plane motion it turns about N.z: `{}*N.z`", bracketed(node));
        let is = Is { of_scalar: about_z, ..is };
        let mut steps = vec![Step::Is(is), Step::Refers(on, TURNING, "a torque acts on")];
        let against = against.iter();
        steps.extend(against.map(|against| Step::Refers(against, TURNING, "the opposite torque acts on")));
        steps
    },
};

parts!(Torque { value, on, against });

impl Declare for Torque {
    fn parse(parser: &mut Parser<'_>) -> Option<Torque> {
        let value = parser.cursor.expression();
        parser.word("on", &[])?;
        let on = parser.name("the body that the torque acts on")?;
        let against = parser.against();
        let torque = complete!(Torque { value, on, against }, value, against)?;
        parser.end_unless_for(&["against", "for"])?;
        Some(torque)
    }

    fn print(&self) -> String {
        format!("{} on {}", node(&self.value), name(&self.on)) + &optional(" against ", &self.against, name)
    }

    fn to_json(&self) -> Value {
        json!({"value": node(&self.value), "on": name(&self.on), "against": self.against.as_ref().map(name)})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let start = format!("{} on {}", keys.expression("value")?, keys.name("on")?);
        Ok(start + &keys.optional(" against ", "against", read_name)?)
    }
}

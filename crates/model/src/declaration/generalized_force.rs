//! `generalized force Q on x`: a force on a coordinate.
//!
//! JSON: value, on

use super::common::*;

/// `generalized force Q on x`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneralizedForce {
    /// The scalar.
    pub value: Node,
    /// The coordinate.
    pub on: Name,
}

pub(super) const GENERALIZED: Rule<GeneralizedForce> = Rule {
    keyword: Keyword { inner: &["force", "on"], ..keyword("generalized", "generalized force Q on x") },
    steps: |GeneralizedForce { value, on }| {
        let is = Is { size: Size::ForceOn(on), ..scalar(value, "a generalized force", NUMBER, RUN_OF_LOADS) };
        let refers = Step::Refers(on, &[Kind::Coordinate], "a generalized force acts on");
        vec![refers, Step::Is(is.hints(OF_LOADS))]
    },
};

parts!(GeneralizedForce { value, on });

impl Declare for GeneralizedForce {
    fn parse(parser: &mut Parser<'_>) -> Option<GeneralizedForce> {
        parser.word("force", &[])?;
        let value = parser.cursor.expression();
        parser.word("on", &[])?;
        let on = parser.name("the coordinate that the force acts on")?;
        complete!(GeneralizedForce { value, on }, value)
    }

    fn print(&self) -> String {
        format!("force {} on {}", node(&self.value), name(&self.on))
    }

    fn to_json(&self) -> Value {
        json!({"value": node(&self.value), "on": name(&self.on)})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        Ok(format!("force {} on {}", keys.expression("value")?, keys.name("on")?))
    }
}

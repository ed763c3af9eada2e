//! `unknown H, V : N`: loads that statics finds.
//!
//! JSON: names: […], unit

use super::common::*;

/// `unknown H, V : N`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The loads that statics finds.
    pub names: Vec<Name>,
    /// Their unit.
    pub unit: Unit,
}

pub(super) const UNKNOWN: Rule<Unknown> = Rule {
    keyword: keyword("unknown", "unknown H, V : N"),
    steps: |Unknown { names, unit }| names.iter().map(|name| Step::Declares(name, Kind::Unknown, Some(unit))).collect(),
};

parts!(Unknown { names, unit });

impl Declare for Unknown {
    fn parse(parser: &mut Parser<'_>) -> Option<Unknown> {
        let names = parser.list(|parser| parser.name("the name of an unknown"))?;
        parser.cursor.expect(TokenKind::Colon, "`:` and the unit of the unknowns")?;
        Some(Unknown { names, unit: parser.cursor.unit()? })
    }

    fn print(&self) -> String {
        format!("{} : {}", list(&self.names, name), unit(&self.unit))
    }

    fn to_json(&self) -> Value {
        json!({"names": all(&self.names, name), "unit": unit(&self.unit)})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        Ok(format!("{} : {}", keys.list("names", read_name)?, keys.unit("unit")?))
    }
}

//! `unknown H, V : N`: loads that statics finds. `unknown function f(x) : m`: a function that it finds.
//!
//! JSON: names: […], unit; or function: name, arguments: […], unit

use super::common::*;
use super::function::Function;

/// `unknown H, V : N`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The loads that statics finds.
    pub names: Vec<Name>,
    /// Their unit.
    pub unit: Unit,
    /// The function that statics finds, instead of loads.
    pub function: Option<Function>,
}

pub(super) const UNKNOWN: Rule<Unknown> = Rule {
    keyword: Keyword { inner: &["function"], ..keyword("unknown", "unknown H, V : N") },
    steps: |Unknown { names, unit, function }| match function {
        Some(function) => (super::function::FUNCTION.steps)(function),
        None => names.iter().map(|name| Step::Declares(name, Kind::Unknown, Some(unit))).collect(),
    },
};

parts!(Unknown { names, unit, function });

impl Declare for Unknown {
    fn parse(parser: &mut Parser<'_>) -> Option<Unknown> {
        if parser.cursor.at_word("function") && parser.cursor.peek_at(1) == TokenKind::Name {
            parser.cursor.bump();
            let function = Function::parse(parser)?;
            return Some(Unknown { names: Vec::new(), unit: function.unit.clone(), function: Some(function) });
        }
        let names = parser.list(|parser| parser.name("the name of an unknown"))?;
        parser.cursor.expect(TokenKind::Colon, "`:` and the unit of the unknowns")?;
        Some(Unknown { names, unit: parser.cursor.unit()?, function: None })
    }

    fn print(&self) -> String {
        if let Some(function) = &self.function {
            return format!("function {}", function.print());
        }
        format!("{} : {}", list(&self.names, name), unit(&self.unit))
    }

    fn to_json(&self) -> Value {
        if let Some(function) = &self.function {
            return json!({"function": function.to_json()});
        }
        json!({"names": all(&self.names, name), "unit": unit(&self.unit)})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        if keys.has("function") {
            let mut inner = keys.object("function")?;
            let text = Function::from_json(&mut inner)?;
            inner.end()?;
            return Ok(format!("function {text}"));
        }
        Ok(format!("{} : {}", keys.list("names", read_name)?, keys.unit("unit")?))
    }

    fn brackets(&self) -> Vec<Bracket> {
        self.function.as_ref().map_or_else(Vec::new, Function::brackets)
    }
}

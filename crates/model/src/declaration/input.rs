//! `input F : N = 0`: a load that is set from outside.
//!
//! JSON: name, unit, value?

use super::common::*;

/// `input F : N = 2 N`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The load.
    pub name: Name,
    /// Its unit.
    pub unit: Unit,
    /// Its value while nobody sets it.
    pub value: Option<Node>,
}

pub(super) const INPUT: Rule<Input> = Rule {
    keyword: Keyword { foreign: &["control"], ..keyword("input", "input F : N = 0") },
    steps: |Input { name, unit, value }| {
        let value = value.iter().map(|value| {
            let is = either(value, "the value of an input", ABOVE_RATE.and(Mentions::LOAD));
            Step::Is(Is { sort: Wanted::Scalar, size: Size::Unit(unit), ..is })
        });
        value.chain([Step::Declares(name, Kind::Input, Some(unit))]).collect()
    },
};

parts!(Input { name, unit, value });

impl Declare for Input {
    fn parse(parser: &mut Parser<'_>) -> Option<Input> {
        let name = parser.name("the name of the input")?;
        parser.cursor.expect(TokenKind::Colon, "`:` and the unit of the input")?;
        let unit = parser.cursor.unit();
        let mut value = None;
        if parser.cursor.eat(TokenKind::Equal).is_some() {
            value = Some(parser.cursor.expression()?);
        }
        complete!(Input { name, unit, value }, unit)
    }

    fn print(&self) -> String {
        format!("{} : {}", name(&self.name), unit(&self.unit)) + &optional(" = ", &self.value, node)
    }

    fn to_json(&self) -> Value {
        json!({"name": name(&self.name), "unit": unit(&self.unit), "value": self.value.as_ref().map(node)})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let start = format!("{} : {}", keys.name("name")?, keys.unit("unit")?);
        Ok(start + &keys.optional(" = ", "value", read_expression)?)
    }
}

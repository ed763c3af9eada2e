//! `input F : N = 0`, `input a, b : N`: loads that are set from outside.
//!
//! JSON: name or names: […], unit, value?

use super::common::*;

/// `input F : N = 2 N`, `input a, b : N`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The loads.
    pub names: Vec<Name>,
    /// Their unit.
    pub unit: Unit,
    /// The value of each while nobody sets it.
    pub value: Option<Node>,
}

pub(super) const INPUT: Rule<Input> = Rule {
    keyword: Keyword { foreign: &["control"], ..keyword("input", "input F : N = 0") },
    steps: |Input { names, unit, value }| {
        let value = value.iter().map(|value| {
            let is = either(value, "the value of an input", ABOVE_RATE.and(Mentions::LOAD).and(Mentions::INPUT));
            Step::Is(Is { sort: Wanted::Scalar, size: Size::Unit(unit), ..is })
        });
        value.chain(names.iter().map(|name| Step::Declares(name, Kind::Input, Some(unit)))).collect()
    },
};

parts!(Input { names, unit, value });

impl Declare for Input {
    fn parse(parser: &mut Parser<'_>) -> Option<Input> {
        let names = parser.list(|parser| parser.name("the name of the input"))?;
        parser.cursor.expect(TokenKind::Colon, "`:` and the unit of the input")?;
        let unit = parser.cursor.unit();
        let mut value = None;
        if parser.cursor.eat(TokenKind::Equal).is_some() {
            value = Some(parser.cursor.expression()?);
        }
        complete!(Input { names, unit, value }, unit)
    }

    fn print(&self) -> String {
        format!("{} : {}", list(&self.names, name), unit(&self.unit)) + &optional(" = ", &self.value, node)
    }

    fn to_json(&self) -> Value {
        let (unit, value) = (unit(&self.unit), self.value.as_ref().map(node));
        match &self.names[..] {
            [one] => json!({"name": name(one), "unit": unit, "value": value}),
            names => json!({"names": all(names, name), "unit": unit, "value": value}),
        }
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let names = match keys.has("names") {
            true => keys.list("names", read_name)?,
            false => keys.name("name")?,
        };
        let start = format!("{names} : {}", keys.unit("unit")?);
        Ok(start + &keys.optional(" = ", "value", read_expression)?)
    }
}

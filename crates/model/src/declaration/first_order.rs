//! `state a : 1` and `rate a' = (u - a)/tau`: a quantity with a law for its rate, such as a muscle's activation.
//!
//! JSON: names: […], unit; and rate, value

use super::common::*;

/// `state a, b : 1`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstOrder {
    /// The quantities.
    pub names: Vec<Name>,
    /// Their unit.
    pub unit: Unit,
}

/// `rate a' = (u - a)/tau`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rate {
    /// The quantity whose rate is given.
    pub rate: Name,
    /// Its rate.
    pub value: Node,
}

pub(super) const STATE: Rule<FirstOrder> = Rule {
    keyword: Keyword { foreign: &["states"], ..keyword("state", "state a : 1") },
    steps: |FirstOrder { names, unit }| {
        names.iter().map(|name| Step::Declares(name, Kind::State, Some(unit))).collect()
    },
};

pub(super) const RATE: Rule<Rate> = Rule {
    keyword: keyword("rate", "rate a' = (u - a)/tau"),
    steps: |Rate { rate, value }| {
        let is = either(value, "the rate of a state", ABOVE_RATE);
        let is = Is { sort: Wanted::Scalar, size: Size::RateOf(rate), ..is };
        let refers = Step::Refers(rate, &[Kind::State], "`rate` gives the rate of");
        vec![refers, Step::Is(is.hints(HINTS))]
    },
};

const HINTS: Hints =
    &[(Mentions::ALL, "the rate of a state depends on states, inputs, coordinates, their rates and the time")];

parts!(FirstOrder { names, unit });
parts!(Rate { rate, value });

impl Declare for FirstOrder {
    fn parse(parser: &mut Parser<'_>) -> Option<FirstOrder> {
        let names = parser.list(|parser| parser.name("the name of a state"))?;
        if let TokenKind::Equal = parser.cursor.peek() {
            let name = name(&names[names.len() - 1]);
            let error = Diagnostic::error(parser.cursor.token().span, "a state is declared without a value");
            let hint = format!(
                "write `state {name} : 1`, its first value in `start {name} = …`, its rate in `rate {name}' = …`"
            );
            parser.report(error.hint(hint));
            return None;
        }
        parser.cursor.expect(TokenKind::Colon, "`:` and the unit of the state, `1` for a number")?;
        Some(FirstOrder { names, unit: parser.cursor.unit()? })
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

impl Declare for Rate {
    fn parse(parser: &mut Parser<'_>) -> Option<Rate> {
        let rate = parser.rate()?;
        parser.cursor.expect(TokenKind::Equal, "`=`")?;
        Some(Rate { rate, value: parser.cursor.expression()? })
    }

    fn print(&self) -> String {
        format!("{}' = {}", name(&self.rate), node(&self.value))
    }

    fn to_json(&self) -> Value {
        json!({"rate": name(&self.rate) + "'", "value": node(&self.value)})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        Ok(format!("{} = {}", keys.read("rate", read_rate)?, keys.expression("value")?))
    }
}

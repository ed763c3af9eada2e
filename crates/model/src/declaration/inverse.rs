//! `inverse x' = u - v`: a rate by the speeds.
//!
//! JSON: rate, value

use super::common::*;

/// `inverse x' = u - v`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inverse {
    /// The coordinate whose rate is given.
    pub rate: Name,
    /// The rate in terms of the speeds.
    pub value: Node,
}

pub(super) const INVERSE: Rule<Inverse> = Rule {
    keyword: keyword("inverse", "inverse x' = u - v"),
    steps: |Inverse { rate, value }| {
        let is = either(value, "an inverse", ABOVE_RATE.and(Mentions::RATE).and(Mentions::LOAD).and(Mentions::STATE));
        let is = Is { sort: Wanted::Scalar, size: Size::RateOf(rate), ..is };
        let refers = Step::Refers(rate, &[Kind::Coordinate], "`inverse` gives the rate of");
        vec![refers, Step::Is(is.hints(HINTS))]
    },
};

const HINTS: Hints = &[(Mentions::ALL, "an `inverse` gives a rate by speeds, coordinates and the time")];

parts!(Inverse { rate, value });

impl Declare for Inverse {
    fn parse(parser: &mut Parser<'_>) -> Option<Inverse> {
        let rate = parser.rate()?;
        parser.cursor.expect(TokenKind::Equal, "`=`")?;
        Some(Inverse { rate, value: parser.cursor.expression()? })
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

//! `dependent x', y'`: the rates that reduced forms eliminate.
//!
//! JSON: rates: […]

use super::common::*;

/// `dependent x', y'`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependent {
    /// The coordinates whose rates reduced forms eliminate.
    pub rates: Vec<Name>,
}

pub(super) const DEPENDENT: Rule<Dependent> = Rule {
    keyword: keyword("dependent", "dependent x', y'"),
    steps: |dependent| {
        let rates = dependent.rates.iter();
        rates.map(|rate| Step::Refers(rate, &[Kind::Coordinate], "`dependent` lists rates of")).collect()
    },
};

parts!(Dependent { rates });

impl Declare for Dependent {
    fn parse(parser: &mut Parser<'_>) -> Option<Dependent> {
        Some(Dependent { rates: parser.list(Parser::rate)? })
    }

    fn print(&self) -> String {
        list(&self.rates, |rate| name(rate) + "'")
    }

    fn to_json(&self) -> Value {
        json!({"rates": all(&self.rates, |rate| name(rate) + "'")})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        keys.list("rates", read_rate)
    }
}

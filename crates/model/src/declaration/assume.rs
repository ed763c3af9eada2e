//! `assume l > 0`: what holds of parameters and positions.
//!
//! JSON: relation

use super::common::*;

/// `assume l > 0`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assume {
    /// What holds.
    pub relation: Relation,
}

pub(super) const ASSUME: Rule<Assume> = Rule {
    keyword: keyword("assume", "assume l > 0"),
    steps: |assume| vec![Step::Holds(&assume.relation, ABOVE_RATE)],
};

parts!(Assume { relation });

impl Declare for Assume {
    fn parse(parser: &mut Parser<'_>) -> Option<Assume> {
        Some(Assume { relation: parser.cursor.relation()? })
    }

    fn print(&self) -> String {
        relation(&self.relation)
    }

    fn to_json(&self) -> Value {
        json!({"relation": relation(&self.relation)})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        keys.relation("relation")
    }
}

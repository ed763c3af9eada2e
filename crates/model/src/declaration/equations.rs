//! `start x = 0, x' = 1 m/s`, `guess y = 1 m`: the state at the start, and where to look for it.
//!
//! JSON: equations: […]

use super::common::*;

/// The equations of `start` or `guess`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equations {
    /// Each with `=`; at least one.
    pub equations: Vec<Relation>,
}

pub(super) const START: Rule<Equations> =
    Rule { keyword: Keyword { foreign: &["initial", "init"], ..keyword("start", "start x = 0, x' = 1 m/s") }, steps };

pub(super) const GUESS: Rule<Equations> = Rule { keyword: keyword("guess", "guess y = 1 m"), steps };

fn steps(of: &Equations) -> Vec<Step<'_>> {
    of.equations.iter().map(|equation| Step::Holds(equation, RUN)).collect()
}

parts!(Equations { equations });

impl Declare for Equations {
    fn parse(parser: &mut Parser<'_>) -> Option<Equations> {
        Some(Equations { equations: parser.equations()? })
    }

    fn print(&self) -> String {
        list(&self.equations, relation)
    }

    fn to_json(&self) -> Value {
        json!({"equations": all(&self.equations, relation)})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        keys.list("equations", read_relation)
    }
}

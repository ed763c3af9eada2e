//! Which lines of a page have a name beside their formula?

use expr::Formula;
use serde::Serialize;

/// A formula with a name.
#[derive(Clone, Debug, Serialize)]
pub struct Named {
    /// The constraint, or the name that is defined.
    pub name: String,
    /// The formula.
    #[serde(flatten)]
    pub formula: Formula,
}

impl Named {
    pub(crate) fn new(name: impl ToString, formula: Formula) -> Named {
        Named { name: name.to_string(), formula }
    }
}

/// A multiplier.
#[derive(Clone, Debug, Serialize)]
pub struct Multiplier {
    /// Its symbol.
    pub name: String,
    /// The row of the constraint that it belongs to.
    pub constraint: String,
    /// What it is, where the form says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equation: Option<Formula>,
}

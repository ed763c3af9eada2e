//! Why do linear equations have no solution? In words.

use super::*;

/// Why a system has no certified solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolveError {
    /// The rows are independent in general, but not at the state: every entry that is
    /// left to divide by is zero or undefined there.
    SingularChart {
        /// The rows in which they stand.
        rows: Vec<usize>,
        /// The columns in which they stand.
        columns: Vec<usize>,
        /// Some of them, as text.
        candidates: Vec<String>,
    },
    /// A row's left side is zero, or follows from other rows, and its right side does not.
    Inconsistent {
        /// The row.
        row: usize,
        /// What is left of its right side, which should be zero.
        remainder: String,
    },
    /// The rows say nothing about these columns (beyond what they say about the others), at any state.
    Undetermined {
        /// The columns.
        columns: Vec<usize>,
    },
    /// More rows are independent than columns were named to be solved for.
    TooFewColumns {
        /// The rows that are left.
        rows: Vec<usize>,
    },
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::SingularChart { rows, columns, candidates } => write!(
                f,
                "the chart is singular at the state: {} in {}, {} there; choose another state, or other \
                 variables to solve for",
                listed("row", rows),
                listed("column", columns),
                vanishing(candidates),
            ),
            SolveError::Inconsistent { row, remainder } => {
                write!(f, "row {row} contradicts the others: it leaves 0 = `{remainder}`")
            }
            SolveError::Undetermined { columns } => {
                write!(f, "the rows do not determine {}; choose others to solve for", listed("column", columns))
            }
            SolveError::TooFewColumns { rows } => {
                write!(f, "{} left over: name more columns to solve for", listed("row", rows))
            }
        }
    }
}

impl std::error::Error for SolveError {}

fn listed(what: &str, places: &[usize]) -> String {
    let numbers: Vec<String> = places.iter().map(usize::to_string).collect();
    format!("{what}{} {}", if places.len() == 1 { "" } else { "s" }, numbers.join(", "))
}

fn vanishing(candidates: &[String]) -> String {
    let verb = if candidates.len() == 1 { "is" } else { "are" };
    format!("`{}` {verb} zero or undefined", candidates.join("`, `"))
}

//! What is the answer to a system of equations?

use std::fmt;

use expr::{Comparison, Expr, MathError, Substitution};
use rustc_hash::FxHashSet;

use crate::translate::turned;

/// All solutions of a system.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Every solution lies on one of these.
    pub branches: Vec<Branch>,
    /// Relations between parameters at which the set of solutions changes.
    pub thresholds: Vec<Threshold>,
}

/// Solutions that one formula gives.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The unknowns that are determined, in the order in which they were asked for, with their values in
    /// terms of parameters and of the free unknowns.
    pub values: Substitution,
    /// Unknowns that may have any value: a continuous family of solutions.
    pub free: Vec<Expr>,
    /// What must hold for the branch to exist.
    pub conditions: Vec<Condition>,
    /// How many roots meet in it.
    pub multiplicity: u32,
    /// Roots that stand in the equations, and their values.
    pub(crate) roots: Substitution,
    /// The unknowns that are angles.
    pub(crate) arcs: Vec<Arc>,
}

/// An angle with its cosine and sine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    pub unknown: Expr,
    /// Cosine and sine are those of the unknown over this number.
    pub part: i64,
    pub cosine: Expr,
    pub sine: Expr,
}

impl Branch {
    /// An expression in the unknowns, on this branch: sines and cosines of angles become what they are
    /// worth there, without inverse functions.
    pub fn put(&self, e: Expr) -> Result<Expr, MathError> {
        let mut map = self.roots.clone();
        map.extend(&self.values);
        let (mut waiting, mut seen) = (vec![e], FxHashSet::default());
        while let Some(node) = waiting.pop() {
            if !seen.insert(node) {
                continue;
            }
            match turned(node, &self.arcs) {
                Some(value) => map.insert(node, value),
                None => waiting.extend(node.arguments()),
            }
        }
        map.apply_one(e)
    }

    /// What the branch is told from others by: values of unknowns, cosine and sine of those that are angles.
    pub(crate) fn numbers(&self) -> Vec<Expr> {
        let number = |&(unknown, value): &(Expr, Expr)| match self.arcs.iter().find(|arc| arc.unknown == unknown) {
            Some(arc) => vec![arc.cosine, arc.sine],
            None => vec![value],
        };
        self.values.iter().flat_map(number).collect()
    }
}

/// A relation between an expression and zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// What is compared.
    pub value: Expr,
    /// How it compares with zero.
    pub comparison: Comparison,
}

/// A relation between parameters, `value = 0`, at which the set of solutions changes: a bifurcation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// What vanishes there.
    pub value: Expr,
}

/// Why a system could not be solved exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// An unknown enters by itself and as an angle.
    Mixed {
        /// The unknown.
        unknown: String,
    },
    /// An unknown enters by a function that algebra does not know.
    NotAlgebraic {
        /// The unknown.
        unknown: String,
        /// What it stands in.
        inside: String,
    },
    /// After elimination a polynomial is left whose roots are not square roots of anything.
    Degree {
        /// Its degree.
        degree: u32,
        /// In which quantity.
        of: String,
        /// The polynomial, shortened.
        polynomial: String,
    },
    /// Equations have a common factor that was not found, so that elimination leads nowhere.
    Dependent {
        /// One of them, shortened.
        equation: String,
    },
    /// It could not be proved whether this vanishes.
    Undecided {
        /// The expression, shortened.
        what: String,
        /// Why not.
        why: String,
    },
    /// There are too many cases to tell apart.
    TooManyCases {
        /// How many are the limit.
        limit: usize,
    },
    /// More would have to be simplified and compared than is worth the wait.
    TooMuchWork {
        /// How many steps are the limit.
        limit: u64,
    },
    /// Somebody wished to stop.
    Stopped,
    /// An expression would be too long.
    TooLarge {
        /// Which, shortened.
        what: String,
    },
}

/// An expression for a message.
pub(crate) fn shortened(e: Expr) -> String {
    const STEPS: u64 = 20_000;
    expr::simplify_within(e, &[], &mut { STEPS }).brief()
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::Mixed { unknown } => {
                write!(f, "`{unknown}` stands by itself and in its sine or cosine, which no polynomial can express")
            }
            Obstacle::NotAlgebraic { unknown, inside } => {
                write!(
                    f,
                    "`{unknown}` stands inside `{inside}`, which no polynomial in it, its sine and cosine can express"
                )
            }
            Obstacle::Degree { degree, of, polynomial } => {
                write!(f, "`{polynomial}` is of degree {degree} in `{of}` and does not come apart")
            }
            Obstacle::Dependent { equation } => write!(f, "`{equation}` cannot be told from the others by elimination"),
            Obstacle::Undecided { what, why } => write!(f, "it was not proved whether `{what}` vanishes: {why}"),
            Obstacle::TooManyCases { limit } => write!(f, "more than {limit} cases would have to be told apart"),
            Obstacle::TooMuchWork { limit } => {
                write!(
                    f,
                    "an exact solution would take more than {limit} steps of simplification and of multiplication"
                )
            }
            Obstacle::Stopped => write!(f, "interrupted"),
            Obstacle::TooLarge { what } => write!(f, "`{what}` is too long when it is multiplied out"),
        }
    }
}

impl std::error::Error for Obstacle {}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} 0", self.value, self.comparison.symbol())
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = 0", self.value)
    }
}

impl fmt::Display for Branch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> =
            self.values.iter().map(|(unknown, value)| format!("{unknown} = {value}")).collect();
        parts.extend(self.free.iter().map(|unknown| format!("any {unknown}")));
        write!(f, "{}", parts.join(", "))?;
        if !self.conditions.is_empty() {
            let conditions: Vec<String> = self.conditions.iter().map(Condition::to_string).collect();
            write!(f, "  if {}", conditions.join(", "))?;
        }
        Ok(())
    }
}

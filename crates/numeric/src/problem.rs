//! What is to be computed? A motion as expressions, without mechanics.
//!
//! ```text
//! y' = f(t, y, x)                    x from linear systems, one after the other               (1)
//! r(t, y) = 0                        levels that the state is kept on, each by moving a part  (2)
//! g(t, y, x), outputs(t, y, x)       what is watched for zeros, and what people want to see   (3)
//! ```

use std::ops::Range;
use std::rc::Rc;

use expr::Expr;

use crate::lifted::Lifted;

/// A motion to be computed.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The time t.
    pub time: Expr,
    /// The state y.
    pub state: Vec<Expr>,
    /// Symbols that are numbers.
    pub fixed: Vec<(Expr, f64)>,
    /// Symbols that are expressions of the others.
    pub defined: Vec<(Expr, Expr)>,
    /// What must be solved for the rates.
    pub solves: Vec<Solve>,
    /// y' (1).
    pub rates: Vec<Expr>,
    /// What must be solved besides for (3).
    pub later: Vec<Solve>,
    /// What is watched for zeros (3).
    pub watched: Vec<Expr>,
    /// What is watched besides, and is no expression.
    pub judged: Vec<Judged>,
    /// What people want to see (3).
    pub outputs: Vec<Expr>,
    /// Where the state stays (2), in the order in which it is brought back.
    pub levels: Vec<Level>,
    /// What follows from (2) as a rule: it is looked at, and nothing is moved for it.
    pub followers: Vec<Level>,
    /// Rows that may lose their rank on the way.
    pub guarded: Option<Guarded>,
    /// Whether the time of the motion runs against the time of what moves: then a switch that both sides lead away from has
    /// no side that it came from.
    pub is_reversed: bool,
}

/// Rows whose slopes are no longer determined where they lose their rank.
#[derive(Clone, Debug)]
pub struct Guarded {
    /// The rows; their columns belong to the first numbers of the state.
    pub rows: Vec<Vec<Expr>>,
    /// The rank that they have as a rule.
    pub rank: usize,
}

/// A rule for values.
pub type Judge = dyn Fn(&[f64]) -> f64;

/// A number that is found from the values of expressions by a rule of its own.
#[derive(Clone)]
pub struct Judged {
    /// The expressions.
    pub inputs: Vec<Expr>,
    /// The rule.
    pub judge: Rc<Judge>,
}

impl std::fmt::Debug for Judged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Judged").field("inputs", &self.inputs).finish_non_exhaustive()
    }
}

/// A linear system: matrix · unknowns = right.
#[derive(Clone, Debug)]
pub struct Solve {
    /// The unknowns, as symbols.
    pub unknowns: Vec<Expr>,
    /// The matrix, row by row.
    pub matrix: Vec<Vec<Expr>>,
    /// The right-hand side.
    pub right: Vec<Expr>,
    /// What is known about the matrix.
    pub structure: Structure,
}

/// What is known about a matrix.
#[derive(Clone, Debug, PartialEq)]
pub enum Structure {
    /// Symmetric, as a rule positive definite.
    Symmetric,
    /// `[M, ±Aᵀ; A, 0]` with M symmetric of this size.
    Saddle(usize),
    /// Nothing.
    General,
    /// More equations than unknowns, which agree; of several solutions the smallest, with these weights of the
    /// unknowns' squares.
    Least(Vec<Expr>),
    /// A symmetric matrix or a saddle `[M, Aᵀ; A, 0]` that is made of parts; `matrix` and `right` of the system are empty.
    Lifted(Box<Lifted>),
}

impl Structure {
    /// What the entries of a square matrix show: is it symmetric, is it a saddle?
    pub fn of(matrix: &[Vec<Expr>]) -> Structure {
        let size = matrix.len();
        let symmetric = |n: usize| (0..n).all(|i| (0..i).all(|j| matrix[i][j].is_same(matrix[j][i])));
        if symmetric(size) {
            return Structure::Symmetric;
        }
        // the largest block of zeros at the lower right
        let is_zero = |i: usize, j: usize| matrix[i][j] == Expr::zero();
        let n = (0..=size).find(|&n| (n..size).all(|i| (n..size).all(|j| is_zero(i, j)))).unwrap_or(size);
        let mirrored = |i: usize, j: usize| {
            let (a, b) = (matrix[i][j], matrix[j][i]);
            a.is_same(b) || (a + b).is_zero()
        };
        match n > 0 && n < size && symmetric(n) && (n..size).all(|i| (0..n).all(|j| mirrored(i, j))) {
            true => Structure::Saddle(n),
            false => Structure::General,
        }
    }
}

/// Equations that a part of the state is kept on.
#[derive(Clone, Debug)]
pub struct Level {
    /// What vanishes.
    pub rows: Vec<Expr>,
    /// The part of the state that is moved.
    pub moved: Range<usize>,
    /// The derivatives of the rows by that part.
    pub slopes: Vec<Vec<Expr>>,
    /// What distances are measured with: a symmetric matrix.
    pub metric: Vec<Vec<Expr>>,
}

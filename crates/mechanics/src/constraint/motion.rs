//! Which displacements, velocities and accelerations do the constraints allow?
//!
//! ```text
//! K δq = 0                        virtual displacements: time frozen, free terms do not enter  (1)
//! K q' + k = 0                    possible velocities, from rows of order 0 and 1              (2)
//! K q'' + K̇ q' + k̇ = 0            possible accelerations, from all rows                        (3)
//! ```
//!
//! Rows are brought to the level of (2) and (3) by the total time derivative. A first-order row
//! that is not linear in the rates cannot enter (2); it is listed, and enters (3).

use std::fmt;

use expr::At;
use expr::{Expr, MathError, Substitution};
use proof::linear::{Columns, Matrix, SolveError, null_space, solve_for};

use super::class::Sorted;
use super::{Report, Row, Space, sort};

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MotionError {
    /// A derivative of a row does not exist.
    Math(MathError),
    /// The equations have no solution with pivots that are nonzero at the reference state. Rows
    /// are counted along `Report::independent`, columns along the coordinates.
    Unsolved(SolveError),
}

impl fmt::Display for MotionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MotionError::Math(error) => error.fmt(f),
            MotionError::Unsolved(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MotionError {}

impl From<MathError> for MotionError {
    fn from(error: MathError) -> MotionError {
        MotionError::Math(error)
    }
}

impl From<SolveError> for MotionError {
    fn from(error: SolveError) -> MotionError {
        MotionError::Unsolved(error)
    }
}

/// The solutions of linear equations: some unknowns by others that are free.
#[derive(Clone, Debug)]
pub struct AffineSet {
    /// The equations, each with the row it comes from: what vanishes.
    pub equations: Vec<(usize, Expr)>,
    /// Unknowns, each with its value in terms of the free ones.
    pub solved: Substitution,
    /// The unknowns that are free.
    pub free: Vec<Expr>,
    /// Rows that had to be left out: not linear in the unknowns.
    pub left_out: Vec<usize>,
}

/// A basis of the virtual displacements (1), one component for each coordinate. Where coordinates are named as dependent, each
/// vector moves one of the others by one.
///
/// # Errors
/// If the state is singular: a pivot would vanish there.
pub fn virtual_displacements(
    rows: &[Row],
    space: &Space,
    report: &Report,
    dependent: &[usize],
    at: &At,
) -> Result<Vec<Vec<Expr>>, MotionError> {
    let sorted = sort(rows, space)?;
    let slopes = report.independent.iter().map(|&row| sorted[row].slope.clone()).collect();
    let matrix = Matrix::from_entries(space.q.len(), slopes);
    if dependent.is_empty() {
        return Ok(null_space(&matrix, at)?);
    }
    let still = vec![Expr::zero(); report.independent.len()];
    let solved = solve_for(&matrix, &still, Columns::Prefer(dependent), at)?;
    let vector = |(place, &free): (usize, &usize)| {
        let mut vector = vec![Expr::zero(); space.q.len()];
        vector[free] = Expr::one();
        for (&tied, coefficients) in solved.dependent.iter().zip(&solved.coefficients) {
            vector[tied] = coefficients[place];
        }
        vector
    };
    Ok(solved.independent.iter().enumerate().map(vector).collect())
}

/// The possible velocities (2).
///
/// # Errors
/// If the state is singular, or a derivative does not exist.
pub fn possible_velocities(rows: &[Row], space: &Space, report: &Report, at: &At) -> Result<AffineSet, MotionError> {
    let sorted = sort(rows, space)?;
    let is_rate = |row: &usize| sorted[*row].order() <= 1;
    let (linear, left_out): (Vec<usize>, Vec<usize>) =
        report.independent.iter().copied().filter(is_rate).partition(|&row| sorted[row].class.is_linear());
    at_level(1, &linear, &sorted, &space.rates, left_out, at)
}

/// The possible accelerations (3).
///
/// # Errors
/// If the state is singular, or a derivative does not exist.
pub fn possible_accelerations(rows: &[Row], space: &Space, report: &Report, at: &At) -> Result<AffineSet, MotionError> {
    let sorted = sort(rows, space)?;
    let is_curved = |row: &usize| sorted[*row].class == super::Class::NonlinearSecond;
    let (left_out, linear): (Vec<usize>, Vec<usize>) = report.independent.iter().copied().partition(is_curved);
    at_level(2, &linear, &sorted, &space.accelerations, left_out, at)
}

/// The rows brought to a level and solved for derivatives of that order.
fn at_level(
    level: u32,
    rows: &[usize],
    sorted: &[Sorted],
    unknowns: &[Expr],
    left_out: Vec<usize>,
    at: &At,
) -> Result<AffineSet, MotionError> {
    let mut equations = Vec::new();
    let mut right = Vec::new();
    for &row in rows {
        let sorted = &sorted[row];
        let f = (sorted.order()..level).try_fold(sorted.f, |f, _| expr::total_derivative(f))?;
        let at_rest: Substitution = sorted.slope.iter().map(|&(k, _)| (unknowns[k], Expr::zero())).collect();
        right.push(-at_rest.apply_one(f)?);
        equations.push((row, f));
    }
    let matrix = Matrix::from_entries(unknowns.len(), rows.iter().map(|&row| sorted[row].slope.clone()).collect());
    let found = solve_for(&matrix, &right, Columns::Any, at)?;
    let value = |(row, &constant): (&Vec<Expr>, &Expr)| {
        let terms = row.iter().zip(&found.independent).map(|(&b, &k)| b * unknowns[k]);
        terms.chain([constant]).sum::<Expr>()
    };
    let values = found.coefficients.iter().zip(&found.constants).map(value);
    Ok(AffineSet {
        equations,
        solved: found.dependent.iter().map(|&d| unknowns[d]).zip(values).collect(),
        free: found.independent.iter().map(|&k| unknowns[k]).collect(),
        left_out,
    })
}

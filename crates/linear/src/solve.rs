//! What solves A x = b, and when does nothing?
//!
//! ```text
//! R A x = R b        R of powers of two: rows of size one, nothing is rounded          (1)
//! row pivots         the largest entry that is left of each column of (1)              (2)
//! ```
//!
//! A column whose pivot is zero beside the largest entry that the column had in (1) is a
//! combination of the columns before it: x is not determined. So columns are judged alike in any
//! units. There may be more equations than unknowns if they agree.

use std::fmt;

use crate::matrix::Matrix;
use crate::tolerance::{DETERMINED, PIVOT, Tolerance};
use crate::vector::{largest, scale_of};

/// Why a system has no solution, or none that is determined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unsolved {
    /// An entry, or the solution, is infinite or not a number.
    NotFinite,
    /// A column is a combination of the columns before it.
    Singular {
        /// The column.
        column: usize,
        /// What is left of it without them, relative to its size.
        size: f64,
    },
}

impl fmt::Display for Unsolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsolved::NotFinite => write!(f, "a number is not finite"),
            Unsolved::Singular { column, size } => {
                write!(f, "column {column} depends on those before it: {size:.1e} of it is left")
            }
        }
    }
}

impl std::error::Error for Unsolved {}

/// Solves a system in place. `matrix` has rows of `columns` entries; `right` has for each row the
/// right sides, one or several. The solution takes the first rows of `right`.
///
/// This is a kernel for inner loops: nothing is allocated once `work` has grown, and it is one
/// function so that the loops stay together. Long: a numerical kernel.
pub fn eliminate(
    matrix: &mut [f64],
    right: &mut [f64],
    columns: usize,
    tolerance: Tolerance,
    work: &mut Vec<f64>,
) -> Result<(), Unsolved> {
    let n = columns;
    if n == 0 {
        return Ok(());
    }
    let rows = matrix.len() / n;
    let width = right.len() / rows.max(1);
    assert!(matrix.len() == rows * n && right.len() == rows * width, "rows of one shape");
    for (row, right) in matrix.chunks_exact_mut(n).zip(right.chunks_exact_mut(width.max(1))) {
        let scale = scale_of(row.iter().fold(0.0_f64, |size, x| size.max(x.abs())));
        row.iter_mut().chain(right).for_each(|x| *x *= scale);
    }
    let sizes = work;
    sizes.clear();
    sizes.resize(n, 0.0);
    for row in matrix.chunks_exact(n) {
        sizes.iter_mut().zip(row).for_each(|(size, x)| *size = size.max(x.abs()));
    }
    for k in 0..n {
        let (mut pivot, mut size) = (k, 0.0);
        for i in k..rows {
            let entry = matrix[i * n + k].abs();
            if entry.is_nan() {
                return Err(Unsolved::NotFinite);
            }
            if entry >= size {
                (pivot, size) = (i, entry);
            }
        }
        if !size.is_finite() {
            return Err(Unsolved::NotFinite);
        }
        if tolerance.hides(size, sizes[k]) {
            let relative = if sizes[k] > 0.0 { size / sizes[k] } else { 0.0 };
            return Err(Unsolved::Singular { column: k, size: relative });
        }
        if pivot != k {
            (k..n).for_each(|j| matrix.swap(k * n + j, pivot * n + j));
            (0..width).for_each(|j| right.swap(k * width + j, pivot * width + j));
        }
        let (done, rest) = matrix.split_at_mut((k + 1) * n);
        let row = &done[k * n + k..];
        let (of_done, of_rest) = right.split_at_mut((k + 1) * width);
        let over = &of_done[k * width..];
        for (i, below) in rest.chunks_exact_mut(n).enumerate() {
            let factor = below[k] / row[0];
            if factor != 0.0 {
                below[k + 1..].iter_mut().zip(&row[1..]).for_each(|(x, y)| *x -= factor * y);
                let right = &mut of_rest[i * width..(i + 1) * width];
                right.iter_mut().zip(over).for_each(|(x, y)| *x -= factor * y);
            }
        }
    }
    for j in 0..width {
        for k in (0..n).rev() {
            let known: f64 = (k + 1..n).map(|i| matrix[k * n + i] * right[i * width + j]).sum();
            right[k * width + j] = (right[k * width + j] - known) / matrix[k * n + k];
        }
    }
    if right[..n * width].iter().all(|x| x.is_finite()) { Ok(()) } else { Err(Unsolved::NotFinite) }
}

/// The solution of a square system.
///
/// ```
/// use linear::{Unsolved, solve};
/// assert_eq!(solve([[0.0, 2.0], [1.0, 1.0]], &[4.0, 5.0]), Ok(vec![3.0, 2.0]));
/// let error = solve([[1.0, 2.0], [2.0, 4.0]], &[1.0, 2.0]).unwrap_err();
/// assert!(matches!(error, Unsolved::Singular { column: 1, .. }));
/// ```
pub fn solve(matrix: impl Into<Matrix>, right: &[f64]) -> Result<Vec<f64>, Unsolved> {
    let matrix: Matrix = matrix.into();
    assert!(matrix.is_square(), "{} equations for {} unknowns", matrix.rows(), matrix.columns());
    determined(matrix, right, PIVOT)
}

/// The solution of at least as many equations as unknowns, which agree; whether they do, [`misses`]
/// tells.
pub fn determined(matrix: impl Into<Matrix>, right: &[f64], tolerance: Tolerance) -> Result<Vec<f64>, Unsolved> {
    let mut matrix: Matrix = matrix.into();
    let columns = matrix.columns();
    assert_eq!(matrix.rows(), right.len(), "one right side for each equation");
    let mut right = right.to_vec();
    eliminate(matrix.entries_mut(), &mut right, columns, tolerance, &mut Vec::new())?;
    right.truncate(columns);
    Ok(right)
}

/// [`determined`] for numbers that are values of long expressions.
pub fn evaluated(matrix: impl Into<Matrix>, right: &[f64]) -> Result<Vec<f64>, Unsolved> {
    determined(matrix, right, DETERMINED)
}

/// The solution X of A X = B, with A square.
pub fn solve_many(matrix: impl Into<Matrix>, right: impl Into<Matrix>) -> Result<Matrix, Unsolved> {
    let (mut matrix, mut right): (Matrix, Matrix) = (matrix.into(), right.into());
    let n = matrix.columns();
    assert!(matrix.is_square() && right.rows() == n, "as many equations as unknowns");
    eliminate(matrix.entries_mut(), right.entries_mut(), n, PIVOT, &mut Vec::new())?;
    Ok(right)
}

/// The determinant of a square matrix, by elimination.
pub fn determinant(matrix: impl Into<Matrix>) -> f64 {
    let mut a: Matrix = matrix.into();
    let (n, mut product) = (a.rows(), 1.0);
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap_or(k);
        if pivot != k {
            a.swap_rows(k, pivot);
            product = -product;
        }
        product *= a[k][k];
        if product == 0.0 {
            return 0.0;
        }
        for i in k + 1..n {
            let (head, row) = a.pair(k, i);
            let factor = row[k] / head[k];
            row.iter_mut().zip(head).for_each(|(x, y)| *x -= factor * y);
        }
    }
    product
}

/// A⁻¹.
pub fn inverse(matrix: impl Into<Matrix>) -> Result<Matrix, Unsolved> {
    let matrix: Matrix = matrix.into();
    let n = matrix.rows();
    solve_many(matrix, Matrix::identity(n))
}

/// By how much A x misses b at the worst, relative to the terms of each equation; 0 if there is
/// none.
pub fn misses(matrix: &Matrix, x: &[f64], right: &[f64]) -> f64 {
    let miss = |(row, b): (&[f64], &f64)| {
        let terms = row.iter().zip(x).map(|(a, x)| a * x);
        let size = terms.clone().map(f64::abs).sum::<f64>() + b.abs();
        let left = terms.sum::<f64>() - b;
        if left == 0.0 { 0.0 } else { left.abs() / size }
    };
    largest(&matrix.iter().zip(right).map(miss).collect::<Vec<f64>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_of_any_size_are_solved_alike() {
        // metres and micrometres: without (1) the pivot of the second column is 1e-18 of the
        // largest entry
        let (row, column) = (1e-9, 1e-9);
        let x = solve([[2.0, column], [3.0 * row, 4.0 * row * column]], &[3.0, 7.0 * row]).unwrap();
        assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] * column - 1.0).abs() < 1e-15, "{x:?}");
        // a row is scaled, and so dependence is seen whatever its size
        let error = solve([[1.0, 1.0], [1e-20, 1e-20]], &[1.0, 1e-20]).unwrap_err();
        assert_eq!(error, Unsolved::Singular { column: 1, size: 0.0 });
        assert!(solve([[1.0, 1.0], [1e-20, 2e-20]], &[1.0, 1e-20]).is_ok());
        // and where a column is small, a coefficient of another row does not drown it
        assert!(solve([[1e-300, 1.0], [1.0, 1e300]], &[1.0, 1.0]).is_err());
        assert!(solve([[1e-300, 1.0], [1.0, 2e300]], &[1.0, 1.0]).is_ok());
    }

    #[test]
    fn what_has_no_solution_says_why() {
        assert_eq!(solve([[f64::NAN]], &[1.0]), Err(Unsolved::NotFinite));
        assert_eq!(solve([[1.0, f64::NAN], [1.0, 1.0]], &[1.0, 1.0]), Err(Unsolved::NotFinite));
        assert_eq!(solve([[f64::INFINITY]], &[1.0]), Err(Unsolved::NotFinite));
        assert_eq!(solve([[1.0]], &[f64::NAN]), Err(Unsolved::NotFinite));
        assert_eq!(solve([[0.0]], &[1.0]), Err(Unsolved::Singular { column: 0, size: 0.0 }));
        let third = [[1.0, 2.0, 3.0], [0.0, 1.0, 1.0], [5.0, 0.0, 5.0]];
        assert_eq!(solve(third, &[0.0; 3]), Err(Unsolved::Singular { column: 2, size: 0.0 }));
        assert_eq!(determined([[1.0, 1.0]], &[1.0], PIVOT), Err(Unsolved::Singular { column: 1, size: 0.0 }));
        assert_eq!(solve(Matrix::zeros(0, 0), &[]), Ok(vec![]));
    }

    #[test]
    fn more_equations_than_unknowns_are_solved_if_they_agree() {
        let matrix = Matrix::from([[0.0, 2.0], [1.0, 1.0], [1.0, 3.0]]);
        let x = evaluated(&matrix, &[4.0, 5.0, 9.0]).unwrap();
        assert_eq!(x, [3.0, 2.0]);
        assert_eq!(misses(&matrix, &x, &[4.0, 5.0, 9.0]), 0.0);
        assert!((misses(&matrix, &x, &[4.0, 5.0, 8.0]) - 1.0 / 17.0).abs() < 1e-15);
        assert!(misses(&matrix, &[f64::NAN, 0.0], &[4.0, 5.0, 9.0]).is_nan());
    }

    #[test]
    fn an_inverse_is_one_on_both_sides() {
        let matrix = Matrix::from([[2.0, 1.0, 0.0], [0.0, 1.0, 4.0], [1.0, 0.0, 1.0]]);
        let inverse = inverse(&matrix).unwrap();
        for product in [matrix.times(&inverse), inverse.times(&matrix)] {
            let one = Matrix::identity(3);
            let off = product.entries().iter().zip(one.entries()).map(|(x, y)| (x - y).abs());
            assert!(off.fold(0.0, f64::max) < 1e-15, "{product:?}");
        }
    }
}

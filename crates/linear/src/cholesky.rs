//! What solves a symmetric system?
//!
//! ```text
//! M = L Lᵀ        then L y = b, Lᵀ x = y; elimination where a pivot is not positive
//! ```

use crate::matrix::Matrix;
use crate::solve::{Unsolved, eliminate};
use crate::tolerance::{PIVOT, POSITIVE};

/// Factors a symmetric positive matrix in place: the lower triangle becomes L. False if it is not
/// positive.
#[must_use]
pub fn cholesky(matrix: &mut [f64], n: usize) -> bool {
    for j in 0..n {
        let before = matrix[j * n + j];
        let (head, rest) = matrix.split_at_mut((j + 1) * n);
        let row = &mut head[j * n..];
        let pivot = before - row[..j].iter().map(|x| x * x).sum::<f64>();
        if pivot.is_nan() || pivot <= POSITIVE.at(before.abs()) {
            return false;
        }
        let pivot = pivot.sqrt();
        row[j] = pivot;
        let row = &row[..j];
        for below in rest.chunks_exact_mut(n) {
            let dot: f64 = below[..j].iter().zip(row).map(|(a, b)| a * b).sum();
            below[j] = (below[j] - dot) / pivot;
        }
    }
    true
}

/// Solves L x = b in place.
pub fn forward(factor: &[f64], n: usize, x: &mut [f64]) {
    for i in 0..n {
        let (done, rest) = x.split_at_mut(i);
        let dot: f64 = factor[i * n..i * n + i].iter().zip(done.iter()).map(|(a, b)| a * b).sum();
        rest[0] = (rest[0] - dot) / factor[i * n + i];
    }
}

/// Solves Lᵀ x = b in place.
pub fn backward(factor: &[f64], n: usize, x: &mut [f64]) {
    for i in (0..n).rev() {
        x[i] /= factor[i * n + i];
        let value = x[i];
        for (k, entry) in x[..i].iter_mut().enumerate() {
            *entry -= factor[i * n + k] * value;
        }
    }
}

/// Solves a symmetric system in place; the solution takes the place of `right`. A kernel for inner
/// loops.
pub fn symmetric(matrix: &mut [f64], right: &mut [f64], work: &mut Vec<f64>) -> Result<(), Unsolved> {
    let n = right.len();
    work.clear();
    work.extend_from_slice(matrix);
    if cholesky(work, n) {
        forward(work, n, right);
        backward(work, n, right);
        return if right.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(Unsolved::NotFinite) };
    }
    eliminate(matrix, right, n, PIVOT, work)
}

/// The solution of a symmetric system.
pub fn solve_symmetric(matrix: impl Into<Matrix>, right: &[f64]) -> Result<Vec<f64>, Unsolved> {
    let (mut matrix, mut right): (Matrix, Vec<f64>) = (matrix.into(), right.to_vec());
    symmetric(matrix.entries_mut(), &mut right, &mut Vec::new())?;
    Ok(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_positive_matrix_is_the_square_of_its_factor() {
        let mut matrix = vec![4.0, 2.0, 2.0, 2.0, 10.0, 4.0, 2.0, 4.0, 6.0];
        assert!(cholesky(&mut matrix, 3));
        assert_eq!([matrix[0], matrix[3], matrix[4], matrix[6], matrix[7], matrix[8]], [2.0, 1.0, 3.0, 1.0, 1.0, 2.0]);
        assert!(!cholesky(&mut [1.0, 2.0, 2.0, 1.0], 2));
        assert!(!cholesky(&mut [1.0, 1.0, 1.0, 1.0 + 1e-15], 2));
    }

    #[test]
    fn masses_of_any_size_are_positive() {
        // a tonne and a milligram: a tolerance against the largest mass would refuse this
        let mut matrix = vec![1e3, 1e-4, 1e-4, 1e-6];
        assert!(cholesky(&mut matrix.clone(), 2));
        let mut x = vec![2e3 + 3e-4, 2e-4 + 3e-6];
        symmetric(&mut matrix, &mut x, &mut Vec::new()).unwrap();
        assert!((x[0] - 2.0).abs() < 1e-14 && (x[1] - 3.0).abs() < 1e-8, "{x:?}");
    }

    #[test]
    fn what_is_symmetric_but_not_positive_is_solved_as_well() {
        assert_eq!(solve_symmetric([[0.0, 1.0], [1.0, 0.0]], &[2.0, 3.0]), Ok(vec![3.0, 2.0]));
        assert_eq!(solve_symmetric([[0.0]], &[1.0]), Err(Unsolved::Singular { column: 0, size: 0.0 }));
        assert_eq!(solve_symmetric([[f64::NAN]], &[1.0]), Err(Unsolved::NotFinite));
    }
}

//! What solves a symmetric system?
//!
//! ```text
//! M = L D Lᵀ        then L y = b, Lᵀ x = D⁻¹ y; elimination where a pivot is not positive       (1)
//! ```
//!
//! Cholesky's factors without their roots: one division for each unknown. Terms are taken away one after the other, the
//! first unknown first, so that whoever writes the same operations in another way has the same bits.

use crate::matrix::Matrix;
use crate::solve::{Unsolved, eliminate};
use crate::tolerance::{PIVOT, POSITIVE};

/// Factors a symmetric positive matrix in place by (1): below the diagonal stands L, on it 1/D, above it (L D)ᵀ. Only
/// the lower triangle is read. False if the matrix is not positive.
#[must_use]
pub fn cholesky(matrix: &mut [f64], n: usize) -> bool {
    // what stands above is the row that is taken from those below it; until then it keeps the diagonal entries
    for j in 0..n {
        for i in j + 1..n {
            matrix[j * n + i] = matrix[i * n + j];
        }
    }
    for j in 0..n {
        let before = matrix[j * n + j];
        let (above, rest) = matrix.split_at_mut(j * n);
        let (row, below) = rest.split_at_mut(n);
        for k in 0..j {
            let (times, line) = (row[k], &above[k * n + j..(k + 1) * n]);
            row[j..].iter_mut().zip(line).for_each(|(x, u)| *x -= times * u);
        }
        let pivot = row[j];
        if pivot.is_nan() || pivot <= POSITIVE.at(before.abs()) {
            return false;
        }
        row[j] = 1.0 / pivot;
        for (i, line) in (j + 1..n).zip(below.chunks_exact_mut(n)) {
            line[j] = row[i] * row[j];
        }
    }
    true
}

/// Solves L x = b in place.
pub fn forward(factor: &[f64], n: usize, x: &mut [f64]) {
    for i in 0..n {
        let (done, rest) = x.split_at_mut(i);
        factor[i * n..i * n + i].iter().zip(done.iter()).for_each(|(l, y)| rest[0] -= l * y);
    }
}

/// Solves D x = b in place.
pub fn across(factor: &[f64], n: usize, x: &mut [f64]) {
    for (k, x) in x.iter_mut().enumerate() {
        *x *= factor[k * n + k];
    }
}

/// Solves Lᵀ x = b in place.
pub fn backward(factor: &[f64], n: usize, x: &mut [f64]) {
    for i in (0..n).rev() {
        let value = x[i];
        x[..i].iter_mut().zip(&factor[i * n..]).for_each(|(x, l)| *x -= l * value);
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
        across(work, n, right);
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
    fn a_positive_matrix_is_the_product_of_its_factors() {
        // L = [1; ½ 1; ½ ⅓ 1], D = 4, 9, 4; what stands above the diagonal is not read
        let mut matrix = vec![4.0, 7.0, 7.0, 2.0, 10.0, 7.0, 2.0, 4.0, 6.0];
        assert!(cholesky(&mut matrix, 3));
        assert_eq!(matrix, [0.25, 2.0, 2.0, 0.5, 1.0 / 9.0, 3.0, 0.5, 3.0 * (1.0 / 9.0), 0.25]);
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

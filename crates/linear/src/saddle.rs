//! What solves the equations of motion with multipliers?
//!
//! ```text
//! M x ∓ Aᵀ λ = b,  A x = c        (A M⁻¹ Aᵀ) λ = ±(c − A M⁻¹ b)        L D Lᵀ twice           (1)
//! ```
//!
//! Where M or A M⁻¹ Aᵀ is not positive, a massless coordinate for instance, elimination solves the
//! whole.

use crate::cholesky::{across, backward, cholesky, forward};
use crate::matrix::Matrix;
use crate::solve::{Unsolved, eliminate};
use crate::tolerance::PIVOT;

/// Solves `[M, B; A, 0]` with M symmetric of size n and B = ±Aᵀ in place. A kernel for inner loops.
pub fn saddle(matrix: &mut [f64], right: &mut [f64], n: usize, work: &mut Vec<f64>) -> Result<(), Unsolved> {
    let (size, m) = (right.len(), right.len() - n);
    let entry = |i: usize, j: usize| matrix[i * size + j];
    work.clear();
    work.resize(n * n + m * n + m * m + n, 0.0);
    let (factor, rest) = work.split_at_mut(n * n);
    let (spread, rest) = rest.split_at_mut(m * n);
    let (gram, scaled) = rest.split_at_mut(m * m);
    for i in 0..n {
        for j in 0..n {
            factor[i * n + j] = entry(i, j);
        }
    }
    if !cholesky(factor, n) {
        return eliminate(matrix, right, size, PIVOT, work);
    }
    // the sign of B against Aᵀ, and L⁻¹ Aᵀ, row by row of A
    let mut sign = 1.0;
    for i in 0..m {
        for j in 0..n {
            spread[i * n + j] = entry(n + i, j);
            if entry(j, n + i) != 0.0 && entry(j, n + i) == -entry(n + i, j) {
                sign = -1.0;
            }
        }
        forward(factor, n, &mut spread[i * n..(i + 1) * n]);
    }
    for i in 0..m {
        let row = &spread[i * n..(i + 1) * n];
        scaled.copy_from_slice(row);
        across(factor, n, scaled);
        for j in 0..=i {
            gram[i * m + j] = (0..n).map(|k| scaled[k] * spread[j * n + k]).sum();
        }
    }
    if !cholesky(gram, m) {
        return eliminate(matrix, right, size, PIVOT, work);
    }
    let (b, c) = right.split_at_mut(n);
    forward(factor, n, b);
    scaled.copy_from_slice(b);
    across(factor, n, scaled);
    // A M⁻¹ Aᵀ (sign λ) = A M⁻¹ b − c
    for (i, c) in c.iter_mut().enumerate() {
        *c = (0..n).map(|k| spread[i * n + k] * scaled[k]).sum::<f64>() - *c;
    }
    forward(gram, m, c);
    across(gram, m, c);
    backward(gram, m, c);
    for (k, b) in b.iter_mut().enumerate() {
        *b -= (0..m).map(|i| spread[i * n + k] * c[i]).sum::<f64>();
    }
    across(factor, n, b);
    backward(factor, n, b);
    c.iter_mut().for_each(|x| *x *= sign);
    if right.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(Unsolved::NotFinite) }
}

/// The solution x and λ of M x = force + Aᵀ λ, A x = right.
///
/// ```
/// // a unit mass on a slope of 45°, A = (1, −1): gravity 10 down, the slope takes half of it
/// use linear::{Matrix, saddle::constrained};
/// let slope = Matrix::from([[1.0, -1.0]]);
/// let (x, lambda) = constrained(&Matrix::identity(2), &slope, &[0.0, -10.0], &[0.0]).unwrap();
/// assert!([x[0], x[1], lambda[0]].iter().all(|one| (one + 5.0).abs() < 1e-14));
/// ```
pub fn constrained(
    mass: &Matrix,
    rows: &Matrix,
    force: &[f64],
    right: &[f64],
) -> Result<(Vec<f64>, Vec<f64>), Unsolved> {
    let (n, m) = (mass.rows(), rows.rows());
    assert!(mass.is_square() && (m == 0 || rows.columns() == n), "rows as wide as the mass matrix");
    let mut matrix = Matrix::from_fn(n + m, n + m, |i, j| match (i < n, j < n) {
        (true, true) => mass[i][j],
        (false, true) => rows[i - n][j],
        (true, false) => -rows[j - n][i],
        (false, false) => 0.0,
    });
    let mut x = [force, right].concat();
    saddle(matrix.entries_mut(), &mut x, n, &mut Vec::new())?;
    let lambda = x.split_off(n);
    Ok((x, lambda))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saddle_is_solved_like_any_matrix() {
        // M = [4 1; 1 3], A = [1 2]; change a sign in `saddle` and this fails
        for sign in [1.0, -1.0] {
            let matrix = [[4.0, 1.0, sign], [1.0, 3.0, 2.0 * sign], [1.0, 2.0, 0.0]];
            let (mut one, right) = (vec![1.0, 2.0, 3.0], [1.0, 2.0, 3.0]);
            saddle(&mut matrix.concat(), &mut one, 2, &mut Vec::new()).unwrap();
            let other = crate::solve(matrix, &right).unwrap();
            assert!(one.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-14), "{one:?} {other:?}");
        }
        // a massless coordinate: M alone cannot be factored
        let mut right = vec![1.0, 2.0, 3.0];
        let matrix = &mut [4.0, 0.0, 1.0, 0.0, 0.0, 2.0, 1.0, 2.0, 0.0];
        saddle(matrix, &mut right, 2, &mut Vec::new()).unwrap();
        assert!((right[2] - 1.0).abs() < 1e-15 && (right[0]).abs() < 1e-15, "{right:?}");
    }

    #[test]
    fn constraints_that_repeat_each_other_are_refused_in_any_unit() {
        let mass = Matrix::identity(2);
        for unit in [1.0, 1e-6, 1e9] {
            let rows = Matrix::from([[1.0, 2.0], [unit, 2.0 * unit]]);
            let error = constrained(&mass, &rows, &[1.0, 0.0], &[0.0, 0.0]).unwrap_err();
            assert!(matches!(error, Unsolved::Singular { column: 3, .. }), "{error}");
            let rows = Matrix::from([[1.0, 2.0], [unit, 2.1 * unit]]);
            let (x, _) = constrained(&mass, &rows, &[1.0, 0.0], &[1.0, unit]).unwrap();
            assert!((x[0] - 1.0).abs() < 1e-13 && x[1].abs() < 1e-13, "{x:?}");
        }
    }
}

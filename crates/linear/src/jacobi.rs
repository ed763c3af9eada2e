//! What are the eigenvalues of a symmetric matrix, alone or against a mass matrix?
//!
//! ```text
//! a_pq ← 0        by a rotation in the plane of p and q, in turn, until all are rounding       (1)
//! K v = λ M v     by (1) for M, then for K between the directions e/√m of M                    (2)
//! ```
//!
//! An entry is rounding if neither of its two diagonal entries feels it. So small eigenvalues of
//! matrices whose rows have different units are as exact as large ones.
//!
//! Source: H. Rutishauser, Numer. Math. 9 (1966) 1–10.

use crate::matrix::Matrix;
use crate::solve::Unsolved;
use crate::tolerance::DEFINITE;
use crate::vector::add;

/// After so many rounds of (1) the rest is taken as it is; ten are many.
const ROUNDS: usize = 60;

/// Eigenvalues, smallest first, with their vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    /// The eigenvalues.
    pub values: Vec<f64>,
    /// A vector for each, as a row: orthonormal, or with vᵀ M v = 1 for (2).
    pub vectors: Matrix,
}

/// The eigenvalues of the symmetric part of a matrix.
///
/// ```
/// let found = linear::jacobi::symmetric([[2.0, 1.0], [1.0, 2.0]]).unwrap();
/// assert!((found.values[0] - 1.0).abs() < 1e-15 && (found.values[1] - 3.0).abs() < 1e-15);
/// ```
pub fn symmetric(matrix: impl Into<Matrix>) -> Result<Spectrum, Unsolved> {
    let mut a = matrix.into().symmetric_part();
    if !a.is_finite() {
        return Err(Unsolved::NotFinite);
    }
    let n = a.rows();
    // the vectors are rows, so that they turn like the rows of the matrix
    let mut vectors = Matrix::identity(n);
    for _ in 0..ROUNDS {
        let mut is_done = true;
        for p in 0..n {
            for q in p + 1..n {
                is_done &= !turn(&mut a, &mut vectors, p, q);
            }
        }
        if is_done {
            break;
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| a[i][i].total_cmp(&a[j][j]));
    let values = order.iter().map(|&k| a[k][k]).collect();
    Ok(Spectrum { values, vectors: Matrix::of_width(n, order.iter().map(|&k| &vectors[k])) })
}

/// (1) for one entry; was there anything to do?
fn turn(a: &mut Matrix, vectors: &mut Matrix, p: usize, q: usize) -> bool {
    let (entry, x, y) = (a[p][q], a[p][p], a[q][q]);
    let is_felt = |diagonal: f64| diagonal.abs() + entry.abs() != diagonal.abs();
    if entry == 0.0 {
        return false;
    }
    (a[p][q], a[q][p]) = (0.0, 0.0);
    if !is_felt(x) && !is_felt(y) {
        return false;
    }
    let theta = (y - x) / (2.0 * entry);
    let t = match theta.abs() {
        size if size > 1e150 => 0.5 / theta,
        size => (if theta < 0.0 { -1.0 } else { 1.0 }) / (size + (size * size + 1.0).sqrt()),
    };
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    (a[p][p], a[q][q]) = (x - t * entry, y + t * entry);
    for k in (0..a.rows()).filter(|&k| k != p && k != q) {
        let (of_p, of_q) = (a[p][k], a[q][k]);
        let (of_p, of_q) = (c * of_p - s * of_q, s * of_p + c * of_q);
        (a[p][k], a[q][k], a[k][p], a[k][q]) = (of_p, of_q, of_p, of_q);
    }
    for k in 0..vectors.columns() {
        let (of_p, of_q) = (vectors[p][k], vectors[q][k]);
        (vectors[p][k], vectors[q][k]) = (c * of_p - s * of_q, s * of_p + c * of_q);
    }
    true
}

/// The eigenvalues (2) of K against M; an error with the column of its smallest part if M is not
/// positive.
pub fn against(stiffness: &Matrix, mass: &Matrix) -> Result<Spectrum, Unsolved> {
    let n = mass.rows();
    let Spectrum { values, vectors } = symmetric(mass)?;
    if let (Some(&least), Some(&most)) = (values.first(), values.last())
        && (least <= 0.0 || DEFINITE.hides(least, most))
    {
        let column = (0..n).max_by(|&i, &j| vectors[0][i].abs().total_cmp(&vectors[0][j].abs())).unwrap_or(0);
        return Err(Unsolved::Singular { column, size: least / most });
    }
    let mut roots = vectors;
    for (k, value) in values.iter().enumerate() {
        roots[k].iter_mut().for_each(|x| *x /= value.sqrt());
    }
    let turned = symmetric(stiffness.between(&roots, &roots))?;
    let mut vectors = Matrix::zeros(turned.values.len(), n);
    for (i, parts) in turned.vectors.iter().enumerate() {
        parts.iter().enumerate().for_each(|(k, &part)| add(&mut vectors[i], part, &roots[k]));
    }
    Ok(Spectrum { values: turned.values, vectors })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_of_a_symmetric_matrix() {
        let found = symmetric([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, -1.0]]).unwrap();
        assert!(found.values.iter().zip([-1.0, 1.0, 3.0]).all(|(x, y)| (x - y).abs() < 1e-15), "{found:?}");
        assert!((found.vectors[0][2].abs() - 1.0).abs() < 1e-15);
        assert!((found.vectors[2][0] - found.vectors[2][1]).abs() < 1e-15);
        assert_eq!(symmetric([[0.0, 1.0], [-1.0, 0.0]]).unwrap().values, [0.0, 0.0]);
        assert_eq!(symmetric(Matrix::zeros(0, 0)).unwrap().values, []);
        assert_eq!(symmetric([[f64::NAN]]), Err(Unsolved::NotFinite));
    }

    #[test]
    fn small_eigenvalues_are_as_exact_as_large_ones() {
        // [1 e/2; e/2 e²]: the small one is 3/4 e² (1 − e²/4 + …), far below the rounding of the
        // large one
        for e in [1e-9, 1e-20] {
            let found = symmetric([[1.0, e / 2.0], [e / 2.0, e * e]]).unwrap();
            assert!((found.values[0] / (0.75 * e * e) - 1.0).abs() < 1e-14, "{found:?}");
        }
    }

    #[test]
    fn a_chain_of_masses_has_the_frequencies_of_the_book() {
        // two masses m and 2m between springs k: ω² of K against M, in kilograms and in milligrams
        for m in [1.0, 1e-6] {
            let (mass, spring) = (Matrix::from([[m, 0.0], [0.0, 2.0 * m]]), Matrix::from([[2.0, -1.0], [-1.0, 2.0]]));
            let found = against(&spring, &mass).unwrap();
            let root = 0.75_f64.sqrt();
            for (value, expected) in found.values.iter().zip([1.5 - root, 1.5 + root]) {
                assert!((value * m / expected - 1.0).abs() < 1e-14, "{found:?}");
            }
            let norms = mass.between(&found.vectors, &found.vectors);
            assert!((norms[0][0] - 1.0).abs() < 1e-14 && norms[0][1].abs() < 1e-14, "{norms:?}");
        }
        let error = against(&Matrix::identity(2), &Matrix::from([[1.0, 0.0], [0.0, 0.0]])).unwrap_err();
        assert_eq!(error, Unsolved::Singular { column: 1, size: 0.0 });
        assert!(against(&Matrix::identity(1), &Matrix::from([[-1.0]])).is_err());
    }
}

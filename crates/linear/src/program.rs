//! Where is a linear function largest, under linear bounds?
//!
//! ```text
//! c·x → max,   A x ≤ h,   x ≥ 0          with h ≥ 0: x = 0 is allowed                              (1)
//! ```
//!
//! The simplex method on a full tableau: small programs, a few dozen rows. The entering column is the one that gains
//! most; after many exchanges the first that gains (Bland), so that it ends.
//!
//! Source: V. Chvátal, Linear Programming (1983), chapters 2 and 3.

use crate::matrix::Matrix;
use crate::tolerance::PIVOT;
use crate::vector::largest;

/// Why (1) has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMaximum {
    /// It grows without bound.
    Unbounded,
    /// The exchanges came to their limit, or a number is not finite.
    Lost,
}

/// The x of (1) where c·x is largest.
///
/// ```
/// use linear::{Matrix, program::maximum};
/// // x + y ≤ 4, x ≤ 3: 2 x + y is largest at (3, 1)
/// let x = maximum(&[2.0, 1.0], &Matrix::from([[1.0, 1.0], [1.0, 0.0]]), &[4.0, 3.0]).unwrap();
/// assert_eq!(x, [3.0, 1.0]);
/// ```
pub fn maximum(c: &[f64], rows: &Matrix, bounds: &[f64]) -> Result<Vec<f64>, NoMaximum> {
    let (m, n) = (rows.rows(), c.len());
    if !rows.is_finite() || c.iter().chain(bounds).any(|x| !x.is_finite()) || bounds.iter().any(|h| *h < 0.0) {
        return Err(NoMaximum::Lost);
    }
    // one row a bound, then the gains; columns: x, slacks, right side
    let width = n + m + 1;
    let mut table = Matrix::zeros(m + 1, width);
    for (i, row) in rows.iter().enumerate() {
        table[i][..n].copy_from_slice(row);
        table[i][n + i] = 1.0;
        table[i][width - 1] = bounds[i];
    }
    table[m][..n].copy_from_slice(c);
    let (small, mut basis): (f64, Vec<usize>) = (PIVOT.at(largest(c)), (n..n + m).collect());
    let most = 20 * (m + n) + 100;
    for round in 0..2 * most {
        let gains = (0..n + m).filter(|&j| table[m][j] > small);
        let entering = match round < most {
            true => gains.max_by(|&a, &b| table[m][a].total_cmp(&table[m][b])),
            false => gains.min(),
        };
        let Some(j) = entering else {
            let mut x = vec![0.0; n];
            basis.iter().enumerate().filter(|one| *one.1 < n).for_each(|(i, &k)| x[k] = table[i][width - 1]);
            return Ok(x);
        };
        let ratio = |i: usize| table[i][width - 1].max(0.0) / table[i][j];
        // rows that are almost the same make a column large, and what is left of others there is rounding
        let column = (0..=m).fold(1.0_f64, |size, i| size.max(table[i][j].abs()));
        let rows = (0..m).filter(|&i| table[i][j] > PIVOT.at(column));
        let leaving = rows.min_by(|&a, &b| ratio(a).total_cmp(&ratio(b)).then(basis[a].cmp(&basis[b])));
        let Some(i) = leaving else { return Err(NoMaximum::Unbounded) };
        exchange(&mut table, i, j);
        basis[i] = j;
    }
    Err(NoMaximum::Lost)
}

/// Column j becomes that of row i.
fn exchange(table: &mut Matrix, i: usize, j: usize) {
    let head = table[i][j];
    table[i].iter_mut().for_each(|x| *x /= head);
    for other in (0..table.rows()).filter(|&other| other != i) {
        let (row, rest) = table.pair(i, other);
        let factor = rest[j];
        if factor != 0.0 {
            rest.iter_mut().zip(row.iter()).for_each(|(x, y)| *x -= factor * y);
            rest[j] = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_is_found() {
        // a textbook's: 5 x + 4 y + 3 z under three bounds is 13 at (2, 0, 1)
        let rows = Matrix::from([[2.0, 3.0, 1.0], [4.0, 1.0, 2.0], [3.0, 4.0, 2.0]]);
        let x = maximum(&[5.0, 4.0, 3.0], &rows, &[5.0, 11.0, 8.0]).unwrap();
        assert!(x.iter().zip([2.0, 0.0, 1.0]).all(|(a, b)| (a - b).abs() < 1e-12), "{x:?}");
    }

    #[test]
    fn nothing_holds_a_free_direction() {
        assert_eq!(maximum(&[1.0, 0.0], &Matrix::from([[-1.0, 1.0]]), &[1.0]), Err(NoMaximum::Unbounded));
    }

    #[test]
    fn a_degenerate_corner_ends() {
        // Beale's program, on which the plain rule turns in a circle
        let rows = Matrix::from([[0.25, -60.0, -0.04, 9.0], [0.5, -90.0, -0.02, 3.0], [0.0, 0.0, 1.0, 0.0]]);
        let x = maximum(&[0.75, -150.0, 0.02, -6.0], &rows, &[0.0, 0.0, 1.0]).unwrap();
        let value: f64 = [0.75, -150.0, 0.02, -6.0].iter().zip(&x).map(|(c, x)| c * x).sum();
        assert!((value - 0.05).abs() < 1e-12, "{value}");
    }
}

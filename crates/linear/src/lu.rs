//! What solves systems with one matrix and many right-hand sides, one after the other?
//!
//! ```text
//! P A = L U        row pivots; then L y = P b, U x = y
//! ```

use crate::solve::Unsolved;

/// A square matrix in factors.
#[derive(Clone, Debug)]
pub struct Factors {
    n: usize,
    /// L below the diagonal, U on it and above, row by row.
    entries: Vec<f64>,
    /// Which row came to each place.
    rows: Vec<usize>,
}

impl Factors {
    /// Factors a matrix, given row by row. Only a pivot that is zero or no number is refused: the matrices of implicit
    /// methods are regular for short steps, and a bad solution shows in their iteration.
    ///
    /// ```
    /// let factors = linear::lu::Factors::new(vec![0.0, 2.0, 1.0, 3.0], 2).unwrap();
    /// let mut x = [4.0, 7.0];
    /// factors.solve(&mut x);
    /// assert_eq!(x, [1.0, 2.0]);
    /// ```
    pub fn new(mut entries: Vec<f64>, n: usize) -> Result<Factors, Unsolved> {
        assert!(entries.len() == n * n, "a square matrix");
        let mut rows: Vec<usize> = (0..n).collect();
        for k in 0..n {
            let size = |i: usize| entries[i * n + k].abs();
            let largest = (k..n).fold(k, |best, i| if size(i) > size(best) { i } else { best });
            let pivot = entries[largest * n + k];
            if pivot == 0.0 || !pivot.is_finite() {
                return Err(if pivot == 0.0 {
                    Unsolved::Singular { column: k, size: 0.0 }
                } else {
                    Unsolved::NotFinite
                });
            }
            if largest != k {
                (0..n).for_each(|j| entries.swap(largest * n + j, k * n + j));
                rows.swap(largest, k);
            }
            let (head, below) = entries.split_at_mut((k + 1) * n);
            let row = &head[k * n..];
            for under in below.chunks_exact_mut(n) {
                let factor = under[k] / pivot;
                under[k] = factor;
                if factor != 0.0 {
                    under[k + 1..].iter_mut().zip(&row[k + 1..]).for_each(|(x, y)| *x -= factor * y);
                }
            }
        }
        Ok(Factors { n, entries, rows })
    }

    /// Solves for a right-hand side in place.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.n;
        let mut y: Vec<f64> = self.rows.iter().map(|&row| x[row]).collect();
        for i in 0..n {
            let dot: f64 = self.entries[i * n..i * n + i].iter().zip(&y).map(|(a, b)| a * b).sum();
            y[i] -= dot;
        }
        for i in (0..n).rev() {
            let row = &self.entries[i * n..(i + 1) * n];
            let dot: f64 = row[i + 1..].iter().zip(&y[i + 1..]).map(|(a, b)| a * b).sum();
            y[i] = (y[i] - dot) / row[i];
        }
        x.copy_from_slice(&y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_solve_what_elimination_solves() {
        let n = 7;
        let entries: Vec<f64> =
            (0..n * n).map(|k| (k as f64 * 1.7).sin() + f64::from(u8::from(k % (n + 1) == 3))).collect();
        let right: Vec<f64> = (0..n).map(|k| (k as f64).cos()).collect();
        let mut x = right.clone();
        Factors::new(entries.clone(), n).unwrap().solve(&mut x);
        let other = crate::solve(crate::Matrix::new(n, n, entries), &right).unwrap();
        assert!(x.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-11 * b.abs().max(1.0)), "{x:?} {other:?}");
    }

    #[test]
    fn a_matrix_without_a_pivot_is_refused() {
        assert_eq!(Factors::new(vec![1.0, 2.0, 2.0, 4.0], 2).err(), Some(Unsolved::Singular { column: 1, size: 0.0 }));
        assert_eq!(Factors::new(vec![f64::NAN], 1).err(), Some(Unsolved::NotFinite));
    }
}

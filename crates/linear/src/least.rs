//! What solves too many equations best, and too few with the smallest solution?
//!
//! ```text
//! A W P = Q R           W = 1/√weights; each column the longest of those that are left         (1)
//! rank                  where what is left is zero beside the longest column                   (2)
//! Rᵀ = Z T              where the rank is smaller: y = Z T⁻ᵀ c is the smallest with R y = c    (3)
//! ```
//!
//! Reflections by Householder; nothing is squared, so that half of the digits are not lost.
//!
//! Source: G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed. (2013), 5.4 and 5.5.

use crate::matrix::Matrix;
use crate::solve::Unsolved;
use crate::tolerance::Tolerance;
use crate::vector::{add, dot, length, scale_of};

/// What a solver says of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solved {
    /// It has one solution.
    Unique,
    /// It has many; the smallest was taken.
    Smallest,
}

/// The x with the smallest |A x − right|, and of several the one with the smallest Σ weights x². A
/// has rows of as many entries as there are weights. Weights say how large unknowns are by nature:
/// x is about 1/√weight. A weight that is not positive or not finite counts as one.
pub fn least(
    matrix: &[f64],
    right: &[f64],
    weights: &[f64],
    tolerance: Tolerance,
) -> Result<(Vec<f64>, Solved), Unsolved> {
    let (rows, n) = (right.len(), weights.len());
    assert_eq!(matrix.len(), rows * n, "rows as wide as there are weights");
    if matrix.iter().chain(right).any(|x| !x.is_finite()) {
        return Err(Unsolved::NotFinite);
    }
    let natural = |w: &f64| if *w > 0.0 && w.is_finite() { w.sqrt().recip() } else { 1.0 };
    let mut scale: Vec<f64> = weights.iter().map(natural).collect();
    let size = matrix.iter().enumerate().fold(0.0_f64, |size, (place, x)| size.max((x * scale[place % n]).abs()));
    let unit = scale_of(size);
    scale.iter_mut().for_each(|scale| *scale *= unit);
    let mut columns = Columns { rows, list: Vec::with_capacity(rows * n), count: n, heads: Vec::new() };
    for (k, scale) in scale.iter().enumerate() {
        columns.list.extend((0..rows).map(|i| matrix[i * n + k] * scale));
    }
    let order = columns.pivoted(tolerance);
    let rank = columns.heads.len();
    let mut c = right.to_vec();
    (0..rank).for_each(|k| columns.reflect(k, &mut c));
    let y = if rank == n { columns.back(&c) } else { columns.smallest(&c) };
    let mut x = vec![0.0; n];
    order.iter().zip(&y).for_each(|(&k, y)| x[k] = y * scale[k]);
    let solved = if rank == n { Solved::Unique } else { Solved::Smallest };
    if x.iter().all(|x| x.is_finite()) { Ok((x, solved)) } else { Err(Unsolved::NotFinite) }
}

/// The x with A x = right that has the smallest Σ weights x², for equations that agree: each is
/// divided by its length first, so that their units do not matter.
///
/// ```
/// use linear::{least::shortest, tolerance::LEAST};
/// // x + y = 2 m, and in micrometres x − y = 0
/// let (x, _) = shortest([[1.0, 1.0], [1e-9, -1e-9]], &[2.0, 0.0], &[1.0; 2], LEAST).unwrap();
/// assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 1.0).abs() < 1e-15);
/// ```
pub fn shortest(
    matrix: impl Into<Matrix>,
    right: &[f64],
    weights: &[f64],
    tolerance: Tolerance,
) -> Result<(Vec<f64>, Solved), Unsolved> {
    let (mut matrix, mut right): (Matrix, Vec<f64>) = (matrix.into(), right.to_vec());
    for (i, right) in right.iter_mut().enumerate() {
        let terms = matrix[i].iter().zip(weights).map(|(a, w)| if *w > 0.0 { a / w.sqrt() } else { *a });
        let scale = scale_of(length(&terms.collect::<Vec<f64>>()));
        matrix[i].iter_mut().chain([right]).for_each(|x| *x *= scale);
    }
    least(matrix.entries(), &right, weights, tolerance)
}

/// Columns one after the other, on the way to a triangle.
struct Columns {
    rows: usize,
    count: usize,
    /// Above the diagonal R; from the diagonal down the vectors of the reflections.
    list: Vec<f64>,
    /// The diagonal of R.
    heads: Vec<f64>,
}

impl Columns {
    fn column(&self, k: usize) -> &[f64] {
        &self.list[k * self.rows..(k + 1) * self.rows]
    }

    /// (1) until (2); the order of the columns.
    fn pivoted(&mut self, tolerance: Tolerance) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.count).collect();
        let mut longest = 0.0;
        for k in 0..self.rows.min(self.count) {
            let (mut best, mut most) = (k, -1.0);
            for j in k..self.count {
                let left = length(&self.column(j)[k..]);
                if left > most {
                    (best, most) = (j, left);
                }
            }
            if k == 0 {
                longest = most;
            }
            if tolerance.hides(most, longest) {
                break;
            }
            order.swap(k, best);
            (0..self.rows).for_each(|i| self.list.swap(k * self.rows + i, best * self.rows + i));
            self.fold(k);
        }
        order
    }

    /// Turns column k into its diagonal entry, and the columns after it likewise.
    fn fold(&mut self, k: usize) {
        let rows = self.rows;
        let (done, rest) = self.list.split_at_mut((k + 1) * rows);
        let vector = &mut done[k * rows + k..];
        let head = if vector[0] > 0.0 { -length(vector) } else { length(vector) };
        vector[0] -= head;
        let square = dot(vector, vector);
        for column in rest.chunks_exact_mut(rows) {
            let share = 2.0 * dot(vector, &column[k..]) / square;
            add(&mut column[k..], -share, vector);
        }
        self.heads.push(head);
    }

    /// Reflection k on another column.
    fn reflect(&self, k: usize, x: &mut [f64]) {
        let vector = &self.column(k)[k..];
        let share = 2.0 * dot(vector, &x[k..]) / dot(vector, vector);
        add(&mut x[k..], -share, vector);
    }

    /// R y = c, for a triangle.
    fn back(&self, c: &[f64]) -> Vec<f64> {
        let mut y = c[..self.heads.len()].to_vec();
        for k in (0..y.len()).rev() {
            y[k] /= self.heads[k];
            let value = y[k];
            add(&mut y[..k], -value, &self.column(k)[..k]);
        }
        y
    }

    /// (3).
    fn smallest(&self, c: &[f64]) -> Vec<f64> {
        let (rank, n) = (self.heads.len(), self.count);
        let entry = |i: usize, j: usize| if i == j { self.heads[i] } else { self.column(j)[i] };
        let list = (0..rank).flat_map(|i| (0..n).map(move |j| if j < i { 0.0 } else { entry(i, j) })).collect();
        let mut turned = Columns { rows: n, count: rank, list, heads: Vec::new() };
        (0..rank).for_each(|k| turned.fold(k));
        // Tᵀ z = c, from the top
        let mut y = vec![0.0; n];
        for k in 0..rank {
            y[k] = (c[k] - dot(&turned.column(k)[..k], &y[..k])) / turned.heads[k];
        }
        (0..rank).rev().for_each(|k| turned.reflect(k, &mut y));
        y
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tolerance::LEAST;

    fn check(matrix: &[f64], right: &[f64], weights: &[f64], expected: &[f64], how: Solved) {
        let (x, solved) = least(matrix, right, weights, LEAST).unwrap();
        assert_eq!(solved, how);
        assert!(x.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-14 * y.abs().max(1.0)), "{x:?}");
    }

    #[test]
    fn equations_that_repeat_each_other_have_a_smallest_solution() {
        check(&[1.0, 1.0, 2.0, 2.0], &[4.0, 8.0], &[1.0, 1.0], &[2.0, 2.0], Solved::Smallest);
        // weights: Σ w x² under x₀ + x₁ = 4 is least at x₀ : x₁ = 1/w₀ : 1/w₁
        check(&[1.0, 1.0], &[4.0], &[1.0, 3.0], &[3.0, 1.0], Solved::Smallest);
        check(&[1.0, 0.0, 0.0, 2.0, 1.0, 2.0], &[3.0, 4.0, 7.0], &[1.0, 1.0], &[3.0, 2.0], Solved::Unique);
        check(&[0.0, 0.0], &[1.0], &[1.0, 1.0], &[0.0, 0.0], Solved::Smallest);
        check(&[], &[], &[1.0, 1.0], &[0.0, 0.0], Solved::Smallest);
        check(&[], &[1.0, 2.0], &[], &[], Solved::Unique);
    }

    #[test]
    fn equations_that_contradict_each_other_have_a_best_solution() {
        // a line through (0, 1), (1, 2), (2, 4): 5/6 + 3/2 t
        check(&[1.0, 0.0, 1.0, 1.0, 1.0, 2.0], &[1.0, 2.0, 4.0], &[1.0; 2], &[5.0 / 6.0, 1.5], Solved::Unique);
    }

    #[test]
    fn half_of_the_digits_are_not_lost() {
        // columns that differ by 1e-5: their squares differ by 1e-10, and normal equations keep six
        // digits
        let e = 1e-5;
        let matrix = [1.0, 1.0, e, 0.0, 0.0, e];
        let (x, _) = least(&matrix, &[2.0, e, e], &[1.0; 2], LEAST).unwrap();
        assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-10), "{x:?}");
    }

    #[test]
    fn sizes_at_the_ends_of_the_range_do_no_harm() {
        for size in [1e-200, 1e200] {
            let (x, _) = least(&[size, 0.0, 0.0, 2.0 * size], &[size, size], &[1.0; 2], LEAST).unwrap();
            assert_eq!(x, [1.0, 0.5]);
        }
        assert_eq!(least(&[f64::NAN], &[1.0], &[1.0], LEAST), Err(Unsolved::NotFinite));
    }

    #[test]
    fn units_of_equations_do_not_matter_to_the_shortest() {
        // as given, the second row is nothing beside the first
        let (matrix, right) = ([[1.0, 1.0], [1e-9, -1e-9]], [2.0, 1e-9]);
        assert_eq!(least(&matrix.concat(), &right, &[1.0; 2], LEAST).unwrap().1, Solved::Smallest);
        let (x, solved) = shortest(matrix, &right, &[1.0; 2], LEAST).unwrap();
        assert_eq!(solved, Solved::Unique);
        assert!((x[0] - 1.5).abs() < 1e-15 && (x[1] - 0.5).abs() < 1e-15, "{x:?}");
        let (x, solved) = shortest([[2e6, 1e6]], &[5e6], &[1.0; 2], LEAST).unwrap();
        assert_eq!(solved, Solved::Smallest);
        assert!((x[0] - 2.0).abs() < 1e-15 && (x[1] - 1.0).abs() < 1e-15, "{x:?}");
    }
}

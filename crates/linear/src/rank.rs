//! What is the rank of a matrix, which vectors does it send to zero, and what do its equations fix?
//!
//! ```text
//! pivots      the largest entry that is left of the scaled matrix, in any row and column     (1)
//! rank        where no entry is left that is more than rounding                              (2)
//! A x = b     x with 0 for unknowns without a pivot, and for each of them a v with A v = 0   (3)
//! ```
//!
//! What is rounding depends on the size that a row has by nature, which its entries do not always
//! show: of a row that happens to vanish at a state only rounding is left. [`Scale`] says what is
//! known.

use crate::matrix::Matrix;
use crate::solve::Unsolved;
use crate::span::orthonormal;
use crate::tolerance::{SPAN, Tolerance};
use crate::vector::{add, largest};

/// What the entries of a matrix are compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale<'a> {
    /// One: rows and columns have their natural sizes already.
    AsGiven,
    /// The natural size of each row: a row far below it says nothing.
    Sizes(&'a [f64]),
    /// The largest entry of each row: every row that is not zero says something.
    Rows,
    /// The largest entry of each row, then that of each column: units of equations and unknowns do
    /// not matter.
    RowsAndColumns,
}

/// A matrix after elimination with complete pivots.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduced {
    /// Each pivot's column is zero in the other rows; the last column is the right side.
    a: Matrix,
    /// The columns of the pivots, row by row.
    pivots: Vec<usize>,
    /// The rows of the pivots, as given.
    rows: Vec<usize>,
    /// What each column was divided by.
    widths: Vec<f64>,
}

/// Eliminates; `right` may be shorter than there are rows, and counts as zero there.
///
/// ```
/// use linear::{Matrix, Scale, rank::reduce, tolerance::RANK};
/// let plane = Matrix::from([[1.0, 1.0, 1.0]]);
/// let found = reduce(plane, &[3.0], Scale::Rows, RANK).unwrap();
/// assert_eq!((found.rank(), found.free().count(), found.solution()), (1, 2, vec![0.0, 0.0, 3.0]));
/// ```
pub fn reduce(
    matrix: impl Into<Matrix>,
    right: &[f64],
    scale: Scale<'_>,
    tolerance: Tolerance,
) -> Result<Reduced, Unsolved> {
    let matrix: Matrix = matrix.into();
    let (count, width) = (matrix.rows(), matrix.columns());
    if !matrix.is_finite() || right.iter().any(|x| !x.is_finite()) {
        return Err(Unsolved::NotFinite);
    }
    let mut a = Matrix::zeros(count, width + 1);
    for (i, row) in matrix.iter().enumerate() {
        let size = match scale {
            Scale::AsGiven => 1.0,
            Scale::Sizes(sizes) => sizes[i],
            Scale::Rows | Scale::RowsAndColumns => largest(row),
        };
        let size = if size > 0.0 { size } else { 1.0 };
        let entries = row.iter().chain(right.get(i));
        a[i].iter_mut().zip(entries).for_each(|(to, x)| *to = x / size);
    }
    let widths: Vec<f64> = match scale {
        Scale::RowsAndColumns => (0..width).map(|j| largest(&a.column(j))).collect(),
        _ => vec![1.0; width],
    };
    let widths: Vec<f64> = widths.into_iter().map(|size| if size > 0.0 { size } else { 1.0 }).collect();
    (0..count).for_each(|i| a[i].iter_mut().zip(&widths).for_each(|(x, size)| *x /= size));
    let mut reduced = Reduced { a, pivots: Vec::new(), rows: (0..count).collect(), widths };
    while reduced.take_pivot(tolerance) {}
    reduced.rows.truncate(reduced.pivots.len());
    Ok(reduced)
}

impl Reduced {
    /// (1); false at (2).
    fn take_pivot(&mut self, tolerance: Tolerance) -> bool {
        let (k, width) = (self.pivots.len(), self.widths.len());
        let (mut place, mut size) = ((0, 0), 0.0);
        for i in k..self.a.rows() {
            for j in (0..width).filter(|j| !self.pivots.contains(j)) {
                // of equals the last, so that earlier unknowns stay free no more often than later
                // ones
                if self.a[i][j].abs() >= size {
                    (place, size) = ((i, j), self.a[i][j].abs());
                }
            }
        }
        if k == self.a.rows().min(width) || tolerance.hides(size, 1.0) {
            return false;
        }
        let (i, j) = place;
        self.a.swap_rows(k, i);
        self.rows.swap(k, i);
        for other in (0..self.a.rows()).filter(|&other| other != k) {
            let (head, row) = self.a.pair(k, other);
            let factor = row[j] / head[j];
            if factor != 0.0 {
                add(row, -factor, head);
                row[j] = 0.0;
            }
        }
        self.pivots.push(j);
        true
    }

    /// The rank (2).
    pub fn rank(&self) -> usize {
        self.pivots.len()
    }

    /// Rows that carry the rank, in the order in which they were taken.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Columns that carry the rank, in the order in which they were taken.
    pub fn columns(&self) -> &[usize] {
        &self.pivots
    }

    /// The unknowns that have no pivot.
    pub fn free(&self) -> impl Iterator<Item = usize> {
        (0..self.widths.len()).filter(|j| !self.pivots.contains(j))
    }

    /// A solution (3) of the equations that carry the rank.
    pub fn solution(&self) -> Vec<f64> {
        let width = self.widths.len();
        let mut x = vec![0.0; width];
        for (k, &j) in self.pivots.iter().enumerate() {
            x[j] = self.a[k][width] / self.a[k][j] / self.widths[j];
        }
        x
    }

    /// Vectors (3) that are sent to zero, one for each free unknown, which is the only free one in
    /// it.
    pub fn null_vectors(&self) -> Matrix {
        let width = self.widths.len();
        let vector = |j: usize| {
            let mut vector = vec![0.0; width];
            vector[j] = 1.0 / self.widths[j];
            for (k, &other) in self.pivots.iter().enumerate() {
                vector[other] = -self.a[k][j] / self.a[k][other] / self.widths[other];
            }
            vector
        };
        Matrix::of_width(width, self.free().map(vector))
    }
}

/// How many rows are independent.
pub fn rank(matrix: impl Into<Matrix>, scale: Scale<'_>, tolerance: Tolerance) -> Result<usize, Unsolved> {
    Ok(reduce(matrix, &[], scale, tolerance)?.rank())
}

/// An orthonormal basis of the vectors that a matrix sends to zero. Rows of the answer are the
/// vectors.
pub fn null_space(matrix: impl Into<Matrix>, scale: Scale<'_>, tolerance: Tolerance) -> Result<Matrix, Unsolved> {
    Ok(orthonormal(&reduce(matrix, &[], scale, tolerance)?.null_vectors(), SPAN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tolerance::RANK;
    use crate::vector::{dot, length};

    #[test]
    fn what_a_matrix_leaves_free() {
        let basis = null_space([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0 + 1e-13]], Scale::Rows, RANK).unwrap();
        assert_eq!((basis.rows(), basis.columns()), (2, 3));
        assert!(basis.iter().all(|v| dot(v, &[1.0, 2.0, 3.0]).abs() < 1e-12 && (length(v) - 1.0).abs() < 1e-14));
        assert_eq!(null_space(Matrix::zeros(0, 2), Scale::Rows, RANK), Ok(Matrix::identity(2)));
        assert_eq!(null_space(Matrix::zeros(3, 0), Scale::Rows, RANK), Ok(Matrix::zeros(0, 0)));
        assert_eq!(null_space([[f64::NAN]], Scale::Rows, RANK), Err(Unsolved::NotFinite));
    }

    #[test]
    fn a_rank_depends_on_what_is_known_of_the_rows() {
        // the second row in units of a picometre, or nothing but rounding of terms of size one
        let matrix = Matrix::from([[1.0, 1.0], [3e-13, -2e-13]]);
        let ranks = [Scale::AsGiven, Scale::Sizes(&[1.0, 1.0]), Scale::Sizes(&[1.0, 1e-12]), Scale::Rows];
        assert_eq!(ranks.map(|scale| rank(&matrix, scale, RANK).unwrap()), [1, 1, 2, 2]);
        // a column of tiny entries is rounding beside its rows, unless it is an unknown with
        // another unit
        let matrix = Matrix::from([[1.0, 3e-13], [1.0, -2e-13]]);
        assert_eq!(rank(&matrix, Scale::Rows, RANK), Ok(1));
        assert_eq!(rank(&matrix, Scale::RowsAndColumns, RANK), Ok(2));
    }

    #[test]
    fn solutions_fix_what_the_equations_fix() {
        // in metres and micrometres: x + y = 3, 1e6 z = 2e6, and once more x + y
        let matrix = Matrix::from([[1.0, 1.0, 0.0], [0.0, 0.0, 1e6], [2.0, 2.0, 0.0]]);
        let found = reduce(&matrix, &[3.0, 2e6, 6.0], Scale::RowsAndColumns, RANK).unwrap();
        assert_eq!((found.rank(), found.free().collect::<Vec<_>>()), (2, vec![0]));
        assert_eq!(matrix.times_vector(&found.solution()), [3.0, 2e6, 6.0]);
        assert_eq!(found.null_vectors(), Matrix::from([[1.0, -1.0, 0.0]]));
        let units = reduce([[1.0, 2e6, 0.0]], &[6.0], Scale::RowsAndColumns, RANK).unwrap();
        for (free, v) in units.free().zip(units.null_vectors().iter()) {
            assert!((v[0] + 2e6 * v[1]).abs() < 1e-9 * v[0].abs().max(1.0) && v[free] != 0.0, "{v:?}");
        }
        let mut rows = found.rows().to_vec();
        rows.sort_unstable();
        assert_eq!(rows, [1, 2]);
    }
}

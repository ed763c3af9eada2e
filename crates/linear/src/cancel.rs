//! What do equations say once some of their unknowns have been eliminated?
//!
//! ```text
//! A x + B μ + c = 0        Z A x + Z c = 0 with Z B = 0: combinations in which μ cancels
//! ```

use crate::matrix::Matrix;
use crate::tolerance::Tolerance;
use crate::vector::{add, largest};

/// Rows with their constants, without the columns from `kept` on. One row is spent for each column
/// that has a pivot; the others keep their own size. Entries are compared with their row as it was
/// given, and a pivot with its column.
pub fn cancel(matrix: impl Into<Matrix>, constants: &[f64], kept: usize, tolerance: Tolerance) -> (Matrix, Vec<f64>) {
    let matrix: Matrix = matrix.into();
    assert_eq!(matrix.rows(), constants.len(), "one constant for each row");
    let size = |row: &[f64]| if largest(row) > 0.0 { largest(row) } else { 1.0 };
    // a row, its constant, and its size
    let mut rows: Vec<(Vec<f64>, f64, f64)> =
        matrix.iter().zip(constants).map(|(row, &constant)| (row.to_vec(), constant, size(row))).collect();
    for column in kept..matrix.columns() {
        let widest = matrix.iter().map(|row| (row[column] / size(row)).abs()).fold(0.0, f64::max);
        let relative = |row: &(Vec<f64>, f64, f64)| (row.0[column] / row.2).abs();
        let pivot = (0..rows.len()).max_by(|&i, &j| relative(&rows[i]).total_cmp(&relative(&rows[j])));
        let Some(pivot) = pivot.filter(|&row| !tolerance.hides(relative(&rows[row]), widest)) else { continue };
        let (head, constant, _) = rows.remove(pivot);
        for (row, value, _) in &mut rows {
            let factor = row[column] / head[column];
            if factor != 0.0 {
                add(row, -factor, &head);
                *value -= factor * constant;
            }
        }
    }
    let left = Matrix::of_width(kept.min(matrix.columns()), rows.iter().map(|row| &row.0[..kept.min(row.0.len())]));
    (left, rows.iter().map(|row| row.1).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tolerance::CANCELLED;

    #[test]
    fn unknowns_cancel_whatever_their_unit() {
        // x + k μ = 1 and x − k μ = 5: x = 3, half of the sum
        for k in [1.0, 1e-20, 1e20] {
            let (rows, constants) = cancel([[1.0, k], [1.0, -k]], &[-1.0, -5.0], 1, CANCELLED);
            assert_eq!((rows, constants), (Matrix::from([[2.0]]), vec![-6.0]));
        }
        // unknowns that come together in all rows spend one row, not two: rounding is no pivot
        for k in [0.1, 0.3, 0.7, 1.1, 1.3] {
            let (rows, constants) = cancel([[1.0, 0.7, 0.1], [0.0, 0.7 * k, 0.1 * k]], &[0.0, 1.0], 1, CANCELLED);
            assert_eq!((rows.rows(), constants.len()), (1, 1));
        }
        // what is not there takes nothing
        assert_eq!(cancel([[1.0, 0.0]], &[2.0], 1, CANCELLED), (Matrix::from([[1.0]]), vec![2.0]));
    }
}

//! Which vectors depend on those before them, and on which of these?
//!
//! ```text
//! v ← v − Σ (v·e) e      for the orthonormal e before, twice: rounding is taken out again
//! ```
//!
//! What is left of a vector is compared with the vector, so that units do not matter.

use crate::matrix::Matrix;
use crate::tolerance::Tolerance;
use crate::vector::{add, dot, length};

/// Orthonormal vectors, taken one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Span {
    basis: Vec<Vec<f64>>,
}

impl Span {
    /// How many vectors it has.
    pub fn len(&self) -> usize {
        self.basis.len()
    }

    /// Has it none?
    pub fn is_empty(&self) -> bool {
        self.basis.is_empty()
    }

    /// The orthonormal vectors.
    pub fn basis(&self) -> &[Vec<f64>] {
        &self.basis
    }

    /// What is left of a vector across the span, and its length, relative to the vector; 0 for a
    /// vector of zeros.
    pub fn left_of(&self, vector: &[f64]) -> (Vec<f64>, f64) {
        let mut left = vector.to_vec();
        for _ in 0..2 {
            for e in &self.basis {
                let part = dot(e, &left);
                add(&mut left, -part, e);
            }
        }
        let (all, rest) = (length(vector), length(&left));
        (left, if all == 0.0 { 0.0 } else { rest / all })
    }

    /// The part of a vector within the span.
    pub fn within(&self, vector: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; vector.len()];
        self.basis.iter().for_each(|e| add(&mut sum, dot(e, vector), e));
        sum
    }

    /// Takes a vector that is known to be across the span.
    pub fn take(&mut self, left: &[f64]) {
        let size = length(left);
        self.basis.push(left.iter().map(|x| x / size).collect());
    }

    /// Takes what is left of a vector, unless it depends on the span or is not finite; was it
    /// taken?
    pub fn grow(&mut self, vector: &[f64], tolerance: Tolerance) -> bool {
        let (left, size) = self.left_of(vector);
        let is_new = size.is_finite() && !tolerance.hides(size, 1.0);
        if is_new {
            self.take(&left);
        }
        is_new
    }
}

/// Orthonormal rows with the span of these rows; what depends on rows before it is left out.
///
/// ```
/// use linear::{Matrix, span::orthonormal, tolerance::SPAN};
/// let rows = Matrix::from([[0.0, 2.0, 0.0], [0.0, -3.0, 0.0], [0.0, 5.0, 1e-6]]);
/// assert_eq!(orthonormal(&rows, SPAN), Matrix::from([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]));
/// ```
pub fn orthonormal(rows: &Matrix, tolerance: Tolerance) -> Matrix {
    let mut span = Span::default();
    rows.iter().for_each(|row| {
        span.grow(row, tolerance);
    });
    Matrix::of_width(rows.columns(), span.basis)
}

/// The rows that depend on rows before them, each with those. A row depends on others if what is
/// left of it is zero beside it; it depends on nothing, and says nothing, if it is zero beside its
/// natural size, or not finite.
pub fn dependencies(rows: &Matrix, sizes: &[f64], tolerance: Tolerance) -> Vec<(usize, Vec<usize>)> {
    let mut basis: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
    let mut found = Vec::new();
    for (place, (row, &size)) in rows.iter().zip(sizes).enumerate() {
        let whole = length(row);
        if !whole.is_finite() || tolerance.hides(whole, size) {
            found.push((place, Vec::new()));
            continue;
        }
        let mut line: Vec<f64> = row.iter().map(|entry| entry / whole).collect();
        let mut made_of = vec![0.0; rows.rows()];
        made_of[place] = 1.0 / whole;
        for _ in 0..2 {
            for (unit, combination) in &basis {
                let share = dot(&line, unit);
                if share != 0.0 {
                    add(&mut line, -share, unit);
                    add(&mut made_of, -share, combination);
                }
            }
        }
        let rest = length(&line);
        if tolerance.hides(rest, 1.0) {
            let takes_part = |&k: &usize| !tolerance.hides(0.1 * made_of[k] * length(&rows[k]), 1.0);
            found.push((place, (0..place).filter(takes_part).collect()));
            continue;
        }
        line.iter_mut().chain(&mut made_of).for_each(|entry| *entry /= rest);
        basis.push((line, made_of));
    }
    found
}

/// The first row that depends on rows before it, or vanishes.
pub fn first_dependent(rows: &Matrix, tolerance: Tolerance) -> Option<usize> {
    let mut span = Span::default();
    rows.iter().position(|row| !span.grow(row, tolerance))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tolerance::{ANGLE, SPAN};

    #[test]
    fn a_dependent_row_names_those_that_it_is_made_of() {
        // rows in different units: x, 1e-9 y, 1e6 (x + y), z, 1e-3 (x − z)
        let rows =
            Matrix::from([[1.0, 0.0, 0.0], [0.0, 1e-9, 0.0], [1e6, 1e6, 0.0], [0.0, 0.0, 1.0], [1e-3, 0.0, -1e-3]]);
        let sizes: Vec<f64> = rows.iter().map(length).collect();
        assert_eq!(dependencies(&rows, &sizes, SPAN), [(2, vec![0, 1]), (4, vec![0, 3])]);
        assert_eq!(first_dependent(&rows, ANGLE), Some(2));
        // beside natural sizes the second row is rounding, and the third is new
        assert_eq!(dependencies(&rows, &[1.0; 5], SPAN), [(1, vec![]), (4, vec![0, 3])]);
        // however long a row is, it takes part
        assert_eq!(dependencies(&Matrix::from([[1e12, 0.0], [2.0, 0.0]]), &[1e12, 2.0], SPAN), [(1, vec![0])]);
        assert_eq!(dependencies(&Matrix::from([[f64::NAN, 1.0]]), &[1.0], SPAN), [(0, vec![])]);
    }

    #[test]
    fn a_span_grows_by_what_is_new() {
        let mut span = Span::default();
        assert!(span.grow(&[3.0, 4.0, 0.0], SPAN) && !span.grow(&[-6.0, -8.0, 0.0], SPAN));
        assert!(!span.grow(&[0.0; 3], SPAN) && !span.grow(&[f64::NAN; 3], SPAN));
        assert!(span.grow(&[3e-5, 4e-5, 1e-9], SPAN), "what is new is a part of its length");
        assert_eq!((span.len(), span.is_empty()), (2, false));
        let (left, size) = span.left_of(&[4.0, -3.0, 7.0]);
        assert!((size - 5.0 / 74.0_f64.sqrt()).abs() < 1e-10 && left[2].abs() < 1e-10, "{left:?} {size}");
        let within = span.within(&[4.0, -3.0, 7.0]);
        assert!(within[0].abs() < 1e-10 && (within[2] - 7.0).abs() < 1e-10, "{within:?}");
    }
}

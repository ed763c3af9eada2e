//! Which vectors depend on those before them, and on which of these?
//!
//! ```text
//! v ← v − Σ (v·e) e      for the orthonormal e before; again if much of v is gone: rounding is taken out then
//! ```
//!
//! What is left of a vector is compared with the vector, so that units do not matter. Every vector knows where its entries
//! that are not zero begin and end: long chains of constraints touch few of those before them.

use std::ops::Range;

use crate::matrix::Matrix;
use crate::tolerance::Tolerance;
use crate::vector::{add, dot, length};

/// If more than this share of a vector is left, what rounding left of the others is small beside it, and once is enough.
const ENOUGH: f64 = 0.7;

/// Orthonormal vectors, taken one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Span {
    basis: Vec<Vec<f64>>,
    /// Where the entries of each that are not zero begin and end.
    extents: Vec<Range<usize>>,
}

/// Where the entries that are not zero begin and end.
fn extent(vector: &[f64]) -> Range<usize> {
    let begin = vector.iter().position(|x| *x != 0.0).unwrap_or(0);
    begin..vector.iter().rposition(|x| *x != 0.0).map_or(begin, |last| last + 1)
}

/// The share of a unit vector in a line that is zero outside its own extent; 0 where the two do not meet.
fn share(line: &[f64], reach: &Range<usize>, unit: &[f64], own: &Range<usize>) -> f64 {
    let both = reach.start.max(own.start)..reach.end.min(own.end);
    if both.is_empty() { 0.0 } else { dot(&line[both.clone()], &unit[both]) }
}

/// Takes a share of a unit vector out of a line, whose extent may grow.
fn subtract(line: &mut [f64], reach: &mut Range<usize>, share: f64, unit: &[f64], own: &Range<usize>) {
    add(&mut line[own.clone()], -share, &unit[own.clone()]);
    *reach = reach.start.min(own.start)..reach.end.max(own.end);
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
        let (mut left, mut reach) = (vector.to_vec(), extent(vector));
        let all = length(vector);
        let mut rest = all;
        for _ in 0..2 {
            for (e, own) in self.basis.iter().zip(&self.extents) {
                let part = share(&left, &reach, e, own);
                if part != 0.0 {
                    subtract(&mut left, &mut reach, part, e, own);
                }
            }
            let before = std::mem::replace(&mut rest, length(&left));
            if rest > ENOUGH * before {
                break;
            }
        }
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
        self.extents.push(extent(left));
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
    let mut basis: Vec<[(Vec<f64>, Range<usize>); 2]> = Vec::new();
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
        let (mut reach, mut span, mut rest) = (extent(&line), place..place + 1, 1.0);
        for _ in 0..2 {
            for [(unit, own), (combination, parts)] in &basis {
                let share = share(&line, &reach, unit, own);
                if share != 0.0 {
                    subtract(&mut line, &mut reach, share, unit, own);
                    subtract(&mut made_of, &mut span, share, combination, parts);
                }
            }
            let before = std::mem::replace(&mut rest, length(&line));
            if rest > ENOUGH * before {
                break;
            }
        }
        if tolerance.hides(rest, 1.0) {
            let takes_part = |&k: &usize| !tolerance.hides(0.1 * made_of[k] * length(&rows[k]), 1.0);
            found.push((place, (0..place).filter(takes_part).collect()));
            continue;
        }
        line.iter_mut().chain(&mut made_of).for_each(|entry| *entry /= rest);
        basis.push([(line, reach), (made_of, span)]);
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

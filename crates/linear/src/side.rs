//! On which side of the imaginary axis does an eigenvalue lie, whatever the errors of the matrix?
//!
//! ```text
//! A v = 0       the column of v is zero in a basis with v: a zero is split off, exactly                 (1)
//! |A − z|⁻¹ E   has a radius below one: no matrix within the errors E has the eigenvalue z              (2)
//! (2) on a circle about λ that does not cross the axis: an eigenvalue stays within it                   (3)
//! ```
//!
//! E holds the errors of the entries, and those of the search for eigenvalues. Zeros that are multiple split by a root
//! of rounding if they are searched for; (1) finds all of them. A part that is not certain counts as being on the axis.

use crate::eigen::{Complex, balanced, order, over, parts, spectrum, times};
use crate::matrix::Matrix;
use crate::radius::at_most;
use crate::rank::{Scale, reduce};
use crate::tolerance::{CLEAR, DETERMINED, EIGENVALUE, Tolerance};

/// Where an eigenvalue lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Its real part is negative.
    Left,
    /// Its real part is zero, or smaller than its error.
    Axis,
    /// Its real part is positive.
    Right,
}

/// An eigenvalue that was judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The eigenvalue.
    pub value: Complex,
    /// The size of the part of the matrix that it belongs to.
    pub size: f64,
    /// Its side.
    pub side: Side,
}

/// Errors of entries that are not much more than rounding. Scale: the largest entry.
const EXACT: Tolerance = Tolerance::new(1e-10);
/// Points of a circle that are looked at.
const POINTS: usize = 12;
/// So many eigenvalues with positive real parts are judged, the largest first: one that is certain is enough.
const TRIES: usize = 4;
/// The error of the search for eigenvalues: so many roundings of the norm for each row.
const SEARCH: f64 = 4.0;

/// The eigenvalues in the order of [`crate::eigen::values`], each with its side; `errors` are those of the entries.
///
/// ```
/// use linear::{Matrix, side::{Side, judged}};
/// // x'' = x/10¹⁶, where the entry may be wrong by 10⁻¹⁵: nobody knows
/// let matrix = Matrix::from([[0.0, 1.0], [1e-16, 0.0]]);
/// let sides = |error: f64| {
///     let errors = Matrix::from([[0.0, 0.0], [error, 0.0]]);
///     judged(&matrix, &errors).unwrap().iter().map(|one| one.side).collect::<Vec<_>>()
/// };
/// assert_eq!(sides(1e-15), [Side::Axis, Side::Axis]);
/// ```
pub fn judged(matrix: &Matrix, errors: &Matrix) -> Option<Vec<Judged>> {
    assert!(matrix.is_square(), "eigenvalues of {} rows of {}", matrix.rows(), matrix.columns());
    if !matrix.is_finite() {
        return None;
    }
    let (a, scale) = balanced(matrix.clone());
    let e = Matrix::from_fn(a.rows(), a.rows(), |i, j| errors[i][j] * scale[j] / scale[i]);
    let mut found = Vec::with_capacity(a.rows());
    for part in parts(&a) {
        found.extend(of_part(a.part(&part, &part), e.part(&part, &part))?);
    }
    found.sort_by(|x, y| order(x.value, y.value));
    Some(found)
}

/// The eigenvalues of a part that does not fall apart.
fn of_part(mut a: Matrix, mut e: Matrix) -> Option<Vec<Judged>> {
    let size = a.largest();
    let mut found = Vec::with_capacity(a.rows());
    while let Some((rest, errors)) = without_zero(&a, &e) {
        (a, e) = (rest, errors);
        found.push(Judged { value: [0.0, 0.0], size, side: Side::Axis });
    }
    let mut values = spectrum(a.clone())?;
    values.sort_by(|x, y| order(*y, *x));
    // what is clearly to the left is so if the entries are known to many digits
    let (mut tries, is_exact) = (0, EXACT.hides(e.largest(), size));
    let mut is_right_found = false;
    for value in values {
        let side = match value[0] {
            re if EIGENVALUE.hides(re, size) => Side::Axis,
            re if CLEAR.hides(re, size) || !is_exact || re > 0.0 => {
                // one of a pair, and one that is certain, speak for the others
                let is_asked = value[1] >= 0.0 && tries < TRIES && !(re > 0.0 && is_right_found);
                tries += usize::from(is_asked && re > 0.0);
                match is_asked && stays(&a, &e, value, value[0].abs()) {
                    true if re > 0.0 => Side::Right,
                    true => Side::Left,
                    false => Side::Axis,
                }
            }
            _ => Side::Left,
        };
        is_right_found |= side == Side::Right;
        found.push(Judged { value, size, side });
    }
    Some(paired(found))
}

/// Gives the second of a pair the side of the first.
fn paired(mut found: Vec<Judged>) -> Vec<Judged> {
    for k in 0..found.len() {
        let one = found[k];
        if one.value[1] > 0.0
            && let Some(other) = found.iter_mut().find(|other| other.value == [one.value[0], -one.value[1]])
        {
            other.side = one.side;
        }
    }
    found
}

/// (1): the matrix and its errors with one zero less; nothing if there is none.
fn without_zero(a: &Matrix, e: &Matrix) -> Option<(Matrix, Matrix)> {
    let found = reduce(a, &[], Scale::RowsAndColumns, DETERMINED).ok()?;
    let null = found.null_vectors();
    let v = null.iter().next()?;
    let k = (0..v.len()).max_by(|&i, &j| v[i].abs().total_cmp(&v[j].abs()))?;
    let rest: Vec<usize> = (0..v.len()).filter(|&i| i != k).collect();
    let entry = |i: usize, j: usize| {
        let (x, y) = (a[rest[i]][rest[j]], v[rest[i]] / v[k] * a[k][rest[j]]);
        if (x - y).abs() <= 4.0 * f64::EPSILON * x.abs().max(y.abs()) { 0.0 } else { x - y }
    };
    let error = |i: usize, j: usize| e[rest[i]][rest[j]] + (v[rest[i]] / v[k]).abs() * e[k][rest[j]];
    let n = rest.len();
    Some((Matrix::from_fn(n, n, entry), Matrix::from_fn(n, n, error)))
}

/// (3): whether an eigenvalue stays within that distance of where it was found, whatever the errors are.
pub(crate) fn stays(a: &Matrix, e: &Matrix, value: Complex, distance: f64) -> bool {
    let n = a.rows();
    let norm = a.entries().iter().map(|x| x * x).sum::<f64>().sqrt();
    let search = SEARCH * f64::EPSILON * n as f64 * norm;
    (0..POINTS).all(|k| {
        let angle = std::f64::consts::TAU * k as f64 / POINTS as f64;
        let z = [value[0] + distance * angle.cos(), value[1] + distance * angle.sin()];
        resolvent(a, z).is_some_and(|found| {
            let length = found.entries().iter().map(|x| x * x).sum::<f64>().sqrt();
            // between the points the bound may be somewhat larger
            at_most(&found.times(e)) + length * search < 0.25
        })
    })
}

/// The absolute values of (A − z)⁻¹.
fn resolvent(a: &Matrix, z: Complex) -> Option<Matrix> {
    let n = a.rows();
    let row = |i: usize| {
        let entry = |j: usize| if i == j { [a[i][j] - z[0], -z[1]] } else { [a[i][j], 0.0] };
        let own = |j: usize| [if i == j { 1.0 } else { 0.0 }, 0.0];
        (0..n).map(entry).chain((0..n).map(own)).collect::<Vec<Complex>>()
    };
    let mut rows: Vec<Vec<Complex>> = (0..n).map(row).collect();
    let abs = |x: Complex| x[0].hypot(x[1]);
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| abs(rows[i][k]).total_cmp(&abs(rows[j][k])))?;
        rows.swap(k, pivot);
        let head = rows[k][k];
        if abs(head) == 0.0 || abs(head).is_nan() {
            return None;
        }
        rows[k].iter_mut().for_each(|x| *x = over(*x, head));
        let above = rows[k].clone();
        for row in rows.iter_mut().enumerate().filter(|(i, _)| *i != k).map(|(_, row)| row) {
            let factor = row[k];
            if factor != [0.0, 0.0] {
                for (x, &y) in row[k..].iter_mut().zip(&above[k..]) {
                    let part = times(factor, y);
                    *x = [x[0] - part[0], x[1] - part[1]];
                }
            }
        }
    }
    Some(Matrix::from_fn(n, n, |i, j| abs(rows[i][n + j])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(matrix: &Matrix, error: f64) -> Vec<Side> {
        let errors = Matrix::from_fn(matrix.rows(), matrix.rows(), |i, j| error * matrix[i][j].abs());
        judged(matrix, &errors).unwrap().iter().map(|one| one.side).collect()
    }

    #[test]
    fn a_side_is_told_if_the_errors_leave_no_doubt() {
        use Side::{Axis, Left, Right};
        // x'' = x, x'' = −x, x'' = −x ∓ 10⁻⁶ x'
        assert_eq!(sides(&Matrix::from([[0.0, 1.0], [1.0, 0.0]]), 1e-14), [Left, Right]);
        assert_eq!(sides(&Matrix::from([[0.0, 1.0], [-1.0, 0.0]]), 1e-14), [Axis, Axis]);
        assert_eq!(sides(&Matrix::from([[0.0, 1.0], [-1.0, -1e-6]]), 1e-14), [Left, Left]);
        assert_eq!(sides(&Matrix::from([[0.0, 1.0], [-1.0, 1e-6]]), 1e-14), [Right, Right]);
        // growth of 10⁻¹⁰ is told from rounding, and not from an error of 10⁻⁹ in an entry on the diagonal
        let slow = Matrix::from([[1e-10, 1.0], [-1.0, 1e-10]]);
        assert_eq!(sides(&slow, 1e-14), [Right, Right]);
        let errors = Matrix::from([[1e-9, 0.0], [0.0, 1e-9]]);
        assert!(judged(&slow, &errors).unwrap().iter().all(|one| one.side == Axis));
    }

    #[test]
    fn two_equal_oscillators_that_are_coupled_one_way_do_not_grow() {
        // a double pair ± i with one vector: rounding splits it by 10⁻⁸
        let tied = Matrix::from([
            [0.0, 1.0, 0.3, 0.0],
            [-1.0, 0.0, 0.0, 0.3],
            [1e-17, 0.0, 0.0, 1.0],
            [0.0, 1e-17, -1.0, 0.0],
        ]);
        assert!(sides(&tied, 1e-15).iter().all(|side| *side == Side::Axis));
    }

    #[test]
    fn zeros_are_zero_however_often() {
        // a free particle behind a matrix that mixes the states: x''' = 0, and x'' = −4 x
        let plain = Matrix::from([
            [0.0, 1.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 2.0],
            [0.0, 0.0, 0.0, -2.0, 0.0],
        ]);
        let mix = Matrix::from_fn(5, 5, |i, j| if i == j { 2.0 } else { 0.1 * ((3 * i + 2 * j) % 5) as f64 });
        let mixed = mix.times(&plain).times(&crate::inverse(&mix).unwrap());
        let found = judged(&mixed, &Matrix::from_fn(5, 5, |_, _| 1e-15)).unwrap();
        assert_eq!(found.iter().filter(|one| one.value == [0.0, 0.0]).count(), 3, "{found:?}");
        assert!(found.iter().all(|one| one.side == Side::Axis), "{found:?}");
    }
}

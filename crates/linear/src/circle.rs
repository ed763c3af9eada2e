//! Does an eigenvalue lie inside the unit circle or outside, whatever the errors of the matrix?
//!
//! ```text
//! a circle about ρ that does not cross |z| = 1 and on which no matrix within the errors has an eigenvalue     (1)
//! ```
//!
//! As in [`crate::side`], of which this is the image for what happens once a period. Multiple eigenvalues on the circle
//! split by a root of the errors; (1) does not take them for growth.

use crate::eigen::{Complex, values};
use crate::matrix::Matrix;
use crate::side::stays;

/// Circles (1) of these parts of the distance from the unit circle are tried.
const PARTS: [f64; 3] = [0.9, 0.3, 0.05];

/// Where an eigenvalue lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Its size is below one.
    Inside,
    /// Its size is one, or differs from it by less than its error.
    On,
    /// Its size is above one.
    Outside,
}

/// The eigenvalues, each with its place; `errors` are those of the entries.
///
/// ```
/// use linear::{Matrix, circle::{Place, judged}};
/// let places = |matrix: [[f64; 2]; 2], error: f64| {
///     let errors = Matrix::from_fn(2, 2, |_, _| error);
///     judged(&matrix.into(), &errors).unwrap().iter().map(|one| one.1).collect::<Vec<_>>()
/// };
/// assert_eq!(places([[0.5, 0.0], [0.0, 1.5]], 1e-9), [Place::Inside, Place::Outside]);
/// assert_eq!(places([[1e-3, 0.0], [0.0, 1.0]], 1e-9), [Place::Inside, Place::On]);
/// // a double one with one vector: an error of 1e-12 moves it by 1e-6
/// assert_eq!(places([[1.0, 3.0], [1e-12, 1.0]], 1e-11), [Place::On, Place::On]);
/// ```
pub fn judged(matrix: &Matrix, errors: &Matrix) -> Option<Vec<(Complex, Place)>> {
    let place = |value: Complex| {
        let over = value[0].hypot(value[1]) - 1.0;
        // a smaller circle keeps away from other eigenvalues, a larger one bears larger errors
        let is_sure = PARTS.iter().any(|part| stays(matrix, errors, value, part * over.abs()));
        match over != 0.0 && is_sure {
            true if over > 0.0 => Place::Outside,
            true => Place::Inside,
            false => Place::On,
        }
    };
    Some(values(matrix)?.into_iter().map(|value| (value, place(value))).collect())
}

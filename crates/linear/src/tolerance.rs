//! Which numbers count as zero? Every tolerance by its name, with its scale.
//!
//! ```text
//! |x| ≤ tolerance · scale        x is zero beside the scale
//! ```
//!
//! Rounding is 1e-16 of the terms of a sum. A tolerance far above that says how much worse the
//! numbers are that it judges: by long expressions, by squares of matrices, by states that satisfy
//! their constraints only nearly.

/// A tolerance relative to a scale.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Tolerance(f64);

impl Tolerance {
    /// A tolerance with this ratio.
    pub const fn new(ratio: f64) -> Tolerance {
        Tolerance(ratio)
    }

    /// The ratio to the scale.
    pub const fn ratio(self) -> f64 {
        self.0
    }

    /// The largest size that counts as zero at this scale.
    pub fn at(self, scale: f64) -> f64 {
        self.0 * scale
    }

    /// Is the value zero beside the scale? No if one of them is not a number.
    ///
    /// ```
    /// use linear::tolerance::PIVOT;
    /// // a micrometre beside a metre is something, and nothing beside the distance of the sun
    /// assert!(!PIVOT.hides(1e-6, 1.0) && PIVOT.hides(1e-6, 1.5e11));
    /// ```
    pub fn hides(self, value: f64, scale: f64) -> bool {
        value.abs() <= self.0 * scale
    }
}

/// A pivot of an elimination. Scale: the largest entry of its column, rows being of size one
/// before. For entries that are exact up to rounding.
pub const PIVOT: Tolerance = Tolerance(1e-13);

/// [`PIVOT`] for entries that are values of long expressions. Scale: the same.
pub const DETERMINED: Tolerance = Tolerance(1e-12);

/// A pivot of an elimination in [`crate::arithmetic`], where entries are results of other
/// eliminations. Scale: the largest entry of its column, rows being of size one.
pub const PIVOT_IN_BLOCKS: Tolerance = Tolerance(1e-11);

/// A pivot of Cholesky's factors. Scale: the entry on the diagonal before anything was taken from
/// it.
pub const POSITIVE: Tolerance = Tolerance(1e-13);

/// What is left of a column in least squares. Scale: the longest column, where unknowns have their
/// weights. It is the root of [`POSITIVE`], so that the rank is that of the normal matrix.
pub const LEAST: Tolerance = Tolerance(3e-7);

/// What is left of a matrix when its rank is reached. Scale: one, which is the size of its scaled
/// rows.
pub const RANK: Tolerance = Tolerance(1e-9);

/// What is left of a vector that depends on others. Scale: the length of the vector.
pub const SPAN: Tolerance = Tolerance(1e-9);

/// The sine of the angle between a row and the rows before it, where a Gram matrix is to be solved.
/// Scale: one. It is the root of [`DETERMINED`].
pub const ANGLE: Tolerance = Tolerance(1e-6);

/// What is left of a column of a basis. Scale: the largest entry of the column.
pub const COLUMN: Tolerance = Tolerance(1e-10);

/// A row's part in a combination of rows. Scale: the largest part.
pub const PART: Tolerance = Tolerance(1e-9);

/// The column of an unknown that is to cancel. Scale: the largest entry of that column, rows being
/// of size one.
pub const CANCELLED: Tolerance = Tolerance(1e-12);

/// What is added to the diagonal of K Kᵀ. Scale: the square of the row's natural size.
pub const RIDGE: Tolerance = Tolerance(1e-13);

/// The error of a sum that was computed with its terms. Scale: the sizes of all terms together.
pub const ROUNDING: Tolerance = Tolerance(2e-14);

/// The smallest eigenvalue of a mass matrix. Scale: the largest.
pub const DEFINITE: Tolerance = Tolerance(1e-13);

/// The real or imaginary part of an eigenvalue. Scale: the part of the matrix that the eigenvalue
/// belongs to.
pub const EIGENVALUE: Tolerance = Tolerance(1e-13);

/// An eigenvalue as a whole: several zeros that belong together split by a root of rounding. Scale:
/// as for [`EIGENVALUE`].
pub const ZERO_EIGENVALUE: Tolerance = Tolerance(1e-9);

/// A negative real part of an eigenvalue that needs no look at its error: parts of matrices are far from so bad. Scale:
/// as for [`EIGENVALUE`].
pub const CLEAR: Tolerance = Tolerance(1e-6);

/// An entry of an eigenvector. Scale: one, its length.
pub const ENTRY: Tolerance = Tolerance(1e-13);

/// The distance from an eigenvalue at which its vector is searched. Scale: the largest entry of the
/// balanced matrix.
pub const BESIDE: Tolerance = Tolerance(1e-15);

/// A pivot that is put in place of none, when a vector is searched. Scale: as for [`BESIDE`].
pub const FAINT: Tolerance = Tolerance(1e-16);

/// A pivot may be so many times smaller than the largest, if its row is preferred. No tolerance: a
/// choice.
pub const FAIR_ROW: f64 = 1e-3;

/// A pivot may be so many times smaller than the largest, if its row is emptier. No tolerance: a
/// choice.
pub const FAIR_PIVOT: f64 = 0.1;

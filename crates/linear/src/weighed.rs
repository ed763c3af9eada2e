//! Is a number that was computed from others more than their rounding?
//!
//! ```text
//! s(x + y) = s(x) + s(y)      s(x y) = |x| s(y) + |y| s(x)      s(x/y) = (s(x) + |x/y| s(y))/|y|
//! ```
//!
//! A sum that is smaller than the rounding of its terms is zero.

use crate::arithmetic::{Arithmetic, Rows};
use crate::matrix::Matrix;
use crate::tolerance::ROUNDING;

/// A float, and how large the terms were that it is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed {
    /// The number.
    pub value: f64,
    /// Its error, in units of the rounding: the size of its terms.
    pub size: f64,
}

impl Weighed {
    /// 0, exactly.
    pub const ZERO: Weighed = Weighed { value: 0.0, size: 0.0 };

    /// A number by itself.
    pub fn new(value: f64) -> Weighed {
        Weighed { value, size: value.abs() }
    }
}

/// The arithmetic of numbers with their errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weighing;

impl Arithmetic for Weighing {
    type Number = Weighed;

    fn zero(&self) -> Weighed {
        Weighed::ZERO
    }

    fn one(&self) -> Weighed {
        Weighed::new(1.0)
    }

    fn plus(&self, x: Weighed, y: Weighed) -> Weighed {
        let sum = Weighed { value: x.value + y.value, size: x.size + y.size };
        if ROUNDING.hides(sum.value, sum.size) { Weighed::ZERO } else { sum }
    }

    fn times(&self, x: Weighed, y: Weighed) -> Weighed {
        Weighed { value: x.value * y.value, size: x.value.abs() * y.size + y.value.abs() * x.size }
    }

    fn over(&self, x: Weighed, y: Weighed) -> Weighed {
        let value = x.value / y.value;
        Weighed { value, size: (x.size + value.abs() * y.size) / y.value.abs() }
    }

    fn minus(&self, x: Weighed) -> Weighed {
        Weighed { value: -x.value, size: x.size }
    }

    fn size(&self, x: Weighed) -> f64 {
        x.value.abs()
    }

    fn is_nothing(&self, x: Weighed) -> bool {
        x.value == 0.0
    }
}

/// The numbers alone, without negative zeros.
pub fn floats(a: &[Vec<Weighed>], columns: usize) -> Matrix {
    Matrix::of_width(columns, a.iter().map(|row| row.iter().map(|x| x.value + 0.0).collect::<Vec<f64>>()))
}

/// Numbers by themselves.
pub fn weighed(a: &Matrix) -> Rows<Weighed> {
    a.iter().map(|row| row.iter().map(|&x| Weighed::new(x)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_large_terms_is_zero() {
        let sum = |x: f64, y: f64| Weighing.plus(Weighed::new(x), Weighed::new(y));
        // 0.1 + 0.2 − 0.3 is 5.6e-17 in floats; the same difference of small numbers is something
        assert_eq!(Weighing.plus(sum(0.1, 0.2), Weighed::new(-0.3)), Weighed::ZERO);
        assert_eq!(sum(5.6e-17, 1e-17).value, 6.6e-17);
        // errors grow with what they are multiplied with and divided by
        let small = Weighing.plus(sum(1.0, 1e-9), Weighed::new(-1.0));
        assert!(Weighing.over(small, Weighed::new(1e-3)).size > 2e3, "{small:?}");
        assert_eq!(Weighing.plus(small, Weighing.minus(small)), Weighed::ZERO);
    }

    #[test]
    fn blocks_are_solved_with_their_zeros() {
        // det = 0.1·0.6 − 0.2·0.3, which is 6.9e-18 in floats
        let a = weighed(&Matrix::from([[0.1, 0.2], [0.3, 0.6]]));
        assert_eq!(Weighing.solve(a, weighed(&Matrix::from([[1.0], [1.0]]))), None);
        let a = Matrix::from([[1e-6, 0.0], [3.0, 2.0]]);
        let x = Weighing.solve(weighed(&a), weighed(&Matrix::from([[1e-6], [5.0]]))).unwrap();
        assert_eq!(floats(&x, 1), Matrix::from([[1.0], [1.0]]));
        assert_eq!(floats(&[], 2), Matrix::zeros(0, 2));
    }
}

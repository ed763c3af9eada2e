//! Is a number that was computed from others more than their rounding?
//!
//! ```text
//! s(x + y) = s(x) + s(y)      s(x y) = |x| s(y) + |y| s(x)      s(x/y) = (s(x) + |x/y| s(y))/|y|
//! ```
//!
//! A sum that is smaller than the rounding of its terms is zero. Errors that are carried through an elimination pivot
//! by pivot grow like 2ⁿ, while the solution is as good as ever. So a solution has the error that its own equations
//! leave:
//!
//! ```text
//! s(X) = |A⁻¹| (s(A) |X| + s(B))        A is singular if the radius of |A⁻¹| s(A) ε reaches one        (1)
//! ```
//!
//! Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), sections 7.2 and 12.2.

use crate::arithmetic::{Arithmetic, Rows};
use crate::matrix::Matrix;
use crate::radius::at_most;
use crate::solve::eliminate;
use crate::tolerance::{PIVOT_IN_BLOCKS, ROUNDING};

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

    /// The solution with the errors (1).
    fn solve(&self, a: Rows<Weighed>, b: Rows<Weighed>) -> Option<Rows<Weighed>> {
        let (n, width) = (a.len(), b.first().map_or(0, Vec::len));
        if n == 0 {
            return Some(Vec::new());
        }
        let (sizes_a, sizes_b) = (sizes(&a, n), sizes(&b, width));
        let (a, b) = (floats(&a, n), floats(&b, width));
        let (inverse, mut x) = inverted(&a, &b)?;
        let reach = absolute(&inverse);
        let spread = reach.times(&sizes_a);
        let radius = at_most(&spread) * ROUNDING.ratio();
        if radius >= 1.0 || radius.is_nan() {
            return None;
        }
        // what the equations leave of x: one step gives the errors of (1)
        let left = inverse.times(&minus(&b, &a.times(&x)));
        x = plus(&x, &left);
        let size = reach.times(&plus(&sizes_a.times(&absolute(&x)), &sizes_b));
        let entry = |i: usize, j: usize| {
            let found = Weighed { value: x[i][j], size: size[i][j] / (1.0 - radius) };
            if ROUNDING.hides(found.value, found.size) { Weighed::ZERO } else { found }
        };
        x.is_finite().then(|| (0..n).map(|i| (0..width).map(|j| entry(i, j)).collect()).collect())
    }
}

/// A⁻¹ and A⁻¹ B; nothing if a pivot vanishes.
fn inverted(a: &Matrix, b: &Matrix) -> Option<(Matrix, Matrix)> {
    let (n, width) = (a.rows(), b.columns());
    let beside = |i: usize, j: usize| if j < n { f64::from(u8::from(i == j)) } else { b[i][j - n] };
    let (mut matrix, mut right) = (a.clone(), Matrix::from_fn(n, n + width, beside));
    eliminate(matrix.entries_mut(), right.entries_mut(), n, PIVOT_IN_BLOCKS, &mut Vec::new()).ok()?;
    let (all, own): (Vec<usize>, Vec<usize>) = ((0..n).collect(), (n..n + width).collect());
    Some((right.part(&all, &all), right.part(&all, &own)))
}

/// The sizes of the terms alone.
pub fn sizes(a: &[Vec<Weighed>], columns: usize) -> Matrix {
    Matrix::of_width(columns, a.iter().map(|row| row.iter().map(|x| x.size).collect::<Vec<f64>>()))
}

fn absolute(a: &Matrix) -> Matrix {
    Matrix::from_fn(a.rows(), a.columns(), |i, j| a[i][j].abs())
}

fn plus(a: &Matrix, b: &Matrix) -> Matrix {
    Matrix::from_fn(a.rows(), a.columns(), |i, j| a[i][j] + b[i][j])
}

fn minus(a: &Matrix, b: &Matrix) -> Matrix {
    Matrix::from_fn(a.rows(), a.columns(), |i, j| a[i][j] - b[i][j])
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
    fn errors_of_a_solution_do_not_grow_with_every_pivot() {
        // the mass matrix of n links that hang, m_ij = n − max(i, j): its inverse has the diagonals −1, 2, −1
        for n in [3, 20, 60, 150] {
            let mass = Matrix::from_fn(n, n, |i, j| 0.1 * (n - i.max(j)) as f64);
            let stiffness = Matrix::from_fn(n, n, |i, j| if i == j { 0.7 * (n - i) as f64 } else { 0.0 });
            let found = floats(&Weighing.solve(weighed(&mass), weighed(&stiffness)).unwrap(), n);
            for i in 0..n {
                for j in 0..n {
                    let own = match i.abs_diff(j) {
                        0 => {
                            if i == 0 {
                                1.0
                            } else {
                                2.0
                            }
                        }
                        1 => -1.0,
                        _ => 0.0,
                    };
                    let exact = 7.0 * own * (n - j) as f64;
                    // zeros are exact, and what is there stays
                    assert!((found[i][j] - exact).abs() <= 1e-10 * exact.abs(), "{n} {i} {j}: {}", found[i][j]);
                }
            }
        }
    }

    #[test]
    fn blocks_are_solved_with_their_zeros() {
        // det = 0.1·0.6 − 0.2·0.3, which is 6.9e-18 in floats
        let a = weighed(&Matrix::from([[0.1, 0.2], [0.3, 0.6]]));
        assert_eq!(Weighing.solve(a, weighed(&Matrix::from([[1.0], [1.0]]))), None);
        let a = Matrix::from([[1e-6, 0.0], [3.0, 2.0]]);
        let x = Weighing.solve(weighed(&a), weighed(&Matrix::from([[1e-6], [5.0]]))).unwrap();
        assert!(floats(&x, 1).entries().iter().all(|x| (x - 1.0).abs() < 1e-15), "{x:?}");
        assert_eq!(floats(&[], 2), Matrix::zeros(0, 2));
    }
}

//! How are matrices solved whose entries are numbers with errors, or expressions?
//!
//! ```text
//! A X = B      by elimination; pivots are large where it is asked, in rows that are nearly empty
//! ```
//!
//! An [`Arithmetic`] is a value: an arithmetic of expressions carries the state at which it
//! measures them.

use crate::tolerance::{FAIR_PIVOT, PIVOT_IN_BLOCKS};

/// A matrix of any entries, row by row.
pub type Rows<T> = Vec<Vec<T>>;

/// How entries are computed with.
pub trait Arithmetic {
    /// An entry.
    type Number: Copy;
    /// 0.
    fn zero(&self) -> Self::Number;
    /// 1.
    fn one(&self) -> Self::Number;
    /// x + y.
    fn plus(&self, x: Self::Number, y: Self::Number) -> Self::Number;
    /// x y.
    fn times(&self, x: Self::Number, y: Self::Number) -> Self::Number;
    /// x/y, where y is a pivot.
    fn over(&self, x: Self::Number, y: Self::Number) -> Self::Number;
    /// −x.
    fn minus(&self, x: Self::Number) -> Self::Number;
    /// The absolute value where it is asked; 0 if there is none.
    fn size(&self, x: Self::Number) -> f64;
    /// Is it zero, up to rounding?
    fn is_nothing(&self, x: Self::Number) -> bool;

    /// A matrix of zeros.
    fn zeros(&self, rows: usize, columns: usize) -> Rows<Self::Number> {
        vec![vec![self.zero(); columns]; rows]
    }

    /// A B; the columns of B are told, so that empty matrices keep their shape.
    fn product(&self, a: &[Vec<Self::Number>], b: &[Vec<Self::Number>], columns: usize) -> Rows<Self::Number> {
        let entry = |row: &[Self::Number], j: usize| {
            let terms = row.iter().zip(b).map(|(&x, other)| (x, other[j]));
            let terms = terms.filter(|&(x, y)| !self.is_nothing(x) && !self.is_nothing(y));
            terms.fold(self.zero(), |sum, (x, y)| self.plus(sum, self.times(x, y)))
        };
        a.iter().map(|row| (0..columns).map(|j| entry(row, j)).collect()).collect()
    }

    /// A + B.
    fn sum(&self, a: &[Vec<Self::Number>], b: &[Vec<Self::Number>]) -> Rows<Self::Number> {
        let row = |x: &[Self::Number], y: &[Self::Number]| x.iter().zip(y).map(|(&x, &y)| self.plus(x, y)).collect();
        a.iter().zip(b).map(|(x, y)| row(x, y)).collect()
    }

    /// −A.
    fn negative(&self, a: &[Vec<Self::Number>]) -> Rows<Self::Number> {
        a.iter().map(|row| row.iter().map(|&x| self.minus(x)).collect()).collect()
    }

    /// The solution X of A X = B; nothing if A is singular where it is asked. Rows are compared
    /// after division by their largest entries.
    fn solve(&self, mut a: Rows<Self::Number>, mut b: Rows<Self::Number>) -> Option<Rows<Self::Number>> {
        let n = a.len();
        let largest = |row: &Vec<Self::Number>| row.iter().fold(0.0_f64, |size, &x| size.max(self.size(x)));
        let mut scale: Vec<f64> = a.iter().map(largest).collect();
        if scale.iter().any(|size| !size.is_finite()) {
            return None;
        }
        scale.iter_mut().filter(|size| **size == 0.0).for_each(|size| *size = 1.0);
        let column = |k: usize| (0..n).fold(0.0_f64, |size, i| size.max(self.size(a[i][k]) / scale[i]));
        let columns: Vec<f64> = (0..n).map(column).collect();
        for (k, &column) in columns.iter().enumerate() {
            let sizes: Vec<f64> = (k..n).map(|i| self.size(a[i][k]) / scale[i]).collect();
            let best = sizes.iter().copied().fold(0.0, f64::max);
            if best.is_nan() || PIVOT_IN_BLOCKS.hides(best, column) {
                return None;
            }
            let filled = |i: usize| a[i].iter().chain(&b[i]).filter(|&&x| !self.is_nothing(x)).count();
            let fair = (k..n).filter(|&i| sizes[i - k] >= FAIR_PIVOT * best);
            let pivot = fair.min_by_key(|&i| filled(i))?;
            a.swap(k, pivot);
            b.swap(k, pivot);
            scale.swap(k, pivot);
            let (above, of_b) = (a[k].clone(), b[k].clone());
            for i in (0..n).filter(|&i| i != k) {
                if self.is_nothing(a[i][k]) {
                    continue;
                }
                let factor = self.minus(self.over(a[i][k], above[k]));
                let add = |row: &mut [Self::Number], other: &[Self::Number]| {
                    for (x, &y) in row.iter_mut().zip(other).filter(|(_, y)| !self.is_nothing(**y)) {
                        *x = self.plus(*x, self.times(factor, y));
                    }
                };
                add(&mut a[i], &above);
                a[i][k] = self.zero();
                add(&mut b[i], &of_b);
            }
        }
        let entry = |k: usize, x: Self::Number| if self.is_nothing(x) { self.zero() } else { self.over(x, a[k][k]) };
        Some((0..n).map(|k| b[k].iter().map(|&x| entry(k, x)).collect()).collect())
    }
}

/// Aᵀ; the columns of A are told, so that empty matrices keep their shape.
pub fn transposed<T: Copy>(a: &[Vec<T>], columns: usize) -> Rows<T> {
    (0..columns).map(|j| a.iter().map(|row| row[j]).collect()).collect()
}

/// Some rows and columns.
pub fn part<T: Copy>(a: &[Vec<T>], rows: &[usize], columns: &[usize]) -> Rows<T> {
    rows.iter().map(|&i| columns.iter().map(|&j| a[i][j]).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fractions, which are exact; measured as if a parameter were 10.
    struct Fractions;

    impl Arithmetic for Fractions {
        type Number = (i64, i64);

        fn zero(&self) -> (i64, i64) {
            (0, 1)
        }

        fn one(&self) -> (i64, i64) {
            (1, 1)
        }

        fn plus(&self, x: (i64, i64), y: (i64, i64)) -> (i64, i64) {
            reduced(x.0 * y.1 + y.0 * x.1, x.1 * y.1)
        }

        fn times(&self, x: (i64, i64), y: (i64, i64)) -> (i64, i64) {
            reduced(x.0 * y.0, x.1 * y.1)
        }

        fn over(&self, x: (i64, i64), y: (i64, i64)) -> (i64, i64) {
            reduced(x.0 * y.1, x.1 * y.0)
        }

        fn minus(&self, x: (i64, i64)) -> (i64, i64) {
            (-x.0, x.1)
        }

        fn size(&self, x: (i64, i64)) -> f64 {
            (x.0 as f64 / x.1 as f64).abs()
        }

        fn is_nothing(&self, x: (i64, i64)) -> bool {
            x.0 == 0
        }
    }

    fn reduced(above: i64, below: i64) -> (i64, i64) {
        let (mut a, mut b) = (above.abs(), below.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let sign = below.signum();
        (sign * above / a.max(1), sign * below / a.max(1))
    }

    fn whole(rows: &[&[i64]]) -> Rows<(i64, i64)> {
        rows.iter().map(|row| row.iter().map(|&x| (x, 1)).collect()).collect()
    }

    #[test]
    fn exact_entries_have_exact_solutions() {
        let a = whole(&[&[0, 2, 1], &[1, 1, 1], &[3, 0, 5]]);
        let x = Fractions.solve(a.clone(), whole(&[&[1, 0], &[0, 1], &[0, 0]])).unwrap();
        assert_eq!(Fractions.product(&a, &x, 2), whole(&[&[1, 0], &[0, 1], &[0, 0]]));
        assert_eq!(Fractions.solve(whole(&[&[1, 2], &[2, 4]]), whole(&[&[1], &[1]])), None);
        assert_eq!(Fractions.solve(Vec::new(), Vec::new()), Some(Vec::new()));
    }

    #[test]
    fn sums_and_parts_are_those_of_the_book() {
        let a = whole(&[&[1, 2], &[3, 4]]);
        assert_eq!(Fractions.sum(&a, &Fractions.negative(&a)), Fractions.zeros(2, 2));
        assert_eq!(transposed(&a, 2), whole(&[&[1, 3], &[2, 4]]));
        assert_eq!(part(&a, &[1], &[1, 0]), whole(&[&[4, 3]]));
        assert_eq!(Fractions.product(&a, &[vec![Fractions.one()], vec![(1, 2)]], 1), [[(2, 1)], [(5, 1)]]);
    }
}

//! Matrices whose entries are numbers or expressions: one algorithm for both.
//!
//! ```text
//! A X = B        by elimination; pivots are the entries that are large at the state
//! ```

use expr::{At, Expr};

/// An entry of a matrix.
pub trait Number: Copy {
    /// 0.
    fn zero() -> Self;
    /// 1.
    fn one() -> Self;
    /// The sum.
    fn plus(self, other: Self) -> Self;
    /// The product.
    fn times(self, other: Self) -> Self;
    /// The quotient; the divisor is a pivot.
    fn over(self, other: Self) -> Self;
    /// −x.
    fn minus(self) -> Self;
    /// Its size at the state.
    fn size(self) -> f64;
    /// Does it vanish, up to rounding?
    fn is_nothing(self) -> bool;
}

/// A matrix, row by row.
pub type Rows<T> = Vec<Vec<T>>;

/// A float, and how large the terms were that it is made of: what is smaller than their rounding is zero.
///
/// ```text
/// s(x + y) = s(x) + s(y)      s(x y) = |x| s(y) + |y| s(x)      s(x/y) = (s(x) + |x/y| s(y))/|y|
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed {
    /// The number.
    pub value: f64,
    /// Its error, in units of the rounding: the size of its terms.
    pub size: f64,
}

/// Rounding errors are smaller than this, relative to the terms.
const ROUNDING: f64 = 2e-14;

impl Weighed {
    /// A number by itself.
    pub fn new(value: f64) -> Weighed {
        Weighed { value, size: value.abs() }
    }

    fn cleaned(self) -> Weighed {
        if self.value.abs() <= ROUNDING * self.size { Weighed::zero() } else { self }
    }
}

impl Number for Weighed {
    fn zero() -> Weighed {
        Weighed { value: 0.0, size: 0.0 }
    }

    fn one() -> Weighed {
        Weighed::new(1.0)
    }

    fn plus(self, other: Weighed) -> Weighed {
        Weighed { value: self.value + other.value, size: self.size + other.size }.cleaned()
    }

    fn times(self, other: Weighed) -> Weighed {
        let size = self.value.abs() * other.size + other.value.abs() * self.size;
        Weighed { value: self.value * other.value, size }
    }

    fn over(self, other: Weighed) -> Weighed {
        let value = self.value / other.value;
        Weighed { value, size: (self.size + value.abs() * other.size) / other.value.abs() }
    }

    fn minus(self) -> Weighed {
        Weighed { value: -self.value, size: self.size }
    }

    fn size(self) -> f64 {
        self.value.abs()
    }

    fn is_nothing(self) -> bool {
        self.value == 0.0
    }
}

/// An expression, and its value at the state.
#[derive(Clone, Copy, Debug)]
pub struct Valued {
    /// The expression.
    pub e: Expr,
    value: f64,
}

impl Valued {
    /// An expression at a state.
    pub fn new(e: Expr, at: &At) -> Valued {
        if e.is_zero() { Valued::zero() } else { Valued { e, value: at.value(e) } }
    }
}

impl Number for Valued {
    fn zero() -> Valued {
        Valued { e: Expr::zero(), value: 0.0 }
    }

    fn one() -> Valued {
        Valued { e: Expr::one(), value: 1.0 }
    }

    fn plus(self, other: Valued) -> Valued {
        let e = self.e + other.e;
        if e.is_zero() { Valued::zero() } else { Valued { e, value: self.value + other.value } }
    }

    fn times(self, other: Valued) -> Valued {
        Valued { e: self.e * other.e, value: self.value * other.value }
    }

    fn over(self, other: Valued) -> Valued {
        match self.e.try_div(other.e) {
            Ok(e) => Valued { e, value: self.value / other.value },
            Err(_) => self,
        }
    }

    fn minus(self) -> Valued {
        Valued { e: -self.e, value: -self.value }
    }

    fn size(self) -> f64 {
        if self.value.is_finite() { self.value.abs() } else { 0.0 }
    }

    fn is_nothing(self) -> bool {
        self.e.is_zero()
    }
}

/// A matrix of zeros.
pub fn zeros<T: Number>(rows: usize, columns: usize) -> Rows<T> {
    vec![vec![T::zero(); columns]; rows]
}

/// The product; `inner` is its common size, so that empty matrices keep their shape.
pub fn product<T: Number>(a: &[Vec<T>], b: &[Vec<T>], columns: usize) -> Rows<T> {
    let entry = |row: &Vec<T>, j: usize| {
        let terms = row.iter().zip(b).filter(|(x, other)| !x.is_nothing() && !other[j].is_nothing());
        terms.fold(T::zero(), |sum, (x, other)| sum.plus(x.times(other[j])))
    };
    a.iter().map(|row| (0..columns).map(|j| entry(row, j)).collect()).collect()
}

/// The sum of matrices of one shape.
pub fn sum<T: Number>(a: &[Vec<T>], b: &[Vec<T>]) -> Rows<T> {
    let row = |(x, y): (&Vec<T>, &Vec<T>)| x.iter().zip(y).map(|(&x, &y)| x.plus(y)).collect();
    a.iter().zip(b).map(row).collect()
}

/// −A.
pub fn negative<T: Number>(a: &[Vec<T>]) -> Rows<T> {
    a.iter().map(|row| row.iter().map(|x| x.minus()).collect()).collect()
}

/// Aᵀ.
pub fn transposed<T: Number>(a: &[Vec<T>], columns: usize) -> Rows<T> {
    (0..columns).map(|j| a.iter().map(|row| row[j]).collect()).collect()
}

/// Some rows and columns.
pub fn part<T: Number>(a: &[Vec<T>], rows: &[usize], columns: &[usize]) -> Rows<T> {
    rows.iter().map(|&i| columns.iter().map(|&j| a[i][j]).collect()).collect()
}

/// A pivot smaller than this, relative to what its column was, is no pivot.
const SINGULAR: f64 = 1e-11;
/// A pivot may be so much smaller than the largest if its row is emptier.
const ENOUGH: f64 = 0.1;

/// The solution X of A X = B, rows scaled; `None` if A is singular at the state.
pub fn solve<T: Number>(mut a: Rows<T>, mut b: Rows<T>) -> Option<Rows<T>> {
    let n = a.len();
    let largest = |row: &Vec<T>| row.iter().fold(0.0_f64, |size, x| size.max(x.size()));
    let mut scale: Vec<f64> = a.iter().map(largest).collect();
    if scale.iter().any(|s| !s.is_finite()) {
        return None;
    }
    scale.iter_mut().filter(|s| **s == 0.0).for_each(|s| *s = 1.0);
    let columns: Vec<f64> =
        (0..n).map(|k| (0..n).fold(0.0_f64, |size, i| size.max(a[i][k].size() / scale[i]))).collect();
    for k in 0..n {
        let sizes: Vec<f64> = (k..n).map(|i| a[i][k].size() / scale[i]).collect();
        let best = sizes.iter().copied().fold(0.0, f64::max);
        if best.is_nan() || best <= SINGULAR * columns[k] {
            return None;
        }
        let filled = |i: usize| a[i].iter().chain(&b[i]).filter(|x| !x.is_nothing()).count();
        let good = (k..n).filter(|&i| sizes[i - k] >= ENOUGH * best);
        let pivot = good.min_by_key(|&i| filled(i))?;
        a.swap(k, pivot);
        b.swap(k, pivot);
        scale.swap(k, pivot);
        let head = a[k][k];
        let (above, of_b) = (a[k].clone(), b[k].clone());
        for i in 0..n {
            if i == k || a[i][k].is_nothing() {
                continue;
            }
            let factor = a[i][k].over(head).minus();
            let add = |row: &mut Vec<T>, other: &[T]| {
                for (x, y) in row.iter_mut().zip(other).filter(|(_, y)| !y.is_nothing()) {
                    *x = x.plus(factor.times(*y));
                }
            };
            add(&mut a[i], &above);
            a[i][k] = T::zero();
            add(&mut b[i], &of_b);
        }
    }
    let row = |k: usize| b[k].iter().map(|x| if x.is_nothing() { T::zero() } else { x.over(a[k][k]) }).collect();
    Some((0..n).map(row).collect())
}

/// The numbers alone.
pub fn floats(a: &[Vec<Weighed>]) -> Rows<f64> {
    a.iter().map(|row| row.iter().map(|x| x.value + 0.0).collect()).collect()
}

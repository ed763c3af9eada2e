//! What are the eigenvalues and eigenvectors of a real matrix?
//!
//! ```text
//! A → D⁻¹ A D            balanced: rows and columns of equal size, D of powers of two      (1)
//!   → Hessenberg         by elimination with pivots                                        (2)
//!   → λ                  shifted QR of Francis, two shifts at a time                       (3)
//! (A − λ) v = 0          by inverse iteration on the balanced matrix                       (4)
//! ```
//!
//! Source: Wilkinson and Reinsch, Handbook for Automatic Computation II (1971): balance, elmhes,
//! hqr.

#![allow(clippy::needless_range_loop, reason = "indices as in the source")]

use crate::matrix::Matrix;
use crate::tolerance::{BESIDE, EIGENVALUE, ENTRY, FAINT, ZERO_EIGENVALUE};

/// A complex number: real and imaginary part.
pub type Complex = [f64; 2];

/// The eigenvalues of a square matrix, the larger real parts last, pairs with the positive
/// imaginary part first; `None` if an entry is no number, or the iteration does not end.
///
/// ```
/// let values = linear::eigen::values([[0.0, 1.0], [-4.0, 0.0]]).unwrap();
/// assert!((values[0][1] - 2.0).abs() < 1e-15 && (values[1][1] + 2.0).abs() < 1e-15);
/// ```
pub fn values(matrix: impl Into<Matrix>) -> Option<Vec<Complex>> {
    Some(weighed(matrix)?.into_iter().map(|one| one.0).collect())
}

/// The eigenvalues, each with the size of the part of the matrix that it belongs to: what is much
/// smaller is rounding.
pub fn weighed(matrix: impl Into<Matrix>) -> Option<Vec<(Complex, f64)>> {
    let matrix: Matrix = matrix.into();
    assert!(matrix.is_square(), "eigenvalues of {} rows of {}", matrix.rows(), matrix.columns());
    if !matrix.is_finite() {
        return None;
    }
    let (a, _) = balanced(matrix);
    let mut found = Vec::with_capacity(a.rows());
    // A matrix that falls apart has the eigenvalues of its parts, exactly.
    for part in parts(&a) {
        let block = a.part(&part, &part);
        let size = block.largest();
        found.extend(spectrum(block)?.into_iter().map(|value| (value, size)));
    }
    found.sort_by(|(x, _), (y, _)| order(*x, *y));
    Some(found)
}

/// The larger real parts last, pairs with the positive imaginary part first.
pub(crate) fn order(x: Complex, y: Complex) -> std::cmp::Ordering {
    x[0].total_cmp(&y[0]).then(x[1].abs().total_cmp(&y[1].abs())).then(y[1].total_cmp(&x[1]))
}

/// (2) and (3) of a matrix that is balanced.
pub(crate) fn spectrum(mut block: Matrix) -> Option<Vec<Complex>> {
    hessenberg(&mut block);
    francis(block)
}

/// The eigenvalue without parts that are rounding, where `size` is that of its part of the matrix.
pub fn cleaned(value: Complex, size: f64) -> Complex {
    value.map(|x| if EIGENVALUE.hides(x, size) { 0.0 } else { x + 0.0 })
}

/// Is the eigenvalue zero? `size` is that of its part of the matrix.
pub fn is_zero(value: Complex, size: f64) -> bool {
    ZERO_EIGENVALUE.hides(value[0].hypot(value[1]), size)
}

/// A vector v of length one with (A − λ) v = 0, its largest entry real.
pub fn vector(matrix: impl Into<Matrix>, value: Complex) -> Option<Vec<Complex>> {
    let (a, scale) = balanced(matrix.into());
    let n = a.rows();
    let size = a.largest().max(f64::MIN_POSITIVE / FAINT.ratio());
    let shift = [value[0] + BESIDE.at(size), value[1]];
    let shifted: Vec<Vec<Complex>> = (0..n)
        .map(|i| {
            let entry = |j: usize| if i == j { [a[i][j] - shift[0], -shift[1]] } else { [a[i][j], 0.0] };
            (0..n).map(entry).collect()
        })
        .collect();
    let eliminated = Eliminated::of(shifted, size)?;
    let mut v: Vec<Complex> = (0..n).map(|k| [1.0 + 0.1 * k as f64, 0.0]).collect();
    for _ in 0..3 {
        v = eliminated.solved(v);
        let largest = v.iter().map(|x| x[0].hypot(x[1])).fold(0.0, f64::max);
        v.iter_mut().for_each(|x| *x = [x[0] / largest, x[1] / largest]);
    }
    v.iter_mut().zip(&scale).for_each(|(x, d)| *x = [x[0] * d, x[1] * d]);
    let largest = v.iter().copied().max_by(|x, y| x[0].hypot(x[1]).total_cmp(&y[0].hypot(y[1])))?;
    let length = v.iter().map(|x| x[0] * x[0] + x[1] * x[1]).sum::<f64>().sqrt();
    let turn = over([largest[0].hypot(largest[1]) / length, 0.0], largest);
    v.iter_mut().for_each(|x| *x = times(*x, turn));
    let clean = |x: f64| if ENTRY.hides(x, 1.0) { 0.0 } else { x };
    let v: Vec<Complex> = v.into_iter().map(|x| [clean(x[0]), clean(x[1])]).collect();
    v.iter().flatten().all(|x| x.is_finite()).then_some(v)
}

pub(crate) fn times(x: Complex, y: Complex) -> Complex {
    [x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]]
}

pub(crate) fn over(x: Complex, y: Complex) -> Complex {
    let square = y[0] * y[0] + y[1] * y[1];
    [(x[0] * y[0] + x[1] * y[1]) / square, (x[1] * y[0] - x[0] * y[1]) / square]
}

/// A matrix that Gauss's elimination has taken apart: its upper part, below it the factors, and which rows were exchanged.
struct Eliminated {
    a: Vec<Vec<Complex>>,
    pivots: Vec<usize>,
}

impl Eliminated {
    /// Takes a matrix apart; a pivot that vanishes counts as a very small one.
    fn of(mut a: Vec<Vec<Complex>>, size: f64) -> Option<Eliminated> {
        let n = a.len();
        let abs = |x: Complex| x[0].hypot(x[1]);
        let mut pivots = Vec::with_capacity(n);
        for k in 0..n {
            let pivot = (k..n).max_by(|&i, &j| abs(a[i][k]).total_cmp(&abs(a[j][k])))?;
            a.swap(k, pivot);
            pivots.push(pivot);
            if FAINT.hides(abs(a[k][k]), size) {
                a[k][k] = [FAINT.at(size), 0.0];
            }
            let (above, below) = a.split_at_mut(k + 1);
            let first = &above[k];
            for row in below {
                let factor = over(row[k], first[k]);
                row[k] = factor;
                if factor == [0.0, 0.0] {
                    continue;
                }
                for (entry, &by) in row[k + 1..].iter_mut().zip(&first[k + 1..]) {
                    let part = times(factor, by);
                    *entry = [entry[0] - part[0], entry[1] - part[1]];
                }
            }
        }
        Some(Eliminated { a, pivots })
    }

    /// The solution for a right-hand side.
    fn solved(&self, mut b: Vec<Complex>) -> Vec<Complex> {
        let n = b.len();
        // rows that were exchanged later took their factors along
        self.pivots.iter().enumerate().for_each(|(k, &pivot)| b.swap(k, pivot));
        for k in 0..n {
            for i in k + 1..n {
                let part = times(self.a[i][k], b[k]);
                b[i] = [b[i][0] - part[0], b[i][1] - part[1]];
            }
        }
        for k in (0..n).rev() {
            for j in k + 1..n {
                let part = times(self.a[k][j], b[j]);
                b[k] = [b[k][0] - part[0], b[k][1] - part[1]];
            }
            b[k] = over(b[k], self.a[k][k]);
        }
        b
    }
}

/// (1): the matrix, and D.
pub(crate) fn balanced(mut a: Matrix) -> (Matrix, Vec<f64>) {
    let n = a.rows();
    let mut scale = vec![1.0; n];
    for _ in 0..100 {
        let mut settled = true;
        for i in 0..n {
            let mut column: f64 = (0..n).filter(|&j| j != i).map(|j| a[j][i].abs()).sum();
            let row: f64 = (0..n).filter(|&j| j != i).map(|j| a[i][j].abs()).sum();
            if column == 0.0 || row == 0.0 {
                continue;
            }
            let (sum, mut f) = (column + row, 1.0);
            while column < row / 2.0 {
                (f, column) = (f * 2.0, column * 4.0);
            }
            while column > row * 2.0 {
                (f, column) = (f / 2.0, column / 4.0);
            }
            if (column + row) / f < 0.95 * sum {
                settled = false;
                scale[i] *= f;
                a[i].iter_mut().for_each(|x| *x /= f);
                (0..n).for_each(|j| a[j][i] *= f);
            }
        }
        if settled {
            break;
        }
    }
    (a, scale)
}

/// The strongly connected parts: states that reach each other.
pub(crate) fn parts(a: &Matrix) -> Vec<Vec<usize>> {
    let n = a.rows();
    let mut reaches: Vec<Vec<bool>> = (0..n).map(|i| (0..n).map(|j| i == j || a[i][j] != 0.0).collect()).collect();
    for k in 0..n {
        let through = reaches[k].clone();
        for row in &mut reaches {
            if row[k] {
                row.iter_mut().zip(&through).for_each(|(x, &more)| *x |= more);
            }
        }
    }
    let (mut taken, mut parts) = (vec![false; n], Vec::new());
    for i in 0..n {
        if !taken[i] {
            let part: Vec<usize> = (i..n).filter(|&j| reaches[i][j] && reaches[j][i]).collect();
            part.iter().for_each(|&j| taken[j] = true);
            parts.push(part);
        }
    }
    parts
}

/// (2)
fn hessenberg(a: &mut Matrix) {
    let n = a.rows();
    for m in 1..n.saturating_sub(1) {
        let pivot = (m..n).max_by(|&i, &j| a[i][m - 1].abs().total_cmp(&a[j][m - 1].abs())).unwrap_or(m);
        if a[pivot][m - 1] == 0.0 {
            continue;
        }
        a.swap_rows(pivot, m);
        (0..n).for_each(|i| a[i].swap(pivot, m));
        for i in m + 1..n {
            let y = a[i][m - 1] / a[m][m - 1];
            if y == 0.0 {
                continue;
            }
            for j in m - 1..n {
                a[i][j] -= y * a[m][j];
            }
            a[i][m - 1] = 0.0;
            for k in 0..n {
                a[k][m] += y * a[k][i];
            }
        }
    }
}

/// (3): `hqr` of the source, step by step. It is one function so that it can be read beside the
/// source. Long: a numerical kernel.
fn francis(mut a: Matrix) -> Option<Vec<Complex>> {
    let size = a.rows();
    let norm: f64 = (0..size).map(|i| (i.saturating_sub(1)..size).map(|j| a[i][j].abs()).sum::<f64>()).sum();
    let (mut found, mut shifted, mut tries) = (Vec::with_capacity(size), 0.0, 0);
    let mut end = size;
    while end > 0 {
        let n = end - 1;
        let small = |a: &Matrix, l: usize| {
            let s = a[l - 1][l - 1].abs() + a[l][l].abs();
            a[l][l - 1].abs() <= f64::EPSILON * if s == 0.0 { norm } else { s }
        };
        let l = (1..=n).rev().find(|&l| small(&a, l)).unwrap_or(0);
        let x = a[n][n];
        if l == n {
            found.push([x + shifted, 0.0]);
            (end, tries) = (end - 1, 0);
            continue;
        }
        let (y, w) = (a[n - 1][n - 1], a[n][n - 1] * a[n - 1][n]);
        if l + 1 == n {
            let p = 0.5 * (y - x);
            let q = p * p + w;
            let z = q.abs().sqrt();
            let x = x + shifted;
            if q >= 0.0 {
                let z = p + if p < 0.0 { -z } else { z };
                found.push([x + z, 0.0]);
                found.push([if z == 0.0 { x } else { x - w / z }, 0.0]);
            } else {
                found.extend([[x + p, z], [x + p, -z]]);
            }
            (end, tries) = (end - 2, 0);
            continue;
        }
        if tries == 90 {
            return None;
        }
        let (mut x, mut y, mut w) = (x, y, w);
        if tries % 10 == 9 {
            shifted += x;
            (0..=n).for_each(|i| a[i][i] -= x);
            let s = a[n][n - 1].abs() + a[n - 1][n - 2].abs();
            (x, y, w) = (0.75 * s, 0.75 * s, -0.4375 * s * s);
        }
        tries += 1;
        let (mut m, mut p, mut q, mut r) = (l, 0.0, 0.0, 0.0);
        for start in (l..=n - 2).rev() {
            let z = a[start][start];
            let (top, left) = (x - z, y - z);
            p = (top * left - w) / a[start + 1][start] + a[start][start + 1];
            q = a[start + 1][start + 1] - z - top - left;
            r = a[start + 2][start + 1];
            let s = p.abs() + q.abs() + r.abs();
            (p, q, r, m) = (p / s, q / s, r / s, start);
            if start == l {
                break;
            }
            let u = a[start][start - 1].abs() * (q.abs() + r.abs());
            let v = p.abs() * (a[start - 1][start - 1].abs() + z.abs() + a[start + 1][start + 1].abs());
            if u <= f64::EPSILON * v {
                break;
            }
        }
        for i in m + 2..=n {
            a[i][i - 2] = 0.0;
            if i > m + 2 {
                a[i][i - 3] = 0.0;
            }
        }
        let mut scale = 0.0;
        for k in m..n {
            if k != m {
                (p, q) = (a[k][k - 1], a[k + 1][k - 1]);
                r = if k + 1 == n { 0.0 } else { a[k + 2][k - 1] };
                scale = p.abs() + q.abs() + r.abs();
                if scale == 0.0 {
                    continue;
                }
                (p, q, r) = (p / scale, q / scale, r / scale);
            }
            let s = (p * p + q * q + r * r).sqrt() * if p < 0.0 { -1.0 } else { 1.0 };
            if s == 0.0 {
                continue;
            }
            if k != m {
                a[k][k - 1] = -s * scale;
            } else if l != m {
                a[k][k - 1] = -a[k][k - 1];
            }
            p += s;
            let (x, y, z) = (p / s, q / s, r / s);
            (q, r) = (q / p, r / p);
            for j in k..=n {
                let mut sum = a[k][j] + q * a[k + 1][j];
                if k + 1 != n {
                    sum += r * a[k + 2][j];
                    a[k + 2][j] -= sum * z;
                }
                a[k + 1][j] -= sum * y;
                a[k][j] -= sum * x;
            }
            for i in l..=n.min(k + 3) {
                let row = &mut a[i];
                let mut sum = x * row[k] + y * row[k + 1];
                if k + 1 != n {
                    sum += z * row[k + 2];
                    row[k + 2] -= sum * r;
                }
                row[k + 1] -= sum * q;
                row[k] -= sum;
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(matrix: impl Into<Matrix>, expected: &[Complex]) {
        let matrix: Matrix = matrix.into();
        let found = values(&matrix).unwrap();
        assert_eq!(found.len(), expected.len());
        for (x, y) in found.iter().zip(expected) {
            assert!((x[0] - y[0]).hypot(x[1] - y[1]) < 1e-12 * y[0].hypot(y[1]).max(1.0), "{found:?} {expected:?}");
        }
        for &value in &found {
            let v = vector(&matrix, value).unwrap();
            let size = matrix.largest();
            for (row, &own) in matrix.iter().zip(&v) {
                let sum = |part: usize| row.iter().zip(&v).map(|(a, x)| a * x[part]).sum::<f64>();
                let right = times(value, own);
                assert!((sum(0) - right[0]).hypot(sum(1) - right[1]) < 1e-11 * size, "{value:?} {v:?}");
            }
        }
    }

    /// The companion of Π (x − root).
    fn companion(coefficients: &[f64]) -> Matrix {
        let n = coefficients.len();
        let entry = |i: usize, j: usize| match (i, j) {
            (0, j) => -coefficients[j],
            (i, j) if i == j + 1 => 1.0,
            _ => 0.0,
        };
        Matrix::from_fn(n, n, entry)
    }

    #[test]
    fn known_spectra_are_found() {
        check([[2.0]], &[[2.0, 0.0]]);
        check([[0.0, 1.0], [-4.0, 0.0]], &[[0.0, 2.0], [0.0, -2.0]]);
        // (x − 1)(x − 2)(x − 3)(x² + 2x + 5)
        check(
            companion(&[-4.0, 4.0, -14.0, 43.0, -30.0]),
            &[[-1.0, 2.0], [-1.0, -2.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]],
        );
        // badly scaled
        check([[1.0, 1e8], [1e-8, 1.0]], &[[0.0, 0.0], [2.0, 0.0]]);
        // x⁸ = 1
        let mut unit = vec![0.0; 8];
        unit[7] = -1.0;
        let h = 0.5_f64.sqrt();
        check(
            companion(&unit),
            &[[-1.0, 0.0], [-h, h], [-h, -h], [0.0, 1.0], [0.0, -1.0], [h, h], [h, -h], [1.0, 0.0]],
        );
        // falls apart, with a zero
        check([[0.0, 1.0, 0.0], [-1.0, 0.0, 5.0], [0.0, 0.0, 0.0]], &[[0.0, 0.0], [0.0, 1.0], [0.0, -1.0]]);
    }

    #[test]
    fn a_zero_is_told_from_a_slow_motion() {
        // a pendulum of a microhertz beside one of a megahertz: each is judged by its own part
        let slow =
            Matrix::from([[0.0, 1.0, 0.0, 0.0], [-1e12, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, -1e-12, 0.0]]);
        let found = weighed(&slow).unwrap();
        assert!(found.iter().all(|&(value, size)| !is_zero(value, size)), "{found:?}");
        // x'' = 0: a zero that is double
        let free = weighed([[0.0, 1.0], [0.0, 0.0]]).unwrap();
        assert!(free.iter().all(|&(value, size)| is_zero(value, size)), "{free:?}");
        assert_eq!(cleaned([1e-15, -2.0], 1.0), [0.0, -2.0]);
    }

    #[test]
    fn what_is_no_number_has_no_spectrum() {
        assert_eq!(values([[f64::NAN]]), None);
        assert_eq!(values(Matrix::zeros(0, 0)), Some(Vec::new()));
    }
}

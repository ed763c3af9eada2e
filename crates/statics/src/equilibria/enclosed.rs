//! The signs of the stiffness at a place that is known to lie in a box, by intervals.
//!
//! ```text
//! [K  Aᵀ; A  0]                  has as many more directions up, and down, as A has rows, than K where A δq = 0     (1)
//! T = V [K Aᵀ; A 0] Vᵀ           V nearly its eigenvectors; Sylvester: the same signs                              (2)
//! Σ |T_ij|/√(|T_ii| |T_jj|) < 1  for j ≠ i: every sign is that of T_ii (Gershgorin)                                (3)
//! ```
//!
//! Whatever lies in the intervals, (3) proves that V is regular too. A sign that the intervals do not separate from zero
//! gives no answer. Real parts of eigenvalues have their signs from a function of Lyapunov's:
//!
//! ```text
//! E x' = F x,  x = (q, q'),  E = [1 0; 0 M],  F = [0 1; −K −C]                                                     (4)
//! Fᵀ X E + Eᵀ X F < 0            as many eigenvalues lie right of the imaginary axis as X has negative ones, and
//!                                none on it (Ostrowski and Schneider)                                              (5)
//! ```

use linear::jacobi::symmetric;
use linear::{Matrix, inverse, solve};
use numeric::{Interval, Real};

use super::inertia::Inertia;

/// Rows of intervals.
pub type Intervals = Vec<Vec<Interval>>;

/// (3) is asked with some room for rounding.
const ROOM: f64 = 0.9;
/// Eigenvalues of more freedoms are left to floats.
const MOST_FREEDOMS: usize = 6;

/// The signs of K where A δq = 0; coordinates that nothing depends on are `free`. `masses` are the natural sizes.
pub fn inertia(K: &Intervals, A: &Intervals, masses: &[f64], free: &[usize]) -> Option<Inertia> {
    let zero = Interval::point(0.0);
    let is_zero = |x: &Interval| *x == zero;
    let idle = |s: &usize| {
        K[*s].iter().all(is_zero) && K.iter().all(|row| is_zero(&row[*s])) && A.iter().all(|row| is_zero(&row[*s]))
    };
    if !free.iter().all(idle) {
        return None;
    }
    let kept: Vec<usize> = (0..K.len()).filter(|s| !free.contains(s)).collect();
    let (n, m) = (kept.len(), A.len());
    let size =
        |row: &Vec<Interval>| kept.iter().map(|&s| row[s].size() / masses[s].sqrt()).fold(f64::MIN_POSITIVE, f64::max);
    let scale: Vec<f64> = kept.iter().map(|&s| 1.0 / masses[s].sqrt()).collect();
    let scaled = |x: Interval, a: f64, b: f64| x.mul(Interval::point(a)).mul(Interval::point(b));
    let mut B: Intervals = vec![vec![zero; n + m]; n + m];
    for i in 0..n {
        for j in 0..n {
            // both are the same number
            let both = K[kept[i]][kept[j]].and(K[kept[j]][kept[i]]);
            B[i][j] = scaled(both, scale[i], scale[j]);
        }
    }
    let stiffest = B.iter().flatten().map(|x| x.size()).fold(0.0, f64::max);
    for (r, row) in A.iter().enumerate() {
        let unit = if stiffest > 0.0 { stiffest } else { 1.0 } / size(row);
        for (i, &s) in kept.iter().enumerate() {
            B[i][n + r] = scaled(row[s], scale[i], unit);
            B[n + r][i] = B[i][n + r];
        }
    }
    if B.iter().flatten().any(|x| x.is_empty() || !x.is_bounded()) {
        return None;
    }
    let (up, down) = signs(&B)?;
    let (up, down) = (up.checked_sub(m)?, down.checked_sub(m)?);
    Some(Inertia { up, flat: free.len(), down })
}

/// How many eigenvalues of a symmetric matrix are positive and how many negative, by (2) and (3).
fn signs(B: &Intervals) -> Option<(usize, usize)> {
    let V = symmetric(middle(B)).ok()?.vectors;
    let inner = |row: &[f64], column: &[Interval]| {
        row.iter().zip(column).fold(Interval::point(0.0), |sum, (v, x)| sum.add(Interval::point(*v).mul(*x)))
    };
    // B is symmetric: its rows are its columns
    let half: Intervals = V.iter().map(|v| B.iter().map(|row| inner(v, row)).collect()).collect();
    let T: Intervals = half.iter().map(|row| V.iter().map(|v| inner(v, row)).collect()).collect();
    let least: Vec<f64> = (0..T.len())
        .map(|i| if T[i][i].contains(0.0) { 0.0 } else { T[i][i].low.abs().min(T[i][i].high.abs()) })
        .collect();
    if least.iter().any(|x| x.is_nan() || *x <= 0.0) {
        return None;
    }
    let others = |i: usize| (0..T.len()).filter(move |&j| j != i);
    let leads = |i: usize| others(i).map(|j| T[i][j].size() / (least[i] * least[j]).sqrt()).sum::<f64>() < ROOM;
    let up = (0..T.len()).filter(|&i| T[i][i].low > 0.0).count();
    (0..T.len()).all(leads).then_some((up, T.len() - up))
}

/// How many eigenvalues of (4) have a positive real part if none has a real part of zero, by (5). X solves
/// AᵀP + PA = −1 for A = E⁻¹F and P = EᵀXE, nearly.
pub fn growing(M: &Intervals, C: &Intervals, K: &Intervals) -> Option<usize> {
    let n = K.len();
    if n == 0 || n > MOST_FREEDOMS {
        return None;
    }
    let (zero, one) = (Interval::point(0.0), Interval::point(1.0));
    let unit = |i: usize, j: usize| if i == j { one } else { zero };
    let minus = |x: Interval| zero.sub(x);
    let E: Intervals = table(2 * n, |i, j| match (i < n, j < n) {
        (false, false) => M[i - n][j - n],
        (true, true) => unit(i, j),
        _ => zero,
    });
    let F: Intervals = table(2 * n, |i, j| match (i < n, j < n) {
        (true, true) => zero,
        (true, false) => unit(i, j - n),
        (false, true) => minus(K[i - n][j]),
        (false, false) => minus(C[i - n][j - n]),
    });
    let inverse = inverse(middle(&E)).ok()?;
    let P = lyapunov(&inverse.times(&middle(&F)))?;
    let X = inverse.transposed().times(&P.times(&inverse));
    // exactly symmetric, as (5) wants it
    let X: Intervals = table(2 * n, |i, j| Interval::point(if i <= j { X[i][j] } else { X[j][i] }));
    let XE = product(&X, &E);
    let G = product(&table(2 * n, |i, j| F[j][i]), &XE);
    let fall: Intervals = table(2 * n, |i, j| G[i.min(j)][i.max(j)].add(G[i.max(j)][i.min(j)]));
    let all_fall = signs(&fall)? == (0, 2 * n);
    let (_, negative) = signs(&X)?;
    all_fall.then_some(negative)
}

fn table<T>(n: usize, entry: impl Fn(usize, usize) -> T) -> Vec<Vec<T>> {
    (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
}

fn middle(rows: &Intervals) -> Matrix {
    Matrix::from_fn(rows.len(), rows.len(), |i, j| rows[i][j].middle())
}

fn product(a: &Intervals, b: &Intervals) -> Intervals {
    table(a.len(), |i, j| (0..b.len()).fold(Interval::point(0.0), |sum, k| sum.add(a[i][k].mul(b[k][j]))))
}

/// P with AᵀP + PA = −1, nearly.
fn lyapunov(A: &Matrix) -> Option<Matrix> {
    let n = A.rows();
    // row (i, j): Σ A_ki P_kj + P_ik A_kj
    let entry = |row: usize, column: usize| {
        let ((i, j), (k, l)) = ((row / n, row % n), (column / n, column % n));
        (if l == j { A[k][i] } else { 0.0 }) + (if k == i { A[l][j] } else { 0.0 })
    };
    let right: Vec<f64> = (0..n * n).map(|row| if row / n == row % n { -1.0 } else { 0.0 }).collect();
    let found = solve(Matrix::from_fn(n * n, n * n, entry), &right).ok()?;
    Some(Matrix::new(n, n, found).symmetric_part())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(rows: &[&[f64]], radius: f64) -> Intervals {
        rows.iter().map(|row| row.iter().map(|&x| Interval::around(x, radius)).collect()).collect()
    }

    #[test]
    fn signs_that_intervals_separate_from_zero_are_counted() {
        let K = around(&[&[2.0, 1.0], &[1.0, -3.0]], 1e-6);
        assert_eq!(inertia(&K, &vec![], &[1.0, 1.0], &[]), Some(Inertia { up: 1, flat: 0, down: 1 }));
        // along the row that leaves (1, −1): 2 − 2 − 3 < 0
        let A = around(&[&[1.0, 1.0]], 1e-9);
        assert_eq!(inertia(&K, &A, &[1.0, 1.0], &[]), Some(Inertia { up: 0, flat: 0, down: 1 }));
        // along (1, 0): 2 > 0
        let A = around(&[&[0.0, 5.0]], 1e-9);
        assert_eq!(inertia(&K, &A, &[1.0, 1.0], &[]), Some(Inertia { up: 1, flat: 0, down: 0 }));
    }

    #[test]
    fn eigenvalues_right_of_the_axis_are_counted() {
        let of = |c: f64, k: f64| growing(&around(&[&[2.0]], 1e-9), &around(&[&[c]], 1e-9), &around(&[&[k]], 1e-9));
        assert_eq!((of(0.3, 5.0), of(-0.3, 5.0), of(0.3, -5.0)), (Some(0), Some(2), Some(1)));
        assert_eq!((of(0.0, 5.0), of(0.3, 0.0)), (None, None));
        // a follower force: C small, K not symmetric, so that the oscillation grows
        let (M, C) = (around(&[&[1.0, 0.0], &[0.0, 1.0]], 1e-9), around(&[&[0.01, 0.0], &[0.0, 0.01]], 1e-9));
        assert_eq!(growing(&M, &C, &around(&[&[3.0, 1.0], &[-1.0, 3.0]], 1e-9)), Some(2));
    }

    #[test]
    fn a_sign_that_they_do_not_separate_is_no_answer() {
        assert_eq!(inertia(&around(&[&[1e-9]], 1e-8), &vec![], &[1.0], &[]), None);
        let nearly = around(&[&[1.0, 1.0], &[1.0, 1.0 + 1e-9]], 1e-8);
        assert_eq!(inertia(&nearly, &vec![], &[1.0, 1.0], &[]), None);
    }
}

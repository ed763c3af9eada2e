//! How are small dense systems solved, with what is known about them?
//!
//! ```text
//! symmetric   M = L Lᵀ                                        elimination where a pivot is not positive
//! saddle      M a ± Aᵀ λ = b, A a = c:   (A M⁻¹ Aᵀ) λ = …     twice the symmetric solver
//! general     elimination with row pivots
//! least       Q R; if the rank is smaller, the smallest solution by eigenvectors of the normal matrix
//! ```
//!
//! Matrices are lists of rows in one slice.

/// A pivot smaller than this, relative to its diagonal entry or its column, is none.
const SINGULAR: f64 = 1e-13;

/// What a solver says of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solved {
    /// It has one solution.
    Unique,
    /// It has many; the smallest was taken.
    Smallest,
}

/// Factors a symmetric positive matrix in place: the lower triangle becomes L. False if it is not positive.
pub fn cholesky(matrix: &mut [f64], n: usize) -> bool {
    for j in 0..n {
        let before = matrix[j * n + j];
        let (head, rest) = matrix.split_at_mut((j + 1) * n);
        let row = &mut head[j * n..];
        let pivot = before - row[..j].iter().map(|x| x * x).sum::<f64>();
        if pivot.is_nan() || pivot <= SINGULAR * before.abs() {
            return false;
        }
        let pivot = pivot.sqrt();
        row[j] = pivot;
        let row = &row[..j];
        for below in rest.chunks_exact_mut(n) {
            let dot: f64 = below[..j].iter().zip(row).map(|(a, b)| a * b).sum();
            below[j] = (below[j] - dot) / pivot;
        }
    }
    true
}

/// Solves L x = b in place.
fn forward(factor: &[f64], n: usize, x: &mut [f64]) {
    for i in 0..n {
        let (done, rest) = x.split_at_mut(i);
        let dot: f64 = factor[i * n..i * n + i].iter().zip(done.iter()).map(|(a, b)| a * b).sum();
        rest[0] = (rest[0] - dot) / factor[i * n + i];
    }
}

/// Solves Lᵀ x = b in place.
fn backward(factor: &[f64], n: usize, x: &mut [f64]) {
    for i in (0..n).rev() {
        x[i] /= factor[i * n + i];
        let value = x[i];
        for (k, entry) in x[..i].iter_mut().enumerate() {
            *entry -= factor[i * n + k] * value;
        }
    }
}

/// Solves a general square system by elimination with row pivots; the solution takes the place of `right`.
pub fn eliminate(matrix: &mut [f64], right: &mut [f64]) -> bool {
    let n = right.len();
    for i in 0..n {
        let size = matrix[i * n..(i + 1) * n].iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        if !(size > 0.0 && size.is_finite()) {
            return false;
        }
        // a power of two, so that nothing is rounded
        let scale = 2.0_f64.powi(-(size.log2().floor() as i32));
        matrix[i * n..(i + 1) * n].iter_mut().for_each(|x| *x *= scale);
        right[i] *= scale;
    }
    let columns: Vec<f64> = (0..n)
        .map(|k| {
            let size = (0..n).fold(0.0_f64, |size, i| size.max(matrix[i * n + k].abs()));
            let scale = if size > 0.0 { 2.0_f64.powi(-(size.log2().floor() as i32)) } else { 1.0 };
            (0..n).for_each(|i| matrix[i * n + k] *= scale);
            scale
        })
        .collect();
    let sizes: Vec<f64> = (0..n).map(|k| (0..n).fold(0.0_f64, |size, i| size.max(matrix[i * n + k].abs()))).collect();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| matrix[i * n + k].abs().total_cmp(&matrix[j * n + k].abs())).unwrap_or(k);
        let size = matrix[pivot * n + k].abs();
        if size.is_nan() || size <= SINGULAR * sizes[k] {
            return false;
        }
        if pivot != k {
            (0..n).for_each(|j| matrix.swap(k * n + j, pivot * n + j));
            right.swap(k, pivot);
        }
        let (done, rest) = matrix.split_at_mut((k + 1) * n);
        let row = &done[k * n..];
        for (i, below) in rest.chunks_exact_mut(n).enumerate() {
            let factor = below[k] / row[k];
            if factor != 0.0 {
                below[k + 1..].iter_mut().zip(&row[k + 1..]).for_each(|(x, y)| *x -= factor * y);
                right[k + 1 + i] -= factor * right[k];
            }
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| matrix[k * n + j] * right[j]).sum();
        right[k] = (right[k] - known) / matrix[k * n + k];
    }
    right.iter_mut().zip(&columns).for_each(|(x, scale)| *x *= scale);
    right.iter().all(|x| x.is_finite())
}

/// Solves a symmetric system in place; `work` keeps a copy.
pub fn symmetric(matrix: &mut [f64], right: &mut [f64], work: &mut Vec<f64>) -> bool {
    let n = right.len();
    work.clear();
    work.extend_from_slice(matrix);
    if cholesky(work, n) {
        forward(work, n, right);
        backward(work, n, right);
        return right.iter().all(|x| x.is_finite());
    }
    eliminate(matrix, right)
}

/// Solves `[M, B; A, 0]` with M symmetric of size n and B = ±Aᵀ in place.
pub fn saddle(matrix: &mut [f64], right: &mut [f64], n: usize, work: &mut Vec<f64>) -> bool {
    let (size, m) = (right.len(), right.len() - n);
    let entry = |i: usize, j: usize| matrix[i * size + j];
    work.clear();
    work.resize(n * n + m * n + m * m, 0.0);
    let (factor, rest) = work.split_at_mut(n * n);
    let (spread, gram) = rest.split_at_mut(m * n);
    for i in 0..n {
        for j in 0..n {
            factor[i * n + j] = entry(i, j);
        }
    }
    if !cholesky(factor, n) {
        return eliminate(matrix, right);
    }
    // the sign of B against Aᵀ, and L⁻¹ Aᵀ, row by row of A
    let mut sign = 1.0;
    for i in 0..m {
        for j in 0..n {
            spread[i * n + j] = entry(n + i, j);
            if entry(j, n + i) != 0.0 && entry(j, n + i) == -entry(n + i, j) {
                sign = -1.0;
            }
        }
        forward(factor, n, &mut spread[i * n..(i + 1) * n]);
    }
    for i in 0..m {
        for j in 0..=i {
            let dot: f64 = (0..n).map(|k| spread[i * n + k] * spread[j * n + k]).sum();
            (gram[i * m + j], gram[j * m + i]) = (dot, dot);
        }
    }
    if !cholesky(gram, m) {
        return eliminate(matrix, right);
    }
    let (b, c) = right.split_at_mut(n);
    forward(factor, n, b);
    // A M⁻¹ Aᵀ (sign λ) = A M⁻¹ b − c
    for (i, c) in c.iter_mut().enumerate() {
        *c = (0..n).map(|k| spread[i * n + k] * b[k]).sum::<f64>() - *c;
    }
    forward(gram, m, c);
    backward(gram, m, c);
    for (k, b) in b.iter_mut().enumerate() {
        *b -= (0..m).map(|i| spread[i * n + k] * c[i]).sum::<f64>();
    }
    backward(factor, n, b);
    c.iter_mut().for_each(|x| *x *= sign);
    right.iter().all(|x| x.is_finite())
}

/// The solution of more equations than unknowns, which agree; the smallest in Σ weights x² where there are many.
pub fn least(matrix: &[f64], right: &[f64], weights: &[f64]) -> Option<(Vec<f64>, Solved)> {
    let (rows, m) = (right.len(), weights.len());
    if m == 0 {
        return Some((Vec::new(), Solved::Unique));
    }
    let scale: Vec<f64> = weights.iter().map(|w| if *w > 0.0 { w.sqrt().recip() } else { 1.0 }).collect();
    let entry = |i: usize, k: usize| matrix[i * m + k] * scale[k];
    let mut normal = vec![0.0; m * m];
    for k in 0..m {
        for l in 0..m {
            normal[k * m + l] = (0..rows).map(|i| entry(i, k) * entry(i, l)).sum();
        }
    }
    let gathered: Vec<f64> = (0..m).map(|k| (0..rows).map(|i| entry(i, k) * right[i]).sum()).collect();
    let (values, vectors) = eigen(normal, m);
    let largest = values.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    if !largest.is_finite() {
        return None;
    }
    let mut x = vec![0.0; m];
    let mut solved = Solved::Unique;
    for (k, &value) in values.iter().enumerate() {
        if value <= SINGULAR * largest {
            solved = Solved::Smallest;
            continue;
        }
        let part: f64 = (0..m).map(|i| vectors[i * m + k] * gathered[i]).sum::<f64>() / value;
        x.iter_mut().enumerate().for_each(|(i, x)| *x += part * vectors[i * m + k]);
    }
    // once more for what is left: the normal matrix squares the condition
    let left: Vec<f64> = (0..rows).map(|i| right[i] - (0..m).map(|k| entry(i, k) * x[k]).sum::<f64>()).collect();
    let gathered: Vec<f64> = (0..m).map(|k| (0..rows).map(|i| entry(i, k) * left[i]).sum()).collect();
    for (k, &value) in values.iter().enumerate() {
        if value > SINGULAR * largest {
            let part: f64 = (0..m).map(|i| vectors[i * m + k] * gathered[i]).sum::<f64>() / value;
            x.iter_mut().enumerate().for_each(|(i, x)| *x += part * vectors[i * m + k]);
        }
    }
    x.iter_mut().zip(&scale).for_each(|(x, s)| *x *= s);
    Some((x, solved))
}

/// Eigenvalues and eigenvectors (columns) of a symmetric matrix by Jacobi's rotations.
fn eigen(mut a: Vec<f64>, n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut v = vec![0.0; n * n];
    (0..n).for_each(|i| v[i * n + i] = 1.0);
    for _ in 0..60 {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i * n + j].powi(2)).sum();
        let diagonal: f64 = (0..n).map(|i| a[i * n + i].powi(2)).sum();
        if off <= 1e-32 * diagonal || !off.is_finite() {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if a[p * n + q] == 0.0 {
                    continue;
                }
                let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * a[p * n + q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let t = if theta == 0.0 { 1.0 } else { t };
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for k in 0..n {
                    let (x, y) = (a[k * n + p], a[k * n + q]);
                    (a[k * n + p], a[k * n + q]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..n {
                    let (x, y) = (a[p * n + k], a[q * n + k]);
                    (a[p * n + k], a[q * n + k]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..n {
                    let (x, y) = (v[k * n + p], v[k * n + q]);
                    (v[k * n + p], v[k * n + q]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
    }
    ((0..n).map(|i| a[i * n + i]).collect(), v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saddle_is_solved_like_any_matrix() {
        // M = [4 1; 1 3], A = [1 2]; change a sign in `saddle` and this fails
        for sign in [1.0, -1.0] {
            let matrix = vec![4.0, 1.0, sign, 1.0, 3.0, 2.0 * sign, 1.0, 2.0, 0.0];
            let (mut one, mut other) = (vec![1.0, 2.0, 3.0], vec![1.0, 2.0, 3.0]);
            assert!(saddle(&mut matrix.clone(), &mut one, 2, &mut Vec::new()));
            assert!(eliminate(&mut matrix.clone(), &mut other));
            assert!(one.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-14), "{one:?} {other:?}");
        }
        // a massless coordinate: M alone cannot be factored
        let mut right = vec![1.0, 2.0, 3.0];
        assert!(saddle(&mut [4.0, 0.0, 1.0, 0.0, 0.0, 2.0, 1.0, 2.0, 0.0], &mut right, 2, &mut Vec::new()));
        assert!((right[2] - 1.0).abs() < 1e-15 && (right[0]).abs() < 1e-15, "{right:?}");
    }

    #[test]
    fn equations_that_repeat_each_other_have_a_smallest_solution() {
        let (x, solved) = least(&[1.0, 1.0, 2.0, 2.0], &[4.0, 8.0], &[1.0, 1.0]).unwrap();
        assert_eq!(solved, Solved::Smallest);
        assert!((x[0] - 2.0).abs() < 1e-13 && (x[1] - 2.0).abs() < 1e-13, "{x:?}");
        // weights: Σ w x² under x₀ + x₁ = 4 is least at x₀ : x₁ = 1/w₀ : 1/w₁
        let (x, _) = least(&[1.0, 1.0], &[4.0], &[1.0, 3.0]).unwrap();
        assert!((x[0] - 3.0).abs() < 1e-12 && (x[1] - 1.0).abs() < 1e-12, "{x:?}");
        let (x, solved) = least(&[1.0, 0.0, 0.0, 2.0, 1.0, 2.0], &[3.0, 4.0, 7.0], &[1.0, 1.0]).unwrap();
        assert_eq!(solved, Solved::Unique);
        assert!((x[0] - 3.0).abs() < 1e-14 && (x[1] - 2.0).abs() < 1e-14, "{x:?}");
    }

    #[test]
    fn what_has_no_solution_is_not_solved() {
        assert!(!eliminate(&mut [1.0, 2.0, 2.0, 4.0], &mut [1.0, 2.0]));
        assert!(!symmetric(&mut [0.0], &mut [1.0], &mut Vec::new()));
        assert!(!symmetric(&mut [f64::NAN], &mut [1.0], &mut Vec::new()));
    }
}

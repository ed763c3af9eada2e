//! Small matrices of floats: what do they leave free, and are they definite?

/// Rows.
pub type Matrix = Vec<Vec<f64>>;

/// An orthonormal basis of the vectors that a matrix sends to zero; entries below `small` of their row are rounding.
pub fn null_space(rows: &[Vec<f64>], width: usize, small: f64) -> Matrix {
    let largest = |row: &[f64]| row.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    let scaled: Matrix = rows
        .iter()
        .filter(|row| largest(row) > 0.0)
        .map(|row| row.iter().map(|x| x / largest(row)).collect())
        .collect();
    kernel(scaled, width, small)
}

/// The same for rows that have their natural size: a row below `small` says nothing.
pub fn kernel(mut a: Matrix, width: usize, small: f64) -> Matrix {
    let mut pivots: Vec<usize> = Vec::new();
    for k in 0..a.len().min(width) {
        let open = |j: &usize| !pivots.contains(j);
        let places = (k..a.len()).flat_map(|i| (0..width).filter(open).map(move |j| (i, j)));
        let Some((i, j)) = places.max_by(|x, y| a[x.0][x.1].abs().total_cmp(&a[y.0][y.1].abs())) else { break };
        if a[i][j].abs() <= small || !a[i][j].is_finite() {
            break;
        }
        a.swap(k, i);
        let head = a[k].clone();
        for (place, row) in a.iter_mut().enumerate().filter(|(place, _)| *place != k) {
            let factor = row[j] / head[j];
            if factor != 0.0 {
                row.iter_mut().zip(&head).for_each(|(x, y)| *x -= factor * y);
                row[j] = 0.0;
            }
            let _ = place;
        }
        pivots.push(j);
    }
    let free = (0..width).filter(|j| !pivots.contains(j));
    let vector = |j: usize| {
        let mut vector = vec![0.0; width];
        vector[j] = 1.0;
        pivots.iter().enumerate().for_each(|(k, &other)| vector[other] = -a[k][j] / a[k][other]);
        vector
    };
    orthonormal(free.map(vector).collect())
}

/// The same span, orthonormal; what depends on others is left out.
pub fn orthonormal(vectors: Matrix) -> Matrix {
    let mut basis: Matrix = Vec::new();
    for mut vector in vectors {
        let before = length(&vector);
        for _ in 0..2 {
            for e in &basis {
                let part = dot(e, &vector);
                vector.iter_mut().zip(e).for_each(|(x, e)| *x -= part * e);
            }
        }
        let size = length(&vector);
        if size > 1e-9 * before && size > 0.0 {
            basis.push(vector.into_iter().map(|x| x / size).collect());
        }
    }
    basis
}

/// Σ a b.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// √(a·a).
pub fn length(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// L M Rᵀ for rows L and R.
pub fn between(left: &[Vec<f64>], matrix: &[Vec<f64>], right: &[Vec<f64>]) -> Matrix {
    let times = |v: &[f64]| -> Vec<f64> { matrix.iter().map(|row| dot(row, v)).collect() };
    let images: Matrix = right.iter().map(|v| times(v)).collect();
    left.iter().map(|l| images.iter().map(|image| dot(l, image)).collect()).collect()
}

/// A B⁻¹ … solves M X = B; nothing if M is singular.
pub fn solve(matrix: &[Vec<f64>], right: &[Vec<f64>]) -> Option<Matrix> {
    let (n, columns) = (matrix.len(), right.first().map_or(0, Vec::len));
    let flat: Vec<f64> = matrix.iter().flatten().copied().collect();
    let mut solution = vec![vec![0.0; columns]; n];
    for k in 0..columns {
        let mut column: Vec<f64> = right.iter().map(|row| row[k]).collect();
        if !numeric::linear::eliminate(&mut flat.clone(), &mut column) {
            return None;
        }
        solution.iter_mut().zip(&column).for_each(|(row, &x)| row[k] = x);
    }
    Some(solution)
}

/// The eigenvalues of the symmetric part, smallest first, with their vectors.
pub fn symmetric(matrix: &[Vec<f64>]) -> (Vec<f64>, Matrix) {
    let n = matrix.len();
    let mut a: Matrix = (0..n).map(|i| (0..n).map(|j| 0.5 * (matrix[i][j] + matrix[j][i])).collect()).collect();
    let mut v: Matrix = (0..n).map(|i| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect();
    for _ in 0..60 {
        let mut off = 0.0;
        for p in 0..n {
            for q in p + 1..n {
                off += a[p][q].abs();
                if a[p][q] == 0.0 {
                    continue;
                }
                let angle = 0.5 * (2.0 * a[p][q]).atan2(a[q][q] - a[p][p]);
                let (s, c) = angle.sin_cos();
                for row in a.iter_mut().chain(v.iter_mut()) {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
                let (of_p, of_q) = (a[p].clone(), a[q].clone());
                a[p] = of_p.iter().zip(&of_q).map(|(x, y)| c * x - s * y).collect();
                a[q] = of_p.iter().zip(&of_q).map(|(x, y)| s * x + c * y).collect();
            }
        }
        if off == 0.0 {
            break;
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| a[i][i].total_cmp(&a[j][j]));
    let vectors = order.iter().map(|&k| v.iter().map(|row| row[k]).collect()).collect();
    (order.iter().map(|&k| a[k][k]).collect(), vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_matrix_leaves_free() {
        let basis = null_space(&[vec![1.0, 2.0, 3.0], vec![2.0, 4.0, 6.0 + 1e-13]], 3, 1e-9);
        assert_eq!(basis.len(), 2);
        assert!(basis.iter().all(|v| dot(v, &[1.0, 2.0, 3.0]).abs() < 1e-12 && (length(v) - 1.0).abs() < 1e-14));
    }

    #[test]
    fn eigenvalues_of_a_symmetric_matrix() {
        let (values, vectors) = symmetric(&[vec![2.0, 1.0, 0.0], vec![1.0, 2.0, 0.0], vec![0.0, 0.0, -1.0]]);
        let expected = [-1.0, 1.0, 3.0];
        assert!(values.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-14), "{values:?}");
        assert!((vectors[0][2].abs() - 1.0).abs() < 1e-14 && (vectors[2][0] - vectors[2][1]).abs() < 1e-14);
    }
}

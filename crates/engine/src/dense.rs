//! What solves a dense system of linear equations in floating point?

/// A pivot smaller than this, relative to the largest entry of its column as given, is no pivot.
const SINGULAR: f64 = 1e-12;

/// Solves `matrix · x = right` by elimination, rows scaled first; there may be more rows than unknowns
/// if they agree. `None` if x is not determined.
pub fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let (rows, columns) = (matrix.len(), matrix.first().map_or(0, Vec::len));
    for (row, value) in matrix.iter_mut().zip(&mut right) {
        let size = row.iter().fold(0.0_f64, |size, entry| size.max(entry.abs()));
        if size > 0.0 && size.is_finite() {
            row.iter_mut().for_each(|entry| *entry /= size);
            *value /= size;
        }
    }
    // columns too: masses and lengths may differ by many powers of ten
    let widths: Vec<f64> = (0..columns)
        .map(|k| {
            let size = matrix.iter().fold(0.0_f64, |size, row| size.max(row[k].abs()));
            let width = if size > 0.0 && size.is_finite() { size } else { 1.0 };
            matrix.iter_mut().for_each(|row| row[k] /= width);
            width
        })
        .collect();
    let sizes: Vec<f64> =
        (0..columns).map(|k| matrix.iter().fold(0.0_f64, |size, row| size.max(row[k].abs()))).collect();
    for k in 0..columns {
        let pivot = (k..rows).max_by(|&i, &j| matrix[i][k].abs().total_cmp(&matrix[j][k].abs()))?;
        let size = matrix[pivot][k].abs();
        if !size.is_finite() || size <= SINGULAR * sizes[k] {
            return None;
        }
        matrix.swap(k, pivot);
        right.swap(k, pivot);
        let (done, rest) = matrix.split_at_mut(k + 1);
        let (row, above) = (&done[k], right[k]);
        for (below, value) in rest.iter_mut().zip(&mut right[k + 1..]) {
            let factor = below[k] / row[k];
            if factor != 0.0 {
                below[k..].iter_mut().zip(&row[k..]).for_each(|(entry, over)| *entry -= factor * over);
                *value -= factor * above;
            }
        }
    }
    let mut x = vec![0.0; columns];
    for k in (0..columns).rev() {
        let known: f64 = (k + 1..columns).map(|j| matrix[k][j] * x[j]).sum();
        x[k] = (right[k] - known) / matrix[k][k];
    }
    Some(x.iter().zip(&widths).map(|(x, width)| x / width).collect())
}

#[cfg(test)]
mod tests {
    use super::solve;

    #[test]
    fn solves_or_says_that_it_cannot() {
        let x = solve(vec![vec![0.0, 2.0], vec![1.0, 1.0], vec![1.0, 3.0]], vec![4.0, 5.0, 9.0]).unwrap();
        assert!((x[0] - 3.0).abs() < 1e-15 && (x[1] - 2.0).abs() < 1e-15, "{x:?}");
        assert_eq!(solve(vec![vec![1.0, 2.0], vec![2.0, 4.0]], vec![1.0, 2.0]), None);
        assert_eq!(solve(vec![vec![f64::NAN]], vec![1.0]), None);
    }
}

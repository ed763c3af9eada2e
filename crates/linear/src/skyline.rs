//! What is the shortest step onto sparse equations, where neighbours are joined?
//!
//! ```text
//! Δ = −Kᵀ (K Kᵀ)⁻¹ f        K Kᵀ = L Lᵀ, each row of it from its first entry on
//! ```

use crate::solve::Unsolved;
use crate::tolerance::RIDGE;
use crate::vector::dot;

/// A row by its entries: column and value.
pub type Row = Vec<(usize, f64)>;

/// The lower half of a symmetric matrix, each row from its first entry that is not zero up to the
/// diagonal: where neighbours are joined, little is stored and little is done.
#[derive(Clone, Debug, PartialEq)]
pub struct Skyline {
    first: Vec<usize>,
    rows: Vec<Vec<f64>>,
}

impl Skyline {
    /// K Kᵀ for rows K with columns below `columns`.
    pub fn gram(rows: &[Row], columns: usize) -> Skyline {
        let mut in_column: Vec<Row> = vec![Vec::new(); columns];
        let mut made = Skyline { first: Vec::with_capacity(rows.len()), rows: Vec::with_capacity(rows.len()) };
        for (place, row) in rows.iter().enumerate() {
            row.iter().for_each(|&(column, entry)| in_column[column].push((place, entry)));
            let start = row.iter().map(|(column, _)| in_column[*column][0].0).min().unwrap_or(place);
            let mut line = vec![0.0; place + 1 - start];
            for &(column, entry) in row {
                in_column[column].iter().for_each(|&(other, above)| line[other - start] += entry * above);
            }
            made.first.push(start);
            made.rows.push(line);
        }
        made
    }

    /// The diagonal.
    pub fn diagonal_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        self.rows.iter_mut().filter_map(|row| row.last_mut())
    }

    /// The solution of the system with this matrix, by Cholesky; an error with the row that is not
    /// positive.
    pub fn solve(self, right: &[f64]) -> Result<Vec<f64>, Unsolved> {
        let Skyline { first, mut rows } = self;
        let mut x = right.to_vec();
        for i in 0..rows.len() {
            let (done, rest) = rows.split_at_mut(i);
            let row = &mut rest[0];
            for j in first[i]..i {
                let from = first[i].max(first[j]);
                let shared = match from < j {
                    true => dot(&row[from - first[i]..j - first[i]], &done[j][from - first[j]..j - first[j]]),
                    false => 0.0,
                };
                row[j - first[i]] = (row[j - first[i]] - shared) / done[j][j - first[j]];
            }
            let (left, diagonal) = row.split_at_mut(i - first[i]);
            let square = diagonal[0] - dot(left, left);
            if square.is_nan() {
                return Err(Unsolved::NotFinite);
            }
            if square <= 0.0 {
                return Err(Unsolved::Singular { column: i, size: square / diagonal[0].abs().max(f64::MIN_POSITIVE) });
            }
            diagonal[0] = square.sqrt();
            x[i] = (x[i] - dot(left, &x[first[i]..i])) / diagonal[0];
        }
        for (i, row) in rows.iter().enumerate().rev() {
            let (left, diagonal) = row.split_at(i - first[i]);
            x[i] /= diagonal[0];
            let value = x[i];
            x[first[i]..i].iter_mut().zip(left).for_each(|(x, entry)| *x -= entry * value);
        }
        Ok(x)
    }
}

/// The shortest step Kᵀ (K Kᵀ)⁻¹ f; it is to be taken away. A little is added to the diagonal, in
/// proportion to the square of each row's natural size, so that rows that depend on others or
/// vanish do no harm.
pub fn shortest_step(f: &[f64], rows: &[Row], columns: usize, sizes: &[f64]) -> Result<Vec<f64>, Unsolved> {
    let mut matrix = Skyline::gram(rows, columns);
    for (entry, size) in matrix.diagonal_mut().zip(sizes) {
        let natural = entry.max(size * size);
        *entry += if natural > 0.0 { RIDGE.at(natural) } else { 1.0 };
    }
    let multipliers = matrix.solve(f)?;
    let mut step = vec![0.0; columns];
    for (row, multiplier) in rows.iter().zip(multipliers) {
        row.iter().for_each(|&(column, entry)| step[column] += entry * multiplier);
    }
    Ok(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skyline_solves_what_it_stands_for() {
        // K with rows (1, 2, 0, 0), (0, 1, 1, 0), (0, 0, 1, 3) and (1, 0, 0, 1), which closes the
        // ring
        let rows =
            [vec![(0, 1.0), (1, 2.0)], vec![(1, 1.0), (2, 1.0)], vec![(2, 1.0), (3, 3.0)], vec![(0, 1.0), (3, 1.0)]];
        let matrix = Skyline::gram(&rows, 4);
        assert_eq!(matrix.first, [0, 0, 1, 0]);
        assert_eq!(matrix.rows, [vec![5.0], vec![2.0, 2.0], vec![1.0, 10.0], vec![1.0, 0.0, 3.0, 2.0]]);
        let x = matrix.solve(&[13.0, 9.0, 44.0, 18.0]).unwrap();
        let expected = [1.0, 2.0, 3.0, 4.0];
        assert!(x.iter().zip(expected).all(|(x, expected)| (x - expected).abs() < 1e-12), "{x:?}");
        let twice = [vec![(0, 1.0)], vec![(0, 1.0)]];
        assert_eq!(Skyline::gram(&twice, 1).solve(&[1.0, 1.0]), Err(Unsolved::Singular { column: 1, size: 0.0 }));
    }

    #[test]
    fn rows_of_any_unit_are_met_and_dependent_ones_do_no_harm() {
        // x + y = 2, 1e-9 (x − y) = 0, the first again, and a row that vanishes
        let unit = 1e-9;
        let rows = [vec![(0, 1.0), (1, 1.0)], vec![(0, unit), (1, -unit)], vec![(0, 1.0), (1, 1.0)], vec![]];
        let f = [2.0, 0.5 * unit, 2.0, 0.0];
        let step = shortest_step(&f, &rows, 2, &[1.0, unit, 1.0, 1.0]).unwrap();
        assert!((step[0] - 1.25).abs() < 1e-6 && (step[1] - 0.75).abs() < 1e-6, "{step:?}");
        // a row that is rounding beside its size moves nothing
        let step = shortest_step(&[1.0, 1e-3], &[vec![(0, 1.0)], vec![(1, 1e-17)]], 2, &[1.0, 1.0]).unwrap();
        assert!((step[0] - 1.0).abs() < 1e-12 && step[1].abs() < 1e-6, "{step:?}");
        assert_eq!(shortest_step(&[f64::NAN], &[vec![(0, f64::NAN)]], 1, &[1.0]), Err(Unsolved::NotFinite));
    }
}

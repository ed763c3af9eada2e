//! Which columns of a sparse matrix are independent, taken in order, and what solves the system?
//!
//! Sparse elimination, column by column: a column that is not a combination of those before it gets
//! a pivot row.
//!
//! ```text
//! L y = a       for each column a, in order; its pivot is a large entry of y in a free row
//! ```

use crate::tolerance::{COLUMN, FAIR_ROW, PART};

/// A column by its entries: row and value.
pub type Column = Vec<(usize, f64)>;

/// The pivots of an elimination.
#[derive(Clone, Debug)]
pub struct Basis {
    /// What each row is divided by.
    sizes: Vec<f64>,
    pivots: Vec<Pivot>,
    /// Which rows have a pivot.
    pub pivoted: Vec<bool>,
}

#[derive(Clone, Debug)]
struct Pivot {
    row: usize,
    /// Its place in the order of columns.
    column: usize,
    value: f64,
    /// The multipliers of other rows.
    lower: Column,
    /// Entries in earlier pivots' rows, by pivot.
    upper: Column,
}

impl Basis {
    /// Eliminates columns in their order, where each row has a natural size; among rows of fair
    /// size those of small `order` get their pivots first.
    pub fn new(sizes: &[f64], columns: &[Column], order: &[usize]) -> Basis {
        let rows = sizes.len();
        let mut basis = Basis { sizes: sizes.to_vec(), pivots: Vec::new(), pivoted: vec![false; rows] };
        let mut work = vec![0.0; rows];
        for (place, column) in columns.iter().enumerate() {
            basis.add(place, column, order, &mut work);
            if basis.pivots.len() == rows {
                break;
            }
        }
        basis
    }

    fn add(&mut self, place: usize, column: &Column, order: &[usize], work: &mut [f64]) {
        work.fill(0.0);
        let mut size = 0.0f64;
        for &(row, value) in column {
            let value = value / self.sizes[row];
            work[row] += value;
            size = size.max(value.abs());
        }
        let mut upper = Vec::new();
        for (index, pivot) in self.pivots.iter().enumerate() {
            let top = work[pivot.row];
            if top != 0.0 {
                upper.push((index, top));
                pivot.lower.iter().for_each(|&(row, factor)| work[row] -= factor * top);
            }
        }
        let left = || (0..self.sizes.len()).filter(|&row| !self.pivoted[row] && work[row] != 0.0);
        let largest = left().map(|row| work[row].abs()).fold(0.0, f64::max);
        if COLUMN.hides(largest, size) || !(size.is_finite() && largest.is_finite()) {
            return;
        }
        let fair = left().filter(|&row| work[row].abs() >= FAIR_ROW * largest);
        let key = |&row: &usize| (order[row], std::cmp::Reverse((work[row].abs() / largest * 1e6) as u64));
        let Some(row) = fair.min_by_key(key) else { return };
        let value = work[row];
        let lower = left().filter(|&other| other != row).map(|other| (other, work[other] / value)).collect();
        self.pivoted[row] = true;
        self.pivots.push(Pivot { row, column: place, value, lower, upper });
    }

    /// The places of the independent columns.
    pub fn columns(&self) -> impl Iterator<Item = usize> {
        self.pivots.iter().map(|pivot| pivot.column)
    }

    /// The solution for the pivot columns: place in the order of columns, and value.
    pub fn solve(&self, right: &[f64]) -> Vec<(usize, f64)> {
        let mut work: Vec<f64> = right.iter().zip(&self.sizes).map(|(x, size)| x / size).collect();
        for pivot in &self.pivots {
            let top = work[pivot.row];
            pivot.lower.iter().for_each(|&(row, factor)| work[row] -= factor * top);
        }
        let mut tops: Vec<f64> = self.pivots.iter().map(|pivot| work[pivot.row]).collect();
        let mut solution = Vec::with_capacity(tops.len());
        for (index, pivot) in self.pivots.iter().enumerate().rev() {
            let value = tops[index] / pivot.value;
            pivot.upper.iter().for_each(|&(earlier, entry)| tops[earlier] -= entry * value);
            solution.push((pivot.column, value));
        }
        solution
    }

    /// The rows that a row without pivot is a combination of.
    pub fn combination(&self, row: usize) -> Vec<usize> {
        let rows = self.sizes.len();
        let mut weights = vec![0.0; rows];
        weights[row] = 1.0;
        for pivot in self.pivots.iter().rev() {
            weights[pivot.row] = -pivot.lower.iter().map(|&(other, factor)| factor * weights[other]).sum::<f64>();
        }
        let largest = weights.iter().fold(0.0f64, |largest, weight| largest.max(weight.abs()));
        (0..rows).filter(|&other| other != row && !PART.hides(weights[other], largest)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Basis;

    #[test]
    fn the_first_independent_columns_are_taken() {
        // Columns: e0, 2·e0, e0 + e1, e1.
        let columns = [vec![(0, 1.0)], vec![(0, 2.0)], vec![(0, 1.0), (1, 1.0)], vec![(1, 1.0)]];
        let basis = Basis::new(&[1.0; 3], &columns, &[0, 0, 0]);
        assert_eq!(basis.columns().collect::<Vec<_>>(), [0, 2]);
        let mut solution = basis.solve(&[5.0, 3.0, 0.0]);
        solution.sort_by_key(|entry| entry.0);
        assert_eq!(solution, [(0, 2.0), (2, 3.0)]);
    }

    #[test]
    fn a_dependent_row_names_its_parts() {
        // Rows: x, y, x + y.
        let columns = [vec![(0, 1.0), (2, 1.0)], vec![(1, 1.0), (2, 1.0)]];
        let basis = Basis::new(&[1.0; 3], &columns, &[0, 0, 1]);
        assert_eq!(basis.pivoted, [true, true, false]);
        assert_eq!(basis.combination(2), [0, 1]);
        // the same rows in another order: now the first is to blame, though its entries are larger
        let columns = [vec![(0, 2.0), (2, 1.0)], vec![(1, 1.0), (0, 2.0)]];
        assert_eq!(Basis::new(&[1.0; 3], &columns, &[1, 0, 0]).pivoted, [false, true, true]);
    }

    #[test]
    fn a_row_in_another_unit_counts_with_its_size() {
        // x + y = 3, and 1e-12 (x − y) = 1e-12: as it stands, rounding beside the first
        let unit = 1e-12;
        let columns = [vec![(0, 1.0), (1, unit)], vec![(0, 1.0), (1, -unit)]];
        assert_eq!(Basis::new(&[1.0, 1.0], &columns, &[0, 0]).columns().count(), 1);
        let mut solution = Basis::new(&[1.0, unit], &columns, &[0, 0]).solve(&[3.0, unit]);
        solution.sort_by_key(|entry| entry.0);
        assert_eq!(solution, [(0, 2.0), (1, 1.0)]);
    }
}

//! What is a matrix? Its numbers row by row in one list, with its shape.

use std::ops::{Index, IndexMut};

use crate::vector::{add, dot, largest};

/// A dense matrix. `a[i]` is row i, `a[i][j]` an entry; a matrix without rows keeps its width.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    entries: Vec<f64>,
}

impl Matrix {
    /// A matrix from its entries, row by row. Panics if they do not fill the shape.
    pub fn new(rows: usize, columns: usize, entries: Vec<f64>) -> Matrix {
        assert_eq!(entries.len(), rows * columns, "{rows} rows of {columns} entries");
        Matrix { rows, columns, entries }
    }

    /// Zeros.
    pub fn zeros(rows: usize, columns: usize) -> Matrix {
        Matrix::new(rows, columns, vec![0.0; rows * columns])
    }

    /// Ones on the diagonal.
    pub fn identity(n: usize) -> Matrix {
        Matrix::from_fn(n, n, |i, j| f64::from(i == j))
    }

    /// A matrix by a rule for its entries.
    pub fn from_fn(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> f64) -> Matrix {
        let entries = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).map(|(i, j)| entry(i, j)).collect();
        Matrix { rows, columns, entries }
    }

    /// Rows of a known width; there may be none. Panics if a row has another width.
    ///
    /// ```
    /// use linear::Matrix;
    /// let free = Matrix::of_width(3, Vec::<Vec<f64>>::new());
    /// assert_eq!((free.rows(), free.columns()), (0, 3));
    /// ```
    pub fn of_width<R: AsRef<[f64]>>(columns: usize, rows: impl IntoIterator<Item = R>) -> Matrix {
        let mut made = Matrix { rows: 0, columns, entries: Vec::new() };
        rows.into_iter().for_each(|row| made.push(row.as_ref()));
        made
    }

    /// Adds a row. Panics if it has another width.
    pub fn push(&mut self, row: &[f64]) {
        assert_eq!(row.len(), self.columns, "a row of {} entries", self.columns);
        self.entries.extend_from_slice(row);
        self.rows += 1;
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Are there as many rows as columns?
    pub fn is_square(&self) -> bool {
        self.rows == self.columns
    }

    /// Is there no entry?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All entries, row by row.
    pub fn entries(&self) -> &[f64] {
        &self.entries
    }

    /// All entries, row by row, to be changed.
    pub fn entries_mut(&mut self) -> &mut [f64] {
        &mut self.entries
    }

    /// The rows.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &[f64]> + ExactSizeIterator + Clone {
        (0..self.rows).map(|i| &self[i])
    }

    /// A column.
    pub fn column(&self, j: usize) -> Vec<f64> {
        self.iter().map(|row| row[j]).collect()
    }

    /// A list for each row.
    pub fn to_rows(&self) -> Vec<Vec<f64>> {
        self.iter().map(<[f64]>::to_vec).collect()
    }

    /// The largest absolute value; NaN if an entry is.
    pub fn largest(&self) -> f64 {
        largest(&self.entries)
    }

    /// Is every entry a number?
    pub fn is_finite(&self) -> bool {
        self.entries.iter().all(|x| x.is_finite())
    }

    /// Aᵀ.
    pub fn transposed(&self) -> Matrix {
        Matrix::from_fn(self.columns, self.rows, |i, j| self[j][i])
    }

    /// Some rows and columns, in this order.
    pub fn part(&self, rows: &[usize], columns: &[usize]) -> Matrix {
        Matrix::from_fn(rows.len(), columns.len(), |i, j| self[rows[i]][columns[j]])
    }

    /// A B. Panics if the shapes do not fit.
    pub fn times(&self, other: &Matrix) -> Matrix {
        assert_eq!(self.columns, other.rows, "shapes of a product");
        let mut made = Matrix::zeros(self.rows, other.columns);
        for i in 0..self.rows {
            for (k, &x) in self[i].iter().enumerate() {
                add(&mut made[i], x, &other[k]);
            }
        }
        made
    }

    /// A x.
    pub fn times_vector(&self, x: &[f64]) -> Vec<f64> {
        assert_eq!(self.columns, x.len(), "shapes of a product");
        self.iter().map(|row| dot(row, x)).collect()
    }

    /// A Aᵀ: the products of the rows with each other.
    pub fn gram(&self) -> Matrix {
        Matrix::from_fn(self.rows, self.rows, |i, j| dot(&self[i], &self[j]))
    }

    /// L A Rᵀ for rows L and R: the matrix as it acts between two lists of directions.
    pub fn between(&self, left: &Matrix, right: &Matrix) -> Matrix {
        let images: Vec<Vec<f64>> = right.iter().map(|r| self.times_vector(r)).collect();
        Matrix::from_fn(left.rows, right.rows, |i, j| dot(&left[i], &images[j]))
    }

    /// (A + Aᵀ)/2.
    pub fn symmetric_part(&self) -> Matrix {
        assert!(self.is_square(), "a symmetric part of {} rows of {}", self.rows, self.columns);
        Matrix::from_fn(self.rows, self.rows, |i, j| 0.5 * (self[i][j] + self[j][i]))
    }

    /// Exchanges two rows.
    pub fn swap_rows(&mut self, i: usize, k: usize) {
        if i != k {
            (0..self.columns).for_each(|j| self.entries.swap(i * self.columns + j, k * self.columns + j));
        }
    }

    /// Row i and row k, to read the one and change the other.
    pub(crate) fn pair(&mut self, read: usize, change: usize) -> (&[f64], &mut [f64]) {
        let n = self.columns;
        let (low, high) = (read.min(change), read.max(change));
        let (head, tail) = self.entries.split_at_mut(high * n);
        let (low, high) = (&mut head[low * n..(low + 1) * n], &mut tail[..n]);
        if read < change { (low, high) } else { (high, low) }
    }
}

impl Index<usize> for Matrix {
    type Output = [f64];

    fn index(&self, row: usize) -> &[f64] {
        &self.entries[row * self.columns..(row + 1) * self.columns]
    }
}

impl IndexMut<usize> for Matrix {
    fn index_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.entries[row * self.columns..(row + 1) * self.columns]
    }
}

impl From<&Matrix> for Matrix {
    fn from(matrix: &Matrix) -> Matrix {
        matrix.clone()
    }
}

impl<R: AsRef<[f64]>> From<&[R]> for Matrix {
    fn from(rows: &[R]) -> Matrix {
        Matrix::of_width(rows.first().map_or(0, |row| row.as_ref().len()), rows)
    }
}

impl<R: AsRef<[f64]>> From<&Vec<R>> for Matrix {
    fn from(rows: &Vec<R>) -> Matrix {
        Matrix::from(&rows[..])
    }
}

impl<R: AsRef<[f64]>> From<Vec<R>> for Matrix {
    fn from(rows: Vec<R>) -> Matrix {
        Matrix::from(&rows[..])
    }
}

impl<R: AsRef<[f64]>, const N: usize> From<&[R; N]> for Matrix {
    fn from(rows: &[R; N]) -> Matrix {
        Matrix::from(&rows[..])
    }
}

impl<const R: usize, const C: usize> From<[[f64; C]; R]> for Matrix {
    fn from(rows: [[f64; C]; R]) -> Matrix {
        Matrix::of_width(C, rows)
    }
}

#[cfg(test)]
mod tests {
    use super::Matrix;

    #[test]
    fn products_are_those_of_the_book() {
        let a = Matrix::from([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        let b = Matrix::from([[1.0, 0.0], [2.0, 1.0], [0.0, -1.0]]);
        assert_eq!(a.times(&b), Matrix::from([[5.0, -1.0], [14.0, -1.0]]));
        assert_eq!(a.times(&a.transposed()), a.gram());
        assert_eq!(a.times_vector(&[1.0, 1.0, 1.0]), [6.0, 15.0]);
        let metric = Matrix::from([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0], [2.0, 0.0, 1.0]]);
        assert_eq!(metric.between(&a, &a), a.times(&metric).times(&a.transposed()));
        assert_eq!(a.part(&[1, 0], &[2]), Matrix::from([[6.0], [3.0]]));
        assert_eq!(Matrix::from([[0.0, 2.0], [4.0, 1.0]]).symmetric_part(), Matrix::from([[0.0, 3.0], [3.0, 1.0]]));
    }

    #[test]
    fn shapes_without_entries_are_kept() {
        let thin = Matrix::of_width(0, [[0.0; 0]; 3]);
        assert_eq!((thin.rows(), thin.columns(), thin.iter().count()), (3, 0, 3));
        assert_eq!(thin.times(&Matrix::zeros(0, 2)), Matrix::zeros(3, 2));
        assert_eq!((thin.transposed().rows(), thin.transposed().columns()), (0, 3));
    }

    #[test]
    fn one_row_is_read_while_another_is_changed() {
        let mut a = Matrix::from([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
        for (read, change) in [(0, 2), (2, 0)] {
            let expected = (a[read].to_vec(), a[change].to_vec());
            let (head, row) = a.pair(read, change);
            assert_eq!((head.to_vec(), row.to_vec()), expected);
        }
        a.swap_rows(0, 2);
        assert_eq!(a.to_rows(), [[5.0, 6.0], [3.0, 4.0], [1.0, 2.0]]);
    }
}

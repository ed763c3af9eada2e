//! At which instant of a step do rows become dependent that are independent before?
//!
//! ```text
//! σ(θ)                                    the r-th singular value of the rows A(θ), r their rank        (1)
//! |σ(a) − σ(b)| ≤ ‖A(a) − A(b)‖           so no zero between a and b where
//! σ(a) + σ(b) > 3/2 ‖A(a) − A(b)‖                                                                       (2)
//! otherwise                               both halves, the first one first
//! n A(θ) z = 0                            n A ≈ 0, A z ≈ 0 there: by Newton's method, smooth unlike σ   (3)
//! ```
//!
//! The factor 3/2 leaves room for a path from A(a) to A(b) that is not straight.

use linear::Matrix;
use linear::jacobi::symmetric;
use linear::vector::{dot, length};

/// (2) is not looked at on shorter parts of a step.
const SHORTEST: f64 = 1e-9;
/// Rows are looked at so often on one step at most.
const MOST: usize = 400;

/// What is guarded: rows in their natural sizes, of this rank.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The rank that they have as a rule.
    pub rank: usize,
    /// How large each row has been.
    rows: Vec<f64>,
    /// The natural sizes of the columns.
    columns: Vec<f64>,
    /// How many more steps like the last one lead to a zero, if they go on as they do.
    pub ahead: Option<f64>,
    /// The least pivot at the end of the last step.
    pub pivot: f64,
}

/// A look at the rows.
struct Look {
    theta: f64,
    rows: Matrix,
    least: f64,
}

impl Guard {
    /// A guard of so many rows with columns of these sizes.
    pub fn new(rank: usize, rows: usize, columns: &[f64]) -> Guard {
        Guard { rank, rows: vec![0.0; rows], columns: columns.to_vec(), ahead: None, pivot: f64::NAN }
    }

    /// What it remembers of the steps so far.
    pub fn memory(&self) -> Vec<f64> {
        let ahead = [f64::from(u8::from(self.ahead.is_some())), self.ahead.unwrap_or_default(), self.pivot];
        self.rows.iter().copied().chain(ahead).collect()
    }

    /// Takes over what another remembers; nothing if it guards other rows.
    pub fn recall(&mut self, memory: &[f64]) -> Option<()> {
        let (rows, ahead) = memory.split_at_checked(self.rows.len())?;
        let &[is_ahead, ahead, pivot] = ahead else { return None };
        self.rows.copy_from_slice(rows);
        (self.ahead, self.pivot) = ((is_ahead != 0.0).then_some(ahead), pivot);
        Some(())
    }

    /// The natural sizes of the columns.
    pub fn columns(&self) -> &[f64] {
        &self.columns
    }

    /// Notes how large rows are.
    fn grow(&mut self, now: &Matrix) {
        for (size, row) in self.rows.iter_mut().zip(now.iter()) {
            let scaled: Vec<f64> = row.iter().zip(&self.columns).map(|(entry, width)| entry * width).collect();
            *size = size.max(length(&scaled));
        }
    }

    /// Rows in their natural sizes.
    pub fn scaled(&self, rows: &Matrix) -> Matrix {
        let of = |size: f64| if size > 0.0 { size } else { 1.0 };
        Matrix::from_fn(rows.rows(), rows.columns(), |i, j| rows[i][j] * self.columns[j] / of(self.rows[i]))
    }

    /// The first instant of a step, as a fraction of it, at which the rows lose their rank: to within `near` of their
    /// size. `ends` are the rows at both ends, `rows` those on the way.
    pub fn loses(&mut self, ends: [&Matrix; 2], near: f64, mut rows: impl FnMut(f64) -> Option<Matrix>) -> Option<f64> {
        ends.iter().for_each(|rows| self.grow(rows));
        let [first, last] = ends.map(|rows| self.scaled(rows));
        // pivots are cheaper than singular values, and are about as large
        let [before, after] = [&first, &last].map(|rows| least_pivot(rows, self.rank));
        self.ahead = (after < before).then(|| after / (before - after));
        self.pivot = after;
        if before + after > 4.0 * distance(&first, &last) {
            return None;
        }
        let mut looks = 0;
        let mut look = |theta: f64| {
            looks += 1;
            let rows = if theta == 1.0 { last.clone() } else { self.scaled(&rows(theta)?) };
            (looks <= MOST).then(|| Look { theta, least: self.least(&rows), rows })
        };
        let mut from = Look { theta: 0.0, least: self.least(&first), rows: first };
        let mut ends = vec![look(1.0)?];
        // a step that ends where they are lost shows no more than it did before
        if ends[0].least < 10.0 * near {
            return None;
        }
        while let Some(to) = ends.last() {
            let span = distance(&from.rows, &to.rows);
            if from.least + to.least > 1.5 * span && from.least.min(to.least) > near {
                from = ends.pop()?;
            } else if to.theta - from.theta < SHORTEST || (span < near && from.least.min(to.least) < near) {
                let first = 0.5 * (from.theta + to.theta);
                // where they are regained
                let (mut low, mut high) = (first, 1.0);
                for _ in 0..40 {
                    let middle = 0.5 * (low + high);
                    if look(middle)?.least < near { low = middle } else { high = middle }
                }
                // what is lost already is not lost on this step
                return (first > 1e-6).then(|| sharpened(0.5 * (first + high), near, &mut look));
            } else {
                ends.push(look(0.5 * (from.theta + to.theta))?);
            }
        }
        None
    }

    /// (1)
    pub fn least(&self, rows: &Matrix) -> f64 {
        let Ok(spectrum) = symmetric(rows.gram()) else { return f64::INFINITY };
        let place = spectrum.values.len().checked_sub(self.rank);
        place.map_or(0.0, |place| spectrum.values[place].max(0.0).sqrt())
    }
}

/// (3), from an instant that is this near.
fn sharpened(first: f64, near: f64, look: &mut dyn FnMut(f64) -> Option<Look>) -> f64 {
    let mut theta = first;
    for _ in 0..3 {
        let next = look(theta).and_then(|here| newton(&here, near, look));
        match next.filter(|next| (next - first).abs() < 1e-2 && (0.0..=1.0).contains(next)) {
            Some(next) => theta = next,
            None => return theta,
        }
    }
    theta
}

/// One step of (3): of all n and z those whose product changes fastest.
fn newton(here: &Look, near: f64, look: &mut dyn FnMut(f64) -> Option<Look>) -> Option<f64> {
    const APART: f64 = 1e-3;
    let (a, b) = ((here.theta - APART).max(0.0), (here.theta + APART).min(1.0));
    let (before, after) = (look(a)?.rows, look(b)?.rows);
    let A = &here.rows;
    let turn = Matrix::from_fn(A.rows(), A.columns(), |i, j| (after[i][j] - before[i][j]) / (b - a));
    let limit = (10.0 * near).max(1e-5);
    let null = |squares: Matrix| {
        let found = symmetric(squares).ok()?;
        let count = found.values.iter().filter(|value| **value < limit * limit).count();
        Some(Matrix::of_width(found.vectors.columns(), found.vectors.iter().take(count)))
    };
    let (N, K) = (null(A.gram())?, null(A.transposed().gram())?);
    let changes = turn.between(&N, &K);
    let fastest = symmetric(changes.gram()).ok()?;
    let c = fastest.vectors.iter().next_back()?.to_vec();
    let n = N.transposed().times_vector(&c);
    let z = K.transposed().times_vector(&changes.transposed().times_vector(&c));
    let of = |matrix: &Matrix| dot(&n, &matrix.times_vector(&z));
    let slope = of(&turn);
    (slope != 0.0).then(|| here.theta - of(A) / slope)
}

/// When c (T − t)ᵖ vanishes that has these values at three times, one after the other: T, within this time after the last.
pub fn vanishes([one, two, three]: [(f64, f64); 3], within: f64) -> Option<f64> {
    let falls = [(one.1 / two.1).ln(), (two.1 / three.1).ln()];
    let turn = |T: f64| {
        let nearer = [((T - one.0) / (T - two.0)).ln(), ((T - two.0) / (T - three.0)).ln()];
        falls[0] * nearer[1] - falls[1] * nearer[0]
    };
    let (mut low, mut high) = (three.0 + 1e-9 * within, three.0 + within);
    let (first, last) = (turn(low), turn(high));
    if first.is_nan() || last.is_nan() || first * last >= 0.0 {
        return None;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if turn(middle) * first > 0.0 { low = middle } else { high = middle }
    }
    Some(0.5 * (low + high))
}

/// ‖a − b‖, by all entries.
fn distance(a: &Matrix, b: &Matrix) -> f64 {
    let squares = a.entries().iter().zip(b.entries()).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f64>().sqrt()
}

/// The pivot of this number, by elimination with the largest pivots.
fn least_pivot(rows: &Matrix, rank: usize) -> f64 {
    let (width, height) = (rows.columns(), rows.rows());
    let mut a = rows.entries().to_vec();
    let mut least = f64::INFINITY;
    for k in 0..rank {
        let Some(largest) = (k * width..a.len()).max_by(|&x, &y| a[x].abs().total_cmp(&a[y].abs())) else { return 0.0 };
        let (i, j, pivot) = (largest / width, largest % width, a[largest]);
        if pivot == 0.0 || !pivot.is_finite() {
            return 0.0;
        }
        least = least.min(pivot.abs());
        (0..width).for_each(|column| a.swap(k * width + column, i * width + column));
        let (done, rest) = a.split_at_mut((k + 1) * width);
        let own = &done[k * width..];
        for row in rest.chunks_exact_mut(width).take(height) {
            let factor = row[j] / pivot;
            row.iter_mut().zip(own).for_each(|(entry, own)| *entry -= factor * own);
            row[j] = 0.0;
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::Guard;
    use linear::Matrix;

    /// Where the rows f(θ) lose this rank on a step.
    fn lost(rank: usize, f: impl Fn(f64) -> Vec<Vec<f64>>) -> Option<f64> {
        let rows = |theta: f64| Matrix::of_width(f(theta)[0].len(), f(theta));
        let (first, last) = (rows(0.0), rows(1.0));
        let mut guard = Guard::new(rank, first.rows(), &vec![1.0; first.columns()]);
        guard.loses([&first, &last], 1e-7, |theta| Some(rows(theta)))
    }

    #[test]
    fn a_row_that_vanishes_is_found_to_its_instant() {
        let found = lost(1, |s| vec![vec![(s - 0.3).sin(), 2.0 * (s - 0.3) * (1.0 + s)]]).unwrap();
        assert!((found - 0.3).abs() < 1e-9, "{found}");
    }

    #[test]
    fn two_rows_that_vanish_together_are_found_although_no_minor_changes_its_sign() {
        let found = lost(2, |s| vec![vec![s - 0.7, 0.0, 0.0], vec![0.0, 2.0 * (s - 0.7), 0.1 * (s - 0.7)]]).unwrap();
        assert!((found - 0.7).abs() < 1e-9, "{found}");
    }

    #[test]
    fn a_power_that_vanishes_is_seen_from_afar() {
        for p in [0.5, 1.5, 2.0, 3.0] {
            let at = |t: f64| (t, 3.0 * (2.0_f64 - t).powf(p));
            let found = super::vanishes([at(1.0), at(1.4), at(1.75)], 1.0).unwrap();
            assert!((found - 2.0).abs() < 1e-9, "{p}: {found}");
        }
    }

    #[test]
    fn a_near_miss_is_none() {
        for miss in [1e-1, 1e-3, 1e-5, 1e-6] {
            assert_eq!(lost(1, |s| vec![vec![s - 0.3, miss]]), None, "{miss}");
        }
    }

    #[test]
    fn a_minor_that_vanishes_is_none_while_another_does_not() {
        assert_eq!(lost(1, |s| vec![vec![(6.0 * s).cos(), (6.0 * s).sin()]]), None);
    }

    #[test]
    fn a_row_that_follows_from_others_is_no_loss() {
        let f = |s: f64| vec![vec![1.0, s, 0.0], vec![2.0, 2.0 * s, 0.0], vec![0.0, s - 0.5, 0.0]];
        let found = lost(2, f).unwrap();
        assert!((found - 0.5).abs() < 1e-9, "{found}");
        assert_eq!(lost(2, |s| vec![vec![1.0, s, 0.0], vec![2.0, 2.0 * s, 0.0], vec![0.0, 0.0, 1.0]]), None);
    }
}

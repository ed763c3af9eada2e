//! Where exactly do rows touch? Newton's method finds a double root to half of the digits only.
//!
//! ```text
//! f(x) = 0,   J(x) v = 0        v: the direction in which the rows have no slope at the root
//! ```
//!
//! Both hold at a double root (v is found anew at each step), and together they have a regular one: x² − 2x + 1 = 0 has a slope of its own, 2x − 2. What stays
//! unsure beyond that (a root of higher multiplicity) is told.

use linear::{jacobi, least::least, tolerance::LEAST};

use super::solve::{Part, Solver};

/// Slopes below this, against the terms of their row, leave half of the digits open.
const FLAT: f64 = 3e-5;
/// Slopes of rows that touch are below this in the end.
const TOUCHES: f64 = 1e-11;
/// Larger parts are not looked at: a start of so many coupled unknowns was found by regular rows.
const LARGEST: usize = 40;
/// Steps in which slopes are differenced, against the size of an unknown.
const STEP: f64 = 1e-4;

impl Solver<'_> {
    /// Sharpens a root that was found where the kept rows have a slope; remembers the unknowns that stay vague.
    pub(super) fn touch(&mut self, part: &Part, solved: &[usize], kept: &[bool]) {
        let old: Vec<f64> = solved.iter().map(|&place| self.state[place]).collect();
        let Some(frame) = Frame::of(self, part, solved, kept) else { return };
        let Some((least, flat)) = frame.flattest(self, part) else { return };
        if least >= FLAT {
            return;
        }
        let is_sharp = (0..8).any(|_| frame.improved(self, part));
        if is_sharp && self.holds(part, kept) && frame.flattest(self, part).is_some_and(|end| end.0 <= TOUCHES) {
            return;
        }
        solved.iter().zip(&old).for_each(|(&place, &old)| self.put(place, old));
        self.run(part);
        let largest = linear::vector::largest(&flat);
        let is_flat = |at: &usize| flat[*at].abs() > 1e-3 * largest;
        (0..solved.len()).filter(is_flat).for_each(|at| self.vague[solved[at]] = true);
    }
}

/// The rows and unknowns with their sizes.
struct Frame<'a> {
    solved: &'a [usize],
    rows: Vec<usize>,
    /// The size of the terms of each row.
    sizes: Vec<f64>,
    /// How large each unknown is by nature.
    lengths: Vec<f64>,
}

impl<'a> Frame<'a> {
    fn of(solver: &Solver<'_>, part: &Part, solved: &'a [usize], kept: &[bool]) -> Option<Frame<'a>> {
        let rows: Vec<usize> = (0..kept.len()).filter(|&row| kept[row]).collect();
        let sizes = solver.sizes(part);
        let sizes: Vec<f64> = rows.iter().map(|&row| sizes[row]).collect();
        let largest = solved.iter().fold(0.0_f64, |most, &place| most.max(solver.state[place].abs()));
        let length = |&place: &usize| match solver.state[place].abs() {
            0.0 if largest == 0.0 => 1.0,
            x => x.max(1e-3 * largest),
        };
        let is_fit = !solved.is_empty() && solved.len() <= LARGEST && sizes.iter().all(|size| *size > 0.0);
        is_fit.then(|| Frame { solved, rows, sizes, lengths: solved.iter().map(length).collect() })
    }

    /// The slopes of the rows, all against sizes.
    fn slopes(&self, solver: &mut Solver<'_>, part: &Part) -> Vec<Vec<f64>> {
        let dense = |row: &usize| solver.slopes(part, *row, self.solved);
        let slopes: Vec<Vec<f64>> = self.rows.iter().map(dense).collect();
        let scaled = |(row, size): (Vec<f64>, &f64)| -> Vec<f64> {
            row.iter().zip(&self.lengths).map(|(slope, length)| slope * length / size).collect()
        };
        slopes.into_iter().zip(&self.sizes).map(scaled).collect()
    }

    /// The direction in which the rows are flattest, and their slope there.
    fn flattest(&self, solver: &mut Solver<'_>, part: &Part) -> Option<(f64, Vec<f64>)> {
        let slopes = self.slopes(solver, part);
        let square = |i: usize, j: usize| slopes.iter().map(|row| row[i] * row[j]).sum();
        let n = self.solved.len();
        let flat = jacobi::symmetric(linear::Matrix::from_fn(n, n, square)).ok()?.vectors[0].to_vec();
        let along: Vec<f64> = slopes.iter().map(|row| linear::vector::dot(row, &flat)).collect();
        Some((linear::vector::length(&along), flat))
    }

    fn along(&self, solver: &mut Solver<'_>, part: &Part, flat: &[f64]) -> Vec<f64> {
        self.slopes(solver, part).iter().map(|row| linear::vector::dot(row, flat)).collect()
    }

    /// Moves an unknown by a part of its length.
    fn moved(&self, solver: &mut Solver<'_>, part: &Part, at: usize, share: f64) {
        let place = self.solved[at];
        solver.put(place, solver.state[place] + share * self.lengths[at]);
        solver.run(part);
    }

    /// One step of Newton's method on rows and slopes together; whether it was as small as rounding.
    fn improved(&self, solver: &mut Solver<'_>, part: &Part) -> bool {
        let n = self.solved.len();
        let Some((_, flat)) = self.flattest(solver, part) else { return false };
        let mut matrix = self.slopes(solver, part);
        let values = self.rows.iter().zip(&self.sizes).map(|(&row, size)| -solver.output(part, row) / size);
        let mut right: Vec<f64> = values.collect();
        right.extend(self.along(solver, part, &flat).iter().map(|slope| -slope));
        let mut bends = vec![vec![0.0; n]; self.rows.len()];
        for at in 0..n {
            let here = solver.state[self.solved[at]];
            self.moved(solver, part, at, STEP);
            let ahead = self.along(solver, part, &flat);
            self.moved(solver, part, at, -2.0 * STEP);
            let behind = self.along(solver, part, &flat);
            solver.put(self.solved[at], here);
            solver.run(part);
            bends.iter_mut().zip(ahead.iter().zip(&behind)).for_each(|(row, (a, b))| row[at] = (a - b) / (2.0 * STEP));
        }
        matrix.extend(bends);
        let Ok((step, _)) = least(&matrix.concat(), &right, &vec![1.0; n], LEAST) else { return false };
        (0..n).for_each(|at| self.moved(solver, part, at, step[at]));
        linear::vector::largest(&step) < 1e-14
    }
}

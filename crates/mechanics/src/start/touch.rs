//! Where exactly do rows touch? Newton's method finds a double root to half of the digits only.
//!
//! ```text
//! f(x) = 0,   uᵀ J(x) v = 0        v: the direction without slope at the root, u: the rows that lose it
//! ```
//!
//! Both hold at a double root (u and v are found anew at each step), and together they have a regular one: x² − 2x + 1 = 0 has a slope of its own, 2x − 2. What stays
//! unsure beyond that (a root of higher multiplicity) is told.

use linear::vector::dot;
use linear::{Matrix, jacobi, least::least, tolerance::LEAST};

use super::solve::{Part, Solver, relative};

/// Slopes below this, against the terms of their row, leave half of the digits open.
const FLAT: f64 = 3e-5;
/// Slopes below this leave more than the last digits open.
const VAGUE: f64 = 1e-6;
/// What is left of rows that touch, against their terms, is rounding: two roots side by side leave more between them.
const ROUNDING: f64 = 1e-15;
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
        let Some(Flattest { v: flat, slope, .. }) = frame.flattest(self, part).filter(|flat| flat.slope.abs() < FLAT)
        else {
            return;
        };
        let is_sharp = (0..8).any(|_| frame.improved(self, part));
        let touches = |end: Flattest| end.slope.abs() <= TOUCHES;
        if is_sharp && frame.holds(self, part) && frame.flattest(self, part).is_some_and(touches) {
            return;
        }
        solved.iter().zip(&old).for_each(|(&place, &old)| self.put(place, old));
        self.run(part);
        let largest = linear::vector::largest(&flat);
        let is_flat = |at: &usize| slope.abs() < VAGUE && flat[*at].abs() > 1e-3 * largest;
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
    fn of(solver: &mut Solver<'_>, part: &Part, solved: &'a [usize], kept: &[bool]) -> Option<Frame<'a>> {
        let rows: Vec<usize> = (0..kept.len()).filter(|&row| kept[row]).collect();
        let sizes = solver.felt(part);
        let sizes: Vec<f64> = rows.iter().map(|&row| sizes[row]).collect();
        let largest = solved.iter().fold(0.0_f64, |most, &place| most.max(solver.state[place].abs()));
        let length = |&place: &usize| match solver.state[place].abs() {
            0.0 if largest == 0.0 => 1.0,
            x => x.max(1e-3 * largest),
        };
        let is_fit = !solved.is_empty() && solved.len() <= LARGEST && sizes.iter().all(|size| *size > 0.0);
        is_fit.then(|| Frame { solved, rows, sizes, lengths: solved.iter().map(length).collect() })
    }

    /// Whether what is left of the rows is rounding.
    fn holds(&self, solver: &mut Solver<'_>, part: &Part) -> bool {
        let felt = solver.felt(part);
        self.rows.iter().all(|&row| relative(solver.output(part, row), felt[row]) <= ROUNDING)
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

    /// What the rows have least: u, v and uᵀ J v.
    fn flattest(&self, solver: &mut Solver<'_>, part: &Part) -> Option<Flattest> {
        let slopes = Matrix::of_width(self.solved.len(), self.slopes(solver, part));
        let least = |square: Matrix| Some(jacobi::symmetric(square).ok()?.vectors[0].to_vec());
        let (u, v) = (least(slopes.gram())?, least(slopes.transposed().gram())?);
        Some(Flattest { slope: dot(&u, &slopes.times_vector(&v)), u, v })
    }

    /// uᵀ J v here.
    fn along(&self, solver: &mut Solver<'_>, part: &Part, flat: &Flattest) -> f64 {
        self.slopes(solver, part).iter().zip(&flat.u).map(|(row, u)| u * dot(row, &flat.v)).sum()
    }

    /// Moves an unknown by a part of its length.
    fn moved(&self, solver: &mut Solver<'_>, part: &Part, at: usize, share: f64) {
        let place = self.solved[at];
        solver.put(place, solver.state[place] + share * self.lengths[at]);
        solver.run(part);
    }

    /// One step of Newton's method on rows and slope together; whether it was as small as rounding.
    fn improved(&self, solver: &mut Solver<'_>, part: &Part) -> bool {
        let n = self.solved.len();
        let Some(flat) = self.flattest(solver, part) else { return false };
        let mut matrix = self.slopes(solver, part).concat();
        let values = self.rows.iter().zip(&self.sizes).map(|(&row, size)| -solver.output(part, row) / size);
        let right: Vec<f64> = values.chain([-flat.slope]).collect();
        for at in 0..n {
            let here = solver.state[self.solved[at]];
            self.moved(solver, part, at, STEP);
            let ahead = self.along(solver, part, &flat);
            self.moved(solver, part, at, -2.0 * STEP);
            let behind = self.along(solver, part, &flat);
            solver.put(self.solved[at], here);
            solver.run(part);
            matrix.push((ahead - behind) / (2.0 * STEP));
        }
        let Ok((step, _)) = least(&matrix, &right, &vec![1.0; n], LEAST) else { return false };
        (0..n).for_each(|at| self.moved(solver, part, at, step[at]));
        linear::vector::largest(&step) < 1e-14
    }
}

/// Where the rows have the smallest slope: along v, in the combination u of rows.
struct Flattest {
    slope: f64,
    u: Vec<f64>,
    v: Vec<f64>,
}

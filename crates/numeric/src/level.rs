//! How is a state brought back to a level that it has left by the errors of steps?
//!
//! ```text
//! [M Jᵀ; J 0] (δ, μ) = (0, −r)      y ← y + δ, until r is rounding              (1)
//! ```

use std::ops::Range;

use expr::Expr;

use crate::problem::{Level, Problem};
use crate::real::Measured;
use crate::tape::{Switches, Tape, Unbound};

/// A level is met when every row is smaller than this, relative to its terms.
const MET: f64 = 4.0 * f64::EPSILON;

/// A level with room for its numbers.
pub struct Ready {
    /// Rows, slopes, metric.
    tape: Tape,
    memory: Vec<Measured>,
    /// The part of the state that is moved.
    moved: Range<usize>,
    /// The slopes of the rows at the state that was looked at, and the rows relative to their natural sizes.
    slopes: Vec<f64>,
    relative: Vec<f64>,
    matrix: Vec<f64>,
    right: Vec<f64>,
    work: Vec<f64>,
}

/// A row relative to its terms.
fn relative(row: Measured) -> f64 {
    if row.value == 0.0 { 0.0 } else { row.value.abs() / row.size.max(f64::MIN_POSITIVE) }
}

impl Ready {
    /// Makes a level ready.
    pub fn new(problem: &Problem, level: &Level) -> Result<Ready, Unbound> {
        let mut inputs = vec![problem.time];
        inputs.extend(&problem.state);
        let flat = |matrix: &[Vec<Expr>]| matrix.iter().flatten().copied().collect::<Vec<Expr>>();
        let stages = [level.rows.clone(), flat(&level.slopes), flat(&level.metric)];
        let tape = Tape::new(&inputs, &problem.fixed, &problem.defined, &stages)?;
        let (memory, moved) = (tape.memory(), level.moved.clone());
        let [slopes, relative, matrix, right, work] = [const { Vec::new() }; 5];
        Ok(Ready { tape, memory, moved, slopes, relative, matrix, right, work })
    }

    /// The rows at a state relative to their natural sizes.
    pub fn look(&mut self, t: f64, y: &[f64], sizes: &[f64]) -> &[f64] {
        let Ready { tape, memory, moved, slopes, relative: found, .. } = self;
        let put = |value: f64| Measured { value, size: value.abs() };
        tape.put(memory, 0, put(t));
        (1..).zip(y).for_each(|(k, &value)| tape.put(memory, k, put(value)));
        tape.run(0, Switches::Free, memory);
        tape.run(1, Switches::Free, memory);
        slopes.clear();
        slopes.extend(tape.outputs(1).iter().map(|&slot| memory[slot as usize].value));
        let (n, sizes) = (moved.len(), &sizes[moved.clone()]);
        let of = |(&slot, slopes): (&u32, &[f64])| {
            let row = memory[slot as usize];
            let natural: f64 = slopes.iter().zip(sizes).map(|(slope, size)| slope.abs() * size).sum();
            relative(Measured { value: row.value, size: row.size.max(natural) })
        };
        found.clear();
        found.extend(tape.outputs(0).iter().zip(slopes.chunks_exact(n.max(1))).map(of));
        found
    }

    /// The largest row where the level was looked at, relative to its natural size.
    fn worst(&self) -> f64 {
        self.relative.iter().fold(0.0_f64, |worst, &row| if row.is_nan() { row } else { worst.max(row) })
    }

    /// Brings a state of these natural sizes to the level. False if it could not be met.
    pub fn project(&mut self, t: f64, y: &mut [f64], sizes: &[f64]) -> bool {
        const MOST: usize = 8;
        const CLOSE: f64 = 1e-12;
        self.look(t, y, sizes);
        for _ in 0..MOST {
            let before = self.worst();
            if before.is_nan() || before <= MET {
                return before <= MET;
            }
            if !self.solve() {
                return false;
            }
            let old: Vec<f64> = y[self.moved.clone()].to_vec();
            y[self.moved.clone()].iter_mut().zip(&self.right).for_each(|(y, step)| *y += step);
            self.look(t, y, sizes);
            let now = self.worst();
            if now.is_nan() || now >= before {
                // as good as rounding allows
                y[self.moved.clone()].copy_from_slice(&old);
                return before < CLOSE;
            }
        }
        self.worst() < CLOSE
    }

    /// (1), where the level was looked at; the step is at the beginning of `right`. False if there is none.
    fn solve(&mut self) -> bool {
        let Ready { tape, memory, moved, slopes, matrix, right, work, .. } = self;
        tape.run(2, Switches::Free, memory);
        let (n, m) = (moved.len(), tape.outputs(0).len());
        let size = n + m;
        matrix.clear();
        matrix.resize(size * size, 0.0);
        right.clear();
        right.resize(size, 0.0);
        for (k, &slot) in tape.outputs(2).iter().enumerate() {
            matrix[k / n * size + k % n] = memory[slot as usize].value;
        }
        for (i, &slot) in tape.outputs(0).iter().enumerate() {
            right[n + i] = -memory[slot as usize].value;
            for j in 0..n {
                matrix[(n + i) * size + j] = slopes[i * n + j];
                matrix[j * size + n + i] = slopes[i * n + j];
            }
        }
        matrix.iter().all(|x| x.is_finite()) && linear::saddle::saddle(matrix, right, n, work).is_ok()
    }
}

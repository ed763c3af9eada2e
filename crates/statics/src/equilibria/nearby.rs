//! The motion near an equilibrium: its masses, damping, stiffness and rows, in floats and in intervals.

use expr::Expr;
use linear::Matrix;
use numeric::{Interval, Real, Slope, Switches, Tangent, Tape};

use super::enclosed::{self, Intervals};
use super::inertia::Inertia;
use super::program::Program;
use super::search::somewhere;
use super::set::Point;
use super::statics::Statics;
use engine::Loaded;

/// Derivatives along so many directions at once.
const LANES: usize = 8;
/// What a coordinate moves at a place is nothing, as at a pole, if it moves so much more a little beside it. Scale: the
/// mass there.
const VANISHING: f64 = 1e-18;
/// How far beside. Scale: that of each unknown.
const BESIDE: f64 = 1e-2;

/// The motion near equilibria as a program.
pub struct Nearby {
    tape: Tape,
    /// All symbols: parameters, time, then q, q', q'', λ, loads.
    names: Vec<Expr>,
    symbols: usize,
    n: usize,
    /// The coordinates that move.
    pub moving: Vec<usize>,
    rates: Vec<f64>,
    /// The time after which the equations come back.
    pub period: Option<f64>,
}

impl Nearby {
    /// The program; nothing if a symbol has no value.
    pub fn new(loaded: &Loaded, statics: &Statics) -> Option<Nearby> {
        let system = &loaded.system;
        let mut symbols: Vec<Expr> = system.parameters.iter().map(|parameter| parameter.symbol).collect();
        symbols.push(system.time);
        symbols.extend(system.q().iter().chain(&system.q_dot()).chain(&system.q_ddot()));
        symbols.extend(statics.rows.list.iter().map(|row| row.lambda));
        symbols.extend(statics.loads.iter().map(|load| load.symbol));
        let slopes = statics.slopes[..statics.rows.list.len()].iter().flatten().copied();
        let list: Vec<Expr> = statics.motion.iter().copied().chain(slopes).collect();
        let tape = Tape::new(&symbols, &[], &[], &[list]).ok()?;
        let n = statics.q.len();
        let prescribed = |s: &usize| statics.turning.iter().any(|one| one.is_prescribed && one.coordinate == *s);
        let mut rates = vec![0.0; n];
        for one in statics.turning.iter().filter(|one| !one.is_prescribed) {
            rates[one.coordinate] = loaded.at.value(one.rate);
        }
        let moving = (0..n).filter(|s| !prescribed(s)).collect();
        let period = statics.period.map(|period| loaded.at.value(period).abs());
        let period = period.filter(|period| period.is_finite() && *period > 0.0);
        Some(Nearby { tape, symbols: symbols.len(), names: symbols, n, moving, rates, period })
    }

    /// A place with its multipliers and loads as a value; nothing moves there.
    pub fn at(&self, statics: &Statics, program: &Program, z: &[f64]) -> expr::At {
        let (n, first) = (program.searched.len(), program.parameters.len() + 1);
        let mut q = program.elsewhere.clone();
        program.searched.iter().zip(z).for_each(|(&s, &x)| q[s] = x);
        let mut values: Vec<(Expr, f64)> =
            self.names[..first - 1].iter().copied().zip(program.parameters.iter().copied()).collect();
        values.push((self.names[first - 1], program.instants[0]));
        values.extend(self.names[first..first + self.n].iter().copied().zip(q));
        values.extend(self.names[first + self.n..first + 3 * self.n].iter().map(|&rate| (rate, 0.0)));
        values.extend(statics.rows.list.iter().map(|row| row.lambda).zip(z[n..n + program.rows].iter().copied()));
        values.extend(statics.loads.iter().map(|load| load.symbol).zip(z[z.len() - program.loads..].iter().copied()));
        expr::At::new(&values)
    }

    /// The diagonal of M, for all coordinates.
    pub fn masses(&self, program: &Program, z: &[f64]) -> Vec<f64> {
        let (M, ..) = self.matrices(program, z);
        let mut list = vec![0.0; self.n];
        self.moving.iter().enumerate().for_each(|(k, &s)| list[s] = M[k][k]);
        list
    }

    /// M, C, K in the coordinates that move, and A.
    pub fn matrices(&self, program: &Program, z: &[f64]) -> (Matrix, Matrix, Matrix, Matrix) {
        let (M, C, K, A, _) = self.at_instant(program, z, program.instants[0]);
        (M, C, K, A)
    }

    /// M, C, K, A at an instant, and what the equations of the coordinates that move are short of balance. What is left of
    /// masses by rounding alone is zero.
    pub fn at_instant(&self, program: &Program, z: &[f64], t: f64) -> (Matrix, Matrix, Matrix, Matrix, Vec<f64>) {
        let (mut M, mut C, K, A, short) = self.rough(program, z, t);
        let largest = M.largest();
        let doubtful: Vec<usize> = (0..M.rows()).filter(|&k| M[k][k].abs() < VANISHING * largest).collect();
        if !doubtful.is_empty() {
            let mut beside = z.to_vec();
            for (k, x) in beside[..program.searched.len()].iter_mut().enumerate() {
                *x += BESIDE * (1.0 + somewhere(k as u64)) * program.scales[k];
            }
            let (M_beside, C_beside, ..) = self.rough(program, &beside, t);
            let idle = |k: &usize| M[*k][*k].abs() < VANISHING * M_beside[*k][*k].abs();
            for k in doubtful.into_iter().filter(idle).collect::<Vec<usize>>() {
                for j in 0..M.rows() {
                    for (i, j) in [(k, j), (j, k)] {
                        M[i][j] = 0.0;
                        if C[i][j].abs() < 1e-10 * C_beside[i][j].abs() {
                            C[i][j] = 0.0;
                        }
                    }
                }
            }
        }
        (M, C, K, A, short)
    }

    /// The same with all that rounding leaves: sin(c)^2 at c = π is 1.5e-32.
    fn rough(&self, program: &Program, z: &[f64], t: f64) -> (Matrix, Matrix, Matrix, Matrix, Vec<f64>) {
        let first = program.parameters.len() + 1;
        let mut at = vec![0.0; self.symbols];
        at[..first - 1].copy_from_slice(&program.parameters);
        at[first - 1] = t;
        at[first..first + self.n].copy_from_slice(&program.elsewhere);
        at[first + self.n..first + 2 * self.n].copy_from_slice(&self.rates);
        let searched = program.searched.len();
        program.searched.iter().zip(z).for_each(|(&s, &x)| at[first + s] = x);
        let rest = first + 3 * self.n;
        let own = program.rows + program.loads;
        at[rest..rest + program.rows].copy_from_slice(&z[searched..searched + program.rows]);
        let loads = z.len() - program.loads;
        at[rest + program.rows..rest + own].copy_from_slice(&z[loads..]);
        let outputs = self.tape.outputs(0);
        let mut by: Vec<Vec<f64>> = vec![Vec::new(); outputs.len()];
        let mut values = Vec::new();
        for begin in (0..3 * self.n).step_by(LANES) {
            let mut memory = self.tape.memory::<Slope<LANES>>();
            for (k, &x) in at.iter().enumerate() {
                let direction = if k >= first { (k - first).wrapping_sub(begin) } else { LANES };
                self.tape.put(&mut memory, k, Slope::moving(x, direction));
            }
            self.tape.run(0, Switches::Free, &mut memory);
            let lanes = (3 * self.n - begin).min(LANES);
            by.iter_mut().zip(outputs).for_each(|(row, &slot)| row.extend(&memory[slot as usize].along[..lanes]));
            values = outputs.iter().map(|&slot| memory[slot as usize].value).collect();
        }
        let width = self.moving.len();
        let block = |from: usize| Matrix::from_fn(width, width, |i, j| by[self.moving[i]][from + self.moving[j]]);
        let chosen = |row: &[f64]| self.moving.iter().map(|&j| row[j]).collect::<Vec<f64>>();
        let A = Matrix::of_width(width, values[self.n..].chunks(self.n).map(chosen));
        let short = self.moving.iter().map(|&s| values[s]).collect();
        (block(2 * self.n), block(self.n), block(0), A, short)
    }

    /// M, C, K and A over a box of unknowns.
    fn over(&self, program: &Program, z: &[Interval]) -> [Intervals; 4] {
        let first = program.parameters.len() + 1;
        let mut at: Vec<Interval> = vec![Interval::point(0.0); self.symbols];
        program.parameters.iter().enumerate().for_each(|(k, &x)| at[k] = Interval::float(x));
        at[first - 1] = Interval::float(program.instants[0]);
        program.elsewhere.iter().enumerate().for_each(|(s, &x)| at[first + s] = Interval::float(x));
        self.rates.iter().enumerate().for_each(|(s, &x)| at[first + self.n + s] = Interval::float(x));
        program.searched.iter().zip(z).for_each(|(&s, &x)| at[first + s] = x);
        let rest = first + 3 * self.n;
        at[rest..].iter_mut().zip(&z[program.searched.len()..]).for_each(|(at, &x)| *at = x);
        let outputs = self.tape.outputs(0);
        let mut by: Intervals = vec![Vec::new(); outputs.len()];
        let mut values = Vec::new();
        for begin in (0..3 * self.n).step_by(LANES) {
            let mut memory = self.tape.memory::<Tangent<LANES>>();
            for (k, &x) in at.iter().enumerate() {
                let direction = if k >= first { (k - first).wrapping_sub(begin) } else { LANES };
                self.tape.put(&mut memory, k, Tangent::moving(x, direction));
            }
            self.tape.run(0, Switches::Free, &mut memory);
            let lanes = (3 * self.n - begin).min(LANES);
            by.iter_mut().zip(outputs).for_each(|(row, &slot)| row.extend(&memory[slot as usize].along[..lanes]));
            values = outputs.iter().map(|&slot| memory[slot as usize].value).collect();
        }
        let chosen = |row: &[Interval]| -> Vec<Interval> { self.moving.iter().map(|&j| row[j]).collect() };
        let block = |from: usize| self.moving.iter().map(|&i| chosen(&by[i][from * self.n..])).collect();
        [block(2), block(1), block(0), values[self.n..].chunks(self.n).map(chosen).collect()]
    }

    /// The signs of the stiffness at a point, by intervals around it.
    pub fn inertia(&self, statics: &Statics, program: &Program, point: &Point, M: &Matrix) -> Option<Inertia> {
        let turns = statics.turning.iter().any(|one| !one.is_prescribed);
        let is_held = turns || statics.cyclic.is_some();
        if !statics.is_potential || statics.is_nonholonomic() || is_held || !point.family.is_empty() {
            return None;
        }
        let [_, _, K, A] = self.over(program, &program.enclosure(&point.z)?);
        let place = |s: &usize| self.moving.iter().position(|k| k == s);
        let free: Vec<usize> = statics.free.iter().filter_map(place).collect();
        let masses: Vec<f64> = (0..M.rows()).map(|k| M[k][k]).collect();
        masses.iter().all(|mass| *mass > 0.0).then(|| enclosed::inertia(&K, &A, &masses, &free))?
    }

    /// How many eigenvalues of a system without rows have a positive real part if none lies on the axis, by intervals.
    pub fn growing(&self, statics: &Statics, program: &Program, point: &Point) -> Option<usize> {
        if !statics.rows.list.is_empty() || !statics.free.is_empty() || !point.family.is_empty() {
            return None;
        }
        let [M, C, K, _] = self.over(program, &program.enclosure(&point.z)?);
        enclosed::growing(&M, &C, &K)
    }
}

//! Which states satisfy the constraints, and are the rows independent there?
//!
//! ```text
//! f(q, t) = 0                       q  ← q  − Kᵀ (K Kᵀ)⁻¹ f         Gauss–Newton, shortest step     (1)
//! f'(q, q', t) = 0, A q' + k = 0    q' ← q' − Kᵀ (K Kᵀ)⁻¹ f'                                        (2)
//! ```
//!
//! Floating point: what is found here guides a message, it proves nothing.

use std::collections::HashMap;

use expr::field::Random;
use expr::{Evaluator, Expr, MathError, Op, Program};

use super::Space;
use super::class::Sorted;

/// Steps of (1) or (2). A double root is approached by halves.
const STEPS: usize = 80;
/// Rows that differ from the others by less than this, relative to their size, depend on them.
const DEPENDENT: f64 = 1e-4;

/// Values of coordinates, rates and the time; other symbols keep their reference values.
pub(super) type State = HashMap<Expr, f64>;

/// The states that satisfy some rows.
pub(super) struct Shell<'a> {
    rows: Vec<&'a Sorted>,
    space: &'a Space,
    positions: Level,
    rates: Level,
    slopes: Machine,
}

/// Equations for some unknowns, with their slopes.
struct Level {
    unknowns: Vec<Expr>,
    /// For each equation the columns of its slope.
    columns: Vec<Vec<usize>>,
    /// The equations, then their slopes.
    machine: Machine,
}

impl<'a> Shell<'a> {
    pub fn new(rows: &[&'a Sorted], space: &'a Space) -> Result<Shell<'a>, MathError> {
        let geometric: Vec<&Sorted> = rows.iter().copied().filter(|row| row.order() == 0).collect();
        let first: Vec<&Sorted> = rows.iter().copied().filter(|row| row.order() == 1).collect();
        let positions = geometric.iter().map(|row| (row.f, *row)).collect();
        // velocities of geometric rows matter only beside rows of first order
        let mut rates = Vec::new();
        if rows.iter().any(|row| row.order() > 0) {
            for row in &geometric {
                rates.push((expr::total_derivative(row.f)?, *row));
            }
            rates.extend(first.iter().map(|row| (row.f, *row)));
        }
        let entries: Vec<Expr> = rows.iter().flat_map(|row| row.slope.iter().map(|entry| entry.1)).collect();
        Ok(Shell {
            rows: rows.to_vec(),
            space,
            positions: Level::new(space.q.clone(), positions),
            rates: Level::new(space.rates.clone(), rates),
            slopes: Machine::new(&entries),
        })
    }

    /// The reference state.
    pub fn reference(&self) -> State {
        let symbols = self.space.q.iter().chain(&self.space.rates).chain([&self.space.t]);
        symbols.map(|&symbol| (symbol, symbol.reference())).collect()
    }

    /// A state at some distance from another.
    pub fn near(&self, state: &State, random: &mut Random) -> State {
        let symbols = self.space.q.iter().chain(&self.space.rates).chain([&self.space.t]);
        let moved = symbols.map(|symbol| {
            let share = random.below(2001) as f64 / 1000.0 - 1.0;
            (*symbol, state[symbol] + 0.1 * share * (1.0 + state[symbol].abs()))
        });
        moved.collect()
    }

    /// The state that satisfies the rows next to this one, if one is found.
    pub fn moved_onto(&self, state: &State) -> Option<State> {
        let state = self.positions.solved(state)?;
        self.rates.solved(&state)
    }

    /// The largest residual of the geometric rows, unless it is zero but for rounding.
    pub fn residual(&self, state: &State) -> Option<f64> {
        let (residual, tolerance) = self.positions.residual(state);
        (residual > tolerance).then_some(residual)
    }

    /// The row (by its place) that misses most at the state next to this one, and by how much.
    pub fn worst(&self, state: &State) -> (usize, f64) {
        let reached = self.positions.attempt(state).0;
        let values = self.positions.machine.values(&reached);
        let count = self.positions.columns.len();
        let worst = values[..count].iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        let (nth, value) = worst.map_or((0, 0.0), |(nth, value)| (nth, value.abs()));
        let geometric = self.rows.iter().enumerate().filter(|(_, row)| row.order() == 0);
        (geometric.map(|(place, _)| place).nth(nth).unwrap_or(0), value)
    }

    /// The value of an expression at a state.
    pub fn value(&self, e: Expr, state: &State) -> f64 {
        Machine::new(&[e]).values(state)[0]
    }

    /// The lengths of the rows of K at a state.
    pub fn sizes(&self, state: &State) -> Vec<f64> {
        self.lines(state).iter().map(|line| norm(line)).collect()
    }

    /// The rows of K that depend on earlier ones at a state, each with those; `sizes` says how
    /// long the rows are elsewhere.
    pub fn dependencies(&self, state: &State, sizes: &[f64]) -> Vec<(usize, Vec<usize>)> {
        dependencies(&self.lines(state), sizes, DEPENDENT)
    }

    fn lines(&self, state: &State) -> Vec<Vec<f64>> {
        let mut values = self.slopes.values(state).into_iter();
        let line = |row: &&Sorted| {
            let mut line = vec![0.0; self.space.q.len()];
            row.slope.iter().zip(&mut values).for_each(|(&(column, _), value)| line[column] = value);
            line
        };
        self.rows.iter().map(line).collect()
    }
}

/// The rows that depend on earlier ones, each with those: Gram–Schmidt, twice for accuracy. A row
/// counts as dependent if less than `tolerance` is left of it, relative to its length, or if its
/// length is less than that relative to its size.
pub(super) fn dependencies(rows: &[Vec<f64>], sizes: &[f64], tolerance: f64) -> Vec<(usize, Vec<usize>)> {
    let mut basis: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
    let mut found = Vec::new();
    for (place, (row, size)) in rows.iter().zip(sizes).enumerate() {
        let length = norm(row);
        if !length.is_finite() || length <= tolerance * size {
            found.push((place, Vec::new()));
            continue;
        }
        let mut line: Vec<f64> = row.iter().map(|entry| entry / length).collect();
        let mut made_of = vec![0.0; rows.len()];
        made_of[place] = 1.0 / length;
        for _ in 0..2 {
            for (unit, combination) in &basis {
                let share = dot(&line, unit);
                line.iter_mut().zip(unit).for_each(|(entry, unit)| *entry -= share * unit);
                made_of.iter_mut().zip(combination).for_each(|(entry, part)| *entry -= share * part);
            }
        }
        let rest = norm(&line);
        if rest <= tolerance {
            let scaled = |k: usize| made_of[k].abs() * norm(&rows[k]);
            found.push((place, (0..place).filter(|&k| scaled(k) > 10.0 * tolerance).collect()));
            continue;
        }
        line.iter_mut().chain(&mut made_of).for_each(|entry| *entry /= rest);
        basis.push((line, made_of));
    }
    found
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

impl Level {
    fn new(unknowns: Vec<Expr>, equations: Vec<(Expr, &Sorted)>) -> Level {
        let columns = equations.iter().map(|(_, row)| row.slope.iter().map(|entry| entry.0).collect()).collect();
        let slopes = equations.iter().flat_map(|(_, row)| row.slope.iter().map(|entry| entry.1));
        let outputs: Vec<Expr> = equations.iter().map(|equation| equation.0).chain(slopes).collect();
        Level { unknowns, columns, machine: Machine::new(&outputs) }
    }

    /// The largest residual, and what counts as zero.
    fn residual(&self, state: &State) -> (f64, f64) {
        let (residuals, slopes) = self.evaluated(state);
        let size = slopes.iter().flatten().fold(1.0, |size: f64, entry| size.max(entry.1.abs()));
        (residuals.iter().fold(0.0, |largest: f64, r| largest.max(r.abs())), 1e-9 * size)
    }

    fn evaluated(&self, state: &State) -> (Vec<f64>, Vec<Vec<(usize, f64)>>) {
        let mut residuals = self.machine.values(state);
        let mut slopes = residuals.split_off(self.columns.len()).into_iter();
        let row = |columns: &Vec<usize>| columns.iter().copied().zip(&mut slopes).collect();
        let slopes = self.columns.iter().map(row).collect();
        (residuals, slopes)
    }

    fn solved(&self, state: &State) -> Option<State> {
        let (state, converged) = self.attempt(state);
        converged.then_some(state)
    }

    /// Steps (1) or (2) until they gain nothing; was a solution found?
    fn attempt(&self, state: &State) -> (State, bool) {
        let mut state = state.clone();
        let mut last = f64::INFINITY;
        for _ in 0..STEPS {
            let (residuals, slopes) = self.evaluated(&state);
            let size = norm(&residuals);
            if size == 0.0 || !size.is_finite() || (size < 1e-13 && size >= last) {
                break;
            }
            last = size;
            let Some(step) = shortest_step(&residuals, &slopes) else { break };
            let longest = step.values().fold(0.0, |longest: f64, s| longest.max(s.abs()));
            let damping = if longest > 1.0 { 1.0 / longest } else { 1.0 };
            for (column, s) in step {
                *state.entry(self.unknowns[column]).or_default() -= damping * s;
            }
        }
        let (residual, tolerance) = self.residual(&state);
        (state, residual <= tolerance)
    }
}

/// Kᵀ (K Kᵀ)⁻¹ f, with a little added to the diagonal so that dependent rows do no harm.
fn shortest_step(residuals: &[f64], slopes: &[Vec<(usize, f64)>]) -> Option<HashMap<usize, f64>> {
    let count = slopes.len();
    let product = |a: &[(usize, f64)], b: &[(usize, f64)]| -> f64 {
        a.iter().map(|(column, x)| b.binary_search_by_key(column, |e| e.0).map_or(0.0, |place| x * b[place].1)).sum()
    };
    let mut matrix: Vec<Vec<f64>> =
        (0..count).map(|i| (0..=i).map(|j| product(&slopes[i], &slopes[j])).collect()).collect();
    let largest = (0..count).fold(0.0, |largest: f64, i| largest.max(matrix[i][i]));
    (0..count).for_each(|i| matrix[i][i] += 1e-13 * largest);
    let multipliers = cholesky_solved(matrix, residuals)?;
    let mut step = HashMap::new();
    for (row, multiplier) in slopes.iter().zip(multipliers) {
        row.iter().for_each(|(column, entry)| *step.entry(*column).or_insert(0.0) += entry * multiplier);
    }
    Some(step)
}

fn cholesky_solved(mut matrix: Vec<Vec<f64>>, right: &[f64]) -> Option<Vec<f64>> {
    let count = right.len();
    let mut x = right.to_vec();
    for i in 0..count {
        for j in 0..=i {
            let sum = matrix[i][j] - dot(&matrix[i][..j], &matrix[j][..j]);
            if i == j && (sum.is_nan() || sum <= 0.0) {
                return None;
            }
            matrix[i][j] = if i == j { sum.sqrt() } else { sum / matrix[j][j] };
        }
        x[i] = (x[i] - dot(&matrix[i][..i], &x[..i])) / matrix[i][i];
    }
    for i in (0..count).rev() {
        x[i] = (x[i] - (i + 1..count).map(|k| matrix[k][i] * x[k]).sum::<f64>()) / matrix[i][i];
    }
    Some(x)
}

/// Expressions ready to be evaluated at many states.
struct Machine {
    program: Program,
    /// The symbols, by step, with their reference values.
    symbols: HashMap<usize, (Expr, f64)>,
}

impl Machine {
    fn new(outputs: &[Expr]) -> Machine {
        let evaluator = Evaluator::new(outputs, &[]);
        let nodes = evaluator.nodes().into_iter().enumerate();
        let symbols = nodes.filter(|(_, node)| node.op() == Op::Symbol).map(|(k, node)| (k, (node, node.reference())));
        Machine { symbols: symbols.collect(), program: evaluator.program() }
    }

    fn values(&self, state: &State) -> Vec<f64> {
        let mut values: Vec<f64> = Vec::with_capacity(self.program.steps.len());
        for (place, step) in self.program.steps.iter().enumerate() {
            let of = |k: usize| values[step.arguments[k] as usize];
            let all = || step.arguments.iter().map(|&k| values[k as usize]);
            let value = match step.op {
                Op::Number => step.number.as_ref().map_or(f64::NAN, |number| number.to_f64()),
                Op::Symbol => {
                    let (symbol, reference) = self.symbols[&place];
                    state.get(&symbol).copied().unwrap_or(reference)
                }
                Op::Pi => std::f64::consts::PI,
                Op::Sum => all().sum(),
                Op::Scale | Op::Product => all().product(),
                Op::Power if of(1).fract() == 0.0 && of(1).abs() < 1e6 => of(0).powi(of(1) as i32),
                Op::Power => of(0).powf(of(1)),
                Op::Sin => of(0).sin(),
                Op::Cos => of(0).cos(),
                Op::Tan => of(0).tan(),
                Op::Asin => of(0).asin(),
                Op::Acos => of(0).acos(),
                Op::Atan => of(0).atan(),
                Op::Sinh => of(0).sinh(),
                Op::Cosh => of(0).cosh(),
                Op::Tanh => of(0).tanh(),
                Op::Exp => of(0).exp(),
                Op::Log => of(0).ln(),
                Op::Abs => of(0).abs(),
                Op::Sign => {
                    if of(0) == 0.0 {
                        0.0
                    } else {
                        of(0).signum()
                    }
                }
                Op::Cbrt => of(0).cbrt(),
                Op::Atan2 => of(0).atan2(of(1)),
                Op::Min => of(0).min(of(1)),
                Op::Max => of(0).max(of(1)),
                Op::IfNegative => of(if of(0) < 0.0 { 1 } else { 2 }),
                Op::IfZero => of(if of(0) == 0.0 { 1 } else { 2 }),
            };
            values.push(value);
        }
        self.program.outputs.iter().map(|&output| values[output as usize]).collect()
    }
}

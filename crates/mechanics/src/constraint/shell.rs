//! Which states satisfy the constraints, and are the rows independent there?
//!
//! ```text
//! f(q, t) = 0                       q  ← q  − Kᵀ (K Kᵀ)⁻¹ f         Gauss–Newton, shortest step     (1)
//! f'(q, q', t) = 0, A q' + k = 0    q' ← q' − Kᵀ (K Kᵀ)⁻¹ f'                                        (2)
//! ```
//!
//! Floating point: what is found here guides a message, it proves nothing.

use expr::field::Random;
use expr::{At, Expr, Floats, MathError};
use rustc_hash::FxHashMap;

use super::Space;
use super::class::Sorted;

/// Steps of (1) or (2). A double root is approached by halves.
const STEPS: usize = 80;
/// Rows that differ from the others by less than this, relative to their size, depend on them.
const DEPENDENT: f64 = 1e-4;

/// Values of coordinates, rates and the time; other symbols have their values at the state of the shell.
pub(super) type State = FxHashMap<Expr, f64>;

/// The states that satisfy some rows.
pub(super) struct Shell<'a> {
    rows: Vec<&'a Sorted>,
    space: &'a Space,
    positions: Level,
    rates: Level,
    slopes: Machine,
    at: &'a At,
}

/// The value of an expression at states near one.
pub(super) fn value_of(e: Expr, at: &At) -> impl Fn(&State) -> f64 + use<> {
    let machine = Machine::new(&[e], at);
    move |state| machine.values(state)[0]
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
    pub fn new(rows: &[&'a Sorted], space: &'a Space, at: &'a At) -> Result<Shell<'a>, MathError> {
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
            positions: Level::new(space.q.clone(), positions, at),
            rates: Level::new(space.rates.clone(), rates, at),
            slopes: Machine::new(&entries, at),
            at,
        })
    }

    /// The state that was passed in.
    pub fn here(&self) -> State {
        let symbols = self.space.q.iter().chain(&self.space.rates).chain([&self.space.t]);
        symbols.map(|&symbol| (symbol, self.at.value(symbol))).collect()
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
                if share == 0.0 {
                    continue;
                }
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
    fn new(unknowns: Vec<Expr>, equations: Vec<(Expr, &Sorted)>, at: &At) -> Level {
        let columns = equations.iter().map(|(_, row)| row.slope.iter().map(|entry| entry.0).collect()).collect();
        let slopes = equations.iter().flat_map(|(_, row)| row.slope.iter().map(|entry| entry.1));
        let outputs: Vec<Expr> = equations.iter().map(|equation| equation.0).chain(slopes).collect();
        Level { unknowns, columns, machine: Machine::new(&outputs, at) }
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
fn shortest_step(residuals: &[f64], slopes: &[Vec<(usize, f64)>]) -> Option<FxHashMap<usize, f64>> {
    let mut matrix = Skyline::squared(slopes);
    let largest = matrix.rows.iter().filter_map(|row| row.last()).fold(0.0, |largest: f64, entry| largest.max(*entry));
    matrix.rows.iter_mut().filter_map(|row| row.last_mut()).for_each(|entry| *entry += 1e-13 * largest);
    let multipliers = matrix.solved(residuals)?;
    let mut step = FxHashMap::default();
    for (row, multiplier) in slopes.iter().zip(multipliers) {
        row.iter().for_each(|(column, entry)| *step.entry(*column).or_insert(0.0) += entry * multiplier);
    }
    Some(step)
}

/// The lower half of a symmetric matrix, each row from its first entry that is not zero up to the
/// diagonal: where neighbours are joined, little is stored and little is done.
struct Skyline {
    first: Vec<usize>,
    rows: Vec<Vec<f64>>,
}

impl Skyline {
    /// K Kᵀ.
    fn squared(slopes: &[Vec<(usize, f64)>]) -> Skyline {
        let mut in_column: FxHashMap<usize, Vec<(usize, f64)>> = FxHashMap::default();
        let (mut first, mut rows) = (Vec::with_capacity(slopes.len()), Vec::with_capacity(slopes.len()));
        for (place, slope) in slopes.iter().enumerate() {
            slope.iter().for_each(|&(column, entry)| in_column.entry(column).or_default().push((place, entry)));
            let start = slope.iter().map(|(column, _)| in_column[column][0].0).min().unwrap_or(place);
            let mut row = vec![0.0; place + 1 - start];
            for (column, entry) in slope {
                in_column[column].iter().for_each(|&(other, above)| row[other - start] += entry * above);
            }
            first.push(start);
            rows.push(row);
        }
        Skyline { first, rows }
    }

    /// The solution of the system with this matrix, by Cholesky; `None` unless it is positive.
    fn solved(self, right: &[f64]) -> Option<Vec<f64>> {
        let Skyline { first, mut rows } = self;
        let mut x = right.to_vec();
        for i in 0..rows.len() {
            let (done, rest) = rows.split_at_mut(i);
            let row = &mut rest[0];
            for j in first[i]..i {
                let from = first[i].max(first[j]);
                let shared = dot(&row[from - first[i]..j - first[i]], &done[j][from - first[j]..j - first[j]]);
                row[j - first[i]] = (row[j - first[i]] - shared) / done[j][j - first[j]];
            }
            let (left, diagonal) = row.split_at_mut(i - first[i]);
            let square = diagonal[0] - dot(left, left);
            if square.is_nan() || square <= 0.0 {
                return None;
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
        Some(x)
    }
}

/// Expressions ready to be evaluated at many states.
struct Machine {
    floats: Floats,
    /// The values of the steps, with symbols at the state that was passed in.
    values: Vec<f64>,
}

impl Machine {
    fn new(outputs: &[Expr], at: &At) -> Machine {
        let floats = Floats::new(outputs);
        let mut values = vec![0.0; floats.len()];
        floats.symbols().for_each(|(symbol, _, step)| values[step] = at.value(symbol));
        Machine { floats, values }
    }

    fn values(&self, state: &State) -> Vec<f64> {
        let mut values = self.values.clone();
        for (symbol, _, step) in self.floats.symbols() {
            if let Some(&value) = state.get(&symbol) {
                values[step] = value;
            }
        }
        self.floats.run(0..self.floats.len(), &mut values);
        self.floats.outputs().map(|output| values[output]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Skyline;

    #[test]
    fn a_skyline_solves_what_it_stands_for() {
        // K with rows (1, 2, 0, 0), (0, 1, 1, 0), (0, 0, 1, 3) and (1, 0, 0, 1), which closes the ring
        let slopes =
            [vec![(0, 1.0), (1, 2.0)], vec![(1, 1.0), (2, 1.0)], vec![(2, 1.0), (3, 3.0)], vec![(0, 1.0), (3, 1.0)]];
        let matrix = Skyline::squared(&slopes);
        assert_eq!(matrix.first, [0, 0, 1, 0]);
        assert_eq!(matrix.rows, [vec![5.0], vec![2.0, 2.0], vec![1.0, 10.0], vec![1.0, 0.0, 3.0, 2.0]]);
        let x = matrix.solved(&[13.0, 9.0, 44.0, 18.0]).unwrap();
        let expected = [1.0, 2.0, 3.0, 4.0];
        assert!(x.iter().zip(expected).all(|(x, expected)| (x - expected).abs() < 1e-12), "{x:?}");
    }
}

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
use linear::skyline::{self, shortest_step};
use linear::vector::{dot, largest, length};
use linear::{Matrix, Tolerance, span};
use rustc_hash::FxHashMap;

use super::Space;
use super::class::Sorted;

/// Steps of (1) or (2). A double root is approached by halves.
const STEPS: usize = 80;
/// Rows that differ from the others by less than this, relative to their size, depend on them.
const DEPENDENT: Tolerance = Tolerance::new(1e-4);
/// The same at a state at some distance from another, for each unit of that distance.
const NEARLY: f64 = 1e-3;

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

    /// Directions in which the geometric rows let the coordinates move at a state.
    pub fn free(&self, state: &State) -> Matrix {
        let lines = self.lines(state);
        let geometric = lines.iter().zip(&self.rows).filter(|(_, row)| row.order() == 0).map(|(line, _)| line);
        let geometric = Matrix::of_width(self.space.q.len(), geometric);
        linear::null_space(geometric, linear::Scale::Rows, DEPENDENT)
            .unwrap_or_else(|_| Matrix::of_width(self.space.q.len(), [[0.0; 0]; 0]))
    }

    /// How far one state is from another along some directions.
    pub fn along(&self, directions: &Matrix, from: &State, to: &State) -> f64 {
        let step: Vec<f64> = self.space.q.iter().map(|q| to[q] - from[q]).collect();
        length(&directions.iter().map(|direction| dot(direction, &step)).collect::<Vec<f64>>())
    }

    /// A state at some distance from another: `reach` of the size of each coordinate, or of 1.
    pub fn near(&self, state: &State, random: &mut Random, reach: f64) -> State {
        let symbols = self.space.q.iter().chain(&self.space.rates).chain([&self.space.t]);
        let moved = symbols.map(|symbol| {
            let share = random.below(2001) as f64 / 1000.0 - 1.0;
            (*symbol, state[symbol] + reach * share * (1.0 + state[symbol].abs()))
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

    /// Whether the geometric rows hold but for the rounding of a few operations.
    pub fn holds_closely(&self, state: &State) -> bool {
        let (residual, tolerance) = self.positions.residual(state);
        residual <= 1e-3 * tolerance
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
        self.lines(state).iter().map(length).collect()
    }

    /// The rows of K that depend on earlier ones at a state, each with those; `sizes` says how long the rows are
    /// elsewhere. Rows that are no longer dependent a little away are nearly so: the closer by, the more it takes.
    pub fn dependencies(&self, state: &State, sizes: &[f64], reach: f64) -> Vec<(usize, Vec<usize>)> {
        span::dependencies(&self.lines(state), sizes, Tolerance::new(NEARLY * reach))
    }

    fn lines(&self, state: &State) -> Matrix {
        let mut values = self.slopes.values(state).into_iter();
        let line = |row: &&Sorted| {
            let mut line = vec![0.0; self.space.q.len()];
            row.slope.iter().zip(&mut values).for_each(|(&(column, _), value)| line[column] = value);
            line
        };
        Matrix::of_width(self.space.q.len(), self.rows.iter().map(line))
    }
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

    fn evaluated(&self, state: &State) -> (Vec<f64>, Vec<skyline::Row>) {
        let mut residuals = self.machine.values(state);
        let mut slopes = residuals.split_off(self.columns.len()).into_iter();
        let row = |columns: &Vec<usize>| columns.iter().copied().zip(&mut slopes).collect();
        let slopes = self.columns.iter().map(row).collect();
        (residuals, slopes)
    }

    /// What the rows of slopes are not shorter than by nature: a tenth of their length here, or a little away, since
    /// one may vanish here.
    fn sizes(&self, state: &State) -> Vec<f64> {
        let mut away = state.clone();
        for (place, unknown) in self.unknowns.iter().enumerate() {
            let value = away.entry(*unknown).or_default();
            *value += 0.1 * (1.0 + value.abs()) * (1.0 - 0.3 * (place % 5) as f64);
        }
        let lengths = |state: &State| -> Vec<f64> {
            let length_of = |row: &skyline::Row| length(&row.iter().map(|entry| entry.1).collect::<Vec<f64>>());
            self.evaluated(state).1.iter().map(length_of).collect()
        };
        let finite = |size: f64| if size.is_finite() { size } else { 0.0 };
        lengths(state).into_iter().zip(lengths(&away)).map(|(a, b)| 0.1 * finite(a).max(finite(b))).collect()
    }

    fn solved(&self, state: &State) -> Option<State> {
        let (state, converged) = self.attempt(state);
        converged.then_some(state)
    }

    /// Steps (1) or (2) until they gain nothing; was a solution found?
    fn attempt(&self, state: &State) -> (State, bool) {
        let mut state = state.clone();
        let sizes = self.sizes(&state);
        let mut last = f64::INFINITY;
        for _ in 0..STEPS {
            let (residuals, slopes) = self.evaluated(&state);
            let size = length(&residuals);
            if size == 0.0 || !size.is_finite() || (size < 1e-13 && size >= last) {
                break;
            }
            last = size;
            let Ok(step) = shortest_step(&residuals, &slopes, self.unknowns.len(), &sizes) else { break };
            let longest = largest(&step);
            let damping = if longest > 1.0 { 1.0 / longest } else { 1.0 };
            for (unknown, s) in self.unknowns.iter().zip(step) {
                *state.entry(*unknown).or_default() -= damping * s;
            }
        }
        let (residual, tolerance) = self.residual(&state);
        (state, residual <= tolerance)
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

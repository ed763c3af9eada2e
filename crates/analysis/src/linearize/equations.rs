//! Which equations are linearised, and how do they change with the state?
//!
//! ```text
//! R = E − Q − Aᵀλ          the motion; λ is held, so that R_q has λ times second derivatives of the rows    (1)
//! G = A q'' + a0           the rows as accelerations                                                         (2)
//! h(q, q', t), f(q, t)     the rows as velocities, the geometric ones                                        (3)
//! g(q, q', t), g'          candidates for independent velocities, and their derivatives                      (4)
//! a'                       the laws of first-order states                                                    (5)
//! ```
//!
//! All of them are outputs of one program; its slopes are exact to rounding.

use std::ops::Range;

use expr::{At, Expr, Kind, Substitution, Symbol};
use linear::weighed::Weighed;
use mechanics::chart::ChartKind;
use mechanics::form::FormError;
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;
use mechanics::{Mode, StartReport, System};
use numeric::{Slope, Switches, Tape};
use rustc_hash::FxHashSet;

use engine::Error;

/// So many kinds of equations there are.
const KINDS: usize = 9;

/// So many directions are followed in one run of the program.
const LANES: usize = 8;

/// A candidate for an independent velocity.
#[derive(Clone, Debug)]
pub struct Velocity {
    /// Its name.
    pub name: String,
    /// The coordinate whose rate it is; nothing for a speed.
    pub rate_of: Option<usize>,
}

/// Equations (1) to (5), outputs, and the symbols in them.
pub struct Equations {
    /// Names of coordinates.
    pub names: Vec<String>,
    /// Names of rows.
    pub rows: Vec<String>,
    /// The order of each row.
    pub orders: Vec<u32>,
    /// Candidates (4).
    pub velocities: Vec<Velocity>,
    /// Names of inputs.
    pub inputs: Vec<String>,
    /// Names of first-order states.
    pub states: Vec<String>,
    /// Names of outputs.
    pub outputs: Vec<String>,
    /// Coordinates that occur in no equation.
    pub absent: Vec<bool>,
    /// Coordinates whose rates have constant slopes in the rows: the place of a rolling wheel, not its angles.
    pub plain: Vec<bool>,
    /// Does the time stand in an equation?
    pub has_time: bool,
    /// Symbols: parameters, time, q, q', q'', λ, changes of inputs, states.
    pub symbols: Vec<Expr>,
    /// All expressions: R, G, h, f, g, g', outputs, further equations, laws.
    pub list: Vec<Expr>,
    /// Where each kind begins in the list, and the end.
    begins: [usize; KINDS + 1],
    /// How many parameters there are.
    parameters: usize,
    tape: Tape,
}

/// A kind of equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// R (1).
    Motion,
    /// G (2).
    Acceleration,
    /// h (3).
    Velocity,
    /// f (3).
    Position,
    /// g (4).
    Chosen,
    /// g' (4).
    ChosenRate,
    /// What the model observes.
    Output,
    /// Further equations of a steady motion.
    Further,
    /// Rates of first-order states (5).
    Law,
}

/// A kind of symbol that equations change with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// q.
    Q,
    /// q'.
    Rate,
    /// q''.
    Acceleration,
    /// λ.
    Multiplier,
    /// Changes of inputs.
    Input,
    /// First-order states.
    State,
    /// Both of these: what acts through loads.
    Driver,
}

/// A state with everything that has a number there.
#[derive(Clone, Debug)]
pub struct State {
    /// Parameters, in their order.
    pub parameters: Vec<f64>,
    /// The time.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Rates.
    pub q_dot: Vec<f64>,
    /// Accelerations.
    pub q_ddot: Vec<f64>,
    /// Multipliers.
    pub lambda: Vec<f64>,
    /// What is added to the values of inputs.
    pub changes: Vec<f64>,
    /// First-order states.
    pub states: Vec<f64>,
}

impl State {
    /// The state of a start; accelerations and multipliers are still zero.
    pub fn of(start: &StartReport, rows: usize, inputs: usize) -> State {
        let numbers = |list: &[mechanics::StartValue]| list.iter().map(|v| v.number.unwrap_or(f64::NAN)).collect();
        State {
            parameters: start.parameters.iter().map(|value| value.unwrap_or(f64::NAN)).collect(),
            t: start.time.number.unwrap_or(0.0),
            q: numbers(&start.coordinates),
            q_dot: numbers(&start.rates),
            q_ddot: vec![0.0; start.coordinates.len()],
            lambda: vec![0.0; rows],
            changes: vec![0.0; inputs],
            states: numbers(&start.states),
        }
    }
}

/// Values and slopes of all equations at a state.
#[derive(Clone, Debug)]
pub struct Slopes<T> {
    /// The values.
    pub values: Vec<T>,
    /// For each equation its slopes by q, q', q'', λ, inputs, states.
    pub by: Vec<Vec<T>>,
}

fn no_derivative(error: impl std::fmt::Display) -> Error {
    Error::new(format!("the equations of motion have no derivative: {error}"))
}

fn no_equations(error: FormError) -> Error {
    match error {
        FormError::PlaneInertia { .. } => Error::new(error.to_string()),
        error => no_derivative(error),
    }
}

/// Writes R (1) for each coordinate.
fn write_motion(given: &Ingredients<'_>, rows: &Rows) -> Result<Vec<Expr>, Error> {
    let (E, Q) = (given.E().map_err(no_equations)?, given.Q().map_err(no_equations)?);
    let reaction = |s: usize| -> Expr { rows.list.iter().map(|row| row.A[s] * row.lambda).sum() };
    let R: Vec<Expr> = (0..given.q.len()).map(|s| E[s] - Q[s] - reaction(s)).collect();
    given.thawed(&R).map_err(no_derivative)
}

/// The candidates (4) with g and g'.
type Velocities = (Vec<Velocity>, Vec<Expr>, Vec<Expr>);

/// Lists the candidates (4), speeds first, with g and g'.
fn list_velocities(system: &System) -> Result<Velocities, Error> {
    let (mut velocities, mut g, mut g_dot) = (Vec::new(), Vec::new(), Vec::new());
    for speed in &system.speeds {
        velocities.push(Velocity { name: speed.name.clone(), rate_of: None });
        g.push(speed.definition);
        g_dot.push(expr::total_derivative(speed.definition).map_err(no_derivative)?);
    }
    for (s, coordinate) in system.coordinates.iter().enumerate() {
        velocities.push(Velocity { name: format!("{}'", coordinate.name), rate_of: Some(s) });
        g.push(coordinate.q_dot);
        g_dot.push(coordinate.q_ddot);
    }
    Ok((velocities, g, g_dot))
}

/// Joins the kinds of equations into one list, and tells where each begins.
fn join(kinds: [&[Expr]; KINDS]) -> (Vec<Expr>, [usize; KINDS + 1]) {
    let (mut list, mut begins) = (Vec::new(), [0; KINDS + 1]);
    for (place, part) in kinds.into_iter().enumerate() {
        list.extend(part);
        begins[place + 1] = list.len();
    }
    (list, begins)
}

/// Collects the symbols in the motion, in the laws, and in the rows as velocities and positions.
fn collect_symbols(list: &[Expr], begins: &[usize; KINDS + 1]) -> FxHashSet<Expr> {
    let mut seen = FxHashSet::default();
    for kind in [Of::Motion, Of::Velocity, Of::Position, Of::Law] {
        let part = &list[begins[kind as usize]..begins[kind as usize + 1]];
        part.iter().for_each(|e| seen.extend(e.symbols()));
    }
    seen
}

/// Whether nothing but parameters stands in an expression.
fn is_constant(e: Expr) -> bool {
    let mut kinds = e.symbols().into_iter().filter_map(|symbol| Some(symbol.as_symbol()?.kind));
    kinds.all(|kind| kind == Kind::Parameter)
}

impl Equations {
    /// The equations of a system in a mode, with its rows; `further` are equations of a steady motion, `fixed` are
    /// parameters that keep their values, `solved` are inputs whose values are looked for.
    pub fn new(
        system: &System,
        (mode, rows): (&Mode, &Rows),
        at: &At,
        outputs: Vec<(String, Expr)>,
        further: &[Expr],
        fixed: &[(Expr, f64)],
        solved: &[usize],
    ) -> Result<Equations, Error> {
        // E and Q know no constraints: no chart is wanted
        let none = Rows::default();
        let given = Ingredients::of(system, mode, &none, ChartKind::Rates, at);
        let R = write_motion(&given, rows)?;
        let G: Vec<Expr> = rows.list.iter().map(|row| row.acceleration(&given.q_ddot)).collect();
        let h: Vec<Expr> = rows.list.iter().filter_map(|row| row.velocity).collect();
        let f: Vec<Expr> = rows.list.iter().filter(|row| row.order == 0).map(|row| row.f).collect();
        let (velocities, g, g_dot) = list_velocities(system)?;
        let observed: Vec<Expr> = outputs.iter().map(|output| output.1).collect();
        let laws: Vec<Expr> = system.states.iter().map(|state| state.rate).collect();
        let (list, begins) = join([&R, &G, &h, &f, &g, &g_dot, &observed, further, &laws]);
        let (inputs, list) = with_changes(system, &list, solved).map_err(no_derivative)?;
        let seen = collect_symbols(&list, &begins);
        let mut symbols: Vec<Expr> = system.parameters.iter().map(|parameter| parameter.symbol).collect();
        let parameters = symbols.len();
        symbols.push(system.time);
        symbols.extend(given.q.iter().chain(&given.q_dot).chain(&given.q_ddot));
        symbols.extend(rows.list.iter().map(|row| row.lambda));
        symbols.extend(inputs.iter().map(|input| input.1));
        symbols.extend(system.state_symbols());
        let constraints = list[begins[Of::Velocity as usize]..begins[Of::Position as usize + 1]].to_vec();
        let tape = Tape::new(&symbols, fixed, &[], &[constraints, list.clone()]).map_err(Error::new)?;
        Ok(Equations {
            names: system.coordinates.iter().map(|coordinate| coordinate.name.clone()).collect(),
            rows: rows.list.iter().map(|row| row.name.clone()).collect(),
            orders: rows.list.iter().map(|row| row.order).collect(),
            velocities,
            inputs: inputs.into_iter().map(|input| input.0).collect(),
            states: system.states.iter().map(|state| state.name.clone()).collect(),
            outputs: outputs.into_iter().map(|output| output.0).collect(),
            absent: given.q.iter().map(|q| !seen.contains(q)).collect(),
            plain: (0..given.q.len()).map(|s| rows.list.iter().all(|row| is_constant(row.A[s]))).collect(),
            has_time: seen.contains(&system.time),
            symbols,
            list,
            begins,
            parameters,
            tape,
        })
    }

    /// How many coordinates there are.
    pub fn n(&self) -> usize {
        self.names.len()
    }

    /// Where the equations of a kind stand in the list.
    pub fn of(&self, kind: Of) -> Range<usize> {
        self.begins[kind as usize]..self.begins[kind as usize + 1]
    }

    /// Where the slopes by a kind of symbol stand in a row.
    pub fn by(&self, kind: By) -> Range<usize> {
        let (n, m) = (self.n(), self.rows.len());
        let inputs = 3 * n + m..3 * n + m + self.inputs.len();
        match kind {
            By::Q => 0..n,
            By::Rate => n..2 * n,
            By::Acceleration => 2 * n..3 * n,
            By::Multiplier => 3 * n..3 * n + m,
            By::State => inputs.end..inputs.end + self.states.len(),
            By::Driver => inputs.start..inputs.end + self.states.len(),
            By::Input => inputs,
        }
    }

    /// The symbols that slopes are taken by.
    pub fn moving(&self) -> &[Expr] {
        &self.symbols[self.parameters + 1..]
    }

    /// A block of slopes.
    pub fn block<T: Copy>(&self, slopes: &Slopes<T>, of: Of, by: By) -> Vec<Vec<T>> {
        let columns = self.by(by);
        slopes.by[self.of(of)].iter().map(|row| row[columns.clone()].to_vec()).collect()
    }

    fn put(&self, state: &State) -> Vec<f64> {
        let mut values = state.parameters.clone();
        values.push(state.t);
        for list in [&state.q, &state.q_dot, &state.q_ddot, &state.lambda] {
            values.extend(list);
        }
        values.extend(&state.changes);
        values.extend(&state.states);
        values
    }

    /// A state as a value, with accelerations and multipliers.
    pub fn at(&self, state: &State) -> At {
        At::new(&self.symbols.iter().copied().zip(self.put(state)).collect::<Vec<_>>())
    }

    /// The values of all equations at a state.
    pub fn values(&self, state: &State) -> Vec<f64> {
        let mut memory = self.tape.memory::<f64>();
        self.put(state).into_iter().enumerate().for_each(|(k, value)| self.tape.put(&mut memory, k, value));
        (0..2).for_each(|stage| self.tape.run(stage, Switches::Free, &mut memory));
        self.tape.outputs(1).iter().map(|&slot| memory[slot as usize]).collect()
    }

    /// The values of all equations at a state, and their slopes by accelerations and multipliers alone.
    pub fn steepness(&self, state: &State) -> (Vec<f64>, Vec<Vec<f64>>) {
        let (values, by) = self.along(state, 1, self.by(By::Acceleration).start..self.by(By::Multiplier).end);
        (values, by.iter().map(|row| row.iter().map(|x| x.value).collect()).collect())
    }

    /// Values and slopes at a state.
    pub fn slopes(&self, state: &State) -> Slopes<Weighed> {
        let (values, mut by) = self.along(state, 1, 0..self.by(By::State).end);
        for kind in [By::Q, By::Rate, By::Acceleration, By::Multiplier, By::Input, By::State] {
            by.iter_mut().for_each(|row| without_noise(&mut row[self.by(kind)]));
        }
        Slopes { values: values.into_iter().map(Weighed::new).collect(), by }
    }

    /// Values and slopes at a state, as they come: infinite where they are.
    pub fn plain_slopes(&self, state: &State) -> (Vec<f64>, Vec<Vec<f64>>) {
        let (values, by) = self.along(state, 1, 0..self.by(By::State).end);
        (values, by.iter().map(|row| row.iter().map(|x| x.value).collect()).collect())
    }

    /// The constraints (3) of a kind at a state: their values, and their slopes by one kind of symbol.
    pub fn constraints(&self, state: &State, of: Of, by: By) -> (Vec<f64>, Vec<Vec<f64>>) {
        let (values, slopes) = self.along(state, 0, self.by(by));
        let (first, range) = (self.of(Of::Velocity).start, self.of(of));
        let places = range.start - first..range.end - first;
        let numbers = |row: &Vec<Weighed>| row.iter().map(|x| x.value).collect();
        (values[places.clone()].to_vec(), slopes[places].iter().map(numbers).collect())
    }

    /// Values of the outputs of a stage, and their slopes along some of the symbols that move.
    fn along(&self, state: &State, stage: usize, columns: Range<usize>) -> (Vec<f64>, Vec<Vec<Weighed>>) {
        let at = self.put(state);
        let first = self.parameters + 1;
        let mut memory = self.tape.memory::<Slope<LANES>>();
        let outputs = self.tape.outputs(stage);
        let mut by = vec![Vec::with_capacity(columns.len()); outputs.len()];
        let mut values = Vec::new();
        let mut begin = columns.start;
        loop {
            for (k, &value) in at.iter().enumerate() {
                let direction = if k >= first { (k - first).wrapping_sub(begin) } else { LANES };
                self.tape.put(&mut memory, k, Slope::moving(value, direction));
            }
            (0..=stage).for_each(|stage| self.tape.run(stage, Switches::Free, &mut memory));
            let lanes = (columns.end - begin).min(LANES);
            for (row, &slot) in by.iter_mut().zip(outputs) {
                row.extend(memory[slot as usize].along[..lanes].iter().map(|&slope| Weighed::new(slope)));
            }
            if values.is_empty() {
                values = outputs.iter().map(|&slot| memory[slot as usize].value).collect();
            }
            begin += LANES;
            if begin >= columns.end {
                break;
            }
        }
        (values, by)
    }
}

/// Slopes by one kind of symbol come from sums of about the same size: what is smaller than the rounding of the largest
/// is zero, and the others are weighed as it is.
fn without_noise(row: &mut [Weighed]) {
    const NOISE: f64 = 4e-16;
    let size = row.iter().fold(0.0_f64, |size, x| size.max(x.value.abs()));
    if !size.is_finite() || row.iter().any(|x| x.value.is_nan()) {
        return;
    }
    for x in row.iter_mut().filter(|x| x.value != 0.0) {
        *x = if x.value.abs() <= NOISE * size { Weighed::new(0.0) } else { Weighed { size, ..*x } };
    }
}

/// Names of inputs, and the symbols of their changes.
type Changes = Vec<(String, Expr)>;

/// The expressions with inputs as their value and a change; those that are looked for are the change alone.
fn with_changes(system: &System, list: &[Expr], solved: &[usize]) -> Result<(Changes, Vec<Expr>), expr::MathError> {
    let mut list = list.to_vec();
    let mut changes = Vec::new();
    for (place, input) in system.inputs.iter().enumerate().rev() {
        let change = expr::symbol(Symbol::new(&format!("{}@change", input.name), Kind::Parameter));
        let said = input.value.filter(|_| !solved.contains(&place)).unwrap_or_else(Expr::zero);
        let value = said + change;
        list = Substitution::from([(input.symbol, value)]).apply(&list)?;
        changes.push((input.name.clone(), change));
    }
    changes.reverse();
    Ok((changes, list))
}

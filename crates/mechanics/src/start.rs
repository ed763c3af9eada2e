//! In which state does a motion start? What the model gives, what its constraints then fix, zero for the rest.
//!
//! ```text
//! positions    start lines f(q, t) = 0,  geometric rows f(q, t) = 0                  → q
//! rates        start lines g(q, q', t) = 0,  f' = 0,  first-order rows g = 0         → q'
//! ```
//!
//! Positions come first, then rates. A line `coordinate = known value` is taken as it stands; the
//! other equations are solved by Newton's method, from `guess` or from zero. Coordinates that
//! no equation fixes are zero, in the order of declaration: those declared last are solved for,
//! those with a guess before all others. Where more have a guess than are needed, the state
//! nearest to the guess is taken.  Which ones are fixed is decided at a generic point, so that
//! a start at a symmetric place is no obstacle. Constraints with `from` or `until` that depend on the state take part
//! if they are switched on at the state that is found.
//!
//! The numbers of a first state are floating point, and they stay in this file and the two below it; what
//! is given exactly is kept exactly beside its number. Without a value for every parameter the numbers
//! are left out, and equations between exact values are checked as expressions.

mod generic;
mod solve;
mod touch;

use expr::{At, Expr, Floats, Kind, Substitution, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{Axis, Span};

use crate::standing::{Standing, switched};
use crate::{Constraint, Equation, Orientation, Sense, System};
pub use generic::generic;
use solve::{Row, Solver, Unknown};

/// Larger residuals, against the size of their row, are contradictions.
const CONTRADICTION: f64 = 1e-9;
/// What the rounding of values does to a row, relative to what it feels of them.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Rates that are smaller, against what their coordinates are by nature in a second, are rest: they have no size of their own.
const STILL: f64 = 1e-15;
/// A gap that is smaller, in SI units, is closed.
const CLOSED: f64 = 1e-9;

/// The first state of a motion, and how it was found.
#[derive(Clone, Debug)]
pub struct StartReport {
    /// The time.
    pub time: StartValue,
    /// The coordinates, in their order.
    pub coordinates: Vec<StartValue>,
    /// Their rates.
    pub rates: Vec<StartValue>,
    /// The first-order states, in their order.
    pub states: Vec<StartValue>,
    /// The speeds by their definitions, in their order.
    pub speeds: Vec<Option<f64>>,
    /// The parameters in numbers, in their order.
    pub parameters: Vec<Option<f64>>,
    /// Every equation that was solved or checked, with what is left of it.
    pub rows: Vec<Residual>,
    /// The largest relative residual; `None` without numbers.
    pub residual: Option<f64>,
    /// The rows that do not hold.
    pub contradictions: Vec<Contradiction>,
    /// The lines of `guess`, and whether they were of use.
    pub guesses: Vec<(String, bool)>,
    /// Parameters, inputs and unknowns without a value that the start needs.
    pub missing: Vec<String>,
    /// Constraints that are not switched on yet.
    pub inactive: Vec<String>,
    /// Values that a root of higher multiplicity leaves open beyond some digits.
    pub vague: Vec<Expr>,
}

/// A value of the first state.
#[derive(Clone, Debug)]
pub struct StartValue {
    /// Whose value.
    pub symbol: Expr,
    /// How it was found.
    pub found: Found,
    /// What it is exactly, in numbers and parameters, if that is known.
    pub exact: Option<Expr>,
    /// What it is in floating point; `None` if a parameter has no value.
    pub number: Option<f64>,
}

/// How a value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Found {
    /// A line of `start` says it.
    Given,
    /// Equations fix it.
    Solved,
    /// Nothing fixes it.
    Zeroed,
}

/// An equation of the first state, and what is left of it there.
#[derive(Clone, Debug)]
pub struct Residual {
    /// The line of `start` as written, or the name of the constraint.
    pub name: String,
    /// Whether it is a constraint.
    pub is_constraint: bool,
    /// The component, if it belongs to a vector.
    pub axis: Option<Axis>,
    /// Whether it fixes positions or rates.
    pub level: Level,
    /// Left minus right; the time derivative of a geometric constraint at the level of rates.
    pub row: Expr,
    /// What is left of it; `None` without numbers.
    pub amount: Option<f64>,
    /// The same against the size of its terms.
    pub relative: Option<f64>,
    /// Where it stands.
    pub span: Span,
}

/// What an equation fixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Coordinates.
    Position,
    /// Rates.
    Velocity,
}

/// A row that does not hold.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// Its place in [`StartReport::rows`].
    pub row: usize,
    /// By how much it misses; `None` without numbers.
    pub misses_by: Option<f64>,
    /// The same as an expression of the parameters, where no numbers are known.
    pub exactly: Option<Expr>,
    /// The lines and constraints that it cannot hold together with.
    pub with: Vec<String>,
}

impl StartReport {
    /// Do all equations hold?
    pub fn is_consistent(&self) -> bool {
        self.contradictions.is_empty()
    }

    /// All values: coordinates, then rates, then first-order states.
    pub fn values(&self) -> impl Iterator<Item = &StartValue> {
        self.coordinates.iter().chain(&self.rates).chain(&self.states)
    }

    /// The numbers of parameters, time, coordinates and rates, as far as they are known.
    pub fn state(&self, system: &System) -> Vec<(Expr, f64)> {
        let parameters = system.parameters.iter().zip(&self.parameters);
        let parameters = parameters.filter_map(|(parameter, number)| Some((parameter.symbol, (*number)?)));
        let values = [&self.time].into_iter().chain(self.values());
        parameters.chain(values.filter_map(|value| Some((value.symbol, value.number?)))).collect()
    }

    /// The state as a value: parameters, time, coordinates and rates, and what follows from them for speeds and inputs.
    pub fn at(&self, system: &System) -> At {
        self.at_with(system, &[])
    }

    /// The same with other rates: those after an impulse.
    pub fn with_rates(mut self, system: &System, rates: &[f64]) -> StartReport {
        for (value, &rate) in self.rates.iter_mut().zip(rates) {
            (value.found, value.exact, value.number) = (Found::Solved, None, Some(rate));
        }
        let at = self.at_with(system, &system.q_dot().into_iter().zip(rates.iter().copied()).collect::<Vec<_>>());
        self.speeds = system.speeds.iter().map(|speed| Some(at.value(speed.definition))).collect();
        self
    }

    /// The state with accelerations, multipliers, loads or whatever else has numbers there.
    pub fn at_with(&self, system: &System, more: &[(Expr, f64)]) -> At {
        let mut values = self.state(system);
        let speeds = system.speeds.iter().zip(&self.speeds);
        values.extend(speeds.filter_map(|(speed, number)| Some((speed.symbol, (*number)?))));
        values.extend(more);
        with_inputs(At::new(&values), system)
    }
}

/// A state in which inputs have the values that follow from the others.
pub fn with_inputs(at: At, system: &System) -> At {
    let inputs = system.inputs.iter().filter_map(|input| Some((input.symbol, at.value(input.value?))));
    let inputs: Vec<(Expr, f64)> = inputs.collect();
    if inputs.is_empty() { at } else { at.with(&inputs) }
}

/// The first state of a system.
pub fn start(system: &System) -> StartReport {
    state(system, &system.start, &system.guesses)
}

/// The first state, where these equations take the places of the start lines with the same left sides.
pub fn start_with(system: &System, overrides: &[Equation]) -> StartReport {
    let is_same = |old: &Equation| overrides.iter().any(|new| old.left == new.left && old.axis == new.axis);
    let kept = system.start.iter().filter(|old| !is_same(old));
    let equations: Vec<Equation> = kept.chain(overrides).cloned().collect();
    state(system, &equations, &system.guesses)
}

/// The state of a system that satisfies these equations and its constraints, near these guesses.
pub fn state(system: &System, equations: &[Equation], guesses: &[Equation]) -> StartReport {
    let rolling = started(system, equations, guesses, true);
    if rolling.is_consistent() || !system.contacts.iter().any(is_rolling) {
        return rolling;
    }
    let slipping = started(system, equations, guesses, false);
    if slipping.is_consistent() { slipping } else { rolling }
}

/// A rough contact that is meant to roll; it may slip.
fn is_rolling(contact: &crate::Contact) -> bool {
    contact.rough && contact.motion == crate::ContactMotion::Rolls
}

/// The first state where rough contacts that are meant to roll do so, or may slip.
fn started(system: &System, equations: &[Equation], guesses: &[Equation], rolls: bool) -> StartReport {
    const MOST: usize = 4;
    let mut search = Search::new(system, equations, guesses);
    search.rolls = rolls;
    search.give();
    search.acting = search.switched_at_once();
    for _ in 0..MOST {
        search.make_rows();
        let (report, acting) = search.find();
        if acting == search.acting {
            return report;
        }
        search.acting = acting;
    }
    search.make_rows();
    search.find().0
}

// What an expression depends on.
const POSITION: u8 = 1;
const RATE: u8 = 2;
const TIME: u8 = 4;
const MISSING: u8 = 8;

/// The search for a first state. Places count coordinates first, then rates.
struct Search<'a> {
    system: &'a System,
    /// Loads with a value, and their values.
    loads: Substitution,
    equations: Vec<Equation>,
    guesses: Vec<Equation>,
    places: FxHashMap<Symbol, usize>,
    symbols: Vec<Expr>,
    /// Values that lines give: the value and the line.
    given: Vec<Option<(Expr, usize)>>,
    /// The same for first-order states.
    states: Vec<Option<(Expr, usize)>>,
    time: Option<Expr>,
    rows: Vec<Residual>,
    /// Whether each constraint is switched on.
    acting: Vec<bool>,
    /// Whether rough contacts roll.
    rolls: bool,
    inactive: Vec<String>,
}

impl<'a> Search<'a> {
    fn new(system: &'a System, equations: &[Equation], guesses: &[Equation]) -> Search<'a> {
        let (equations, guesses) = (equations.to_vec(), guesses.to_vec());
        let loads: Substitution = system.inputs.iter().filter_map(|input| Some((input.symbol, input.value?))).collect();
        let symbols: Vec<Expr> = system.q().into_iter().chain(system.q_dot()).collect();
        let places = symbols.iter().enumerate().filter_map(|(place, q)| Some((q.as_symbol()?, place))).collect();
        let given = vec![None; symbols.len()];
        let (rows, acting, inactive) = (Vec::new(), Vec::new(), Vec::new());
        Search {
            system,
            loads,
            equations,
            guesses,
            places,
            symbols,
            given,
            states: vec![None; system.states.len()],
            time: None,
            rows,
            acting,
            rolls: true,
            inactive,
        }
    }

    /// What a symbol is for [`Floats::spread`].
    fn kind(&self, symbol: &Symbol) -> u8 {
        match (symbol.kind, symbol.order) {
            (Kind::Coordinate, 0) => POSITION,
            (Kind::Coordinate, _) => RATE,
            (Kind::Time, _) => TIME,
            _ => 0,
        }
    }

    /// Takes lines `coordinate = known value` as they stand.
    fn give(&mut self) {
        self.give_states();
        let loads = &self.loads;
        let with_loads = |e: Expr| substituted(e, loads);
        for equation in self.equations.iter_mut().chain(&mut self.guesses) {
            (equation.left, equation.right) = (with_loads(equation.left), with_loads(equation.right));
        }
        let sides: Vec<Expr> = self.equations.iter().flat_map(|equation| [equation.left, equation.right]).collect();
        let numbers = Floats::new(&sides);
        let bits = numbers.spread(|symbol| self.kind(symbol));
        let depends = |side: usize| bits[numbers.output(side)];
        let time = self.system.time;
        self.time = self.equations.iter().enumerate().find_map(|(line, equation)| {
            (equation.left == time && depends(2 * line + 1) == 0).then_some(equation.right)
        });
        let mut known = Substitution::from([(time, self.time.unwrap_or_else(Expr::zero))]);
        for line in 0..self.equations.len() {
            let Equation { left, right, .. } = self.equations[line];
            for (symbol, value, side) in [(left, right, 2 * line + 1), (right, left, 2 * line)] {
                let place = symbol.as_symbol().and_then(|symbol| self.places.get(&symbol).copied());
                let Some(place) = place.filter(|&place| self.given[place].is_none()) else { continue };
                let value = if depends(side) == 0 { value } else { substituted(value, &known) };
                let is_known = depends(side) == 0 || value.symbols().iter().all(|s| !self.is_moving(*s));
                if is_known {
                    self.given[place] = Some((value, line));
                    known.insert(symbol, value);
                    break;
                }
            }
        }
    }

    /// Takes lines `state = value`; a state that none gives is zero. From here on states are their values.
    fn give_states(&mut self) {
        let mut known = Substitution::default();
        let symbols = self.system.state_symbols();
        for (line, equation) in self.equations.iter().enumerate() {
            for (symbol, value) in [(equation.left, equation.right), (equation.right, equation.left)] {
                let place = symbols.iter().position(|&state| state == symbol);
                let Some(place) = place.filter(|&place| self.states[place].is_none()) else { continue };
                let value = substituted(substituted(value, &self.loads), &known);
                if value.symbols().iter().all(|symbol| !symbols.contains(symbol)) {
                    self.states[place] = Some((value, line));
                    known.insert(symbol, value);
                    break;
                }
            }
        }
        let free = symbols.iter().zip(&self.states).filter(|(_, given)| given.is_none());
        known.extend(free.map(|(&symbol, _)| (symbol, Expr::zero())));
        let loads =
            self.system.inputs.iter().filter_map(|input| Some((input.symbol, substituted(input.value?, &known))));
        self.loads = loads.chain(known.iter().copied()).collect();
    }

    /// The first values of states, once coordinates and rates are known.
    fn states_at(&self, report: &StartReport) -> Vec<StartValue> {
        if self.states.is_empty() {
            return Vec::new();
        }
        let at = At::new(&report.state(self.system));
        let value = |(symbol, given): (Expr, &Option<(Expr, usize)>)| {
            let (exact, found) = match given {
                Some((value, _)) => (*value, Found::Given),
                None => (Expr::zero(), Found::Zeroed),
            };
            let number = Some(at.value(exact)).filter(|number| number.is_finite());
            let is_known = exact.symbols().iter().all(|symbol| !self.is_moving(*symbol));
            StartValue { symbol, found, exact: is_known.then_some(exact), number }
        };
        self.system.state_symbols().into_iter().zip(&self.states).map(value).collect()
    }

    /// Loads without a value that the first values of states depend on, as far as nothing else does.
    fn valueless(&self, report: &StartReport) -> Vec<String> {
        let symbols: Vec<Expr> = self.states.iter().flatten().flat_map(|(value, _)| value.symbols()).collect();
        let inputs = self.system.inputs.iter().filter(|one| one.value.is_none()).map(|one| (&one.name, one.symbol));
        let all = inputs.chain(self.system.unknowns.iter().map(|one| (&one.name, one.symbol)));
        let is_new = |name: &String| !report.missing.contains(name);
        let needed = all.filter(|(name, symbol)| symbols.contains(symbol) && is_new(name));
        needed.map(|(name, _)| name.clone()).collect()
    }

    fn is_moving(&self, symbol: Expr) -> bool {
        symbol.as_symbol().is_some_and(|symbol| self.kind(&symbol) != 0)
    }

    /// Lists the equations that are left: start lines, constraints, derivatives of geometric ones.
    fn make_rows(&mut self) {
        (self.rows, self.inactive) = (Vec::new(), Vec::new());
        let taken: Vec<usize> = self.given.iter().chain(&self.states).flatten().map(|(_, line)| *line).collect();
        let mut is_taken = vec![false; self.equations.len()];
        taken.into_iter().for_each(|line| is_taken[line] = true);
        let time = self.system.time;
        let lines = self.equations.iter().zip(&is_taken).filter(|(equation, taken)| !**taken && equation.left != time);
        let mut candidates: Vec<Residual> = lines.map(|(equation, _)| of_line(equation)).collect();
        for (constraint, &acting) in self.system.constraints.iter().zip(&self.acting) {
            if constraint.sense != Sense::Equal {
                continue;
            }
            if !acting {
                self.inactive.push(constraint.name.clone());
                continue;
            }
            for (place, &row) in constraint.rows.iter().enumerate() {
                let row = substituted(row, &self.loads);
                let name = match constraint.labels.get(place) {
                    Some(label) => format!("{}.{label}", constraint.name),
                    None => constraint.name.clone(),
                };
                candidates.push(Residual {
                    name,
                    is_constraint: true,
                    axis: constraint.axes.get(place).copied(),
                    level: Level::Position,
                    row,
                    amount: None,
                    relative: None,
                    span: constraint.span,
                });
            }
        }
        let rows: Vec<Expr> = candidates.iter().map(|candidate| candidate.row).collect();
        let numbers = Floats::new(&rows);
        let order = numbers.spread(|symbol| match symbol.kind {
            Kind::Coordinate => 1 << symbol.order.min(7),
            _ => 0,
        });
        let mut derivatives = Vec::new();
        for (place, mut candidate) in candidates.into_iter().enumerate() {
            match order[numbers.output(place)] {
                // Accelerations: nothing that a first state could satisfy.
                4.. => continue,
                2.. => candidate.level = Level::Velocity,
                _ if candidate.is_constraint => {
                    let derivative = expr::total_derivative(candidate.row);
                    let derivative =
                        derivative.map(|row| Residual { row, level: Level::Velocity, ..candidate.clone() });
                    derivatives.extend(derivative);
                }
                _ => {}
            }
            self.rows.push(candidate);
        }
        self.rows.extend(derivatives);
        self.rows.sort_by_key(|row| row.level);
    }

    /// Which constraints are switched on, by relations of time and parameters alone.
    fn switched_at_once(&self) -> Vec<bool> {
        let known = Substitution::from([(self.system.time, self.time.unwrap_or_else(Expr::zero))]);
        let values = self.system.parameter_values();
        let value = |difference: Expr| {
            let difference = substituted(substituted(difference, &known), &values);
            let number = if difference.is_zero() { 0.0 } else { At::generic().value(difference) };
            difference.is_constant().then_some(number)
        };
        let acts = |one: &Constraint| self.holds(one) && switched(one, &value) == Standing::Acts;
        self.system.constraints.iter().map(acts).collect()
    }

    /// Whether friction lets a constraint act.
    fn holds(&self, constraint: &Constraint) -> bool {
        let contact = crate::contact::contact_of(constraint).map(|place| &self.system.contacts[place]);
        !constraint.is_rough || self.rolls && contact.is_some_and(is_rolling)
    }

    /// The same at the state that was found.
    fn switched_there(&self, report: &StartReport) -> Vec<bool> {
        let is_unswitched = |one: &Constraint| one.from.is_none() && one.until.is_none() && !one.while_closed;
        let unswitched = self.system.constraints.iter().all(is_unswitched);
        if unswitched || !report.missing.is_empty() {
            return self.acting.clone();
        }
        let state = report.state(self.system);
        let value = |difference: Expr| {
            let difference = substituted(difference, &self.loads);
            let floats = Floats::new(&[difference]);
            let mut values = vec![0.0; floats.len()];
            for (symbol, _, step) in floats.symbols() {
                values[step] = state.iter().find(|known| known.0 == symbol)?.1;
            }
            floats.run(0..floats.len(), &mut values);
            Some(values[floats.output(0)])
        };
        // No slip of a contact that may open holds where the gap and its rate are zero.
        let is_closed = |gap: &Constraint| {
            let of_row = |&row: &Expr| [Some(row), expr::total_derivative(row).ok()];
            let parts = gap.rows.iter().flat_map(of_row).flatten();
            parts.into_iter().all(|part| value(part).is_none_or(|value| value.abs() <= CLOSED))
        };
        let acts = |constraint: &Constraint| match crate::contact::gap_of(self.system, constraint) {
            _ if !self.holds(constraint) => false,
            Some(gap) => is_closed(&self.system.constraints[gap]),
            None => switched(constraint, &value) == Standing::Acts,
        };
        self.system.constraints.iter().map(acts).collect()
    }

    /// The first state, and which constraints are switched on there.
    fn find(&self) -> (StartReport, Vec<bool>) {
        let program = Outputs::new(self);
        let numbers = &program.numbers;
        let mut values = vec![0.0; numbers.len()];
        numbers.run(0..numbers.len(), &mut values);
        let parameters = self.put_parameters(&program, &mut values);
        numbers.run(0..numbers.len(), &mut values);
        self.put_given(&program, &mut values);
        numbers.run(0..numbers.len(), &mut values);

        let missing = self.missing(&program);
        let mut solver = self.solver(&program, values);
        let guessed = self.put_guesses(&program, &mut solver);
        for level in [Level::Position, Level::Velocity] {
            solver.solve(level, missing.is_empty());
        }

        let mut report = self.report(&program, &solver, parameters, missing);
        let is_solved = |place: &usize| report.values().nth(*place).is_some_and(|value| value.found == Found::Solved);
        let mut guesses: Vec<(String, bool)> = Vec::new();
        for (line, places) in guessed {
            let (text, used) = (&self.guesses[line].text, places.iter().any(is_solved));
            match guesses.last_mut().filter(|last| last.0 == *text) {
                Some(last) => last.1 |= used,
                None => guesses.push((text.clone(), used)),
            }
        }
        report.guesses = guesses;
        report.states = self.states_at(&report);
        report.missing.extend(self.valueless(&report));
        self.judge(&mut report, &program, &solver);
        let acting = self.switched_there(&report);
        (report, acting)
    }

    fn solver<'n>(&self, program: &'n Outputs, values: Vec<f64>) -> Solver<'n> {
        let row = |row: usize| Row {
            output: program.numbers.output(program.rows + row),
            level: self.rows[row].level,
            // Start lines are respected before constraints.
            rank: usize::from(self.rows[row].is_constraint),
            ghosts: self.ghosts(self.rows[row].row),
        };
        let unknown = |place: usize| Unknown {
            symbol: self.symbols[place].as_symbol().expect("a coordinate is a symbol"),
            step: program.numbers.step_of(self.symbols[place]).expect("all unknowns are outputs"),
            level: if place < self.system.coordinates.len() { Level::Position } else { Level::Velocity },
            is_given: self.given[place].is_some(),
            guess: None,
        };
        let rows = (0..self.rows.len()).map(row).collect();
        let unknowns = (0..self.symbols.len()).map(unknown).collect();
        Solver::new(&program.numbers, values, rows, unknowns)
    }

    /// The unknowns that only seem to occur in a row: it does not change with them.
    fn ghosts(&self, row: Expr) -> Vec<usize> {
        let symbols: Vec<(Expr, usize)> = row
            .symbols()
            .into_iter()
            .filter_map(|symbol| Some((symbol, *self.places.get(&symbol.as_symbol()?)?)))
            .collect();
        let of: Vec<Expr> = symbols.iter().map(|pair| pair.0).collect();
        let Ok(slopes) = expr::gradient(row, &of) else { return Vec::new() };
        symbols.iter().zip(slopes).filter(|(_, slope)| slope.is_zero()).map(|(pair, _)| pair.1).collect()
    }

    fn report(
        &self,
        program: &Outputs,
        solver: &Solver<'_>,
        parameters: Vec<Option<f64>>,
        missing: Vec<String>,
    ) -> StartReport {
        let number = |output: usize| {
            let step = program.numbers.output(output);
            (program.bits[step] & MISSING == 0).then(|| solver.values[step])
        };
        let value = |place: usize| {
            let (found, exact, number) = match self.given[place] {
                Some((exact, _)) => (Found::Given, Some(exact), number(program.given + place)),
                None if solver.zeroed[place] => (Found::Zeroed, Some(Expr::zero()), Some(0.0)),
                None => (Found::Solved, None, missing.is_empty().then(|| solver.state[place] + 0.0)),
            };
            StartValue { symbol: self.symbols[place], found, exact, number }
        };
        let time = StartValue {
            symbol: self.system.time,
            found: if self.time.is_some() { Found::Given } else { Found::Zeroed },
            exact: Some(self.time.unwrap_or_else(Expr::zero)),
            number: number(program.time),
        };
        let coordinates = self.system.coordinates.len();
        let speeds = (0..self.system.speeds.len()).map(|place| number(program.speeds + place));
        let speeds = speeds.map(|number| number.filter(|_| missing.is_empty())).collect();
        StartReport {
            time,
            coordinates: (0..coordinates).map(value).collect(),
            rates: (coordinates..self.symbols.len()).map(value).collect(),
            states: Vec::new(),
            speeds,
            parameters,
            rows: self.rows.clone(),
            residual: None,
            contradictions: Vec::new(),
            guesses: Vec::new(),
            inactive: self.inactive.clone(),
            vague: (0..self.symbols.len())
                .filter(|&place| solver.vague[place])
                .map(|place| self.symbols[place])
                .collect(),
            missing,
        }
    }

    /// Puts the numbers of parameters in their places; random ones for those without a value.
    fn put_parameters(&self, program: &Outputs, values: &mut [f64]) -> Vec<Option<f64>> {
        for (_, symbol, step) in program.numbers.symbols() {
            if matches!(symbol.kind, Kind::Parameter | Kind::Input) {
                values[step] = solve::somewhere(0.5, 1.5, symbol);
            }
        }
        let mut found = Vec::new();
        for (place, parameter) in self.system.parameters.iter().enumerate() {
            let number = parameter.value.map(|_| values[program.numbers.output(program.parameters + place)]);
            let step = program.numbers.step_of(parameter.symbol);
            if let (Some(number), Some(step)) = (number, step) {
                values[step] = number;
            }
            found.push(number);
        }
        found
    }

    /// Puts the time and what lines give in their places.
    fn put_given(&self, program: &Outputs, values: &mut [f64]) {
        let step_of = |e: Expr| program.numbers.step_of(e);
        if let Some(step) = step_of(self.system.time) {
            values[step] = values[program.numbers.output(program.time)];
        }
        for (place, given) in self.given.iter().enumerate() {
            if let (Some(_), Some(step)) = (given, step_of(self.symbols[place])) {
                values[step] = values[program.numbers.output(program.given + place)];
            }
        }
    }

    /// Tells the solver the guesses; for each line, whose values it speaks of.
    fn put_guesses(&self, program: &Outputs, solver: &mut Solver<'_>) -> Vec<(usize, Vec<usize>)> {
        for (place, given) in self.given.iter().enumerate() {
            if given.is_some() {
                solver.state[place] = solver.values[program.numbers.output(program.given + place)];
            }
        }
        let mut lines = Vec::new();
        let mut others = Vec::new();
        for (line, guess) in self.guesses.iter().enumerate() {
            let place = guess.left.as_symbol().and_then(|symbol| self.places.get(&symbol).copied());
            match place {
                Some(place) => {
                    solver.unknowns[place].guess = Some(solver.values[program.numbers.output(program.guesses + line)]);
                    lines.push((line, vec![place]));
                }
                None => {
                    let output = program.numbers.output(program.guess_rows + line);
                    let places = solver.places_below(output);
                    others.push(output);
                    lines.push((line, places));
                }
            }
        }
        solver.approximate(&others);
        self.prefer_no_rotation(solver);
        lines
    }

    /// A quaternion of which nothing is said is (1, 0, 0, 0): its scalar part is solved for, not its last part.
    fn prefer_no_rotation(&self, solver: &mut Solver<'_>) {
        for frame in &self.system.frames {
            let Orientation::Quaternion(parts) = &frame.orientation else { continue };
            let place = |part: &Expr| part.as_symbol().and_then(|symbol| self.places.get(&symbol).copied());
            let Some(places) = parts.iter().map(place).collect::<Option<Vec<usize>>>() else { continue };
            let is_free = |&place: &usize| solver.unknowns[place].guess.is_none();
            if self.given[places[0]].is_none() && places.iter().all(is_free) {
                solver.unknowns[places[0]].guess = Some(1.0);
            }
        }
    }

    /// The constants without a value that the equations and the given values depend on.
    fn missing(&self, program: &Outputs) -> Vec<String> {
        let numbers = &program.numbers;
        let given =
            (0..self.given.len()).filter(|&place| self.given[place].is_some()).map(|place| program.given + place);
        let rows = (0..self.rows.len()).map(|row| program.rows + row);
        let roots: Vec<usize> = given.chain(rows).chain([program.time]).map(|output| numbers.output(output)).collect();
        let steps = numbers.below(&roots, &|step| program.bits[step] & MISSING != 0);
        let loads = self.system.inputs.iter().map(|input| (&input.name, input.symbol));
        let loads = loads.chain(self.system.unknowns.iter().map(|unknown| (&unknown.name, unknown.symbol)));
        let all = self.system.parameters.iter().map(|parameter| (&parameter.name, parameter.symbol)).chain(loads);
        let is_needed = |symbol: Expr| numbers.step_of(symbol).is_some_and(|step| steps.binary_search(&step).is_ok());
        all.filter(|(_, symbol)| is_needed(*symbol)).map(|(name, _)| name.clone()).collect()
    }

    /// Measures every row, and names those that do not hold.
    fn judge(&self, report: &mut StartReport, program: &Outputs, solver: &Solver<'_>) {
        let numbers = &program.numbers;
        if !report.missing.is_empty() {
            return self.judge_exactly(report, program, solver);
        }
        let sizes = numbers.sizes(&solver.values);
        let mut worst = 0.0f64;
        for row in 0..self.rows.len() {
            let output = numbers.output(program.rows + row);
            let amount = solver.values[output];
            let mut relative = solve::relative(amount, sizes[output]);
            if relative > CONTRADICTION && self.rows[row].level == Level::Velocity {
                let natural = self.natural(output, report, program, solver);
                relative = relative.min(solve::relative(amount, sizes[output].max(STILL * natural)));
            }
            if relative > CONTRADICTION && amount.abs() <= ROUNDING * felt(numbers, output, &solver.values) {
                relative = 0.0;
            }
            let residual = &mut report.rows[row];
            (residual.amount, residual.relative) = (Some(amount), Some(relative));
            worst = worst.max(relative);
            if relative > CONTRADICTION {
                let with = self.blamed(row, output, solver);
                report.contradictions.push(Contradiction { row, misses_by: Some(amount), exactly: None, with });
            }
        }
        report.residual = Some(worst);
    }

    /// How large a row on rates is where each rate is as large as its coordinate by nature, a second: the largest
    /// number of its unit among coordinates and parameters, or one.
    fn natural(&self, output: usize, report: &StartReport, program: &Outputs, solver: &Solver<'_>) -> f64 {
        let (numbers, coordinates) = (&program.numbers, &self.system.coordinates);
        let mut slopes = vec![0.0; numbers.len()];
        numbers.gradient(&numbers.below(&[output], &|_| true), &solver.values, &mut slopes);
        let size = |k: usize| {
            let unit = &coordinates[k].dimension;
            let alike = coordinates.iter().zip(&report.coordinates).filter(|(other, _)| other.dimension == *unit);
            let given = self.system.parameters.iter().zip(&report.parameters);
            let given = given.filter(|(parameter, _)| unit.is_some() && parameter.dimension == *unit);
            let values = alike.filter_map(|(_, value)| value.number).chain(given.filter_map(|(_, value)| *value));
            let largest = values.filter(|value| value.is_finite()).fold(0.0, |size: f64, value| size.max(value.abs()));
            if largest > 0.0 { largest } else { 1.0 }
        };
        let slope = |k: usize| numbers.step_of(self.symbols[coordinates.len() + k]).map_or(0.0, |step| slopes[step]);
        let parts = (0..coordinates.len()).map(|k| (slope(k), k)).filter(|(slope, _)| slope.is_finite());
        parts.filter(|(slope, _)| *slope != 0.0).map(|(slope, k)| slope.abs() * size(k)).sum()
    }

    /// What a row cannot hold together with: other rows, or the lines that give its values.
    fn blamed(&self, row: usize, output: usize, solver: &Solver<'_>) -> Vec<String> {
        let mut names: Vec<String> = solver.blamed[row].iter().map(|&other| self.rows[other].name.clone()).collect();
        let mut lines: Vec<usize> =
            solver.places_below(output).into_iter().filter_map(|p| Some(self.given[p]?.1)).collect();
        lines.sort_unstable();
        names.extend(lines.into_iter().map(|line| self.equations[line].text.clone()));
        let mut seen = FxHashSet::from_iter([self.rows[row].name.clone()]);
        names.retain(|name| seen.insert(name.clone()));
        names
    }

    /// Checks the rows whose values are all known exactly, as expressions.
    fn judge_exactly(&self, report: &mut StartReport, program: &Outputs, solver: &Solver<'_>) {
        let values = [&report.time].into_iter().chain(report.values());
        let known: Substitution = values.filter_map(|value| Some((value.symbol, value.exact?))).collect();
        for row in 0..self.rows.len() {
            let left = substituted(self.rows[row].row, &known);
            let left = substituted(left, &self.system.parameter_values());
            let is_known = left.symbols().iter().all(|symbol| !self.is_moving(*symbol));
            if is_known && !left.is_zero() {
                let with = self.blamed(row, program.numbers.output(program.rows + row), solver);
                report.contradictions.push(Contradiction { row, misses_by: None, exactly: Some(left), with });
            }
        }
    }
}

/// What a row changes by where every value changes by its own size.
fn felt(numbers: &Floats, output: usize, values: &[f64]) -> f64 {
    let below = numbers.below(&[output], &|_| true);
    let mut slopes = vec![0.0; numbers.len()];
    numbers.gradient(&below, values, &mut slopes);
    let steps = numbers.symbols().map(|(_, _, step)| step).filter(|step| below.binary_search(step).is_ok());
    steps.map(|step| (slopes[step] * values[step]).abs()).filter(|x| x.is_finite()).sum()
}

/// All expressions of a search in one program, and where each kind begins among its outputs.
struct Outputs {
    numbers: Floats,
    /// What each step depends on.
    bits: Vec<u8>,
    rows: usize,
    given: usize,
    parameters: usize,
    speeds: usize,
    guesses: usize,
    guess_rows: usize,
    time: usize,
}

impl Outputs {
    fn new(search: &Search<'_>) -> Outputs {
        let mut outputs: Vec<Expr> = Vec::new();
        let mut add = |list: Vec<Expr>| {
            let first = outputs.len();
            outputs.extend(list);
            first
        };
        let zero = Expr::zero();
        let rows = add(search.rows.iter().map(|row| row.row).collect());
        let given = add(search.given.iter().map(|given| given.map_or(zero, |(value, _)| value)).collect());
        let parameters = &search.system.parameters;
        let parameters = add(parameters.iter().map(|parameter| parameter.value.unwrap_or(zero)).collect());
        let speeds = add(search.system.speeds.iter().map(|speed| speed.definition).collect());
        let guesses = add(search.guesses.iter().map(|guess| guess.right).collect());
        let guess_rows = add(search.guesses.iter().map(|guess| guess.left - guess.right).collect());
        let time = add(vec![search.time.unwrap_or(zero)]);
        add(search.symbols.clone());
        let numbers = Floats::new(&outputs);
        let known = search.system.parameters.iter().filter(|parameter| parameter.value.is_some());
        let known: FxHashSet<Symbol> = known.filter_map(|parameter| parameter.symbol.as_symbol()).collect();
        let bits = numbers.spread(|symbol| match symbol.kind {
            Kind::Parameter | Kind::Input if !known.contains(symbol) => MISSING,
            _ => search.kind(symbol),
        });
        Outputs { numbers, bits, rows, given, parameters, speeds, guesses, guess_rows, time }
    }
}

fn of_line(equation: &Equation) -> Residual {
    Residual {
        name: equation.text.clone(),
        is_constraint: false,
        axis: equation.axis,
        level: Level::Position,
        row: equation.left - equation.right,
        amount: None,
        relative: None,
        span: equation.span,
    }
}

/// The expression with values put in; as it was where something would not exist then.
fn substituted(e: Expr, map: &Substitution) -> Expr {
    map.apply_one(e).unwrap_or(e)
}

//! Do all forms of a model say the same? First whether the model is one about which the question can be asked.
//!
//! ```text
//! preconditions   the start satisfies every row; rank A = number of independent rows = rank of all rows;
//!                 the mass matrix is regular; so is the matrix of accelerations and multipliers        (1)
//! within a chart  left sides and right sides are the same functions                                    (2)
//! everywhere      the same accelerations and multipliers at some states near the start                 (3)
//! ```
//!
//! States are floating point: the start, and others that were pushed off it and brought back to the constraints.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use expr::{At, Expr, Scope, Substitution};
use mechanics::chart::ChartKind;
use mechanics::form::{Form, FormError, Setting};
use mechanics::formalism::{FORMALISMS, formalism};
use mechanics::ingredients::Ingredients;
use mechanics::rows::{Row, Rows, RowsError};
use mechanics::{Mode, System};
use proof::{Assumptions, Verdict, decide};

use crate::change::Change;
use crate::jet::Jet;

/// Numbers differ if they do by more than this, against their size and the condition of what they come from.
const SAME: f64 = 1e-8;
/// Worse conditioned systems are not asked about.
const CONDITION: f64 = 1e6;
/// Rows at smaller angles than this count as dependent: what is independent must be so by far.
const NEARLY: f64 = 0.03;
/// A residual of a state on the constraints.
const ON: f64 = 1e-12;

/// A state of a system.
#[derive(Clone, Debug)]
pub struct State {
    pub time: f64,
    pub q: Vec<f64>,
    pub q_dot: Vec<f64>,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub states: Vec<State>,
    /// The accelerations at each state.
    pub accelerations: Vec<Vec<f64>>,
    /// The multipliers at each state.
    pub multipliers: Vec<Vec<f64>>,
    /// The names of the rows that carry them.
    pub rows: Vec<String>,
    /// The class of each independent row.
    pub classes: Vec<String>,
    /// Forms that were applied, with the number of charts.
    pub applied: BTreeMap<&'static str, usize>,
    /// Forms that were not, and why.
    pub skipped: BTreeMap<&'static str, String>,
    /// Pairs of sides that were compared, and those among them that could not be decided: which, and why.
    pub compared: usize,
    pub undecided: Vec<String>,
    /// Routes to the multipliers.
    pub routes: usize,
    /// Forms that were not asked about a state, since their chart ends before it.
    pub off_branch: usize,
    /// Forms whose numbers were too far off, although their equations hold exactly.
    pub rounded: usize,
}

/// Why there is no report.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// The question cannot be asked: one word and a sentence.
    Rejected(&'static str, String),
    /// The forms disagree, or the program fails on a good model.
    Failed(String),
}

fn rejected<T>(word: &'static str, why: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Rejected(word, why.into()))
}

fn failed<T>(why: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Failed(why.into()))
}

/// Compares all forms of a model, at its start and near it, or at these states.
pub fn check(text: &str, states: Option<&[State]>, seed: u64) -> Result<Report, Trouble> {
    let _scope = Scope::with_seed(seed);
    let parsed = model::parse("random.mech", text);
    let Some(model) = parsed.model else {
        return failed(format!("the text is not understood: {:?}", parsed.diagnostics.first()));
    };
    let system = match mechanics::lower(&model) {
        Ok(system) => system,
        Err(errors) => return failed(format!("the model is not understood: {errors:?}")),
    };
    let start = start_of(&system, states)?;
    let mode = match Mode::at(&system, &start) {
        Ok(mode) => mode,
        Err(error) => return rejected("rows", format!("{error:?}")),
    };
    let rows = match Rows::of(&system, &mode, &start) {
        Ok(rows) => rows,
        Err(RowsError::Conflict { name, with }) => {
            return rejected("conflict", format!("{name} against {}", with.join(", ")));
        }
        Err(error) => return rejected("rows", format!("{error:?}")),
    };
    let states = match states {
        Some(states) => states.to_vec(),
        None => near(&start, &system, &rows)?,
    };
    let ground = Ground { start: &start, system: &system, mode: &mode, rows: &rows };
    for state in &states {
        ground.is_sound(&ground.at(state))?;
    }
    ground.compare(states)
}

/// Both questions about a drawn system; a panic is a failure like any other.
pub fn ask(text: &str, changed: &str, change: &Change, seed: u64) -> Result<[Report; 2], Trouble> {
    let both = || {
        let before = check(text, None, seed)?;
        match check_changed(changed, change, &before, seed) {
            Ok(after) => Ok([before, after]),
            Err(Trouble::Failed(why)) => failed(format!("in other coordinates: {why}")),
            Err(Trouble::Rejected(word, why)) => failed(format!("rejected in other coordinates: {word}: {why}")),
        }
    };
    catch_unwind(AssertUnwindSafe(both)).unwrap_or_else(|panic| {
        let word = panic.downcast_ref::<String>().cloned();
        let word = word.or_else(|| panic.downcast_ref::<&str>().map(|word| (*word).to_owned()));
        failed(format!("panic: {}", word.unwrap_or_default()))
    })
}

/// The same after a change of coordinates: does it give the same accelerations and multipliers?
fn check_changed(text: &str, change: &Change, before: &Report, seed: u64) -> Result<Report, Trouble> {
    let moved = |state: &State| {
        let old: Vec<Jet> = state.q.iter().zip(&state.q_dot).map(|(&q, &v)| Jet::new(q, v, 0.0)).collect();
        let new = change.inverse(&old);
        let (q, q_dot) = new.iter().map(|jet| (jet.value, jet.rate)).unzip();
        State { time: state.time, q, q_dot }
    };
    let states: Vec<State> = before.states.iter().map(moved).collect();
    let report = check(text, Some(&states), seed)?;
    for (k, state) in states.iter().enumerate() {
        let jets = state.q.iter().zip(&state.q_dot).zip(&report.accelerations[k]);
        let new: Vec<Jet> = jets.map(|((&q, &v), &a)| Jet::new(q, v, a)).collect();
        let back: Vec<f64> = change.forward(&new).iter().map(|jet| jet.acceleration).collect();
        if !same(&back, &before.accelerations[k], 1.0) {
            let was = &before.accelerations[k];
            return failed(format!("accelerations {back:?}, not {was:?}"));
        }
        let (now, was) = (&report.multipliers[k], &before.multipliers[k]);
        if report.rows == before.rows && !same(now, was, 1.0) {
            return failed(format!("multipliers {now:?}, not {was:?}"));
        }
    }
    Ok(report)
}

/// The start of the model, which must satisfy its rows; or the first of these states.
fn start_of(system: &System, states: Option<&[State]>) -> Result<At, Trouble> {
    let start = mechanics::start(system);
    let consistent = start.is_consistent() && start.residual.is_some_and(|residual| residual < 1e-9);
    if states.is_none() && !consistent {
        return rejected("start", format!("{:?}", start.contradictions.iter().map(|c| &c.with).collect::<Vec<_>>()));
    }
    let state: Vec<(Expr, f64)> = start.state(system);
    if states.is_none() && state.iter().any(|(_, value)| !value.is_finite() || value.abs() > 50.0) {
        return rejected("start", "far away");
    }
    let plain = At::new(&state);
    let inputs = system.inputs.iter().map(|input| (input.symbol, input.value.map_or(0.3, |value| plain.value(value))));
    let at = plain.with(&inputs.collect::<Vec<_>>());
    Ok(match states {
        Some([first, ..]) => moved(&at, system, first),
        _ => at,
    })
}

/// The start with the numbers of another state.
fn moved(start: &At, system: &System, state: &State) -> At {
    let pairs = system.q().into_iter().zip(state.q.iter().copied());
    let rates = system.q_dot().into_iter().zip(state.q_dot.iter().copied());
    let at = start.with(&pairs.chain(rates).chain([(system.time, state.time)]).collect::<Vec<_>>());
    let speeds = system.speeds.iter().map(|speed| (speed.symbol, at.value(speed.definition)));
    at.with(&speeds.collect::<Vec<_>>())
}

fn state_of(at: &At, system: &System) -> State {
    State { time: at.value(system.time), q: at.values(&system.q()), q_dot: at.values(&system.q_dot()) }
}

/// The start and two states near it, all on the constraints.
fn near(at: &At, system: &System, rows: &Rows) -> Result<Vec<State>, Trouble> {
    let start = state_of(at, system);
    let mut states = Vec::new();
    for push in [0.0, 0.03, -0.02] {
        let shift = |(k, x): (usize, &f64)| x + push * (1.0 + 0.37 * k as f64);
        let turn = |(k, x): (usize, &f64)| x + 2.0 * push * (1.0 - 0.23 * k as f64);
        let state = State {
            time: start.time + push.abs(),
            q: start.q.iter().enumerate().map(shift).collect(),
            q_dot: start.q_dot.iter().enumerate().map(turn).collect(),
        };
        states.push(projected(at, system, rows, state)?);
    }
    Ok(states)
}

/// The state with the rows satisfied: positions, then rates, each by Newton's method.
fn projected(start: &At, system: &System, rows: &Rows, mut state: State) -> Result<State, Trouble> {
    let geometric: Vec<&Row> = rows.list.iter().filter(|row| row.order == 0).collect();
    let moving: Vec<&Row> = rows.of_velocity().collect();
    for rates in [false, true] {
        let tied = if rates { &moving } else { &geometric };
        for step in 0.. {
            let at = moved(start, system, &state);
            let f: Vec<f64> = tied.iter().map(|row| row.value(rates, &at)).collect();
            if f.iter().all(|f| f.abs() < ON) {
                break;
            }
            let slopes: Vec<Vec<f64>> = tied.iter().map(|row| at.values(&row.A)).collect();
            let step_size = nearest(&slopes, &f);
            match step_size {
                Some(d) if step < 30 => {
                    let list = if rates { &mut state.q_dot } else { &mut state.q };
                    list.iter_mut().zip(&d).for_each(|(x, d)| *x -= d);
                }
                _ => return rejected("start", "no state near the start satisfies the rows"),
            }
        }
    }
    Ok(state)
}

trait Value {
    fn value(&self, of_rates: bool, at: &At) -> f64;
}

impl Value for Row {
    fn value(&self, of_rates: bool, at: &At) -> f64 {
        match (of_rates, self.velocity) {
            (true, Some(velocity)) => at.value(velocity),
            _ => at.value(self.f),
        }
    }
}

/// The smallest d with A d = f.
fn nearest(A: &[Vec<f64>], f: &[f64]) -> Option<Vec<f64>> {
    let gram: Vec<Vec<f64>> = A.iter().map(|a| A.iter().map(|b| product(a, b)).collect()).collect();
    let (z, _) = solve(&gram, f)?;
    Some((0..A.first()?.len()).map(|k| A.iter().zip(&z).map(|(row, z)| row[k] * z).sum()).collect())
}

/// Some accelerations that satisfy the rows A q'' + a0 = 0.
fn accelerated(A: &[Vec<f64>], rows: &[Row], at: &At) -> Option<Vec<f64>> {
    nearest(A, &rows.iter().map(|row| -at.value(row.drift)).collect::<Vec<_>>())
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A system, asked about at several states.
struct Ground<'a> {
    start: &'a At,
    system: &'a System,
    mode: &'a Mode,
    rows: &'a Rows,
}

/// A form whose unknowns can be found at any state.
struct Solvable {
    name: &'static str,
    kind: ChartKind,
    matrix: Vec<Vec<Expr>>,
    constants: Vec<Expr>,
    /// The accelerations of the coordinates in terms of the unknowns, where these are others.
    accelerations: Option<(Vec<Vec<Expr>>, Vec<Expr>)>,
    /// The rates that the chart gives, and what must not vanish in it.
    rates: Vec<Expr>,
    pivots: Vec<Expr>,
    /// The multipliers in terms of the unknowns; or where they stand among the unknowns.
    reactions: Option<(Vec<Vec<Expr>>, Vec<Expr>)>,
    has_multipliers: bool,
    /// What must vanish, with the accelerations of the Udwadia–Kalaba equation in it.
    residuals: Vec<Expr>,
    shell: expr::Substitution,
}

impl Ground<'_> {
    fn at(&self, state: &State) -> At {
        moved(self.start, self.system, state)
    }

    /// The preconditions (1) at a state.
    fn is_sound(&self, at: &At) -> Result<(), Trouble> {
        let numbers = |row: &Row| at.values(&row.A);
        for row in self.rows.list.iter().chain(&self.rows.left_out).filter(|row| row.order < 2) {
            let residuals = [row.value(false, at), row.value(true, at)];
            let size = 1.0 + numbers(row).iter().map(|a| a.abs()).sum::<f64>();
            if residuals.iter().any(|f| f.abs() > 1e-8 * size) {
                return match self.rows.redundant.contains(&row.name) {
                    true => failed(format!("`{}` was left out as redundant, but does not hold", row.name)),
                    false => rejected("start", format!("`{}` does not hold: {residuals:?}", row.name)),
                };
            }
        }
        let (n, list) = (self.system.coordinates.len(), &self.rows.list);
        if list.len() >= n {
            return rejected("no freedom", "as many rows as coordinates");
        }
        let A: Vec<Vec<f64>> = list.iter().map(numbers).collect();
        let every: Vec<Vec<f64>> = list.iter().chain(&self.rows.left_out).map(numbers).collect();
        if every.iter().flatten().any(|a| !a.is_finite()) {
            return rejected("rank", "a row is not defined");
        }
        if rank(&A) < list.len() {
            return rejected("rank", "the rows are dependent at the start");
        }
        if rank(&every) > list.len() {
            return failed(format!("of the rows {:?} at least one is independent", self.rows.redundant));
        }
        // A row that limits the same accelerations as others must ask the same of them.
        for (row, numbers) in self.rows.left_out.iter().map(|row| (row, numbers(row))) {
            let Some(found) = accelerated(&A, list, at) else { return rejected("rank", "no accelerations") };
            let missed = product(&numbers, &found) + at.value(row.drift);
            if missed.abs() > 1e-8 * (1.0 + product(&found, &found).sqrt()) {
                return rejected("hidden condition", format!("`{}` and others imply what nobody wrote", row.name));
            }
        }
        let given = Ingredients::of(self.system, self.mode, self.rows, ChartKind::Rates, at);
        let made = given.metric().map(|metric| metric.mass.clone()).and_then(|mass| Ok(given.thawed(&mass.concat())?));
        let Ok(mass) = made else { return failed("there is no mass matrix") };
        let mass: Vec<Vec<f64>> = mass.chunks(n).map(|row| at.values(row)).collect();
        match solve(&mass, &vec![0.0; n]) {
            Some((_, condition)) if condition < CONDITION => {}
            _ => return rejected("mass", "the mass matrix is singular or nearly so"),
        }
        let mut whole: Vec<Vec<f64>> = mass.iter().map(|row| [row.clone(), vec![0.0; A.len()]].concat()).collect();
        for (k, row) in A.iter().enumerate() {
            (0..n).for_each(|s| whole[s][n + k] = -row[s]);
            whole.push([row.clone(), vec![0.0; A.len()]].concat());
        }
        match solve(&whole, &vec![0.0; n + A.len()]) {
            Some((_, condition)) if condition < CONDITION => Ok(()),
            _ => rejected("mass", "the mass matrix on the constraints is singular or nearly so"),
        }
    }

    /// (2) and (3).
    fn compare(&self, states: Vec<State>) -> Result<Report, Trouble> {
        let first = self.at(&states[0]);
        let mut report = Report { states, ..Report::default() };
        report.rows = self.rows.list.iter().map(|row| row.name.clone()).collect();
        report.classes = self.rows.list.iter().map(|row| format!("{:?}", row.class)).collect();
        let kinds: &[ChartKind] = match self.system.speeds.is_empty() {
            true => &[ChartKind::Rates],
            false => &[ChartKind::Rates, ChartKind::Speeds],
        };
        let mut solvable = Vec::new();
        for &kind in kinds {
            let given = Ingredients::of(self.system, self.mode, self.rows, kind, &first);
            let mut forms = Vec::new();
            for formalism in FORMALISMS.iter().filter(|formalism| !formalism.stranger) {
                match formalism.form(&given) {
                    Ok(form) => forms.push((formalism.name, form)),
                    Err(FormError::Math(error)) => return failed(format!("{} stops: {error}", formalism.name)),
                    Err(error) => {
                        report.skipped.insert(formalism.name, error.to_string());
                    }
                }
            }
            self.within_chart(&forms, kind, &mut report)?;
            for (name, form) in &forms {
                *report.applied.entry(name).or_insert(0) += 1;
                solvable.push(Solvable::new(name, kind, form, &given)?);
            }
        }
        report.skipped.retain(|name, _| !report.applied.contains_key(name));
        for (place, state) in report.states.clone().iter().enumerate() {
            let at = self.at(state);
            for form in &solvable {
                if !form.holds(state, &at) && place == 0 {
                    return failed(format!("{} in {:?}: the chart does not hold the start", form.name, form.kind));
                }
            }
            self.at_state(&solvable, state, &at, &mut report)?;
        }
        Ok(report)
    }

    /// (2): forms in one chart, and forms with multipliers, side by side.
    fn within_chart(&self, forms: &[(&'static str, Form)], kind: ChartKind, to: &mut Report) -> Result<(), Trouble> {
        let usual = formalism("multipliers").map_or("", |formalism| formalism.name);
        let charted = forms.iter().filter(|(_, form)| form.written_in == Setting::Chart).collect::<Vec<_>>();
        let with = ["newton-euler", "gauss", "lagrange-1", "lagrange-2", "hamilton", "routh"];
        let first = forms.iter().filter(|(name, _)| *name == usual);
        let multiplied = first.chain(forms.iter().filter(|(name, _)| with.contains(name))).collect::<Vec<_>>();
        for group in [charted, multiplied] {
            let Some((first, rest)) = group.split_first() else { continue };
            for other in rest {
                if first.1.equations.len() != other.1.equations.len() {
                    return failed(format!("{} and {} differ in number of equations", first.0, other.0));
                }
                for (k, (a, b)) in first.1.equations.iter().zip(&other.1.equations).enumerate() {
                    for (a, b, side) in [(a.left, b.left, "inertia"), (a.right, b.right, "force")] {
                        to.compared += 1;
                        if a == b || (a - b).is_zero() {
                            continue;
                        }
                        let names = format!("{} and {} in {kind:?}, {side} side {k}", first.0, other.0);
                        match decide(a - b, &Assumptions::none()) {
                            Verdict::Zero(_) => {}
                            Verdict::NonZero(_) => return failed(format!("{names}: they differ")),
                            Verdict::Unknown(obstacle) => to.undecided.push(format!("{names}: {obstacle}")),
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Do the accelerations of the Udwadia–Kalaba equation, which gives them as functions, satisfy the equations of
    /// a form exactly? Then numbers that differ were rounded.
    fn holds_exactly(&self, form: &Solvable, all: &[Solvable]) -> bool {
        // The unknowns of the form must be accelerations of coordinates.
        let fits = !form.has_multipliers && (form.accelerations.is_none() || form.kind == ChartKind::Rates);
        let explicit = all.iter().find(|other| other.name == "udwadia-kalaba").filter(|_| fits);
        let Some(explicit) = explicit else { return false };
        let q_ddot = self.system.q_ddot();
        // Its residuals are q'' − (…).
        let values: Vec<Expr> = q_ddot.iter().zip(&explicit.residuals).map(|(&q, &residual)| q - residual).collect();
        let rates: Substitution = form.shell.iter().copied().filter(|(symbol, _)| !q_ddot.contains(symbol)).collect();
        let Ok(values) = rates.apply(&values) else { return false };
        let map: Substitution = q_ddot.into_iter().zip(values).collect();
        let Ok(left) = map.apply(&form.residuals) else { return false };
        left.into_iter().all(|e| e.is_zero() || decide(e, &Assumptions::none()).is_zero())
    }

    /// (3) at a state.
    fn at_state(&self, forms: &[Solvable], state: &State, at: &At, report: &mut Report) -> Result<(), Trouble> {
        let (mut known, mut forces): (Option<Vec<f64>>, Option<Vec<f64>>) = (None, None);
        // The plainest matrix first: what the others are measured by.
        let (plain, others): (Vec<_>, Vec<_>) = forms.iter().partition(|form| form.name == "multipliers");
        for form in plain.into_iter().chain(others) {
            let name = format!("{} in {:?}", form.name, form.kind);
            if form.accelerations.is_some() && !form.holds(state, at) {
                report.off_branch += 1;
                continue;
            }
            let Some((found, reactions, condition)) = form.solved(self.system.coordinates.len(), at) else {
                return failed(format!("{name}: the equations are singular"));
            };
            let condition = condition * form.steepness(at);
            let first = known.get_or_insert_with(|| found.clone());
            if !same(&found, first, condition) && self.holds_exactly(form, forms) {
                report.rounded += 1;
                continue;
            }
            if !same(&found, first, condition) {
                return failed(format!("{name}: accelerations {found:?}, not {first:?} (condition {condition:.0e})"));
            }
            if let (Some(reactions), false) = (reactions, self.rows.list.is_empty()) {
                report.routes += 1;
                let first = forces.get_or_insert_with(|| reactions.clone());
                if !same(&reactions, first, condition) {
                    return failed(format!("{name}: multipliers {reactions:?}, not {first:?} ({condition:.0e})"));
                }
            }
        }
        report.accelerations.push(known.unwrap_or_default());
        report.multipliers.push(forces.unwrap_or_default());
        Ok(())
    }
}

impl Solvable {
    fn new(name: &'static str, kind: ChartKind, form: &Form, given: &Ingredients<'_>) -> Result<Solvable, Trouble> {
        let no = |what: &str| Trouble::Failed(format!("{name}: {what}"));
        let unknowns = form.all_unknowns();
        let linear = |list: &[Expr], what: &str| expr::linear_coefficients(list, &unknowns).map_err(|_| no(what));
        let (matrix, constants) = linear(&form.residuals(), "not linear in the accelerations")?;
        let (mut rates, mut pivots) = (Vec::new(), Vec::new());
        if let Ok(chart) = given.chart() {
            (rates, pivots) = (chart.rates.clone(), chart.pivots.clone());
        }
        let accelerations = match form.written_in {
            Setting::Coordinates => None,
            Setting::Chart => {
                let chart = given.chart().map_err(|error| no(&error.to_string()))?;
                Some(linear(&chart.accelerations, "the chart is not linear in its accelerations")?)
            }
        };
        let values: Vec<Expr> = form.reactions.iter().map(|reaction| reaction.value).collect();
        let reactions = match values.is_empty() {
            true => None,
            false => Some(linear(&values, "reactions are not linear in the accelerations")?),
        };
        let has_multipliers = !form.multipliers.is_empty();
        let residuals = form.residuals();
        let shell = match (form.written_in, given.chart()) {
            (Setting::Chart, Ok(chart)) => chart.shell(given.system),
            _ => expr::Substitution::new(),
        };
        Ok(Solvable {
            name,
            kind,
            matrix,
            constants,
            accelerations,
            rates,
            pivots,
            reactions,
            has_multipliers,
            residuals,
            shell,
        })
    }

    /// Does its chart hold the state? Another branch of a root may begin near the start.
    fn holds(&self, state: &State, at: &At) -> bool {
        self.rates.iter().zip(&state.q_dot).all(|(&rate, v)| (at.value(rate) - v).abs() < 1e-6 * (1.0 + v.abs()))
    }

    /// How much its chart magnifies rounding.
    fn steepness(&self, at: &At) -> f64 {
        let smallest = self.pivots.iter().fold(1.0, |least: f64, &pivot| least.min(at.value(pivot).abs()));
        1.0 / (smallest * smallest)
    }

    /// Accelerations, multipliers if it gives them, and the condition of its matrix.
    fn solved(&self, n: usize, at: &At) -> Option<(Vec<f64>, Option<Vec<f64>>, f64)> {
        let right: Vec<f64> = self.constants.iter().map(|&entry| -at.value(entry)).collect();
        let (x, condition) = solve(&at.matrix(&self.matrix), &right)?;
        let through = |(matrix, constants): &(Vec<Vec<Expr>>, Vec<Expr>)| -> Vec<f64> {
            let along = |row: &Vec<Expr>| row.iter().zip(&x).map(|(&entry, x)| at.value(entry) * x).sum::<f64>();
            matrix.iter().zip(constants).map(|(row, &constant)| along(row) + at.value(constant)).collect()
        };
        let reactions = match (&self.reactions, self.has_multipliers) {
            (Some(reactions), _) => Some(through(reactions)),
            (None, true) => Some(x[n..].to_vec()),
            _ => None,
        };
        let accelerations = self.accelerations.as_ref().map_or_else(|| x[..n.min(x.len())].to_vec(), through);
        Some((accelerations, reactions, condition))
    }
}

/// Are two lists of numbers the same, if they come from a matrix of that condition?
fn same(a: &[f64], b: &[f64], condition: f64) -> bool {
    let size = a.iter().chain(b).fold(1.0, |size: f64, x| size.max(x.abs()));
    let tolerance = SAME.max(1e-15 * condition) * size;
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance)
}

fn rank(rows: &[Vec<f64>]) -> usize {
    let mut left: Vec<Vec<f64>> = rows.to_vec();
    let unit = |row: &mut Vec<f64>| {
        let size = product(row, row).sqrt();
        row.iter_mut().for_each(|x| *x /= size.max(1e-300));
    };
    left.iter_mut().for_each(unit);
    let mut rank = 0;
    // Gram and Schmidt, the longest first.
    while let Some(place) =
        (0..left.len()).max_by(|&i, &j| product(&left[i], &left[i]).total_cmp(&product(&left[j], &left[j])))
    {
        let mut row = left.swap_remove(place);
        if product(&row, &row).sqrt() < NEARLY {
            return rank;
        }
        rank += 1;
        unit(&mut row);
        for other in &mut left {
            let along = product(other, &row);
            other.iter_mut().zip(&row).for_each(|(x, r)| *x -= along * r);
        }
    }
    rank
}

/// The solution of A x = b and the condition of A, by elimination with scaled rows; A may have more rows than columns
/// if they agree.
fn solve(a: &[Vec<f64>], b: &[f64]) -> Option<(Vec<f64>, f64)> {
    let n = a.first().map_or(0, Vec::len);
    let mut work: Vec<Vec<f64>> = a.to_vec();
    let mut right: Vec<f64> = b.to_vec();
    for (row, b) in work.iter_mut().zip(&mut right) {
        let size = row.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
        if !size.is_finite() {
            return None;
        }
        if size > 0.0 {
            row.iter_mut().for_each(|x| *x /= size);
            *b /= size;
        }
    }
    let (mut largest, mut smallest) = (0.0_f64, f64::INFINITY);
    for k in 0..n {
        let p = (k..work.len()).max_by(|&i, &j| work[i][k].abs().total_cmp(&work[j][k].abs()))?;
        let pivot = work[p][k].abs();
        (largest, smallest) = (largest.max(pivot), smallest.min(pivot));
        if pivot.is_nan() || pivot < 1e-13 {
            return None;
        }
        work.swap(k, p);
        right.swap(k, p);
        let (top, b) = (work[k].clone(), right[k]);
        for i in (0..work.len()).filter(|&i| i != k) {
            let factor = work[i][k] / top[k];
            work[i].iter_mut().zip(&top).for_each(|(x, top)| *x -= factor * top);
            right[i] -= factor * b;
        }
    }
    Some(((0..n).map(|k| right[k] / work[k][k]).collect(), if n == 0 { 1.0 } else { largest / smallest }))
}

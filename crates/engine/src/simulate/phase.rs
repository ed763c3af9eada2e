//! From a form to a problem: what is integrated while the same constraints act?
//!
//! ```text
//! y = (q, q', W)                 W: the work of what is not in the energy                         (1)
//! main system                    the residuals of the form, linear in accelerations (and λ)       (2)
//! λ from  Aᵀ λ = E − Q           where the form has none, or rows are redundant: the smallest     (3)
//! levels                         f = 0 by q, then f' = 0 by q', in the metric of the masses       (4)
//! W' = (Q + ∂V/∂q)·q' + ∂V/∂t + Σ λ A·q' + (dT/dt − E·q')                                         (5)
//! ```
//!
//! The last bracket of (5) vanishes unless masses vary or drives are built into the coordinates.

use expr::{Expr, Kind, Symbol};
use mechanics::chart::ChartKind;
use mechanics::form::{Form, Setting};
use mechanics::formalism::{FORMALISMS, Formalism};
use mechanics::friction::Rough;
use mechanics::ingredients::Ingredients;
use mechanics::reaction::reactions;
use mechanics::rows::{Row, Rows};
use mechanics::{Part, Reading, Relation, Term};
use numeric::{Direction, Level, Machine, Problem, Solve, Structure, Watch};

use crate::Loaded;
use crate::dynamics::Known;
use crate::simulate::columns::{Column, Meaning, Units};
use crate::simulate::facts::Asked;
use crate::simulate::rough::OfFriction;

/// A stretch of motion with the same constraints.
pub struct Phase {
    /// The problem, made ready.
    pub machine: Machine,
    /// What its outputs mean; after them come kinetic energy, potential energy, and the sides of facts.
    pub columns: Vec<Column>,
    /// How many of them belong to each fact.
    pub widths: Vec<usize>,
    /// What is watched.
    pub watched: WatchList,
    /// The form that drives it.
    pub form: &'static Formalism,
    /// The place of W in the state.
    pub work: usize,
    /// Names of rows that follow from others.
    pub redundant: Vec<String>,
    /// The generalized force on each coordinate where the phase begins, and the mass that it moves.
    pub loads: Vec<(f64, f64)>,
    /// The rates that its chart eliminates.
    pub dependent: Vec<usize>,
}

/// What a watched value means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// The multiplier of a closed one-sided constraint: it lets go.
    Release(usize),
    /// The gap of an open one: it closes.
    Close(usize),
    /// An event of the model.
    Event(usize),
    /// A divisor of the chart becomes small.
    Chart,
    /// What the model assumes ends.
    Assumption(usize),
    /// A switched constraint begins to act.
    Begin(usize),
    /// It ends.
    End(usize),
    /// A contact that sticks comes to the edge of its cone.
    Slip(usize),
    /// A contact that slides comes to rest.
    Halt(usize),
    /// A slip turns to another side.
    Turn(usize),
    /// The normal force of a guide changes its sign.
    Presses(usize),
    /// Friction loses solvability.
    Lost(usize),
}

/// Why there is no phase.
pub enum NoPhase {
    /// The form does not apply.
    NotApplicable(String),
    /// A symbol has no value, or something has no derivative.
    Broken(String),
}

impl From<expr::MathError> for NoPhase {
    fn from(error: expr::MathError) -> NoPhase {
        NoPhase::Broken(error.to_string())
    }
}

impl From<mechanics::form::FormError> for NoPhase {
    fn from(error: mechanics::form::FormError) -> NoPhase {
        NoPhase::NotApplicable(error.to_string())
    }
}

/// The form that is asked for, or the one with the fewest operations.
fn choose(given: &Ingredients<'_>, wanted: Option<&'static Formalism>) -> Result<(&'static Formalism, Form), NoPhase> {
    if let Some(wanted) = wanted {
        if wanted.stranger {
            let why = "its multipliers have equations of their own, and a start that nobody gives";
            return Err(NoPhase::NotApplicable(why.to_owned()));
        }
        return Ok((wanted, (wanted.derive)(given)?.closed(given)?));
    }
    // Not without being asked: roots that are chosen may change their branch on the way; and where geometric constraints
    // become singular, a chart does so earlier and worse than they.
    let is_risky = given.chart().is_ok_and(|chart| {
        let varies = chart.pivots.iter().any(|pivot| pivot.symbols().iter().any(|&symbol| is_moving(symbol)));
        !chart.branches.is_empty() || (given.rows.any(0) && varies)
    });
    let fits = |form: &Form| {
        let is_square = form.residuals().len() == form.all_unknowns().len();
        is_square && !(is_risky && form.written_in == Setting::Chart)
    };
    let make = |one: &Formalism| (one.derive)(given).and_then(|form| form.closed(given)).ok();
    let made = FORMALISMS.iter().filter(|one| !one.stranger).filter_map(|one| Some((one, make(one)?)));
    let best = made.filter(|(_, form)| fits(form)).min_by_key(|(_, form)| cost(form, given));
    best.ok_or_else(|| NoPhase::NotApplicable("no form applies to this system".to_owned()))
}

/// Operations of the entries, of the elimination, and of the accelerations of the chart.
fn cost(form: &Form, given: &Ingredients<'_>) -> usize {
    let mut all = form.residuals();
    if let (Setting::Chart, Ok(chart)) = (form.written_in, given.chart()) {
        all.extend(&chart.accelerations);
    }
    let n = form.all_unknowns().len();
    Expr::sum(&all).operations() + n * n * n / 3 + n * n
}

impl Phase {
    /// The phase at the reference state with these rows.
    pub fn new(
        loaded: &Loaded,
        rows: &Rows,
        kind: ChartKind,
        wanted: Option<&'static Formalism>,
        asked: &[Asked<'_>],
        watches_chart: bool,
        rough: Option<&Rough>,
    ) -> Result<Phase, NoPhase> {
        let system = &loaded.system;
        let given = Ingredients::of(system, rows, kind);
        let (formalism, form) = choose(&given, wanted)?;
        let n = given.q.len();
        let mut defined: Vec<(Expr, Expr)> = Vec::new();
        for input in &system.inputs {
            let value = input.value.ok_or_else(|| NoPhase::Broken(format!("`{}` has no value", input.name)))?;
            defined.push((input.symbol, value));
        }
        let (inner, solve) = main_system(&form)?;
        if let Setting::Chart = form.written_in {
            let chart = given.chart()?;
            let own = chart.u.iter().copied().zip(chart.forward.iter().copied());
            defined.extend(own.filter(|(u, definition)| u != definition));
            let accelerations = given.q_ddot.iter().copied().zip(chart.accelerations.iter().copied());
            defined.extend(accelerations.filter(|(symbol, value)| symbol != value));
        }
        // Multipliers: those of the form, or (3).
        let all = everything(rows);
        let own = inner.len() - rows.pressed.len();
        let has_own = own == rows.list.len() && rows.left_out.is_empty();
        defined.extend(rows.pressed.iter().map(|row| row.lambda).zip(inner[own..].iter().copied()));
        let (mut solves, mut later) = (vec![solve], Vec::new());
        match has_own {
            true => defined.extend(rows.list.iter().map(|row| row.lambda).zip(inner)),
            false if all.list.is_empty() => {}
            false => later.push(multipliers(&given, &all.list)?),
        }
        let energy = Energy::of(&given)?;
        if energy.needs_multipliers {
            solves.append(&mut later);
        }
        let all = all.with_pressed();
        let units = Units::of(loaded, &all);
        let full = Ingredients::of(system, &all, kind);
        let (columns, mut outputs) = columns(loaded, &full, &units)?;
        outputs.extend([energy.kinetic, energy.potential]);
        let mut widths = Vec::with_capacity(asked.len());
        for one in asked {
            let sides = one.sides(loaded, &full);
            widths.push(sides.len());
            outputs.extend(sides);
        }
        let outputs = given.thawed(&outputs)?;
        let watches_chart = watches_chart && form.written_in == Setting::Chart;
        let (mut watched, mut values, mut limits) = watched(loaded, &given, &full, rows, watches_chart)?;
        if let Some(rough) = rough {
            let more = OfFriction::of(loaded, &given, &all, rough)?;
            later.extend(more.solve);
            watched.extend(more.watched);
            values.extend(more.values);
            limits.extend(more.limits);
        }
        let work = expr::symbol(Symbol::new("work@done", Kind::Parameter));
        let state: Vec<Expr> = given.q.iter().chain(&given.q_dot).copied().chain([work]).collect();
        let rates = given.q_dot.iter().chain(&given.q_ddot).copied().chain([energy.power]).collect();
        let problem = Problem {
            time: system.time,
            state,
            fixed: [fixed(loaded), limits].concat(),
            defined,
            solves,
            rates,
            later,
            watched: given.thawed(&values)?,
            outputs,
            levels: levels(&given, &rows.with_pressed())?,
        };
        let machine = Machine::new(&problem).map_err(|unbound| NoPhase::Broken(unbound.to_string()))?;
        let redundant = rows.redundant.clone();
        let is_charted = form.written_in == Setting::Chart;
        let dependent = given.chart().ok().filter(|_| is_charted).map_or(Vec::new(), |chart| chart.dependent.clone());
        let (forces, mass) = (given.thawed(given.Q()?)?, mass_matrix(&given)?);
        let loads = (0..n).map(|k| (forces[k].reference(), mass[k][k].reference())).collect();
        Ok(Phase { machine, columns, widths, watched, form: formalism, work: 2 * n, redundant, loads, dependent })
    }
}

/// The parameters in numbers.
fn fixed(loaded: &Loaded) -> Vec<(Expr, f64)> {
    let parameters = loaded.system.parameters.iter().zip(&loaded.start.parameters);
    parameters.filter_map(|(parameter, value)| Some((parameter.symbol, (*value)?))).collect()
}

/// All rows that act, redundant ones too.
fn everything(rows: &Rows) -> Rows {
    let mut all = rows.clone();
    all.list.extend(rows.left_out.iter().filter(|row| rows.redundant.contains(&row.name)).cloned());
    all
}

/// (2); the multipliers in it under names of their own, in the order of the form.
fn main_system(form: &Form) -> Result<(Vec<Expr>, Solve), NoPhase> {
    let own = |lambda: &Expr| expr::symbol(Symbol::new(&format!("{lambda}@form"), Kind::Multiplier));
    let inner: Vec<Expr> = form.multipliers.iter().map(own).collect();
    let rename: Vec<(Expr, Expr)> = form.multipliers.iter().copied().zip(inner.iter().copied()).collect();
    let residuals = expr::substitute(&form.residuals(), &rename)?;
    let unknowns: Vec<Expr> = form.unknowns.iter().chain(&inner).copied().collect();
    let (matrix, constants) = expr::linear_coefficients(&residuals, &unknowns)
        .map_err(|error| NoPhase::NotApplicable(format!("it is not linear in the accelerations: {error}")))?;
    let right = constants.into_iter().map(|constant| -constant).collect();
    let structure = match matrix.len() == unknowns.len() {
        true => Structure::of(&matrix),
        false => Structure::Least(vec![Expr::one(); unknowns.len()]),
    };
    Ok((inner, Solve { unknowns, matrix, right, structure }))
}

/// (3): of several solutions the one with the least Σ λ² Σ A²/m.
fn multipliers(given: &Ingredients<'_>, rows: &[Row]) -> Result<Solve, NoPhase> {
    let surplus: Vec<Expr> = given.E()?.iter().zip(given.Q()?).map(|(&inertia, &force)| inertia - force).collect();
    let right = given.thawed(&surplus)?;
    let matrix = (0..given.q.len()).map(|s| rows.iter().map(|row| row.A[s]).collect()).collect();
    let mass = mass_matrix(given)?;
    let weight = |row: &Row| {
        let terms = (0..given.q.len()).filter(|&s| row.A[s] != Expr::zero());
        let parts = terms.map(|s| match mass[s][s] == Expr::zero() {
            true => Ok(row.A[s].pow(2)),
            false => row.A[s].pow(2).try_div(mass[s][s]),
        });
        parts.sum::<Result<Expr, _>>()
    };
    let weights = rows.iter().map(weight).collect::<Result<Vec<Expr>, _>>()?;
    let unknowns = rows.iter().map(|row| row.lambda).collect();
    Ok(Solve { unknowns, matrix, right, structure: Structure::Least(weights) })
}

/// The metric of (4): the masses, or 1 where T is no quadratic form.
pub fn mass_matrix(given: &Ingredients<'_>) -> Result<Vec<Vec<Expr>>, NoPhase> {
    let n = given.q.len();
    let made = match expr::linear_coefficients(&given.p()?, &given.q_dot) {
        Ok((mass, _)) => mass,
        Err(_) => (0..n).map(|i| (0..n).map(|j| expr::integer(i64::from(i == j))).collect()).collect(),
    };
    made.iter().map(|row| Ok(given.thawed(row)?)).collect()
}

/// (4)
fn levels(given: &Ingredients<'_>, rows: &Rows) -> Result<Vec<Level>, NoPhase> {
    let (n, mut levels) = (given.q.len(), Vec::new());
    if rows.list.is_empty() {
        return Ok(levels);
    }
    let metric = mass_matrix(given)?;
    let geometric: Vec<&Row> = rows.list.iter().filter(|row| row.order == 0).collect();
    let of_rates: Vec<(&Row, Expr)> = rows.list.iter().filter_map(|row| Some((row, row.velocity?))).collect();
    if !geometric.is_empty() {
        levels.push(Level {
            rows: geometric.iter().map(|row| row.f).collect(),
            moved: 0..n,
            slopes: geometric.iter().map(|row| row.A.clone()).collect(),
            metric: metric.clone(),
        });
    }
    if !of_rates.is_empty() {
        levels.push(Level {
            rows: of_rates.iter().map(|one| one.1).collect(),
            moved: n..2 * n,
            slopes: of_rates.iter().map(|one| one.0.A.clone()).collect(),
            metric,
        });
    }
    Ok(levels)
}

/// The energies and the power (5) of what is not in them.
struct Energy {
    kinetic: Expr,
    potential: Expr,
    power: Expr,
    needs_multipliers: bool,
}

impl Energy {
    fn of(given: &Ingredients<'_>) -> Result<Energy, NoPhase> {
        let kinetic = given.thawed(&[given.T()?])?[0];
        let potential = mechanics::balance::potential_energy(given.system)?;
        let slopes = expr::gradient(potential, &given.q)?;
        let along = |list: &[Expr]| -> Expr { list.iter().zip(&given.q_dot).map(|(&x, &rate)| x * rate).sum() };
        let loads: Vec<Expr> = given.Q()?.iter().zip(&slopes).map(|(&force, &slope)| force + slope).collect();
        let mut terms = vec![along(&given.thawed(&loads)?), expr::derivative(potential, given.system.time)?];
        let mut needs_multipliers = false;
        for row in &given.rows.list {
            let rate = along(&row.A);
            // f = A q' for what is linear and homogeneous; A q' = −∂f/∂t for what is geometric
            let rate = match (row.order, row.velocity) {
                (0 | 1, Some(velocity)) => rate - velocity,
                _ => rate,
            };
            if !rate.is_zero() {
                needs_multipliers = true;
                terms.push(row.lambda * rate);
            }
        }
        let extra = expr::total_derivative(kinetic)? - along(&given.thawed(given.E()?)?);
        if !extra.is_zero() {
            terms.push(extra);
        }
        let power = terms.into_iter().filter(|term| !term.is_zero()).sum();
        Ok(Energy { kinetic, potential, power, needs_multipliers })
    }
}

/// The columns and what they are.
fn columns(loaded: &Loaded, given: &Ingredients<'_>, units: &Units) -> Result<(Vec<Column>, Vec<Expr>), NoPhase> {
    let system = &loaded.system;
    let (mut columns, mut values) = (Vec::new(), Vec::new());
    let mut add = |meaning: Meaning, value: Expr, unit: String| {
        columns.push(Column { meaning, unit });
        values.push(value);
    };
    for c in &system.coordinates {
        add(Meaning::Coordinate(c.name.clone()), c.q, units.of_coordinate(c, 0));
    }
    for c in &system.coordinates {
        add(Meaning::Rate(c.name.clone()), c.q_dot, units.of_coordinate(c, 1));
    }
    for c in &system.coordinates {
        add(Meaning::Acceleration(c.name.clone()), c.q_ddot, units.of_coordinate(c, 2));
    }
    for speed in &system.speeds {
        add(Meaning::Speed(speed.name.clone()), speed.definition, units.unit(speed.definition));
    }
    for row in &given.rows.list {
        add(Meaning::Multiplier(row.name.clone()), row.lambda, units.unit(row.lambda));
    }
    for one in reactions(given).unwrap_or_default() {
        for push in &one.on {
            let on = crate::evaluate::target(loaded, push.target);
            for (axis, &value) in push.force.0.iter().enumerate() {
                add(Meaning::Force { constraint: one.name.clone(), on: on.clone(), axis }, value, "N".to_owned());
            }
            for (axis, value) in push.torque.iter().flat_map(|torque| torque.0).enumerate() {
                add(Meaning::Torque { constraint: one.name.clone(), on: on.clone(), axis }, value, "N*m".to_owned());
            }
        }
        for (axis, value) in one.resultant.iter().flat_map(|resultant| resultant.0).enumerate() {
            add(Meaning::Resultant { constraint: one.name.clone(), axis }, value, "N".to_owned());
        }
    }
    for (name, list) in crate::evaluate::observed(loaded, given) {
        for (axis, &value) in list.iter().enumerate() {
            let axis = (list.len() == 3).then_some(axis);
            add(Meaning::Observe { name: name.clone(), axis }, value, units.unit(value));
        }
    }
    let energy = mechanics::balance::energy(given)?;
    add(Meaning::Energy, energy, if units.are_known() { "J".to_owned() } else { String::new() });
    Ok((columns, values))
}

pub type WatchList = Vec<(Watched, Watch)>;
pub type Numbers = Vec<(Expr, f64)>;

/// What is watched: multipliers and gaps of one-sided constraints, events, divisors of the chart, assumptions; and the
/// numbers that divisors are compared with.
fn watched(
    loaded: &Loaded,
    given: &Ingredients<'_>,
    full: &Ingredients<'_>,
    rows: &Rows,
    with_chart: bool,
) -> Result<(WatchList, Vec<Expr>, Numbers), NoPhase> {
    let system = &loaded.system;
    let (mut watched, mut values, mut limits) = (Vec::new(), Vec::new(), Vec::new());
    let push = given.Q()?.iter().map(|force| force.reference().abs()).filter(|x| x.is_finite()).fold(0.0, f64::max);
    let mut add = |what: Watched, value: Expr, direction: Direction, size: f64| {
        watched.push((what, Watch { direction, size }));
        values.push(value);
    };
    let acting = rows.list.iter().chain(&rows.pressed);
    for row in acting.filter(|row| system.constraints[row.constraint].is_one_sided()) {
        add(Watched::Release(row.constraint), row.lambda, Direction::Down, push);
    }
    let acts = |place: usize| {
        let all = rows.list.iter().chain(&rows.left_out).chain(&rows.pressed);
        all.into_iter().any(|row| row.constraint == place)
    };
    for (place, constraint) in system.constraints.iter().enumerate() {
        if constraint.is_one_sided() && constraint.part != Part::Off && !acts(place) {
            for &f in &constraint.rows {
                add(Watched::Close(place), f, Direction::Down, crate::fact::size(f, 0));
            }
        }
    }
    for (place, event) in system.events.iter().enumerate() {
        let (difference, direction) = becomes_true(loaded, full, &event.when, event.span)?;
        add(Watched::Event(place), difference, direction, crate::fact::size(difference, 0));
    }
    for (place, constraint) in loaded.written.constraints.iter().enumerate() {
        let is_off = system.constraints[place].part == Part::Off;
        let (relation, what) = match is_off {
            true => (&constraint.from, Watched::Begin(place)),
            false => (&constraint.until, Watched::End(place)),
        };
        if let Some(relation) = relation {
            let (difference, direction) = becomes_true(loaded, full, relation, constraint.span)?;
            add(what, difference, direction, crate::fact::size(difference, 0));
        }
    }
    if let (true, Ok(chart)) = (with_chart, given.chart()) {
        for &pivot in chart.pivots.iter().filter(|pivot| pivot.symbols().iter().any(|&symbol| is_moving(symbol))) {
            // smaller than a twentieth of what it is here: time for another chart
            let limit = expr::symbol(Symbol::new(&format!("limit@{}", limits.len()), Kind::Parameter));
            limits.push((limit, 0.05 * pivot.reference()));
            let on_rows: Vec<(Expr, Expr)> = chart.c.iter().map(|&c| (c, Expr::zero())).collect();
            let pivot = expr::substitute(&[pivot], &on_rows)?[0];
            add(Watched::Chart, pivot.pow(2) - limit.pow(2), Direction::Down, 0.0);
        }
    }
    for (place, assumption) in system.assumptions.iter().enumerate() {
        let Some(difference) = difference(assumption) else { continue };
        let direction = match assumption.comparison {
            expr::Comparison::Greater | expr::Comparison::AtLeast => Direction::Down,
            expr::Comparison::Less | expr::Comparison::AtMost => Direction::Up,
            expr::Comparison::NotEqual => Direction::Any,
            expr::Comparison::Equal => continue,
        };
        if difference.symbols().iter().any(|&symbol| is_moving(symbol)) {
            add(Watched::Assumption(place), difference, direction, crate::fact::size(difference, 0));
        }
    }
    Ok((watched, values, limits))
}

/// What changes its sign where a relation becomes true, and in which direction.
fn becomes_true(
    loaded: &Loaded,
    full: &Ingredients<'_>,
    relation: &Relation,
    span: syntax::Span,
) -> Result<(Expr, Direction), NoPhase> {
    let known = Known { given: full, everywhere: false };
    let relation = loaded
        .system
        .relation(&relation.tree, Reading { motion: Some(&known), ..Reading::default() })
        .map_err(|diagnostic| NoPhase::Broken(loaded.model.sources.render(&diagnostic)))?;
    let difference = difference(&relation).ok_or_else(|| {
        let diagnostic = syntax::Diagnostic::error(span, "an event compares two numbers");
        NoPhase::Broken(loaded.model.sources.render(&diagnostic))
    })?;
    let direction = match relation.comparison {
        expr::Comparison::Greater | expr::Comparison::AtLeast => Direction::Up,
        expr::Comparison::Less | expr::Comparison::AtMost => Direction::Down,
        expr::Comparison::Equal | expr::Comparison::NotEqual => Direction::Any,
    };
    Ok((difference, direction))
}

fn is_moving(symbol: Expr) -> bool {
    symbol.as_symbol().is_some_and(|symbol| symbol.kind != Kind::Parameter)
}

fn difference(relation: &Relation) -> Option<Expr> {
    match (&relation.left, &relation.right) {
        (Term::Scalar(left), Term::Scalar(right)) => Some(*left - *right),
        _ => None,
    }
}

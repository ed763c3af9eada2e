//! What is told of the set of equilibria?

use expr::{At, Comparison, Expr};
use linear::eigen::Complex;
use linear::least::shortest;
use linear::tolerance::{LEAST, RANK};
use linear::{Matrix, Scale, null_space};
use mechanics::chart::ChartKind;
use mechanics::ingredients::Ingredients;
use mechanics::reaction::Acts;
use numeric::{Interval, Measured, Real, Switches, Tape};

use super::approximation::Slopes;
use super::division::Division;
use super::program::Program;
use super::search::{Ground, Proof, Range};
use super::set::Point;
use super::stability::{Nearby, Rest, Stability, stability};
use super::statics::{Statics, Wanted};
use super::undetermined::{self, Undetermined};
use super::work::{freedoms, work};
use super::{Choice, Equilibrium, EquilibriumKind, EquilibriumSet, Support, Trouble, clearance, letters};
use engine::reactions::{Carried, carried};
use engine::{Field, Loaded, Ordered};
use expr::decimal;

/// An equilibrium on its way into the answer.
#[derive(Clone, Debug)]
pub struct Found {
    /// It.
    pub equilibrium: Equilibrium,
    /// All coordinates.
    pub q: Vec<f64>,
    /// Why it is none, if a one-sided constraint does not allow it.
    pub violation: Option<String>,
    /// One-sided constraints that are closed and carry nothing.
    pub idle: Vec<usize>,
    /// Whether free coordinates were found at which all open constraints are at a distance, as far as those decide.
    pub is_clear: bool,
}

/// An answer without equilibria.
pub fn empty(loaded: &Loaded, notes: Vec<String>) -> EquilibriumSet {
    EquilibriumSet {
        model: loaded.file.clone(),
        title: loaded.system.title.clone(),
        equilibria: Vec::new(),
        thresholds: Vec::new(),
        branches: Vec::new(),
        assumptions: Vec::new(),
        complete: false,
        completeness: String::new(),
        ranges: Ordered(Vec::new()),
        undecided: Vec::new(),
        admissible: true,
        work: Vec::new(),
        boxes: 0,
        virtual_work: None,
        without_values: Vec::new(),
        curves: Vec::new(),
        notes,
        decided: true,
    }
}

/// The start with other coordinates, at rest but for what turns, and with what else has numbers there.
pub fn rest_at(loaded: &Loaded, statics: &Statics, q: &[f64], more: &[(Expr, f64)]) -> At {
    let mut state = loaded.start.clone();
    for (s, value) in state.coordinates.iter_mut().enumerate() {
        value.number = Some(q[s]);
        value.exact = None;
    }
    for (s, value) in state.rates.iter_mut().enumerate() {
        let turning = statics.turning.iter().find(|one| one.coordinate == s);
        value.number = Some(turning.map_or(0.0, |one| loaded.at.value(one.rate)));
        value.exact = None;
    }
    state.speeds = vec![None; state.speeds.len()];
    let at = state.at_with(&loaded.system, more);
    if statics.lawful.is_empty() {
        return at;
    }
    for (value, (_, at_rest)) in state.states.iter_mut().zip(&statics.lawful.at_rest) {
        (value.number, value.exact) = (Some(at.value(*at_rest)), None);
    }
    state.at_with(&loaded.system, more)
}

/// The verdict on a point. With other loads other places are equilibria: for stability the loads stay as they are.
fn judged(
    statics: &Statics,
    program: &Program,
    nearby: Option<&Nearby>,
    point: &Point,
    undetermined: &Undetermined,
) -> Stability {
    match nearby {
        Some(nearby) if !statics.loads.is_empty() => {
            let names: Vec<&str> = undetermined.loads(statics).collect();
            let is_held = || Slopes::at(statics, program, nearby, point).is_some_and(|slopes| slopes.N.is_empty());
            if !names.is_empty() && !is_held() {
                let list = names.join(", ");
                let reason = format!("what holds the place does not determine {list}, and stability may depend on it");
                return Stability::told(Rest::Undecided, reason);
            }
            stability(statics, program, nearby, &undetermined::with_loads_held(program, point))
        }
        Some(nearby) => stability(statics, program, nearby, point),
        None => Stability::told(Rest::Undecided, "a load has no value".to_owned()),
    }
}

/// The loads that were looked for; rounding is zero.
fn loads(statics: &Statics, program: &Program, point: &Point) -> Vec<(Expr, f64)> {
    let first = program.searched.len() + program.rows * program.instants.len();
    let values = point.z[first..].iter().zip(&program.scales[first..]);
    let cleaned = values.map(|(value, scale)| if value.abs() < 1e-13 * scale { 0.0 } else { *value });
    statics.loads.iter().map(|load| load.symbol).zip(cleaned).collect()
}

/// The directions in which a family goes on, the largest part 1.
fn directions(statics: &Statics, program: &Program, point: &Point) -> Vec<Ordered<f64>> {
    let direction = |direction: &Vec<f64>| {
        let parts = program.searched.iter().zip(direction).zip(&program.scales);
        let parts: Vec<(String, f64)> = parts.map(|((&s, x), scale)| (statics.names[s].clone(), x * scale)).collect();
        let largest = parts.iter().fold(0.0_f64, |size, one| size.max(one.1.abs()));
        parts.into_iter().map(|(name, x)| (name, clean(x / largest))).filter(|one| one.1 != 0.0).collect()
    };
    point.family.iter().map(direction).collect()
}

/// What supports carry at a point.
struct Supports {
    lambda: Vec<f64>,
    names: Vec<String>,
    /// Multipliers that balance each other.
    balancing: Vec<Ordered<f64>>,
    /// The state, with multipliers and loads.
    at: At,
    carried: Carried,
}

fn supports(
    loaded: &Loaded,
    statics: &Statics,
    program: &Program,
    nearby: Option<&Nearby>,
    point: &Point,
    q: &[f64],
    loads: &[(Expr, f64)],
) -> Supports {
    let (n, m) = (program.searched.len(), program.rows);
    let (lambda, names, balancing) = match point.undetermined + statics.rows.left_out.len() {
        0 => {
            let names = statics.rows.list.iter().map(|row| row.name.clone());
            (point.z[n..n + m].to_vec(), names.collect::<Vec<_>>(), Vec::new())
        }
        _ => smallest(statics, nearby, program, point, &rest_at(loaded, statics, q, loads)),
    };
    let all = statics.rows.list.iter().chain(&statics.rows.left_out);
    let mut numbers: Vec<(Expr, f64)> = all.map(|row| row.lambda).zip(lambda.iter().copied()).collect();
    numbers.extend(loads);
    let at = rest_at(loaded, statics, q, &numbers);
    // rows that others imply carry too
    let mut rows = statics.rows.clone();
    rows.list.append(&mut rows.left_out);
    rows.list.sort_by_key(|row| row.constraint);
    let given = Ingredients::of(&loaded.system, &statics.mode, &rows, ChartKind::Rates, &at);
    let carried = carried(&Acts::from(&given), &at);
    Supports { lambda, names, balancing, at, carried }
}

/// How many ways there are to move from place to place: what a constraint on rates forbids can be reached another way.
fn freedoms_of_places(loaded: &Loaded, statics: &Statics, coordinates: usize) -> usize {
    let all = statics.rows.list.iter().chain(&statics.rows.left_out);
    let geometric = all.zip(&statics.slopes).filter(|(row, _)| row.order == 0);
    let A = Matrix::of_width(coordinates, geometric.map(|(_, row)| loaded.at.values(row)));
    null_space(A, Scale::Rows, RANK).map_or(coordinates, |free| free.rows())
}

/// What kind of place it is.
fn kind(dimension: usize, point: &Point) -> EquilibriumKind {
    match (dimension, point.degenerate.is_empty()) {
        (0, true) => EquilibriumKind::Point,
        (0, false) => EquilibriumKind::Multiple,
        _ => EquilibriumKind::Family,
    }
}

/// The verdict on a place; where every place is an equilibrium, rest is neutral.
fn verdict_on(verdict: &Stability, is_everywhere: bool) -> (Rest, String) {
    match (verdict.verdict, is_everywhere) {
        (Rest::Undecided, true) => {
            (Rest::Neutral, "every place that the constraints allow is an equilibrium".to_owned())
        }
        (word, _) => (word, verdict.reason.clone()),
    }
}

/// What is told of a point.
pub fn equilibrium(
    loaded: &Loaded,
    statics: &Statics,
    program: &Program,
    nearby: Option<&Nearby>,
    point: &Point,
    choice: &Choice,
) -> Result<Found, Trouble> {
    let mut q = program.elsewhere.clone();
    program.searched.iter().zip(&point.z).for_each(|(&s, &x)| q[s] = x + 0.0);
    let is_clear = clearance::cleared(loaded, statics, choice, &mut q);
    let undetermined = Undetermined::at(program, point);
    let verdict = judged(statics, program, nearby, point, &undetermined);
    let loads = loads(statics, program, point);
    let Supports { lambda, names, balancing, at, carried } =
        supports(loaded, statics, program, nearby, point, &q, &loads);
    let division = Division::of(statics, program, &lambda, choice, &at);
    let violation = violation(loaded, statics, program, &division, choice, &at);
    let named = |s: usize| statics.names[s].clone();
    let still =
        (0..q.len()).filter(|s| !statics.free.contains(s) && !statics.turning.iter().any(|one| one.coordinate == *s));
    let rates = statics.turning.iter().map(|one| (format!("{}'", named(one.coordinate)), loaded.at.value(one.rate)));
    let dimension = point.family.len() + statics.free.len();
    let freedoms = freedoms_of_places(loaded, statics, q.len());
    let everywhere = dimension > 0 && dimension >= freedoms;
    let (stability, reason) = verdict_on(&verdict, everywhere && statics.loads.is_empty());
    let hidden: Vec<&str> = undetermined.constraints(loaded, statics).collect();
    let is_told = |name: &str| !hidden.contains(&name);
    let equilibrium = Equilibrium {
        kind: kind(dimension, point),
        values: still.map(|s| (named(s), clean(q[s]))).chain(rates).chain(states(statics, &at)).collect(),
        exact: Some(states_of_free(statics)).filter(|list| !list.is_empty()),
        loads: told_loads(statics, &loads, &undetermined),
        family_dimension: dimension,
        free: statics.free.iter().map(|&s| named(s)).collect(),
        everywhere,
        directions: directions(statics, program, point),
        potential_energy: None,
        stability,
        reason,
        eigenvalues: unsigned(&verdict.eigenvalues),
        floquet: unsigned(&verdict.floquet),
        signs: verdict.signs,
        stiffness: verdict.stiffness,
        certificate: verdict.certificate,
        multipliers: told_multipliers(names, &lambda, &carried, &undetermined),
        reactions: carried.reactions.into_iter().filter(|one| is_told(&one.constraint)).collect(),
        generalized_reactions: carried.generalized.0.into_iter().filter(|one| is_told(&one.0)).collect(),
        shared_loads: carried.shared,
        indeterminate: point.undetermined + statics.rows.left_out.len(),
        balancing,
        contact: choice.iter().map(|one| standing(loaded, one)).collect(),
        // at a strict minimum of the energy rest is the only motion that begins at rest
        unique: !point.is_rough || verdict.verdict == Rest::Stable,
        enclosed: point.enclosed,
        conditions: Vec::new(),
    };
    Ok(Found { equilibrium, q, violation, idle: division.idle, is_clear })
}

/// Multipliers by row; those that are not determined have no number.
fn told_multipliers(
    names: Vec<String>,
    lambda: &[f64],
    carried: &Carried,
    undetermined: &Undetermined,
) -> Ordered<f64> {
    let told = |(place, (name, x)): (usize, (String, &f64))| {
        let is_told = carried.multipliers.get(&name).is_some_and(|told| told.is_finite());
        let is_told = is_told && !undetermined.has_row(place);
        (name, if is_told { clean(*x) } else { f64::NAN })
    };
    names.into_iter().zip(lambda).enumerate().map(told).collect()
}

/// Loads by name; those that are not determined have no number.
fn told_loads(statics: &Statics, loads: &[(Expr, f64)], undetermined: &Undetermined) -> Ordered<f64> {
    let told = |(place, (load, (_, value))): (usize, (&Wanted, &(Expr, f64)))| {
        (load.name.clone(), if undetermined.has_load(place) { f64::NAN } else { *value })
    };
    statics.loads.iter().zip(loads).enumerate().map(told).collect()
}

/// First-order states by name, but for those that follow a coordinate which may have any value.
fn states(statics: &Statics, at: &At) -> Vec<(String, f64)> {
    let all = statics.lawful.names.iter().zip(&statics.lawful.symbols);
    let has_one =
        all.filter(|(_, symbol)| !statics.lawful.at_rest.apply_one(**symbol).is_ok_and(|e| is_loose(statics, e)));
    has_one.map(|(name, &symbol)| (name.clone(), clean(at.value(symbol)))).collect()
}

/// What first-order states are where coordinates may have any value.
fn states_of_free(statics: &Statics) -> Ordered<String> {
    let all = statics.lawful.names.iter().zip(&statics.lawful.symbols);
    let rest = all.filter_map(|(name, &symbol)| Some((name, statics.lawful.at_rest.apply_one(symbol).ok()?)));
    rest.filter(|one| is_loose(statics, one.1)).map(|(name, e)| (name.clone(), e.to_string())).collect()
}

/// Whether coordinates that nothing holds stand in it.
fn is_loose(statics: &Statics, e: Expr) -> bool {
    let symbols = e.symbols();
    statics.free.iter().any(|&s| symbols.contains(&statics.q[s]))
}

/// A one-sided constraint, and whether it is closed.
fn standing(loaded: &Loaded, &(place, closed): &(usize, bool)) -> (String, Support) {
    (loaded.system.constraints[place].name.clone(), if closed { Support::Closed } else { Support::Open })
}

/// Numbers without negative zeros.
fn unsigned(list: &[Complex]) -> Vec<Complex> {
    list.iter().map(|value| value.map(|x| x + 0.0)).collect()
}

/// Rounding is zero.
pub fn clean(x: f64) -> f64 {
    if x.abs() < 1e-14 { 0.0 } else { x }
}

/// Where reactions are not determined: the smallest, with the weights A M⁻¹ Aᵀ, for all rows; and those that balance each
/// other, which may be added. `at` is the point with its loads.
fn smallest(
    statics: &Statics,
    nearby: Option<&Nearby>,
    program: &Program,
    point: &Point,
    at: &At,
) -> (Vec<f64>, Vec<String>, Vec<Ordered<f64>>) {
    let rows: Vec<&mechanics::rows::Row> = statics.rows.list.iter().chain(&statics.rows.left_out).collect();
    let names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    let (A, force) = (at.matrix(&statics.slopes), at.values(&statics.force));
    let mass = nearby.map_or_else(|| vec![1.0; force.len()], |nearby| nearby.masses(program, &point.z));
    let weight = |a: &Vec<f64>| a.iter().zip(&mass).map(|(a, m)| if *m > 0.0 { a * a / m } else { a * a }).sum::<f64>();
    let weights: Vec<f64> = A.iter().map(weight).collect();
    let turned = Matrix::from_fn(force.len(), A.len(), |s, k| A[k][s]);
    let right: Vec<f64> = force.iter().map(|x| -x).collect();
    let found = shortest(&turned, &right, &weights, LEAST).map(|one| one.0);
    let combination = |direction: Vec<f64>| {
        let largest = direction.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(1.0);
        let parts = names.iter().cloned().zip(direction.into_iter().map(|x| clean(x / largest)));
        parts.filter(|one| one.1 != 0.0).collect()
    };
    let balancing = null_space(turned, Scale::Rows, RANK).map_or_else(|_| Vec::new(), |free| free.to_rows());
    let balancing = balancing.into_iter().map(combination).collect();
    (found.unwrap_or_else(|_| vec![0.0; rows.len()]), names, balancing)
}

/// A gap that is smaller, relative to its natural size, is closed where its row was left out beside others.
const CLOSED: f64 = 1e-6;

/// Why one-sided constraints do not allow the point: one that is closed would have to pull, or one that is open is violated.
fn violation(
    loaded: &Loaded,
    statics: &Statics,
    program: &Program,
    division: &Division,
    choice: &Choice,
    at: &At,
) -> Option<String> {
    let system = &loaded.system;
    if let Some(text) = outside(loaded, statics, program, at) {
        return Some(format!("an equilibrium was left out that violates `assume {text}`"));
    }
    let names: Vec<String> =
        division.pulled.iter().map(|&place| format!("`{}`", system.constraints[place].name)).collect();
    match &names[..] {
        _ if !division.is_known => {
            return Some("an equilibrium was left out: whether its supports only push could not be found".to_owned());
        }
        [] => {}
        [name] => return Some(format!("an equilibrium would need {name} to pull: one-sided constraints only push")),
        _ => {
            let list = names.join(", ");
            return Some(format!(
                "an equilibrium would need one of {list} to pull, however they share: one-sided constraints only push"
            ));
        }
    }
    for &(place, is_closed) in choice {
        let name = &system.constraints[place].name;
        for &f in &system.constraints[place].rows {
            if f.symbols().iter().any(|symbol| symbol.as_symbol().is_some_and(|one| one.order > 0)) {
                continue;
            }
            let (gap, size) = (at.value(f), span(statics, program, at, f));
            if is_closed && gap.abs() > CLOSED * size {
                // its row was left out beside others with the same slopes, which hold elsewhere
                return Some(format!("`{name}` cannot be closed together with the others that are"));
            }
            if is_closed {
                continue;
            }
            if gap < -1e-9 * size {
                return Some(format!("an equilibrium was left out that violates `{name}`"));
            }
            if gap <= 1e-9 * size {
                // it is found with the constraint closed
                return Some(format!("at an equilibrium `{name}` touches and carries nothing"));
            }
        }
    }
    None
}

/// The natural size of a function of the place: that of its terms, or how much it changes over the ground of the search.
fn span(statics: &Statics, program: &Program, at: &At, f: Expr) -> f64 {
    let changes = statics.searched.iter().zip(&program.scales).map(|(&s, scale)| {
        let change = expr::derivative(f, statics.q[s]).map_or(0.0, |slope| (at.value(slope) * scale).abs());
        if change.is_finite() { change } else { 0.0 }
    });
    changes.fold(at.size(f), f64::max)
}

/// What the model assumes of coordinates and a place does not satisfy.
fn outside(loaded: &Loaded, statics: &Statics, program: &Program, at: &At) -> Option<String> {
    let is_place = |e: Expr| {
        let symbols = e.symbols();
        let is_rate = |symbol: &Expr| symbol.as_symbol().is_some_and(|one| one.order > 0);
        symbols.iter().any(|symbol| statics.q.contains(symbol)) && !symbols.iter().any(is_rate)
    };
    let holds = |gap: Expr, comparison: Comparison| {
        let value = at.value(gap);
        let is_zero = value.abs() <= 1e-9 * span(statics, program, at, gap);
        match comparison {
            Comparison::Equal => is_zero,
            Comparison::NotEqual => !is_zero,
            Comparison::Greater => value > 0.0 && !is_zero,
            Comparison::AtLeast => value >= 0.0 || is_zero,
            Comparison::Less => value < 0.0 && !is_zero,
            Comparison::AtMost => value <= 0.0 || is_zero,
        }
    };
    let mut broken = statics.mode.bounds(&loaded.system).into_iter().filter(|(left, comparison, right)| {
        let gap = *left - *right;
        is_place(gap) && at.value(gap).is_finite() && !holds(gap, *comparison)
    });
    let (left, comparison, right) = broken.next()?;
    let sign = match comparison {
        Comparison::Equal => "=",
        Comparison::NotEqual => "!=",
        Comparison::Greater => ">",
        Comparison::AtLeast => ">=",
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
    };
    Some(format!("{} {sign} {}", left.brief(), right.brief()))
}

/// An energy as a function of the unknowns, if there is one.
pub type Energy<'a> = Box<dyn Fn(&[f64]) -> Option<Measured> + 'a>;

/// The energy at rest as a function of the unknowns, if there is one: V − T₀.
pub fn energy<'a>(loaded: &Loaded, statics: &Statics, program: &'a Program) -> Energy<'a> {
    let nothing: Energy<'a> = Box::new(|_| None);
    let made = || -> Option<Tape> {
        let V = letters::potential(loaded, statics)?;
        let mut inputs: Vec<Expr> = loaded.system.parameters.iter().map(|parameter| parameter.symbol).collect();
        inputs.push(loaded.system.time);
        inputs.extend(&statics.q);
        Tape::new(&inputs, &[], &[], &[vec![V]]).ok()
    };
    let Some(tape) = made() else { return nothing };
    Box::new(move |z: &[f64]| {
        let mut memory = tape.memory::<Measured>();
        let first = program.parameters.len() + 1;
        program.parameters.iter().enumerate().for_each(|(k, &x)| tape.put(&mut memory, k, Measured::float(x)));
        tape.put(&mut memory, first - 1, Measured::float(program.instants[0]));
        program.elsewhere.iter().enumerate().for_each(|(s, &x)| tape.put(&mut memory, first + s, Measured::float(x)));
        program.searched.iter().zip(z).for_each(|(&s, &x)| tape.put(&mut memory, first + s, Measured::float(x)));
        tape.run(0, Switches::Free, &mut memory);
        Some(memory[tape.outputs(0)[0] as usize]).filter(|x| x.value.is_finite())
    })
}

/// Nothing is said of such places.
const BUT: &str = ", but where the constraints depend on each other";

/// What is said where the equations were solved exactly; at `singular` places, where constraints depend, it may rest.
pub fn solved(
    ground: &Ground,
    program: &Program,
    statics: &Statics,
    proof: Option<&Proof>,
    singular: usize,
    answer: &mut EquilibriumSet,
) -> (bool, String) {
    noted(ground, program, statics, answer);
    let boxed = ground.ranges.iter().any(|range| range.is_some_and(|range| range.is_given()));
    let name = |k: usize| statics.names[program.searched[k]].clone();
    let places = if boxed { ranges_in_words(ground, &name) } else { String::new() };
    let also = match proof.filter(|proof| proof.is_finished && proof.undecided.is_empty() && singular == 0) {
        Some(proof) => {
            answer.boxes += proof.boxes;
            format!("; a search through {} says the same", boxes(proof.boxes))
        }
        None => String::new(),
    };
    let but = if singular > 0 { BUT } else { "" };
    (singular == 0, format!("proved: the equations were solved exactly{places}{also}{but}"))
}

/// Exact branches go into the answer.
pub fn take(answer: &mut EquilibriumSet, exact: super::exact::Branches) {
    answer.branches.extend(exact.list.into_iter().map(|one| one.told));
    for (list, new) in [(&mut answer.thresholds, exact.thresholds), (&mut answer.assumptions, exact.assumptions)] {
        for one in new {
            if !list.contains(&one) {
                list.push(one);
            }
        }
    }
}

/// The ranges go into the answer.
fn noted(ground: &Ground, program: &Program, statics: &Statics, answer: &mut EquilibriumSet) {
    for (k, range) in ground.ranges.iter().enumerate() {
        let name = &statics.names[program.searched[k]];
        if let Some(range) = range
            && answer.ranges.get(name).is_none()
        {
            answer.ranges.0.push((name.clone(), [range.low, range.high]));
        }
    }
}

/// Why nothing is claimed without a proof.
fn unclaimed(statics: &Statics, program: &Program, ground: &Ground) -> String {
    let name = |k: usize| statics.names[program.searched[k]].clone();
    let open: Vec<String> = (0..ground.ranges.len()).filter(|&k| ground.ranges[k].is_none()).map(name).collect();
    match open.first() {
        Some(first) => format!(
            "many starts; completeness is not claimed: {} {} no range (`{}` gives one)",
            open.join(", "),
            if open.len() == 1 { "has" } else { "have" },
            Field::Within.asked(format_args!("\"{first}=-1..1\""))
        ),
        None if statics.timed.is_some() => {
            "many starts; completeness is not claimed where time stands in the equations".to_owned()
        }
        None => format!(
            "many starts; completeness is not claimed for {} equations in {} unknowns",
            program.equations(),
            program.unknowns()
        ),
    }
}

/// Whether all equilibria were found, and why; boxes that could not be decided go into the answer.
pub fn completeness(
    statics: &Statics,
    program: &Program,
    ground: &Ground,
    proof: Option<&Proof>,
    near: bool,
    all: &[Found],
    answer: &mut EquilibriumSet,
) -> (bool, String) {
    let name = |k: usize| statics.names[program.searched[k]].clone();
    noted(ground, program, statics, answer);
    if near {
        return (false, "one place was looked at: completeness is not claimed".to_owned());
    }
    let Some(proof) = proof else { return (false, unclaimed(statics, program, ground)) };
    answer.boxes += proof.boxes;
    let holds_one = |part: &Vec<Interval>| {
        all.iter().any(|found| {
            let turned = |x: f64, part: &Interval, is_angle: bool| {
                let turn = std::f64::consts::TAU;
                let near = |x: f64| x >= part.low - 1e-3 && x <= part.high + 1e-3;
                near(x) || (is_angle && (near(x + turn) || near(x - turn)))
            };
            let mut places = program.searched.iter().zip(part).zip(&ground.ranges);
            places.all(|((&s, part), range)| turned(found.q[s], part, range.is_some_and(|range| range.is_angle)))
        })
    };
    let has_family = all.iter().any(|found| !found.equilibrium.directions.is_empty());
    for part in &proof.undecided {
        // in a range wider than a turn
        let turns = |k: usize, x: &Interval| {
            let wide = ground.ranges[k].filter(Range::is_wide);
            wide.map_or(0.0, |range| std::f64::consts::TAU * ((range.low - x.low) / std::f64::consts::TAU).ceil())
        };
        let ends = |(k, x): (usize, &Interval)| (name(k), [x.low + turns(k, x), x.high + turns(k, x)]);
        answer.undecided.push(part.iter().enumerate().map(ends).collect());
        if !has_family && !holds_one(part) {
            answer.decided = false;
        }
    }
    if !proof.is_finished && !has_family {
        answer.decided = false;
    }
    let places = ranges_in_words(ground, &name);
    let holds_all = proof.undecided.iter().all(holds_one);
    claimed(proof, has_family, holds_all, &places)
}

/// What a proof claims.
fn claimed(proof: &Proof, has_family: bool, holds_all: bool, places: &str) -> (bool, String) {
    match (proof.is_finished && proof.undecided.is_empty() && proof.singular.is_empty(), has_family) {
        (true, _) => (true, format!("proved: there are no others{places} ({})", boxes(proof.boxes))),
        (false, true) => (false, format!("boxes that carry the family stay undecided{places}")),
        (false, false) if proof.is_finished && proof.undecided.is_empty() => {
            (false, format!("proved: there are no others{places}{BUT}"))
        }
        (false, false) if holds_all && proof.is_finished => (
            false,
            format!(
                "proved{places} but for {} around an equilibrium at which the equations vanish twice, or are not smooth",
                if proof.undecided.len() == 1 {
                    "a small box".to_owned()
                } else {
                    format!("{} small boxes", proof.undecided.len())
                }
            ),
        ),
        (false, false) => (false, format!("{}{places} could not be decided", boxes(proof.undecided.len()))),
    }
}

fn boxes(count: usize) -> String {
    if count == 1 { "one box".to_owned() } else { format!("{count} boxes") }
}

/// ` for phi, psi in (−π, π] and x in 0 .. 1`.
fn ranges_in_words(ground: &Ground, name: &dyn Fn(usize) -> String) -> String {
    let turns: Vec<String> = (0..ground.ranges.len())
        .filter(|&k| ground.ranges[k].is_some_and(|range| !range.is_given()))
        .map(name)
        .collect();
    let mut parts = Vec::new();
    if !turns.is_empty() {
        parts.push(format!("{} in (−π, π]", turns.join(", ")));
    }
    for (k, range) in ground.ranges.iter().enumerate() {
        if let Some(range) = range.filter(Range::is_given) {
            parts.push(format!("{} in {} .. {}", name(k), decimal(range.low), decimal(range.high)));
        }
    }
    if parts.is_empty() { String::new() } else { format!(" for {}", parts.join(", ")) }
}

/// The answer with all equilibria in order, and with the work of displacements if there are none.
pub fn finish(
    loaded: &Loaded,
    relative: &[(usize, Expr)],
    mut all: Vec<Found>,
    mut answer: EquilibriumSet,
) -> Result<EquilibriumSet, Trouble> {
    all.sort_by(|a, b| {
        let rank = |found: &Found| match found.equilibrium.stability {
            Rest::AsymptoticallyStable | Rest::Stable => 0,
            Rest::Neutral => 1,
            Rest::Undecided => 2,
            _ => 3,
        };
        rank(a).cmp(&rank(b)).then_with(|| a.q.partial_cmp(&b.q).unwrap_or(std::cmp::Ordering::Equal))
    });
    // where everything rests, a place that seems multiple, since constraints almost depend there, is none of its own
    if all.iter().any(|found| found.equilibrium.everywhere && found.equilibrium.contact.is_empty()) {
        all.retain(|found| found.equilibrium.kind != EquilibriumKind::Multiple);
    }
    if all.iter().any(|found| !found.equilibrium.unique) {
        answer.notes.push(
            "a force is not Lipschitz at an equilibrium: rest is a motion there, but need not be the only one that starts from rest"
                .to_owned(),
        );
    }
    if all.iter().any(|found| found.equilibrium.indeterminate > 0) {
        answer.notes.push(
            "statically indeterminate: of what shares a load only what it carries together is determined".to_owned(),
        );
    }
    answer.equilibria = all.into_iter().map(|found| found.equilibrium).collect();
    if answer.equilibria.is_empty() && answer.admissible {
        let rows = engine::forms::rows(loaded, &loaded.mode, &loaded.at)?;
        let mut ignored = Vec::new();
        let statics = Statics::new(loaded, loaded.mode.clone(), rows, relative, super::unknowns(loaded), &mut ignored)?;
        let loads: Vec<(&Wanted, f64)> = statics.loads.iter().map(|load| (load, 0.0)).collect();
        answer.work = work(loaded, &statics, &loads);
        answer.notes.push(freedoms(loaded, &statics));
    }
    Ok(answer)
}

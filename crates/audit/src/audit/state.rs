//! At which states are claims looked at in numbers, and what is the motion there?
//!
//! ```text
//! coordinates, rates     near the start, simple numbers; what the constraints then fix
//! inputs                 simple numbers: an input that is 0 would hide what is said about it
//! parameters             as the model says (witnesses), or a little off (comparisons: m = 1 would hide a lost m)
//! accelerations, λ       from the equations with multipliers
//! ```

use expr::{Expr, Floats, Substitution};
use linear::rank::reduce;
use linear::tolerance::RANK;
use linear::vector::dot;
use linear::{Matrix, Scale, Tolerance};
use mechanics::ingredients::Ingredients;
use mechanics::{Equation, Fact, Mode, Relation, StartReport, System};

use super::inputs::{self, MOST_RATES};
use super::{Shown, Standing};
use engine::{Loaded, Ordered};

/// How many states are looked at.
const MOST: usize = 5;
/// How many are tried.
const TRIES: usize = 24;
/// Simple numbers for coordinates and rates, taken in turn.
const SIMPLE: [i64; 9] = [3, 7, -4, 12, 5, -6, 9, 2, -8];
/// What parameters are multiplied by, in fortieths.
const OFF: [i64; 7] = [44, 37, 45, 36, 42, 39, 47];

/// By how much equations that agree miss each other, relative to their terms.
const AGREE: Tolerance = Tolerance::new(1e-7);

/// A state that satisfies the constraints, and the true motion there.
pub struct State {
    report: StartReport,
    /// Everything that has a number there.
    pub values: Vec<(Expr, f64)>,
    /// The true accelerations.
    pub accelerations: Vec<f64>,
    inputs: Vec<(String, f64)>,
    /// Rates of inputs that act as loads: shown where a claim holds them.
    rates: Vec<(Expr, f64)>,
    /// Parameters whose number is not that of the model.
    parameters: Vec<(String, f64)>,
}

/// Which states are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// With the parameters of the model, so that somebody can look there.
    Witness,
    /// The same, and with its inputs too: what is constant is so while nobody sets them.
    Quiet,
    /// With other parameters, so that none hides by accident.
    Generic,
    /// Like witnesses, on the other side of zero: what a kink or a root hides near the start.
    Mirrored,
}

/// The equations with multipliers, ready for numbers.
struct Truth {
    unknowns: Vec<Expr>,
    matrix: Vec<Vec<Expr>>,
    constants: Vec<Expr>,
    /// Does the time occur?
    is_timed: bool,
    /// How many of the unknowns, the last, are multipliers.
    multipliers: usize,
    /// Places of multipliers among the unknowns that may not be negative.
    pushing: Vec<usize>,
}

/// States with simple numbers that satisfy constraints and assumptions.
pub fn states(loaded: &Loaded, given: &Ingredients<'_>, own: &[Expr], which: Which) -> Vec<State> {
    let mut list = Vec::new();
    let Some(truth) = Truth::of(given) else { return list };
    for attempt in 0..TRIES {
        if list.len() >= MOST {
            break;
        }
        list.extend(state(loaded, given, &truth, own, which, attempt));
    }
    if list.is_empty() && which == Which::Generic {
        return states(loaded, given, own, Which::Witness);
    }
    list
}

fn state(
    loaded: &Loaded,
    given: &Ingredients<'_>,
    truth: &Truth,
    own: &[Expr],
    which: Which,
    attempt: usize,
) -> Option<State> {
    let (system, parameters) = varied(loaded, which, attempt);
    let report = match (which, attempt) {
        (Which::Witness | Which::Quiet, 0) if parameters.is_empty() => loaded.start.clone(),
        _ => simple(loaded, &system, given, (truth.is_timed, which == Which::Mirrored), attempt),
    };
    let has_numbers = |value: &mechanics::StartValue| value.number.is_some_and(f64::is_finite);
    if !report.missing.is_empty() || !report.values().all(has_numbers) || !report.contradictions.is_empty() {
        return None;
    }
    let mut values = report.state(&system);
    let mut given_inputs = Vec::new();
    let free = system.unknowns.iter().filter(|unknown| !own.contains(&unknown.symbol));
    for (place, unknown) in free.enumerate() {
        let number = SIMPLE[(place + 2 * attempt) % SIMPLE.len()].abs() as f64 / 10.0;
        values.push((unknown.symbol, number));
        given_inputs.push((unknown.name.clone(), number));
    }
    for input in &system.inputs {
        let number = at(&[input.value?], &values)[0];
        values.push((input.symbol, number));
        given_inputs.push((input.name.clone(), number));
    }
    let rates = inputs::loads(&system).flat_map(|input| (1..=MOST_RATES).map(|order| inputs::rate_of(input, order)));
    let simple = |place: usize| SIMPLE[(place * (attempt + 1) + 2 * attempt + 1) % SIMPLE.len()] as f64 / 4.0;
    let rates: Vec<(Expr, f64)> = rates.enumerate().map(|(place, rate)| (rate, simple(place))).collect();
    values.extend(rates.iter().copied());
    let speeds: Vec<Expr> = system.speeds.iter().map(|speed| speed.definition).collect();
    let numbers = at(&speeds, &values);
    values.extend(system.speeds.iter().map(|speed| speed.symbol).zip(numbers));
    let found = truth.at(&values)?;
    let accelerations = found[..given.q.len()].to_vec();
    values.extend(truth.unknowns.iter().copied().zip(found));
    holds_assumptions(given, &values).then_some(State {
        report,
        values,
        accelerations,
        inputs: given_inputs,
        rates,
        parameters,
    })
}

impl Truth {
    fn of(given: &Ingredients<'_>) -> Option<Truth> {
        let form = mechanics::formalism::formalism("multipliers")?.form(given).ok()?;
        let unknowns = form.all_unknowns();
        let (matrix, constants) = expr::linear_coefficients(&form.residuals(), &unknowns).ok()?;
        let rows = given.rows.list.iter().enumerate();
        let one_sided = rows.filter(|(_, row)| row.is_one_sided(given.system));
        let pushing = one_sided.map(|(place, _)| given.q.len() + place).collect();
        let time = given.system.time;
        let rows = given.rows.list.iter().map(|row| row.f);
        // what a claim says of an input may show at another time only
        let inputs = given.system.inputs.iter().filter_map(|input| input.value);
        let mut all = matrix.iter().flatten().chain(&constants).copied().chain(rows).chain(inputs);
        let is_timed = all.any(|e| e.symbols().contains(&time));
        Some(Truth { unknowns, matrix, constants, is_timed, multipliers: form.multipliers.len(), pushing })
    }

    /// Accelerations and multipliers; `None` if they are not determined, or if a one-sided constraint lets go.
    fn at(&self, values: &[(Expr, f64)]) -> Option<Vec<f64>> {
        let (rows, constants) = linear_at(&self.matrix, &self.constants, values);
        let right: Vec<f64> = constants.iter().map(|constant| -constant).collect();
        let mut found = linear::solve::evaluated(rows.clone(), &right).ok()?;
        let sizes: Vec<f64> = with_sizes(&self.constants, values).into_iter().map(|one| one.1).collect();
        // Where all accelerations vanish, one is rounding beside what the forces in its own equation could do alone.
        let alone = |k: usize| {
            let terms: f64 = rows[k].iter().zip(&found).map(|(a, x)| (a * x).abs()).sum();
            (terms + sizes[k]) / rows[k][k].abs()
        };
        let count = self.unknowns.len() - self.multipliers;
        let natural: Vec<f64> = (0..count.min(rows.len())).map(alone).collect();
        for (value, size) in found.iter_mut().zip(natural).filter(|(_, size)| size.is_finite()) {
            *value = if value.abs() < 1e-13 * size { 0.0 } else { *value };
        }
        // What is far smaller than the others of its kind is rounding.
        let (accelerations, multipliers) = found.split_at_mut(self.unknowns.len() - self.multipliers);
        for kind in [accelerations, multipliers] {
            let largest = kind.iter().fold(0.0_f64, |size, value| size.max(value.abs()));
            kind.iter_mut().filter(|value| value.abs() < 1e-13 * largest).for_each(|value| *value = 0.0);
        }
        let pushes = self.pushing.iter().all(|&place| found[place] >= 0.0);
        (pushes && found.iter().all(|value| value.is_finite())).then_some(found)
    }
}

/// Linear functions at a state: rows of coefficients, and what is left.
pub type Linear = (Vec<Vec<f64>>, Vec<f64>);

/// Coefficients and constants in numbers.
fn linear_at(matrix: &[Vec<Expr>], constants: &[Expr], values: &[(Expr, f64)]) -> Linear {
    let list: Vec<Expr> = matrix.concat().into_iter().chain(constants.iter().copied()).collect();
    let mut numbers = at(&list, values);
    let right = numbers.split_off(list.len() - constants.len());
    let width = matrix.first().map_or(0, Vec::len);
    let rows =
        if width == 0 { vec![Vec::new(); matrix.len()] } else { numbers.chunks(width).map(<[f64]>::to_vec).collect() };
    (rows, right)
}

/// What expressions are worth at these values; what has none is 0.
pub fn at(list: &[Expr], values: &[(Expr, f64)]) -> Vec<f64> {
    with_sizes(list, values).into_iter().map(|one| one.0).collect()
}

/// The same, each with the size of what makes it up.
pub fn with_sizes(list: &[Expr], values: &[(Expr, f64)]) -> Vec<(f64, f64)> {
    let floats = Floats::new(list);
    let mut numbers = vec![0.0; floats.len()];
    for (symbol, value) in values {
        if let Some(step) = floats.step_of(*symbol) {
            numbers[step] = *value;
        }
    }
    floats.run(0..floats.len(), &mut numbers);
    let sizes = floats.sizes(&numbers);
    floats.outputs().map(|step| (numbers[step], sizes[step])).collect()
}

/// Expressions that are linear in some unknowns, at every state: coefficients, and what is left.
pub fn linear(list: &[Expr], unknowns: &[Expr], states: &[State]) -> Option<Vec<Linear>> {
    let (matrix, constants) = expr::linear_coefficients(list, unknowns).ok()?;
    Some(states.iter().map(|state| linear_at(&matrix, &constants, &state.values)).collect())
}

fn holds_assumptions(given: &Ingredients<'_>, values: &[(Expr, f64)]) -> bool {
    let mut relations = given.mode.assumptions(given.system).filter_map(Relation::scalars);
    relations.all(|(left, is, right)| match is {
        expr::Comparison::Equal => {
            let (gap, size) = with_sizes(&[left - right], values)[0];
            gap.abs() <= 1e-12 * size
        }
        _ => is.holds(at(&[left - right], values)[0]),
    })
}

/// What vanishes by the equalities between parameters that a model assumes.
pub fn equalities(system: &System) -> Vec<Expr> {
    let is_parameter = |symbol: &Expr| system.parameters.iter().any(|one| one.symbol == *symbol);
    let relations = system.assumptions.iter().filter_map(Relation::scalars);
    let equal = relations.filter(|relation| relation.1 == expr::Comparison::Equal);
    let gaps = equal.map(|(left, _, right)| left - right);
    gaps.filter(|f| f.symbols().iter().all(is_parameter) && !f.symbols().is_empty()).collect()
}

/// The same solved for as many parameters, as far as they are linear in one: those without a value first.
fn solved_equalities(system: &System) -> Vec<(Expr, Expr)> {
    let mut solved: Vec<(Expr, Expr)> = Vec::new();
    let has_value =
        |symbol: &Expr| system.parameters.iter().any(|one| one.symbol == *symbol && one.definition.is_some());
    for f in equalities(system) {
        let known: Substitution = solved.iter().copied().collect();
        let f = known.apply_one(f).unwrap_or(f);
        let mut symbols = f.symbols();
        symbols.sort_by_key(has_value);
        let value = symbols.into_iter().find_map(|symbol| {
            let (slope, rest) = expr::linear_coefficients(&[f], &[symbol]).ok()?;
            Some((symbol, (-rest[0]).try_div(slope[0][0]).ok()?))
        });
        let Some((symbol, value)) = value else { continue };
        let put = Substitution::from([(symbol, value)]);
        solved.iter_mut().for_each(|one| one.1 = put.apply_one(one.1).unwrap_or(one.1));
        solved.push((symbol, value));
    }
    solved
}

/// The system with numbers for inputs, and for parameters that have none or shall have others; and
/// these parameters.
fn varied(loaded: &Loaded, which: Which, attempt: usize) -> (System, Vec<(String, f64)>) {
    let mut system = loaded.system.clone();
    let mut known = Substitution::new();
    let mut changed = Vec::new();
    let equal = solved_equalities(&system);
    let is_equal = |symbol: Expr| equal.iter().any(|one| one.0 == symbol);
    // assumed equalities give what is left, from values that need no others
    let needs_none =
        |one: &mechanics::Parameter| one.definition.is_none_or(|definition| definition.symbols().is_empty());
    let mut order: Vec<usize> = (0..system.parameters.len()).collect();
    if !equal.is_empty() {
        order.sort_by_key(|&place| match &system.parameters[place] {
            one if is_equal(one.symbol) => 1,
            one if needs_none(one) => 0,
            _ => 2,
        });
    }
    for place in order {
        let parameter = &mut system.parameters[place];
        let put = |e: Expr| known.apply_one(e).unwrap_or(e);
        let given = equal.iter().find(|one| one.0 == parameter.symbol).map(|one| one.1);
        let value = match parameter.definition {
            _ if given.is_some() => put(given.unwrap_or(parameter.symbol)),
            None => expr::rational(SIMPLE[(place + attempt) % SIMPLE.len()].abs(), 10),
            Some(definition) if definition.symbols().is_empty() && which == Which::Generic => {
                definition * expr::rational(OFF[(place * (attempt + 2) + attempt) % OFF.len()], 40)
            }
            Some(definition) => put(definition),
        };
        if parameter.definition.is_none() || given.is_some() || which == Which::Generic {
            changed.push((parameter.name.clone(), at(&[value], &[])[0]));
        }
        known.insert(parameter.symbol, value);
        (parameter.definition, parameter.value) = (Some(value), Some(value));
    }
    for (place, input) in system.inputs.iter_mut().enumerate() {
        // At the start an input is what the model says; elsewhere nothing may hide behind a 0.
        let is_said = attempt == 0 && which == Which::Witness || which == Which::Quiet;
        if !is_said || input.value.is_none() {
            input.value = Some(expr::rational(SIMPLE[(place * (attempt + 2) + attempt) % SIMPLE.len()], 4));
        }
    }
    (system, changed)
}

/// A state with simple numbers where they are free, and what the constraints then fix.
fn simple(
    loaded: &Loaded,
    system: &System,
    given: &Ingredients<'_>,
    (is_timed, is_mirrored): (bool, bool),
    attempt: usize,
) -> StartReport {
    let mut numbers = (0..).map(|place: usize| SIMPLE[(place * (attempt + 1) + attempt) % SIMPLE.len()]);
    let mut next = |parts: i64| expr::rational(numbers.next().unwrap_or(0), parts);
    let equation = |left: Expr, right: Expr| Equation {
        left,
        right,
        axis: None,
        text: String::new(),
        span: syntax::Span::default(),
    };
    // Later attempts stay closer to the start.
    let (fine, spread) = match attempt {
        ..8 => (10, 20),
        8..16 => (1000, 100),
        _ => (100_000, 1000),
    };
    let rounded = |number: Option<f64>| {
        let number = number.filter(|number| number.abs() < 1e12).unwrap_or(0.0);
        expr::rational((number * fine as f64).round() as i64, fine)
    };
    let large = |number: Option<f64>| number.is_some_and(|number| number.abs() > 10.0);
    let chart = given.chart().ok();
    let tied = |place: usize| {
        let in_row = given.rows.list.iter().any(|row| row.order == 0 && !row.A[place].is_zero());
        in_row && chart.is_none_or(|chart| chart.dependent.contains(&place))
    };
    let time = system.time;
    let mut lines: Vec<Equation> = system.start.iter().filter(|line| line.left == time && !is_timed).cloned().collect();
    let mut guesses = Vec::new();
    if is_timed {
        let later = expr::rational(1 + attempt as i64, spread);
        lines.push(equation(time, rounded(loaded.start.time.number) + later));
    }
    for (place, value) in loaded.start.coordinates.iter().enumerate() {
        // Coordinates stay near the start, where the chart and the assumptions are good; rates are free.
        let near = rounded(value.number.map(|number| if is_mirrored { -number } else { number }));
        let off = next(spread);
        match tied(place) {
            true => guesses.push(equation(value.symbol, near)),
            false if large(value.number) => lines.push(equation(value.symbol, near + near * off / expr::integer(4))),
            false => lines.push(equation(value.symbol, near + off)),
        }
    }
    let speeds =
        |u: Expr| loaded.system.speeds.iter().find(|speed| speed.symbol == u).map_or(u, |speed| speed.definition);
    lines.extend(chart.iter().flat_map(|chart| &chart.u).map(|&u| equation(speeds(u), next(10))));
    guesses.extend(loaded.start.rates.iter().map(|value| equation(value.symbol, rounded(value.number))));
    for value in &loaded.start.states {
        lines.push(equation(value.symbol, rounded(value.number) + next(spread)));
    }
    lines.extend(given.mode.no_slip());
    mechanics::state(system, &lines, &guesses)
}

/// Whether a parameter stands for a function, as in `b(x, t)`.
fn is_function(name: &str) -> bool {
    name.ends_with(')')
}

/// A function that stands for all in numbers, written out: see `expr::unspecified`, formula (1).
fn written_out((name, h): &(String, f64)) -> (String, String) {
    let arguments = name.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
    let wave = |phase: f64, slope: &dyn Fn(f64) -> f64| {
        let terms = arguments.split(", ").enumerate().map(|(place, argument)| {
            let slope = expr::decimal(slope(place as f64 + 1.0));
            format!(" + {slope}*{argument}")
        });
        format!("sin({}{})/2", expr::decimal(phase), terms.collect::<String>())
    };
    let (slow, fast) = (wave(*h, &|i| 2.0 / (1.0 + i * h * h)), wave(2.0 * h, &|i| (h + i) / 2.0));
    (name.clone(), format!("2 + {slow} + {fast}"))
}

/// The largest part of an equation at the true motion, relative to the size of its terms.
pub fn misses(state: &State, parts: &[Expr]) -> f64 {
    let relative = with_sizes(parts, &state.values).into_iter().map(|(value, size)| match size > 0.0 {
        true => value.abs() / size,
        false => 0.0,
    });
    relative.filter(|value| value.is_finite()).fold(0.0, f64::max)
}

/// What is to be shown of a wrong claim: its parts, what all claims say, and the unknowns of the author.
pub struct Wrong<'a> {
    pub parts: &'a [Expr],
    pub all: &'a [Expr],
    pub own: &'a [Expr],
}

impl State {
    /// By how much a claim misses here, relative to its terms, once unknowns of the author have been chosen as well as
    /// the other claims allow; and the number itself, with these unknowns.
    pub fn missed(&self, wrong: &Wrong<'_>) -> (f64, f64, Vec<f64>) {
        let mentions = |e: &Expr| e.symbols().iter().any(|symbol| wrong.own.contains(symbol));
        if !wrong.parts.iter().any(mentions) {
            let (value, _) = with_sizes(wrong.parts, &self.values)
                .into_iter()
                .max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()))
                .unwrap_or((0.0, 0.0));
            return (misses(self, wrong.parts), value, Vec::new());
        }
        self.with_unknowns(wrong).unwrap_or((0.0, 0.0, Vec::new()))
    }

    /// The other claims fix the unknowns as far as they can; what is left of this one then?
    fn with_unknowns(&self, wrong: &Wrong<'_>) -> Option<(f64, f64, Vec<f64>)> {
        let others = wrong.all.iter().filter(|e| !wrong.parts.contains(e));
        let list: Vec<Expr> = others.chain(wrong.parts).copied().collect();
        let (matrix, constants) = expr::linear_coefficients(&list, wrong.own).ok()?;
        let (rows, rest) = linear_at(&matrix, &constants, &self.values);
        let (mut known, mut right) = (Matrix::zeros(0, wrong.own.len()), Vec::new());
        let mut worst = (0.0, 0.0);
        for (k, (row, rest)) in rows.iter().zip(&rest).enumerate() {
            let found = reduce(&known, &right, Scale::RowsAndColumns, RANK).ok()?;
            let speaks_of = |v: &[f64]| {
                let terms = row.iter().zip(v).map(|(c, x)| (c * x).abs()).sum::<f64>();
                !RANK.hides(dot(row, v), terms)
            };
            if found.null_vectors().iter().any(speaks_of) {
                known.push(row);
                right.push(-rest);
            } else if k >= list.len() - wrong.parts.len() {
                let size = with_sizes(&[constants[k]], &self.values)[0].1.max(f64::MIN_POSITIVE);
                let value = dot(row, &found.solution()) + rest;
                if value.abs() / size > worst.0 {
                    worst = (value.abs() / size, value);
                }
            }
        }
        let unknowns = reduce(&known, &right, Scale::RowsAndColumns, RANK).ok()?.solution();
        Some((worst.0, worst.1, unknowns))
    }

    /// The state for a person, with the accelerations there.
    pub fn shown(&self, given: &Ingredients<'_>, wrong: &Wrong<'_>) -> Shown {
        let (_, residual, unknowns) = self.missed(wrong);
        let accelerations = self.claimed(given, wrong);
        let tangential = accelerations.as_ref().and_then(|found| self.tangential(given, found)).unwrap_or_default();
        let named = |list: Vec<f64>| given.q_ddot.iter().map(Expr::to_string).zip(list).collect::<Ordered<f64>>();
        let state = self.report.values().filter_map(|value| Some((value.symbol.to_string(), value.number?)));
        let time = &self.report.time;
        let late = time.number.filter(|&number| number != 0.0).map(|number| (time.symbol.to_string(), number));
        let w = given.chart().map_or(&[][..], |chart| &chart.w);
        let mentioned: Vec<Expr> = wrong.parts.iter().flat_map(|e| e.symbols()).collect();
        let rates = self.rates.iter().filter(|(rate, _)| mentioned.contains(rate));
        let rates = rates.map(|(rate, number)| (rate.to_string(), *number));
        Shown {
            state: state.chain(late).collect(),
            inputs: self.inputs.iter().cloned().chain(rates).collect(),
            parameters: self.parameters.iter().filter(|one| !is_function(&one.0)).cloned().collect(),
            functions: self.parameters.iter().filter(|one| is_function(&one.0)).map(written_out).collect(),
            unknowns: wrong.own.iter().map(Expr::to_string).zip(unknowns).collect(),
            claimed: accelerations.map_or_else(|| Ordered(Vec::new()), named),
            correct: named(self.accelerations.clone()),
            residual,
            tangential_reaction: w.iter().map(Expr::to_string).zip(tangential).collect(),
        }
    }

    /// The accelerations by the claims and the constraints, where these determine them.
    fn claimed(&self, given: &Ingredients<'_>, wrong: &Wrong<'_>) -> Option<Vec<f64>> {
        let lambda = given.rows.list.iter().map(|row| row.lambda);
        let mentioned: Vec<Expr> = wrong.all.iter().flat_map(|e| e.symbols()).collect();
        let others = wrong.own.iter().copied().chain(lambda).filter(|symbol| mentioned.contains(symbol));
        let unknowns: Vec<Expr> = given.q_ddot.iter().copied().chain(others).collect();
        let rows = given.rows.list.iter().map(|row| row.acceleration(&given.q_ddot));
        let equations: Vec<Expr> = wrong.all.iter().copied().chain(rows).collect();
        let (matrix, constants) = expr::linear_coefficients(&equations, &unknowns).ok()?;
        let (matrix, constants) = linear_at(&matrix, &constants, &self.values);
        let matrix = Matrix::of_width(unknowns.len(), matrix);
        let right: Vec<f64> = constants.iter().map(|constant| -constant).collect();
        let found = linear::solve::evaluated(&matrix, &right).ok()?;
        // There may be more equations than unknowns; then they must agree.
        let misses = linear::solve::misses(&matrix, &found, &right);
        AGREE.hides(misses, 1.0).then(|| found[..given.q.len()].to_vec())
    }

    /// Σ_s (E_s − Q_s) ∂q''_s/∂w at the claimed accelerations: zero for ideal constraints.
    fn tangential(&self, given: &Ingredients<'_>, accelerations: &[f64]) -> Option<Vec<f64>> {
        let chart = given.chart().ok()?;
        let surplus: Vec<Expr> = given.E().ok()?.iter().zip(given.Q().ok()?).map(|(&e, &q)| e - q).collect();
        let surplus = given.thawed(&surplus).ok()?;
        let mut values = self.values.clone();
        values.extend(given.q_ddot.iter().copied().zip(accelerations.iter().copied()));
        let forces = at(&surplus, &values);
        let (along, constants) = expr::linear_coefficients(&chart.accelerations, &chart.w).ok()?;
        let (along, _) = linear_at(&along, &constants, &self.values);
        Some((0..chart.w.len()).map(|k| along.iter().zip(&forces).map(|(row, f)| row[k] * f).sum()).collect())
    }
}

/// Is a place an equilibrium, and stable as it is said to be? In words, if it is not.
pub fn equilibrium(loaded: &Loaded, mode: &Mode, fact: &Fact) -> Option<(Standing, Option<String>)> {
    if let Some(why) = crate::judge::does_not_rest(&loaded.system, fact) {
        return Some((Standing::Wrong, Some(why)));
    }
    Some(match statics::judged(loaded, mode, fact)? {
        statics::Verdict::Right => (Standing::Correct, None),
        statics::Verdict::Wrong(why) => (Standing::Wrong, Some(why)),
        statics::Verdict::Unknown(why) => (Standing::Unknown(why), None),
    })
}

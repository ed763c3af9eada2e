//! At which states are claims looked at in numbers, and what is the motion there?

use expr::Expr;
use mechanics::chart::{Chart, ChartKind};
use mechanics::ingredients::Ingredients;
use mechanics::{Relation, StartReport};

use super::{Equation, Shown, Standing};
use crate::dynamics::{Numbers, numbers};
use crate::fact::size;
use crate::{Loaded, Ordered, dense};

/// How many states are tried.
const MOST: usize = 5;
/// Simple numbers for coordinates and rates, taken in turn.
const SIMPLE: [f64; 9] = [0.3, 0.7, -0.4, 1.2, 0.5, -0.6, 0.9, 0.2, -0.8];

/// A state that satisfies the constraints, and the true motion there.
pub struct State {
    pub report: StartReport,
    pub numbers: Numbers,
}

/// The start, and states with simple numbers that satisfy constraints and assumptions.
pub fn states(loaded: &Loaded, given: &Ingredients<'_>) -> Vec<State> {
    let mut list = Vec::new();
    for attempt in 0..3 * MOST {
        if list.len() >= MOST {
            break;
        }
        let report = if attempt == 0 { loaded.start.clone() } else { simple(loaded, given, attempt) };
        let complete =
            report.missing.is_empty() && report.values().all(|value| value.number.is_some_and(f64::is_finite));
        if !complete || !report.contradictions.is_empty() {
            continue;
        }
        loaded.refer_to(&report);
        let kind = given.chart().map_or(ChartKind::Rates, |chart| chart.kind);
        if holds_assumptions(loaded)
            && let Ok(Ok((numbers, _, _))) = numbers(loaded, kind, None)
            && numbers.released.is_empty()
        {
            list.push(State { report, numbers });
        }
    }
    loaded.refer_to(&loaded.start);
    list
}

fn holds_assumptions(loaded: &Loaded) -> bool {
    let relations = loaded.system.assumptions.iter().filter_map(Relation::scalars);
    relations.into_iter().all(|(left, is, right)| is.holds(left.reference() - right.reference()))
}

/// A state with simple numbers where they are free, and what the constraints then fix.
fn simple(loaded: &Loaded, given: &Ingredients<'_>, attempt: usize) -> StartReport {
    let mut system = loaded.system.clone();
    let mut numbers = (0..).map(|place: usize| SIMPLE[(place * (attempt + 1) + attempt) % SIMPLE.len()]);
    let mut next = || expr::rational((numbers.next().unwrap_or(0.0) * 10.0).round() as i64, 10);
    let equation = |left: Expr, right: Expr| mechanics::Equation {
        left,
        right,
        axis: None,
        text: String::new(),
        span: syntax::Span::default(),
    };
    let chart = given.chart().ok();
    let tied = |place: usize| {
        let in_row = given.rows.list.iter().any(|row| row.order == 0 && !row.A[place].is_zero());
        in_row && chart.is_none_or(|chart| chart.dependent.contains(&place))
    };
    system.start.clear();
    system.guesses.clear();
    for (place, value) in loaded.start.coordinates.iter().enumerate() {
        // Coordinates stay near the start, where the chart and the assumptions are good; rates are free.
        let near = value.number.map_or(0, |number| (number * 10.0).round() as i64);
        let near = expr::rational(near, 10);
        match tied(place) {
            true => system.guesses.push(equation(value.symbol, near)),
            false => system.start.push(equation(value.symbol, near + next() / expr::integer(2))),
        }
    }
    let speeds =
        |u: Expr| loaded.system.speeds.iter().find(|speed| speed.symbol == u).map_or(u, |speed| speed.definition);
    for &u in chart.map_or(&[][..], |chart| &chart.u) {
        system.start.push(equation(speeds(u), next()));
    }
    for value in &loaded.start.rates {
        system
            .guesses
            .push(equation(value.symbol, expr::rational(value.number.map_or(0, |n| (n * 10.0).round() as i64), 10)));
    }
    mechanics::start(&system, &[])
}

/// By how much an equation misses at the true motion, relative to the size of its terms.
pub fn misses(loaded: &Loaded, state: &State, e: Expr) -> f64 {
    loaded.refer_to_all(&state.report, &state.numbers.all());
    let (value, size) = (e.reference().abs(), size(e, 0));
    let relative = if size > 0.0 { value / size } else { 0.0 };
    if relative.is_finite() { relative } else { 0.0 }
}

/// What all equations of motion say together.
pub fn claimed(equations: &[Equation]) -> Vec<Expr> {
    equations.iter().flat_map(|equation| equation.parts.iter().copied()).collect()
}

impl State {
    /// The state for a person, with the accelerations there.
    pub fn shown(
        &self,
        loaded: &Loaded,
        given: &Ingredients<'_>,
        chart: &Chart,
        parts: &[Expr],
        all: &[Expr],
    ) -> Shown {
        loaded.refer_to_all(&self.report, &self.numbers.all());
        let residual = parts.iter().map(|e| e.reference()).max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0);
        let accelerations = self.accelerations(loaded, given, all);
        let tangential = accelerations.as_ref().and_then(|found| tangential(given, chart, found)).unwrap_or_default();
        let named = |list: Vec<f64>| given.q_ddot.iter().map(Expr::to_string).zip(list).collect::<Ordered<f64>>();
        let correct = named(self.numbers.accelerations.iter().map(|value| value.1).collect());
        let state = self.report.values().filter_map(|value| Some((value.symbol.to_string(), value.number?))).collect();
        Shown {
            state,
            claimed: accelerations.map_or_else(|| Ordered(Vec::new()), named),
            correct,
            residual,
            tangential_reaction: chart.w.iter().map(Expr::to_string).zip(tangential).collect(),
        }
    }

    /// The accelerations by the claims and the constraints, where these determine them.
    fn accelerations(&self, loaded: &Loaded, given: &Ingredients<'_>, all: &[Expr]) -> Option<Vec<f64>> {
        let own = loaded.system.unknowns.iter().map(|unknown| unknown.symbol);
        let lambda = given.rows.list.iter().map(|row| row.lambda);
        let mentioned: Vec<Expr> = all.iter().flat_map(|e| e.symbols()).collect();
        let unknowns: Vec<Expr> =
            given.q_ddot.iter().copied().chain(own.chain(lambda).filter(|symbol| mentioned.contains(symbol))).collect();
        let rows = given.rows.list.iter().map(|row| row.acceleration(&given.q_ddot));
        let equations: Vec<Expr> = all.iter().copied().chain(rows).collect();
        let (matrix, constants) = expr::linear_coefficients(&equations, &unknowns).ok()?;
        loaded.refer_to(&self.report);
        let floats = matrix.iter().map(|row| row.iter().map(|c| c.reference()).collect()).collect();
        let right = constants.iter().map(|c| -c.reference()).collect();
        Some(dense::solve(floats, right)?[..given.q.len()].to_vec())
    }
}

/// Σ_s (E_s − Q_s) ∂q''_s/∂w at the claimed accelerations: zero for ideal constraints.
fn tangential(given: &Ingredients<'_>, chart: &Chart, accelerations: &[f64]) -> Option<Vec<f64>> {
    let surplus: Vec<Expr> = given.E().ok()?.iter().zip(given.Q().ok()?).map(|(&e, &q)| e - q).collect();
    let surplus = given.thawed(&surplus).ok()?;
    let (matrix, constants) = expr::linear_coefficients(&surplus, &given.q_ddot).ok()?;
    let value = |(row, constant): (&Vec<Expr>, &Expr)| {
        constant.reference() + row.iter().zip(accelerations).map(|(c, a)| c.reference() * a).sum::<f64>()
    };
    let forces: Vec<f64> = matrix.iter().zip(&constants).map(value).collect();
    let (along, _) = expr::linear_coefficients(&chart.accelerations, &chart.w).ok()?;
    Some((0..chart.w.len()).map(|k| along.iter().zip(&forces).map(|(row, f)| row[k].reference() * f).sum()).collect())
}

/// Is a place an equilibrium? Nothing moves there, and nothing starts to.
pub fn equilibrium(loaded: &Loaded, equations: &[Relation], asks_stability: bool) -> Standing {
    let mut system = loaded.system.clone();
    let lines = equations.iter().map(|equation| system.equations(&equation.tree).ok());
    let Some(lines) = lines.collect::<Option<Vec<_>>>() else {
        return Standing::Unknown("the place cannot be read".to_owned());
    };
    system.start = lines.concat();
    let report = mechanics::start(&system, &[]);
    if !report.contradictions.is_empty() {
        return Standing::Wrong;
    }
    loaded.refer_to(&report);
    let kind = if loaded.system.speeds.is_empty() { ChartKind::Rates } else { ChartKind::Speeds };
    let found = numbers(loaded, kind, None);
    loaded.refer_to(&loaded.start);
    match found {
        Ok(Ok((numbers, _, _))) => match numbers.accelerations.iter().all(|value| value.1.abs() < 1e-9) {
            true if asks_stability => {
                Standing::Unknown("it is an equilibrium; stability waits for equilibria".to_owned())
            }
            true => Standing::Correct,
            false => Standing::Wrong,
        },
        _ => Standing::Unknown("the accelerations are not determined there".to_owned()),
    }
}

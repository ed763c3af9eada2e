//! What became of the start? Every value with how it was found, and what does not fit.

use expr::Formula;
use mechanics::{Found, StartValue};
use serde::Serialize;

use super::rows::Acting;
use engine::{Loaded, Ordered};

/// The first state.
#[derive(Clone, Debug, Serialize)]
pub struct Start {
    /// Whether another state was asked for.
    pub elsewhere: bool,
    /// Time, coordinates and rates in numbers; `null` where a parameter has no value.
    pub values: Ordered<Option<f64>>,
    /// Those that are known exactly, in numbers and parameters.
    pub exact: Ordered<String>,
    /// The same in every shape.
    #[serde(skip)]
    pub formulas: Ordered<Formula>,
    /// What lines of `start` give.
    pub given: Vec<String>,
    /// What equations fix.
    pub solved: Vec<String>,
    /// What nothing fixes.
    pub zeroed: Vec<String>,
    /// The speeds by their definitions.
    pub speeds: Ordered<Option<f64>>,
    /// The largest residual, against the size of its terms.
    pub residual: Option<f64>,
    /// What does not hold.
    pub contradictions: Vec<Contradiction>,
    /// The lines of `guess`.
    pub guesses: Vec<Guess>,
    /// Constants without a value that the start depends on.
    pub missing: Vec<String>,
    /// Constraints that are not switched on yet.
    pub inactive: Vec<String>,
}

/// An equation that the first state does not satisfy.
#[derive(Clone, Debug, Serialize)]
pub struct Contradiction {
    /// The line as written, or the name of the constraint.
    pub name: String,
    /// By how much it misses, in SI units.
    pub misses_by: Option<f64>,
    /// As a sentence.
    pub message: String,
    /// The lines and constraints that it cannot hold together with.
    pub with: Vec<String>,
    /// The file, or the option of the command line.
    pub file: String,
    /// The line there.
    pub line: usize,
}

/// A line of `guess`.
#[derive(Clone, Debug, Serialize)]
pub struct Guess {
    /// As written.
    pub text: String,
    /// Was it of use?
    pub used: bool,
}

/// The start as plain values.
pub(super) fn start(loaded: &Loaded, acting: &Acting) -> Start {
    let start = &loaded.start;
    let names = |found: Found| {
        let values = start.values().filter(move |value| value.found == found);
        values.map(|value| value.symbol.to_string()).collect::<Vec<String>>()
    };
    let all = || [&start.time].into_iter().chain(start.values());
    let exact = |value: &StartValue| {
        let exact = value.exact.filter(|exact| value.found == Found::Given && exact.as_number().is_none())?;
        Some((value.symbol.to_string(), Formula::of(exact)))
    };
    let mut contradictions: Vec<Contradiction> =
        start.contradictions.iter().map(|contradiction| told(loaded, contradiction)).collect();
    contradictions.extend(acting.violated(loaded).into_iter().map(|(constraint, stand)| Contradiction {
        name: constraint.name.clone(),
        misses_by: stand.gap_rate.or(stand.gap),
        message: stand.violation(constraint, "at the start"),
        with: Vec::new(),
        file: loaded.model.sources.name_of(constraint.span).to_owned(),
        line: loaded.model.sources.line_of(constraint.span),
    }));
    contradictions.extend(bent(loaded, acting));
    Start {
        elsewhere: loaded.is_elsewhere,
        values: all().map(|value| (value.symbol.to_string(), value.number)).collect(),
        exact: all().filter_map(exact).map(|(name, formula)| (name, formula.text)).collect(),
        formulas: all().filter_map(exact).collect(),
        given: names(Found::Given),
        solved: names(Found::Solved),
        zeroed: names(Found::Zeroed),
        speeds: loaded.system.speeds.iter().map(|speed| speed.name.clone()).zip(start.speeds.clone()).collect(),
        residual: start.residual,
        contradictions,
        guesses: start.guesses.iter().map(|(text, used)| Guess { text: text.clone(), used: *used }).collect(),
        missing: start.missing.clone(),
        inactive: start.inactive.clone(),
    }
}

/// Geometric rows that hold now and not a moment later: with slopes that vanish, f'' holds no acceleration, and must vanish
/// too. So (x - t)^2 = 0 asks for x' = 1.
fn bent(loaded: &Loaded, acting: &Acting) -> Vec<Contradiction> {
    const SMALL: f64 = 1e-9;
    if !loaded.has_numbers() {
        return Vec::new();
    }
    let (system, still) = (&loaded.system, loaded.system.q_ddot().into_iter().map(|a| (a, 0.0)).collect::<Vec<_>>());
    let at = loaded.at.with(&still);
    let amount = |f: expr::Expr| {
        let moving = [system.q_dot(), system.q_ddot()].concat();
        if f.symbols().iter().any(|symbol| moving.contains(symbol)) || at.value(f).abs() > SMALL * at.size(f).max(1.0) {
            return None;
        }
        let slopes = expr::gradient(f, &system.q()).ok()?;
        let vanish = slopes.iter().all(|&slope| at.value(slope).abs() <= 1e-12 * at.size(slope).max(f64::MIN_POSITIVE));
        let second = expr::total_derivative(expr::total_derivative(f).ok()?).ok()?;
        let value = at.value(second);
        (vanish && value.abs() > SMALL * at.size(second).max(f64::MIN_POSITIVE)).then_some(value)
    };
    let rows = acting.rows.iter().enumerate().filter(|(place, _)| !acting.one_sided.contains(place));
    rows.filter_map(|(place, row)| {
        let (value, span) = (amount(row.f)?, acting.span(loaded, place));
        Some(Contradiction {
            name: row.name.clone(),
            misses_by: Some(value),
            message: format!(
                "`{}` holds at the start and not a moment later: its slope vanishes there, and left minus right has the second \
                 derivative {} whatever the accelerations are; other rates are needed",
                row.name,
                expr::decimal(value)
            ),
            with: Vec::new(),
            file: loaded.model.sources.name_of(span).to_owned(),
            line: loaded.model.sources.line_of(span),
        })
    })
    .collect()
}

fn told(loaded: &Loaded, contradiction: &mechanics::Contradiction) -> Contradiction {
    let row = &loaded.start.rows[contradiction.row];
    let component = row.axis.map_or(String::new(), |axis| format!(".{}", axis.symbol()));
    let name = format!("{}{component}", row.name);
    let is_rate = row.is_constraint
        && row.level == mechanics::Level::Velocity
        && loaded.start.rows.iter().any(|other| other.name == row.name && other.level == mechanics::Level::Position);
    let what = match (row.is_constraint, is_rate) {
        (true, true) => format!("the rate of `{name}` is not zero at the start"),
        (true, false) => format!("`{name}` does not hold at the start"),
        (false, _) => format!("`{name}` cannot be satisfied"),
    };
    let amount = match (contradiction.misses_by, contradiction.exactly) {
        (Some(amount), _) if !amount.is_finite() => "no number (too large, or divided by zero)".to_owned(),
        (Some(amount), _) => expr::decimal(amount),
        (None, Some(exact)) => exact.brief(),
        (None, None) => "an amount that is not known".to_owned(),
    };
    let with: Vec<String> = contradiction.with.iter().map(|name| format!("`{name}`")).collect();
    let with = match with.is_empty() {
        true => String::new(),
        false => format!("; it does not go together with {}", with.join(", ")),
    };
    Contradiction {
        name,
        misses_by: contradiction.misses_by,
        message: format!("{what}: its two sides differ by {amount}{with}"),
        with: contradiction.with.clone(),
        file: loaded.model.sources.name_of(row.span).to_owned(),
        line: loaded.model.sources.line_of(row.span),
    }
}

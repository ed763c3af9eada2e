//! Does a constraint act at a state?
//!
//! ```text
//! =           while `from` holds, or is not said, and `until` does not
//! >=, <=      the same, and closed: f = 0, and f' = 0 where f holds no rates
//!             f > 0, or f' > 0: open;   f < 0, or f' < 0 where f = 0: violated
//! no slip     of a unilateral contact: while the gap of the contact is closed; of a rough one: while it sticks
//! ```
//!
//! This is the one place that decides it. A one-sided constraint on accelerations is taken to be closed; its
//! multiplier tells whether it is.

use expr::{At, Expr, MathError};

use crate::{Constraint, Relation, Sense, System};

/// Gaps that are smaller than this, against the size of their terms, are closed.
const CLOSED: f64 = 1e-9;

/// Whether a constraint acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// It holds identically.
    Idle,
    /// An equation that acts.
    Acts,
    /// One-sided and closed: it acts while it pushes.
    Closed,
    /// One-sided and open.
    Open,
    /// One-sided and not satisfied.
    Violated,
    /// Not switched on yet.
    Later,
    /// Switched off.
    Over,
    /// No slip of a rough contact, which may slip.
    Rough,
}

/// How a constraint stands at a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stand {
    /// Whether it acts.
    pub standing: Standing,
    /// Its gap f if it is one-sided and the numbers are known.
    pub gap: Option<f64>,
    /// The rate of the gap, if the gap is closed and holds no rates.
    pub gap_rate: Option<f64>,
}

impl Standing {
    /// Does it act?
    pub fn acts(self) -> bool {
        matches!(self, Standing::Acts | Standing::Closed)
    }
}

impl Constraint {
    /// Whether it is an equation that acts in every motion at every time.
    pub fn acts_always(&self) -> bool {
        let is_switched = self.from.is_some() || self.until.is_some() || self.while_closed;
        self.sense == Sense::Equal && !is_switched && !self.is_rough
    }

    /// Whether it is one-sided.
    pub fn is_one_sided(&self) -> bool {
        self.sense != Sense::Equal
    }
}

/// Whether `from` and `until` let a constraint act, by the values of differences: `None` where a value is not known.
pub fn switched(constraint: &Constraint, value: &dyn Fn(Expr) -> Option<f64>) -> Standing {
    let holds = |relation: &Relation| {
        let (left, comparison, right) = relation.scalars()?;
        let difference = left - right;
        let value = if difference.is_zero() { 0.0 } else { value(difference)? };
        Some(comparison.holds(value))
    };
    match (&constraint.from, &constraint.until) {
        (_, Some(until)) if holds(until) == Some(true) => Standing::Over,
        (Some(from), _) if holds(from) != Some(true) => Standing::Later,
        _ => Standing::Acts,
    }
}

/// Whether the switches of a constraint let it act at a state: `Acts`, `Later` or `Over`.
pub fn switch(system: &System, constraint: &Constraint, at: &At) -> Standing {
    let has_numbers = has_numbers(system);
    let is_known = |e: Expr| {
        let fixed = |symbol: &Expr| *symbol == system.time || system.parameters.iter().any(|one| one.symbol == *symbol);
        has_numbers || e.symbols().iter().all(fixed)
    };
    switched(constraint, &|e| Some(at.value(e)).filter(|_| is_known(e)))
}

fn has_numbers(system: &System) -> bool {
    system.parameters.iter().all(|parameter| parameter.value.is_some())
}

/// How each constraint stands at a state.
pub fn standings(system: &System, at: &At) -> Result<Vec<Stand>, MathError> {
    let on: Vec<Standing> = system.constraints.iter().map(|one| switch(system, one, at)).collect();
    (0..system.constraints.len()).map(|place| stand(system, place, &on, at)).collect()
}

/// How a constraint stands at a state where the switches of all constraints stand like this. Without a value for
/// every parameter the sign of a gap is not known; it is taken to be closed.
pub fn stand(system: &System, place: usize, on: &[Standing], at: &At) -> Result<Stand, MathError> {
    let constraint = &system.constraints[place];
    let plain = |standing| Ok(Stand { standing, gap: None, gap_rate: None });
    if constraint.rows.is_empty() {
        return plain(Standing::Idle);
    }
    if on[place] != Standing::Acts {
        return plain(on[place]);
    }
    if constraint.is_rough {
        return plain(Standing::Rough);
    }
    let has_numbers = has_numbers(system);
    if let Some(gap) = crate::contact::gap_of(system, constraint) {
        let closed = stand(system, gap, on, at)?.standing.acts();
        return plain(if closed { Standing::Acts } else { Standing::Open });
    }
    if !constraint.is_one_sided() {
        return plain(Standing::Acts);
    }
    let order = constraint.rows.iter().map(|&row| order(row)).max().unwrap_or(0);
    if !has_numbers || order >= 2 {
        return plain(Standing::Closed);
    }
    let (gap, is_small) = smallest(system, &constraint.rows, false, at);
    if !is_small {
        let standing = if gap > 0.0 { Standing::Open } else { Standing::Violated };
        return Ok(Stand { standing, gap: Some(gap), gap_rate: None });
    }
    if order == 1 {
        return Ok(Stand { standing: Standing::Closed, gap: Some(0.0), gap_rate: None });
    }
    let rates = constraint.rows.iter().map(|&row| expr::total_derivative(row)).collect::<Result<Vec<_>, _>>()?;
    let (rate, is_small) = smallest(system, &rates, true, at);
    let standing = match (is_small, rate > 0.0) {
        (true, _) => Standing::Closed,
        (false, true) => Standing::Open,
        (false, false) => Standing::Violated,
    };
    Ok(Stand { standing, gap: Some(0.0), gap_rate: Some(if is_small { 0.0 } else { rate }) })
}

/// Whether rates such as slips are zero at a state, but for rounding.
pub fn rest(system: &System, rates: &[Expr], at: &At) -> bool {
    rates.iter().all(|&rate| at.value(rate).abs() <= CLOSED * natural_rate(system, rate, at))
}

/// Whether gaps are zero at a state, but for rounding.
pub fn shut(system: &System, gaps: &[Expr], at: &At) -> bool {
    smallest(system, gaps, false, at).1
}

/// By how much an equation between coordinates misses at a state, if it is more than rounding.
pub fn misses(system: &System, constraint: &Constraint, at: &At) -> Option<f64> {
    let geometric = constraint.rows.iter().filter(|&&row| order(row) == 0 && !constraint.is_one_sided());
    geometric.filter(|&&row| !smallest(system, &[row], false, at).1).map(|&row| at.value(row)).next()
}

/// What a gap would be if the coordinates in it had their natural sizes.
pub fn natural_gap(system: &System, gap: Expr, at: &At) -> f64 {
    size(gap, at).max(natural(system, gap, false, at))
}

/// What a rate would be if the rates in it had their natural sizes.
pub fn natural_rate(system: &System, rate: Expr, at: &At) -> f64 {
    size(rate, at).max(natural(system, rate, true, at))
}

/// The highest derivative of a coordinate in it.
fn order(e: Expr) -> u32 {
    let orders = e.symbols().into_iter().filter_map(|symbol| symbol.as_symbol());
    orders.filter(|symbol| symbol.kind == expr::Kind::Coordinate).map(|symbol| symbol.order).max().unwrap_or(0)
}

/// The smallest of the values at a state, and whether it is zero but for rounding.
fn smallest(system: &System, list: &[Expr], are_rates: bool, at: &At) -> (f64, bool) {
    let least = list.iter().map(|&e| at.value(e)).fold(f64::INFINITY, f64::min);
    let scale = list.iter().map(|&e| size(e, at).max(natural(system, e, are_rates, at))).fold(0.0, f64::max);
    (least, least.abs() <= CLOSED * scale)
}

/// What a gap would be if every coordinate, or every rate, were off by its natural size: the largest number of its unit
/// in the model, at least 1 if no parameter has it.
fn natural(system: &System, e: Expr, of_rates: bool, at: &At) -> f64 {
    let largest =
        |values: &mut dyn Iterator<Item = f64>| values.map(f64::abs).filter(|x| x.is_finite()).fold(0.0, f64::max);
    let part = |k: usize| {
        let c = &system.coordinates[k];
        let symbol = if of_rates { c.q_dot } else { c.q };
        let slope = expr::derivative(e, symbol).map_or(0.0, |slope| at.value(slope).abs());
        if slope == 0.0 {
            return 0.0;
        }
        let alike = system.coordinates.iter().filter(|other| other.dimension == c.dimension);
        let seen = largest(&mut alike.map(|other| at.value(if of_rates { other.q_dot } else { other.q })));
        let said =
            system.parameters.iter().filter(|one| !of_rates && one.dimension.is_some() && one.dimension == c.dimension);
        let said = largest(&mut said.map(|one| at.value(one.symbol)));
        slope * seen.max(if said > 0.0 { said } else { 1.0 })
    };
    (0..system.coordinates.len()).map(part).filter(|x| x.is_finite()).sum()
}

/// The largest of the terms of a sum at a state.
fn size(e: Expr, at: &At) -> f64 {
    match e.op() {
        expr::Op::Sum => e.arguments().iter().map(|&term| at.value(term).abs()).fold(0.0, f64::max),
        _ => at.value(e).abs(),
    }
}

/// How a one-sided constraint is violated at a state, in words.
pub fn violation(system: &System, at: &At, place: &str) -> Option<String> {
    let stands = standings(system, at).ok()?;
    let violated = system.constraints.iter().zip(&stands).find(|(_, stand)| stand.standing == Standing::Violated);
    violated.map(|(constraint, stand)| stand.violation(constraint, place))
}

impl Stand {
    /// How the constraint that stands so is violated, in words.
    pub fn violation(&self, constraint: &Constraint, place: &str) -> String {
        let (name, text) = (&constraint.name, expr::decimal);
        match (self.gap, self.gap_rate) {
            (_, Some(rate)) => {
                format!("`{name}` is closed {place}, and its gap shrinks at the rate {}: an impact", text(-rate))
            }
            (Some(gap), _) if crate::contact::contact_of(constraint).is_some() => {
                format!("contact `{name}` is inside the plane {place}: its gap is {}", text(gap))
            }
            (Some(gap), _) => format!("`{name}` is violated {place}: its gap is {}", text(gap)),
            _ => format!("`{name}` is violated {place}"),
        }
    }
}

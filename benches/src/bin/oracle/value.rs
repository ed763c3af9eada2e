//! What is the value of an expression at a point, in floating point?
//!
//! Only values that floating point can be held to are claimed. Beside each node's value goes a
//! bound for its error to first order, so that cancellation is seen:
//!
//! ```text
//! |δf(u, v, …)| ≤ |∂f/∂u| |δu| + |∂f/∂v| |δv| + … + ε |f|
//! ```

use std::collections::HashMap;

use expr::{At, Evaluator, Expr, Op, Rational};
use serde_json::{Map, Value, json};

use crate::draw::Draw;
use crate::text;

/// One rounding, with room for a library function that is not correctly rounded.
const ROUNDING: f64 = 2.0 * f64::EPSILON;
/// SymPy asks for 12 digits.
const WANTED: f64 = 2e-13;

pub fn line(draw: &mut Draw) -> Option<Value> {
    let e = draw.expression(4)?;
    let symbols = e.symbols();
    let point: Vec<Rational> = symbols.iter().map(|_| coordinate(draw)).collect::<Option<_>>()?;
    let state: Vec<(Expr, f64)> = symbols.iter().zip(&point).map(|(&symbol, x)| (symbol, x.to_f64())).collect();
    let claim = claim(e, &At::new(&state))?;
    let point: Map<String, Value> =
        symbols.iter().zip(&point).map(|(symbol, x)| (symbol.to_string(), json!(x.to_string()))).collect();
    Some(json!({"kind": "value", "expr": text(e)?, "point": point, "value": claim}))
}

/// A coordinate of a point: a fraction of ordinary size.
fn coordinate(draw: &mut Draw) -> Option<Rational> {
    let denominator = draw.one_of(&[1, 2, 3, 7, 16, 997]);
    let largest = draw.one_of(&[1, 3, 3, 10]) * denominator;
    Rational::new(draw.below(2 * largest + 1) as i64 - largest as i64, denominator as i64)
}

/// What is said of the value at a state; `None` if floating point does not tell: too
/// few digits, or an infinity on the way (atan(log(0)) has a value there).
fn claim(e: Expr, at: &At) -> Option<String> {
    let mut errors = HashMap::new();
    let mut surely_undefined = true;
    for node in Evaluator::new(&[e], &[]).nodes() {
        let value = at.value(node);
        if value.is_infinite() {
            return None;
        }
        let arguments = node.arguments();
        let values = at.values(&arguments);
        let own: Vec<f64> = arguments.iter().map(|argument| errors[argument]).collect();
        if value.is_nan() && !values.iter().any(|value| value.is_nan()) {
            surely_undefined &= is_outside(node.op(), &values, &own);
        }
        errors.insert(node, error(node.op(), value, &values, &own) + ROUNDING * value.abs());
    }
    let value = at.value(e);
    if value.is_nan() {
        return surely_undefined.then(|| "undefined".to_owned());
    }
    (errors[&e] <= WANTED * value.abs()).then(|| format!("{value:.16e}"))
}

/// Are the arguments outside the domain by more than their errors?
fn is_outside(op: Op, values: &[f64], errors: &[f64]) -> bool {
    let beyond = |edge: f64| (values[0].abs() - edge).abs() > 100.0 * errors[0];
    match op {
        Op::Power | Op::Log => beyond(0.0),
        Op::Asin | Op::Acos => beyond(1.0),
        _ => false,
    }
}

/// The error that a node inherits from its arguments.
fn error(op: Op, value: f64, of: &[f64], errors: &[f64]) -> f64 {
    let u = of.first().copied().unwrap_or(0.0);
    let first = errors.first().copied().unwrap_or(0.0);
    match op {
        Op::Number | Op::Symbol | Op::Pi => 0.0,
        Op::Sum => errors.iter().sum::<f64>() + ROUNDING * of.iter().map(|x| x.abs()).sum::<f64>(),
        Op::Scale | Op::Product => {
            let others =
                |k: usize| of.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, x)| x.abs()).product::<f64>();
            (0..of.len()).map(|k| others(k) * errors[k]).sum::<f64>() + ROUNDING * of.len() as f64 * value.abs()
        }
        Op::Power => (of[1] * value / u).abs() * first + ROUNDING * of[1].abs() * value.abs(),
        Op::Sin | Op::Cos | Op::Abs => first,
        Op::Tan => (1.0 + value * value) * first,
        Op::Asin | Op::Acos => first / (1.0 - u * u).sqrt(),
        Op::Atan => first / (1.0 + u * u),
        Op::Sinh => u.cosh() * first,
        Op::Cosh => u.sinh().abs() * first,
        Op::Tanh => (1.0 - value * value) * first,
        Op::Exp => value * first,
        Op::Log => first / u,
        Op::Cbrt => first / (3.0 * value * value),
        Op::Atan2 => (of[1].abs() * first + u.abs() * errors[1]) / (u * u + of[1] * of[1]),
        Op::Min | Op::Max => first.max(errors[1]),
        // A switch whose sign is not certain has no certain value.
        Op::Sign | Op::IfNegative | Op::IfZero if first > 0.0 && u.abs() <= 100.0 * first => f64::INFINITY,
        Op::Sign => 0.0,
        Op::IfNegative => errors[if u < 0.0 { 1 } else { 2 }],
        Op::IfZero => errors[if u == 0.0 { 1 } else { 2 }],
        // it has no value, so nothing is known of it
        Op::Unspecified | Op::Integral => f64::INFINITY,
    }
}

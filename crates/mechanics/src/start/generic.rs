//! Which state does a question without numbers look at, if the model gives no start?
//!
//! One that the constraints admit and in which nothing is special: a velocity cone is singular at rest, its
//! equations are not. Coordinates that no geometric row holds, and rates that no row holds, get numbers without meaning; the
//! others are solved for near such numbers.

use expr::Expr;

use super::{StartReport, state};
use crate::{Equation, System};

/// Numbers without meaning lie between these, in thousandths, spread by the golden ratio.
const FROM: f64 = 350.0;
const WIDTH: f64 = 500.0;

/// The state.
pub fn generic(system: &System) -> StartReport {
    let rows = || system.constraints.iter().flat_map(|constraint| constraint.rows.iter().copied());
    let held = |symbol: Expr, geometric: bool| {
        let is_geometric = |row: &Expr| !row.symbols().iter().any(|symbol| system.q_dot().contains(symbol));
        rows().filter(|row| !geometric || is_geometric(row)).any(|row| row.symbols().contains(&symbol))
    };
    let (mut given, mut near) = (Vec::new(), Vec::new());
    for (k, coordinate) in system.coordinates.iter().enumerate() {
        let is_held = held(coordinate.q, true);
        let line = equation(coordinate.q, 2 * k);
        if is_held {
            near.push(line)
        } else {
            given.push(line)
        }
        // the rate of what a geometric row holds is held by the derivative of the row
        let line = equation(coordinate.q_dot, 2 * k + 1);
        if is_held || held(coordinate.q_dot, false) { near.push(line) } else { given.push(line) }
    }
    let first = 2 * system.coordinates.len();
    given.extend(system.states.iter().enumerate().map(|(k, one)| equation(one.symbol, first + k)));
    state(system, &given, &near)
}

/// `symbol = number`.
fn equation(symbol: Expr, k: usize) -> Equation {
    let spread = (0.618_033_988_75 * (k + 1) as f64).fract();
    let right = expr::rational((FROM + WIDTH * spread).round() as i64, 1000);
    Equation { left: symbol, right, axis: None, text: String::new(), span: syntax::Span::default() }
}

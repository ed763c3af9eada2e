//! Which coefficients make a sum vanish for all values of the parameters?
//!
//! ```text
//! Σ c_j r_j(q, u, t) = 0 for one value of the parameters, c_k = 1                            found before
//! Σ c_j r_j(state_i) = 0,  i = 1 … k − 1                                                     solved for c, parameters as symbols
//! ```
//!
//! At states of small numbers, angles at quarter turns and thirds, what is left depends on parameters alone. Whoever uses
//! the coefficients proves the sum.

use expr::field::Random;
use expr::{Expr, Op, Substitution};
use proof::linear::{Columns, Matrix, solve_for};

use crate::audit::Auditor;

/// Sums of more parts are not looked at.
const PARTS: usize = 8;
/// So many sets of states are tried.
const TRIES: usize = 12;

/// The coefficients of functions of the state, with 1 for the last; `None` if the states that were tried do not give them.
pub fn weights(auditor: &Auditor<'_>, rates: &[Expr]) -> Option<Vec<Expr>> {
    let (last, others) = rates.split_last()?;
    if others.is_empty() || rates.len() > PARTS {
        return None;
    }
    let mut random = Random::new(0x0c0e_ff1c);
    let angles = angles(rates);
    (0..TRIES).find_map(|_| {
        let states: Vec<Vec<Expr>> =
            others.iter().map(|_| state(auditor, &angles, &mut random).apply(rates).ok()).collect::<Option<_>>()?;
        let matrix: Vec<Vec<Expr>> = states.iter().map(|row| row[..others.len()].to_vec()).collect();
        let right: Vec<Expr> = states.iter().map(|row| -row[others.len()]).collect();
        let found = solve_for(&Matrix::from_rows(&matrix), &right, Columns::Any, auditor.given.at).ok()?;
        let mut weights: Vec<Expr> = found.constants.iter().map(|&weight| expr::simplify(weight, &[])).collect();
        weights.push(Expr::one());
        let sum: Expr = weights.iter().zip(others.iter().chain([last])).map(|(&weight, &rate)| weight * rate).sum();
        (found.independent.is_empty() && sum.is_zero()).then_some(weights)
    })
}

/// A state of small numbers.
fn state(auditor: &Auditor<'_>, angles: &[Expr], random: &mut Random) -> Substitution {
    let (given, chart) = (auditor.given, auditor.chart);
    let all = given.q.iter().chain(&given.q_dot).chain(&chart.u).copied().chain([given.system.time]);
    let mut put = |symbol: Expr| {
        let draw = (random.next() % 12) as i64;
        let value = match angles.contains(&symbol) {
            true => expr::pi() * Expr::from([0, 1, 2, 3, 4, 6, 8, 9, 2, 4, 10, 3][draw as usize]) / Expr::from(6),
            false => Expr::from(draw - 5),
        };
        (symbol, value)
    };
    all.map(&mut put).collect()
}

/// Symbols inside sines and cosines.
fn angles(list: &[Expr]) -> Vec<Expr> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut waiting = list.to_vec();
    let mut angles = Vec::new();
    while let Some(node) = waiting.pop() {
        if !seen.insert(node) {
            continue;
        }
        match node.op() {
            Op::Sin | Op::Cos | Op::Tan => angles.extend(node.symbols()),
            _ => waiting.extend(node.arguments()),
        }
    }
    angles
}

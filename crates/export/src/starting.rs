//! How does code find the first state for other parameters? As Anholon does.
//!
//! ```text
//! y0          what lines of `start` give, as functions of the parameters; zero for what nothing fixes
//! r(y) = 0    the other equations of the start by Newton's method from there, positions first
//! ```
//!
//! Which unknowns are solved for is what Anholon chose for the model's own parameters, and so are the values that Newton's
//! method starts with.

use expr::Expr;
use mechanics::{Found, Level as Stage, StartValue};

use engine::{Error, Loaded};

use crate::maker::{Maker, unbound};
use crate::unit::Level;
use crate::value::{Answer, Routine, Step, Value};

/// A pivot that is smaller, against its row, is zero.
const DEPENDENT: f64 = 1e-9;

/// The routine of the values that are given, and the equations of the others.
pub fn starting(maker: &Maker<'_>) -> Result<(Routine, Vec<(Level, Routine)>), Error> {
    let loaded = maker.loaded;
    let start = &loaded.start;
    let all: Vec<&StartValue> = start.coordinates.iter().chain(&start.rates).chain(&start.states).collect();
    let names = loaded.system.coordinates.iter().map(|c| c.name.clone());
    let rates = loaded.system.coordinates.iter().map(|c| format!("{}'", c.name));
    let states = loaded.system.states.iter().map(|state| state.name.clone());
    let answer = Answer::list("y0", names.chain(rates).chain(states).collect());
    let zero = Expr::zero();
    let known = |one: &&StartValue| if one.found == Found::Solved { zero } else { one.exact.unwrap_or(zero) };
    let values: Vec<Expr> = all.iter().map(known).collect();
    let says = ["What the start gives, and where Newton's method begins for the rest."];
    let mut given = maker.make("start_values", &says, &maker.full, vec![(answer, values)]).map_err(unbound)?.routine;
    for step in &mut given.steps {
        if let Step::Put(_, k, value) = step {
            let one = all[*k];
            if one.found == Found::Solved || one.exact.is_none() {
                *value = Value::Double(one.number.unwrap_or(0.0));
            }
        }
    }
    let mut levels = Vec::new();
    for (stage, name) in [(Stage::Position, "start_positions"), (Stage::Velocity, "start_rates")] {
        levels.extend(level(maker, stage, name)?);
    }
    Ok((given, levels))
}

/// The equations of one stage, if there are any.
fn level(maker: &Maker<'_>, stage: Stage, name: &'static str) -> Result<Option<(Level, Routine)>, Error> {
    let loaded = maker.loaded;
    let start = &loaded.start;
    let (unknowns, first) = match stage {
        Stage::Position => (&start.coordinates, 0),
        Stage::Velocity => (&start.rates, start.coordinates.len()),
    };
    let n = unknowns.len();
    let solved: Vec<usize> = (0..n).filter(|&k| unknowns[k].found == Found::Solved).collect();
    let symbols: Vec<Expr> = solved.iter().map(|&k| unknowns[k].symbol).collect();
    let (mut rows, mut slopes) = (Vec::new(), Vec::new());
    for row in start.rows.iter().filter(|row| row.level == stage) {
        let by = expr::gradient(row.row, &symbols).map_err(Error::new)?;
        rows.push(row.row);
        slopes.push(by);
    }
    let kept = independent(loaded, &slopes);
    if kept.is_empty() {
        return Ok(None);
    }
    let wide = |list: &[Expr]| {
        let mut row = vec![Expr::zero(); n];
        solved.iter().zip(list).for_each(|(&k, &slope)| row[k] = slope);
        row
    };
    let unit = |k: usize| if k.is_multiple_of(n + 1) { Expr::one() } else { Expr::zero() };
    let names = kept.iter().map(|k| format!("row {}", k + 1)).collect();
    let answers = vec![
        (Answer::list("r", names), kept.iter().map(|&k| rows[k]).collect()),
        (Answer::matrix("J", kept.len(), n), kept.iter().flat_map(|&k| wide(&slopes[k])).collect()),
        (Answer::matrix("M", n, n), (0..n * n).map(unit).collect()),
    ];
    let says = match stage {
        Stage::Position => "Equations of the start r, their slopes J by the coordinates that they fix.",
        Stage::Velocity => "Equations of the start r, their slopes J by the rates that they fix.",
    };
    let made = maker.make(name, &[says], &maker.full, answers).map_err(unbound)?;
    Ok(Some((Level { routine: name, first, rows: kept.len() }, made.routine)))
}

/// Rows that are independent at the start, first come first served.
fn independent(loaded: &Loaded, slopes: &[Vec<Expr>]) -> Vec<usize> {
    let (mut kept, mut reduced): (Vec<usize>, Vec<(usize, Vec<f64>)>) = (Vec::new(), Vec::new());
    for (k, row) in slopes.iter().enumerate() {
        let mut row = loaded.at.values(row);
        let size = row.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        for (pivot, other) in &reduced {
            let factor = row[*pivot] / other[*pivot];
            row.iter_mut().zip(other).for_each(|(x, y)| *x -= factor * y);
        }
        let best = (0..row.len()).max_by(|&a, &b| row[a].abs().total_cmp(&row[b].abs()));
        if let Some(pivot) = best.filter(|&best| row[best].abs() > DEPENDENT * size) {
            reduced.push((pivot, row));
            kept.push(k);
        }
    }
    kept
}

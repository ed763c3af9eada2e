//! What are the equations as they stand, for languages that solve them by themselves?
//!
//! ```text
//! E − Q = Aᵀ λ,   f = 0          accelerations and multipliers are unknown
//! ```

use expr::Expr;

use engine::Error;

use crate::lower::Lowering;
use crate::maker::{Maker, solved, unbound};
use crate::unit::Implicit;
use crate::value::{Routine, Sort};

/// Equations of motion and constraints as they stand.
pub fn implicit(maker: &Maker<'_>) -> Result<Implicit, Error> {
    let (given, rows) = (maker.given, &maker.given.rows.list);
    let (mut names, mut inputs) = (maker.naming.names.clone(), maker.naming.inputs.clone());
    let mut name = |symbol: Expr, base: &str, order: u32| {
        let code = names.take(base, order);
        inputs.extend(symbol.as_symbol().map(|symbol| (symbol, code.clone())));
        code
    };
    let coordinates = &maker.loaded.system.coordinates;
    let accelerations = coordinates.iter().zip(&given.q_ddot).map(|(c, &a)| name(a, &c.name, 2)).collect();
    let multipliers =
        rows.iter().map(|row| (name(row.lambda, &format!("multiplier_{}", row.name), 0), row.name.clone())).collect();
    let form = |error: mechanics::form::FormError| Error::new(error);
    let surplus: Vec<Expr> = given
        .E()
        .map_err(form)?
        .iter()
        .zip(given.Q().map_err(form)?)
        .map(|(&inertia, &force)| inertia - force)
        .collect();
    let surplus = given.thawed(&surplus).map_err(Error::new)?;
    let reaction = |s: usize| rows.iter().map(|row| row.A[s] * row.lambda).sum::<Expr>();
    let mut values: Vec<Expr> = surplus.iter().enumerate().map(|(s, &e)| e - reaction(s)).collect();
    values.extend(rows.iter().map(|row| row.f));
    let rates: Vec<Expr> = maker.loaded.system.states.iter().map(|state| state.rate).collect();
    let says =
        coordinates.iter().map(|c| format!("motion of {}", c.name)).chain(rows.iter().map(|row| row.name.clone()));
    let says = says.collect();
    let (observed, events) = (maker.observes(&mut Vec::new())?, maker.events()?);
    let laws: Vec<Expr> = maker.loaded.system.inputs.iter().filter_map(|input| input.value).collect();
    let watched: Vec<Expr> = events.as_ref().map_or(Vec::new(), |one| one.answers.clone());
    let mut called = |prefix: &str, entries: &[String]| -> Vec<(String, String)> {
        let plain = |entry: &str| entry.split(" [").next().unwrap_or(entry).to_owned();
        entries.iter().map(|entry| (names.take(&format!("{prefix}{}", plain(entry)), 0), entry.clone())).collect()
    };
    let observes = called("", &observed.routine.answers[0].entries);
    let of_events = events.as_ref().map_or(&[][..], |one| &one.routine.answers[0].entries);
    let watches: Vec<(String, String)> = of_events
        .iter()
        .enumerate()
        .map(|(k, says)| (called("event_", &[k.to_string()])[0].0.clone(), says.clone()))
        .collect();
    let roots = [&values[..], &rates, &laws, &observed.answers, &watched].concat();
    let mut steps = Lowering::new(&roots, inputs, &[], &names);
    for (array, list) in [("e", &values), ("a", &rates), ("u", &laws), ("o", &observed.answers), ("g", &watched)] {
        steps.put(array, list).map_err(unbound)?;
    }
    let free = [
        fixed(maker, 0, &solved(&maker.loaded.start.coordinates)),
        fixed(maker, 1, &solved(&maker.loaded.start.rates)),
    ];
    let (name, answers, sort) = ("implicit", Vec::new(), Sort::Values);
    let routine = Routine { name, says: Vec::new(), answers, steps: steps.finish(), sort };
    Ok(Implicit { routine, says, accelerations, multipliers, observes, events: watches, fixed: free.concat() })
}

/// Which coordinates, or with order 1 which rates, can be chosen freely at the start: as many as there are freedoms,
/// and those that follow from equations last.
fn fixed(maker: &Maker<'_>, order: u32, solved: &[bool]) -> Vec<bool> {
    let rows = maker.given.rows.list.iter().filter(|row| row.order <= order);
    let mut rows: Vec<Vec<f64>> = rows.map(|row| maker.loaded.at.values(&row.A)).collect();
    let mut columns: Vec<usize> = (0..solved.len()).rev().collect();
    columns.sort_by_key(|&k| !solved[k]);
    let mut fixed = vec![true; solved.len()];
    for column in columns {
        let largest = |row: &Vec<f64>| row.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let best = (0..rows.len()).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        let Some(best) = best.filter(|&best| rows[best][column].abs() > 1e-9 * largest(&rows[best])) else {
            continue;
        };
        let pivot = rows.swap_remove(best);
        for row in &mut rows {
            let factor = row[column] / pivot[column];
            row.iter_mut().zip(&pivot).for_each(|(x, y)| *x -= factor * y);
            row[column] = 0.0;
        }
        fixed[column] = false;
    }
    fixed
}

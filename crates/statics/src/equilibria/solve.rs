//! Which loads balance a system at a given place?
//!
//! ```text
//! Q₀ + Σ B_k P_k + Aᵀλ = 0         linear in the loads P and the multipliers λ, at the place of the start      (1)
//! ```
//!
//! If (1) has no solution, some virtual displacement does work whatever the loads are: it is listed, with its work.

use expr::{At, Expr, Substitution};
use proof::linear::{Columns, Matrix, SolveError, solve_for};

use super::answer;
use super::program::Program;
use super::statics::{Statics, Wanted};
use super::work::{freedoms, work};
use super::{EquilibriumSet, Trouble, bad, choice, ground, set, stability};
use engine::{Field, Loaded, Ordered};

/// The loads of these names at the start.
pub fn solved(
    loaded: &Loaded,
    relative: &[(usize, Expr)],
    names: &[String],
    mut notes: Vec<String>,
) -> Result<EquilibriumSet, Trouble> {
    let wanted = wanted(loaded, names)?;
    if let Some(contradiction) = loaded.start.contradictions.first() {
        let row = &loaded.start.rows[contradiction.row].name;
        return Err(bad(&format!("no such place: `{row}` does not hold at the start"), "`anholon check` says more"));
    }
    let choice = choice::at_start(loaded);
    let mode = choice::mode(loaded, &choice);
    let rows = choice::rows(loaded, &mode)?;
    let statics = Statics::new(loaded, mode, rows, relative, wanted, &mut notes)?;
    let mut answer = answer::empty(loaded, notes);
    answer.completeness = "at the place of the start".to_owned();
    if let Some(why) = statics.inadmissible() {
        (answer.admissible, answer.notes) = (false, [answer.notes, vec![why]].concat());
        return Ok(answer);
    }
    let mut program = Program::new(loaded, &statics, statics.instants.clone())?;
    let everything = super::Equilibria::default();
    ground::ground(loaded, &statics, &everything, &mut program, &mut Vec::new())?;
    let number = |value: &mechanics::StartValue| value.number.unwrap_or(0.0);
    let q: Vec<f64> = program.searched.iter().map(|&s| number(&loaded.start.coordinates[s])).collect();
    let z = program.with_multipliers(&q);
    if program.left(&z) > 1e-9 {
        let n = z.len() - statics.loads.len();
        let loads: Vec<(&Wanted, f64)> = statics.loads.iter().zip(z[n..].iter().copied()).collect();
        answer.work = work(loaded, &statics, &loads);
        let said: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        answer.notes.push(format!("no value of {} balances the forces at the start", said.join(", ")));
        answer.notes.push(freedoms(loaded, &statics));
        if answer.work.is_empty() {
            answer.notes.push("the start is not on the constraints, or time stands in the equations".to_owned());
        }
        return Ok(answer);
    }
    let nearby = stability::Nearby::new(loaded, &statics);
    let point = set::point(&program, z);
    // the place is given: that others near it are equilibria too, with other loads, is no family
    let point = set::Point { family: Vec::new(), degenerate: Vec::new(), ..point };
    let mut made = answer::equilibrium(loaded, &statics, &program, nearby.as_ref(), &point, &choice)?;
    if let Some(why) = &made.violation {
        answer.notes.push(why.clone());
    }
    if point.undetermined == 0
        && let Some((values, conditions)) = exact(loaded, &statics)
    {
        (made.equilibrium.exact, made.equilibrium.conditions) = (Some(values), conditions);
    }
    answer.complete = point.undetermined == 0;
    if point.undetermined > 0 {
        answer.notes.push(format!("{} combinations of loads and reactions are not determined", point.undetermined));
    }
    answer.equilibria = vec![made.equilibrium];
    Ok(answer)
}

/// The loads of these names.
fn wanted(loaded: &Loaded, names: &[String]) -> Result<Vec<Wanted>, Trouble> {
    let system = &loaded.system;
    let unknowns = system.unknowns.iter().map(|one| Wanted { name: one.name.clone(), symbol: one.symbol });
    let inputs = system.inputs.iter().map(|one| Wanted { name: one.name.clone(), symbol: one.symbol });
    let all: Vec<Wanted> = unknowns.chain(inputs).collect();
    let known: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
    let mut list: Vec<Wanted> = Vec::new();
    for name in names {
        let Some(one) = all.iter().find(|one| one.name == *name) else {
            let hint = match (syntax::nearest(name, known.iter().copied()), known.is_empty()) {
                (Some(near), _) => format!("did you mean `{near}`?"),
                (None, true) => format!("declare it as in `unknown {name} : N`, and let it act by a force"),
                (None, false) => format!("the loads are {}", known.join(", ")),
            };
            return Err(bad(&format!("`{}`: there is no load `{name}`", Field::Solve), &hint));
        };
        if !list.iter().any(|other| other.name == one.name) {
            list.push(one.clone());
        }
    }
    if let Some(other) = system.unknowns.iter().find(|unknown| !names.contains(&unknown.name)) {
        let message = format!("`{}` is a load that is looked for, and `{}` does not name it", other.name, Field::Solve);
        let more = Field::Solve.asked(format_args!("{},{}", names.join(","), other.name));
        return Err(bad(&message, &format!("name it too: `{more}`")));
    }
    Ok(list)
}

/// Loads and multipliers with parameters as symbols, proved: put into (1), which vanishes at the place of the start.
fn exact(loaded: &Loaded, statics: &Statics) -> Option<(Ordered<String>, Vec<String>)> {
    let place: Substitution =
        loaded.start.coordinates.iter().map(|value| Some((value.symbol, value.exact?))).collect::<Option<_>>()?;
    let named = statics.equations();
    let list: Vec<Expr> = named.iter().map(|one| one.1).collect();
    let list = place.apply(&list).ok()?;
    let list = definitions(loaded)
        .into_iter()
        .rev()
        .try_fold(list, |list, one| Substitution::from([one]).apply(&list))
        .ok()?;
    let unknowns: Vec<Expr> =
        statics.loads.iter().map(|load| load.symbol).chain(statics.rows.list.iter().map(|row| row.lambda)).collect();
    let (matrix, constants) = expr::linear_coefficients(&list, &unknowns).ok()?;
    let kept: Vec<usize> =
        (0..list.len()).filter(|&i| !constants[i].is_zero() || matrix[i].iter().any(|e| !e.is_zero())).collect();
    let matrix: Vec<Vec<Expr>> = kept.iter().map(|&i| matrix[i].clone()).collect();
    let right: Vec<Expr> = kept.iter().map(|&i| -constants[i]).collect();
    let found = match solve_for(&Matrix::from_rows(&matrix), &right, Columns::Any, &loaded.at) {
        Ok(found) if found.independent.is_empty() => found.constants,
        Ok(_) | Err(SolveError::Undetermined { .. }) => return None,
        Err(_) => return None,
    };
    let map: Substitution = unknowns.iter().copied().zip(found.iter().copied()).collect();
    let checked = map.apply(&list).ok()?;
    if !checked.iter().all(|e| proof::decide(*e, &proof::Assumptions::none()).is_zero()) {
        return None;
    }
    let names = statics.loads.iter().map(|load| load.name.clone());
    let mut conditions = Vec::new();
    let told = |value: &Expr| {
        let value = unfolded(expr::simplify(*value, &[]), &mut conditions, &loaded.at);
        expr::simplify(value, &[]).to_string()
    };
    let values: Vec<String> = found.iter().take(statics.loads.len()).map(told).collect();
    Some((names.zip(values).collect(), conditions))
}

/// Without absolute values: their arguments have the signs that they have at the state, which is a condition then.
fn unfolded(e: Expr, conditions: &mut Vec<String>, at: &At) -> Expr {
    let mut map = Substitution::new();
    let mut waiting = vec![e];
    while let Some(node) = waiting.pop() {
        if node.op() == expr::Op::Abs {
            let inside = node.arguments()[0];
            let is_negative = at.value(inside) < 0.0;
            let condition = format!("{inside} {} 0", if is_negative { "<" } else { ">" });
            if !conditions.contains(&condition) {
                conditions.push(condition);
            }
            map.insert(node, if is_negative { -inside } else { inside });
        } else {
            waiting.extend(node.arguments());
        }
    }
    map.apply_one(e).unwrap_or(e)
}

/// Parameters that are declared in terms of others.
fn definitions(loaded: &Loaded) -> Substitution {
    let of = |parameter: &mechanics::Parameter| {
        let definition = parameter.definition.filter(|definition| !definition.symbols().is_empty())?;
        Some((parameter.symbol, definition))
    };
    loaded.system.parameters.iter().filter_map(of).collect()
}

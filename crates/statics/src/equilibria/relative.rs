//! Which coordinates turn by the user's word, and may they?
//!
//! ```text
//! q_s' = rate, all others at rest      is a motion only if nothing depends on q_s: no row, no load, no inertia
//! ```

use expr::{Expr, Substitution};
use mechanics::Mode;
use mechanics::chart::ChartKind;
use mechanics::ingredients::Ingredients;
use mechanics::rows::{Row, Rows};
use syntax::Diagnostic;

use super::{Trouble, bad, unknown_coordinate};
use engine::{Error, Field, Loaded};

/// The rates of these coordinates at the start.
pub fn relative(loaded: &Loaded, names: &[String]) -> Result<Vec<(usize, Expr)>, Trouble> {
    let system = &loaded.system;
    let all: Vec<&str> = system.coordinates.iter().map(|coordinate| coordinate.name.as_str()).collect();
    let mut list: Vec<(usize, Expr)> = Vec::new();
    for name in names {
        let s =
            all.iter().position(|one| one == name).ok_or_else(|| unknown_coordinate(Field::Relative, name, &all))?;
        let value = &loaded.start.rates[s];
        if value.number.is_none_or(|rate| rate == 0.0) {
            let hint =
                format!("give the rate: `{}`, or in a `start` line", Field::Set.asked(format_args!("\"{name}'=2\"")));
            let asked = Field::Relative.asked(name);
            return Err(bad(&format!("`{name}'` is 0 at the start: `{asked}` needs its rate"), &hint));
        }
        let number = value.number.unwrap_or(0.0);
        let exact = value.exact.or_else(|| expr::parse(&format!("{number}")).ok());
        let valueless =
            || bad(&format!("`{name}'` has no value at the start"), &format!("give it with `{}`", Field::Set));
        let rate = exact.ok_or_else(valueless)?;
        may_turn(loaded, s)?;
        if !list.iter().any(|one| one.0 == s) {
            list.push((s, rate));
        }
    }
    Ok(list)
}

/// An error that names what depends on a coordinate.
fn may_turn(loaded: &Loaded, s: usize) -> Result<(), Trouble> {
    let system = &loaded.system;
    let (q, name) = (system.coordinates[s].q, &system.coordinates[s].name);
    let hint = &format!(
        "`{}` is for a coordinate that nothing depends on; prescribe the turn by a constraint otherwise",
        Field::Relative
    );
    let refuse = |span, what: String| {
        let message = format!("`{name}` cannot turn steadily by itself: {what} depends on it");
        let told = Diagnostic::error(span, message).hint(hint.as_str());
        Err(Trouble::Bad(Error::of_model(&loaded.model.sources, &[told])))
    };
    let rows = engine::forms::rows(loaded, &loaded.mode, &loaded.at)?;
    let felt_by_row = |row: &Row| {
        // a row that prescribes the coordinate alone says how it turns
        let alone = row.A.iter().enumerate().all(|(k, a)| k == s || a.is_zero());
        !(alone && row.order == 0) && (depends(row.f, q) || row.A.iter().any(|&a| depends(a, q)))
    };
    if let Some(row) = rows.list.iter().chain(&rows.left_out).find(|row| felt_by_row(row)) {
        let constraint = &system.constraints[row.constraint];
        return refuse(constraint.span, format!("the constraint `{}`", constraint.name));
    }
    let (mode, none) = (Mode::default(), Rows::default());
    let given = Ingredients::of(system, &mode, &none, ChartKind::Rates, &loaded.at);
    let feels = |load: &usize| forces(&given, *load).is_some_and(|list| list.iter().any(|&force| depends(force, q)));
    if let Some(load) = (0..system.loads.len()).find(feels) {
        return refuse(system.loads[load].span, "this load".to_owned());
    }
    match given.T().is_ok_and(|T| depends(T, q)) {
        true => Err(bad(&format!("`{name}` cannot turn steadily by itself: the kinetic energy depends on it"), hint)),
        false => Ok(()),
    }
}

/// Generalized forces of one load, and of masses that flow out, with inputs as the model gives them.
fn forces(given: &Ingredients<'_>, load: usize) -> Option<Vec<Expr>> {
    let efforts = &given.free().ok()?.efforts;
    let own = efforts[load].iter().chain(efforts.last()?);
    let pairs: Vec<(Expr, Expr)> = own.map(|effort| (effort.velocity, effort.force)).collect();
    let forces = given.thawed(&expr::pullback(&pairs, &given.q_dot).ok()?).ok()?;
    let inputs: Substitution =
        given.system.inputs.iter().map(|input| (input.symbol, input.value.unwrap_or_else(Expr::zero))).collect();
    inputs.apply(&forces).ok()
}

fn depends(e: Expr, q: Expr) -> bool {
    e.symbols().contains(&q) && expr::derivative(e, q).is_ok_and(|slope| !slope.is_zero())
}

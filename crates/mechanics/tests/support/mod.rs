//! Models, their forms, and the accelerations that a form gives at the reference state.

#![allow(dead_code, reason = "each test file uses a part")]

pub mod agreement;

use expr::{Expr, Scope};
use mechanics::System;
use mechanics::chart::{Chart, ChartKind};
use mechanics::form::{Form, Setting};
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;

/// The models of the gallery: name and text.
pub fn gallery() -> Vec<(String, String)> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let list = |path: &std::path::Path| {
        let entries = std::fs::read_dir(path).expect("a folder of models");
        entries.map(|entry| entry.expect("an entry").path()).collect::<Vec<_>>()
    };
    let families = list(root.as_ref()).into_iter().filter(|path| path.is_dir());
    let mut files: Vec<_> = families.flat_map(|family| list(&family)).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "mech"));
    files.sort();
    let read = |file: &std::path::PathBuf| {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(file).expect("a text"))
    };
    files.iter().map(read).collect()
}

/// The text of a model of the gallery.
pub fn model_text(name: &str) -> String {
    gallery().into_iter().find(|(other, _)| other == name).expect("a model of the gallery").1
}

/// Lowers a model, sets the reference state near its start, and hands over the system and its rows.
pub fn with_model<T>(name: &str, text: &str, visit: impl FnOnce(&System, &Rows) -> T) -> T {
    with_scope(name, text, |_, system, rows| visit(system, rows))
}

/// The same, with the scope in which the reference state can be moved on by [`stir`].
pub fn with_scope<T>(name: &str, text: &str, visit: impl FnOnce(&Scope, &System, &Rows) -> T) -> T {
    let scope = Scope::enter();
    let parsed = model::parse(name, text);
    let mut model = parsed.model.unwrap_or_else(|| panic!("{name}: {:?}", parsed.diagnostics));
    if name == "chain" {
        model = model.set(&[("n", "3")]).model.expect("a chain of three links");
    }
    let system = mechanics::lower(&model).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let start = mechanics::start(&system, &[]);
    let mut state: Vec<(Expr, f64)> = start.state(&system);
    let speeds = system.speeds.iter().zip(&start.speeds);
    state.extend(speeds.filter_map(|(speed, value)| Some((speed.symbol, (*value)?))));
    let inputs = system.inputs.iter();
    state.extend(inputs.map(|input| (input.symbol, input.value.map_or(0.3, Expr::reference))));
    scope.set_reference(&state);
    let rows = Rows::of(&system).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    stir(&scope, &system, &rows);
    visit(&scope, &system, &rows)
}

/// Moves the reference state to one at which nothing vanishes by accident: other velocities that the rows admit, and
/// another position where no geometric row ties it.
pub fn stir(scope: &Scope, system: &System, rows: &Rows) {
    let moved = |(place, symbol): (usize, &Expr)| (*symbol, symbol.reference() + 0.1 + 0.07 * place as f64);
    if !rows.any(0) {
        scope.set_reference(&system.q().iter().enumerate().map(moved).collect::<Vec<_>>());
    }
    let Ok(chart) = Chart::of(system, rows, ChartKind::Rates) else { return };
    scope.set_reference(&chart.u.iter().enumerate().map(moved).collect::<Vec<_>>());
    let rates = system.q_dot().into_iter().zip(chart.rates.iter().map(|rate| rate.reference()));
    scope.set_reference(&rates.collect::<Vec<_>>());
    let speeds = system.speeds.iter().map(|speed| (speed.symbol, speed.definition.reference()));
    scope.set_reference(&speeds.collect::<Vec<_>>());
}

/// The charts that a system has.
pub fn charts(system: &System) -> &'static [ChartKind] {
    match system.speeds.is_empty() {
        true => &[ChartKind::Rates],
        false => &[ChartKind::Rates, ChartKind::Speeds],
    }
}

/// The accelerations of the coordinates that a form gives at the reference state.
pub fn accelerations(form: &Form, given: &Ingredients<'_>) -> Result<Vec<f64>, String> {
    Ok(Linear::of(form, given)?.motion()?.0)
}

/// Expressions that are linear in some unknowns.
struct Affine {
    matrix: Vec<Vec<Expr>>,
    constants: Vec<Expr>,
}

impl Affine {
    fn of(list: &[Expr], unknowns: &[Expr]) -> Result<Affine, String> {
        let (matrix, constants) = expr::linear_coefficients(list, unknowns).map_err(|error| error.to_string())?;
        Ok(Affine { matrix, constants })
    }

    /// Their values at the reference state, where the unknowns are x.
    fn at(&self, x: &[f64]) -> Vec<f64> {
        let along = |row: &Vec<Expr>| row.iter().zip(x).map(|(entry, x)| entry.reference() * x).sum::<f64>();
        self.matrix.iter().zip(&self.constants).map(|(row, constant)| along(row) + constant.reference()).collect()
    }
}

/// A form made ready for numbers at many states.
pub struct Linear {
    residuals: Affine,
    unknowns: usize,
    /// The accelerations of the coordinates, where the unknowns are others.
    accelerations: Option<Affine>,
    multipliers: usize,
    /// The multipliers in terms of the unknowns, where the form gives them so.
    reactions: Option<Affine>,
}

/// Accelerations, and multipliers if a form gives them.
pub type Motion = (Vec<f64>, Option<Vec<f64>>);

impl Linear {
    pub fn of(form: &Form, given: &Ingredients<'_>) -> Result<Linear, String> {
        let unknowns = form.all_unknowns();
        let accelerations = match form.written_in {
            Setting::Coordinates => None,
            Setting::Chart => {
                let chart = given.chart().map_err(|error| error.to_string())?;
                Some(Affine::of(&chart.accelerations, &chart.w)?)
            }
        };
        let values: Vec<Expr> = form.reactions.iter().map(|reaction| reaction.value).collect();
        Ok(Linear {
            residuals: Affine::of(&form.residuals(), &unknowns)?,
            unknowns: unknowns.len(),
            accelerations,
            multipliers: form.multipliers.len(),
            reactions: if values.is_empty() { None } else { Some(Affine::of(&values, &unknowns)?) },
        })
    }

    /// What the form says at the reference state.
    pub fn motion(&self) -> Result<Motion, String> {
        let numbers = |list: &[Expr]| list.iter().map(|entry| entry.reference()).collect::<Vec<f64>>();
        let rows = self.residuals.matrix.iter().map(|row| numbers(row)).collect();
        let right = self.residuals.constants.iter().map(|entry| -entry.reference()).collect();
        let mut found = solve(rows, right, self.unknowns).ok_or("the equations are singular")?;
        let reactions = self.reactions.as_ref().map(|reactions| reactions.at(&found));
        let multipliers = found.split_off(self.unknowns - self.multipliers);
        let given = if self.multipliers == 0 { None } else { Some(multipliers) };
        let accelerations = self.accelerations.as_ref().map_or(found.clone(), |of| of.at(&found));
        Ok((accelerations, reactions.or(given)))
    }
}

/// Are two lists of numbers the same up to rounding?
pub fn same(a: &[f64], b: &[f64]) -> bool {
    let size = a.iter().chain(b).fold(1.0, |size: f64, x| size.max(x.abs()));
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9 * size)
}

/// Solves the first `n` columns by elimination; there may be more rows if they agree.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>, n: usize) -> Option<Vec<f64>> {
    for k in 0..n {
        let p = (k..a.len()).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        if a[p][k].abs() < 1e-13 {
            return None;
        }
        a.swap(k, p);
        b.swap(k, p);
        let (pivot, right) = (a[k].clone(), b[k]);
        for i in (0..a.len()).filter(|&i| i != k) {
            let factor = a[i][k] / pivot[k];
            a[i].iter_mut().zip(&pivot).for_each(|(entry, pivot)| *entry -= factor * pivot);
            b[i] -= factor * right;
        }
    }
    Some((0..n).map(|k| b[k] / a[k][k]).collect())
}

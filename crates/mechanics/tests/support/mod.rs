//! Models, their forms, and the accelerations that a form gives at a state.

#![allow(dead_code, reason = "each test file uses a part")]

pub mod agreement;

use expr::{At, Expr, Scope};
use mechanics::chart::{Chart, ChartKind};
use mechanics::form::{Form, Setting};
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;
use mechanics::{Mode, System};

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

/// A model made ready for its forms: what acts at the start, and a state near it.
pub struct Ready {
    pub system: System,
    pub mode: Mode,
    pub rows: Rows,
    pub at: At,
}

impl Ready {
    /// What its forms in a chart are made from.
    pub fn given(&self, kind: ChartKind) -> Ingredients<'_> {
        Ingredients::of(&self.system, &self.mode, &self.rows, kind, &self.at)
    }
}

/// Lowers a model, and hands it over with a state near its start.
pub fn with_model<T>(name: &str, text: &str, visit: impl FnOnce(&Ready) -> T) -> T {
    let _scope = Scope::enter();
    let parsed = model::parse(name, text);
    let mut model = parsed.model.unwrap_or_else(|| panic!("{name}: {:?}", parsed.diagnostics));
    if name == "chain" {
        model = model.set("values", &[("n", "3")]).model.expect("a chain of three links");
    }
    let system = mechanics::lower(&model).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let free = system.inputs.iter().filter(|input| input.value.is_none());
    let free: Vec<(Expr, f64)> = free.map(|input| (input.symbol, 0.3)).collect();
    let start = mechanics::start(&system).at_with(&system, &free);
    let mode = Mode::at(&system, &start).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let rows = Rows::of(&system, &mode, &start).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let at = stirred(&start, &system, &rows);
    visit(&Ready { system, mode, rows, at })
}

/// A state at which nothing vanishes by accident: other velocities that the rows admit, and another position where no
/// geometric row ties it.
pub fn stirred(at: &At, system: &System, rows: &Rows) -> At {
    let moved = |at: &At, symbols: &[Expr]| {
        let more = |(place, &symbol): (usize, &Expr)| (symbol, at.value(symbol) + 0.1 + 0.07 * place as f64);
        at.with(&symbols.iter().enumerate().map(more).collect::<Vec<_>>())
    };
    let placed = if rows.any(0) { at.clone() } else { moved(at, &system.q()) };
    let Ok(chart) = Chart::of(system, rows, ChartKind::Rates, &placed) else { return placed };
    let pushed = moved(&placed, &chart.u);
    let rates = system.q_dot().into_iter().zip(pushed.values(&chart.rates));
    let moving = pushed.with(&rates.collect::<Vec<_>>());
    let speeds = system.speeds.iter().map(|speed| (speed.symbol, moving.value(speed.definition)));
    moving.with(&speeds.collect::<Vec<_>>())
}

/// The charts that a system has.
pub fn charts(system: &System) -> &'static [ChartKind] {
    match system.speeds.is_empty() {
        true => &[ChartKind::Rates],
        false => &[ChartKind::Rates, ChartKind::Speeds],
    }
}

/// The accelerations of the coordinates that a form gives at the state of its ingredients.
pub fn accelerations(form: &Form, given: &Ingredients<'_>) -> Result<Vec<f64>, String> {
    Ok(Linear::of(form, given)?.motion(given.at)?.0)
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

    /// Their values at a state, where the unknowns are x.
    fn values(&self, x: &[f64], at: &At) -> Vec<f64> {
        let along = |row: &Vec<Expr>| row.iter().zip(x).map(|(&entry, x)| at.value(entry) * x).sum::<f64>();
        self.matrix.iter().zip(&self.constants).map(|(row, &constant)| along(row) + at.value(constant)).collect()
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

    /// What the form says at a state.
    pub fn motion(&self, at: &At) -> Result<Motion, String> {
        let right = self.residuals.constants.iter().map(|&entry| -at.value(entry)).collect();
        let found = solve(at.matrix(&self.residuals.matrix), right, self.unknowns);
        let mut found = found.ok_or("the equations are singular")?;
        let reactions = self.reactions.as_ref().map(|reactions| reactions.values(&found, at));
        let multipliers = found.split_off(self.unknowns - self.multipliers);
        let given = if self.multipliers == 0 { None } else { Some(multipliers) };
        let accelerations = self.accelerations.as_ref().map_or(found.clone(), |of| of.values(&found, at));
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

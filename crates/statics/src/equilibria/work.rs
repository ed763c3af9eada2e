//! Which virtual displacements do work where a system does not rest?

use expr::{At, Expr};
use linear::tolerance::RANK;
use linear::vector::dot;
use linear::{Matrix, Scale, null_space};

use super::Work;
use super::answer::clean;
use super::statics::{Statics, Wanted};
use engine::Loaded;
use expr::decimal;

/// The virtual displacements at the start that do work.
pub fn work(loaded: &Loaded, statics: &Statics, loads: &[(&Wanted, f64)]) -> Vec<Work> {
    // the forces are linear in loads: with none, then with each alone
    let with = |values: Vec<f64>| -> At {
        let numbers: Vec<(Expr, f64)> = loads.iter().map(|(load, _)| load.symbol).zip(values).collect();
        loaded.start.at_with(&loaded.system, &numbers)
    };
    let forces = |at: &At| -> (Vec<f64>, f64) {
        (at.values(&statics.force), statics.force.iter().map(|&e| at.size(e)).fold(0.0, f64::max))
    };
    let unit = |k: usize| (0..loads.len()).map(|j| if j == k { 1.0 } else { 0.0 }).collect();
    let unloaded = with(vec![0.0; loads.len()]);
    let (free, of_free) = forces(&unloaded);
    let by_unit: Vec<(Vec<f64>, f64)> = (0..loads.len()).map(|k| forces(&with(unit(k)))).collect();
    let A = Matrix::of_width(free.len(), unloaded.matrix(&statics.slopes));
    let Ok(directions) = null_space(A, Scale::Rows, RANK) else { return Vec::new() };
    let mut list = Vec::new();
    for mut direction in directions.to_rows() {
        let largest = direction.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(1.0);
        direction.iter_mut().for_each(|x| *x = clean(*x / largest));
        let alone = dot(&direction, &free);
        let alone = if alone.abs() > 1e-9 * of_free { alone } else { 0.0 };
        let parts = by_unit.iter().map(|(force, size)| {
            let part = dot(&direction, force) - alone;
            if part.abs() > 1e-9 * size { part } else { 0.0 }
        });
        let parts: Vec<f64> = parts.collect();
        if alone != 0.0 || parts.iter().any(|part| *part != 0.0) {
            let work = alone + parts.iter().zip(loads).map(|(part, (_, value))| part * value).sum::<f64>();
            let exact = (!loads.is_empty()).then(|| linear(alone, &parts, loads));
            let moved = statics.names.iter().cloned().zip(direction).filter(|one| one.1 != 0.0);
            list.push(Work { displacement: moved.collect(), work, exact });
        }
    }
    list
}

/// `10 - 0.5*Q`.
fn linear(alone: f64, parts: &[f64], loads: &[(&Wanted, f64)]) -> String {
    // six digits that count, however small the number is
    let short = |x: f64| decimal(format!("{x:.5e}").parse().unwrap_or(x));
    let terms = parts.iter().zip(loads).filter(|(part, _)| **part != 0.0);
    let mut said = if alone == 0.0 { String::new() } else { short(alone) };
    for (part, (load, _)) in terms {
        let sign = match (said.is_empty(), *part < 0.0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        said += &match short(part.abs()).as_str() {
            "1" => format!("{sign}{}", load.name),
            factor => format!("{sign}{factor}*{}", load.name),
        };
    }
    said
}

/// How many freedoms the constraints leave at the start, in words.
pub fn freedoms(loaded: &Loaded, statics: &Statics) -> String {
    let A = Matrix::of_width(statics.q.len(), loaded.at.matrix(&statics.slopes));
    match null_space(A, Scale::Rows, RANK).map(|free| free.rows()) {
        Ok(1) => "the constraints leave one freedom at the start".to_owned(),
        Ok(count) => format!("the constraints leave {count} freedoms at the start"),
        Err(_) => "the slope of a constraint has no value at the start".to_owned(),
    }
}

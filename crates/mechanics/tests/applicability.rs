//! Which form applies to which class of systems? The table is compared with `applicability.txt`.
//!
//! `UPDATE_SNAPSHOTS=1` writes the file anew. A `yes` means that the form exists and gives the same
//! accelerations as the fundamental equation.

mod support;

use std::fmt::Write;

use mechanics::chart::ChartKind;
use mechanics::formalism::FORMALISMS;
use support::{accelerations, same, with_model};

const PARTICLE: &str = "coord x, y, z\npoint P = (x, y, z) mass 2\nforce (1, 2, 3) on P\n";

/// The classes: heading, what it means, the chart, the model.
fn classes() -> Vec<(&'static str, &'static str, ChartKind, String)> {
    let free = |rest: &str| format!("{PARTICLE}{rest}");
    let cone = "constraint c: z'^2 = x'^2 + y'^2\nstart x' = 1.2, y' = 0.9\nguess z' = 1\n";
    let quasi = "speed w1 = atan2(y', x')\nspeed w2 = (x'^2 + y'^2 + z'^2)/2\nspeed w3 = (z'^2 - x'^2 - y'^2)/2\n\
                 inverse x' = sqrt(w2 - w3)*cos(w1)\ninverse y' = sqrt(w2 - w3)*sin(w1)\ninverse z' = sqrt(w2 + w3)\n";
    let track = "constraint c: x' = z*y'\ndependent x'\nstart z = 0.75, y' = 2, z' = 1.5\n";
    let rocket = "coord x, y, z\npoint P = (x, y, z) mass 2 + t exhaust (1, 0, x)\nforce (1, 2, 3) on P\n";
    vec![
        (
            "H",
            "holonomic, minimal coordinates",
            ChartKind::Rates,
            "coord r, a\npoint P = (r*cos(a), r*sin(a)) mass 2\nforce (1, 2) on P\nstart r = 1, r' = 0.5, a' = 2\n"
                .to_owned(),
        ),
        (
            "Hc",
            "holonomic, kept as a constraint",
            ChartKind::Rates,
            "coord x, y\npoint P = (x, y) mass 2\ngravity (0, -9)\nconstraint c: y = x^2\ndependent y'\n\
             start x = 0.5, x' = 1\n"
                .to_owned(),
        ),
        ("L", "linear homogeneous nonholonomic", ChartKind::Rates, free(track)),
        (
            "Lr",
            "affine and time-dependent",
            ChartKind::Rates,
            free("constraint c: x' = (z + t)*y' + sin(y)\ndependent x'\nstart z = 0.75, y = 1, y' = 2, z' = 1.5\n"),
        ),
        ("NL", "nonlinear, first order", ChartKind::Rates, free(cone)),
        (
            "L2",
            "linear, second order",
            ChartKind::Rates,
            free("constraint c: y*z'' + x'*y' = x''\nstart x = 1, y = 1, x' = 1, y' = 2\n"),
        ),
        ("VM", "variable mass, linear", ChartKind::Rates, format!("{rocket}{track}")),
        ("Lu", "linear, in speeds", ChartKind::Speeds, free(&format!("{track}speed u = y' + z*z'\nspeed v = z'\n"))),
        ("NLu", "nonlinear, in speeds", ChartKind::Speeds, free(&format!("{quasi}{cone}"))),
        (
            "T",
            "holonomic, only T is given",
            ChartKind::Rates,
            "coord r, a\nkinetic r'^2 + r^2*a'^2\npotential r*cos(a)\nstart r = 1, r' = 0.5, a' = 2\n".to_owned(),
        ),
    ]
}

#[test]
fn the_table_of_classes_is_the_known_one() {
    let classes = classes();
    let mut cells: Vec<Vec<Result<(), String>>> = vec![Vec::new(); FORMALISMS.len()];
    for (class, _, kind, text) in &classes {
        with_model(class, text, |model| {
            let given = model.given(*kind);
            let mut first: Option<Vec<f64>> = None;
            for (place, formalism) in FORMALISMS.iter().enumerate() {
                let made = formalism.form(&given);
                if let (Ok(form), false) = (&made, formalism.stranger) {
                    let found =
                        accelerations(form, &given).unwrap_or_else(|why| panic!("{class}, {}: {why}", formalism.name));
                    let known = first.get_or_insert_with(|| found.clone());
                    assert!(same(&found, known), "{class} by {}: {found:?}, not {known:?}", formalism.name);
                }
                cells[place].push(made.map(|_| ()).map_err(|error| error.to_string()));
            }
        });
    }
    let table = table(&classes, &cells);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/applicability.txt");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(file, &table).expect("the table can be written");
    }
    let known = std::fs::read_to_string(file).unwrap_or_default();
    assert!(known == table, "the table has changed; UPDATE_SNAPSHOTS=1 keeps this one:\n{table}");
}

/// The table, and below it the reasons.
fn table(classes: &[(&'static str, &'static str, ChartKind, String)], cells: &[Vec<Result<(), String>>]) -> String {
    let mut text = String::new();
    for (class, meaning, ..) in classes {
        let _ = writeln!(text, "{class:4} {meaning}");
    }
    let headings: String = classes.iter().map(|(class, ..)| format!(" {class:4}")).collect();
    let _ = writeln!(text, "\n{:16} {:2}{}", "", "", headings.trim_end());
    for (formalism, row) in FORMALISMS.iter().zip(cells) {
        let marks: String = row.iter().map(|cell| if cell.is_ok() { " yes " } else { " -   " }).collect();
        let _ = writeln!(text, "{:16} {:?}{}", formalism.name, formalism.family, marks.trim_end());
    }
    let _ = writeln!(text, "\nWhy not:");
    for (formalism, row) in FORMALISMS.iter().zip(cells) {
        let mut reasons: Vec<(&String, Vec<&str>)> = Vec::new();
        for ((class, ..), cell) in classes.iter().zip(row) {
            if let Err(reason) = cell {
                match reasons.iter_mut().find(|(other, _)| *other == reason) {
                    Some((_, classes)) => classes.push(class),
                    None => reasons.push((reason, vec![class])),
                }
            }
        }
        for (reason, classes) in reasons {
            let _ = writeln!(text, "{:16} {}: {reason}", formalism.name, classes.join(", "));
        }
    }
    text
}

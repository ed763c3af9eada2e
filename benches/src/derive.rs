//! From a system to its equations: mass matrix and forcing of chains, every form of gallery models.

use expr::{At, Expr, Scope};
use mechanics::chart::ChartKind;
use mechanics::formalism::{FORMALISMS, Formalism, formalism};
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;
use mechanics::{Mode, System, lower, start};

use crate::measure::Target::AtMost;
use crate::measure::{Row, best, timed};

#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    Row { name: "derive chain of 10: M and f", unit: "ms", target: AtMost(1.0), measure: || chain(10) },
    Row { name: "derive chain of 100: M and f", unit: "ms", target: AtMost(20.0), measure: || chain(100) },
    Row { name: "derive chain of 300: M and f", unit: "ms", target: AtMost(250.0), measure: || chain(300) },
    Row { name: "derive any form of any gallery model, worst", unit: "ms", target: AtMost(5.0), measure: worst },
    Row { name: "derive all forms of rolling-disc", unit: "ms", target: AtMost(5.0), measure: || all(include_str!("../../models/rolling/rolling-disc.mech")) },
    Row { name: "derive all forms of chaplygin-sleigh", unit: "ms", target: AtMost(5.0), measure: || all(include_str!("../../models/nonholonomic/chaplygin-sleigh.mech")) },
    Row { name: "derive all forms of hoop", unit: "ms", target: AtMost(5.0), measure: || all(include_str!("../../models/rolling/hoop.mech")) },
];

/// The system of a model, and its start.
fn prepared(text: &str, set: &[(&str, &str)]) -> (System, At) {
    let model = model::parse("bench.mech", text).model.expect("the model can be read");
    let model = if set.is_empty() { model } else { model.set("values", set).model.expect("the value can be set") };
    let system = lower(&model).expect("the model can be lowered");
    let at = start(&system).at(&system);
    (system, at)
}

/// What acts at a state, and the rows.
fn acting(system: &System, at: &At) -> (Mode, Rows) {
    let mode = Mode::at(system, at).expect("the constraints have slopes");
    let rows = Rows::of(system, &mode, at).expect("the constraints agree");
    (mode, rows)
}

fn kind(system: &System) -> ChartKind {
    if system.speeds.is_empty() { ChartKind::Rates } else { ChartKind::Speeds }
}

/// From the system to the coefficients of the accelerations and the rest, in milliseconds.
fn chain(n: usize) -> f64 {
    let text = include_str!("../../models/pendulums/chain.mech");
    1e3 * best(3, || {
        let _scope = Scope::with_seed(1);
        let (system, at) = prepared(text, &[("n", &n.to_string())]);
        let (seconds, (matrix, forcing)) = timed(|| {
            let (mode, rows) = acting(&system, &at);
            let given = Ingredients::of(&system, &mode, &rows, ChartKind::Rates, &at);
            let form = formalism("lagrange-2").expect("it is in the list").form(&given).expect("it applies");
            let residuals: Vec<Expr> = form.residuals();
            expr::linear_coefficients(&residuals, &form.unknowns).expect("accelerations occur linearly")
        });
        assert!(matrix.len() == n && forcing.len() == n);
        seconds
    })
}

/// One form from nothing but the system, in milliseconds; nothing if it does not apply.
fn one(text: &str, formalism: &Formalism) -> f64 {
    1e3 * best(3, || {
        let _scope = Scope::with_seed(1);
        let (system, at) = prepared(text, &[]);
        timed(|| {
            let (mode, rows) = acting(&system, &at);
            formalism.form(&Ingredients::of(&system, &mode, &rows, kind(&system), &at)).is_ok()
        })
        .0
    })
}

fn worst() -> f64 {
    let mut worst = 0.0_f64;
    for text in anholon::library::GALLERY.iter().map(|example| example.text).filter(|text| !text.contains("param n = "))
    {
        worst = FORMALISMS.iter().fold(worst, |worst, formalism| worst.max(one(text, formalism)));
    }
    worst
}

/// All forms together, in milliseconds.
fn all(text: &str) -> f64 {
    1e3 * best(5, || {
        let _scope = Scope::with_seed(1);
        let (system, at) = prepared(text, &[]);
        timed(|| {
            let (mode, rows) = acting(&system, &at);
            let given = Ingredients::of(&system, &mode, &rows, kind(&system), &at);
            FORMALISMS.iter().filter(|formalism| formalism.form(&given).is_ok()).count()
        })
        .0
    })
}

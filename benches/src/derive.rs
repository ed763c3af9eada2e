//! From a system to its equations: mass matrix and forcing of chains, every form of gallery models.

use expr::{Expr, Scope};
use mechanics::chart::ChartKind;
use mechanics::formalism::{FORMALISMS, Formalism, formalism};
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;
use mechanics::{System, lower, start};

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

/// The system of a model at its start, which is the reference state.
fn prepared(scope: &Scope, text: &str, set: &[(&str, &str)]) -> System {
    let model = model::parse("bench.mech", text).model.expect("the model can be read");
    let model = if set.is_empty() { model } else { model.set(set).model.expect("the value can be set") };
    let system = lower(&model).expect("the model can be lowered");
    let first = start(&system, &[]);
    let mut state = first.state(&system);
    let speeds = system.speeds.iter().zip(&first.speeds);
    state.extend(speeds.filter_map(|(speed, value)| Some((speed.symbol, (*value)?))));
    scope.set_reference(&state);
    system
}

fn kind(system: &System) -> ChartKind {
    if system.speeds.is_empty() { ChartKind::Rates } else { ChartKind::Speeds }
}

/// From the system to the coefficients of the accelerations and the rest, in milliseconds.
fn chain(n: usize) -> f64 {
    let text = include_str!("../../models/pendulums/chain.mech");
    1e3 * best(3, || {
        let scope = Scope::with_seed(1);
        let system = prepared(&scope, text, &[("n", &n.to_string())]);
        let (seconds, (matrix, forcing)) = timed(|| {
            let rows = Rows::of(&system).expect("there are no constraints");
            let given = Ingredients::of(&system, &rows, ChartKind::Rates);
            let form = (formalism("lagrange-2").expect("it is in the list").derive)(&given).expect("it applies");
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
        let scope = Scope::with_seed(1);
        let system = prepared(&scope, text, &[]);
        timed(|| {
            let rows = Rows::of(&system).expect("the constraints agree");
            (formalism.derive)(&Ingredients::of(&system, &rows, kind(&system))).is_ok()
        })
        .0
    })
}

fn worst() -> f64 {
    let mut worst = 0.0_f64;
    for text in engine::GALLERY.iter().map(|example| example.text).filter(|text| !text.contains("param n = ")) {
        worst = FORMALISMS.iter().fold(worst, |worst, formalism| worst.max(one(text, formalism)));
    }
    worst
}

/// All forms together, in milliseconds.
fn all(text: &str) -> f64 {
    1e3 * best(5, || {
        let scope = Scope::with_seed(1);
        let system = prepared(&scope, text, &[]);
        timed(|| {
            let rows = Rows::of(&system).expect("the constraints agree");
            let given = Ingredients::of(&system, &rows, kind(&system));
            FORMALISMS.iter().filter(|formalism| (formalism.derive)(&given).is_ok()).count()
        })
        .0
    })
}

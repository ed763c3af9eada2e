//! What else must be true of the forms, beside the table of agreement?

#![allow(non_snake_case, reason = "inside formulas the letters of the books")]

mod support;

use mechanics::chart::ChartKind;
use mechanics::formalism::{FORMALISMS, formalism};
use support::{gallery, model_text, with_model};

#[test]
fn the_stranger_says_where_it_differs() {
    let stranger = formalism("vakonomic").expect("the stranger");
    let multipliers = formalism("multipliers").expect("multipliers");
    for (name, text) in gallery() {
        with_model(&name, &text, |model| {
            let given = model.given(ChartKind::Rates);
            let Ok(strange) = stranger.form(&given) else { return };
            let usual = multipliers.form(&given).expect("multipliers reach every model");
            let pairs = strange.equations.iter().zip(&usual.equations);
            let equal = pairs.clone().all(|(a, b)| (a.right - b.right).is_zero() && (a.left - b.left).is_zero());
            let geometric = model.rows.list.iter().all(|row| row.order == 0);
            assert_eq!(equal, strange.remarks.is_empty(), "{name}");
            assert!(equal || !geometric, "{name}");
        });
    }
}

#[test]
fn every_formalism_opens_with_its_page() {
    for formalism in FORMALISMS {
        for part in ["//! ```text\n", "(1)", "\n//! Class: ", "\n//! History: ", "\n//! Source: "] {
            assert!(formalism.text.contains(part), "{} has no {part:?}", formalism.name);
        }
    }
}

#[test]
fn the_correction_measures_how_nonholonomic_a_chart_is() {
    with_model("dobronravov", &model_text("dobronravov"), |model| {
        let given = model.given(ChartKind::Rates);
        let C = given.correction().expect("a chart").clone();
        // p1 = m q1' with q1' = q3 q2'/b: C = (m/b²) q3 q2' (q3', −q2')
        let [m, b] = ["m", "b"].map(expr::parameter);
        let (q3, q2_dot, q3_dot) = (given.q[2], given.q_dot[1], given.q_dot[2]);
        assert!((C[0] - m * q3 * q2_dot * q3_dot / (b * b)).is_zero(), "{}", C[0]);
        assert!((C[1] + m * q3 * q2_dot * q2_dot / (b * b)).is_zero(), "{}", C[1]);
    });
    with_model("great-circle", &model_text("great-circle"), |model| {
        let given = model.given(ChartKind::Rates);
        assert!(given.correction().expect("a chart").iter().all(|C| C.is_zero()));
    });
}

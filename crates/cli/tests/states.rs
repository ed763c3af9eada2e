//! First-order states: what does every verb do with a quantity that has a law for its rate?

mod common;

use common::{File, anholon, json, says, text};
use serde_json::Value;

/// A mass that a lagging actuator pushes: a' = (u − a)/τ, m x'' = k a − d x'.
const ACTUATOR: &str = "\
param m = 2 kg, k = 6 N, tau = 0.5 s, d = 4 N*s/m
coord x : m
state a : 1
input u : 1 = 1
rate a' = (u - a)/tau
point P = (x, 0) mass m
force (k*a - d*x', 0) on P
observe push = k*a
start x = 0, x' = 0, a = 0
expect later: a = 1 - exp(-2) at t = 1 s within 1e-9
";

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[track_caller]
fn near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() <= 1e-7 * wanted.abs().max(1.0), "{found} is not {wanted}");
}

#[test]
fn a_motion_follows_the_law_and_the_closed_form() {
    let model = File::with("actuator.mech", ACTUATOR);
    let found = json(&["simulate", model.path(), "--for", "1 s"]);
    // with τ = m/d: v = (k/d)(1 − (1 + t/τ) exp(−t/τ)), and x is its integral
    let (t, tau, top) = (1.0_f64, 0.5_f64, 1.5_f64);
    let decay = (-t / tau).exp();
    near(number(&found["final"]["a"]), 1.0 - decay);
    near(number(&found["final"]["x'"]), top * (1.0 - (1.0 + t / tau) * decay));
    near(number(&found["final"]["x"]), top * (t - 2.0 * tau + (2.0 * tau + t) * decay));
    near(number(&found["final"]["observes"]["push"]), 6.0 * (1.0 - decay));
    assert_eq!(found["expects"][0]["holds"], true, "{found}");
    // the work of the force is in the account of the energy
    assert!(number(&found["energy_drift"]) < 1e-6, "{}", found["energy_drift"]);
}

#[test]
fn a_run_goes_on_with_its_states() {
    let model = File::with("actuator.mech", ACTUATOR);
    let out = File::new("half.csv");
    says(&["simulate", model.path(), "--for", "0.5", "--out", out.path()], 0, &["wrote"]);
    let found = json(&["simulate", model.path(), "--for", "0.5", "--resume", out.path()]);
    near(number(&found["final"]["a"]), 1.0 - (-2.0_f64).exp());
}

#[test]
fn states_stand_in_the_linear_equations() {
    let model = File::with("actuator.mech", ACTUATOR);
    let found = json(&["linearize", model.path(), "--output", "push"]);
    assert_eq!(found["states"], serde_json::json!(["x'", "a"]));
    assert_eq!(found["A"], serde_json::json!([[-2.0, 3.0], [0.0, -2.0]]));
    assert_eq!(found["B"], serde_json::json!([[0.0], [2.0]]));
    assert_eq!(found["C_out"], serde_json::json!([[0.0, 6.0]]));
    says(&["linearize", model.path(), "--coordinates", "x"], 2, &["the state `a`", "no second-order form"]);
    says(&["linearize", model.path(), "--periodic", "1"], 2, &["first-order state `a`"]);
    let sweep = json(&["linearize", model.path(), "--sweep", "tau=500 ms..1 s", "--points", "2"]);
    near(number(&sweep["sweep"]["values"][0]), 0.5);
}

#[test]
fn a_steady_motion_solves_for_states_and_inputs() {
    let model = File::with("actuator.mech", ACTUATOR);
    let found = json(&["linearize", model.path(), "--steady", "x' = 3, u?"]);
    near(number(&found["at"]["u"]), 2.0);
    near(number(&found["at"]["a"]), 2.0);
    assert_eq!(found["steady"], true);
    let trim = json(&["linearize", model.path(), "--trim", "x' = 3, u?"]);
    assert_eq!(trim["at"], found["at"]);
    says(&["linearize", model.path(), "--trim", "x' = 3, uu?"], 2, &["there is no input `uu`", "did you mean `u?`"]);
    // without the input nothing can hold x' = 3
    says(&["linearize", model.path(), "--steady", "x' = 3"], 3, &["no steady motion"]);
}

#[test]
fn at_rest_a_state_is_what_its_law_says() {
    let found = json(&["equilibria", "gallery:muscle-arm"]);
    let places = found["equilibria"].as_array().expect("a list");
    assert_eq!(places.len(), 2, "{found}");
    let angle = (2.0 * 0.2 * 250.0 * 0.04 / (1.5 * 9.81 * 0.32_f64)).acos();
    for place in places {
        near(number(&place["values"]["a"]), 0.2);
        near(number(&place["values"]["phi"]).abs(), angle);
        let is_low = number(&place["values"]["phi"]) < 0.0;
        assert_eq!(place["stability"], if is_low { "asymptotically stable" } else { "unstable" }, "{place}");
        assert_eq!(place["eigenvalues"].as_array().map(Vec::len), Some(3));
    }
    let law = "param m = 1 kg\ncoord x : m\nstate a : 1\nrate a' = (1 - a^3)/(1 s)\npoint P = (x, 0) mass m\n\
               force (a*1 N - x*1 N/m, 0) on P\n";
    let cubic = File::with("cubic.mech", law);
    says(&["equilibria", cubic.path()], 2, &["`a` are not linear in the states"]);
    let integral = File::with("integral.mech", &law.replace("(1 - a^3)/(1 s)", "x/(1 m)/(1 s)"));
    says(&["equilibria", integral.path()], 2, &["do not fix the states"]);
}

#[test]
fn the_gallery_model_keeps_its_facts() {
    let found = json(&["check", "gallery:muscle-arm"]);
    let facts = found["expects"].as_array().expect("a list");
    assert_eq!(facts.len(), 5);
    assert!(facts.iter().all(|fact| fact["holds"] == true), "{facts:?}");
}

#[test]
fn laws_are_printed_and_claims_may_use_them() {
    let model = File::with("actuator.mech", ACTUATOR);
    says(&["derive", model.path()], 0, &["First-order states", "a' = (u - a)/tau"]);
    assert_eq!(json(&["derive", model.path()])["laws"][0]["text"], "a' = (u - a)/tau");
    says(&["prove", model.path()], 0, &["forms agree"]);
    says(&["audit", model.path(), "--claim", "m*x'' = k*a - d*x'"], 0, &["correct"]);
    says(&["audit", model.path(), "--claim", "m*x''' = k*(u - a)/tau - d*x''"], 0, &["correct"]);
    says(&["audit", model.path(), "--claim", "m*x'' = -k*a - d*x'"], 1, &["wrong"]);
    says(&["audit", model.path(), "--claim", "m*x''' = -d*x''"], 1, &["wrong"]);
    let found = json(&["evaluate", model.path(), "--at", "x = 1, a = 0.25"]);
    near(number(&found["rates"]["a'"]), 1.5);
    near(number(&found["accelerations"]["x''"]), 0.75);
    assert!(text(&anholon(&["integrals", model.path()])).contains("forces without a potential do work"));
}

#[test]
fn each_way_of_getting_it_wrong_is_told() {
    let wrong = |from: &str, to: &str, words: &[&str]| {
        let model = File::with("wrong.mech", &ACTUATOR.replace(from, to));
        says(&["check", model.path()], 2, words);
    };
    let law = "rate a' = (u - a)/tau\n";
    wrong(law, "", &["nothing says how `a` changes", "rate a' = …"]);
    wrong(law, &format!("{law}rate a' = 0\n"), &["the rate of `a` is given twice"]);
    wrong(law, &format!("observe fast = a'\n{law}"), &["the rate of `a` is not known yet"]);
    wrong("a = 0\n", "a' = 0\n", &["the rate of the state `a` follows from its law", "start a = …"]);
    wrong("a = 0\n", "a = 0\nguess a = 0.1\n", &["`a` is a state", "start a = …"]);
    let model = File::with("actuator.mech", ACTUATOR);
    says(&["check", model.path(), "--set", "a'=1"], 2, &["`a'` cannot be set"]);
    says(&["simulate", model.path(), "--set", "a=0.5", "--at", "x = 1"], 2, &["no effect beside"]);
}

#[test]
fn facts_for_other_values_are_not_applicable() {
    let model = File::with("actuator.mech", ACTUATOR);
    says(
        &["simulate", model.path(), "--for", "1", "--set", "tau=0.25"],
        0,
        &["later", "not applicable: `tau` was changed"],
    );
    let found = json(&["simulate", model.path(), "--for", "1", "--set", "tau=0.25"]);
    assert_eq!(found["expects"][0]["holds"], Value::Null);
    assert_eq!(found["expects"][0]["changed"], serde_json::json!(["tau"]));
    // a fact that holds all the same is told so, and one that fails by itself fails
    says(&["simulate", model.path(), "--for", "1", "--set", "m=3"], 0, &["later  holds"]);
    let bad = File::with("bad.mech", &ACTUATOR.replace("1 - exp(-2)", "0.5"));
    says(&["simulate", bad.path(), "--for", "1"], 1, &["does not hold"]);
    says(&["simulate", bad.path(), "--for", "1", "--set", "tau=0.5"], 1, &["does not hold"]);
    assert!(!text(&anholon(&["simulate", bad.path(), "--for", "1"])).contains("not applicable"));
}

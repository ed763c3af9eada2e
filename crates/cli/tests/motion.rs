//! Do `simulate` and `linearize` keep their options, keys, files and exit codes?

mod common;

use common::{File, json, says};
use serde_json::Value;

#[test]
fn a_motion_has_the_keys_that_scripts_rely_on() {
    let found = json(&["simulate", "gallery:sled", "--times", "0.5,1"]);
    for key in ["model", "form", "method", "steps", "rhs_evaluations", "seconds", "energy_drift", "constraint_residual"]
    {
        assert!(!found[key].is_null(), "{key}");
    }
    let samples = found["samples"].as_array().unwrap();
    assert_eq!(samples.iter().map(|one| one["t"].as_f64().unwrap()).collect::<Vec<_>>(), [0.5, 1.0]);
    for key in ["x1", "x1'", "x1''", "energy"] {
        assert!(found["final"][key].is_f64(), "{key}");
    }
    let tension = found["final"]["multipliers"]["rod"].as_f64().unwrap();
    assert!((tension + 0.93925).abs() < 1e-7, "{tension}");
    let reaction = &found["final"]["reactions"][0];
    assert_eq!((&reaction["constraint"], &reaction["on"]), (&"rod".into(), &"P1".into()));
    assert_eq!(reaction["vector"].as_array().unwrap().len(), 3);
    assert_eq!(found["stopped_by"], "time");
    let found = json(&["simulate", "gallery:parabola", "--for", "4"]);
    let event = &found["events"][0];
    assert_eq!((&event["name"], &event["kind"]), (&"curve".into(), &"leaves".into()));
    assert!((event["t"].as_f64().unwrap() - 3.881124).abs() < 1e-6);
}

#[test]
fn tables_and_pictures_are_written_and_taken_up_again() {
    let (table, chart, figure) = (File::new("a.csv"), File::new("b.svg"), File::new("c.svg"));
    let model = "gallery:double-pendulum";
    let mut words = vec!["simulate", model, "--for", "2", "--every", "0.5", "--tolerance", "1e-12"];
    words.extend(["--out", table.path(), "--plot", chart.path(), "--columns", "a1,a2", "--figure", figure.path()]);
    says(&words, 0, &["5 states", "a chart", "8 instants"]);
    let text = table.text();
    let header = text.lines().find(|line| !line.starts_with('#')).unwrap();
    assert!(header.starts_with("t (s),a1 (rad),a2 (rad),a1' (rad/s)"), "{header}");
    assert!(text.starts_with("# Double pendulum\n# model: gallery:double-pendulum\n"), "{text}");
    assert!(chart.text().starts_with("<svg") && figure.text().starts_with("<svg"));
    // on to t = 4 in two runs, or in one
    let on = json(&["simulate", model, "--resume", table.path(), "--for", "2", "--tolerance", "1e-12"]);
    let whole = json(&["simulate", model, "--for", "4", "--tolerance", "1e-12"]);
    let angle = |found: &Value| found["final"]["a1"].as_f64().unwrap();
    assert_eq!(on["final"]["t"], 4.0);
    assert!((angle(&on) - angle(&whole)).abs() < 1e-8, "{} against {}", angle(&on), angle(&whole));
}

#[test]
fn what_goes_wrong_is_said_with_its_exit_code() {
    says(&["simulate", "gallery:sled", "--for", "-1"], 2, &["a duration of -1 s is not positive"]);
    says(&["simulate", "gallery:sled", "--tolerance", "0"], 2, &["not between 0 and 1"]);
    says(&["simulate", "gallery:sled", "--method", "euler"], 2, &["there is no method `euler`", "dop853"]);
    says(&["simulate", "gallery:sled", "--form", "lagrange-2"], 3, &["`lagrange-2` does not apply", "ties them"]);
    says(&["simulate", "gallery:sled", "--columns", "x9"], 2, &["there is no column `x9`", "hint"]);
    says(&["simulate", "gallery:sled", "--out", "/nowhere/a.csv"], 2, &["cannot write /nowhere/a.csv"]);
    says(&["simulate", "gallery:sled", "--view", "xy"], 2, &["does nothing without `--figure`"]);
    says(&["simulate", "gallery:cube-root", "--for", "1"], 0, &["not unique", "not Lipschitz"]);
    let model = "coord x : m\npoint P = (x, 0) mass 1 kg\nforce (sqrt(1 - x/(1 m))*(1 N), 0) on P\nstart x = 0\n";
    let (model, table) = (File::with("root.mech", model), File::new("root.csv"));
    let words = ["the motion went no further than t = 1.", "a force", "root.mech:3) has no value"];
    says(&["simulate", model.path(), "--for", "5", "--every", "0.5", "--out", table.path()], 3, &words);
    assert!(table.text().contains("# incomplete: ") && table.text().lines().count() > 6, "{}", table.text());
    let model = File::model("coord x : m\npoint P = (x, 0) mass 1 kg\nassume x > 0\nstart x = -1 m\n");
    for verb in ["simulate", "evaluate", "linearize"] {
        says(&[verb, model.path()], 0, &["`assume x > 0` does not hold at this state"]);
    }
    let model = File::model("param m : kg\ncoord x : m\npoint P = (x, 0) mass m\n");
    says(&["simulate", model.path()], 2, &["`m` has no value", "--set m="]);
}

#[test]
fn a_linearisation_has_the_keys_that_scripts_rely_on() {
    let found = json(&["linearize", "gallery:bicycle", "--coordinates", "lean,steer"]);
    for key in ["model", "at", "states", "A", "M", "C", "K", "eigenvalues", "zero_modes"] {
        assert!(!found[key].is_null(), "{key}");
    }
    assert!((found["M"][0][0].as_f64().unwrap() - 80.81722).abs() < 1e-9);
    assert_eq!(found["eigenvalues"].as_array().unwrap().len(), 4);
    says(&["linearize", "gallery:bicycle", "--coordinates", "leen"], 2, &["leen", "hint"]);
}

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
fn a_motion_is_a_page_that_plays_it() {
    let page = File::new("a.html");
    let words = ["simulate", "gallery:double-pendulum", "--for", "4", "--animate", page.path()];
    says(&words, 0, &["the motion, 121 states"]);
    let text = page.text();
    assert!(text.starts_with("<!DOCTYPE html>") && text.trim_end().ends_with("</html>"));
    for part in ["<title>Double pendulum</title>", "application/json", "made-by", "gallery:double-pendulum", "<script"]
    {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains("src=") && !text.contains("http://"), "it needs nothing else");
    says(&[&words[..], &["--every", "0.5"]].concat(), 0, &["the motion, 9 states"]);
    says(&["simulate", "gallery:sled", "--animate", "a.svg"], 2, &["`.svg` are not written", "`.html`"]);
    let model = File::with("m.mech", "coord x : m\nkinetic (1 kg)*x'^2/2\nstart x' = 1 m/s\n");
    let nothing = ["simulate", model.path(), "--for", "1", "--animate", page.path()];
    says(&nothing, 2, &["nothing to draw", "`--plot`"]);
}

#[test]
fn charts_show_every_swing() {
    let text = "param m = 1 kg, k = 10000 N/m\ncoord x : m\npoint P = (x, 0) mass m\n\
                spring k rest 1 m between P and (-1 m, 0)\nstart x = 0.1 m\n";
    let (model, chart, table) = (File::with("m.mech", text), File::new("a.svg"), File::new("a.csv"));
    let words =
        ["simulate", model.path(), "--for", "5", "--plot", chart.path(), "--columns", "x", "--out", table.path()];
    says(&words, 0, &["a chart", "101 states"]);
    // 79.6 swings: the curve turns back 159 times
    let turns = turns_of(&chart.text());
    assert!((157..=161).contains(&turns), "{turns} turns");
    says(&[&words[..], &["--every", "0.05"]].concat(), 0, &["a chart", "101 states"]);
    assert!(turns_of(&chart.text()) < 100, "as many states as were asked for");
}

/// How often the longest curve of a picture turns up or down.
fn turns_of(svg: &str) -> usize {
    let paths = svg.split("<path d=\"").skip(1).map(|path| path.split('"').next().unwrap_or_default());
    // one stroke alone: not the lines of the grid
    let curve = paths.filter(|path| path.matches('M').count() == 1).max_by_key(|path| path.len()).unwrap();
    let numbers: Vec<f64> = curve.split(['M', 'l', ' ']).flat_map(split_pair).collect();
    let (mut turns, mut way) = (0, 0.0_f64);
    for step in numbers.chunks(2).skip(1).map(|pair| pair[1]).filter(|step| *step != 0.0) {
        turns += usize::from(way * step < 0.0);
        way = step;
    }
    turns
}

/// The numbers of an SVG path that stand together, as in `5.33-247.88`.
fn split_pair(text: &str) -> Vec<f64> {
    let text = text.replace('-', " -").replace(',', " ");
    text.split_whitespace().map(|number| number.parse().unwrap()).collect()
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
fn files_say_what_made_them() {
    let (table, object, chart) = (File::new("a.csv"), File::new("a.json"), File::new("a.svg"));
    let model = File::with("own.mech", "param m = 2 kg\ncoord x : m\npoint P = (x, 0) mass m\nstart x' = 1 m/s\n");
    let run = |set: &str| {
        let mut words = vec!["simulate", model.path(), "--for", "1", "--every", "0.5", "--set", set];
        words.extend(["--out", table.path(), "--plot", chart.path(), "--columns", "x"]);
        says(&words, 0, &["3 states"]);
        says(&["simulate", model.path(), "--for", "1", "--set", set, "--out", object.path()], 0, &[]);
        let text = table.text();
        for line in
            ["# made by: anholon 0", "# command: anholon simulate", "# parameters (SI): m = 3", "# set: m = 3 kg"]
        {
            assert!(text.contains(line), "{line}: {text}");
        }
        let header = text.lines().position(|line| line.starts_with("t (s),x (m)")).unwrap();
        assert!(text.lines().take(header).all(|line| line.starts_with('#')), "{text}");
        let made: Value = serde_json::from_str::<Value>(&object.text()).unwrap()["made_by"].clone();
        assert_eq!((&made["set"][0], &made["parameters"]["m"]), (&set.into(), &3.0.into()), "{made}");
        assert!(made["command"].as_str().unwrap().contains("--set 'm = 3 kg'"), "{made}");
        let hash = made["hash"].as_str().unwrap().to_owned();
        assert!(text.contains(&format!("# hash of the model: {hash}")) && chart.text().contains(&hash), "{text}");
        assert!(chart.text().contains("<metadata>{"), "{}", chart.text());
        hash
    };
    let hash = run("m = 3 kg");
    std::fs::write(model.path(), "param m = 4 kg\ncoord x : m\npoint P = (x, 0) mass m\nstart x' = 1 m/s\n").unwrap();
    assert_ne!(run("m = 3 kg"), hash);
    // a table of a sweep too
    let words = ["linearize", "gallery:bicycle", "--coordinates", "lean,steer", "--sweep", "v=1..3", "--points", "3"];
    says(&[&words[..], &["--out", table.path(), "--plot", chart.path()]].concat(), 0, &["eigenvalues at"]);
    assert!(
        table.text().contains("# made by: anholon") && chart.text().contains("\"program\":\"anholon"),
        "{}",
        table.text()
    );
}

#[test]
fn a_file_that_is_no_checkpoint_is_told_once() {
    let (kept, model) = (File::new("run.check"), "gallery:double-pendulum");
    says(&["simulate", model, "--for", "1", "--checkpoint", kept.path()], 0, &["a checkpoint at t = 1 s"]);
    let whole = kept.text();
    std::fs::write(kept.path(), &whole[..whole.len() / 2]).unwrap();
    let told = says(&["simulate", model, "--resume", kept.path(), "--for", "1"], 2, &["this is no checkpoint"]);
    assert_eq!(told.matches("error:").count(), 1, "{told}");
    std::fs::write(kept.path(), "{\"a\": 1}").unwrap();
    says(&["simulate", model, "--resume", kept.path(), "--for", "1"], 2, &["`--checkpoint` or `--out`"]);
}

#[test]
fn a_checkpoint_is_written_and_leads_on_with_the_same_digits() {
    let (kept, model) = (File::new("run.check"), "gallery:double-pendulum");
    let words = ["simulate", model, "--for", "5", "--every", "1", "--checkpoint", kept.path()];
    says(&words, 0, &["run.check: a checkpoint at t = 5 s"]);
    assert_eq!(json(&words)["checkpoint"]["t"], 5.0);
    let on = json(&["simulate", model, "--for", "5", "--resume", kept.path()]);
    let whole = json(&["simulate", model, "--for", "10", "--every", "1"]);
    assert_eq!(on["final"], whole["final"]);
    says(&["simulate", model, "--resume", kept.path()], 2, &["come to its end at t = 5 s", "--for 10"]);
    says(
        &["simulate", model, "--resume", kept.path(), "--method", "radau5", "--for", "1"],
        2,
        &["which was begun without one"],
    );
    says(&["simulate", "gallery:sled", "--resume", kept.path(), "--for", "1"], 2, &["another model"]);
    let own = File::model("coord x\nkinetic x'^2/2\nstart x' = 1\n");
    says(&["simulate", own.path(), "--for", "1", "--checkpoint", own.path()], 2, &["a file that is no checkpoint"]);
    assert!(own.text().starts_with("coord x"), "{}", own.text());
}

#[test]
fn a_motion_runs_backwards_and_says_so() {
    let words = ["simulate", "gallery:double-pendulum", "--back", "2", "--every", "0.5"];
    says(&words, 0, &["motion from t = 0 s to t = -2 s"]);
    let times: Vec<f64> =
        json(&words)["samples"].as_array().unwrap().iter().map(|one| one["t"].as_f64().unwrap()).collect();
    assert_eq!(times, [0.0, -0.5, -1.0, -1.5, -2.0]);
    says(&[&words[..], &["--for", "1"]].concat(), 2, &["`--back` and `--for`"]);
    let struck = File::model("coord x\npoint P = (x, 0) mass 2\nstart x' = 1\nstart impulse (4, 0) on P\n");
    says(&["simulate", struck.path(), "--back", "1"], 2, &["an impulse acts at the start", ":4)"]);
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
    let words = ["the motion ended at t = 1.", "a force", "root.mech:3) has no value"];
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

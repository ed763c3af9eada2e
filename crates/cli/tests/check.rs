//! `anholon check` as a user types it: the page, JSON keys, exit codes.

mod common;

use common::{File, anholon, says};
use serde_json::Value;

#[track_caller]
fn check(arguments: &[&str], code: i32, words: &[&str]) -> String {
    says(&[&["check"], arguments].concat(), code, words)
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    common::json(&[&["check"], arguments].concat())
}

#[test]
fn every_model_of_the_gallery_is_sound() {
    let list = anholon(&["gallery", "--json"]);
    let list: Value = serde_json::from_slice(&list.stdout).unwrap();
    let models = list["models"].as_array().unwrap();
    assert!(models.len() >= 36);
    // theorems have functions without a value, and so no numbers at their start
    for model in models.iter().filter(|model| model["family"] != "theorems") {
        let name = format!("gallery:{}", model["name"].as_str().unwrap());
        let page = check(&[&name], 0, &["Freedom", "degrees of freedom", "Start", "consistent", "Facts", "0 missed"]);
        assert!(page.starts_with(model["title"].as_str().unwrap()), "{page}");
        let found = json(&[&name]);
        let missed = found["expects"].as_array().unwrap().iter().filter(|fact| fact["holds"] == false).count();
        assert_eq!((missed, &found["fine"]), (0, &Value::Bool(true)), "{name}");
        assert!(found["start"]["residual"].as_f64().unwrap() < 1e-12, "{name}");
    }
}

#[test]
fn json_has_the_keys_that_scripts_rely_on() {
    let found = json(&["gallery:sled"]);
    for (key, value) in [("coordinates", 4), ("degrees_of_freedom", 2), ("constants", 5), ("rank", 2)] {
        assert_eq!(found[key], value, "{key}");
    }
    assert_eq!((&found["integrable_dimension"], &found["redundant"]), (&0.into(), &serde_json::json!([])));
    let blade = &found["constraints"][1];
    assert_eq!(
        (&blade["name"], &blade["order"], &blade["linear"], &blade["integrable"], &blade["class"]),
        (&"blade".into(), &1.into(), &true.into(), &false.into(), &"linear first order, homogeneous".into())
    );
    let start = &found["start"];
    assert_eq!((&start["values"]["x1"], &start["values"]["y2'"]), (&(-0.4).into(), &0.68.into()));
    assert_eq!((&start["solved"], &start["zeroed"]), (&serde_json::json!(["x2'"]), &serde_json::json!(["x1'"])));
    assert_eq!(
        found["expects"][0],
        serde_json::json!({ "name": "count", "holds": true, "text": "freedoms = 2", "line": 34 })
    );
    assert_eq!(found["expects"][2]["holds"], Value::Bool(true));
    assert!(found["expects"].as_array().unwrap().iter().all(|fact| fact["holds"] == Value::Bool(true)));
    let text =
        "param k : N/m\ncoord x : m\npoint P = (x, 0) mass 1 kg\npotential k*x^2/2\nexpect rest: equilibrium x = 0\n";
    let model = File::model(text);
    let found: Value = serde_json::from_slice(&anholon(&["check", "--json", model.path()]).stdout).unwrap();
    let later = found["expects"].as_array().unwrap().iter().find(|fact| fact["holds"].is_null()).unwrap();
    assert_eq!(later["waiting_for"], "a value of k");
    let wrong = anholon(&["check", "--json", "gallery:sledd"]);
    assert_eq!(wrong.status.code(), Some(2));
    let wrong: Value = serde_json::from_slice(&wrong.stdout).unwrap();
    assert!(wrong["error"].as_str().unwrap().contains("did you mean `sled`?"));
}

#[test]
fn troubles_are_told_with_their_exit_codes() {
    let model = File::model("coord x, y\nconstraint a: x + y = 2\nconstraint b: x + y = 2\n");
    let words = ["`b` follows from `a`", "`a` shares a load with `b`", "units were not checked"];
    check(&[model.path()], 1, &words);
    let model = File::model("coord x, y\nconstraint a: x + y = 2\nconstraint b: x + y = 3\n");
    check(&[model.path()], 1, &["`b` contradicts `a`: together they say 0 = -1"]);
    let model = File::model("coord x, y\nconstraint a: x + y = 2\nstart x = 1, y = 3\n");
    check(
        &[model.path()],
        1,
        &["`a` does not hold at the start: its two sides differ by 2", "(line 2)", "contradictory"],
    );
    let model = File::model("coord x\nstart x = 1\nexpect wrong: x = 2 at start within 0.5\n");
    check(&[model.path()], 1, &["✗ wrong", "left is 1, right is 2: they differ by 1", "1 missed"]);
    let model = File::model("cord x\n");
    check(&[model.path()], 2, &["did you mean `coord`"]);
    let model = File::model("coord x, y : m\npoint P = (x, y) mass 1 kg\ncontact c: P slides on plane((0, 0, 0), 0)\n");
    check(&[model.path()], 2, &["the normal of the plane of `c` is the zero vector", ":3:1"]);
    check(&["nowhere.mech"], 2, &["cannot read nowhere.mech", "hint:"]);
    check(&["sled"], 2, &["the built-in model is `gallery:sled`"]);
    check(&["."], 2, &["cannot read ."]);
}

#[test]
fn a_model_is_changed_from_the_command_line() {
    check(&["gallery:chain", "--set", "n=10"], 0, &["10 coordinates", "degrees of freedom  10", "✓ count"]);
    check(&["gallery:chain", "--set", "a[2]=0.5"], 0, &["a[2] = 0.5 rad"]);
    // the numbers that are published for l = 0.8 m are missed then
    let words = ["x1 = -1 m", "x2 = l/2 = 1 m", "✗ blade_number", "✓ tension"];
    check(&["gallery:sled", "--set", "l=2", "--set", "x1=-1"], 1, &words);
    check(&["gallery:chaplygin-sleigh", "--set", "u=1.5", "--set", "w=3"], 1, &["u = 1.5, w = 3"]);
    let words = ["`phi' = 3 1/s` cannot be satisfied", "`w = w0`", "(--set)"];
    check(&["gallery:chaplygin-sleigh", "--set", "phi'=3"], 1, &words);
    check(&["gallery:sled", "--set", "l=3", "--set", "x1=7"], 1, &["`rod` does not hold at the start"]);
    check(&["gallery:sled", "--set", "ll=1"], 2, &["did you mean `l`?"]);
    check(&["gallery:sled", "--set", "l"], 2, &["NAME=VALUE"]);
    check(&["gallery:sled", "--set", "l=1 kg"], 2, &["--> --set:1:3", "`l` is in m, and the new value is in kg"]);
    let page = check(&["gallery:sled", "--at", "x1 = 1, x2 = 1.8"], 0, &["State (given with --at", "x1 = 1 m"]);
    assert!(!page.contains("omega0*l"), "a state takes the place of the whole start:\n{page}");
    check(&["gallery:sled", "--at", "x3 = 1"], 2, &["--at", "`x3`", "did you mean"]);
    let model = File::model("param l = 2 m\nexpect longer: l = 2 m at start\n");
    check(&["gallery:sled", "--with", model.path()], 1, &["x2 = l/2 = 1 m", "✓ longer", "✗ blade_number"]);
    check(&["gallery:sled", "--with", "nowhere.mech"], 2, &["cannot read nowhere.mech"]);
}

#[test]
fn what_the_constraints_allow_is_shown() {
    let wheel = File::model("param r = 1\ncoord x, phi\nconstraint roll: x' = r*phi'\n");
    check(&[wheel.path(), "--show", "displacements"], 0, &["Virtual displacements", "δx = r, δphi = 1"]);
    check(&[wheel.path(), "--show", "velocities"], 0, &["Possible velocities", "x' = r*phi'", "free: phi'"]);
    check(&[wheel.path(), "--show", "accelerations"], 0, &["Possible accelerations", "x'' = r*phi''"]);
    check(&[wheel.path(), "--show", "expansion"], 2, &["the model declares no contact"]);
    let words = ["Contacts stand for", "constraint ground_slip1: dot(velocity(D at ground_K), N.x) = 0"];
    check(&["gallery:rolling-disc-contact", "--show", "expansion"], 0, &words);
    check(&[wheel.path(), "--show", "forces"], 2, &["possible values"]);
    let cross = File::model("coord x, y\nconstraint a: x*y = 0\n");
    check(&[cross.path(), "--show", "velocities"], 0, &["this configuration is singular", "none: "]);
}

//! Do other shells get what the command line prints? The same question as JSON gives the same bytes, page and code.

mod common;

use common::anholon;
use serde_json::{Value, json};

/// A line of the clock: the last of a page.
fn without_clock(page: &str) -> String {
    let timed = |line: &str| line.ends_with(" ms") || line.contains(" ms with reading");
    let line = |line: &str| match timed(line) {
        true => line.rsplit_once(", ").map_or(String::new(), |(before, _)| before.to_owned()),
        false => line.to_owned(),
    };
    page.trim_end().lines().map(line).collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

/// JSON without the lines of the clock.
fn without_seconds(text: &str) -> String {
    let is_clock =
        |line: &&str| ["\"seconds\"", "\"cpu_seconds\""].iter().any(|key| line.trim_start().starts_with(key));
    let lines: Vec<&str> = text.trim_end().lines().filter(|line| !is_clock(line)).collect();
    // the clock may have been the last key of its object
    lines.join("\n").replace(",\n}", "\n}")
}

#[track_caller]
fn agree(model: &str, verb: &str, question: &Value, rest: &[&str]) {
    let full = format!("gallery:{model}");
    let arguments = match ask::ALONE.contains(&verb) {
        true => [&[verb], rest].concat(),
        false => [&[verb, full.as_str()], rest].concat(),
    };
    let loaded = ask::open(&json!({ "gallery": model })).unwrap();
    let asked = ask::ask(&loaded, verb, question, &mut anholon::Alone).unwrap_or_else(|error| panic!("{error}"));
    let output = anholon(&arguments);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(i32::from(asked.code)), "{arguments:?}\n{printed}");
    assert_eq!(without_clock(&asked.text), without_clock(&printed), "{arguments:?}");
    let data = anholon(&[&arguments[..], &["--json"]].concat());
    let data = String::from_utf8(data.stdout).unwrap();
    assert_eq!(without_seconds(&asked.written), without_seconds(&data), "{arguments:?}");
    assert_eq!(serde_json::from_str::<Value>(&asked.written).unwrap(), asked.json, "{arguments:?}");
}

#[test]
fn questions_as_json_get_what_the_command_line_prints() {
    for model in ["sled", "hoop", "double-pendulum", "cart-pendulum"] {
        agree(model, "check", &json!({}), &[]);
        agree(model, "check", &json!({ "show": "velocities" }), &["--show", "velocities"]);
        agree(model, "derive", &json!({}), &[]);
        agree(model, "derive", &json!({ "form": "all", "reactions": true }), &["--form", "all", "--reactions"]);
        agree(model, "derive", &json!({ "form": "appell", "steps": true }), &["--form", "appell", "--steps"]);
        agree(model, "derive", &json!({ "latex": true }), &["--latex"]);
        agree(model, "derive", &json!({ "mathml": true, "matrices": true }), &["--mathml", "--matrices"]);
        agree(model, "prove", &json!({ "forms": ["kane", "appell"] }), &["--forms", "kane,appell"]);
        agree(model, "evaluate", &json!({}), &[]);
        agree(model, "simulate", &json!({ "for": 1, "every": 0.25 }), &["--for", "1", "--every", "0.25"]);
        agree(model, "integrals", &json!({}), &[]);
        agree(model, "solve", &json!({}), &[]);
        agree(model, "equilibria", &Value::Null, &[]);
    }
}

#[test]
fn values_given_as_objects_mean_what_the_texts_mean() {
    let question = json!({ "at": { "phi": 0.5, "phi'": "2" }, "set": { "l": 0.25 }, "form": "kane" });
    agree(
        "cart-pendulum",
        "evaluate",
        &question,
        &["--at", "phi = 0.5, phi' = 2", "--set", "l = 0.25", "--form", "kane"],
    );
    let question = json!({ "coordinates": "lean, steer", "critical": "v", "sweep": { "v": [0, 10] }, "points": 5 });
    let rest = ["--coordinates", "lean,steer", "--critical", "v", "--sweep", "v=0..10", "--points", "5"];
    agree("bicycle", "linearize", &question, &rest);
    let question = json!({ "steady": { "theta": 0.6, "psi'": 2.4 } });
    agree("gyroscope", "linearize", &question, &["--steady", "theta = 0.6, psi' = 2.4"]);
    let question = json!({ "box": { "x": [-1, 1], "y": [-1, 1] } });
    agree("triangle-slots", "equilibria", &question, &["--box", "x=-1..1, y=-1..1"]);
    agree("rhombus", "equilibria", &json!({ "solve": ["Q"] }), &["--solve", "Q"]);
    let question = json!({ "columns": ["a1", "a2"], "for": 1.5, "times": [0.5, 1.5], "tolerance": 1e-8 });
    let rest = ["--columns", "a1,a2", "--for", "1.5", "--times", "0.5,1.5", "--tolerance", "1e-8"];
    agree("double-pendulum", "simulate", &question, &rest);
}

#[test]
fn claims_candidates_and_expressions_too() {
    let claims = anholon::library::CLAIMS.iter().find(|file| file.model == "dobronravov").unwrap();
    let name = format!("gallery:{}", claims.name);
    agree("dobronravov", "audit", &json!({ "claims": name }), &[name.as_str()]);
    agree(
        "dobronravov",
        "integrals",
        &json!({ "test": ["q2'", "energy()"] }),
        &["--test", "q2'", "--test", "energy()"],
    );
    agree("sled", "forms", &Value::Null, &[]);
    agree("sled", "explain", &json!({ "form": "kane" }), &["kane"]);
    agree("sled", "gallery", &Value::Null, &[]);
    let question = json!({ "left": "sqrt(x^2)", "right": "x", "assume": ["x > 0"] });
    agree("sled", "same", &question, &["sqrt(x^2)", "x", "--assume", "x > 0"]);
    agree("sled", "same", &json!({ "left": "x", "right": "y" }), &["x", "y"]);
    agree("sled", "simplify", &json!({ "expression": "x + x", "latex": true }), &["x + x", "--latex"]);
    agree("sled", "diff", &json!({ "expression": "x^2*sin(y)", "symbol": "y" }), &["x^2*sin(y)", "y"]);
}

#[test]
fn exports_are_files_as_data() {
    let directory = std::env::temp_dir().join(format!("anholon-{}-ask", std::process::id()));
    let out = directory.display().to_string();
    let printed = common::json(&["export", "gallery:sled", "--to", "numpy", "--what", "all", "--out", &out]);
    let sled = ask::open(&json!({ "gallery": "sled" })).unwrap();
    let question = json!({ "to": "numpy", "what": "all" });
    let asked = ask::ask(&sled, "export", &question, &mut anholon::Alone).unwrap();
    let files = asked.json["files"].as_object().unwrap();
    assert_eq!(printed["files"].as_array().unwrap().len(), files.len());
    for (name, text) in files {
        assert_eq!(&std::fs::read_to_string(directory.join(name)).unwrap(), text.as_str().unwrap());
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_unit_is_one_file() {
    let directory = std::env::temp_dir().join(format!("anholon-{}-unit", std::process::id()));
    let out = directory.display().to_string();
    let export = ["export", "gallery:sled", "--to", "fmu", "--fmi", "2", "--out", &out];
    let printed = common::json(&export);
    assert_eq!(printed["files"].as_array().unwrap().len(), 1);
    let bytes = std::fs::read(directory.join("sled.fmu")).unwrap();
    assert!(bytes.starts_with(b"PK") && bytes.windows(20).any(|part| part == b"modelDescription.xml"));
    let sled = ask::open(&json!({ "gallery": "sled" })).unwrap();
    let asked = ask::ask(&sled, "export", &json!({ "to": "fmu" }), &mut anholon::Alone).unwrap();
    assert_eq!(asked.json["pack"]["name"], "sled.fmu");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_certificate_is_data_that_can_be_verified() {
    let sled = ask::open(&json!({ "gallery": "sled" })).unwrap();
    let proved = ask::ask(&sled, "prove", &json!({ "certificate": true }), &mut anholon::Alone).unwrap();
    let question = json!({ "certificate": proved.json["certificate"] });
    let verified = ask::ask(&sled, "verify", &question, &mut anholon::Alone).unwrap();
    assert_eq!((verified.code, &verified.json["accepted"]), (0, &Value::Bool(true)), "{}", verified.text);
    let other = ask::open(&json!({ "gallery": "hoop" })).unwrap();
    assert_eq!(ask::ask(&other, "verify", &question, &mut anholon::Alone).unwrap().code, 1);
}

#[test]
fn nothing_is_accepted_and_ignored() {
    let sled = ask::open(&json!({ "gallery": "sled" })).unwrap();
    for (verb, question, words) in [
        ("derive", json!({ "from": "kane" }), "knows no `from`"),
        ("derive", json!({ "form": 3 }), "`form` of `derive` is a text, not the number 3"),
        ("derive", json!({ "steps": "yes" }), "`steps` of `derive` is true or false"),
        ("derive", json!({ "latex": true, "mathml": true }), "not both"),
        ("simulate", json!({ "duration": 3 }), "knows no `duration`"),
        ("simulate", json!({ "for": "long" }), "`for` of `simulate` is a number"),
        ("simulate", json!({ "against": "x" }), "nothing without `columns`"),
        ("simulate", json!({ "method": "euler" }), "there is no method `euler`"),
        ("linearize", json!({ "points": -1 }), "`points` of `linearize` is a whole number"),
        ("linearize", json!({ "periodic": 1, "critical": "l" }), "cannot be asked together"),
        ("equilibria", json!({ "box": { "x": [1] } }), "`box` of `equilibria` is an object of pairs"),
        ("prove", json!([]), "a question is an object"),
        ("evaluate", json!({ "set": { "ll": 1 } }), "`ll`"),
        ("evaluate", json!({ "at": { "x": true } }), "`at` of `evaluate`"),
        ("audit", json!({ "claims": { "name": "a" } }), "`claims` of `audit`"),
        ("export", json!({}), "`export` needs `to`"),
        ("export", json!({ "to": "c", "what": "everything" }), "`everything`"),
        ("export", json!({ "to": "c", "fmi": "2" }), "belongs to fmu"),
        ("export", json!({ "to": "fmu", "fmi": "4" }), "there are 2 and 3"),
        ("export", json!({ "to": "fortran" }), "no export to `fortran`"),
        ("check", json!({ "show": "all" }), "cannot show `all`"),
        ("derve", json!({}), "did you mean `derive`?"),
        ("forms", json!({ "form": "kane" }), "knows no `form`"),
    ] {
        let error = ask::ask(&sled, verb, &question, &mut anholon::Alone).expect_err(words);
        let told = ask::error_json(&error);
        assert!(told["error"].as_str().unwrap().contains(words), "{verb} {question}: {told}");
    }
    for request in [json!({}), json!({ "text": "", "gallery": "sled" }), json!({ "gallery": "sled", "name": 1 })] {
        assert!(ask::open(&request).is_err(), "{request}");
    }
}

#[test]
fn errors_are_data_with_their_place() {
    let text = "coord y : m\npoint P = (0, z) mass 1 kg\n";
    let error = ask::open(&json!({ "file": "fall.mech", "text": text })).err().expect("there is no z");
    let told = ask::error_json(&error);
    let first = &told["diagnostics"][0];
    assert_eq!((&first["file"], &first["line"], &first["column"]), (&json!("fall.mech"), &json!(2), &json!(15)));
    assert_eq!(told["field"], "model");
    let file = common::File::with("fall.mech", text);
    let printed = common::text(&anholon(&["check", file.path()])).replace(file.path(), "fall.mech");
    assert_eq!(told["error"].as_str().unwrap(), printed.trim_end());
}

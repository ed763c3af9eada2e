//! Options: the same in every verb, with units, and never ignored.

mod common;

use std::io::Write;
use std::process::{Command, Stdio};

use common::{anholon, json, says, text};

#[test]
fn times_take_units() {
    for duration in ["500 ms", ".5", "0.5", "0.25 s + 250 ms", "1/2"] {
        let found = json(&["simulate", "gallery:sled", "--for", duration]);
        assert_eq!(found["final"]["t"], 0.5, "{duration}");
    }
    let found = json(&["simulate", "gallery:sled", "--times", "100 ms, .2, 0.3 s"]);
    assert_eq!(found["samples"].as_array().map(Vec::len), Some(3));
    says(&["simulate", "gallery:sled", "--for", "1 kg"], 2, &["`1 kg` is in kg", "a value in s is needed"]);
    says(&["simulate", "gallery:sled", "--for", "soon"], 2, &["`soon` has no value here"]);
}

#[test]
fn ranges_take_units() {
    let found = json(&[
        "linearize",
        "gallery:bicycle",
        "--coordinates",
        "lean,steer",
        "--sweep",
        "v=18..36 km/hour",
        "--points",
        "2",
    ]);
    assert_eq!(found["sweep"]["values"], serde_json::json!([5.0, 10.0]));
    let wrong = ["linearize", "gallery:bicycle", "--coordinates", "lean,steer", "--sweep", "v=0..3 kg"];
    says(&wrong, 2, &["`3 kg` is in kg", "a value in m/s is needed"]);
    let boxed = json(&["equilibria", "gallery:triangle-slots", "--box", "x=-100 cm..100 cm, y=-1..1"]);
    assert_eq!(boxed["ranges"]["x"], serde_json::json!([-1.0, 1.0]));
}

#[test]
fn a_model_comes_from_standard_input() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_anholon"))
        .args(["derive", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let model = b"param m = 1 kg, k = 2 N/m\ncoord x : m\npoint P = (x, 0) mass m\npotential k*x^2/2\n";
    child.stdin.take().expect("a pipe").write_all(model).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(text(&output).contains("m*x'' = -k*x"), "{}", text(&output));
}

#[test]
fn what_would_be_ignored_is_refused() {
    says(&["simulate", "gallery:sled", "--poses", "4"], 2, &["`--poses` does nothing without `--figure`"]);
    says(&["simulate", "gallery:sled", "--plot", "a.png"], 2, &["`.png` are not written", "`.svg`"]);
    says(&["simulate", "gallery:sled", "--figure", "a.jpg"], 2, &["`.jpg` are not written"]);
    says(&["simulate", "gallery:sled", "--out", "s.mat"], 2, &["`.mat` are not written", "`.csv` or `.json`"]);
    let locus =
        ["linearize", "gallery:bicycle", "--coordinates", "lean,steer", "--sweep", "v=0..10", "--plot", "a.pdf"];
    says(&locus, 2, &["`.pdf` are not written"]);
}

#[test]
fn insides_are_told_on_request_only() {
    let brief = says(&["derive", "gallery:hoop"], 0, &["Equations of motion"]);
    assert!(!brief.contains("operations") && !brief.contains(" ms"), "{brief}");
    says(&["--verbose", "derive", "gallery:hoop"], 0, &["operations", " ms"]);
    let brief = says(&["simulate", "gallery:sled", "--for", "1"], 0, &["State at the end"]);
    assert!(!brief.contains("evaluations") && !brief.contains("multiplier("), "{brief}");
    says(&["simulate", "gallery:sled", "--for", "1", "--verbose"], 0, &["evaluations", "multiplier(rod)"]);
}

#[test]
fn the_version_tells_the_commit_where_git_is() {
    let told = text(&anholon(&["--version"]));
    assert!(told.starts_with(&format!("anholon {}", env!("CARGO_PKG_VERSION"))), "{told}");
}

fn shown(variables: &[(&str, &str)], arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_anholon"));
    command.args(arguments).env_remove("COLUMNS").env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    text(&command.envs(variables.iter().copied()).output().expect("the program runs"))
}

#[test]
fn pages_fit_the_width_and_colours_stay_where_they_are_wanted() {
    let wide = shown(&[], &["prove", "gallery:hoop"]);
    assert!(!wide.contains('\x1b'), "colours in a pipe");
    let narrow = shown(&[("COLUMNS", "60")], &["prove", "gallery:hoop"]);
    let is_long = |line: &&str| line.chars().count() > 60 && line.trim().contains(' ');
    assert_eq!(narrow.lines().find(is_long), None);
    let words = |page: &str| page.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&narrow), words(&wide));
    assert!(shown(&[("CLICOLOR_FORCE", "1")], &["prove", "gallery:hoop"]).contains('\x1b'));
    assert!(!shown(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &["prove", "gallery:hoop"]).contains('\x1b'));
    let machine = shown(&[("CLICOLOR_FORCE", "1"), ("COLUMNS", "40")], &["derive", "gallery:hoop", "--json"]);
    assert!(serde_json::from_str::<serde_json::Value>(&machine).is_ok(), "{machine}");
}

#[test]
fn what_an_answer_cost_stands_beside_it() {
    for verb in [vec!["check", "gallery:sled"], vec!["equilibria", "gallery:parabola"], vec!["derive", "gallery:sled"]]
    {
        let told = json(&verb);
        let (wall, processors) = (told["seconds"].as_f64(), told["cpu_seconds"].as_f64());
        assert!(wall.is_some_and(|one| one > 0.0) && processors.is_some_and(|one| one > 0.0), "{verb:?}: {told}");
    }
}

#[test]
fn rates_are_asked_for_where_speeds_are() {
    says(&["derive", "gallery:sled", "--rates"], 2, &["`--rates` has no effect", "declares no speeds"]);
    says(&["derive", "gallery:euler-top", "--rates"], 0, &[]);
}

#[test]
fn a_model_is_formatted_on_its_way() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_anholon"))
        .args(["fmt", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    child.stdin.take().expect("a pipe").write_all(b"param  m=1 kg\n").expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "param m = 1 kg\n");
    says(&["fmt", "-", "other.mech"], 2, &["`-` stands alone"]);
}

#[test]
fn examples_of_the_help_are_of_the_gallery() {
    let verbs = ["check", "derive", "prove", "audit", "verify", "evaluate", "simulate", "linearize", "equilibria"];
    let more = ["integrals", "solve", "report", "sweep", "export", "studio", "gallery", "fmt"];
    for verb in verbs.iter().chain(&more) {
        let help = text(&anholon(&[verb, "--help"]));
        for name in help.split("gallery:").skip(1) {
            let name: String = name.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect();
            if !name.is_empty() {
                says(&["gallery", "show", &name], 0, &[]);
            }
        }
    }
    says(
        &[
            "audit",
            "gallery:double-pendulum",
            "--claim",
            "l2*a2'' + l1*(a1''*cos(a1 - a2) - a1'^2*sin(a1 - a2)) = -g*sin(a2)",
        ],
        1,
        &["correct"],
    );
}

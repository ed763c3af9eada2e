//! `anholon integrals` as a user types it: the page, JSON keys, exit codes.

mod common;

use common::{File, says};
use serde_json::Value;

#[track_caller]
fn check(arguments: &[&str], code: i32, words: &[&str]) -> String {
    says(&[&["integrals"], arguments].concat(), code, words)
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    common::json(&[&["integrals"], arguments].concat())
}

#[test]
fn the_page_lists_what_was_found() {
    check(
        &["gallery:dobronravov"],
        0,
        &["integrals", "✓ linear  q3'", "✓ linear  q2'*sqrt(q3^2/b^2 + 1)", "Looked at"],
    );
    check(&["gallery:governor"], 0, &["✓ jacobi", "The energy is not constant: the constraint `drive` may do work"]);
    check(&["gallery:cube-root"], 0, &["no integral was found", "forces do work whose potential is not declared"]);
}

#[test]
fn exit_codes() {
    check(&["gallery:dobronravov", "--test", "q3'"], 0, &["✓ constant  q3'"]);
    let off = &["gallery:dobronravov", "--test", "q3'", "--test", "q2'"];
    check(off, 1, &["✓ constant      q3'", "✗ not constant  q2'", "its rate there is"]);
    check(&["gallery:dobronravov", "--test", "q3' +"], 2, &["error:"]);
    check(&["gallery:nothing"], 2, &["error:"]);
}

#[test]
fn json_keys() {
    let found = json(&["gallery:dobronravov"]);
    assert_eq!(found["model"], "gallery:dobronravov");
    let list = found["integrals"].as_array().unwrap();
    assert!(list.iter().all(|one| one["proved"] == true && one["text"].is_string()), "{found}");
    assert_eq!(
        list.iter().map(|one| one["kind"].as_str().unwrap()).collect::<Vec<_>>(),
        ["energy", "linear", "linear", "linear"]
    );
    let refuted = json(&["gallery:dobronravov", "--test", "q2'"]);
    let one = &refuted["integrals"][0];
    assert_eq!(
        (&one["proved"], &one["verdict"], &one["kind"]),
        (&false.into(), &"not constant".into(), &"claimed".into())
    );
    assert!(one["witness"]["state"]["q2'"].is_number(), "{refuted}");
}

#[test]
fn bad_input_is_answered_by_name() {
    check(&["gallery:dobronravov", "--test", "q9'"], 2, &["error", "`q9` is not declared"]);
    check(&["gallery:dobronravov", "--test", "((("], 2, &["error", "--test"]);
    check(&["gallery:dobronravov", "--test", ""], 2, &["error", "--test"]);
    check(&["gallery:dobronravov", "--test", "q3' = 1"], 2, &["error", "--test"]);
    check(&["gallery:dobronravov", "--test", "q3'\nparam b = 3 m"], 2, &["error", "is not one expression"]);
    check(&["gallery:dobronravov", "--test"], 2, &["--test"]);
    check(&["gallery:rough-incline"], 2, &["error", "cannot use the friction on `plane`"]);
    check(&["gallery:dobronravof"], 2, &["did you mean `dobronravov`?"]);
}

#[test]
fn functions_that_nobody_would_write_are_not_shown() {
    // its kinetic energy has masses of thousands of operations
    let told = check(&["gallery:bicycle"], 0, &["one integral", "✓ energy", "Looked at"]);
    let looked = told.split("Looked at").nth(1).unwrap();
    assert!(looked.lines().count() < 10, "{looked}");
}

#[test]
fn a_candidate_may_be_a_vector_and_undecided_is_not_refuted() {
    check(&["gallery:euler-top", "--test", "angular_momentum((0, 0, 0))"], 0, &["✓ constant"]);
    let spring = "param m = 1 kg\nparam k : N/m\ncoord x : m\npoint P = (x, 0) mass m\npotential k*x^2/2\n";
    let spring = File::model(spring);
    // parameters need no values
    check(&[spring.path()], 0, &["✓ energy"]);
    check(&[spring.path(), "--test", "m*x'^2 + k*x^2"], 0, &["✓ constant"]);
    check(&[spring.path(), "--test", "m*x'^2 + 2*k*x^2"], 1, &["✗ not constant", "its rate there is"]);
}

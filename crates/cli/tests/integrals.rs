//! `anholon integrals` as a user types it: the page, JSON keys, exit codes.

use std::process::{Command, Output};

use serde_json::Value;

fn integrals(arguments: &[&str]) -> Output {
    let all = [&["integrals"], arguments].concat();
    Command::new(env!("CARGO_BIN_EXE_anholon")).args(all).output().expect("the program runs")
}

#[track_caller]
fn check(arguments: &[&str], code: i32, words: &[&str]) {
    let output = integrals(arguments);
    let printed = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{printed}");
    for word in words {
        assert!(printed.contains(word), "{arguments:?} should say {word:?}:\n{printed}");
    }
}

#[test]
fn the_page_lists_what_was_found() {
    check(
        &["gallery:dobronravov"],
        0,
        &["integrals", "✓ linear  q3'", "✓ linear  q2'*sqrt(q3^2/b^2 + 1)", "Looked at"],
    );
    check(&["gallery:governor"], 0, &["✓ jacobi", "The energy is not constant: the constraint `drive` may do work"]);
    check(&["gallery:cube-root"], 0, &["no integral was found", "forces without a potential do work"]);
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
    let read = |arguments: &[&str]| -> Value { serde_json::from_slice(&integrals(arguments).stdout).unwrap() };
    let found = read(&["gallery:dobronravov", "--json"]);
    assert_eq!(found["model"], "gallery:dobronravov");
    let list = found["integrals"].as_array().unwrap();
    assert!(list.iter().all(|one| one["proved"] == true && one["text"].is_string()), "{found}");
    assert_eq!(
        list.iter().map(|one| one["kind"].as_str().unwrap()).collect::<Vec<_>>(),
        ["energy", "linear", "linear"]
    );
    let refuted = read(&["gallery:dobronravov", "--test", "q2'", "--json"]);
    let one = &refuted["integrals"][0];
    assert_eq!(
        (&one["proved"], &one["verdict"], &one["kind"]),
        (&false.into(), &"not constant".into(), &"claimed".into())
    );
    assert!(one["witness"]["state"]["q2'"].is_number(), "{refuted}");
}

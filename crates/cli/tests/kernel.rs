//! The kernel's verbs as a user types them: output, JSON keys, exit codes.

mod common;

use common::{anholon, says};

#[track_caller]
fn check(arguments: &[&str], code: i32, expected: &str) {
    let words: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    says(arguments, code, &words);
}

#[test]
fn same_has_three_answers_and_exit_codes() {
    check(&["same", "sin(2*x)", "2*sin(x)*cos(x)"], 0, "same\n probability of error at most 2^-");
    check(&["same", "sqrt(x^2)", "x"], 1, "different\n at x = -");
    check(&["same", "sqrt(x^2)", "x", "--assume", "x > 0"], 0, "same\n assuming x > 0");
    check(&["same", "sqrt(x*y)", "sqrt(x)*sqrt(y)"], 3, "unknown\n state it with `assume`");
    check(&["same", "sqrt(x*y)", "sqrt(x)*sqrt(y)", "--assume", "x > 0", "--assume", "y >= 0"], 0, "same");
    check(&["same", "x + y", "2*x", "--assume", "x = y"], 0, "same");
    check(&["same", "-x", "-1*x"], 0, "same");
    check(&["same", "cos(pi/8)", "sqrt(2 + sqrt(2))/2"], 0, "proved exactly");
}

#[test]
fn a_prime_makes_a_name_move_wherever_it_stands() {
    // a name that is met without its prime first became a constant
    check(&["same", "x + a[1]*a[1]'", "x"], 1, "different");
    check(&["simplify", "cos(a[1] - a[2])*a[2]''"], 0, "cos(a[1] - a[2])*a[2]''");
    check(&["same", "(x^2)'", "2*x*v", "--assume", "x' = v"], 0, "same");
    check(&["simplify", "(m*x)'"], 2, "nothing that moves stands in these brackets");
}

#[test]
fn json_is_json_only() {
    let output = anholon(&["same", "x", "abs(x)", "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("standard output is JSON");
    assert_eq!(value["verdict"], "different");
    assert!(value["error_bound"].is_null());
    assert!(value["witness"]["state"]["x"].as_str().is_some_and(|x| x.starts_with('-')), "{value}");
    let output = anholon(&["same", "x + x", "2*x", "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("standard output is JSON");
    assert_eq!((&value["verdict"], value["error_bound"].as_f64()), (&"same".into(), Some(0.0)));
    let output = anholon(&["diff", "sni(x)", "x", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("standard output is JSON");
    assert!(value["error"].as_str().is_some_and(|text| text.contains("no function `sni`")));
}

#[test]
fn diff_and_simplify_print_one_line() {
    check(&["diff", "m*q'^2/2", "q'"], 0, "m*q'");
    check(&["diff", "x^2", "y"], 0, "0\n note: `y` does not occur");
    check(&["diff", "x^2", "2*x"], 2, "`2*x` is not a symbol");
    check(&["simplify", "sin(x)^2 + cos(x)^2"], 0, "1");
    check(&["simplify", "theta''/2", "--latex"], 0, r"\ddot{\theta}");
}

#[test]
fn bad_input_names_its_place_and_remedy() {
    check(&["same", "2x", "2*x"], 0, "same");
    check(&["same", "1/2x", "x"], 2, "expression:1:");
    check(&["same", "sin(x", "x"], 2, "expression:1:");
    check(&["same", "0/0", "x"], 2, "division by zero");
    check(&["same", "1/(x - x)", "x"], 2, "division by zero");
    check(&["simplify", "10^(10^10)"], 2, "more digits than can be held");
    check(&["simplify", "9^9^9^9"], 2, "more digits than can be held");
    check(&["simplify", &format!("{}x{}", "(".repeat(10_000), ")".repeat(10_000))], 2, "nested more than 256 deep");
    check(&["same", "x", "x", "--assume", "x"], 2, "expression:1:");
    check(&["simplify", "x^y"], 2, "an exponent must be a rational number");
    check(&["simplify", "sqrt(-2)"], 2, "is negative");
    check(&["frobnicate"], 2, "unrecognized subcommand");
}

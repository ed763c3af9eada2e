//! What can a text do to the reader? Nothing: long and deep texts are read or refused.
//!
//! How long that takes is a row of `cargo xtask bench read`.

use syntax::{Node, NodeKind, Source, format, parse_expression};

/// Reads in a thread with a small stack, so that deep recursion would show.
fn messages(text: String) -> Vec<String> {
    let read = move || {
        let result = parse_expression(&text).map(drop);
        let errors = result.err().unwrap_or_default();
        errors.into_iter().map(|error| error.message).collect()
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20);
    thread.spawn(read).unwrap().join().unwrap()
}

#[test]
fn two_hundred_levels_are_fine() {
    for (open, close) in [("(", ")"), ("-", ""), ("2^", ""), ("f(", ")"), ("a[", "]")] {
        assert!(messages(open.repeat(200) + "x" + &close.repeat(200)).is_empty());
    }
    assert!(messages("f(1 + 2*-(".repeat(80) + "x" + &"))".repeat(80)).is_empty());
}

#[test]
fn ten_thousand_levels_are_refused_once() {
    let nests = [("(", ")"), ("-", ""), ("2^", ""), ("f(", ")"), ("a[", "]"), ("(1 + 2*-", ")")];
    for (open, close) in nests {
        for closed in [10_000, 0] {
            let text = open.repeat(10_000) + "x" + &close.repeat(closed);
            assert_eq!(messages(text), ["nested more than 256 deep"], "{open}");
        }
    }
    let nests = ["if(a < ", "if(a < b, ", "sum(a for i in ", "sum(a for i in 1..", "f(a at ", "(a, "];
    for open in nests {
        assert_eq!(messages(open.repeat(10_000)), ["nested more than 256 deep"], "{open}");
    }
}

#[test]
fn the_refused_level_is_pointed_at() {
    let text = "(".repeat(300);
    let error = parse_expression(&text).unwrap_err().remove(0);
    assert_eq!(error.span.start, 257);
}

#[test]
fn chains_of_primes_and_components_stay_flat() {
    assert_eq!(order(&parse_expression(&("x".to_owned() + &"'".repeat(100_000))).unwrap()), 100_000);
    let messages = messages("v".to_owned() + &".x'".repeat(100_000));
    assert_eq!(messages, ["a component has no components of its own"]);
}

fn order(node: &Node) -> u32 {
    match node.kind {
        NodeKind::Prime { order, .. } => order,
        _ => 0,
    }
}

#[test]
fn a_megabyte_is_read() {
    let sum = "x1 + 2.5*".repeat(120_000) + "y";
    let tree = parse_expression(&sum).unwrap();
    assert_eq!(format(&tree), sum);
}

#[test]
fn a_megabyte_of_mistakes_is_told_in_a_few_messages() {
    let bad = ["x y ", "* ", "2x + ", "× ", "(a ", ") ", "[(", "@a", "\"", "a,"];
    for text in bad.map(|part| part.repeat(1_000_000 / part.len())) {
        let errors = parse_expression(&text).unwrap_err();
        assert!(errors.len() <= 202);
        errors[0].render(&Source::new("", &text));
    }
}

#[test]
fn mistakes_that_nest_are_passed_over_without_recursion() {
    for part in ["(a ", "[(", "f(a b(", "2.5 m^", "a[1, (", "if(a < b ("] {
        let told = messages(part.repeat(10_000));
        assert!(!told.is_empty() && told.len() <= 300, "{part}: {}", told.len());
    }
}

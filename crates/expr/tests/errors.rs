//! Bad input gets an error with its place: never a panic, never a hang.

use expr::{ParseError, Scope, parse};

fn error_of(text: &str) -> ParseError {
    let _scope = Scope::with_seed(1);
    let shown: String = text.chars().take(60).collect();
    parse(text).err().unwrap_or_else(|| panic!("`{shown}` was accepted"))
}

/// The message for a text, word for word.
#[track_caller]
fn check(text: &str, message: &str) {
    let lines: Vec<&str> =
        message.trim_matches('\n').lines().map(|line| line.strip_prefix("        ").unwrap_or(line)).collect();
    assert_eq!(error_of(text).to_string(), lines.join("\n").trim_end());
}

#[test]
fn an_open_bracket() {
    check(
        "sin(x",
        "
        error: `(` is never closed
          --> expression:1:4
        1 | sin(x
          |    ^
        hint: add the missing `)`",
    );
}

#[test]
fn a_bracket_that_closes_nothing() {
    check(
        "x)",
        "
        error: `)` closes nothing
          --> expression:1:2
        1 | x)
          |  ^ no bracket is open here
        hint: delete it, or open a bracket before it",
    );
}

#[test]
fn an_operand_is_missing() {
    check(
        "x + * y",
        "
        error: an operand is missing between `+` and `*`
          --> expression:1:3
        1 | x + * y
          |   ^^^",
    );
}

#[test]
fn an_unknown_function() {
    check(
        "x + sinn(x)",
        "
        error: there is no function `sinn`
          --> expression:1:5
        1 | x + sinn(x)
          |     ^^^^
        hint: did you mean `sin`?",
    );
}

#[test]
fn the_wrong_number_of_arguments() {
    check(
        "atan2(x)",
        "
        error: `atan2` takes 2 arguments, not 1
          --> expression:1:1
        1 | atan2(x)
          | ^^^^^^^^",
    );
}

#[test]
fn zero_over_zero() {
    check(
        "1 + 0/0",
        "
        error: division by zero
          --> expression:1:7
        1 | 1 + 0/0
          |       ^",
    );
}

#[test]
fn a_divisor_that_is_zero_is_named() {
    check(
        "1/(sin(x)^2 + cos(x)^2 - 1)",
        "
        error: division by `sin(x)^2 + cos(x)^2 - 1`, which is zero
          --> expression:1:4
        1 | 1/(sin(x)^2 + cos(x)^2 - 1)
          |    ^^^^^^^^^^^^^^^^^^^^^^^",
    );
}

#[test]
fn a_power_of_a_gigabyte() {
    check(
        "1 + 10^(10^10)",
        "
        error: `10^(10000000000)` has more digits than can be held
          --> expression:1:5
        1 | 1 + 10^(10^10)
          |     ^^^^^^^^^^",
    );
}

#[test]
fn a_number_of_a_gigabyte() {
    check(
        "1e999999999",
        "
        error: the number takes more than 1048576 bits
          --> expression:1:1
        1 | 1e999999999
          | ^^^^^^^^^^^",
    );
}

#[test]
fn the_root_of_a_negative_number() {
    check(
        "2*sqrt(-1)",
        "
        error: `-1` is negative: this root is not real (`cbrt` takes the real cube root)
          --> expression:1:3
        1 | 2*sqrt(-1)
          |   ^^^^^^^^",
    );
}

#[test]
fn a_function_outside_its_domain() {
    check(
        "tan(pi/2)",
        "
        error: `tan(pi/2)` is not defined
          --> expression:1:1
        1 | tan(pi/2)
          | ^^^^^^^^^",
    );
}

#[test]
fn a_variable_exponent() {
    check(
        "2^x",
        "
        error: an exponent must be a rational number
          --> expression:1:3
        1 | 2^x
          |   ^
        hint: for a variable exponent write `exp(y*log(x))`",
    );
}

#[test]
fn brackets_nested_too_deep() {
    let error = error_of(&format!("{}x{}", "(".repeat(10_000), ")".repeat(10_000))).to_string();
    assert!(error.starts_with("error: nested more than 256 deep\n  --> expression:1:258\n"), "{error}");
    assert!(error.len() < 500, "{error}");
}

/// Texts that are refused, and the column of the place where they are wrong.
const REFUSED: &[(&str, usize)] = &[
    ("", 1),
    ("(", 2),
    ("((x)", 1),
    ("[x]", 1),
    ("x +", 3),
    ("* x", 1),
    ("x y", 1),
    ("x^", 2),
    ("1..2", 2),
    ("x = 1", 3),
    ("x$y", 2),
    ("foo(x)", 1),
    ("sin()", 1),
    ("sin(x, y)", 1),
    ("1/0", 3),
    ("x/0", 3),
    ("0^0", 1),
    ("(x - x)^0", 1),
    ("0^(-1)", 1),
    ("1/(x - x)", 4),
    ("1/(x/x - 1)", 4),
    ("1/(sqrt(x^2) - abs(x))", 4),
    ("2^2^2^2^2^2", 1),
    ("9^9^9^9", 3),
    ("(1/3)^(10^9)", 1),
    ("(2/3)^(-10^9)", 1),
    ("((2^1000)^1000)^1000", 1),
    ("(2*x)^(10^9)", 1),
    ("exp(10^9*log(2))", 1),
    ("1e-999999999", 1),
    ("log(0)", 1),
    ("log(-1)", 1),
    ("asin(2)", 1),
    ("acos(-2)", 1),
    ("atan2(0, 0)", 1),
    ("(-8)^(1/3)", 1),
    ("tan(3*pi/2)", 1),
    ("x^y", 3),
    ("2^pi", 3),
    ("x^sqrt(2)", 3),
    ("3 m", 3),
    ("(1, 2)", 1),
    ("a.x", 1),
    ("a[1/2]", 3),
    ("a[x]", 3),
    ("sum(i for i in 1..10^9)", 11),
    ("sum(1 for i in 1..1000, j in 1..1000, k in 1..1000)", 25),
];

#[test]
fn every_error_has_its_place() {
    for &(text, column) in REFUSED {
        let error = error_of(text);
        assert!(!error.diagnostics.is_empty(), "`{text}`");
        let place = format!("--> expression:1:{column}\n");
        assert!(error.to_string().contains(&place), "`{text}` at column {column}:\n{error}");
    }
}

#[test]
fn long_texts_are_read_or_refused_quickly() {
    for text in [
        "-".repeat(100_000) + "x",
        "x^".repeat(100_000) + "2",
        "sin(".repeat(100_000),
        "1".repeat(1_000_000),
        "x)".repeat(100_000),
        "2^".repeat(100) + "2",
    ] {
        error_of(&text);
    }
    let _scope = Scope::with_seed(1);
    assert_eq!(parse(&vec!["x"; 20_000].join(" + ")).unwrap().to_string(), "20000*x");
    assert_eq!(parse(&vec!["x"; 20_000].join("*")).unwrap().to_string(), "x^20000");
    assert!(parse(&"x".repeat(100_000)).is_ok());
}

/// What is not too large is exact, however it is written.
#[test]
fn large_exponents_of_symbols_are_fine() {
    let _scope = Scope::with_seed(1);
    for (text, printed) in [
        ("x^(10^30)", "x^1000000000000000000000000000000"),
        ("(x^(10^18))^(10^18)", "x^1000000000000000000000000000000000000"),
        ("(x + 1)^(10^9)", "(x + 1)^1000000000"),
        ("exp(10^9)", "exp(1000000000)"),
    ] {
        assert_eq!(parse(text).unwrap().to_string(), printed);
    }
}

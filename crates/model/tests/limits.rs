//! What can a file do to the reader? Large and strange files are read or refused in time.
//!
//! A megabyte takes about half a second when built for release; the bound leaves room for a busy
//! machine and none for a quadratic loop.

use std::time::{Duration, Instant};

const BOUND: Duration = Duration::from_secs(10);

fn timed(what: &str, text: &str) -> model::Parsed {
    let start = Instant::now();
    let parsed = model::parse(what, text);
    parsed.render();
    assert!(start.elapsed() < BOUND, "{what}: {:?}", start.elapsed());
    parsed
}

#[test]
fn a_megabyte_of_declarations_takes_a_moment() {
    let mut text = String::from("param m = 1 kg, l = 2 m\n");
    for i in 0..12_000 {
        text += &format!("coord x{i}, y{i} : m\npoint P{i} = (x{i}, y{i} + l) mass m  # point\n");
        text += &format!("constraint c{i}: x{i}^2 + y{i}^2 = l^2\n");
    }
    assert!(text.len() > 1_000_000);
    let parsed = timed("declarations", &text);
    assert_eq!(parsed.render(), "");
    let start = Instant::now();
    let pretty = model::format(&text).unwrap();
    assert!(start.elapsed() < BOUND && pretty.len() >= text.len());
    let start = Instant::now();
    parsed.model.unwrap().elaborate().unwrap();
    assert!(start.elapsed() < BOUND);
}

#[test]
fn a_megabyte_of_mistakes_takes_no_longer() {
    let lines = [
        "coord x : m\n",
        "point P = (u, v) mass w\n",
        "cord x\n",
        "potential sin(\n",
        "observe a[1] = 2 m + 3 s\n",
        "  param\n",
        "constraint c: frobnicate(x) = y\n",
        "friction 1 on nothing\n",
        "start x1 = 1e99999999\n",
        "\"\n",
        "let f(a) = f(a)\n",
    ];
    for line in lines {
        let parsed = timed(line, &line.repeat(1_000_000 / line.len()));
        assert!(parsed.model.is_none() && parsed.diagnostics.len() <= 302, "{line}");
    }
}

#[test]
fn functions_that_call_functions_are_measured_in_time() {
    let mut text = String::from("param l = 1 m\nlet f0(a) = a*a + a*a\n");
    for i in 1..3000 {
        text += &format!("let f{i}(a) = f{}(a)*f{}(a) + f{}(f{}(a))\n", i - 1, i - 1, i - 1, i - 1);
    }
    text += "observe y = f2999(l)\n";
    timed("functions", &text);
}

#[test]
fn large_families_are_not_expanded_by_the_reader() {
    let text = include_str!("models/chain.mech").replace("n = 100 ", "n = 1000000 ");
    let model = timed("chain", &text).model.unwrap();
    assert_eq!(model.lines.len(), 6);
    let model = model.set(&[("n", "1000")]).model.unwrap();
    let elements = model.elaborate().unwrap();
    assert_eq!(elements.lines.len(), 3 + 1 + 1000 + 1000);
}

#[test]
fn a_model_that_is_too_large_element_by_element_is_refused() {
    let text = "coord x : m\nobserve y = sum(x for i in 1..100000, j in 1..100000)";
    let errors = model::parse("", text).model.unwrap().elaborate().unwrap_err();
    assert!(errors[0].message.contains("too large"));
}

#[test]
fn deep_nesting_does_not_exhaust_a_small_stack() {
    let nests = [
        ("(1 + 2*-", ")"),
        ("sin(", ")"),
        ("if(x < 1, 1 + 2*(", "), 2)"),
        ("-", ""),
        ("abs(x + 2*(", "))"),
        ("2^", ""),
    ];
    for (open, close) in nests {
        let levels = 250 / open.matches(['(', '-', '^']).count();
        let text = format!("coord x\nlet f(y) = y\nobserve z = {}x{}\n", open.repeat(levels), close.repeat(levels));
        let use_all = move || {
            let parsed = model::parse("", &text);
            parsed.render();
            model::format(&text).unwrap();
            if let Some(model) = parsed.model {
                model.elaborate().unwrap();
                model::from_json(&model::to_json(&model)).unwrap();
            }
        };
        std::thread::Builder::new().stack_size(1 << 20).spawn(use_all).unwrap().join().unwrap();
    }
}

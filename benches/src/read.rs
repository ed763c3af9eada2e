//! How long does it take to read large texts, right and wrong ones?

use crate::measure::Row;
use crate::measure::Target::AtMost;
use crate::measure::{best, timed};

#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    Row { name: "read an expression of 1 MB", unit: "ms", target: AtMost(1000.0), measure: expression },
    Row { name: "read expressions of 1 MB, the slowest mistake", unit: "ms", target: AtMost(1000.0), measure: mistakes },
    Row { name: "read a model of 1 MB", unit: "ms", target: AtMost(1000.0), measure: || model_of(declarations(), |_| {}) },
    Row { name: "read and elaborate the same", unit: "ms", target: AtMost(2000.0), measure: elaborated },
    Row { name: "read and format the same", unit: "ms", target: AtMost(1000.0), measure: formatted },
    Row { name: "read models of 1 MB, the slowest mistake", unit: "ms", target: AtMost(1000.0), measure: broken_models },
    Row { name: "read 3,000 functions that call functions", unit: "ms", target: AtMost(1000.0), measure: || model_of(functions(), |_| {}) },
];

/// A megabyte made of one part.
fn megabyte(part: &str) -> String {
    part.repeat(1_000_000 / part.len())
}

fn milliseconds<T>(work: impl Fn() -> T) -> f64 {
    1e3 * best(3, || timed(&work).0)
}

fn slowest<T>(parts: &[&str], work: impl Fn(&str) -> T) -> f64 {
    parts.iter().map(|part| megabyte(part)).map(|text| milliseconds(|| work(&text))).fold(0.0, f64::max)
}

fn expression() -> f64 {
    let text = megabyte("x1 + 2.5*") + "y";
    milliseconds(|| syntax::parse_expression(&text).expect("it is right"))
}

fn mistakes() -> f64 {
    let parts = ["x y ", "* ", "2x + ", "× ", "(a ", ") ", "[(", "@a", "\"", "a,"];
    slowest(&parts, |text| {
        let errors = syntax::parse_expression(text).expect_err("it is wrong");
        errors[0].render(&syntax::Source::new("", text))
    })
}

fn declarations() -> String {
    let mut text = String::from("param m = 1 kg, l = 2 m\n");
    for i in 0..12_000 {
        text += &format!("coord x{i}, y{i} : m\npoint P{i} = (x{i}, y{i} + l) mass m  # point\n");
        text += &format!("constraint c{i}: x{i}^2 + y{i}^2 = l^2\n");
    }
    text
}

fn functions() -> String {
    let mut text = String::from("param l = 1 m\nlet f0(a) = a*a + a*a\n");
    for (i, last) in (1..3000).zip(0..) {
        text += &format!("let f{i}(a) = f{last}(a)*f{last}(a) + f{last}(f{last}(a))\n");
    }
    text + "observe y = f2999(l)\n"
}

fn model_of(text: String, then: impl Fn(&model::Parsed)) -> f64 {
    milliseconds(|| {
        let parsed = model::parse("bench.mech", &text);
        parsed.render();
        then(&parsed);
    })
}

fn elaborated() -> f64 {
    model_of(declarations(), |parsed| {
        let model = parsed.model.as_ref().expect("it is right");
        model.elaborate().expect("it has elements");
    })
}

fn formatted() -> f64 {
    let text = declarations();
    milliseconds(|| model::format(&text).expect("it is right"))
}

fn broken_models() -> f64 {
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
    slowest(&lines, |text| model::parse("bench.mech", text).render())
}

//! What do `with` and `set` make of a model? And families, element by element.

use model::Model;

const CHAIN: &str = "\
param n = 3, l = 1 m
param m[i] = 1 kg for i in 1..n
param F : N
coord a[1..n] : rad
coord x : m
speed u = 2*x'
input T : N*m = 0
start a[i] = 0.1 rad*i for i in 1..n
start x = l, u = 2 m/s
";

fn read(text: &str) -> Model {
    let parsed = model::parse("chain.mech", text);
    parsed.model.clone().unwrap_or_else(|| panic!("{}", parsed.render()))
}

/// The lines that are new after a change.
fn changed(parsed: model::Parsed) -> String {
    let model = parsed.model.clone().unwrap_or_else(|| panic!("{}", parsed.render()));
    let text = model::print(&model);
    let new = text.lines().filter(|line| !CHAIN.contains(&format!("{line}\n")));
    new.collect::<Vec<_>>().join("\n")
}

fn refused(parsed: model::Parsed) -> String {
    assert!(parsed.model.is_none());
    let first = &parsed.diagnostics[0];
    format!("{} → {}", first.message, first.hint.clone().unwrap_or_default())
}

#[test]
fn values_are_set_by_name() {
    let rows: &[(&[(&str, &str)], &str)] = &[
        (&[("l", "0.5")], "param n = 3, l = 0.5 m"),
        (&[("l", "-2*pi")], "param n = 3, l = (-2*pi)*1 m"),
        (&[("l", "50 cm")], "param n = 3, l = 50 cm"),
        (&[("F", "3")], "param F = 3 kg*m/s^2"),
        (&[("x", "2")], "start x = 2 m, u = 2 m/s"),
        (&[("x'", "2")], "start x' = 2 m/s"),
        (&[("u", "7")], "start x = l, u = 7 m/s"),
        (&[("T", "7")], "input T : kg*m^2/s^2 = 7 kg*m^2/s^2"),
        (&[("n", "2")], "param n = 2, l = 1 m"),
        (&[("m[2]", "5")], "param m[1] = 1 kg\nparam m[2] = 5 kg\nparam m[3] = 1 kg"),
        (&[("a[1]", "0")], "start a[1] = 0\nstart a[2] = 0.1 rad*2\nstart a[3] = 0.1 rad*3"),
        (&[("a[1]'", "1")], "start a[1]' = 1 1/s"),
        (
            &[("m[4]", "5"), ("n", "4")],
            "param n = 4, l = 1 m\nparam m[1] = 1 kg\nparam m[2] = 1 kg\nparam m[3] = 1 kg\nparam m[4] = 5 kg",
        ),
    ];
    for (assignments, expected) in rows {
        assert_eq!(changed(read(CHAIN).set("values", assignments)), *expected, "{assignments:?}");
    }
}

#[test]
fn what_cannot_be_set_is_refused_by_name() {
    let rows: &[(&str, &str, &str)] = &[
        ("k", "2", "this model does not declare `k` → it declares n, l, m, F, a, x, u, T"),
        ("f", "2", "this model does not declare `f` → did you mean `F`?"),
        (
            "x''",
            "2",
            "`x''` cannot be set: `x` is a coordinate → parameters, inputs, coordinates, their rates `x'`, speeds and states can be set",
        ),
        (
            "x + 1",
            "2",
            "`x + 1` cannot be set → name a parameter, an input, a coordinate, a rate `x'`, a speed or a state",
        ),
        ("l", "2 +", "an operand is missing after `+` → "),
        ("a[7]", "2", "`a[7]` is not declared → `a` has the elements 1..3"),
        (
            "n",
            "2.5",
            "`n` is not an integer when the file is read → an index is made of integers, indices, and parameters that are integers: `param n = 10`",
        ),
    ];
    for (name, value, expected) in rows {
        assert_eq!(refused(read(CHAIN).set("values", &[(name, value)])), *expected, "{name}");
    }
    let rendered = read(CHAIN).set("values", &[("l", "1"), ("lenght", "2")]).render();
    assert!(rendered.contains("--> values:2:1\n2 | lenght=2\n  | ^^^^^^"), "{rendered}");
}

#[test]
fn another_file_adds_and_overrides() {
    let model = read(CHAIN);
    let more = "param l = 2 m, k = 3 N/m\nstart x = 0.5*l, x' = 0\nguess x = l\npotential k*x^2/2\nexpect one: x = 1 m at start\n";
    let expected = "param n = 3, l = 2 m\nstart x = 0.5*l, u = 2 m/s\nparam k = 3 N/m\nstart x' = 0\nguess x = l\npotential k*x^2/2\nexpect one: x = 1 m at start";
    assert_eq!(changed(model.with("more.mech", more)), expected);
    let again = model
        .with("more.mech", more)
        .model
        .unwrap()
        .with("last.mech", "guess x = 2*l\nstart a[i] = 0.2 rad for i in 1..n");
    assert!(changed(again.clone()).contains("guess x = 2*l"));
    assert!(!model::print(&again.model.unwrap()).contains("0.1 rad*i"));
}

#[test]
fn mistakes_in_another_file_are_shown_there() {
    let parsed = read(CHAIN).with("more.mech", "# a comment\npotential 3 N/m*y^2\n");
    assert!(parsed.render().contains("--> more.mech:2:17\n2 | potential 3 N/m*y^2"), "{}", parsed.render());
    let parsed = read(CHAIN).with("more.mech", "cord y : m\n");
    assert!(parsed.render().contains("--> more.mech:1:1\n1 | cord y : m"), "{}", parsed.render());
    let parsed = read(CHAIN).with("more.mech", "param l = 2 kg\n");
    assert!(parsed.render().contains("chain.mech:9:7"), "{}", parsed.render());
}

#[test]
fn elements_are_declared_in_their_order() {
    let forward = "param n = 3\npoint P[4] = 0\npoint P[i] = P[i+1] + (1 m, 0) for i in 1..n\n";
    let errors = read(forward).elaborate().unwrap_err();
    assert_eq!(errors[0].message, "`P[2]` is used before it is declared");
    let twice = "param n = 3\nparam k[2*i] = 1 m for i in 1..n\nparam k[4] = 2 m\n";
    let errors = read(twice).elaborate().unwrap_err();
    assert_eq!(errors[0].message, "`k[4]` is declared twice");
}

#[test]
fn sums_and_indices_are_written_out() {
    let text =
        "param n = 3\ncoord a[1..n]\nobserve s = sum(i*a[i]^i for i in 1..n)\nobserve t2 = sum(a[i] for i in 5..n)\n";
    let model = model::parse("", text).model.unwrap().elaborate().unwrap();
    let lines: Vec<String> = model.lines.iter().skip(2).map(model::print_line).collect();
    assert_eq!(lines, ["observe s = 1*a[1]^1 + 2*a[2]^2 + 3*a[3]^3", "observe t2 = 0"]);
}

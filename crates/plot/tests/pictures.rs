//! Are the pictures well formed, small, the same every time, and do they show what they should?
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p anholon-plot --test pictures` writes the snapshots.

mod xml;

use std::fs;
use std::path::Path;

use plot::{Column, Dot, Mark, Pose};
use proptest::prelude::*;

fn column(name: &str, unit: &str, values: impl IntoIterator<Item = f64>) -> Column {
    Column { name: name.to_owned(), unit: unit.to_owned(), values: values.into_iter().collect() }
}

fn of_steps(name: &str, unit: &str, f: impl Fn(f64) -> f64) -> Column {
    column(name, unit, (0..=40).map(|i| f(f64::from(i) * 0.1)))
}

/// Well formed, white, with title and description, and no number that is none.
fn check(svg: &str) {
    let texts = xml::check(svg).unwrap_or_else(|error| panic!("{error}\n{svg}"));
    assert!(svg.contains("<title>") && svg.contains("<desc>") && svg.contains(r##"fill="#fff""##));
    let drawn = &svg[svg.find("</desc>").expect("a description")..];
    let attributes = drawn.split('"').skip(1).step_by(2);
    for attribute in attributes.filter(|text| !text.contains("serif")) {
        assert!(!attribute.contains("NaN") && !attribute.contains("inf"), "{attribute}");
        assert!(!attribute.split([' ', ',', 'l', 'M']).any(|word| word == "-0"), "{attribute}");
    }
    assert!(!texts.iter().any(|text| text == "−0"), "{texts:?}");
}

fn check_snapshot(name: &str, text: &str) {
    let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots")).join(name);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&file, text).expect("a folder for snapshots");
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    let differs = text.lines().zip(expected.lines()).find(|(now, then)| now != then);
    let hint = "look at it, then run again with UPDATE_SNAPSHOTS=1";
    assert!(text == expected, "{name} differs: {hint}; first line that does: {differs:#?}");
}

fn texts(svg: &str) -> Vec<String> {
    xml::check(svg).expect("well-formed XML")
}

#[test]
fn a_small_chart_stays_as_it_is() {
    let t = of_steps("t", "s", |t| t);
    let x = of_steps("x1", "m", |t| (-0.3 * t).exp() * (4.0 * t).cos());
    let y = of_steps("x2", "m", |t| 0.5 * (3.0 * t).sin());
    let v = of_steps("phi'", "rad/s", |t| 2e-5 * t * t);
    let marks = [Mark { t: 1.2, label: "impact".to_owned() }];
    let svg = plot::against_time("Two bodies & a spring", &t, &[x, v, y], &marks);
    check(&svg);
    check_snapshot("chart.svg", &svg);
}

#[test]
fn a_small_figure_stays_as_it_is() {
    let pose = |t: f64| {
        let tip = [t.sin(), -t.cos()];
        let dots = vec![Dot { at: tip, label: "P1".to_owned(), size: 1.5 }];
        Pose { t, lines: vec![vec![[0.0, 0.0], tip]], dots, outlines: vec![] }
    };
    let poses = [pose(-1.0), pose(-0.5), pose(0.25)];
    let path = vec![poses[0].dots[0].at, poses[1].dots[0].at, poses[2].dots[0].at];
    let svg = plot::stick_figure("Pendulum", &poses, &[path], "x (m)", "y (m)");
    check(&svg);
    check_snapshot("figure.svg", &svg);
}

#[test]
fn a_small_portrait_stays_as_it_is() {
    let x = of_steps("theta", "rad", |t| (2.0 * t).cos());
    let svg = plot::phase("Portrait", &x, &[of_steps("theta'", "rad/s", |t| -2.0 * (2.0 * t).sin())], false);
    check(&svg);
    check_snapshot("portrait.svg", &svg);
}

#[test]
fn names_and_units_are_typeset() {
    let t = of_steps("t", "s", |t| t);
    let svg = plot::against_time("", &t, &[of_steps("phi1'", "rad/s^2", f64::sin)], &[]);
    assert!(texts(&svg).contains(&"φ1′ (rad/s2)".to_owned()), "{:?}", texts(&svg));
    assert!(svg.contains(r#"<tspan font-style="italic">φ</tspan><tspan dy="3.75" font-size="10.5">1</tspan>"#));
}

#[test]
fn whatever_a_name_contains_is_escaped() {
    let evil = "<b>&\"'\u{0}\u{1b}]]>--\n{é}_^[";
    let t = of_steps(evil, evil, |t| t);
    let x = of_steps(evil, "a", |t| t);
    let y = of_steps(evil, evil, |t| -t);
    let marks = [Mark { t: 1.0, label: evil.to_owned() }];
    check(&plot::against_time(evil, &t, &[x.clone(), y.clone(), x.clone()], &marks));
    check(&plot::phase(evil, &t, &[x.clone(), y.clone()], true));
    let dots = vec![Dot { at: [0.0, 1.0], label: evil.to_owned(), size: 1.0 }];
    let pose = Pose { t: 0.0, lines: vec![], dots, outlines: vec![] };
    check(&plot::stick_figure(evil, &[pose], &[], evil, evil));
}

#[test]
fn nothing_is_said_to_be_nothing() {
    let none = column("t", "s", []);
    let nan = column("x", "m", [f64::NAN, f64::INFINITY]);
    let time = column("t", "s", [0.0, 1.0]);
    let pictures = [
        plot::against_time("", &none, &[], &[]),
        plot::against_time("", &time, &[], &[]),
        plot::against_time("", &none, std::slice::from_ref(&none), &[]),
        plot::against_time("", &time, std::slice::from_ref(&nan), &[]),
        plot::against_time("", &nan, std::slice::from_ref(&time), &[]),
        plot::phase("", &none, &[], true),
        plot::phase("", &time, std::slice::from_ref(&nan), true),
        plot::phase("", &time, std::slice::from_ref(&nan), false),
        plot::stick_figure("", &[], &[], "x (m)", "y (m)"),
        plot::stick_figure("", &[], &[vec![[f64::NAN, 0.0]]], "x (m)", "y (m)"),
    ];
    for picture in &pictures {
        check(picture);
        assert!(texts(picture).contains(&"no data".to_owned()), "{picture}");
    }
}

#[test]
fn a_gap_breaks_the_line() {
    let t = of_steps("t", "s", |t| t);
    let whole = plot::against_time("", &t, &[of_steps("x", "m", f64::sin)], &[]);
    let gap = plot::against_time("", &t, &[of_steps("x", "m", |t| if t == 2.0 { f64::NAN } else { t.sin() })], &[]);
    let pieces = |svg: &str| {
        let curve = svg.lines().find(|line| line.contains("#0072b2")).expect("a curve");
        curve.matches('M').count()
    };
    assert_eq!((pieces(&whole), pieces(&gap)), (1, 2));
}

#[test]
fn a_million_samples_fit_into_a_small_file() {
    let million = |f: fn(f64) -> f64| (0..1_000_000).map(move |i| f(f64::from(i) * 1e-3));
    let t = column("t", "s", million(|t| t));
    let noisy = |t: f64| (t * 12.9898).sin() * 43758.5453 % 1.0;
    let columns: Vec<Column> = [f64::sin, noisy, f64::cos].iter().map(|&f| column("x", "m", million(f))).collect();
    for svg in [plot::against_time("", &t, &columns, &[]), plot::phase("", &columns[0], &columns[1..], true)] {
        check(&svg);
        assert!(svg.len() < 200_000, "{} bytes", svg.len());
    }
}

#[test]
fn numbers_at_an_axis_do_not_touch() {
    // 15 px letters, digits at most 0.64 of that: neighbours must be farther apart than their widths
    let spans = [(0.0, 1.0), (0.0, 99_999.0), (0.0, 3e-8), (99_990.0, 99_990.9), (-9999.95, -9999.05)];
    for (low, high) in spans {
        let t = column("t", "s", (0..10).map(|i| low + (high - low) * f64::from(i) / 9.0));
        let svg = plot::against_time("", &t, std::slice::from_ref(&t), &[]);
        let below: Vec<(f64, f64)> = svg
            .lines()
            .filter(|line| line.starts_with("<text x=") && line.contains("middle"))
            .filter(|line| !line.contains("italic"))
            .map(|line| {
                let x: f64 = line.split('"').nth(1).expect("x").parse().expect("a number");
                let text = line.split(['>', '<']).nth(2).expect("a text");
                (x, text.chars().count() as f64 * 9.6)
            })
            .collect();
        assert!(below.len() > 1);
        assert!(below.windows(2).all(|pair| pair[1].0 - pair[0].0 > (pair[0].1 + pair[1].1) / 2.0), "{below:?}");
    }
}

/// Numbers of all kinds, most of them ordinary.
fn value() -> impl Strategy<Value = f64> {
    prop_oneof![6 => -10.0..10.0, 1 => any::<f64>(), 1 => Just(0.0), 1 => Just(f64::NAN), 1 => 1e6..1.000_001e6]
}

fn any_column() -> impl Strategy<Value = Column> {
    let name = prop_oneof![Just("phi1".to_owned()), Just("x1'".to_owned()), any::<String>()];
    let unit = prop_oneof![Just("m".to_owned()), Just(String::new()), any::<String>()];
    (name, unit, prop::collection::vec(value(), 0..30)).prop_map(|(name, unit, values)| Column { name, unit, values })
}

fn any_line() -> impl Strategy<Value = Vec<[f64; 2]>> {
    prop::collection::vec([value(), value()], 0..6)
}

fn any_pose() -> impl Strategy<Value = Pose> {
    let dot = ([value(), value()], any::<String>(), value()).prop_map(|(at, label, size)| Dot { at, label, size });
    let lines = || prop::collection::vec(any_line(), 0..3);
    (value(), lines(), prop::collection::vec(dot, 0..3), lines()).prop_map(|(t, lines, dots, outlines)| Pose {
        t,
        lines,
        dots,
        outlines,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn any_columns_give_a_chart(
        title in any::<String>(), t in any_column(), columns in prop::collection::vec(any_column(), 0..5),
        marks in prop::collection::vec((value(), any::<String>()), 0..4),
    ) {
        let marks: Vec<Mark> = marks.into_iter().map(|(t, label)| Mark { t, label }).collect();
        let svg = plot::against_time(&title, &t, &columns, &marks);
        check(&svg);
        prop_assert_eq!(svg, plot::against_time(&title, &t, &columns, &marks));
    }

    #[test]
    fn any_columns_give_a_portrait(
        x in any_column(), ys in prop::collection::vec(any_column(), 0..4), equal_axes in any::<bool>(),
    ) {
        check(&plot::phase("", &x, &ys, equal_axes));
    }

    #[test]
    fn any_poses_give_a_figure(
        poses in prop::collection::vec(any_pose(), 0..5), paths in prop::collection::vec(any_line(), 0..3),
        labels in [any::<String>(), any::<String>()],
    ) {
        check(&plot::stick_figure("", &poses, &paths, &labels[0], &labels[1]));
    }

    #[test]
    fn any_columns_give_a_terminal_plot(
        title in any::<String>(), x in any_column(), y in any_column(), width in 0_usize..90, height in 0_usize..30,
    ) {
        let text = plot::terminal(&title, &x, &y, width, height);
        prop_assert!(text.lines().count() <= height && !text.contains("NaN"));
        prop_assert!(text.lines().all(|line| line.chars().count() <= width), "{}", text);
    }
}

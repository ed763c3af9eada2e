//! What `check` does to large models: text, elements, system, first state, constraints.
//!
//! ```text
//! chain    1,000 links, an angle each, no constraint
//! ring     300 points in the plane, each joined to the next by a rod, the last to the first
//! grid     points in rows and columns, joined to their neighbours by rods
//! ```

use expr::{Expr, Scope};
use mechanics::constraint::{Report, Row as Constraint, Space, analyse};
use mechanics::{StartReport, System, lower, start};
use model::Model;

use crate::measure::Target::{AtMost, None};
use crate::measure::{Row, best, timed};

#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    Row { name: "check chain of 1,000: all", unit: "ms", target: AtMost(1000.0), measure: || all(&chain(1000)) },
    Row { name: "check chain of 1,000: parse and set n", unit: "ms", target: None, measure: || parsing(&chain(1000)) },
    Row { name: "check chain of 1,000: lower", unit: "ms", target: None, measure: || lowering(&chain(1000)) },
    Row { name: "check chain of 1,000: start", unit: "ms", target: None, measure: || starting(&chain(1000)) },
    Row { name: "check ring of 300 rods: all", unit: "ms", target: AtMost(1000.0), measure: || all(&ring(300, "start")) },
    Row { name: "check ring of 300 rods: lower", unit: "ms", target: None, measure: || lowering(&ring(300, "start")) },
    Row { name: "check ring of 300 rods: start", unit: "ms", target: None, measure: || starting(&ring(300, "start")) },
    Row { name: "check ring of 300 rods: constraints", unit: "ms", target: None, measure: || analysing(&ring(300, "start")) },
    Row { name: "check ring of 300 rods, guessed: all", unit: "ms", target: AtMost(1000.0), measure: || all(&ring(300, "guess")) },
    Row { name: "check ring of 300 rods, guessed: start", unit: "ms", target: None, measure: || starting(&ring(300, "guess")) },
    Row { name: "check ring of 300 rods by norm: all", unit: "ms", target: AtMost(1000.0), measure: || all(&ring_by_norm(300)) },
    Row { name: "check ring of 300 rods, each twice: all", unit: "ms", target: AtMost(1000.0), measure: || all(&ring_twice(300)) },
    Row { name: "check ring of 300 rods with 299 blades: all", unit: "ms", target: None, measure: || all(&ring_with_blades(300)) },
    Row { name: "check grid of 12×13 points, 287 rods: all", unit: "ms", target: AtMost(1000.0), measure: || all(&grid(12, 13, "start")) },
    Row { name: "check the same, guessed: all", unit: "ms", target: AtMost(1000.0), measure: || all(&grid(12, 13, "guess")) },
    Row { name: "check grid of 15×20 points, 565 rods: all", unit: "ms", target: None, measure: || all(&grid(15, 20, "start")) },
    Row { name: "check the same, guessed in full: all", unit: "ms", target: None, measure: || all(&grid(15, 20, "guess")) },
];

/// A model's text, and how many elements its family is to have.
struct Text {
    text: String,
    n: usize,
    /// Degrees of freedom that must come out.
    freedoms: usize,
}

fn chain(n: usize) -> Text {
    Text { text: include_str!("../../models/pendulums/chain.mech").to_owned(), n, freedoms: n }
}

/// The ring, on a regular polygon: its start, or the first guess for it.
fn ring(n: usize, word: &str) -> Text {
    let text = format!(
        "param n = {n}, m = 1 kg, r = 10 m, l = 2*r*sin(pi/n)
coord x[1..n], y[1..n] : m
point P[i] = (x[i], y[i]) mass m for i in 1..n
constraint rod[i]: (x[i + 1] - x[i])^2 + (y[i + 1] - y[i])^2 = l^2 for i in 1..n - 1
constraint close: (x[1] - x[n])^2 + (y[1] - y[n])^2 = l^2
{word} x[i] = r*cos(2*pi*i/n) for i in 1..n
{word} y[i] = r*sin(2*pi*i/n) for i in 1..n
"
    );
    Text { text, n, freedoms: n }
}

/// The ring with its rods as roots: `norm(P[i + 1] - P[i]) = l`.
fn ring_by_norm(n: usize) -> Text {
    let ring = ring(n, "start");
    let by_norm = |line: &str| match line.split(':').next() {
        Some("constraint rod[i]") => "constraint rod[i]: norm(P[i + 1] - P[i]) = l for i in 1..n - 1\n".to_owned(),
        Some("constraint close") => "constraint close: norm(P[1] - P[n]) = l\n".to_owned(),
        _ => format!("{line}\n"),
    };
    Text { text: ring.text.lines().map(by_norm).collect(), ..ring }
}

/// The ring with its rods written twice, in two ways.
fn ring_twice(n: usize) -> Text {
    let ring = ring(n, "start");
    Text { text: ring.text + "constraint again[i]: norm(P[i + 1] - P[i]) = l for i in 1..n - 1\n", ..ring }
}

/// The ring with a blade along each rod but one.
fn ring_with_blades(n: usize) -> Text {
    let ring = ring(n, "start");
    let blades = "constraint blade[i]: x[i]'*(y[i + 1] - y[i]) - y[i]'*(x[i + 1] - x[i]) = 0 for i in 1..n - 1\n";
    Text { text: ring.text + blades, freedoms: 1, ..ring }
}

/// A grid with all rods of length one, at its start or near it.
fn grid(rows: usize, columns: usize, word: &str) -> Text {
    let mut text = format!("param n = {}, m = 1 kg, l = 1 m\n", rows * columns);
    text += "coord x[1..n], y[1..n] : m\npoint P[i] = (x[i], y[i]) mass m for i in 1..n\n";
    let point = |row: usize, column: usize| row * columns + column + 1;
    let mut rods = 0;
    for row in 0..rows {
        for column in 0..columns {
            let here = point(row, column);
            let mut rod = |there: usize| {
                rods += 1;
                text +=
                    &format!("constraint rod[{rods}]: (x[{there}] - x[{here}])^2 + (y[{there}] - y[{here}])^2 = l^2\n");
            };
            if column + 1 < columns {
                rod(point(row, column + 1));
            }
            if row + 1 < rows {
                rod(point(row + 1, column));
            }
            // Sheared, so that no two rods of a point lie in one line with the axes.
            text += &format!("{word} x[{here}] = l*({column} + {row}*0.6)\n{word} y[{here}] = l*{row}*0.8\n");
        }
    }
    Text { text, n: rows * columns, freedoms: 2 * rows * columns - rods }
}

impl Text {
    fn parse(&self) -> Model {
        let parsed = model::parse("bench.mech", &self.text);
        let Some(model) = parsed.model else { panic!("{}", parsed.render()) };
        let n = self.n.to_string();
        if model.symbol("n").and_then(|n| n.value.clone()).is_some_and(|value| value.to_string() == n) {
            return model;
        }
        model.set("values", &[("n", &n)]).model.expect("n may be set")
    }
}

fn system_of(model: &Model) -> System {
    lower(model).expect("the model can be lowered")
}

fn first_state(system: &System) -> StartReport {
    let first = start(system);
    assert!(first.is_consistent(), "the start is consistent: {:?}", first.contradictions.first());
    first
}

fn constraints_of(system: &System, first: &StartReport) -> Report {
    let space = Space { q: system.q(), rates: system.q_dot(), accelerations: system.q_ddot(), t: system.time };
    let rows: Vec<Constraint> = system
        .constraints
        .iter()
        .flat_map(|constraint| constraint.rows.iter().map(|&f: &Expr| Constraint { name: constraint.name.clone(), f }))
        .collect();
    analyse(&rows, &space, &first.at(system)).expect("the rows have slopes")
}

/// Milliseconds, in a scope of its own each time.
fn milliseconds(run: impl Fn() -> f64) -> f64 {
    1e3 * best(3, || {
        let _scope = Scope::with_seed(1);
        run()
    })
}

fn parsing(text: &Text) -> f64 {
    milliseconds(|| timed(|| text.parse()).0)
}

fn lowering(text: &Text) -> f64 {
    let model = text.parse();
    milliseconds(|| timed(|| system_of(&model)).0)
}

fn starting(text: &Text) -> f64 {
    let model = text.parse();
    milliseconds(|| {
        let system = system_of(&model);
        timed(|| first_state(&system)).0
    })
}

fn analysing(text: &Text) -> f64 {
    let model = text.parse();
    milliseconds(|| {
        let system = system_of(&model);
        let first = first_state(&system);
        timed(|| constraints_of(&system, &first)).0
    })
}

fn all(text: &Text) -> f64 {
    milliseconds(|| {
        let (seconds, report) = timed(|| {
            let model = text.parse();
            let system = system_of(&model);
            let first = first_state(&system);
            constraints_of(&system, &first)
        });
        assert_eq!(report.degrees_of_freedom, text.freedoms);
        seconds
    })
}

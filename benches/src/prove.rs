//! Proofs: does comparing the forms cost no more than deriving them, and checking no more than proving?
//!
//! ```text
//! comparing ≤ deriving        with at most two roots in the equations; six times as much with more    (1)
//! verify ≤ the proof          with its certificate, from the loaded model                             (2)
//! ```
//!
//! Both sides of a ratio are CPU times of one run, the fastest of several. Where the left side takes no more than two
//! milliseconds nothing is asked.

use anholon::library::{Example, GALLERY};
use anholon::{Alone, Linearize, Prove, Settings};
use expr::{Evaluator, Expr, Op};
use mechanics::chart::ChartKind;
use mechanics::formalism::FORMALISMS;
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;

use crate::measure::Target::AtMost;
use crate::measure::{Row, best, cpu_seconds, timed};

#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    Row { name: "prove bicycle: all forms and their proof", unit: "ms", target: AtMost(40.0), measure: || milliseconds(|| together("bicycle")) },
    Row { name: "prove bicycle: from the text", unit: "ms", target: AtMost(80.0), measure: || milliseconds(|| from_text("bicycle")) },
    Row { name: "prove bicycle: one form, worst", unit: "ms", target: AtMost(5.0), measure: || worst_form("bicycle") },
    Row { name: "linearize bicycle: A from the text", unit: "ms", target: AtMost(5.0), measure: || milliseconds(linearized) },
];

/// Times below this are not compared, in seconds.
const FLOOR: f64 = 2e-3;
const RUNS: u32 = 5;

fn milliseconds(run: impl FnMut() -> f64) -> f64 {
    1e3 * best(2 * RUNS, run)
}

fn loaded(name: &str) -> anholon::Model {
    anholon::open(&Settings::gallery(name).expect("a gallery model")).expect("it can be read")
}

fn rows_of(loaded: &anholon::Model) -> Rows {
    Rows::of(&loaded.system, &loaded.mode, &loaded.at).expect("the constraints agree")
}

/// When the last part of the work began.
struct Watch(f64);

impl anholon::Progress for Watch {
    fn begins(&mut self, _: &'static str) {
        self.0 = cpu_seconds();
    }

    fn reached(&mut self, _: f64) -> bool {
        true
    }
}

/// Seconds for deriving the forms, and for comparing them.
fn parts(name: &str) -> (f64, f64) {
    let loaded = loaded(name);
    let (start, mut watch) = (cpu_seconds(), Watch(0.0));
    let proved = anholon::prove(&loaded, &Prove::default(), &mut watch);
    assert!(proved.is_ok(), "{name} has forms");
    (watch.0 - start, cpu_seconds() - watch.0)
}

fn together(name: &str) -> f64 {
    let (deriving, comparing) = parts(name);
    deriving + comparing
}

fn from_text(name: &str) -> f64 {
    timed(|| anholon::prove(&loaded(name), &Prove::default(), &mut Alone).is_ok()).0
}

/// Each form by itself, from the system, in milliseconds.
fn worst_form(name: &str) -> f64 {
    let one = |formalism: &mechanics::formalism::Formalism| {
        milliseconds(|| {
            let loaded = loaded(name);
            let _in = loaded.enter();
            let kind = if loaded.system.speeds.is_empty() { ChartKind::Rates } else { ChartKind::Speeds };
            timed(|| {
                let rows = rows_of(&loaded);
                formalism.form(&Ingredients::of(&loaded.system, &loaded.mode, &rows, kind, &loaded.at)).is_ok()
            })
            .0
        })
    };
    FORMALISMS.iter().map(one).fold(0.0, f64::max)
}

fn linearized() -> f64 {
    let wanted = Linearize { coordinates: vec!["lean".to_owned(), "steer".to_owned()], ..Linearize::default() };
    let settings = Settings::gallery("bicycle").expect("a gallery model");
    timed(|| anholon::linearize(&anholon::open(&settings).unwrap(), &wanted, &mut Alone).is_ok()).0
}

/// Roots and absolute values in the rows, in the rates of the chart and in the kinetic energy.
fn roots(name: &str) -> usize {
    let loaded = loaded(name);
    let _in = loaded.enter();
    let rows = rows_of(&loaded);
    let given = Ingredients::of(&loaded.system, &loaded.mode, &rows, ChartKind::Rates, &loaded.at);
    let mut parts: Vec<Expr> = rows.list.iter().flat_map(|row| row.A.iter().copied().chain([row.drift])).collect();
    parts.extend(given.chart().map(|chart| chart.rates.clone()).unwrap_or_default());
    parts.extend(given.T());
    let with_branches = |op| matches!(op, Op::Power | Op::Abs | Op::Cbrt);
    let nodes = Evaluator::new(&parts, &[]).variable_nodes(with_branches);
    let is_root = |e: &Expr| e.op() != Op::Power || e.arguments()[1].as_number().is_some_and(|n| !n.is_integer());
    let mut radicands: Vec<Expr> = Vec::new();
    for radicand in nodes.into_iter().filter(is_root).map(|root| root.arguments()[0]) {
        if !radicands.contains(&radicand) {
            radicands.push(radicand);
        }
    }
    radicands.len()
}

/// One comparison of two times: its line, and whether it is as it should be.
fn line(name: &str, (left, right): (f64, f64), most: f64) -> (String, bool) {
    let ratio = left / right;
    let ok = ratio <= most || left <= FLOOR;
    let verdict = match (ratio <= most, ok) {
        (true, _) => "yes",
        (false, true) => "yes, below 2 ms",
        (false, false) => "NO",
    };
    let target = format!("≤ {most}");
    (format!("{name:<46} | {ratio:>9.3} | {:<8} | {target:>9} | {verdict} ({:.2} ms)", "ratio", 1e3 * left), ok)
}

/// The run in which both times together are least.
fn fastest(run: impl FnMut() -> (f64, f64)) -> (f64, f64) {
    let runs = std::iter::repeat_with(run).take(RUNS as usize);
    runs.min_by(|a, b| (a.0 + a.1).total_cmp(&(b.0 + b.1))).unwrap_or_default()
}

fn comparing(example: &Example) -> Option<(String, bool)> {
    let (deriving, comparing) = fastest(|| parts(example.name));
    let most = if roots(example.name) <= 2 { 1.0 } else { 6.0 };
    Some(line(&format!("prove {}: comparing / deriving", example.name), (comparing, deriving), most))
}

/// Nothing for a model whose proof has no certificate.
fn verifying(example: &Example) -> Option<(String, bool)> {
    let wanted = Prove { certificate: true, ..Prove::default() };
    let file = anholon::prove(&loaded(example.name), &wanted, &mut Alone).ok()?.certificate?.ok()?;
    let replay = anholon::Replay { certificate: serde_json::to_string(&file).ok()? };
    let times = fastest(|| {
        let model = loaded(example.name);
        let (verify, verified) =
            timed(|| anholon::verify(&model, &replay, &mut Alone).is_ok_and(|verified| verified.accepted));
        assert!(verified, "the certificate of {} is accepted", example.name);
        drop(model);
        let model = loaded(example.name);
        (verify, timed(|| anholon::prove(&model, &wanted, &mut Alone).is_ok()).0)
    });
    Some(line(&format!("verify {}: checking / proving", example.name), times, 1.0))
}

/// The ratios of all gallery models whose line contains `filter`, and a statement about them.
pub fn ratios(filter: &str) {
    type Kind = (&'static str, &'static str, fn(&Example) -> Option<(String, bool)>);
    let kinds: [Kind; 2] = [
        ("prove", "comparing the forms costs more than deriving them allows", comparing),
        ("verify", "checking a certificate takes longer than the proof", verifying),
    ];
    for (verb, exceeded, measure) in kinds {
        let wanted = |example: &&Example| format!("{verb} {}", example.name).contains(filter);
        let mut failed = Vec::new();
        for example in GALLERY.iter().filter(wanted) {
            let Some((line, ok)) = measure(example) else { continue };
            println!("{line}");
            failed.extend((!ok).then_some(example.name));
        }
        match (GALLERY.iter().any(|example| wanted(&example)), failed.is_empty()) {
            (true, false) => println!("EXCEEDED: {exceeded}: {}", failed.join(", ")),
            (true, true) => println!("{verb}: no limit is exceeded"),
            (false, _) => {}
        }
    }
}

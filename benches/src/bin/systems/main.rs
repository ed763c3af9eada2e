//! Do all forms agree on random systems, in any coordinates? `systems N SEED` asks about N of them.
//!
//! ```text
//! draw a model → preconditions → all forms agree → change coordinates → they agree again, and with before
//! ```
//!
//! A system that fails is made as small as it still fails, line by line, and saved in `target/systems`. With
//! `--plain N SEED` the systems are particles alone, and each is printed as a line of JSON with our accelerations,
//! for SymPy to find them by its own way. `--show SEED` prints one model, `--ask SEED` asks about it, `--file FILE` asks about one.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the report is what this program is for")]
#![allow(non_snake_case, reason = "inside formulas the letters of the books")]

#[path = "../../../../crates/mechanics/tests/random/agree.rs"]
mod agree;
#[path = "../../../../crates/mechanics/tests/random/change.rs"]
mod change;
#[path = "../../../../crates/mechanics/tests/random/draw.rs"]
mod draw;
#[path = "../../../../crates/mechanics/tests/random/jet.rs"]
mod jet;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs, panic};

use agree::{Report, Trouble, ask, check};
use draw::{Drawn, Line, draw};
use expr::field::mix;
use mechanics::formalism::FORMALISMS;
use serde_json::{Value, json};

/// How long a failing system is made smaller.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let number = |word: &str| word.parse::<u64>().ok();
    match words.as_slice() {
        ["--plain", count, seed] => match (number(count), number(seed)) {
            (Some(count), Some(seed)) => plain(count, seed),
            _ => usage(),
        },
        ["--show", seed] => number(seed).map_or_else(usage, |seed| {
            let drawn = draw(seed, false);
            println!("{}\n# changed\n{}", drawn.text(), drawn.changed());
            ExitCode::SUCCESS
        }),
        ["--ask", seed] => number(seed).map_or_else(usage, |seed| {
            let drawn = draw(seed, false);
            match ask(&drawn.text(), &drawn.changed(), &drawn.change, seed) {
                Ok(_) => println!("all forms agree"),
                Err(trouble) => println!("{trouble:?}"),
            }
            ExitCode::SUCCESS
        }),
        ["--file", file] => one(Path::new(file)),
        [count, seed] => match (number(count), number(seed)) {
            (Some(count), Some(seed)) => many(count, seed),
            _ => usage(),
        },
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    println!("usage: systems N SEED | --plain N SEED | --show SEED | --ask SEED | --file FILE");
    ExitCode::FAILURE
}

/// What was counted.
#[derive(Default)]
struct Counts {
    asked: u64,
    drawn: u64,
    rejected: BTreeMap<&'static str, u64>,
    classes: BTreeMap<String, u64>,
    features: BTreeMap<&'static str, u64>,
    applied: BTreeMap<&'static str, [u64; 2]>,
    skipped: BTreeMap<&'static str, BTreeMap<String, u64>>,
    compared: usize,
    undecided: Vec<String>,
    routes: usize,
    off_branch: usize,
    rounded: usize,
    slowest: (f64, u64),
}

impl Counts {
    fn add(&mut self, drawn: &Drawn, seed: u64, reports: &[Report; 2]) {
        self.asked += 1;
        drawn.features.iter().for_each(|feature| *self.features.entry(feature).or_insert(0) += 1);
        let mut classes = reports[0].classes.clone();
        classes.sort();
        classes.dedup();
        if classes.is_empty() {
            classes.push("no constraint".to_owned());
        }
        classes.into_iter().for_each(|class| *self.classes.entry(class).or_insert(0) += 1);
        for (place, report) in reports.iter().enumerate() {
            for name in report.applied.keys() {
                self.applied.entry(name).or_default()[place] += 1;
            }
            self.compared += report.compared;
            self.undecided.extend(report.undecided.iter().map(|which| format!("seed {seed}: {which}")));
            self.routes += report.routes;
            self.off_branch += report.off_branch;
            self.rounded += report.rounded;
        }
        for (name, why) in &reports[0].skipped {
            // Names of rows and coordinates differ from system to system.
            let why = why.split('`').step_by(2).collect::<Vec<_>>().join("…");
            *self.skipped.entry(name).or_default().entry(why).or_insert(0) += 1;
        }
    }

    fn tell(&self, seconds: f64) {
        let rejected: u64 = self.rejected.values().sum();
        println!("systems: {} asked about, {rejected} of {} draws rejected, {seconds:.1} s", self.asked, self.drawn);
        let list = |map: &BTreeMap<&'static str, u64>| {
            map.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
        };
        println!("  rejected for   {}", list(&self.rejected));
        let classes: Vec<String> = self.classes.iter().map(|(name, count)| format!("{name} {count}")).collect();
        println!("  constraints    {}", classes.join(", "));
        println!("  with           {}", list(&self.features));
        let Counts { compared, undecided, routes, off_branch, .. } = self;
        println!("  sides compared {compared} ({} undecided), routes to multipliers {routes}", undecided.len());
        undecided.iter().for_each(|which| println!("    undecided    {which}"));
        println!("  off the branch {off_branch} times a form of a chart was not asked about a state near the start");
        println!("  rounded        {} times numbers were off, but the equations hold exactly", self.rounded);
        println!("  slowest        {:.2} s (seed {})", self.slowest.0, self.slowest.1);
        println!("  forms          systems, and after a change of coordinates; why not");
        for formalism in FORMALISMS.iter().filter(|formalism| !formalism.stranger) {
            let [before, after] = self.applied.get(formalism.name).copied().unwrap_or_default();
            let mut why: Vec<(&String, &u64)> = self.skipped.get(formalism.name).into_iter().flatten().collect();
            why.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let why: Vec<String> = why.iter().take(3).map(|(why, count)| format!("{count} {why}")).collect();
            println!("    {:18}{before:6}{after:6}  {}", formalism.name, why.join("; "));
        }
    }
}

fn many(count: u64, seed: u64) -> ExitCode {
    panic::set_hook(Box::new(|_| {})); // a panic is caught and told with its system
    let (start, mut counts, mut failures) = (Instant::now(), Counts::default(), 0);
    for id in 0.. {
        if counts.asked + failures >= count {
            break;
        }
        let own = mix(seed, id) >> 16;
        let drawn = draw(own, false);
        counts.drawn += 1;
        let begun = Instant::now();
        match ask(&drawn.text(), &drawn.changed(), &drawn.change, own) {
            Ok(reports) => counts.add(&drawn, own, &reports),
            Err(Trouble::Rejected(word, why)) => {
                *counts.rejected.entry(word).or_insert(0) += 1;
                if matches!(word, "conflict" | "rows") {
                    // The start satisfies all rows, so this should be looked at.
                    println!("systems: seed {own}: {word}: {why}");
                }
            }
            Err(Trouble::Failed(why)) => {
                failures += 1;
                tell_failure(&drawn, own, &why);
            }
        }
        let spent = begun.elapsed().as_secs_f64();
        if spent > counts.slowest.0 {
            counts.slowest = (spent, own);
        }
    }
    counts.tell(start.elapsed().as_secs_f64());
    if failures > 0 {
        println!("systems: {failures} disagreements, see above and {}", folder().display());
        return ExitCode::FAILURE;
    }
    println!("systems: all forms agree (seed {seed})");
    ExitCode::SUCCESS
}

fn tell_failure(drawn: &Drawn, seed: u64, why: &str) {
    let smallest = minimised(drawn, seed, why);
    let _ = fs::create_dir_all(folder());
    for (name, text) in [
        (format!("{seed}.mech"), drawn.text()),
        (format!("{seed}.changed.mech"), drawn.changed()),
        (format!("{seed}.small.mech"), smallest.text()),
        (format!("{seed}.small.changed.mech"), smallest.changed()),
    ] {
        if let Err(error) = fs::write(folder().join(&name), text) {
            println!("systems: {name} is not saved: {error}");
        }
    }
    println!("systems: seed {seed}: {why}");
    println!("{}", indented(&smallest.text()));
    if why.contains("other coordinates") {
        println!("  and in other coordinates\n{}", indented(&smallest.changed()));
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// As few lines as still fail in the same way.
fn minimised(drawn: &Drawn, seed: u64, why: &str) -> Drawn {
    let start = Instant::now();
    let mut smallest = drawn.clone();
    let kind = |why: &str| why.split('[').next().unwrap_or_default().to_owned();
    let fails = |lines: &[Line]| {
        let tried = Drawn { lines: lines.to_vec(), ..drawn.clone() };
        matches!(ask(&tried.text(), &tried.changed(), &drawn.change, seed),
            Err(Trouble::Failed(now)) if kind(&now) == kind(why))
    };
    loop {
        let before = smallest.lines.len();
        for place in (0..smallest.lines.len()).rev() {
            let mut fewer = smallest.lines.clone();
            fewer.remove(place);
            if start.elapsed() < PATIENCE && fails(&fewer) {
                smallest.lines = fewer;
            }
        }
        if smallest.lines.len() == before {
            return smallest;
        }
    }
}

fn one(file: &Path) -> ExitCode {
    let Ok(text) = fs::read_to_string(file) else {
        println!("systems: {} cannot be read", file.display());
        return ExitCode::FAILURE;
    };
    match check(&text, None, 1) {
        Ok(report) => {
            println!("all forms agree: {report:#?}");
            ExitCode::SUCCESS
        }
        Err(trouble) => {
            println!("{trouble:?}");
            ExitCode::FAILURE
        }
    }
}

fn folder() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"),
        |folder| Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder),
    );
    target.join("systems")
}

/// Particles alone, one JSON object a line.
fn plain(count: u64, seed: u64) -> ExitCode {
    let mut printed = 0;
    for id in 0.. {
        if printed >= count {
            break;
        }
        let own = mix(seed, id) >> 16;
        let drawn = draw(own, true);
        if let (Ok(report), Some(line)) = (check(&drawn.text(), None, own), drawn.plain.as_ref()) {
            printed += 1;
            println!("{}", told(own, &drawn, line, &report));
        }
    }
    ExitCode::SUCCESS
}

fn told(seed: u64, drawn: &Drawn, plain: &draw::Plain, report: &Report) -> Value {
    let names: Vec<&str> = drawn.change.names.iter().map(|name| name.trim_end_matches('n')).collect();
    let point =
        |point: &draw::PlainPoint| json!({"position": point.position, "mass": point.mass, "exhaust": point.exhaust});
    let state = |k: usize| {
        let state = &report.states[k];
        json!({
            "t": state.time, "q": state.q, "v": state.q_dot,
            "accelerations": report.accelerations[k], "multipliers": report.multipliers[k],
        })
    };
    json!({
        "id": seed,
        "coordinates": names,
        "parameters": plain.parameters,
        "points": plain.points.iter().map(point).collect::<Vec<_>>(),
        "forces": plain.forces,
        "springs": plain.springs,
        "dampers": plain.dampers,
        "gravity": plain.gravity,
        "potentials": plain.potentials,
        "dissipations": plain.dissipations,
        "generalized": plain.generalized,
        "constraints": plain.constraints,
        "states": (0..report.states.len()).map(state).collect::<Vec<_>>(),
        "text": drawn.text(),
    })
}

//! Our side of the comparison with others: `peers WORK N` gets ready, then works as often as it is asked to on standard input.
//!
//! ```text
//! ready SECONDS          CPU time until it could begin
//! run  → cpu SECONDS     CPU time of the work, once
//! end  → answer x, x …   what it found; memory MB: the most that it held
//! ```
//!
//! The others speak the same lines (benches/peers/peers.py), and `cargo xtask bench --peers` asks both in turn.
#![allow(clippy::print_stdout, reason = "its lines are what this program is for")]

#[path = "../../measure.rs"]
#[allow(dead_code, reason = "rows of tables are measured elsewhere")]
mod measure;
mod models;

use std::io::{BufRead, Write};
use std::process::ExitCode;

use anholon::{Alone, Compute, Computed, Derive, Model, Places, Room, Settings, Simulate, Store, Sweep, compute, open};
use expr::Expr;
use mechanics::chart::ChartKind;
use mechanics::formalism::formalism;
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;

use measure::timed;

/// A work that is ready: it is done by a call, and what was found last is told.
struct Ready {
    /// The CPU seconds of so many units of work.
    run: Box<dyn FnMut() -> f64>,
    /// So many units of work are done by a call.
    units: usize,
    /// What was found.
    answer: Box<dyn FnMut() -> Vec<f64>>,
    /// CPU seconds until the first could begin.
    latency: f64,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let work = words.first().map_or("", String::as_str);
    let n = words.get(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    match ready(work, n) {
        Ok(ready) => {
            serve(ready);
            ExitCode::SUCCESS
        }
        Err(reason) => {
            println!("cannot {reason}");
            ExitCode::FAILURE
        }
    }
}

/// Works as often as it is asked to.
fn serve(mut ready: Ready) {
    println!("ready {}", ready.latency);
    let once = (ready.run)();
    let often = ((0.03 / once.max(1e-7)) as usize).clamp(1, 100_000);
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        if line.trim() != "run" {
            break;
        }
        let all: f64 = (0..often).map(|_| (ready.run)()).sum();
        let _ = writeln!(out, "cpu {}", all / (often * ready.units) as f64);
    }
    let answer: Vec<String> = (ready.answer)().iter().map(|value| format!("{value:?}")).collect();
    println!("answer {}", answer.join(", "));
    println!("memory {}", most_megabytes());
}

/// The most memory that this process has held, in megabytes; NaN where it is not told.
fn most_megabytes() -> f64 {
    let kilobytes = || {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.split_whitespace().next()?.parse::<f64>().ok()
    };
    kilobytes().map_or(f64::NAN, |kilobytes| kilobytes / 1024.0)
}

fn ready(work: &str, n: usize) -> Result<Ready, String> {
    match work {
        "derive" => derive(n),
        "bicycle" => bicycle(),
        "qdd" => accelerations(n, 64, 1),
        "lanes" => accelerations(n, 512, 512),
        "double-9" => motion(&models::chain(2), 10.0, 1e-9),
        "double-15" => motion(&models::chain(2), 10.0, 1e-15),
        "five-15" => motion(&models::chain(5), 10.0, 1e-15),
        "disc-11" => motion(models::DISC, 10.0, 1e-11),
        "disc-long" => motion(models::DISC, 1000.0, 1e-14),
        "sleigh-9" => motion(models::SLEIGH, 10.0, 1e-9),
        "stiff" => motion(models::STIFF, 10.0, 1e-8),
        "andrews" => motion(&models::andrews(), 0.03, 1e-9),
        "car" => motion(&models::car_axis(), 3.0, 1e-9),
        "ensemble" => ensemble(n),
        other => Err(format!("find a work `{other}`")),
    }
}

fn opened(text: &str) -> Result<Model, String> {
    open(&Settings::new("peers", text)).map_err(|error| format!("read the model: {error}"))
}

/// Mass matrix and forcing, masses and lengths as letters, from the system.
fn derive(n: usize) -> Result<Ready, String> {
    let text = models::cart(n, true);
    opened(&text)?;
    let run = move || {
        let loaded = opened(&text).expect("it was read before");
        let _in = loaded.enter();
        let (seconds, made) = timed(|| {
            let rows = Rows::of(&loaded.system, &loaded.mode, &loaded.at).expect("there are no constraints");
            let given = Ingredients::of(&loaded.system, &loaded.mode, &rows, ChartKind::Rates, &loaded.at);
            let form = formalism("lagrange-2").expect("it is in the list").form(&given).expect("it applies");
            let residuals: Vec<Expr> = form.residuals();
            expr::linear_coefficients(&residuals, &form.unknowns).expect("accelerations occur linearly")
        });
        assert_eq!(made.0.len(), n + 1);
        seconds
    };
    Ok(Ready { run: Box::new(run), units: 1, answer: Box::new(Vec::new), latency: 0.0 })
}

/// One form of the bicycle, from the text to the written equations.
fn bicycle() -> Result<Ready, String> {
    let settings = Settings::gallery("bicycle").map_err(|error| format!("find the bicycle: {error}"))?;
    let wanted = Derive { form: Some("kane".to_owned()), ..Derive::default() };
    let run = move || {
        timed(|| {
            let loaded = open(&settings).expect("a gallery model");
            anholon::derive(&loaded, &wanted, &mut Alone).expect("it applies")
        })
        .0
    };
    Ok(Ready { run: Box::new(run), units: 1, answer: Box::new(Vec::new), latency: 0.0 })
}

/// Accelerations at `count` states, `at_once` in a call.
fn accelerations(n: usize, count: usize, at_once: usize) -> Result<Ready, String> {
    let loaded = opened(&models::cart(n, false))?;
    let wanted = Compute { what: "accelerations".to_owned(), ..Compute::default() };
    let y: Vec<f64> = (0..count).flat_map(|k| models::cart_state(n, k)).collect();
    let (latency, f) = timed(|| {
        let f = compute(&loaded, &wanted).map_err(|error| format!("compute: {error}"))?;
        let (mut room, mut to) = (f.room(), vec![0.0; at_once * f.size()]);
        places(&f, &mut room, &y[..at_once * f.state.len()], at_once, &mut to);
        Ok::<(Computed, Room), String>((f, room))
    });
    let (f, mut room) = f?;
    let (width, size) = (f.state.len(), f.size());
    let to = std::rc::Rc::new(std::cell::RefCell::new(vec![0.0; count * size]));
    let last = std::rc::Rc::clone(&to);
    const OFTEN: usize = 20;
    let run = move || {
        let mut to = to.borrow_mut();
        timed(|| {
            for _ in 0..OFTEN {
                for (y, to) in y.chunks(at_once * width).zip(to.chunks_mut(at_once * size)) {
                    places(&f, &mut room, y, at_once, to);
                }
            }
        })
        .0
    };
    let answer = move || last.borrow()[..n + 1].to_vec();
    Ok(Ready { run: Box::new(run), units: OFTEN * count, answer: Box::new(answer), latency })
}

fn places(f: &Computed, room: &mut Room, y: &[f64], count: usize, to: &mut [f64]) {
    f.at_in(room, Places { count, t: &[0.0], y, p: &[] }, to, &mut || true).expect("it has values");
}

/// A motion, from the loaded model to its last state.
fn motion(text: &str, duration: f64, tolerance: f64) -> Result<Ready, String> {
    let loaded = std::rc::Rc::new(opened(text)?);
    let wanted = Simulate { times: vec![duration], tolerance: Some(tolerance), ..Simulate::default() };
    let moved = move |loaded: &Model| {
        let found = anholon::simulate(loaded, &wanted, &mut Alone).map_err(|error| format!("move: {error}"))?;
        match found.stopped_by.failure() {
            Some(reason) => Err(format!("move: {reason}")),
            None => Ok(found),
        }
    };
    let last = std::rc::Rc::new(std::cell::RefCell::new(moved(&loaded)?));
    let (model, kept) = (std::rc::Rc::clone(&loaded), std::rc::Rc::clone(&last));
    let run = move || {
        let (seconds, found) = timed(|| moved(&model).expect("it moved before"));
        *kept.borrow_mut() = found;
        seconds
    };
    let answer = move || state(&loaded, &last.borrow().last);
    // a user waits for the preparation too: it is in every run
    Ok(Ready { run: Box::new(run), units: 1, answer: Box::new(answer), latency: 0.0 })
}

fn state(loaded: &Model, last: &anholon::answer::Sample) -> Vec<f64> {
    let names = || loaded.system.coordinates.iter().map(|one| one.name.clone());
    let all = names().chain(names().map(|name| format!("{name}'")));
    all.map(|name| last.get(&name).unwrap_or(f64::NAN)).collect()
}

/// Parts that nobody keeps.
struct Nowhere;

impl Store for Nowhere {
    fn there(&mut self, _: usize) -> Option<Vec<u8>> {
        None
    }

    fn keep(&mut self, _: usize, _: &[u8]) -> Result<(), anholon::Error> {
        Ok(())
    }
}

/// Many double pendulums, each from a start of its own, on one thread.
fn ensemble(count: usize) -> Result<Ready, String> {
    const SHOWN: usize = 64;
    let mut table = "a[1],a[2]\n".to_owned();
    for k in 0..count {
        let [first, second] = models::start(k);
        table.push_str(&format!("{first:?},{second:?}\n"));
    }
    let wanted =
        Sweep { table: Some(table), duration: Some(10.0), tolerance: Some(1e-9), threads: 0, ..Sweep::default() };
    let text = models::chain(2);
    let loaded = opened(&text)?;
    let run = move || {
        let (seconds, swept) = timed(|| anholon::sweep(&loaded, &wanted, &mut Nowhere, &mut Alone));
        assert_eq!(swept.map(|swept| swept.failed).ok(), Some(0), "all of them move");
        seconds
    };
    let answer = move || {
        let one = |k: usize| {
            let [first, second] = models::start(k);
            let mut settings = Settings::new("peers", &text);
            settings.set = vec![format!("a[1]={first:?}"), format!("a[2]={second:?}")];
            let loaded = open(&settings).expect("it can be read");
            let wanted = Simulate { times: vec![10.0], tolerance: Some(1e-9), ..Simulate::default() };
            state(&loaded, &anholon::simulate(&loaded, &wanted, &mut Alone).expect("it moves").last)
        };
        (0..SHOWN.min(count)).flat_map(one).collect()
    };
    Ok(Ready { run: Box::new(run), units: count, answer: Box::new(answer), latency: 0.0 })
}

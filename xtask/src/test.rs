//! The one test command: every step runs, also after a failure, and a summary ends it.

use std::time::{Duration, Instant};

use crate::command::{Done, cargo, run as run_shown};
use crate::{bench, book, editors, export, fuzz, oracle, python, readme, studio, tidy, wasm};

type Step = fn() -> Result<Done, String>;

/// In the order in which they run: the quick ones first.
const STEPS: [(&str, Step); 16] = [
    ("fmt", || passed(run_shown(&mut cargo(["fmt", "--all", "--check"])))),
    ("tidy", || passed(tidy::run())),
    ("clippy", || passed(run_shown(&mut cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])))),
    ("test", || passed(run_shown(&mut cargo(["test", "--workspace", "--no-fail-fast"])))),
    ("doc", || passed(run_shown(cargo(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings")))),
    ("book", || passed(book::test())),
    ("editors", editors::test),
    ("python", || passed(python::test())),
    ("wasm", wasm::run),
    ("studio", studio::test),
    ("package", || passed(package())),
    ("readme", || passed(readme::run())),
    ("export", || passed(export::test())),
    ("counts", bench::counts::test),
    ("fuzz", || passed(fuzz::run(&["--minutes", "0.17"]))),
    ("oracle", || passed(oracle::run(300, 1))),
];

fn passed(outcome: Result<(), String>) -> Result<Done, String> {
    outcome.map(|()| Done::Passed)
}

/// Could every crate be published? Packs all that are, without building them from the packages.
fn package() -> Result<(), String> {
    let others =
        ["--exclude", "bench", "--exclude", "xtask", "--exclude", "anholon-python", "--exclude", "anholon-wasm"];
    let mut command = cargo(["package", "--workspace", "--no-verify", "--allow-dirty", "--quiet"]);
    run_shown(command.args(others))
}

/// Runs the chosen steps, or all.
pub fn run(chosen: &[&str]) -> Result<(), String> {
    if let Some(unknown) = chosen.iter().find(|word| STEPS.iter().all(|(name, _)| name != *word)) {
        let names: Vec<&str> = STEPS.iter().map(|(name, _)| *name).collect();
        return Err(format!("no step `{unknown}`; the steps are {}", names.join(", ")));
    }
    let steps = STEPS.iter().filter(|(name, _)| chosen.is_empty() || chosen.contains(name));
    let results: Vec<_> = steps.map(|(name, step)| timed(name, *step)).collect();
    println!();
    for result in &results {
        println!("{}", summary(result));
    }
    match results.iter().filter(|(_, outcome, _)| outcome.is_err()).count() {
        0 => Ok(()),
        failures => Err(format!("{failures} of {} steps failed", results.len())),
    }
}

type Outcome<'a> = (&'a str, Result<Done, String>, Duration);

fn timed(name: &'static str, step: Step) -> Outcome<'static> {
    println!("\n== {name}");
    let start = Instant::now();
    let outcome = step();
    (name, outcome, start.elapsed())
}

fn summary((name, outcome, time): &Outcome) -> String {
    let seconds = time.as_secs_f64();
    match outcome {
        Ok(Done::Passed) => format!("step {name:8} ok      ({seconds:.1} s)"),
        Ok(Done::Skipped(why)) => format!("step {name:8} skipped ({seconds:.1} s): {why}"),
        Err(why) => format!("step {name:8} FAILED  ({seconds:.1} s): {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Done, Duration, run, summary};

    #[test]
    fn a_failed_step_is_told_with_its_reason() {
        let failed = ("fmt", Err("`cargo fmt` failed".to_owned()), Duration::from_millis(1250));
        assert_eq!(summary(&failed), "step fmt      FAILED  (1.2 s): `cargo fmt` failed");
    }

    #[test]
    fn a_skipped_step_is_told_with_its_reason() {
        let skipped = ("wasm", Ok(Done::Skipped("no network".to_owned())), Duration::ZERO);
        assert_eq!(summary(&skipped), "step wasm     skipped (0.0 s): no network");
    }

    #[test]
    fn an_unknown_step_is_refused_before_anything_runs() {
        assert!(run(&["fmt", "clipy"]).is_err_and(|why| why.starts_with("no step `clipy`")));
    }
}

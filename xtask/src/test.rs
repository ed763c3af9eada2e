//! The one test command: every step runs, also after a failure, and a summary ends it.

use std::time::{Duration, Instant};

use crate::command::{cargo, run as run_shown};
use crate::{fuzz, oracle, readme, tidy};

type Step = fn() -> Result<(), String>;

/// In the order in which they run: the quick ones first.
const STEPS: [(&str, Step); 9] = [
    ("fmt", || run_shown(&mut cargo(["fmt", "--all", "--check"]))),
    ("tidy", tidy::run),
    ("clippy", || run_shown(&mut cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))),
    ("test", || run_shown(&mut cargo(["test", "--workspace"]))),
    ("doc", || run_shown(cargo(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))),
    ("package", package),
    ("readme", readme::run),
    ("fuzz", || fuzz::run(&["--minutes", "0.17"])),
    ("oracle", || oracle::run(300, 1)),
];

/// Could every crate be published? Packs all that are, without building them from the packages.
fn package() -> Result<(), String> {
    let others = ["--exclude", "bench", "--exclude", "xtask"];
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

type Outcome<'a> = (&'a str, Result<(), String>, Duration);

fn timed(name: &'static str, step: Step) -> Outcome<'static> {
    println!("\n== {name}");
    let start = Instant::now();
    let outcome = step();
    (name, outcome, start.elapsed())
}

fn summary((name, outcome, time): &Outcome) -> String {
    let seconds = time.as_secs_f64();
    match outcome {
        Ok(()) => format!("step {name:8} ok      ({seconds:.1} s)"),
        Err(why) => format!("step {name:8} FAILED  ({seconds:.1} s): {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, run, summary};

    #[test]
    fn a_failed_step_is_told_with_its_reason() {
        let failed = ("fmt", Err("`cargo fmt` failed".to_owned()), Duration::from_millis(1250));
        assert_eq!(summary(&failed), "step fmt      FAILED  (1.2 s): `cargo fmt` failed");
    }

    #[test]
    fn an_unknown_step_is_refused_before_anything_runs() {
        assert!(run(&["fmt", "clipy"]).is_err_and(|why| why.starts_with("no step `clipy`")));
    }
}

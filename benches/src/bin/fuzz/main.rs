//! Does any text make the program panic or hang? `fuzz [--minutes M] [--seed S] [--verbs]`.
//!
//! ```text
//! parent ─ starts → worker: draws a case, saves it, runs the stages; again, until the time is over
//!        ─ if the worker fails: runs the saved case with fewer and fewer lines, prints what is left
//! ```
//!
//! A worker fails by a panic, by a law that does not hold, by a signal (the stack overflows), or by
//! a case that takes too long, which a thread of its own watches in CPU time. Cases follow from
//! the seed.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the report is what this program is for")]

mod case;
mod grammar;
mod mutate;
mod stages;
mod verbs;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use case::{Case, Corpus, Kind};
use expr::field::Random;
use verbs::Tally;

/// A case that takes more CPU seconds than this to read hangs; and one that takes more than that in a verb.
const SLOW: f64 = 2.0;
const SLOW_VERB: f64 = 10.0;
/// What a worker that hangs ends with; a panic ends with 101.
const HANGS: i32 = 3;
/// How long a failing case is made smaller.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many cases were begun.
static BEGUN: AtomicU64 = AtomicU64::new(0);

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--one", file] => one(Path::new(file), false),
        ["--one", file, "--verbs"] => one(Path::new(file), true),
        ["--worker", seed, seconds, rest @ ..] => {
            worker(seed.parse().unwrap_or(1), seconds.parse().unwrap_or(600.0), rest.contains(&"--verbs"))
        }
        _ => match settings(&words) {
            Ok((seed, seconds, verbs)) => parent(seed, seconds, verbs),
            Err(sentence) => {
                println!("fuzz: {sentence}");
                ExitCode::FAILURE
            }
        },
    }
}

/// The seed, how many seconds to go on, and whether models go through the verbs too.
fn settings(words: &[&str]) -> Result<(u64, f64, bool), String> {
    let (mut seed, mut minutes) = (1, 10.0);
    let (flags, words): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| **word == "--verbs");
    for pair in words.chunks(2) {
        let wrong =
            || format!("`{}` is not understood; usage: fuzz [--minutes M] [--seed S] [--verbs]", pair.join(" "));
        match *pair {
            ["--seed", word] => seed = word.parse().map_err(|_| wrong())?,
            ["--minutes", word] => minutes = word.parse().map_err(|_| wrong())?,
            _ => return Err(wrong()),
        }
    }
    Ok((seed, 60.0 * minutes, !flags.is_empty()))
}

// ---------------------------------------------------------------------------------------------
// The worker

/// Draws and runs cases for so many seconds.
fn worker(seed: u64, seconds: f64, verbs: bool) -> ExitCode {
    let corpus = Corpus::read();
    let (start, mut told) = (Instant::now(), Instant::now());
    let mut random = Random::new(seed);
    let (mut counts, mut whole) = ([0usize; 3], [0usize; 3]);
    let mut repaired = None;
    watch(if verbs { SLOW_VERB } else { SLOW });
    let (mut tally, before) = (Tally::default(), spent());
    while start.elapsed().as_secs_f64() < seconds {
        let case = repaired.take().unwrap_or_else(|| corpus.draw(&mut random));
        save(&case, &folder().join("case"));
        let sound = run(&case);
        if verbs && sound && case.kind == Kind::Model {
            verbs::run(&case.text, false, &mut tally);
        }
        whole[case.kind as usize] += usize::from(sound);
        counts[case.kind as usize] += 1;
        repaired = if sound { None } else { case.repaired() };
        if told.elapsed() > Duration::from_secs(1) && std::io::stderr().is_terminal() {
            eprint!("\r{:.0} s: {} cases ", start.elapsed().as_secs_f64(), counts.iter().sum::<usize>());
            told = Instant::now();
        }
    }
    if std::io::stderr().is_terminal() {
        eprintln!();
    }
    let counted = |kind: Kind| format!("{} {} ({})", counts[kind as usize], kind.noun(), whole[kind as usize]);
    let list = Kind::ALL.map(counted).join(", ");
    let of_verbs = if verbs { format!("; {} models through a verb", tally.models()) } else { String::new() };
    let all: usize = counts.iter().sum();
    let hours = (spent() - before) / 3600.0;
    println!("fuzz: {list}, in brackets those without an error{of_verbs}: no panic, no hang (seed {seed})");
    if verbs {
        println!("fuzz: {tally}");
    }
    println!("fuzz: {all} inputs in {hours:.4} CPU hours");
    ExitCode::SUCCESS
}

fn run(case: &Case) -> bool {
    BEGUN.fetch_add(1, Ordering::SeqCst);
    stages::run(case)
}

/// Runs the case of one file, through all verbs if that is asked for.
fn one(file: &Path, verbs: bool) -> ExitCode {
    let kind = Kind::of_extension(file.extension().and_then(|word| word.to_str()).unwrap_or_default());
    let Ok(text) = fs::read_to_string(file) else {
        println!("fuzz: {} cannot be read", file.display());
        return ExitCode::FAILURE;
    };
    watch(if verbs { SLOW_VERB } else { SLOW });
    let case = Case { kind, text };
    if run(&case) && verbs {
        verbs::run(&case.text, true, &mut Tally::default());
    }
    ExitCode::SUCCESS
}

/// A file in which the system says how long this thread has worked, where it does.
fn counter() -> Option<PathBuf> {
    Some(Path::new("/proc").join(fs::read_link("/proc/thread-self").ok()?).join("schedstat"))
}

/// The CPU seconds that a thread has worked.
fn worked_by(counter: &Path) -> Option<f64> {
    Some(fs::read_to_string(counter).ok()?.split(' ').next()?.parse::<f64>().ok()? * 1e-9)
}

/// The CPU seconds that this thread has worked, or zero where nobody counts them.
fn spent() -> f64 {
    counter().and_then(|counter| worked_by(&counter)).unwrap_or(0.0)
}

/// Ends the process when a case takes too long.
fn watch(slow: f64) {
    let Some(counter) = counter() else { return };
    let spent = move || worked_by(&counter);
    thread::spawn(move || {
        let mut seen = (0, 0.0);
        while let Some(now) = spent() {
            let begun = BEGUN.load(Ordering::SeqCst);
            if begun != seen.0 {
                seen = (begun, now);
            } else if now - seen.1 > slow {
                println!("\nfuzz: the case takes more than {slow} s");
                process::exit(HANGS);
            }
            thread::sleep(Duration::from_millis(50));
        }
    });
}

// ---------------------------------------------------------------------------------------------
// The parent

fn parent(seed: u64, seconds: f64, verbs: bool) -> ExitCode {
    let program = env::current_exe().unwrap_or_else(|_| "fuzz".into());
    for kind in Kind::ALL {
        let _ = fs::remove_file(folder().join("case").with_extension(kind.extension()));
    }
    let mut worker = Command::new(&program);
    worker.args(["--worker", &seed.to_string(), &seconds.to_string()]).args(verbs.then_some("--verbs"));
    let status = worker.status();
    if status.as_ref().is_ok_and(|status| status.success()) {
        return ExitCode::SUCCESS;
    }
    let ended = status.map_or_else(|error| error.to_string(), |status| status.to_string());
    println!("\nfuzz: the worker failed ({ended}), seed {seed}");
    let Some(case) = saved() else { return ExitCode::FAILURE };
    let whole = save(&case, &folder().join(format!("failed-{seed}")));
    let least = minimised(&program, case, verbs);
    let file = save(&least, &folder().join(format!("least-{seed}")));
    println!("fuzz: the case is {}; what is left of it, {}:\n", whole.display(), file.display());
    println!("{}", least.text);
    let flag = if verbs { " --verbs" } else { "" };
    println!("\nfuzz: again with `{} --one {}{flag}`", program.display(), file.display());
    ExitCode::FAILURE
}

/// The case that was begun last: the one whose file is newest.
fn saved() -> Option<Case> {
    let files = Kind::ALL.map(|kind| (kind, folder().join("case").with_extension(kind.extension())));
    let newest = files.into_iter().filter_map(|(kind, file)| {
        let time = fs::metadata(&file).ok()?.modified().ok()?;
        Some((time, kind, file))
    });
    let (_, kind, file) = newest.max_by_key(|entry| entry.0)?;
    Some(Case { kind, text: fs::read_to_string(file).ok()? })
}

/// The case with as few lines, then characters, as still fail.
fn minimised(program: &Path, mut case: Case, verbs: bool) -> Case {
    let start = Instant::now();
    let fails = |text: &str| {
        start.elapsed() < PATIENCE && failed(program, &Case { kind: case.kind, text: text.to_owned() }, verbs)
    };
    if !fails(&case.text) {
        println!("fuzz: the case alone does not fail");
        return case;
    }
    let lines: Vec<String> = case.text.split_inclusive('\n').map(str::to_owned).collect();
    let lines = shrunk(lines, &mut |lines| fails(&lines.concat()));
    let characters: Vec<String> = lines.concat().chars().map(String::from).collect();
    let few = characters.len() <= 4000;
    let left = if few { shrunk(characters, &mut |list| fails(&list.concat())) } else { characters };
    case.text = left.concat();
    case
}

/// Takes parts away, large ones first, as long as what is left fails.
fn shrunk(mut parts: Vec<String>, fails: &mut dyn FnMut(&[String]) -> bool) -> Vec<String> {
    let mut size = parts.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < parts.len() {
            let mut fewer = parts.clone();
            fewer.drain(at..(at + size).min(parts.len()));
            if !fewer.is_empty() && fails(&fewer) {
                parts = fewer;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    parts
}

fn failed(program: &Path, case: &Case, verbs: bool) -> bool {
    let file = save(case, &folder().join("trial"));
    let mut trial = Command::new(program);
    let trial = trial.arg("--one").arg(file).args(verbs.then_some("--verbs"));
    let status = trial.stdout(Stdio::null()).stderr(Stdio::null()).status();
    !status.is_ok_and(|status| status.success())
}

/// Where cases are left: a folder beside the program, under `target`.
fn folder() -> PathBuf {
    let program = env::current_exe().unwrap_or_default();
    let folder = program.ancestors().nth(2).unwrap_or(Path::new(".")).join("fuzz");
    let _ = fs::create_dir_all(&folder);
    folder
}

/// Writes the case; gives its file.
fn save(case: &Case, name: &Path) -> PathBuf {
    let file = name.with_extension(case.kind.extension());
    let written = fs::File::create(&file).and_then(|mut file| file.write_all(case.text.as_bytes()));
    if let Err(error) = written {
        println!("fuzz: {} cannot be written: {error}", file.display());
    }
    file
}

//! Does SymPy agree? Package `bench` draws expressions and writes what the kernel says of them, one
//! JSON object a line; `oracle.py` recomputes each with SymPy and mpmath and lists disagreements.
//!
//! With `--systems` the forms of random mechanical systems are compared with each other, and on systems of particles
//! `systems.py` makes Lagrange's equations with multipliers by its own way.
//!
//! SymPy lives in a virtual environment under `target/`, made on first use. Before it looks at the
//! kernel, the script must find the mistakes planted in `oracle_planted.jsonl`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use crate::bench;
use crate::command::{cannot_start, cargo, program, run as run_shown, shown, target};

const SCRIPT: &str = include_str!("oracle.py");
const SYSTEMS: &str = include_str!("systems.py");
const PLANTED: &str = include_str!("oracle_planted.jsonl");
/// What the environment holds; the script was written against these versions.
const PACKAGES: [&str; 2] = ["sympy==1.14.0", "mpmath==1.3.0"];
const SEED: u64 = 1;

/// `N [--seed S]`.
fn arguments(words: &[&str]) -> Result<(u32, u64), String> {
    let usage = |word: &str| format!("`{word}` is not a number; usage: cargo xtask oracle N [--systems] [--seed S]");
    let number = |word: &str| word.parse().map_err(|_| usage(word));
    match words {
        [count] => Ok((number(count)?, SEED)),
        [count, "--seed", seed] | ["--seed", seed, count] => {
            Ok((number(count)?, seed.parse().map_err(|_| usage(seed))?))
        }
        _ => Err("usage: cargo xtask oracle N [--systems] [--seed S]".to_owned()),
    }
}

/// What the words ask for: `N [--seed S]` expressions, or with `--systems` as many mechanical systems.
pub fn chore(words: &[&str]) -> Result<(), String> {
    let rest: Vec<&str> = words.iter().copied().filter(|word| *word != "--systems").collect();
    let (count, seed) = arguments(&rest)?;
    if rest.len() < words.len() { systems(count, seed) } else { run(count, seed) }
}

/// Do all forms agree on `count` random systems? And SymPy, on some made of particles alone?
fn systems(count: u32, seed: u64) -> Result<(), String> {
    bench::exists()?;
    let seed = seed.to_string();
    let mut ours = cargo(["run", "--quiet", "--release", "--package", "bench", "--bin", "systems", "--"]);
    let agreed = run_shown(ours.args([&count.to_string(), &seed]));
    let python = environment()?;
    let script = target().join("systems.py");
    write(&script, SYSTEMS)?;
    let few = (count / 15).clamp(1, 200).to_string();
    let mut ours = cargo(["run", "--quiet", "--release", "--package", "bench", "--bin", "systems", "--"]);
    ours.args(["--plain", &few, &seed]).stdout(Stdio::piped());
    let mut theirs = program(python);
    theirs.arg(script).args(["--expect", &few]);
    let compared = piped(ours, theirs)?;
    agreed.map_err(|_| format!("the forms disagree on a system (seed {seed}); see above"))?;
    match compared {
        [true, true] => Ok(()),
        [false, _] => Err(format!("package `bench` failed while it wrote its systems (seed {seed}); see above")),
        _ => Err(format!("we and SymPy disagree on a system (seed {seed}); see above")),
    }
}

/// Runs two programs, the second on what the first prints; did they succeed?
fn piped(mut ours: Command, mut theirs: Command) -> Result<[bool; 2], String> {
    println!("$ {} | {}", shown(&ours), shown(&theirs));
    let mut writer = start(&mut ours)?;
    let lines = writer.stdout.take().ok_or("the lines are not to be had")?;
    let reader = start(theirs.stdin(lines))?;
    drop(theirs); // and with it our end of the pipe: a writer without a reader must not wait
    let (compared, wrote) = (finish(reader)?, finish(writer)?);
    Ok([wrote.success(), compared.success()])
}

/// Compares `count` random expressions drawn from `seed`.
pub fn run(count: u32, seed: u64) -> Result<(), String> {
    bench::exists()?;
    let python = environment()?;
    let script = target().join("oracle.py");
    let planted = target().join("oracle_planted.jsonl");
    write(&script, SCRIPT)?;
    write(&planted, PLANTED)?;

    let (count, seed) = (count.to_string(), seed.to_string());
    let mut ours = cargo(["run", "--quiet", "--release", "--package", "bench", "--bin", "oracle", "--"]);
    ours.args([&count, &seed]).stdout(Stdio::piped());
    let mut theirs = program(python);
    theirs.arg(script).args(["--seed", &seed, "--expect", &count, "--planted"]).arg(planted);
    match piped(ours, theirs)? {
        [true, true] => Ok(()),
        [false, _] => Err(format!("package `bench` failed while it wrote its expressions (seed {seed}); see above")),
        _ => Err(format!("the kernel and SymPy disagree (seed {seed}); see above")),
    }
}

fn start(command: &mut Command) -> Result<Child, String> {
    command.spawn().map_err(|error| cannot_start(command, &error))
}

fn finish(mut child: Child) -> Result<ExitStatus, String> {
    child.wait().map_err(|error| format!("lost a program that was running: {error}"))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// The Python of the virtual environment, which is made if it is missing or not as it should be.
fn environment() -> Result<PathBuf, String> {
    let folder = target().join("oracle-venv");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if is_ready(&python) {
        return Ok(python);
    }
    println!("oracle: making a virtual environment with SymPy (first use)");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("cannot remove the old {}: {error}", folder.display()))?;
    }
    run_shown(program("python3").args(["-m", "venv"]).arg(&folder))
        .map_err(|why| format!("the oracle needs python3 (3.9 or later) with its `venv` module on the path: {why}"))?;
    let mut pip = program(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(PACKAGES);
    run_shown(&mut pip)
        .map_err(|why| format!("the oracle needs SymPy from a Python package index, and it could not be had: {why}"))?;
    Ok(python)
}

/// Does this Python run, with the right packages?
fn is_ready(python: &Path) -> bool {
    let ask = "import sympy, mpmath; print(f'sympy=={sympy.__version__} mpmath=={mpmath.__version__}')";
    let answer = program(python).args(["-c", ask]).stderr(Stdio::null()).output();
    answer.is_ok_and(|it| String::from_utf8_lossy(&it.stdout).trim() == PACKAGES.join(" "))
}

#[cfg(test)]
mod tests {
    use super::arguments;

    #[test]
    fn the_seed_is_one_unless_said() {
        assert_eq!(arguments(&["300"]), Ok((300, 1)));
        assert_eq!(arguments(&["300", "--seed", "7"]), Ok((300, 7)));
        assert_eq!(arguments(&["--seed", "7", "300"]), Ok((300, 7)));
    }

    #[test]
    fn other_words_are_refused() {
        for words in [&[][..], &["many"], &["3", "--seed"], &["3", "--seed", "x"], &["-3"]] {
            assert!(arguments(words).is_err(), "{words:?}");
        }
    }
}

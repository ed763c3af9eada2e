//! The benchmarks: package `bench` measures CPU times itself and prints its table; with `--peers` others are measured beside it.

pub mod counts;
mod growth;
mod page;
mod peers;
mod rows;
mod side;

use crate::command::{self, cargo, root};

/// Builds the benchmarks for speed and runs those that are chosen: a word that their names contain, or `--peers`.
pub fn chore(words: &[&str]) -> Result<(), String> {
    match words {
        [] => run(None),
        ["--peers"] => peers::run(None),
        ["--peers", "--only", name] | ["--only", name, "--peers"] => peers::run(Some(name)),
        ["--peers", ..] => Err("after `--peers` there is `--only NAME`; see `cargo xtask --help`".to_owned()),
        [filter] if !filter.starts_with('-') => run(Some(filter)),
        [word, ..] => Err(format!("no word `{word}` here after `bench`; see `cargo xtask --help`")),
    }
}

fn run(filter: Option<&str>) -> Result<(), String> {
    exists()?;
    let mut command = cargo(["run", "--quiet", "--release", "--package", "bench", "--bin", "bench", "--"]);
    command::run(command.args(filter))
}

/// An error until package `bench` is there.
pub fn exists() -> Result<(), String> {
    if root().join("benches/Cargo.toml").is_file() {
        Ok(())
    } else {
        Err("there is no benches/Cargo.toml, so no package `bench` to run".to_owned())
    }
}

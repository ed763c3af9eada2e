//! Does any text make the program panic or hang? Package `bench` draws the texts and runs them.

use crate::bench;
use crate::command::{self, cargo};

/// Fuzzes as the words say: `[--minutes M] [--seed S] [--verbs]`.
pub fn run(words: &[&str]) -> Result<(), String> {
    bench::exists()?;
    let mut command = cargo(["run", "--quiet", "--release", "--package", "bench", "--bin", "fuzz", "--"]);
    command::run(command.args(words))
}

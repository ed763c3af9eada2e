//! The benchmarks: package `bench` measures CPU times itself and prints its table.

use crate::command::{self, cargo, root};

/// Builds the benchmarks for speed and runs those whose name contains `filter`.
pub fn run(filter: Option<&str>) -> Result<(), String> {
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

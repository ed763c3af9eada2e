//! Does the Python package work? The wheel is built, put into a fresh environment, tested and type-checked there.
//!
//! The engine in it is built as `cargo test --workspace` builds it, with the same features and the same profile, so
//! that it is not compiled again where that has run before.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{program, root, run, target};

/// What the tests need; the environment is made anew when it changes.
const NEEDED: &str = "python/requirements-test.txt";

/// Builds the wheel, installs it, runs pytest, the stub checker and the type checker.
pub fn test() -> Result<(), String> {
    let python = environment("python-venv", NEEDED)?;
    let wheels = target().join("wheels");
    if wheels.exists() {
        fs::remove_dir_all(&wheels).map_err(|error| format!("cannot remove {}: {error}", wheels.display()))?;
    }
    let mut build = program(&python);
    build.args(["-m", "maturin", "build", "--quiet", "--profile", "dev", "--manifest-path", "python/Cargo.toml"]);
    run(build.arg("--interpreter").arg(&python).arg("--target-dir").arg(target()).arg("--out").arg(&wheels))?;
    let wheel = only_file(&wheels)?;
    let mut install = program(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--force-reinstall", "--no-deps"]);
    run(install.arg(&wheel))?;
    // not in the workspace: there `anholon` would be the folder without its engine
    let tests = root().join("python/tests");
    run(program(&python).args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider"]).arg(&tests).current_dir(&tests))?;
    run(program(&python).args(["-m", "mypy.stubtest", "anholon._engine"]).current_dir(target()))?;
    run(program(&python).args(["-m", "mypy", "--config-file"]).arg(root().join("pyproject.toml")).args([
        "--cache-dir",
        &target().join("mypy").display().to_string(),
        "python/anholon",
    ]))
}

/// The one file in a folder.
fn only_file(folder: &Path) -> Result<PathBuf, String> {
    let wrong = |error| format!("cannot read {}: {error}", folder.display());
    let found = fs::read_dir(folder).map_err(wrong)?.next();
    Ok(found.ok_or_else(|| format!("there is no wheel in {}", folder.display()))?.map_err(wrong)?.path())
}

/// The Python of a virtual environment under `target`, which is made if it is missing or for other packages.
pub fn environment(name: &str, needed: &str) -> Result<PathBuf, String> {
    let folder = target().join(name);
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let stamp = folder.join("requirements.txt");
    let text = fs::read_to_string(root().join(needed)).map_err(|error| format!("cannot read {needed}: {error}"))?;
    if fs::read_to_string(&stamp).is_ok_and(|there| there == text) {
        return Ok(python);
    }
    println!("{name}: making a virtual environment with what the tests need (first use)");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("cannot remove the old {}: {error}", folder.display()))?;
    }
    run(program("python3").args(["-m", "venv"]).arg(&folder))
        .map_err(|why| format!("the tests need python3 (3.10 or later) with its `venv` module on the path: {why}"))?;
    let mut pip = program(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", needed]);
    run(&mut pip).map_err(|why| format!("the tests need packages from a Python package index: {why}"))?;
    fs::write(&stamp, text).map_err(|error| format!("cannot write {}: {error}", stamp.display()))?;
    Ok(python)
}

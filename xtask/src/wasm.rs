//! Does the engine build for browsers, where a word has 32 bits?
//!
//! Built, not only checked: that a shift is too long for such a word is seen no sooner. It is the build that the studio takes.

use std::path::{Path, PathBuf};
use std::process::Output;

use crate::command::{Done, cannot_start, cargo, program, run as run_shown, shown, target};

/// The target of browsers.
const TARGET: &str = "wasm32-unknown-unknown";
/// The profile of the engine in a page.
const PROFILE: &str = "wasm";

/// The step `wasm`; skipped where the standard library of browsers cannot be had.
pub fn run() -> Result<Done, String> {
    Ok(match build()? {
        Ok(_) => Done::Passed,
        Err(why) => Done::Skipped(why),
    })
}

/// Builds the engine: its file, or why this machine does not have the target.
pub fn build() -> Result<Result<PathBuf, String>, String> {
    if !is_installed()
        && let Err(why) = install()
    {
        return Ok(Err(why));
    }
    run_shown(&mut cargo(["build", "--quiet", "--profile", PROFILE, "--target", TARGET, "--package", "anholon-wasm"]))?;
    Ok(Ok(target().join(TARGET).join(PROFILE).join("wasm.wasm")))
}

/// Does the compiler have the standard library of the target?
fn is_installed() -> bool {
    let folder = program("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    folder.is_ok_and(|it| it.status.success() && Path::new(String::from_utf8_lossy(&it.stdout).trim()).exists())
}

/// Asks rustup for it; the error is the reason why it cannot be had.
fn install() -> Result<(), String> {
    let mut command = program("rustup");
    command.args(["target", "add", TARGET]);
    println!("$ {}", shown(&command));
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(refusal(&output)),
        Err(error) => Err(cannot_start(&command, &error)),
    }
}

/// The last line of what rustup says.
fn refusal(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("without a reason");
    format!("`rustup target add {TARGET}` was refused: {}", last.trim())
}

#[cfg(test)]
mod tests {
    use super::{Output, refusal};
    use std::process::ExitStatus;

    #[test]
    fn a_refusal_is_told_by_its_last_line() {
        let said = "info: downloading component rust-std\nerror: could not download file\n\n";
        let output = Output { status: ExitStatus::default(), stdout: Vec::new(), stderr: said.into() };
        let expected = "`rustup target add wasm32-unknown-unknown` was refused: error: could not download file";
        assert_eq!(refusal(&output), expected);
    }
}

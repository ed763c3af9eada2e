//! Running other programs, each shown before it runs.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What became of a step that did not fail.
#[derive(Debug, PartialEq)]
pub enum Done {
    /// It ran, and all is well.
    Passed,
    /// It cannot run on this machine, for this reason.
    Skipped(String),
}

/// The folder of the workspace: cargo names ours, which lies in it.
pub fn root() -> PathBuf {
    let ours = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    ours.as_deref().and_then(Path::parent).map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Where cargo builds, and where chores may leave files.
pub fn target() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// A cargo command in the workspace, the same cargo that runs this.
pub fn cargo<const N: usize>(words: [&str; N]) -> Command {
    let mut command = program(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(words);
    command
}

/// Builds the command line with the features of the whole workspace: what the tests have built serves again.
pub fn command_line() -> Command {
    cargo(["build", "--quiet", "--workspace", "--bin", "anholon"])
}

/// A program run in the workspace.
pub fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// Shows the command, then waits for it; an error if it does not exist or does not succeed.
pub fn run(command: &mut Command) -> Result<(), String> {
    println!("$ {}", shown(command));
    let status = command.status().map_err(|error| cannot_start(command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed ({status})", shown(command))) }
}

/// The sentence for a program that does not start.
pub fn cannot_start(command: &Command, error: &std::io::Error) -> String {
    format!("`{}` does not start: {error}", command.get_program().to_string_lossy())
}

/// The command as one would type it in the workspace.
pub fn shown(command: &Command) -> String {
    let name = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let settings = command
        .get_envs()
        .filter_map(|(name, value)| Some(format!("{}=\"{}\"", name.to_string_lossy(), value?.to_string_lossy())));
    settings
        .chain([name.to_string_lossy().into_owned()])
        .chain(command.get_args().map(|word| word.to_string_lossy().into_owned()))
        .collect::<Vec<_>>()
        .join(" ")
}

//! Does the extension for VS Code build? Its packages are installed, the client is bundled, and all is packed as a .vsix.

use std::fs;

use crate::command::{Done, program, root, run, target};

/// Builds `target/anholon.vsix`; skipped where there is no npm.
pub fn test() -> Result<Done, String> {
    if program("npm").arg("--version").output().is_err() {
        return Ok(Done::Skipped("npm is not on the path".to_owned()));
    }
    let folder = root().join("editors/vscode");
    let npm = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
    run(program("npm").args(npm).current_dir(&folder))?;
    run(program("npm").args(["run", "--silent", "bundle"]).current_dir(&folder))?;
    run(program("node").args(["--check", "dist/client.js"]).current_dir(&folder))?;
    let out = target().join("anholon.vsix");
    run(program("python3").arg(folder.join("pack.py")).arg(&out))?;
    let size = fs::metadata(&out).map_err(|error| format!("there is no {}: {error}", out.display()))?.len();
    println!("{}: {size} bytes", out.display());
    match size {
        10_000..2_000_000 => Ok(Done::Passed),
        _ => Err(format!("the extension has {size} bytes: is the client in it, and nothing else?")),
    }
}

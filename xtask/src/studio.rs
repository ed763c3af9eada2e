//! Is the page of the studio built, and does it do in a real browser what it promises?
//!
//! ```text
//! engine (wasm) ─┐
//! node packages ─┴→ types → bundle → studio/dist → the command line with the page in it → tests in node and in Chromium
//! ```

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{Done, command_line, program, root, run, target};
use crate::wasm;

/// The most that the site has, packed, and that the single file has, in bytes.
const MOST_SITE: u64 = 3_000_000;
const MOST_SINGLE: u64 = 4_000_000;
/// Where the browser of Debian is.
const BROWSER: &str = "chromium";

/// What a machine may refuse: then a step is skipped with the reason.
enum Trouble {
    Refused(String),
    Failed(String),
}

impl From<String> for Trouble {
    fn from(why: String) -> Trouble {
        Trouble::Failed(why)
    }
}

/// `cargo xtask studio`: builds the page; with `--pictures`, makes those of the docs anew.
pub fn chore(words: &[&str]) -> Result<(), String> {
    let done = match words {
        [] => build(),
        ["--pictures"] => build().and_then(|()| pictures(&root().join("docs/images"))),
        [other, ..] => return Err(format!("no word `{other}` after `studio`; there is `--pictures`")),
    };
    match done {
        Ok(()) => Ok(()),
        Err(Trouble::Refused(why) | Trouble::Failed(why)) => Err(why),
    }
}

/// The step `studio`: builds the page and tests it.
pub fn test() -> Result<Done, String> {
    match build().and_then(|()| tested()) {
        Ok(()) => Ok(Done::Passed),
        Err(Trouble::Refused(why)) => Ok(Done::Skipped(why)),
        Err(Trouble::Failed(why)) => Err(why),
    }
}

fn folder() -> PathBuf {
    root().join("studio")
}

/// Engine, packages, types, bundle, sizes.
fn build() -> Result<(), Trouble> {
    let engine = match wasm::build()? {
        Ok(file) => file,
        Err(why) => return Err(Trouble::Refused(why)),
    };
    packages()?;
    run(node("node_modules/typescript/bin/tsc").arg("--noEmit"))?;
    run(node("build.mjs").arg(&engine).arg("dist"))?;
    Ok(sizes(&folder().join("dist"))?)
}

fn node(script: &str) -> Command {
    let mut command = program("node");
    command.arg(script).current_dir(folder());
    command
}

/// Installs the packages of the lock file, unless they are there.
fn packages() -> Result<(), Trouble> {
    if program("node").arg("--version").output().is_err() {
        return Err(Trouble::Failed("node is missing: install nodejs 20 or later, with npm".to_owned()));
    }
    let age = |file: &str| folder().join(file).metadata().and_then(|known| known.modified()).ok();
    let is_there = age("node_modules/.package-lock.json").is_some_and(|made| Some(made) >= age("package-lock.json"));
    if is_there {
        return Ok(());
    }
    let mut command = program("npm");
    command.args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]).current_dir(folder());
    Ok(run(&mut command)?)
}

/// Is the page small enough?
fn sizes(dist: &Path) -> Result<(), String> {
    let size = |name: &str| -> Result<u64, String> {
        let known = dist.join(name).metadata().map_err(|error| format!("{name} was not built: {error}"))?;
        Ok(known.len())
    };
    let engine = size("engine.gz")?;
    // texts are packed by a server to less than this
    let site = engine + size("font.woff2")? + size("studio.js")? + size("studio.css")? + size("index.html")?;
    let single = size("single.html")? + 1 + engine.div_ceil(9) * 11;
    println!("studio/dist: {site} bytes with texts as they are, one file {single} bytes");
    match () {
        () if engine + size("font.woff2")? > MOST_SITE => Err(format!("the site is larger than {MOST_SITE} bytes")),
        () if single > MOST_SINGLE => Err(format!("the single file has {single} bytes, {MOST_SINGLE} are the most")),
        () => Ok(()),
    }
}

/// The tests: in node against the command line, and in the browser.
fn tested() -> Result<(), Trouble> {
    let browser = browser()?;
    run(&mut command_line())?;
    let anholon = target().join("debug/anholon");
    run(node("tests/same.mjs").arg(&anholon))?;
    run(node("tests/browser.mjs").arg(&anholon).arg(browser))?;
    // drawn by every test, so that those of the docs can be made anew
    pictures(&target().join("studio-pictures"))
}

/// The pictures of the docs, in a folder.
fn pictures(folder: &Path) -> Result<(), Trouble> {
    let browser = browser()?;
    run(&mut command_line())?;
    let anholon = target().join("debug/anholon");
    Ok(run(node("tests/browser.mjs").arg(anholon).arg(browser).arg("--pictures").arg(folder))?)
}

/// The browser, installed if this machine lets us.
fn browser() -> Result<PathBuf, Trouble> {
    let found = || {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&paths).map(|folder| folder.join(BROWSER)).find(|file| file.exists())
    };
    if let Some(file) = found() {
        return Ok(file);
    }
    let install = |words: &[&str]| {
        let mut command = program("apt-get");
        command.args(words).env("DEBIAN_FRONTEND", "noninteractive");
        run(&mut command)
    };
    let is_root = program("id").arg("-u").output().is_ok_and(|said| said.stdout.trim_ascii() == b"0");
    if !is_root {
        return Err(Trouble::Failed(format!("{BROWSER} is missing: install it, as by `apt-get install {BROWSER}`")));
    }
    let made = install(&["update", "--quiet"]).and_then(|()| install(&["install", "--yes", "--quiet", BROWSER]));
    match (made, found()) {
        (Ok(()), Some(file)) => Ok(file),
        (Err(why), _) => Err(Trouble::Refused(format!("{BROWSER} cannot be installed here: {why}"))),
        (Ok(()), None) => Err(Trouble::Failed(format!("{BROWSER} was installed and is not found"))),
    }
}

//! Is the page of the studio there, and from which commit is the program built? The page goes into the program where it was
//! made; a plain build needs neither node nor WebAssembly, and without git the version stands alone.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The files of the page, as `cargo xtask studio` writes them.
const FILES: [&str; 8] =
    ["index.html", "studio.js", "studio.css", "font.woff2", "engine.gz", "LICENCES.txt", "single.html", "viewer.html"];

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let folder = root.join("../../studio/dist");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={}", folder.display());
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("bundle.rs"), bundle(&folder)).expect("the build folder can be written");
    println!("cargo:rustc-env=ANHOLON_VERSION={}", version());
}

/// The version, and the commit if it is given or git knows it.
fn version() -> String {
    println!("cargo:rerun-if-env-changed=ANHOLON_COMMIT");
    if let Some(log) =
        asked(&["rev-parse", "--git-path", "logs/HEAD"]).and_then(|log| Path::new(&log).canonicalize().ok())
    {
        println!("cargo:rerun-if-changed={}", log.display());
    }
    let given = env::var("ANHOLON_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = given.or_else(|| asked(&["rev-parse", "--short=12", "HEAD"]));
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    commit.map_or(version.clone(), |commit| format!("{version} ({commit})"))
}

/// What git answers, if it is there and knows.
fn asked(arguments: &[&str]) -> Option<String> {
    let told = Command::new("git").args(arguments).output().ok().filter(|told| told.status.success())?;
    let text = String::from_utf8(told.stdout).ok()?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// A table of names and bytes; empty if a file is missing.
fn bundle(folder: &Path) -> String {
    let paths: Vec<PathBuf> = FILES.iter().filter_map(|name| folder.join(name).canonicalize().ok()).collect();
    if paths.len() < FILES.len() {
        return "const BUNDLE: &[(&str, &[u8])] = &[];\n".to_owned();
    }
    let rows = FILES.iter().zip(&paths).map(|(name, path)| format!("    ({name:?}, include_bytes!({path:?})),\n"));
    format!("const BUNDLE: &[(&str, &[u8])] = &[\n{}];\n", rows.collect::<String>())
}

//! Is the page of the studio there? Then it goes into the program; a plain build needs neither node nor WebAssembly.

use std::path::{Path, PathBuf};
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

//! Is the viewer of the studio there? It goes into the package where `cargo xtask studio` made it; a plain build needs no node.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let file = root.join("../studio/dist/viewer.html");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={}", file.display());
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let viewer = fs::read_to_string(file).unwrap_or_default();
    fs::write(out.join("viewer.html"), viewer).expect("the build folder can be written");
}

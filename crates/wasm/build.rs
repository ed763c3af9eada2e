//! How much memory may the page use? A model that wants more ends with a message, not with the browser.

use std::env;

/// The most memory, in bytes: 1 GiB.
const MOST: u32 = 1 << 30;
/// The stack, in bytes: as a program of its own has it.
const STACK: u32 = 8 << 20;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        println!("cargo:rustc-link-arg-cdylib=--max-memory={MOST}");
        println!("cargo:rustc-link-arg-cdylib=-zstack-size={STACK}");
    }
}

//! How large is what a stranger sees? The public items of the façade crate.
//!
//! Counted are declarations with `pub` (functions, types, constants, traits; not fields, variants or
//! modules) and the names that it passes on from other crates. A glob counts as one.

use std::collections::BTreeSet;

use super::code::is_test_code;
use super::rust::{public_items, public_uses, shipped};
use super::tree::File;

/// The façade, and until it is there the crate that stands in for it.
pub const FACADES: [&str; 2] = ["crates/anholon", "crates/engine"];

/// The room of the façade that this tree has.
pub fn room(files: &[File]) -> Option<&'static str> {
    FACADES.into_iter().find(|room| files.iter().any(|file| file.path == format!("{room}/src/lib.rs")))
}

/// How many public items the crate in this room has.
pub fn count(room: &str, files: &[File]) -> usize {
    let folder = format!("{room}/src/");
    let ours: Vec<&File> = files
        .iter()
        .filter(|it| it.path.starts_with(&folder) && it.path.ends_with(".rs") && !is_test_code(it))
        .collect();
    let module = |file: &File| file.path[folder.len()..].split(['/', '.']).next().unwrap_or_default().to_owned();
    let own: BTreeSet<String> = ours.iter().map(|file| module(file)).collect();
    let of = |file: &&File| {
        let code = shipped(file.text.as_deref().unwrap_or_default());
        let foreign = public_uses(&code).into_iter().filter(|(_, path)| {
            let first = path.split("::").next().unwrap_or_default();
            !matches!(first, "crate" | "self" | "super") && !own.contains(first)
        });
        public_items(&code).len() + foreign.count()
    };
    ours.iter().map(of).sum()
}

/// The line of the report.
pub fn report(files: &[File]) -> Vec<String> {
    let line = |room: &str| format!("public items of the façade {room}: {}", count(room, files));
    room(files).map(line).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::tree::File;
    use super::{count, report, room};

    #[test]
    fn declarations_and_what_other_crates_give_are_counted() {
        let root = "mod load;\npub use load::{Loaded, load};\npub use motion::{Motion, Plan};\npub mod answer;\n\
                    pub const N: usize = 1;\npub(crate) fn hidden() {}\nfn own() {}\n";
        let load = "pub struct Loaded {\n    pub field: u8,\n}\nimpl Loaded {\n    pub const fn f() {}\n}\n\
                    pub fn load() {}\n#[cfg(test)]\nmod tests { pub fn g() {} }\n";
        let files = [
            File::of_text("crates/anholon/src/lib.rs", root),
            File::of_text("crates/anholon/src/load.rs", load),
            File::of_text("crates/engine/src/lib.rs", "pub fn f() {}\n"),
        ];
        assert_eq!(room(&files), Some("crates/anholon"));
        assert_eq!(count("crates/anholon", &files), 6); // Motion, Plan, N, Loaded, Loaded::f, load
        assert_eq!(report(&files[2..]), ["public items of the façade crates/engine: 1"]);
    }
}

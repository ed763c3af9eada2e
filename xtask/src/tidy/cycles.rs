//! Which modules of a crate need each other? Cycles between them are listed on the page, with a reason.
//!
//! A module is a file or folder directly in `src`. It needs another if its code, tests aside, names it
//! by a path from the root, or names something that the root takes from it (`pub use other::Thing`).
//! The root itself only declares and passes on: it is not part of any cycle.

use std::collections::{BTreeMap, BTreeSet};

use super::Violation;
use super::architecture::{Architecture, PATH};
use super::code::{is_test_code, resolved};
use super::rust::{paths, public_items, shipped};
use super::tree::File;

/// Modules that need each other, directly or through others.
#[derive(Debug, PartialEq)]
pub struct Cycle {
    /// The folder of the crate, such as `crates/engine`.
    pub room: String,
    /// The modules by name, at least two.
    pub modules: BTreeSet<String>,
    /// Who needs whom, and where that is seen first: `a → b (a.rs:3)`.
    pub steps: Vec<String>,
}

/// Finds the cycles of every crate.
pub fn cycles(files: &[File]) -> Vec<Cycle> {
    let rooms: BTreeSet<&str> = files.iter().filter_map(|file| Some(parts(file)?.0)).collect();
    rooms.into_iter().flat_map(|room| Modules::read(room, files).cycles()).collect()
}

/// Compares the cycles with those that the page allows: all modules of a cycle stand in one row.
pub fn check(page: &Architecture, cycles: &[Cycle]) -> Vec<Violation> {
    let mut found = Vec::new();
    for cycle in cycles {
        let is_in = |modules: &[String]| cycle.modules.iter().all(|module| modules.contains(module));
        if !page.cycles.iter().any(|row| row.room == cycle.room && is_in(&row.modules)) {
            let what = format!("modules that need each other: {}", cycle.steps.join(", "));
            let remedy = "move what they share below them, or give a reason under Cycles in ARCHITECTURE.md";
            found.push(Violation::new(&format!("{}/src", cycle.room), 1, what, remedy));
        }
    }
    for row in &page.cycles {
        if row.reason.is_empty() {
            found.push(Violation::new(PATH, row.line, "a cycle without a reason", "say why it may stay"));
        }
        let cyclic = |name: &String| cycles.iter().any(|it| it.room == row.room && it.modules.contains(name));
        if let Some(free) = row.modules.iter().find(|name| !cyclic(name)) {
            let what = format!("`{free}` is in no cycle of {}", row.room);
            found.push(Violation::new(PATH, row.line, what, "take it out of the row"));
        }
    }
    found
}

/// The crate, and the module directly in its `src`: "" for the root.
fn parts(file: &File) -> Option<(&str, &str)> {
    let (room, inner) = file.path.split_once("/src/")?;
    let module = inner.split('/').next()?.trim_end_matches(".rs");
    let root = matches!(inner, "lib.rs" | "main.rs");
    (inner.ends_with(".rs") && !is_test_code(file)).then_some((room, if root { "" } else { module }))
}

/// The modules of a crate, which of them each needs, and where that is seen first.
struct Modules {
    room: String,
    needs: BTreeMap<String, BTreeMap<String, String>>,
}

impl Modules {
    fn read(room: &str, files: &[File]) -> Self {
        let code = |file: &File| shipped(file.text.as_deref().unwrap_or_default());
        let ours = files.iter().filter_map(|file| Some((parts(file).filter(|it| it.0 == room)?.1, file, code(file))));
        let ours: Vec<(&str, &File, String)> = ours.collect();
        let names: BTreeSet<&str> = ours.iter().map(|(module, ..)| *module).filter(|name| !name.is_empty()).collect();
        let root = ours.iter().filter(|(module, ..)| module.is_empty());
        let passed: Vec<(usize, String)> = root.flat_map(|(.., code)| paths(code)).collect();
        let owner = |name: &str| {
            let from = |path: &str| {
                let (module, rest) = path.trim_start_matches("crate::").split_once("::")?;
                let last = rest.rsplit("::").next()?;
                let holds = last == name || (last == "*" && declares(&ours, module, name));
                names.get(module).copied().filter(|_| holds)
            };
            names.get(name).copied().or_else(|| passed.iter().find_map(|(_, path)| from(path)))
        };
        let mut needs: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for (module, file, code) in ours.iter().filter(|(module, ..)| !module.is_empty()) {
            let needed = needs.entry((*module).to_owned()).or_default();
            for (line, path) in paths(code) {
                let full = resolved(&file.path, &path);
                let name = full.strip_prefix("crate::").and_then(|rest| rest.split("::").next());
                if let Some(other) = name.and_then(owner).filter(|other| other != module) {
                    let place = format!("{}:{line}", &file.path[room.len() + "/src/".len()..]);
                    needed.entry(other.to_owned()).or_insert(place);
                }
            }
        }
        Modules { room: room.to_owned(), needs }
    }

    /// All modules that one needs, directly or through others.
    fn reach<'a>(&'a self, from: &'a str) -> BTreeSet<&'a str> {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(module) = open.pop() {
            let needed = self.needs.get(module).into_iter().flat_map(BTreeMap::keys);
            open.extend(needed.map(String::as_str).filter(|other| seen.insert(*other)));
        }
        seen
    }

    fn cycles(&self) -> Vec<Cycle> {
        let reach: BTreeMap<&str, BTreeSet<&str>> =
            self.needs.keys().map(|module| (module.as_str(), self.reach(module))).collect();
        let mut found: Vec<Cycle> = Vec::new();
        for (module, reached) in &reach {
            let known = found.iter().any(|cycle| cycle.modules.contains(*module));
            if reached.contains(module) && !known {
                let back = reached.iter().filter(|other| reach.get(**other).is_some_and(|it| it.contains(module)));
                let modules = back.map(ToString::to_string).collect();
                found.push(Cycle { room: self.room.clone(), steps: self.steps(&modules), modules });
            }
        }
        found
    }

    fn steps(&self, modules: &BTreeSet<String>) -> Vec<String> {
        let within = self.needs.iter().filter(|(module, _)| modules.contains(*module));
        let steps = within.flat_map(|(module, needed)| needed.iter().map(move |(other, at)| (module, other, at)));
        let steps = steps.filter(|(_, other, _)| modules.contains(*other));
        steps.map(|(module, other, at)| format!("{module} → {other} ({at})")).collect()
    }
}

/// Does the module declare something public of this name?
fn declares(files: &[(&str, &File, String)], module: &str, name: &str) -> bool {
    files.iter().any(|(other, _, code)| *other == module && public_items(code).iter().any(|(_, item)| item == name))
}

#[cfg(test)]
mod tests {
    use super::super::architecture::Architecture;
    use super::super::tree::File;
    use super::{check, cycles};

    fn found(page: &str, files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<File> =
            files.iter().map(|(name, text)| File::of_text(&format!("crates/expr/src/{name}.rs"), text)).collect();
        check(&Architecture::parse(page), &cycles(&files)).iter().map(ToString::to_string).collect()
    }

    fn cycle(steps: &str) -> [String; 1] {
        let remedy = "move what they share below them, or give a reason under Cycles in ARCHITECTURE.md";
        [format!("crates/expr/src:1: modules that need each other: {steps}; {remedy}")]
    }

    #[test]
    fn two_modules_that_name_each_other_are_a_cycle() {
        let calls = [("a", "use crate::b::f;"), ("b", "\nfn f() { crate::a::g() }")];
        assert_eq!(found("", &calls), cycle("a → b (a.rs:1), b → a (b.rs:2)"));
        let inner = [("a", "use super::b;"), ("b/inner", "use super::super::a;")];
        assert_eq!(found("", &inner), cycle("a → b (a.rs:1), b → a (b/inner.rs:1)"));
        let one_way = [("a", "use crate::b::f;"), ("b", "#[cfg(test)]\nmod tests { use crate::a; }")];
        assert!(found("", &one_way).is_empty());
    }

    #[test]
    fn what_the_root_passes_on_belongs_to_its_module() {
        let root = ("lib", "mod a;\nmod b;\npub use a::{A, f};\npub use b::*;\n");
        assert_eq!(found("", &[root, ("a", "use crate::B;"), ("b", "use crate::f;\npub struct B;")]).len(), 1);
        assert!(found("", &[root, ("a", "use crate::C;"), ("b", "use crate::f;\npub struct B;")]).is_empty());
    }

    #[test]
    fn a_cycle_through_a_third_module_is_found() {
        let found = found("", &[("a", "use crate::b;"), ("b", "use crate::c;"), ("c", "use crate::a;")]);
        assert_eq!(found, cycle("a → b (a.rs:1), b → c (b.rs:1), c → a (c.rs:1)"));
    }

    #[test]
    fn the_page_allows_a_cycle_that_is_there_and_has_a_reason() {
        let cyclic = [("a", "use crate::b;"), ("b", "use crate::a;")];
        let row = |modules: &str, why: &str| format!("## Cycles\n| `crates/expr` | {modules} | {why} |\n");
        assert!(found(&row("`a`, `b`", "one idea in two files"), &cyclic).is_empty());
        assert_eq!(
            found(&row("`a`, `b`", ""), &cyclic),
            ["ARCHITECTURE.md:2: a cycle without a reason; say why it may stay"]
        );
        assert_eq!(
            found(&row("`a`, `b`, `c`", "one idea"), &cyclic),
            ["ARCHITECTURE.md:2: `c` is in no cycle of crates/expr; take it out of the row"]
        );
    }
}

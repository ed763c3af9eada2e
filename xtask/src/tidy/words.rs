//! Which words may not stand in the tree? Hidden state, flags below the command line, tables in random order,
//! documents that are not here.
//!
//! A rule whose name is in [`PENDING`] is not kept by the whole tree: its hits are counted and told,
//! the others are violations.

use super::Violation;
use super::code::{is_below_the_shells, is_test_code};
use super::rust::{has_word, paths, shipped, shipped_strings, without_comments};
use super::tree::File;

/// Rules that the tree does not keep. A rule without hits is taken out.
const PENDING: &[&str] = &[];

/// Where a file breaks a rule: the line and what is wrong there.
type Hit = (usize, String);

/// A rule, and where a file of the tree breaks it.
struct Rule {
    name: &'static str,
    remedy: &'static str,
    hits: fn(&File, &[File]) -> Vec<Hit>,
}

const RULES: [Rule; 4] = [
    Rule { name: "hidden state", remedy: "take the state as an argument", hits: hidden_state },
    Rule {
        name: "flags below the shells",
        remedy: "name the field of the question, a shell names its flag",
        hits: flags,
    },
    Rule { name: "random order", remedy: "use a `BTreeMap`, or `FxHashMap` of rustc-hash", hits: random_order },
    Rule { name: "documents that are not here", remedy: "say it here, or cite docs/sources.md", hits: documents },
];

/// The violations of the rules that are in force.
pub fn check(files: &[File]) -> Vec<Violation> {
    violations(files, PENDING)
}

fn violations(files: &[File], pending: &[&str]) -> Vec<Violation> {
    let mut found = Vec::new();
    for rule in RULES.iter().filter(|rule| !pending.contains(&rule.name)) {
        for file in files {
            let hits = (rule.hits)(file, files).into_iter();
            found.extend(hits.map(|(line, what)| Violation::new(&file.path, line, what, rule.remedy)));
        }
    }
    found
}

/// How many hits the pending rules have.
pub fn report(files: &[File]) -> Vec<String> {
    let pending = RULES.iter().filter(|rule| PENDING.contains(&rule.name));
    pending.map(|rule| line(rule.name, files.iter().map(|file| (rule.hits)(file, files).len()).sum())).collect()
}

fn line(name: &str, hits: usize) -> String {
    match hits {
        0 => format!("pending rule `{name}`: no hits left; take it out of PENDING in xtask/src/tidy/words.rs"),
        _ => format!("pending rule `{name}`: {hits} hits left"),
    }
}

fn is_rust_of_ours(file: &File) -> bool {
    file.path.starts_with("crates/") && file.path.ends_with(".rs")
}

/// Numbers of expressions at a state that is kept behind the back.
fn hidden_state(file: &File, _: &[File]) -> Vec<Hit> {
    if !is_rust_of_ours(file) {
        return Vec::new();
    }
    let code = without_comments(file.text.as_deref().unwrap_or_default());
    let mut found = Vec::new();
    for (line, text) in (1..).zip(code.lines()) {
        if text.contains(".reference()") {
            found.push((line, "reads a hidden state with `.reference()`".to_owned()));
        }
        for word in ["set_reference", "refer_to"] {
            if has_word(text, word) {
                found.push((line, format!("writes a hidden state with `{word}`")));
            }
        }
    }
    found
}

/// A flag of the command line in a text that is not made there.
fn flags(file: &File, _: &[File]) -> Vec<Hit> {
    // the pages are those of the command line, whichever shell shows them
    let is_page = file.path.starts_with("crates/pages/");
    if !is_rust_of_ours(file) || !is_below_the_shells(file) || is_page {
        return Vec::new();
    }
    let strings = shipped_strings(file.text.as_deref().unwrap_or_default());
    let named = |(line, text): (usize, &str)| flag(text).map(|flag| (line, format!("names the flag `{flag}`")));
    (1..).zip(strings.lines()).filter_map(named).collect()
}

/// The first word such as `--at`.
fn flag(text: &str) -> Option<&str> {
    text.match_indices("--").find_map(|(at, _)| {
        let rest = &text[at + 2..];
        let length = rest.find(|c: char| !(c.is_ascii_lowercase() || c == '-')).unwrap_or(rest.len());
        let begins = rest.starts_with(|c: char| c.is_ascii_lowercase());
        let alone = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-');
        (begins && alone).then(|| &text[at..at + 2 + length])
    })
}

/// Tables whose order differs from run to run.
fn random_order(file: &File, _: &[File]) -> Vec<Hit> {
    if !is_rust_of_ours(file) || !file.path.contains("/src/") || is_test_code(file) {
        return Vec::new();
    }
    let code = shipped(file.text.as_deref().unwrap_or_default());
    let random = |path: &str| {
        let has = |words: &[&str]| path.split("::").any(|part| words.contains(&part));
        has(&["RandomState"]) || (has(&["collections"]) && has(&["HashMap", "HashSet", "hash_map", "hash_set", "*"]))
    };
    let hits = paths(&code).into_iter().filter(|(_, path)| random(path));
    hits.map(|(line, path)| (line, format!("`{path}` has a random order"))).collect()
}

/// Pages such as `docs/x.md` that are not in the tree, and sections of a document in capitals.
fn documents(file: &File, files: &[File]) -> Vec<Hit> {
    if file.path.starts_with("xtask/") {
        return Vec::new(); // tests of the rules name pages that are not there
    }
    let is_name = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
    let is_here = |name: &str| files.iter().any(|file| file.path == name || file.path.ends_with(&format!("/{name}")));
    let mut found = Vec::new();
    for (line, text) in (1..).zip(file.text.iter().flat_map(|text| text.lines())) {
        let words: Vec<&str> = text.split([' ', '`', '(', ')', '[', ']', '"', ',', ';', '#']).collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        for (at, word) in words.iter().enumerate() {
            let word = word.trim_end_matches(['.', ':', '?']).trim_start_matches("../");
            let next = words.get(at + 1).copied().unwrap_or_default();
            let page = word.ends_with(".md") && is_name(word) && !is_here(word);
            if page || is_section_of(word, next) {
                found.push((line, format!("refers to `{word}`, which is not in the tree")));
            }
        }
    }
    found
}

/// Is it a word in capitals before `section`?
fn is_section_of(word: &str, next: &str) -> bool {
    word.len() > 4 && word.chars().all(|c| c.is_ascii_uppercase()) && next.starts_with("section")
}

#[cfg(test)]
mod tests {
    use super::{File, PENDING, RULES, flag, line, violations};

    fn found(path: &str, text: &str) -> Vec<String> {
        violations(&[File::of_text(path, text)], &[]).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn hidden_state_is_found_in_tests_too() {
        let text = "fn f() { e.reference(); }\nfn g() { scope::set_reference(s); loaded.refer_to(s); }\n// refer_to\n";
        let expected = [
            ":1: reads a hidden state with `.reference()`; take the state as an argument",
            ":2: writes a hidden state with `set_reference`; take the state as an argument",
            ":2: writes a hidden state with `refer_to`; take the state as an argument",
        ];
        for path in ["crates/expr/src/a.rs", "crates/expr/tests/a.rs"] {
            assert_eq!(found(path, text), expected.map(|rest| format!("{path}{rest}")));
        }
        assert!(found("xtask/src/a.rs", text).is_empty());
    }

    #[test]
    fn flags_are_found_below_the_command_line() {
        let text = "// --near\nfn f() { g(\"try `--at x=1`\", \"a -- b, a--b\"); }\n\
                    #[cfg(test)]\nmod tests { const T: &str = \"--set\"; }\n";
        let expected = "crates/engine/src/a.rs:2: names the flag `--at`; \
                        name the field of the question, a shell names its flag";
        assert_eq!(found("crates/engine/src/a.rs", text), [expected]);
        assert!(["crates/cli/src/a.rs", "crates/pages/src/a.rs"].iter().all(|path| found(path, text).is_empty()));
        assert_eq!(flag("see --show-motion."), Some("--show-motion"));
        assert_eq!(flag("| --- | --- |"), None);
    }

    #[test]
    fn tables_with_a_random_order_are_found() {
        let text = "use std::collections::{BTreeMap, HashMap};\nuse rustc_hash::FxHashMap;\n\
                    fn f() { std::hash::RandomState::new(); }\n\
                    #[cfg(test)]\nmod tests { use std::collections::HashSet; }\n";
        let expected = [
            "crates/engine/src/a.rs:1: `std::collections::HashMap` has a random order; \
             use a `BTreeMap`, or `FxHashMap` of rustc-hash",
            "crates/engine/src/a.rs:3: `std::hash::RandomState::new` has a random order; \
             use a `BTreeMap`, or `FxHashMap` of rustc-hash",
        ];
        assert_eq!(found("crates/engine/src/a.rs", text), expected);
    }

    #[test]
    fn documents_that_are_not_here_are_found() {
        let name = "NOTES";
        let text = format!("//! See docs/a.md and README.md.\n//! See {name}.md.\n// {name} section 3\n");
        let files = [
            File::of_text("crates/engine/src/a.rs", &text),
            File::of_text("docs/a.md", "[read](../README.md), see `EPSILON` 5\n"),
            File::of_text("README.md", ""),
        ];
        let found: Vec<String> = violations(&files, &[]).iter().map(ToString::to_string).collect();
        let expected = |line: usize, word: &str| {
            let rest = "which is not in the tree; say it here, or cite docs/sources.md";
            format!("crates/engine/src/a.rs:{line}: refers to `{word}`, {rest}")
        };
        assert_eq!(found, [expected(2, &format!("{name}.md")), expected(3, name)]);
    }

    #[test]
    fn a_pending_rule_is_counted_and_not_enforced() {
        let files = [File::of_text("crates/expr/src/a.rs", "fn f() { e.reference(); }")];
        assert_eq!(violations(&files, &["hidden state"]), []);
        assert_eq!(line("hidden state", 3), "pending rule `hidden state`: 3 hits left");
        assert!(line("hidden state", 0).contains("take it out"));
        assert!(PENDING.iter().all(|name| RULES.iter().any(|rule| rule.name == *name)));
    }
}

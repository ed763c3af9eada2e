//! Rules on Rust code: what you will not find where.

use super::Violation;
use super::architecture::Architecture;
use super::dependencies::Crate;
use super::rust::{has_word, paths, without_comments, without_tests};
use super::tree::File;

pub fn check(page: &Architecture, crates: &[Crate], files: &[File]) -> Vec<Violation> {
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with(".rs")) {
        let code = without_comments(file.text.as_deref().unwrap_or_default());
        let shipped = without_tests(&code);
        found.extend(unfinished(file, &code));
        found.extend(utils(file, &code));
        if is_below_the_shells(file) {
            found.extend(outside_world(file, &shipped));
        }
        found.extend(other_formalism(file, &shipped, files));
        for (_, restricted, allowed) in &page.restricted {
            if within(&file.path, restricted) && !file.path.ends_with("/tests.rs") {
                found.extend(restricted_paths(file, &shipped, restricted, allowed, crates));
            }
        }
    }
    found
}

/// Ours and not a shell, and not test code.
pub fn is_below_the_shells(file: &File) -> bool {
    file.path.starts_with("crates/")
        && file.path.contains("/src/")
        && !file.path.starts_with("crates/cli/")
        && !is_test_code(file)
}

/// A file of a crate's sources that holds tests alone.
pub fn is_test_code(file: &File) -> bool {
    file.path.contains("/src/tests/") || file.path.ends_with("/tests.rs") || file.path.contains("/tests/")
}

/// No file opened, no line printed, no clock read.
fn outside_world(file: &File, code: &str) -> Vec<Violation> {
    let mut found = Vec::new();
    for (line, text) in (1..).zip(code.lines()) {
        for name in ["println", "eprintln", "print", "eprint", "dbg"] {
            let call = format!("{name}!");
            if has_call(text, &call) {
                let what = format!("prints with `{call}`");
                found.push(Violation::new(&file.path, line, what, "return the text, a shell prints it"));
            }
        }
        for name in ["Instant", "SystemTime"] {
            if has_word(text, name) {
                let what = format!("reads a clock with `{name}`");
                let remedy = "count steps instead, or let a shell measure";
                found.push(Violation::new(&file.path, line, what, remedy));
            }
        }
    }
    for (line, path) in paths(code) {
        let first = path.split("::").next().unwrap_or_default();
        if is_in(&path, "std::fs") || matches!(first, "fs" | "File" | "OpenOptions") {
            let what = format!("opens files with `{path}`");
            found.push(Violation::new(&file.path, line, what, "take text as an argument, a shell reads it"));
        }
    }
    found
}

/// Is `call` there with no letter before it?
fn has_call(text: &str, call: &str) -> bool {
    text.match_indices(call).any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

fn unfinished(file: &File, code: &str) -> Vec<Violation> {
    let mut found = Vec::new();
    for (line, text) in (1..).zip(code.lines()) {
        for call in ["todo!", "unimplemented!"] {
            if has_call(text, call) {
                let what = format!("`{call}` marks unfinished work");
                found.push(Violation::new(&file.path, line, what, "finish it, or return an error that says so"));
            }
        }
    }
    found
}

fn utils(file: &File, code: &str) -> Vec<Violation> {
    let remedy = "name the module after the question it answers";
    let mut found = Vec::new();
    let parts = file.path.trim_end_matches(".rs").split('/');
    if parts.into_iter().any(|part| matches!(part, "util" | "utils")) {
        found.push(Violation::new(&file.path, 1, "a module named utils", remedy));
    }
    for (line, text) in (1..).zip(code.lines()) {
        if ["mod util", "mod utils"].iter().any(|module| has_word(text, module)) {
            found.push(Violation::new(&file.path, line, "a module named utils", remedy));
        }
    }
    found
}

/// `formalism/x.rs` never names `formalism/y.rs`.
fn other_formalism(file: &File, code: &str, files: &[File]) -> Vec<Violation> {
    let Some((folder, own)) = file.path.rsplit_once('/').filter(|(folder, _)| folder.ends_with("/formalism")) else {
        return Vec::new();
    };
    let is_sibling = |name: &str| {
        let other = format!("{name}.rs");
        other != own && files.iter().any(|file| file.path == format!("{folder}/{other}"))
    };
    let mut found = Vec::new();
    for (line, path) in paths(code) {
        let full = resolved(&file.path, &path);
        let parts: Vec<&str> = full.split("::").collect();
        if let ["crate", "formalism", other, ..] = parts[..]
            && is_sibling(other)
        {
            let what = format!("a formalism that uses another, `{other}`");
            let remedy = "move what both need to ingredients.rs";
            found.push(Violation::new(&file.path, line, what, remedy));
        }
    }
    found
}

/// A restricted file names only what the page allows from our crates.
fn restricted_paths(file: &File, code: &str, restricted: &str, allowed: &[String], crates: &[Crate]) -> Vec<Violation> {
    let own = module(restricted);
    let mut found = Vec::new();
    for (line, path) in paths(code) {
        let full = resolved(&file.path, &path);
        let first = full.split("::").next().unwrap_or_default();
        let ours = first == "crate" || crates.iter().any(|it| it.library == first);
        let may = is_in(&full, &own) || allowed.iter().any(|it| is_in(&full, it));
        if ours && !may {
            let what = format!("may not use `{full}`");
            let remedy = format!("it may use {} (Restricted, in ARCHITECTURE.md)", list(allowed));
            found.push(Violation::new(&file.path, line, what, remedy));
        }
    }
    found
}

fn list(words: &[String]) -> String {
    if words.is_empty() { "nothing of ours".to_owned() } else { words.join(", ") }
}

/// Is `path` the file, or in the folder of the module `file`?
fn within(path: &str, file: &str) -> bool {
    path == file || path.strip_prefix(file.trim_end_matches(".rs")).is_some_and(|rest| rest.starts_with('/'))
}

fn is_in(path: &str, module: &str) -> bool {
    path == module || path.strip_prefix(module).is_some_and(|rest| rest.starts_with("::"))
}

/// `crates/proof/src/check/replay.rs` is the module `crate::check::replay`.
fn module(file: &str) -> String {
    let inner = file.split_once("/src/").map_or(file, |(_, inner)| inner).trim_end_matches(".rs");
    let parts = inner.split('/').filter(|part| !matches!(*part, "lib" | "main" | "mod"));
    ["crate"].into_iter().chain(parts).collect::<Vec<_>>().join("::")
}

/// The path from the crate's root: `super` and `self` spelled out as seen from the file.
pub fn resolved(file: &str, path: &str) -> String {
    let mut module = module(file);
    let mut rest = path;
    if let Some(inner) = rest.strip_prefix("self::") {
        return format!("{module}::{inner}");
    }
    while let Some(inner) = rest.strip_prefix("super::") {
        module.truncate(module.rfind("::").unwrap_or(module.len()));
        rest = inner;
    }
    if rest.len() == path.len() { path.to_owned() } else { format!("{module}::{rest}") }
}

#[cfg(test)]
mod tests {
    use super::super::architecture::Architecture;
    use super::super::tree::File;
    use super::{check, module, resolved};
    use crate::tidy::dependencies::crates;

    fn violations(files: &[(&str, &str)]) -> Vec<String> {
        let page = Architecture::parse(
            "## Restricted\n| `crates/proof/src/check.rs` | `crate::certificate`, `expr::Rational` |\n",
        );
        let mut files: Vec<File> = files.iter().map(|(path, text)| File::of_text(path, text)).collect();
        files.push(File::of_text(
            "crates/expr/Cargo.toml",
            "[package]\nname = \"anholon-expr\"\n[lib]\nname = \"expr\"\n",
        ));
        let found = check(&page, &crates(&files), &files);
        found.iter().map(|it| format!("{}:{}: {}", it.file, it.line, it.what)).collect()
    }

    #[test]
    fn below_the_shells_nothing_is_printed_opened_or_timed() {
        let text = "use std::{fs, time::Instant};\nfn f() { eprintln!(); File::open(p); }\n// println!()\n\
                    #[cfg(test)]\nmod tests { fn g() { println!(); std::fs::read(p); } }\n";
        let expected = [
            "crates/expr/src/a.rs:1: reads a clock with `Instant`",
            "crates/expr/src/a.rs:2: prints with `eprintln!`",
            "crates/expr/src/a.rs:1: opens files with `std::fs`",
            "crates/expr/src/a.rs:2: opens files with `File::open`",
        ];
        assert_eq!(violations(&[("crates/expr/src/a.rs", text)]), expected);
        for shell in ["crates/cli/src/main.rs", "xtask/src/main.rs", "crates/expr/tests/laws.rs"] {
            assert!(violations(&[(shell, text)]).is_empty(), "{shell}");
        }
    }

    #[test]
    fn unfinished_work_and_utils_are_found() {
        let text = "mod utils;\nfn f() { todo!() }\nfn g() { unimplemented!(\"later\") }\n";
        let found = violations(&[("crates/expr/src/util.rs", text)]);
        let expected = [
            "crates/expr/src/util.rs:2: `todo!` marks unfinished work",
            "crates/expr/src/util.rs:3: `unimplemented!` marks unfinished work",
            "crates/expr/src/util.rs:1: a module named utils",
            "crates/expr/src/util.rs:1: a module named utils",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn the_checker_names_only_what_it_may() {
        let text = "use expr::{Expr, Rational};\nuse crate::certificate::{Certificate, Step};\n\
                    use super::decide;\nfn f() { crate::solve::g(); self::h(); }\n";
        let expected = [
            "crates/proof/src/check.rs:1: may not use `expr::Expr`",
            "crates/proof/src/check.rs:3: may not use `crate::decide`",
            "crates/proof/src/check.rs:4: may not use `crate::solve::g`",
        ];
        assert_eq!(violations(&[("crates/proof/src/check.rs", text)]), expected);
        let inner = "use super::state;\nuse super::super::decide;\n";
        let expected = ["crates/proof/src/check/replay.rs:2: may not use `crate::decide`"];
        assert_eq!(violations(&[("crates/proof/src/check/replay.rs", inner)]), expected);
    }

    #[test]
    fn a_formalism_does_not_use_another() {
        let folder = "crates/mechanics/src/formalism";
        let (kane, appell) = (format!("{folder}/kane.rs"), format!("{folder}/appell.rs"));
        let text = "use super::appell::derive;\nuse crate::formalism::{kane, Form};\n";
        let found = violations(&[(&kane, text), (&appell, "")]);
        assert_eq!(found, [format!("{kane}:1: a formalism that uses another, `appell`")]);
    }

    #[test]
    fn paths_are_seen_from_the_root() {
        assert_eq!(module("crates/proof/src/check/replay.rs"), "crate::check::replay");
        assert_eq!(module("crates/proof/src/lib.rs"), "crate");
        assert_eq!(resolved("crates/proof/src/check/replay.rs", "super::super::decide"), "crate::decide");
        assert_eq!(resolved("crates/proof/src/check.rs", "expr::Expr"), "expr::Expr");
    }
}

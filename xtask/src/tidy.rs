//! Is ARCHITECTURE.md true of the tree, and are the rules of the house kept?
//!
//! ARCHITECTURE.md is data here: its rooms, its dependencies, its cycles and its restricted files are
//! read from the page and compared with what is there. Its list of files is written. Each violation is
//! one line: where, what is wrong, what would be right.

mod architecture;
mod code;
mod cycles;
mod dependencies;
mod facade;
mod length;
mod listing;
mod rooms;
mod rust;
mod text;
mod tree;
mod words;

use std::{fmt, fs};

use crate::command::root;
use architecture::Architecture;
use tree::File;

/// One thing that is not as it should be.
#[derive(Debug, PartialEq)]
struct Violation {
    file: String,
    line: usize,
    what: String,
    remedy: String,
}

impl Violation {
    fn new(file: &str, line: usize, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Violation { file: file.to_owned(), line, what: what.into(), remedy: remedy.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}; {}", self.file, self.line, self.what, self.remedy)
    }
}

/// Checks the whole tree; prints what is measured and every violation.
pub fn run() -> Result<(), String> {
    println!("tidy: ARCHITECTURE.md, dependencies and rules against the tree");
    let files = tree::files()?;
    for line in report(&files)? {
        println!("{line}");
    }
    let violations = check(&files)?;
    for violation in &violations {
        println!("{violation}");
    }
    match violations.len() {
        0 => Ok(()),
        1 => Err("tidy found one violation".to_owned()),
        many => Err(format!("tidy found {many} violations")),
    }
}

/// Writes what is generated on ARCHITECTURE.md, then checks the whole tree.
pub fn write() -> Result<(), String> {
    let files = tree::files()?;
    let old = page(&files)?;
    let new = written(old, &files);
    if new != old {
        let path = root().join(architecture::PATH);
        fs::write(&path, new).map_err(|error| format!("cannot write {}: {error}", architecture::PATH))?;
        println!("tidy: wrote {}", architecture::PATH);
    }
    run()
}

/// The page with the list of files as it is, and with limits as low as they can be.
fn written(old: &str, files: &[File]) -> String {
    let architecture = Architecture::parse(old);
    let lowered = length::lowered(&architecture, old, &length::long_functions(files));
    listing::rewritten(&architecture, &lowered, files)
}

/// The text of ARCHITECTURE.md.
fn page(files: &[File]) -> Result<&str, String> {
    let page = files.iter().find(|file| file.path == architecture::PATH);
    Ok(page.and_then(|file| file.text.as_deref()).ok_or("there is no ARCHITECTURE.md to compare with")?)
}

/// What is measured, kept or not.
fn report(files: &[File]) -> Result<Vec<String>, String> {
    let page = Architecture::parse(page(files)?);
    let mut lines = length::report(&page, &length::long_functions(files));
    lines.push(format!("cycles between modules: {}", cycles::cycles(files).len()));
    lines.extend(facade::report(files));
    lines.extend(words::report(files));
    Ok(lines)
}

fn check(files: &[File]) -> Result<Vec<Violation>, String> {
    let text = page(files)?;
    let architecture = Architecture::parse(text);
    let crates = dependencies::crates(files);
    let mut found = rooms::check(&architecture, files);
    found.extend(listing::check(&architecture, text, files));
    found.extend(dependencies::check(&architecture, &crates));
    found.extend(code::check(&architecture, &crates, files));
    found.extend(cycles::check(&architecture, &cycles::cycles(files)));
    found.extend(length::check(&architecture, &length::long_functions(files)));
    found.extend(words::check(files));
    found.extend(files.iter().flat_map(text::check));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{File, check, written};

    const PAGE: &str = "\
## Rooms
```text
crates/expr   the kernel
```
## Dependencies
| crate | depends on |
| --- | --- |
| `expr` | – |
## Measures
| `long functions` | 3 |
## Files
";

    /// A small tree with this page and this library.
    fn with_page(page: &str, library: &str) -> Vec<File> {
        let manifest = "[package]\nname = \"expr\"\n[dependencies]\n";
        [("ARCHITECTURE.md", page), ("crates/expr/Cargo.toml", manifest), ("crates/expr/src/lib.rs", library)]
            .map(|(path, text)| File::of_text(path, text))
            .into()
    }

    fn tree(library: &str) -> Vec<File> {
        with_page(&written(PAGE, &with_page(PAGE, library)), library)
    }

    #[test]
    fn a_tree_that_follows_its_page_is_tidy() {
        assert_eq!(check(&tree("//! F.\npub fn f() {}\n")), Ok(vec![]));
    }

    #[test]
    fn the_page_is_written_once_and_limits_fall() {
        let files = tree("//! Is it F?\n");
        let page = files[0].text.clone().unwrap();
        assert!(page.contains("| `long functions` | 0 |\n") && page.contains("- `lib.rs` – Is it F?\n"), "{page}");
        assert_eq!(written(&page, &files), page);
    }

    #[test]
    fn a_violation_is_one_line_with_place_and_remedy() {
        let found = check(&tree("//! F.\npub fn f() { println!(); }\n")).expect("a page");
        let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
        let expected = "crates/expr/src/lib.rs:2: prints with `println!`; return the text, a shell prints it";
        assert_eq!(lines, [expected]);
    }
}

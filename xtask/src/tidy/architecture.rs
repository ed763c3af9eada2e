//! What does ARCHITECTURE.md say? The page as data.
//!
//! ```text
//! ## Rooms           a text block, one path a line, then what it is
//! ## Dependencies    | crate | depends on |     `syntax`, `expr`, or a dash
//! ## Restricted      | file | may use |         `crate::certificate`, `expr::Rational`
//! ## Cycles          | crate | modules | why |  `crates/expr`, then modules that may need each other
//! ## Measures        | measure | at most |      a name and a number that may only fall
//! ```

/// The page's own path.
pub const PATH: &str = "ARCHITECTURE.md";

/// Every entry comes with its line on the page.
#[derive(Debug, Default, PartialEq)]
pub struct Architecture {
    /// Folders.
    pub rooms: Vec<(usize, String)>,
    /// A crate and those of ours it depends on.
    pub dependencies: Vec<(usize, String, Vec<String>)>,
    /// A file and the paths it may name from our crates.
    pub restricted: Vec<(usize, String, Vec<String>)>,
    /// Modules that may need each other.
    pub cycles: Vec<Allowed>,
    /// What is measured, and how large it may be.
    pub measures: Vec<(usize, String, usize)>,
}

/// A row of the table of cycles.
#[derive(Debug, PartialEq)]
pub struct Allowed {
    /// The line on the page.
    pub line: usize,
    /// The folder of the crate.
    pub room: String,
    /// The modules.
    pub modules: Vec<String>,
    /// Why they may.
    pub reason: String,
}

impl Architecture {
    /// Reads the page; lines that are not data are passed by.
    pub fn parse(page: &str) -> Self {
        let mut result = Architecture::default();
        let (mut heading, mut fenced) = ("", false);
        for (line, text) in (1..).zip(page.lines()) {
            if text.starts_with("```") {
                fenced = !fenced;
            } else if fenced {
                result.read_fenced(heading, line, text);
            } else if let Some(title) = text.strip_prefix("## ") {
                heading = title.trim();
            } else {
                result.read(heading, line, text);
            }
        }
        result
    }

    /// The line and the limit of a measure.
    pub fn measure(&self, name: &str) -> Option<(usize, usize)> {
        self.measures.iter().find(|(_, measure, _)| measure == name).map(|(line, _, most)| (*line, *most))
    }

    fn read_fenced(&mut self, heading: &str, line: usize, text: &str) {
        if heading == "Rooms"
            && let Some(path) = text.split_whitespace().next()
        {
            self.rooms.push((line, path.trim_end_matches('/').to_owned()));
        }
    }

    fn read(&mut self, heading: &str, line: usize, text: &str) {
        match heading {
            "Dependencies" => self.dependencies.extend(row(line, text)),
            "Restricted" => self.restricted.extend(row(line, text)),
            "Cycles" => self.cycles.extend(cycle(line, text)),
            "Measures" => self.measures.extend(measure(line, text)),
            _ => {}
        }
    }
}

/// A table row whose first cell holds one quoted word; the header and the rule below it do not.
fn row(line: usize, text: &str) -> Option<(usize, String, Vec<String>)> {
    let [first, second, ..] = cells(text)[..] else { return None };
    let name = quoted(first).into_iter().next()?;
    Some((line, name, quoted(second)))
}

/// A row of three cells: crate, modules, reason.
fn cycle(line: usize, text: &str) -> Option<Allowed> {
    let (line, room, modules) = row(line, text)?;
    let reason = cells(text).get(2).copied().unwrap_or_default().to_owned();
    Some(Allowed { line, room, modules, reason })
}

/// A row of two cells: a name and a number.
fn measure(line: usize, text: &str) -> Option<(usize, String, usize)> {
    let (line, name, _) = row(line, text)?;
    Some((line, name, cells(text).get(1)?.parse().ok()?))
}

/// The cells of a table row.
fn cells(text: &str) -> Vec<&str> {
    text.strip_prefix('|').map_or_else(Vec::new, |rest| rest.split('|').map(str::trim).collect())
}

/// The words between backquotes.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::{Allowed, Architecture};

    #[test]
    fn the_page_is_read_as_data() {
        let page = "\
# Architecture
## Rooms
```text
crates/expr   the kernel
xtask/        chores
```
## Files
### `crates/expr`
What it is for, with a `word.rs` in passing.
- `number.rs` – exact rationals, not `f64`
## Dependencies
| crate | depends on |
| --- | --- |
| `expr` | – |
| `engine` | `expr`, `proof` |
## Restricted
| file | may use |
| --- | --- |
| `crates/proof/src/check.rs` | `crate::certificate` |
## Cycles
| crate | modules | why |
| --- | --- | --- |
| `crates/expr` | `scope`, `graph` | a handle and `its` graph |
## Measures
| `long functions` | 12 |
";
        let owned = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<String>>();
        let expected = Architecture {
            rooms: vec![(4, "crates/expr".into()), (5, "xtask".into())],
            dependencies: vec![(14, "expr".into(), vec![]), (15, "engine".into(), owned(&["expr", "proof"]))],
            restricted: vec![(19, "crates/proof/src/check.rs".into(), owned(&["crate::certificate"]))],
            cycles: vec![Allowed {
                line: 23,
                room: "crates/expr".into(),
                modules: owned(&["scope", "graph"]),
                reason: "a handle and `its` graph".into(),
            }],
            measures: vec![(25, "long functions".into(), 12)],
        };
        assert_eq!(Architecture::parse(page), expected);
    }
}

//! ARCHITECTURE.md as data.
//!
//! ```text
//! ## Rooms           a text block, one path a line, then what it is
//! ## Files           ### crates/x, then one line a file of its src folder: - `number.rs` – what it answers
//! ## Dependencies    | crate | depends on |     `syntax`, `expr`, or a dash
//! ## Restricted      | file | may use |         `crate::certificate`, `expr::Rational`
//! ```

/// The page's own path.
pub const PATH: &str = "ARCHITECTURE.md";

/// Every entry comes with its line on the page.
#[derive(Debug, Default, PartialEq)]
pub struct Architecture {
    /// Folders.
    pub rooms: Vec<(usize, String)>,
    /// Headings under Files, such as `crates/expr`.
    pub sections: Vec<(usize, String)>,
    /// Files from the root, such as `crates/expr/src/number.rs`.
    pub files: Vec<(usize, String)>,
    /// A crate and those of ours it depends on.
    pub dependencies: Vec<(usize, String, Vec<String>)>,
    /// A file and the paths it may name from our crates.
    pub restricted: Vec<(usize, String, Vec<String>)>,
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

    fn read_fenced(&mut self, heading: &str, line: usize, text: &str) {
        if heading == "Rooms"
            && let Some(path) = text.split_whitespace().next()
        {
            self.rooms.push((line, path.trim_end_matches('/').to_owned()));
        }
    }

    fn read(&mut self, heading: &str, line: usize, text: &str) {
        match heading {
            "Files" => self.read_file(line, text),
            "Dependencies" => self.dependencies.extend(row(line, text)),
            "Restricted" => self.restricted.extend(row(line, text)),
            _ => {}
        }
    }

    fn read_file(&mut self, line: usize, text: &str) {
        if let Some(title) = text.strip_prefix("### ") {
            self.sections.push((line, title.trim().trim_matches('`').to_owned()));
        } else if let (Some((_, section)), Some(item)) = (self.sections.last(), text.strip_prefix("- "))
            && let Some(name) = quoted(item).first()
        {
            self.files.push((line, format!("{section}/src/{name}")));
        }
    }
}

/// A table row whose first cell holds one quoted word; the header and the rule below it do not.
fn row(line: usize, text: &str) -> Option<(usize, String, Vec<String>)> {
    let (first, second) = text.strip_prefix('|')?.split_once('|')?;
    let name = quoted(first).into_iter().next()?;
    Some((line, name, quoted(second)))
}

/// The words between backquotes.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::Architecture;

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
";
        let owned = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<String>>();
        let expected = Architecture {
            rooms: vec![(4, "crates/expr".into()), (5, "xtask".into())],
            sections: vec![(8, "crates/expr".into())],
            files: vec![(10, "crates/expr/src/number.rs".into())],
            dependencies: vec![(14, "expr".into(), vec![]), (15, "engine".into(), owned(&["expr", "proof"]))],
            restricted: vec![(19, "crates/proof/src/check.rs".into(), owned(&["crate::certificate"]))],
        };
        assert_eq!(Architecture::parse(page), expected);
    }
}

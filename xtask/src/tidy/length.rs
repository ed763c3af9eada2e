//! Which functions are long? Only tables and numerical kernels may be, and say so in their comment.
//!
//! ```text
//! /// Long: a table.
//! /// Long: a numerical kernel.
//! ```
//!
//! The others are counted. Their number stands on the page under Measures and may only fall.

use super::Violation;
use super::architecture::{Architecture, PATH};
use super::code::is_test_code;
use super::rust::{functions, shipped};
use super::tree::File;

/// More lines than this, from `fn` to the closing brace, are long.
const LONGEST: usize = 60;
/// What a long function may say for itself.
const REASONS: [&str; 2] = ["Long: a table.", "Long: a numerical kernel."];
/// The row of the page that limits the others.
pub const MEASURE: &str = "long functions";

/// A long function.
#[derive(Debug, PartialEq)]
pub struct Long {
    /// Its file.
    pub file: String,
    /// The line of its `fn`.
    pub line: usize,
    /// Its name.
    pub name: String,
    /// How many lines it has.
    pub lines: usize,
    /// Whether its comment says why.
    pub explained: bool,
}

/// Finds the long functions of all sources, the longest first.
pub fn long_functions(files: &[File]) -> Vec<Long> {
    let sources = files.iter().filter(|file| file.path.contains("src/") && file.path.ends_with(".rs"));
    let mut found: Vec<Long> = sources.filter(|file| !is_test_code(file)).flat_map(long_in).collect();
    found.sort_by(|a, b| b.lines.cmp(&a.lines).then_with(|| a.file.cmp(&b.file)));
    found
}

fn long_in(file: &File) -> Vec<Long> {
    let text = file.text.as_deref().unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let long = functions(&shipped(text)).into_iter().filter(|function| function.lines > LONGEST);
    long.map(|function| Long {
        file: file.path.clone(),
        line: function.line,
        explained: comment_above(&lines, function.line).any(|line| REASONS.iter().any(|why| line.ends_with(why))),
        name: function.name,
        lines: function.lines,
    })
    .collect()
}

/// The lines of the comment and the attributes directly above a line, from below.
fn comment_above<'a>(lines: &'a [&'a str], line: usize) -> impl Iterator<Item = &'a str> {
    let above = lines[..line - 1].iter().rev().map(|text| text.trim());
    above.take_while(|text| text.starts_with("///") || text.starts_with('#'))
}

/// Complains if more functions are long without a reason than the page allows.
pub fn check(page: &Architecture, long: &[Long]) -> Vec<Violation> {
    let count = unexplained(long).count();
    match page.measure(MEASURE) {
        Some((line, most)) if count > most => {
            let what = format!("functions over {LONGEST} lines without a reason: {count}, at most {most}");
            let remedy = "divide the new ones, or say why they are long: `/// Long: a table.`";
            vec![Violation::new(PATH, line, what, remedy)]
        }
        Some(_) => Vec::new(),
        None => {
            let what = format!("no row `{MEASURE}` under Measures");
            vec![Violation::new(PATH, 1, what, format!("add it with the number {count}"))]
        }
    }
}

/// The page with a limit that is not higher than it must be.
pub fn lowered(page: &Architecture, text: &str, long: &[Long]) -> String {
    let count = unexplained(long).count();
    let Some((line, most)) = page.measure(MEASURE).filter(|(_, most)| count < *most) else {
        return text.to_owned();
    };
    let row = |(at, old): (usize, &str)| match at == line {
        true => old.replace(&format!("| {most} |"), &format!("| {count} |")),
        false => old.to_owned(),
    };
    let lines: Vec<String> = (1..).zip(text.split('\n')).map(row).collect();
    lines.join("\n")
}

/// Tells how many there are and which, and that the limit can fall.
pub fn report(page: &Architecture, long: &[Long]) -> Vec<String> {
    let (count, most) = (unexplained(long).count(), page.measure(MEASURE).map_or(0, |(_, most)| most));
    let explained = long.len() - count;
    let mut lines = vec![format!(
        "functions over {LONGEST} lines: {count} without a reason (at most {most}), {explained} tables and kernels"
    )];
    lines.extend(unexplained(long).map(|it| format!("  {:4} {}:{} {}", it.lines, it.file, it.line, it.name)));
    if count < most {
        lines.push(format!("  `cargo xtask tidy --write` lowers the limit from {most} to {count}"));
    }
    lines
}

/// Those that do not say why they are long.
pub fn unexplained(long: &[Long]) -> impl Iterator<Item = &Long> {
    long.iter().filter(|function| !function.explained)
}

#[cfg(test)]
mod tests {
    use super::super::architecture::Architecture;
    use super::super::tree::File;
    use super::{check, long_functions, lowered, report};

    fn function(head: &str, lines: usize) -> String {
        format!("{head} {{\n{}}}\n", "    step();\n".repeat(lines - 2))
    }

    fn found(text: &str) -> Vec<(String, usize, bool)> {
        let files = [File::of_text("crates/expr/src/a.rs", text)];
        long_functions(&files).into_iter().map(|it| (it.name, it.line, it.explained)).collect()
    }

    #[test]
    fn sixty_lines_are_not_long_and_sixty_one_are() {
        assert_eq!(found(&function("fn f()", 60)), []);
        assert_eq!(found(&function("fn f(x: [u8; 3]) -> T\nwhere T: U,\n", 61)), [("f".into(), 1, false)]);
    }

    #[test]
    fn a_comment_may_say_why_and_tests_are_not_measured() {
        let table = function("/// Names.\n///\n/// Long: a table.\n#[rustfmt::skip]\nfn f()", 70);
        assert_eq!(found(&table), [("f".into(), 5, true)]);
        let other = function("/// Long: a table.\nfn g() {}\nfn f()", 70);
        assert_eq!(found(&other), [("f".into(), 3, false)]);
        assert_eq!(found(&format!("#[cfg(test)]\nmod tests {{\n{}}}", function("fn f()", 70))), []);
    }

    #[test]
    fn more_than_the_page_allows_are_a_violation() {
        let files = [File::of_text("crates/expr/src/a.rs", &function("fn f()", 61))];
        let long = long_functions(&files);
        let page = |most| Architecture::parse(&format!("## Measures\n| `long functions` | {most} |\n"));
        assert!(check(&page(1), &long).is_empty());
        let violations: Vec<String> = check(&page(0), &long).iter().map(ToString::to_string).collect();
        assert_eq!(
            violations,
            ["ARCHITECTURE.md:2: functions over 60 lines without a reason: 1, at most 0; \
              divide the new ones, or say why they are long: `/// Long: a table.`"]
        );
        assert_eq!(check(&Architecture::default(), &long).len(), 1);
        let told = report(&page(2), &long);
        assert_eq!(told[1], "    61 crates/expr/src/a.rs:1 f");
        assert_eq!(told[2], "  `cargo xtask tidy --write` lowers the limit from 2 to 1");
        let text = |most| format!("## Measures\n| `long functions` | {most} |\n");
        assert_eq!(lowered(&page(2), &text(2), &long), text(1));
        assert_eq!(lowered(&page(0), &text(0), &long), text(0));
    }
}

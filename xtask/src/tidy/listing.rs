//! What does the list of files on ARCHITECTURE.md say? The first sentence of each file; it is generated.

use super::Violation;
use super::architecture::{Architecture, PATH};
use super::tree::File;

/// The heading of the section.
const HEADING: &str = "## Files";
/// What stands between the heading and the list.
const INTRODUCTION: &str = "\
One line a file of each `src`: the first sentence of the file, the question that it answers. The list is
written by `cargo xtask tidy --write`.";

/// Complains of files without a first line, and of a list that is not what the files say.
pub fn check(page: &Architecture, text: &str, files: &[File]) -> Vec<Violation> {
    let mut found: Vec<Violation> = sources(files).filter(|file| purpose(file).is_none()).map(silent).collect();
    let (old, new) = (text.lines(), rewritten(page, text, files));
    let pairs = old.map(Some).chain([None]).zip(new.lines().map(Some).chain([None]));
    if let Some((line, (_, wanted))) = (1..).zip(pairs).find(|(_, (old, new))| old != new) {
        let what = match wanted {
            Some(wanted) => format!("the list of files is not up to date, here stands: {wanted}"),
            None => "the list of files is not up to date, here it ends".to_owned(),
        };
        found.push(Violation::new(PATH, line, what, "run `cargo xtask tidy --write`"));
    }
    found
}

fn silent(file: &File) -> Violation {
    let what = "does not say what it is for";
    Violation::new(&file.path, 1, what, "begin it with `//!` and the question that it answers")
}

/// The page with a list that is true of the files.
pub fn rewritten(page: &Architecture, text: &str, files: &[File]) -> String {
    let heading = format!("{HEADING}\n");
    let Some(start) = text.find(&heading) else {
        return text.to_owned();
    };
    let rest = &text[start + heading.len()..];
    let end = rest.find("\n## ").map_or("", |at| &rest[at..]);
    format!("{}{heading}\n{INTRODUCTION}\n{}{end}", &text[..start], list(page, files))
}

/// A heading for each room with sources, in the order of the rooms, and a line for each file.
fn list(page: &Architecture, files: &[File]) -> String {
    let mut list = String::new();
    for (_, room) in &page.rooms {
        let folder = format!("{room}/src/");
        let mut inner: Vec<(&str, &File)> =
            sources(files).filter_map(|file| Some((file.path.strip_prefix(&folder)?, file))).collect();
        inner
            .sort_by_key(|(name, _)| (!matches!(*name, "lib.rs" | "main.rs"), name.trim_end_matches(".rs").to_owned()));
        if !inner.is_empty() {
            list.push_str(&format!("\n### {room}\n\n"));
        }
        for (name, file) in inner {
            list.push_str(&format!("- `{name}` – {}\n", purpose(file).unwrap_or_default()));
        }
    }
    list
}

fn sources(files: &[File]) -> impl Iterator<Item = &File> {
    files.iter().filter(|file| file.path.contains("/src/") && file.path.ends_with(".rs"))
}

/// The first sentence of the file's own documentation, without its full stop.
fn purpose(file: &File) -> Option<String> {
    let lines = file.text.as_deref()?.lines().take_while(|line| line.starts_with("//!"));
    let paragraph: Vec<&str> = lines.map(|line| line[3..].trim()).take_while(|line| !line.is_empty()).collect();
    let paragraph = paragraph.join(" ");
    let ends = [". ", "? ", "! "].iter().filter_map(|end| paragraph.find(end)).min();
    let sentence = ends.map_or(&paragraph[..], |at| &paragraph[..=at]).trim_end_matches('.');
    (!sentence.is_empty()).then(|| sentence.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::architecture::Architecture;
    use super::super::tree::File;
    use super::{INTRODUCTION, check, purpose, rewritten};

    const BEFORE: &str = "## Rooms\n```text\ncrates/expr  kernel\nxtask  chores\n```\n## Files\n";

    fn files() -> Vec<File> {
        let texts = [
            ("crates/expr/src/a/b.rs", "//! How is b made? By hand.\n"),
            ("crates/expr/src/a.rs", "//! What is a, and\n//! where?\n//!\n//! More.\n"),
            ("crates/expr/src/lib.rs", "//! The kernel.\n"),
            ("crates/expr/tests/law.rs", "fn f() {}\n"),
            ("xtask/src/main.rs", "//! Which chore?\n"),
        ];
        texts.map(|(path, text)| File::of_text(path, text)).into()
    }

    #[test]
    fn the_list_follows_the_rooms_and_the_first_sentences() {
        let old = format!("{BEFORE}\nOld.\n- `gone.rs` – x\n\n## Last\n\nWords.\n");
        let page = Architecture::parse(&old);
        let new = rewritten(&page, &old, &files());
        let list = "### crates/expr\n\n- `lib.rs` – The kernel\n- `a.rs` – What is a, and where?\n\
                    - `a/b.rs` – How is b made?\n\n### xtask\n\n- `main.rs` – Which chore?\n";
        assert_eq!(new, format!("{BEFORE}\n{INTRODUCTION}\n\n{list}\n## Last\n\nWords.\n"));
        assert_eq!(rewritten(&page, &new, &files()), new);
        assert_eq!(check(&page, &new, &files()), []);
    }

    #[test]
    fn a_stale_list_and_a_file_that_says_nothing_are_found() {
        let old = rewritten(&Architecture::parse(BEFORE), BEFORE, &files());
        let mut files = files();
        files.push(File::of_text("crates/expr/src/c.rs", "fn f() {}\n"));
        let found: Vec<String> =
            check(&Architecture::parse(&old), &old, &files).iter().map(ToString::to_string).collect();
        let expected = [
            "crates/expr/src/c.rs:1: does not say what it is for; begin it with `//!` and the question that it answers",
            "ARCHITECTURE.md:16: the list of files is not up to date, here stands: - `c.rs` – ; \
             run `cargo xtask tidy --write`",
        ];
        assert_eq!(found, expected);
        files.truncate(4);
        let found = check(&Architecture::parse(&old), &old, &files);
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn a_sentence_ends_at_its_mark() {
        let purpose = |text: &str| purpose(&File::of_text("a/src/b.rs", text));
        assert_eq!(purpose("//! Sums of `a.b` and c. More.\n").as_deref(), Some("Sums of `a.b` and c"));
        assert_eq!(purpose("use a;\n//! Late.\n"), None);
    }
}

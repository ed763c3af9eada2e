//! Are the rooms those of the page? Every folder has its line, and what has a line is there.

use std::collections::BTreeSet;

use super::Violation;
use super::architecture::{Architecture, PATH};
use super::tree::File;

pub fn check(page: &Architecture, files: &[File]) -> Vec<Violation> {
    let mut found = missing_rooms(page, files);
    found.extend(absent_rooms(page, files));
    found
}

/// The room of a file: a folder of `crates`, or another folder at the top that is not hidden.
fn room(path: &str) -> Option<String> {
    let mut parts = path.split('/');
    let (first, second) = (parts.next()?, parts.next()?);
    match first {
        "crates" => parts.next().map(|_| format!("crates/{second}")),
        _ if first.starts_with('.') => None,
        _ => Some(first.to_owned()),
    }
}

fn missing_rooms(page: &Architecture, files: &[File]) -> Vec<Violation> {
    let rooms: BTreeSet<String> = files.iter().filter_map(|file| room(&file.path)).collect();
    let is_listed = |name: &String| page.rooms.iter().any(|(_, listed)| listed == name);
    let missing = rooms.iter().filter(|name| !is_listed(name));
    missing
        .map(|name| Violation::new(PATH, 1, format!("the room `{name}` is not listed"), "add it under Rooms"))
        .collect()
}

fn absent_rooms(page: &Architecture, files: &[File]) -> Vec<Violation> {
    let is_there = |name: &str| files.iter().any(|file| file.path.starts_with(&format!("{name}/")));
    let absent = page.rooms.iter().filter(|(_, name)| !is_there(name));
    absent
        .map(|(line, name)| {
            let what = format!("the room `{name}` holds no file");
            Violation::new(PATH, *line, what, "take the line out, or move something in")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::architecture::Architecture;
    use super::super::tree::File;
    use super::{check, room};

    fn violations(page: &str, files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<File> = files.iter().map(|(path, text)| File::of_text(path, text)).collect();
        check(&Architecture::parse(page), &files).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn rooms_are_crates_and_folders_at_the_top() {
        assert_eq!(room("crates/expr/src/lib.rs").as_deref(), Some("crates/expr"));
        assert_eq!(room("docs/guide/start.md").as_deref(), Some("docs"));
        assert_eq!(room("README.md"), None);
        assert_eq!(room(".ci/run"), None);
        assert_eq!(room("crates/README.md"), None);
    }

    #[test]
    fn an_unlisted_room_and_an_empty_one_are_found() {
        let found = violations("## Rooms\n```text\ndocs  guides\n```\n", &[("models/a.mech", "")]);
        assert_eq!(
            found,
            [
                "ARCHITECTURE.md:1: the room `models` is not listed; add it under Rooms",
                "ARCHITECTURE.md:3: the room `docs` holds no file; take the line out, or move something in",
            ]
        );
    }
}

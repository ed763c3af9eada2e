//! Rules on every file: no address of one machine, no mark of unfinished work, nothing huge.

use super::Violation;
use super::tree::File;

/// More than this is data that belongs elsewhere, or something built.
const LARGEST: u64 = 1_000_000;

// Spelled in two parts, so that this file keeps its own rules.
const UNFINISHED: &str = concat!("FIX", "ME");
const MACHINE_FOLDERS: [&str; 3] = [concat!("/", "work/"), concat!("/", "root/"), concat!("/", "home/")];
const REGISTRY_SETTINGS: [&str; 5] = [
    concat!("index", "-url"),
    concat!("find", "-links"),
    concat!("replace", "-with"),
    concat!("sparse", "+http"),
    concat!("registry", "=http"),
];
/// What a lock file may say, after `registry+` or `"resolved": "`.
const PUBLIC: [(&str, &str); 2] = [
    (concat!("registry", "+"), "https://github.com/rust-lang/crates.io-index"),
    (concat!("\"resolved\"", ": \""), "https://registry.npmjs.org/"),
];

pub fn check(file: &File) -> Vec<Violation> {
    let mut found = Vec::new();
    if file.size > LARGEST {
        let what = format!("{} bytes are more than {LARGEST}", file.size);
        found.push(Violation::new(&file.path, 1, what, "make it smaller, or generate it where it is needed"));
    }
    for (line, text) in (1..).zip(file.text.iter().flat_map(|text| text.lines())) {
        found.extend(fault(text).map(|(what, remedy)| Violation::new(&file.path, line, what, remedy)));
    }
    found
}

fn fault(line: &str) -> Option<(String, &'static str)> {
    if line.contains(UNFINISHED) {
        return Some((format!("`{UNFINISHED}` marks unfinished work"), "finish it, or open an issue"));
    }
    if let Some(folder) = MACHINE_FOLDERS.iter().find(|folder| has_absolute(line, folder)) {
        return Some((format!("`{folder}` is a folder of one machine"), "use a path from the workspace"));
    }
    if let Some(setting) = REGISTRY_SETTINGS.iter().find(|setting| line.contains(*setting)) {
        return Some((format!("`{setting}` names a registry"), "leave that to the machine's own settings"));
    }
    let (_, (start, _)) = PUBLIC.iter().find_map(|pair| {
        let (_, rest) = line.split_once(pair.0)?;
        (rest.starts_with("http") && !rest.starts_with(pair.1)).then_some((rest, pair))
    })?;
    Some((format!("`{start}` is followed by a private registry"), "lock against the public one"))
}

/// Does the line hold the folder as the beginning of a path, not as the middle of one?
fn has_absolute(line: &str, folder: &str) -> bool {
    line.match_indices(folder)
        .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || "_-.~/})>*".contains(c)))
}

#[cfg(test)]
mod tests {
    use super::{File, LARGEST, MACHINE_FOLDERS, PUBLIC, REGISTRY_SETTINGS, UNFINISHED, check, fault};

    #[test]
    fn folders_of_one_machine_are_found() {
        let [first, _, last] = MACHINE_FOLDERS;
        assert!(fault(&format!("cd {first}main")).is_some());
        assert!(fault(&format!("path = \"{last}me/x\"")).is_some());
        assert!(fault(&format!("see frame{first}energy and https://example.org{last}x")).is_none());
    }

    #[test]
    fn registries_and_unfinished_marks_are_found() {
        for setting in REGISTRY_SETTINGS {
            assert!(fault(&format!("pip --{setting}://x")).is_some(), "{setting}");
        }
        assert!(fault(&format!("// {UNFINISHED} later")).is_some());
        for (start, public) in PUBLIC {
            assert!(fault(&format!("source = {start}{public}")).is_none());
            assert!(fault(&format!("source = {start}https://mirror.example")).is_some());
        }
    }

    #[test]
    fn a_huge_file_is_found() {
        let file = File { path: "docs/film.bin".into(), size: LARGEST + 1, text: None };
        let found: Vec<String> = check(&file).iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("docs/film.bin:1: 1000001 bytes"), "{}", found[0]);
    }
}

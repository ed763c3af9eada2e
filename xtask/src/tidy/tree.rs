//! The files of the tree: those git knows or would add, or without git all but built ones.

use std::fs;
use std::path::Path;

use crate::command::{program, root};

/// A file, its path from the workspace with `/` between folders.
pub struct File {
    pub path: String,
    pub size: u64,
    /// Nothing if the file is not text.
    pub text: Option<String>,
}

#[cfg(test)]
impl File {
    /// For tests.
    pub fn of_text(path: &str, text: &str) -> Self {
        File { path: path.to_owned(), size: text.len() as u64, text: Some(text.to_owned()) }
    }
}

/// All files, sorted by path.
pub fn files() -> Result<Vec<File>, String> {
    let mut paths = match known_to_git() {
        Some(paths) => paths,
        None => walk()?,
    };
    paths.sort();
    paths.dedup();
    paths.into_iter().map(read).filter_map(Result::transpose).collect()
}

/// `Ok(None)` for what git remembers and somebody deleted, and for links.
fn read(path: String) -> Result<Option<File>, String> {
    let full = root().join(&path);
    match fs::symlink_metadata(&full) {
        Ok(data) if data.is_file() => {
            let bytes = fs::read(&full).map_err(|error| format!("cannot read {path}: {error}"))?;
            let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
            Ok(Some(File { path, size: data.len(), text }))
        }
        _ => Ok(None),
    }
}

fn known_to_git() -> Option<Vec<String>> {
    let mut git = program("git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let output = git.output().ok().filter(|output| output.status.success())?;
    Some(split(&String::from_utf8(output.stdout).ok()?))
}

fn split(listing: &str) -> Vec<String> {
    listing.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect()
}

fn walk() -> Result<Vec<String>, String> {
    let (top, mut found, mut folders) = (root(), Vec::new(), vec![root()]);
    while let Some(folder) = folders.pop() {
        let unreadable = |error| format!("cannot read {}: {error}", folder.display());
        for entry in fs::read_dir(&folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let relative = slashed(path.strip_prefix(&top).unwrap_or(&path));
            if path.is_symlink() {
                continue;
            } else if path.is_file() {
                found.push(relative);
            } else if !is_built(&relative) {
                folders.push(path);
            }
        }
    }
    Ok(found)
}

fn is_built(folder: &str) -> bool {
    let name = folder.rsplit('/').next().unwrap_or_default();
    matches!(name, "target" | ".git" | "node_modules" | ".venv" | "__pycache__")
}

fn slashed(path: &Path) -> String {
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::{is_built, slashed, split};

    #[test]
    fn a_listing_is_split_at_its_zeros() {
        assert_eq!(split("a.rs\0b c/d.rs\0"), ["a.rs", "b c/d.rs"]);
        assert!(split("").is_empty());
    }

    #[test]
    fn built_folders_are_passed_by() {
        assert!(is_built("target") && is_built("studio/web/node_modules"));
        assert!(!is_built("crates/expr"));
        assert_eq!(slashed(&["crates", "expr"].iter().collect::<std::path::PathBuf>()), "crates/expr");
    }
}

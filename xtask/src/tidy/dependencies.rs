//! Are the dependencies between our crates those of the table?

use super::Violation;
use super::architecture::{Architecture, PATH};
use super::tree::File;

/// A crate of ours as its manifest tells it.
#[derive(Debug, PartialEq)]
pub struct Crate {
    /// `crates/cli/Cargo.toml`
    pub manifest: String,
    /// `anholon-cli`, as cargo knows it.
    pub package: String,
    /// `expr`: what code calls it, and what other manifests call it.
    pub library: String,
    /// What it depends on outside tests, with the line; ours and others'.
    pub dependencies: Vec<(usize, String)>,
}

impl Crate {
    /// `cli`: the name of its folder, which the table may use as well.
    fn folder(&self) -> &str {
        self.manifest.rsplit('/').nth(1).unwrap_or_default()
    }

    /// By its package, its library or its folder.
    fn is_called(&self, name: &str) -> bool {
        self.package == name || self.library == name || self.folder() == name
    }

    /// The name that the table uses.
    fn short(&self) -> &str {
        self.package.strip_prefix("anholon-").unwrap_or(&self.package)
    }
}

/// The packages of the tree.
pub fn crates(files: &[File]) -> Vec<Crate> {
    let manifests = files.iter().filter(|file| file.path.ends_with("/Cargo.toml"));
    manifests.filter_map(|file| parse(&file.path, file.text.as_deref()?)).collect()
}

/// Reads the simple manifests of this workspace: one dependency a line.
fn parse(path: &str, text: &str) -> Option<Crate> {
    let (mut section, mut package, mut library, mut dependencies) = ("", None, None, Vec::new());
    for (line, text) in (1..).zip(text.lines().map(str::trim)) {
        if let Some(title) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = title;
            if let Some((outer, name)) = title.rsplit_once('.')
                && is_dependencies(outer)
            {
                dependencies.push((line, name.trim_matches('"').to_owned()));
            }
            continue;
        }
        let Some((key, value)) = text.split_once('=').filter(|_| !text.starts_with('#')) else {
            continue;
        };
        let name = key.trim().split('.').next().unwrap_or_default().trim_matches('"');
        if section == "package" && key.trim() == "name" {
            package = Some(value.trim().trim_matches('"').to_owned());
        } else if section == "lib" && key.trim() == "name" {
            library = Some(value.trim().trim_matches('"').to_owned());
        } else if is_dependencies(section) {
            let real = renamed(value).unwrap_or(name);
            dependencies.push((line, real.to_owned()));
        }
    }
    let package: String = package?;
    let library = library.unwrap_or_else(|| package.replace('-', "_"));
    Some(Crate { manifest: path.to_owned(), package, library, dependencies })
}

fn is_dependencies(section: &str) -> bool {
    let last = section.rsplit('.').next().unwrap_or_default();
    matches!(last, "dependencies" | "build-dependencies") && !section.starts_with("workspace")
}

/// `x` in `{ package = "x", … }`.
fn renamed(value: &str) -> Option<&str> {
    let (_, rest) = value.split_once("package")?;
    rest.trim_start().strip_prefix('=')?.trim_start().strip_prefix('"')?.split('"').next()
}

pub fn check(page: &Architecture, crates: &[Crate]) -> Vec<Violation> {
    let mut found = Vec::new();
    for (line, name, _) in &page.dependencies {
        if !crates.iter().any(|ours| ours.is_called(name)) {
            found.push(Violation::new(PATH, *line, format!("there is no crate `{name}`"), "take the row out"));
        }
    }
    for ours in crates {
        match page.dependencies.iter().find(|(_, name, _)| ours.is_called(name)) {
            Some((line, _, allowed)) => found.extend(compare(ours, *line, allowed, crates)),
            None => {
                let what = format!("the crate `{}` has no row", ours.short());
                found.push(Violation::new(&ours.manifest, 1, what, "add it under Dependencies in ARCHITECTURE.md"));
            }
        }
    }
    found
}

fn compare(ours: &Crate, row: usize, allowed: &[String], crates: &[Crate]) -> Vec<Violation> {
    let called = |name: &str| crates.iter().find(|it| it.is_called(name));
    let mut found = Vec::new();
    for (line, name) in &ours.dependencies {
        let is_allowed = |it: &Crate| allowed.iter().any(|other| it.is_called(other));
        if let Some(other) = called(name).filter(|it| !is_allowed(it)) {
            let what = format!("`{}` may not depend on `{}`", ours.short(), other.short());
            let remedy = "remove the dependency, or argue for it in ARCHITECTURE.md";
            found.push(Violation::new(&ours.manifest, *line, what, remedy));
        }
    }
    for name in allowed {
        let uses = |it: &Crate| ours.dependencies.iter().any(|(_, used)| it.is_called(used));
        if !called(name).is_some_and(uses) {
            let what = format!("`{}` does not depend on `{name}`", ours.short());
            found.push(Violation::new(PATH, row, what, "take it out of the row"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::architecture::Architecture;
    use super::super::tree::File;
    use super::{check, crates, parse};

    #[test]
    fn a_manifest_tells_its_dependencies() {
        let text = "\
[package]
name = \"anholon-cli\"
version.workspace = true
[lib]
name = \"shell\"
[dependencies]
engine.workspace = true
# expr.workspace = true
kernel = { path = \"../expr\", package = \"expr\" }
[dependencies.clap]
version = \"4\"
[dev-dependencies]
proof.workspace = true
";
        let ours = parse("crates/cli/Cargo.toml", text).expect("a package");
        assert_eq!((ours.package.as_str(), ours.folder(), ours.library.as_str()), ("anholon-cli", "cli", "shell"));
        assert_eq!(ours.dependencies, [(7, "engine".into()), (9, "expr".into()), (10, "clap".into())]);
        assert_eq!(parse("a/Cargo.toml", "[workspace.dependencies]\nexpr = \"1\"\n"), None);
    }

    #[test]
    fn the_table_and_the_manifests_must_be_equal() {
        let manifest = |name: &str, rest: &str| {
            let text =
                format!("[package]\nname = \"anholon-{name}\"\n[lib]\nname = \"{name}\"\n[dependencies]\n{rest}");
            File::of_text(&format!("crates/{name}/Cargo.toml"), &text)
        };
        let files = [manifest("expr", "proof.workspace = true\n"), manifest("proof", ""), manifest("engine", "")];
        let page = Architecture::parse("## Dependencies\n| `expr` | – |\n| `proof` | `expr` |\n| `gone` | – |\n");
        let found: Vec<String> = check(&page, &crates(&files)).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "ARCHITECTURE.md:4: there is no crate `gone`; take the row out",
                "crates/expr/Cargo.toml:6: `expr` may not depend on `proof`; \
                 remove the dependency, or argue for it in ARCHITECTURE.md",
                "ARCHITECTURE.md:3: `proof` does not depend on `expr`; take it out of the row",
                "crates/engine/Cargo.toml:1: the crate `engine` has no row; \
                 add it under Dependencies in ARCHITECTURE.md",
            ]
        );
    }
}

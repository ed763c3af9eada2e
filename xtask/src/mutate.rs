//! Would the table of agreement see a mistake in a formalism, and see it in that one alone?
//!
//! `mutate/mutations.txt` lists mistakes. Each becomes a copy of its formalism's file with one place changed, a
//! mutant. All mutants stand side by side in a copy of crate `mechanics` under `target/mutants`, so that one build
//! holds them; nothing in the tree is touched. `mutate/driver.rs` then makes the table once for each
//! mutant in its form's place. A mutant is killed if marks of its form change, and independent of the other forms
//! if no other mark does. `mutate/shared.rs` does the like for what several formalisms share.

mod shared;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{cargo, root, run as run_shown, target};

const LIST: &str = include_str!("mutate/mutations.txt");
const DRIVER: &str = include_str!("mutate/driver.rs");
const PAGE: &str = "docs/mutations.md";
/// The list of formalisms, which gets the mutants.
const HOME: &str = "crates/mechanics/src/formalism.rs";
const FORMALISMS: &str = "crates/mechanics/src/formalism";
const FOLDER: &str = "crates/mechanics/src";
/// The crates that the mutants are built with; all others stay where they are.
const COPIED: [&str; 3] = ["mechanics", "dynamics", "engine"];

/// A mistake made on purpose.
#[derive(Clone, Debug, PartialEq)]
struct Mutation<'a> {
    form: &'a str,
    what: &'a str,
    old: &'a str,
    new: &'a str,
    /// Why no mark changes, if none does.
    survives: Option<&'a str>,
}

impl Mutation<'_> {
    /// The file of the form, without its ending.
    fn module(&self) -> String {
        self.form.replace('-', "_")
    }
}

/// What became of it.
struct Outcome {
    /// How many marks of its form changed, of how many; or what else was seen.
    seen: String,
    /// Did anything change?
    killed: bool,
    /// Marks of other forms that changed.
    others: String,
}

/// `[FORM, FILE or shared] [--list]`.
pub fn run(words: &[&str]) -> Result<(), String> {
    let all = parse(LIST)?;
    let names: Vec<&str> = words.iter().copied().filter(|word| *word != "--list").collect();
    let of_forms: Vec<&Mutation> = all.iter().filter(|it| names.is_empty() || names.contains(&it.form)).collect();
    let of_files = shared::chosen(names.first().copied())?;
    if names.len() > 1 || of_forms.is_empty() && of_files.is_empty() {
        return Err("usage: cargo xtask mutate [FORM, FILE or shared] [--list]; no mistakes have that name".to_owned());
    }
    if words.contains(&"--list") {
        let show = |it: &Mutation| println!("{:16} {}\n    - {}\n    + {}", it.form, it.what, it.old, it.new);
        of_forms.into_iter().chain(&of_files).for_each(show);
        return Ok(());
    }
    fits(&all)?;
    shared::fits(&of_files)?;
    prepare(&of_forms, &of_files)?;
    println!("mutate: {} mutants (the first build takes some minutes)", of_forms.len() + of_files.len());
    let (mut text, mut faults) = (String::new(), Vec::new());
    if !of_forms.is_empty() {
        let outcomes = tried("mechanics", "mutants", "results.txt")?;
        let outcomes = outcomes.lines().map(outcome).collect::<Result<Vec<_>, _>>()?;
        text += &page(&of_forms, &outcomes);
        faults.extend(self::faults(&of_forms, &outcomes));
    }
    if !of_files.is_empty() {
        let outcomes = tried("engine", "shared", "shared.txt")?;
        let outcomes = outcomes.lines().map(shared::outcome).collect::<Result<Vec<_>, _>>()?;
        text += &shared::page(&of_files, &outcomes);
        faults.extend(shared::faults(&of_files, &outcomes));
    }
    text.lines().filter(|line| line.starts_with('|')).for_each(|line| println!("{line}"));
    if names.is_empty() {
        faults.extend(kept(&text)?);
    }
    faults.iter().for_each(|fault| println!("{fault}"));
    match faults.len() {
        0 => Ok(()),
        n => Err(format!("{n} things are not as {PAGE} says")),
    }
}

/// Runs a driver beside the mutants, and reads what it found.
fn tried(package: &str, test: &str, results: &str) -> Result<String, String> {
    let folder = folder();
    let mut command = cargo(["test", "--quiet", "--package", &format!("anholon-{package}"), "--test", test]);
    command.current_dir(&folder).env("CARGO_TARGET_DIR", folder.join("target")).env("RUSTFLAGS", "-Awarnings");
    run_shown(&mut command)?;
    read(&folder.join(results))
}

/// Where the mutants live.
fn folder() -> PathBuf {
    target().join("mutants")
}

/// The list, block by block.
fn parse(text: &str) -> Result<Vec<Mutation<'_>>, String> {
    let mut list = Vec::new();
    for block in text.split("\n\n") {
        let lines: Vec<&str> = block.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
        let Some((head, rest)) = lines.split_first() else { continue };
        let wrong =
            || format!("mutations.txt: `{head}` is not followed by `- old`, `+ new` and perhaps `survives: why`");
        let (form, what) = head.split_once(": ").ok_or_else(wrong)?;
        let (old, new, survives) = match rest {
            [old, new] => (old, new, None),
            [old, new, why] => (old, new, Some(why.strip_prefix("survives: ").ok_or_else(wrong)?)),
            _ => return Err(wrong()),
        };
        let (old, new) = (old.strip_prefix("- ").ok_or_else(wrong)?, new.strip_prefix("+ ").ok_or_else(wrong)?);
        list.push(Mutation { form, what, old, new, survives });
    }
    Ok(list)
}

/// Does every old text stand once in its file, and has every formalism two?
fn fits(list: &[Mutation]) -> Result<(), String> {
    for mutation in list {
        let text = read(&root().join(FORMALISMS).join(format!("{}.rs", mutation.module())))?;
        let found = text.matches(mutation.old).count();
        if found != 1 {
            let Mutation { form, old, .. } = mutation;
            return Err(format!("mutations.txt: `{old}` stands {found} times in the file of `{form}`, not once"));
        }
    }
    for file in files(&root().join(FORMALISMS))? {
        let own = list.iter().filter(|it| file.file_stem().is_some_and(|stem| *stem == *it.module())).count();
        if own < 2 {
            return Err(format!("mutations.txt has {own} mutations for {}; at least two are wanted", file.display()));
        }
    }
    Ok(())
}

/// Writes the copy of the workspace that holds the mutants: crate `mechanics`, what its table reads, and what `prove` needs.
fn prepare(of_forms: &[&Mutation], of_files: &[Mutation]) -> Result<(), String> {
    let (from, to) = (root(), folder());
    let mut changed = vec![from.join(HOME), from.join(FOLDER).join("lib.rs")];
    changed.extend(of_files.iter().map(|one| from.join(FOLDER).join(format!("{}.rs", one.form))));
    let sources = COPIED.map(|name| format!("crates/{name}/src"));
    for part in sources.iter().map(String::as_str).chain(["crates/mechanics/tests/support", "models"]) {
        copy(&from.join(part), &to.join(part), &changed)?;
    }
    let manifests = COPIED.map(|name| format!("crates/{name}/Cargo.toml"));
    for file in manifests.iter().map(String::as_str).chain(["Cargo.lock", "tests/agreement.txt"]) {
        write(&to.join(file), &read(&from.join(file))?)?;
    }
    write(&to.join("Cargo.toml"), &manifest(&read(&from.join("Cargo.toml"))?, &from))?;
    write(&to.join("crates/mechanics/tests/mutants.rs"), DRIVER)?;
    write(&to.join("crates/engine/tests/shared.rs"), shared::DRIVER)?;
    write(&to.join("models.txt"), shared::MODELS)?;
    write(&to.join("planted.txt"), &shared::sides(of_files))?;
    for file in &changed[2..] {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let planted = shared::planted(&name, &read(file)?, of_files)?;
        write(&to.join(FOLDER).join(format!("{name}.rs")), &planted)?;
    }
    write(&to.join(FOLDER).join("lib.rs"), &(read(&changed[1])? + shared::PLANT))?;
    write(&to.join(HOME), &list_of_mutants(of_forms)?)
}

/// The list of formalisms with the mutants behind it, each in a file of its own.
fn list_of_mutants(of_forms: &[&Mutation]) -> Result<String, String> {
    let (from, source) = (root(), folder().join(FOLDER));
    let (mut modules, mut entries) = (String::new(), String::new());
    for (k, mutation) in of_forms.iter().enumerate() {
        let original = read(&from.join(FORMALISMS).join(format!("{}.rs", mutation.module())))?;
        let name = format!("mutant_{k}");
        write(&source.join(format!("formalism/{name}.rs")), &original.replacen(mutation.old, mutation.new, 1))?;
        let _ = writeln!(modules, "mod {name};");
        let _ = writeln!(entries, "    ({:?}, {name}::derive),", mutation.form);
    }
    let mutants = format!(
        "\n{modules}\ntype Derive = fn(&Ingredients<'_>, &mut Steps) -> Result<Form, FormError>;\n\n\
         /// Forms with a mistake each.\npub const MUTANTS: &[(&str, Derive)] = &[\n{entries}];\n"
    );
    Ok(read(&from.join(HOME))? + &mutants)
}

/// The manifest of the workspace with the crates that are copied; the others stay where they are.
fn manifest(text: &str, root: &Path) -> String {
    let members = COPIED.map(|name| format!("\"crates/{name}\"")).join(", ");
    let line = |line: &str| match line {
        _ if line.starts_with("members") => format!("members = [{members}]"),
        _ if line.starts_with("default-members") => String::new(),
        _ if COPIED.iter().any(|name| line.starts_with(&format!("{name} "))) => line.to_owned(),
        _ => ["crates/", "models"].iter().fold(line.to_owned(), |line, place| {
            let absolute = format!("path = \"{}/{place}", root.display()).replace('\\', "/");
            line.replace(&format!("path = \"{place}"), &absolute)
        }),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

/// A line of the driver: marks that changed (or what else was seen), marks there are, other forms.
fn outcome(line: &str) -> Result<Outcome, String> {
    let parts: Vec<&str> = line.split('\t').collect();
    let [own, marks, others] = parts[..] else { return Err(format!("results.txt: `{line}` is not three things")) };
    let number = own.chars().all(|c| c.is_ascii_digit());
    let seen = if number { format!("{own} of {marks}") } else { own.to_owned() };
    Ok(Outcome { seen, killed: own != "0", others: others.to_owned() })
}

/// The page in the docs: what each mutant did, and why some live.
fn page(chosen: &[&Mutation], outcomes: &[Outcome]) -> String {
    let killed = outcomes.iter().filter(|it| it.killed).count();
    let mut text = format!(
        "# Would the table of agreement see a mistake?\n\n\
         `cargo xtask mutate` makes the mistakes below, one at a time, and makes `tests/agreement.txt` anew. A mistake is\n\
         killed if marks of its own form change, or a closed form; no mark of another form may. Of {} mistakes {killed}\n\
         are killed. The form with its mistake stands in the place of the right one in the list of formalisms, and what\n\
         most forms say is taken for right: so the others keep their marks unless they depend on its file.\n\
         The list is `xtask/src/mutate/mutations.txt`; `UPDATE_SNAPSHOTS=1 cargo xtask mutate` writes this page.\n\n\
         | form | mistake | | marks changed |\n| --- | --- | --- | --- |\n",
        chosen.len()
    );
    for (mutation, outcome) in chosen.iter().zip(outcomes) {
        let verdict = if outcome.killed { "killed" } else { "survives" };
        let _ = writeln!(text, "| `{}` | {} | {verdict} | {} |", mutation.form, mutation.what, outcome.seen);
    }
    let explained = chosen.iter().filter_map(|it| Some(format!("- `{}`: {}. {}\n", it.form, it.what, it.survives?)));
    let explained: String = explained.collect();
    if !explained.is_empty() {
        let _ = write!(text, "\n## Survivors\n\n{explained}");
    }
    text
}

/// Survivors without a reason, reasons without a survivor, marks of other forms.
fn faults(chosen: &[&Mutation], outcomes: &[Outcome]) -> Vec<String> {
    let mut found = Vec::new();
    for (mutation, outcome) in chosen.iter().zip(outcomes) {
        let Mutation { form, what, .. } = mutation;
        match (outcome.killed, mutation.survives) {
            (false, None) => found.push(format!("{form}: {what}: no mark changes, and no reason is given")),
            (true, Some(_)) => found.push(format!("{form}: {what}: is killed, but a reason is given why not")),
            _ => {}
        }
        if !outcome.others.is_empty() {
            found.push(format!("{form}: {what}: changes marks of {}", outcome.others));
        }
    }
    found
}

/// Is the page in the docs this one? `UPDATE_SNAPSHOTS` writes it.
fn kept(page: &str) -> Result<Option<String>, String> {
    let file = root().join(PAGE);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        write(&file, page)?;
    }
    let same = fs::read_to_string(&file).is_ok_and(|known| known == page);
    Ok((!same).then(|| format!("{PAGE} is not what was found; UPDATE_SNAPSHOTS=1 writes it")))
}

/// Copies a folder but for some files; what is the same already keeps its time, so that nothing is built twice.
fn copy(from: &Path, to: &Path, except: &[PathBuf]) -> Result<(), String> {
    for entry in entries(from)?.into_iter().filter(|entry| !except.contains(entry)) {
        let target = to.join(entry.file_name().unwrap_or_default());
        match entry.is_dir() {
            true => copy(&entry, &target, except)?,
            false => write(&target, &read(&entry)?)?,
        }
    }
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let list = fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    Ok(list.filter_map(|entry| Some(entry.ok()?.path())).collect())
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    Ok(entries(folder)?.into_iter().filter(|path| path.is_file()).collect())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Writes a file and its folders, unless it says that already.
fn write(path: &Path, text: &str) -> Result<(), String> {
    if fs::read_to_string(path).is_ok_and(|known| known == text) {
        return Ok(());
    }
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    folder.and_then(|()| fs::write(path, text)).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::{LIST, Mutation, faults, fits, manifest, outcome, parse};

    const BLOCKS: &str =
        "# a comment\n\nkane: a sign\n- a - b\n+ a + b\n\nhamel: a term\n- + c\n+ \nsurvives: it is zero.\n";

    #[test]
    fn a_mutation_is_a_block() {
        let kane = Mutation { form: "kane", what: "a sign", old: "a - b", new: "a + b", survives: None };
        let hamel = Mutation { form: "hamel", what: "a term", old: "+ c", new: "", survives: Some("it is zero.") };
        assert_eq!(parse(BLOCKS), Ok(vec![kane, hamel]));
        assert!(parse("kane: a sign\n- a - b\n").is_err());
    }

    #[test]
    fn every_formalism_has_two_mutations_that_fit_its_file() {
        assert_eq!(parse(LIST).and_then(|list| fits(&list)), Ok(()));
    }

    #[test]
    fn a_survivor_needs_a_reason_and_a_reason_a_survivor() {
        let list = parse(BLOCKS).expect("two blocks");
        let list: Vec<&Mutation> = list.iter().collect();
        let outcomes = |kane: usize, hamel: usize, others: &str| {
            [kane, hamel].map(|own| outcome(&format!("{own}\t9\t{others}")).expect("three things"))
        };
        assert_eq!(faults(&list, &outcomes(3, 0, "")), Vec::<String>::new());
        assert_eq!(faults(&list, &outcomes(0, 2, "")).len(), 2);
        assert_eq!(faults(&list, &outcomes(3, 0, "appell of hoop")).len(), 2);
    }

    #[test]
    fn the_other_crates_stay_where_they_are() {
        let text = "members = [\"a\", \"b\"]\nexpr = { path = \"crates/expr\" }\ngallery = { path = \"models\" }\n\
                    mechanics = { path = \"crates/mechanics\" }";
        let members = "members = [\"crates/mechanics\", \"crates/dynamics\", \"crates/engine\"]";
        let expected = "expr = { path = \"/top/crates/expr\" }\n\
                        gallery = { path = \"/top/models\" }\nmechanics = { path = \"crates/mechanics\" }\n";
        assert_eq!(manifest(text, "/top".as_ref()), format!("{members}\n{expected}"));
    }
}

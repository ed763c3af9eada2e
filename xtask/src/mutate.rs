//! Would the table of agreement see a mistake in a formalism, and see it in that one alone?
//!
//! `mutate/mutations.txt` lists mistakes. Each becomes a copy of its formalism's file with one place changed, a
//! mutant. All mutants stand side by side in a copy of crate `mechanics` under `target/mutants`, so that one build
//! holds them; nothing in the tree is touched. `mutate/driver.rs` then makes the table once for each
//! mutant in its form's place. A mutant is killed if marks of its form change, and independent of the other forms
//! if no other mark does.

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

/// A mistake made on purpose.
#[derive(Debug, PartialEq)]
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

/// `[FORM] [--list]`.
pub fn run(words: &[&str]) -> Result<(), String> {
    let all = parse(LIST)?;
    let forms: Vec<&str> = words.iter().copied().filter(|word| *word != "--list").collect();
    let chosen: Vec<&Mutation> = all.iter().filter(|it| forms.is_empty() || forms.contains(&it.form)).collect();
    if forms.len() > 1 || chosen.is_empty() {
        return Err("usage: cargo xtask mutate [FORM] [--list]; no such form has mutations".to_owned());
    }
    if words.contains(&"--list") {
        chosen.iter().for_each(|it| println!("{:16} {}\n    - {}\n    + {}", it.form, it.what, it.old, it.new));
        return Ok(());
    }
    fits(&all)?;
    prepare(&chosen)?;
    let folder = folder();
    let mut command = cargo(["test", "--quiet", "--package", "anholon-mechanics", "--test", "mutants"]);
    command.current_dir(&folder).env("CARGO_TARGET_DIR", folder.join("target")).env("RUSTFLAGS", "-Awarnings");
    println!("mutate: {} mutants (the first build takes some minutes)", chosen.len());
    run_shown(&mut command)?;
    let outcomes = read(&folder.join("results.txt"))?.lines().map(outcome).collect::<Result<Vec<_>, _>>()?;
    let page = page(&chosen, &outcomes);
    page.lines().filter(|line| line.starts_with('|')).for_each(|line| println!("{line}"));
    let mut faults = faults(&chosen, &outcomes);
    if forms.is_empty() {
        faults.extend(kept(&page)?);
    }
    faults.iter().for_each(|fault| println!("{fault}"));
    match faults.len() {
        0 => Ok(()),
        n => Err(format!("{n} things are not as {PAGE} says")),
    }
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

/// Writes the copy of the workspace that holds the mutants: crate `mechanics`, and what its table reads.
fn prepare(chosen: &[&Mutation]) -> Result<(), String> {
    let (from, to) = (root(), folder());
    for part in ["crates/mechanics/src", "crates/mechanics/tests/support", "models"] {
        copy(&from.join(part), &to.join(part), &from.join(HOME))?;
    }
    for file in ["Cargo.lock", "crates/mechanics/Cargo.toml", "tests/agreement.txt"] {
        write(&to.join(file), &read(&from.join(file))?)?;
    }
    write(&to.join("Cargo.toml"), &manifest(&read(&from.join("Cargo.toml"))?, &from))?;
    write(&to.join("crates/mechanics/tests/mutants.rs"), DRIVER)?;
    let source = to.join("crates/mechanics/src");
    let (mut modules, mut entries) = (String::new(), String::new());
    for (k, mutation) in chosen.iter().enumerate() {
        let original = read(&from.join(FORMALISMS).join(format!("{}.rs", mutation.module())))?;
        let name = format!("mutant_{k}");
        write(&source.join(format!("formalism/{name}.rs")), &original.replacen(mutation.old, mutation.new, 1))?;
        let _ = writeln!(modules, "mod {name};");
        let _ = writeln!(entries, "    ({:?}, {name}::derive),", mutation.form);
    }
    let list = read(&from.join(HOME))?;
    let mutants = format!(
        "\n{modules}\ntype Derive = fn(&Ingredients<'_>, &mut Steps) -> Result<Form, FormError>;\n\n\
         /// Forms with a mistake each.\npub const MUTANTS: &[(&str, Derive)] = &[\n{entries}];\n"
    );
    write(&to.join(HOME), &(list + &mutants))
}

/// The manifest of the workspace with one member; the other crates stay where they are.
fn manifest(text: &str, root: &Path) -> String {
    let line = |line: &str| match line {
        _ if line.starts_with("members") => "members = [\"crates/mechanics\"]".to_owned(),
        _ if line.starts_with("default-members") => String::new(),
        _ if line.starts_with("mechanics ") => line.to_owned(),
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

/// Copies a folder but for one file; what is the same already keeps its time, so that nothing is built twice.
fn copy(from: &Path, to: &Path, except: &Path) -> Result<(), String> {
    for entry in entries(from)?.into_iter().filter(|entry| entry != except) {
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
        let expected = "members = [\"crates/mechanics\"]\nexpr = { path = \"/top/crates/expr\" }\n\
                        gallery = { path = \"/top/models\" }\nmechanics = { path = \"crates/mechanics\" }\n";
        assert_eq!(manifest(text, "/top".as_ref()), expected);
    }
}

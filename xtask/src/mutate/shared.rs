//! Would `prove` see a mistake in what several families share, and blame the right side?
//!
//! `shared.txt` lists mistakes in kinematics, loads, lowering, contacts and ingredients, and some in what the ninth
//! family makes by itself. All of them stand in one copy of crate `mechanics`, each behind a question whether it is the one
//! that is planted; `shared_driver.rs` plants one after the other and proves every model. Nothing in the tree is touched.

use std::fmt::Write;

use super::{FOLDER, Mutation, parse, read};
use crate::command::root;

const LIST: &str = include_str!("shared.txt");
pub(super) const DRIVER: &str = include_str!("shared_driver.rs");
pub(super) const MODELS: &str = include_str!("models.txt");

/// The files whose mistakes are those of the ninth family.
const NINTH: &str = "places";

/// What became of a mistake.
pub(super) struct Outcome {
    seen: usize,
    right: usize,
    wrong: String,
    open: usize,
    models: usize,
    shown: String,
}

/// The mistakes; those of one file if one is named, and all of them for the name `shared`.
pub(super) fn chosen(name: Option<&str>) -> Result<Vec<Mutation<'static>>, String> {
    let list = parse(LIST)?;
    Ok(list.into_iter().filter(|one| name.is_none_or(|name| name == one.form || name == "shared")).collect())
}

/// Does every old text stand once in its file?
pub(super) fn fits(list: &[Mutation<'_>]) -> Result<(), String> {
    for Mutation { form, old, .. } in list {
        let found = read(&root().join(FOLDER).join(format!("{form}.rs")))?.matches(old).count();
        if found != 1 {
            return Err(format!("shared.txt: `{old}` stands {found} times in {form}.rs, not once"));
        }
    }
    Ok(())
}

/// A file with all its mistakes, each asleep.
pub(super) fn planted(file: &str, text: &str, list: &[Mutation<'_>]) -> Result<String, String> {
    let mut places: Vec<(usize, &str, String)> = Vec::new();
    for (k, one) in list.iter().enumerate().filter(|(_, one)| one.form == file) {
        let place = text.find(one.old).ok_or_else(|| format!("shared.txt: `{}` is not in {file}.rs", one.old))?;
        let choice = format!("if crate::planted({}) {{ {} }} else ", k + 1, one.new);
        match places.iter_mut().find(|known| known.0 == place && known.1 == one.old) {
            Some(known) => known.2 += &choice,
            None => places.push((place, one.old, choice)),
        }
    }
    places.sort_by_key(|place| place.0);
    let (mut made, mut done) = (String::new(), 0);
    for (place, old, choices) in places {
        if place < done {
            return Err(format!("shared.txt: two mistakes in {file}.rs overlap at `{old}`"));
        }
        let _ = write!(made, "{}({choices}{{ {old} }})", &text[done..place]);
        done = place + old.len();
    }
    Ok(made + &text[done..])
}

/// What the copy of crate `mechanics` needs to know which mistake is planted.
pub(super) const PLANT: &str = "
thread_local! {
    static PLANTED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Plants a mistake; 0 plants none.
pub fn plant(k: usize) {
    PLANTED.set(k);
}

/// Is this the mistake that is planted?
pub fn planted(k: usize) -> bool {
    PLANTED.get() == k
}
";

/// Who is to be blamed, a line for each mistake.
pub(super) fn sides(list: &[Mutation<'_>]) -> String {
    let side = |one: &Mutation<'_>| if one.form == NINTH { "positions" } else { "the others" };
    list.iter().map(side).collect::<Vec<_>>().join("\n")
}

/// A line of the driver.
pub(super) fn outcome(line: &str) -> Result<Outcome, String> {
    let wrong = || format!("shared.txt: `{line}` is not seven things");
    let parts: Vec<&str> = line.split('\t').collect();
    let [seen, right, blamed, open, _, models, shown] = parts[..] else { return Err(wrong()) };
    let number = |text: &str| text.parse::<usize>().map_err(|_| wrong());
    Ok(Outcome {
        seen: number(seen)?,
        right: number(right)?,
        wrong: blamed.to_owned(),
        open: number(open)?,
        models: number(models)?,
        shown: shown.to_owned(),
    })
}

/// The second part of the page in the docs.
pub(super) fn page(list: &[Mutation<'_>], outcomes: &[Outcome]) -> String {
    let seen = outcomes.iter().filter(|one| one.seen > 0).count();
    let right = outcomes.iter().filter(|one| one.right > 0 && one.wrong.is_empty()).count();
    let models = outcomes.first().map_or(0, |one| one.models);
    let mut text = format!(
        "\n# Would `prove` see a mistake in what families share?\n\n\
         The same command plants the mistakes of `xtask/src/mutate/shared.txt` in kinematics, loads, lowering, frames, contacts and\n\
         ingredients, and some in what the ninth family makes by itself (`places`), one at a time, and runs `prove` on {models}\n\
         models: the gallery, and those of `xtask/src/mutate/models.txt`. Of {} mistakes {seen} are seen (forms differ), {right} of them with\n\
         the right side blamed and never the wrong one: for `places` F9 alone is wrong, for all others it is not. How the\n\
         blame is found, docs/prove.md says.\n\n\
         | file | mistake | models on which forms differ | right side blamed | nobody blamed | shown by |\n\
         | --- | --- | --- | --- | --- | --- |\n",
        list.len()
    );
    for (one, Outcome { seen, right, open, shown, .. }) in list.iter().zip(outcomes) {
        let _ = writeln!(text, "| `{}` | {} | {seen} | {right} | {open} | {shown} |", one.form, one.what);
    }
    let explained: String =
        list.iter().filter_map(|one| Some(format!("- `{}`: {}. {}\n", one.form, one.what, one.survives?))).collect();
    if !explained.is_empty() {
        let _ = write!(text, "\nNot seen:\n\n{explained}");
    }
    text
}

/// Mistakes that are not seen, or blamed on the wrong side.
pub(super) fn faults(list: &[Mutation<'_>], outcomes: &[Outcome]) -> Vec<String> {
    let mut found = Vec::new();
    for (Mutation { form, what, survives, .. }, one) in list.iter().zip(outcomes) {
        match (one.right > 0, survives) {
            (false, None) if one.seen == 0 => found.push(format!("{form}: {what}: prove does not see it")),
            (false, None) => found.push(format!("{form}: {what}: the right side is never blamed")),
            (true, Some(_)) => found.push(format!("{form}: {what}: is seen, but a reason is given why not")),
            _ => {}
        }
        if !one.wrong.is_empty() {
            found.push(format!("{form}: {what}: the wrong side is blamed on {}", one.wrong));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{chosen, faults, fits, outcome, parse, planted};

    #[test]
    fn every_shared_mistake_fits_its_file_and_none_overlap() {
        let list = chosen(None).expect("blocks");
        assert_eq!(fits(&list), Ok(()));
        assert!(list.len() >= 40, "{} mistakes", list.len());
        for file in ["kinematics", "ingredients", "lower", "frame", "contact", "places"] {
            let text = super::read(&super::root().join(super::FOLDER).join(format!("{file}.rs"))).expect("a source");
            let made = planted(file, &text, &list).expect("none overlap");
            assert!(made.contains("crate::planted("), "{file} has no mistake");
        }
    }

    #[test]
    fn mistakes_of_one_place_stand_side_by_side() {
        let list =
            parse("x: a sign\n- a - b\n+ a + b\n\nx: a factor\n- a - b\n+ a\n\nx: c\n- c\n+ d\n").expect("blocks");
        let made = planted("x", "let y = a - b + c;", &list).expect("they fit");
        let both = "(if crate::planted(1) { a + b } else if crate::planted(2) { a } else { a - b })";
        assert_eq!(made, format!("let y = {both} + (if crate::planted(3) {{ d }} else {{ c }});"));
        let list = parse("x: a sign\n- a - b\n+ a + b\n\nx: a factor\n- b + c\n+ a\n").expect("blocks");
        assert!(planted("x", "let y = a - b + c;", &list).is_err());
    }

    #[test]
    fn a_mistake_must_be_seen_and_blamed_rightly() {
        let list = parse("x: a sign\n- a - b\n+ a + b\n").expect("a block");
        let count = |line: &str| faults(&list, &[outcome(line).expect("seven things")]).len();
        assert_eq!(count("3\t2\t\t1\t0\t60\tsled"), 0);
        assert_eq!(count("0\t0\t\t0\t0\t60\t"), 1);
        assert_eq!(count("3\t0\t\t3\t0\t60\t"), 1);
        assert_eq!(count("3\t2\thoop\t0\t0\t60\tsled"), 1);
    }
}

//! Is the page on the language true? Every example is read, every keyword has its place.

const PAGE: &str = include_str!("../../../docs/language.md");

fn examples() -> Vec<(usize, String)> {
    let mut examples = Vec::new();
    let mut inside: Option<(usize, String)> = None;
    for (number, line) in (1..).zip(PAGE.lines()) {
        match (&mut inside, line) {
            (None, "```mech") => inside = Some((number, String::new())),
            (Some(_), "```") => examples.extend(inside.take()),
            (Some((_, text)), line) => *text += &format!("{line}\n"),
            (None, _) => {}
        }
    }
    examples
}

#[test]
fn every_example_is_read_without_a_word() {
    let examples = examples();
    assert!(examples.len() > 20);
    // an example that begins with the name of a file is used by others
    let named =
        |text: &String| text.strip_prefix("# ").and_then(|rest| rest.split_once(".mech\n")).map(|row| row.0.to_owned());
    let file = |(_, text): &(usize, String)| Some((format!("docs/{}.mech", named(text)?), text.clone()));
    let mut files: Vec<(String, String)> = examples.iter().filter_map(file).collect();
    let table = PAGE.split("# drag.csv\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    files.push(("docs/drag.csv".to_owned(), table.to_owned()));
    for (line, text) in examples {
        let parsed = model::parse_with("docs/language.md", &text, &files);
        let silent = parsed.diagnostics.iter().all(|diagnostic| diagnostic.severity == syntax::Severity::Note);
        assert!(silent, "the example on line {line}:\n{}", parsed.render());
        let model = parsed.model.unwrap();
        assert!(model.elaborate().is_ok(), "the example on line {line}");
    }
}

#[test]
fn every_keyword_has_a_heading_and_an_example() {
    for keyword in model::keywords() {
        let heading = |line: &&str| line.starts_with("### ") && line.contains(&format!("`{keyword}"));
        assert!(PAGE.lines().any(|line| heading(&line)), "no heading names `{keyword}`");
        let used = |(_, text): &(usize, String)| text.lines().any(|line| line.split(' ').next() == Some(keyword));
        assert!(examples().iter().any(used), "no example uses `{keyword}`");
    }
}

#[test]
fn the_unit_table_has_all_units() {
    for unit in syntax::UNITS {
        assert!(PAGE.lines().any(|line| line.starts_with("| ") && line.contains(&format!("`{unit}`"))), "{unit}");
    }
}

/// Found by `cargo xtask fuzz`.
#[test]
fn a_text_with_a_carriage_return_survives_json() {
    let model = model::parse("", "note \"a\rb\"\ncoord x").model.unwrap();
    let again = model::from_json(&model::to_json(&model)).unwrap().model.unwrap();
    assert_eq!(model::print(&again), model::print(&model));
}

/// Found by `cargo xtask fuzz --verbs`: `front.x` was a component in JSON, so that a part named x, y or z was lost there.
#[test]
fn parts_named_like_axes_survive_json() {
    let text =
        "coord x, y\npoint front.x = (x, y) mass 1\npoint front.y = (1, 0)\nspring 1 between front.x and front.y\n";
    let model = model::parse("", text).model.unwrap();
    let again = model::from_json(&model::to_json(&model)).unwrap().model.unwrap();
    assert_eq!(model::print(&again), model::print(&model));
    for wrong in ["2", "x + y", "x'", "(x)", "x y", "", "."] {
        let mut json = model::to_json(&model);
        json["declarations"][1]["name"] = wrong.into();
        let error = model::from_json(&json).err();
        assert!(error.is_some_and(|error| error.contains("`name` is a name")), "{wrong}");
    }
}

#[test]
fn two_labels_that_are_equally_near_give_one_hint() {
    // labels in a table with a random order would give both
    for order in [["roda", "rodc"], ["rodc", "roda"]] {
        let lines: String = order.iter().map(|label| format!("constraint {label}: x = 0\n")).collect();
        for _ in 0..20 {
            let parsed = model::parse("", &format!("coord x : m\n{lines}friction 0.1 on rodb\n"));
            assert_eq!(parsed.diagnostics[0].hint.as_deref(), Some("did you mean `roda`?"));
        }
    }
}

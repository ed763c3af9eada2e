//! Models that are right: every keyword, every function, every rule of the text.

use std::path::{Path, PathBuf};

use model::{Line, Model};

fn models() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let name = |file: &PathBuf| file.file_name().unwrap().to_str().unwrap().to_owned();
    files.iter().map(|file| (name(file), std::fs::read_to_string(file).unwrap())).collect()
}

fn parsed(name: &str, text: &str) -> Model {
    let parsed = model::parse(name, text);
    parsed.model.clone().unwrap_or_else(|| panic!("{name}:\n{}\n{text}", parsed.render()))
}

fn bare(model: &Model) -> Vec<Line> {
    model.lines.iter().map(Line::without_places).collect()
}

#[test]
fn good_models_are_read_without_a_word() {
    for (name, text) in models() {
        let parsed = model::parse(&name, &text);
        if name == "plain.mech" {
            assert!(parsed.render().starts_with("note: this model names no unit"), "{}", parsed.render());
        } else {
            assert_eq!(parsed.render(), "", "{name}");
        }
        assert!(parsed.model.is_some());
    }
}

#[test]
fn good_models_use_every_keyword() {
    let models: Vec<Model> = models().iter().map(|(name, text)| parsed(name, text)).collect();
    let page = include_str!("../../../docs/language.md");
    let words = page.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`'));
    for word in words.flat_map(|words| words.split("`, `")) {
        let keyword = word.split(' ').next().unwrap();
        // these need files beside the model
        if ["use", "table"].contains(&keyword) {
            continue;
        }
        let uses = |model: &Model| model.lines.iter().any(|line| line.declaration.keyword() == keyword);
        assert!(models.iter().any(uses), "no model uses `{keyword}`");
    }
}

#[test]
fn formatted_models_say_the_same_and_stay_as_they_are() {
    for (name, text) in models() {
        let pretty = model::format(&text).unwrap();
        assert_eq!(bare(&parsed(&name, &pretty)), bare(&parsed(&name, &text)), "{name}");
        assert_eq!(model::format(&pretty).unwrap(), pretty, "{name}");
        assert_eq!(pretty.matches('#').count(), text.matches('#').count(), "{name} keeps its comments");
    }
}

#[test]
fn printed_models_say_the_same() {
    for (name, text) in models() {
        let model = parsed(&name, &text);
        let printed = model::print(&model);
        assert_eq!(bare(&parsed(&name, &printed)), bare(&model), "{name}");
    }
}

#[test]
fn models_travel_through_json() {
    for (name, text) in models() {
        let model = parsed(&name, &text);
        let json = model::to_json(&model);
        let text = serde_json::to_string(&json).unwrap();
        let json = serde_json::from_str(&text).unwrap();
        let again = model::from_json(&json).unwrap().model.unwrap();
        assert_eq!(bare(&again), bare(&model), "{name}");
    }
}

#[test]
fn models_are_elaborated() {
    for (name, text) in models() {
        let model = parsed(&name, &text);
        let elements = model.elaborate().unwrap_or_else(|errors| panic!("{}", model.sources.render_all(&errors)));
        assert!(elements.lines.iter().all(|line| line.ranges.is_empty()));
        assert_eq!(elements.elaborate().unwrap().lines, elements.lines, "{name}");
    }
}

#[test]
fn the_template_is_a_clean_model_in_canonical_form() {
    let parsed = model::parse("template", model::template());
    assert_eq!(parsed.render(), "");
    assert_eq!(model::format(model::template()).unwrap(), model::template());
}

#[test]
fn a_word_right_behind_a_number_is_no_factor() {
    let text = "param l = 1 m\ncoord q[1..3] : m\nobserve s[i] = q[i]*l^2for i in 1..3\nobserve d = 2l\n";
    let pretty = model::format(text).unwrap();
    assert!(pretty.contains("l^2 for i in 1..3\n") && pretty.contains("d = 2*l\n"), "{pretty}");
    assert_eq!(model::format(&pretty).unwrap(), pretty);
}

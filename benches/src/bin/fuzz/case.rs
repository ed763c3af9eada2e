//! Which text is tried? One that was written for a reason, changed a little; or a random one.

use std::fs;
use std::path::Path;

use expr::field::Random;
use serde_json::Value;
use syntax::Severity;

use crate::grammar::Grammar;
use crate::mutate::{changed, changed_json, pick};

/// What a text claims to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Model,
    Expression,
    Json,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Model, Kind::Expression, Kind::Json];

    pub fn extension(self) -> &'static str {
        match self {
            Kind::Model => "mech",
            Kind::Expression => "expr",
            Kind::Json => "json",
        }
    }

    pub fn noun(self) -> &'static str {
        match self {
            Kind::Model => "models",
            Kind::Expression => "expressions",
            Kind::Json => "JSON texts",
        }
    }

    pub fn of_extension(word: &str) -> Kind {
        Kind::ALL.into_iter().find(|kind| kind.extension() == word).unwrap_or(Kind::Model)
    }
}

/// A text and what it claims to be.
pub struct Case {
    pub kind: Kind,
    pub text: String,
}

impl Case {
    /// A broken model without the lines that the messages name, so that more texts get further.
    pub fn repaired(&self) -> Option<Case> {
        let mut text = self.text.clone();
        for _ in 0..if self.kind == Kind::Model { 6 } else { 0 } {
            let parsed = model::parse("", &text);
            if parsed.model.is_some() {
                return (text != self.text).then_some(Case { kind: self.kind, text });
            }
            let errors = parsed.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
            let wrong: Vec<usize> = errors.map(|error| parsed.sources.line_of(error.span)).collect();
            let lines = (1..).zip(text.split_inclusive('\n')).filter(|(number, _)| !wrong.contains(number));
            text = lines.map(|(_, line)| line).collect();
        }
        None
    }
}

/// The texts to begin with.
pub struct Corpus {
    models: Vec<String>,
    expressions: Vec<String>,
    json: Vec<Value>,
}

impl Corpus {
    /// The gallery, the broken models, the models of the tests, the identities.
    pub fn read() -> Corpus {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut models = Vec::new();
        for folder in ["models", "tests/errors", "crates/model/tests/models"] {
            collect(&root.join(folder), &mut models);
        }
        models.push(model::template().to_owned());
        let identities = fs::read_to_string(root.join("tests/identities.txt")).unwrap_or_default();
        let lines = identities.lines().filter(|line| !line.starts_with('#'));
        let expressions = lines.flat_map(|line| line.split('|').skip(2).take(2).map(|side| side.trim().to_owned()));
        let json = models.iter().filter_map(|text| Some(model::to_json(&model::parse("", text).model?)));
        Corpus { expressions: expressions.collect(), json: json.collect(), models }
    }

    /// The next case.
    pub fn draw(&self, random: &mut Random) -> Case {
        match random.below(20) {
            0..10 => {
                let text = changed(&pick(&self.models, random), &self.models, random);
                Case { kind: Kind::Model, text }
            }
            10..15 => {
                let text = Grammar::new(random).model();
                let text = if random.below(3) != 0 { text } else { changed(&text, &self.models, random) };
                Case { kind: Kind::Model, text }
            }
            15..17 => {
                let text = changed(&pick(&self.expressions, random), &self.expressions, random);
                Case { kind: Kind::Expression, text }
            }
            17 => Case { kind: Kind::Expression, text: Grammar::new(random).expression(6) },
            18 => {
                let mut value = pick(&self.json, random);
                (0..1 + random.below(6)).for_each(|_| changed_json(&mut value, random));
                Case { kind: Kind::Json, text: value.to_string() }
            }
            _ => {
                let text = pick(&self.json, random).to_string();
                Case { kind: Kind::Json, text: changed(&text, &self.models, random) }
            }
        }
    }
}

/// The texts of all models in a folder and those below it, in the order of their names.
fn collect(folder: &Path, texts: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    for file in files {
        match file.is_dir() {
            true => collect(&file, texts),
            false if file.extension().is_some_and(|word| word == "mech") => texts.extend(fs::read_to_string(&file)),
            false => {}
        }
    }
}

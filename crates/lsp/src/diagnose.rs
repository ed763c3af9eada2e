//! What is wrong with a text, and which word would make it right?

use anholon::answer::Level;
use model::Space;
use serde_json::{Value, json};
use syntax::{Diagnostic, Severity, Span};

use crate::document::Document;
use crate::insight::Found;

/// So many hints are tried out for one question.
const MOST_TRIED: usize = 20;

/// All that the editor shows: of the reader, and of the engine if it has looked at this very text.
pub fn all(document: &Document) -> Vec<Value> {
    if !document.is_model() {
        return Vec::new();
    }
    let mut list: Vec<Value> = document.parsed.diagnostics.iter().map(|one| of_reader(document, one)).collect();
    if let Some(insight) = &document.insight {
        list.extend(insight.remarks.iter().map(|one| of_reader(document, one)));
        list.extend(insight.errors.iter().map(|notice| {
            let here = notice.place.as_ref().filter(|place| place.file == document.file);
            let marks = here.map_or(0, |place| place.excerpt.chars().filter(|c| *c == '^').count());
            let span = here.map_or(Span::new(0, 0), |place| {
                document.lines.of_message(&document.text, place.line, place.column, marks.max(1))
            });
            let elsewhere = notice.place.as_ref().filter(|_| here.is_none());
            let place = elsewhere.map(|place| format!("{}:{}:{}", place.file, place.line, place.column));
            let lines =
                [notice.message.clone()].into_iter().chain(place).chain(notice.hints.iter().map(|hint| hinted(hint)));
            shown(document, span, severity(notice.severity.word()), &lines.collect::<Vec<_>>())
        }));
        list.extend(insight.findings.iter().map(|found| of_check(document, found)));
    }
    list
}

/// What the check found: at its line, or where its constraint is declared.
fn of_check(document: &Document, found: &Found) -> Value {
    let whole = |line| document.lines.of_message(&document.text, line, 1, usize::MAX);
    let label = found.constraint.as_deref().and_then(|name| name.split(['.', '[']).next());
    let is_it = |one: &&model::Occurrence| one.declares && one.space == Space::Constraint && Some(&*one.name) == label;
    let declared = document.names.iter().find(is_it).map(|one| one.span);
    let level = match found.level {
        Level::Wrong => 1,
        Level::Warning => 2,
        Level::Note => 3,
    };
    shown(document, found.line.map(whole).or(declared).unwrap_or_default(), level, std::slice::from_ref(&found.message))
}

fn hinted(hint: &str) -> String {
    format!("hint: {hint}")
}

fn severity(word: &str) -> u8 {
    match word {
        "error" => 1,
        "warning" => 2,
        _ => 3,
    }
}

fn shown(document: &Document, span: Span, severity: u8, lines: &[String]) -> Value {
    let message = ask::shown(&lines.join("\n"));
    json!({ "range": document.range(span), "severity": severity, "source": "anholon", "message": message })
}

/// What the reader says. A mistake in a file that is used is shown where the text begins, with its place.
fn of_reader(document: &Document, one: &Diagnostic) -> Value {
    let sources = &document.parsed.sources;
    let mut lines = vec![match one.label.as_str() {
        "" => one.message.clone(),
        label => format!("{} ({label})", one.message),
    }];
    let span = if sources.is_first(one.span) {
        one.span
    } else {
        let (source, span) = sources.local(one.span);
        let place = source.position(span.start);
        lines.push(format!("{}:{}:{}", source.name, place.line, place.column));
        Span::new(0, 0)
    };
    lines.extend(one.hint.iter().map(|hint| hinted(hint)));
    shown(document, span, severity(one.severity.word()), &lines)
}

/// What would make it right, for the mistakes of a stretch: words that hints offer, each tried out first.
pub fn actions(document: &Document, span: Span) -> Vec<Value> {
    let touches = |one: &&Diagnostic| one.span.start <= span.end && span.start <= one.span.end;
    let here = document.parsed.diagnostics.iter().filter(|one| document.parsed.sources.is_first(one.span));
    let mut list = Vec::new();
    for one in here.filter(touches).take(MOST_TRIED) {
        let Some(word) = one.hint.as_deref().and_then(offered) else { continue };
        if !helps(document, one, word) {
            continue;
        }
        let edit = json!({ "range": document.range(one.span), "newText": word });
        list.push(json!({
            "title": format!("Write `{word}`"),
            "kind": "quickfix",
            "isPreferred": true,
            "diagnostics": [of_reader(document, one)],
            "edit": { "changes": { &document.uri: [edit] } },
        }));
    }
    list
}

/// The word that a hint offers.
fn offered(hint: &str) -> Option<&str> {
    let (_, rest) = hint.split_once("did you mean `")?;
    rest.split_once('`').map(|(word, _)| word).filter(|word| !word.is_empty())
}

/// Whether the text has fewer mistakes with a word in the place of another.
fn helps(document: &Document, one: &Diagnostic, word: &str) -> bool {
    let errors = |parsed: &model::Parsed| parsed.diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    let mut settings = document.settings();
    let range = one.span.start as usize..one.span.end as usize;
    if settings.text.get(range.clone()).is_none() {
        return false;
    }
    settings.text.replace_range(range, word);
    let parsed = model::parse_with(&settings.file, &settings.text, &settings.files);
    let shift = (word.len() as i64) - i64::from(one.span.end - one.span.start);
    let end = i64::from(one.span.end) + shift;
    let is_there = |other: &Diagnostic| other.span.start == one.span.start && i64::from(other.span.end) <= end;
    let stays = parsed.diagnostics.iter().any(|other| other.severity == Severity::Error && is_there(other));
    // a line that could not be read may show the next mistake on it
    !stays && errors(&parsed) <= errors(&document.parsed)
}

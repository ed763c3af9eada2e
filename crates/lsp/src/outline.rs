//! What does a text declare, in a list; and what can be asked of it?

use model::Space;
use serde_json::{Value, json};
use syntax::Span;

use crate::document::Document;

/// The verbs that an editor may run: what is shown above the first line, and the command.
pub const COMMANDS: [(&str, &str, &str); 3] = [
    ("check", "anholon.check", "Check the model"),
    ("derive", "anholon.derive", "Derive the equations"),
    ("prove", "anholon.prove", "Prove that all forms agree"),
];

/// What is declared: names and labels, in the order of the text.
pub fn symbols(document: &Document) -> Vec<Value> {
    let declared = document.names.iter().filter(|one| one.declares && !matches!(one.space, Space::Local(_)));
    let symbol = |one: &model::Occurrence| {
        json!({
            "name": one.name,
            "detail": one.keyword,
            "kind": kind(one.keyword, one.space),
            "range": document.range(one.line.to(one.span)),
            "selectionRange": document.range(one.span),
        })
    };
    declared.map(symbol).collect()
}

/// As the protocol numbers them: constants, fields, functions, objects, events, modules, variables.
fn kind(keyword: &str, space: Space) -> u8 {
    match (space, keyword) {
        (Space::Part, _) => 2,
        (Space::Event, _) => 24,
        (Space::Constraint, _) => 11,
        (Space::Remark(_), _) => 17,
        (_, "param") => 14,
        (_, "coord" | "speed") => 8,
        (_, "function" | "table") => 12,
        (_, "body" | "point" | "rod" | "frame") => 19,
        _ => 13,
    }
}

/// A lens for each verb, above the first line that says something.
pub fn lenses(document: &Document) -> Vec<Value> {
    if !document.is_model() {
        return Vec::new();
    }
    let first = document.names.iter().map(|one| one.line.start).min().unwrap_or(0);
    let system = document.text.find("system ").filter(|at| document.lines.before(&document.text, *at).is_empty());
    let at = system.map_or(first, |at| u32::try_from(at).unwrap_or(0));
    let range = document.range(Span::new(at, at));
    let lens = |(verb, command, _): &(&str, &str, &str)| json!({ "range": range, "command": { "title": verb, "command": command, "arguments": [document.uri] } });
    COMMANDS.iter().map(lens).collect()
}

//! Where is a name declared, where is it used, and what becomes of the text if it is called otherwise?

use model::{Occurrence, Parsed, Space};
use serde_json::{Value, json};
use syntax::Severity;

use crate::document::{Document, uri_of};

/// The place of its declaration; for a name of a part, in the file of the part.
pub fn definition(document: &Document, offset: usize) -> Option<Value> {
    let name = document.name_at(offset)?;
    if let Some(declared) = document.places(name).find(|one| one.declares) {
        return Some(json!({ "uri": document.uri, "range": document.range(declared.span) }));
    }
    let symbol = document.parsed.model.as_ref()?.symbol(&name.name)?;
    let sources = &document.parsed.sources;
    if sources.is_first(symbol.span) {
        return None;
    }
    let (source, span) = sources.local(symbol.span);
    let lines = crate::place::Lines::new(source.text);
    Some(json!({ "uri": uri_of(source.name), "range": lines.range(source.text, span) }))
}

/// All places of a name.
pub fn references(document: &Document, offset: usize, with_declaration: bool) -> Vec<Value> {
    let Some(name) = document.name_at(offset) else { return Vec::new() };
    let places = document.places(name).filter(|one| with_declaration || !one.declares);
    places.map(|one| json!({ "uri": document.uri, "range": document.range(one.span) })).collect()
}

/// The name that can be renamed here, or why there is none.
pub fn renamable(document: &Document, offset: usize) -> Result<&Occurrence, String> {
    let name = document.name_at(offset).ok_or("there is no name here")?;
    if document.parsed.diagnostics.iter().any(|one| one.severity == Severity::Error) {
        return Err("the text has mistakes, which may hide uses of the name: mend them first".to_owned());
    }
    if name.name.contains('.') || name.space == Space::Part {
        return Err(format!("`{}` belongs to a part: rename it in the file of the part", name.name));
    }
    if !document.places(name).any(|one| one.declares) {
        return Err(format!("`{}` is a word of the language", name.name));
    }
    Ok(name)
}

/// The changes that give a name another spelling everywhere. What they make is read before: it must say the same.
pub fn rename(document: &Document, offset: usize, new: &str) -> Result<Value, String> {
    let name = renamable(document, offset)?;
    let is_name =
        new.chars().all(|c| c.is_alphanumeric() || c == '_') && !new.starts_with(|c: char| c.is_ascii_digit());
    if new.is_empty() || !is_name {
        return Err(format!("`{new}` is no name: names are letters, digits and `_`, and begin with no digit"));
    }
    let places: Vec<&Occurrence> = document.places(name).collect();
    let text = replaced(&document.text, &places, new);
    let settings = anholon::Settings { text, ..document.settings() };
    let parsed = model::parse_with(&settings.file, &settings.text, &settings.files);
    if let Some(wrong) = parsed.diagnostics.iter().find(|one| one.severity == Severity::Error) {
        return Err(format!("with `{new}` the model is wrong: {}", wrong.message));
    }
    if !is_same(document, name, &parsed, &settings.text) {
        return Err(format!("`{new}` would mean something else at some place: choose another name"));
    }
    let edits: Vec<Value> =
        places.iter().map(|one| json!({ "range": document.range(one.span), "newText": new })).collect();
    Ok(json!({ "changes": { &document.uri: edits } }))
}

fn replaced(text: &str, places: &[&Occurrence], new: &str) -> String {
    let mut text = text.to_owned();
    for one in places.iter().rev() {
        text.replace_range(one.span.start as usize..one.span.end as usize, new);
    }
    text
}

/// Whether the new text has the same names at the same places, and only the renamed ones are called otherwise.
fn is_same(document: &Document, name: &Occurrence, parsed: &Parsed, text: &str) -> bool {
    let after = model::occurrences(text);
    let is_it = |one: &Occurrence| one.name == name.name && one.space == name.space;
    let Some(first) = document.names.iter().position(is_it) else { return false };
    if after.len() != document.names.len() || parsed.model.is_none() {
        return false;
    }
    let called = after[first].name.clone();
    let is_free =
        called == name.name || !document.names.iter().any(|one| one.name == called && meets(one.space, name.space));
    let space = |space| if let Space::Local(_) = space { Space::Local(0) } else { space };
    let pairs = document.names.iter().zip(&after);
    is_free
        && pairs.into_iter().all(|(before, after)| {
            let expected = if is_it(before) { &called } else { &before.name };
            after.name == *expected && space(after.space) == space(before.space) && after.declares == before.declares
        })
}

/// Whether two names of these spaces could be taken for each other.
fn meets(one: Space, other: Space) -> bool {
    let group = |space| match space {
        Space::Name | Space::Local(_) | Space::Part => 0,
        Space::Constraint => 1,
        Space::Event => 2,
        Space::Remark(which) => 3 + which,
    };
    group(one) == group(other)
}

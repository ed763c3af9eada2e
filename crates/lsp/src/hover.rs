//! What is this word? Its kind, unit and value, the class of a constraint, what a contact stands for.

use model::{Occurrence, Space};
use serde_json::{Value, json};
use syntax::Span;

use crate::document::Document;

/// What is said of the word at a place, with its range.
pub fn hover(document: &Document, offset: usize) -> Option<Value> {
    let (span, told) = match document.name_at(offset) {
        Some(name) => (name.span, of_name(document, name)),
        None => word(document, offset)?,
    };
    let told: Vec<String> = told.into_iter().filter(|line| !line.is_empty()).collect();
    if told.is_empty() {
        return None;
    }
    let value = ask::shown(&told.join("\n\n"));
    Some(json!({ "contents": { "kind": "markdown", "value": value }, "range": document.range(span) }))
}

fn code(text: &str) -> String {
    format!("```mech\n{text}\n```")
}

/// A word of the language.
fn word(document: &Document, offset: usize) -> Option<(Span, Vec<String>)> {
    let text = &document.text;
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let start =
        text[..offset].rfind(|c| !is_part(c)).map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    let end = text[offset..].find(|c| !is_part(c)).map_or(text.len(), |at| offset + at);
    let word = text.get(start..end)?;
    let words = model::vocabulary();
    let is_first = document.lines.before(text, start).is_empty();
    let keyword = words.keywords.iter().find(|one| is_first && one.word.split(' ').next() == Some(word))?;
    let span = Span::new(u32::try_from(start).ok()?, u32::try_from(end).ok()?);
    Some((span, vec![code(keyword.usage)]))
}

fn of_name(document: &Document, name: &Occurrence) -> Vec<String> {
    let declared = document.places(name).find(|one| one.declares);
    let line = declared.map(|one| code(one.line.of(&document.text).trim_end())).unwrap_or_default();
    match name.space {
        Space::Name => {
            let mut told = quantity(document, name);
            told.push(line);
            told
        }
        Space::Constraint => {
            let mut told = vec![line];
            told.extend(constraint(document, name));
            told
        }
        Space::Local(_) => vec![format!("`{}`, known on this line", name.name)],
        Space::Event | Space::Remark(_) | Space::Part => vec![line],
    }
}

/// Kind, unit and value of a quantity; the use of a function.
fn quantity(document: &Document, name: &Occurrence) -> Vec<String> {
    let element = element(document, name);
    let known = document.insight.iter().flat_map(|insight| &insight.names).find(|one| one["name"] == element.as_str());
    if let Some(known) = known {
        let unit = known["unit"].as_str().filter(|unit| *unit != "no unit");
        let kind = known["kind"].as_str().unwrap_or("");
        let mut told =
            vec![format!("`{element}`: {kind}{}", unit.map_or(String::new(), |unit| format!(", in {unit}")))];
        if let Some(value) = known["value"].as_f64() {
            let unit = unit.map_or(String::new(), |unit| format!(" {unit}"));
            let when = if kind == "coordinate" { " at the start" } else { "" };
            told.push(format!("{}{unit}{when}", anholon::decimal(value)));
        }
        told.extend(known["told"].as_str().filter(|told| !told.is_empty()).map(|told| format!("`{told}`")));
        return told;
    }
    if let Some(symbol) = document.parsed.model.as_ref().and_then(|model| model.symbol(&name.name)) {
        let family = if symbol.family { ", a family" } else { "" };
        let unit = symbol.dimension.as_ref().filter(|one| !one.is_none());
        let unit = unit.map_or(String::new(), |unit| format!(", in {unit}"));
        return vec![format!("`{}`: {}{unit}{family}", symbol.name, symbol.kind.noun())];
    }
    let usage = model::vocabulary().functions.into_iter().find(|one| one.word == name.name).map(|one| one.usage);
    let fixed = match name.name.as_str() {
        "N" => "`N`: the inertial frame",
        "t" => "`t`: the time, in s",
        "pi" => "`pi`: 3.14159…",
        _ => "",
    };
    vec![usage.map_or(fixed.to_owned(), code)]
}

/// The name with the index that follows it, if that is a number.
fn element(document: &Document, name: &Occurrence) -> String {
    let rest = document.text.get(name.span.end as usize..).unwrap_or("");
    let index = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(index, _)| index.trim());
    match index.filter(|index| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit())) {
        Some(index) if !name.declares => format!("{}[{index}]", name.name),
        _ => name.name.clone(),
    }
}

/// The classes of the rows of a constraint, contact or joint, and what a contact stands for.
fn constraint(document: &Document, name: &Occurrence) -> Vec<String> {
    let Some(insight) = &document.insight else { return Vec::new() };
    let is_its =
        |row: &str| row.strip_prefix(&name.name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
    let rows = insight.rows.iter().filter(|row| is_its(&row.name));
    let rows: Vec<String> = rows.map(|row| format!("- `{}`: {}", row.name, row.told)).collect();
    let mut told = vec![rows.join("\n")];
    let heading = |line: &str| {
        let line = line.strip_prefix("# contact ");
        line.and_then(|line| line.split_once(':')).is_some_and(|(label, _)| is_its(label))
    };
    let mut stands = insight.expansion.iter().skip_while(|line| !heading(line));
    if stands.next().is_some() {
        let lines: Vec<&str> = stands.take_while(|line| !line.starts_with('#')).map(String::as_str).collect();
        told.push(format!("It stands for\n\n{}", code(&lines.join("\n"))));
    }
    told
}

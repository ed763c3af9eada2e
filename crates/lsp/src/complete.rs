//! Which word may come next? Keywords at the beginning of a line, units after a number, else names, labels and functions.

use model::Space;
use serde_json::{Value, json};

use crate::document::Document;

// what a word is, as the protocol numbers it
const FUNCTION: u8 = 3;
const VARIABLE: u8 = 6;
const REFERENCE: u8 = 18;
const UNIT: u8 = 11;
const KEYWORD: u8 = 14;

/// The words that may stand at a place.
pub fn complete(document: &Document, offset: usize) -> Vec<Value> {
    let before = document.lines.before(&document.text, offset);
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let before = before.trim_end_matches(is_part);
    let words = model::vocabulary();
    if is_said(before) {
        return Vec::new();
    }
    if before.is_empty() {
        return words.keywords.iter().map(|one| item(one.word, KEYWORD, one.usage)).collect();
    }
    if wants_unit(before) {
        return words.units.iter().map(|unit| item(unit, UNIT, "")).collect();
    }
    let mut list = names(document, offset);
    list.extend(words.functions.iter().map(|one| item(one.word, FUNCTION, one.usage)));
    list.extend(words.inner.iter().map(|word| item(word, KEYWORD, "")));
    list
}

fn item(label: &str, kind: u8, detail: &str) -> Value {
    match detail {
        "" => json!({ "label": label, "kind": kind }),
        _ => json!({ "label": label, "kind": kind, "detail": detail }),
    }
}

/// Whether a place lies in a comment or between quotes.
fn is_said(before: &str) -> bool {
    let (mut quoted, mut escaped) = (false, false);
    for c in before.chars() {
        match c {
            '#' if !quoted => return true,
            '"' if !escaped => quoted = !quoted,
            _ => {}
        }
        escaped = quoted && c == '\\' && !escaped;
    }
    quoted
}

/// Whether a unit may stand here: after a number or a colon, and in a unit that goes on. A label has its colon too, but there
/// the line goes on with more than one word.
fn wants_unit(before: &str) -> bool {
    let keyword = before.split_whitespace().next().unwrap_or("");
    let is_labelled = ["constraint", "contact", "joint", "expect", "claim", "shape"].contains(&keyword);
    let unit = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || "*/^ ".contains(c));
    let tail = before[unit.len()..].trim_start();
    let begins_unit = unit.ends_with(':') && !is_labelled;
    let digits = tail.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(tail.len());
    let after_number = digits > 0 && !unit.ends_with(|c: char| c.is_alphanumeric() || "_'])".contains(c));
    // `2*` goes on with a factor, `2 m/` with a unit
    let rest = tail[digits..].trim();
    let goes_on = rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_alphabetic()) && rest.ends_with(['*', '/']);
    begins_unit || (after_number && goes_on)
}

/// The names that are declared above, those of parts, and labels.
fn names(document: &Document, offset: usize) -> Vec<Value> {
    let mut seen: Vec<(&str, Space)> = Vec::new();
    let mut list = Vec::new();
    for one in document.names.iter().filter(|one| one.declares && (one.line.end as usize) < offset) {
        let kind = match one.space {
            Space::Name => VARIABLE,
            Space::Constraint | Space::Event => REFERENCE,
            Space::Remark(_) | Space::Local(_) | Space::Part => continue,
        };
        if !seen.contains(&(one.name.as_str(), one.space)) {
            seen.push((&one.name, one.space));
            let line = one.line.of(&document.text);
            list.push(item(&one.name, kind, line.lines().next().unwrap_or("").trim_end()));
        }
    }
    let symbols = document.parsed.model.iter().flat_map(|model| model.symbols());
    list.extend(symbols.filter(|one| one.name.contains('.')).map(|one| item(&one.name, VARIABLE, one.kind.noun())));
    list
}

#[cfg(test)]
mod tests {
    use super::{is_said, wants_unit};

    #[test]
    fn units_stand_after_numbers_and_colons() {
        for yes in
            ["param m = 2 ", "coord x : ", "param g = 9.81 m/", "param g = 1 kg*m/", "start x = 0.5 ", "coord x:"]
        {
            assert!(wants_unit(yes), "{yes}");
        }
        for no in
            ["param m = ", "force (2*", "force (m*", "constraint rod: ", "point P1", "let a = x2*", "start x = a[1] "]
        {
            assert!(!wants_unit(no), "{no}");
        }
    }

    #[test]
    fn nothing_is_completed_in_comments_and_texts() {
        assert!(is_said("param m = 1 kg # a ") && is_said("system \"A \\\" # b"));
        assert!(!is_said("system \"A # b\" ") && !is_said("param m"));
    }
}

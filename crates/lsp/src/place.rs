//! Where is this for an editor? Lines from 0, and in them units of UTF-16; byte offsets inside.

use serde_json::{Value, json};
use syntax::Span;

/// The lines of a text: as the protocol has it, `\n`, `\r\n` and `\r` end one.
#[derive(Clone, Debug)]
pub struct Lines {
    /// Where each begins, and where its text ends.
    lines: Vec<(usize, usize)>,
}

impl Lines {
    /// Finds the lines of a text.
    pub fn new(text: &str) -> Lines {
        let (mut lines, mut start, mut rest) = (Vec::new(), 0, text);
        while let Some(at) = rest.find(['\n', '\r']) {
            let ending = if rest[at..].starts_with("\r\n") { 2 } else { 1 };
            lines.push((start, start + at));
            start += at + ending;
            rest = &rest[at + ending..];
        }
        lines.push((start, text.len()));
        Lines { lines }
    }

    /// The byte offset of a place; what lies outside the text is moved to the nearest place inside.
    pub fn offset(&self, text: &str, line: u64, character: u64) -> usize {
        let Some(&(start, end)) = usize::try_from(line).ok().and_then(|line| self.lines.get(line)) else {
            return text.len();
        };
        let mut units = 0;
        for (at, c) in text[start..end].char_indices() {
            if units >= character {
                return start + at;
            }
            units += c.len_utf16() as u64;
        }
        end
    }

    /// The offset of a position of the protocol; nothing if it is none.
    pub fn read(&self, text: &str, position: &Value) -> Option<usize> {
        Some(self.offset(text, position["line"].as_u64()?, position["character"].as_u64()?))
    }

    /// The position of a byte offset.
    pub fn position(&self, text: &str, offset: usize) -> Value {
        let offset = text.floor_char_boundary(offset);
        let line = self.lines.partition_point(|(start, _)| *start <= offset).saturating_sub(1);
        let (start, end) = self.lines[line];
        let units: usize = text[start..offset.min(end)].chars().map(char::len_utf16).sum();
        json!({ "line": line, "character": units })
    }

    /// The range of a stretch.
    pub fn range(&self, text: &str, span: Span) -> Value {
        let (start, end) = (span.start as usize, span.end.max(span.start) as usize);
        json!({ "start": self.position(text, start), "end": self.position(text, end) })
    }

    /// The stretch of some characters, counted from 1 as messages count them.
    pub fn of_message(&self, text: &str, line: usize, column: usize, length: usize) -> Span {
        let Some(&(start, end)) = line.checked_sub(1).and_then(|line| self.lines.get(line)) else {
            return Span::new(0, 0);
        };
        let at = |count: usize| {
            let place = text[start..end].char_indices().nth(count).map_or(end, |(at, _)| start + at);
            u32::try_from(place).unwrap_or(u32::MAX)
        };
        let first = column.saturating_sub(1);
        Span::new(at(first), at(first.saturating_add(length)))
    }

    /// The part of the line before a place.
    pub fn before<'a>(&self, text: &'a str, offset: usize) -> &'a str {
        let line = self.lines.partition_point(|(start, _)| *start <= offset).saturating_sub(1);
        &text[self.lines[line].0..offset]
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Lines;

    #[test]
    fn units_are_those_of_utf_16() {
        let text = "θ𝜃x\r\ny\rz\n";
        let lines = Lines::new(text);
        let x = text.find('x').unwrap();
        assert_eq!(lines.position(text, x), json!({ "line": 0, "character": 3 }));
        assert_eq!(lines.offset(text, 0, 3), x);
        // the middle of a pair is the place behind it
        assert_eq!(lines.offset(text, 0, 2), x);
        assert_eq!(lines.offset(text, 0, 99), x + 1);
        assert_eq!(&text[lines.offset(text, 1, 0)..][..1], "y");
        assert_eq!(&text[lines.offset(text, 2, 0)..][..1], "z");
        assert_eq!(lines.offset(text, 3, 0), text.len());
        assert_eq!(lines.offset(text, u64::MAX, 0), text.len());
        assert_eq!(lines.position(text, text.len()), json!({ "line": 3, "character": 0 }));
    }

    #[test]
    fn messages_count_characters_from_one() {
        let text = "a\nθ = 𝜃 + b\n";
        let lines = Lines::new(text);
        assert_eq!(lines.of_message(text, 2, 5, 1).of(text), "𝜃");
        assert_eq!(lines.of_message(text, 2, 9, 5).of(text), "b");
        assert_eq!(lines.of_message(text, 9, 1, 1).of(text), "");
    }
}

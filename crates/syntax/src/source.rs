//! Where in a text is this? Byte offsets inside, line and column for people.

/// A stretch of text, as byte offsets: `start` belongs to it, `end` does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The stretch from `start` up to `end`.
    pub const fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// The shortest stretch that holds both.
    pub fn to(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The text of this stretch; what lies outside `text` is left out.
    pub fn of(self, text: &str) -> &str {
        let start = text.floor_char_boundary(self.start as usize);
        let end = text.ceil_char_boundary(self.end as usize);
        text.get(start..end).unwrap_or("")
    }
}

/// A place for people: both count from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

/// A named text, with its lines found.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    /// What messages call the text: a path, or `<expression>`.
    pub name: &'a str,
    /// The whole text.
    pub text: &'a str,
    line_starts: Vec<usize>,
}

impl<'a> Source<'a> {
    /// The text under the name that messages will show.
    pub fn new(name: &'a str, text: &'a str) -> Source<'a> {
        let after_newline = text.match_indices('\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(0).chain(after_newline).collect();
        Source { name, text, line_starts }
    }

    /// Line and column of a byte offset; an offset behind the end stands at the end.
    ///
    /// ```
    /// let source = syntax::Source::new("model", "µ = 1\nx = µ");
    /// let place = source.position(11);
    /// assert_eq!((place.line, place.column), (2, 5));
    /// ```
    pub fn position(&self, offset: u32) -> Position {
        let offset = self.text.floor_char_boundary(offset as usize);
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let before = &self.text[self.line_starts[line - 1]..offset];
        let column = before.chars().count() + 1;
        Position { line, column }
    }

    /// The text of a line, counted from 1, without its line end; empty where there is no such line.
    pub fn line(&self, line: usize) -> &'a str {
        let Some(start) = self.line_start(line) else {
            return "";
        };
        let rest = &self.text[start..];
        let line = rest.split('\n').next().unwrap_or("");
        line.strip_suffix('\r').unwrap_or(line)
    }

    /// The byte offset at which a line, counted from 1, begins.
    pub fn line_start(&self, line: usize) -> Option<usize> {
        self.line_starts.get(line.checked_sub(1)?).copied()
    }
}

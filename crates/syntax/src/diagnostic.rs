//! How is a mistake shown? What is wrong, where, and what would be right.
//!
//! ```text
//! error: `no_slip` mentions `u4`, which this model does not declare
//!   --> models/rolling/disc.mech:31:21
//! 31 | constraint no_slip: u4 = R*u3
//!    |                     ^^ declared speeds: u1, u2, u3
//! hint: declare it with `speed u4 = …`, or did you mean `u3`?
//! ```
//!
//! A tab is shown as blanks, a control character as `�`; of a long line only the part around the
//! place is shown, `…` at the cuts.

use crate::{Source, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// For information.
    Note,
    /// Works, but perhaps not as meant.
    Warning,
    /// Does not work.
    Error,
}

impl Severity {
    /// The word that messages begin with.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// Something to tell the reader about a place in their text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, as one line without a full stop.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What to say at the marked place; may be empty.
    pub label: String,
    /// What would be right.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error, so far without label and hint.
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Error, message: message.into(), span, label: String::new(), hint: None }
    }

    /// The same, as a warning or a note.
    pub fn severity(self, severity: Severity) -> Diagnostic {
        Diagnostic { severity, ..self }
    }

    /// The same, with words at the marked place.
    pub fn label(self, label: impl Into<String>) -> Diagnostic {
        Diagnostic { label: label.into(), ..self }
    }

    /// The same, with what would be right.
    pub fn hint(self, hint: impl Into<String>) -> Diagnostic {
        Diagnostic { hint: Some(hint.into()), ..self }
    }

    /// The message as plain text, in the layout above, ending with a line end.
    pub fn render(&self, source: &Source) -> String {
        let mut lines = vec![format!("{}: {}", self.severity.word(), self.message), self.excerpt(source)];
        lines.extend(self.hint.iter().map(|hint| format!("hint: {hint}")));
        let lines = lines.iter().map(|line| line.trim_end());
        lines.flat_map(|line| [line, "\n"]).collect()
    }

    /// The place in the layout above: where it is, the line, and the marks with the label; without a line end.
    pub fn excerpt(&self, source: &Source) -> String {
        let place = source.position(self.span.start);
        let number = place.line.to_string();
        let (line, marks) = Excerpt::new(self.span, place.line, source).draw();
        let lines = [
            format!("  --> {}:{}:{}", source.name, place.line, place.column),
            format!("{number} | {line}"),
            format!("{:w$} | {marks} {}", "", self.label, w = number.len()),
        ];
        lines.each_ref().map(|line| line.trim_end()).join("\n")
    }
}

/// Columns of a source line that are shown.
const WINDOW: usize = 100;
/// Columns shown before the marked place when a line is cut.
const BEFORE: usize = 40;

/// A source line as it will look: what to print for each character, and which ones are marked.
struct Excerpt {
    cells: Vec<Cell>,
}

struct Cell {
    shown: String,
    width: usize,
    marked: bool,
}

impl Excerpt {
    fn new(span: Span, line: usize, source: &Source) -> Excerpt {
        let line_start = source.line_start(line).unwrap_or(0);
        let (start, end) = (span.start as usize, span.end.max(span.start.saturating_add(1)) as usize);
        let mut column = 0;
        let mut cells = Vec::new();
        for (at, character) in source.line(line).char_indices() {
            let (shown, width) = appearance(character, column);
            column += width;
            let at = line_start + at;
            let marked = at < end && start < at + character.len_utf8();
            cells.push(Cell { shown, width, marked });
        }
        if !cells.iter().any(|cell| cell.marked) {
            cells.push(Cell::at_line_end());
        }
        Excerpt { cells }
    }

    /// The line and the marks beneath it.
    fn draw(&self) -> (String, String) {
        let (from, to) = self.window();
        let mut line = String::from(if from > 0 { "…" } else { "" });
        let mut marks = String::from(if from > 0 { " " } else { "" });
        for cell in &self.cells[from..to] {
            line.push_str(&cell.shown);
            let mark = if cell.marked { "^" } else { " " };
            marks.push_str(&mark.repeat(cell.width));
        }
        if to < self.cells.len() {
            line.push('…');
        }
        (line, marks.trim_end().to_owned())
    }

    /// The cells that are shown: all, or those around the first mark.
    fn window(&self) -> (usize, usize) {
        let width = |cells: &[Cell]| cells.iter().map(|cell| cell.width).sum::<usize>();
        if width(&self.cells) <= WINDOW {
            return (0, self.cells.len());
        }
        let mark = self.cells.iter().position(|cell| cell.marked);
        let mut from = mark.unwrap_or(0);
        let mut room = BEFORE;
        while from > 0 && self.cells[from - 1].width <= room {
            from -= 1;
            room -= self.cells[from].width;
        }
        let mut to = from;
        let mut room = WINDOW;
        while to < self.cells.len() && self.cells[to].width <= room {
            room -= self.cells[to].width;
            to += 1;
        }
        (from, to)
    }
}

impl Cell {
    /// The place behind the last character, marked.
    fn at_line_end() -> Cell {
        Cell { shown: String::new(), width: 1, marked: true }
    }
}

/// What to print for a character that stands at this column, and how many columns that takes.
fn appearance(character: char, column: usize) -> (String, usize) {
    const TAB: usize = 4;
    match character {
        '\t' => {
            let width = TAB - column % TAB;
            (" ".repeat(width), width)
        }
        _ if character.is_control() || is_direction_mark(character) => ("\u{fffd}".to_owned(), 1),
        _ => (character.to_string(), columns(character)),
    }
}

/// Marks that reorder a line on screen.
fn is_direction_mark(character: char) -> bool {
    matches!(character, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The columns that a terminal gives a character; the common cases of Unicode's width table.
fn columns(character: char) -> usize {
    match character as u32 {
        0x300..=0x36f | 0x200b..=0x200d | 0x20d0..=0x20ff | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff => 2,
        0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff => 2,
        0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

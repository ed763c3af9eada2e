//! Which text does a place belong to? A model may come from several texts; each begins where the
//! one before it ended, so that a span says by itself which text it means.

use syntax::{Diagnostic, Source, Span};

/// The texts of a model, one after another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    name: String,
    text: String,
    start: u32,
}

impl Sources {
    /// One text under the name that messages show.
    pub fn new(name: &str, text: &str) -> Sources {
        Sources { pieces: vec![Piece { name: name.to_owned(), text: text.to_owned(), start: 0 }] }
    }

    /// Where the next text would begin.
    pub(crate) fn end(&self) -> u32 {
        // One more than the length, so that the end of a text is not the start of the next.
        self.pieces.last().map_or(0, |last| last.start.saturating_add(last.text.len() as u32).saturating_add(1))
    }

    /// The same texts with those of `other`, whose spans move by [`Sources::end`].
    pub(crate) fn followed_by(&self, other: &Sources) -> Sources {
        let shift = self.end();
        let mut pieces = self.pieces.clone();
        pieces.extend(
            other.pieces.iter().map(|piece| Piece { start: piece.start.saturating_add(shift), ..piece.clone() }),
        );
        Sources { pieces }
    }

    /// The name of the text that a place belongs to.
    pub fn name_of(&self, span: Span) -> &str {
        self.piece(span).map_or("", |piece| &piece.name)
    }

    /// The words that stand at a place.
    pub fn text_of(&self, span: Span) -> &str {
        self.piece(span).map_or("", |piece| piece.local(span).of(&piece.text))
    }

    /// The line of a place, counted from 1.
    pub fn line_of(&self, span: Span) -> usize {
        self.piece(span).map_or(1, |piece| {
            let before = Span::new(0, span.start.saturating_sub(piece.start)).of(&piece.text);
            before.matches('\n').count() + 1
        })
    }

    /// The message with its source line, as plain text.
    pub fn render(&self, diagnostic: &Diagnostic) -> String {
        self.render_all(std::slice::from_ref(diagnostic))
    }

    /// All messages, a blank line between them.
    pub fn render_all(&self, diagnostics: &[Diagnostic]) -> String {
        let sources: Vec<Source> = self.pieces.iter().map(|piece| Source::new(&piece.name, &piece.text)).collect();
        let none = Source::new("", "");
        let texts = diagnostics.iter().map(|diagnostic| {
            let at = self.index(diagnostic.span);
            let start = at.map_or(0, |at| self.pieces[at].start);
            let span = shift_back(diagnostic.span, start);
            let local = Diagnostic { span, ..diagnostic.clone() };
            local.render(at.map_or(&none, |at| &sources[at]))
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    /// The text that a place belongs to, and the place in it.
    pub fn local(&self, span: Span) -> (Source<'_>, Span) {
        match self.piece(span) {
            Some(piece) => (Source::new(&piece.name, &piece.text), piece.local(span)),
            None => (Source::new("", ""), span),
        }
    }

    /// Whether a place belongs to the first text.
    pub fn is_first(&self, span: Span) -> bool {
        self.index(span) == Some(0)
    }

    fn index(&self, span: Span) -> Option<usize> {
        self.pieces.partition_point(|piece| piece.start <= span.start).checked_sub(1)
    }

    fn piece(&self, span: Span) -> Option<&Piece> {
        self.index(span).map(|at| &self.pieces[at])
    }
}

impl Piece {
    fn local(&self, span: Span) -> Span {
        shift_back(span, self.start)
    }
}

fn shift_back(span: Span, by: u32) -> Span {
    Span::new(span.start.saturating_sub(by), span.end.saturating_sub(by))
}

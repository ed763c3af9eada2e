//! How was a line written? Its own text; for an element of a family, the text with its indices resolved.

use model::{Line, Model};
use rustc_hash::FxHashSet;
use syntax::Span;

/// The texts of a model's lines.
pub(super) struct Written<'a> {
    model: &'a Model,
    /// Lines that stand for several.
    families: FxHashSet<Span>,
}

impl Written<'_> {
    pub fn new(model: &Model) -> Written<'_> {
        let is_family = |line: &&Line| !line.ranges.is_empty();
        Written { model, families: model.lines.iter().filter(is_family).map(|line| line.span).collect() }
    }

    /// What stands after the name and its colon on a line; `otherwise` where that cannot be shown as it stands.
    pub fn after_colon(&self, line: Span, otherwise: impl FnOnce() -> String) -> String {
        let text = self.model.sources.text_of(line);
        match text.split_once(':') {
            Some((_, text)) if !self.families.contains(&line) && !text.contains('#') => {
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            }
            _ => otherwise(),
        }
    }
}

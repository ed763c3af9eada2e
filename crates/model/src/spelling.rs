//! Which word was meant? What a parser says where a keyword or a word of the grammar is missing.
//!
//! A misspelled keyword counts as the one that is meant, so that the names on its line are known.

use syntax::{Diagnostic, Span, Token, TokenKind, nearest};

use crate::declaration::{DECLARATIONS, Listed, is_inner, keywords, listed, usage};
use crate::parse::Parser;

impl Parser<'_> {
    /// The keyword that begins the line; a misspelled one counts as the one that is meant.
    pub fn keyword(&mut self) -> Option<&'static Listed> {
        let token = self.cursor.token();
        let word = self.cursor.text_of(token);
        if let Some(listed) = listed(word) {
            self.cursor.bump();
            return Some(listed);
        }
        if token.kind != TokenKind::Name {
            self.complain_of_line_start(token);
            return None;
        }
        let meant = *self.misspelled.entry(word.to_owned()).or_insert_with(|| meant_keyword(word));
        let is_formula = matches!(
            self.cursor.peek_at(1),
            TokenKind::Equal | TokenKind::Prime | TokenKind::OpenBracket | TokenKind::Plus | TokenKind::Minus
        );
        let error = Diagnostic::error(token.span, format!("`{word}` is not a keyword"));
        match meant.filter(|_| !is_formula) {
            Some(meant) => {
                let (word, usage) = (meant.keyword.word, meant.keyword.usage);
                self.report(error.hint(format!("did you mean `{word}`, as in `{usage}`?")));
                self.cursor.bump();
                Some(meant)
            }
            None => {
                self.report(error.hint(if is_formula {
                    format!(
                        "begin the line with a keyword: `param {word} = …` for a constant, `let {word} = …` for an \
                         abbreviation, `start {word} = …` for its first value"
                    )
                } else {
                    let next = self.cursor.token_at(1);
                    if next.kind == TokenKind::Name && self.cursor.peek_at(2) == TokenKind::Equal {
                        let name = self.cursor.text_of(next);
                        format!("a constant is `param {name} = …`, an abbreviation `let {name} = …`")
                    } else {
                        let words: Vec<&str> = keywords().collect();
                        format!("a line begins with one of {}", words.join(" "))
                    }
                }));
                None
            }
        }
    }

    fn complain_of_line_start(&mut self, token: Token) {
        let found = self.cursor.text_of(token);
        let error = Diagnostic::error(token.span, format!("a line begins with a keyword, not with `{found}`"));
        if self.cursor.last_span() != Span::default() {
            self.cut.push(self.cursor.last_span().start);
        }
        self.report(match token.kind {
            TokenKind::Text => error.hint("a title is written `system \"…\"`, a remark `note \"…\"`"),
            TokenKind::Slash if self.cursor.peek_at(1) == TokenKind::Slash => error.hint("a comment starts with `#`"),
            _ => error.hint("to go on with the line before, begin this one with a blank"),
        });
    }

    /// Passes over a word that must stand here.
    pub fn word(&mut self, word: &str, also: &[&str]) -> Option<()> {
        debug_assert!(is_inner(word), "`{word}` is not among the inner words of `{}`", self.keyword);
        if self.cursor.eat_word(word).is_some() {
            return Some(());
        }
        let mut words = also.to_vec();
        words.push(word);
        self.complain_of_word(&words);
        None
    }

    /// Makes sure that the line ends here; `words` could have followed.
    pub fn end(&mut self, words: &[&str]) -> Option<()> {
        if self.cursor.at_line_end() {
            return Some(());
        }
        if self.complain_of_keyword() || self.complain_of_spelling(words) || self.complain_of_inner_word(words) {
            return None;
        }
        if self.cursor.peek() == TokenKind::Name {
            let names = self.cursor.last_span().to(self.cursor.token().span);
            if let Some(stray) = listed(self.keyword).and_then(|listed| (listed.keyword.stray)(names)) {
                self.report(stray);
                return None;
            }
        }
        if words == ["for"] {
            return self.cursor.expect_line_end("an operator or the end of the line");
        }
        let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        self.cursor.expect_line_end(&format!("{} or the end of the line", words.join(", ")))
    }

    /// The same, unless `for` follows.
    pub fn end_unless_for(&mut self, words: &[&str]) -> Option<()> {
        match self.cursor.at_word("for") {
            true => Some(()),
            false => self.end(words),
        }
    }

    fn complain_of_word(&mut self, words: &[&str]) {
        if self.complain_of_keyword() || self.complain_of_spelling(words) || self.complain_of_inner_word(words) {
            return;
        }
        let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        self.cursor.unexpected(&words.join(" or "));
    }

    /// A declaration begins with a blank, so that its line was joined to the one before.
    fn complain_of_keyword(&mut self) -> bool {
        let token = self.cursor.token();
        let word = self.cursor.text_of(token);
        let is_keyword = token.kind == TokenKind::Name && usage(word).is_some();
        let before = &self.cursor.source()[..token.span.start as usize];
        let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
        if !is_keyword || line.is_empty() || !line.trim().is_empty() || !before.contains('\n') {
            return false;
        }
        let message = format!("this line begins with a blank, so `{word}` continues the line before");
        self.report(Diagnostic::error(token.span, message).hint("remove the blanks at the beginning of the line"));
        self.resume = true;
        true
    }

    fn complain_of_spelling(&mut self, words: &[&str]) -> bool {
        let token = self.cursor.token();
        let word = self.cursor.text_of(token);
        if token.kind != TokenKind::Name || is_inner(word) {
            return false;
        }
        let Some(near) = nearest(word, words.iter().copied().filter(|word| word.len() > 2)) else {
            return false;
        };
        let error = Diagnostic::error(token.span, format!("`{word}` cannot stand here"));
        self.report(error.hint(format!("did you mean `{near}`?")));
        true
    }

    /// A word of the grammar stands in the wrong place.
    fn complain_of_inner_word(&mut self, words: &[&str]) -> bool {
        let token = self.cursor.token();
        let word = self.cursor.text_of(token);
        if token.kind != TokenKind::Name || !is_inner(word) {
            return false;
        }
        let expected: Vec<String> =
            words.iter().filter(|word| **word != "for").map(|word| format!("`{word}`")).collect();
        let expected = if expected.is_empty() { "the end of the line".to_owned() } else { expected.join(" or ") };
        self.report(
            Diagnostic::error(token.span, format!("`{word}` cannot stand here")).label(format!("expected {expected}")),
        );
        true
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.cursor.report(diagnostic);
    }
}

/// The declaration that somebody may have meant.
fn meant_keyword(word: &str) -> Option<&'static Listed> {
    let is_foreign = |listed: &&Listed| listed.keyword.foreign.iter().any(|foreign| foreign.eq_ignore_ascii_case(word));
    DECLARATIONS.iter().find(is_foreign).or_else(|| listed(nearest(word, keywords())?))
}

/// A bracket that is open up to a word of the grammar is one mistake, not two.
pub(crate) fn merge_open_brackets(text: &str, diagnostics: &mut Vec<Diagnostic>) {
    let mut merged: Vec<Diagnostic> = Vec::new();
    for diagnostic in diagnostics.drain(..) {
        let word = diagnostic.span.of(text).rsplit([' ', '\t', '\n']).next().unwrap_or("");
        if let Some(open) = merged.last_mut()
            && open.message.ends_with("is never closed")
            && diagnostic.message.starts_with("no operator stands between")
            && is_inner(word)
            && !Span::new(open.span.start, diagnostic.span.start).of(text).contains('\n')
        {
            let closing = if open.span.of(text) == "(" { ")" } else { "]" };
            open.hint = Some(format!("add the missing `{closing}`, perhaps before `{word}`"));
        } else {
            merged.push(diagnostic);
        }
    }
    *diagnostics = merged;
}

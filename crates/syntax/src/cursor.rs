//! How does a parser walk through the tokens? One look ahead, one step, and one way to complain.
//!
//! A method that reads something returns `None` when it complained; what it could make no sense of
//! is not handed on. After a complaint the next one is held back until an operand was read, or the
//! line is left with [`Cursor::skip_line`]: one mistake makes one message.

use crate::spelling::spelled;
use crate::token::{MOST_MESSAGES, Token, TokenKind, Tokens, string_value};
use crate::{Diagnostic, Severity, Span};

/// A place in a sequence of tokens, with the complaints so far.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    diagnostics: Vec<Diagnostic>,
    /// How often there was cause to complain, told or not.
    causes: usize,
    untold: usize,
    /// Whether the next complaint is told.
    calm: bool,
    mistakes: Vec<u32>,
    /// How many brackets, signs and exponents the reader is in.
    pub(crate) depth: usize,
    /// The closing brackets that are waited for.
    pub(crate) awaited: Vec<TokenKind>,
    /// Where the last expression ended.
    pub(crate) expression_end: u32,
    /// Where the last number with a unit ended.
    pub(crate) quantity_end: u32,
}

impl<'a> Cursor<'a> {
    /// A cursor at the first of the tokens of this text.
    pub fn new(text: &'a str, tokens: Tokens) -> Cursor<'a> {
        assert!(tokens.tokens.last().is_some_and(|last| last.kind == TokenKind::End), "the last token is the end");
        Cursor {
            text,
            tokens: tokens.tokens,
            at: 0,
            diagnostics: tokens.diagnostics,
            causes: 0,
            untold: 0,
            calm: true,
            mistakes: tokens.mistakes,
            depth: 0,
            awaited: Vec::new(),
            expression_end: u32::MAX,
            quantity_end: u32::MAX,
        }
    }

    /// The kind of the token here.
    pub fn peek(&self) -> TokenKind {
        self.token().kind
    }

    /// The kind of the token so many further on.
    pub fn peek_at(&self, ahead: usize) -> TokenKind {
        self.token_at(ahead).kind
    }

    /// The token here.
    pub fn token(&self) -> Token {
        self.token_at(0)
    }

    /// The token so many further on; behind the last one there is only the end.
    pub fn token_at(&self, ahead: usize) -> Token {
        let last = self.tokens.len() - 1;
        self.tokens[(self.at + ahead).min(last)]
    }

    /// The text of a token.
    pub fn text_of(&self, token: Token) -> &'a str {
        token.span.of(self.text)
    }

    /// The name that a token writes: `theta` for `θ`.
    pub fn name_of(&self, token: Token) -> String {
        spelled(self.text_of(token))
    }

    /// The whole text.
    pub fn source(&self) -> &'a str {
        self.text
    }

    /// The place of the token before this one; the start of the text if there is none.
    pub fn last_span(&self) -> Span {
        self.last().map_or(Span::default(), |token| token.span)
    }

    /// Whether the line, or the text, ends here.
    pub fn at_line_end(&self) -> bool {
        matches!(self.peek(), TokenKind::Newline | TokenKind::End)
    }

    /// Whether this word stands here.
    pub fn at_word(&self, word: &str) -> bool {
        self.peek() == TokenKind::Name && self.text_of(self.token()) == word
    }

    /// Passes over the token here, whatever it is; the end stays.
    pub fn bump(&mut self) -> Token {
        self.calm = true;
        self.advance()
    }

    /// Passes over a token of this kind, if one stands here.
    pub fn eat(&mut self, kind: TokenKind) -> Option<Token> {
        (self.peek() == kind).then(|| self.advance())
    }

    /// Passes over this word, if it stands here.
    pub fn eat_word(&mut self, word: &str) -> Option<Token> {
        self.at_word(word).then(|| self.advance())
    }

    /// Passes over a token of this kind, or complains that `what` is expected.
    pub fn expect(&mut self, kind: TokenKind, what: &str) -> Option<Token> {
        let found = self.eat(kind);
        if found.is_none() {
            self.unexpected(what);
        }
        found
    }

    /// Passes over this word, or complains that it is expected.
    pub fn expect_word(&mut self, word: &str) -> Option<Token> {
        let found = self.eat_word(word);
        if found.is_none() {
            self.unexpected(&format!("`{word}`"));
        }
        found
    }

    /// Reads a bare name, or complains that `what` is expected.
    pub fn name(&mut self, what: &str) -> Option<(String, Span)> {
        self.attempt(|cursor| {
            let token = cursor.expect(TokenKind::Name, what)?;
            cursor.calm = true;
            Some((cursor.name_of(token), token.span))
        })?
    }

    /// Reads a text in quotes and resolves `\"` in it.
    pub fn string(&mut self, what: &str) -> Option<(String, Span)> {
        self.attempt(|cursor| {
            let token = cursor.expect(TokenKind::Text, what)?;
            cursor.calm = true;
            Some((string_value(cursor.text_of(token)), token.span))
        })?
    }

    /// Makes sure that the line ends here; what still stands on it is passed over and looked at
    /// for further mistakes. The line end itself stays.
    pub fn expect_line_end(&mut self, what: &str) -> Option<()> {
        if self.at_line_end() {
            return Some(());
        }
        self.unexpected_after_expression(what);
        self.pass_over_rest();
        None
    }

    /// Goes to the first token of the next line, and complains anew.
    pub fn skip_line(&mut self) {
        self.leave_line();
        self.eat(TokenKind::Newline);
        self.calm = true;
    }

    /// Adds a message of the caller's own.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.causes += 1;
        if self.diagnostics.len() < MOST_MESSAGES {
            self.diagnostics.push(diagnostic);
        } else {
            self.untold += 1;
        }
    }

    /// All messages, in the order of their places.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        let untold = self.untold + self.mistakes.len().saturating_sub(MOST_MESSAGES);
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.span);
        if let Some(last) = self.diagnostics.last().filter(|_| untold > 0) {
            let message = format!("there are {untold} more mistakes");
            let note = Diagnostic::error(last.span, message).severity(Severity::Note);
            self.diagnostics.push(note.label("the last one shown"));
        }
        self.diagnostics
    }

    /// What `read` made of the tokens, unless there was cause to complain on the way.
    pub(crate) fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let (causes, start) = (self.causes, self.last_span().end);
        let result = read(self);
        let sound = self.causes == causes && !self.mistaken(start, self.token().span.start);
        sound.then_some(result)
    }

    /// Adds a message, unless the one before already tells of this trouble.
    pub(crate) fn complain(&mut self, diagnostic: Diagnostic) {
        let known = self.mistaken(self.last_span().end, self.token().span.start);
        if self.calm && !known {
            self.report(diagnostic);
        }
        self.causes += 1;
        self.calm = false;
    }

    /// An operand was read: what is wrong from here on is news.
    pub(crate) fn calm_down(&mut self) {
        self.calm = true;
    }

    /// Whether the lexer reported something from `start` up to and with `end`.
    fn mistaken(&self, start: u32, end: u32) -> bool {
        let first = self.mistakes.partition_point(|&mistake| mistake < start);
        self.mistakes.get(first).is_some_and(|&mistake| mistake <= end)
    }

    pub(crate) fn advance(&mut self) -> Token {
        let token = self.token();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub(crate) fn leave_line(&mut self) {
        while !self.at_line_end() {
            self.advance();
        }
    }

    pub(crate) fn last(&self) -> Option<Token> {
        self.at.checked_sub(1).map(|at| self.tokens[at])
    }

    /// The token before the last one.
    pub(crate) fn last_but_one(&self) -> Option<Token> {
        self.at.checked_sub(2).map(|at| self.tokens[at])
    }

    /// Whether no blank stands before the token so many further on.
    pub(crate) fn glued(&self, ahead: usize) -> bool {
        let here = (self.at + ahead).min(self.tokens.len() - 1);
        here > 0 && self.tokens[here - 1].span.end == self.tokens[here].span.start
    }

    /// The token as a message names it.
    pub(crate) fn describe(&self, token: Token) -> String {
        match token.kind {
            TokenKind::Newline => "the end of the line".to_owned(),
            TokenKind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", shorten(self.text_of(token))),
        }
    }
}

/// A text short enough for a message.
pub(crate) fn shorten(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

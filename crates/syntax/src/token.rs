//! Which words and signs stand in the text? Tokens, each with its place; the text stays outside.
//!
//! A character that belongs to no token is reported, with what to write instead, and reading goes
//! on: `×` is then taken for `*`, so that one mistake makes one message.

use crate::cursor::shorten;
use crate::spelling::{in_ascii, is_name};
use crate::{Diagnostic, Span};

/// What a token is; its text is its span of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the signs speak for themselves
pub enum TokenKind {
    /// `12`, `0.5`, `.5`, `1.5e-3`.
    Number,
    /// ASCII and Greek letters, digits and `_`, not beginning with a digit.
    Name,
    /// `"…"`, with its quotes.
    Text,
    Plus,
    Minus,
    Star,
    Slash,
    Caret,
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    Comma,
    Colon,
    Equal,
    AtLeast,
    AtMost,
    Greater,
    Less,
    NotEqual,
    Prime,
    Dot,
    /// `..`
    DotDot,
    /// The end of a line.
    Newline,
    /// The end of the text: the last token, and there only.
    End,
}

/// A word or a sign, and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

/// A text, read into tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tokens {
    /// All tokens in order, [`TokenKind::End`] last.
    pub tokens: Vec<Token>,
    /// The comments, each from its `#` to the end of its line.
    pub comments: Vec<Span>,
    /// What was no token.
    pub diagnostics: Vec<Diagnostic>,
    /// Where every mistake stands, also those beyond the number that is reported.
    pub(crate) mistakes: Vec<u32>,
}

/// Messages beyond this number are counted, not told.
pub(crate) const MOST_MESSAGES: usize = 100;

/// Reads a text into tokens, each line end a token of its own.
///
/// ```
/// let read = syntax::lex("for i in 1..n  # all");
/// assert_eq!(read.tokens.len(), 7);
/// assert_eq!(read.comments[0].of("for i in 1..n  # all"), "# all");
/// ```
pub fn lex(text: &str) -> Tokens {
    let mut lexer = Lexer::new(text);
    if u32::try_from(text.len()).is_err() {
        lexer.report(Diagnostic::error(Span::default(), "the text is larger than 4 GB"));
        lexer.rest = "";
    }
    while !lexer.rest.is_empty() {
        lexer.step();
    }
    lexer.push(TokenKind::End, 0);
    lexer.read
}

impl Tokens {
    /// The same without line ends: a text of one expression.
    pub fn as_one_line(mut self) -> Tokens {
        self.tokens.retain(|token| token.kind != TokenKind::Newline);
        self
    }

    /// The same with continued lines joined: one [`TokenKind::Newline`] between two declarations.
    ///
    /// A line goes on where the next one with a token in it begins with a blank, and inside
    /// brackets. A bracket that nobody closes joins nothing, so its line can be reported alone.
    pub fn joined(mut self, text: &str) -> Tokens {
        let inside = inside_brackets(&self.tokens);
        let mut joined: Vec<Token> = Vec::with_capacity(self.tokens.len());
        let mut line_end: Option<(Token, bool)> = None;
        for (token, inside) in self.tokens.into_iter().zip(inside) {
            if token.kind == TokenKind::Newline {
                line_end.get_or_insert((token, inside));
                continue;
            }
            if let Some((newline, inside)) = line_end.take() {
                let last = token.kind == TokenKind::End;
                let goes_on = inside || begins_with_blank(text, token.span.start) && !last;
                if !goes_on && !joined.is_empty() {
                    joined.push(newline);
                }
            }
            joined.push(token);
        }
        self.tokens = joined;
        self
    }
}

/// For every token, whether it stands between an opening bracket and the one that closes it.
fn inside_brackets(tokens: &[Token]) -> Vec<bool> {
    let mut opened: Vec<usize> = Vec::new();
    let mut change = vec![0_i32; tokens.len()];
    for (at, token) in tokens.iter().enumerate() {
        if token.kind.closing().is_some() {
            opened.push(at);
        }
        let opener = opened.last().copied();
        if let Some(open) = opener.filter(|&open| tokens[open].kind.closing() == Some(token.kind)) {
            opened.pop();
            change[open] += 1;
            change[at] -= 1;
        }
    }
    let depths = change.iter().scan(0, |depth, change| {
        *depth += change;
        Some(*depth > 0)
    });
    depths.collect()
}

/// Whether the line of this offset begins with a blank.
fn begins_with_blank(text: &str, offset: u32) -> bool {
    let before = &text[..offset as usize];
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    text[line..].starts_with([' ', '\t'])
}

impl TokenKind {
    /// For an opening bracket, the one that closes it.
    pub fn closing(self) -> Option<TokenKind> {
        match self {
            TokenKind::OpenParen => Some(TokenKind::CloseParen),
            TokenKind::OpenBracket => Some(TokenKind::CloseBracket),
            _ => None,
        }
    }
}

/// Signs, the longer before the shorter.
const SIGNS: [(&str, TokenKind); 21] = [
    ("**", TokenKind::Caret),
    (">=", TokenKind::AtLeast),
    ("<=", TokenKind::AtMost),
    ("!=", TokenKind::NotEqual),
    ("..", TokenKind::DotDot),
    ("+", TokenKind::Plus),
    ("-", TokenKind::Minus),
    ("*", TokenKind::Star),
    ("/", TokenKind::Slash),
    ("^", TokenKind::Caret),
    ("(", TokenKind::OpenParen),
    (")", TokenKind::CloseParen),
    ("[", TokenKind::OpenBracket),
    ("]", TokenKind::CloseBracket),
    (",", TokenKind::Comma),
    (":", TokenKind::Colon),
    ("=", TokenKind::Equal),
    (">", TokenKind::Greater),
    ("<", TokenKind::Less),
    ("'", TokenKind::Prime),
    (".", TokenKind::Dot),
];

/// Signs of other languages and of print, and the one that is meant.
const FOREIGN_SIGNS: [(&str, &str, TokenKind); 16] = [
    ("==", "=", TokenKind::Equal),
    ("×", "*", TokenKind::Star),
    ("·", "*", TokenKind::Star),
    ("⋅", "*", TokenKind::Star),
    ("∙", "*", TokenKind::Star),
    ("÷", "/", TokenKind::Slash),
    ("−", "-", TokenKind::Minus),
    ("–", "-", TokenKind::Minus),
    ("≤", "<=", TokenKind::AtMost),
    ("≥", ">=", TokenKind::AtLeast),
    ("≠", "!=", TokenKind::NotEqual),
    ("…", "..", TokenKind::DotDot),
    ("′", "'", TokenKind::Prime),
    ("’", "'", TokenKind::Prime),
    ("{", "(", TokenKind::OpenParen),
    ("}", ")", TokenKind::CloseParen),
];

/// Other characters that people type, and what to do instead.
const REMEDIES: [(char, &str); 19] = [
    ('²', "write `^2`"),
    ('³', "write `^3`"),
    ('¹', "write `^1`, or a digit in the name"),
    ('½', "write `1/2`"),
    ('¼', "write `1/4`"),
    ('√', "write `sqrt(…)`"),
    ('°', "write `deg` after a blank: `30 deg`"),
    ('∞', "there is no infinite number"),
    ('“', "a text stands in straight quotes: \"…\""),
    ('”', "a text stands in straight quotes: \"…\""),
    (';', "one declaration stands on a line, entries are separated by `,`"),
    ('%', "a comment starts with `#`; a percentage is written as a decimal: `0.05`"),
    ('\\', "names stand without `\\`: write `alpha`"),
    ('$', "leave it out"),
    ('|', "write `abs(…)` or `norm(…)`"),
    ('!', "not equal is written `!=`"),
    ('&', "write two relations on lines of their own"),
    ('?', "a choice is written `if(a < b, p, q)`"),
    ('\u{a0}', "this is a non-breaking space: type an ordinary blank"),
];

struct Lexer<'a> {
    text: &'a str,
    rest: &'a str,
    read: Tokens,
}

impl<'a> Lexer<'a> {
    fn new(text: &'a str) -> Lexer<'a> {
        Lexer {
            text,
            rest: text.strip_prefix('\u{feff}').unwrap_or(text),
            read: Tokens { tokens: Vec::new(), comments: Vec::new(), diagnostics: Vec::new(), mistakes: Vec::new() },
        }
    }

    /// Reads one token, comment, or run of blanks or strange characters.
    fn step(&mut self) {
        let first = self.rest.chars().next().unwrap_or(' ');
        match first {
            '\n' => self.push(TokenKind::Newline, 1),
            ' ' | '\t' | '\r' => drop(self.take(1)),
            '#' => self.comment(),
            '"' => self.string(),
            '0'..='9' => self.push(TokenKind::Number, number_length(self.rest)),
            '.' if self.begins_number() => self.push(TokenKind::Number, number_length(self.rest)),
            'a'..='z' | 'A'..='Z' | '_' => self.name(),
            _ if begins_foreign_word(first) => self.name(),
            _ => self.sign(first),
        }
    }

    fn comment(&mut self) {
        let line = self.rest.split('\n').next().unwrap_or("");
        let span = self.take(line.trim_end_matches('\r').len());
        self.read.comments.push(span);
    }

    fn string(&mut self) {
        let (length, closed) = string_length(self.rest);
        self.push(TokenKind::Text, length);
        if !closed {
            self.report_last(
                "this text in quotes is not closed on its line",
                "close it with `\"`; inside, a quote is written `\\\"`",
            );
        }
    }

    fn name(&mut self) {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || begins_foreign_word(c);
        let length = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let word = &self.rest[..length];
        self.push(TokenKind::Name, length);
        if !is_name(word) {
            let ascii = in_ascii(word).map(|ascii| format!("write `{ascii}`; "));
            let rule = "names are ASCII or Greek letters, digits and `_`";
            let hint = ascii.unwrap_or_default() + rule;
            self.report_last(&format!("`{}` is not a name", shorten(word)), &hint);
        }
    }

    /// Whether a point and digits stand here that do not follow a word, a number or a bracket.
    fn begins_number(&self) -> bool {
        let start = (self.text.len() - self.rest.len()) as u32;
        let goes_on = self.read.tokens.last().is_some_and(|last| {
            let kinds = [TokenKind::Name, TokenKind::Number, TokenKind::CloseParen, TokenKind::CloseBracket];
            last.span.end == start && (kinds.contains(&last.kind) || last.kind == TokenKind::Prime)
        });
        !goes_on && self.rest[1..].starts_with(|c: char| c.is_ascii_digit())
    }

    fn sign(&mut self, first: char) {
        let rest = self.rest;
        let foreign = FOREIGN_SIGNS.iter().find(|row| rest.starts_with(row.0));
        if let Some(&(written, meant, kind)) = foreign {
            self.push(kind, written.len());
            let message = format!("`{written}` is not a sign of this language");
            self.report_last(&message, &format!("write `{meant}`"));
        } else if let Some((sign, kind)) = SIGNS.iter().find(|row| rest.starts_with(row.0)) {
            self.push(*kind, sign.len());
        } else {
            self.stray(first);
        }
    }

    /// Reports a run of the same strange character, and passes over it.
    fn stray(&mut self, first: char) {
        let length = self.rest.find(|c| c != first).unwrap_or(self.rest.len());
        let span = self.take(length);
        let name = match first {
            _ if first.is_control() => format!("the control character U+{:04X}", first as u32),
            _ if first.is_whitespace() => format!("the blank U+{:04X}", first as u32),
            _ => format!("`{first}`"),
        };
        let mut diagnostic = Diagnostic::error(span, format!("{name} has no meaning here"));
        let remedy = REMEDIES.iter().find(|row| row.0 == first);
        diagnostic.hint = remedy.map(|row| row.1.to_owned());
        self.report(diagnostic);
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let span = self.take(length);
        self.read.tokens.push(Token { kind, span });
    }

    fn take(&mut self, length: usize) -> Span {
        let start = self.text.len() - self.rest.len();
        self.rest = &self.rest[length..];
        Span::new(start as u32, (start + length) as u32)
    }

    /// Reports the token that was just read.
    fn report_last(&mut self, message: &str, hint: &str) {
        let last = self.read.tokens.last();
        let span = last.map_or(Span::default(), |token| token.span);
        self.report(Diagnostic::error(span, message).hint(hint));
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.read.mistakes.push(diagnostic.span.start);
        if self.read.diagnostics.len() < MOST_MESSAGES {
            self.read.diagnostics.push(diagnostic);
        }
    }
}

/// Letters of other alphabets, and the dots that make a letter a derivative.
fn begins_foreign_word(character: char) -> bool {
    !character.is_ascii() && character.is_alphabetic() || matches!(character, '\u{300}'..='\u{36f}')
}

/// The length of a number: digits, a point only before a digit, an exponent only with digits.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| {
        let rest = &text.as_bytes()[from..];
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let mut length = digits(0);
    if text[length..].starts_with('.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
    }
    if text[length..].starts_with(['e', 'E']) {
        let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
        let exponent = digits(length + 1 + sign);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

/// The length of a string with its quotes, and whether it is closed before the line ends.
fn string_length(text: &str) -> (usize, bool) {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'"' if !escaped => return (at + 1, true),
            b'\n' => return (text[..at].trim_end_matches('\r').len(), false),
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    (text.len(), false)
}

/// What a string token says: its text without the quotes, `\"` and `\\` resolved.
pub(crate) fn string_value(token: &str) -> String {
    let inner = token.strip_prefix('"').unwrap_or(token);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut value = String::new();
    let mut characters = inner.chars().peekable();
    while let Some(character) = characters.next() {
        let escaped = characters.next_if(|next| character == '\\' && matches!(next, '"' | '\\'));
        value.push(escaped.unwrap_or(character));
    }
    value
}

//! What does a parser say about a token that cannot stand where it stands?
//!
//! The rows below are the mistakes that people make; each looks at the token here and the one or
//! two before it, and says what to write.

use crate::cursor::{Cursor, shorten};
use crate::parse::{DEEPEST, begins_operand, comparison_of};
use crate::token::{Token, TokenKind};
use crate::unit::{list_of_units, meant};
use crate::{Diagnostic, Node, Span};

/// Functions that people write without brackets.
const FUNCTIONS: [&str; 22] = [
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "log",
    "sqrt",
    "cbrt",
    "abs",
    "sign",
    "norm",
    "unit",
    "velocity",
    "acceleration",
    "omega",
    "energy",
    "momentum",
];

impl Cursor<'_> {
    /// Complains that `what` is expected where the token here stands, and says why that may be.
    pub fn unexpected(&mut self, what: &str) {
        let diagnostic = self.explain(what);
        self.complain(diagnostic);
    }

    /// Complains that an expression does not end where it could.
    pub(crate) fn unexpected_after_expression(&mut self, what: &str) {
        let diagnostic = self.explain_end(what);
        self.complain(diagnostic);
    }

    fn explain(&self, what: &str) -> Diagnostic {
        let here = self.token();
        if let Some(last) = self.last() {
            if self.expression_end == last.span.end && begins_operand(here.kind) {
                return self.explain_neighbours(last, here, what);
            }
            if let Some(error) = self.explain_decimal_comma(self.last_but_one(), last, here) {
                return error;
            }
        }
        let message = format!("expected {what}, found {}", self.describe(here));
        Diagnostic::error(here.span, message)
    }

    fn explain_end(&self, what: &str) -> Diagnostic {
        let here = self.token();
        let error = |message: &str| Diagnostic::error(here.span, message);
        let found = self.describe(here);
        match here.kind {
            TokenKind::Comma => self.explain_decimal_comma(self.last(), here, self.token_at(1)).unwrap_or_else(|| {
                error("`,` stands between entries, not in an expression").hint("a tuple stands in brackets: `(a, b)`")
            }),
            TokenKind::CloseParen | TokenKind::CloseBracket => error(&format!("{found} closes nothing"))
                .label("no bracket is open here")
                .hint("delete it, or open a bracket before it"),
            TokenKind::OpenBracket => {
                error("only a name takes an index").hint("write `a[i]`; a product is written with `*`")
            }
            TokenKind::DotDot => error("`..` stands only in a range").hint("write `sum(a[i] for i in 1..n)`"),
            kind if comparison_of(kind).is_some() => error(&format!("{found} cannot stand here"))
                .label(format!("expected {what}"))
                .hint("a relation has one comparison, an expression none"),
            _ => self.explain(what),
        }
    }

    /// Two operands without an operator between them.
    fn explain_neighbours(&self, last: Token, here: Token, what: &str) -> Diagnostic {
        let (a, b) = (shorten(self.text_of(last)), shorten(self.text_of(here)));
        let both = last.span.to(here.span);
        let in_word = self.glued(0);
        let after_unit = self.quantity_end == last.span.end;
        match (last.kind, here.kind) {
            (_, TokenKind::Name) if word_meant(&b, what).is_some() => {
                let word = word_meant(&b, what).unwrap_or_default();
                Diagnostic::error(here.span, format!("`{b}` cannot stand here"))
                    .label(format!("expected {what}"))
                    .hint(format!("the word for it is `{word}`"))
            }
            (_, TokenKind::Name) if after_unit => explain_after_unit(last, here, &a, &b),
            (TokenKind::Number, TokenKind::Name) if in_word => explain_number_word(both, &a, &b),
            (TokenKind::Number, TokenKind::Name) => explain_word_after_number(here, &a, &b),
            (TokenKind::Name, TokenKind::Name | TokenKind::Number) if FUNCTIONS.contains(&a.as_str()) => {
                Diagnostic::error(both, format!("`{a}` needs brackets around its argument"))
                    .hint(format!("write `{a}({b})`"))
            }
            (TokenKind::Name | TokenKind::Number, TokenKind::Name | TokenKind::Number) => {
                Diagnostic::error(both, format!("no operator stands between `{a}` and `{b}`"))
                    .label(format!("expected {what}"))
                    .hint(format!("a product is written `{a}*{b}`"))
            }
            _ => Diagnostic::error(
                Span::new(
                    last.span.end - 1,
                    if here.kind == TokenKind::Name { here.span.end } else { here.span.start + 1 },
                ),
                format!("no operator stands between `{a}` and `{b}`"),
            )
            .hint("a product is written with `*`"),
        }
    }

    /// `1,5` for 1.5.
    fn explain_decimal_comma(&self, whole: Option<Token>, comma: Token, part: Token) -> Option<Diagnostic> {
        let whole = whole.filter(|whole| whole.kind == TokenKind::Number)?;
        let in_a_row = whole.span.end == comma.span.start && comma.span.end == part.span.start;
        if comma.kind != TokenKind::Comma || part.kind != TokenKind::Number || !in_a_row {
            return None;
        }
        let (a, b) = (shorten(self.text_of(whole)), shorten(self.text_of(part)));
        let span = whole.span.to(part.span);
        let error = Diagnostic::error(span, format!("`{a},{b}` is not a number"));
        Some(error.hint(format!("a decimal has a point: write `{a}.{b}`")))
    }

    /// An operand is missing before the token here.
    pub(crate) fn complain_of_missing_operand(&mut self) {
        let here = self.token();
        let diagnostic = match self.last() {
            _ if here.kind == TokenKind::Text => Diagnostic::error(here.span, "a text in quotes is not an expression"),
            None if here.kind == TokenKind::End => {
                Diagnostic::error(here.span, "there is nothing here").label("expected an expression")
            }
            Some(last) if is_operator(last.kind) => self.explain_missing_after(last, here),
            Some(last) if last.kind == TokenKind::Comma => {
                Diagnostic::error(last.span, "an entry is missing after `,`")
                    .hint("write the entry, or delete the comma")
            }
            _ if here.kind == TokenKind::Comma => Diagnostic::error(here.span, "an entry is missing before `,`")
                .hint("write the entry, or delete the comma"),
            _ if is_operator(here.kind) => {
                let sign = self.describe(here);
                Diagnostic::error(here.span, format!("an operand is missing before {sign}"))
            }
            _ => {
                let found = self.describe(here);
                Diagnostic::error(here.span, format!("expected an expression, found {found}"))
            }
        };
        self.complain(diagnostic);
    }

    fn explain_missing_after(&self, last: Token, here: Token) -> Diagnostic {
        let (a, b) = (self.text_of(last), self.text_of(here));
        if !is_operator(here.kind) {
            return Diagnostic::error(last.span, format!("an operand is missing after `{a}`"));
        }
        let span = last.span.to(here.span);
        let error = Diagnostic::error(span, format!("an operand is missing between `{a}` and `{b}`"));
        match (a, b) {
            ("/", "/") => error.hint("a comment starts with `#`"),
            ("=", "<") => error.hint("at most is written `<=`"),
            ("=", ">") => error.hint("at least is written `>=`"),
            ("<", ">") => error.hint("not equal is written `!=`"),
            _ => error,
        }
    }

    /// A number is followed by a point, but not by digits after it.
    pub(crate) fn complain_of_point(&mut self, number: Token) {
        let (dot, after) = (self.token(), self.token_at(1));
        let goes_on = matches!(after.kind, TokenKind::Number | TokenKind::Name) && self.glued(1);
        let span = number.span.to(if goes_on { after.span } else { dot.span });
        let digits = shorten(self.text_of(number));
        let (message, hint) = if goes_on && after.kind == TokenKind::Number {
            let text = format!("`{digits}.{}`", shorten(self.text_of(after)));
            (format!("{text} has two points"), "a decimal has one point".to_owned())
        } else {
            let message = format!("`{digits}.` is not a number: a digit follows its point");
            (message, format!("write `{digits}.0` or `{digits}`"))
        };
        self.complain(Diagnostic::error(span, message).hint(hint));
        self.advance();
        if goes_on {
            self.advance();
        }
        self.calm_down();
    }

    pub(crate) fn complain_of_component(&mut self, dot: Token) {
        let here = self.token();
        let is_word = matches!(here.kind, TokenKind::Name | TokenKind::Number);
        let span = if is_word { dot.span.to(here.span) } else { dot.span };
        let message = match is_word {
            true => format!("`.{}` is not a component", shorten(self.text_of(here))),
            false => "a component is missing after `.`".to_owned(),
        };
        self.complain(Diagnostic::error(span, message).hint("components are `.x`, `.y` and `.z`"));
        if is_word {
            self.advance();
            self.calm_down();
        }
    }

    /// Complains of `v.x.y`, and passes over all that is appended.
    pub(crate) fn complain_of_second_component(&mut self) {
        let here = self.token();
        let message = "a component has no components of its own";
        self.complain(Diagnostic::error(here.span, message).hint("write one of `.x`, `.y` and `.z`"));
        while matches!(self.peek(), TokenKind::Dot | TokenKind::Prime) {
            let dot = self.advance().kind == TokenKind::Dot;
            if dot && matches!(self.peek(), TokenKind::Name | TokenKind::Number) {
                self.advance();
            }
        }
        self.calm_down();
    }

    /// `2 m ^2`: is the length squared, or the unit?
    pub(crate) fn complain_of_power_of_unit(&mut self, base: &Node) {
        let caret = self.token();
        let quantity = shorten(base.span.of(self.source()));
        self.complain(
            Diagnostic::error(caret.span, format!("what does `^` after `{quantity}` raise?"))
                .hint(format!("write `{quantity}^2` without a blank to raise the unit, `({quantity})^2` to raise all")),
        );
    }

    /// `1/2x`: is x above the line or below it?
    pub(crate) fn complain_of_divisor(&mut self, number: Span) {
        let (a, b) = (shorten(number.of(self.source())), shorten(self.text_of(self.token())));
        let (word, dots) = if b == "(" { ("(…)".to_owned(), "(…)") } else { (b.clone(), b.as_str()) };
        let span = number.to(self.token().span);
        self.complain(
            Diagnostic::error(span, format!("does `/{a}{word}` divide by `{a}` or by `{a}*{dots}`?"))
                .hint(format!("write `/{a}*{word}`, or `/({a}*{word})`")),
        );
    }

    pub(crate) fn complain_of_relation(&mut self) {
        if begins_operand(self.peek()) {
            return self.unexpected("an operator, or a comparison such as `=`");
        }
        let span = self.token().span;
        self.complain(
            Diagnostic::error(span, "a relation needs a comparison")
                .label("expected `=`, `>=`, `<=`, `>`, `<` or `!=`"),
        );
    }

    pub(crate) fn complain_of_choice(&mut self) {
        if begins_operand(self.peek()) {
            return self.unexpected("an operator or `,`");
        }
        let span = self.token().span;
        self.complain(
            Diagnostic::error(span, "after a relation two expressions are expected")
                .hint("write `if(a < b, p, q)`: p where the relation holds, q elsewhere"),
        );
    }

    pub(crate) fn complain_of_empty_brackets(&mut self, open: Token) {
        let span = open.span.to(self.token().span);
        self.complain(Diagnostic::error(span, "these brackets are empty").label("expected an expression"));
    }

    pub(crate) fn complain_of_open(&mut self, open: Token) {
        let bracket = self.describe(open);
        let closing = if open.kind == TokenKind::OpenParen { ")" } else { "]" };
        self.complain(
            Diagnostic::error(open.span, format!("{bracket} is never closed"))
                .hint(format!("add the missing `{closing}`")),
        );
    }

    /// A bracket is closed by one of the other kind.
    pub(crate) fn complain_of_mismatch(&mut self, open: Token) {
        let (opened, found) = (self.describe(open), self.describe(self.token()));
        let place = self.token().span;
        let closing = if open.kind == TokenKind::OpenParen { ")" } else { "]" };
        self.complain(
            Diagnostic::error(open.span.to(place), format!("{opened} is not closed before {found}"))
                .hint(format!("write `{closing}` before or in place of {found}")),
        );
    }

    /// Something stands in brackets where they could close.
    pub(crate) fn complain_inside(&mut self, open: Token) {
        let here = self.token();
        if self.peek() == TokenKind::Comma {
            let message = "`,` cannot stand here";
            return self.complain(Diagnostic::error(here.span, message).label("expected `]`"));
        }
        let closing = if open.kind == TokenKind::OpenParen { "`)`" } else { "`]`" };
        self.unexpected_after_expression(&format!("an operator or {closing}"));
    }

    pub(crate) fn complain_of_depth(&mut self) {
        let message = format!("nested more than {DEEPEST} deep");
        self.complain(Diagnostic::error(self.token().span, message).hint("name a part of it and use the name"));
        self.leave_line();
    }
}

/// Words that people write for a word of the grammar.
const SYNONYMS: [(&str, &[&str]); 2] = [
    ("rest", &["length", "natural", "unstretched", "relaxed", "free"]),
    ("between", &["joining", "connecting", "connects"]),
];

/// The word of the grammar that is expected there and that somebody may have meant.
fn word_meant(word: &str, expected: &str) -> Option<&'static str> {
    let is_meant = |one: &&(&'static str, &[&str])| one.1.contains(&word) && expected.contains(&format!("`{}`", one.0));
    SYNONYMS.iter().find(is_meant).map(|one| one.0)
}

/// `2 m x`: a word after a unit.
fn explain_after_unit(last: Token, here: Token, a: &str, b: &str) -> Diagnostic {
    Diagnostic::error(last.span.to(here.span), format!("no operator stands between `{a}` and `{b}`"))
        .label(format!("`{a}` was read as a unit, for it stands after a number"))
        .hint("a product is written with `*`")
}

/// `x^2y`, `1_000`.
fn explain_number_word(span: Span, number: &str, word: &str) -> Diagnostic {
    let error = Diagnostic::error(span, format!("`{number}{word}` is neither a number nor a name"));
    match word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_') {
        true => error.hint(format!("write `{number}{}`", word.replace('_', ""))),
        false => error.hint(format!("write `{number}*{word}`")),
    }
}

/// `2 x`, `2 meter`.
fn explain_word_after_number(here: Token, number: &str, word: &str) -> Diagnostic {
    let error = Diagnostic::error(here.span, format!("`{word}` is not a unit"));
    match meant(word) {
        Some(unit) if unit.contains(' ') => error.hint(format!("write it as a multiple of `{unit}`")),
        Some(unit) => error.hint(format!("write `{number} {unit}` for the unit, `{number}*{word}` for a product")),
        None => error.label(list_of_units()).hint(format!("write `{number}*{word}` for a product")),
    }
}

fn is_operator(kind: TokenKind) -> bool {
    let arithmetic =
        matches!(kind, TokenKind::Plus | TokenKind::Minus | TokenKind::Star | TokenKind::Slash | TokenKind::Caret);
    arithmetic || comparison_of(kind).is_some()
}

//! Which declarations does a text make? Line after line, by the list of declarations.
//!
//! A line that cannot be read is left out, and its names are remembered as broken: using one of
//! them later is not a second mistake. A part that cannot be read does not end the line; the other
//! parts are read too, so that their mistakes are told in the same run.

use rustc_hash::FxHashMap;
use syntax::{Comparison, Cursor, Diagnostic, Node, NodeKind, Relation, Span, Token, TokenKind, lex};

use crate::declaration::{Line, Listed, Name, is_inner, usage};
use crate::spelling::merge_open_brackets;

/// What a text says, before names are looked up.
pub(crate) struct Syntax {
    /// The lines that could be read.
    pub lines: Vec<Line>,
    /// The names on the lines that could not.
    pub broken: Vec<(String, Span)>,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads all declarations of a text.
pub(crate) fn parse(text: &str) -> Syntax {
    let tokens = lex(text).joined(text);
    let all = tokens.tokens.clone();
    let mut parser = Parser {
        cursor: Cursor::new(text, tokens),
        keyword: "",
        resume: false,
        cut: Vec::new(),
        misspelled: FxHashMap::default(),
    };
    let mut lines = Vec::new();
    let mut broken = Vec::new();
    let mut line_starts: Vec<(u32, &'static str)> = Vec::new();
    while parser.cursor.peek() != TokenKind::End {
        let start = parser.cursor.token().span;
        parser.keyword = "";
        match parser.line() {
            Some(line) => lines.push(line),
            None => broken.extend(parser.names_from(start, &all)),
        }
        line_starts.push((start.start, parser.keyword));
        if !std::mem::take(&mut parser.resume) {
            parser.cursor.skip_line();
        }
    }
    let cut = std::mem::take(&mut parser.cut);
    let mut diagnostics = parser.cursor.finish();
    diagnostics.retain(|diagnostic| !cut.contains(&diagnostic.span.start));
    merge_open_brackets(text, &mut diagnostics);
    for diagnostic in diagnostics.iter_mut().filter(|diagnostic| diagnostic.hint.is_none()) {
        let line = line_starts.partition_point(|line| line.0 <= diagnostic.span.start);
        let usage = line.checked_sub(1).and_then(|line| usage(line_starts[line].1));
        diagnostic.hint = usage.map(|usage| format!("the line looks like `{usage}`"));
    }
    Syntax { lines, broken, diagnostics }
}

/// Keywords of lines that give no name to anything.
const DECLARE_NOTHING: [&str; 19] = [
    "gravity",
    "potential",
    "kinetic",
    "dissipation",
    "force",
    "torque",
    "generalized",
    "spring",
    "damper",
    "start",
    "guess",
    "rate",
    "inverse",
    "dependent",
    "assume",
    "friction",
    "restitution",
    "source",
    "note",
];

/// Keywords of lines that give a name before a colon.
const LABELS: [&str; 8] = ["constraint", "contact", "joint", "shape", "expect", "claim", "stop", "record"];

pub(crate) struct Parser<'a> {
    pub cursor: Cursor<'a>,
    /// The keyword of the line that is read.
    pub keyword: &'static str,
    /// Whether the cursor stands at a declaration that begins in the middle of a joined line.
    pub resume: bool,
    /// Line ends after which the next line should have begun with a blank.
    pub cut: Vec<u32>,
    /// Words in the place of a keyword, and the keyword that is meant.
    pub misspelled: FxHashMap<String, Option<&'static Listed>>,
}

/// `Some` only if all parts could be read; every part is read before.
macro_rules! complete {
    ($make:expr $(, $part:ident)*) => {{
        $(let $part = $part?;)*
        Some($make)
    }};
}
pub(crate) use complete;

impl Parser<'_> {
    fn line(&mut self) -> Option<Line> {
        let start = self.cursor.token().span;
        let listed = self.keyword()?;
        self.keyword = listed.keyword.word;
        let declaration = (listed.parse)(self);
        let mut ranges = Some(Vec::new());
        if let Some(word) = self.cursor.eat_word("for") {
            ranges = self.cursor.ranges();
            if !listed.keyword.repeats {
                let error = Diagnostic::error(word.span, format!("`{}` cannot be repeated", self.keyword));
                self.report(error.hint("leave out what begins with `for`"));
                ranges = None;
            }
        }
        let (declaration, ranges) = (declaration?, ranges?);
        self.end(&["for"])?;
        let span = start.to(self.cursor.last_span());
        Some(Line { declaration, ranges, span })
    }

    // ---------------------------------------------------------------------------------------
    // Parts that several declarations share

    /// `x`, or `a[i-1]`; `what` is said to be missing if it is.
    pub fn name(&mut self, what: &str) -> Option<Name> {
        let node = self.cursor.indexed_name(what)?;
        let NodeKind::Name { name, index } = node.kind else {
            return None;
        };
        Some(Name { name, index: index.map(|index| *index), span: node.span })
    }

    /// `x'`
    pub fn rate(&mut self) -> Option<Name> {
        let mut rate = self.name("the rate of a coordinate, such as `x'`")?;
        if self.cursor.peek() != TokenKind::Prime {
            let error = Diagnostic::error(rate.span, format!("`{}` is not a rate", rate.name));
            self.report(error.hint(format!("write `{}'`", rate.name)));
            return None;
        }
        rate.span = rate.span.to(self.cursor.bump().span);
        Some(rate)
    }

    /// `name:`
    pub fn label(&mut self) -> Option<Name> {
        let keyword = self.keyword;
        let what = format!("the name of the {keyword}");
        if self.cursor.peek() == TokenKind::Name || self.cursor.peek() == TokenKind::Colon {
            let label = self.name(&what)?;
            if self.cursor.eat(TokenKind::Colon).is_some() {
                return Some(label);
            }
            if let NodeKind::Name { .. } = self.name_node(&label).kind
                && self.cursor.peek() == TokenKind::Name
            {
                self.cursor.unexpected("`:`");
                return None;
            }
        }
        let span = self.cursor.last_span().to(self.cursor.token().span);
        let error = Diagnostic::error(span, format!("a name and a colon are missing after `{keyword}`"));
        self.report(error.hint(format!("write `{keyword} name: …`; messages and results use the name")));
        None
    }

    fn name_node(&self, name: &Name) -> Node {
        let index = name.index.clone().map(Box::new);
        Node::new(NodeKind::Name { name: name.name.clone(), index }, name.span)
    }

    /// `x = 0, y = 1`
    pub fn equations(&mut self) -> Option<Vec<Relation>> {
        self.list(Self::equation)
    }

    /// `x = 0`
    pub fn equation(&mut self) -> Option<Relation> {
        let relation = self.cursor.relation()?;
        if relation.comparison == Comparison::Equal {
            return Some(relation);
        }
        let sign = relation.comparison.symbol();
        let error = Diagnostic::error(relation.span, format!("an equation has `=`, not `{sign}`"));
        self.report(error);
        None
    }

    /// A relation that becomes true at some instant.
    pub fn event(&mut self) -> Option<Relation> {
        let relation = self.cursor.relation()?;
        if relation.comparison != Comparison::NotEqual {
            return Some(relation);
        }
        let message = "`!=` holds at all but single instants: it is no event";
        self.report(Diagnostic::error(relation.span, message).hint("write `=`, `<` or `>`, as in `when x > 0`"));
        None
    }

    /// Entries between commas; all are read, also after one that could not be.
    pub fn list<T>(&mut self, mut entry: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut entries = vec![entry(self)];
        while self.cursor.eat(TokenKind::Comma).is_some() {
            entries.push(entry(self));
        }
        entries.into_iter().collect()
    }

    /// The expression after a word, if the word stands here; `None` if it could not be read.
    pub fn clause(&mut self, word: &str) -> Option<Option<Node>> {
        debug_assert!(is_inner(word), "`{word}` is not among the inner words of `{}`", self.keyword);
        match self.cursor.eat_word(word) {
            Some(_) => Some(Some(self.cursor.expression()?)),
            None => Some(None),
        }
    }

    /// `between A and B`; `also` could have stood before.
    pub fn between(&mut self, also: &[&str]) -> Option<(Node, Node)> {
        self.word("between", also)?;
        let from = self.cursor.expression();
        self.word("and", &[])?;
        let to = self.cursor.expression();
        Some((from?, to?))
    }

    /// `against Q`, if it stands here; `None` if it could not be read.
    pub fn against(&mut self) -> Option<Option<Name>> {
        match self.cursor.eat_word("against") {
            Some(_) => Some(Some(self.name("the point or body that the opposite acts on")?)),
            None => Some(None),
        }
    }

    /// The names on a line that could not be read, from its start to its end or to where reading resumes.
    fn names_from(&self, start: Span, all: &[Token]) -> Vec<(String, Span)> {
        let first = all.partition_point(|token| token.span.start < start.start);
        let here = self.cursor.token().span.start;
        let on_line = all[first..].iter().take_while(|token| match self.resume {
            true => token.span.start < here,
            false => token.kind != TokenKind::Newline,
        });
        // where the keyword is known, it tells which names the line would have declared
        let (declares, labels) = (!DECLARE_NOTHING.contains(&self.keyword), LABELS.contains(&self.keyword));
        let (mut names, mut depth, mut before) = (Vec::new(), 0, TokenKind::Newline);
        let mut is_open = matches!(self.keyword, "" | "use");
        for (place, token) in on_line.enumerate().skip(1) {
            let next = all.get(first + place + 1).map_or(TokenKind::End, |token| token.kind);
            match token.kind {
                TokenKind::OpenParen | TokenKind::OpenBracket => depth += 1,
                TokenKind::CloseParen | TokenKind::CloseBracket => depth -= 1,
                TokenKind::Name => {
                    // an open bracket may have swallowed whole lines
                    is_open |= usage(self.cursor.text_of(*token)).is_some();
                    let is_listed = depth == 0 && (before == TokenKind::Comma || next == TokenKind::Equal);
                    if is_open || declares && (place == 1 || is_listed && !labels) {
                        names.push((self.cursor.name_of(*token), token.span));
                    }
                }
                _ => {}
            }
            before = token.kind;
        }
        names
    }
}

/// `1 argument`, `2 arguments`
pub(crate) fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

//! How does a model file look at its best? The same words, blanks where they help, comments kept.
//!
//! Line breaks inside a declaration stay where they are. Blank lines stay, one at most in a row.
//! Text after a name and its colon, and comments at the end of lines, are aligned between neighbours.

use rustc_hash::FxHashSet;
use syntax::{Diagnostic, NodeKind, Severity, Token, TokenKind, UNITS, lex};

use crate::declaration::{Bracket, Line, listed};
use crate::parse::parse;
use crate::walk::{Part, Parts};

/// A text that differs less than this from its neighbours is aligned with them.
const WIDEST_GAP: usize = 16;
/// Comments are aligned to columns up to this one.
const WIDEST_LINE: usize = 110;
/// The beginning of a continued line.
const INDENT: &str = "    ";

/// The text of a model file in canonical form; a text that cannot be read is refused.
///
/// ```
/// let text = "coord x,y:m#where it is\n\n\n\nconstraint  c:x ^2+y^2=1 m^2";
/// let pretty = "coord x, y : m  #where it is\n\nconstraint c: x^2 + y^2 = 1 m^2\n";
/// assert_eq!(model::format(text).unwrap(), pretty);
/// ```
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let syntax = parse(text);
    if syntax.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return Err(syntax.diagnostics);
    }
    let roles = Roles::of(&syntax.lines);
    let mut rows = rows(text, &roles);
    align_labels(&mut rows);
    align_comments(&mut rows);
    Ok(rows.iter().map(|row| row.text.trim_end().to_owned() + "\n").collect())
}

/// Where signs and words stand whose blanks depend on what they mean.
#[derive(Default)]
struct Roles {
    /// Signs before an operand.
    signs: FxHashSet<u32>,
    /// Names that a bracket follows without a blank.
    calls: FxHashSet<u32>,
    /// Brackets that follow a name without a blank, where the place of the name is not known.
    brackets: FxHashSet<u32>,
    /// Where units end.
    unit_ends: FxHashSet<u32>,
    /// Signs inside units.
    in_units: FxHashSet<u32>,
    /// Where units begin.
    unit_starts: FxHashSet<u32>,
    /// Where parts of expressions begin.
    operands: FxHashSet<u32>,
}

impl Roles {
    fn of(lines: &[Line]) -> Roles {
        let mut roles = Roles::default();
        for line in lines {
            for bracket in line.declaration.data().brackets() {
                match bracket {
                    Bracket::After(word) => roles.calls.insert(word),
                    Bracket::At(place) => roles.brackets.insert(place),
                };
            }
            line.look(&mut |part| roles.part(part));
        }
        roles
    }

    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Unit(unit) => {
                self.unit_ends.insert(unit.span.end);
                self.unit_starts.insert(unit.span.start);
                self.signs.extend(unit.factors.iter().flat_map(|factor| factor.span.start..factor.span.end));
                let factors = unit.factors.iter().skip(1);
                self.in_units.extend(factors.map(|factor| factor.span.start - 1));
            }
            Part::Node(node) => {
                self.operands.insert(node.span.start);
                match &node.kind {
                    NodeKind::Signed { .. } => drop(self.signs.insert(node.span.start)),
                    NodeKind::Call { .. } => drop(self.calls.insert(node.span.start)),
                    _ => {}
                }
                node.kind.look(&mut |part| self.part(part));
            }
        }
    }
}

/// A line of the output.
struct Row {
    /// All of it, once it is aligned.
    text: String,
    /// The comment at its end.
    comment: Option<String>,
    /// `constraint` or another keyword with a label, and where the label's colon ends.
    label: Option<(String, usize)>,
}

impl Row {
    fn is_blank(&self) -> bool {
        self.text.is_empty() && self.comment.is_none()
    }
}

fn rows(text: &str, roles: &Roles) -> Vec<Row> {
    let read = lex(text);
    let ends: FxHashSet<u32> = joined_ends(text);
    let tokens = &read.tokens;
    let mut comments = read.comments.iter().peekable();
    let mut rows: Vec<Row> = Vec::new();
    let mut line: Vec<Token> = Vec::new();
    let mut keyword = String::new();
    let mut begins = true;
    for token in tokens {
        if !matches!(token.kind, TokenKind::Newline | TokenKind::End) {
            line.push(*token);
            continue;
        }
        let comment = comments.next_if(|comment| comment.start < token.span.start || token.kind == TokenKind::End);
        let comment = comment.map(|comment| comment.of(text).trim_end().to_owned());
        if let Some(first) = line.first().filter(|_| begins) {
            keyword = first.span.of(text).to_owned();
        }
        let row = row(text, &line, comment, !begins, &keyword, roles);
        if !row.is_blank() || rows.last().is_some_and(|last| !last.is_blank()) {
            rows.push(row);
        }
        if !line.is_empty() {
            begins = false;
        }
        if ends.contains(&token.span.start) {
            begins = true;
        }
        line.clear();
    }
    while rows.last().is_some_and(Row::is_blank) {
        rows.pop();
    }
    rows
}

/// Where declarations end: the line ends that joining continued lines leaves.
fn joined_ends(text: &str) -> FxHashSet<u32> {
    let joined = lex(text).joined(text);
    let ends = joined.tokens.iter().filter(|token| token.kind == TokenKind::Newline);
    ends.map(|token| token.span.start).collect()
}

fn row(text: &str, line: &[Token], comment: Option<String>, inside: bool, keyword: &str, roles: &Roles) -> Row {
    let mut written = String::new();
    let mut label = None;
    if inside && !line.is_empty() {
        written.push_str(INDENT);
    }
    for (at, token) in line.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| line[at]);
        if before.is_some_and(|before| lacks_star(before, *token, roles)) {
            written.push('*');
        } else if before.is_some_and(|before| blank(text, before, *token, line.get(at + 1).copied(), keyword, roles)) {
            written.push(' ');
        }
        match (token.kind, token.span.of(text)) {
            (TokenKind::Caret, _) => written.push('^'),
            (TokenKind::Number, digits) if digits.starts_with('.') => written += &format!("0{digits}"),
            (_, word) => written.push_str(word),
        }
        if token.kind == TokenKind::Colon && has_label(keyword) && !inside && label.is_none() {
            label = Some((keyword.to_owned(), written.len()));
        }
    }
    if line.is_empty() && inside && comment.is_some() {
        written.push_str(INDENT);
    }
    Row { text: written, comment, label }
}

/// `2x`: a number, and what it multiplies right behind it.
fn lacks_star(number: Token, next: Token, roles: &Roles) -> bool {
    // a word of the language is no factor: `l^2for i in 1..n`
    let begins = match next.kind {
        TokenKind::Name => roles.operands.contains(&next.span.start),
        kind => kind == TokenKind::OpenParen,
    };
    let touches = number.kind == TokenKind::Number && number.span.end == next.span.start;
    begins && touches && !roles.unit_starts.contains(&next.span.start)
}

fn has_label(keyword: &str) -> bool {
    listed(keyword).is_some_and(|listed| listed.keyword.has_label)
}

/// Whether a blank stands between two neighbours.
fn blank(text: &str, a: Token, b: Token, after: Option<Token>, keyword: &str, roles: &Roles) -> bool {
    use TokenKind::*;
    let sign = |token: Token| matches!(token.kind, Plus | Minus) && roles.signs.contains(&token.span.start);
    let after_unit = roles.unit_ends.contains(&a.span.end);
    match (a.kind, b.kind) {
        // `2 .x` and `2 m .x` mean something only with their blank.
        (Number, Dot) => true,
        (_, Dot | Prime | OpenBracket | OpenParen) if after_unit => true,
        (_, Comma | CloseParen | CloseBracket | Prime | Dot | OpenBracket | DotDot | Caret) => false,
        (OpenParen | OpenBracket | Dot | DotDot | Caret, _) => false,
        _ if sign(a) => false,
        (Star | Slash, _) => keeps_blank(text, a, b, roles),
        (_, Star | Slash) => after.is_some_and(|next| keeps_blank(text, b, next, roles)),
        (_, Colon) => !has_label(keyword),
        (Name, OpenParen) if calls_part(text, a, b) => false,
        (Name, OpenParen) => !roles.calls.contains(&a.span.start) && !roles.brackets.contains(&b.span.start),
        _ => true,
    }
}

/// `front.f(x)`: a function of a part, whose call begins at the name of the part.
fn calls_part(text: &str, name: Token, bracket: Token) -> bool {
    text[..name.span.start as usize].ends_with('.') && name.span.end == bracket.span.start
}

/// Whether a sign keeps its blanks: without them the unit before it would swallow the name after it.
fn keeps_blank(text: &str, sign: Token, name: Token, roles: &Roles) -> bool {
    let before = text[..sign.span.start as usize].trim_end().len() as u32;
    let is_unit = name.kind == TokenKind::Name && UNITS.contains(&name.span.of(text));
    let goes_on = text[name.span.end as usize..].starts_with(['.', '(', '[', '\'']);
    is_unit && !goes_on && roles.unit_ends.contains(&before) && !roles.in_units.contains(&sign.span.start)
}

/// Lets the texts after labels of neighbouring lines begin in one column.
fn align_labels(rows: &mut [Row]) {
    let mut start = 0;
    while start < rows.len() {
        let keyword = rows[start].label.as_ref().map(|label| label.0.clone());
        let mut end = start + 1;
        while keyword.is_some()
            && end < rows.len()
            && rows[end].label.as_ref().map(|label| &label.0) == keyword.as_ref()
        {
            end += 1;
        }
        let widths: Vec<usize> =
            rows[start..end].iter().filter_map(|row| row.label.as_ref()).map(|label| label.1).collect();
        let widest = widths.iter().copied().max().unwrap_or(0);
        let narrowest = widths.iter().copied().min().unwrap_or(0);
        if widest - narrowest <= WIDEST_GAP {
            for row in &mut rows[start..end] {
                if let Some((_, width)) = row.label {
                    row.text.insert_str(width, &" ".repeat(widest - width));
                }
            }
        }
        start = end;
    }
}

/// Lets comments at the end of neighbouring lines begin in one column.
fn align_comments(rows: &mut [Row]) {
    let is_trailing = |row: &Row| row.comment.is_some() && !row.text.trim().is_empty();
    let width = |row: &Row| row.text.trim_end().chars().count();
    let mut start = 0;
    while start < rows.len() {
        let mut end = start + 1;
        if is_trailing(&rows[start]) {
            while end < rows.len() && is_trailing(&rows[end]) {
                end += 1;
            }
        }
        let widest = rows[start..end].iter().map(width).filter(|width| *width <= WIDEST_LINE).max().unwrap_or(0);
        for row in &mut rows[start..end] {
            let Some(comment) = &row.comment else {
                continue;
            };
            if row.text.trim().is_empty() {
                row.text.push_str(comment);
                continue;
            }
            let column = (widest + 2).max(row.text.trim_end().chars().count() + 2);
            let text = row.text.trim_end().to_owned();
            row.text = text.clone() + &" ".repeat(column - text.chars().count()) + comment;
        }
        start = end;
    }
}

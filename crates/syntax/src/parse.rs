//! Which tree does an expression make? Recursive descent, one function for each line of the grammar.
//!
//! ```text
//! relation = expr ( "=" | ">=" | "<=" | ">" | "<" | "!=" ) expr
//! expr     = term { ( "+" | "-" ) term }         term = factor { ( "*" | "/" ) factor }, no `*` in `2x`
//! factor   = ( "-" | "+" ) factor | postfix [ "^" factor ]
//! postfix  = atom { "'" | "." ( "x" | "y" | "z" ) }                a name may have points: `front.r`, `wheel[2].r`
//! atom     = NUMBER [ unit ] | name | "(" expr ")" | tuple | NAME "(" [ arguments ] ")"
//! tuple    = "(" expr "," expr { "," expr } ")"
//! arguments = relation "," expr "," expr | expr "at" expr | expr "for" range { "," range }
//!           | expr { "," expr }
//! range    = NAME "in" expr ".." expr
//! ```
//!
//! Where an operand is missing a placeholder stands in for it, so that reading goes on; a tree
//! with a placeholder never leaves this crate, since [`Cursor::attempt`] sees the complaint.

use crate::cursor::Cursor;
use crate::token::{Token, TokenKind, lex};
use crate::{Arguments, Axis, Comparison, Diagnostic, Node, NodeKind, Range, Relation, Scale, Sign, Span, Unit};

/// Brackets, signs and exponents may be nested this deep.
pub const DEEPEST: usize = 256;

/// Reads a text that is one expression.
///
/// ```
/// use syntax::NodeKind;
/// let sum = syntax::parse_expression("x + 2*y").unwrap();
/// assert!(matches!(sum.kind, NodeKind::Sum(terms) if terms.len() == 2));
/// ```
pub fn parse_expression(text: &str) -> Result<Node, Vec<Diagnostic>> {
    parse_whole(text, "an operator, or the end", Cursor::expression)
}

/// Reads a text that is one relation, such as `x^2 + y^2 = l^2`.
pub fn parse_relation(text: &str) -> Result<Relation, Vec<Diagnostic>> {
    parse_whole(text, "the end of the relation", Cursor::relation)
}

/// Reads a text that is one unit, such as `m/s^2`.
pub fn parse_unit(text: &str) -> Result<Unit, Vec<Diagnostic>> {
    parse_whole(text, "the end of the unit", Cursor::unit)
}

fn parse_whole<'a, T>(
    text: &'a str,
    end: &str,
    read: impl FnOnce(&mut Cursor<'a>) -> Option<T>,
) -> Result<T, Vec<Diagnostic>> {
    let mut cursor = Cursor::new(text, lex(text).as_one_line());
    let tree = read(&mut cursor);
    let ended = cursor.expect_line_end(end);
    let diagnostics = cursor.finish();
    match tree {
        Some(tree) if ended.is_some() && diagnostics.is_empty() => Ok(tree),
        _ => Err(diagnostics),
    }
}

impl Cursor<'_> {
    /// Reads an expression, up to the first token that cannot go on with it.
    pub fn expression(&mut self) -> Option<Node> {
        self.attempt(Self::sum)
    }

    /// Reads a relation: two expressions and a comparison.
    pub fn relation(&mut self) -> Option<Relation> {
        self.attempt(|cursor| {
            let start = cursor.token().span;
            let left = cursor.sum();
            let Some(comparison) = cursor.comparison() else {
                cursor.complain_of_relation();
                return None;
            };
            Some(cursor.relation_after(start, left, comparison))
        })?
    }

    /// Reads a tuple: at least two expressions in brackets.
    pub fn tuple(&mut self) -> Option<Node> {
        self.attempt(|cursor| {
            if cursor.peek() != TokenKind::OpenParen {
                cursor.unexpected("a tuple such as `(a, b, c)`");
                return placeholder();
            }
            let group = cursor.group();
            if !matches!(group.kind, NodeKind::Tuple(_)) {
                let message = "a tuple has at least two entries";
                cursor.complain(Diagnostic::error(group.span, message).hint("write `(a, b)`"));
            }
            group
        })
    }

    /// Reads a name with the index it may have: `x`, `a[i-1]`.
    pub fn indexed_name(&mut self, what: &str) -> Option<Node> {
        self.attempt(|cursor| {
            let token = cursor.expect(TokenKind::Name, what)?;
            cursor.calm_down();
            let mut node = cursor.name_with_index(token);
            while cursor.has_part(true) {
                cursor.part_of(&mut node);
            }
            Some(node)
        })?
    }

    /// Reads `i in 1..n`.
    pub fn range(&mut self) -> Option<Range> {
        self.attempt(|cursor| {
            let (index, span) = cursor.name("the name of an index, as in `i in 1..n`")?;
            if cursor.peek() == TokenKind::Equal {
                let error = Diagnostic::error(cursor.token().span, "the values of an index stand after `in`");
                cursor.report(error.hint(format!("write `{index} in 1..3`")));
                return None;
            }
            cursor.expect_word("in")?;
            let from = cursor.sum();
            cursor.expect(TokenKind::DotDot, "`..` and the last value of the index")?;
            let to = cursor.sum();
            let span = span.to(cursor.last_span());
            Some(Range { index, from, to, span })
        })?
    }

    /// Reads `i in 1..n, j in 1..i`: what may follow `for`.
    pub fn ranges(&mut self) -> Option<Vec<Range>> {
        let mut ranges = vec![self.range()?];
        while self.eat(TokenKind::Comma).is_some() {
            ranges.push(self.range()?);
        }
        Some(ranges)
    }

    /// Passes over a comparison sign, if one stands here.
    pub fn comparison(&mut self) -> Option<Comparison> {
        let comparison = comparison_of(self.peek())?;
        self.advance();
        Some(comparison)
    }

    fn relation_after(&mut self, start: Span, left: Node, comparison: Comparison) -> Relation {
        let right = self.sum();
        let span = start.to(self.last_span());
        Relation { left, comparison, right, span }
    }

    pub(crate) fn sum(&mut self) -> Node {
        let sign_of = |kind| match kind {
            TokenKind::Plus => Some(Sign::Plus),
            TokenKind::Minus => Some(Sign::Minus),
            _ => None,
        };
        let sum = self.chain(Sign::Plus, sign_of, Self::product, NodeKind::Sum);
        self.expression_end = self.last_span().end;
        sum
    }

    fn product(&mut self) -> Node {
        let start = self.token().span;
        let mut factors = vec![(Scale::Times, self.factor())];
        loop {
            let scale = match self.peek() {
                TokenKind::Star => Scale::Times,
                TokenKind::Slash => Scale::Over,
                _ if self.lacks_star(&factors) => {
                    let factor = self.power();
                    factors.push((Scale::Times, factor));
                    continue;
                }
                _ => break,
            };
            self.advance();
            factors.push((scale, self.factor()));
        }
        match factors.len() {
            1 => factors.remove(0).1,
            _ => Node::new(NodeKind::Product(factors), start.to(self.last_span())),
        }
    }

    /// Whether `2x` or `2(a + b)` stands here: a number, and what it multiplies right behind it.
    fn lacks_star(&mut self, factors: &[(Scale, Node)]) -> bool {
        let begins = match self.peek() {
            TokenKind::Name => !self.text_of(self.token()).starts_with('_'),
            kind => kind == TokenKind::OpenParen,
        };
        let Some((scale, last)) = factors.last() else { return false };
        let number = match &last.kind {
            NodeKind::Signed { of, .. } => &of.kind,
            kind => kind,
        };
        let is_number = matches!(number, NodeKind::Number { unit: None, .. }) && last.span.end == self.last_span().end;
        if !(begins && is_number && self.glued(0)) {
            return false;
        }
        if *scale == Scale::Over {
            self.complain_of_divisor(last.span);
        }
        true
    }

    /// Operands with operators between them; a single operand stays what it is.
    fn chain<O>(
        &mut self,
        first: O,
        operator_of: impl Fn(TokenKind) -> Option<O>,
        operand: impl Fn(&mut Self) -> Node,
        make: impl FnOnce(Vec<(O, Node)>) -> NodeKind,
    ) -> Node {
        let start = self.token().span;
        let node = operand(self);
        if operator_of(self.peek()).is_none() {
            return node;
        }
        let mut operands = vec![(first, node)];
        while let Some(operator) = operator_of(self.peek()) {
            self.advance();
            operands.push((operator, operand(self)));
        }
        Node::new(make(operands), start.to(self.last_span()))
    }

    pub(crate) fn factor(&mut self) -> Node {
        let start = self.token().span;
        let sign = match self.peek() {
            TokenKind::Plus => Sign::Plus,
            TokenKind::Minus => Sign::Minus,
            _ => return self.power(),
        };
        self.advance();
        let of = Box::new(self.deeper(Self::factor));
        Node::new(NodeKind::Signed { sign, of }, start.to(self.last_span()))
    }

    fn power(&mut self) -> Node {
        let start = self.token().span;
        let base = self.postfix();
        if self.peek() != TokenKind::Caret {
            return base;
        }
        if self.quantity_end == self.last_span().end {
            self.complain_of_power_of_unit(&base);
        }
        self.advance();
        let exponent = Box::new(self.deeper(Self::factor));
        let base = Box::new(base);
        Node::new(NodeKind::Power { base, exponent }, start.to(self.last_span()))
    }

    fn postfix(&mut self) -> Node {
        let start = self.token().span;
        let mut node = self.atom();
        let mut is_component = false;
        loop {
            let kind = match self.peek() {
                TokenKind::Prime => self.primes(node),
                TokenKind::Dot if is_component => {
                    self.complain_of_second_component();
                    return node;
                }
                TokenKind::Dot
                    if matches!(node.kind, NodeKind::Name { .. })
                        && node.span.end == self.last_span().end
                        && self.has_part(false) =>
                {
                    self.part_of(&mut node);
                    continue;
                }
                TokenKind::Dot => self.component(node),
                _ => return node,
            };
            is_component |= matches!(kind, NodeKind::Component { .. });
            node = Node::new(kind, start.to(self.last_span()));
        }
    }

    /// Whether a point and a word go on with a name; `.x`, `.y` and `.z` only where no component can stand.
    fn has_part(&self, any: bool) -> bool {
        let is_word = self.peek() == TokenKind::Dot && self.glued(0) && self.peek_at(1) == TokenKind::Name;
        let is_component = matches!(self.text_of(self.token_at(1)), "x" | "y" | "z");
        let has_index = self.peek_at(2) == TokenKind::OpenBracket && self.glued(2);
        is_word && self.glued(1) && (any || has_index || !is_component)
    }

    /// Reads `.r` after the name of a part; an index may follow if there was none.
    fn part_of(&mut self, node: &mut Node) {
        self.advance();
        let token = self.advance();
        let mut more = self.name_with_index(token);
        let span = node.span.to(self.last_span());
        if let (NodeKind::Name { name, index }, NodeKind::Name { name: part, index: own }) =
            (&mut node.kind, &mut more.kind)
        {
            *name = format!("{name}.{part}");
            node.head = node.head.to(more.head);
            match (index.is_some(), own.take()) {
                (true, Some(second)) => {
                    let message = "a name has one index".to_owned();
                    self.complain(Diagnostic::error(second.span, message).hint("write `a[i].b` or `a.b[i]`"));
                }
                (false, own) => *index = own,
                (true, None) => {}
            }
        }
        node.span = span;
    }

    fn primes(&mut self, of: Node) -> NodeKind {
        let mut order = 0;
        while self.eat(TokenKind::Prime).is_some() {
            order += 1;
        }
        let of = Box::new(of);
        NodeKind::Prime { of, order }
    }

    fn component(&mut self, of: Node) -> NodeKind {
        let dot = self.advance();
        let axis = match self.text_of(self.token()) {
            "y" => Axis::Y,
            "z" => Axis::Z,
            _ => Axis::X,
        };
        if matches!(self.text_of(self.token()), "x" | "y" | "z") {
            self.advance();
        } else {
            self.complain_of_component(dot);
        }
        let of = Box::new(of);
        NodeKind::Component { of, axis }
    }

    fn atom(&mut self) -> Node {
        match self.peek() {
            TokenKind::Number => self.number(),
            TokenKind::OpenParen => self.group(),
            TokenKind::Name => {
                let name = self.advance();
                self.calm_down();
                match self.peek() {
                    TokenKind::Dot if self.calls_part() => {
                        let mut node = self.name_with_index(name);
                        self.part_of(&mut node);
                        let whole = node.plain_name().unwrap_or_default().to_owned();
                        self.call_of(whole, node.span)
                    }
                    TokenKind::OpenParen => self.call(name),
                    _ => self.name_with_index(name),
                }
            }
            _ => {
                self.complain_of_missing_operand();
                placeholder()
            }
        }
    }

    fn number(&mut self) -> Node {
        let token = self.advance();
        self.calm_down();
        if self.peek() == TokenKind::Dot && self.glued(0) {
            self.complain_of_point(token);
            return placeholder();
        }
        let unit = self.unit_after_number();
        let text = self.text_of(token);
        let text = if text.starts_with('.') { format!("0{text}") } else { text.to_owned() };
        let span = token.span.to(self.last_span());
        Node::new(NodeKind::Number { text, unit }, span)
    }

    fn name_with_index(&mut self, token: Token) -> Node {
        let name = self.name_of(token);
        let index = (self.peek() == TokenKind::OpenBracket).then(|| {
            let open = self.open();
            let index = self.deeper(Self::sum);
            self.close(open);
            Box::new(index)
        });
        let span = token.span.to(self.last_span());
        Node::new(NodeKind::Name { name, index }, span).headed(token.span)
    }

    /// An expression in brackets, or a tuple.
    fn group(&mut self) -> Node {
        let open = self.open();
        if self.peek() == TokenKind::CloseParen {
            self.complain_of_empty_brackets(open);
        }
        let mut entries = self.deeper_list();
        self.close(open);
        match entries.len() {
            1 => entries.remove(0),
            _ => Node::new(NodeKind::Tuple(entries), open.span.to(self.last_span())),
        }
    }

    fn deeper_list(&mut self) -> Vec<Node> {
        let first = self.deeper(Self::sum);
        self.list_after(first)
    }

    fn list_after(&mut self, first: Node) -> Vec<Node> {
        let mut entries = vec![first];
        while self.eat(TokenKind::Comma).is_some() {
            entries.push(self.deeper(Self::sum));
        }
        entries
    }

    /// Whether `.f(` follows: a function of a part.
    fn calls_part(&self) -> bool {
        self.has_part(false) && self.peek_at(2) == TokenKind::OpenParen && self.glued(2)
    }

    fn call(&mut self, token: Token) -> Node {
        self.call_of(self.name_of(token), token.span)
    }

    fn call_of(&mut self, name: String, start: Span) -> Node {
        let open = self.open();
        let arguments = self.arguments();
        self.close(open);
        let span = start.to(self.last_span());
        Node::new(NodeKind::Call { name, arguments }, span).headed(start)
    }

    fn arguments(&mut self) -> Arguments {
        if self.peek() == TokenKind::CloseParen {
            self.calm_down();
            return Arguments::List(Vec::new());
        }
        let start = self.token().span;
        let first = self.deeper(Self::sum);
        if let Some(comparison) = self.comparison() {
            self.choice(start, first, comparison)
        } else if self.eat_word("at").is_some() {
            Arguments::At { what: Box::new(first), place: Box::new(self.deeper(Self::sum)) }
        } else if self.eat_word("for").is_some() {
            Arguments::For { what: Box::new(first), ranges: self.deeper_ranges() }
        } else {
            Arguments::List(self.list_after(first))
        }
    }

    fn choice(&mut self, start: Span, left: Node, comparison: Comparison) -> Arguments {
        self.depth += 1;
        let when = Box::new(self.relation_after(start, left, comparison));
        let then = Box::new(self.branch());
        let otherwise = Box::new(self.branch());
        self.depth -= 1;
        Arguments::Choice { when, then, otherwise }
    }

    /// One of the two expressions after the relation of a choice.
    fn branch(&mut self) -> Node {
        if self.eat(TokenKind::Comma).is_some() {
            return self.sum();
        }
        self.complain_of_choice();
        placeholder()
    }

    fn deeper_ranges(&mut self) -> Vec<Range> {
        self.depth += 1;
        let ranges = self.ranges();
        self.depth -= 1;
        ranges.unwrap_or_default()
    }

    /// Reads with one more level of nesting; beyond the deepest one the line is given up.
    pub(crate) fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Node) -> Node {
        if self.depth >= DEEPEST {
            self.complain_of_depth();
            return placeholder();
        }
        self.depth += 1;
        let node = read(self);
        self.depth -= 1;
        node
    }

    /// Passes over an opening bracket.
    fn open(&mut self) -> Token {
        let open = self.advance();
        self.awaited.extend(open.kind.closing());
        open
    }

    /// Passes over the bracket that closes `open`, and over what should not stand before it.
    fn close(&mut self, open: Token) {
        let closing = self.awaited.pop();
        while Some(self.peek()) != closing {
            if self.at_line_end() {
                return self.complain_of_open(open);
            }
            if self.at_closing() {
                self.complain_of_mismatch(open);
                if !self.awaited.contains(&self.peek()) {
                    self.advance();
                }
                return;
            }
            self.complain_inside(open);
            self.pass_over_some();
            while !self.at_line_end() && !self.at_closing() {
                self.pass_over_some();
            }
        }
        self.advance();
    }

    /// Goes to the end of the line, looking for mistakes on the way.
    pub(crate) fn pass_over_rest(&mut self) {
        while !self.at_line_end() {
            self.pass_over_some();
        }
    }

    /// Passes over an operand, or over one token.
    fn pass_over_some(&mut self) {
        if begins_operand(self.peek()) {
            self.deeper(Self::sum);
        } else {
            self.advance();
        }
    }

    fn at_closing(&self) -> bool {
        matches!(self.peek(), TokenKind::CloseParen | TokenKind::CloseBracket)
    }
}

/// Stands in for an operand that could not be read.
fn placeholder() -> Node {
    let text = String::new();
    Node::new(NodeKind::Number { text, unit: None }, Span::default())
}

/// Whether a token of this kind begins an operand and nothing else.
pub(crate) fn begins_operand(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Number | TokenKind::Name | TokenKind::OpenParen)
}

/// The comparison that a token writes.
pub(crate) fn comparison_of(kind: TokenKind) -> Option<Comparison> {
    match kind {
        TokenKind::Equal => Some(Comparison::Equal),
        TokenKind::AtLeast => Some(Comparison::AtLeast),
        TokenKind::AtMost => Some(Comparison::AtMost),
        TokenKind::Greater => Some(Comparison::Greater),
        TokenKind::Less => Some(Comparison::Less),
        TokenKind::NotEqual => Some(Comparison::NotEqual),
        _ => None,
    }
}

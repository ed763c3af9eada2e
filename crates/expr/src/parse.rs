//! What does a line of text mean? Text → tree (crate `syntax`) → expression.
//!
//! A name that the scope does not know yet becomes a coordinate if it carries a prime somewhere
//! in the texts that are read together, the time if it is `t`, and a parameter otherwise. A prime on
//! one member of a family, as in `a[2]'`, makes all its members coordinates. This is the language of
//! scalar expressions; units, vectors and frames belong to models and are refused here by name.

use std::fmt;

use rustc_hash::FxHashSet;
use syntax::{Arguments, Comparison, Diagnostic, Node, NodeKind, Range, Relation, Scale, Sign, Source, Span};

use crate::calculus::total_derivative;
use crate::error::MathError;
use crate::graph::Op;
use crate::number::Rational;
use crate::scope::{Expr, kind_of, pi, symbol};
use crate::symbol::{Kind, Symbol};

/// The functions that are one operation: name, operation, and how many arguments it takes.
pub const FUNCTIONS: [(&str, Op, usize); 17] = [
    ("sin", Op::Sin, 1),
    ("cos", Op::Cos, 1),
    ("tan", Op::Tan, 1),
    ("asin", Op::Asin, 1),
    ("acos", Op::Acos, 1),
    ("atan", Op::Atan, 1),
    ("atan2", Op::Atan2, 2),
    ("sinh", Op::Sinh, 1),
    ("cosh", Op::Cosh, 1),
    ("tanh", Op::Tanh, 1),
    ("exp", Op::Exp, 1),
    ("log", Op::Log, 1),
    ("cbrt", Op::Cbrt, 1),
    ("abs", Op::Abs, 1),
    ("sign", Op::Sign, 1),
    ("min", Op::Min, 2),
    ("max", Op::Max, 2),
];

/// A `sum(… for …)` runs over at most so many values.
const MOST_TERMS: i64 = 1_000_000;

/// Text that is not an expression, with every place where it is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The text.
    pub text: String,
    /// What is wrong with it, in order of place.
    pub diagnostics: Vec<Diagnostic>,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let source = Source::new("expression", &self.text);
        let all: Vec<String> = self.diagnostics.iter().map(|diagnostic| diagnostic.render(&source)).collect();
        f.write_str(all.join("\n").trim_end())
    }
}

impl std::error::Error for ParseError {}

/// Reads an expression into the current scope.
///
/// ```
/// let _scope = expr::Scope::enter();
/// let e = expr::parse("sin(x)^2 + cos(x)^2 - 1")?;
/// assert!(e.is_zero());
/// assert!(expr::parse("sin(x").is_err());
/// # Ok::<(), expr::ParseError>(())
/// ```
pub fn parse(text: &str) -> Result<Expr, ParseError> {
    Ok(parse_all(&[text])?[0])
}

/// Reads several expressions that speak of the same symbols: a prime in one makes a coordinate
/// in all.
pub fn parse_all(texts: &[&str]) -> Result<Vec<Expr>, ParseError> {
    Ok(parse_with_domain(texts)?.0)
}

/// Where something is defined: expressions, and how they compare with zero.
pub type Domain = Vec<(Expr, Comparison)>;

/// Reads several expressions, and where they are defined as written: each condition is an
/// expression and how it compares with zero. Canonical form may be defined in more places, as x is
/// for sqrt(x)^2.
pub fn parse_with_domain(texts: &[&str]) -> Result<(Vec<Expr>, Domain), ParseError> {
    let error = |text: &str, diagnostics| ParseError { text: text.to_owned(), diagnostics };
    let mut trees = Vec::new();
    for &text in texts {
        trees.push(syntax::parse_expression(text).map_err(|found| error(text, found))?);
    }
    let mut reader = Reader::of(&trees.iter().collect::<Vec<&Node>>());
    let mut read = Vec::new();
    for (text, tree) in texts.iter().zip(&trees) {
        read.push(reader.expression(tree).map_err(|found| error(text, vec![found]))?);
    }
    Ok((read, reader.domain))
}

/// Expressions, where they are defined, and relations that were read with them.
pub type Judged = (Vec<Expr>, Domain, Vec<(Expr, Comparison, Expr)>);

/// Reads expressions together with relations between the same symbols: a prime in a relation, too, makes a
/// coordinate in all.
pub fn parse_with_relations(texts: &[&str], relations: &[&str]) -> Result<Judged, ParseError> {
    let error = |text: &str, diagnostics| ParseError { text: text.to_owned(), diagnostics };
    let (mut trees, mut pairs) = (Vec::new(), Vec::new());
    for &text in texts {
        trees.push(syntax::parse_expression(text).map_err(|found| error(text, found))?);
    }
    for &text in relations {
        pairs.push(syntax::parse_relation(text).map_err(|found| error(text, found))?);
    }
    let all: Vec<&Node> = trees.iter().chain(pairs.iter().flat_map(|of| [&of.left, &of.right])).collect();
    let mut reader = Reader::of(&all);
    let mut read = Vec::new();
    for (text, tree) in texts.iter().zip(&trees) {
        read.push(reader.expression(tree).map_err(|found| error(text, vec![found]))?);
    }
    let domain = std::mem::take(&mut reader.domain);
    let mut related = Vec::new();
    for (text, Relation { left, comparison, right, .. }) in relations.iter().zip(&pairs) {
        let mut side = |tree| reader.expression(tree).map_err(|found| error(text, vec![found]));
        related.push((side(left)?, *comparison, side(right)?));
    }
    Ok((read, domain, related))
}

/// Reads a relation such as `x > 0` into its two sides.
pub fn parse_relation(text: &str) -> Result<(Expr, Comparison, Expr), ParseError> {
    let error = |diagnostics| ParseError { text: text.to_owned(), diagnostics };
    let Relation { left, comparison, right, .. } = syntax::parse_relation(text).map_err(error)?;
    let mut reader = Reader::of(&[&left, &right]);
    let mut read = |tree| reader.expression(tree).map_err(|found| error(vec![found]));
    Ok((read(&left)?, comparison, read(&right)?))
}

/// The names that carry a prime, before any is met without one: plain ones, and families with an index.
#[derive(Default)]
struct Primed<'a> {
    names: FxHashSet<&'a str>,
    families: FxHashSet<&'a str>,
}

impl<'a> Primed<'a> {
    fn note(&mut self, tree: &'a Node) {
        if let NodeKind::Prime { of, .. } = &tree.kind
            && let NodeKind::Name { name, index } = &of.kind
        {
            let list = if index.is_some() { &mut self.families } else { &mut self.names };
            list.insert(name);
        }
        parts(tree).into_iter().for_each(|part| self.note(part));
    }
}

fn parts(tree: &Node) -> Vec<&Node> {
    match &tree.kind {
        NodeKind::Number { .. } => vec![],
        NodeKind::Name { index, .. } => index.iter().map(|index| &**index).collect(),
        NodeKind::Tuple(entries) => entries.iter().collect(),
        NodeKind::Prime { of, .. } | NodeKind::Component { of, .. } | NodeKind::Signed { of, .. } => vec![of],
        NodeKind::Power { base, exponent } => vec![base, exponent],
        NodeKind::Product(factors) => factors.iter().map(|(_, factor)| factor).collect(),
        NodeKind::Sum(terms) => terms.iter().map(|(_, term)| term).collect(),
        NodeKind::Call { arguments, .. } => match arguments {
            Arguments::List(list) => list.iter().collect(),
            Arguments::Choice { when, then, otherwise } => vec![&when.left, &when.right, then, otherwise],
            Arguments::At { what, place } => vec![what, place],
            Arguments::For { what, ranges } => {
                ranges.iter().flat_map(|range| [&range.from, &range.to]).chain([&**what]).collect()
            }
        },
    }
}

/// Reads trees; knows which names move, and the values of the indices of the sums it is inside of.
struct Reader<'a> {
    primed: Primed<'a>,
    /// Names that became parameters because nothing was said of them.
    guessed: FxHashSet<String>,
    indices: Vec<(String, i64)>,
    domain: Domain,
}

type Read<T> = Result<T, Diagnostic>;

impl<'a> Reader<'a> {
    /// A reader of all these trees: a prime in one makes a coordinate in all.
    fn of(trees: &[&'a Node]) -> Reader<'a> {
        let mut primed = Primed::default();
        trees.iter().for_each(|tree| primed.note(tree));
        Reader { primed, guessed: FxHashSet::default(), indices: Vec::new(), domain: Domain::new() }
    }

    fn expression(&mut self, tree: &Node) -> Read<Expr> {
        let at = |error: MathError| Diagnostic::error(tree.span, error.to_string());
        match &tree.kind {
            NodeKind::Number { text, unit: None } => {
                let number = Rational::parse_decimal(text);
                number.map(Expr::number).map_err(|error| Diagnostic::error(tree.span, error.to_string()))
            }
            NodeKind::Number { unit: Some(unit), .. } => {
                Err(Diagnostic::error(unit.span, "a unit has no meaning here").hint("units belong to model files"))
            }
            NodeKind::Name { name, index } => self.name(name, index.as_deref(), 0),
            NodeKind::Prime { of, order } => self.prime(of, *order, tree.span),
            NodeKind::Signed { sign, of } => {
                let value = self.expression(of)?;
                Ok(if *sign == Sign::Minus { -value } else { value })
            }
            NodeKind::Sum(terms) => {
                let mut values = Vec::with_capacity(terms.len());
                for (sign, term) in terms {
                    let value = self.expression(term)?;
                    values.push(if *sign == Sign::Minus { -value } else { value });
                }
                Ok(Expr::sum(&values))
            }
            NodeKind::Product(factors) => {
                let mut values = Vec::with_capacity(factors.len());
                for (scale, factor) in factors {
                    let value = self.expression(factor)?;
                    if *scale == Scale::Over && value.as_number().is_none() {
                        self.domain.push((value, Comparison::NotEqual));
                    }
                    values.push(match scale {
                        Scale::Times => value,
                        Scale::Over => Expr::one()
                            .try_div(value)
                            .map_err(|error| Diagnostic::error(factor.span, error.to_string()))?,
                    });
                }
                Ok(Expr::product(&values))
            }
            NodeKind::Power { base, exponent } => {
                let base = self.expression(base)?;
                let power = self.expression(exponent)?.as_number().ok_or_else(|| {
                    Diagnostic::error(exponent.span, "an exponent must be a rational number")
                        .hint("for a variable exponent write `exp(y*log(x))`")
                })?;
                if !power.is_integer() {
                    self.domain.push((base, Comparison::AtLeast));
                }
                if power.is_negative() {
                    self.domain.push((base, Comparison::NotEqual));
                }
                base.try_pow(&power).map_err(at)
            }
            NodeKind::Call { name, arguments } => self.call(tree, name, arguments),
            NodeKind::Tuple(_) => Err(not_scalar(tree.span, "a tuple is a vector")),
            NodeKind::Component { .. } => Err(not_scalar(tree.span, "`.x`, `.y`, `.z` are components of a vector")),
        }
    }

    fn name(&mut self, name: &str, index: Option<&Node>, order: u32) -> Read<Expr> {
        if index.is_none()
            && let Some((_, value)) = self.indices.iter().rev().find(|(own, _)| own == name)
        {
            return Ok(Expr::from(*value));
        }
        if name == "pi" && index.is_none() {
            return Ok(pi());
        }
        let moves = if index.is_some() { &self.primed.families } else { &self.primed.names }.contains(name);
        let name = match index {
            None => name.to_owned(),
            Some(index) => format!("{name}[{}]", self.integer(index)?),
        };
        let kind = match kind_of(&name) {
            Some(kind) => kind,
            None if name == "t" => Kind::Time,
            None if moves => Kind::Coordinate,
            None => {
                self.guessed.insert(name.clone());
                Kind::Parameter
            }
        };
        let order = if matches!(kind, Kind::Parameter | Kind::Time) { 0 } else { order };
        Ok(symbol(Symbol { name, kind, order }))
    }

    /// `x'` is a symbol; a prime after brackets is the total time derivative.
    fn prime(&mut self, of: &Node, order: u32, span: Span) -> Read<Expr> {
        if order > 64 {
            return Err(Diagnostic::error(span, "more than 64 time derivatives"));
        }
        if let NodeKind::Name { name, index } = &of.kind {
            let e = self.name(name, index.as_deref(), order)?;
            if e.as_symbol().is_some_and(|symbol| symbol.order > 0) {
                return Ok(e);
            }
        }
        let mut e = self.expression(of)?;
        self.moves(e, span)?;
        for _ in 0..order {
            e = total_derivative(e).map_err(|error| Diagnostic::error(span, error.to_string()))?;
        }
        Ok(e)
    }

    /// A rate is asked for: where all names are constants by default, one of them was meant to move.
    fn moves(&self, e: Expr, span: Span) -> Read<()> {
        let names: Vec<Symbol> = e.symbols().iter().filter_map(|symbol| symbol.as_symbol()).collect();
        let still = names.iter().all(|symbol| symbol.kind == Kind::Parameter);
        match names.iter().find(|symbol| still && self.guessed.contains(&symbol.name)) {
            None => Ok(()),
            Some(Symbol { name, .. }) => Err(Diagnostic::error(span, "nothing that moves stands in these brackets")
                .hint(format!("a name moves if it carries a prime somewhere; if it is `{name}`, write `+ 0*{name}'`"))),
        }
    }

    fn integer(&mut self, tree: &Node) -> Read<i64> {
        let value = self.expression(tree)?.as_number().and_then(|number| number.to_i64());
        value.ok_or_else(|| Diagnostic::error(tree.span, "an index must be an integer"))
    }

    fn call(&mut self, tree: &Node, name: &str, arguments: &Arguments) -> Read<Expr> {
        match (name, arguments) {
            ("if", Arguments::Choice { when, then, otherwise }) => self.choice(when, then, otherwise),
            ("sum", Arguments::For { what, ranges }) => {
                let mut terms = Vec::new();
                self.run(what, ranges, &mut terms)?;
                Ok(Expr::sum(&terms))
            }
            ("integral", Arguments::List(list)) => match &list[..] {
                [of, Node { kind: NodeKind::Name { name, index: None }, .. }, from, to] => {
                    let (of, variable) = (self.expression(of)?, self.name(name, None, 0)?);
                    let (from, to) = (self.expression(from)?, self.expression(to)?);
                    crate::integral(of, variable, from, to)
                        .map_err(|error| Diagnostic::error(tree.span, error.to_string()))
                }
                _ => Err(Diagnostic::error(tree.span, "`integral` takes a function, its variable and two limits")
                    .hint("write `integral(x^2, x, 0, 1)`")),
            },
            (_, Arguments::List(list)) => self.function(tree, name, list),
            _ => Err(not_scalar(tree.span, &format!("`{name}` with these arguments belongs to model files"))),
        }
    }

    fn function(&mut self, tree: &Node, name: &str, list: &[Node]) -> Read<Expr> {
        let span = tree.name_span().unwrap_or(tree.span);
        let known = FUNCTIONS.iter().find(|(own, _, _)| *own == name).map(|&(_, op, count)| (Some(op), count));
        let Some((op, count)) = known.or_else(|| (name == "sqrt").then_some((None, 1))) else {
            return Err(unknown_function(name, span));
        };
        if list.len() != count {
            let message =
                format!("`{name}` takes {count} argument{}, not {}", if count == 1 { "" } else { "s" }, list.len());
            return Err(Diagnostic::error(tree.span, message));
        }
        let values = list.iter().map(|argument| self.expression(argument)).collect::<Read<Vec<_>>>()?;
        match op {
            None => self.domain.push((values[0], Comparison::AtLeast)),
            Some(Op::Log) => self.domain.push((values[0], Comparison::Greater)),
            Some(Op::Asin | Op::Acos) => self.domain.push((Expr::one() - values[0] * values[0], Comparison::AtLeast)),
            Some(_) => {}
        }
        let made = match op {
            Some(op) => Expr::apply(op, &values),
            None => values[0].try_pow(&Rational::new(1, 2).unwrap_or(Rational::ONE)),
        };
        made.map_err(|error| Diagnostic::error(tree.span, error.to_string()))
    }

    fn choice(&mut self, when: &Relation, then: &Node, otherwise: &Node) -> Read<Expr> {
        let (left, right) = (self.expression(&when.left)?, self.expression(&when.right)?);
        let (p, q) = (self.expression(then)?, self.expression(otherwise)?);
        let (op, d, p, q) = match when.comparison {
            Comparison::Less => (Op::IfNegative, left - right, p, q),
            Comparison::Greater => (Op::IfNegative, right - left, p, q),
            Comparison::AtMost => (Op::IfNegative, right - left, q, p),
            Comparison::AtLeast => (Op::IfNegative, left - right, q, p),
            Comparison::Equal => (Op::IfZero, left - right, p, q),
            Comparison::NotEqual => (Op::IfZero, left - right, q, p),
        };
        Expr::apply(op, &[d, p, q]).map_err(|error| Diagnostic::error(when.span, error.to_string()))
    }

    fn run(&mut self, what: &Node, ranges: &[Range], terms: &mut Vec<Expr>) -> Read<()> {
        let [range, inner @ ..] = ranges else {
            terms.push(self.expression(what)?);
            return Ok(());
        };
        let (from, to) = (self.integer(&range.from)?, self.integer(&range.to)?);
        if to.saturating_sub(from) >= MOST_TERMS - terms.len() as i64 {
            return Err(Diagnostic::error(range.span, format!("this sum has more than {MOST_TERMS} terms")));
        }
        for value in from..=to {
            self.indices.push((range.index.clone(), value));
            let done = self.run(what, inner, terms);
            self.indices.pop();
            done?;
        }
        Ok(())
    }
}

fn not_scalar(span: Span, why: &str) -> Diagnostic {
    Diagnostic::error(span, format!("{why}; a scalar expression is needed here"))
}

fn unknown_function(name: &str, span: Span) -> Diagnostic {
    let meant = match name {
        "ln" => "log",
        "arcsin" => "asin",
        "arccos" => "acos",
        "arctan" => "atan",
        "sgn" | "signum" => "sign",
        _ => name,
    };
    let names = FUNCTIONS.iter().map(|(name, _, _)| *name).chain(["sqrt", "if", "sum"]);
    match name {
        "if" => return Diagnostic::error(span, "`if` needs a relation and two values").hint("write `if(a < b, p, q)`"),
        "sum" => return Diagnostic::error(span, "`sum` needs a range").hint("write `sum(k^2 for k in 1..3)`"),
        _ => {}
    }
    let unknown = Diagnostic::error(span, format!("there is no function `{name}`"));
    match syntax::nearest(meant, names.clone()) {
        Some(near) => unknown.hint(format!("did you mean `{near}`?")),
        None => unknown.hint(format!("the functions are {}", names.collect::<Vec<_>>().join(" "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scope;

    fn same(a: &str, b: &str) -> bool {
        let _scope = Scope::with_seed(1);
        let read = parse_all(&[a, b]).unwrap();
        read[0].is_same(read[1])
    }

    #[test]
    fn a_prime_makes_a_coordinate_of_an_indexed_name() {
        assert!(!same("x + a[1]*a[1]'", "x"));
        assert!(!same("cos(a[1] - a[2])*a[2]''", "0"));
        assert!(same("(a[1]^2)' + 0*a[2]'", "2*a[1]*a[1]'"));
        assert!(same("(a[1]*a[2])' - a[1]*a[2]'", "a[1]'*a[2]"));
        assert!(same("sum((a[k]^2)' for k in 1..2)", "2*a[1]*a[1]' + 2*a[2]*a[2]'"));
        assert!(same("sum(k*b[k] for k in 1..2)", "b[1] + 2*b[2]"));
    }

    #[test]
    fn a_prime_in_a_relation_makes_a_coordinate_in_the_expressions() {
        let _scope = Scope::with_seed(1);
        let (read, _, relations) = parse_with_relations(&["x"], &["x' > 0", "b[2]' > b[1]"]).unwrap();
        assert_eq!(read[0].as_symbol().unwrap().kind, Kind::Coordinate);
        assert_eq!(relations[0].0.to_string(), "x'");
        assert_eq!(relations[1].2.as_symbol().unwrap().kind, Kind::Coordinate);
    }

    #[test]
    fn brackets_in_which_nothing_moves_have_no_silent_rate() {
        let _scope = Scope::with_seed(1);
        let error = parse("(m*x^2)'").unwrap_err().to_string();
        assert!(error.contains("nothing that moves stands in these brackets"), "{error}");
        assert_eq!(parse("(m*y^2)' - m*y*y'").unwrap().to_string(), "m*y*y'");
        assert_eq!(parse("(2 + 3)' + (t^2)'").unwrap().to_string(), "2*t");
        crate::parameter("l");
        assert!(parse("(l^2)'").unwrap().is_zero(), "a constant that was declared stays one");
    }
}

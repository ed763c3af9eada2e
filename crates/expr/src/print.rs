//! How is an expression written? As text that parses back to the same node, as LaTeX and MathML,
//! as C.
//!
//! Text, LaTeX and MathML look at a term in the same way: a sign, factors above the line, factors below
//! it, in the order of a textbook. That order is a function of the graph alone, so that the same
//! derivation prints the same page in every run.

mod code;
mod latex;
mod mathml;
mod text;

pub use code::{Code, code};
pub use latex::{latex, latex_name};
pub use mathml::{mathml, mathml_name};
pub(crate) use text::{Letters, brief, letters, text};

use std::cmp::Reverse;
use std::rc::Rc;

use crate::graph::{Graph, Id, Op, Store};
use crate::number::Rational;
use crate::symbol::Kind;

/// The name of a function as the language writes it.
pub(crate) fn function_name(op: Op) -> &'static str {
    match op {
        Op::Sin => "sin",
        Op::Cos => "cos",
        Op::Tan => "tan",
        Op::Asin => "asin",
        Op::Acos => "acos",
        Op::Atan => "atan",
        Op::Sinh => "sinh",
        Op::Cosh => "cosh",
        Op::Tanh => "tanh",
        Op::Exp => "exp",
        Op::Log => "log",
        Op::Abs => "abs",
        Op::Sign => "sign",
        Op::Cbrt => "cbrt",
        Op::Atan2 => "atan2",
        Op::Min => "min",
        Op::Max => "max",
        Op::Integral => "integral",
        _ => "if",
    }
}

/// The name of an unspecified function, and for each argument how often it is differentiated by it.
fn named(store: &Store, id: Id) -> (String, Vec<(usize, Id)>) {
    let children = store.children(id);
    let name =
        store.symbol(children[0]).map(|symbol| symbol.name.trim_end_matches("()").to_owned()).unwrap_or_default();
    let times = |id: Id| store.number(id).and_then(Rational::to_i64).and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    (name, children[1..].chunks(2).map(|pair| (times(pair[0]), pair[1])).collect())
}

// ---- writing without recursion

/// How tightly the surroundings bind: a sum inside a product needs brackets.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(crate) enum Binding {
    Sum,
    Product,
    Power,
}

/// What is still to be written, last first: a printer keeps its own stack, so that depth costs
/// no recursion.
enum Pending {
    Node(Id, Binding),
    Literal(&'static str),
    Owned(String),
    /// What is written many times, such as a name.
    Shared(Rc<str>),
}

impl Pending {
    /// What is written out already; nothing for a node.
    fn text(&self) -> &str {
        match self {
            Pending::Node(..) => "",
            Pending::Literal(literal) => literal,
            Pending::Owned(owned) => owned,
            Pending::Shared(shared) => shared,
        }
    }
}

/// Writes a node, where `open` tells what it is written as; stops soon after `limit` bytes.
fn write(id: Id, limit: usize, open: impl Fn(Id, Binding, &mut Vec<Pending>)) -> String {
    let mut out = String::new();
    let mut pending = vec![Pending::Node(id, Binding::Sum)];
    let mut parts = Vec::new();
    while let Some(next) = pending.pop() {
        match next {
            Pending::Node(id, binding) => {
                open(id, binding, &mut parts);
                pending.extend(parts.drain(..).rev());
            }
            written => out.push_str(written.text()),
        }
        if out.len() > limit {
            break;
        }
    }
    out
}

// ---- terms

/// A factor of a term, above or below the line.
#[derive(Clone, PartialEq, Debug)]
enum Factor {
    /// A positive integer, or a number that is written with a point.
    Number(Rational),
    /// The square root of a positive number.
    Radical(Rational),
    /// A node to a positive power.
    Power(Id, Rational),
}

/// A term taken apart: `−3 x sqrt(2) / (4 y²)`.
struct Term {
    negative: bool,
    above: Vec<Factor>,
    below: Vec<Factor>,
}

/// Takes a term apart into what stands above and below the fraction line.
fn take_apart(store: &Store, id: Id) -> Term {
    let (coefficient, core) = store.term(id);
    let mut coefficient = coefficient.clone();
    let mut radical = Rational::ONE;
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for (base, mut exponent) in factors_in_order(store, core) {
        if let Some(number) = store.number(base) {
            let whole = exponent.floor();
            if let Some(Ok(power)) = whole.to_i64().map(|n| number.pow(n)) {
                (coefficient, exponent) = (coefficient * power, exponent - whole);
            }
        }
        match store.number(base) {
            _ if exponent.is_zero() => {}
            Some(number) if is_half(&exponent) && joins_radical(&radical, number) => radical = &radical * number,
            _ if exponent.is_negative() => below.push(Factor::Power(base, -exponent)),
            _ => above.push(Factor::Power(base, exponent)),
        }
    }
    if !radical.is_one() {
        above.insert(0, Factor::Radical(radical));
    }
    let magnitude = coefficient.abs();
    let (numerator, denominator) = match point(&magnitude) {
        Some(_) => (magnitude, Rational::ONE),
        None => (magnitude.numerator(), magnitude.denominator()),
    };
    if !numerator.is_one() || above.is_empty() {
        above.insert(0, Factor::Number(numerator));
    }
    if !denominator.is_one() {
        below.insert(0, Factor::Number(denominator));
    }
    Term { negative: coefficient.is_negative(), above, below }
}

/// A number with a point, as people write what was measured: 9.81, not 981/100. What has a short denominator is a
/// quotient, as in m*l^2/12, and so is what is not longer as one.
fn point(number: &Rational) -> Option<String> {
    const MOST_PLACES: usize = 18;
    if number.is_integer() || !number.denominator().checked_div(&Rational::from(25))?.is_integer() {
        return None;
    }
    let mut scaled = number.clone();
    for places in 1..=MOST_PLACES {
        scaled = &scaled * &Rational::from(10);
        if scaled.is_integer() {
            let digits = format!("{:0>width$}", scaled.to_string(), width = places + 1);
            let (whole, part) = digits.split_at(digits.len() - places);
            return Some(format!("{whole}.{part}"))
                .filter(|text| text.len() < number.to_string().len() && !part.starts_with("00000"));
        }
    }
    None
}

/// A factor that is a number.
fn numeral(number: &Rational) -> String {
    point(number).unwrap_or_else(|| number.to_string())
}

/// √a √b is written √(ab) where that is taken apart again when it is read.
fn joins_radical(radical: &Rational, number: &Rational) -> bool {
    radical.is_one() || (radical * number).factor_small().is_some()
}

fn is_half(e: &Rational) -> bool {
    e.to_small() == Some((1, 2))
}

/// The factors of a product as bases and exponents: numbers, parameters, what moves, functions.
/// A product inside a product is no node of its own to a reader, nor to the parser.
fn factors_in_order(store: &Store, core: Id) -> Vec<(Id, Rational)> {
    const MANY: usize = 1000; // beyond, an inner product stays one factor: shared ones could multiply
    let mut waiting = vec![core];
    let mut list = Vec::new();
    while let Some(id) = waiting.pop() {
        match store.op(id) {
            _ if id == Graph::ONE => {}
            Op::Product if list.len() + waiting.len() < MANY || id == core => waiting.extend(store.children(id)),
            _ => list.push(store.factor(id)),
        }
    }
    list.sort_unstable();
    let merged = list.chunk_by(|a, b| a.0 == b.0).map(|run| {
        let exponent = run.iter().fold(Rational::ZERO, |sum, (_, exponent)| &sum + *exponent);
        (run[0].0, exponent)
    });
    let mut factors: Vec<(Id, Rational)> = merged.filter(|(_, exponent)| !exponent.is_zero()).collect();
    factors.sort_by_cached_key(|(base, exponent)| place(store, *base, exponent));
    factors
}

/// Where a factor stands in its term: numbers, masses, g, other parameters, what moves, functions, and
/// what an equation is solved for. Names come in the order in which they were made, which is that of
/// their declaration; functions of one argument stand together.
fn place(store: &Store, base: Id, exponent: &Rational) -> (u8, u32, Id, Op) {
    let op = store.op(base);
    let (class, order, key) = match op {
        Op::Number => (0, 0, base),
        Op::Pi => (1, 0, base),
        _ if !exponent.is_integer() => (10, 0, base),
        Op::Symbol => match store.symbol(base).map(|s| (s.kind, s.order)) {
            Some((Kind::Coordinate, order @ 2..)) => (12, order, base),
            Some((Kind::QuasiVelocity, order @ 1..)) => (12, order, base),
            Some((Kind::Multiplier, order)) => (12, order, base),
            Some((Kind::Coordinate | Kind::QuasiVelocity | Kind::State | Kind::Input, order)) => (7, order, base),
            Some((Kind::Time, order)) => (6, order, base),
            _ => (parameter_class(store, base), 0, base),
        },
        Op::Sum if highest_order(store, base).is_none() => {
            let with_mass = store.children(base).iter().any(|&term| has_mass(store, term));
            (if with_mass { 2 } else { 5 }, 0, base)
        }
        Op::Sum | Op::Product => (8, 0, base),
        Op::Exp | Op::Abs | Op::Cbrt | Op::Min | Op::Max | Op::IfNegative | Op::IfZero => (9, 0, base),
        _ => (11, 0, store.child(base)),
    };
    (class, order, key, op)
}

/// Books write m g l: the mass, gravity, then lengths and the rest.
fn parameter_class(store: &Store, id: Id) -> u8 {
    match store.symbol(id) {
        Some(symbol) if is_mass(&symbol.name) => 2,
        Some(symbol) if symbol.name == "g" => 3,
        _ => 4,
    }
}

/// Is a parameter of this name read as a mass? `m`, `M`, `m1`, `m_rod`, `m[2]`.
fn is_mass(name: &str) -> bool {
    let rest = name.strip_prefix(['m', 'M']);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit() || c == '_' || c == '['))
}

/// Is a mass among the factors of a term?
fn has_mass(store: &Store, term: Id) -> bool {
    let core = store.term(term).1;
    let factors = if store.op(core) == Op::Product { store.children(core) } else { std::slice::from_ref(&core) };
    let mut names = factors.iter().filter_map(|&factor| store.symbol(store.factor(factor).0));
    names.any(|symbol| is_mass(&symbol.name))
}

/// The order of the highest time derivative in a node, `None` if it holds parameters only. Looks
/// at the first hundred nodes: it decides on an order, not on a truth.
fn highest_order(store: &Store, id: Id) -> Option<u32> {
    let mut waiting = vec![id];
    let mut highest = None;
    for _ in 0..100 {
        let Some(id) = waiting.pop() else { break };
        match store.symbol(id) {
            Some(symbol) if symbol.kind != Kind::Parameter => highest = highest.max(Some(symbol.order)),
            _ => waiting.extend(store.children(id).iter().take(100)),
        }
    }
    highest
}

/// Terms in the order in which a person writes them: accelerations, rates,
/// positions, parameters, the constant last, falling powers, and a positive term first where
/// there is one.
fn in_order(store: &Store, mut terms: Vec<Id>) -> Vec<Id> {
    terms.sort_by_cached_key(|&term| standing(store, term));
    let is_negative = |&term: &Id| store.term(term).0.is_negative();
    if is_negative(&terms[0])
        && let Some(first) = terms.iter().position(|term| !is_negative(term))
    {
        terms[..=first].rotate_right(1);
    }
    terms
}

/// A monomial as its degree and its factors, highest first.
type Monomial = (Reverse<Rational>, Vec<(Reverse<u32>, Id, Reverse<Rational>)>);

/// Where a term stands in its sum: by what moves in it, then by the rest.
fn standing(store: &Store, term: Id) -> (bool, Reverse<Option<u32>>, Monomial, Monomial) {
    let (_, core) = store.term(term);
    let mut order = None;
    let (mut moving, mut rest) = (Vec::new(), Vec::new());
    for (base, exponent) in factors_in_order(store, core) {
        let own = highest_order(store, base);
        order = order.max(own);
        let list = if own.is_some() && store.op(base) == Op::Symbol { &mut moving } else { &mut rest };
        list.push((Reverse(own.unwrap_or(0)), base, Reverse(exponent)));
    }
    let graded = |mut list: Vec<(Reverse<u32>, Id, Reverse<Rational>)>| {
        list.sort();
        (Reverse(list.iter().fold(Rational::ZERO, |degree, factor| &degree + &factor.2.0)), list)
    };
    (core == Graph::ONE, Reverse(order), graded(moving), graded(rest))
}

/// `a` and `b` where the node is a − b and can be read as "a is less than b".
fn difference(store: &Store, id: Id) -> Option<(Id, Term)> {
    let &[first, second] = store.children(id) else { return None };
    let is_negative = |id: Id| store.term(id).0.is_negative();
    let (larger, smaller) = match (store.op(id), is_negative(first), is_negative(second)) {
        (Op::Sum, false, true) => (first, second),
        (Op::Sum, true, false) => (second, first),
        _ => return None,
    };
    Some((larger, Term { negative: false, ..take_apart(store, smaller) }))
}

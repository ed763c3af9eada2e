//! A portable tree: how does an expression leave for a program that has no graph?
//!
//! As a list of steps, each of which uses the results of earlier ones; the last is the result. What
//! an expression shares stands in the list once, so the list is as small as the graph is. In JSON,
//! `m*x'' = -(x + 1)^2/2` is
//!
//! ```json
//! { "steps": [
//!   { "op": "symbol", "name": "m", "kind": "parameter" },
//!   { "op": "symbol", "name": "x", "kind": "coordinate", "order": 2 },
//!   { "op": "symbol", "name": "x", "kind": "coordinate" },
//!   { "op": "number", "value": "1" },
//!   { "op": "number", "value": "2" },
//!   { "op": "number", "value": "-1/2" },
//!   { "op": "product", "args": [0, 1] },
//!   { "op": "sum", "args": [2, 3] },
//!   { "op": "power", "args": [7, 4] },
//!   { "op": "scale", "args": [5, 8] },
//!   { "op": "equal", "args": [6, 9] } ] }
//! ```
//!
//! ```text
//! number      value: an integer or a fraction in decimal digits, exact, such as "-3/2"
//! symbol      name, kind, order: how often it is differentiated with respect to time, 0 if left out;
//!             kind: parameter, time, coordinate, quasi-velocity, multiplier
//! pi          π
//! sum         of two or more arguments            scale     a number times the second argument
//! product     of two or more arguments            power     the first to the second, a number
//! sin cos tan asin acos atan sinh cosh tanh exp log abs sign cbrt      of one argument
//! atan2 min max                                   of two; atan2(y, x) is the angle of (x, y)
//! if_negative if_zero                             of three: d, then its value if d < 0 (d = 0), or else
//! integral                                        of the bound symbol, the integrand, two limits, then for each other symbol of
//!                                                 the integrand the symbol there and what it stands for
//! equal at_least at_most greater less not_equal   of two sides; only as the last step
//! ```
//!
//! `args` are places in the list, counted from 0, each before the step itself: there is no cycle. A
//! [`Tree`] keeps these rules; one that breaks them is refused when it is read, so that nothing
//! can go wrong when it is evaluated. Nothing here recurses: depth is no obstacle.

use std::fmt;

use dashu_int::{IBig, UBig};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::build::FLAT;
use crate::error::MathError;
use crate::evaluate::Step;
use crate::float::applied;
use crate::graph::{Graph, Id, Op, Store};
use crate::integral::{Part, Parts};
use crate::number::{MAX_BITS, Rational};
use crate::scope::{Expr, with_graph};
use crate::symbol::{Kind, Symbol};
use syntax::Comparison;

/// An expression, or a relation between two, as plain data that needs no scope.
///
/// ```
/// # fn main() -> Result<(), expr::TreeError> {
/// let tree = {
///     let _scope = expr::Scope::enter();
///     let (m, x) = (expr::parameter("m"), expr::coordinate("x"));
///     expr::Tree::of(m * x.pow(2))
/// };
/// // the scope is gone; the tree can be computed with, and read into another scope
/// assert_eq!(tree.value(&|symbol| if symbol.name == "m" { 5.0 } else { 2.0 }), 20.0);
/// let _scope = expr::Scope::enter();
/// assert_eq!(tree.expr()?.to_string(), "m*x^2");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(into = "Lines", try_from = "Lines")]
pub struct Tree {
    /// At least one; arguments are places of earlier steps, as many as the operation takes.
    steps: Vec<Step>,
    /// The comparison and the steps of its two sides.
    relation: Option<(Comparison, [u32; 2])>,
}

impl Tree {
    /// The tree of an expression.
    pub fn of(e: Expr) -> Tree {
        let id = e.id();
        with_graph(|graph| Tree { steps: steps_of(&graph.store, &graph.store.reachable(&[id])), relation: None })
    }

    /// The tree of a relation between two expressions.
    pub fn relation(left: Expr, comparison: Comparison, right: Expr) -> Tree {
        let sides = [left, right].map(Expr::id);
        with_graph(|graph| {
            let nodes = graph.store.reachable(&sides);
            let place = |side: Id| nodes.partition_point(|&node| node < side) as u32;
            Tree { steps: steps_of(&graph.store, &nodes), relation: Some((comparison, sides.map(place))) }
        })
    }

    /// The steps, without that of the relation if it is one.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The comparison of a relation and the steps of its sides; `None` for an expression, which is
    /// the last step.
    pub fn sides(&self) -> Option<(Comparison, [u32; 2])> {
        self.relation
    }

    /// The symbols in it, in the order of the steps.
    pub fn symbols(&self) -> impl Iterator<Item = &Symbol> {
        self.steps.iter().filter_map(|step| step.symbol.as_ref())
    }

    /// How many operations and leaves it has when everything shared is written out each time.
    pub fn written_size(&self) -> u64 {
        let mut sizes: Vec<u64> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let below = step.arguments.iter().map(|&argument| sizes[argument as usize]);
            sizes.push(below.fold(1, u64::saturating_add));
        }
        self.roots().iter().map(|&root| sizes[root as usize]).fold(0, u64::saturating_add)
    }

    fn roots(&self) -> Vec<u32> {
        match self.relation {
            Some((_, sides)) => sides.to_vec(),
            None => vec![self.steps.len() as u32 - 1],
        }
    }

    // ---- back into a graph

    /// The expression in the current scope; in the scope that it came from, the same node.
    ///
    /// An error if the tree is a relation, if a symbol's name stands for another kind in this
    /// scope, or if something in it does not exist, such as a division by zero.
    pub fn expr(&self) -> Result<Expr, TreeError> {
        match self.relation {
            None => Ok(self.exprs()?[0]),
            Some(_) => Err(TreeError::Relation),
        }
    }

    /// The two sides of a relation in the current scope, and how they compare.
    ///
    /// An error if the tree is an expression, and where [`Tree::expr`] has one.
    pub fn related(&self) -> Result<(Expr, Comparison, Expr), TreeError> {
        let (comparison, _) = self.relation.ok_or(TreeError::NoRelation)?;
        let sides = self.exprs()?;
        Ok((sides[0], comparison, sides[1]))
    }

    fn exprs(&self) -> Result<Vec<Expr>, TreeError> {
        let made = with_graph(|graph| self.rebuild(graph))?;
        Ok(self.roots().iter().map(|&root| Expr::of(made[root as usize])).collect())
    }

    /// The node of every step. Names are looked at first, so that a refusal leaves none behind.
    fn rebuild(&self, graph: &mut Graph) -> Result<Vec<Id>, TreeError> {
        for symbol in self.symbols() {
            if let Some(here) = graph.kind_of(&symbol.name).filter(|&here| here != symbol.kind) {
                return Err(TreeError::OtherKind { name: symbol.name.clone(), kind: symbol.kind, here });
            }
        }
        let mut made: Vec<Id> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let arguments: Vec<Id> = step.arguments.iter().map(|&argument| made[argument as usize]).collect();
            let id = match (&step.number, &step.symbol) {
                (Some(number), _) => graph.number(number.clone()),
                (_, Some(symbol)) => graph.symbol(symbol.clone()),
                _ => graph.read_step(step.op, &arguments).map_err(TreeError::Math)?,
            };
            made.push(id);
        }
        Ok(made)
    }

    // ---- floats

    /// Its value in floating point where symbols have these values; NaN if it has none. The value
    /// of a relation is the left side minus the right, which [`Comparison::holds`] judges.
    pub fn value(&self, of_symbol: &dyn Fn(&Symbol) -> f64) -> f64 {
        let mut values: Vec<f64> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let value = match (&step.number, &step.symbol) {
                (Some(number), _) => number.to_f64(),
                (_, Some(symbol)) => of_symbol(symbol),
                _ if step.op == Op::Integral => {
                    let part = |place: u32| part_of(&self.steps[place as usize]);
                    Parts { children: &step.arguments, part: &part }.value(&|place| values[place as usize])
                }
                _ => applied(step.op, &step.arguments, &|argument| values[argument as usize]),
            };
            values.push(value);
        }
        match self.relation {
            Some((_, [left, right])) => values[left as usize] - values[right as usize],
            None => values.last().copied().unwrap_or(f64::NAN),
        }
    }
}

/// What a step is made of.
fn part_of(step: &Step) -> Part<'_> {
    match (&step.number, &step.symbol) {
        (Some(number), _) => Part::Number(number.to_f64()),
        (_, Some(_)) => Part::Symbol,
        _ => Part::Of(step.op, &step.arguments),
    }
}

/// Nodes in topological order as steps.
fn steps_of(store: &Store, nodes: &[Id]) -> Vec<Step> {
    // the nodes are in ascending order
    let few = nodes.len() < 64;
    let places: FxHashMap<Id, u32> = if few { FxHashMap::default() } else { nodes.iter().copied().zip(0..).collect() };
    let place = |id: &Id| if few { nodes.partition_point(|node| node < id) as u32 } else { places[id] };
    let step = |&id: &Id| Step {
        op: store.op(id),
        arguments: store.children(id).iter().map(place).collect(),
        number: store.number(id).cloned(),
        symbol: store.symbol(id).cloned(),
    };
    nodes.iter().map(step).collect()
}

impl Graph {
    /// The operation on arguments that anyone may have chosen: numbers stay within their limit.
    fn read_step(&mut self, op: Op, arguments: &[Id]) -> Result<Id, MathError> {
        let too_large = || MathError::TooLarge { what: format!("a {} in a tree", op.name()) };
        let bits = |&id: &Id| match self.store.term(id).0 {
            coefficient if coefficient.is_one() => 0,
            coefficient => coefficient.bits(),
        };
        let multiplies = matches!(op, Op::Scale | Op::Product);
        if multiplies && arguments.iter().map(bits).fold(0, u64::saturating_add) > 2 * MAX_BITS {
            return Err(too_large());
        }
        let is_product = |&id: &Id| self.store.op(id) == Op::Product;
        let id = match op {
            Op::Product if arguments.iter().any(is_product) => self.nested_product(arguments),
            _ => self.apply(op, arguments)?,
        };
        let bits = self.store.term(id).0.bits().max(self.store.factor(id).1.bits());
        if bits > MAX_BITS { Err(too_large()) } else { Ok(id) }
    }

    /// Products that `*` has left inside a product stay so, where that is a canonical form; the
    /// order of the factors may be another one than in the graph that they came from.
    fn nested_product(&mut self, factors: &[Id]) -> Id {
        let mut sorted = factors.to_vec();
        sorted.sort_unstable_by_key(|&factor| self.store.factor(factor).0);
        let stays = |&factor: &Id| match self.store.op(factor) {
            Op::Number | Op::Scale => false,
            Op::Product => self.store.children(factor).len() >= FLAT / 2,
            _ => true,
        };
        let distinct = sorted.windows(2).all(|pair| self.store.factor(pair[0]).0 < self.store.factor(pair[1]).0);
        if sorted.len() >= 2 && distinct && sorted.iter().all(stays) {
            return self.intern(Op::Product, &sorted);
        }
        factors.iter().fold(Graph::ONE, |product, &factor| self.mul(product, factor))
    }
}

// ---- as JSON and other formats

/// A tree as it is written down.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lines {
    steps: Vec<Line>,
}

/// A step as it is written down.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    op: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    args: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    order: Option<u32>,
}

impl From<Tree> for Lines {
    fn from(tree: Tree) -> Lines {
        let mut steps: Vec<Line> = tree.steps.into_iter().map(Line::of).collect();
        if let Some((comparison, sides)) = tree.relation {
            let op = comparison_name(comparison).to_owned();
            steps.push(Line { op, args: sides.to_vec(), ..Line::default() });
        }
        Lines { steps }
    }
}

impl Line {
    fn of(step: Step) -> Line {
        let mut line = Line { op: step.op.name().to_owned(), args: step.arguments, ..Line::default() };
        line.value = step.number.map(|number| number.to_string());
        if let Some(symbol) = step.symbol {
            line.name = Some(symbol.name);
            line.kind = Some(symbol.kind.name().to_owned());
            line.order = (symbol.order > 0).then_some(symbol.order);
        }
        line
    }
}

impl TryFrom<Lines> for Tree {
    type Error = TreeError;

    fn try_from(lines: Lines) -> Result<Tree, TreeError> {
        let last = lines.steps.len().checked_sub(1).ok_or(TreeError::Empty)?;
        let mut tree = Tree { steps: Vec::with_capacity(last + 1), relation: None };
        let mut kinds: FxHashMap<String, Kind> = FxHashMap::default();
        for (place, line) in lines.steps.into_iter().enumerate() {
            if let Some(&to) = line.args.iter().find(|&&to| to as usize >= place) {
                return Err(TreeError::Reference { step: place, to });
            }
            if let Some(comparison) = COMPARISONS.iter().find(|known| known.1 == line.op).map(|known| known.0) {
                match <[u32; 2]>::try_from(&*line.args) {
                    Ok(sides) if place == last && line.is_bare() => tree.relation = Some((comparison, sides)),
                    _ => return Err(TreeError::Malformed { step: place, op: line.op }),
                }
                continue;
            }
            let step = line.step(place)?;
            if let Some(Symbol { name, kind, .. }) = &step.symbol {
                let here = *kinds.entry(name.clone()).or_insert(*kind);
                if here != *kind {
                    return Err(TreeError::OtherKind { name: name.clone(), kind: *kind, here });
                }
            }
            tree.steps.push(step);
        }
        Ok(tree)
    }
}

impl Line {
    /// Is there nothing but an operation and its arguments?
    fn is_bare(&self) -> bool {
        matches!(self, Line { value: None, name: None, kind: None, order: None, .. })
    }

    /// The step, if it is well formed; its references were looked at before.
    fn step(self, place: usize) -> Result<Step, TreeError> {
        let Some(op) = Op::named(&self.op) else {
            return Err(TreeError::UnknownOperation { step: place, op: self.op });
        };
        let count = self.args.len();
        let fits = match op {
            Op::Number => self.value.is_some() && count == 0 && self.name.is_none() && self.kind.is_none(),
            Op::Symbol => self.value.is_none() && count == 0,
            _ => self.is_bare() && takes(op, count),
        };
        if !fits || (op == Op::Number && self.order.is_some()) {
            return Err(TreeError::Malformed { step: place, op: self.op });
        }
        let mut step = Step { op, arguments: self.args, number: None, symbol: None };
        match op {
            Op::Number => {
                let text = self.value.unwrap_or_default();
                step.number = Some(read_number(&text).ok_or(TreeError::Number { step: place })?);
            }
            Op::Symbol => {
                let kind = self.kind.and_then(|name| KINDS.iter().find(|known| known.1 == name));
                let symbol = self.name.zip(kind).map(|(name, known)| Symbol {
                    name,
                    kind: known.0,
                    order: self.order.unwrap_or(0),
                });
                step.symbol = Some(symbol.filter(is_sound).ok_or(TreeError::Symbol { step: place })?);
            }
            _ => {}
        }
        Ok(step)
    }
}

/// Does the operation take so many arguments?
fn takes(op: Op, count: usize) -> bool {
    match op {
        Op::Number | Op::Symbol | Op::Pi => count == 0,
        Op::Sum | Op::Product => count >= 2,
        Op::Scale | Op::Power | Op::Atan2 | Op::Min | Op::Max => count == 2,
        Op::IfNegative | Op::IfZero => count == 3,
        Op::Unspecified => count % 2 == 1,
        Op::Integral => count >= 4 && count.is_multiple_of(2),
        _ => count == 1,
    }
}

/// Has it a name, and an order that its kind can have? Orders are written as primes: a huge one
/// would fill the memory.
fn is_sound(symbol: &Symbol) -> bool {
    const HIGHEST: u32 = 1000;
    let constant = matches!(symbol.kind, Kind::Parameter | Kind::Time);
    !symbol.name.is_empty() && symbol.order <= if constant { 0 } else { HIGHEST }
}

/// An integer or a fraction in decimal digits.
fn read_number(text: &str) -> Option<Rational> {
    // a decimal digit is worth more than three bits
    let digits = |text: &str| {
        let sound = !text.is_empty() && text.len() as u64 * 3 <= MAX_BITS && text.bytes().all(|c| c.is_ascii_digit());
        sound.then(|| UBig::from_str_radix(text, 10).ok()).flatten()
    };
    let (negative, magnitude) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (above, below) = magnitude.split_once('/').unwrap_or((magnitude, "1"));
    let above = IBig::from(digits(above)?);
    let number = Rational::from_ibig_ratio(if negative { -above } else { above }, digits(below)?)?;
    (number.bits() <= MAX_BITS).then_some(number)
}

// ---- names

/// The names of operations, in the order of [`Op`].
const OPS: [(Op, &str); 28] = [
    (Op::Number, "number"),
    (Op::Symbol, "symbol"),
    (Op::Pi, "pi"),
    (Op::Scale, "scale"),
    (Op::Sum, "sum"),
    (Op::Product, "product"),
    (Op::Power, "power"),
    (Op::Sin, "sin"),
    (Op::Cos, "cos"),
    (Op::Tan, "tan"),
    (Op::Asin, "asin"),
    (Op::Acos, "acos"),
    (Op::Atan, "atan"),
    (Op::Sinh, "sinh"),
    (Op::Cosh, "cosh"),
    (Op::Tanh, "tanh"),
    (Op::Exp, "exp"),
    (Op::Log, "log"),
    (Op::Abs, "abs"),
    (Op::Sign, "sign"),
    (Op::Cbrt, "cbrt"),
    (Op::Atan2, "atan2"),
    (Op::Min, "min"),
    (Op::Max, "max"),
    (Op::IfNegative, "if_negative"),
    (Op::IfZero, "if_zero"),
    (Op::Unspecified, "unspecified"),
    (Op::Integral, "integral"),
];

impl Op {
    /// The name of the operation, as it is written down.
    pub fn name(self) -> &'static str {
        OPS.get(self as usize).filter(|known| known.0 == self).map_or("", |known| known.1)
    }

    /// The operation of a name.
    ///
    /// ```
    /// use expr::Op;
    /// assert_eq!((Op::named("atan2"), Op::IfZero.name()), (Some(Op::Atan2), "if_zero"));
    /// assert!(Op::all().all(|op| Op::named(op.name()) == Some(op)));
    /// ```
    pub fn named(name: &str) -> Option<Op> {
        OPS.iter().find(|known| known.1 == name).map(|known| known.0)
    }

    /// All operations.
    pub fn all() -> impl Iterator<Item = Op> {
        OPS.iter().map(|known| known.0)
    }
}

/// The names of kinds of symbols.
const KINDS: [(Kind, &str); 7] = [
    (Kind::Parameter, "parameter"),
    (Kind::Time, "time"),
    (Kind::Coordinate, "coordinate"),
    (Kind::QuasiVelocity, "quasi-velocity"),
    (Kind::Multiplier, "multiplier"),
    (Kind::State, "state"),
    (Kind::Input, "input"),
];

impl Kind {
    /// The name of the kind, as it is written down.
    pub fn name(self) -> &'static str {
        KINDS.iter().find(|known| known.0 == self).map_or("", |known| known.1)
    }
}

/// The names of comparisons.
const COMPARISONS: [(Comparison, &str); 6] = [
    (Comparison::Equal, "equal"),
    (Comparison::AtLeast, "at_least"),
    (Comparison::AtMost, "at_most"),
    (Comparison::Greater, "greater"),
    (Comparison::Less, "less"),
    (Comparison::NotEqual, "not_equal"),
];

fn comparison_name(comparison: Comparison) -> &'static str {
    COMPARISONS.iter().find(|known| known.0 == comparison).map_or("", |known| known.1)
}

// ---- errors

/// What is wrong with a tree, or with reading it into a scope. Steps are counted from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TreeError {
    /// There is no step.
    Empty,
    /// No operation has this name.
    UnknownOperation {
        /// The step.
        step: usize,
        /// The name.
        op: String,
    },
    /// An argument is the step itself or a later one, or there is no such step.
    Reference {
        /// The step.
        step: usize,
        /// The place that it refers to.
        to: u32,
    },
    /// A step has another number of arguments than its operation takes, or fields that it does not
    /// take; or a relation is not the last step.
    Malformed {
        /// The step.
        step: usize,
        /// Its operation.
        op: String,
    },
    /// The value of a number is no integer or fraction in decimal digits, or too long.
    Number {
        /// The step.
        step: usize,
    },
    /// A symbol lacks a name or a kind, or has an order that its kind cannot have.
    Symbol {
        /// The step.
        step: usize,
    },
    /// A name stands for symbols of two kinds.
    OtherKind {
        /// The name.
        name: String,
        /// Its kind in the tree.
        kind: Kind,
        /// Its kind earlier in the tree, or in the scope.
        here: Kind,
    },
    /// An expression was asked for, and the tree is a relation.
    Relation,
    /// A relation was asked for, and the tree is an expression.
    NoRelation,
    /// Something in the expression does not exist.
    Math(MathError),
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TreeError::Empty => write!(f, "a tree has at least one step"),
            TreeError::UnknownOperation { step, op } => write!(f, "step {step}: no operation is named `{op}`"),
            TreeError::Reference { step, to } => {
                write!(f, "step {step} refers to step {to}, which does not come before it")
            }
            TreeError::Malformed { step, op } if COMPARISONS.iter().any(|known| known.1 == op) => {
                write!(f, "step {step}: `{op}` takes two sides and nothing else, and is the last step")
            }
            TreeError::Malformed { step, op } => {
                write!(f, "step {step}: `{op}` does not take these arguments or fields")
            }
            TreeError::Number { step } => {
                write!(f, "step {step}: the value of a number is written as \"-12\" or \"-3/2\"")
            }
            TreeError::Symbol { step } => {
                write!(f, "step {step}: a symbol has a name, a kind and an order that its kind can have")
            }
            TreeError::OtherKind { name, kind, here } => {
                let [kind, here] = [kind, here].map(|kind| kind.name());
                write!(f, "`{name}` is a {kind} in the tree and a {here} already")
            }
            TreeError::Relation => write!(f, "the tree is a relation between two expressions"),
            TreeError::NoRelation => write!(f, "the tree is an expression, not a relation"),
            TreeError::Math(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for TreeError {}

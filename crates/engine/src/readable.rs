//! How are equations written for a person?
//!
//! ```text
//! Σ c_k w_k + rest = right         collected by accelerations, each part simplified          (1)
//! z1 = …, z2 = …                   shared parts get names when an equation is long           (2)
//! ```
//!
//! Each part is simplified step by step, and written anew from its values (crate `reading`): the shorter text
//! stays. Both are checked by signature where they are made, so they cannot be wrong; what is too long
//! to be read in any form is not simplified, and the work for one form is bounded by counts.

use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};

use expr::field::Element;
use expr::{Expr, Kind, Op, Symbol};

/// An equation with more operations than this gets names for its parts.
const LONG: usize = 200;
/// An expression with more operations than this is not simplified.
const HOPELESS: usize = 600;
/// Steps of simplification for one form.
const STEPS: u64 = 600_000;
/// Steps that it takes to look at an expression, or as many as it has operations.
const LOOK: u64 = 50;
/// Steps that one expression may use in any case.
const SHARE: u64 = 5_000;
/// Evaluated nodes that it may take to write parts of one form anew, and one part.
const WORK: u64 = 8_000_000;
const WORK_OF_ONE: u64 = 2_000_000;
/// A part that is written anew has at most so many terms, and not many more than its text has words.
const TERMS: usize = 400;
const CHARACTERS_OF_TERM: usize = 5;
/// Shorter texts are not written anew.
const SHORT: usize = 12;
/// What takes more operations to write down counts as endless.
const ENDLESS: usize = 20_000;
/// A part with fewer operations than this gets no name.
const SMALL: usize = 4;

/// Who writes expressions for a person, with bounded work: what is left when it is spent stays as it is.
pub struct Reader {
    steps: Cell<u64>,
    work: Cell<u64>,
    gave_up: Cell<bool>,
    /// What was written before, by its values.
    known: RefCell<FxHashMap<[Element; 2], Expr>>,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader { steps: Cell::new(STEPS), work: Cell::new(WORK), gave_up: Cell::new(false), known: RefCell::default() }
    }
}

impl Reader {
    /// A reader with work for one form.
    pub fn new() -> Reader {
        Reader::default()
    }

    /// Was something too long to be simplified?
    pub fn gave_up(&self) -> bool {
        self.gave_up.get()
    }

    /// An expression as a person would write it, collected by these symbols as far as it is linear in them.
    pub fn readable(&self, e: Expr, by: &[Expr]) -> Expr {
        let Ok((matrix, constants)) = expr::linear_coefficients(&[e], by) else { return self.simple(e, by) };
        let terms = matrix[0].iter().zip(by).filter(|(c, _)| !c.is_zero());
        let mut sum: Vec<Expr> = terms.map(|(&c, &symbol)| self.simple(c, &[]) * symbol).collect();
        let rest = self.simple(constants[0], &[]);
        match rest.op() {
            Op::Sum => sum.extend(rest.arguments()),
            _ => sum.push(rest),
        }
        Expr::sum(&sum)
    }

    /// The shortest text for an expression.
    fn simple(&self, e: Expr, by: &[Expr]) -> Expr {
        if e.is_zero() {
            return Expr::zero();
        }
        if e.op() == Op::Number || e.op() == Op::Symbol {
            return e;
        }
        // Branches have more values than a signature tells.
        let image = (by.is_empty() && !e.has_branches()).then(|| e.image());
        if let Some(&known) = image.and_then(|image| self.known.borrow().get(&image).copied()).as_ref() {
            return known;
        }
        let (stepwise, gave_up) = self.stepwise(e, by);
        let made = if by.is_empty() { self.anew(stepwise) } else { None };
        if gave_up && made.is_none() {
            self.gave_up.set(true);
        }
        let short = made.unwrap_or(stepwise);
        if let Some(image) = image {
            self.known.borrow_mut().insert(image, short);
        }
        short
    }

    /// The expression simplified step by step, and whether that was too much work.
    fn stepwise(&self, e: Expr, by: &[Expr]) -> (Expr, bool) {
        // To look at an expression is work as well.
        let size = e.operations();
        self.steps.set(self.steps.get().saturating_sub(LOOK.max(size as u64)));
        if size > HOPELESS || self.steps.get() == 0 {
            return (e, true);
        }
        // One expression may use a share of what is left, so that the others are not left without.
        let share = (self.steps.get() / 2).max(SHARE).min(self.steps.get());
        let mut left = share;
        let simple = expr::simplify_within(e, by, &mut left);
        self.steps.set(self.steps.get() - (share - left));
        (simple, left == 0)
    }

    /// The expression written anew from its values, if that is shorter.
    fn anew(&self, e: Expr) -> Option<Expr> {
        let length = length(e);
        if length < SHORT || e.is_constant() {
            return None;
        }
        let terms = TERMS.min(length / CHARACTERS_OF_TERM + 4);
        let share = WORK_OF_ONE.min(self.work.get());
        let mut left = share;
        let made = reading::rewritten(e, terms, &mut left);
        self.work.set(self.work.get() - (share - left));
        made.filter(|&made| self::length(made) < length)
    }
}

/// How many characters an expression takes.
fn length(e: Expr) -> usize {
    match written(&parts(&[e]))[&e] {
        ENDLESS.. => usize::MAX,
        _ => e.to_string().chars().count(),
    }
}

/// Names for shared parts (2): the expressions in terms of them, and what they stand for in order.
pub fn named(outputs: &[Expr], taken: &dyn Fn(&str) -> bool) -> (Vec<Expr>, Vec<(Expr, Expr)>) {
    let order = parts(outputs);
    let sizes = written(&order);
    if outputs.iter().all(|e| sizes[e] <= LONG) {
        return (outputs.to_vec(), Vec::new());
    }
    let mut uses: FxHashMap<Expr, usize> = FxHashMap::default();
    for &node in &order {
        for argument in node.arguments() {
            *uses.entry(argument).or_default() += 1;
        }
    }
    let prefix = ["z", "zz", "part"].into_iter().find(|prefix| !taken(&format!("{prefix}1"))).unwrap_or("part_");
    let (mut map, mut definitions) = (FxHashMap::default(), Vec::new());
    for &node in &order {
        let shared = uses.get(&node).is_some_and(|&count| count > 1);
        if !shared || sizes[&node] < SMALL || matches!(node.op(), Op::Number | Op::Symbol) {
            continue;
        }
        let Ok(value) = expr::substitute(&[node], &nearest(node, &map)) else { continue };
        let name = expr::symbol(Symbol::new(&format!("{prefix}{}", definitions.len() + 1), Kind::Parameter));
        definitions.push((name, value[0]));
        map.insert(node, name);
    }
    let map: Vec<(Expr, Expr)> = map.into_iter().collect();
    match expr::substitute(outputs, &map) {
        Ok(outputs) => (outputs, definitions),
        Err(_) => (outputs.to_vec(), Vec::new()),
    }
}

/// The parts of an expression that have names, no part of which is looked into.
fn nearest(e: Expr, names: &FxHashMap<Expr, Expr>) -> Vec<(Expr, Expr)> {
    let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
    let mut stack = e.arguments();
    while let Some(part) = stack.pop() {
        if seen.insert(part) {
            match names.get(&part) {
                Some(&name) => found.push((part, name)),
                None => stack.extend(part.arguments()),
            }
        }
    }
    found
}

/// What is longer counts as this long.
const MOST_WRITTEN: usize = 1 << 30;

/// How many operations each part is written down with, what is shared as often as it occurs; arguments come first.
fn written(order: &[Expr]) -> FxHashMap<Expr, usize> {
    let mut sizes: FxHashMap<Expr, usize> = FxHashMap::with_capacity_and_hasher(order.len(), Default::default());
    for &node in order {
        let arguments = node.arguments();
        let sizes_below = arguments.iter().map(|argument| sizes.get(argument).copied().unwrap_or(0));
        let below = sizes_below.fold(0, usize::saturating_add);
        let own = arguments.len().saturating_sub(1).max(usize::from(!arguments.is_empty()));
        sizes.insert(node, below.saturating_add(own).min(MOST_WRITTEN));
    }
    sizes
}

/// All parts, arguments before what they are arguments of.
fn parts(outputs: &[Expr]) -> Vec<Expr> {
    let (mut seen, mut order) = (FxHashSet::default(), Vec::new());
    let mut stack: Vec<(Expr, bool)> = outputs.iter().rev().map(|&e| (e, false)).collect();
    while let Some((e, done)) = stack.pop() {
        if done {
            order.push(e);
        } else if seen.insert(e) {
            stack.push((e, true));
            stack.extend(e.arguments().into_iter().map(|argument| (argument, false)));
        }
    }
    order
}

/// What is divided by, and depends on one of these symbols.
pub fn divisors(outputs: &[Expr], of: &[Expr], reader: &Reader) -> Vec<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    for part in parts(outputs) {
        if part.op() != Op::Power {
            continue;
        }
        let arguments = part.arguments();
        let negative = arguments[1].as_number().is_some_and(|exponent| exponent.to_f64() < 0.0);
        if negative && arguments[0].symbols().iter().any(|symbol| of.contains(symbol)) {
            let divisor = reader.simple(arguments[0], &[]);
            if !found.iter().any(|known| known.is_same(divisor)) {
                found.push(divisor);
            }
        }
    }
    found
}

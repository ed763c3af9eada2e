//! How are equations written for a person?
//!
//! ```text
//! Σ c_k w_k + rest = right         collected by accelerations, each part simplified          (1)
//! z1 = …, z2 = …                   shared parts get names when an equation is long           (2)
//! ```
//!
//! A simplification is checked by signature where it is made, so it cannot be wrong; what is too long
//! to be read in any form is not simplified, and the work for one form is bounded.

use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;

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
/// A part with fewer operations than this gets no name.
const SMALL: usize = 4;

/// Who writes expressions for a person, with bounded work: what is left when it is spent stays as it is.
pub struct Reader {
    steps: Cell<u64>,
    gave_up: Cell<bool>,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader { steps: Cell::new(STEPS), gave_up: Cell::new(false) }
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
        if self.is_spent() {
            return e;
        }
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

    /// Whether no work is left; if so, what follows stays as it is.
    fn is_spent(&self) -> bool {
        if self.steps.get() == 0 {
            self.gave_up.set(true);
        }
        self.steps.get() == 0
    }

    fn simple(&self, e: Expr, by: &[Expr]) -> Expr {
        if e.is_zero() {
            return Expr::zero();
        }
        if e.op() == Op::Number || e.op() == Op::Symbol {
            return e;
        }
        if self.is_spent() {
            return e;
        }
        // To look at an expression is work as well.
        let size = e.operations();
        self.steps.set(self.steps.get().saturating_sub(LOOK.max(size as u64)));
        if size > HOPELESS || self.is_spent() {
            self.gave_up.set(true);
            return e;
        }
        // One expression may use a share of what is left, so that the others are not left without.
        let share = (self.steps.get() / 2).max(SHARE).min(self.steps.get());
        let mut left = share;
        let simple = expr::simplify_within(e, by, &mut left);
        self.steps.set(self.steps.get() - (share - left));
        if left == 0 {
            self.gave_up.set(true);
        }
        simple
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

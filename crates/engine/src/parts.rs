//! Which parts of long equations get names?
//!
//! ```text
//! z1 = …, z2 = …                    parts that occur more than once, in the order in which they are needed      (1)
//! z1 for y − x beside x − y         the same part with another sign, or written otherwise, is −z1 or z1         (2)
//! ```
//!
//! A part is known by its values, so that what is written in two ways has one name. Each part is
//! simplified by itself, in terms of the names before it.

use expr::field::Element;
use expr::{Expr, Kind, Op, Substitution, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// An equation with more operations than this gets names for its parts.
const LONG: usize = 200;
/// Expressions with so many operations, what is shared counted as often as it occurs, are not written to be measured.
const UNWRITTEN: usize = 100_000;
/// A part with fewer operations than this gets no name.
const SMALL: usize = 4;
/// A part with at most so many operations is simplified by itself, with so many steps.
const SIMPLE: usize = 25;
const STEPS: u64 = 300;

/// Names for shared parts (1): the expressions in terms of them, and what they stand for in order. Parts are told apart
/// by their values, or by how they are written, whichever is shorter.
pub fn named(outputs: &[Expr], taken: &dyn Fn(&str) -> bool) -> (Vec<Expr>, Vec<(Expr, Expr)>) {
    let order = parts(outputs);
    let sizes = written(&order);
    if outputs.iter().all(|e| sizes[e] <= LONG) {
        return (outputs.to_vec(), Vec::new());
    }
    let prefix = ["z", "zz", "part"].into_iter().find(|prefix| !taken(&format!("{prefix}1"))).unwrap_or("part_");
    let [by_values, as_written] = [true, false].map(|by_values| {
        let made = Names::of(&order, &sizes, by_values, prefix).put_into(outputs);
        let definitions = made.1.iter().flat_map(|&(name, value)| [name, value]);
        let all: Vec<Expr> = made.0.iter().copied().chain(definitions).collect();
        (letters(&all), made)
    });
    if by_values.0 < as_written.0 { by_values.1 } else { as_written.1 }
}

/// How many letters expressions take together; more than anything if they have too many operations to be written.
fn letters(list: &[Expr]) -> usize {
    let sizes = written(&parts(list));
    match list.iter().map(|e| sizes[e]).fold(0, usize::saturating_add) {
        UNWRITTEN.. => usize::MAX,
        _ => list.iter().map(|e| e.to_string().len()).sum(),
    }
}

/// A part by its values, with one of its two signs; by itself, where its values are not all there is.
type Class = Result<[Element; 2], Expr>;

fn class(e: Expr, by_values: bool) -> Class {
    match !by_values || e.has_branches() || matches!(e.op(), Op::Number | Op::Symbol) {
        true => Err(e),
        false => Ok(e.image().min((-e).image())),
    }
}

#[derive(Default)]
struct Names {
    /// Parts and what is written for them.
    map: FxHashMap<Expr, Expr>,
    definitions: Vec<(Expr, Expr)>,
    /// Names and the parts that they were given to, by values.
    by_class: FxHashMap<Class, (Expr, Expr)>,
}

impl Names {
    /// Names for the parts that occur more than once.
    fn of(order: &[Expr], sizes: &FxHashMap<Expr, usize>, by_values: bool, prefix: &str) -> Names {
        let mut uses: FxHashMap<Class, usize> = FxHashMap::default();
        for &node in order {
            for argument in node.arguments() {
                *uses.entry(class(argument, by_values)).or_default() += 1;
            }
        }
        let mut names = Names::default();
        for &node in order {
            let own = class(node, by_values);
            let shared = uses.get(&own).is_some_and(|&count| count > 1);
            if !shared || sizes[&node] < SMALL || matches!(node.op(), Op::Number | Op::Symbol) {
                continue;
            }
            if names.knows(node, &own) {
                continue;
            }
            let Ok(value) = nearest(node, &names.map).apply_one(node) else { continue };
            names.give(node, own, if by_values { simple(value) } else { value }, prefix);
        }
        names
    }

    /// Expressions in terms of the names, and the names.
    fn put_into(self, outputs: &[Expr]) -> (Vec<Expr>, Vec<(Expr, Expr)>) {
        let map: Substitution = self.map.into_iter().collect();
        match map.apply(outputs) {
            Ok(outputs) => (outputs, self.definitions),
            Err(_) => (outputs.to_vec(), Vec::new()),
        }
    }

    /// Has a part a name already (2)? Then it is written with it.
    fn knows(&mut self, node: Expr, own: &Class) -> bool {
        let Some(&(first, name)) = self.by_class.get(own) else { return false };
        let found = [(node - first, name), (node + first, -name)].into_iter().find(|(gap, _)| gap.is_zero());
        if let Some((_, written)) = found {
            self.map.insert(node, written);
        }
        found.is_some()
    }

    fn give(&mut self, node: Expr, own: Class, value: Expr, prefix: &str) {
        let name = format!("{prefix}{}", self.definitions.len() + 1);
        let name = expr::symbol(Symbol::new(&name, Kind::Parameter));
        self.definitions.push((name, value));
        self.map.insert(node, name);
        self.by_class.insert(own, (node, name));
    }
}

/// The value of a name as a person would write it.
fn simple(value: Expr) -> Expr {
    if value.operations() > SIMPLE {
        return value;
    }
    let short = reading::polished(expr::simplify_within(value, &[], &mut { STEPS }));
    let length = |e: Expr| e.to_string().chars().count();
    if length(short) < length(value) { short } else { value }
}

/// The parts of an expression that have names, no part of which is looked into.
fn nearest(e: Expr, names: &FxHashMap<Expr, Expr>) -> Substitution {
    let (mut seen, mut found) = (FxHashSet::default(), Substitution::new());
    let mut stack = e.arguments();
    while let Some(part) = stack.pop() {
        if seen.insert(part) {
            match names.get(&part) {
                Some(&name) => found.insert(part, name),
                None => stack.extend(part.arguments()),
            }
        }
    }
    found
}

/// What is longer counts as this long.
const MOST_WRITTEN: usize = 1 << 30;

/// How many operations each part is written down with, what is shared as often as it occurs; arguments come first.
pub fn written(order: &[Expr]) -> FxHashMap<Expr, usize> {
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
pub fn parts(outputs: &[Expr]) -> Vec<Expr> {
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

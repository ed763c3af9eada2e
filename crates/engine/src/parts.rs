//! Which parts of long equations get names?
//!
//! ```text
//! z1 = …, z2 = …                    parts that occur more than once, in the order in which they are needed      (1)
//! z1 for y − x beside x − y         the same part with another sign, or written otherwise, is −z1 or z1         (2)
//! n (|z| − |value|) < |z = value|   a name that stands n times and saves nothing is taken back                  (3)
//! ```
//!
//! A part is known by its values, so that what is written in two ways has one name. Each part is
//! simplified by itself, in terms of the names before it.

use expr::field::Element;
use expr::{Expr, Kind, Op, Substitution, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::quantities::Quantities;

/// An equation with more operations than this gets names for its parts.
const LONG: usize = 200;
/// Expressions with so many operations, what is shared counted as often as it occurs, are not written to be measured.
const UNWRITTEN: usize = 100_000;
/// A part with fewer operations than this gets no name.
const SMALL: usize = 4;
/// A part with at most so many operations is simplified by itself, with so many steps.
const SIMPLE: usize = 25;
const STEPS: u64 = 300;
/// What stands between a name and its value, and after it.
const BETWEEN: usize = 4;

/// Names for shared parts (1): the expressions in terms of them, and what they stand for in order. Parts are told apart
/// by their values, or by how they are written, whichever is shorter.
pub fn named(outputs: &[Expr], known: &Quantities, taken: &dyn Fn(&str) -> bool) -> Named {
    if outputs.iter().all(|e| e.written_operations() <= LONG) {
        return (outputs.to_vec(), Vec::new());
    }
    let order = parts(outputs);
    let prefix = ["z", "zz", "part"].into_iter().find(|prefix| !taken(&format!("{prefix}1"))).unwrap_or("part_");
    let called = |part: Expr| known.called(part).filter(|(name, _)| !taken(name));
    let called = Called { prefix, called: &called };
    let [by_values, as_written] = [true, false].map(|by_values| {
        let made = Names::of(&order, by_values, &called).put_into(outputs);
        let fewer = worthwhile(&made, &called).filter(|fewer| length(fewer) <= length(&made)).unwrap_or(made);
        (length(&fewer), fewer)
    });
    let (outputs, definitions) = if by_values.0 < as_written.0 { by_values.1 } else { as_written.1 };
    (outputs.into_iter().map(simple_inside).collect(), definitions)
}

/// An expression with each short part of it as a person would write it.
fn simple_inside(e: Expr) -> Expr {
    if e.operations() <= SIMPLE {
        return simple(e);
    }
    if !matches!(e.op(), Op::Sum | Op::Product | Op::Scale) {
        return e;
    }
    let inside: Substitution = e.arguments().into_iter().map(|part| (part, simple_inside(part))).collect();
    inside.apply_one(e).ok().filter(|made| made.letters() < e.letters()).unwrap_or(e)
}

/// Expressions in terms of names, and the names with what they stand for in order.
pub type Named = (Vec<Expr>, Vec<(Expr, Expr)>);

/// How many letters that takes.
fn length((outputs, definitions): &Named) -> usize {
    let definitions = definitions.iter().flat_map(|&(name, value)| [name, value]);
    letters(&outputs.iter().copied().chain(definitions).collect::<Vec<Expr>>())
}

/// The same without the names that save nothing (3), those that are left numbered anew. The last name stands in no
/// definition but its own, so they are judged from the last to the first.
fn worthwhile((outputs, definitions): &Named, called: &Called<'_>) -> Option<Named> {
    let places: FxHashMap<Expr, usize> = definitions.iter().enumerate().map(|(k, one)| (one.0, k)).collect();
    let mut uses = vec![0_usize; definitions.len()];
    outputs.iter().for_each(|&e| count(e, 1, &places, &mut uses));
    let mut saves = vec![true; definitions.len()];
    for (k, &(name, value)) in definitions.iter().enumerate().rev() {
        let (short, long) = (name.letters(), value.letters() + if value.op() == Op::Sum { 2 } else { 0 });
        let is_known = !called.is_number(name) && uses[k] > 1;
        saves[k] = is_known || uses[k].saturating_mul(long) > (uses[k] + 1) * short + long + BETWEEN;
        // its value is written once, or as often as it was used
        count(value, if saves[k] { 1 } else { uses[k] }, &places, &mut uses);
    }
    let (mut written, mut left, mut numbers) = (Substitution::new(), Vec::new(), 0);
    for (&(name, value), saves) in definitions.iter().zip(saves) {
        let value = written.apply_one(value).ok()?;
        let kept = match called.is_number(name) {
            true => called.numbered(numbers + 1),
            false => name,
        };
        if saves {
            numbers += usize::from(called.is_number(name));
            left.push((kept, value));
        }
        written.insert(name, if saves { kept } else { value });
    }
    Some((written.apply(outputs).ok()?, left))
}

/// Adds how often names are written in an expression that is written so often.
fn count(e: Expr, times: usize, places: &FxHashMap<Expr, usize>, uses: &mut [usize]) {
    if e.written_operations() > UNWRITTEN {
        return;
    }
    let mut stack = vec![e];
    while let Some(part) = stack.pop() {
        match places.get(&part) {
            Some(&k) => uses[k] = uses[k].saturating_add(times),
            None => stack.extend(part.arguments()),
        }
    }
}

/// How many letters expressions take together; more than anything if they have too many operations to be written.
fn letters(list: &[Expr]) -> usize {
    match list.iter().map(|e| e.written_operations()).fold(0, usize::saturating_add) {
        UNWRITTEN.. => usize::MAX,
        _ => list.iter().map(|e| e.letters()).sum(),
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
    fn of(order: &[Expr], by_values: bool, called: &Called<'_>) -> Names {
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
            if !shared || node.written_operations() < SMALL || matches!(node.op(), Op::Number | Op::Symbol) {
                continue;
            }
            if names.knows(node, &own) {
                continue;
            }
            let Ok(value) = nearest(node, &names.map).apply_one(node) else { continue };
            names.give(node, own, if by_values { simple(value) } else { value }, called);
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

    fn give(&mut self, node: Expr, own: Class, value: Expr, called: &Called<'_>) {
        let known = (called.called)(node);
        let name = known.map_or_else(|| called.numbered(self.definitions.len() + 1), |(name, _)| parameter(name));
        let minus = known.is_some_and(|known| known.1);
        let [value, written, node_of_name] = if minus { [simple(-value), -name, -node] } else { [value, name, node] };
        self.definitions.push((name, value));
        self.map.insert(node, written);
        self.by_class.insert(own, (node_of_name, name));
    }
}

/// How parts are called: by their numbers, or by what they are.
struct Called<'a> {
    prefix: &'a str,
    called: &'a dyn Fn(Expr) -> Option<(&'a str, bool)>,
}

impl Called<'_> {
    fn numbered(&self, number: usize) -> Expr {
        parameter(&format!("{}{number}", self.prefix))
    }

    fn is_number(&self, name: Expr) -> bool {
        name.to_string().strip_prefix(self.prefix).is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
    }
}

fn parameter(name: &str) -> Expr {
    expr::symbol(Symbol::new(name, Kind::Parameter))
}

/// The value of a name as a person would write it.
fn simple(value: Expr) -> Expr {
    if value.operations() > SIMPLE {
        return value;
    }
    let short = reading::polished(expr::simplify_within(value, &[], &mut { STEPS }));
    let length = |e: Expr| e.letters();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_saves_nothing_is_not_given() {
        let _scope = expr::Scope::with_seed(3);
        // two short products that stand twice, a long sum that stands twice, in an equation that is long
        let long = "a*sin(x)*cos(y) + b*cos(x)*sin(y) + c*sin(x + y)*cos(x - y)";
        let filled: Vec<String> = (1..60).map(|k| format!("k{k}*sin({k}*x)*w")).collect();
        let text = format!("({long})^2*u + ({long})*v*x*y*a + x*y*a*z + {}", filled.join(" + "));
        let (written, definitions) =
            named(&[expr::parse(&text).unwrap()], &Quantities::default(), &|name| name.starts_with("zz"));
        let values: Vec<String> = definitions.iter().map(|one| format!("{} = {}", one.0, one.1)).collect();
        assert_eq!(values, [format!("z1 = {long}")]);
        let back: Substitution = definitions.into_iter().collect();
        assert!(back.apply_one(written[0]).unwrap().is_same(expr::parse(&text).unwrap()));
    }
}

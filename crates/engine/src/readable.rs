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
use std::rc::Rc;

use expr::field::Element;
use expr::{Expr, Kind, Op, Substitution, Symbol};

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
const WORK: u64 = 24_000_000;
const WORK_OF_ONE: u64 = 6_000_000;
/// A part that is written anew has at most so many terms, and not many more than its text has words.
const TERMS: usize = 400;
const CHARACTERS_OF_TERM: usize = 5;
/// Expressions with more operations are written anew first, and if that gives so few characters, left at that.
const LARGE: usize = 60;
const FEW: usize = 300;
/// Shorter texts are not written anew.
const SHORT: usize = 12;
/// What takes more operations to write down counts as endless.
const ENDLESS: usize = 3_000;
/// A part with fewer operations than this gets no name.
const SMALL: usize = 4;

/// Who writes expressions for a person, with bounded work: what is left when it is spent stays as it is.
pub struct Reader {
    steps: Cell<u64>,
    work: Cell<u64>,
    gave_up: Cell<bool>,
    /// What was written before in the shortest way, by its values.
    known: RefCell<FxHashMap<[Element; 2], Expr>>,
    /// What was simplified step by step before, and whether that was too much work.
    stepped: RefCell<FxHashMap<Expr, (Expr, bool)>>,
    /// What readers before this one wrote anew.
    memory: Memory,
}

/// What was written anew before, by its values: shared by the pages of one question, which are often about the same
/// functions.
#[derive(Clone, Default)]
pub struct Memory(Rc<RefCell<FxHashMap<[Element; 2], Attempt>>>);

/// How an expression was written anew; or that it was not, with so many terms and so much work.
#[derive(Clone, Copy)]
struct Attempt {
    made: Option<Expr>,
    terms: usize,
    work: u64,
    operations: usize,
}

/// How parts are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Simplified step by step: what was shared stays shared.
    Stepwise,
    /// The shortest text for each part alone.
    Shortest,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader {
            steps: Cell::new(STEPS),
            work: Cell::new(WORK),
            gave_up: Cell::new(false),
            known: RefCell::default(),
            stepped: RefCell::default(),
            memory: Memory::default(),
        }
    }
}

impl Reader {
    /// A reader with work for one form.
    pub fn new() -> Reader {
        Reader::default()
    }

    /// A reader with work for one form that need not do what was done for others.
    pub fn remembering(memory: &Memory) -> Reader {
        Reader { memory: memory.clone(), ..Reader::default() }
    }

    /// A reader with a share of that work.
    pub fn with_share(parts: u64) -> Reader {
        Reader { steps: Cell::new(STEPS / parts), work: Cell::new(WORK / parts), ..Reader::default() }
    }

    /// Was something too long to be simplified?
    pub fn gave_up(&self) -> bool {
        self.gave_up.get()
    }

    /// An expression as a person would write it, collected by these symbols as far as it is linear in them.
    pub fn readable(&self, e: Expr, by: &[Expr]) -> Expr {
        self.readable_in(Style::Shortest, e, by)
    }

    /// An expression collected by these symbols, in a style.
    pub fn readable_in(&self, style: Style, e: Expr, by: &[Expr]) -> Expr {
        let Ok((matrix, constants)) = expr::linear_coefficients(&[e], by) else { return self.simple(style, e, by) };
        let terms = matrix[0].iter().zip(by).filter(|(c, _)| !c.is_zero());
        let mut sum: Vec<Expr> = terms.map(|(&c, &symbol)| times(self.simple(style, c, &[]), symbol)).collect();
        let rest = self.simple(style, constants[0], &[]);
        match rest.op() {
            Op::Sum => sum.extend(rest.arguments()),
            _ => sum.push(rest),
        }
        Expr::sum(&sum)
    }

    /// An expression collected by these symbols, or not, whichever is shorter.
    pub fn collected_or_not(&self, style: Style, e: Expr, by: &[Expr]) -> Expr {
        let (collected, whole) = (self.readable_in(style, e, by), self.simple(style, e, &[]));
        if length(whole) < length(collected) { whole } else { collected }
    }

    /// The text for an expression.
    fn simple(&self, style: Style, e: Expr, by: &[Expr]) -> Expr {
        if e.is_zero() {
            return Expr::zero();
        }
        if e.op() == Op::Number || e.op() == Op::Symbol {
            return e;
        }
        if style == Style::Stepwise || !by.is_empty() {
            let (simple, gave_up) = self.stepwise(e, by);
            self.gave_up.set(self.gave_up.get() || gave_up);
            return simple;
        }
        // Branches have more values than a signature tells.
        let image = (!e.has_branches()).then(|| e.image());
        let known = image.and_then(|image| self.known.borrow().get(&image).copied());
        let short = known.unwrap_or_else(|| self.shortest(e));
        if let Some(image) = image {
            self.known.borrow_mut().insert(image, short);
        }
        short
    }

    /// The shortest text. Where a large expression is a short function, its values alone tell it.
    fn shortest(&self, e: Expr) -> Expr {
        let large = e.operations() > LARGE;
        let first = if large { self.anew(e) } else { None };
        if let Some(made) = first.filter(|&made| length(made) <= FEW) {
            return made;
        }
        let (stepwise, gave_up) = self.stepwise(e, &[]);
        let made = if large { first } else { self.anew(stepwise) };
        if gave_up && made.is_none() {
            self.gave_up.set(true);
        }
        let bracketed = if length(stepwise) < ENDLESS { reading::bracketed(stepwise) } else { stepwise };
        let others = [Some(bracketed), made].into_iter().flatten();
        others.fold(stepwise, |best, other| if length(other) < length(best) { other } else { best })
    }

    /// The expression simplified step by step, remembered.
    fn stepwise(&self, e: Expr, by: &[Expr]) -> (Expr, bool) {
        if let Some(&known) = self.stepped.borrow().get(&e).filter(|_| by.is_empty()) {
            return known;
        }
        let made = self.newly_stepwise(e, by);
        if by.is_empty() {
            self.stepped.borrow_mut().insert(e, made);
        }
        made
    }

    /// The expression simplified step by step, and whether that was too much work.
    fn newly_stepwise(&self, e: Expr, by: &[Expr]) -> (Expr, bool) {
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
        if self.work.get() == 0 || e.is_constant() {
            return None;
        }
        let length = length(e);
        if length < SHORT {
            return None;
        }
        let terms = TERMS.min(length / CHARACTERS_OF_TERM + 4);
        let share = WORK_OF_ONE.min(self.work.get());
        let made = match self.attempted(e, terms, share) {
            Some(attempt) => attempt.made,
            None => {
                let mut left = share;
                let made = reading::rewritten(e, terms, &mut left);
                self.work.set(self.work.get() - (share - left));
                self.remember(e, Attempt { made, terms, work: share, operations: e.operations() });
                made
            }
        };
        made.filter(|&made| self::length(made) < length)
    }
}

impl Reader {
    /// What became of the same function before, if trying again is no use: it was written, or it was not with as many
    /// terms and as much work from no larger an expression.
    fn attempted(&self, e: Expr, terms: usize, work: u64) -> Option<Attempt> {
        let attempt = self.memory.0.borrow().get(&e.image()).copied()?;
        let no_use = attempt.terms >= terms && attempt.work >= work && attempt.operations <= e.operations();
        // the test that it had to pass when it was written
        attempt.made.map_or(no_use, |made| made.is_same(e)).then_some(attempt)
    }

    fn remember(&self, e: Expr, attempt: Attempt) {
        self.memory.0.borrow_mut().insert(e.image(), attempt);
    }
}

/// A product without a product in it.
fn times(c: Expr, symbol: Expr) -> Expr {
    match c.op() {
        Op::Product => Expr::product(&c.arguments().into_iter().chain([symbol]).collect::<Vec<Expr>>()),
        _ => c * symbol,
    }
}

/// How many characters an expression takes.
pub fn length(e: Expr) -> usize {
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
        let Ok(value) = nearest(node, &map).apply_one(node) else { continue };
        let name = expr::symbol(Symbol::new(&format!("{prefix}{}", definitions.len() + 1), Kind::Parameter));
        definitions.push((name, value));
        map.insert(node, name);
    }
    let map: Substitution = map.into_iter().collect();
    match map.apply(outputs) {
        Ok(outputs) => (outputs, definitions),
        Err(_) => (outputs.to_vec(), Vec::new()),
    }
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

/// What is divided by, depends on one of these symbols, and may vanish as far as is known of signs.
pub fn divisors(outputs: &[Expr], of: &[Expr], positive: &[Expr], reader: &Reader) -> Vec<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    for part in parts(outputs) {
        if part.op() != Op::Power {
            continue;
        }
        let arguments = part.arguments();
        let negative = arguments[1].as_number().is_some_and(|exponent| exponent.to_f64() < 0.0);
        if !negative || !depends(arguments[0], of) {
            continue;
        }
        let divisor = reader.readable(arguments[0], &[]);
        for factor in factors(divisor) {
            let facts: Vec<(Expr, u8)> = positive.iter().map(|&symbol| (symbol, expr::sign::POSITIVE)).collect();
            let signs = expr::Evaluator::new(&[factor], &facts).signs(factor);
            let vanishes = depends(factor, of) && signs & expr::sign::NONZERO == 0;
            if vanishes && !found.iter().any(|known| known.is_same(factor) || known.is_same(-factor)) {
                found.push(factor);
            }
        }
    }
    found
}

fn depends(e: Expr, on: &[Expr]) -> bool {
    e.symbols().iter().any(|symbol| on.contains(symbol))
}

/// The factors of a product without numbers and exponents.
fn factors(e: Expr) -> Vec<Expr> {
    match e.op() {
        Op::Product | Op::Scale => e.arguments().into_iter().flat_map(factors).collect(),
        Op::Power => factors(e.arguments()[0]),
        Op::Number => Vec::new(),
        _ => vec![e],
    }
}

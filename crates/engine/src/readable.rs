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

use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use expr::field::Element;
use expr::{Expr, Kind, Op, Substitution, Symbol};
use reading::Relation;

use crate::corners::keeps_sign;
use crate::parts::parts;

/// An expression with more operations than this is not simplified.
const HOPELESS: usize = 600;
/// Parts with more operations, of equations that have more together, are written anew, or the page is given up.
const HUGE: usize = 300;
const HUGE_TOGETHER: usize = 1_000;
/// Steps of simplification for one form.
const STEPS: u64 = 600_000;
/// Steps that it takes to look at an expression, or as many as it has operations.
const LOOK: u64 = 50;
/// Steps that one expression may use in any case.
const SHARE: u64 = 5_000;
/// Evaluated nodes that it may take to write parts of one form anew, and one part.
const WORK: u64 = 24_000_000;
const WORK_OF_ONE: u64 = 6_000_000;
/// The same for parts that are written by relations.
const WORK_RELATED: u64 = 6_000_000;
/// A part that is written anew has at most so many terms, and not many more than its text has words.
const TERMS: usize = 400;
const CHARACTERS_OF_TERM: usize = 5;
const FREE_TERMS: usize = 12;
/// Expressions with more operations are written anew first, and if that gives so few characters, left at that.
const LARGE: usize = 60;
const FEW: usize = 300;
/// Longer texts are not written by relations.
const RELATED: usize = 1_000;
/// Shorter texts are not written anew.
const SHORT: usize = 12;
/// An energy of more products of rates is not collected by them.
const PRODUCTS: usize = 12;
/// What takes more operations to write down counts as endless.
const ENDLESS: usize = 3_000;

/// Who writes expressions for a person, with bounded work: what is left when it is spent stays as it is.
pub struct Reader {
    /// One part in so many of the work for a form was given.
    parts: u64,
    steps: Cell<u64>,
    work: Cell<u64>,
    gave_up: Cell<bool>,
    /// What was written before in the shortest way, by its values.
    known: RefCell<FxHashMap<[Element; 2], Expr>>,
    /// What was simplified step by step before, and whether that was too much work.
    stepped: RefCell<FxHashMap<Expr, (Expr, bool)>>,
    /// Whether brackets are left as they come.
    rough: Cell<bool>,
    /// What readers before this one wrote anew.
    memory: Memory,
    /// Relations that may be used now, and those that were.
    relations: RefCell<Vec<Vec<Relation>>>,
    used: RefCell<Vec<Relation>>,
    /// Evaluated nodes that are left for that.
    related_work: Cell<u64>,
}

/// What was written anew before, by its values: shared by the pages of one question, which are often about the same
/// functions.
#[derive(Clone, Default)]
pub struct Memory {
    anew: Rc<RefCell<FxHashMap<[Element; 2], Attempt>>>,
    related: Rc<RefCell<FxHashMap<[Element; 2], Related>>>,
}

/// How an expression was written with relations, if that was shorter, with which of them and how much work.
#[derive(Clone, Default)]
struct Related {
    made: Option<Expr>,
    with: Vec<Relation>,
    work: u64,
}

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
            parts: 1,
            steps: Cell::new(STEPS),
            work: Cell::new(WORK),
            gave_up: Cell::new(false),
            known: RefCell::default(),
            stepped: RefCell::default(),
            rough: Cell::new(false),
            memory: Memory::default(),
            relations: RefCell::default(),
            used: RefCell::default(),
            related_work: Cell::new(WORK_RELATED),
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
        Reader { parts, steps: Cell::new(STEPS / parts), work: Cell::new(WORK / parts), ..Reader::default() }
    }

    /// Another reader with a share of that work, who remembers the same.
    pub fn less(&self, parts: u64) -> Reader {
        Reader { memory: self.memory.clone(), ..Reader::with_share(parts) }
    }

    /// How much of its work is done, of 1: of steps or of evaluated nodes, whichever is more.
    pub fn spent(&self) -> f64 {
        let of = |left: u64, all: u64| 1.0 - left as f64 / (all / self.parts) as f64;
        of(self.steps.get(), STEPS).max(of(self.work.get(), WORK))
    }

    /// Is the largest of these expressions too long for a page in any form? Then so is what they are parts of.
    pub fn is_hopeless(&self, parts: &[Expr]) -> bool {
        let sizes = parts.iter().map(|&e| (e.operations(), e)).filter(|(size, _)| *size > HUGE);
        let largest = sizes.fold(None, |most: Option<(usize, Expr)>, one| match most {
            Some(known) if known.0 >= one.0 => Some(known),
            _ => Some(one),
        });
        let whole = || Expr::sum(parts).operations() > HUGE_TOGETHER;
        largest.is_some_and(|(_, e)| whole() && self.anew(e).is_none())
    }

    /// Says that something is too long to be simplified.
    pub fn give_up(&self) {
        self.gave_up.set(true);
    }

    /// What is made, and whether something in it was too long to be simplified; what was so before is not forgotten.
    pub fn watched<T>(&self, make: impl FnOnce() -> T) -> (T, bool) {
        let before = self.gave_up.replace(false);
        let made = make();
        (made, self.gave_up.replace(before))
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
        let mut sum: Vec<Expr> = terms.map(|(&c, &symbol)| self.term(style, c, symbol)).collect();
        let rest = self.simple(style, constants[0], &[]);
        match rest.op() {
            Op::Sum => sum.extend(rest.arguments()),
            _ => sum.push(rest),
        }
        Expr::sum(&sum)
    }

    /// What stands before a symbol, and the symbol: a bracket gives out its number.
    fn term(&self, style: Style, c: Expr, symbol: Expr) -> Expr {
        let c = self.simple(style, c, &[]);
        match style == Style::Shortest && c.op() == Op::Sum {
            true => self.polished(times(c, symbol)),
            false => times(c, symbol),
        }
    }

    /// An energy as a person would write it: what is quadratic in these symbols, linear, and free of them apart.
    pub fn by_degree(&self, e: Expr, of: &[Expr]) -> Expr {
        self.degrees(e, of).unwrap_or_else(|| self.readable(e, &[]))
    }

    fn degrees(&self, e: Expr, of: &[Expr]) -> Option<Expr> {
        let scale = expr::symbol(Symbol::new("scale@degree", Kind::Parameter));
        let scaled: Substitution = of.iter().map(|&symbol| (symbol, scale * symbol)).collect();
        let none: Substitution = std::iter::once((scale, Expr::zero())).collect();
        let first = expr::derivative(scaled.apply_one(e).ok()?, scale).ok()?;
        let second = expr::derivative(first, scale).ok()?;
        let rest = none.apply_one(scaled.apply_one(e).ok()?).ok()?;
        let parts = [expr::rational(1, 2) * none.apply_one(second).ok()?, none.apply_one(first).ok()?, rest];
        let whole = Expr::sum(&parts);
        if parts.iter().filter(|part| !part.is_zero()).count() < 2 || !whole.is_same(e) {
            return None;
        }
        let read = parts.iter().enumerate().filter(|(_, part)| !part.is_zero()).map(|(place, &part)| {
            let short = self.readable(part, &[]);
            let products = if place == 0 && is_nested(short, of) { self.by_products(part, of) } else { None };
            products.filter(|&e| length(e) <= length(short).saturating_add(length(short) / 10)).unwrap_or(short)
        });
        let flat = read.flat_map(|part| if part.op() == Op::Sum { part.arguments() } else { vec![part] });
        Some(Expr::sum(&flat.collect::<Vec<Expr>>()))
    }

    /// What is quadratic in symbols, collected by their squares and products, as books write energies.
    fn by_products(&self, e: Expr, of: &[Expr]) -> Option<Expr> {
        let mut terms = Vec::new();
        for (place, &one) in of.iter().enumerate() {
            let slope = expr::derivative(e, one).ok()?;
            for &other in &of[place..] {
                let entry = expr::derivative(slope, other).ok()?;
                if entry.is_zero() {
                    continue;
                }
                if entry.symbols().iter().any(|symbol| of.contains(symbol)) {
                    return None;
                }
                let number = if one == other { expr::rational(1, 2) } else { Expr::one() };
                terms.push(number * times(self.readable(entry, &[]), one * other));
            }
        }
        let made = self.polished(Expr::sum(&terms));
        (terms.len() <= PRODUCTS && made.is_same(e)).then_some(made)
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
        image.map_or(short, |image| self.related(e, image, short))
    }

    /// Lets these relations be used in what is written shortest from now on.
    pub fn relate(&self, relations: Vec<Vec<Relation>>) {
        *self.relations.borrow_mut() = relations;
    }

    /// The relations that were used.
    pub fn used(&self) -> Vec<Relation> {
        let mut used = self.used.borrow().clone();
        used.sort_by_key(|relation| relation.rank);
        used
    }

    /// The text by a relation, if that is shorter.
    fn related(&self, e: Expr, image: [Element; 2], short: Expr) -> Expr {
        let relations = self.relations.borrow();
        let least = length(short);
        if relations.is_empty() || !(SHORT..=RELATED).contains(&least) || self.related_work.get() == 0 {
            return short;
        }
        let known = self.memory.related.borrow().get(&image).cloned();
        let found = known.unwrap_or_else(|| {
            let found = self.newly_related(e, short, &relations);
            self.memory.related.borrow_mut().insert(image, found.clone());
            found
        });
        // what is remembered counts as work all the same: a page is the same alone and beside others
        self.related_work.set(self.related_work.get().saturating_sub(found.work));
        let mut used = self.used.borrow_mut();
        for one in found.with {
            if !used.iter().any(|own| own.from == one.from) {
                used.push(one);
            }
        }
        found.made.filter(|&made| length(made) < least).unwrap_or(short)
    }

    fn newly_related(&self, e: Expr, short: Expr, relations: &[Vec<Relation>]) -> Related {
        let mut found = Related::default();
        let (mut e, mut least) = (e, length(short));
        if let Some((put, made, with)) = self.held(e, short, relations) {
            (e, least) = (put, length(made));
            found = Related { made: Some(made), with, work: 0 };
        }
        if least < SHORT {
            return found;
        }
        let share = self.related_work.get();
        let mut left = share;
        let terms = TERMS.min(least / CHARACTERS_OF_TERM + FREE_TERMS);
        let made = reading::rewritten_on(e, relations, terms, &mut left);
        found.work = share - left;
        let made = made.map(|(place, made)| (place, reading::polished(made)));
        if let Some((place, made)) = made.filter(|&(_, made)| length(made) < least) {
            found.made = Some(made);
            found.with.extend(relations[place].iter().cloned());
        }
        found
    }

    /// An expression with what relations hold fast, z = 0, put in, its text if that is shorter, and which they are.
    fn held(&self, e: Expr, short: Expr, relations: &[Vec<Relation>]) -> Option<(Expr, Expr, Vec<Relation>)> {
        let symbols = e.symbols();
        let single = relations.iter().filter_map(|set| if set.len() == 1 { set.first() } else { None });
        let held = single.filter(|one| one.holds_fast() && symbols.contains(&one.eliminates.0));
        let held: Vec<Relation> = held.cloned().collect();
        if held.is_empty() {
            return None;
        }
        let put = held.iter().map(|one| one.eliminates).collect::<Substitution>().apply_one(e).ok()?;
        let made = if put.is_zero() { Expr::zero() } else { self.shortest(put) };
        (length(made) < length(short)).then_some((put, made, held))
    }

    /// Leaves brackets as they come from now on, so that parts that are shared stay so; or no longer.
    pub fn leave_rough(&self, rough: bool) {
        self.rough.set(rough);
        self.known.borrow_mut().clear();
    }

    fn polished(&self, e: Expr) -> Expr {
        if self.rough.get() { e } else { reading::polished(e) }
    }

    /// The shortest text. Where a large expression is a short function, its values alone tell it.
    fn shortest(&self, e: Expr) -> Expr {
        let large = e.operations() > LARGE;
        let first = if large { self.anew(e) } else { None };
        if let Some(made) = first.filter(|&made| length(made) <= FEW) {
            return self.polished(made);
        }
        let (stepwise, gave_up) = self.stepwise(e, &[]);
        let made = if large { first } else { self.anew(stepwise) };
        if gave_up && made.is_none() {
            self.gave_up.set(true);
        }
        let bracketed = if length(stepwise) < ENDLESS { reading::bracketed(stepwise) } else { stepwise };
        let others = [Some(bracketed), made].into_iter().flatten().map(|e| self.polished(e));
        others.fold(self.polished(stepwise), |best, other| if is_better(other, best) { other } else { best })
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
        let terms = TERMS.min(length / CHARACTERS_OF_TERM + FREE_TERMS);
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
        made.filter(|&made| is_better(made, e))
    }
}

impl Reader {
    /// What became of the same function before, if trying again is no use: it was written, or it was not with as many
    /// terms and as much work from no larger an expression.
    fn attempted(&self, e: Expr, terms: usize, work: u64) -> Option<Attempt> {
        let attempt = self.memory.anew.borrow().get(&e.image()).copied()?;
        let no_use = attempt.terms >= terms && attempt.work >= work && attempt.operations <= e.operations();
        // the test that it had to pass when it was written
        attempt.made.map_or(no_use, |made| made.is_same(e)).then_some(attempt)
    }

    fn remember(&self, e: Expr, attempt: Attempt) {
        self.memory.anew.borrow_mut().insert(e.image(), attempt);
    }
}

/// Does a bracket that holds some of these symbols stand beside one of them, or within another bracket that does?
fn is_nested(e: Expr, of: &[Expr]) -> bool {
    let holds = |part: &Expr| part.op() == Op::Sum && depends(*part, of);
    let terms = if e.op() == Op::Sum { e.arguments() } else { vec![e] };
    let factors = |term: Expr| match term.op() {
        Op::Scale => {
            let inside = term.arguments()[1];
            if inside.op() == Op::Product { inside.arguments() } else { vec![inside] }
        }
        Op::Product => term.arguments(),
        _ => vec![term],
    };
    terms.into_iter().map(factors).any(|factors| {
        let stands_beside = factors.iter().any(|&factor| factor.op() != Op::Sum && depends(factor, of));
        let within = |sum: Expr| parts(&sum.arguments()).iter().any(holds);
        factors.iter().any(|factor| holds(factor) && (stands_beside || within(*factor)))
    })
}

/// A product without a product in it.
fn times(c: Expr, symbol: Expr) -> Expr {
    match c.op() {
        Op::Product => Expr::product(&c.arguments().into_iter().chain([symbol]).collect::<Vec<Expr>>()),
        _ => c * symbol,
    }
}

/// Is the first of two ways to write the same better than the second? What nobody could read is not compared.
fn is_better(one: Expr, other: Expr) -> bool {
    let is_endless = |e: Expr| e.written_operations() >= ENDLESS;
    !is_endless(one) && (is_endless(other) || reading::is_better(one, other))
}

/// How many characters an expression takes.
pub fn length(e: Expr) -> usize {
    match e.written_operations() {
        ENDLESS.. => usize::MAX,
        _ => e.letters(),
    }
}

/// What is divided by, depends on one of these symbols, and may vanish as far as is known of signs.
pub fn divisors(outputs: &[Expr], of: &[Expr], positive: &[Expr], reader: &Reader) -> Vec<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    for part in parts(outputs) {
        let arguments = part.arguments();
        let is_below = || arguments[1].as_number().is_some_and(|exponent| exponent.to_f64() < 0.0);
        let base = match part.op() {
            Op::Power if is_below() => arguments[0],
            Op::Tan => arguments[0].cos(),
            _ => continue,
        };
        if !depends(base, of) {
            continue;
        }
        let divisor = reader.readable(base, &[]);
        for factor in factors(divisor) {
            let facts: Vec<(Expr, u8)> = positive.iter().map(|&symbol| (symbol, expr::sign::POSITIVE)).collect();
            let signs = expr::Evaluator::new(&[factor], &facts).signs(factor);
            let is_open = depends(factor, of) && signs & expr::sign::NONZERO == 0;
            let vanishes = is_open && !keeps_sign(factor, positive);
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

//! How long is an expression on paper?
//!
//! One symbol counts 8, and the rest is measured against it: signs, brackets, exponents, names
//! of functions. A long bracket costs more than its two signs, because the reader has to keep it
//! in mind: so `a*(b + c)` is shorter than `a*b + a*c`, but two long terms stay two terms.

use rustc_hash::FxHashMap;

use crate::graph::{Id, Op, Store};
use crate::number::Rational;
use crate::polynomial::sparse::Sparse;

const SYMBOL: u64 = 8;
const TIMES: u64 = 3;
const PLUS: u64 = 6;
const MINUS: u64 = 2;
const OVER: u64 = 4;
const EXPONENT: u64 = 6;
const CALL: u64 = 10;
/// A length that nobody reads to the end; sums of such lengths do not overflow.
const ENDLESS: u64 = 1 << 40;

/// Lengths of nodes, remembered.
#[derive(Default)]
pub(crate) struct Costs {
    known: FxHashMap<Id, u64>,
}

impl Costs {
    /// The length of an expression written out as a tree; nodes are looked at once.
    pub fn of(&mut self, store: &Store, id: Id) -> u64 {
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let mut waiting = vec![id];
        while let Some(&top) = waiting.last() {
            if self.known.contains_key(&top) {
                waiting.pop();
                continue;
            }
            let before = waiting.len();
            waiting.extend(parts(store, top).into_iter().filter(|part| !self.known.contains_key(part)));
            if waiting.len() == before {
                let cost = self.computed(store, top).min(ENDLESS);
                self.known.insert(top, cost);
            }
        }
        self.known[&id]
    }

    fn computed(&self, store: &Store, id: Id) -> u64 {
        let children = store.children(id);
        let sum = |ids: &[Id]| ids.iter().fold(0, |total: u64, id| total.saturating_add(self.known[id]));
        match store.op(id) {
            Op::Number => number(store.number(id).unwrap_or(&Rational::ONE)),
            Op::Symbol | Op::Pi => SYMBOL,
            Op::Sum => {
                let terms = children.iter().map(|&term| match store.op(term) {
                    Op::Sum => bracket(self.known[&term]),
                    _ => self.known[&term] - if store.term(term).0.is_negative() { MINUS } else { 0 },
                });
                let lead = if children.iter().all(|&term| store.term(term).0.is_negative()) { MINUS } else { 0 };
                terms.fold(lead, u64::saturating_add).saturating_add(PLUS * (children.len() as u64 - 1))
            }
            Op::Scale | Op::Product | Op::Power => {
                let (c, core) = store.term(id);
                let factors = if store.op(core) == Op::Product { store.children(core) } else { &[core] };
                let factors = factors.iter().map(|&factor| {
                    let (base, e) = store.factor(factor);
                    (base, e.abs(), e.is_negative())
                });
                self.term(store, c, factors)
            }
            _ => sum(children).saturating_add(CALL + PLUS * (children.len() as u64 - 1)),
        }
    }

    /// A number times powers of nodes whose lengths are known.
    fn term(&self, store: &Store, c: &Rational, factors: impl Iterator<Item = (Id, Rational, bool)>) -> u64 {
        let (mut above, mut below) = ((0u64, 0u64), (0u64, 0u64));
        for (base, exponent, negative) in factors {
            let side = if negative { &mut below } else { &mut above };
            *side = (side.0 + 1, side.1.saturating_add(self.power(store, base, &exponent)));
        }
        let (n, d) = (c.numerator().abs(), c.denominator());
        if !n.is_one() || above.0 == 0 {
            above = (above.0 + 1, above.1.saturating_add(number(&n)));
        }
        if !d.is_one() {
            below = (below.0 + 1, below.1.saturating_add(number(&d)));
        }
        let mut total = above.1.saturating_add(TIMES * (above.0 - 1));
        if below.0 > 0 {
            let brackets = if below.0 > 1 { 4 + TIMES * (below.0 - 1) } else { 0 };
            total = total.saturating_add(below.1).saturating_add(OVER + brackets);
        }
        total + if c.is_negative() { MINUS } else { 0 }
    }

    fn power(&self, store: &Store, base: Id, exponent: &Rational) -> u64 {
        let inner = self.known[&base];
        if exponent.to_small() == Some((1, 2)) {
            return inner.saturating_add(CALL);
        }
        let compound = matches!(store.op(base), Op::Sum | Op::Scale | Op::Product | Op::Power);
        let inner = if compound { bracket(inner) } else { inner };
        match (exponent.is_one(), exponent.is_integer()) {
            (true, _) => inner,
            (_, true) => inner.saturating_add(EXPONENT),
            _ => inner.saturating_add(2 * EXPONENT),
        }
    }

    /// The length of an atom as a factor.
    pub fn of_factor(&mut self, store: &Store, atom: Id) -> u64 {
        let cost = self.of(store, atom);
        if store.op(atom) == Op::Sum { bracket(cost) } else { cost }
    }

    /// The length of a polynomial as a flat sum.
    pub fn of_sparse(&mut self, store: &Store, p: &Sparse) -> u64 {
        let mut total = 0u64;
        for (m, c) in p.terms() {
            let factors = m.factors().iter().map(|&(atom, k)| of_power(self.of_factor(store, atom), k));
            total = factors.fold(total.saturating_add(of_number(c) + PLUS), u64::saturating_add);
        }
        total
    }
}

/// What a power of a factor adds to a term.
pub(crate) fn of_power(factor: u64, k: i32) -> u64 {
    let exponent = if k.abs() == 1 { 0 } else { EXPONENT };
    factor.saturating_add(exponent + if k < 0 { OVER } else { TIMES })
}

/// What a coefficient adds to a term.
pub(crate) fn of_number(c: &Rational) -> u64 {
    let (n, d) = (c.numerator().abs(), c.denominator());
    let above = if n.is_one() { 0 } else { TIMES + number(&n) };
    above + if d.is_one() { 0 } else { OVER + number(&d) }
}

/// What a bracket around something of that length comes to.
pub(crate) fn bracket(inner: u64) -> u64 {
    inner.saturating_add(2 + (inner.min(1000).pow(2) / 220).min(48))
}

/// What joins a term to the one before it.
pub(crate) const NEXT_TERM: u64 = PLUS;

fn number(value: &Rational) -> u64 {
    let (n, d) = (value.numerator(), value.denominator());
    let digits = |n: &Rational| 4 + n.bits().div_ceil(3).max(1);
    let sign = if value.is_negative() { MINUS } else { 0 };
    sign + digits(&n) + if d.is_one() { 0 } else { OVER + digits(&d) }
}

/// The nodes whose lengths make up that of a node.
fn parts(store: &Store, id: Id) -> Vec<Id> {
    match store.op(id) {
        Op::Number => Vec::new(),
        Op::Scale | Op::Product | Op::Power => {
            let core = store.term(id).1;
            let factors = if store.op(core) == Op::Product { store.children(core) } else { &[core] };
            factors.iter().map(|&factor| store.factor(factor).0).collect()
        }
        _ => store.children(id).to_vec(),
    }
}

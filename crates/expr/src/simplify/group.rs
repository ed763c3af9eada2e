//! How are the terms of a polynomial put into brackets?
//!
//! What all terms share comes out; then, as long as it makes the line shorter, the best factor
//! that some terms share. Small polynomials are also tried for factors that are sums.

use super::cost::{Costs, NEXT_TERM, bracket, of_number, of_power};
use super::gcd;
use super::{DIVISOR, Simplifier};
use crate::graph::{Graph, Id, Op, Store};
use crate::number::Rational;
use crate::polynomial::sparse::{Monomial, Sparse};
use crate::symbol::Kind;

/// Up to so many terms every pair is looked at; beyond, only single atoms.
const PAIRS: usize = 40;
/// Longer polynomials are not tried for factors that are sums.
const FACTORED: usize = 40;
/// Brackets inside brackets to this depth.
const DEPTH: u32 = 6;

impl Simplifier<'_> {
    /// The polynomial as a short expression; `None` if there is no hope that it is one.
    pub(super) fn grouped(&mut self, p: &Sparse) -> Option<Id> {
        if self.costs.of_sparse(&self.graph.store, p) > self.hopeless {
            return None;
        }
        self.grouped_at(p, 0)
    }

    fn grouped_at(&mut self, p: &Sparse, depth: u32) -> Option<Id> {
        if let Some(&known) = self.brackets.get(p) {
            return Some(known);
        }
        let made = self.newly_grouped(p, depth)?;
        self.brackets.insert(p.clone(), made);
        Some(made)
    }

    fn newly_grouped(&mut self, p: &Sparse, depth: u32) -> Option<Id> {
        let p = &self.with_tangents(p);
        let flat = self.flat(p)?;
        if p.len() < 2 || depth > DEPTH || self.budget.spend(p.len() * p.len() / 4 + 1).is_err() {
            return Some(flat);
        }
        let mut best = flat;
        let some = self.partly_grouped(p, depth)?;
        best = self.shorter(best, some);
        for constant in [true, false] {
            let split = self.split(p, constant, depth)?;
            best = self.shorter(best, split);
        }
        let common = p.common_monomial();
        let number = positive_content(p);
        if !common.is_one() || !number.is_one() {
            let inverse = number.recip()?;
            let rest = p.times_term(&common.power(-1), &inverse);
            let inner = self.grouped_at(&rest, depth + 1)?;
            let outer = self.term(&common, &number)?;
            let product = self.graph.product(&[outer, inner]);
            best = self.shorter(best, product);
        } else if let Some(product) = self.factored(p, depth) {
            best = self.shorter(best, product);
        }
        Some(best)
    }

    /// One flat sum.
    pub(super) fn flat(&mut self, p: &Sparse) -> Option<Id> {
        let mut terms = Vec::with_capacity(p.len());
        for (m, c) in p.terms() {
            terms.push(self.term(m, c)?);
        }
        Some(self.graph.sum(&terms))
    }

    /// A term as a node; exponentials are multiplied.
    pub(super) fn term(&mut self, m: &Monomial, c: &Rational) -> Option<Id> {
        let is_exponential = |graph: &Graph, atom: Id| graph.store.op(atom) == Op::Exp;
        let exponentials = m.factors().iter().filter(|factor| is_exponential(self.graph, factor.0));
        let exponentials: Vec<(Id, i32)> = exponentials.copied().collect();
        let product = if exponentials.len() < 2 {
            m.build(self.graph)?
        } else {
            let arguments: Vec<Id> = exponentials
                .iter()
                .map(|&(atom, k)| self.graph.scale(&Rational::from(i64::from(k)), self.graph.store.child(atom)))
                .collect();
            let argument = self.graph.sum(&arguments);
            let exponential = self.graph.exp(argument).ok()?;
            let rest = m.filtered(|atom| self.graph.store.op(atom) != Op::Exp).build(self.graph)?;
            self.graph.product(&[rest, exponential])
        };
        Some(self.graph.scale(c, product))
    }

    pub(super) fn shorter(&mut self, a: Id, b: Id) -> Id {
        let store = &self.graph.store;
        if self.costs.of(store, b) < self.costs.of(store, a) { b } else { a }
    }

    /// Common factors of some of the terms, the one that saves most first.
    fn partly_grouped(&mut self, p: &Sparse, depth: u32) -> Option<Id> {
        let mut rest = p.terms().to_vec();
        let mut done = Vec::new();
        while rest.len() > 1 {
            let Some(factor) = self.best_factor(&rest) else { break };
            let (members, others): (Vec<_>, Vec<_>) = rest.into_iter().partition(|(m, _)| divides(&factor, m));
            rest = others;
            let inner = Sparse::new(members.into_iter().map(|(m, c)| (m.over(&factor), c)).collect());
            let number = positive_content(&inner);
            let inner = inner.times_term(&Monomial::one(), &number.recip()?);
            let inner = self.grouped_at(&inner, depth + 1)?;
            let outer = self.term(&factor, &number)?;
            done.push(self.graph.product(&[outer, inner]));
        }
        for (m, c) in &rest {
            done.push(self.term(m, c)?);
        }
        Some(self.graph.sum(&done))
    }

    /// Terms with the same parameters in one bracket, or terms with the same moving part.
    fn split(&mut self, p: &Sparse, constant: bool, depth: u32) -> Option<Id> {
        let store = &self.graph.store;
        let is_key = |atom: Id| store.symbol(atom).is_some_and(|symbol| symbol.kind == Kind::Parameter) == constant;
        let mut parts: Vec<(Monomial, Monomial, &Rational)> =
            p.terms().iter().map(|(m, c)| (m.filtered(is_key), m.filtered(|atom| !is_key(atom)), c)).collect();
        parts.sort_by(|a, b| b.0.cmp(&a.0));
        let mut terms = Vec::new();
        for part in parts.chunk_by(|a, b| a.0 == b.0) {
            if part.len() == p.len() {
                return self.flat(p);
            }
            let inner = Sparse::new(part.iter().map(|(_, m, c)| (m.clone(), (*c).clone())).collect());
            let number = if inner.len() == 1 { Rational::ONE } else { positive_content(&inner) };
            let inner = inner.times_term(&Monomial::one(), &number.recip()?);
            let inner = self.grouped_at(&inner, depth + 1)?;
            let outer = self.term(&part[0].0, &number)?;
            terms.push(self.graph.product(&[outer, inner]));
        }
        Some(self.graph.sum(&terms))
    }

    fn best_factor(&mut self, terms: &[(Monomial, Rational)]) -> Option<Monomial> {
        let mut candidates: Vec<Monomial> = Vec::new();
        if terms.len() <= PAIRS {
            for (k, (m, _)) in terms.iter().enumerate() {
                candidates.extend(terms[..k].iter().map(|(n, _)| m.merged(n, shared)));
            }
        } else {
            let factors = terms.iter().flat_map(|(m, _)| m.factors());
            candidates.extend(factors.map(|&(atom, k)| Monomial::of(atom, k.signum())));
        }
        candidates.retain(|candidate| !candidate.is_one());
        candidates.sort_unstable();
        candidates.dedup();
        self.budget.spend(candidates.len() * terms.len()).ok()?;
        let lines: Vec<Line> = terms.iter().map(|(m, c)| Line::new(m, c, &mut self.costs, &self.graph.store)).collect();
        let saved = |candidate: &Monomial| {
            let members: Vec<&Line> = lines.iter().filter(|line| line.has(candidate)).collect();
            if members.len() < 2 {
                return 0;
            }
            let number = members.iter().fold(Rational::ZERO, |gcd, line| gcd.gcd(line.number));
            let inverse = number.recip().unwrap_or(Rational::ONE);
            let mut before = 0u64;
            let mut inner = 0u64;
            for line in &members {
                before = before.saturating_add(line.length + NEXT_TERM);
                inner = inner.saturating_add(line.length_without(candidate, &(line.number * &inverse)) + NEXT_TERM);
            }
            let outer = members[0].length_of(candidate) + of_number(&number);
            let after = outer.saturating_add(bracket(inner - NEXT_TERM)) + NEXT_TERM;
            before.saturating_sub(after)
        };
        let mut best = None;
        let mut most = 0;
        for candidate in candidates {
            let saving = saved(&candidate);
            if saving > most {
                (best, most) = (Some(candidate), saving);
            }
        }
        best
    }

    /// Factors that are sums: those free of one of the variables, and repeated ones.
    fn factored(&mut self, p: &Sparse, depth: u32) -> Option<Id> {
        if p.len() > FACTORED || p.terms().iter().any(|(m, _)| m.factors().iter().any(|factor| factor.1 < 0)) {
            return None;
        }
        for x in p.atoms() {
            let content = self.with_allowance(DIVISOR, |budget| gcd::content(p, x, budget))?;
            let factor = match content.len() {
                1 if gcd::degree(p, x) >= 2 => {
                    self.with_allowance(DIVISOR, |budget| gcd::gcd(p, &slope(p, x), budget))?
                }
                _ => content,
            };
            if factor.len() < 2 {
                continue;
            }
            let rest = p.divided_by(&factor, &mut self.budget)?;
            let parts = [self.grouped_at(&factor, depth + 1)?, self.grouped_at(&rest, depth + 1)?];
            return Some(self.graph.product(&parts));
        }
        None
    }
}

/// A term with the lengths of its factors.
struct Line<'a> {
    factors: Vec<(Id, i32, u64)>,
    number: &'a Rational,
    length: u64,
}

impl<'a> Line<'a> {
    fn new(m: &Monomial, number: &'a Rational, costs: &mut Costs, store: &Store) -> Line<'a> {
        let factors: Vec<_> = m.factors().iter().map(|&(atom, k)| (atom, k, costs.of_factor(store, atom))).collect();
        let own =
            factors.iter().fold(of_number(number), |total, &(_, k, cost)| total.saturating_add(of_power(cost, k)));
        Line { factors, number, length: own }
    }

    fn has(&self, candidate: &Monomial) -> bool {
        candidate.factors().iter().all(|&(atom, k)| {
            let own = self.factors.binary_search_by_key(&atom, |factor| factor.0);
            own.is_ok_and(|place| shared(k, self.factors[place].1) == k)
        })
    }

    fn length_of(&self, candidate: &Monomial) -> u64 {
        let own = self.factors.iter().map(|&(atom, _, cost)| match candidate.exponent(atom) {
            0 => 0,
            k => of_power(cost, k),
        });
        own.fold(0, u64::saturating_add)
    }

    fn length_without(&self, candidate: &Monomial, number: &Rational) -> u64 {
        let left = self.factors.iter().map(|&(atom, k, cost)| match k - candidate.exponent(atom) {
            0 => 0,
            k => of_power(cost, k),
        });
        left.fold(of_number(number), u64::saturating_add)
    }
}

/// ∂p/∂x.
fn slope(p: &Sparse, x: Id) -> Sparse {
    let terms = p.terms().iter().map(|(m, c)| {
        let k = m.exponent(x);
        (if k == 0 { m.clone() } else { m.times(&Monomial::of(x, -1)) }, c * &Rational::from(i64::from(k)))
    });
    Sparse::new(terms.collect())
}

/// The exponent that two terms share.
fn shared(a: i32, b: i32) -> i32 {
    match a.signum() * b.signum() {
        1 if a > 0 => a.min(b),
        1 => a.max(b),
        _ => 0,
    }
}

fn divides(factor: &Monomial, m: &Monomial) -> bool {
    factor.factors().iter().all(|&(atom, k)| shared(k, m.exponent(atom)) == k)
}

/// The number that makes the coefficients coprime integers; negative if they all are.
fn positive_content(p: &Sparse) -> Rational {
    let content = p.content().abs();
    if p.terms().iter().all(|(_, c)| c.is_negative()) { -content } else { content }
}

//! An expression multiplied out: a sum of numbers times products of atoms.
//!
//! ```text
//! polynomial   Σ c·m      c a rational number, monomials m in descending order, no zero
//! monomial     Π aᵏ       atoms a in the order of their handles, k an integer, never zero
//! atom         a symbol, a function, a root u^(1/q) with 0 < k < q, a sum with k < 0
//! ```
//!
//! Exponents may be negative. A root to the q-th power goes over into its radicand.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::few::Few;
use crate::graph::{Graph, Id, Op, Store};
use crate::number::Rational;

/// Larger exponents are not taken apart.
const LARGEST: i64 = 1 << 20;

/// A limit on terms or on steps was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Exceeded;

/// How much may still be done: terms that one polynomial may have, products of terms in all.
pub(crate) struct Budget {
    pub terms: usize,
    pub steps: u64,
}

impl Budget {
    /// What does not fit ends the work: nothing is left for later.
    pub fn spend(&mut self, steps: usize) -> Result<(), Exceeded> {
        let left = self.steps.checked_sub(steps as u64);
        self.steps = left.unwrap_or(0);
        left.map(|_| ()).ok_or(Exceeded)
    }

    fn admit(&self, terms: usize) -> Result<(), Exceeded> {
        if terms > self.terms { Err(Exceeded) } else { Ok(()) }
    }
}

/// A product of atoms to integer powers.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Monomial(Few);

impl Monomial {
    pub fn one() -> Monomial {
        Monomial(Few::new())
    }

    pub fn of(atom: Id, exponent: i32) -> Monomial {
        let mut own = Few::new();
        if exponent != 0 {
            own.push((atom, exponent));
        }
        Monomial(own)
    }

    pub fn factors(&self) -> &[(Id, i32)] {
        &self.0
    }

    pub fn is_one(&self) -> bool {
        self.0.is_empty()
    }

    pub fn exponent(&self, atom: Id) -> i32 {
        self.0.binary_search_by_key(&atom, |factor| factor.0).map_or(0, |place| self.0[place].1)
    }

    pub fn times(&self, other: &Monomial) -> Monomial {
        self.merged(other, |a, b| a + b)
    }

    pub fn over(&self, other: &Monomial) -> Monomial {
        self.merged(other, |a, b| a - b)
    }

    /// The exponents of both, put together one by one; an atom that is missing has exponent 0.
    pub fn merged(&self, other: &Monomial, combine: impl Fn(i32, i32) -> i32) -> Monomial {
        let mut list = Few::new();
        let (mut left, mut right) = (&*self.0, &*other.0);
        loop {
            let (atom, a, b) = match (left, right) {
                ([], []) => break,
                ([(x, a), ..], [(y, b), ..]) if x == y => (*x, *a, *b),
                ([(x, a), ..], [(y, _), ..]) if x < y => (*x, *a, 0),
                ([(x, a), ..], []) => (*x, *a, 0),
                (_, [(y, b), ..]) => (*y, 0, *b),
            };
            let advance = |list: &mut &[(Id, i32)]| {
                if list.first().is_some_and(|factor| factor.0 == atom) {
                    *list = &list[1..];
                }
            };
            advance(&mut left);
            advance(&mut right);
            let exponent = combine(a, b);
            if exponent != 0 {
                list.push((atom, exponent));
            }
        }
        Monomial(list)
    }

    pub fn power(&self, n: i32) -> Monomial {
        Monomial(self.0.iter().map(|&(atom, k)| (atom, k * n)).filter(|factor| factor.1 != 0).collect())
    }

    pub fn without(&self, atom: Id) -> Monomial {
        self.filtered(|id| id != atom)
    }

    pub fn filtered(&self, keep: impl Fn(Id) -> bool) -> Monomial {
        Monomial(self.0.iter().copied().filter(|&(atom, _)| keep(atom)).collect())
    }

    fn largest(&self) -> i64 {
        self.0.iter().map(|factor| i64::from(factor.1).abs()).max().unwrap_or(0)
    }

    /// As a node.
    pub fn build(&self, graph: &mut Graph) -> Option<Id> {
        let mut factors = Vec::with_capacity(self.0.len());
        for &(atom, k) in self.0.iter() {
            factors.push(graph.power(atom, &Rational::from(i64::from(k))).ok()?);
        }
        Some(graph.product(&factors))
    }
}

/// Lexicographic in the exponents, atoms with small handles first: an order that products keep.
impl Ord for Monomial {
    fn cmp(&self, other: &Monomial) -> Ordering {
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (None, None) => return Ordering::Equal,
                (Some(&&(x, a)), Some(&&(y, b))) if x == y => a.cmp(&b),
                (Some(&&(x, a)), Some(&&(y, _))) if x < y => a.cmp(&0),
                (Some(&&(_, a)), None) => a.cmp(&0),
                (_, Some(&&(_, b))) => 0.cmp(&b),
            };
            if order != Ordering::Equal {
                return order;
            }
            left.next();
            right.next();
        }
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Monomial) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A polynomial in atoms.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Sparse {
    terms: Vec<(Monomial, Rational)>,
}

impl Sparse {
    pub fn zero() -> Sparse {
        Sparse::default()
    }

    pub fn number(value: Rational) -> Sparse {
        Sparse::term(Monomial::one(), value)
    }

    pub fn term(monomial: Monomial, coefficient: Rational) -> Sparse {
        Sparse { terms: if coefficient.is_zero() { Vec::new() } else { vec![(monomial, coefficient)] } }
    }

    /// Orders the terms and merges like ones.
    pub fn new(mut terms: Vec<(Monomial, Rational)>) -> Sparse {
        terms.sort_unstable_by(|a, b| b.0.cmp(&a.0));
        let mut merged: Vec<(Monomial, Rational)> = Vec::with_capacity(terms.len());
        for (monomial, coefficient) in terms {
            match merged.last_mut() {
                Some(last) if last.0 == monomial => last.1 = &last.1 + &coefficient,
                _ => {
                    if merged.last().is_some_and(|last| last.1.is_zero()) {
                        merged.pop();
                    }
                    merged.push((monomial, coefficient));
                }
            }
        }
        if merged.last().is_some_and(|last| last.1.is_zero()) {
            merged.pop();
        }
        Sparse { terms: merged }
    }

    pub fn terms(&self) -> &[(Monomial, Rational)] {
        &self.terms
    }

    pub fn into_terms(self) -> Vec<(Monomial, Rational)> {
        self.terms
    }

    pub fn len(&self) -> usize {
        self.terms.len()
    }

    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The one term, if there is no other.
    pub fn single(&self) -> Option<&(Monomial, Rational)> {
        match &*self.terms {
            [term] => Some(term),
            _ => None,
        }
    }

    pub fn as_number(&self) -> Option<Rational> {
        match &*self.terms {
            [] => Some(Rational::ZERO),
            [(monomial, c)] if monomial.is_one() => Some(c.clone()),
            _ => None,
        }
    }

    pub fn plus(&self, other: &Sparse) -> Sparse {
        Sparse::new(self.terms.iter().chain(&other.terms).cloned().collect())
    }

    pub fn minus(&self, other: &Sparse) -> Sparse {
        let negated = other.terms.iter().map(|(m, c)| (m.clone(), -c));
        Sparse::new(self.terms.iter().cloned().chain(negated).collect())
    }

    /// Times one term; the order of the others is kept.
    pub fn times_term(&self, monomial: &Monomial, c: &Rational) -> Sparse {
        if c.is_zero() {
            return Sparse::zero();
        }
        Sparse { terms: self.terms.iter().map(|(m, d)| (m.times(monomial), c * d)).collect() }
    }

    pub fn times(&self, other: &Sparse, store: &Store, budget: &mut Budget) -> Result<Sparse, Exceeded> {
        let pairs = self.len() * other.len();
        budget.spend(pairs + 1)?;
        if self.largest() + other.largest() > LARGEST {
            return Err(Exceeded);
        }
        let mut terms = Vec::with_capacity(pairs);
        for (m, c) in &self.terms {
            terms.extend(other.terms.iter().map(|(n, d)| carried(store, m.times(n), c * d)));
        }
        let product = Sparse::new(terms);
        budget.admit(product.len())?;
        Ok(product)
    }

    pub fn power(&self, n: u32, store: &Store, budget: &mut Budget) -> Result<Sparse, Exceeded> {
        if self.len() > 1 && n as usize >= budget.terms || self.largest() * i64::from(n) > LARGEST {
            return Err(Exceeded);
        }
        if let Some((m, c)) = self.single() {
            let c = c.pow(i64::from(n)).map_err(|_| Exceeded)?;
            let (m, c) = carried(store, m.power(n as i32), c);
            return Ok(Sparse::term(m, c));
        }
        let mut product = Sparse::number(Rational::ONE);
        for _ in 0..n {
            product = product.times(self, store, budget)?;
        }
        Ok(product)
    }

    /// The quotient, if the division leaves no rest. Both are free of negative exponents.
    pub fn divided_by(&self, divisor: &Sparse, budget: &mut Budget) -> Option<Sparse> {
        let (lead, c) = divisor.terms.first()?;
        let inverse = c.recip()?;
        let ratio = |m: &Monomial, n: &Monomial| {
            let ratio = m.over(n);
            ratio.factors().iter().all(|factor| factor.1 > 0).then_some(ratio)
        };
        // the last terms divide as the first do
        if let Some(last) = self.terms.last() {
            ratio(&last.0, &divisor.terms.last()?.0)?;
        }
        budget.spend(self.len()).ok()?;
        let mut rest: BTreeMap<Monomial, Rational> = self.terms.iter().cloned().collect();
        let mut quotient = Vec::new();
        while let Some((m, d)) = rest.pop_last() {
            if d.is_zero() {
                continue;
            }
            let ratio = ratio(&m, lead)?;
            let d = &d * &inverse;
            budget.spend(divisor.len()).ok()?;
            for (n, e) in &divisor.terms[1..] {
                let entry = rest.entry(n.times(&ratio)).or_insert(Rational::ZERO);
                *entry = &*entry - &(&d * e);
            }
            quotient.push((ratio, d));
        }
        Some(Sparse { terms: quotient })
    }

    /// The atoms, in the order of their handles.
    pub fn atoms(&self) -> Vec<Id> {
        let mut atoms: Vec<Id> = self.terms.iter().flat_map(|(m, _)| m.0.iter().map(|factor| factor.0)).collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// The largest monomial, negative exponents included, that divides every term.
    pub fn common_monomial(&self) -> Monomial {
        let mut terms = self.terms.iter().map(|term| &term.0);
        let first = terms.next().cloned().unwrap_or_default();
        terms.fold(first, |common, m| common.merged(m, i32::min))
    }

    /// The number that makes the coefficients coprime integers, with the sign of the first.
    pub fn content(&self) -> Rational {
        let content = self.terms.iter().fold(Rational::ZERO, |gcd, term| gcd.gcd(&term.1));
        if self.terms.first().is_some_and(|term| term.1.is_negative()) { -content } else { content }
    }

    fn largest(&self) -> i64 {
        self.terms.iter().map(|term| term.0.largest()).max().unwrap_or(0)
    }

    /// A sum that a root has gone over into, and that is not multiplied out yet.
    fn open_sum(&self, store: &Store) -> Option<Id> {
        let factors = self.terms.iter().flat_map(|term| term.0.factors());
        factors.copied().find(|&(atom, k)| k > 0 && store.op(atom) == Op::Sum).map(|factor| factor.0)
    }

    /// A polynomial in the place of an atom where that has a positive exponent.
    pub fn replaced(&self, atom: Id, by: &Sparse, store: &Store, budget: &mut Budget) -> Result<Sparse, Exceeded> {
        let mut powers = vec![Sparse::number(Rational::ONE)];
        let mut terms = Vec::new();
        for (m, c) in &self.terms {
            let k = m.exponent(atom);
            if k <= 0 {
                terms.push((m.clone(), c.clone()));
                continue;
            }
            while powers.len() <= k as usize {
                let next = powers[powers.len() - 1].times(by, store, budget)?;
                powers.push(next);
            }
            let rest = Sparse::term(m.without(atom), c.clone());
            terms.extend(powers[k as usize].times(&rest, store, budget)?.terms);
        }
        let result = Sparse::new(terms);
        budget.admit(result.len())?;
        Ok(result)
    }

    /// As a node: one flat sum.
    pub fn build(&self, graph: &mut Graph) -> Option<Id> {
        let mut terms = Vec::with_capacity(self.len());
        for (m, c) in &self.terms {
            let monomial = m.build(graph)?;
            terms.push(graph.scale(c, monomial));
        }
        Some(graph.sum(&terms))
    }
}

/// The radicand and the order of a root that is an atom.
pub(crate) fn root_of(store: &Store, atom: Id) -> Option<(Id, i32)> {
    match store.op(atom) {
        Op::Power => {
            let (base, exponent) = store.factor(atom);
            exponent.to_small().filter(|&(n, q)| n == 1 && q > 1).map(|(_, q)| (base, q as i32))
        }
        Op::Cbrt => Some((store.child(atom), 3)),
        _ => None,
    }
}

/// Moves whole powers of roots over to their radicands: sqrt(x)³ is x·sqrt(x).
fn carried(store: &Store, mut monomial: Monomial, mut c: Rational) -> (Monomial, Rational) {
    let full = |&(atom, k): &(Id, i32)| {
        let (base, q) = root_of(store, atom)?;
        let whole = k.div_euclid(q);
        (whole != 0).then_some((atom, base, q, whole))
    };
    while let Some((atom, base, q, whole)) = monomial.0.iter().find_map(full) {
        monomial = monomial.times(&Monomial::of(atom, -whole * q));
        match store.number(base).and_then(|number| number.pow(i64::from(whole)).ok()) {
            Some(number) => c = &c * &number,
            None => monomial = monomial.times(&of_node(store, base).power(whole)),
        }
    }
    (monomial, c)
}

/// A node that is no sum, product or number, as a monomial.
fn of_node(store: &Store, id: Id) -> Monomial {
    if store.op(id) != Op::Power {
        return Monomial::of(id, 1);
    }
    let (base, exponent) = store.factor(id);
    match exponent.to_i64().filter(|k| k.abs() <= LARGEST) {
        Some(k) => Monomial::of(base, k as i32),
        None => Monomial::of(id, 1),
    }
}

/// Multiplies an expression out. Every node that takes part is multiplied out once.
pub(crate) fn expanded(graph: &mut Graph, root: Id, budget: &mut Budget) -> Result<Sparse, Exceeded> {
    let mut known = FxHashMap::default();
    let mut result = evaluated(graph, root, &mut known, budget)?;
    while let Some(sum) = result.open_sum(&graph.store) {
        let inner = evaluated(graph, sum, &mut known, budget)?;
        result = result.replaced(sum, &inner, &graph.store, budget)?;
    }
    Ok(result)
}

/// One pass over the sums, products and powers at the top of an expression.
fn evaluated(
    graph: &mut Graph,
    root: Id,
    known: &mut FxHashMap<Id, Sparse>,
    budget: &mut Budget,
) -> Result<Sparse, Exceeded> {
    let top = arithmetic_part(&graph.store, root, |id| known.contains_key(&id));
    let single = Single::new(&graph.store, &top, [root]);
    for &id in &top {
        if single.is_gathered(id) {
            continue;
        }
        let value = match graph.store.op(id) {
            Op::Sum => {
                let mut terms = Vec::new();
                for (c, term) in single.gathered(&graph.store, id) {
                    terms.extend(known[&term].times_term(&Monomial::one(), &c).terms);
                }
                budget.spend(terms.len())?;
                let sum = Sparse::new(terms);
                budget.admit(sum.len())?;
                sum
            }
            Op::Scale | Op::Product => {
                let mut product = Sparse::number(Rational::ONE);
                for factor in graph.store.children(id) {
                    product = product.times(&known[factor], &graph.store, budget)?;
                }
                product
            }
            Op::Number => Sparse::number(graph.store.number(id).cloned().unwrap_or(Rational::ZERO)),
            Op::Power => power_evaluated(graph, id, known, budget)?,
            _ => Sparse::term(Monomial::of(id, 1), Rational::ONE),
        };
        known.insert(id, value);
    }
    Ok(known[&root].clone())
}

fn power_evaluated(
    graph: &mut Graph,
    id: Id,
    known: &FxHashMap<Id, Sparse>,
    budget: &mut Budget,
) -> Result<Sparse, Exceeded> {
    let (base, exponent) = graph.store.factor(id);
    let Some((n, q)) = exponent.to_small().filter(|&(n, q)| n.abs() <= LARGEST && q <= LARGEST) else {
        if graph.store.op(base) == Op::Sum && exponent.is_integer() && exponent.is_positive() {
            return Err(Exceeded);
        }
        return Ok(Sparse::term(Monomial::of(id, 1), Rational::ONE));
    };
    if q == 1 {
        return match known.get(&base) {
            Some(value) if n > 0 => value.power(n as u32, &graph.store, budget),
            _ => Ok(Sparse::term(Monomial::of(base, n as i32), Rational::ONE)),
        };
    }
    let Ok(root) = graph.power(base, &Rational::new(1, q).unwrap_or(Rational::ONE)) else { return Err(Exceeded) };
    if root_of(&graph.store, root).is_none() {
        return Ok(Sparse::term(Monomial::of(id, 1), Rational::ONE));
    }
    let (monomial, c) = carried(&graph.store, Monomial::of(root, n as i32), Rational::ONE);
    Ok(Sparse::term(monomial, c))
}

/// The sums, products and integer powers at the top of an expression with the atoms they are
/// made of, in topological order; what is known, and what lies below it, is left out.
pub(crate) fn arithmetic_part(store: &Store, root: Id, known: impl Fn(Id) -> bool) -> Vec<Id> {
    let mut seen = FxHashSet::default();
    let mut waiting = vec![root];
    while let Some(id) = waiting.pop() {
        if known(id) || !seen.insert(id) {
            continue;
        }
        match store.op(id) {
            Op::Sum | Op::Product | Op::Scale => waiting.extend(store.children(id)),
            Op::Power if store.factor(id).1.is_integer() && store.factor(id).1.is_positive() => {
                waiting.push(store.factor(id).0);
            }
            _ => {}
        }
    }
    let mut nodes: Vec<Id> = seen.into_iter().collect();
    nodes.sort_unstable();
    nodes
}

/// Sums that are used once, as a term of a sum: they are gathered into it in one go, so that a
/// long chain of binary sums takes linear time.
pub(crate) struct Single {
    gathered: FxHashSet<Id>,
}

impl Single {
    /// `nodes` in topological order; `roots` are used from outside.
    pub fn new(store: &Store, nodes: &[Id], roots: impl IntoIterator<Item = Id>) -> Single {
        let mut uses: FxHashMap<Id, u32> = FxHashMap::default();
        let mut inside = FxHashSet::default();
        for &id in nodes {
            store.children(id).iter().for_each(|&child| *uses.entry(child).or_default() += 1);
        }
        uses.extend(roots.into_iter().map(|root| (root, u32::MAX)));
        for &id in nodes.iter().rev() {
            let parts: &[Id] = match store.op(id) {
                Op::Sum => store.children(id),
                Op::Scale if inside.contains(&id) => &store.children(id)[1..],
                _ => &[],
            };
            let once = |part: &Id| uses.get(part) == Some(&1);
            let passes = |part: &Id| match store.op(*part) {
                Op::Sum => once(part),
                Op::Scale => {
                    once(part) && store.op(store.children(*part)[1]) == Op::Sum && once(&store.children(*part)[1])
                }
                _ => false,
            };
            inside.extend(parts.iter().copied().filter(passes));
        }
        Single { gathered: inside }
    }

    pub fn is_gathered(&self, id: Id) -> bool {
        self.gathered.contains(&id)
    }

    /// The terms of a sum, with those of the sums gathered into it.
    pub fn gathered(&self, store: &Store, sum: Id) -> Vec<(Rational, Id)> {
        let mut terms = Vec::new();
        let mut waiting = vec![(Rational::ONE, sum)];
        while let Some((c, id)) = waiting.pop() {
            match store.op(id) {
                Op::Sum if id == sum || self.is_gathered(id) => {
                    waiting.extend(store.children(id).iter().rev().map(|&term| (c.clone(), term)));
                }
                Op::Scale if self.is_gathered(id) => {
                    let (d, core) = store.term(id);
                    waiting.push((&c * d, core));
                }
                _ => terms.push((c, id)),
            }
        }
        terms
    }
}

//! How complicated can an expression be as a rational function? An honest bound.
//!
//! A value is P/Q: P a Laurent polynomial in the symbols, in one element z for each angle or
//! exponent, and in one variable for each function without an image; Q a product of named
//! factors (each inverted node, each prime of a denominator). A sum takes the least common
//! multiple of its denominators, so that a factor that all terms share is counted once. For P two numbers are carried:
//!
//! ```text
//! degree    the largest total degree of a monomial, |exponents| added up
//! height    log₂ of the sum of the sizes of its integer coefficients
//! ```
//!
//! The solutions of a linear system are bounded by Cramer's rule, from the system itself, and what stands on the way to them by
//! minors: with d_k the determinant of the first k rows and pivot columns, over the denominators w of its rows,
//!
//! ```text
//! entry of row k    d'_k / (d_{k−1} w_k)           the same rows, one column exchanged        (1)
//! pivot · solution  d_k d'_n / (d_{k−1} w_k d_n)                                              (2)
//! ```
//!
//! A root
//! of order k has the k-th part of its radicand's degree: the product over all branches, in which
//! it disappears, is the polynomial whose zeros are counted.

use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Graph, Id, Op, Store};
use crate::number::Rational;
use crate::scope::{Expr, with_graph};
use crate::solved::{Eliminated, Solved, Stage};

/// A bound for an expression's numerator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Degree {
    /// The total degree, each |exponent| counted.
    pub degree: u64,
    /// log₂ of the sum of the absolute values of its coefficients, rounded up.
    pub height: u64,
    /// In how many variables it may have negative exponents.
    pub laurent: u64,
    /// Its coefficients are integers of a field of at most this degree over the rationals: the
    /// field of the roots of unity that occur.
    pub coefficients: u64,
}

/// The degree of each expression, with angles split to 1/`fineness`.
pub fn degrees(outputs: &[Expr], fineness: u64) -> Vec<Degree> {
    let ids: Vec<Id> = outputs.iter().map(|e| e.id()).collect();
    with_graph(|graph| {
        let mut pass = Pass::new(graph, fineness);
        pass.run(&ids);
        ids.iter()
            .map(|&id| Degree { laurent: pass.laurent, coefficients: totient(pass.order), ..pass.known(id).degree() })
            .collect()
    })
}

/// A product of named factors, interned: equal products have equal numbers.
type Factors = u32;
/// No denominator.
const NONE: Factors = 0;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Name {
    Prime(u64),
    Node(Id),
    /// The cosine under a tangent.
    Cosine(Id),
    System(usize),
    /// The determinant of so many first rows of an elimination.
    Minor(usize, usize),
}

/// The rows of an elimination: degree and height of minors of the first k of them, and the denominator of each.
struct Minors {
    number: usize,
    sizes: Vec<(u64, u64)>,
    below: Vec<Factors>,
}

/// log₂ of the sum of the sizes of a polynomial's coefficients, in units of 2⁻¹⁶, rounded up.
type Norm = u64;
/// The binary digits of a [`Norm`] behind the point.
const POINT: u32 = 16;

/// log₂(1 + 2^(−k/16)) for k = 0, 1, …: what the smaller of two norms adds to the larger one.
struct Sums {
    table: Vec<Norm>,
}

/// The table is made once: short questions are asked often.
static SUMS: LazyLock<Sums> = LazyLock::new(|| {
    let unit = f64::from(1u32 << POINT);
    let entry = |k: i32| ((1.0 + (f64::from(-k) / 16.0).exp2()).log2() * unit).ceil() as Norm + 1;
    Sums { table: (0..16 * 17).map(entry).collect() }
});

impl Sums {
    #[inline]
    fn plus(&self, a: Norm, b: Norm) -> Norm {
        let gap = (a.abs_diff(b) >> (POINT - 4)) as usize;
        a.max(b).saturating_add(self.table.get(gap).copied().unwrap_or(2))
    }
}

fn whole(bits: u64) -> Norm {
    bits.saturating_mul(1 << POINT)
}

fn bits_of(norm: Norm) -> u64 {
    if norm == NO_BOUND { NO_BOUND } else { norm.div_ceil(1 << POINT) }
}

/// What is larger than can be told. It stays so, whatever is taken away from it: no bound may come out of none.
const NO_BOUND: u64 = u64::MAX;

/// A bound over a denominator, where `whole` is that of the common one and `own` that of its own.
fn lifted(above: u64, whole: u64, own: u64) -> u64 {
    if whole == NO_BOUND { NO_BOUND } else { above.saturating_add(whole.saturating_sub(own)) }
}

/// Numerator and denominator of a node.
#[derive(Clone, Copy)]
struct Size {
    degree: u64,
    norm: Norm,
    below: Factors,
}

/// The number one.
const UNIT: Size = Size { degree: 0, norm: 0, below: NONE };

impl Size {
    fn degree(self) -> Degree {
        Degree { degree: self.degree, height: bits_of(self.norm), ..Degree::default() }
    }
}

struct Pass<'a> {
    graph: &'a Graph,
    fineness: u64,
    sizes: FxHashMap<Id, Size>,
    /// Systems whose entries have been sized.
    entered: FxHashSet<*const Solved>,
    products: Vec<Rc<[(Name, u32)]>>,
    totals: Vec<(u64, u64)>,
    interned: FxHashMap<Rc<[(Name, u32)]>, Factors>,
    joined: FxHashMap<(Factors, Factors, bool), Factors>,
    factors: FxHashMap<Name, (u64, u64)>,
    systems: FxHashMap<*const Solved, usize>,
    eliminations: FxHashMap<*const Eliminated, Rc<Minors>>,
    sums: &'static Sums,
    /// The phases of arguments that have been looked at.
    phases: FxHashMap<Id, Size>,
    /// Monomials of arguments that have been counted.
    counted: FxHashSet<Id>,
    laurent: u64,
    order: u64,
}

fn norm_of(number: &Rational) -> Norm {
    let numerator = number.numerator().abs();
    match numerator.to_i64() {
        Some(n) => whole(bits(n.unsigned_abs().saturating_sub(1))),
        None => whole(numerator.bits()),
    }
}

fn bits(n: u64) -> u64 {
    u64::from(64 - n.leading_zeros())
}

impl<'a> Pass<'a> {
    fn new(graph: &'a Graph, fineness: u64) -> Pass<'a> {
        let empty: Rc<[(Name, u32)]> = Rc::from([]);
        Pass {
            graph,
            fineness,
            sizes: FxHashMap::default(),
            entered: FxHashSet::default(),
            products: vec![Rc::clone(&empty)],
            totals: vec![(0, 0)],
            interned: FxHashMap::from_iter([(empty, NONE)]),
            joined: FxHashMap::default(),
            factors: FxHashMap::default(),
            systems: FxHashMap::default(),
            eliminations: FxHashMap::default(),
            sums: &SUMS,
            phases: FxHashMap::default(),
            counted: FxHashSet::default(),
            laurent: 0,
            order: 4,
        }
    }

    fn store(&self) -> &'a Store {
        &self.graph.store
    }

    fn known(&self, id: Id) -> Size {
        self.sizes.get(&id).copied().unwrap_or(UNIT)
    }

    /// Sizes all that lies below; without a look at the rest of the graph, for short questions are asked often.
    fn run(&mut self, roots: &[Id]) {
        let is_leaf = |id: Id| self.sizes.contains_key(&id) || self.system(id).is_some() || self.stage(id).is_some();
        for id in self.store().reachable_until(roots, is_leaf) {
            if self.sizes.contains_key(&id) {
                continue;
            }
            if let Some(system) = self.system(id)
                && self.entered.insert(Arc::as_ptr(system))
            {
                let entries: Vec<Id> = self.graph.solved.entries(system).collect();
                self.run(&entries);
            } else if let Some((eliminated, _)) = self.stage(id)
                && !self.eliminations.contains_key(&Arc::as_ptr(eliminated))
            {
                let entries: Vec<Id> = eliminated.rows.iter().flatten().map(|e| e.id_unchecked()).collect();
                self.run(&entries);
                let minors = self.minors(eliminated);
                self.eliminations.insert(Arc::as_ptr(eliminated), Rc::new(minors));
            }
            let size = self.size(id);
            self.sizes.insert(id, size);
        }
    }

    #[inline]
    fn system(&self, id: Id) -> Option<&'a Arc<Solved>> {
        if self.graph.solved.is_empty() { None } else { self.graph.solved.system(id) }
    }

    #[inline]
    fn stage(&self, id: Id) -> Option<&'a (Arc<Eliminated>, Stage)> {
        if self.graph.solved.is_empty() { None } else { self.graph.solved.stage(id) }
    }

    #[inline]
    fn size(&mut self, id: Id) -> Size {
        if let Some(system) = self.system(id) {
            return self.by_cramer(&Arc::clone(system));
        }
        if let Some((eliminated, stage)) = self.stage(id) {
            let minors = Rc::clone(&self.eliminations[&Arc::as_ptr(eliminated)]);
            return self.by_minors(&minors, *stage);
        }
        let children = self.store().children(id);
        match self.store().op(id) {
            Op::Number => self.number(id),
            Op::Symbol | Op::Pi => variable(),
            Op::Sum => self.sum(children),
            Op::Scale | Op::Product => {
                children.iter().fold(UNIT, |product, &child| self.times(product, self.known(child)))
            }
            Op::Power => self.power(id),
            _ => self.function(id),
        }
    }

    fn number(&mut self, id: Id) -> Size {
        let Some(number) = self.store().number(id) else { return UNIT };
        let below = number.denominator();
        let norm = norm_of(number);
        if below.is_one() {
            return Size { degree: 0, norm, below: NONE };
        }
        let primes = below
            .factor_small()
            .map(|list| list.into_iter().map(|(p, times)| (Name::Prime(p), times as u32)).collect());
        let product: Vec<(Name, u32)> = primes.unwrap_or_else(|| vec![(Name::Node(id), 1)]);
        for &(name, _) in &product {
            let height = if let Name::Prime(p) = name { bits(p) } else { below.bits() };
            self.factors.entry(name).or_insert((0, height));
        }
        Size { degree: 0, norm, below: self.intern(product) }
    }

    #[inline]
    fn sum(&mut self, terms: &[Id]) -> Size {
        let first = self.known(terms[0]);
        let mut size = first;
        if terms.iter().all(|&term| self.known(term).below == NONE) {
            for &term in &terms[1..] {
                let own = self.known(term);
                size.degree = size.degree.max(own.degree);
                size.norm = self.sums.plus(size.norm, own.norm);
            }
            return size;
        }
        let below = terms.iter().fold(NONE, |lcm, &term| self.join(lcm, self.known(term).below, false));
        let (degree_below, height_below) = self.totals[below as usize];
        let over = |own: Size| {
            let (d, h) = self.totals[own.below as usize];
            let height = if height_below == NO_BOUND { NO_BOUND } else { height_below.saturating_sub(h) };
            let norm = own.norm.saturating_add(whole(height));
            Size { degree: lifted(own.degree, degree_below, d), norm, below }
        };
        size = over(first);
        for &term in &terms[1..] {
            let own = over(self.known(term));
            size.degree = size.degree.max(own.degree);
            size.norm = self.sums.plus(size.norm, own.norm);
        }
        size
    }

    #[inline]
    fn times(&mut self, a: Size, b: Size) -> Size {
        let below = if b.below == NONE { a.below } else { self.join(a.below, b.below, true) };
        Size { degree: a.degree.saturating_add(b.degree), norm: a.norm.saturating_add(b.norm), below }
    }

    fn power(&mut self, id: Id) -> Size {
        let (base, exponent) = self.store().factor(id);
        let own = self.known(base);
        let (n, d) = exponent.to_small().unwrap_or((i64::MAX, 1));
        if let Some(prime) = self.store().number(base).and_then(Rational::to_i64) {
            // A square root of a prime q lives among the roots of unity of order 4q.
            self.widen(prime.unsigned_abs().saturating_mul(4));
        }
        let root = if d == 1 { own } else { self.root(own, d as u64) };
        let times = n.unsigned_abs();
        if n > 0 {
            return self.raised(root, times);
        }
        let (degree, height) = self.totals[root.below as usize];
        let above = Size { degree, norm: whole(height), below: NONE };
        let name = Name::Node(if d == 1 { base } else { id });
        self.factors.entry(name).or_insert((root.degree, bits_of(root.norm)));
        let inverse = Size { below: self.intern(vec![(name, 1)]), ..above };
        self.raised(inverse, times)
    }

    fn raised(&mut self, size: Size, n: u64) -> Size {
        let times = u32::try_from(n).unwrap_or(u32::MAX);
        let norm = size.norm.saturating_mul(n);
        let product: Vec<_> =
            self.products[size.below as usize].iter().map(|&(name, k)| (name, k.saturating_mul(times))).collect();
        Size { degree: size.degree.saturating_mul(n), norm, below: self.intern(product) }
    }

    /// (P/Q)^(1/d) = (P Q^(d−1))^(1/d) / Q.
    fn root(&self, own: Size, d: u64) -> Size {
        let (degree, height) = self.totals[own.below as usize];
        let part = |above: u64, below: u64| match above.saturating_add(below.saturating_mul(d - 1)) {
            NO_BOUND => NO_BOUND,
            all => all.div_ceil(d),
        };
        Size { degree: part(own.degree, degree), norm: part(own.norm, whole(height)), below: own.below }
    }

    fn function(&mut self, id: Id) -> Size {
        let children = self.store().children(id);
        let first = self.known(children[0]);
        match self.store().op(id) {
            Op::Sin | Op::Cos | Op::Sinh | Op::Cosh | Op::Exp => self.phase(children[0]),
            Op::Tan | Op::Tanh => {
                let phase = self.phase(children[0]);
                let name = Name::Cosine(id);
                let degree = phase.degree.saturating_mul(2);
                self.factors.entry(name).or_insert((degree, bits_of(phase.norm)));
                Size { degree, below: self.intern(vec![(name, 1)]), ..phase }
            }
            Op::Abs => first,
            Op::Cbrt => self.root(first, 3),
            // |u|/u
            Op::Sign => {
                let name = Name::Node(children[0]);
                self.factors.entry(name).or_insert((first.degree, bits_of(first.norm)));
                Size { below: self.intern(vec![(name, 1)]), ..first }
            }
            Op::Min | Op::Max => {
                let sum = self.sum(children);
                let two = self.sum(&[children[0], children[0]]);
                Size { norm: self.sums.plus(sum.norm, two.norm), ..sum }
            }
            Op::IfNegative => self.sum(&children[1..]),
            _ => variable(),
        }
    }

    /// w = Π z^(cD): the coefficients of the angle's monomials, added up.
    fn phase(&mut self, argument: Id) -> Size {
        if let Some(&known) = self.phases.get(&argument) {
            return known;
        }
        let weight = self.plain_weight(argument).unwrap_or_else(|| self.weight(argument));
        let weight = &weight * &Rational::from(self.fineness as i64);
        let degree = (-&(-&weight).floor()).to_i64().map_or(u64::MAX, |n| n.unsigned_abs());
        let size = Size { degree, norm: whole(1), below: NONE };
        self.phases.insert(argument, size);
        size
    }

    /// The weight of a symbol, or of a sum of symbols with coefficients ±1: most angles are.
    fn plain_weight(&mut self, argument: Id) -> Option<Rational> {
        let store = self.store();
        let terms =
            if store.op(argument) == Op::Sum { store.children(argument) } else { std::slice::from_ref(&argument) };
        for &term in terms {
            let (coefficient, core) = store.term(term);
            if store.op(core) != Op::Symbol || !matches!(coefficient.to_small(), Some((1 | -1, 1))) {
                return None;
            }
            if self.counted.insert(core) {
                self.laurent += 1;
            }
        }
        Some(Rational::from(terms.len() as i64))
    }

    fn widen(&mut self, order: u64) {
        let gcd = |mut a: u64, mut b: u64| {
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        };
        self.order = (self.order / gcd(self.order, order)).saturating_mul(order);
    }

    /// A bound for Σ|c| over the monomials of an argument, each weighted with the degree that its
    /// own image has. The monomials are noted: each brings a variable with negative exponents.
    fn weight(&mut self, argument: Id) -> Rational {
        let store = self.store();
        let mut total = Rational::ZERO;
        let mut waiting = vec![(Rational::ONE, argument)];
        while let Some((c, id)) = waiting.pop() {
            match store.op(id) {
                Op::Sum => waiting.extend(store.children(id).iter().map(|&term| {
                    let (factor, core) = store.term(term);
                    (&c * &factor.abs(), core)
                })),
                Op::Scale => {
                    let (factor, core) = store.term(id);
                    waiting.push((&c * &factor.abs(), core));
                }
                _ => {
                    let (weight, count) = self.monomial_weight(id, 3);
                    total = &total + &(&c * &weight);
                    if self.counted.insert(id) {
                        self.laurent += count;
                    }
                }
            }
        }
        total
    }

    fn monomial_weight(&self, id: Id, depth: u32) -> (Rational, u64) {
        let store = self.store();
        let one = (Rational::ONE, 1);
        let inner = |id: Id| match store.op(id) {
            _ if depth == 0 => one.clone(),
            Op::Sum => {
                let parts = store.children(id).iter().map(|&term| {
                    let (c, core) = store.term(term);
                    let (weight, count) = self.monomial_weight(core, depth - 1);
                    (&c.abs() * &weight, count)
                });
                parts.fold((Rational::ZERO, 0), |(w, n), (weight, count)| (&w + &weight, n + count))
            }
            _ => self.monomial_weight(id, depth - 1),
        };
        match store.op(id) {
            Op::Product => store.children(id).iter().map(|&factor| inner(factor)).fold(one.clone(), multiply),
            Op::Power => {
                let (base, exponent) = store.factor(id);
                let times = exponent.to_i64().filter(|n| (2..=4).contains(n) && store.op(base) == Op::Sum);
                times.map_or(one.clone(), |n| (0..n).map(|_| inner(base)).fold(one.clone(), multiply))
            }
            Op::Asin | Op::Acos | Op::Atan | Op::Atan2 | Op::Log => {
                let of = |id: Id| {
                    let own = self.known(id);
                    own.degree.saturating_add(self.totals[own.below as usize].0)
                };
                let degree =
                    store.children(id).iter().fold(1u64, |sum, &child| sum.saturating_add(of(child).saturating_mul(2)));
                (Rational::from(i64::try_from(degree).unwrap_or(i64::MAX)), 1)
            }
            _ => one,
        }
    }

    /// Cramer's rule: numerators and the common denominator are determinants, and a determinant's
    /// degree is at most the sum of its rows' degrees.
    fn by_cramer(&mut self, system: &Arc<Solved>) -> Size {
        let mut above = (0u64, 0u64);
        let mut below = (0u64, 0u64);
        for (row, &right) in system.matrix.iter().zip(&system.right) {
            let row: Vec<Id> = row.iter().map(|e| e.id_unchecked()).collect();
            let with_right: Vec<Id> = row.iter().copied().chain([right.id_unchecked()]).collect();
            let wide = self.sum(&with_right);
            above = (above.0.saturating_add(wide.degree), above.1.saturating_add(bits_of(wide.norm)));
            let narrow = self.sum(&row);
            let (all, own) = (self.totals[wide.below as usize].0, self.totals[narrow.below as usize].0);
            below =
                (below.0.saturating_add(lifted(narrow.degree, all, own)), below.1.saturating_add(bits_of(wide.norm)));
        }
        let number = self.systems.len();
        let number = *self.systems.entry(Arc::as_ptr(system)).or_insert(number);
        let name = Name::System(number);
        self.factors.entry(name).or_insert(below);
        Size { degree: above.0, norm: whole(above.1), below: self.intern(vec![(name, 1)]) }
    }

    /// Degrees and heights of minors of the first rows.
    fn minors(&mut self, eliminated: &Eliminated) -> Minors {
        let (mut all, mut sizes, mut below) = ((0u64, 0u64), vec![(0, 0)], Vec::new());
        for row in &eliminated.rows {
            let row: Vec<Id> = row.iter().map(|e| e.id_unchecked()).collect();
            let wide = self.sum(&row);
            all = (all.0.saturating_add(wide.degree), all.1.saturating_add(bits_of(wide.norm)));
            sizes.push(all);
            below.push(wide.below);
        }
        Minors { number: self.eliminations.len(), sizes, below }
    }

    /// (1) and (2).
    fn by_minors(&mut self, minors: &Minors, stage: Stage) -> Size {
        let (Stage::Entry(k) | Stage::Side(k)) = stage;
        let (mut above, mut named) = (minors.sizes[k + 1], vec![k]);
        if let Stage::Side(_) = stage {
            let n = minors.below.len();
            let (degree, height) = minors.sizes[n];
            above = (above.0.saturating_add(degree), above.1.saturating_add(height));
            named.push(n);
        }
        // the determinant of no rows is one
        named.retain(|&count| count > 0);
        let product = named.iter().map(|&count| (Name::Minor(minors.number, count), 1)).collect();
        for &count in &named {
            self.factors.entry(Name::Minor(minors.number, count)).or_insert(minors.sizes[count]);
        }
        let product = self.intern(product);
        let below = self.join(product, minors.below[k], true);
        Size { degree: above.0, norm: whole(above.1), below }
    }

    // ---- products of named factors

    fn intern(&mut self, product: Vec<(Name, u32)>) -> Factors {
        let product: Rc<[(Name, u32)]> = Rc::from(product);
        if let Some(&known) = self.interned.get(&product) {
            return known;
        }
        let total = product.iter().fold((0u64, 0u64), |(degree, height), (name, times)| {
            let (d, h) = self.factors[name];
            let times = u64::from(*times);
            (degree.saturating_add(d.saturating_mul(times)), height.saturating_add(h.saturating_mul(times)))
        });
        let number = self.products.len() as Factors;
        self.products.push(Rc::clone(&product));
        self.totals.push(total);
        self.interned.insert(product, number);
        number
    }

    /// The product (`add`) or the least common multiple of two products.
    fn join(&mut self, a: Factors, b: Factors, add: bool) -> Factors {
        if a == NONE || (a == b && !add) {
            return b;
        }
        if b == NONE {
            return a;
        }
        let key = (a.min(b), a.max(b), add);
        if let Some(&known) = self.joined.get(&key) {
            return known;
        }
        let merged = merged(&self.products[a as usize], &self.products[b as usize], add);
        let joined = self.intern(merged);
        self.joined.insert(key, joined);
        joined
    }
}

/// Two products in order of their names as one: exponents are added, or the larger one is taken.
fn merged(a: &[(Name, u32)], b: &[(Name, u32)], add: bool) -> Vec<(Name, u32)> {
    let mut merged = Vec::with_capacity(a.len() + b.len());
    let mut others = b.iter().copied().peekable();
    for &(name, times) in a {
        while let Some(other) = others.next_if(|other| other.0 < name) {
            merged.push(other);
        }
        let other = others.next_if(|other| other.0 == name).map_or(0, |other| other.1);
        merged.push((name, if add { times.saturating_add(other) } else { times.max(other) }));
    }
    merged.extend(others);
    merged
}

/// Euler's φ: the degree of the field of the n-th roots of unity; n itself where that is large.
fn totient(n: u64) -> u64 {
    let factors = i64::try_from(n).ok().and_then(|n| Rational::from(n).factor_small());
    factors.map_or(n, |factors| factors.iter().fold(n, |phi, &(prime, _)| phi / prime * (prime - 1)))
}

fn multiply((w, n): (Rational, u64), (weight, count): (Rational, u64)) -> (Rational, u64) {
    (&w * &weight, n.saturating_mul(count))
}

fn variable() -> Size {
    Size { degree: 1, ..UNIT }
}

#[cfg(test)]
mod tests {
    use super::{Degree, degrees};
    use crate::{Expr, Scope, parameter};

    fn of(e: Expr) -> Degree {
        degrees(&[e], 24)[0]
    }

    #[test]
    fn what_has_no_bound_gets_none_by_a_difference() {
        // add without saturating, or take no bound from no bound, and this fails
        let _scope = Scope::with_seed(1);
        let [x, y, z] = ["x", "y", "z"].map(parameter);
        let squared = |e: Expr, k: i64| e * e + k;
        let small = (0..20).fold(x, squared);
        assert_eq!(of(small).degree, 1 << 20);
        let large = (0..70).fold(x, squared);
        assert_eq!((of(large).degree, of(large).height), (u64::MAX, u64::MAX));
        let sum = y / large + z / (large * y);
        assert_eq!((of(sum).degree, of(sum).height), (u64::MAX, u64::MAX));
    }

    #[test]
    fn a_solution_has_the_degree_of_minors_as_a_factor_too() {
        // x of A x = b with its first entry inside a product; the graph alone would say 2^n
        let _scope = Scope::with_seed(1);
        let n = 12;
        let entry = |i: usize, j: usize| parameter(&format!("a[{i},{j}]"));
        let mut rows: Vec<Vec<Expr>> = (0..n).map(|i| (0..=n).map(|j| entry(i, j)).collect()).collect();
        let given = rows.clone();
        let mut stages = Vec::new();
        for k in 0..n {
            stages.extend(rows[k][k..].iter().map(|&e| (e, crate::Stage::Entry(k))));
            for i in k + 1..n {
                let (factor, upper) = (rows[i][k] / rows[k][k], rows[k].clone());
                rows[i].iter_mut().zip(&upper).skip(k).for_each(|(entry, &above)| *entry -= factor * above);
            }
        }
        let pivot = rows[n - 1][n - 1];
        let (side, alone) = (rows[n - 1][n], of(pivot).degree);
        assert!(alone > 1 << 10, "{alone}");
        stages.push((side, crate::Stage::Side(n - 1)));
        crate::record_elimination(crate::Eliminated { rows: given }, &stages);
        // d_n d'_n / (d_{n−1} d_n), over the pivot d_n / d_{n−1}, and one factor more
        assert!(of(entry(0, 0) * side / pivot).degree <= 3 * n as u64 + 1);
        assert_eq!(of(pivot).degree, n as u64);
    }
}

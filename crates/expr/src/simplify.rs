//! How would a person write this?
//!
//! ```text
//! each node, arguments first        as it is · multiplied out · over one denominator
//!   → with fewer sines and cosines → common factors and brackets → the shortest that is equal
//! ```
//!
//! A form is taken only if its signature agrees with that of what it replaces, and the result is
//! checked against the input once more, so that a slip in a rule can make a line longer but never
//! wrong. Work is bounded by counting steps. Derivation never comes here: this is for reading.

mod cost;
mod fraction;
mod gcd;
mod group;
mod trigonometry;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{BRANCHY, Graph, Id, Op};
use crate::number::Rational;
use crate::polynomial::sparse::{Budget, Exceeded, Monomial, Single, Sparse, expanded};
use crate::scope::{Expr, with_graph};
use cost::Costs;

/// A sum that would have more terms is not multiplied out.
const TERMS: usize = 600;
/// Products of terms, and other small steps, that one call may take.
const STEPS: u64 = 600_000;
/// Steps that a node counts for before anything is done with it.
const NODE: usize = 40;
/// Steps that one search for a common divisor may take.
const DIVISOR: u64 = 20_000;
/// A flat sum so many times longer than what it is to replace is not put into brackets.
const HOPELESS: u64 = 3;
/// The result of a simplification with branches is checked on all of them, up to this size.
const CHECKED: usize = 20_000;

/// The expression as a person would write it, never longer than it was. `by` names symbols
/// (accelerations, say) that the result is collected by where that does not make it much longer.
///
/// ```
/// # fn main() -> Result<(), expr::ParseError> {
/// let _scope = expr::Scope::enter();
/// let e = expr::parse("m*l^2*sin(a)^2 + m*l^2*cos(a)^2")?;
/// assert_eq!(expr::simplify(e, &[]).to_string(), "m*l^2");
/// # Ok(())
/// # }
/// ```
pub fn simplify(e: Expr, by: &[Expr]) -> Expr {
    simplify_within(e, by, &mut { STEPS })
}

/// The same with at most so many steps; those that are taken are taken off. When none are left, it comes back as it is.
pub fn simplify_within(e: Expr, by: &[Expr], steps: &mut u64) -> Expr {
    if *steps == 0 {
        return e;
    }
    let id = e.id();
    let by: Vec<Id> = by.iter().map(|e| e.id()).collect();
    let allowed = STEPS.min(*steps);
    Expr::of(with_graph(|graph| {
        if let Some((simple, taken)) = known(graph, id, &by, allowed) {
            *steps -= taken;
            return simple;
        }
        let mut simplifier = Simplifier::new(graph, allowed);
        let simple = simplifier.run(id, &by);
        let left = simplifier.budget.steps.min(allowed);
        if by.is_empty() {
            let ample = left >= DIVISOR;
            graph.simple.insert((id, if ample { AMPLE } else { allowed }), (simple, allowed - left));
        }
        *steps -= allowed - left;
        simple
    }))
}

/// Stands for every allowance that leaves enough for one more search for a divisor: with any of them the same is done.
const AMPLE: u64 = u64::MAX;

/// What the node was simplified to before, where the same would be done again, and how many steps that took.
fn known(graph: &Graph, id: Id, by: &[Id], allowed: u64) -> Option<(Id, u64)> {
    if !by.is_empty() {
        return None;
    }
    let ample = graph.simple.get(&(id, AMPLE)).filter(|(_, taken)| taken + DIVISOR <= allowed);
    ample.or_else(|| graph.simple.get(&(id, allowed))).copied()
}

struct Simplifier<'a> {
    graph: &'a mut Graph,
    budget: Budget,
    costs: Costs,
    /// The shortest form found for each node.
    best: FxHashMap<Id, Id>,
    /// Each node multiplied out, in atoms that are simplified.
    full: FxHashMap<Id, Sparse>,
    /// Sums that are not to be multiplied out.
    opaque: FxHashSet<Id>,
    /// Trigonometric polynomials that have been rewritten.
    trigonometric: FxHashMap<Sparse, Sparse>,
    /// Brackets cannot make up for a flat sum of this length.
    hopeless: u64,
    /// Polynomials that have been put into brackets.
    brackets: FxHashMap<Sparse, Id>,
}

impl<'a> Simplifier<'a> {
    fn new(graph: &'a mut Graph, steps: u64) -> Simplifier<'a> {
        Simplifier {
            graph,
            budget: Budget { terms: TERMS, steps },
            costs: Costs::default(),
            best: FxHashMap::default(),
            full: FxHashMap::default(),
            opaque: FxHashSet::default(),
            trigonometric: FxHashMap::default(),
            brackets: FxHashMap::default(),
            hopeless: u64::MAX,
        }
    }

    fn run(&mut self, root: Id, by: &[Id]) -> Id {
        let nodes = self.graph.store.reachable(&[root]);
        let single = Single::new(&self.graph.store, &nodes, [root]);
        for &id in &nodes {
            if !single.is_gathered(id) {
                let short = self.simplified(id, &single);
                self.best.insert(id, short);
            }
        }
        let mut best = self.best[&root];
        if let Some(collected) = self.collected(root, by)
            && self.length(collected) <= self.length(best).saturating_mul(5) / 4
        {
            best = collected;
        }
        let small = nodes.len() <= CHECKED || !self.graph.store.has(root, BRANCHY);
        if small && self.length(best) <= self.length(root) && self.is_same(root, best) { best } else { root }
    }

    fn length(&mut self, id: Id) -> u64 {
        self.costs.of(&self.graph.store, id)
    }

    /// Work with a part of the budget, so that one thing alone cannot use it up.
    fn with_allowance<T>(&mut self, steps: u64, work: impl FnOnce(&mut Budget) -> T) -> T {
        let steps = steps.min(self.budget.steps);
        let mut part = Budget { terms: TERMS, steps };
        let result = work(&mut part);
        self.budget.steps -= steps - part.steps;
        result
    }

    /// Equal on all branches.
    fn is_same(&mut self, a: Id, b: Id) -> bool {
        let gap = self.graph.sub(a, b);
        a == b || self.graph.is_zero(gap)
    }

    /// Equal at the points where signatures stand.
    fn agrees(&self, a: Id, b: Id) -> bool {
        a == b || self.graph.store.image(a).lanes == self.graph.store.image(b).lanes
    }

    /// The shortest form of a node whose arguments have theirs.
    fn simplified(&mut self, id: Id, single: &Single) -> Id {
        match self.graph.store.op(id) {
            Op::Number => {
                let value = self.graph.store.number(id).cloned().unwrap_or(Rational::ZERO);
                self.full.insert(id, Sparse::number(value));
                id
            }
            Op::Symbol | Op::Pi => {
                self.full.insert(id, Sparse::term(Monomial::of(id, 1), Rational::ONE));
                id
            }
            Op::Sum | Op::Product | Op::Scale | Op::Power => self.arithmetic(id, single),
            _ => self.function(id),
        }
    }

    fn function(&mut self, id: Id) -> Id {
        let rebuilt = self.rebuilt(id);
        let short = self.chosen(id, &[rebuilt]);
        let value = match self.graph.store.op(short) {
            Op::Exp => self.exponential(short),
            _ => expanded(self.graph, short, &mut self.budget).ok(),
        };
        let value = value.unwrap_or_else(|| self.atom_of(short));
        self.full.insert(id, value);
        short
    }

    /// The exponential of a sum as a product: exp(2x − y/2) is exp(x)² exp(y/2)⁻¹.
    fn exponential(&mut self, id: Id) -> Option<Sparse> {
        let mut monomial = Monomial::one();
        for (c, core) in self.graph.store.flat_terms(self.graph.store.child(id)) {
            let (n, d) = c.to_small().filter(|&(n, d)| n.abs() < 1000 && d < 1000)?;
            let argument = self.graph.scale(&Rational::new(1, d)?, core);
            let exponential = self.graph.exp(argument).ok()?;
            if self.graph.store.op(exponential) != Op::Exp {
                return None;
            }
            monomial = monomial.times(&Monomial::of(exponential, n as i32));
        }
        Some(Sparse::term(monomial, Rational::ONE))
    }

    /// The node's operation on the shortest forms of its arguments.
    fn rebuilt(&mut self, id: Id) -> Id {
        let arguments = self.graph.store.children(id).iter();
        let arguments: Vec<Id> = arguments.map(|child| *self.best.get(child).unwrap_or(child)).collect();
        if arguments == self.graph.store.children(id) {
            return id;
        }
        self.graph.rebuilt(id, &arguments).unwrap_or(id)
    }

    /// The shortest of the node itself and the candidates that agree with it.
    fn chosen(&mut self, id: Id, candidates: &[Id]) -> Id {
        let mut best = id;
        for &candidate in candidates {
            if candidate != best && self.agrees(id, candidate) {
                best = self.shorter(best, candidate);
            }
        }
        best
    }

    fn arithmetic(&mut self, id: Id, single: &Single) -> Id {
        let branches = self.graph.store.has(id, BRANCHY);
        if !branches && self.graph.is_zero(id) {
            self.full.insert(id, Sparse::zero());
            return Graph::ZERO;
        }
        let plain = if self.graph.store.op(id) == Op::Sum { self.flattened(id, single) } else { self.rebuilt(id) };
        let affordable = self.budget.spend(NODE);
        match affordable.and_then(|()| self.multiplied_out(id, single)) {
            Ok(full) => {
                let short = self.shortest(id, plain, &full).unwrap_or_else(|_| self.chosen(id, &[plain]));
                self.full.insert(id, full);
                short
            }
            Err(Exceeded) => {
                let short = self.chosen(id, &[plain]);
                let value = self.atom_of(short);
                self.full.insert(id, value);
                short
            }
        }
    }

    /// The shortest forms of the terms in one flat sum.
    fn flattened(&mut self, id: Id, single: &Single) -> Id {
        let mut terms = Vec::new();
        for (c, term) in single.gathered(&self.graph.store, id) {
            let short = *self.best.get(&term).unwrap_or(&term);
            let (d, core) = self.graph.store.term(short);
            let c = &c * d;
            match self.graph.store.op(core) {
                Op::Sum if self.graph.store.children(core).len() <= TERMS => {
                    let parts = self.graph.store.children(core).to_vec();
                    parts.into_iter().for_each(|part| terms.push(self.graph.scale(&c, part)));
                }
                _ => terms.push(self.graph.scale(&c, core)),
            }
        }
        self.graph.sum(&terms)
    }

    /// The node multiplied out, in terms of its arguments multiplied out.
    fn multiplied_out(&mut self, id: Id, single: &Single) -> Result<Sparse, Exceeded> {
        let value = match self.graph.store.op(id) {
            Op::Sum => {
                let parts = single.gathered(&self.graph.store, id);
                let count = parts.iter().map(|(_, term)| self.full[term].len()).sum::<usize>();
                self.budget.spend(count)?;
                if count > 4 * TERMS {
                    return Err(Exceeded);
                }
                let mut terms = Vec::with_capacity(count);
                for (c, term) in parts {
                    terms.extend(self.full[&term].times_term(&Monomial::one(), &c).into_terms());
                }
                let sum = Sparse::new(terms);
                if sum.len() > TERMS { Err(Exceeded) } else { Ok(sum) }
            }
            Op::Power => self.power_multiplied_out(id),
            _ => {
                let mut product = Sparse::number(Rational::ONE);
                for factor in self.graph.store.children(id) {
                    product = product.times(&self.full[factor], &self.graph.store, &mut self.budget)?;
                }
                Ok(product)
            }
        }?;
        self.sums_multiplied_out(value)
    }

    fn power_multiplied_out(&mut self, id: Id) -> Result<Sparse, Exceeded> {
        let (base, exponent) = self.graph.store.factor(id);
        let n = exponent.to_i64().and_then(|n| i32::try_from(n).ok());
        let short = *self.best.get(&base).unwrap_or(&base);
        match (n, self.full.get(&base)) {
            (Some(n), Some(value)) if n > 0 => value.power(n.unsigned_abs(), &self.graph.store, &mut self.budget),
            (Some(n), Some(value)) if value.len() == 1 => {
                let (m, c) = value.single().ok_or(Exceeded)?;
                let inverse = Sparse::term(m.power(-1), c.recip().ok_or(Exceeded)?);
                inverse.power(n.unsigned_abs(), &self.graph.store, &mut self.budget)
            }
            _ => {
                let exponent = exponent.clone();
                let power = self.graph.power(short, &exponent).map_err(|_| Exceeded)?;
                self.denominators_kept(power)
            }
        }
    }

    /// A product multiplied out, except for sums in the denominator: they become atoms.
    fn denominators_kept(&mut self, id: Id) -> Result<Sparse, Exceeded> {
        let (c, core) = self.graph.store.term(id);
        let mut product = Sparse::number(c.clone());
        let factors = match self.graph.store.op(core) {
            Op::Product => self.graph.store.children(core).to_vec(),
            _ => vec![core],
        };
        for factor in factors {
            let (base, exponent) = self.graph.store.factor(factor);
            let n = exponent.to_i64().and_then(|n| i32::try_from(n).ok()).filter(|n| *n < 0);
            let value = match n {
                Some(n) if self.graph.store.op(base) == Op::Sum => self.inverse_of_sum(base, n)?,
                _ => expanded(self.graph, factor, &mut self.budget)?,
            };
            product = product.times(&value, &self.graph.store, &mut self.budget)?;
        }
        Ok(product)
    }

    /// A sum to a negative power: what all terms share comes out, the rest is an atom with coprime
    /// coefficients, the first of them positive.
    fn inverse_of_sum(&mut self, sum: Id, n: i32) -> Result<Sparse, Exceeded> {
        let Ok(whole) = expanded(self.graph, sum, &mut self.budget) else {
            self.opaque.insert(sum);
            return Ok(Sparse::term(Monomial::of(sum, n), Rational::ONE));
        };
        let common = whole.common_monomial();
        let content = whole.content();
        let power = content.pow(i64::from(n)).map_err(|_| Exceeded)?;
        if common.is_one() && content.is_one() {
            return Ok(Sparse::term(Monomial::of(sum, n), Rational::ONE));
        }
        let rest = whole.times_term(&common.power(-1), &content.recip().ok_or(Exceeded)?);
        let rest = self.sums_multiplied_out(rest)?;
        let rest = self.flat(&rest).ok_or(Exceeded)?;
        Ok(Sparse::term(common.power(n).times(&Monomial::of(rest, n)), power))
    }

    /// A node as one atom; a sum among its factors is not to be multiplied out.
    fn atom_of(&mut self, id: Id) -> Sparse {
        let (c, core) = self.graph.store.term(id);
        if self.graph.store.op(core) == Op::Sum {
            self.opaque.insert(core);
        }
        match core {
            Graph::ONE => Sparse::number(c.clone()),
            _ => Sparse::term(Monomial::of(core, 1), c.clone()),
        }
    }

    /// The shortest form, given the flat one and the polynomial.
    fn shortest(&mut self, id: Id, plain: Id, full: &Sparse) -> Result<Id, Exceeded> {
        let mut candidates = vec![plain];
        self.hopeless = self.length(plain).min(self.length(id)).saturating_mul(HOPELESS);
        if full.len() < 2 || self.is_interesting(id) {
            for form in self.trigonometric_forms(full)? {
                candidates.extend(self.grouped(&form));
            }
            candidates.extend(self.fractions(full)?);
        }
        if self.graph.store.op(plain) == Op::Sum {
            candidates.extend(self.regrouped(plain)?);
        }
        let best = self.chosen(id, &candidates);
        match self.graph.store.op(best) {
            Op::Sum if best != plain => {
                let again = self.regrouped(best)?;
                Ok(self.chosen(best, &again))
            }
            _ => Ok(best),
        }
    }

    /// Does it pay to multiply out? Not for a product of atoms.
    fn is_interesting(&self, id: Id) -> bool {
        let store = &self.graph.store;
        let has_sum = |id: Id| store.op(store.factor(id).0) == Op::Sum;
        match store.op(id) {
            Op::Sum => true,
            Op::Product => store.children(id).iter().any(|&factor| has_sum(factor)),
            Op::Scale => self.is_interesting(store.term(id).1),
            _ => has_sum(id),
        }
    }

    /// A sum with its terms in brackets, without multiplying anything out.
    fn regrouped(&mut self, sum: Id) -> Result<Vec<Id>, Exceeded> {
        let mut terms = Vec::new();
        for (c, core) in self.graph.store.flat_terms(sum) {
            let factors = match self.graph.store.op(core) {
                Op::Product => self.graph.store.children(core),
                _ => std::slice::from_ref(&core),
            };
            let mut monomial = Monomial::one();
            for &factor in factors.iter().filter(|&&factor| factor != Graph::ONE) {
                let (base, exponent) = self.graph.store.factor(factor);
                let n = exponent.to_i64().and_then(|n| i32::try_from(n).ok());
                monomial = monomial.times(&n.map_or_else(|| Monomial::of(factor, 1), |n| Monomial::of(base, n)));
            }
            terms.push((monomial, c));
        }
        let sparse = Sparse::new(terms);
        let mut list = Vec::new();
        for form in self.trigonometric_forms(&sparse)? {
            list.extend(self.grouped(&form));
        }
        Ok(list)
    }

    /// The result collected by symbols, each coefficient in its shortest form.
    fn collected(&mut self, root: Id, by: &[Id]) -> Option<Id> {
        let by: Vec<Id> = by.iter().map(|id| *self.best.get(id).unwrap_or(id)).collect();
        let full = self.full.get(&root)?.clone();
        if !full.atoms().iter().any(|atom| by.contains(atom)) {
            return None;
        }
        let mut parts: Vec<(Monomial, Monomial, Rational)> = full
            .into_terms()
            .into_iter()
            .map(|(m, c)| {
                let rest = m.filtered(|atom| !by.contains(&atom));
                (m.over(&rest), rest, c)
            })
            .collect();
        parts.sort_by(|a, b| b.0.cmp(&a.0));
        let mut terms = Vec::new();
        for part in parts.chunk_by(|a, b| a.0 == b.0) {
            let coefficient = Sparse::new(part.iter().map(|(_, m, c)| (m.clone(), c.clone())).collect());
            let coefficient = self.shortest_coefficient(&coefficient)?;
            let monomial = self.term(&part[0].0, &Rational::ONE)?;
            match part[0].0.is_one() && self.graph.store.op(coefficient) == Op::Sum {
                true => terms.extend(self.graph.store.children(coefficient)),
                false => terms.push(self.graph.product(&[coefficient, monomial])),
            }
        }
        let collected = self.graph.sum(&terms);
        self.agrees(root, collected).then_some(collected)
    }

    fn shortest_coefficient(&mut self, p: &Sparse) -> Option<Id> {
        let flat = self.flat(p)?;
        self.hopeless = u64::MAX;
        let mut candidates = Vec::new();
        for form in self.trigonometric_forms(p).ok()? {
            candidates.extend(self.grouped(&form));
        }
        candidates.extend(self.fractions(p).ok()?);
        Some(self.chosen(flat, &candidates))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scope, parse};

    /// What is wrong with the simplified text: nothing if it is the node that `expected` parses to,
    /// in whatever order a printer may write it.
    fn complaint(e: &str, by: &[&str], expected: &str) -> Option<String> {
        let _scope = Scope::with_seed(7);
        let [e, expected] = <[Expr; 2]>::try_from(crate::parse_all(&[e, expected]).unwrap()).unwrap();
        let by: Vec<Expr> = by.iter().map(|text| parse(text).unwrap()).collect();
        let short = simplify(e, &by);
        assert!(short.is_same(e), "{e} is not {short}");
        (short != expected).then(|| format!("{e}\n    gives    {short}\n    expected {expected}"))
    }

    /// Input and output, line by line.
    fn check(table: &[(&str, &str)]) {
        let wrong: Vec<String> = table.iter().filter_map(|(e, expected)| complaint(e, &[], expected)).collect();
        assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    }

    #[test]
    fn sums_and_signs() {
        check(&[
            ("a + (b + (c - a))", "b + c"),
            ("-(a - b)", "b - a"),
            ("a - (b - (c - a))", "c - b"),
            ("x*(y + 1) - x*y", "x"),
            ("(x + y)^2 - x^2 - y^2", "2*x*y"),
            ("2*a + 2*b", "2*(a + b)"),
            ("a/2 + b/2", "(a + b)/2"),
            ("(a + b)^10", "(a + b)^10"),
            ("(a + b)^10 + sin(x)^2 + cos(x)^2", "(a + b)^10 + 1"),
        ]);
    }

    #[test]
    fn common_factors() {
        check(&[
            ("a*b + a*c", "a*(b + c)"),
            ("a*b*x + a*c*x - a*x", "a*x*(b + c - 1)"),
            ("A*p' - B*q*r + C*q*r", "A*p' + q*r*(C - B)"),
            ("(a + b)*x + (a + b)*y", "(a + b)*(x + y)"),
            ("a*c + a*d + b*c + b*d", "(a + b)*(c + d)"),
            ("x^2 + 2*x*y + y^2", "(x + y)^2"),
            ("m*l^2*phi''*sin(a)^2 + m*l^2*phi''*cos(a)^2", "l^2*m*phi''"),
        ]);
    }

    #[test]
    fn trigonometry() {
        check(&[
            ("sin(x)^2 + cos(x)^2", "1"),
            ("a*sin(x)^2 + a*cos(x)^2", "a"),
            ("a*sin(x)^2 + a*cos(x)^2 + b*sin(x)^2", "a + b*sin(x)^2"),
            ("1 - sin(x)^2", "cos(x)^2"),
            ("a - a*cos(x)^2", "a*sin(x)^2"),
            ("2*sin(x)*cos(x)", "sin(2*x)"),
            ("cos(x)^2 - sin(x)^2", "cos(2*x)"),
            ("1 - 2*sin(x)^2", "cos(2*x)"),
            ("2*cos(x)^2 - 1", "cos(2*x)"),
            ("cos(a)*cos(b) + sin(a)*sin(b)", "cos(a - b)"),
            ("cos(a)*cos(b) - sin(a)*sin(b)", "cos(a + b)"),
            ("sin(a)*cos(b) - cos(a)*sin(b)", "sin(a - b)"),
            ("x*sin(a)*cos(b) + x*cos(a)*sin(b)", "x*sin(a + b)"),
            ("sin(a - b)*cos(b) + cos(a - b)*sin(b)", "sin(a)"),
            ("sin(2*x)/cos(x)", "2*sin(x)"),
            ("sin(x)^4 + 2*sin(x)^2*cos(x)^2 + cos(x)^4", "1"),
            ("sin(x)/cos(x)", "tan(x)"),
            ("tan(x)*cos(x)", "sin(x)"),
            ("1 + tan(x)^2", "tan(x)^2 + 1"),
            ("(1 - cos(x)^2)/sin(x)", "sin(x)"),
            ("cosh(x)^2 - sinh(x)^2", "1"),
            ("cosh(x)^2 + sinh(x)^2", "cosh(2*x)"),
            ("2*sinh(x)*cosh(x)", "sinh(2*x)"),
            ("cosh(a)*cosh(b) - sinh(a)*sinh(b)", "cosh(a - b)"),
            ("sin(x*(y + 1) - x*y)", "sin(x)"),
            ("exp(x)*exp(-x)", "1"),
            ("exp(a)*exp(b)", "exp(a + b)"),
        ]);
    }

    #[test]
    fn quotients() {
        check(&[
            ("(x^2 - 1)/(x - 1)", "x + 1"),
            ("(a^2 - b^2)/(a - b)", "a + b"),
            ("(a^2 - b^2)/(b - a)", "-a - b"),
            ("x/y + z/y", "(x + z)/y"),
            ("1/(1/x + 1/y)", "x*y/(x + y)"),
            ("1/(x + 1) + 1/(x - 1)", "2*x/(x^2 - 1)"),
            ("x/(x + y) + y/(x + y)", "1"),
            ("(a*x + a*y)/(b*x + b*y)", "a/b"),
            ("(x^2 - 1)/(x - 1) + y", "x + y + 1"),
            ("(x^2 + 3*x + 2)/(x^2 + 5*x + 6)", "(x + 1)/(x + 3)"),
            ("a + b/(c + d)", "a + b/(c + d)"),
        ]);
    }

    #[test]
    fn roots() {
        check(&[
            ("sqrt(x)*sqrt(x)", "x"),
            ("x/sqrt(x)", "sqrt(x)"),
            ("(x + y)/sqrt(x + y)", "sqrt(x + y)"),
            ("(sqrt(x) + 1)*(sqrt(x) - 1)", "x - 1"),
            ("sqrt(a^2 + 2*a*b + b^2)", "abs(a + b)"),
            ("sqrt(x^2*cos(a)^2 + x^2*sin(a)^2)", "abs(x)"),
            ("1/sqrt(2) + 1/sqrt(2)", "sqrt(2)"),
        ]);
    }

    #[test]
    fn double_pendulum() {
        let t = "m*((l*a'*cos(a))^2 + (l*a'*sin(a))^2)/2 \
            + n*((l*a'*cos(a) + k*b'*cos(b))^2 + (l*a'*sin(a) + k*b'*sin(b))^2)/2";
        check(&[(t, "k^2*n*b'^2/2 + k*l*n*a'*b'*cos(a - b) + l^2*a'^2*(m + n)/2")]);
    }

    #[test]
    fn collected_by_accelerations() {
        let e = "m*(l*a'' + x''*cos(a)) + n*x''*cos(a) - m*g*sin(a)";
        assert_eq!(complaint(e, &["a''", "x''"], "l*m*a'' + (m + n)*cos(a)*x'' - g*m*sin(a)"), None);
        // where that is much longer it is left alone
        assert_eq!(complaint("(x + a)^9", &["x"], "(x + a)^9"), None);
    }

    #[test]
    fn equations_of_motion() {
        // Lagrange's first equation of a spherical pendulum, from Cartesian coordinates
        let _scope = Scope::with_seed(7);
        let ([m, l], [u, v]) = (["m", "l"].map(crate::parameter), ["u", "v"].map(crate::coordinate));
        let rate = |e: Expr| crate::total_derivative(e).unwrap();
        let slope = |e: Expr, x: Expr| crate::derivative(e, x).unwrap();
        let place = [l * u.sin() * v.cos(), l * u.sin() * v.sin(), l * u.cos()];
        let t = m * place.iter().map(|&x| rate(x).pow(2)).sum::<Expr>() / 2;
        let equation = rate(slope(t, rate(u))) - slope(t, u);
        assert!(equation.to_string().len() > 800);
        let text = |text: &str| parse(text).unwrap();
        assert_eq!(simplify(t, &[]), text("m*l^2*(u'^2 + sin(u)^2*v'^2)/2"));
        assert_eq!(simplify(slope(t, rate(v)), &[]), text("m*l^2*sin(u)^2*v'"));
        assert_eq!(simplify(equation, &[rate(rate(u))]), text("m*l^2*u'' - m*l^2*sin(u)*cos(u)*v'^2"));
    }

    #[test]
    fn never_longer_and_never_different() {
        for seed in 0..300 {
            let scope = Scope::with_seed(seed);
            let e = random(seed);
            let short = simplify(e, &[]);
            assert!(short.is_same(e), "{e} is not {short}");
            let id = |e: Expr| e.id();
            let (before, after) = (id(e), id(short));
            with_graph(|graph| {
                let mut costs = Costs::default();
                assert!(costs.of(&graph.store, after) <= costs.of(&graph.store, before));
            });
            drop(scope);
        }
    }

    /// An expression that depends on the seed alone.
    fn random(seed: u64) -> Expr {
        let mut state = seed;
        let mut next = |n: u64| {
            state = crate::field::mix(state, 1);
            state % n
        };
        let mut list: Vec<Expr> = ["a", "b", "x"].map(crate::parameter).to_vec();
        for _ in 0..12 {
            let n = list.len() as u64;
            let (a, b) = (list[next(n) as usize], list[next(n) as usize]);
            list.push(match next(9) {
                0..=2 => a + b,
                3 => a - b,
                4 => a * b,
                5 => a.try_div(b).unwrap_or(a),
                6 => a.sin(),
                7 => a.cos(),
                _ => (a * a + 1).sqrt(),
            });
        }
        list[list.len() - 1]
    }

    #[test]
    fn depth_is_no_obstacle() {
        let _scope = Scope::with_seed(7);
        let [x, y, z] = ["x", "y", "z"].map(crate::parameter);
        let sines = (0..100_000).fold(x, |e, _| e.sin() + y);
        let products = (0..10_000).fold(x, |e, _| e * z - y);
        let quotients = (0..10_000).fold(x, |e, _| (e + y) / (e - z));
        for deep in [sines, products, quotients] {
            assert!(simplify(deep, &[x]).is_same(deep));
        }
        let flat = (0..100_000).fold(x, |e, k| if k % 2 == 0 { e + y } else { z - e });
        assert_eq!(simplify(flat, &[]), x);
        let terms = (0..100_000).fold(x, |e, k| e + crate::parameter(&format!("p{k}")));
        assert!(simplify(terms, &[]).is_same(terms));
    }
}

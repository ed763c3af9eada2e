//! How does an expression look as a polynomial: multiplied out, collected, or linear?
//!
//! ```text
//! expand     Σ number · monomial            in everything that is not a sum or a product
//! collect    Σ coefficient · monomial       in the symbols that are named, the rest left alone
//! linear     A·x + b                        without multiplying anything out
//! ```
//!
//! Derivation needs the last only. Arguments of functions are never touched.

mod few;
mod linear;
pub(crate) mod sparse;

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

pub use linear::{NotLinear, RowAtPoint, linear_coefficients, linear_signatures};

use crate::graph::{Graph, Id, Op};
use crate::number::Rational;
use crate::print;
use crate::scope::{Expr, with_graph};
use sparse::{Budget, Monomial, Single};

/// Nobody reads more terms than this, and few machines want to.
const TERMS: usize = 20_000;
/// Products of terms that one call may take.
const STEPS: u64 = 2_000_000;
/// Sums up to this length are flattened where coefficients meet.
const SHORT: usize = 64;

/// An expression that would fill a book if it were multiplied out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooManyTerms {
    /// The expression, as text, shortened.
    pub what: String,
    /// How many terms are the limit.
    pub limit: usize,
}

impl fmt::Display for TooManyTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` has more than {} terms, or needs too much work, when multiplied out", self.what, self.limit)
    }
}

impl std::error::Error for TooManyTerms {}

/// Multiplies products and integer powers of sums out, flattens sums and merges like terms.
/// Arguments of functions and denominators are left alone.
///
/// ```
/// # fn main() -> Result<(), expr::TooManyTerms> {
/// let _scope = expr::Scope::enter();
/// let (x, y) = (expr::parameter("x"), expr::parameter("y"));
/// assert_eq!(expr::expand((x + y) * (x - y))?, x.pow(2) - y.pow(2));
/// # Ok(())
/// # }
/// ```
pub fn expand(e: Expr) -> Result<Expr, TooManyTerms> {
    let id = e.id();
    let made = with_graph(|graph| {
        let mut budget = Budget { terms: TERMS, steps: STEPS };
        let terms = sparse::expanded(graph, id, &mut budget).ok()?;
        terms.build(graph)
    });
    made.map(Expr::of).ok_or_else(|| TooManyTerms { what: e.brief(), limit: TERMS })
}

/// The expression as Σ coefficient·monomial in the given symbols (or other nodes, such as
/// `cos(x)`). Coefficients are multiplied out no more than that takes; a function of a symbol
/// counts as a coefficient. An expression with too many monomials comes back as it is.
pub fn collect(e: Expr, by: &[Expr]) -> Expr {
    let (id, by) = (e.id(), ids(by));
    let made = with_graph(|graph| {
        let terms = graph.in_terms_of(id, &by, Strictness::Loose)?;
        graph.build_collected(&terms)
    });
    made.map_or(e, Expr::of)
}

/// An expression seen as a polynomial: the sum of coefficient times powers of the variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Polynomial {
    /// The variables: symbols, or other nodes.
    pub variables: Vec<Expr>,
    /// Exponents, one for each variable, and their coefficient, which is free of the variables
    /// and not zero; highest degree first.
    pub terms: Vec<(Vec<u32>, Expr)>,
}

impl Polynomial {
    /// The total degree; `None` for the zero polynomial.
    pub fn degree(&self) -> Option<u32> {
        self.terms.iter().map(|(exponents, _)| exponents.iter().sum()).max()
    }

    /// The coefficient of the monomial with those exponents.
    pub fn coefficient(&self, exponents: &[u32]) -> Expr {
        let found = self.terms.iter().find(|term| term.0 == exponents);
        found.map_or_else(Expr::zero, |term| term.1)
    }
}

/// The expression as a polynomial in the variables; `None` if it is none, or has too many terms.
pub fn polynomial(e: Expr, variables: &[Expr]) -> Option<Polynomial> {
    polynomial_within(e, variables, &mut { STEPS })
}

/// The same within so many steps, which are taken off: products and sums of terms. None are left if they do not suffice.
pub fn polynomial_within(e: Expr, variables: &[Expr], steps: &mut u64) -> Option<Polynomial> {
    let (id, by) = (e.id(), ids(variables));
    let given = (*steps).min(STEPS);
    let mut left = given as usize;
    let terms = with_graph(|graph| graph.in_terms_of_within(id, &by, Strictness::Strict, &mut left));
    *steps -= given - left as u64;
    let terms = terms?;
    let exponents = |m: &Monomial| by.iter().map(|&v| u32::try_from(m.exponent(v)).ok()).collect::<Option<Vec<u32>>>();
    let mut terms = terms
        .into_iter()
        .map(|(monomial, c)| Some((exponents(&monomial)?, Expr::of(c))))
        .collect::<Option<Vec<_>>>()?;
    terms.sort_by_key(|(exponents, _)| std::cmp::Reverse((exponents.iter().sum::<u32>(), exponents.clone())));
    Some(Polynomial { variables: variables.to_vec(), terms })
}

/// Takes steps off; none are left if they do not suffice.
fn spend(steps: &mut usize, wanted: usize) -> Option<()> {
    let left = steps.checked_sub(wanted);
    *steps = left.unwrap_or(0);
    left.map(|_| ())
}

fn ids(list: &[Expr]) -> Vec<Id> {
    list.iter().map(|e| e.id()).collect()
}

/// What to do with a variable inside a function or a denominator.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Strictness {
    /// It is part of a coefficient.
    Loose,
    /// There is no such polynomial.
    Strict,
}

/// Monomials in the chosen variables with their coefficients.
pub(crate) type Collected = Vec<(Monomial, Id)>;

impl Graph {
    /// Σ coefficient·monomial in the given nodes, coefficients that vanish left out.
    pub(crate) fn in_terms_of(&mut self, root: Id, by: &[Id], strictness: Strictness) -> Option<Collected> {
        self.in_terms_of_within(root, by, strictness, &mut { STEPS as usize })
    }

    fn in_terms_of_within(
        &mut self,
        root: Id,
        by: &[Id],
        strictness: Strictness,
        steps: &mut usize,
    ) -> Option<Collected> {
        let nodes = self.store.reachable(&[root]);
        let depends = self.depending(&nodes, by);
        let top = sparse::arithmetic_part(&self.store, root, |id| !depends[id as usize] && id != root);
        let by: FxHashSet<Id> = by.iter().copied().collect();
        let single = Single::new(&self.store, &top, by.iter().copied().chain([root]));
        let mut known: FxHashMap<Id, Collected> = FxHashMap::default();
        for &id in top.iter().filter(|&&id| !single.is_gathered(id)) {
            let value = match self.store.op(id) {
                _ if by.contains(&id) => vec![(Monomial::of(id, 1), Graph::ONE)],
                _ if !depends[id as usize] => self.merged(vec![(Monomial::one(), id)]),
                Op::Sum => {
                    let mut terms = Vec::new();
                    for (c, term) in single.gathered(&self.store, id) {
                        match known.get(&term) {
                            Some(parts) => terms.extend(parts.iter().map(|(m, d)| (m.clone(), self.scale(&c, *d)))),
                            None => terms.push((Monomial::one(), self.scale(&c, term))),
                        }
                    }
                    spend(steps, terms.len())?;
                    self.merged(terms)
                }
                Op::Scale | Op::Product => {
                    let factors = self.store.children(id).to_vec();
                    let (bound, free): (Vec<Id>, Vec<Id>) = factors.into_iter().partition(|f| known.contains_key(f));
                    let mut product =
                        vec![(Monomial::one(), free.iter().fold(Graph::ONE, |rest, &factor| self.mul(rest, factor)))];
                    for factor in bound {
                        product = self.multiplied(&product, &known[&factor], steps)?;
                    }
                    product
                }
                _ => match self.power_collected(id, &by, &known, steps)? {
                    Some(power) => power,
                    None if strictness == Strictness::Strict => return None,
                    None => vec![(Monomial::one(), id)],
                },
            };
            known.insert(id, value);
        }
        known.remove(&root)
    }

    /// `None` if there is too much to do, `Some(None)` if this is no integer power of a polynomial.
    fn power_collected(
        &mut self,
        id: Id,
        by: &FxHashSet<Id>,
        known: &FxHashMap<Id, Collected>,
        steps: &mut usize,
    ) -> Option<Option<Collected>> {
        if self.store.op(id) != Op::Power {
            return Some(None);
        }
        let (base, exponent) = self.store.factor(id);
        let Some(n) = exponent.to_i64().and_then(|n| i32::try_from(n).ok()) else { return Some(None) };
        if by.contains(&base) {
            return Some(Some(vec![(Monomial::of(base, n), Graph::ONE)]));
        }
        let Some(base) = known.get(&base) else { return Some(None) };
        match &**base {
            [(m, c)] if m.factors().iter().all(|factor| factor.1.checked_mul(n).is_some()) => {
                let c = self.power(*c, &Rational::from(i64::from(n))).ok()?;
                Some(Some(vec![(m.power(n), c)]))
            }
            _ if n < 0 => Some(None),
            _ if n as usize >= TERMS => None,
            base => {
                let one = vec![(Monomial::one(), Graph::ONE)];
                (0..n).try_fold(one, |product, _| self.multiplied(&product, base, steps)).map(Some)
            }
        }
    }

    fn multiplied(
        &mut self,
        left: &[(Monomial, Id)],
        right: &[(Monomial, Id)],
        steps: &mut usize,
    ) -> Option<Collected> {
        spend(steps, left.len() * right.len())?;
        let mut terms = Vec::with_capacity(left.len() * right.len());
        for (m, c) in left {
            for (n, d) in right {
                terms.push((m.times(n), self.mul(*c, *d)));
            }
        }
        let product = self.merged(terms);
        (product.len() <= TERMS).then_some(product)
    }

    fn merged(&mut self, mut terms: Collected) -> Collected {
        terms.sort_by(|a, b| b.0.cmp(&a.0));
        let mut merged = Vec::new();
        let mut rest = terms.as_slice();
        while let [(monomial, _), ..] = rest {
            let run = rest.iter().take_while(|term| term.0 == *monomial).count();
            let c = match &rest[..run] {
                [alone] => alone.1,
                several => self.flat_sum(several.iter().map(|term| term.1)),
            };
            if !self.is_zero(c) {
                merged.push((monomial.clone(), c));
            }
            rest = &rest[run..];
        }
        merged
    }

    /// The sum of terms with the terms of short sums among them.
    fn flat_sum(&mut self, terms: impl Iterator<Item = Id>) -> Id {
        let mut flat = Vec::new();
        for term in terms {
            let (c, core) = self.store.term(term);
            if self.store.op(core) != Op::Sum || self.store.children(core).len() > SHORT {
                flat.push(term);
                continue;
            }
            let (c, parts) = (c.clone(), self.store.children(core).to_vec());
            for part in parts {
                flat.push(self.scale(&c, part));
            }
        }
        self.sum(&flat)
    }

    pub(crate) fn build_collected(&mut self, terms: &[(Monomial, Id)]) -> Option<Id> {
        let mut list = Vec::with_capacity(terms.len());
        for (monomial, c) in terms {
            let monomial = monomial.build(self)?;
            list.push(self.product(&[*c, monomial]));
        }
        Some(self.sum(&list))
    }

    /// Which nodes contain one of the given ones.
    pub(crate) fn depending(&self, nodes: &[Id], on: &[Id]) -> Vec<bool> {
        let top = nodes.last().copied().unwrap_or(0).max(on.iter().copied().max().unwrap_or(0));
        let mut depends = vec![false; top as usize + 1];
        on.iter().for_each(|&id| depends[id as usize] = true);
        for &id in nodes {
            depends[id as usize] |= self.store.children(id).iter().any(|&child| depends[child as usize]);
        }
        depends
    }

    pub(crate) fn brief(&self, id: Id) -> String {
        print::brief(&self.store, id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scope, integer, parameter, parse, rational};

    fn check(e: Expr, by: &[Expr], expected: &str) {
        let collected = collect(e, by);
        assert_eq!(collected, parse(expected).unwrap(), "{e}");
        assert!(collected.is_same(e), "{e} is not {collected}");
    }

    #[test]
    fn expansion() {
        let _scope = Scope::with_seed(1);
        let [x, y, z] = ["x", "y", "z"].map(parameter);
        let cases = [
            ((x + y) * (x - y), "x^2 - y^2"),
            ((x + y).pow(3), "x^3 + 3*x^2*y + 3*x*y^2 + y^3"),
            (2 * (x + (y + (z - x))), "2*y + 2*z"),
            (x * (y + z) - x * y, "x*z"),
            ((x + 1) * (x - 1) * (x.pow(2) + 1), "x^4 - 1"),
            // arguments and denominators are left alone
            ((x * (y + z)).sin() * (x + 1), "sin(x*(y + z)) + x*sin(x*(y + z))"),
            ((x + y) / (z * (x + 1)), "x/(z*(x + 1)) + y/(z*(x + 1))"),
            ((x + 1) * (y + x.pow(-1)), "y + 1/x + x*y + 1"),
            // roots go over into their radicands
            ((x.sqrt() + 1) * (x.sqrt() - 1), "x - 1"),
            (((x + y).sqrt() + z) * (x + y).sqrt(), "x + y + z*sqrt(x + y)"),
            ((integer(2).sqrt() + x).pow(2), "x^2 + 2*sqrt(2)*x + 2"),
            ((x + y).sqrt().pow(3) * (x + y).sqrt(), "x^2 + 2*x*y + y^2"),
        ];
        for (e, expected) in cases {
            let expanded = expand(e).unwrap();
            assert!(expanded.is_same(e), "{e} is not {expanded}");
            assert_eq!(expanded, parse(expected).unwrap(), "{e}");
        }
    }

    #[test]
    fn expansion_is_bounded() {
        let _scope = Scope::with_seed(1);
        let [x, y, z] = ["x", "y", "z"].map(parameter);
        for e in [(x + y + z).pow(1000), (x + y).pow(1_000_000_000), (x + 1).pow(150) * (y + 1).pow(150)] {
            let error = expand(e).unwrap_err();
            assert_eq!(error.limit, 20_000);
            assert!(error.to_string().contains("has more than 20000 terms"), "{error}");
        }
        assert_eq!(expand((x + 1).pow(100) * (y + 1).pow(100)).unwrap().arguments().len(), 101 * 101);
        // a large power of a symbol is no obstacle, nor is one that overflows an exponent
        let large = x.pow(1 << 40) + 1;
        assert!(expand(large * large).unwrap().is_same(large * large));
        let large = x.pow(1 << 20) + 1;
        assert!(expand(large.pow(4000)).is_err());
    }

    #[test]
    fn collection() {
        let _scope = Scope::with_seed(1);
        let [a, b, x, y] = ["a", "b", "x", "y"].map(parameter);
        check(a * x + b * x + a, &[x], "a + x*(a + b)");
        check((x + a) * (x + b) - x * b, &[x], "a*b + a*x + x^2");
        check((x + y) * (a + b) * b, &[x, y], "b*x*(a + b) + b*y*(a + b)");
        check(x.cos() * a + b * x.cos() + x, &[x.cos()], "x + (a + b)*cos(x)");
        check(x * x.sin() + a * x, &[x], "x*(a + sin(x))");
        check(a / x + b / x, &[x], "(a + b)/x");
        // a coefficient that vanishes as a function goes
        check(x * (a.sin().pow(2) + a.cos().pow(2) - 1) + b, &[x], "b");
        check(2 * (a + b), &[x], "2*(a + b)");
    }

    #[test]
    fn polynomials() {
        let _scope = Scope::with_seed(1);
        let [x, y, a] = ["x", "y", "a"].map(parameter);
        let p = polynomial((x + a * y).pow(2) + 3, &[x, y]).unwrap();
        let terms: Vec<_> = p.terms.iter().map(|(exponents, c)| (exponents.clone(), c.to_string())).collect();
        let expected = [(vec![2, 0], "1"), (vec![1, 1], "2*a"), (vec![0, 2], "a^2"), (vec![0, 0], "3")];
        assert_eq!(terms, expected.map(|(exponents, c)| (exponents, c.to_owned())));
        assert_eq!(p.degree(), Some(2));
        assert_eq!(p.coefficient(&[1, 1]), 2 * a);
        assert_eq!(p.coefficient(&[5, 1]), Expr::zero());
        assert_eq!(polynomial(x - x, &[x]).unwrap().degree(), None);
        assert_eq!(polynomial(a.sin(), &[x]).unwrap().degree(), Some(0));
        assert_eq!(polynomial(x * y.cos() + x, &[x, y.cos()]).unwrap().degree(), Some(2));
        for e in [x.sin(), a / x, x.sqrt(), a / (x + a), x.abs() * a] {
            assert_eq!(polynomial(e, &[x]), None, "{e}");
        }
    }

    #[test]
    fn depth_is_no_obstacle() {
        let _scope = Scope::with_seed(1);
        let [x, y, z] = ["x", "y", "z"].map(parameter);
        let flat = (0..100_000).fold(x, |e, k| if k % 2 == 0 { e + y } else { z - e });
        assert_eq!(expand(flat).unwrap(), x);
        assert_eq!(collect(flat, &[x]), x);
        assert_eq!(polynomial(flat, &[x, y, z]).unwrap().terms.len(), 1);
        let (a, b) = linear_coefficients(&[flat], &[x, y]).unwrap();
        assert_eq!((a[0][0], a[0][1], b[0]), (integer(1), integer(0), integer(0)));
        // with terms that differ: linear time, or a limit
        let long = (0..100_000).fold(x, |e, k| e + parameter(&format!("p{}", k % 30_000)));
        assert!(expand(long).is_err());
        let nested = (0..100_000).fold(x, |e, k| if k % 2 == 0 { e.sin() + y } else { e * z + rational(1, 2) });
        assert_eq!(expand(nested).unwrap().arguments().len(), 3);
        assert!(collect(nested, &[z]).is_same(nested));
        assert_eq!(polynomial(nested, &[x]), None);
        let error = linear_coefficients(&[nested], &[x]).unwrap_err();
        assert!(error.term.len() < 200);
    }
}

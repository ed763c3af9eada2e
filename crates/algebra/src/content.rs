//! Which factor do all coefficients of a symbol share?
//!
//! ```text
//! a s² − 9 a/25 + b c s − 3 b c/5,  by b:   s² − 9/25 and c (s − 3/5)  →  (s − 3/5) (a (s + 3/5) + b c)       (1)
//! gcd(A, B) = A / numerator(A/B)                                                                              (2)
//! ```

use expr::{Expr, Op};
use rustc_hash::FxHashSet;

use crate::facts::Facts;
use crate::fraction;
use crate::translate::depends;

/// The equation as a product by (1), with exponents; nothing if no symbol gives one that holds variables.
pub(crate) fn split(equation: Expr, variables: &[Expr], facts: &Facts) -> Option<Vec<(Expr, i64)>> {
    equation.symbols().into_iter().find_map(|symbol| {
        let polynomial = facts.polynomial(equation, &[symbol])?;
        let parts: Vec<Expr> = polynomial.terms.iter().map(|term| term.1).collect();
        let (first, others) = parts.split_first().filter(|(_, others)| !others.is_empty())?;
        let common = others.iter().try_fold(*first, |common, &part| divisor(common, part, facts))?;
        let own: Vec<(Expr, i64)> =
            fraction::factors(common).into_iter().filter(|(factor, _)| depends(*factor, variables)).collect();
        let product = own.iter().fold(Expr::one(), |all, &(factor, n)| all * factor.pow(n));
        let rest = facts.simplify(equation.try_div(product).ok()?);
        // sin/cos written as tan is a division too
        let is_whole = fraction::of(rest).below.is_constant() && !tangents(rest).any(|e| !contains(equation, e));
        (is_whole && !own.is_empty()).then(|| [own, fraction::factors(rest)].concat())
    })
}

fn tangents(e: Expr) -> impl Iterator<Item = Expr> {
    parts(e).into_iter().filter(|part| part.op() == Op::Tan)
}

fn contains(e: Expr, part: Expr) -> bool {
    parts(e).contains(&part)
}

/// Everything that an expression is made of, from the outside in.
fn parts(e: Expr) -> Vec<Expr> {
    let (mut waiting, mut seen, mut list) = (vec![e], FxHashSet::default(), Vec::new());
    while let Some(node) = waiting.pop() {
        if seen.insert(node) {
            list.push(node);
            waiting.extend(node.arguments());
        }
    }
    list
}

/// (2); nothing if it is a number.
fn divisor(a: Expr, b: Expr, facts: &Facts) -> Option<Expr> {
    if a.is_constant() || b.is_constant() {
        return None;
    }
    let above = fraction::of(facts.simplify(a.try_div(b).ok()?)).above;
    let common = facts.simplify(a.try_div(above).ok()?);
    (!common.is_constant() && fraction::of(common).below.is_constant()).then_some(common)
}

//! Of which expression is this the square?

use expr::{Expr, Op, Rational, Substitution, sign};

use crate::facts::Facts;
use crate::fraction;
use crate::solution::Obstacle;

/// More terms than this are not looked at.
const TERMS: usize = 200;

type Terms = Vec<(Vec<u32>, Rational)>;

/// An expression whose square is `e`, if numerator and denominator are squares of polynomials; either sign.
pub(crate) fn root(e: Expr) -> Option<Expr> {
    let parts = fraction::of(e);
    polynomial_root(parts.above)?.try_div(polynomial_root(parts.below)?).ok()
}

/// The positive square root, without absolute values where signs are known.
pub(crate) fn positive_root(e: Expr, facts: &Facts) -> Result<Expr, Obstacle> {
    let half = Rational::new(1, 2).expect("two is not zero");
    e.try_pow(&half)
        .map(|root| without_abs(root, facts))
        .map_err(|error| Obstacle::Undecided { what: e.brief(), why: error.to_string() })
}

/// The expression with |u| replaced by u or −u where the sign of u is known.
pub(crate) fn without_abs(e: Expr, facts: &Facts) -> Expr {
    let mut map = Substitution::new();
    let mut waiting = vec![e];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(node) = waiting.pop() {
        if !seen.insert(node) {
            continue;
        }
        waiting.extend(node.arguments());
        if node.op() == Op::Abs {
            let inside = node.arguments()[0];
            match facts.sign(inside) & (sign::NONNEGATIVE | sign::NONPOSITIVE) {
                sign::NONNEGATIVE => map.insert(node, inside),
                sign::NONPOSITIVE => map.insert(node, -inside),
                _ => {}
            }
        }
    }
    map.apply_one(e).unwrap_or(e)
}

/// The square root of a polynomial with rational coefficients, leading term by leading term.
fn polynomial_root(e: Expr) -> Option<Expr> {
    let atoms = atoms(e);
    let polynomial = expr::polynomial(e, &atoms)?;
    let mut rest: Terms = polynomial
        .terms
        .iter()
        .map(|(exponents, c)| Some((exponents.clone(), expr::simplify(*c, &[]).as_number()?)))
        .collect::<Option<_>>()?;
    if rest.len() > TERMS {
        return None;
    }
    rest.sort_by(|a, b| b.0.cmp(&a.0));
    let (lead, c) = rest.first()?;
    let halved = lead.iter().map(|&k| (k % 2 == 0).then_some(k / 2)).collect::<Option<Vec<_>>>()?;
    let c = c.is_positive().then(|| Expr::number(c.clone()).sqrt().as_number())??;
    let twice = &c + &c;
    let mut root: Terms = vec![(halved.clone(), c)];
    rest = minus_square(&rest, &root, 0);
    while let Some((exponents, c)) = rest.first() {
        let smaller = exponents.iter().zip(&halved).map(|(a, b)| a.checked_sub(*b)).collect::<Option<Vec<_>>>()?;
        if root.len() > TERMS || root.last().is_some_and(|last| last.0 <= smaller) {
            return None;
        }
        root.push((smaller, c.checked_div(&twice)?));
        rest = minus_square(&rest, &root, root.len() - 1);
    }
    let term = |(exponents, c): &(Vec<u32>, Rational)| {
        let powers = atoms.iter().zip(exponents).map(|(atom, &k)| atom.pow(i64::from(k)));
        Expr::number(c.clone()) * Expr::product(&powers.collect::<Vec<_>>())
    };
    Some(Expr::sum(&root.iter().map(term).collect::<Vec<_>>()))
}

/// What is left when the new term of a root, at `place`, and its products with the earlier ones are taken off.
fn minus_square(rest: &Terms, root: &Terms, place: usize) -> Terms {
    let (new, c) = &root[place];
    let mut rest = rest.clone();
    for (k, (old, d)) in root[..=place].iter().enumerate() {
        let product = &(c * d) * &Rational::from(if k == place { 1 } else { 2 });
        let exponents: Vec<u32> = new.iter().zip(old).map(|(a, b)| a + b).collect();
        match rest.iter_mut().find(|term| term.0 == exponents) {
            Some(term) => term.1 = &term.1 - &product,
            None => rest.push((exponents, -&product)),
        }
    }
    rest.retain(|term| !term.1.is_zero());
    rest.sort_by(|a, b| b.0.cmp(&a.0));
    rest
}

/// What an expression is made of by sums, products and integer powers.
fn atoms(e: Expr) -> Vec<Expr> {
    let mut found = Vec::new();
    let mut waiting = vec![e];
    while let Some(node) = waiting.pop() {
        let arguments = node.arguments();
        match node.op() {
            Op::Number => {}
            Op::Sum | Op::Scale | Op::Product => waiting.extend(arguments),
            Op::Power if arguments[1].as_number().is_some_and(|n| n.is_integer()) => waiting.push(arguments[0]),
            _ if found.contains(&node) => {}
            _ => found.push(node),
        }
    }
    found
}

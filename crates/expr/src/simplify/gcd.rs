//! What do two polynomials have in common?
//!
//! Primitive remainder sequences, one variable after another, behind a quick test in a prime
//! field that sends coprime polynomials home. Bounded by a budget: `None` when it runs out.

use std::cmp::Reverse;

use crate::field::mix;
use crate::graph::Id;
use crate::number::Rational;
use crate::polynomial::sparse::{Budget, Monomial, Sparse};

/// Larger polynomials are not compared.
const TERMS: usize = 120;
/// 2⁶¹ − 1.
const P: u64 = (1 << 61) - 1;

/// The greatest common divisor of two polynomials without negative exponents, with coprime
/// integer coefficients.
pub(crate) fn gcd(a: &Sparse, b: &Sparse, budget: &mut Budget) -> Option<Sparse> {
    if a.is_zero() || b.is_zero() {
        return Some(primitive(if a.is_zero() { b } else { a }));
    }
    let common = a.common_monomial().merged(&b.common_monomial(), |x, y| x.min(y).max(0));
    let (a, b) = (stripped(a), stripped(b));
    let rest = gcd_of_stripped(&a, &b, budget)?;
    Some(rest.times_term(&common, &Rational::ONE))
}

fn gcd_of_stripped(a: &Sparse, b: &Sparse, budget: &mut Budget) -> Option<Sparse> {
    if a.len() == 1 || b.len() == 1 {
        return Some(Sparse::number(Rational::ONE));
    }
    if a == b {
        return Some(a.clone());
    }
    if a.len() > TERMS || b.len() > TERMS {
        return None;
    }
    budget.spend(a.len() + b.len()).ok()?;
    let (left, right) = (a.atoms(), b.atoms());
    // a variable of one only: the divisor is free of it, so it divides every coefficient
    for (p, other, atoms, others) in [(a, b, &left, &right), (b, a, &right, &left)] {
        if let Some(&x) = atoms.iter().find(|x| !others.contains(x)) {
            return coefficients(p, x).into_iter().try_fold(other.clone(), |g, (_, c)| {
                if g.as_number().is_some() { Some(g) } else { gcd(&g, &c, budget) }
            });
        }
    }
    let &x = left.iter().min_by_key(|&&x| degree(a, x).min(degree(b, x)))?;
    let (content_a, content_b) = (content(a, x, budget)?, content(b, x, budget)?);
    let content = gcd(&content_a, &content_b, budget)?;
    let (mut p, mut q) = (a.divided_by(&content_a, budget)?, b.divided_by(&content_b, budget)?);
    if is_coprime_at_a_point(&p, &q, x) {
        return Some(content);
    }
    if degree(&p, x) < degree(&q, x) {
        std::mem::swap(&mut p, &mut q);
    }
    loop {
        let rest = remainder(&p, &q, x, budget)?;
        if rest.is_zero() {
            return Some(primitive(&product(&content, &q, budget)?));
        }
        if degree(&rest, x) == 0 {
            return Some(content);
        }
        let rest = stripped(&rest);
        let factor = self::content(&rest, x, budget)?;
        p = q;
        q = rest.divided_by(&factor, budget)?;
    }
}

/// Without the common monomial and number.
fn stripped(p: &Sparse) -> Sparse {
    primitive(&p.times_term(&p.common_monomial().power(-1), &Rational::ONE))
}

/// With coprime integer coefficients, the first positive.
pub(crate) fn primitive(p: &Sparse) -> Sparse {
    let inverse = p.content().recip().unwrap_or(Rational::ONE);
    p.times_term(&Monomial::one(), &inverse)
}

/// A product in which roots are symbols like any other.
fn product(a: &Sparse, b: &Sparse, budget: &mut Budget) -> Option<Sparse> {
    budget.spend(a.len() * b.len()).ok()?;
    let terms = a.terms().iter().flat_map(|(m, c)| b.times_term(m, c).into_terms());
    let product = Sparse::new(terms.collect());
    (product.len() <= 4 * TERMS).then_some(product)
}

pub(crate) fn degree(p: &Sparse, x: Id) -> i32 {
    p.terms().iter().map(|(m, _)| m.exponent(x)).max().unwrap_or(0)
}

/// The coefficients of the powers of x, highest first.
pub(crate) fn coefficients(p: &Sparse, x: Id) -> Vec<(i32, Sparse)> {
    let mut terms: Vec<(i32, Monomial, Rational)> =
        p.terms().iter().map(|(m, c)| (m.exponent(x), m.without(x), c.clone())).collect();
    terms.sort_by_key(|term| Reverse(term.0));
    let runs = terms.chunk_by(|a, b| a.0 == b.0);
    runs.map(|run| (run[0].0, Sparse::new(run.iter().map(|(_, m, c)| (m.clone(), c.clone())).collect()))).collect()
}

/// The greatest common divisor of the coefficients of the powers of x.
pub(crate) fn content(p: &Sparse, x: Id, budget: &mut Budget) -> Option<Sparse> {
    let mut list = coefficients(p, x);
    list.sort_by_key(|(_, c)| c.len());
    list.into_iter().try_fold(Sparse::zero(), |g, (_, c)| {
        if g.as_number().is_some_and(|n| n.is_one()) { Some(g) } else { gcd(&g, &c, budget) }
    })
}

/// The pseudo-remainder of p by q as polynomials in x.
fn remainder(p: &Sparse, q: &Sparse, x: Id, budget: &mut Budget) -> Option<Sparse> {
    let (n, lead) = coefficients(q, x).into_iter().next()?;
    let mut rest = p.clone();
    while !rest.is_zero() && degree(&rest, x) >= n {
        let (k, c) = coefficients(&rest, x).into_iter().next()?;
        let shift = q.times_term(&Monomial::of(x, k - n), &Rational::ONE);
        rest = product(&rest, &lead, budget)?.minus(&product(&shift, &c, budget)?);
    }
    Some(rest)
}

/// With numbers for all other variables, modulo a prime: if these are coprime, so are p and q
/// as polynomials in x, whatever divides their coefficients.
fn is_coprime_at_a_point(p: &Sparse, q: &Sparse, x: Id) -> bool {
    let (Some(mut a), Some(mut b)) = (image(p, x), image(q, x)) else { return false };
    while !b.is_empty() {
        while a.len() >= b.len() {
            let shift = a.len() - b.len();
            let c = mul(a[a.len() - 1], inverse(b[b.len() - 1]));
            for (k, &d) in b.iter().enumerate() {
                a[k + shift] = (a[k + shift] + P - mul(c, d)) % P;
            }
            trim(&mut a);
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.len() == 1
}

/// The coefficients in x, lowest first; `None` if the degree falls at this point.
fn image(p: &Sparse, x: Id) -> Option<Vec<u64>> {
    let mut list = vec![0; usize::try_from(degree(p, x)).ok()? + 1];
    for (m, c) in p.terms() {
        let (n, d) = c.residues(P);
        let mut value = if d == 1 { n % P } else { mul(n % P, inverse(d % P)) };
        for &(atom, k) in m.factors().iter().filter(|factor| factor.0 != x) {
            value = mul(value, power(mix(0x67_6364, u64::from(atom)) % P, u64::try_from(k).ok()?));
        }
        let place = &mut list[usize::try_from(m.exponent(x)).ok()?];
        *place = (*place + value) % P;
    }
    (list.last() != Some(&0)).then_some(list)
}

fn trim(list: &mut Vec<u64>) {
    while list.last() == Some(&0) {
        list.pop();
    }
}

fn mul(a: u64, b: u64) -> u64 {
    // 2⁶¹ ≡ 1, so that the upper half is added to the lower one
    let product = u128::from(a) * u128::from(b);
    let sum = (product as u64 & P) + (product >> 61) as u64;
    if sum >= P { sum - P } else { sum }
}

fn power(mut a: u64, mut n: u64) -> u64 {
    let mut result = 1;
    while n > 0 {
        if n % 2 == 1 {
            result = mul(result, a);
        }
        a = mul(a, a);
        n /= 2;
    }
    result
}

fn inverse(a: u64) -> u64 {
    power(a, P - 2)
}

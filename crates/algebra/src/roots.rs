//! What are the roots of a polynomial in one variable?
//!
//! ```text
//! a x² + 2 b x + c        x = (−b ± √(b² − a c))/a          real if b² − a c >= 0            (1)
//! p(x^k)                  x = u^(1/k), p(u) = 0             for even k: ±, real if u >= 0     (2)
//! p(x) with p(r) = 0      x = r, and the roots of p/(x − r)                                   (3)
//! p = (a x² + b x + c) q  the roots of both                 numbers only, see factor.rs       (4)
//! ```
//!
//! Roots r for (3) are tried: fractions where the coefficients are numbers, ±1, and what grouping two
//! neighbouring terms gives.

use expr::{Comparison, Expr, Rational, integer};

use crate::factor;
use crate::facts::Facts;
use crate::fraction;
use crate::solution::{Condition, Obstacle};
use crate::square;

/// A root with what must hold for it to be real.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub value: Expr,
    pub conditions: Vec<Condition>,
    pub multiplicity: u32,
}

impl Root {
    fn certain(value: Expr, multiplicity: u32) -> Root {
        Root { value, conditions: Vec::new(), multiplicity }
    }
}

/// What satisfies an equation.
#[derive(Clone, Debug)]
pub(crate) enum Found<T> {
    /// These, and nothing else.
    All(T),
    /// Everything: the equation says nothing.
    Anything,
    /// One must know first whether this vanishes.
    MayVanish(Expr),
}

/// Integers with more divisors than this are not searched for fractions.
const DIVISORS: u64 = 100_000;

/// The real roots of Σ aₖ xᵏ, lowest coefficient first; `of` names x.
pub(crate) fn roots(coefficients: &[Expr], of: Expr, facts: &Facts) -> Result<Found<Vec<Root>>, Obstacle> {
    let mut a: Vec<Expr> = coefficients.iter().map(|&c| facts.simplify(c)).collect();
    while a.last().is_some_and(|&c| facts.vanishes(c)) {
        a.pop();
    }
    if a.is_empty() {
        return Ok(Found::Anything);
    }
    if let [constant] = a[..] {
        let zero = Condition { value: constant, comparison: Comparison::Equal };
        return Ok(match facts.judge(&zero) {
            Some(Err(contradiction)) => Found::All(contradiction.no_case()),
            _ => Found::MayVanish(constant),
        });
    }
    let mut found: Vec<Root> = Vec::new();
    while a.len() > 1 {
        let leading = a[a.len() - 1];
        if !facts.is_nonzero(leading) {
            return Ok(Found::MayVanish(leading));
        }
        if facts.vanishes(a[0]) {
            a.remove(0);
            add(&mut found, Root::certain(Expr::zero(), 1), facts);
            continue;
        }
        match a.len() {
            2 => {
                add(&mut found, Root::certain(facts.simplify(-a[0] / a[1]), 1), facts);
                break;
            }
            3 => {
                quadratic(&a, facts)?.into_iter().for_each(|root| add(&mut found, root, facts));
                break;
            }
            _ => {}
        }
        if let Some((root, rest)) = divided(&a, facts) {
            add(&mut found, Root::certain(root, 1), facts);
            a = rest;
            continue;
        }
        if let Some((two, rest)) = of_two(&a) {
            quadratic(&two, facts)?.into_iter().for_each(|root| add(&mut found, root, facts));
            a = rest;
            continue;
        }
        match decomposed(&a, of, facts)? {
            Found::All(list) => list.into_iter().for_each(|root| add(&mut found, root, facts)),
            other => return Ok(other),
        }
        break;
    }
    Ok(Found::All(found))
}

/// Equal roots are one root of a higher multiplicity.
fn add(found: &mut Vec<Root>, root: Root, facts: &Facts) {
    // conditions of the one must not fall on the other
    let same = |old: &&mut Root| old.conditions == root.conditions && facts.vanishes(old.value - root.value);
    match found.iter_mut().find(same) {
        Some(old) => old.multiplicity += root.multiplicity,
        None => found.push(root),
    }
}

/// (1).
fn quadratic(a: &[Expr], facts: &Facts) -> Result<Vec<Root>, Obstacle> {
    let (c, b, a) = (a[0], a[1] / integer(2), a[2]);
    let middle = facts.simplify(-b / a);
    let discriminant = facts.simplify(if b.is_zero() { -c / a } else { b.pow(2) - a * c });
    if facts.vanishes(discriminant) {
        return Ok(vec![Root::certain(middle, 2)]);
    }
    let is_real = Condition { value: discriminant, comparison: Comparison::AtLeast };
    let exact = square::root(discriminant);
    let conditions = match facts.judge(&is_real) {
        Some(Err(contradiction)) => return Ok(contradiction.no_case()),
        None if exact.is_none() => vec![is_real],
        _ => Vec::new(),
    };
    let root = exact.map_or_else(|| square::positive_root(discriminant, facts), Ok)?;
    let value = |root: Expr| facts.simplify(if b.is_zero() { root } else { (root - b) / a });
    let one = |root: Expr| Root { value: value(root), conditions: conditions.clone(), multiplicity: 1 };
    Ok(vec![one(root), one(-root)])
}

/// (2).
fn decomposed(a: &[Expr], of: Expr, facts: &Facts) -> Result<Found<Vec<Root>>, Obstacle> {
    let used = (1..a.len()).filter(|&k| !a[k].is_zero());
    let step = used.fold(0, |mut step, mut k| {
        while k != 0 {
            (step, k) = (k, step % k);
        }
        step
    });
    if step < 2 {
        return Err(degree_obstacle(a, of));
    }
    let inner: Vec<Expr> = a.iter().copied().step_by(step).collect();
    let inner = match roots(&inner, of.pow(step as i64), facts)? {
        Found::All(list) => list,
        other => return Ok(other),
    };
    let mut list = Vec::new();
    for root in inner {
        let Some(outer) = outer_roots(&root, step, facts) else { return Err(degree_obstacle(a, of)) };
        list.extend(outer);
    }
    Ok(Found::All(list))
}

/// The real x with x^k = u.
fn outer_roots(u: &Root, k: usize, facts: &Facts) -> Option<Vec<Root>> {
    let with = |value: Expr, conditions: Vec<Condition>| Root { value, conditions, multiplicity: u.multiplicity };
    if k % 2 == 1 {
        let value = if k == 3 { u.value.try_function(expr::Op::Cbrt).ok()? } else { return None };
        return Some(vec![with(value, u.conditions.clone())]);
    }
    let is_real = Condition { value: u.value, comparison: Comparison::AtLeast };
    let mut conditions = u.conditions.clone();
    match facts.judge(&is_real) {
        Some(Err(contradiction)) => return Some(contradiction.no_case()),
        Some(Ok(())) => {}
        None => conditions.push(is_real),
    }
    let half = square::positive_root(u.value, facts).ok()?;
    let value = if k == 2 { half } else { half.try_pow(&Rational::new(2, k as i64)?).ok()? };
    Some(vec![with(value, conditions.clone()), with(-value, conditions)])
}

fn degree_obstacle(a: &[Expr], of: Expr) -> Obstacle {
    let polynomial: Vec<Expr> = a.iter().zip(0..).map(|(&c, k)| c * of.pow(k)).collect();
    let degree = a.len() as u32 - 1;
    Obstacle::Degree { degree, of: of.to_string(), polynomial: Expr::sum(&polynomial).brief() }
}

/// (3): a root that can be guessed, and the quotient.
fn divided(a: &[Expr], facts: &Facts) -> Option<(Expr, Vec<Expr>)> {
    let numbers: Option<Vec<Rational>> = a.iter().map(|c| c.as_number()).collect();
    let mut candidates = vec![Expr::one(), -Expr::one()];
    match numbers {
        Some(numbers) => candidates.extend(fractions(&numbers)),
        None => {
            let usable = a.windows(2).filter(|pair| !facts.vanishes(pair[1]) && !pair[0].is_zero());
            candidates.extend(usable.map(|pair| facts.simplify(-pair[0] / pair[1])));
        }
    }
    // a root that divides by what may vanish would be missing where it does
    candidates.retain(|&r| facts.is_nonzero(fraction::of(r).below));
    candidates.into_iter().find_map(|r| {
        let mut quotient = vec![a[a.len() - 1]];
        for &c in a[..a.len() - 1].iter().rev() {
            quotient.push(facts.simplify(quotient[quotient.len() - 1] * r + c));
        }
        let rest = quotient.pop()?;
        quotient.reverse();
        facts.vanishes(rest).then_some((r, quotient))
    })
}

/// (4).
fn of_two(a: &[Expr]) -> Option<(Vec<Expr>, Vec<Expr>)> {
    let numbers: Vec<Rational> = a.iter().map(|c| c.as_number()).collect::<Option<_>>()?;
    let (two, rest) = factor::quadratic(&numbers)?;
    let expressions = |list: Vec<Rational>| list.into_iter().map(Expr::number).collect();
    Some((expressions(two), expressions(rest)))
}

/// The fractions that can be roots of a polynomial with rational coefficients.
fn fractions(numbers: &[Rational]) -> Vec<Expr> {
    let scale = numbers.iter().fold(Rational::ONE, |scale, number| &scale * &(number * &scale).denominator());
    let [low, high] = [&numbers[0], &numbers[numbers.len() - 1]]
        .map(|number| (number * &scale).abs().to_i64().map(i64::cast_unsigned));
    let (Some(low), Some(high)) = (low.and_then(divisors), high.and_then(divisors)) else { return Vec::new() };
    let ratio = |n: u64, d: u64| Rational::from_u64(n).checked_div(&Rational::from_u64(d));
    let pairs = low.iter().flat_map(|&n| high.iter().filter_map(move |&d| ratio(n, d)));
    pairs.flat_map(|r| [Expr::number(-&r), Expr::number(r)]).collect()
}

fn divisors(n: u64) -> Option<Vec<u64>> {
    let bound = n.isqrt();
    let small: Vec<u64> = (bound <= DIVISORS).then(|| (1..=bound).filter(|d| n.is_multiple_of(*d)).collect())?;
    let large: Vec<u64> = small.iter().map(|d| n / d).collect();
    Some(small.into_iter().chain(large).collect())
}

//! Which terms of a sum are a square?
//!
//! ```text
//! n a² + n b² ± 2 n a b   →   n (a ± b)²            three terms of a longer sum, if that is shorter             (1)
//! ```
//!
//! The square of a distance comes out so, (x₁ − x₂)² + (y₁ − y₂)², which has no factor that a search for brackets could find.

use expr::{Expr, Kind, Op, Rational};

/// Longer sums are left as they are.
const MOST: usize = 24;

/// A term as a number and powers.
struct Term {
    number: Rational,
    powers: Vec<(Expr, i64)>,
}

impl Term {
    /// Nothing where a factor has a power that is no integer, or is a sine or cosine.
    fn of(term: Expr) -> Option<Term> {
        let (mut number, mut powers, mut waiting) = (Rational::ONE, Vec::<(Expr, i64)>::new(), vec![term]);
        while let Some(e) = waiting.pop() {
            let arguments = e.arguments();
            let (base, n) = match e.op() {
                Op::Number => {
                    number = &number * &e.as_number()?;
                    continue;
                }
                Op::Scale | Op::Product => {
                    waiting.extend(arguments);
                    continue;
                }
                Op::Power if matches!(arguments[0].op(), Op::Sin | Op::Cos) => return None,
                Op::Power => (arguments[0], arguments[1].as_number()?.to_i64()?),
                // squares of sines and cosines meet each other
                Op::Sin | Op::Cos | Op::Tan => return None,
                _ => (e, 1),
            };
            match powers.iter_mut().find(|one| one.0 == base) {
                Some(one) => one.1 += n,
                None => powers.push((base, n)),
            }
        }
        powers.retain(|one| one.1 != 0);
        Some(Term { number, powers })
    }

    fn power(&self, base: Expr) -> i64 {
        self.powers.iter().find(|one| one.0 == base).map_or(0, |one| one.1)
    }

    fn has_powers_of(&self, other: &Term) -> bool {
        self.powers.len() == other.powers.len() && self.powers.iter().all(|&(base, n)| other.power(base) == n)
    }

    /// What it has besides a common factor, and the root of that: u where the term is n·g·u².
    fn root_over(&self, common: &[(Expr, i64)], number: &Rational) -> Option<Expr> {
        let rest = Expr::number(&self.number * &number.recip()?).sqrt().as_number()?;
        let shared = |base: Expr| common.iter().find(|one| one.0 == base).map_or(0, |one| one.1);
        let mut factors = vec![Expr::number(rest)];
        for &(base, n) in &self.powers {
            let left = n - shared(base);
            if left % 2 != 0 || left < 0 {
                return None;
            }
            factors.push(base.try_pow(&Rational::from(left / 2)).ok()?);
        }
        Some(Expr::product(&factors))
    }
}

/// A sum with squares in it (1), if it is shorter; it is the same sum.
pub fn with_squares(sum: Expr) -> Expr {
    let mut best = sum;
    if !sum.arguments().iter().any(|&term| Term::of(term).is_some_and(|term| term.powers.iter().any(|one| one.1 > 1))) {
        return sum;
    }
    while best.op() == Op::Sum && (3..=MOST).contains(&best.arguments().len()) {
        match once(best).filter(|made| made.letters() < best.letters()) {
            Some(made) => best = made,
            None => break,
        }
    }
    best
}

/// The sum with the first square that is found.
fn once(sum: Expr) -> Option<Expr> {
    // what is found first is written first
    let mut list = sum.arguments();
    list.sort_by_cached_key(|term| term.to_string());
    let terms: Vec<Option<Term>> = list.iter().map(|&term| Term::of(term)).collect();
    for (j, one) in terms.iter().enumerate() {
        for (k, other) in terms.iter().enumerate().skip(j + 1) {
            let (Some(one), Some(other)) = (one, other) else { continue };
            let Some((factor, [a, b])) = roots(one, other) else { continue };
            if !moves(a) || !moves(b) {
                continue;
            }
            let Some(twice) = Term::of(Expr::from(2) * factor * a * b) else { continue };
            let sign = |term: &Option<Term>| match term.as_ref().filter(|term| term.has_powers_of(&twice))? {
                term if term.number == twice.number => Some(b),
                term if term.number == -twice.number.clone() => Some(-b),
                _ => None,
            };
            let middle = terms.iter().enumerate().find_map(|(place, term)| Some((place, sign(term)?)));
            let Some((middle, b)) = middle.filter(|(place, _)| *place != j && *place != k) else { continue };
            let square = factor * (a + b).try_pow(&Rational::from(2)).ok()?;
            let rest = list.iter().enumerate().filter(|(place, _)| ![j, k, middle].contains(place));
            let made: Vec<Expr> = rest.map(|(_, &term)| term).chain([square]).collect();
            return Some(Expr::sum(&made)).filter(|made| made.is_same(sum));
        }
    }
    None
}

/// Does a coordinate or a rate stand in it? Of parameters alone, l^2 + 2*l*a + a^2 stays.
fn moves(e: Expr) -> bool {
    e.symbols().iter().any(|one| one.as_symbol().is_some_and(|one| one.kind != Kind::Parameter))
}

/// What two terms share, and the roots of what is left of each.
fn roots(one: &Term, other: &Term) -> Option<(Expr, [Expr; 2])> {
    if one.number.is_negative() != other.number.is_negative() {
        return None;
    }
    let number = one.number.gcd(&other.number).abs();
    let number = if one.number.is_negative() { -number } else { number };
    let common: Vec<(Expr, i64)> = one.powers.iter().map(|&(base, n)| (base, n.min(other.power(base)))).collect();
    let roots = [one.root_over(&common, &number)?, other.root_over(&common, &number)?];
    let powers =
        common.iter().map(|(base, n)| base.try_pow(&Rational::from(*n)).ok()).collect::<Option<Vec<Expr>>>()?;
    Some((Expr::product(&powers) * Expr::number(number), roots))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_of_distances() {
        let _scope = expr::Scope::with_seed(3);
        assert!(["x", "y", "x1", "x2", "y1", "y2"].map(expr::coordinate).iter().all(|&q| moves(q)));
        let text = |text: &str| with_squares(expr::parse(text).unwrap()).to_string();
        assert_eq!(text("x1^2 - 2*x1*x2 + y1^2 - 2*y1*y2 + x2^2 + y2^2"), "(x1 - x2)^2 + (y1 - y2)^2");
        assert_eq!(text("m*x^2 + 2*m*l*x*y + m*l^2*y^2 + m*z^2"), "m*(x + l*y)^2 + m*z^2");
        assert_eq!(text("4*x^2 - 12*x*y + 9*y^2 + z"), "(2*x - 3*y)^2 + z");
        // another middle, another sign, no middle
        for plain in [
            "sin(z)^2 + 2*sin(z)*x + x^2 + y",
            "m^2 + 2*m*z + z^2 + y",
            "x^2 - x*y + y^2 + z",
            "x^2 - 2*x*y - y^2 + z",
            "x^2 + y^2 + z^2",
            "2*x^2 - 2*x*y + y^2",
        ] {
            let e = expr::parse(plain).unwrap();
            assert_eq!(with_squares(e), e, "{plain}");
        }
    }
}

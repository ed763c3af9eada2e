//! What do all terms of an equation share, that it may be divided by?
//!
//! ```text
//! m*l*x''*cos(phi) + m*l^2*phi'' = -m*g*l*sin(phi)      by m*l        cos(phi)*x'' + l*phi'' = -g*sin(phi)
//! ```
//!
//! A number, and parameters that are known not to vanish. The number stays where a term is nothing but an
//! unknown, and where a load or a multiplier would get one: `7*m*x''/5 = F` is not `7*m*x'' = 5*F`. Sums of positive
//! parameters, such as m1 + m2, are divided out as parameters are.

use expr::{Expr, Kind, Op, Rational};

use crate::readable::length;

/// What does a bracket give out that all its terms share?
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Deep {
    /// Nothing.
    No,
    /// Parameters.
    Parameters,
    /// Parameters and fractions.
    Fractions,
}

/// A bracket keeps a smaller share than one in so many.
const FINEST: i64 = 100;

/// A term as a number and powers.
struct Term {
    number: Rational,
    factors: Vec<(Expr, i64)>,
}

impl Term {
    /// What a term is made of, and what brackets give out.
    fn of(term: Expr, known: &dyn Fn(Expr) -> bool, deep: Deep) -> Term {
        let mut made = Term { number: Rational::ONE, factors: Vec::new() };
        let mut waiting = vec![term];
        while let Some(e) = waiting.pop() {
            let arguments = e.arguments();
            match e.op() {
                Op::Number => made.number = &made.number * &e.as_number().unwrap_or(Rational::ONE),
                Op::Scale | Op::Product => waiting.extend(arguments),
                Op::Sum if deep != Deep::No => {
                    let number = if deep == Deep::Fractions { share(e) } else { Rational::ONE };
                    let by = shared(&[e], known, Deep::No).unwrap_or_else(Expr::one) * Expr::number(number);
                    if by == Expr::one() {
                        made.factors.push((e, 1));
                    } else {
                        made.factors.push((divided(e, by, known, Deep::No), 1));
                        waiting.push(by);
                    }
                }
                Op::Power => match arguments[1].as_number().and_then(|n| n.to_i64()) {
                    Some(n) => made.factors.push((arguments[0], n)),
                    None => made.factors.push((e, 1)),
                },
                _ => made.factors.push((e, 1)),
            }
        }
        made
    }

    fn power_of(&self, base: Expr) -> i64 {
        self.factors.iter().filter(|(own, _)| *own == base).map(|(_, n)| n).sum()
    }

    /// Is it one unknown and nothing else but a sign, or a load without a number?
    fn is_bare(&self, known: &dyn Fn(Expr) -> bool) -> bool {
        let kind = |symbol: Expr| symbol.as_symbol().map(|symbol| symbol.kind);
        let moves = |symbol| matches!(kind(symbol), Some(Kind::Coordinate | Kind::QuasiVelocity));
        let is_load = |symbol| match kind(symbol) {
            Some(Kind::Multiplier) => true,
            Some(Kind::Parameter) => !known(symbol),
            _ => false,
        };
        let alone = matches!(self.factors[..], [(symbol, 1)] if moves(symbol));
        self.number.abs().is_one() && (alone || self.factors.iter().any(|&(symbol, _)| is_load(symbol)))
    }
}

/// The terms of a sum.
fn terms(e: Expr) -> Vec<Expr> {
    match e.op() {
        Op::Sum => e.arguments(),
        _ if e == Expr::zero() => Vec::new(),
        _ => vec![e],
    }
}

/// The number that the terms of a bracket share, if it is a fraction: 1/4 of m*r^2/4 + J/2.
fn share(sum: Expr) -> Rational {
    let numbers = sum.arguments().into_iter().map(|term| Term::of(term, &|_| false, Deep::No).number);
    let shared = numbers.fold(Rational::ZERO, |gcd, number| gcd.gcd(&number)).abs();
    if shared.is_integer() || shared.denominator() > Rational::from(FINEST) { Rational::ONE } else { shared }
}

/// What an equation between two sides is best divided by; `known` tells which symbols are parameters that do not vanish.
pub fn common(sides: &[Expr; 2], known: &dyn Fn(Expr) -> bool, deep: Deep) -> Option<Expr> {
    // of two that are as long, the one with fewer fractions; beside multipliers these stay
    let is_loaded = sides.iter().any(|side| side.symbols().iter().any(|&one| is_multiplier(one)));
    let total = |by: Option<Expr>| {
        let sides = sides.map(|side| by.map_or(side, |by| divided(side, by, known, deep)));
        let length = sides.iter().map(|&side| length(side)).fold(0, usize::saturating_add);
        (length, if length < usize::MAX && !is_loaded { fractions(&sides) } else { 0 })
    };
    let letters = shared(sides, known, deep);
    let whole = letters.unwrap_or_else(Expr::one) * number(sides, known, deep);
    let candidates = [letters, Some(whole).filter(|&whole| whole != Expr::one())].into_iter().flatten();
    let over = below(sides, known).into_iter().map(|over| flat_product(&[letters.unwrap_or_else(Expr::one), over]));
    let (mut best, mut least) = (None, total(None));
    for candidate in candidates.chain(over) {
        let own = total(Some(candidate));
        if own < least {
            (best, least) = (Some(candidate), own);
        }
    }
    best
}

fn is_multiplier(symbol: Expr) -> bool {
    symbol.as_symbol().is_some_and(|symbol| symbol.kind == Kind::Multiplier)
}

/// How many fractions are written.
fn fractions(sides: &[Expr]) -> usize {
    sides.iter().map(|side| side.to_string().matches('/').count()).sum()
}

/// Sums that do not vanish and that some terms are divided by, r''/(m1 + m2): a side may have fewer brackets without them.
fn below(sides: &[Expr], known: &dyn Fn(Expr) -> bool) -> Vec<Expr> {
    let list = sides.iter().flat_map(|&side| terms(side)).map(|term| Term::of(term, known, Deep::No));
    let sums = list.flat_map(|term| term.factors).filter(|&(base, n)| n < 0 && base.op() == Op::Sum && known(base));
    let mut found: Vec<Expr> = Vec::new();
    for (base, n) in sums {
        let over = base.try_pow(&Rational::from(n)).unwrap_or_else(|_| Expr::one());
        if over != Expr::one() && !found.contains(&over) {
            found.push(over);
        }
    }
    found
}

/// The parameters that all terms share.
fn shared(sides: &[Expr], known: &dyn Fn(Expr) -> bool, deep: Deep) -> Option<Expr> {
    let list = sides.iter().flat_map(|&side| terms(side));
    let list: Vec<Term> = list.map(|term| Term::of(term, known, deep)).collect();
    let first = list.first()?;
    let mut shared = Vec::new();
    let mut bases: Vec<Expr> = first.factors.iter().map(|factor| factor.0).filter(|&base| known(base)).collect();
    bases.dedup();
    for base in bases {
        let powers = list.iter().map(|term| term.power_of(base));
        let (least, most) = powers.fold((i64::MAX, i64::MIN), |(a, b), n| (a.min(n), b.max(n)));
        let n = if least > 0 { least } else { most.min(0) };
        if n != 0 && !shared.iter().any(|&(known, _)| known == base) {
            shared.push((base, n));
        }
    }
    let powers = shared.into_iter().map(|(base, n)| base.try_pow(&Rational::from(n)).unwrap_or_else(|_| Expr::one()));
    let product = Expr::product(&powers.collect::<Vec<Expr>>());
    (product != Expr::one()).then_some(product)
}

/// The number that all terms share; 1 where a term is bare.
fn number(sides: &[Expr], known: &dyn Fn(Expr) -> bool, deep: Deep) -> Expr {
    let list: Vec<Term> = sides.iter().flat_map(|&side| terms(side)).map(|term| Term::of(term, known, deep)).collect();
    if list.iter().any(|term| term.is_bare(known)) {
        return Expr::one();
    }
    let number = list.iter().fold(Rational::ZERO, |gcd, term| gcd.gcd(&term.number)).abs();
    if number.is_zero() { Expr::one() } else { Expr::number(number) }
}

/// A sum divided term by term.
pub fn divided(e: Expr, by: Expr, known: &dyn Fn(Expr) -> bool, deep: Deep) -> Expr {
    let Ok(inverse) = Expr::one().try_div(by) else { return e };
    let over = |term: Expr| {
        let own = Term::of(term, known, deep);
        let mut factors = vec![Expr::number(own.number), inverse];
        for (base, n) in own.factors {
            factors.push(base.try_pow(&Rational::from(n)).unwrap_or(base));
        }
        flat_product(&factors)
    };
    // a bracket that has lost its factor is no bracket
    Expr::sum(&terms(e).into_iter().map(over).flat_map(terms).collect::<Vec<Expr>>())
}

/// A product without products in it, so that powers meet.
fn flat_product(list: &[Expr]) -> Expr {
    let (mut flat, mut waiting) = (Vec::new(), list.to_vec());
    while let Some(e) = waiting.pop() {
        match e.op() {
            Op::Product | Op::Scale => waiting.extend(e.arguments()),
            _ => flat.push(e),
        }
    }
    Expr::product(&flat)
}

/// A sum that is zero with the sign that leaves fewer minuses; an unknown that stands alone keeps its plus.
pub fn with_fewer_minuses(left: Expr) -> Expr {
    let list = terms(left);
    let parts: Vec<Term> = list.iter().map(|&term| Term::of(term, &|_| false, Deep::No)).collect();
    let negative = parts.iter().filter(|term| term.number.is_negative()).count();
    let alone = parts.iter().any(|term| term.is_bare(&|_| true) && !term.number.is_negative());
    if 2 * negative > list.len() && !alone {
        Expr::sum(&list.into_iter().map(|term| -term).collect::<Vec<Expr>>())
    } else {
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(left: &str, right: &str, expected: Option<(&str, &str)>) {
        let _scope = expr::Scope::with_seed(3);
        let sides = expr::parse_all(&[left, right]).unwrap();
        let is_known = |e: Expr| e.as_symbol().is_some_and(|s| s.kind == Kind::Parameter && s.name != "F");
        let known = |e: Expr| is_known(e) || e.op() == Op::Sum && e.arguments().into_iter().all(is_known);
        let found = common(&[sides[0], sides[1]], &known, Deep::Fractions);
        let over = |k: usize, by| divided(sides[k], by, &known, Deep::Fractions);
        let made = found.map(|by| (by.to_string(), format!("{} = {}", over(0, by), over(1, by))));
        let made = made.as_ref().map(|(by, text)| (by.as_str(), text.as_str()));
        assert_eq!(made, expected);
    }

    #[test]
    fn what_all_terms_share_is_divided_out() {
        check("m*l*x''*cos(a) + m*l^2*a''", "-m*g*l*sin(a)", Some(("m*l", "cos(a)*x'' + l*a'' = -g*sin(a)")));
        check("m*r^2*(2 - b)*a''/4 + m*r^2*c''/2", "0", Some(("m*r^2/4", "(2 - b)*a'' + 2*c'' = 0")));
        check("7*m*x''/5", "F", None);
        check("m*x'' + m*l*y''", "F*l", None);
        check("m*l*x''/4 + m*l^2*y''/2", "F*l", Some(("l", "m*x''/4 + m*l*y''/2 = F")));
        check("2*x*x'' + 2*(y^2 + z^2)", "0", Some(("2", "x*x'' + y^2 + z^2 = 0")));
        check("15*x'' + 30*y'' + 45*y", "0", Some(("15", "x'' + 2*y'' + 3*y = 0")));
        check("x''/l + g*y/l", "0", Some(("1/l", "x'' + g*y = 0")));
        check("x'' + 2*y", "0", None);
        check("(m*a^2*y + m*b)*x'' + m*l", "0", Some(("m", "(a^2*y + b)*x'' + l = 0")));
        // sums are known here if their symbols are: two bodies about their mass centre
        check(
            "a*b*x''/(a + b) - a*b*x*y'^2/(a + b)",
            "-a*b*c/x^2",
            Some(("a*b/(a + b)", "x'' - x*y'^2 = -c*(a + b)/x^2")),
        );
        // fewer fractions, and those in brackets; not beside multipliers
        check("3*m*x''/2", "m*g*sin(y)", Some(("m/2", "3*x'' = 2*g*sin(y)")));
        check("(m*r^2/4 + J/2)*b'' - m*r^2*c/4", "0", Some(("1/4", "(m*r^2 + 2*J)*b'' - m*r^2*c = 0")));
        check("(a + b)*x''", "(a + b)*c", Some(("a + b", "x'' = c")));
        check("(a + F)*x''", "(a + F)*c", None);
    }

    #[test]
    fn fewer_minuses() {
        let _scope = expr::Scope::with_seed(3);
        let text = |text: &str| with_fewer_minuses(expr::parse(text).unwrap()).to_string();
        assert_eq!(text("-x'' - y*a + z"), "x'' + y*a - z");
        assert_eq!(text("x'' - y"), "x'' - y");
        assert_eq!(text("x'' - y*a - z"), "x'' - y*a - z");
    }
}

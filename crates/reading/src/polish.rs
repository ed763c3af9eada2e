//! What is left to tidy in an expression that is short already?
//!
//! ```text
//! a + (b + c)                   a + b + c                 a bracket that is no factor is none           (1)
//! (a − b)·(b − a)               −(a − b)²                 a difference is written in one direction      (2)
//! p·(cos² x − 1)                −p·sin² x                 short brackets are simplified once more       (3)
//! p/(6 a + 4 b), p·(−a − b)     p/(2 (3 a + 2 b)), …      a bracket gives out its number and its sign   (4)
//! m·(a/m + b/m)                 a + b                     a factor meets what divides all terms         (5)
//! a² − 2 a b + b² + c²          (a − b)² + c²             squares in longer sums, where that is shorter (6)
//! p·cos 2x + p                  2 p·cos² x                (`halves.rs`)                                 (7)
//! ```

use expr::{Expr, Op, Rational, Substitution};
use rustc_hash::FxHashMap;

use crate::halves::with_half_angles;

/// Larger expressions are left as they are.
const LARGEST: usize = 300;
/// So are those that take more operations to write down, what is shared counted as often as it stands.
const WRITTEN: usize = 20_000;
/// Brackets of so many terms and operations are simplified once more (3), with so many steps.
const SHORT: usize = 3;
const FEW: usize = 40;
const STEPS: u64 = 2_000;

/// The expression without needless brackets; it is the same by the kernel's signatures, and not longer.
///
/// ```
/// let _scope = expr::Scope::enter();
/// let e = expr::parse("m*(b - a)*(a - b)/(a - c)")?;
/// assert_eq!(reading::polished(e).to_string(), "-m*(a - b)^2/(a - c)");
/// let e = expr::parse("p/(m*(a*x/m + b*y/m))")?;
/// assert_eq!(reading::polished(e).letters(), "p/(a*x + b*y)".len());
/// # Ok::<(), expr::ParseError>(())
/// ```
pub fn polished(e: Expr) -> Expr {
    if matches!(e.op(), Op::Number | Op::Symbol) || e.operations() > LARGEST || e.written_operations() > WRITTEN {
        return e;
    }
    let mut polish = Polish { done: FxHashMap::default(), turned: FxHashMap::default() };
    let made = polish.of(e, 0);
    let is_longer = || made.letters() > e.letters();
    if made == e || is_longer() || !made.is_same(e) { e } else { made }
}

struct Polish {
    done: FxHashMap<Expr, Expr>,
    /// The sums that were met as factors, and with the opposite sign.
    turned: FxHashMap<Expr, (Expr, bool)>,
}

impl Polish {
    fn of(&mut self, e: Expr, depth: u32) -> Expr {
        if depth > 60 {
            return e;
        }
        if let Some(&known) = self.done.get(&e) {
            return known;
        }
        let made = match e.op() {
            Op::Sum => self.sum(e, depth),
            Op::Product | Op::Scale | Op::Power => self.product(e, depth),
            _ => e,
        };
        self.done.insert(e, made);
        made
    }

    /// (1)
    fn sum(&mut self, e: Expr, depth: u32) -> Expr {
        let mut terms = Vec::new();
        for term in e.arguments() {
            let term = self.of(term, depth + 1);
            match term.op() {
                Op::Sum => terms.extend(term.arguments()),
                Op::Scale if is_minus(term) && term.arguments()[1].op() == Op::Sum => {
                    terms.extend(term.arguments()[1].arguments().into_iter().map(|part| -part));
                }
                _ => terms.push(term),
            }
        }
        crate::squares::with_squares(with_half_angles(Expr::sum(&terms)))
    }

    /// (2) and (3)
    fn product(&mut self, e: Expr, depth: u32) -> Expr {
        let mut factors = Vec::new();
        let mut waiting = vec![(e, 1)];
        while let Some((e, n)) = waiting.pop() {
            let arguments = e.arguments();
            match e.op() {
                Op::Product | Op::Scale => waiting.extend(arguments.into_iter().map(|factor| (factor, n))),
                Op::Power => match arguments[1].as_number().and_then(|k| k.to_i64()) {
                    Some(k) if k.abs() < 20 => waiting.push((arguments[0], n * k)),
                    _ => factors.push((root(e), n)),
                },
                Op::Sum => {
                    let (base, number) = self.bracket(e, n < 0, depth);
                    if !number.is_one() {
                        factors.push((Expr::number(number), n));
                    }
                    match base.op() {
                        Op::Sum => factors.push((base, n)),
                        _ => waiting.push((base, n)),
                    }
                }
                _ => factors.push((e, n)),
            }
        }
        for place in (0..factors.len()).filter(|&place| factors[place].0.op() == Op::Sum).collect::<Vec<_>>() {
            let (base, n) = factors[place];
            let (base, below) = without_divisors(base, &|symbol| factors.contains(&(symbol, n)));
            factors[place].0 = base;
            factors.extend(below.into_iter().map(|(symbol, k)| (symbol, -k * n)));
        }
        let mut made = Vec::with_capacity(factors.len());
        for (base, n) in factors {
            match base.try_pow(&Rational::from(n)) {
                Ok(power) => made.push(power),
                Err(_) => return e,
            }
        }
        Expr::product(&made)
    }

    /// A sum that is a factor, without the number that it gives out.
    fn bracket(&mut self, e: Expr, is_below: bool, depth: u32) -> (Expr, Rational) {
        let mut sum = self.of(e, depth + 1);
        if sum.op() == Op::Sum && sum.arguments().len() <= SHORT && sum.operations() <= FEW {
            // squares under roots are expanded there
            sum = with_half_angles(with_roots(expr::simplify_within(sum, &[], &mut { STEPS })));
        }
        if sum.op() != Op::Sum {
            return (sum, Rational::ONE);
        }
        let (sum, number) = content(sum, is_below);
        if let Some(&(known, turned)) = self.turned.get(&sum) {
            return (known, if turned { -number } else { number });
        }
        let opposite = Expr::sum(&sum.arguments().into_iter().map(|term| -term).collect::<Vec<Expr>>());
        self.turned.insert(sum, (sum, false));
        self.turned.insert(opposite, (sum, true));
        (sum, number)
    }
}

/// (6) under all roots in a short expression.
fn with_roots(e: Expr) -> Expr {
    let is_root = |e: Expr| e.op() == Op::Power && e.arguments()[1].as_number().is_some_and(|n| !n.is_integer());
    let (mut waiting, mut made) = (vec![e], Substitution::new());
    while let Some(part) = waiting.pop() {
        if is_root(part) && root(part) != part {
            made.insert(part, root(part));
        }
        waiting.extend(part.arguments());
    }
    if made.is_empty() { e } else { made.apply_one(e).unwrap_or(e) }
}

/// (6) under a root.
fn root(e: Expr) -> Expr {
    let [base, exponent] = e.arguments()[..] else { return e };
    let Some(exponent) = exponent.as_number().filter(|_| base.op() == Op::Sum) else { return e };
    match crate::squares::with_squares(base) {
        made if made == base => e,
        made => made.try_pow(&exponent).unwrap_or(e),
    }
}

/// (4) A sum without the number that all its terms share, if it is shorter then, or the sign. Below a line the number may meet
/// another above it.
fn content(sum: Expr, is_below: bool) -> (Expr, Rational) {
    let terms = sum.arguments();
    let numbers: Vec<Rational> = terms.iter().map(|&term| number_of(term)).collect();
    let shared = numbers.iter().fold(Rational::ZERO, |gcd, number| gcd.gcd(number)).abs();
    let shared = if numbers.iter().all(Rational::is_negative) { -shared } else { shared };
    let Some(inverse) = shared.recip().filter(|_| !shared.is_one()) else { return (sum, Rational::ONE) };
    let over =
        |by: &Rational| Expr::sum(&terms.iter().map(|&term| Expr::number(by.clone()) * term).collect::<Vec<_>>());
    let length = |e: Expr| e.letters();
    let made = over(&inverse);
    match length(made) + shared.to_string().len() < length(sum) + usize::from(is_below) {
        true => (made, shared),
        false if shared.is_negative() => (over(&-Rational::ONE), -Rational::ONE),
        false => (sum, Rational::ONE),
    }
}

/// (5) A sum without the symbols that all its terms are divided by and that stand before it, and their powers.
fn without_divisors(sum: Expr, stands_before: &dyn Fn(Expr) -> bool) -> (Expr, Vec<(Expr, i64)>) {
    let terms = sum.arguments();
    let mut shared = divisors(terms[0]);
    shared.retain(|one| stands_before(one.0));
    for &term in &terms[1..] {
        if shared.is_empty() {
            return (sum, shared);
        }
        let own = divisors(term);
        let least =
            |&(symbol, k): &(Expr, i64)| own.iter().find(|one| one.0 == symbol).map(|one| (symbol, k.min(one.1)));
        shared = shared.iter().filter_map(least).collect();
    }
    let powers: Option<Vec<Expr>> = shared.iter().map(|(symbol, k)| symbol.try_pow(&Rational::from(*k)).ok()).collect();
    let Some(powers) = powers.filter(|powers| !powers.is_empty()) else { return (sum, Vec::new()) };
    let times = |&term: &Expr| Expr::product(&[&[term][..], &powers].concat());
    (Expr::sum(&terms.iter().map(times).collect::<Vec<Expr>>()), shared)
}

/// The symbols that a term is divided by, and how often.
fn divisors(term: Expr) -> Vec<(Expr, i64)> {
    let arguments = term.arguments();
    match term.op() {
        Op::Product | Op::Scale => arguments.into_iter().flat_map(divisors).collect(),
        Op::Power if arguments[0].op() == Op::Symbol => {
            let exponent = arguments[1].as_number().and_then(|k| k.to_i64()).filter(|k| *k < 0);
            exponent.map(|k| (arguments[0], -k)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The number before a term.
fn number_of(term: Expr) -> Rational {
    match term.op() {
        Op::Number => term.as_number().unwrap_or(Rational::ONE),
        Op::Scale => number_of(term.arguments()[0]),
        _ => Rational::ONE,
    }
}

fn is_minus(term: Expr) -> bool {
    term.arguments()[0].as_number().is_some_and(|n| n == -Rational::ONE)
}

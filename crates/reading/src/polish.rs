//! What is left to tidy in an expression that is short already?
//!
//! ```text
//! a + (b + c)                   a + b + c                 a bracket that is no factor is none           (1)
//! (a − b)·(b − a)               −(a − b)²                 a difference is written in one direction      (2)
//! p·(cos² x − 1)                −p·sin² x                 short brackets are simplified once more       (3)
//! p/(6 a + 4 b), p·(−a − b)     p/(2 (3 a + 2 b)), …      a bracket gives out its number and its sign   (4)
//! ```

use expr::{Expr, Op, Rational};
use rustc_hash::FxHashMap;

/// Larger expressions are left as they are.
const LARGEST: usize = 300;
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
/// # Ok::<(), expr::ParseError>(())
/// ```
pub fn polished(e: Expr) -> Expr {
    if matches!(e.op(), Op::Number | Op::Symbol) || e.operations() > LARGEST {
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
        Expr::sum(&terms)
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
                    _ => factors.push((e, n)),
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
            sum = expr::simplify_within(sum, &[], &mut { STEPS });
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

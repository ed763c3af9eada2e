//! What is left to tidy in an expression that is short already?
//!
//! ```text
//! a + (b + c)                   a + b + c                 a bracket that is no factor is none           (1)
//! (a − b)·(b − a)               −(a − b)²                 a difference is written in one direction      (2)
//! p·(cos² x − 1)                −p·sin² x                 short brackets are simplified once more       (3)
//! ```

use expr::{Expr, Op, Rational};
use rustc_hash::FxHashMap;

/// Larger expressions are left as they are.
const LARGEST: usize = 150;
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
    let is_longer = || made.to_string().chars().count() > e.to_string().chars().count();
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
                    let (base, turned) = self.bracket(e, depth);
                    if turned && n % 2 != 0 {
                        factors.push((-Expr::one(), 1));
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

    /// A sum that is a factor, and whether its sign was changed.
    fn bracket(&mut self, e: Expr, depth: u32) -> (Expr, bool) {
        let mut sum = self.of(e, depth + 1);
        if sum.op() == Op::Sum && sum.arguments().len() <= SHORT && sum.operations() <= FEW {
            sum = expr::simplify_within(sum, &[], &mut { STEPS });
        }
        if sum.op() != Op::Sum {
            return (sum, false);
        }
        if let Some(&known) = self.turned.get(&sum) {
            return known;
        }
        let opposite = Expr::sum(&sum.arguments().into_iter().map(|term| -term).collect::<Vec<Expr>>());
        self.turned.insert(sum, (sum, false));
        self.turned.insert(opposite, (sum, true));
        (sum, false)
    }
}

fn is_minus(term: Expr) -> bool {
    term.arguments()[0].as_number().is_some_and(|n| n == -Rational::ONE)
}

//! How does an expression look as a numerator over a denominator?
//!
//! ```text
//! a/b + c/d = (a d + c b)/(b d)       (a/b)^-n = b^n/a^n
//! ```
//!
//! Denominators that are equal are kept once. Nothing is multiplied out.

use expr::{Expr, Op};
use rustc_hash::FxHashMap;

/// A numerator and a denominator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fraction {
    pub above: Expr,
    pub below: Expr,
}

impl Fraction {
    /// An expression over one.
    pub fn whole(above: Expr) -> Fraction {
        Fraction { above, below: Expr::one() }
    }

    pub fn sum(terms: &[Fraction]) -> Fraction {
        let below = terms.iter().fold(Vec::new(), |mut list: Vec<Expr>, term| {
            if term.below != Expr::one() && !list.contains(&term.below) {
                list.push(term.below);
            }
            list
        });
        let others = |own: Expr| {
            let rest: Vec<Expr> = below.iter().copied().filter(|&other| other != own).collect();
            Expr::product(&rest)
        };
        let above: Vec<Expr> = terms.iter().map(|term| term.above * others(term.below)).collect();
        Fraction { above: Expr::sum(&above), below: Expr::product(&below) }
    }

    pub fn product(factors: &[Fraction]) -> Fraction {
        let part = |of: fn(&Fraction) -> Expr| Expr::product(&factors.iter().map(of).collect::<Vec<_>>());
        Fraction { above: part(|factor| factor.above), below: part(|factor| factor.below) }
    }

    /// An integer power; the caller knows that a numerator that moves down is not zero.
    pub fn power(self, n: i64) -> Fraction {
        if n >= 0 {
            return Fraction { above: self.above.pow(n), below: self.below.pow(n) };
        }
        Fraction { above: self.below.pow(-n), below: self.above.pow(-n) }
    }
}

/// The fraction that an expression is, its functions and roots taken as they are.
pub(crate) fn of(e: Expr) -> Fraction {
    Reading::default().of(e)
}

/// What parts have been read as: an expression shares its parts, and each is read once.
#[derive(Default)]
struct Reading(FxHashMap<Expr, Fraction>);

impl Reading {
    fn of(&mut self, e: Expr) -> Fraction {
        if let Some(&known) = self.0.get(&e) {
            return known;
        }
        let made = match e.op() {
            Op::Sum => Fraction::sum(&self.parts(e)),
            Op::Scale | Op::Product => Fraction::product(&self.parts(e)),
            Op::Number => e.as_number().map_or(Fraction::whole(e), |number| Fraction {
                above: Expr::number(number.numerator()),
                below: Expr::number(number.denominator()),
            }),
            Op::Power => {
                let arguments = e.arguments();
                match arguments[1].as_number().and_then(|number| number.to_i64()) {
                    Some(n) => self.of(arguments[0]).power(n),
                    None => root_below(e, &arguments).unwrap_or(Fraction::whole(e)),
                }
            }
            _ => Fraction::whole(e),
        };
        self.0.insert(e, made);
        made
    }

    fn parts(&mut self, e: Expr) -> Vec<Fraction> {
        e.arguments().into_iter().map(|part| self.of(part)).collect()
    }
}

/// A root in a denominator.
fn root_below(e: Expr, arguments: &[Expr]) -> Option<Fraction> {
    let exponent = arguments[1].as_number().filter(expr::Rational::is_negative)?;
    let root = arguments[0].try_pow(&-exponent).ok()?;
    (root != e).then_some(Fraction { above: Expr::one(), below: root })
}

/// The factors of a product with their exponents; one factor if it is none.
pub(crate) fn factors(e: Expr) -> Vec<(Expr, i64)> {
    match e.op() {
        Op::Scale | Op::Product => e.arguments().into_iter().flat_map(factors).collect(),
        Op::Power => {
            let arguments = e.arguments();
            match arguments[1].as_number().and_then(|number| number.to_i64()) {
                Some(n) => factors(arguments[0]).into_iter().map(|(factor, k)| (factor, k * n)).collect(),
                None => vec![(e, 1)],
            }
        }
        _ => vec![(e, 1)],
    }
}

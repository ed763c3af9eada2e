//! How does an expression look as a numerator over a denominator?
//!
//! ```text
//! a/b + c/d = (a d + c b)/(b d)       (a/b)^-n = b^n/a^n
//! ```
//!
//! Denominators that are equal are kept once. Nothing is multiplied out.

use expr::{Expr, Op};

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
    let parts = || e.arguments().into_iter().map(of).collect::<Vec<_>>();
    match e.op() {
        Op::Sum => Fraction::sum(&parts()),
        Op::Scale | Op::Product => Fraction::product(&parts()),
        Op::Number => e.as_number().map_or(Fraction::whole(e), |number| Fraction {
            above: Expr::number(number.numerator()),
            below: Expr::number(number.denominator()),
        }),
        Op::Power => {
            let arguments = e.arguments();
            match arguments[1].as_number().and_then(|number| number.to_i64()) {
                Some(n) => of(arguments[0]).power(n),
                None => root_below(e, &arguments).unwrap_or(Fraction::whole(e)),
            }
        }
        _ => Fraction::whole(e),
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

//! What is known of an expression's sign, from its shape and from assumptions?
//!
//! Facts are bits, so that a node carries them for nothing: squares are not negative, an
//! exponential is positive, a sum of positive terms is positive.

use crate::graph::{Id, Op, Store};
use crate::number::Rational;

/// The expression is ≥ 0 wherever it is defined.
pub const NONNEGATIVE: u8 = 8;
/// The expression is ≤ 0 wherever it is defined.
pub const NONPOSITIVE: u8 = 16;
/// The expression is ≠ 0 wherever it is defined.
pub const NONZERO: u8 = 32;
/// The expression is > 0.
pub const POSITIVE: u8 = NONNEGATIVE | NONZERO;
/// The expression is < 0.
pub const NEGATIVE: u8 = NONPOSITIVE | NONZERO;
/// All bits that speak of the sign.
pub const ALL: u8 = NONNEGATIVE | NONPOSITIVE | NONZERO;

impl Store {
    /// The facts that follow from the operation and the facts known of its arguments.
    #[inline]
    pub(crate) fn sign_facts(&self, op: Op, arguments: &[Id], known: &impl Fn(Id) -> u8) -> u8 {
        match op {
            Op::Number | Op::Symbol => 0,
            Op::Pi | Op::Exp | Op::Cosh => POSITIVE,
            Op::Scale | Op::Product => arguments.iter().map(|&id| known(id)).fold(POSITIVE, product),
            Op::Sum => arguments.iter().map(|&id| known(id)).reduce(sum).unwrap_or(0),
            Op::Power => self.sign_of_power(arguments[1], known(arguments[0])),
            Op::Abs => NONNEGATIVE | known(arguments[0]) & NONZERO,
            Op::Sign | Op::Cbrt | Op::Sinh | Op::Tanh | Op::Asin | Op::Atan => known(arguments[0]),
            Op::Acos => NONNEGATIVE,
            Op::Min => least(known(arguments[0]), known(arguments[1]), NONPOSITIVE),
            Op::Max => least(known(arguments[0]), known(arguments[1]), NONNEGATIVE),
            Op::IfNegative | Op::IfZero => known(arguments[1]) & known(arguments[2]),
            Op::Sin | Op::Cos | Op::Tan | Op::Atan2 | Op::Log | Op::Unspecified | Op::Integral => 0,
        }
    }

    fn sign_of_power(&self, exponent: Id, base: u8) -> u8 {
        let Some(exponent) = self.number(exponent) else { return 0 };
        let nonzero = if exponent.is_negative() { NONZERO } else { base & NONZERO };
        let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
        let odd = exponent.is_integer() && !(exponent * &half).is_integer();
        if odd { base & (NONNEGATIVE | NONPOSITIVE) | nonzero } else { NONNEGATIVE | nonzero }
    }
}

/// The facts of a number.
pub(crate) fn of_number(signum: i32) -> u8 {
    match signum {
        0 => NONNEGATIVE | NONPOSITIVE,
        1.. => POSITIVE,
        _ => NEGATIVE,
    }
}

#[inline]
pub(crate) fn product(left: u8, right: u8) -> u8 {
    let nonzero = left & right & NONZERO;
    let known = |facts: u8| facts & (NONNEGATIVE | NONPOSITIVE);
    match (known(left), known(right)) {
        (0, _) | (_, 0) => nonzero,
        (a, b) if a & b != 0 => nonzero | NONNEGATIVE,
        _ => nonzero | NONPOSITIVE,
    }
}

#[inline]
pub(crate) fn sum(left: u8, right: u8) -> u8 {
    let both = left & right & (NONNEGATIVE | NONPOSITIVE);
    both | if both != 0 { (left | right) & NONZERO } else { 0 }
}

/// Minimum or maximum: `strong` is the fact that one argument alone is enough for.
fn least(left: u8, right: u8, strong: u8) -> u8 {
    let strict = (left & right & NONZERO) | one_sided(left, strong) | one_sided(right, strong);
    (left & right & (NONNEGATIVE | NONPOSITIVE)) | ((left | right) & strong) | strict
}

fn one_sided(facts: u8, strong: u8) -> u8 {
    if facts & strong != 0 { facts & NONZERO } else { 0 }
}

//! What is a constant expression worth, exactly? Numbers, parameters with a value, indices.

use expr::Rational;
use syntax::{Node, NodeKind, Scale, Sign};

/// Larger values are not needed as an index or an exponent, and would only take time.
const MOST_BITS: u64 = 2048;

/// The value of an expression of numbers without units and of names that `value_of` knows.
pub(crate) fn value(node: &Node, value_of: &dyn Fn(&str) -> Option<Rational>) -> Option<Rational> {
    let value = match &node.kind {
        NodeKind::Number { text, unit: None } => number(text)?,
        NodeKind::Name { name, index: None } => value_of(name)?,
        NodeKind::Signed { sign, of } => signed(*sign, value(of, value_of)?),
        NodeKind::Sum(terms) => terms.iter().try_fold(Rational::ZERO, |sum, (sign, term)| {
            let sum = &sum + &signed(*sign, value(term, value_of)?);
            (sum.bits() <= MOST_BITS).then_some(sum)
        })?,
        NodeKind::Product(factors) => factors.iter().try_fold(Rational::ONE, |product, (scale, factor)| {
            let factor = value(factor, value_of)?;
            let product = match scale {
                Scale::Times => &product * &factor,
                Scale::Over => product.checked_div(&factor)?,
            };
            (product.bits() <= MOST_BITS).then_some(product)
        })?,
        NodeKind::Power { base, exponent } => {
            let (base, exponent) = (value(base, value_of)?, value(exponent, value_of)?.to_i64()?);
            let size = base.bits().saturating_mul(exponent.unsigned_abs());
            (size <= MOST_BITS).then(|| base.pow(exponent).ok())??
        }
        _ => return None,
    };
    (value.bits() <= MOST_BITS).then_some(value)
}

/// The same, if it is an integer.
pub(crate) fn integer(node: &Node, value_of: &dyn Fn(&str) -> Option<Rational>) -> Option<i64> {
    value(node, value_of)?.to_i64()
}

fn signed(sign: Sign, value: Rational) -> Rational {
    match sign {
        Sign::Plus => value,
        Sign::Minus => -value,
    }
}

/// A number of reasonable length.
fn number(text: &str) -> Option<Rational> {
    let exponent = exponent_of(text).unwrap_or(0);
    (text.len() <= 60 && exponent.abs() <= 300).then(|| Rational::parse_decimal(text).ok())?
}

/// The exponent after `e`, if there is one and it fits.
pub(crate) fn exponent_of(text: &str) -> Option<i64> {
    let (_, exponent) = text.split_once(['e', 'E'])?;
    Some(exponent.parse().unwrap_or(i64::MAX))
}

/// Whether the digits say nothing but zero.
pub(crate) fn is_zero(text: &str) -> bool {
    let digits = text.split(['e', 'E']).next().unwrap_or(text);
    digits.bytes().all(|byte| matches!(byte, b'0' | b'.'))
}

//! Is an expression of parameters positive, negative or zero?

use expr::{Comparison, Expr, Op, sign as bits};

use crate::facts::Facts;
use crate::finish::Question;
use crate::solution::Condition;

/// The sign of an expression, proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Above zero.
    Positive,
    /// Zero.
    Zero,
    /// Below zero.
    Negative,
    /// It depends on the parameters, or no proof was found.
    Open,
}

/// The sign of an expression where all this is known. Of numbers it is found by balls of rising precision, and
/// that they are zero exactly.
///
/// ```
/// use algebra::{Sign, sign};
/// let _scope = expr::Scope::enter();
/// let of = |text: &str| sign(expr::parse(text).unwrap(), &[]);
/// assert_eq!(of("sqrt(2)*sqrt(3) - sqrt(6)"), Sign::Zero);
/// assert_eq!(of("cos(1/1000000000) - 1"), Sign::Negative);
/// assert_eq!(of("a - b"), Sign::Open);
/// ```
pub fn sign(e: Expr, known: &[Condition]) -> Sign {
    let facts = Facts::new(known);
    if facts.vanishes(e) {
        return Sign::Zero;
    }
    let found = facts.sign(e);
    let has = |wanted: u8| found & wanted == wanted;
    match (has(bits::POSITIVE), has(bits::NEGATIVE)) {
        _ if facts.check().is_err() => Sign::Open,
        _ if has(bits::NONNEGATIVE | bits::NONPOSITIVE) => Sign::Zero,
        (true, false) => Sign::Positive,
        (false, true) => Sign::Negative,
        _ => Sign::Open,
    }
}

/// Does a condition hold where all this is known? Nothing if that depends on the parameters, or if no proof was found.
pub fn judge(condition: &Condition, known: &[Condition]) -> Option<bool> {
    let facts = Facts::new(known);
    let judged = facts.judge(condition)?.is_ok();
    facts.check().is_ok().then_some(judged)
}

/// The condition over one denominator, without factors whose sign is known; where it says the same as one of the known
/// conditions with another comparison, in the words of that one.
pub fn shortened(condition: &Condition, known: &[Condition]) -> Condition {
    let assumed = Facts::new(known);
    let question = Question { equations: &[], unknowns: &[], angles: &[], roots: &[], assumed: &assumed };
    let short = question.written(condition);
    let sums = known.iter().filter(|one| one.value.op() == Op::Sum && one.comparison != Comparison::Equal);
    let in_words_of = |one: &Condition| {
        let ratio = assumed.simplify(short.value.try_div(one.value).ok()?);
        let found = assumed.sign(ratio);
        let value = match (found & bits::POSITIVE == bits::POSITIVE, found & bits::NEGATIVE == bits::NEGATIVE) {
            (true, false) => one.value,
            (false, true) => -one.value,
            _ => return None,
        };
        Some(Condition { value: assumed.simplify(value), ..short })
    };
    sums.into_iter().find_map(in_words_of).unwrap_or(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(text: &str, comparison: Comparison) -> Condition {
        Condition { value: expr::parse(text).unwrap(), comparison }
    }

    #[test]
    fn a_condition_is_told_in_the_words_of_another() {
        let _scope = expr::Scope::with_seed(1);
        let mut known: Vec<Condition> = ["m", "g", "R"].map(|one| condition(one, Comparison::Greater)).into();
        known.push(condition("R*w^2 - g", Comparison::AtLeast));
        let asked = condition("m*R^2*w^4 - m*g^2", Comparison::Greater);
        let short = shortened(&asked, &known);
        assert!(short.value.is_same(known[3].value) && short.comparison == Comparison::Greater, "{short}");
        assert_eq!(judge(&short, &known), None);
        assert_eq!(judge(&Condition { comparison: Comparison::Less, ..short }, &known), Some(false));
    }
}

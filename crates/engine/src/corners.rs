//! Does a sum of sines and cosines keep its sign, whatever the angles are?
//!
//! ```text
//! e is linear in each of s₁ … s_n,  −1 ≤ s ≤ 1  (0 ≤ s ≤ 1 for a square):   e lies between its values at the corners    (1)
//! ```
//!
//! The determinant of a mass matrix is such a sum as a rule: nobody has to be told that it does not vanish.

use expr::{Expr, Op, Substitution};
use rustc_hash::FxHashSet;

/// With more sines and cosines it is not looked at.
const MOST: usize = 4;
/// Expressions with more operations are not looked at.
const LARGEST: usize = 200;
/// Steps of simplification at one corner.
const STEPS: u64 = 20_000;

/// Is it positive everywhere, or negative everywhere, if these symbols are positive? No is said where that is not seen.
pub fn keeps_sign(e: Expr, positive: &[Expr]) -> bool {
    if e.operations() > LARGEST {
        return false;
    }
    let waves = waves(e);
    if waves.is_empty() || waves.len() > MOST || !waves.iter().all(|&(wave, square)| is_linear(e, wave, square)) {
        return false;
    }
    let signs: Option<Vec<bool>> = corners(e, &waves).into_iter().map(|corner| sign(corner?, positive)).collect();
    signs.is_some_and(|signs| signs.windows(2).all(|pair| pair[0] == pair[1]))
}

/// The sines and cosines in it, those that stand squared as squares.
fn waves(e: Expr) -> Vec<(Expr, bool)> {
    let (mut seen, mut found, mut waiting) = (FxHashSet::default(), Vec::new(), vec![e]);
    while let Some(part) = waiting.pop() {
        if !seen.insert(part) {
            continue;
        }
        let arguments = part.arguments();
        let is_square = |n: Expr| n.as_number().is_some_and(|n| n == expr::Rational::from(2));
        match part.op() {
            Op::Sin | Op::Cos => found.push((part, false)),
            Op::Power if matches!(arguments[0].op(), Op::Sin | Op::Cos) && is_square(arguments[1]) => {
                found.push((part, true));
            }
            _ => waiting.extend(arguments),
        }
    }
    found
}

/// Is it linear in this part, and does the sine or cosine stand nowhere else?
fn is_linear(e: Expr, wave: Expr, square: bool) -> bool {
    let symbol = expr::symbol(expr::Symbol::new("wave@corner", expr::Kind::Parameter));
    let Ok(put) = Substitution::from([(wave, symbol)]).apply_one(e) else { return false };
    let base = if square { wave.arguments()[0] } else { wave };
    let slope = || expr::derivative(put, symbol).and_then(|slope| expr::derivative(slope, symbol));
    !crate::parts::parts(&[put]).contains(&base) && slope().is_ok_and(|second| second.is_zero())
}

/// The values at all corners (1).
fn corners(e: Expr, waves: &[(Expr, bool)]) -> Vec<Option<Expr>> {
    let corner = |number: usize| {
        let place = |(k, &(wave, square)): (usize, &(Expr, bool))| {
            let low = if square { Expr::zero() } else { -Expr::one() };
            (wave, if number >> k & 1 == 0 { low } else { Expr::one() })
        };
        waves.iter().enumerate().map(place).collect::<Substitution>().apply_one(e).ok()
    };
    (0..1 << waves.len()).map(corner).collect()
}

/// Whether it is positive; nothing where it is not seen to be positive or negative.
fn sign(e: Expr, positive: &[Expr]) -> Option<bool> {
    let facts: Vec<(Expr, u8)> = positive.iter().map(|&symbol| (symbol, expr::sign::POSITIVE)).collect();
    let short = expr::simplify_within(e, &[], &mut { STEPS });
    let signs = expr::Evaluator::new(&[short], &facts).signs(short);
    let is = |wanted: u8| signs & wanted == wanted;
    match (is(expr::sign::POSITIVE), is(expr::sign::NEGATIVE)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_determinant_between_positive_corners_does_not_vanish() {
        let _scope = expr::Scope::with_seed(3);
        let positive = ["J", "M", "a", "m"].map(expr::parameter);
        let keeps = |text: &str| keeps_sign(expr::parse(text).unwrap(), &positive);
        let coordinate = expr::coordinate("q");
        assert!(!coordinate.is_zero());
        assert!(keeps("M*(J - m*a^2)*cos(2*q) + m*M*a^2 + (2*m + M)*J"));
        assert!(keeps("-m - M*sin(q)^2") && keeps("m*(2 - cos(q))"));
        // a corner at zero, one of the other sign, a wave that stands twice, a symbol of which nothing is known
        assert!(!keeps("m*(1 - cos(q))") && !keeps("m*(1 - 2*cos(q))"));
        assert!(!keeps("m + m*sin(q) + m*sin(q)^2") && !keeps("k + m*(2 - cos(q))"));
        assert!(!keeps("m*(2 - cos(q)^3)") && !keeps("m + M"));
    }
}

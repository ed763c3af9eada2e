//! Which sines and cosines have a sign by what is assumed of their angle?
//!
//! ```text
//! 0 < α < π/2      sin(α) > 0, cos(α) > 0
//! ```

use algebra::{Condition, Sign};
use expr::{Comparison, Expr, Op, Substitution};

/// Quarter turns between which a function keeps a sign.
const SINE: [(i64, i64, Comparison); 3] =
    [(0, 2, Comparison::Greater), (-2, 0, Comparison::Less), (2, 4, Comparison::Less)];
const COSINE: [(i64, i64, Comparison); 2] = [(-1, 1, Comparison::Greater), (1, 3, Comparison::Less)];

/// The sign of a sine or cosine, if bounds of its angle are among what is known.
pub fn sign(e: Expr, known: &[Condition]) -> Option<Comparison> {
    let quarters: &[(i64, i64, Comparison)] = match e.op() {
        Op::Sin => &SINE,
        Op::Cos => &COSINE,
        _ => return None,
    };
    let bounds: Vec<Bound> = known.iter().filter_map(|one| bound(one, e.arguments()[0])).collect();
    let at = |quarters: i64| expr::pi() * expr::rational(quarters, 2);
    let reaches = |own: &Bound, gap: Expr| match algebra::sign(gap, &[]) {
        Sign::Positive => true,
        Sign::Zero => own.is_strict,
        _ => false,
    };
    let within = |low: i64, high: i64| {
        bounds.iter().any(|own| own.is_low && reaches(own, own.value - at(low)))
            && bounds.iter().any(|own| !own.is_low && reaches(own, at(high) - own.value))
    };
    quarters.iter().find(|one| within(one.0, one.1)).map(|one| one.2)
}

/// A number that an angle stays above or below.
struct Bound {
    value: Expr,
    is_low: bool,
    is_strict: bool,
}

/// What a condition that is linear in an angle, with numbers beside it, says of it.
fn bound(known: &Condition, angle: Expr) -> Option<Bound> {
    angle.as_symbol()?;
    let slope = expr::derivative(known.value, angle).ok()?;
    let rest = Substitution::from([(angle, Expr::zero())]).apply_one(known.value).ok()?;
    let slope_is = slope.as_number().filter(|_| rest.is_constant())?;
    let (above, is_strict) = match known.comparison {
        Comparison::Greater => (true, true),
        Comparison::AtLeast => (true, false),
        Comparison::Less => (false, true),
        Comparison::AtMost => (false, false),
        _ => return None,
    };
    let value = (-rest).try_div(slope).ok()?;
    Some(Bound { value, is_low: above != slope_is.is_negative(), is_strict })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_an_angle_give_signs() {
        let _scope = expr::Scope::with_seed(1);
        let parse = |text: &str| expr::parse(text).unwrap();
        let [sine, cosine] = [parse("sin(a)"), parse("cos(a)")];
        let known = |list: &[(&str, Comparison)]| -> Vec<Condition> {
            list.iter().map(|&(text, comparison)| Condition { value: parse(text), comparison }).collect()
        };
        let quarter = known(&[("a", Comparison::Greater), ("2*a - pi", Comparison::Less)]);
        assert_eq!(sign(sine, &quarter), Some(Comparison::Greater));
        assert_eq!(sign(cosine, &quarter), Some(Comparison::Greater));
        let closed = known(&[("a", Comparison::AtLeast), ("pi/2 - a", Comparison::AtLeast)]);
        assert_eq!([sine, cosine].map(|e| sign(e, &closed)), [None, None], "an end may be reached");
        let wide = known(&[("a + 1", Comparison::Greater), ("3 - a", Comparison::Greater)]);
        assert_eq!([sine, cosine].map(|e| sign(e, &wide)), [None, None]);
        let obtuse = known(&[("a - 2", Comparison::AtLeast), ("a - 3", Comparison::Less)]);
        assert_eq!(sign(cosine, &obtuse), Some(Comparison::Less));
    }
}

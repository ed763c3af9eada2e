//! Is a difference written in one direction, on both sides of an equation?
//!
//! ```text
//! (l − v t)·x'' + (v t − l)²·φ'' = g·(v t − l)·sin φ   →   (l − v t)·x'' + (l − v t)²·φ'' = −g·(l − v t)·sin φ
//! ```
//!
//! Parts of an equation are made one by one, and each chooses its own direction. The one that is written first stays, if the
//! equation is not much longer then.

use expr::{At, Expr, Kind, Op, Substitution};

/// An equation that is longer is left as it is.
const LONGEST: usize = 1_500;
/// So many differences are looked at.
const MOST: usize = 12;
/// One direction is worth so many letters; none for parameters without values.
const WORTH: usize = 2;

/// Both sides with each difference in one direction; of parameters in that in which it is positive, if their values are known.
pub fn in_one_direction(sides: [Expr; 2], at: &At) -> [Expr; 2] {
    if length(&sides) > LONGEST {
        return sides;
    }
    let mut best = sides;
    for gap in brackets(&sides) {
        let symbols = gap.symbols();
        if moves(gap) || !at.names(&symbols) || at.value(gap) >= 0.0 {
            continue;
        }
        let minuses = |sides: &[Expr; 2]| sides[0].to_string().matches('-').count();
        let opposite = Expr::sum(&gap.arguments().into_iter().map(|term| -term).collect::<Vec<Expr>>());
        let made = turned(&best, gap, opposite);
        best = made
            .filter(|made| length(made) <= length(&best) + WORTH && minuses(made) <= minuses(&best))
            .unwrap_or(best);
    }
    for _ in 0..MOST {
        let text = format!("{} = {}", best[0], best[1]);
        let brackets = brackets(&best);
        let pair = brackets.iter().enumerate().find_map(|(place, &one)| {
            let other = brackets[place + 1..].iter().find(|&&other| one.image() == (-other).image())?;
            Some((one, *other))
        });
        let Some((one, other)) = pair else { break };
        let place = |e: Expr| text.find(&format!("({e})")).unwrap_or(usize::MAX);
        let (kept, turned) = if place(other) < place(one) { (other, one) } else { (one, other) };
        let worth = if moves(kept) { WORTH } else { 0 };
        match self::turned(&best, turned, kept) {
            Some(made) if length(&made) <= length(&best) + worth => best = made,
            _ => break,
        }
    }
    best
}

/// Both sides with the other direction of a difference in place of one; the same by the kernel's signatures.
fn turned(sides: &[Expr; 2], one: Expr, other: Expr) -> Option<[Expr; 2]> {
    let put = Substitution::from([(one, -other)]).apply(sides).ok()?;
    let made = <[Expr; 2]>::try_from(put).ok()?.map(reading::polished);
    let is_same = made.iter().zip(sides).all(|(made, own)| made.is_same(*own));
    (is_same && !brackets(&made).contains(&one)).then_some(made)
}

fn length(sides: &[Expr; 2]) -> usize {
    sides.iter().map(|&side| crate::readable::length(side)).fold(0, usize::saturating_add)
}

fn moves(e: Expr) -> bool {
    e.symbols().iter().any(|one| one.as_symbol().is_some_and(|one| one.kind != Kind::Parameter))
}

/// The sums that stand in brackets.
fn brackets(sides: &[Expr; 2]) -> Vec<Expr> {
    let mut found = Vec::new();
    for part in crate::parts::parts(sides) {
        if matches!(part.op(), Op::Product | Op::Scale | Op::Power) {
            let sums = part.arguments().into_iter().filter(|argument| argument.op() == Op::Sum);
            sums.for_each(|sum| {
                if !found.contains(&sum) {
                    found.push(sum);
                }
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_direction_that_is_written_first_stays() {
        let _scope = expr::Scope::with_seed(3);
        assert_eq!(["v", "y"].map(expr::coordinate).len(), 2);
        let turned = |left: &str, right: &str| {
            let sides = expr::parse_all(&[left, right]).unwrap();
            let at = At::new(&[(expr::parameter("R"), 3.0), (expr::parameter("r"), 1.0)]);
            let [left, right] = in_one_direction([sides[0], sides[1]], &at);
            format!("{left} = {right}")
        };
        assert_eq!(
            turned("(l - v)*cos(x)*x'' + (v - l)^2*y'' + 2*y'*(v - l)", "g*(v - l)*sin(x)"),
            "(l - v)*cos(x)*x'' + (l - v)^2*y'' - 2*y'*(l - v) = -g*(l - v)*sin(x)"
        );
        // a difference that is positive, if no side gets longer and no minus comes to the left
        assert_eq!(turned("m*(r - R)^2*x''", "m*g*(r - R)*sin(x)"), "m*(R - r)^2*x'' = -m*g*(R - r)*sin(x)");
        assert_eq!(turned("m*(r - R)*x''", "m*g*sin(x)"), "m*(r - R)*x'' = m*g*sin(x)");
        assert_eq!(turned("m*(a - b)*x''", "k*(a - b) + c*(b - d)"), "m*(a - b)*x'' = k*(a - b) + c*(b - d)");
    }
}

//! After which time do equations come back?
//!
//! ```text
//! sin(w t + …), cos(w t + …)      2π/w, 4π/w, … are tried; one is right if every equation is the same after it
//! ```

use expr::{Expr, Op, Substitution};
use rustc_hash::FxHashSet;

/// So many times the period of one oscillation is tried.
const MOST_TURNS: i64 = 12;

/// The shortest time among those tried; nothing if none is right.
pub fn period(equations: &[Expr], time: Expr) -> Option<Expr> {
    let rates = rates(equations, time);
    let is_right = |after: Expr| {
        let later = Substitution::from([(time, time + after)]).apply(equations);
        later.is_ok_and(|later| later.iter().zip(equations).all(|(a, b)| a.is_same(*b)))
    };
    let turns = (1..=MOST_TURNS).flat_map(|turns| rates.iter().map(move |rate| (turns, *rate)));
    let after = turns.filter_map(|(turns, rate)| (2 * turns * expr::pi()).try_div(rate).ok());
    after.into_iter().find(|after| is_right(*after))
}

/// How fast the arguments of oscillations run, each once.
fn rates(equations: &[Expr], time: Expr) -> Vec<Expr> {
    let (mut found, mut seen, mut waiting) = (Vec::new(), FxHashSet::default(), equations.to_vec());
    while let Some(e) = waiting.pop() {
        if !seen.insert(e) || !e.symbols().contains(&time) {
            continue;
        }
        if matches!(e.op(), Op::Sin | Op::Cos | Op::Tan)
            && let Ok(rate) = expr::derivative(e.arguments()[0], time)
            && !rate.symbols().contains(&time)
            && !rate.is_zero()
            && !found.contains(&rate)
        {
            found.push(rate);
        }
        waiting.extend(e.arguments());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_back_is_told_and_what_does_not_is_not() {
        let _scope = expr::Scope::enter();
        let time = expr::parse("t").unwrap();
        let of = |text: &str| period(&[expr::parse(text).unwrap()], time);
        let same = |text: &str, after: &str| of(text).is_some_and(|found| found.is_same(expr::parse(after).unwrap()));
        assert!(same("x + cos(w*t)", "2*pi/w"));
        assert!(same("sin(2*t)*x + cos(3*t)", "2*pi"));
        assert_eq!(of("cos(t) + cos(sqrt(2)*t)"), None);
        assert_eq!(of("exp(-t)*cos(t)"), None);
        assert_eq!(of("t*x"), None);
    }
}

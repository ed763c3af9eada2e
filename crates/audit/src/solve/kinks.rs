//! Where does an expression have a kink or a jump?
//!
//! ```text
//! |u|, sign(u), if(u < 0 …)     where u = 0          min(a, b), max(a, b)     where a − b = 0
//! ```
//!
//! Slopes do not show it: that of sign(u) is zero wherever there is one.

use expr::{Expr, Op};
use rustc_hash::FxHashSet;

/// A place where something is not smooth.
#[derive(Clone, Debug)]
pub struct Kink {
    /// What vanishes there.
    pub zero: Expr,
    /// What is not smooth, as it is written.
    pub text: String,
}

/// The kinks of expressions that move with some of these symbols.
pub fn kinks(list: &[Expr], moving: &[Expr]) -> Vec<Kink> {
    let (mut seen, mut waiting) = (FxHashSet::default(), list.to_vec());
    let mut found: Vec<Kink> = Vec::new();
    while let Some(e) = waiting.pop() {
        if !seen.insert(e) {
            continue;
        }
        let arguments = e.arguments();
        let zero = match (e.op(), &arguments[..]) {
            (Op::Abs | Op::Sign, [u]) => Some(*u),
            (Op::IfNegative | Op::IfZero, [u, ..]) => Some(*u),
            (Op::Min | Op::Max, [a, b]) => Some(*a - *b),
            _ => None,
        };
        let moves = |zero: &Expr| zero.symbols().iter().any(|symbol| moving.contains(symbol));
        if let Some(zero) = zero.filter(moves)
            && !found.iter().any(|one| one.zero == zero)
        {
            found.push(Kink { zero, text: e.brief() });
        }
        waiting.extend(arguments);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinks_that_move_are_named_once() {
        let _scope = expr::Scope::with_seed(1);
        let [x, a] = ["x", "a"].map(expr::parameter);
        let e = expr::parse("a*abs(x) + sign(x)*x^2 + abs(a) + max(x, 2*a)").unwrap();
        let found = kinks(&[e], &[x]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.iter().any(|one| one.zero == x));
        assert!(kinks(&[e], &[expr::parameter("b")]).is_empty() && kinks(&[a.abs()], &[x]).is_empty());
    }
}

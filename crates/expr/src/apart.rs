//! What do functions look like with a symbol of its own for every square root?
//!
//! ```text
//! u^(k + 1/2) = u^k s_u          one s_u for each u; s_u² = u is forgotten
//! ```
//!
//! A function that vanishes for all s_u vanishes with the roots in their place. The converse is not true.

use rustc_hash::FxHashMap;

use crate::error::MathError;
use crate::graph::Op;
use crate::number::Rational;
use crate::scope::Expr;
use crate::substitute::Substitution;
use crate::{Evaluator, parameter};

/// The functions with a symbol in place of each square root; an error if a power does not exist.
///
/// ```
/// let _scope = expr::Scope::enter();
/// let e = expr::parse("x/(x^2 + y)^(3/2) - x*sqrt(x^2 + y)/(x^2 + y)^2")?;
/// assert!(expr::roots_apart(&[e])?[0].is_zero());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn roots_apart(functions: &[Expr]) -> Result<Vec<Expr>, MathError> {
    let mut names: FxHashMap<Expr, Expr> = FxHashMap::default();
    let mut map = Substitution::new();
    // arguments come first: a root may stand below a root
    for node in Evaluator::new(functions, &[]).nodes() {
        let Some(whole) = beside_a_root(node) else { continue };
        let under = map.apply_one(node.arguments()[0])?;
        let count = names.len();
        let root = *names.entry(under).or_insert_with(|| parameter(&format!("root#{count}")));
        map.insert(node, under.try_pow(&whole)? * root);
    }
    map.apply(functions)
}

/// k, if it is u^(k + 1/2).
fn beside_a_root(node: Expr) -> Option<Rational> {
    let half = Rational::new(1, 2)?;
    let exponent = if node.op() == Op::Power { node.arguments()[1].as_number()? } else { return None };
    Some(&exponent - &half).filter(Rational::is_integer)
}

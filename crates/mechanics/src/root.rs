//! How is the root of a square written? Without bars where its sign does not matter.

use expr::{Expr, MathError, Op};

use crate::Vector;

/// Expressions with more operations than this are not simplified on the way.
const SHORT: usize = 24;
/// Steps that one such simplification may take.
const STEPS: u64 = 4_000;

/// Simplified, if it is short enough for that.
pub fn shorter(e: Expr) -> Expr {
    if e.operations() > SHORT { e } else { expr::simplify_within(e, &[], &mut { STEPS }) }
}

/// |f| becomes f, and so among factors.
pub fn without_bars(e: Expr) -> Option<Expr> {
    match e.op() {
        Op::Abs => Some(e.arguments()[0]),
        Op::Product | Op::Scale => {
            let factors = e.arguments();
            let plain: Vec<Expr> = factors.iter().map(|&factor| without_bars(factor).unwrap_or(factor)).collect();
            (Expr::product(&factors) == e).then(|| Expr::product(&plain))
        }
        _ => None,
    }
}

/// A length, or its negative: on a line the coordinate along it, which has a slope where the length has none.
pub fn either_length(vector: Vector) -> Result<Expr, MathError> {
    let half = expr::Rational::new(1, 2).unwrap_or(expr::Rational::ONE);
    let length = shorter(vector.dot(vector)).try_pow(&half)?;
    Ok(without_bars(length).unwrap_or(length))
}

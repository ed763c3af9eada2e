//! Which symbols are known to be positive?

use expr::{Comparison, Expr};
use mechanics::Relation;
use mechanics::ingredients::Ingredients;

/// The parameters that are positive, and the coordinates that are assumed to be so.
pub fn positive(given: &Ingredients<'_>) -> Vec<Expr> {
    let parameters = given.system.parameters.iter().map(|parameter| parameter.symbol);
    let by_value = |symbol: Expr| given.at.names(&[symbol]) && given.at.value(symbol) > 0.0;
    let assumed = |symbol: Expr| is_assumed(given, symbol, &[Comparison::Greater]);
    let parameters = parameters.filter(|&symbol| by_value(symbol) || assumed(symbol));
    parameters.chain(given.q.iter().copied().filter(|&q| assumed(q))).collect()
}

/// Is it assumed that a symbol, a parameter only if it has no value, compares with zero in one of these ways?
pub fn is_assumed(given: &Ingredients<'_>, symbol: Expr, ways: &[Comparison]) -> bool {
    let mut assumed = given.mode.assumptions(given.system).filter_map(Relation::scalars);
    (given.q.contains(&symbol) || !given.at.names(&[symbol]))
        && assumed.any(|(left, comparison, right)| {
            let turned = if comparison == Comparison::Less { Comparison::Greater } else { comparison };
            let is_with_zero = left == symbol && right.is_zero() && comparison != Comparison::Less;
            is_with_zero && ways.contains(&comparison)
                || right == symbol && left.is_zero() && comparison != Comparison::Greater && ways.contains(&turned)
        })
}

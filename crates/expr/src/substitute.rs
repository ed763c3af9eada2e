//! What becomes of an expression when other expressions take the place of some of its nodes?
//!
//! All at once, so that x and y can change places; what does not change keeps its handle, and
//! what is shared stays shared. One loop over handles in topological order.

use rustc_hash::FxHashMap;

use crate::error::MathError;
use crate::graph::{Graph, Id, Op};
use crate::scope::{Expr, with_graph};

/// Puts expressions in the place of symbols, or of any other nodes such as `cos(x)`, at once.
/// Numbers are never replaced. An error says what no longer exists, such as a division by zero.
///
/// ```
/// # fn main() -> Result<(), expr::MathError> {
/// let _scope = expr::Scope::enter();
/// let (x, y) = (expr::parameter("x"), expr::parameter("y"));
/// let swapped = expr::substitute(&[x - y, x / y], &[(x, y), (y, x)])?;
/// assert_eq!(swapped, [y - x, y / x]);
/// # Ok(())
/// # }
/// ```
pub fn substitute(outputs: &[Expr], map: &[(Expr, Expr)]) -> Result<Vec<Expr>, MathError> {
    let outputs: Vec<Id> = outputs.iter().map(|e| e.id()).collect();
    let map: FxHashMap<Id, Id> = map.iter().map(|&(from, to)| (from.id(), to.id())).collect();
    let made = with_graph(|graph| graph.substitute(&outputs, &map))?;
    Ok(made.into_iter().map(Expr::of).collect())
}

impl Graph {
    pub(crate) fn substitute(&mut self, outputs: &[Id], map: &FxHashMap<Id, Id>) -> Result<Vec<Id>, MathError> {
        // most maps have symbols only, and most nodes are none
        let kinds = map.keys().fold(0u32, |kinds, &id| kinds | 1 << self.store.op(id) as u32);
        let mut changed = self.take_spare();
        let mut arguments: Vec<Id> = Vec::new();
        for id in self.store.reachable(outputs) {
            let op = self.store.op(id);
            let given = if kinds & 1 << op as u32 != 0 { map.get(&id) } else { None };
            changed[id as usize] = match given {
                Some(&new) if op != Op::Number => new,
                _ if self.store.children(id).iter().any(|&child| changed[child as usize] != child) => {
                    arguments.clear();
                    arguments.extend(self.store.children(id).iter().map(|&child| changed[child as usize]));
                    self.rebuilt(id, &arguments)?
                }
                _ => id,
            };
        }
        let made = outputs.iter().map(|&id| changed[id as usize]).collect();
        self.spare = changed;
        Ok(made)
    }

    /// The node's operation on other arguments. A product inside a product stays one factor, as
    /// it was: flattening long chains of them would take time that grows with their square.
    pub(crate) fn rebuilt(&mut self, id: Id, arguments: &[Id]) -> Result<Id, MathError> {
        let nested = |graph: &Graph| {
            let mut factors = graph.store.children(id).iter();
            graph.store.op(id) == Op::Product && factors.any(|&factor| graph.store.op(factor) == Op::Product)
        };
        if nested(self) {
            return Ok(arguments.iter().fold(Graph::ONE, |product, &factor| self.mul(product, factor)));
        }
        self.apply(self.store.op(id), arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scope, integer, parameter};

    #[test]
    fn all_at_once() {
        let _scope = Scope::with_seed(1);
        let [x, y, z] = ["x", "y", "z"].map(parameter);
        let swapped = substitute(&[x - y, x.sin() / y.pow(2), z], &[(x, y), (y, x)]).unwrap();
        assert_eq!(swapped, [y - x, y.sin() / x.pow(2), z]);
    }

    #[test]
    fn nodes_of_any_kind() {
        let _scope = Scope::with_seed(1);
        let [x, c] = ["x", "c"].map(parameter);
        let e = x.cos().pow(2) + x;
        assert_eq!(substitute(&[e], &[(x.cos(), c)]).unwrap()[0], c.pow(2) + x);
        // a number is a place in many nodes, the exponent of a power among them: it stays
        assert_eq!(substitute(&[x.pow(2)], &[(integer(2), c)]).unwrap()[0], x.pow(2));
    }

    #[test]
    fn results_are_canonical() {
        let _scope = Scope::with_seed(1);
        let [x, y] = ["x", "y"].map(parameter);
        let e = (x + 2 * y).sin() + x * y;
        assert_eq!(substitute(&[e], &[(x, -2 * y)]).unwrap()[0], -2 * y.pow(2));
        assert_eq!(substitute(&[x * y + y.sqrt()], &[(y, integer(4))]).unwrap()[0], 4 * x + 2);
    }

    #[test]
    fn what_does_not_change_keeps_its_handle() {
        let scope = Scope::with_seed(1);
        let [x, y, z] = ["x", "y", "z"].map(parameter);
        let e = (x + y).sin() * (x - y).cos();
        let before = scope.nodes();
        assert_eq!(substitute(&[e], &[(z, x)]).unwrap()[0], e);
        assert_eq!(substitute(&[e], &[(x, x)]).unwrap()[0], e);
        assert_eq!(scope.nodes(), before);
    }

    #[test]
    fn a_division_by_zero_is_an_error() {
        let _scope = Scope::with_seed(1);
        let [x, y] = ["x", "y"].map(parameter);
        let error = substitute(&[1 * x / (x - y)], &[(x, y)]).unwrap_err();
        assert_eq!(error.to_string(), "division by zero");
        let one = y.sin().pow(2) + y.cos().pow(2);
        let error = substitute(&[integer(1) / (x - 1)], &[(x, one)]).unwrap_err();
        assert!(matches!(error, MathError::DivisionByZero { .. }), "{error}");
    }

    #[test]
    fn depth_is_no_obstacle() {
        let _scope = Scope::with_seed(1);
        let [x, y, z] = ["x", "y", "z"].map(parameter);
        let deep = |x: Expr| (0..100_000).fold(x, |e, k| if k % 2 == 0 { e.sin() } else { (e + y) * z });
        assert_eq!(substitute(&[deep(x)], &[(x, y)]).unwrap()[0], deep(y));
    }

    #[test]
    fn long_products_take_linear_time() {
        let _scope = Scope::with_seed(1);
        let [x, y] = ["x", "y"].map(parameter);
        let long = |x: Expr| (1..20_000).fold(x, |e, k| e * (y + k));
        assert!(substitute(&[long(x)], &[(x, y)]).unwrap()[0].is_same(long(y)));
    }
}

//! What becomes of an expression when other expressions take the place of some of its nodes?
//!
//! All at once, so that x and y can change places; what does not change keeps its handle, and
//! what is shared stays shared. One loop over handles in topological order.

use rustc_hash::FxHashMap;

use crate::error::MathError;
use crate::graph::{Graph, Id, Op};
use crate::integral::is_own;
use crate::scope::{Expr, with_graph};

/// Which expressions take the place of which: an ordered map from symbols, or from any other nodes
/// such as `cos(x)`, that is applied at once.
///
/// It is made ready for use when it is made, so one map can be applied many times at little cost.
/// It belongs to the scope of its expressions. Numbers are never replaced: a pair that asks for it
/// is left out.
///
/// ```
/// # fn main() -> Result<(), expr::MathError> {
/// let _scope = expr::Scope::enter();
/// let (x, y) = (expr::parameter("x"), expr::parameter("y"));
/// let swap = expr::Substitution::from([(x, y), (y, x)]);
/// assert_eq!(swap.apply(&[x - y, x / y])?, [y - x, y / x]);
/// assert_eq!(swap.apply_one(x.sin())?, y.sin());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Substitution {
    /// In the order in which they were first named.
    pairs: Vec<(Expr, Expr)>,
    table: Table,
}

impl Substitution {
    /// The substitution that changes nothing.
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// This substitution with one more pair, which replaces an earlier one for the same expression.
    pub fn and(mut self, from: Expr, to: Expr) -> Substitution {
        self.insert(from, to);
        self
    }

    /// Adds a pair, which replaces an earlier one for the same expression.
    pub fn insert(&mut self, from: Expr, to: Expr) {
        let kind = kind_bit(from.op());
        if kind == 0 {
            return;
        }
        self.table.kinds |= kind;
        if self.table.to.insert(from.id(), to.id()).is_none() {
            self.pairs.push((from, to));
        } else if let Some(pair) = self.pairs.iter_mut().find(|pair| pair.0 == from) {
            pair.1 = to;
        }
    }

    /// First this substitution, then `next`, as one: `a.then(&b)?` applied to e is b(a(e)).
    ///
    /// The result maps what `self` replaces to what `next` makes of it, and all other symbols of
    /// `next` as `next` does. It equals b(a(e)) as a function; as a node it may be written otherwise.
    ///
    /// # Panics
    /// If `next` replaces anything but symbols: `cos(y)` may come to be only when `self` is applied,
    /// where one map would not look for it.
    pub fn then(&self, next: &Substitution) -> Result<Substitution, MathError> {
        let only_symbols = next.table.kinds & !kind_bit(Op::Symbol) == 0;
        assert!(only_symbols, "a substitution that follows another one replaces symbols only");
        let made = next.apply(&self.pairs.iter().map(|pair| pair.1).collect::<Vec<_>>())?;
        let first = self.pairs.iter().zip(made).map(|(pair, made)| (pair.0, made));
        let rest = next.pairs.iter().copied().filter(|pair| self.value_of(pair.0).is_none());
        Ok(first.chain(rest).collect())
    }

    /// The same places, with other expressions put there.
    pub fn map_values(self, mut change: impl FnMut(Expr) -> Expr) -> Substitution {
        self.pairs.into_iter().map(|(from, to)| (from, change(to))).collect()
    }

    /// What takes the place of this expression itself, if anything does.
    pub fn value_of(&self, from: Expr) -> Option<Expr> {
        self.table.to.get(&from.id()).map(|&to| Expr::of(to))
    }

    /// Puts the expressions in their places, all at once. An error says what no longer exists, such
    /// as a quotient whose divisor has become zero.
    ///
    /// # Panics
    /// If the substitution or an expression belongs to another scope.
    pub fn apply(&self, outputs: &[Expr]) -> Result<Vec<Expr>, MathError> {
        let Some(first) = self.pairs.first() else { return Ok(outputs.to_vec()) };
        first.0.id(); // all pairs are of one scope: is it this one?
        applied(&self.table, outputs)
    }

    /// Puts the expressions in their places in one expression; see [`Substitution::apply`].
    pub fn apply_one(&self, e: Expr) -> Result<Expr, MathError> {
        Ok(self.apply(&[e])?[0])
    }
}

impl FromIterator<(Expr, Expr)> for Substitution {
    fn from_iter<I: IntoIterator<Item = (Expr, Expr)>>(pairs: I) -> Substitution {
        let mut made = Substitution::new();
        made.extend(pairs);
        made
    }
}

impl<'a> Extend<&'a (Expr, Expr)> for Substitution {
    fn extend<I: IntoIterator<Item = &'a (Expr, Expr)>>(&mut self, pairs: I) {
        self.extend(pairs.into_iter().copied());
    }
}

impl Extend<(Expr, Expr)> for Substitution {
    fn extend<I: IntoIterator<Item = (Expr, Expr)>>(&mut self, pairs: I) {
        pairs.into_iter().for_each(|(from, to)| self.insert(from, to));
    }
}

impl From<&[(Expr, Expr)]> for Substitution {
    fn from(pairs: &[(Expr, Expr)]) -> Substitution {
        pairs.iter().copied().collect()
    }
}

impl<const N: usize> From<[(Expr, Expr); N]> for Substitution {
    fn from(pairs: [(Expr, Expr); N]) -> Substitution {
        pairs.into_iter().collect()
    }
}

/// A substitution reads as the list of its pairs, in the order in which they were first named.
impl std::ops::Deref for Substitution {
    type Target = [(Expr, Expr)];

    fn deref(&self) -> &[(Expr, Expr)] {
        &self.pairs
    }
}

impl<'a> IntoIterator for &'a Substitution {
    type Item = &'a (Expr, Expr);
    type IntoIter = std::slice::Iter<'a, (Expr, Expr)>;

    fn into_iter(self) -> Self::IntoIter {
        self.pairs.iter()
    }
}

impl IntoIterator for Substitution {
    type Item = (Expr, Expr);
    type IntoIter = std::vec::IntoIter<(Expr, Expr)>;

    fn into_iter(self) -> Self::IntoIter {
        self.pairs.into_iter()
    }
}

impl std::fmt::Debug for Substitution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.pairs.iter().copied()).finish()
    }
}

fn applied(table: &Table, outputs: &[Expr]) -> Result<Vec<Expr>, MathError> {
    let outputs: Vec<Id> = outputs.iter().map(|e| e.id()).collect();
    let made = with_graph(|graph| graph.substitute(&outputs, table))?;
    Ok(made.into_iter().map(Expr::of).collect())
}

/// What takes the place of which node, ready for a search.
#[derive(Clone, Default)]
pub(crate) struct Table {
    to: FxHashMap<Id, Id>,
    /// A bit for each operation that a replaced node has: most maps have symbols only, and most
    /// nodes are none.
    kinds: u32,
}

impl Table {
    /// Adds a pair.
    pub(crate) fn put(&mut self, from: Id, to: Id) {
        self.kinds |= kind_bit(Op::Symbol);
        self.to.insert(from, to);
    }

    #[inline]
    fn get(&self, op: Op, id: Id) -> Option<Id> {
        if self.kinds & kind_bit(op) != 0 { self.to.get(&id).copied() } else { None }
    }
}

/// The bit of an operation; none for numbers, which stay what they are: they are places in many
/// nodes, exponents among them.
#[inline]
fn kind_bit(op: Op) -> u32 {
    if op == Op::Number { 0 } else { 1 << op as u32 }
}

impl Graph {
    pub(crate) fn substitute(&mut self, outputs: &[Id], table: &Table) -> Result<Vec<Id>, MathError> {
        let mut changed = self.take_spare();
        let mut arguments: Vec<Id> = Vec::new();
        // what lies below a node that is replaced is not looked at, save where it stands elsewhere
        let nodes = self.store.reachable_until(outputs, |id| table.get(self.store.op(id), id).is_some());
        for id in nodes {
            changed[id as usize] = match table.get(self.store.op(id), id) {
                Some(new) => new,
                None if self.store.children(id).iter().any(|&child| changed[child as usize] != child) => {
                    arguments.clear();
                    arguments.extend(self.store.children(id).iter().map(|&child| changed[child as usize]));
                    if self.store.op(id) == Op::Integral {
                        // what stands in an integrand is bound there
                        let own = self.store.children(id).iter().enumerate().filter(|(place, _)| is_own(*place));
                        own.for_each(|(place, &child)| arguments[place] = child);
                    }
                    match self.rebuilt(id, &arguments) {
                        Ok(new) => new,
                        Err(error) => {
                            self.spare = changed;
                            return Err(error);
                        }
                    }
                }
                None => id,
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
        let swapped = Substitution::from([(x, y), (y, x)]).apply(&[x - y, x.sin() / y.pow(2), z]).unwrap();
        assert_eq!(swapped, [y - x, y.sin() / x.pow(2), z]);
    }

    #[test]
    fn nodes_of_any_kind() {
        let _scope = Scope::with_seed(1);
        let [x, c] = ["x", "c"].map(parameter);
        let e = x.cos().pow(2) + x;
        assert_eq!(Substitution::from([(x.cos(), c)]).apply_one(e).unwrap(), c.pow(2) + x);
        // a number is a place in many nodes, the exponent of a power among them: it stays
        assert_eq!(Substitution::from([(integer(2), c)]).apply_one(x.pow(2)).unwrap(), x.pow(2));
    }

    #[test]
    fn results_are_canonical() {
        let _scope = Scope::with_seed(1);
        let [x, y] = ["x", "y"].map(parameter);
        let e = (x + 2 * y).sin() + x * y;
        assert_eq!(Substitution::from([(x, -2 * y)]).apply_one(e).unwrap(), -2 * y.pow(2));
        assert_eq!(Substitution::from([(y, integer(4))]).apply_one(x * y + y.sqrt()).unwrap(), 4 * x + 2);
    }

    #[test]
    fn what_does_not_change_keeps_its_handle() {
        let scope = Scope::with_seed(1);
        let [x, y, z] = ["x", "y", "z"].map(parameter);
        let e = (x + y).sin() * (x - y).cos();
        let before = scope.nodes();
        assert_eq!(Substitution::from([(z, x)]).apply_one(e).unwrap(), e);
        assert_eq!(Substitution::from([(x, x)]).apply_one(e).unwrap(), e);
        assert_eq!(scope.nodes(), before);
    }

    #[test]
    fn a_division_by_zero_is_an_error() {
        let _scope = Scope::with_seed(1);
        let [x, y] = ["x", "y"].map(parameter);
        let error = Substitution::from([(x, y)]).apply(&[1 * x / (x - y)]).unwrap_err();
        assert_eq!(error.to_string(), "division by zero");
        let one = y.sin().pow(2) + y.cos().pow(2);
        let error = Substitution::from([(x, one)]).apply(&[integer(1) / (x - 1)]).unwrap_err();
        assert!(matches!(error, MathError::DivisionByZero { .. }), "{error}");
    }

    #[test]
    fn depth_is_no_obstacle() {
        let _scope = Scope::with_seed(1);
        let [x, y, z] = ["x", "y", "z"].map(parameter);
        let deep = |x: Expr| (0..100_000).fold(x, |e, k| if k % 2 == 0 { e.sin() } else { (e + y) * z });
        assert_eq!(Substitution::from([(x, y)]).apply_one(deep(x)).unwrap(), deep(y));
    }

    #[test]
    fn long_products_take_linear_time() {
        let _scope = Scope::with_seed(1);
        let [x, y] = ["x", "y"].map(parameter);
        let long = |x: Expr| (1..20_000).fold(x, |e, k| e * (y + k));
        assert!(Substitution::from([(x, y)]).apply_one(long(x)).unwrap().is_same(long(y)));
    }
}

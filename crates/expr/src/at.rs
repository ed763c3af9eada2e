//! What are expressions worth at a state?
//!
//! An [`At`] is a state as a value: numbers of some symbols, and of everything made from them, computed when first
//! asked for. Symbols that the state does not name have a generic value between ½ and 3/2, the same in every state.
//! Floats guide a choice or a message; they prove nothing.

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashMap;

use crate::graph::{Graph, Id, Op, Store};
use crate::scope::{Expr, Whereabouts, with_graph};

/// Stands in the table of values for what has not been computed. A value that is no number is another NaN.
const UNKNOWN: u64 = 0x7ff8_0000_0000_a110;

/// A state, and the values of expressions there.
///
/// ```
/// let _scope = expr::Scope::enter();
/// let (x, y) = (expr::coordinate("x"), expr::coordinate("y"));
/// let here = expr::At::new(&[(x, 3.0), (y, 4.0)]);
/// assert_eq!(here.value((x * x + y * y).sqrt()), 5.0);
/// let there = here.with(&[(y, 0.0)]);
/// assert_eq!(there.value(x + y), 3.0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct At {
    given: FxHashMap<Id, f64>,
    /// The graph that it belongs to, and the visit there that its values are of, once that is known.
    place: Cell<Option<Whereabouts>>,
    known: RefCell<Table>,
}

/// Nodes of a page of the table.
const PAGE: usize = 64;

/// Values by node, as bits. A state is asked for a few nodes of a large graph: pages are made where there are values.
#[derive(Clone, Debug, Default)]
struct Table {
    /// The page of each stretch of nodes, counted from 1.
    index: Vec<u32>,
    pages: Vec<[u64; PAGE]>,
}

impl Table {
    #[inline]
    fn get(&self, id: Id) -> u64 {
        let (stretch, place) = (id as usize / PAGE, id as usize % PAGE);
        match self.index.get(stretch) {
            None | Some(0) => UNKNOWN,
            Some(&page) => self.pages[page as usize - 1][place],
        }
    }

    fn set(&mut self, id: Id, bits: u64) {
        let (stretch, place) = (id as usize / PAGE, id as usize % PAGE);
        if self.index.len() <= stretch {
            self.index.resize(stretch + 1, 0);
        }
        if self.index[stretch] == 0 {
            self.pages.push([UNKNOWN; PAGE]);
            self.index[stretch] = self.pages.len() as u32;
        }
        self.pages[self.index[stretch] as usize - 1][place] = bits;
    }
}

impl At {
    /// The state with these values of symbols. Of a symbol that is named twice the last value counts.
    pub fn new(values: &[(Expr, f64)]) -> At {
        At::default().with(values)
    }

    /// A state that names nothing: every symbol has its generic value.
    pub fn generic() -> At {
        At::default()
    }

    /// The state in which these symbols have other values.
    pub fn with(&self, values: &[(Expr, f64)]) -> At {
        let mut given = self.given.clone();
        given.extend(values.iter().map(|&(symbol, value)| (self.own(symbol), value)));
        At { given, place: self.place.clone(), known: RefCell::default() }
    }

    /// Does the state name all these symbols?
    pub fn names(&self, symbols: &[Expr]) -> bool {
        symbols.iter().all(|&symbol| self.given.contains_key(&self.own(symbol)))
    }

    /// The value of an expression; NaN if it has none.
    pub fn value(&self, e: Expr) -> f64 {
        let id = self.own(e);
        if let Some(value) = self.seen(id) {
            return value;
        }
        with_graph(|graph| self.compute(&graph.store, id))
    }

    /// The values of several expressions.
    pub fn values(&self, list: &[Expr]) -> Vec<f64> {
        list.iter().map(|&e| self.value(e)).collect()
    }

    /// The values of the entries of a matrix.
    pub fn matrix(&self, rows: &[Vec<Expr>]) -> Vec<Vec<f64>> {
        rows.iter().map(|row| self.values(row)).collect()
    }

    /// How large the terms of each expression are, before they cancel: its rounding error is about that many units.
    /// Solutions of systems are taken as exact.
    pub fn sizes_of_terms(&self, list: &[Expr]) -> Vec<f64> {
        let roots: Vec<Id> = list.iter().map(|&e| self.own(e)).collect();
        list.iter().for_each(|&e| _ = self.value(e));
        with_graph(|graph| {
            let is_leaf = |id: Id| graph.solved.system(id).is_some();
            let mut sizes: FxHashMap<Id, f64> = FxHashMap::default();
            for id in graph.store.reachable_until(&roots, is_leaf) {
                let size = if is_leaf(id) { self.worth(id).abs() } else { self.size_of_terms(graph, id, &sizes) };
                sizes.insert(id, size);
            }
            roots.iter().map(|root| sizes[root]).collect()
        })
    }

    /// How large the terms of a sum, and the factors of its products, are: a coarse measure, not deeper than a few sums.
    pub fn size(&self, e: Expr) -> f64 {
        self.size_within(e, 8)
    }

    /// How large an expression is where its sines and cosines are one and its terms do not cancel: cos(t)^3 near its zero is
    /// one. Not deeper than a few sums.
    pub fn at_most(&self, e: Expr) -> f64 {
        self.at_most_within(e, 12)
    }

    fn at_most_within(&self, e: Expr, deepest: usize) -> f64 {
        let parts = || e.arguments().into_iter().map(|part| self.at_most_within(part, deepest - 1));
        match e.op() {
            _ if deepest == 0 => self.value(e).abs(),
            Op::Sin | Op::Cos => 1.0,
            Op::Sum => parts().sum(),
            Op::Product | Op::Scale => parts().product(),
            Op::Power if self.value(e.arguments()[1]) > 0.0 => {
                self.at_most_within(e.arguments()[0], deepest - 1).powf(self.value(e.arguments()[1]))
            }
            _ => self.value(e).abs(),
        }
    }

    fn size_within(&self, e: Expr, deepest: usize) -> f64 {
        match e.op() {
            Op::Sum if deepest > 0 => e.arguments().iter().map(|&term| self.size_within(term, deepest - 1)).sum(),
            Op::Product | Op::Scale if deepest > 0 => {
                e.arguments().iter().map(|&factor| self.size_within(factor, deepest - 1)).product()
            }
            _ => self.value(e).abs(),
        }
    }

    /// The node of an expression of this state's graph.
    ///
    /// # Panics
    /// If it belongs to another graph, or if the state names symbols of a visit that is over.
    fn own(&self, e: Expr) -> Id {
        let (id, here) = e.whereabouts();
        match self.place.get() {
            Some(place) if place == here => {}
            Some(place) => {
                assert!(place.home == here.home, "a state was asked for the value of an expression of another graph");
                let lasts = |id: &Id| (*id as usize) < here.settled;
                assert!(self.given.keys().all(lasts), "a state was used after the visit that made its symbols");
                self.known.take();
                self.place.set(Some(here));
            }
            None => self.place.set(Some(here)),
        }
        id
    }

    fn seen(&self, id: Id) -> Option<f64> {
        let bits = self.known.borrow().get(id);
        (bits != UNKNOWN).then(|| f64::from_bits(bits))
    }

    fn worth(&self, id: Id) -> f64 {
        self.seen(id).unwrap_or(f64::NAN)
    }

    /// Computes a node and what it is made of, as far as that is not known.
    fn compute(&self, store: &Store, id: Id) -> f64 {
        let mut known = self.known.borrow_mut();
        for id in store.reachable_until(&[id], |id| known.get(id) != UNKNOWN) {
            if known.get(id) != UNKNOWN {
                continue;
            }
            let value = match store.op(id) {
                Op::Symbol => self.given.get(&id).copied().unwrap_or_else(|| store.generic(id)),
                _ => store.float_from(id, &|child| f64::from_bits(known.get(child))),
            };
            let bits = value.to_bits();
            known.set(id, if bits == UNKNOWN { f64::NAN.to_bits() } else { bits });
        }
        f64::from_bits(known.get(id))
    }

    /// The size of a node's terms from those of its arguments: each is multiplied with the slope.
    fn size_of_terms(&self, graph: &Graph, id: Id, sizes: &FxHashMap<Id, f64>) -> f64 {
        let (arguments, size) = (graph.store.children(id), |id: &Id| sizes[id]);
        let value = self.worth(id).abs();
        let Some(&first) = arguments.first() else { return value };
        let x = self.worth(first);
        let slope = match graph.store.op(id) {
            Op::Sum => return arguments.iter().map(size).sum(),
            // each factor's size times the other factors
            Op::Scale | Op::Product => {
                let others = |n: usize| arguments[..n].iter().chain(&arguments[n + 1..]);
                let term =
                    |n: usize| others(n).map(|&other| self.worth(other).abs()).product::<f64>() * size(&arguments[n]);
                return (0..arguments.len()).map(term).sum();
            }
            Op::Integral => return value,
            Op::Power => {
                let exponent = self.worth(arguments[1]);
                exponent * x.powf(exponent - 1.0)
            }
            Op::Sin => x.cos(),
            Op::Cos => x.sin(),
            Op::Tan => 1.0 + value * value,
            Op::Exp => value,
            Op::Log => 1.0 / x,
            Op::Sinh => x.cosh(),
            Op::Cosh => x.sinh(),
            _ => return arguments.iter().map(size).sum::<f64>() + value,
        };
        slope.abs() * size(&first) + value
    }
}

#[cfg(test)]
mod tests {
    use crate::{At, Scope, parameter};

    #[test]
    fn sizes_of_terms_before_they_cancel() {
        let _scope = Scope::enter();
        let [x, y, z] = ["x", "y", "z"].map(parameter);
        let at = At::new(&[(x, 3.0), (y, 3.0), (z, 2.0)]);
        // 3 and −1·3, in which both factors count; twice that; and the square of 6 by its slope
        assert_eq!(at.sizes_of_terms(&[x - y, z * (x - y), (x + y).pow(2)]), [9.0, 18.0, 108.0]);
        // a solution is exact, whatever it is made of
        let solution = (x - y) / z;
        crate::record_solution(crate::Solved { matrix: vec![vec![z]], right: vec![x], solution: vec![solution] });
        assert_eq!(at.sizes_of_terms(&[solution + z]), [2.0]);
    }

    #[test]
    fn states_do_not_know_of_each_other() {
        let _scope = Scope::enter();
        let [x, y] = ["x", "y"].map(parameter);
        let (here, there) = (At::new(&[(x, 2.0)]), At::new(&[(x, -2.0)]));
        let root = (x * x * x).sqrt();
        assert!(there.value(root).is_nan() && there.value(root).is_nan(), "asked twice");
        assert_eq!(here.value(root), 8f64.sqrt());
        // a node made later, and a symbol that neither names
        let sum = root + y;
        assert!((here.value(sum) - here.value(root) - here.value(y)).abs() < 1e-12);
        assert_eq!(here.value(y), there.value(y));
        assert!((0.5..1.5).contains(&here.value(y)));
    }
}

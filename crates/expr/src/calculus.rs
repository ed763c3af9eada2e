//! How does an expression change? Forward along a direction, backward to a gradient, in time.
//!
//! ```text
//! forward    ẏ = Σ (∂y/∂xₖ) ẋₖ           one pass for each direction, all outputs at once
//! reverse    x̄ₖ += ȳ (∂y/∂xₖ)            one pass for a gradient: a small multiple of the size
//! in time    forward with q̇ for q, q̈ for q̇, …, 1 for t, 0 for parameters and frozen symbols
//! by t       also s' for every given function of time s (`Kind::Input`), unless it is told otherwise
//! ```
//!
//! Every pass is a loop over handles, which are in topological order; nodes on which nothing
//! wanted depends are left out.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::error::MathError;
use crate::graph::{Graph, Id, Op, Store};
use crate::integral::is_own;
use crate::number::Rational;
use crate::scope::{Expr, with_graph};
use crate::symbol::Kind;

/// Time derivatives that have been taken, for each set of frozen symbols.
#[derive(Clone, Default)]
pub(crate) struct Memo {
    in_time: FxHashMap<Vec<Id>, Vec<Id>>,
}

/// In a list of rates by node: not found yet.
const UNKNOWN: Id = Id::MAX;

/// The partial derivative of an expression with respect to a symbol.
///
/// ```
/// # fn main() -> Result<(), expr::MathError> {
/// let _scope = expr::Scope::enter();
/// let x = expr::parameter("x");
/// assert_eq!(expr::derivative(x * x.sin(), x)?.to_string(), "x*cos(x) + sin(x)");
/// # Ok(())
/// # }
/// ```
pub fn derivative(e: Expr, symbol: Expr) -> Result<Expr, MathError> {
    Ok(directional(&[e], &[(symbol, Expr::one())])?[0])
}

/// The derivatives of several expressions along one direction: `direction` says how fast each
/// symbol moves.
pub fn directional(outputs: &[Expr], direction: &[(Expr, Expr)]) -> Result<Vec<Expr>, MathError> {
    let outputs = ids(outputs);
    let seeds: FxHashMap<Id, Id> = direction.iter().map(|&(symbol, rate)| (symbol.id(), rate.id())).collect();
    let made = with_graph(|graph| {
        let nodes = graph.store.reachable(&outputs);
        let mut rates = graph.take_spare();
        graph.forward(&nodes, &mut rates, &|graph, id| graph.seeded(&seeds, id))?;
        let made = outputs.iter().map(|&id| rates[id as usize]).collect::<Vec<_>>();
        graph.spare = rates;
        Ok(made)
    })?;
    Ok(exprs(made))
}

/// The gradient of an expression by one reverse pass.
pub fn gradient(e: Expr, symbols: &[Expr]) -> Result<Vec<Expr>, MathError> {
    pullback(&[(e, Expr::one())], symbols)
}

/// The gradient of Σ weight·output by one reverse pass: a row vector times a Jacobian, without
/// the Jacobian. The weights are not differentiated.
pub fn pullback(weighted: &[(Expr, Expr)], symbols: &[Expr]) -> Result<Vec<Expr>, MathError> {
    let seeds: Vec<(Id, Id)> = weighted.iter().map(|&(output, weight)| (output.id(), weight.id())).collect();
    let symbols = ids(symbols);
    Ok(exprs(with_graph(|graph| graph.reverse_with_inputs(&seeds, &symbols))?))
}

/// The Jacobian, row by row: one reverse pass for each expression.
pub fn jacobian(outputs: &[Expr], symbols: &[Expr]) -> Result<Vec<Vec<Expr>>, MathError> {
    outputs.iter().map(|&e| gradient(e, symbols)).collect()
}

/// The matrix of second derivatives: forward passes over the gradient.
pub fn hessian(e: Expr, symbols: &[Expr]) -> Result<Vec<Vec<Expr>>, MathError> {
    let first = gradient(e, symbols)?;
    symbols.iter().map(|&symbol| directional(&first, &[(symbol, Expr::one())])).collect()
}

/// The total time derivative: coordinates move on to their rates, rates to accelerations, and so
/// on; parameters stand still, time runs. Remembered for the scope.
pub fn total_derivative(e: Expr) -> Result<Expr, MathError> {
    total_derivative_frozen(e, &[])
}

/// The total time derivative with some symbols held fixed: masses in an equation whose reactive
/// forces stand on the other side, third derivatives that are inert.
pub fn total_derivative_frozen(e: Expr, frozen: &[Expr]) -> Result<Expr, MathError> {
    let id = e.id();
    let mut frozen = ids(frozen);
    frozen.sort_unstable();
    frozen.dedup();
    with_graph(|graph| graph.in_time(id, frozen)).map(Expr::of)
}

/// How expressions change when some symbols move at given rates: a total derivative along a flow
/// of one's own choice. What was found is remembered, so many expressions share one pass.
///
/// ```
/// # fn main() -> Result<(), expr::MathError> {
/// let _scope = expr::Scope::enter();
/// let [x, u] = ["x", "u"].map(expr::parameter);
/// let flow = expr::Flow::new(&[(x, u * x.cos())]);
/// assert_eq!(flow.rate(x * x)?.to_string(), "2*x*u*cos(x)");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Flow {
    seeds: FxHashMap<Id, Id>,
    rates: RefCell<Vec<Id>>,
}

impl Flow {
    /// The flow in which each symbol has its rate; all others stand still.
    pub fn new(direction: &[(Expr, Expr)]) -> Flow {
        let seeds = direction.iter().map(|&(symbol, rate)| (symbol.id(), rate.id())).collect();
        Flow { seeds, rates: RefCell::default() }
    }

    /// The rate of an expression.
    pub fn rate(&self, e: Expr) -> Result<Expr, MathError> {
        let (id, mut rates) = (e.id(), self.rates.borrow_mut());
        with_graph(|graph| graph.remembered(id, &mut rates, &|graph, node| graph.seeded(&self.seeds, node)))
            .map(Expr::of)
    }
}

fn ids(list: &[Expr]) -> Vec<Id> {
    list.iter().map(|e| e.id()).collect()
}

fn exprs(list: Vec<Id>) -> Vec<Expr> {
    list.into_iter().map(Expr::of).collect()
}

impl Graph {
    /// How fast a symbol moves: as it is told, or, where time runs, as a given function of time does.
    fn seeded(&mut self, seeds: &FxHashMap<Id, Id>, id: Id) -> Option<Id> {
        if let Some(&rate) = seeds.get(&id) {
            return Some(rate);
        }
        let symbol = self.store.symbol(id).filter(|symbol| symbol.kind == Kind::Input)?;
        let next = symbol.derivative()?;
        let is_time = |id: &Id| self.store.symbol(*id).is_some_and(|symbol| symbol.kind == Kind::Time);
        let pace = seeds.iter().find(|(seed, _)| is_time(seed)).map(|(_, &pace)| pace)?;
        let rate = self.symbol(next);
        Some(self.mul(pace, rate))
    }

    /// A gradient in which the slope by the time has the given functions of time in it, unless they are asked for too.
    fn reverse_with_inputs(&mut self, seeds: &[(Id, Id)], symbols: &[Id]) -> Result<Vec<Id>, MathError> {
        let is_time = |id: &Id| self.store.symbol(*id).is_some_and(|symbol| symbol.kind == Kind::Time);
        let Some(place) = symbols.iter().position(is_time) else { return self.reverse(seeds, symbols) };
        let outputs: Vec<Id> = seeds.iter().map(|seed| seed.0).collect();
        let is_input = |id: &Id| self.store.symbol(*id).is_some_and(|symbol| symbol.kind == Kind::Input);
        let inputs: Vec<Id> =
            self.store.reachable(&outputs).into_iter().filter(|id| is_input(id) && !symbols.contains(id)).collect();
        let mut slopes = self.reverse(seeds, &[symbols, &inputs].concat())?;
        let mut terms = vec![slopes[place]];
        for (&input, &slope) in inputs.iter().zip(&slopes[symbols.len()..].to_vec()) {
            if let Some(next) = self.store.symbol(input).and_then(|symbol| symbol.derivative()) {
                let rate = self.symbol(next);
                terms.push(self.mul(slope, rate));
            }
        }
        slopes.truncate(symbols.len());
        slopes[place] = self.sum(&terms);
        Ok(slopes)
    }

    /// Writes down the rates of all `nodes`, given those of symbols; what they are made of is among them or was found
    /// before.
    fn forward(
        &mut self,
        nodes: &[Id],
        rates: &mut [Id],
        seed: &impl Fn(&mut Graph, Id) -> Option<Id>,
    ) -> Result<(), MathError> {
        let mut terms = Vec::new();
        for &id in nodes {
            if self.store.op(id) == Op::Symbol {
                rates[id as usize] = seed(self, id).unwrap_or(Graph::ZERO);
                continue;
            }
            terms.clear();
            for place in 0..self.store.children(id).len() {
                let rate = rates[self.store.children(id)[place] as usize];
                if rate != Graph::ZERO {
                    terms.push(self.chain(id, place, rate)?);
                }
            }
            rates[id as usize] = self.sum(&terms);
        }
        Ok(())
    }

    /// The rate of a node; rates on the way that were found before are not looked for again.
    fn remembered(
        &mut self,
        id: Id,
        rates: &mut Vec<Id>,
        seed: &impl Fn(&mut Graph, Id) -> Option<Id>,
    ) -> Result<Id, MathError> {
        rates.resize(rates.len().max(id as usize + 1), UNKNOWN);
        let mut nodes = Vec::new();
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            if rates[id as usize] == UNKNOWN {
                rates[id as usize] = Graph::ZERO;
                nodes.push(id);
                waiting.extend(self.store.children(id));
            }
        }
        nodes.sort_unstable();
        let done = self.forward(&nodes, rates, seed);
        if done.is_err() {
            rates.clear();
        }
        done.map(|()| rates[id as usize])
    }

    fn reverse(&mut self, seeds: &[(Id, Id)], symbols: &[Id]) -> Result<Vec<Id>, MathError> {
        let outputs: Vec<Id> = seeds.iter().map(|seed| seed.0).collect();
        let nodes = self.store.reachable(&outputs);
        let places = self.places(&nodes);
        let active = self.store.active(&nodes, &places, symbols);
        let mut adjoints = Adjoints::new(nodes.len());
        seeds.iter().for_each(|&(output, weight)| adjoints.push(places[output as usize], weight));
        let mut found = FxHashMap::default();
        let mut parts = Vec::new();
        for (place, &id) in nodes.iter().enumerate().rev().filter(|&(place, _)| active[place]) {
            adjoints.list(place, &mut parts);
            let adjoint = self.sum(&parts);
            if adjoint == Graph::ZERO {
                continue;
            }
            if self.store.op(id) == Op::Symbol {
                found.insert(id, adjoint);
                continue;
            }
            for argument in 0..self.store.children(id).len() {
                let child = places[self.store.children(id)[argument] as usize];
                if active[child as usize] {
                    adjoints.push(child, self.chain(id, argument, adjoint)?);
                }
            }
        }
        self.spare = places;
        Ok(symbols.iter().map(|symbol| found.get(symbol).copied().unwrap_or(Graph::ZERO)).collect())
    }

    fn in_time(&mut self, id: Id, frozen: Vec<Id>) -> Result<Id, MathError> {
        let mut rates = self.memo.in_time.remove(&frozen).unwrap_or_default();
        let seed = |graph: &mut Graph, id: Id| match graph.store.symbol(id) {
            _ if frozen.binary_search(&id).is_ok() => None,
            Some(symbol) if symbol.kind == Kind::Time => Some(Graph::ONE),
            Some(symbol) => symbol.derivative().map(|next| graph.symbol(next)),
            None => None,
        };
        let rate = self.remembered(id, &mut rates, &seed);
        self.memo.in_time.insert(frozen, rates);
        rate
    }

    /// `weight` times the derivative of node `id` with respect to its argument in that place:
    /// the chain rule's one step, for both directions.
    fn chain(&mut self, id: Id, place: usize, weight: Id) -> Result<Id, MathError> {
        let children = self.store.children(id);
        let first = children[0];
        match self.store.op(id) {
            Op::Sum => Ok(weight),
            Op::Scale => Ok(self.mul(first, weight)),
            Op::Product => {
                let rest = self.without_factor(id, place);
                Ok(self.mul(weight, rest))
            }
            Op::Power => {
                let e = self.store.factor(id).1;
                let (less, e) = (e - &Rational::ONE, e.clone());
                let slope = self.power(first, &less)?;
                let slope = self.scale(&e, slope);
                Ok(self.mul(weight, slope))
            }
            Op::Sign => Ok(Graph::ZERO),
            Op::IfNegative | Op::IfZero if place == 0 => Ok(Graph::ZERO),
            // neither what names the function nor how often it is differentiated changes
            Op::Unspecified if place % 2 == 1 || place == 0 => Ok(Graph::ZERO),
            // an integrand and its symbols are its own
            Op::Integral if is_own(place) => Ok(Graph::ZERO),
            _ => {
                let slope = self.slope(id, place)?;
                Ok(self.mul(weight, slope))
            }
        }
    }

    fn without_factor(&mut self, id: Id, place: usize) -> Id {
        match *self.store.children(id) {
            [a, b] => {
                if place == 0 {
                    b
                } else {
                    a
                }
            }
            ref factors => {
                let mut factors = factors.to_vec();
                factors.remove(place);
                self.intern(Op::Product, &factors)
            }
        }
    }

    /// The derivative of a function with respect to one of its arguments. Long: a table.
    fn slope(&mut self, id: Id, place: usize) -> Result<Id, MathError> {
        let children = self.store.children(id);
        let x = children[0];
        let y = children[children.len() - 1];
        let two = Rational::from(2);
        match self.store.op(id) {
            Op::Sin => self.cos(x),
            Op::Cos => {
                let sine = self.sin(x)?;
                Ok(self.negate(sine))
            }
            Op::Tan => {
                let square = self.power(id, &two)?;
                Ok(self.add(Graph::ONE, square))
            }
            Op::Asin => self.inverse_root(x, -1),
            Op::Acos => {
                let slope = self.inverse_root(x, -1)?;
                Ok(self.negate(slope))
            }
            Op::Atan => {
                let square = self.power(x, &two)?;
                let norm = self.add(Graph::ONE, square);
                self.power(norm, &Rational::MINUS_ONE)
            }
            Op::Sinh => self.apply(Op::Cosh, &[x]),
            Op::Cosh => self.apply(Op::Sinh, &[x]),
            Op::Tanh => {
                let square = self.power(id, &two)?;
                Ok(self.sub(Graph::ONE, square))
            }
            Op::Exp => Ok(id),
            Op::Log => self.power(x, &Rational::MINUS_ONE),
            Op::Abs => Ok(self.sign(x)),
            // cbrt(u)' = cbrt(u)/(3u)
            Op::Cbrt => {
                let ratio = self.div(id, x)?;
                Ok(self.scale(&Rational::new(1, 3).unwrap_or(Rational::ONE), ratio))
            }
            // atan2(v, u): (u dv − v du)/(u² + v²)
            Op::Atan2 => {
                let (u2, v2) = (self.power(y, &two)?, self.power(x, &two)?);
                let norm = self.add(u2, v2);
                let other = if place == 0 { y } else { self.negate(x) };
                self.div(other, norm)
            }
            // min(a, b) moves with a where a − b < 0
            Op::Min | Op::Max => {
                let gap = self.sub(x, y);
                let first_moves = (self.store.op(id) == Op::Min) == (place == 0);
                let (p, q) = if first_moves { (Graph::ONE, Graph::ZERO) } else { (Graph::ZERO, Graph::ONE) };
                self.apply(Op::IfNegative, &[gap, p, q])
            }
            Op::IfNegative | Op::IfZero => {
                let (p, q) = if place == 1 { (Graph::ONE, Graph::ZERO) } else { (Graph::ZERO, Graph::ONE) };
                let op = self.store.op(id);
                self.apply(op, &[x, p, q])
            }
            Op::Unspecified => {
                let mut arguments = children.to_vec();
                let times = self.store.number(arguments[place - 1]).cloned().unwrap_or(Rational::ZERO);
                arguments[place - 1] = self.number(&times + &Rational::ONE);
                Ok(self.intern(Op::Unspecified, &arguments))
            }
            Op::Integral => self.slope_of_integral(id, place),
            op => unreachable!("{op:?} is differentiated by the chain rule itself"),
        }
    }

    /// The derivative of a node by one symbol.
    pub(crate) fn slope_by(&mut self, id: Id, symbol: Id) -> Result<Id, MathError> {
        Ok(self.reverse(&[(id, Graph::ONE)], &[symbol])?[0])
    }

    /// (1 − x²)^(n/2).
    fn inverse_root(&mut self, x: Id, n: i64) -> Result<Id, MathError> {
        let square = self.power(x, &Rational::from(2))?;
        let rest = self.sub(Graph::ONE, square);
        self.power(rest, &Rational::new(n, 2).unwrap_or(Rational::ONE))
    }
}

/// What has come together at each node so far, as lists in one heap.
struct Adjoints {
    /// The part that came last, by place.
    last: Vec<u32>,
    /// Parts, each with the one before it at the same node.
    parts: Vec<(Id, u32)>,
}

impl Adjoints {
    /// The end of a list.
    const END: u32 = u32::MAX;

    fn new(nodes: usize) -> Adjoints {
        Adjoints { last: vec![Adjoints::END; nodes], parts: Vec::new() }
    }

    fn push(&mut self, place: u32, part: Id) {
        let last = std::mem::replace(&mut self.last[place as usize], self.parts.len() as u32);
        self.parts.push((part, last));
    }

    /// All parts of a place.
    fn list(&self, place: usize, parts: &mut Vec<Id>) {
        parts.clear();
        let mut next = self.last[place];
        while next != Adjoints::END {
            let (part, before) = self.parts[next as usize];
            parts.push(part);
            next = before;
        }
    }
}

impl Store {
    /// Which nodes depend on one of the symbols, place by place.
    fn active(&self, nodes: &[Id], places: &[u32], symbols: &[Id]) -> Vec<bool> {
        let mut active = vec![false; nodes.len()];
        for (place, &id) in nodes.iter().enumerate() {
            let below = self.children(id).iter().any(|&child| active[places[child as usize] as usize]);
            active[place] = below || self.op(id) == Op::Symbol && symbols.contains(&id);
        }
        active
    }
}

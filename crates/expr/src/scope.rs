//! How is an expression held? By a small handle into the thread's current graph.
//!
//! A [`Home`] owns a graph: a model has one, any number of models are open at once, and a home may
//! move to another thread. Whoever works on its expressions enters it; while the guard lives, its
//! graph is the current one of the thread. Handles are `Copy` and have operators, so that code can
//! look like the formula; a handle used in another graph is caught by the tag it carries.
//!
//! A home that is settled starts every visit from the graph as it was then: what one visit adds is gone with it, so
//! that no visit depends on those before. A handle of a visit that is over is caught by its tag as well.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::MathError;
use crate::field::{Element, Random};
use crate::graph::{BRANCHY, Graph, Id, OPAQUE, Op, VARIABLE};
use crate::number::Rational;
use crate::print;
use crate::symbol::{Kind, Symbol};

/// The seed of a scope for which none is given.
const SEED: u64 = 0x616e_686f_6c6f_6e21;

struct Entered {
    /// The home.
    tag: u32,
    /// The visit; the home itself where that is not settled.
    visit: u32,
    /// So many nodes belong to the home.
    settled: usize,
    graph: Graph,
}

impl Entered {
    fn new(tag: u32, graph: Graph) -> Entered {
        Entered { tag, visit: tag, settled: 0, graph }
    }
}

thread_local! {
    static SCOPES: RefCell<Vec<Entered>> = const { RefCell::new(Vec::new()) };
}

/// Tells graphs apart; nothing that is computed depends on it.
static LAST_TAG: AtomicU32 = AtomicU32::new(0);

fn new_tag() -> u32 {
    LAST_TAG.fetch_add(1, Ordering::Relaxed).wrapping_add(1)
}

/// The owner of a graph. It is `Send`; it is entered where its expressions are worked on.
///
/// ```
/// let (one, two) = (expr::Home::new(1), expr::Home::new(2));
/// let x = { let _in = one.enter(); expr::parameter("x") };
/// let y = { let _in = two.enter(); expr::parameter("y") };
/// let twice = { let _in = one.enter(); x + x };
/// std::thread::spawn(move || {
///     let _in = two.enter();
///     assert_eq!((y * y).to_string(), "y^2");
/// }).join().unwrap();
/// let _in = one.enter();
/// assert!((twice - 2 * x).is_zero());
/// ```
pub struct Home {
    tag: u32,
    /// Empty while the graph is entered, and once it is settled.
    graph: Cell<Option<Graph>>,
    /// What every visit starts from.
    settled: Option<Graph>,
}

impl Home {
    /// An empty graph. Its random points follow from the seed alone.
    pub fn new(seed: u64) -> Home {
        Home { tag: new_tag(), graph: Cell::new(Some(Graph::new(Random::new(seed)))), settled: None }
    }

    /// From now on every visit starts from the graph as it is.
    ///
    /// ```
    /// let mut home = expr::Home::new(1);
    /// let x = { let _in = home.enter(); expr::parameter("x") };
    /// home.settle();
    /// let nodes = |home: &expr::Home| { let scope = home.enter(); (x * x).sin(); scope.nodes() };
    /// assert_eq!(nodes(&home), nodes(&home));
    /// ```
    pub fn settle(&mut self) {
        self.settled = self.graph.take().or(self.settled.take());
    }

    /// Makes its graph the current one of this thread until the guard goes.
    pub fn enter(&self) -> Scope<'_> {
        let before = SCOPES.with_borrow_mut(|scopes| {
            // entered already: it comes to the top, and goes back to its place
            if let Some(place) = scopes.iter().position(|one| one.tag == self.tag) {
                let entered = scopes.remove(place);
                scopes.push(entered);
                return Some(place);
            }
            scopes.push(match &self.settled {
                Some(graph) => {
                    let (visit, settled) = (new_tag(), graph.store.len());
                    Entered { tag: self.tag, visit, settled, graph: graph.clone() }
                }
                None => {
                    let graph = self.graph.take().expect("the graph of a home is at home, or entered on this thread");
                    Entered::new(self.tag, graph)
                }
            });
            None
        });
        Scope { tag: self.tag, home: Some(self), before, not_send: PhantomData }
    }
}

impl fmt::Debug for Home {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the graph {}", self.tag)
    }
}

/// Where expressions are worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Whereabouts {
    /// The home.
    pub home: u32,
    /// The visit.
    pub visit: u32,
    /// So many nodes belong to the home.
    pub settled: usize,
}

/// The guard of a graph: while it lives, expressions made on this thread belong to it.
///
/// ```
/// let scope = expr::Scope::enter();
/// let x = expr::parameter("x");
/// assert!((x + x - 2 * x).is_zero());
/// drop(scope); // a scope without a home: all its expressions are gone
/// ```
pub struct Scope<'a> {
    tag: u32,
    home: Option<&'a Home>,
    /// Where the graph was among the entered ones, if it was one of them.
    before: Option<usize>,
    not_send: PhantomData<*const ()>,
}

impl Scope<'static> {
    /// Enters a new graph that lasts as long as the guard.
    pub fn enter() -> Scope<'static> {
        Scope::with_seed(SEED)
    }

    /// Enters a new graph whose random points follow from this seed.
    pub fn with_seed(seed: u64) -> Scope<'static> {
        let tag = new_tag();
        let graph = Graph::new(Random::new(seed));
        SCOPES.with_borrow_mut(|scopes| scopes.push(Entered::new(tag, graph)));
        Scope { tag, home: None, before: None, not_send: PhantomData }
    }
}

impl Scope<'_> {
    /// How many nodes the graph holds.
    pub fn nodes(&self) -> usize {
        self.look(|graph| graph.store.len())
    }

    /// How many bytes the graph has reserved for them.
    pub fn bytes(&self) -> usize {
        self.look(Graph::bytes)
    }

    fn look<T>(&self, read: impl Fn(&Graph) -> T) -> T {
        SCOPES.with_borrow(|scopes| {
            let mine = scopes.iter().find(|scope| scope.tag == self.tag);
            read(&mine.expect("a scope lives as long as its guard").graph)
        })
    }
}

impl Drop for Scope<'_> {
    fn drop(&mut self) {
        let gone = SCOPES.try_with(|scopes| {
            let mut scopes = scopes.borrow_mut();
            let place = scopes.iter().position(|scope| scope.tag == self.tag)?;
            let entered = scopes.remove(place);
            match self.before {
                Some(before) => {
                    scopes.insert(before, entered);
                    None
                }
                None => Some(entered),
            }
        });
        // outside the borrow
        if let (Some(home), Ok(Some(entered))) = (self.home.filter(|home| home.settled.is_none()), gone) {
            home.graph.set(Some(entered.graph));
        }
    }
}

/// Works on the current graph.
///
/// # Panics
/// If no scope has been entered on this thread.
pub(crate) fn with_graph<T>(work: impl FnOnce(&mut Graph) -> T) -> T {
    SCOPES.with_borrow_mut(|scopes| work(&mut current(scopes).graph))
}

#[inline]
fn current(scopes: &mut [Entered]) -> &mut Entered {
    scopes.last_mut().expect("no scope: hold a `Scope::enter()` guard while working with expressions")
}

/// An expression: a handle into the current scope. Equal handles are the same node; unequal ones
/// may still be equal as functions, which [`Expr::is_same`] tells.
#[derive(Clone, Copy)]
pub struct Expr {
    id: Id,
    /// The home, or the visit that made it.
    tag: u32,
}

impl PartialEq for Expr {
    #[inline]
    fn eq(&self, other: &Expr) -> bool {
        self.id == other.id
    }
}

impl Eq for Expr {}

impl std::hash::Hash for Expr {
    #[inline]
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl Expr {
    /// The node of this handle in the current scope.
    ///
    /// # Panics
    /// If the handle belongs to another scope, or to one that has ended.
    #[inline]
    pub(crate) fn id(self) -> Id {
        SCOPES.with_borrow_mut(|scopes| self.id_in(current(scopes)))
    }

    /// Its node, the home that is entered, the visit there, and how many nodes the visit found.
    pub(crate) fn whereabouts(self) -> (Id, Whereabouts) {
        SCOPES.with_borrow_mut(|scopes| {
            let scope = current(scopes);
            let (home, visit, settled) = (scope.tag, scope.visit, scope.settled);
            (self.id_in(scope), Whereabouts { home, visit, settled })
        })
    }

    /// Its values at the two random points of the graph, which follow from the seed.
    pub fn image(self) -> [Element; 2] {
        let id = self.id();
        with_graph(|graph| graph.store.image(id).lanes)
    }

    /// The node of a handle that was checked when it was stored.
    pub(crate) fn id_unchecked(self) -> Id {
        self.id
    }

    #[inline]
    fn id_in(self, scope: &Entered) -> Id {
        let is_settled = || self.tag == scope.tag && (self.id as usize) < scope.settled;
        assert!(self.tag == scope.visit || is_settled(), "an expression was used outside the scope that it belongs to");
        self.id
    }

    /// The handle of a node of the current scope.
    #[inline]
    pub(crate) fn of(id: Id) -> Expr {
        let tag = SCOPES.with_borrow_mut(|scopes| current(scopes).visit);
        Expr { id, tag }
    }

    fn make(work: impl FnOnce(&mut Graph) -> Id) -> Expr {
        SCOPES.with_borrow_mut(|scopes| {
            let scope = current(scopes);
            Expr { id: work(&mut scope.graph), tag: scope.visit }
        })
    }

    #[inline]
    fn unary(self, work: impl FnOnce(&mut Graph, Id) -> Id) -> Expr {
        SCOPES.with_borrow_mut(|scopes| {
            let scope = current(scopes);
            let id = self.id_in(scope);
            Expr { id: work(&mut scope.graph, id), tag: scope.visit }
        })
    }

    #[inline]
    fn binary(self, other: Expr, work: impl FnOnce(&mut Graph, Id, Id) -> Id) -> Expr {
        SCOPES.with_borrow_mut(|scopes| {
            let scope = current(scopes);
            let (a, b) = (self.id_in(scope), other.id_in(scope));
            Expr { id: work(&mut scope.graph, a, b), tag: scope.visit }
        })
    }

    fn attempt(self, work: impl FnOnce(&mut Graph, Id) -> Result<Id, MathError>) -> Result<Expr, MathError> {
        SCOPES.with_borrow_mut(|scopes| {
            let scope = current(scopes);
            let id = self.id_in(scope);
            Ok(Expr { id: work(&mut scope.graph, id)?, tag: scope.visit })
        })
    }

    /// Zero.
    pub fn zero() -> Expr {
        Expr::of(Graph::ZERO)
    }

    /// One.
    pub fn one() -> Expr {
        Expr::of(Graph::ONE)
    }

    /// A number of any size.
    pub fn number(value: Rational) -> Expr {
        Expr::make(|graph| graph.number(value))
    }

    /// The sum of all terms as one node. (`a + b + c` makes a sum inside a sum.)
    pub fn sum(terms: &[Expr]) -> Expr {
        let ids: Vec<Id> = terms.iter().map(|term| term.id()).collect();
        Expr::make(|graph| graph.sum(&ids))
    }

    /// The product of all factors.
    pub fn product(factors: &[Expr]) -> Expr {
        let ids: Vec<Id> = factors.iter().map(|factor| factor.id()).collect();
        Expr::make(|graph| graph.product(&ids))
    }

    /// The quotient, or an error that names the divisor if that is zero.
    pub fn try_div(self, divisor: Expr) -> Result<Expr, MathError> {
        let divisor = divisor.id();
        self.attempt(|graph, id| graph.div(id, divisor))
    }

    /// A rational power, or an error if it does not exist.
    pub fn try_pow(self, exponent: &Rational) -> Result<Expr, MathError> {
        self.attempt(|graph, id| graph.power(id, exponent))
    }

    /// An integer power.
    ///
    /// # Panics
    /// If it does not exist (0 to a negative power) or is too large a number.
    pub fn pow(self, n: i64) -> Expr {
        or_panic(self.try_pow(&Rational::from(n)))
    }

    /// The square root.
    ///
    /// # Panics
    /// If the expression is a negative number.
    pub fn sqrt(self) -> Expr {
        or_panic(self.attempt(Graph::sqrt))
    }

    /// A function of one argument, or an error outside its domain.
    pub fn try_function(self, op: Op) -> Result<Expr, MathError> {
        self.attempt(|graph, id| graph.apply(op, &[id]))
    }

    /// The sine.
    pub fn sin(self) -> Expr {
        or_panic(self.try_function(Op::Sin))
    }

    /// The cosine.
    pub fn cos(self) -> Expr {
        or_panic(self.try_function(Op::Cos))
    }

    /// The tangent.
    ///
    /// # Panics
    /// At odd multiples of π/2.
    pub fn tan(self) -> Expr {
        or_panic(self.try_function(Op::Tan))
    }

    /// The exponential.
    pub fn exp(self) -> Expr {
        or_panic(self.try_function(Op::Exp))
    }

    /// The absolute value.
    pub fn abs(self) -> Expr {
        or_panic(self.try_function(Op::Abs))
    }

    /// Any operation on any arguments, in canonical form.
    ///
    /// # Panics
    /// If the operation does not take that many arguments.
    pub fn apply(op: Op, arguments: &[Expr]) -> Result<Expr, MathError> {
        let ids: Vec<Id> = arguments.iter().map(|argument| argument.id()).collect();
        with_graph(|graph| graph.apply(op, &ids)).map(Expr::of)
    }

    // ---- questions

    /// Is it zero as a function? By its signature: no search, no normal form. Wrong with a
    /// probability that `proof::decide` bounds and this does not; where a verdict is needed, ask there.
    pub fn is_zero(self) -> bool {
        let id = self.id();
        with_graph(|graph| graph.is_zero(id))
    }

    /// Are the two equal as functions, by their signatures?
    pub fn is_same(self, other: Expr) -> bool {
        self == other || (self - other).is_zero()
    }

    /// The operation of its node.
    pub fn op(self) -> Op {
        let id = self.id();
        with_graph(|graph| graph.store.op(id))
    }

    /// The arguments of its node. The coefficient of a `Scale` and the exponent of a `Power` are
    /// numbers among them.
    pub fn arguments(self) -> Vec<Expr> {
        let id = self.id();
        let ids = with_graph(|graph| graph.store.children(id).to_vec());
        ids.into_iter().map(Expr::of).collect()
    }

    /// Its value, if it is a number.
    pub fn as_number(self) -> Option<Rational> {
        let id = self.id();
        with_graph(|graph| graph.store.number(id).cloned())
    }

    /// The symbol, if it is one.
    pub fn as_symbol(self) -> Option<Symbol> {
        let id = self.id();
        with_graph(|graph| graph.store.symbol(id).cloned())
    }

    /// Does it hold no symbol?
    pub fn is_constant(self) -> bool {
        !self.has(VARIABLE)
    }

    /// Does it contain a root, an absolute value or a switch, so that it has several branches?
    pub fn has_branches(self) -> bool {
        self.has(BRANCHY)
    }

    /// Does it contain a function that has no image in a field (inverse functions, logarithms)?
    pub fn is_opaque(self) -> bool {
        self.has(OPAQUE)
    }

    fn has(self, flag: u8) -> bool {
        let id = self.id();
        with_graph(|graph| graph.store.has(id, flag))
    }

    /// What is known of its sign from its shape alone: bits of [`crate::sign`].
    pub fn signs(self) -> u8 {
        let id = self.id();
        with_graph(|graph| graph.store.signs(id))
    }

    /// The symbols it depends on, in the order in which they were made.
    pub fn symbols(self) -> Vec<Expr> {
        let id = self.id();
        let ids = with_graph(|graph| {
            let mut nodes = graph.store.reachable(&[id]);
            if nodes.iter().any(|&node| graph.store.op(node) == Op::Integral) {
                let mut symbols = graph.store.free_symbols(id);
                symbols.sort_unstable();
                return symbols;
            }
            nodes.retain(|&node| graph.store.op(node) == Op::Symbol);
            nodes
        });
        ids.into_iter().map(Expr::of).collect()
    }

    /// How many distinct operations it takes to evaluate it.
    pub fn operations(self) -> usize {
        let id = self.id();
        with_graph(|graph| {
            let nodes = graph.store.reachable(&[id]);
            nodes.into_iter().filter(|&node| !graph.store.children(node).is_empty()).count()
        })
    }

    /// How many operations it is written down with, what is shared counted as often as it occurs; at most
    /// [`Expr::MOST_WRITTEN`].
    pub fn written_operations(self) -> usize {
        let id = self.id();
        with_graph(|graph| graph.written_operations(id))
    }

    /// What is longer counts as this long.
    pub const MOST_WRITTEN: usize = 1 << 30;

    /// How many letters its text has.
    pub fn letters(self) -> usize {
        let id = self.id();
        with_graph(|graph| print::letters(&graph.store, id, &mut graph.letters))
    }

    /// It as text for a message: the rest of a long one is left out.
    pub fn brief(self) -> String {
        let id = self.id();
        with_graph(|graph| print::brief(&graph.store, id))
    }
}

fn or_panic(made: Result<Expr, MathError>) -> Expr {
    made.unwrap_or_else(|error| panic!("{error}"))
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.id();
        f.write_str(&with_graph(|graph| print::text(&graph.store, id)))
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let here = SCOPES.with_borrow(|scopes| scopes.last().is_some_and(|scope| scope.tag == self.tag));
        if here { f.write_str(&self.brief()) } else { write!(f, "expression {} of scope {}", self.id, self.tag) }
    }
}

/// A symbol of the current scope.
///
/// # Panics
/// If its name already stands for another kind of symbol in this scope.
pub fn symbol(symbol: Symbol) -> Expr {
    Expr::make(|graph| graph.symbol(symbol))
}

/// A constant of the problem.
pub fn parameter(name: &str) -> Expr {
    symbol(Symbol::new(name, Kind::Parameter))
}

/// A generalized coordinate; [`total_derivative`](crate::total_derivative) leads to its rates.
pub fn coordinate(name: &str) -> Expr {
    symbol(Symbol::new(name, Kind::Coordinate))
}

/// The time.
pub fn time() -> Expr {
    symbol(Symbol::new("t", Kind::Time))
}

/// What a name stands for in the current scope, if it is in use.
pub fn kind_of(name: &str) -> Option<Kind> {
    with_graph(|graph| graph.kind_of(name))
}

/// An integer.
pub fn integer(value: i64) -> Expr {
    Expr::make(|graph| graph.integer(value))
}

/// A fraction.
///
/// # Panics
/// If the denominator is zero.
pub fn rational(numerator: i64, denominator: i64) -> Expr {
    Expr::number(Rational::new(numerator, denominator).expect("the denominator of a fraction is not zero"))
}

/// The constant π.
pub fn pi() -> Expr {
    Expr::make(Graph::pi)
}

impl Add for Expr {
    type Output = Expr;
    fn add(self, other: Expr) -> Expr {
        self.binary(other, Graph::add)
    }
}

impl Sub for Expr {
    type Output = Expr;
    fn sub(self, other: Expr) -> Expr {
        self.binary(other, Graph::sub)
    }
}

impl Mul for Expr {
    type Output = Expr;
    fn mul(self, other: Expr) -> Expr {
        self.binary(other, Graph::mul)
    }
}

/// # Panics
/// If the divisor is zero; [`Expr::try_div`] returns the error instead.
impl Div for Expr {
    type Output = Expr;
    fn div(self, other: Expr) -> Expr {
        or_panic(self.try_div(other))
    }
}

impl Neg for Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        self.unary(Graph::negate)
    }
}

impl AddAssign for Expr {
    fn add_assign(&mut self, other: Expr) {
        *self = *self + other;
    }
}

impl SubAssign for Expr {
    fn sub_assign(&mut self, other: Expr) {
        *self = *self - other;
    }
}

impl MulAssign for Expr {
    fn mul_assign(&mut self, other: Expr) {
        *self = *self * other;
    }
}

impl From<i64> for Expr {
    fn from(value: i64) -> Expr {
        integer(value)
    }
}

impl Mul<Expr> for i64 {
    type Output = Expr;
    fn mul(self, other: Expr) -> Expr {
        integer(self) * other
    }
}

impl Add<i64> for Expr {
    type Output = Expr;
    fn add(self, other: i64) -> Expr {
        self + integer(other)
    }
}

impl Sub<i64> for Expr {
    type Output = Expr;
    fn sub(self, other: i64) -> Expr {
        self - integer(other)
    }
}

impl Div<i64> for Expr {
    type Output = Expr;
    fn div(self, other: i64) -> Expr {
        self / integer(other)
    }
}

impl std::iter::Sum for Expr {
    fn sum<I: Iterator<Item = Expr>>(terms: I) -> Expr {
        Expr::sum(&terms.collect::<Vec<_>>())
    }
}

impl std::iter::Product for Expr {
    fn product<I: Iterator<Item = Expr>>(factors: I) -> Expr {
        Expr::product(&factors.collect::<Vec<_>>())
    }
}

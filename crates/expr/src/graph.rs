//! Where do expressions live? In a hash-consed graph: every distinct node is stored once.
//!
//! A node is an operation and the handles of its arguments, which were made before it, so
//! handles are in topological order and every pass over a graph is a loop, never a recursion.
//! Beside each node stands its image: its value at a random point of two prime fields (the
//! signature) and, in floating point, at a reference state. Both are computed when the node is
//! made, from the images of its arguments.

use std::cell::RefCell;
use std::collections::BinaryHeap;

use hashbrown::HashTable;
use rustc_hash::FxHashMap;

use crate::field::{Element, Random};
use crate::number::Rational;
use crate::point::{Point, Undefined};
use crate::sign;
use crate::symbol::{Kind, Symbol};

/// The place of a node in its graph.
pub(crate) type Id = u32;

/// The operation of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Op {
    /// A rational number.
    Number,
    /// A symbol.
    Symbol,
    /// The constant π.
    Pi,
    /// A number times an expression.
    Scale,
    /// A sum of two or more terms.
    Sum,
    /// A product of two or more factors.
    Product,
    /// An expression to a rational power.
    Power,
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent.
    Tan,
    /// Inverse sine.
    Asin,
    /// Inverse cosine.
    Acos,
    /// Inverse tangent.
    Atan,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Exponential.
    Exp,
    /// Natural logarithm.
    Log,
    /// Absolute value.
    Abs,
    /// Sign: −1, 0 or 1.
    Sign,
    /// The real cube root, odd.
    Cbrt,
    /// The angle of the point (second argument, first argument).
    Atan2,
    /// The smaller of two.
    Min,
    /// The larger of two.
    Max,
    /// `if(d < 0, p, q)`.
    IfNegative,
    /// `if(d = 0, p, q)`.
    IfZero,
    /// A function of which only the arguments are known, or a derivative of it: a symbol that names it, then for each
    /// argument how often it is differentiated by it, and the argument.
    Unspecified,
    /// An integral with a bound variable: see `integral.rs`.
    Integral,
}

/// Some node below has several branches (a root, an absolute value, a switch): its image
/// belongs to one of them, so a zero there is not yet a zero of the function.
pub(crate) const BRANCHY: u8 = 1;
/// Some node below has no image in a field and stands for an independent random value.
pub(crate) const OPAQUE: u8 = 2;
/// Some node below is a symbol: the expression is not a constant.
pub(crate) const VARIABLE: u8 = 4;

/// The coefficient of a term, and the exponent of a factor, that shows none.
static UNIT: Rational = Rational::ONE;

/// More arguments than fit in the node itself: they lie in the pool.
const POOLED: u16 = u16::MAX;

/// A node beside its image, so that looking at an argument touches one place in memory.
#[derive(Clone, Copy)]
struct Node {
    op: Op,
    flags: u8,
    arity: u16,
    slots: [u32; 2],
    image: Image,
}

/// The value of a node at the two random points.
#[derive(Clone, Copy)]
pub(crate) struct Image {
    pub lanes: [Element; 2],
}

#[derive(Clone)]
struct SymbolEntry {
    symbol: Symbol,
    key: u64,
    /// Its value where no state gives one: between ½ and 3/2.
    generic: f64,
}

/// The nodes, read only: what every pass over a graph looks at.
#[derive(Clone)]
pub(crate) struct Store {
    nodes: Vec<Node>,
    pool: Vec<Id>,
    numbers: Vec<Rational>,
    symbols: Vec<SymbolEntry>,
}

impl Store {
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub fn op(&self, id: Id) -> Op {
        self.nodes[id as usize].op
    }

    #[inline]
    pub fn flags(&self, id: Id) -> u8 {
        self.nodes[id as usize].flags
    }

    #[inline]
    pub fn has(&self, id: Id, flag: u8) -> bool {
        self.flags(id) & flag != 0
    }

    /// The arguments of a node, in their canonical order. The coefficient of a `Scale` and the
    /// exponent of a `Power` are `Number` nodes among them.
    #[inline]
    pub fn children(&self, id: Id) -> &[Id] {
        let node = &self.nodes[id as usize];
        if node.arity == POOLED {
            let [start, len] = node.slots.map(|slot| slot as usize);
            &self.pool[start..start + len]
        } else {
            &node.slots[..node.arity as usize]
        }
    }

    /// The one argument of a function of one argument.
    pub fn child(&self, id: Id) -> Id {
        self.children(id)[0]
    }

    #[inline]
    pub fn number(&self, id: Id) -> Option<&Rational> {
        let node = &self.nodes[id as usize];
        (node.op == Op::Number).then(|| &self.numbers[node.slots[0] as usize])
    }

    pub fn symbol(&self, id: Id) -> Option<&Symbol> {
        self.symbol_entry(id).map(|entry| &entry.symbol)
    }

    /// The word from which a symbol's value at a random point is drawn.
    pub fn symbol_key(&self, id: Id) -> u64 {
        self.symbol_entry(id).map_or(0, |entry| entry.key)
    }

    fn symbol_entry(&self, id: Id) -> Option<&SymbolEntry> {
        let node = &self.nodes[id as usize];
        (node.op == Op::Symbol).then(|| &self.symbols[node.slots[0] as usize])
    }

    /// The value of a symbol in a state that does not name it.
    pub fn generic(&self, id: Id) -> f64 {
        self.symbol_entry(id).map_or(f64::NAN, |entry| entry.generic)
    }

    #[inline]
    pub fn image(&self, id: Id) -> &Image {
        &self.nodes[id as usize].image
    }

    /// A term as coefficient and core: `3*x` is (3, x), `x` is (1, x), `3` is (3, 1).
    #[inline]
    pub fn term(&self, id: Id) -> (&Rational, Id) {
        match self.op(id) {
            Op::Scale => {
                let &[coefficient, core] = self.children(id) else { unreachable!("a scale has two arguments") };
                (self.number(coefficient).unwrap_or(&UNIT), core)
            }
            Op::Number => (self.number(id).unwrap_or(&UNIT), Graph::ONE),
            _ => (&UNIT, id),
        }
    }

    /// A factor as base and exponent: `x^3` is (x, 3), `x` is (x, 1).
    #[inline]
    pub fn factor(&self, id: Id) -> (Id, &Rational) {
        match self.op(id) {
            Op::Power => {
                let &[base, exponent] = self.children(id) else { unreachable!("a power has two arguments") };
                (base, self.number(exponent).unwrap_or(&UNIT))
            }
            _ => (id, &UNIT),
        }
    }

    /// The nodes that `roots` are made of, roots included, in topological order.
    pub fn reachable(&self, roots: &[Id]) -> Vec<Id> {
        self.reachable_until(roots, |_| false)
    }

    /// The same without what lies below leaves of one's own choice.
    pub fn reachable_until(&self, roots: &[Id], is_leaf: impl Fn(Id) -> bool) -> Vec<Id> {
        let Some(&top) = roots.iter().max() else { return Vec::new() };
        if let Some(list) = self.few_reachable(roots, &is_leaf, top as usize / 1024) {
            return list;
        }
        // a bit for each node, looked at from the newest to the oldest
        let mut wanted = vec![0u64; top as usize / 64 + 1];
        let mark = |wanted: &mut [u64], id: Id| wanted[id as usize / 64] |= 1 << (id % 64);
        roots.iter().for_each(|&root| mark(&mut wanted, root));
        let mut list = Vec::new();
        for word in (0..wanted.len()).rev() {
            while wanted[word] != 0 {
                let bit = wanted[word].ilog2();
                wanted[word] ^= 1 << bit;
                let id = word as Id * 64 + bit;
                list.push(id);
                if !is_leaf(id) {
                    self.children(id).iter().for_each(|&child| mark(&mut wanted, child));
                }
            }
        }
        list.reverse();
        list
    }

    /// The same if there are not more than so many: without a look at every node of the graph.
    fn few_reachable(&self, roots: &[Id], is_leaf: &impl Fn(Id) -> bool, most: usize) -> Option<Vec<Id>> {
        let mut waiting: BinaryHeap<Id> =
            if roots.len() <= most { roots.iter().copied().collect() } else { return None };
        let mut list: Vec<Id> = Vec::new();
        while let Some(id) = waiting.pop() {
            if list.last() == Some(&id) {
                continue;
            }
            if list.len() == most {
                return None;
            }
            list.push(id);
            if !is_leaf(id) {
                waiting.extend(self.children(id));
            }
        }
        list.reverse();
        Some(list)
    }

    /// The word that the graph's table keeps a node under.
    #[inline]
    fn hash(op: Op, arguments: &[Id]) -> u64 {
        match *arguments {
            [] => Self::fold(op as u64, 0),
            [a] => Self::fold(op as u64, u64::from(a)),
            [a, b] => Self::fold(op as u64, u64::from(a) << 32 | u64::from(b)),
            ref many => many.iter().fold(op as u64, |h, &argument| Self::fold(h, u64::from(argument))),
        }
    }

    #[inline]
    fn fold(h: u64, word: u64) -> u64 {
        const K: u64 = 0x9e37_79b9_7f4a_7c15;
        let wide = u128::from(h.wrapping_add(K) ^ word) * u128::from(K);
        (wide as u64) ^ ((wide >> 64) as u64)
    }

    #[inline]
    fn is(&self, id: Id, op: Op, arguments: &[Id]) -> bool {
        let node = &self.nodes[id as usize];
        node.op == op
            && match *arguments {
                [a, b] => node.arity == 2 && node.slots == [a, b],
                _ => self.children(id) == arguments,
            }
    }
}

/// Numbers and symbols have no arguments; their slot is an index into a table.
fn leaf_slots(op: Op) -> u16 {
    u16::from(matches!(op, Op::Number | Op::Symbol))
}

/// A node in the table, with a part of its hash: so the table grows without looking at nodes.
#[derive(Clone)]
struct Entry {
    id: Id,
    tag: u32,
}

impl Entry {
    fn hash(tag: u32) -> u64 {
        u64::from(tag).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// Grows a vector by a quarter, so that a large graph wastes little.
fn push<T>(vector: &mut Vec<T>, item: T) {
    if vector.len() == vector.capacity() {
        vector.reserve_exact(vector.len() / 4 + 64);
    }
    vector.push(item);
}

/// After so many roots without a point no further point is drawn for a root: it would have to suit
/// all roots of the scope, and is less likely with each of them.
const MOST_LOST: u32 = 4;

/// One scope's expressions: the store, and what is needed to add to it.
#[derive(Clone)]
pub(crate) struct Graph {
    pub store: Store,
    table: HashTable<Entry>,
    number_ids: FxHashMap<Rational, Id>,
    symbol_ids: FxHashMap<Symbol, Id>,
    names: FxHashMap<String, Kind>,
    points: [Point; 2],
    mirrors: RefCell<Mirrors>,
    /// How often no point was found for a root.
    lost: u32,
    random: Random,
    pub(crate) memo: crate::calculus::Memo,
    /// What nodes were simplified to, with so many steps allowed, and how many were taken; the kernel's own affair is
    /// when an entry holds for other allowances (`simplify`).
    pub(crate) simple: FxHashMap<(Id, u64), (Id, u64)>,
    /// With how many letters nodes are written, and with how many operations as trees.
    pub(crate) letters: crate::print::Letters,
    pub(crate) written: FxHashMap<Id, usize>,
    pub(crate) solved: crate::solved::Register,
    /// Room for a word a node, for passes that write one before they read it.
    pub(crate) spare: Vec<u32>,
}

/// The first point again, with every other choice of the signs of its roots: A + B√u vanishes for both signs only
/// where A and B do.
#[derive(Clone, Default)]
struct Mirrors {
    /// Of which point.
    seed: u64,
    /// The nodes that have been looked at, in the order in which that was done, and whether each was.
    nodes: Vec<Id>,
    seen: Vec<bool>,
    /// Mirrored points by their masks 1, 2, 3 ….
    list: Vec<Mirror>,
    /// They cannot be continued: a radicand is no square on a branch, or there are too many roots.
    broken: bool,
}

/// A mirrored point with the values of the first nodes of [`Mirrors::nodes`], by node.
#[derive(Clone)]
struct Mirror {
    point: Point,
    values: Vec<Element>,
    done: usize,
}

/// So many roots are looked at on all branches.
const MOST_MIRRORED: u32 = 4;

impl Mirrors {
    /// Whether a node is zero on all branches; `None` if that cannot be said.
    fn is_zero(&mut self, store: &Store, point: &Point, id: Id) -> Option<bool> {
        if self.seed != point.seed() {
            *self = Mirrors { seed: point.seed(), ..Mirrors::default() };
        }
        if self.broken {
            return None;
        }
        self.look_at(store, id);
        let (mut roots, mut place) = (1, 0);
        while place < (1 << roots) - 1 {
            if place == self.list.len() {
                let point = point.mirrored(place as u32 + 1);
                self.list.push(Mirror { point, values: Vec::new(), done: 0 });
            }
            let found = self.list[place].continued(store, &self.nodes).filter(|&met| met <= MOST_MIRRORED);
            let Some(met) = found.filter(|&met| place == 0 || met == self.list[0].point.met().unwrap_or(0)) else {
                *self = Mirrors { seed: self.seed, broken: true, ..Mirrors::default() };
                return None;
            };
            roots = roots.max(met);
            place += 1;
        }
        Some(self.list[..place].iter().all(|mirror| mirror.values[id as usize] == Element::ZERO))
    }

    /// Puts a node and what it is made of on the list, as far as it is not there. Without a root below it, and without
    /// an inverse function that the point would have to remember, a node has its old value: there the search ends.
    fn look_at(&mut self, store: &Store, id: Id) {
        self.seen.resize(self.seen.len().max(id as usize + 1), false);
        let is_known = |id: Id| self.seen[id as usize] || !store.has(id, BRANCHY | OPAQUE);
        let mut new = store.reachable_until(&[id], is_known);
        new.retain(|&id| !self.seen[id as usize]);
        new.iter().for_each(|&id| self.seen[id as usize] = true);
        self.nodes.extend(new);
    }
}

impl Mirror {
    /// Evaluates all nodes of the list; how many roots were met.
    fn continued(&mut self, store: &Store, nodes: &[Id]) -> Option<u32> {
        let Mirror { point, values, done } = self;
        let top = nodes[*done..].iter().max().map_or(0, |&top| top as usize + 1);
        values.resize(values.len().max(top), Element::ZERO);
        for &id in &nodes[*done..] {
            values[id as usize] = match store.has(id, BRANCHY | OPAQUE) {
                true => point.image(store, id, &|child| values[child as usize]).ok()?,
                false => store.image(id).lanes[0],
            };
        }
        *done = nodes.len();
        point.met()
    }
}

impl Graph {
    pub const ZERO: Id = 0;
    pub const ONE: Id = 1;
    pub const MINUS_ONE: Id = 2;

    pub fn new(mut random: Random) -> Graph {
        let points = [Point::generic(&mut random), Point::generic(&mut random)];
        let store =
            Store { nodes: Vec::with_capacity(1024), pool: Vec::new(), numbers: Vec::new(), symbols: Vec::new() };
        let mut graph = Graph {
            store,
            table: HashTable::with_capacity(1024),
            number_ids: FxHashMap::default(),
            symbol_ids: FxHashMap::default(),
            names: FxHashMap::default(),
            points,
            mirrors: RefCell::default(),
            lost: 0,
            random,
            memo: Default::default(),
            simple: FxHashMap::default(),
            letters: crate::print::Letters::default(),
            written: FxHashMap::default(),
            solved: Default::default(),
            spare: Vec::new(),
        };
        let first = [Rational::ZERO, Rational::ONE, Rational::MINUS_ONE].map(|n| graph.number(n));
        debug_assert_eq!(first, [Graph::ZERO, Graph::ONE, Graph::MINUS_ONE]);
        graph
    }

    /// How many operations a node is written down with, what is shared as often as it occurs.
    pub(crate) fn written_operations(&mut self, root: Id) -> usize {
        let mut waiting = vec![root];
        while let Some(&top) = waiting.last() {
            let children = self.store.children(top);
            let before = waiting.len();
            let mut below = 0usize;
            for child in children {
                match self.written.get(child) {
                    Some(&known) => below = below.saturating_add(known),
                    None if self.store.children(*child).is_empty() => {}
                    None => waiting.push(*child),
                }
            }
            if waiting.len() == before {
                let own = children.len().saturating_sub(1).max(usize::from(!children.is_empty()));
                self.written.insert(top, below.saturating_add(own).min(crate::Expr::MOST_WRITTEN));
                waiting.pop();
            }
        }
        self.written[&root]
    }

    /// A word for each node, of no particular value. Who takes it gives it back as `spare`.
    pub(crate) fn take_spare(&mut self) -> Vec<u32> {
        let mut words = std::mem::take(&mut self.spare);
        words.resize(words.len().max(self.store.len()), 0);
        words
    }

    /// The places of some nodes in their list, by node; other nodes have none. Given back as `spare`.
    pub(crate) fn places(&mut self, nodes: &[Id]) -> Vec<u32> {
        let mut places = self.take_spare();
        nodes.iter().zip(0..).for_each(|(&id, place)| places[id as usize] = place);
        places
    }

    /// The bytes the graph has reserved.
    pub fn bytes(&self) -> usize {
        fn of<T>(vector: &Vec<T>) -> usize {
            vector.capacity() * size_of::<T>()
        }
        let store = of(&self.store.nodes) + of(&self.store.pool) + of(&self.store.numbers);
        store + self.table.allocation_size() + of(&self.store.symbols)
    }

    pub fn number(&mut self, value: Rational) -> Id {
        if let Some(&id) = self.number_ids.get(&value) {
            return id;
        }
        let signum = value.signum();
        self.store.numbers.push(value.clone());
        let slot = self.store.numbers.len() as u32 - 1;
        let id = self.push(Op::Number, &[slot], sign::of_number(signum));
        self.number_ids.insert(value, id);
        id
    }

    pub fn integer(&mut self, value: i64) -> Id {
        self.number(Rational::from(value))
    }

    /// The node of a symbol. One name has one kind in a scope.
    ///
    /// # Panics
    /// If the name was declared with another kind: names are resolved before they come here.
    pub fn symbol(&mut self, symbol: Symbol) -> Id {
        if let Some(&id) = self.symbol_ids.get(&symbol) {
            return id;
        }
        let kind = *self.names.entry(symbol.name.clone()).or_insert(symbol.kind);
        assert_eq!(kind, symbol.kind, "`{}` was declared as another kind of symbol in this scope", symbol.name);
        let key = symbol.key();
        let generic = 0.5 + (self.random.next() >> 11) as f64 / (1u64 << 53) as f64;
        self.store.symbols.push(SymbolEntry { symbol: symbol.clone(), key, generic });
        let slot = self.store.symbols.len() as u32 - 1;
        let id = self.push(Op::Symbol, &[slot], VARIABLE);
        self.symbol_ids.insert(symbol, id);
        id
    }

    pub fn kind_of(&self, name: &str) -> Option<Kind> {
        self.names.get(name).copied()
    }

    /// The node of that operation on those arguments, made if it is new. Callers bring the
    /// arguments into canonical form first (`build.rs`).
    pub fn intern(&mut self, op: Op, arguments: &[Id]) -> Id {
        let tag = Store::hash(op, arguments) as u32;
        let hash = Entry::hash(tag);
        let store = &self.store;
        if let Some(entry) = self.table.find(hash, |entry| entry.tag == tag && store.is(entry.id, op, arguments)) {
            return entry.id;
        }
        let id = match (op, arguments) {
            (Op::Sum | Op::Product | Op::Scale, &[a, b]) => self.push_pair(op, a, b),
            _ => self.push(op, arguments, self.flags(op, arguments)),
        };
        self.table.insert_unique(hash, Entry { id, tag }, |entry| Entry::hash(entry.tag));
        debug_assert!(self.store.is_canonical(id), "not canonical: {op:?} {arguments:?}");
        id
    }

    fn flags(&self, op: Op, arguments: &[Id]) -> u8 {
        let below = arguments.iter().fold(0, |flags, &id| flags | self.store.flags(id));
        (below & (BRANCHY | OPAQUE | VARIABLE)) | self.store.own_flags(op, arguments)
    }

    fn push(&mut self, op: Op, words: &[u32], flags: u8) -> Id {
        let id = Id::try_from(self.store.nodes.len()).expect("a scope holds at most 2^32 nodes");
        let (arity, slots) = match *words {
            [] => (0, [0, 0]),
            [a] => (1 - leaf_slots(op), [a, 0]),
            [a, b] => (2, [a, b]),
            _ => {
                let start = u32::try_from(self.store.pool.len()).expect("argument pool is full");
                words.iter().for_each(|&word| push(&mut self.store.pool, word));
                (POOLED, [start, words.len() as u32])
            }
        };
        let image = Image { lanes: [Element::ZERO; 2] };
        push(&mut self.store.nodes, Node { op, flags, arity, slots, image });
        let image = Image { lanes: [0, 1].map(|lane| self.lane_image(id, lane)) };
        self.store.nodes[id as usize].image = image;
        id
    }

    /// The most frequent new nodes by far, without detours.
    #[inline]
    fn push_pair(&mut self, op: Op, a: Id, b: Id) -> Id {
        let id = Id::try_from(self.store.nodes.len()).expect("a scope holds at most 2^32 nodes");
        let [x, y] = [a, b].map(|id| &self.store.nodes[id as usize]);
        let fields = [0, 1].map(|lane| self.points[lane].field());
        let ([u, v], [s, t]) = (x.image.lanes, y.image.lanes);
        let (sign, lanes) = match op {
            Op::Sum => (sign::sum(x.flags, y.flags), [fields[0].add(u, s), fields[1].add(v, t)]),
            _ => (sign::product(x.flags, y.flags), [fields[0].mul(u, s), fields[1].mul(v, t)]),
        };
        let flags = ((x.flags | y.flags) & (BRANCHY | OPAQUE | VARIABLE)) | sign;
        push(&mut self.store.nodes, Node { op, flags, arity: 2, slots: [a, b], image: Image { lanes } });
        id
    }

    fn lane_image(&mut self, id: Id, lane: usize) -> Element {
        let store = &self.store;
        match self.points[lane].image(store, id, &|child| store.image(child).lanes[lane]) {
            Ok(value) => value,
            Err(Undefined::NotAPower) if self.lost >= MOST_LOST => self.points[lane].independent(u64::from(id)),
            Err(reason) => {
                let found = self.reroll(lane, id);
                self.lost += u32::from(found.is_none() && reason == Undefined::NotAPower);
                found.unwrap_or_else(|| self.points[lane].independent(u64::from(id)))
            }
        }
    }

    /// Draws another point for a lane, because the old one cannot be continued to node `last`
    /// (its radicand is no square there, a denominator vanishes); evaluates all nodes anew. With
    /// many roots that may not succeed: then the node gets an independent value, which is sound.
    #[cold]
    fn reroll(&mut self, lane: usize, last: Id) -> Option<Element> {
        // So many tries that the work stays bounded; with many roots none would succeed anyway.
        let tries = ((1 << 18) / (last as usize + 1)).clamp(64, 1024);
        for attempt in 0..tries {
            let mut point = match attempt % 16 {
                0 => Point::generic(&mut self.random),
                _ => self.points[lane].another(&mut self.random),
            };
            if let Some(values) = self.evaluate_all(&mut point, last + 1) {
                self.points[lane] = point;
                for (node, &value) in self.store.nodes.iter_mut().zip(&values) {
                    node.image.lanes[lane] = value;
                }
                return Some(values[last as usize]);
            }
        }
        None
    }

    fn evaluate_all(&self, point: &mut Point, end: Id) -> Option<Vec<Element>> {
        let mut values = Vec::with_capacity(end as usize);
        for id in 0..end {
            let value = point.image(&self.store, id, &|child| values[child as usize]).ok()?;
            values.push(value);
        }
        Some(values)
    }

    /// The field in which the first signatures lie.
    pub fn field(&self) -> &crate::field::Field {
        self.points[0].field()
    }

    /// 1/a in a lane.
    pub fn inverse(&self, lane: usize, a: Element) -> Option<Element> {
        self.points[lane].field().inv(a)
    }

    /// The ratio of two values in a lane, the second by its inverse, if it is a simple fraction.
    pub fn ratio(&self, lane: usize, a: Element, inverse: Element) -> Option<(i64, u64)> {
        let field = self.points[lane].field();
        field.reconstruct(field.mul(a, inverse), 1 << 20)
    }

    /// a − b or a + b in a lane, if it is a simple fraction.
    pub fn shift(&self, lane: usize, a: Element, b: Element, forward: bool) -> Option<(i64, u64)> {
        let field = self.points[lane].field();
        field.reconstruct(if forward { field.sub(a, b) } else { field.add(a, b) }, 1 << 20)
    }

    /// Is the node zero as a function? By signature: one comparison, unless it has branches.
    pub fn is_zero(&self, id: Id) -> bool {
        let image = self.store.image(id);
        image.lanes == [Element::ZERO; 2] && (!self.store.has(id, BRANCHY) || self.is_zero_on_branches(id))
    }

    /// Two points accept `|x| = x` one time in four, so a zero with branches is looked at again
    /// at points with other signs.
    #[cold]
    fn is_zero_on_branches(&self, id: Id) -> bool {
        if let Some(is_zero) = self.mirrors.borrow_mut().is_zero(&self.store, &self.points[0], id) {
            return is_zero;
        }
        let nodes = self.store.reachable(&[id]);
        let mut random = Random::new(u64::from(id));
        let found = (0..512).filter_map(|_| {
            let mut point = self.points[0].another(&mut random);
            let mut values = FxHashMap::<Id, Element>::default();
            for &node in &nodes {
                let value = point.image(&self.store, node, &|child| values[&child]).ok()?;
                values.insert(node, value);
            }
            Some(values[&id] == Element::ZERO)
        });
        let verdicts: Vec<bool> = found.take(64).collect();
        match verdicts.len() {
            0..8 => self.is_small_everywhere(&nodes, id),
            _ => verdicts.into_iter().all(|zero| zero) && self.is_small_everywhere(&nodes, id),
        }
    }

    /// A product of (|xᵢ| − xᵢ) vanishes on all branches but one; that one is found in floating
    /// point, at states of all signs.
    fn is_small_everywhere(&self, nodes: &[Id], id: Id) -> bool {
        let mut random = Random::new(u64::from(id) + 1);
        (0..256).all(|attempt| {
            let mut values = FxHashMap::<Id, f64>::default();
            for &node in nodes {
                let value = match self.store.op(node) {
                    Op::Symbol => {
                        let size = 0.5 + (random.next() >> 11) as f64 / (1u64 << 53) as f64;
                        let negative = attempt == 0 || attempt > 1 && random.below(2) == 0;
                        if negative { -size } else { size }
                    }
                    _ => self.store.float_from(node, &|child| values[&child]),
                };
                values.insert(node, value);
            }
            values[&id].is_nan() || values[&id].abs() < 1e-9
        })
    }
}

//! What are the values of some expressions at a point of one's own choice?
//!
//! The signatures of a scope stand at points that were drawn before the expressions were made.
//! A proof may want other points: more of them, on every branch of the roots, under assumptions.

use rustc_hash::FxHashMap;

use crate::field::{Element, Field, mix};
use crate::graph::{BRANCHY, Id, Op, Store, VARIABLE};
use crate::number::Rational;
use crate::point::{Point, Undefined};
use crate::scope::{Expr, with_graph};
use crate::sign;
use crate::symbol::Symbol;

/// Some expressions, ready to be evaluated many times.
pub struct Evaluator {
    nodes: Vec<Id>,
    /// The place of a node in `nodes`.
    slots: Vec<u32>,
    outputs: Vec<Id>,
    assumed: FxHashMap<Id, u8>,
    branchy: bool,
}

/// The values of the outputs at a point, and how many branches each root had on the way.
pub struct Values {
    /// One value for each output.
    pub outputs: Vec<Element>,
    /// The number of choices at each root, in the order in which the choices are prescribed.
    pub radices: Vec<u32>,
    /// How many chances there were to link two roots by accident, each of probability 2^-45.
    pub trials: u64,
}

impl Evaluator {
    /// Prepares the evaluation of `outputs`; `facts` are signs that may be relied on, as bits of
    /// [`crate::sign`] for an expression.
    pub fn new(outputs: &[Expr], facts: &[(Expr, u8)]) -> Evaluator {
        let outputs: Vec<Id> = outputs.iter().map(|e| e.id()).collect();
        let facts: Vec<(Id, u8)> = facts.iter().map(|&(e, bits)| (e.id(), bits)).collect();
        with_graph(|graph| {
            let facts_too: Vec<Id> = facts.iter().map(|fact| fact.0).chain(outputs.iter().copied()).collect();
            let mut nodes = graph.store.reachable(&facts_too);
            let branchy = nodes.iter().any(|&id| graph.store.has(id, BRANCHY));
            if branchy {
                graph.store.order_by_branches(&mut nodes);
            }
            let mut slots = vec![0; nodes.iter().max().map_or(0, |&top| top as usize + 1)];
            nodes.iter().enumerate().for_each(|(slot, &id)| slots[id as usize] = slot as u32);
            let assumed = graph.known_signs(&nodes, &facts);
            Evaluator { nodes, slots, outputs, assumed, branchy }
        })
    }

    /// The expressions that are evaluated on the way, in topological order.
    pub fn nodes(&self) -> Vec<Expr> {
        self.nodes.iter().map(|&id| Expr::of(id)).collect()
    }

    /// Those among them that have one of these operations and are no constants.
    pub fn variable_nodes(&self, wanted: impl Fn(Op) -> bool) -> Vec<Expr> {
        with_graph(|graph| {
            let is_wanted = |id: &Id| graph.store.has(*id, VARIABLE) && wanted(graph.store.op(*id));
            self.nodes.iter().copied().filter(is_wanted).collect::<Vec<Id>>()
        })
        .into_iter()
        .map(Expr::of)
        .collect()
    }

    /// How many nodes are evaluated.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The signs known of an expression under the facts given.
    pub fn signs(&self, e: Expr) -> u8 {
        let id = e.id();
        self.assumed.get(&id).copied().unwrap_or_else(|| with_graph(|graph| graph.store.signs(id)))
    }

    /// Evaluates the outputs at the point that follows from the field and the seed. Angles are
    /// split to 1/`fineness`; `choices` prescribes the branches of the roots (0 where it ends).
    pub fn at(&self, field: &Field, seed: u64, fineness: u64, choices: &[u32]) -> Result<Values, Undefined> {
        let mut point = Point::strict(field.clone(), seed, fineness, choices.to_vec(), self.assumed.clone());
        with_graph(|graph| {
            if !self.nodes.iter().any(|&id| graph.store.has(id, VARIABLE)) {
                point = point.without_symbols();
            }
            let mut values: Vec<Element> = Vec::with_capacity(self.nodes.len());
            for &id in &self.nodes {
                let value = point.image(&graph.store, id, &|child| values[self.slots[child as usize] as usize])?;
                if self.branchy {
                    point.note_sign(&graph.store, id, value);
                }
                values.push(value);
            }
            let of = |id: &Id| values[self.slots[*id as usize] as usize];
            Ok(Values {
                outputs: self.outputs.iter().map(of).collect(),
                radices: point.radices().to_vec(),
                trials: point.trials(),
            })
        })
    }

    /// A word that depends on what the expressions are, and on nothing else: the same in every
    /// scope. Points of a proof are drawn from it, so that nobody can choose them.
    pub fn digest(&self) -> u64 {
        with_graph(|graph| {
            let store = &graph.store;
            let mut words: Vec<u64> = Vec::with_capacity(self.nodes.len());
            for &id in &self.nodes {
                let below = store.children(id).iter().map(|&child| words[self.slots[child as usize] as usize]);
                // Sums and products do not depend on the order in which their arguments were made.
                let word = match store.op(id) {
                    Op::Number => store.number(id).map_or(0, digest_number),
                    Op::Symbol => store.symbol_key(id),
                    Op::Sum | Op::Product | Op::Min | Op::Max => {
                        below.fold(0, |sum: u64, word| sum.wrapping_add(mix(word, 1)))
                    }
                    _ => below.fold(0, mix),
                };
                words.push(mix(word, store.op(id) as u64));
            }
            self.outputs.iter().map(|&id| words[self.slots[id as usize] as usize]).fold(0, mix)
        })
    }

    /// The expressions as plain data, independent of the scope.
    pub fn program(&self) -> Program {
        with_graph(|graph| {
            let steps = self.nodes.iter().map(|&id| Step {
                op: graph.store.op(id),
                arguments: graph.store.children(id).iter().map(|&child| self.slots[child as usize]).collect(),
                number: graph.store.number(id).cloned(),
                symbol: graph.store.symbol(id).cloned(),
            });
            let outputs = self.outputs.iter().map(|&id| self.slots[id as usize]).collect();
            Program { steps: steps.collect(), outputs }
        })
    }
}

fn digest_number(number: &Rational) -> u64 {
    number.to_string().bytes().fold(0, |word, byte| mix(word, u64::from(byte)))
}

/// Expressions as a straight-line program: plain data that needs no scope.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// The steps; each uses results of earlier ones.
    pub steps: Vec<Step>,
    /// The steps whose results are the outputs.
    pub outputs: Vec<u32>,
}

/// One step of a [`Program`].
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// What is done.
    pub op: Op,
    /// To the results of which steps.
    pub arguments: Vec<u32>,
    /// The value of a number.
    pub number: Option<Rational>,
    /// What a symbol is.
    pub symbol: Option<Symbol>,
}

impl crate::graph::Graph {
    /// What is known of the signs of `nodes` if the facts hold, where that is more than their shape tells.
    fn known_signs(&self, nodes: &[Id], facts: &[(Id, u8)]) -> FxHashMap<Id, u8> {
        let mut known = FxHashMap::default();
        let facts: Vec<Fact> = facts.iter().map(|&(id, bits)| self.fact(id, bits)).collect();
        if facts.is_empty() {
            return known;
        }
        for &id in nodes {
            let op = self.store.op(id);
            let of = |child: Id| known.get(&child).copied().unwrap_or_else(|| self.store.signs(child));
            let mut bits = match op {
                Op::Number | Op::Symbol | Op::Pi => self.store.signs(id),
                _ => self.store.sign_facts(op, self.store.children(id), &of),
            };
            for fact in &facts {
                bits |= match self.ratio_sign(id, fact) {
                    Some(true) => fact.bits,
                    Some(false) => flipped(fact.bits),
                    None => self.shifted_sign(id, fact),
                };
            }
            if bits != self.store.signs(id) {
                known.insert(id, bits);
            }
        }
        known
    }

    fn fact(&self, id: Id, bits: u8) -> Fact {
        let lanes = self.store.image(id).lanes;
        Fact { id, bits, inverses: [0, 1].map(|lane| self.inverse(lane, lanes[lane])) }
    }

    /// What is known of `id` where it is `fact` or `−fact` plus a number: x < 1 makes x − 2 negative.
    fn shifted_sign(&self, id: Id, fact: &Fact) -> u8 {
        if self.store.op(id) != Op::Sum || self.store.has(id, BRANCHY) || self.store.has(fact.id, BRANCHY) {
            return 0;
        }
        let (a, b) = (self.store.image(id).lanes, self.store.image(fact.id).lanes);
        for (forward, bits) in [(true, fact.bits), (false, flipped(fact.bits))] {
            match in_both(|lane| self.shift(lane, a[lane], b[lane], forward)) {
                Some((c, _)) if c > 0 && bits & sign::NONNEGATIVE != 0 => return sign::POSITIVE,
                Some((c, _)) if c < 0 && bits & sign::NONPOSITIVE != 0 => return sign::NEGATIVE,
                _ => {}
            }
        }
        0
    }

    /// Whether `id` is a positive (true) or negative (false) number times `fact`, by signature.
    fn ratio_sign(&self, id: Id, fact: &Fact) -> Option<bool> {
        if id == fact.id {
            return Some(true);
        }
        // The signature of a node with branches belongs to one of them and says nothing here.
        let branchy = self.store.has(id, BRANCHY) || self.store.has(fact.id, BRANCHY);
        if branchy || !matches!(self.store.op(id), Op::Sum | Op::Scale) {
            return None;
        }
        let lanes = self.store.image(id).lanes;
        let ratio = in_both(|lane| self.ratio(lane, lanes[lane], fact.inverses[lane]?))?;
        Some(ratio.0 > 0)
    }
}

/// A sign that may be relied on, and 1/x in both fields for the node x that has it.
struct Fact {
    id: Id,
    bits: u8,
    inverses: [Option<Element>; 2],
}

/// A fraction that is the same in both fields. Most nodes have none: the second field is asked last.
fn in_both(fraction: impl Fn(usize) -> Option<(i64, u64)>) -> Option<(i64, u64)> {
    fraction(0).filter(|&first| fraction(1) == Some(first))
}

fn flipped(bits: u8) -> u8 {
    let mut flipped = bits & sign::NONZERO;
    if bits & sign::NONNEGATIVE != 0 {
        flipped |= sign::NONPOSITIVE;
    }
    if bits & sign::NONPOSITIVE != 0 {
        flipped |= sign::NONNEGATIVE;
    }
    flipped
}

impl Store {
    /// Brings nodes into an order in which roots inside roots come late, so that what is known of
    /// the inner ones is known when the outer ones are taken.
    fn order_by_branches(&self, nodes: &mut [Id]) {
        let top = nodes.last().map_or(0, |&top| top as usize);
        let mut depths = vec![0u32; top + 1];
        let mut of_depth: Vec<Vec<Id>> = Vec::new();
        for &id in nodes.iter() {
            let depth = match self.has(id, BRANCHY) {
                true => {
                    let below = self.children(id).iter().map(|&child| depths[child as usize]).max().unwrap_or(0);
                    below + u32::from(self.own_flags(self.op(id), self.children(id)) & BRANCHY != 0)
                }
                false => 0,
            };
            depths[id as usize] = depth;
            of_depth.resize(of_depth.len().max(depth as usize + 1), Vec::new());
            of_depth[depth as usize].push(id);
        }
        nodes.iter_mut().zip(of_depth.into_iter().flatten()).for_each(|(node, id)| *node = id);
    }
}

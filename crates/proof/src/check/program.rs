//! What can be said of the steps before any point is taken? Signs, arguments of functions as
//! polynomials, the fields that are needed, the degree as a rational function.

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

use expr::field::mix;
use expr::{Comparison, Op, Rational};

use super::Rejection;
use super::table::{Node, Table};
use crate::certificate::hash;

/// The signs that a step may have, as a set.
pub(super) type Signs = u8;
pub(super) const MINUS: Signs = 1;
pub(super) const NONE: Signs = 2;
pub(super) const PLUS: Signs = 4;
const ANY: Signs = MINUS | NONE | PLUS;

/// Σ c·Π stepᵉ.
pub(super) type Polynomial = BTreeMap<Monomial, Rational>;
type Monomial = Vec<(u32, i64)>;
/// A polynomial with more terms than this is not multiplied out.
const MOST_TERMS: usize = 256;
const MOST_PRODUCTS: usize = 1 << 12;

/// Steps that shall vanish, with what is known of them.
pub(super) struct Program {
    pub nodes: Vec<Node>,
    /// The order in which steps are evaluated: roots inside roots come late.
    pub sequence: Vec<u32>,
    pub vanish: Vec<u32>,
    pub signs: Vec<Signs>,
    pub arguments: FxHashMap<u32, Rc<Polynomial>>,
    /// Roots of unity of this order are needed.
    pub order: u64,
    /// Angles are split to this fraction.
    pub fineness: u64,
    pub digest: u64,
}

impl Program {
    /// `facts` are steps with a comparison to zero.
    pub fn new(table: Table, vanish: Vec<u32>, facts: &[(u32, Comparison)]) -> Result<Program, Rejection> {
        let nodes = table.nodes;
        let digest = digest(&nodes, &vanish, facts);
        let wanted = if facts.is_empty() { Vec::new() } else { signed(&nodes, facts) };
        let polynomials = polynomials(&nodes, &wanted);
        let signs = signs(&nodes, facts, &polynomials);
        let mut program = Program {
            sequence: sequence(&nodes),
            arguments: FxHashMap::default(),
            order: 24,
            fineness: 1,
            nodes,
            vanish,
            signs,
            digest,
        };
        program.arguments =
            polynomials.into_iter().enumerate().filter_map(|(place, p)| Some((place as u32, p?))).collect();
        program
            .needs()
            .ok_or_else(|| Rejection::NotSupported("exponents or fractions of angles with large numbers".to_owned()))?;
        Ok(program)
    }

    pub fn node(&self, place: u32) -> &Node {
        &self.nodes[place as usize]
    }

    pub fn exact(&self, place: u32) -> Option<&Rational> {
        self.node(place).number.as_ref()
    }

    /// The exponent of a power as n/d.
    pub fn exponent(&self, place: u32) -> Option<(i64, i64)> {
        self.exact(self.node(place).of[1])?.to_small()
    }

    /// Is the sign known of a step that is no product, so that it is the root of its square, or the negative root?
    pub fn is_signed(&self, place: u32) -> bool {
        let plain = matches!(self.node(place).op, Op::Sum | Op::Symbol | Op::Cosh | Op::Sinh);
        plain && self.signs[place as usize] & (MINUS | PLUS) != MINUS | PLUS
    }

    /// A step as Π stepᵉ.
    pub fn factors(&self, place: u32) -> Vec<(u32, i64)> {
        let mut list = Vec::new();
        let mut waiting = vec![(place, 1i64)];
        while let Some((place, e)) = waiting.pop() {
            let node = self.node(place);
            match node.op {
                Op::Scale | Op::Product => waiting.extend(node.of.iter().map(|&factor| (factor, e))),
                Op::Power => match self.exponent(place) {
                    Some((n, 1)) if n.checked_mul(e).is_some() => waiting.push((node.of[0], n * e)),
                    _ => list.push((place, e)),
                },
                _ => list.push((place, e)),
            }
        }
        list
    }

    /// Finds the order and the fineness that the steps ask for.
    fn needs(&mut self) -> Option<()> {
        let (mut order, mut fineness) = (self.order, self.fineness);
        for (place, node) in self.nodes.iter().enumerate() {
            match node.op {
                Op::Power => {
                    let (n, d) = self.exponent(place as u32).unwrap_or((0, 1));
                    let d = (n.unsigned_abs() < 1 << 32 && d < 1 << 16).then_some(d as u64)?;
                    order = lcm(order, d >> d.trailing_zeros())?;
                    if let (true, Some(base)) = (d % 2 == 0, self.exact(node.of[0])) {
                        let primes = base.abs().factor_small().unwrap_or_default();
                        for (prime, _) in primes.into_iter().filter(|&(prime, _)| prime < 64) {
                            order = lcm(order, prime)?;
                        }
                    }
                }
                Op::Cbrt => order = lcm(order, 3)?,
                _ if through(node.op).is_some() => {
                    for (monomial, c) in &*self.arguments[&node.of[0]] {
                        let (n, d) = c.to_small()?;
                        let d = (n.unsigned_abs() < 1 << 32).then_some(d as u64)?;
                        match self.special(node.op, monomial) {
                            Some(Op::Pi) => order = lcm(order, 2 * d)?,
                            Some(_) => order = lcm(order, d >> d.trailing_zeros())?,
                            None => fineness = lcm(fineness, d)?,
                        }
                    }
                }
                _ => {}
            }
        }
        (self.order, self.fineness) = (order, fineness);
        (order < 1 << 40).then_some(())
    }

    /// π in an angle, an inverse function in its function: what such a monomial is.
    fn special(&self, function: Op, monomial: &[(u32, i64)]) -> Option<Op> {
        let &[(place, 1)] = monomial else { return None };
        let circular = through(function)?;
        let op = self.node(place).op;
        let meets = match op {
            Op::Pi | Op::Asin | Op::Acos | Op::Atan | Op::Atan2 => circular,
            Op::Log => !circular,
            _ => false,
        };
        meets.then_some(op)
    }
}

/// The steps whose signs may matter: facts, and all that a root or a switch is made of.
fn signed(nodes: &[Node], facts: &[(u32, Comparison)]) -> Vec<u32> {
    let mut wanted = vec![false; nodes.len()];
    facts.iter().for_each(|&(place, _)| wanted[place as usize] = true);
    for (place, node) in nodes.iter().enumerate().rev() {
        let fractional = || nodes[node.of[1] as usize].number.as_ref().is_none_or(|n| !n.is_integer());
        let switches = match node.op {
            Op::Abs | Op::Sign | Op::Cbrt | Op::Min | Op::Max | Op::IfNegative | Op::IfZero | Op::Log | Op::Atan2 => {
                true
            }
            Op::Power => fractional(),
            _ => false,
        };
        if switches || wanted[place] {
            node.of.iter().for_each(|&argument| wanted[argument as usize] = true);
        }
    }
    (0..nodes.len() as u32).filter(|&place| wanted[place as usize]).collect()
}

/// The word from which points are drawn: the same for every way of writing the same steps.
fn digest(nodes: &[Node], vanish: &[u32], facts: &[(u32, Comparison)]) -> u64 {
    let of = |place: u32, is: &str| format!("{:032x} {is} 0", nodes[place as usize].digest);
    let mut lines: Vec<String> = facts.iter().map(|&(place, is)| of(place, is.symbol())).collect();
    lines.extend(vanish.iter().map(|&place| of(place, "vanishes:")));
    lines.sort();
    let word = hash(lines.concat().bytes());
    mix((word >> 64) as u64, word as u64)
}

/// Is a function of e^(i·argument) (true) or of e^argument (false)?
pub(super) fn through(op: Op) -> Option<bool> {
    match op {
        Op::Sin | Op::Cos | Op::Tan => Some(true),
        Op::Sinh | Op::Cosh | Op::Tanh | Op::Exp => Some(false),
        _ => None,
    }
}

/// The least common multiple, if it is not large and no prime above 2^16 can hide in it.
fn lcm(a: u64, b: u64) -> Option<u64> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).checked_mul(b).filter(|&m| m < 1 << 40 && b < 1 << 16)
}

fn sequence(nodes: &[Node]) -> Vec<u32> {
    let mut depths: Vec<u32> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let below = node.of.iter().map(|&place| depths[place as usize]).max().unwrap_or(0);
        let fractional = || nodes[node.of[1] as usize].number.as_ref().is_some_and(|n| !n.is_integer());
        let own = match node.op {
            Op::Abs | Op::Sign | Op::Cbrt | Op::Min | Op::Max | Op::IfNegative => 1,
            Op::Power => u32::from(fractional()),
            _ => 0,
        };
        depths.push(below + own);
    }
    let mut sequence: Vec<u32> = (0..nodes.len() as u32).collect();
    sequence.sort_by_key(|&place| depths[place as usize]);
    sequence
}

// ---- polynomials

/// The polynomials of those steps that are arguments of functions, and of some others.
pub(super) fn polynomials(nodes: &[Node], others: &[u32]) -> Vec<Option<Rc<Polynomial>>> {
    let mut wanted = vec![false; nodes.len()];
    others.iter().for_each(|&place| wanted[place as usize] = true);
    for (place, node) in nodes.iter().enumerate().rev() {
        let opened = wanted[place] && matches!(node.op, Op::Sum | Op::Scale | Op::Product | Op::Power);
        if opened || through(node.op).is_some() {
            node.of.iter().for_each(|&argument| wanted[argument as usize] = true);
        }
    }
    let mut list: Vec<Option<Rc<Polynomial>>> = Vec::with_capacity(nodes.len());
    for (place, node) in nodes.iter().enumerate() {
        let polynomial = wanted[place].then(|| {
            let known = polynomial(node, nodes, &list).filter(|p| p.len() <= MOST_TERMS);
            Rc::new(known.unwrap_or_else(|| Polynomial::from([(vec![(place as u32, 1)], Rational::ONE)])))
        });
        list.push(polynomial);
    }
    list
}

fn polynomial(node: &Node, nodes: &[Node], known: &[Option<Rc<Polynomial>>]) -> Option<Polynomial> {
    let of = |place: u32| known[place as usize].as_deref();
    let one = || Polynomial::from([(Vec::new(), Rational::ONE)]);
    match node.op {
        Op::Number => Some(node.number.iter().filter(|n| !n.is_zero()).map(|n| (Vec::new(), n.clone())).collect()),
        Op::Sum => {
            let mut sum = Polynomial::new();
            for &term in &node.of {
                of(term)?.iter().for_each(|(monomial, c)| include(&mut sum, monomial.clone(), c));
            }
            Some(sum)
        }
        Op::Scale | Op::Product => node.of.iter().try_fold(one(), |product, &factor| times(&product, of(factor)?)),
        Op::Power => {
            let base = of(node.of[0])?;
            let n = nodes[node.of[1] as usize].number.as_ref()?.to_i64()?;
            match (base.len(), n) {
                (1, _) => base.iter().map(|(monomial, c)| Some((power(monomial, n)?, c.pow(n).ok()?))).collect(),
                (_, 2..=4) => (0..n).try_fold(one(), |product, _| times(&product, base)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Adds a term.
pub(super) fn include(sum: &mut Polynomial, monomial: Monomial, c: &Rational) {
    let total = c + sum.get(&monomial).unwrap_or(&Rational::ZERO);
    if total.is_zero() {
        sum.remove(&monomial)
    } else {
        sum.insert(monomial, total)
    };
}

fn power(monomial: &[(u32, i64)], n: i64) -> Option<Monomial> {
    monomial.iter().map(|&(place, e)| Some((place, e.checked_mul(n)?))).collect()
}

/// The product, unless it is too large.
pub(super) fn times(a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
    if a.len() * b.len() > MOST_PRODUCTS {
        return None;
    }
    let mut product = Polynomial::new();
    for (left, c) in a {
        for (right, d) in b {
            let mut exponents: BTreeMap<u32, i64> = left.iter().copied().collect();
            for &(place, e) in right {
                let own = exponents.entry(place).or_default();
                *own = own.checked_add(e)?;
            }
            exponents.retain(|_, e| *e != 0);
            include(&mut product, exponents.into_iter().collect(), &(c * d));
        }
    }
    Some(product)
}

// ---- signs

fn signs(nodes: &[Node], facts: &[(u32, Comparison)], polynomials: &[Option<Rc<Polynomial>>]) -> Vec<Signs> {
    let mut stated: FxHashMap<Vec<(Monomial, Rational)>, Signs> = FxHashMap::default();
    for &(place, comparison) in facts {
        if let Some((key, negative)) = polynomials[place as usize].as_deref().and_then(direction) {
            let set = set_of(comparison);
            *stated.entry(key).or_insert(ANY) &= if negative { negated(set) } else { set };
        }
    }
    let mut list: Vec<Signs> = Vec::with_capacity(nodes.len());
    for (place, node) in nodes.iter().enumerate() {
        let mut set = shape(node, nodes, &list);
        if !stated.is_empty()
            && let Some((key, negative)) = polynomials[place].as_deref().and_then(direction)
            && let Some(&fact) = stated.get(&key)
        {
            set &= if negative { negated(fact) } else { fact };
        }
        list.push(set);
    }
    list
}

/// A polynomial up to a positive number, with its first coefficient made 1; was that negative?
fn direction(polynomial: &Polynomial) -> Option<(Vec<(Monomial, Rational)>, bool)> {
    let lead = polynomial.values().next()?;
    let scaled = polynomial.iter().map(|(monomial, c)| Some((monomial.clone(), c.checked_div(lead)?)));
    Some((scaled.collect::<Option<_>>()?, lead.is_negative()))
}

fn set_of(comparison: Comparison) -> Signs {
    match comparison {
        Comparison::Greater => PLUS,
        Comparison::AtLeast => PLUS | NONE,
        Comparison::Less => MINUS,
        Comparison::AtMost => MINUS | NONE,
        Comparison::NotEqual => MINUS | PLUS,
        Comparison::Equal => NONE,
    }
}

fn negated(set: Signs) -> Signs {
    set & NONE | if set & MINUS != 0 { PLUS } else { 0 } | if set & PLUS != 0 { MINUS } else { 0 }
}

/// All results of an operation on signs −1, 0, 1 from two sets; `None` if it may be anything.
fn pairs(a: Signs, b: Signs, result: impl Fn(i32, i32) -> Option<i32>) -> Signs {
    let members = |set: Signs| (-1..=1).filter(move |sign| set & (1 << (sign + 1)) != 0);
    let results = members(a).flat_map(|x| members(b).map(move |y| (x, y)));
    results.fold(0, |set, (x, y)| set | result(x, y).map_or(ANY, |sign| 1 << (sign + 1)))
}

fn shape(node: &Node, nodes: &[Node], known: &[Signs]) -> Signs {
    let of = |place: usize| known[node.of[place] as usize];
    let all = || node.of.iter().map(|&place| known[place as usize]);
    let add = |x: i32, y: i32| (x * y >= 0).then_some((x + y).signum());
    match node.op {
        Op::Number => node.number.as_ref().map_or(ANY, |number| 1 << (number.signum() + 1)),
        Op::Pi | Op::Exp | Op::Cosh => PLUS,
        Op::Sum => all().reduce(|a, b| pairs(a, b, add)).unwrap_or(ANY),
        Op::Scale | Op::Product => all().fold(PLUS, |a, b| pairs(a, b, |x, y| Some(x * y))),
        Op::Power => {
            let Some((n, d)) = nodes[node.of[1] as usize].number.as_ref().and_then(Rational::to_small) else {
                return ANY;
            };
            let base = if d == 1 { of(0) } else { of(0) & (NONE | PLUS) };
            let power = if n % 2 == 0 { pairs(base, PLUS, |x, _| Some(x * x)) } else { base };
            if n < 0 { power & (MINUS | PLUS) } else { power }
        }
        Op::Abs => pairs(of(0), PLUS, |x, _| Some(x * x)),
        Op::Sign | Op::Cbrt | Op::Sinh | Op::Tanh | Op::Asin | Op::Atan => of(0),
        Op::Acos => NONE | PLUS,
        Op::Min => pairs(of(0), of(1), |x, y| Some(x.min(y))),
        Op::Max => pairs(of(0), of(1), |x, y| Some(x.max(y))),
        Op::IfNegative | Op::IfZero => of(1) | of(2),
        Op::Symbol | Op::Sin | Op::Cos | Op::Tan | Op::Atan2 | Op::Log | Op::Unspecified | Op::Integral => ANY,
    }
}

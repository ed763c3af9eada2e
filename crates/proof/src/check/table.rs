//! Which steps are the same? Every distinct step is kept once, whatever order it was written in.
//!
//! A symbol may stand for a step given before (a solution of an assumed equation, a number of a
//! witness state). What exact arithmetic can compute becomes a number at once.

use rustc_hash::FxHashMap;

use expr::{Op, Rational};

use super::Rejection;
use crate::certificate::{Line, Name, hash, name_of, op_named};

/// Numbers grow no larger than this by arithmetic between steps.
const MOST_BITS: u64 = 1 << 16;

/// A step.
pub(super) struct Node {
    pub op: Op,
    pub of: Vec<u32>,
    /// The value of a number.
    pub number: Option<Rational>,
    /// The name of a symbol; empty for everything else.
    name: String,
    /// Depends on what the step means, not on where it stands.
    pub digest: u128,
}

/// All distinct steps, each after its arguments.
#[derive(Default)]
pub(super) struct Table {
    pub nodes: Vec<Node>,
    /// The last step with a digest. Steps with one digest are compared: a digest is no proof that they are the same.
    known: FxHashMap<u128, u32>,
    /// For every step, the one before it with the same digest.
    before: Vec<Option<u32>>,
}

impl Table {
    /// Adds steps; returns where each of them is. Symbols that are `given` are not added.
    pub fn add(&mut self, lines: &[Line], given: &FxHashMap<&Name, u32>) -> Result<Vec<u32>, Rejection> {
        let mut places: Vec<u32> = Vec::with_capacity(lines.len());
        for line in lines {
            let place = self.add_line(line, &places, given);
            places.push(place.ok_or_else(|| Rejection::Malformed(line.to_string()))?);
        }
        Ok(places)
    }

    fn add_line(&mut self, line: &Line, places: &[u32], given: &FxHashMap<&Name, u32>) -> Option<u32> {
        let op = op_named(&line.op)?;
        let of: Option<Vec<u32>> = line.of.iter().map(|&step| places.get(step as usize).copied()).collect();
        let of = of.filter(|of| arity(op).contains(&of.len()))?;
        if (op == Op::Number) != line.number.is_some() || (op == Op::Symbol) != line.symbol.is_some() {
            return None;
        }
        match (&line.number, &line.symbol) {
            (Some(text), _) => Some(self.number(&number(text)?)),
            (_, Some(name)) => Some(given.get(name).copied().unwrap_or_else(|| self.leaf(op, name.to_string(), None))),
            _ if op == Op::Power && self.exact(of[1]).is_none() => None,
            _ => Some(self.apply(op, of)),
        }
    }

    /// The step of a number.
    pub fn number(&mut self, number: &Rational) -> u32 {
        self.leaf(Op::Number, number.to_string(), Some(number.clone()))
    }

    fn leaf(&mut self, op: Op, text: String, number: Option<Rational>) -> u32 {
        self.intern(op, Vec::new(), text, number)
    }

    /// The step of an operation on steps.
    pub fn apply(&mut self, op: Op, mut of: Vec<u32>) -> u32 {
        if let Some(number) = self.arithmetic(op, &of).filter(|number| number.bits() <= MOST_BITS) {
            return self.number(&number);
        }
        if matches!(op, Op::Sum | Op::Product | Op::Min | Op::Max) {
            of.sort_by_key(|&place| self.nodes[place as usize].digest);
        }
        self.intern(op, of, String::new(), None)
    }

    fn intern(&mut self, op: Op, of: Vec<u32>, text: String, number: Option<Rational>) -> u32 {
        let below = of.iter().flat_map(|&place| self.nodes[place as usize].digest.to_le_bytes());
        let written = name_of(op).bytes().chain([0]).chain(text.bytes()).chain([0]);
        let digest = hash(written.chain(below));
        let name = if op == Op::Symbol { text } else { String::new() };
        let last = self.known.get(&digest).copied();
        let mut same = last;
        while let Some(place) = same {
            let node = &self.nodes[place as usize];
            if node.op == op && node.of == of && node.name == name && node.number == number {
                return place;
            }
            same = self.before[place as usize];
        }
        let place = self.nodes.len() as u32;
        self.nodes.push(Node { op, of, number, name, digest });
        self.before.push(last);
        self.known.insert(digest, place);
        place
    }

    /// The value of a step that is a number.
    pub fn exact(&self, place: u32) -> Option<&Rational> {
        self.nodes[place as usize].number.as_ref()
    }

    fn arithmetic(&self, op: Op, of: &[u32]) -> Option<Rational> {
        let all = || of.iter().map(|&place| self.exact(place));
        let first = || self.exact(*of.first()?);
        match op {
            Op::Sum => all().try_fold(Rational::ZERO, |sum, value| Some(&sum + value?)),
            Op::Scale | Op::Product => all().try_fold(Rational::ONE, |product, value| Some(&product * value?)),
            Op::Power => {
                let (base, n) = (first()?, self.exact(of[1])?.to_i64()?);
                let small = base.bits().checked_mul(n.unsigned_abs())? <= MOST_BITS;
                small.then(|| base.pow(n).ok()).flatten()
            }
            Op::Abs => first().map(Rational::abs),
            Op::Sign => first().map(|value| Rational::from(i64::from(value.signum()))),
            Op::Min | Op::Max => {
                let (a, b) = (first()?, self.exact(of[1])?);
                Some(if (op == Op::Min) == (a < b) { a.clone() } else { b.clone() })
            }
            Op::IfNegative => {
                first().and_then(|value| self.exact(of[if value.is_negative() { 1 } else { 2 }]).cloned())
            }
            Op::IfZero => first().and_then(|value| self.exact(of[if value.is_zero() { 1 } else { 2 }]).cloned()),
            _ => None,
        }
    }
}

/// How many arguments an operation takes.
fn arity(op: Op) -> std::ops::RangeInclusive<usize> {
    match op {
        Op::Number | Op::Symbol | Op::Pi => 0..=0,
        Op::Sum | Op::Product => 2..=usize::MAX,
        Op::Scale | Op::Power | Op::Atan2 | Op::Min | Op::Max => 2..=2,
        Op::IfNegative | Op::IfZero => 3..=3,
        Op::Unspecified => 1..=usize::MAX,
        Op::Integral => 4..=usize::MAX,
        _ => 1..=1,
    }
}

/// Reads `-3/2`; `None` unless it is written as it would be printed.
pub(super) fn number(text: &str) -> Option<Rational> {
    let (sign, size) = text.strip_prefix('-').map_or((1, text), |size| (-1, size));
    let (above, below) = size.split_once('/').unwrap_or((size, "1"));
    let digits =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| Rational::parse_decimal(text).ok());
    let number = &Rational::from(sign) * &digits(above)??.checked_div(&digits(below)??)?;
    (number.to_string() == text).then_some(number)
}

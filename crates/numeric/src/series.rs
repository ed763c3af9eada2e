//! What is the power series of a motion from a state? The program of its slopes, read as recurrences.
//!
//! ```text
//! y' = f:  y[k+1] = f[k]/(k + 1)              x[k] are the coefficients of x(t + s) = Σ x[k] sᵏ               (1)
//! p = a b      p[k] = Σ a[j] b[k−j]                                                    j = 0 … k              (2)
//! q = 1/b      q[k] = −Σ b[j] q[k−j]/b[0]                                              j = 1 … k              (3)
//! s = √a       s[k] = (a[k] − Σ s[j] s[k−j])/(2 s[0])                                  j = 1 … k−1            (4)
//! r = aᵖ       r[k] = Σ (p j − (k − j)) a[j] r[k−j]/(k a[0])                           j = 1 … k              (5)
//! f' = w a'    f[k] = Σ j a[j] w[k−j]/k         sin, cos, exp, tan, sinh, cosh, tanh   j = 1 … k              (6)
//! w f' = a'    f[k] = (a[k] − Σ j f[j] w[k−j]/k)/w[0]         log, atan, asin          j = 1 … k−1            (7)
//! A x = b      x[k] = A[0]⁻¹ (b[k] − Σ A[j] x[k−j])                                    j = 1 … k              (8)
//! ```
//!
//! The first coefficients are those that the tape and its linear systems give. Sums know where coefficients vanish: a constant
//! has one, the time has two. Their terms are added in one order (`sums.rs`), so that the compiled code, which is one straight
//! line for all k, gives the same bits. Switches keep their sides; where one sticks, where a value has a gap that is
//! filled (`IfZero`), or where the smallest of many solutions is taken, there is no series.
//!
//! Sources: A. Jorba, M. Zou, Experimental Mathematics 14 (2005) 99–117; A. Griewank, A. Walther, Evaluating Derivatives, 2nd
//! ed. (2008), chapter 13.

mod reading;
mod sums;

use jit::{Code as Compiled, Lanes, Program};
use linear::tolerance::PIVOT;

use crate::real::{Function, Real};
use crate::system::{Kind, Linear, Trouble};
use crate::tape::{Switches, Tape};
use reading::Builder;
use sums::{Floats, Layout, Line, Sums};

/// So many coefficients a series has at most.
pub const MOST: usize = 32;
/// So often a series is made before its recurrences are compiled.
const SELDOM: u32 = 16;
/// Longer sums are not compiled: the straight line would be too long.
const LARGEST: usize = 300_000;
/// A degree beyond all others.
const ENDLESS: usize = usize::MAX;

/// Where the first coefficient of a value comes from.
#[derive(Clone, Copy, Debug)]
enum First {
    /// A slot of the tape.
    Slot(u32),
    /// A number, which is all of it.
    Number(f64),
    /// An unknown of a system: which system, which unknown.
    Unknown(usize, usize),
    /// A function of the first coefficient of another.
    Of(Function, usize),
    /// The rule at this place.
    Rule(usize),
}

/// How a value follows from others.
#[derive(Clone, Debug)]
enum Rule {
    Add(usize, usize),
    Sub(usize, usize),
    Negative(usize),
    Mul(usize, usize),
    Square(usize),
    /// (3)
    Reciprocal(usize),
    /// (4)
    Sqrt(usize),
    /// (5): a, j a[j], j r[j] and p.
    Power(usize, usize, usize, f64),
    /// j a[j]
    Weighted(usize),
    /// (6): j a[j], w, and whether the sign is turned.
    Integral(usize, usize, bool),
    /// (7): a, j f[j], w.
    Quotient(usize, usize, usize),
    /// (8): its number among the systems; all its unknowns at once, this one is the first.
    System(usize),
}

/// A linear system (8).
#[derive(Clone, Debug)]
struct Block {
    unknowns: Vec<usize>,
    matrix: Vec<usize>,
    right: Vec<usize>,
    /// Where A[0]⁻¹ stands in the memory.
    inverse: usize,
}

/// The recurrences of a tape, up to an order.
struct Recurrences {
    order: usize,
    firsts: Vec<First>,
    degrees: Vec<usize>,
    /// In the order in which they are computed.
    rules: Vec<(usize, Rule)>,
    blocks: Vec<Block>,
    /// y' for each number of the state; the numbers of the state are the first values, the time follows.
    rates: Vec<usize>,
    layout: Layout,
}

/// The series of a tape with the sides of its switches, and room for its coefficients.
pub struct Series {
    /// The sides that it was made for.
    pub sides: Vec<f64>,
    recurrences: Recurrences,
    /// For each value, its coefficients; then the inverses of systems.
    memory: Vec<f64>,
    runs: u32,
    code: Option<Compiled>,
}

/// What a machine has ready.
pub struct Ready<'m> {
    /// The tape; its stages up to the rates.
    pub tape: &'m Tape,
    /// Its memory, with the state and the time put.
    pub memory: &'m mut [f64],
    /// The systems before the rates.
    pub solves: &'m mut [Linear],
}

impl Series {
    /// The recurrences of the stages up to the rates, for states of `n` numbers; nothing where there are none.
    pub fn new(tape: &Tape, solves: &[Linear], n: usize, sides: &[f64], order: usize) -> Option<Series> {
        let mut builder = Builder {
            tape,
            values: vec![None; tape.slots],
            firsts: Vec::new(),
            degrees: Vec::new(),
            rules: Vec::new(),
            weighted: Vec::new(),
            sides,
        };
        for input in (1..=n).chain([0]) {
            let degree = if input == 0 { 1 } else { ENDLESS };
            let value = builder.value(First::Number(0.0), degree);
            if let Some(slot) = tape.input(input) {
                builder.values[slot as usize] = Some(value);
            }
        }
        let (mut blocks, mut inverses) = (Vec::new(), 0);
        for stage in 0..=solves.len() {
            for &instruction in tape.stage(stage) {
                builder.step(instruction)?;
            }
            if let Some(solve) = solves.get(stage) {
                if solve.structure == Kind::Least {
                    return None;
                }
                blocks.push(builder.system(stage, solve, inverses));
                inverses += solve.unknowns * solve.unknowns;
            }
        }
        let rates: Vec<usize> = tape.outputs(solves.len()).iter().map(|&slot| builder.at(slot)).collect();
        let Builder { firsts, degrees, rules, .. } = builder;
        let order = order.clamp(2, MOST);
        let begin = firsts.len() * (order + 1);
        blocks.iter_mut().for_each(|block| block.inverse += begin);
        let layout = layout(&rules, &blocks, firsts.len(), order + 1, begin + inverses);
        let room = layout.backward.iter().flatten().max().map_or(begin + inverses, |last| last + order + 1);
        let memory = vec![0.0; room];
        let recurrences = Recurrences { order, firsts, degrees, rules, blocks, rates, layout };
        Some(Series { sides: sides.to_vec(), recurrences, memory, runs: 0, code: None })
    }

    /// The coefficients from a state that has been put into the memory of the tape: those of all numbers for one power after
    /// those for the power before. False if they are not finite, though the slopes are.
    pub fn expand(&mut self, ready: Ready<'_>, (t, y): (f64, &[f64]), to: &mut [f64]) -> Result<bool, Trouble> {
        let stride = self.recurrences.order + 1;
        self.begin(ready, t, y)?;
        self.runs = self.runs.saturating_add(1);
        if self.runs == SELDOM {
            self.code = self.recurrences.compiled();
        }
        match &self.code {
            Some(code) => code.run(&mut self.memory),
            None => self.recurrences.go(&mut Floats { memory: &mut self.memory, layout: &self.recurrences.layout }),
        }
        for (k, to) in to.chunks_exact_mut(y.len().max(1)).enumerate() {
            to.iter_mut().enumerate().for_each(|(j, to)| *to = self.memory[j * stride + k]);
        }
        let slopes = &to[y.len()..2 * y.len()];
        if slopes.iter().all(|x| x.is_finite()) {
            Ok(to.iter().all(|x| x.is_finite()))
        } else {
            Err(Trouble::NotFinite)
        }
    }

    /// The first coefficients.
    fn begin(&mut self, ready: Ready<'_>, t: f64, y: &[f64]) -> Result<(), Trouble> {
        let Ready { tape, memory, solves } = ready;
        for stage in 0..=solves.len() {
            tape.run(stage, Switches::Frozen(&self.sides), memory);
            if let Some(solve) = solves.get_mut(stage) {
                let slots = tape.outputs(stage);
                solve.solve(|entry| memory[slots[entry] as usize], slots.len())?;
                (0..solve.unknowns).for_each(|k| tape.put(memory, solve.input + k, solve.right[k]));
                let (n, begin) = (solve.unknowns, self.recurrences.blocks[stage].inverse);
                invert(|entry| memory[slots[entry] as usize], n, &mut self.memory[begin..begin + n * n])?;
            }
        }
        let stride = self.recurrences.order + 1;
        let own = &mut self.memory;
        for (value, first) in self.recurrences.firsts.iter().enumerate() {
            own[value * stride] = match *first {
                First::Slot(slot) => memory[slot as usize],
                First::Number(number) => number,
                First::Unknown(which, unknown) => solves[which].right[unknown],
                First::Of(function, of) => own[of * stride].apply(function),
                First::Rule(place) => {
                    let at = |value: usize| own[value * stride];
                    match self.recurrences.rules[place].1 {
                        Rule::Add(a, b) => at(a) + at(b),
                        Rule::Sub(a, b) => at(a) - at(b),
                        Rule::Negative(a) => -at(a),
                        Rule::Mul(a, b) => at(a) * at(b),
                        Rule::Square(a) => at(a) * at(a),
                        Rule::Reciprocal(a) => 1.0 / at(a),
                        Rule::Sqrt(a) => at(a).sqrt(),
                        Rule::Weighted(_) => 0.0,
                        Rule::Power(..) | Rule::Integral(..) | Rule::Quotient(..) | Rule::System(_) => f64::NAN,
                    }
                }
            };
            // the state stands before all that follows from it
            if let Some(&y) = y.get(value) {
                own[value * stride] = y;
            } else if value == y.len() {
                (own[value * stride], own[value * stride + 1]) = (t, 1.0);
            }
        }
        let layout = &self.recurrences.layout;
        for value in (0..self.recurrences.firsts.len()).filter(|&value| layout.backward[value].is_some()) {
            for k in 0..=usize::from(value == y.len()) {
                if let Some(place) = layout.mirrored(value, k) {
                    own[place] = own[layout.place(value, k)];
                }
            }
        }
        Ok(())
    }
}

/// Where coefficients stand, in a memory in which those that stand backwards begin at a place: those of the second factors.
fn layout(rules: &[(usize, Rule)], blocks: &[Block], values: usize, stride: usize, begin: usize) -> Layout {
    let mut is_second = vec![false; values];
    for &(value, ref rule) in rules {
        let seconds = match *rule {
            Rule::Mul(_, b) => [b, b],
            Rule::Square(a) => [a, a],
            Rule::Reciprocal(_) | Rule::Sqrt(_) => [value, value],
            Rule::Power(_, _, own, _) => [value, own],
            Rule::Integral(_, w, _) | Rule::Quotient(_, _, w) => [w, w],
            Rule::Add(..) | Rule::Sub(..) | Rule::Negative(_) | Rule::Weighted(_) | Rule::System(_) => continue,
        };
        seconds.iter().for_each(|&one| is_second[one] = true);
    }
    blocks.iter().flat_map(|block| &block.unknowns).for_each(|&one| is_second[one] = true);
    let mut end = begin;
    let place = |is_second: &bool| {
        is_second.then(|| {
            end += stride;
            end - stride
        })
    };
    Layout { stride, backward: is_second.iter().map(place).collect() }
}

/// A⁻¹ of a matrix, whose rows and columns are measured by the roots of its diagonal first.
fn invert(entry: impl Fn(usize) -> f64, n: usize, to: &mut [f64]) -> Result<(), Trouble> {
    let size = |k: usize| match entry(k * n + k).abs().sqrt() {
        size if size > 0.0 && size.is_finite() => 1.0 / size,
        _ => 1.0,
    };
    let sizes: Vec<f64> = (0..n).map(size).collect();
    let mut matrix: Vec<f64> = (0..n * n).map(|k| entry(k) * sizes[k / n] * sizes[k % n]).collect();
    (0..n * n).for_each(|k| to[k] = f64::from(u8::from(k / n == k % n)));
    linear::solve::eliminate(&mut matrix, to, n, PIVOT, &mut Vec::new())?;
    (0..n * n).for_each(|k| to[k] *= sizes[k / n] * sizes[k % n]);
    Ok(())
}

impl Recurrences {
    /// All coefficients above the first (1).
    fn go<S: Sums>(&self, sums: &mut S) {
        for k in 0..self.order {
            if k > 0 {
                for (value, rule) in &self.rules {
                    match rule {
                        Rule::System(which) => self.system(sums, &self.blocks[*which], k),
                        // what is beyond the degree stays zero
                        _ if k > self.degrees[*value] => {}
                        rule => {
                            let number = self.coefficient(sums, *value, rule, k);
                            sums.set(*value, k, number);
                        }
                    }
                }
            }
            for (j, &rate) in self.rates.iter().enumerate().filter(|one| k <= self.degrees[*one.1]) {
                let slope = sums.get(rate, k);
                let number = if k == 0 { slope } else { self.over(sums, slope, k + 1) };
                sums.set(j, k + 1, number);
            }
        }
    }

    fn over<S: Sums>(&self, sums: &mut S, number: S::Number, k: usize) -> S::Number {
        let k = sums.constant(k as f64);
        sums.div(number, k)
    }

    /// Σ u[j] v[k−j] for j = low … high, without the terms that vanish; nothing if all do.
    fn dot<S: Sums>(
        &self,
        sums: &mut S,
        (u, v): (usize, usize),
        k: usize,
        low: usize,
        high: usize,
    ) -> Option<S::Number> {
        let low = low.max(k.saturating_sub(self.degrees[v]));
        let high = high.min(self.degrees[u]);
        (low <= high).then(|| sums.dot(u, v, k, low, high))
    }

    /// Σ a[j] a[k−j], j from `low` on both sides: each pair once.
    fn squares<S: Sums>(&self, sums: &mut S, a: usize, k: usize, low: usize) -> Option<S::Number> {
        let pairs = if k > 2 * low { self.dot(sums, (a, a), k, low, (k - 1) / 2) } else { None };
        let twice = pairs.map(|sum| sums.add(sum, sum));
        if k % 2 == 1 || k / 2 > self.degrees[a] {
            return twice;
        }
        let middle = sums.get(a, k / 2);
        let middle = sums.mul(middle, middle);
        Some(match twice {
            Some(twice) => sums.add(twice, middle),
            None => middle,
        })
    }

    /// a[k] − sum, where either may vanish.
    fn less<S: Sums>(&self, sums: &mut S, a: usize, k: usize, sum: Option<S::Number>) -> S::Number {
        match (k <= self.degrees[a], sum) {
            (true, None) => sums.get(a, k),
            (true, Some(sum)) => {
                let own = sums.get(a, k);
                sums.sub(own, sum)
            }
            (false, Some(sum)) => sums.negative(sum),
            (false, None) => sums.constant(0.0),
        }
    }

    /// (2) to (7). Long: a table.
    fn coefficient<S: Sums>(&self, sums: &mut S, value: usize, rule: &Rule, k: usize) -> S::Number {
        let has = |value: usize| k <= self.degrees[value];
        let nothing = |sums: &mut S, sum: Option<S::Number>| sum.unwrap_or_else(|| sums.constant(0.0));
        match *rule {
            Rule::Add(a, b) if has(a) && has(b) => {
                let (a, b) = (sums.get(a, k), sums.get(b, k));
                sums.add(a, b)
            }
            Rule::Add(a, b) => sums.get(if has(a) { a } else { b }, k),
            Rule::Sub(a, b) => {
                let b = has(b).then(|| sums.get(b, k));
                self.less(sums, a, k, b)
            }
            Rule::Negative(a) => {
                let a = sums.get(a, k);
                sums.negative(a)
            }
            Rule::Mul(a, b) => {
                let sum = self.dot(sums, (a, b), k, 0, k);
                nothing(sums, sum)
            }
            Rule::Square(a) => {
                let sum = self.squares(sums, a, k, 0);
                nothing(sums, sum)
            }
            Rule::Reciprocal(b) => {
                let sum = self.dot(sums, (b, value), k, 1, k);
                let (sum, first) = (nothing(sums, sum), sums.get(b, 0));
                let quotient = sums.div(sum, first);
                sums.negative(quotient)
            }
            Rule::Sqrt(a) => {
                let sum = self.squares(sums, value, k, 1);
                let rest = self.less(sums, a, k, sum);
                let first = sums.get(value, 0);
                let twice = sums.add(first, first);
                sums.div(rest, twice)
            }
            Rule::Power(a, d, own, exponent) => {
                let (rising, falling) = (self.dot(sums, (d, value), k, 1, k), self.dot(sums, (a, own), k, 1, k - 1));
                let (rising, p) = (nothing(sums, rising), sums.constant(exponent));
                let rising = sums.mul(p, rising);
                let sum = match falling {
                    Some(falling) => sums.sub(rising, falling),
                    None => rising,
                };
                let (first, k) = (sums.get(a, 0), sums.constant(k as f64));
                let below = sums.mul(k, first);
                sums.div(sum, below)
            }
            Rule::Weighted(a) => {
                let (k, a) = (sums.constant(k as f64), sums.get(a, k));
                sums.mul(k, a)
            }
            Rule::Integral(d, w, is_turned) => {
                let sum = self.dot(sums, (d, w), k, 1, k);
                let sum = nothing(sums, sum);
                let sum = if is_turned { sums.negative(sum) } else { sum };
                self.over(sums, sum, k)
            }
            Rule::Quotient(a, own, w) => {
                let sum = self.dot(sums, (own, w), k, 1, k - 1);
                let sum = sum.map(|sum| self.over(sums, sum, k));
                let (rest, first) = (self.less(sums, a, k, sum), sums.get(w, 0));
                sums.div(rest, first)
            }
            Rule::System(_) => sums.constant(f64::NAN),
        }
    }

    /// (8)
    fn system<S: Sums>(&self, sums: &mut S, block: &Block, k: usize) {
        let n = block.unknowns.len();
        let mut rest = Vec::with_capacity(n);
        for i in 0..n {
            let mut sum: Option<S::Number> = None;
            for (&entry, &unknown) in block.matrix[i * n..(i + 1) * n].iter().zip(&block.unknowns) {
                let one = self.dot(sums, (entry, unknown), k, 1, k);
                sum = match (sum, one) {
                    (Some(sum), Some(one)) => Some(sums.add(sum, one)),
                    (sum, one) => sum.or(one),
                };
            }
            rest.push(self.less(sums, block.right[i], k, sum));
        }
        for (i, &unknown) in block.unknowns.iter().enumerate() {
            let mut sum = sums.constant(-0.0);
            for (j, &rest) in rest.iter().enumerate() {
                let inverse = sums.inverse(block.inverse + i * n + j);
                let product = sums.mul(inverse, rest);
                sum = sums.add(sum, product);
            }
            sums.set(unknown, k, sum);
        }
    }

    /// How many products (2) to (8) have, about.
    fn length(&self) -> usize {
        let sums = |rule: &Rule| match rule {
            Rule::System(which) => self.blocks[*which].matrix.iter().filter(|&&entry| self.degrees[entry] > 0).count(),
            Rule::Power(..) => 2,
            Rule::Add(..) | Rule::Sub(..) | Rule::Negative(_) | Rule::Weighted(_) => 0,
            _ => 1,
        };
        let all: usize = self.rules.iter().map(|one| sums(&one.1)).sum();
        all * self.order * self.order / 2
    }

    /// The straight line for all coefficients, compiled; nothing where it is too long or cannot be.
    fn compiled(&self) -> Option<Compiled> {
        if !jit::IS_HERE || self.length() > LARGEST / 2 {
            return None;
        }
        let made = vec![None; self.firsts.len() * (self.order + 1)];
        let mut line = Line { program: Program::default(), made, layout: &self.layout, is_wide: false };
        self.go(&mut line);
        Compiled::new(&line.program, Lanes::One)
    }
}

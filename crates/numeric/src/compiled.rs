//! How does a tape become machine code, with the linear systems between its stages?
//!
//! ```text
//! stage | M = L D Lᵀ, L y = b, Lᵀ x = D⁻¹ y | stage | …   one straight line where systems are small and symmetric    (1)
//! stage ‖ solved outside ‖ stage | …                      else: a stretch ends where a system is solved              (2)
//! ```
//!
//! The operations of (1) are those of `linear`, in their order, so that the bits are the same. Code does not decide: where a
//! pivot is not positive, a number not finite or an angle too large for the formula, it raises a flag, and the tape runs
//! instead.

use jit::{Lanes, Program, Value, WIDE};
use linear::Solved;
use linear::tolerance::POSITIVE;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lifted::{Plan, Step};
use crate::real::{Function, Real};
use crate::system::{Kind, Linear, Trouble};
use crate::tape::{Code, Instruction, Tape};

/// Systems with more unknowns are solved outside (2).
const LARGEST: usize = 32;

/// A way through stages of a tape, compiled.
pub struct Route {
    stretches: Vec<Stretch>,
    flag: usize,
    /// Where the sides of switches stand in the memory, if they are frozen.
    sides: usize,
}

struct Stretch {
    code: jit::Code,
    /// The system that is solved behind it, and the stage of its entries.
    solve: Option<(usize, usize)>,
}

/// All stages of a tape as one line, with every system in it (1): inputs come first in its memory, then outputs, then a flag.
pub fn straight(tape: &Tape, solves: &[Linear], inputs: usize, lanes: Lanes) -> Option<jit::Code> {
    if !jit::IS_HERE || !solves.iter().all(fits) {
        return None;
    }
    let constants: FxHashMap<u32, f64> = tape.constants.iter().copied().collect();
    let mut writer = Writer::new(tape, &constants);
    for input in 0..inputs {
        if let Some(slot) = tape.input(input) {
            writer.made[slot as usize] = Some(writer.program.read(input as u32));
        }
    }
    for (stage, solve) in solves.iter().enumerate() {
        writer.stage(stage);
        writer.system(stage, solve);
    }
    writer.stage(solves.len());
    let slots = tape.outputs(solves.len());
    for (slot, place) in slots.iter().zip(inputs as u32..) {
        let value = writer.at(*slot);
        writer.finite.push(value);
        writer.program.write(place, value);
    }
    jit::Code::new(&writer.finish((inputs + slots.len()) as u32), lanes)
}

/// A stage on the way, and the system that is solved behind it, by its number.
pub type Stop = (usize, Option<usize>);

/// How many floats the memory of a route has.
pub fn room(tape: &Tape, switches: usize) -> usize {
    tape.slots + 1 + switches
}

impl Route {
    /// The way along `stops`, on which `frozen` switches keep their sides, and after which these slots are looked at too;
    /// nothing where it cannot be compiled.
    pub fn new(
        tape: &Tape,
        stops: &[Stop],
        solves: &[Linear],
        (frozen, seen): (usize, &[u32]),
        lanes: Lanes,
    ) -> Option<Route> {
        if !jit::IS_HERE {
            return None;
        }
        let (flag, sides) = (tape.slots, tape.slots + 1);
        let is_inside = |stop: &Stop| stop.1.is_none_or(|which| fits(&solves[which]));
        let constants: FxHashMap<u32, f64> = tape.constants.iter().copied().collect();
        let (mut stretches, mut rest) = (Vec::new(), stops);
        for part in stops.split_inclusive(|stop| !is_inside(stop)) {
            rest = &rest[part.len()..];
            let mut writer = Writer::new(tape, &constants);
            (writer.frozen, writer.sides) = (frozen as u32, sides as u32);
            for stop in part {
                writer.stage(stop.0);
                if let Some(which) = stop.1.filter(|_| is_inside(stop)) {
                    writer.system(stop.0, &solves[which]);
                }
            }
            let last = part.last()?;
            writer.write(last.0, rest, seen);
            let code = jit::Code::new(&writer.finish(flag as u32), lanes)?;
            let solve = last.1.filter(|_| !is_inside(last)).map(|which| (which, last.0));
            stretches.push(Stretch { code, solve });
        }
        Some(Route { stretches, flag, sides })
    }

    /// Runs on memory whose inputs are in place; tells whether every system had one solution. Nothing if a flag was raised:
    /// then the tape must run.
    pub fn run(
        &self,
        tape: &Tape,
        sides: &[f64],
        solves: &mut [Linear],
        memory: &mut [f64],
    ) -> Result<Option<Solved>, Trouble> {
        let mut all = Solved::Unique;
        memory[self.sides..self.sides + sides.len()].copy_from_slice(sides);
        for stretch in &self.stretches {
            stretch.code.run(memory);
            if memory[self.flag] != 0.0 {
                return Ok(None);
            }
            if let Some((which, stage)) = stretch.solve {
                let (solve, slots) = (&mut solves[which], tape.outputs(stage));
                if solve.solve(|entry| memory[slots[entry] as usize], slots.len())? == Solved::Smallest {
                    all = Solved::Smallest;
                }
                (0..solve.unknowns).for_each(|k| tape.put(memory, solve.input + k, solve.right[k]));
            }
        }
        Ok(Some(all))
    }

    /// The same in lanes. False if a flag was raised in one of them, or a system has no solution there.
    #[allow(clippy::needless_range_loop, reason = "a lane runs through all slots")]
    pub fn run_wide(&self, tape: &Tape, solves: &mut [Linear], memory: &mut [[f64; WIDE]]) -> bool {
        for stretch in &self.stretches {
            stretch.code.run_wide(memory);
            if memory[self.flag] != [0.0; WIDE] {
                return false;
            }
            let Some((which, stage)) = stretch.solve else { continue };
            let (solve, slots) = (&mut solves[which], tape.outputs(stage));
            for lane in 0..WIDE {
                if solve.solve(|entry| memory[slots[entry] as usize][lane], slots.len()).is_err() {
                    return false;
                }
                for k in 0..solve.unknowns {
                    if let Some(slot) = tape.input(solve.input + k) {
                        memory[slot as usize][lane] = solve.right[k];
                    }
                }
            }
        }
        true
    }
}

/// Whether a system is solved by (1).
pub(crate) fn fits(solve: &Linear) -> bool {
    match &solve.structure {
        Kind::Symmetric | Kind::Saddle(_) => solve.unknowns <= LARGEST,
        Kind::Lifted(_) => true,
        Kind::General | Kind::Least => false,
    }
}

/// Writes stages of a tape, and the systems behind them, as a program.
pub(crate) struct Writer<'t> {
    pub(crate) tape: &'t Tape,
    pub(crate) constants: &'t FxHashMap<u32, f64>,
    pub(crate) program: Program,
    /// What stands in a slot, if it was made here.
    pub(crate) made: Vec<Option<Value>>,
    pub(crate) frozen: u32,
    pub(crate) sides: u32,
    /// Whether everything held so far.
    pub(crate) holds: Option<Value>,
    /// What must be finite.
    pub(crate) finite: Vec<Value>,
}

impl<'t> Writer<'t> {
    pub(crate) fn new(tape: &'t Tape, constants: &'t FxHashMap<u32, f64>) -> Writer<'t> {
        let made = vec![None; tape.slots];
        let (program, finite) = (Program::default(), Vec::new());
        Writer { tape, constants, program, made, frozen: 0, sides: 0, holds: None, finite }
    }

    pub(crate) fn at(&mut self, slot: u32) -> Value {
        if let Some(value) = self.made[slot as usize] {
            return value;
        }
        let value = match self.constants.get(&slot) {
            Some(&number) => self.program.constant(number),
            None => self.program.read(slot),
        };
        self.made[slot as usize] = Some(value);
        value
    }

    fn expect(&mut self, answer: Value) {
        self.holds = Some(match self.holds {
            Some(before) => self.program.and(before, answer),
            None => answer,
        });
    }

    pub(crate) fn stage(&mut self, stage: usize) {
        let tape = self.tape;
        for &instruction in tape.stage(stage) {
            let value = self.step(instruction);
            self.made[instruction.to as usize] = Some(value);
        }
    }

    fn step(&mut self, Instruction { to, a, b, code }: Instruction) -> Value {
        let (x, y) = (self.at(a), self.at(b));
        match code {
            Code::Add => self.program.add(x, y),
            Code::Sub => self.program.sub(x, y),
            Code::Mul => self.program.mul(x, y),
            Code::SinCos => {
                let (sin, cos, holds) = self.program.sin_cos(x);
                self.expect(holds);
                self.made[to as usize + 1] = Some(cos);
                sin
            }
            Code::Apply(function) => self.apply(function, x),
            Code::Power(exponent) => {
                let exponent = self.program.constant(exponent);
                self.program.call(power, x, exponent)
            }
            Code::Atan2 => self.program.call(atan2, x, y),
            Code::Choose { switch, .. } if switch < self.frozen => self.mixture(switch, x, y),
            Code::Choose { c, .. } => {
                let c = self.at(c);
                let zero = self.program.constant(0.0);
                let less = self.program.is_less(c, zero);
                let chosen = self.program.choose(less, x, y);
                let (is_number, nothing) = (self.program.is_equal(c, c), self.program.constant(f64::NAN));
                self.program.choose(is_number, chosen, nothing)
            }
            Code::Sign { switch } if switch < self.frozen => {
                let (one, two) = (self.program.constant(1.0), self.program.constant(2.0));
                let side = self.program.read(self.sides + switch);
                let twice = self.program.mul(two, side);
                self.program.sub(one, twice)
            }
            Code::Sign { .. } => self.program.call(sign, x, x),
            Code::IfZero { c } => {
                let (c, zero) = (self.at(c), self.program.constant(0.0));
                let is_zero = self.program.is_equal(c, zero);
                self.program.choose(is_zero, x, y)
            }
        }
    }

    /// A side of a frozen switch, or something between both.
    fn mixture(&mut self, switch: u32, negative: Value, other: Value) -> Value {
        let side = self.program.read(self.sides + switch);
        let (zero, one) = (self.program.constant(0.0), self.program.constant(1.0));
        let (first, rest) = (self.program.mul(side, negative), self.program.sub(one, side));
        let second = self.program.mul(rest, other);
        let between = self.program.add(first, second);
        let is_other = self.program.is_equal(side, zero);
        let inner = self.program.choose(is_other, other, between);
        let is_negative = self.program.is_equal(side, one);
        self.program.choose(is_negative, negative, inner)
    }

    fn apply(&mut self, function: Function, x: Value) -> Value {
        let called: jit::Called = match function {
            Function::Negative => return self.program.negative(x),
            Function::Reciprocal => {
                let one = self.program.constant(1.0);
                return self.program.div(one, x);
            }
            Function::Sqrt => return self.program.sqrt(x),
            Function::Cbrt => cbrt,
            Function::Tan => tan,
            Function::Asin => asin,
            Function::Acos => acos,
            Function::Atan => atan,
            Function::Sinh => sinh,
            Function::Cosh => cosh,
            Function::Tanh => tanh,
            Function::Exp => exp,
            Function::Log => log,
            Function::Sign => sign,
        };
        self.program.call(called, x, x)
    }

    /// A system is solved, as `linear::cholesky::symmetric` or `linear::saddle::saddle` does.
    pub(crate) fn system(&mut self, stage: usize, solve: &Linear) {
        let size = solve.unknowns;
        let slots = self.tape.outputs(stage).to_vec();
        let entries: Vec<Value> = slots.iter().map(|&slot| self.at(slot)).collect();
        let solution = match &solve.structure {
            Kind::Lifted(plan) => self.lifted(plan, entries),
            Kind::Saddle(n) => self.saddle(&entries[..size * size], &entries[size * size..], *n),
            _ => {
                let (matrix, right) = entries.split_at(size * size);
                let factor = self.cholesky(matrix.to_vec(), size);
                let forward = self.forward(&factor, right.to_vec());
                let across = self.across(&factor, forward);
                self.backward(&factor, across)
            }
        };
        self.finite.extend(&solution);
        for (k, value) in solution.into_iter().enumerate() {
            if let Some(slot) = self.tape.input(solve.input + k) {
                self.made[slot as usize] = Some(value);
            }
        }
    }

    fn lifted(&mut self, plan: &Plan, mut made: Vec<Value>) -> Vec<Value> {
        for &step in &plan.steps {
            let at = |of: u32| made[of as usize];
            let value = match step {
                Step::Add(a, b) => self.program.add(at(a), at(b)),
                Step::Sub(a, b) => self.program.sub(at(a), at(b)),
                Step::Mul(a, b) => self.program.mul(at(a), at(b)),
                Step::Negative(a) => self.program.negative(at(a)),
                Step::Reciprocal(a) => {
                    let one = self.program.constant(1.0);
                    self.program.div(one, at(a))
                }
            };
            made.push(value);
        }
        let ratio = self.program.constant(POSITIVE.ratio());
        for &(pivot, size) in &plan.pivots {
            let least = self.program.mul(ratio, made[size as usize]);
            let is_positive = self.program.is_less(least, made[pivot as usize]);
            self.expect(is_positive);
        }
        let zero = self.program.constant(0.0);
        plan.solution.iter().map(|one| one.map_or(zero, |one| made[one as usize])).collect()
    }

    /// Σ a b, as an iterator adds.
    fn dot(&mut self, pairs: impl Iterator<Item = (Value, Value)>) -> Value {
        let mut sum = None;
        for (a, b) in pairs {
            let product = self.program.mul(a, b);
            sum = Some(match sum {
                Some(sum) => self.program.add(sum, product),
                None => product,
            });
        }
        sum.unwrap_or_else(|| self.program.constant(std::iter::empty::<f64>().sum()))
    }

    /// x − Σ a b, term by term.
    fn less(&mut self, x: Value, pairs: impl Iterator<Item = (Value, Value)>) -> Value {
        let mut rest = x;
        for (a, b) in pairs {
            let product = self.program.mul(a, b);
            rest = self.program.sub(rest, product);
        }
        rest
    }

    /// The lower triangle of a symmetric matrix becomes its factor: L below the diagonal, 1/D on it, (L D)ᵀ above it.
    fn cholesky(&mut self, mut matrix: Vec<Value>, n: usize) -> Vec<Value> {
        let (ratio, one) = (self.program.constant(POSITIVE.ratio()), self.program.constant(1.0));
        for j in 0..n {
            let before = matrix[j * n + j];
            let row: Vec<Value> = matrix[j * n..j * n + j].to_vec();
            for i in j..n {
                let above: Vec<Value> = (0..j).map(|k| matrix[k * n + i]).collect();
                matrix[j * n + i] = self.less(matrix[i * n + j], row.iter().copied().zip(above));
            }
            let pivot = matrix[j * n + j];
            let size = self.program.abs(before);
            let least = self.program.mul(ratio, size);
            let is_positive = self.program.is_less(least, pivot);
            self.expect(is_positive);
            matrix[j * n + j] = self.program.div(one, pivot);
            for i in j + 1..n {
                matrix[i * n + j] = self.program.mul(matrix[j * n + i], matrix[j * n + j]);
            }
        }
        matrix
    }

    fn forward(&mut self, factor: &[Value], mut x: Vec<Value>) -> Vec<Value> {
        let n = x.len();
        for i in 0..n {
            x[i] = self.less(x[i], (0..i).map(|k| (factor[i * n + k], x[k])));
        }
        x
    }

    fn across(&mut self, factor: &[Value], mut x: Vec<Value>) -> Vec<Value> {
        let n = x.len();
        for (k, x) in x.iter_mut().enumerate() {
            *x = self.program.mul(*x, factor[k * n + k]);
        }
        x
    }

    fn backward(&mut self, factor: &[Value], mut x: Vec<Value>) -> Vec<Value> {
        let n = x.len();
        for i in (0..n).rev() {
            for k in 0..i {
                let product = self.program.mul(factor[i * n + k], x[i]);
                x[k] = self.program.sub(x[k], product);
            }
        }
        x
    }

    fn saddle(&mut self, matrix: &[Value], right: &[Value], n: usize) -> Vec<Value> {
        let (size, m) = (right.len(), right.len() - n);
        let entry = |i: usize, j: usize| matrix[i * size + j];
        let factor = self.cholesky((0..n * n).map(|k| entry(k / n, k % n)).collect(), n);
        let mut spread = Vec::with_capacity(m);
        for i in 0..m {
            let row = (0..n).map(|j| entry(n + i, j)).collect();
            spread.push(self.forward(&factor, row));
        }
        let sign = self.sign(&|i, j| (entry(j, n + i), entry(n + i, j)), n, m);
        let mut gram = vec![right[0]; m * m];
        for i in 0..m {
            let scaled = self.across(&factor, spread[i].clone());
            for j in 0..=i {
                gram[i * m + j] = self.dot(scaled.iter().copied().zip(spread[j].iter().copied()));
            }
        }
        let gram = self.cholesky(gram, m);
        let (b, c) = right.split_at(n);
        let mut b = self.forward(&factor, b.to_vec());
        let scaled = self.across(&factor, b.clone());
        let mut short = Vec::with_capacity(m);
        for (row, &c) in spread.iter().zip(c) {
            let dot = self.dot(row.iter().copied().zip(scaled.iter().copied()));
            short.push(self.program.sub(dot, c));
        }
        let c = self.forward(&gram, short);
        let c = self.across(&gram, c);
        let c = self.backward(&gram, c);
        for (k, b) in b.iter_mut().enumerate() {
            let dot = self.dot(spread.iter().zip(&c).map(|(row, &c)| (row[k], c)));
            *b = self.program.sub(*b, dot);
        }
        let b = self.across(&factor, b);
        let mut x = self.backward(&factor, b);
        x.extend(c.iter().map(|&c| self.program.mul(c, sign)));
        x
    }

    /// −1 where an entry of B is the negative of its entry of Aᵀ and not zero, else 1.
    fn sign(&mut self, pair: &dyn Fn(usize, usize) -> (Value, Value), n: usize, m: usize) -> Value {
        let (zero, one, minus) = (self.program.constant(0.0), self.program.constant(1.0), self.program.constant(-1.0));
        let mut sign = one;
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let (up, down) = pair(i, j);
            if up == down {
                continue;
            }
            let opposite = self.program.negative(down);
            let (is_opposite, is_zero) = (self.program.is_equal(up, opposite), self.program.is_equal(up, zero));
            let turned = self.program.choose(is_opposite, minus, sign);
            sign = self.program.choose(is_zero, sign, turned);
        }
        sign
    }

    /// With s = Σ x, s − s is zero where all x are finite; a sum that overflows asks the tape.
    fn are_finite(&mut self) {
        let mut list = std::mem::take(&mut self.finite);
        list.sort_unstable();
        list.dedup();
        let Some((&first, rest)) = list.split_first() else { return };
        let zero = self.program.constant(0.0);
        let sum = rest.iter().fold(first, |sum, &x| self.program.add(sum, x));
        let nothing = self.program.sub(sum, sum);
        let is_zero = self.program.is_equal(nothing, zero);
        self.expect(is_zero);
    }

    /// What others read: the outputs of the last stage, and what the stops after it need.
    fn write(&mut self, last: usize, rest: &[Stop], seen: &[u32]) {
        let tape = self.tape;
        let mut wanted: FxHashSet<u32> = tape.outputs(last).iter().chain(seen).copied().collect();
        for &(stage, _) in rest {
            for instruction in tape.stage(stage) {
                wanted.extend([instruction.a, instruction.b]);
                if let Code::Choose { c, .. } | Code::IfZero { c } = instruction.code {
                    wanted.insert(c);
                }
            }
            wanted.extend(tape.outputs(stage));
        }
        let mut wanted: Vec<u32> = wanted.into_iter().collect();
        wanted.sort_unstable();
        for slot in wanted {
            let is_given = self.constants.contains_key(&slot);
            if let Some(value) = self.made[slot as usize].filter(|&value| !is_given && !self.program.is_read(value)) {
                self.program.write(slot, value);
            }
        }
    }

    /// The program, with its flag: zero if everything held.
    pub(crate) fn finish(mut self, flag: u32) -> Program {
        self.are_finite();
        let (zero, one) = (self.program.constant(0.0), self.program.constant(1.0));
        let raised = match self.holds {
            Some(holds) => self.program.choose(holds, zero, one),
            None => zero,
        };
        self.program.write(flag, raised);
        self.program
    }
}

macro_rules! called {
    ($($name:ident = $function:ident;)+) => {
        $(extern "C" fn $name(x: f64, _: f64) -> f64 {
            x.apply(Function::$function)
        })+
    };
}

called! {
    cbrt = Cbrt; tan = Tan; asin = Asin; acos = Acos; atan = Atan; sinh = Sinh; cosh = Cosh; tanh = Tanh; exp = Exp; log = Log;
    sign = Sign;
}

extern "C" fn power(x: f64, exponent: f64) -> f64 {
    x.power(exponent)
}

extern "C" fn atan2(y: f64, x: f64) -> f64 {
    Real::atan2(y, x)
}

#[cfg(test)]
mod tests {
    use expr::Expr;

    use super::*;
    use crate::problem::{Solve, Structure};
    use crate::system::entries;
    use crate::tape::Switches;

    /// Numbers that are the same in every run, and the abbreviations that were made with them.
    struct Draw {
        seed: u64,
        defined: Vec<(Expr, Expr)>,
    }

    impl Draw {
        fn below(&mut self, n: usize) -> usize {
            self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((self.seed >> 33) % n as u64) as usize
        }

        fn float(&mut self) -> f64 {
            self.below(2_000_001) as f64 * 2e-6 - 2.0
        }

        fn define(&mut self, text: &str) -> String {
            let name = format!("s{}", self.defined.len());
            self.defined.push((expr::parse(&name).unwrap(), expr::parse(text).unwrap()));
            name
        }

        /// An expression of these, with every operation of a tape.
        fn expression(&mut self, from: &[String], length: usize) -> String {
            let mut made = from.to_vec();
            for _ in 0..length {
                let [a, b, c] = [(); 3].map(|()| made[self.below(made.len())].clone());
                let text = match self.below(14) {
                    0 | 1 => format!("{a} + {b}"),
                    2 => format!("{a} - {b}"),
                    3 | 4 => format!("{a}*{b}"),
                    5 => format!("{a}/({b}^2 + 1)"),
                    6 => format!("sin({a})*cos({b})"),
                    7 => format!("sqrt({a}^2 + 2)"),
                    8 => format!("abs({a}) + max({b}, {c})"),
                    9 => format!("tanh({a}) + atan({b}) - cbrt({c})"),
                    10 => format!("({a}^2 + 1)^(-3) + ({b}^2 + 1)^(1/3)"),
                    11 => format!("atan2({a}, {b})"),
                    12 => format!("sign({a})*{b}"),
                    _ => format!("if({a} < {b}, {b}, {c})"),
                };
                let name = self.define(&text);
                made.push(name);
            }
            made[made.len() - 1].clone()
        }
    }

    fn named(name: &str) -> Expr {
        expr::parse(name).unwrap()
    }

    /// A symmetric matrix Aᵀ A + 1.
    fn positive(draw: &mut Draw, from: &[String], n: usize) -> Vec<Vec<Expr>> {
        let root: Vec<Vec<String>> = (0..n).map(|_| (0..n).map(|_| draw.expression(from, 3)).collect()).collect();
        let mut entry = |i: usize, j: usize| {
            let terms: Vec<String> = root.iter().map(|row| format!("{}*{}", row[i], row[j])).collect();
            let one = if i == j { " + 1" } else { "" };
            named(&draw.define(&format!("{}{one}", terms.join(" + "))))
        };
        let lower: Vec<Vec<Expr>> = (0..n).map(|i| (0..=i).map(|j| entry(i, j)).collect()).collect();
        (0..n).map(|i| (0..n).map(|j| lower[i.max(j)][i.min(j)]).collect()).collect()
    }

    fn system(draw: &mut Draw, from: &[String], kind: usize, name: &str) -> Solve {
        let n = 1 + draw.below(5);
        let mass = positive(draw, from, n);
        let m = if kind == 0 { 0 } else { 1 + draw.below(n) };
        let rows: Vec<Vec<Expr>> = (0..m).map(|_| (0..n).map(|_| named(&draw.expression(from, 2))).collect()).collect();
        let sign = if kind == 1 { expr::integer(1) } else { expr::integer(-1) };
        let entry = |i: usize, j: usize| match (i < n, j < n) {
            (true, true) => mass[i][j],
            (false, true) => rows[i - n][j],
            (true, false) => sign * rows[j - n][i],
            (false, false) => Expr::zero(),
        };
        let size = n + m;
        let matrix: Vec<Vec<Expr>> = (0..size).map(|i| (0..size).map(|j| entry(i, j)).collect()).collect();
        let unknowns = (0..size).map(|k| named(&format!("{name}{k}"))).collect();
        let right = (0..size).map(|_| named(&draw.expression(from, 4))).collect();
        let structure = match kind {
            0 => Structure::Symmetric,
            1 | 2 => Structure::Saddle(n),
            _ => Structure::General,
        };
        Solve { unknowns, matrix, right, structure }
    }

    /// The tape, step by step.
    fn interpreted(tape: &Tape, solves: &[Linear], inputs: &[f64], sides: &[f64]) -> Result<Vec<f64>, Trouble> {
        let mut memory: Vec<f64> = tape.memory();
        inputs.iter().enumerate().for_each(|(k, &x)| tape.put(&mut memory, k, x));
        for (stage, solve) in solves.iter().enumerate() {
            tape.run(stage, Switches::Frozen(sides), &mut memory);
            let (mut solve, slots) = (solve.clone(), tape.outputs(stage));
            solve.solve(|entry| memory[slots[entry] as usize], slots.len())?;
            (0..solve.unknowns).for_each(|k| tape.put(&mut memory, solve.input + k, solve.right[k]));
        }
        tape.run(solves.len(), Switches::Frozen(sides), &mut memory);
        Ok(tape.outputs(solves.len()).iter().map(|&slot| memory[slot as usize]).collect())
    }

    #[test]
    fn compiled_tapes_give_the_bits_of_tapes() {
        // lose the sign of a saddle, or add in another order, and this fails
        let _scope = expr::Scope::enter();
        let mut draw = Draw { seed: 11, defined: Vec::new() };
        let (mut compared, mut flagged) = (0, 0);
        for round in 0..120 {
            let mut from: Vec<String> = (0..4).map(|k| format!("x{k}")).collect();
            let (mut stages, mut solves) = (Vec::new(), Vec::new());
            for which in 0..round % 3 {
                let name = format!("z{which}_");
                let solve = system(&mut draw, &from, (round + which) % 4, &name);
                solves.push(Linear::new(&solve, from.len()));
                from.extend((0..solve.unknowns.len()).map(|k| format!("{name}{k}")));
                stages.push(entries(&solve));
            }
            stages.push((0..6).map(|_| named(&draw.expression(&from, 12))).collect());
            let inputs: Vec<Expr> = from.iter().map(|name| named(name)).collect();
            let tape = Tape::new(&inputs, &[], &draw.defined, &stages).unwrap();
            let mut stops: Vec<Stop> = (0..solves.len()).map(|which| (which, Some(which))).collect();
            stops.push((solves.len(), None));
            let switches = tape.switches_until(solves.len()).len();
            let frozen = if round % 2 == 0 { 0 } else { switches };
            let Some(route) = Route::new(&tape, &stops, &solves, (frozen, &[]), Lanes::One) else { return };
            let wide = Route::new(&tape, &stops, &solves, (0, &[]), Lanes::Wide).unwrap();
            let places: Vec<Vec<f64>> = (0..WIDE).map(|_| (0..4).map(|_| draw.float()).collect()).collect();
            let sides: Vec<f64> = (0..frozen).map(|_| [0.0, 1.0, 0.3][draw.below(3)]).collect();
            let mut memory = vec![[0.0; WIDE]; room(&tape, 0)];
            for (slot, constant) in memory.iter_mut().zip(tape.memory::<f64>()) {
                *slot = [constant; WIDE];
            }
            let mut all_fine = true;
            for (lane, place) in places.iter().enumerate() {
                let right = interpreted(&tape, &solves, place, &sides);
                let mut one = tape.memory::<f64>();
                one.resize(room(&tape, frozen), 0.0);
                for (k, &x) in place.iter().enumerate() {
                    tape.put(&mut one, k, x);
                    if let Some(slot) = tape.input(k) {
                        memory[slot as usize][lane] = x;
                    }
                }
                let found = route.run(&tape, &sides, &mut solves.clone(), &mut one);
                let Ok(Some(_)) = found else {
                    flagged += 1;
                    all_fine = false;
                    assert!(right.is_err() || found.is_ok(), "round {round}: an error of its own");
                    continue;
                };
                let outputs: Vec<f64> = tape.outputs(solves.len()).iter().map(|&slot| one[slot as usize]).collect();
                assert!(right.is_ok_and(|right| same(&outputs, &right)), "round {round}: {outputs:?}");
                compared += 1;
            }
            if frozen == 0 && all_fine && wide.run_wide(&tape, &mut solves.clone(), &mut memory) {
                for (lane, place) in places.iter().enumerate() {
                    let right = interpreted(&tape, &solves, place, &[]).unwrap();
                    let outputs = tape.outputs(solves.len()).iter().map(|&slot| memory[slot as usize][lane]);
                    assert!(same(&outputs.collect::<Vec<_>>(), &right), "round {round}, lane {lane}");
                }
            }
        }
        assert!(compared > 700 && flagged > 0, "{compared} compared, {flagged} flagged");
    }

    fn same(a: &[f64], b: &[f64]) -> bool {
        a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()))
    }
}

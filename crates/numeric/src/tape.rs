//! How do expressions become one straight-line program?
//!
//! ```text
//! slot ← slot op slot            every shared part once, sine and cosine of one argument together
//! stage 0 | stage 1 | …          run one after the other; between them somebody may fill in unknowns
//! ```
//!
//! What depends on fixed symbols alone is computed when the tape is made. `abs sign min max if` are switches: they
//! follow their argument, or, frozen, keep the side that they were on, or something between both.

use expr::{Evaluator, Expr, Op, Program, Symbol};
use rustc_hash::FxHashMap;

use crate::real::{Function, Real};

/// A program in stages.
#[derive(Clone, Debug)]
pub struct Tape {
    code: Vec<Instruction>,
    /// Where each stage ends.
    ends: Vec<usize>,
    outputs: Vec<Vec<u32>>,
    inputs: Vec<Option<u32>>,
    pub(crate) constants: Vec<(u32, f64)>,
    pub(crate) slots: usize,
    /// The slots that switches look at.
    switches: Vec<u32>,
    /// How many switches there are up to the end of each stage.
    switch_ends: Vec<usize>,
}

/// One step of a tape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instruction {
    pub to: u32,
    pub a: u32,
    pub b: u32,
    pub code: Code,
}

/// What a step does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Code {
    Add,
    Sub,
    Mul,
    /// Sine to `to`, cosine to `to + 1`.
    SinCos,
    Apply(Function),
    Power(f64),
    Atan2,
    /// A switch: slot `c` is looked at; `a` where it is negative, `b` elsewhere.
    Choose {
        switch: u32,
        c: u32,
    },
    /// −1, 0 or 1 by the sign of `a`.
    Sign {
        switch: u32,
    },
    IfZero {
        c: u32,
    },
}

/// A symbol that is neither an input nor fixed nor defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unbound {
    /// Its name.
    pub name: String,
}

impl std::fmt::Display for Unbound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` has no value", self.name)
    }
}

impl std::error::Error for Unbound {}

/// Which way switches go.
#[derive(Clone, Copy, Debug)]
pub enum Switches<'a> {
    /// As their arguments say.
    Free,
    /// On these sides: 1 where the argument counts as negative, 0 where it does not, else a mixture. Switches beyond
    /// the list are free.
    Frozen(&'a [f64]),
}

impl Tape {
    /// The program for `stages`, lists of expressions of `inputs`; `fixed` symbols are numbers, also if they are inputs,
    /// `defined` ones expressions.
    ///
    /// ```
    /// use numeric::{Switches, Tape};
    /// let _scope = expr::Scope::enter();
    /// let (x, y, k) = (expr::coordinate("x"), expr::coordinate("y"), expr::parameter("k"));
    /// let tape = Tape::new(&[x, y], &[(k, 2.0)], &[], &[vec![k * x + y.sin()]])?;
    /// let mut memory = tape.memory::<f64>();
    /// tape.put(&mut memory, 0, 3.0);
    /// tape.run(0, Switches::Free, &mut memory);
    /// assert_eq!(memory[tape.outputs(0)[0] as usize], 6.0);
    /// # Ok::<(), numeric::Unbound>(())
    /// ```
    pub fn new(
        inputs: &[Expr],
        fixed: &[(Expr, f64)],
        defined: &[(Expr, Expr)],
        stages: &[Vec<Expr>],
    ) -> Result<Tape, Unbound> {
        Ok(Tape::lowered(inputs, fixed, defined, stages)?.0)
    }

    /// The arguments of the switches of such a program, in its order.
    pub fn switch_arguments(
        inputs: &[Expr],
        fixed: &[(Expr, f64)],
        defined: &[(Expr, Expr)],
        stages: &[Vec<Expr>],
    ) -> Result<Vec<Expr>, Unbound> {
        Ok(Tape::lowered(inputs, fixed, defined, stages)?.1)
    }

    fn lowered(
        inputs: &[Expr],
        fixed: &[(Expr, f64)],
        defined: &[(Expr, Expr)],
        stages: &[Vec<Expr>],
    ) -> Result<(Tape, Vec<Expr>), Unbound> {
        let roots: Vec<Expr> =
            stages.iter().flatten().copied().chain(defined.iter().map(|definition| definition.1)).collect();
        let evaluator = Evaluator::new(&roots, &[]);
        let program = evaluator.program();
        let nodes = evaluator.nodes();
        let place: FxHashMap<Expr, u32> = nodes.iter().copied().zip(0..).collect();
        let mut lowering = Lowering {
            made: vec![None; program.steps.len()],
            inputs: FxHashMap::default(),
            fixed: FxHashMap::default(),
            defined: FxHashMap::default(),
            numbers: FxHashMap::default(),
            twins: twins(&program),
            arguments: Vec::new(),
            nodes: &nodes,
            tape: Tape {
                code: Vec::new(),
                ends: Vec::new(),
                outputs: Vec::new(),
                inputs: Vec::new(),
                constants: Vec::new(),
                slots: 0,
                switches: Vec::new(),
                switch_ends: Vec::new(),
            },
            program: &program,
        };
        for (k, input) in inputs.iter().enumerate() {
            let is_fixed = fixed.iter().any(|one| one.0 == *input);
            let slot = (!is_fixed && place.contains_key(input)).then(|| lowering.slot());
            lowering.tape.inputs.push(slot);
            if let (Some(slot), Some(&step)) = (slot, place.get(input)) {
                lowering.inputs.insert(step, (k, slot));
            }
        }
        let known = fixed.iter().filter_map(|(symbol, value)| Some((*place.get(symbol)?, *value)));
        lowering.fixed = known.collect();
        let known = defined.iter().filter_map(|(symbol, value)| Some((*place.get(symbol)?, place[value])));
        lowering.defined = known.collect();
        for stage in stages {
            let slots: Result<Vec<u32>, Unbound> = stage.iter().map(|output| lowering.lower(place[output])).collect();
            lowering.tape.outputs.push(slots?);
            lowering.tape.ends.push(lowering.tape.code.len());
            lowering.tape.switch_ends.push(lowering.tape.switches.len());
        }
        lowering.tape.sweep();
        Ok((lowering.tape, lowering.arguments))
    }

    /// Leaves out what nobody reads.
    fn sweep(&mut self) {
        let mut read = vec![false; self.slots];
        for &slot in self.outputs.iter().flatten().chain(&self.switches) {
            read[slot as usize] = true;
        }
        let mut keep = vec![false; self.code.len()];
        for (place, instruction) in self.code.iter().enumerate().rev() {
            let (to, is_pair) = (instruction.to as usize, matches!(instruction.code, Code::SinCos));
            keep[place] = read[to] || (is_pair && read[to + 1]);
            if keep[place] {
                read[instruction.a as usize] = true;
                read[instruction.b as usize] = true;
                if let Code::Choose { c, .. } | Code::IfZero { c } = instruction.code {
                    read[c as usize] = true;
                }
            }
        }
        for end in &mut self.ends {
            *end = keep[..*end].iter().filter(|&&kept| kept).count();
        }
        let mut keep = keep.into_iter();
        self.code.retain(|_| keep.next() == Some(true));
    }

    /// Memory with its constants in place.
    pub fn memory<R: Real>(&self) -> Vec<R> {
        let mut memory = vec![R::float(0.0); self.slots];
        for &(slot, value) in &self.constants {
            memory[slot as usize] = R::float(value);
        }
        memory
    }

    /// Gives an input its value.
    pub fn put<R: Real>(&self, memory: &mut [R], input: usize, value: R) {
        if let Some(slot) = self.inputs[input] {
            memory[slot as usize] = value;
        }
    }

    /// The slots of the outputs of a stage.
    pub fn outputs(&self, stage: usize) -> &[u32] {
        &self.outputs[stage]
    }

    /// How many instructions there are in a stage.
    pub fn length(&self, stage: usize) -> usize {
        self.ends[stage] - self.begin(stage)
    }

    /// How many operations there are in a stage, about.
    pub(crate) fn cost(&self, stage: usize) -> usize {
        let of = |one: &Instruction| match one.code {
            Code::Add | Code::Sub | Code::Mul => 1,
            // what it takes where it is compiled
            Code::SinCos => 60,
            _ => 20,
        };
        self.stage(stage).iter().map(of).sum()
    }

    /// The slots that the switches of the stages up to this one look at.
    pub fn switches_until(&self, stage: usize) -> &[u32] {
        &self.switches[..self.switch_ends[stage]]
    }

    /// The steps of a stage.
    pub(crate) fn stage(&self, stage: usize) -> &[Instruction] {
        &self.code[self.begin(stage)..self.ends[stage]]
    }

    /// The slot of an input, if it is read.
    pub(crate) fn input(&self, input: usize) -> Option<u32> {
        self.inputs[input]
    }

    fn begin(&self, stage: usize) -> usize {
        if stage == 0 { 0 } else { self.ends[stage - 1] }
    }

    /// Runs one stage; the stages before it must have run on this memory.
    pub fn run<R: Real>(&self, stage: usize, switches: Switches<'_>, memory: &mut [R]) {
        for instruction in self.stage(stage) {
            let &Instruction { to, a, b, code } = instruction;
            let (to, x) = (to as usize, memory[a as usize]);
            let y = |memory: &[R]| memory[b as usize];
            memory[to] = match code {
                Code::Add => x.add(y(memory)),
                Code::Sub => x.sub(y(memory)),
                Code::Mul => x.mul(y(memory)),
                Code::SinCos => {
                    let (sin, cos) = x.sin_cos();
                    memory[to + 1] = cos;
                    sin
                }
                Code::Apply(function) => x.apply(function),
                Code::Power(exponent) => x.power(exponent),
                Code::Atan2 => x.atan2(y(memory)),
                Code::Choose { switch, c } => match switches {
                    Switches::Frozen(sides) if (switch as usize) < sides.len() => {
                        mixture(sides[switch as usize], x, y(memory))
                    }
                    _ => memory[c as usize].choose(x, y(memory)),
                },
                Code::Sign { switch } => match switches {
                    Switches::Frozen(sides) if (switch as usize) < sides.len() => {
                        R::float(1.0 - 2.0 * sides[switch as usize])
                    }
                    _ => x.apply(Function::Sign),
                },
                Code::IfZero { c } => memory[c as usize].if_zero(x, y(memory)),
            };
        }
    }
}

/// A side of a switch, or something between both.
fn mixture<R: Real>(side: f64, negative: R, other: R) -> R {
    match side {
        1.0 => negative,
        0.0 => other,
        _ => R::float(side).mul(negative).add(R::float(1.0 - side).mul(other)),
    }
}

/// Where the value of a step is.
#[derive(Clone, Copy)]
enum Made {
    Slot(u32),
    Number(f64),
}

struct Lowering<'a> {
    program: &'a Program,
    made: Vec<Option<Made>>,
    inputs: FxHashMap<u32, (usize, u32)>,
    fixed: FxHashMap<u32, f64>,
    defined: FxHashMap<u32, u32>,
    numbers: FxHashMap<u64, u32>,
    /// The sine of an argument for its cosine, and the other way round.
    twins: FxHashMap<u32, u32>,
    /// The arguments of the switches.
    arguments: Vec<Expr>,
    nodes: &'a [Expr],
    tape: Tape,
}

impl Lowering<'_> {
    fn slot(&mut self) -> u32 {
        self.tape.slots += 1;
        self.tape.slots as u32 - 1
    }

    /// The slot that holds the value of a step, after the code that has been written.
    fn lower(&mut self, root: u32) -> Result<u32, Unbound> {
        let mut waiting = vec![root];
        while let Some(&step) = waiting.last() {
            if self.made[step as usize].is_some() {
                waiting.pop();
                continue;
            }
            let below = match self.defined.get(&step) {
                Some(definition) => std::slice::from_ref(definition),
                None => &self.program.steps[step as usize].arguments,
            };
            if self.program.steps[step as usize].op == Op::Integral && !self.defined.contains_key(&step) {
                return Err(Unbound { name: "integral(…)".to_owned() });
            }
            let before = waiting.len();
            waiting.extend(below.iter().filter(|&&one| self.made[one as usize].is_none()));
            if waiting.len() == before {
                let made = match self.defined.get(&step) {
                    Some(&definition) => self.made(definition),
                    None => self.make(step)?,
                };
                self.made[step as usize] = Some(made);
                waiting.pop();
            }
        }
        let made = self.made(root);
        Ok(self.place(made))
    }

    fn made(&self, step: u32) -> Made {
        self.made[step as usize].unwrap_or(Made::Number(f64::NAN))
    }

    fn place(&mut self, made: Made) -> u32 {
        match made {
            Made::Slot(slot) => slot,
            Made::Number(value) => {
                let bits = value.to_bits();
                if let Some(&slot) = self.numbers.get(&bits) {
                    return slot;
                }
                let slot = self.slot();
                self.numbers.insert(bits, slot);
                self.tape.constants.push((slot, value));
                slot
            }
        }
    }

    /// The value of a step whose arguments are made.
    fn make(&mut self, step: u32) -> Result<Made, Unbound> {
        if let Some(&(_, slot)) = self.inputs.get(&step) {
            return Ok(Made::Slot(slot));
        }
        if let Some(&value) = self.fixed.get(&step) {
            return Ok(Made::Number(value));
        }
        let program = self.program;
        let one = &program.steps[step as usize];
        let number = |made: Made| match made {
            Made::Number(value) => Some(value),
            Made::Slot(_) => None,
        };
        let numbers = || one.arguments.iter().map(|&argument| number(self.made(argument)));
        Ok(match one.op {
            Op::Symbol => {
                let name = one.symbol.as_ref().map(named).unwrap_or_default();
                return Err(Unbound { name });
            }
            Op::Number => Made::Number(one.number.as_ref().map_or(f64::NAN, |number| number.to_f64())),
            Op::Pi => Made::Number(std::f64::consts::PI),
            op if numbers().all(|number| number.is_some()) => {
                Made::Number(constant(op, &numbers().flatten().collect::<Vec<_>>()))
            }
            op => Made::Slot(self.operation(op, &one.arguments, step)),
        })
    }

    fn emit(&mut self, code: Code, a: u32, b: u32) -> u32 {
        let to = self.slot();
        if matches!(code, Code::SinCos) {
            self.slot();
        }
        self.tape.code.push(Instruction { to, a, b, code });
        to
    }

    fn apply(&mut self, function: Function, a: u32) -> u32 {
        self.emit(Code::Apply(function), a, a)
    }

    fn switch(&mut self, step: u32, looks_at: u32) -> u32 {
        let node = self.nodes[step as usize];
        let below = node.arguments();
        self.arguments.push(match node.op() {
            Op::Min | Op::Max => below[0] - below[1],
            _ => below[0],
        });
        self.tape.switches.push(looks_at);
        self.tape.switches.len() as u32 - 1
    }

    fn operation(&mut self, op: Op, arguments: &[u32], step: u32) -> u32 {
        if op == Op::Power {
            let base = self.place(self.made(arguments[0]));
            let Made::Number(exponent) = self.made(arguments[1]) else { return self.place(Made::Number(f64::NAN)) };
            return self.power(base, exponent);
        }
        if op == Op::Sum {
            return self.sum(step);
        }
        if matches!(op, Op::Scale | Op::Product) {
            return self.product(arguments);
        }
        // no other operation has more arguments
        let mut slots = [0; 3];
        for (slot, &argument) in slots.iter_mut().zip(arguments) {
            *slot = self.place(self.made(argument));
        }
        let a = slots[0];
        match op {
            Op::Sin | Op::Cos => self.sin_cos(op, step, a),
            Op::Tan => self.apply(Function::Tan, a),
            Op::Asin => self.apply(Function::Asin, a),
            Op::Acos => self.apply(Function::Acos, a),
            Op::Atan => self.apply(Function::Atan, a),
            Op::Sinh => self.apply(Function::Sinh, a),
            Op::Cosh => self.apply(Function::Cosh, a),
            Op::Tanh => self.apply(Function::Tanh, a),
            Op::Exp => self.apply(Function::Exp, a),
            Op::Log => self.apply(Function::Log, a),
            Op::Cbrt => self.apply(Function::Cbrt, a),
            Op::Atan2 => self.emit(Code::Atan2, a, slots[1]),
            Op::Sign => {
                let switch = self.switch(step, a);
                self.emit(Code::Sign { switch }, a, a)
            }
            Op::Abs => {
                let negative = self.apply(Function::Negative, a);
                let switch = self.switch(step, a);
                self.emit(Code::Choose { switch, c: a }, negative, a)
            }
            Op::Min | Op::Max => {
                let c = self.emit(Code::Sub, a, slots[1]);
                let switch = self.switch(step, c);
                let (negative, other) = if op == Op::Min { (a, slots[1]) } else { (slots[1], a) };
                self.emit(Code::Choose { switch, c }, negative, other)
            }
            Op::IfNegative => {
                let switch = self.switch(step, a);
                self.emit(Code::Choose { switch, c: a }, slots[1], slots[2])
            }
            Op::IfZero => self.emit(Code::IfZero { c: a }, slots[1], slots[2]),
            Op::Unspecified | Op::Integral => self.place(Made::Number(f64::NAN)),
            Op::Number | Op::Symbol | Op::Pi | Op::Power | Op::Sum | Op::Scale | Op::Product => a,
        }
    }

    fn product(&mut self, factors: &[u32]) -> u32 {
        if let [minus, factor] = factors
            && matches!(self.made(*minus), Made::Number(-1.0))
        {
            let slot = self.place(self.made(*factor));
            return self.apply(Function::Negative, slot);
        }
        let mut product = self.place(self.made(factors[0]));
        for &factor in &factors[1..] {
            let factor = self.place(self.made(factor));
            product = self.emit(Code::Mul, product, factor);
        }
        product
    }

    /// A sum; terms −1·x are subtracted.
    fn sum(&mut self, step: u32) -> u32 {
        let program = self.program;
        let negated = |term: u32| {
            let one = &program.steps[term as usize];
            let head = (one.op == Op::Scale).then(|| &program.steps[one.arguments[0] as usize])?;
            head.number.as_ref().filter(|number| number.to_i64() == Some(-1)).map(|_| one.arguments[1])
        };
        let mut terms: Vec<(bool, u32)> = Vec::new();
        for &term in &program.steps[step as usize].arguments {
            let (minus, term) = negated(term).map_or((false, term), |inner| (true, inner));
            let made = self.made(term);
            terms.push((minus, self.place(made)));
        }
        if let Some(first) = terms.iter().position(|term| !term.0) {
            terms.swap(0, first);
        }
        let (minus, mut sum) = terms[0];
        if minus {
            sum = self.apply(Function::Negative, sum);
        }
        for &(minus, term) in &terms[1..] {
            sum = self.emit(if minus { Code::Sub } else { Code::Add }, sum, term);
        }
        sum
    }

    fn power(&mut self, base: u32, exponent: f64) -> u32 {
        match exponent {
            2.0 => self.emit(Code::Mul, base, base),
            3.0 => {
                let square = self.emit(Code::Mul, base, base);
                self.emit(Code::Mul, square, base)
            }
            4.0 => {
                let square = self.emit(Code::Mul, base, base);
                self.emit(Code::Mul, square, square)
            }
            -1.0 => self.apply(Function::Reciprocal, base),
            -2.0 => {
                let square = self.emit(Code::Mul, base, base);
                self.apply(Function::Reciprocal, square)
            }
            0.5 => self.apply(Function::Sqrt, base),
            _ => self.emit(Code::Power(exponent), base, base),
        }
    }

    /// Sine and cosine of one argument come from one instruction.
    fn sin_cos(&mut self, op: Op, step: u32, a: u32) -> u32 {
        let both = self.emit(Code::SinCos, a, a);
        let (own, its) = if op == Op::Sin { (both, both + 1) } else { (both + 1, both) };
        if let Some(&twin) = self.twins.get(&step) {
            self.made[twin as usize] = Some(Made::Slot(its));
        }
        own
    }
}

fn twins(program: &Program) -> FxHashMap<u32, u32> {
    let mut first: FxHashMap<u32, u32> = FxHashMap::default();
    let mut twins = FxHashMap::default();
    for (step, one) in (0..).zip(&program.steps) {
        if matches!(one.op, Op::Sin | Op::Cos)
            && let Some(other) = first.insert(one.arguments[0], step)
        {
            twins.extend([(step, other), (other, step)]);
        }
    }
    twins
}

fn named(symbol: &Symbol) -> String {
    format!("{}{}", symbol.name, "'".repeat(symbol.order as usize))
}

/// The value of an operation on numbers.
fn constant(op: Op, numbers: &[f64]) -> f64 {
    let a = numbers[0];
    match op {
        Op::Sum => numbers.iter().sum(),
        Op::Scale | Op::Product => numbers.iter().product(),
        Op::Power if numbers[1] == 0.5 => a.sqrt(),
        Op::Power => a.power(numbers[1]),
        Op::Sin => a.sin(),
        Op::Cos => a.cos(),
        Op::Tan => a.tan(),
        Op::Asin => a.asin(),
        Op::Acos => a.acos(),
        Op::Atan => a.atan(),
        Op::Sinh => a.sinh(),
        Op::Cosh => a.cosh(),
        Op::Tanh => a.tanh(),
        Op::Exp => a.exp(),
        Op::Log => a.ln(),
        Op::Abs => a.abs(),
        Op::Sign => a.apply(Function::Sign),
        Op::Cbrt => a.cbrt(),
        Op::Atan2 => Real::atan2(a, numbers[1]),
        Op::Min => a.min(numbers[1]),
        Op::Max => a.max(numbers[1]),
        Op::IfNegative => a.choose(numbers[1], numbers[2]),
        Op::IfZero => a.if_zero(numbers[1], numbers[2]),
        Op::Number | Op::Symbol | Op::Pi | Op::Unspecified | Op::Integral => f64::NAN,
    }
}

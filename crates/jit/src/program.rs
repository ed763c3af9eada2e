//! A straight-line program: which value is made from which, which slots of memory are read and written?

use std::collections::BTreeMap;

use crate::circular::{Arithmetic, LARGEST, formula};

/// So many floats stand in a slot of wide memory.
pub const WIDE: usize = 8;

/// How many states run at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// One float a slot.
    One,
    /// [`WIDE`] floats a slot.
    Wide,
}

/// A value of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Value(pub(crate) u32);

/// A function of two floats that is called.
pub type Called = extern "C" fn(f64, f64) -> f64;

/// What makes a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    Read(u32),
    Constant(u64),
    Two(Two, Value, Value),
    Sqrt(Value),
    Round(Value),
    /// The bits, moved up by so many places.
    Shift(Value, u8),
    Compare(Relation, Value, Value),
    /// By the sign bit of the first: the second if it is set, else the third.
    Choose(Value, Value, Value),
    Call(Called, Value, Value),
    /// Of slots side by side, from these two on, four times so many each; see [`Program::dot`].
    Dot(u32, u32, u32),
}

/// An operation on two values; the last three on their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Two {
    Add,
    Sub,
    Mul,
    Div,
    And,
    Or,
    Xor,
}

/// A relation; false where a side is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Relation {
    Equal,
    Less,
    LessOrEqual,
}

/// A straight-line program. Answers of comparisons are values too: all bits set, or none.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub(crate) operations: Vec<Operation>,
    /// Slots that are written, with what.
    pub(crate) writes: Vec<(u32, Value)>,
    constants: BTreeMap<u64, Value>,
    reads: BTreeMap<u32, Value>,
}

impl Program {
    fn push(&mut self, operation: Operation) -> Value {
        self.operations.push(operation);
        Value(self.operations.len() as u32 - 1)
    }

    fn two(&mut self, two: Two, a: Value, b: Value) -> Value {
        self.push(Operation::Two(two, a, b))
    }

    /// How many operations there are.
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// What a slot holds before the program runs.
    pub fn read(&mut self, slot: u32) -> Value {
        if let Some(&value) = self.reads.get(&slot) {
            return value;
        }
        let value = self.push(Operation::Read(slot));
        self.reads.insert(slot, value);
        value
    }

    /// Whether a value is what a slot holds before.
    pub fn is_read(&self, value: Value) -> bool {
        matches!(self.operations[value.0 as usize], Operation::Read(_))
    }

    /// Writes a value to a slot. A slot is written once, and read before that by nobody who wants another value.
    pub fn write(&mut self, slot: u32, value: Value) {
        self.writes.push((slot, value));
    }

    /// A constant.
    pub fn constant(&mut self, value: f64) -> Value {
        self.bits(value.to_bits())
    }

    fn bits(&mut self, bits: u64) -> Value {
        if let Some(&value) = self.constants.get(&bits) {
            return value;
        }
        let value = self.push(Operation::Constant(bits));
        self.constants.insert(bits, value);
        value
    }

    /// a + b
    pub fn add(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::Add, a, b)
    }

    /// a − b
    pub fn sub(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::Sub, a, b)
    }

    /// a b
    pub fn mul(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::Mul, a, b)
    }

    /// a/b
    pub fn div(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::Div, a, b)
    }

    /// −a
    pub fn negative(&mut self, a: Value) -> Value {
        let sign = self.bits(1 << 63);
        self.two(Two::Xor, a, sign)
    }

    /// |a|
    pub fn abs(&mut self, a: Value) -> Value {
        let rest = self.bits(!(1 << 63));
        self.two(Two::And, a, rest)
    }

    /// √a
    pub fn sqrt(&mut self, a: Value) -> Value {
        self.push(Operation::Sqrt(a))
    }

    /// The nearest integer, the even one of two.
    pub fn round(&mut self, a: Value) -> Value {
        self.push(Operation::Round(a))
    }

    /// The bits of a, moved up by so many places.
    fn shift(&mut self, a: Value, places: u8) -> Value {
        self.push(Operation::Shift(a, places))
    }

    /// a = b?
    pub fn is_equal(&mut self, a: Value, b: Value) -> Value {
        self.push(Operation::Compare(Relation::Equal, a, b))
    }

    /// a < b?
    pub fn is_less(&mut self, a: Value, b: Value) -> Value {
        self.push(Operation::Compare(Relation::Less, a, b))
    }

    /// a ≤ b?
    pub fn is_at_most(&mut self, a: Value, b: Value) -> Value {
        self.push(Operation::Compare(Relation::LessOrEqual, a, b))
    }

    /// Are both so?
    pub fn and(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::And, a, b)
    }

    /// Is one of both so?
    pub fn or(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::Or, a, b)
    }

    /// `yes` where the answer is so, else `no`.
    pub fn choose(&mut self, answer: Value, yes: Value, no: Value) -> Value {
        self.push(Operation::Choose(answer, yes, no))
    }

    /// f(a, b), by calling it for each lane.
    pub fn call(&mut self, f: Called, a: Value, b: Value) -> Value {
        self.push(Operation::Call(f, a, b))
    }

    /// Σ a_j b_j over slots side by side, from slots `a` and `b` on, four times `fours` each, as they are in memory where this
    /// stands; in four lanes l, one after the other in each, then (l₀ + l₂) + (l₁ + l₃). For one state at a time.
    pub fn dot(&mut self, a: u32, b: u32, fours: u32) -> Value {
        self.push(Operation::Dot(a, b, fours.max(1)))
    }

    /// Sine and cosine by the formula of [`crate::sin_cos`], and whether it holds for this argument.
    pub fn sin_cos(&mut self, x: Value) -> (Value, Value, Value) {
        let (size, largest) = (self.abs(x), self.constant(LARGEST));
        let holds = self.is_at_most(size, largest);
        let (sin, cos) = formula(self, x);
        (sin, cos, holds)
    }
}

impl Arithmetic for Program {
    type Number = Value;

    fn constant(&mut self, value: f64) -> Value {
        Program::constant(self, value)
    }

    fn add(&mut self, a: Value, b: Value) -> Value {
        Program::add(self, a, b)
    }

    fn sub(&mut self, a: Value, b: Value) -> Value {
        Program::sub(self, a, b)
    }

    fn mul(&mut self, a: Value, b: Value) -> Value {
        Program::mul(self, a, b)
    }

    fn shift(&mut self, a: Value, places: u8) -> Value {
        Program::shift(self, a, places)
    }

    fn xor(&mut self, a: Value, b: Value) -> Value {
        self.two(Two::Xor, a, b)
    }

    fn sign(&mut self, a: Value) -> Value {
        let sign = self.bits(1 << 63);
        self.two(Two::And, a, sign)
    }

    fn choose(&mut self, sign: Value, yes: Value, no: Value) -> Value {
        Program::choose(self, sign, yes, no)
    }
}

//! How are sums of coefficients computed: in floats at once, or written down for a compiler?
//!
//! Both do the same operations in the same order, so that the bits are the same.

use jit::{Program, Value};

/// What can compute coefficients: floats at once, a program later.
pub trait Sums {
    /// A coefficient.
    type Number: Copy;
    /// The coefficient of a value at a power.
    fn get(&mut self, value: usize, k: usize) -> Self::Number;
    /// What stands in the memory at a place that is no coefficient.
    fn inverse(&mut self, place: usize) -> Self::Number;
    /// Writes such a coefficient.
    fn set(&mut self, value: usize, k: usize, number: Self::Number);
    /// A constant.
    fn constant(&mut self, number: f64) -> Self::Number;
    /// a + b
    fn add(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// a − b
    fn sub(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// a b
    fn mul(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// a/b
    fn div(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// −a
    fn negative(&mut self, a: Self::Number) -> Self::Number;
    /// Σ u[j] v[k−j], j = low … high, in the order of [`Parts`]; the coefficients of v stand backwards too.
    fn dot(&mut self, u: usize, v: usize, k: usize, low: usize, high: usize) -> Self::Number;
}

/// The order in which a sum of products is made.
///
/// ```text
/// first + last + a few, one after the other; then fours in four lanes l: + ((l₀ + l₂) + (l₁ + l₃))
/// ```
///
/// The newest coefficients are the first and the last, so that the fours are in memory for long.
struct Parts {
    /// The second and those that follow it, one by one.
    few: std::ops::Range<usize>,
    /// How many fours follow them.
    fours: usize,
}

impl Parts {
    fn of(low: usize, high: usize) -> Parts {
        let middle = (high - low).saturating_sub(1);
        Parts { few: low + 1..low + 1 + middle % 4, fours: middle / 4 }
    }
}

/// Where coefficients stand: those of a value side by side, and those of some once more, backwards.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// How many coefficients a value has.
    pub stride: usize,
    /// Where the backward ones begin, for the values that have them.
    pub backward: Vec<Option<usize>>,
}

impl Layout {
    /// The place of a coefficient.
    pub fn place(&self, value: usize, k: usize) -> usize {
        value * self.stride + k
    }

    /// Its place among the backward ones.
    pub fn mirrored(&self, value: usize, k: usize) -> Option<usize> {
        Some(self.backward[value]? + self.stride - 1 - k)
    }
}

/// Coefficients in a memory.
pub struct Floats<'m> {
    /// The memory.
    pub memory: &'m mut [f64],
    /// Where they stand in it.
    pub layout: &'m Layout,
}

impl Sums for Floats<'_> {
    type Number = f64;

    #[inline]
    fn get(&mut self, value: usize, k: usize) -> f64 {
        self.memory[self.layout.place(value, k)]
    }

    #[inline]
    fn inverse(&mut self, place: usize) -> f64 {
        self.memory[place]
    }

    #[inline]
    fn set(&mut self, value: usize, k: usize, number: f64) {
        self.memory[self.layout.place(value, k)] = number;
        if let Some(place) = self.layout.mirrored(value, k) {
            self.memory[place] = number;
        }
    }

    #[inline]
    fn constant(&mut self, number: f64) -> f64 {
        number
    }

    #[inline]
    fn add(&mut self, a: f64, b: f64) -> f64 {
        a + b
    }

    #[inline]
    fn sub(&mut self, a: f64, b: f64) -> f64 {
        a - b
    }

    #[inline]
    fn mul(&mut self, a: f64, b: f64) -> f64 {
        a * b
    }

    #[inline]
    fn div(&mut self, a: f64, b: f64) -> f64 {
        a / b
    }

    #[inline]
    fn negative(&mut self, a: f64) -> f64 {
        -a
    }

    #[inline]
    fn dot(&mut self, u: usize, v: usize, k: usize, low: usize, high: usize) -> f64 {
        let product = |j: usize| self.memory[self.layout.place(u, j)] * self.memory[self.layout.place(v, k - j)];
        let mut sum = product(low);
        if high > low {
            sum += product(high);
        }
        let Parts { few, fours } = Parts::of(low, high);
        let from = few.end;
        few.for_each(|j| sum += product(j));
        let back = if fours > 0 { self.layout.mirrored(v, k - from) } else { None };
        let Some(back) = back else { return sum };
        let place = self.layout.place(u, from);
        let (a, b) = (&self.memory[place..place + 4 * fours], &self.memory[back..back + 4 * fours]);
        // a sum that begins with −0 has the bits of one that begins with its first term
        let mut lanes = [-0.0_f64; 4];
        for (a, b) in a.chunks_exact(4).zip(b.chunks_exact(4)) {
            (0..4).for_each(|lane| lanes[lane] += a[lane] * b[lane]);
        }
        sum + ((lanes[0] + lanes[2]) + (lanes[1] + lanes[3]))
    }
}

/// A program of one straight line.
pub struct Line<'l> {
    /// The program.
    pub program: Program,
    /// What was made so far; the rest is read.
    pub made: Vec<Option<Value>>,
    /// Where coefficients stand in its memory.
    pub layout: &'l Layout,
    /// Whether several states stand side by side in a slot.
    pub is_wide: bool,
}

impl Sums for Line<'_> {
    type Number = Value;

    fn get(&mut self, value: usize, k: usize) -> Value {
        let place = self.layout.place(value, k);
        match self.made[place] {
            Some(value) => value,
            None => self.program.read(place as u32),
        }
    }

    fn inverse(&mut self, place: usize) -> Value {
        self.program.read(place as u32)
    }

    fn set(&mut self, value: usize, k: usize, number: Value) {
        let place = self.layout.place(value, k);
        self.made[place] = Some(number);
        self.program.write(place as u32, number);
        if let Some(place) = self.layout.mirrored(value, k).filter(|_| !self.is_wide) {
            self.program.write(place as u32, number);
        }
    }

    fn constant(&mut self, number: f64) -> Value {
        self.program.constant(number)
    }

    fn add(&mut self, a: Value, b: Value) -> Value {
        self.program.add(a, b)
    }

    fn sub(&mut self, a: Value, b: Value) -> Value {
        self.program.sub(a, b)
    }

    fn mul(&mut self, a: Value, b: Value) -> Value {
        self.program.mul(a, b)
    }

    fn div(&mut self, a: Value, b: Value) -> Value {
        self.program.div(a, b)
    }

    fn negative(&mut self, a: Value) -> Value {
        self.program.negative(a)
    }

    fn dot(&mut self, u: usize, v: usize, k: usize, low: usize, high: usize) -> Value {
        let mut sum = self.product(u, v, k, low);
        let Parts { few, fours } = Parts::of(low, high);
        let from = few.end;
        for j in (high > low).then_some(high).into_iter().chain(few) {
            let product = self.product(u, v, k, j);
            sum = self.program.add(sum, product);
        }
        if fours == 0 {
            return sum;
        }
        let rest = match self.layout.mirrored(v, k - from).filter(|_| !self.is_wide) {
            Some(back) => self.program.dot(self.layout.place(u, from) as u32, back as u32, fours as u32),
            None => {
                let lanes = [0, 1, 2, 3].map(|lane| {
                    let mut sum = self.product(u, v, k, from + lane);
                    for four in 1..fours {
                        let product = self.product(u, v, k, from + 4 * four + lane);
                        sum = self.program.add(sum, product);
                    }
                    sum
                });
                let (even, odd) = (self.program.add(lanes[0], lanes[2]), self.program.add(lanes[1], lanes[3]));
                self.program.add(even, odd)
            }
        };
        self.program.add(sum, rest)
    }
}

impl Line<'_> {
    fn product(&mut self, u: usize, v: usize, k: usize, j: usize) -> Value {
        let (a, b) = (self.get(u, j), self.get(v, k - j));
        self.program.mul(a, b)
    }
}

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
    /// Σ u[j] v[k−j], j = low … high, in four lanes: the first of each four terms in the first one.
    fn dot(&mut self, u: usize, v: usize, k: usize, low: usize, high: usize) -> Self::Number;
}

/// Coefficients in a memory, those of a value side by side.
pub struct Floats<'m> {
    /// The memory.
    pub memory: &'m mut [f64],
    /// How many coefficients a value has.
    pub stride: usize,
}

impl Sums for Floats<'_> {
    type Number = f64;

    #[inline]
    fn get(&mut self, value: usize, k: usize) -> f64 {
        self.memory[value * self.stride + k]
    }

    #[inline]
    fn inverse(&mut self, place: usize) -> f64 {
        self.memory[place]
    }

    #[inline]
    fn set(&mut self, value: usize, k: usize, number: f64) {
        self.memory[value * self.stride + k] = number;
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
        let (u, v) = (u * self.stride, v * self.stride);
        let (a, b) = (&self.memory[u + low..=u + high], &self.memory[v + k - high..=v + k - low]);
        // a sum that begins with −0 has the bits of one that begins with its first term
        let mut lanes = [-0.0_f64; 4];
        let (fours, others) = (a.chunks_exact(4), b.rchunks_exact(4));
        let (rest, last) = (fours.remainder(), others.remainder());
        for (a, b) in fours.zip(others) {
            for lane in 0..4 {
                lanes[lane] += a[lane] * b[3 - lane];
            }
        }
        for (lane, (a, b)) in rest.iter().zip(last.iter().rev()).enumerate() {
            lanes[lane] += a * b;
        }
        (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
    }
}

/// A program of one straight line.
pub struct Line {
    /// The program.
    pub program: Program,
    /// What was made so far; the rest is read.
    pub made: Vec<Option<Value>>,
    /// How many coefficients a value has.
    pub stride: usize,
}

impl Sums for Line {
    type Number = Value;

    fn get(&mut self, value: usize, k: usize) -> Value {
        let place = value * self.stride + k;
        match self.made[place] {
            Some(value) => value,
            None => self.program.read(place as u32),
        }
    }

    fn inverse(&mut self, place: usize) -> Value {
        self.program.read(place as u32)
    }

    fn set(&mut self, value: usize, k: usize, number: Value) {
        let place = value * self.stride + k;
        self.made[place] = Some(number);
        self.program.write(place as u32, number);
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
        let mut lanes: [Option<Value>; 4] = [None; 4];
        for j in low..=high {
            let (a, b) = (self.get(u, j), self.get(v, k - j));
            let product = self.program.mul(a, b);
            let lane = &mut lanes[(j - low) % 4];
            *lane = Some(match *lane {
                Some(sum) => self.program.add(sum, product),
                None => product,
            });
        }
        let nothing = self.program.constant(-0.0);
        let mut pair = |a: Option<Value>, b: Option<Value>| match (a, b) {
            (Some(a), Some(b)) => Some(self.program.add(a, b)),
            (one, _) => one,
        };
        let (first, second) = (pair(lanes[0], lanes[1]), pair(lanes[2], lanes[3]));
        pair(first, second).unwrap_or(nothing)
    }
}

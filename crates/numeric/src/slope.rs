//! How does a program change with its inputs? Numbers that carry their derivatives along a few directions.
//!
//! ```text
//! (x, x')·(y, y') = (x y, x' y + x y')        f(x, x') = (f(x), f'(x) x')
//! ```
//!
//! Exact to rounding: nothing is differenced. A direction in which nothing moves stays zero where a slope is infinite.

use crate::real::{Function, Real};

/// A float and its derivatives along L directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slope<const L: usize> {
    /// The number.
    pub value: f64,
    /// Its derivatives.
    pub along: [f64; L],
}

impl<const L: usize> Slope<L> {
    /// A number that moves along one direction at unit rate.
    pub fn moving(value: f64, direction: usize) -> Slope<L> {
        Slope { value, along: std::array::from_fn(|k| if k == direction { 1.0 } else { 0.0 }) }
    }

    fn chain(self, value: f64, slope: f64) -> Slope<L> {
        Slope { value, along: self.along.map(|x| if x == 0.0 { 0.0 } else { slope * x }) }
    }
}

impl<const L: usize> Real for Slope<L> {
    fn float(value: f64) -> Self {
        Slope { value, along: [0.0; L] }
    }

    fn add(self, other: Self) -> Self {
        Slope { value: self.value + other.value, along: std::array::from_fn(|k| self.along[k] + other.along[k]) }
    }

    fn sub(self, other: Self) -> Self {
        Slope { value: self.value - other.value, along: std::array::from_fn(|k| self.along[k] - other.along[k]) }
    }

    fn mul(self, other: Self) -> Self {
        let (x, y) = (self.value, other.value);
        Slope { value: x * y, along: std::array::from_fn(|k| self.along[k] * y + x * other.along[k]) }
    }

    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = jit::sin_cos(self.value);
        (self.chain(sin, cos), self.chain(cos, -sin))
    }

    fn apply(self, function: Function) -> Self {
        let x = self.value;
        let value = x.apply(function);
        let slope = match function {
            Function::Negative => -1.0,
            Function::Reciprocal => -value * value,
            Function::Sqrt => 0.5 / value,
            Function::Cbrt => 1.0 / (3.0 * value * value),
            Function::Tan => 1.0 + value * value,
            Function::Asin => 1.0 / (1.0 - x * x).sqrt(),
            Function::Acos => -1.0 / (1.0 - x * x).sqrt(),
            Function::Atan => 1.0 / (1.0 + x * x),
            Function::Sinh => x.cosh(),
            Function::Cosh => x.sinh(),
            Function::Tanh => 1.0 - value * value,
            Function::Exp => value,
            Function::Log => 1.0 / x,
            Function::Sign => 0.0,
        };
        self.chain(value, slope)
    }

    fn power(self, exponent: f64) -> Self {
        self.chain(self.value.power(exponent), exponent * self.value.power(exponent - 1.0))
    }

    fn atan2(self, x: Self) -> Self {
        let (y, x, square) = (self, x, self.value * self.value + x.value * x.value);
        let along = std::array::from_fn(|k| (x.value * y.along[k] - y.value * x.along[k]) / square);
        Slope { value: Real::atan2(y.value, x.value), along }
    }

    fn choose(self, negative: Self, other: Self) -> Self {
        match self.value {
            value if value.is_nan() => Slope { value: f64::NAN, along: [f64::NAN; L] },
            value if value < 0.0 => negative,
            _ => other,
        }
    }

    fn if_zero(self, zero: Self, other: Self) -> Self {
        if self.value == 0.0 { zero } else { other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Switches, Tape};

    #[test]
    fn slopes_are_those_of_the_expressions() {
        let _scope = expr::Scope::enter();
        let (x, y) = (expr::parameter("x"), expr::parameter("y"));
        for text in [
            "x*y + x^3/y - sqrt(x)",
            "sin(x*y)*cos(x) + tan(y)",
            "exp(x)*log(y) + sinh(x) - cosh(y)*tanh(x)",
            "asin(x/2) + acos(y/3) + atan(x*y) + atan2(x, y)",
            "abs(y - x)*cbrt(x) + x^(5/3)/(x + y)^2",
        ] {
            let e = expr::parse(text).unwrap();
            let exact: Vec<expr::Expr> = expr::gradient(e, &[x, y]).unwrap();
            let value = |e: expr::Expr| {
                let tape = Tape::new(&[x, y], &[], &[], &[vec![e]]).unwrap();
                let mut memory = tape.memory::<f64>();
                tape.put(&mut memory, 0, 0.7);
                tape.put(&mut memory, 1, 1.3);
                tape.run(0, Switches::Free, &mut memory);
                memory[tape.outputs(0)[0] as usize]
            };
            let tape = Tape::new(&[x, y], &[], &[], &[vec![e]]).unwrap();
            let mut memory = tape.memory::<Slope<2>>();
            tape.put(&mut memory, 0, Slope::moving(0.7, 0));
            tape.put(&mut memory, 1, Slope::moving(1.3, 1));
            tape.run(0, Switches::Free, &mut memory);
            let found = memory[tape.outputs(0)[0] as usize];
            for (slope, exact) in found.along.iter().zip(exact) {
                assert!(
                    (slope - value(exact)).abs() < 1e-13 * slope.abs().max(1.0),
                    "{text}: {slope} {}",
                    value(exact)
                );
            }
        }
    }

    #[test]
    fn what_stands_still_stays_zero_where_a_slope_is_infinite() {
        let root = Slope::<2>::moving(0.0, 0).apply(Function::Sqrt);
        assert_eq!((root.along[0], root.along[1]), (f64::INFINITY, 0.0));
    }
}

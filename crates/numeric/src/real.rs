//! In which numbers does a program run? Floats, several at once, or floats that know how large their parts were.
//!
//! A [`Real`] has the operations of the [`Tape`](crate::Tape); a new kind of number is one more `impl`.

/// A number that a program can run in.
pub trait Real: Copy {
    /// The number of a float.
    fn float(value: f64) -> Self;
    /// The sum.
    fn add(self, other: Self) -> Self;
    /// The difference.
    fn sub(self, other: Self) -> Self;
    /// The product.
    fn mul(self, other: Self) -> Self;
    /// Sine and cosine together.
    fn sin_cos(self) -> (Self, Self);
    /// A function of one number.
    fn apply(self, function: Function) -> Self;
    /// A constant power.
    fn power(self, exponent: f64) -> Self;
    /// The angle of the point (x, self).
    fn atan2(self, x: Self) -> Self;
    /// `negative` where self < 0, `other` elsewhere.
    fn choose(self, negative: Self, other: Self) -> Self;
    /// `zero` where self = 0, `other` elsewhere.
    fn if_zero(self, zero: Self, other: Self) -> Self;
}

/// Functions of one number that have no operation of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// −x
    Negative,
    /// 1/x
    Reciprocal,
    /// √x
    Sqrt,
    /// The real cube root.
    Cbrt,
    /// Tangent.
    Tan,
    /// Inverse sine.
    Asin,
    /// Inverse cosine.
    Acos,
    /// Inverse tangent.
    Atan,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Exponential.
    Exp,
    /// Natural logarithm.
    Log,
    /// −1, 0 or 1.
    Sign,
}

impl Real for f64 {
    fn float(value: f64) -> f64 {
        value
    }

    fn add(self, other: f64) -> f64 {
        self + other
    }

    fn sub(self, other: f64) -> f64 {
        self - other
    }

    fn mul(self, other: f64) -> f64 {
        self * other
    }

    fn sin_cos(self) -> (f64, f64) {
        jit::sin_cos(self)
    }

    fn apply(self, function: Function) -> f64 {
        match function {
            Function::Negative => -self,
            Function::Reciprocal => 1.0 / self,
            Function::Sqrt => self.sqrt(),
            Function::Cbrt => self.cbrt(),
            Function::Tan => self.tan(),
            Function::Asin => self.asin(),
            Function::Acos => self.acos(),
            Function::Atan => self.atan(),
            Function::Sinh => self.sinh(),
            Function::Cosh => self.cosh(),
            Function::Tanh => self.tanh(),
            Function::Exp => self.exp(),
            Function::Log => self.ln(),
            Function::Sign if self == 0.0 => 0.0,
            Function::Sign => self.signum(),
        }
    }

    fn power(self, exponent: f64) -> f64 {
        match exponent {
            -0.5 => 1.0 / self.sqrt(),
            _ if exponent.fract() == 0.0 && exponent.abs() <= f64::from(i32::MAX) => self.powi(exponent as i32),
            _ => self.powf(exponent),
        }
    }

    fn atan2(self, x: f64) -> f64 {
        if self == 0.0 && x == 0.0 { f64::NAN } else { f64::atan2(self, x) }
    }

    fn choose(self, negative: f64, other: f64) -> f64 {
        match self {
            _ if self.is_nan() => f64::NAN,
            _ if self < 0.0 => negative,
            _ => other,
        }
    }

    fn if_zero(self, zero: f64, other: f64) -> f64 {
        if self == 0.0 { zero } else { other }
    }
}

/// Several floats side by side: one motion of an ensemble in each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lanes<const L: usize>(pub [f64; L]);

impl<const L: usize> Lanes<L> {
    fn with(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Lanes(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }
}

impl<const L: usize> Real for Lanes<L> {
    fn float(value: f64) -> Self {
        Lanes([value; L])
    }

    fn add(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }

    fn sub(self, other: Self) -> Self {
        self.with(other, |a, b| a - b)
    }

    fn mul(self, other: Self) -> Self {
        self.with(other, |a, b| a * b)
    }

    fn sin_cos(self) -> (Self, Self) {
        let both = self.0.map(jit::sin_cos);
        (Lanes(both.map(|one| one.0)), Lanes(both.map(|one| one.1)))
    }

    fn apply(self, function: Function) -> Self {
        Lanes(self.0.map(|x| x.apply(function)))
    }

    fn power(self, exponent: f64) -> Self {
        Lanes(self.0.map(|x| x.power(exponent)))
    }

    fn atan2(self, x: Self) -> Self {
        self.with(x, Real::atan2)
    }

    fn choose(self, negative: Self, other: Self) -> Self {
        Lanes(std::array::from_fn(|lane| self.0[lane].choose(negative.0[lane], other.0[lane])))
    }

    fn if_zero(self, zero: Self, other: Self) -> Self {
        Lanes(std::array::from_fn(|lane| self.0[lane].if_zero(zero.0[lane], other.0[lane])))
    }
}

/// A float, and how large the terms were that it is made of: what a residual is measured against. Only what is zero
/// is zero: a power, a product or an exponential that is too small for a float is the smallest one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The number.
    pub value: f64,
    /// Σ|terms| of a sum, Π|factors| of a product.
    pub size: f64,
}

impl Measured {
    fn plain(value: f64) -> Measured {
        Measured { value, size: value.abs() }
    }

    /// The smallest number with this sign where a float has become zero and should not.
    fn kept(self, is_zero: bool) -> Measured {
        const SMALLEST: f64 = f64::from_bits(1);
        let kept = |x: f64| if x == 0.0 && !is_zero { SMALLEST.copysign(x) } else { x };
        Measured { value: kept(self.value), size: kept(self.size) }
    }
}

impl Real for Measured {
    fn float(value: f64) -> Measured {
        Measured::plain(value)
    }

    fn add(self, other: Measured) -> Measured {
        Measured { value: self.value + other.value, size: self.size + other.size }
    }

    fn sub(self, other: Measured) -> Measured {
        Measured { value: self.value - other.value, size: self.size + other.size }
    }

    fn mul(self, other: Measured) -> Measured {
        let product = Measured { value: self.value * other.value, size: self.size * other.size };
        product.kept(self.value == 0.0 || other.value == 0.0)
    }

    fn sin_cos(self) -> (Measured, Measured) {
        let (sin, cos) = jit::sin_cos(self.value);
        (Measured::plain(sin), Measured::plain(cos))
    }

    fn apply(self, function: Function) -> Measured {
        match function {
            Function::Negative => Measured { value: -self.value, size: self.size },
            Function::Exp => Measured::plain(self.value.exp()).kept(self.value == f64::NEG_INFINITY),
            _ => Measured::plain(self.value.apply(function)),
        }
    }

    fn power(self, exponent: f64) -> Measured {
        let power = match exponent > 0.0 {
            true => Measured { value: self.value.power(exponent), size: self.size.power(exponent) },
            false => Measured::plain(self.value.power(exponent)),
        };
        power.kept(if exponent > 0.0 { self.value == 0.0 } else { self.value.is_infinite() })
    }

    fn atan2(self, x: Measured) -> Measured {
        Measured::plain(Real::atan2(self.value, x.value))
    }

    fn choose(self, negative: Measured, other: Measured) -> Measured {
        match self.value {
            value if value.is_nan() => Measured::plain(f64::NAN),
            value if value < 0.0 => negative,
            _ => other,
        }
    }

    fn if_zero(self, zero: Measured, other: Measured) -> Measured {
        if self.value == 0.0 { zero } else { other }
    }
}

#[cfg(test)]
mod tests {
    use super::{Function, Measured, Real};

    #[test]
    fn what_is_too_small_for_a_float_is_not_zero() {
        let small = Measured::float(-1e4).apply(Function::Exp);
        assert!(small.value > 0.0 && small.size > 0.0);
        assert!(Measured::float(-1e-200).mul(Measured::float(1e-200)).value < 0.0);
        assert!(small.power(3.0).value > 0.0 && Measured::float(-1e200).power(-3.0).value < 0.0);
        assert_eq!(small.mul(Measured::float(0.0)).value, 0.0);
        assert_eq!(small.sub(small).value, 0.0);
        assert_eq!(Measured::float(0.0).power(2.0).value, 0.0);
    }
}

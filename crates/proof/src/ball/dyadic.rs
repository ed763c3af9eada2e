//! Points and radii: exact binary numbers, and bounds that are rounded up.

use super::*;

/// The exact number mantissa·2^exponent; zero has exponent 0.
#[derive(Clone, Debug)]
pub(super) struct Dyadic {
    pub(super) mantissa: IBig,
    pub(super) exponent: i64,
}

impl Dyadic {
    pub(super) fn new(mantissa: IBig, exponent: i64) -> Dyadic {
        let exponent = if mantissa.is_zero() { 0 } else { exponent };
        Dyadic { mantissa, exponent }
    }

    pub(super) fn one() -> Dyadic {
        Dyadic::new(IBig::ONE, 0)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.mantissa.is_zero()
    }

    pub(super) fn sign(&self) -> i32 {
        match self.mantissa.cmp(&IBig::ZERO) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        }
    }

    /// The t with 2^(t−1) ≤ |x| < 2^t; far below any other for zero.
    pub(super) fn top(&self) -> i64 {
        if self.is_zero() {
            return -4 * LIMIT;
        }
        self.exponent + self.mantissa.bit_len() as i64
    }

    pub(super) fn neg(&self) -> Dyadic {
        Dyadic::new(-&self.mantissa, self.exponent)
    }

    pub(super) fn abs(&self) -> Dyadic {
        Dyadic::new((&self.mantissa).abs(), self.exponent)
    }

    /// x·2^k.
    pub(super) fn scaled(&self, k: i64) -> Dyadic {
        Dyadic::new(self.mantissa.clone(), self.exponent + k)
    }

    /// The exact sum; the caller answers for the distance of the exponents.
    pub(super) fn plus(&self, other: &Dyadic) -> Dyadic {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        let gap = self.exponent - other.exponent;
        if gap < 0 {
            return other.plus(self);
        }
        let sum = (&self.mantissa << gap as usize) + &other.mantissa;
        Dyadic::new(sum, other.exponent)
    }

    pub(super) fn compare(&self, other: &Dyadic) -> Ordering {
        let by_sign = self.sign().cmp(&other.sign());
        if by_sign.is_ne() || self.is_zero() {
            return by_sign;
        }
        let by_top = self.top().cmp(&other.top());
        if by_top.is_ne() {
            return if self.sign() > 0 { by_top } else { by_top.reverse() };
        }
        // Equal tops: the exponents are no further apart than the mantissas are long.
        self.plus(&other.neg()).sign().cmp(&0)
    }

    /// ⌊x·2^bits⌋, less than one unit below x·2^bits.
    pub(super) fn fixed(&self, bits: usize) -> IBig {
        let shift = self.exponent + bits as i64;
        if shift >= 0 { &self.mantissa << shift as usize } else { &self.mantissa >> shift.unsigned_abs() as usize }
    }

    /// The largest double not above x; `-inf` or `f64::MAX` beyond their range.
    pub(super) fn floor_f64(&self) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        if self.top() > 1024 {
            return if self.sign() > 0 { f64::MAX } else { f64::NEG_INFINITY };
        }
        // A double is a 53-bit integer times 2^e with e ≥ −1074.
        let drop = (self.top() - 53).max(-1074) - self.exponent;
        let (integer, exponent) = if drop > 0 {
            (&self.mantissa >> drop as usize, self.exponent + drop)
        } else {
            (self.mantissa.clone(), self.exponent)
        };
        // The floor of −2^1024 + … may have reached −2^1024 itself: to_f64 · 2^e is then −∞.
        integer.to_f64().value() * power_of_two(exponent)
    }
}

/// 2^e as a double, −1074 ≤ e ≤ 1023.
pub(super) fn power_of_two(e: i64) -> f64 {
    if e >= -1022 { f64::from_bits(((e + 1023) as u64) << 52) } else { f64::from_bits(1 << (e + 1074)) }
}

/// A nonnegative number mantissa·2^exponent with a 32-bit mantissa, or infinity.
///
/// Invariant: 2^31 ≤ mantissa < 2^32, so that the derived order is the order of the values.
/// The operations round up; only `below` rounds down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Magnitude {
    pub(super) exponent: i64,
    pub(super) mantissa: u64,
}

impl Magnitude {
    pub(super) const ZERO: Magnitude = Magnitude { exponent: i64::MIN, mantissa: 0 };
    pub(super) const ONE: Magnitude = Magnitude { exponent: -31, mantissa: 1 << 31 };
    pub(super) const INFINITE: Magnitude = Magnitude { exponent: i64::MAX, mantissa: 0 };

    pub(super) fn new(mantissa: u128, exponent: i64) -> Magnitude {
        if mantissa == 0 {
            return Magnitude::ZERO;
        }
        let mut shift = 96 - i64::from(mantissa.leading_zeros());
        let mut rounded = mantissa;
        if shift > 0 {
            rounded = mantissa >> shift;
            rounded += u128::from(rounded << shift != mantissa);
            if rounded >> 32 != 0 {
                rounded >>= 1;
                shift += 1;
            }
        } else {
            rounded <<= -shift;
        }
        Magnitude { exponent: exponent + shift, mantissa: rounded as u64 }.within_range()
    }

    pub(super) fn within_range(self) -> Magnitude {
        if self.exponent > LIMIT {
            Magnitude::INFINITE
        } else if self.exponent < -LIMIT {
            Magnitude { exponent: -LIMIT, mantissa: 1 << 31 }
        } else {
            self
        }
    }

    pub(super) fn power_of_two(e: i64) -> Magnitude {
        Magnitude::new(1, e)
    }

    /// At least |x|.
    pub(super) fn above(x: &Dyadic) -> Magnitude {
        let (leading, exponent, exact) = leading_bits(x);
        if exact {
            Magnitude::new(leading, exponent)
        } else {
            // |x| < leading + 1 ≤ 2(⌊leading/2⌋ + 1).
            Magnitude::new((leading >> 1) + 1, exponent + 1)
        }
    }

    /// At most |x|.
    pub(super) fn below(x: &Dyadic) -> Magnitude {
        let (leading, exponent, _) = leading_bits(x);
        let drop = (96 - i64::from(leading.leading_zeros())).max(0);
        if exponent + drop < -LIMIT {
            return Magnitude::ZERO;
        }
        Magnitude::new(leading >> drop, exponent + drop)
    }

    pub(super) fn is_zero(self) -> bool {
        self.mantissa == 0 && !self.is_infinite()
    }

    pub(super) fn is_infinite(self) -> bool {
        self.exponent == i64::MAX
    }

    /// The t with 2^(t−1) ≤ r < 2^t, for a finite nonzero r.
    pub(super) fn top(self) -> i64 {
        self.exponent + 32
    }

    pub(super) fn plus(self, other: Magnitude) -> Magnitude {
        let (small, large) = if self < other { (self, other) } else { (other, self) };
        if small.is_zero() || large.is_infinite() {
            return large;
        }
        let gap = large.exponent - small.exponent;
        let mantissa = u128::from(large.mantissa);
        if gap < 64 {
            Magnitude::new((mantissa << gap) + u128::from(small.mantissa), small.exponent)
        } else {
            // small < 2^(small.exponent + 32) ≤ 2^(large.exponent − 32).
            Magnitude::new((mantissa << 32) + 1, large.exponent - 32)
        }
    }

    /// The product, where 0·∞ = 0: an infinite radius stands for an unknown finite number.
    pub(super) fn times(self, other: Magnitude) -> Magnitude {
        if self.is_zero() || other.is_zero() {
            return Magnitude::ZERO;
        }
        if self.is_infinite() || other.is_infinite() {
            return Magnitude::INFINITE;
        }
        let product = u128::from(self.mantissa) * u128::from(other.mantissa);
        Magnitude::new(product, self.exponent + other.exponent)
    }

    /// The quotient by a finite number no less than `divisor`.
    pub(super) fn over(self, divisor: Magnitude) -> Magnitude {
        if self.is_zero() {
            return Magnitude::ZERO;
        }
        if self.is_infinite() || divisor.is_zero() {
            return Magnitude::INFINITE;
        }
        let quotient = (u128::from(self.mantissa) << 32) / u128::from(divisor.mantissa) + 1;
        Magnitude::new(quotient, self.exponent - divisor.exponent - 32)
    }

    /// r·2^k.
    pub(super) fn scaled(self, k: i64) -> Magnitude {
        if self.is_zero() || self.is_infinite() {
            return self;
        }
        Magnitude { exponent: self.exponent + k, ..self }.within_range()
    }

    /// The same number as a point, for a finite radius.
    pub(super) fn point(self) -> Dyadic {
        Dyadic::new(IBig::from(self.mantissa), self.exponent)
    }
}

/// The leading bits n of |x| and their exponent e: n·2^e ≤ |x| < (n + 1)·2^e, and whether n·2^e
/// is all of |x|.
pub(super) fn leading_bits(x: &Dyadic) -> (u128, i64, bool) {
    let words = x.mantissa.as_sign_words().1;
    let skipped = words.len().saturating_sub((128 / Word::BITS) as usize);
    let join = |n: u128, w: &Word| n << Word::BITS | u128::from(*w);
    let leading = words[skipped..].iter().rev().fold(0, join);
    (leading, x.exponent + skipped as i64 * i64::from(Word::BITS), skipped == 0)
}

//! What is the value of a real expression, certainly?
//!
//! A [`Ball`] is a midpoint and a radius; the number it stands for lies within:
//!
//! ```text
//! x ∈ [m − r, m + r]      m = mantissa·2^exponent      r ≥ 0, always rounded up
//! ```
//!
//! Every function of a [`Context`] returns a ball that holds the image of every number in its
//! arguments: a ball that excludes zero proves that the value is not zero. A ball that holds
//! zero proves nothing, and `None` says that the function is undefined somewhere on the
//! argument, or beyond range.
//!
//! How: the value at a point is summed in fixed point, integers over 2^W, and the rounding
//! errors are counted in units of 2^−W (ulps) beside each loop. The radius of the argument then
//! enters through a bound on the slope, or by evaluating a monotone function at both ends.
//!
//! Source: F. Johansson, "Arb: efficient arbitrary-precision midpoint-radius interval
//! arithmetic", IEEE Trans. Comput. 66 (2017) 1281–1292.

mod arithmetic;
mod decimal;
mod dyadic;
mod elementary;
mod inverse;
#[cfg(test)]
mod tests;
mod unspecified;

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::rc::Rc;

use dashu_int::ops::{Abs, BitTest, DivRem, DivRemEuclid};
use dashu_int::{IBig, UBig, Word};

use arithmetic::*;
use dyadic::*;
use elementary::*;

/// Beyond 2^±LIMIT a magnitude counts as infinite, or as no more than 2^−LIMIT.
const LIMIT: i64 = 1 << 40;

/// sin and cos reduce arguments below 2^CIRCULAR_LIMIT; above, they answer [−1, 1].
const CIRCULAR_LIMIT: i64 = 1 << 14;

/// exp, sinh and cosh answer arguments below 2^EXPONENTIAL_LIMIT, about a million.
const EXPONENTIAL_LIMIT: i64 = 20;

/// Two balls are compared to this many bits, unless they have more.
const COMPARED: usize = 1 << 12;

/// A real number known to lie within `radius` of a midpoint.
///
/// Invariant: no bit of the midpoint lies below 2^−64 units of the radius's last place, so the
/// two can be aligned cheaply whatever their exponents. An infinite radius is the whole line.
#[derive(Clone, Debug)]
pub struct Ball {
    mid: Dyadic,
    radius: Magnitude,
}

/// A working precision, and the constants π and log 2 to slightly more, computed when first needed.
///
/// ```
/// use proof::ball::{Ball, Context};
///
/// let c = Context::new(128);
/// let x = Ball::from_i64(1);
/// assert_eq!(c.sin(&x).to_decimal(20), "0.84147098480789650665");
/// assert_eq!(c.log(&c.sub(&x, &x)).map(|y| y.to_f64()), None);
/// ```
#[derive(Clone, Debug)]
pub struct Context {
    precision: usize,
    constants: Rc<Constants>,
}

/// π·2^bits and log 2·2^bits, each within 2 units.
#[derive(Debug)]
struct Constants {
    bits: usize,
    pi: OnceCell<IBig>,
    log_2: OnceCell<IBig>,
}

impl Ball {
    /// The exact number zero.
    pub fn zero() -> Ball {
        Ball::from_i64(0)
    }

    /// The exact number one.
    pub fn one() -> Ball {
        Ball::from_i64(1)
    }

    /// The exact integer `n`.
    pub fn from_i64(n: i64) -> Ball {
        Ball::point(Dyadic::new(IBig::from(n), 0))
    }

    /// The whole line.
    fn line() -> Ball {
        Ball { mid: Dyadic::new(IBig::ZERO, 0), radius: Magnitude::INFINITE }
    }

    /// [−r, r].
    fn around_zero(radius: Magnitude) -> Ball {
        Ball { mid: Dyadic::new(IBig::ZERO, 0), radius }
    }

    fn point(mid: Dyadic) -> Ball {
        Ball { mid, radius: Magnitude::ZERO }
    }

    /// An interval from exactly 0 to `end` or slightly beyond: midpoint and radius are equal.
    fn from_zero_to(end: &Dyadic) -> Ball {
        let radius = Magnitude::above(end).scaled(-1);
        if radius.is_zero() || radius.is_infinite() {
            return Ball::around_zero(radius);
        }
        let mid = if end.sign() < 0 { radius.point().neg() } else { radius.point() };
        Ball { mid, radius }
    }

    /// The ball around `mid`, its midpoint rounded to `precision` bits, its invariant kept.
    fn rounded(mid: Dyadic, radius: Magnitude, precision: usize) -> Ball {
        if radius.is_infinite() || mid.top() > LIMIT {
            return Ball::line();
        }
        if !mid.is_zero() && mid.top() < -LIMIT {
            return Ball::around_zero(radius.plus(Magnitude::power_of_two(mid.top())));
        }
        let mut last = mid.top() - precision as i64;
        if !radius.is_zero() {
            last = last.max(radius.exponent - 64);
        }
        let drop = last - mid.exponent;
        if mid.is_zero() || drop <= 0 {
            return Ball { mid, radius };
        }
        // To nearest, no further than half a unit of the last place kept.
        let exact = mid.mantissa.trailing_zeros().is_some_and(|zeros| zeros as i64 >= drop);
        let halves: IBig = mid.mantissa >> (drop - 1) as usize;
        let mid = Dyadic::new((halves + IBig::ONE) >> 1usize, last);
        if exact {
            return Ball { mid, radius };
        }
        let radius = radius.plus(Magnitude::power_of_two(last - 1));
        // The larger radius may ask for one bit less; then only half a unit more is at stake.
        Ball::rounded(mid, radius, precision)
    }

    /// Both ends, each outward by less than 2^−32 units of a midpoint of `precision` bits or of
    /// the last place it has; `None` for the whole line.
    fn ends(&self, precision: usize) -> Option<(Dyadic, Dyadic)> {
        if self.radius.is_infinite() {
            return None;
        }
        if self.radius.is_zero() {
            return Some((self.mid.clone(), self.mid.clone()));
        }
        let mut radius = self.radius.point();
        let last = self.mid.exponent.min(self.mid.top() - precision as i64) - 32;
        if !self.mid.is_zero() && self.radius.top() < last {
            radius = Dyadic::new(IBig::ONE, last);
        }
        Some((self.mid.plus(&radius.neg()), self.mid.plus(&radius)))
    }

    /// At least |x| for every x in the ball.
    fn above(&self) -> Magnitude {
        Magnitude::above(&self.mid).plus(self.radius)
    }

    /// x·2^k.
    fn scaled(&self, k: i64) -> Ball {
        let bits = self.mid.mantissa.bit_len();
        Ball::rounded(self.mid.scaled(k), self.radius.scaled(k), bits)
    }

    /// −x.
    pub fn neg(&self) -> Ball {
        Ball { mid: self.mid.neg(), radius: self.radius }
    }

    /// |x|; never reaches below zero.
    pub fn abs(&self) -> Ball {
        match (self.sign_certain(), self.ends(COMPARED)) {
            (Some(-1), _) => self.neg(),
            (Some(_), _) => self.clone(),
            (None, None) => Ball::line(),
            (None, Some((low, high))) => {
                let low = low.neg();
                Ball::from_zero_to(if low.compare(&high).is_gt() { &low } else { &high })
            }
        }
    }

    /// −1, 0 or 1 as a ball; `None` as for [`Ball::sign_certain`].
    pub fn sign(&self) -> Option<Ball> {
        Some(Ball::from_i64(self.sign_certain()?.into()))
    }

    /// Is zero among the numbers enclosed?
    pub fn contains_zero(&self) -> bool {
        if self.radius.is_zero() || self.radius.is_infinite() {
            return self.radius.is_infinite() || self.mid.is_zero();
        }
        match self.mid.top().cmp(&self.radius.top()) {
            Ordering::Greater => false,
            Ordering::Less => true,
            Ordering::Equal => self.mid.abs().compare(&self.radius.point()).is_le(),
        }
    }

    /// The sign −1, 0 or 1 shared by every number enclosed; `None` if zero is one among others.
    pub fn sign_certain(&self) -> Option<i32> {
        (self.is_exact() || !self.contains_zero()).then(|| self.mid.sign())
    }

    /// Is the radius zero?
    pub fn is_exact(&self) -> bool {
        self.radius.is_zero()
    }

    /// Is the ball less than the whole line?
    pub fn is_finite(&self) -> bool {
        !self.radius.is_infinite()
    }

    /// The order of every pair of numbers enclosed; `Equal` for equal exact balls only.
    pub fn compare(&self, other: &Ball) -> Option<Ordering> {
        let (low, high) = self.ends(COMPARED)?;
        let (other_low, other_high) = other.ends(COMPARED)?;
        if self.is_exact() && other.is_exact() || high.compare(&other_low).is_lt() {
            return Some(low.compare(&other_high));
        }
        low.compare(&other_high).is_gt().then_some(Ordering::Greater)
    }

    /// The midpoint as a double, to about its last place.
    pub fn to_f64(&self) -> f64 {
        match self.mid.sign() {
            -1 => -self.mid.neg().floor_f64(),
            _ => self.mid.floor_f64(),
        }
    }

    /// Doubles below and above every number enclosed.
    pub fn bounds_f64(&self) -> (f64, f64) {
        match self.ends(COMPARED) {
            None => (f64::NEG_INFINITY, f64::INFINITY),
            Some((low, high)) => (low.floor_f64(), 0.0 - high.neg().floor_f64()),
        }
    }

    /// How many leading bits of the midpoint the radius leaves alone: about −log₂(r/|m|), not
    /// positive if zero is enclosed, `i64::MAX` if exact.
    pub fn relative_bits(&self) -> i64 {
        if self.is_exact() {
            return i64::MAX;
        }
        if self.radius.is_infinite() {
            return i64::MIN;
        }
        self.mid.top() - self.radius.top()
    }
}

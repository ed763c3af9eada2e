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

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::rc::Rc;

use dashu_int::ops::{Abs, BitTest, DivRem, DivRemEuclid};
use dashu_int::{IBig, UBig, Word};

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

// ---------------------------------------------------------------------------------------------
// Points and radii

/// The exact number mantissa·2^exponent; zero has exponent 0.
#[derive(Clone, Debug)]
struct Dyadic {
    mantissa: IBig,
    exponent: i64,
}

impl Dyadic {
    fn new(mantissa: IBig, exponent: i64) -> Dyadic {
        let exponent = if mantissa.is_zero() { 0 } else { exponent };
        Dyadic { mantissa, exponent }
    }

    fn one() -> Dyadic {
        Dyadic::new(IBig::ONE, 0)
    }

    fn is_zero(&self) -> bool {
        self.mantissa.is_zero()
    }

    fn sign(&self) -> i32 {
        match self.mantissa.cmp(&IBig::ZERO) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        }
    }

    /// The t with 2^(t−1) ≤ |x| < 2^t; far below any other for zero.
    fn top(&self) -> i64 {
        if self.is_zero() {
            return -4 * LIMIT;
        }
        self.exponent + self.mantissa.bit_len() as i64
    }

    fn neg(&self) -> Dyadic {
        Dyadic::new(-&self.mantissa, self.exponent)
    }

    fn abs(&self) -> Dyadic {
        Dyadic::new((&self.mantissa).abs(), self.exponent)
    }

    /// x·2^k.
    fn scaled(&self, k: i64) -> Dyadic {
        Dyadic::new(self.mantissa.clone(), self.exponent + k)
    }

    /// The exact sum; the caller answers for the distance of the exponents.
    fn plus(&self, other: &Dyadic) -> Dyadic {
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

    fn compare(&self, other: &Dyadic) -> Ordering {
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
    fn fixed(&self, bits: usize) -> IBig {
        let shift = self.exponent + bits as i64;
        if shift >= 0 { &self.mantissa << shift as usize } else { &self.mantissa >> shift.unsigned_abs() as usize }
    }

    /// The largest double not above x; `-inf` or `f64::MAX` beyond their range.
    fn floor_f64(&self) -> f64 {
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
fn power_of_two(e: i64) -> f64 {
    if e >= -1022 { f64::from_bits(((e + 1023) as u64) << 52) } else { f64::from_bits(1 << (e + 1074)) }
}

/// A nonnegative number mantissa·2^exponent with a 32-bit mantissa, or infinity.
///
/// Invariant: 2^31 ≤ mantissa < 2^32, so that the derived order is the order of the values.
/// The operations round up; only `below` rounds down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Magnitude {
    exponent: i64,
    mantissa: u64,
}

impl Magnitude {
    const ZERO: Magnitude = Magnitude { exponent: i64::MIN, mantissa: 0 };
    const ONE: Magnitude = Magnitude { exponent: -31, mantissa: 1 << 31 };
    const INFINITE: Magnitude = Magnitude { exponent: i64::MAX, mantissa: 0 };

    fn new(mantissa: u128, exponent: i64) -> Magnitude {
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

    fn within_range(self) -> Magnitude {
        if self.exponent > LIMIT {
            Magnitude::INFINITE
        } else if self.exponent < -LIMIT {
            Magnitude { exponent: -LIMIT, mantissa: 1 << 31 }
        } else {
            self
        }
    }

    fn power_of_two(e: i64) -> Magnitude {
        Magnitude::new(1, e)
    }

    /// At least |x|.
    fn above(x: &Dyadic) -> Magnitude {
        let (leading, exponent, exact) = leading_bits(x);
        if exact {
            Magnitude::new(leading, exponent)
        } else {
            // |x| < leading + 1 ≤ 2(⌊leading/2⌋ + 1).
            Magnitude::new((leading >> 1) + 1, exponent + 1)
        }
    }

    /// At most |x|.
    fn below(x: &Dyadic) -> Magnitude {
        let (leading, exponent, _) = leading_bits(x);
        let drop = (96 - i64::from(leading.leading_zeros())).max(0);
        if exponent + drop < -LIMIT {
            return Magnitude::ZERO;
        }
        Magnitude::new(leading >> drop, exponent + drop)
    }

    fn is_zero(self) -> bool {
        self.mantissa == 0 && !self.is_infinite()
    }

    fn is_infinite(self) -> bool {
        self.exponent == i64::MAX
    }

    /// The t with 2^(t−1) ≤ r < 2^t, for a finite nonzero r.
    fn top(self) -> i64 {
        self.exponent + 32
    }

    fn plus(self, other: Magnitude) -> Magnitude {
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
    fn times(self, other: Magnitude) -> Magnitude {
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
    fn over(self, divisor: Magnitude) -> Magnitude {
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
    fn scaled(self, k: i64) -> Magnitude {
        if self.is_zero() || self.is_infinite() {
            return self;
        }
        Magnitude { exponent: self.exponent + k, ..self }.within_range()
    }

    /// The same number as a point, for a finite radius.
    fn point(self) -> Dyadic {
        Dyadic::new(IBig::from(self.mantissa), self.exponent)
    }
}

/// The leading bits n of |x| and their exponent e: n·2^e ≤ |x| < (n + 1)·2^e, and whether n·2^e
/// is all of |x|.
fn leading_bits(x: &Dyadic) -> (u128, i64, bool) {
    let words = x.mantissa.as_sign_words().1;
    let skipped = words.len().saturating_sub((128 / Word::BITS) as usize);
    let join = |n: u128, w: &Word| n << Word::BITS | u128::from(*w);
    let leading = words[skipped..].iter().rev().fold(0, join);
    (leading, x.exponent + skipped as i64 * i64::from(Word::BITS), skipped == 0)
}

// ---------------------------------------------------------------------------------------------
// Balls: what needs no rounding, and what can be asked of them

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

// ---------------------------------------------------------------------------------------------
// Decimals

impl Ball {
    /// The value rounded to as many as `digits` significant digits, fewer where the ball leaves
    /// the next one open; every number enclosed rounds to the text. With no certain digit at
    /// all, a bound: `0 ± 3e-20`.
    pub fn to_decimal(&self, digits: usize) -> String {
        if self.is_exact() && self.mid.is_zero() {
            return "0".to_string();
        }
        let known = self.relative_bits().clamp(0, i64::from(u32::MAX)) as usize;
        let most = digits.max(1).min(known * 30103 / 100_000 + 2);
        let found = (1..=most).rev().find_map(|d| Some((d, self.decimal_digits(d)?)));
        let Some((count, (integer, exponent))) = found else {
            return self.decimal_bound();
        };
        let sign = if self.mid.sign() < 0 { "-" } else { "" };
        let mut text = integer.to_string();
        if self.is_exact() && self.is_decimal(&integer, exponent - count as i64 + 1) {
            text.truncate(text.trim_end_matches('0').len());
            if (0..20).contains(&exponent) {
                text += &"0".repeat((exponent as usize + 1).saturating_sub(text.len()));
            }
        }
        sign.to_string() + &place_point(&text, exponent)
    }

    /// The integer n of `count` digits and the e for which n·10^(e − count + 1) is every
    /// enclosed |x| rounded to `count` digits.
    fn decimal_digits(&self, count: usize) -> Option<(IBig, i64)> {
        let (ceiling, floor) = (IBig::from(10).pow(count), IBig::from(10).pow(count - 1));
        let mut exponent = decimal_exponent(self.mid.top());
        // The first guess is off by at most one; rounding up to 10^count is one more.
        for _ in 0..3 {
            let scaled = self.times_power_of_ten(count as i64 - 1 - exponent, count)?;
            let (low, high) = scaled.abs().ends(4 * count + 64)?;
            let half = Dyadic::new(IBig::ONE, -1);
            let integer = low.plus(&half).fixed(0);
            if integer < floor {
                exponent -= 1;
            } else if integer >= ceiling {
                exponent += 1;
            } else {
                let same = integer == high.plus(&half).fixed(0);
                return same.then_some((integer, exponent));
            }
        }
        None
    }

    /// x·10^k to `count` digits and then some; exact where that many bits suffice.
    fn times_power_of_ten(&self, k: i64, count: usize) -> Option<Ball> {
        let own = self.mid.mantissa.bit_len();
        let precision = own + 4 * count + 64;
        let power = power(&Ball::from_i64(10), k.unsigned_abs(), precision);
        let scaled = if k < 0 { quotient(self, &power, precision)? } else { product(self, &power, precision) };
        // Within reach of an integer: nothing to shift by a large exponent.
        (scaled.is_finite() && scaled.mid.top() < 1 << 20 && scaled.mid.exponent > -(1 << 20)).then_some(scaled)
    }

    /// Is this exact ball n·10^k up to sign?
    fn is_decimal(&self, n: &IBig, k: i64) -> bool {
        let n = Ball::point(Dyadic::new(n.clone(), 0));
        let power = power(&Ball::from_i64(10), k.unsigned_abs(), 1 << 16);
        let (left, right) =
            if k < 0 { (product(&self.abs(), &power, 1 << 17), n) } else { (self.abs(), product(&n, &power, 1 << 17)) };
        left.compare(&right) == Some(Ordering::Equal)
    }

    /// `0 ± 3e-20`: a bound of one digit, rounded up.
    fn decimal_bound(&self) -> String {
        let above = self.above();
        if above.is_infinite() {
            return "0 ± inf".to_string();
        }
        let bound = Ball::point(above.point());
        let mut exponent = decimal_exponent(above.top());
        loop {
            let digit = bound.times_power_of_ten(-exponent, 1).and_then(|b| b.ends(64));
            let Some((_, high)) = digit else {
                return "0 ± inf".to_string();
            };
            let digit = high.neg().fixed(0); // −⌈·⌉
            if digit >= IBig::from(-9) {
                return format!("0 ± {}e{exponent}", -digit);
            }
            exponent += 1;
        }
    }
}

/// ⌊log₁₀ 2^(top−1)⌋: the decimal exponent of a number with that top bit, or one less.
fn decimal_exponent(top: i64) -> i64 {
    const LOG_10_2: i128 = 30_102_999_566_398_119_521; // ·10^−20, rounded down
    (i128::from(top - 1) * LOG_10_2).div_euclid(100_000_000_000_000_000_000) as i64
}

/// The digits with a decimal point after the first, moved by `exponent` where that reads well.
fn place_point(digits: &str, exponent: i64) -> String {
    let count = digits.len() as i64;
    if (-5..0).contains(&exponent) {
        let zeros = "0".repeat((-exponent - 1) as usize);
        return format!("0.{zeros}{digits}");
    }
    if exponent == count - 1 && exponent >= 0 {
        return digits.to_string();
    }
    let (point, suffix) = if (0..count).contains(&exponent) {
        (exponent as usize + 1, String::new())
    } else {
        (1, format!("e{exponent}"))
    };
    let (whole, fraction) = digits.split_at(point);
    let dot = if fraction.is_empty() { "" } else { "." };
    format!("{whole}{dot}{fraction}{suffix}")
}

// ---------------------------------------------------------------------------------------------
// Arithmetic

/// m = m₁ + m₂, r = r₁ + r₂; a summand below the last place of the other joins the radius.
fn sum(a: &Ball, b: &Ball, precision: usize) -> Ball {
    let (small, large) = if a.mid.top() < b.mid.top() { (a, b) } else { (b, a) };
    let radius = a.radius.plus(b.radius);
    if !small.mid.is_zero() && small.mid.top() < large.mid.top() - precision as i64 - 32 {
        let radius = radius.plus(Magnitude::above(&small.mid));
        return Ball::rounded(large.mid.clone(), radius, precision);
    }
    Ball::rounded(a.mid.plus(&b.mid), radius, precision)
}

/// m = m₁m₂, r = |m₁|r₂ + |m₂|r₁ + r₁r₂.
fn product(a: &Ball, b: &Ball, precision: usize) -> Ball {
    let mantissa = &a.mid.mantissa * &b.mid.mantissa;
    let mid = Dyadic::new(mantissa, a.mid.exponent + b.mid.exponent);
    if a.is_exact() && b.is_exact() {
        return Ball::rounded(mid, Magnitude::ZERO, precision);
    }
    let radius = Magnitude::above(&a.mid).times(b.radius).plus(a.radius.times(b.above()));
    Ball::rounded(mid, radius, precision)
}

/// m = m₁/m₂; |x₁/x₂ − m₁/m₂| = |x₁m₂ − m₁x₂|/|x₂m₂| ≤ (r₁|m₂| + |m₁|r₂)/(|m₂|(|m₂| − r₂)).
fn quotient(a: &Ball, b: &Ball, precision: usize) -> Option<Ball> {
    if b.contains_zero() {
        return None;
    }
    let mid = point_quotient(&a.mid, &b.mid, precision);
    if a.is_exact() && b.is_exact() {
        return Some(Ball::rounded(mid.mid, mid.radius, precision));
    }
    let (low, high) = b.ends(precision)?;
    let nearest = Magnitude::below(if low.sign() > 0 { &low } else { &high });
    let ratio = Magnitude::above(&a.mid).over(Magnitude::below(&b.mid));
    let radius = a.radius.plus(ratio.times(b.radius)).over(nearest);
    Some(Ball::rounded(mid.mid, radius.plus(mid.radius), precision))
}

/// a/b for b ≠ 0 with at least two bits more than `precision`, exact where the division is.
fn point_quotient(a: &Dyadic, b: &Dyadic, precision: usize) -> Ball {
    let shift = (precision + 2 + b.mantissa.bit_len()).saturating_sub(a.mantissa.bit_len());
    let exponent = a.exponent - b.exponent - shift as i64;
    let (q, rest) = (&a.mantissa << shift).div_rem(&b.mantissa);
    let error = if rest.is_zero() { Magnitude::ZERO } else { Magnitude::power_of_two(exponent) };
    Ball { mid: Dyadic::new(q, exponent), radius: error }
}

/// xⁿ by squaring. The relative error of a factor is multiplied by at most n, so `bits(n)` bits
/// more than `precision` hold it.
fn power(a: &Ball, n: u64, precision: usize) -> Ball {
    let working = precision + 8 + (64 - n.leading_zeros()) as usize;
    let mut result = Ball::one();
    for i in (0..64 - n.leading_zeros()).rev() {
        result = product(&result, &result, working);
        if n >> i & 1 == 1 {
            result = product(&result, a, working);
        }
    }
    Ball::rounded(result.mid, result.radius, precision)
}

impl Context {
    /// A context that rounds midpoints to `precision` bits.
    ///
    /// # Panics
    ///
    /// If `precision` is less than 32 or more than 2^24.
    pub fn new(precision: u32) -> Context {
        assert!((32..=1 << 24).contains(&precision), "precision {precision} out of range");
        let precision = precision as usize;
        let bits = precision + precision / 4 + 128;
        Context { precision, constants: Rc::new(Constants { bits, pi: OnceCell::new(), log_2: OnceCell::new() }) }
    }

    /// The precision in bits.
    pub fn precision(&self) -> u32 {
        self.precision as u32
    }

    /// The same constants, `extra` bits more of precision.
    fn raised(&self, extra: usize) -> Context {
        Context { precision: self.precision + extra, ..self.clone() }
    }

    /// A ball of another precision, at this one.
    fn round(&self, a: Ball) -> Ball {
        Ball::rounded(a.mid, a.radius, self.precision)
    }

    /// num/den; exact where it has few enough binary digits.
    ///
    /// # Panics
    ///
    /// If `den` is zero.
    pub fn ratio(&self, num: &IBig, den: &UBig) -> Ball {
        assert!(!den.is_zero(), "a ratio with denominator zero");
        let den = Dyadic::new(IBig::from(den.clone()), 0);
        self.round(point_quotient(&Dyadic::new(num.clone(), 0), &den, self.precision))
    }

    /// x + y.
    pub fn add(&self, a: &Ball, b: &Ball) -> Ball {
        sum(a, b, self.precision)
    }

    /// x − y.
    pub fn sub(&self, a: &Ball, b: &Ball) -> Ball {
        sum(a, &b.neg(), self.precision)
    }

    /// x·y.
    pub fn mul(&self, a: &Ball, b: &Ball) -> Ball {
        product(a, b, self.precision)
    }

    /// x/y; `None` if y may be zero.
    pub fn div(&self, a: &Ball, b: &Ball) -> Option<Ball> {
        quotient(a, b, self.precision)
    }

    /// xⁿ, with x⁰ = 1; `None` if n < 0 and x may be zero, or beyond range.
    pub fn powi(&self, a: &Ball, n: i64) -> Option<Ball> {
        if n < 0 {
            if a.contains_zero() {
                return None;
            }
            let inverse = power(a, n.unsigned_abs(), self.precision + 4);
            return self.div(&Ball::one(), &inverse).filter(Ball::is_finite);
        }
        let result = if n % 2 == 0 && n > 0 && a.sign_certain().is_none() {
            let (_, high) = a.abs().ends(self.precision)?;
            let end = power(&Ball::point(high), n as u64, self.precision);
            Ball::from_zero_to(&end.ends(self.precision)?.1)
        } else {
            power(a, n as u64, self.precision)
        };
        Some(result).filter(Ball::is_finite)
    }

    /// The lesser of x and y.
    pub fn min(&self, a: &Ball, b: &Ball) -> Ball {
        self.max(&a.neg(), &b.neg()).neg()
    }

    /// The greater of x and y.
    pub fn max(&self, a: &Ball, b: &Ball) -> Ball {
        match a.compare(b) {
            Some(Ordering::Less) => return b.clone(),
            Some(_) => return a.clone(),
            None => {}
        }
        let (Some(a), Some(b)) = (a.ends(self.precision), b.ends(self.precision)) else {
            return Ball::line();
        };
        self.between(greater(a.0, b.0), greater(a.1, b.1))
    }

    /// The interval from `low` to `high`; rounding does not carry it across zero.
    fn between(&self, low: Dyadic, high: Dyadic) -> Ball {
        let (low_ball, high_ball) = (Ball::point(low.clone()), Ball::point(high.clone()));
        let twice = self.add(&low_ball, &high_ball);
        let width = self.sub(&high_ball, &low_ball).above();
        let ball = self.round(Ball { radius: twice.radius.plus(width), ..twice }).scaled(-1);
        match (low.sign(), high.sign(), ball.sign_certain()) {
            (0 | 1, _, None) => Ball::from_zero_to(&high),
            (_, -1 | 0, None) => Ball::from_zero_to(&low),
            _ => ball,
        }
    }

    /// The image under a monotone function, given its balls at points.
    fn monotone(&self, a: &Ball, f: impl Fn(&Dyadic) -> Option<Ball>) -> Option<Ball> {
        let (low, high) = a.ends(self.precision)?;
        if a.is_exact() {
            return f(&low);
        }
        let (p, q) = (f(&low)?.ends(self.precision)?, f(&high)?.ends(self.precision)?);
        let low = greater(p.0.neg(), q.0.neg()).neg();
        Some(self.between(low, greater(p.1, q.1)))
    }
}

fn greater(a: Dyadic, b: Dyadic) -> Dyadic {
    if a.compare(&b).is_lt() { b } else { a }
}

// ---------------------------------------------------------------------------------------------
// Roots

impl Context {
    /// The k-th root of x ≥ 0; `None` if x may be negative, or k is 0.
    pub fn root(&self, a: &Ball, k: u32) -> Option<Ball> {
        if k < 2 {
            return (k == 1).then(|| a.clone()).filter(|x| x.ends(self.precision).is_some_and(|e| e.0.sign() >= 0));
        }
        self.monotone(a, |x| match x.sign() {
            -1 => None,
            0 => Some(Ball::zero()),
            _ if k <= 10 => Some(self.root_at(x, k)),
            _ => self.root_by_logarithm(x, k),
        })
    }

    /// The real cube root, of either sign.
    pub fn cbrt(&self, a: &Ball) -> Ball {
        let at = |x: &Dyadic| match x.sign() {
            0 => Some(Ball::zero()),
            1 => Some(self.root_at(x, 3)),
            _ => Some(self.root_at(&x.neg(), 3).neg()),
        };
        self.monotone(a, at).unwrap_or_else(Ball::line)
    }

    /// x = n·2^(kq) with n an integer of k(precision + 2) bits or more:
    /// ⌊ᵏ√n⌋ is less than one unit below ᵏ√n, and equal to it if its k-th power is n.
    fn root_at(&self, x: &Dyadic, k: u32) -> Ball {
        let wanted = k as usize * (self.precision + 2);
        let shift = wanted.saturating_sub(x.mantissa.bit_len()) as i64;
        let shift = shift + (x.exponent - shift).rem_euclid(i64::from(k));
        let n = &x.mantissa << shift as usize;
        let root = n.nth_root(k as usize);
        let exponent = (x.exponent - shift) / i64::from(k);
        let exact = root.pow(k as usize) == n;
        let error = if exact { Magnitude::ZERO } else { Magnitude::power_of_two(exponent) };
        self.round(Ball { mid: Dyadic::new(root, exponent), radius: error })
    }

    /// exp(log(x)/k): |log x| < 2^40, so 48 bits more keep the absolute error of the exponent.
    fn root_by_logarithm(&self, x: &Dyadic, k: u32) -> Option<Ball> {
        let wide = self.raised(48);
        let exponent = wide.div(&wide.log_at(x), &Ball::from_i64(k.into()))?;
        self.exp(&exponent)
    }
}

// ---------------------------------------------------------------------------------------------
// Exponential, logarithm and circular functions

/// A fixed-point result: value·2^−bits, wrong by at most `error` units of 2^−bits.
struct Fixed {
    value: IBig,
    bits: usize,
    error: Magnitude,
}

impl Fixed {
    fn new(value: IBig, bits: usize, error: Magnitude) -> Fixed {
        Fixed { value, bits, error }
    }

    fn relative_bits(&self) -> i64 {
        self.value.bit_len() as i64 - self.error.top()
    }
}

fn ulps(n: usize) -> Magnitude {
    Magnitude::new(n as u128, 0)
}

impl Context {
    /// The result of `f(w)`, good to about 2^−w, where w gives `precision` relative bits or an
    /// error below `slack`; a value near zero is computed again with more.
    fn settle(&self, slack: Magnitude, extra: usize, f: impl Fn(usize) -> Fixed) -> Ball {
        let wanted = self.precision as i64 + 2;
        let mut w = self.precision + 8 + extra;
        let mut tries = 3;
        loop {
            let result = f(w);
            let error = result.error.scaled(-(result.bits as i64));
            let missing = wanted - result.relative_bits();
            tries -= 1;
            if missing <= 0 || error <= slack || tries == 0 {
                let mid = Dyadic::new(result.value, -(result.bits as i64));
                return Ball::rounded(mid, error, self.precision);
            }
            w += missing as usize + 2;
        }
    }

    /// π.
    pub fn pi(&self) -> Ball {
        let bits = self.precision + 8;
        let mid = Dyadic::new(self.pi_fixed(bits), -(bits as i64));
        Ball::rounded(mid, Magnitude::new(2, -(bits as i64)), self.precision)
    }

    /// π·2^bits within 2 units.
    fn pi_fixed(&self, bits: usize) -> IBig {
        let Constants { bits: known, pi, .. } = &*self.constants;
        match known.checked_sub(bits) {
            Some(drop) => pi.get_or_init(|| compute_pi(*known)) >> drop,
            None => compute_pi(bits),
        }
    }

    /// log 2·2^bits within 2 units.
    fn log_2_fixed(&self, bits: usize) -> IBig {
        let Constants { bits: known, log_2, .. } = &*self.constants;
        match known.checked_sub(bits) {
            Some(drop) => log_2.get_or_init(|| compute_log_2(*known)) >> drop,
            None => compute_log_2(bits),
        }
    }

    /// eˣ; `None` from |x| of about a million.
    pub fn exp(&self, a: &Ball) -> Option<Ball> {
        self.monotone(a, |x| self.exp_at(x))
    }

    /// eˣ = 2^k·eᵗ, x = k·log 2 + t, 0 ≤ t < log 2.
    fn exp_at(&self, x: &Dyadic) -> Option<Ball> {
        if x.is_zero() {
            return Some(Ball::one());
        }
        if x.top() > EXPONENTIAL_LIMIT {
            return None;
        }
        let w = self.precision + 4;
        let halvings = 2 + w.isqrt() / 2;
        let bits = w + 2 * halvings + 12;
        // k < 1.5·2^top + 1: with top + 2 bits more, 2k + 1 units of error are fewer than two
        // of 2^−bits; the two shifts add one each.
        let more = x.top().max(0) as usize + 2;
        let (k, t) = x.fixed(bits + more).div_rem_euclid(self.log_2_fixed(bits + more));
        let u = IBig::from(t) >> (more + halvings);
        let (even, odd, terms) = taylor(&u, bits, false);
        let mut y = even + odd + (IBig::ONE << bits);
        // Each term is wrong by 2, u by 2. Squaring y ≤ 2: δ ← 2yδ + δ² + 1 ≤ 4δ + 2.
        let mut error = ulps(2 * terms + 6);
        for _ in 0..halvings {
            y = IBig::from(y.sqr()) >> bits;
            error = error.scaled(2).plus(ulps(2));
        }
        let exponent = i64::try_from(k).ok()? - bits as i64;
        Some(Ball::rounded(Dyadic::new(y, exponent), error.scaled(exponent), self.precision))
    }

    /// log x, the natural logarithm; `None` if x may be ≤ 0.
    pub fn log(&self, a: &Ball) -> Option<Ball> {
        self.monotone(a, |x| (x.sign() > 0).then(|| self.log_at(x)))
    }

    /// log x = k·log 2 + log y, x = 2^k·y, 0.7 ≤ y < 1.4.
    fn log_at(&self, x: &Dyadic) -> Ball {
        if x.compare(&Dyadic::one()).is_eq() {
            return Ball::zero();
        }
        let mut k = x.top();
        let half = x.scaled(-k);
        if half.fixed(10) < IBig::from(717) {
            k -= 1; // below 0.7: [½, 0.7) becomes [1, 1.4)
        }
        let y = x.scaled(-k);
        let near = y.plus(&Dyadic::one().neg());
        let extra = if k == 0 { (-near.top()).max(0) } else { 0 };
        let extra = extra.min(4 * self.precision as i64) as usize;
        self.settle(Magnitude::ZERO, extra, |w| self.log_fixed(&y, k, w))
    }

    /// log y = 2^(n+1) artanh((z − 1)/(z + 1)), z the 2ⁿ-th root of y.
    fn log_fixed(&self, y: &Dyadic, k: i64, w: usize) -> Fixed {
        let halvings = 2 + w.isqrt() / 4;
        let bits = w + halvings + 12;
        let one = IBig::ONE << bits;
        // A root: δ ← δ/(2√y) + 1 ≤ 0.6δ + 1, at most 3 from 1.
        let mut z = y.fixed(bits);
        for _ in 0..halvings {
            z = (z << bits).nth_root(2);
        }
        // The slope of (z − 1)/(z + 1) is 2/(z + 1)² < 0.7: wrong by at most 4.
        let ratio = ((&z - &one) << bits) / (&z + &one);
        let (series, terms) = odd_series(&(&ratio).abs(), bits, false);
        let series = series << (halvings + 1);
        let log_y = if ratio < IBig::ZERO { -series } else { series };
        let error = ulps(2 * terms + 6).scaled(halvings as i64 + 1);
        if k == 0 {
            return Fixed::new(log_y, bits, error);
        }
        let more = 66 - k.unsigned_abs().leading_zeros() as usize;
        let k_log_2 = (self.log_2_fixed(bits + more) * IBig::from(k)) >> more;
        Fixed::new(log_y + k_log_2, bits, error.plus(ulps(2)))
    }

    /// sin x.
    pub fn sin(&self, a: &Ball) -> Ball {
        if self.is_negligible(&a.mid) && a.radius < Magnitude::ONE {
            return self.nearly_itself(a);
        }
        self.circular(a, 0, a.radius)
    }

    /// cos x = sin(x + π/2).
    pub fn cos(&self, a: &Ball) -> Ball {
        if a.is_exact() && a.mid.is_zero() {
            return Ball::one();
        }
        // |cos x − cos m| ≤ r·sup|sin| ≤ r·(|m| + r).
        self.circular(a, 1, a.radius.times(a.above().min(Magnitude::ONE)))
    }

    /// tan x; `None` if cos x may be zero.
    pub fn tan(&self, a: &Ball) -> Option<Ball> {
        let wide = self.raised(4);
        self.div(&wide.sin(a), &wide.cos(a))
    }

    /// sin(m + quarter·π/2) within `spread`.
    fn circular(&self, a: &Ball, quarter: usize, spread: Magnitude) -> Ball {
        if a.radius >= Magnitude::ONE || a.mid.top() > CIRCULAR_LIMIT {
            return Ball::around_zero(Magnitude::ONE);
        }
        let extra = if quarter == 0 { (-a.mid.top()).max(0) as usize } else { 0 };
        let point = self.settle(spread, extra, |w| self.sine_fixed(&a.mid, quarter, w));
        self.round(Ball { radius: point.radius.plus(spread), ..point })
    }

    /// x = k·π/2 + t, 0 ≤ t < π/2; sin and 1 − cos of t/2ⁿ by their series, then doubled:
    /// sin 2u = 2 sin u cos u, 1 − cos 2u = 2 sin² u.
    fn sine_fixed(&self, x: &Dyadic, quarter: usize, w: usize) -> Fixed {
        let halvings = 3 + w.isqrt() / 2;
        let bits = w + 2 * halvings + 12;
        // As for exp: k < 0.7·2^top + 1, and the error of t/2ⁿ stays below 2.
        let more = x.top().max(0) as usize + 2;
        let half_pi = self.pi_fixed(bits + more - 1);
        let (k, t) = x.fixed(bits + more).div_rem_euclid(half_pi);
        let u = IBig::from(t) >> (more + halvings);
        let (even, mut sin, terms) = taylor(&u, bits, true);
        let mut versine = -even;
        // δ ← 2(|cos|δ + |sin|δ) + δ² + 2 ≤ 4δ + 4, and 4|sin|δ + δ² + 1 for the other.
        let mut error = ulps(2 * terms + 6);
        let one = IBig::ONE << bits;
        for _ in 0..halvings {
            let doubled_versine = IBig::from(sin.sqr()) >> (bits - 1);
            sin = (sin * (&one - versine)) >> (bits - 1);
            versine = doubled_versine;
            error = error.scaled(2).plus(ulps(4));
        }
        let turned = (k + IBig::from(quarter)).div_rem_euclid(IBig::from(4)).1;
        let value = match u8::try_from(turned).unwrap_or_default() {
            0 => sin,
            1 => one - versine,
            2 => -sin,
            _ => versine - one,
        };
        Fixed::new(value, bits, error)
    }

    /// Is x³ below the last place of x? Then sin, sinh, tanh and atan are x within |x|³.
    fn is_negligible(&self, x: &Dyadic) -> bool {
        x.top() < -(self.precision as i64 / 2) - 4
    }

    /// sin x or atan x for a negligible midpoint: x within |x|³, and no steeper than 1.
    fn nearly_itself(&self, a: &Ball) -> Ball {
        let size = Magnitude::above(&a.mid);
        let radius = a.radius.plus(size.times(size).times(size));
        Ball::rounded(a.mid.clone(), radius, self.precision)
    }
}

/// Σ uⁿ/n! over even n ≥ 2 and over odd n, for 0 ≤ u ≤ ¼ at 2^−bits, with signs + + − − if
/// `alternate` is set: cos u − 1 and sin u. Also the number of terms.
///
/// A term is wrong by δ ← (δu + 1)/n + 1 ≤ 2; the tail after the last is below 3.
fn taylor(u: &IBig, bits: usize, alternate: bool) -> (IBig, IBig, usize) {
    let (mut even, mut odd) = (IBig::ZERO, u.clone());
    let mut term = u.clone();
    let mut n = 1;
    while !term.is_zero() {
        n += 1;
        term = ((term * u) >> bits) / IBig::from(n);
        let target = if n % 2 == 0 { &mut even } else { &mut odd };
        if alternate && n % 4 >= 2 {
            *target -= &term;
        } else {
            *target += &term;
        }
    }
    (even, odd, n)
}

/// Σ (±1)ⁿ z^(2n+1)/(2n+1) for 0 ≤ z ≤ ¼ at 2^−bits: artanh z, or atan z if `alternate` is set.
/// Also the number of terms.
///
/// With z wrong by 4: z² by 3, the powers by δ ← δz² + 3z + 1 ≤ 2, the quotients by less than
/// 2, the tail by 1; together at most 2·terms + 6.
fn odd_series(z: &IBig, bits: usize, alternate: bool) -> (IBig, usize) {
    let square = IBig::from(z.sqr()) >> bits;
    let mut power = z.clone();
    let mut sum = z.clone();
    let mut n = 0;
    while !power.is_zero() {
        n += 1;
        power = (power * &square) >> bits;
        let term = &power / IBig::from(2 * n + 1);
        if alternate && n % 2 == 1 {
            sum -= term;
        } else {
            sum += term;
        }
    }
    (sum, n)
}

/// π = 16 atan(1/5) − 4 atan(1/239) (Machin 1706), times 2^bits, within 1 unit.
fn compute_pi(bits: usize) -> IBig {
    // 20·(2·terms) units of error, and fewer than 2^26 terms: 32 guard bits hold them.
    let guarded = bits + 32;
    let at = |n: u32| inverse_series(n, guarded, true);
    (at(5) * IBig::from(16) - at(239) * IBig::from(4)) >> 32usize
}

/// log 2 = 18 artanh(1/26) − 2 artanh(1/4801) + 8 artanh(1/8749), times 2^bits, within 1 unit.
fn compute_log_2(bits: usize) -> IBig {
    let guarded = bits + 32;
    let at = |n: u32| inverse_series(n, guarded, false);
    (at(26) * IBig::from(18) - at(4801) * IBig::from(2) + at(8749) * IBig::from(8)) >> 32usize
}

/// atan(1/n) or artanh(1/n): as `odd_series`, dividing by the integer n² instead.
fn inverse_series(n: u32, bits: usize, alternate: bool) -> IBig {
    let square = IBig::from(u64::from(n) * u64::from(n));
    let mut power = (IBig::ONE << bits) / IBig::from(n);
    let mut sum = power.clone();
    let mut k = 0;
    while !power.is_zero() {
        k += 1;
        power /= &square;
        let term = &power / IBig::from(2 * k + 1);
        if alternate && k % 2 == 1 {
            sum -= term;
        } else {
            sum += term;
        }
    }
    sum
}

// ---------------------------------------------------------------------------------------------
// Inverse circular functions

impl Context {
    /// atan x, between −π/2 and π/2.
    pub fn atan(&self, a: &Ball) -> Ball {
        let bound = || Ball::around_zero(Magnitude::new(2, 0));
        self.monotone(a, |x| Some(self.atan_at(x))).unwrap_or_else(bound)
    }

    /// atan(−x) = −atan x; atan x = π/2 − atan(1/x) for x > 1.
    fn atan_at(&self, x: &Dyadic) -> Ball {
        if self.is_negligible(x) {
            return self.nearly_itself(&Ball::point(x.clone()));
        }
        let extra = (-x.top()).max(0) as usize;
        let result = self.settle(Magnitude::ZERO, extra, |w| self.atan_fixed(&x.abs(), w));
        if x.sign() < 0 { result.neg() } else { result }
    }

    /// atan t = 2 atan(t/(1 + √(1 + t²))), applied n times, then the series.
    fn atan_fixed(&self, x: &Dyadic, w: usize) -> Fixed {
        let halvings = 2 + w.isqrt() / 4;
        let bits = w + halvings + 12;
        let inverted = x.compare(&Dyadic::one()).is_gt();
        let mut t = if inverted { inverse_fixed(x, bits) } else { x.fixed(bits) };
        // The step has slope at most ½ and rounds by 1¼: δ ← δ/2 + 1¼, at most 3 from 1.
        let one = IBig::ONE << bits;
        let one_squared = IBig::ONE << (2 * bits);
        for _ in 0..halvings {
            let hypotenuse = (&one_squared + IBig::from(t.sqr())).nth_root(2);
            t = (t << bits) / (&one + hypotenuse);
        }
        let (series, terms) = odd_series(&t, bits, true);
        let angle = series << halvings;
        let error = ulps(2 * terms + 6).scaled(halvings as i64).plus(ulps(2));
        let value = if inverted { self.pi_fixed(bits - 1) - angle } else { angle };
        Fixed::new(value, bits, error)
    }

    /// The angle of the point (x, y), between −π and π; `None` if the point may be the origin
    /// or lie on the negative x axis, where the angle jumps.
    pub fn atan2(&self, y: &Ball, x: &Ball) -> Option<Ball> {
        let wide = self.raised(4);
        if x.sign_certain() == Some(1) {
            return Some(self.atan(&wide.div(y, x)?));
        }
        // Turned by a quarter: the angle from the y axis, of slope x/y.
        let quarter = match y.sign_certain() {
            Some(1) => wide.pi().scaled(-1),
            Some(-1) => wide.pi().scaled(-1).neg(),
            _ => return None,
        };
        Some(self.sub(&quarter, &wide.atan(&wide.div(x, y)?)))
    }

    /// asin x; `None` if |x| may exceed 1.
    pub fn asin(&self, a: &Ball) -> Option<Ball> {
        self.monotone(a, |x| self.asin_at(x))
    }

    /// acos x; `None` if |x| may exceed 1.
    pub fn acos(&self, a: &Ball) -> Option<Ball> {
        self.monotone(a, |x| self.acos_at(x))
    }

    /// The angle of the point (√(1 − x²), x).
    fn asin_at(&self, x: &Dyadic) -> Option<Ball> {
        let wide = self.raised(8);
        let cosine = wide.circle_at(x)?;
        if cosine.is_exact() && cosine.mid.is_zero() {
            let quarter = self.pi().scaled(-1);
            return Some(if x.sign() < 0 { quarter.neg() } else { quarter });
        }
        self.atan2(&Ball::point(x.clone()), &cosine)
    }

    /// The angle of the point (x, √(1 − x²)).
    fn acos_at(&self, x: &Dyadic) -> Option<Ball> {
        let wide = self.raised(8);
        let sine = wide.circle_at(x)?;
        if sine.is_exact() && sine.mid.is_zero() {
            return Some(if x.sign() < 0 { self.pi() } else { Ball::zero() });
        }
        self.atan2(&sine, &Ball::point(x.clone()))
    }

    /// √((1 − x)(1 + x)), to full relative precision; `None` for |x| > 1.
    fn circle_at(&self, x: &Dyadic) -> Option<Ball> {
        let x = Ball::point(x.clone());
        let (less, more) = (self.sub(&Ball::one(), &x), self.add(&Ball::one(), &x));
        self.root(&self.mul(&less, &more), 2)
    }
}

/// ⌊2^bits/x⌋ for x > 1.
fn inverse_fixed(x: &Dyadic, bits: usize) -> IBig {
    let shift = bits as i64 - x.exponent;
    if shift < 0 {
        return IBig::ZERO;
    }
    (IBig::ONE << shift as usize) / &x.mantissa
}

// ---------------------------------------------------------------------------------------------
// Hyperbolic functions

impl Context {
    /// sinh x; `None` from |x| of about a million.
    pub fn sinh(&self, a: &Ball) -> Option<Ball> {
        self.monotone(a, |x| {
            if self.is_negligible(x) {
                return Some(self.nearly_itself(&Ball::point(x.clone())));
            }
            // eˣ − e⁻ˣ cancels as many bits as x is below 1.
            let wide = self.raised(8 + (-x.top()).max(0) as usize);
            let e = wide.exp_at(x)?;
            Some(self.sub(&e, &wide.div(&Ball::one(), &e)?).scaled(-1))
        })
    }

    /// cosh x; `None` from |x| of about a million.
    pub fn cosh(&self, a: &Ball) -> Option<Ball> {
        self.monotone(&a.abs(), |x| {
            let wide = self.raised(8);
            let e = wide.exp_at(x)?;
            Some(self.add(&e, &wide.div(&Ball::one(), &e)?).scaled(-1))
        })
    }

    /// tanh x.
    pub fn tanh(&self, a: &Ball) -> Ball {
        let bound = || Ball::around_zero(Magnitude::ONE);
        self.monotone(a, |x| self.tanh_at(x)).unwrap_or_else(bound)
    }

    /// (e²ˣ − 1)/(e²ˣ + 1); from |x| ≥ precision, 1 − tanh x < 2e⁻²ˣ is below the last place.
    fn tanh_at(&self, x: &Dyadic) -> Option<Ball> {
        if self.is_negligible(x) {
            return Some(self.nearly_itself(&Ball::point(x.clone())));
        }
        let precision = Dyadic::new(IBig::from(self.precision), 0);
        if x.abs().compare(&precision).is_ge() {
            let last = 1 - self.precision as i64;
            let unit = Dyadic::new(IBig::ONE, last);
            let mid = Dyadic::one().plus(&unit.neg());
            let near_one = Ball { mid, radius: Magnitude::power_of_two(last) };
            return Some(if x.sign() < 0 { near_one.neg() } else { near_one });
        }
        let wide = self.raised(8 + (-x.top()).max(0) as usize);
        let e = wide.exp_at(&x.scaled(1))?;
        self.div(&wide.sub(&e, &Ball::one()), &wide.add(&e, &Ball::one()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ratio(c: &Context, num: i64, den: u64) -> Ball {
        c.ratio(&IBig::from(num), &UBig::from(den))
    }

    fn overlap(a: &Ball, b: &Ball) -> bool {
        match (a.ends(512), b.ends(512)) {
            (Some(a), Some(b)) => a.0.compare(&b.1).is_le() && b.0.compare(&a.1).is_le(),
            _ => true,
        }
    }

    fn holds(a: &Ball, n: i64) -> bool {
        overlap(a, &Ball::from_i64(n))
    }

    type Function = fn(&Context, &Ball) -> Option<Ball>;
    type Row = (&'static str, Function, Vec<(i64, u64)>);

    /// Every function of one argument, with numbers in its domain and away from its zeros.
    fn functions() -> Vec<Row> {
        let anywhere = vec![(1, 3), (-7, 5), (10_000_000_000, 1), (-1, 1_000_000_007), (355, 113)];
        let small = vec![(1, 3), (-7, 5), (-1, 1_000_000_007), (1000, 1), (-40, 1), (99, 100)];
        let unit = vec![(1, 3), (-1, 3), (99, 100), (-999, 1000), (1, 1 << 40), (-3, 4)];
        let positive = vec![(1, 3), (7, 5), (i64::MAX, 1), (1, 1 << 60), (999_999, 1_000_000)];
        vec![
            ("sin", |c, x| Some(c.sin(x)), anywhere.clone()),
            ("cos", |c, x| Some(c.cos(x)), anywhere.clone()),
            ("tan", |c, x| c.tan(x), anywhere.clone()),
            ("atan", |c, x| Some(c.atan(x)), anywhere.clone()),
            ("cbrt", |c, x| Some(c.cbrt(x)), anywhere.clone()),
            ("tanh", |c, x| Some(c.tanh(x)), anywhere),
            ("sinh", |c, x| c.sinh(x), small.clone()),
            ("cosh", |c, x| c.cosh(x), small.clone()),
            ("exp", |c, x| c.exp(x), small.clone()),
            ("x^7", |c, x| c.powi(x, 7), small.clone()),
            ("x^-12", |c, x| c.powi(x, -12), small),
            ("asin", |c, x| c.asin(x), unit.clone()),
            ("acos", |c, x| c.acos(x), unit),
            ("log", |c, x| c.log(x), positive.clone()),
            ("sqrt", |c, x| c.root(x, 2), positive.clone()),
            ("root 5", |c, x| c.root(x, 5), positive.clone()),
            ("root 13", |c, x| c.root(x, 13), positive),
        ]
    }

    #[test]
    fn constants_to_fifty_digits() {
        let c = Context::new(192);
        let (one, two) = (Ball::one(), Ball::from_i64(2));
        let check = |value: Ball, expected: &str| assert_eq!(value.to_decimal(50), expected);
        check(c.pi(), "3.1415926535897932384626433832795028841971693993751");
        check(c.exp(&one).unwrap(), "2.7182818284590452353602874713526624977572470937000");
        check(c.sin(&one), "0.84147098480789650665250232163029899962256306079837");
        check(c.cos(&one), "0.54030230586813971740093660744297660373231042061792");
        check(c.tan(&one).unwrap(), "1.5574077246549022305069748074583601730872507723815");
        check(c.log(&two).unwrap(), "0.69314718055994530941723212145817656807550013436026");
        check(c.atan(&ratio(&c, 1, 2)), "0.46364760900080611621425623146121440202853705428612");
        check(c.asin(&ratio(&c, 1, 3)).unwrap(), "0.33983690945412193709639251339176406638824469033246");
        check(c.acos(&ratio(&c, 1, 3)).unwrap(), "1.2309594173407746821349291782479873757103400093551");
        check(c.sinh(&one).unwrap(), "1.1752011936438014568823818505956008151557179813341");
        check(c.cosh(&one).unwrap(), "1.5430806348152437784779056207570616826015291123659");
        check(c.tanh(&one), "0.76159415595576488811945828260479359041276859725794");
        check(c.root(&two, 2).unwrap(), "1.4142135623730950488016887242096980785696718753769");
        check(c.cbrt(&two.neg()), "-1.2599210498948731647672106072782283505702514647015");
        check(c.sin(&Ball::from_i64(10_000_000_000)), "-0.48750602508751069152779429434810604167644731692279");
    }

    #[test]
    fn one_function_of_an_exact_argument_is_accurate() {
        for precision in [64, 100, 500, 4096] {
            let (c, fine) = (Context::new(precision), Context::new(precision + 150));
            for (name, f, arguments) in functions() {
                for (num, den) in arguments {
                    let x = Ball::point(ratio(&c, num, den).mid);
                    let (y, better) = (f(&c, &x).unwrap(), f(&fine, &x).unwrap());
                    let bits = y.relative_bits();
                    let told = format!("{name}({num}/{den}) to {precision}: {bits} bits");
                    assert!(bits >= i64::from(precision) - 4, "{told}");
                    assert!(y.mid.mantissa.bit_len() <= precision as usize + 1, "{told}");
                    assert!(overlap(&y, &better), "{told}: {y:?} misses {better:?}");
                }
            }
        }
    }

    #[test]
    fn a_wider_argument_gives_a_wider_result() {
        let c = Context::new(100);
        for (name, f, arguments) in functions() {
            for (num, den) in arguments {
                let x = ratio(&c, num, den);
                let mut last = f(&c, &Ball::point(x.mid.clone())).unwrap();
                for lost in [90, 60, 30] {
                    let radius = Magnitude::above(&x.mid).scaled(-lost);
                    let Some(y) = f(&c, &Ball { mid: x.mid.clone(), radius }) else {
                        continue;
                    };
                    assert!(y.radius >= last.radius, "{name}({num}/{den}), {lost} bits");
                    let ((low, high), (inner, outer)) = (y.ends(512).unwrap(), last.ends(512).unwrap());
                    let holds = low.compare(&inner).is_le() && outer.compare(&high).is_le();
                    assert!(holds, "{name}({num}/{den}), {lost} bits: {y:?} misses {last:?}");
                    last = y;
                }
            }
        }
    }

    #[test]
    fn identities_hold_tightly() {
        for precision in [100, 500] {
            let c = Context::new(precision);
            let square = |x: &Ball| c.powi(x, 2).unwrap();
            let tight = |value: Ball, expected: &Ball, lost: i64| {
                let difference = c.sub(&value, expected);
                assert!(difference.contains_zero(), "{value:?} is not {expected:?}");
                let enough = i64::from(precision) - lost;
                assert!(value.relative_bits() >= enough, "{value:?} is loose");
            };
            for (num, den) in [(1, 7), (-5, 3), (22, 7), (-1, 1000), (7, 1)] {
                let x = ratio(&c, num, den);
                tight(c.add(&square(&c.sin(&x)), &square(&c.cos(&x))), &Ball::one(), 12);
                let (sinh, cosh) = (c.sinh(&x).unwrap(), c.cosh(&x).unwrap());
                let lost = 12 + 4 * num.abs() / den as i64;
                tight(c.sub(&square(&cosh), &square(&sinh)), &Ball::one(), lost);
                tight(c.log(&c.exp(&x).unwrap()).unwrap(), &x, 24);
                tight(c.exp(&c.log(&x.abs()).unwrap()).unwrap(), &x.abs(), 12);
                tight(c.tan(&c.atan(&x)).unwrap(), &x, 20);
                tight(c.powi(&c.cbrt(&x), 3).unwrap(), &x, 12);
                tight(c.powi(&c.root(&x.abs(), 2).unwrap(), 2).unwrap(), &x.abs(), 12);
                tight(c.div(&sinh, &cosh).unwrap(), &c.tanh(&x), 12);
                let (sin, cos) = (c.sin(&x), c.cos(&x));
                let turn = c.div(&c.sub(&c.atan2(&sin, &cos).unwrap(), &x), &c.pi()).unwrap();
                let turns = (turn.to_f64() / 2.0).round() as i64 * 2;
                assert!(holds(&turn, turns), "{turn:?} is not an even integer");
                let y = c.tanh(&x);
                if let (Some(asin), Some(acos)) = (c.asin(&y), c.acos(&y)) {
                    tight(c.add(&asin, &acos), &c.pi().scaled(-1), 12);
                }
            }
        }
    }

    #[test]
    fn extreme_sizes_keep_relative_accuracy() {
        let c = Context::new(128);
        let tiny = c.powi(&Ball::from_i64(10), -300).unwrap();
        for f in [c.sin(&tiny), c.tanh(&tiny), c.sinh(&tiny).unwrap(), c.asin(&tiny).unwrap()] {
            assert_eq!(f.to_decimal(30), "1.00000000000000000000000000000e-300");
        }
        let large = c.powi(&Ball::from_i64(10), 40).unwrap();
        assert_eq!(c.add(&large, &tiny).to_decimal(20), "1.0000000000000000000e40");
        assert_eq!(c.log(&large).unwrap().to_decimal(20), "92.103403719761827361");
        assert_eq!(c.sin(&large).to_decimal(20), "-0.56963340095363632731");
        assert_eq!(c.exp(&Ball::from_i64(-500_000)).unwrap().to_decimal(6), "5.74180e-217148");
        assert!(c.sub(&c.exp(&tiny).unwrap(), &Ball::one()).contains_zero());
        let residue = c.sub(&c.add(&large, &tiny), &large);
        assert!(overlap(&residue, &tiny) && residue.sign_certain().is_none());
        assert!(!c.sin(&Ball::one().scaled(-70)).is_exact());
        assert!(c.exp(&large).is_none() && c.sinh(&large).is_none());
        assert!(c.exp(&Ball::from_i64(1 << 20)).is_none());
        assert_eq!(c.tanh(&large).bounds_f64().1, 1.0);
        assert!(c.powi(&Ball::from_i64(2), 1 << 50).is_none());
        let mut grown = large.clone();
        for _ in 0..60 {
            grown = c.mul(&grown, &grown);
        }
        assert!(!grown.is_finite() && grown.contains_zero());
        assert!(holds(&c.sin(&grown), 1) && holds(&c.sub(&grown, &grown), 7));
        assert_eq!(grown.to_decimal(5), "0 ± inf");
        let mut shrunk = tiny;
        for _ in 0..60 {
            shrunk = c.mul(&shrunk, &shrunk);
        }
        assert!(shrunk.contains_zero() && !shrunk.is_exact() && shrunk.is_finite());
    }

    #[test]
    fn domains_end_where_they_should() {
        let c = Context::new(64);
        let (zero, one) = (Ball::zero(), Ball::one());
        let unit = c.between(Dyadic::new(IBig::ZERO, 0), Dyadic::one()); // [0, 1]
        let around = Ball::around_zero(Magnitude::ONE); // [−1, 1]
        assert!(c.div(&one, &unit).is_none() && c.log(&unit).is_none());
        assert!(c.root(&around, 2).is_none() && c.root(&one.neg(), 4).is_none());
        assert_eq!(c.root(&unit, 2).unwrap().bounds_f64(), (0.0, 1.0));
        assert_eq!(c.root(&unit, 13).unwrap().bounds_f64().0, 0.0);
        let from_zero = c.root(&Ball::from_zero_to(&ratio(&c, 1, 3).mid), 2).unwrap();
        assert_eq!(c.root(&from_zero, 2).unwrap().bounds_f64().0, 0.0);
        assert_eq!(around.abs().bounds_f64(), (0.0, 1.0));
        assert_eq!(c.sub(&around, &one).abs().bounds_f64(), (0.0, 2.0));
        assert_eq!(c.powi(&around, 2).unwrap().bounds_f64(), (0.0, 1.0));
        assert!(c.powi(&around, -1).is_none());
        assert_eq!(c.cbrt(&around).bounds_f64(), (-1.0, 1.0));
        assert_eq!(c.max(&around, &unit).bounds_f64(), (0.0, 1.0));
        assert_eq!(c.min(&around, &unit).bounds_f64(), (-1.0, 1.0));
        assert!(c.asin(&Ball::from_i64(2)).is_none() && c.acos(&c.pi()).is_none());
        assert!(overlap(&c.asin(&one.neg()).unwrap(), &c.pi().scaled(-1).neg()));
        assert!(overlap(&c.acos(&one.neg()).unwrap(), &c.pi()));
        assert!(c.acos(&one).unwrap().is_exact() && c.sin(&zero).is_exact());
        assert!(c.tan(&c.pi().scaled(-1)).is_none());
        assert!(c.atan2(&zero, &one).unwrap().is_exact());
        assert!(c.atan2(&zero, &one.neg()).is_none() && c.atan2(&zero, &zero).is_none());
        assert!(c.atan2(&around, &one.neg()).is_none() && c.atan2(&unit, &zero).is_none());
        assert_eq!(c.atan2(&one.neg(), &one.neg()).unwrap().to_decimal(9), "-2.35619449");
        assert_eq!(c.atan2(&one, &zero).unwrap().to_decimal(9), "1.57079633");
        assert_eq!(c.root(&Ball::from_i64(1024), 10).unwrap().to_decimal(9), "2");
        assert!(c.root(&ratio(&c, 9, 4), 2).unwrap().is_exact());
    }

    #[test]
    fn questions_are_answered_only_when_certain() {
        let c = Context::new(64);
        let (third, zero) = (ratio(&c, 1, 3), Ball::zero());
        assert_eq!(zero.sign_certain(), Some(0));
        assert_eq!(third.neg().sign_certain(), Some(-1));
        assert_eq!(c.sub(&third, &third).sign_certain(), None);
        assert_eq!(third.compare(&third), None);
        assert_eq!(third.compare(&ratio(&c, 333, 1000)), Some(Ordering::Greater));
        assert_eq!(third.neg().compare(&third), Some(Ordering::Less));
        assert_eq!(zero.compare(&zero), Some(Ordering::Equal));
        assert_eq!(Ball::from_i64(3).compare(&Ball::from_i64(2)), Some(Ordering::Greater));
        assert_eq!(third.to_f64(), 0.333_333_333_333_333_3);
        let (low, high) = third.bounds_f64();
        assert!(low < high && low >= 0.333_333_333_333_333_2 && high <= 0.333_333_333_333_333_5);
        let tiny = c.powi(&Ball::from_i64(2), -1080).unwrap();
        assert_eq!(tiny.bounds_f64(), (0.0, f64::from_bits(1)));
        assert_eq!(tiny.neg().bounds_f64(), (-f64::from_bits(1), 0.0));
        let huge = c.powi(&Ball::from_i64(2), 1024).unwrap();
        assert_eq!(huge.bounds_f64(), (f64::MAX, f64::INFINITY));
    }

    #[test]
    fn decimals_are_certain() {
        let c = Context::new(64);
        let check = |value: &Ball, digits, expected: &str| {
            assert_eq!(value.to_decimal(digits), expected);
        };
        check(&Ball::zero(), 9, "0");
        check(&ratio(&c, -5, 4), 9, "-1.25");
        check(&ratio(&c, 1, 10), 12, "0.100000000000");
        check(&ratio(&c, 1, 3), 50, "0.333333333333333333");
        check(&ratio(&c, 2, 3), 5, "0.66667");
        check(&ratio(&c, 1_999_999, 2), 6, "1.00000e6");
        check(&ratio(&c, 1, 3_000_000_000), 6, "3.33333e-10");
        check(&Ball::from_i64(1_000_000), 3, "1000000");
        check(&Ball::from_i64(1_234_567), 3, "1.23e6");
        check(&c.powi(&Ball::from_i64(5), 27).unwrap(), 30, "7450580596923828125");
        check(&c.powi(&Ball::from_i64(2), -100).unwrap(), 4, "7.889e-31");
        check(&c.sub(&c.pi(), &c.pi()), 9, "0 ± 3e-19");
    }

    #[test]
    fn radii_round_up() {
        for n in [1, 7, (1 << 32) - 1, (1 << 32) + 1, (1 << 40) + 1, u128::MAX >> 5, u128::MAX] {
            let point = Dyadic::new(IBig::from(n), -9);
            let (above, below) = (Magnitude::above(&point), Magnitude::below(&point));
            assert_eq!(above, Magnitude::new(n, -9));
            assert!(above.point().compare(&point).is_ge() && below.point().compare(&point).is_le());
            assert!(above == below || n >> 32 != 0);
            let (small, one) = (above.scaled(-99), Magnitude::ONE);
            assert!(above.plus(small) > above && above.times(one) >= above);
            assert!(above.over(one) >= above && one.over(above).times(above) >= one);
        }
    }

    /// A random expression in one variable, as a list of operations on a stack.
    fn evaluate(c: &Context, x: &Ball, code: &[(u8, i64, u64)]) -> Option<Ball> {
        let mut stack = vec![x.clone()];
        for &(operation, num, den) in code {
            let a = stack.pop().unwrap_or_else(|| x.clone());
            let mut other = || stack.pop().unwrap_or_else(|| ratio(c, num, den));
            let result = match operation {
                0 => c.add(&a, &other()),
                1 => c.sub(&a, &other()),
                2 => c.mul(&a, &other()),
                3 => c.div(&a, &other())?,
                4 => c.atan2(&a, &other())?,
                5 => c.min(&a, &other()),
                6 => c.max(&a, &other()),
                7 => c.sin(&a),
                8 => c.cos(&a),
                9 => c.tan(&a)?,
                10 => c.asin(&a)?,
                11 => c.acos(&a)?,
                12 => c.atan(&a),
                13 => c.sinh(&a)?,
                14 => c.cosh(&a)?,
                15 => c.tanh(&a),
                16 => c.exp(&a)?,
                17 => c.log(&a)?,
                18 => c.cbrt(&a),
                19 => c.root(&a, 2 + den as u32 % 12)?,
                20 => c.powi(&a, num % 6)?,
                21 => a.abs(),
                22 => a.neg(),
                23 => a.sign()?,
                24..28 => {
                    stack.push(a);
                    ratio(c, num, den)
                }
                _ => {
                    stack.push(a);
                    x.clone()
                }
            };
            stack.push(result);
        }
        stack.pop()
    }

    fn expression() -> impl Strategy<Value = Vec<(u8, i64, u64)>> {
        prop::collection::vec((0u8..32, -40i64..40, 1u64..30), 1..14)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4_000) })]

        #[test]
        fn coarse_balls_meet_fine_ones(code in expression(), num in -99i64..99, den in 1u64..50) {
            let (c, fine) = (Context::new(64), Context::new(256));
            let coarse = evaluate(&c, &ratio(&c, num, den), &code);
            let better = evaluate(&fine, &ratio(&fine, num, den), &code);
            if let (Some(coarse), Some(better)) = (coarse, better) {
                prop_assert!(overlap(&coarse, &better), "{coarse:?} misses {better:?}");
            }
        }

        #[test]
        fn rounding_errors_in_fixed_point_are_counted(num in 1i64..1 << 40, shift in 20i64..44) {
            // With few bits and no last rounding to hide behind.
            let (c, fine) = (Context::new(32), Context::new(200));
            let x = Dyadic::new(IBig::from(num), -shift);
            let y = Dyadic::new(IBig::from(num % 700 + 700), -10) ;
            let (at_x, at_y) = (Ball::point(x.clone()), Ball::point(y.clone()));
            let cases = [
                (c.sine_fixed(&x, 0, 16), fine.sin(&at_x)),
                (c.sine_fixed(&x.neg(), 1, 16), fine.cos(&at_x)),
                (c.atan_fixed(&x, 16), fine.atan(&at_x)),
                (c.log_fixed(&y, 0, 16), fine.log(&at_y).unwrap()),
                (c.log_fixed(&y, -shift, 16), fine.log(&at_y.scaled(-shift)).unwrap()),
            ];
            for (fixed, value) in cases {
                let bits = -(fixed.bits as i64);
                let mid = Dyadic::new(fixed.value, bits);
                let ball = Ball { mid, radius: fixed.error.scaled(bits) };
                prop_assert!(overlap(&ball, &value), "{ball:?} misses {value:?}");
            }
        }

        #[test]
        fn a_ball_holds_the_values_at_its_points(
            code in expression(),
            mid in -4096i64..4096,
            size in 1i64..64,
            scale in 0i64..24,
            inside in -16i64..=16,
        ) {
            let (c, fine) = (Context::new(64), Context::new(256));
            let mid = Dyadic::new(IBig::from(mid), -10);
            let radius = Magnitude::new(size as u128, -scale);
            let offset = Dyadic::new(IBig::from(size * inside), -scale - 4);
            let point = Ball::point(mid.plus(&offset));
            let image = evaluate(&c, &Ball { mid, radius }, &code);
            let Some(image) = image else {
                return Ok(());
            };
            if let Some(value) = evaluate(&fine, &point, &code) {
                prop_assert!(overlap(&image, &value), "{image:?} misses {value:?}");
            }
        }
    }
}

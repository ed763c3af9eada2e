//! What is a coefficient worth, exactly?
//!
//! A [`Rational`]: numerator over positive denominator in lowest terms, of any size. Nearly all
//! coefficients of mechanics fit two machine words, so those are kept without allocation; a
//! value that fits the small form is always in it, which makes equality and hashing structural.
//!
//! Nothing here rounds, save [`Rational::to_f64`]. A literal or a power of a few characters could
//! fill the memory: past [`MAX_BITS`] it is [`NumberError::TooLarge`], found out beforehand.

use std::cmp::Ordering;
use std::fmt;
use std::num::NonZeroI64;
use std::ops::{Add, Mul, Neg, Sub};

use dashu_int::ops::{BitTest, DivEuclid, DivRem, Gcd, RemEuclid};
use dashu_int::{IBig, Sign, UBig};

use crate::field::is_prime;

/// The largest [`Rational::bits`] that a literal or a power may have.
pub const MAX_BITS: u64 = 1 << 20;

/// Why a number could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberError {
    /// The result would take more than [`MAX_BITS`] bits.
    TooLarge,
    /// Zero was raised to a negative power.
    DivisionByZero,
    /// The text is no decimal number.
    Malformed,
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NumberError::TooLarge => write!(f, "the number takes more than {MAX_BITS} bits"),
            NumberError::DivisionByZero => f.write_str("division by zero"),
            NumberError::Malformed => f.write_str("not a decimal number; write it as in 12, 0.8 or 1.5e-3"),
        }
    }
}

impl std::error::Error for NumberError {}

/// An exact rational number of any size.
///
/// ```text
/// Rational::parse_decimal("0.8") = 4/5        Rational::new(6, -8) = -3/4
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Form);

/// Lowest terms, positive denominator; `Big` only when `Small` cannot hold the value.
/// The denominator's missing zero is where the compiler keeps the tag: 16 bytes in all.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Form {
    Small(i64, NonZeroI64),
    Big(Box<(IBig, UBig)>),
}

// ---------------------------------------------------------------------------------------------
// Making

impl Rational {
    /// 0.
    pub const ZERO: Rational = Rational::integer(0);
    /// 1.
    pub const ONE: Rational = Rational::integer(1);
    /// −1.
    pub const MINUS_ONE: Rational = Rational::integer(-1);

    /// `num/den` in lowest terms; `None` if `den` is zero.
    pub fn new(num: i64, den: i64) -> Option<Rational> {
        if den == 0 {
            return None;
        }
        let common = i128::from(gcd(num.unsigned_abs(), den.unsigned_abs()));
        let (num, den) = (i128::from(num) / common, i128::from(den) / common);
        Some(Rational::reduced(num * den.signum(), den.abs()))
    }

    /// `num/den` in lowest terms; `None` if `den` is zero.
    pub fn from_ibig_ratio(num: IBig, den: UBig) -> Option<Rational> {
        if den.is_zero() {
            return None;
        }
        if den.is_one() {
            return Some(Rational::reduced_big(num, den));
        }
        let (sign, magnitude) = num.into_parts();
        let common = (&magnitude).gcd(&den);
        let num = IBig::from_parts(sign, magnitude / &common);
        Some(Rational::reduced_big(num, den / common))
    }

    /// Reads an unsigned decimal number, exactly: `12`, `0.8`, `1.5e-3`, `2E10`.
    ///
    /// The point stands between digits. `TooLarge` if the digits and the shift by the exponent
    /// together, or the value itself, need more than [`MAX_BITS`] bits.
    pub fn parse_decimal(text: &str) -> Result<Rational, NumberError> {
        let (digits, shift) = decimal_digits(text)?;
        if digits.is_empty() {
            return Ok(Rational::ZERO);
        }
        // A decimal digit is worth more than three bits.
        let digit_count = (digits.len() as u64).saturating_add(shift.unsigned_abs());
        if digit_count.saturating_mul(3) > MAX_BITS {
            return Err(NumberError::TooLarge);
        }
        let digits = UBig::from_str_radix(&digits, 10).map_err(|_| NumberError::Malformed)?;
        let power = UBig::from(10u8).pow(shift.unsigned_abs() as usize);
        let (num, den) = if shift < 0 { (digits, power) } else { (digits * power, UBig::ONE) };
        let value = Rational::from_ibig_ratio(num.into(), den);
        value.expect("a power of ten is not zero").within_limit()
    }

    /// An unsigned word; not a `From`, which would leave `Rational::from(2)` ambiguous.
    pub fn from_u64(n: u64) -> Rational {
        Rational::reduced(n.into(), 1)
    }

    const fn integer(n: i64) -> Rational {
        Rational(Form::Small(n, NonZeroI64::new(1).unwrap()))
    }

    /// `num/den`, known to be in lowest terms with `den > 0`.
    #[inline]
    fn reduced(num: i128, den: i128) -> Rational {
        debug_assert!(den > 0);
        let small_den = i64::try_from(den).ok().and_then(NonZeroI64::new);
        match (i64::try_from(num), small_den) {
            (Ok(num), Some(den)) => Rational(Form::Small(num, den)),
            _ => Rational(Form::Big(Box::new((num.into(), UBig::from(den.unsigned_abs()))))),
        }
    }

    /// `num/den`, known to be in lowest terms with `den > 0`.
    fn reduced_big(num: IBig, den: UBig) -> Rational {
        let small_den = i64::try_from(&den).ok().and_then(NonZeroI64::new);
        match (i64::try_from(&num), small_den) {
            (Ok(num), Some(den)) => Rational(Form::Small(num, den)),
            _ => Rational(Form::Big(Box::new((num, den)))),
        }
    }

    fn within_limit(self) -> Result<Rational, NumberError> {
        if self.bits() > MAX_BITS { Err(NumberError::TooLarge) } else { Ok(self) }
    }
}

impl From<i64> for Rational {
    fn from(n: i64) -> Rational {
        Rational::integer(n)
    }
}

/// The significant digits of a decimal number, without zeros at either end, and the power of
/// ten they are to be multiplied by. No digits mean zero.
fn decimal_digits(text: &str) -> Result<(String, i64), NumberError> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, decimal_exponent(exponent)?),
        None => (text, 0),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (all_digits(whole)?, all_digits(fraction)?),
        None => (all_digits(mantissa)?, ""),
    };
    let digits = format!("{whole}{fraction}");
    let kept = digits.trim_end_matches('0');
    let dropped = digits.len() - kept.len();
    let shift = exponent + dropped as i64 - fraction.len() as i64;
    Ok((kept.trim_start_matches('0').to_owned(), shift))
}

/// The exponent after the `e`; one beyond all limits is cut off where it is still beyond them.
fn decimal_exponent(text: &str) -> Result<i64, NumberError> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = all_digits(unsigned)?.bytes().map(|digit| i64::from(digit - b'0'));
    let size = digits.fold(0i64, |n, digit| (10 * n + digit).min(1 << 48));
    Ok(if text.starts_with('-') { -size } else { size })
}

fn all_digits(text: &str) -> Result<&str, NumberError> {
    let fine = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    fine.then_some(text).ok_or(NumberError::Malformed)
}

// ---------------------------------------------------------------------------------------------
// Asking

impl Rational {
    /// Is it 0?
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Form::Small(0, _))
    }

    /// Is it 1?
    #[inline]
    pub fn is_one(&self) -> bool {
        self.to_small() == Some((1, 1))
    }

    /// Is its denominator 1?
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Form::Small(_, den) => den.get() == 1,
            Form::Big(ratio) => ratio.1.is_one(),
        }
    }

    /// Is it below 0?
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// Is it above 0?
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    /// −1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Form::Small(num, _) => num.signum() as i32,
            Form::Big(ratio) if ratio.0.sign() == Sign::Negative => -1,
            Form::Big(_) => 1,
        }
    }

    /// Numerator and denominator, if both fit.
    #[inline]
    pub fn to_small(&self) -> Option<(i64, i64)> {
        match self.0 {
            Form::Small(num, den) => Some((num, den.get())),
            Form::Big(_) => None,
        }
    }

    /// The value, if it is an integer that fits.
    pub fn to_i64(&self) -> Option<i64> {
        match self.to_small() {
            Some((num, 1)) => Some(num),
            _ => None,
        }
    }

    /// Numerator and denominator, of any size.
    pub fn to_ibig_ratio(&self) -> (IBig, UBig) {
        match &self.0 {
            Form::Small(num, den) => ((*num).into(), UBig::from(den.get().unsigned_abs())),
            Form::Big(ratio) => (**ratio).clone(),
        }
    }

    /// The numerator, which carries the sign.
    pub fn numerator(&self) -> Rational {
        match &self.0 {
            Form::Small(num, _) => Rational::from(*num),
            Form::Big(ratio) => Rational::reduced_big(ratio.0.clone(), UBig::ONE),
        }
    }

    /// The denominator, which is positive.
    pub fn denominator(&self) -> Rational {
        match &self.0 {
            Form::Small(_, den) => Rational::from(den.get()),
            Form::Big(ratio) => Rational::reduced_big(ratio.1.clone().into(), UBig::ONE),
        }
    }

    /// The binary digits of numerator and denominator together: 1 for 0, 4 for 5.
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Form::Small(num, den) => {
                let length = |n: u64| u64::from(u64::BITS - n.leading_zeros());
                length(num.unsigned_abs()) + length(den.get().unsigned_abs())
            }
            Form::Big(ratio) => (ratio.0.bit_len() + ratio.1.bit_len()) as u64,
        }
    }

    /// Numerator (in `0..p`) and denominator modulo `p`, which must not be zero.
    #[inline]
    pub fn residues(&self, p: u64) -> (u64, u64) {
        match &self.0 {
            Form::Small(num, den) => {
                let size = num.unsigned_abs() % p;
                let residue = if *num < 0 && size != 0 { p - size } else { size };
                (residue, den.get().unsigned_abs() % p)
            }
            Form::Big(ratio) => {
                let residue = (&ratio.0).rem_euclid(IBig::from(p));
                (residue.try_into().expect("below p"), &ratio.1 % p)
            }
        }
    }

    /// The nearest float; infinite or zero only where floats end.
    pub fn to_f64(&self) -> f64 {
        const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;
        if let Some((num, den)) = self.to_small()
            && num.unsigned_abs() <= EXACT
            && den.unsigned_abs() <= EXACT
        {
            return num as f64 / den as f64;
        }
        let (num, den) = self.to_ibig_ratio();
        let (sign, magnitude) = num.into_parts();
        let size = quotient_to_f64(magnitude, den);
        if sign == Sign::Negative { -size } else { size }
    }
}

/// `num/den` as a float, by way of a quotient of 65 or 66 bits whose last bit stands for
/// everything below it, so that rounding it rounds the true value.
fn quotient_to_f64(num: UBig, den: UBig) -> f64 {
    let shift = 65 + den.bit_len() as i64 - num.bit_len() as i64;
    let distance = shift.unsigned_abs() as usize;
    let (quotient, remainder) = if shift < 0 { num.div_rem(den << distance) } else { (num << distance).div_rem(den) };
    let quotient = u128::try_from(quotient).expect("at most 66 bits");
    let sticky = u128::from(!remainder.is_zero());
    times_power_of_two((quotient | sticky) as f64, -shift)
}

/// `value · 2^exponent`, in steps that are floats themselves.
fn times_power_of_two(mut value: f64, exponent: i64) -> f64 {
    const STEP: i64 = 1000;
    let power_of_two = |n: i64| f64::from_bits(((1023 + n) as u64) << 52);
    // Beyond ±3 steps the result is infinite or zero anyway.
    let mut left = exponent.clamp(-3 * STEP, 3 * STEP);
    while left != 0 {
        let step = left.clamp(-STEP, STEP);
        value *= power_of_two(step);
        left -= step;
    }
    value
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        if let (Some((a, b)), Some((c, d))) = (self.to_small(), other.to_small()) {
            return (i128::from(a) * i128::from(d)).cmp(&(i128::from(c) * i128::from(b)));
        }
        let ((a, b), (c, d)) = (self.to_ibig_ratio(), other.to_ibig_ratio());
        (a * d).cmp(&(c * b))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Small(num, den) if den.get() == 1 => write!(f, "{num}"),
            Form::Small(num, den) => write!(f, "{num}/{den}"),
            Form::Big(ratio) if ratio.1.is_one() => write!(f, "{}", ratio.0),
            Form::Big(ratio) => write!(f, "{}/{}", ratio.0, ratio.1),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

// ---------------------------------------------------------------------------------------------
// Arithmetic

impl Rational {
    /// Its size without its sign.
    pub fn abs(&self) -> Rational {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The largest integer not above it.
    pub fn floor(&self) -> Rational {
        match &self.0 {
            Form::Small(num, den) => Rational::from(num.div_euclid(den.get())),
            Form::Big(ratio) => {
                let den = IBig::from(ratio.1.clone());
                Rational::reduced_big((&ratio.0).div_euclid(den), UBig::ONE)
            }
        }
    }

    /// One over it; `None` for zero.
    pub fn recip(&self) -> Option<Rational> {
        match &self.0 {
            Form::Small(0, _) => None,
            Form::Small(num, den) => {
                let num = i128::from(*num);
                Some(Rational::reduced(i128::from(den.get()) * num.signum(), num.abs()))
            }
            Form::Big(ratio) => {
                let (sign, magnitude) = ratio.0.clone().into_parts();
                let num = IBig::from_parts(sign, ratio.1.clone());
                Some(Rational::reduced_big(num, magnitude))
            }
        }
    }

    /// `self/other`; `None` if `other` is zero.
    pub fn checked_div(&self, other: &Rational) -> Option<Rational> {
        Some(self * &other.recip()?)
    }

    /// `self^n`, with 0⁰ = 1.
    ///
    /// `TooLarge` if the result takes more than [`MAX_BITS`] bits, `DivisionByZero` for a
    /// negative power of zero.
    pub fn pow(&self, n: i64) -> Result<Rational, NumberError> {
        if n >= 0 {
            return self.natural_power(n.unsigned_abs());
        }
        let inverse = self.recip().ok_or(NumberError::DivisionByZero)?;
        inverse.natural_power(n.unsigned_abs())
    }

    fn natural_power(&self, n: u64) -> Result<Rational, NumberError> {
        if let Some(power) = self.small_power(n) {
            return Ok(power);
        }
        let (num, den) = self.to_ibig_ratio();
        // A number of b bits is at least 2^(b−1): what passes is at most twice too large.
        let least_bits = (num.bit_len() + den.bit_len()) as u64 - 2;
        if least_bits.saturating_mul(n) > MAX_BITS {
            return Err(NumberError::TooLarge);
        }
        Rational::reduced_big(num.pow(n as usize), den.pow(n as usize)).within_limit()
    }

    /// `self^n` where machine words suffice, and always for 0, 1 and −1.
    fn small_power(&self, n: u64) -> Option<Rational> {
        let (num, den) = self.to_small()?;
        let n = match (num, den) {
            (-1..=1, 1) if n > 2 => (2 - n % 2) as u32,
            _ => u32::try_from(n).ok()?,
        };
        let (num, den) = (num.checked_pow(n)?, den.checked_pow(n)?);
        Some(Rational::reduced(num.into(), den.into()))
    }

    /// The nonnegative greatest common divisor: of the numerators, over the least common
    /// multiple of the denominators; so `gcd(0, x) = |x|`. Dividing the coefficients of a sum
    /// by it leaves coprime integers.
    pub fn gcd(&self, other: &Rational) -> Rational {
        if let (Some((a, b)), Some((c, d))) = (self.to_small(), other.to_small()) {
            let (b, d) = (b.unsigned_abs(), d.unsigned_abs());
            let num = gcd(a.unsigned_abs(), c.unsigned_abs());
            let den = i128::from(b / gcd(b, d)) * i128::from(d);
            return Rational::reduced(num.into(), den);
        }
        if self.is_zero() || other.is_zero() {
            return (self + other).abs();
        }
        let ((a, b), (c, d)) = (self.to_ibig_ratio(), other.to_ibig_ratio());
        let common = (&b).gcd(&d);
        Rational::reduced_big(a.gcd(c).into(), b / common * d)
    }
}

/// a/b + c/d for b, d > 0 and |a|, |c| ≤ 2⁶³; by Knuth's route the intermediates stay in 127
/// bits and only words meet in a gcd. Source: TAOCP vol. 2, §4.5.1.
#[inline]
fn add_small(a: i128, b: i64, c: i128, d: i64) -> Rational {
    if b == 1 && d == 1 {
        return Rational::reduced(a + c, 1);
    }
    let common = gcd(b.unsigned_abs(), d.unsigned_abs());
    let (b, d, g) = (i128::from(b), i128::from(d), i128::from(common));
    if common == 1 {
        return Rational::reduced(a * d + c * b, b * d);
    }
    let num = a * (d / g) + c * (b / g);
    let shared = i128::from(gcd((num % g).unsigned_abs() as u64, common));
    Rational::reduced(num / shared, (b / g) * (d / shared))
}

/// a/b · c/d, each in lowest terms: only a with d and c with b can have a common factor.
#[inline]
fn mul_small(a: i64, b: i64, c: i64, d: i64) -> Rational {
    let wide = |x: i64, y: i64| i128::from(x) * i128::from(y);
    if b == 1 && d == 1 {
        return Rational::reduced(wide(a, c), 1);
    }
    // At most the denominator, so it fits.
    let g = gcd(a.unsigned_abs(), d.unsigned_abs()) as i64;
    let h = gcd(c.unsigned_abs(), b.unsigned_abs()) as i64;
    Rational::reduced(wide(a / g, c / h), wide(b / h, d / g))
}

impl Add for &Rational {
    type Output = Rational;
    fn add(self, other: &Rational) -> Rational {
        if let (Some((a, b)), Some((c, d))) = (self.to_small(), other.to_small()) {
            return add_small(a.into(), b, c.into(), d);
        }
        let ((a, b), (c, d)) = (self.to_ibig_ratio(), other.to_ibig_ratio());
        ratio(a * &d + c * &b, b * d)
    }
}

impl Sub for &Rational {
    type Output = Rational;
    fn sub(self, other: &Rational) -> Rational {
        if let (Some((a, b)), Some((c, d))) = (self.to_small(), other.to_small()) {
            return add_small(a.into(), b, -i128::from(c), d);
        }
        let ((a, b), (c, d)) = (self.to_ibig_ratio(), other.to_ibig_ratio());
        ratio(a * &d - c * &b, b * d)
    }
}

impl Mul for &Rational {
    type Output = Rational;
    fn mul(self, other: &Rational) -> Rational {
        if let (Some((a, b)), Some((c, d))) = (self.to_small(), other.to_small()) {
            return mul_small(a, b, c, d);
        }
        let ((a, b), (c, d)) = (self.to_ibig_ratio(), other.to_ibig_ratio());
        ratio(a * c, b * d)
    }
}

fn ratio(num: IBig, den: UBig) -> Rational {
    Rational::from_ibig_ratio(num, den).expect("a product of denominators is not zero")
}

impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        match &self.0 {
            Form::Small(num, den) => Rational::reduced(-i128::from(*num), den.get().into()),
            // 2⁶³ is big, −2⁶³ is small.
            Form::Big(ratio) => Rational::reduced_big(-&ratio.0, ratio.1.clone()),
        }
    }
}

impl Neg for Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        -&self
    }
}

/// The operator on owned and mixed operands.
macro_rules! forward {
    ($($Operator:ident $operator:ident),*) => {$(
        impl $Operator for Rational {
            type Output = Rational;
            fn $operator(self, other: Rational) -> Rational {
                (&self).$operator(&other)
            }
        }
        impl $Operator<&Rational> for Rational {
            type Output = Rational;
            fn $operator(self, other: &Rational) -> Rational {
                (&self).$operator(other)
            }
        }
        impl $Operator<Rational> for &Rational {
            type Output = Rational;
            fn $operator(self, other: Rational) -> Rational {
                self.$operator(&other)
            }
        }
    )*};
}

forward!(Add add, Sub sub, Mul mul);

/// The greatest common divisor, by halving and subtracting; `gcd(0, n) = n`.
pub(crate) fn gcd(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        (a, b) = (a.min(b), a.abs_diff(b));
    }
    a << twos
}

// ---------------------------------------------------------------------------------------------
// Factors and roots

/// How many primes lie below 2¹⁶.
const PRIME_COUNT: usize = 6542;

/// The primes below 2¹⁶.
static PRIMES: [u16; PRIME_COUNT] = primes();

/// Trial division of a big number stops at this many primes × words, a few milliseconds.
const TRIAL_BUDGET: usize = 1 << 20;

/// Beyond this size a big number is not tested for being a power, for the same reason.
const MAX_ROOT_BITS: usize = 1 << 15;

impl Rational {
    /// For a positive r: the k-th root as `outside · Π base^(e/k)` with `0 < e < k`.
    ///
    /// The bases are primes in rising order, save that what trial division and a test for
    /// powers leave of a numerator or denominator counts as one base. `None` if r is not
    /// positive, k is zero, or what is left exceeds 64 bits.
    ///
    /// ```text
    /// 12, k = 2:  2·3^(1/2)        1/2, k = 2:  1/2·2^(1/2)        8, k = 3:  2
    /// ```
    pub fn root_split(&self, k: u32) -> Option<(Rational, Vec<(u64, u32)>)> {
        if !self.is_positive() || k == 0 {
            return None;
        }
        let (num, den) = self.to_ibig_ratio();
        let (above, above_factors) = split_power(num.into_parts().1, k)?;
        let (below, below_factors) = split_power(den, k)?;
        let mut outside = Rational::from_ibig_ratio(above.into(), below)?;
        let mut inside = Vec::new();
        let below_factors = below_factors.into_iter().map(|(base, e)| (base, -e));
        for (base, exponent) in above_factors.into_iter().chain(below_factors) {
            let whole = exponent.div_euclid(k.into());
            outside = outside * Rational::from_u64(base).pow(whole).ok()?;
            inside.push((base, exponent.rem_euclid(k.into()) as u32));
        }
        inside.retain(|&(_, exponent)| exponent != 0);
        inside.sort_unstable();
        Some((outside, inside))
    }

    /// The prime powers whose product is this positive number, in rising order, those of the
    /// denominator with negative exponents. `None` if it is not positive, a part exceeds 64
    /// bits, or a part has two different prime factors above 2¹⁶.
    pub fn factor_small(&self) -> Option<Vec<(u64, i64)>> {
        if !self.is_positive() {
            return None;
        }
        let (num, den) = self.to_ibig_ratio();
        let mut factors = factor_word(num.try_into().ok()?);
        let below = factor_word(den.try_into().ok()?);
        factors.extend(below.into_iter().map(|(base, exponent)| (base, -exponent)));
        factors.sort_unstable();
        let all_prime = factors.iter().all(|&(base, _)| is_prime(base));
        all_prime.then_some(factors)
    }
}

/// `n = root^k · Π base^exponent` for n > 0; `None` if too much of n stays unfactored.
fn split_power(mut n: UBig, k: u32) -> Option<(UBig, Vec<(u64, i64)>)> {
    let mut factors = Vec::new();
    if u64::try_from(&n).is_err() {
        factors = remove_small_primes(&mut n);
    }
    if let Ok(word) = u64::try_from(&n) {
        factors.extend(factor_word(word));
        return Some((UBig::ONE, factors));
    }
    Some((exact_root(&n, k)?, factors))
}

/// Divides n by the primes that the budget allows, and returns them with their exponents.
fn remove_small_primes(n: &mut UBig) -> Vec<(u64, i64)> {
    let words = n.bit_len() / 64 + 1;
    let mut factors = Vec::new();
    for &prime in PRIMES.iter().take(TRIAL_BUDGET / words) {
        match n.remove(&UBig::from(prime)) {
            Some(exponent) if exponent > 0 => factors.push((prime.into(), exponent as i64)),
            _ => {}
        }
    }
    factors
}

/// The prime powers of n > 0; the last base may be a product of different primes above 2¹⁶.
fn factor_word(mut n: u64) -> Vec<(u64, i64)> {
    let mut factors = Vec::new();
    for prime in PRIMES.iter().copied().map(u64::from) {
        if prime * prime > n {
            break;
        }
        let mut exponent = 0;
        while n.is_multiple_of(prime) {
            n /= prime;
            exponent += 1;
        }
        if exponent > 0 {
            factors.push((prime, exponent));
        }
    }
    if n > 1 {
        factors.push(as_power(n));
    }
    factors
}

/// n as a power with the largest exponent, for n without prime factors below 2¹⁶: the fourth
/// power of any other is no word.
fn as_power(n: u64) -> (u64, i64) {
    if n < 1 << 32 {
        return (n, 1);
    }
    let power_of = |k: u32| Some((exact_root(&n.into(), k)?.try_into().ok()?, i64::from(k)));
    power_of(3).or_else(|| power_of(2)).unwrap_or((n, 1))
}

/// The k-th root of n, if it is an integer and n is small enough to try.
fn exact_root(n: &UBig, k: u32) -> Option<UBig> {
    let bits = n.bit_len();
    let k = k as usize;
    if n.is_one() || k == 1 {
        return Some(n.clone());
    }
    if bits <= k || bits > MAX_ROOT_BITS {
        return None;
    }
    let root = floor_root(n, k);
    (root.pow(k) == *n).then_some(root)
}

/// The largest integer whose k-th power is at most n > 0: Newton's method downwards from a
/// start that the root of the leading half provides.
fn floor_root(n: &UBig, k: usize) -> UBig {
    let root_bits = n.bit_len().div_ceil(k);
    if root_bits <= 16 {
        return floor_root_by_bits(n, k, root_bits);
    }
    let low = root_bits / 2;
    let mut root = (floor_root(&(n >> (low * k)), k) + UBig::ONE) << low;
    loop {
        let next = (n / root.pow(k - 1) + &root * (k - 1)) / k;
        if next >= root {
            return root;
        }
        root = next;
    }
}

fn floor_root_by_bits(n: &UBig, k: usize, root_bits: usize) -> UBig {
    let mut root = UBig::ZERO;
    for bit in (0..root_bits).rev() {
        root.set_bit(bit);
        if root.pow(k) > *n {
            root.clear_bit(bit);
        }
    }
    root
}

/// The sieve of Eratosthenes, at compile time.
const fn primes() -> [u16; PRIME_COUNT] {
    let mut composite = [false; 1 << 16];
    let mut primes = [0; PRIME_COUNT];
    let (mut candidate, mut count) = (2, 0);
    while candidate < composite.len() {
        if !composite[candidate] {
            primes[count] = candidate as u16;
            count += 1;
            let mut multiple = candidate * candidate;
            while multiple < composite.len() {
                composite[multiple] = true;
                multiple += candidate;
            }
        }
        candidate += 1;
    }
    primes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::hash::BuildHasher;

    fn rational(num: i64, den: i64) -> Rational {
        Rational::new(num, den).unwrap()
    }

    fn decimal(text: &str) -> Rational {
        Rational::parse_decimal(text).unwrap()
    }

    /// Words from everywhere, but mostly from where the small form ends and from near zero.
    fn any_word() -> impl Strategy<Value = i64> {
        prop_oneof![
            -9..=9i64,
            i64::MIN..=i64::MIN + 9,
            i64::MAX - 9..=i64::MAX,
            (-9..=9i64).prop_map(|n| n + (1 << 32)),
            any::<i64>(),
        ]
    }

    fn any_small() -> impl Strategy<Value = Rational> {
        (any_word(), any_word()).prop_filter_map("zero", |(num, den)| Rational::new(num, den))
    }

    /// Small ones, and sums and products of them, which may be just big or just small.
    fn any_rational() -> impl Strategy<Value = Rational> {
        let of_two = |f: fn(Rational, Rational) -> Rational| (any_small(), any_small()).prop_map(move |(x, y)| f(x, y));
        prop_oneof![2 => any_small(), 1 => of_two(|x, y| x * y), 1 => of_two(|x, y| x + y)]
    }

    fn any_positive() -> impl Strategy<Value = Rational> {
        any_rational().prop_filter_map("zero", |x| (!x.is_zero()).then(|| x.abs()))
    }

    /// The reference: cross products of big integers, reduced by dashu.
    fn fraction(num: IBig, den: IBig) -> (IBig, UBig) {
        let (sign, den) = (num.clone() * den.clone().signum(), den.into_parts().1);
        let common = num.into_parts().1.gcd(den.clone());
        (sign / IBig::from(common.clone()), den / common)
    }

    fn check(result: Rational, num: IBig, den: IBig) {
        assert_eq!(result.to_ibig_ratio(), fraction(num, den));
        let fits = |n: &IBig| i64::try_from(n).is_ok();
        let (num, den) = result.to_ibig_ratio();
        let fits = fits(&num) && fits(&den.into());
        assert_eq!(result.to_small().is_some(), fits, "{result} is in the wrong form");
    }

    #[test]
    fn a_rational_takes_two_words() {
        assert_eq!(size_of::<Rational>(), 16);
    }

    proptest! {
        #[test]
        fn arithmetic_agrees_with_big_integers(x in any_rational(), y in any_rational()) {
            let ((a, b), (c, d)) = (x.to_ibig_ratio(), y.to_ibig_ratio());
            let (b, d) = (IBig::from(b), IBig::from(d));
            check(&x + &y, &a * &d + &c * &b, &b * &d);
            check(&x - &y, &a * &d - &c * &b, &b * &d);
            check(&x * &y, &a * &c, &b * &d);
            check(-&x, -&a, b.clone());
            check(x.abs(), a.clone() * a.signum(), b.clone());
            match x.checked_div(&y) {
                Some(quotient) => check(quotient, &a * &d, &b * &c),
                None => prop_assert!(y.is_zero()),
            }
            prop_assert_eq!(x.cmp(&y), (a * d).cmp(&(c * b)));
        }

        #[test]
        fn the_ring_laws_hold(x in any_rational(), y in any_rational(), z in any_rational()) {
            prop_assert_eq!(&x + &y, &y + &x);
            prop_assert_eq!(&x * &y, &y * &x);
            prop_assert_eq!((&x + &y) + &z, &x + (&y + &z));
            prop_assert_eq!((&x * &y) * &z, &x * (&y * &z));
            prop_assert_eq!((&x + &y) * &z, &x * &z + &y * &z);
            prop_assert_eq!(&x - &y, &x + -&y);
        }

        #[test]
        fn equal_values_hash_alike(x in any_rational(), y in any_rational()) {
            let (state, round_trip) = (rustc_hash::FxBuildHasher, (&x + &y) - &y);
            prop_assert_eq!(&round_trip, &x);
            prop_assert_eq!(state.hash_one(round_trip), state.hash_one(x));
        }

        #[test]
        fn floor_is_the_integer_below(x in any_rational()) {
            let rest = &x - x.floor();
            prop_assert!(x.floor().is_integer());
            prop_assert!(!rest.is_negative() && rest < Rational::ONE);
        }

        #[test]
        fn parts_make_the_whole(x in any_rational()) {
            let (num, den) = (x.numerator(), x.denominator());
            prop_assert!(num.is_integer() && den.is_integer() && den.is_positive());
            prop_assert_eq!(num.checked_div(&den), Some(x.clone()));
            let (num, den) = x.to_ibig_ratio();
            prop_assert_eq!(x.bits() as usize, num.bit_len() + den.bit_len());
            prop_assert_eq!(Rational::from_ibig_ratio(num, den), Some(x));
        }

        #[test]
        fn what_the_gcd_leaves_is_integer_and_coprime(x in any_rational(), y in any_rational()) {
            let common = x.gcd(&y);
            prop_assert_eq!(&common, &y.gcd(&x));
            if let (Some(a), Some(b)) = (x.checked_div(&common), y.checked_div(&common)) {
                prop_assert!(common.is_positive() && a.is_integer() && b.is_integer());
                prop_assert!(a.gcd(&b).is_one());
            } else {
                prop_assert!(x.is_zero() && y.is_zero());
            }
        }

        #[test]
        fn residues_are_those_of_the_parts(
            x in any_rational(), p in prop_oneof![1..9u64, 1..=u64::MAX],
        ) {
            let (num, den) = x.residues(p);
            prop_assert!(num < p && den < p);
            let p = Rational::from_u64(p);
            for (part, residue) in [(x.numerator(), num), (x.denominator(), den)] {
                let difference = part - Rational::from_u64(residue);
                prop_assert!(difference.checked_div(&p).unwrap().is_integer());
            }
        }

        #[test]
        fn powers_are_repeated_products(x in any_rational(), n in 0..12i64) {
            let product = (0..n).fold(Rational::ONE, |product, _| product * &x);
            prop_assert_eq!(x.pow(-n).ok(), product.recip());
            prop_assert_eq!(x.pow(n), Ok(product));
        }

        #[test]
        fn floats_are_rounded_as_the_standard_library_does(
            digits in "[0-9]{1,25}", point in "(\\.[0-9]{1,25})?", exponent in -300..300i64,
        ) {
            let text = format!("{digits}{point}e{exponent}");
            prop_assert_eq!(decimal(&text).to_f64(), text.parse::<f64>().unwrap());
            prop_assert_eq!((-decimal(&text)).to_f64(), -text.parse::<f64>().unwrap());
        }

        #[test]
        fn a_split_root_multiplies_back(x in any_positive(), k in 1..7u32) {
            if let Some((outside, inside)) = x.root_split(k) {
                prop_assert!(inside.iter().all(|&(_, e)| 0 < e && e < k));
                prop_assert!(inside.is_sorted());
                let power = |&(base, e): &(u64, u32)| Rational::from_u64(base).pow(e.into()).unwrap();
                let inside = inside.iter().map(power).fold(Rational::ONE, |x, y| x * y);
                prop_assert_eq!(outside.pow(k.into()).unwrap() * inside, x);
            } else {
                prop_assert!(x.to_small().is_none());
            }
        }

        #[test]
        fn a_perfect_power_splits_without_rest(x in any_positive(), k in 1..9u32) {
            prop_assert_eq!(x.pow(k.into()).unwrap().root_split(k), Some((x, vec![])));
        }

        #[test]
        fn factors_are_prime_and_multiply_back(x in any_positive()) {
            if let Some(factors) = x.factor_small() {
                prop_assert!(factors.iter().all(|&(base, _)| is_prime(base)));
                let power = |&(base, e): &(u64, i64)| Rational::from_u64(base).pow(e).unwrap();
                prop_assert_eq!(factors.iter().map(power).fold(Rational::ONE, |x, y| x * y), x);
            }
        }

        #[test]
        fn integer_roots_are_tight(
            words in prop::collection::vec(1..u64::MAX, 1..9), k in 2..40usize,
        ) {
            let n = words.iter().fold(UBig::ONE, |n, &word| (n << 64) + word);
            let root = floor_root(&n, k);
            prop_assert!(root.pow(k) <= n && n < (root + UBig::ONE).pow(k));
        }
    }

    #[test]
    fn the_small_form_ends_where_words_end() {
        let most = Rational::from(i64::MAX);
        let least = Rational::from(i64::MIN);
        assert_eq!((&most + &Rational::ONE).to_string(), "9223372036854775808");
        assert_eq!(-&(&most + &Rational::ONE), least);
        assert_eq!(least.abs() - Rational::ONE, most);
        assert_eq!(least.recip().unwrap().to_string(), "-1/9223372036854775808");
        assert_eq!(least.recip().unwrap().recip(), Some(least.clone()));
        assert_eq!(Rational::new(i64::MIN, i64::MIN), Some(Rational::ONE));
        assert_eq!(Rational::new(1, i64::MIN), least.recip());
        assert_eq!(Rational::from_u64(u64::MAX).to_string(), "18446744073709551615");
    }

    #[test]
    fn decimals_are_exact() {
        let cases = [
            ("12", "12"),
            ("0.8", "4/5"),
            ("007.50", "15/2"),
            ("1.5e-3", "3/2000"),
            ("2E10", "20000000000"),
            ("2e+1", "20"),
            ("0.000", "0"),
            ("0e999999999999999999999", "0"),
            ("10000000000000000000000e-22", "1"),
            ("1e0000000000000000000000000002", "100"),
            ("0.1e-20", "1/1000000000000000000000"),
        ];
        for (text, value) in cases {
            assert_eq!(decimal(text).to_string(), value, "{text}");
        }
    }

    #[test]
    fn what_is_no_decimal_is_refused() {
        let texts =
            ["", ".5", "5.", "1.e3", "e3", "1e", "1e+", "1e1.5", "-1", "+1", "1_0", "1 ", "0x1", "1.2.3", "1e2e3", "١"];
        for text in texts {
            assert_eq!(Rational::parse_decimal(text), Err(NumberError::Malformed), "{text:?}");
        }
    }

    #[test]
    fn what_would_be_too_large_is_refused_at_once() {
        let nines = "9".repeat(400_000);
        let texts = ["1e999999999999", "1e-999999999999", "1.5e400000", "1e99999999999999999999999", &nines];
        for text in texts {
            assert_eq!(Rational::parse_decimal(text), Err(NumberError::TooLarge));
        }
        // 10^315652 has 1048574 bits, and its denominator one more.
        assert_eq!(decimal("1e315652").bits(), MAX_BITS - 1);
        assert_eq!(Rational::parse_decimal("1e315653"), Err(NumberError::TooLarge));

        let limit = MAX_BITS as i64 - 2;
        assert_eq!(Rational::from(2).pow(limit).unwrap().bits(), MAX_BITS);
        assert_eq!(Rational::from(2).pow(limit + 1), Err(NumberError::TooLarge));
        assert_eq!(rational(1, 2).pow(limit + 1), Err(NumberError::TooLarge));
        assert_eq!(Rational::from(3).pow(MAX_BITS as i64 - 9), Err(NumberError::TooLarge));
        assert_eq!(rational(3, 2).pow(i64::MIN), Err(NumberError::TooLarge));
        assert_eq!(Rational::MINUS_ONE.pow(i64::MIN), Ok(Rational::ONE));
        assert_eq!(Rational::MINUS_ONE.pow(i64::MAX), Ok(Rational::MINUS_ONE));
        assert_eq!(Rational::ZERO.pow(i64::MAX), Ok(Rational::ZERO));
        assert_eq!(Rational::ZERO.pow(0), Ok(Rational::ONE));
        assert_eq!(Rational::ZERO.pow(-1), Err(NumberError::DivisionByZero));
    }

    #[test]
    fn a_tie_is_broken_by_the_last_digit() {
        // 2⁵³ + 1 lies between two floats: to the even one, unless something follows.
        assert_eq!(decimal("9007199254740993").to_f64(), 9007199254740992.0);
        let above = decimal("9007199254740993.000000000000000000000000000001");
        assert_eq!(above.to_f64(), 9007199254740994.0);
    }

    #[test]
    fn floats_end_quietly() {
        assert_eq!(decimal("1e400").to_f64(), f64::INFINITY);
        assert_eq!((-decimal("1e400")).to_f64(), f64::NEG_INFINITY);
        assert_eq!(decimal("1e-400").to_f64(), 0.0);
        assert_eq!(decimal("1e-300000").to_f64(), 0.0);
        assert_eq!(decimal("5e-324").to_f64(), f64::from_bits(1));
        let huge = decimal("1e500");
        let just_above = (&huge + &Rational::ONE).checked_div(&huge).unwrap();
        assert_eq!(just_above.to_f64(), 1.0);
    }

    #[test]
    fn signs_and_sizes_are_told() {
        for (value, sign) in [(rational(-3, 4), -1), (Rational::ZERO, 0), (decimal("1e30"), 1), (-decimal("1e30"), -1)]
        {
            assert_eq!(value.signum(), sign);
            assert_eq!((value.is_negative(), value.is_zero(), value.is_positive()), (sign < 0, sign == 0, sign > 0));
        }
        assert_eq!(rational(6, -8).to_string(), "-3/4");
        assert_eq!(Rational::from(5).bits(), 4);
        assert_eq!(Rational::ZERO.bits(), 1);
        assert_eq!(
            (rational(5, 2).to_i64(), Rational::from(5).to_i64(), decimal("1e30").to_i64()),
            (None, Some(5), None)
        );
        assert_eq!(Rational::new(1, 0), None);
        assert_eq!(Rational::from_ibig_ratio(IBig::ONE, UBig::ZERO), None);
    }

    #[test]
    fn roots_split_as_on_paper() {
        let check = |value: &str, k, outside: &str, inside: &[(u64, u32)]| {
            assert_eq!(ratio_of(value).root_split(k), Some((ratio_of(outside), inside.to_vec())), "{value}");
        };
        check("12", 2, "2", &[(3, 1)]);
        check("1/2", 2, "1/2", &[(2, 1)]);
        check("8", 3, "2", &[]);
        check("8/27", 2, "2/9", &[(2, 1), (3, 1)]);
        check("1/4", 3, "1/2", &[(2, 1)]);
        check("4", 4, "1", &[(2, 2)]);
        check("1e40", 3, "10000000000000", &[(2, 1), (5, 1)]);
        // 65537² and 65537³, beyond trial division.
        check("4295098369", 2, "65537", &[]);
        check("281487861809153", 2, "65537", &[(65537, 1)]);
        // Two primes near 2³²: one base. Times a third: no word.
        let (p, q) = (Rational::from(4294967291i64), Rational::from(4294967279i64));
        let product = &p * &q;
        assert_eq!(product.root_split(2), Some((Rational::ONE, vec![(18446743979220271189, 1)])));
        assert_eq!(product.factor_small(), None);
        assert_eq!((&product * &p).root_split(2), None);
        assert_eq!((&product * &product).root_split(2), Some((product, vec![])));
        assert_eq!(Rational::ZERO.root_split(2), None);
        assert_eq!(Rational::ONE.root_split(0), None);
    }

    fn ratio_of(text: &str) -> Rational {
        let (num, den) = text.split_once('/').unwrap_or((text, "1"));
        decimal(num).checked_div(&decimal(den)).unwrap()
    }

    #[test]
    fn factors_are_signed_by_side() {
        assert_eq!(rational(12, 35).factor_small(), Some(vec![(2, 2), (3, 1), (5, -1), (7, -1)]));
        assert_eq!(Rational::ONE.factor_small(), Some(vec![]));
        let prime = 18446744073709551557u64;
        assert_eq!(Rational::from_u64(prime).factor_small(), Some(vec![(prime, 1)]));
        assert_eq!(Rational::MINUS_ONE.factor_small(), None);
        assert_eq!(decimal("1e30").factor_small(), None);
    }
}

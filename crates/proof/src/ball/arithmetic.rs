//! Sums, products, quotients, powers and roots.

use super::*;

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
pub(super) fn product(a: &Ball, b: &Ball, precision: usize) -> Ball {
    let mantissa = &a.mid.mantissa * &b.mid.mantissa;
    let mid = Dyadic::new(mantissa, a.mid.exponent + b.mid.exponent);
    if a.is_exact() && b.is_exact() {
        return Ball::rounded(mid, Magnitude::ZERO, precision);
    }
    let radius = Magnitude::above(&a.mid).times(b.radius).plus(a.radius.times(b.above()));
    Ball::rounded(mid, radius, precision)
}

/// m = m₁/m₂; |x₁/x₂ − m₁/m₂| = |x₁m₂ − m₁x₂|/|x₂m₂| ≤ (r₁|m₂| + |m₁|r₂)/(|m₂|(|m₂| − r₂)).
pub(super) fn quotient(a: &Ball, b: &Ball, precision: usize) -> Option<Ball> {
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
pub(super) fn power(a: &Ball, n: u64, precision: usize) -> Ball {
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
    pub(super) fn raised(&self, extra: usize) -> Context {
        Context { precision: self.precision + extra, ..self.clone() }
    }

    /// A ball of another precision, at this one.
    pub(super) fn round(&self, a: Ball) -> Ball {
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
    pub(super) fn between(&self, low: Dyadic, high: Dyadic) -> Ball {
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
    pub(super) fn monotone(&self, a: &Ball, f: impl Fn(&Dyadic) -> Option<Ball>) -> Option<Ball> {
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

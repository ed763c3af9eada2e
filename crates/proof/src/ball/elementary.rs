//! Exponential, logarithm, circular and hyperbolic functions, summed in fixed point.

use super::*;

/// A fixed-point result: value·2^−bits, wrong by at most `error` units of 2^−bits.
pub(super) struct Fixed {
    pub(super) value: IBig,
    pub(super) bits: usize,
    pub(super) error: Magnitude,
}

impl Fixed {
    pub(super) fn new(value: IBig, bits: usize, error: Magnitude) -> Fixed {
        Fixed { value, bits, error }
    }

    fn relative_bits(&self) -> i64 {
        self.value.bit_len() as i64 - self.error.top()
    }
}

pub(super) fn ulps(n: usize) -> Magnitude {
    Magnitude::new(n as u128, 0)
}

impl Context {
    /// The result of `f(w)`, good to about 2^−w, where w gives `precision` relative bits or an
    /// error below `slack`; a value near zero is computed again with more.
    pub(super) fn settle(&self, slack: Magnitude, extra: usize, f: impl Fn(usize) -> Fixed) -> Ball {
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
    pub(super) fn pi_fixed(&self, bits: usize) -> IBig {
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
    pub(super) fn log_at(&self, x: &Dyadic) -> Ball {
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
    pub(super) fn log_fixed(&self, y: &Dyadic, k: i64, w: usize) -> Fixed {
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
    pub(super) fn sine_fixed(&self, x: &Dyadic, quarter: usize, w: usize) -> Fixed {
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
    pub(super) fn is_negligible(&self, x: &Dyadic) -> bool {
        x.top() < -(self.precision as i64 / 2) - 4
    }

    /// sin x or atan x for a negligible midpoint: x within |x|³, and no steeper than 1.
    pub(super) fn nearly_itself(&self, a: &Ball) -> Ball {
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
pub(super) fn odd_series(z: &IBig, bits: usize, alternate: bool) -> (IBig, usize) {
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

//! A ball as decimals: only digits that are certain.

use super::*;

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

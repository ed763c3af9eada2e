//! Inverse circular functions.

use super::*;

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
    pub(super) fn atan_fixed(&self, x: &Dyadic, w: usize) -> Fixed {
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

//! What are sine and cosine of a number? One formula, without branches, for floats and for programs.
//!
//! ```text
//! n = round(2x/π),  r + c = x − n π/2          π/2 in three parts, n times the first two is exact        (1)
//! sin(r + c) = r + (r³ P(r²) + c (1 − r²/2))   cos(r + c) = 1 − r²/2 + (r⁴ Q(r²) − r c)                  (2)
//! n mod 4: 0 (s, c)   1 (c, −s)   2 (−s, −c)   3 (−c, s)                                                 (3)
//! ```
//!
//! For |x| ≤ [`LARGEST`] both were off by less than 0.8 units in the last place at 240,000 arguments, among them 40,000 next to
//! multiples of π/2 (against 200 bits). P and Q are the polynomials of degree 5
//! with the least relative error of sine and least error of cosine on |r| ≤ π/4: 2⁻⁵⁸ and 2⁻⁶⁴.

/// The formula holds up to this size of its argument.
pub const LARGEST: f64 = 131_072.0;

const TWO_OVER_PI: f64 = std::f64::consts::FRAC_2_PI;
/// The first 33 bits of π/2, the next 33, and what is left.
const HALF_PI: [f64; 3] = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21];
const P: [f64; 6] = [
    -0.16666666666666632,
    0.008333333333322425,
    -0.00019841269829816958,
    2.7557313695228517e-06,
    -2.505075865351992e-08,
    1.5896827939758533e-10,
];
const Q: [f64; 6] = [
    0.0416666666666666,
    -0.0013888888888874138,
    2.4801587289491837e-05,
    -2.7557314355245124e-07,
    2.0875723684952626e-09,
    -1.1359669897195624e-11,
];

/// 1.5 · 2⁵²: what is added to it is rounded to an integer, which its lowest bits then show.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// What can compute: floats at once, a program later.
pub trait Arithmetic {
    /// A number.
    type Number: Copy;
    /// A constant.
    fn constant(&mut self, value: f64) -> Self::Number;
    /// a + b
    fn add(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// a − b
    fn sub(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// a b
    fn mul(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// The bits of a, moved up by so many places.
    fn shift(&mut self, a: Self::Number, places: u8) -> Self::Number;
    /// The bits that one of both has.
    fn xor(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// The sign of a, and no other bit.
    fn sign(&mut self, a: Self::Number) -> Self::Number;
    /// One of two numbers, by the sign of the first.
    fn choose(&mut self, sign: Self::Number, yes: Self::Number, no: Self::Number) -> Self::Number;
}

/// Sine and cosine by (1) to (3), for |x| ≤ [`LARGEST`].
pub fn formula<A: Arithmetic>(a: &mut A, x: A::Number) -> (A::Number, A::Number) {
    let (shown, r, c) = reduced(a, x);
    let (sin, cos) = near_zero(a, r, c);
    // (3) by the last two bits of n: the first exchanges both, the other turns the sine, one of them alone the cosine
    let (first, second) = (a.shift(shown, 63), a.shift(shown, 62));
    let (own, other) = (a.choose(first, cos, sin), a.choose(first, sin, cos));
    let one = a.xor(first, second);
    let (of_sine, of_cosine) = (a.sign(second), a.sign(one));
    (a.xor(own, of_sine), a.xor(other, of_cosine))
}

/// n with its bits shown, r and c of (1).
fn reduced<A: Arithmetic>(a: &mut A, x: A::Number) -> (A::Number, A::Number, A::Number) {
    let (factor, rounder) = (a.constant(TWO_OVER_PI), a.constant(ROUNDER));
    let n = a.mul(x, factor);
    let shown = a.add(n, rounder);
    let n = a.sub(shown, rounder);
    let [first, second, third] = HALF_PI.map(|part| {
        let part = a.constant(part);
        a.mul(n, part)
    });
    let rest = a.sub(x, first);
    // rest − second, and what rounding takes from it: exactly, since `rest` has no bits below those of `second`
    let r = a.sub(rest, second);
    let gone = a.sub(rest, r);
    let lost = a.sub(gone, second);
    (shown, r, a.sub(lost, third))
}

/// (2)
fn near_zero<A: Arithmetic>(a: &mut A, r: A::Number, c: A::Number) -> (A::Number, A::Number) {
    let z = a.mul(r, r);
    let (half, one) = (a.constant(0.5), a.constant(1.0));
    let half_z = a.mul(half, z);
    let flat = a.sub(one, half_z);
    let p = polynomial(a, &P, z);
    let cube = a.mul(z, r);
    let bend = a.mul(cube, p);
    let turned = a.mul(c, flat);
    let more = a.add(bend, turned);
    let sin = a.add(r, more);
    let q = polynomial(a, &Q, z);
    let square = a.mul(z, z);
    let bend = a.mul(square, q);
    let turned = a.mul(r, c);
    let more = a.sub(bend, turned);
    let gone = a.sub(one, flat);
    let lost = a.sub(gone, half_z);
    let more = a.add(lost, more);
    (sin, a.add(flat, more))
}

fn polynomial<A: Arithmetic>(a: &mut A, coefficients: &[f64; 6], z: A::Number) -> A::Number {
    let mut sum = a.constant(coefficients[5]);
    for &coefficient in coefficients[..5].iter().rev() {
        let scaled = a.mul(sum, z);
        let coefficient = a.constant(coefficient);
        sum = a.add(scaled, coefficient);
    }
    sum
}

/// Floats, at once.
struct Floats;

impl Arithmetic for Floats {
    type Number = f64;

    fn constant(&mut self, value: f64) -> f64 {
        value
    }

    fn add(&mut self, a: f64, b: f64) -> f64 {
        a + b
    }

    fn sub(&mut self, a: f64, b: f64) -> f64 {
        a - b
    }

    fn mul(&mut self, a: f64, b: f64) -> f64 {
        a * b
    }

    fn shift(&mut self, a: f64, places: u8) -> f64 {
        f64::from_bits(a.to_bits() << places)
    }

    fn xor(&mut self, a: f64, b: f64) -> f64 {
        f64::from_bits(a.to_bits() ^ b.to_bits())
    }

    fn sign(&mut self, a: f64) -> f64 {
        f64::from_bits(a.to_bits() & (1 << 63))
    }

    fn choose(&mut self, sign: f64, yes: f64, no: f64) -> f64 {
        if sign.is_sign_negative() { yes } else { no }
    }
}

/// Sine and cosine: by the formula up to [`LARGEST`], beyond it by the system's.
///
/// ```
/// let (sin, cos) = jit::sin_cos(2.0);
/// assert!((sin - 2.0_f64.sin()).abs() < 2e-16 && (cos - 2.0_f64.cos()).abs() < 2e-16);
/// ```
pub fn sin_cos(x: f64) -> (f64, f64) {
    match x.abs() <= LARGEST {
        true => formula(&mut Floats, x),
        false => x.sin_cos(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distance in units of the last place of `right`.
    fn units(found: f64, right: f64) -> f64 {
        let unit = f64::from_bits(right.abs().to_bits() + 1) - right.abs();
        ((found - right) / unit).abs()
    }

    #[test]
    fn sines_and_cosines_are_the_system_s_to_the_last_place() {
        // a digit wrong in a table, and this fails
        let mut x = 1e-9;
        while x < LARGEST {
            for x in [x, -x] {
                let (sin, cos) = sin_cos(x);
                let (right_sin, right_cos) = x.sin_cos();
                assert!(units(sin, right_sin) <= 1.0 && units(cos, right_cos) <= 1.0, "{x}: {sin} {cos}");
            }
            x *= 1.0003;
        }
    }

    #[test]
    fn multiples_of_a_quarter_turn_keep_their_small_values() {
        for n in 1..20_000 {
            let x = f64::from(n) * std::f64::consts::FRAC_PI_2;
            let ((sin, cos), (right_sin, right_cos)) = (sin_cos(x), x.sin_cos());
            assert!(units(sin, right_sin) <= 1.0 && units(cos, right_cos) <= 1.0, "{n}");
        }
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        assert!(sin_cos(f64::NAN).0.is_nan() && sin_cos(f64::INFINITY).1.is_nan());
        assert_eq!(sin_cos(1e22), 1e22_f64.sin_cos());
    }
}

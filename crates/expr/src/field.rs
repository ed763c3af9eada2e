//! Where can an identity between rational and trigonometric expressions be tested exactly?
//!
//! In a [`Field`] of p elements, p a prime drawn at run time from (2⁶², 2⁶³) with
//!
//! ```text
//! p ≡ 1 (mod order)        ζₙ = g^((p−1)/n)        i = ζ₄        for n dividing order   (1)
//! cos(π/n) = (ζ₂ₙ + 1/ζ₂ₙ)/2                                                           (2)
//! √q = Σ ζ_q^(k²) over k mod q, divided by i if q ≡ 3 (mod 4);  √2 = ζ₈ + 1/ζ₈         (3)
//! ```
//!
//! All roots of unity (1) are powers of one, and the square roots (3) of the primes dividing the
//! order are Gauss sums of them, so every identity between cosines (2) and square roots that
//! holds in the complex numbers holds here. The prime is drawn, never fixed: an integer that
//! it divides would pass for zero.
//!
//! Elements are in Montgomery form, a·2⁶⁴ mod p. Source: P. L. Montgomery, Math. Comp. 44
//! (1985) 519–521.

use crate::number::{Rational, gcd};

// ---------------------------------------------------------------------------------------------
// Pseudo-random words

/// A deterministic generator of 64-bit words (SplitMix64).
///
/// Source: Steele, Lea and Flood, OOPSLA 2014, 453–472.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

/// 2⁶⁴ over the golden ratio, made odd.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// The generator that `seed` determines.
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// The next word.
    #[expect(clippy::should_implement_trait, reason = "it never ends, so it has no `None`")]
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        scramble(self.state)
    }

    /// A number below `n`, each with the same probability; `n` must not be zero.
    pub fn below(&mut self, n: u64) -> u64 {
        // The words above the last multiple of n would favour the small remainders.
        let excess = (u64::MAX % n + 1) % n;
        loop {
            let word = self.next();
            if word <= u64::MAX - excess {
                return word % n;
            }
        }
    }
}

/// A word that depends on every bit of both; for fixed `a` no two `b` give the same.
#[inline]
pub fn mix(a: u64, b: u64) -> u64 {
    scramble(scramble(a.wrapping_add(GOLDEN)).wrapping_add(b))
}

/// A permutation of the words without visible pattern.
#[inline]
fn scramble(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

// ---------------------------------------------------------------------------------------------
// Montgomery multiplication

/// Multiplication modulo an odd number, of words that stand for a·2⁶⁴.
#[derive(Clone, Copy, Debug)]
struct Montgomery {
    modulus: u64,
    /// 1/modulus mod 2⁶⁴.
    inverse: u64,
    /// 2⁶⁴ mod the modulus, which stands for 1.
    one: u64,
}

impl Montgomery {
    fn new(modulus: u64) -> Montgomery {
        debug_assert!(modulus % 2 == 1);
        // Right to 3 bits; each of Newton's steps doubles that.
        let mut inverse = modulus;
        for _ in 0..5 {
            let error = modulus.wrapping_mul(inverse);
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(error));
        }
        Montgomery { modulus, inverse, one: (u64::MAX % modulus + 1) % modulus }
    }

    /// a·b/2⁶⁴, reduced; one factor may be any word if the other is reduced.
    #[inline(always)]
    fn mul(self, a: u64, b: u64) -> u64 {
        let product = u128::from(a) * u128::from(b);
        let multiple = (product as u64).wrapping_mul(self.inverse);
        let subtrahend = (u128::from(multiple) * u128::from(self.modulus)) >> 64;
        let (difference, below) = ((product >> 64) as u64).overflowing_sub(subtrahend as u64);
        if below { difference.wrapping_add(self.modulus) } else { difference }
    }

    /// Squaring and multiplying from the low end: the two chains overlap in the processor.
    #[inline]
    fn pow(self, mut base: u64, mut exponent: u64) -> u64 {
        let mut power = self.one;
        while exponent != 0 {
            if exponent & 1 == 1 {
                power = self.mul(power, base);
            }
            base = self.mul(base, base);
            exponent >>= 1;
        }
        power
    }

    /// 2¹²⁸ mod the modulus: multiplying by it brings a number into the form.
    fn square_of_radix(self) -> u64 {
        let one = u128::from(self.one);
        (one * one % u128::from(self.modulus)) as u64
    }
}

/// Is `n` prime? Certain, by Miller's test with J. Sinclair's seven bases for 64 bits.
pub fn is_prime(n: u64) -> bool {
    const SMALL: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if SMALL.contains(&n) {
        return true;
    }
    if n < 2 || SMALL.iter().any(|&prime| n.is_multiple_of(prime)) {
        return false;
    }
    let ring = Montgomery::new(n);
    let radix = ring.square_of_radix();
    [2, 325, 9375, 28178, 450_775, 9_780_504, 1_795_265_022]
        .iter()
        .all(|base| base % n == 0 || is_probable_prime(ring, ring.mul(base % n, radix)))
}

/// Miller's test: base^(n−1) = 1, reached by squaring from 1 or from −1.
fn is_probable_prime(ring: Montgomery, base: u64) -> bool {
    let minus_one = ring.modulus - ring.one;
    let twos = (ring.modulus - 1).trailing_zeros();
    let mut power = ring.pow(base, (ring.modulus - 1) >> twos);
    if power == ring.one {
        return true;
    }
    for _ in 0..twos {
        if power == minus_one {
            return true;
        }
        power = ring.mul(power, power);
    }
    false
}

// ---------------------------------------------------------------------------------------------
// The field

/// An element of a [`Field`]; it means something only together with that field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Element(u64);

impl Element {
    /// 0, in every field.
    pub const ZERO: Element = Element(0);

    /// The word that stores it: different for different elements, but not its residue.
    #[inline]
    pub fn bits(self) -> u64 {
        self.0
    }
}

/// The integers modulo a prime p between 2⁶² and 2⁶³ with p ≡ 1 modulo `order`.
#[derive(Clone, Debug)]
pub struct Field {
    ring: Montgomery,
    /// 2¹²⁸ mod p.
    radix: u64,
    one: Element,
    order: u64,
    /// No q-th power for any prime q dividing the order: the g of (1).
    generator: Element,
    /// p − 1 = 2^twos · odd.
    twos: u32,
    odd: u64,
    /// g^odd, a primitive root of unity of order 2^twos.
    root_of_twos: Element,
    i: Element,
    half: Element,
    half_over_i: Element,
}

/// The orders above this would leave few primes to draw from.
const MAX_ORDER: u64 = 1 << 48;

/// Gauss sums and discrete logarithms take this many steps at most.
const MAX_PRIME: u64 = 1 << 16;

impl Field {
    /// The field of `p` elements, with the `order`-th roots of unity.
    ///
    /// `None` unless p is a prime between 2⁶² and 2⁶³ with p ≡ 1 modulo `order`, and `order` is
    /// a multiple of 4, at most 2⁴⁸, without prime factors above 2¹⁶.
    pub fn with_prime(p: u64, order: u64) -> Option<Field> {
        let divisors = prime_divisors_of_order(order)?;
        let in_range = 1 << 62 < p && p < 1 << 63;
        if !in_range || !(p - 1).is_multiple_of(order) || !is_prime(p) {
            return None;
        }
        Some(Field::build(p, order, &divisors))
    }

    /// The field of a prime drawn with equal chances from those that [`Field::with_prime`] takes.
    ///
    /// Panics if the order is none that it takes.
    pub fn draw(order: u64, random: &mut Random) -> Field {
        let divisors = prime_divisors_of_order(order);
        let divisors = divisors.expect("an order is a smooth multiple of 4, at most 2^48");
        let least = (1 << 62) / order + 1;
        let most = ((1 << 63) - 2) / order;
        loop {
            let p = (least + random.below(most - least + 1)) * order + 1;
            if is_prime(p) {
                return Field::build(p, order, &divisors);
            }
        }
    }

    fn build(p: u64, order: u64, divisors: &[u64]) -> Field {
        let ring = Montgomery::new(p);
        let twos = (p - 1).trailing_zeros();
        let mut field = Field {
            ring,
            radix: ring.square_of_radix(),
            one: Element(ring.one),
            order,
            generator: Element::ZERO,
            twos,
            odd: (p - 1) >> twos,
            root_of_twos: Element::ZERO,
            i: Element::ZERO,
            half: Element::ZERO,
            half_over_i: Element::ZERO,
        };
        field.generator = field.least_non_power(divisors);
        field.root_of_twos = field.pow(field.generator, field.odd);
        field.i = field.pow(field.generator, (p - 1) / 4);
        field.half = field.from_u64(p.div_ceil(2));
        // 1/i = −i.
        field.half_over_i = field.neg(field.mul(field.half, field.i));
        field
    }

    /// The least residue that is no q-th power for any q among the prime divisors of p − 1.
    fn least_non_power(&self, divisors: &[u64]) -> Element {
        let is_power = |a, q| self.pow(a, (self.prime() - 1) / q) == self.one;
        let mut candidates = (2..).map(|n| self.from_u64(n));
        let found = candidates.find(|&a| !divisors.iter().any(|&q| is_power(a, q)));
        found.expect("a generator of the multiplicative group is one")
    }

    /// The prime p.
    pub fn prime(&self) -> u64 {
        self.ring.modulus
    }

    /// The number whose divisors n have roots of unity ζₙ.
    pub fn order(&self) -> u64 {
        self.order
    }

    /// 1.
    #[inline]
    pub fn one(&self) -> Element {
        self.one
    }

    /// ζ₄, a square root of −1.
    #[inline]
    pub fn i(&self) -> Element {
        self.i
    }

    /// 1/2.
    #[inline]
    pub fn half(&self) -> Element {
        self.half
    }

    /// 1/(2i).
    #[inline]
    pub fn half_over_i(&self) -> Element {
        self.half_over_i
    }
}

/// The primes dividing an order, or `None` if it is none that a field can have.
fn prime_divisors_of_order(order: u64) -> Option<Vec<u64>> {
    if order == 0 || !order.is_multiple_of(4) || order > MAX_ORDER {
        return None;
    }
    let mut rest = order;
    let mut divisors = Vec::new();
    for prime in 2..MAX_PRIME {
        if rest == 1 {
            break;
        }
        if rest.is_multiple_of(prime) {
            divisors.push(prime);
            rest = without_factor(rest, prime);
        }
    }
    (rest == 1).then_some(divisors)
}

fn without_factor(mut n: u64, factor: u64) -> u64 {
    while n.is_multiple_of(factor) {
        n /= factor;
    }
    n
}

// ---------------------------------------------------------------------------------------------
// Into the field and out of it

impl Field {
    /// The residue of `n`.
    #[inline]
    pub fn from_u64(&self, n: u64) -> Element {
        Element(self.ring.mul(n, self.radix))
    }

    /// The residue of `n`.
    #[inline]
    pub fn from_i64(&self, n: i64) -> Element {
        let size = self.from_u64(n.unsigned_abs());
        if n < 0 { self.neg(size) } else { size }
    }

    /// The residue of `r`; `None` if p divides its denominator.
    pub fn from_rational(&self, r: &Rational) -> Option<Element> {
        if let Some(n) = r.to_i64() {
            return Some(self.from_i64(n));
        }
        let (num, den) = r.residues(self.prime());
        self.div(self.from_u64(num), self.from_u64(den))
    }

    /// The residue in `0..p`.
    #[inline]
    pub fn to_u64(&self, a: Element) -> u64 {
        self.ring.mul(a.0, 1)
    }

    /// A nonzero element, each with the same probability.
    pub fn random(&self, random: &mut Random) -> Element {
        self.first_nonzero(std::iter::repeat_with(|| random.next()))
    }

    /// A nonzero element without visible relation to the word that determines it.
    pub fn hashed(&self, word: u64) -> Element {
        self.first_nonzero((0..).map(|attempt| mix(word, self.prime().wrapping_add(attempt))))
    }

    /// The first word whose upper 63 bits are a nonzero element.
    fn first_nonzero(&self, words: impl Iterator<Item = u64>) -> Element {
        let mut words = words.map(|word| word >> 1);
        let found = words.find(|&word| 0 < word && word < self.prime());
        Element(found.expect("the words do not end"))
    }

    /// The only fraction `num/den ≡ a` in lowest terms with |num|, den ≤ `bound`, if there is
    /// one; a bound above 2³⁰, where there could be two, counts as 2³⁰.
    ///
    /// Euclid's algorithm keeps `remainder ≡ cofactor·a`. Source: P. S. Wang, SYMSAC 1981, 212–217.
    pub fn reconstruct(&self, a: Element, bound: u64) -> Option<(i64, u64)> {
        let bound = bound.min(1 << 30) as i64;
        // p < 2⁶³, and a cofactor times the remainder before it is at most p: all fit a word.
        let mut remainder = (self.prime() as i64, self.to_u64(a) as i64);
        let mut cofactor = (0, 1);
        while remainder.1 > bound {
            let quotient = remainder.0 / remainder.1;
            remainder = (remainder.1, remainder.0 - quotient * remainder.1);
            cofactor = (cofactor.1, cofactor.0 - quotient * cofactor.1);
            if cofactor.1.abs() > bound {
                return None; // cofactors grow
            }
        }
        let (num, den) = (remainder.1 * cofactor.1.signum(), cofactor.1.abs());
        let coprime = gcd(num.unsigned_abs(), den as u64) == 1;
        (den <= bound && coprime).then_some((num, den as u64))
    }
}

// ---------------------------------------------------------------------------------------------
// Arithmetic

impl Field {
    /// a + b.
    #[inline(always)]
    pub fn add(&self, a: Element, b: Element) -> Element {
        // p < 2⁶³, so the sum is a word; if it is below p, subtracting p makes it huge.
        let sum = a.0 + b.0;
        Element(sum.min(sum.wrapping_sub(self.ring.modulus)))
    }

    /// a − b.
    #[inline(always)]
    pub fn sub(&self, a: Element, b: Element) -> Element {
        let difference = a.0.wrapping_sub(b.0);
        Element(difference.min(difference.wrapping_add(self.ring.modulus)))
    }

    /// −a.
    #[inline(always)]
    pub fn neg(&self, a: Element) -> Element {
        self.sub(Element::ZERO, a)
    }

    /// a·b.
    #[inline(always)]
    pub fn mul(&self, a: Element, b: Element) -> Element {
        Element(self.ring.mul(a.0, b.0))
    }

    /// a².
    #[inline(always)]
    pub fn square(&self, a: Element) -> Element {
        self.mul(a, a)
    }

    /// aⁿ, with 0⁰ = 1.
    #[inline]
    pub fn pow(&self, a: Element, n: u64) -> Element {
        Element(self.ring.pow(a.0, n))
    }

    /// aⁿ, with 0⁰ = 1; `None` for a negative power of 0.
    pub fn pow_signed(&self, a: Element, n: i64) -> Option<Element> {
        let base = if n < 0 { self.inv(a)? } else { a };
        Some(self.pow(base, n.unsigned_abs()))
    }

    /// 1/a; `None` for 0.
    pub fn inv(&self, a: Element) -> Option<Element> {
        (a != Element::ZERO).then(|| self.pow(a, self.prime() - 2))
    }

    /// a/b; `None` if b is 0.
    pub fn div(&self, a: Element, b: Element) -> Option<Element> {
        Some(self.mul(a, self.inv(b)?))
    }

    /// Inverts all elements at the cost of one inversion and three products each; if one of
    /// them is 0, returns false and leaves them as they are.
    pub fn batch_invert(&self, elements: &mut [Element]) -> bool {
        let mut product = self.one;
        let mut before = Vec::with_capacity(elements.len());
        for &element in &*elements {
            before.push(product);
            product = self.mul(product, element);
        }
        let Some(mut inverse) = self.inv(product) else {
            return false;
        };
        for (element, before) in elements.iter_mut().zip(before).rev() {
            let next = self.mul(inverse, *element);
            *element = self.mul(inverse, before);
            inverse = next;
        }
        true
    }
}

// ---------------------------------------------------------------------------------------------
// Roots

impl Field {
    /// The primitive n-th root of unity ζₙ of (1); `None` unless n divides the order.
    pub fn root_of_unity(&self, n: u64) -> Option<Element> {
        if n == 0 || !self.order.is_multiple_of(n) {
            return None;
        }
        Some(self.pow(self.generator, (self.prime() - 1) / n))
    }

    /// Is `a` a square? Zero is.
    pub fn is_square(&self, a: Element) -> bool {
        a == Element::ZERO || self.pow(a, (self.prime() - 1) / 2) == self.one
    }

    /// One of the two square roots, always the same one; `None` if `a` is no square.
    ///
    /// Source: A. Tonelli, Nachr. Ges. Wiss. Göttingen 1891, 344–346.
    pub fn sqrt(&self, a: Element) -> Option<Element> {
        let power = self.pow(a, (self.odd - 1) / 2);
        let mut root = self.mul(a, power);
        // root² = a·error throughout; the order of `error` shrinks until it is 1.
        let mut error = self.mul(root, power);
        let (mut unity, mut unity_twos) = (self.root_of_twos, self.twos);
        while error != self.one && error != Element::ZERO {
            let error_twos = self.twos_in_order(error);
            if error_twos >= unity_twos {
                return None;
            }
            let factor = self.pow(unity, 1 << (unity_twos - error_twos - 1));
            root = self.mul(root, factor);
            (unity, unity_twos) = (self.square(factor), error_twos);
            error = self.mul(error, unity);
        }
        Some(root)
    }

    /// The k for which 2^k is the order of `a`, a power of [`Field::root_of_twos`].
    fn twos_in_order(&self, a: Element) -> u32 {
        let mut twos = 0;
        let mut power = a;
        while power != self.one {
            power = self.square(power);
            twos += 1;
        }
        twos
    }

    /// One of the n-th roots, always the same one; `None` if `a` has none.
    ///
    /// Also `None` if n is 0 or has a prime factor above 2¹⁶ in common with p − 1.
    pub fn nth_root(&self, a: Element, n: u64) -> Option<Element> {
        if n == 0 || a == Element::ZERO {
            return (n != 0).then_some(a);
        }
        // Root after root: those of coprime degrees exist independently of each other.
        let (mut root, mut rest) = (a, n);
        let mut primes = 2..MAX_PRIME;
        while gcd(rest, self.prime() - 1) != 1 {
            let prime = primes.find(|&prime| gcd(rest, self.prime() - 1).is_multiple_of(prime))?;
            let coprime = without_factor(rest, prime);
            root = self.prime_power_root(root, prime, rest / coprime)?;
            rest = coprime;
        }
        Some(self.pow(root, inverse_modulo(rest, self.prime() - 1)?))
    }

    /// A root of degree n, a power of a prime that divides p − 1.
    ///
    /// With p − 1 = primeˢ·t, a root is right up to a factor from the subgroup of order primeˢ,
    /// where a logarithm tells the factor's own root. Source: L. Adleman, K. Manders and
    /// G. Miller, FOCS 1977, 175–178.
    fn prime_power_root(&self, a: Element, prime: u64, n: u64) -> Option<Element> {
        let t = without_factor(self.prime() - 1, prime);
        let unity = self.pow(self.non_power(prime), t);
        let root = self.pow(a, inverse_modulo(n, t)?);
        let error = self.div(self.pow(root, n), a)?;
        let logarithm = self.logarithm(error, unity, prime, (self.prime() - 1) / t);
        if !logarithm.is_multiple_of(n) {
            return None;
        }
        self.div(root, self.pow(unity, logarithm / n))
    }

    /// An element that is no power of degree `prime`.
    fn non_power(&self, prime: u64) -> Element {
        if self.order.is_multiple_of(prime) {
            return self.generator;
        }
        self.least_non_power(&[prime])
    }

    /// The exponent below `size`, a power of the prime and the order of `unity`, for which
    /// unity^exponent = a; digit by digit to the base `prime`.
    fn logarithm(&self, a: Element, unity: Element, prime: u64, size: u64) -> u64 {
        let digit_unity = self.pow(unity, size / prime);
        let (mut logarithm, mut place) = (0, 1);
        while place < size {
            let known = self.pow(unity, size - logarithm);
            let digit_power = self.pow(self.mul(a, known), size / prime / place);
            let mut power = self.one;
            while power != digit_power {
                power = self.mul(power, digit_unity);
                logarithm += place;
            }
            place *= prime;
        }
        logarithm
    }

    /// √q in the sense of (3), for q a prime or a product of known primes.
    ///
    /// A prime that does not divide the order (8 for q = 2) is related to no root of unity
    /// here, so either of its roots will do: the one with the smaller residue. So it is for a q
    /// that [`Rational::factor_small`] cannot factor. `None` if a root is missing.
    pub fn sqrt_of_integer(&self, q: u64) -> Option<Element> {
        let Some(factors) = Rational::from_u64(q).factor_small() else {
            return self.least_sqrt(q);
        };
        factors.into_iter().try_fold(self.one, |product, (prime, exponent)| {
            let exponent = exponent.unsigned_abs();
            let whole = self.pow(self.from_u64(prime), exponent / 2);
            let root = if exponent % 2 == 1 { self.sqrt_of_prime(prime)? } else { self.one };
            Some(self.mul(product, self.mul(whole, root)))
        })
    }

    fn sqrt_of_prime(&self, q: u64) -> Option<Element> {
        let needed = if q == 2 { 8 } else { q };
        match self.root_of_unity(needed) {
            Some(zeta) if q == 2 => Some(self.add(zeta, self.pow(zeta, 7))),
            Some(zeta) => Some(self.gauss_sqrt(q, zeta)),
            None => self.least_sqrt(q),
        }
    }

    /// The Gauss sum (3) of an odd prime q.
    fn gauss_sqrt(&self, q: u64, zeta: Element) -> Element {
        // ζ^(k²) by way of (k + 1)² = k² + (2k + 1).
        let (mut power, mut step) = (self.one, zeta);
        let zeta_squared = self.square(zeta);
        let mut sum = Element::ZERO;
        for _ in 0..q {
            sum = self.add(sum, power);
            power = self.mul(power, step);
            step = self.mul(step, zeta_squared);
        }
        let over_i = self.neg(self.mul(sum, self.i));
        if q % 4 == 3 { over_i } else { sum }
    }

    fn least_sqrt(&self, q: u64) -> Option<Element> {
        let root = self.sqrt(self.from_u64(q))?;
        let other = self.neg(root);
        Some(if self.to_u64(root) < self.to_u64(other) { root } else { other })
    }
}

/// The inverse of `a` modulo `modulus`; `None` if they have a common factor.
fn inverse_modulo(a: u64, modulus: u64) -> Option<u64> {
    let wide_modulus = i128::from(modulus);
    let mut remainder = (wide_modulus, i128::from(a % modulus));
    let mut cofactor = (0, 1);
    while remainder.1 != 0 {
        let quotient = remainder.0 / remainder.1;
        remainder = (remainder.1, remainder.0 - quotient * remainder.1);
        cofactor = (cofactor.1, cofactor.0 - quotient * cofactor.1);
    }
    (remainder.0 == 1).then(|| cofactor.0.rem_euclid(wide_modulus) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// lcm(1, …, 24).
    const ORDER: u64 = 5_354_228_880;

    fn field() -> Field {
        Field::draw(ORDER, &mut Random::new(1))
    }

    /// A field that says less about itself: p − 1 has far more twos, threes, fives and 23s
    /// than its order, and no 7 in it that the order knows of.
    fn field_of_hidden_powers() -> Field {
        let hidden = Field::draw((1 << 11) * 3u64.pow(4) * 25 * 7 * 23 * 23, &mut Random::new(2));
        Field::with_prime(hidden.prime(), 12).unwrap()
    }

    fn fields() -> impl Strategy<Value = Field> {
        let seeded = any::<u64>().prop_map(|seed| Field::draw(ORDER, &mut Random::new(seed)));
        prop_oneof![4 => seeded, 1 => Just(field_of_hidden_powers())]
    }

    /// sin(kπ/n) as (ζ^k − ζ^−k)/(2i) with ζ = ζ₂ₙ, and cos(kπ/n) by (2).
    fn sine_and_cosine(field: &Field, k: i64, n: u64) -> (Element, Element) {
        let zeta = field.root_of_unity(2 * n).unwrap();
        let z = field.pow_signed(zeta, k).unwrap();
        let w = field.pow_signed(zeta, -k).unwrap();
        let sine = field.mul(field.sub(z, w), field.half_over_i());
        (sine, field.mul(field.add(z, w), field.half()))
    }

    proptest! {
        #[test]
        fn montgomery_agrees_with_wide_arithmetic(field in fields(), a: u64, b: u64, n in 0..99u64) {
            let p = u128::from(field.prime());
            let (wide_a, wide_b) = (u128::from(a) % p, u128::from(b) % p);
            let (x, y) = (field.from_u64(a), field.from_u64(b));
            let value = |element: Element| {
                assert!(element.bits() < field.prime(), "equal elements must be equal words");
                u128::from(field.to_u64(element))
            };
            prop_assert_eq!(value(x), wide_a);
            prop_assert_eq!(value(field.add(x, y)), (wide_a + wide_b) % p);
            prop_assert_eq!(value(field.sub(x, y)), (wide_a + p - wide_b) % p);
            prop_assert_eq!(value(field.neg(x)), (p - wide_a) % p);
            prop_assert_eq!(value(field.mul(x, y)), wide_a * wide_b % p);
            prop_assert_eq!(value(field.square(x)), wide_a * wide_a % p);
            let power = (0..n).fold(1, |power, _| power * wide_a % p);
            prop_assert_eq!(value(field.pow(x, n)), power);
            let signed = i128::from(a as i64).rem_euclid(p as i128);
            prop_assert_eq!(value(field.from_i64(a as i64)), signed as u128);
        }

        #[test]
        fn inverses_invert(field in fields(), seed: u64, n in 0..9usize) {
            let mut random = Random::new(seed);
            let elements: Vec<_> = (0..n).map(|_| field.random(&mut random)).collect();
            let mut inverses = elements.clone();
            prop_assert!(field.batch_invert(&mut inverses));
            for (&a, &b) in elements.iter().zip(&inverses) {
                prop_assert_eq!(field.mul(a, b), field.one());
                prop_assert_eq!(field.inv(a), Some(b));
                prop_assert_eq!(field.pow_signed(a, -3), Some(field.pow(b, 3)));
                prop_assert_eq!(field.div(b, a), Some(field.square(b)));
            }
            inverses.push(Element::ZERO);
            let before = inverses.clone();
            prop_assert!(!field.batch_invert(&mut inverses));
            prop_assert_eq!(inverses, before);
        }

        #[test]
        fn rationals_map_homomorphically(field in fields(), a: i64, b in 1..i64::MAX, c: i64) {
            let (x, y) = (Rational::new(a, b).unwrap(), Rational::new(c, b - 1).unwrap_or(Rational::ONE));
            let image = |r: &Rational| field.from_rational(r).unwrap();
            prop_assert_eq!(image(&(&x + &y)), field.add(image(&x), image(&y)));
            prop_assert_eq!(image(&(&x * &y)), field.mul(image(&x), image(&y)));
            prop_assert_eq!(field.mul(image(&x), field.from_i64(b)), field.from_i64(a));
        }

        #[test]
        fn square_roots_square_back(field in fields(), word: u64) {
            let a = field.hashed(word);
            let root = field.sqrt(field.square(a)).unwrap();
            prop_assert!(root == a || root == field.neg(a));
            prop_assert!(field.is_square(field.square(a)));
            let other = field.mul(field.square(a), field.generator);
            prop_assert!(!field.is_square(other));
            prop_assert_eq!(field.sqrt(other), None);
        }

        #[test]
        fn roots_raise_back(field in fields(), word: u64) {
            let a = field.hashed(word);
            for n in [1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 23, 25, 27, 29, 31, 32, 81, 128, 1 << 20, 23 * 24] {
                let power = field.pow(a, n);
                let root = field.nth_root(power, n).unwrap();
                prop_assert_eq!(field.pow(root, n), power, "{}", n);
                // Euler's criterion, for the element itself.
                let group = field.prime() - 1;
                let has_root = field.pow(a, group / gcd(group, n)) == field.one();
                prop_assert_eq!(field.nth_root(a, n).is_some(), has_root, "{}", n);
            }
        }

        #[test]
        fn fractions_are_reconstructed(field in fields(), num in -(1 << 30)..=1i64 << 30, den in 1..=1i64 << 30) {
            let fraction = Rational::new(num, den).unwrap();
            let (num, den) = fraction.to_small().unwrap();
            let a = field.from_rational(&fraction).unwrap();
            let bound = num.unsigned_abs().max(den as u64);
            prop_assert_eq!(field.reconstruct(a, bound), Some((num, den as u64)));
            prop_assert_eq!(field.reconstruct(a, 1 << 30), Some((num, den as u64)));
            prop_assert_eq!(field.reconstruct(a, bound - 1), None);
        }

        #[test]
        fn most_elements_are_no_small_fraction(field in fields(), word: u64) {
            prop_assert_eq!(field.reconstruct(field.hashed(word), 1 << 20), None);
        }
    }

    #[test]
    fn primes_are_told_from_the_sieve_on() {
        let is_prime_by_trial = |n: u64| n > 1 && (2..n).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
        for n in 0..20_000 {
            assert_eq!(is_prime(n), is_prime_by_trial(n), "{n}");
        }
        // The largest 64-bit prime, 2⁶¹ − 1, and bases or neighbours of the test.
        for prime in [18_446_744_073_709_551_557, (1 << 61) - 1, 4_294_967_291, 450_787] {
            assert!(is_prime(prime), "{prime}");
        }
        // Carmichael numbers and strong pseudoprimes to the first 4, 9 and 12 prime bases.
        for composite in [561, 825_265, 3_215_031_751, 3_825_123_056_546_413_051, 4_294_967_291 * 4_294_967_279] {
            assert!(!is_prime(composite), "{composite}");
        }
    }

    #[test]
    fn a_field_keeps_its_conditions() {
        let p = field().prime();
        assert_eq!(Field::with_prime(p, ORDER).unwrap().order(), ORDER);
        for (p, order) in [(p + 2, 4), (p, 2), (p, 0), (p, 29 * 4), (13, 4), (u64::MAX, 4)] {
            assert!(Field::with_prime(p, order).is_none(), "{p}, {order}");
        }
        let prime_with = |order: u64| ((1 << 62) / order + 1..).map(|k| k * order + 1).find(|&p| is_prime(p)).unwrap();
        let (too_large, too_rough) = (1 << 49, 4 * 65_537);
        assert!(Field::with_prime(prime_with(too_large), too_large / 2).is_some());
        assert!(Field::with_prime(prime_with(too_large), too_large).is_none());
        assert!(Field::with_prime(prime_with(too_rough), too_rough).is_none());
        let mut random = Random::new(3);
        let drawn: Vec<_> = (0..50).map(|_| Field::draw(ORDER, &mut random).prime()).collect();
        assert!(drawn.iter().all(|&p| is_prime(p) && p % ORDER == 1 && p >> 62 == 1));
        assert!(drawn.iter().any(|&p| p < 6 << 60) && drawn.iter().any(|&p| p > 6 << 60));
    }

    #[test]
    fn roots_of_unity_are_primitive_and_powers_of_one() {
        for field in [field(), field_of_hidden_powers()] {
            for n in 1..=24 {
                let Some(zeta) = field.root_of_unity(n) else {
                    assert!(!field.order().is_multiple_of(n));
                    continue;
                };
                let order = (1..=n).find(|&k| field.pow(zeta, k) == field.one());
                assert_eq!(order, Some(n));
                let first = field.root_of_unity(field.order()).unwrap();
                assert_eq!(field.pow(first, field.order() / n), zeta);
            }
            assert_eq!(field.root_of_unity(0), None);
            assert_eq!(field.square(field.i()), field.from_i64(-1));
            assert_eq!(Some(field.i()), field.root_of_unity(4));
            let two_i = field.add(field.i(), field.i());
            assert_eq!(field.inv(two_i), Some(field.half_over_i()));
            assert_eq!(field.from_rational(&Rational::new(1, 2).unwrap()), Some(field.half()));
        }
    }

    #[test]
    fn square_roots_agree_with_cosines() {
        // independent signs would break all but a few
        for seed in 0..32 {
            let field = Field::draw(ORDER, &mut Random::new(seed));
            let cosine = |n| sine_and_cosine(&field, 1, n).1;
            let root = |q| field.sqrt_of_integer(q).unwrap();
            let over = |a, n| field.div(a, field.from_u64(n)).unwrap();
            assert_eq!(cosine(4), over(root(2), 2));
            assert_eq!(cosine(6), over(root(3), 2));
            assert_eq!(cosine(5), over(field.add(field.one(), root(5)), 4));
            assert_eq!(cosine(12), over(field.add(root(6), root(2)), 4));
            assert_eq!(field.mul(root(2), root(3)), root(6));
        }
    }

    #[test]
    fn square_roots_agree_with_products_of_sines() {
        // √q = Π 2 sin(kπ/q), 0 < k < q/2
        for seed in 0..32 {
            let field = Field::draw(ORDER, &mut Random::new(seed));
            for q in [3, 5, 7, 11, 13, 17, 19, 23] {
                let factors = (1..=q as i64 / 2).map(|k| sine_and_cosine(&field, k, q).0);
                let doubled = factors.map(|sine| field.add(sine, sine));
                let product = doubled.fold(field.one(), |a, b| field.mul(a, b));
                // sin(kπ/q) needs ζ₂q only, so 2q divides the order.
                assert_eq!(field.sqrt_of_integer(q), Some(product), "{q}");
            }
        }
    }

    #[test]
    fn square_roots_of_integers_square_back() {
        let field = field();
        let mut missing = 0;
        for q in 0..500 {
            match field.sqrt_of_integer(q) {
                Some(root) => assert_eq!(field.square(root), field.from_u64(q)),
                None => missing += 1,
            }
        }
        assert!(0 < missing && missing < 250);
        assert_eq!(field.sqrt_of_integer(29 * 29), Some(field.from_u64(29)));
        assert_eq!(field.sqrt_of_integer(0), Some(Element::ZERO));
    }

    #[test]
    fn zero_is_treated_as_zero() {
        let field = field();
        assert_eq!(field.inv(Element::ZERO), None);
        assert_eq!(field.pow(Element::ZERO, 0), field.one());
        assert_eq!(field.pow_signed(Element::ZERO, -1), None);
        assert_eq!(field.sqrt(Element::ZERO), Some(Element::ZERO));
        assert_eq!(field.nth_root(Element::ZERO, 3), Some(Element::ZERO));
        assert_eq!(field.nth_root(field.one(), 0), None);
        assert!(field.is_square(Element::ZERO));
        assert_eq!(field.reconstruct(Element::ZERO, 1), Some((0, 1)));
        assert_eq!(field.neg(Element::ZERO), Element::ZERO);
        let over_p = Rational::new(1, field.prime() as i64).unwrap();
        assert_eq!(field.from_rational(&over_p), None);
    }

    #[test]
    fn random_words_are_spread() {
        let mut random = Random::new(7);
        let mut counts = [0; 10];
        for _ in 0..10_000 {
            counts[random.below(10) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| (850..1150).contains(&count)), "{counts:?}");
        // Two in three words would be rejected for this bound, and none may be let through.
        let bound = (1 << 63) + 1;
        assert!((0..100).all(|_| random.below(bound) < bound));
    }

    #[test]
    fn mixing_flips_half_of_the_bits() {
        let mut random = Random::new(8);
        for bit in 0..64 {
            let (mut of_a, mut of_b) = (0, 0);
            for _ in 0..100 {
                let (a, b) = (random.next(), random.next());
                of_a += (mix(a, b) ^ mix(a ^ (1 << bit), b)).count_ones();
                of_b += (mix(a, b) ^ mix(a, b ^ (1 << bit))).count_ones();
            }
            assert!((2900..3500).contains(&of_a) && (2900..3500).contains(&of_b));
        }
        let field = field();
        let hashed: rustc_hash::FxHashSet<_> = (0..1000).map(|n| field.hashed(n)).collect();
        assert_eq!(hashed.len(), 1000);
        assert!(!hashed.contains(&Element::ZERO));
    }
}

//! What are the values of the steps at a point of a prime field, on every branch?
//!
//! ```text
//! symbol         an element that follows from the seed and the symbol
//! e^(i·a), e^a   a = Σ c·m with monomials m: Π z^(c·fineness), one element z for each value m;
//!                e^(iπ·n/d) is a root of unity, e^(i·asin u) = sqrt(1 − u²) + i·u, and so on
//! sqrt(u)        one root for each value u, either of the two, save where what is known of
//!                signs links it to others: u = c·v, c·v·w or c·v/w with a positive number c
//! others         an element that follows from the arguments' values: equality that is found
//!                holds, equality may be missed
//! ```

use expr::field::{Element, Field, mix};
use expr::{Op, Rational};
use rustc_hash::FxHashMap;

use super::program::{MINUS, PLUS, Program, through};

/// Numbers that link roots have numerators and denominators up to 2 to this power.
pub(super) const LINK_BITS: u32 = 10;
/// So many roots are linked in pairs.
const MOST_LINKED: usize = 24;
/// At most so many branches, and steps over all branches, at one point.
const MOST_BRANCHES: u64 = 1 << 12;
const MOST_WORK: u64 = 1 << 25;

/// Why the replay ends at a point.
#[derive(Debug)]
pub(super) enum Stop {
    /// A root or a quotient does not exist here: another draw may do.
    Undefined,
    /// Something does not vanish.
    NotZero,
    /// There are too many branches.
    TooMany,
    /// A function's argument is not what its decomposition says, or too fine.
    Decomposition,
}

/// All branches at a point.
#[derive(Default)]
pub(super) struct Seen {
    /// How many branches there are.
    pub branches: u64,
    /// How many values were told apart, at most, on one branch.
    pub values: u64,
    /// How many quotients were compared with simple fractions, at most, on one branch.
    pub quotients: u64,
}

/// Do the steps vanish on all branches? Branches are counted like an odometer.
pub(super) fn vanishes(program: &Program, field: &Field, seed: u64) -> Result<Seen, Stop> {
    let mut seen = Seen::default();
    let mut choices: Vec<u32> = Vec::new();
    loop {
        let mut point = Point::new(program, field, seed, &choices);
        point.run()?;
        if program.vanish.iter().any(|&place| point.values[place as usize] != Element::ZERO) {
            return Err(Stop::NotZero);
        }
        seen.branches += 1;
        seen.values = seen.values.max(point.told_apart());
        seen.quotients = seen.quotients.max(point.quotients);
        let work = seen.branches.saturating_mul(program.nodes.len() as u64);
        if seen.branches > MOST_BRANCHES || work > MOST_WORK {
            return Err(Stop::TooMany);
        }
        let radices = point.radices;
        choices.resize(radices.len(), 0);
        while choices.last().is_some_and(|&last| last + 1 == radices[choices.len() - 1]) {
            choices.pop();
        }
        match choices.last_mut() {
            Some(last) => *last += 1,
            None => return Ok(seen),
        }
    }
}

/// `root² = radicand`.
#[derive(Clone, Copy)]
struct Site {
    radicand: Element,
    root: Element,
    /// 1/radicand.
    inverse: Element,
    nonnegative: bool,
}

/// An inverse function and its arguments.
type Meaning = (Op, Element, Element);

struct Point<'a> {
    program: &'a Program,
    field: &'a Field,
    seed: u64,
    choices: &'a [u32],
    radices: Vec<u32>,
    values: Vec<Element>,
    pi: Element,
    sites: Vec<Site>,
    odd_roots: FxHashMap<(Element, u64), Element>,
    bases: FxHashMap<(bool, Element), Element>,
    meanings: FxHashMap<Element, Meaning>,
    opaques: usize,
    quotients: u64,
}

impl<'a> Point<'a> {
    fn new(program: &'a Program, field: &'a Field, seed: u64, choices: &'a [u32]) -> Point<'a> {
        Point {
            program,
            field,
            seed,
            choices,
            radices: Vec::new(),
            values: vec![Element::ZERO; program.nodes.len()],
            pi: field.hashed(mix(seed, Op::Pi as u64)),
            sites: Vec::new(),
            odd_roots: FxHashMap::default(),
            bases: FxHashMap::default(),
            meanings: FxHashMap::default(),
            opaques: 0,
            quotients: 0,
        }
    }

    fn run(&mut self) -> Result<(), Stop> {
        for &place in &self.program.sequence {
            let value = self.value(place)?;
            self.values[place as usize] = value;
            self.note_sign(place, value);
        }
        Ok(())
    }

    fn told_apart(&self) -> u64 {
        (self.sites.len() + self.odd_roots.len() + self.bases.len() + self.meanings.len() + self.opaques) as u64
    }

    fn value(&mut self, place: u32) -> Result<Element, Stop> {
        let (program, field) = (self.program, self.field);
        let node = program.node(place);
        let all = node.of.iter().map(|&argument| self.values[argument as usize]);
        match node.op {
            Op::Sum => return Ok(all.fold(Element::ZERO, |sum, value| field.add(sum, value))),
            Op::Scale | Op::Product => return Ok(all.fold(field.one(), |product, value| field.mul(product, value))),
            _ => {}
        }
        let of: Vec<Element> = all.collect();
        if let Some(circular) = through(node.op) {
            let w = self.phase(node.of[0], circular)?;
            return function(field, node.op, w);
        }
        match node.op {
            Op::Number => node.number.as_ref().and_then(|number| field.from_rational(number)).ok_or(Stop::Undefined),
            Op::Symbol => Ok(field.hashed(mix(mix(self.seed, (node.digest >> 64) as u64), node.digest as u64))),
            Op::Pi => Ok(self.pi),
            Op::Power => match program.exponent(place) {
                Some((n, 1)) => field.pow_signed(of[0], n).ok_or(Stop::Undefined),
                Some((n, d)) => self.rational_power(node.of[0], n, d),
                None => Ok(self.opaque(Op::Power, &of)),
            },
            Op::Abs => self.size(node.of[0]),
            Op::Sign => self.sign(node.of[0]),
            Op::Cbrt => self.odd_root(of[0], 3, true),
            Op::Unspecified => Ok(self.opaque(Op::Unspecified, &of)),
            // F(b) − F(a): whatever the integrand is, it has one such function
            Op::Integral => {
                let (mut above, mut below) = (of.clone(), of);
                let from = above.remove(2);
                below.remove(3);
                debug_assert_eq!(from, below[2]);
                Ok(field.sub(self.opaque(Op::Integral, &above), self.opaque(Op::Integral, &below)))
            }
            Op::Min | Op::Max => {
                let gap = field.sub(of[0], of[1]);
                let gap = self.square_root(field.square(gap), true)?;
                let gap = if node.op == Op::Max { gap } else { field.neg(gap) };
                Ok(field.mul(field.half(), field.add(gap, field.add(of[0], of[1]))))
            }
            Op::IfNegative => Ok(of[if self.sign(node.of[0])? == field.one() { 2 } else { 1 }]),
            Op::IfZero if of[1] == of[2] => Ok(of[1]),
            Op::IfZero => {
                let unsigned = self.unsigned(of[0]).0;
                Ok(self.opaque(Op::IfZero, &[unsigned, of[1], of[2]]))
            }
            Op::Log => self.log(node.of[0]),
            Op::Asin | Op::Atan => Ok(self.odd_inverse(node.op, of[0])),
            Op::Acos => {
                let asin = self.odd_inverse(Op::Asin, of[0]);
                let acos = field.sub(field.mul(self.pi, field.half()), asin);
                self.meanings.insert(acos, (Op::Acos, of[0], field.one()));
                Ok(acos)
            }
            _ => self.atan2(of[0], of[1], program.signs[node.of[1] as usize] == PLUS),
        }
    }

    fn opaque(&mut self, op: Op, arguments: &[Element]) -> Element {
        self.opaques += 1;
        let word = arguments.iter().fold(op as u64 + 1000, |word, argument| mix(word, argument.bits()));
        self.field.hashed(mix(self.seed, word))
    }

    /// The same of u and −u for both, and whether it is −u.
    fn unsigned(&self, u: Element) -> (Element, bool) {
        let other = self.field.neg(u);
        (u.min(other), other < u)
    }

    // ---- roots

    fn choose(&mut self, ways: u32) -> u32 {
        self.radices.push(ways);
        self.choices.get(self.radices.len() - 1).copied().unwrap_or(0)
    }

    fn square_root(&mut self, u: Element, nonnegative: bool) -> Result<Element, Stop> {
        if u == Element::ZERO {
            return Ok(u);
        }
        if let Some(site) = self.sites.iter().find(|site| site.radicand == u) {
            return Ok(site.root);
        }
        let root = match self.linked(u) {
            Some(root) => root,
            None => {
                let root = self.field.sqrt(u).ok_or(Stop::Undefined)?;
                if self.choose(2) == 0 { root } else { self.field.neg(root) }
            }
        };
        self.add_site(u, root, nonnegative);
        Ok(root)
    }

    fn add_site(&mut self, radicand: Element, root: Element, nonnegative: bool) {
        if let Some(inverse) = self.field.inv(radicand) {
            self.sites.push(Site { radicand, root, inverse, nonnegative });
        }
    }

    /// A step whose sign is known is the root of its square, or the negative root.
    fn note_sign(&mut self, place: u32, value: Element) {
        if self.sites.len() >= MOST_LINKED || !self.program.is_signed(place) {
            return;
        }
        let signs = self.program.signs[place as usize];
        let square = self.field.square(value);
        if self.sites.iter().all(|site| site.radicand != square) {
            let root = if signs & MINUS == 0 { value } else { self.field.neg(value) };
            self.add_site(square, root, true);
        }
    }

    /// The root of u = c, c·v, c·v·w, c·v/w, where that is known to be the product of the roots.
    fn linked(&mut self, u: Element) -> Option<Element> {
        let field = self.field;
        let mut candidates: Vec<(Element, Element)> = vec![(u, field.one())];
        candidates.extend(self.sites.iter().map(|v| (field.mul(u, v.inverse), v.root)));
        let first = &self.sites[..self.sites.len().min(MOST_LINKED)];
        for (k, v) in first.iter().enumerate() {
            for w in first[..k].iter().filter(|w| w.nonnegative || v.nonnegative) {
                let roots = field.mul(v.root, w.root);
                let by_v = field.mul(u, v.inverse);
                let by_w = field.mul(u, w.inverse);
                candidates.push((field.mul(by_v, w.inverse), roots));
                candidates.push((field.mul(by_v, w.radicand), field.mul(roots, w.inverse)));
                candidates.push((field.mul(by_w, v.radicand), field.mul(roots, v.inverse)));
            }
        }
        candidates.into_iter().find_map(|(quotient, root)| {
            self.quotients += 1;
            let (n, d) = field.reconstruct(quotient, 1 << LINK_BITS).filter(|&(n, _)| n > 0)?;
            let (outside, primes) = Rational::new(n, d as i64)?.root_split(2)?;
            let outside = field.mul(root, field.from_rational(&outside)?);
            primes.iter().try_fold(outside, |root, &(prime, _)| Some(field.mul(root, field.sqrt_of_integer(prime)?)))
        })
    }

    /// A root of odd prime order; a real one is odd, so that cbrt(−u) = −cbrt(u).
    fn odd_root(&mut self, u: Element, k: u64, real: bool) -> Result<Element, Stop> {
        let (key, negative) = if real { self.unsigned(u) } else { (u, false) };
        let root = match self.odd_roots.get(&(key, k)) {
            Some(&root) => root,
            None => {
                let unity = self.field.root_of_unity(k).ok_or(Stop::Decomposition)?;
                let root = self.field.nth_root(key, k).ok_or(Stop::Undefined)?;
                let turn = self.choose(k as u32);
                let root = self.field.mul(root, self.field.pow(unity, u64::from(turn)));
                self.odd_roots.insert((key, k), root);
                root
            }
        };
        Ok(if negative { self.field.neg(root) } else { root })
    }

    /// u^(n/d), n/d written as Σ a/q + an integer over the prime powers q of d.
    fn fraction(&mut self, u: Element, n: i64, d: i64, known: Known) -> Result<Element, Stop> {
        let mut result = self.field.one();
        let mut rest = n;
        for (prime, times) in prime_powers(d) {
            let q = prime.pow(times);
            let others = d / q;
            let a = (0..q).find(|a| (a * (others % q) - n).rem_euclid(q) == 0).unwrap_or(0);
            rest -= a * others;
            let mut root = u;
            for time in 0..times {
                root = match (prime, known) {
                    (2, Known::Integer(number)) if time == 0 => {
                        self.field.sqrt_of_integer(number).ok_or(Stop::Undefined)?
                    }
                    (2, _) => self.square_root(root, known != Known::Nothing || time > 0)?,
                    _ => self.odd_root(root, prime as u64, known != Known::Complex)?,
                };
            }
            result = self.field.mul(result, self.field.pow(root, a as u64));
        }
        let whole = self.field.pow_signed(u, rest / d).ok_or(Stop::Undefined)?;
        Ok(self.field.mul(result, whole))
    }

    /// step^(n/d); factors that are not negative are drawn out.
    fn rational_power(&mut self, place: u32, n: i64, d: i64) -> Result<Element, Stop> {
        let field = self.field;
        let (mut outside, mut inside) = (field.one(), field.one());
        for (factor, e) in self.program.factors(place) {
            let value = self.values[factor as usize];
            let times = n.checked_mul(e).ok_or(Stop::TooMany)?;
            if let Some(number) = self.program.exact(factor) {
                outside = field.mul(outside, self.number_power(&number.abs(), times, d)?);
                inside = if number.is_negative() && e % 2 != 0 { field.neg(inside) } else { inside };
            } else if self.program.signs[factor as usize] & MINUS == 0 {
                let (times, d) = reduced(times, d);
                outside = field.mul(outside, self.fraction(value, times, d, Known::NonNegative)?);
            } else if e % 2 == 0 {
                let size = self.size(factor)?;
                let (times, d) = reduced(times, d);
                outside = field.mul(outside, self.fraction(size, times, d, Known::NonNegative)?);
            } else {
                inside = field.mul(inside, field.pow_signed(value, e).ok_or(Stop::Undefined)?);
            }
        }
        let inside = if inside == field.one() { inside } else { self.fraction(inside, n, d, Known::Nothing)? };
        Ok(field.mul(outside, inside))
    }

    fn number_power(&mut self, number: &Rational, n: i64, d: i64) -> Result<Element, Stop> {
        let field = self.field;
        let split = u32::try_from(d).ok().and_then(|d| number.root_split(d));
        let Some((outside, primes)) = split else {
            let value = field.from_rational(number).ok_or(Stop::Undefined)?;
            return self.fraction(value, n, d, Known::NonNegative);
        };
        let outside = field.from_rational(&outside).and_then(|value| field.pow_signed(value, n));
        let mut product = outside.ok_or(Stop::Undefined)?;
        for (prime, e) in primes {
            let (n, d) = reduced(n.checked_mul(i64::from(e)).ok_or(Stop::TooMany)?, d);
            let power = self.fraction(field.from_u64(prime), n, d, Known::Integer(prime))?;
            product = field.mul(product, power);
        }
        Ok(product)
    }

    /// |step|, factor by factor.
    fn size(&mut self, place: u32) -> Result<Element, Stop> {
        let field = self.field;
        let mut product = field.one();
        for (factor, e) in self.program.factors(place) {
            let value = self.values[factor as usize];
            let signs = self.program.signs[factor as usize];
            let size = match (signs & MINUS == 0, signs & PLUS == 0) {
                (true, _) => value,
                (_, true) => field.neg(value),
                _ => self.square_root(field.square(value), true)?,
            };
            product = field.mul(product, field.pow_signed(size, e).ok_or(Stop::Undefined)?);
        }
        Ok(product)
    }

    /// ±1; where a step vanishes its sign is not looked at.
    fn sign(&mut self, place: u32) -> Result<Element, Stop> {
        let size = self.size(place)?;
        self.field.div(size, self.values[place as usize]).ok_or(Stop::Undefined)
    }

    // ---- angles and exponents

    /// e^(i·step) or e^step.
    fn phase(&mut self, argument: u32, circular: bool) -> Result<Element, Stop> {
        let field = self.field;
        let polynomial = self.program.arguments.get(&argument).ok_or(Stop::Decomposition)?;
        let mut parts: Vec<(Element, Rational)> = Vec::new();
        let mut sum = Element::ZERO;
        for (monomial, c) in &**polynomial {
            let value = monomial.iter().try_fold(field.one(), |product, &(place, e)| {
                Some(field.mul(product, field.pow_signed(self.values[place as usize], e)?))
            });
            let value = value.ok_or(Stop::Undefined)?;
            let factor = field.from_rational(c).ok_or(Stop::Undefined)?;
            sum = field.add(sum, field.mul(factor, value));
            match parts.iter_mut().find(|part| part.0 == value) {
                Some(part) => part.1 = &part.1 + c,
                None => parts.push((value, c.clone())),
            }
        }
        if sum != self.values[argument as usize] {
            return Err(Stop::Decomposition);
        }
        parts.into_iter().try_fold(field.one(), |w, (m, c)| Ok(field.mul(w, self.phase_of(m, &c, circular)?)))
    }

    /// e^(i·c·m) or e^(c·m).
    fn phase_of(&mut self, m: Element, c: &Rational, circular: bool) -> Result<Element, Stop> {
        let field = self.field;
        let (n, d) = c.to_small().ok_or(Stop::Decomposition)?;
        if circular && m == self.pi {
            let unity = field.root_of_unity(2 * d as u64).ok_or(Stop::Decomposition)?;
            return Ok(field.pow(unity, n.rem_euclid(2 * d) as u64));
        }
        let known = |m: Element| self.meanings.get(&m).copied().filter(|meaning| (meaning.0 == Op::Log) != circular);
        if let Some(meaning) = known(m) {
            return self.phase_of_inverse(meaning, n, d);
        }
        if let Some(meaning) = known(field.neg(m)) {
            return self.phase_of_inverse(meaning, -n, d);
        }
        let (key, negative) = self.unsigned(m);
        let exponent = (c * &Rational::from_u64(self.program.fineness)).to_i64().ok_or(Stop::Decomposition)?;
        let base = field.hashed(mix(mix(self.seed, 2000 + u64::from(circular)), key.bits()));
        self.bases.insert((circular, key), base);
        field.pow_signed(base, if negative { -exponent } else { exponent }).ok_or(Stop::Undefined)
    }

    /// e^(i·n/d·f) or e^(n/d·f) for an inverse function f. Angles lie between −π and π, so that
    /// cos(f/2) = sqrt((1 + cos f)/2) and sin(f/2) = sin f/(2 cos(f/2)).
    fn phase_of_inverse(&mut self, (op, u, v): Meaning, n: i64, mut d: i64) -> Result<Element, Stop> {
        let field = self.field;
        let one = field.one();
        let (mut cosine, mut sine) = match op {
            Op::Log => return self.fraction(u, n, d, Known::NonNegative),
            Op::Asin => (self.leg(one, u, -1)?, u),
            Op::Acos => (u, self.leg(one, u, -1)?),
            _ => {
                let norm = self.leg(v, u, 1)?;
                let over = field.inv(norm).ok_or(Stop::Undefined)?;
                (field.mul(v, over), field.mul(u, over))
            }
        };
        while d % 2 == 0 {
            cosine = self.square_root(field.mul(field.half(), field.add(one, cosine)), true)?;
            sine = field.div(field.mul(sine, field.half()), cosine).ok_or(Stop::Undefined)?;
            d /= 2;
        }
        let w = field.add(cosine, field.mul(field.i(), sine));
        self.fraction(w, n, d, Known::Complex)
    }

    /// sqrt(a² ± b²); the root of a number if a and b are numbers.
    fn leg(&mut self, a: Element, b: Element, sign: i64) -> Result<Element, Stop> {
        if let (Some(a), Some(b)) = (self.number(a), self.number(b)) {
            let number = &(&a * &a) + &(&(&b * &b) * &Rational::from(sign));
            return self.number_power(&number, 1, 2);
        }
        let (a, b) = (self.field.square(a), self.field.square(b));
        let radicand = if sign > 0 { self.field.add(a, b) } else { self.field.sub(a, b) };
        self.square_root(radicand, sign > 0)
    }

    /// The number, up to its sign, that a value stands for.
    fn number(&self, u: Element) -> Option<Rational> {
        let key = self.unsigned(u).0;
        let is =
            |number: &&Rational| self.field.from_rational(number).is_some_and(|value| self.unsigned(value).0 == key);
        let numbers = self.program.nodes.iter().filter_map(|node| node.number.as_ref());
        numbers.chain([&Rational::ONE]).find(is).cloned()
    }

    // ---- inverse functions

    fn odd_inverse(&mut self, op: Op, u: Element) -> Element {
        let (key, negative) = self.unsigned(u);
        let value = self.opaque(op, &[key]);
        self.meanings.insert(value, (op, key, self.field.one()));
        if negative { self.field.neg(value) } else { value }
    }

    fn atan2(&mut self, y: Element, x: Element, right: bool) -> Result<Element, Stop> {
        if right {
            let slope = self.field.div(y, x).ok_or(Stop::Undefined)?;
            return Ok(self.odd_inverse(Op::Atan, slope));
        }
        let (key, negative) = self.unsigned(y);
        let angle = self.opaque(Op::Atan2, &[key, x]);
        self.meanings.insert(angle, (Op::Atan2, key, x));
        Ok(if negative { self.field.neg(angle) } else { angle })
    }

    /// The logarithm of a step; factors that are positive are drawn out.
    fn log(&mut self, place: u32) -> Result<Element, Stop> {
        let field = self.field;
        let (mut sum, mut inside) = (Element::ZERO, field.one());
        for (factor, e) in self.program.factors(place) {
            let (base, n, d) = match (self.program.node(factor).op, self.program.node(factor).of.first()) {
                (Op::Power, Some(&base)) => self.program.exponent(factor).map_or((factor, 1, 1), |(n, d)| (base, n, d)),
                _ => (factor, 1, 1),
            };
            if self.program.signs[base as usize] == PLUS {
                let times = n.checked_mul(e).and_then(|n| field.from_rational(&Rational::new(n, d)?));
                let log = self.log_of(self.values[base as usize])?;
                sum = field.add(sum, field.mul(times.ok_or(Stop::Undefined)?, log));
            } else {
                let power = field.pow_signed(self.values[factor as usize], e);
                inside = field.mul(inside, power.ok_or(Stop::Undefined)?);
            }
        }
        let rest = if inside == field.one() { Element::ZERO } else { self.log_of(inside)? };
        let log = field.add(sum, rest);
        self.meanings.insert(log, (Op::Log, self.values[place as usize], field.one()));
        Ok(log)
    }

    /// log(1/u) = −log u.
    fn log_of(&mut self, u: Element) -> Result<Element, Stop> {
        let over = self.field.inv(u).ok_or(Stop::Undefined)?;
        let log = self.opaque(Op::Log, &[u.min(over)]);
        Ok(if over < u { self.field.neg(log) } else { log })
    }
}

/// What is known of a radicand.
#[derive(Clone, Copy, PartialEq)]
enum Known {
    Nothing,
    NonNegative,
    Integer(u64),
    Complex,
}

/// A function of w = e^(i·a) or e^a.
fn function(field: &Field, op: Op, w: Element) -> Result<Element, Stop> {
    let inverse = field.inv(w).ok_or(Stop::Undefined)?;
    let (sum, difference) = (field.add(w, inverse), field.sub(w, inverse));
    match op {
        Op::Exp => Ok(w),
        Op::Cos | Op::Cosh => Ok(field.mul(sum, field.half())),
        Op::Sinh => Ok(field.mul(difference, field.half())),
        Op::Sin => Ok(field.mul(difference, field.half_over_i())),
        Op::Tanh => field.div(difference, sum).ok_or(Stop::Undefined),
        _ => field.div(difference, field.mul(field.i(), sum)).ok_or(Stop::Undefined),
    }
}

/// n/d in lowest terms.
fn reduced(n: i64, d: i64) -> (i64, i64) {
    Rational::new(n, d).and_then(|r| r.to_small()).unwrap_or((n, d))
}

fn prime_powers(d: i64) -> Vec<(i64, u32)> {
    let factors = Rational::from(d).factor_small().unwrap_or_default();
    factors.into_iter().filter_map(|(prime, times)| Some((prime as i64, u32::try_from(times).ok()?))).collect()
}

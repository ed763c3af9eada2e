//! What is the value of an expression at a random point of a prime field?
//!
//! Two expressions that are equal have equal values; two that differ have equal values with a
//! probability that their degrees bound (Schwartz and Zippel). The trick is to give functions an
//! image that keeps their identities (Gonnet, STOC 1984):
//!
//! ```text
//! symbol x     a random element, drawn from the point's seed and the symbol's name
//! angle m      cos m = (w + 1/w)/2, sin m = (w − 1/w)/(2i), w = z^D, z a random element
//!              for each monomial m; sums of angles are products, fractions powers of z
//! c·π          w = a root of unity
//! exp m        the same with a real base; sinh, cosh, tanh follow
//! root u^(1/k) a k-th root in the field, one for each value u: so |x| = (x²)^(1/2), and
//!              sqrt(u) = |w| where u = w²; which root is a choice of branch
//! asin, …      an independent random element, remembered so that sin(asin u) = u
//! ```
//!
//! What has no image stands for an independent random element keyed by its arguments' values:
//! equality found is then still sound, equality may be missed.

use rustc_hash::FxHashMap;

use crate::field::{Element, Field, Random, mix};
use crate::graph::{Graph, Id, Op, Store};
use crate::integral::FROM;
use crate::number::Rational;
use crate::sign;

/// lcm(1..24): roots of unity to that order, and the square roots of primes up to 23, live in
/// every field that a scope draws.
pub const GENERIC_ORDER: u64 = 5_354_228_880;
/// Angles are split to this fraction while expressions are built: halves, thirds, eighths.
const GENERIC_FINENESS: u64 = 24;
/// An argument of a function is expanded into at most so many monomials.
const MONOMIALS: usize = 4096;

/// Ratios of radicands up to this size link their roots. A random element is such a ratio with
/// probability 2^-45, so a link by chance is rare, and [`Point::trials`] counts the chances.
const SIMPLE: u64 = 1 << 8;
/// Roots are linked with one another while there are at most so many.
const MOST_LINKED: usize = 24;

/// Why a point cannot be continued to a node. Another point, or another field, may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// A radicand is no square (or cube, …) at this point.
    NotAPower,
    /// A divisor vanishes at this point.
    DivisionByZero,
    /// The prime divides a denominator.
    Modulus,
    /// An angle is divided by this number, which the point's fraction does not cover.
    NeedsFineness(u64),
    /// Roots of unity of this order are needed in the field.
    NeedsOrder(u64),
}

/// A root that was chosen at this point: `root^order = radicand`.
#[derive(Clone, Copy)]
struct Site {
    radicand: Element,
    /// 1/radicand.
    inverse: Element,
    root: Element,
    nonnegative: bool,
}

/// Roots of higher order are opaque: their conjugates are too many to go through.
const FINEST: u64 = 1 << 12;

/// What an opaque element is the inverse function of.
#[derive(Clone, Copy)]
enum Inverse {
    Asin(Element),
    Acos(Element),
    Atan(Element),
    Atan2(Element, Element),
    Log(Element),
}

/// Sine and cosine, or exponential: which homomorphism an argument is sent through.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Through {
    Angle,
    Exponent,
}

/// How the branch of a root is chosen.
#[derive(Clone)]
enum Branches {
    /// By a coin that depends on the point and the value of the root.
    Random,
    /// As prescribed, in the order in which roots are met; the number of choices is recorded.
    Prescribed { choices: Vec<u32>, radices: Vec<u32> },
    /// By the coin, and the other root where the mask has a bit, in the order in which square roots are met. `None`
    /// after a root of another order.
    Mirrored { mask: u32, met: Option<u32> },
}

/// A random point of a prime field, with all choices made so far.
#[derive(Clone)]
pub struct Point {
    field: Field,
    seed: u64,
    fineness: u64,
    /// In a proof an angle too fine for the point is reported; while building it is opaque.
    strict: bool,
    branches: Branches,
    assumed: FxHashMap<Id, u8>,
    pi: Element,
    phases: FxHashMap<(Through, Id), (Element, Element)>,
    bases: FxHashMap<(Through, Element), (Element, Element)>,
    inverses: FxHashMap<Element, Inverse>,
    roots: FxHashMap<(Element, u64), Element>,
    sites: Vec<Site>,
    trials: u64,
    constant: bool,
}

const PI: u64 = 0x7069;
const ANGLE: u64 = 0x616e_676c;
const EXPONENT: u64 = 0x0065_7870;

impl Point {
    /// A point at which a scope's signatures stand: generic, on no constraint.
    pub(crate) fn generic(random: &mut Random) -> Point {
        let field = Field::draw(GENERIC_ORDER, random);
        Point::make(field, random.next(), GENERIC_FINENESS, false, Branches::Random)
    }

    /// Another generic point of the same field.
    pub(crate) fn another(&self, random: &mut Random) -> Point {
        Point::make(self.field.clone(), random.next(), self.fineness, self.strict, Branches::Random)
    }

    /// The same point, with the other root wherever the mask has a bit.
    pub(crate) fn mirrored(&self, mask: u32) -> Point {
        let branches = Branches::Mirrored { mask, met: Some(0) };
        Point::make(self.field.clone(), self.seed, self.fineness, self.strict, branches)
    }

    /// How many square roots a mirrored point has chosen; `None` if there were other choices.
    pub(crate) fn met(&self) -> Option<u32> {
        match self.branches {
            Branches::Mirrored { met, .. } => met,
            _ => None,
        }
    }

    /// What tells this point from others.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// A point for a proof: `choices` prescribes the branches of the roots in the order in which
    /// they are met (zero where it ends), `assumed` the signs known of nodes.
    pub(crate) fn strict(
        field: Field,
        seed: u64,
        fineness: u64,
        choices: Vec<u32>,
        assumed: FxHashMap<Id, u8>,
    ) -> Point {
        let branches = Branches::Prescribed { choices, radices: Vec::new() };
        Point { assumed, ..Point::make(field, seed, fineness, true, branches) }
    }

    fn make(field: Field, seed: u64, fineness: u64, strict: bool, branches: Branches) -> Point {
        let pi = field.hashed(mix(seed, PI));
        Point {
            field,
            seed,
            fineness,
            strict,
            branches,
            pi,
            assumed: FxHashMap::default(),
            phases: FxHashMap::default(),
            bases: FxHashMap::default(),
            inverses: FxHashMap::default(),
            roots: FxHashMap::default(),
            sites: Vec::new(),
            trials: 0,
            constant: false,
        }
    }

    /// The field of this point.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// How many branches each root had that was met, in that order.
    pub(crate) fn radices(&self) -> &[u32] {
        match &self.branches {
            Branches::Random | Branches::Mirrored { .. } => &[],
            Branches::Prescribed { radices, .. } => radices,
        }
    }

    /// Says that no symbols will be met.
    pub(crate) fn without_symbols(self) -> Point {
        Point { constant: true, ..self }
    }

    /// How often it was asked whether a radicand is a simple multiple of others.
    pub(crate) fn trials(&self) -> u64 {
        self.trials
    }

    /// An element that depends on nothing but the point and this word.
    pub(crate) fn independent(&self, word: u64) -> Element {
        self.field.hashed(mix(self.seed, word))
    }

    /// The value of a node from the values of its arguments.
    #[inline]
    pub(crate) fn image(
        &mut self,
        store: &Store,
        id: Id,
        value: &impl Fn(Id) -> Element,
    ) -> Result<Element, Undefined> {
        let children = store.children(id);
        let field = &self.field;
        match store.op(id) {
            Op::Sum => Ok(match *children {
                [a, b] => field.add(value(a), value(b)),
                _ => children.iter().fold(Element::ZERO, |sum, &child| field.add(sum, value(child))),
            }),
            Op::Product => Ok(match *children {
                [a, b] => field.mul(value(a), value(b)),
                _ => children.iter().fold(field.one(), |product, &child| field.mul(product, value(child))),
            }),
            Op::Scale => Ok(field.mul(value(children[0]), value(children[1]))),
            Op::Number => store.number(id).and_then(|number| field.from_rational(number)).ok_or(Undefined::Modulus),
            Op::Symbol => Ok(self.independent(store.symbol_key(id))),
            Op::Pi => Ok(self.pi),
            _ => self.function(store, id, value),
        }
    }

    fn function(&mut self, store: &Store, id: Id, value: &impl Fn(Id) -> Element) -> Result<Element, Undefined> {
        let children = store.children(id);
        let first = children[0];
        match store.op(id) {
            Op::Power => self.power(store, id, value),
            Op::Sin | Op::Cos | Op::Tan => self.circular(store, id, value),
            Op::Sinh | Op::Cosh | Op::Tanh | Op::Exp => self.exponential(store, id, value),
            Op::Asin => Ok(self.odd_inverse(Op::Asin, value(first), Inverse::Asin)),
            Op::Acos => {
                let asin = self.odd_inverse(Op::Asin, value(first), Inverse::Asin);
                let right = self.field.mul(self.pi, self.field.half());
                let acos = self.field.sub(right, asin);
                self.inverses.insert(acos, Inverse::Acos(value(first)));
                Ok(acos)
            }
            Op::Atan => Ok(self.odd_inverse(Op::Atan, value(first), Inverse::Atan)),
            Op::Atan2 => self.atan2(store, children, value),
            Op::Log => self.log(store, first, value),
            Op::Abs => self.magnitude(store, first, value(first)),
            Op::Sign => self.direction(store, first, value(first)),
            Op::Cbrt => self.odd_root(value(first), 3),
            Op::Unspecified => {
                let arguments: Vec<Element> = children.iter().map(|&child| value(child)).collect();
                Ok(self.opaque(Op::Unspecified, &arguments))
            }
            Op::Integral => {
                // F(b) − F(a), each keyed by the integrand, what it depends on, and the limit
                let mut arguments: Vec<Element> = children.iter().map(|&child| value(child)).collect();
                let from = arguments.remove(FROM);
                let above = self.opaque(Op::Integral, &arguments);
                arguments[FROM] = from;
                let below = self.opaque(Op::Integral, &arguments);
                Ok(self.field.sub(above, below))
            }
            Op::Min | Op::Max => self.extremum(store, id, value),
            Op::IfNegative => {
                let sign = self.direction(store, first, value(first))?;
                Ok(value(children[if sign == self.field.one() { 2 } else { 1 }]))
            }
            _ => Ok(self.if_zero(value(first), value(children[1]), value(children[2]))),
        }
    }

    // ---- powers and roots

    fn power(&mut self, store: &Store, id: Id, value: &impl Fn(Id) -> Element) -> Result<Element, Undefined> {
        let (base, exponent) = store.factor(id);
        let u = value(base);
        let Some((n, d)) = exponent.to_small() else {
            return Ok(self.opaque(Op::Power, &[u, value(store.children(id)[1])]));
        };
        if d == 1 {
            return self.field.pow_signed(u, n).ok_or(Undefined::DivisionByZero);
        }
        let root = match store.number(base).and_then(Rational::to_i64) {
            Some(q) if d == 2 => self.field.sqrt_of_integer(q as u64).ok_or(Undefined::NotAPower)?,
            _ => self.root_of(store, base, u, d as u64, value)?,
        };
        self.field.pow_signed(root, n).ok_or(Undefined::DivisionByZero)
    }

    /// The d-th root of a node; factors that are known not to be negative are drawn out, so that
    /// sqrt(u v) = sqrt(u) sqrt(v) where that is true.
    fn root_of(
        &mut self,
        store: &Store,
        id: Id,
        u: Element,
        d: u64,
        value: &impl Fn(Id) -> Element,
    ) -> Result<Element, Undefined> {
        let known = self.signs(store, id);
        if store.op(id) != Op::Product || self.assumed.is_empty() {
            return self.root(u, d, known & sign::NONNEGATIVE != 0);
        }
        let mut outside = self.field.one();
        let mut inside = self.field.one();
        for &factor in store.children(id) {
            if self.signs(store, factor) & sign::NONNEGATIVE != 0 {
                let (base, exponent) = store.factor(factor);
                let root = match exponent.to_i64() {
                    Some(n) if self.signs(store, base) & sign::NONNEGATIVE != 0 => {
                        let root = self.root(value(base), d, true)?;
                        self.field.pow_signed(root, n).ok_or(Undefined::DivisionByZero)?
                    }
                    _ => self.root(value(factor), d, true)?,
                };
                outside = self.field.mul(outside, root);
            } else {
                inside = self.field.mul(inside, value(factor));
            }
        }
        let rest = if inside == self.field.one() { inside } else { self.root(inside, d, false)? };
        Ok(self.field.mul(outside, rest))
    }

    /// u^(1/d): roots of prime order, one after another, put together by partial fractions of 1/d.
    fn root(&mut self, u: Element, d: u64, nonnegative: bool) -> Result<Element, Undefined> {
        if d > FINEST {
            return Ok(self.opaque(Op::Power, &[u, self.field.from_u64(d)]));
        }
        let mut result = self.field.one();
        let mut whole = -1i64; // Σ aᵢ/qᵢ − 1/d, an integer
        let mut total = 0i64;
        for (prime, times) in prime_powers(d) {
            let q = prime.pow(times);
            let others = d / q;
            let a = (1..q).find(|a| (a * (others % q)) % q == 1 % q).unwrap_or(1);
            let mut root = u;
            for time in 0..times {
                root = match prime {
                    2 => self.square_root(root, nonnegative || time > 0)?,
                    _ => self.odd_root(root, prime)?,
                };
            }
            result = self.field.mul(result, self.field.pow(root, a));
            total += (a * others) as i64;
        }
        whole += total;
        let excess = self.field.pow_signed(u, -(whole / d as i64)).ok_or(Undefined::DivisionByZero)?;
        Ok(self.field.mul(result, excess))
    }

    /// The square root that this point has chosen for the value u.
    fn square_root(&mut self, u: Element, nonnegative: bool) -> Result<Element, Undefined> {
        if u == Element::ZERO {
            return Ok(u);
        }
        if let Some(&root) = self.roots.get(&(u, 2)) {
            return Ok(root);
        }
        // What is no square here is no product of squares either: most points fail quickly.
        let own = self.field.sqrt(u).ok_or(Undefined::NotAPower)?;
        let root = match self.linked_root(u) {
            Some(root) => root,
            None => {
                let root = own;
                let other = self.field.neg(root);
                let (low, high) = if root < other { (root, other) } else { (other, root) };
                if self.choose(2, low) == 0 { low } else { high }
            }
        };
        self.roots.insert((u, 2), root);
        self.note_root(u, root, nonnegative);
        Ok(root)
    }

    /// A root that what is known determines: u = c, c·v, c·v·w or c·v/w with c a positive number
    /// and v (or w) known not to be negative. All the roots are not negative, so that
    /// sqrt(u) = sqrt(c) sqrt(v) sqrt(w), and so on.
    fn linked_root(&mut self, u: Element) -> Option<Element> {
        let count = self.sites.len() as u64;
        // Without symbols radicands are numbers, and not always simple ones.
        let (simple, weight) = if self.constant { (SIMPLE << 12, 1 << 24) } else { (SIMPLE, 1) };
        self.trials += weight * (1 + count + 3 * count * count / 2);
        let field = &self.field;
        // √c if c = u·inverse is a simple positive number
        let number = |inverse: Element| {
            let (n, d) = field.reconstruct(field.mul(u, inverse), simple)?;
            let number = Rational::new(n, d as i64).filter(Rational::is_positive)?;
            self.number_root(&number)
        };
        let alone = number(field.one());
        if alone.is_some() || !self.strict || self.sites.len() > MOST_LINKED {
            return alone;
        }
        let with_one = self.sites.iter().find_map(|v| Some(field.mul(number(v.inverse)?, v.root)));
        with_one.or_else(|| {
            self.sites.iter().enumerate().find_map(|(k, v)| {
                let times = |w: &Site| {
                    let known = v.nonnegative || w.nonnegative;
                    let number = known.then(|| number(field.mul(v.inverse, w.inverse))).flatten()?;
                    Some(field.mul(number, field.mul(v.root, w.root)))
                };
                let over = |v: &Site, w: &Site| {
                    let number = w.nonnegative.then(|| number(field.mul(v.inverse, w.radicand))).flatten()?;
                    Some(field.mul(number, field.div(v.root, w.root)?))
                };
                self.sites[..k].iter().find_map(|w| times(w).or_else(|| over(v, w)).or_else(|| over(w, v)))
            })
        })
    }

    /// Takes note of a node whose sign is known: it is the root of its square.
    pub(crate) fn note_sign(&mut self, store: &Store, id: Id, value: Element) {
        let known = self.signs(store, id);
        let plain = matches!(store.op(id), Op::Sum | Op::Symbol | Op::Cosh | Op::Sinh | Op::Sin | Op::Cos | Op::Tan);
        if !plain || known & (sign::NONNEGATIVE | sign::NONPOSITIVE) == 0 || self.sites.len() >= MOST_LINKED {
            return;
        }
        let root = if known & sign::NONNEGATIVE != 0 { value } else { self.field.neg(value) };
        let radicand = self.field.square(value);
        if self.roots.insert((radicand, 2), root).is_none() {
            self.note_root(radicand, root, true);
        }
    }

    /// Keeps a root that others may be linked with; the root of zero is none.
    fn note_root(&mut self, radicand: Element, root: Element, nonnegative: bool) {
        let inverse = self.field.inv(radicand);
        self.sites.extend(inverse.map(|inverse| Site { radicand, inverse, root, nonnegative }));
    }

    /// The square root of a positive rational number, consistent with the roots of unity.
    fn number_root(&self, number: &Rational) -> Option<Element> {
        let (outside, primes) = number.root_split(2)?;
        let outside = self.field.from_rational(&outside)?;
        primes
            .iter()
            .try_fold(outside, |root, &(prime, _)| Some(self.field.mul(root, self.field.sqrt_of_integer(prime)?)))
    }

    /// A root of odd prime order k; odd as the real one is, so that cbrt(−u) = −cbrt(u).
    fn odd_root(&mut self, u: Element, k: u64) -> Result<Element, Undefined> {
        let (key, negative) = self.up_to_sign(u);
        let root = match self.roots.get(&(key, k)) {
            Some(&root) => root,
            None => {
                let unity = match self.field.root_of_unity(k) {
                    Some(unity) => unity,
                    None if self.strict => return Err(Undefined::NeedsOrder(k)),
                    None => return Ok(self.opaque(Op::Power, &[u, self.field.from_u64(k)])),
                };
                let root = self.field.nth_root(key, k).ok_or(Undefined::NotAPower)?;
                let conjugates = (0..k).map(|j| self.field.mul(root, self.field.pow(unity, j)));
                let lowest = conjugates.min().unwrap_or(root);
                let choice = self.choose(k as u32, lowest);
                let root = self.field.mul(lowest, self.field.pow(unity, u64::from(choice)));
                self.roots.insert((key, k), root);
                root
            }
        };
        Ok(if negative { self.field.neg(root) } else { root })
    }

    /// A d-th part of a turn. This is a complex number: its root knows no sign, and nothing that
    /// holds for roots of positive numbers holds for it.
    fn turn(&mut self, phase: Element, d: u64) -> Result<Element, Undefined> {
        const TURN: u64 = 1 << 32;
        if let Some(&root) = self.roots.get(&(phase, TURN + d)) {
            return Ok(root);
        }
        let unity = match self.field.root_of_unity(d) {
            Some(unity) => unity,
            None if self.strict => return Err(Undefined::NeedsOrder(d)),
            None => return Ok(self.opaque(Op::Asin, &[phase, self.field.from_u64(d)])),
        };
        let root = self.field.nth_root(phase, d).ok_or(Undefined::NotAPower)?;
        let lowest = (0..d).map(|j| self.field.mul(root, self.field.pow(unity, j))).min().unwrap_or(root);
        let choice = self.choose(d as u32, lowest);
        let root = self.field.mul(lowest, self.field.pow(unity, u64::from(choice)));
        self.roots.insert((phase, TURN + d), root);
        Ok(root)
    }

    fn choose(&mut self, ways: u32, value: Element) -> u32 {
        match &mut self.branches {
            Branches::Random => (mix(self.seed, value.bits()) % u64::from(ways)) as u32,
            Branches::Mirrored { mask, met } => {
                let coin = (mix(self.seed, value.bits()) % u64::from(ways)) as u32;
                let place = met.filter(|_| ways == 2);
                *met = place.map(|place| place + 1);
                match place {
                    Some(place) if place < 32 => coin ^ (*mask >> place & 1),
                    _ => coin,
                }
            }
            Branches::Prescribed { choices, radices } => {
                radices.push(ways);
                choices.get(radices.len() - 1).copied().unwrap_or(0)
            }
        }
    }

    // ---- absolute values and switches

    fn signs(&self, store: &Store, id: Id) -> u8 {
        self.assumed.get(&id).copied().unwrap_or_else(|| store.signs(id))
    }

    fn magnitude(&mut self, store: &Store, id: Id, u: Element) -> Result<Element, Undefined> {
        let known = self.signs(store, id);
        if known & sign::NONNEGATIVE != 0 {
            Ok(u)
        } else if known & sign::NONPOSITIVE != 0 {
            Ok(self.field.neg(u))
        } else {
            self.square_root(self.field.square(u), true)
        }
    }

    /// The sign of u as ±1; a switch is looked at off its switching surface.
    fn direction(&mut self, store: &Store, id: Id, u: Element) -> Result<Element, Undefined> {
        if u == Element::ZERO {
            return Err(Undefined::DivisionByZero);
        }
        let magnitude = self.magnitude(store, id, u)?;
        self.field.div(magnitude, u).ok_or(Undefined::DivisionByZero)
    }

    fn extremum(&mut self, store: &Store, id: Id, value: &impl Fn(Id) -> Element) -> Result<Element, Undefined> {
        let &[a, b] = store.children(id) else { unreachable!("min and max have two arguments") };
        let difference = self.field.sub(value(a), value(b));
        let gap = self.square_root(self.field.square(difference), true)?;
        let sum = self.field.add(value(a), value(b));
        let twice = match store.op(id) {
            Op::Max => self.field.add(sum, gap),
            _ => self.field.sub(sum, gap),
        };
        Ok(self.field.mul(twice, self.field.half()))
    }

    fn if_zero(&self, d: Element, p: Element, q: Element) -> Element {
        match p == q {
            true => p,
            false => self.opaque(Op::IfZero, &[self.up_to_sign(d).0, p, q]),
        }
    }

    // ---- functions through a homomorphism

    fn circular(&mut self, store: &Store, id: Id, value: &impl Fn(Id) -> Element) -> Result<Element, Undefined> {
        let argument = store.child(id);
        let (w, inverse) = self.phase(store, argument, Through::Angle, value)?;
        let field = &self.field;
        let sine = field.mul(field.sub(w, inverse), field.half_over_i());
        let cosine = field.mul(field.add(w, inverse), field.half());
        match store.op(id) {
            Op::Sin => Ok(sine),
            Op::Cos => Ok(cosine),
            _ => field.div(sine, cosine).ok_or(Undefined::DivisionByZero),
        }
    }

    fn exponential(&mut self, store: &Store, id: Id, value: &impl Fn(Id) -> Element) -> Result<Element, Undefined> {
        let argument = store.child(id);
        let (w, inverse) = self.phase(store, argument, Through::Exponent, value)?;
        let field = &self.field;
        let (difference, sum) = (field.sub(w, inverse), field.add(w, inverse));
        match store.op(id) {
            Op::Exp => Ok(w),
            Op::Sinh => Ok(field.mul(difference, field.half())),
            Op::Cosh => Ok(field.mul(sum, field.half())),
            _ => field.div(difference, sum).ok_or(Undefined::DivisionByZero),
        }
    }

    /// e^(i·node) or e^node, with its inverse. Sums inside sums are done innermost first.
    fn phase(
        &mut self,
        store: &Store,
        id: Id,
        through: Through,
        value: &impl Fn(Id) -> Element,
    ) -> Result<(Element, Element), Undefined> {
        let mut waiting = vec![id];
        while let Some(&top) = waiting.last() {
            if self.phases.contains_key(&(through, top)) {
                waiting.pop();
                continue;
            }
            let nested = terms(store, top).find(|&term| {
                let (coefficient, core) = store.term(term);
                core != top
                    && store.op(core) == Op::Sum
                    && coefficient.is_integer()
                    && !self.phases.contains_key(&(through, core))
            });
            match nested {
                Some(term) => waiting.push(store.term(term).1),
                None => {
                    let phase = self.phase_of_terms(store, top, through, value)?;
                    self.phases.insert((through, top), phase);
                }
            }
        }
        Ok(self.phases[&(through, id)])
    }

    fn phase_of_terms(
        &mut self,
        store: &Store,
        id: Id,
        through: Through,
        value: &impl Fn(Id) -> Element,
    ) -> Result<(Element, Element), Undefined> {
        let one = self.field.one();
        let mut phase = (one, one);
        for term in terms(store, id) {
            let (coefficient, core) = store.term(term);
            let done = coefficient.to_i64().and_then(|n| Some((n, *self.phases.get(&(through, core))?)));
            let factor = match done {
                Some((n, known)) => self.to_the(known, n),
                None => self.phase_of_monomials(store, core, coefficient, through, value)?,
            };
            phase = (self.field.mul(phase.0, factor.0), self.field.mul(phase.1, factor.1));
        }
        Ok(phase)
    }

    fn phase_of_monomials(
        &mut self,
        store: &Store,
        core: Id,
        coefficient: &Rational,
        through: Through,
        value: &impl Fn(Id) -> Element,
    ) -> Result<(Element, Element), Undefined> {
        let one = self.field.one();
        let mut phase = (one, one);
        for (c, monomial) in monomials(store, &self.field, core, coefficient, value) {
            let factor = self.phase_of_monomial(&c, monomial, through)?;
            phase = (self.field.mul(phase.0, factor.0), self.field.mul(phase.1, factor.1));
        }
        Ok(phase)
    }

    fn phase_of_monomial(
        &mut self,
        c: &Rational,
        monomial: Element,
        through: Through,
    ) -> Result<(Element, Element), Undefined> {
        if through == Through::Angle && monomial == self.pi {
            return self.phase_of_pi(c);
        }
        if let Some(&inverse) = self.inverses.get(&monomial)
            && let Some((n, d)) = c.to_small()
            && let Some(phase) = self.phase_of_inverse(inverse, through)?
        {
            let root = match through {
                _ if d == 1 => phase,
                Through::Angle => self.turn(phase, d as u64)?,
                Through::Exponent => self.root(phase, d as u64, true)?,
            };
            let inverse = self.field.inv(root).ok_or(Undefined::DivisionByZero)?;
            return Ok(self.to_the((root, inverse), n));
        }
        let fine = c * &Rational::from(self.fineness as i64);
        match fine.to_i64() {
            Some(n) => {
                let base = self.base(monomial, through);
                Ok(self.to_the(base, n))
            }
            None => self.phase_too_fine(c, monomial, through),
        }
    }

    /// The element z of a monomial and its inverse; −m has the inverse of m's.
    fn base(&mut self, monomial: Element, through: Through) -> (Element, Element) {
        let (key, negative) = self.up_to_sign(monomial);
        let (z, inverse) = match self.bases.get(&(through, key)) {
            Some(&base) => base,
            None => {
                let salt = if through == Through::Angle { ANGLE } else { EXPONENT };
                let z = self.independent(mix(salt, key.bits()));
                let base = (z, self.field.inv(z).unwrap_or(z));
                self.bases.insert((through, key), base);
                base
            }
        };
        if negative { (inverse, z) } else { (z, inverse) }
    }

    fn phase_too_fine(
        &mut self,
        c: &Rational,
        monomial: Element,
        through: Through,
    ) -> Result<(Element, Element), Undefined> {
        let denominator = c.denominator().to_i64().filter(|&d| d < 1 << 20);
        if let (true, Some(d)) = (self.strict, denominator) {
            return Err(Undefined::NeedsFineness(d as u64));
        }
        let factor = self.field.from_rational(c).ok_or(Undefined::Modulus)?;
        Ok(self.base(self.field.mul(monomial, factor), through))
    }

    /// e^(iπ n/d) = ζ^n with ζ a root of unity of order 2d.
    fn phase_of_pi(&mut self, c: &Rational) -> Result<(Element, Element), Undefined> {
        let Some((n, d)) = c.to_small().filter(|&(_, d)| d < 1 << 20) else {
            return self.phase_too_fine(c, self.pi, Through::Exponent);
        };
        let order = 2 * d as u64;
        match self.field.root_of_unity(order) {
            Some(unity) => {
                let power = n.rem_euclid(order as i64) as u64;
                Ok((self.field.pow(unity, power), self.field.pow(unity, order - power)))
            }
            None if self.strict => Err(Undefined::NeedsOrder(order)),
            None => self.phase_too_fine(c, self.pi, Through::Exponent),
        }
    }

    fn to_the(&self, (w, inverse): (Element, Element), n: i64) -> (Element, Element) {
        let power = |w| self.field.pow(w, n.unsigned_abs());
        match n {
            1 => (w, inverse),
            -1 => (inverse, w),
            0.. => (power(w), power(inverse)),
            _ => (power(inverse), power(w)),
        }
    }

    // ---- inverse functions

    /// An opaque value of an odd function, remembered with what it is the inverse of.
    fn odd_inverse(&mut self, op: Op, u: Element, inverse: impl Fn(Element) -> Inverse) -> Element {
        let (key, negative) = self.up_to_sign(u);
        let value = self.opaque(op, &[key]);
        self.inverses.insert(value, inverse(key));
        self.inverses.insert(self.field.neg(value), inverse(self.field.neg(key)));
        if negative { self.field.neg(value) } else { value }
    }

    fn atan2(&mut self, store: &Store, children: &[Id], value: &impl Fn(Id) -> Element) -> Result<Element, Undefined> {
        let (y, x) = (value(children[0]), value(children[1]));
        if self.signs(store, children[1]) & sign::POSITIVE == sign::POSITIVE {
            let ratio = self.field.div(y, x).ok_or(Undefined::DivisionByZero)?;
            return Ok(self.odd_inverse(Op::Atan, ratio, Inverse::Atan));
        }
        let (key, negative) = self.up_to_sign(y);
        let angle = self.opaque(Op::Atan2, &[key, x]);
        self.inverses.insert(angle, Inverse::Atan2(key, x));
        self.inverses.insert(self.field.neg(angle), Inverse::Atan2(self.field.neg(key), x));
        Ok(if negative { self.field.neg(angle) } else { angle })
    }

    /// log u; log(1/u) = −log u, and a product is split where the factors are known positive.
    fn log(&mut self, store: &Store, id: Id, value: &impl Fn(Id) -> Element) -> Result<Element, Undefined> {
        if self.assumed.is_empty() || store.op(id) != Op::Product {
            return self.log_of(value(id));
        }
        let mut sum = Element::ZERO;
        let mut rest = self.field.one();
        for &factor in store.children(id) {
            let (base, exponent) = store.factor(factor);
            if self.signs(store, base) & sign::POSITIVE == sign::POSITIVE {
                let times = self.field.from_rational(exponent).ok_or(Undefined::Modulus)?;
                let log = self.log_of(value(base))?;
                sum = self.field.add(sum, self.field.mul(times, log));
            } else {
                rest = self.field.mul(rest, value(factor));
            }
        }
        let rest = if rest == self.field.one() { Element::ZERO } else { self.log_of(rest)? };
        Ok(self.field.add(sum, rest))
    }

    fn log_of(&mut self, u: Element) -> Result<Element, Undefined> {
        let reciprocal = self.field.inv(u).ok_or(Undefined::DivisionByZero)?;
        let negative = reciprocal < u;
        let key = if negative { reciprocal } else { u };
        let log = self.opaque(Op::Log, &[key]);
        let log = if negative { self.field.neg(log) } else { log };
        self.inverses.insert(log, Inverse::Log(u));
        Ok(log)
    }

    /// e^(i·asin u) = sqrt(1 − u²) + i u, and so on; `None` where the two have nothing in common.
    fn phase_of_inverse(&mut self, inverse: Inverse, through: Through) -> Result<Option<Element>, Undefined> {
        let one = self.field.one();
        let i = self.field.i();
        let beside = |u| self.field.sub(one, self.field.square(u));
        let (across, along, norm) = match (inverse, through) {
            (Inverse::Log(u), Through::Exponent) => return Ok(Some(u)),
            (Inverse::Asin(u), Through::Angle) => (u, self.square_root(beside(u), false)?, one),
            (Inverse::Acos(u), Through::Angle) => (self.square_root(beside(u), false)?, u, one),
            (Inverse::Atan(u), Through::Angle) => {
                (u, one, self.square_root(self.field.add(one, self.field.square(u)), true)?)
            }
            (Inverse::Atan2(y, x), Through::Angle) => {
                let square = self.field.add(self.field.square(x), self.field.square(y));
                (y, x, self.square_root(square, true)?)
            }
            _ => return Ok(None),
        };
        let complex = self.field.add(along, self.field.mul(i, across));
        self.field.div(complex, norm).map(Some).ok_or(Undefined::DivisionByZero)
    }

    // ---- values without meaning

    fn opaque(&self, op: Op, arguments: &[Element]) -> Element {
        let word = arguments.iter().fold(op as u64, |word, argument| mix(word, argument.bits()));
        self.independent(word)
    }

    /// One of u and −u, the same for both, and whether it was −u.
    fn up_to_sign(&self, u: Element) -> (Element, bool) {
        let other = self.field.neg(u);
        if other < u { (other, true) } else { (u, false) }
    }
}

/// The terms of a sum, or the node itself.
fn terms(store: &Store, id: Id) -> impl Iterator<Item = Id> + '_ {
    let own = [id];
    let children = if store.op(id) == Op::Sum { store.children(id) } else { &[] };
    let alone = children.is_empty().then_some(own[0]);
    children.iter().copied().chain(alone)
}

/// Splits `coefficient · core` into monomials with rational coefficients, by their values.
fn monomials(
    store: &Store,
    field: &Field,
    core: Id,
    coefficient: &Rational,
    value: &impl Fn(Id) -> Element,
) -> Vec<(Rational, Element)> {
    // The core of a number is one, which need not be a node of the expression.
    let value = &|id: Id| if id == Graph::ONE { field.one() } else { value(id) };
    let mut list = Vec::new();
    let mut waiting = vec![(coefficient.clone(), core)];
    while let Some((c, id)) = waiting.pop() {
        if list.len() + waiting.len() > MONOMIALS {
            return vec![(coefficient.clone(), value(core))];
        }
        match store.op(id) {
            Op::Sum => waiting.extend(store.children(id).iter().map(|&term| {
                let (factor, core) = store.term(term);
                (&c * factor, core)
            })),
            Op::Product | Op::Power => match expanded(store, field, id, value, 3) {
                Some(parts) => list.extend(parts.into_iter().map(|(factor, monomial)| (&c * &factor, monomial))),
                None => list.push((c, value(id))),
            },
            _ => list.push((c, value(id))),
        }
    }
    list
}

/// The monomials of a product of sums, or of a small power of one; `None` if it has no sum in it.
fn expanded(
    store: &Store,
    field: &Field,
    id: Id,
    value: &impl Fn(Id) -> Element,
    depth: u32,
) -> Option<Vec<(Rational, Element)>> {
    const LIMIT: usize = 64;
    let alone = |id| vec![(Rational::ONE, value(id))];
    if depth == 0 {
        return None;
    }
    let times = |left: &[(Rational, Element)], right: &[(Rational, Element)]| {
        let pairs = left.iter().flat_map(|(a, u)| right.iter().map(move |(b, v)| (a * b, (u, v))));
        pairs.map(|(c, (u, v))| (c, field.mul(*u, *v))).collect::<Vec<_>>()
    };
    match store.op(id) {
        Op::Sum => {
            let mut parts = Vec::new();
            for &term in store.children(id) {
                let (c, core) = store.term(term);
                let inner = expanded(store, field, core, value, depth - 1).unwrap_or_else(|| alone(core));
                parts.extend(inner.into_iter().map(|(factor, monomial)| (c * &factor, monomial)));
            }
            (parts.len() <= LIMIT).then_some(parts)
        }
        Op::Product => {
            let factors: Vec<_> =
                store.children(id).iter().map(|&f| (f, expanded(store, field, f, value, depth - 1))).collect();
            factors.iter().any(|(_, parts)| parts.is_some()).then_some(())?;
            factors.into_iter().try_fold(vec![(Rational::ONE, field.one())], |product, (f, parts)| {
                let product = times(&product, &parts.unwrap_or_else(|| alone(f)));
                (product.len() <= LIMIT).then_some(product)
            })
        }
        Op::Power => {
            let (base, exponent) = store.factor(id);
            let n = exponent.to_i64().filter(|n| (2..=4).contains(n))?;
            let parts = expanded(store, field, base, value, depth - 1)?;
            (1..n).try_fold(parts.clone(), |product, _| {
                let product = times(&product, &parts);
                (product.len() <= LIMIT).then_some(product)
            })
        }
        _ => None,
    }
}

/// The prime powers of a small integer.
fn prime_powers(mut n: u64) -> Vec<(u64, u32)> {
    let mut list = Vec::new();
    let mut prime = 2;
    while n > 1 {
        if prime * prime > n {
            prime = n;
        }
        let mut times = 0;
        while n.is_multiple_of(prime) {
            n /= prime;
            times += 1;
        }
        if times > 0 {
            list.push((prime, times));
        }
        prime += 1;
    }
    list
}

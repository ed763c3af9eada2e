//! Of what degree are the steps as rational functions, and how large are their coefficients?
//!
//! A value is P/Q, P a Laurent polynomial in the symbols, the elements z of angles and exponents
//! and the values of functions without image; Q a product of named factors, so that a sum needs
//! only the least common multiple of its denominators.

use std::collections::BTreeMap;
use std::rc::Rc;

use expr::{Op, Rational};

use super::program::{Program, through};

/// The factor 2 of denominators; others are named by the step that is inverted.
const TWO: u32 = u32::MAX;

type Factors = Rc<BTreeMap<u32, u64>>;

/// Degrees of steps.
#[derive(Clone, Copy, Default)]
pub(super) struct Degree {
    /// Of the numerators of what shall vanish, every exponent counted with its size.
    pub degree: u64,
    /// How many variables may have negative exponents.
    pub laurent: u64,
    /// A bound for the degree of u·w − c·v with any steps u, v, w that are told apart by their values.
    pub any: u64,
    /// log₂ of the sum of the sizes of its coefficients.
    pub height: u64,
}

#[derive(Clone)]
struct Size {
    degree: u64,
    height: u64,
    below: Factors,
    /// Degree and height of the denominator.
    total: (u64, u64),
}

struct Pass<'a> {
    program: &'a Program,
    sizes: Vec<Size>,
    factors: BTreeMap<u32, (u64, u64)>,
    laurent: u64,
}

/// The degree of the steps that shall vanish.
pub(super) fn degree(program: &Program) -> Degree {
    let mut pass = Pass { program, sizes: Vec::new(), factors: BTreeMap::from([(TWO, (0, 1))]), laurent: 0 };
    pass.sizes.reserve(program.nodes.len());
    for place in 0..program.nodes.len() as u32 {
        let size = pass.size(place);
        pass.sizes.push(size);
    }
    let four = |above: u64, below: u64| above.saturating_add(below).saturating_mul(4);
    let heights = pass.sizes.iter().map(|size| four(size.height, size.total.1));
    let vanish = program.vanish.iter().map(|&place| pass.sizes[place as usize].degree);
    let told = told_apart(program).into_iter().map(|product| {
        product.into_iter().fold(0u64, |sum, (place, e)| {
            let size = &pass.sizes[place as usize];
            sum.saturating_add(four(size.degree, size.total.0).saturating_mul(e.unsigned_abs()))
        })
    });
    Degree {
        degree: vanish.max().unwrap_or(0),
        laurent: pass.laurent,
        any: told.max().unwrap_or(0),
        height: heights.max().unwrap_or(0),
    }
}

/// What `point` tells apart by its value, as products of steps: steps of which a root, a sign or an inverse function
/// is taken, and their factors; functions of angles and exponents, and the monomials of these; and steps whose sign is known, which are roots
/// of their squares.
fn told_apart(program: &Program) -> Vec<Vec<(u32, i64)>> {
    let mut told = Vec::new();
    for (place, node) in program.nodes.iter().enumerate() {
        let place = place as u32;
        let is_whole = |place: u32| program.exponent(place).is_some_and(|(_, d)| d == 1);
        match node.op {
            Op::Number | Op::Symbol | Op::Pi | Op::Sum | Op::Scale | Op::Product => {}
            Op::Power if is_whole(place) => {}
            op if through(op).is_some() => {
                told.push(vec![(place, 1)]);
                told.extend(program.arguments[&node.of[0]].keys().cloned());
            }
            _ => {
                told.extend(node.of.iter().map(|&argument| vec![(argument, 1)]));
                told.extend(node.of.iter().flat_map(|&argument| program.factors(argument)).map(|factor| vec![factor]));
            }
        }
        if program.is_signed(place) {
            told.push(vec![(place, 1)]);
        }
    }
    told
}

impl Pass<'_> {
    fn total(&self, below: &Factors) -> (u64, u64) {
        below.iter().fold((0, 0), |(degree, height), (name, &times)| {
            let (d, h) = self.factors[name];
            (degree.saturating_add(d.saturating_mul(times)), height.saturating_add(h.saturating_mul(times)))
        })
    }

    /// A size over factors that are known.
    fn over(&self, degree: u64, height: u64, factors: &[(u32, u64)]) -> Size {
        let below: Factors = Rc::new(factors.iter().copied().collect());
        let total = self.total(&below);
        Size { degree, height, below, total }
    }

    fn of(&self, place: u32) -> &Size {
        &self.sizes[place as usize]
    }

    fn size(&mut self, place: u32) -> Size {
        let node = self.program.node(place);
        let first = node.of.first().map(|&first| self.of(first).clone());
        match (node.op, first) {
            (Op::Number, _) => {
                let number = node.number.clone().unwrap_or(Rational::ZERO);
                self.factors.insert(place, (0, number.denominator().bits()));
                let own = [(place, 1)];
                self.over(0, number.numerator().bits(), if number.is_integer() { &[] } else { &own })
            }
            (Op::Sum, _) => self.sum(&node.of),
            (Op::Scale | Op::Product, Some(first)) => {
                node.of[1..].iter().fold(first, |product, &factor| times(&product, self.of(factor)))
            }
            (Op::Power, Some(base)) => self.power(place, &base),
            (Op::Abs, Some(first)) => first,
            (Op::Cbrt, Some(first)) => self.root(&first, 3),
            (Op::Sign, Some(first)) => {
                self.factors.insert(node.of[0], (first.degree, first.height));
                self.over(first.degree, first.height, &[(node.of[0], 1)])
            }
            (Op::Min | Op::Max, _) => {
                let sum = self.sum(&[node.of[0], node.of[1], node.of[0], node.of[1]]);
                times(&sum, &self.over(0, 0, &[(TWO, 1)]))
            }
            (Op::IfNegative, _) => self.sum(&node.of[1..]),
            (op, _) if through(op).is_some() => {
                let degree = self.phase(node.of[0]);
                if matches!(op, Op::Tan | Op::Tanh) {
                    self.factors.insert(place, (degree.saturating_mul(2), 1));
                    return self.over(degree.saturating_mul(2), 1, &[(place, 1)]);
                }
                self.over(degree, 1, &[(TWO, 1)])
            }
            _ => self.over(1, 0, &[]),
        }
    }

    fn sum(&self, terms: &[u32]) -> Size {
        // The longest denominator contains the others more often than not.
        let longest = terms.iter().map(|&term| self.of(term)).max_by_key(|size| size.below.len());
        let (mut below, mut total) = longest.map_or_else(Default::default, |size| (Rc::clone(&size.below), size.total));
        let mut is_same = true;
        for other in terms.iter().map(|&term| &self.of(term).below).filter(|other| !other.is_empty()) {
            if Rc::ptr_eq(other, &below) {
                continue;
            }
            for (&name, &times) in other.iter() {
                if below.get(&name).is_none_or(|&own| own < times) {
                    Rc::make_mut(&mut below).insert(name, times);
                    is_same = false;
                }
            }
        }
        if !is_same {
            total = self.total(&below);
        }
        let (degree, height) = total;
        let widened = terms.iter().map(|&term| {
            let own = self.of(term);
            let (d, h) = own.total;
            (lifted(own.degree, degree, d), lifted(own.height, height, h))
        });
        let (degree, height) = widened.fold((0, 0), |(degree, height), (d, h)| (d.max(degree), h.max(height)));
        Size { degree, height: height.saturating_add(u64::from(bits(terms.len() as u64 - 1))), below, total }
    }

    fn power(&mut self, place: u32, base: &Size) -> Size {
        let (n, d) = self.program.exponent(place).unwrap_or((i64::MAX, 1));
        let root = if d == 1 { base.clone() } else { self.root(base, d as u64) };
        if n > 0 {
            return repeated(&root, n.unsigned_abs());
        }
        let (degree, height) = root.total;
        let name = if d == 1 { self.program.node(place).of[0] } else { place };
        self.factors.insert(name, (root.degree, root.height));
        repeated(&self.over(degree, height, &[(name, 1)]), n.unsigned_abs())
    }

    /// (P/Q)^(1/d) = (P Q^(d−1))^(1/d) / Q.
    fn root(&self, own: &Size, d: u64) -> Size {
        let (degree, height) = own.total;
        let part = |above: u64, below: u64| match above.saturating_add(below.saturating_mul(d - 1)) {
            u64::MAX => u64::MAX,
            all => all.div_ceil(d),
        };
        Size { degree: part(own.degree, degree), height: part(own.height, height), ..own.clone() }
    }

    /// The degree of Π z^(c·fineness): the sizes of the coefficients added up.
    fn phase(&mut self, argument: u32) -> u64 {
        let polynomial = &self.program.arguments[&argument];
        self.laurent += polynomial.len() as u64;
        let fineness = Rational::from_u64(self.program.fineness);
        let weights = polynomial.iter().map(|(monomial, c)| {
            let size = (-&(-&(&c.abs() * &fineness)).floor()).to_i64().map_or(u64::MAX, i64::unsigned_abs);
            size.saturating_mul(self.inside(monomial))
        });
        weights.fold(0, u64::saturating_add)
    }

    /// The degree that an inverse function's argument brings along.
    fn inside(&self, monomial: &[(u32, i64)]) -> u64 {
        let inverse = |op| matches!(op, Op::Asin | Op::Acos | Op::Atan | Op::Atan2 | Op::Log);
        let inner = monomial.iter().filter(|(place, _)| inverse(self.program.node(*place).op));
        let arguments = inner.flat_map(|&(place, _)| self.program.node(place).of.iter());
        arguments.fold(1, |sum: u64, &place| {
            let own = self.of(place);
            let degree = own.degree.saturating_add(own.total.0);
            sum.saturating_add(degree.saturating_mul(2))
        })
    }
}

/// A bound over the common denominator, which is `whole` where its own is `own`; what is larger than can be told stays so.
fn lifted(above: u64, whole: u64, own: u64) -> u64 {
    if whole == u64::MAX { u64::MAX } else { above.saturating_add(whole.saturating_sub(own)) }
}

fn times(a: &Size, b: &Size) -> Size {
    let (long, short) = if a.below.len() >= b.below.len() { (a, b) } else { (b, a) };
    let mut below = Rc::clone(&long.below);
    for (&name, &times) in short.below.iter() {
        let own = Rc::make_mut(&mut below).entry(name).or_insert(0);
        *own = own.saturating_add(times);
    }
    let add = |a: (u64, u64), b: (u64, u64)| (a.0.saturating_add(b.0), a.1.saturating_add(b.1));
    let (degree, height) = add((a.degree, a.height), (b.degree, b.height));
    Size { degree, height, below, total: add(a.total, b.total) }
}

fn repeated(size: &Size, n: u64) -> Size {
    let mut below = Rc::clone(&size.below);
    if n != 1 && !below.is_empty() {
        Rc::make_mut(&mut below).values_mut().for_each(|times| *times = times.saturating_mul(n));
    }
    let by_n = |(degree, height): (u64, u64)| (degree.saturating_mul(n), height.saturating_mul(n));
    let (degree, height) = by_n((size.degree, size.height));
    Size { degree, height, below, total: by_n(size.total) }
}

/// The binary digits of n.
pub(super) fn bits(n: u64) -> u32 {
    64 - n.leading_zeros()
}

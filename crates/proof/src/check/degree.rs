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
    /// A bound for the degree of u·w − c·v with any steps u, v, w.
    pub any: u64,
    /// log₂ of the sum of the sizes of its coefficients.
    pub height: u64,
}

#[derive(Clone)]
struct Size {
    degree: u64,
    height: u64,
    below: Factors,
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
    for place in 0..program.nodes.len() as u32 {
        let size = pass.size(place);
        pass.sizes.push(size);
    }
    let bound = Degree { laurent: pass.laurent, ..Degree::default() };
    let bound = pass.sizes.iter().fold(bound, |bound, size| {
        let (degree, height) = pass.total(&size.below);
        let four = |above: u64, below: u64| above.saturating_add(below).saturating_mul(4);
        let any = bound.any.max(four(size.degree, degree));
        Degree { any, height: bound.height.max(four(size.height, height)), ..bound }
    });
    let vanish = program.vanish.iter().map(|&place| pass.sizes[place as usize].degree);
    Degree { degree: vanish.max().unwrap_or(0), ..bound }
}

impl Pass<'_> {
    fn total(&self, below: &Factors) -> (u64, u64) {
        below.iter().fold((0, 0), |(degree, height), (name, &times)| {
            let (d, h) = self.factors[name];
            (degree.saturating_add(d.saturating_mul(times)), height.saturating_add(h.saturating_mul(times)))
        })
    }

    fn of(&self, place: u32) -> &Size {
        &self.sizes[place as usize]
    }

    fn size(&mut self, place: u32) -> Size {
        let node = self.program.node(place);
        let over = |factors: &[(u32, u64)]| Rc::new(factors.iter().copied().collect::<BTreeMap<_, _>>());
        let first = node.of.first().map(|&first| self.of(first).clone());
        match (node.op, first) {
            (Op::Number, _) => {
                let number = node.number.clone().unwrap_or(Rational::ZERO);
                self.factors.insert(place, (0, number.denominator().bits()));
                let below = if number.is_integer() { over(&[]) } else { over(&[(place, 1)]) };
                Size { degree: 0, height: number.numerator().bits(), below }
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
                Size { below: over(&[(node.of[0], 1)]), ..first }
            }
            (Op::Min | Op::Max, _) => {
                let sum = self.sum(&[node.of[0], node.of[1], node.of[0], node.of[1]]);
                times(&sum, &Size { degree: 0, height: 0, below: over(&[(TWO, 1)]) })
            }
            (Op::IfNegative, _) => self.sum(&node.of[1..]),
            (op, _) if through(op).is_some() => {
                let degree = self.phase(node.of[0]);
                if matches!(op, Op::Tan | Op::Tanh) {
                    self.factors.insert(place, (degree.saturating_mul(2), 1));
                    return Size { degree: degree.saturating_mul(2), height: 1, below: over(&[(place, 1)]) };
                }
                Size { degree, height: 1, below: over(&[(TWO, 1)]) }
            }
            _ => Size { degree: 1, height: 0, below: over(&[]) },
        }
    }

    fn sum(&self, terms: &[u32]) -> Size {
        let mut below = BTreeMap::new();
        for (&name, &times) in terms.iter().flat_map(|&term| self.of(term).below.iter()) {
            let own = below.entry(name).or_insert(0);
            *own = times.max(*own);
        }
        let below = Rc::new(below);
        let (degree, height) = self.total(&below);
        let widened = terms.iter().map(|&term| {
            let own = self.of(term);
            let (d, h) = self.total(&own.below);
            (own.degree.saturating_add(degree - d.min(degree)), own.height.saturating_add(height - h.min(height)))
        });
        let (degree, height) = widened.fold((0, 0), |(degree, height), (d, h)| (d.max(degree), h.max(height)));
        Size { degree, height: height.saturating_add(u64::from(bits(terms.len() as u64 - 1))), below }
    }

    fn power(&mut self, place: u32, base: &Size) -> Size {
        let (n, d) = self.program.exponent(place).unwrap_or((i64::MAX, 1));
        let root = if d == 1 { base.clone() } else { self.root(base, d as u64) };
        if n > 0 {
            return repeated(&root, n.unsigned_abs());
        }
        let (degree, height) = self.total(&root.below);
        let name = if d == 1 { self.program.node(place).of[0] } else { place };
        self.factors.insert(name, (root.degree, root.height));
        repeated(&Size { degree, height, below: Rc::new(BTreeMap::from([(name, 1)])) }, n.unsigned_abs())
    }

    /// (P/Q)^(1/d) = (P Q^(d−1))^(1/d) / Q.
    fn root(&self, own: &Size, d: u64) -> Size {
        let (degree, height) = self.total(&own.below);
        let part = |above: u64, below: u64| above.saturating_add(below.saturating_mul(d - 1)).div_ceil(d);
        Size { degree: part(own.degree, degree), height: part(own.height, height), below: Rc::clone(&own.below) }
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
            let degree = own.degree.saturating_add(self.total(&own.below).0);
            sum.saturating_add(degree.saturating_mul(2))
        })
    }
}

fn times(a: &Size, b: &Size) -> Size {
    let mut below = (*a.below).clone();
    for (&name, &times) in b.below.iter() {
        let own = below.entry(name).or_insert(0);
        *own = own.saturating_add(times);
    }
    let (degree, height) = (a.degree.saturating_add(b.degree), a.height.saturating_add(b.height));
    Size { degree, height, below: Rc::new(below) }
}

fn repeated(size: &Size, n: u64) -> Size {
    let below = size.below.iter().map(|(&name, &times)| (name, times.saturating_mul(n))).collect();
    Size { degree: size.degree.saturating_mul(n), height: size.height.saturating_mul(n), below: Rc::new(below) }
}

/// The binary digits of n.
pub(super) fn bits(n: u64) -> u32 {
    64 - n.leading_zeros()
}

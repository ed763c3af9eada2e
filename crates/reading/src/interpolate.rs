//! Which quotient of sparse polynomials has these values?
//!
//! ```text
//! along each variable alone      the rational function, its degrees, its denominator                  (1)
//! denominators                   explained by factors that are known beforehand                       (2)
//! all variables at once          x_v = s_v ω^(w_v k), k = 0, 1, 2, …: w_v the product of the ranges of
//!                                exponents before v, so that each monomial is one power of ω             (3)
//! ```
//!
//! The values at (3) are a sum of T geometric sequences; a recurrence, its roots and their amplitudes give
//! the terms from 2T + 3 values. The cost follows the length of the answer, not that of the expression.
//! The s are random, since all sines vanish at 1.
//!
//! Source: M. Ben-Or, P. Tiwari, STOC 1988, 301–309.

use expr::field::{Element, Random};

use crate::dense::{Dense, degree, exact, gcd, rational_through, without_power};
use crate::factor::Factor;
use crate::fourier::{Fourier, Term};
use crate::machine::{Machine, Point};
use crate::recurrence::Recurrence;
use crate::roots::{amplitudes, logarithms};

/// Points along one variable, tried one after the other.
const POINTS: [usize; 9] = [5, 7, 10, 14, 20, 32, 50, 76, 115];
/// Points that are evaluated together.
const LANES: usize = 8;
/// Monomials are told apart by powers of a root of unity of at most this order, as a power of two.
pub(crate) const BITS: u32 = 44;

/// An expression as a quotient: modes over a product of factors, which are numbered, with exponents.
#[derive(Clone, Debug)]
pub(crate) struct Quotient {
    pub above: Fourier,
    pub below: Vec<(usize, i32)>,
}

/// Finds quotients for steps of one machine.
pub(crate) struct Interpolation<'a> {
    pub machine: &'a Machine,
    pub factors: Vec<Factor>,
    random: Random,
    /// Steps of evaluation that are left.
    work: &'a mut u64,
}

/// The rational function along one variable.
struct Line {
    above: Dense,
    below: Dense,
    /// Powers of the variable in both.
    low: i32,
}

impl<'a> Interpolation<'a> {
    /// Knows the factors that a machine divides by.
    pub fn new(machine: &'a Machine, most: usize, work: &'a mut u64) -> Interpolation<'a> {
        let factors = machine.angles.iter().flat_map(|phase| Factor::waves(machine, phase)).collect();
        let mut made = Interpolation { machine, factors, random: Random::new(0x5eed), work };
        for &step in &machine.divisors {
            // one that is too long may have cancelled
            let Some(quotient) = made.quotient(step, most, true) else { continue };
            let sum = quotient.above.primitive(&machine.variables);
            if let Some(factor) = Factor::sum(machine, sum)
                && !made.factors.iter().any(|known| known.meaning == factor.meaning)
            {
                made.factors.push(factor);
            }
        }
        made
    }

    fn values(&mut self, steps: &[u32], points: &[Point]) -> Option<Vec<Element>> {
        let cost = (steps.len() * points.len()) as u64;
        *self.work = self.work.checked_sub(cost)?;
        self.machine.values(steps, points)
    }

    /// A step as a quotient with at most so many terms; `bare` takes sines and cosines out of its numerator.
    pub fn quotient(&mut self, step: u32, most: usize, bare: bool) -> Option<Quotient> {
        let steps = self.machine.below(step);
        let point = self.machine.random_point(&mut self.random);
        let first = self.values(&steps, std::slice::from_ref(&point))?[0];
        let mut lines = Vec::new();
        for v in 0..self.machine.variables.len() {
            lines.push(self.line(&steps, &point, first, v)?);
        }
        let mut below = vec![0; self.factors.len()];
        for (v, line) in lines.iter().enumerate() {
            if let Some(line) = line {
                self.explain(&line.below, &point, v, &mut below)?;
            }
        }
        if bare {
            self.take_out(&lines, &point, &mut below);
        }
        let terms = self.terms(&steps, &lines, &below, most)?;
        let above = Fourier::of(&self.machine.field, &self.machine.variables, &terms)?;
        let below = below.into_iter().enumerate().filter(|(_, n)| *n != 0).collect();
        Some(Quotient { above, below })
    }

    /// (1): the function of one variable; `Some(None)` if it does not depend on it.
    fn line(&mut self, steps: &[u32], point: &Point, first: Element, v: usize) -> Option<Option<Line>> {
        let machine = self.machine;
        let field = &machine.field;
        let (mut places, mut values) = (vec![point.values[v]], vec![first]);
        let take = |own: &mut Self, count: usize, places: &mut Vec<Element>, values: &mut Vec<Element>| {
            let mut points = Vec::with_capacity(count);
            for _ in 0..count {
                let x = field.random(&mut own.random);
                let mut moved = point.clone();
                (moved.values[v], moved.inverses[v]) = (x, field.inv(x)?);
                places.push(x);
                points.push(moved);
            }
            values.extend(own.values(steps, &points)?);
            Some(())
        };
        take(self, 1, &mut places, &mut values)?;
        if values[1] == first {
            return Some(None);
        }
        for count in POINTS {
            let more = count - places.len();
            take(self, more, &mut places, &mut values)?;
            if let Some((above, below)) = rational_through(field, &places, &values) {
                let ((high, above), (low, below)) = (without_power(&above), without_power(&below));
                return Some(Some(Line { above, below, low: high - low }));
            }
        }
        None
    }

    /// (2): how often each factor divides a denominator along a variable; sines and cosines first.
    fn explain(&self, below: &Dense, point: &Point, v: usize, found: &mut [i32]) -> Option<()> {
        let field = &self.machine.field;
        let mut order: Vec<usize> = (0..self.factors.len()).filter(|&k| self.factors[k].degree(v) > 0).collect();
        order.sort_by_key(|&k| {
            let (sum, degree) = (self.factors[k].is_sum(), self.factors[k].degree(v));
            (sum, if sum { -degree } else { degree })
        });
        let mut rest = below.clone();
        let lines: Vec<Dense> = order.iter().map(|&k| self.factors[k].along(field, point, v)).collect();
        for (&k, line) in order.iter().zip(&lines) {
            let mut times = 0;
            while degree(&rest) >= degree(line)
                && let Some(quotient) = exact(field, &rest, line)
            {
                (rest, times) = (quotient, times + 1);
            }
            found[k] = found[k].max(times);
        }
        for (&k, line) in order.iter().zip(&lines) {
            while degree(&rest) > 0 {
                let common = gcd(field, &rest, line)?;
                if degree(&common) < 1 {
                    break;
                }
                rest = exact(field, &rest, &common)?;
                found[k] += 1;
            }
        }
        (degree(&rest) == 0).then_some(())
    }

    /// Sines and cosines that divide the numerator along every variable they depend on.
    fn take_out(&self, lines: &[Option<Line>], point: &Point, below: &mut [i32]) {
        let field = &self.machine.field;
        for (k, factor) in self.factors.iter().enumerate() {
            if factor.is_sum() || below[k] > 0 {
                continue;
            }
            let own = (0..lines.len()).filter(|&v| factor.degree(v) > 0);
            let times = own.map(|v| {
                let Some(line) = &lines[v] else { return 0 };
                let by = factor.along(field, point, v);
                let (mut rest, mut times) = (line.above.clone(), 0);
                while let Some(quotient) = exact(field, &rest, &by).filter(|_| rest.len() >= by.len()) {
                    (rest, times) = (quotient, times + 1);
                }
                times
            });
            below[k] = -times.min().unwrap_or(0);
        }
    }

    /// (3): the terms of the step times the product of the factors.
    fn terms(&mut self, steps: &[u32], lines: &[Option<Line>], below: &[i32], most: usize) -> Option<Vec<Term>> {
        let machine = self.machine;
        let field = &machine.field;
        let (mut lows, mut ranges) = (Vec::new(), Vec::new());
        for (v, line) in lines.iter().enumerate() {
            let more: i32 = self.factors.iter().zip(below).map(|(factor, n)| n * factor.degree(v)).sum();
            let (low, high) = match line {
                None => (0, more),
                Some(line) => (line.low, line.low + degree(&line.above) - degree(&line.below) + more),
            };
            lows.push(low);
            ranges.push(u64::try_from(high - low + 1).ok().filter(|n| *n > 0)?);
        }
        let size = ranges.iter().try_fold(1u64, |size, &n| size.checked_mul(n).filter(|size| *size <= 1 << BITS))?;
        let bits = size.next_power_of_two().trailing_zeros().max(2);
        let omega = field.root_of_unity(1 << bits)?;
        let mut weight = 1u64;
        let mut ratios = Vec::new();
        for n in &ranges {
            ratios.push(field.pow(omega, weight));
            weight *= n;
        }
        let start = machine.random_point(&mut self.random);
        let ratio = Point::new(field, ratios);
        let recurrence = self.sequence(steps, &start, &ratio, (&lows, below), most)?;
        let polynomial = recurrence.polynomial();
        let logs = logarithms(field, &polynomial, omega, bits)?;
        let roots: Vec<Element> = logs.iter().map(|&log| field.pow(omega, log)).collect();
        let found = amplitudes(field, &polynomial, &roots, recurrence.values())?;
        let terms = logs.iter().zip(found).map(|(&log, c)| self.term(log, c, &start, (&lows, &ranges), below));
        Some(terms.collect())
    }

    /// The recurrence of the values at (3).
    fn sequence(
        &mut self,
        steps: &[u32],
        start: &Point,
        ratio: &Point,
        (lows, below): (&[i32], &[i32]),
        most: usize,
    ) -> Option<Recurrence> {
        let field = &self.machine.field;
        let mut recurrence = Recurrence::new(field);
        let mut tracks = self.tracks(start, ratio, lows, below);
        let mut point = start.clone();
        while !recurrence.is_certain() {
            if recurrence.terms() > most {
                return None;
            }
            let mut points = Vec::with_capacity(LANES);
            for _ in 0..LANES {
                points.push(point.clone());
                for (x, &r) in point.values.iter_mut().zip(&ratio.values) {
                    *x = field.mul(*x, r);
                }
                for (x, &r) in point.inverses.iter_mut().zip(&ratio.inverses) {
                    *x = field.mul(*x, r);
                }
            }
            for value in self.values(steps, &points)? {
                let mut value = value;
                for track in &mut tracks {
                    value = track.times(field, value)?;
                }
                if !recurrence.is_certain() {
                    recurrence.push(field, value)?;
                }
            }
        }
        (recurrence.terms() <= most).then_some(recurrence)
    }

    /// What each value is multiplied by: factors, and the monomial that makes exponents nonnegative.
    fn tracks(&self, start: &Point, ratio: &Point, lows: &[i32], below: &[i32]) -> Vec<Track> {
        let field = &self.machine.field;
        let along = |point: &Point, powers: &[i32], by: i32| {
            let list = powers.iter().enumerate().filter(|(_, n)| **n != 0);
            list.fold(field.one(), |x, (v, &n)| field.mul(x, point.power(field, v as u32, by * n)))
        };
        let mut tracks = vec![Track { terms: vec![(along(start, lows, -1), along(ratio, lows, -1))], times: 1 }];
        for (factor, &times) in self.factors.iter().zip(below).filter(|(_, n)| **n != 0) {
            let terms = factor.terms.iter();
            let terms = terms.map(|(n, c)| (field.mul(*c, along(start, n, 1)), along(ratio, n, 1))).collect();
            tracks.push(Track { terms, times });
        }
        tracks
    }

    /// A term from the logarithm of its root and its amplitude, with factors as what they stand for.
    fn term(&self, log: u64, c: Element, start: &Point, (lows, ranges): (&[i32], &[u64]), below: &[i32]) -> Term {
        let field = &self.machine.field;
        let (mut rest, mut c, mut powers) = (log, c, Vec::with_capacity(lows.len()));
        for (v, (&low, &range)) in lows.iter().zip(ranges).enumerate() {
            let digit = (rest % range) as i32;
            rest /= range;
            c = field.mul(c, start.power(field, v as u32, -digit));
            powers.push(digit + low);
        }
        for (factor, &times) in self.factors.iter().zip(below).filter(|(_, n)| **n != 0) {
            powers.iter_mut().zip(&factor.shift).for_each(|(n, shift)| *n -= times * shift);
            let scale = field.pow_signed(factor.scale, i64::from(times));
            c = field.mul(c, scale.unwrap_or(Element::ZERO));
        }
        (powers, c)
    }
}

/// A sum of geometric sequences to a power.
struct Track {
    terms: Vec<(Element, Element)>,
    times: i32,
}

impl Track {
    /// A value times the next member.
    fn times(&mut self, field: &expr::field::Field, value: Element) -> Option<Element> {
        let mut sum = Element::ZERO;
        for (x, ratio) in &mut self.terms {
            sum = field.add(sum, *x);
            *x = field.mul(*x, *ratio);
        }
        Some(field.mul(value, field.pow_signed(sum, i64::from(self.times))?))
    }
}

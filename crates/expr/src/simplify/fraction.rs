//! How do quotients get shorter? Over one denominator, and with equal factors cancelled.

use super::gcd;
use super::{DIVISOR, Simplifier};
use crate::graph::{Graph, Id, Op};
use crate::number::Rational;
use crate::polynomial::sparse::{Exceeded, Monomial, Sparse, expanded};

/// A product of denominators is multiplied out up to this many terms.
const SHORT: usize = 6;

impl Simplifier<'_> {
    /// A polynomial with negative exponents as one fraction, in several forms.
    pub(super) fn fractions(&mut self, p: &Sparse) -> Result<Vec<Id>, Exceeded> {
        let below = p.common_monomial().merged(&Monomial::one(), |k, _| -k.min(0));
        if below.is_one() {
            return Ok(Vec::new());
        }
        let above = p.times_term(&below, &Rational::ONE);
        let above = self.sums_multiplied_out(above)?;
        let mut list = Vec::new();
        for form in self.trigonometric_forms(&above)? {
            list.extend(self.cancelled(form, &below)?);
        }
        Ok(list)
    }

    /// Sums with positive exponents, multiplied out.
    pub(super) fn sums_multiplied_out(&mut self, mut p: Sparse) -> Result<Sparse, Exceeded> {
        loop {
            let mut factors = p.terms().iter().flat_map(|(m, _)| m.factors());
            let open = factors
                .find(|&&(atom, k)| k > 0 && self.graph.store.op(atom) == Op::Sum && !self.opaque.contains(&atom));
            let Some(&(sum, _)) = open else { return Ok(p) };
            let inner = expanded(self.graph, sum, &mut self.budget)?;
            p = p.replaced(sum, &inner, &self.graph.store, &mut self.budget)?;
        }
    }

    /// above / below without the factors they have in common, the sums below as factors and
    /// multiplied out.
    fn cancelled(&mut self, above: Sparse, below: &Monomial) -> Result<Vec<Id>, Exceeded> {
        let mut above = above;
        let mut divisors: Vec<Id> = Vec::new();
        for &(atom, k) in below.factors() {
            if self.graph.store.op(atom) != Op::Sum {
                continue;
            }
            let whole =
                if self.opaque.contains(&atom) { Err(Exceeded) } else { expanded(self.graph, atom, &mut self.budget) };
            for _ in 0..k {
                let left = match &whole {
                    Ok(whole) => self.reduced(&mut above, whole, atom),
                    Err(Exceeded) => Some(atom),
                };
                let Some(left) = left else { return Ok(Vec::new()) };
                divisors.push(left);
            }
        }
        let rest = below.filtered(|atom| self.graph.store.op(atom) != Op::Sum);
        let common = above.common_monomial();
        above = above.times_term(&common.power(-1), &Rational::ONE);
        let Some(above) = self.grouped(&above) else { return Ok(Vec::new()) };
        let factor = self.term(&common.over(&rest), &Rational::ONE).ok_or(Exceeded)?;
        let above = self.graph.product(&[above, factor]);
        let mut list = Vec::new();
        let below = self.graph.product(&divisors);
        list.extend(self.graph.div(above, below));
        divisors.retain(|&divisor| self.graph.store.op(divisor) == Op::Sum);
        if divisors.len() > 1
            && let Ok(below) = expanded(self.graph, below, &mut self.budget)
            && below.len() <= SHORT
            && let Some(below) = self.grouped(&below)
        {
            list.extend(self.graph.div(above, below));
        }
        Ok(list)
    }

    /// Takes what both share out of `above`; what is left of the divisor, as a node.
    fn reduced(&mut self, above: &mut Sparse, whole: &Sparse, sum: Id) -> Option<Id> {
        let has_negative = |p: &Sparse| p.terms().iter().any(|(m, _)| m.factors().iter().any(|factor| factor.1 < 0));
        if has_negative(above) || has_negative(whole) {
            return Some(sum);
        }
        if let Some(quotient) = self.with_allowance(DIVISOR, |budget| above.divided_by(whole, budget)) {
            *above = quotient;
            return Some(Graph::ONE);
        }
        let common = self.with_allowance(DIVISOR, |budget| gcd::gcd(above, whole, budget));
        let Some(common) = common else { return Some(sum) };
        if common.as_number().is_some() {
            return Some(sum);
        }
        *above = above.divided_by(&common, &mut self.budget)?;
        let rest = whole.divided_by(&common, &mut self.budget)?;
        self.grouped(&rest)
    }
}

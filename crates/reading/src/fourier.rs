//! A sum of numbers times powers of plain variables times sines and cosines of sums of angles.
//!
//! ```text
//! c₊ zᵏ + c₋ z⁻ᵏ = a cos kθ + b sin kθ,     a = c₊ + c₋,  b = i (c₊ − c₋)                       (1)
//! ```
//!
//! The c are no rational numbers, since they hold i; a and b are.

use std::collections::BTreeMap;

use expr::Rational;
use expr::field::{Element, Field};

use crate::machine::Variable;

/// One mode: `powers` holds the exponent of each plain variable, and the multiple of each angle.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Mode {
    pub powers: Vec<i32>,
    pub cosine: Rational,
    pub sine: Rational,
}

/// The modes in order, none twice.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Fourier {
    pub modes: Vec<Mode>,
}

/// A term with an element of a field before it.
pub(crate) type Term = (Vec<i32>, Element);

impl Fourier {
    /// The real sum that these terms are (1); `None` if it is not real, or its numbers are too long.
    pub fn of(field: &Field, variables: &[Variable], terms: &[Term]) -> Option<Fourier> {
        let mut pairs: BTreeMap<Vec<i32>, (Element, Element)> = BTreeMap::new();
        for (powers, c) in terms {
            let turned = leading(variables, powers) < 0;
            let key = if turned { conjugate(variables, powers) } else { powers.clone() };
            let pair = pairs.entry(key).or_insert((Element::ZERO, Element::ZERO));
            let place = if turned { &mut pair.1 } else { &mut pair.0 };
            *place = field.add(*place, *c);
        }
        let number = |e: Element| {
            let (n, d) = field.reconstruct(e, 1 << 30)?;
            Rational::new(n, i64::try_from(d).ok()?)
        };
        let mut modes = Vec::with_capacity(pairs.len());
        for (powers, (plus, minus)) in pairs {
            let cosine = number(field.add(plus, minus))?;
            let sine = match leading(variables, &powers) {
                0 => Rational::ZERO,
                _ => number(field.mul(field.i(), field.sub(plus, minus)))?,
            };
            if !cosine.is_zero() || !sine.is_zero() {
                modes.push(Mode { powers, cosine, sine });
            }
        }
        Some(Fourier { modes })
    }

    /// The same as terms over a field, backwards through (1).
    pub fn terms(&self, field: &Field, variables: &[Variable]) -> Option<Vec<Term>> {
        let mut list = Vec::new();
        for Mode { powers, cosine, sine } in &self.modes {
            let (a, b) = (field.from_rational(cosine)?, field.from_rational(sine)?);
            if leading(variables, powers) == 0 {
                list.push((powers.clone(), a));
                continue;
            }
            let turned = field.mul(field.i(), b);
            list.push((powers.clone(), field.mul(field.half(), field.sub(a, turned))));
            list.push((conjugate(variables, powers), field.mul(field.half(), field.add(a, turned))));
        }
        Some(list)
    }

    /// Without the powers of plain variables and the number that all modes share; the first number is positive.
    pub fn primitive(mut self, variables: &[Variable]) -> Fourier {
        for (v, variable) in variables.iter().enumerate() {
            if !variable.is_angle() {
                let least = self.modes.iter().map(|mode| mode.powers[v]).min().unwrap_or(0);
                self.modes.iter_mut().for_each(|mode| mode.powers[v] -= least);
            }
        }
        let content = self.content();
        if let Some(inverse) = content.recip() {
            for mode in &mut self.modes {
                mode.cosine = &mode.cosine * &inverse;
                mode.sine = &mode.sine * &inverse;
            }
        }
        self
    }

    /// The greatest number that makes all others integers, with the sign of the first.
    fn content(&self) -> Rational {
        let numbers = self.modes.iter().flat_map(|mode| [&mode.cosine, &mode.sine]).filter(|c| !c.is_zero());
        let content = numbers.clone().fold(Rational::ZERO, |gcd, c| gcd.gcd(c));
        match numbers.clone().next() {
            Some(first) if first.is_negative() => -content.abs(),
            _ => content.abs(),
        }
    }
}

/// The first multiple of an angle that is not zero.
fn leading(variables: &[Variable], powers: &[i32]) -> i32 {
    let angles = powers.iter().zip(variables).filter(|(_, variable)| variable.is_angle());
    angles.map(|(&n, _)| n).find(|&n| n != 0).unwrap_or(0)
}

/// All angles turned round.
fn conjugate(variables: &[Variable], powers: &[i32]) -> Vec<i32> {
    powers.iter().zip(variables).map(|(&n, variable)| if variable.is_angle() { -n } else { n }).collect()
}

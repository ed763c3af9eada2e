//! By what may an expression be divided?
//!
//! ```text
//! cos a = (w² + 1)/(2 w),   sin a = (w² − 1)/(2 i w)        w = e^(i a)                          (1)
//! a sum that something is divided by: its numerator, without what all its terms share             (2)
//! ```
//!
//! Each factor is kept as a polynomial without powers of its variables, and knows how it differs from what
//! it stands for: real = polynomial · z^(−shift) · scale.

use expr::field::{Element, Field};

use crate::dense::Dense;
use crate::fourier::{Fourier, Term};
use crate::machine::{Machine, Phase, Point};

/// What a factor is to a reader.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Meaning {
    Sine(Phase),
    Cosine(Phase),
    Sum(Fourier),
}

/// A factor that may stand below the line.
#[derive(Clone, Debug)]
pub(crate) struct Factor {
    pub meaning: Meaning,
    pub terms: Vec<Term>,
    pub shift: Vec<i32>,
    pub scale: Element,
}

impl Factor {
    /// (1): sine and cosine of an angle.
    pub fn waves(machine: &Machine, phase: &Phase) -> [Factor; 2] {
        let field = &machine.field;
        let mut shift = vec![0; machine.variables.len()];
        phase.iter().for_each(|&(v, n)| shift[v as usize] = n.abs());
        let side = |sign: i32| {
            let mut powers = shift.clone();
            phase.iter().for_each(|&(v, n)| powers[v as usize] = n.abs() + sign * n);
            powers
        };
        let make = |meaning, last, scale| Factor {
            meaning,
            terms: vec![(side(1), field.one()), (side(-1), last)],
            shift: shift.clone(),
            scale,
        };
        [
            make(Meaning::Sine(phase.clone()), field.neg(field.one()), field.half_over_i()),
            make(Meaning::Cosine(phase.clone()), field.one(), field.half()),
        ]
    }

    /// (2): a sum; `None` if it is a single term.
    pub fn sum(machine: &Machine, sum: Fourier) -> Option<Factor> {
        let field = &machine.field;
        let mut terms = sum.terms(field, &machine.variables)?;
        (terms.len() > 1).then_some(())?;
        let count = machine.variables.len();
        let shift: Vec<i32> = (0..count).map(|v| -terms.iter().map(|term| term.0[v]).min().unwrap_or(0)).collect();
        terms.iter_mut().for_each(|term| term.0.iter_mut().zip(&shift).for_each(|(n, s)| *n += s));
        Some(Factor { meaning: Meaning::Sum(sum), terms, shift, scale: field.one() })
    }

    /// Is it a sum, rather than a sine or cosine?
    pub fn is_sum(&self) -> bool {
        matches!(self.meaning, Meaning::Sum(_))
    }

    /// Its degree in a variable.
    pub fn degree(&self, v: usize) -> i32 {
        self.terms.iter().map(|term| term.0[v]).max().unwrap_or(0)
    }

    /// The polynomial of one variable that it is where the others have the values of a point.
    pub fn along(&self, field: &Field, point: &Point, v: usize) -> Dense {
        let mut made = vec![Element::ZERO; self.degree(v) as usize + 1];
        for (powers, c) in &self.terms {
            let others = powers.iter().enumerate().filter(|&(u, &n)| u != v && n != 0);
            let product = others.fold(*c, |product, (u, &n)| field.mul(product, point.power(field, u as u32, n)));
            let place = &mut made[powers[v] as usize];
            *place = field.add(*place, product);
        }
        crate::dense::trimmed(made)
    }
}

//! How does a quotient of modes become an expression again?
//!
//! The shortest flat sums are put into brackets by the kernel's simplifier, each factor below the line is written
//! by itself, and of all this the shortest text is taken.

use expr::{Expr, Op, Rational};

use crate::factor::{Factor, Meaning};
use crate::fourier::Fourier;
use crate::interpolate::Quotient;
use crate::machine::{Phase, Variable};
use crate::shape::{Flat, Shaper};

/// Flat sums that are put into brackets.
const TRIED: usize = 3;
/// Steps of simplification for one flat sum.
const STEPS: u64 = 60_000;

/// A quotient as a short expression.
pub(crate) fn written(variables: &[Variable], factors: &[Factor], quotient: &Quotient) -> Option<Expr> {
    let mut writer = Writer { variables, sines: vec![0; variables.len()], cosines: vec![0; variables.len()] };
    let mut below = Vec::new();
    let units = writer.units(&quotient.above, factors, &quotient.below);
    for &(k, times) in &quotient.below {
        match &factors[k].meaning {
            Meaning::Sine(phase) => writer.wave(phase, times, true, &units, &mut below)?,
            Meaning::Cosine(phase) => writer.wave(phase, times, false, &units, &mut below)?,
            Meaning::Sum(sum) => below.push((Writer::plain(variables).sum(sum)?, times)),
        }
    }
    let mut above = writer.shaped(&quotient.above, units)?;
    if is_turned(above)
        && let Some(odd) = below.iter_mut().filter(|(_, times)| times % 2 != 0).find(|(factor, _)| is_turned(*factor))
    {
        (above, odd.0) = (turned(above), turned(odd.0));
    }
    let mut product = vec![above];
    for (factor, times) in below {
        product.push(factor.try_pow(&Rational::from(-i64::from(times))).ok()?);
    }
    Some(Expr::product(&product))
}

struct Writer<'a> {
    variables: &'a [Variable],
    /// Powers of sines and cosines of single angles that every term has.
    sines: Vec<i32>,
    cosines: Vec<i32>,
}

impl<'a> Writer<'a> {
    fn plain(variables: &'a [Variable]) -> Writer<'a> {
        Writer { variables, sines: vec![0; variables.len()], cosines: vec![0; variables.len()] }
    }

    /// A sum with nothing below the line.
    fn sum(&self, sum: &Fourier) -> Option<Expr> {
        let units = self.units(sum, &[], &[]);
        self.shaped(sum, units)
    }

    /// The multiple of each angle variable that is one angle to the reader: the whole angle where no part of it occurs.
    fn units(&self, sum: &Fourier, factors: &[Factor], below: &[(usize, i32)]) -> Vec<i32> {
        let phases = below.iter().filter_map(|&(k, _)| match &factors[k].meaning {
            Meaning::Sine(phase) | Meaning::Cosine(phase) => Some(phase),
            Meaning::Sum(_) => None,
        });
        let phases: Vec<&Phase> = phases.collect();
        let unit = |(v, variable): (usize, &Variable)| {
            let Variable::Angle { parts, .. } = variable else { return 1 };
            let own = sum.modes.iter().map(|mode| mode.powers[v]);
            let others = phases.iter().flat_map(|phase| phase.iter().filter(|(u, _)| *u as usize == v).map(|p| p.1));
            own.chain(others).fold(*parts as i32, gcd).max(1)
        };
        self.variables.iter().enumerate().map(unit).collect()
    }

    /// A sine or cosine below the line: of a single angle it goes into every term, so that it cancels there.
    fn wave(
        &mut self,
        phase: &Phase,
        times: i32,
        sine: bool,
        units: &[i32],
        below: &mut Vec<(Expr, i32)>,
    ) -> Option<()> {
        match phase[..] {
            [(v, n)] if n.abs() == units[v as usize] && (n > 0 || !sine || times % 2 == 0) => {
                let place = if sine { &mut self.sines } else { &mut self.cosines };
                place[v as usize] -= times;
            }
            _ => {
                let mut powers = vec![0; self.variables.len()];
                phase.iter().for_each(|&(v, n)| powers[v as usize] = n);
                let angle = self.angle(&powers)?;
                below.push((if sine { angle.sin() } else { angle.cos() }, times));
            }
        }
        Some(())
    }

    /// The angle that multiples of the angle variables make.
    fn angle(&self, powers: &[i32]) -> Option<Expr> {
        let mut terms = Vec::new();
        for (variable, &n) in self.variables.iter().zip(powers) {
            if let Variable::Angle { of, parts } = variable
                && n != 0
            {
                terms.push(Expr::number(Rational::new(i64::from(n), *parts)?) * *of);
            }
        }
        Some(Expr::sum(&terms))
    }

    /// The shortest of the shapes of a sum.
    fn shaped(&self, sum: &Fourier, units: Vec<i32>) -> Option<Expr> {
        let shaper = Shaper::new(self.variables, sum, units, (self.sines.clone(), self.cosines.clone()));
        let mut best: Option<(usize, Expr)> = None;
        for flat in shaper.shortest(sum, TRIED) {
            let flat = self.expression(&flat, &shaper.units)?;
            let short = expr::simplify_within(flat, &[], &mut { STEPS });
            for made in [flat, short] {
                let length = made.to_string().chars().count();
                if best.is_none_or(|(known, _)| length < known) {
                    best = Some((length, made));
                }
            }
        }
        best.map(|(_, e)| e)
    }

    /// A flat sum as an expression.
    fn expression(&self, flat: &Flat, units: &[i32]) -> Option<Expr> {
        let mut terms = Vec::new();
        for (key, (cosine, sine)) in flat {
            let mut factors = Vec::new();
            for (v, variable) in self.variables.iter().enumerate() {
                match variable {
                    Variable::Plain(e) => factors.push(power(*e, key.powers[v])?),
                    Variable::Angle { of, parts } if key.sines[v] != 0 || key.cosines[v] != 0 => {
                        let angle = Expr::number(Rational::new(i64::from(units[v]), *parts)?) * *of;
                        factors.push(power(angle.sin(), key.sines[v])?);
                        factors.push(power(angle.cos(), key.cosines[v])?);
                    }
                    Variable::Angle { .. } => {}
                }
            }
            let angle = self.angle(&key.powers)?;
            for (number, wave) in [(cosine, angle.cos()), (sine, angle.sin())] {
                if !number.is_zero() {
                    let all: Vec<Expr> = factors.iter().copied().chain([Expr::number(number.clone()), wave]).collect();
                    terms.push(Expr::product(&all));
                }
            }
        }
        Some(Expr::sum(&terms))
    }
}

/// Is something in it taken away?
fn is_turned(e: Expr) -> bool {
    let negative = |term: &Expr| term.arguments().first().and_then(|c| c.as_number()).is_some_and(|c| c.is_negative());
    match e.op() {
        Op::Sum => e.arguments().iter().any(negative),
        _ => negative(&e),
    }
}

/// −e, multiplied into a sum.
fn turned(e: Expr) -> Expr {
    match e.op() {
        Op::Sum => Expr::sum(&e.arguments().into_iter().map(|term| -term).collect::<Vec<Expr>>()),
        _ => -e,
    }
}

fn power(base: Expr, n: i32) -> Option<Expr> {
    match n {
        0 => Some(Expr::one()),
        1 => Some(base),
        _ => base.try_pow(&Rational::from(i64::from(n))).ok(),
    }
}

fn gcd(a: i32, b: i32) -> i32 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

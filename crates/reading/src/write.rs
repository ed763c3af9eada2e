//! How does a quotient of modes become an expression again?
//!
//! The shortest flat sums are put into brackets by the kernel's simplifier, each factor below the line is written
//! by itself, and of all this the shortest text is taken.

use std::cell::{Cell, RefCell};

use expr::{Expr, Op, Rational};
use rustc_hash::FxHashMap;

use crate::bracket::bracketed;
use crate::choice::is_better;
use crate::factor::{Factor, Meaning};
use crate::fourier::Fourier;
use crate::interpolate::Quotient;
use crate::machine::{Phase, Variable};
use crate::shape::{Flat, Shaper};

/// Flat sums that are put into brackets.
const TRIED: usize = 3;
/// Of longer sums fewer shapes are tried.
const LONG: usize = 60;
/// Steps of simplification for one flat sum.
const STEPS: u64 = 60_000;

/// What a step of simplification counts for, in steps of evaluation.
const STEP: u64 = 5;

/// A quotient as a short expression, with so much work.
pub(crate) fn written(
    variables: &[Variable],
    factors: &[Factor],
    quotient: &Quotient,
    work: &Cell<u64>,
) -> Option<Expr> {
    let mut writer = Writer::plain(variables, work);
    let mut below = Vec::new();
    let units = writer.units(&quotient.above, factors, &quotient.below);
    for &(k, times) in &quotient.below {
        match &factors[k].meaning {
            Meaning::Sine(phase) => writer.wave(phase, times, true, &units, &mut below)?,
            Meaning::Cosine(phase) => writer.wave(phase, times, false, &units, &mut below)?,
            Meaning::Sum(sum) => below.push((Writer::plain(variables, work).sum(sum)?, times)),
        }
    }
    let (monomial, sum) = writer.without_inverses(&quotient.above, !below.is_empty())?;
    let (mut number, above) = split(writer.shaped(&sum, units)?);
    let mut product = vec![above, monomial];
    for (factor, times) in below {
        let (own, factor) = split(factor);
        number = number * own.pow(-i64::from(times)).ok()?;
        product.push(factor.try_pow(&Rational::from(-i64::from(times))).ok()?);
    }
    product.push(Expr::number(number));
    Some(Expr::product(&product))
}

/// A number that all terms share, with the sign that most of them have, and the rest.
fn split(e: Expr) -> (Rational, Expr) {
    let number = |term: &Expr| match term.op() {
        Op::Number => term.as_number().unwrap_or(Rational::ONE),
        Op::Scale => term.arguments()[0].as_number().unwrap_or(Rational::ONE),
        _ => Rational::ONE,
    };
    let terms = if e.op() == Op::Sum { e.arguments() } else { vec![e] };
    let numbers: Vec<Rational> = terms.iter().map(number).collect();
    let content = numbers.iter().fold(Rational::ZERO, |gcd, c| gcd.gcd(c)).abs();
    let negative = numbers.iter().filter(|c| c.is_negative()).count();
    let content = if 2 * negative > numbers.len() { -content } else { content };
    match content.recip() {
        Some(inverse) if !content.is_one() => {
            let scaled = |&term: &Expr| Expr::number(inverse.clone()) * term;
            (content, Expr::sum(&terms.iter().map(scaled).collect::<Vec<Expr>>()))
        }
        _ => (Rational::ONE, e),
    }
}

struct Writer<'a> {
    variables: &'a [Variable],
    /// Steps of work that are left.
    work: &'a Cell<u64>,
    /// Powers of sines and cosines of single angles that every term has.
    sines: Vec<i32>,
    cosines: Vec<i32>,
    /// What was simplified before, and with how many steps.
    simple: Simple,
}

/// Sums, what they were simplified to, and what that cost.
type Simple = RefCell<FxHashMap<Expr, (Expr, u64)>>;

impl<'a> Writer<'a> {
    fn plain(variables: &'a [Variable], work: &'a Cell<u64>) -> Writer<'a> {
        Writer {
            variables,
            work,
            sines: vec![0; variables.len()],
            cosines: vec![0; variables.len()],
            simple: Simple::default(),
        }
    }

    /// A sum with nothing below the line.
    fn sum(&self, sum: &Fourier) -> Option<Expr> {
        let units = self.units(sum, &[], &[]);
        self.shaped(sum, units)
    }

    /// Inverse powers of plain variables that all terms share, where something else stands below the line; and the rest.
    fn without_inverses(&self, sum: &Fourier, divided: bool) -> Option<(Expr, Fourier)> {
        let (mut sum, mut factors) = (sum.clone(), Vec::new());
        for (v, variable) in self.variables.iter().enumerate() {
            let least = sum.modes.iter().map(|mode| mode.powers[v]).min().unwrap_or(0);
            if let Variable::Plain(e) = variable
                && divided
                && least < 0
            {
                sum.modes.iter_mut().for_each(|mode| mode.powers[v] -= least);
                factors.push(power(*e, least)?);
            }
        }
        Some((Expr::product(&factors), sum))
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

    /// The shortest of the shapes of a sum, as a whole and collected by what moves or by parameters.
    fn shaped(&self, sum: &Fourier, units: Vec<i32>) -> Option<Expr> {
        let shaper = Shaper::new(self.variables, sum, units, (self.sines.clone(), self.cosines.clone()), self.work);
        let mut best = Best { work: self.work, simple: &self.simple, found: None, brackets: true };
        let long = sum.modes.len() > LONG;
        self.flats(sum, &shaper, if long { 1 } else { TRIED })?.into_iter().for_each(|flat| best.offer(flat));
        for parameters in [false, true] {
            let groups = shaper.groups(sum, parameters);
            if groups.len() < 2 || groups.len() == sum.modes.len() || self.work.get() == 0 {
                continue;
            }
            let mut flats: Vec<Option<(Vec<Expr>, u64)>> = groups.iter().map(|_| None).collect();
            for brackets in [false, true].into_iter().skip(usize::from(long)) {
                let mut terms = Vec::new();
                for ((powers, rest), known) in groups.iter().zip(&mut flats) {
                    let mut own = Best { work: self.work, simple: &self.simple, found: None, brackets };
                    // what is known counts as work all the same
                    let list = match known {
                        Some((list, spent)) => {
                            self.work.set(self.work.get().saturating_sub(*spent));
                            &*list
                        }
                        None => {
                            let before = self.work.get();
                            let list = self.flats(rest, &shaper, if long { 1 } else { 2 })?;
                            &known.insert((list, before - self.work.get())).0
                        }
                    };
                    list.iter().for_each(|&flat| own.offer(flat));
                    terms.push(times(self.monomial(powers)?, own.found?));
                }
                best.offer(Expr::sum(&terms));
            }
        }
        best.found
    }

    /// The shortest flat sums.
    fn flats(&self, sum: &Fourier, shaper: &Shaper<'_>, count: usize) -> Option<Vec<Expr>> {
        shaper.shortest(sum, count).iter().map(|flat| self.expression(flat, &shaper.units)).collect()
    }

    /// A product of powers of plain variables.
    fn monomial(&self, powers: &[i32]) -> Option<Expr> {
        let mut factors = Vec::new();
        for (variable, &n) in self.variables.iter().zip(powers) {
            if let Variable::Plain(e) = variable {
                factors.push(power(*e, n)?);
            }
        }
        Some(Expr::product(&factors))
    }

    /// A flat sum as an expression.
    fn expression(&self, flat: &Flat, units: &[i32]) -> Option<Expr> {
        let mut terms = Vec::new();
        for (key, (cosine, sine)) in flat {
            let mut factors = Vec::new();
            for (v, variable) in self.variables.iter().enumerate() {
                match variable {
                    Variable::Plain(e) => factors.push(power(*e, key.power(v))?),
                    Variable::Angle { of, parts } if key.sine(v) != 0 || key.cosine(v) != 0 => {
                        let angle = Expr::number(Rational::new(i64::from(units[v]), *parts)?) * *of;
                        factors.push(power(angle.sin(), key.sine(v))?);
                        factors.push(power(angle.cos(), key.cosine(v))?);
                    }
                    Variable::Angle { .. } => {}
                }
            }
            let angle = self.angle(&key.powers())?;
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

/// The shortest expression so far.
struct Best<'a> {
    work: &'a Cell<u64>,
    simple: &'a Simple,
    found: Option<Expr>,
    /// Whether brackets of our own are tried beside those of the simplifier.
    brackets: bool,
}

impl Best<'_> {
    /// Takes an expression, or the same in brackets, if it is shorter.
    fn offer(&mut self, e: Expr) {
        self.keep(e);
        if self.work.get() == 0 {
            return;
        }
        let (short, steps) = *self.simple.borrow_mut().entry(e).or_insert_with(|| {
            let mut left = STEPS;
            (expr::simplify_within(e, &[], &mut left), STEPS - left)
        });
        self.work.set(self.work.get().saturating_sub(STEP * steps));
        self.keep(short);
        if self.brackets {
            self.keep(bracketed(e));
            if short != e {
                self.keep(bracketed(short));
            }
        }
    }

    fn keep(&mut self, e: Expr) {
        if self.found.is_none_or(|known| is_better(e, known)) {
            self.found = Some(e);
        }
    }
}

/// A product without products in it.
fn times(a: Expr, b: Expr) -> Expr {
    let factors = |e: Expr| if e.op() == Op::Product { e.arguments() } else { vec![e] };
    Expr::product(&factors(a).into_iter().chain(factors(b)).collect::<Vec<Expr>>())
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

//! Is an algebraic number zero? Exactly, by a bound below which no such number lies.
//!
//! A number made of integers by + − × / and roots cannot be arbitrarily small without being zero
//! (the bound of Burnikel, Funke, Mehlhorn, Schirra and Schmitt, Algorithmica 55 (2009) 14–28):
//!
//! ```text
//! E ≠ 0  ⇒  |E| ≥ 1 / (u^(D−1) l)
//! integer a      u = |a|                 l = 1
//! a ± b          u = u₁l₂ + l₁u₂         l = l₁l₂
//! a · b          u = u₁u₂                l = l₁l₂
//! a / b          u = u₁l₂                l = l₁u₂
//! a^(1/k)        u = (u₁l₁^(k−1))^(1/k)  l = l₁              D: the product of all k
//! ```
//!
//! The cosine of a rational multiple of π is half an algebraic integer all of whose conjugates
//! are at most 2; its degree is at most that of the roots of unity it is made of. So it joins
//! with u = 2, l = 2. Evaluating to more digits than the bound needs decides the question.

use expr::{Op, Program, Rational, Step};

use crate::ball::Context;
use crate::numeric;

/// Above this many bits the question is left open: an answer would take too long.
const MOST_BITS: u64 = 1 << 17;

/// What was found out about a number.
pub(crate) enum Found {
    /// It is zero: nothing else is as small as the given power of two.
    Zero {
        /// A number of this kind that is not zero is at least 2^-bits.
        bits: u64,
    },
    /// It is not zero; its value.
    NonZero(String),
    /// It is not an algebraic number, or too complicated for the bound.
    Open,
}

/// log₂ of u and l, rounded up.
#[derive(Clone, Copy)]
struct Size {
    u: u64,
    l: u64,
}

/// Decides whether the first output of a program without symbols is zero.
pub(crate) fn decide(program: &Program) -> Found {
    if let Some(value) = certainly_nonzero(program, 192) {
        return Found::NonZero(value);
    }
    let Some(bits) = separation(program).filter(|&bits| bits <= MOST_BITS) else { return Found::Open };
    let precision = (bits + 64) as u32;
    let context = Context::new(precision);
    let Some(values) = numeric::evaluate(program, &context, &[]) else { return Found::Open };
    let value = &values[0];
    if !value.contains_zero() {
        return Found::NonZero(value.to_decimal(20));
    }
    let threshold = numeric::number(&context, &power_of_half(bits));
    match value.abs().compare(&threshold) {
        Some(std::cmp::Ordering::Less) => Found::Zero { bits },
        _ => Found::Open,
    }
}

fn certainly_nonzero(program: &Program, precision: u32) -> Option<String> {
    let values = numeric::evaluate(program, &Context::new(precision), &[])?;
    (!values[0].contains_zero()).then(|| values[0].to_decimal(20))
}

fn power_of_half(bits: u64) -> Rational {
    let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
    half.pow(bits as i64).unwrap_or(Rational::ZERO)
}

/// The number of bits below which only zero lies; `None` if the number is not of this kind.
fn separation(program: &Program) -> Option<u64> {
    let mut sizes: Vec<Size> = Vec::with_capacity(program.steps.len());
    let mut degree = 1u64;
    let mut order = 1u64;
    for step in &program.steps {
        let size = size(step, &sizes, program, &mut degree, &mut order)?;
        sizes.push(size);
    }
    let size = sizes[program.outputs[0] as usize];
    let degree = degree.checked_mul(totient(order))?;
    (degree - 1).checked_mul(size.u)?.checked_add(size.l)?.checked_add(1)
}

fn size(step: &Step, sizes: &[Size], program: &Program, degree: &mut u64, order: &mut u64) -> Option<Size> {
    let of = |place: usize| sizes[step.arguments[place] as usize];
    let all = || step.arguments.iter().map(|&argument| sizes[argument as usize]);
    let add = |a: Size, b: Size| Size { u: (a.u + b.l).max(a.l + b.u) + 1, l: a.l + b.l };
    let multiply = |a: Size, b: Size| Size { u: a.u + b.u, l: a.l + b.l };
    let zero = Size { u: 0, l: 0 };
    match step.op {
        Op::Number => {
            let number = step.number.as_ref()?;
            Some(Size { u: log2(&number.numerator().abs()), l: log2(&number.denominator()) })
        }
        Op::Pi => Some(zero), // counted where its cosine is taken; alone it is refused below
        Op::Sum => (!uses_pi(step, program)).then(|| all().reduce(add)).flatten(),
        Op::Scale if uses_pi(step, program) => Some(zero),
        Op::Scale | Op::Product => (!uses_pi(step, program)).then(|| all().fold(zero, multiply)),
        Op::Power => {
            let (n, d) = program.steps[step.arguments[1] as usize].number.as_ref()?.to_small()?;
            if uses_pi(step, program) {
                return None;
            }
            let (k, n_abs) = (d as u64, n.unsigned_abs());
            *degree = degree.checked_mul(k).filter(|&degree| degree <= 1 << 12)?;
            let root = root(of(0), k)?;
            let power = Size { u: root.u.checked_mul(n_abs)?, l: root.l.checked_mul(n_abs)? };
            Some(if n < 0 { Size { u: power.l, l: power.u } } else { power })
        }
        Op::Cbrt => {
            *degree = degree.checked_mul(3).filter(|&degree| degree <= 1 << 12)?;
            root(of(0), 3)
        }
        Op::Abs => (!uses_pi(step, program)).then(|| of(0)),
        Op::Sin | Op::Cos | Op::Tan => {
            let turns = multiple_of_pi(step.arguments[0], program)?.denominator().to_i64()? as u64;
            *order = lcm(*order, turns.checked_mul(4)?).filter(|&order| order <= 1 << 10)?;
            let bits = if step.op == Op::Tan { 2 } else { 1 };
            Some(Size { u: bits, l: bits })
        }
        _ => None,
    }
}

/// log₂ of a positive integer, rounded up.
fn log2(n: &Rational) -> u64 {
    let less = n - &Rational::ONE;
    if less.is_positive() { less.numerator().bits() - 1 } else { 0 }
}

fn root(size: Size, k: u64) -> Option<Size> {
    let radicand = size.u.checked_add(size.l.checked_mul(k - 1)?)?;
    Some(Size { u: radicand.div_ceil(k), l: size.l })
}

fn uses_pi(step: &Step, program: &Program) -> bool {
    step.arguments.iter().any(|&argument| multiple_of_pi(argument, program).is_some())
}

fn multiple_of_pi(place: u32, program: &Program) -> Option<Rational> {
    let step = &program.steps[place as usize];
    match step.op {
        Op::Pi => Some(Rational::ONE),
        Op::Scale if program.steps[step.arguments[1] as usize].op == Op::Pi => {
            program.steps[step.arguments[0] as usize].number.clone()
        }
        _ => None,
    }
}

/// Euler's φ: the degree of the field that the roots of unity of that order generate.
fn totient(order: u64) -> u64 {
    (1..=order).filter(|&k| gcd(order, k) == 1).count() as u64
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn lcm(a: u64, b: u64) -> Option<u64> {
    (a / gcd(a, b)).checked_mul(b)
}

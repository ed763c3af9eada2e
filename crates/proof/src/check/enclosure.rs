//! Is a constant zero? Enclosures of its value, and a bound below which only zero lies.
//!
//! A number made of integers by + − × / and roots is U/L with algebraic integers U, L whose
//! conjugates are at most u, l in size; so if it is not zero it is at least 1/(u^(D−1) l), with
//! D the product of the orders of all roots and of the roots of unity. A root is written
//! (U/L)^(1/k) = (U L^(k−1))^(1/k)/L, so that it brings one extension of degree k, not two.
//! Source: C. Burnikel, S. Funke, K. Mehlhorn, S. Schirra and S. Schmitt, Algorithmica 55 (2009) 14–28.

use expr::{Op, Rational};

use super::table::{Node, Table};
use crate::ball::{Ball, Context};

/// Bounds that need more bits are left alone.
const MOST_BITS: u64 = 1 << 18;

/// Enclosures of some steps and all that they are made of (zero for others); `None` if one is not
/// defined or cannot be decided at this precision.
pub(super) fn enclose(table: &Table, wanted: &[u32], context: &Context) -> Option<Vec<Ball>> {
    let mut values: Vec<Ball> = Vec::with_capacity(table.nodes.len());
    for (node, wanted) in table.nodes.iter().zip(below(table, wanted)) {
        let value = if wanted { enclosure(node, table, &values, context) } else { Some(Ball::zero()) };
        values.push(value.filter(Ball::is_finite)?);
    }
    Some(values)
}

fn enclosure(node: &Node, table: &Table, values: &[Ball], context: &Context) -> Option<Ball> {
    let of = |place: usize| &values[node.of[place] as usize];
    let all = || node.of.iter().map(|&place| &values[place as usize]);
    let chosen = |first: bool| of(if first { 1 } else { 2 }).clone();
    match node.op {
        Op::Number => node.number.as_ref().map(|number| ball(number, context)),
        Op::Symbol | Op::Integral => None,
        Op::Pi => Some(context.pi()),
        Op::Sum => Some(all().fold(Ball::zero(), |sum, value| context.add(&sum, value))),
        Op::Scale | Op::Product => Some(all().fold(Ball::one(), |product, value| context.mul(&product, value))),
        Op::Power => {
            let (n, d) = table.exact(node.of[1])?.to_small()?;
            let root = if d == 1 { of(0).clone() } else { context.root(of(0), u32::try_from(d).ok()?)? };
            context.powi(&root, n)
        }
        Op::Sin => Some(context.sin(of(0))),
        Op::Cos => Some(context.cos(of(0))),
        Op::Tan => context.tan(of(0)),
        Op::Asin => context.asin(of(0)),
        Op::Acos => context.acos(of(0)),
        Op::Atan => Some(context.atan(of(0))),
        Op::Atan2 => context.atan2(of(0), of(1)),
        Op::Sinh => context.sinh(of(0)),
        Op::Cosh => context.cosh(of(0)),
        Op::Tanh => Some(context.tanh(of(0))),
        Op::Exp => context.exp(of(0)),
        Op::Log => context.log(of(0)),
        Op::Abs => Some(of(0).abs()),
        Op::Sign => of(0).sign(),
        Op::Cbrt => Some(context.cbrt(of(0))),
        Op::Min => Some(context.min(of(0), of(1))),
        Op::Max => Some(context.max(of(0), of(1))),
        Op::IfNegative => of(0).sign_certain().map(|sign| chosen(sign < 0)),
        Op::IfZero => of(0).sign_certain().map(|sign| chosen(sign == 0)),
        // at a witness its symbol is a number, and that tells which function it is
        Op::Unspecified => {
            let order = |place: usize| table.exact(node.of[place])?.to_small().map(|(order, _)| order);
            let pair = |place: usize| Some((order(place)?, values.get(*node.of.get(place + 1)? as usize)?));
            let pairs = (1..node.of.len()).step_by(2).map(pair);
            context.unspecified(of(0), &pairs.collect::<Option<Vec<_>>>()?)
        }
    }
}

fn ball(number: &Rational, context: &Context) -> Ball {
    let (above, below) = number.to_ibig_ratio();
    context.ratio(&above, &below)
}

/// Is a step smaller than 2^-bits?
pub(super) fn is_below(table: &Table, place: u32, bits: u64) -> bool {
    let precision = u32::try_from(bits).ok().and_then(|bits| bits.checked_add(96));
    let Some(context) = precision.map(Context::new) else { return false };
    let Some(values) = enclose(table, &[place], &context) else { return false };
    let least = Rational::new(1, 2).and_then(|half| half.pow(bits as i64).ok());
    let least = least.map(|least| ball(&least, &context));
    least.is_some_and(|least| values[place as usize].abs().compare(&least) == Some(std::cmp::Ordering::Less))
}

/// log₂ of u and l, rounded up.
#[derive(Clone, Copy)]
struct Size {
    u: u64,
    l: u64,
}

/// The bits of the bound for a step; `None` if it is not made of roots and cosines of fractions of π.
pub(super) fn separation(table: &Table, place: u32) -> Option<u64> {
    let mut sizes: Vec<Option<Size>> = Vec::with_capacity(table.nodes.len());
    let (mut degree, mut order) = (1u64, 1u64);
    let wanted = below(table, &[place]);
    for (node, wanted) in table.nodes.iter().zip(wanted) {
        let size = if wanted { size(node, table, &sizes, &mut degree, &mut order) } else { None };
        sizes.push(size);
    }
    let Size { u, l } = sizes[place as usize]?;
    let bits = (degree.checked_mul(order)? - 1).checked_mul(u)?.checked_add(l)?.checked_add(1)?;
    (bits <= MOST_BITS).then_some(bits)
}

/// Which steps are some steps made of?
fn below(table: &Table, steps: &[u32]) -> Vec<bool> {
    let mut wanted = vec![false; table.nodes.len()];
    steps.iter().for_each(|&place| wanted[place as usize] = true);
    for place in (0..wanted.len()).rev() {
        if wanted[place] {
            table.nodes[place].of.iter().for_each(|&argument| wanted[argument as usize] = true);
        }
    }
    wanted
}

fn size(node: &Node, table: &Table, sizes: &[Option<Size>], degree: &mut u64, order: &mut u64) -> Option<Size> {
    let of = |place: usize| sizes[node.of[place] as usize];
    let mut all = node.of.iter().map(|&place| sizes[place as usize]);
    let mut extend = |k: u64| {
        *degree = degree.checked_mul(k).filter(|&degree| degree <= 1 << 12)?;
        Some(())
    };
    let root = |a: Size, k: u64| Some(Size { u: a.u.checked_add(a.l.checked_mul(k - 1)?)?.div_ceil(k), l: a.l });
    match node.op {
        Op::Number => {
            let number = node.number.as_ref()?;
            let l = if number.is_integer() { 0 } else { number.denominator().bits() };
            Some(Size { u: number.numerator().bits(), l })
        }
        Op::Sum => {
            let first = all.next()??;
            all.try_fold(first, |a, b| {
                let b = b?;
                let u = a.u.checked_add(b.l)?.max(a.l.checked_add(b.u)?).checked_add(1)?;
                Some(Size { u, l: a.l.checked_add(b.l)? })
            })
        }
        Op::Scale | Op::Product => all.try_fold(Size { u: 0, l: 0 }, |a, b| {
            let b = b?;
            Some(Size { u: a.u.checked_add(b.u)?, l: a.l.checked_add(b.l)? })
        }),
        Op::Power => {
            let (n, d) = table.exact(node.of[1])?.to_small()?;
            extend(d as u64)?;
            let root = root(of(0)?, d as u64)?;
            let times = n.unsigned_abs();
            let power = Size { u: root.u.checked_mul(times)?, l: root.l.checked_mul(times)? };
            Some(if n < 0 { Size { u: power.l, l: power.u } } else { power })
        }
        Op::Cbrt => {
            extend(3)?;
            root(of(0)?, 3)
        }
        Op::Abs => of(0),
        Op::Sin | Op::Cos | Op::Tan => {
            let turns = multiple_of_pi(node.of[0], table)?.denominator().to_i64()? as u64;
            *order = lcm(*order, turns.checked_mul(4)?).filter(|&order| order <= 1 << 10)?;
            // (ζ + 1/ζ)/2, (ζ − 1/ζ)/(2i), (ζ − 1/ζ)/(i (ζ + 1/ζ))
            Some(Size { u: 1, l: 1 })
        }
        _ => None,
    }
}

fn multiple_of_pi(mut place: u32, table: &Table) -> Option<Rational> {
    let mut multiple = Rational::ONE;
    loop {
        let node = &table.nodes[place as usize];
        match (node.op, &node.of[..]) {
            (Op::Pi, _) => return Some(multiple),
            (Op::Scale | Op::Product, &[a, b]) => {
                let (c, rest) = table.exact(a).map(|c| (c, b)).or_else(|| table.exact(b).map(|c| (c, a)))?;
                (multiple, place) = (&multiple * c, rest);
            }
            _ => return None,
        }
    }
}

fn lcm(a: u64, b: u64) -> Option<u64> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).checked_mul(b)
}

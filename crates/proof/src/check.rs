//! Does a certificate show what it claims? A replay that trusts nobody, least of all the prover.
//!
//! Nothing here calls the prover; only the exact arithmetic is shared (numbers, prime fields,
//! enclosures). Everything else is done again in another way:
//!
//! ```text
//! table       which steps are the same, whatever order they were written in
//! solution    do the assumed equations determine what was solved for?
//! program     signs, arguments of functions as polynomials, the fields that are needed
//! degree      the degree as a rational function, for the error bound
//! point       values at a point of a prime field, on every branch
//! enclosure   values of constants, and the bound below which only zero lies
//! ```
//!
//! A proof by points is wrong with a probability of at most
//!
//! ```text
//! Π over points  N (D L B + …)/p      D degree, L variables with negative exponents, B branches,
//!                                      N draws that could have been chosen
//! ```
//!
//! where the dots stand for values that were taken to be equal because they are so at the point.

mod degree;
mod enclosure;
mod point;
mod program;
mod solution;
mod table;

use rustc_hash::FxHashMap;
use std::fmt;

use expr::field::{Field, Random, mix};
use expr::{Comparison, Expr, Op, Rational};

use crate::assume::Assumptions;
use crate::ball::Context;
use crate::certificate::{Certificate, Grounds, Name, Place, Points, Question, Solution, comparison_named};
use degree::{Degree, bits};
use point::{LINK_BITS, Seen, Stop};
use program::Program;
use table::Table;

/// What a certificate was found to show.
#[derive(Clone, PartialEq, Debug)]
pub struct Checked {
    /// The step is zero wherever it is defined and the assumptions hold; else it is not zero.
    pub zero: bool,
    /// The probability of error is at most 2^-bits; `None` if there is none.
    pub error_bits: Option<u32>,
    /// Symbols for which assumed equations were solved, with coefficients that may vanish: where
    /// one does, nothing is said.
    pub solved_for: Vec<String>,
}

/// Why a certificate shows nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// It was damaged: its checksum is another one.
    Damaged,
    /// A part of it makes no sense.
    Malformed(String),
    /// It answers another question.
    AnotherQuestion,
    /// The step does not vanish at a point.
    NotZero,
    /// At a point something is not defined.
    Undefined,
    /// It does not follow from the question that this is as stated.
    Differs(&'static str),
    /// A bound is better than what can be confirmed.
    Overclaimed {
        /// What was claimed.
        claimed: u64,
        /// What can be confirmed.
        confirmed: u64,
    },
    /// The values of the symbols are not all that the assumed equations allow.
    Solution(String),
    /// The state does not satisfy an assumption, or is no witness.
    Witness(String),
    /// The replay cannot follow.
    NotSupported(String),
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejection::Damaged => f.write_str("the certificate was damaged: its seal does not fit"),
            Rejection::Malformed(part) => write!(f, "`{part}` makes no sense"),
            Rejection::AnotherQuestion => f.write_str("the certificate answers another question"),
            Rejection::NotZero => f.write_str("the expression does not vanish on every branch"),
            Rejection::Undefined => f.write_str("the expression is not defined at a point"),
            Rejection::Differs(what) => write!(f, "the {what} does not follow from the question"),
            Rejection::Overclaimed { claimed, confirmed } => {
                write!(f, "a bound of {claimed} is claimed where {confirmed} can be confirmed")
            }
            Rejection::Solution(why) => write!(f, "the assumed equations do not determine the solution: {why}"),
            Rejection::Witness(why) => write!(f, "the state is no witness: {why}"),
            Rejection::NotSupported(what) => write!(f, "the checker cannot follow {what}"),
        }
    }
}

impl std::error::Error for Rejection {}

/// An error bound of 2^-64 is asked for.
const WANTED_BITS: u32 = 64;
const MOST_POINTS: usize = 16;
/// At most so many draws for a point, so many of them in one field.
const MOST_DRAWS: u32 = 1 << 13;
const DRAWS_IN_A_FIELD: u32 = 16;
/// Witness states are looked at with these precisions, in bits.
const PRECISIONS: [u32; 3] = [192, 768, 3072];

/// Replays a certificate.
pub fn check(certificate: &Certificate) -> Result<Checked, Rejection> {
    if certificate.seal != certificate.checksum() {
        return Err(Rejection::Damaged);
    }
    let Certificate { question, solved, grounds, .. } = certificate;
    let zero = |error_bits| Checked { zero: true, error_bits, solved_for: Vec::new() };
    match grounds {
        Grounds::Arithmetic => {
            let (table, place, _) = plain(question, &[])?;
            let is_zero = table.exact(place).is_some_and(Rational::is_zero);
            if is_zero { Ok(zero(None)) } else { Err(Rejection::NotZero) }
        }
        Grounds::Separation { bits } => {
            let confirmed = separation(question)?;
            if *bits < confirmed {
                return Err(Rejection::Overclaimed { claimed: *bits, confirmed });
            }
            Ok(zero(None))
        }
        Grounds::Points(points) => replay(question, solved, points, false),
        Grounds::Turn(points) => replay(question, solved, points, true),
        Grounds::Witness { state, value } => {
            if value_at(question, state)? != *value {
                return Err(Rejection::Differs("value"));
            }
            Ok(Checked { zero: false, ..zero(None) })
        }
    }
}

/// Replays a certificate that shall answer this question.
pub fn check_for(certificate: &Certificate, e: Expr, assumptions: &Assumptions) -> Result<Checked, Rejection> {
    let asked = Question::of(e, assumptions);
    if asked == certificate.question {
        return check(certificate);
    }
    let mut table = Table::default();
    let mut meant = |question: &Question| {
        let places = table.add(&question.steps, &FxHashMap::default())?;
        let mut relations = relations(question, &places)?;
        relations.sort_by_key(|&(place, is)| (place, is.symbol()));
        Ok((at(&places, question.zero)?, relations))
    };
    if meant(&asked)? != meant(&certificate.question)? {
        return Err(Rejection::AnotherQuestion);
    }
    check(certificate)
}

fn at(places: &[u32], step: u32) -> Result<u32, Rejection> {
    places.get(step as usize).copied().ok_or_else(|| Rejection::Malformed(format!("step {step}")))
}

fn relations(question: &Question, places: &[u32]) -> Result<Vec<(u32, Comparison)>, Rejection> {
    let relation = |relation: &crate::certificate::Relation| {
        let is = comparison_named(&relation.is).ok_or_else(|| Rejection::Malformed(relation.is.clone()))?;
        Ok((at(places, relation.step)?, is))
    };
    question.assumed.iter().map(relation).collect()
}

/// A table, the step that is asked about and the relations, with numbers for some symbols.
type Plain = (Table, u32, Vec<(u32, Comparison)>);

fn plain(question: &Question, state: &[(Name, String)]) -> Result<Plain, Rejection> {
    let mut table = Table::default();
    let mut given = FxHashMap::default();
    for (name, value) in state {
        let number = table::number(value).ok_or_else(|| Rejection::Malformed(value.clone()))?;
        given.insert(name, table.number(&number));
    }
    let places = table.add(&question.steps, &given)?;
    let relations = relations(question, &places)?;
    Ok((table, at(&places, question.zero)?, relations))
}

/// The value at a state at which it is not zero and the assumptions hold.
pub(crate) fn value_at(question: &Question, state: &[(Name, String)]) -> Result<String, Rejection> {
    let (table, place, relations) = plain(question, state)?;
    let wanted: Vec<u32> = relations.iter().map(|&(place, _)| place).chain([place]).collect();
    let mut why = "it is not defined there".to_owned();
    for precision in PRECISIONS {
        let Some(values) = enclosure::enclose(&table, &wanted, &Context::new(precision)) else { continue };
        let sign = |place: u32| {
            let exact = table.exact(place).map(Rational::signum);
            exact.or_else(|| values[place as usize].sign_certain())
        };
        let fails = relations.iter().position(|&(place, is)| !sign(place).is_some_and(|sign| holds(sign, is)));
        match (fails, sign(place)) {
            (None, Some(-1 | 1)) => return Ok(values[place as usize].to_decimal(20)),
            (None, _) => why = "the value may be zero".to_owned(),
            (Some(fails), _) => why = format!("assumption {fails} may not hold"),
        }
    }
    Err(Rejection::Witness(why))
}

fn holds(sign: i32, is: Comparison) -> bool {
    match is {
        Comparison::Greater => sign > 0,
        Comparison::AtLeast => sign >= 0,
        Comparison::Less => sign < 0,
        Comparison::AtMost => sign <= 0,
        Comparison::NotEqual => sign != 0,
        Comparison::Equal => sign == 0,
    }
}

/// The bits of the separation bound of a constant that is smaller.
pub(crate) fn separation(question: &Question) -> Result<u64, Rejection> {
    let (table, place, _) = plain(question, &[])?;
    let bits = enclosure::separation(&table, place);
    let bits = bits.ok_or_else(|| Rejection::NotSupported("the size of this constant".to_owned()))?;
    if enclosure::is_below(&table, place, bits) { Ok(bits) } else { Err(Rejection::NotZero) }
}

// ---- points

/// What shall vanish: the question and the assumed equations, with what they were solved for put
/// in; for a constant as an angle, its sine and its cosine less one.
fn prepare(question: &Question, solved: &Solution, turn: bool) -> Result<Program, Rejection> {
    let mut table = Table::default();
    let values = table.add(&solved.steps, &FxHashMap::default())?;
    let mut given = FxHashMap::default();
    for (name, step) in &solved.values {
        given.insert(name, at(&values, *step)?);
    }
    let places = table.add(&question.steps, &given)?;
    let (equations, facts): (Vec<_>, Vec<_>) =
        relations(question, &places)?.into_iter().partition(|&(_, is)| is == Comparison::Equal);
    let zero = at(&places, question.zero)?;
    let mut vanish: Vec<u32> = equations.into_iter().map(|(place, _)| place).collect();
    if turn {
        let small = enclosure::is_below(&table, zero, 0);
        small.then_some(()).ok_or(Rejection::NotZero)?;
        let less = table.number(&-&Rational::ONE);
        let cosine = table.apply(Op::Cos, vec![zero]);
        vanish.push(table.apply(Op::Sum, vec![cosine, less]));
        vanish.push(table.apply(Op::Sin, vec![zero]));
    } else {
        vanish.push(zero);
    }
    Program::new(table, vanish, &facts)
}

/// The field and the seed of a point: they follow from the question.
fn draw(program: &Program, point: usize, draw: u32) -> (Field, u64) {
    let word = mix(mix(program.digest, point as u64), u64::from(draw / DRAWS_IN_A_FIELD));
    let mut random = Random::new(word);
    let field = Field::draw(program.order, &mut random);
    let seed = mix(random.next(), u64::from(draw));
    (field, seed)
}

fn place_at(program: &Program, degree: &Degree, point: usize, number: u32) -> Result<(Place, u32), Stop> {
    let (field, seed) = draw(program, point, number);
    let seen = point::vanishes(program, &field, seed)?;
    let place = Place { prime: field.prime().to_string(), draw: number, branches: seen.branches };
    Ok((place, bits_of(program, degree, &seen, number)))
}

/// −log₂ of the probability that a point shows what is not so.
fn bits_of(program: &Program, degree: &Degree, seen: &Seen, draw: u32) -> u32 {
    // The product over all branches is the polynomial whose zeros are counted.
    let branches = bits(seen.branches - 1);
    let negative = bits(degree.laurent) + branches;
    let question = bits(degree.degree) + negative;
    let equal = bits(seen.values.saturating_mul(seen.values)) + bits(degree.any) + negative;
    let linked = match seen.quotients {
        0 => 0,
        quotients => bits(quotients) + 2 * LINK_BITS + 1 + bits(degree.any) + negative,
    };
    let by_point = question.max(equal).max(linked) + 2;
    // A number of that height has so many prime divisors of 62 bits; the field's prime is one of
    // about 2^62/(44 φ(order)).
    let divisors = degree.height.saturating_mul(program.order).saturating_mul(seen.branches) / 62;
    let by_prime = if divisors == 0 { 0 } else { bits(divisors) + bits(program.order) + 5 };
    // There were `draw` other draws to choose from, and as many again for each power of two.
    61u32.saturating_sub(by_point.max(by_prime) + 1).saturating_sub(2 * bits(u64::from(draw)))
}

fn rejection(stop: &Stop) -> Rejection {
    match stop {
        Stop::Undefined => Rejection::Undefined,
        Stop::NotZero => Rejection::NotZero,
        Stop::TooMany => Rejection::NotSupported("so many branches".to_owned()),
        Stop::Decomposition => Rejection::NotSupported("the argument of a function".to_owned()),
    }
}

/// Finds points at which the question vanishes on all branches: as many as the error bound asks for.
pub(crate) fn points(question: &Question, solved: &Solution, turn: bool) -> Result<Points, Rejection> {
    let program = prepare(question, solved, turn)?;
    let degree = degree::degree(&program);
    let mut places = Vec::new();
    let mut total = 0;
    while total < WANTED_BITS || places.len() < 2 {
        let defined = (0..MOST_DRAWS).find_map(|draw| match place_at(&program, &degree, places.len(), draw) {
            Err(Stop::Undefined) => None,
            seen => Some(seen),
        });
        let (place, bits) = defined.ok_or(Rejection::Undefined)?.map_err(|stop| rejection(&stop))?;
        if bits == 0 || places.len() == MOST_POINTS {
            return Err(Rejection::NotSupported("so high a degree".to_owned()));
        }
        places.push(place);
        total += bits;
    }
    let Program { order, fineness, .. } = program;
    Ok(Points { order, fineness, points: places, degree: degree.degree, bits: total })
}

fn replay(question: &Question, solved: &Solution, claim: &Points, turn: bool) -> Result<Checked, Rejection> {
    let solved_for = solution::determined(question, solved)?;
    let program = prepare(question, solved, turn)?;
    let degree = degree::degree(&program);
    if (claim.order, claim.fineness) != (program.order, program.fineness) {
        return Err(Rejection::Differs("order or fineness"));
    }
    if claim.degree < degree.degree {
        return Err(Rejection::Overclaimed { claimed: claim.degree, confirmed: degree.degree });
    }
    let mut total = 0;
    for (number, place) in claim.points.iter().enumerate().take(MOST_POINTS) {
        if place.draw >= MOST_DRAWS {
            return Err(Rejection::Malformed(format!("draw {}", place.draw)));
        }
        let (own, bits) = place_at(&program, &degree, number, place.draw).map_err(|stop| rejection(&stop))?;
        if own != *place {
            return Err(Rejection::Differs("point"));
        }
        total += bits;
    }
    if total < claim.bits || total < WANTED_BITS {
        return Err(Rejection::Overclaimed { claimed: claim.bits.max(WANTED_BITS).into(), confirmed: total.into() });
    }
    Ok(Checked { zero: true, error_bits: Some(total), solved_for })
}

#[cfg(test)]
mod tests;

//! Which case holds? Signs that the letters do not decide become conditions of a solution.
//!
//! A sign is looked up in this order: by letters and what the model assumes; among the conditions of the case that is worked
//! on; by the values of the parameters. What is left is a fork: every sign is a case of its own, and the one of zero puts a
//! letter in place of others.

use algebra::{Condition, Sign};
use expr::{Comparison, Expr, Op, Substitution};

use super::linear::{factors, short};

const SIGNS: [Comparison; 3] = [Comparison::Greater, Comparison::Less, Comparison::Equal];
const NONZERO: [Comparison; 2] = [Comparison::NotEqual, Comparison::Equal];

/// Why the work on a case ends.
pub enum Stop {
    /// There is no closed form, and why.
    Refused(String),
    /// This expression must be compared with zero first, and how it may compare.
    Fork(Expr, Vec<Comparison>),
    /// Letters do not do; the numbers of the model may.
    NeedsValues(String),
}

/// A case: what holds in it.
#[derive(Clone, Default)]
pub struct Case {
    /// How expressions compare with zero.
    pub conditions: Vec<Condition>,
    /// Letters that other letters stand for.
    pub put: Substitution,
    /// Whether the values of the parameters were put in.
    pub in_numbers: bool,
}

/// What is known of signs in a case.
pub struct Signs<'a> {
    /// What the model assumes.
    pub assumed: &'a [Condition],
    /// The case.
    pub case: &'a Case,
    /// The parameters that have values.
    pub values: &'a Substitution,
    /// The constants of integration: they have any value.
    pub constants: &'a [Expr],
}

impl Signs<'_> {
    /// The sign of an expression: that of the factors that are not squares, where these are not zero.
    pub fn sign(&self, value: Expr) -> Result<Comparison, Stop> {
        if value.is_zero() {
            return Ok(Comparison::Equal);
        }
        let (powers, is_negative) = powers(value);
        for (base, _) in powers.iter().filter(|(_, n)| *n > 0 && n % 2 == 0) {
            if self.compared(*base, &NONZERO)? == Comparison::Equal {
                return Ok(Comparison::Equal);
            }
        }
        let odd: Vec<Expr> = powers.iter().filter(|(_, n)| n % 2 != 0).map(|one| one.0).collect();
        let sign = match odd.is_empty() {
            true => Comparison::Greater,
            false => self.compared(Expr::product(&odd), &SIGNS)?,
        };
        Ok(if is_negative { mirrored(sign) } else { sign })
    }

    /// Goes on only where an expression is not zero: none of its factors is.
    pub fn nonzero(&self, value: Expr) -> Result<(), Stop> {
        for (base, _) in powers(value).0.into_iter().filter(|one| one.1 > 0) {
            if self.compared(base, &NONZERO)? == Comparison::Equal {
                return Err(Stop::Refused(format!("{} is zero", value.brief())));
            }
        }
        Ok(())
    }

    fn compared(&self, value: Expr, ways: &[Comparison]) -> Result<Comparison, Stop> {
        if value.is_zero() {
            return Ok(Comparison::Equal);
        }
        let known: Vec<Condition> = self.assumed.iter().chain(&self.case.conditions).copied().collect();
        let said = known.iter().filter_map(|one| {
            let ratio = short(value.try_div(one.value).ok()?).as_number()?;
            Some(if ratio.is_negative() { mirrored(one.comparison) } else { one.comparison })
        });
        let fits = |comparison: &Comparison| match comparison {
            Comparison::Greater | Comparison::Less => true,
            Comparison::NotEqual => ways.contains(&Comparison::NotEqual),
            _ => false,
        };
        if let Some(comparison) = said.into_iter().find(fits) {
            return Ok(comparison);
        }
        if let Some(comparison) = of_sign(algebra::sign(value, &known)) {
            return Ok(comparison);
        }
        let mentions = |list: &[Expr]| value.symbols().iter().any(|symbol| list.contains(symbol));
        if !mentions(self.constants) {
            let put = self.values.apply_one(value).ok().filter(|put| put.symbols().is_empty());
            if let Some(put) = put {
                let way = match of_sign(algebra::sign(put, &[])) {
                    None => return Err(Stop::Refused(format!("the sign of {} is not decided", value.brief()))),
                    Some(Comparison::Equal) => Comparison::Equal,
                    Some(_) if ways.contains(&Comparison::NotEqual) => Comparison::NotEqual,
                    Some(way) => way,
                };
                return Err(Stop::Fork(value, vec![way]));
            }
        }
        Err(Stop::Fork(value, ways.to_vec()))
    }
}

/// The factors of an expression with their exponents, and whether a negative number stands before them. A quotient is
/// brought over one denominator first.
fn powers(value: Expr) -> (Vec<(Expr, i64)>, bool) {
    let whole = algebra::shortened(&Condition { value, comparison: Comparison::NotEqual }, &[]).value;
    let ratio = whole.try_div(value).map(short).ok();
    let parts = match ratio {
        Some(ratio) if factors(ratio).iter().all(|factor| power(*factor).0.op() != Op::Sum) => {
            vec![(short(whole), 1), (ratio, -1)]
        }
        _ => vec![(short(value), 1)],
    };
    let (mut list, mut is_negative): (Vec<(Expr, i64)>, bool) = (Vec::new(), false);
    for (part, sign) in parts {
        for factor in factors(part).into_iter().flat_map(taken_out) {
            if let Some(number) = factor.as_number() {
                is_negative ^= number.is_negative();
                continue;
            }
            let (base, n) = power(factor);
            match list.iter_mut().find(|one| one.0.is_same(base)) {
                Some(one) => one.1 += sign * n,
                None => list.push((base, sign * n)),
            }
        }
    }
    list.retain(|one| one.1 != 0);
    (list, is_negative)
}

/// A sum as symbols that stand in all its terms, and what is left.
fn taken_out(e: Expr) -> Vec<Expr> {
    let (mut found, mut rest) = (Vec::new(), e);
    for symbol in e.symbols() {
        while rest.op() == Op::Sum {
            let terms = rest.arguments();
            let has =
                |term: &Expr| factors(*term).iter().any(|factor| power(*factor).0 == symbol && power(*factor).1 > 0);
            if !terms.iter().all(has) {
                break;
            }
            rest = Expr::sum(&terms.iter().map(|&term| term / symbol).collect::<Vec<_>>());
            found.push(symbol);
        }
    }
    found.push(rest);
    found
}

/// Base and exponent of a factor, if that is an integer.
fn power(factor: Expr) -> (Expr, i64) {
    let whole = |arguments: &[Expr]| arguments[1].as_number().and_then(|n| n.to_i64());
    match factor.op() {
        Op::Power => {
            let arguments = factor.arguments();
            whole(&arguments).map_or((factor, 1), |n| (arguments[0], n))
        }
        _ => (factor, 1),
    }
}

fn of_sign(sign: Sign) -> Option<Comparison> {
    match sign {
        Sign::Positive => Some(Comparison::Greater),
        Sign::Negative => Some(Comparison::Less),
        Sign::Zero => Some(Comparison::Equal),
        Sign::Open => None,
    }
}

pub fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Greater => Comparison::Less,
        Comparison::Less => Comparison::Greater,
        Comparison::AtLeast => Comparison::AtMost,
        Comparison::AtMost => Comparison::AtLeast,
        other => other,
    }
}

/// What becomes of a case when one more thing holds.
pub enum Next {
    /// A case of its own.
    Case(Case),
    /// What held before does not allow it.
    Impossible,
    /// No letter can be put in place of others to make something zero.
    Unsolved,
}

impl Case {
    /// The case in which an expression compares with zero in this way besides. The rates keep their meaning in it.
    pub fn with(&self, value: Expr, comparison: Comparison, constants: &[Expr], rates: &[Expr]) -> Next {
        let mut case = self.clone();
        if comparison != Comparison::Equal {
            case.conditions.push(Condition { value, comparison });
            return Next::Case(case);
        }
        let (mut first, rest): (Vec<Expr>, Vec<Expr>) =
            value.symbols().into_iter().partition(|symbol| constants.contains(symbol));
        first.splice(0..0, rest);
        // the plainest: nothing that may vanish is divided by
        let has_meaning = |one: &(Expr, Expr)| Substitution::new().and(one.0, one.1).apply(rates).is_ok();
        let solved = first.into_iter().rev().filter_map(|symbol| solved_for(value, symbol)).filter(has_meaning);
        let Some((symbol, instead)) = solved.min_by_key(|one| divisors(one.1)) else {
            return Next::Unsolved;
        };
        let one: Substitution = std::iter::once((symbol, instead)).collect();
        // what was compared before is compared where this letter has its new meaning
        for condition in &mut case.conditions {
            let Ok(put) = one.apply_one(condition.value) else { return Next::Impossible };
            if put.is_zero()
                && matches!(condition.comparison, Comparison::Greater | Comparison::Less | Comparison::NotEqual)
            {
                return Next::Impossible;
            }
            condition.value = short(put);
        }
        // letters that stood for others are said anew
        case.conditions.retain(|one| one.comparison != Comparison::Equal);
        case.put = case.put.map_values(|old| one.apply_one(old).map_or(old, short));
        case.put.insert(symbol, instead);
        let equations = case.put.iter().map(|one| Condition { value: one.0 - one.1, comparison: Comparison::Equal });
        let equations: Vec<Condition> = equations.collect();
        case.conditions.extend(equations);
        Next::Case(case)
    }
}

/// How many symbols an expression is divided by.
fn divisors(e: Expr) -> usize {
    let below = factors(e).into_iter().filter(|factor| power(*factor).1 < 0);
    below.flat_map(|factor| factor.symbols()).count()
}

/// A symbol by the others, where an expression is zero. A symbol on whose zero the rest would be singular is no choice.
fn solved_for(value: Expr, symbol: Expr) -> Option<(Expr, Expr)> {
    let whole = expr::simplify(value, &[]);
    let factors = factors(whole);
    // of a product that is zero one factor is
    let above = |e: &Expr| match e.op() {
        Op::Power => {
            let arguments = e.arguments();
            arguments[1].as_number().filter(|n| n.is_positive()).map(|_| arguments[0])
        }
        _ => Some(*e),
    };
    let mut holding = factors.iter().filter_map(above).filter(|factor| factor.symbols().contains(&symbol));
    let (factor, None) = (holding.next()?, holding.next()) else { return None };
    let (matrix, rest) = expr::linear_coefficients(&[factor], &[symbol]).ok()?;
    let instead = expr::simplify((-rest[0]).try_div(matrix[0][0]).ok()?, &[]);
    (!instead.symbols().contains(&symbol)).then_some((symbol, instead))
}

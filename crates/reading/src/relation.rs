//! How is an expression written where relations between its symbols hold?
//!
//! ```text
//! y² → l² − x²                       a constraint between coordinates                       (1)
//! y y' → −x x' − z z'                the same between rates                                 (2)
//! ```
//!
//! The terms of a quotient that hold the monomial on the left are replaced, above and below the line. What comes out is
//! the same expression only where the relation holds: it is compared after one symbol was eliminated by it.

use std::cell::Cell;
use std::collections::BTreeMap;

use expr::field::Field;
use expr::{Expr, Kind, Op, Rational, Substitution};

use crate::factor::{Factor, Meaning};
use crate::fourier::{Fourier, Mode};
use crate::interpolate::{BITS, Interpolation, Quotient};
use crate::machine::{Machine, Variable};

/// Sums with more terms are not reduced.
const MOST: usize = 200;
/// So many of the shortest sums are written.
const WRITTEN: usize = 3;
/// What one rule makes may be for another: so often all are tried.
const ROUNDS: usize = 3;

/// A monomial, what may be written for it, and how a symbol is eliminated by the same relation.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Symbols with positive exponents.
    pub from: Vec<(Expr, i32)>,
    /// A polynomial in symbols; single ones may have negative exponents.
    pub to: Expr,
    /// A symbol and its value by the relation.
    pub eliminates: (Expr, Expr),
    /// In a list relations stand by rank: symbols of those with a higher one are eliminated first.
    pub rank: u8,
}

impl Relation {
    /// Does it say that a symbol never changes?
    pub fn holds_fast(&self) -> bool {
        let moves = |symbol: &Expr| symbol.as_symbol().is_none_or(|symbol| symbol.kind != Kind::Parameter);
        self.from == [(self.eliminates.0, 1)] && !self.eliminates.1.symbols().iter().any(moves)
    }
}

/// A polynomial: numbers before exponents of the variables of a machine.
type Polynomial = Vec<(Rational, Vec<i32>)>;

/// A rule over the variables of a machine: exponents, and what stands for them.
struct Rule {
    from: Vec<i32>,
    to: Polynomial,
}

/// The expression written anew by the best of these relations, and its place among them; `None` if none makes
/// its sums shorter.
pub fn rewritten_on(e: Expr, relations: &[Vec<Relation>], terms: usize, work: &mut u64) -> Option<(usize, Expr)> {
    let field = Field::with_prime(crate::PRIME, 1 << BITS)?;
    let mut machine = Machine::of(e, field)?;
    for relation in relations.iter().flatten() {
        let symbols = relation.to.symbols().into_iter().chain(relation.from.iter().map(|one| one.0));
        symbols.for_each(|symbol| machine.know(symbol));
    }
    let mut interpolation = Interpolation::new(&machine, terms, work);
    let quotient = interpolation.quotient(machine.output, terms, false)?;
    let factors = interpolation.factors;
    let left = Cell::new(*work);
    let size = |quotient: &Quotient, factors: &[Factor]| {
        let below = quotient.below.iter().map(|&(k, _)| match &factors[k].meaning {
            Meaning::Sum(sum) => sum.modes.len(),
            _ => 0,
        });
        quotient.above.modes.len() + below.sum::<usize>()
    };
    let before = size(&quotient, &factors);
    let reduce = |(place, own): (usize, &Vec<Relation>)| {
        let rules = own.iter().map(|relation| rule(&machine.variables, relation)).collect::<Option<Vec<Rule>>>()?;
        let (reduced, factors) = reduced_quotient(&machine.variables, &quotient, &factors, &rules)?;
        let size = size(&reduced, &factors);
        (size < before).then_some((size, place, reduced, factors))
    };
    let mut shorter: Vec<(usize, usize, Quotient, Vec<Factor>)> =
        relations.iter().enumerate().filter_map(reduce).collect();
    // to write is the work; what has the fewest terms is likely to be shortest
    shorter.sort_by_key(|one| one.0);
    let mut best: Option<(usize, usize, Expr)> = None;
    for (_, place, reduced, factors) in shorter.into_iter().take(WRITTEN) {
        if left.get() == 0 {
            break;
        }
        let made = match reduced.above.modes.is_empty() {
            true => Some(Expr::zero()),
            false => crate::write::written(&machine.variables, &factors, &reduced, &left),
        };
        let Some(made) = made.filter(|&made| is_same_on(e, made, &relations[place])) else { continue };
        let length = made.letters();
        if best.as_ref().is_none_or(|known| length < known.0) {
            best = Some((length, place, made));
        }
    }
    *work = left.get();
    best.map(|(_, place, made)| (place, made))
}

/// Do two expressions agree where relations hold?
pub fn is_same_on(a: Expr, b: Expr, relations: &[Relation]) -> bool {
    let difference = relations.iter().rev().try_fold(a - b, |difference, relation| {
        let eliminated: Substitution = std::iter::once(relation.eliminates).collect();
        eliminated.apply_one(difference).ok()
    });
    difference.is_some_and(|difference| difference.is_zero())
}

/// An expression as a polynomial in symbols, if it is one.
fn polynomial(e: Expr, variables: &[Variable]) -> Option<Polynomial> {
    let arguments = e.arguments();
    let one = || vec![(Rational::ONE, vec![0; variables.len()])];
    match e.op() {
        Op::Number => Some(vec![(e.as_number()?, vec![0; variables.len()])]),
        Op::Symbol => {
            let mut powers = vec![0; variables.len()];
            powers[place(variables, e)?] = 1;
            Some(vec![(Rational::ONE, powers)])
        }
        Op::Sum => {
            let mut sum = Polynomial::new();
            for argument in arguments {
                sum.extend(polynomial(argument, variables)?);
            }
            product(&sum, &one())
        }
        Op::Product | Op::Scale => {
            arguments.into_iter().try_fold(one(), |made, factor| product(&made, &polynomial(factor, variables)?))
        }
        Op::Power => {
            let n = arguments[1].as_number()?.to_i64().filter(|n| (-6..=6).contains(n))?;
            let mut base = polynomial(arguments[0], variables)?;
            if n < 0 {
                let [(c, powers)] = &mut base[..] else { return None };
                *c = c.recip()?;
                powers.iter_mut().for_each(|n| *n = -*n);
            }
            (0..n.abs()).try_fold(one(), |made, _| product(&made, &base))
        }
        _ => None,
    }
}

fn product(a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
    let mut made: BTreeMap<Vec<i32>, Rational> = BTreeMap::new();
    for (c, m) in a {
        for (d, n) in b {
            let place = made.entry(m.iter().zip(n).map(|(m, n)| m + n).collect()).or_insert(Rational::ZERO);
            *place = &*place + &(c * d);
        }
    }
    (made.len() <= MOST).then(|| made.into_iter().filter(|one| !one.1.is_zero()).map(|(m, c)| (c, m)).collect())
}

fn place(variables: &[Variable], symbol: Expr) -> Option<usize> {
    variables.iter().position(|variable| *variable == Variable::Plain(symbol))
}

fn rule(variables: &[Variable], relation: &Relation) -> Option<Rule> {
    let mut from = vec![0; variables.len()];
    for &(symbol, n) in &relation.from {
        from[place(variables, symbol)?] = n;
    }
    Some(Rule { from, to: polynomial(relation.to, variables)? })
}

/// A quotient and its factors reduced; factors that become single terms go into the numerator.
fn reduced_quotient(
    variables: &[Variable],
    quotient: &Quotient,
    factors: &[Factor],
    rules: &[Rule],
) -> Option<(Quotient, Vec<Factor>)> {
    let mut factors = factors.to_vec();
    let mut above = reduced(&quotient.above, rules)?;
    let mut below = Vec::new();
    for &(k, times) in &quotient.below {
        let Meaning::Sum(sum) = &factors[k].meaning else {
            below.push((k, times));
            continue;
        };
        let own = reduced(sum, rules)?;
        match &own.modes[..] {
            [] => return None,
            [mode] if is_plain(mode, variables) => {
                let number = mode.cosine.pow(-i64::from(times)).ok()?;
                for term in &mut above.modes {
                    term.powers.iter_mut().zip(&mode.powers).for_each(|(n, own)| *n -= times * own);
                    (term.cosine, term.sine) = (&term.cosine * &number, &term.sine * &number);
                }
            }
            _ => {
                factors[k].meaning = Meaning::Sum(own);
                below.push((k, times));
            }
        }
    }
    Some((Quotient { above: reduced(&above, rules)?, below }, factors))
}

/// Has a mode no angle in it?
fn is_plain(mode: &Mode, variables: &[Variable]) -> bool {
    mode.powers.iter().zip(variables).all(|(n, variable)| *n == 0 || !variable.is_angle())
}

/// A sum in which no term holds the monomial of a rule; negative exponents stay what they are.
fn reduced(sum: &Fourier, rules: &[Rule]) -> Option<Fourier> {
    let mut sum = sum.clone();
    for _ in 0..ROUNDS {
        let before = sum.clone();
        for rule in rules {
            sum = reduced_by(&sum, rule)?;
        }
        if sum == before {
            break;
        }
    }
    Some(sum)
}

fn reduced_by(sum: &Fourier, rule: &Rule) -> Option<Fourier> {
    // exponents are counted from the least one, or from zero
    let own = rule.from.iter().enumerate().filter(|one| *one.1 > 0).map(|(v, &n)| (v, n));
    let least = |v: usize| sum.modes.iter().map(|mode| mode.powers[v]).min().unwrap_or(0).min(0);
    let own: Vec<(usize, i32, i32)> = own.map(|(v, n)| (v, n, least(v))).collect();
    let mut waiting: Vec<Mode> = sum.modes.clone();
    let mut done: BTreeMap<Vec<i32>, (Rational, Rational)> = BTreeMap::new();
    let mut steps = 0;
    while let Some(mode) = waiting.pop() {
        steps += 1;
        if steps > 40 * MOST {
            return None;
        }
        if own.iter().all(|&(v, n, low)| mode.powers[v] - low >= n) {
            for (c, powers) in &rule.to {
                let sum = mode.powers.iter().zip(powers).zip(&rule.from).map(|((n, to), from)| n + to - from);
                waiting.push(Mode { powers: sum.collect(), cosine: &mode.cosine * c, sine: &mode.sine * c });
            }
            continue;
        }
        let place = done.entry(mode.powers).or_insert((Rational::ZERO, Rational::ZERO));
        *place = (&place.0 + &mode.cosine, &place.1 + &mode.sine);
    }
    let modes = done.into_iter().filter(|(_, (a, b))| !a.is_zero() || !b.is_zero());
    let modes: Vec<Mode> = modes.map(|(powers, (cosine, sine))| Mode { powers, cosine, sine }).collect();
    (modes.len() <= MOST).then_some(Fourier { modes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constraint_shortens_what_it_holds_for() {
        // forget the factors below the line, or the exponents below zero, and this fails
        let _scope = expr::Scope::with_seed(5);
        let [x, y, l, v] = ["x", "y", "l", "v"].map(expr::parameter);
        let square =
            Relation { from: vec![(y, 2)], to: l * l - x * x, eliminates: (y, (l * l - x * x).sqrt()), rank: 1 };
        let sets = vec![vec![square]];
        let text = |e: Expr| rewritten_on(e, &sets, 40, &mut 1_000_000).map(|(_, made)| made.to_string());
        assert_eq!(text(y * y / (x * x) + 1).as_deref(), Some("l^2/x^2"));
        assert_eq!(text(v * x / (x * x + y * y)).as_deref(), Some("x*v/l^2"));
        assert_eq!(text(v * x + y), None, "nothing to gain");
        assert!(!is_same_on(x * x + y * y, l, &sets[0]));
    }
}

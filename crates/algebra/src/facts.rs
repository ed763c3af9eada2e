//! What is known of the parameters: signs, and what vanishes?
//!
//! ```text
//! a + b√d, a < 0 < b:   its sign is that of b²d − a²                                    (1)
//! ```

use expr::{Comparison, Evaluator, Expr, Op, Polynomial, Substitution, sign};
use proof::{Assumptions, Verdict, decide};

use crate::fraction;
use crate::solution::{Condition, Obstacle};
use crate::work::{MOST, QUESTION, Work};

/// What may be relied on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    conditions: Vec<Condition>,
    work: Work,
}

/// A condition that was proved not to hold. Nothing but a proof makes one, and nothing else may drop a case.
#[derive(Clone, Debug)]
pub(crate) struct Contradiction(());

impl Contradiction {
    /// What is left of the cases that it excludes.
    pub fn no_case<T>(self) -> Vec<T> {
        Vec::new()
    }
}

/// Roots inside roots are looked into so deep.
const DEPTH: u32 = 3;

impl Facts {
    pub fn new(conditions: &[Condition]) -> Facts {
        Facts { conditions: conditions.to_vec(), work: Work::default() }
    }

    /// These facts and more.
    pub fn and(&self, more: &[Condition]) -> Facts {
        let mut conditions = self.conditions.clone();
        conditions.extend(more);
        Facts { conditions, work: self.work.clone() }
    }

    /// The same, as what a proof may rely on.
    pub fn assumptions(&self) -> Assumptions {
        let add = |all: Assumptions, c: &Condition| all.and(c.value, c.comparison, Expr::zero());
        self.conditions.iter().fold(Assumptions::none(), add)
    }

    fn bits(&self) -> Vec<(Expr, u8)> {
        let known = |c: &Condition| match c.comparison {
            Comparison::Greater => Some((c.value, sign::POSITIVE)),
            Comparison::AtLeast => Some((c.value, sign::NONNEGATIVE)),
            Comparison::Less => Some((c.value, sign::NEGATIVE)),
            Comparison::AtMost => Some((c.value, sign::NONPOSITIVE)),
            Comparison::NotEqual => Some((c.value, sign::NONZERO)),
            Comparison::Equal => None,
        };
        self.conditions.iter().filter_map(known).collect()
    }

    /// The shortest form that is found.
    pub fn simplify(&self, e: Expr) -> Expr {
        self.work.simplify(e)
    }

    /// The expression as a polynomial; nothing if it is none, or too long for the work that is left.
    pub fn polynomial(&self, e: Expr, variables: &[Expr]) -> Option<Polynomial> {
        self.work.polynomial(e, variables)
    }

    /// How much of the work that is allowed has been done.
    pub fn share(&self) -> f64 {
        self.work.share()
    }

    /// An obstacle if no work is left. What was found meanwhile is no answer then.
    pub fn check(&self) -> Result<(), Obstacle> {
        if self.work.is_done() { Err(Obstacle::TooMuchWork { limit: MOST }) } else { Ok(()) }
    }

    /// Does it vanish, as far as can be told? "No" may mean that it does for some parameters.
    pub fn vanishes(&self, e: Expr) -> bool {
        if e.is_zero() || self.says(e, Comparison::Equal) {
            return true;
        }
        let equations = || self.conditions.iter().any(|c| c.comparison == Comparison::Equal);
        if self.work.is_done() || !(e.has_branches() || equations()) {
            return false;
        }
        self.work.look_at(e, QUESTION);
        decide(e, &self.assumptions()).is_zero()
    }

    /// Is this among the facts, up to a sign?
    fn says(&self, e: Expr, comparison: Comparison) -> bool {
        let is_it = |c: &Condition| c.comparison == comparison && (c.value == e || c.value == -e);
        self.conditions.iter().any(is_it)
    }

    /// Does the condition hold? Unless that is open, yes, or the contradiction.
    pub fn judge(&self, condition: &Condition) -> Option<Result<(), Contradiction>> {
        let zero = self.vanishes(condition.value);
        let known = if zero { sign::NONNEGATIVE | sign::NONPOSITIVE } else { self.sign(condition.value) };
        let has = |bits: u8| known & bits == bits;
        let (yes, no) = match condition.comparison {
            Comparison::Equal => (zero, has(sign::NONZERO)),
            Comparison::NotEqual => (has(sign::NONZERO), zero),
            Comparison::AtLeast => (has(sign::NONNEGATIVE), has(sign::NEGATIVE)),
            Comparison::AtMost => (has(sign::NONPOSITIVE), has(sign::POSITIVE)),
            Comparison::Greater => (has(sign::POSITIVE), has(sign::NONPOSITIVE)),
            Comparison::Less => (has(sign::NEGATIVE), has(sign::NONNEGATIVE)),
        };
        if yes {
            Some(Ok(()))
        } else if no {
            Some(Err(Contradiction(())))
        } else {
            None
        }
    }

    /// The conditions that do not follow from the others and from these facts.
    pub fn settle(&self, conditions: &[Condition]) -> Result<Vec<Condition>, Contradiction> {
        let mut kept: Vec<Condition> = Vec::new();
        for (place, condition) in conditions.iter().enumerate() {
            match self.and(&kept).and(&conditions[place + 1..]).judge(condition) {
                Some(judged) => judged?,
                None => kept.push(*condition),
            }
        }
        Ok(kept)
    }

    /// What is known of its sign: bits of [`expr::sign`].
    pub fn sign(&self, e: Expr) -> u8 {
        if self.work.is_done() {
            return 0;
        }
        let known = self.sign_within(e, DEPTH);
        match self.reduced(e) {
            Some(other) if known & sign::NONZERO == 0 => known | self.sign_within(other, DEPTH),
            _ => known,
        }
    }

    /// The expression with symbols replaced that an equation among the facts gives by a division by a number.
    fn reduced(&self, e: Expr) -> Option<Expr> {
        let mut e = e;
        let mut equations: Vec<Expr> =
            self.conditions.iter().filter(|c| c.comparison == Comparison::Equal).map(|c| c.value).collect();
        let mut is_other = false;
        while let Some(equation) = equations.pop() {
            let Some(given) = equation.symbols().into_iter().find_map(|symbol| isolated(equation, symbol)) else {
                continue;
            };
            is_other |= e.symbols().contains(&given.0);
            e = Substitution::from([given]).apply_one(e).ok()?;
            equations = Substitution::from([given]).apply(&equations).ok()?;
        }
        is_other.then_some(e)
    }

    /// Is it certainly never zero?
    pub fn is_nonzero(&self, e: Expr) -> bool {
        self.sign(e) & sign::NONZERO != 0
    }

    fn sign_within(&self, e: Expr, depth: u32) -> u8 {
        if e.is_constant() {
            self.work.look_at(e, QUESTION);
            return of_constant(e);
        }
        self.work.look_at(e, 1);
        let known = self.by_shape(e);
        if known & (sign::NONNEGATIVE | sign::NONPOSITIVE) != 0 || depth == 0 {
            return known;
        }
        let short = self.simplify(e);
        let factors = fraction::factors(short);
        if factors.len() > 1 {
            return known
                | factors.iter().fold(sign::POSITIVE, |all, &(factor, n)| {
                    times(all, power(self.sign_within(factor, depth - 1), n))
                });
        }
        let known = known | self.by_shape(short);
        self.work.look_at(short, QUESTION);
        let flat = expr::expand(short).unwrap_or(short);
        known | self.by_shape(flat) | self.by_root(flat, depth - 1).unwrap_or(0)
    }

    fn by_shape(&self, e: Expr) -> u8 {
        Evaluator::new(&[e], &self.bits()).signs(e)
    }

    /// The sign of a sum with one root, by (1).
    fn by_root(&self, e: Expr, depth: u32) -> Option<u8> {
        let root = roots(e).into_iter().next()?;
        let polynomial = self.polynomial(e, &[root])?;
        if polynomial.degree() != Some(1) {
            return None;
        }
        let [a, b] = [0, 1].map(|power| polynomial.coefficient(&[power]));
        let [of_a, of_b] = [a, b].map(|part| self.sign_within(part, depth));
        let gap = b.pow(2) * root.pow(2) - a.pow(2);
        let of_gap = self.sign_within(gap, depth);
        let strict = of_gap & of_a & of_b & sign::NONZERO;
        let (up, down) = (sign::NONNEGATIVE, sign::NONPOSITIVE);
        let leads = |of_root: bool| if of_root { of_b & (up | down) } else { of_a & (up | down) };
        match (of_gap & up != 0, of_gap & down != 0) {
            (true, false) => Some(leads(true) | strict),
            (false, true) => Some(leads(false) | strict),
            _ => None,
        }
    }
}

/// The symbol with the value that an equation linear in it gives, if its coefficient is a number.
fn isolated(equation: Expr, symbol: Expr) -> Option<(Expr, Expr)> {
    let (matrix, rest) = expr::linear_coefficients(&[equation], &[symbol]).ok()?;
    let coefficient = matrix[0][0].as_number().filter(|number| !number.is_zero())?;
    Some((symbol, -rest[0] / Expr::number(coefficient)))
}

/// The square roots that stand in a flat sum.
fn roots(e: Expr) -> Vec<Expr> {
    let terms = if e.op() == Op::Sum { e.arguments() } else { vec![e] };
    let mut found: Vec<Expr> = Vec::new();
    for (factor, _) in terms.into_iter().flat_map(fraction::factors) {
        let is_root = factor.op() == Op::Power
            && factor.arguments()[1].as_number().and_then(|n| n.to_small()).is_some_and(|(n, d)| n == 1 && d == 2);
        if is_root && !factor.is_constant() && !found.contains(&factor) {
            found.push(factor);
        }
    }
    found
}

fn of_constant(e: Expr) -> u8 {
    match decide(e, &Assumptions::none()) {
        Verdict::Zero(_) => sign::NONNEGATIVE | sign::NONPOSITIVE,
        Verdict::NonZero(witness) if witness.value.starts_with('-') => sign::NEGATIVE,
        Verdict::NonZero(_) => sign::POSITIVE,
        Verdict::Unknown(_) => 0,
    }
}

fn times(left: u8, right: u8) -> u8 {
    let nonzero = left & right & sign::NONZERO;
    let known = |facts: u8| facts & (sign::NONNEGATIVE | sign::NONPOSITIVE);
    match (known(left), known(right)) {
        (0, _) | (_, 0) => nonzero,
        (a, b) if a & b != 0 => nonzero | sign::NONNEGATIVE,
        _ => nonzero | sign::NONPOSITIVE,
    }
}

fn power(of: u8, n: i64) -> u8 {
    if n % 2 == 0 { of & sign::NONZERO | sign::NONNEGATIVE } else { of }
}

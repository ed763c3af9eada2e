//! Is an expression identically zero?
//!
//! Three answers, never two. `Zero` says how it was proved and how likely that is to be wrong;
//! `NonZero` names a state in exact numbers; `Unknown` says what stopped the search.
//!
//! ```text
//! no branches     the signature: two random points, with the bound that the degree gives
//! constants       roots and cosines of fractions of π: exactly, by a separation bound
//! branches        every choice of every root and switch, at fresh points
//! no image        an identity found is sound; one missed may only be refuted, by an enclosure
//! ```

use expr::field::{Field, Random, mix};
use expr::{Degree, Evaluator, Expr, Op, Undefined};

use crate::assume::{Assumptions, Solved, Unusable};
use crate::ball::{Ball, Context};
use crate::constant::{self, Found};
use crate::numeric;
use crate::witness::{Search, Witness};

/// An answer to "is it zero?".
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It is zero wherever it is defined and the assumptions hold.
    Zero(Proof),
    /// It is not zero at the witness state.
    NonZero(Witness),
    /// Neither was proved.
    Unknown(Obstacle),
}

impl Verdict {
    /// Was it proved zero?
    pub fn is_zero(&self) -> bool {
        matches!(self, Verdict::Zero(_))
    }

    /// Was it proved not to be zero?
    pub fn is_nonzero(&self) -> bool {
        matches!(self, Verdict::NonZero(_))
    }
}

/// How something was proved zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// By what.
    pub evidence: Evidence,
    /// How likely the proof is to be wrong.
    pub error: ErrorBound,
    /// The relations that were assumed.
    pub assumptions: Vec<String>,
    /// Expressions whose sign switches something; where one vanishes nothing is said.
    pub switches: Vec<String>,
    /// No state was found that satisfies the assumptions: the proof may be about nothing.
    pub vacuous: bool,
}

/// What a proof rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// It is the number 0.
    Literal,
    /// It vanishes at the points of two prime fields at which the scope's signatures stand.
    Signatures,
    /// It vanishes at fresh points of prime fields, on every branch.
    Points {
        /// How many points.
        points: u32,
        /// How many branches at each.
        branches: u64,
    },
    /// It is a constant smaller than any number of its kind that is not zero.
    Separation {
        /// Others are at least 2^-bits.
        bits: u64,
    },
}

/// A bound for the probability of error: zero, or a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ErrorBound(Option<u32>);

impl ErrorBound {
    /// The proof is certain.
    pub const CERTAIN: ErrorBound = ErrorBound(None);

    /// 2^-bits.
    pub fn power_of_half(bits: u32) -> ErrorBound {
        ErrorBound(Some(bits))
    }

    /// How many bits: the bound is 2^-bits; `None` if the proof is certain.
    pub fn bits(self) -> Option<u32> {
        self.0
    }
}

impl std::fmt::Display for ErrorBound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            None => f.write_str("0"),
            Some(bits) => write!(f, "2^-{bits}"),
        }
    }
}

/// What stopped the search for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// It holds on some branches of its roots and switches; which one is meant is not known.
    Branches {
        /// Expressions whose sign would settle it.
        of: Vec<String>,
    },
    /// It contains functions that have no image in a field, and no state refutes it.
    NoImage {
        /// The functions.
        of: Vec<String>,
    },
    /// It has too many roots and switches to try all their branches.
    TooManyBranches,
    /// No state was found at which it is defined and the assumptions hold.
    NoState,
    /// Its degree is too large for the fields: no useful bound.
    DegreeTooLarge,
    /// No point was found at which all its roots exist.
    NoPoint,
    /// An assumed equation could not be used.
    Assumption {
        /// The equation.
        equation: String,
        /// Why not.
        why: String,
    },
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Obstacle::Branches { of } => {
                write!(f, "it holds on some branches only; the sign of {} decides: state it with `assume`", list(of))
            }
            Obstacle::NoImage { of } => write!(f, "no state refutes it, but {} cannot be followed exactly", list(of)),
            Obstacle::TooManyBranches => {
                f.write_str("too many roots, absolute values or switches to try all their branches")
            }
            Obstacle::NoState => {
                f.write_str("no state was found that separates the two where both are defined and the assumptions hold")
            }
            Obstacle::DegreeTooLarge => f.write_str("its degree is too large for a useful error bound"),
            Obstacle::NoPoint => f.write_str("no point was found at which all its roots exist in the field"),
            Obstacle::Assumption { equation, why } => write!(f, "the assumption `{equation}` {why}"),
        }
    }
}

fn list(items: &[String]) -> String {
    let quoted: Vec<String> = items.iter().map(|item| format!("`{item}`")).collect();
    quoted.join(", ")
}

/// A bound of 2^-64 or better is asked for; more points are taken until it is reached.
const WANTED_BITS: u32 = 64;
/// At most so many fresh points.
const MOST_POINTS: u32 = 8;
/// At most so many branches at a point.
const MOST_BRANCHES: u64 = 4096;
/// At most so many node evaluations over all branches of a point.
const MOST_WORK: u64 = 1 << 25;
/// Roots of unity, and so roots of expressions, are taken up to this order.
const MOST_ORDER: u64 = 1024;
/// A point at which all roots exist is looked for so often.
const MOST_DRAWS: u64 = 1 << 13;
/// So many states are tried for a witness.
const TRIES: usize = 400;

/// Decides whether `e` is identically zero, under assumptions; `Unknown` rather than a guess.
///
/// ```
/// use proof::{Assumptions, decide};
/// let _scope = expr::Scope::enter();
/// let e = expr::parse("sin(x)^2 + cos(x)^2 - 1")?;
/// assert!(decide(e, &Assumptions::none()).is_zero());
/// let e = expr::parse("sqrt(x^2) - x")?;
/// assert!(decide(e, &Assumptions::none()).is_nonzero());
/// # Ok::<(), expr::ParseError>(())
/// ```
pub fn decide(e: Expr, assumptions: &Assumptions) -> Verdict {
    decide_all(&[e], assumptions).remove(0)
}

/// Decides several questions that share most of their graph.
pub fn decide_all(questions: &[Expr], assumptions: &Assumptions) -> Vec<Verdict> {
    let solved = match assumptions.solved(questions) {
        Ok(solved) => solved,
        Err(unusable) => {
            let obstacle = obstacle_of(unusable);
            return questions.iter().map(|_| Verdict::Unknown(obstacle.clone())).collect();
        }
    };
    // With branches the degree depends on the points, and is asked for there.
    let plain: Vec<Expr> = solved.questions.iter().copied().filter(|e| !e.has_branches()).collect();
    let degrees = if plain.is_empty() { Vec::new() } else { expr::degrees(&plain, SIGNATURE_FINENESS) };
    let mut degrees = degrees.into_iter();
    let ask = |&e: &Expr| {
        let degree = if e.has_branches() { None } else { degrees.next() };
        let mut verdict = one(e, degree.as_ref(), &solved);
        if let Verdict::Zero(proof) = &mut verdict {
            proof.assumptions = assumptions.texts();
            proof.vacuous = !assumptions.is_empty() && search(Expr::one(), &solved).is_none();
        }
        verdict
    };
    solved.questions.iter().map(ask).collect()
}

fn obstacle_of(unusable: Unusable) -> Obstacle {
    match unusable {
        Unusable::NotLinear(equation) => Obstacle::Assumption {
            equation,
            why: "is linear or quadratic in none of its symbols, so it cannot be solved for one".to_owned(),
        },
        Unusable::Never(equation) => Obstacle::Assumption { equation, why: "can never hold".to_owned() },
        Unusable::MayVanish(equation, symbol, coefficient) => Obstacle::Assumption {
            equation,
            why: format!("gives `{symbol}` only where `{coefficient}` is not zero: assume `{coefficient} != 0` too"),
        },
        Unusable::Contradiction(equation, error) => {
            Obstacle::Assumption { equation, why: format!("makes part of the question undefined: {error}") }
        }
    }
}

/// The fraction to which angles are split in signatures.
const SIGNATURE_FINENESS: u64 = 24;

fn one(e: Expr, degree: Option<&Degree>, solved: &Solved) -> Verdict {
    if e == Expr::zero() {
        return zero(Evidence::Literal, ErrorBound::CERTAIN, Vec::new());
    }
    if let Some(degree) = degree {
        return without_branches(e, degree, solved);
    }
    if e.is_constant() {
        match constant::decide(&Evaluator::new(&[e], &[]).program()) {
            Found::Zero { bits } => return zero(Evidence::Separation { bits }, ErrorBound::CERTAIN, Vec::new()),
            Found::NonZero(value) => return Verdict::NonZero(Witness { state: Vec::new(), value }),
            Found::Open => {}
        }
    }
    if e.is_constant()
        && let Some(verdict) = as_angle(e, solved)
    {
        return verdict;
    }
    with_branches(e, solved)
}

/// A constant of size less than π is zero if a full turn by it changes nothing: exp(i e) = 1. So
/// sums of inverse functions are decided, such as Machin's 4 atan(1/5) − atan(1/239) = π/4.
fn as_angle(e: Expr, solved: &Solved) -> Option<Verdict> {
    let program = Evaluator::new(&[e], &[]).program();
    let value = numeric::evaluate(&program, &Context::new(192), &[])?.remove(0);
    let small = value.abs().compare(&Ball::one()) == Some(std::cmp::Ordering::Less);
    if !small || !value.contains_zero() {
        return None;
    }
    let turned = [e.try_function(Op::Cos).ok()? - 1, e.try_function(Op::Sin).ok()?];
    match turned.map(|part| with_branches(part, solved)) {
        [Verdict::Zero(proof), Verdict::Zero(other)] => {
            Some(Verdict::Zero(if other.error < proof.error { proof } else { other }))
        }
        _ => None,
    }
}

fn zero(evidence: Evidence, error: ErrorBound, switches: Vec<String>) -> Verdict {
    Verdict::Zero(Proof { evidence, error, assumptions: Vec::new(), switches, vacuous: false })
}

fn without_branches(e: Expr, degree: &Degree, solved: &Solved) -> Verdict {
    if e.is_zero() {
        if let Some(bits) = bits_at_a_point(degree, 1, 0, Pool::of_signatures())
            && 2 * bits >= WANTED_BITS
        {
            return zero(Evidence::Signatures, ErrorBound::power_of_half(2 * bits), Vec::new());
        }
        return with_branches(e, solved);
    }
    match search(e, solved) {
        Some(witness) => Verdict::NonZero(witness),
        // A signature splits angles to 1/24 only; fresh points split them as finely as needed.
        None => with_branches(e, solved),
    }
}

fn search(e: Expr, solved: &Solved) -> Option<Witness> {
    Search::new(e, &solved.rest, &solved.given).run(TRIES)
}

/// From how many primes a field was drawn.
#[derive(Clone, Copy)]
struct Pool {
    /// log₂ of their number, rounded down.
    bits: u32,
}

impl Pool {
    /// Primes between 2^62 and 2^63 that are 1 modulo `order`: about 2^62 / (44 φ(order)).
    fn of_order(order: u64) -> Pool {
        Pool { bits: 62u32.saturating_sub(6 + (64 - order.leading_zeros())) }
    }

    fn of_signatures() -> Pool {
        Pool::of_order(expr::GENERIC_ORDER)
    }
}

/// −log₂ of the probability that an expression that is not zero vanishes at one random point on
/// all branches (Schwartz and Zippel), that the prime divides what makes it not zero, or that one
/// of the `trials` linked two roots by accident.
fn bits_at_a_point(degree: &Degree, branches: u64, trials: u64, pool: Pool) -> Option<u32> {
    let size = |n: u64| u64::from(64 - n.leading_zeros());
    let branch_bits = size(branches - 1);
    // The norm over the branches has `branches` times the degree; conditioning on roots that
    // exist costs the same factor again. Negative exponents are shifted away.
    let degree_bits = size(degree.degree) + size(degree.laurent) + 2 * branch_bits;
    let by_point = 61u64.checked_sub(degree_bits)?;
    // A nonzero algebraic integer of that height has at most so many prime divisors of 62 bits.
    let height = degree.height.checked_mul(degree.coefficients)?.checked_mul(branches)?;
    let by_prime = match height / 62 {
        0 => u64::MAX,
        bad => u64::from(pool.bits).checked_sub(size(bad))?,
    };
    let by_link = if trials == 0 { u64::MAX } else { 45u64.checked_sub(size(trials))? };
    let bits = by_point.min(by_prime).min(by_link).checked_sub(2)?;
    u32::try_from(bits).ok().filter(|&bits| bits >= 8)
}

/// What one round of evaluations showed.
enum Shown {
    Zero { branches: u64, trials: u64 },
    OnSome,
    NonZero,
}

fn with_branches(e: Expr, solved: &Solved) -> Verdict {
    // Signs choose between branches, and nothing else.
    let facts = if e.has_branches() { solved.rest.facts() } else { Vec::new() };
    let evaluator = Evaluator::new(&[e], &facts);
    let mut fields = Fields::new(evaluator.digest());
    let mut proved = 0;
    let mut points = 0;
    let mut known: Option<(u64, Degree)> = None;
    loop {
        match fields.round(&evaluator, points) {
            Ok(Shown::Zero { branches, trials }) => {
                points += 1;
                let degree = match known.take().filter(|(fineness, _)| *fineness == fields.fineness) {
                    Some((_, degree)) => degree,
                    None => expr::degrees(&[e], fields.fineness)[0],
                };
                known = Some((fields.fineness, degree));
                let Some(bits) = bits_at_a_point(&degree, branches, trials, Pool::of_order(fields.order)) else {
                    return Verdict::Unknown(Obstacle::DegreeTooLarge);
                };
                proved += bits;
                if points >= 2 && proved >= WANTED_BITS {
                    let evidence = Evidence::Points { points, branches };
                    return zero(evidence, ErrorBound::power_of_half(proved), switches(&evaluator));
                }
                if points == MOST_POINTS {
                    return Verdict::Unknown(Obstacle::DegreeTooLarge);
                }
            }
            Ok(shown) => return refuted(e, &shown, &evaluator, solved),
            Err(obstacle) => {
                if let Some(verdict) = with_roots_apart(e, &obstacle, solved) {
                    return verdict;
                }
                let witness = search(e, solved);
                return witness.map_or(Verdict::Unknown(obstacle), Verdict::NonZero);
            }
        }
    }
}

/// With more roots than any point has, or than branches can be tried: whatever vanishes with a symbol in place of each
/// square root is zero.
fn with_roots_apart(e: Expr, obstacle: &Obstacle, solved: &Solved) -> Option<Verdict> {
    if !matches!(obstacle, Obstacle::NoPoint | Obstacle::TooManyBranches) {
        return None;
    }
    let apart = expr::roots_apart(&[e]).ok()?[0];
    if apart == e || !apart.has_branches() && !apart.is_zero() {
        return None;
    }
    let degree = if apart.has_branches() { None } else { expr::degrees(&[apart], SIGNATURE_FINENESS).pop() };
    Some(one(apart, degree.as_ref(), solved)).filter(Verdict::is_zero)
}

fn refuted(e: Expr, shown: &Shown, evaluator: &Evaluator, solved: &Solved) -> Verdict {
    if let Some(witness) = search(e, solved) {
        return Verdict::NonZero(witness);
    }
    let opaque = texts_of(
        evaluator,
        |op| {
            matches!(
                op,
                Op::Asin | Op::Acos | Op::Atan | Op::Atan2 | Op::Log | Op::IfZero | Op::Unspecified | Op::Integral
            )
        },
        false,
    );
    let branching = texts_of(
        evaluator,
        |op| matches!(op, Op::Abs | Op::Sign | Op::IfNegative | Op::Power | Op::Min | Op::Max),
        true,
    );
    Verdict::Unknown(match shown {
        Shown::OnSome if !branching.is_empty() => Obstacle::Branches { of: branching },
        _ if !opaque.is_empty() => Obstacle::NoImage { of: opaque },
        _ => Obstacle::NoState,
    })
}

/// The expressions whose sign switches something.
fn switches(evaluator: &Evaluator) -> Vec<String> {
    texts_of(evaluator, |op| matches!(op, Op::Sign | Op::IfNegative), true)
}

/// Up to four nodes of some kinds, or their first arguments, as text.
fn texts_of(evaluator: &Evaluator, wanted: impl Fn(Op) -> bool, arguments: bool) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for node in evaluator.variable_nodes(wanted) {
        let fractional = |e: Expr| e.arguments()[1].as_number().is_some_and(|exponent| !exponent.is_integer());
        if node.op() == Op::Power && !fractional(node) {
            continue;
        }
        let text = match (node.op(), &*node.arguments()) {
            (Op::Min | Op::Max, &[a, b]) => (a - b).brief(),
            (_, &[first, ..]) if arguments => first.brief(),
            _ => node.brief(),
        };
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.truncate(4);
    texts
}

/// Where the fields and points of a proof come from: from what is to be proved.
struct Fields {
    digest: u64,
    order: u64,
    fineness: u64,
}

impl Fields {
    fn new(digest: u64) -> Fields {
        Fields { digest, order: 24, fineness: 1 }
    }

    /// Evaluates all branches at one more point; finds a field and a point where that is possible.
    fn round(&mut self, evaluator: &Evaluator, point: u32) -> Result<Shown, Obstacle> {
        let mut random = Random::new(mix(self.digest, u64::from(point)));
        let mut field = Field::draw(self.order, &mut random);
        for draw in 1..=MOST_DRAWS {
            if draw % 64 == 0 {
                field = Field::draw(self.order, &mut random);
            }
            match all_branches(evaluator, &field, random.next(), self.fineness) {
                Ok(shown) => return Ok(shown),
                Err(Stopped::TooMany) => return Err(Obstacle::TooManyBranches),
                Err(Stopped::At(Undefined::NeedsFineness(d))) => {
                    self.fineness = lcm(self.fineness, d).ok_or(Obstacle::DegreeTooLarge)?;
                }
                Err(Stopped::At(Undefined::NeedsOrder(k))) if k > MOST_ORDER => return Err(Obstacle::NoPoint),
                Err(Stopped::At(Undefined::NeedsOrder(k))) => {
                    self.order = lcm(self.order, k).filter(|&order| order < 1 << 40).ok_or(Obstacle::DegreeTooLarge)?;
                    field = Field::draw(self.order, &mut random);
                }
                Err(Stopped::At(Undefined::Modulus)) => field = Field::draw(self.order, &mut random),
                Err(Stopped::At(Undefined::NotAPower | Undefined::DivisionByZero)) => {}
            }
        }
        Err(Obstacle::NoPoint)
    }
}

enum Stopped {
    At(Undefined),
    TooMany,
}

/// Runs through all choices at the roots, as an odometer whose wheels are found on the way.
fn all_branches(evaluator: &Evaluator, field: &Field, seed: u64, fineness: u64) -> Result<Shown, Stopped> {
    let mut choices: Vec<u32> = Vec::new();
    let mut zeros = 0u64;
    let mut count = 0u64;
    let mut trials = 0u64;
    loop {
        let values = evaluator.at(field, seed, fineness, &choices).map_err(Stopped::At)?;
        count += 1;
        trials += values.trials;
        zeros += u64::from(values.outputs[0] == expr::field::Element::ZERO);
        let all: u64 = values.radices.iter().fold(1, |product, &radix| product.saturating_mul(u64::from(radix)));
        if zeros == count && (all > MOST_BRANCHES || all.saturating_mul(evaluator.size() as u64) > MOST_WORK) {
            return Err(Stopped::TooMany);
        }
        if zeros != count && zeros > 0 {
            return Ok(Shown::OnSome);
        }
        choices.resize(values.radices.len(), 0);
        while let Some(last) = choices.pop() {
            if last + 1 < values.radices[choices.len()] {
                choices.push(last + 1);
                break;
            }
        }
        let stop = choices.is_empty() || (zeros == 0 && count >= 64);
        if stop {
            return Ok(if zeros == count { Shown::Zero { branches: count, trials } } else { Shown::NonZero });
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

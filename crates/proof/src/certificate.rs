//! What convinces somebody who does not trust the prover? Plain data, replayed by `check.rs`.
//!
//! ```text
//! question   straight-line steps, the step that is asked about, the relations assumed
//! solved     values that the assumed equations give to some symbols, as steps of their own
//! grounds    points of prime fields | a separation bound | a full turn | a witness state
//! seal       a checksum of all that
//! ```
//!
//! Points are not chosen, they follow from the question (Fiat and Shamir, CRYPTO 1986): from the
//! digest of its steps, the number of the point and the number of the draw. Only the draw is
//! free, since roots do not exist everywhere, and what that freedom is worth is taken off the
//! error bound. Digests and seals are FNV-1a of 128 bits, no cryptographic hash: they stop
//! accidents and make forgery by trial costly; what is shown is shown by the replay itself.

use std::borrow::Cow;
use std::fmt;

use expr::{Comparison, Evaluator, Expr, Op, Program, Symbol};
use serde::{Deserialize, Serialize};

use crate::assume::Assumptions;
use crate::check::{self, Rejection};
use crate::decide::{Evidence, Obstacle, Verdict, decide};

/// A decision with all that is needed to replay it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// What was asked.
    pub question: Question,
    /// What the assumed equations give to some symbols.
    pub solved: Solution,
    /// What the answer rests on.
    pub grounds: Grounds,
    /// A checksum of the rest, in hexadecimal digits.
    pub seal: String,
}

/// Is a step zero wherever some relations hold?
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Each step uses results of earlier ones.
    pub steps: Vec<Line>,
    /// The step that is asked about.
    pub zero: u32,
    /// The relations assumed.
    pub assumed: Vec<Relation>,
}

/// One step; in a file one text, such as `product 3 7`, `number -3/2`, `symbol phi coordinate 1`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Line {
    /// What is done, by name.
    pub op: Cow<'static, str>,
    /// To the results of which steps.
    pub of: Vec<u32>,
    /// The value of a number, such as `-3/2`.
    pub number: Option<String>,
    /// What a symbol is.
    pub symbol: Option<Name>,
}

impl From<Line> for String {
    fn from(line: Line) -> String {
        use std::fmt::Write;
        let mut text = line.op.replace(' ', "_");
        line.of.iter().for_each(|step| write!(text, " {step}").unwrap_or(()));
        line.number.iter().for_each(|number| write!(text, " {number}").unwrap_or(()));
        line.symbol.iter().for_each(|one| write!(text, " {} {} {}", one.name, one.kind, one.order).unwrap_or(()));
        text
    }
}

impl TryFrom<String> for Line {
    type Error = String;

    fn try_from(text: String) -> Result<Line, String> {
        let mut words = text.split(' ');
        let op = words.next().unwrap_or_default();
        let op = match op_named(op) {
            Some(known) => Cow::Borrowed(name_of(known)),
            None => Cow::Owned(op.replace('_', " ")),
        };
        let wrong = || format!("`{text}` is no step");
        let mut line = Line { op, of: Vec::new(), number: None, symbol: None };
        match &*line.op {
            "number" => line.number = Some(words.next().ok_or_else(wrong)?.to_owned()),
            "symbol" => {
                let (name, kind, order) = (words.next(), words.next(), words.next());
                let (name, kind) = (name.ok_or_else(wrong)?.to_owned(), kind.ok_or_else(wrong)?.to_owned());
                let order = order.and_then(|order| order.parse().ok()).ok_or_else(wrong)?;
                line.symbol = Some(Name { name, kind, order });
            }
            _ => {
                for word in words.by_ref() {
                    line.of.push(word.parse().map_err(|_| wrong())?);
                }
            }
        }
        match words.next() {
            None => Ok(line),
            Some(_) => Err(wrong()),
        }
    }
}

/// A symbol as plain data.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Name {
    /// Its name without primes.
    pub name: String,
    /// What it stands for.
    pub kind: String,
    /// How often it was differentiated with respect to time.
    pub order: u32,
}

/// A step compared with zero.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relation {
    /// The step.
    pub step: u32,
    /// The comparison, such as `>=`.
    pub is: String,
}

/// Values of symbols.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Solution {
    /// Steps that mention none of the symbols solved for.
    pub steps: Vec<Line>,
    /// Which step is the value of which symbol.
    pub values: Vec<(Name, u32)>,
}

/// What an answer rests on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Grounds {
    /// Zero: exact arithmetic gives the number 0.
    Arithmetic,
    /// Zero: it vanishes at points of prime fields, on every branch.
    Points(Points),
    /// Zero: a constant e of size less than 1 with sin e = 0 and cos e = 1 at such points.
    Turn(Points),
    /// Zero: a constant smaller than any of its kind that is not zero.
    Separation {
        /// Others are at least 2^-bits.
        bits: u64,
    },
    /// Not zero: it has this value at this state.
    Witness {
        /// The values of all symbols, such as `-3/2`.
        state: Vec<(Name, String)>,
        /// The value there, every digit certain.
        value: String,
    },
}

/// Points of prime fields.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// Roots of unity of this order exist in the fields.
    pub order: u64,
    /// Angles are split to this fraction.
    pub fineness: u64,
    /// The points.
    pub points: Vec<Place>,
    /// A bound for the degree.
    pub degree: u64,
    /// The probability of error is at most 2^-bits.
    pub bits: u32,
}

/// One point.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The field.
    pub prime: String,
    /// Which draw it was; at the earlier ones some root did not exist.
    pub draw: u32,
    /// How many branches there are.
    pub branches: u64,
}

/// Why there is no certificate.
#[derive(Clone, PartialEq, Debug)]
pub enum Uncertified {
    /// The question was not decided.
    Undecided(Obstacle),
    /// The checker does not follow the decision.
    Unconfirmed(Rejection),
}

impl fmt::Display for Uncertified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Uncertified::Undecided(obstacle) => obstacle.fmt(f),
            Uncertified::Unconfirmed(rejection) => write!(f, "decided, but the checker says: {rejection}"),
        }
    }
}

impl std::error::Error for Uncertified {}

/// Decides whether `e` is zero, and makes a certificate that the checker has accepted.
///
/// ```
/// use proof::{Assumptions, certify, check_for};
/// let _scope = expr::Scope::enter();
/// let e = expr::parse("sin(x)^2 + cos(x)^2 - 1").unwrap();
/// let certificate = certify(e, &Assumptions::none()).unwrap();
/// let checked = check_for(&certificate, e, &Assumptions::none()).unwrap();
/// assert!(checked.zero && checked.error_bits.unwrap() >= 64);
/// ```
pub fn certify(e: Expr, assumptions: &Assumptions) -> Result<Certificate, Uncertified> {
    let question = Question::of(e, assumptions);
    let unconfirmed = Uncertified::Unconfirmed;
    let (solved, grounds) = match decide(e, assumptions) {
        Verdict::Unknown(obstacle) => return Err(Uncertified::Undecided(obstacle)),
        Verdict::NonZero(witness) => {
            let state: Vec<_> = witness.state.iter().map(|(s, value)| (Name::of(s), value.to_string())).collect();
            let value = check::value_at(&question, &state).map_err(unconfirmed)?;
            (Solution::default(), Grounds::Witness { state, value })
        }
        Verdict::Zero(proof) => {
            let solved = Solution::of(e, assumptions);
            let points = |turn| check::points(&question, &solved, turn);
            let at_points = || points(false).map(Grounds::Points);
            let turned = |error| points(true).map(Grounds::Turn).map_err(|_| error);
            let small = |bits| Grounds::Separation { bits };
            let grounds = match proof.evidence {
                Evidence::Literal if solved.values.is_empty() => Ok(Grounds::Arithmetic),
                Evidence::Separation { .. } => check::separation(&question).map(small).or_else(|_| at_points()),
                _ => at_points().or_else(turned),
            };
            (solved, grounds.map_err(unconfirmed)?)
        }
    };
    let certificate = Certificate { question, solved, grounds, seal: String::new() }.sealed();
    check::check(&certificate).map_err(unconfirmed)?;
    Ok(certificate)
}

impl Certificate {
    /// The checksum that belongs to the rest.
    pub fn checksum(&self) -> String {
        let mut digest = Digest(OFFSET);
        let written = fmt::Write::write_fmt(&mut digest, format_args!("{self}"));
        written.map_or_else(|_| String::new(), |()| format!("{:032x}", digest.0))
    }

    /// The same with the seal that belongs to it.
    pub fn sealed(self) -> Certificate {
        Certificate { seal: self.checksum(), ..self }
    }
}

/// FNV-1a of 128 bits. Source: Fowler, Noll, Vo and Eastlake, RFC 9923.
pub(crate) fn hash(bytes: impl Iterator<Item = u8>) -> u128 {
    bytes.fold(OFFSET, hashed)
}

const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;

fn hashed(word: u128, byte: u8) -> u128 {
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    (word ^ u128::from(byte)).wrapping_mul(PRIME)
}

/// The hash of what is written to it.
struct Digest(u128);

impl fmt::Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = text.bytes().fold(self.0, hashed);
        Ok(())
    }
}

/// The certificate line by line, without its seal.
impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = |f: &mut fmt::Formatter<'_>, steps: &[Line]| {
            steps.iter().zip(0..).try_for_each(|(line, place)| {
                write_digits(f, place)?;
                f.write_str(": ")?;
                line.fmt(f)?;
                f.write_str("\n")
            })
        };
        lines(f, &self.question.steps)?;
        writeln!(f, "zero? {}", self.question.zero)?;
        self.question.assumed.iter().try_for_each(|r| writeln!(f, "assumed {} {} 0", r.step, r.is))?;
        lines(f, &self.solved.steps)?;
        self.solved.values.iter().try_for_each(|(name, step)| writeln!(f, "solved {name} = {step}"))?;
        match &self.grounds {
            Grounds::Arithmetic => writeln!(f, "zero by arithmetic"),
            Grounds::Separation { bits } => writeln!(f, "zero because less than 2^-{bits}"),
            Grounds::Points(points) => write!(f, "zero at points\n{points}"),
            Grounds::Turn(points) => write!(f, "zero because a full turn at points\n{points}"),
            Grounds::Witness { state, value } => {
                writeln!(f, "not zero but {value}")?;
                state.iter().try_for_each(|(name, value)| writeln!(f, "at {name} = {value}"))
            }
        }
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Points { order, fineness, degree, bits, .. } = self;
        writeln!(f, "order {order}, fineness {fineness}, degree {degree}, error 2^-{bits}")?;
        self.points.iter().try_for_each(|Place { prime, draw, branches }| {
            writeln!(f, "prime {prime}, draw {draw}, branches {branches}")
        })
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.op)?;
        self.of.iter().try_for_each(|&step| {
            f.write_str(" ")?;
            write_digits(f, step)
        })?;
        self.number.iter().try_for_each(|number| write!(f, " {number}"))?;
        self.symbol.iter().try_for_each(|symbol| write!(f, " {symbol}"))
    }
}

/// A number in decimal digits, without the detours of a format.
fn write_digits(f: &mut fmt::Formatter<'_>, number: u32) -> fmt::Result {
    let mut digits = [b'0'; 10];
    let (mut rest, mut first) = (number, digits.len() - 1);
    digits[first] += (rest % 10) as u8;
    while rest >= 10 {
        rest /= 10;
        first -= 1;
        digits[first] += (rest % 10) as u8;
    }
    f.write_str(std::str::from_utf8(&digits[first..]).unwrap_or_default())
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {:?}", self.kind, self.order, self.name)
    }
}

impl Question {
    /// The question whether `e` is zero under assumptions, as plain data.
    pub fn of(e: Expr, assumptions: &Assumptions) -> Question {
        let relations = assumptions.differences();
        let outputs: Vec<Expr> = [e].into_iter().chain(relations.iter().map(|&(e, _)| e)).collect();
        let program = Evaluator::new(&outputs, &[]).program();
        let assumed = relations.iter().zip(&program.outputs[1..]);
        Question {
            steps: lines(&program),
            zero: program.outputs[0],
            assumed: assumed.map(|((_, is), &step)| Relation { step, is: is.symbol().to_owned() }).collect(),
        }
    }
}

impl Solution {
    fn of(e: Expr, assumptions: &Assumptions) -> Solution {
        let given = assumptions.solved(&[e]).map(|solved| solved.given).unwrap_or_default();
        let program = Evaluator::new(&given.iter().map(|&(_, value)| value).collect::<Vec<_>>(), &[]).program();
        let names = given.iter().filter_map(|(symbol, _)| symbol.as_symbol());
        let values = names.zip(&program.outputs).map(|(symbol, &step)| (Name::of(&symbol), step)).collect();
        Solution { steps: lines(&program), values }
    }
}

fn lines(program: &Program) -> Vec<Line> {
    let line = |step: &expr::Step| Line {
        op: Cow::Borrowed(name_of(step.op)),
        of: step.arguments.clone(),
        number: step.number.as_ref().map(ToString::to_string),
        symbol: step.symbol.as_ref().map(Name::of),
    };
    program.steps.iter().map(line).collect()
}

impl Name {
    fn of(symbol: &Symbol) -> Name {
        Name { name: symbol.name.clone(), kind: symbol.kind.name().to_owned(), order: symbol.order }
    }
}

/// The name of an operation; in certificates two of them have a space.
pub(crate) fn name_of(op: Op) -> &'static str {
    match op {
        Op::IfNegative => "if negative",
        Op::IfZero => "if zero",
        _ => op.name(),
    }
}

/// The operation of a name.
pub(crate) fn op_named(name: &str) -> Option<Op> {
    match name {
        "if negative" => Some(Op::IfNegative),
        "if zero" => Some(Op::IfZero),
        _ => Op::named(name).filter(|&op| name_of(op) == name),
    }
}

/// The comparison that a sign such as `>=` stands for.
pub(crate) fn comparison_named(sign: &str) -> Option<Comparison> {
    use Comparison::{AtLeast, AtMost, Equal, Greater, Less, NotEqual};
    [AtLeast, AtMost, Equal, Greater, Less, NotEqual].into_iter().find(|comparison| comparison.symbol() == sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_found_by_their_names() {
        assert!(Op::all().all(|op| op_named(name_of(op)) == Some(op)));
        assert_eq!((name_of(Op::IfZero), op_named("if_zero"), op_named("")), ("if zero", None, None));
    }

    #[test]
    fn digits_are_those_of_a_format() {
        struct Digits(u32);
        impl fmt::Display for Digits {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_digits(f, self.0)
            }
        }
        for number in [0, 7, 10, 99, 100, 4_294_967_295] {
            assert_eq!(Digits(number).to_string(), number.to_string());
        }
    }
}

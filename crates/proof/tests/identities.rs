//! Three hundred identities and near-identities: none is decided wrongly, few stay open.
//!
//! `tests/identities.txt` says what is true, `docs/undecided.md` what is not decided and why.

use std::fs;
use std::path::{Path, PathBuf};

use expr::{Evaluator, Expr, Op, Program, Rational, Scope, Symbol};
use proof::ball::{Ball, Context};
use proof::{Assumptions, Verdict, Witness, decide};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A line of the list.
struct Claim {
    line: String,
    truth: bool,
    category: String,
    left: String,
    right: String,
    assumed: Vec<String>,
}

impl Claim {
    fn read(line: &str) -> Claim {
        let fields: Vec<&str> = line.split(" | ").map(str::trim).collect();
        let (&[truth, category, left, right], rest) = fields.split_first_chunk().expect(line);
        assert!(["true", "false"].contains(&truth) && rest.len() <= 1, "{line}");
        let assumed = rest.iter().flat_map(|list| list.split(',')).map(|relation| relation.trim().to_owned()).collect();
        let [category, left, right] = [category, left, right].map(str::to_owned);
        Claim { line: line.to_owned(), truth: truth == "true", category, left, right, assumed }
    }

    /// Both sides and the assumptions in the current scope.
    fn build(&self) -> ([Expr; 2], Vec<(Expr, expr::Comparison, Expr)>) {
        let sides = expr::parse_all(&[&self.left, &self.right]).unwrap_or_else(|error| panic!("{error}"));
        let relation = |text: &String| expr::parse_relation(text).unwrap_or_else(|error| panic!("{error}"));
        ([sides[0], sides[1]], self.assumed.iter().map(relation).collect())
    }
}

fn claims() -> Vec<Claim> {
    let text = fs::read_to_string(root().join("tests/identities.txt")).expect("the list is there");
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(Claim::read).collect()
}

#[test]
fn none_is_wrong_and_few_are_open() {
    let claims = claims();
    assert!(claims.len() >= 300);
    let mut open = Vec::new();
    for claim in &claims {
        let _scope = Scope::with_seed(1);
        let ([left, right], relations) = claim.build();
        let assumptions =
            relations.iter().fold(Assumptions::none(), |all, &(a, comparison, b)| all.and(a, comparison, b));
        match decide(left - right, &assumptions) {
            Verdict::Zero(_) => assert!(claim.truth, "proved, though false: {}", claim.line),
            Verdict::NonZero(witness) => {
                assert!(!claim.truth, "refuted, though true: {}\n{witness:?}", claim.line);
                check_witness(claim, [left, right], &relations, &witness);
            }
            Verdict::Unknown(obstacle) => open.push((claim, obstacle.to_string())),
        }
    }
    assert!(open.len() * 20 <= claims.len(), "{} of {} are open", open.len(), claims.len());
    assert!(open.iter().all(|(claim, _)| claim.category != "trig"), "trigonometry is decidable");
    let found: Vec<&str> = open.iter().map(|(claim, _)| claim.line.as_str()).collect();
    let obstacles: Vec<String> = open.iter().map(|(claim, why)| format!("- `{}`: {why}", claim.line)).collect();
    assert_eq!(listed(), found, "docs/undecided.md should list\n{}\n", obstacles.join("\n"));
}

/// The lines that docs/undecided.md explains: between the first two backticks of each item.
fn listed() -> Vec<String> {
    let page = fs::read_to_string(root().join("docs/undecided.md")).expect("the page is there");
    let items = page.lines().filter_map(|line| line.strip_prefix("- `")?.split_once("`: "));
    items
        .map(|(line, why)| (line.to_owned(), why.trim()))
        .inspect(|(line, why)| assert!(!why.is_empty(), "{line}"))
        .map(|(line, _)| line)
        .collect()
}

/// At the witness the sides differ by what it claims, and the assumptions hold: in floating point
/// as far as that goes, and in enclosures of 60 digits more than the witness was found with.
fn check_witness(
    claim: &Claim,
    [left, right]: [Expr; 2],
    relations: &[(Expr, expr::Comparison, Expr)],
    witness: &Witness,
) {
    let line = &claim.line;
    let claimed: f64 = witness.value.parse().unwrap_or_else(|_| panic!("{line}: not a number: {}", witness.value));
    assert_ne!(claimed, 0.0, "{line}");
    // What cancelled from the difference may take any value.
    let mut state = witness.state.clone();
    for symbol in [left, right].iter().flat_map(|side| side.symbols()).filter_map(Expr::as_symbol) {
        if !state.iter().any(|(known, _)| *known == symbol) {
            state.push((symbol, Rational::new(3, 7).expect("seven is not zero")));
        }
    }
    let floats: Vec<(Expr, f64)> =
        state.iter().map(|(symbol, value)| (expr::symbol(symbol.clone()), value.to_f64())).collect();
    let at = expr::At::new(&floats);
    let (a, b) = (at.value(left), at.value(right));
    assert!((a - b - claimed).abs() <= 1e-9 * (1.0 + a.abs() + b.abs()), "{line}: {a} − {b} is not {claimed}");

    let context = Context::new(4096);
    let value =
        |e: Expr| enclosure(e, &context, &state).unwrap_or_else(|| panic!("{line}: {e} is undefined at {state:?}"));
    let difference = context.sub(&value(left), &value(right));
    assert!(!difference.contains_zero(), "{line}");
    let mantissa = witness.value.split('e').next().unwrap_or_default().trim_start_matches(['-', '0', '.']);
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).count();
    assert_eq!(difference.to_decimal(digits), witness.value, "{line}");
    for &(a, comparison, b) in relations {
        let sign = context.sub(&value(a), &value(b)).sign_certain();
        let holds = sign.is_some_and(|sign| match comparison {
            expr::Comparison::Less => sign < 0,
            expr::Comparison::AtMost => sign <= 0,
            expr::Comparison::Greater => sign > 0,
            expr::Comparison::AtLeast => sign >= 0,
            expr::Comparison::NotEqual => sign != 0,
            expr::Comparison::Equal => sign == 0,
        });
        assert!(holds, "{line}: the witness {state:?} breaks an assumption");
    }
}

/// The value of an expression at a state, enclosed. Written again here, since the prover's own
/// evaluation is what is being checked.
fn enclosure(e: Expr, context: &Context, state: &[(Symbol, Rational)]) -> Option<Ball> {
    let program = Evaluator::new(&[e], &[]).program();
    let mut values: Vec<Ball> = Vec::new();
    for step in &program.steps {
        let arguments: Vec<&Ball> = step.arguments.iter().map(|&place| &values[place as usize]).collect();
        let value = match step.op {
            Op::Number => rational(context, step.number.as_ref()?),
            Op::Symbol => {
                let symbol = step.symbol.as_ref()?;
                rational(context, &state.iter().find(|(known, _)| known == symbol)?.1)
            }
            Op::Power => power(context, arguments[0], exponent(&program, step.arguments[1])?)?,
            op => apply(context, op, &arguments)?,
        };
        values.push(value);
    }
    Some(values.swap_remove(program.outputs[0] as usize))
}

fn rational(context: &Context, number: &Rational) -> Ball {
    let (above, below) = number.to_ibig_ratio();
    context.ratio(&above, &below)
}

fn exponent(program: &Program, place: u32) -> Option<(i64, i64)> {
    program.steps[place as usize].number.as_ref()?.to_small()
}

fn power(context: &Context, base: &Ball, (n, d): (i64, i64)) -> Option<Ball> {
    match d {
        1 => context.powi(base, n),
        _ => context.powi(&context.root(base, u32::try_from(d).ok()?)?, n),
    }
}

fn apply(context: &Context, op: Op, arguments: &[&Ball]) -> Option<Ball> {
    let x = arguments.first().copied();
    Some(match (op, arguments) {
        (Op::Pi, _) => context.pi(),
        (Op::Sum, terms) => terms.iter().fold(Ball::zero(), |sum, term| context.add(&sum, term)),
        (Op::Scale | Op::Product, factors) => factors.iter().fold(Ball::one(), |product, f| context.mul(&product, f)),
        (Op::Sin, _) => context.sin(x?),
        (Op::Cos, _) => context.cos(x?),
        (Op::Tan, _) => context.div(&context.sin(x?), &context.cos(x?))?,
        (Op::Asin, _) => context.asin(x?)?,
        (Op::Acos, _) => context.acos(x?)?,
        (Op::Atan, _) => context.atan(x?),
        (Op::Sinh, _) => context.sinh(x?)?,
        (Op::Cosh, _) => context.cosh(x?)?,
        (Op::Tanh, _) => context.div(&context.sinh(x?)?, &context.cosh(x?)?)?,
        (Op::Exp, _) => context.exp(x?)?,
        (Op::Log, _) => context.log(x?)?,
        (Op::Abs, _) => x?.abs(),
        (Op::Sign, _) => Ball::from_i64(i64::from(x?.sign_certain()?)),
        (Op::Cbrt, _) => context.cbrt(x?),
        (Op::Atan2, [y, x]) => context.atan2(y, x)?,
        (Op::Min, [a, b]) => context.min(a, b),
        (Op::Max, [a, b]) => context.max(a, b),
        (Op::IfNegative, [d, p, q]) => (*if d.sign_certain()? < 0 { p } else { q }).clone(),
        (Op::IfZero, [d, p, q]) => (*if d.sign_certain()? == 0 { p } else { q }).clone(),
        _ => return None,
    })
}

#[test]
fn depth_is_no_obstacle() {
    let deep = || {
        let _scope = Scope::with_seed(1);
        let [x, y] = ["x", "y"].map(expr::parameter);
        let tower = (0..100_000).fold(x, |e, _| (e + y).sin());
        let forward = expr::derivative(tower, x).expect("it is smooth");
        let backward = expr::gradient(tower, &[x]).expect("it is smooth")[0];
        assert!(!decide(forward - backward, &Assumptions::none()).is_nonzero());
        assert!(!decide(tower - x, &Assumptions::none()).is_zero());
        let long = (0..100_000).fold(x, |e, k| if k % 2 == 0 { e + y } else { e - x });
        assert!(decide(long - 50_000 * y + 49_999 * x, &Assumptions::none()).is_zero());
        assert!(decide(long - 50_000 * y, &Assumptions::none()).is_nonzero());
    };
    std::thread::spawn(deep).join().expect("a thread with the default stack");
}

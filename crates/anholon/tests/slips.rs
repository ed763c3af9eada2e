//! Does `audit` say "exactly" only of the mistake that was made, and is what is right in disguise always correct?
//!
//! Claims are made from the right equations of gallery models: by a mistake of the dictionary, or by a slip of the pen in one
//! term. Whoever says "exactly" must name a mistake, or as one that looks the same, that adds the same functions to the equations
//! as the one that was made.
//! Right equations are combined, multiplied, multiplied out and left unsimplified.
//! `ANHOLON_SLIPS=500 ANHOLON_SEED=7 cargo test -p anholon --test slips -- --nocapture` tries 500 others of each.
#![allow(clippy::print_stdout, reason = "long runs tell their counts")]

mod ask;

use anholon::{Audit, Model, Settings, open};
use ask::audit;
use expr::field::Random;
use expr::{Expr, Op, Substitution};
use mechanics::chart::ChartKind;
use mechanics::ingredients::Ingredients;
use mechanics::mistake::{Mistake, mistakes};
use mechanics::rows::Rows;

const MODELS: [&str; 14] = [
    "double-pendulum",
    "cart-pendulum",
    "wedge",
    "governor",
    "rotating-parabola",
    "rheonomic-knife",
    "chaplygin-sleigh",
    "dobronravov",
    "appell-hamel",
    "velocity-cone-rocket",
    "hoop",
    "euler-top",
    "elastic-pendulum",
    "crane",
];
/// Claims of each kind, unless the environment says otherwise.
const FEW: usize = 28;

fn wanted() -> usize {
    std::env::var("ANHOLON_SLIPS").ok().and_then(|text| text.parse().ok()).unwrap_or(FEW)
}

/// What the claims follow from: a number of the test, unless the environment has another.
fn random(own: u64) -> Random {
    Random::new(std::env::var("ANHOLON_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(own))
}

/// A model with its right equations in one chart, and what mistakes add to them.
struct Bench<'a> {
    name: &'static str,
    model: &'a Model,
    right: Vec<Expr>,
    w: Vec<Expr>,
    mistakes: Vec<Mistake>,
}

impl<'a> Bench<'a> {
    fn new(name: &'static str, model: &'a Model) -> Bench<'a> {
        let (system, mode, at) = (&model.system, &model.mode, &model.anywhere);
        let rows = Rows::of(system, mode, at).unwrap();
        let kind = if system.speeds.is_empty() { ChartKind::Rates } else { ChartKind::Speeds };
        let given = Ingredients::of(system, mode, &rows, kind, at);
        let found = mistakes(system, mode, &rows, kind, at).unwrap();
        let w = given.chart().unwrap().w.clone();
        Bench { name, model, right: found.residuals, w, mistakes: found.visible }
    }

    /// What an audit says of these equations.
    fn audit(&self, equations: &[Expr]) -> Audit {
        let line = |(place, e): (usize, &Expr)| format!("claim e{place}: {} = 0\n", expr::simplify(*e, &self.w));
        let text: String = equations.iter().enumerate().map(line).collect();
        let mut settings = Settings::gallery(self.name).unwrap();
        settings.with.push(("claims".to_owned(), text.clone()));
        let loaded = open(&settings).unwrap_or_else(|error| panic!("{}: {error}\n{text}", self.name));
        audit(&loaded).unwrap_or_else(|error| panic!("{}: {error}\n{text}", self.name))
    }

    /// Is what is said to be exact what was made?
    fn is_true(&self, found: &Audit, made: &[Expr]) -> Result<bool, String> {
        let exact = found.claims.iter().find(|one| one.explanation.as_deref().is_some_and(|it| it.contains("exactly")));
        let Some(claim) = exact else { return Ok(false) };
        let text = claim.explanation.as_deref().unwrap_or_default();
        // the mistakes of the first sentence, and those that are said to look the same
        let named: Vec<&Mistake> = self.mistakes.iter().filter(|one| text.contains(one.what.as_str())).collect();
        let same = |added: &[&Mistake]| {
            let sum = |place: usize| added.iter().map(|one| one.delta[place]).sum::<Expr>();
            made.iter().enumerate().all(|(place, &made)| (sum(place) - made).is_zero())
        };
        let pairs = (0..named.len()).flat_map(|i| (i + 1..named.len()).map(move |j| (i, j)));
        let is_same =
            named.iter().any(|one| same(&[one])) || pairs.into_iter().any(|(i, j)| same(&[named[i], named[j]]));
        match is_same {
            true => Ok(true),
            false => Err(format!("{}: {text}", self.name)),
        }
    }
}

fn pick<T: Clone>(random: &mut Random, list: &[T]) -> Option<T> {
    (!list.is_empty()).then(|| list[random.below(list.len() as u64) as usize].clone())
}

/// A slip of the pen in one term of one equation: what it adds to the equations.
fn slip(random: &mut Random, right: &[Expr], w: &[Expr]) -> Option<Vec<Expr>> {
    let place = random.below(right.len() as u64) as usize;
    let e = expr::expand(expr::simplify(right[place], w)).ok()?;
    let terms = if e.op() == Op::Sum { e.arguments() } else { vec![e] };
    let term = pick(random, &terms)?;
    let symbols = term.symbols();
    let symbol = pick(random, &symbols)?;
    let put = |to: Expr| Substitution::from([(symbol, to)]).apply_one(term).ok();
    let changed = match random.below(5) {
        0 => -term,
        1 => pick(random, &[expr::integer(2), expr::rational(1, 2), expr::rational(3, 2)])? * term,
        2 => Expr::zero(),
        3 => {
            let mut slower = symbol.as_symbol().filter(|one| one.order > 0)?;
            slower.order -= 1;
            put(expr::symbol(slower))?
        }
        _ => {
            let kind = |one: &Expr| one.as_symbol().map(|one| (one.kind, one.order));
            let others: Vec<Expr> =
                symbols.iter().copied().filter(|one| *one != symbol && kind(one) == kind(&symbol)).collect();
            put(pick(random, &others)?)?
        }
    };
    let mut delta = vec![Expr::zero(); right.len()];
    delta[place] = changed - term;
    (!delta[place].is_zero()).then_some(delta)
}

#[test]
fn what_is_called_exact_is_the_mistake_that_was_made() {
    // say "exactly" of whatever numbers find, or of claims that a slip in one term explains, and this fails
    let (mut random, mut tally, mut failures) = (random(2207), [0_usize; 4], Vec::new());
    let each = wanted().div_ceil(MODELS.len());
    for name in MODELS {
        let model = open(&Settings::gallery(name).unwrap()).unwrap();
        let _in = model.enter();
        let bench = Bench::new(name, &model);
        let mut done = 0;
        for _ in 0..20 * each {
            if done == each {
                break;
            }
            let of_dictionary = random.below(2) == 0;
            let made = match of_dictionary {
                true => pick(&mut random, &bench.mistakes).map(|one| one.delta),
                false => slip(&mut random, &bench.right, &bench.w),
            };
            let Some(made) = made else { continue };
            done += 1;
            let claimed: Vec<Expr> = bench.right.iter().zip(&made).map(|(&right, &made)| right + made).collect();
            let found = bench.audit(&claimed);
            tally[0] += 1;
            tally[1] += usize::from(found.claims.iter().any(|one| one.diagnosis.is_some()));
            match bench.is_true(&found, &made) {
                Ok(true) if of_dictionary => tally[2] += 1,
                Ok(true) => tally[3] += 1,
                Ok(false) => {}
                Err(failure) => {
                    let text = |list: &[Expr]| list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                    failures.push(format!("{failure}\n  added: {}\n  to: {}", text(&made), text(&bench.right)));
                }
            }
        }
    }
    let [all, diagnosed, exact, by_slip] = tally;
    println!(
        "{all} claims, {diagnosed} with a diagnosis, {exact} exactly of the dictionary, {by_slip} slips that are one of it, {} false",
        failures.len()
    );
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(all >= wanted() * 9 / 10 && exact * 6 > all, "{tally:?}");
}

#[test]
fn what_is_right_is_correct_in_any_disguise() {
    // forget that a claim may be any combination of the equations, and this fails
    let (mut random, mut all, mut failures) = (random(2208), 0, Vec::new());
    let each = wanted().div_ceil(MODELS.len());
    for name in MODELS {
        let model = open(&Settings::gallery(name).unwrap()).unwrap();
        let _in = model.enter();
        let bench = Bench::new(name, &model);
        for _ in 0..each {
            let mut hidden = |adds| -> Vec<Expr> {
                (0..bench.right.len()).map(|place| disguised(&mut random, &bench, place, adds)).collect()
            };
            let mut found = bench.audit(&hidden(true));
            if found.claims.iter().any(|one| one.explanation.as_deref().is_some_and(|it| it.contains("dimensions"))) {
                // a force was added to a moment
                found = bench.audit(&hidden(false));
            }
            all += 1;
            if !found.verdict.is_correct() {
                let texts: Vec<&str> = found.claims.iter().map(|one| one.text.as_str()).collect();
                failures.push(format!("{name}: {}: {texts:?}", found.verdict));
            }
        }
    }
    println!("{all} right claims in disguise, {} not correct", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A right equation, written so that nobody sees it: the k-th is there with a coefficient, so that a set stays complete.
fn disguised(random: &mut Random, bench: &Bench<'_>, place: usize, adds: bool) -> Expr {
    let mut e = bench.right[place];
    // triangular: only earlier equations are added
    for other in bench.right[..place].iter().filter(|_| adds) {
        let factor = expr::rational(random.below(7) as i64 - 3, 2);
        e += factor * *other;
    }
    let parameters: Vec<Expr> = bench.model.system.parameters.iter().map(|one| one.symbol).collect();
    match random.below(4) {
        0 => e = expr::expand(e).unwrap_or(e),
        1 => e *= expr::integer(2) + random.below(5) as i64,
        2 => e *= pick(random, &parameters).unwrap_or(expr::integer(3)).pow(2),
        _ => {}
    }
    // cos² + sin² in place of 1
    let angle = expr::rational(1 + random.below(9) as i64, 7);
    e * (angle.cos().pow(2) + angle.sin().pow(2))
}

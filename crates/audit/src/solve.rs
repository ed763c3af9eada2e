//! Which motions are known in closed form?
//!
//! ```text
//! y' = H(y, t)                                    constraints spent (problem.rs)
//! blocks of H that need no unknown outside        linear with constant coefficients: by exponentials (linear.rs)   (1)
//!   … put in, the next block may be linear        so the sled: its angle first, then its speed, then its place
//! one coordinate and its rate, not linear         with an energy integral: time as an integral (quadrature.rs)     (2)
//! ```
//!
//! Constants of integration are the values at the start, so that every motion is among those that are found. A motion is
//! told only after it was put into the constraints and the equations of motion of the model and these were proved to hold for
//! all times and all constants (`audit/solution.rs`); of (2) the integral is proved constant.

mod cases;
mod kinks;
mod linear;
mod numbers;
mod place;
mod problem;
mod quadrature;
mod velocities;
mod waves;

use algebra::Condition;
use expr::{At, Comparison, Expr, Formula, Substitution};
use mechanics::Relation;
use serde::Serialize;

use crate::audit::{Auditor, solution, with_auditor};
use cases::{Case, Next, Signs, Stop};
use engine::readable::Reader;
use engine::{Error, Loaded, Ordered, Progress};
use linear::{Linear, short};
pub use numbers::{Course, Kind as CourseKind, Period};
use problem::Problem;
pub use quadrature::Quadrature;

/// So many cases are told apart.
const CASES: usize = 12;
/// So many conditions may lead to one case.
const DEPTH: usize = 8;
/// Formulas with more letters are not told.
const LONGEST: usize = 20_000;
/// So many values are tried for letters that have none.
const TRIES: usize = 400;

/// What is asked: nothing besides the model.
#[derive(Clone, Debug, Default)]
pub struct Solve {}

/// What was found.
#[derive(Clone, Debug, Serialize)]
pub struct Solved {
    /// The model.
    pub model: String,
    /// The title of the model.
    #[serde(skip)]
    pub title: String,
    /// The motions, case by case.
    pub solutions: Vec<ClosedForm>,
    /// Why there are none, or not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What was looked for, where nothing was found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub looked_for: Vec<String>,
    /// What the model assumes.
    pub assumptions: Vec<String>,
}

expr::in_words! {
    /// How a motion is known.
    pub enum FormKind {
        /// Coordinates as functions of time.
        Explicit = "explicit",
        /// Time as an integral over a coordinate.
        ByQuadrature = "quadrature",
    }
}

/// Motions that one formula gives.
#[derive(Clone, Debug, Serialize)]
pub struct ClosedForm {
    /// How they are known.
    pub kind: FormKind,
    /// The coordinates as functions of time, in their order; by quadrature those that follow from the one that is integrated.
    pub motion: Ordered<Formula>,
    /// What the model observes, as functions of time.
    #[serde(skip_serializing_if = "Ordered::is_empty")]
    pub observed: Ordered<Formula>,
    /// Coordinates that the model does not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub introduced: Vec<Introduced>,
    /// The constants of integration, with their values at the start of the model.
    pub constants: Ordered<Constant>,
    /// What must hold for it.
    pub conditions: Vec<Formula>,
    /// Whether the model's values and its start satisfy that, where there are numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub applies: Option<bool>,
    /// The period, if the motion has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<Period>,
    /// Time as an integral, and what follows from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quadrature: Option<Quadrature>,
    /// Always true: what is not proved is not told.
    pub proved: bool,
}

/// A coordinate that the model does not have.
#[derive(Clone, Debug, Serialize)]
pub struct Introduced {
    /// Its name.
    pub name: String,
    /// Its cosine by the coordinates of the model.
    pub cos: Formula,
    /// Its sine.
    pub sin: Formula,
}

/// A constant of integration.
#[derive(Clone, Debug, Serialize)]
pub struct Constant {
    /// What it is.
    pub meaning: String,
    /// Its value at the start of the model, in SI units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
}

/// Looks for motions in closed form.
pub fn solve(loaded: &Loaded, _wanted: &Solve, progress: &mut dyn Progress) -> Result<Solved, Error> {
    engine::sound::coordinates(loaded)?;
    let _in = loaded.enter();
    progress.begins("solving");
    let found = with_auditor(loaded, |auditor| (Solver::new(auditor).all(progress), auditor.assumptions.texts()))?;
    let ((solutions, reason), assumptions) = found;
    Ok(Solved {
        model: loaded.file.clone(),
        title: loaded.system.title.clone(),
        looked_for: if solutions.is_empty() { looked_for() } else { Vec::new() },
        solutions,
        reason,
        assumptions,
    })
}

fn looked_for() -> Vec<String> {
    [
        "equations that are linear with constant coefficients, one after the other, with loads that are powers, exponentials, \
         sines and cosines of time",
        "one freedom with an energy integral",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// Who looks for motions of a model.
struct Solver<'a> {
    auditor: &'a Auditor<'a>,
    values: Substitution,
    assumed: Vec<Condition>,
}

impl<'a> Solver<'a> {
    fn new(auditor: &'a Auditor<'a>) -> Solver<'a> {
        let system = &auditor.loaded.system;
        let given = auditor.given;
        let condition = |(left, comparison, right): (Expr, Comparison, Expr)| {
            let moves = (left - right)
                .symbols()
                .into_iter()
                .any(|symbol| symbol.as_symbol().is_some_and(|symbol| symbol.kind != expr::Kind::Parameter));
            (!moves).then_some(Condition { value: left - right, comparison })
        };
        let relations = given.mode.assumptions(given.system).filter_map(Relation::scalars);
        Solver { auditor, values: system.parameter_values(), assumed: relations.filter_map(condition).collect() }
    }

    /// The motions in the first choice of velocities that gives some; or why there are none.
    fn all(&self, progress: &mut dyn Progress) -> (Vec<ClosedForm>, Option<String>) {
        if let Some(why) = solution::refused(self.auditor) {
            return (Vec::new(), Some(why));
        }
        let problems = match Problem::all(self.auditor) {
            Ok(problems) => problems,
            Err(why) => return (Vec::new(), Some(why)),
        };
        let mut first = None;
        for problem in &problems {
            if !progress.reached(0.0) {
                return (Vec::new(), Some("the search was stopped".to_owned()));
            }
            let (mut found, mut open) = (Vec::new(), None);
            self.explore(problem, &Case::default(), 0, &mut found, &mut open);
            if !found.is_empty() {
                // the case of the model comes first
                found.sort_by_key(|one: &ClosedForm| one.applies == Some(false));
                let open = open.map(|why| in_words(&why, problem));
                return (found, open.map(|why| format!("of another case nothing is said: {why}")));
            }
            first = first.or(open.map(|why| in_words(&why, problem)));
        }
        (Vec::new(), first)
    }

    /// Works on a case, and on the cases that it falls into.
    fn explore(
        &self,
        problem: &Problem,
        case: &Case,
        depth: usize,
        found: &mut Vec<ClosedForm>,
        open: &mut Option<String>,
    ) {
        if found.len() >= CASES || depth > DEPTH {
            open.get_or_insert_with(|| "there are too many cases".to_owned());
            return;
        }
        match self.worked(problem, case) {
            Ok(one) => found.push(one),
            Err(Stop::Fork(value, ways)) => {
                for way in ways {
                    match case.with(value, way, &problem.first, &problem.rates) {
                        Next::Case(next) => self.explore(problem, &next, depth + 1, found, open),
                        Next::Impossible => {}
                        Next::Unsolved => match self.in_numbers(case) {
                            Some(next) => self.explore(problem, &next, depth + 1, found, open),
                            None => {
                                open.get_or_insert_with(|| format!("where {} = 0", value.brief()));
                            }
                        },
                    }
                }
            }
            Err(Stop::NeedsValues(why)) => match self.in_numbers(case) {
                Some(next) => self.explore(problem, &next, depth + 1, found, open),
                None => {
                    open.get_or_insert(why);
                }
            },
            Err(Stop::Refused(why)) => {
                open.get_or_insert(why);
            }
        }
    }

    /// The same with the values of the parameters, if they have some and that was not yet tried.
    fn in_numbers(&self, case: &Case) -> Option<Case> {
        if case.in_numbers || self.values.is_empty() {
            return None;
        }
        Some(Case { put: self.values.clone(), in_numbers: true, conditions: Vec::new() })
    }

    /// The motions of one case.
    fn worked(&self, problem: &Problem, case: &Case) -> Result<ClosedForm, Stop> {
        let text = |error: expr::MathError| Stop::Refused(error.to_string());
        let signs = Signs { assumed: &self.assumed, case, values: &self.values, constants: &problem.first };
        // time counts from the start
        let mut put = case.put.clone();
        if !problem.t_first.is_zero() {
            put.insert(problem.t, problem.t + put.apply_one(problem.t_first).map_err(text)?);
        }
        let rates = put.apply(&problem.rates).map_err(text)?;
        let first = case.put.apply(&problem.first).map_err(text)?;
        let mut solved: Vec<Option<Expr>> = vec![None; problem.y.len()];
        while solved.iter().any(Option::is_none) {
            let known: Substitution =
                problem.y.iter().zip(&solved).filter_map(|(&y, value)| Some((y, (*value)?))).collect();
            let rates = known.apply(&rates).map_err(text)?;
            let block = block(&problem.y, &rates, &solved)?;
            match self.linear(problem, &block, &rates, &first, &signs) {
                Some(linear) => {
                    for (&place, value) in block.iter().zip(linear?) {
                        solved[place] = Some(value);
                    }
                }
                None if solved.iter().all(Option::is_none) => {
                    return quadrature::found(self.auditor, problem, &block, &rates, case);
                }
                None => return Err(Stop::Refused(not_linear(problem, &block, &rates))),
            }
        }
        let motion: Substitution = problem.y.iter().copied().zip(solved.into_iter().flatten()).collect();
        self.told(problem, case, &motion)
    }

    /// The solution of a block, if it is linear with constant coefficients.
    fn linear(
        &self,
        problem: &Problem,
        block: &[usize],
        rates: &[Expr],
        first: &[Expr],
        signs: &Signs<'_>,
    ) -> Option<Result<Vec<Expr>, Stop>> {
        let y: Vec<Expr> = block.iter().map(|&place| problem.y[place]).collect();
        let moving: Vec<Expr> = y.iter().copied().chain([problem.t]).collect();
        let own: Vec<Expr> = block.iter().map(|&place| rates[place]).collect();
        // the slope of a sign is zero, and yet it is no constant
        if !kinks::kinks(&own, &moving).is_empty() {
            return None;
        }
        let mut matrix = Vec::new();
        for &rate in &own {
            let row = expr::gradient(rate, &y).ok()?;
            let is_constant =
                |e: Expr| expr::gradient(e, &moving).is_ok_and(|slopes| slopes.iter().all(|slope| slope.is_zero()));
            if !row.iter().all(|&e| is_constant(e)) {
                return None;
            }
            matrix.push(row.into_iter().map(|e| short(freed(e, &moving))).collect::<Vec<_>>());
        }
        let right = own.iter().zip(&matrix).map(|(&rate, row)| {
            let sum: Expr = row.iter().zip(&y).map(|(&a, &y)| a * y).sum();
            freed(rate - sum, &y)
        });
        let linear = Linear {
            right: right.collect(),
            first: block.iter().map(|&place| first[place]).collect(),
            matrix,
            t: problem.t,
            t_first: signs.case.put.apply_one(problem.t_first).unwrap_or(problem.t_first),
            at: &self.somewhere(problem, signs.case),
            signs,
        };
        Some(linear.solved())
    }

    /// A motion, once it is proved.
    fn told(&self, problem: &Problem, case: &Case, motion: &Substitution) -> Result<ClosedForm, Stop> {
        let text = |error: expr::MathError| Stop::Refused(error.to_string());
        let mut values = motion.apply(&case.put.apply(&problem.q).map_err(text)?).map_err(text)?;
        let period = numbers::period(&values, problem.t);
        if !problem.t_first.is_zero() {
            let back =
                Substitution::new().and(problem.t, problem.t - case.put.apply_one(problem.t_first).map_err(text)?);
            values = back.apply(&values).map_err(text)?;
        }
        let reader = Reader::new();
        let written: Vec<Expr> = values.iter().map(|&e| written(&reader, e)).collect();
        if let Some(long) = written.iter().map(|e| e.letters()).max().filter(|&long| long > LONGEST) {
            return Err(Stop::NeedsValues(format!(
                "its formula would have {long} letters: more than {LONGEST} are not told"
            )));
        }
        let conditions: Vec<(Expr, Comparison)> = case
            .conditions
            .iter()
            .filter(|one| one.comparison != Comparison::Equal)
            .map(|one| (one.value, one.comparison))
            .collect();
        let failed = |why: String| Stop::NeedsValues(format!("a formula was found and is not proved: {why}"));
        solution::proved(self.auditor, written.clone(), &case.put, &conditions).map_err(failed)?;
        let names = self.auditor.loaded.system.coordinates.iter().map(|one| one.name.clone());
        let observed = self.observed(&values, &reader, &case.put);
        Ok(ClosedForm {
            kind: FormKind::Explicit,
            motion: names.zip(written.iter().map(|&e| Formula::of(e))).collect(),
            observed,
            introduced: introduced(problem),
            constants: constants(problem, &written, &case.put),
            conditions: self.conditions(problem, case),
            applies: self.applies(problem, case),
            period,
            quadrature: None,
            proved: true,
        })
    }

    /// Outputs that are functions of coordinates, rates and time, along a motion.
    fn observed(&self, motion: &[Expr], reader: &Reader, put: &Substitution) -> Ordered<Formula> {
        let given = self.auditor.given;
        let mut map: Substitution = given.q.iter().copied().zip(motion.iter().copied()).collect();
        for (&rate, &e) in given.q_dot.iter().zip(motion) {
            let Ok(slope) = expr::total_derivative(e) else { return Ordered::default() };
            map.insert(rate, slope);
        }
        let moves = |symbol: &Expr| {
            let symbol = symbol.as_symbol();
            symbol.is_some_and(|one| !matches!(one.kind, expr::Kind::Parameter | expr::Kind::Time))
        };
        let along = |one: &mechanics::Observe| {
            let mechanics::Term::Scalar(e) = one.value else { return None };
            let e = put.apply_one(map.apply_one(e).ok()?).ok()?;
            (!e.symbols().iter().any(moves)).then(|| (one.name.clone(), Formula::of(written(reader, e))))
        };
        self.auditor.loaded.system.observes.iter().filter_map(along).collect()
    }

    /// What must hold, as relations.
    fn conditions(&self, problem: &Problem, case: &Case) -> Vec<Formula> {
        if case.in_numbers {
            let line = |one: &(Expr, Expr)| Formula::relation(one.0, Comparison::Equal, one.1);
            let names: Vec<Expr> = problem.rates.iter().flat_map(|e| e.symbols()).collect();
            return self.values.iter().filter(|one| names.contains(&one.0)).map(line).collect();
        }
        let line = |one: &Condition| {
            let letter = case.put.iter().find(|pair| (pair.0 - pair.1).is_same(one.value));
            match (one.comparison, letter) {
                (Comparison::Equal, Some(&(letter, instead))) => Formula::equation(letter, instead),
                // a leading minus is on the other side
                (comparison, _) if one.value.to_string().starts_with('-') => {
                    Formula::relation(short(-one.value), cases::mirrored(comparison), Expr::zero())
                }
                (comparison, _) => Formula::relation(one.value, comparison, Expr::zero()),
            }
        };
        case.conditions.iter().map(line).collect()
    }

    /// A state at which no pivot of a case vanishes by accident: letters without values have some that fit its conditions.
    fn somewhere(&self, problem: &Problem, case: &Case) -> At {
        let at = &self.auditor.loaded.anywhere;
        let parameters = self.auditor.loaded.system.parameters.iter().filter(|one| one.value.is_none());
        let free: Vec<Expr> = parameters.map(|one| one.symbol).chain(problem.first.iter().copied()).collect();
        let mut seed: u64 = 1;
        for tried in 0..TRIES {
            let mut next = || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let size = 0.25 + 4.0 * (seed >> 11) as f64 / (1_u64 << 53) as f64;
                // positive first: most letters are
                if tried % 2 == 1 && seed >> 62 & 1 == 1 { -size } else { size }
            };
            let values: Vec<(Expr, f64)> = free.iter().map(|&symbol| (symbol, next())).collect();
            let here = at.with(&values);
            // letters that stand for others
            let more: Vec<(Expr, f64)> = case.put.iter().map(|one| (one.0, here.value(one.1))).collect();
            let here = here.with(&more);
            if case.conditions.iter().all(|one| holds(one, &here)) {
                return here;
            }
        }
        at.clone()
    }

    /// Whether the numbers of the model are in a case.
    fn applies(&self, problem: &Problem, case: &Case) -> Option<bool> {
        let numbers = problem.numbers.as_ref()?;
        let start: Vec<(Expr, f64)> = problem.first.iter().copied().zip(numbers.iter().copied()).collect();
        let at = self.auditor.loaded.at.with(&start);
        Some(case.conditions.iter().all(|one| holds(one, &at)))
    }
}

/// A reason with velocities as the model writes them, in place of names that are used inside.
fn in_words(why: &str, problem: &Problem) -> String {
    let speeds = problem.y[problem.coordinates..].iter().zip(&problem.definitions);
    // a name that begins like another comes after it
    let mut names: Vec<(String, String)> = speeds.map(|(v, by)| (v.to_string(), bracketed(&by.brief()))).collect();
    names.push((format!("`{}`", linear::SQUARE), "`lambda^2`".to_owned()));
    names.push((linear::SQUARE.to_owned(), "(lambda^2)".to_owned()));
    names.sort_by_key(|one| std::cmp::Reverse(one.0.len()));
    names.iter().fold(why.to_owned(), |why, (inside, outside)| why.replace(inside.as_str(), outside))
}

fn bracketed(text: &str) -> String {
    let is_name = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '\'' | '[' | ']'));
    if is_name { text.to_owned() } else { format!("({text})") }
}

fn holds(one: &Condition, at: &At) -> bool {
    let (value, size) = (at.value(one.value), at.size(one.value).max(f64::MIN_POSITIVE));
    let is_zero = value.abs() <= 1e-12 * size;
    match one.comparison {
        Comparison::Equal => is_zero,
        Comparison::NotEqual => !is_zero,
        Comparison::Greater => value > 0.0,
        Comparison::Less => value < 0.0,
        Comparison::AtLeast => value >= 0.0,
        Comparison::AtMost => value <= 0.0,
    }
}

/// The unknowns of the smallest block that needs none outside.
fn block(y: &[Expr], rates: &[Expr], solved: &[Option<Expr>]) -> Result<Vec<usize>, Stop> {
    let open: Vec<usize> = (0..y.len()).filter(|&place| solved[place].is_none()).collect();
    let symbols: Vec<Expr> = open.iter().map(|&place| y[place]).collect();
    let mut needs: Vec<Vec<usize>> = Vec::new();
    for &place in &open {
        let slopes = expr::gradient(rates[place], &symbols).map_err(|error| Stop::Refused(error.to_string()))?;
        // the slope of a sign is zero, and yet it is needed
        let bent: Vec<Expr> =
            kinks::kinks(&[rates[place]], &symbols).iter().flat_map(|kink| kink.zero.symbols()).collect();
        let is_needed = |other: &usize| !slopes[*other].is_zero() || bent.contains(&symbols[*other]);
        needs.push((0..open.len()).filter(is_needed).collect());
    }
    let reach = |from: usize| {
        let (mut seen, mut waiting) = (vec![from], vec![from]);
        while let Some(one) = waiting.pop() {
            for &next in &needs[one] {
                if !seen.contains(&next) {
                    seen.push(next);
                    waiting.push(next);
                }
            }
        }
        seen.sort_unstable();
        seen
    };
    let smallest = (0..open.len()).map(reach).min_by_key(Vec::len).unwrap_or_default();
    Ok(smallest.into_iter().map(|place| open[place]).collect())
}

/// An expression without symbols on which it does not depend.
fn freed(e: Expr, symbols: &[Expr]) -> Expr {
    let present: Vec<Expr> = e.symbols().into_iter().filter(|symbol| symbols.contains(symbol)).collect();
    if present.is_empty() {
        return e;
    }
    let plain = short(e);
    if !plain.symbols().iter().any(|symbol| symbols.contains(symbol)) {
        return plain;
    }
    let tries = [(0, 1), (1, 1), (1, 2), (2, 3), (3, 5)];
    let put = |(above, below): (i64, i64)| {
        let map: Substitution = present
            .iter()
            .enumerate()
            .map(|(place, &symbol)| (symbol, expr::rational(above * (place as i64 + 1), below)))
            .collect();
        map.apply_one(e).ok().filter(|made| made.is_same(e))
    };
    tries.into_iter().find_map(put).unwrap_or(e)
}

fn not_linear(problem: &Problem, block: &[usize], rates: &[Expr]) -> String {
    let names: Vec<String> =
        block.iter().filter(|&&place| place < problem.coordinates).map(|&p| problem.y[p].to_string()).collect();
    let which = match names.is_empty() {
        true => "of the velocities".to_owned(),
        false => format!("for {}", names.join(", ")),
    };
    let own: Vec<Expr> = block.iter().map(|&place| rates[place]).collect();
    let moving: Vec<Expr> = problem.y.iter().copied().chain([problem.t]).collect();
    let kinks: Vec<String> = kinks::kinks(&own, &moving).into_iter().map(|one| format!("`{}`", one.text)).collect();
    let kinks = match kinks.is_empty() {
        true => String::new(),
        false if kinks.len() == 1 => format!(" ({} has a kink)", kinks[0]),
        false => format!(" ({} have kinks)", kinks.join(", ")),
    };
    format!("the equations {which} are not linear with constant coefficients{kinks}")
}

/// As it came or simplified, whichever is shorter.
fn written(reader: &Reader, e: Expr) -> Expr {
    let read = reader.readable(e, &[]);
    let simple = short(e);
    let shortest = [e, simple, read].into_iter().filter(|one| one.is_same(e)).min_by_key(|one| one.letters());
    shortest.unwrap_or(e)
}

fn introduced(problem: &Problem) -> Vec<Introduced> {
    let one = |angle: &place::Angle| Introduced {
        name: angle.phi.to_string(),
        cos: Formula::of(short(angle.cos_sin[0])),
        sin: Formula::of(short(angle.cos_sin[1])),
    };
    problem.angles.iter().map(one).collect()
}

/// The constants that stand in formulas, with their values.
fn constants(problem: &Problem, formulas: &[Expr], put: &Substitution) -> Ordered<Constant> {
    let symbols: Vec<Expr> = formulas.iter().flat_map(|e| e.symbols()).collect();
    let all = problem.first.iter().zip(&problem.meaning).enumerate();
    let stands = all.filter(|(_, (symbol, _))| symbols.contains(symbol) && put.value_of(**symbol).is_none());
    let one = |(place, (symbol, meaning)): (usize, (&Expr, &String))| {
        let value = problem.numbers.as_ref().map(|numbers| numbers[place]);
        (symbol.to_string(), Constant { meaning: meaning.clone(), value })
    };
    stands.map(one).collect()
}

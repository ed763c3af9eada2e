//! Are the equations that somebody claims right? If not: where, by how much, and which mistake does it look like?
//!
//! ```text
//! e(q, q', q'', λ) = 0 is correct     if it vanishes at the true accelerations and multipliers, at every state   (1)
//! μ unknown to the model              if some μ(q, u, t) makes all claims vanish: zᵀc = 0 for all z with zᵀB = 0  (2)
//! a mistake explains the claims       if they vanish at the accelerations that the mistake leads to              (3)
//! ```
//!
//! By (1) the form of the claims does not matter: combinations, other unknowns and unsimplified writing are as good
//! as the text book's. By (3) neither: a mistake is recognised by the motion it leads to, alone or together with a
//! second one.

mod certificate;
mod diagnosis;
mod file;
pub(crate) mod inputs;
mod misread;
pub(crate) mod solution;
mod state;
mod term;

pub use certificate::{AuditFile, DecidedClaim, verify};
pub use file::with_claims;
use std::cell::OnceCell;
use std::fmt;

use expr::{Expr, Kind, Substitution};
use mechanics::chart::{Chart, ChartKind};
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;
use mechanics::{Fact, Reading, Role, Statement, Term};
use proof::linear::{Matrix, null_space, rank};
use proof::{Assumptions, Verdict};
use serde::Serialize;

use dynamics::Known;
use engine::fact::components;
use engine::{Error, Field, Loaded, Ordered, Progress};
use inputs::MOST_RATES;
use mechanics::agreement::{Solution, assumptions, assumptions_with};
use state::{State, Which, Wrong, misses, states};

/// A claim that misses by more than this, relative to its terms, is wrong.
const FAR: f64 = 1e-6;
/// One that misses by less shows nothing.
const CLOSE: f64 = 1e-9;

/// What was found about claims.
#[derive(Clone, Debug, Serialize)]
pub struct Audit {
    /// The model.
    pub model: String,
    /// The title of the model.
    #[serde(skip)]
    pub title: String,
    /// The worst verdict of a claim; incomplete if all are right but do not determine the motion.
    pub verdict: ClaimVerdict,
    /// The claims.
    pub claims: Vec<Audited>,
    /// What is missing, if they are incomplete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// What was relied on.
    pub assumptions: Vec<String>,
    /// Whether the claims are right; claims that are incomplete are not.
    #[serde(skip)]
    pub outcome: Outcome,
    /// The certificate if it was wanted, or why there is none.
    #[serde(skip)]
    pub certificate: Option<Result<AuditFile, String>>,
}

/// What became of claims as a whole. One that is refuted weighs more than one that is undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// All of them are proved.
    Proved,
    /// Some could not be decided.
    Undecided,
    /// Some are refuted, or do not say all that they should.
    Refuted,
}

/// How a claim stands; in text and in JSON as it is said in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimVerdict {
    /// It follows from the equations of motion.
    Correct,
    /// It follows once these dependent rates are eliminated.
    AfterEliminating(Vec<String>),
    /// It says nothing; or all claims are right, and do not determine the motion.
    Incomplete,
    /// It does not hold.
    Wrong,
    /// Nothing was decided.
    Unknown,
}

impl ClaimVerdict {
    /// Is it right, perhaps once rates are eliminated?
    pub fn is_correct(&self) -> bool {
        matches!(self, ClaimVerdict::Correct | ClaimVerdict::AfterEliminating(_))
    }

    fn of(standing: &Standing) -> ClaimVerdict {
        match standing {
            Standing::Correct | Standing::WithValues(_) => ClaimVerdict::Correct,
            Standing::Empty => ClaimVerdict::Incomplete,
            Standing::AfterEliminating(names) => ClaimVerdict::AfterEliminating(names.clone()),
            Standing::Wrong => ClaimVerdict::Wrong,
            Standing::Unknown(_) => ClaimVerdict::Unknown,
        }
    }
}

impl fmt::Display for ClaimVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClaimVerdict::Correct => f.write_str("correct"),
            ClaimVerdict::AfterEliminating(rates) => write!(f, "correct after eliminating {}", rates.join(", ")),
            ClaimVerdict::Incomplete => f.write_str("incomplete"),
            ClaimVerdict::Wrong => f.write_str("wrong"),
            ClaimVerdict::Unknown => f.write_str("unknown"),
        }
    }
}

impl Serialize for ClaimVerdict {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A claim and what was found.
#[derive(Clone, Debug, Serialize)]
pub struct Audited {
    /// The name before the colon.
    pub name: String,
    /// The claim as written.
    pub text: String,
    /// How it stands.
    pub verdict: ClaimVerdict,
    /// The mistakes that explain it, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnosis: Option<Vec<String>>,
    /// A paragraph for the author.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// A state at which it fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Shown>,
    /// What stopped a verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A state at which a claim fails.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    /// Coordinates and rates, and the time if it is not 0.
    pub state: Ordered<f64>,
    /// Inputs there.
    #[serde(skip_serializing_if = "Ordered::is_empty")]
    pub inputs: Ordered<f64>,
    /// Parameters, where they are not those of the model.
    #[serde(skip_serializing_if = "Ordered::is_empty")]
    pub parameters: Ordered<f64>,
    /// Functions of which only the arguments are known: those that refute the claim here.
    #[serde(skip_serializing_if = "Ordered::is_empty")]
    pub functions: Ordered<String>,
    /// Unknowns of the author, as the other claims fix them.
    #[serde(skip_serializing_if = "Ordered::is_empty")]
    pub unknowns: Ordered<f64>,
    /// Accelerations by the claims, where they determine them.
    pub claimed: Ordered<f64>,
    /// The right ones.
    pub correct: Ordered<f64>,
    /// Left minus right of the claim at the right accelerations.
    pub residual: f64,
    /// The reaction along free directions that the claims would need; ideal constraints give none.
    pub tangential_reaction: Ordered<f64>,
}

/// How a claim stands.
#[derive(Clone, PartialEq)]
enum Standing {
    Correct,
    /// With the values that the model gives these parameters, not with all.
    WithValues(Vec<String>),
    /// It holds whatever moves: it says nothing.
    Empty,
    AfterEliminating(Vec<String>),
    Wrong,
    Unknown(String),
}

/// A claim that is an equation of motion: what must vanish.
pub(crate) struct Equation {
    place: usize,
    parts: Vec<Expr>,
    /// Its sides, called left and right; none of what is said to be constant.
    sides: Vec<(Expr, &'static str)>,
    /// Does it hold third derivatives? Then it is the rate of an equation of motion and does not pretend to be one.
    is_late: bool,
    /// Is it the rate of something that is said to be constant? Then inputs are what the model says.
    is_rate: bool,
    /// A function by which what is said to be constant jumps: its rate does not tell.
    jumps: Option<String>,
}

/// What is audited besides the claims of the model.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// Equations that are claimed, as after `claim …:`.
    pub more: Vec<String>,
    /// Whether a certificate is wanted, for [`verify`].
    pub certificate: bool,
}

/// Audits the claims of a model, and those of the question.
pub fn audit(model: &Loaded, wanted: &Claims, progress: &mut dyn Progress) -> Result<Audit, Error> {
    let with_more = (!wanted.more.is_empty()).then(|| {
        let mut settings = model.settings.clone();
        settings.with.push((Field::Claims.to_string(), lines_of(&wanted.more)));
        engine::load(&settings)
    });
    let with_more = with_more.transpose()?;
    let loaded = with_more.as_ref().unwrap_or(model);
    let sided = engine::side::of_the_start(loaded);
    let loaded = sided.as_ref().map_or(loaded, |sided| &sided.loaded);
    let _in = loaded.enter();
    progress.begins("auditing");
    let is_claim = |statement: &&Statement| statement.role == Role::Claim;
    let claims: Vec<&Statement> = loaded.system.statements.iter().filter(is_claim).collect();
    if claims.is_empty() {
        engine::sound::masses(loaded)?;
        return Err(Error::new("there is no `claim` to audit")
            .hint("write claims in a file, as in `claim law: m*x'' = -c*x`")
            .of(Field::Claims));
    }
    with_auditor(loaded, |auditor| {
        let found = auditor.all(&claims, true);
        let verdicts: Vec<ClaimVerdict> = found.claims.iter().map(|claim| claim.verdict.clone()).collect();
        let certificate = wanted.certificate.then(|| certificate::certificate(auditor, &claims, &verdicts));
        let told = |text: String| match sided.as_ref().is_some_and(|sided| sided.assumed.contains(&text)) {
            true => format!("{text} (the side of the start)"),
            false => text,
        };
        let assumptions = found.assumptions.into_iter().map(told).collect();
        Audit { certificate, assumptions, ..found }
    })
}

/// Equations as lines of claims, `claim_1`, `claim_2` …; a family of them has the index of its range.
pub fn lines_of(equations: &[String]) -> String {
    let line = |(place, equation): (usize, &String)| {
        let (label, equation) = (format!("claim_{}", place + 1), equation.replace(['\n', '\r'], " "));
        let plain = format!("claim {label}: {equation}\n");
        let ranges = model::read_lines(&plain).ok().and_then(|lines| Some(lines.first()?.ranges.clone()));
        match ranges.as_deref() {
            Some([range]) => format!("claim {label}[{}]: {equation}\n", range.index),
            _ => plain,
        }
    };
    equations.iter().enumerate().map(line).collect()
}

/// The same without a search for the mistake behind wrong claims.
pub(crate) fn judged(loaded: &Loaded) -> Result<Audit, Error> {
    let _in = loaded.enter();
    let claims: Vec<&Statement> = loaded.system.statements.iter().filter(|one| one.role == Role::Claim).collect();
    with_auditor(loaded, |auditor| auditor.all(&claims, false))
}

/// Whether a system moves as these equations say; `None` if the equations of motion are not known.
pub(crate) fn moves_so(loaded: &Loaded, equations: &[mechanics::Relation]) -> Option<engine::fact::Judged> {
    use engine::fact::Judged;
    let (standing, why) = with_auditor(loaded, |auditor| solution::judged(auditor, equations)).ok()?;
    let why = why.unwrap_or_default();
    Some(match standing {
        Standing::Wrong | Standing::Empty => Judged::no(why),
        Standing::Unknown(why) => Judged::not_told(why),
        _ => Judged::yes(),
    })
}

/// Lets somebody ask what vanishes on every motion. Friction is a force like others there.
pub(crate) fn with_auditor<T>(loaded: &Loaded, ask: impl FnOnce(&Auditor<'_>) -> T) -> Result<T, Error> {
    let explicit = loaded.sliding()?;
    let (mode, at) = (explicit.as_ref().unwrap_or(&loaded.mode), &loaded.anywhere);
    let system = &loaded.system;
    engine::sound::masses(loaded)?;
    let rows = engine::forms::rows(loaded, mode, at)?;
    let given = |kind: ChartKind| Ingredients::of(system, mode, &rows, kind, at);
    let speeds = (!system.speeds.is_empty()).then(|| given(ChartKind::Speeds));
    let given = match speeds {
        Some(given) if given.chart().is_ok() => given,
        _ => given(ChartKind::Rates),
    };
    let chart = given
        .chart()
        .map_err(|error| Error::new(format!("claims are compared in independent velocities, and {error}")))?;
    let mut auditor = Auditor::new(loaded, &rows, &given, chart)?;
    auditor.take_rates_of_unknowns();
    Ok(ask(&auditor))
}

/// Who knows the true motion of a model.
pub(crate) struct Auditor<'a> {
    pub loaded: &'a Loaded,
    pub rows: &'a Rows,
    pub given: &'a Ingredients<'a>,
    pub chart: &'a Chart,
    pub solution: Solution,
    pub assumptions: Assumptions,
    /// Unknowns of the author: they stand in no load.
    own: Vec<Expr>,
    /// Where witnesses are looked for.
    states: OnceCell<Vec<State>>,
    /// How many of the unknowns are no derivatives of others: those have values at the states.
    plain: usize,
    /// Where mistakes are compared.
    generic: OnceCell<Vec<State>>,
}

/// Does something vanish on every motion?
pub(crate) enum Vanishing {
    Always,
    WithValues(Vec<String>),
    Not,
    Undecided(String),
}

impl<'a> Auditor<'a> {
    fn new(loaded: &'a Loaded, rows: &'a Rows, given: &'a Ingredients<'a>, chart: &'a Chart) -> Result<Self, Error> {
        let system = &loaded.system;
        let failed = |why: String| Error::new(format!("the true equations of motion could not be solved: {why}"));
        let residuals = mechanics::mistake::residuals(given).map_err(|error| failed(error.to_string()))?;
        let solution = Solution::in_chart(&residuals, given, rows)
            .ok_or_else(|| failed("they do not determine the accelerations at the start".to_owned()))?;
        let loads: Vec<Expr> = Expr::sum(given.Q().map_err(|error| failed(error.to_string()))?).symbols();
        let unknowns = system.unknowns.iter().map(|unknown| unknown.symbol);
        let own: Vec<Expr> = unknowns.filter(|symbol| !loads.contains(symbol)).collect();
        let assumptions = with_equalities(assumptions(given), system, &Substitution::new());
        let (plain, states, generic) = (own.len(), OnceCell::new(), OnceCell::new());
        Ok(Auditor { loaded, rows, given, chart, solution, assumptions, own, states, plain, generic })
    }

    /// Counts derivatives of the author's unknowns among them, as far as claims hold some.
    fn take_rates_of_unknowns(&mut self) {
        let system = &self.loaded.system;
        let own: Vec<&mechanics::Unknown> =
            system.unknowns.iter().filter(|unknown| self.own.contains(&unknown.symbol)).collect();
        if own.is_empty() {
            return;
        }
        let claims: Vec<&Statement> = system.statements.iter().filter(|one| one.role == Role::Claim).collect();
        let parts = self.equations(&claims).into_iter().flat_map(|equation| equation.parts);
        let symbols: Vec<Expr> = parts.flat_map(|e| e.symbols()).collect();
        let rates = own.iter().flat_map(|unknown| (1..=MOST_RATES).map(|order| unknown.rate(order)));
        let found: Vec<Expr> = rates.filter(|rate| symbols.contains(rate)).collect();
        self.own.extend(found);
    }

    /// The rates of expressions on every motion, as functions of the state; inputs are what the model says.
    pub fn rates(&self, list: &[Expr]) -> Option<Vec<Expr>> {
        let rates = self.rates_under_inputs(list)?;
        self.said(&rates).apply(&rates).ok()
    }

    /// The same for any inputs; rates of those that act as loads are symbols.
    fn rates_under_inputs(&self, list: &[Expr]) -> Option<Vec<Expr>> {
        let rate = |&e: &Expr| inputs::rate(&self.loaded.system, e).ok();
        let rates = list.iter().map(rate).collect::<Option<Vec<_>>>()?;
        self.solution.put(&self.given.thawed(&rates).ok()?)
    }

    /// Is an expression constant on every motion?
    pub fn is_constant(&self, e: Expr) -> Vanishing {
        match self.rates(&[e]) {
            Some(rate) => self.vanishes(rate[0]),
            None => Vanishing::Undecided("it cannot be evaluated on the motion".to_owned()),
        }
    }

    /// States with the parameters of the model. Not every question needs one, and they are dear to find.
    fn states(&self) -> &[State] {
        let own = &self.own[..self.plain];
        self.states.get_or_init(|| states(self.loaded, self.given, own, Which::Witness))
    }

    /// States with parameters that hide nothing.
    fn generic(&self) -> &[State] {
        self.generic.get_or_init(|| states(self.loaded, self.given, &self.own, Which::Generic))
    }

    fn all(&self, claims: &[&Statement], diagnoses: bool) -> Audit {
        let equations = self.equations(claims);
        let standings: Vec<Standing> = self.standings(claims, &equations);
        let equations = self.with_said_rates(equations);
        let is_wrong = |place: &usize| standings[*place] == Standing::Wrong;
        let wrong: Vec<usize> = equations.iter().map(|equation| equation.place).filter(is_wrong).collect();
        let mut audited = Vec::new();
        for (place, claim) in claims.iter().enumerate() {
            let mut one = Audited {
                name: claim.name.clone(),
                text: engine::fact::text(&claim.fact),
                verdict: ClaimVerdict::of(&standings[place]),
                diagnosis: None,
                explanation: None,
                witness: None,
                reason: None,
            };
            match &standings[place] {
                Standing::Unknown(reason) => one.reason = Some(reason.clone()),
                Standing::WithValues(values) => {
                    one.reason = Some(format!("with the values of the model, not with all: {}", values.join(", ")));
                }
                Standing::Empty if matches!(claim.fact, Fact::Solution(_)) => one.reason = self.why_not(claim),
                Standing::Empty => one.reason = Some("it holds for every motion whatever: it says nothing".to_owned()),
                Standing::Wrong if wrong.contains(&place) => {
                    self.show_witness(&mut one, place, &equations);
                    if diagnoses && wrong.first() == Some(&place) {
                        let found = diagnosis::diagnose(self, &equations, &wrong, one.witness.is_some());
                        one.diagnosis = (!found.mistakes.is_empty()).then_some(found.mistakes);
                        one.explanation = Some(found.explanation);
                    }
                }
                Standing::Wrong => {
                    one.explanation = self.why_not(claim);
                    one.witness = self.unequal(claim).and_then(|parts| self.shown_equal(&parts));
                    if claim.misfit.is_some() {
                        one.diagnosis = Some(vec!["dimension: its terms have different dimensions".to_owned()]);
                        self.name_the_slip(&mut one, claim, place);
                    }
                }
                _ => {}
            }
            audited.push(one);
        }
        let missing = self.missing(&equations, &standings).filter(|_| wrong.is_empty());
        if missing.is_some() && diagnoses {
            self.name_the_principle(&mut audited, &equations);
        }
        let (verdict, outcome) = of_all(&standings, missing.is_some());
        Audit {
            model: self.loaded.file.clone(),
            title: self.loaded.system.title.clone(),
            verdict,
            claims: audited,
            missing,
            assumptions: self.relied_on(),
            outcome,
            certificate: None,
        }
    }

    /// The claims that are equations, with reactions and energies as expressions.
    fn equations(&self, claims: &[&Statement]) -> Vec<Equation> {
        let fitting = claims.iter().enumerate().filter(|(_, claim)| claim.misfit.is_none());
        fitting.filter_map(|(place, claim)| self.equation(claim, place)).collect()
    }

    /// A claim that is an equation.
    fn equation(&self, claim: &Statement, place: usize) -> Option<Equation> {
        let known = Known { given: self.given, everywhere: false };
        let reading = Reading { motion: Some(&known), ..Reading::default() };
        let system = &self.loaded.system;
        let (mut sides, mut jumps) = (Vec::new(), None);
        let parts: Vec<Expr> = match &claim.fact {
            Fact::Relation { relation, at: None, .. } if relation.comparison == expr::Comparison::Equal => {
                let read = system.relation(&relation.tree, reading).ok().and_then(|relation| components(&relation))?;
                sides.extend(read.iter().flat_map(|&(left, right)| [(left, "left"), (right, "right")]));
                read.into_iter().map(|(left, right)| left - right).collect()
            }
            Fact::Constant { tree, .. } => {
                let parts = match system.read(tree, reading) {
                    Ok(Term::Scalar(e)) => vec![e],
                    Ok(Term::Vector(vector)) => vector.0.to_vec(),
                    _ => return None,
                };
                jumps = crate::jumps::jump(&parts, &self.assumptions);
                parts.into_iter().map(|e| inputs::rate(system, e).ok()).collect::<Option<_>>()?
            }
            _ => return None,
        };
        let parts = self.given.thawed(&parts).ok()?;
        let is_late = parts.iter().any(|&e| lateness(e) > 0);
        let parts = parts.into_iter().map(|e| self.of_second_order(e)).collect::<Option<_>>()?;
        Some(Equation { place, parts, sides, is_late, is_rate: matches!(claim.fact, Fact::Constant { .. }), jumps })
    }

    /// Claims with the rates of inputs that the model gives: so it is asked where one fails, and why.
    fn with_said_rates(&self, mut equations: Vec<Equation>) -> Vec<Equation> {
        for equation in &mut equations {
            let said = self.said_rates(&equation.parts);
            let parts = if said.is_empty() { None } else { said.apply(&equation.parts).ok() };
            equation.parts = parts.unwrap_or_else(|| std::mem::take(&mut equation.parts));
        }
        equations
    }

    fn standings(&self, claims: &[&Statement], equations: &[Equation]) -> Vec<Standing> {
        let mut standings: Vec<Option<Standing>> = vec![None; claims.len()];
        let with_own =
            |equation: &&Equation| equation.parts.iter().any(|e| e.symbols().iter().any(|s| self.own.contains(s)));
        let (theirs, plain): (Vec<&Equation>, Vec<&Equation>) = equations.iter().partition(with_own);
        for equation in plain {
            let parts = equation.parts.iter().map(|&e| self.standing(e, equation.is_rate));
            let is_nothing = |e: &Expr| proof::decide(*e, &Assumptions::none()).is_zero();
            let is_empty = equation.parts.iter().all(is_nothing) && says_nothing(&claims[equation.place].fact);
            let standing = if is_empty { Standing::Empty } else { worst(parts) };
            standings[equation.place] = Some(match (&equation.jumps, standing) {
                (None, standing) | (_, standing @ (Standing::Wrong | Standing::Unknown(_))) => standing,
                (Some(text), _) => Standing::Unknown(jumps(text)),
            });
        }
        self.with_unknowns(&theirs, &mut standings);
        for (place, claim) in claims.iter().enumerate() {
            if standings[place].is_none() {
                standings[place] = Some(match claim.misfit {
                    Some(_) => Standing::Wrong,
                    None => self.fact(claim),
                });
            }
        }
        standings.into_iter().map(|standing| standing.unwrap_or(Standing::Unknown(String::new()))).collect()
    }

    /// Claims with unknowns of the author's own (2).
    fn with_unknowns(&self, equations: &[&Equation], standings: &mut [Option<Standing>]) {
        if equations.is_empty() {
            return;
        }
        let unknown = |why: &str| Some(Standing::Unknown(why.to_owned()));
        let all: Vec<(usize, Expr)> =
            equations.iter().flat_map(|one| one.parts.iter().map(|&e| (one.place, e))).collect();
        let list: Vec<Expr> = all.iter().map(|part| part.1).collect();
        let Some(put) = self.solution.put(&list).and_then(|put| self.with_rates_of_known(put)) else {
            equations
                .iter()
                .for_each(|one| standings[one.place] = unknown("a claim cannot be evaluated on the motion"));
            return;
        };
        let Ok((matrix, constants)) = expr::linear_coefficients(&put, &self.own) else {
            equations.iter().for_each(|one| standings[one.place] = unknown("the unknowns do not occur linearly"));
            return;
        };
        equations.iter().for_each(|one| standings[one.place] = Some(Standing::Correct));
        let rows: Vec<usize> = (0..put.len()).collect();
        let Some(found) = self.contradictions(&matrix, &constants, &rows) else {
            equations.iter().for_each(|one| standings[one.place] = unknown("the unknowns cannot be eliminated"));
            return;
        };
        // If the others agree as soon as one claim is taken away, that one is wrong.
        let is_alone = |place: usize| {
            let rest: Vec<usize> = rows.iter().copied().filter(|&row| all[row].0 != place).collect();
            self.contradictions(&matrix, &constants, &rest).is_some_and(|found| found.is_empty())
        };
        let refuted = found.iter().any(|(_, standing)| *standing == Standing::Wrong);
        let mut alone: Vec<usize> = equations.iter().map(|one| one.place).collect();
        alone.retain(|&place| refuted && alone_matters(&found, &all, place) && is_alone(place));
        if let [only] = alone[..] {
            standings[only] = Some(Standing::Wrong);
            return;
        }
        for (z, standing) in found {
            let involved: Vec<usize> = (0..z.len()).filter(|&row| !z[row].is_zero()).collect();
            let likely = involved.iter().rev().find(|&&row| alone.contains(&all[row].0)).or(involved.last());
            standings[likely.map_or(all[0].0, |&row| all[row].0)] = Some(standing);
        }
    }

    /// Combinations of these claims that hold no unknown of the author and do not vanish (2), with what is found of each.
    fn contradictions(
        &self,
        matrix: &[Vec<Expr>],
        constants: &[Expr],
        rows: &[usize],
    ) -> Option<Vec<(Vec<Expr>, Standing)>> {
        let column = |column: usize| rows.iter().map(|&row| matrix[row][column]).collect();
        let transposed: Vec<Vec<Expr>> = (0..self.own.len()).map(column).collect();
        let basis = null_space(&Matrix::from_rows(&transposed), self.given.at).ok()?;
        let mut found = Vec::new();
        for z in basis {
            let combined: Expr = z.iter().zip(rows).map(|(&z, &row)| z * constants[row]).sum();
            let standing = match self.vanishes(combined) {
                Vanishing::Always => continue,
                Vanishing::WithValues(values) => Standing::WithValues(values),
                Vanishing::Not => Standing::Wrong,
                Vanishing::Undecided(why) => Standing::Unknown(format!("the combination without unknowns: {why}")),
            };
            found.push((z, standing));
        }
        Some(found)
    }

    /// Claims in which an unknown that another claim gives is known with its derivatives: what stands for μ' is then μ'.
    fn with_rates_of_known(&self, mut claims: Vec<Expr>) -> Option<Vec<Expr>> {
        for unknown in &self.loaded.system.unknowns {
            let rates: Vec<Expr> = (1..=MOST_RATES).map(|order| unknown.rate(order)).collect();
            if !claims.iter().any(|e| e.symbols().iter().any(|symbol| rates.contains(symbol))) {
                continue;
            }
            let gives = |e: &&Expr| {
                let own: Vec<Expr> = e.symbols().into_iter().filter(|symbol| self.own.contains(symbol)).collect();
                own == [unknown.symbol]
            };
            let Some(&first) = claims.iter().find(gives) else { continue };
            let Ok((slope, rest)) = expr::linear_coefficients(&[first], &[unknown.symbol]) else { continue };
            let Ok(mut value) = (-rest[0]).try_div(slope[0][0]) else { continue };
            for rate in rates {
                value = self.rates_under_inputs(&[value])?[0];
                claims = Substitution::from([(rate, value)]).apply(&claims).ok()?;
            }
        }
        Some(claims)
    }

    /// Does an expression of the state vanish at every state: with the parameters as symbols, with the definitions of
    /// those that depend on others, or with the values that the model gives them?
    pub fn vanishes(&self, e: Expr) -> Vanishing {
        let numeric = self.states().iter().map(|state| misses(state, &[e])).fold(0.0, f64::max);
        if numeric > FAR && self.rows.list.iter().any(|row| row.order == 0) {
            return Vanishing::Not;
        }
        let mut last = match self.decided(e, &Substitution::new()) {
            Ok(true) => return Vanishing::Always,
            other => other,
        };
        let definitions = self.definitions();
        if e.symbols().iter().any(|symbol| definitions.iter().any(|(defined, _)| defined == symbol)) {
            last = match self.decided(e, &definitions) {
                Ok(true) => return Vanishing::Always,
                other => other,
            };
        }
        if numeric < CLOSE && !self.states().is_empty() {
            // 1 is left out here, where the claim is not known: `in_numbers` looks again
            let values = self.loaded.system.parameter_values().into_iter();
            let values: Substitution = values.filter(|(_, value)| *value != Expr::one()).collect();
            if let Some(needed) = self.needed(e, &values).or_else(|| self.signs_needed(e)) {
                return Vanishing::WithValues(needed);
            }
        }
        match last {
            Ok(_) => Vanishing::Not,
            Err(_) if numeric > FAR => Vanishing::Not,
            Err(why) => Vanishing::Undecided(why),
        }
    }

    /// What a verdict relies on, in words: what the model assumes, and the mode that it speaks of.
    pub fn relied_on(&self) -> Vec<String> {
        let system = &self.loaded.system;
        let mut list = self.assumptions.texts();
        list.extend(crate::modes::words(system, self.given.mode));
        let roots = self.chart.branches.iter();
        list.extend(
            roots.map(|(k, rate)| format!("{} = {} (the root at the start)", self.given.q_dot[*k], rate.brief())),
        );
        let jump = crate::jumps::of_model(system, &self.assumptions);
        list.extend(jump.map(|text| format!("no motion crosses a jump of `{text}`")));
        list
    }

    /// An expression on the motion, with parameters that depend on others in terms of those.
    pub fn image(&self, e: Expr) -> Option<Expr> {
        self.definitions().apply_one(self.on_motion(e)?).ok()
    }

    /// Is there a state at which all this stands so to zero?
    pub fn admits(&self, relations: &[(Expr, expr::Comparison)]) -> bool {
        let holds = |state: &State| relations.iter().all(|(e, is)| is.holds(state::at(&[*e], &state.values)[0]));
        self.states().iter().chain(self.generic()).any(holds)
    }

    /// Inputs with what the model says of them, on the constraints.
    pub fn inputs(&self) -> Substitution {
        let said = self.loaded.system.inputs.iter().filter_map(|input| Some((input.symbol, input.value?)));
        said.filter_map(|(symbol, value)| Some((symbol, self.solution.put(&[value])?[0]))).collect()
    }

    /// Parameters that depend on others, in terms of those that do not.
    pub fn definitions(&self) -> Substitution {
        let mut list = Substitution::new();
        for parameter in &self.loaded.system.parameters {
            let Some(definition) = parameter.definition.filter(|definition| !definition.symbols().is_empty()) else {
                continue;
            };
            let put = list.apply_one(definition).unwrap_or(definition);
            list.insert(parameter.symbol, put);
        }
        list
    }

    /// Does an expression vanish at every state that the constraints admit, with something put in for parameters? An
    /// error says what stopped the proof.
    fn decided(&self, e: Expr, map: &Substitution) -> Result<bool, String> {
        self.decided_under(e, map, self.assumed(map))
    }

    /// What the model assumes, with something put in for parameters.
    fn assumed(&self, map: &Substitution) -> Assumptions {
        match map.is_empty() {
            true => self.assumptions.clone(),
            false => with_equalities(assumptions_with(self.given, map), &self.loaded.system, map),
        }
    }

    /// The values of parameters that numbers of a claim may stand for, if it names these symbols. A 1 may stand for a parameter
    /// that is not named, if its unit tells or no parameter is named: who drops a factor m = 1 has dropped it all the same.
    fn telling_values(&self, named: &[Expr]) -> Substitution {
        let parameters = &self.loaded.system.parameters;
        let names_none = !parameters.iter().any(|one| one.value.is_some() && named.contains(&one.symbol));
        let telling = |one: &&mechanics::Parameter| {
            let has_unit = one.dimension.as_ref().is_some_and(|dimension| !dimension.is_none());
            let may_be_one = !named.contains(&one.symbol) && (has_unit || names_none);
            one.value != Some(Expr::one()) || may_be_one
        };
        parameters.iter().filter(telling).filter_map(|one| Some((one.symbol, one.value?))).collect()
    }

    fn decided_under(&self, e: Expr, map: &Substitution, assumptions: Assumptions) -> Result<bool, String> {
        let put = |e: Expr| map.apply_one(e).unwrap_or(e);
        let e = put(e);
        let first = proof::decide(e, &assumptions);
        if first.is_zero() {
            return Ok(true);
        }
        let geometric = self.rows.list.iter().filter(|row| row.order == 0).map(|row| put(row.f));
        let (mut usable, other): (Vec<Expr>, Vec<Expr>) = geometric.partition(|&f| engine::fact::is_usable(f));
        if usable.is_empty() {
            return match first {
                Verdict::NonZero(_) if other.is_empty() => Ok(false),
                Verdict::Unknown(obstacle) => Err(obstacle.to_string()),
                _ => Err("positions on the constraints could not be put in".to_owned()),
            };
        }
        usable.sort_by_key(|&f| !engine::fact::is_linear(f));
        let on = |rows: &[Expr]| {
            let assume = |all: Assumptions, &f: &Expr| all.and(f, expr::Comparison::Equal, Expr::zero());
            proof::decide(e, &rows.iter().fold(assumptions.clone(), assume))
        };
        // The states that were found satisfy the constraints: a proof is not about nothing.
        let exists = !self.states().is_empty();
        let proved = |verdict: &Verdict| matches!(verdict, Verdict::Zero(proof) if exists || !proof.vacuous);
        // What all rows leave undecided may be easy on one of them; what they refute is refuted on each.
        let on_one = || usable.len() > 1 && usable.iter().any(|&f| proved(&on(&[f])));
        match on(&usable) {
            verdict if proved(&verdict) => Ok(true),
            Verdict::NonZero(_) if other.is_empty() => Ok(false),
            _ if on_one() => Ok(true),
            Verdict::Unknown(obstacle) => Err(obstacle.to_string()),
            _ => Err("it holds at every state that was tried, but positions on the constraints could not be put in"
                .to_owned()),
        }
    }

    /// How an equation stands (1).
    fn standing(&self, e: Expr, is_rate: bool) -> Standing {
        let Some(put) = self.on_motion(e).map(|put| vec![put]) else {
            return Standing::Unknown("it cannot be evaluated on the motion".to_owned());
        };
        let found = self.vanishes(put[0]);
        let (said, quiet) = self.with_inputs(put[0], is_rate);
        if matches!(found, Vanishing::Always | Vanishing::WithValues(_)) || said.is_empty() {
            return self.stands(e, put[0], found);
        }
        // with what the model says of its inputs, and of which that must be told
        match (self.stands(e, quiet, self.vanishes(quiet)), found) {
            (Standing::Correct | Standing::AfterEliminating(_), _) => Standing::WithValues(said),
            (Standing::WithValues(values), _) => Standing::WithValues(values.into_iter().chain(said).collect()),
            (quiet, _) if is_rate => quiet,
            (_, found) => self.stands(e, put[0], found),
        }
    }

    /// The standing of an equation of which it is known how it vanishes on the motion.
    fn stands(&self, e: Expr, put: Expr, found: Vanishing) -> Standing {
        match found {
            Vanishing::Always => self.eliminated(e),
            Vanishing::WithValues(values) => Standing::WithValues(values),
            Vanishing::Not => self.in_numbers(e, put).unwrap_or(Standing::Wrong),
            Vanishing::Undecided(why) => Standing::Unknown(why),
        }
    }

    /// Something on the motion with the values of the inputs in it, and these. An input that is 0 while nobody sets it has no
    /// value that an equation could mean; of what stays constant it has, and so has the rate of a load.
    fn with_inputs(&self, put: Expr, is_rate: bool) -> (Vec<String>, Expr) {
        let symbols = put.symbols();
        let telling = |one: &(Expr, Expr)| symbols.contains(&one.0) && (is_rate || !one.1.is_zero());
        let mut values: Substitution = self.inputs().into_iter().filter(telling).collect();
        values.extend(self.said_rates(&[put]));
        let said = values.iter().map(|(symbol, value)| format!("{symbol} = {}", value.brief())).collect();
        (said, values.apply_one(put).unwrap_or(put))
    }

    /// How a claim stands whose numbers are compared with the values of the model.
    fn in_numbers(&self, e: Expr, put: Expr) -> Option<Standing> {
        self.needed(put, &self.telling_values(&e.symbols())).map(Standing::WithValues)
    }

    /// Which of these values make an expression vanish: no more of them than it needs; `None` if all of them do not.
    fn needed(&self, e: Expr, values: &Substitution) -> Option<Vec<String>> {
        let symbols = e.symbols();
        let mut kept: Vec<(Expr, Expr)> = values.iter().copied().filter(|one| symbols.contains(&one.0)).collect();
        if kept.is_empty() || self.decided(e, values) != Ok(true) {
            return None;
        }
        // what is plainest to read stays longest: 0, then whole numbers
        kept.sort_by_key(|one| (one.1 != Expr::zero(), one.1.operations()));
        let mut place = kept.len();
        while place > 0 {
            place -= 1;
            let without: Substitution = kept.iter().copied().filter(|one| one.0 != kept[place].0).collect();
            if self.decided(e, &without) == Ok(true) {
                kept = without.to_vec();
            }
        }
        Some(kept.iter().map(|(symbol, value)| format!("{symbol} = {}", value.brief())).collect())
    }

    /// Which signs of parameters, as the model has them, make an expression vanish; `None` if all of them do not.
    fn signs_needed(&self, e: Expr) -> Option<Vec<String>> {
        let symbols = e.symbols();
        let sign = |(symbol, value): &(Expr, Expr)| {
            let value = self.loaded.at.value(*value);
            let sign = if value > 0.0 { expr::Comparison::Greater } else { expr::Comparison::Less };
            (symbols.contains(symbol) && value != 0.0).then_some((*symbol, sign))
        };
        let mut kept: Vec<(Expr, expr::Comparison)> =
            self.loaded.system.parameter_values().iter().filter_map(sign).collect();
        let holds = |signs: &[(Expr, expr::Comparison)]| {
            let assume =
                |all: Assumptions, &(symbol, sign): &(Expr, expr::Comparison)| all.and(symbol, sign, Expr::zero());
            let assumptions = signs.iter().fold(self.assumptions.clone(), assume);
            self.decided_under(e, &Substitution::new(), assumptions) == Ok(true)
        };
        if kept.is_empty() || !holds(&kept) {
            return None;
        }
        for place in (0..kept.len()).rev() {
            let mut without = kept.clone();
            without.remove(place);
            if holds(&without) {
                kept = without;
            }
        }
        let word = |sign: expr::Comparison| if sign == expr::Comparison::Greater { ">" } else { "<" };
        Some(kept.iter().map(|&(symbol, sign)| format!("{symbol} {} 0", word(sign))).collect())
    }

    /// Is it proved that this vanishes on every motion?
    fn is_proved(&self, e: Expr) -> bool {
        let vanishing = self.on_motion(e).map(|put| self.vanishes(put));
        matches!(vanishing, Some(Vanishing::Always | Vanishing::WithValues(_)))
    }

    /// May a claim be true that was put right? A parameter that the claim names is a symbol there, not its value.
    fn may_hold(&self, put_right: Expr, claim: Expr) -> bool {
        let named: Vec<String> = claim.symbols().iter().map(|symbol| format!("{symbol} = ")).collect();
        match self.on_motion(put_right).map(|put| self.vanishes(put)) {
            Some(Vanishing::Always) => true,
            Some(Vanishing::WithValues(needed)) => {
                !needed.iter().any(|value| named.iter().any(|name| value.starts_with(name)))
            }
            // what is not proved is not promised
            _ => false,
        }
    }

    /// An expression on the motion.
    fn on_motion(&self, e: Expr) -> Option<Expr> {
        Some(self.solution.put(&[e])?[0])
    }

    /// Third and higher derivatives follow from the accelerations, rates of multipliers from the multipliers: what a claim
    /// says without them. `None` for the rate of a multiplier that the motion does not determine.
    fn of_second_order(&self, e: Expr) -> Option<Expr> {
        let late = lateness(e);
        if late == 0 {
            return Some(e);
        }
        let multipliers = self.rows.list.iter().chain(&self.rows.pressed).map(|row| row.lambda);
        let mut symbols: Vec<Expr> = self.given.q_ddot.iter().copied().chain(multipliers).collect();
        let mut values = self.solution.put(&symbols)?;
        let mut known = Substitution::new();
        for _ in 0..late {
            values = self.rates_under_inputs(&values)?;
            symbols = symbols.iter().map(|&symbol| expr::total_derivative(symbol).ok()).collect::<Option<_>>()?;
            known.extend(symbols.iter().copied().zip(values.iter().copied()));
        }
        known.apply_one(e).ok().filter(|&e| lateness(e) == 0)
    }

    /// Correct, perhaps only once dependent rates are eliminated (D1).
    fn eliminated(&self, e: Expr) -> Standing {
        let symbols: Vec<Expr> = e.symbols();
        let dependent: Vec<Expr> = self.chart.dependent.iter().map(|&k| self.given.q_dot[k]).collect();
        let mentioned: Vec<Expr> = dependent.into_iter().filter(|rate| symbols.contains(rate)).collect();
        let first_order = self.rows.list.iter().any(|row| row.order == 1);
        // In a chart of speeds every rate follows from them: none is eliminated in favour of another rate.
        let first_order = first_order && self.chart.dependent.len() < self.given.q.len();
        if mentioned.is_empty() || !first_order || self.off_the_constraints(e) {
            return Standing::Correct;
        }
        Standing::AfterEliminating(mentioned.iter().map(Expr::to_string).collect())
    }

    /// Does the equation follow from the equations with multipliers for all rates, also those that violate constraints?
    fn off_the_constraints(&self, e: Expr) -> bool {
        let Some(formalism) = mechanics::formalism::formalism("multipliers") else { return true };
        let Ok(form) = formalism.form(self.given) else { return true };
        let unknowns = form.all_unknowns();
        let Some(solved) = mechanics::agreement::solved(&form.residuals(), &unknowns, self.given.at) else {
            return true;
        };
        solved.apply_one(e).is_ok_and(|put| proof::decide(put, &self.assumptions).is_zero())
    }

    /// What is said never to vanish, by a claim `a != b` about every motion.
    fn unequal(&self, claim: &Statement) -> Option<Vec<Expr>> {
        let Fact::Relation { relation, at: None, .. } = &claim.fact else { return None };
        if relation.comparison != expr::Comparison::NotEqual || claim.misfit.is_some() {
            return None;
        }
        let known = Known { given: self.given, everywhere: false };
        let reading = Reading { motion: Some(&known), ..Reading::default() };
        let read = self.loaded.system.relation(&relation.tree, reading).ok()?;
        let parts: Vec<Expr> = components(&read)?.into_iter().map(|(left, right)| left - right).collect();
        let parts = self.given.thawed(&parts).ok()?;
        parts.into_iter().map(|e| self.of_second_order(e)).collect()
    }

    /// A state at which two sides are equal, as they are at every other.
    fn shown_equal(&self, parts: &[Expr]) -> Option<Shown> {
        let what = Wrong { parts, all: &[], own: &self.own };
        self.states().first().or(self.generic().first()).map(|state| state.shown(self.given, &what))
    }

    /// Does the slip that spoils the dimension of a claim show in one term?
    fn name_the_slip(&self, one: &mut Audited, claim: &Statement, place: usize) {
        let Some(equation) = self.equation(claim, place) else { return };
        if let Some(found) = misread::misread(self, &[&equation]).or_else(|| term::slip(self, &[&equation])) {
            one.diagnosis.get_or_insert_default().extend(found.mistakes);
            let said = one.explanation.take().unwrap_or_default();
            one.explanation = Some(format!("{said} {}", found.explanation));
        }
    }

    /// The state at which two lists of numbers differ most, with both lists.
    pub fn farthest(&self, a: &[Expr], b: &[Expr]) -> Option<(Vec<f64>, Vec<f64>, Shown)> {
        let apart = |(a, b): (&[f64], &[f64])| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let numbers = self.states().iter().chain(self.generic()).map(|state| {
            let (a, b) = (state::at(a, &state.values), state::at(b, &state.values));
            (apart((&a, &b)), a, b, state)
        });
        let (_, a, b, state) = numbers.filter(|one| one.0.is_finite()).max_by(|one, two| one.0.total_cmp(&two.0))?;
        let nothing = Wrong { parts: &[], all: &[], own: &self.own };
        Some((a, b, state.shown(self.given, &nothing)))
    }

    /// Claims that are no equations of motion are judged like facts.
    fn fact(&self, claim: &Statement) -> Standing {
        if let Some(parts) = self.unequal(claim) {
            let vanishes = |e: &Expr| self.on_motion(*e).is_some_and(|e| matches!(self.vanishes(e), Vanishing::Always));
            if parts.iter().all(vanishes) {
                return Standing::Wrong;
            }
        }
        if let Fact::Solution(equations) = &claim.fact {
            return solution::judged(self, equations).0;
        }
        if let Some((standing, _)) = state::equilibrium(self.loaded, self.given.mode, &claim.fact) {
            return standing;
        }
        if let Some(why) = self.refused(&claim.fact) {
            return Standing::Unknown(why);
        }
        let judged = crate::check::judged(self.loaded, claim);
        match (judged.holds, judged.waiting_for, judged.reason) {
            (Some(true), ..) => Standing::Correct,
            (Some(false), ..) => Standing::Wrong,
            (None, Some(verb), _) if verb == "prove" => Standing::Unknown(
                "whether it holds on every motion is not decided; at one state, as after `at`, it can be judged"
                    .to_owned(),
            ),
            (None, Some(verb), _) => Standing::Unknown(format!("waiting for {verb}")),
            (None, None, reason) => Standing::Unknown(reason.unwrap_or_default()),
        }
    }

    /// Why something that is said of every motion cannot be read there.
    fn refused(&self, fact: &Fact) -> Option<String> {
        let known = Known { given: self.given, everywhere: false };
        let reading = Reading { motion: Some(&known), ..Reading::default() };
        let system = &self.loaded.system;
        let read = match fact {
            Fact::Relation { relation, at: None, .. } => system.relation(&relation.tree, reading).map(|_| ()),
            Fact::Constant { tree, .. } => system.read(tree, reading).map(|_| ()),
            _ => return None,
        };
        read.err().map(|diagnostic| diagnostic.message)
    }

    /// Why a claim that is no equation of motion is wrong.
    fn why_not(&self, claim: &Statement) -> Option<String> {
        if let Some(misfit) = &claim.misfit {
            return Some(format!(
                "Its terms have different dimensions, so it is no equation between quantities: {misfit}."
            ));
        }
        if self.unequal(claim).is_some() {
            return Some("Both sides are equal at every state.".to_owned());
        }
        if let Fact::Solution(equations) = &claim.fact {
            return solution::judged(self, equations).1;
        }
        match state::equilibrium(self.loaded, self.given.mode, &claim.fact) {
            Some((_, why)) => why,
            None => crate::check::judged(self.loaded, claim).reason,
        }
    }

    /// What the claims leave open, if they are equations of motion.
    fn missing(&self, equations: &[Equation], standings: &[Standing]) -> Option<String> {
        let is_right = |one: &Equation| !matches!(standings[one.place], Standing::Wrong | Standing::Unknown(_));
        let right = |one: &&Equation| is_right(one) && !one.is_late;
        let parts = equations.iter().filter(right).flat_map(|one| one.parts.clone());
        let of_motion: Vec<Expr> = parts.filter(|&e| !self.is_identity(e)).collect();
        let unknowns: Vec<Expr> = self.given.q_ddot.iter().chain(&self.own).copied().collect();
        // of what is not linear, the slopes at the true motion
        let matrix = match expr::linear_coefficients(&of_motion, &unknowns) {
            Ok((matrix, _)) => matrix,
            Err(_) => {
                let slopes = expr::jacobian(&of_motion, &unknowns).ok()?;
                let put = |row: &Vec<Expr>| self.solution.put(row);
                slopes.iter().map(put).collect::<Option<Vec<_>>>()?
            }
        };
        let moves = |e: &Expr| e.symbols().iter().any(|symbol| self.given.q_ddot.contains(symbol));
        let is_of_motion = of_motion.iter().any(moves);
        if !is_of_motion {
            return None;
        }
        let mut rows = matrix;
        for row in &self.rows.list {
            rows.push(row.A.iter().copied().chain(vec![Expr::zero(); self.own.len()]).collect());
        }
        let on_shell: Vec<Expr> = rows.concat();
        let on_shell = self.chart.on_shell(&on_shell, self.given.system).ok()?;
        let rows: Vec<Vec<Expr>> = on_shell.chunks(unknowns.len()).map(<[Expr]>::to_vec).collect();
        let found = rank(&Matrix::from_rows(&rows)).rank;
        let open = unknowns.len().saturating_sub(found);
        (open > 0).then(|| {
            let one = if open == 1 { "one more independent equation is" } else { "more independent equations are" };
            format!("the claims and the constraints leave {open} of {} unknowns open: {one} needed", unknowns.len())
        })
    }

    /// Does an equation hold for all accelerations that the constraints admit? Then it says nothing of the motion.
    fn is_identity(&self, e: Expr) -> bool {
        let put = self.chart.on_shell(&[e], self.given.system);
        put.is_ok_and(|put| proof::decide(put[0], &self.assumptions).is_zero())
    }

    /// Says where a claim is wrong.
    fn show_witness(&self, one: &mut Audited, place: usize, equations: &[Equation]) {
        let Some(equation) = equations.iter().find(|equation| equation.place == place) else { return };
        let all: Vec<Expr> = equations.iter().flat_map(|equation| equation.parts.iter().copied()).collect();
        let what = Wrong { parts: &equation.parts, all: &all, own: &self.own };
        // What the parameters of the model hide is shown with others.
        let shown = |state: &State| state.shown(self.given, &what);
        one.witness = match equation.is_rate && !self.loaded.system.inputs.is_empty() {
            true => {
                let quiet = states(self.loaded, self.given, &self.own, Which::Quiet);
                worst_of(&quiet, &what).map(shown)
            }
            false => worst_of(self.states(), &what).or_else(|| worst_of(self.generic(), &what)).map(shown),
        };
        if one.witness.is_none() {
            let mirrored = states(self.loaded, self.given, &self.own[..self.plain], Which::Mirrored);
            one.witness = worst_of(&mirrored, &what).map(shown);
        }
        if one.witness.is_none() {
            one.reason = Some("it was refuted by exact arithmetic; no state with simple numbers shows it".to_owned());
        }
    }

    /// Right but incomplete equations with unknowns of the author's own may be those of another principle.
    fn name_the_principle(&self, audited: &mut [Audited], equations: &[Equation]) {
        let with_own = |one: &&Equation| one.parts.iter().any(|e| e.symbols().iter().any(|s| self.own.contains(s)));
        let Some(first) = equations.iter().find(with_own) else { return };
        if let Some(found) = diagnosis::open_motion(self, equations) {
            let one = &mut audited[first.place];
            one.diagnosis = Some(found.mistakes);
            one.explanation = Some(found.explanation);
        }
    }
}

/// Assumptions with the equalities between parameters that a model assumes, something put in for parameters.
fn with_equalities(assumptions: Assumptions, system: &mechanics::System, map: &Substitution) -> Assumptions {
    let equal = state::equalities(system).into_iter().map(|f| map.apply_one(f).unwrap_or(f));
    // values that contradict an assumption are none of its business
    let usable = equal.filter(|f| !f.symbols().is_empty() && engine::fact::is_usable(*f));
    usable.fold(assumptions, |all, f| all.and(f, expr::Comparison::Equal, Expr::zero()))
}

/// The verdict on all claims; `open` if they leave something open.
fn of_all(standings: &[Standing], open: bool) -> (ClaimVerdict, Outcome) {
    let is = |wanted: fn(&Standing) -> bool| standings.iter().any(wanted);
    if is(|standing| *standing == Standing::Wrong) {
        (ClaimVerdict::Wrong, Outcome::Refuted)
    } else if is(|standing| matches!(standing, Standing::Unknown(_))) {
        (ClaimVerdict::Unknown, Outcome::Undecided)
    } else if open || is(|standing| *standing == Standing::Empty) {
        (ClaimVerdict::Incomplete, Outcome::Refuted)
    } else {
        let eliminated = standings.iter().find(|standing| matches!(standing, Standing::AfterEliminating(_)));
        (ClaimVerdict::of(eliminated.unwrap_or(&Standing::Correct)), Outcome::Proved)
    }
}

/// Whether the two sides of a claim are the same before anything is known of the motion, all names being plain symbols.
/// What names a part of the model, such as `energy()`, says something.
fn says_nothing(fact: &Fact) -> bool {
    let Fact::Relation { relation, at: None, .. } = fact else { return false };
    let text = syntax::format_relation(&relation.tree);
    let Some((left, right)) = text.split_once(" = ") else { return false };
    match (expr::parse(left), expr::parse(right)) {
        (Ok(left), Ok(right)) => proof::decide(left - right, &Assumptions::none()).is_zero(),
        _ => false,
    }
}

/// That something is constant between its jumps, in words.
pub(crate) fn jumps(text: &str) -> String {
    format!("it jumps with `{text}`: its rate is zero between the jumps, which does not make it constant")
}

/// Whether a claim takes part in a contradiction.
fn alone_matters(found: &[(Vec<Expr>, Standing)], all: &[(usize, Expr)], place: usize) -> bool {
    let takes_part = |z: &Vec<Expr>| z.iter().zip(all).any(|(z, part)| part.0 == place && !z.is_zero());
    found.iter().any(|(z, standing)| *standing == Standing::Wrong && takes_part(z))
}

/// The state at which a claim misses most, if it does.
fn worst_of<'s>(states: &'s [State], wrong: &Wrong<'_>) -> Option<&'s State> {
    let missed = states.iter().map(|state| (state.missed(wrong).0, state)).filter(|(missed, _)| *missed > CLOSE);
    missed.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, state)| state)
}

fn worst(parts: impl Iterator<Item = Standing>) -> Standing {
    let mut worst = Standing::Correct;
    for part in parts {
        worst = match (worst, part) {
            (Standing::Wrong, _) | (_, Standing::Wrong) => Standing::Wrong,
            (Standing::Unknown(why), _) | (_, Standing::Unknown(why)) => Standing::Unknown(why),
            (Standing::Empty, _) | (_, Standing::Empty) => Standing::Empty,
            (Standing::WithValues(values), _) | (_, Standing::WithValues(values)) => Standing::WithValues(values),
            (Standing::AfterEliminating(names), _) | (_, Standing::AfterEliminating(names)) => {
                Standing::AfterEliminating(names)
            }
            _ => Standing::Correct,
        };
    }
    worst
}

/// How often accelerations and multipliers are differentiated at most.
pub(crate) fn lateness(e: Expr) -> u32 {
    let of = |symbol: expr::Symbol| match symbol.kind {
        expr::Kind::Multiplier => symbol.order,
        expr::Kind::Coordinate => symbol.order.saturating_sub(2),
        _ => 0,
    };
    e.symbols().into_iter().filter_map(Expr::as_symbol).map(of).max().unwrap_or(0)
}

/// Whether a multiplier of the model occurs.
fn has_multiplier(e: Expr) -> bool {
    e.symbols().iter().any(|symbol| symbol.as_symbol().is_some_and(|symbol| symbol.kind == Kind::Multiplier))
}

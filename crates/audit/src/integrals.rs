//! What stays constant on every motion?
//!
//! ```text
//! energy     E = T + V            E' = (Q + ∂V/∂q)·q' + ∂V/∂t + Σ λ A·q' + (dT/dt − E·q')          (1)
//! Jacobi     h = q'·∂T/∂q' − T + V, or E less momenta times the drives a constraint prescribes      (2)
//! momenta    ∂T/∂q', momentum, angular momentum                                                     (3)
//! linear     Σ c_ij f_j(q) u_i + Σ c_j f_j(q)    f_j: products of the functions that occur          (4)
//! ```
//!
//! All these are candidates of one list; `ansatz` finds which sums of them with constant coefficients have no rate on the
//! motion that the constraints admit. So a momentum survives the constraints exactly if its direction is a virtual
//! displacement that changes nothing. Coefficients that depend on parameters are found by `parameters`. Every sum is then
//! proved constant by the judge of claims (`audit`), symbols for parameters; one that holds only for the values of the
//! model says so.
//!
//! What is not found is not said to be absent, except that no sum of the candidates is missing but for branches of roots.

mod ansatz;
mod basis;
mod energy;
mod parameters;
mod slope;

use expr::{Expr, Formula, Op, Substitution};
use proof::linear::{Matrix, rank};
use rustc_hash::FxHashMap;
use serde::Serialize;
use syntax::Diagnostic;

use crate::audit::{Auditor, ClaimVerdict, Outcome, Shown, Vanishing, with_auditor};
use basis::Candidate;
pub use basis::Kind;
use engine::{Error, Field, Loaded, Progress, load};

/// What was found.
#[derive(Clone, Debug, Serialize)]
pub struct Integrals {
    /// The model.
    pub model: String,
    /// The title of the model.
    #[serde(skip)]
    pub title: String,
    /// What is constant; or, where candidates were given, what became of each.
    pub integrals: Vec<Integral>,
    /// Why the energy is not among them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub no_energy: Vec<String>,
    /// Of products of which functions sums were looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<String>,
    /// What was looked for and not found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_found: Vec<String>,
    /// What was relied on.
    pub assumptions: Vec<String>,
    /// Constraints that need not act always, and what they do at the start: as long as that lasts, the rest holds.
    #[serde(rename = "while", skip_serializing_if = "Vec::is_empty")]
    pub as_long_as: Vec<String>,
    /// Whether all are proved; a candidate may be refuted.
    #[serde(skip)]
    pub outcome: Outcome,
}

/// Something that is constant, or was said to be.
#[derive(Clone, Debug, Serialize)]
pub struct Integral {
    /// It, as a person would write it.
    pub text: String,
    /// The same in LaTeX.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latex: Option<String>,
    /// The same in every shape.
    #[serde(skip)]
    pub formula: Option<Formula>,
    /// What it is.
    pub kind: Kind,
    /// Was it proved constant?
    pub proved: bool,
    /// Of a candidate: whether it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Constancy>,
    /// What limits that, or stopped it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// A state at which its rate is not zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Shown>,
}

expr::in_words! {
    /// What became of a candidate.
    pub enum Constancy {
        /// Every motion keeps it.
        Constant = "constant",
        /// Some motion changes it.
        Changes = "not constant",
        /// Nothing was decided.
        Undecided = "undecided",
    }
}

/// What is asked about constants of the motion.
#[derive(Clone, Debug, Default)]
pub struct Integrate {
    /// Expressions to be tested; otherwise constants are looked for.
    pub candidates: Vec<String>,
}

/// Looks for what is constant; or tests candidates, if some are given.
pub fn integrals(loaded: &Loaded, wanted: &Integrate, progress: &mut dyn Progress) -> Result<Integrals, Error> {
    if !wanted.candidates.is_empty() {
        return tested(loaded, &wanted.candidates, progress);
    }
    usable(loaded)?;
    let _in = loaded.enter();
    let found = with_auditor(loaded, |auditor| {
        Finder {
            auditor,
            found: Vec::new(),
            slopes: geometric_slopes(auditor),
            energies: Vec::new(),
            has_points: true,
            constant: Vec::new(),
        }
        .all()
    })?;
    Ok(Integrals { as_long_as: as_long_as(loaded)?, ..found })
}

/// An error if something in the model stands in the way.
fn usable(loaded: &Loaded) -> Result<(), Error> {
    engine::sound::coordinates(loaded)?;
    if let Some(one) = loaded.system.frictions.first() {
        let message = format!("`integrals` cannot use the friction on `{}` yet", one.on);
        let refusal = Diagnostic::error(one.span, message).hint("leave the line out, or write the friction as a force");
        return Err(Error::of_model(&loaded.model.sources, &[refusal]));
    }
    Ok(())
}

/// What constraints that need not act always do at the start.
fn as_long_as(loaded: &Loaded) -> Result<Vec<String>, Error> {
    let rows = engine::forms::rows(loaded, &loaded.mode, &loaded.at)?;
    let changing = loaded.system.constraints.iter().enumerate().filter(|(_, constraint)| !constraint.acts_always());
    let say = |(place, constraint): (usize, &mechanics::Constraint)| {
        let acts = rows.list.iter().any(|row| row.constraint == place);
        format!("`{}` {}", constraint.name, if acts { "acts" } else { "does not act" })
    };
    Ok(changing.map(say).collect())
}

/// Candidates are audited as claims.
fn tested(model: &Loaded, candidates: &[String], progress: &mut dyn Progress) -> Result<Integrals, Error> {
    if let Some(long) = candidates.iter().find(|candidate| candidate.contains(['\n', '#'])) {
        let first = long.lines().next().unwrap_or_default();
        let error = Error::new(format!("`{first} …` is not one expression")).of(Field::Candidates);
        return Err(error.hint(format!("give {} once for each", Field::Candidates)));
    }
    let name = |place: usize| format!("test_{}", place + 1);
    let line = |(place, candidate): (usize, &String)| format!("claim {}: constant {candidate}\n", name(place));
    let mut settings = model.settings.clone();
    settings.with.push((Field::Candidates.to_string(), candidates.iter().enumerate().map(line).collect()));
    let loaded = load(&settings)?;
    usable(&loaded)?;
    let _in = loaded.enter();
    let audit = crate::audit(&loaded, &crate::Claims::default(), progress)?;
    let claims = (0..candidates.len()).filter_map(|place| audit.claims.iter().find(|claim| claim.name == name(place)));
    let mut integrals = Vec::new();
    let mut outcome = Outcome::Proved;
    for (claim, text) in claims.zip(candidates) {
        let (verdict, became) = match claim.verdict {
            ClaimVerdict::Wrong => (Constancy::Changes, Outcome::Refuted),
            ClaimVerdict::Unknown => (Constancy::Undecided, Outcome::Undecided),
            _ => (Constancy::Constant, Outcome::Proved),
        };
        outcome = outcome.max(became);
        let reason = claim.reason.clone().or_else(|| claim.explanation.clone());
        let reason = reason.filter(|reason| !reason.is_empty());
        integrals.push(Integral {
            text: text.trim().to_owned(),
            latex: None,
            formula: None,
            kind: Kind::Claimed,
            proved: became == Outcome::Proved,
            verdict: Some(verdict),
            reason,
            witness: claim.witness.clone(),
        });
    }
    Ok(Integrals {
        model: loaded.file.clone(),
        title: loaded.system.title.clone(),
        integrals,
        no_energy: Vec::new(),
        functions: Vec::new(),
        not_found: Vec::new(),
        assumptions: audit.assumptions,
        as_long_as: as_long_as(&loaded)?,
        outcome,
    })
}

/// Who looks for integrals.
struct Finder<'a> {
    auditor: &'a Auditor<'a>,
    found: Vec<Integral>,
    /// How geometric constraints, and integrals that are no energies, change with the state: a new one must not be a
    /// function of them.
    slopes: Vec<Vec<Expr>>,
    /// How the energies that were found change with it: a quadratic integral must be no function of these either.
    energies: Vec<Vec<Expr>>,
    /// Did the candidates have values at enough points?
    has_points: bool,
    /// Kinds of candidates that are constant by themselves: told, if as a function of others.
    constant: Vec<Kind>,
}

/// What a state is made of.
fn state(auditor: &Auditor<'_>) -> Vec<Expr> {
    let (given, chart) = (auditor.given, auditor.chart);
    given.q.iter().chain(&chart.u).copied().chain([given.system.time]).collect()
}

fn geometric_slopes(auditor: &Auditor<'_>) -> Vec<Vec<Expr>> {
    let geometric = auditor.rows.list.iter().filter(|row| row.order == 0);
    geometric.filter_map(|row| expr::gradient(row.f, &state(auditor)).ok()).collect()
}

impl Finder<'_> {
    fn all(mut self) -> Integrals {
        let basis::Candidates { list, plain, atoms } = basis::candidates(self.auditor);
        let known = |list: &[Candidate]| -> Vec<Known> {
            let rates = list.iter().map(|candidate| self.auditor.rates(&[candidate.value]).map(|rate| rate[0]));
            let known = list.iter().zip(rates);
            known.filter_map(|(one, rate)| Some(Known { value: one.value, kind: one.kind, rate: rate? })).collect()
        };
        let lists = [known(&list[..plain]), known(&list[plain..])];
        self.constant = lists.iter().flatten().filter(|one| one.rate.is_zero()).map(|one| one.kind).collect();
        // what holds whatever the parameters are, then what holds with the numbers of the model
        let values = self.auditor.loaded.system.parameter_values();
        for values in [&Substitution::new(), &values] {
            lists.iter().for_each(|known| self.sums(known, values));
        }
        let has_energy = self.found.iter().any(|integral| integral.kind == Kind::Energy);
        // constant all the same if constraints fix its value, and then no integral of its own
        let energy = if has_energy { Vanishing::Always } else { energy::judged(self.auditor) };
        let order = [Kind::Energy, Kind::Jacobi, Kind::AngularMomentum, Kind::Momentum];
        self.found.sort_by_key(|found| order.iter().position(|kind| *kind == found.kind).unwrap_or(order.len()));
        let loaded = self.auditor.loaded;
        Integrals {
            model: loaded.file.clone(),
            title: loaded.system.title.clone(),
            no_energy: match energy {
                Vanishing::Not => energy::why_not(self.auditor),
                _ => Vec::new(),
            },
            functions: atoms.iter().map(Expr::to_string).collect(),
            not_found: {
                let undecided = match energy {
                    Vanishing::Undecided(why) => {
                        Some(format!("the energy: whether it is constant was not decided, {why}"))
                    }
                    _ => None,
                };
                undecided.into_iter().chain(self.not_found()).collect()
            },
            assumptions: self.auditor.assumptions.texts(),
            as_long_as: Vec::new(),
            outcome: match self.found.iter().all(|integral| integral.proved) {
                true => Outcome::Proved,
                false => Outcome::Undecided,
            },
            integrals: self.found,
        }
    }

    /// What was looked for and not found, and what was not looked for.
    fn not_found(&self) -> Vec<String> {
        let found = self.found.iter().map(|integral| integral.kind);
        let known: Vec<Kind> = found.chain(self.constant.iter().copied()).collect();
        let has = |kinds: &[Kind]| known.iter().any(|kind| kinds.contains(kind));
        let mut list = Vec::new();
        if !self.has_points {
            list.push(
                "some sums were not looked for: their rates have values at too few points of the field".to_owned(),
            );
        }
        let mut say = |missing: bool, what: &str| list.extend(missing.then(|| what.to_owned()));
        // beside `kinetic` lines there is no momentum of all masses
        match mechanics::balance::momentum(&self.auditor.loaded.system) {
            Ok(_) => {
                say(!has(&[Kind::Momentum]), "a momentum: of a coordinate, or a component of that of all masses");
                let about =
                    "a component of angular momentum: about the origin, where contacts touch, mass centres, points";
                say(!has(&[Kind::AngularMomentum]), about);
            }
            Err(why) => {
                say(!has(&[Kind::Momentum]), "a momentum of a coordinate");
                say(true, &format!("momentum and angular momentum of all masses: not looked for, {why}"));
            }
        }
        say(!has(&[Kind::Linear, Kind::Momentum, Kind::AngularMomentum]), "a sum linear in the velocities");
        match basis::looks_for_quadratic(self.auditor) {
            true => say(!has(&[Kind::Quadratic]), "a quadratic sum with constant coefficients that is no energy"),
            false => say(true, "quadratic sums that are no energies: not looked for, there are too many products"),
        }
        list
    }

    /// The sums of candidates that have no rate, with something put in for parameters.
    fn sums(&mut self, known: &[Known], values: &Substitution) {
        let rates: Vec<Expr> = known.iter().map(|one| one.rate).collect();
        let Ok(rates) = values.apply(&rates) else { return };
        let Some(sums) = ansatz::constant_sums(&rates) else {
            self.has_points = false;
            return;
        };
        for weights in sums {
            let parts = weights.iter().zip(known).filter(|(weight, _)| !weight.is_zero());
            let parts: Vec<(Expr, &Known)> = parts.map(|(weight, one)| (Expr::number(weight.clone()), one)).collect();
            if !self.is_new(&parts, values) {
                continue;
            }
            let own: Vec<Expr> = parts.iter().map(|(_, one)| one.rate).collect();
            let general = if values.is_empty() { None } else { parameters::weights(self.auditor, &own) };
            let general = general.map(|weights| weights.into_iter().zip(parts.iter().map(|part| part.1)).collect());
            if !general.is_some_and(|parts: Vec<(Expr, &Known)>| self.add(&parts, &Substitution::new())) {
                self.add(&parts, values);
            }
        }
    }

    /// Whether a sum is a function of nothing that was found.
    fn is_new(&self, parts: &[(Expr, &Known)], values: &Substitution) -> bool {
        let put = self.auditor.solution.put(&[total(parts)]);
        put.is_some_and(|put| self.with_slope_of(put[0], kind(parts), values).is_some())
    }

    /// Proves a sum constant, and takes it if it is; whether it was taken.
    fn add(&mut self, parts: &[(Expr, &Known)], values: &Substitution) -> bool {
        let (value, kind) = (total(parts), kind(parts));
        let Some(on_shell) = self.auditor.solution.put(&[value]).map(|put| put[0]) else { return false };
        let Some(slopes) = self.with_slope_of(on_shell, kind, values) else { return false };
        let none = Substitution::new();
        let (proved, reason, values) = match self.auditor.is_constant(value) {
            Vanishing::Always => (true, None, &none),
            Vanishing::WithValues(names) => {
                (true, Some(format!("with the values of the model, not with all: {}", names.join(", "))), values)
            }
            Vanishing::Not => return false,
            Vanishing::Undecided(why) => (false, Some(why), values),
        };
        let Ok(both) = values.apply(&[value, on_shell]) else { return false };
        let written = self.written(both[0], both[1], kind);
        let written = without_outer_minus(written);
        let formula = Formula::of(written);
        self.slopes = slopes;
        // a sum of squares that holds no rate is one of positions
        let is_rate = |symbol: &Expr| {
            symbol.as_symbol().is_some_and(|one| one.order > 0) || self.auditor.chart.u.contains(symbol)
        };
        let still = kind == Kind::Quadratic && !both.iter().flat_map(|e| e.symbols()).any(|symbol| is_rate(&symbol));
        let kind = if still { Kind::Position } else { kind };
        if matches!(kind, Kind::Energy | Kind::Jacobi) {
            self.energies.extend(expr::gradient(on_shell, &state(self.auditor)).ok());
        }
        self.found.push(Integral {
            text: formula.text.clone(),
            latex: Some(formula.latex.clone()),
            formula: Some(formula),
            kind,
            proved,
            verdict: None,
            reason,
            witness: None,
        });
        true
    }

    /// The slopes with that of a new integral; `None` if it is a constant of the problem or a function of what was found,
    /// with something put in for parameters. Of energies one is enough, and it is no function of the others.
    fn with_slope_of(&self, on_shell: Expr, kind: Kind, values: &Substitution) -> Option<Vec<Vec<Expr>>> {
        let slope = expr::gradient(on_shell, &state(self.auditor)).ok()?;
        // inputs are what the model says: what holds nothing but them is none
        let inputs = self.auditor.inputs();
        let put = |slope: &Vec<Expr>| inputs.apply(&values.apply(slope).ok()?).ok();
        if put(&slope)?.iter().all(|part| part.is_zero()) {
            return None;
        }
        if matches!(kind, Kind::Energy | Kind::Jacobi) {
            let is_energy = |integral: &Integral| matches!(integral.kind, Kind::Energy | Kind::Jacobi);
            return (!self.found.iter().any(is_energy)).then(|| self.slopes.clone());
        }
        let mut slopes = self.slopes.clone();
        slopes.push(slope);
        let energies = if kind == Kind::Quadratic { &self.energies[..] } else { &[] };
        let rows = energies.iter().chain(&slopes).map(put).collect::<Option<Vec<_>>>()?;
        let is_new = rank(&Matrix::from_rows(&rows)).rank == rows.len() && slope::is_new(&rows);
        is_new.then_some(slopes)
    }

    /// As it came or on the constraints, whichever is shorter to read.
    fn written(&self, value: Expr, on_shell: Expr, kind: Kind) -> Expr {
        let reader = engine::readable::Reader::new();
        let mut rates = self.auditor.loaded.system.q_dot();
        rates.extend(self.auditor.chart.u.iter().filter(|u| !self.auditor.given.q_dot.contains(u)));
        let read = |e: Expr| match kind {
            Kind::Energy | Kind::Jacobi => reader.by_degree(e, &rates),
            _ => reader.readable(e, &[]),
        };
        let raw = read(value);
        // far longer before it is simplified is not shorter afterwards, and takes long to write
        let [before, after] = [value, on_shell].map(|e| length_of(e, &mut FxHashMap::default()));
        if after > 4.0 * before + 100.0 {
            return raw;
        }
        let short = read(on_shell);
        let length = |e: Expr| e.letters();
        if length(short) < length(raw) { short } else { raw }
    }
}

/// A sum with a minus before its bracket, term by term: -((a - b)*s + c) is (b - a)*s - c.
fn without_outer_minus(e: Expr) -> Expr {
    let [number, sum] = e.arguments()[..] else { return e };
    if e.op() != Op::Scale || number != -Expr::one() || sum.op() != Op::Sum {
        return e;
    }
    let made = Expr::sum(&sum.arguments().into_iter().map(turned).collect::<Vec<Expr>>());
    let is_shorter = made.letters() <= e.letters() && !made.to_string().starts_with('-');
    if is_shorter && made.is_same(e) { made } else { e }
}

/// The opposite of a term, by the first bracket in it that holds a minus.
fn turned(term: Expr) -> Expr {
    let mut factors = if term.op() == Op::Product { term.arguments() } else { vec![term] };
    let is_minus = |part: &Expr| part.to_string().starts_with('-');
    let place = factors.iter().position(|factor| factor.op() == Op::Sum && factor.arguments().iter().any(is_minus));
    match place {
        Some(place) => {
            let parts: Vec<Expr> = factors[place].arguments().into_iter().map(|part| -part).collect();
            factors[place] = Expr::sum(&parts);
            Expr::product(&factors)
        }
        None => -term,
    }
}

/// How many nodes an expression has when it is written out, where parts that are shared stand as often as they are used.
fn length_of(e: Expr, known: &mut FxHashMap<Expr, f64>) -> f64 {
    if let Some(length) = known.get(&e) {
        return *length;
    }
    let length = 1.0 + e.arguments().into_iter().map(|part| length_of(part, known)).sum::<f64>();
    known.insert(e, length);
    length
}

/// A candidate with its rate on every motion.
struct Known {
    value: Expr,
    kind: Kind,
    rate: Expr,
}

/// The sum of candidates with their weights.
fn total(parts: &[(Expr, &Known)]) -> Expr {
    Expr::sum(&parts.iter().map(|(weight, one)| *weight * one.value).collect::<Vec<_>>())
}

/// What such a sum is, by its last part. With positions alone beside it an energy is one: they are the potential of forces.
fn kind(parts: &[(Expr, &Known)]) -> Kind {
    match parts {
        [others @ .., (_, last)] if others.iter().all(|part| part.1.kind == Kind::Position) => match last.kind {
            kind @ (Kind::Energy | Kind::Jacobi | Kind::Position) => kind,
            kind if others.is_empty() => kind,
            kind => kind.of_a_sum(),
        },
        [.., (_, last)] => last.kind.of_a_sum(),
        [] => Kind::Linear,
    }
}

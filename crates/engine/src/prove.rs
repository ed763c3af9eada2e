//! Do all forms agree? One proof for all of them, or the first pair that does not.
//!
//! ```text
//! identical    in one chart: left and right sides are the same functions of q, u, w, t            (1)
//! equivalent   the accelerations of the leading form satisfy it, and it determines them          (2)
//! Σ r_i d_i ≡ 0 with a symbol r_i of its own for each difference d_i  ⇔  every d_i ≡ 0           (3)
//! ```
//!
//! The leading form is solved once for its accelerations; every other form is asked whether they satisfy
//! it. By (3) all differences are one question with one error bound; what signatures deny, or what the one
//! question cannot settle, is asked by itself. What differs in general is asked again where the geometric rows hold.
//!
//! The multiplier of a quaternion's norm is no force: it says how T was continued to other norms. Each form has its
//! own, from its own equations; all other multipliers must be those of the leading form.

use expr::{At, Comparison, Expr, Kind, Symbol};
use mechanics::Origin;
use mechanics::chart::{Chart, ChartKind};
use mechanics::form::{Form, FormError, Setting};
use mechanics::formalism::{FORMALISMS, Family, Formalism};
use mechanics::ingredients::Ingredients;
use mechanics::rows::{Row, Rows};
use proof::linear::{Columns, Equations, Matrix, determined, solve, solve_for};
use proof::{Assumptions, Certificate, Grounds, Rejection};
use serde::{Deserialize, Serialize};
use syntax::Diagnostic;

use crate::derive::{known, rows};
use crate::{Error, Field, Loaded, Ordered, Progress};

/// What is asked of a proof.
#[derive(Clone, Debug, Default)]
pub struct Prove {
    /// The forms to compare; all that apply if there are none.
    pub forms: Vec<String>,
    /// Whether a certificate is wanted, for [`verify`].
    pub certificate: bool,
}

/// Whether the forms agree.
#[derive(Clone, Debug, Serialize)]
pub struct Proved {
    /// The model.
    pub model: String,
    /// The title of the model.
    #[serde(skip)]
    pub title: String,
    /// The worst verdict of a pair: `identical`, `equivalent`, `different`, `unknown`.
    pub verdict: Agreement,
    /// Every form, and why it was not compared.
    pub forms: Vec<Compared>,
    /// Every pair.
    pub pairs: Vec<Pair>,
    /// How many families agree.
    pub families: usize,
    /// A bound for the probability that an agreement is wrong.
    pub error_bound: Option<f64>,
    /// The same as text, `2^-94`.
    #[serde(skip)]
    pub error_text: String,
    /// What was relied on.
    pub assumptions: Vec<String>,
    /// Remarks for the reader.
    pub notes: Vec<String>,
    /// The certificate if it was wanted, or why there is none.
    #[serde(skip)]
    pub certificate: Option<Result<AgreementFile, String>>,
}

/// How two forms stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Agreement {
    /// The same functions in one chart.
    Identical,
    /// The same accelerations at every state that the constraints admit.
    Equivalent,
    /// Neither was proved.
    Unknown,
    /// Other accelerations at the witness state.
    Different,
}

impl Agreement {
    /// As a word.
    pub fn word(self) -> &'static str {
        match self {
            Agreement::Identical => "identical",
            Agreement::Equivalent => "equivalent",
            Agreement::Unknown => "unknown",
            Agreement::Different => "different",
        }
    }
}

/// A form in a proof.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// Its name; ` (rates)` after it for the chart of rates beside one of speeds.
    pub form: String,
    /// Its family.
    pub family: String,
    /// What the family starts from.
    pub from: &'static str,
    /// Whether it was compared.
    pub applicable: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How it stands to the leading form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Agreement>,
    /// What stopped a proof, or where it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// A state at which it differs, in exact numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Ordered<String>>,
    /// The accelerations there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accelerations: Option<Accelerations>,
}

/// The accelerations of two forms at one state.
#[derive(Clone, Debug, Serialize)]
pub struct Accelerations {
    /// By the form that differs.
    pub own: Ordered<f64>,
    /// The form that leads.
    pub leading_form: String,
    /// By that form.
    pub leading: Ordered<f64>,
}

/// Two forms.
#[derive(Clone, Debug, Serialize)]
pub struct Pair {
    /// One.
    pub a: String,
    /// The other.
    pub b: String,
    /// How they stand to each other.
    pub verdict: Agreement,
    /// A bound for the probability that an agreement is wrong.
    pub error_bound: Option<f64>,
}

/// A form that was derived, and where it is written.
struct Entry {
    name: String,
    formalism: &'static Formalism,
    form: Form,
    chart: Option<ChartKind>,
    /// The first entry in the same chart with equations of the same shape.
    first: usize,
    /// q'' in terms of what the form is solved for.
    q_ddot: Vec<Expr>,
}

/// What must vanish if an entry agrees: identical with the first of its kind, or equivalent to the leading form.
struct Claim {
    entry: usize,
    agreement: Agreement,
    differences: Vec<Expr>,
}

/// What came of a claim.
#[derive(Clone)]
struct Answer {
    agreement: Agreement,
    why: Option<String>,
    witness: Option<Ordered<String>>,
    /// The same state in floats.
    state: Vec<(Expr, f64)>,
}

/// All that is asked about a model: forms, claims, and what may be relied on.
struct Questions {
    forms: Vec<Compared>,
    entries: Vec<Entry>,
    claims: Vec<Claim>,
    assumptions: Assumptions,
    /// The same and the geometric rows, if there are any.
    on_rows: Option<Assumptions>,
    /// Remarks for the reader.
    notes: Vec<String>,
    /// The rates in the velocities of the leading chart.
    rates: Vec<(Expr, Expr)>,
}

/// Proves that all applicable forms agree, or finds a pair that does not.
pub fn prove(loaded: &Loaded, wanted: &Prove, progress: &mut dyn Progress) -> Result<Proved, Error> {
    progress.begins("deriving");
    prove_after(loaded, wanted, || progress.begins("comparing"))
}

/// Proves that all forms agree; `derived` is called when all of them are there, before they are compared.
pub fn prove_after(loaded: &Loaded, wanted: &Prove, derived: impl FnOnce()) -> Result<Proved, Error> {
    let _in = loaded.enter();
    let questions = questions(loaded, wanted, derived)?;
    let certificate = wanted.certificate.then(|| certificate(loaded, &questions));
    Ok(Proved { certificate, ..answered(loaded, questions) })
}

/// A proof of agreement that can be replayed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgreementFile {
    /// The format of the file.
    pub anholon: String,
    /// The model that was proved.
    pub model: String,
    /// The forms that agree.
    pub forms: Vec<String>,
    /// The question and what its answer rests on.
    pub certificate: Certificate,
}

const FORMAT: &str = "agreement 2";

/// A certificate that all applicable forms agree, or why there is none.
fn certificate(loaded: &Loaded, questions: &Questions) -> Result<AgreementFile, String> {
    let question = joined(questions.claims.iter().flat_map(|claim| claim.differences.iter().copied()));
    let forms = questions.entries.iter().map(|entry| entry.name.clone()).collect();
    let mut trouble = String::new();
    for assumptions in questions.grounds() {
        trouble = match proof::certify(question, assumptions) {
            Ok(Certificate { grounds: Grounds::Witness { .. }, .. }) => "the forms do not agree".to_owned(),
            Ok(certificate) => {
                let (anholon, model) = (FORMAT.to_owned(), loaded.file.clone());
                return Ok(AgreementFile { anholon, model, forms, certificate });
            }
            Err(uncertified) => uncertified.to_string(),
        };
    }
    Err(trouble)
}

/// What came of replaying a certificate.
#[derive(Clone, Debug, Serialize)]
pub struct Verified {
    /// The model.
    pub model: String,
    /// Whether the certificate shows that the forms of this model agree.
    pub accepted: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The forms that agree.
    pub forms: Vec<String>,
    /// A bound for the probability of error, confirmed by the replay.
    pub error_bound: Option<f64>,
    /// The same as text.
    #[serde(skip)]
    pub error_text: String,
}

/// A certificate that is replayed.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// The text of its file.
    pub certificate: String,
}

/// Replays a certificate for a model. The forms are derived anew and the question is put together from them; that
/// it is answered is then checked without the prover.
pub fn verify(loaded: &Loaded, wanted: &Replay, _: &mut dyn Progress) -> Result<Verified, Error> {
    let text = &wanted.certificate;
    let _in = loaded.enter();
    let file: AgreementFile = serde_json::from_str(text).map_err(|error| {
        Error::new(format!("this is no certificate of `anholon prove`: {error}")).of(Field::Certificate)
    })?;
    if file.anholon != FORMAT {
        return Err(
            Error::new(format!("a certificate of the format `{}` cannot be read", file.anholon)).of(Field::Certificate)
        );
    }
    let rejected = |reason: String| Verified {
        model: loaded.file.clone(),
        accepted: false,
        reason: Some(reason),
        forms: Vec::new(),
        error_bound: None,
        error_text: String::new(),
    };
    let wanted = Prove { forms: file.forms.clone(), certificate: false };
    let questions = questions(loaded, &wanted, || ())?;
    let forms: Vec<String> = questions.entries.iter().map(|entry| entry.name.clone()).collect();
    if forms != file.forms {
        return Ok(rejected("the forms of the certificate are not those of this model".to_owned()));
    }
    let question = joined(questions.claims.iter().flat_map(|claim| claim.differences.iter().copied()));
    let replay = |assumptions| proof::check_for(&file.certificate, question, assumptions);
    let replayed = questions.grounds().map(replay).find(|replayed| *replayed != Err(Rejection::AnotherQuestion));
    Ok(match replayed.unwrap_or(Err(Rejection::AnotherQuestion)) {
        Ok(checked) if checked.zero => Verified {
            accepted: true,
            reason: None,
            forms,
            error_bound: Some(checked.error_bits.map_or(0.0, |bits| (-f64::from(bits)).exp2())),
            error_text: checked.error_bits.map_or("0".to_owned(), |bits| format!("2^-{bits}")),
            ..rejected(String::new())
        },
        Ok(_) => rejected("the certificate shows that the forms differ".to_owned()),
        Err(rejection) => rejected(rejection.to_string()),
    })
}

// ---------------------------------------------------------------------------------------------
// Questions

/// Derives the forms and says what must vanish if they agree.
fn questions(loaded: &Loaded, wanted: &Prove, derived: impl FnOnce()) -> Result<Questions, Error> {
    let system = &loaded.system;
    crate::sound::masses(loaded)?;
    let (mode, at) = (&loaded.mode, &loaded.at);
    let rows = rows(loaded, mode, at)?;
    let both = !system.speeds.is_empty();
    let rates = Ingredients::of(system, mode, &rows, ChartKind::Rates, at);
    let speeds = both.then(|| Ingredients::of(system, mode, &rows, ChartKind::Speeds, at));
    let main = speeds.as_ref().filter(|given| given.chart().is_ok()).unwrap_or(&rates);
    let mut questions = Questions {
        forms: Vec::new(),
        entries: Vec::new(),
        claims: Vec::new(),
        assumptions: assumptions(main),
        on_rows: on_geometric_rows(assumptions(main), &rows),
        notes: crate::derive::notes(loaded, main),
        rates: main
            .chart()
            .map(|chart| main.q_dot.iter().copied().zip(chart.rates.clone()).collect())
            .unwrap_or_default(),
    };
    let chosen = |name: &str| wanted.forms.is_empty() || wanted.forms.iter().any(|form| form == name);
    for name in &wanted.forms {
        known(name.strip_suffix(BESIDE).unwrap_or(name))?;
    }
    let charts: Vec<(&Ingredients<'_>, &str)> = match &speeds {
        Some(speeds) if std::ptr::eq(main, speeds) => vec![(main, ""), (&rates, BESIDE)],
        _ => vec![(main, "")],
    };
    if let (Some(Err(error)), 1) = (speeds.as_ref().map(Ingredients::chart), charts.len()) {
        questions.notes.push(format!("the declared speeds are not used: {error}"));
    }
    for (place, (given, suffix)) in charts.iter().enumerate() {
        for formalism in FORMALISMS.iter().filter(|formalism| !formalism.stranger && (formalism.charted || place == 0))
        {
            let name = format!("{}{suffix}", formalism.name);
            if chosen(&name) {
                questions.add(loaded, given, formalism, name)?;
            }
        }
    }
    derived();
    questions.compare(main, &rows);
    Ok(questions)
}

/// The mark of forms in rates beside those in speeds.
const BESIDE: &str = " (rates)";

/// What the model assumes, as relations in the velocities of the chart.
pub(crate) fn assumptions(given: &Ingredients<'_>) -> Assumptions {
    assumptions_with(given, &[])
}

/// What the model assumes, with something put in for parameters.
pub(crate) fn assumptions_with(given: &Ingredients<'_>, map: &[(Expr, Expr)]) -> Assumptions {
    let mut shell = given.chart().map(|chart| chart.shell(given.system)).unwrap_or_default();
    for (_, value) in &mut shell {
        *value = expr::substitute(&[*value], map).map_or(*value, |put| put[0]);
    }
    shell.extend(map);
    let relations = given.mode.assumptions(given.system).filter_map(mechanics::Relation::scalars);
    let relations = relations.filter(|relation| relation.1 != Comparison::Equal);
    relations.fold(Assumptions::none(), |all, (left, is, right)| match expr::substitute(&[left, right], &shell) {
        Ok(sides) => all.and(sides[0], is, sides[1]),
        Err(_) => all,
    })
}

/// The assumptions and the geometric rows, if there are any.
fn on_geometric_rows(assumptions: Assumptions, rows: &Rows) -> Option<Assumptions> {
    let geometric: Vec<Expr> = rows.list.iter().filter(|row| row.order == 0).map(|row| row.f).collect();
    let all = |assumptions| {
        geometric.iter().fold(assumptions, |all: Assumptions, &f| all.and(f, Comparison::Equal, Expr::zero()))
    };
    (!geometric.is_empty()).then(|| all(assumptions))
}

impl Questions {
    /// What may be relied on: first the assumptions alone, then with the geometric rows.
    fn grounds(&self) -> impl Iterator<Item = &Assumptions> {
        [Some(&self.assumptions), self.on_rows.as_ref()].into_iter().flatten()
    }

    fn add(
        &mut self,
        loaded: &Loaded,
        given: &Ingredients<'_>,
        formalism: &'static Formalism,
        name: String,
    ) -> Result<(), Error> {
        let derived = formalism.form(given);
        let reason = match &derived {
            Ok(_) => None,
            Err(FormError::PlaneInertia { span, .. }) => {
                let error = derived.as_ref().err().map(ToString::to_string).unwrap_or_default();
                return Err(Error::of_model(&loaded.model.sources, &[Diagnostic::error(*span, error)]));
            }
            Err(error) => Some(error.to_string()),
        };
        self.forms.push(Compared {
            form: name.clone(),
            family: format!("{:?}", formalism.family),
            from: formalism.family.describe(),
            applicable: derived.is_ok(),
            reason,
            verdict: None,
            why: None,
            witness: None,
            accelerations: None,
        });
        if let Ok(form) = derived {
            let in_chart = form.written_in == Setting::Chart;
            let rates = name.ends_with(BESIDE);
            let kind = || given.chart().map_or(ChartKind::Rates, |chart| chart.kind);
            let chart = in_chart.then(|| if rates { ChartKind::Rates } else { kind() });
            let shape = |form: &Form| (form.equations.len(), form.multipliers.len(), form.conditions.len());
            let same = |other: &Entry| other.chart == chart && shape(&other.form) == shape(&form);
            let first = self.entries.iter().position(same).unwrap_or(self.entries.len());
            let q_ddot = match given.chart() {
                Ok(chart) if in_chart => chart.accelerations.clone(),
                _ => given.q_ddot.clone(),
            };
            self.entries.push(Entry { name, formalism, form, chart, first, q_ddot });
        }
        Ok(())
    }

    /// The entry that the others are compared with: the first in the chart.
    fn leader(&self) -> Option<usize> {
        self.entries.iter().position(|entry| entry.chart.is_some()).or(self.entries.first().map(|_| 0))
    }

    /// What an entry that differs and the leading one say at the witness.
    fn accelerations(&self, loaded: &Loaded, place: usize, answer: &Answer) -> Option<Accelerations> {
        let leader = &self.entries[self.leader()?];
        let (symbols, rates): (Vec<Expr>, Vec<Expr>) = self.rates.iter().copied().unzip();
        let mut values = answer.state.clone();
        (!values.is_empty()).then_some(())?;
        let numbers = crate::audit::at(&rates, &values);
        values.extend(symbols.into_iter().zip(numbers));
        let names = || loaded.system.q_ddot().into_iter().map(|q| q.to_string());
        let of = |entry: &Entry| Some(names().zip(entry.accelerations_at(&values)?).collect::<Ordered<f64>>());
        let own = of(&self.entries[place])?;
        Some(Accelerations { own, leading_form: leader.name.clone(), leading: of(leader)? })
    }

    /// Puts the claims together.
    fn compare(&mut self, given: &Ingredients<'_>, rows: &Rows) {
        let Some(leader) = self.leader() else { return };
        let solution = Solution::of(&self.entries[leader].form, given, rows);
        let mut open = Vec::new();
        for (place, entry) in self.entries.iter().enumerate().filter(|(place, _)| *place != leader) {
            let sides = sides(&entry.form, &self.entries[entry.first].form);
            let is_same = place != entry.first && sides.iter().all(|difference| difference.is_zero());
            let (agreement, differences) = match is_same {
                true => (Agreement::Identical, sides),
                false => (Agreement::Equivalent, Vec::new()),
            };
            open.extend((!is_same).then_some(self.claims.len()));
            self.claims.push(Claim { entry: place, agreement, differences });
        }
        let Some(solution) = solution else { return };
        let form = |claim: usize| &self.entries[self.claims[claim].entry].form;
        let systems: Vec<Equations> =
            open.iter().map(|&claim| (form(claim).residuals(), form(claim).all_unknowns())).collect();
        let mut determined = determined(&systems).into_iter();
        open.retain(|_| determined.next().unwrap_or(false));
        let residuals: Vec<Vec<Expr>> = open.iter().map(|&claim| form(claim).residuals()).collect();
        let norms = norms(given, rows);
        let solution = solution.without(&norms);
        // All at once, since the forms have most of their parts in common.
        let all = solution.put(&residuals.concat());
        let mut all = all.map(|list| list.into_iter());
        for (claim, residuals) in open.into_iter().zip(residuals) {
            let own = match &mut all {
                Some(all) => Some(all.by_ref().take(residuals.len()).collect()),
                None => solution.put(&residuals),
            };
            self.claims[claim].differences = own.and_then(|own| with_own(own, &norms, given.at)).unwrap_or_default();
        }
    }
}

impl Entry {
    /// q'' at a state, if the form determines them there.
    fn accelerations_at(&self, values: &[(Expr, f64)]) -> Option<Vec<f64>> {
        let unknowns = self.form.all_unknowns();
        let (matrix, constants) = expr::linear_coefficients(&self.form.residuals(), &unknowns).ok()?;
        let number = |list: &[Expr]| crate::audit::at(list, values);
        let right: Vec<f64> = number(&constants).into_iter().map(|constant| -constant).collect();
        let found = linear::solve::evaluated(matrix.iter().map(|row| number(row)).collect::<Vec<_>>(), &right).ok()?;
        let mut values = values.to_vec();
        values.extend(unknowns.into_iter().zip(found));
        Some(crate::audit::at(&self.q_ddot, &values))
    }
}

/// The differences of the sides of two forms of one shape.
fn sides(a: &Form, b: &Form) -> Vec<Expr> {
    let equations = a.equations.iter().zip(&b.equations);
    let of_equations = equations.flat_map(|(a, b)| [a.left - b.left, a.right - b.right]);
    of_equations.chain(a.conditions.iter().zip(&b.conditions).map(|(a, b)| a.row - b.row)).collect()
}

/// The accelerations and multipliers of the leading form, as functions of the state.
pub(crate) struct Solution {
    /// What to put in, all at once.
    values: Vec<(Expr, Expr)>,
}

impl Solution {
    fn of(form: &Form, given: &Ingredients<'_>, rows: &Rows) -> Option<Solution> {
        if given.chart().is_err() {
            return Some(Solution { values: solved(&form.residuals(), &form.all_unknowns(), given.at)? });
        }
        Solution::in_chart(&form.residuals(), given, rows)
    }

    /// The same from residuals in the accelerations of the chart.
    pub fn in_chart(residuals: &[Expr], given: &Ingredients<'_>, rows: &Rows) -> Option<Solution> {
        let chart = given.chart().ok()?;
        let shell = chart.shell(given.system);
        let residuals = expr::substitute(residuals, &shell).ok()?;
        let free = solved(&residuals, &chart.w, given.at)?;
        let (symbols, on_shell): (Vec<Expr>, Vec<Expr>) = shell.into_iter().unzip();
        let mut values: Vec<(Expr, Expr)> = symbols.into_iter().zip(expr::substitute(&on_shell, &free).ok()?).collect();
        values.extend(free);
        if !rows.list.is_empty() {
            values.extend(multipliers(given, rows, chart, &values)?);
        }
        Some(Solution { values })
    }

    /// The same, but these multipliers stay.
    fn without(mut self, multipliers: &[Expr]) -> Solution {
        self.values.retain(|(symbol, _)| !multipliers.contains(symbol));
        self
    }

    /// Expressions as functions of the state alone.
    pub fn put(&self, list: &[Expr]) -> Option<Vec<Expr>> {
        expr::substitute(list, &self.values).ok()
    }
}

/// The unknowns as a substitution.
pub(crate) fn solved(residuals: &[Expr], unknowns: &[Expr], at: &At) -> Option<Vec<(Expr, Expr)>> {
    if unknowns.is_empty() {
        return Some(Vec::new());
    }
    let residuals: Vec<Expr> = residuals.iter().copied().filter(|residual| !residual.is_zero()).collect();
    let (matrix, constants) = expr::linear_coefficients(&residuals, unknowns).ok()?;
    let right: Vec<Expr> = constants.into_iter().map(|constant| -constant).collect();
    if matrix.is_empty() {
        return None;
    }
    let values = solve(&Matrix::from_rows(&matrix), &right, at).ok()?;
    Some(unknowns.iter().copied().zip(values).collect())
}

/// The multipliers from E − Q = Aᵀλ at the accelerations of the leading form.
fn multipliers(
    given: &Ingredients<'_>,
    rows: &Rows,
    chart: &Chart,
    accelerations: &[(Expr, Expr)],
) -> Option<Vec<(Expr, Expr)>> {
    let (E, Q) = (given.E().ok()?, given.Q().ok()?);
    let surplus: Vec<Expr> = E.iter().zip(Q).map(|(&inertia, &force)| inertia - force).collect();
    let surplus = expr::substitute(&given.thawed(&surplus).ok()?, accelerations).ok()?;
    let slopes: Vec<Vec<Expr>> = (0..given.q.len()).map(|s| rows.list.iter().map(|row| row.A[s]).collect()).collect();
    let flat: Vec<Expr> = slopes.concat();
    let flat = chart.on_shell(&flat, given.system).ok()?;
    let slopes: Vec<Vec<Expr>> = flat.chunks(rows.list.len()).map(<[Expr]>::to_vec).collect();
    // As many equations as multipliers; that the others hold too is part of the claims.
    let columns: Vec<Vec<Expr>> =
        (0..rows.list.len()).map(|row| slopes.iter().map(|slopes| slopes[row]).collect()).collect();
    let zero = vec![Expr::zero(); columns.len()];
    let chosen = solve_for(&Matrix::from_rows(&columns), &zero, Columns::Any, given.at).ok()?.dependent;
    let square: Vec<Vec<Expr>> = chosen.iter().map(|&s| slopes[s].clone()).collect();
    let right: Vec<Expr> = chosen.iter().map(|&s| surplus[s]).collect();
    let values = solve(&Matrix::from_rows(&square), &right, given.at).ok()?;
    Some(rows.list.iter().map(|row| row.lambda).zip(values).collect())
}

/// The multipliers of the norms of quaternions.
fn norms(given: &Ingredients<'_>, rows: &Rows) -> Vec<Expr> {
    let origin = |row: &Row| given.system.constraints[row.constraint].origin;
    let is_norm = |row: &&Row| matches!(origin(row), Origin::QuaternionNorm(_));
    rows.list.iter().filter(is_norm).map(|row| row.lambda).collect()
}

/// What must vanish, with the values that it gives itself to some multipliers.
fn with_own(residuals: Vec<Expr>, multipliers: &[Expr], at: &At) -> Option<Vec<Expr>> {
    if multipliers.is_empty() {
        return Some(residuals);
    }
    let (matrix, _) = expr::linear_coefficients(&residuals, multipliers).ok()?;
    let present: Vec<usize> = (0..multipliers.len()).filter(|&k| matrix.iter().any(|row| !row[k].is_zero())).collect();
    if present.is_empty() {
        return Some(residuals);
    }
    // As many equations as multipliers; the others must then hold.
    let columns: Vec<Vec<Expr>> = present.iter().map(|&k| matrix.iter().map(|row| row[k]).collect()).collect();
    let chosen = solve_for(&Matrix::from_rows(&columns), &vec![Expr::zero(); columns.len()], Columns::Any, at).ok()?;
    let equations: Vec<Expr> = chosen.dependent.iter().map(|&row| residuals[row]).collect();
    let unknowns: Vec<Expr> = present.iter().map(|&k| multipliers[k]).collect();
    expr::substitute(&residuals, &solved(&equations, &unknowns, at)?).ok()
}

/// All differences as one expression (3).
fn joined(differences: impl Iterator<Item = Expr>) -> Expr {
    let symbol = |place: usize| expr::symbol(Symbol::new(&format!("r{place}@claim"), Kind::Parameter));
    let differences = differences.filter(|&difference| difference != Expr::zero());
    differences.enumerate().map(|(place, difference)| symbol(place) * difference).sum()
}

// ---------------------------------------------------------------------------------------------
// Answers

fn answered(loaded: &Loaded, mut questions: Questions) -> Proved {
    let is_open = |claim: &Claim| claim.agreement == Agreement::Equivalent && claim.differences.is_empty();
    let all = joined(questions.claims.iter().flat_map(|claim| claim.differences.iter().copied()));
    let mut together = proof::decide(all, &questions.assumptions);
    if let (proof::Verdict::NonZero(_), Some(on_rows)) = (&together, &questions.on_rows) {
        together = proof::decide(all, on_rows);
    }
    let mut bits: Option<u32> = None;
    let mut keep = |error: proof::ErrorBound| {
        if let Some(found) = error.bits() {
            bits = Some(bits.map_or(found, |bits| bits.min(found)));
        }
    };
    let leads = Answer { agreement: Agreement::Identical, why: None, witness: None, state: Vec::new() };
    let mut answers: Vec<Answer> = vec![leads.clone(); questions.entries.len()];
    match &together {
        proof::Verdict::Zero(proof) if !questions.claims.iter().any(is_open) => {
            keep(proof.error);
            for claim in &questions.claims {
                answers[claim.entry].agreement = claim.agreement;
            }
        }
        _ => {
            for claim in &questions.claims {
                let mut answer = one(claim, &questions.assumptions, &mut keep);
                if let (Agreement::Different, Some(on_rows)) = (answer.agreement, &questions.on_rows) {
                    answer = one(claim, on_rows, &mut keep);
                }
                answers[claim.entry] = answer;
            }
        }
    }
    // Against the leading form: what is identical with the first of its kind stands as that one does.
    let leader = |place: usize| !questions.claims.iter().any(|claim| claim.entry == place);
    let against: Vec<Agreement> = (0..answers.len())
        .map(|place| match (answers[place].agreement, questions.entries[place].first) {
            (Agreement::Identical, first) if leader(first) => Agreement::Identical,
            (Agreement::Identical, first) => answers[first].agreement.max(Agreement::Equivalent),
            (other, _) => other,
        })
        .collect();
    let both: Vec<Option<Accelerations>> =
        (0..answers.len()).map(|place| questions.accelerations(loaded, place, &answers[place])).collect();
    let compared = questions.forms.iter_mut().filter(|form| form.applicable);
    for ((form, (agreement, answer)), both) in compared.zip(against.iter().zip(&answers)).zip(both) {
        (form.verdict, form.why, form.witness) = (Some(*agreement), answer.why.clone(), answer.witness.clone());
        form.accelerations = both;
    }
    let error_bound = bits.map_or(0.0, |bits| (-f64::from(bits)).exp2());
    let pairs = pairs(&questions.entries, &answers, &against, error_bound);
    let agree = |place: &usize| against[*place] <= Agreement::Equivalent;
    let mut families: Vec<Family> =
        (0..questions.entries.len()).filter(agree).map(|place| questions.entries[place].formalism.family).collect();
    families.sort_unstable();
    families.dedup();
    Proved {
        model: loaded.file.clone(),
        title: loaded.system.title.clone(),
        verdict: pairs.iter().map(|pair| pair.verdict).max().unwrap_or(Agreement::Identical),
        pairs,
        families: families.len(),
        error_bound: Some(error_bound),
        error_text: bits.map_or("0".to_owned(), |bits| format!("2^-{bits}")),
        assumptions: questions.assumptions.texts().into_iter().chain(sliding(loaded)).collect(),
        notes: questions.notes,
        forms: questions.forms,
        certificate: None,
    }
}

/// Where a rough contact is taken to slide to.
fn sliding(loaded: &Loaded) -> Option<String> {
    let sliding = loaded.mode.sliding()?;
    let slips: Vec<String> = sliding.rough.slips.iter().map(|slip| slip.1.brief()).collect();
    Some(match sliding.slip {
        mechanics::friction::Slip::Sign(sign) => format!("{} {} 0", slips[0], if sign < 0 { "<" } else { ">" }),
        _ => format!("({})^2 + ({})^2 > 0", slips[0], slips.get(1).map_or("0", String::as_str)),
    })
}

/// One claim by itself.
fn one(claim: &Claim, assumptions: &Assumptions, keep: &mut impl FnMut(proof::ErrorBound)) -> Answer {
    let agrees = |agreement, why| Answer { agreement, why, witness: None, state: Vec::new() };
    let unknown = |why: String| agrees(Agreement::Unknown, Some(why));
    if claim.agreement == Agreement::Equivalent && claim.differences.is_empty() {
        return unknown(
            "it does not determine the accelerations, or the leading form was not solved for them".to_owned(),
        );
    }
    match proof::decide(joined(claim.differences.iter().copied()), assumptions) {
        proof::Verdict::Zero(proof) => {
            keep(proof.error);
            agrees(claim.agreement, None)
        }
        proof::Verdict::Unknown(obstacle) => unknown(obstacle.to_string()),
        proof::Verdict::NonZero(_) => {
            // Which one, at a state without the symbols of (3)?
            let verdicts = proof::decide_all(&claim.differences, assumptions);
            let found = verdicts.iter().enumerate().find_map(|(place, verdict)| match verdict {
                proof::Verdict::NonZero(witness) => Some((place, witness.clone())),
                _ => None,
            });
            let Some((place, witness)) = found else {
                return unknown("no state was found where it differs".to_owned());
            };
            let state = witness.state.iter().map(|(symbol, value)| (symbol.to_string(), value.to_string())).collect();
            let why = format!("its equation {} is off by {}", place + 1, witness.value);
            let floats = witness.state.iter().map(|(symbol, value)| (expr::symbol(symbol.clone()), value.to_f64()));
            let floats = floats.collect();
            Answer { agreement: Agreement::Different, why: Some(why), witness: Some(state), state: floats }
        }
    }
}

/// Every pair: what holds of both against the leading form, or the first of their kind, holds between them.
fn pairs(entries: &[Entry], answers: &[Answer], against: &[Agreement], error_bound: f64) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (i, a) in entries.iter().enumerate() {
        for (j, b) in entries.iter().enumerate().skip(i + 1) {
            let is_first = |place: usize| entries[place].first == place;
            let same = |place: usize| is_first(place) || answers[place].agreement == Agreement::Identical;
            let verdict = match (against[i], against[j]) {
                _ if a.first == b.first && same(i) && same(j) => Agreement::Identical,
                (x, y) if x <= Agreement::Equivalent && y <= Agreement::Equivalent => Agreement::Equivalent,
                (Agreement::Different, other) | (other, Agreement::Different) if other <= Agreement::Equivalent => {
                    Agreement::Different
                }
                _ => Agreement::Unknown,
            };
            let error_bound = (verdict <= Agreement::Equivalent).then_some(error_bound);
            pairs.push(Pair { a: a.name.clone(), b: b.name.clone(), verdict, error_bound });
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_that_differs_shows_both_accelerations() {
        // Newton's law of a falling point with half its weight in one form
        let text = "param m = 2 kg, g = 9.81 m/s^2\ncoord y : m\npoint P = (0, y) mass m\ngravity (0, -g)\n";
        let loaded = crate::load(&crate::Settings::new("fall.mech", text)).unwrap();
        let wanted = Prove {
            forms: vec!["kane".to_owned(), "multipliers".to_owned(), "lagrange-1".to_owned()],
            certificate: false,
        };
        let _in = loaded.enter();
        let rows = rows(&loaded, &loaded.mode, &loaded.at).unwrap();
        let given = Ingredients::of(&loaded.system, &loaded.mode, &rows, ChartKind::Rates, &loaded.at);
        let mut questions = questions(&loaded, &wanted, || ()).unwrap();
        let place = questions.entries.iter().position(|entry| entry.name != "kane").unwrap();
        questions.entries[place].form.equations[0].right *= expr::rational(1, 2);
        questions.claims.clear();
        questions.compare(&given, &rows);
        let proved = answered(&loaded, questions);
        assert_eq!(proved.verdict, Agreement::Different);
        let both = proved.forms.iter().find_map(|form| form.accelerations.clone()).unwrap();
        let (own, leading) = (both.own.get("y''").unwrap(), both.leading.get("y''").unwrap());
        assert!((own - leading / 2.0).abs() < 1e-12 && *leading != 0.0, "{own}, {leading}");
    }

    #[test]
    fn a_quaternion_brings_no_difference() {
        // gravity acts through the rotation, which turns lengths into others off the norm
        let text = "param J = 1 kg*m^2, m = 2 kg, h = 0.1 m, g = 9.81 m/s^2\ncoord q0, q1, q2, q3\n\
                    frame B = N quaternion (q0, q1, q2, q3)\n\
                    body T mass m at h*B.z frame B inertia (J, J, 1.5*J)\ngravity (0, 0, -g)\nstart q0 = 3/5\n";
        let load = || crate::load(&crate::Settings::new("top.mech", text)).unwrap();
        let wanted = Prove { certificate: true, ..Prove::default() };
        let proved = prove(&load(), &wanted, &mut crate::Alone).unwrap();
        let verdicts: Vec<_> = proved.forms.iter().map(|form| (form.form.as_str(), form.verdict, &form.why)).collect();
        assert_eq!((proved.verdict, proved.families), (Agreement::Equivalent, 8), "{verdicts:?}");
        // the checker solves no quadratic equations, and that is what is said
        let reason = proved.certificate.unwrap().unwrap_err();
        assert!(reason.contains("not linear in a symbol"), "{reason}");
    }
}

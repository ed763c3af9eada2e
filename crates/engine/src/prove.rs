//! Do all forms agree? One proof for all of them, or the first pair that does not: [`mechanics::agreement`] compares
//! them; here they are chosen, and told.

use expr::{Expr, Substitution};
pub use mechanics::agreement::Judged;
use mechanics::agreement::{Agreement, Answers, Dispute, Questions, Shown};
use mechanics::chart::ChartKind;
use mechanics::form::FormError;
use mechanics::formalism::{FORMALISMS, Formalism};
use mechanics::ingredients::Ingredients;
use proof::{Certificate, Grounds, Rejection};
use serde::{Deserialize, Serialize};
use syntax::Diagnostic;

use crate::forms::{known, rows};
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
    /// Where forms of one mechanics differ: who stands where, and who is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispute: Option<Disputed>,
    /// A bound for the probability that an agreement is wrong.
    pub error_bound: Option<f64>,
    /// The same as text, `2^-94`.
    #[serde(skip)]
    pub error_text: String,
    /// The functions for all of which it is proved: of them only the arguments are known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<String>,
    /// What was relied on.
    pub assumptions: Vec<String>,
    /// Remarks for the reader.
    pub notes: Vec<String>,
    /// The certificate if it was wanted, or why there is none.
    #[serde(skip)]
    pub certificate: Option<Result<AgreementFile, String>>,
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

/// Forms that differ, and who is right.
#[derive(Clone, Debug, Serialize)]
pub struct Disputed {
    /// The sides: forms that agree with each other.
    pub sides: Vec<DisputedSide>,
    /// What the judgement rests on: `numbers`, `families` or, if it is open who is wrong, `open`.
    pub by: Judged,
    /// The forms that are wrong; none if that is open.
    pub blamed: Vec<String>,
}

/// A side of a dispute.
#[derive(Clone, Debug, Serialize)]
pub struct DisputedSide {
    /// Its forms.
    pub forms: Vec<String>,
    /// Their families.
    pub families: Vec<String>,
    /// Whether its motion satisfies the text of the model in plain numbers; `null` if that cannot be told.
    pub numbers: Option<bool>,
    /// Whether it is the side that is right; `null` if that is open.
    pub right: Option<bool>,
}

/// A state at which two forms differ.
#[derive(Clone, Debug, Serialize)]
pub struct PairWitness {
    /// The state, in exact numbers; a coordinate or velocity that is not named is 0.
    pub state: Ordered<String>,
    /// The accelerations by the first form.
    pub a: Option<Ordered<f64>>,
    /// The accelerations by the second form.
    pub b: Option<Ordered<f64>>,
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
    /// Where they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<PairWitness>,
}

/// Forms to compare, what is told of each, and remarks for the reader.
struct Asked {
    forms: Vec<Compared>,
    questions: Questions,
    notes: Vec<String>,
    /// Roots that the charts take: of states on other branches nothing is said.
    branches: Vec<String>,
}

/// Proves that all applicable forms agree, or finds a pair that does not.
pub fn prove(loaded: &Loaded, wanted: &Prove, progress: &mut dyn Progress) -> Result<Proved, Error> {
    let _in = loaded.enter();
    crate::sound::coordinates(loaded)?;
    if let Some(first) = wanted.forms.first().filter(|first| wanted.forms.iter().all(|form| form == *first)) {
        known(first.strip_suffix(BESIDE).unwrap_or(first))?;
        let message = format!("`{first}` alone is no comparison");
        let hint = "name at least two forms, or none: then all that apply are compared";
        return Err(Error::new(message).hint(hint).of(Field::Forms));
    }
    let asked = asked(loaded, wanted, progress)?;
    let certificate = wanted.certificate.then(|| certificate(loaded, &asked.questions));
    Ok(Proved { certificate, ..answered(loaded, asked, progress) })
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
    let question = questions.question();
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
    /// The claims that were proved or refuted, with their verdicts; for a certificate of an audit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<VerifiedClaim>,
    /// What the verdicts on claims rely on, such as the mode of the start.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
    /// A bound for the probability of error, confirmed by the replay.
    pub error_bound: Option<f64>,
    /// The same as text.
    #[serde(skip)]
    pub error_text: String,
}

/// A claim whose verdict was replayed.
#[derive(Clone, Debug, Serialize)]
pub struct VerifiedClaim {
    /// Its name.
    pub name: String,
    /// The claim as written.
    pub text: String,
    /// `correct` or `wrong`.
    pub verdict: String,
}

impl Verified {
    /// A certificate that shows nothing about a model, and why.
    pub fn rejected(model: &str, reason: String) -> Verified {
        Verified {
            model: model.to_owned(),
            accepted: false,
            reason: Some(reason),
            forms: Vec::new(),
            claims: Vec::new(),
            assumptions: Vec::new(),
            error_bound: None,
            error_text: String::new(),
        }
    }

    /// One that was accepted, with its bound: the probability of error is at most 2^-bits; 0 without one.
    pub fn accepted(model: &str, bits: Option<u32>) -> Verified {
        Verified {
            accepted: true,
            reason: None,
            error_bound: Some(bits.map_or(0.0, |bits| (-f64::from(bits)).exp2())),
            error_text: bits.map_or("0".to_owned(), |bits| format!("2^-{bits}")),
            ..Verified::rejected(model, String::new())
        }
    }
}

/// A certificate that is replayed.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// The text of its file.
    pub certificate: String,
}

/// Replays a certificate for a model. The forms are derived anew and the question is put together from them; that
/// it is answered is then checked without the prover.
pub fn verify(loaded: &Loaded, wanted: &Replay, progress: &mut dyn Progress) -> Result<Verified, Error> {
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
    let rejected = |reason: String| Verified::rejected(&loaded.file, reason);
    let wanted = Prove { forms: file.forms.clone(), certificate: false };
    let Asked { questions, .. } = asked(loaded, &wanted, progress)?;
    let forms: Vec<String> = questions.entries.iter().map(|entry| entry.name.clone()).collect();
    if forms != file.forms {
        return Ok(rejected("the forms of the certificate are not those of this model".to_owned()));
    }
    let question = questions.question();
    let replay = |assumptions| proof::check_for(&file.certificate, question, assumptions);
    let replayed = questions.grounds().map(replay).find(|replayed| *replayed != Err(Rejection::AnotherQuestion));
    Ok(match replayed.unwrap_or(Err(Rejection::AnotherQuestion)) {
        Ok(checked) if checked.zero => Verified { forms, ..Verified::accepted(&loaded.file, checked.error_bits) },
        Ok(_) => rejected("the certificate shows that the forms differ".to_owned()),
        Err(rejection) => rejected(rejection.to_string()),
    })
}

/// The mark of forms in rates beside those in speeds.
const BESIDE: &str = " (rates)";

/// Derives the forms and says what must vanish if they agree.
fn asked(loaded: &Loaded, wanted: &Prove, progress: &mut dyn Progress) -> Result<Asked, Error> {
    progress.begins("deriving");
    let system = &loaded.system;
    crate::sound::masses(loaded)?;
    let (mode, at) = (&loaded.mode, &loaded.anywhere);
    let rows = rows(loaded, mode, at)?;
    let both = system.has_speeds();
    let rates = Ingredients::of(system, mode, &rows, ChartKind::Rates, at);
    let speeds = both.then(|| Ingredients::of(system, mode, &rows, ChartKind::Speeds, at));
    let main = speeds.as_ref().filter(|given| given.chart().is_ok()).unwrap_or(&rates);
    let (forms, notes, branches) = (Vec::new(), off_branch(main), branches_of(main));
    let mut asked = Asked { forms, questions: Questions::new(main), notes, branches };
    let chosen = |name: &str| wanted.forms.is_empty() || wanted.forms.iter().any(|form| form == name);
    for name in &wanted.forms {
        known(name.strip_suffix(BESIDE).unwrap_or(name))?;
    }
    let charts: Vec<(&Ingredients<'_>, &str)> = match &speeds {
        Some(speeds) if std::ptr::eq(main, speeds) => vec![(main, ""), (&rates, BESIDE)],
        _ => vec![(main, "")],
    };
    for (given, _) in &charts[1..] {
        asked.branches.extend(branches_of(given));
    }
    asked.branches.dedup();
    if let (Some(Err(error)), 1) = (speeds.as_ref().map(Ingredients::chart), charts.len()) {
        asked.notes.push(format!("the declared speeds are not used: {error}"));
    }
    let mut list = Vec::new();
    for (place, (given, suffix)) in charts.iter().enumerate() {
        // one that is no mechanics takes part only if it is asked for
        let is_asked = |formalism: &Formalism| !formalism.stranger || !wanted.forms.is_empty();
        let own = FORMALISMS.iter().filter(|formalism| is_asked(formalism) && (formalism.charted || place == 0));
        let own = own.map(|formalism| (*given, formalism, format!("{}{suffix}", formalism.name)));
        list.extend(own.filter(|(_, _, name)| chosen(name)));
    }
    if list.iter().any(|one| one.1.stranger) && !list.iter().any(|one| one.1.charted) {
        // what is no mechanics has no multipliers to share: it is compared by the accelerations of a third
        let third = FORMALISMS.iter().find(|formalism| formalism.charted && formalism.form(main).is_ok());
        list.extend(third.map(|formalism| (main, formalism, formalism.name.to_owned())));
        asked.notes.extend(third.map(|formalism| format!("`{}` takes part as the yardstick", formalism.name)));
    }
    let all = list.len();
    for (done, (given, formalism, name)) in list.into_iter().enumerate() {
        if !progress.reached(done as f64 / all as f64) {
            asked.notes.push(format!("stopped: {done} of {all} forms were derived, and only these are compared"));
            break;
        }
        asked.add(loaded, given, formalism, name)?;
    }
    asked.notes.splice(0..0, crate::forms::notes(loaded, main).into_iter().chain(silent(main)));
    progress.begins("comparing");
    asked.questions.compare(main);
    Ok(asked)
}

/// A pivot of more operations than this is not written out.
const SHORT: usize = 60;

/// The states of which a comparison in this chart does not speak, in words.
fn silent(given: &Ingredients<'_>) -> Option<String> {
    let chart = given.chart().ok()?;
    let state: Vec<Expr> = given.q.iter().chain(&chart.u).copied().collect();
    let (short, long): (Vec<Expr>, Vec<Expr>) = chart.pivots.iter().partition(|pivot| pivot.operations() <= SHORT);
    let inverse: Vec<Expr> = short.iter().filter_map(|&pivot| Expr::one().try_div(pivot).ok()).collect();
    let reader = crate::readable::Reader::new();
    let mut places = crate::readable::divisors(&inverse, &state, &crate::positive::positive(given), &reader);
    places.retain(|&place| !is_fixed(place, given));
    let assumed = mechanics::agreement::assumptions(given).texts().join(" ");
    let mut places: Vec<String> = places.iter().map(Expr::to_string).filter(|text| !assumed.contains(text)).collect();
    places.iter_mut().for_each(|text| text.push_str(" = 0"));
    let hidden = long.iter().filter(|pivot| pivot.symbols().iter().any(|symbol| state.contains(symbol))).count();
    if hidden > 0 {
        places.push(format!("one of {hidden} long expressions is 0 (`derive` shows the chart)"));
    }
    let where_ = places.join(" or ");
    (!places.is_empty()).then(|| format!("nothing is said of states where {where_}: there the chart is singular"))
}

/// Whether a geometric row makes an expression a constant: e − c f holds no coordinate, for a number c.
fn is_fixed(e: Expr, given: &Ingredients<'_>) -> bool {
    let geometric = given.rows.list.iter().filter(|row| row.order == 0);
    let left = |f: Expr| -> Option<Expr> {
        let mut slopes = given.q.iter().filter_map(|&q| {
            let (of_e, of_f) = (expr::derivative(e, q).ok()?, expr::derivative(f, q).ok()?);
            if of_f.is_zero() { None } else { of_e.try_div(of_f).ok() }
        });
        let share = expr::simplify(slopes.next()?, &[]).as_number()?;
        Some(e - Expr::number(share) * f)
    };
    let is_constant = |e: Expr| {
        given.q.iter().all(|&q| expr::derivative(e, q).is_ok_and(|slope| slope.is_zero())) && given.at.value(e) != 0.0
    };
    geometric.filter_map(|row| left(row.f)).any(is_constant)
}

impl Asked {
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
            Err(error @ FormError::PlaneInertia { span, .. }) => {
                let diagnostic = Diagnostic::error(*span, error.to_string());
                return Err(Error::of_model(&loaded.model.sources, &[diagnostic]));
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
            self.questions.add(given, formalism, form, name);
        }
        Ok(())
    }
}

/// The roots that a chart takes at its state, and `inverse` lines that do not give back every rate: as equations for rates.
fn branches_of(given: &Ingredients<'_>) -> Vec<String> {
    let Ok(chart) = given.chart() else { return Vec::new() };
    let system = given.system;
    let rate = |k: usize, value: Expr| format!("{} = {}", system.coordinates[k].q_dot, value.brief());
    let roots = chart.branches.iter().map(|(k, root)| rate(*k, expr::simplify(*root, &[])));
    let speeds: Substitution = system.speeds.iter().map(|speed| (speed.symbol, speed.definition)).collect();
    let is_root = |inverse: &&mechanics::Inverse| {
        let there = speeds.apply_one(inverse.value);
        let gap = there.map(|there| there - system.coordinates[inverse.coordinate].q_dot);
        !gap.is_ok_and(|gap| proof::decide(gap, &proof::Assumptions::none()).is_zero())
    };
    let inverses = system.inverses.iter().filter(|_| chart.kind == ChartKind::Speeds).filter(is_root);
    roots.chain(inverses.map(|inverse| rate(inverse.coordinate, inverse.value))).collect()
}

/// What the model assumes and the branch of the state contradicts.
fn off_branch(given: &Ingredients<'_>) -> Vec<String> {
    let is_off = |assumed: &&mechanics::Relation| {
        assumed.scalars().is_some_and(|relation| mechanics::agreement::is_off_branch(given, relation))
    };
    let note = |assumed: &mechanics::Relation| {
        let text = syntax::format_relation(&assumed.tree);
        format!(
            "`assume {text}` does not hold at this state and was not used: the proof is about the branch of this state"
        )
    };
    given.system.assumptions.iter().filter(is_off).map(note).collect()
}

fn answered(loaded: &Loaded, asked: Asked, progress: &mut dyn Progress) -> Proved {
    let Asked { mut forms, mut questions, mut notes, branches } = asked;
    if questions.entries.len() < 2 {
        notes.push("fewer than two of these forms apply: nothing was compared".to_owned());
    }
    let answers = questions.answers(&mut |share| progress.reached(share));
    let (answers, dispute) = settled(loaded, &mut questions, answers, progress);
    let pairs = pairs(loaded, &questions, &answers);
    let Answers { forms: answers, families, bits, .. } = answers;
    let name = |place: usize| questions.entries[place].name.clone();
    let leading_form = questions.leader().map(name).unwrap_or_default();
    for (form, answer) in forms.iter_mut().filter(|form| form.applicable).zip(answers) {
        (form.verdict, form.why) = (Some(answer.agreement), answer.why);
        form.witness = answer.witness.map(exact);
        form.accelerations = answer.accelerations.map(|[own, leading]| Accelerations {
            own: by_name(loaded, own),
            leading_form: leading_form.clone(),
            leading: by_name(loaded, leading),
        });
    }
    Proved {
        model: loaded.file.clone(),
        title: loaded.system.title.clone(),
        verdict: pairs.iter().map(|pair| pair.verdict).max().unwrap_or(Agreement::Unknown),
        pairs,
        families: families.len(),
        dispute: dispute.map(|dispute| disputed(&dispute, &questions)),
        error_bound: Some(bound(bits)),
        error_text: bits.map_or("0".to_owned(), |bits| format!("2^-{bits}")),
        functions: loaded.system.functions().map(|one| one.name.clone()).collect(),
        assumptions: questions.assumptions.texts().into_iter().chain(branches).chain(sliding(loaded)).collect(),
        notes,
        forms,
        certificate: None,
    }
}

fn bound(bits: Option<u32>) -> f64 {
    bits.map_or(0.0, |bits| (-f64::from(bits)).exp2())
}

fn exact(state: Vec<(expr::Symbol, Expr)>) -> Ordered<String> {
    state.into_iter().map(|(symbol, value)| (symbol.to_string(), value.to_string())).collect()
}

fn by_name(loaded: &Loaded, accelerations: Vec<f64>) -> Ordered<f64> {
    loaded.system.q_ddot().into_iter().map(|q: Expr| q.to_string()).zip(accelerations).collect()
}

/// Who is right, where forms differ; the answers anew if the leading form was wrong.
fn settled(
    loaded: &Loaded,
    questions: &mut Questions,
    answers: Answers,
    progress: &mut dyn Progress,
) -> (Answers, Option<Dispute>) {
    if !answers.forms.iter().any(|form| form.agreement == Agreement::Different) {
        return (answers, None);
    }
    let Ok(rows) = rows(loaded, &loaded.mode, &loaded.anywhere) else { return (answers, None) };
    questions.settle(&leading(loaded, &rows), answers, &mut |share| progress.reached(share))
}

/// The ingredients in the chart that leads: of speeds, if they are of use.
fn leading<'a>(loaded: &'a Loaded, rows: &'a mechanics::rows::Rows) -> Ingredients<'a> {
    let (system, mode, at) = (&loaded.system, &loaded.mode, &loaded.anywhere);
    let speeds = Ingredients::of(system, mode, rows, ChartKind::Speeds, at);
    match !system.has_speeds() || speeds.chart().is_err() {
        true => Ingredients::of(system, mode, rows, ChartKind::Rates, at),
        false => speeds,
    }
}

/// Every pair, and where it differs.
fn pairs(loaded: &Loaded, questions: &Questions, answers: &Answers) -> Vec<Pair> {
    let name = |place: usize| questions.entries[place].name.clone();
    let error_bound = bound(answers.bits);
    let witness = |a: usize, b: usize| {
        let Shown { of, a, b } = answers.witnesses.iter().find(|one| one.0 == a && one.1 == b)?.2.clone();
        let named = |list: Option<Vec<f64>>| list.map(|list| by_name(loaded, list));
        let state = exact(answers.forms[of].witness.clone()?);
        Some(PairWitness { state, a: named(a), b: named(b) })
    };
    let pair = |&(a, b, verdict): &(usize, usize, Agreement)| {
        let error_bound = (verdict <= Agreement::Equivalent).then_some(error_bound);
        Pair { a: name(a), b: name(b), verdict, error_bound, witness: witness(a, b) }
    };
    answers.pairs.iter().map(pair).collect()
}

fn disputed(dispute: &Dispute, questions: &Questions) -> Disputed {
    let name = |place: &usize| questions.entries[*place].name.clone();
    let sides = dispute.sides.iter().enumerate().map(|(place, side)| DisputedSide {
        forms: side.forms.iter().map(name).collect(),
        families: side.families.iter().map(|family| format!("{family:?}")).collect(),
        numbers: side.numbers,
        right: dispute.right.map(|right| right == place),
    });
    Disputed { sides: sides.collect(), by: dispute.by, blamed: dispute.blamed().iter().map(name).collect() }
}

/// Where rough contacts are taken to slide to.
fn sliding(loaded: &Loaded) -> impl Iterator<Item = String> {
    loaded.mode.sliding().map(|sliding| {
        let slips: Vec<String> = sliding.rough.slips.iter().map(|slip| slip.1.brief()).collect();
        match sliding.slip {
            mechanics::friction::Slip::Sign(sign) => format!("{} {} 0", slips[0], if sign < 0 { "<" } else { ">" }),
            _ => format!("({})^2 + ({})^2 > 0", slips[0], slips.get(1).map_or("0", String::as_str)),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whom a proof blames if these forms of a gallery model have twice the inertia.
    fn blamed(model: &str, wrong: impl Fn(&str) -> bool) -> (Agreement, Vec<String>, Judged) {
        let loaded = crate::load(&crate::Settings::gallery(model).unwrap()).unwrap();
        let _in = loaded.enter();
        let rows = rows(&loaded, &loaded.mode, &loaded.anywhere).unwrap();
        let given = leading(&loaded, &rows);
        let mut asked = asked(&loaded, &Prove::default(), &mut crate::Alone).unwrap();
        for entry in asked.questions.entries.iter_mut().filter(|entry| wrong(&entry.name)) {
            entry.form.equations.iter_mut().for_each(|equation| equation.left *= expr::integer(2));
        }
        asked.questions.compare(&given);
        let proved = answered(&loaded, asked, &mut crate::Alone);
        let odd = proved.forms.iter().filter(|form| form.verdict > Some(Agreement::Equivalent));
        let odd: Vec<String> = odd.map(|form| format!("{} {:?} {:?}", form.form, form.verdict, form.why)).collect();
        let dispute = proved.dispute.unwrap_or_else(|| panic!("{model}: no form differs: {odd:?}"));
        let different = proved.pairs.iter().filter(|pair| pair.verdict == Agreement::Different);
        assert!(
            different.count() > 0
                && proved.pairs.iter().all(|pair| match pair.verdict {
                    Agreement::Different => pair.witness.as_ref().is_some_and(|witness| !witness.state.0.is_empty()),
                    _ => pair.witness.is_none(),
                })
        );
        (proved.verdict, dispute.blamed, dispute.by)
    }

    #[test]
    fn blame_falls_on_the_forms_that_are_wrong() {
        // whoever leads, and however many they are: take `numbers` out of the judgement, and the last ones fail
        for model in ["double-pendulum", "rolling-disc-contact", "sled"] {
            let found = blamed(model, |name| name == "fundamental");
            assert_eq!(found, (Agreement::Different, vec!["fundamental".to_owned()], Judged::Numbers), "{model}");
            let (_, found, by) = blamed(model, |name| name == "positions");
            assert_eq!((found, by), (vec!["positions".to_owned()], Judged::Numbers), "{model}");
        }
        let (_, found, by) = blamed("double-pendulum", |name| name != "positions");
        assert!(found.len() > 20 && !found.contains(&"positions".to_owned()), "{found:?}");
        assert_eq!(by, Judged::Numbers);
    }

    #[test]
    fn plain_numbers_accept_the_true_motion_of_every_model_and_no_other() {
        let (mut right, mut denied, mut silent) = (0, 0, Vec::new());
        for example in gallery::GALLERY.iter().filter(|example| !example.is_theorem()) {
            let loaded = crate::load(&crate::Settings::new(example.name, example.text)).unwrap();
            let _in = loaded.enter();
            let rows = rows(&loaded, &loaded.mode, &loaded.anywhere).unwrap();
            let given = leading(&loaded, &rows);
            let wanted = Prove { forms: vec!["multipliers".to_owned(), "gauss".to_owned()], certificate: false };
            let mut asked = asked(&loaded, &wanted, &mut crate::Alone).unwrap();
            match asked.questions.in_numbers(&given, 0) {
                Some(verdict) => {
                    assert!(verdict, "{}: the numbers deny what all forms say", example.name);
                    right += 1;
                    asked.questions.entries[0].form.equations.iter_mut().for_each(|one| one.left *= expr::integer(3));
                    // where nothing accelerates, three times the inertia changes nothing
                    denied += usize::from(asked.questions.in_numbers(&given, 0) == Some(false));
                }
                None => silent.push(example.name),
            }
        }
        assert!(right >= 48 && denied >= 40, "{right} right, {denied} denied, silent on {silent:?}");
    }

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
        let mut asked = asked(&loaded, &wanted, &mut crate::Alone).unwrap();
        let place = asked.questions.entries.iter().position(|entry| entry.name != "kane").unwrap();
        asked.questions.entries[place].form.equations[0].right *= expr::rational(1, 2);
        asked.questions.compare(&given);
        let proved = answered(&loaded, asked, &mut crate::Alone);
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
        assert_eq!((proved.verdict, proved.families), (Agreement::Equivalent, 9), "{verdicts:?}");
        // the checker solves no quadratic equations, and that is what is said
        let reason = proved.certificate.unwrap().unwrap_err();
        assert!(reason.contains("not linear in a symbol"), "{reason}");
    }
}

//! What convinces somebody who does not trust an audit? A file with one certificate for each claim that was decided.
//!
//! ```text
//! correct    Σ r_i e_i = 0 at the true accelerations and multipliers, for independent symbols r_i         (1)
//! wrong      (1) is not zero at a state in exact numbers
//! wrong      a claim `a != b` of which (1) holds
//! ```
//!
//! To replay it the true motion is derived anew from the model, and the question put together again from the claim as it
//! is written. What the file says of its question counts for nothing.

use engine::{Error, Field, Loaded, Progress, Replay, Verified, VerifiedClaim};
use expr::{Comparison, Expr, Substitution};
use mechanics::agreement::joined;
use mechanics::{Role, Statement};
use proof::{Assumptions, Certificate, Grounds, Rejection};
use serde::{Deserialize, Serialize};

use super::{Auditor, ClaimVerdict, Equation, with_auditor};

/// An audit that can be replayed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditFile {
    /// The format of the file.
    pub anholon: String,
    /// The model that the claims are about.
    pub model: String,
    /// What was added to the model, claims among it: names and texts.
    pub with: Vec<(String, String)>,
    /// The claims that were decided.
    pub claims: Vec<DecidedClaim>,
    /// Claims without a certificate, each with the reason.
    pub without: Vec<(String, String)>,
    /// What the verdicts rely on, the mode among it; a replay says it again from the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
}

/// A claim with the certificate of its verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecidedClaim {
    /// Its name.
    pub name: String,
    /// Whether it is right.
    pub correct: bool,
    /// The question and what its answer rests on.
    pub certificate: Certificate,
}

const FORMAT: &str = "audit 1";

/// What a claim says of (1).
struct Asked {
    question: Expr,
    /// Does the claim say that it vanishes, or that it never does?
    says_zero: bool,
}

/// The certificates of decided claims, or why there is none.
pub(super) fn certificate(
    auditor: &Auditor<'_>,
    claims: &[&Statement],
    verdicts: &[ClaimVerdict],
) -> Result<AuditFile, String> {
    let (mut decided, mut without) = (Vec::new(), Vec::new());
    for (place, (claim, verdict)) in claims.iter().zip(verdicts).enumerate() {
        match certified(auditor, claims, place, verdict) {
            Ok(certificate) => {
                let correct = verdict.is_correct();
                decided.push(DecidedClaim { name: claim.name.clone(), correct, certificate });
            }
            Err(reason) => without.push((claim.name.clone(), reason)),
        }
    }
    if decided.is_empty() {
        let list: Vec<String> = without.iter().map(|(name, reason)| format!("`{name}`: {reason}")).collect();
        return Err(list.join("; "));
    }
    let (model, with) = (auditor.loaded.file.clone(), auditor.loaded.settings.with.clone());
    let assumptions = auditor.relied_on();
    Ok(AuditFile { anholon: FORMAT.to_owned(), model, with, claims: decided, without, assumptions })
}

fn certified(
    auditor: &Auditor<'_>,
    claims: &[&Statement],
    place: usize,
    verdict: &ClaimVerdict,
) -> Result<Certificate, String> {
    if let Some(misfit) = &claims[place].misfit {
        return Err(format!("its dimensions refute it: {misfit}"));
    }
    let wants_zero = match (verdict, asked(auditor, claims, place)?) {
        (verdict, asked) if verdict.is_correct() => (asked.question, asked.says_zero),
        (ClaimVerdict::Wrong, asked) => (asked.question, !asked.says_zero),
        _ => return Err(format!("it is {verdict}")),
    };
    let (question, wants_zero) = wants_zero;
    let mut trouble = "its verdict holds with values of the model, not in general".to_owned();
    for (question, assumptions) in grounds(auditor, question, wants_zero)? {
        match proof::certify(question, &assumptions) {
            Ok(certificate) if is_zero(&certificate) == wants_zero => return Ok(certificate),
            Ok(_) => {}
            Err(uncertified) => trouble = uncertified.to_string(),
        }
    }
    Err(trouble)
}

fn is_zero(certificate: &Certificate) -> bool {
    !matches!(certificate.grounds, Grounds::Witness { .. })
}

/// The question (1) of a claim.
fn asked(auditor: &Auditor<'_>, claims: &[&Statement], place: usize) -> Result<Asked, String> {
    let (equation, says_zero) = match auditor.unequal(claims[place]) {
        Some(parts) => {
            (Equation { place, parts, sides: Vec::new(), is_late: false, is_rate: false, jumps: None }, false)
        }
        None => {
            let found = auditor.equations(&claims[place..=place]).into_iter().next();
            (found.ok_or("it is no equation that holds on every motion")?, true)
        }
    };
    let own = |e: &Expr| e.symbols().iter().any(|symbol| auditor.own.contains(symbol));
    if equation.parts.iter().any(own) {
        return Err("it holds unknowns of the author's own".to_owned());
    }
    let put = auditor.solution.put(&equation.parts).ok_or("it cannot be evaluated on the motion")?;
    let quiet = if equation.is_rate { auditor.said(&put).apply(&put).ok() } else { None };
    Ok(Asked { question: joined(quiet.unwrap_or(put).into_iter()), says_zero })
}

/// The question as it may be answered: alone, with definitions of parameters, with the geometric rows. What does not
/// vanish must do so on all of them.
fn grounds(auditor: &Auditor<'_>, e: Expr, wants_zero: bool) -> Result<Vec<(Expr, Assumptions)>, String> {
    let mut list = Vec::new();
    let definitions = auditor.definitions();
    let maps = [Substitution::new(), definitions];
    for map in maps.iter().enumerate().filter(|(place, map)| *place == 0 || !map.is_empty()).map(|(_, map)| map) {
        let put = |e: Expr| map.apply_one(e).unwrap_or(e);
        let alone = auditor.assumed(map);
        let geometric = auditor.rows.list.iter().filter(|row| row.order == 0).map(|row| put(row.f));
        let (mut usable, other): (Vec<Expr>, Vec<Expr>) = geometric.partition(|&f| engine::fact::is_usable(f));
        usable.sort_by_key(|&f| !engine::fact::is_linear(f));
        if wants_zero || (usable.is_empty() && other.is_empty()) {
            list.push((put(e), alone.clone()));
        }
        // a proof on the rows speaks of something only if a state satisfies them
        if usable.is_empty() || auditor.states().is_empty() {
            continue;
        }
        let on = |all: Assumptions, f: &Expr| all.and(*f, Comparison::Equal, Expr::zero());
        if wants_zero && usable.len() > 1 {
            list.extend(usable.iter().map(|f| (put(e), on(alone.clone(), f))));
        }
        if wants_zero || other.is_empty() {
            list.push((put(e), usable.iter().fold(alone, on)));
        }
    }
    match list.is_empty() {
        true => Err("positions on the constraints could not be put in".to_owned()),
        false => Ok(list),
    }
}

/// Replays a certificate of `prove` or of `audit` for a model.
///
/// ```
/// let text = "coord x : m\npoint P = (x, 0) mass 2 kg\nforce (6 N, 0) on P\nclaim law: 2 kg*x'' = 6 N\n";
/// let model = engine::load(&engine::Settings::new("push.mech", text))?;
/// let wanted = audit::Claims { certificate: true, ..audit::Claims::default() };
/// let file = audit::audit(&model, &wanted, &mut engine::Alone)?.certificate.unwrap().unwrap();
/// let certificate = serde_json::to_string(&file).unwrap();
/// let replayed = audit::verify(&model, &engine::Replay { certificate }, &mut engine::Alone)?;
/// assert!(replayed.accepted && replayed.claims[0].verdict == "correct");
/// # Ok::<(), engine::Error>(())
/// ```
pub fn verify(loaded: &Loaded, wanted: &Replay, progress: &mut dyn Progress) -> Result<Verified, Error> {
    let Ok(head) = serde_json::from_str::<Head>(&wanted.certificate) else {
        return engine::verify(loaded, wanted, progress);
    };
    if !head.anholon.starts_with("audit") {
        return engine::verify(loaded, wanted, progress);
    }
    let bad = |message: String| Error::new(message).of(Field::Certificate);
    if head.anholon != FORMAT {
        return Err(bad(format!("a certificate of the format `{}` cannot be read", head.anholon)));
    }
    let file: AuditFile = serde_json::from_str(&wanted.certificate)
        .map_err(|error| bad(format!("this is no certificate of `anholon audit`: {error}")))?;
    let mut settings = loaded.settings.clone();
    let more: Vec<_> = file.with.iter().filter(|one| !settings.with.contains(one)).cloned().collect();
    for (name, text) in more {
        // what a certificate adds may not change the model
        settings = super::with_claims(settings, &name, &text)?;
    }
    let with_claims = engine::load(&settings)?;
    let _in = with_claims.enter();
    progress.begins("replaying");
    with_auditor(&with_claims, |auditor| replayed(auditor, &file, progress))
}

/// The first key of every certificate.
#[derive(Deserialize)]
struct Head {
    anholon: String,
}

fn replayed(auditor: &Auditor<'_>, file: &AuditFile, progress: &mut dyn Progress) -> Verified {
    let model = &auditor.loaded.file;
    let is_claim = |statement: &&Statement| statement.role == Role::Claim;
    let claims: Vec<&Statement> = auditor.loaded.system.statements.iter().filter(is_claim).collect();
    let (mut found, mut least): (Vec<VerifiedClaim>, Option<u32>) = (Vec::new(), None);
    for (done, one) in file.claims.iter().enumerate() {
        let rejected = |why: &str| Verified::rejected(model, format!("`{}`: {why}", one.name));
        if !progress.reached(done as f64 / file.claims.len() as f64) {
            return rejected("stopped before it was replayed");
        }
        let Some(place) = claims.iter().position(|claim| claim.name == one.name) else {
            return rejected("there is no such claim about this model");
        };
        match answered(auditor, &claims, place, one) {
            Ok(bits) => least = [least, bits].into_iter().flatten().min(),
            Err(why) => return rejected(&why),
        }
        let verdict = if one.correct { "correct" } else { "wrong" };
        let text = engine::fact::text(&claims[place].fact);
        found.push(VerifiedClaim { name: one.name.clone(), text, verdict: verdict.to_owned() });
    }
    match found.is_empty() {
        true => Verified::rejected(model, "the certificate holds no claim".to_owned()),
        false => Verified { claims: found, assumptions: auditor.relied_on(), ..Verified::accepted(model, least) },
    }
}

/// The bits of the bound by which a certificate shows its verdict.
fn answered(
    auditor: &Auditor<'_>,
    claims: &[&Statement],
    place: usize,
    one: &DecidedClaim,
) -> Result<Option<u32>, String> {
    let asked = asked(auditor, claims, place)?;
    let wants_zero = asked.says_zero == one.correct;
    let mut last = Rejection::AnotherQuestion;
    for (question, assumptions) in grounds(auditor, asked.question, wants_zero)? {
        match proof::check_for(&one.certificate, question, &assumptions) {
            Ok(checked) if checked.zero == wants_zero => return Ok(checked.error_bits),
            Ok(_) => return Err("the certificate shows the contrary".to_owned()),
            Err(Rejection::AnotherQuestion) => {}
            Err(rejection) => last = rejection,
        }
    }
    Err(last.to_string())
}

//! On which models of the gallery does a claim hold?
//!
//! In such claims `q[i]` is the i-th coordinate of each model and `n` the number of its coordinates. A model without the
//! i-th coordinate, or without something else that is named, is one that the claim does not speak of.

use engine::{Error, Loaded, Progress, Settings};
use mechanics::rows::Rows;
use serde::Serialize;

use crate::audit::{Audited, ClaimVerdict, Outcome, judged};

/// What was found of claims on all models of the gallery.
#[derive(Clone, Debug, Serialize)]
pub struct Everywhere {
    /// The worst verdict on a model; unknown if the claims speak of none.
    pub verdict: ClaimVerdict,
    /// The models, the simplest classes first.
    pub models: Vec<OnModel>,
    /// The simplest class on which a claim is wrong, with a model of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fails_first: Option<Failure>,
    /// Whether all models were looked at; somebody may have wished to stop.
    pub complete: bool,
    /// Whether the claims are right.
    #[serde(skip)]
    pub outcome: Outcome,
}

/// The first failure of claims.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// The class of systems.
    pub class: String,
    /// A model of it.
    pub model: String,
    /// The claim.
    pub claim: String,
}

/// Claims on one model.
#[derive(Clone, Debug, Serialize)]
pub struct OnModel {
    /// Its name in the gallery.
    pub model: String,
    /// The class of its constraints, with what makes it harder.
    pub class: String,
    /// The worst verdict; none where the claims do not speak of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<ClaimVerdict>,
    /// Why they do not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The claims.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Audited>,
    /// The place of its class among all, the simplest first.
    #[serde(skip)]
    rank: usize,
}

/// Audits claims on every model of the gallery. Each claim is judged by itself: that a set leaves motions open is not said.
///
/// ```
/// let text = "claim lagrange[i]: diff(kinetic(), q[i]')' - diff(kinetic(), q[i]) = force(q[i]) for i in 1..n";
/// let found = audit::audit_gallery(("mine.claims", text), &|name| name == "double-pendulum", &mut engine::Alone)?;
/// assert_eq!(found.models[0].verdict, Some(audit::ClaimVerdict::Correct));
/// # Ok::<(), engine::Error>(())
/// ```
pub fn audit_gallery(
    (file, text): (&str, &str),
    takes: &dyn Fn(&str) -> bool,
    progress: &mut dyn Progress,
) -> Result<Everywhere, Error> {
    let lines = model::read_lines(text).map_err(|errors| Error::of_text(file, text, &errors))?;
    if !lines.iter().any(|line| matches!(line.declaration, model::Declaration::Claim(_))) {
        return Err(Error::new(format!("there is no `claim` in {file}")).hint("write `claim new[i]: … for i in 1..n`"));
    }
    progress.begins("auditing the gallery");
    let mut models = Vec::new();
    let wanted: Vec<&str> = engine::GALLERY.iter().map(|example| example.name).filter(|name| takes(name)).collect();
    for (place, name) in wanted.iter().enumerate() {
        if !progress.reached(place as f64 / wanted.len() as f64) {
            break;
        }
        models.push(on_model(name, (file, text))?);
    }
    let complete = models.len() == wanted.len();
    models.sort_by_key(|one| one.rank);
    let is = |one: &&OnModel, wanted: &ClaimVerdict| one.verdict.as_ref() == Some(wanted);
    let first = models.iter().find(|one| is(one, &ClaimVerdict::Wrong));
    let fails_first = first.map(|one| Failure {
        class: one.class.clone(),
        model: one.model.clone(),
        claim: one
            .claims
            .iter()
            .find(|claim| claim.verdict == ClaimVerdict::Wrong)
            .map_or("", |claim| &claim.name)
            .into(),
    });
    let any = |wanted: ClaimVerdict| models.iter().any(|one| is(&one, &wanted));
    let (verdict, outcome) = if fails_first.is_some() {
        (ClaimVerdict::Wrong, Outcome::Refuted)
    } else if any(ClaimVerdict::Unknown) || !complete || models.iter().all(|one| one.verdict.is_none()) {
        (ClaimVerdict::Unknown, Outcome::Undecided)
    } else if any(ClaimVerdict::Incomplete) {
        (ClaimVerdict::Incomplete, Outcome::Refuted)
    } else {
        (ClaimVerdict::Correct, Outcome::Proved)
    };
    Ok(Everywhere { verdict, models, fails_first, complete, outcome })
}

fn on_model(name: &str, (file, text): (&str, &str)) -> Result<OnModel, Error> {
    let plain = engine::load(&Settings::gallery(name)?)?;
    let (rank, class) = class(&plain);
    let silent = |reason: String| OnModel {
        model: name.to_owned(),
        class: class.clone(),
        verdict: None,
        reason: Some(reason),
        claims: Vec::new(),
        rank,
    };
    let claims = match plain.model.about_coordinates(text) {
        Ok(claims) => claims,
        Err(errors) => return Ok(silent(errors.first().map(|error| error.message.clone()).unwrap_or_default())),
    };
    let settings = crate::with_claims(plain.settings.clone(), file, &claims)?;
    let judged = engine::load(&settings).and_then(|loaded| judged(&loaded));
    let audit = match judged {
        Ok(audit) => audit,
        Err(error) => return Ok(silent(error.message().lines().next().unwrap_or_default().to_owned())),
    };
    let worst = |claims: &[Audited]| {
        let has = |verdict: ClaimVerdict| claims.iter().any(|claim| claim.verdict == verdict).then_some(verdict);
        has(ClaimVerdict::Wrong)
            .or_else(|| has(ClaimVerdict::Unknown))
            .or_else(|| has(ClaimVerdict::Incomplete))
            .or_else(|| claims.iter().map(|claim| &claim.verdict).find(|one| **one != ClaimVerdict::Correct).cloned())
            .unwrap_or(ClaimVerdict::Correct)
    };
    let verdict = Some(worst(&audit.claims));
    Ok(OnModel { model: name.to_owned(), class, verdict, reason: None, claims: audit.claims, rank })
}

/// The class of a model, and its place among all.
fn class(loaded: &Loaded) -> (usize, String) {
    let _in = loaded.enter();
    let system = &loaded.system;
    let Ok(rows) = Rows::of(system, &loaded.mode, &loaded.at) else { return (9, "other".to_owned()) };
    let highest = rows.list.iter().map(|row| row.order).max();
    let q_dot = system.q_dot();
    let is_linear = |f| expr::linear_coefficients(&[f], &q_dot).is_ok();
    let (mut rank, name) = match highest {
        None => (0, "no constraints"),
        Some(0) => (1, "holonomic constraints"),
        Some(1) if rows.list.iter().filter(|row| row.order == 1).all(|row| is_linear(row.f)) => {
            (2, "constraints linear in rates")
        }
        Some(1) => (3, "constraints not linear in rates"),
        Some(_) => (4, "constraints of second order"),
    };
    let mut class = name.to_owned();
    let masses = system.points.iter().filter_map(|one| one.mass).chain(system.bodies.iter().map(|one| one.mass));
    let varies = |mass: expr::Expr| {
        mass.symbols().iter().any(|one| one.as_symbol().is_some_and(|one| one.kind != expr::Kind::Parameter))
    };
    if masses.into_iter().any(varies) {
        (rank, class) = (rank + 5, class + ", variable mass");
    }
    if !system.frictions.is_empty() {
        (rank, class) = (rank + 10, class + ", friction");
    }
    (rank, class)
}

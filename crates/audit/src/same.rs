//! Do two models describe one system in other coordinates?
//!
//! ```text
//! x = X(q, t)                       every coordinate of one model by those of the other                            (1)
//! f(X, X', t) = 0                   its constraints hold on every motion of the other                              (2)
//! X'' = D(X, X', t)                 its accelerations D are those of the image of that motion                      (3)
//! rank ∂X'/∂u = freedoms            as many freedoms and free constants on both sides, and none is lost by (1)     (4)
//! ```
//!
//! By (2) and (3) the image of a motion is a motion; by (4) and since a state determines its motion, every motion near a
//! regular state is such an image. Parameters and inputs of one name are one; others may stand in (1) too.
//!
//! Constraints that open, close or switch, friction and restitution are compared one by one (`unlike`); then (2) to (4) speak of
//! the mode that both are in at their starts, and say so.

mod unlike;

use engine::{Agreement, Error, Loaded, Ordered, Progress};
use expr::{Comparison, Expr, Substitution};
use mechanics::agreement::Solution;
use mechanics::chart::ChartKind;
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;
use mechanics::{Fact, Mode, Relation, System, Term};
use proof::linear::{Matrix, rank};
use serde::Serialize;

use crate::audit::{Auditor, Vanishing, with_auditor};
use unlike::Pair;

/// What is asked: is a model the same system as another one?
#[derive(Clone, Debug, Default)]
pub struct SameAs {
    /// The coordinates of one model by those of the other: `x = r*cos(phi), y = r*sin(phi)`.
    pub by: String,
}

/// Whether two models move alike.
#[derive(Clone, Debug, Serialize)]
pub struct Sameness {
    /// The model whose coordinates are given by those of the other.
    pub model: String,
    /// The other.
    pub same_as: String,
    /// `equivalent`, `different` or `unknown`.
    pub verdict: Agreement,
    /// What was put in for what.
    #[serde(rename = "where")]
    pub by: Ordered<String>,
    /// How many freedoms each has.
    pub freedoms: [usize; 2],
    /// What differs, or what stopped the proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Values of parameters without which they differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// A state of the other model at which they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Apart>,
    /// What was relied on.
    pub assumptions: Vec<String>,
}

/// A state at which two models move apart.
#[derive(Clone, Debug, Serialize)]
pub struct Apart {
    /// The state, in the coordinates of the other model.
    pub state: Ordered<f64>,
    /// Parameters there, where they are not those of the model.
    #[serde(skip_serializing_if = "Ordered::is_empty")]
    pub parameters: Ordered<f64>,
    /// The accelerations of the first model there.
    pub a: Ordered<f64>,
    /// The same coordinates as the second model moves.
    pub b: Ordered<f64>,
}

/// Whether a model is the same system as another one.
///
/// ```
/// let plane = "param m = 2 kg\ncoord x, y : m\npoint P = (x, y) mass m\npotential 3 N/m*(x^2 + y^2)/2\n";
/// let polar = "param m = 2 kg\ncoord r : m\ncoord a : rad\npoint P = r*(cos(a), sin(a)) mass m\n\
///              potential 3 N/m*r^2/2\nstart r = 1 m\n";
/// let open = |name, text| engine::load(&engine::Settings::new(name, text));
/// let wanted = audit::SameAs { by: "x = r*cos(a), y = r*sin(a)".to_owned() };
/// let found = audit::same_as(&open("plane", plane)?, &open("polar", polar)?, &wanted, &mut engine::Alone)?;
/// assert_eq!(found.verdict, engine::Agreement::Equivalent);
/// # Ok::<(), engine::Error>(())
/// ```
pub fn same_as(
    model: &Loaded,
    other: &Loaded,
    wanted: &SameAs,
    progress: &mut dyn Progress,
) -> Result<Sameness, Error> {
    let pairs = pairs(&wanted.by)?;
    let names =
        |loaded: &Loaded| -> Vec<String> { loaded.system.coordinates.iter().map(|one| one.name.clone()).collect() };
    let is_given = |loaded: &Loaded| names(loaded).iter().all(|name| pairs.iter().any(|pair| pair.0 == *name));
    // coordinates of the second by those of the first are as good
    let (model, other) = match (is_given(model), is_given(other)) {
        (false, true) => (other, model),
        _ => (model, other),
    };
    if let Some(name) = names(model).iter().find(|name| !pairs.iter().any(|pair| pair.0 == **name)) {
        let message = format!("the coordinate `{name}` of {} is not given by those of {}", model.file, other.file);
        return Err(bad(message).hint(format!("write it down: `{name} = …`")));
    }
    progress.begins("comparing two models");
    let mut settings = other.settings.clone();
    let line =
        |(place, (_, value)): (usize, &(String, String))| format!("claim where_{}: constant {value}\n", place + 1);
    settings.with.push(("where".to_owned(), pairs.iter().enumerate().map(line).collect()));
    let with_images = engine::load(&settings)?;
    let _in = with_images.enter();
    with_auditor(&with_images, |auditor| compared(auditor, model, &pairs))?
}

fn bad(message: impl std::fmt::Display) -> Error {
    Error::new(message)
}

/// `x = r*cos(phi), y = r*sin(phi)` as names and texts.
fn pairs(text: &str) -> Result<Vec<(String, String)>, Error> {
    let (mut parts, mut depth) = (vec![String::new()], 0_i32);
    for letter in text.chars() {
        depth += i32::from(matches!(letter, '(' | '[')) - i32::from(matches!(letter, ')' | ']'));
        match (letter, depth) {
            (',' | '\n', 0) => parts.push(String::new()),
            _ => parts.last_mut().unwrap_or(&mut String::new()).push(letter),
        }
    }
    let mut list: Vec<(String, String)> = Vec::new();
    for part in parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()) {
        let Some((name, value)) = part.split_once('=') else {
            return Err(bad(format!("`{part}` is no equation")).hint("write `x = r*cos(phi), y = r*sin(phi)`"));
        };
        let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
        if list.iter().any(|one| one.0 == name) {
            return Err(bad(format!("`{name}` is given twice")));
        }
        list.push((name, value));
    }
    Ok(list)
}

/// The images (1) that were read with the other model, in the order in which they were given.
fn images(system: &System, count: usize) -> Result<Vec<Expr>, Error> {
    let value = |place: usize| {
        let name = format!("where_{}", place + 1);
        let found = system.statements.iter().find(|one| one.name == name).map(|one| &one.fact);
        match found {
            Some(Fact::Constant { value: Term::Scalar(e), .. }) => Ok(*e),
            _ => Err(bad(format!("the value of equation {} is no scalar of coordinates and time", place + 1))),
        }
    };
    (0..count).map(value).collect()
}

/// Is it one system? In the graph of the other model.
fn compared(auditor: &Auditor<'_>, first: &Loaded, pairs: &[(String, String)]) -> Result<Sameness, Error> {
    let other = &auditor.loaded.system;
    let values = images(other, pairs.len())?;
    let told = |error: &dyn std::fmt::Display| bad(format!("{}: {error}", first.file));
    let wrong = |errors: &[syntax::Diagnostic]| Error::of_model(&first.model.sources, errors);
    let mut system = mechanics::lower(&first.model).map_err(|errors| wrong(&errors))?;
    let (mode, at) = engine::acting(first, &mut system).map_err(|error| told(&error))?;
    let rows = Rows::of(&system, &mode, &at).map_err(|error| engine::forms::no_rows(first, error))?;
    engine::forms::linear(first, &rows)?;
    let given = Ingredients::of(&system, &mode, &rows, ChartKind::Rates, &at);
    let put = put(&system, pairs, &values)?;
    known_parameters(&system, other, pairs)?;
    let mut found = Sameness {
        model: first.file.clone(),
        same_as: auditor.loaded.file.clone(),
        verdict: Agreement::Unknown,
        by: pairs.iter().cloned().collect(),
        freedoms: [0, auditor.chart.w.len()],
        reason: None,
        values: Vec::new(),
        witness: None,
        assumptions: auditor.relied_on(),
    };
    let unlike = Pair { auditor, file: &first.file, system: &system, mode: &mode, put: &put }.unlike();
    if let Some(unlike) = unlike.as_ref().filter(|unlike| !unlike.comparable) {
        found.reason = Some(unlike.reason.clone());
        return Ok(found);
    }
    if !takes(auditor, &mode, &put, &mut found.assumptions) {
        found.reason = Some("at their starts contacts slide in other directions, or press otherwise".to_owned());
        return Ok(found);
    }
    let solved = given.chart().ok().and_then(|chart| {
        found.freedoms[0] = chart.w.len();
        let residuals = mechanics::mistake::residuals(&given).ok()?;
        Solution::in_chart(&residuals, &given, &rows)?.put(&given.q_ddot)
    });
    let Some(accelerations) = solved else {
        found.reason = Some(format!("the accelerations of {} are not found at its start", first.file));
        return Ok(found);
    };
    if found.freedoms[0] != found.freedoms[1] {
        let [a, b] = found.freedoms;
        (found.verdict, found.reason) = (Agreement::Different, Some(format!("they have {a} and {b} freedoms")));
        return Ok(found);
    }
    if let Some(why) = other_constants([(&given, &rows), (auditor.given, auditor.rows)]) {
        (found.verdict, found.reason) = (Agreement::Different, Some(why));
        return Ok(found);
    }
    let Some((own, moved)) = on_motion(auditor, &put, &accelerations, &given.q_ddot) else {
        found.reason = Some("its coordinates cannot be followed on the motion".to_owned());
        return Ok(found);
    };
    judge(auditor, &mut found, &rows, &put, (&own, &moved), &given.q_ddot);
    if let Some(unlike) = unlike.filter(|_| found.verdict <= Agreement::Equivalent) {
        (found.verdict, found.reason) = (Agreement::Unknown, Some(unlike.reason));
    }
    Ok(found)
}

/// How many constants a motion has: coordinates and rates, less what the constraints say of each.
fn constants(given: &Ingredients<'_>, rows: &Rows) -> usize {
    let said = |order: u32| {
        let slopes = rows.list.iter().filter(|row| row.order <= order).map(|row| row.A.clone());
        let slopes: Vec<Vec<Expr>> = slopes.collect();
        if slopes.is_empty() { 0 } else { rank(&Matrix::from_rows(&slopes)).rank }
    };
    (2 * given.q.len()).saturating_sub(said(0) + said(1))
}

/// That the motions of two models do not have as many free constants.
fn other_constants(models: [(&Ingredients<'_>, &Rows); 2]) -> Option<String> {
    let [a, b] = models.map(|(given, rows)| constants(given, rows));
    let why = "not every motion of one is an image of the other's";
    (a != b).then(|| format!("their motions have {a} and {b} free constants: {why}"))
}

/// Whether some motion of the second model is in the mode of the first; what that takes for granted is noted.
fn takes(auditor: &Auditor<'_>, mode: &Mode, put: &Substitution, assumed: &mut Vec<String>) -> bool {
    let relations = mode.held.iter().flat_map(|held| &held.assumed).filter_map(Relation::scalars);
    let image =
        |(left, is, right): (Expr, Comparison, Expr)| Some((auditor.image(put.apply_one(left - right).ok()?)?, is));
    let Some(relations) = relations.map(image).collect::<Option<Vec<(Expr, Comparison)>>>() else { return false };
    for (e, is) in &relations {
        let texts = proof::Assumptions::none().and(*e, *is, Expr::zero()).texts();
        let new: Vec<String> = texts.into_iter().filter(|text| !assumed.contains(text)).collect();
        assumed.extend(new);
    }
    relations.is_empty() || auditor.admits(&relations)
}

/// What is put in for the letters of the first model: coordinates with their rates and accelerations, parameters.
fn put(system: &System, pairs: &[(String, String)], values: &[Expr]) -> Result<Substitution, Error> {
    let mut map = Substitution::new();
    for ((name, _), &value) in pairs.iter().zip(values) {
        if let Some(one) = system.coordinates.iter().find(|one| one.name == *name) {
            let rate = expr::total_derivative(value).map_err(bad)?;
            let second = expr::total_derivative(rate).map_err(bad)?;
            map.extend([(one.q, value), (one.q_dot, rate), (one.q_ddot, second)]);
        } else if let Some(one) = system.parameters.iter().find(|one| one.name == *name) {
            map.insert(one.symbol, value);
        } else {
            return Err(bad(format!("`{name}` is neither a coordinate nor a parameter")));
        }
    }
    Ok(map)
}

/// Parameters of one name must have one value; one that only the first model has must be given.
fn known_parameters(system: &System, other: &System, pairs: &[(String, String)]) -> Result<(), Error> {
    for one in system.parameters.iter().filter(|one| !pairs.iter().any(|pair| pair.0 == one.name)) {
        let name = &one.name;
        match other.parameters.iter().find(|same| same.name == *name) {
            None => {
                let message = format!("the parameter `{name}` is in one of the models only");
                return Err(bad(message).hint(format!("say what it is in the other: `{name} = …`")));
            }
            Some(same) if one.value.is_some() && same.value.is_some() && one.value != same.value => {
                return Err(bad(format!("the parameter `{name}` has another value in each model"))
                    .hint("give both one value, or rename one of them and say which is which"));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// The accelerations of the first model, and those of its coordinates, on the motion of the other.
fn on_motion(
    auditor: &Auditor<'_>,
    put: &Substitution,
    accelerations: &[Expr],
    q_ddot: &[Expr],
) -> Option<(Vec<Expr>, Vec<Expr>)> {
    let own = auditor.solution.put(&put.apply(accelerations).ok()?)?;
    let moved = auditor.solution.put(&put.apply(q_ddot).ok()?)?;
    Some((own, moved))
}

/// Decides (2), (3) and (4).
fn judge(
    auditor: &Auditor<'_>,
    found: &mut Sameness,
    rows: &Rows,
    put: &Substitution,
    (own, moved): (&[Expr], &[Expr]),
    q_ddot: &[Expr],
) {
    for row in &rows.list {
        // an acceleration row holds if (3) does
        let image = (row.order < 2).then(|| put.apply_one(row.f).ok()).flatten();
        let Some(e) = image.and_then(|e| auditor.solution.put(&[e])).map(|list| list[0]) else { continue };
        if let Some((verdict, why)) = not_zero(auditor, e, &mut found.values) {
            let (why, name) = (why.map(|why| format!(": {why}")).unwrap_or_default(), &row.name);
            let says = if verdict == Agreement::Different { "does not hold" } else { "is undecided" };
            (found.verdict, found.reason) = (verdict, Some(format!("the constraint `{name}` {says}{why}")));
            return;
        }
    }
    for (place, (&own, &moved)) in own.iter().zip(moved).enumerate() {
        if let Some((verdict, why)) = not_zero(auditor, own - moved, &mut found.values) {
            let (why, name) = (why.map(|why| format!(": {why}")).unwrap_or_default(), q_ddot[place]);
            let says = if verdict == Agreement::Different { "differs" } else { "is undecided" };
            (found.verdict, found.reason) = (verdict, Some(format!("`{name}` {says}{why}")));
            break;
        }
    }
    if found.verdict == Agreement::Different {
        found.witness = apart(auditor, (own, moved), q_ddot);
        return;
    }
    if found.reason.is_some() {
        return;
    }
    let images: Vec<Vec<Expr>> = moved_slopes(auditor, put, q_ddot).unwrap_or_default();
    match !images.is_empty() && rank(&Matrix::from_rows(&images)).rank == found.freedoms[1] {
        true => found.verdict = Agreement::Equivalent,
        false => found.reason = Some("motions of the second model that differ have one image in the first".to_owned()),
    }
}

/// ∂X''/∂w, which is ∂X'/∂u.
fn moved_slopes(auditor: &Auditor<'_>, put: &Substitution, q_ddot: &[Expr]) -> Option<Vec<Vec<Expr>>> {
    let images = put.apply(q_ddot).ok()?;
    let images = auditor.chart.on_shell(&images, auditor.given.system).ok()?;
    expr::jacobian(&images, &auditor.chart.w).ok()
}

/// How something stands that does not vanish for certain, and why; values that make it vanish are noted.
fn not_zero(auditor: &Auditor<'_>, e: Expr, needed: &mut Vec<String>) -> Option<(Agreement, Option<String>)> {
    match auditor.vanishes(e) {
        Vanishing::Always => None,
        Vanishing::Not => Some((Agreement::Different, None)),
        Vanishing::WithValues(values) => {
            let new: Vec<String> = values.into_iter().filter(|one| !needed.contains(one)).collect();
            needed.extend(new);
            None
        }
        Vanishing::Undecided(why) => Some((Agreement::Unknown, Some(why))),
    }
}

/// The state at which the accelerations differ most.
fn apart(auditor: &Auditor<'_>, (own, moved): (&[Expr], &[Expr]), q_ddot: &[Expr]) -> Option<Apart> {
    let named = |list: Vec<f64>| q_ddot.iter().map(Expr::to_string).zip(list).collect::<Ordered<f64>>();
    let (a, b, shown) = auditor.farthest(own, moved)?;
    Some(Apart { state: shown.state, parameters: shown.parameters, a: named(a), b: named(b) })
}

//! Which verb is asked, and by which question?

use std::sync::Arc;

use anholon::{Error, Model, Progress, Simulation};
use pages::equations::Shape;
use serde_json::{Map, Value, json};

use crate::{Asked, Question};

/// The verbs that ask a model.
pub const VERBS: [&str; 13] = [
    "check",
    "derive",
    "prove",
    "verify",
    "audit",
    "evaluate",
    "simulate",
    "linearize",
    "equilibria",
    "integrals",
    "solve",
    "export",
    "report",
];

/// The verbs that need no model.
pub const ALONE: [&str; 8] = ["forms", "explain", "same", "simplify", "diff", "format", "gallery", "template"];

type Answer = Result<Asked, Error>;

/// Asks without a model.
pub fn alone(verb: &str, question: &Value) -> Answer {
    let mut given = Question::new(verb, question)?;
    match verb {
        "forms" => {
            given.finish()?;
            let forms = anholon::library::forms();
            Asked::new(&json!({ "forms": forms }), &pages::explain::list(&forms), 0)
        }
        "explain" => {
            let form = given.needed("form")?;
            given.finish()?;
            let page = anholon::library::explain(&form)?;
            Asked::new(&page, &pages::explain::page(&page), 0)
        }
        "same" => same(given),
        "simplify" | "diff" => expression(verb, given),
        "format" => format(given),
        "used" => {
            let (file, text) = (given.needed("file")?, given.needed("text")?);
            given.finish()?;
            let files = anholon::used(&file, &text);
            Asked::new(&json!({ "files": files }), &files.join("\n"), 0)
        }
        "gallery" => gallery(given),
        "template" => {
            given.finish()?;
            let text = anholon::library::template();
            Asked::new(&json!({ "text": text }), text.trim_end(), 0)
        }
        _ => Err(unknown(verb)),
    }
}

/// Asks a model.
pub fn of_model(model: &Model, verb: &str, given: Question<'_>, progress: &mut dyn Progress) -> Answer {
    match verb {
        "check" => check(model, given, progress),
        "derive" => derive(model, given, progress),
        "prove" => prove(model, given, progress),
        "verify" => verify(model, given, progress),
        "audit" => audit(model, given, progress),
        "evaluate" => evaluate(model, given, progress),
        "simulate" => simulate(model, given, progress),
        "linearize" => linearize(model, given, progress),
        "equilibria" => equilibria(model, given, progress),
        "integrals" => integrals(model, given, progress),
        "solve" => solve(model, given, progress),
        "export" => export(model, given, progress),
        "report" => report(model, given, progress),
        _ => Err(unknown(verb)),
    }
}

fn unknown(verb: &str) -> Error {
    let all = || VERBS.into_iter().chain(ALONE);
    let error = Error::new(format!("there is no verb `{verb}`"));
    match syntax::nearest(verb, all()) {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None => error.hint(format!("there are {}", all().collect::<Vec<_>>().join(", "))),
    }
}

fn same(mut given: Question<'_>) -> Answer {
    let (left, right, assume) = (given.needed("left")?, given.needed("right")?, given.texts("assume")?);
    given.finish()?;
    let answer = anholon::expression::same(&left, &right, &assume)?;
    Asked::new(&answer, &pages::show::same(&answer), pages::code::same(&answer))
}

fn expression(verb: &str, mut given: Question<'_>) -> Answer {
    let (expression, latex) = (given.needed("expression")?, given.flag("latex")?);
    let page = |text: &str, typeset: &str| if latex { typeset.to_owned() } else { text.to_owned() };
    if verb == "simplify" {
        let by = given.names("by")?;
        given.finish()?;
        let answer = anholon::expression::simplify(&expression, &by)?;
        return Asked::new(&answer, &page(&answer.simplified, &answer.latex), 0);
    }
    let symbol = given.needed("symbol")?;
    given.finish()?;
    let answer = anholon::expression::differentiate(&expression, &symbol)?;
    let note = match answer.occurs {
        true => String::new(),
        false => format!("\nnote: `{}` does not occur in the expression", answer.symbol),
    };
    Asked::new(&answer, &(page(&answer.derivative, &answer.latex) + &note), 0)
}

/// The canonical form of the text of a model; the code is 1 if it had another.
fn format(mut given: Question<'_>) -> Answer {
    let (file, text) = (given.text("file")?, given.needed("text")?);
    given.finish()?;
    let formatted = anholon::format(file.as_deref().unwrap_or("model"), &text)?;
    let changed = formatted != text;
    Asked::new(&json!({ "text": formatted, "changed": changed }), formatted.trim_end(), u8::from(changed))
}

/// The models of the gallery, or the text of one, of claims too.
fn gallery(mut given: Question<'_>) -> Answer {
    let name = given.text("name")?;
    given.finish()?;
    if let Some(name) = name {
        let text = match anholon::library::claims(&name) {
            Ok(file) => file.text,
            Err(_) => anholon::library::example(&name)?.text,
        };
        return Asked::new(&json!({ "name": name, "text": text }), text.trim_end(), 0);
    }
    Asked::new(&pages::gallery::object(), &pages::gallery::list(), 0)
}

fn check(model: &Model, mut given: Question<'_>, progress: &mut dyn Progress) -> Answer {
    let show = match given.text("show")?.as_deref() {
        None => None,
        Some("expansion") => Some(anholon::Show::Expansion),
        Some("displacements") => Some(anholon::Show::Displacements),
        Some("velocities") => Some(anholon::Show::Velocities),
        Some("accelerations") => Some(anholon::Show::Accelerations),
        Some(other) => {
            let wrong = Error::new(format!("`check` cannot show `{other}`")).of(anholon::Field::Show);
            return Err(wrong.hint("there are expansion, displacements, velocities and accelerations"));
        }
    };
    given.finish()?;
    let answer = anholon::check(model, &anholon::Inspect { show }, progress)?;
    Asked::new(&answer, &pages::checks::page(&answer), pages::code::checked(&answer))
}

fn derive(model: &Model, mut given: Question<'_>, progress: &mut dyn Progress) -> Answer {
    let wanted = anholon::Derive {
        form: given.text("form")?,
        in_rates: given.flag("rates")?,
        reactions: given.flag("reactions")?,
        correction: given.flag("correction")?,
        steps: given.flag("steps")?,
        matrices: given.flag("matrices")?,
        explicit: given.flag("explicit")?,
    };
    let shape = match (given.flag("latex")?, given.flag("mathml")?) {
        (true, true) => return Err(Error::new("`derive` writes `latex` or `mathml`, and not both")),
        (true, _) => Shape::Latex,
        (_, true) => Shape::MathMl,
        _ => Shape::Text,
    };
    given.finish()?;
    let derived = anholon::derive(model, &wanted, progress)?;
    let page = pages::equations::pages(&derived, None, shape);
    Asked::new(&pages::equations::objects(&derived, None), &page, pages::code::derived(&derived))
}

/// With `certificate`, the answer carries it. With `same_as`, the text of another model or `gallery:NAME`, and `where`, the two are
/// compared.
fn prove(model: &Model, mut given: Question<'_>, progress: &mut dyn Progress) -> Answer {
    if let Some(other) = given.text("same_as")? {
        let wanted = anholon::SameAs { by: given.text("where")?.unwrap_or_default() };
        given.finish()?;
        let settings = match other.strip_prefix("gallery:") {
            Some(name) => anholon::Settings::gallery(name)?,
            None => anholon::Settings::new("same_as", &other),
        };
        let found = anholon::same_as(model, &anholon::open(&settings)?, &wanted, progress)?;
        return Asked::new(&found, &pages::proofs::same(&found), pages::code::same_system(&found));
    }
    let wanted = anholon::Prove { forms: given.names("forms")?, certificate: given.flag("certificate")? };
    given.finish()?;
    let mut proved = anholon::prove(model, &wanted, progress)?;
    let certificate = match proved.certificate.take() {
        Some(Ok(file)) => Some(serde_json::to_value(&file).map_err(Error::new)?),
        Some(Err(reason)) => return Err(Error::new(format!("no certificate was written: {reason}"))),
        None => None,
    };
    let page = pages::proofs::page(&proved, None).join("\n");
    Asked::new(&pages::proofs::object(&proved, None, certificate), &page, pages::code::proved(&proved))
}

/// The certificate is a text, or the data that `prove` or `audit` gave.
fn verify(model: &Model, mut given: Question<'_>, progress: &mut dyn Progress) -> Answer {
    let certificate = match given.take("certificate") {
        Some(Value::String(text)) => text,
        Some(data) => data.to_string(),
        None => return Err(Error::new("`verify` needs `certificate`")),
    };
    given.finish()?;
    let verified = anholon::verify(model, &anholon::Replay { certificate }, progress)?;
    Asked::new(&verified, &pages::proofs::replayed(&verified), pages::code::verified(&verified))
}

/// Claims are texts, or `gallery:NAME`; without them, those of the model are audited. With `certificate`, the answer carries it.
fn audit(model: &Model, mut given: Question<'_>, progress: &mut dyn Progress) -> Answer {
    let mut claims = given.files("claims")?;
    let wanted = anholon::Claims { certificate: given.flag("certificate")?, ..anholon::Claims::default() };
    given.finish()?;
    for (file, text) in &mut claims {
        if let Some(name) = text.strip_prefix("gallery:") {
            let found = anholon::library::claims(name)?.text.to_owned();
            (*file, *text) = (text.clone(), found);
        }
    }
    let add = |settings, (file, text)| pages::audits::settings(settings, file, text);
    let other = match claims.is_empty() {
        true => None,
        false => Some(anholon::open(&claims.into_iter().try_fold(model.settings.clone(), add)?)?),
    };
    let mut answer = anholon::audit(other.as_ref().unwrap_or(model), &wanted, progress)?;
    let certificate = match answer.certificate.take() {
        Some(Ok(file)) => Some(serde_json::to_value(&file).map_err(Error::new)?),
        Some(Err(reason)) => return Err(Error::new(format!("no certificate was written: {reason}"))),
        None => None,
    };
    let object = pages::audits::object(&answer, certificate);
    Asked::new(&object, &pages::audits::page(&answer), pages::code::judged(answer.outcome))
}

fn evaluate(model: &Model, mut given: Question<'_>, progress: &mut dyn Progress) -> Answer {
    let wanted = anholon::Evaluate { form: given.text("form")? };
    given.finish()?;
    let answer = anholon::evaluate(model, &wanted, progress)?;
    Asked::new(&answer, &pages::numbers::page(&answer), pages::code::evaluated(&answer))
}

/// The question about a motion: what `simulate` asks.
fn motion(given: &mut Question<'_>) -> Result<anholon::Simulate, Error> {
    Ok(anholon::Simulate {
        duration: given.number("for")?,
        back: given.number("back")?,
        times: given.numbers("times")?,
        every: given.number("every")?,
        tolerance: given.number("tolerance")?,
        method: given.text("method")?.map(|name| pages::motion::method(&name)).transpose()?,
        step: given.number("step")?,
        form: given.text("form")?,
        keeps: given.flag("checkpoint")?,
        resume: resume(given.text("resume")?)?,
    })
}

/// The checkpoint that a motion goes on from, by its text.
fn resume(text: Option<String>) -> Result<Option<Arc<anholon::Checkpoint>>, Error> {
    text.map(|text| anholon::Checkpoint::read(&text).map(Arc::new)).transpose()
}

/// A motion as the engine has it, for shells that take its numbers without JSON between.
pub fn simulation(model: &Model, question: &Value, progress: &mut dyn Progress) -> Result<Simulation, Error> {
    let mut given = Question::new("simulate", question)?;
    let other = crate::model::changed(model, &mut given)?;
    let wanted = motion(&mut given)?;
    given.finish()?;
    anholon::simulate(other.as_ref().unwrap_or(model), &wanted, progress)
}

fn simulate(model: &Model, mut given: Question<'_>, progress: &mut dyn Progress) -> Answer {
    let wanted = motion(&mut given)?;
    let (columns, against) = (given.names("columns")?, given.text("against")?);
    given.finish()?;
    if against.is_some() && columns.is_empty() {
        return Err(Error::new("`against` does nothing without `columns`"));
    }
    let found = anholon::simulate(model, &wanted, progress)?;
    let drawn = match columns.is_empty() {
        true => String::new(),
        false => anholon::picture::terminal(&found, &columns, against.as_deref())?,
    };
    let page = pages::motion::page(&found, None, &drawn, &[]);
    let mut object = pages::motion::object(&found, None);
    if let Some(checkpoint) = &found.checkpoint {
        object["checkpoint"] = checkpoint.text().into();
    }
    Asked::new(&object, &page, pages::code::simulated(&found))
}

fn linearize(model: &Model, mut given: Question<'_>, progress: &mut dyn Progress) -> Answer {
    let points = given.count("points")?.map(usize::try_from).transpose().map_err(Error::new)?;
    let wanted = anholon::Linearize {
        steady: given.values("steady")?,
        periodic: given.number("periodic")?,
        coordinates: given.names("coordinates")?,
        symbolic: given.names("symbolic")?,
        sweep: given.ranges("sweep")?,
        points,
        critical: given.ranges("critical")?,
        inputs: given.names("input")?,
        outputs: given.names("output")?,
    };
    let code = given.flag("code")?;
    given.finish()?;
    refuse_idle(model, &wanted, code)?;
    let answer = anholon::linearize(model, &wanted, progress)?;
    let page = pages::linear::answer(&answer, code, wanted.critical.is_some(), &[]);
    Asked::new(&answer, &page, pages::code::linearized(&answer))
}

/// What the command line refuses before anything runs.
fn refuse_idle(model: &Model, wanted: &anholon::Linearize, code: bool) -> Result<(), Error> {
    if wanted.steady.is_some() && model.settings.at.is_some() {
        return Err(Error::new("`steady` and `at` both say where to linearise").hint("leave one of them out"));
    }
    if code && wanted.symbolic.is_empty() {
        return Err(Error::new("`code` does nothing without `symbolic`"));
    }
    let others = [
        ("steady", wanted.steady.is_some()),
        ("coordinates", !wanted.coordinates.is_empty()),
        ("symbolic", !wanted.symbolic.is_empty()),
        ("sweep", wanted.sweep.is_some()),
        ("critical", wanted.critical.is_some()),
        ("input", !wanted.inputs.is_empty()),
        ("output", !wanted.outputs.is_empty()),
    ];
    match others.iter().find(|other| wanted.periodic.is_some() && other.1) {
        Some((key, _)) => Err(Error::new(format!("`periodic` cannot be asked together with `{key}`"))),
        None => Ok(()),
    }
}

fn equilibria(model: &Model, mut given: Question<'_>, progress: &mut dyn Progress) -> Answer {
    let wanted = anholon::Equilibria {
        within: given.ranges("box")?,
        near: given.values("near")?,
        relative: given.names("relative")?,
        solve: given.names("solve")?,
    };
    given.finish()?;
    let found = anholon::equilibria(model, &wanted, progress)?;
    Asked::new(&found, &pages::equilibria::page(&found, !wanted.solve.is_empty()), pages::code::equilibria(&found))
}

fn integrals(model: &Model, mut given: Question<'_>, progress: &mut dyn Progress) -> Answer {
    let wanted = anholon::Integrate { candidates: given.texts("test")? };
    given.finish()?;
    let answer = anholon::integrals(model, &wanted, progress)?;
    Asked::new(&answer, &pages::integrals::page(&answer), pages::code::judged(answer.outcome))
}

fn solve(model: &Model, given: Question<'_>, progress: &mut dyn Progress) -> Answer {
    given.finish()?;
    let answer = anholon::solve(model, &anholon::Solve::default(), progress)?;
    Asked::new(&answer, &pages::solve::page(&answer), pages::code::solved(&answer))
}

/// The files are data: `{"name": "text"}`.
fn export(model: &Model, mut given: Question<'_>, progress: &mut dyn Progress) -> Answer {
    let target = pages::export::target(&given.needed("to")?)?;
    let usual = anholon::Export::to(target);
    let wanted = anholon::Export {
        form: given.text("form")?,
        what: given.text("what")?.map_or(Ok(usual.what), |name| pages::export::what(&name))?,
        parameters: given.text("parameters")?.map_or(Ok(usual.parameters), |name| pages::export::parameters(&name))?,
        fmi: pages::export::version(target, given.text("fmi")?.map(|name| pages::export::fmi(&name)).transpose()?)?,
        ..usual
    };
    given.finish()?;
    let made = anholon::export(model, &wanted, progress)?;
    let files: Map<String, Value> =
        made.files.iter().map(|file| (file.name.clone(), Value::String(file.text.clone()))).collect();
    let page: Vec<String> = made.files.iter().map(|file| format!("{}:\n{}", file.name, file.text.trim_end())).collect();
    let mut told = json!({ "model": made.model, "target": made.target, "files": files });
    if let Some(pack) = &made.pack {
        let place = pack.place(std::env::consts::OS, std::env::consts::ARCH);
        told["pack"] = json!({ "name": pack.name, "sources": pack.sources, "library": place });
    }
    Asked::new(&told, &page.join("\n\n"), 0)
}

/// One page with all that is known of a model; its text is data.
fn report(model: &Model, mut given: Question<'_>, progress: &mut dyn Progress) -> Answer {
    let wanted = pages::report::Report {
        forms: given.names("forms")?,
        duration: given.number("for")?,
        sweep: given.ranges("sweep")?,
        latex: given.flag("latex")?,
        viewer: None,
    };
    given.finish()?;
    let written = pages::report::report(model, &wanted, None, progress)?;
    let page = written.headings.join("\n");
    Asked::new(&json!({ "model": model.file, "text": written.text, "sections": written.headings }), &page, 0)
}

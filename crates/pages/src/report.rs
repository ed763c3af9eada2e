//! How does all that is known of a model look on one page? HTML that needs nothing else, or a LaTeX document.
//!
//! The verbs are asked one after the other; what one of them cannot answer is said in its place.

mod broken;
mod html;
mod tex;

use anholon::answer::Step;
use anholon::picture::Film;
use anholon::{Derivation, Derive, Error, Linearized, Model, Progress, Simulation};

/// The forms whose way is shown beside the usual one, if nothing is said.
const USUAL: [&str; 1] = ["appell"];
/// So many poses are drawn, and so many are in the film.
const POSES: usize = 7;
const FRAMES: usize = 150;
/// A step or a list of equations has at most so many lines on the page.
const MOST_LINES: usize = 60;
/// So many seconds are run, if nothing is said.
pub const SECONDS: f64 = 10.0;
/// So many columns stand in one chart.
const COLUMNS: usize = 8;

/// What is asked of a report.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The forms whose way is shown; the usual one and Appell's if there are none.
    pub forms: Vec<String>,
    /// How long the motion runs, in seconds; ten if nothing is said.
    pub duration: Option<f64>,
    /// A root locus along a parameter: v=0..10.
    pub sweep: Option<String>,
    /// Whether a LaTeX document is wanted in place of a page.
    pub latex: bool,
    /// The viewer of the studio as a part of a page, where the shell has it: it plays the motion in place of a film of lines.
    pub viewer: Option<&'static str>,
}

/// A report that was written.
pub struct Written {
    /// The page or the document.
    pub text: String,
    /// The headings of its sections.
    pub headings: Vec<String>,
}

/// A part of a report under its heading.
struct Section {
    heading: String,
    parts: Vec<Part>,
}

/// What stands in a section.
enum Part {
    /// A sentence.
    Words(String),
    /// Lines as they are.
    Lines(String),
    /// Formulas below each other.
    Formulas(Vec<Shown>),
    /// A step of a derivation.
    Step(Step),
    /// A picture as SVG.
    Picture(String),
    /// A mechanism in motion.
    Film(Film),
    /// The same for the viewer of the studio.
    Scene(String),
}

/// A formula in three shapes.
struct Shown {
    text: String,
    latex: String,
    mathml: String,
}

impl From<&anholon::Formula> for Shown {
    fn from(formula: &anholon::Formula) -> Shown {
        Shown { text: formula.text.clone(), latex: formula.latex.clone(), mathml: formula.mathml.clone() }
    }
}

/// The report of a model. `clock` tells seconds, where there is one.
pub fn report(
    model: &Model,
    wanted: &Report,
    clock: Option<&dyn Fn() -> f64>,
    progress: &mut dyn Progress,
) -> Result<Written, Error> {
    let sections = sections(model, wanted, clock, progress)?;
    let title = if model.system.title.is_empty() { &model.file } else { &model.system.title };
    let page = match wanted.latex {
        true => tex::document(title, &sections),
        false => html::page(title, &sections, wanted.viewer),
    };
    let headings = sections.into_iter().map(|section| section.heading).collect();
    Ok(Written { text: crate::flags::spelled(&page), headings })
}

/// A motion as a page that plays it: by the viewer of the studio where the shell has it, otherwise as a film of lines.
/// `made_by` goes with it.
pub fn animation(
    model: &Model,
    found: &Simulation,
    viewer: Option<&str>,
    made_by: &serde_json::Value,
) -> Result<String, Error> {
    let film = moved(model, found, viewer.is_some(), found.table.t.len())?;
    let title = if model.system.title.is_empty() { &model.file } else { &model.system.title };
    let mut parts: Vec<Part> = model.system.sources.iter().map(|one| Part::Words(format!("Source: {one}"))).collect();
    parts.push(film);
    let page = html::page(title, &[section("The motion", parts)], viewer);
    let data = made_by.to_string().replace('<', "\\u003c");
    let mark = format!("<script type=\"application/json\" id=\"made-by\">{data}</script>\n");
    let end = page.rfind("</body>").unwrap_or(page.len());
    Ok(crate::flags::spelled(&format!("{}{mark}{}", &page[..end], &page[end..])))
}

/// All sections, in their order.
fn sections(
    model: &Model,
    arguments: &Report,
    clock: Option<&dyn Fn() -> f64>,
    bar: &mut dyn Progress,
) -> Result<Vec<Section>, Error> {
    let motion = anholon::Simulate {
        duration: Some(arguments.duration.unwrap_or(SECONDS)),
        every: Some(arguments.duration.unwrap_or(SECONDS).abs() / FRAMES as f64),
        ..anholon::Simulate::default()
    };
    let found = anholon::simulate(model, &motion, bar);
    let mut all = vec![beginning(model, found.as_ref().ok(), arguments.viewer.is_some())];
    let check = anholon::check(model, &anholon::Inspect::default(), bar)?;
    all.push(section("The model, its constraints and its facts", vec![Part::Lines(crate::checks::page(&check))]));
    all.extend(derivations(model, arguments, bar)?);
    all.push(agreement(model, clock, bar)?);
    all.push(rest(model, bar));
    all.push(linear(model, arguments, bar));
    all.push(match found {
        Ok(found) => {
            let closer = anholon::picture::dense(model, &motion, &found, bar)?;
            moving(&found, closer.as_ref().unwrap_or(&found))
        }
        Err(error) => section("Motion", vec![Part::Words(format!("There is no motion: {error}"))]),
    });
    all.push(ending(model, arguments));
    Ok(all)
}

fn section(heading: &str, parts: Vec<Part>) -> Section {
    Section { heading: heading.to_owned(), parts }
}

/// Source, remarks, figure and film.
fn beginning(model: &Model, found: Option<&Simulation>, has_viewer: bool) -> Section {
    let mut parts: Vec<Part> = Vec::new();
    parts.extend(model.system.sources.iter().map(|source| Part::Words(format!("Source: {source}"))));
    parts.extend(model.system.notes.iter().map(|note| Part::Words(note.clone())));
    if let Some(found) = found {
        parts.extend(anholon::picture::figure(model, found, POSES, None).ok().map(Part::Picture));
        parts.extend(moved(model, found, has_viewer, FRAMES).ok());
    }
    section("The system", parts)
}

/// The mechanism in motion: for the viewer, or as a film of lines.
fn moved(model: &Model, found: &Simulation, has_viewer: bool, frames: usize) -> Result<Part, Error> {
    let scene = has_viewer.then(|| anholon::picture::scene(model, found).ok()).flatten();
    let scene = scene.and_then(|scene| serde_json::to_string(&scene).ok());
    match scene {
        Some(scene) => Ok(Part::Scene(scene)),
        None => anholon::picture::film(model, found, frames).map(Part::Film),
    }
}

/// The motion alone as a page, for a cell of a notebook: by the viewer, where the shell has it, or as a film of lines. Nothing for
/// a model without points.
pub fn film(model: &Model, found: &Simulation, viewer: Option<&str>) -> Option<String> {
    moved(model, found, viewer.is_some(), FRAMES).ok().map(|part| html::alone(&part, viewer))
}

/// The equations in the usual form, and the ways of the chosen forms.
fn derivations(model: &Model, arguments: &Report, bar: &mut dyn Progress) -> Result<Vec<Section>, Error> {
    let usual = anholon::derive(model, &Derive { steps: true, ..Derive::default() }, bar)?.remove(0);
    let mut all = vec![equations(&usual)];
    let named: Vec<String> = match arguments.forms.is_empty() {
        true => USUAL.iter().map(|&form| form.to_owned()).collect(),
        false => arguments.forms.iter().map(|form| form.trim().to_owned()).collect(),
    };
    if arguments.forms.is_empty() {
        all.push(way(&usual));
    }
    for form in named.into_iter().filter(|form| !arguments.forms.is_empty() || form != usual.form) {
        let wanted = Derive { form: Some(form), steps: true, ..Derive::default() };
        all.extend(anholon::derive(model, &wanted, bar)?.iter().map(way));
    }
    Ok(all)
}

/// The equations of a form, and what stands in them.
fn equations(derivation: &Derivation) -> Section {
    let named = derivation.definitions.iter().chain(&derivation.constraints).map(|line| &line.formula);
    let all = derivation.equations.iter().chain(named).chain(&derivation.kinematics).chain(&derivation.laws);
    let mut parts = vec![Part::Words(format!("{} (`{}`):", derivation.equations_of, derivation.form))];
    parts.push(match all.clone().count() > MOST_LINES {
        true => Part::Words(format!(
            "They have {} operations and take {} lines: `anholon derive` writes them.",
            derivation.operations,
            all.count()
        )),
        false => Part::Formulas(all.map(Shown::from).collect()),
    });
    parts.extend(derivation.notes.iter().map(|note| Part::Words(note.clone())));
    section("Equations of motion", parts)
}

/// The way of a form.
fn way(derivation: &Derivation) -> Section {
    let heading = format!("Derivation: {}", derivation.equations_of);
    if let Some(reason) = &derivation.reason {
        return section(
            &heading,
            vec![Part::Words(format!("The form `{}` does not apply: {reason}", derivation.form))],
        );
    }
    let steps = derivation.steps.iter().flatten();
    let all = steps.clone().all(|step| step.checked);
    let mut parts: Vec<Part> = Vec::new();
    for step in steps {
        let more = step.lines.len().saturating_sub(MOST_LINES);
        let lines = step.lines.iter().take(MOST_LINES).cloned().collect();
        parts.push(Part::Step(Step { lines, ..step.clone() }));
        if more > 0 {
            parts.push(Part::Words(format!("… and {more} more lines: `anholon derive --steps` has them.")));
        }
    }
    parts.push(Part::Words(match all {
        true => "Every equality about this model was checked by the kernel.".to_owned(),
        false => "Equalities that could not be checked are marked.".to_owned(),
    }));
    section(&heading, parts)
}

/// Whether the forms agree.
fn agreement(model: &Model, clock: Option<&dyn Fn() -> f64>, bar: &mut dyn Progress) -> Result<Section, Error> {
    let started = clock.map(|clock| clock());
    let proved = anholon::prove(model, &anholon::Prove::default(), bar)?;
    let seconds = clock.zip(started).map(|(clock, started)| clock() - started);
    let page = crate::proofs::page(&proved, seconds);
    Ok(section("Do the forms agree?", vec![Part::Lines(page.join("\n"))]))
}

/// Where it rests.
fn rest(model: &Model, bar: &mut dyn Progress) -> Section {
    let found = anholon::equilibria(model, &anholon::Equilibria::default(), bar);
    section(
        "Equilibria",
        vec![match found {
            Ok(found) => Part::Lines(crate::equilibria::page(&found, false)),
            Err(error) => Part::Words(format!("No answer: {error}")),
        }],
    )
}

/// Small motions, with a root locus if one was asked for.
fn linear(model: &Model, arguments: &Report, bar: &mut dyn Progress) -> Section {
    let wanted = anholon::Linearize { sweep: arguments.sweep.clone(), ..anholon::Linearize::default() };
    let mut parts = Vec::new();
    match anholon::linearize(model, &wanted, bar) {
        Ok(Linearized::Found(found)) => {
            parts.extend(found.sweep.as_ref().map(|sweep| Part::Picture(anholon::picture::locus(&found, sweep))));
            parts.push(Part::Lines(crate::linear::page(&found, false, false, &[])));
        }
        Ok(Linearized::NoAnswer { reason, .. }) => parts.push(Part::Words(format!("No linear equations: {reason}"))),
        Err(error) => parts.push(Part::Words(format!("No answer: {error}"))),
    }
    section("Small motions about the start", parts)
}

/// The motion: charts, events, the account.
fn moving(found: &Simulation, seen: &Simulation) -> Section {
    let coordinates: Vec<String> =
        found.table.columns.iter().map(|column| column.name()).filter(|name| !name.contains(['\'', '('])).collect();
    let mut parts = Vec::new();
    for group in coordinates.chunks(COLUMNS).take(2) {
        parts.extend(anholon::picture::chart(seen, group, None).ok().map(Part::Picture));
    }
    parts.push(Part::Lines(crate::motion::page(found, None, "", &[])));
    section("Motion", parts)
}

/// By what and with which values the page was made.
fn ending(model: &Model, arguments: &Report) -> Section {
    let settings = &model.settings;
    let mut lines = vec![
        format!("Anholon {}", env!("CARGO_PKG_VERSION")),
        format!("model    {}", model.file),
        format!("for      {} s", arguments.duration.unwrap_or(SECONDS)),
    ];
    let told = [
        ("set", settings.set.join(", ")),
        ("at", settings.at.clone().unwrap_or_default()),
        ("with", settings.with.iter().map(|file| file.0.clone()).collect::<Vec<_>>().join(", ")),
        ("forms", arguments.forms.join(", ")),
        ("sweep", arguments.sweep.clone().unwrap_or_default()),
    ];
    lines.extend(told.iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| format!("{name:<8} {text}")));
    let values = model.system.parameters.iter().zip(&model.start.parameters);
    let value = |value: &Option<f64>| value.map_or("without a value".to_owned(), anholon::decimal);
    lines.extend(values.map(|(one, number)| format!("{:<8} {}", one.name, value(number))));
    section(
        "Version, options, parameters (SI)",
        vec![Part::Lines(lines.join("\n")), Part::Lines(settings.text.clone())],
    )
}

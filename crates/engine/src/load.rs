//! Which system does a model file describe, with the changes that a command asks for, and where does it start?
//!
//! ```text
//! text → parse → with → set → at → Model → lower → System → start → first state
//!                                              └→ mode: what acts there, a rough contact as it goes on
//! ```
//!
//! Every verb that works on a model gets it here, so that `with`, `set` and `at` mean the same everywhere.

use std::sync::Arc;

use dynamics::grip::{self, Touching};
use dynamics::{Dynamics, Ground};
use expr::{At, Expr, Home, MathError, Scope};
use mechanics::chart::ChartKind;
use mechanics::friction::{Grip, Rough, Slip};
use mechanics::{Found, LoadKind, Mode, StartReport, StartValue, System};
use model::{Model, Parsed};
use syntax::Diagnostic;

use crate::{Error, Field};

/// A model and what is changed in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// What messages call the file.
    pub file: String,
    /// The file: the language of models, or the JSON of a parsed model if it begins with `{`.
    pub text: String,
    /// The files that the model uses, as `model::used` names them, and their texts.
    pub files: Vec<(String, String)>,
    /// Texts that add declarations, each with the name that messages show.
    pub with: Vec<(String, String)>,
    /// `NAME=VALUE`: other values of parameters, inputs, and of coordinates, rates and speeds at the start.
    pub set: Vec<String>,
    /// A state, written as after `start`, that takes the place of the start.
    pub at: Option<String>,
    /// What the random points of signatures follow from; otherwise the text.
    pub seed: Option<u64>,
}

impl Settings {
    /// A model as it stands.
    pub fn new(file: &str, text: &str) -> Settings {
        Settings { file: file.to_owned(), text: text.to_owned(), ..Settings::default() }
    }

    /// With the texts of all files that the model uses, and of those that these use, as `read` finds them. What is not found is
    /// left out: the model says which one is missing.
    ///
    /// ```
    /// let car = engine::Settings::new("cars/car.mech", "use \"wheel.mech\" as front");
    /// let car = car.gather(&mut |file| (file == "cars/wheel.mech").then(|| "param r = 1 m".to_owned()));
    /// assert_eq!(car.files.len(), 1);
    /// ```
    pub fn gather(mut self, read: &mut dyn FnMut(&str) -> Option<String>) -> Settings {
        // files that use each other by ever longer paths end somewhere
        const MOST: usize = 200;
        let mut wanted = model::used(&self.file, &self.text);
        while let (Some(file), true) = (wanted.pop(), self.files.len() < MOST) {
            if self.files.iter().any(|(known, _)| *known == file) {
                continue;
            }
            if let Some(text) = read(&file) {
                if file.ends_with(".mech") {
                    wanted.extend(model::used(&file, &text));
                }
                self.files.push((file, text));
            }
        }
        self
    }

    /// A built-in model as it stands.
    pub fn gallery(name: &str) -> Result<Settings, Error> {
        Ok(Settings::new(&format!("gallery:{name}"), crate::example(name)?.text))
    }
}

/// A word that changes with texts and where one ends (FNV-1a, 64 bits).
pub fn hash<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let bytes = texts.into_iter().flat_map(|text| text.bytes().chain([0]));
    let word = bytes
        .fold(0xcbf2_9ce4_8422_2325_u64, |word, byte| (word ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{word:016x}")
}

/// A model with its system and its first state. It owns the graph of its expressions: any number of models are open at
/// once, and each may move to another thread.
pub struct Loaded {
    /// What it was made from.
    pub settings: Settings,
    /// What messages call the file.
    pub file: String,
    /// The model, with all changes.
    pub model: Arc<Model>,
    /// The system that it describes.
    pub system: System,
    /// The rough contacts that are closed at the first state.
    pub touching: Option<Touching>,
    /// The first state, or the state of `at`.
    pub start: StartReport,
    /// That state as a value, with speeds and inputs.
    pub at: At,
    /// The state that questions without numbers look at: the same, or where the model gives no start one that the constraints
    /// admit and in which nothing is special.
    pub anywhere: At,
    /// What acts there.
    pub mode: Mode,
    /// Whether a state was asked for in place of the start.
    pub is_elsewhere: bool,
    /// Warnings and notes for the reader, with their source lines.
    pub remarks: Vec<String>,
    /// What friction is taken to do, in words.
    pub taken: Option<String>,
    home: Home,
}

impl Loaded {
    /// A word that changes with the model and all that was changed in it.
    pub fn hash(&self) -> String {
        let settings = &self.settings;
        let more = settings.with.iter().map(|one| &one.1).chain(&settings.set).chain(&settings.at);
        hash([&settings.text].into_iter().chain(more).map(String::as_str))
    }

    /// Enters the graph of its expressions, as it was when the model was loaded: nothing depends on what was asked
    /// before. Whoever has entered it already goes on where he is.
    pub fn enter(&self) -> Scope<'_> {
        self.home.enter()
    }

    /// The chart that a motion is described in: by the speeds, if the model declares any.
    pub fn kind(&self) -> ChartKind {
        if self.system.has_speeds() { ChartKind::Speeds } else { ChartKind::Rates }
    }

    /// What happens at its states, in the chart of its motions.
    pub fn dynamics(&self) -> Dynamics<'_> {
        Dynamics::new(&self.system, &self.at, self.kind())
    }

    /// What acts at the first state, with the friction of a contact that slides as a force like others. `None` if nothing
    /// slides; an error that names the contact if the force that presses is not found as an expression.
    pub fn sliding(&self) -> Result<Option<Mode>, Error> {
        let names: Vec<&str> = self.mode.sliding().map(|sliding| sliding.rough.name.as_str()).collect();
        let [name, ..] = names[..] else { return Ok(None) };
        if let Some(reason) = self.touching.as_ref().and_then(Touching::trouble) {
            return Err(Error::new(reason).hint("`anholon evaluate` says more; choose another state"));
        }
        grip::explicit(&self.system, &self.mode, &self.at).map(Some).ok_or_else(|| no_normal_force(name))
    }

    /// Whether the first state and all parameters are known as numbers.
    pub fn has_numbers(&self) -> bool {
        has_numbers(&self.start)
    }
}

/// Reads a model, changes it, and finds its first state, in a scope of its own.
///
/// ```
/// let mut settings = engine::Settings::gallery("sled")?;
/// settings.set = vec!["l=1.5".to_owned()];
/// let sled = engine::load(&settings)?;
/// assert_eq!(sled.start.coordinates[2].number, Some(0.75));
/// # Ok::<(), engine::Error>(())
/// ```
pub fn load(settings: &Settings) -> Result<Loaded, Error> {
    load_at(settings, Field::At)
}

/// Loads a model whose state `at` was given in this field.
pub fn load_at(settings: &Settings, given: Field) -> Result<Loaded, Error> {
    let parsed = read_changed(settings, given)?;
    let mut remarks: Vec<Diagnostic> = parsed.diagnostics.clone();
    let model = model_of(parsed)?;
    if !model.has_units {
        // Reports say it in words of their own.
        remarks.retain(|remark| !remark.message.contains("names no unit"));
    }
    let mut home = Home::new(settings.seed.unwrap_or_else(|| seed_of(&settings.text)));
    let entered = home.enter();
    let mut system = mechanics::lower(&model).map_err(|errors| Error::of_model(&model.sources, &errors))?;
    if let Some(refusal) = refused(&system) {
        return Err(Error::of_model(&model.sources, &[refusal]));
    }
    remarks.extend(system.remarks.iter().cloned());
    refuse_idle(settings, given, &system)?;
    let start = mechanics::start(&system);
    refuse_infinite(&model, &system, &start)?;
    let start = struck(&model, &system, start)?;
    let remarks = remarks.iter().map(|remark| model.sources.render(remark)).collect();
    let at = start.at(&system);
    let is_there = has_numbers(&start) && start.is_consistent();
    if let Some(singular) = mechanics::contact::singular(&system, &at).filter(|_| is_there) {
        return Err(Error::of_model(&model.sources, &[singular]));
    }
    let mode = Mode::at(&system, &at).map_err(Error::new)?;
    let gripped = gripped(&system, mode, &at, is_there).map_err(|trouble| match trouble {
        Trouble::Friction(diagnostic) => Error::of_model(&model.sources, &[diagnostic]),
        Trouble::Math(error) => Error::new(error),
    });
    let Gripped { mode, touching, taken } = gripped?;
    mechanics::settle(&mut system, &mode, &at).map_err(|wrong| Error::of_model(&model.sources, &[wrong]))?;
    let laws: Vec<String> = system.laws.iter().map(|law| law.told(is_there.then_some(&at))).collect();
    let taken = taken.or_else(|| (!laws.is_empty()).then(|| laws.join("; ")));
    let anywhere = anywhere(settings, &system).unwrap_or_else(|| at.clone());
    drop(entered);
    home.settle();
    let (file, is_elsewhere, model) = (settings.file.clone(), settings.at.is_some(), Arc::new(model));
    Ok(Loaded {
        settings: settings.clone(),
        file,
        model,
        system,
        touching,
        start,
        at,
        anywhere,
        mode,
        is_elsewhere,
        remarks,
        taken,
        home,
    })
}

/// What acts at the first state of a system that was lowered anew from a loaded model, in the graph that is entered; with
/// that state. Friction that slides is a force like others there.
pub fn acting(loaded: &Loaded, system: &mut System) -> Result<(Mode, At), Error> {
    let of_model = |diagnostic: Diagnostic| Error::of_model(&loaded.model.sources, &[diagnostic]);
    let start = mechanics::start(system);
    let at = start.at(system);
    let is_there = has_numbers(&start) && start.is_consistent();
    let mode = Mode::at(system, &at).map_err(Error::new)?;
    let gripped = gripped(system, mode, &at, is_there).map_err(|trouble| match trouble {
        Trouble::Friction(diagnostic) => of_model(diagnostic),
        Trouble::Math(error) => Error::new(error),
    })?;
    mechanics::settle(system, &gripped.mode, &at).map_err(of_model)?;
    let name = gripped.mode.sliding().next().map(|sliding| sliding.rough.name.clone());
    match name {
        None => Ok((gripped.mode, at)),
        Some(name) => match grip::explicit(system, &gripped.mode, &at) {
            Some(mode) => Ok((mode, at)),
            None => Err(no_normal_force(&name)),
        },
    }
}

fn no_normal_force(name: &str) -> Error {
    Error::new(format!("the normal force at `{name}`, which slides, is not found as an expression"))
        .hint(format!("without the line `friction … on {name}` the other equations can be looked at"))
}

/// The first state after the impulses at the start, if there are any and it is known in numbers.
fn struck(model: &Model, system: &System, start: StartReport) -> Result<StartReport, Error> {
    let Some(first) = system.impulses.first().filter(|_| has_numbers(&start) && start.is_consistent()) else {
        return Ok(start);
    };
    let wrong = |message: String, hint: &str| {
        Error::of_model(&model.sources, &[Diagnostic::error(first.span, message).hint(hint)])
    };
    let is_loose = |one: &mechanics::Constraint| one.is_one_sided() || one.is_rough || one.from.is_some();
    if let Some(one) = system.constraints.iter().find(|one| is_loose(one)) {
        let message =
            format!("what an impulse at the start does beside `{}` is not known: it may open or slip", one.name);
        return Err(wrong(message, "give the rates after the impulse with `start`"));
    }
    let at = start.at(system);
    let mode = Mode::at(system, &at).map_err(Error::new)?;
    let hint = "give the rates after the impulse with `start`";
    let rates = dynamics::struck(system, &mode, &at).map_err(|reason| wrong(reason, hint))?;
    Ok(start.with_rates(system, &rates))
}

/// A state for questions without numbers, if the model gives none: one that the constraints admit, with nothing special. Where
/// constraints are switched, one-sided or rough, the first state says what acts, and it is kept.
fn anywhere(settings: &Settings, system: &System) -> Option<At> {
    let is_given = settings.at.is_some() || !system.start.is_empty() || !system.guesses.is_empty();
    let changes = |one: &mechanics::Constraint| one.is_one_sided() || one.from.is_some() || one.until.is_some();
    if is_given || !system.frictions.is_empty() || system.constraints.iter().any(changes) {
        return None;
    }
    let state = mechanics::generic(system);
    // parameters without values are no reason to look at a special place, such as r = 0
    let is_there = state.missing.is_empty() && state.values().all(|value| value.number.is_some());
    (is_there && state.is_consistent()).then(|| state.at(system))
}

/// Reads a model with the changes that are asked for; the state was given in this field.
fn read_changed(settings: &Settings, given: Field) -> Result<Parsed, Error> {
    let mut parsed = read(settings)?;
    for (file, text) in &settings.with {
        parsed = sound(model_of(parsed)?.with(file, text))?;
    }
    if !settings.set.is_empty() {
        let pairs = settings.set.iter().map(|text| assignment(text)).collect::<Result<Vec<_>, _>>()?;
        let mut later = pairs.iter().enumerate();
        if let Some((_, (name, _))) = later.find(|(k, (name, _))| pairs[..*k].iter().any(|one| one.0 == *name)) {
            let error = Error::new(format!("`{name}` is set twice")).hint("leave one of them out");
            return Err(error.of(Field::Set));
        }
        parsed = sound(model_of(parsed)?.set(&Field::Set.to_string(), &pairs))?;
    }
    if let Some(at) = &settings.at {
        parsed = sound(model_of(parsed)?.at(&given.to_string(), at))?;
    }
    Ok(parsed)
}

/// Refuses a value of the start beside a state: the state says everything, so that the value would say nothing.
fn refuse_idle(settings: &Settings, given: Field, system: &System) -> Result<(), Error> {
    if settings.at.is_none() || !matches!(given, Field::At | Field::Near) {
        return Ok(());
    }
    let is_of_start = |name: &str| {
        let bare = name.trim_end_matches('\'');
        let is_state = system.states.iter().any(|one| one.name == name);
        is_state
            || system.coordinates.iter().any(|one| one.name == bare)
            || system.speeds.iter().any(|one| one.name == bare)
    };
    for text in &settings.set {
        let (name, value) = assignment(text)?;
        if is_of_start(name) {
            let message = format!("`{}` has no effect beside `{given}`", Field::Set.asked(text));
            let hint = format!("`{given}` says the whole state: write `{name} = {value}` there");
            return Err(Error::new(message).hint(hint).of(Field::Set));
        }
    }
    Ok(())
}

/// Refuses a parameter whose value is no finite number.
fn refuse_infinite(model: &Model, system: &System, start: &StartReport) -> Result<(), Error> {
    let hint = "floating point numbers end at 1.8e308: choose other units or another value";
    let mut values = system.parameters.iter().zip(&start.parameters);
    let Some((one, _)) = values.find(|(_, value)| value.is_some_and(|value| !value.is_finite())) else {
        // what is given and overflows; a value that is divided by zero is a contradiction of the start
        let is_large = |value: &&StartValue| {
            let exact = value.exact.and_then(|exact| exact.as_number());
            value.found == Found::Given && exact.is_some() && value.number.is_some_and(f64::is_infinite)
        };
        return match [&start.time].into_iter().chain(start.values()).find(is_large) {
            None => Ok(()),
            Some(value) => {
                let message = format!("the value of `{}` at the start is no finite number", value.symbol);
                Err(Error::new(message).hint(hint))
            }
        };
    };
    let message = format!("the value of `{}` is no finite number", one.name);
    Err(Error::of_model(&model.sources, &[Diagnostic::error(one.span, message).hint(hint)]))
}

fn has_numbers(start: &StartReport) -> bool {
    start.missing.is_empty()
        && start.parameters.iter().all(Option::is_some)
        && start.states.iter().all(|state| state.number.is_some())
}

/// What acts at the first state, with the rough contacts that are closed there.
struct Gripped {
    mode: Mode,
    touching: Option<Touching>,
    taken: Option<String>,
}

enum Trouble {
    Friction(Diagnostic),
    Math(MathError),
}

/// Lets rough contacts go on as they must from the first state, or slide where that is not known in numbers.
fn gripped(system: &System, mode: Mode, at: &At, is_there: bool) -> Result<Gripped, Trouble> {
    let Some(friction) = system.frictions.first() else { return Ok(Gripped { mode, touching: None, taken: None }) };
    let touching = match is_there {
        true => dynamics::together::closed(&Ground::new(system, at), &mode, at)
            .map_err(|reason| Trouble::Friction(Diagnostic::error(friction.span, reason)))?,
        false => None,
    };
    let grips: Vec<(Arc<Rough>, Grip)> = match &touching {
        Some(touching) => touching.contacts.iter().enumerate().filter_map(|one| at_start(touching, one, at)).collect(),
        None if is_there => Vec::new(),
        None => grip::closed(system, &mode, at).into_iter().map(|rough| (rough.clone(), slides(&rough, 1))).collect(),
    };
    let mut held = mode;
    for (rough, grip) in &grips {
        held = held.holding(system, rough, *grip).map_err(Trouble::Math)?;
    }
    let taken: Vec<String> = grips.iter().map(|(rough, grip)| taken(rough, *grip, is_there)).collect();
    Ok(Gripped { mode: held, touching, taken: (!taken.is_empty()).then(|| taken.join("; ")) })
}

/// How a contact holds from the first state on; `None` if it leaves. Where nothing satisfies the law, the equations are
/// those of the slip that is there.
fn at_start(touching: &Touching, (place, touched): (usize, &grip::Touched), at: &At) -> Option<(Arc<Rough>, Grip)> {
    let rough = &touched.rough;
    let holds = |course: &&grip::Course| course.ways.iter().any(|way| grip::grip(way).is_some());
    let course = touching.courses.iter().find(holds).or(touching.courses.first());
    let grip = match course {
        // what leaves has no friction
        Some(course) => grip::grip_in_words(&course.ways[place])?,
        None => slides(rough, if at.value(rough.slips[0].1) < 0.0 { -1 } else { 1 }),
    };
    Some((Arc::clone(rough), grip))
}

/// A slide, along the one direction of a contact with this sign, or as its slip velocity points.
fn slides(rough: &Rough, sign: i8) -> Grip {
    Grip::Slides(1, if rough.slips.len() == 1 { Slip::Sign(sign) } else { Slip::Velocity })
}

/// A seed that follows from a text.
fn seed_of(text: &str) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// What friction is taken to do, in words.
fn taken(rough: &Rough, grip: Grip, is_there: bool) -> String {
    let name = &rough.name;
    match grip {
        Grip::Sticks => format!(
            "`{name}` sticks at the start: no slip is a constraint there, and holds while its reaction stays inside the \
             cone of friction"
        ),
        Grip::Slides(_, slip) => {
            let direction = match (slip, is_there) {
                (Slip::Sign(_), true) => "in the direction that it has at the start",
                (Slip::Sign(_), false) => "in the positive direction",
                (Slip::Velocity | Slip::Toward(_) | Slip::Near(..), _) => "in the direction of its slip velocity",
            };
            format!(
                "`{name}` is taken to slide, {direction}: its friction mu*N against the slip is an active force, and the \
                 row of the contact determines N"
            )
        }
    }
}

fn read(settings: &Settings) -> Result<Parsed, Error> {
    let Settings { file, text, .. } = settings;
    if !text.trim_start().starts_with('{') {
        return sound(model::parse_with(file, text, &settings.files));
    }
    let wrong = |error: String| Error::new(format!("{file} is no model in JSON: {error}"));
    let value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    sound(model::from_json(&value).map_err(wrong)?)
}

/// The same, if it makes a model.
fn sound(parsed: Parsed) -> Result<Parsed, Error> {
    match parsed.model {
        Some(_) => Ok(parsed),
        None => Err(Error::of_model(&parsed.sources, &parsed.diagnostics)),
    }
}

fn model_of(parsed: Parsed) -> Result<Model, Error> {
    let Parsed { model, diagnostics, sources } = parsed;
    model.ok_or_else(|| Error::of_model(&sources, &diagnostics))
}

/// The two sides of `NAME=VALUE`.
fn assignment(text: &str) -> Result<(&str, &str), Error> {
    let sides = text.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    sides.filter(|(name, value)| !name.is_empty() && !value.is_empty()).ok_or_else(|| {
        let (value, rate) = (Field::Set.asked("l=0.5"), Field::Set.asked("\"x'=2\""));
        Error::new(format!("`{}` sets nothing", Field::Set.asked(text)))
            .hint(format!("write NAME=VALUE in SI units, as in `{value}`, or a rate: `{rate}`"))
    })
}

/// What no verb can use.
fn refused(system: &System) -> Option<Diagnostic> {
    accelerated(system)
}

/// A load or a mass with derivatives that cannot stand there: accelerations may stand in forces, linearly.
fn accelerated(system: &System) -> Option<Diagnostic> {
    let q_ddot = system.q_ddot();
    let highest = |e: Expr| {
        let orders = e.symbols().into_iter().filter_map(|symbol| Some((symbol.as_symbol()?, symbol)));
        let orders = orders.filter(|(symbol, _)| symbol.kind == expr::Kind::Coordinate && symbol.order >= 2);
        orders.max_by_key(|(symbol, _)| symbol.order)
    };
    let wrong = |what: &str, list: &[Expr], span, linear: bool| {
        list.iter().find_map(|&e| {
            let (symbol, derivative) = highest(e)?;
            let is_fine = linear && symbol.order == 2 && expr::linear_coefficients(&[e], &q_ddot).is_ok();
            let hint = "accelerations may stand in forces and torques, linearly; higher derivatives nowhere";
            let message = match (linear, symbol.order) {
                (true, 2) => format!("`{derivative}` stands in {what}, not linearly"),
                _ => format!("`{derivative}` stands in {what}"),
            };
            (!is_fine).then(|| Diagnostic::error(span, message).hint(hint))
        })
    };
    let of_load = |load: &mechanics::Load| match &load.kind {
        LoadKind::Force { force, .. } => wrong("a force", &force.0, load.span, true),
        LoadKind::Torque { along, .. } => {
            let all: Vec<Expr> = along.iter().flat_map(|(_, part)| part.0).collect();
            wrong("a torque", &all, load.span, true)
        }
        LoadKind::Gravity(vector) => wrong("gravity", &vector.0, load.span, false),
        LoadKind::Potential(e) => wrong("a potential", &[*e], load.span, false),
        LoadKind::Kinetic(e) => wrong("a kinetic energy", &[*e], load.span, false),
        LoadKind::Dissipation(e) => wrong("a dissipation", &[*e], load.span, false),
        LoadKind::Generalized { force, .. } => wrong("a generalized force", &[*force], load.span, true),
        LoadKind::Spring { stiffness, rest, .. } => wrong("a spring", &[*stiffness, *rest], load.span, false),
        LoadKind::Damper { coefficient, .. } => wrong("a damper", &[*coefficient], load.span, false),
    };
    let of_point = |point: &mechanics::Point| {
        let exhaust = point.exhaust.map_or([Expr::zero(); 3], |vector| vector.0);
        let list: Vec<Expr> = point.mass.into_iter().chain(exhaust).collect();
        wrong("a mass or an exhaust velocity", &list, point.span, false)
    };
    let of_body = |body: &mechanics::Body| {
        let list: Vec<Expr> = [body.mass].into_iter().chain(body.inertia.entries).collect();
        wrong("a mass or an inertia", &list, body.span, false)
    };
    let loads = system.loads.iter().find_map(of_load);
    loads.or_else(|| system.points.iter().find_map(of_point)).or_else(|| system.bodies.iter().find_map(of_body))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FALL: &str =
        "param m = 2 kg, g = 9.81 m/s^2\ncoord y : m\npoint P = (0, y) mass m\nstart y = 1 m, y' = 2 m/s\n";

    fn changed(set: &[&str], at: Option<&str>) -> Result<(Vec<f64>, Vec<f64>), String> {
        let set = set.iter().map(|&text| text.to_owned()).collect();
        let settings = Settings { set, at: at.map(str::to_owned), ..Settings::new("fall.mech", FALL) };
        let loaded = load(&settings).map_err(|error| error.to_string())?;
        let numbers = |list: &[mechanics::StartValue]| list.iter().filter_map(|value| value.number).collect();
        Ok((numbers(&loaded.start.coordinates), numbers(&loaded.start.rates)))
    }

    #[test]
    fn values_and_states_are_in_si_units() {
        assert_eq!(changed(&[], None), Ok((vec![1.0], vec![2.0])));
        assert_eq!(changed(&["y = 3"], None), Ok((vec![3.0], vec![2.0])));
        assert_eq!(changed(&["y'=-4"], None), Ok((vec![1.0], vec![-4.0])));
        // a state says everything: what it leaves out is free, not the start's
        assert_eq!(changed(&[], Some("y = 3")), Ok((vec![3.0], vec![0.0])));
        assert_eq!(changed(&[], Some("y = 20 cm, y' = m/(1 kg)*1 m/s")), Ok((vec![0.2], vec![2.0])));
        assert_eq!(changed(&["m=5"], Some("y' = m/(1 kg)*1 m/s")), Ok((vec![0.0], vec![5.0])));
    }

    #[test]
    fn the_seed_reaches_the_graph() {
        let image = |seed: Option<u64>| {
            let loaded = load(&Settings { seed, ..Settings::new("fall.mech", FALL) }).unwrap();
            let _in = loaded.enter();
            loaded.system.q()[0].image()
        };
        assert_eq!(image(Some(7)), image(Some(7)));
        assert_ne!(image(Some(7)), image(Some(8)));
        assert_eq!(image(None), image(None));
        assert_ne!(image(None), image(Some(7)));
    }

    #[test]
    fn mistakes_in_changes_are_named() {
        for (set, at, words) in [
            ("gg=1", None, vec!["⟨set⟩", "`gg`", "did you mean `g`?"]),
            ("g", None, vec!["⟨set g⟩", "NAME=VALUE"]),
            ("g=", None, vec!["⟨set g=⟩", "NAME=VALUE"]),
            ("g=1 kg", None, vec!["⟨set⟩", "`g` is in m/s^2, and the new value is in kg"]),
            ("P=1", None, vec!["cannot be set", "`P` is a point"]),
            ("y=1", Some("y = 2"), vec!["⟨set y=1⟩", "no effect beside", "⟨at⟩"]),
            ("y'=1", Some("y = 2"), vec!["no effect beside"]),
            ("m=1", Some("yy = 1"), vec!["⟨at⟩", "`yy`", "did you mean"]),
            ("m=1", Some("y = 1 kg"), vec!["⟨at⟩", "kg"]),
            ("m=1", Some("y > 1"), vec!["⟨at⟩", "="]),
            ("m=1", Some("y'' = 1"), vec!["⟨at⟩", "no accelerations"]),
            ("m=1", Some(""), vec!["⟨at⟩"]),
            ("m=1", Some("y = 1\nparam z = 2"), vec!["⟨at⟩"]),
        ] {
            let error = changed(&[set], at).expect_err(words[0]);
            assert!(words.iter().all(|word| error.contains(word)), "{set} {at:?}:\n{error}");
        }
    }
}

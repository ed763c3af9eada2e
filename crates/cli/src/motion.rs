//! How is a motion run from the command line, and which files are written?

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anholon::decimal;
use anholon::picture::View;
use anholon::{Checkpoint, Error, Model, Settings, Simulate, Simulation};
use serde_json::Value;

use crate::bar::Bar;
use crate::origin::Origin;

/// The mechanism is drawn so often, if nothing is said.
const POSES: usize = 8;

/// An animation has so many states in a second of the motion, within these bounds.
const FRAMES_A_SECOND: f64 = 30.0;
const MIN_FRAMES: f64 = 100.0;
const MAX_FRAMES: f64 = 3000.0;

/// What the command line says about a motion.
#[derive(Clone, Debug, clap::Args)]
pub struct MotionArguments {
    /// How long, in seconds or with a unit as in "500 ms"; ten seconds if nothing is said.
    #[arg(long = "for", value_name = "T", allow_hyphen_values = true, value_parser = crate::model::seconds)]
    duration: Option<f64>,
    /// Run backwards from the start for so long, in place of `--for`: times before the start, the latest first.
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = crate::model::seconds)]
    back: Option<f64>,
    /// The instants at which the state is wanted, such as 0.5,1,2.
    #[arg(long, value_name = "T,T", value_delimiter = ',', allow_hyphen_values = true, value_parser = crate::model::seconds)]
    times: Vec<f64>,
    /// The state every so many seconds; a hundred times if nothing is said.
    #[arg(long, value_name = "DT", allow_hyphen_values = true, value_parser = crate::model::seconds)]
    every: Option<f64>,
    /// The relative tolerance, 1e-9 if nothing is said; the absolute one is the same times the natural size of each number.
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    tolerance: Option<f64>,
    /// dop853 (order 8, steps chosen by the tolerance), radau5, radau9, radau13 (of that order, implicit, for stiff motions), taylor (power series, for many digits), or rk4 (order 4, fixed steps); dop853 if not said, and an implicit one where the motion is stiff.
    #[arg(long, value_name = "METHOD")]
    method: Option<String>,
    /// A fixed step in seconds, in place of steps chosen by the tolerance.
    #[arg(long, value_name = "H", allow_hyphen_values = true, value_parser = crate::model::seconds)]
    step: Option<f64>,
    /// The form that drives the motion; one that suits what is constrained if nothing is said.
    #[arg(long, value_name = "FORM")]
    form: Option<String>,
    /// Write the states to this file: JSON if it ends in .json, otherwise CSV.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write to this file, now and then, at the end and at Ctrl-C, what `--resume` needs to go on with the same digits.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Go on from a file of `--checkpoint` to the end that was asked for (or `--for` so much more), or from the last state of a
    /// file that `--out` wrote.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Draw columns into this SVG file, against time or another column.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// The columns to draw, such as "x,x',multiplier(rod)"; without `--plot` they are drawn on the terminal.
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    columns: Vec<String>,
    /// The column to draw them against, in place of the time: a trajectory or a phase portrait.
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    /// Draw the mechanism at several instants into this SVG file.
    #[arg(long, value_name = "FILE")]
    figure: Option<PathBuf>,
    /// Write the motion as a page that plays it, one HTML file; thirty states a second if neither `--every` nor `--times` is said.
    #[arg(long, value_name = "FILE")]
    animate: Option<PathBuf>,
    /// At how many instants; eight if nothing is said.
    #[arg(long, value_name = "N")]
    poses: Option<usize>,
    /// From which side: xy, xz, yz or oblique; the plane of the motion if nothing is said.
    #[arg(long, value_name = "VIEW")]
    view: Option<String>,
}

impl MotionArguments {
    /// An option that would be ignored.
    fn unused(&self) -> Option<String> {
        let error = |option: &str, without: &str| format!("`{option}` does nothing without `{without}`");
        match self {
            _ if self.against.is_some() && self.columns.is_empty() => Some(error("--against", "--columns")),
            _ if self.view.is_some() && self.figure.is_none() => Some(error("--view", "--figure")),
            _ if self.poses.is_some() && self.figure.is_none() => Some(error("--poses", "--figure")),
            _ => None,
        }
    }

    fn wanted(&self) -> Result<Simulate, Error> {
        let resume = self.resumed()?;
        if let (Some(method), Some(from)) = (&self.method, &resume)
            && Some(method.as_str()) != from.method()
        {
            let then = from.method().map_or("was begun without one".to_owned(), |then| format!("has {then}"));
            let message = format!("`--method {method}` is not that of the checkpoint, which {then}");
            return Err(Error::new(message).hint("leave it out, or begin anew"));
        }
        Ok(Simulate {
            duration: self.duration,
            back: self.back,
            times: self.times.clone(),
            every: self.every.or_else(|| self.frame()),
            tolerance: self.tolerance,
            method: self.method.as_deref().map(pages::motion::method).transpose()?,
            step: self.step,
            form: self.form.clone(),
            keeps: self.checkpoint.is_some(),
            resume,
        })
    }

    /// Whether curves are drawn of states that nobody chose.
    fn is_drawn(&self) -> bool {
        let is_free = self.every.is_none() && self.times.is_empty() && self.resume.is_none();
        is_free && (self.plot.is_some() || self.figure.is_some() || !self.columns.is_empty())
    }

    /// The time between two states of an animation, where nobody says it.
    fn frame(&self) -> Option<f64> {
        let span = self.duration.or(self.back).unwrap_or(pages::report::SECONDS).abs();
        let count = (FRAMES_A_SECOND * span).clamp(MIN_FRAMES, MAX_FRAMES);
        (self.animate.is_some() && self.times.is_empty() && span > 0.0).then(|| span / count.round())
    }

    /// The checkpoint that the motion goes on from, if the file is one.
    fn resumed(&self) -> Result<Option<Arc<Checkpoint>>, Error> {
        let Some(file) = &self.resume else { return Ok(None) };
        let name = file.display();
        let text = std::fs::read_to_string(file).map_err(|error| Error::new(format!("cannot read {name}: {error}")))?;
        if !Checkpoint::is_one(&text) {
            return Ok(None);
        }
        Checkpoint::read(&text).map(|read| Some(Arc::new(read))).map_err(|error| {
            let hints = error.diagnostics.iter().flat_map(|one| one.hints.clone());
            hints.fold(Error::new(format!("{name}: {}", error.message())), Error::hint)
        })
    }
}

/// Loads the model, at the last state of an earlier run if there is one.
fn load(settings: Settings, resume: Option<&Path>) -> Result<Model, Error> {
    let Some(file) = resume else { return crate::model::open(&settings) };
    if settings.at.is_some() {
        return Err(Error::new("`--resume` and `--at` both say where to begin").hint("leave one of them out"));
    }
    let system = crate::model::open(&settings)?.system;
    if let Some(one) = system.constraints.iter().find(|one| one.from.is_some() || one.until.is_some()) {
        return Err(Error::new(format!(
            "`--resume` does not know whether `{}`, which has `from` or `until`, is on at the state in the file",
            one.name
        ))
        .hint("run it from the start, for longer"));
    }
    let names: Vec<String> = system.coordinates.iter().map(|c| c.name.clone()).collect();
    let states: Vec<String> = system.states.iter().map(|one| one.name.clone()).collect();
    let state = last_state(file, &names, &states)?;
    crate::model::open(&Settings { at: Some(state), ..settings })
}

/// The last state in a file that `--out` wrote, as after `--at`.
fn last_state(file: &Path, coordinates: &[String], states: &[String]) -> Result<String, Error> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| Error::new(format!("cannot read {name}: {error}")))?;
    let wrong = |what: &str| {
        Error::new(format!("{name} {what}"))
            .hint("it must be a file that `anholon simulate` wrote for this model with `--checkpoint` or `--out`")
    };
    let wanted = || {
        let rates = coordinates.iter().map(|name| format!("{name}'"));
        ["t".to_owned()].into_iter().chain(coordinates.iter().cloned()).chain(rates).chain(states.iter().cloned())
    };
    let values: Vec<f64> = if text.trim_start().starts_with('{') {
        let object: Value = serde_json::from_str(&text).map_err(|error| wrong(&format!("is no JSON: {error}")))?;
        let value = |key: String| object["final"][&key].as_f64().ok_or_else(|| wrong(&format!("has no `{key}`")));
        wanted().map(value).collect::<Result<_, _>>()?
    } else {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        let last: Vec<&str> = lines.next_back().ok_or_else(|| wrong("holds no state"))?.split(',').collect();
        let value = |key: String| {
            let is_it =
                |field: &&str| **field == key || field.strip_prefix(&key).is_some_and(|rest| rest.starts_with(" ("));
            let place = header.iter().position(is_it).ok_or_else(|| wrong(&format!("has no column `{key}`")))?;
            let number = last.get(place).and_then(|field| field.parse().ok());
            number.ok_or_else(|| wrong(&format!("has no number for `{key}` in its last line")))
        };
        wanted().map(value).collect::<Result<_, _>>()?
    };
    let pairs: Vec<String> = wanted().zip(values).map(|(key, value)| format!("{key} = {value}")).collect();
    Ok(pairs.join(", "))
}

/// Runs a motion, writes the files that are asked for, and shows the rest.
pub fn simulate(settings: Settings, arguments: &MotionArguments, as_json: bool, is_verbose: bool) -> Result<u8, Error> {
    let wanted = arguments.wanted()?;
    let resume = arguments.resume.as_deref().filter(|_| wanted.resume.is_none());
    let loaded = &load(settings, resume)?;
    let unknown =
        |name: &str| Error::new(format!("there is no view `{name}`")).hint("there are xy, xz, yz and oblique");
    let view = arguments.view.as_deref().map(|name| View::named(name).ok_or_else(|| unknown(name))).transpose()?;
    if let Some(option) = arguments.unused() {
        return Err(Error::new(option));
    }
    crate::files::must_be(arguments.out.as_deref(), "--out", &crate::files::TABLES)?;
    for (option, file) in [("--plot", &arguments.plot), ("--figure", &arguments.figure)] {
        crate::files::must_be(file.as_deref(), option, &crate::files::PICTURES)?;
    }
    crate::files::must_be(arguments.animate.as_deref(), "--animate", &crate::files::PAGES)?;
    let pictures = arguments.plot.iter().chain(&arguments.figure).chain(&arguments.animate);
    let mut files = arguments.out.iter().chain(pictures).chain(&arguments.checkpoint);
    files.try_for_each(|file| crate::files::try_to_write(file))?;
    arguments.checkpoint.as_deref().map_or(Ok(()), spare_others)?;
    let started = Instant::now();
    let mut bar = Bar::keeping(arguments.checkpoint.as_deref());
    let found = anholon::simulate(loaded, &wanted, &mut bar);
    bar.clear();
    let found = found?;
    bar.unkept.take().map_or(Ok(()), Err)?;
    let seconds = started.elapsed().as_secs_f64();
    let mut wrote = Vec::new();
    if let Some(file) = &arguments.out {
        crate::files::replace(file, &crate::flags::spelled(&written(loaded, file, &found, seconds)))?;
        wrote.push(format!("{}: {} states", file.display(), found.table.t.len()));
    }
    wrote.extend(kept(arguments, &found)?);
    let (columns, against) = (&arguments.columns, arguments.against.as_deref());
    let mut closer = None;
    if arguments.is_drawn() {
        closer = anholon::picture::dense(loaded, &wanted, &found, &mut bar)?;
        bar.clear();
    }
    let seen = closer.as_ref().unwrap_or(&found);
    wrote.extend(draw(arguments, loaded, &found, seen, view)?);
    let drawn = match arguments.plot.is_none() && !columns.is_empty() {
        true => anholon::picture::terminal(seen, columns, against)?,
        false => String::new(),
    };
    if as_json {
        let mut object = pages::motion::object(&found, Some(seconds));
        if let (Some(file), Some(kept)) = (&arguments.checkpoint, &found.checkpoint) {
            object["checkpoint"] = serde_json::json!({ "file": file.display().to_string(), "t": kept.time() });
        }
        crate::print_json(&object);
    } else {
        crate::write_line(&pages::motion::page(&found, Some(seconds).filter(|_| is_verbose), &drawn, &wrote));
    }
    if let Some(reason) = found.stopped_by.failure() {
        let reason = crate::flags::spelled(reason);
        let shown = format!("error: the motion ended at t = {} s: {reason}", decimal(found.last.t));
        crate::complain(&crate::screen::Screen::errors().show(&shown));
    }
    Ok(pages::code::simulated(&found))
}

/// Draws the pictures that are asked for, curves from the states of `seen`: what is said of them.
fn draw(
    arguments: &MotionArguments,
    loaded: &Model,
    found: &Simulation,
    seen: &Simulation,
    view: Option<View>,
) -> Result<Vec<String>, Error> {
    let mut wrote = Vec::new();
    if let Some(file) = &arguments.plot {
        let chart = anholon::picture::chart(seen, &arguments.columns, arguments.against.as_deref())?;
        crate::files::replace(file, &Origin::of(loaded).in_picture(&chart))?;
        wrote.push(format!("{}: a chart", file.display()));
    }
    if let Some(file) = &arguments.figure {
        let poses = arguments.poses.unwrap_or(POSES);
        let figure = anholon::picture::figure(loaded, seen, poses, view)?;
        crate::files::replace(file, &Origin::of(loaded).in_picture(&figure))?;
        wrote.push(format!("{}: the mechanism at {poses} instants", file.display()));
    }
    if let Some(file) = &arguments.animate {
        let page = pages::report::animation(loaded, found, crate::studio::viewer(), &Origin::of(loaded).object())?;
        crate::files::replace(file, &page)?;
        wrote.push(format!("{}: the motion, {} states; open it in a browser", file.display(), found.table.t.len()));
    }
    Ok(wrote)
}

/// A checkpoint replaces a checkpoint, and no other file.
fn spare_others(file: &Path) -> Result<(), Error> {
    match std::fs::read(file) {
        Ok(bytes) if !bytes.is_empty() && !Checkpoint::is_one(&String::from_utf8_lossy(&bytes)) => {
            let message = format!("`--checkpoint {}` would replace a file that is no checkpoint", file.display());
            Err(Error::new(message).hint("name a new file, or delete that one first"))
        }
        _ => Ok(()),
    }
}

/// Writes the checkpoint, if one is wanted: what is said of it.
fn kept(arguments: &MotionArguments, found: &Simulation) -> Result<Option<String>, Error> {
    let Some(file) = &arguments.checkpoint else { return Ok(None) };
    let Some(kept) = &found.checkpoint else {
        return Ok(Some(format!("no {}: the motion does not go on from its end", file.display())));
    };
    crate::files::replace(file, &kept.text())?;
    Ok(Some(format!("{}: a checkpoint at t = {} s", file.display(), decimal(kept.time()))))
}

/// The text of a file: JSON or CSV.
fn written(loaded: &Model, file: &Path, found: &Simulation, seconds: f64) -> String {
    if file.extension().is_some_and(|extension| extension == "json") {
        let mut object = pages::motion::object(found, Some(seconds));
        object["made_by"] = Origin::of(loaded).object();
        // what a viewer plays; a model without points has none
        if let Ok(scene) = anholon::picture::scene(loaded, found) {
            object["scene"] = serde_json::to_value(scene).unwrap_or_default();
        }
        return serde_json::to_string_pretty(&object).unwrap_or_default() + "\n";
    }
    Origin::of(loaded).in_table(&pages::motion::table(found))
}

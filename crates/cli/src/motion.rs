//! How is a motion run from the command line, and which files are written?

use std::path::{Path, PathBuf};
use std::time::Instant;

use anholon::decimal;
use anholon::picture::View;
use anholon::{Error, Model, Settings, Simulate, Simulation};
use serde_json::Value;

use crate::bar::Bar;

/// What the command line says about a motion.
#[derive(Clone, Debug, clap::Args)]
pub struct MotionArguments {
    /// How long, in seconds; ten if nothing is said.
    #[arg(long = "for", value_name = "T", allow_negative_numbers = true)]
    duration: Option<f64>,
    /// The instants at which the state is wanted, such as 0.5,1,2.
    #[arg(long, value_name = "T,T", value_delimiter = ',', allow_negative_numbers = true)]
    times: Vec<f64>,
    /// The state every so many seconds; a hundred times if nothing is said.
    #[arg(long, value_name = "DT", allow_negative_numbers = true)]
    every: Option<f64>,
    /// The relative tolerance, 1e-9 if nothing is said; the absolute one is the same times the natural size of each number.
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    tolerance: Option<f64>,
    /// dop853 (order 8, steps chosen by the tolerance), or rk4 (order 4, fixed steps).
    #[arg(long, value_name = "METHOD", default_value = "dop853")]
    method: String,
    /// A fixed step in seconds, in place of steps chosen by the tolerance.
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    step: Option<f64>,
    /// The form that drives the motion; the one with the fewest operations if nothing is said.
    #[arg(long, value_name = "FORM")]
    form: Option<String>,
    /// Write the states to this file: JSON if it ends in .json, otherwise CSV.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on from the last state of a file that `--out` wrote.
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
    /// At how many instants.
    #[arg(long, value_name = "N", default_value_t = 8)]
    poses: usize,
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
            _ => None,
        }
    }

    fn wanted(&self) -> Result<Simulate, Error> {
        Ok(Simulate {
            duration: self.duration,
            times: self.times.clone(),
            every: self.every,
            tolerance: self.tolerance,
            method: pages::motion::method(&self.method)?,
            step: self.step,
            form: self.form.clone(),
        })
    }
}

/// Loads the model, at the last state of an earlier run if there is one.
fn load(settings: Settings, resume: Option<&Path>) -> Result<Model, Error> {
    let Some(file) = resume else { return anholon::open(&settings) };
    if settings.at.is_some() {
        return Err(Error::new("`--resume` and `--at` both say where to begin").hint("leave one of them out"));
    }
    let system = anholon::open(&settings)?.system;
    if let Some(one) = system.constraints.iter().find(|one| one.from.is_some() || one.until.is_some()) {
        return Err(Error::new(format!(
            "`--resume` does not know whether `{}`, which has `from` or `until`, is on at the state in the file",
            one.name
        ))
        .hint("run it from the start, for longer"));
    }
    let names: Vec<String> = system.coordinates.iter().map(|c| c.name.clone()).collect();
    let state = last_state(file, &names)?;
    anholon::open(&Settings { at: Some(state), ..settings })
}

/// The last state in a file that `--out` wrote, as after `--at`.
fn last_state(file: &Path, coordinates: &[String]) -> Result<String, Error> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| Error::new(format!("cannot read {name}: {error}")))?;
    let wrong = |what: &str| {
        Error::new(format!("{name} {what}"))
            .hint("it must be a file that `anholon simulate --out` wrote for this model")
    };
    let wanted = || {
        let rates = coordinates.iter().map(|name| format!("{name}'"));
        ["t".to_owned()].into_iter().chain(coordinates.iter().cloned()).chain(rates)
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
pub fn simulate(settings: Settings, arguments: &MotionArguments, as_json: bool) -> Result<u8, Error> {
    let wanted = arguments.wanted()?;
    let loaded = &load(settings, arguments.resume.as_deref())?;
    let view = match arguments.view.as_deref() {
        None => None,
        Some(name) => Some(View::named(name).ok_or_else(|| {
            Error::new(format!("there is no view `{name}`")).hint("there are xy, xz, yz and oblique")
        })?),
    };
    if let Some(option) = arguments.unused() {
        return Err(Error::new(option));
    }
    let mut files = arguments.out.iter().chain(&arguments.plot).chain(&arguments.figure);
    files.try_for_each(|file| crate::files::try_to_write(file))?;
    let started = Instant::now();
    let mut bar = Bar::new();
    let found = anholon::simulate(loaded, &wanted, &mut bar);
    bar.clear();
    let found = found?;
    let seconds = started.elapsed().as_secs_f64();
    let mut wrote = Vec::new();
    if let Some(file) = &arguments.out {
        crate::files::replace(file, &crate::flags::spelled(&written(loaded, file, &found, seconds)))?;
        wrote.push(format!("{}: {} states", file.display(), found.table.t.len()));
    }
    let (columns, against) = (&arguments.columns, arguments.against.as_deref());
    if let Some(file) = &arguments.plot {
        crate::files::replace(file, &anholon::picture::chart(&found, columns, against)?)?;
        wrote.push(format!("{}: a chart", file.display()));
    }
    if let Some(file) = &arguments.figure {
        crate::files::replace(file, &anholon::picture::figure(loaded, &found, arguments.poses, view)?)?;
        wrote.push(format!("{}: the mechanism at {} instants", file.display(), arguments.poses));
    }
    let drawn = match arguments.plot.is_none() && !columns.is_empty() {
        true => anholon::picture::terminal(&found, columns, against)?,
        false => String::new(),
    };
    if as_json {
        crate::print_json(&pages::motion::object(&found, Some(seconds)));
    } else {
        crate::write_line(&pages::motion::page(&found, Some(seconds), &drawn, &wrote));
    }
    if let Some(reason) = found.stopped_by.failure() {
        let reason = crate::flags::spelled(reason);
        eprintln!("error: the motion went no further than t = {} s: {reason}", decimal(found.last.t));
    }
    Ok(pages::code::simulated(&found))
}

/// The text of a file: JSON or CSV.
fn written(loaded: &Model, file: &Path, found: &Simulation, seconds: f64) -> String {
    if file.extension().is_some_and(|extension| extension == "json") {
        let mut object = pages::motion::object(found, Some(seconds));
        // what a viewer plays; a model without points has none
        if let Ok(scene) = anholon::picture::scene(loaded, found) {
            object["scene"] = serde_json::to_value(scene).unwrap_or_default();
        }
        return serde_json::to_string_pretty(&object).unwrap_or_default() + "\n";
    }
    pages::motion::table(found)
}

//! How is a motion run from the command line, and what is shown and written of it?

use std::path::{Path, PathBuf};
use std::time::Instant;

use anholon::Method;
use anholon::answer::{EventKind, Happened, StoppedBy, told};
use anholon::decimal;
use anholon::picture::View;
use anholon::{Error, Field, Model, Settings, Simulate, Simulation};
use serde_json::{Value, json};

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
    /// The relative tolerance; the absolute one is the same times the natural size of each number.
    #[arg(long, value_name = "R", default_value_t = 1e-9, allow_negative_numbers = true)]
    tolerance: f64,
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
        let method = Method::ALL.into_iter().find(|method| method.name() == self.method).ok_or_else(|| {
            let names: Vec<&str> = Method::ALL.iter().map(|method| method.name()).collect();
            Error::new(format!("there is no method `{}`", self.method))
                .hint(format!("there are {}", names.join(" and ")))
                .of(Field::Method)
        })?;
        Ok(Simulate {
            duration: self.duration,
            times: self.times.clone(),
            every: self.every,
            tolerance: self.tolerance,
            method,
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
        crate::files::replace(file, &crate::flags::spelled(&written(file, &found, seconds)))?;
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
        crate::print_json(&object(&found, seconds));
    } else {
        crate::write_line(&page(&found, seconds, &drawn, &wrote));
    }
    if let Some(reason) = found.stopped_by.failure() {
        let reason = crate::flags::spelled(reason);
        eprintln!("error: the motion went no further than t = {} s: {reason}", decimal(found.last.t));
    }
    Ok(match &found {
        _ if matches!(found.stopped_by, StoppedBy::Failure(_) | StoppedBy::Interrupted) => 3,
        _ if found.expects.iter().any(|one| one.holds == Some(false)) => 1,
        _ => 0,
    })
}

/// The page: what ran, what is drawn, events, the last state, facts, how well it was computed, and how it ended.
pub fn page(found: &Simulation, seconds: f64, drawn: &str, wrote: &[String]) -> String {
    let mut lines = vec![show_heading(found)];
    if !drawn.is_empty() {
        lines.extend([String::new(), drawn.to_owned()]);
    }
    let mut block = |heading: &str, list: Vec<(String, String)>| lines.extend(crate::numbers::table(heading, list));
    block("Events", shortened(list_events(found)));
    block("State at the end", list_state(found));
    block("Expected", list_expected(found));
    lines.push(String::new());
    lines.push(format!(
        "Energy balance kept to {}, constraints to {}; work of forces outside the energy {} J",
        small(found.energy_drift),
        small(found.constraint_residual),
        decimal(found.work)
    ));
    lines.push(format!(
        "{} steps ({} rejected), {} evaluations, {:.1} ms with reading",
        found.steps,
        found.rejected,
        found.rhs_evaluations,
        seconds * 1e3
    ));
    lines.extend(tell_end(found));
    lines.extend(found.notes.iter().map(|note| format!("note: {note}")));
    lines.extend(wrote.iter().map(|file| format!("wrote {file}")));
    lines.join("\n")
}

/// From when to when the motion ran, and by which form and method.
fn show_heading(found: &Simulation) -> String {
    let title = if found.title.is_empty() { &found.model } else { &found.title };
    match found.form {
        "" => format!("{title}: no motion"),
        form => format!(
            "{title}: motion from t = {} s to t = {} s, driven by {form}, {} at tolerance {:e}",
            decimal(found.began),
            decimal(found.last.t),
            found.method,
            found.tolerance
        ),
    }
}

/// The last state, with the components of a vector on one line.
fn list_state(found: &Simulation) -> Vec<(String, String)> {
    let mut state = Vec::new();
    let columns: Vec<_> = found.last.columns.iter().zip(&found.last.values).collect();
    let mut rest = &columns[..];
    while let Some((column, value)) = rest.first() {
        let width = if column.vector().is_some() { 3.min(rest.len()) } else { 1 };
        let numbers: Vec<String> = rest[..width].iter().map(|one| told(*one.1)).collect();
        let (name, numbers) = match column.vector() {
            Some(name) => (name, format!("({})", numbers.join(", "))),
            None => (column.name(), told(**value)),
        };
        let unit = if value.is_nan() && width == 1 { "" } else { &column.unit };
        state.push((name, format!("{numbers} {unit}").trim_end().to_owned()));
        rest = &rest[width..];
    }
    state
}

/// What happened, and when.
fn list_events(found: &Simulation) -> Vec<(String, String)> {
    let told = found.events.iter().map(|event| {
        let lost = event.energy_lost.map_or(String::new(), |lost| format!(", {} J lost", decimal(lost)));
        let what = format!("{} {}{lost}{}", event.name, said(event.kind), place(event));
        (format!("t = {} s", decimal(event.t)), what)
    });
    told.collect()
}

/// The state at an event: the first coordinates and their rates, in six digits; what is small beside the others is zero.
fn place(event: &Happened) -> String {
    const MOST: usize = 6;
    const SMALL: f64 = 1e-9;
    let state: Vec<&(String, f64)> = event.state.0.iter().filter(|(name, _)| name != "t").collect();
    let size = state.iter().fold(0.0_f64, |size, (_, value)| size.max(value.abs()));
    let number = |value: f64| {
        let short = format!("{value:.5e}").parse().unwrap_or(value);
        decimal(if value.abs() < SMALL * size { 0.0 } else { short })
    };
    let told: Vec<String> =
        state.iter().take(MOST).map(|(name, value)| format!("{name} = {}", number(*value))).collect();
    let more = if state.len() > MOST { ", …" } else { "" };
    if told.is_empty() { String::new() } else { format!(": {}{more}", told.join(", ")) }
}

/// The facts of the model, each with its verdict.
fn list_expected(found: &Simulation) -> Vec<(String, String)> {
    let told = found.expects.iter().map(|one| {
        let word = match one.holds {
            Some(true) => "holds".to_owned(),
            Some(false) => format!("does not hold: {}", one.reason.as_deref().unwrap_or_default()),
            None => format!("not decided: {}", one.reason.as_deref().unwrap_or_default()),
        };
        (one.name.clone(), word)
    });
    told.collect()
}

/// Why the motion ended, if not since its time was over.
fn tell_end(found: &Simulation) -> Option<String> {
    let t = decimal(found.last.t);
    match &found.stopped_by {
        StoppedBy::Time => None,
        StoppedBy::Interrupted => Some(format!("Interrupted at t = {t} s: everything up to there is kept.")),
        StoppedBy::Failure(reason) => Some(format!("Stopped at t = {t} s: {reason}")),
        StoppedBy::Event(name) => Some(format!("Stopped by {name} at t = {t} s.")),
    }
}

fn said(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Record => "happens",
        EventKind::Singular => "becomes singular",
        EventKind::Stop => "stops the motion",
        other => other.word(),
    }
}

/// Two digits are enough for an error.
fn small(value: f64) -> String {
    if value == 0.0 { "rounding".to_owned() } else { format!("{value:.1e}") }
}

fn object(found: &Simulation, seconds: f64) -> Value {
    json!({
        "model": found.model,
        "form": found.form,
        "method": found.method,
        "tolerance": found.tolerance,
        "steps": found.steps,
        "rejected": found.rejected,
        "rhs_evaluations": found.rhs_evaluations,
        "seconds": seconds,
        "energy_drift": found.energy_drift,
        "work": found.work,
        "constraint_residual": found.constraint_residual,
        "events": found.events,
        "samples": found.table.samples().collect::<Vec<_>>(),
        "final": found.last,
        "phases": found.phases,
        "stopped_by": found.stopped_by.to_string(),
        "failure": found.stopped_by.failure(),
        "expects": found.expects,
        "notes": found.notes,
    })
}

/// The text of a file: JSON, or CSV with the model and the settings in its first lines.
fn written(file: &Path, found: &Simulation, seconds: f64) -> String {
    if file.extension().is_some_and(|extension| extension == "json") {
        return serde_json::to_string_pretty(&object(found, seconds)).unwrap_or_default() + "\n";
    }
    let one_line = |text: &str| text.replace(['\n', '\r'], " ");
    let mut lines = vec![
        format!("# {}", one_line(if found.title.is_empty() { &found.model } else { &found.title })),
        format!("# model: {}", one_line(&found.model)),
        format!("# form: {}, method: {}, tolerance: {:e}", found.form, found.method, found.tolerance),
        format!(
            "# energy balance kept to {:.1e}, constraints to {:.1e}; stopped by: {}",
            found.energy_drift, found.constraint_residual, found.stopped_by
        ),
    ];
    if let Some(reason) = found.stopped_by.failure() {
        lines.push(format!("# incomplete: {}", one_line(reason)));
    }
    if found.stopped_by == StoppedBy::Interrupted {
        lines.push(format!("# incomplete: interrupted at t = {} s", found.last.t));
    }
    lines.extend(
        found.events.iter().map(|event| format!("# event: {} {} at t = {} s", event.name, event.kind.word(), event.t)),
    );
    let heading = |name: String, unit: &str| if unit.is_empty() { name } else { format!("{name} ({unit})") };
    let header = found.table.columns.iter().map(|column| quoted(&heading(column.name(), &column.unit)));
    lines.push(["t (s)".to_owned()].into_iter().chain(header).collect::<Vec<_>>().join(","));
    for (t, row) in found.table.t.iter().zip(&found.table.rows) {
        lines.push([t].into_iter().chain(row).map(f64::to_string).collect::<Vec<_>>().join(","));
    }
    lines.join("\n") + "\n"
}

/// A field of a CSV file.
fn quoted(field: &str) -> String {
    match field.contains([',', '"']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}

/// A long list without its middle.
fn shortened(mut events: Vec<(String, String)>) -> Vec<(String, String)> {
    const FIRST: usize = 20;
    const LAST: usize = 10;
    if events.len() > FIRST + LAST + 1 {
        let left_out = events.len() - FIRST - LAST;
        let words = format!("{left_out} more events, all in `--json`");
        events.splice(FIRST..FIRST + left_out, [("…".to_owned(), words)]);
    }
    events
}

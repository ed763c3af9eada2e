//! How does a motion look: its page, its object, its table?

use anholon::answer::{EventKind, Happened, Meaning, StoppedBy, told};
use anholon::decimal;
use anholon::{Error, Field, Method, Simulation};
use serde_json::{Value, json};

/// The method of that name.
pub fn method(name: &str) -> Result<Method, Error> {
    Method::ALL.into_iter().find(|method| method.name() == name).ok_or_else(|| {
        let names: Vec<&str> = Method::ALL.iter().map(|method| method.name()).collect();
        Error::new(format!("there is no method `{name}`"))
            .hint(format!("there are {}", names.join(" and ")))
            .of(Field::Method)
    })
}

/// The page: what ran, what is drawn, events, the last state, facts, how well it was computed, and how it ended. With the
/// time that it took go all numbers of the last state, and the steps.
pub fn page(found: &Simulation, seconds: Option<f64>, drawn: &str, wrote: &[String]) -> String {
    let mut lines = vec![show_heading(found)];
    if !drawn.is_empty() {
        lines.extend([String::new(), drawn.to_owned()]);
    }
    let mut block = |heading: &str, list: Vec<(String, String)>| lines.extend(crate::numbers::table(heading, list));
    block("Events", shortened(list_events(found)));
    block("State at the end", crate::numbers::paired(list_state(found, seconds.is_some())));
    block("Expected", list_expected(found));
    lines.push(String::new());
    lines.push(format!(
        "Energy balance kept to {}, constraints to {}; work of forces outside the energy {} J",
        small(found.energy_drift),
        small(found.constraint_residual),
        decimal(found.work)
    ));
    lines.extend(seconds.map(|seconds| {
        let (steps, rejected, count) = (found.steps, found.rejected, found.rhs_evaluations);
        format!("{steps} steps ({rejected} rejected), {count} evaluations, {:.1} ms", seconds * 1e3)
    }));
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
            "{title}: motion from t = {} s to t = {} s, driven by {form}, {} {}",
            decimal(found.began),
            decimal(found.last.t),
            found.method,
            accuracy(found)
        ),
    }
}

/// How steps were chosen.
fn accuracy(found: &Simulation) -> String {
    match found.step {
        Some(step) => format!("with steps of {} s", decimal(step)),
        None => format!("at tolerance {:e}", found.tolerance),
    }
}

/// The last state, with the components of a vector on one line; accelerations and reactions only where all is wanted.
fn list_state(found: &Simulation, all: bool) -> Vec<(String, String)> {
    let mut state = Vec::new();
    let is_brief = |meaning: &Meaning| !meaning.is_of_forces() || matches!(meaning, Meaning::Observe { .. });
    let columns: Vec<_> = found.last.columns.iter().zip(&found.last.values).collect();
    let columns: Vec<_> = columns.into_iter().filter(|(column, _)| all || is_brief(&column.meaning)).collect();
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
        let lost = event.energy_lost.map_or(String::new(), |lost| match lost < 0.0 {
            true => format!(", {} J gained", decimal(-lost)),
            false => format!(", {} J lost", decimal(lost)),
        });
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
            None if !one.changed.is_empty() => {
                format!("not applicable: {}", one.reason.as_deref().unwrap_or_default())
            }
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
        StoppedBy::Failure(reason) => Some(format!("The motion ended at t = {t} s: {reason}")),
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

/// All of a motion: what is told of it, and its states.
pub fn object(found: &Simulation, seconds: Option<f64>) -> Value {
    let mut all = told_of(found, seconds);
    all["samples"] = json!(found.table.samples().collect::<Vec<_>>());
    all
}

/// What is told of a motion beside its states.
pub fn told_of(found: &Simulation, seconds: Option<f64>) -> Value {
    let mut all = json!({
        "model": found.model,
        "form": found.form,
        "method": found.method,
        "tolerance": found.step.is_none().then_some(found.tolerance),
        "step": found.step,
        "steps": found.steps,
        "rejected": found.rejected,
        "rhs_evaluations": found.rhs_evaluations,
        "energy_drift": found.energy_drift,
        "work": found.work,
        "constraint_residual": found.constraint_residual,
        "events": found.events,
        "final": found.last,
        "phases": found.phases,
        "stopped_by": found.stopped_by.to_string(),
        "failure": found.stopped_by.failure(),
        "expects": found.expects,
        "notes": found.notes,
    });
    crate::timed(&mut all, seconds);
    all
}

/// The states as CSV, with the model and the settings in its first lines.
pub fn table(found: &Simulation) -> String {
    let one_line = |text: &str| text.replace(['\n', '\r'], " ");
    let mut lines = vec![
        format!("# {}", one_line(if found.title.is_empty() { &found.model } else { &found.title })),
        format!("# model: {}", one_line(&found.model)),
        format!("# form: {}, method: {} {}", found.form, found.method, accuracy(found)),
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

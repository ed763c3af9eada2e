//! A verb at many points of a model: grids and random designs, on all cores, as Parquet tables.
//!
//! ```text
//! vary → Design: point k → values          the same for every machine: a point depends on its number and the seed alone
//! point → model with these values → what   by as many threads as one likes; the digits do not depend on them
//! 1024 points → a part: a Parquet file     written as soon as it is there; parts that are there are not made again
//! ```
//!
//! A point that has no answer is a row with its reason.

mod design;
mod parquet;
mod point;
mod random;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use engine::{Error, Field, Loaded, Progress};
use serde::Serialize;

pub use design::Design;
pub use point::What;

use parquet::{Column, Values};
use point::Row;

/// So many points are in a part.
const PART: usize = 1024;

/// What is asked of a sweep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sweep {
    /// What is varied: `m=0.5..2:16, a~uniform(-1, 1):100`.
    pub vary: String,
    /// Points one by one, as CSV with the names in its first line; together with `vary` each of them at each point there.
    pub table: Option<String>,
    /// What is computed at each point, separated by commas; coordinates and rates at the end if nothing is said.
    pub what: String,
    /// How long motions last; without it, expressions are taken at the start.
    pub duration: Option<f64>,
    /// The relative tolerance of motions.
    pub tolerance: Option<f64>,
    /// What random points follow from.
    pub seed: u64,
    /// How many threads work.
    pub threads: usize,
}

/// Where parts are kept.
pub trait Store {
    /// The bytes of a part that is there already.
    fn there(&mut self, part: usize) -> Option<Vec<u8>>;
    /// Keeps a part.
    fn keep(&mut self, part: usize, bytes: &[u8]) -> Result<(), Error>;
}

/// What a sweep has made.
#[derive(Clone, Debug, Serialize)]
pub struct Swept {
    /// The model.
    pub model: String,
    /// How many points there are in all.
    pub points: usize,
    /// How many of those that were computed have no answer.
    pub failed: usize,
    /// The first reasons, each with the first point that it was given for.
    pub reasons: Vec<(usize, String)>,
    /// How many parts there are now.
    pub parts: usize,
    /// How many of them were there before.
    pub kept: usize,
    /// The columns of the table.
    pub columns: Vec<String>,
    /// Whether somebody wished to stop before all parts were there.
    pub stopped: bool,
}

/// Computes what is asked at every point, part by part.
pub fn sweep(
    loaded: &Loaded,
    wanted: &Sweep,
    store: &mut dyn Store,
    progress: &mut dyn Progress,
) -> Result<Swept, Error> {
    let design = Design::of(wanted)?;
    point::known(loaded, &design)?;
    let what = What::of(loaded, wanted)?;
    let about = about(loaded, wanted, &design);
    let mut swept = Swept {
        model: loaded.file.clone(),
        points: design.points(),
        failed: 0,
        reasons: Vec::new(),
        parts: 0,
        kept: 0,
        columns: columns(&design, &what),
        stopped: false,
    };
    progress.begins("points");
    // what was there before says nothing about how long the rest takes
    let mut before = 0;
    for (part, first) in (0..design.points()).step_by(PART).enumerate() {
        if let Some(bytes) = store.there(part) {
            if parquet::said(&bytes, JOB).as_deref() != Some(&about[0].1) {
                return Err(Error::new(format!("part {part} is there and was made for another sweep"))
                    .hint("take another folder, or remove its parts"));
            }
            swept.failed += parquet::said(&bytes, FAILED).and_then(|text| text.parse().ok()).unwrap_or(0);
            (swept.kept, swept.parts) = (swept.kept + 1, swept.parts + 1);
            before += PART.min(design.points() - first);
            continue;
        }
        let last = (first + PART).min(design.points());
        let share = |done: usize| (first + done - before) as f64 / (design.points() - before) as f64;
        let mut hear = |done: usize| progress.reached(share(done));
        let Some(rows) = computed(loaded, &design, &what, first..last, wanted.threads, &mut hear) else {
            swept.stopped = true;
            break;
        };
        let failed = note(&mut swept, first, &rows);
        let mut facts = about.clone();
        facts.push((FAILED.to_owned(), failed.to_string()));
        store.keep(part, &parquet::file(&table(&design, &what, first, rows), &facts))?;
        swept.parts += 1;
    }
    Ok(swept)
}

/// The key of what a part was made for, and of how many of its points failed.
const JOB: &str = "anholon.job";
const FAILED: &str = "anholon.failed";

/// What every part says about itself.
fn about(loaded: &Loaded, wanted: &Sweep, design: &Design) -> Vec<(String, String)> {
    let settings = &loaded.settings;
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| value.to_string());
    let job = format!(
        "model {}; vary {}; table {}; what {}; for {}; tolerance {}; seed {}; points {}",
        loaded.hash(),
        wanted.vary,
        wanted.table.as_deref().map_or("-".to_owned(), |text| engine::hash([text])),
        wanted.what,
        number(wanted.duration),
        number(wanted.tolerance),
        wanted.seed,
        design.points(),
    );
    let mut all = vec![(JOB.to_owned(), job)];
    let mut add = |key: &str, value: String| all.push((format!("anholon.{key}"), value));
    add("version", env!("CARGO_PKG_VERSION").to_owned());
    add("model", settings.text.clone());
    add("model_name", loaded.file.clone());
    add("model_hash", loaded.hash());
    add("with", settings.with.iter().map(|one| one.1.as_str()).collect::<Vec<_>>().join("\n"));
    add("set", settings.set.join(", "));
    add("at", settings.at.clone().unwrap_or_default());
    add("vary", wanted.vary.clone());
    add("what", wanted.what.clone());
    add("for", number(wanted.duration));
    add("tolerance", number(wanted.tolerance));
    add("seed", wanted.seed.to_string());
    all
}

fn columns(design: &Design, what: &What) -> Vec<String> {
    let mut all = vec!["point".to_owned()];
    all.extend(design.names().map(str::to_owned));
    all.extend(what.columns().iter().cloned());
    all.push("error".to_owned());
    all
}

/// Counts the points without an answer, and keeps their first reasons.
fn note(swept: &mut Swept, first: usize, rows: &[Row]) -> usize {
    const MOST: usize = 5;
    let mut failed = 0;
    for (k, row) in rows.iter().enumerate() {
        let Err(reason) = row else { continue };
        failed += 1;
        if swept.reasons.len() < MOST && swept.reasons.iter().all(|(_, known)| known != reason) {
            swept.reasons.push((first + k, reason.clone()));
        }
    }
    swept.failed += failed;
    failed
}

/// The rows of some points, in their order; nothing if somebody wished to stop.
fn computed(
    loaded: &Loaded,
    design: &Design,
    what: &What,
    range: std::ops::Range<usize>,
    threads: usize,
    hear: &mut dyn FnMut(usize) -> bool,
) -> Option<Vec<Row>> {
    let (next, is_over) = (AtomicUsize::new(range.start), AtomicBool::new(false));
    let (settings, mut rows): (_, Vec<Option<Row>>) = (&loaded.settings, vec![None; range.len()]);
    let point = || {
        let is_over = is_over.load(Ordering::Relaxed);
        let point = if is_over { range.end } else { next.fetch_add(1, Ordering::Relaxed) };
        (point < range.end).then_some(point)
    };
    let mut done = 0;
    let mut keep = |point: usize, row: Row| {
        rows[point - range.start] = Some(row);
        done += 1;
        if !hear(done) {
            is_over.store(true, Ordering::Relaxed);
        }
        true
    };
    if threads <= 1 {
        // one is here already
        what.each(settings, design, &is_over, &mut || point(), &mut keep);
    } else {
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..threads.clamp(1, range.len().max(1)) {
                let (point, is_over, sender) = (&point, &is_over, sender.clone());
                scope.spawn(move || {
                    let mut send = |point, row| sender.send((point, row)).is_ok();
                    what.each(settings, design, is_over, &mut || point(), &mut send);
                });
            }
            drop(sender);
            for (point, row) in receiver {
                keep(point, row);
            }
        });
    }
    match is_over.into_inner() {
        true => None,
        false => rows.into_iter().collect(),
    }
}

/// The table of some points.
fn table(design: &Design, what: &What, first: usize, rows: Vec<Row>) -> Vec<Column> {
    let count = rows.len();
    let mut all = vec![Column {
        name: "point".to_owned(),
        values: Values::Integers((first..first + count).map(|point| point as i64).collect()),
    }];
    let points: Vec<Vec<f64>> = (first..first + count).map(|point| design.at(point)).collect();
    for (k, name) in design.names().enumerate() {
        let values = points.iter().map(|values| Some(values[k])).collect();
        all.push(Column { name: name.to_owned(), values: Values::Floats(values) });
    }
    for (k, name) in what.columns().iter().enumerate() {
        let value = |row: &Row| row.as_ref().ok().and_then(|values| values[k]);
        all.push(Column { name: name.clone(), values: Values::Floats(rows.iter().map(value).collect()) });
    }
    let errors = rows.into_iter().map(Result::err).collect();
    all.push(Column { name: "error".to_owned(), values: Values::Texts(errors) });
    all
}

/// A wrong part of the question.
fn wrong(field: Field, message: String) -> Error {
    Error::new(message).of(field)
}

/// Items between commas that stand in no brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut first, mut items) = (0, 0, Vec::new());
    for (place, letter) in text.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                items.push(text[first..place].trim());
                first = place + 1;
            }
            _ => {}
        }
    }
    items.push(text[first..].trim());
    items.retain(|item| !item.is_empty());
    items
}

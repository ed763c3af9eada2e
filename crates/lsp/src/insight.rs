//! What does the engine find out about a text that can be read? Found beside the talk with the editor, since it may take long.

use std::sync::atomic::{AtomicBool, Ordering};

use anholon::answer::{Level, Notice};
use anholon::{Check, Inspect, Progress, Settings, Show};
use serde_json::Value;
use syntax::Diagnostic;

/// What was found.
#[derive(Default)]
pub struct Insight {
    /// What hinders the engine.
    pub errors: Vec<Notice>,
    /// What it remarks, with places of the text itself.
    pub remarks: Vec<Diagnostic>,
    /// What is wrong or odd with its constraints and its start.
    pub findings: Vec<Found>,
    /// The names with what they are, their units and values at the start, as the studio has them.
    pub names: Vec<Value>,
    /// The rows of constraints: name, class, and what follows from it.
    pub rows: Vec<Row>,
    /// The declarations that contacts stand for, each group after a comment with the line of its contact.
    pub expansion: Vec<String>,
}

/// Something that is wrong or odd, and where.
pub struct Found {
    /// The line in the text, from 1; or
    pub line: Option<usize>,
    /// the constraint that it is about.
    pub constraint: Option<String>,
    /// How bad it is.
    pub level: Level,
    /// What is so, and what to do.
    pub message: String,
}

/// A row of a constraint.
pub struct Row {
    /// Its name, with its component or part.
    pub name: String,
    /// Its class, and whether it can be integrated.
    pub told: String,
}

/// Somebody who stops when wished.
pub struct Until<'a>(pub &'a AtomicBool);

impl Progress for Until<'_> {
    fn reached(&mut self, _share: f64) -> bool {
        !self.0.load(Ordering::Relaxed)
    }
}

/// Opens a model and asks what its constraints are. `without_facts` is the text without its facts, which would take a motion to
/// judge.
pub fn insight(settings: &Settings, without_facts: String, stop: &AtomicBool) -> Insight {
    let model = match anholon::open(settings) {
        Ok(model) => model,
        Err(error) => return Insight { errors: error.diagnostics, ..Insight::default() },
    };
    let mut found = Insight::default();
    let remarks = model.system.remarks.iter().filter(|one| model.model.sources.is_first(one.span));
    found.remarks = remarks.cloned().collect();
    if let Value::Array(names) = ask::names::of(&model)["names"].take() {
        found.names = names;
    }
    // without a contact there is nothing to expand, and the check would say so
    let asked = Inspect { show: (!model.system.contacts.is_empty()).then_some(Show::Expansion) };
    drop(model);
    let bare = Settings { text: without_facts, ..settings.clone() };
    let Ok(check) = anholon::open(&bare).and_then(|bare| anholon::check(&bare, &asked, &mut Until(stop))) else {
        return found;
    };
    if stop.load(Ordering::Relaxed) {
        return found;
    }
    found.findings = findings(&check, &settings.file);
    for row in &check.constraints {
        let integrable = match (row.order, row.integrable, &row.integral) {
            (Some(1), Some(true), Some(integral)) => format!("; integrable: {integral}"),
            (Some(1), Some(true), None) => "; integrable".to_owned(),
            (Some(1), Some(false), _) => "; nonholonomic: no integral replaces it".to_owned(),
            _ => String::new(),
        };
        found.rows.push(Row { name: row.full_name(), told: format!("{}{integrable}", row.class) });
    }
    found.expansion = check.shown.map(|shown| shown.equations).unwrap_or_default();
    found
}

/// What the check says of the start and of constraints.
fn findings(check: &Check, file: &str) -> Vec<Found> {
    let of_start = check.start.contradictions.iter().map(|one| {
        let line = (one.file == file).then_some(one.line);
        Found { line, constraint: None, level: Level::Wrong, message: one.message.clone() }
    });
    let of_rows = check.findings.iter().map(|one| {
        let hint = one.hint.iter().map(|hint| format!("\nhint: {hint}")).collect::<String>();
        let message = format!("{}{hint}", one.message);
        Found { line: None, constraint: one.constraints.first().cloned(), level: one.level, message }
    });
    of_start.chain(of_rows).collect()
}

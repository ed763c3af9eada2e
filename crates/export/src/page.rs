//! What stands on top of every exported file? The model, its hash, the order of numbers, the signs.

use crate::unit::{Quantity, Unit};
use crate::value::Routine;

/// The lines on top of a file.
pub fn top(unit: &Unit) -> Vec<String> {
    let mut lines = vec![
        if unit.title.is_empty() { unit.file.clone() } else { format!("{} ({})", unit.title, unit.file) },
        String::new(),
        format!("Written by Anholon {} from model {}; do not edit.", env!("CARGO_PKG_VERSION"), unit.hash),
        format!("Equations of motion by the form `{}`; SI units.", unit.form),
    ];
    lines.push(String::new());
    let more = if unit.states.is_empty() { "" } else { ", then states of first order" };
    lines.push(format!("State y: coordinates, then their rates in the same order{more}."));
    lines.extend(numbered("y", unit.state()));
    match unit.takes_parameters {
        true if unit.parameters.is_empty() => lines.push("There are no parameters: p is not read.".to_owned()),
        true => lines.push("Parameters p, in the order of the model, then inputs; with their values there.".to_owned()),
        false => lines.push("Parameters have the values of the model; the argument p is not read.".to_owned()),
    }
    lines.extend(unit.parameters.iter().enumerate().map(|(k, one)| {
        let value = one.value;
        if unit.takes_parameters {
            let idle = match (one.counts, unit.may_change(one)) {
                (true, _) => " (elements are counted by it: leave it)",
                (false, true) => "",
                (false, false) => " (not read)",
            };
            format!("  p[{k}] = {} = {value:?}{idle}", one.label())
        } else {
            format!("  {} = {value:?}", one.label())
        }
    }));
    lines.push(String::new());
    lines
        .push("Signs: M q'' + h = A^T lambda; the reaction of a constraint f is lambda times its gradient.".to_owned());
    lines.extend(unit.remarks.iter().map(|remark| format!("Note: {remark}.")));
    lines
}

/// The lines on top of a model in equations: no arrays.
pub fn of_model(unit: &Unit) -> Vec<String> {
    let mut lines = top(unit)[..3].to_vec();
    lines.push(
        "SI units. M q'' + h = A^T lambda: the reaction of a constraint f is lambda times its gradient.".to_owned(),
    );
    lines.extend(unit.remarks.iter().map(|remark| format!("Note: {remark}.")));
    lines
}

fn numbered<'a>(array: &str, list: impl Iterator<Item = &'a Quantity>) -> Vec<String> {
    list.enumerate().map(|(k, one)| format!("  {array}[{k}] = {}", one.label())).collect()
}

/// What a routine does, and what its answers are.
pub fn of_routine(routine: &Routine) -> Vec<String> {
    let mut lines = routine.says.clone();
    for answer in &routine.answers {
        if answer.columns > 1 || answer.entries.is_empty() {
            lines.push(format!("  {} has {} rows and {} columns", answer.array, answer.rows, answer.columns));
        }
        let named = answer.entries.iter().enumerate().filter(|one| !one.1.is_empty());
        lines.extend(named.map(|(k, one)| format!("  {}[{k}] = {one}", answer.array)));
    }
    lines
}

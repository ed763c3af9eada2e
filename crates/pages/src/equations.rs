//! How do derived equations look? A page for each form, LaTeX, or JSON.

use anholon::Derivation;
use anholon::answer::{Correction, Explicit, MatrixPage, Step};
use serde_json::{Value, json};

use crate::folding::{WIDTH, folded};
use crate::paper::paper;
use crate::timed;

/// In which shape equations are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// For a terminal.
    Text,
    /// For a paper.
    Latex,
    /// For a page: a line for each formula.
    MathMl,
}

/// What was derived, a page for each form; with operations and the time that it took where somebody wants to know.
pub fn pages(derived: &[Derivation], seconds: Option<f64>, shape: Shape) -> String {
    let written: fn(&Derivation) -> String = match shape {
        Shape::Text => page,
        Shape::Latex => paper,
        Shape::MathMl => elements,
    };
    let mut pages = derived.iter().map(written).collect::<Vec<_>>().join("\n\n");
    if let (Shape::Text, Some(seconds)) = (shape, seconds) {
        let count: usize = derived.iter().map(|derivation| derivation.operations).sum();
        let forms = derived.iter().filter(|derivation| derivation.applicable).count();
        let forms = if forms == 1 { String::new() } else { format!("{forms} forms, ") };
        pages += &format!("\n\n{forms}{count} operations, {:.0} ms", seconds * 1e3);
    }
    pages
}

/// One object for one form, a list of them for several.
pub fn objects(derived: &[Derivation], seconds: Option<f64>) -> Value {
    let object = |derivation: &Derivation| {
        let mut value = serde_json::to_value(derivation).unwrap_or_else(|_| json!({}));
        timed(&mut value, seconds);
        value
    };
    let [one] = derived else {
        let mut all = json!({
            "model": derived.first().map(|one| one.model.clone()),
            "forms": derived.iter().map(object).collect::<Vec<_>>(),
        });
        timed(&mut all, seconds);
        return all;
    };
    object(one)
}

/// The formulas of one form as MathML: one element a line.
fn elements(derivation: &Derivation) -> String {
    if let Some(reason) = &derivation.reason {
        return format!("<!-- {} does not apply: {reason} -->", derivation.form);
    }
    let mut lines = Vec::new();
    match &derivation.steps {
        Some(steps) => lines.extend(steps.iter().flat_map(|step| &step.lines).map(|line| line.mathml.clone())),
        None => {
            let named = derivation.definitions.iter().chain(&derivation.constraints).map(|line| &line.formula);
            let all = derivation.equations.iter().chain(named).chain(&derivation.kinematics).chain(&derivation.laws);
            lines.extend(all.map(|formula| formula.mathml.clone()));
            let explicit = derivation.multipliers.iter().filter_map(|one| one.equation.as_ref());
            lines.extend(explicit.map(|formula| formula.mathml.clone()));
        }
    }
    lines.extend(derivation.matrices.iter().flat_map(|page| page.mathml.0.iter().map(|entry| entry.1.clone())));
    let explicit = derivation.explicit.iter().flat_map(|page| page.lines.iter().chain(&page.definitions));
    lines.extend(explicit.map(|formula| formula.mathml.clone()));
    lines.join("\n")
}

/// The page of one form: the equations, what stands in them, and how they are to be read.
fn page(derivation: &Derivation) -> String {
    let title = if derivation.title.is_empty() { &derivation.model } else { &derivation.title };
    let mut lines = vec![format!("{title}: {} (`{}`)", derivation.equations_of, derivation.form)];
    if let Some(reason) = &derivation.reason {
        lines.push(format!("  does not apply: {reason}"));
        return lines.join("\n");
    }
    match &derivation.steps {
        Some(steps) => lines.extend(show_steps(steps)),
        None => lines.extend(show_blocks(derivation)),
    }
    lines.extend(derivation.matrices.iter().flat_map(show_matrices));
    lines.extend(derivation.explicit.iter().flat_map(show_explicit));
    for one in &derivation.reactions {
        lines.extend(show_block(&format!("Reaction of {}", one.constraint), &one.lines));
    }
    lines.extend(derivation.correction.iter().flat_map(show_correction));
    lines.extend(explain(derivation));
    lines.extend(derivation.notes.iter().map(|note| format!("note: {note}")));
    lines.join("\n")
}

/// The steps, numbered, each with its lines.
fn show_steps(steps: &[Step]) -> Vec<String> {
    let mut lines = Vec::new();
    for step in steps {
        lines.extend([String::new(), format!("{}. {}", step.number, step.title)]);
        for line in &step.lines {
            let doubt = if line.checked == Some(false) { "   (not checked)" } else { "" };
            lines.extend(folded(&format!("{}{doubt}", line.text)));
        }
    }
    let all = steps.iter().all(|step| step.checked);
    lines.push(String::new());
    lines.push(match all {
        true => "Every equality about this model was checked by the kernel.".to_owned(),
        false => "Equalities that could not be checked are marked.".to_owned(),
    });
    lines
}

/// The matrices, entries below each other.
fn show_matrices(page: &MatrixPage) -> Vec<String> {
    let law = if page.A.is_empty() { "M q'' + h = Q" } else { "M q'' + h = Q + Aᵀ λ,   A q'' = b" };
    let parts = match (&page.C, &page.g) {
        (Some(_), Some(_)) => ",   h = C q' + g",
        (Some(_), None) => ",   h = C q'",
        _ => "",
    };
    let mut lines = vec![String::new(), format!("Matrices   {law}{parts}")];
    lines.push(format!("  q = ({})", page.q.join(", ")));
    if !page.lambda.is_empty() {
        lines.push(format!("  λ = ({})", page.lambda.join(", ")));
    }
    let column = |list: &[String]| list.iter().map(|entry| vec![entry.clone()]).collect::<Vec<_>>();
    let tables = [
        ("M", Some(page.M.clone())),
        ("h", Some(column(&page.h))),
        ("C", page.C.clone()),
        ("g", page.g.as_deref().map(column)),
        ("Q", Some(column(&page.Q))),
        ("A", Some(page.A.clone())),
        ("b", Some(column(&page.b))),
        ("M⁻¹", page.inverse.clone()),
    ];
    for (name, rows) in tables {
        lines.extend(rows.filter(|rows| !rows.is_empty()).iter().flat_map(|rows| show_table(name, rows)));
    }
    for (letter, sign, table) in [("Γ", ';', &page.Gamma), ("Γ^", ';', &page.Gamma_raised)] {
        let entry =
            |entry: &(String, String)| format!("{letter}[{}] = {}", entry.0.replace(';', &sign.to_string()), entry.1);
        lines.extend(table.0.iter().map(entry).flat_map(|line| folded(&line)));
    }
    lines.extend(page.notes.iter().map(|note| format!("  ({note})")));
    lines.push(match (page.checked, &page.C) {
        (true, Some(_)) => "  Checked: they give the equations of motion, and M' − 2C is skew.".to_owned(),
        (true, None) => "  Checked: they give the equations of motion.".to_owned(),
        _ => "  That they give the equations of motion could not be checked.".to_owned(),
    });
    lines
}

/// A table with its columns below each other; of a wide one each entry on a line.
fn show_table(name: &str, rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows[0].len();
    let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    if widths.iter().sum::<usize>() + 3 * columns + name.len() > WIDTH {
        let entry = |r: usize, c: usize| match columns {
            1 => format!("{name}[{}] = {}", r + 1, rows[r][c]),
            _ => format!("{name}[{}, {}] = {}", r + 1, c + 1, rows[r][c]),
        };
        let places = (0..rows.len()).flat_map(|r| (0..columns).map(move |c| (r, c)));
        return places.filter(|&(r, c)| rows[r][c] != "0").flat_map(|(r, c)| folded(&entry(r, c))).collect();
    }
    let mut lines = Vec::with_capacity(rows.len());
    for (r, row) in rows.iter().enumerate() {
        let head = if r == 0 { format!("{name} = ") } else { " ".repeat(name.chars().count() + 3) };
        let cell = |(k, entry): (usize, &String)| format!("{entry:<width$}", width = widths[k]);
        let cells: Vec<String> = row.iter().enumerate().map(cell).collect();
        lines.push(format!("  {head}[ {} ]", cells.join("   ")));
    }
    lines
}

/// Accelerations and multipliers in letters.
fn show_explicit(page: &Explicit) -> Vec<String> {
    if let Some(reason) = &page.reason {
        return show_block("Solved", std::slice::from_ref(reason));
    }
    let text = |formula: &anholon::Formula| formula.text.clone();
    let heading = if page.multipliers.is_empty() { "Solved" } else { "Solved, wherever the constraints hold" };
    let mut lines = show_block(heading, &page.lines.iter().map(text).collect::<Vec<_>>());
    lines.extend(show_block("with", &page.definitions.iter().map(text).collect::<Vec<_>>()));
    let list: Vec<String> = page.singular.iter().map(|one| format!("{one} ≠ 0")).collect();
    match page.definitions.is_empty() {
        true if list.is_empty() => {}
        true => lines.extend(show_block("Valid while", &[list.join(", ")])),
        false => lines.extend(show_block("Valid while", &["nothing that is divided by vanishes".to_owned()])),
    }
    if !page.checked {
        lines.push("  (not checked)".to_owned());
    }
    lines
}

/// A list under its heading, after an empty line; nothing for an empty list.
fn show_block(heading: &str, list: &[String]) -> Vec<String> {
    if list.is_empty() {
        return Vec::new();
    }
    let head = [String::new(), heading.to_owned()];
    head.into_iter().chain(list.iter().flat_map(|line| folded(line))).collect()
}

/// Equations, definitions, constraints, rates, multipliers and remarks, each kind under its heading.
fn show_blocks(derivation: &Derivation) -> Vec<String> {
    let text = |line: &anholon::Formula| line.text.clone();
    let width = derivation.constraints.iter().map(|line| line.name.chars().count() + 2).max().unwrap_or(0);
    let named = |line: &anholon::answer::Named| format!("{:width$}{}", format!("{}:", line.name), line.formula.text);
    let explicit = derivation.multipliers.iter().filter_map(|one| Some(one.equation.as_ref()?.text.clone()));
    let remarks = derivation.remarks.iter().map(|remark| format!("{} = {}", remark.name, remark.formula.text));
    let kinds: [(&str, Vec<String>); 7] = [
        ("Equations of motion", derivation.equations.iter().map(text).collect()),
        ("with", derivation.definitions.iter().map(|line| line.formula.text.clone()).collect()),
        ("Constraints, differentiated to accelerations", derivation.constraints.iter().map(named).collect()),
        ("Rates", derivation.kinematics.iter().map(text).collect()),
        ("First-order states", derivation.laws.iter().map(text).collect()),
        ("Multipliers", explicit.collect()),
        ("The form also gives", remarks.collect()),
    ];
    kinds.iter().flat_map(|(heading, list)| show_block(heading, list)).collect()
}

/// What Lagrange's operator on the reduced energy leaves out.
fn show_correction(correction: &Correction) -> Vec<String> {
    let heading = "Nonholonomic correction C";
    let list = match correction {
        Correction::Of(list) => list,
        Correction::None { reason } => return show_block(heading, &[format!("there is none: {reason}")]),
    };
    let written = list.iter().map(|line| format!("C[{}] = {}", line.name, line.formula.text));
    let mut lines = show_block(heading, &written.collect::<Vec<_>>());
    if list.iter().all(|line| line.formula.text == "0") {
        lines.push("  It vanishes: on this chart Lagrange's operator may be applied to the reduced energy.".to_owned());
    }
    lines
}

/// What a multiplier is, where the chart is singular, and which branch it follows.
fn explain(derivation: &Derivation) -> Vec<String> {
    let mut lines = Vec::new();
    if !derivation.multipliers.is_empty() {
        lines.push(String::new());
        lines.push(
            "A multiplier is the factor of ∂f/∂q (∂f/∂q', ∂f/∂q'') in the reaction, for a constraint \
             f = left - right = 0."
                .to_owned(),
        );
    }
    if !derivation.singular.is_empty() {
        lines.push(String::new());
        let (mut places, long): (Vec<String>, Vec<String>) =
            derivation.singular.iter().cloned().partition(|place| place.chars().count() <= WIDTH);
        if !long.is_empty() {
            let noun = if long.len() == 1 { "place" } else { "places" };
            places.push(format!("at {} {noun} of long description (`--json` has them)", long.len()));
        }
        let places = places.join(" or ");
        lines.push(format!(
            "These equations cannot be used where {places}; the forms `jourdain` and `multipliers` can."
        ));
    }
    lines.extend(derivation.branches.iter().map(|branch| format!("Branch of the start: {branch}.")));
    if !derivation.others.is_empty() {
        lines.push(String::new());
        let others: Vec<String> = derivation.others.iter().map(|name| format!("`--form {name}`")).collect();
        lines.push(format!("This is the shortest of the usual forms; see also {}.", others.join(", ")));
    }
    lines
}

//! How do motions in closed form look? Case by case: the condition, the formulas, the constants with their values.

use anholon::answer::{ClosedForm, ClosedPeriod, Course, CourseKind, Quadrature};
use anholon::{Solved, decimal};

use crate::show::wrapped;

/// The page.
pub fn page(answer: &Solved) -> String {
    let title = if answer.title.is_empty() { &answer.model } else { &answer.title };
    let mut lines = Vec::new();
    match answer.solutions.len() {
        0 => {
            lines.push(format!("{title}: no motion in closed form was found"));
            lines.extend(answer.reason.iter().flat_map(|why| wrapped("  ", why)));
            lines.push(String::new());
            lines.extend(wrapped("Looked for: ", &answer.looked_for.join("; ")));
        }
        1 => lines.push(format!("{title}: the motion in closed form")),
        _ => lines.push(format!("{title}: motions in closed form, case by case")),
    }
    for one in &answer.solutions {
        lines.push(String::new());
        lines.extend(case(one));
    }
    if !answer.solutions.is_empty() {
        if let Some(why) = &answer.reason {
            lines.push(String::new());
            lines.extend(wrapped("  ", why));
        }
        lines.push(String::new());
        let what = match answer.solutions.iter().all(|one| one.quadrature.is_some()) {
            true => "Proved: the integral is constant on every motion.",
            false => {
                "Proved by substitution into the constraints and the equations of motion, for all times and constants."
            }
        };
        lines.push(what.to_owned());
    }
    if !answer.assumptions.is_empty() {
        lines.extend(wrapped("Assuming ", &answer.assumptions.join(", ")));
    }
    lines.join("\n")
}

fn case(one: &ClosedForm) -> Vec<String> {
    let mut lines = Vec::new();
    if !one.conditions.is_empty() {
        let all: Vec<&str> = one.conditions.iter().map(|condition| condition.text.as_str()).collect();
        let here = match one.applies {
            Some(true) => " (so with the values of the model)",
            Some(false) => " (not so with the values of the model)",
            None => "",
        };
        lines.extend(wrapped("  where ", &format!("{}{here}", all.join(", "))));
    }
    if let Some(quadrature) = &one.quadrature {
        lines.extend(by_integral(quadrature));
    }
    for (name, formula) in &one.motion.0 {
        lines.extend(wrapped(&format!("  {name} = "), &formula.text));
    }
    if !one.observed.is_empty() {
        lines.push("  observed".to_owned());
    }
    for (name, formula) in &one.observed.0 {
        lines.extend(wrapped(&format!("    {name} = "), &formula.text));
    }
    for angle in &one.introduced {
        let text = format!("cos({0}) = {1}, sin({0}) = {2}", angle.name, angle.cos.text, angle.sin.text);
        lines.extend(wrapped(&format!("  with the angle {}: ", angle.name), &text));
    }
    if !one.constants.is_empty() {
        let width = one.constants.0.iter().map(|constant| constant.0.chars().count()).max().unwrap_or(0);
        lines.push("  constants".to_owned());
        for (name, constant) in &one.constants.0 {
            let value = constant.value.map(|value| format!(" = {}", decimal(value))).unwrap_or_default();
            lines.extend(wrapped("    ", &format!("{name:width$}{value}   {}", constant.meaning)));
        }
    }
    lines.extend(one.quadrature.iter().filter_map(|quadrature| quadrature.course.as_ref()).flat_map(course));
    lines.extend(one.period.as_ref().map(period));
    lines
}

fn by_integral(quadrature: &Quadrature) -> Vec<String> {
    let mut lines = wrapped("  ", &quadrature.energy.text);
    lines.extend(wrapped("  ", &quadrature.time.text));
    lines.push(format!("    while {0} grows; with the other sign while it falls", quadrature.coordinate));
    lines
}

fn course(course: &Course) -> Vec<String> {
    let [from, to] = [course.from, course.to].map(decimal);
    let place = match course.kind {
        CourseKind::Libration | CourseKind::Open => format!(" between {from} and {to}"),
        _ => String::new(),
    };
    let mut lines = vec![format!("  from the start of the model: {}{place}", course.kind)];
    lines.extend(course.reason.iter().flat_map(|why| wrapped("    ", why)));
    lines
}

fn period(period: &ClosedPeriod) -> String {
    let letters = period.formula.as_ref().map(|formula| formula.text.clone());
    let number = period.value.map(|value| {
        let error = period.error.map(|error| format!(" ± {error:.1e}")).unwrap_or_default();
        format!("{}{error} s", decimal(value))
    });
    format!("  period {}", [letters, number].into_iter().flatten().collect::<Vec<_>>().join(" = "))
}

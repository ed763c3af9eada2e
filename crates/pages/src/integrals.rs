//! How does what is constant look? A line for each integral with its kind; for a refuted candidate a witness.

use anholon::answer::{Constancy, Integral, Shown};
use anholon::decimal;
use anholon::{Integrals, Ordered};

use crate::audits::shown;
use crate::show::wrapped;

/// The page.
pub fn page(answer: &Integrals) -> String {
    let title = if answer.title.is_empty() { &answer.model } else { &answer.title };
    let is_test = answer.integrals.iter().any(|integral| integral.verdict.is_some());
    let heading = match (is_test, answer.integrals.len()) {
        (true, _) => "candidates",
        (false, 0) => "no integral was found",
        (false, 1) => "one integral",
        (false, _) => "integrals",
    };
    let mut lines = vec![format!("{title}: {heading}"), String::new()];
    let label = |integral: &Integral| integral.verdict.map_or(integral.kind.word(), Constancy::word);
    let width = answer.integrals.iter().map(|integral| label(integral).chars().count()).max().unwrap_or(0);
    for integral in &answer.integrals {
        lines.extend(wrapped(&format!("  {} {:width$}  ", sign(integral), label(integral)), &integral.text));
        lines.extend(details(integral));
    }
    if !answer.no_energy.is_empty() {
        separate(&mut lines);
        lines.extend(wrapped("The energy is not constant: ", &answer.no_energy.join("; ")));
    }
    if !is_test {
        separate(&mut lines);
        let (short, long): (Vec<&String>, Vec<&String>) =
            answer.functions.iter().partition(|function| function.chars().count() <= LENGTH);
        let shown: Vec<&str> = short.iter().take(FUNCTIONS).map(|function| function.as_str()).collect();
        let more = match long.len() + short.len() - shown.len() {
            0 => String::new(),
            more if shown.is_empty() => format!("{more} functions that are long"),
            1 => " and another".to_owned(),
            more => format!(" and {more} others"),
        };
        let times = match answer.functions.is_empty() {
            true => String::new(),
            false => format!(" times products of {}{more}", shown.join(", ")),
        };
        let what = "sums, with constant coefficients, of energies, momenta, positions, and velocities";
        lines.extend(wrapped("Looked at: ", &format!("{what}{times}")));
        if !answer.not_found.is_empty() {
            lines.extend(wrapped("Not found: ", &answer.not_found.join("; ")));
        }
    }
    if !answer.as_long_as.is_empty() {
        separate(&mut lines);
        lines.extend(wrapped("As long as ", &answer.as_long_as.join(", ")));
    }
    if !answer.assumptions.is_empty() {
        separate(&mut lines);
        lines.extend(wrapped("Assuming ", &answer.assumptions.join(", ")));
    }
    lines.join("\n")
}

/// So many functions of the search are shown.
const FUNCTIONS: usize = 8;
/// Those with more characters are only counted.
const LENGTH: usize = 50;

fn separate(lines: &mut Vec<String>) {
    if lines.last().is_some_and(|line| !line.is_empty()) {
        lines.push(String::new());
    }
}

fn sign(integral: &Integral) -> &'static str {
    match integral.verdict {
        _ if integral.proved => "✓",
        Some(Constancy::Changes) => "✗",
        _ => "?",
    }
}

fn details(integral: &Integral) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(witness) = &integral.witness {
        // a rate is no equation: what a claimed motion would need says nothing of it
        let rate_alone =
            Shown { claimed: Ordered(Vec::new()), tangential_reaction: Ordered(Vec::new()), ..witness.clone() };
        lines.extend(shown(&rate_alone));
        lines.pop_if(|line| line.contains("left minus right"));
        lines.push(format!("      its rate there is {}", decimal(witness.residual)));
    } else if let Some(reason) = &integral.reason {
        lines.extend(wrapped("      ", reason));
    }
    lines
}

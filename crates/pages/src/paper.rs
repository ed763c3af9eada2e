//! How do equations look in a paper? LaTeX that fits an A4 page at 11 points: long ones are broken between terms.

use anholon::Derivation;
use anholon::answer::{Correction, Step};

/// About so many letters fit a line.
pub const LINE: usize = 66;

/// The equations of one form for a paper.
pub fn paper(derivation: &Derivation) -> String {
    if let Some(reason) = &derivation.reason {
        return format!("% {} does not apply: {reason}", derivation.form);
    }
    let title = if derivation.title.is_empty() { &derivation.model } else { &derivation.title };
    let mut parts = vec![format!("% {title}: {}", derivation.equations_of)];
    if let Some(steps) = &derivation.steps {
        parts.extend(steps.iter().map(in_paper));
        parts.extend(more(derivation));
        return parts.join("\n");
    }
    let mut add = |heading: &str, list: Vec<&String>| {
        if !list.is_empty() {
            parts.push(format!("% {heading}\n{}", block(&list)));
        }
    };
    add("equations of motion", derivation.equations.iter().map(|line| &line.latex).collect());
    add("with", derivation.definitions.iter().map(|line| &line.formula.latex).collect());
    add("constraints", derivation.constraints.iter().map(|line| &line.formula.latex).collect());
    add("rates", derivation.kinematics.iter().map(|line| &line.latex).collect());
    let explicit = derivation.multipliers.iter().filter_map(|one| Some(&one.equation.as_ref()?.latex));
    add("multipliers", explicit.collect());
    for reaction in &derivation.reactions {
        add(&format!("reaction of {}", reaction.constraint), reaction.latex.iter().collect());
    }
    if let Some(Correction::Of(list)) = &derivation.correction {
        add("nonholonomic correction", list.iter().map(|line| &line.formula.latex).collect());
    }
    parts.extend(more(derivation));
    let divided = derivation.notes.iter().filter(|note| note.contains("divided"));
    parts.extend(divided.map(|note| format!("% {note}")));
    parts.join("\n")
}

/// Matrices and the solution in letters.
fn more(derivation: &Derivation) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some(page) = &derivation.matrices {
        let list: Vec<String> = page.latex.0.iter().map(|entry| format!("\\[\n  {}\n\\]", entry.1)).collect();
        parts.push(format!("% matrices\n{}", list.join("\n")));
    }
    if let Some(page) = derivation.explicit.as_ref().filter(|page| page.reason.is_none()) {
        let list: Vec<&String> = page.lines.iter().chain(&page.definitions).map(|formula| &formula.latex).collect();
        parts.push(format!("% solved\n{}", block(&list)));
    }
    parts
}

/// A step: a title, sentences, and equations below each other.
pub fn in_paper(step: &Step) -> String {
    let mut parts = vec![format!("\\paragraph{{{}. {}}}", step.number, step.title.replace('_', r"\_"))];
    let mut equations: Vec<&String> = Vec::new();
    let words = |line: &str| line.strip_prefix(r"\text{").and_then(|rest| rest.strip_suffix('}')).map(str::to_owned);
    for line in &step.lines {
        match words(&line.latex).filter(|words| !words.contains('}')) {
            Some(words) => {
                parts.extend((!equations.is_empty()).then(|| block(&std::mem::take(&mut equations))));
                parts.push(format!("{words}.\n"));
            }
            None => equations.push(&line.latex),
        }
    }
    parts.extend((!equations.is_empty()).then(|| block(&equations)));
    parts.join("\n")
}

/// Equations below each other: aligned at the sign of equality, or at the margin if one of them is broken.
pub fn block(list: &[&String]) -> String {
    let lines: Vec<String> = match list.iter().all(|latex| width(latex) <= LINE) {
        true => list.iter().map(|latex| format!("  {}", latex.replacen(" = ", " &= ", 1))).collect(),
        false => {
            list.iter().map(|latex| broken(latex).join(" \\\\\n  &\\quad ")).map(|line| format!("  &{line}")).collect()
        }
    };
    format!("\\begin{{align*}}\n{}\n\\end{{align*}}", lines.join(" \\\\\n"))
}

/// The lines of an equation, broken before signs that stand in no bracket.
fn broken(latex: &str) -> Vec<String> {
    let (mut lines, mut current) = (Vec::new(), String::new());
    for piece in pieces(latex) {
        if !current.is_empty() && width(&current) + width(piece) > LINE {
            lines.push(std::mem::take(&mut current).trim_end().to_owned());
        }
        current.push_str(piece);
    }
    lines.push(current);
    lines
}

/// The text cut before each ` + `, ` - ` and ` = ` that stands in no brace and between no brackets.
fn pieces(latex: &str) -> Vec<&str> {
    let (mut depth, mut start, mut list) = (0_i32, 0, Vec::new());
    for (k, c) in latex.char_indices() {
        let rest = &latex[k..];
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            '\\' if rest.starts_with("\\left") => depth += 1,
            '\\' if rest.starts_with("\\right") => depth -= 1,
            ' ' if depth == 0 && [" + ", " - ", " = "].iter().any(|sign| rest.starts_with(sign)) => {
                list.push(&latex[start..k + 1]);
                start = k + 1;
            }
            _ => {}
        }
    }
    list.push(&latex[start..]);
    list
}

/// About how many letters wide a formula is set; a fraction counts as both of its parts, which is too much rather than too little.
pub fn width(latex: &str) -> usize {
    let (mut total, mut rest) = (0, latex);
    while let Some(c) = rest.chars().next() {
        if let Some(command) = rest.strip_prefix('\\') {
            let end = command.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(command.len()).max(1);
            total += match &command[..end] {
                "left" | "right" | "dot" | "ddot" | "dddot" | "mathrm" | "mathbf" | "frac" | "quad" => 0,
                "sin" | "cos" | "tan" | "log" | "exp" => 3,
                "operatorname" => 0,
                _ => 1,
            };
            rest = &command[end.min(command.len())..];
        } else {
            total += usize::from(!matches!(c, '{' | '}' | '^' | '_' | ' '));
            total += usize::from(matches!(c, '+' | '-' | '='));
            rest = &rest[c.len_utf8()..];
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_equations_are_broken_between_terms() {
        let term = r"\left(m + M\right) \ddot{x} \cos\theta";
        let long = [term; 8].join(" + ") + " = 0";
        let lines = broken(&long);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line) <= LINE), "{lines:?}");
        assert!(lines[1..].iter().all(|line| line.starts_with("+ ") || line.starts_with("= ")), "{lines:?}");
        assert_eq!(lines.join(" "), long);
        let short = r"m \ddot{x} = F".to_owned();
        assert_eq!(block(&[&short]), "\\begin{align*}\n  m \\ddot{x} &= F\n\\end{align*}");
    }
}

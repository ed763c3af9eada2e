//! How do equations look in a paper? LaTeX that fits an A4 page at 11 points: long ones are broken between terms.

use anholon::Derivation;
use anholon::answer::{Correction, Step};

use crate::breaking::{LINE, broken, width};

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
    add("first-order states", derivation.laws.iter().map(|line| &line.latex).collect());
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
                parts.push(format!("{}.\n", in_text(&words)));
            }
            None => equations.push(&line.latex),
        }
    }
    parts.extend((!equations.is_empty()).then(|| block(&equations)));
    parts.join("\n")
}

/// Words with signs that only formulas have.
fn in_text(words: &str) -> String {
    let mut out = String::new();
    for c in words.chars() {
        match SIGNS.iter().find(|one| one.0 == c) {
            Some((_, command)) => out.push_str(&format!("${command}$")),
            None => out.push(c),
        }
    }
    out
}

/// Signs in sentences, and how LaTeX writes them.
const SIGNS: [(char, &str); 22] = [
    ('λ', r"\lambda"),
    ('Λ', r"\Lambda"),
    ('γ', r"\gamma"),
    ('Γ', r"\Gamma"),
    ('δ', r"\delta"),
    ('Δ', r"\Delta"),
    ('ω', r"\omega"),
    ('π', r"\pi"),
    ('σ', r"\sigma"),
    ('τ', r"\tau"),
    ('Π', r"\Pi"),
    ('Σ', r"\textstyle\sum"),
    ('∂', r"\partial"),
    ('−', "-"),
    ('·', r"\cdot"),
    ('²', "^{2}"),
    ('ᵀ', r"^{\mathsf T}"),
    ('≥', r"\ge"),
    ('≤', r"\le"),
    ('≠', r"\ne"),
    ('→', r"\to"),
    ('½', r"\tfrac{1}{2}"),
];

/// Equations below each other: aligned at the sign of equality, or at the margin if they are too wide for that.
pub fn block(list: &[&String]) -> String {
    let sides = list.iter().map(|latex| latex.split_once(" = ").unwrap_or(("", latex)));
    let (left, right) =
        sides.fold((0.0_f64, 0.0_f64), |(left, right), (a, b)| (left.max(width(a)), right.max(width(b))));
    let lines: Vec<String> = match left + width("=") + right <= LINE {
        true => list.iter().map(|latex| format!("  {}", latex.replacen(" = ", " &= ", 1))).collect(),
        false => {
            list.iter().map(|latex| broken(latex).join(" \\\\\n  &\\quad ")).map(|line| format!("  &{line}")).collect()
        }
    };
    format!("\\begin{{align*}}\n{}\n\\end{{align*}}", lines.join(" \\\\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_in_sentences_are_set_as_formulas() {
        assert_eq!(in_text("N λ = b gives it"), r"N $\lambda$ = b gives it");
    }

    #[test]
    fn short_equations_are_aligned() {
        let short = r"m \ddot{x} = F".to_owned();
        assert_eq!(block(&[&short]), "\\begin{align*}\n  m \\ddot{x} &= F\n\\end{align*}");
        // each fits a line, but not side by side
        let (left, right) = ([r"\ddot{x}"; 14].join(" + ") + " = 0", "y = ".to_owned() + &["z"; 12].join(" + "));
        assert!(width(&left) < LINE && width(&right) < LINE);
        assert!(!block(&[&left, &right]).contains("&="));
    }
}

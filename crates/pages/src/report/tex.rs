//! How is a report written as a LaTeX document? Formulas broken between terms, pages of the verbs as they are.

use super::{Part, Section};
use crate::paper::{block, in_paper};

/// Columns of a line of text in a typewriter face.
const COLUMNS: usize = 92;

/// The document.
pub fn document(title: &str, sections: &[Section]) -> String {
    let body: Vec<String> = sections.iter().map(written).collect();
    format!(
        "\\documentclass[11pt,a4paper]{{article}}\n\\usepackage[T1]{{fontenc}}\n\\usepackage[utf8]{{inputenc}}\n\
         \\IfFileExists{{lmodern.sty}}{{\\usepackage{{lmodern}}}}{{}}\n\\usepackage{{amsmath}}\n\\usepackage[margin=2.4cm]{{geometry}}\n\\allowdisplaybreaks\n\\sloppy\n\
         \\title{{{}}}\n\\date{{}}\n\\begin{{document}}\n\\maketitle\n{}\n\\end{{document}}\n",
        plain(title),
        body.join("\n")
    )
}

fn written(section: &Section) -> String {
    let parts: Vec<String> = section.parts.iter().map(part).collect();
    format!("\\section*{{{}}}\n{}", plain(&section.heading), parts.join("\n"))
}

fn part(part: &Part) -> String {
    match part {
        Part::Words(words) => format!("{}\n", plain(words)),
        Part::Lines(lines) => typewriter(lines),
        Part::Formulas(list) => block(&list.iter().map(|one| &one.latex).collect::<Vec<_>>()),
        Part::Step(step) => in_paper(step),
        Part::Picture(_) | Part::Film(_) | Part::Scene(_) => String::new(),
    }
}

/// Lines in a typewriter face, folded, in signs that every installation has.
fn typewriter(lines: &str) -> String {
    let mut all = Vec::new();
    for line in lines.lines() {
        let signs: Vec<char> = ascii(line).chars().collect();
        let mut rest = &signs[..];
        while rest.len() > COLUMNS {
            let cut =
                rest[..COLUMNS].iter().rposition(|&c| c == ' ').filter(|&cut| cut > COLUMNS / 2).unwrap_or(COLUMNS);
            all.push(rest[..cut].iter().collect::<String>());
            rest = &rest[cut..];
        }
        all.push(rest.iter().collect());
    }
    format!("{{\\footnotesize\\begin{{verbatim}}\n{}\n\\end{{verbatim}}}}", all.join("\n"))
}

/// Text for paragraphs.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in ascii(text).chars() {
        match c {
            '\\' => out.push_str(r"\textbackslash{}"),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => out.extend(['\\', c]),
            '^' => out.push_str(r"\^{}"),
            '~' => out.push_str(r"\~{}"),
            c => out.push(c),
        }
    }
    out
}

/// The text with names for signs outside ASCII.
fn ascii(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            c if c.is_ascii() => out.push(c),
            '−' | '–' => out.push('-'),
            '·' => out.push('*'),
            '…' => out.push_str("..."),
            '✓' => out.push('+'),
            '✗' => out.push('x'),
            'λ' => out.push_str("lambda"),
            'δ' => out.push_str("delta "),
            '∂' => out.push('d'),
            'Σ' => out.push_str("Sum"),
            'σ' => out.push_str("sigma"),
            'ᵀ' => out.push_str("^T"),
            '’' => out.push('\''),
            '“' | '”' => out.push('"'),
            'é' | 'è' => out.push('e'),
            _ => out.push('?'),
        }
    }
    out
}

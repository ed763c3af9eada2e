//! LaTeX: a document with the equations as a person would write them.

use std::fmt::Write;

use engine::{Derive, Error, Loaded, Progress};

use crate::names::stem;
use crate::{Export, File};

/// The file.
pub fn files(loaded: &Loaded, wanted: &Export, progress: &mut dyn Progress) -> Result<Vec<File>, Error> {
    let asked = Derive { form: wanted.form.clone(), ..Derive::default() };
    let mut out = String::new();
    for one in engine::derive(loaded, &asked, progress)? {
        if out.is_empty() {
            out = head(&one.title, &loaded.file);
        }
        let _ = write!(out, "\n\\section*{{{}}}\n", escaped(one.equations_of));
        if let Some(reason) = &one.reason {
            let _ = writeln!(out, "{}", escaped(reason));
            continue;
        }
        section(&mut out, "", one.equations.iter().map(|formula| formula.latex.clone()));
        section(&mut out, "Rates", one.kinematics.iter().map(|formula| formula.latex.clone()));
        section(&mut out, "Constraints", one.constraints.iter().map(|named| named.formula.latex.clone()));
        section(&mut out, "where", one.definitions.iter().map(|named| named.formula.latex.clone()));
        let multipliers = one.multipliers.iter().filter_map(|one| Some(one.equation.as_ref()?.latex.clone()));
        section(&mut out, "Multipliers", multipliers);
        for note in one.singular.iter().chain(&one.notes) {
            let _ = write!(out, "\n\\noindent {}\\par\n", escaped(note));
        }
    }
    out.push_str("\n\\end{document}\n");
    Ok(vec![File { name: format!("{}.tex", stem(&loaded.file)), text: out }])
}

fn head(title: &str, file: &str) -> String {
    let title = if title.is_empty() { file } else { title };
    format!(
        "% {file}; written by Anholon {}.\n\\documentclass{{article}}\n\\usepackage{{amsmath}}\n\\usepackage{{amssymb}}\n\
         \\allowdisplaybreaks\n\\title{{{}}}\n\\date{{}}\n\\begin{{document}}\n\\maketitle\n",
        env!("CARGO_PKG_VERSION"),
        escaped(title)
    )
}

/// Formulas one below the other, under a word.
fn section(out: &mut String, word: &str, formulas: impl Iterator<Item = String>) {
    let lines: Vec<String> = formulas.map(|latex| format!("& {latex}")).collect();
    if lines.is_empty() {
        return;
    }
    if !word.is_empty() {
        let _ = write!(out, "\n\\noindent {word}\n");
    }
    let _ = write!(out, "\\begin{{align*}}\n{}\n\\end{{align*}}\n", lines.join(" \\\\\n"));
}

/// Words as LaTeX reads them.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            'λ' => out.push_str("$\\lambda$"),
            'δ' => out.push_str("$\\delta$"),
            'σ' => out.push_str("$\\sigma$"),
            'Σ' => out.push_str("$\\Sigma$"),
            '∂' => out.push_str("$\\partial$"),
            '·' => out.push_str("$\\cdot$"),
            '−' => out.push_str("$-$"),
            'ᵀ' => out.push_str("$^T$"),
            '…' => out.push_str("\\ldots{}"),
            c => out.push(c),
        }
    }
    out
}

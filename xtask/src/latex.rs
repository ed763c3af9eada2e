//! Does what we print for papers fit the paper? LaTeX sets every model of the gallery on A4 at 11 points, and the reports of
//! three: no mistake, no overfull line.

use std::fs;
use std::path::Path;

use crate::command::{Done, cannot_start, command_line, program, run as run_shown, target};

/// The models of which whole reports are set.
const REPORTS: [&str; 3] = ["rolling-disc", "bicycle", "table-edge"];

/// The chore: models by name, or all of them and the reports.
pub fn chore(models: &[&str]) -> Result<(), String> {
    match set(models)? {
        Done::Skipped(why) => Err(why),
        Done::Passed => Ok(()),
    }
}

fn set(models: &[&str]) -> Result<Done, String> {
    if program("pdflatex").arg("--version").output().is_err() {
        return Ok(Done::Skipped("pdflatex is not here".to_owned()));
    }
    run_shown(&mut command_line())?;
    let folder = target().join("latex");
    fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let all = gallery()?;
    let mut wrong = 0;
    for model in all.iter().map(String::as_str).filter(|model| models.is_empty() || models.contains(model)) {
        let body = printed(&["derive", &format!("gallery:{model}"), "--latex"])?;
        wrong += complained(&folder, model, &document(&body))?;
    }
    for model in REPORTS.into_iter().filter(|model| models.is_empty() || models.contains(model)) {
        let name = format!("report-{model}");
        let file = folder.join(format!("{name}.tex"));
        let shown = file.display().to_string();
        printed(&["report", &format!("gallery:{model}"), "--latex", "--for", "2", "--out", &shown])?;
        let text = fs::read_to_string(&file).map_err(|error| format!("cannot read {shown}: {error}"))?;
        wrong += complained(&folder, &name, &text)?;
    }
    match wrong {
        0 => Ok(Done::Passed),
        _ => Err(format!("documents that LaTeX complains of: {wrong}")),
    }
}

/// The names of the gallery.
fn gallery() -> Result<Vec<String>, String> {
    let list = printed(&["gallery"])?;
    let models = list.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    Ok(models.map(str::to_owned).collect())
}

/// What our program prints.
fn printed(words: &[&str]) -> Result<String, String> {
    let mut command = program(target().join("debug").join("anholon"));
    let output = command.args(words).output().map_err(|error| cannot_start(&command, &error))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("`anholon {}` failed: {}", words.join(" "), String::from_utf8_lossy(&output.stderr))),
    }
}

fn document(body: &str) -> String {
    format!(
        "\\documentclass[11pt,a4paper]{{article}}\n\\usepackage{{amsmath}}\n\\allowdisplaybreaks\n\
         \\begin{{document}}\n{body}\n\\end{{document}}\n"
    )
}

/// Sets a document; 1 if LaTeX complains of it.
fn complained(folder: &Path, name: &str, text: &str) -> Result<usize, String> {
    let file = format!("{name}.tex");
    fs::write(folder.join(&file), text).map_err(|error| format!("cannot write {file}: {error}"))?;
    let mut latex = program("pdflatex");
    latex.current_dir(folder).args(["-interaction=nonstopmode", &file]);
    latex.output().map_err(|error| cannot_start(&latex, &error))?;
    let log = fs::read(folder.join(format!("{name}.log"))).map_err(|error| format!("no log of {file}: {error}"))?;
    let log = String::from_utf8_lossy(&log);
    let complaints = complaints(&log);
    complaints.iter().take(5).for_each(|line| println!("{name}: {line}"));
    Ok(usize::from(!complaints.is_empty()))
}

/// The lines of a log that tell of mistakes and of lines that are too wide.
fn complaints(log: &str) -> Vec<&str> {
    log.lines().filter(|line| line.starts_with("! ") || line.starts_with("Overfull \\hbox")).collect()
}

#[cfg(test)]
mod tests {
    use super::complaints;

    #[test]
    fn mistakes_and_wide_lines_are_complaints() {
        let log =
            "This is pdfTeX\nOverfull \\hbox (3.4pt too wide) in paragraph\nUnderfull \\vbox\n! Missing $ inserted.\n";
        assert_eq!(complaints(log), ["Overfull \\hbox (3.4pt too wide) in paragraph", "! Missing $ inserted."]);
    }
}

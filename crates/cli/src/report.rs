//! Which report is asked for, and where does it go?

use std::path::PathBuf;
use std::time::Instant;

use anholon::{Error, Settings};
use pages::report::Report;

/// What the command line says about a report.
#[derive(Clone, Debug, clap::Args)]
pub struct ReportArguments {
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The forms whose way is shown; the usual one and Appell's if nothing is said.
    #[arg(long, value_name = "FORM,FORM", value_delimiter = ',')]
    forms: Vec<String>,
    /// How long the motion runs, in seconds or with a unit; ten seconds if nothing is said.
    #[arg(long = "for", value_name = "T", allow_hyphen_values = true, value_parser = crate::model::seconds)]
    duration: Option<f64>,
    /// A root locus along a parameter: v=0..10.
    #[arg(long, value_name = "NAME=A..B", allow_hyphen_values = true)]
    sweep: Option<String>,
    /// Write a LaTeX document.
    #[arg(long)]
    latex: bool,
}

/// Writes the report; the exit code.
pub fn run(settings: &Settings, arguments: &ReportArguments, as_json: bool) -> Result<u8, Error> {
    crate::files::try_to_write(&arguments.out)?;
    let model = crate::model::open(settings)?;
    let wanted = Report {
        forms: arguments.forms.clone(),
        duration: arguments.duration,
        sweep: arguments.sweep.clone(),
        latex: arguments.latex,
        viewer: crate::studio::viewer(),
    };
    let started = Instant::now();
    let clock = || started.elapsed().as_secs_f64();
    let written = crate::followed(|bar| pages::report::report(&model, &wanted, Some(&clock), bar))?;
    crate::files::replace(&arguments.out, &written.text)?;
    let headings = written.headings;
    let told =
        serde_json::json!({ "model": model.file, "file": arguments.out.display().to_string(), "sections": headings });
    crate::print(as_json, &told, || format!("wrote {}: {}", arguments.out.display(), headings.join(", ")));
    Ok(0)
}

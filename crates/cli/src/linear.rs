//! What is asked of linear equations, and which files are written?

use std::path::PathBuf;

use anholon::{Error, Linearize, Linearized, Settings};

use crate::origin::Origin;

/// What the command line says about a linearisation.
#[derive(Clone, Debug, clap::Args)]
pub struct LinearArguments {
    /// A steady motion with these values, as after the word `start`: "theta = 0.4, psi' = -1.5". The rest
    /// is solved for, from the start of the model; inputs too that are asked for as in "v = 20, tau?".
    #[arg(long, value_name = "VALUES", allow_hyphen_values = true, conflicts_with = "at")]
    steady: Option<String>,
    /// The same as `--steady`: a steady motion in which inputs are solved for, "v = 20, tau?".
    #[arg(long, value_name = "VALUES", allow_hyphen_values = true, conflicts_with_all = ["at", "steady"])]
    trim: Option<String>,
    /// The motion from the start has this period, in seconds: follow it once around and tell what becomes of
    /// its neighbours, by Floquet's multipliers. A start or a period that is slightly off is corrected.
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = crate::model::seconds,
          conflicts_with_all = ["steady", "trim", "coordinates", "symbolic", "sweep", "critical", "input", "output"])]
    periodic: Option<f64>,
    /// The coordinates of M q'' + C q' + K q = 0.
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    coordinates: Vec<String>,
    /// Parameters that stay symbols.
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    symbolic: Vec<String>,
    /// Also print A as C; with `--symbolic`.
    #[arg(long, requires = "symbolic")]
    code: bool,
    /// The eigenvalues along a parameter, or along a value of the start: v=0..10, "v=0..36 km/hour".
    #[arg(long, value_name = "NAME=A..B", allow_hyphen_values = true)]
    sweep: Option<String>,
    /// At how many values.
    #[arg(long, value_name = "N")]
    points: Option<usize>,
    /// Where the stability changes with a parameter: v, or v=0..10; without a range that of `--sweep`, or
    /// from 0 to three times its value.
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    critical: Option<String>,
    /// The inputs of B; all inputs of the model if nothing is said.
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    input: Vec<String>,
    /// What is measured: observes, coordinates, rates.
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    output: Vec<String>,
    /// Write the root locus to this file: JSON if it ends in .json, otherwise CSV.
    #[arg(long, value_name = "FILE", requires = "sweep")]
    out: Option<PathBuf>,
    /// Draw the root locus into this SVG file.
    #[arg(long, value_name = "FILE", requires = "sweep")]
    plot: Option<PathBuf>,
}

/// Linearises, writes the files that are asked for, and shows the rest.
pub fn linearize(settings: &Settings, arguments: &LinearArguments, as_json: bool) -> Result<u8, Error> {
    let trimmed = |list: &[String]| list.iter().map(|name| name.trim().to_owned()).collect();
    let wanted = Linearize {
        steady: arguments.steady.clone().or_else(|| arguments.trim.clone()),
        periodic: arguments.periodic,
        coordinates: trimmed(&arguments.coordinates),
        symbolic: trimmed(&arguments.symbolic),
        sweep: arguments.sweep.clone(),
        points: arguments.points,
        critical: arguments.critical.clone(),
        inputs: trimmed(&arguments.input),
        outputs: trimmed(&arguments.output),
    };
    crate::files::must_be(arguments.out.as_deref(), "--out", &crate::files::TABLES)?;
    crate::files::must_be(arguments.plot.as_deref(), "--plot", &crate::files::PICTURES)?;
    let mut files = arguments.out.iter().chain(&arguments.plot);
    files.try_for_each(|file| crate::files::try_to_write(file))?;
    let loaded = crate::model::open(settings)?;
    let answer = crate::followed(|bar| anholon::linearize(&loaded, &wanted, bar))?;
    let mut wrote = Vec::new();
    let found = match &answer {
        Linearized::Found(found) => found.sweep.as_ref().map(|sweep| (found, sweep)),
        Linearized::NoAnswer { .. } => None,
    };
    if let (Some(file), Some((found, sweep))) = (&arguments.out, found) {
        let is_json = file.extension().is_some_and(|extension| extension == "json");
        let written = match is_json {
            true => {
                let mut object = serde_json::to_value(sweep).unwrap_or_default();
                object["made_by"] = Origin::of(&loaded).object();
                serde_json::to_string_pretty(&object).unwrap_or_default() + "\n"
            }
            false => Origin::of(&loaded).in_table(&pages::linear::table(found, sweep)),
        };
        crate::files::replace(file, &crate::flags::spelled(&written))?;
        wrote.push(format!("{}: eigenvalues at {} values", file.display(), sweep.values.len()));
    }
    if let (Some(file), Some((found, sweep))) = (&arguments.plot, found) {
        crate::files::replace(file, &Origin::of(&loaded).in_picture(&anholon::picture::locus(found, sweep)))?;
        wrote.push(format!("{}: the root locus", file.display()));
    }
    let is_critical = arguments.critical.is_some();
    crate::print(as_json, &answer, || pages::linear::answer(&answer, arguments.code, is_critical, &wrote));
    Ok(pages::code::linearized(&answer))
}

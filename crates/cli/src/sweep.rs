//! The verb `sweep`: which points, and where do the parts go?

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use anholon::{Error, Settings, Store, Sweep};

use crate::files::replace;

/// What the command line says about a sweep.
#[derive(Clone, Debug, clap::Args)]
pub struct SweepArguments {
    /// What is varied: "m=0.5..2:16" or "m=1|2|5" for a grid, "a~uniform(-1, 1):100" to draw; also normal(mean, deviation) and
    /// halton(low, high). Items with `=` are crossed, items with `~` are drawn together. Numbers are in SI units.
    #[arg(long, value_name = "ITEM, ITEM", default_value = "", allow_hyphen_values = true)]
    vary: String,
    /// Points one by one: a CSV file with names in its first line.
    #[arg(long, value_name = "FILE")]
    points: Option<PathBuf>,
    /// What is computed at each point, separated by commas: expressions (at the end of the motion, or at the start where there
    /// is none), event(NAME), eigenvalues, equilibria. Without it, all coordinates, rates and first-order states.
    #[arg(long, value_name = "EXPR, …", default_value = "", allow_hyphen_values = true)]
    what: String,
    /// How long the motions last, in seconds.
    #[arg(long = "for", value_name = "T")]
    duration: Option<f64>,
    /// The relative tolerance of motions, 1e-9 if nothing is said.
    #[arg(long, value_name = "R")]
    tolerance: Option<f64>,
    /// How many threads work; as many as there are processors if nothing is said. The digits do not depend on it.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The directory for the parts: part-00000.parquet and so on.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Go on with a sweep that was interrupted: parts that are there are kept.
    #[arg(long)]
    resume: bool,
}

/// Parts in a directory.
struct Folder {
    path: PathBuf,
    resumes: bool,
}

impl Folder {
    fn part(&self, part: usize) -> PathBuf {
        self.path.join(format!("part-{part:05}.parquet"))
    }
}

impl Store for Folder {
    fn there(&mut self, part: usize) -> Option<Vec<u8>> {
        if self.resumes { fs::read(self.part(part)).ok() } else { None }
    }

    fn keep(&mut self, part: usize, bytes: &[u8]) -> Result<(), Error> {
        fs::create_dir_all(&self.path)
            .map_err(|error| Error::new(format!("cannot make {}: {error}", self.path.display())))?;
        replace(&self.part(part), bytes)
    }
}

/// Computes, and writes the parts; the exit code.
pub fn run(settings: &Settings, arguments: &SweepArguments, as_json: bool) -> Result<u8, Error> {
    let started = Instant::now();
    let read = |path: &PathBuf| {
        fs::read_to_string(path).map_err(|error| Error::new(format!("cannot read {}: {error}", path.display())))
    };
    let table = arguments.points.as_ref().map(read).transpose()?;
    let threads = arguments.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let wanted = Sweep {
        vary: arguments.vary.clone(),
        table,
        what: arguments.what.clone(),
        duration: arguments.duration,
        tolerance: arguments.tolerance,
        seed: settings.seed.unwrap_or(0),
        threads,
    };
    let model = crate::model::open(settings)?;
    let mut folder = Folder { path: arguments.out.clone(), resumes: arguments.resume };
    if !arguments.resume && folder.part(0).exists() {
        return Err(Error::new(format!("{} is there already", folder.part(0).display()))
            .hint("`--resume` goes on with that sweep; or choose another directory with `--out`"));
    }
    let swept = crate::followed(|bar| anholon::sweep(&model, &wanted, &mut folder, bar))?;
    let parts: Vec<String> = (0..swept.parts).map(|part| folder.part(part).display().to_string()).collect();
    let seconds = started.elapsed().as_secs_f64();
    crate::print(as_json, &pages::sweep::object(&swept, &parts, seconds), || pages::sweep::page(&swept, &parts));
    Ok(pages::code::sweep(&swept))
}

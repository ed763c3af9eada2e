//! The verb `export`: which language, and where do the files go?

use std::fs;
use std::path::{Path, PathBuf};

use anholon::{Error, Export, Fmi, Parameters, Settings, Target, What};
use clap::ValueEnum;

/// What the command line says about an export.
#[derive(Clone, Debug, clap::Args)]
pub struct ExportArguments {
    /// The language.
    #[arg(long, value_name = "LANGUAGE", value_parser = target)]
    to: Target,
    /// The form of the right-hand side. Without it, Lagrange's equations with multipliers, which need no choice of
    /// independent rates and hold wherever the constraints do.
    #[arg(long, value_name = "FORM")]
    form: Option<String>,
    /// What is exported: the right-hand side with residuals, projection and events; the mass matrix and the bias; the
    /// residuals and the projection; the slopes of the right-hand side; the multipliers; or all, with what the model observes.
    #[arg(long, value_enum, default_value = "rhs")]
    what: Part,
    /// Whether functions take parameters and inputs as arguments, or have the values of the model.
    #[arg(long, value_enum, default_value = "arguments")]
    parameters: From,
    /// The version of FMI, for an FMU: 2 or 3; 3 if not said.
    #[arg(long, value_name = "VERSION", value_parser = fmi)]
    fmi: Option<Fmi>,
    /// The directory for the files; it is made if need be.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace files that are there.
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Part {
    Rhs,
    MassMatrix,
    Residual,
    Linear,
    Reactions,
    All,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum From {
    Arguments,
    Fixed,
}

/// The language of that name; clap wants to know what is wrong as a text.
fn target(name: &str) -> Result<Target, String> {
    pages::export::target(name).map_err(|error| error.message().to_owned())
}

/// The version of FMI of that name.
fn fmi(name: &str) -> Result<Fmi, String> {
    pages::export::fmi(name).map_err(|error| error.message().to_owned())
}

/// Writes the files; the exit code.
pub fn run(settings: &Settings, arguments: &ExportArguments, as_json: bool) -> Result<u8, Error> {
    let wanted = Export {
        form: arguments.form.clone(),
        what: match arguments.what {
            Part::Rhs => What::Rhs,
            Part::MassMatrix => What::MassMatrix,
            Part::Residual => What::Residual,
            Part::Linear => What::Linear,
            Part::Reactions => What::Reactions,
            Part::All => What::All,
        },
        parameters: match arguments.parameters {
            From::Arguments => Parameters::Arguments,
            From::Fixed => Parameters::Fixed,
        },
        fmi: pages::export::version(arguments.to, arguments.fmi)?,
        ..Export::to(arguments.to)
    };
    let model = crate::model::open(settings)?;
    let made = crate::followed(|bar| anholon::export(&model, &wanted, bar))?;
    let files = match &made.pack {
        Some(pack) => vec![(pack.name.clone(), crate::pack::packed(pack, &made.files)?)],
        None => made.files.iter().map(|file| (file.name.clone(), file.text.clone().into_bytes())).collect(),
    };
    let paths: Vec<PathBuf> = files.iter().map(|file| arguments.out.join(&file.0)).collect();
    if let Some(path) = paths.iter().find(|path| path.exists()).filter(|_| !arguments.force) {
        let wrong = Error::new(format!("{} is there already, and nothing was written", path.display()));
        return Err(wrong.hint("`--force` replaces it; or choose another directory with `--out`"));
    }
    let is_new = !arguments.out.exists();
    let texts: Vec<&[u8]> = files.iter().map(|file| &file.1[..]).collect();
    if let Err(error) = write(&arguments.out, &paths, &texts) {
        if is_new {
            let _ = fs::remove_dir(&arguments.out);
        }
        return Err(error);
    }
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let told = serde_json::json!({ "model": made.model, "target": made.target, "files": names });
    crate::print(as_json, &told, || names.iter().map(|name| format!("wrote {name}")).collect::<Vec<_>>().join("\n"));
    Ok(0)
}

/// Writes all files, or none that was not there.
fn write(directory: &Path, paths: &[PathBuf], texts: &[&[u8]]) -> Result<(), Error> {
    let wrong = |error| Error::new(format!("cannot make the directory {}: {error}", directory.display()));
    fs::create_dir_all(directory).map_err(wrong)?;
    paths.iter().try_for_each(|path| crate::files::try_to_write(path))?;
    let was_there: Vec<bool> = paths.iter().map(|path| path.exists()).collect();
    for (k, (path, text)) in paths.iter().zip(texts).enumerate() {
        if let Err(error) = crate::files::replace(path, text) {
            paths[..k].iter().zip(&was_there).filter(|one| !one.1).for_each(|one| _ = fs::remove_file(one.0));
            return Err(error);
        }
    }
    Ok(())
}

//! Which model does a command mean? The arguments that every verb on a model takes.

use std::fs;

use anholon::{Error, Model, Settings};
use clap::Args;

/// A model, and what is changed in it.
#[derive(Args)]
pub struct ModelArguments {
    /// A model file, `gallery:NAME`, or `-` for standard input.
    #[arg(value_name = "MODEL", required = true, value_hint = clap::ValueHint::FilePath)]
    model: Option<String>,
    /// Adds the declarations of a file; its `param`, `start` and `guess` lines override those of the model.
    #[arg(long, value_name = "FILE")]
    with: Vec<String>,
    /// Another value, in SI units or with a unit: of a parameter `l=0.5` or `"l=50 cm"`, an element `a[3]=0.1`, and at the start of a
    /// coordinate `x=1`, a rate `x'=2` or a speed. May be given several times.
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true)]
    set: Vec<String>,
    /// A state in place of the start, as after the word `start`: "x = 1, x' = 2"; SI units, or with a unit.
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    at: Option<String>,
    /// What random points follow from: the same seed gives the same bytes. Without it, they follow from the model.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl ModelArguments {
    /// What was named in place of a model, if nothing is changed in it; otherwise what cannot stand here.
    pub fn alone(&self) -> Result<Option<&str>, Error> {
        let changes = [("--with", self.with.is_empty()), ("--set", self.set.is_empty()), ("--at", self.at.is_none())];
        match changes.iter().find(|(_, unused)| !unused) {
            Some((option, _)) => Err(Error::new(format!("`{option}` changes one model, not all of the gallery"))),
            None if self.seed.is_some() => Err(Error::new("`--seed` belongs to one model, not to all of the gallery")),
            None => Ok(self.model.as_deref()),
        }
    }

    /// The settings, with all files read.
    pub fn settings(&self) -> Result<Settings, Error> {
        let model = self.model.as_deref().ok_or_else(|| Error::new("no model is named"))?;
        let settings = named(model)?;
        let with = self.with.iter().map(|file| Ok((file.clone(), read(file)?))).collect::<Result<_, Error>>()?;
        Ok(Settings { with, set: self.set.clone(), at: self.at.clone(), seed: self.seed, ..settings })
    }
}

/// The model; what it costs to answer is counted from here.
pub fn open(settings: &Settings) -> Result<Model, Error> {
    let opened = anholon::open(settings);
    crate::clock::start();
    opened
}

/// The settings of a model that is named by its path, or as `gallery:NAME`.
pub fn named(model: &str) -> Result<Settings, Error> {
    match model.strip_prefix("gallery:") {
        Some(name) => Settings::gallery(name),
        None => Ok(Settings::new(model, &read_model(model)?).gather(&mut |file| fs::read_to_string(file).ok())),
    }
}

/// The text of a model file; somebody who names a built-in model is told how.
fn read_model(file: &str) -> Result<String, Error> {
    read(file).map_err(|error| match anholon::library::GALLERY.iter().any(|example| example.name == file) {
        true => error.hint(format!("the built-in model is `gallery:{file}`")),
        false => error.hint("name a model file, or a built-in one as `gallery:sled`"),
    })
}

/// A time in seconds: a bare number, or with a unit.
pub fn seconds(text: &str) -> Result<f64, String> {
    anholon::seconds(text)
}

/// The text of a file, or of standard input.
pub fn read(file: &str) -> Result<String, Error> {
    if file == "-" {
        return std::io::read_to_string(std::io::stdin())
            .map_err(|error| Error::new(format!("cannot read standard input: {error}")));
    }
    fs::read_to_string(file).map_err(|error| Error::new(format!("cannot read {file}: {error}")))
}

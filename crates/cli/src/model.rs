//! Which model does a command mean? The arguments that every verb on a model takes.

use std::fs;

use anholon::{Error, Settings};
use clap::Args;

/// A model, and what is changed in it.
#[derive(Args)]
pub struct ModelArguments {
    /// A model file, or `gallery:NAME`.
    #[arg(value_name = "MODEL", required = true)]
    model: Option<String>,
    /// Adds the declarations of a file; its `param`, `start` and `guess` lines override those of the model.
    #[arg(long, value_name = "FILE")]
    with: Vec<String>,
    /// Another value, in SI units: of a parameter `l=0.5`, an element `a[3]=0.1`, and at the start of a
    /// coordinate `x=1`, a rate `x'=2` or a speed. May be given several times.
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true)]
    set: Vec<String>,
    /// A state in place of the start, as after the word `start`: "x = 1, x' = 2"; SI units.
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
        let settings = match model.strip_prefix("gallery:") {
            Some(name) => Settings::gallery(name)?,
            None => with_parts(Settings::new(model, &read_model(model)?)),
        };
        let with = self.with.iter().map(|file| Ok((file.clone(), read(file)?))).collect::<Result<_, Error>>()?;
        Ok(Settings { with, set: self.set.clone(), at: self.at.clone(), seed: self.seed, ..settings })
    }
}

/// The settings with all files that the model uses, and those that these use; the model says which of them is missing.
fn with_parts(mut settings: Settings) -> Settings {
    let mut wanted = anholon::used(&settings.file, &settings.text);
    while let Some(file) = wanted.pop() {
        if settings.files.iter().any(|(known, _)| *known == file) {
            continue;
        }
        if let Ok(text) = fs::read_to_string(&file) {
            if file.ends_with(".mech") {
                wanted.extend(anholon::used(&file, &text));
            }
            settings.files.push((file, text));
        }
    }
    settings
}

/// The text of a model file; somebody who names a built-in model is told how.
fn read_model(file: &str) -> Result<String, Error> {
    read(file).map_err(|error| match anholon::library::GALLERY.iter().any(|example| example.name == file) {
        true => error.hint(format!("the built-in model is `gallery:{file}`")),
        false => error.hint("name a model file, or a built-in one as `gallery:sled`"),
    })
}

fn read(file: &str) -> Result<String, Error> {
    fs::read_to_string(file).map_err(|error| Error::new(format!("cannot read {file}: {error}")))
}

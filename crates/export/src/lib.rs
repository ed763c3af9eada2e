//! Models as source code for other tools.
//!
//! ```text
//! Model → Form → Problem → Unit: routines as steps in no language ─┬→ one page for each language → files
//!                               numbers of Anholon at some states ─┘   and a test that compares
//! ```
//!
//! The steps are made once; a language only says how a step is written. So all languages compute the same thing.

mod compute;
mod lower;
mod names;
mod page;
mod points;
mod refuse;
mod target;
mod unit;
mod value;
mod write;

use engine::{Error, Loaded, Progress};
use serde::Serialize;

pub use compute::{By, Compute, Computed, Failed, Places, QUANTITIES, compute};
pub use target::Target;

/// What is exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum What {
    /// The right-hand side, with residuals, projection and events.
    #[default]
    Rhs,
    /// The mass matrix and the bias.
    MassMatrix,
    /// The residuals of the constraints, and the projection.
    Residual,
    /// The multipliers.
    Reactions,
    /// All of these, and what the model observes.
    All,
}

/// Where code takes parameters from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Parameters {
    /// They are arguments.
    #[default]
    Arguments,
    /// They have the values of the model.
    Fixed,
}

/// What is asked of an export.
#[derive(Clone, Debug)]
pub struct Export {
    /// The language.
    pub target: Target,
    /// The form of the right-hand side; that with multipliers if not said.
    pub form: Option<String>,
    /// What is exported.
    pub what: What,
    /// Where code takes parameters from.
    pub parameters: Parameters,
    /// At how many states the test beside the code compares.
    pub points: usize,
}

impl Export {
    /// The usual export to a language.
    pub fn to(target: Target) -> Export {
        Export { target, form: None, what: What::default(), parameters: Parameters::default(), points: 10 }
    }
}

/// A model as files.
#[derive(Clone, Debug, Serialize)]
pub struct Exported {
    /// The model.
    pub model: String,
    /// The language.
    pub target: &'static str,
    /// The files; nothing is written yet.
    pub files: Vec<File>,
}

/// A file of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct File {
    /// Its name, without a directory.
    pub name: String,
    /// What stands in it.
    pub text: String,
}

/// A model in another language.
///
/// ```
/// let sled = engine::load(&engine::Settings::gallery("sled")?)?;
/// let made = export::export(&sled, &export::Export::to(export::Target::C), &mut engine::Alone)?;
/// let names: Vec<&str> = made.files.iter().map(|file| file.name.as_str()).collect();
/// assert_eq!(names, ["sled.h", "sled.c", "sled_test.c"]);
/// # Ok::<(), engine::Error>(())
/// ```
pub fn export(loaded: &Loaded, wanted: &Export, progress: &mut dyn Progress) -> Result<Exported, Error> {
    let _in = loaded.enter();
    let files = target::files(loaded, wanted, progress)?;
    Ok(Exported { model: loaded.file.clone(), target: wanted.target.name(), files })
}

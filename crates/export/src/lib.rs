//! Models as source code for other tools.
//!
//! ```text
//! Model → Form → Problem → Unit: routines as steps in no language ─┬→ one page for each language → files
//!                               numbers of Anholon at some states ─┘   and a test that compares
//! ```
//!
//! The steps are made once; a language only says how a step is written. So all languages compute the same thing.

mod along;
mod board;
mod build;
mod compute;
mod implicit;
mod lower;
mod maker;
mod moded;
mod moded_points;
mod names;
mod page;
mod points;
mod quantities;
mod refuse;
mod shows;
mod sparse;
mod starting;
mod target;
mod unit;
mod value;
mod write;

use engine::{Error, Loaded, Progress};
use serde::Serialize;

pub use compute::{By, Compute, Computed, Failed, Places, QUANTITIES, Room, compute};
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
    /// The slopes of the right-hand side: linear equations about any state.
    Linear,
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

/// A version of FMI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fmi {
    /// FMI 2.0.
    Two,
    /// FMI 3.0.
    #[default]
    Three,
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
    /// The version of FMI, where an FMU is wanted.
    pub fmi: Fmi,
    /// At how many states the test beside the code compares.
    pub points: usize,
}

impl Export {
    /// The usual export to a language.
    pub fn to(target: Target) -> Export {
        Export {
            target,
            form: None,
            what: What::default(),
            parameters: Parameters::default(),
            fmi: Fmi::default(),
            points: 10,
        }
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
    /// How the files become one, if they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pack: Option<Pack>,
}

/// How files become one archive, with a library that is compiled from some of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pack {
    /// The name of the archive.
    pub name: String,
    /// The name of the library, without an ending.
    pub library: String,
    /// The files that it is compiled from.
    pub sources: Vec<String>,
    #[serde(skip)]
    fmi: Fmi,
}

impl Pack {
    /// Where the library lies in the archive, for an operating system and an architecture as Rust calls them; nothing
    /// where the standard has no name for them.
    pub fn place(&self, system: &str, architecture: &str) -> Option<String> {
        let ending = match system {
            "windows" => "dll",
            "macos" => "dylib",
            _ => "so",
        };
        let folder = match (self.fmi, system, architecture) {
            (Fmi::Two, "linux", "x86_64") => "linux64".to_owned(),
            (Fmi::Two, "windows", "x86_64") => "win64".to_owned(),
            (Fmi::Two, "macos", _) => "darwin64".to_owned(),
            (Fmi::Three, "macos", _) => format!("{architecture}-darwin"),
            (Fmi::Three, "linux" | "windows", _) => format!("{architecture}-{system}"),
            _ => return None,
        };
        Some(format!("binaries/{folder}/{}.{ending}", self.library))
    }
}

/// A file of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct File {
    /// Its name; a directory only where files become one archive.
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
    let (model, target) = (loaded.file.clone(), wanted.target.name());
    let wanted = target::whole(wanted)?;
    if wanted.target == Target::Latex {
        return Ok(Exported { model, target, files: target::document(loaded, &wanted, progress)?, pack: None });
    }
    let _in = loaded.enter();
    refuse::sound(loaded)?;
    let unit = match refuse::changing(&loaded.system) {
        Some(_) => moded::unit(loaded, &wanted)?,
        None => build::unit(loaded, &wanted)?,
    };
    let (files, pack) = wanted.target.files(&build::checked(unit)?, wanted.fmi);
    Ok(Exported { model, target, files, pack })
}

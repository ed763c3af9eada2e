//! Which languages are there? One page each.

mod c;
mod cpp;
mod numpy;
mod rust;
mod sympy;

use engine::{Error, Loaded, Progress};

use crate::unit::{Unit, unit};
use crate::{Export, File};

macro_rules! targets {
    ($($target:ident $module:ident $name:literal $says:literal;)+) => {
        /// A language that a model is exported to.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Target { $(#[doc = $says] $target,)+ }

        impl Target {
            /// All of them.
            pub const ALL: &[Target] = &[$(Target::$target,)+];

            /// Its name, as people ask for it.
            pub const fn name(self) -> &'static str {
                match self { $(Target::$target => $name,)+ }
            }

            fn files(self, unit: &Unit) -> Vec<File> {
                match self { $(Target::$target => $module::files(unit),)+ }
            }
        }
    };
}

targets! {
    C c "c" "C99 without allocation: a header and a source.";
    Cpp cpp "cpp" "C++17: one header.";
    Rust rust "rust" "Rust of the standard library: one module.";
    NumPy numpy "numpy" "Python with NumPy: one module.";
    SymPy sympy "sympy" "SymPy: a script of exact expressions.";
}

/// The files of an export.
pub fn files(loaded: &Loaded, wanted: &Export, _: &mut dyn Progress) -> Result<Vec<File>, Error> {
    Ok(wanted.target.files(&unit(loaded, wanted)?))
}

//! Which languages are there? One page each.

mod c;
mod c_modes;
mod c_test;
mod casadi;
mod cpp;
mod fmu;
mod jax;
mod julia;
mod latex;
mod matlab;
mod mode_text;
mod modelica;
mod numpy;
mod one_based;
mod python;
mod python_modes;
mod rust;
mod rust_modes;
mod sympy;

use engine::{Error, Field, Loaded, Progress};

use crate::unit::Unit;
use crate::{Export, File, Fmi, Pack, Parameters, What};

macro_rules! targets {
    ($($target:ident $module:ident $name:literal $says:literal;)+) => {
        /// A language that a model is exported to.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Target {
            $(#[doc = $says] $target,)+
            /// An FMU: the model with an interface that simulators know.
            Fmu,
            /// LaTeX: a document with the equations as a person would write them.
            Latex,
        }

        impl Target {
            /// All of them.
            pub const ALL: &[Target] = &[$(Target::$target,)+ Target::Fmu, Target::Latex];

            /// Its name, as people ask for it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Target::$target => $name,)+
                    Target::Fmu => "fmu",
                    Target::Latex => "latex",
                }
            }

            /// The files of a unit, and how they become one.
            pub(crate) fn files(self, unit: &Unit, fmi: Fmi) -> (Vec<File>, Option<Pack>) {
                match self {
                    $(Target::$target => ($module::files(unit), None),)+
                    Target::Latex => unreachable!("it needs no unit"),
                    Target::Fmu => {
                        let (files, pack) = fmu::files(unit, fmi);
                        (files, Some(pack))
                    }
                }
            }
        }
    };
}

targets! {
    C c "c" "C99 without allocation: a header and a source.";
    Cpp cpp "cpp" "C++17: one header.";
    Rust rust "rust" "Rust of the standard library: one module.";
    NumPy numpy "numpy" "Python with NumPy: one module.";
    Jax jax "jax" "Python with JAX: one module, in double precision.";
    CasADi casadi "casadi" "Python with CasADi: one module.";
    Julia julia "julia" "Julia: one module.";
    Matlab matlab "matlab" "MATLAB and Octave: a file for each function.";
    Modelica modelica "modelica" "Modelica: a flat model in which constraints stay equations.";
    SymPy sympy "sympy" "SymPy: a script of exact expressions.";
}

/// The question with all that a language needs; what it has no choice in is refused.
pub fn whole(wanted: &Export) -> Result<Export, Error> {
    let name = wanted.target.name();
    if !matches!(wanted.target, Target::Fmu | Target::Latex | Target::Modelica) {
        return Ok(wanted.clone());
    }
    if !matches!(wanted.what, What::Rhs | What::All) {
        return Err(Error::new(format!("{name} has all of the model: there is nothing to choose")).of(Field::What));
    }
    if wanted.parameters == Parameters::Fixed {
        let error = Error::new(format!("{name} keeps the parameters of the model: they cannot be fixed"));
        return Err(error.of(Field::Parameters));
    }
    if wanted.target == Target::Modelica && wanted.form.is_some() {
        return Err(Error::new("modelica keeps constraints as equations: there is no form to choose").of(Field::Form));
    }
    Ok(Export { what: What::All, points: 1, ..wanted.clone() })
}

/// A document, which is made from the model itself.
pub fn document(loaded: &Loaded, wanted: &Export, progress: &mut dyn Progress) -> Result<Vec<File>, Error> {
    latex::files(loaded, wanted, progress)
}

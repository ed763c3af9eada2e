//! What do the words of an export mean?

use anholon::{Error, Field, Parameters, Target, What};

/// The language of that name.
pub fn target(name: &str) -> Result<Target, Error> {
    let found = Target::ALL.iter().copied().find(|target| target.name() == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = Target::ALL.iter().map(|target| target.name()).collect();
        let names = names.join(", ");
        let wrong = match name {
            "fmu" | "modelica" | "jax" | "casadi" | "julia" | "matlab" | "latex" => {
                format!("there is no export to {name} yet; there are {names}")
            }
            _ => format!("there are {names}"),
        };
        Error::new(wrong).of(Field::Target)
    })
}

/// What is exported by that name.
pub fn what(name: &str) -> Result<What, Error> {
    Ok(match name {
        "rhs" => What::Rhs,
        "mass-matrix" | "mass_matrix" => What::MassMatrix,
        "residual" => What::Residual,
        "reactions" => What::Reactions,
        "all" => What::All,
        _ => {
            let wrong = Error::new(format!("nothing called `{name}` can be exported")).of(Field::What);
            return Err(wrong.hint("there are rhs, mass-matrix, residual, reactions and all"));
        }
    })
}

/// Where parameters come from, by that name.
pub fn parameters(name: &str) -> Result<Parameters, Error> {
    match name {
        "arguments" => Ok(Parameters::Arguments),
        "fixed" => Ok(Parameters::Fixed),
        _ => {
            let wrong = Error::new(format!("parameters cannot be `{name}`")).of(Field::Parameters);
            Err(wrong.hint("there are arguments and fixed"))
        }
    }
}

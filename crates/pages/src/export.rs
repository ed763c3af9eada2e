//! What do the words of an export mean?

use anholon::{Error, Field, Fmi, Parameters, Target, What};

/// The language of that name.
pub fn target(name: &str) -> Result<Target, Error> {
    let found = Target::ALL.iter().copied().find(|target| target.name() == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = Target::ALL.iter().map(|target| target.name()).collect();
        let names = names.join(", ");
        let wrong = format!("there is no export to `{name}`; there are {names}");
        Error::new(wrong).of(Field::Target)
    })
}

/// What is exported by that name.
pub fn what(name: &str) -> Result<What, Error> {
    Ok(match name {
        "rhs" => What::Rhs,
        "mass-matrix" | "mass_matrix" => What::MassMatrix,
        "residual" => What::Residual,
        "linear" => What::Linear,
        "reactions" => What::Reactions,
        "all" => What::All,
        _ => {
            let wrong = Error::new(format!("nothing called `{name}` can be exported")).of(Field::What);
            return Err(wrong.hint("there are rhs, mass-matrix, residual, linear, reactions and all"));
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

/// The version of FMI of that name.
pub fn fmi(name: &str) -> Result<Fmi, Error> {
    match name {
        "2" | "2.0" => Ok(Fmi::Two),
        "3" | "3.0" => Ok(Fmi::Three),
        _ => Err(Error::new(format!("there is no FMI `{name}`; there are 2 and 3"))),
    }
}

/// The version of FMI, which belongs to FMUs alone.
pub fn version(target: Target, said: Option<Fmi>) -> Result<Fmi, Error> {
    match said {
        Some(_) if target != Target::Fmu => {
            Err(Error::new(format!("{} has no version of FMI: that belongs to fmu", target.name())).of(Field::Target))
        }
        said => Ok(said.unwrap_or_default()),
    }
}

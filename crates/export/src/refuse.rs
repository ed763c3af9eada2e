//! Which models have no code yet? Those whose equations change on the way.

use engine::{Error, Loaded};
use mechanics::System;

/// An error that names what code with one set of equations cannot express, or what is missing.
pub fn refuse(loaded: &Loaded) -> Result<(), Error> {
    sound(loaded)?;
    match changing(&loaded.system) {
        Some(what) => Err(Error::new(format!(
            "{what}: exported code has one set of equations, and cannot change them yet"
        ))
        .hint("C, C++, Rust, NumPy and FMUs follow such a model; to export one of its modes elsewhere, write that mode as a model")),
        None => Ok(()),
    }
}

/// An error that names what is missing.
pub fn sound(loaded: &Loaded) -> Result<(), Error> {
    engine::sound::coordinates(loaded)?;
    if let Some(error) = engine::observe::valueless(loaded) {
        return Err(error);
    }
    engine::sound::masses(loaded)?;
    engine::observe::lawful(loaded)?;
    if let Some(contradiction) = loaded.start.contradictions.first() {
        let row = &loaded.start.rows[contradiction.row].name;
        let hint = "exported code carries a start that satisfies the constraints; `anholon check` says more";
        return Err(Error::new(format!("`{row}` does not hold at the start")).hint(hint));
    }
    Ok(())
}

/// What makes the equations change on the way.
pub fn changing(system: &System) -> Option<String> {
    if let Some(one) = system.constraints.iter().find(|one| one.is_one_sided()) {
        return Some(format!("the constraint `{}` is one-sided", one.name));
    }
    if let Some(one) = system.constraints.iter().find(|one| one.from.is_some() || one.until.is_some()) {
        return Some(format!("the constraint `{}` is switched by `from` or `until`", one.name));
    }
    if system.constraints.iter().any(|one| one.is_rough) || !system.frictions.is_empty() {
        return Some("the model has a rough contact".to_owned());
    }
    None
}

//! What is said beside the set of equilibria?

use super::answer::clean;
use super::exact::Branch;
use super::statics::Statics;

/// What the word means that the page uses where a frame turns.
pub const EFFECTIVE: &str = "the effective potential energy is the potential energy with that of the inertial forces, such as \
                         the centrifugal force";

/// Why generalized forces need not vanish.
pub fn on_rates(name: &str) -> String {
    format!(
        "`{name}` is on rates, so the coordinates do not vary independently: that all generalized forces vanish is no \
         condition of equilibrium here, and its multiplier stays in the equations"
    )
}

/// Why a place is no equilibrium although the generalized forces vanish there.
pub fn at_singular_angles(statics: &Statics, body: &str, z: &[f64]) -> String {
    format!(
        "at {} the angles are singular: `{body}` can turn there in a way that they do not describe, a couple acts that \
         way, and it is no equilibrium",
        place(statics, z)
    )
}

/// Why a place is none of the model although the forces balance there.
pub fn without_energy(statics: &Statics, z: &[f64]) -> String {
    format!(
        "at {} the forces vanish, and the potential energy has no value: it is no place of the model",
        place(statics, z)
    )
}

fn place(statics: &Statics, z: &[f64]) -> String {
    let named = |(&s, &x): (&usize, &f64)| format!("{} = {}", statics.names[s], expr::decimal(clean(x)));
    statics.searched.iter().zip(z).map(named).collect::<Vec<_>>().join(", ")
}

/// What is said of places where the constraints depend on each other; at `open` of them it may rest.
pub fn at_dependent_rows(count: usize, open: usize) -> String {
    // more of them are a family, as a rule
    const MOST: usize = 12;
    let places = match count {
        1 => "one place".to_owned(),
        _ if count > MOST => "many places".to_owned(),
        _ => format!("{count} places"),
    };
    let rest = if open == 0 { ", and the forces do work along what they allow: it does not rest there" } else { "" };
    format!("at {places} the constraints depend on each other: there reactions are not determined{rest}")
}

/// Says that a solution in letters has no numbers that confirm it.
pub fn unconfirmed(branch: &Branch) -> String {
    let values: Vec<String> = branch.values.0.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    format!(
        "the exact solution {} exists, but floating point numbers do not confirm it: it is not listed above",
        values.join(", ")
    )
}

/// A note is told once.
pub fn noted(notes: &mut Vec<String>, note: String) {
    if !notes.contains(&note) {
        notes.push(note);
    }
}

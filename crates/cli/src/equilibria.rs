//! What is asked of equilibria, and what is shown while a long search runs?

use anholon::{Equilibria, Error, Settings};
use clap::Args;

use crate::bar::Bar;

/// What is asked of the set of equilibria.
#[derive(Args)]
pub struct EquilibriaArguments {
    /// Ranges of coordinates in which all equilibria are wanted, with a proof: "phi=0..2*pi, x=-1..1".
    /// Angles without a range have a full turn.
    #[arg(long = "box", value_name = "RANGES", allow_hyphen_values = true)]
    within: Option<String>,
    /// Look for one equilibrium near this place: "phi = 0.5, x = 1".
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    near: Option<String>,
    /// Coordinates that turn steadily, at the rates of the start: relative equilibrium.
    #[arg(long, value_name = "COORDINATE", value_delimiter = ',')]
    relative: Vec<String>,
    /// Which `unknown` loads (or inputs) balance the system at the place of the start, or of `--at`?
    #[arg(long, value_name = "LOAD", value_delimiter = ',')]
    solve: Vec<String>,
}

/// Finds the equilibria and prints them; the exit code.
pub fn run(settings: &Settings, arguments: &EquilibriaArguments, as_json: bool) -> Result<u8, Error> {
    let wanted = Equilibria {
        within: arguments.within.clone(),
        near: arguments.near.clone(),
        relative: arguments.relative.clone(),
        solve: arguments.solve.clone(),
    };
    let mut bar = Bar::new();
    let loaded = crate::model::open(settings)?;
    let found = anholon::equilibria(&loaded, &wanted, &mut bar);
    bar.clear();
    let found = found?;
    crate::print(as_json, &found, || pages::equilibria::page(&found, !wanted.solve.is_empty()));
    Ok(pages::code::equilibria(&found))
}

//! Runs a double pendulum and draws it: `cargo run --example plot > pendulum.svg`.

use anholon::{Alone, Error, Simulate, picture};

/// Both angles against time, as SVG.
pub fn page() -> Result<String, Error> {
    let pendulum = anholon::gallery("double-pendulum")?;
    let wanted = Simulate { duration: Some(3.0), every: Some(0.02), ..Simulate::default() };
    let motion = anholon::simulate(&pendulum, &wanted, &mut Alone)?;
    let angles: Vec<String> = motion.table.columns.iter().map(|column| column.name()).take(2).collect();
    picture::chart(&motion, &angles, None)
}

#[allow(clippy::print_stdout, reason = "an example shows what it found")]
fn main() -> Result<(), Error> {
    page().map(|page| print!("{page}"))
}

//! Compares two models of one swing: an angle, or two coordinates with a rod between them.

use anholon::{Alone, Error, Model, Simulate};

const ANGLE: &str = "param l = 0.5 m, g = 9.81 m/s^2
coord phi : rad
point P = l*(sin(phi), -cos(phi)) mass 2 kg
gravity (0, -g)
observe height = -l*cos(phi)
start phi = 0.5 rad
";

const ROD: &str = "param l = 0.5 m, g = 9.81 m/s^2
coord x, y : m
point P = (x, y) mass 2 kg
gravity (0, -g)
constraint rod: x^2 + y^2 = l^2
observe height = y
start x = l*sin(0.5), y = -l*cos(0.5)
";

fn heights(model: &Model) -> Result<Vec<f64>, Error> {
    let wanted = Simulate { duration: Some(2.0), every: Some(0.5), ..Simulate::default() };
    let table = anholon::simulate(model, &wanted, &mut Alone)?.table;
    Ok(table.column("height").map_or(Vec::new(), |(_, values)| values))
}

/// The heights of both, and how far they are apart.
pub fn page() -> Result<String, Error> {
    let (angle, rod) = (anholon::load("angle.mech", ANGLE)?, anholon::load("rod.mech", ROD)?);
    let pairs = heights(&angle)?.into_iter().zip(heights(&rod)?);
    Ok(pairs.map(|(a, b)| format!("{a:.6} m and {b:.6} m: {:.0e} apart\n", (a - b).abs())).collect())
}

#[allow(clippy::print_stdout, reason = "an example shows what it found")]
fn main() -> Result<(), Error> {
    page().map(|page| print!("{page}"))
}

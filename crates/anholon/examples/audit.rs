//! Asks whether two equations of a swing are right; the second one has lost a sign.

use anholon::{Alone, Claims, Error};

const SWING: &str = "
system \"A swing\"
param m = 2 kg, l = 0.5 m, g = 9.81 m/s^2
coord phi : rad
point P = l*(sin(phi), -cos(phi)) mass m
gravity (0, -g)
start phi = 0.5 rad
";

/// What the audit says of each claim.
pub fn page() -> Result<String, Error> {
    let swing = anholon::load("swing.mech", SWING)?;
    let mut page = String::new();
    for claim in ["l*phi'' = -g*sin(phi)", "l*phi'' = g*sin(phi)"] {
        let wanted = Claims { more: vec![claim.to_owned()], ..Claims::default() };
        for claim in anholon::audit(&swing, &wanted, &mut Alone)?.claims {
            page += &format!("{}: {}\n", claim.text, claim.verdict);
            page += &claim.explanation.map_or(String::new(), |why| format!("  {why}\n"));
        }
    }
    Ok(page)
}

#[allow(clippy::print_stdout, reason = "an example shows what it found")]
fn main() -> Result<(), Error> {
    page().map(|page| print!("{page}"))
}

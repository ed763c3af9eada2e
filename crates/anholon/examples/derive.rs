//! Derives the equations of a sled by two formalisms and prints them.

use anholon::{Alone, Derive, Error};

/// The equations of the sled, line by line.
pub fn page() -> Result<String, Error> {
    let sled = anholon::gallery("sled")?;
    let mut page = String::new();
    for form in ["kane", "multipliers"] {
        let wanted = Derive { form: Some(form.to_owned()), ..Derive::default() };
        for derived in anholon::derive(&sled, &wanted, &mut Alone)? {
            page += &format!("{}, {} ({})\n", derived.title, derived.equations_of, derived.form);
            for equation in &derived.equations {
                page += &format!("  {}\n", equation.text);
            }
            for rate in &derived.kinematics {
                page += &format!("  with {}\n", rate.text);
            }
        }
    }
    Ok(page)
}

#[allow(clippy::print_stdout, reason = "an example shows what it found")]
fn main() -> Result<(), Error> {
    page().map(|page| print!("{page}"))
}

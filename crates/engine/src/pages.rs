//! What does the page of a formalism say? Its file's first lines, and an example derived on the spot.

use std::fmt::Write;

use mechanics::formalism::{FORMALISMS, Formalism};

use crate::error::Field;
use crate::{Derivation, Derive, Error, Settings, derive, load};

/// Models that an example is taken from: the first to which a form applies.
const EXAMPLES: [&str; 5] = ["chaplygin-sleigh", "dobronravov", "cart-pendulum", "atwood", "euler-top"];

/// The pages: the name of each formalism and its text in Markdown, in which a shell spells the field of the form.
pub fn pages() -> Result<Vec<(&'static str, String)>, Error> {
    FORMALISMS.iter().map(|formalism| Ok((formalism.name, page(formalism)?))).collect()
}

fn page(formalism: &Formalism) -> Result<String, Error> {
    let lines = formalism.text.lines().take_while(|line| line.starts_with("//!"));
    let text: Vec<&str> = lines.map(|line| line.trim_start_matches("//!").trim_start_matches(' ')).collect();
    let mut page = format!("# {}\n\n", capital(formalism.title));
    let _ = writeln!(page, "`anholon derive MODEL {}`", Field::Form.asked(formalism.name));
    let _ = writeln!(page, "\nFamily {:?}: {}.\n", formalism.family, formalism.family.describe());
    let _ = writeln!(page, "{}\n\n## Example", text.join("\n").trim_end());
    match example(formalism)? {
        Some((model, derivation)) => {
            let _ =
                writeln!(page, "\n`anholon derive gallery:{model} {}`\n\n```text", Field::Form.asked(formalism.name));
            for line in &derivation.equations {
                let _ = writeln!(page, "{}", line.text);
            }
            for line in &derivation.constraints {
                let _ = writeln!(page, "{}", line.formula.text);
            }
            for line in &derivation.kinematics {
                let _ = writeln!(page, "{}", line.text);
            }
            for line in derivation.multipliers.iter().filter_map(|one| one.equation.as_ref()) {
                let _ = writeln!(page, "{}", line.text);
            }
            page.push_str("```\n");
        }
        None => page.push_str("\nIt applies to none of the models that examples are taken from.\n"),
    }
    Ok(page)
}

fn example(formalism: &Formalism) -> Result<Option<(&'static str, Derivation)>, Error> {
    for model in EXAMPLES {
        let loaded = load(&Settings::gallery(model)?)?;
        let wanted = Derive { form: Some(formalism.name.to_owned()), ..Derive::default() };
        let derivation = derive(&loaded, &wanted, &mut crate::Alone)?.remove(0);
        if derivation.applicable {
            return Ok(Some((model, derivation)));
        }
    }
    Ok(None)
}

fn capital(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

//! Writes models of the gallery in a language: `gallery LANGUAGE DIR [MODEL …]`, each into a directory of its name; all
//! models if none is named. `fmu2` is an FMU of FMI 2.0. What cannot be written is told with the reason.

use std::path::PathBuf;

use engine::{Alone, GALLERY, Settings};
use export::{Export, Target, What};

#[allow(clippy::print_stdout, reason = "a program")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(language), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err("usage: gallery LANGUAGE DIR [MODEL …]".into());
    };
    let (language, fmi) =
        if language == "fmu2" { ("fmu".to_owned(), export::Fmi::Two) } else { (language, export::Fmi::Three) };
    let target = Target::ALL.iter().find(|one| one.name() == language).ok_or("no such language")?;
    let chosen: Vec<String> = arguments.collect();
    let wanted = Export { what: What::All, fmi, ..Export::to(*target) };
    for example in GALLERY
        .iter()
        .filter(|one| !one.is_theorem())
        .filter(|one| chosen.is_empty() || chosen.iter().any(|name| name == one.name))
    {
        let loaded = engine::load(&Settings::gallery(example.name)?)?;
        match export::export(&loaded, &wanted, &mut Alone) {
            Ok(made) => {
                for file in &made.files {
                    let path = PathBuf::from(&folder).join(example.name).join(&file.name);
                    std::fs::create_dir_all(path.parent().ok_or("no directory")?)?;
                    std::fs::write(path, &file.text)?;
                }
                println!("{}: {} files", example.name, made.files.len());
            }
            Err(error) => println!("{}: refused: {}", example.name, error.message()),
        }
    }
    Ok(())
}

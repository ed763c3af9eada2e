//! Does exported code agree in the tools that it is written for? Compilers, NumPy, JAX, CasADi, SymPy, Octave, FMPy, rumoca.

use crate::command::{command_line, program, run, target};
use crate::python::environment;

/// What the tools are installed from.
const NEEDED: &str = "crates/export/tests/tools/requirements.txt";

/// A few models in every tool.
pub fn test() -> Result<(), String> {
    with(&[])
}

/// All models of the gallery, if that is said.
pub fn chore(words: &[&str]) -> Result<(), String> {
    match words {
        [] | ["--all"] => with(words),
        [other, ..] => Err(format!("no word `{other}` after `export`; there is `--all`")),
    }
}

fn with(words: &[&str]) -> Result<(), String> {
    let python = environment("export-venv", NEEDED)?;
    run(&mut command_line())?;
    let anholon = target().join("debug").join(if cfg!(windows) { "anholon.exe" } else { "anholon" });
    for script in ["targets.py", "fmu.py", "modelica.py"] {
        run(program(&python).arg(format!("crates/export/tests/tools/{script}")).arg(&anholon).args(words))?;
    }
    Ok(())
}

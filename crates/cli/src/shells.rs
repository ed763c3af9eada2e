//! The verbs for editors and shells: the language server, scripts that complete words, manual pages.

use std::fs;
use std::io::{self, BufReader, Write};
use std::path::Path;

use anholon::Error;
use clap::Command;
use clap_complete::Shell;

use crate::{lost, print};

/// Talks to an editor over standard input and output until it ends.
pub fn lsp(json: bool) -> Result<u8, Error> {
    refuse_json("lsp", json)?;
    let read = |file: &str| fs::read_to_string(file).ok();
    Ok(lsp::serve(BufReader::new(io::stdin()), &mut io::stdout().lock(), &read))
}

/// Prints the script that completes words in a shell.
pub fn completions(mut command: Command, shell: Shell, json: bool) -> Result<u8, Error> {
    refuse_json("completions", json)?;
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "anholon", &mut script);
    match io::stdout().lock().write_all(&script) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => lost(&error),
        _ => {}
    }
    Ok(0)
}

/// Writes a manual page for the program and one for each verb into a folder.
pub fn man(command: Command, folder: &Path, json: bool) -> Result<u8, Error> {
    let name = folder.display().to_string();
    let wrong = |error: io::Error| Error::new(format!("cannot write manual pages into {name}: {error}"));
    fs::create_dir_all(folder).map_err(wrong)?;
    clap_mangen::generate_to(command, folder).map_err(wrong)?;
    let mut written: Vec<String> = fs::read_dir(folder)
        .map_err(wrong)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|file| file.starts_with("anholon") && file.ends_with(".1"))
        .collect();
    written.sort();
    let count = written.len();
    let answer = serde_json::json!({ "folder": name, "files": written });
    print(json, &answer, || format!("wrote {count} pages into {name}: try `man -l {name}/anholon.1`"));
    Ok(0)
}

fn refuse_json(verb: &str, json: bool) -> Result<(), Error> {
    match json {
        true => Err(Error::new(format!("`anholon {verb}` has no answer to print as JSON")).hint("leave out `--json`")),
        false => Ok(()),
    }
}

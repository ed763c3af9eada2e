//! The verbs that read and write model files: gallery, new, fmt.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anholon::Error;
use clap::Subcommand;

use crate::{print, write_line};

/// What to do with the gallery.
#[derive(Subcommand)]
pub enum Gallery {
    /// Print a model.
    Show {
        /// Its name.
        name: String,
    },
    /// List the built-in files of claims: right ones, wrong ones, misprints of the sources.
    ///
    /// Show one with `anholon gallery show NAME`, audit it with `anholon audit gallery:MODEL gallery:NAME`.
    Claims,
    /// Write a model to a file; an existing file is never overwritten.
    Copy {
        /// Its name.
        name: String,
        /// The file; NAME.mech if not said.
        file: Option<PathBuf>,
    },
}

/// Lists the gallery, shows or copies one of its models.
pub fn gallery(what: Option<&Gallery>, json: bool) -> Result<u8, Error> {
    match what {
        None => {
            print(json, &pages::gallery::object(), pages::gallery::list);
        }
        Some(Gallery::Claims) => print(json, &pages::gallery::claims(), pages::gallery::list_claims),
        Some(Gallery::Show { name }) => {
            let text = match anholon::library::claims(name) {
                Ok(file) => file.text,
                Err(_) => anholon::library::example(name)?.text,
            };
            print(json, &serde_json::json!({ "name": name, "text": text }), || text.trim_end().to_owned());
        }
        Some(Gallery::Copy { name, file }) => {
            let example = anholon::library::example(name)?;
            let file = file.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.mech")));
            create(&file, example.text)?;
            let message = format!("wrote {}", file.display());
            print(json, &serde_json::json!({ "wrote": file.display().to_string() }), || message);
        }
    }
    Ok(0)
}

/// Writes the template, or prints it.
pub fn new(file: Option<&Path>, json: bool) -> Result<u8, Error> {
    let Some(file) = file else {
        let text = anholon::library::template();
        print(json, &serde_json::json!({ "text": text }), || text.trim_end().to_owned());
        return Ok(0);
    };
    create(file, anholon::library::template())?;
    let name = file.display().to_string();
    print(json, &serde_json::json!({ "wrote": name }), || format!("wrote {name}: edit it, then `anholon fmt {name}`"));
    Ok(0)
}

/// Formats files in place, or tells which are not in canonical form.
pub fn fmt(files: &[PathBuf], check: bool, json: bool) -> Result<u8, Error> {
    if files.iter().any(|file| file.as_os_str() == "-") && !check {
        return piped(files, json);
    }
    let mut changed = Vec::new();
    for file in files {
        let name = file.display().to_string();
        let text = crate::model::read(&name)?;
        let formatted = anholon::format(&name, &text)?;
        if formatted == text {
            continue;
        }
        if !check {
            replace(file, &formatted)?;
        }
        changed.push(name);
    }
    if json {
        print(json, &serde_json::json!({ "changed": changed }), String::new);
    } else {
        let verb = if check { "not in canonical form:" } else { "formatted" };
        changed.iter().for_each(|name| write_line(&format!("{verb} {name}")));
    }
    Ok(u8::from(check && !changed.is_empty()))
}

/// Prints the canonical form of standard input.
fn piped(files: &[PathBuf], json: bool) -> Result<u8, Error> {
    if files.len() > 1 {
        return Err(Error::new("`-` stands alone: what is read from standard input is printed, files are changed"));
    }
    let text = anholon::format("-", &crate::model::read("-")?)?;
    match json {
        true => print(json, &serde_json::json!({ "text": text }), String::new),
        false => crate::write_bare(text.trim_end()),
    }
    Ok(0)
}

/// Writes a file that must not exist yet.
fn create(file: &Path, text: &str) -> Result<(), Error> {
    let made = fs::File::options().write(true).create_new(true).open(file);
    made.and_then(|mut made| made.write_all(text.as_bytes()))
        .map_err(|error| Error::new(format!("cannot write {}: {error}", file.display())))
}

/// Replaces a file at once: a reader sees the old text or the new one, never a part. A link is followed; what is no
/// file, such as a pipe, is written to.
pub fn replace(file: &Path, text: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), Error> {
    let text = text.as_ref();
    let wrong = |error| Error::new(format!("cannot write {}: {error}", file.display()));
    let Some((target, beside)) = targets(file) else { return fs::write(file, text).map_err(wrong) };
    fs::write(&beside, text).and_then(|()| fs::rename(&beside, target)).map_err(|error| {
        let _ = fs::remove_file(&beside);
        wrong(error)
    })
}

/// Endings of files that hold tables.
pub const TABLES: [&str; 2] = ["csv", "json"];
/// Endings of files that hold pictures.
pub const PICTURES: [&str; 1] = ["svg"];
/// Endings of files that hold pages.
pub const PAGES: [&str; 2] = ["html", "htm"];

/// An error if a file's ending promises another kind of file than the one that is written. A name without an ending, such as
/// that of a pipe, promises nothing.
pub fn must_be(file: Option<&Path>, option: &str, endings: &[&str]) -> Result<(), Error> {
    let Some((file, ending)) = file.and_then(|file| Some((file, file.extension()?))) else { return Ok(()) };
    let ending = ending.to_string_lossy();
    if endings.iter().any(|one| ending.eq_ignore_ascii_case(one)) {
        return Ok(());
    }
    let all: Vec<String> = endings.iter().map(|one| format!("`.{one}`")).collect();
    let message = format!("`{option} {}`: files of the kind `.{ending}` are not written", file.display());
    Err(Error::new(message).hint(format!("give a name that ends in {}", all.join(" or "))))
}

/// An error if a file cannot be written: better before a long work than after it.
pub fn try_to_write(file: &Path) -> Result<(), Error> {
    let tried = match targets(file) {
        _ if file.is_dir() => Err(std::io::Error::other("it is a directory")),
        None => Ok(()),
        Some((_, beside)) => fs::write(&beside, "").and_then(|()| fs::remove_file(&beside)),
    };
    tried.map_err(|error| Error::new(format!("cannot write {}: {error}", file.display())))
}

/// The file that a path leads to, and a name beside it that nobody uses; nothing for what is no file.
fn targets(file: &Path) -> Option<(PathBuf, PathBuf)> {
    let target = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    if fs::metadata(&target).is_ok_and(|known| !known.is_file()) {
        return None;
    }
    let mut beside = target.clone().into_os_string();
    beside.push(format!(".{}.new", std::process::id()));
    Some((target, PathBuf::from(beside)))
}

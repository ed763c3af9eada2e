//! How does one get the studio? Served on this machine alone, or written as a site or as one file.

mod server;

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anholon::Error;
use serde_json::json;

use server::{Page, Watched};

include!(concat!(env!("OUT_DIR"), "/bundle.rs"));

/// The page in which `--single` puts the engine at this mark.
const ENGINE_MARK: &str = "<!--engine-->";
/// The page is told by this line that somebody serves a model.
const SERVED: &str = "<meta id=\"served\" content=\"a model is served beside this page\">";

/// Parts of the bundle that are no files of the site.
const INNER: [&str; 2] = ["single.html", "viewer.html"];

/// The viewer as a part of a page, if it is in this build.
pub fn viewer() -> Option<&'static str> {
    std::str::from_utf8(part("viewer.html")).ok().filter(|text| !text.is_empty())
}

/// What the command line says about the studio.
#[derive(Clone, Debug, clap::Args)]
pub struct StudioArguments {
    /// A model file, or `gallery:NAME`; without one, the last session or a first model of the gallery.
    #[arg(value_name = "MODEL")]
    model: Option<String>,
    /// The port; a free one if nothing is said.
    #[arg(long, value_name = "P", default_value_t = 0)]
    port: u16,
    /// Do not open the browser.
    #[arg(long)]
    no_open: bool,
    /// Write the site to this folder, for any web space, and serve nothing.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the whole studio as one file that works from disk, and serve nothing.
    #[arg(long, value_name = "FILE")]
    single: Option<PathBuf>,
}

/// Serves or writes the studio; the exit code.
pub fn run(arguments: &StudioArguments, as_json: bool) -> Result<u8, Error> {
    if BUNDLE.is_empty() {
        return Err(Error::new("the studio is not in this build")
            .hint("`cargo xtask studio` makes its page (it needs node and the target wasm32-unknown-unknown); then build again"));
    }
    if arguments.out.is_some() || arguments.single.is_some() {
        return write(arguments, as_json);
    }
    let watched = arguments.model.as_deref().map(Watched::of).transpose()?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, arguments.port)).map_err(|error| {
        Error::new(format!("port {} cannot be used: {error}", arguments.port)).hint("leave `--port` out for a free one")
    })?;
    let port = listener.local_addr().map_err(Error::new)?.port();
    let address = format!("http://127.0.0.1:{port}/");
    let told = json!({ "address": address, "model": arguments.model });
    crate::print(as_json, &told, || format!("The studio is at {address} for this machine alone; Ctrl-C ends it."));
    if !arguments.no_open && !open(&address) {
        crate::complain("note: no browser could be opened; open the address yourself");
    }
    server::serve(&listener, port, &Page { files: BUNDLE, inner: &INNER, served: SERVED, watched });
    Ok(0)
}

/// Writes the site, the single file, or both.
fn write(arguments: &StudioArguments, as_json: bool) -> Result<u8, Error> {
    if let Some(model) = &arguments.model {
        return Err(Error::new(format!("`{model}` is not written with the page"))
            .hint("leave the model out; a link of the studio's button Share holds a model"));
    }
    let mut wrote = Vec::new();
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder)
            .map_err(|error| Error::new(format!("cannot make {}: {error}", folder.display())))?;
        for (name, bytes) in BUNDLE.iter().filter(|(name, _)| !INNER.contains(name)) {
            put(&folder.join(name), bytes)?;
        }
        wrote.push(format!("{}: the site", folder.display()));
    }
    if let Some(file) = &arguments.single {
        let page = String::from_utf8_lossy(part("single.html")).replacen(ENGINE_MARK, &letters(part("engine.gz")), 1);
        put(file, page.as_bytes())?;
        wrote.push(format!("{}: one file that works from disk", file.display()));
    }
    crate::print(as_json, &json!({ "wrote": wrote }), || {
        wrote.iter().map(|one| format!("wrote {one}")).collect::<Vec<_>>().join("\n")
    });
    Ok(0)
}

fn part(name: &str) -> &'static [u8] {
    BUNDLE.iter().find(|(known, _)| *known == name).map_or(&[], |(_, bytes)| bytes)
}

fn put(file: &Path, bytes: &[u8]) -> Result<(), Error> {
    std::fs::write(file, bytes).map_err(|error| Error::new(format!("cannot write {}: {error}", file.display())))
}

/// Bytes as text, as pages hold them: nine bytes are eleven letters, the first letter counts most; zeros fill the last group, and a digit in front
/// tells how many. A letter is any of ASCII but `<`, which a page might take for markup. The page reads them (studio/web/engine.ts).
fn letters(bytes: &[u8]) -> String {
    let mut text = ((9 - bytes.len() % 9) % 9).to_string();
    text.reserve(bytes.len().div_ceil(9) * 11);
    for group in bytes.chunks(9) {
        let mut all = [0; 16];
        all[7..7 + group.len()].copy_from_slice(group);
        let number = u128::from_be_bytes(all);
        let letter = |k: u32| (number / 94_u128.pow(10 - k) % 94) as u8 + b' ';
        text.extend((0..11).map(letter).map(|code| char::from(if code < b'<' { code } else { code + 1 })));
    }
    text
}

/// Opens the browser of the system; whether it could be started.
fn open(address: &str) -> bool {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("explorer", &[]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(before).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}

#[cfg(test)]
mod tests {
    use super::letters;

    #[test]
    fn bytes_become_letters() {
        assert_eq!([letters(b""), letters(&[0; 9])], ["0", "0           "]);
        // 69·256 + 47 = 2·94² + 0·94 + 39, and `<` is left out
        assert_eq!(letters(&[0, 0, 0, 0, 0, 0, 0, 69, 47]), "0        \" H");
        assert_eq!(letters(&[0, 0, 0, 0, 0, 0, 1]).chars().next(), Some('2'));
        let all = letters(&(0..=255).collect::<Vec<u8>>());
        assert!(all.len() == 1 + 29 * 11 && !all.contains('<'));
    }
}

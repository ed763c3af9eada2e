//! How do files become an FMU? The sources are compiled with the compiler of the system, and all is put into one archive.

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anholon::{Error, File, Pack};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A directory that goes when it is not needed any more.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The archive. Where the system has no compiler, it holds sources alone.
pub fn packed(pack: &Pack, files: &[File]) -> Result<Vec<u8>, Error> {
    let library = match pack.place(std::env::consts::OS, std::env::consts::ARCH) {
        Some(place) => compiled(pack, files)?.map(|bytes| (place, bytes)),
        None => None,
    };
    let wrong = |error: &dyn std::fmt::Display| Error::new(format!("cannot pack {}: {error}", pack.name));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let texts = files.iter().map(|file| (&file.name, file.text.as_bytes()));
    for (name, bytes) in texts.chain(library.iter().map(|one| (&one.0, &one.1[..]))) {
        archive.start_file(name.as_str(), options).map_err(|error| wrong(&error))?;
        archive.write_all(bytes).map_err(|error| wrong(&error))?;
    }
    Ok(archive.finish().map_err(|error| wrong(&error))?.into_inner())
}

/// The library; nothing if there is no compiler.
fn compiled(pack: &Pack, files: &[File]) -> Result<Option<Vec<u8>>, Error> {
    let compiler = std::env::var("CC").ok().filter(|name| !name.is_empty()).unwrap_or_else(|| "cc".to_owned());
    if Command::new(&compiler).arg("--version").output().is_err() {
        return Ok(None);
    }
    let folder = Folder(std::env::temp_dir().join(format!("anholon-fmu-{}-{}", pack.library, std::process::id())));
    let wrong = |error: std::io::Error| Error::new(format!("cannot compile in {}: {error}", folder.0.display()));
    for file in files {
        let path = folder.0.join(&file.name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(wrong)?;
        fs::write(&path, &file.text).map_err(wrong)?;
    }
    let output = Command::new(&compiler)
        .args(["-std=c99", "-O2", "-ffp-contract=off", "-fPIC", "-shared", "-fvisibility=hidden", "-o", "library"])
        .args(&pack.sources)
        .arg("-lm")
        .current_dir(&folder.0)
        .output()
        .map_err(wrong)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let first: Vec<&str> = said.lines().take(5).collect();
        return Err(Error::new(format!("the compiler `{compiler}` refuses {}:\n{}", pack.name, first.join("\n")))
            .hint("choose another compiler with the variable CC"));
    }
    fs::read(folder.0.join("library")).map(Some).map_err(wrong)
}

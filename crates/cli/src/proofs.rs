//! How are proofs asked for, and where do certificates go?

use std::path::Path;
use std::time::Instant;

use anholon::{Error, Prove, Settings};

/// How an answer is given.
pub struct How<'a> {
    /// Where a certificate goes.
    pub certificate: Option<&'a Path>,
    /// As JSON.
    pub json: bool,
    /// With the time that it took.
    pub verbose: bool,
}

/// Proves, prints, and writes a certificate if one is wanted; the exit code.
pub fn prove(settings: &Settings, wanted: &Prove, how: &How<'_>) -> Result<u8, Error> {
    let started = Instant::now();
    let loaded = crate::model::open(settings)?;
    let mut proved = crate::followed(|bar| anholon::prove(&loaded, wanted, bar))?;
    let seconds = started.elapsed().as_secs_f64();
    let mut written = None;
    if let (Some(path), Some(file)) = (how.certificate, proved.certificate.take()) {
        let file = file.map_err(|reason| Error::new(format!("no certificate was written: {reason}")))?;
        let text = serde_json::to_string(&file).map_err(Error::new)?;
        crate::files::replace(path, &text)?;
        written = Some(path.display().to_string());
    }
    if how.json {
        crate::print_json(&pages::proofs::object(&proved, Some(seconds), written.map(serde_json::Value::String)));
    } else {
        let mut page = pages::proofs::page(&proved, Some(seconds).filter(|_| how.verbose));
        page.extend(written.map(|file| format!("certificate: {file}")));
        crate::write_line(&page.join("\n"));
    }
    Ok(pages::code::proved(&proved))
}

/// Compares two models; the exit code.
pub fn same(settings: &Settings, other: &str, wanted: &anholon::SameAs, as_json: bool) -> Result<u8, Error> {
    let (model, other) = (crate::model::open(settings)?, crate::model::open(&crate::model::named(other)?)?);
    let found = crate::followed(|bar| anholon::same_as(&model, &other, wanted, bar))?;
    crate::print(as_json, &found, || pages::proofs::same(&found));
    Ok(pages::code::same_system(&found))
}

/// Replays a certificate; the exit code.
pub fn verify(file: &Path, settings: &Settings, as_json: bool) -> Result<u8, Error> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Error::new(format!("cannot read {}: {error}", file.display())))?;
    let loaded = crate::model::open(settings)?;
    let verified = crate::followed(|bar| anholon::verify(&loaded, &anholon::Replay { certificate: text }, bar))?;
    crate::print(as_json, &verified, || pages::proofs::replayed(&verified));
    Ok(pages::code::verified(&verified))
}

//! Which claims does a command mean?

use std::fs;
use std::path::Path;

use anholon::{Error, Settings};

use crate::model::ModelArguments;

/// The claims of a file, or built-in ones, and what messages call them.
fn read(claims: &str) -> Result<(String, String), Error> {
    let text = match claims.strip_prefix("gallery:") {
        Some(name) => anholon::library::claims(name)?.text.to_owned(),
        None => {
            let read = fs::read_to_string(claims);
            read.map_err(|error| Error::new(format!("cannot read {claims}: {error}")))?
        }
    };
    Ok((claims.to_owned(), text))
}

/// The model with the claims of a file added to it.
fn settings(model: Settings, claims: Option<&str>) -> Result<Settings, Error> {
    let Some(claims) = claims else { return Ok(model) };
    let (name, text) = read(claims)?;
    pages::audits::settings(model, name, text)
}

/// `audit MODEL CLAIMS --claim EQUATION`
pub fn audit(
    model: &ModelArguments,
    claims: Option<&str>,
    more: &[String],
    certificate: Option<&Path>,
    json: bool,
) -> Result<u8, Error> {
    let loaded = crate::model::open(&settings(model.settings()?, claims)?)?;
    let wanted = anholon::Claims { more: more.to_vec(), certificate: certificate.is_some() };
    let mut answer = crate::followed(|bar| anholon::audit(&loaded, &wanted, bar))?;
    let mut written = None;
    if let (Some(path), Some(file)) = (certificate, answer.certificate.take()) {
        let file = file.map_err(|reason| Error::new(format!("no certificate was written: {reason}")))?;
        crate::files::replace(path, &serde_json::to_string(&file).map_err(Error::new)?)?;
        written = Some((path.display().to_string(), file.without));
    }
    if json {
        let name = written.map(|(name, _)| serde_json::Value::String(name));
        crate::print_json(&pages::audits::object(&answer, name));
    } else {
        let page = [pages::audits::page(&answer)].into_iter().chain(written.map(|one| pages::audits::written(&one)));
        crate::write_line(&page.collect::<Vec<_>>().join("\n"));
    }
    Ok(pages::code::judged(answer.outcome))
}

/// `audit --gallery CLAIMS --claim EQUATION`
pub fn gallery(file: &ModelArguments, claims: Option<&str>, more: &[String], json: bool) -> Result<u8, Error> {
    if let Some(second) = claims {
        return Err(Error::new(format!("`--gallery` takes one file of claims; `{second}` is a second one")));
    }
    let (name, mut text) = match file.alone()? {
        Some(file) => read(file)?,
        None if more.is_empty() => return Err(Error::new("`--gallery` needs a file of claims, or `--claim`")),
        None => ("claim".to_owned(), String::new()),
    };
    text += "\n";
    text += &anholon::lines_of(more);
    let answer = crate::followed(|bar| anholon::audit_gallery((&name, &text), &|_| true, bar))?;
    crate::print(json, &answer, || pages::audits::everywhere(&answer));
    Ok(pages::code::judged(answer.outcome))
}

//! Which claims does a command mean?

use std::fs;

use anholon::{Error, Settings};

/// The model with the claims added to it.
pub fn settings(model: Settings, claims: &str) -> Result<Settings, Error> {
    let (name, text) = match claims.strip_prefix("gallery:") {
        Some(name) => (claims.to_owned(), anholon::library::claims(name)?.text.to_owned()),
        None => {
            let read = fs::read_to_string(claims);
            (claims.to_owned(), read.map_err(|error| Error::new(format!("cannot read {claims}: {error}")))?)
        }
    };
    Ok(pages::audits::settings(model, name, text))
}

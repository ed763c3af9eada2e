//! Which model is meant, and what is changed in it?

use anholon::{Error, Model, Settings};
use serde_json::Value;

use crate::Question;

/// Opens a model: `{"gallery": "sled"}` or `{"file": "a.mech", "text": "…"}`, with `with`, `set`, `at` and `seed` as on the
/// command line; the files that it uses as `files`, each an object of `file` and `text`, named as `used` names them.
pub fn open(request: &Value) -> Result<Model, Error> {
    let mut request = Question::new("open", request)?;
    let (file, text, gallery) = (request.text("file")?, request.text("text")?, request.text("gallery")?);
    let mut settings = match (text, gallery) {
        (Some(text), None) => Settings::new(file.as_deref().unwrap_or("model"), &text),
        (None, Some(name)) if file.is_none() => Settings::gallery(&name)?,
        (None, None) => return Err(Error::new("`open` needs the `text` of a model, or the name of one in `gallery`")),
        _ => return Err(Error::new("`open` takes `file` and `text`, or `gallery`, and not both")),
    };
    settings.files.extend(request.files("files")?);
    change(&mut settings, &mut request)?;
    request.finish()?;
    anholon::open(&settings)
}

/// The model with what a question changes in it; nothing if it changes nothing.
pub fn changed(model: &Model, question: &mut Question<'_>) -> Result<Option<Model>, Error> {
    let mut settings = model.settings.clone();
    change(&mut settings, question)?;
    if settings == model.settings { Ok(None) } else { anholon::open(&settings).map(Some) }
}

/// What a model assumes, as its text says it.
pub fn assumed(model: &Model) -> Vec<String> {
    model.system.assumptions.iter().map(|one| syntax::format_relation(&one.tree)).collect()
}

fn change(settings: &mut Settings, question: &mut Question<'_>) -> Result<(), Error> {
    settings.with.extend(question.files("with")?);
    settings.set.extend(question.changes("set")?);
    if let Some(state) = question.values("at")? {
        settings.at = Some(state);
    }
    if let Some(seed) = question.count("seed")? {
        settings.seed = Some(seed);
    }
    Ok(())
}

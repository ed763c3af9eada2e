//! What does a shell in another language ask, and what does it get? A question as JSON, an answer as JSON and as a page.
//!
//! The keys of a question are the options of the command line, with `_` for `-`. The answer is the JSON that the command line
//! prints, its page, and its exit code; no clock is read, so that `seconds` is missing.
//!
//! ```
//! use anholon_ask as ask;
//! use serde_json::json;
//!
//! let sled = ask::open(&json!({ "gallery": "sled", "set": { "l": 0.5 } }))?;
//! let asked = ask::ask(&sled, "derive", &json!({ "form": "kane" }), &mut anholon::Alone)?;
//! assert_eq!(asked.json["form"], "kane");
//! assert!(asked.text.contains("Equations of motion") && asked.code == 0);
//!
//! let wrong = ask::ask(&sled, "derive", &json!({ "from": "kane" }), &mut anholon::Alone).err().expect("no such key");
//! assert_eq!(ask::error_json(&wrong)["diagnostics"][0]["hints"][0], "did you mean `form`?");
//! # Ok::<(), anholon::Error>(())
//! ```

mod error;
mod model;
pub mod names;
mod question;
mod verbs;

use anholon::{Error, Model, Progress};
use serde::Serialize;
use serde_json::Value;

pub use self::model::{assumed, changed, open};
pub use error::error_json;
pub use question::Question;
pub use verbs::{ALONE, VERBS, alone, simulation};

/// What was asked.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The answer, as data.
    pub json: Value,
    /// The answer as the command line writes it with `--json`, byte for byte: names in the order of the model.
    pub written: String,
    /// The page of the command line.
    pub text: String,
    /// Its exit code: 0 yes, 1 a negative verdict, 3 no answer.
    pub code: u8,
}

impl Asked {
    /// An answer with its page and its code.
    pub(crate) fn new(answer: &impl Serialize, page: &str, code: u8) -> Result<Asked, Error> {
        let written = serde_json::to_string_pretty(answer).map_err(Error::new)?;
        let written = shown(&written);
        let json = serde_json::from_str(&written).map_err(Error::new)?;
        Ok(Asked { json, written, text: shown(page), code })
    }
}

/// A text of the engine as people see it.
pub fn shown(text: &str) -> String {
    pages::show::harmless(&pages::flags::spelled(text)).into_owned()
}

/// Asks a model. The question may also say `at`, `set`, `with` and `seed`, as for the command line.
pub fn ask(model: &Model, verb: &str, question: &Value, progress: &mut dyn Progress) -> Result<Asked, Error> {
    if ALONE.contains(&verb) {
        return alone(verb, question);
    }
    let mut question = Question::new(verb, question)?;
    match self::model::changed(model, &mut question)? {
        Some(other) => verbs::of_model(&other, verb, question, progress),
        None => verbs::of_model(model, verb, question, progress),
    }
}

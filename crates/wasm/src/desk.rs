//! What may a page ask? The verbs of the command line, and what a viewer and an editor need besides.
//!
//! ```text
//! {"verb": V, "model": {…}, "question": {…}}   →   {"code": 0, "answer": {…}, "text": "…"}
//!                                                  {"code": 2, "error": {"error": "…", "diagnostics": […]}}
//! ```
//!
//! `model` is `{"file", "text" or "gallery", "with", "set", "seed"}` and `question` has the keys of the command line: both as the
//! crate `ask` reads them. Models stay open, so that a second question does not read the text again.
//!
//! | verb besides | answer |
//! | --- | --- |
//! | `names` | the names of a model, what they are, their values and units; remarks on the text |
//! | `watch` | a motion as `simulate` answers, its `scene` for the viewer, and the `columns` of its charts with their units |
//! | `words` | the words of the language, for an editor |
//! | `library` | the models and claims of the gallery with their texts |

use anholon::{Alone, Error, Model};
use serde::Deserialize;
use serde_json::{Value, json};

use ask::names;

/// So many models stay open.
const MOST_OPEN: usize = 6;

/// The models that are open, the last one that was asked at the end.
#[derive(Default)]
pub struct Desk {
    open: Vec<(String, Model)>,
}

/// A request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    verb: String,
    #[serde(default)]
    model: Value,
    #[serde(default)]
    question: Value,
}

/// What was asked of a model: an answer as it is, a page, an exit code.
struct Given {
    answer: String,
    text: String,
    code: u8,
}

impl Given {
    fn new(answer: &Value) -> Given {
        Given { answer: answer.to_string(), text: String::new(), code: 0 }
    }
}

impl Desk {
    /// A desk with nothing on it.
    pub fn new() -> Desk {
        Desk::default()
    }

    /// Answers a request.
    pub fn answer(&mut self, request: &[u8]) -> String {
        let given = serde_json::from_slice(request)
            .map_err(|error| Error::new(format!("this is no request: {error}")))
            .and_then(|request| self.given(&request));
        match given {
            Ok(Given { answer, text, code }) => {
                // the answer is JSON already, in the order of the model
                format!("{{\"code\":{code},\"answer\":{answer},\"text\":{}}}", Value::from(text))
            }
            Err(error) => json!({ "code": 2, "error": ask::error_json(&error) }).to_string(),
        }
    }

    fn given(&mut self, request: &Request) -> Result<Given, Error> {
        match request.verb.as_str() {
            "words" => Ok(Given::new(&names::words())),
            "library" => Ok(Given::new(&names::library())),
            "names" => self.model(&request.model).map(|model| Given::new(&names::of(model))),
            "watch" => watch(self.model(&request.model)?, &request.question),
            verb if ask::ALONE.contains(&verb) => ask::alone(verb, &request.question).map(asked),
            verb => ask::ask(self.model(&request.model)?, verb, &request.question, &mut Alone).map(asked),
        }
    }

    /// A model, opened before or now.
    fn model(&mut self, wanted: &Value) -> Result<&Model, Error> {
        let key = wanted.to_string();
        let opened = match self.open.iter().position(|(known, _)| *known == key) {
            Some(place) => self.open.remove(place),
            None => {
                let model = ask::open(wanted)?;
                if self.open.len() >= MOST_OPEN {
                    self.open.remove(0);
                }
                (key, model)
            }
        };
        self.open.push(opened);
        Ok(&self.open[self.open.len() - 1].1)
    }
}

fn asked(asked: ask::Asked) -> Given {
    Given { answer: asked.written, text: asked.text, code: asked.code }
}

/// A motion, what is seen of it, and its columns.
fn watch(model: &Model, question: &Value) -> Result<Given, Error> {
    let found = ask::simulation(model, question, &mut Alone)?;
    let column = |column: &anholon::answer::Column| {
        let values = found.table.column(&column.name()).map(|one| one.1).unwrap_or_default();
        json!({ "name": column.name(), "unit": column.unit, "values": values })
    };
    let scene = match anholon::picture::scene(model, &found) {
        Ok(scene) => serde_json::to_value(scene).map_err(Error::new)?,
        Err(error) => json!({ "error": ask::error_json(&error)["message"] }),
    };
    let answer = json!({
        "scene": scene,
        "t": found.table.t,
        "columns": found.table.columns.iter().map(column).collect::<Vec<_>>(),
        "form": found.form,
        "events": found.events,
        "energy_drift": found.energy_drift,
        "constraint_residual": found.constraint_residual,
        "work": found.work,
        "steps": found.steps,
        "expects": found.expects,
        "notes": found.notes,
        "stopped_by": found.stopped_by.to_string(),
        "failure": found.stopped_by.failure(),
    });
    let text = pages::motion::page(&found, None, "", &[]);
    Ok(Given { answer: ask::shown(&answer.to_string()), text: ask::shown(&text), code: pages::code::simulated(&found) })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Desk, MOST_OPEN};

    fn asked(desk: &mut Desk, request: &Value) -> Value {
        serde_json::from_str(&desk.answer(request.to_string().as_bytes())).expect("an answer is JSON")
    }

    #[test]
    fn a_verb_is_asked_of_a_model() {
        let question = json!({ "verb": "derive", "model": { "gallery": "hoop" }, "question": { "form": "kane" } });
        let answer = asked(&mut Desk::new(), &question);
        assert_eq!((&answer["code"], &answer["answer"]["form"]), (&json!(0), &json!("kane")));
    }

    #[test]
    fn what_is_no_request_or_no_model_is_told() {
        let mut desk = Desk::new();
        let wrong: Value = serde_json::from_str(&desk.answer(b"{}")).expect("an error is JSON");
        assert_eq!(wrong["code"], 2);
        let answer = asked(&mut desk, &json!({ "verb": "names", "model": { "file": "a", "text": "cord x : m" } }));
        let first = &answer["error"]["diagnostics"][0];
        assert_eq!((&first["line"], &first["column"]), (&json!(1), &json!(1)));
        assert!(first["hints"][0].as_str().is_some_and(|hint| hint.contains("`coord`")), "{first}");
    }

    #[test]
    fn models_stay_open_and_the_oldest_goes() {
        let mut desk = Desk::new();
        for length in 1..=MOST_OPEN + 2 {
            let set = json!({ "gallery": "sled", "set": { "l": length } });
            assert_eq!(asked(&mut desk, &json!({ "verb": "names", "model": set }))["code"], 0);
        }
        assert_eq!(desk.open.len(), MOST_OPEN);
        let values = |desk: &mut Desk| {
            let sled = json!({ "gallery": "sled", "set": { "l": 2 } });
            asked(desk, &json!({ "verb": "names", "model": sled }))["answer"]["parameters"].clone()
        };
        assert_eq!(values(&mut desk), values(&mut Desk::new()));
    }

    #[test]
    fn a_motion_is_watched() {
        let question = json!({ "for": 0.2, "every": 0.1 });
        let answer = asked(
            &mut Desk::new(),
            &json!({ "verb": "watch", "model": { "gallery": "four-bar" }, "question": question }),
        );
        let scene = &answer["answer"]["scene"];
        assert_eq!(scene["t"], json!([0.0, 0.1, 0.2]));
        assert_eq!(scene["is_plane"], json!(true));
        let names: Vec<&str> =
            scene["places"].as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
        let at = |name: &str| names.iter().position(|one| *one == name).expect("a place of this name");
        // the closure puts Q onto the rocker
        let line = json!([at("Q"), at("rocker")]);
        assert!(scene["lines"].as_array().unwrap().contains(&line), "{} {names:?}", scene["lines"]);
    }
}

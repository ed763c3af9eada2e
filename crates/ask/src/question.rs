//! What does a question say? Values are taken out of it one by one; what is left over is an error that names it.

use anholon::Error;
use serde_json::{Map, Value};

/// A question that is being read.
pub struct Question<'a> {
    /// What is asked, for messages.
    verb: &'a str,
    left: Map<String, Value>,
    known: Vec<&'static str>,
}

impl<'a> Question<'a> {
    /// A question to a verb; `null` asks nothing.
    pub fn new(verb: &'a str, given: &Value) -> Result<Question<'a>, Error> {
        let left = match given {
            Value::Object(map) => map.clone(),
            Value::Null => Map::new(),
            other => return Err(Error::new(format!("`{verb}`: a question is an object, not {}", sort(other)))),
        };
        Ok(Question { verb, left, known: Vec::new() })
    }

    /// What is said under a key; `null` says nothing.
    pub fn take(&mut self, key: &'static str) -> Option<Value> {
        self.known.push(key);
        self.left.remove(key).filter(|value| !value.is_null())
    }

    fn read<T>(
        &mut self,
        key: &'static str,
        wanted: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let Some(value) = self.take(key) else { return Ok(None) };
        read(&value).map(Some).ok_or_else(|| self.wrong(key, wanted, &value))
    }

    fn wrong(&self, key: &str, wanted: &str, value: &Value) -> Error {
        Error::new(format!("`{key}` of `{}` is {wanted}, not {}", self.verb, sort(value)))
    }

    /// A text.
    pub fn text(&mut self, key: &'static str) -> Result<Option<String>, Error> {
        self.read(key, "a text", |value| value.as_str().map(str::to_owned))
    }

    /// A text that must be there.
    pub fn needed(&mut self, key: &'static str) -> Result<String, Error> {
        let verb = self.verb;
        self.text(key)?.ok_or_else(|| Error::new(format!("`{verb}` needs `{key}`, a text")))
    }

    /// Yes or no; no if nothing is said.
    pub fn flag(&mut self, key: &'static str) -> Result<bool, Error> {
        Ok(self.read(key, "true or false", Value::as_bool)?.unwrap_or(false))
    }

    /// A number.
    pub fn number(&mut self, key: &'static str) -> Result<Option<f64>, Error> {
        self.read(key, "a number", Value::as_f64)
    }

    /// A whole number that is not negative.
    pub fn count(&mut self, key: &'static str) -> Result<Option<u64>, Error> {
        self.read(key, "a whole number that is not negative", Value::as_u64)
    }

    /// Numbers: a list, or one.
    pub fn numbers(&mut self, key: &'static str) -> Result<Vec<f64>, Error> {
        let read = |value: &Value| match value {
            Value::Array(list) => list.iter().map(Value::as_f64).collect(),
            one => one.as_f64().map(|one| vec![one]),
        };
        Ok(self.read(key, "a list of numbers", read)?.unwrap_or_default())
    }

    /// Texts, each as it is: a list, or one.
    pub fn texts(&mut self, key: &'static str) -> Result<Vec<String>, Error> {
        Ok(self.read(key, "a text or a list of texts", texts)?.unwrap_or_default())
    }

    /// Names: a list, or one text with commas.
    pub fn names(&mut self, key: &'static str) -> Result<Vec<String>, Error> {
        let apart = |text: &String| text.split(',').map(|name| name.trim().to_owned()).collect::<Vec<_>>();
        Ok(self.texts(key)?.iter().flat_map(apart).collect())
    }

    /// Values of names: `{"x": 1, "x'": "2 m/s"}`, or a text such as `x = 1, x' = 2`.
    pub fn values(&mut self, key: &'static str) -> Result<Option<String>, Error> {
        let read = |value: &Value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Object(map) => Some(assignments(map)?.join(", ")),
            _ => None,
        };
        self.read(key, "an object of values, or a text such as \"x = 1, x' = 2\"", read)
    }

    /// Values of names, each by itself: `{"l": 0.5}`, or texts such as `l=0.5`.
    pub fn changes(&mut self, key: &'static str) -> Result<Vec<String>, Error> {
        let read = |value: &Value| match value {
            Value::Object(map) => assignments(map),
            other => texts(other),
        };
        Ok(self
            .read(key, "an object of numbers or texts, or a list of texts such as \"l=0.5\"", read)?
            .unwrap_or_default())
    }

    /// Ranges of names: `{"x": [-1, 1]}`, or a text such as `x=-1..1`.
    pub fn ranges(&mut self, key: &'static str) -> Result<Option<String>, Error> {
        let range = |(name, ends): (&String, &Value)| {
            let ends: Vec<String> = ends.as_array()?.iter().map(number).collect::<Option<_>>()?;
            let [low, high] = &ends[..] else { return None };
            Some(format!("{name}={low}..{high}"))
        };
        let read = |value: &Value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Object(map) => Some(map.iter().map(range).collect::<Option<Vec<_>>>()?.join(", ")),
            _ => None,
        };
        self.read(key, "an object of pairs, or a text such as \"x=-1..1\"", read)
    }

    /// Texts with names for messages: a text, `{"file": …, "text": …}`, or a list of these.
    pub fn files(&mut self, key: &'static str) -> Result<Vec<(String, String)>, Error> {
        let file = |value: &Value| match value {
            Value::String(text) => Some((key.to_owned(), text.clone())),
            Value::Object(map) if map.keys().all(|key| matches!(key.as_str(), "file" | "text")) => {
                let name = map.get("file").map_or(Some(key), Value::as_str)?;
                Some((name.to_owned(), map.get("text")?.as_str()?.to_owned()))
            }
            _ => None,
        };
        let read = |value: &Value| match value {
            Value::Array(list) => list.iter().map(file).collect(),
            one => file(one).map(|one| vec![one]),
        };
        Ok(self.read(key, "a text, an object of `file` and `text`, or a list of these", read)?.unwrap_or_default())
    }

    /// The end: nothing may be left over.
    pub fn finish(self) -> Result<(), Error> {
        let Some(unknown) = self.left.keys().next() else { return Ok(()) };
        let error = Error::new(format!("`{}` knows no `{unknown}`", self.verb));
        Err(match syntax::nearest(unknown, self.known.iter().copied()) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None if self.known.is_empty() => error.hint("it asks for nothing more"),
            None => error.hint(format!("there are {}", self.known.join(", "))),
        })
    }
}

fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Array(list) => list.iter().map(|text| text.as_str().map(str::to_owned)).collect(),
        _ => None,
    }
}

fn assignments(map: &Map<String, Value>) -> Option<Vec<String>> {
    map.iter().map(|(name, value)| Some(format!("{name} = {}", number(value)?))).collect()
}

/// A number or the text of one, in the language of models: without an exponent.
fn number(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(whole), ..) => Some(whole.to_string()),
            (_, Some(whole), _) => Some(whole.to_string()),
            (.., real) => real.map(|real| real.to_string()),
        },
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}

/// What sort of thing a value is.
fn sort(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(_) => format!("`{value}`"),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the text {text:?}"),
        Value::Array(_) => "a list with other things in it".to_owned(),
        Value::Object(_) => "an object with other things in it".to_owned(),
    }
}

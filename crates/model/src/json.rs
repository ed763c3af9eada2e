//! How does a model travel between programs? As JSON with documented keys, expressions as text.
//!
//! ```text
//! {"anholon": 1, "declarations": [{"keyword": "param", "values": [{"name": "m", "value": "1.3 kg"}]}, …]}
//!
//! every line   keyword, the keys of its declaration, for?: [{index, from, to}]
//! ```
//!
//! The keys of a declaration are listed at the top of its file in `declaration/`.

use serde_json::{Map, Value, json};
use syntax::{Cursor, NodeKind, Range, Relation, TokenKind, lex, nearest};

use crate::declaration::{Line, keywords, listed};
use crate::print::{node, relation, unit};
use crate::{Model, Parsed};

/// The model as JSON; comments and places are left out.
pub fn to_json(model: &Model) -> Value {
    let lines: Vec<Value> = model.lines.iter().map(line_to_json).collect();
    json!({ "anholon": 1, "declarations": lines })
}

/// Reads what [`to_json`] wrote, or another program; the error names the key that is wrong.
///
/// The declarations are written as text and read from it, so that messages show text.
///
/// ```
/// let model = model::parse("", "coord x : m\nstart x = 1 m").model.unwrap();
/// let again = model::from_json(&model::to_json(&model)).unwrap().model.unwrap();
/// assert_eq!(model::print(&again), model::print(&model));
/// ```
pub fn from_json(value: &Value) -> Result<Parsed, String> {
    let declarations = value.get("declarations").and_then(Value::as_array);
    let declarations = declarations.ok_or("a model in JSON has a list `declarations`")?;
    let mut text = String::new();
    for (at, declaration) in declarations.iter().enumerate() {
        let line = line_from_json(declaration).map_err(|error| format!("declarations[{at}]: {error}"))?;
        text += &format!("{line}\n");
    }
    Ok(crate::parse("<json>", &text))
}

// ---------------------------------------------------------------------------------------------
// Out

fn line_to_json(line: &Line) -> Value {
    let mut keys = Map::new();
    keys.insert("keyword".to_owned(), line.declaration.keyword().into());
    let Value::Object(rest) = line.declaration.data().to_json() else {
        return Value::Object(keys);
    };
    keys.extend(rest.into_iter().filter(|(_, value)| !value.is_null()));
    if !line.ranges.is_empty() {
        let ranges = line.ranges.iter();
        let ranges =
            ranges.map(|Range { index, from, to, .. }| json!({"index": index, "from": node(from), "to": node(to)}));
        keys.insert("for".to_owned(), ranges.collect());
    }
    Value::Object(keys)
}

pub(crate) fn all<T>(entries: &[T], write: impl Fn(&T) -> String) -> Vec<String> {
    entries.iter().map(write).collect()
}

pub(crate) fn without_null(value: Value) -> Value {
    match value {
        Value::Object(keys) => Value::Object(keys.into_iter().filter(|(_, value)| !value.is_null()).collect()),
        other => other,
    }
}

// ---------------------------------------------------------------------------------------------
// In

/// The keys of one object, taken out one after another; what is left over is a mistake.
pub(crate) struct Keys<'a> {
    keys: &'a Map<String, Value>,
    taken: Vec<&'static str>,
}

/// The text of a part, or what is wrong with its key.
pub(crate) type Written = Result<String, String>;

fn line_from_json(value: &Value) -> Written {
    let mut keys = Keys::of(value)?;
    let keyword = keys.string("keyword")?;
    let Some(listed) = listed(&keyword) else {
        let near = nearest(&keyword, keywords());
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        return Err(format!("`{keyword}` is not a keyword{hint}"));
    };
    let mut line = format!("{keyword} {}", (listed.from_json)(&mut keys)?);
    let ranges = keys.objects("for", |keys| {
        Ok(format!("{} in {}..{}", keys.name("index")?, keys.expression("from")?, keys.expression("to")?))
    })?;
    if !ranges.is_empty() {
        line += &format!(" for {}", ranges.join(", "));
    }
    keys.end()?;
    Ok(line)
}

impl<'a> Keys<'a> {
    /// The keys of an object; nothing else is taken.
    pub fn of(value: &'a Value) -> Result<Keys<'a>, String> {
        let keys = value.as_object().ok_or("an object with keys is expected")?;
        Ok(Keys { keys, taken: Vec::new() })
    }

    pub fn has(&self, key: &str) -> bool {
        self.keys.get(key).is_some_and(|value| !value.is_null())
    }

    pub fn string(&mut self, key: &'static str) -> Written {
        self.taken.push(key);
        match self.keys.get(key) {
            Some(Value::String(text)) => Ok(text.clone()),
            Some(Value::Number(number)) => Ok(number.to_string()),
            Some(_) => Err(format!("the key `{key}` is a text")),
            None => Err(format!("the key `{key}` is missing")),
        }
    }

    pub fn read(&mut self, key: &'static str, read: impl Fn(&str, &str) -> Written) -> Written {
        let text = self.string(key)?;
        read(key, &text)
    }

    pub fn name(&mut self, key: &'static str) -> Written {
        self.read(key, read_name)
    }

    pub fn expression(&mut self, key: &'static str) -> Written {
        self.read(key, read_expression)
    }

    pub fn relation(&mut self, key: &'static str) -> Written {
        self.read(key, read_relation)
    }

    pub fn unit(&mut self, key: &'static str) -> Written {
        self.read(key, |key, text| match syntax::parse_unit(text) {
            Ok(of) => Ok(unit(&of)),
            Err(errors) => Err(wrong(key, text, &errors)),
        })
    }

    pub fn optional(&mut self, before: &str, key: &'static str, read: impl Fn(&str, &str) -> Written) -> Written {
        match self.has(key) {
            true => Ok(format!("{before}{}", self.read(key, read)?)),
            false => Ok(String::new()),
        }
    }

    fn array(&mut self, key: &'static str) -> Result<&'a [Value], String> {
        self.taken.push(key);
        let array = self.keys.get(key).ok_or_else(|| format!("the key `{key}` is missing"))?;
        array.as_array().map(Vec::as_slice).ok_or_else(|| format!("the key `{key}` is a list"))
    }

    pub fn list(&mut self, key: &'static str, read: impl Fn(&str, &str) -> Written) -> Written {
        let entries = self.array(key)?.iter().map(|entry| match entry {
            Value::String(text) => read(key, text),
            _ => Err(format!("the key `{key}` is a list of texts")),
        });
        Ok(entries.collect::<Result<Vec<_>, _>>()?.join(", "))
    }

    /// The entries of a list of objects; none if the key is not there and is optional.
    pub fn objects(
        &mut self,
        key: &'static str,
        read: impl Fn(&mut Keys<'_>) -> Written,
    ) -> Result<Vec<String>, String> {
        if key == "for" && !self.has(key) {
            return Ok(Vec::new());
        }
        let entries = self.array(key)?.iter().map(|entry| {
            let mut keys = Keys::of(entry).map_err(|error| format!("{key}: {error}"))?;
            let text = read(&mut keys)?;
            keys.end()?;
            Ok(text)
        });
        entries.collect()
    }

    /// A list of texts that are no expressions.
    pub fn texts(&mut self, key: &'static str) -> Result<Vec<String>, String> {
        let texts = self.array(key)?.iter().map(|text| {
            let text = text.as_str().ok_or_else(|| format!("the key `{key}` is a list of texts"))?;
            match text.contains('\n') {
                true => Err(format!("a text in `{key}` has no line ends: make it several texts")),
                false => Ok(text.to_owned()),
            }
        });
        texts.collect()
    }

    /// The keys of an object; whoever takes them ends with [`Keys::end`].
    pub fn object(&mut self, key: &'static str) -> Result<Keys<'a>, String> {
        self.taken.push(key);
        Keys::of(self.keys.get(key).ok_or_else(|| format!("the key `{key}` is missing"))?)
    }

    /// A key that is true or false, and false if it is not there.
    pub fn is_true(&mut self, key: &'static str) -> Result<bool, String> {
        self.taken.push(key);
        match self.keys.get(key) {
            None => Ok(false),
            Some(Value::Bool(value)) => Ok(*value),
            Some(_) => Err(format!("`{key}` is true or false")),
        }
    }

    /// Takes a key if it is one certain word.
    pub fn takes_word(&mut self, key: &'static str, word: &str) -> bool {
        let found = self.keys.get(key).and_then(Value::as_str) == Some(word);
        self.taken.extend(found.then_some(key));
        found
    }

    /// Complains of a key that nobody asked for.
    pub fn end(&self) -> Result<(), String> {
        let unknown = self.keys.iter().find(|(key, value)| !value.is_null() && !self.taken.contains(&key.as_str()));
        let Some((key, _)) = unknown else {
            return Ok(());
        };
        let near = nearest(key, self.taken.iter().copied());
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        Err(format!("there is no key `{key}` here{hint}"))
    }
}

pub(crate) fn read_expression(key: &str, text: &str) -> Written {
    syntax::parse_expression(text).map(|of| node(&of)).map_err(|errors| wrong(key, text, &errors))
}

pub(crate) fn read_relation(key: &str, text: &str) -> Written {
    syntax::parse_relation(text).map(|of: Relation| relation(&of)).map_err(|errors| wrong(key, text, &errors))
}

pub(crate) fn read_name(key: &str, text: &str) -> Written {
    name(text).ok_or_else(|| format!("`{key}` is a name, found \"{text}\""))
}

pub(crate) fn read_rate(key: &str, text: &str) -> Written {
    let rate = text.trim_end().strip_suffix('\'').and_then(name).map(|name| format!("{name}'"));
    rate.ok_or_else(|| format!("`{key}` is a rate such as \"x'\", found \"{text}\""))
}

/// A text that is a name where names are declared: there `front.x` is one, elsewhere it may be a component.
fn name(text: &str) -> Option<String> {
    let mut cursor = Cursor::new(text, lex(text));
    let of = cursor.indexed_name("a name").filter(|of| matches!(of.kind, NodeKind::Name { .. }))?;
    let is_all = cursor.peek() == TokenKind::End && cursor.finish().is_empty();
    is_all.then(|| node(&of))
}

pub(crate) fn wrong(key: &str, text: &str, errors: &[syntax::Diagnostic]) -> String {
    let why = errors.first().map_or("it cannot be read", |error| error.message.as_str());
    format!("`{key}` is \"{text}\": {why}")
}

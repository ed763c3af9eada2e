//! What made a file? Tables and pictures say it themselves: program, command line, model with its hash, values.
//!
//! In CSV these are comments before the header, in JSON the object `made_by`, in SVG the same object in `<metadata>`.

use anholon::Model;
use serde_json::{Map, Value, json};

/// What made a file.
pub struct Origin(Map<String, Value>);

impl Origin {
    /// The run of this program on a model.
    pub fn of(loaded: &Model) -> Origin {
        let settings = &loaded.settings;
        let parameters = loaded.system.parameters.iter().zip(&loaded.start.parameters);
        let parameters: Map<String, Value> =
            parameters.filter_map(|(one, value)| Some((one.name.clone(), json!((*value)?)))).collect();
        let command: Vec<String> = std::env::args().skip(1).map(|word| quoted(&word)).collect();
        let mut all = Map::new();
        let mut add = |key: &str, value: Value| all.insert(key.to_owned(), value);
        add("program", json!(format!("anholon {}", env!("ANHOLON_VERSION"))));
        add("command", json!(format!("anholon {}", command.join(" "))));
        add("model", json!(loaded.file));
        add("hash", json!(loaded.hash()));
        add("parameters", Value::Object(parameters));
        add("set", json!(settings.set));
        add("with", json!(settings.with.iter().map(|one| &one.1).collect::<Vec<_>>()));
        add("at", json!(settings.at));
        Origin(all)
    }

    /// As an object.
    pub fn object(&self) -> Value {
        Value::Object(self.0.clone())
    }

    /// A CSV table with it: comments behind those that the table begins with.
    pub fn in_table(&self, table: &str) -> String {
        let (mut lines, mut is_told) = (Vec::new(), false);
        for line in table.lines() {
            if !line.starts_with('#') && !is_told {
                lines.extend(self.comments());
                is_told = true;
            }
            lines.push(line.to_owned());
        }
        lines.join("\n") + "\n"
    }

    /// A picture with it, behind the first tag.
    pub fn in_picture(&self, svg: &str) -> String {
        let text = self.object().to_string().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let metadata = format!("<metadata>{text}</metadata>");
        match svg.find("<svg").and_then(|from| Some(from + svg[from..].find('>')? + 1)) {
            Some(behind) => format!("{}{metadata}{}", &svg[..behind], &svg[behind..]),
            None => svg.to_owned(),
        }
    }

    fn comments(&self) -> Vec<String> {
        let text = |key: &str| match &self.0[key] {
            Value::String(text) => text.clone(),
            Value::Array(list) => list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
            Value::Object(map) => {
                map.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
            }
            _ => String::new(),
        };
        let line = |(key, word): (&str, &str)| {
            let text = text(key).replace(['\n', '\r'], " ");
            (!text.is_empty()).then(|| format!("# {word}: {text}"))
        };
        let words = [
            ("program", "made by"),
            ("command", "command"),
            ("hash", "hash of the model"),
            ("parameters", "parameters (SI)"),
            ("set", "set"),
            ("with", "with"),
            ("at", "at"),
        ];
        words.into_iter().filter_map(line).collect()
    }
}

/// A word of a command line, in quotes where a shell would take it apart.
fn quoted(word: &str) -> String {
    let is_plain = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./:=,+@%".contains(c));
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_command_line_can_be_typed_again() {
        assert_eq!(quoted("--for"), "--for");
        assert_eq!(quoted("x' = 1"), "'x'\\'' = 1'");
    }

    #[test]
    fn a_picture_stays_a_picture() {
        let origin = Origin(Map::from_iter([("set".to_owned(), json!(["a<b", "c&d"]))]));
        let svg = origin.in_picture("<svg xmlns=\"x\" width=\"3\"><g/></svg>");
        assert_eq!(
            svg,
            "<svg xmlns=\"x\" width=\"3\"><metadata>{\"set\":[\"a&lt;b\",\"c&amp;d\"]}</metadata><g/></svg>"
        );
    }
}

//! `system "title"`, `source "origin"`, `note "remark"`: what is said about a model in words.
//!
//! JSON: texts: […]

use super::common::*;

/// The strings of `system`, `source` and `note`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The strings, `\"` resolved; at least one.
    pub texts: Vec<String>,
}

pub(super) const SYSTEM: Rule<Text> = Rule {
    keyword: Keyword {
        foreign: &["title", "model"],
        repeats: false,
        ..keyword("system", "system \"Double pendulum\"")
    },
    steps: |_| Vec::new(),
};

pub(super) const SOURCE: Rule<Text> = Rule {
    keyword: Keyword { foreign: &["reference"], repeats: false, ..keyword("source", "source \"Author, Title, page\"") },
    steps: |_| Vec::new(),
};

pub(super) const NOTE: Rule<Text> = Rule {
    keyword: Keyword { foreign: &["comment"], repeats: false, ..keyword("note", "note \"a remark\"") },
    steps: |_| Vec::new(),
};

impl Parts for Text {}

impl Declare for Text {
    fn parse(parser: &mut Parser<'_>) -> Option<Text> {
        let mut texts = vec![parser.cursor.string("a text in quotes")?.0];
        while parser.cursor.peek() == TokenKind::Text {
            texts.push(parser.cursor.string("a text in quotes")?.0);
        }
        Some(Text { texts })
    }

    fn print(&self) -> String {
        let quoted = |text: &String| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        self.texts.iter().map(quoted).collect::<Vec<_>>().join(" ")
    }

    fn to_json(&self) -> Value {
        json!({ "texts": self.texts })
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let text = Text { texts: keys.texts("texts")? };
        Ok(text.print())
    }
}

//! `stop landed when y <= 0`, `record apex when y' = 0`: what ends a run or is noted in it.
//!
//! JSON: name?, when

use super::common::*;

/// `stop name when …`, `record name when …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The name of the event.
    pub name: Option<Name>,
    /// What becomes true.
    pub when: Relation,
}

pub(super) const STOP: Rule<Event> = Rule {
    keyword: Keyword {
        foreign: &["event", "terminate"],
        inner: &["when"],
        ..keyword("stop", "stop landed when y <= 0")
    },
    steps,
};

pub(super) const RECORD: Rule<Event> =
    Rule { keyword: Keyword { inner: &["when"], ..keyword("record", "record apex when y' = 0") }, steps };

fn steps(event: &Event) -> Vec<Step<'_>> {
    let label = event.name.as_ref().map(|name| Step::DeclaresLabel(name, LabelUse::Event, None));
    [Step::Holds(&event.when, Mentions::NOTHING)].into_iter().chain(label).collect()
}

parts!(Event { name, when });

impl Declare for Event {
    fn parse(parser: &mut Parser<'_>) -> Option<Event> {
        let name = match parser.cursor.at_word("when") {
            true => None,
            false => Some(parser.name("`when`, or the name of the event")?),
        };
        parser.word("when", &[])?;
        Some(Event { name, when: parser.event()? })
    }

    fn print(&self) -> String {
        let of = self.name.as_ref().map(|of| name(of) + " ").unwrap_or_default();
        format!("{of}when {}", relation(&self.when))
    }

    fn to_json(&self) -> Value {
        json!({"name": self.name.as_ref().map(name), "when": relation(&self.when)})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let name = if keys.has("name") { keys.name("name")? + " " } else { String::new() };
        Ok(format!("{name}when {}", keys.relation("when")?))
    }
}

//! What is known of an open text? Its lines, what the reader says, its names, and what was found out besides.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anholon::Settings;
use model::{Occurrence, Parsed};
use serde_json::Value;
use syntax::Span;

use crate::insight::Insight;
use crate::place::Lines;

/// An open text.
pub struct Document {
    /// What the editor calls it.
    pub uri: String,
    /// What messages call it: its path.
    pub file: String,
    /// Counted by the editor.
    pub version: i64,
    /// The text.
    pub text: String,
    /// Its lines.
    pub lines: Lines,
    /// What the reader says.
    pub parsed: Parsed,
    /// Its names at their places.
    pub names: Vec<Occurrence>,
    /// What the engine says of this very text, as soon as it has.
    pub insight: Option<Arc<Insight>>,
    /// Somebody works on an insight: the number of the work, and the wish to stop.
    pub busy: Option<(u64, Arc<AtomicBool>)>,
    /// Whether the editor has not yet heard of what is wrong with this text.
    pub is_unheard: bool,
    /// The texts of the files that it uses.
    files: Vec<(String, String)>,
}

impl Document {
    /// A text that was opened; `read` finds the files that it uses.
    pub fn new(uri: &str, version: i64, text: String, read: &mut dyn FnMut(&str) -> Option<String>) -> Document {
        let file = path_of(uri);
        let lines = Lines::new(&text);
        let parsed = model::parse(&file, "");
        let (uri, names, files) = (uri.to_owned(), Vec::new(), Vec::new());
        let (insight, busy, is_unheard) = (None, None, true);
        let mut document =
            Document { uri, file, version, text, lines, parsed, names, insight, busy, is_unheard, files };
        document.read(read);
        document
    }

    /// Takes changes in: each with a range, or the whole text.
    pub fn change(&mut self, version: i64, changes: &[Value], read: &mut dyn FnMut(&str) -> Option<String>) {
        for change in changes {
            let Some(text) = change["text"].as_str() else { continue };
            let range = &change["range"];
            let place = |end: &str| self.lines.read(&self.text, &range[end]);
            match (place("start"), place("end")) {
                (Some(start), Some(end)) => self.text.replace_range(start.min(end)..end.max(start), text),
                _ => text.clone_into(&mut self.text),
            }
            self.lines = Lines::new(&self.text);
        }
        self.version = version;
        self.read(read);
    }

    /// Reads the text anew.
    pub fn read(&mut self, read: &mut dyn FnMut(&str) -> Option<String>) {
        self.files = Settings::new(&self.file, &self.text).gather(read).files;
        self.parsed = model::parse_with(&self.file, &self.text, &self.files);
        self.names = model::occurrences(&self.text);
        self.insight = None;
        self.is_unheard = true;
        self.stop();
    }

    /// Tells who works on an insight that nobody waits for it any more.
    pub fn stop(&self) {
        self.busy.iter().for_each(|(_, stop)| stop.store(true, Ordering::Relaxed));
    }

    /// The text as the engine opens it.
    pub fn settings(&self) -> Settings {
        Settings { files: self.files.clone(), ..Settings::new(&self.file, &self.text) }
    }

    /// Whether it is a model; a file of claims says nothing without one.
    pub fn is_model(&self) -> bool {
        !self.file.ends_with(".claims")
    }

    /// The name at a place: the place behind its last letter counts too.
    pub fn name_at(&self, offset: usize) -> Option<&Occurrence> {
        self.names.iter().find(|one| one.span.start as usize <= offset && offset <= one.span.end as usize)
    }

    /// The places of a name in its space.
    pub fn places<'a>(&'a self, name: &'a Occurrence) -> impl Iterator<Item = &'a Occurrence> {
        self.names.iter().filter(|one| one.name == name.name && one.space == name.space)
    }

    /// The range of a stretch, for the editor.
    pub fn range(&self, span: Span) -> Value {
        self.lines.range(&self.text, span)
    }
}

/// The path that a `file:` address names; of others the address.
pub fn path_of(uri: &str) -> String {
    let Some(path) = uri.strip_prefix("file://") else { return uri.to_owned() };
    let path = path.find('/').map_or(path, |at| &path[at..]);
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, more @ ..] = rest {
        let code = more.get(..2).filter(|_| *first == b'%').and_then(|two| std::str::from_utf8(two).ok());
        match code.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &more[2..];
            }
            None => {
                bytes.push(*first);
                rest = more;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The address of a path.
pub fn uri_of(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~:".contains(&byte);
    let coded =
        path.bytes().map(|byte| if is_plain(byte) { (byte as char).to_string() } else { format!("%{byte:02X}") });
    format!("file://{}", coded.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::{path_of, uri_of};

    #[test]
    fn addresses_become_paths_and_back() {
        assert_eq!(path_of("file:///a%20b/%CE%B8.mech"), "/a b/θ.mech");
        assert_eq!(uri_of("/a b/θ.mech"), "file:///a%20b/%CE%B8.mech");
        assert_eq!(path_of("file://host/a%zz%"), "/a%zz%");
        assert_eq!(path_of("untitled:1"), "untitled:1");
    }
}

//! Which words does the language have? For editors: what completes a line, what is shown in another colour.

use crate::declaration::DECLARATIONS;
use crate::units::unit_names;
use crate::words::FUNCTIONS;

/// A word, and how it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub word: &'static str,
    /// A line or a call that shows its use.
    pub usage: &'static str,
}

/// All words of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    /// The words that begin a line, in the order of the documentation.
    pub keywords: Vec<Word>,
    /// The words inside lines, each once.
    pub inner: Vec<&'static str>,
    /// The functions.
    pub functions: Vec<Word>,
    /// The units.
    pub units: Vec<&'static str>,
}

/// The words of the language.
///
/// ```
/// let words = model::vocabulary();
/// assert!(words.keywords.iter().any(|one| one.word == "param"));
/// assert!(words.inner.contains(&"mass") && words.units.contains(&"kg"));
/// assert!(words.functions.iter().any(|one| one.word == "dot" && one.usage == "dot(v, w)"));
/// ```
pub fn vocabulary() -> Vocabulary {
    let mut inner: Vec<&'static str> = DECLARATIONS.iter().flat_map(|one| one.keyword.inner).copied().collect();
    inner.extend(["for", "in"]);
    inner.sort_unstable();
    inner.dedup();
    let keyword = |one: &crate::declaration::Listed| Word { word: one.keyword.word, usage: one.keyword.usage };
    // where there are several ways to write a call, the first
    let first = |usage: &'static str| usage.split('`').next().unwrap_or(usage);
    Vocabulary {
        keywords: DECLARATIONS.iter().map(keyword).collect(),
        inner,
        functions: FUNCTIONS.iter().map(|&(word, _, usage)| Word { word, usage: first(usage) }).collect(),
        units: unit_names().collect(),
    }
}

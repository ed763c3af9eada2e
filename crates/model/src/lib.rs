//! What does a model file say? Text becomes a [`Model`]: declarations with positions, checked for
//! names, sorts and units, with messages that say what would be right.
//!
//! ```text
//! text → parse → lines → check (names, sorts, dimensions) → Model ─┬→ elaborate → one line for each element
//!                                                                 ├→ with, set → Model
//!                                                                 └→ print, to_json → text
//! ```
//!
//! ```
//! let parsed = model::parse("fall.mech", "\
//! param m = 2 kg, g = 9.81 m/s^2
//! coord y : m
//! point P = (0, y) mass m
//! gravity (0, -g)
//! ");
//! let model = parsed.model.unwrap();
//! assert_eq!(model.lines.len(), 4);
//! assert_eq!(model.symbol("g").unwrap().dimension.as_ref().unwrap().to_string(), "m/s^2");
//!
//! let parsed = model::parse("fall.mech", "cord y : m");
//! assert!(parsed.render().contains("did you mean `coord`"));
//! ```

mod calls;
mod change;
mod check;
mod constant;
mod coordinates;
mod declaration;
mod declare;
mod dimension;
mod elaborate;
mod format;
mod json;
mod kind;
mod moving;
mod names;
mod occurrence;
mod parse;
mod print;
mod quantity;
mod scope;
mod sorts;
mod sources;
mod specify;
mod spelling;
mod steps;
mod table;
mod units;
mod using;
mod vocabulary;
mod walk;
mod words;

use expr::Rational;
use rustc_hash::FxHashMap;
use syntax::{Diagnostic, Node, Severity, Span};

pub use declaration::*;
pub use format::format;
pub use json::{from_json, to_json};
pub use kind::{Kind, Sort};
pub use occurrence::{Occurrence, Space, occurrences};
pub use print::{print, print_line};
pub use quantity::{Names, quantity, range};
pub use sources::Sources;
pub use units::{Dimension, Factor, factor};
pub use using::{parse_with, used};
pub use vocabulary::{Vocabulary, Word, vocabulary};

/// A checked model: everything on its lines has a meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// The texts that it was read from; all places refer to them.
    pub sources: Sources,
    /// The declarations, in their order.
    pub lines: Vec<Line>,
    /// Whether units are used, and so checked.
    pub has_units: bool,
    symbols: Vec<Symbol>,
    by_name: FxHashMap<String, usize>,
    misfits: Vec<(String, String)>,
}

/// A declared name, and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name, without an index.
    pub name: String,
    /// What it was declared as.
    pub kind: Kind,
    /// What it is in an expression; `Zero` or `Any` if that is open.
    pub sort: Sort,
    /// Its dimension; `None` in a model without units, or where it is open.
    pub dimension: Option<Dimension>,
    /// Whether it is a family.
    pub family: bool,
    /// The value of a parameter that is a plain number.
    pub value: Option<Rational>,
    /// Where it is declared first.
    pub span: Span,
}

/// What came of reading a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The model, unless there was an error.
    pub model: Option<Model>,
    /// Errors, warnings and notes, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
    /// The text, to show the places.
    pub sources: Sources,
}

impl Parsed {
    /// All messages as text, with their source lines; empty if there are none.
    pub fn render(&self) -> String {
        self.sources.render_all(&self.diagnostics)
    }
}

impl Model {
    /// What is known of a declared name.
    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.by_name.get(name).map(|at| &self.symbols[*at])
    }

    /// Why a claim cannot be true whatever moves: its terms have different dimensions.
    ///
    /// ```
    /// let text = "coord x : m\npoint P = (x, 0) mass 1 kg\nclaim law: x'' = x";
    /// let model = model::parse("", text).model.unwrap();
    /// assert_eq!(model.misfit("law"), Some("`x''` is in m/s^2, `x` is in m"));
    /// ```
    pub fn misfit(&self, claim: &str) -> Option<&str> {
        self.misfits.iter().find(|(name, _)| name == claim).map(|(_, said)| said.as_str())
    }

    /// All declared names, in the order of their declaration.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }
}

impl Line {
    /// The same line with all places forgotten, to compare what lines say.
    pub fn without_places(&self) -> Line {
        let mut line = self.clone();
        walk::change_spans(&mut line, &|_| Span::default());
        line
    }
}

/// A model file to begin with, with comments that explain it.
pub fn template() -> &'static str {
    include_str!("template.mech")
}

/// The words that a declaration can begin with, in the order of the documentation.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    declaration::keywords()
}

/// Reads a model file; `file_name` is what messages call it.
pub fn parse(file_name: &str, text: &str) -> Parsed {
    parse_with(file_name, text, &[])
}

/// Reads the declarations of a text without looking up a name or a unit.
pub fn read_lines(text: &str) -> Result<Vec<Line>, Vec<Diagnostic>> {
    let syntax = parse::parse(text);
    match syntax.diagnostics.is_empty() {
        true => Ok(syntax.lines),
        false => Err(syntax.diagnostics),
    }
}

/// Checks lines that were read, and makes a model of them if nothing is wrong.
fn checked(
    sources: Sources,
    mut lines: Vec<Line>,
    broken: &[(String, Span)],
    mut diagnostics: Vec<Diagnostic>,
) -> Parsed {
    using::resolve(&mut lines);
    let check::Checked { scope, diagnostics: found, misfits } = check::check(&lines, broken, &sources);
    diagnostics.extend(found);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    let has_units = scope.units;
    let sound = diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error);
    if sound && !has_units {
        diagnostics.extend(no_units(&lines));
    }
    let symbols = scope.names().map(|(name, entry)| Symbol {
        name: name.to_owned(),
        kind: entry.kind,
        sort: entry.sort,
        dimension: entry.dimension.clone().filter(|_| has_units),
        family: entry.elements.is_some(),
        value: entry.value.clone(),
        span: entry.span,
    });
    let symbols: Vec<Symbol> = symbols.collect();
    let by_name = symbols.iter().enumerate().map(|(at, symbol)| (symbol.name.clone(), at)).collect();
    let model = sound.then(|| Model { sources: sources.clone(), lines, has_units, symbols, by_name, misfits });
    Parsed { model, diagnostics, sources }
}

/// The note that a model without any unit is not checked for units.
fn no_units(lines: &[Line]) -> Option<Diagnostic> {
    let first = lines.iter().find(|line| !line.declaration.declared().is_empty())?;
    let note = Diagnostic::error(first.span, "this model names no unit, so dimensions are not checked");
    let note = note.severity(Severity::Note);
    Some(note.hint("give units where values are, as in `param m = 2 kg` and `coord x : m`"))
}

/// The text of an expression, short enough for a message.
fn text_of(node: &Node) -> String {
    const MOST: usize = 48;
    let text = syntax::format(node);
    match text.char_indices().nth(MOST) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}

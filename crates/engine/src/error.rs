//! What is wrong with a question, and which of its fields is at fault?
//!
//! An error is data: notices with a severity, a message, hints and a place. Its [`Display`](fmt::Display) is a text for
//! people. Texts here, and the notes and reasons of answers, never name a flag of the command line or an argument of
//! another language. They name a field of the question by a mark, and each shell spells it:
//!
//! ```
//! use engine::error::{Field, spelled};
//!
//! let hint = format!("give a value, as in `{}`", Field::Set.asked("l=0.5"));
//! assert_eq!(hint, "give a value, as in `⟨set l=0.5⟩`");
//! let flags = |field: Field, text: &str| format!("--{} {text}", field.name());
//! assert_eq!(spelled(&hint, &flags), "give a value, as in `--set l=0.5`");
//! ```

use std::fmt;

use model::Sources;
use syntax::{Diagnostic, Source};

pub use syntax::Severity;

/// What was wrong with a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What is wrong, at least one notice.
    pub diagnostics: Vec<Notice>,
    /// The field of the question that is at fault, where that is known.
    pub field: Option<Field>,
}

/// Something to tell the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, without a full stop.
    pub message: String,
    /// What would be right.
    pub hints: Vec<String>,
    /// Where, if it is about a place in a text.
    pub place: Option<Where>,
}

/// A place in a text, for people: line and column count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Where {
    /// The name of the text: a file, or the mark of the field that the text was given in.
    pub file: String,
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
    /// The text of the line.
    pub source: String,
    /// What to say at the marked place; may be empty.
    pub label: String,
    /// The place as it is shown: where it is, the line, and marks beneath it.
    pub excerpt: String,
}

impl Error {
    /// An error without a place. If its message names a field, that one is at fault.
    ///
    /// ```
    /// let error = engine::Error::new("there is no form `kan`").hint("did you mean `kane`?");
    /// assert_eq!(error.to_string(), "error: there is no form `kan`\nhint: did you mean `kane`?");
    /// ```
    pub fn new(message: impl fmt::Display) -> Error {
        let message = message.to_string();
        let field = first_field(&message);
        let notice = Notice { severity: Severity::Error, message, hints: Vec::new(), place: None };
        Error { diagnostics: vec![notice], field }
    }

    /// Adds what would be right.
    pub fn hint(mut self, hint: impl Into<String>) -> Error {
        if let Some(last) = self.diagnostics.last_mut() {
            last.hints.push(hint.into());
        }
        self
    }

    /// Says which field is at fault.
    pub fn of(self, field: Field) -> Error {
        Error { field: Some(field), ..self }
    }

    /// What is wrong with a model, with the lines of its texts. The text of the first place is at fault.
    pub fn of_model(sources: &Sources, diagnostics: &[Diagnostic]) -> Error {
        let notices = diagnostics.iter().map(|diagnostic| {
            let (source, span) = sources.local(diagnostic.span);
            Notice::new(&Diagnostic { span, ..diagnostic.clone() }, &source)
        });
        let field = diagnostics.first().map(|first| {
            let text_of = if sources.is_first(first.span) { Field::Model } else { Field::With };
            first_field(sources.name_of(first.span)).unwrap_or(text_of)
        });
        Error { diagnostics: notices.collect(), field }
    }

    /// What is wrong with one text.
    pub fn of_text(file: &str, text: &str, diagnostics: &[Diagnostic]) -> Error {
        Error::of_model(&Sources::new(file, text), diagnostics)
    }

    /// The first message, without hints and place.
    pub fn message(&self) -> &str {
        self.diagnostics.first().map_or("", |notice| &notice.message)
    }
}

impl Notice {
    fn new(diagnostic: &Diagnostic, source: &Source<'_>) -> Notice {
        let position = source.position(diagnostic.span.start);
        let place = Where {
            file: source.name.to_owned(),
            line: position.line,
            column: position.column,
            source: source.line(position.line).to_owned(),
            label: diagnostic.label.clone(),
            excerpt: diagnostic.excerpt(source),
        };
        let (severity, message) = (diagnostic.severity, diagnostic.message.clone());
        Notice { severity, message, hints: diagnostic.hint.iter().cloned().collect(), place: Some(place) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.diagnostics.iter().map(Notice::to_string).collect();
        let text = texts.join("\n");
        // a bare expression is one line, not a file: its errors end without a line end
        f.write_str(if self.field == Some(Field::Expression) { text.trim_end() } else { &text })
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Notice {
    /// In the layout of `syntax::Diagnostic`: with a place, the text ends with a line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = vec![format!("{}: {}", self.severity.word(), self.message)];
        lines.extend(self.place.iter().map(|place| place.excerpt.clone()));
        lines.extend(self.hints.iter().map(|hint| format!("hint: {hint}")));
        match self.place {
            None => f.write_str(&lines.join("\n")),
            Some(_) => lines.iter().try_for_each(|line| writeln!(f, "{}", line.trim_end())),
        }
    }
}

macro_rules! fields {
    ($($(#[$says:meta])* $field:ident $name:literal,)*) => {
        /// A field of a question, or of the settings of a model.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Field { $($(#[$says])* $field,)* }

        impl Field {
            /// All of them.
            pub const ALL: &[Field] = &[$(Field::$field,)*];

            /// The name, as in the structs of questions.
            pub const fn name(self) -> &'static str {
                match self { $(Field::$field => $name,)* }
            }
        }
    };
}

fields! {
    /// The text of the model.
    Model "model",
    /// Texts that add declarations.
    With "with",
    /// Other values.
    Set "set",
    /// A state in place of the start.
    At "at",
    /// What random points follow from.
    Seed "seed",
    /// What a check shows besides.
    Show "show",
    /// One form of the equations.
    Form "form",
    /// Equations in rates although there are speeds.
    Rates "rates",
    /// The forms that are compared.
    Forms "forms",
    /// A certificate.
    Certificate "certificate",
    /// Claims to audit.
    Claims "claims",
    /// How long a motion lasts.
    Duration "duration",
    /// A file from which a motion goes on.
    Resume "resume",
    /// A file that keeps what is needed for that.
    Checkpoint "checkpoint",
    /// How long a motion runs backwards.
    Back "back",
    /// The instants at which the state is wanted.
    Times "times",
    /// The time from one state that is wanted to the next.
    Every "every",
    /// The relative tolerance.
    Tolerance "tolerance",
    /// The method of integration.
    Method "method",
    /// A fixed step.
    Step "step",
    /// A chart of columns.
    Plot "plot",
    /// The columns of a chart.
    Columns "columns",
    /// Values that a steady motion has.
    Steady "steady",
    /// The period of a motion.
    Periodic "periodic",
    /// The coordinates of linear equations.
    Coordinates "coordinates",
    /// Parameters that stay symbols.
    Symbolic "symbolic",
    /// A range along which eigenvalues are wanted.
    Sweep "sweep",
    /// What is varied from point to point.
    Vary "vary",
    /// What the stability changes with.
    Critical "critical",
    /// The number of values in a range.
    Points "points",
    /// The inputs of linear equations.
    Inputs "inputs",
    /// What is measured.
    Outputs "outputs",
    /// Ranges of coordinates.
    Within "within",
    /// A place near which an equilibrium is looked for.
    Near "near",
    /// Coordinates that turn steadily.
    Relative "relative",
    /// Loads that are looked for.
    Solve "solve",
    /// Expressions that may be constant.
    Candidates "candidates",
    /// The language that a model is exported to.
    Target "target",
    /// What is exported.
    What "what",
    /// Whether parameters are arguments of exported code.
    Parameters "parameters",
    /// The expression that is worked on.
    Expression "expression",
    /// The symbol of a derivative.
    Symbol "symbol",
}

/// A mark begins and ends with these. A bracket that is not followed by the name of a field is no mark.
const BRACKETS: (char, char) = ('⟨', '⟩');

impl Field {
    /// The mark of this field with a text that could be given in it.
    pub fn asked(self, text: impl fmt::Display) -> String {
        format!("{}{} {text}{}", BRACKETS.0, self.name(), BRACKETS.1)
    }

    fn named(name: &str) -> Option<Field> {
        Field::ALL.iter().copied().find(|field| field.name() == name)
    }
}

impl fmt::Display for Field {
    /// The mark of this field.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", BRACKETS.0, self.name(), BRACKETS.1)
    }
}

/// A text with its marks replaced by what a shell calls each field, with the text that stands in the mark or "".
pub fn spelled(text: &str, spell: &dyn Fn(Field, &str) -> String) -> String {
    let (mut done, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, after)) = rest.split_once(BRACKETS.0) {
        done.push_str(before);
        match mark(after) {
            Some((field, example, next)) => {
                done.push_str(&spell(field, example));
                rest = next;
            }
            None => {
                done.push(BRACKETS.0);
                rest = after;
            }
        }
    }
    done + rest
}

/// The mark whose opening bracket stands before a text, and what follows it.
fn mark(text: &str) -> Option<(Field, &str, &str)> {
    let (inside, next) = text.split_once(BRACKETS.1)?;
    let (name, example) = inside.split_once(' ').unwrap_or((inside, ""));
    Some((Field::named(name)?, example, next))
}

/// The field of the first mark in a text.
fn first_field(text: &str) -> Option<Field> {
    text.split(BRACKETS.0).skip(1).find_map(mark).map(|(field, ..)| field)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(text: &str) -> String {
        spelled(text, &|field, example| match example {
            "" => format!("--{}", field.name()),
            _ => format!("--{} {example}", field.name()),
        })
    }

    #[test]
    fn marks_are_spelled_and_other_brackets_stay() {
        let set = Field::Set.asked("\"x'=2\"");
        assert_eq!(flags(&format!("a `{}` b `{set}`", Field::With)), "a `--with` b `--set \"x'=2\"`");
        for text in ["", "⟨", "⟩⟨", "⟨ set⟩", "⟨u, v⟩ is a product", "⟨settle⟩"] {
            assert_eq!(flags(text), text);
        }
        assert_eq!(flags("⟨⟨set⟩"), "⟨--set");
    }

    #[test]
    fn every_field_is_found_by_its_name_alone() {
        for &field in Field::ALL {
            assert_eq!(first_field(&format!("x {field}")), Some(field));
        }
    }

    #[test]
    fn the_field_at_fault_is_the_one_that_the_message_names() {
        let error = Error::new(format!("`{}`: no range", Field::Within)).hint(format!("`{}`", Field::Near));
        assert_eq!(error.field, Some(Field::Within));
        assert_eq!(error.clone().of(Field::Near).field, Some(Field::Near));
        assert_eq!(Error::new("no").hint("see ⟨set⟩").field, None);
    }

    #[test]
    fn errors_of_a_model_say_where_and_look_like_those_of_the_model() {
        let parsed = model::parse("a.mech", "coord x : m\nforce (F, 0) on P\n");
        let error = Error::of_model(&parsed.sources, &parsed.diagnostics);
        assert_eq!(error.to_string(), parsed.render());
        let place = error.diagnostics[0].place.as_ref().unwrap();
        assert_eq!((place.file.as_str(), place.line, place.source.as_str()), ("a.mech", 2, "force (F, 0) on P"));
        assert_eq!(error.field, Some(Field::Model));
    }
}

//! What can a model say? The list of declarations; each kind of line has a file of its own.
//!
//! A file in `declaration/` holds all that is particular to its lines: their data, how they are read,
//! printed and sent as JSON (the trait [`Declare`]), the parts that they have ([`Parts`]), and for each
//! keyword a [`Rule`] with its words, what it makes known and what its parts must be. Of the list below
//! a macro makes the type [`Declaration`] and the table [`DECLARATIONS`]. Parser, printer, formatter,
//! JSON, checker, hints and lists of words read these two and name no declaration themselves.
//!
//! A [`Model`](crate::Model) is a list of [`Line`]s in the order in which they were written.
//! Expressions stay trees of the crate `syntax`; a line with `for` is kept as one line with its ranges.

mod abbreviation;
mod assume;
mod body;
mod constraint;
mod contact;
mod coord;
mod damper;
mod definition;
mod dependent;
mod drawing;
mod equations;
mod event;
mod first_order;
mod force;
mod frame;
mod function;
mod generalized_force;
mod input;
mod inverse;
mod joint;
mod param;
mod point;
mod quantity;
mod rod;
mod solid;
mod spring;
mod statement;
mod surface;
mod table;
mod text;
mod torque;
mod unknown;
mod using;

use serde_json::Value;
use syntax::{Diagnostic, Node, Range, Span};

use crate::elaborate::{Expansion, Fixed};
use crate::json::{Keys, Written};
use crate::parse::Parser;
use crate::steps::Step;
use crate::walk::Parts;

pub use abbreviation::Let;
pub use assume::Assume;
pub use body::Body;
pub use constraint::Constraint;
pub use contact::{Contact, Motion, Shape, ShapeKind};
pub use coord::{Coord, Family};
pub use damper::Damper;
pub use definition::Definition;
pub use dependent::Dependent;
pub use drawing::Drawing;
pub use equations::{Equations, Impulse};
pub use event::Event;
pub use first_order::{FirstOrder, Rate};
pub use force::Force;
pub use frame::{Frame, Orientation, Turn, TurnAxis};
pub use function::Function;
pub use generalized_force::GeneralizedForce;
pub use input::Input;
pub use inverse::Inverse;
pub use joint::{Joint, JointMotion};
pub use param::Param;
pub use point::Point;
pub use quantity::Quantity;
pub use rod::Rod;
pub use solid::{Solid, SolidKind};
pub use spring::Spring;
pub use statement::{At, Fact, Stability, Statement};
pub use surface::Surface;
pub use table::Table;
pub use text::Text;
pub use torque::Torque;
pub use unknown::Unknown;
pub use using::Use;

/// Makes of the list of declarations their type and their table.
macro_rules! declarations {
    ($($variant:ident($data:ident) = $file:ident::$rule:ident,)*) => {
        /// One declaration, by keyword.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Declaration {
            $(#[doc = concat!("A line of the kind [`", stringify!($data), "`].")] $variant($data),)*
        }

        /// All declarations, in the order of the documentation.
        pub(crate) static DECLARATIONS: &[Listed] = &[$(Listed {
            keyword: $file::$rule.keyword,
            parse: |parser| Some(Declaration::$variant(Declare::parse(parser)?)),
            from_json: <$data as Declare>::from_json,
        },)*];

        impl Declaration {
            /// The word that the line begins with.
            pub fn keyword(&self) -> &'static str {
                match self {
                    $(Declaration::$variant(_) => $file::$rule.keyword.word,)*
                }
            }

            /// What follows the keyword.
            pub(crate) fn data(&self) -> &dyn Declare {
                match self {
                    $(Declaration::$variant(data) => data,)*
                }
            }

            /// What follows the keyword, to change it.
            pub(crate) fn data_mut(&mut self) -> &mut dyn Declare {
                match self {
                    $(Declaration::$variant(data) => data,)*
                }
            }

            /// What the line makes known and what its parts must be, in the order of reading.
            pub(crate) fn steps(&self) -> Vec<Step<'_>> {
                match self {
                    $(Declaration::$variant(data) => ($file::$rule.steps)(data),)*
                }
            }
        }
    };
}

declarations! {
    System(Text) = text::SYSTEM,
    Source(Text) = text::SOURCE,
    Note(Text) = text::NOTE,
    Use(Use) = using::USE,
    Param(Param) = param::PARAM,
    Coord(Coord) = coord::COORD,
    Speed(Definition) = definition::SPEED,
    Inverse(Inverse) = inverse::INVERSE,
    Dependent(Dependent) = dependent::DEPENDENT,
    Let(Let) = abbreviation::LET,
    Table(Table) = table::TABLE,
    Function(Function) = function::FUNCTION,
    Observe(Definition) = definition::OBSERVE,
    Input(Input) = input::INPUT,
    State(FirstOrder) = first_order::STATE,
    Rate(Rate) = first_order::RATE,
    Unknown(Unknown) = unknown::UNKNOWN,
    Frame(Frame) = frame::FRAME,
    Point(Point) = point::POINT,
    Body(Body) = body::BODY,
    Rod(Rod) = rod::ROD,
    Shape(Drawing) = drawing::SHAPE,
    Gravity(Quantity) = quantity::GRAVITY,
    Potential(Quantity) = quantity::POTENTIAL,
    Kinetic(Quantity) = quantity::KINETIC,
    Dissipation(Quantity) = quantity::DISSIPATION,
    Force(Force) = force::FORCE,
    Torque(Torque) = torque::TORQUE,
    GeneralizedForce(GeneralizedForce) = generalized_force::GENERALIZED,
    Spring(Spring) = spring::SPRING,
    Damper(Damper) = damper::DAMPER,
    Constraint(Constraint) = constraint::CONSTRAINT,
    Joint(Joint) = joint::JOINT,
    Contact(Contact) = contact::CONTACT,
    Friction(Surface) = surface::FRICTION,
    Restitution(Surface) = surface::RESTITUTION,
    Assume(Assume) = assume::ASSUME,
    Stop(Event) = event::STOP,
    Record(Event) = event::RECORD,
    Start(Equations) = equations::START,
    Guess(Equations) = equations::GUESS,
    Expect(Statement) = statement::EXPECT,
    Claim(Statement) = statement::CLAIM,
}

impl Declaration {
    /// The names that the line makes known, with their places.
    pub(crate) fn declared(&self) -> Vec<(&str, Span)> {
        let steps = self.steps().into_iter();
        let name = |step| match step {
            Step::Defines(name, ..) | Step::Declares(name, ..) => Some((name.name.as_str(), name.span)),
            Step::Own(name, _) => name,
            _ => None,
        };
        steps.filter_map(name).collect()
    }

    /// The label that the line makes known.
    pub(crate) fn label(&self) -> Option<&str> {
        self.steps().into_iter().find_map(|step| match step {
            Step::DeclaresLabel(label, ..) => Some(label.name.as_str()),
            _ => None,
        })
    }
}

/// How a kind of line is written, in text and in JSON.
pub(crate) trait Declare: Parts {
    /// Reads what follows the keyword; `None` if that cannot be, after the parser was told why.
    fn parse(parser: &mut Parser<'_>) -> Option<Self>
    where
        Self: Sized;

    /// Writes what follows the keyword, in canonical form.
    fn print(&self) -> String;

    /// An object with its keys; `null` stands for what is not there.
    fn to_json(&self) -> Value;

    /// Takes the keys that [`Declare::to_json`] writes, and writes what follows the keyword.
    fn from_json(keys: &mut Keys<'_>) -> Written
    where
        Self: Sized;

    /// Writes families out element by element, as far as they are no names with an index: those are
    /// written out for every declaration.
    fn elaborate(&mut self, _: &mut Expansion<'_>, _: &Fixed) -> Result<(), Diagnostic> {
        Ok(())
    }

    /// The brackets outside expressions that follow a word without a blank.
    fn brackets(&self) -> Vec<Bracket> {
        Vec::new()
    }
}

/// A bracket that follows a word without a blank.
pub(crate) enum Bracket {
    /// The word begins here.
    After(u32),
    /// The bracket itself stands here.
    At(u32),
}

/// What a keyword asks of its lines.
pub(crate) struct Rule<T> {
    pub keyword: Keyword,
    /// What a line makes known and what its parts must be, in the order of reading.
    pub steps: fn(&T) -> Vec<Step<'_>>,
}

/// A keyword and the words that belong to it.
pub(crate) struct Keyword {
    /// The word that the line begins with.
    pub word: &'static str,
    /// A line with this keyword.
    pub usage: &'static str,
    /// What people write for the keyword.
    pub foreign: &'static [&'static str],
    /// The words that stand inside the line.
    pub inner: &'static [&'static str],
    /// Whether a name and a colon follow the keyword.
    pub has_label: bool,
    /// Whether `for` can repeat the line.
    pub repeats: bool,
    /// What to say of a name that stands where the line should end, if there is more to say than
    /// that; the place is that of the word before it and of the name.
    pub stray: fn(Span) -> Option<Diagnostic>,
}

/// A keyword with nothing particular about it.
const fn keyword(word: &'static str, usage: &'static str) -> Keyword {
    Keyword { word, usage, foreign: &[], inner: &[], has_label: false, repeats: true, stray: |_| None }
}

/// What the list knows of a keyword, whatever data its lines hold.
pub(crate) struct Listed {
    pub keyword: Keyword,
    /// Reads a declaration whose keyword was read.
    pub parse: fn(&mut Parser<'_>) -> Option<Declaration>,
    /// Writes what follows the keyword.
    pub from_json: fn(&mut Keys<'_>) -> Written,
}

/// The declaration of a keyword.
pub(crate) fn listed(word: &str) -> Option<&'static Listed> {
    DECLARATIONS.iter().find(|listed| listed.keyword.word == word)
}

/// All keywords, in the order of the documentation.
pub(crate) fn keywords() -> impl Iterator<Item = &'static str> {
    DECLARATIONS.iter().map(|listed| listed.keyword.word)
}

/// How a line with this keyword looks.
pub(crate) fn usage(word: &str) -> Option<&'static str> {
    listed(word).map(|listed| listed.keyword.usage)
}

/// Whether a word stands inside some declaration.
pub(crate) fn is_inner(word: &str) -> bool {
    let of_every_line = ["for", "in"];
    of_every_line.contains(&word) || DECLARATIONS.iter().any(|listed| listed.keyword.inner.contains(&word))
}

/// A declaration with the ranges after `for`, if any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What is declared.
    pub declaration: Declaration,
    /// `for i in 1..n`: the declaration holds once for each value.
    pub ranges: Vec<Range>,
    /// Where the line stands, from its keyword to its last word.
    pub span: Span,
}

/// `x`, or `a[i-1]`, where a name is declared or meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name without its index.
    pub name: String,
    /// The index in square brackets.
    pub index: Option<Node>,
    /// Where it stands.
    pub span: Span,
}

/// What the files of the declarations use.
mod common {
    pub(super) use serde_json::{Value, json};
    pub(super) use syntax::{Diagnostic, Node, NodeKind, Relation, Span, TokenKind, Unit};

    pub(super) use super::{Bracket, Declare, Keyword, Name, Rule, keyword};
    pub(super) use crate::check::Checker;
    pub(super) use crate::json::{
        Keys, Written, all, read_expression, read_name, read_rate, read_relation, without_null,
    };
    pub(super) use crate::kind::{Kind, Mentions};
    pub(super) use crate::parse::{Parser, complete};
    pub(super) use crate::print::{list, name, node, optional, relation, unit};
    pub(super) use crate::scope::LabelUse;
    pub(super) use crate::steps::*;
    pub(super) use crate::walk::{Parts, parts};
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each example of the list is read, printed and sent as JSON under its keyword, unchanged.
    #[test]
    fn examples_are_lines_in_canonical_form() {
        for Listed { keyword: Keyword { word, usage, .. }, from_json, .. } in DECLARATIONS {
            let lines = crate::read_lines(usage).unwrap_or_else(|errors| panic!("{usage}: {errors:?}"));
            let declaration = &lines[0].declaration;
            assert_eq!(declaration.keyword(), *word);
            assert_eq!(crate::print_line(&lines[0]), *usage);
            assert_eq!(crate::format(usage).unwrap().trim_end(), *usage);
            let json = declaration.data().to_json();
            let text = from_json(&mut Keys::of(&json).unwrap()).unwrap();
            assert_eq!(format!("{word} {text}"), *usage);
        }
    }

    #[test]
    fn words_mean_one_declaration() {
        let foreign = DECLARATIONS.iter().flat_map(|listed| listed.keyword.foreign).copied();
        let mut words: Vec<&str> = keywords().chain(foreign).collect();
        let count = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), count);
    }
}

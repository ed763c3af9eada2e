//! What does this text say, and where? Text becomes tokens and trees; every part knows its place.
//!
//! ```text
//! text → lex → tokens → Cursor → Node ──→ format → text
//!                          └→ Diagnostic → render → message with the line and the place
//! ```
//!
//! Nothing here knows what a name means. The symbolic kernel reads single expressions with
//! [`parse_expression`]; the model language walks its lines with a [`Cursor`] of its own.
//!
//! ```
//! let tree = syntax::parse_expression("-x^2 + 9.81 m/s^2*h").unwrap();
//! assert_eq!(syntax::format(&tree), "-x^2 + 9.81 m/s^2*h");
//!
//! let errors = syntax::parse_expression("2 x").unwrap_err();
//! assert_eq!(errors[0].hint.as_deref(), Some("write `2*x` for a product"));
//! ```

mod complaint;
mod cursor;
mod diagnostic;
mod format;
mod parse;
mod source;
mod spelling;
mod token;
mod tree;
mod unit;

pub use cursor::Cursor;
pub use diagnostic::{Diagnostic, Severity};
pub use format::{format, format_relation, format_unit};
pub use parse::{DEEPEST, parse_expression, parse_relation, parse_unit};
pub use source::{Position, Source, Span};
pub use spelling::nearest;
pub use token::{Token, TokenKind, Tokens, lex};
pub use tree::{Arguments, Axis, Comparison, Node, NodeKind, Range, Relation, Scale, Sign, Unit, UnitFactor};
pub use unit::{UNITS, alias as unit_meant};

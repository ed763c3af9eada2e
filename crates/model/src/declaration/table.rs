//! `table mu(v) = "friction.csv"`: a function by its values.
//!
//! JSON: name, argument, file

use super::common::*;

/// `table mu(v) = "friction.csv"`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The function.
    pub name: Name,
    /// Its argument.
    pub argument: Name,
    /// The file.
    pub file: String,
    /// Where it is named.
    pub place: Span,
}

pub(super) const TABLE: Rule<Table> = Rule {
    keyword: Keyword {
        foreign: &["lookup", "interpolate"],
        repeats: false,
        ..keyword("table", "table mu(v) = \"friction.csv\"")
    },
    // a function has taken its place when a model is checked
    steps: |table| vec![Step::Own(Some((table.name.name.as_str(), table.name.span)), Box::new(|_| {}))],
};

parts!(Table { name, argument, place });

impl Declare for Table {
    fn parse(parser: &mut Parser<'_>) -> Option<Table> {
        let (name, span) = parser.cursor.name("the name of the function")?;
        let name = Name { name, index: None, span };
        parser.cursor.expect(TokenKind::OpenParen, "`(` and the name of its argument")?;
        let (argument, span) = parser.cursor.name("the name of its argument")?;
        let argument = Name { name: argument, index: None, span };
        parser.cursor.expect(TokenKind::CloseParen, "`)`: a table has one argument")?;
        parser.cursor.expect(TokenKind::Equal, "`=` and the file in quotes")?;
        let (file, place) = parser.cursor.string("the file in quotes")?;
        Some(Table { name, argument, file, place })
    }

    fn print(&self) -> String {
        let file = self.file.replace('\\', "\\\\").replace('"', "\\\"");
        format!("{}({}) = \"{file}\"", name(&self.name), name(&self.argument))
    }

    fn to_json(&self) -> Value {
        json!({"name": name(&self.name), "argument": name(&self.argument), "file": self.file})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let (name, argument) = (keys.name("name")?, keys.name("argument")?);
        let file = keys.string("file")?.replace('\\', "\\\\").replace('"', "\\\"");
        Ok(format!("{name}({argument}) = \"{file}\""))
    }

    fn brackets(&self) -> Vec<Bracket> {
        vec![Bracket::After(self.name.span.start)]
    }
}

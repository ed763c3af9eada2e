//! `use "wheel.mech" as front with r = 0.35 m`: the declarations of another file, under names of their own.
//!
//! JSON: file, name, with: [{name, value}]?

use super::Definition;
use super::common::*;

/// `use "wheel.mech" as front with r = 0.35 m`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The file.
    pub file: String,
    /// Where it is named.
    pub place: Span,
    /// What stands before the names of the part.
    pub name: Name,
    /// Other values of its parameters.
    pub with: Vec<Definition>,
}

pub(super) const USE: Rule<Use> = Rule {
    keyword: Keyword {
        foreign: &["import", "include"],
        inner: &["as", "with"],
        ..keyword("use", "use \"wheel.mech\" as front with r = 0.35 m")
    },
    // its declarations have taken its place when a model is checked
    steps: |_| Vec::new(),
};

parts!(Use { place, name, with });

impl Declare for Use {
    fn parse(parser: &mut Parser<'_>) -> Option<Use> {
        let (file, place) = parser.cursor.string("the file in quotes, as in `use \"wheel.mech\" as front`")?;
        parser.word("as", &[])?;
        let name = parser.name("the name of the part")?;
        let mut with = Vec::new();
        if parser.cursor.eat_word("with").is_some() {
            with = parser.list(|parser| {
                let name = parser.name("the name of a parameter of the part")?;
                parser.cursor.expect(TokenKind::Equal, "`=` and its value")?;
                Some(Definition { name, value: parser.cursor.expression()? })
            })?;
        }
        parser.end_unless_for(&["with", "for"])?;
        Some(Use { file, place, name, with })
    }

    fn print(&self) -> String {
        let with = match self.with.is_empty() {
            true => String::new(),
            false => format!(" with {}", list(&self.with, |one| format!("{} = {}", name(&one.name), node(&one.value)))),
        };
        let file = self.file.replace('\\', "\\\\").replace('"', "\\\"");
        format!("\"{file}\" as {}{with}", name(&self.name))
    }

    fn to_json(&self) -> Value {
        let pair = |one: &Definition| json!({"name": name(&one.name), "value": node(&one.value)});
        let with = (!self.with.is_empty()).then(|| self.with.iter().map(pair).collect::<Vec<_>>());
        json!({"file": self.file, "name": name(&self.name), "with": with})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let file = keys.string("file")?.replace('\\', "\\\\").replace('"', "\\\"");
        let name = keys.name("name")?;
        let with = match keys.has("with") {
            true => {
                let pair = |keys: &mut Keys<'_>| Ok(format!("{} = {}", keys.name("name")?, keys.expression("value")?));
                format!(" with {}", keys.objects("with", pair)?.join(", "))
            }
            false => String::new(),
        };
        Ok(format!("\"{file}\" as {name}{with}"))
    }
}

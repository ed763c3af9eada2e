//! `let r = sqrt(x^2 + y^2)`, `let f(a, b) = a*b`: a short name for an expression, or a function.
//!
//! JSON: name, arguments?: […], value

use super::common::*;
use crate::kind::Sort;
use crate::scope::{Entry, Function, Local};
use crate::words::taken;

/// `let r = …`, or `let f(a, b) = …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Let {
    /// The name.
    pub name: Name,
    /// The arguments, if it has any; then the name has no index.
    pub arguments: Vec<Name>,
    /// What it stands for.
    pub value: Node,
}

pub(super) const LET: Rule<Let> = Rule {
    keyword: Keyword { foreign: &["define", "def"], ..keyword("let", "let r = sqrt(x^2 + y^2)") },
    steps: |of| match of.arguments.is_empty() {
        true => vec![Step::Defines(&of.name, Kind::Abbreviation, either(&of.value, WHAT, Mentions::NOTHING))],
        false => {
            let name = (of.name.name.as_str(), of.name.span);
            vec![Step::Own(Some(name), Box::new(|checker| defines_function(checker, of)))]
        }
    },
};

const WHAT: &str = "an abbreviation";

parts!(Let { name, arguments, value });

impl Declare for Let {
    fn parse(parser: &mut Parser<'_>) -> Option<Let> {
        let name = parser.name("the name of the abbreviation")?;
        let mut arguments = Vec::new();
        if parser.cursor.peek() == TokenKind::OpenParen && name.index.is_none() {
            parser.cursor.bump();
            arguments = parser.list(|parser| {
                let (name, span) = parser.cursor.name("the name of an argument")?;
                Some(Name { name, index: None, span })
            })?;
            parser.cursor.expect(TokenKind::CloseParen, "`,` or `)`")?;
        }
        parser.cursor.expect(TokenKind::Equal, "`=`")?;
        Some(Let { name, arguments, value: parser.cursor.expression()? })
    }

    fn print(&self) -> String {
        let arguments = match self.arguments.is_empty() {
            true => String::new(),
            false => format!("({})", list(&self.arguments, name)),
        };
        format!("{}{arguments} = {}", name(&self.name), node(&self.value))
    }

    fn to_json(&self) -> Value {
        let arguments = (!self.arguments.is_empty()).then(|| all(&self.arguments, name));
        json!({"name": name(&self.name), "arguments": arguments, "value": node(&self.value)})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let name = keys.name("name")?;
        let arguments = match keys.has("arguments") {
            true => format!("({})", keys.list("arguments", read_name)?),
            false => String::new(),
        };
        Ok(format!("{name}{arguments} = {}", keys.expression("value")?))
    }

    fn brackets(&self) -> Vec<Bracket> {
        vec![Bracket::After(self.name.span.start)]
    }
}

/// Makes a `let` with arguments known; its body is checked with arguments that may be anything.
fn defines_function(checker: &mut Checker<'_>, function: &Let) {
    check_arguments(checker, &function.arguments);
    checker.covers_ranges(&function.name.name, None, function.name.span);
    let count = checker.scope.locals.len();
    for argument in &function.arguments {
        checker.scope.locals.push(Local::Argument(argument.name.clone(), Sort::Any, Mentions::NOTHING, None));
    }
    let before = checker.troubles();
    checker.meaning(&function.value);
    if checker.troubles() == before && checker.scope.units {
        checker.measure(&function.value);
    }
    checker.scope.locals.truncate(count);
    if !checker.is_free(&function.name.name, function.name.span, None) {
        return;
    }
    let arguments = function.arguments.iter().map(|argument| argument.name.clone()).collect();
    let body = Function { arguments, body: function.value.clone() };
    let sound = checker.troubles() == before;
    let kind = if sound { Kind::Abbreviation } else { Kind::Broken };
    let entry = Entry::new(kind, function.name.span);
    checker.scope.insert(&function.name.name, Entry { function: sound.then(|| body.into()), ..entry });
}

/// Complains of arguments whose names are taken.
fn check_arguments(checker: &mut Checker<'_>, arguments: &[Name]) {
    let mut names: Vec<&str> = Vec::new();
    for Name { name, span, .. } in arguments {
        if let Some(meaning) = taken(name) {
            let error = Diagnostic::error(*span, format!("`{name}` cannot be an argument: it is {meaning}"));
            checker.report(error.hint("choose another name"));
        } else if names.contains(&name.as_str()) {
            checker.report(Diagnostic::error(*span, format!("two arguments are called `{name}`")));
        }
        names.push(name);
    }
}

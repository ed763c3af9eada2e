//! `param m = 1.3 kg, l = 0.8 m`, or `param F, G : N`: constants.
//!
//! JSON: values: [{name, value}], or names: […], unit

use super::common::*;
use super::definition::Definition;

/// The constants of one `param` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Param {
    /// `m = 1.3 kg, l = 0.8 m`
    Values(Vec<Definition>),
    /// `F, G : N`: a unit and no value.
    Unit {
        /// The names.
        names: Vec<Name>,
        /// Their unit.
        unit: Unit,
    },
}

pub(super) const PARAM: Rule<Param> = Rule {
    keyword: Keyword {
        foreign: &["parameter", "parameters", "params", "const", "constant"],
        ..keyword("param", "param m = 1.3 kg, l = 0.8 m")
    },
    steps: |param| match param {
        Param::Values(values) => values.iter().map(defines).collect(),
        Param::Unit { names, unit } => {
            names.iter().map(|name| Step::Declares(name, Kind::Parameter, Some(unit))).collect()
        }
    },
};

const HINTS: Hints =
    &[(Mentions::ALL, "a parameter is a number or an expression of parameters; use `let` for what changes")];

fn defines(Definition { name, value }: &Definition) -> Step<'_> {
    let is = Is { sort: Wanted::Scalar, ..either(value, "a parameter", CHANGING) };
    Step::Defines(name, Kind::Parameter, is.hints(HINTS))
}

parts!(Param: Param::Values(values) => [values], Param::Unit { names, unit } => [names, unit]);

impl Declare for Param {
    fn parse(parser: &mut Parser<'_>) -> Option<Param> {
        let first = parser.name("the name of the parameter")?;
        match parser.cursor.peek() {
            TokenKind::Comma | TokenKind::Colon => with_unit(parser, first),
            _ => with_values(parser, first),
        }
    }

    fn print(&self) -> String {
        match self {
            Param::Values(values) => list(values, Definition::print),
            Param::Unit { names, unit: of } => format!("{} : {}", list(names, name), unit(of)),
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Param::Values(values) => json!({ "values": values.iter().map(Definition::to_json).collect::<Vec<_>>() }),
            Param::Unit { names, unit: of } => json!({"names": all(names, name), "unit": unit(of)}),
        }
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        match keys.has("values") {
            true => Ok(keys.objects("values", Definition::from_json)?.join(", ")),
            false => Ok(format!("{} : {}", keys.list("names", read_name)?, keys.unit("unit")?)),
        }
    }
}

/// `m = 1.3 kg, l = 0.8 m`
fn with_values(parser: &mut Parser<'_>, first: Name) -> Option<Param> {
    let mut values = vec![value_of(parser, first)];
    while parser.cursor.eat(TokenKind::Comma).is_some() {
        let name = parser.name("the name of the next parameter")?;
        if parser.cursor.peek() == TokenKind::Colon {
            let what = &name.name;
            let error = Diagnostic::error(name.span, format!("`{what}` has a unit and no value"));
            parser.report(error.hint(format!("give it a line of its own: `param {what} : …`")));
            return None;
        }
        values.push(value_of(parser, name));
    }
    Some(Param::Values(values.into_iter().collect::<Option<_>>()?))
}

fn value_of(parser: &mut Parser<'_>, name: Name) -> Option<Definition> {
    if parser.cursor.peek() != TokenKind::Equal {
        let message = format!("the value of `{}` is missing", name.name);
        let hint = format!("write `param {0} = …` with a value, or `param {0} : kg` with its unit alone", name.name);
        parser.report(Diagnostic::error(name.span, message).hint(hint));
        return None;
    }
    Definition::of(parser, name)
}

/// `F, G : N`
fn with_unit(parser: &mut Parser<'_>, first: Name) -> Option<Param> {
    let mut names = vec![first];
    while parser.cursor.eat(TokenKind::Comma).is_some() {
        names.push(parser.name("the name of the next parameter")?);
    }
    if parser.cursor.peek() != TokenKind::Colon {
        let listed: Vec<&str> = names.iter().map(|name| name.name.as_str()).collect();
        let message = format!("every parameter has a value of its own, `{}` has none", listed[0]);
        let error = Diagnostic::error(names[0].span, message);
        parser.report(error.hint(format!("write `param {} = …, {} = …`", listed[0], listed[1])));
        return None;
    }
    parser.cursor.expect(TokenKind::Colon, "`:` and a unit")?;
    let of = parser.cursor.unit()?;
    if parser.cursor.peek() == TokenKind::Equal {
        let span = names[0].span.to(parser.cursor.token().span);
        let error = Diagnostic::error(span, "a parameter has a value or a bare unit, not both");
        parser.report(error.hint(format!("write `param {} = 1.5 {}`", names[0].name, unit(&of))));
        return None;
    }
    Some(Param::Unit { names, unit: of })
}

//! `function b(x, y, t) : 1`: a smooth function of which only the arguments are known.
//!
//! JSON: name, arguments: […], unit

use super::common::*;
use crate::kind::Sort;
use crate::scope::{Entry, Unspecified};

/// `function b(x, y') : 1`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The name.
    pub name: Name,
    /// What it depends on: names and rates.
    pub arguments: Vec<Node>,
    /// The unit of its values.
    pub unit: Unit,
}

pub(super) const FUNCTION: Rule<Function> = Rule {
    keyword: Keyword { repeats: false, ..keyword("function", "function b(x, y', t) : 1") },
    steps: |of| {
        let name = (of.name.name.as_str(), of.name.span);
        let is = |node| {
            Step::Is(Is { sort: Wanted::Scalar, ..either(node, "an argument of a function", NEVER) }.hints(HINTS))
        };
        let mut steps: Vec<Step<'_>> = of.arguments.iter().map(is).collect();
        steps.push(Step::Own(Some(name), Box::new(|checker| declares(checker, of))));
        steps
    },
};

const NEVER: Mentions = ABOVE_RATE.and(Mentions::LOAD).and(Mentions::INPUT).and(Mentions::STATE);
const HINTS: Hints = &[(Mentions::ALL, "a function depends on coordinates, rates, speeds, constants and the time")];

parts!(Function { name, arguments, unit });

impl Declare for Function {
    fn parse(parser: &mut Parser<'_>) -> Option<Function> {
        let name = parser.name("the name of a function")?;
        parser.cursor.expect(TokenKind::OpenParen, "`(` and what the function depends on")?;
        let arguments = parser.list(|parser| parser.cursor.expression())?;
        parser.cursor.expect(TokenKind::CloseParen, "`,` or `)`")?;
        parser.cursor.expect(TokenKind::Colon, "`:` and the unit of the function, `1` for a number")?;
        let token = parser.cursor.token();
        let is_number = parser.cursor.text_of(token) == "1" && parser.cursor.peek_at(1) != TokenKind::Slash;
        if is_number {
            parser.cursor.bump();
            return Some(Function { name, arguments, unit: Unit { factors: Vec::new(), span: token.span } });
        }
        Some(Function { name, arguments, unit: parser.cursor.unit()? })
    }

    fn print(&self) -> String {
        format!("{}({}) : {}", name(&self.name), list(&self.arguments, node), written(&self.unit))
    }

    fn to_json(&self) -> Value {
        json!({"name": name(&self.name), "arguments": all(&self.arguments, node), "unit": written(&self.unit)})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let (name, arguments) = (keys.name("name")?, keys.list("arguments", read_expression)?);
        let unit = if keys.takes_word("unit", "1") { "1".to_owned() } else { keys.unit("unit")? };
        Ok(format!("{name}({arguments}) : {unit}"))
    }

    fn brackets(&self) -> Vec<Bracket> {
        vec![Bracket::After(self.name.span.start)]
    }
}

/// The unit, `1` for a number.
fn written(of: &Unit) -> String {
    if of.factors.is_empty() { "1".to_owned() } else { unit(of) }
}

/// Makes a function known.
fn declares(checker: &mut Checker<'_>, function: &Function) {
    let before = checker.troubles();
    if let Some(index) = &function.name.index {
        let error = Diagnostic::error(index.span, "a function has a name of its own, without an index");
        checker.report(error.hint(format!("write `{}1(…)`, `{}2(…)`", function.name.name, function.name.name)));
    }
    let is_plain = |node: &Node| match &node.kind {
        NodeKind::Prime { of, .. } => matches!(of.kind, NodeKind::Name { .. }),
        kind => matches!(kind, NodeKind::Name { .. }),
    };
    let mut texts: Vec<String> = Vec::new();
    for argument in &function.arguments {
        let text = crate::text_of(argument);
        if !is_plain(argument) {
            let error = Diagnostic::error(argument.span, format!("`{text}` is neither a name nor a rate"));
            checker.report(error.hint("declare what the function depends on by name; a call may have any arguments"));
        } else if texts.contains(&text) {
            checker.report(Diagnostic::error(argument.span, format!("`{text}` stands twice among the arguments")));
        }
        texts.push(text);
    }
    let dimension = checker.unit(&function.unit);
    let dimensions = match checker.scope.units {
        true => checker.quietly(|checker| function.arguments.iter().map(|node| checker.measure(node)).collect()),
        false => vec![None; texts.len()],
    };
    if !checker.is_free(&function.name.name, function.name.span, None) {
        return;
    }
    let sound = checker.troubles() == before;
    let kind = if sound { Kind::Function } else { Kind::Broken };
    let unspecified = sound.then(|| Unspecified { arguments: texts, dimensions }.into());
    let entry = Entry::new(kind, function.name.span);
    let (dimension, sort) = (Some(dimension), if sound { Sort::Scalar } else { Sort::Any });
    checker.scope.insert(&function.name.name, Entry { unspecified, dimension, sort, has_unit: true, ..entry });
}

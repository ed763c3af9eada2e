//! `coord x, a[1..n] : m`: coordinates, and families of them.
//!
//! JSON: coordinates: [{name, from?, to?}], unit?

use super::common::*;
use crate::elaborate::{Expansion, Fixed};
use crate::scope::{Elements, Entry};
use crate::units::Dimension;
use syntax::UNITS;

/// `coord x, a[1..n] : m`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coord {
    /// The coordinates and families of coordinates.
    pub families: Vec<Family>,
    /// Their unit; without one they have none.
    pub unit: Option<Unit>,
}

/// `x`, or `a[1..n]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The name.
    pub name: String,
    /// First and last index of a family.
    pub bounds: Option<(Node, Node)>,
    /// Where it stands.
    pub span: Span,
}

pub(super) const COORD: Rule<Coord> = Rule {
    keyword: Keyword {
        foreign: &["coordinate", "coordinates", "coords", "variable", "variables", "var"],
        stray: |names| {
            let error = Diagnostic::error(names, "a comma is missing between the coordinates");
            Some(error.hint("write `coord x, y : m`"))
        },
        ..keyword("coord", "coord x, y : m")
    },
    steps: |coord| coord.families.iter().map(|family| step(family, coord.unit.as_ref())).collect(),
};

fn step<'a>(family: &'a Family, unit: Option<&'a Unit>) -> Step<'a> {
    Step::Own(Some((&family.name, family.span)), Box::new(move |checker| declare(checker, family, unit)))
}

parts!(Coord { families, unit });
parts!(Family { span, bounds });

impl Declare for Coord {
    fn parse(parser: &mut Parser<'_>) -> Option<Coord> {
        let families = parser.list(Family::parse);
        let mut unit = None;
        if parser.cursor.eat(TokenKind::Colon).is_some() {
            unit = Some(parser.cursor.unit()?);
        } else if UNITS.contains(&parser.cursor.text_of(parser.cursor.token())) {
            let word = parser.cursor.token();
            let error = Diagnostic::error(word.span, "a colon is missing before the unit");
            parser.report(error.hint(format!("write `: {}`", parser.cursor.text_of(word))));
            unit = Some(parser.cursor.unit()?);
        } else if let (TokenKind::Equal, Some(families)) = (parser.cursor.peek(), &families) {
            let name = &families[families.len() - 1].name;
            let error = Diagnostic::error(parser.cursor.token().span, "a coordinate is declared without a value");
            parser.report(error.hint(format!("write `coord {name} : m`, and its first value in `start {name} = …`")));
            return None;
        }
        if unit.is_some() && parser.cursor.peek() == TokenKind::Comma && parser.cursor.peek_at(1) == TokenKind::Name {
            let (comma, next) = (parser.cursor.token(), parser.cursor.token_at(1));
            let next = parser.cursor.text_of(next).to_owned();
            let error = Diagnostic::error(
                comma.span,
                "the unit stands at the end of the line, and is that of all its coordinates",
            );
            parser.report(error.hint(format!("give `{next}` a line of its own: `coord {next} : …`")));
            return None;
        }
        complete!(Coord { families, unit }, families)
    }

    fn print(&self) -> String {
        list(&self.families, Family::print) + &optional(" : ", &self.unit, unit)
    }

    fn to_json(&self) -> Value {
        let families: Vec<Value> = self.families.iter().map(Family::to_json).collect();
        json!({"coordinates": families, "unit": self.unit.as_ref().map(unit)})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let families = keys.objects("coordinates", |keys| {
            let name = keys.name("name")?;
            match keys.has("from") {
                true => Ok(format!("{name}[{}..{}]", keys.expression("from")?, keys.expression("to")?)),
                false => Ok(name),
            }
        })?;
        let unit = if keys.has("unit") { format!(" : {}", keys.unit("unit")?) } else { String::new() };
        Ok(families.join(", ") + &unit)
    }

    fn elaborate(&mut self, expansion: &mut Expansion<'_>, fixed: &Fixed) -> Result<(), Diagnostic> {
        let mut elements = Vec::new();
        for family in &self.families {
            let Some((from, to)) = &family.bounds else {
                elements.push(family.clone());
                continue;
            };
            for index in expansion.integer(from, fixed)?..=expansion.integer(to, fixed)? {
                expansion.count(family.span)?;
                let name = format!("{}[{index}]", family.name);
                elements.push(Family { name, bounds: None, span: family.span });
            }
        }
        self.families = elements;
        Ok(())
    }
}

impl Family {
    fn parse(parser: &mut Parser<'_>) -> Option<Family> {
        let (name, start) = parser.cursor.name("the name of a coordinate")?;
        let mut bounds = None;
        if parser.cursor.eat(TokenKind::OpenBracket).is_some() {
            let from = parser.cursor.expression()?;
            if let Some(close) = parser.cursor.eat(TokenKind::CloseBracket) {
                let span = start.to(close.span);
                let error = Diagnostic::error(span, "a family is declared with its first and last index");
                parser.report(error.hint(format!("write `coord {name}[1..{}]`", node(&from))));
                return None;
            }
            parser.cursor.expect(TokenKind::DotDot, "`..` and the last index")?;
            let to = parser.cursor.expression()?;
            parser.cursor.expect(TokenKind::CloseBracket, "`]`")?;
            bounds = Some((from, to));
        }
        Some(Family { name, bounds, span: start.to(parser.cursor.last_span()) })
    }

    fn print(&self) -> String {
        match &self.bounds {
            Some((from, to)) => format!("{}[{}..{}]", self.name, node(from), node(to)),
            None => self.name.clone(),
        }
    }

    fn to_json(&self) -> Value {
        let (from, to) = self.bounds.as_ref().map(|(from, to)| (node(from), node(to))).unzip();
        without_null(json!({"name": self.name, "from": from, "to": to}))
    }
}

/// Makes a coordinate, or a family of them, known.
fn declare(checker: &mut Checker<'_>, family: &Family, unit: Option<&Unit>) {
    let dimension = unit.map_or(Dimension::NONE, |unit| checker.unit(unit));
    let mut elements = None;
    if let Some((from, to)) = &family.bounds {
        let mut indices = Elements::default();
        match checker.bounds(from, to) {
            Some((from, to)) => indices.add(from, to).unwrap_or(()),
            None => indices.open = true,
        }
        elements = Some(indices);
    }
    checker.covers_ranges(&family.name, None, family.span);
    if checker.is_free(&family.name, family.span, None) {
        let entry = Entry::new(Kind::Coordinate, family.span);
        let entry = Entry { dimension: Some(dimension), has_unit: unit.is_some(), elements, ..entry };
        checker.scope.insert(&family.name, entry);
    }
}

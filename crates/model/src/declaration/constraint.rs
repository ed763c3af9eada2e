//! `constraint rod: x^2 + y^2 = l^2 from … until …`: a relation that the motion keeps.
//!
//! JSON: label, relation, from?, until?

use syntax::Comparison;

use super::common::*;

/// `constraint rod: left = right from … until …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The name before the colon.
    pub label: Name,
    /// `=`, `>=` or `<=` between two expressions.
    pub relation: Relation,
    /// When it is switched on.
    pub from: Option<Relation>,
    /// When it is switched off.
    pub until: Option<Relation>,
}

pub(super) const CONSTRAINT: Rule<Constraint> = Rule {
    keyword: Keyword {
        foreign: &["constrain"],
        inner: &["from", "until"],
        has_label: true,
        ..keyword("constraint", "constraint rod: x^2 + y^2 = l^2")
    },
    steps: |Constraint { label, relation, from, until }| {
        let mut steps = vec![Step::Holds(relation, ABOVE_ACCELERATION.and(Mentions::STATE))];
        steps.extend(from.iter().chain(until).map(|relation| Step::Holds(relation, ABOVE_RATE)));
        steps.push(Step::DeclaresLabel(label, LabelUse::Constraint, Some(relation)));
        steps
    },
};

parts!(Constraint { label, relation, from, until });

impl Declare for Constraint {
    fn parse(parser: &mut Parser<'_>) -> Option<Constraint> {
        let label = parser.label()?;
        let relation = parser.cursor.relation();
        let from = switch(parser, "from");
        let until = switch(parser, "until");
        let constraint = complete!(Constraint { label, relation, from, until }, relation, from, until)?;
        if !matches!(constraint.relation.comparison, Comparison::Equal | Comparison::AtLeast | Comparison::AtMost) {
            let sign = constraint.relation.comparison.symbol();
            let error = Diagnostic::error(constraint.relation.span, format!("a constraint cannot use `{sign}`"));
            parser.report(error.hint(match sign {
                "<" => "write `<=` for a one-sided constraint",
                ">" => "write `>=` for a one-sided constraint",
                _ => "a constraint is written with `=`, `>=` or `<=`",
            }));
            return None;
        }
        parser.end_unless_for(&["from", "until", "for"])?;
        Some(constraint)
    }

    fn print(&self) -> String {
        format!("{}: {}", name(&self.label), relation(&self.relation))
            + &optional(" from ", &self.from, relation)
            + &optional(" until ", &self.until, relation)
    }

    fn to_json(&self) -> Value {
        json!({
            "label": name(&self.label), "relation": relation(&self.relation),
            "from": self.from.as_ref().map(relation), "until": self.until.as_ref().map(relation),
        })
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let start = format!("{}: {}", keys.name("label")?, keys.relation("relation")?);
        let from = keys.optional(" from ", "from", read_relation)?;
        Ok(start + &from + &keys.optional(" until ", "until", read_relation)?)
    }
}

/// The relation after a word, if the word stands here; `None` if it could not be read.
fn switch(parser: &mut Parser<'_>, word: &str) -> Option<Option<Relation>> {
    match parser.cursor.eat_word(word) {
        Some(_) => Some(Some(parser.event()?)),
        None => Some(None),
    }
}

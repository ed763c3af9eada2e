//! `expect period: t = 2.01 s at x = 0`, `claim law: x'' = -g`: what is known of the motion.
//!
//! JSON: label, fact: {relation, at?: "start" | […], within?} | {constant} | {event, at, within?} |
//! {freedoms} | {equilibrium: […], stability?} | {solution: […]}

use super::common::*;
use crate::json::wrong;

/// `expect name: fact`, `claim name: fact`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The name before the colon.
    pub label: Name,
    /// What is stated.
    pub fact: Fact,
}

/// What an `expect` or a `claim` states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// `left = right at … within …`
    Relation {
        /// The relation.
        relation: Relation,
        /// Where it holds; otherwise on every motion.
        at: Option<At>,
        /// How far the sides may differ.
        within: Option<Node>,
    },
    /// `constant e`
    Constant(Node),
    /// `event name at t = 2 s within 1e-6`
    Event {
        /// The event.
        event: Name,
        /// What holds when it happens; with `=`.
        at: Relation,
        /// How far the sides may differ.
        within: Option<Node>,
    },
    /// `freedoms = 2`
    Freedoms(Node),
    /// `equilibrium x = 0, y = 0 stable`
    Equilibrium {
        /// The place; each with `=`.
        equations: Vec<Relation>,
        /// Whether it is said to be stable or unstable.
        stability: Option<Stability>,
    },
    /// `solution x = v*t, y = 0`
    Solution(Vec<Relation>),
}

/// Where a relation is to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// `at start`
    Start,
    /// `at t = 1 s`, or a state; each with `=`.
    Equations(Vec<Relation>),
}

/// What is said of an equilibrium.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stability {
    /// `stable`
    Stable,
    /// `unstable`
    Unstable,
}

pub(super) const EXPECT: Rule<Statement> = Rule {
    keyword: Keyword {
        foreign: &["assert", "test"],
        inner: &["at", "within"],
        has_label: true,
        ..keyword("expect", "expect range: x = 2 m at t = 1 s within 1 mm")
    },
    steps: |of| steps(of, LabelUse::Fact),
};

pub(super) const CLAIM: Rule<Statement> = Rule {
    keyword: Keyword { inner: &["at", "within"], has_label: true, ..keyword("claim", "claim law: m*x'' = -c*x") },
    steps: |of| steps(of, LabelUse::Claim),
};

fn steps(statement: &Statement, use_: LabelUse) -> Vec<Step<'_>> {
    let holds = |relation| Step::Holds(relation, Mentions::NOTHING);
    let mut steps = Vec::new();
    match &statement.fact {
        Fact::Relation { relation, at, within } => {
            steps.push(match use_ {
                LabelUse::Claim => Step::Own(None, Box::new(move |checker| checker.claims(&statement.label, relation))),
                _ => holds(relation),
            });
            if let Some(At::Equations(equations)) = at {
                steps.extend(equations.iter().map(holds));
            }
            steps.extend(within.iter().map(|within| tolerance(within, relation)));
        }
        Fact::Constant(node) => steps.push(Step::Is(either(node, "a constant of the motion", Mentions::NOTHING))),
        Fact::Event { event, at, within } => {
            let uses = &[LabelUse::Event, LabelUse::Contact, LabelUse::Constraint];
            steps.extend([Step::RefersToLabel(event, uses, "`event` names"), holds(at)]);
            steps.extend(within.iter().map(|within| tolerance(within, at)));
        }
        Fact::Freedoms(node) => steps.push(Step::Is(scalar(node, "a number of freedoms", NUMBER, CHANGING))),
        Fact::Equilibrium { equations, .. } => steps.extend(equations.iter().map(holds)),
        Fact::Solution(equations) => steps.extend(equations.iter().map(|equation| match use_ {
            LabelUse::Claim => Step::Own(None, Box::new(move |checker| checker.claims(&statement.label, equation))),
            _ => holds(equation),
        })),
    }
    steps.push(Step::DeclaresLabel(&statement.label, use_, None));
    steps
}

fn tolerance<'a>(within: &'a Node, relation: &'a Relation) -> Step<'a> {
    Step::Own(None, Box::new(move |checker| check_tolerance(checker, within, relation)))
}

/// A tolerance is a bare number, in SI, or has the dimension of the two sides.
fn check_tolerance(checker: &mut Checker<'_>, within: &Node, relation: &Relation) {
    let before = checker.troubles();
    let is = Is { sort: Wanted::Scalar, ..either(within, "a tolerance", Mentions::ALL) };
    checker.wanted(&is.hints(&[(Mentions::BEFORE_RUN, "write a number")]));
    if checker.troubles() > before || !checker.scope.units {
        return;
    }
    let Some(found) = checker.measure(within).filter(|found| !found.is_none()) else {
        return;
    };
    let Some(expected) = checker.quietly(|checker| checker.measure_relation(relation)) else {
        return;
    };
    if found != expected {
        let text = crate::text_of(within);
        let error = Diagnostic::error(within.span, format!("the tolerance `{text}` does not fit the relation"));
        let label = format!("this {}, each side {}", found.said(), expected.said());
        checker.report(error.label(label).hint("give it that unit, or write a bare number: it is taken in SI units"));
    }
}

parts!(Statement { label, fact });
parts!(At: At::Start => [], At::Equations(equations) => [equations]);
parts!(
    Fact: Fact::Relation { relation, at, within } => [relation, at, within],
    Fact::Constant(node) | Fact::Freedoms(node) => [node],
    Fact::Event { event, at, within } => [event, at, within],
    Fact::Equilibrium { equations, stability: _ } | Fact::Solution(equations) => [equations]
);

impl Declare for Statement {
    fn parse(parser: &mut Parser<'_>) -> Option<Statement> {
        let label = parser.label()?;
        Some(Statement { label, fact: Fact::parse(parser)? })
    }

    fn print(&self) -> String {
        format!("{}: {}", name(&self.label), self.fact.print())
    }

    fn to_json(&self) -> Value {
        json!({"label": name(&self.label), "fact": without_null(self.fact.to_json())})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let label = keys.name("label")?;
        let mut keys = keys.object("fact")?;
        let fact = Fact::from_json(&mut keys)?;
        keys.end()?;
        Ok(format!("{label}: {fact}"))
    }
}

impl Fact {
    fn parse(parser: &mut Parser<'_>) -> Option<Fact> {
        use TokenKind::{End, Minus, Name, Newline, Number, OpenParen, Plus};
        let next = parser.cursor.peek_at(1);
        let operand = matches!(next, Name | Number | OpenParen | Minus | Plus | Newline | End);
        if parser.cursor.at_word("constant") && operand {
            parser.cursor.bump();
            return Some(Fact::Constant(parser.cursor.expression()?));
        }
        if parser.cursor.at_word("event") && next == TokenKind::Name {
            parser.cursor.bump();
            return Fact::parse_event(parser);
        }
        if parser.cursor.at_word("freedoms") && next == TokenKind::Equal {
            parser.cursor.bump();
            parser.cursor.bump();
            return Some(Fact::Freedoms(parser.cursor.expression()?));
        }
        if parser.cursor.at_word("solution") && next == TokenKind::Name {
            parser.cursor.bump();
            let equations = parser.equations()?;
            parser.end_unless_for(&["for"])?;
            return Some(Fact::Solution(equations));
        }
        if parser.cursor.at_word("equilibrium") && operand {
            parser.cursor.bump();
            return Fact::parse_equilibrium(parser);
        }
        let relation = parser.cursor.relation();
        let at = At::parse(parser);
        let within = parser.clause("within");
        let fact = complete!(Fact::Relation { relation, at, within }, relation, at, within)?;
        parser.end_unless_for(&["at", "within", "for"])?;
        Some(fact)
    }

    fn parse_event(parser: &mut Parser<'_>) -> Option<Fact> {
        let event = parser.name("the name of an event")?;
        parser.word("at", &[])?;
        let at = parser.equation();
        let within = parser.clause("within");
        complete!(Fact::Event { event, at, within }, at, within)
    }

    fn parse_equilibrium(parser: &mut Parser<'_>) -> Option<Fact> {
        let equations = parser.equations()?;
        let stability = [Stability::Stable, Stability::Unstable].into_iter().find(|stability| {
            let found = parser.cursor.eat_word(stability.word());
            found.is_some()
        });
        parser.end_unless_for(&["stable", "unstable", "for"])?;
        Some(Fact::Equilibrium { equations, stability })
    }

    fn print(&self) -> String {
        match self {
            Fact::Relation { relation, at, within } => {
                print_relation(relation) + &optional(" at ", at, At::print) + &optional(" within ", within, node)
            }
            Fact::Constant(value) => format!("constant {}", node(value)),
            Fact::Event { event, at, within } => {
                format!("event {} at {}", name(event), relation(at)) + &optional(" within ", within, node)
            }
            Fact::Freedoms(value) => format!("freedoms = {}", node(value)),
            Fact::Equilibrium { equations, stability } => {
                format!("equilibrium {}", list(equations, relation))
                    + &optional(" ", stability, |stability| stability.word().to_owned())
            }
            Fact::Solution(equations) => format!("solution {}", list(equations, relation)),
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Fact::Relation { relation: holds, at, within } => {
                let at = at.as_ref().map(|at| match at {
                    At::Start => Value::from("start"),
                    At::Equations(equations) => all(equations, relation).into(),
                });
                json!({"relation": relation(holds), "at": at, "within": within.as_ref().map(node)})
            }
            Fact::Constant(value) => json!({"constant": node(value)}),
            Fact::Event { event, at, within } => {
                json!({"event": name(event), "at": relation(at), "within": within.as_ref().map(node)})
            }
            Fact::Freedoms(value) => json!({"freedoms": node(value)}),
            Fact::Equilibrium { equations, stability } => {
                json!({"equilibrium": all(equations, relation), "stability": stability.map(Stability::word)})
            }
            Fact::Solution(equations) => json!({"solution": all(equations, relation)}),
        }
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        if keys.has("constant") {
            return Ok(format!("constant {}", keys.expression("constant")?));
        }
        if keys.has("freedoms") {
            return Ok(format!("freedoms = {}", keys.expression("freedoms")?));
        }
        if keys.has("equilibrium") {
            let equations = keys.list("equilibrium", read_relation)?;
            return Ok(format!("equilibrium {equations}{}", keys.optional(" ", "stability", read_name)?));
        }
        if keys.has("solution") {
            return Ok(format!("solution {}", keys.list("solution", read_relation)?));
        }
        if keys.has("event") {
            let start = format!("event {} at {}", keys.name("event")?, keys.relation("at")?);
            return Ok(start + &keys.optional(" within ", "within", read_expression)?);
        }
        let holds = keys.read("relation", |key, text| match syntax::parse_relation(text) {
            Ok(holds) => Ok(print_relation(&holds)),
            Err(errors) => Err(wrong(key, text, &errors)),
        })?;
        let at = match keys.takes_word("at", "start") {
            true => " at start".to_owned(),
            false if keys.has("at") => format!(" at {}", keys.list("at", read_relation)?),
            false => String::new(),
        };
        Ok(holds + &at + &keys.optional(" within ", "within", read_expression)?)
    }
}

/// A relation, in brackets where its first word would be read as one of the grammar's.
fn print_relation(of: &Relation) -> String {
    let text = relation(of);
    let word = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
    match word {
        "constant" | "event" | "freedoms" | "equilibrium" | "solution" => {
            format!("({}) {} {}", node(&of.left), of.comparison.symbol(), node(&of.right))
        }
        _ => text,
    }
}

impl At {
    fn parse(parser: &mut Parser<'_>) -> Option<Option<At>> {
        if parser.cursor.eat_word("at").is_none() {
            return Some(None);
        }
        let alone = parser.cursor.token_at(1);
        let ends = matches!(alone.kind, TokenKind::Newline | TokenKind::End | TokenKind::Name);
        if parser.cursor.at_word("start") && ends {
            parser.cursor.bump();
            return Some(Some(At::Start));
        }
        Some(Some(At::Equations(parser.equations()?)))
    }

    fn print(&self) -> String {
        match self {
            At::Start => "start".to_owned(),
            At::Equations(equations) => list(equations, relation),
        }
    }
}

impl Stability {
    /// As written.
    pub fn word(self) -> &'static str {
        match self {
            Stability::Stable => "stable",
            Stability::Unstable => "unstable",
        }
    }
}

//! `start x = 0, x' = 1 m/s`, `start impulse J on P`, `guess y = 1 m`: the state at the start, and where to look for it.
//!
//! JSON: equations: […], or impulse, on, at?

use super::common::*;

/// The equations of `start` or `guess`, or an impulse at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equations {
    /// Each with `=`; none beside an impulse.
    pub equations: Vec<Relation>,
    /// What strikes at the first instant.
    pub impulse: Option<Impulse>,
}

/// `impulse J on P at Q`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impulse {
    /// The vector.
    pub value: Node,
    /// The point or body.
    pub on: Name,
    /// The place on the body.
    pub at: Option<Node>,
}

pub(super) const START: Rule<Equations> = Rule {
    keyword: Keyword {
        foreign: &["initial", "init"],
        inner: &["impulse", "on", "at"],
        ..keyword("start", "start x = 0, x' = 1 m/s")
    },
    steps,
};

pub(super) const GUESS: Rule<Equations> = Rule { keyword: keyword("guess", "guess y = 1 m"), steps };

fn steps(of: &Equations) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> = of.equations.iter().map(|equation| Step::Holds(equation, RUN)).collect();
    if let Some(Impulse { value, on, at }) = &of.impulse {
        steps.push(Step::Is(vector(value, "an impulse", MOMENTUM, ABOVE_RATE)));
        let (kinds, what): (&[Kind], _) = match at {
            Some(_) => (&[Kind::Body], "an impulse `at` a place acts on"),
            None => (MATERIAL, "an impulse acts on"),
        };
        steps.push(Step::Refers(on, kinds, what));
        steps.extend(at.iter().map(|at| Step::Is(place(at, "the place of an impulse"))));
    }
    steps
}

const MOMENTUM: [i64; 3] = [1, 1, -1];

parts!(Equations { equations, impulse });
parts!(Impulse { value, on, at });

impl Declare for Equations {
    fn parse(parser: &mut Parser<'_>) -> Option<Equations> {
        if parser.keyword == "start" && parser.cursor.at_word("impulse") && !is_value(parser.cursor.peek_at(1)) {
            parser.cursor.bump();
            let value = parser.cursor.expression();
            parser.word("on", &[])?;
            let on = parser.name("the point or body that is struck")?;
            let at = parser.clause("at");
            let impulse = Some(complete!(Impulse { value, on, at }, value, at)?);
            parser.end_unless_for(&["at", "for"])?;
            return Some(Equations { equations: Vec::new(), impulse });
        }
        Some(Equations { equations: parser.equations()?, impulse: None })
    }

    fn print(&self) -> String {
        match &self.impulse {
            Some(Impulse { value, on, at }) => {
                format!("impulse {} on {}", node(value), name(on)) + &optional(" at ", at, node)
            }
            None => list(&self.equations, relation),
        }
    }

    fn to_json(&self) -> Value {
        match &self.impulse {
            Some(Impulse { value, on, at }) => {
                json!({"impulse": node(value), "on": name(on), "at": at.as_ref().map(node)})
            }
            None => json!({"equations": all(&self.equations, relation)}),
        }
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        if keys.has("impulse") {
            let start = format!("impulse {} on {}", keys.expression("impulse")?, keys.name("on")?);
            return Ok(start + &keys.optional(" at ", "at", read_expression)?);
        }
        keys.list("equations", read_relation)
    }
}

/// Whether a name before this is a value in an equation: somebody calls a coordinate `impulse`.
fn is_value(next: TokenKind) -> bool {
    !matches!(next, TokenKind::Name | TokenKind::Number | TokenKind::OpenParen | TokenKind::Minus | TokenKind::Plus)
}

//! `speed u = x' + y'` and `observe height = y`: a name for an expression.
//!
//! JSON: name, value

use super::common::*;

/// `name = value`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// What is defined.
    pub name: Name,
    /// As what.
    pub value: Node,
}

pub(super) const SPEED: Rule<Definition> = Rule {
    keyword: Keyword { foreign: &["speeds", "quasivelocity"], ..keyword("speed", "speed u = x' + y'") },
    steps: |speed| {
        let is = either(&speed.value, "a speed", ABOVE_ACCELERATION.and(Mentions::LOAD).and(Mentions::STATE));
        let is =
            Is { sort: Wanted::Scalar, ..is }.hints(&[(Mentions::ALL, "a speed is made of rates and coordinates")]);
        vec![Step::Defines(&speed.name, Kind::Speed, is)]
    },
};

pub(super) const OBSERVE: Rule<Definition> = Rule {
    keyword: Keyword { foreign: &["output", "measure"], ..keyword("observe", "observe height = y") },
    steps: |output| {
        let is = either(&output.value, "an output", Mentions::NOTHING);
        vec![Step::Defines(&output.name, Kind::Observation, is)]
    },
};

parts!(Definition { name, value });

impl Declare for Definition {
    fn parse(parser: &mut Parser<'_>) -> Option<Definition> {
        let name = parser.name(match parser.keyword {
            "observe" => "the name of the output",
            _ => "the name of the speed",
        })?;
        Definition::of(parser, name)
    }

    fn print(&self) -> String {
        format!("{} = {}", name(&self.name), node(&self.value))
    }

    fn to_json(&self) -> Value {
        json!({"name": name(&self.name), "value": node(&self.value)})
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        Ok(format!("{} = {}", keys.name("name")?, keys.expression("value")?))
    }
}

impl Definition {
    /// Reads what follows a name that is defined.
    pub(super) fn of(parser: &mut Parser<'_>, name: Name) -> Option<Definition> {
        parser.cursor.expect(TokenKind::Equal, "`=`")?;
        Some(Definition { name, value: parser.cursor.expression()? })
    }
}

impl Checker<'_> {
    /// Complains of a speed that is not made of rates.
    pub fn is_of_rates(&mut self, speed: &Name, mentions: Mentions) {
        if !mentions.has(Mentions::RATE.and(Mentions::SPEED)) {
            let error = Diagnostic::error(speed.span, format!("the speed `{}` contains no rate", speed.name));
            self.report(error.hint("a speed is made of rates, as in `speed u = x'*cos(phi) + y'*sin(phi)`"));
        }
    }
}

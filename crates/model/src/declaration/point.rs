//! `point P = (x, y) mass m exhaust u`: a place that moves; with a mass, a particle.
//!
//! JSON: name, position, mass?, exhaust?

use super::common::*;

/// `point P = (x, y) mass m exhaust u`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The name.
    pub name: Name,
    /// Its position.
    pub position: Node,
    /// Its mass; with one it is a particle.
    pub mass: Option<Node>,
    /// The relative velocity of what leaves it.
    pub exhaust: Option<Node>,
}

pub(super) const POINT: Rule<Point> = Rule {
    keyword: Keyword {
        foreign: &["particle"],
        inner: &["mass", "exhaust"],
        ..keyword("point", "point P = (x, y) mass m")
    },
    steps: |Point { name, position, mass, exhaust }| {
        let mut steps = vec![Step::Defines(name, Kind::Point, place(position, "a position"))];
        steps.extend(mass.iter().map(|mass| Step::Is(self::mass(mass))));
        let exhaust = exhaust.iter();
        steps.extend(exhaust.map(|exhaust| Step::Is(vector(exhaust, "an exhaust velocity", SPEED, ABOVE_RATE))));
        steps
    },
};

/// A mass, of a particle or of a body.
pub(super) fn mass(mass: &Node) -> Is<'_> {
    scalar(mass, "a mass", MASS, MASSES).hints(OF_MASSES)
}

parts!(Point { name, position, mass, exhaust });

impl Declare for Point {
    fn parse(parser: &mut Parser<'_>) -> Option<Point> {
        let name = parser.name("the name of the point")?;
        parser.cursor.expect(TokenKind::Equal, "`=` and the position")?;
        let position = parser.cursor.expression();
        let mass = parser.clause("mass");
        let exhaust = parser.clause("exhaust");
        let point = complete!(Point { name, position, mass, exhaust }, position, mass, exhaust)?;
        let open: &[&str] = if point.mass.is_some() { &["exhaust", "for"] } else { &["mass", "for"] };
        parser.end_unless_for(open)?;
        Some(point)
    }

    fn print(&self) -> String {
        format!("{} = {}", name(&self.name), node(&self.position))
            + &optional(" mass ", &self.mass, node)
            + &optional(" exhaust ", &self.exhaust, node)
    }

    fn to_json(&self) -> Value {
        json!({
            "name": name(&self.name), "position": node(&self.position),
            "mass": self.mass.as_ref().map(node), "exhaust": self.exhaust.as_ref().map(node),
        })
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let start = format!("{} = {}", keys.name("name")?, keys.expression("position")?);
        let mass = keys.optional(" mass ", "mass", read_expression)?;
        Ok(start + &mass + &keys.optional(" exhaust ", "exhaust", read_expression)?)
    }
}

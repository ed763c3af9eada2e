//! `body D mass m at C frame B inertia (a, b, c) about P`, `body D mass m at C frame B as disc(r, B.y)`: a rigid body.
//!
//! JSON: name, mass, at, frame, inertia, about?, or name, mass, at, frame, shape: {kind, arguments: […]}

use super::common::*;
use super::{Solid, point};
use crate::print::name as print_name;

/// `body D mass m at C frame B inertia (a, b, c) about P`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The name.
    pub name: Name,
    /// Its mass.
    pub mass: Node,
    /// Its mass centre.
    pub at: Node,
    /// The frame that turns with it.
    pub frame: Name,
    /// One, three or six entries; those of the shape, if it has one.
    pub inertia: Node,
    /// The point that the inertia refers to; otherwise the mass centre.
    pub about: Option<Node>,
    /// Its shape.
    pub shape: Option<Solid>,
}

pub(super) const BODY: Rule<Body> = Rule {
    keyword: Keyword {
        foreign: &["rigid", "link"],
        inner: &["mass", "at", "frame", "inertia", "about", "as"],
        ..keyword("body", "body D mass m at (x, y, z) frame B inertia (Ix, Iy, Iz)")
    },
    steps: |Body { name, mass, at, frame, inertia, about, shape }| {
        let mut steps = vec![
            Step::Is(point::mass(mass)),
            Step::Is(place(at, "a mass centre")),
            Step::Refers(frame, &[Kind::Frame], "a body turns with"),
        ];
        match shape {
            Some(shape) => steps.extend(shape.steps()),
            None => {
                let entries = scalar(inertia, "an inertia", INERTIA, MASSES).hints(OF_MASSES);
                steps.push(Step::Is(Is { sort: Wanted::Inertia, ..entries }));
            }
        }
        let about = about.iter();
        let reference = "the point of reference of an inertia";
        steps.extend(about.map(|about| Step::Is(vector(about, reference, LENGTH, GEOMETRY))));
        steps.push(Step::Own(None, Box::new(|checker| checker.scope.turn_with(&name.name, print_name(frame)))));
        steps.push(Step::Declares(name, Kind::Body, None));
        steps
    },
};

parts!(Body { name, mass, at, frame, inertia, about, shape });

impl Declare for Body {
    fn parse(parser: &mut Parser<'_>) -> Option<Body> {
        let name = parser.name("the name of the body")?;
        parser.word("mass", &[])?;
        let mass = parser.cursor.expression();
        parser.word("at", &[])?;
        let at = parser.cursor.expression();
        parser.word("frame", &[])?;
        let frame = parser.name("the name of the body's frame");
        if parser.cursor.eat_word("as").is_some() {
            let shape = Solid::parse(parser);
            let (mass, at, frame, shape) = (mass?, at?, frame?, shape?);
            let inertia = shape.inertia(&mass, &frame);
            parser.end_unless_for(&["for"])?;
            return Some(Body { name, mass, at, frame, inertia, about: None, shape: Some(shape) });
        }
        parser.word("inertia", &["as"])?;
        let inertia = parser.cursor.expression();
        let (about, shape) = (parser.clause("about"), None);
        let body = complete!(Body { name, mass, at, frame, inertia, about, shape }, mass, at, frame, inertia, about)?;
        parser.end_unless_for(&["about", "for"])?;
        Some(body)
    }

    fn print(&self) -> String {
        let start = format!("{} mass {} at {} ", name(&self.name), node(&self.mass), node(&self.at));
        start
            + &format!("frame {} ", name(&self.frame))
            + &match &self.shape {
                Some(shape) => format!("as {}", shape.print()),
                None => format!("inertia {}", node(&self.inertia)) + &optional(" about ", &self.about, node),
            }
    }

    fn to_json(&self) -> Value {
        let start = json!({
            "name": name(&self.name), "mass": node(&self.mass), "at": node(&self.at), "frame": name(&self.frame),
        });
        let Value::Object(mut keys) = start else { return start };
        match &self.shape {
            Some(shape) => drop(keys.insert("shape".to_owned(), shape.to_json())),
            None => {
                keys.insert("inertia".to_owned(), node(&self.inertia).into());
                keys.insert("about".to_owned(), self.about.as_ref().map(node).into());
            }
        }
        Value::Object(keys)
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let start = format!("{} mass {}", keys.name("name")?, keys.expression("mass")?);
        let place = format!(" at {} frame {}", keys.expression("at")?, keys.name("frame")?);
        if keys.has("shape") {
            return Ok(start + &place + " as " + &Solid::from_json(keys)?);
        }
        let inertia = format!(" inertia {}", keys.expression("inertia")?);
        Ok(start + &place + &inertia + &keys.optional(" about ", "about", read_expression)?)
    }

    fn brackets(&self) -> Vec<Bracket> {
        self.shape.iter().map(|shape| Bracket::After(shape.span.start)).collect()
    }
}

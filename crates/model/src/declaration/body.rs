//! `body D mass m at C frame B inertia (a, b, c) about P`: a rigid body.
//!
//! JSON: name, mass, at, frame, inertia, about?

use super::common::*;
use super::point;

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
    /// One, three or six entries.
    pub inertia: Node,
    /// The point that the inertia refers to; otherwise the mass centre.
    pub about: Option<Node>,
}

pub(super) const BODY: Rule<Body> = Rule {
    keyword: Keyword {
        foreign: &["rigid", "link"],
        inner: &["mass", "at", "frame", "inertia", "about"],
        ..keyword("body", "body D mass m at (x, y, z) frame B inertia (Ix, Iy, Iz)")
    },
    steps: |Body { name, mass, at, frame, inertia, about }| {
        let entries = scalar(inertia, "an inertia", INERTIA, GEOMETRY).hints(OF_MASSES);
        let mut steps = vec![
            Step::Is(point::mass(mass)),
            Step::Is(place(at, "a mass centre")),
            Step::Refers(frame, &[Kind::Frame], "a body turns with"),
            Step::Is(Is { sort: Wanted::Inertia, ..entries }),
        ];
        let about = about.iter();
        let reference = "the point of reference of an inertia";
        steps.extend(about.map(|about| Step::Is(vector(about, reference, LENGTH, GEOMETRY))));
        steps.push(Step::Declares(name, Kind::Body, None));
        steps
    },
};

parts!(Body { name, mass, at, frame, inertia, about });

impl Declare for Body {
    fn parse(parser: &mut Parser<'_>) -> Option<Body> {
        let name = parser.name("the name of the body")?;
        parser.word("mass", &[])?;
        let mass = parser.cursor.expression();
        parser.word("at", &[])?;
        let at = parser.cursor.expression();
        parser.word("frame", &[])?;
        let frame = parser.name("the name of the body's frame");
        parser.word("inertia", &[])?;
        let inertia = parser.cursor.expression();
        let about = parser.clause("about");
        let body = complete!(Body { name, mass, at, frame, inertia, about }, mass, at, frame, inertia, about)?;
        parser.end_unless_for(&["about", "for"])?;
        Some(body)
    }

    fn print(&self) -> String {
        format!("{} mass {} at {} ", name(&self.name), node(&self.mass), node(&self.at))
            + &format!("frame {} inertia {}", name(&self.frame), node(&self.inertia))
            + &optional(" about ", &self.about, node)
    }

    fn to_json(&self) -> Value {
        json!({
            "name": name(&self.name), "mass": node(&self.mass), "at": node(&self.at), "frame": name(&self.frame),
            "inertia": node(&self.inertia), "about": self.about.as_ref().map(node),
        })
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let start = format!("{} mass {}", keys.name("name")?, keys.expression("mass")?);
        let place = format!(" at {} frame {}", keys.expression("at")?, keys.name("frame")?);
        let inertia = format!(" inertia {}", keys.expression("inertia")?);
        Ok(start + &place + &inertia + &keys.optional(" about ", "about", read_expression)?)
    }
}

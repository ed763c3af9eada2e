//! `shape wall: box(a, b, c) at P frame N`: a picture without mass, such as ground, walls and tools.
//!
//! JSON: label, shape: {kind, arguments: […]}, at, frame

use super::Solid;
use super::common::*;

/// `shape wall: box(a, b, c) at P frame N`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The name before the colon.
    pub label: Name,
    /// What is drawn.
    pub shape: Solid,
    /// Its centre.
    pub at: Node,
    /// The frame that it turns with.
    pub frame: Name,
}

pub(super) const SHAPE: Rule<Drawing> = Rule {
    keyword: Keyword {
        foreign: &["draw", "visual"],
        inner: &["at", "frame"],
        has_label: true,
        ..keyword("shape", "shape wall: box(a, b, c) at P frame N")
    },
    steps: |Drawing { label, shape, at, frame }| {
        let mut steps = shape.steps();
        steps.push(Step::Is(place(at, "the centre of a shape")));
        steps.push(Step::Refers(frame, &[Kind::Frame], "a shape turns with"));
        steps.push(Step::DeclaresLabel(label, LabelUse::Shape, None));
        steps
    },
};

parts!(Drawing { label, shape, at, frame });

impl Declare for Drawing {
    fn parse(parser: &mut Parser<'_>) -> Option<Drawing> {
        let label = parser.label()?;
        let shape = Solid::parse(parser)?;
        parser.word("at", &[])?;
        let at = parser.cursor.expression();
        parser.word("frame", &[])?;
        let frame = parser.name("the frame that the shape turns with");
        let drawing = complete!(Drawing { label, shape, at, frame }, at, frame)?;
        parser.end_unless_for(&["for"])?;
        Some(drawing)
    }

    fn print(&self) -> String {
        format!("{}: {} at {} frame {}", name(&self.label), self.shape.print(), node(&self.at), name(&self.frame))
    }

    fn to_json(&self) -> Value {
        json!({
            "label": name(&self.label), "shape": self.shape.to_json(), "at": node(&self.at), "frame": name(&self.frame),
        })
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let start = format!("{}: {}", keys.name("label")?, Solid::from_json(keys)?);
        Ok(start + &format!(" at {} frame {}", keys.expression("at")?, keys.name("frame")?))
    }

    fn brackets(&self) -> Vec<Bracket> {
        vec![Bracket::After(self.shape.span.start)]
    }
}

//! `frame B = N rotated z by psi, x by theta`, `frame B = N quaternion q`: axes that turn.
//!
//! JSON: name, parent, turns: [{about, angle}], or name, parent, quaternion

use syntax::Axis;

use super::common::*;

/// `frame B = N rotated z by psi, x by theta`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The new frame.
    pub name: Name,
    /// The frame it starts from.
    pub parent: Name,
    /// How it is turned.
    pub orientation: Orientation,
}

/// How a frame is turned against another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// One turn after the other.
    Rotated(Vec<Turn>),
    /// Four coordinates in a tuple.
    Quaternion(Node),
}

/// `z by psi`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// About what.
    pub about: TurnAxis,
    /// By which angle.
    pub angle: Node,
}

/// What a frame is turned about, in the frame reached so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnAxis {
    /// One of its own axes.
    Own(Axis),
    /// A direction: a tuple of its components.
    Direction(Node),
}

pub(super) const FRAME: Rule<Frame> = Rule {
    keyword: Keyword { inner: &["rotated", "by", "quaternion"], ..keyword("frame", "frame B = N rotated z by phi") },
    steps: |frame| {
        let mut steps = vec![Step::Refers(&frame.parent, &[Kind::Frame], "a frame is turned from")];
        match &frame.orientation {
            Orientation::Quaternion(tuple) => {
                let is = either(tuple, "a quaternion", GEOMETRY);
                steps.push(Step::Is(Is { sort: Wanted::Quaternion, size: Size::Fixed(NUMBER), ..is }));
            }
            Orientation::Rotated(turns) => steps.extend(turns.iter().flat_map(turn_steps)),
        }
        steps.push(Step::Declares(&frame.name, Kind::Frame, None));
        steps
    },
};

fn turn_steps(turn: &Turn) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    if let TurnAxis::Direction(direction) = &turn.about {
        steps.push(Step::Is(Is { sort: Wanted::Direction, ..either(direction, "a direction", GEOMETRY) }));
    }
    steps.push(Step::Is(scalar(&turn.angle, "an angle", NUMBER, GEOMETRY).hints(OF_POSITIONS)));
    steps
}

parts!(Frame { name, parent, orientation });
parts!(Orientation: Orientation::Rotated(turns) => [turns], Orientation::Quaternion(tuple) => [tuple]);
parts!(Turn { about, angle });
parts!(TurnAxis: TurnAxis::Own(_) => [], TurnAxis::Direction(direction) => [direction]);

impl Declare for Frame {
    fn parse(parser: &mut Parser<'_>) -> Option<Frame> {
        let name = parser.name("the name of the frame")?;
        parser.cursor.expect(TokenKind::Equal, "`=` and the frame to turn")?;
        let parent = parser.name("the frame to turn, such as `N`")?;
        let orientation = if parser.cursor.eat_word("quaternion").is_some() {
            Orientation::Quaternion(parser.cursor.tuple()?)
        } else {
            parser.word("rotated", &["quaternion"])?;
            Orientation::Rotated(parser.list(Turn::parse)?)
        };
        Some(Frame { name, parent, orientation })
    }

    fn print(&self) -> String {
        let orientation = match &self.orientation {
            Orientation::Rotated(turns) => {
                let turn = |turn: &Turn| format!("{} by {}", turn.about.print(), node(&turn.angle));
                format!("rotated {}", list(turns, turn))
            }
            Orientation::Quaternion(tuple) => format!("quaternion {}", node(tuple)),
        };
        format!("{} = {} {orientation}", name(&self.name), name(&self.parent))
    }

    fn to_json(&self) -> Value {
        let (of, parent) = (name(&self.name), name(&self.parent));
        match &self.orientation {
            Orientation::Quaternion(tuple) => json!({"name": of, "parent": parent, "quaternion": node(tuple)}),
            Orientation::Rotated(turns) => {
                let turn = |turn: &Turn| json!({"about": turn.about.print(), "angle": node(&turn.angle)});
                json!({"name": of, "parent": parent, "turns": turns.iter().map(turn).collect::<Vec<_>>()})
            }
        }
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let start = format!("{} = {}", keys.name("name")?, keys.name("parent")?);
        if keys.has("quaternion") {
            return Ok(format!("{start} quaternion {}", keys.expression("quaternion")?));
        }
        let turn = |keys: &mut Keys<'_>| Ok(format!("{} by {}", keys.expression("about")?, keys.expression("angle")?));
        Ok(format!("{start} rotated {}", keys.objects("turns", turn)?.join(", ")))
    }
}

impl Turn {
    fn parse(parser: &mut Parser<'_>) -> Option<Turn> {
        let axis = match parser.cursor.text_of(parser.cursor.token()) {
            "x" => Some(Axis::X),
            "y" => Some(Axis::Y),
            "z" => Some(Axis::Z),
            _ => None,
        };
        let about = match axis {
            Some(axis) => {
                parser.cursor.bump();
                TurnAxis::Own(axis)
            }
            None if parser.cursor.peek() == TokenKind::OpenParen => TurnAxis::Direction(parser.cursor.tuple()?),
            None => {
                parser.cursor.unexpected("`x`, `y`, `z` or a direction `(a, b, c)` to turn about");
                return None;
            }
        };
        parser.word("by", &[])?;
        Some(Turn { about, angle: parser.cursor.expression()? })
    }
}

impl TurnAxis {
    fn print(&self) -> String {
        match self {
            TurnAxis::Own(axis) => axis.symbol().to_owned(),
            TurnAxis::Direction(direction) => node(direction),
        }
    }
}

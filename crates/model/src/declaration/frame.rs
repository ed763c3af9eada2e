//! `frame B = N rotated z by psi, x by theta`, `rotated space z by a, x by b`, `rotated C.x by a`, `frame B = N quaternion
//! q`, `frame B = N matrix((…), (…), (…))`: axes that turn. `frame B = N` alone has the same axes.
//!
//! Turns about axes that stay where they are in the parent come to the same as turns about own axes in the other
//! order; so they are kept in that order, with a mark.
//!
//! JSON: name, parent, turns: [{about, angle}], space?, or name, parent, quaternion, or name, parent, matrix: […]

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
    /// Whether the turns were written about axes of the parent, the last of them first here.
    pub space: bool,
}

/// How a frame is turned against another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// One turn after the other.
    Rotated(Vec<Turn>),
    /// Four coordinates in a tuple.
    Quaternion(Node),
    /// Three rows: a vector along the frame becomes one along the parent.
    Matrix(Vec<Node>),
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
    /// A vector, wherever it points: an axis of another frame.
    Vector(Node),
}

pub(super) const FRAME: Rule<Frame> = Rule {
    keyword: Keyword {
        inner: &["rotated", "space", "about", "by", "quaternion", "matrix"],
        ..keyword("frame", "frame B = N rotated z by phi")
    },
    steps: |frame| {
        let mut steps = vec![Step::Refers(&frame.parent, &[Kind::Frame], "a frame is turned from")];
        match &frame.orientation {
            Orientation::Quaternion(tuple) => {
                let is = either(tuple, "a quaternion", GEOMETRY);
                steps.push(Step::Is(Is { sort: Wanted::Quaternion, size: Size::Fixed(NUMBER), ..is }));
            }
            Orientation::Matrix(rows) => steps.extend(rows.iter().map(|row| {
                let is = either(row, "a row of direction cosines", GEOMETRY);
                Step::Is(Is { sort: Wanted::Direction, size: Size::Fixed(NUMBER), ..is })
            })),
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
    if let TurnAxis::Vector(vector) = &turn.about {
        steps.push(Step::Is(Is { sort: Wanted::Vector, ..either(vector, "an axis", GEOMETRY) }));
    }
    steps.push(Step::Is(scalar(&turn.angle, "an angle", NUMBER, GEOMETRY).hints(OF_POSITIONS)));
    steps
}

parts!(Frame { name, parent, orientation });
parts!(
    Orientation: Orientation::Rotated(turns) => [turns],
    Orientation::Quaternion(tuple) => [tuple],
    Orientation::Matrix(rows) => [rows]
);
parts!(Turn { about, angle });
parts!(TurnAxis: TurnAxis::Own(_) => [], TurnAxis::Direction(direction) | TurnAxis::Vector(direction) => [direction]);

impl Declare for Frame {
    fn parse(parser: &mut Parser<'_>) -> Option<Frame> {
        let name = parser.name("the name of the frame")?;
        parser.cursor.expect(TokenKind::Equal, "`=` and the frame to turn")?;
        let parent = parser.name("the frame to turn, such as `N`")?;
        let mut space = false;
        let orientation = if parser.cursor.eat_word("quaternion").is_some() {
            Orientation::Quaternion(parser.cursor.tuple()?)
        } else if parser.cursor.eat_word("matrix").is_some() {
            Orientation::Matrix(parse_matrix(parser)?)
        } else if parser.cursor.at_line_end() || parser.cursor.at_word("for") {
            Orientation::Rotated(Vec::new())
        } else {
            parser.word("rotated", &["quaternion", "matrix"])?;
            space = parser.cursor.eat_word("space").is_some();
            let mut turns = parser.list(Turn::parse)?;
            if space {
                let other = turns.iter().find_map(|turn| match &turn.about {
                    TurnAxis::Vector(vector) => Some(vector.span),
                    _ => None,
                });
                if let Some(span) = other {
                    let error = Diagnostic::error(span, "after `space` the axes are those of the frame that is turned");
                    parser.report(error.hint("write `x`, `y`, `z` or a direction `(a, b, c)`, or leave `space` out"));
                    return None;
                }
                turns.reverse();
            }
            Orientation::Rotated(turns)
        };
        Some(Frame { name, parent, orientation, space })
    }

    fn print(&self) -> String {
        let orientation = match &self.orientation {
            Orientation::Rotated(turns) if turns.is_empty() => String::new(),
            Orientation::Rotated(_) => {
                let turn = |turn: &Turn| format!("{} by {}", turn.about.print(), node(&turn.angle));
                let space = if self.space { "space " } else { "" };
                format!(" rotated {space}{}", list(&self.written(), turn))
            }
            Orientation::Quaternion(tuple) => format!(" quaternion {}", node(tuple)),
            Orientation::Matrix(rows) => format!(" matrix({})", list(rows, node)),
        };
        format!("{} = {}{orientation}", name(&self.name), name(&self.parent))
    }

    fn to_json(&self) -> Value {
        let (of, parent) = (name(&self.name), name(&self.parent));
        match &self.orientation {
            Orientation::Quaternion(tuple) => json!({"name": of, "parent": parent, "quaternion": node(tuple)}),
            Orientation::Matrix(rows) => json!({"name": of, "parent": parent, "matrix": all(rows, node)}),
            Orientation::Rotated(_) => {
                let turn = |turn: &Turn| json!({"about": turn.about.print(), "angle": node(&turn.angle)});
                let turns = self.written().iter().map(turn).collect::<Vec<_>>();
                let space = self.space.then_some(true);
                json!({"name": of, "parent": parent, "turns": turns, "space": space})
            }
        }
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let start = format!("{} = {}", keys.name("name")?, keys.name("parent")?);
        if keys.has("quaternion") {
            return Ok(format!("{start} quaternion {}", keys.expression("quaternion")?));
        }
        if keys.has("matrix") {
            return Ok(format!("{start} matrix({})", keys.list("matrix", read_expression)?));
        }
        let space = if keys.has("space") && keys.is_true("space")? { "space " } else { "" };
        let turn = |keys: &mut Keys<'_>| Ok(format!("{} by {}", keys.expression("about")?, keys.expression("angle")?));
        let turns = keys.objects("turns", turn)?;
        match turns.is_empty() {
            true => Ok(start),
            false => Ok(format!("{start} rotated {space}{}", turns.join(", "))),
        }
    }

    fn brackets(&self) -> Vec<Bracket> {
        match &self.orientation {
            Orientation::Matrix(rows) => {
                rows.first().map(|row| Bracket::At(row.span.start.saturating_sub(1))).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Frame {
    /// The turns in the order in which they were written.
    fn written(&self) -> Vec<Turn> {
        let Orientation::Rotated(turns) = &self.orientation else { return Vec::new() };
        let mut turns = turns.clone();
        if self.space {
            turns.reverse();
        }
        turns
    }
}

/// `((a, b, c), (d, e, f), (g, h, i))` after `matrix`
fn parse_matrix(parser: &mut Parser<'_>) -> Option<Vec<Node>> {
    let whole = parser.cursor.tuple()?;
    let rows = match &whole.kind {
        NodeKind::Tuple(rows) if rows.len() == 3 => rows.clone(),
        _ => Vec::new(),
    };
    let is_row = |row: &Node| matches!(&row.kind, NodeKind::Tuple(entries) if entries.len() == 3);
    if rows.len() == 3 && rows.iter().all(is_row) {
        return Some(rows);
    }
    let error = Diagnostic::error(whole.span, "a matrix of direction cosines has three rows of three entries");
    parser.report(error.hint("write `matrix((a, b, c), (d, e, f), (g, h, i))`"));
    None
}

impl Turn {
    fn parse(parser: &mut Parser<'_>) -> Option<Turn> {
        // `about z by phi` says no more than `z by phi`
        parser.cursor.eat_word("about");
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
            None if matches!(parser.cursor.peek(), TokenKind::Name | TokenKind::Number | TokenKind::Minus)
                && !parser.cursor.at_word("by") =>
            {
                TurnAxis::Vector(parser.cursor.expression()?)
            }
            None => {
                parser.cursor.unexpected("`x`, `y`, `z`, a direction `(a, b, c)` or an axis `C.x` to turn about");
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
            TurnAxis::Direction(direction) | TurnAxis::Vector(direction) => node(direction),
        }
    }
}

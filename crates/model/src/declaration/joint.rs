//! `joint J: A at P hinged about a, b to B at Q`: what holds two bodies together.
//!
//! JSON: label, first, at, motion, axes: […]?, second, to

use super::common::*;

/// `joint J: A at P hinged about a, b to B at Q`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joint {
    /// The name before the colon.
    pub label: Name,
    /// The body that the reaction is told of.
    pub first: Name,
    /// The joint's point of the first body.
    pub at: Node,
    /// What it leaves free.
    pub motion: JointMotion,
    /// Its axes.
    pub axes: Vec<Node>,
    /// The other body, or `N` for the ground.
    pub second: Name,
    /// The joint's point of the second body.
    pub to: Node,
    /// What vanishes, by the name of the row after the dot; known when the system is.
    pub rows: Vec<(String, Node)>,
}

/// What a joint leaves free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JointMotion {
    /// Every turn.
    Pinned,
    /// Nothing.
    Welded,
    /// A turn about an axis.
    Hinged,
    /// Turns about two axes at right angles, one in each body.
    Universal,
    /// A motion along an axis.
    Slides,
}

impl JointMotion {
    /// All of them.
    pub const ALL: [JointMotion; 5] =
        [JointMotion::Pinned, JointMotion::Welded, JointMotion::Hinged, JointMotion::Universal, JointMotion::Slides];

    /// The word, the word before its axes, and the fewest and most axes.
    const fn row(self) -> (&'static str, &'static str, usize, usize) {
        match self {
            JointMotion::Pinned => ("pinned", "", 0, 0),
            JointMotion::Welded => ("welded", "", 0, 0),
            JointMotion::Hinged => ("hinged", "about", 1, 2),
            JointMotion::Universal => ("universal", "about", 2, 2),
            JointMotion::Slides => ("slides", "along", 1, 1),
        }
    }

    /// As written.
    pub fn word(self) -> &'static str {
        self.row().0
    }
}

pub(super) const JOINT: Rule<Joint> = Rule {
    keyword: Keyword {
        foreign: &["hinge", "pin", "connect"],
        inner: &["at", "pinned", "welded", "hinged", "universal", "slides", "about", "along", "to"],
        has_label: true,
        ..keyword("joint", "joint J: A at P hinged about A1.z, N.z to N at Q")
    },
    steps: |joint| {
        let mut steps = vec![
            Step::Refers(&joint.first, &[Kind::Body], "a joint holds"),
            Step::Is(place(&joint.at, "the place of a joint")),
        ];
        let axis = |axis| Step::Is(Is { sort: Wanted::Vector, ..either(axis, "the axis of a joint", GEOMETRY) });
        steps.extend(joint.axes.iter().map(axis));
        if joint.second.name != "N" || joint.second.index.is_some() {
            steps.push(Step::Refers(&joint.second, &[Kind::Body], "a joint holds it to `N` or to"));
        }
        steps.push(Step::Is(place(&joint.to, "the place of a joint")));
        steps.push(Step::DeclaresLabel(&joint.label, LabelUse::Joint, None));
        steps
    },
};

parts!(Joint { label, first, at, axes, second, to });

impl Declare for Joint {
    fn parse(parser: &mut Parser<'_>) -> Option<Joint> {
        let label = parser.label()?;
        let first = parser.name("the body that the joint holds")?;
        parser.word("at", &[])?;
        let at = parser.cursor.expression();
        let found = JointMotion::ALL.into_iter().find(|motion| parser.cursor.at_word(motion.word()));
        let Some(motion) = found else {
            complain_of_motion(parser);
            return None;
        };
        parser.cursor.bump();
        let (_, word, fewest, most) = motion.row();
        let mut axes = Some(Vec::new());
        if most > 0 {
            parser.word(word, &[])?;
            axes = parser.list(|parser| parser.cursor.expression());
        }
        if let Some(list) = axes.as_ref().filter(|list| list.len() < fewest || list.len() > most) {
            let span = list[0].span.to(parser.cursor.last_span());
            let message = format!("`{}` takes {}, found {}", motion.word(), needed(motion), list.len());
            parser.report(Diagnostic::error(span, message).hint(match motion {
                JointMotion::Slides => "write `slides along a`",
                JointMotion::Universal => "write `universal about a, b`: a fixed in the first body, b in the second",
                _ => "write `hinged about a, b`: a fixed in the first body, b in the second",
            }));
            return None;
        }
        parser.word("to", &[])?;
        let second = parser.name("the body that it is held to, or `N`")?;
        parser.word("at", &[])?;
        let to = parser.cursor.expression();
        let rows = Vec::new();
        let joint = complete!(Joint { label, first, at, motion, axes, second, to, rows }, at, axes, to)?;
        parser.end_unless_for(&["for"])?;
        Some(joint)
    }

    fn print(&self) -> String {
        let (word, before, ..) = self.motion.row();
        let axes = match self.axes.is_empty() {
            true => String::new(),
            false => format!(" {before} {}", list(&self.axes, node)),
        };
        let start = format!("{}: {} at {} {word}{axes}", name(&self.label), name(&self.first), node(&self.at));
        start + &format!(" to {} at {}", name(&self.second), node(&self.to))
    }

    fn to_json(&self) -> Value {
        let axes = (!self.axes.is_empty()).then(|| all(&self.axes, node));
        json!({
            "label": name(&self.label), "first": name(&self.first), "at": node(&self.at),
            "motion": self.motion.word(), "axes": axes, "second": name(&self.second), "to": node(&self.to),
        })
    }

    fn from_json(keys: &mut Keys<'_>) -> Written {
        let start = format!("{}: {} at {}", keys.name("label")?, keys.name("first")?, keys.expression("at")?);
        let word = keys.name("motion")?;
        let motion = JointMotion::ALL.into_iter().find(|motion| motion.word() == word);
        let before = motion.map_or("about", |motion| motion.row().1);
        let axes = match keys.has("axes") {
            true => format!(" {before} {}", keys.list("axes", read_expression)?),
            false => String::new(),
        };
        Ok(start + &format!(" {word}{axes} to {} at {}", keys.name("second")?, keys.expression("to")?))
    }
}

/// Says which joints there are.
fn complain_of_motion(parser: &mut Parser<'_>) {
    let words = JointMotion::ALL.map(JointMotion::word);
    let token = parser.cursor.token();
    let word = parser.cursor.text_of(token).to_owned();
    if token.kind != TokenKind::Name {
        return parser.cursor.unexpected(&format!("`{}`", words.join("`, `")));
    }
    let error = Diagnostic::error(token.span, format!("`{word}` is no joint"));
    let all = format!("joints are `{}`", words.join("`, `"));
    parser.report(match syntax::nearest(&word, words) {
        Some(near) => error.hint(format!("did you mean `{near}`? {all}")),
        None => error.hint(all),
    });
}

/// How many axes it takes, in words.
fn needed(motion: JointMotion) -> &'static str {
    match motion {
        JointMotion::Hinged => "one or two axes",
        JointMotion::Universal => "two axes",
        _ => "one axis",
    }
}

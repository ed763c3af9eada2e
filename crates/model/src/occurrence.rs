//! Where does each name stand? For editors: go to a declaration, list the uses of a name, rename it.
//!
//! Only lines that can be read count, so that a text with mistakes has occurrences too. Nothing is looked up: a name that
//! nobody declares occurs as well.

use syntax::{Arguments, Node, NodeKind, Range, Span};

use crate::declaration::{Declaration, Line, Name};
use crate::parse::parse;
use crate::scope::LabelUse;
use crate::steps::Step;
use crate::walk::{PartMut, Parts};

/// A name at a place of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The name, without an index; Greek letters are spelled out.
    pub name: String,
    /// The word in the text.
    pub span: Span,
    /// Names of different spaces have nothing to do with each other.
    pub space: Space,
    /// The keyword of the line.
    pub keyword: &'static str,
    /// Where the line stands.
    pub line: Span,
    /// Whether the line declares it.
    pub declares: bool,
}

/// What a name is unique in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Names of quantities, frames, points and bodies.
    Name,
    /// What stands before a colon: of constraints, contacts and joints.
    Constraint,
    /// Of events.
    Event,
    /// Of facts, claims and drawn shapes, which nobody refers to.
    Remark(u8),
    /// An index or an argument, known on the line that begins here.
    Local(u32),
    /// What stands before the names of a part that is used.
    Part,
}

/// All names of a text at their places, in the order of the text.
///
/// ```
/// let text = "param θ = 1\ncoord x\npoint P = (x*theta, 0) mass 1\n";
/// let uses: Vec<_> = model::occurrences(text).into_iter().filter(|one| one.name == "theta").collect();
/// let words: Vec<(&str, bool)> = uses.iter().map(|one| (one.span.of(text), one.declares)).collect();
/// assert_eq!(words, [("θ", true), ("theta", false)]);
/// ```
pub fn occurrences(text: &str) -> Vec<Occurrence> {
    let mut lines = parse(text).lines;
    let parts = lines.iter().filter_map(|line| match &line.declaration {
        Declaration::Use(part) => Some(part.name.name.clone()),
        _ => None,
    });
    let parts: Vec<String> = parts.collect();
    let labels: Vec<(String, LabelUse)> = lines.iter().flat_map(labels).collect();
    let mut all = Vec::new();
    for line in &mut lines {
        let seen = Seen::new(line, &labels);
        let mut reader = Reader { text, parts: &parts, seen, found: Vec::new() };
        reader.line(line);
        all.append(&mut reader.found);
    }
    all.sort_by_key(|one| one.span);
    all.dedup_by_key(|one| one.span);
    all
}

/// The labels that a line declares.
fn labels(line: &Line) -> Vec<(String, LabelUse)> {
    let label = |step| match step {
        Step::DeclaresLabel(label, use_, _) => Some((label.name.clone(), use_)),
        _ => None,
    };
    line.declaration.steps().into_iter().filter_map(label).collect()
}

fn space_of(use_: LabelUse) -> Space {
    match use_ {
        LabelUse::Constraint | LabelUse::Contact | LabelUse::Joint => Space::Constraint,
        LabelUse::Event => Space::Event,
        LabelUse::Fact => Space::Remark(0),
        LabelUse::Claim => Space::Remark(1),
        LabelUse::Shape => Space::Remark(2),
    }
}

/// What the steps of a line say of the names on it, by their places.
struct Seen {
    keyword: &'static str,
    line: Span,
    declared: Vec<(String, Span)>,
    labels: Vec<(Span, Space, bool)>,
}

impl Seen {
    fn new(line: &Line, known: &[(String, LabelUse)]) -> Seen {
        let mut labels = Vec::new();
        for step in line.declaration.steps() {
            match step {
                Step::DeclaresLabel(label, use_, _) => labels.push((label.span, space_of(use_), true)),
                Step::RefersToLabel(label, uses, _) => {
                    let is_it = |use_: &&LabelUse| known.iter().any(|(name, one)| *name == label.name && one == *use_);
                    let use_ = uses.iter().find(is_it).or(uses.first());
                    labels.extend(use_.map(|use_| (label.span, space_of(*use_), false)));
                }
                _ => {}
            }
        }
        let declared = line.declaration.declared().into_iter().map(|(name, span)| (name.to_owned(), span)).collect();
        Seen { keyword: line.declaration.keyword(), line: line.span, declared, labels }
    }
}

struct Reader<'a> {
    text: &'a str,
    parts: &'a [String],
    seen: Seen,
    found: Vec<Occurrence>,
}

impl Reader<'_> {
    fn line(&mut self, line: &mut Line) {
        let mut locals: Vec<String> = line.ranges.iter().map(|range| range.index.clone()).collect();
        let arguments: Vec<Name> = match &line.declaration {
            Declaration::Let(function) => function.arguments.clone(),
            Declaration::Table(table) => vec![table.argument.clone()],
            _ => Vec::new(),
        };
        locals.extend(arguments.iter().map(|argument| argument.name.clone()));
        self.ranges(&line.ranges);
        for (name, span) in self.seen.declared.clone() {
            self.push(&name, span, Space::Name, true);
        }
        if let Declaration::Use(part) = &line.declaration {
            self.push(&part.name.name, part.name.span, Space::Part, true);
            for value in &part.with {
                let name = format!("{}.{}", part.name.name, value.name.name);
                self.push(&name, value.name.span, Space::Name, false);
            }
        }
        let local = Space::Local(self.seen.line.start);
        arguments.iter().for_each(|argument| self.push(&argument.name, argument.span, local, true));
        line.change(&mut |part| match part {
            PartMut::Node(node) => self.node(node, &locals),
            PartMut::Name(name) => self.name(name, &locals),
            _ => {}
        });
    }

    /// A name outside expressions; what was told of its place already stays.
    fn name(&mut self, name: &Name, locals: &[String]) {
        let label = self.seen.labels.iter().find(|(span, ..)| *span == name.span).copied();
        match label {
            Some((span, space, declares)) => self.push(&name.name, span, space, declares),
            None if self.found.iter().any(|one| one.span.start == name.span.start) => {}
            None => self.push(&name.name, name.span, Space::Name, false),
        }
        name.index.iter().for_each(|index| self.node(index, locals));
    }

    fn ranges(&mut self, ranges: &[Range]) {
        let local = Space::Local(self.seen.line.start);
        ranges.iter().for_each(|range| self.push(&range.index, range.span, local, true));
    }

    fn node(&mut self, node: &Node, locals: &[String]) {
        let mut inner = locals.to_vec();
        match &node.kind {
            NodeKind::Name { name, .. } => {
                let is_local = locals.contains(name);
                let space = if is_local { Space::Local(self.seen.line.start) } else { Space::Name };
                self.push(name, node.span, space, false);
            }
            NodeKind::Component { of, axis } => {
                if let NodeKind::Name { name, .. } = &of.kind
                    && self.parts.contains(name)
                {
                    self.push(&format!("{name}.{}", axis.symbol()), node.span, Space::Name, false);
                    return;
                }
            }
            NodeKind::Call { name, arguments } => {
                self.push(name, node.span, Space::Name, false);
                if let Arguments::For { ranges, .. } = arguments {
                    self.ranges(ranges);
                    inner.extend(ranges.iter().map(|range| range.index.clone()));
                }
                self.label(name, arguments);
            }
            _ => {}
        }
        let mut kind = node.kind.clone();
        kind.change(&mut |part| {
            if let PartMut::Node(child) = part {
                self.node(child, &inner);
            }
        });
    }

    /// The label in `reaction(c)` and its kin, which is no quantity.
    fn label(&mut self, function: &str, arguments: &Arguments) {
        let takes_label = matches!(function, "multiplier" | "reaction" | "reaction_torque");
        if let (true, Arguments::List(list)) = (takes_label, arguments)
            && let Some(Node { kind: NodeKind::Name { name, .. }, span, .. }) = list.first()
        {
            self.push(name, *span, Space::Constraint, false);
        }
    }

    /// Notes a name; the first word about a place counts.
    fn push(&mut self, name: &str, span: Span, space: Space, declares: bool) {
        let is_known = self.found.iter().any(|one| one.span.start == span.start);
        if is_known || span.start as usize >= self.text.len() {
            return;
        }
        let span = match name.contains('.') && self.text[span.start as usize..].contains('.') {
            true => span,
            false => word_at(self.text, span.start),
        };
        let (keyword, line) = (self.seen.keyword, self.seen.line);
        self.found.push(Occurrence { name: name.to_owned(), span, space, keyword, line, declares });
    }
}

/// The word that begins at a place.
fn word_at(text: &str, start: u32) -> Span {
    let rest = text.get(start as usize..).unwrap_or("");
    let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    Span::new(start, start.saturating_add(length as u32))
}

#[cfg(test)]
mod tests {
    use super::{Space, occurrences};

    /// The words of a name in a space, as `line:word`, a declaration with `!`.
    fn words(text: &str, name: &str, is_in: impl Fn(Space) -> bool) -> Vec<String> {
        let all = occurrences(text).into_iter().filter(|one| one.name == name && is_in(one.space));
        let shown = |one: super::Occurrence| {
            let line = text[..one.span.start as usize].matches('\n').count() + 1;
            format!("{line}:{}{}", one.span.of(text), if one.declares { "!" } else { "" })
        };
        all.map(shown).collect()
    }

    const MODEL: &str = "\
param n = 3, l = 1 m, m = 1 kg
coord a[1..n] : rad
let f(l) = 2*l
point P[0] = 0
point P[i] = P[i-1] + l*(sin(a[i]), f(-cos(a[i]))) mass m for i in 1..n
constraint l: sum(a[i] for i in 1..n) = 0
observe i1 = multiplier(l) + dot(reaction(l, P[1]), P[2])/l
expect l: i1 = 0 at start
";

    #[test]
    fn labels_arguments_and_indices_are_apart_from_names() {
        let is_name = |space| space == Space::Name;
        assert_eq!(words(MODEL, "l", is_name), ["1:l!", "5:l", "7:l"]);
        assert_eq!(words(MODEL, "l", |space| space == Space::Constraint), ["6:l!", "7:l", "7:l"]);
        assert_eq!(words(MODEL, "l", |space| matches!(space, Space::Local(_))), ["3:l!", "3:l"]);
        assert_eq!(words(MODEL, "l", |space| matches!(space, Space::Remark(_))), ["8:l!"]);
        assert_eq!(words(MODEL, "P", is_name), ["4:P!", "5:P!", "5:P", "7:P", "7:P"]);
        assert_eq!(words(MODEL, "i", is_name), Vec::<String>::new());
        assert_eq!(words(MODEL, "a", is_name), ["2:a!", "5:a", "5:a", "6:a"]);
    }

    #[test]
    fn parts_have_names_of_their_own() {
        let text = "param r = 1 m\nuse \"w.mech\" as front with r = 2*r\nobserve s = front.r + front.x + r\n";
        let is_name = |space| space == Space::Name;
        assert_eq!(words(text, "r", is_name), ["1:r!", "2:r", "3:r"]);
        assert_eq!(words(text, "front.r", is_name).len(), 2);
        assert_eq!(words(text, "front.x", is_name), ["3:front.x"]);
    }

    #[test]
    fn a_line_that_cannot_be_read_hides_no_other() {
        let text = "param k = 1\nparam = \nobserve s = 2*k\n";
        assert_eq!(words(text, "k", |space| space == Space::Name), ["1:k!", "3:k"]);
    }
}

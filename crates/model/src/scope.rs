//! What has been declared so far? Names, labels, events, and what is known of each.

use std::collections::BTreeMap;
use std::rc::Rc;

use expr::Rational;
use rustc_hash::FxHashMap;
use syntax::{Node, Range, Span};

use crate::constant;
use crate::kind::{Kind, Meaning, Mentions, Sort};
use crate::units::Dimension;
use crate::walk;

/// What is known of a declared name.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub kind: Kind,
    pub sort: Sort,
    pub mentions: Mentions,
    /// `None` if it is not known or may be anything.
    pub dimension: Option<Dimension>,
    /// Whether the declaration names a unit.
    pub has_unit: bool,
    pub span: Span,
    /// The indices, if the name is a family.
    pub elements: Option<Elements>,
    /// The value of a parameter that is a plain number.
    pub value: Option<Rational>,
    /// Arguments and body of a `let` with arguments.
    pub function: Option<Rc<Function>>,
    /// What a function depends on of which nothing else is known.
    pub unspecified: Option<Rc<Unspecified>>,
}

impl Entry {
    /// What is known of a name of this kind before its declaration is read.
    pub fn new(kind: Kind, span: Span) -> Entry {
        let Meaning { sort, mentions } = kind.meaning();
        let (elements, value, function, unspecified) = (None, None, None, None);
        Entry { kind, sort, mentions, dimension: None, has_unit: false, span, elements, value, function, unspecified }
    }
}

/// A `let` with arguments.
#[derive(Debug)]
pub(crate) struct Function {
    pub arguments: Vec<String>,
    pub body: Node,
}

/// A function of which only the arguments are known.
#[derive(Debug)]
pub(crate) struct Unspecified {
    /// As written.
    pub arguments: Vec<String>,
    /// Their dimensions.
    pub dimensions: Vec<Option<Dimension>>,
}

/// The indices of a family.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Elements {
    /// First to last, without gaps or overlaps between entries.
    intervals: BTreeMap<i64, i64>,
    /// Whether there may be more.
    pub open: bool,
}

impl Elements {
    /// Indices that are not known.
    pub fn unknown() -> Elements {
        Elements { open: true, ..Elements::default() }
    }

    /// Whether there is, or may be, an element of this index.
    pub fn contains(&self, index: i64) -> bool {
        let before = self.intervals.range(..=index).next_back();
        self.open || before.is_some_and(|(_, last)| index <= *last)
    }

    /// Adds the indices from `first` to `last`; refuses with one that is there already.
    pub fn add(&mut self, first: i64, last: i64) -> Result<(), i64> {
        if first > last {
            return Ok(());
        }
        let before = self.intervals.range(..=last).next_back().map(|(first, last)| (*first, *last));
        match before {
            Some((start, end)) if end >= first => Err(first.max(start)),
            Some((start, end)) if end.checked_add(1) == Some(first) => {
                self.intervals.insert(start, last);
                Ok(())
            }
            _ => {
                self.intervals.insert(first, last);
                Ok(())
            }
        }
    }

    /// First and last index of each run.
    pub fn intervals(&self) -> impl Iterator<Item = (i64, i64)> {
        self.intervals.iter().map(|(first, last)| (*first, *last))
    }

    /// `1..3, 7`
    pub fn list(&self) -> String {
        let mut ranges: Vec<String> = self
            .intervals
            .iter()
            .take(6)
            .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}..{last}") })
            .collect();
        if self.intervals.len() > 6 {
            ranges.push("…".to_owned());
        }
        ranges.join(", ")
    }
}

/// What is known of a label before a colon.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub use_: LabelUse,
    pub sort: Sort,
    /// Of left − right.
    pub dimension: Option<Dimension>,
    /// The highest derivative in it.
    pub order: i64,
    pub span: Span,
    pub elements: Option<Elements>,
    /// Whether it stands on a line that could not be read.
    pub broken: bool,
}

impl Label {
    /// A label on a line that could not be read.
    pub fn broken(use_: LabelUse, span: Span) -> Label {
        Label { use_, sort: Sort::Any, dimension: None, order: 0, span, elements: None, broken: true }
    }
}

/// Where a label stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LabelUse {
    Constraint,
    Contact,
    Joint,
    Event,
    Fact,
    Claim,
    Shape,
}

impl LabelUse {
    /// Labels of one space differ from each other.
    pub fn space(self) -> usize {
        match self {
            LabelUse::Constraint | LabelUse::Contact | LabelUse::Joint => 0,
            LabelUse::Event => 1,
            LabelUse::Fact => 2,
            LabelUse::Claim => 3,
            LabelUse::Shape => 4,
        }
    }

    pub fn noun(self) -> &'static str {
        match self {
            LabelUse::Constraint => "a constraint",
            LabelUse::Contact => "a contact",
            LabelUse::Joint => "a joint",
            LabelUse::Shape => "a shape",
            LabelUse::Event => "an event",
            LabelUse::Fact => "a fact",
            LabelUse::Claim => "a claim",
        }
    }
}

/// A name that is known in one line only.
#[derive(Clone, Debug)]
pub(crate) enum Local {
    /// The index of a range.
    Index(Range),
    /// The index of a range whose bounds are not known.
    Open(String),
    /// The argument of a `let`, with what is known of it here.
    Argument(String, Sort, Mentions, Option<Dimension>),
}

impl Local {
    pub fn name(&self) -> &str {
        match self {
            Local::Index(range) => &range.index,
            Local::Open(name) | Local::Argument(name, ..) => name,
        }
    }
}

/// All that has been declared so far.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    names: FxHashMap<String, Entry>,
    /// The names in the order of their declaration.
    pub order: Vec<String>,
    labels: [BTreeMap<String, Label>; 5],
    pub locals: Vec<Local>,
    /// The frames of bodies, as written.
    frames: FxHashMap<String, String>,
    /// Whether the model uses units at all.
    pub units: bool,
}

impl Scope {
    /// Nothing declared; whether the model uses units.
    pub fn new(units: bool) -> Scope {
        Scope { units, ..Scope::default() }
    }

    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.names.get(name)
    }

    pub fn entry_mut(&mut self, name: &str) -> Option<&mut Entry> {
        self.names.get_mut(name)
    }

    pub fn insert(&mut self, name: &str, entry: Entry) {
        if self.names.insert(name.to_owned(), entry).is_none() {
            self.order.push(name.to_owned());
        }
    }

    pub fn label(&self, use_: LabelUse, name: &str) -> Option<&Label> {
        self.labels[use_.space()].get(name)
    }

    pub fn label_mut(&mut self, use_: LabelUse, name: &str) -> Option<&mut Label> {
        self.labels[use_.space()].get_mut(name)
    }

    pub fn insert_label(&mut self, name: &str, label: Label) {
        self.labels[label.use_.space()].insert(name.to_owned(), label);
    }

    pub fn labels(&self, use_: LabelUse) -> impl Iterator<Item = (&str, &Label)> {
        self.labels[use_.space()].iter().map(|(name, label)| (name.as_str(), label))
    }

    pub fn names(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.order.iter().filter_map(|name| Some((name.as_str(), self.names.get(name)?)))
    }

    /// The body of this name turns with this frame.
    pub fn turn_with(&mut self, body: &str, frame: String) {
        self.frames.insert(body.to_owned(), frame);
    }

    /// The frame of a body.
    pub fn turns_with(&self, body: &str) -> Option<&str> {
        self.frames.get(body).map(String::as_str)
    }

    pub fn local(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|local| local.name() == name)
    }

    /// The value of a constant expression of numbers and parameters.
    pub fn constant(&self, node: &Node) -> Option<Rational> {
        constant::value(node, &|name| match self.local(name) {
            Some(_) => None,
            None => self.entry(name)?.value.clone(),
        })
    }

    /// Whether an index without known bounds stands in an expression.
    pub fn is_open(&self, node: &Node) -> bool {
        let open = |node: &Node| matches!(self.local(node.plain_name()?)?, Local::Open(_)).then_some(());
        walk::find(node, &mut |node| open(node)).is_some()
    }

    /// The values that an expression of indices takes at the ends of their ranges.
    ///
    /// `None` if it is no integer, or depends on what is not known when the file is read; nothing if
    /// an index in it is open.
    pub fn at_corners(&self, node: &Node) -> Option<Vec<i64>> {
        if self.is_open(node) {
            return Some(Vec::new());
        }
        let ranges: Vec<&Range> = self
            .locals
            .iter()
            .filter_map(|local| match local {
                Local::Index(range) => Some(range),
                Local::Open(_) | Local::Argument(..) => None,
            })
            .collect();
        let mut values = Vec::new();
        self.corners(node, &ranges, &mut Vec::new(), &mut values)?;
        values.sort_unstable();
        values.dedup();
        Some(values)
    }

    fn corners(
        &self,
        node: &Node,
        ranges: &[&Range],
        fixed: &mut Vec<(String, i64)>,
        values: &mut Vec<i64>,
    ) -> Option<()> {
        let value_of = |name: &str| self.value_with(name, fixed);
        let Some((range, rest)) = ranges.split_first() else {
            values.push(constant::integer(node, &value_of)?);
            return Some(());
        };
        let from = constant::integer(&range.from, &value_of)?;
        let to = constant::integer(&range.to, &value_of)?;
        if ranges.len() > 6 || from > to {
            return Some(());
        }
        let ends = if from == to { vec![from] } else { vec![from, to] };
        for end in ends {
            fixed.push((range.index.clone(), end));
            let done = self.corners(node, rest, fixed, values);
            fixed.pop();
            done?;
        }
        Some(())
    }

    fn value_with(&self, name: &str, fixed: &[(String, i64)]) -> Option<Rational> {
        if let Some((_, value)) = fixed.iter().rev().find(|(index, _)| index == name) {
            return Some((*value).into());
        }
        match self.local(name) {
            Some(_) => None,
            None => self.entry(name)?.value.clone(),
        }
    }
}

//! What does a line make known? Names and labels, once each, and the elements of families.

use expr::Rational;
use syntax::{Diagnostic, Node, NodeKind, Relation, Span};

use crate::check::Checker;
use crate::declaration::Name;
use crate::kind::{Kind, Meaning, Mentions, Sort};
use crate::scope::{Elements, Entry, Label, LabelUse, Local};
use crate::units::Dimension;
use crate::walk;
use crate::words::taken;

impl Checker<'_> {
    /// Makes a name known; an element of a family adds to the family.
    pub fn declare(
        &mut self,
        name: &Name,
        kind: Kind,
        meaning: Meaning,
        dimension: Option<Dimension>,
        has_unit: bool,
        value: Option<Rational>,
    ) {
        self.covers_ranges(&name.name, name.index.as_ref(), name.span);
        if !self.is_free(&name.name, name.span, name.index.is_some().then_some(kind)) {
            return;
        }
        let elements = self.elements_of(name);
        let Meaning { sort, mentions } = meaning;
        let span = name.span;
        match self.scope.entry(&name.name).filter(|entry| entry.kind == kind) {
            Some(_) => self.add_elements(name, elements),
            None => {
                let (function, unspecified) = (None, None);
                let entry =
                    Entry { kind, sort, mentions, dimension, has_unit, span, elements, value, function, unspecified };
                self.scope.insert(&name.name, entry);
            }
        }
    }

    /// Fills in what the definition of an element says about its family.
    pub fn complete(&mut self, name: &Name, meaning: Meaning, dimension: Option<Dimension>, has_unit: bool) {
        let Some(entry) = self.scope.entry_mut(&name.name) else {
            return;
        };
        if entry.kind == Kind::Broken {
            return;
        }
        let known = (entry.sort, entry.dimension.clone());
        if matches!(entry.sort, Sort::Any | Sort::Zero) {
            entry.sort = meaning.sort;
        }
        entry.mentions = entry.mentions.and(meaning.mentions);
        entry.has_unit = has_unit;
        entry.dimension = entry.dimension.take().or(dimension.clone());
        let sorts = (known.0, meaning.sort);
        if matches!(sorts, (Sort::Scalar, Sort::Vector) | (Sort::Vector, Sort::Scalar)) {
            let message =
                format!("elements of `{}` are {}, and this one is {}", name.name, known.0.noun(), sorts.1.noun());
            self.report(Diagnostic::error(name.span, message).hint("give it a name of its own"));
        } else if let (Some(known), Some(found)) = (known.1, dimension)
            && known != found
        {
            let message = format!("the family `{}` {}, and this element {}", name.name, known.said(), found.said());
            self.report(Diagnostic::error(name.span, message).hint("all elements of a family have one unit"));
        }
    }

    /// Makes a label known.
    pub fn declare_label(&mut self, name: &Name, use_: LabelUse, relation: Option<&Relation>) {
        self.covers_ranges(&name.name, name.index.as_ref(), name.span);
        let elements = self.elements_of(name);
        let known = self.scope.label(use_, &name.name);
        if let Some(known) = known.filter(|known| !known.broken) {
            let both = known.elements.is_some() && elements.is_some() && known.use_ == use_;
            if both {
                let added =
                    self.scope.label_mut(use_, &name.name).and_then(|label| merge(&mut label.elements, elements).err());
                if let Some(index) = added {
                    self.complain_of_twice(
                        &format!("{}[{index}]", name.name),
                        name.span,
                        self.label_span(use_, &name.name),
                    );
                }
                return;
            }
            let first = known.span;
            return self.complain_of_twice(&name.name, name.span, first);
        }
        let (meaning, dimension) = match relation {
            Some(relation) => self.quietly(|checker| checker.holds(relation, Mentions::NOTHING)),
            None => (Meaning { sort: Sort::Scalar, mentions: Mentions::NOTHING }, None),
        };
        let order = meaning.mentions.order();
        let label = Label { use_, sort: meaning.sort, dimension, order, span: name.span, elements, broken: false };
        self.scope.insert_label(&name.name, label);
    }

    fn label_span(&self, use_: LabelUse, name: &str) -> Span {
        self.scope.label(use_, name).map_or(Span::default(), |label| label.span)
    }

    /// Complains of a name that the `for` of its line would declare more than once.
    pub fn covers_ranges(&mut self, name: &str, index: Option<&Node>, span: Span) {
        let missing = self.scope.locals.iter().map(Local::name).find(|local| {
            let names_it = |node: &Node| (node.plain_name() == Some(local)).then_some(());
            index.and_then(|index| walk::find(index, &mut |node| names_it(node))).is_none()
        });
        if let Some(local) = missing.map(str::to_owned) {
            let error = Diagnostic::error(span, format!("`{name}` would be declared once for each `{local}`"));
            self.report(match index {
                None => error.hint(format!("give it an index, `{name}[{local}]`, or leave out `for`")),
                Some(_) => error.hint(format!("let its index depend on `{local}` too")),
            });
        }
    }

    /// Whether a name may be declared; `family` if one more element of that kind is.
    pub fn is_free(&mut self, name: &str, span: Span, family: Option<Kind>) -> bool {
        if let Some(meaning) = taken(name) {
            let error = Diagnostic::error(span, format!("`{name}` cannot be declared: it is {meaning}"));
            let other = if name.len() == 1 { format!("{name}1") } else { format!("{name}_1") };
            self.report(match name {
                "N" | "t" | "pi" => error.hint(format!(
                    "`{name}` is known without a declaration; for something else choose another name, such as `{other}`"
                )),
                _ => error.hint(format!("choose another name, such as `{other}`")),
            });
            return false;
        }
        let Some(entry) = self.scope.entry(name) else {
            return true;
        };
        match family {
            _ if entry.kind == Kind::Broken => false,
            Some(kind) if entry.kind == kind && entry.elements.is_some() => true,
            _ => {
                let first = entry.span;
                self.complain_of_twice(name, span, first);
                false
            }
        }
    }

    fn complain_of_twice(&mut self, name: &str, span: Span, first: Span) {
        if self.is_full() {
            return;
        }
        let line = self.sources.line_of(first);
        let error = Diagnostic::error(span, format!("`{name}` is declared twice"));
        self.report(error.label(format!("first on line {line}")).hint("rename one of them, or delete it"));
    }

    fn add_elements(&mut self, name: &Name, elements: Option<Elements>) {
        let Some(entry) = self.scope.entry_mut(&name.name) else {
            return;
        };
        if let Err(index) = merge(&mut entry.elements, elements) {
            let first = entry.span;
            self.complain_of_twice(&format!("{}[{index}]", name.name), name.span, first);
        }
    }

    /// The indices that a declared name with an index stands for.
    fn elements_of(&mut self, name: &Name) -> Option<Elements> {
        let index = name.index.as_ref()?;
        let mut elements = Elements::unknown();
        let before = self.troubles();
        self.index(index);
        if self.troubles() > before || self.scope.is_open(index) {
            return Some(elements);
        }
        let ranges = self.scope.locals.iter().filter(|local| matches!(local, Local::Index(_))).count();
        match self.scope.at_corners(index).as_deref() {
            None => self.complain_of_index(index),
            Some([]) => elements.open = false,
            Some([only]) => {
                elements.open = false;
                elements.add(*only, *only).unwrap_or(());
            }
            Some([first, last]) if ranges == 1 && self.steps_by_one(index) => {
                elements.open = false;
                elements.add(*first, *last).unwrap_or(());
            }
            Some(_) => {}
        }
        Some(elements)
    }

    /// Whether the index of a range stands in an expression once, as a term.
    fn steps_by_one(&self, index: &Node) -> bool {
        let is_index = |node: &Node| match node.plain_name() {
            Some(name) => matches!(self.scope.local(name), Some(Local::Index(_))),
            None => false,
        };
        match &index.kind {
            NodeKind::Sum(terms) => {
                terms.iter().filter(|(_, term)| is_index(term)).count() == 1
                    && terms.iter().all(|(_, term)| is_index(term) || self.scope.constant(term).is_some())
            }
            _ => is_index(index),
        }
    }

    /// First and last index of a family or range, as integers.
    pub fn bounds(&mut self, from: &Node, to: &Node) -> Option<(i64, i64)> {
        let mut ends = Vec::new();
        for bound in [from, to] {
            let before = self.troubles();
            self.index(bound);
            let corners = self.scope.at_corners(bound);
            if corners.is_none() && self.troubles() == before {
                self.complain_of_index(bound);
            }
            ends.push(corners);
        }
        match (ends[0].as_deref()?, ends[1].as_deref()?) {
            ([from, ..], [.., to]) => Some((*from, *to)),
            _ => None,
        }
    }

    pub fn complain_of_index(&mut self, node: &Node) {
        let text = crate::text_of(node);
        let argument = walk::find(node, &mut |node| {
            let name = node.plain_name()?;
            matches!(self.scope.local(name), Some(Local::Argument(..))).then(|| name.to_owned())
        });
        if let Some(argument) = argument {
            let error = Diagnostic::error(node.span, format!("an index cannot depend on the argument `{argument}`"));
            return self.report(error.hint("write a family: `let f[i] = … for i in 1..n`"));
        }
        let error = Diagnostic::error(node.span, format!("`{text}` is not an integer when the file is read"));
        self.report(
            error.hint("an index is made of integers, indices, and parameters that are integers: `param n = 10`"),
        );
    }

    /// Checks that an index is a scalar of known names.
    pub fn index(&mut self, node: &Node) {
        let before = self.troubles();
        let meaning = self.meaning(node);
        if self.troubles() == before && !matches!(meaning.sort, Sort::Scalar | Sort::Zero | Sort::Any) {
            let text = crate::text_of(node);
            self.report(Diagnostic::error(
                node.span,
                format!("`{text}` is {}, an index is an integer", meaning.sort.noun()),
            ));
        }
    }
}

fn merge(known: &mut Option<Elements>, more: Option<Elements>) -> Result<(), i64> {
    let (Some(known), Some(more)) = (known.as_mut(), more) else {
        return Ok(());
    };
    known.open |= more.open;
    more.intervals().try_for_each(|(first, last)| known.add(first, last))
}

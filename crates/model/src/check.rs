//! Does a model make sense? Line after line, each step in its order; what a line declares is known
//! to the lines below it.

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{Diagnostic, Node, Range, Relation, Severity, Span};

use crate::declaration::{Line, Name};
use crate::kind::{Kind, Meaning, Mentions, Sort};
use crate::scope::{Entry, Label, LabelUse, Local, Scope};
use crate::sources::Sources;
use crate::steps::{Is, Size, Step, Wanted};
use crate::units::Dimension;
use crate::walk;

/// Messages beyond this number are counted, not told.
const MOST_MESSAGES: usize = 100;

/// Everything that is wrong with these lines, and what they declare.
pub(crate) fn check(lines: &[Line], broken: &[(String, Span)], sources: &Sources) -> Checked {
    let mut checker = Checker::new(lines, broken, sources);
    for line in lines {
        checker.line(line);
    }
    let Checker { scope, mut diagnostics, untold, misfits, .. } = checker;
    if untold > 0
        && let Some(last) = diagnostics.last()
    {
        let message = format!("there are {untold} more mistakes");
        let note = Diagnostic::error(last.span, message).severity(Severity::Note);
        diagnostics.push(note.label("the last one shown"));
    }
    Checked { scope, diagnostics, misfits }
}

/// What was found of lines.
pub(crate) struct Checked {
    pub scope: Scope,
    pub diagnostics: Vec<Diagnostic>,
    /// Claims whose terms do not fit in dimension, and what is said of each.
    pub misfits: Vec<(String, String)>,
}

pub(crate) struct Checker<'a> {
    pub scope: Scope,
    pub sources: &'a Sources,
    pub diagnostics: Vec<Diagnostic>,
    untold: usize,
    /// Where each name will be declared, so that a use too early can be told from an unknown name.
    pub later: FxHashMap<&'a str, Span>,
    /// What calls of functions mean, by name and by what their arguments are.
    pub known_calls: FxHashMap<(String, Vec<Meaning>), Meaning>,
    /// How many functions call each other here.
    pub depth: usize,
    /// How often the body of a function was measured.
    pub measured: usize,
    /// The family that is being defined, and the index of its element.
    pub own: Option<(String, Node)>,
    /// Claims whose terms do not fit in dimension: these are no mistakes of the model.
    pub misfits: Vec<(String, String)>,
}

impl<'a> Checker<'a> {
    fn new(lines: &'a [Line], broken: &[(String, Span)], sources: &'a Sources) -> Checker<'a> {
        let mut later = FxHashMap::default();
        for (name, span) in lines.iter().flat_map(|line| line.declaration.declared()) {
            later.entry(name).or_insert(span);
        }
        let labels: FxHashSet<&str> = lines.iter().filter_map(|line| line.declaration.label()).collect();
        let mut scope = Scope::new(lines.iter().any(walk::has_unit));
        for (name, span) in broken {
            if !later.contains_key(name.as_str()) {
                scope.insert(name, Entry::new(Kind::Broken, *span));
            }
            if !labels.contains(name.as_str()) {
                for use_ in [LabelUse::Constraint, LabelUse::Event, LabelUse::Fact, LabelUse::Claim, LabelUse::Shape] {
                    scope.insert_label(name, Label::broken(use_, *span));
                }
            }
        }
        scope.order.clear();
        Checker {
            scope,
            sources,
            diagnostics: Vec::new(),
            untold: 0,
            later,
            known_calls: FxHashMap::default(),
            depth: 0,
            measured: 0,
            own: None,
            misfits: Vec::new(),
        }
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MOST_MESSAGES {
            self.diagnostics.push(diagnostic);
        } else {
            self.untold += 1;
        }
    }

    /// Counts a mistake that would not be told any more, before its message is made up.
    pub fn is_full(&mut self) -> bool {
        let full = self.diagnostics.len() >= MOST_MESSAGES;
        self.untold += usize::from(full);
        full
    }

    /// Messages told and untold: grows with every one.
    pub fn troubles(&self) -> usize {
        self.diagnostics.len() + self.untold
    }

    fn line(&mut self, line: &'a Line) {
        for range in &line.ranges {
            self.open_range(range);
        }
        let mut steps = line.declaration.steps();
        // a frame or a body of a family may be made of those before it
        let is_element =
            |step: &Step<'_>| matches!(step, Step::Declares(name, Kind::Frame | Kind::Body, _) if name.index.is_some());
        if let Some(place) = steps.iter().position(is_element)
            && let Step::Declares(name, ..) = steps[place]
        {
            let declares = steps.remove(place);
            self.step(declares);
            self.own = name.index.clone().map(|index| (name.name.clone(), index));
        }
        for step in steps {
            self.step(step);
        }
        self.own = None;
        self.scope.locals.clear();
    }

    /// Checks the bounds of a range; its index is known from here on.
    pub fn open_range(&mut self, range: &Range) {
        let local = match self.bounds(&range.from, &range.to) {
            Some(_) => Local::Index(range.clone()),
            None => Local::Open(range.index.clone()),
        };
        if let Some(meaning) = crate::words::taken(&range.index) {
            let span = Span::new(range.span.start, range.span.start + range.index.len() as u32);
            let error = Diagnostic::error(span, format!("`{}` cannot be an index: it is {meaning}", range.index));
            self.report(error.hint("choose another name, such as `i`"));
        }
        self.scope.locals.push(local);
    }

    fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Is(is) => {
                self.is(is);
            }
            Step::Holds(relation, never) => {
                self.holds(relation, never);
            }
            Step::Refers(name, kinds, what) => {
                self.refers(name, kinds, what);
            }
            Step::RefersToLabel(name, uses, what) => {
                self.refers_to_label(name, uses, what);
            }
            Step::Own(_, check) => check(self),
            Step::Defines(name, kind, is) => self.defines(name, kind, is),
            Step::Declares(name, kind, unit) => {
                let dimension = unit.map(|unit| self.unit(unit)).or_else(|| kind.dimension());
                self.declare(name, kind, kind.meaning(), dimension, unit.is_some(), None);
            }
            Step::DeclaresLabel(name, use_, relation) => self.declare_label(name, use_, relation),
        }
    }

    /// Checks an expression, first what it is, then of which dimension.
    fn is(&mut self, is: Is<'_>) -> (Meaning, Option<Dimension>) {
        let before = self.troubles();
        let meaning = self.wanted(&is);
        if self.troubles() > before || !self.scope.units {
            return (meaning, None);
        }
        let dimension = match is.sort {
            Wanted::Inertia | Wanted::Quaternion => self.measure_entries(is.node),
            _ => self.measure(is.node),
        };
        let expected = match is.size {
            Size::Any => None,
            Size::Fixed([m, kg, s]) => Some(Dimension::new(m, kg, s)),
            Size::Unit(unit) => Some(Dimension::of(unit)),
            Size::ForceOn(name) => self.dimension_of(name).map(|of| Dimension::new(2, 1, -2).over(&of)),
            Size::RateOf(name) => self.dimension_of(name).map(|of| of.over(&Dimension::new(0, 0, 1))),
        };
        if let (Some(found), Some(expected)) = (&dimension, &expected)
            && found != expected
        {
            self.complain_of_size(&is, found, expected);
            return (meaning, Some(expected.clone()));
        }
        (meaning, dimension)
    }

    fn dimension_of(&self, name: &Name) -> Option<Dimension> {
        self.scope.entry(&name.name)?.dimension.clone()
    }

    /// Checks a relation; gives what its two sides are.
    pub fn holds(&mut self, relation: &Relation, never: Mentions) -> (Meaning, Option<Dimension>) {
        let before = self.troubles();
        let meaning = self.related(relation, never);
        if self.troubles() > before || !self.scope.units {
            return (meaning, None);
        }
        (meaning, self.measure_relation(relation))
    }

    /// Checks what somebody claims: that its dimensions do not fit is a verdict, not a mistake of the model.
    pub fn claims(&mut self, label: &Name, relation: &Relation) {
        let before = self.troubles();
        self.related(relation, Mentions::NOTHING);
        if self.troubles() > before || !self.scope.units {
            return;
        }
        let (told, untold) = (self.diagnostics.len(), self.untold);
        self.measure_relation(relation);
        let found = self.diagnostics.drain(told..).next();
        self.untold = untold;
        if let Some(found) = found {
            let said = self.said_of_terms(relation, found);
            self.misfits.push((crate::print::name(label), said));
        }
    }

    fn defines(&mut self, name: &Name, kind: Kind, is: Is<'_>) {
        let before = self.troubles();
        if let Some(index) = &name.index {
            self.declare(name, kind, kind.meaning(), kind.dimension(), true, None);
            self.own = Some((name.name.clone(), index.clone()));
        }
        let (meaning, dimension) = self.is(is);
        self.own = None;
        // a speed of second order is used as what it stands for
        let kind = match kind {
            Kind::Speed if meaning.mentions.has(Mentions::ACCELERATION) => Kind::Abbreviation,
            kind => kind,
        };
        let sound = self.troubles() == before;
        let meaning = match kind {
            Kind::Point => Meaning { sort: Sort::Vector, ..meaning },
            _ if !sound => Meaning::ANY,
            Kind::Speed => {
                if meaning.sort != Sort::Any {
                    self.is_of_rates(name, meaning.mentions);
                }
                Meaning { mentions: kind.meaning().mentions, ..meaning }
            }
            _ => meaning,
        };
        let dimension = kind.dimension().or(dimension.filter(|_| sound));
        let has_unit = self.says_unit(is.node);
        match name.index {
            Some(_) => self.complete(name, meaning, dimension, has_unit),
            None => {
                let value = (kind == Kind::Parameter).then(|| self.scope.constant(is.node)).flatten();
                self.declare(name, kind, meaning, dimension, has_unit, value);
            }
        }
    }

    /// What `read` finds, without its messages.
    pub fn quietly<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let (told, untold) = (self.diagnostics.len(), self.untold);
        let result = read(self);
        self.diagnostics.truncate(told);
        self.untold = untold;
        result
    }
}

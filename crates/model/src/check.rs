//! Does a model make sense? Line after line, each step in its order; what a line declares is known
//! to the lines below it.

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{Diagnostic, Node, Range, Relation, Severity, Span};

use crate::declaration::{Line, Name};
use crate::scope::{Entry, Kind, Label, LabelUse, Local, Mentions, Scope, Sort};
use crate::sorts::Meaning;
use crate::sources::Sources;
use crate::steps::{Is, Size, Step, Wanted, steps};
use crate::units::Dimension;
use crate::walk;

/// Messages beyond this number are counted, not told.
const MOST_MESSAGES: usize = 100;

/// Everything that is wrong with these lines, and what they declare.
pub(crate) fn check(lines: &[Line], broken: &[(String, Span)], sources: &Sources) -> (Scope, Vec<Diagnostic>) {
    let mut checker = Checker::new(lines, broken, sources);
    for line in lines {
        checker.line(line);
    }
    let Checker { scope, mut diagnostics, untold, .. } = checker;
    if untold > 0
        && let Some(last) = diagnostics.last()
    {
        let message = format!("there are {untold} more mistakes");
        let note = Diagnostic::error(last.span, message).severity(Severity::Note);
        diagnostics.push(note.label("the last one shown"));
    }
    (scope, diagnostics)
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
}

impl<'a> Checker<'a> {
    fn new(lines: &'a [Line], broken: &[(String, Span)], sources: &'a Sources) -> Checker<'a> {
        let mut later = FxHashMap::default();
        for (name, span) in lines.iter().flat_map(|line| walk::declared(&line.declaration)) {
            later.entry(name).or_insert(span);
        }
        let labels: FxHashSet<&str> = lines.iter().filter_map(|line| walk::label(&line.declaration)).collect();
        let mut scope = Scope::new(lines.iter().any(walk::has_unit));
        for (name, span) in broken {
            if !later.contains_key(name.as_str()) {
                scope.insert(name, Entry::new(Kind::Broken, Sort::Any, *span));
            }
            if !labels.contains(name.as_str()) {
                for use_ in [LabelUse::Constraint, LabelUse::Event, LabelUse::Fact, LabelUse::Claim] {
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
        for step in steps(&line.declaration) {
            self.step(step);
        }
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
            Step::Tolerance(within, relation) => self.tolerance(within, relation),
            Step::Plane(normal, distance) => self.plane(normal, distance),
            Step::Defines(name, kind, is) => self.defines(name, kind, is),
            Step::DefinesFunction(function) => self.defines_function(function),
            Step::Declares(name, kind, unit) => {
                let dimension = unit.map(|unit| self.unit(unit)).or_else(|| kind_dimension(kind));
                self.declare(name, kind, Meaning::declared(kind), dimension, unit.is_some(), None);
            }
            Step::DeclaresFamily(family, unit) => {
                let dimension = unit.map_or(Dimension::NONE, |unit| self.unit(unit));
                self.declare_family(family, dimension, unit.is_some());
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

    /// A tolerance is a bare number, in SI, or has the dimension of the two sides.
    fn tolerance(&mut self, within: &Node, relation: &Relation) {
        let before = self.troubles();
        let is = Is { node: within, what: "a tolerance", sort: Wanted::Scalar, size: Size::Any, never: Mentions(0xff) };
        self.wanted(&is);
        if self.troubles() > before || !self.scope.units {
            return;
        }
        let Some(found) = self.measure(within).filter(|found| !found.is_none()) else {
            return;
        };
        let Some(expected) = self.quietly(|checker| checker.measure_relation(relation)) else {
            return;
        };
        if found != expected {
            let text = crate::text_of(within);
            let error = Diagnostic::error(within.span, format!("the tolerance `{text}` does not fit the relation"));
            let label = format!("this {}, each side {}", found.said(), expected.said());
            self.report(error.label(label).hint("give it that unit, or write a bare number: it is taken in SI units"));
        }
    }

    fn plane(&mut self, normal: &Node, distance: &Node) {
        let before = self.troubles();
        let never = Mentions::RATE.and(Mentions::SPEED).and(Mentions::ACCELERATION).and(Mentions::REACTION);
        let is = Is { node: normal, what: "the normal of a plane", sort: Wanted::Vector, size: Size::Any, never };
        self.wanted(&is);
        self.wanted(&Is { node: distance, what: "the distance of a plane", sort: Wanted::Scalar, ..is });
        if self.troubles() > before || !self.scope.units {
            return;
        }
        let (normal, found) = (self.measure(normal), self.measure(distance));
        let (Some(normal), Some(found)) = (normal, found) else {
            return;
        };
        let expected = normal.times(&Dimension::new(1, 0, 0));
        if found != expected {
            let text = crate::text_of(distance);
            let error =
                Diagnostic::error(distance.span, format!("the distance `{text}` of the plane {}", found.said()));
            self.report(
                error.label(format!("expected {expected}")).hint("the plane is where dot(n, r) = d; 0 needs no unit"),
            );
        }
    }

    fn defines(&mut self, name: &Name, kind: Kind, is: Is<'_>) {
        let before = self.troubles();
        if let Some(index) = &name.index {
            self.declare(name, kind, Meaning::declared(kind), kind_dimension(kind), true, None);
            self.own = Some((name.name.clone(), index.clone()));
        }
        let (meaning, dimension) = self.is(is);
        self.own = None;
        let sound = self.troubles() == before;
        let meaning = match kind {
            Kind::Point => Meaning { sort: Sort::Vector, ..meaning },
            _ if !sound => Meaning::ANY,
            Kind::Speed => self.speed(name, meaning),
            _ => meaning,
        };
        let dimension = kind_dimension(kind).or(dimension.filter(|_| sound));
        let has_unit = self.says_unit(is.node);
        match name.index {
            Some(_) => self.complete(name, meaning, dimension, has_unit),
            None => {
                let value = (kind == Kind::Parameter).then(|| self.scope.constant(is.node)).flatten();
                self.declare(name, kind, meaning, dimension, has_unit, value);
            }
        }
    }

    /// A speed is made of rates.
    fn speed(&mut self, name: &Name, meaning: Meaning) -> Meaning {
        let of_rates = Mentions::RATE.and(Mentions::SPEED);
        if !meaning.mentions.has(of_rates) && meaning.sort != Sort::Any {
            let error = Diagnostic::error(name.span, format!("the speed `{}` contains no rate", name.name));
            self.report(error.hint("a speed is made of rates, as in `speed u = x'*cos(phi) + y'*sin(phi)`"));
        }
        Meaning { mentions: Mentions::POSITION.and(Mentions::SPEED), ..meaning }
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

/// The dimension that a kind of name always has.
pub(crate) fn kind_dimension(kind: Kind) -> Option<Dimension> {
    match kind {
        Kind::Point => Some(Dimension::new(1, 0, 0)),
        Kind::Frame => Some(Dimension::NONE),
        _ => None,
    }
}

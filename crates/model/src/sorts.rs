//! Is every expression what it must be? Scalars, vectors, frames and bodies, and which changing
//! things they depend on.
//!
//! ```text
//! scalar + scalar    vector + vector    scalar*vector    frame*(a, b, c)    frame.x    vector.x
//! ```
//!
//! Where a mistake was told, the value may be anything, so that it is told once.

use syntax::{Comparison, Diagnostic, Node, NodeKind, Relation, Scale, Sign};

use crate::check::Checker;
use crate::constant;
use crate::kind::{Kind, Meaning, Mentions, Sort};
use crate::parse::count;
use crate::scope::Local;
use crate::steps::{Is, Wanted, either};
use crate::units::LARGEST_EXPONENT;

impl Checker<'_> {
    /// Checks an expression against what is wanted of it.
    pub fn wanted(&mut self, is: &Is<'_>) -> Meaning {
        let before = self.troubles();
        let meaning = match is.sort {
            Wanted::Inertia => self.entries(is, &[3, 6], true),
            Wanted::Quaternion => self.entries(is, &[4], false),
            Wanted::Direction => self.entries(is, &[2, 3], false),
            _ => self.meaning(is.node),
        };
        if self.troubles() > before {
            return Meaning { sort: Sort::Any, ..meaning };
        }
        let fits = match is.sort {
            Wanted::Scalar => matches!(meaning.sort, Sort::Scalar | Sort::Zero | Sort::Any),
            Wanted::Vector => matches!(meaning.sort, Sort::Vector | Sort::Zero | Sort::Any),
            Wanted::Either => meaning.sort != Sort::Frame,
            Wanted::Inertia | Wanted::Quaternion | Wanted::Direction => true,
        };
        if !fits {
            self.complain_of_sort(is, meaning.sort);
            return meaning.sorted(Sort::Any);
        }
        self.refuse(is, meaning.mentions);
        meaning
    }

    fn complain_of_sort(&mut self, is: &Is<'_>, found: Sort) {
        let wanted = match is.sort {
            Wanted::Scalar => "a scalar",
            Wanted::Vector => "a vector",
            _ => "a scalar or a vector",
        };
        let what = self.described(is.node, found);
        let error = Diagnostic::error(is.node.span, format!("{} is {wanted}, but {what}", is.what));
        let text = crate::text_of(is.node);
        let hint = match (is.sort, found) {
            (Wanted::Vector, Sort::Scalar) => self.axis_meant(is.node).or_else(|| Some((is.of_scalar)(is.node))),
            (Wanted::Scalar, Sort::Vector) => {
                Some(format!("take a component, `{0}.x`, or its length, `norm({text})`", bracketed(is.node)))
            }
            (_, Sort::Frame) => Some(format!("the axes of a frame are `{text}.x`, `{text}.y`, `{text}.z`")),
            _ => None,
        };
        self.report(Diagnostic { hint, ..error });
    }

    /// A tuple of scalars that is no vector.
    fn entries(&mut self, is: &Is<'_>, lengths: &[usize], or_one: bool) -> Meaning {
        let NodeKind::Tuple(entries) = &is.node.kind else {
            let before = self.troubles();
            let meaning = self.meaning(is.node);
            let fits = matches!(meaning.sort, Sort::Scalar | Sort::Zero | Sort::Any);
            if !(or_one && fits) && self.troubles() == before {
                self.complain_of_entries(is, lengths, or_one);
            }
            return meaning;
        };
        if !lengths.contains(&entries.len()) {
            self.complain_of_entries(is, lengths, or_one);
            return Meaning::ANY;
        }
        let mut all = Meaning { sort: Sort::Vector, mentions: Mentions::NOTHING };
        for entry in entries {
            let meaning = self.scalar(entry, "an entry of a tuple");
            all = all.with(meaning.mentions);
        }
        all
    }

    fn complain_of_entries(&mut self, is: &Is<'_>, lengths: &[usize], or_one: bool) {
        let found = match &is.node.kind {
            NodeKind::Tuple(entries) => entries.len().to_string(),
            _ => format!("`{}`", crate::text_of(is.node)),
        };
        let lengths: Vec<String> = or_one.then_some(1).iter().chain(lengths).map(usize::to_string).collect();
        let message = format!("{} has {} entries, found {found}", is.what, lengths.join(" or "));
        let hint = match is.sort {
            Wanted::Inertia => "write `J` for plane motion, `(xx, yy, zz)`, or `(xx, yy, zz, xy, yz, zx)`",
            Wanted::Quaternion => "write `(q0, q1, q2, q3)`, the scalar part first",
            _ => "write `(a, b, c)`",
        };
        self.report(Diagnostic::error(is.node.span, message).hint(hint));
    }

    /// Complains if an expression depends on what it must not.
    pub fn refuse(&mut self, is: &Is<'_>, mentions: Mentions) {
        let wrong = Mentions(mentions.0 & is.never.0);
        if wrong == Mentions::NOTHING {
            return;
        }
        let (foremost, noun) = wrong.foremost();
        let error = Diagnostic::error(is.node.span, format!("{} cannot depend on {noun}", is.what));
        let when_running = (
            crate::steps::RUN,
            "`multiplier`, `reaction`, `energy`, `momentum`, `angular_momentum` and operators such as `kinetic()` are known only in `observe`, `stop`, `record`, `expect` and `claim`; loads may follow `multiplier` and `reaction`",
        );
        let of_states = (
            Mentions::STATE,
            "a state acts through loads: write a `force`, a `torque` or a `generalized force` with it",
        );
        let hint = is.hints.iter().chain([&when_running, &of_states]).find(|(mentions, _)| mentions.has(foremost));
        self.report(match hint {
            Some((_, hint)) => error.hint(*hint),
            None => error,
        });
    }

    /// Checks a relation: two scalars, or two vectors and `=`.
    pub fn related(&mut self, relation: &Relation, never: Mentions) -> Meaning {
        let before = self.troubles();
        let left = self.meaning(&relation.left);
        let right = self.meaning(&relation.right);
        let mentions = left.mentions.and(right.mentions);
        if self.troubles() > before {
            return Meaning { sort: Sort::Any, mentions };
        }
        let sort = match joined(left.sort, right.sort) {
            Some(sort) => sort,
            None => {
                self.complain_of_pair(
                    &relation.left,
                    left.sort,
                    &relation.right,
                    right.sort,
                    "compared",
                    relation.span,
                );
                return Meaning { sort: Sort::Any, mentions };
            }
        };
        if sort == Sort::Vector && relation.comparison != Comparison::Equal {
            let sign = relation.comparison.symbol();
            let what =
                self.described(if left.sort == Sort::Vector { &relation.left } else { &relation.right }, Sort::Vector);
            let error = Diagnostic::error(relation.span, format!("`{sign}` compares scalars, but {what}"));
            let vector = if left.sort == Sort::Vector { &relation.left } else { &relation.right };
            let (text, whole) = (crate::text_of(vector), bracketed(vector));
            self.report(error.hint(format!("compare a component, `{whole}.x`, or the length, `norm({text})`")));
        } else if sort == Sort::Frame {
            let what = self.described(&relation.left, left.sort);
            self.report(Diagnostic::error(
                relation.span,
                format!("a relation compares scalars or vectors, but {what}"),
            ));
        } else {
            let whole = Node::new(relation.left.kind.clone(), relation.span);
            self.refuse(&either(&whole, "this relation", never), mentions);
        }
        Meaning { sort, mentions }
    }

    /// What an expression is; all its names are looked up.
    pub fn meaning(&mut self, node: &Node) -> Meaning {
        match &node.kind {
            NodeKind::Number { text, unit } => self.number(node, text, unit.as_ref()),
            NodeKind::Name { name, index } => self.name(node, name, index.as_deref()),
            NodeKind::Tuple(entries) => self.tuple(node, entries),
            NodeKind::Call { name, arguments } => self.call(node, name, arguments),
            NodeKind::Prime { of, order } => self.prime(node, of, *order),
            NodeKind::Component { of, .. } => self.component(node, of),
            NodeKind::Power { base, exponent } => self.power(base, exponent),
            NodeKind::Signed { of, .. } => {
                let meaning = self.meaning(of);
                self.refuse_frame(of, meaning)
            }
            NodeKind::Product(factors) => self.product(node, factors),
            NodeKind::Sum(terms) => self.sum(terms),
        }
    }

    fn number(&mut self, node: &Node, text: &str, unit: Option<&syntax::Unit>) -> Meaning {
        if constant::exponent_of(text).is_some_and(|exponent| exponent.unsigned_abs() > 9999) {
            let error = Diagnostic::error(node.span, "this number has an exponent beyond 9999");
            self.report(error.hint("choose other units, or another number"));
        }
        if let Some(unit) = unit {
            self.unit(unit);
            self.complain_of_touching(node, unit);
        }
        match unit.is_none() && constant::is_zero(text) {
            true => Meaning::SCALAR.sorted(Sort::Zero),
            false => Meaning::SCALAR,
        }
    }

    /// `2m` beside a name `m`: metres, or twice that name?
    fn complain_of_touching(&mut self, node: &Node, unit: &syntax::Unit) {
        let Some(name) = unit.factors.first().map(|factor| factor.name) else { return };
        let is_declared = |name: &str| self.scope.entry(name).is_some() || self.later.contains_key(name);
        let is_name = unit.factors.iter().all(|factor| is_declared(factor.name));
        let before = syntax::Span::new(unit.span.start.saturating_sub(1), unit.span.start);
        let touches = !self.sources.text_of(before).starts_with([' ', '\t', '\n', '\r', '\u{0}']);
        if !is_name || !touches || unit.span.start <= node.span.start {
            return;
        }
        let number = self.sources.text_of(syntax::Span::new(node.span.start, unit.span.start)).to_owned();
        let (noun, text) = (crate::units::spoken(name), self.sources.text_of(node.span).to_owned());
        let error =
            Diagnostic::error(node.span, format!("`{text}` may be {number} {noun}, or {number} times `{name}`"));
        self.report(error.hint(format!("write `{number} {name}` for the unit, `{number}*{name}` for the product")));
    }

    /// The dimension of a unit; complains of an exponent that cannot be meant.
    pub fn unit(&mut self, unit: &syntax::Unit) -> crate::units::Dimension {
        let wild = unit.factors.iter().find(|factor| factor.exponent.saturating_abs() > LARGEST_EXPONENT);
        if let Some(factor) = wild {
            self.report(Diagnostic::error(factor.span, format!("a unit is raised to at most {LARGEST_EXPONENT}")));
            return crate::units::Dimension::NONE;
        }
        crate::units::Dimension::of(unit)
    }

    fn name(&mut self, node: &Node, name: &str, index: Option<&Node>) -> Meaning {
        if index.is_none() {
            match self.scope.local(name) {
                Some(Local::Index(_) | Local::Open(_)) => return Meaning::SCALAR,
                Some(Local::Argument(_, sort, mentions, _)) => return Meaning { sort: *sort, mentions: *mentions },
                None => {}
            }
            match name {
                "t" => return Meaning::SCALAR.with(Mentions::TIME),
                "pi" => return Meaning::SCALAR,
                "N" => return Meaning { sort: Sort::Frame, mentions: Mentions::NOTHING },
                _ => {}
            }
        }
        let Some(entry) = self.used(name, index, node.span, node.name_span().unwrap_or(node.span)) else {
            return Meaning::ANY;
        };
        if let Some(function) = &entry.function {
            let arguments = function.arguments.join(", ");
            let error =
                Diagnostic::error(node.span, format!("`{name}` takes {}", count(function.arguments.len(), "argument")));
            self.report(error.hint(format!("write `{name}({arguments})`")));
            return Meaning::ANY;
        }
        if let Some(function) = &entry.unspecified {
            let takes = count(function.arguments.len(), "argument");
            let error = Diagnostic::error(node.span, format!("`{name}` is a function and takes {takes}"));
            self.report(error.hint(format!("write `{name}({})`", function.arguments.join(", "))));
            return Meaning::ANY;
        }
        Meaning { sort: entry.sort, mentions: entry.mentions }
    }

    fn tuple(&mut self, node: &Node, entries: &[Node]) -> Meaning {
        let mut all = Meaning { sort: Sort::Vector, mentions: Mentions::NOTHING };
        for entry in entries {
            all = all.with(self.scalar(entry, "a component").mentions);
        }
        if entries.len() > 3 {
            let error =
                Diagnostic::error(node.span, format!("a vector has two or three components, found {}", entries.len()));
            self.report(error.hint("write `(a, b)` or `(a, b, c)`"));
            return Meaning::ANY;
        }
        all
    }

    /// Checks that an expression is a scalar.
    pub fn scalar(&mut self, node: &Node, what: &'static str) -> Meaning {
        self.must_be(node, what, Wanted::Scalar)
    }

    pub fn vector(&mut self, node: &Node, what: &'static str) -> Meaning {
        self.must_be(node, what, Wanted::Vector)
    }

    fn must_be(&mut self, node: &Node, what: &'static str, sort: Wanted) -> Meaning {
        self.wanted(&Is { sort, ..either(node, what, Mentions::NOTHING) })
    }

    fn prime(&mut self, node: &Node, of: &Node, order: u32) -> Meaning {
        let meaning = self.meaning(of);
        let constant = |name: &str, why: &str| (format!("`{name}'` is not a rate: {why}"), String::new());
        let entry = of.plain_name().and_then(|name| self.scope.entry(name)).map(|entry| entry.kind);
        let trouble = match (&of.kind, entry, meaning.sort) {
            (NodeKind::Number { .. }, ..) => {
                Some(("a number has no rate: it is constant".to_owned(), "leave the `'` out".to_owned()))
            }
            (NodeKind::Name { name, .. }, ..)
                if matches!(self.scope.local(name), Some(Local::Index(_) | Local::Open(_))) =>
            {
                Some(constant(name, "an index is a number"))
            }
            (NodeKind::Name { name, index: None }, ..) if name == "t" && self.scope.local(name).is_none() => {
                Some(("`t'` is not a rate: the rate of the time is 1".to_owned(), "write `1`".to_owned()))
            }
            (NodeKind::Name { name, index: None }, ..) if name == "pi" => Some(constant(name, "`pi` is a number")),
            (_, _, Sort::Frame) => {
                let text = crate::text_of(of);
                Some((
                    format!("`{text}'` is not a rate: `{text}` is a frame"),
                    format!("its angular velocity is `omega({text})`"),
                ))
            }
            (NodeKind::Name { name, .. }, Some(Kind::Parameter), _) => Some((
                format!("`{name}'` is not a rate: `{name}` is a parameter, so it is constant"),
                format!("leave it out, or declare `coord {name}` if it changes"),
            )),
            (NodeKind::Name { name, .. }, Some(Kind::Input), _) if order > 2 => Some((
                format!(
                    "of an input only the rate and the acceleration are known, not `{name}{}`",
                    "'".repeat(order as usize)
                ),
                format!("a quantity with a law of its own is a `state {name}`, one that moves a `coord {name}`"),
            )),
            _ => None,
        };
        if let Some((message, hint)) = trouble {
            let error = Diagnostic::error(node.span, message);
            self.report(if hint.is_empty() { error } else { error.hint(hint) });
            return Meaning::ANY;
        }
        Meaning { sort: meaning.sort, mentions: meaning.mentions.derived(order) }
    }

    fn component(&mut self, node: &Node, of: &Node) -> Meaning {
        let meaning = self.meaning(of);
        match meaning.sort {
            Sort::Frame => meaning.sorted(Sort::Vector),
            Sort::Vector | Sort::Zero => meaning.sorted(Sort::Scalar),
            Sort::Any => Meaning::ANY.with(meaning.mentions),
            Sort::Scalar => {
                let what = self.described(of, meaning.sort);
                let error =
                    Diagnostic::error(node.span, format!("only vectors and frames have components, but {what}"));
                self.report(error.hint("a product is written with `*`"));
                Meaning::ANY
            }
        }
    }

    fn power(&mut self, base: &Node, exponent: &Node) -> Meaning {
        let before = self.troubles();
        let base_meaning = self.meaning(base);
        let exponent_meaning = self.meaning(exponent);
        if self.troubles() > before {
            return Meaning::ANY;
        }
        if matches!(base_meaning.sort, Sort::Vector | Sort::Frame) {
            let what = self.described(base, base_meaning.sort);
            let text = crate::text_of(base);
            let error = Diagnostic::error(base.span, format!("only a scalar can be raised, but {what}"));
            self.report(error.hint(format!("its square is `dot({text}, {text})`")));
            return Meaning::ANY;
        }
        let text = crate::text_of(exponent);
        let is_constant = exponent_meaning.mentions == Mentions::NOTHING
            && (self.scope.at_corners(exponent).is_some()
                || self.scope.constant(exponent).is_some()
                || self.has_local(exponent));
        if !is_constant || !matches!(exponent_meaning.sort, Sort::Scalar | Sort::Zero | Sort::Any) {
            let error = Diagnostic::error(exponent.span, format!("the exponent `{text}` is not a number"));
            let base = crate::text_of(base);
            self.report(error.hint(format!(
                "exponents are rational numbers such as 2 or 1/2; otherwise write `exp({}*log({base}))`",
                bracketed(exponent)
            )));
            return Meaning::ANY;
        }
        base_meaning.sorted(Sort::Scalar)
    }

    /// Whether an index or an argument stands in an expression of numbers.
    fn has_local(&self, node: &Node) -> bool {
        match &node.kind {
            NodeKind::Name { name, .. } => self.scope.local(name).is_some(),
            NodeKind::Sum(terms) => terms.iter().any(|(_, term)| self.has_local(term)),
            NodeKind::Product(factors) => factors.iter().any(|(_, factor)| self.has_local(factor)),
            NodeKind::Signed { of, .. } => self.has_local(of),
            _ => false,
        }
    }

    fn product(&mut self, node: &Node, factors: &[(Scale, Node)]) -> Meaning {
        let before = self.troubles();
        let mut result = Meaning::SCALAR;
        let mut frame: Option<&Node> = None;
        let mut vector: Option<&Node> = None;
        let mut any = false;
        for (scale, factor) in factors {
            let meaning = self.meaning(factor);
            result = result.with(meaning.mentions);
            if self.troubles() > before {
                any = true;
                continue;
            }
            match (meaning.sort, scale) {
                (Sort::Vector | Sort::Frame, Scale::Over) => {
                    let what = self.described(factor, meaning.sort);
                    let error = Diagnostic::error(factor.span, format!("only a scalar can divide, but {what}"));
                    self.report(error.hint(format!("divide by its length, `norm({})`", crate::text_of(factor))));
                }
                (Sort::Frame, _) if frame.is_some() || vector.is_some() => self.complain_of_frame(node, factor, vector),
                (Sort::Frame, _) => frame = Some(factor),
                (Sort::Vector, _) if vector.is_some() => self.complain_of_vectors(vector.unwrap_or(factor), factor),
                (Sort::Vector, _) => vector = Some(factor),
                (Sort::Any | Sort::Zero, _) => any = true,
                (Sort::Scalar, _) => {}
            }
        }
        if self.troubles() > before {
            return Meaning::ANY.with(result.mentions);
        }
        match (frame, vector) {
            (Some(frame), None) if !any => {
                let text = crate::text_of(frame);
                let error =
                    Diagnostic::error(node.span, format!("`{text}` is a frame, and a frame multiplies only a vector"));
                self.report(
                    error.hint(format!("components along it are written `{text}*(a, b, c)`, its axes `{text}.x`")),
                );
                Meaning::ANY
            }
            (_, Some(_)) | (Some(_), _) => result.sorted(Sort::Vector),
            _ if any && factors.len() == 1 => result.sorted(Sort::Any),
            _ if any => result.sorted(self.zero_or_any(factors)),
            _ => result,
        }
    }

    /// A product with the literal 0 is 0; one with something unknown is unknown.
    fn zero_or_any(&self, factors: &[(Scale, Node)]) -> Sort {
        let zero = |node: &Node| matches!(&node.kind, NodeKind::Number { text, unit: None } if constant::is_zero(text));
        match factors.iter().any(|(_, factor)| zero(factor)) {
            true => Sort::Zero,
            false => Sort::Any,
        }
    }

    fn complain_of_frame(&mut self, node: &Node, frame: &Node, vector: Option<&Node>) {
        let text = crate::text_of(frame);
        let error = Diagnostic::error(node.span, format!("the frame `{text}` cannot stand here"));
        self.report(match vector {
            Some(vector) => {
                error.hint(format!("a frame stands before its components: `{text}*{}`", crate::text_of(vector)))
            }
            None => error.hint("a frame multiplies a vector, not another frame"),
        });
    }

    fn complain_of_vectors(&mut self, first: &Node, second: &Node) {
        let (a, b) = (crate::text_of(first), crate::text_of(second));
        let error = Diagnostic::error(
            first.span.to(second.span),
            format!("`{a}` and `{b}` are vectors: which product is meant?"),
        );
        self.report(error.hint(format!("write `dot({a}, {b})` or `cross({a}, {b})`")));
    }

    fn sum(&mut self, terms: &[(Sign, Node)]) -> Meaning {
        let before = self.troubles();
        let mut first: Option<(&Node, Sort)> = None;
        let mut result = Meaning::SCALAR.sorted(Sort::Zero);
        for (_, term) in terms {
            let meaning = self.meaning(term);
            let meaning = self.refuse_frame(term, meaning);
            result = result.with(meaning.mentions);
            if self.troubles() > before {
                continue;
            }
            match (first, joined(result.sort, meaning.sort)) {
                (_, Some(sort)) => result.sort = sort,
                (Some((node, sort)), None) => {
                    self.complain_of_pair(node, sort, term, meaning.sort, "added", node.span.to(term.span));
                }
                (None, None) => {}
            }
            if first.is_none() && !matches!(meaning.sort, Sort::Zero | Sort::Any) {
                first = Some((term, meaning.sort));
            }
        }
        match self.troubles() > before {
            true => Meaning::ANY.with(result.mentions),
            false => result,
        }
    }

    pub fn complain_of_pair(&mut self, a: &Node, a_sort: Sort, b: &Node, b_sort: Sort, verb: &str, span: syntax::Span) {
        let (first, second) = (self.described(a, a_sort), self.described(b, b_sort));
        let error = Diagnostic::error(span, format!("{first}, and {second}: they cannot be {verb}"));
        let (vector, scalar) = if a_sort == Sort::Vector { (a, b) } else { (b, a) };
        if let Some(hint) = self.axis_meant(scalar) {
            return self.report(error.hint(hint));
        }
        let hint = format!(
            "take a component of the vector, `{}.x`, or give the scalar a direction, `{}*N.x`",
            bracketed(vector),
            bracketed(scalar)
        );
        self.report(error.hint(hint));
    }

    pub fn refuse_frame(&mut self, node: &Node, meaning: Meaning) -> Meaning {
        if meaning.sort != Sort::Frame {
            return meaning;
        }
        let text = crate::text_of(node);
        let error = Diagnostic::error(node.span, format!("`{text}` is a frame, not a value"));
        self.report(error.hint(format!("components along it are written `{text}*(a, b, c)`, its axes `{text}.x`")));
        Meaning::ANY
    }

    /// Where a component of a body's place stands and its axis seems to be meant: what to write.
    fn axis_meant(&self, node: &Node) -> Option<String> {
        crate::walk::find(node, &mut |node| {
            let NodeKind::Component { of, .. } = &node.kind else { return None };
            let NodeKind::Name { name, .. } = &of.kind else { return None };
            let frame = self.scope.turns_with(name)?;
            let (text, body) = (crate::text_of(node), crate::text_of(of));
            let axis = text.strip_prefix(body.as_str()).unwrap_or_default().to_owned();
            Some(format!(
                "`{text}` is a component of the place of the body `{body}`; the axis of its frame is `{frame}{axis}`"
            ))
        })
    }

    /// ``` `P` is a point ```, with the vector said where it helps.
    fn described(&self, node: &Node, sort: Sort) -> String {
        let text = crate::text_of(node);
        let name = match &node.kind {
            NodeKind::Name { name, .. } if self.scope.local(name).is_none() => self.scope.entry(name),
            _ => None,
        };
        match (name.map(|entry| entry.kind), sort) {
            (Some(Kind::Point), _) => format!("`{text}` is a point, which is a vector"),
            (Some(Kind::Body), _) => format!("`{text}` is a body, whose mass centre is a vector"),
            (Some(Kind::Abbreviation | Kind::Observation), _) | (None, _) => format!("`{text}` is {}", sort.noun()),
            (Some(kind), Sort::Scalar) => format!("`{text}` is {}, which is a scalar", kind.noun()),
            (Some(kind), _) => format!("`{text}` is {}", kind.noun()),
        }
    }
}

/// The sort of two things that stand beside each other; `None` if they do not fit.
pub(crate) fn joined(a: Sort, b: Sort) -> Option<Sort> {
    match (a, b) {
        (Sort::Any, _) | (_, Sort::Any) => Some(if a == Sort::Any { b } else { a }),
        (Sort::Zero, Sort::Scalar | Sort::Vector | Sort::Zero) => Some(b),
        (Sort::Scalar | Sort::Vector, Sort::Zero) => Some(a),
        _ if a == b => Some(a),
        _ => None,
    }
}

/// The text of an expression, in brackets where an operator after it needs them.
pub(crate) fn bracketed(node: &Node) -> String {
    let text = crate::text_of(node);
    match node.kind {
        NodeKind::Sum(_) | NodeKind::Product(_) | NodeKind::Signed { .. } => format!("({text})"),
        NodeKind::Number { unit: Some(_), .. } => format!("({text})"),
        _ => text,
    }
}

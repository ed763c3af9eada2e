//! Do the units fit? The dimension of every expression, from those of its parts.
//!
//! ```text
//! [a + b] = [a] = [b]     [a*b] = [a]·[b]     [sqrt(a)] = [a]^½     [x'] = [x]/s     sin: a number
//! ```
//!
//! `None` is a dimension that is not known, such as that of the literal 0: it fits everywhere.

use std::rc::Rc;

use syntax::{Arguments, Diagnostic, Node, NodeKind, Relation, Scale, Sign, Span, Unit, UnitFactor};

use crate::check::Checker;
use crate::constant;
use crate::kind::{Kind, Meaning};
use crate::scope::{Function, LabelUse, Local};
use crate::steps::{ENERGY, FORCE, Is, LENGTH, POWER};
use crate::units::{Dimension, spoken};
use crate::walk;
use crate::words::{FunctionKind, function};

/// The bodies of functions are measured this often at most, and this deep.
const MOST_MEASURED: usize = 10_000;
const DEEPEST_CALL: usize = 32;

impl Checker<'_> {
    /// The dimension of an expression; complains where parts of it do not fit.
    pub fn measure(&mut self, node: &Node) -> Option<Dimension> {
        let dimension = match &node.kind {
            NodeKind::Number { text, unit: None } => (!constant::is_zero(text)).then_some(Dimension::NONE),
            NodeKind::Number { unit: Some(unit), .. } => Some(Dimension::of(unit)),
            NodeKind::Name { name, .. } => self.measure_name(name),
            NodeKind::Tuple(_) => self.measure_entries(node),
            NodeKind::Call { name, arguments } => self.measure_call(node, name, arguments),
            NodeKind::Prime { of, order } => {
                let of = self.measure(of)?;
                Some(of.over(&Dimension::new(0, 0, i64::from(*order))))
            }
            NodeKind::Component { of, .. } | NodeKind::Signed { of, .. } => self.measure(of),
            NodeKind::Power { base, exponent } => self.measure_power(base, exponent),
            NodeKind::Product(factors) => self.measure_product(factors),
            NodeKind::Sum(terms) => self.measure_sum(terms),
        };
        dimension.filter(Dimension::is_sane)
    }

    fn measure_name(&self, name: &str) -> Option<Dimension> {
        match self.scope.local(name) {
            Some(Local::Index(_) | Local::Open(_)) => return Some(Dimension::NONE),
            Some(Local::Argument(.., dimension)) => return dimension.clone(),
            None => {}
        }
        match name {
            "t" => Some(Dimension::new(0, 0, 1)),
            "pi" | "N" => Some(Dimension::NONE),
            _ => self.scope.entry(name)?.dimension.clone(),
        }
    }

    /// The one dimension of all entries of a tuple.
    pub fn measure_entries(&mut self, node: &Node) -> Option<Dimension> {
        let NodeKind::Tuple(entries) = &node.kind else {
            return self.measure(node);
        };
        self.alike(entries.iter(), "are entries of one tuple")
    }

    /// The one dimension of several expressions; complains of the first that differs.
    fn alike<'n>(&mut self, nodes: impl Iterator<Item = &'n Node>, why: &str) -> Option<Dimension> {
        let mut first: Option<(&Node, Dimension)> = None;
        let mut told = false;
        for node in nodes {
            let Some(found) = self.measure(node) else {
                continue;
            };
            match &first {
                None => first = Some((node, found)),
                Some((_, dimension)) if *dimension == found || told => {}
                Some((other, dimension)) => {
                    let span = other.span.to(node.span);
                    let (a, b) = (crate::text_of(other), crate::text_of(node));
                    let message = format!("`{a}` {}, `{b}` {}, and they {why}", dimension.said(), found.said());
                    self.complain_of_units(span, message, &[(other, dimension, &found), (node, &found, dimension)]);
                    told = true;
                }
            }
        }
        first.map(|(_, dimension)| dimension).filter(|_| !told)
    }

    fn measure_sum(&mut self, terms: &[(Sign, Node)]) -> Option<Dimension> {
        self.alike(terms.iter().map(|(_, term)| term), "cannot be added")
    }

    fn measure_product(&mut self, factors: &[(Scale, Node)]) -> Option<Dimension> {
        let mut product = Some(Dimension::NONE);
        for (scale, factor) in factors {
            let factor = self.measure(factor);
            product = match (product, factor, scale) {
                (Some(product), Some(factor), Scale::Times) => Some(product.times(&factor)),
                (Some(product), Some(factor), Scale::Over) => Some(product.over(&factor)),
                _ => None,
            }
            .filter(Dimension::is_sane);
        }
        product
    }

    fn measure_power(&mut self, base: &Node, exponent: &Node) -> Option<Dimension> {
        let found = self.measure(exponent);
        if let Some(found) = found.filter(|found| !found.is_none()) {
            let text = crate::text_of(exponent);
            let message = format!("the exponent `{text}` {}, but an exponent is a number", found.said());
            self.complain_of_units(exponent.span, message, &[(exponent, &found, &Dimension::NONE)]);
        }
        let base = self.measure(base)?;
        if base.is_none() {
            return Some(base);
        }
        let value = self.scope.constant(exponent)?;
        Some(base.power(&value))
    }

    /// Compares the two sides of a relation.
    pub fn measure_relation(&mut self, relation: &Relation) -> Option<Dimension> {
        let before = self.troubles();
        let left = self.measure(&relation.left);
        let right = self.measure(&relation.right);
        let (left, right) = match (left, right) {
            (Some(left), Some(right)) => (left, right),
            (left, right) => return left.or(right),
        };
        if left != right && self.troubles() == before {
            let (a, b) = (crate::text_of(&relation.left), crate::text_of(&relation.right));
            let message = format!("the two sides differ: `{a}` {}, `{b}` {}", left.said(), right.said());
            let parts = [(&relation.left, &left, &right), (&relation.right, &right, &left)];
            self.complain_of_units(relation.span, message, &parts);
            return None;
        }
        Some(left)
    }

    /// The dimensions of all terms of a relation that do not fit; or what was found deeper inside.
    pub fn said_of_terms(&mut self, relation: &Relation, found: Diagnostic) -> String {
        let mut terms: Vec<&Node> = Vec::new();
        for side in [&relation.left, &relation.right] {
            match &side.kind {
                NodeKind::Sum(list) => terms.extend(list.iter().map(|(_, term)| term)),
                _ => terms.push(side),
            }
        }
        let before = self.troubles();
        let sized: Vec<(String, Option<Dimension>)> = self.quietly(|checker| {
            let sized = terms.iter().map(|term| (crate::text_of(term), checker.measure(term))).collect();
            match checker.troubles() > before {
                true => Vec::new(),
                false => sized,
            }
        });
        let hint = found.hint.map(|hint| format!(" ({hint})")).unwrap_or_default();
        if sized.is_empty() {
            return found.message + &hint;
        }
        let said = sized.iter().filter_map(|(text, size)| Some(format!("`{text}` {}", size.as_ref()?.said())));
        said.collect::<Vec<_>>().join(", ") + &hint
    }

    /// An expression is not of the dimension that its place asks for.
    pub fn complain_of_size(&mut self, is: &Is<'_>, found: &Dimension, expected: &Dimension) {
        let text = crate::text_of(is.node);
        let message = match expected.is_none() {
            true => format!("{} is a number without a unit, but `{text}` {}", is.what, found.said()),
            false => format!("{} {}, but `{text}` {}", is.what, expected.said(), found.said()),
        };
        self.complain_of_units(is.node.span, message, &[(is.node, found, expected)]);
    }

    // ---------------------------------------------------------------------------------------
    // Calls

    fn measure_call(&mut self, node: &Node, name: &str, arguments: &Arguments) -> Option<Dimension> {
        let Some((kind, _)) = function(name).filter(|_| !self.is_own_operator(name)) else {
            return self.measure_own(node, name, arguments);
        };
        let fixed = |[m, kg, s]: [i64; 3]| Some(Dimension::new(m, kg, s));
        match (kind, arguments) {
            (FunctionKind::If, Arguments::Choice { when, then, otherwise }) => {
                self.measure_relation(when);
                self.alike([then.as_ref(), otherwise.as_ref()].into_iter(), "are the two values of one `if`")
            }
            (FunctionKind::Sum, Arguments::For { what, ranges }) => {
                let count = self.scope.locals.len();
                self.scope.locals.extend(ranges.iter().cloned().map(Local::Index));
                let dimension = self.measure(what);
                self.scope.locals.truncate(count);
                dimension
            }
            (FunctionKind::Velocity, Arguments::At { place, .. }) => {
                self.measure_position(place);
                fixed([1, 0, -1])
            }
            (_, Arguments::List(list)) => self.measure_list(name, kind, list),
            _ => None,
        }
    }

    /// The dimension of a function of the language. Long: a table.
    fn measure_list(&mut self, name: &str, kind: FunctionKind, list: &[Node]) -> Option<Dimension> {
        let fixed = |[m, kg, s]: [i64; 3]| Some(Dimension::new(m, kg, s));
        match (kind, list) {
            (FunctionKind::Number, [argument]) => {
                self.measure_number(name, argument);
                Some(Dimension::NONE)
            }
            (FunctionKind::Root(root), [argument]) => {
                Some(self.measure(argument)?.power(&expr::Rational::new(1, root)?))
            }
            (FunctionKind::Same | FunctionKind::Norm, [argument]) => self.measure(argument),
            (FunctionKind::Sign | FunctionKind::Direction, [argument]) => {
                self.measure(argument);
                Some(Dimension::NONE)
            }
            (FunctionKind::Angle, _) => {
                self.alike(list.iter(), &format!("are arguments of one `{name}`"));
                Some(Dimension::NONE)
            }
            (FunctionKind::Choice, _) => self.alike(list.iter(), &format!("are arguments of one `{name}`")),
            (FunctionKind::Dot | FunctionKind::Cross, [a, b]) => {
                let (a, b) = (self.measure(a), self.measure(b));
                Some(a?.times(&b?))
            }
            (FunctionKind::Velocity, [place]) => {
                self.measure_position(place);
                fixed([1, 0, -1])
            }
            (FunctionKind::Acceleration, [place]) => {
                self.measure_position(place);
                fixed([1, 0, -2])
            }
            (FunctionKind::Omega, _) => fixed([0, 0, -1]),
            (FunctionKind::Multiplier, [label]) => self.measure_multiplier(label),
            (FunctionKind::Reaction, _) => fixed(FORCE),
            (FunctionKind::ReactionTorque | FunctionKind::Energy, _) => fixed(ENERGY),
            (FunctionKind::Momentum, _) => fixed([1, 1, -1]),
            (FunctionKind::AngularMomentum, [place]) => {
                self.measure_position(place);
                fixed([2, 1, -1])
            }
            (FunctionKind::OfSystem(size), _) => fixed(size),
            (FunctionKind::Seen, [argument]) => self.measure(argument),
            (FunctionKind::GeneralizedForce, [of]) => {
                let NodeKind::Name { name, .. } = &of.kind else { return None };
                let work = match self.scope.entry(name)?.kind {
                    Kind::Speed => POWER,
                    Kind::Coordinate => ENERGY,
                    _ => return None,
                };
                Some(fixed(work)?.over(&self.measure(of)?))
            }
            (FunctionKind::GeneralizedMomentum, [of]) => Some(fixed([2, 1, -1])?.over(&self.measure(of)?)),
            (FunctionKind::Integral, [of, variable, from, to]) => {
                let name = crate::calls::bound_name(variable)?.to_owned();
                let length = self.alike([from, to].into_iter(), "are the limits of one integral");
                let any = Meaning::ANY;
                self.scope.locals.push(Local::Argument(name, any.sort, any.mentions, length.clone()));
                let of = self.measure(of);
                self.scope.locals.pop();
                Some(of?.times(&length?))
            }
            (FunctionKind::Slope, [of, by]) => {
                let (of, by) = (self.measure(of), self.measure(by));
                Some(of?.over(&by?))
            }
            _ => None,
        }
    }

    /// The argument of a sine or an exponential.
    fn measure_number(&mut self, name: &str, argument: &Node) {
        let Some(found) = self.measure(argument).filter(|found| !found.is_none()) else {
            return;
        };
        let text = crate::text_of(argument);
        let wanted = match name {
            "sin" | "cos" | "tan" => "an angle",
            _ => "a number",
        };
        let message = format!("`{name}` takes {wanted}, but `{text}` {}", found.said());
        self.complain_of_units(argument.span, message, &[(argument, &found, &Dimension::NONE)]);
    }

    fn measure_position(&mut self, place: &Node) {
        let length = Dimension::new(LENGTH[0], LENGTH[1], LENGTH[2]);
        let Some(found) = self.measure(place).filter(|found| *found != length) else {
            return;
        };
        let text = crate::text_of(place);
        let message = format!("a position {}, but `{text}` {}", length.said(), found.said());
        self.complain_of_units(place.span, message, &[(place, &found, &length)]);
    }

    /// λ·∂f/∂q⁽ᵏ⁾ is a force on q, so λ has the dimension J/([f]·sᵏ).
    fn measure_multiplier(&self, label: &Node) -> Option<Dimension> {
        let NodeKind::Name { name, .. } = &label.kind else {
            return None;
        };
        let label = self.scope.label(LabelUse::Constraint, name)?;
        let [m, kg, s] = ENERGY;
        Some(Dimension::new(m, kg, s - label.order).over(label.dimension.as_ref()?))
    }

    /// A `let` with arguments: its body with the dimensions of the arguments here.
    fn measure_own(&mut self, node: &Node, name: &str, arguments: &Arguments) -> Option<Dimension> {
        let Arguments::List(list) = arguments else {
            return None;
        };
        let before = self.troubles();
        let dimensions: Vec<Option<Dimension>> = list.iter().map(|argument| self.measure(argument)).collect();
        if let Some(known) = self.scope.entry(name)?.unspecified.clone() {
            for ((argument, found), wanted) in list.iter().zip(&dimensions).zip(&known.dimensions) {
                let (Some(found), Some(wanted)) = (found, wanted) else { continue };
                if found != wanted && self.troubles() == before {
                    let text = crate::text_of(argument);
                    let message = format!("this argument of `{name}` {}, but `{text}` {}", wanted.said(), found.said());
                    self.complain_of_units(argument.span, message, &[(argument, found, wanted)]);
                }
            }
            return self.scope.entry(name)?.dimension.clone();
        }
        let function: Rc<Function> = self.scope.entry(name)?.function.clone()?;
        if self.troubles() > before || self.depth >= DEEPEST_CALL || self.measured >= MOST_MEASURED {
            return None;
        }
        let arguments = function.arguments.iter().zip(dimensions);
        let any = Meaning::ANY;
        let locals =
            arguments.map(|(name, dimension)| Local::Argument(name.clone(), any.sort, any.mentions, dimension));
        let outer = std::mem::replace(&mut self.scope.locals, locals.collect());
        self.depth += 1;
        self.measured += 1;
        let told = self.diagnostics.len();
        let dimension = self.measure(&function.body);
        self.depth -= 1;
        self.scope.locals = outer;
        self.retell(told, node, name);
        dimension
    }

    // ---------------------------------------------------------------------------------------
    // What may be behind it

    /// Complains that dimensions do not fit, and says what may have been misread. Every part comes
    /// with its dimension and with the one that would fit.
    fn complain_of_units(&mut self, span: Span, message: String, parts: &[(&Node, &Dimension, &Dimension)]) {
        let mut error = Diagnostic::error(span, message);
        let misread = || parts.iter().find_map(|(node, found, fits)| self.misread_unit(node, found, fits));
        let number = || parts.iter().find_map(|(node, found, fits)| forgotten_number(node, found, fits));
        let unit = || parts.iter().find_map(|(node, ..)| self.forgotten_unit(node));
        let divided = || parts.iter().find_map(|(node, ..)| divided_unit(node));
        error.hint = misread().or_else(divided).or_else(number).or_else(unit);
        self.report(error);
    }

    /// `2 N/m*s` beside a name `s`: the unit swallowed the name. Told if with the name it would fit.
    fn misread_unit(&self, node: &Node, found: &Dimension, fits: &Dimension) -> Option<String> {
        walk::find(node, &mut |node| {
            let NodeKind::Number { text, unit: Some(unit) } = &node.kind else {
                return None;
            };
            (0..unit.factors.len()).rev().find_map(|cut| {
                let (kept, swallowed) = unit.factors.split_at(cut);
                let mut corrected = found.clone();
                let mut names = String::new();
                for factor in swallowed {
                    let alone = Unit { factors: vec![factor.clone()], span: factor.span };
                    let named = self.scope.entry(factor.name)?.dimension.as_ref()?;
                    let exponent = crate::units::exponent(factor);
                    corrected = corrected.over(&Dimension::of(&alone)).times(&named.power(&exponent));
                    names += if factor.exponent < 0 { "/" } else { "*" };
                    let above = UnitFactor { exponent: factor.exponent.saturating_abs(), ..factor.clone() };
                    names += &syntax::format_unit(&Unit { factors: vec![above], span: factor.span });
                }
                let kept = Unit { factors: kept.to_vec(), span: unit.span };
                let quantity = match cut {
                    0 => text.clone(),
                    _ => format!("({text} {})", syntax::format_unit(&kept)),
                };
                let name = swallowed.first()?.name;
                let (noun, spoken) = (self.noun_of(name), spoken(name));
                let hint = format!("`{name}` was read as {spoken}; for the {noun} `{name}` write `{quantity}{names}`");
                (corrected == *fits).then_some(hint)
            })
        })
    }

    fn noun_of(&self, name: &str) -> &'static str {
        let noun = self.scope.entry(name).map_or("a name", |entry| entry.kind.noun());
        noun.trim_start_matches("an ").trim_start_matches("a ")
    }

    /// A name that was declared without a unit, in a model that uses units.
    fn forgotten_unit(&self, node: &Node) -> Option<String> {
        walk::find(node, &mut |node| {
            let NodeKind::Name { name, .. } = &node.kind else {
                return None;
            };
            let entry = self.scope.entry(name).filter(|_| self.scope.local(name).is_none())?;
            let bare = !entry.has_unit && entry.dimension.as_ref().is_some_and(Dimension::is_none);
            match entry.kind {
                Kind::Coordinate if bare => Some(format!(
                    "`{name}` was declared without a unit, so it is a number; write `coord {name} : m` for a length"
                )),
                Kind::Parameter if bare && entry.value.is_some() => {
                    Some(format!("`{name}` was declared without a unit, so it is a number; give its value a unit"))
                }
                _ => None,
            }
        })
    }

    /// Whether an expression names a unit, or something that has one.
    pub fn says_unit(&self, node: &Node) -> bool {
        let found = walk::find(node, &mut |node| match &node.kind {
            NodeKind::Number { unit: Some(_), .. } => Some(()),
            NodeKind::Name { name, .. } => self.scope.entry(name).filter(|entry| entry.has_unit).map(drop),
            _ => None,
        });
        found.is_some()
    }
}

/// `100/3.6 m/s`: a number over a quantity, whose unit is below the line with it.
fn divided_unit(node: &Node) -> Option<String> {
    walk::find(node, &mut |node| {
        let NodeKind::Product(factors) = &node.kind else { return None };
        let [(_, above), (Scale::Over, below)] = &factors[..] else { return None };
        let (NodeKind::Number { unit: None, text: above }, NodeKind::Number { unit: Some(unit), text: below }) =
            (&above.kind, &below.kind)
        else {
            return None;
        };
        let unit = syntax::format_unit(unit);
        Some(format!("the unit belongs to `{below}`, below the line; write `({above}/{below})*(1 {unit})`"))
    })
}

/// A bare number beside a quantity: its unit was forgotten.
fn forgotten_number(node: &Node, found: &Dimension, fits: &Dimension) -> Option<String> {
    let number = match &node.kind {
        NodeKind::Tuple(entries) => entries.iter().find(|entry| is_number(entry))?,
        _ => node,
    };
    let unit = fits.unit();
    let forgotten = found.is_none() && is_number(number) && !unit.is_empty() && !unit.contains('(');
    forgotten.then(|| format!("write `{} {unit}`, if that is its unit", crate::text_of(number)))
}

fn is_number(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Number { unit: None, text } => !constant::is_zero(text),
        NodeKind::Signed { of, .. } => is_number(of),
        _ => false,
    }
}

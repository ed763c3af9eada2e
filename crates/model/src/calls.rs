//! Does every call fit its function? Those of the language, and `let` with arguments.

use syntax::{Arguments, Diagnostic, Node, NodeKind, Relation, nearest};

use crate::check::Checker;
use crate::declaration::Name;
use crate::kind::{Kind, Meaning, Mentions, Sort};
use crate::parse::count;
use crate::scope::{Entry, LabelUse, Local};
use crate::sorts::joined;
use crate::steps::{Is, place};
use crate::words::{FOREIGN_FUNCTIONS, FunctionKind, function, function_names, is_operator};

/// Functions may call each other this deep.
const DEEPEST_CALL: usize = 32;

impl Checker<'_> {
    pub fn call(&mut self, node: &Node, name: &str, arguments: &Arguments) -> Meaning {
        if let Some((kind, usage)) = function(name).filter(|_| !self.is_own_operator(name)) {
            return self.function(node, kind, usage, arguments);
        }
        match self.scope.entry(name).cloned() {
            Some(entry) if entry.function.is_some() => self.own_function(node, name, &entry, arguments),
            Some(entry) if entry.unspecified.is_some() => self.unspecified(node, name, &entry, arguments),
            found => {
                self.arguments(arguments);
                if !matches!(found, Some(Entry { kind: Kind::Broken, .. })) {
                    self.complain_of_function(node, name, found);
                }
                Meaning::ANY
            }
        }
    }

    /// Whether a function of the model has the name of an operator.
    pub fn is_own_operator(&self, name: &str) -> bool {
        let is_own = |entry: &Entry| entry.function.is_some() || entry.unspecified.is_some();
        is_operator(name) && self.scope.entry(name).is_some_and(is_own)
    }

    fn complain_of_function(&mut self, node: &Node, name: &str, found: Option<Entry>) {
        if self.is_full() {
            return;
        }
        let span = node.name_span().unwrap_or(node.span);
        if found.is_some() || self.scope.local(name).is_some() {
            let error = Diagnostic::error(span, format!("`{name}` is not a function"));
            return self.report(error.hint(format!("a product is written `{name}*(…)`")));
        }
        if self.later.contains_key(name) {
            return self.complain_of_unknown(name, span);
        }
        let error = Diagnostic::error(span, format!("there is no function `{name}`"));
        let foreign = FOREIGN_FUNCTIONS.iter().find(|row| row.0 == name).map(|row| row.1);
        let is_own = |entry: &Entry| entry.function.is_some() || entry.unspecified.is_some();
        let own = self.scope.names().filter(|(_, entry)| is_own(entry)).map(|row| row.0);
        let near = foreign.or_else(|| nearest(name, function_names().chain(own)));
        let functions: Vec<&str> = function_names().collect();
        let diagnostic = match near {
            Some(near) if near.contains(' ') => error.hint(format!("write {near}")),
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error.hint(format!("functions are {}", functions.join(" "))),
        };
        self.report(diagnostic);
    }

    /// Looks at all arguments of a call that cannot be understood.
    fn arguments(&mut self, arguments: &Arguments) {
        match arguments {
            Arguments::List(list) => {
                for node in list {
                    self.meaning(node);
                }
            }
            Arguments::Choice { when, then, otherwise } => {
                for node in [&when.left, &when.right, then, otherwise] {
                    self.meaning(node);
                }
            }
            Arguments::At { what, place } => {
                self.meaning(what);
                self.meaning(place);
            }
            Arguments::For { what, ranges } => {
                let count = self.scope.locals.len();
                for range in ranges {
                    self.open_range(range);
                }
                self.meaning(what);
                self.scope.locals.truncate(count);
            }
        }
    }

    fn function(&mut self, node: &Node, kind: FunctionKind, usage: &str, arguments: &Arguments) -> Meaning {
        let list: &[Node] = match arguments {
            Arguments::List(list) => list,
            _ => &[],
        };
        match (kind, arguments) {
            (FunctionKind::If, Arguments::Choice { when, then, otherwise }) => self.choice(node, when, then, otherwise),
            (FunctionKind::Sum, Arguments::For { what, ranges }) => {
                let count = self.scope.locals.len();
                for range in ranges {
                    self.open_range(range);
                }
                let meaning = self.meaning(what);
                let meaning = self.refuse_frame(what, meaning);
                self.scope.locals.truncate(count);
                meaning
            }
            (FunctionKind::Velocity, Arguments::At { what, place }) => {
                self.material(what, "velocity", &[Kind::Body]);
                let place = self.vector(place, "the place on a body");
                Meaning { sort: Sort::Vector, mentions: place.mentions.and(Mentions::POSITION).derived(1) }
            }
            (_, Arguments::List(_)) if fits(kind, list.len()) => self.of_list(node, kind, list),
            _ => {
                self.arguments(arguments);
                let NodeKind::Call { name, .. } = &node.kind else {
                    return Meaning::ANY;
                };
                let error = Diagnostic::error(node.span, format!("`{name}` does not take these arguments"));
                self.report(error.hint(format!("write `{usage}`")));
                Meaning::ANY
            }
        }
    }

    fn choice(&mut self, node: &Node, when: &Relation, then: &Node, otherwise: &Node) -> Meaning {
        let before = self.troubles();
        let condition = self.related(when, Mentions::NOTHING);
        if condition.sort == Sort::Vector && self.troubles() == before {
            let error = Diagnostic::error(when.span, "the condition of `if` compares scalars, not vectors");
            self.report(error.hint("compare a component, `v.x`, or the length, `norm(v)`"));
        }
        let (a, b) = (self.meaning(then), self.meaning(otherwise));
        let mentions = condition.mentions.and(a.mentions).and(b.mentions);
        if self.troubles() > before {
            return Meaning { sort: Sort::Any, mentions };
        }
        match joined(a.sort, b.sort) {
            Some(sort) => Meaning { sort, mentions },
            None => {
                self.complain_of_pair(then, a.sort, otherwise, b.sort, "the two values of one `if`", node.span);
                Meaning { sort: Sort::Any, mentions }
            }
        }
    }

    /// Long: a table.
    fn of_list(&mut self, node: &Node, kind: FunctionKind, list: &[Node]) -> Meaning {
        let known_when_running = Meaning::SCALAR.with(Mentions::REACTION);
        let of_a_constraint = Meaning::SCALAR.with(Mentions::MULTIPLIER);
        match kind {
            FunctionKind::Number | FunctionKind::Root(_) | FunctionKind::Same | FunctionKind::Sign => {
                self.scalars(list).sorted(Sort::Scalar)
            }
            FunctionKind::Angle | FunctionKind::Choice => self.scalars(list).sorted(Sort::Scalar),
            FunctionKind::Dot => self.vectors(list, "an argument of `dot`").sorted(Sort::Scalar),
            FunctionKind::Cross => self.vectors(list, "an argument of `cross`"),
            FunctionKind::Norm => self.vectors(list, "the argument of `norm`").sorted(Sort::Scalar),
            FunctionKind::Direction => self.vectors(list, "the argument of `unit`"),
            FunctionKind::Velocity => self.moving(&list[0], 1),
            FunctionKind::Acceleration => self.moving(&list[0], 2),
            FunctionKind::Omega => {
                self.material(&list[0], "omega", &[Kind::Body, Kind::Frame]);
                let mentions = Mentions::POSITION.and(Mentions::TIME).derived(1);
                Meaning { sort: Sort::Vector, mentions }
            }
            FunctionKind::Multiplier => {
                let label = self.label_argument(node, &list[0], &[LabelUse::Constraint]);
                of_a_constraint.sorted(label)
            }
            FunctionKind::Reaction => {
                self.label_argument(node, &list[0], &[LabelUse::Constraint, LabelUse::Contact, LabelUse::Joint]);
                if let Some(on) = list.get(1) {
                    self.material(on, "reaction", &[Kind::Point, Kind::Body]);
                }
                of_a_constraint.sorted(Sort::Vector)
            }
            FunctionKind::ReactionTorque => {
                self.label_argument(node, &list[0], &[LabelUse::Joint]);
                of_a_constraint.sorted(Sort::Vector)
            }
            FunctionKind::Energy => known_when_running,
            FunctionKind::Momentum => known_when_running.sorted(Sort::Vector),
            FunctionKind::AngularMomentum => {
                self.vectors(list, "the argument of `angular_momentum`");
                known_when_running.sorted(Sort::Vector)
            }
            FunctionKind::OfSystem(_) => known_when_running,
            FunctionKind::Seen => {
                let meaning = self.meaning(&list[0]);
                self.refuse_frame(&list[0], meaning).with(Mentions::REACTION)
            }
            FunctionKind::GeneralizedForce => {
                self.variable(node, &list[0], &[Kind::Coordinate, Kind::Speed]);
                known_when_running
            }
            FunctionKind::GeneralizedMomentum => {
                self.variable(node, &list[0], &[Kind::Coordinate]);
                known_when_running
            }
            FunctionKind::Slope => {
                let meaning = self.meaning(&list[0]);
                let meaning = self.refuse_frame(&list[0], meaning).with(Mentions::REACTION);
                let by = match &list[1].kind {
                    NodeKind::Prime { of, .. } => of,
                    _ => &list[1],
                };
                if by.plain_name() != Some("t") || self.scope.local("t").is_some() {
                    self.variable(node, by, &[Kind::Coordinate, Kind::Speed]);
                } else if matches!(list[1].kind, NodeKind::Prime { .. }) {
                    self.meaning(&list[1]);
                }
                meaning
            }
            FunctionKind::Integral => self.integral(list),
            FunctionKind::If | FunctionKind::Sum => Meaning::ANY,
        }
    }

    /// `integral(e, x, a, b)`: x is a name of its own in e, whatever it means outside.
    fn integral(&mut self, list: &[Node]) -> Meaning {
        let limits = self.scalars(&list[2..]);
        let Some(name) = bound_name(&list[1]) else {
            let text = crate::text_of(&list[1]);
            let message = format!("the variable of an integral is a name of its own, found `{text}`");
            self.report(Diagnostic::error(list[1].span, message).hint(function_usage("integral")));
            return Meaning::ANY;
        };
        let rate = crate::walk::find(&list[0], &mut |part| match &part.kind {
            NodeKind::Prime { of, .. } if of.plain_name() == Some(name) => Some(part.span),
            _ => None,
        });
        if let Some(span) = rate {
            let error = Diagnostic::error(span, format!("`{name}` is the variable of this integral: it has no rate"));
            self.report(error.hint("give the variable another name"));
            return Meaning::ANY;
        }
        let before = self.troubles();
        self.scope.locals.push(Local::Argument(name.to_owned(), Sort::Scalar, Mentions::NOTHING, None));
        let meaning = self.scalar(&list[0], "the function of an integral");
        self.scope.locals.pop();
        if self.troubles() > before {
            return Meaning::ANY.with(limits.mentions);
        }
        meaning.sorted(Sort::Scalar).with(limits.mentions)
    }

    /// The name of a coordinate or a speed as an argument; an abbreviation or an argument may stand for one.
    fn variable(&mut self, call: &Node, node: &Node, kinds: &[Kind]) {
        let NodeKind::Call { name: function, .. } = &call.kind else { return };
        let NodeKind::Name { name, index } = &node.kind else {
            let text = crate::text_of(node);
            let message = format!("`{function}` needs the name of a coordinate or a speed, found `{text}`");
            return self.report(Diagnostic::error(node.span, message).hint(function_usage(function)));
        };
        if matches!(self.scope.local(name), Some(Local::Argument(..))) {
            return;
        }
        let name = Name { name: name.clone(), index: index.as_deref().cloned(), span: node.span };
        let kinds: Vec<Kind> = kinds.iter().copied().chain([Kind::Abbreviation]).collect();
        self.refers(&name, &kinds, &format!("`{function}` takes"));
    }

    fn scalars(&mut self, list: &[Node]) -> Meaning {
        list.iter()
            .fold(Meaning::SCALAR, |all, node| all.with(self.scalar(node, "the argument of this function").mentions))
    }

    fn vectors(&mut self, list: &[Node], what: &'static str) -> Meaning {
        let vector = Meaning { sort: Sort::Vector, mentions: Mentions::NOTHING };
        let before = self.troubles();
        list.iter().fold(vector, |all, node| match self.troubles() == before {
            true => all.with(self.vector(node, what).mentions),
            false => all.with(self.meaning(node).mentions),
        })
    }

    /// The derivative of a position.
    fn moving(&mut self, node: &Node, order: u32) -> Meaning {
        let meaning = self.wanted(&Is { never: Mentions::NOTHING, ..place(node, "a position") });
        Meaning { sort: Sort::Vector, mentions: meaning.mentions.derived(order) }
    }

    /// A name of one of these kinds as an argument.
    fn material(&mut self, node: &Node, function: &str, kinds: &[Kind]) {
        let NodeKind::Name { name, index } = &node.kind else {
            let text = crate::text_of(node);
            let error = Diagnostic::error(node.span, format!("`{function}` needs the name of a body, found `{text}`"));
            return self.report(error.hint(function_usage(function)));
        };
        let name = Name { name: name.clone(), index: index.as_deref().cloned(), span: node.span };
        self.refers(&name, kinds, &format!("`{function}` takes"));
    }

    fn label_argument(&mut self, node: &Node, argument: &Node, uses: &[LabelUse]) -> Sort {
        let NodeKind::Call { name: function, .. } = &node.kind else {
            return Sort::Any;
        };
        let NodeKind::Name { name, index } = &argument.kind else {
            let text = crate::text_of(argument);
            let error = Diagnostic::error(
                argument.span,
                format!("`{function}` needs the name before the colon of a constraint, found `{text}`"),
            );
            self.report(error.hint(format!("write `{function}(rod)` for `constraint rod: …`")));
            return Sort::Any;
        };
        if function == "multiplier"
            && let Some(label) = self.scope.label(LabelUse::Contact, name)
            && matches!(label.use_, LabelUse::Contact | LabelUse::Joint)
        {
            let (noun, is_joint) = (label.use_.noun(), label.use_ == LabelUse::Joint);
            let error =
                Diagnostic::error(argument.span, format!("`{name}` is {noun}: it has a reaction of several rows"));
            self.report(error.hint(match is_joint {
                true => format!("write `reaction({name})` for the force, `reaction_torque({name})` for the torque"),
                false => format!("write `reaction({name})`; its normal part is `dot(reaction({name}), n)`"),
            }));
            return Sort::Any;
        }
        let name = Name { name: name.clone(), index: index.as_deref().cloned(), span: argument.span };
        let label = self.refers_to_label(&name, uses, &format!("`{function}` takes"));
        match label.map(|label| label.sort) {
            Some(Sort::Zero) => Sort::Scalar,
            Some(sort) => sort,
            None => Sort::Any,
        }
    }

    /// A function of which only the arguments are known, at any arguments.
    fn unspecified(&mut self, node: &Node, name: &str, entry: &Entry, arguments: &Arguments) -> Meaning {
        let Some(known) = &entry.unspecified else { return Meaning::ANY };
        let usage = format!("write `{name}({})`, or other arguments in their place", known.arguments.join(", "));
        match arguments {
            Arguments::List(list) if list.len() == known.arguments.len() => self.scalars(list).sorted(Sort::Scalar),
            _ => {
                self.arguments(arguments);
                let takes = count(known.arguments.len(), "argument");
                self.report(Diagnostic::error(node.span, format!("`{name}` takes {takes}")).hint(usage));
                Meaning::ANY
            }
        }
    }

    /// A `let` with arguments: its body with what the arguments are here.
    fn own_function(&mut self, node: &Node, name: &str, entry: &Entry, arguments: &Arguments) -> Meaning {
        let Some(function) = &entry.function else {
            return Meaning::ANY;
        };
        let Arguments::List(list) = arguments else {
            self.arguments(arguments);
            let error = Diagnostic::error(node.span, format!("`{name}` takes a list of arguments"));
            self.report(error.hint(format!("write `{name}({})`", function.arguments.join(", "))));
            return Meaning::ANY;
        };
        let before = self.troubles();
        let mut meanings = Vec::new();
        for argument in list {
            let meaning = self.meaning(argument);
            meanings.push(self.refuse_frame(argument, meaning));
        }
        if list.len() != function.arguments.len() {
            let (takes, given) = (count(function.arguments.len(), "argument"), list.len());
            let error = Diagnostic::error(node.span, format!("`{name}` takes {takes}, found {given}"));
            self.report(error.hint(format!("write `{name}({})`", function.arguments.join(", "))));
        }
        let mentions = meanings.iter().fold(Mentions::NOTHING, |all, meaning| all.and(meaning.mentions));
        if self.troubles() > before || self.depth >= DEEPEST_CALL {
            return Meaning { sort: Sort::Any, mentions };
        }
        let key = (name.to_owned(), meanings.clone());
        if let Some(known) = self.known_calls.get(&key) {
            return known.with(mentions);
        }
        let arguments = function.arguments.iter().zip(&meanings);
        let locals =
            arguments.map(|(name, meaning)| Local::Argument(name.clone(), meaning.sort, meaning.mentions, None));
        let outer = std::mem::replace(&mut self.scope.locals, locals.collect());
        self.depth += 1;
        let told = self.diagnostics.len();
        let meaning = self.meaning(&function.body);
        self.depth -= 1;
        self.scope.locals = outer;
        self.retell(told, node, name);
        if self.troubles() == before {
            self.known_calls.insert(key, meaning);
        }
        meaning.with(mentions)
    }

    /// Moves what was told about the body of a function to the call that caused it.
    pub fn retell(&mut self, told: usize, call: &Node, name: &str) {
        if self.diagnostics.len() <= told {
            return;
        }
        let inner = self.diagnostics.drain(told..).next();
        if let Some(inner) = inner {
            let label = format!("`{name}` is called with these arguments");
            self.diagnostics.push(Diagnostic {
                span: call.span,
                label,
                message: format!("in `{name}`: {}", inner.message),
                ..inner
            });
        }
    }
}

/// The variable of an integral, if it is a name that can be one.
pub(crate) fn bound_name(node: &Node) -> Option<&str> {
    node.plain_name().filter(|name| crate::words::taken(name).is_none())
}

/// Whether a function takes so many arguments.
fn fits(kind: FunctionKind, arguments: usize) -> bool {
    match kind {
        FunctionKind::If | FunctionKind::Sum => false,
        FunctionKind::Integral => arguments == 4,
        FunctionKind::Energy | FunctionKind::Momentum | FunctionKind::OfSystem(_) => arguments == 0,
        FunctionKind::Angle | FunctionKind::Dot | FunctionKind::Cross | FunctionKind::Slope => arguments == 2,
        FunctionKind::Choice => arguments >= 2,
        FunctionKind::Reaction => arguments == 1 || arguments == 2,
        _ => arguments == 1,
    }
}

fn function_usage(name: &str) -> String {
    format!("write `{}`", function(name).map_or("", |row| row.1))
}

//! Is every name declared above its use? And does every element exist?

use syntax::{Diagnostic, Node, NodeKind, Sign, Span, UNITS, nearest, unit_meant};

use crate::check::Checker;
use crate::declaration::{Name, usage};
use crate::kind::Kind;
use crate::scope::{Elements, Entry, Label, LabelUse};
use crate::units::spoken;
use crate::words::{function, function_names, taken};

impl Checker<'_> {
    /// Looks a name up; complains if it is unknown, or its element is. The bare name stands at `head`.
    pub fn used(&mut self, name: &str, index: Option<&Node>, span: Span, head: Span) -> Option<Entry> {
        let Some(entry) = self.scope.entry(name).cloned() else {
            self.complain_of_unknown(name, head);
            return None;
        };
        match (&entry.elements, index) {
            _ if entry.kind == Kind::Broken => {
                index.iter().for_each(|index| self.index(index));
                return None;
            }
            (None, None) => {}
            (Some(elements), Some(index)) => self.element(name, index, elements),
            (None, Some(index)) => {
                let noun = entry.kind.noun();
                let error = Diagnostic::error(span, format!("`{name}` is {noun}, not a family"));
                self.report(error.label("it takes no index").hint(format!("write `{name}`")));
                self.index(index);
                return None;
            }
            (Some(elements), None) => {
                let error = Diagnostic::error(span, format!("`{name}` is a family of {}", elements.list()));
                self.report(error.hint(format!("name one element: `{name}[i]`")));
                return None;
            }
        }
        Some(entry)
    }

    /// Complains of an element that does not exist, or of one that is defined by itself.
    pub fn element(&mut self, name: &str, index: &Node, elements: &Elements) {
        let before = self.troubles();
        self.index(index);
        if self.troubles() > before {
            return;
        }
        let Some(values) = self.scope.at_corners(index) else {
            return self.complain_of_index(index);
        };
        if let Some(missing) = values.iter().find(|value| !elements.contains(**value)) {
            let text = crate::text_of(index);
            let error = Diagnostic::error(index.span, format!("`{name}[{missing}]` is not declared"));
            let label = if text == missing.to_string() { String::new() } else { format!("`{text}` becomes {missing}") };
            let list = elements.list();
            let hint = if list.is_empty() {
                format!("`{name}` has no elements yet")
            } else {
                format!("`{name}` has the elements {list}")
            };
            return self.report(error.label(label).hint(hint));
        }
        let own = self.own.clone().filter(|(own, _)| own == name);
        if let Some((_, own)) = own {
            let difference = vec![(Sign::Plus, index.clone()), (Sign::Minus, own)];
            let difference = Node::new(NodeKind::Sum(difference), index.span);
            if self.scope.at_corners(&difference).is_some_and(|values| values.contains(&0)) {
                let text = crate::text_of(index);
                let error = Diagnostic::error(index.span, format!("`{name}[{text}]` is used in its own definition"));
                self.report(
                    error.hint(format!("use an element that is declared before, such as `{name}[{text} - 1]`")),
                );
            }
        }
    }

    /// Checks that a name is one of the kinds that can stand here.
    pub fn refers(&mut self, name: &Name, kinds: &[Kind], what: &str) -> Option<()> {
        if name.name == "N" && name.index.is_none() {
            if kinds.contains(&Kind::Frame) {
                return Some(());
            }
            let error = Diagnostic::error(name.span, format!("{what} {}, and `N` is the inertial frame", nouns(kinds)));
            self.report(error);
            return None;
        }
        if let Some(meaning) = taken(&name.name) {
            let message = format!("{what} {}, and `{}` is {meaning}", nouns(kinds), name.name);
            self.report(Diagnostic::error(name.span, message));
            return None;
        }
        if self.scope.entry(&name.name).is_none() && !self.later.contains_key(name.name.as_str()) {
            return self.complain_of_unknown_kind(name, kinds, what);
        }
        let end = name.index.as_ref().map_or(name.span.end, |index| index.span.start.saturating_sub(1));
        let head = Span::new(name.span.start, end.max(name.span.start));
        let entry = self.used(&name.name, name.index.as_ref(), name.span, head)?;
        if kinds.contains(&entry.kind) {
            return Some(());
        }
        let message = format!("{what} {}, and `{}` is {}", nouns(kinds), name.name, entry.kind.noun());
        let error = Diagnostic::error(name.span, message);
        self.report(match self.known_of(kinds) {
            known if known.is_empty() => error.hint(declare_hint(kinds)),
            known => error.hint(format!("declared so far: {known}")),
        });
        None
    }

    fn complain_of_unknown_kind(&mut self, name: &Name, kinds: &[Kind], what: &str) -> Option<()> {
        if self.is_full() {
            return None;
        }
        let candidates: Vec<String> =
            self.scope.names().filter(|(_, entry)| kinds.contains(&entry.kind)).map(|row| row.0.to_owned()).collect();
        let frames = kinds.contains(&Kind::Frame).then_some("N");
        let near = nearest(&name.name, candidates.iter().map(String::as_str).chain(frames)).map(str::to_owned);
        let error = Diagnostic::error(name.span, format!("`{}` is not declared; {what} {}", name.name, nouns(kinds)));
        let known = self.known_of(kinds);
        self.report(match near {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None if known.is_empty() => error.hint(declare_hint(kinds)),
            None => error.hint(format!("declared so far: {known}")),
        });
        None
    }

    fn known_of(&self, kinds: &[Kind]) -> String {
        let names = self.scope.names().filter(|(_, entry)| kinds.contains(&entry.kind));
        let names: Vec<String> = names.take(8).map(|(name, _)| format!("`{name}`")).collect();
        names.join(", ")
    }

    /// Checks that a label is one of those that can stand here.
    pub fn refers_to_label(&mut self, name: &Name, uses: &[LabelUse], what: &str) -> Option<Label> {
        let found = uses.iter().find_map(|use_| self.scope.label(*use_, &name.name)).cloned();
        let Some(label) = found else {
            if self.is_full() {
                return None;
            }
            let known = uses.iter().flat_map(|use_| self.scope.labels(*use_)).filter(|row| !row.1.broken);
            let known: Vec<&str> = known.map(|row| row.0).collect();
            let near = nearest(&name.name, known.iter().copied());
            let nouns: Vec<&str> = uses.iter().map(|use_| use_.noun()).collect();
            let error =
                Diagnostic::error(name.span, format!("{what} {}, and `{}` is none", nouns.join(" or "), name.name));
            let mut known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            known.sort();
            known.dedup();
            let diagnostic = match near {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None if uses.contains(&LabelUse::Event) => {
                    error.hint("name an event above, as in `stop landed when y <= 0`")
                }
                None if known.is_empty() => error.hint("declare it above, with its name before a colon"),
                None => error.hint(format!("declared so far: {}", known.join(", "))),
            };
            self.report(diagnostic);
            return None;
        };
        if label.broken {
            return Some(label);
        }
        if !uses.contains(&label.use_) {
            let nouns: Vec<&str> = uses.iter().map(|use_| use_.noun()).collect();
            let message = format!("{what} {}, and `{}` is {}", nouns.join(" or "), name.name, label.use_.noun());
            self.report(Diagnostic::error(name.span, message));
            return None;
        }
        match (&label.elements, &name.index) {
            (None, None) => {}
            (Some(elements), Some(index)) => self.element(&name.name, index, elements),
            (None, Some(_)) => self.report(Diagnostic::error(name.span, format!("`{}` takes no index", name.name))),
            (Some(elements), None) => {
                let error = Diagnostic::error(name.span, format!("`{}` is a family of {}", name.name, elements.list()));
                self.report(error.hint(format!("name one element: `{}[i]`", name.name)));
            }
        }
        Some(label)
    }

    /// A name that nobody declared above.
    pub fn complain_of_unknown(&mut self, name: &str, span: Span) {
        if self.is_full() {
            return;
        }
        if let Some(declared) = self.later.get(name).copied() {
            return self.complain_of_early_use(name, span, declared);
        }
        if function(name).is_some() {
            let usage = function(name).map_or("", |row| row.1);
            let error = Diagnostic::error(span, format!("`{name}` is a function"));
            return self.report(error.hint(format!("write `{usage}`")));
        }
        if let Some((label, use_)) = self.label_named(name) {
            let error = Diagnostic::error(span, format!("`{label}` is {}, not a value", use_.noun()));
            let error = match use_ {
                LabelUse::Constraint => error.hint(format!("its multiplier is `multiplier({label})`")),
                LabelUse::Contact | LabelUse::Joint => error.hint(format!("its reaction is `reaction({label})`")),
                _ => error,
            };
            return self.report(error);
        }
        let error = Diagnostic::error(span, format!("`{name}` is not declared"));
        let near = {
            let names = self.scope.order.iter().map(String::as_str);
            nearest(name, names.chain(["t", "pi", "N"]).chain(function_names()))
        };
        let diagnostic = match near {
            _ if matches!(name, "time" | "T") && near.is_none() => error.hint("the time is `t`"),
            _ if unit_meant(name).is_some() => error.hint(format!(
                "as a unit it is written `{}`; otherwise declare it above, as in `param {name} = …`",
                unit_meant(name).unwrap_or_default()
            )),
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None if name.split_once('.').is_some_and(|(first, _)| self.scope.entry(first).is_some()) => {
                error.hint("components are `.x`, `.y` and `.z`")
            }
            None if UNITS.contains(&name) && self.is_below_in_brackets(span) => error
                .hint("a unit has no brackets, and after `/` only the next unit is below: `20 N*s/m`, `20 N/m/s`"),
            None if UNITS.contains(&name) => error.hint(format!(
                "if you mean {}, a unit stands only after a number: `1 {name}`; otherwise declare it above, as in `param {name} = …`",
                spoken(name)
            )),
            None if matches!(name, "O" | "origin") => error.hint(format!(
                "the origin is `(0, 0)`, in space `(0, 0, 0)`; it gets a name by `point {name} = (0, 0)`"
            )),
            None if name == "g" => error.hint("declare it above: `param g = 9.81 m/s^2`"),
            None => error.hint(format!("declare it above, as in `param {name} = …`, `coord {name} : …` or `point {name} = (…, …)`")),
        };
        self.report(diagnostic);
    }

    /// `N/(m/s)`: whether what stands before a name is a bracket below a line, with nothing but names and signs in it.
    fn is_below_in_brackets(&self, span: Span) -> bool {
        let before = self.sources.text_of(Span { start: span.start.saturating_sub(12), ..span });
        let inside = before.rsplit_once("/(").map(|pair| pair.1);
        inside.is_some_and(|text| text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '*' | '/' | '^')))
    }

    fn complain_of_early_use(&mut self, name: &str, span: Span, declared: Span) {
        let (line, here) = (self.sources.line_of(declared), self.sources.line_of(span));
        let early = Diagnostic::error(span, format!("`{name}` is used before it is declared"));
        self.report(match line == here {
            true if name.contains('[') => early.hint("elements are declared in the order of the index"),
            true => Diagnostic::error(span, format!("`{name}` is used in its own definition"))
                .hint("use what is declared above, or choose another name"),
            false => early.label(format!("declared on line {line}")).hint("move its declaration above this line"),
        });
    }

    fn label_named(&self, name: &str) -> Option<(String, LabelUse)> {
        let uses = [LabelUse::Constraint, LabelUse::Event];
        let label = uses.iter().find_map(|use_| self.scope.label(*use_, name))?;
        (!label.broken).then(|| (name.to_owned(), label.use_))
    }
}

fn nouns(kinds: &[Kind]) -> String {
    let nouns: Vec<&str> = kinds.iter().map(|kind| kind.noun()).collect();
    nouns.join(" or ")
}

fn declare_hint(kinds: &[Kind]) -> String {
    let usage = usage(kinds[0].keyword()).unwrap_or("");
    format!("declare one above, as in `{usage}`")
}

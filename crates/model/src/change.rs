//! How is a model changed from outside? `with` adds the declarations of a text, `set` gives values, `at` replaces the
//! start. Each takes the name under which messages show what was given.
//!
//! The `param`, `input`, `start` and `guess` lines of an added text override those of the model: a
//! new value takes the place of the old one. The changed model is checked as a whole.

use syntax::{Arguments, Diagnostic, Node, NodeKind, Relation, Severity, Span, nearest};

use crate::declaration::*;
use crate::kind::Kind;
use crate::parse::parse;
use crate::sources::Sources;
use crate::walk::{change_spans, find};
use crate::{Model, Parsed, Symbol, checked};

impl Model {
    /// The model with the declarations of another text, whose values override those of the model.
    ///
    /// ```
    /// let model = model::parse("", "param l = 1 m\ncoord x : m\nstart x = l").model.unwrap();
    /// let changed = model.with("other.mech", "param l = 2 m\nobserve y = 2*x").model.unwrap();
    /// assert_eq!(model::print(&changed), "param l = 2 m\ncoord x : m\nstart x = l\nobserve y = 2*x\n");
    /// ```
    pub fn with(&self, file_name: &str, text: &str) -> Parsed {
        let shift = self.sources.end();
        let sources = self.sources.followed_by(&Sources::new(file_name, text));
        let moved = |span: Span| Span::new(span.start.saturating_add(shift), span.end.saturating_add(shift));
        let mut syntax = parse(text);
        for diagnostic in &mut syntax.diagnostics {
            diagnostic.span = moved(diagnostic.span);
        }
        for (_, span) in &mut syntax.broken {
            *span = moved(*span);
        }
        let mut lines = self.lines.clone();
        for line in &mut syntax.lines {
            change_spans(line, &moved);
            if let Declaration::Use(Use { place, .. }) | Declaration::Table(Table { place, .. }) = &line.declaration {
                let message = format!("`{}` stands in the model itself", line.declaration.keyword());
                syntax.diagnostics.push(Diagnostic::error(*place, message).hint("write the line in the model file"));
                continue;
            }
            if let Err(diagnostic) = self.add(&mut lines, line) {
                syntax.diagnostics.push(diagnostic);
            }
        }
        checked(sources, lines, &syntax.broken, syntax.diagnostics)
    }

    /// The model with other values of parameters, inputs, coordinates, rates and speeds at the start.
    ///
    /// A value is an expression; a bare number is taken in SI units.
    ///
    /// ```
    /// let model = model::parse("", "param l = 1 m\ncoord x : m\nstart x = l").model.unwrap();
    /// let changed = model.set("values", &[("l", "0.5"), ("x'", "-2")]).model.unwrap();
    /// assert_eq!(model::print(&changed), "param l = 0.5 m\ncoord x : m\nstart x = l\nstart x' = -2 m/s\n");
    /// ```
    pub fn set(&self, source: &str, assignments: &[(&str, &str)]) -> Parsed {
        let mut texts = [String::new(), String::new()];
        let mut typed = String::new();
        let mut diagnostics = Vec::new();
        for (name, value) in assignments {
            let (name, value) = (one_line(name), one_line(value));
            match self.assignment(&name, &value) {
                // Elements after the integers that bound them.
                Ok(line) => texts[usize::from(name.contains('['))] += &format!("{line}\n"),
                Err(mut error) => {
                    let start = typed.len() as u32;
                    error.span =
                        Span::new(error.span.start.saturating_add(start), error.span.end.saturating_add(start));
                    diagnostics.push(error);
                }
            }
            typed += &format!("{name}={value}\n");
        }
        if !diagnostics.is_empty() {
            return Parsed { model: None, diagnostics, sources: Sources::new(source, &typed) };
        }
        let [plain, elements] = texts;
        let parsed = self.with(source, &plain);
        let parsed = match &parsed.model {
            Some(model) if !elements.is_empty() => model.with(source, &elements),
            _ => parsed,
        };
        let other = |model: &Model| {
            self.other_dimension(model, assignments).or_else(|| self.other_function(model, assignments))
        };
        match parsed.model.as_ref().and_then(other) {
            Some(error) => {
                let typed: Vec<String> = assignments.iter().map(|(name, value)| format!("{name}={value}")).collect();
                Parsed { model: None, diagnostics: vec![error], sources: Sources::new(source, &typed.join("\n")) }
            }
            None => parsed,
        }
    }

    /// A parameter keeps its dimension, whether it is used or not.
    fn other_dimension(&self, changed: &Model, assignments: &[(&str, &str)]) -> Option<Diagnostic> {
        let mut start = 0;
        assignments.iter().find_map(|(name, value)| {
            let length = (name.len() + 1 + value.len()) as u32;
            let span = Span::new(start, start + length);
            start += length + 1;
            let bare = name.split('[').next().unwrap_or(name).trim();
            let (old, new) = (self.symbol(bare)?.dimension.as_ref()?, changed.symbol(bare)?.dimension.as_ref()?);
            let error =
                || Diagnostic::error(span, format!("`{bare}` {}, and the new value {}", old.said(), new.said()));
            (old != new)
                .then(|| error().hint("give a bare number in SI units, or a value with the unit of the old one"))
        })
    }

    /// The model in another state: equations, written as after `start`, take the place of all its
    /// `start` lines. A bare number is taken in SI units.
    ///
    /// ```
    /// let model = model::parse("", "coord x, y : m\nstart x = 1 m, y = 2 m").model.unwrap();
    /// let changed = model.at("state", "y = 3, x' = -2").model.unwrap();
    /// assert_eq!(model::print(&changed), "coord x, y : m\nstart y = 3 m, x' = -2 m/s\n");
    /// ```
    pub fn at(&self, source: &str, state: &str) -> Parsed {
        let typed = format!("start {}", one_line(state));
        let lines = match crate::read_lines(&typed) {
            Ok(lines) => lines,
            Err(diagnostics) => return Parsed { model: None, diagnostics, sources: Sources::new(source, &typed) },
        };
        let mut elsewhere = self.clone();
        elsewhere.lines.retain(|line| !matches!(line.declaration, Declaration::Start(_)));
        let texts: Vec<String> = lines.iter().map(|line| self.state_line(line)).collect();
        elsewhere.with(source, &texts.join("\n"))
    }

    /// A `start` line whose bare numbers have the SI units of what they are the values of.
    fn state_line(&self, line: &Line) -> String {
        let equation = |equation: &Relation| {
            let dimension = self.dimension_of(&equation.left);
            format!("{} = {}", syntax::format(&equation.left), in_si(&equation.right, dimension.as_ref()))
        };
        let equations: Vec<String> = equations(line).iter().map(equation).collect();
        let ranges = match line.ranges.is_empty() {
            true => String::new(),
            false => format!(" for {}", crate::print::ranges(&line.ranges)),
        };
        format!("start {}{ranges}", equations.join(", "))
    }

    /// The dimension of `x`, `x'`, `a[2]` or `t`.
    fn dimension_of(&self, node: &Node) -> Option<crate::Dimension> {
        let time = crate::Dimension::new(0, 0, 1);
        match &node.kind {
            NodeKind::Prime { of, order } => (0..*order).try_fold(self.dimension_of(of)?, |d, _| Some(d.over(&time))),
            NodeKind::Name { name, .. } if name == "t" => self.has_units.then_some(time),
            NodeKind::Name { name, .. } => self.symbol(name)?.dimension.clone(),
            _ => None,
        }
    }

    /// The declaration that sets a value; places in an error count from the start of `name=value`.
    fn assignment(&self, name: &str, value: &str) -> Result<String, Diagnostic> {
        let target = syntax::parse_expression(name).map_err(|errors| first(errors, 0))?;
        let value = syntax::parse_expression(value).map_err(|errors| first(errors, name.len() as u32 + 1))?;
        if let NodeKind::Call { name: function, arguments: Arguments::List(list) } = &target.kind {
            return self.specified(&target, function, list, value);
        }
        let (of, order) = match &target.kind {
            NodeKind::Prime { of, order } => (of.as_ref(), *order),
            _ => (&target, 0),
        };
        let NodeKind::Name { name: bare, .. } = &of.kind else {
            let error = Diagnostic::error(target.span, format!("`{name}` cannot be set"));
            return Err(error.hint("name a parameter, an input, a coordinate, a rate `x'`, a speed or a state"));
        };
        if bare == "t" && order == 0 {
            let time = self.has_units.then(|| crate::Dimension::new(0, 0, 1));
            return Ok(format!("start t = {}", in_si(&value, time.as_ref())));
        }
        let symbol = self.symbol(bare).ok_or_else(|| self.unknown(bare, of.span))?;
        let per_time = crate::Dimension::new(0, 0, -i64::from(order));
        let dimension = symbol.dimension.as_ref().map(|dimension| dimension.times(&per_time));
        if let (Some(old), Some(new)) = (&dimension, unit_of(&value).map(crate::Dimension::of))
            && *old != new
        {
            let shift = name.len() as u32 + 1;
            let span = Span::new(value.span.start + shift, value.span.end + shift);
            let error = Diagnostic::error(span, format!("`{name}` {}, and the new value {}", old.said(), new.said()));
            return Err(error.hint("give a bare number in SI units, or a value with the unit of the old one"));
        }
        let value = in_si(&value, dimension.as_ref());
        let target = syntax::format(&target);
        match (symbol.kind, order) {
            (Kind::Parameter, 0) => Ok(format!("param {target} = {value}")),
            (Kind::Coordinate, 0 | 1) | (Kind::Speed | Kind::State, 0) => Ok(format!("start {target} = {value}")),
            (Kind::Input, 0) => match dimension.map(|dimension| dimension.unit()) {
                Some(unit) if !unit.is_empty() && !unit.contains('(') => {
                    Ok(format!("input {target} : {unit} = {value}"))
                }
                _ => Ok(format!("input {target} : rad = {value}")),
            },
            (Kind::Input, _) => {
                let error = Diagnostic::error(of.span, format!("`{target}` cannot be set: it follows from `{bare}`"));
                Err(error.hint(format!("give `{bare}` as a function of time, as in `{bare} = 0.1 m/s*t`")))
            }
            (kind, _) => {
                let error =
                    Diagnostic::error(of.span, format!("`{target}` cannot be set: `{bare}` is {}", kind.noun()));
                Err(error.hint("parameters, inputs, coordinates, their rates `x'`, speeds and states can be set"))
            }
        }
    }

    fn unknown(&self, name: &str, span: Span) -> Diagnostic {
        let can_be_set = |symbol: &&Symbol| {
            matches!(symbol.kind, Kind::Parameter | Kind::Input | Kind::Coordinate | Kind::Speed | Kind::State)
        };
        let names: Vec<&str> = self.symbols.iter().filter(can_be_set).map(|symbol| symbol.name.as_str()).collect();
        let error = Diagnostic::error(span, format!("this model does not declare `{name}`"));
        match nearest(name, names.iter().copied()) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None if names.is_empty() => error,
            None => error.hint(format!("it declares {}", names[..names.len().min(12)].join(", "))),
        }
    }

    /// Adds a line; what it gives a new value is changed in its place.
    fn add(&self, lines: &mut Vec<Line>, line: &Line) -> Result<(), Diagnostic> {
        let mut rest = line.clone();
        match &mut rest.declaration {
            Declaration::Param(Param::Values(values)) if line.ranges.is_empty() => {
                let mut new = Vec::new();
                for value in std::mem::take(values) {
                    new.extend(self.replace_param(lines, value)?);
                }
                *values = new;
                if values.is_empty() {
                    return Ok(());
                }
            }
            Declaration::Input(input) => {
                let all = std::mem::take(&mut input.names);
                input.names = all.into_iter().filter(|name| !replace_input(lines, name, line)).collect();
                if input.names.is_empty() {
                    return Ok(());
                }
            }
            Declaration::Start(Equations { equations, impulse: None }) => {
                self.replace_equations(lines, equations, line, "start")?
            }
            Declaration::Guess(Equations { equations, .. }) => {
                self.replace_equations(lines, equations, line, "guess")?
            }
            Declaration::Let(new) if !new.arguments.is_empty() => {
                let same = |old: &&mut Line| matches!(&old.declaration, Declaration::Function(old) | Declaration::Unknown(Unknown { function: Some(old), .. }) if is_same(&old.name, &new.name));
                if let Some(old) = lines.iter_mut().find(same) {
                    *old = line.clone();
                    return Ok(());
                }
            }
            _ => {}
        }
        if let Declaration::Start(Equations { equations, impulse: None })
        | Declaration::Guess(Equations { equations, .. }) = &rest.declaration
            && equations.is_empty()
        {
            return Ok(());
        }
        lines.push(rest);
        Ok(())
    }

    /// Puts a new value in the place of the old one; gives it back if there is none.
    fn replace_param(&self, lines: &mut Vec<Line>, new: Definition) -> Result<Option<Definition>, Diagnostic> {
        if new.name.index.is_some() {
            let is_family = |line: &Line| match &line.declaration {
                Declaration::Param(Param::Values(values)) => {
                    !line.ranges.is_empty() && values.iter().any(|value| value.name.name == new.name.name)
                }
                _ => false,
            };
            self.spread(lines, is_family)?;
        }
        for at in 0..lines.len() {
            let ranges = !lines[at].ranges.is_empty();
            match &mut lines[at].declaration {
                Declaration::Param(Param::Values(values)) if !ranges => {
                    if let Some(value) = values.iter_mut().find(|value| is_same(&value.name, &new.name)) {
                        *value = new;
                        return Ok(None);
                    }
                }
                Declaration::Param(Param::Unit { names, .. }) if !ranges => {
                    if let Some(position) = names.iter().position(|name| is_same(name, &new.name)) {
                        names.remove(position);
                        let emptied = names.is_empty();
                        let declaration = Declaration::Param(Param::Values(vec![new]));
                        let line = Line { declaration, ranges: Vec::new(), span: lines[at].span };
                        match emptied {
                            true => lines[at] = line,
                            false => lines.insert(at, line),
                        }
                        return Ok(None);
                    }
                }
                _ => {}
            }
        }
        Ok(Some(new))
    }

    /// Puts new equations in the place of old ones with the same left side; the others stay in `new`.
    fn replace_equations(
        &self,
        lines: &mut Vec<Line>,
        new: &mut Vec<Relation>,
        line: &Line,
        word: &str,
    ) -> Result<(), Diagnostic> {
        if !line.ranges.is_empty() {
            // A family of equations takes the place of an equal family, and of nothing else.
            let key = key_of_line(line);
            lines.retain(|old| old.declaration.keyword() != word || key_of_line(old) != key);
            return Ok(());
        }
        let mut rest = Vec::new();
        for equation in std::mem::take(new) {
            let bare = bare_name(&equation.left);
            let is_family = |old: &Line| {
                let names_it = |equation: &Relation| bare.is_some() && bare_name(&equation.left) == bare;
                old.declaration.keyword() == word && !old.ranges.is_empty() && equations(old).iter().any(names_it)
            };
            let has_index = find(&equation.left, &mut |node| {
                matches!(node.kind, NodeKind::Name { index: Some(_), .. }).then_some(())
            });
            if has_index.is_some() {
                self.spread(lines, is_family)?;
            }
            let left = syntax::format(&equation.left);
            let mut olds = lines.iter_mut().filter(|old| old.declaration.keyword() == word && old.ranges.is_empty());
            let old = olds.find_map(|old| equations_mut(old).iter_mut().find(|old| syntax::format(&old.left) == left));
            match old {
                Some(old) => *old = equation,
                None => rest.push(equation),
            }
        }
        *new = rest;
        Ok(())
    }

    /// Writes lines with ranges out, element by element.
    fn spread(&self, lines: &mut Vec<Line>, which: impl Fn(&Line) -> bool) -> Result<(), Diagnostic> {
        let mut spread = Vec::with_capacity(lines.len());
        for line in std::mem::take(lines) {
            match which(&line) {
                true => spread.extend(self.elements_of(&line)?),
                false => spread.push(line),
            }
        }
        *lines = spread;
        Ok(())
    }
}

/// Puts an input of a new line in the place of the old one; whether there was one.
fn replace_input(lines: &mut Vec<Line>, name: &Name, line: &Line) -> bool {
    for at in 0..lines.len() {
        let Declaration::Input(old) = &mut lines[at].declaration else { continue };
        let Some(position) = old.names.iter().position(|one| is_same(one, name)) else { continue };
        old.names.remove(position);
        let emptied = old.names.is_empty();
        let mut new = line.clone();
        if let Declaration::Input(input) = &mut new.declaration {
            input.names = vec![name.clone()];
        }
        match emptied {
            true => lines[at] = new,
            false => lines.insert(at + 1, new),
        }
        return true;
    }
    false
}

/// Whether two names with their indices are written alike.
fn is_same(a: &Name, b: &Name) -> bool {
    crate::print::name(a) == crate::print::name(b)
}

fn key_of_line(line: &Line) -> (Vec<String>, String) {
    let lefts = equations(line).iter().map(|equation| syntax::format(&equation.left)).collect();
    (lefts, crate::print::ranges(&line.ranges))
}

fn equations(line: &Line) -> &[Relation] {
    match &line.declaration {
        Declaration::Start(Equations { equations, .. }) | Declaration::Guess(Equations { equations, .. }) => equations,
        _ => &[],
    }
}

fn equations_mut(line: &mut Line) -> &mut [Relation] {
    match &mut line.declaration {
        Declaration::Start(Equations { equations, .. }) | Declaration::Guess(Equations { equations, .. }) => equations,
        _ => &mut [],
    }
}

/// The name of `a[2]` or `a[2]'`, with its primes.
fn bare_name(node: &Node) -> Option<(String, u32)> {
    match &node.kind {
        NodeKind::Name { name, .. } => Some((name.clone(), 0)),
        NodeKind::Prime { of, order } => Some((bare_name(of)?.0, *order)),
        _ => None,
    }
}

/// The unit of a number.
fn unit_of(value: &Node) -> Option<&syntax::Unit> {
    match &value.kind {
        NodeKind::Number { unit, .. } => unit.as_ref(),
        NodeKind::Signed { of, .. } => unit_of(of),
        _ => None,
    }
}

/// The value as text; a bare number gets the SI unit of its dimension.
fn in_si(value: &Node, dimension: Option<&crate::Dimension>) -> String {
    let text = syntax::format(value);
    let unit = dimension.map(crate::Dimension::unit).filter(|unit| !unit.is_empty() && !unit.contains('('));
    let says_more = find(value, &mut |node| match &node.kind {
        NodeKind::Number { unit: Some(_), .. } => Some(()),
        NodeKind::Name { name, .. } => (name != "pi").then_some(()),
        NodeKind::Call { .. } | NodeKind::Tuple(_) => None,
        _ => None,
    });
    match (unit, says_more, &value.kind) {
        (None, ..) | (_, Some(()), _) => text,
        // zero has every unit, and is also the zero vector
        _ if text == "0" => text,
        (Some(unit), None, NodeKind::Number { .. }) => format!("{text} {unit}"),
        (Some(unit), None, NodeKind::Signed { of, .. }) if matches!(of.kind, NodeKind::Number { .. }) => {
            format!("{text} {unit}")
        }
        (Some(unit), None, _) => format!("({text})*1 {unit}"),
    }
}

fn one_line(text: &str) -> String {
    text.trim().replace(['\n', '\r', '#'], " ")
}

fn first(errors: Vec<Diagnostic>, shift: u32) -> Diagnostic {
    let error = errors.into_iter().find(|error| error.severity == Severity::Error);
    let error = error.unwrap_or_else(|| Diagnostic::error(Span::default(), "this cannot be read"));
    Diagnostic {
        span: Span::new(error.span.start.saturating_add(shift), error.span.end.saturating_add(shift)),
        ..error
    }
}

//! What does a file say that uses others? The declarations of each part take the place of its `use` line, under names of
//! their own.
//!
//! ```text
//! use "wheel.mech" as front                       r, D, x of the part become front.r, front.D, front.x
//! use "wheel.mech" as wheel[i] for i in 1..4      they become the families wheel.r[i], wheel.D[i], wheel.x[i], which
//!                                                 may be written wheel[i].r, wheel[i].D, wheel[i].x
//! ```
//!
//! Nothing here opens a file: who calls has read them, [`used`] says which. Titles, sources, notes and facts of a part
//! are about the part alone and stay there.

use rustc_hash::FxHashSet;
use syntax::{Arguments, Diagnostic, Node, NodeKind, Span};

use crate::declaration::*;
use crate::parse::parse;
use crate::sources::Sources;
use crate::walk::{PartMut, Parts, change_spans};
use crate::{Parsed, checked};

/// Parts may use parts this deep.
const DEEPEST: usize = 8;

/// The files that a text uses, as they are found from its folder.
///
/// ```
/// assert_eq!(model::used("cars/car.mech", "use \"wheel.mech\" as front"), ["cars/wheel.mech"]);
/// ```
pub fn used(file_name: &str, text: &str) -> Vec<String> {
    let files = parse(text).lines.into_iter().filter_map(|line| match line.declaration {
        Declaration::Use(part) => Some(beside(file_name, &part.file)),
        Declaration::Table(table) => Some(beside(file_name, &table.file)),
        _ => None,
    });
    files.collect()
}

/// Reads a model file that may use others: their names as [`used`] gives them, and their texts.
pub fn parse_with(file_name: &str, text: &str, files: &[(String, String)]) -> Parsed {
    let sources = Sources::new(file_name, text);
    let syntax = parse(text);
    let is_use = |line: &Line| matches!(line.declaration, Declaration::Use(_) | Declaration::Table(_));
    if !syntax.lines.iter().any(is_use) {
        return checked(sources, syntax.lines, &syntax.broken, syntax.diagnostics);
    }
    let mut using = Using { files, sources, broken: syntax.broken, diagnostics: syntax.diagnostics };
    let lines = using.lines(syntax.lines, file_name, 0);
    checked(using.sources, lines, &using.broken, using.diagnostics)
}

/// A file that is named in another one, from the same folder as that.
fn beside(file_name: &str, other: &str) -> String {
    match file_name.rsplit_once('/') {
        Some((folder, _)) if !other.starts_with('/') => format!("{folder}/{other}"),
        _ => other.to_owned(),
    }
}

struct Using<'a> {
    files: &'a [(String, String)],
    sources: Sources,
    broken: Vec<(String, Span)>,
    diagnostics: Vec<Diagnostic>,
}

impl Using<'_> {
    fn lines(&mut self, lines: Vec<Line>, file_name: &str, depth: usize) -> Vec<Line> {
        let mut all = Vec::new();
        for line in lines {
            match &line.declaration {
                Declaration::Use(part) => all.extend(self.part(&line, part, file_name, depth)),
                Declaration::Table(table) => all.extend(self.table(&line, table, file_name)),
                _ => all.push(line),
            }
        }
        all
    }

    fn wrong(&mut self, span: Span, message: String, hint: &str) {
        self.diagnostics.push(Diagnostic::error(span, message).hint(hint));
    }

    /// The text of a file that is named here.
    fn text(&mut self, file: &str, place: Span) -> Option<String> {
        let found = self.files.iter().find(|(name, _)| name == file).map(|(_, text)| text.clone());
        if found.is_none() {
            let hint = "name a file beside this one; where there are no files, write here what it says";
            self.wrong(place, format!("the file `{file}` is not at hand"), hint);
        }
        found
    }

    /// The function that a table means.
    fn table(&mut self, line: &Line, table: &Table, file_name: &str) -> Option<Line> {
        let text = self.text(&beside(file_name, &table.file), table.place)?;
        match crate::table::function(table, &text) {
            Ok(function) => Some(Line { declaration: Declaration::Let(function), ..line.clone() }),
            Err(reason) => {
                let hint = "a table is a CSV file of two columns, as in `v [m/s], mu [1]`, the first of them rising";
                self.wrong(table.place, reason, hint);
                self.broken.push((table.name.name.clone(), table.name.span));
                None
            }
        }
    }

    /// The lines of a part under their new names.
    fn part(&mut self, line: &Line, part: &Use, file_name: &str, depth: usize) -> Vec<Line> {
        let file = beside(file_name, &part.file);
        let Some(text) = self.text(&file, part.place) else { return Vec::new() };
        let text = text.as_str();
        if depth >= DEEPEST {
            self.wrong(part.place, format!("parts use parts more than {DEEPEST} deep"), "does one of them use itself?");
            return Vec::new();
        }
        let shift = self.sources.end();
        self.sources = self.sources.followed_by(&Sources::new(&file, text));
        let moved = |span: Span| Span::new(span.start.saturating_add(shift), span.end.saturating_add(shift));
        let mut syntax = parse(text);
        syntax.diagnostics.iter_mut().for_each(|one| one.span = moved(one.span));
        syntax.lines.iter_mut().for_each(|line| change_spans(line, &moved));
        self.diagnostics.append(&mut syntax.diagnostics);
        let prefix = &part.name.name;
        self.broken.extend(syntax.broken.iter().map(|(name, span)| (format!("{prefix}.{name}"), moved(*span))));
        let mut own = self.lines(syntax.lines, &file, depth + 1);
        own.retain(|one| self.stays(one));
        resolve(&mut own);
        self.renamed(own, line, part)
    }

    /// Whether a line of a part belongs to the whole.
    fn stays(&mut self, line: &Line) -> bool {
        match &line.declaration {
            Declaration::System(_) | Declaration::Source(_) | Declaration::Note(_) => false,
            Declaration::Expect(_) | Declaration::Claim(_) => false,
            Declaration::Gravity(_) => {
                let hint = "gravity acts on all masses: say it once, in the file that uses the part";
                self.wrong(line.span, "a part has no gravity of its own".to_owned(), hint);
                false
            }
            _ => true,
        }
    }

    fn renamed(&mut self, mut lines: Vec<Line>, at: &Line, part: &Use) -> Vec<Line> {
        let mut known: FxHashSet<String> = FxHashSet::default();
        for line in &lines {
            known.extend(line.declaration.declared().into_iter().map(|(name, _)| name.to_owned()));
            known.extend(line.declaration.label().map(str::to_owned));
        }
        self.check_values(&lines, part);
        let renaming = Renaming { known, prefix: part.name.name.clone(), index: part.name.index.clone() };
        for line in &mut lines {
            if let Err((span, message, hint)) = renaming.line(line, at) {
                self.wrong(span, message, hint);
            }
        }
        for value in &part.with {
            put(&mut lines, &format!("{}.{}", part.name.name, value.name.name), value);
        }
        lines
    }

    /// Complains of values for what the part has not.
    fn check_values(&mut self, lines: &[Line], part: &Use) {
        let is_param = |line: &&Line| matches!(line.declaration, Declaration::Param(_) | Declaration::Input(_));
        let names = lines.iter().filter(is_param).flat_map(|line| line.declaration.declared());
        let names: Vec<&str> = names.map(|(name, _)| name).collect();
        for value in &part.with {
            if names.contains(&value.name.name.as_str()) {
                continue;
            }
            let message = format!("`{}` has no parameter `{}`", part.file, value.name.name);
            let hint = match syntax::nearest(&value.name.name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it has {}", names.join(", ")),
            };
            self.wrong(value.name.span, message, &hint);
        }
    }
}

/// Puts another value in the place of that of a parameter.
fn put(lines: &mut [Line], name: &str, value: &Definition) {
    for line in lines {
        match &mut line.declaration {
            Declaration::Param(Param::Values(values)) => {
                let own = values.iter_mut().filter(|one| one.name.name == name);
                own.for_each(|one| one.value = value.value.clone());
            }
            Declaration::Param(Param::Unit { names, .. }) if names.iter().any(|one| one.name == name) => {
                let first = names.iter().find(|one| one.name == name).cloned();
                if let Some(name) = first {
                    let rest = names.iter().any(|one| one.name != name.name);
                    if !rest {
                        let definition = Definition { name, value: value.value.clone() };
                        line.declaration = Declaration::Param(Param::Values(vec![definition]));
                    }
                }
            }
            Declaration::Input(input) if input.names.iter().any(|one| one.name == name) => {
                input.value = Some(value.value.clone());
            }
            _ => {}
        }
    }
}

type Wrong = (Span, String, &'static str);

/// How the names of a part are changed.
struct Renaming {
    known: FxHashSet<String>,
    prefix: String,
    index: Option<Node>,
}

impl Renaming {
    fn line(&self, line: &mut Line, at: &Line) -> Result<(), Wrong> {
        let mut locals: Vec<String> = line.ranges.iter().map(|range| range.index.clone()).collect();
        if let Declaration::Let(function) = &line.declaration {
            locals.extend(function.arguments.iter().map(|argument| argument.name.clone()));
        }
        let outer = at.ranges.iter().map(|range| range.index.clone());
        if let Some(index) = outer.into_iter().find(|index| locals.contains(index)) {
            let message = format!("a line of the part has an index `{index}` too");
            return Err((line.span, message, "choose another index after `for` of the `use` line"));
        }
        let mut result = Ok(());
        if let Declaration::Coord(coord) = &mut line.declaration {
            for family in &mut coord.families {
                result = result.and(self.family(family, at));
            }
        }
        let mut wrong = None;
        line.change(&mut |part| match part {
            PartMut::Name(name) if self.known.contains(&name.name) && !locals.contains(&name.name) => {
                if let Err(error) = self.name(&mut name.name, &mut name.index, name.span) {
                    wrong.get_or_insert(error);
                }
                if let Some(index) = &mut name.index {
                    self.node(index, &locals).err().map(|error| wrong.get_or_insert(error));
                }
            }
            PartMut::Name(name) => {
                if let Some(index) = &mut name.index {
                    self.node(index, &locals).err().map(|error| wrong.get_or_insert(error));
                }
            }
            PartMut::Node(node) => {
                self.node(node, &locals).err().map(|error| wrong.get_or_insert(error));
            }
            _ => {}
        });
        if !matches!(line.declaration, Declaration::Coord(_)) {
            line.ranges.splice(0..0, at.ranges.iter().cloned());
        }
        wrong.map_or(result, Err)
    }

    fn name(&self, name: &mut String, index: &mut Option<Node>, span: Span) -> Result<(), Wrong> {
        *name = format!("{}.{name}", self.prefix);
        match (&self.index, index.is_some()) {
            (None, _) => Ok(()),
            (Some(own), false) => {
                *index = Some(own.clone());
                Ok(())
            }
            (Some(_), true) => {
                let message = format!("`{name}` would have two indices");
                Err((span, message, "a part that has families is used without an index, once for each"))
            }
        }
    }

    /// A coordinate of a part that is a family becomes a family.
    fn family(&self, family: &mut Family, at: &Line) -> Result<(), Wrong> {
        let hint = "a part that has families is used without an index, once for each";
        family.name = format!("{}.{}", self.prefix, family.name);
        match (&self.index, &family.bounds, &at.ranges[..]) {
            (None, ..) => Ok(()),
            (Some(_), None, [range]) => {
                family.bounds = Some((range.from.clone(), range.to.clone()));
                Ok(())
            }
            (Some(index), None, []) => {
                family.bounds = Some((index.clone(), index.clone()));
                Ok(())
            }
            _ => Err((family.span, format!("`{}` would have two indices", family.name), hint)),
        }
    }

    fn node(&self, node: &mut Node, locals: &[String]) -> Result<(), Wrong> {
        let span = node.span;
        let mut inner = locals.to_vec();
        match &mut node.kind {
            NodeKind::Name { name, index } if self.known.contains(name) && !locals.contains(name) => {
                let mut own = index.take().map(|index| *index);
                if let Some(index) = &mut own {
                    self.node(index, locals)?;
                }
                self.name(name, &mut own, span)?;
                *index = own.map(Box::new);
                return Ok(());
            }
            NodeKind::Call { name, .. } if self.known.contains(name) && self.index.is_none() => {
                *name = format!("{}.{name}", self.prefix);
            }
            NodeKind::Call { name, .. } if self.known.contains(name) => {
                let message = format!("the function `{name}` of a part cannot be a family");
                return Err((span, message, "use the part without an index, once for each"));
            }
            _ => {}
        }
        if let NodeKind::Call { arguments: Arguments::For { ranges, .. }, .. } = &node.kind {
            inner.extend(ranges.iter().map(|range| range.index.clone()));
        }
        let mut result = Ok(());
        node.kind.change(&mut |part| {
            if let (PartMut::Node(child), true) = (part, result.is_ok()) {
                result = self.node(child, &inner);
            }
        });
        result
    }
}

/// Lets `front.x` be the name of a part where there is no `front`, and a component elsewhere.
pub(crate) fn resolve(lines: &mut [Line]) {
    let declared = lines.iter().flat_map(|line| line.declaration.declared());
    let known: FxHashSet<String> = declared.map(|(name, _)| name.to_owned()).collect();
    if !known.iter().any(|name| name.contains('.')) {
        return;
    }
    for line in lines {
        line.change(&mut |part| {
            if let PartMut::Node(node) = part {
                resolve_node(node, &known);
            }
        });
    }
}

fn resolve_node(node: &mut Node, known: &FxHashSet<String>) {
    if let NodeKind::Component { of, axis } = &node.kind
        && let NodeKind::Name { name, index } = &of.kind
        && !known.contains(name)
    {
        let whole = format!("{name}.{}", axis.symbol());
        if known.contains(&whole) {
            node.kind = NodeKind::Name { name: whole, index: index.clone() };
            return;
        }
    }
    node.kind.change(&mut |part| {
        if let PartMut::Node(child) = part {
            resolve_node(child, known);
        }
    });
}

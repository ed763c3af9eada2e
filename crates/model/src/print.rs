//! How is a declaration written? Canonical text that is read back as the same declaration.

use syntax::{Node, Range, Relation, Unit, format_unit};

use crate::Model;
use crate::declaration::{Line, Name};

/// The canonical text of a model: one declaration a line, without comments.
///
/// ```
/// let model = model::parse("", "coord  x,y:m\nstart x=1 m").model.unwrap();
/// assert_eq!(model::print(&model), "coord x, y : m\nstart x = 1 m\n");
/// ```
pub fn print(model: &Model) -> String {
    model.lines.iter().map(|line| print_line(line) + "\n").collect()
}

/// The canonical text of one line.
pub fn print_line(line: &Line) -> String {
    let mut text = format!("{} {}", line.declaration.keyword(), line.declaration.data().print());
    if !line.ranges.is_empty() {
        text += &format!(" for {}", ranges(&line.ranges));
    }
    text
}

/// `x`, or `a[i-1]`
pub(crate) fn name(name: &Name) -> String {
    match &name.index {
        Some(index) => format!("{}[{}]", name.name, node(index)),
        None => name.name.clone(),
    }
}

pub(crate) fn ranges(ranges: &[Range]) -> String {
    list(ranges, |range| format!("{} in {}..{}", range.index, node(&range.from), node(&range.to)))
}

pub(crate) fn node(node: &Node) -> String {
    syntax::format(node)
}

pub(crate) fn relation(relation: &Relation) -> String {
    syntax::format_relation(relation)
}

pub(crate) fn unit(unit: &Unit) -> String {
    format_unit(unit)
}

/// Entries between commas.
pub(crate) fn list<T>(entries: &[T], write: impl Fn(&T) -> String) -> String {
    let entries: Vec<String> = entries.iter().map(write).collect();
    entries.join(", ")
}

/// A word and what follows it, if it is there.
pub(crate) fn optional<T>(before: &str, value: &Option<T>, write: impl Fn(&T) -> String) -> String {
    value.as_ref().map(|value| before.to_owned() + &write(value)).unwrap_or_default()
}

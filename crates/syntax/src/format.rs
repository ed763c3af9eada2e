//! How is a tree written? Canonical text that parses back to the same tree.
//!
//! Blanks stand around `+` and `-` between terms and around comparisons; brackets stand only where
//! the tree needs them, around a quantity that is raised, and around one whose unit would
//! otherwise swallow the next factor: `(2 m)*s` is not `2 m*s`.

use crate::unit::known;
use crate::{Arguments, Node, NodeKind, Range, Relation, Scale, Unit};

/// The canonical text of an expression.
///
/// ```
/// let tree = syntax::parse_expression("( a+b ) *c- -2^( x )").unwrap();
/// assert_eq!(syntax::format(&tree), "(a + b)*c - -2^x");
/// ```
pub fn format(node: &Node) -> String {
    let mut text = String::new();
    write(node, &mut text);
    text
}

/// The canonical text of a relation.
pub fn format_relation(relation: &Relation) -> String {
    let mut text = String::new();
    write_relation(relation, &mut text);
    text
}

/// The canonical text of a unit.
pub fn format_unit(unit: &Unit) -> String {
    let mut text = String::new();
    if unit.factors.is_empty() {
        text.push('1');
    }
    for (position, factor) in unit.factors.iter().enumerate() {
        text.push_str(match (position, factor.exponent < 0) {
            (0, false) => "",
            (0, true) => "1/",
            (_, false) => "*",
            (_, true) => "/",
        });
        text.push_str(factor.name);
        match (factor.exponent.unsigned_abs(), factor.root) {
            (1, 1) => {}
            (exponent, 1) => text.push_str(&format!("^{exponent}")),
            (exponent, root) => text.push_str(&format!("^({exponent}/{root})")),
        }
    }
    text
}

fn write(node: &Node, text: &mut String) {
    match &node.kind {
        NodeKind::Number { text: digits, unit } => {
            text.push_str(digits);
            if let Some(unit) = unit {
                text.push(' ');
                text.push_str(&format_unit(unit));
            }
        }
        NodeKind::Name { name, index } => {
            text.push_str(name);
            if let Some(index) = index {
                text.push('[');
                write(index, text);
                text.push(']');
            }
        }
        NodeKind::Tuple(entries) => {
            text.push('(');
            write_list(entries, text);
            text.push(')');
        }
        NodeKind::Call { name, arguments } => {
            text.push_str(name);
            text.push('(');
            write_arguments(arguments, text);
            text.push(')');
        }
        NodeKind::Prime { of, order } => {
            write_if(takes_prime(of), of, text);
            text.extend((0..*order).map(|_| '\''));
        }
        NodeKind::Component { of, axis } => {
            write_if(takes_component(of), of, text);
            text.push('.');
            text.push_str(axis.symbol());
        }
        NodeKind::Power { base, exponent } => {
            write_if(takes_exponent(base), base, text);
            text.push('^');
            write_if(is_exponent(exponent), exponent, text);
        }
        NodeKind::Signed { sign, of } => {
            text.push_str(sign.symbol());
            write_if(!is_sum(of) && !is_product(of), of, text);
        }
        NodeKind::Product(factors) => write_product(factors, text),
        NodeKind::Sum(terms) => {
            for (position, (sign, term)) in terms.iter().enumerate() {
                if position > 0 {
                    text.push(' ');
                    text.push_str(sign.symbol());
                    text.push(' ');
                }
                write_if(!is_sum(term), term, text);
            }
        }
    }
}

/// Writes the node, in brackets unless it can stand `bare`.
fn write_if(bare: bool, node: &Node, text: &mut String) {
    if bare {
        write(node, text);
    } else {
        text.push('(');
        write(node, text);
        text.push(')');
    }
}

fn write_product(factors: &[(Scale, Node)], text: &mut String) {
    for (position, (scale, factor)) in factors.iter().enumerate() {
        if position > 0 {
            text.push_str(scale.symbol());
        }
        let next = factors.get(position + 1);
        let swallows_next = ends_with_unit(factor) && next.is_some_and(|next| begins_with_unit(&next.1));
        let bare = !is_sum(factor) && !is_product(factor) && !swallows_next;
        write_if(bare, factor, text);
    }
}

fn write_list(entries: &[Node], text: &mut String) {
    for (position, entry) in entries.iter().enumerate() {
        if position > 0 {
            text.push_str(", ");
        }
        write(entry, text);
    }
}

fn write_arguments(arguments: &Arguments, text: &mut String) {
    match arguments {
        Arguments::List(entries) => write_list(entries, text),
        Arguments::Choice { when, then, otherwise } => {
            write_relation(when, text);
            text.push_str(", ");
            write(then, text);
            text.push_str(", ");
            write(otherwise, text);
        }
        Arguments::At { what, place } => {
            write(what, text);
            text.push_str(" at ");
            write(place, text);
        }
        Arguments::For { what, ranges } => {
            write(what, text);
            for (position, range) in ranges.iter().enumerate() {
                text.push_str(if position == 0 { " for " } else { ", " });
                write_range(range, text);
            }
        }
    }
}

fn write_range(range: &Range, text: &mut String) {
    text.push_str(&range.index);
    text.push_str(" in ");
    write(&range.from, text);
    text.push_str("..");
    write(&range.to, text);
}

fn write_relation(relation: &Relation, text: &mut String) {
    write(&relation.left, text);
    text.push(' ');
    text.push_str(relation.comparison.symbol());
    text.push(' ');
    write(&relation.right, text);
}

fn is_sum(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Sum(_))
}

fn is_product(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Product(_))
}

fn is_number(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Number { .. })
}

fn is_quantity(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Number { unit: Some(_), .. })
}

/// Names, calls, tuples and what is appended to them.
fn is_closed(node: &Node) -> bool {
    !matches!(node.kind, NodeKind::Sum(_) | NodeKind::Product(_) | NodeKind::Signed { .. } | NodeKind::Power { .. })
}

fn takes_prime(node: &Node) -> bool {
    is_closed(node) && !is_number(node) && !matches!(node.kind, NodeKind::Prime { .. })
}

fn takes_component(node: &Node) -> bool {
    let inner = match &node.kind {
        NodeKind::Prime { of, .. } if takes_prime(of) => of,
        _ => node,
    };
    is_closed(node) && !is_number(node) && !matches!(inner.kind, NodeKind::Component { .. })
}

fn takes_exponent(node: &Node) -> bool {
    is_closed(node) && !is_quantity(node)
}

fn is_exponent(node: &Node) -> bool {
    !is_sum(node) && !is_product(node) && !is_quantity(node)
}

/// Whether the text of a factor ends with a unit.
fn ends_with_unit(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Signed { of, .. } => ends_with_unit(of),
        NodeKind::Power { exponent, .. } => is_exponent(exponent) && ends_with_unit(exponent),
        _ => is_quantity(node),
    }
}

/// Whether the text of a factor begins with a word that a unit before it would swallow.
fn begins_with_unit(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Power { base, .. } => begins_with_unit(base),
        _ => node.plain_name().is_some_and(|name| known(name).is_some()),
    }
}

//! What does a model with families say, element by element? One line for each value of the indices.
//!
//! `point P[i] = … for i in 1..3` becomes three lines that declare `P[1]`, `P[2]` and `P[3]`; these
//! are plain names then, brackets and all. A `sum` becomes the sum of its terms.

use expr::Rational;
use syntax::{Arguments, Diagnostic, Node, NodeKind, Range, Sign, Span};

use crate::declaration::{Line, Name};
use crate::walk::{PartMut, Parts};
use crate::{Model, checked, constant};

/// More parts than this are refused, before they fill the memory.
const MOST_PARTS: usize = 1_000_000;

impl Model {
    /// The model without ranges, families and sums, with the integers that its parameters have now.
    ///
    /// Elements are plain names such as `a[3]`. What only shows element by element is found here:
    /// an element that is used before it is declared, or declared twice.
    ///
    /// ```
    /// let text = "param n = 2\ncoord a[1..n] : rad\nstart a[i] = 0.1 rad*i for i in 1..n";
    /// let model = model::parse("", text).model.unwrap().elaborate().unwrap();
    /// let lines = "param n = 2\ncoord a[1], a[2] : rad\nstart a[1] = 0.1 rad*1\nstart a[2] = 0.1 rad*2\n";
    /// assert_eq!(model::print(&model), lines);
    /// ```
    pub fn elaborate(&self) -> Result<Model, Vec<Diagnostic>> {
        let mut expansion = Expansion { model: self, flat: true, parts: 0 };
        let mut lines = Vec::new();
        for line in &self.lines {
            lines.extend(expansion.line(line).map_err(|error| vec![error])?);
        }
        let parsed = checked(self.sources.clone(), lines, &[], Vec::new());
        parsed.model.ok_or(parsed.diagnostics)
    }

    /// One line as its elements, names still with an index.
    pub(crate) fn elements_of(&self, line: &Line) -> Result<Vec<Line>, Diagnostic> {
        Expansion { model: self, flat: false, parts: 0 }.line(line)
    }
}

/// The way from a model to its elements.
pub(crate) struct Expansion<'a> {
    model: &'a Model,
    /// Whether `a[3]` becomes a plain name.
    flat: bool,
    parts: usize,
}

/// The indices that are fixed, and their values.
pub(crate) type Fixed = Vec<(String, i64)>;

impl<'a> Expansion<'a> {
    /// The way from a model to plain names.
    pub fn flat(model: &'a Model) -> Expansion<'a> {
        Expansion { model, flat: true, parts: 0 }
    }

    pub fn line(&mut self, line: &Line) -> Result<Vec<Line>, Diagnostic> {
        let mut lines = Vec::new();
        self.values(&line.ranges, &mut Vec::new(), &mut |expansion, fixed| {
            let mut element = Line { ranges: Vec::new(), ..line.clone() };
            expansion.declaration(&mut element, fixed)?;
            lines.push(element);
            Ok(())
        })?;
        Ok(lines)
    }

    /// Calls `each` for all values of the indices.
    fn values(
        &mut self,
        ranges: &[Range],
        fixed: &mut Fixed,
        each: &mut dyn FnMut(&mut Self, &Fixed) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let Some((range, rest)) = ranges.split_first() else {
            return each(self, fixed);
        };
        for value in self.integer(&range.from, fixed)?..=self.integer(&range.to, fixed)? {
            self.count(range.span)?;
            fixed.push((range.index.clone(), value));
            let done = self.values(rest, fixed, each);
            fixed.pop();
            done?;
        }
        Ok(())
    }

    /// Counts a part; complains if there are too many.
    pub fn count(&mut self, span: Span) -> Result<(), Diagnostic> {
        self.parts += 1;
        match self.parts > MOST_PARTS {
            true => {
                Err(Diagnostic::error(span, "the model becomes too large element by element")
                    .hint("choose smaller bounds"))
            }
            false => Ok(()),
        }
    }

    /// The value of a bound or an index.
    pub fn integer(&self, node: &Node, fixed: &Fixed) -> Result<i64, Diagnostic> {
        let value_of = |name: &str| -> Option<Rational> {
            match fixed.iter().rev().find(|(index, _)| index == name) {
                Some((_, value)) => Some((*value).into()),
                None => self.model.symbol(name)?.value.clone(),
            }
        };
        constant::integer(node, &value_of).ok_or_else(|| {
            let text = crate::text_of(node);
            Diagnostic::error(node.span, format!("`{text}` is not an integer"))
                .hint("an index is made of integers, indices, and parameters that are integers")
        })
    }

    fn declaration(&mut self, line: &mut Line, fixed: &Fixed) -> Result<(), Diagnostic> {
        let mut result = Ok(());
        if self.flat {
            line.declaration.data_mut().elaborate(self, fixed)?;
            line.declaration.change(&mut |part| {
                if let (PartMut::Name(name), Ok(())) = (part, &result) {
                    result = self.name(name, fixed);
                }
            });
        }
        line.change(&mut |part| match part {
            PartMut::Node(node) if result.is_ok() => result = self.node(node, fixed),
            PartMut::Name(Name { index: Some(index), .. }) if result.is_ok() => result = self.node(index, fixed),
            _ => {}
        });
        result
    }

    /// Makes `a[3]` a plain name where it stands outside expressions.
    fn name(&self, name: &mut Name, fixed: &Fixed) -> Result<(), Diagnostic> {
        if let Some(index) = name.index.take() {
            name.name = format!("{}[{}]", name.name, self.integer(&index, fixed)?);
        }
        Ok(())
    }

    fn node(&mut self, node: &mut Node, fixed: &Fixed) -> Result<(), Diagnostic> {
        self.count(node.span)?;
        let replacement = match &node.kind {
            NodeKind::Name { name, index: None } => {
                fixed.iter().rev().find(|(index, _)| index == name).map(|(_, value)| literal(*value, node.span))
            }
            NodeKind::Name { name, index: Some(index) } => {
                let value = self.integer(index, fixed)?;
                Some(match self.flat {
                    true => NodeKind::Name { name: format!("{name}[{value}]"), index: None },
                    false => {
                        let index = Node::new(literal(value, index.span), index.span);
                        NodeKind::Name { name: name.clone(), index: Some(Box::new(index)) }
                    }
                })
            }
            NodeKind::Call { name, arguments: Arguments::For { what, ranges } } if name == "sum" && self.flat => {
                Some(self.sum(what, ranges, fixed)?)
            }
            _ => None,
        };
        if let Some(kind) = replacement {
            node.kind = kind;
            return Ok(());
        }
        let shadowed;
        let mut fixed = fixed;
        if let NodeKind::Call { arguments: Arguments::For { ranges, .. }, .. } = &node.kind {
            let own = |index: &String| ranges.iter().any(|range| range.index == *index);
            shadowed = fixed.iter().filter(|(index, _)| !own(index)).cloned().collect();
            fixed = &shadowed;
        }
        let mut result = Ok(());
        node.kind.change(&mut |part| {
            if let (PartMut::Node(child), Ok(())) = (part, &result) {
                result = self.node(child, fixed);
            }
        });
        result
    }

    fn sum(&mut self, what: &Node, ranges: &[Range], fixed: &Fixed) -> Result<NodeKind, Diagnostic> {
        let mut terms = Vec::new();
        self.values(ranges, &mut fixed.clone(), &mut |expansion, fixed| {
            let mut term = what.clone();
            expansion.node(&mut term, fixed)?;
            terms.push((Sign::Plus, term));
            Ok(())
        })?;
        Ok(match terms.len() {
            0 => literal(0, what.span),
            1 => terms.remove(0).1.kind,
            _ => NodeKind::Sum(terms),
        })
    }
}

fn literal(value: i64, span: Span) -> NodeKind {
    let number = NodeKind::Number { text: value.unsigned_abs().to_string(), unit: None };
    match value < 0 {
        true => NodeKind::Signed { sign: Sign::Minus, of: Box::new(Node::new(number, span)) },
        false => number,
    }
}

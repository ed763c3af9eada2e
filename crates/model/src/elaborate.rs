//! What does a model with families say, element by element? One line for each value of the indices.
//!
//! `point P[i] = … for i in 1..3` becomes three lines that declare `P[1]`, `P[2]` and `P[3]`; these
//! are plain names then, brackets and all. A `sum` becomes the sum of its terms.

use expr::Rational;
use syntax::{Arguments, Diagnostic, Node, NodeKind, Range, Sign, Span};

use rustc_hash::FxHashMap;

use crate::declaration::{Body, Contact, Declaration, Line, Name, Shape, Solid};
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
        let lines = spelled_out(lines).map_err(|error| vec![error])?;
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

/// Lines that stand for others: a rod is three particles, a contact has the surface of its body, a torque on a
/// frame acts on a body that turns with it.
fn spelled_out(lines: Vec<Line>) -> Result<Vec<Line>, Diagnostic> {
    let mut shapes: FxHashMap<String, Solid> = FxHashMap::default();
    // frames, and the first body that turns with each
    let mut frames: FxHashMap<String, Option<String>> = FxHashMap::from_iter([("N".to_owned(), None)]);
    let mut all = Vec::with_capacity(lines.len());
    for mut line in lines {
        let copy = line.clone();
        match &mut line.declaration {
            Declaration::Frame(frame) => drop(frames.insert(frame.name.name.clone(), None)),
            Declaration::Torque(torque) => {
                for name in std::iter::once(&mut torque.on).chain(&mut torque.against) {
                    all.extend(turned_body(name, &mut frames, &copy)?);
                }
            }
            Declaration::Rod(rod) => {
                let particles = rod.particles(&copy);
                all.extend(particles);
                continue;
            }
            Declaration::Body(body) => {
                let own = body.shape.clone();
                shapes.extend(own.map(|shape| (body.name.name.clone(), shape)));
                if let Some(first @ None) = frames.get_mut(&body.frame.name) {
                    *first = Some(body.name.name.clone());
                }
            }
            Declaration::Contact(contact) if contact.shape.is_none() && contact.at.is_none() => {
                if let Some(shape) = shapes.get(&contact.what.name) {
                    contact.shape = Some(surface_of(contact, shape)?);
                }
            }
            _ => {}
        }
        all.push(line);
    }
    Ok(all)
}

/// Lets a torque on a frame act on the first body that turns with it; where there is none, on one without mass.
fn turned_body(
    name: &mut Name,
    frames: &mut FxHashMap<String, Option<String>>,
    line: &Line,
) -> Result<Option<Line>, Diagnostic> {
    let Some(first) = frames.get_mut(&name.name) else { return Ok(None) };
    if name.name == "N" {
        let error = Diagnostic::error(name.span, "a torque on `N` does nothing: it does not turn");
        return Err(error.hint("name the body or the frame that it turns"));
    }
    let frame = name.clone();
    if let Some(first) = first {
        name.name = first.clone();
        return Ok(None);
    }
    name.name = format!("{}.link", frame.name);
    *first = Some(name.name.clone());
    let nothing = Node::new(literal(0, name.span), name.span);
    let inertia = Node::new(NodeKind::Tuple(vec![nothing.clone(); 3]), name.span);
    let (mass, at) = (nothing.clone(), nothing);
    let body = Body { name: name.clone(), mass, at, frame, inertia, about: None, shape: None };
    Ok(Some(Line { declaration: Declaration::Body(body), ..line.clone() }))
}

/// The surface with which a body of this shape touches a plane.
fn surface_of(contact: &Contact, shape: &Solid) -> Result<Shape, Diagnostic> {
    shape.surface().ok_or_else(|| {
        let (body, word) = (&contact.what.name, shape.kind.word());
        let message =
            format!("where a {word} such as `{body}` touches a plane is not known: it may be a face or an edge");
        Diagnostic::error(contact.what.span, message).hint(format!(
            "say what touches: `as disc(r, axis)` and `at` its centre, or a point of it: `{body} … at P on plane(…)`"
        ))
    })
}

fn literal(value: i64, span: Span) -> NodeKind {
    let number = NodeKind::Number { text: value.unsigned_abs().to_string(), unit: None };
    match value < 0 {
        true => NodeKind::Signed { sign: Sign::Minus, of: Box::new(Node::new(number, span)) },
        false => number,
    }
}

//! What do claims about every system say of this one? `q[i]` is its i-th coordinate, `n` the number of them.

use syntax::{Diagnostic, NodeKind, Span};

use crate::declaration::{Declaration, Line};
use crate::elaborate::Expansion;
use crate::walk::{PartMut, Parts};
use crate::{Model, print_line};

impl Model {
    /// The text of claims in which `q[i]` is the i-th coordinate of this model and `n` their number, element by element.
    ///
    /// ```
    /// let model = model::parse("", "coord x : m\ncoord a : rad\npoint P = (x, 0) mass 1 kg").model.unwrap();
    /// let text = "claim law[i]: generalized_momentum(q[i])' = force(q[i]) for i in 1..n";
    /// let lines = "claim law[1]: generalized_momentum(x)' = force(x)\n\
    ///              claim law[2]: generalized_momentum(a)' = force(a)\n";
    /// assert_eq!(model.about_coordinates(text).unwrap(), lines);
    /// assert_eq!(model.about_coordinates("claim a: q[3] = 0").unwrap_err()[0].message, "there is no `q[3]`: the model has 2 coordinates");
    /// ```
    pub fn about_coordinates(&self, text: &str) -> Result<String, Vec<Diagnostic>> {
        let mut lines = crate::read_lines(text)?;
        let declares =
            |name: &str| lines.iter().any(|line| line.declaration.declared().iter().any(|one| one.0 == name));
        let (own_n, own_q) = (declares("n"), declares("q"));
        let coordinates = self.coordinate_names()?;
        let mut said = String::new();
        for line in &mut lines {
            if !own_n {
                count_in(line, coordinates.len());
            }
            for mut element in Expansion::flat(self).line(line).map_err(|error| vec![error])? {
                if !own_q {
                    name_in(&mut element, &coordinates).map_err(|error| vec![error])?;
                }
                said += &print_line(&element);
                said += "\n";
            }
        }
        Ok(said)
    }

    fn coordinate_names(&self) -> Result<Vec<String>, Vec<Diagnostic>> {
        let model = self.elaborate()?;
        let names = |line: &Line| match &line.declaration {
            Declaration::Coord(coord) => coord.families.iter().map(|family| family.name.clone()).collect(),
            _ => Vec::new(),
        };
        Ok(model.lines.iter().flat_map(names).collect())
    }
}

/// Puts the number of coordinates in for `n`.
fn count_in(line: &mut Line, count: usize) {
    fn change(node: &mut syntax::Node, count: usize) {
        if matches!(&node.kind, NodeKind::Name { name, index: None } if name == "n") {
            node.kind = NodeKind::Number { text: count.to_string(), unit: None };
            return;
        }
        node.kind.change(&mut |part| {
            if let PartMut::Node(child) = part {
                change(child, count);
            }
        });
    }
    line.change(&mut |part| {
        if let PartMut::Node(node) = part {
            change(node, count);
        }
    });
}

/// Puts coordinates in for `q[1]`, `q[2]` …, in a line without ranges.
fn name_in(line: &mut Line, coordinates: &[String]) -> Result<(), Diagnostic> {
    let mut result = Ok(());
    fn named(name: &str, span: Span, coordinates: &[String]) -> Result<Option<String>, Diagnostic> {
        let Some(index) = name.strip_prefix("q[").and_then(|rest| rest.strip_suffix(']')) else { return Ok(None) };
        let place = index.parse::<usize>().ok().and_then(|index| coordinates.get(index.checked_sub(1)?));
        let count = crate::parse::count(coordinates.len(), "coordinate");
        let missing = || Diagnostic::error(span, format!("there is no `q[{index}]`: the model has {count}"));
        place.cloned().map(Some).ok_or_else(missing)
    }
    fn change(node: &mut syntax::Node, coordinates: &[String]) -> Result<(), Diagnostic> {
        let span = node.span;
        if let NodeKind::Name { name, index: None } = &mut node.kind {
            if let Some(coordinate) = named(name, span, coordinates)? {
                *name = coordinate;
            }
            return Ok(());
        }
        let mut result = Ok(());
        node.kind.change(&mut |part| {
            if let (PartMut::Node(child), Ok(())) = (part, &result) {
                result = change(child, coordinates);
            }
        });
        result
    }
    line.change(&mut |part| {
        if let (PartMut::Node(node), Ok(())) = (part, &result) {
            result = change(node, coordinates);
        }
    });
    result
}

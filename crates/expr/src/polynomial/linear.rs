//! Are expressions linear in some unknowns, and with which coefficients?
//!
//! ```text
//! e = A·x + b        node by node: a sum adds rows, a product scales the one row it has
//! ```
//!
//! Nothing is multiplied out. A coefficient that vanishes by its signature counts as absent, so
//! that a product of unknowns that is not really there does no harm; where the nodes alone say
//! "not linear", the expression is collected in the unknowns and looked at again.

use std::fmt;

use rustc_hash::FxHashMap;

use super::sparse::Single;
use super::{Collected, Strictness};
use crate::field::{Element, Field};
use crate::graph::{Graph, Id, Op};
use crate::scope::{Expr, with_graph};

/// An expression that is not linear in the unknowns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotLinear {
    /// Which of the expressions.
    pub output: usize,
    /// The part of it that is not linear, as text.
    pub term: String,
}

impl fmt::Display for NotLinear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expression {} is not linear: it contains `{}`", self.output + 1, self.term)
    }
}

impl std::error::Error for NotLinear {}

/// The matrix A and the vector b with `outputs = A·unknowns + b`, or the term that prevents it.
///
/// ```
/// # fn main() -> Result<(), expr::NotLinear> {
/// let _scope = expr::Scope::enter();
/// let (x, y, m) = (expr::parameter("x"), expr::parameter("y"), expr::parameter("m"));
/// let (a, b) = expr::linear_coefficients(&[m * (x - y) + 3], &[x, y])?;
/// assert_eq!((a[0][0], a[0][1], b[0]), (m, -m, expr::integer(3)));
/// # Ok(())
/// # }
/// ```
pub fn linear_coefficients(outputs: &[Expr], unknowns: &[Expr]) -> Result<(Vec<Vec<Expr>>, Vec<Expr>), NotLinear> {
    let (outputs, unknowns) = (super::ids(outputs), super::ids(unknowns));
    let rows = with_graph(|graph| graph.linear_rows(&outputs, &unknowns))?;
    let zero = Expr::zero();
    let dense = |row: &Row| {
        let mut list = vec![zero; unknowns.len()];
        row.iter().for_each(|&(k, c)| list[k as usize] = Expr::of(c));
        list
    };
    let matrix = rows.iter().map(|(row, _)| dense(row)).collect();
    Ok((matrix, rows.iter().map(|&(_, constant)| Expr::of(constant)).collect()))
}

/// Coefficients in a field, with the places of their unknowns, ascending.
pub type RowAtPoint = Vec<(usize, Element)>;

/// The coefficients of the unknowns at the point at which the first signatures stand, and the field in which they
/// lie. `None` for an output that the nodes alone do not show to be
/// linear. No node is made.
pub fn linear_signatures(outputs: &[Expr], unknowns: &[Expr]) -> (Field, Vec<Option<RowAtPoint>>) {
    let (outputs, unknowns) = (super::ids(outputs), super::ids(unknowns));
    with_graph(|graph| {
        let nodes = graph.store.reachable(&outputs);
        let depends = graph.depending(&nodes, &unknowns);
        let places: FxHashMap<Id, usize> = unknowns.iter().copied().zip(0..).collect();
        let mut rows: FxHashMap<Id, Option<RowAtPoint>> = FxHashMap::default();
        for id in nodes.into_iter().filter(|&id| depends[id as usize]) {
            let row = match places.get(&id) {
                Some(&place) => Some(vec![(place, graph.field().one())]),
                None => graph.row_at_point(id, &rows),
            };
            rows.insert(id, row);
        }
        let of = |id: &Id| rows.get(id).cloned().unwrap_or_else(|| Some(Vec::new()));
        (graph.field().clone(), outputs.iter().map(of).collect())
    })
}

/// Places of unknowns, ascending, with their coefficients.
type Row = Vec<(u32, Id)>;

/// How a node that contains unknowns depends on them.
enum Shape {
    Affine(Row, Id),
    /// Not linear, because of this node.
    Nonlinear(Id),
}

impl Graph {
    /// The coefficients of a node at the first point, from those of its arguments. What cancels is not looked for.
    fn row_at_point(&self, id: Id, rows: &FxHashMap<Id, Option<RowAtPoint>>) -> Option<RowAtPoint> {
        let field = self.field();
        let moving = self.store.children(id).iter().filter_map(|child| Some((*child, rows.get(child)?)));
        match self.store.op(id) {
            Op::Sum => {
                let mut entries = Vec::new();
                for (_, row) in moving {
                    entries.extend_from_slice(row.as_ref()?);
                }
                entries.sort_unstable_by_key(|entry| entry.0);
                entries.dedup_by(|next, kept| {
                    let is_same = next.0 == kept.0;
                    kept.1 = if is_same { field.add(kept.1, next.1) } else { kept.1 };
                    is_same
                });
                Some(entries)
            }
            Op::Scale | Op::Product => {
                let &[(factor, row)] = moving.collect::<Vec<_>>().as_slice() else { return None };
                let others = self.store.children(id).iter().filter(|&&child| child != factor);
                let rest = others.fold(field.one(), |rest, &other| field.mul(rest, self.store.image(other).lanes[0]));
                Some(row.as_ref()?.iter().map(|&(place, c)| (place, field.mul(c, rest))).collect())
            }
            _ => None,
        }
    }

    fn linear_rows(&mut self, outputs: &[Id], unknowns: &[Id]) -> Result<Vec<(Row, Id)>, NotLinear> {
        let shapes = self.shapes(outputs, unknowns);
        let places: FxHashMap<Id, u32> = unknowns.iter().zip(0..).map(|(&id, k)| (id, k)).collect();
        let mut rows = Vec::with_capacity(outputs.len());
        for (output, &id) in outputs.iter().enumerate() {
            rows.push(match shapes.get(&id) {
                None => (Row::new(), id),
                Some(Shape::Affine(row, constant)) => (row.clone(), *constant),
                Some(&Shape::Nonlinear(culprit)) => self
                    .collected_row(id, unknowns, &places)
                    .map_err(|term| NotLinear { output, term: self.brief(term.unwrap_or(culprit)) })?,
            });
        }
        Ok(rows)
    }

    /// The shapes of all nodes that contain unknowns; the others are constants.
    fn shapes(&mut self, outputs: &[Id], unknowns: &[Id]) -> FxHashMap<Id, Shape> {
        let nodes = self.store.reachable(outputs);
        let depends = self.depending(&nodes, unknowns);
        let nodes: Vec<Id> = nodes.into_iter().filter(|&id| depends[id as usize]).collect();
        let single = Single::new(&self.store, &nodes, outputs.iter().chain(unknowns).copied());
        let places: FxHashMap<Id, u32> = unknowns.iter().zip(0..).map(|(&id, k)| (id, k)).collect();
        let mut shapes = FxHashMap::default();
        for id in nodes {
            if single.is_gathered(id) {
                continue;
            }
            let shape = match places.get(&id) {
                Some(&place) => Shape::Affine(vec![(place, Graph::ONE)], Graph::ZERO),
                None => self.shape(id, &single, &shapes),
            };
            shapes.insert(id, shape);
        }
        shapes
    }

    /// The shape of a node from those of its arguments.
    fn shape(&mut self, id: Id, single: &Single, shapes: &FxHashMap<Id, Shape>) -> Shape {
        match self.store.op(id) {
            Op::Sum => self.shape_of_sum(id, single, shapes),
            Op::Scale | Op::Product => self.shape_of_product(id, shapes),
            _ => self.shape_of_function(id, shapes).unwrap_or(Shape::Nonlinear(id)),
        }
    }

    /// A function of arguments in which the unknowns cancel is a constant.
    fn shape_of_function(&mut self, id: Id, shapes: &FxHashMap<Id, Shape>) -> Option<Shape> {
        let constant = |&child: &Id| match shapes.get(&child) {
            None => Some(child),
            Some(Shape::Affine(row, constant)) if row.is_empty() => Some(*constant),
            Some(_) => None,
        };
        let arguments = self.store.children(id).iter().map(constant).collect::<Option<Vec<Id>>>()?;
        let constant = self.rebuilt(id, &arguments).ok()?;
        Some(Shape::Affine(Row::new(), constant))
    }

    fn shape_of_sum(&mut self, id: Id, single: &Single, shapes: &FxHashMap<Id, Shape>) -> Shape {
        let mut entries = Row::new();
        let mut constants = Vec::new();
        for (c, term) in single.gathered(&self.store, id) {
            match shapes.get(&term) {
                None => constants.push(self.scale(&c, term)),
                Some(&Shape::Nonlinear(culprit)) => return Shape::Nonlinear(culprit),
                Some(Shape::Affine(row, constant)) => {
                    entries.extend(row.iter().map(|&(k, a)| (k, self.scale(&c, a))));
                    constants.push(self.scale(&c, *constant));
                }
            }
        }
        entries.sort_by_key(|entry| entry.0);
        let mut row = Row::new();
        let mut rest = entries.as_slice();
        while let [(place, _), ..] = *rest {
            let run = rest.iter().take_while(|entry| entry.0 == place).count();
            let coefficients: Vec<Id> = rest[..run].iter().map(|entry| entry.1).collect();
            let c = self.sum(&coefficients);
            if !self.is_zero(c) {
                row.push((place, c));
            }
            rest = &rest[run..];
        }
        let constant = self.sum(&constants);
        Shape::Affine(row, constant)
    }

    fn shape_of_product(&mut self, id: Id, shapes: &FxHashMap<Id, Shape>) -> Shape {
        let mut free = Vec::new();
        let mut moving = None;
        for factor in self.store.children(id).to_vec() {
            match shapes.get(&factor) {
                None => free.push(factor),
                Some(Shape::Affine(row, constant)) if row.is_empty() => free.push(*constant),
                Some(_) if moving.is_some() => return Shape::Nonlinear(id),
                Some(Shape::Affine(row, constant)) => moving = Some((row, *constant)),
                Some(&Shape::Nonlinear(culprit)) => return Shape::Nonlinear(culprit),
            }
        }
        // factor by factor: long products inside products stay as they are
        let rest = free.iter().fold(Graph::ONE, |rest, &factor| self.mul(rest, factor));
        let Some((row, constant)) = moving else { return Shape::Affine(Row::new(), rest) };
        let row = row.iter().map(|&(k, a)| (k, self.mul(a, rest))).collect();
        Shape::Affine(row, self.mul(constant, rest))
    }

    /// The row of an expression collected in the unknowns, or the term that is not linear.
    fn collected_row(&mut self, id: Id, unknowns: &[Id], places: &FxHashMap<Id, u32>) -> Result<(Row, Id), Option<Id>> {
        let terms: Collected = self.in_terms_of(id, unknowns, Strictness::Strict).ok_or(None)?;
        let mut row = Row::new();
        let mut constant = Graph::ZERO;
        for (monomial, c) in &terms {
            match *monomial.factors() {
                [] => constant = *c,
                [(unknown, 1)] => row.push((places[&unknown], *c)),
                _ => {
                    let term = monomial.build(self).map(|monomial| self.mul(*c, monomial));
                    return Err(term);
                }
            }
        }
        row.sort_unstable_by_key(|entry| entry.0);
        Ok((row, constant))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scope, parameter, parse};

    fn check(e: Expr, unknowns: &[Expr], row: &str, constant: &str) {
        let (a, b) = linear_coefficients(&[e], unknowns).unwrap();
        let row: Vec<Expr> = row.split(", ").map(|text| parse(text).unwrap()).collect();
        assert_eq!((&a[0], b[0]), (&row, parse(constant).unwrap()), "{e}");
        let back = a[0].iter().zip(unknowns).map(|(&c, &x)| c * x).sum::<Expr>() + b[0];
        assert!(back.is_same(e));
    }

    #[test]
    fn coefficients() {
        let _scope = Scope::with_seed(1);
        let [g, l, m, x, y] = ["g", "l", "m", "x", "y"].map(parameter);
        check(m * (l * x - g) + x, &[x, y], "l*m + 1, 0", "-g*m");
        check((x + y) * (m + l) / g.sin() - 2 * (y - x), &[x, y], "(l + m)/sin(g) + 2, (l + m)/sin(g) - 2", "0");
        check(m.cos() * l, &[x, y], "0, 0", "l*cos(m)");
        check(x, &[x, y], "1, 0", "0");
        check(m * x.cos() + l, &[x.cos()], "m", "l");
    }

    #[test]
    fn products_that_are_not_there() {
        let _scope = Scope::with_seed(1);
        let [x, y, m] = ["x", "y", "m"].map(parameter);
        let one = m.sin().pow(2) + m.cos().pow(2);
        check(x * (y + 1) - x * y, &[x, y], "1, 0", "0");
        check(x * ((one - 1) * y + m), &[x, y], "m, 0", "0");
        check((x * (m + 1) - x * m - x).cos() + m * x, &[x, y], "m, 0", "1");
        check((x + m).pow(2) - x.pow(2), &[x], "2*m", "m^2");
        check(x * y * (one - 1) + y, &[x, y], "0, 1", "0");
    }

    #[test]
    fn what_is_not_linear_is_named() {
        let _scope = Scope::with_seed(1);
        let [m, x, y] = ["m", "x", "y"].map(parameter);
        for (e, term) in [
            (m + x * y * m, "m*x*y"),
            (m * (x.sin() + 1), "sin(x)"),
            (m / (x + 1), "1/(x + 1)"),
            ((x + 1).pow(2) * m, "m*x^2"),
        ] {
            let error = linear_coefficients(&[x, e], &[x, y]).unwrap_err();
            assert_eq!(error, NotLinear { output: 1, term: term.to_owned() });
            assert_eq!(error.to_string(), format!("expression 2 is not linear: it contains `{term}`"));
        }
    }

    #[test]
    fn at_the_point_of_the_signatures() {
        let _scope = Scope::with_seed(1);
        let [g, m, x, y] = ["g", "m", "x", "y"].map(parameter);
        let list = [m * (g.sin() * x - 2 * y) + x - g, y / m, g, x + y - x];
        let (matrix, _) = linear_coefficients(&list, &[x, y]).unwrap();
        let (_, rows) = linear_signatures(&list, &[x, y]);
        let value = |e: Expr| with_graph(|graph| graph.store.image(e.id_unchecked()).lanes[0]);
        for (row, found) in matrix.iter().zip(rows) {
            let found = found.unwrap();
            for (place, &c) in row.iter().enumerate() {
                let at_point = found.iter().find(|entry| entry.0 == place).map_or(Element::ZERO, |entry| entry.1);
                assert_eq!(at_point, value(c), "{c}");
            }
        }
        let (_, rows) = linear_signatures(&[x * y, m * x.sin(), x * (y + 1) - x * y], &[x, y]);
        assert!(rows.iter().all(Option::is_none));
    }

    #[test]
    fn many_unknowns() {
        let scope = Scope::with_seed(1);
        let x: Vec<Expr> = (0..600).map(|k| parameter(&format!("x{k}"))).collect();
        let m: Vec<Expr> = (0..600).map(|k| parameter(&format!("m{k}"))).collect();
        // prefix sums, shared: 600 rows with 180,300 entries
        let mut prefix = Expr::zero();
        let outputs: Vec<Expr> = (0..600)
            .map(|k| {
                prefix += m[k] * x[k];
                (prefix - m[k]) * m[0]
            })
            .collect();
        let (a, b) = linear_coefficients(&outputs, &x).unwrap();
        assert_eq!((a[599][7], a[7][599], b[3]), (m[0] * m[7], Expr::zero(), -m[0] * m[3]));
        assert!(scope.nodes() < 20_000);
    }
}

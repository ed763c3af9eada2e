//! How are the matrices of the equations of motion written?

use expr::{Expr, Formula, Tree};
use mechanics::form::FormError;
use mechanics::ingredients::Ingredients;
use serde::Serialize;

use crate::Ordered;
use crate::letters::Letters;
use crate::readable::Reader;
use crate::shape::{equal, matrix, of};

/// With more coordinates the inverse and Christoffel's symbols of the second kind are not written.
const MOST_COORDINATES: usize = 8;
/// An inverse with more operations in an entry than this is not written.
const TOO_LONG: usize = 400;

/// M q'' + h = Q + Aᵀ λ with A q'' = b; where T is quadratic in the rates and free of time, h = C q' + g with g = ∂V/∂q
/// and M' − 2C skew.
#[derive(Clone, Debug, Serialize)]
#[allow(non_snake_case, reason = "the letters of the books, in JSON too")]
pub struct MatrixPage {
    /// The coordinates, in the order of rows and columns.
    pub q: Vec<String>,
    /// The multipliers, in the order of the rows of A.
    pub lambda: Vec<String>,
    /// The mass matrix.
    pub M: Vec<Vec<String>>,
    /// What stands beside the accelerations on the left.
    pub h: Vec<String>,
    /// The matrix of Christoffel's symbols.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub C: Option<Vec<Vec<String>>>,
    /// The slopes of the potential, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub g: Option<Vec<String>>,
    /// The rows of the constraints.
    pub A: Vec<Vec<String>>,
    /// What the rows require.
    pub b: Vec<String>,
    /// Forces without a potential.
    pub Q: Vec<String>,
    /// Christoffel's symbols of the first kind that are not zero, `x; y, z` for Γ_{x,yz}.
    pub Gamma: Ordered<String>,
    /// Those of the second kind, `x; y, z` for Γ^x_yz.
    pub Gamma_raised: Ordered<String>,
    /// The inverse of M, the metric with raised indices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inverse: Option<Vec<Vec<String>>>,
    /// Whether M q'' + h − Q is E − Q of the form with multipliers, and M' − 2C was proved skew where there is a C.
    pub checked: bool,
    /// The entries of each matrix to compute with, row by row.
    pub trees: Ordered<Vec<Tree>>,
    /// Each matrix as LaTeX.
    pub latex: Ordered<String>,
    /// Each matrix as a `<math>` element.
    pub mathml: Ordered<String>,
    /// What is left out, and why.
    pub notes: Vec<String>,
}

/// A table that is read: its entries for people, row by row.
struct Table {
    name: &'static str,
    rows: usize,
    entries: Vec<Letters>,
    trees: Vec<Tree>,
}

impl Table {
    fn texts(&self) -> Vec<Vec<String>> {
        let columns = self.entries.len().checked_div(self.rows).unwrap_or(0).max(1);
        self.entries.chunks(columns).map(|row| row.iter().map(|entry| entry.text.clone()).collect()).collect()
    }

    fn column(&self) -> Vec<String> {
        self.entries.iter().map(|entry| entry.text.clone()).collect()
    }

    fn shown(&self) -> Letters {
        equal(self.name, &matrix(self.rows, &self.entries))
    }
}

/// The matrices of a system, as a person would write them.
pub fn matrices(given: &Ingredients<'_>) -> Result<MatrixPage, FormError> {
    let made = mechanics::matrices::Matrices::of(given)?;
    let reader = Reader::new();
    let table = |name: &'static str, rows: &[Vec<Expr>]| {
        let read = rows.iter().flatten().map(|&entry| Formula::of(reader.readable(entry, &[])));
        let (entries, trees) = read.map(|formula| (of(&formula), formula.tree)).unzip();
        Table { name, rows: rows.len(), entries, trees }
    };
    let column =
        |name: &'static str, list: &[Expr]| table(name, &list.iter().map(|&entry| vec![entry]).collect::<Vec<_>>());
    let (M, h, Q) = (table("M", &made.M), column("h", &made.h), column("Q", &made.Q));
    let (A, b) = (table("A", &made.A), column("b", &made.b));
    let C = made.C.as_ref().map(|C| table("C", C));
    let g = made.g.iter().any(|slope| !slope.is_zero()).then(|| column("g", &made.g));
    let names: Vec<String> = given.system.coordinates.iter().map(|one| one.name.clone()).collect();
    let label = |[r, a, b]: [usize; 3]| format!("{}; {}, {}", names[r], names[a], names[b]);
    let text = |value: Expr| reader.readable(value, &[]).to_string();
    let Gamma: Ordered<String> = made.christoffel.iter().map(|&(place, value)| (label(place), text(value))).collect();
    let mut notes = Vec::new();
    let inverse = small_inverse(given, &made, &mut notes);
    let raised = inverse.as_ref().map(|inverse| raised(&made, inverse)).unwrap_or_default();
    let Gamma_raised = raised.iter().map(|&(place, value)| (label(place), text(value))).collect();
    let inverse = inverse.map(|inverse| table("M⁻¹", &inverse));
    if C.is_none() {
        notes.push("T is not quadratic in the rates, or depends on time: h has no part C q'".to_owned());
    }
    if reader.gave_up() {
        notes.push("some parts are too long to be simplified, and are written as they were made".to_owned());
    }
    let all: Vec<&Table> = [Some(&M), Some(&h), C.as_ref(), g.as_ref(), Some(&A), Some(&b), Some(&Q), inverse.as_ref()]
        .into_iter()
        .flatten()
        .filter(|table| !table.entries.is_empty())
        .collect();
    let math =
        |table: &Table| format!("<math xmlns=\"http://www.w3.org/1998/Math/MathML\">{}</math>", table.shown().mathml);
    Ok(MatrixPage {
        trees: all.iter().map(|table| (table.name.to_owned(), table.trees.clone())).collect(),
        checked: is_right(given, &made)?,
        lambda: given.rows.list.iter().map(|row| row.lambda.to_string()).collect(),
        M: M.texts(),
        h: h.column(),
        C: C.as_ref().map(Table::texts),
        g: g.as_ref().map(Table::column),
        A: A.texts(),
        b: b.column(),
        Q: Q.column(),
        Gamma,
        Gamma_raised,
        inverse: inverse.as_ref().map(Table::texts),
        latex: all.iter().map(|table| (table.name.to_owned(), table.shown().latex)).collect(),
        mathml: all.iter().map(|table| (table.name.to_owned(), math(table))).collect(),
        notes,
        q: names,
    })
}

/// The inverse of M, unless it is too long.
fn small_inverse(
    given: &Ingredients<'_>,
    made: &mechanics::matrices::Matrices,
    notes: &mut Vec<String>,
) -> Option<Vec<Vec<Expr>>> {
    let n = made.M.len();
    if n > MOST_COORDINATES {
        notes.push(format!("the inverse of a matrix of {n} rows is not written"));
        return None;
    }
    let Some(inverse) = made.inverse(given) else {
        notes.push("M has no inverse: a coordinate moves no mass".to_owned());
        return None;
    };
    let longest = inverse.iter().flatten().map(|entry| entry.operations()).max().unwrap_or(0);
    if longest > TOO_LONG {
        notes.push(format!("the inverse of M is not written: an entry has {longest} operations"));
        return None;
    }
    Some(inverse)
}

/// Γ^ρ_αβ = Σ (M⁻¹)_ρσ Γ_{σ,αβ}, those that are not zero.
fn raised(made: &mechanics::matrices::Matrices, inverse: &[Vec<Expr>]) -> Vec<([usize; 3], Expr)> {
    let n = made.M.len();
    let mut list = Vec::new();
    for a in 0..n {
        for b in a..n {
            let lower: Vec<(usize, Expr)> = made
                .christoffel
                .iter()
                .filter(|entry| entry.0[1..] == [a, b])
                .map(|entry| (entry.0[0], entry.1))
                .collect();
            for (r, row) in inverse.iter().enumerate() {
                let value: Expr = lower.iter().map(|&(s, value)| row[s] * value).sum();
                if !value.is_zero() {
                    list.push(([r, a, b], value));
                }
            }
        }
    }
    list.sort_by_key(|entry| entry.0);
    list
}

/// Do the matrices give the equations with multipliers, and is M' − 2C skew?
fn is_right(given: &Ingredients<'_>, made: &mechanics::matrices::Matrices) -> Result<bool, FormError> {
    let inertia = given.thawed(given.E()?)?.into_iter().zip(given.thawed(given.Q()?)?);
    let product = |row: &[Expr]| row.iter().zip(&given.q_ddot).map(|(&entry, &w)| entry * w).sum::<Expr>();
    let mut claims: Vec<Expr> = Vec::new();
    for (s, (E, Q)) in inertia.enumerate() {
        claims.push(product(&made.M[s]) + made.h[s] - made.Q[s] - (E - Q));
    }
    claims.extend(made.symmetric.iter().copied());
    let claims: Vec<Expr> = claims.into_iter().filter(|&claim| claim != Expr::zero()).collect();
    let assumptions = mechanics::agreement::assumptions(given);
    Ok(proof::decide_all(&claims, &assumptions).iter().all(proof::Verdict::is_zero))
}

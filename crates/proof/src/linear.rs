//! How do linear equations between expressions come apart? Rank, solution, null space.
//!
//! ```text
//! A x = c   →   x_d = Σₖ b_dk x_k + b_d       d dependent, k independent columns     (1)
//! a_ij ← a_ij − (a_ik / p) a_kj               for each pivot p = a_kk                (2)
//! ```
//!
//! The elimination (2) is kept as a shared graph: a factor and a row are made once, and what
//! vanishes is recognised by its signature and dropped, so that fill-in is true fill-in. A pivot
//! must be nonzero by its signature **and** clearly nonzero at the state that is passed in, where sparse
//! order decides among the candidates; if none is left, the chart is singular there and the
//! error says so. (A pivot that is nonzero in general may vanish at the symmetric state that one
//! wants to linearise about.) A solution leaves a record of its system, so that its degree is
//! bounded by Cramer's rule instead of being read off the graph.
//!
//! Source of the sparse order: H. M. Markowitz, Management Science 3 (1957) 255–269.

mod elimination;
mod rank;
#[cfg(test)]
mod tests;
mod trouble;

use std::cmp::Reverse;
use std::fmt;

use expr::field::{Element, Field, Random};
use expr::{At, Eliminated, Evaluator, Expr, Solved, Stage, Undefined};
use rustc_hash::FxHashMap;

pub use rank::{Equations, Rank, determined, rank, rank_at};
pub use trouble::SolveError;

use elimination::*;

/// A pivot is clearly nonzero if it is larger than this, relative to what is left of its row and
/// to the terms that it is the difference of.
const CLEAR: f64 = 1e-9;
/// A pivot smaller than this, on the same scale, is taken when there is no other.
const WEAK: f64 = 1e-3;
/// An entry smaller than this, relative to the terms inside it, is a zero with rounding errors.
const NOISE: f64 = 1e-13;
/// Only entries smaller than this are looked into for terms that cancel.
const SUSPECT: f64 = 1e-6;
/// A determinant without pivots is expanded by minors up to this size.
const MINORS: usize = 8;
/// Roots of unity up to order 24 live in the fields of a rank, and angles are split to 1/24, if
/// the entries do not ask for more.
const ORDER: u64 = 5_354_228_880;
const FINENESS: u64 = 24;
/// Beyond this there are no fields to draw from (`Field::with_prime`).
const MAX_ORDER: u64 = 1 << 48;

/// A matrix of expressions, of which only those are stored that are not zero.
///
/// Invariant: in each row the columns ascend, and no entry is zero by its signature.
#[derive(Clone, Debug)]
pub struct Matrix {
    rows: Vec<Vec<(usize, Expr)>>,
    columns: usize,
}

impl Matrix {
    /// The matrix with these rows.
    ///
    /// # Panics
    /// If they differ in length.
    pub fn from_rows(rows: &[Vec<Expr>]) -> Matrix {
        let columns = rows.first().map_or(0, Vec::len);
        assert!(rows.iter().all(|row| row.len() == columns), "the rows of a matrix have one length");
        Matrix::from_entries(columns, rows.iter().map(|row| row.iter().copied().enumerate().collect()).collect())
    }

    /// The matrix with that many columns whose rows hold these entries, each with its column.
    ///
    /// # Panics
    /// If a column is out of range, or has two entries in one row.
    pub fn from_entries(columns: usize, mut rows: Vec<Vec<(usize, Expr)>>) -> Matrix {
        for row in &mut rows {
            row.retain(|&(_, entry)| !entry.is_zero());
            row.sort_unstable_by_key(|&(column, _)| column);
            assert!(row.iter().all(|&(column, _)| column < columns), "an entry stands outside its matrix");
            assert!(row.windows(2).all(|pair| pair[0].0 < pair[1].0), "a place in a matrix has two entries");
        }
        Matrix { rows, columns }
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// How many columns it has.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The entry in that place, zero where nothing is stored.
    pub fn entry(&self, row: usize, column: usize) -> Expr {
        let row = &self.rows[row];
        row.binary_search_by_key(&column, |&(column, _)| column).map_or_else(|_| Expr::zero(), |place| row[place].1)
    }

    /// The matrix times a vector.
    ///
    /// # Panics
    /// If the vector has another length than the rows.
    pub fn times(&self, vector: &[Expr]) -> Vec<Expr> {
        assert_eq!(vector.len(), self.columns, "a matrix takes a vector as long as its rows");
        self.rows.iter().map(|row| row.iter().map(|&(column, entry)| entry * vector[column]).sum()).collect()
    }

    /// The matrix with rows and columns exchanged.
    pub fn transposed(&self) -> Matrix {
        let mut rows = vec![Vec::new(); self.columns];
        for (row, entries) in self.rows.iter().enumerate() {
            entries.iter().for_each(|&(column, entry)| rows[column].push((row, entry)));
        }
        Matrix { rows, columns: self.rows.len() }
    }

    fn entries(&self) -> Vec<Expr> {
        self.rows.iter().flatten().map(|&(_, entry)| entry).collect()
    }

    /// The same places with other entries, which come in the order of `entries`.
    fn refilled<T>(&self, mut entries: impl Iterator<Item = T>) -> Vec<Vec<(usize, T)>> {
        let refill = |row: &Vec<(usize, Expr)>| {
            row.iter().zip(&mut entries).map(|(&(column, _), entry)| (column, entry)).collect::<Vec<_>>()
        };
        self.rows.iter().map(refill).collect()
    }
}

/// Which columns are to be solved for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Columns<'a> {
    /// Those that keep the elimination sparse.
    Any,
    /// These wherever they qualify, then any.
    Prefer(&'a [usize]),
    /// These and no others.
    Only(&'a [usize]),
}

impl Columns<'_> {
    fn standings(self, columns: usize) -> Vec<Standing> {
        let (listed, named, rest) = match self {
            Columns::Any => (Standing::Allowed, &[][..], Standing::Allowed),
            Columns::Prefer(columns) => (Standing::Preferred, columns, Standing::Allowed),
            Columns::Only(columns) => (Standing::Allowed, columns, Standing::Barred),
        };
        let mut standings = vec![rest; columns];
        named.iter().for_each(|&column| standings[column] = listed);
        standings
    }
}

/// A system solved for some of its variables: (1).
#[derive(Clone, Debug)]
pub struct Elimination {
    /// The columns solved for, ascending.
    pub dependent: Vec<usize>,
    /// The other columns, ascending.
    pub independent: Vec<usize>,
    /// b_dk: a row for each dependent column, a column for each independent one.
    pub coefficients: Vec<Vec<Expr>>,
    /// b_d: a term for each dependent column.
    pub constants: Vec<Expr>,
    /// The rows that follow from the others, ascending.
    pub redundant_rows: Vec<usize>,
    /// The determinant of the dependent columns, in the rows that are not redundant: the product
    /// of the pivots.
    pub determinant: Expr,
}

/// Solves `matrix · x = right` for all of x, with pivots that do not vanish at the state. There may be more rows than
/// columns if they agree.
///
/// ```
/// # fn main() -> Result<(), proof::linear::SolveError> {
/// let _scope = expr::Scope::enter();
/// let [a, b] = ["a", "b"].map(expr::parameter);
/// let system = proof::linear::Matrix::from_rows(&[vec![a, b], vec![-b, a]]);
/// let here = expr::At::new(&[(a, 1.0), (b, 0.0)]);
/// let x = proof::linear::solve(&system, &[expr::integer(1), expr::integer(0)], &here)?;
/// assert!(x[0].is_same(a / (a * a + b * b)));
/// # Ok(())
/// # }
/// ```
///
/// # Panics
/// If `right` has another length than the matrix has rows.
pub fn solve(matrix: &Matrix, right: &[Expr], at: &At) -> Result<Vec<Expr>, SolveError> {
    let found = solve_for(matrix, right, Columns::Any, at)?;
    match found.independent.is_empty() {
        true => Ok(found.constants),
        false => Err(SolveError::Undetermined { columns: found.independent }),
    }
}

/// Solves `matrix · x = right` for as many columns of x as there are independent rows, with pivots that do not vanish
/// at the state.
///
/// # Panics
/// If `right` has another length than the matrix has rows, or a named column does not exist.
pub fn solve_for(matrix: &Matrix, right: &[Expr], columns: Columns, at: &At) -> Result<Elimination, SolveError> {
    assert_eq!(right.len(), matrix.rows(), "a system has one right side for each row");
    let mut rows = certified(matrix, at);
    for (row, &side) in rows.iter_mut().zip(right).filter(|(_, side)| !side.is_zero()) {
        row.push((matrix.columns, Certified { e: side, value: 0.0, size: 0.0 }));
    }
    let mut standings = columns.standings(matrix.columns);
    standings.push(Standing::Barred);
    let spent = Tableau::new(CertifiedPivots, rows, standings).eliminated();
    let redundant_rows = explain_rest(&spent, matrix.columns, matches!(columns, Columns::Only(_)))?;
    Ok(crate::cramer::rewritten(matrix, right, spent.substituted(matrix, right, redundant_rows), at))
}

/// A basis of the solutions of `matrix · x = 0`: one vector for each column that is independent at the state.
pub fn null_space(matrix: &Matrix, at: &At) -> Result<Vec<Vec<Expr>>, SolveError> {
    let found = solve_for(matrix, &vec![Expr::zero(); matrix.rows()], Columns::Any, at)?;
    let vector = |(place, &free): (usize, &usize)| {
        let mut vector = vec![Expr::zero(); matrix.columns];
        vector[free] = Expr::one();
        found.dependent.iter().zip(&found.coefficients).for_each(|(&column, b)| vector[column] = b[place]);
        vector
    };
    Ok(found.independent.iter().enumerate().map(vector).collect())
}

/// The determinant: the product of the pivots, and of what is left by minors if that vanishes at
/// the state.
///
/// # Panics
/// If the matrix is not square.
pub fn determinant(matrix: &Matrix, at: &At) -> Expr {
    assert_eq!(matrix.rows(), matrix.columns, "a determinant is that of a square matrix");
    let spent =
        Tableau::new(CertifiedPivots, certified(matrix, at), vec![Standing::Allowed; matrix.columns]).eliminated();
    let columns = others(matrix.columns, &sorted(spent.pivots.iter().map(|pivot| pivot.column)));
    let mut places = spent.places();
    places.extend(spent.left.iter().copied().zip(columns.iter().copied()));
    let rest = |row: &usize| spent.rows[*row].iter().map(|&(column, entry)| (column, entry.e)).collect();
    let rest = block(&columns, spent.left.iter().map(rest).collect());
    spent.product_of_pivots(&places) * if columns.len() <= MINORS { by_minors(&rest) } else { by_signature(&rest) }
}

/// The matrix whose rows hold these entries, in the columns listed.
fn block(columns: &[usize], rows: Vec<Vec<(usize, Expr)>>) -> Matrix {
    let place = |column: usize| columns.binary_search(&column).expect("spent columns are gone from the rows left");
    let moved = |row: Vec<(usize, Expr)>| row.into_iter().map(|(column, entry)| (place(column), entry)).collect();
    Matrix::from_entries(columns.len(), rows.into_iter().map(moved).collect())
}

/// A determinant without a division: minors of the last rows, each set of columns once.
fn by_minors(matrix: &Matrix) -> Expr {
    let mut minors = FxHashMap::from_iter([(0usize, Expr::one())]);
    for row in matrix.rows.iter().rev() {
        let mut terms: FxHashMap<usize, Vec<Expr>> = FxHashMap::default();
        for (&set, &minor) in &minors {
            for &(column, entry) in row.iter().filter(|&&(column, _)| set & 1 << column == 0) {
                let before = (set & ((1 << column) - 1)).count_ones();
                let term = entry * minor;
                terms.entry(set | 1 << column).or_default().push(if before % 2 == 0 { term } else { -term });
            }
        }
        minors = terms.into_iter().map(|(set, terms)| (set, Expr::sum(&terms))).collect();
    }
    minors.get(&((1 << matrix.columns) - 1)).copied().unwrap_or_else(Expr::zero)
}

/// A determinant by pivots that are nonzero in general.
fn by_signature(matrix: &Matrix) -> Expr {
    let spent = Tableau::new(BySignature, matrix.rows.clone(), vec![Standing::Allowed; matrix.columns]).eliminated();
    if spent.left.is_empty() { spent.product_of_pivots(&spent.places()) } else { Expr::zero() }
}

/// Looks at the rows that are left without a pivot: they are redundant, or the system has no
/// certified solution. `named`: the caller said which columns are to be solved for.
fn explain_rest(spent: &Tableau<CertifiedPivots>, right: usize, named: bool) -> Result<Vec<usize>, SolveError> {
    let rest = |open: bool| {
        let entries = spent.left.iter().flat_map(|&row| spent.rows[row].iter().map(move |entry| (row, entry)));
        let kept = entries.filter(move |(_, (column, _))| *column < right && spent.is_open(*column) == open);
        kept.map(|(row, &(column, entry))| (row, column, entry.e)).collect::<Vec<_>>()
    };
    let candidates = rest(true);
    if !candidates.is_empty() {
        return Err(SolveError::SingularChart {
            rows: sorted(candidates.iter().map(|candidate| candidate.0)),
            columns: sorted(candidates.iter().map(|candidate| candidate.1)),
            candidates: candidates.iter().take(4).map(|candidate| candidate.2.brief()).collect(),
        });
    }
    let columns: Vec<usize> = (0..right).filter(|&column| named && spent.is_unspent(column)).collect();
    if !columns.is_empty() {
        return Err(SolveError::Undetermined { columns });
    }
    let rows = sorted(rest(false).into_iter().map(|entry| entry.0));
    if !rows.is_empty() {
        return Err(SolveError::TooFewColumns { rows });
    }
    match spent.left.iter().find_map(|&row| spent.rows[row].first().map(|entry| (row, entry.1.e))) {
        Some((row, remainder)) => Err(SolveError::Inconsistent { row, remainder: remainder.brief() }),
        None => Ok(spent.left.clone()),
    }
}

impl Tableau<CertifiedPivots> {
    /// Back substitution: the last pivot's column first.
    fn substituted(&self, matrix: &Matrix, right: &[Expr], redundant_rows: Vec<usize>) -> Elimination {
        let dependent = sorted(self.pivots.iter().map(|pivot| pivot.column));
        let independent = others(matrix.columns, &dependent);
        // Made before the solution: a bound rests on what is older than what it bounds.
        let system = System::new(matrix, right, &dependent, &independent, &redundant_rows);
        let mut found: FxHashMap<usize, Vec<(usize, Expr)>> = FxHashMap::default();
        let mut stages: Vec<(Expr, Stage)> = Vec::new();
        for (k, pivot) in self.pivots.iter().enumerate().rev() {
            let (solved, sides) = self.solved_row(pivot, &found, matrix.columns);
            stages.extend(self.rows[pivot.row].iter().map(|(_, entry)| (entry.e, Stage::Entry(k))));
            stages.push((pivot.entry.e, Stage::Entry(k)));
            stages.extend(sides.into_iter().map(|side| (side, Stage::Side(k))));
            found.insert(pivot.column, solved);
        }
        let whole = |pivot: &Pivot<Certified>| {
            let own = matrix.rows[pivot.row].iter().map(|&(_, entry)| entry);
            own.chain([right[pivot.row]]).collect()
        };
        expr::record_elimination(Eliminated { rows: self.pivots.iter().map(whole).collect() }, &stages);
        let rows = dependent.iter().map(|column| found.remove(column).unwrap_or_default()).collect();
        let solution = Matrix::from_entries(matrix.columns + 1, rows);
        let column = |k: usize| (0..dependent.len()).map(|d| solution.entry(d, k)).collect::<Vec<_>>();
        system.record(column);
        Elimination {
            coefficients: (0..dependent.len())
                .map(|d| independent.iter().map(|&k| solution.entry(d, k)).collect())
                .collect(),
            constants: column(matrix.columns),
            determinant: self.product_of_pivots(&self.places()),
            dependent,
            independent,
            redundant_rows,
        }
    }

    /// One row of (1), from its row of the tableau and the rows found already; and its entries times the pivot.
    fn solved_row(
        &self,
        pivot: &Pivot<Certified>,
        found: &FxHashMap<usize, Vec<(usize, Expr)>>,
        right: usize,
    ) -> (Vec<(usize, Expr)>, Vec<Expr>) {
        let mut own: FxHashMap<usize, Expr> = FxHashMap::default();
        let mut spent: FxHashMap<usize, Vec<Expr>> = FxHashMap::default();
        for &(column, entry) in self.rows[pivot.row].iter().filter(|entry| entry.0 != pivot.column) {
            match found.get(&column) {
                Some(row) => row.iter().for_each(|&(k, b)| spent.entry(k).or_default().push(entry.e * b)),
                None => drop(own.insert(column, entry.e)),
            }
        }
        let inverse = Expr::one() / pivot.entry.e;
        let (mut row, mut sides) = (Vec::new(), Vec::new());
        for k in sorted(own.keys().chain(spent.keys()).copied()) {
            let rest = spent.get(&k).map(|terms| Expr::sum(terms)).filter(|rest| !rest.is_zero());
            let side = match (own.get(&k), rest) {
                (Some(&own), Some(rest)) if k == right => own - rest,
                (Some(&own), None) if k == right => own,
                (Some(&own), rest) => -rest.map_or(own, |rest| own + rest),
                (None, rest) => -rest.unwrap_or_else(Expr::zero),
            };
            if !side.is_zero() {
                row.push((k, side * inverse));
                sides.push(side);
            }
        }
        (row, sides)
    }
}

/// The square systems of which the columns of (1) are the solutions.
struct System {
    block: Vec<Vec<Expr>>,
    /// The independent columns with their sign changed, and the right side as the last one.
    sides: Vec<(usize, Vec<Expr>)>,
}

impl System {
    fn new(
        matrix: &Matrix,
        right: &[Expr],
        dependent: &[usize],
        independent: &[usize],
        redundant_rows: &[usize],
    ) -> System {
        let rows = others(matrix.rows(), redundant_rows);
        let column = |k: usize| rows.iter().map(|&row| -matrix.entry(row, k)).collect();
        let mut sides: Vec<(usize, Vec<Expr>)> = independent.iter().map(|&k| (k, column(k))).collect();
        sides.push((matrix.columns, rows.iter().map(|&row| right[row]).collect()));
        sides.retain(|(_, side)| !side.iter().all(|entry| entry.is_zero()));
        let block = rows.iter().map(|&row| dependent.iter().map(|&d| matrix.entry(row, d)).collect()).collect();
        System { block, sides }
    }

    fn record(self, solution: impl Fn(usize) -> Vec<Expr>) {
        for (k, right) in self.sides {
            expr::record_solution(Solved { matrix: self.block.clone(), right, solution: solution(k) });
        }
    }
}

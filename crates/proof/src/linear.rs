//! How do linear equations between expressions come apart? Rank, solution, null space.
//!
//! ```text
//! A x = c   →   x_d = Σₖ b_dk x_k + b_d       d dependent, k independent columns     (1)
//! a_ij ← a_ij − (a_ik / p) a_kj               for each pivot p = a_kk                (2)
//! ```
//!
//! The elimination (2) is kept as a shared graph: a factor and a row are made once, and what
//! vanishes is recognised by its signature and dropped, so that fill-in is true fill-in. A pivot
//! must be nonzero by its signature **and** clearly nonzero at the reference state, where sparse
//! order decides among the candidates; if none is left, the chart is singular there and the
//! error says so. (A pivot that is nonzero in general may vanish at the symmetric state that one
//! wants to linearise about.) A solution leaves a record of its system, so that its degree is
//! bounded by Cramer's rule instead of being read off the graph.
//!
//! Source of the sparse order: H. M. Markowitz, Management Science 3 (1957) 255–269.

use std::cmp::Reverse;
use std::fmt;

use expr::field::{Element, Field, Random};
use expr::{Evaluator, Expr, Solved, Undefined};
use rustc_hash::FxHashMap;

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

// ---------------------------------------------------------------------------------------------
// What can go wrong

/// Why a system has no certified solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolveError {
    /// The rows are independent in general, but not at the reference state: every entry that is
    /// left to divide by is zero or undefined there.
    SingularChart {
        /// The rows in which they stand.
        rows: Vec<usize>,
        /// The columns in which they stand.
        columns: Vec<usize>,
        /// Some of them, as text.
        candidates: Vec<String>,
    },
    /// A row's left side is zero, or follows from other rows, and its right side does not.
    Inconsistent {
        /// The row.
        row: usize,
        /// What is left of its right side, which should be zero.
        remainder: String,
    },
    /// The rows say nothing about these columns (beyond what they say about the others), at any state.
    Undetermined {
        /// The columns.
        columns: Vec<usize>,
    },
    /// More rows are independent than columns were named to be solved for.
    TooFewColumns {
        /// The rows that are left.
        rows: Vec<usize>,
    },
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::SingularChart { rows, columns, candidates } => write!(
                f,
                "the chart is singular at the reference state: {} in {}, {} there; choose another state, or other \
                 variables to solve for",
                listed("row", rows),
                listed("column", columns),
                vanishing(candidates),
            ),
            SolveError::Inconsistent { row, remainder } => {
                write!(f, "row {row} contradicts the others: it leaves 0 = `{remainder}`")
            }
            SolveError::Undetermined { columns } => {
                write!(f, "the rows do not determine {}; choose others to solve for", listed("column", columns))
            }
            SolveError::TooFewColumns { rows } => {
                write!(f, "{} left over: name more columns to solve for", listed("row", rows))
            }
        }
    }
}

impl std::error::Error for SolveError {}

fn listed(what: &str, places: &[usize]) -> String {
    let numbers: Vec<String> = places.iter().map(usize::to_string).collect();
    format!("{what}{} {}", if places.len() == 1 { "" } else { "s" }, numbers.join(", "))
}

fn vanishing(candidates: &[String]) -> String {
    let verb = if candidates.len() == 1 { "is" } else { "are" };
    format!("`{}` {verb} zero or undefined", candidates.join("`, `"))
}

// ---------------------------------------------------------------------------------------------
// Rank

/// How many rows are independent, and which.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rank {
    /// The rank.
    pub rank: usize,
    /// Row and column of each pivot, in the order in which they were taken.
    pub pivots: Vec<(usize, usize)>,
    /// The rows of the pivots, ascending.
    pub independent_rows: Vec<usize>,
    /// The other rows, ascending.
    pub dependent_rows: Vec<usize>,
}

impl Rank {
    fn of(pivots: Vec<(usize, usize)>, rows: usize) -> Rank {
        let independent = sorted(pivots.iter().map(|&(row, _)| row));
        let dependent_rows = others(rows, &independent);
        Rank { rank: pivots.len(), pivots, independent_rows: independent, dependent_rows }
    }
}

/// The rank as a matrix of functions: at almost every state. Found at random points of prime
/// fields, where entries are numbers; no expression is made.
///
/// ```
/// let _scope = expr::Scope::enter();
/// let x = expr::parameter("x");
/// let turn = proof::linear::Matrix::from_rows(&[vec![x.cos(), x.sin()], vec![x.cos() * x.tan(), x.sin() * x.tan()]]);
/// assert_eq!(proof::linear::rank(&turn).dependent_rows, [1]);
/// ```
pub fn rank(matrix: &Matrix) -> Rank {
    let at_point = |point: (Field, Vec<Element>)| {
        let (field, values) = point;
        let kept = |row: Vec<(usize, Element)>| row.into_iter().filter(|entry| entry.1 != Element::ZERO).collect();
        let rows = matrix.refilled(values.into_iter()).into_iter().map(kept).collect();
        Tableau::new(field, rows, vec![Standing::Allowed; matrix.columns]).eliminated()
    };
    let by_signature = || {
        let tableau = Tableau::new(BySignature, matrix.rows.clone(), vec![Standing::Allowed; matrix.columns]);
        tableau.eliminated().places()
    };
    // Nothing can be found beyond full rank, so one point is enough for that.
    let full = matrix.rows().min(matrix.columns);
    let mut best: Option<Vec<(usize, usize)>> = None;
    let is_done = each_point(&matrix.entries(), |point| {
        let next = at_point(point).places();
        if best.as_ref().is_none_or(|best| next.len() > best.len()) {
            best = Some(next);
        }
        best.as_ref().is_some_and(|best| best.len() == full)
    });
    Rank::of(best.filter(|_| is_done).unwrap_or_else(by_signature), matrix.rows())
}

/// Equations, as what must vanish, and what they are to be solved for.
pub type Equations = (Vec<Expr>, Vec<Expr>);

/// Which of these systems determine their unknowns, linearly and at almost every state? All are looked at in one pass,
/// at the point of the signatures: a determinant that does not vanish there is not the zero function. Only where that
/// shows nothing the coefficients are made.
pub fn determined(systems: &[Equations]) -> Vec<bool> {
    let mut unknowns: Vec<Expr> = Vec::new();
    for own in systems.iter().map(|system| &system.1) {
        let new: Vec<Expr> = own.iter().copied().filter(|unknown| !unknowns.contains(unknown)).collect();
        unknowns.extend(new);
    }
    let residuals: Vec<Expr> = systems.iter().flat_map(|system| system.0.iter().copied()).collect();
    let (field, rows) = expr::linear_signatures(&residuals, &unknowns);
    let mut rows = rows.into_iter();
    let at_point = |(residuals, own): &Equations| {
        let standings = unknowns.iter().map(|unknown| match own.contains(unknown) {
            true => Standing::Allowed,
            false => Standing::Barred,
        });
        let rows: Vec<Option<Vec<(usize, Element)>>> = rows.by_ref().take(residuals.len()).collect();
        let rows = rows.into_iter().collect::<Option<Vec<_>>>()?;
        let kept = |row: Vec<(usize, Element)>| row.into_iter().filter(|entry| entry.1 != Element::ZERO).collect();
        let tableau = Tableau::new(field.clone(), rows.into_iter().map(kept).collect(), standings.collect());
        Some(tableau.eliminated().pivots.len() == own.len())
    };
    let at_point: Vec<Option<bool>> = systems.iter().map(at_point).collect();
    let by_coefficients = |(residuals, own): &Equations| match expr::linear_coefficients(residuals, own) {
        Ok((matrix, _)) => own.is_empty() || rank(&Matrix::from_rows(&matrix)).rank == own.len(),
        Err(_) => false,
    };
    systems.iter().zip(at_point).map(|(system, found)| found == Some(true) || by_coefficients(system)).collect()
}

/// The rank at the reference state, in floating point: entries below `tolerance` times the
/// largest one count as zero. Less than [`rank`] where the state is singular.
pub fn rank_at_reference(matrix: &Matrix, tolerance: f64) -> usize {
    let mut rows: Vec<Vec<f64>> = vec![vec![0.0; matrix.columns]; matrix.rows()];
    for (row, entries) in certified(matrix).into_iter().enumerate() {
        entries.into_iter().for_each(|(column, entry)| rows[row][column] = entry.value);
    }
    let mut least = None;
    let mut rank = 0;
    while let Some((row, column)) = largest(&rows) {
        let pivot_row = rows.swap_remove(row);
        let pivot = pivot_row[column];
        if pivot.abs() <= *least.get_or_insert(tolerance * pivot.abs()) {
            break;
        }
        rank += 1;
        for other in rows.iter_mut().filter(|other| other[column] != 0.0) {
            let factor = other[column] / pivot;
            other.iter_mut().zip(&pivot_row).for_each(|(entry, above)| *entry -= factor * above);
            other[column] = 0.0;
        }
    }
    rank
}

/// The place of the entry of largest absolute value; what is zero or no number is passed over.
fn largest(rows: &[Vec<f64>]) -> Option<(usize, usize)> {
    let places = rows.iter().enumerate().flat_map(|(i, row)| row.iter().enumerate().map(move |(j, v)| (v.abs(), i, j)));
    let best = places.filter(|place| place.0 > 0.0 && place.0.is_finite()).max_by(|a, b| a.0.total_cmp(&b.0));
    best.map(|(_, row, column)| (row, column))
}

/// Without a point after so many tries, there are too many roots to find enough of them.
const HOPELESS: usize = 512;

/// Shows the values of the entries at some random points, each in a field of its own, until no more are wanted; at more
/// of them if there are roots, since each point has its own branch. False if fields do not have them.
fn each_point(entries: &[Expr], mut is_enough: impl FnMut((Field, Vec<Element>)) -> bool) -> bool {
    let evaluator = Evaluator::new(entries, &[]);
    let wanted = if entries.iter().any(|entry| entry.has_branches()) { 24 } else { 2 };
    let mut random = Random::new(evaluator.digest());
    let (mut order, mut fineness) = (ORDER, FINENESS);
    let mut field = Field::draw(order, &mut random);
    let mut found = 0;
    for attempt in 0..4096 {
        if attempt == HOPELESS && found == 0 {
            break;
        }
        match evaluator.at(&field, random.next(), fineness, &[]) {
            Ok(values) => {
                found += 1;
                if is_enough((field.clone(), values.outputs)) || found == wanted {
                    return true;
                }
            }
            Err(Undefined::NotAPower | Undefined::DivisionByZero) => continue,
            Err(Undefined::Modulus) => {}
            Err(Undefined::NeedsFineness(d)) => fineness = lcm(fineness, d),
            Err(Undefined::NeedsOrder(k)) => order = lcm(order, k),
        }
        if order > MAX_ORDER || fineness > MAX_ORDER {
            break;
        }
        field = Field::draw(order, &mut random);
    }
    false
}

fn lcm(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x.max(1)).saturating_mul(b)
}

// ---------------------------------------------------------------------------------------------
// Solution

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

/// Solves `matrix · x = right` for all of x. There may be more rows than columns if they agree.
///
/// ```
/// # fn main() -> Result<(), proof::linear::SolveError> {
/// let _scope = expr::Scope::enter();
/// let [a, b] = ["a", "b"].map(expr::parameter);
/// let system = proof::linear::Matrix::from_rows(&[vec![a, b], vec![-b, a]]);
/// let x = proof::linear::solve(&system, &[expr::integer(1), expr::integer(0)])?;
/// assert!(x[0].is_same(a / (a * a + b * b)));
/// # Ok(())
/// # }
/// ```
///
/// # Panics
/// If `right` has another length than the matrix has rows.
pub fn solve(matrix: &Matrix, right: &[Expr]) -> Result<Vec<Expr>, SolveError> {
    let found = solve_for(matrix, right, Columns::Any)?;
    match found.independent.is_empty() {
        true => Ok(found.constants),
        false => Err(SolveError::Undetermined { columns: found.independent }),
    }
}

/// Solves `matrix · x = right` for as many columns of x as there are independent rows.
///
/// # Panics
/// If `right` has another length than the matrix has rows, or a named column does not exist.
pub fn solve_for(matrix: &Matrix, right: &[Expr], columns: Columns) -> Result<Elimination, SolveError> {
    assert_eq!(right.len(), matrix.rows(), "a system has one right side for each row");
    let mut rows = certified(matrix);
    for (row, &side) in rows.iter_mut().zip(right).filter(|(_, side)| !side.is_zero()) {
        row.push((matrix.columns, Certified { e: side, value: 0.0, size: 0.0 }));
    }
    let mut standings = columns.standings(matrix.columns);
    standings.push(Standing::Barred);
    let spent = Tableau::new(CertifiedPivots, rows, standings).eliminated();
    let redundant_rows = explain_rest(&spent, matrix.columns, matches!(columns, Columns::Only(_)))?;
    Ok(crate::cramer::rewritten(matrix, right, spent.substituted(matrix, right, redundant_rows)))
}

/// A basis of the solutions of `matrix · x = 0`: one vector for each independent column.
pub fn null_space(matrix: &Matrix) -> Result<Vec<Vec<Expr>>, SolveError> {
    let found = solve_for(matrix, &vec![Expr::zero(); matrix.rows()], Columns::Any)?;
    let vector = |(place, &free): (usize, &usize)| {
        let mut vector = vec![Expr::zero(); matrix.columns];
        vector[free] = Expr::one();
        found.dependent.iter().zip(&found.coefficients).for_each(|(&column, b)| vector[column] = b[place]);
        vector
    };
    Ok(found.independent.iter().enumerate().map(vector).collect())
}

/// The determinant: the product of the pivots, and of what is left by minors if that vanishes at
/// the reference state.
///
/// # Panics
/// If the matrix is not square.
pub fn determinant(matrix: &Matrix) -> Expr {
    assert_eq!(matrix.rows(), matrix.columns, "a determinant is that of a square matrix");
    let spent = Tableau::new(CertifiedPivots, certified(matrix), vec![Standing::Allowed; matrix.columns]).eliminated();
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
        for pivot in self.pivots.iter().rev() {
            let solved = self.solved_row(pivot, &found, matrix.columns);
            found.insert(pivot.column, solved);
        }
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

    /// One row of (1), from its row of the tableau and the rows found already.
    fn solved_row(
        &self,
        pivot: &Pivot<Certified>,
        found: &FxHashMap<usize, Vec<(usize, Expr)>>,
        right: usize,
    ) -> Vec<(usize, Expr)> {
        let mut own: FxHashMap<usize, Expr> = FxHashMap::default();
        let mut spent: FxHashMap<usize, Vec<Expr>> = FxHashMap::default();
        for &(column, entry) in self.rows[pivot.row].iter().filter(|entry| entry.0 != pivot.column) {
            match found.get(&column) {
                Some(row) => row.iter().for_each(|&(k, b)| spent.entry(k).or_default().push(entry.e * b)),
                None => drop(own.insert(column, entry.e)),
            }
        }
        let inverse = Expr::one() / pivot.entry.e;
        let mut row = Vec::new();
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
            }
        }
        row
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

// ---------------------------------------------------------------------------------------------
// Elimination

/// What an elimination (2) computes with.
trait Arithmetic {
    type Entry: Copy;

    /// a/p.
    fn ratio(&self, a: Self::Entry, pivot: Self::Entry) -> Self::Entry;

    /// a − l u, where a may be zero; `None` if the difference is zero.
    fn reduced(&self, a: Option<Self::Entry>, l: Self::Entry, u: Self::Entry) -> Option<Self::Entry>;

    /// How large an entry is at the state where pivots must not vanish; 1 if there is no such state.
    fn value(&self, _: Self::Entry) -> f64 {
        1.0
    }
}

/// Expressions, with pivots that are nonzero at the reference state.
struct CertifiedPivots;

/// An expression that is not zero by its signature, and its value at the reference state: exactly
/// zero if it differs from zero by no more than what its terms lost when they cancelled.
#[derive(Clone, Copy)]
struct Certified {
    e: Expr,
    value: f64,
    /// The sum of the sizes of the terms that elimination has put together here.
    size: f64,
}

impl Arithmetic for CertifiedPivots {
    type Entry = Certified;

    fn ratio(&self, a: Certified, pivot: Certified) -> Certified {
        let value = a.value / pivot.value;
        Certified { e: a.e / pivot.e, value, size: value.abs() }
    }

    fn reduced(&self, a: Option<Certified>, l: Certified, u: Certified) -> Option<Certified> {
        let e = BySignature.reduced(a.map(|a| a.e), l.e, u.e)?;
        let product = l.value * u.value;
        let value = a.map_or(0.0, |a| a.value) - product;
        let size = a.map_or(0.0, |a| a.size) + product.abs();
        Some(Certified { e, value: if value.abs() <= CLEAR * size { 0.0 } else { value }, size })
    }

    fn value(&self, entry: Certified) -> f64 {
        entry.value
    }
}

/// Expressions, with pivots that are nonzero in general.
struct BySignature;

impl Arithmetic for BySignature {
    type Entry = Expr;

    fn ratio(&self, a: Expr, pivot: Expr) -> Expr {
        a / pivot
    }

    fn reduced(&self, a: Option<Expr>, l: Expr, u: Expr) -> Option<Expr> {
        let product = l * u;
        let difference = a.map_or_else(|| -product, |a| a - product);
        (!difference.is_zero()).then_some(difference)
    }
}

impl Arithmetic for Field {
    type Entry = Element;

    fn ratio(&self, a: Element, pivot: Element) -> Element {
        self.div(a, pivot).expect("a pivot is not zero")
    }

    fn reduced(&self, a: Option<Element>, l: Element, u: Element) -> Option<Element> {
        let difference = self.sub(a.unwrap_or(Element::ZERO), self.mul(l, u));
        (difference != Element::ZERO).then_some(difference)
    }
}

/// May a column have a pivot? In the order in which candidates are taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Preferred,
    Allowed,
    Barred,
}

struct Pivot<T> {
    row: usize,
    column: usize,
    entry: T,
}

/// Rows under elimination.
///
/// Invariant: the rows in `left` have no entry in the column of a pivot, and no zero entries.
struct Tableau<A: Arithmetic> {
    arithmetic: A,
    rows: Vec<Vec<(usize, A::Entry)>>,
    standings: Vec<Standing>,
    pivots: Vec<Pivot<A::Entry>>,
    /// The rows that have had no pivot yet, ascending.
    left: Vec<usize>,
}

impl<A: Arithmetic> Tableau<A> {
    fn new(arithmetic: A, rows: Vec<Vec<(usize, A::Entry)>>, standings: Vec<Standing>) -> Tableau<A> {
        let left = (0..rows.len()).collect();
        Tableau { arithmetic, rows, standings, pivots: Vec::new(), left }
    }

    /// Eliminates as long as there are pivots.
    fn eliminated(mut self) -> Tableau<A> {
        while let Some(pivot) = self.choose() {
            self.spend(pivot);
        }
        self
    }

    /// The pivot that qualifies and promises the least fill-in, (r − 1)(c − 1) for r entries in
    /// its row and c in its column; then one that is clearly larger, then the first.
    fn choose(&self) -> Option<Pivot<A::Entry>> {
        let mut counts = vec![0usize; self.standings.len()];
        let mut row_sizes = vec![0.0f64; self.rows.len()];
        for (row, column, entry) in self.entries_left() {
            counts[column] += 1;
            if self.is_open(column) {
                row_sizes[row] = row_sizes[row].max(self.arithmetic.value(entry).abs());
            }
        }
        let candidates = self.entries_left().filter_map(|(row, column, entry)| {
            let share = self.arithmetic.value(entry).abs() / row_sizes[row];
            let qualifies = self.is_open(column) && share.is_finite() && share > CLEAR;
            let fill = (self.rows[row].len() - 1) * (counts[column] - 1);
            let key = (self.standings[column], share < WEAK, fill, Reverse(size_class(share)), row, column);
            qualifies.then_some((key, Pivot { row, column, entry }))
        });
        candidates.min_by_key(|candidate| candidate.0).map(|candidate| candidate.1)
    }

    fn entries_left(&self) -> impl Iterator<Item = (usize, usize, A::Entry)> + '_ {
        self.left.iter().flat_map(|&row| self.rows[row].iter().map(move |&(column, entry)| (row, column, entry)))
    }

    fn is_open(&self, column: usize) -> bool {
        self.standings[column] != Standing::Barred
    }

    /// Is the column allowed a pivot, and has none?
    fn is_unspent(&self, column: usize) -> bool {
        self.is_open(column) && self.pivots.iter().all(|pivot| pivot.column != column)
    }

    /// Frees the rows that are left from the pivot's column: (2).
    fn spend(&mut self, pivot: Pivot<A::Entry>) {
        self.left.retain(|&row| row != pivot.row);
        for &row in &self.left {
            if let Ok(place) = self.rows[row].binary_search_by_key(&pivot.column, |&(column, _)| column) {
                let factor = self.arithmetic.ratio(self.rows[row][place].1, pivot.entry);
                self.rows[row] = self.difference(&self.rows[row], factor, &self.rows[pivot.row], pivot.column);
            }
        }
        self.pivots.push(pivot);
    }

    /// row − factor·above, without the column that this clears.
    fn difference(
        &self,
        row: &[(usize, A::Entry)],
        factor: A::Entry,
        above: &[(usize, A::Entry)],
        cleared: usize,
    ) -> Vec<(usize, A::Entry)> {
        let mut difference = Vec::with_capacity(row.len() + above.len());
        let mut own = row.iter().copied().filter(|entry| entry.0 != cleared).peekable();
        for &(column, entry) in above.iter().filter(|entry| entry.0 != cleared) {
            while let Some(before) = own.next_if(|before| before.0 < column) {
                difference.push(before);
            }
            let here = own.next_if(|here| here.0 == column).map(|here| here.1);
            difference.extend(self.arithmetic.reduced(here, factor, entry).map(|entry| (column, entry)));
        }
        difference.extend(own);
        difference
    }

    /// Row and column of each pivot.
    fn places(&self) -> Vec<(usize, usize)> {
        self.pivots.iter().map(|pivot| (pivot.row, pivot.column)).collect()
    }
}

impl<A: Arithmetic<Entry: Into<Expr>>> Tableau<A> {
    /// The product of the pivots, with the sign of the permutation that takes rows to columns.
    fn product_of_pivots(&self, places: &[(usize, usize)]) -> Expr {
        let product: Expr = self.pivots.iter().map(|pivot| pivot.entry.into()).product();
        if is_even(places) { product } else { -product }
    }
}

impl From<Certified> for Expr {
    fn from(entry: Certified) -> Expr {
        entry.e
    }
}

/// Sizes in steps of 16, from ¼ to 4 and so on: symbols without a reference value of their own,
/// which are drawn between ½ and 3/2, do not change an order.
fn size_class(share: f64) -> u64 {
    let exponent = share.to_bits() >> 52; // 1023 + ⌊log₂ share⌋
    exponent.div_ceil(4)
}

/// Does an even number of exchanges bring the columns into the order of their rows?
fn is_even(places: &[(usize, usize)]) -> bool {
    let inversions =
        |(n, a): (usize, &(usize, usize))| places[n + 1..].iter().filter(|b| (a.0 < b.0) != (a.1 < b.1)).count();
    places.iter().enumerate().map(inversions).sum::<usize>().is_multiple_of(2)
}

fn sorted(places: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut places: Vec<usize> = places.collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// The numbers below `end` that are not in the list, which ascends.
fn others(end: usize, list: &[usize]) -> Vec<usize> {
    (0..end).filter(|place| list.binary_search(place).is_err()).collect()
}

// ---------------------------------------------------------------------------------------------
// Values at the reference state

/// The entries with their values at the reference state. A value that is only what rounding left
/// of larger terms, such as cos(π/2), is taken for the zero that it stands for.
fn certified(matrix: &Matrix) -> Vec<Vec<(usize, Certified)>> {
    let entries = matrix.entries();
    let largest = entries.iter().map(|entry| entry.reference().abs()).fold(1.0, f64::max);
    let is_suspect = |entry: &Expr| entry.reference().abs() < SUSPECT * largest;
    let suspects: Vec<Expr> = entries.iter().copied().filter(is_suspect).collect();
    let sizes: FxHashMap<Expr, f64> = suspects.iter().copied().zip(expr::sizes_of_terms(&suspects)).collect();
    let certify = |e: &Expr| {
        let value = e.reference();
        let is_noise = sizes.get(e).is_some_and(|size| value.abs() <= NOISE * size);
        let value = if is_noise { 0.0 } else { value };
        Certified { e: *e, value, size: value.abs() }
    };
    matrix.refilled(entries.iter().map(certify))
}

#[cfg(test)]
mod tests {
    use expr::{Op, Rational, Scope, coordinate, integer, parameter, rational};

    use super::*;

    fn symbols(rows: usize, columns: usize) -> Vec<Vec<Expr>> {
        let name = |i: usize, j: usize| parameter(&format!("a{i}_{j}"));
        (0..rows).map(|i| (0..columns).map(|j| name(i, j)).collect()).collect()
    }

    fn vector(length: usize) -> Vec<Expr> {
        (0..length).map(|i| parameter(&format!("c{i}"))).collect()
    }

    /// A x = c for every row.
    fn check_solution(matrix: &Matrix, x: &[Expr], right: &[Expr]) {
        for (row, (left, &right)) in matrix.times(x).into_iter().zip(right).enumerate() {
            assert!(left.is_same(right), "row {row} of {} is not solved", matrix.rows());
        }
    }

    /// Putting (1) into every row leaves nothing, for every independent column and the right side.
    fn check_elimination(matrix: &Matrix, right: &[Expr], found: &Elimination) {
        let free = |at: Option<usize>| {
            let mut x = vec![Expr::zero(); matrix.columns()];
            for (place, &column) in found.dependent.iter().enumerate() {
                x[column] = found.constants[place] + at.map_or_else(Expr::zero, |k| found.coefficients[place][k]);
            }
            if let Some(k) = at {
                x[found.independent[k]] = Expr::one();
            }
            x
        };
        check_solution(matrix, &free(None), right);
        (0..found.independent.len()).for_each(|k| check_solution(matrix, &free(Some(k)), right));
    }

    struct Dice(Random);

    impl Dice {
        fn number(&mut self) -> Rational {
            let (n, d) = (self.0.below(19) as i64 - 9, self.0.below(5) as i64 + 1);
            Rational::new(n, d).unwrap_or(Rational::ZERO)
        }

        fn numbers(&mut self, rows: usize, columns: usize) -> Vec<Vec<Rational>> {
            (0..rows).map(|_| (0..columns).map(|_| self.number()).collect()).collect()
        }
    }

    fn exprs(numbers: &[Vec<Rational>]) -> Vec<Vec<Expr>> {
        numbers.iter().map(|row| row.iter().cloned().map(Expr::number).collect()).collect()
    }

    /// The determinant by expansion along the first row.
    fn laplace(rows: &[Vec<Rational>]) -> Rational {
        let Some((first, rest)) = rows.split_first() else { return Rational::ONE };
        let minor = |skip: usize| {
            let without = |row: &Vec<Rational>| {
                row.iter().enumerate().filter(|&(j, _)| j != skip).map(|(_, v)| v.clone()).collect()
            };
            laplace(&rest.iter().map(without).collect::<Vec<Vec<Rational>>>())
        };
        first.iter().enumerate().fold(Rational::ZERO, |sum, (j, entry)| {
            let term = entry * &minor(j);
            if j % 2 == 0 { &sum + &term } else { &sum - &term }
        })
    }

    #[test]
    fn rational_systems_agree_with_exact_arithmetic() {
        let mut dice = Dice(Random::new(1));
        for n in (1..=6).cycle().take(60) {
            let _scope = Scope::with_seed(n as u64);
            let a = dice.numbers(n, n);
            let matrix = Matrix::from_rows(&exprs(&a));
            let det = laplace(&a);
            assert_eq!(determinant(&matrix).as_number(), Some(det.clone()));
            assert_eq!(rank(&matrix).rank == n, !det.is_zero());
            if det.is_zero() {
                continue;
            }
            let right: Vec<Rational> = dice.numbers(1, n).remove(0);
            let sides: Vec<Expr> = right.iter().cloned().map(Expr::number).collect();
            let x = solve(&matrix, &sides).expect("the determinant is not zero");
            for (j, x) in x.iter().enumerate() {
                let mut replaced = a.clone();
                replaced.iter_mut().zip(&right).for_each(|(row, side)| row[j] = side.clone());
                assert_eq!(x.as_number(), laplace(&replaced).checked_div(&det), "Cramer's rule for column {j}");
            }
        }
    }

    #[test]
    fn rank_is_that_of_a_product() {
        let mut dice = Dice(Random::new(2));
        for r in 0..=4 {
            let _scope = Scope::with_seed(r as u64);
            let (left, right) = (dice.numbers(6, r), dice.numbers(r, 7));
            let entry = |row: &[Rational], j: usize| {
                row.iter().zip(&right).fold(Rational::ZERO, |sum, (a, b)| &sum + &(a * &b[j]))
            };
            let rows: Vec<Vec<Rational>> = left.iter().map(|row| (0..7).map(|j| entry(row, j)).collect()).collect();
            let matrix = Matrix::from_rows(&exprs(&rows));
            assert_eq!(rank(&matrix).rank, r);
            assert_eq!(rank_at_reference(&matrix, 1e-9), r);
            let basis = null_space(&matrix).expect("numbers do not vanish at some state only");
            assert_eq!(basis.len(), 7 - r);
            basis.iter().for_each(|x| check_solution(&matrix, x, &[Expr::zero(); 6]));
        }
    }

    #[test]
    fn symbolic_systems_are_solved() {
        for n in 1..=8 {
            let _scope = Scope::with_seed(n as u64);
            let matrix = Matrix::from_rows(&symbols(n, n));
            let right = vector(n);
            check_solution(&matrix, &solve(&matrix, &right).expect("symbols are independent"), &right);
        }
    }

    #[test]
    fn dense_graphs_stay_small() {
        // KERNEL.md section 3: 170 and 632
        for (n, most) in [(5, 175), (8, 640)] {
            let scope = Scope::with_seed(3);
            let matrix = Matrix::from_rows(&symbols(n, n));
            let right = vector(n);
            let before = scope.nodes();
            let x = solve(&matrix, &right).expect("symbols are independent");
            let made = scope.nodes() - before;
            assert!(made <= most, "n = {n}: {made} nodes");
            check_solution(&matrix, &x, &right);
        }
    }

    #[test]
    fn determinants_expand_to_the_sum_over_permutations() {
        let _scope = Scope::with_seed(4);
        let a = symbols(3, 3);
        let cofactor = |i: usize, j: usize| a[1][i] * a[2][j] - a[1][j] * a[2][i];
        let expected = a[0][0] * cofactor(1, 2) - a[0][1] * cofactor(0, 2) + a[0][2] * cofactor(0, 1);
        assert!(determinant(&Matrix::from_rows(&a)).is_same(expected));
        let a = symbols(5, 5);
        let matrix = Matrix::from_rows(&a);
        assert!(determinant(&matrix).is_same(by_minors(&matrix)));
        assert!(by_signature(&matrix).is_same(by_minors(&matrix)));
        assert!(determinant(&matrix.transposed()).is_same(determinant(&matrix)));
    }

    #[test]
    fn a_determinant_may_vanish_at_the_reference_state() {
        let scope = Scope::with_seed(5);
        let x = parameter("x");
        scope.set_reference(&[(x, 0.0)]);
        let rows = vec![vec![x.sin(), x], vec![-x, x.sin()]];
        let found = determinant(&Matrix::from_rows(&rows));
        assert!(found.is_same(x.sin().pow(2) + x * x));
        assert_eq!(found.reference(), 0.0);
    }

    #[test]
    fn tridiagonal_systems_take_linear_work() {
        let made = |n: usize| {
            let scope = Scope::with_seed(6);
            let entry = |i: usize, j: usize| (j, parameter(&format!("a{i}_{j}")));
            let row = |i: usize| (i.saturating_sub(1)..=(i + 1).min(n - 1)).map(|j| entry(i, j)).collect();
            let matrix = Matrix::from_entries(n, (0..n).map(row).collect());
            let right = vector(n);
            let before = scope.nodes();
            let x = solve(&matrix, &right).expect("symbols are independent");
            let made = scope.nodes() - before;
            check_solution(&matrix, &x, &right);
            made
        };
        let sizes = [50, 100, 200].map(made);
        assert!(sizes[1] <= 100 * 13, "{sizes:?}");
        assert!(sizes[2] - sizes[1] <= 2 * (sizes[1] - sizes[0]) + 10, "{sizes:?}");
    }

    /// Rows like those of a large linkage: a few entries each, the last tenth sums of others.
    fn sparse(rows: usize, columns: usize) -> Matrix {
        let mut random = Random::new(7);
        let own = rows - rows / 10;
        let mut list: Vec<Vec<(usize, Expr)>> = Vec::new();
        for i in 0..own {
            let angle = coordinate(&format!("q{i}"));
            let far = [1, 2, 3].map(|_| random.below(columns as u64) as usize);
            let mut row =
                vec![(i % columns, angle.cos()), (far[0], angle.sin()), (far[1], angle), (far[2], integer(1))];
            row.sort_by_key(|entry| entry.0);
            row.dedup_by_key(|entry| entry.0);
            list.push(row);
        }
        for i in own..rows {
            let pick = |n: usize| list[(i * 7 + n) % own].clone();
            let (a, b) = (pick(0), pick(1));
            let at = |row: &[(usize, Expr)], j: usize| {
                row.iter().find(|entry| entry.0 == j).map_or_else(Expr::zero, |entry| entry.1)
            };
            let columns = sorted(a.iter().chain(&b).map(|entry| entry.0));
            list.push(columns.into_iter().map(|j| (j, at(&a, j) - at(&b, j))).collect());
        }
        Matrix::from_entries(columns, list)
    }

    #[test]
    fn large_sparse_ranks_are_found() {
        let _scope = Scope::with_seed(8);
        for (rows, columns, expected) in [(300, 600, 270), (600, 300, 300)] {
            let matrix = sparse(rows, columns);
            let found = rank(&matrix);
            assert_eq!((found.rank, found.dependent_rows.len()), (expected, rows - expected));
            assert_eq!(rank_at_reference(&matrix, 1e-9), expected);
        }
    }

    #[test]
    fn rank_makes_no_expressions() {
        let scope = Scope::with_seed(9);
        let matrix = sparse(30, 60);
        let before = scope.nodes();
        assert_eq!(rank(&matrix).rank, 27);
        assert_eq!(scope.nodes(), before);
    }

    #[test]
    fn ranks_know_roots_angles_and_functions_without_image() {
        let _scope = Scope::with_seed(10);
        let x = parameter("x");
        let check = |rows: [[Expr; 2]; 2], expected: usize| {
            assert_eq!(rank(&Matrix::from_rows(&rows.map(Vec::from))).rank, expected, "{rows:?}");
        };
        let root = (x * x + 1).sqrt();
        check([[root, x * x + 1], [integer(1), root]], 1);
        for name in ["y", "z", "u", "v", "w"] {
            let y = parameter(name);
            check([[y.abs(), y], [integer(1), integer(1)]], 2); // |y| is y on one branch of two
        }
        check([[x.abs(), x * x], [integer(1), x.abs()]], 1);
        let fine = (x / 35).cos();
        check([[fine, fine * fine - 1], [integer(1), fine - integer(1) / fine]], 1);
        let seventh = (expr::pi() / 29).cos();
        check([[seventh, 2 * seventh * seventh - 1], [integer(1), (2 * expr::pi() / 29).cos() / seventh]], 1);
        // No field has these roots of unity: by signature.
        let odd = (expr::pi() / 65537).cos();
        check([[odd, odd * odd], [integer(1), odd]], 1);
        check([[odd, odd * odd], [integer(1), x]], 2);
    }

    #[test]
    fn singular_only_here_differs_from_redundant_everywhere() {
        let scope = Scope::with_seed(11);
        let x = parameter("x");
        scope.set_reference(&[(x, 0.0)]);
        let matrix = Matrix::from_rows(&[vec![integer(1), x.cos()], vec![x.cos(), integer(1)]]);
        assert_eq!((rank(&matrix).rank, rank_at_reference(&matrix, 1e-9)), (2, 1));
        let matrix = Matrix::from_rows(&[vec![x.cos(), x.sin()], vec![x.cos() * 2.into(), 2 * x.sin()]]);
        assert_eq!((rank(&matrix).rank, rank_at_reference(&matrix, 1e-9)), (1, 1));
    }

    #[test]
    fn pivots_avoid_what_vanishes_at_the_symmetric_state() {
        for state in [0.0, std::f64::consts::PI, -std::f64::consts::TAU] {
            let scope = Scope::with_seed(12);
            let x = parameter("x");
            scope.set_reference(&[(x, state)]);
            for corner in [0, 2] {
                let matrix = Matrix::from_rows(&[vec![x.sin(), integer(1)], vec![integer(1), integer(corner)]]);
                let right = vector(2);
                let found = solve(&matrix, &right).expect("the determinant is not zero there");
                check_solution(&matrix, &found, &right);
                found.iter().for_each(|entry| assert!(entry.reference().abs() < 1e3, "{}", entry.reference()));
            }
        }
    }

    #[test]
    fn pivots_that_cancel_at_the_symmetric_state_are_avoided() {
        // After the first pivot the corner is a² − b², which vanishes where a = b but for rounding.
        for seed in 0..20 {
            let scope = Scope::with_seed(seed);
            let [a, b, c] = ["a", "b", "c"].map(parameter);
            scope.set_reference(&[(a, 0.1), (b, 0.1 * (1.0 + 1e-15)), (c, 0.7)]);
            let rows = vec![vec![a, b, c], vec![b, a, integer(1)], vec![c, integer(1), c]];
            let matrix = Matrix::from_rows(&rows);
            let right = vector(3);
            let found = solve(&matrix, &right).expect("the matrix is regular at this state");
            check_solution(&matrix, &found, &right);
            found.iter().for_each(|entry| assert!(entry.reference().abs() < 1e3, "{}", entry.reference()));
        }
    }

    #[test]
    fn a_singular_chart_is_reported() {
        let right_angle = std::f64::consts::FRAC_PI_2;
        for (state, shape) in [(0.0, Op::Sin), (std::f64::consts::PI, Op::Sin), (right_angle, Op::Cos)] {
            let scope = Scope::with_seed(13);
            let x = parameter("x");
            scope.set_reference(&[(x, state)]);
            let entry = x.try_function(shape).expect("defined everywhere");
            let single = Matrix::from_rows(&[vec![entry]]);
            let expected =
                SolveError::SingularChart { rows: vec![0], columns: vec![0], candidates: vec![entry.to_string()] };
            assert_eq!(solve(&single, &[integer(1)]), Err(expected));
            let turned = Matrix::from_rows(&[vec![entry, x.tan()], vec![x.sin() * x.cos(), 2 * entry]]);
            assert!(matches!(solve(&turned, &vector(2)), Err(SolveError::SingularChart { .. })) || shape == Op::Cos);
        }
        let rounded = Scope::with_seed(13);
        let [a, b, c, d] = ["a", "b", "c", "d"].map(parameter);
        rounded.set_reference(&[(a, 0.1), (b, 0.3), (c, 0.7), (d, 2.1)]); // a d − b c = 3e-17
        let matrix = Matrix::from_rows(&[vec![a, b], vec![c, d]]);
        assert!(matches!(solve(&matrix, &vector(2)), Err(SolveError::SingularChart { .. })));
        let scope = Scope::with_seed(14);
        let x = parameter("x");
        scope.set_reference(&[(x, 0.0)]);
        let matrix = Matrix::from_rows(&[vec![integer(1), x.cos()], vec![x.cos(), integer(1)]]);
        let error = solve(&matrix, &vector(2)).expect_err("singular at x = 0");
        let text = error.to_string();
        assert!(text.starts_with("the chart is singular at the reference state: row 1 in column 1, `"), "{text}");
        assert!(text.contains("cos(x)^2") && text.contains("` is zero or undefined there; choose another"), "{text}");
    }

    #[test]
    fn what_is_no_number_is_no_pivot() {
        let scope = Scope::with_seed(15);
        let x = parameter("x");
        scope.set_reference(&[(x, -1.0)]);
        let matrix = Matrix::from_rows(&[vec![x.sqrt(), integer(1)], vec![integer(1), integer(0)]]);
        let right = vector(2);
        check_solution(&matrix, &solve(&matrix, &right).expect("1 and 1 will do"), &right);
        let matrix = Matrix::from_rows(&[vec![x.sqrt()]]);
        assert!(matches!(solve(&matrix, &[integer(1)]), Err(SolveError::SingularChart { .. })));
    }

    #[test]
    fn weak_pivots_come_last() {
        // x alone in its column would be the sparse choice
        let scope = Scope::with_seed(26);
        let [x, a, b, c, d, e, f, g] = ["x", "a", "b", "c", "d", "e", "f", "g"].map(parameter);
        scope.set_reference(&[(x, 1e-5)]);
        let zero = Expr::zero();
        let matrix = Matrix::from_rows(&[vec![x, a, zero, zero], vec![zero, b, c, d], vec![zero, e, f, g]]);
        let find = |columns: Columns| solve_for(&matrix, &[zero; 3], columns).map(|found| found.dependent);
        assert_eq!(find(Columns::Any), Ok(vec![1, 2, 3]));
        assert_eq!(find(Columns::Only(&[0, 1, 2])), Ok(vec![0, 1, 2]));
    }

    #[test]
    fn values_drawn_at_random_decide_nothing() {
        for seed in 0..20 {
            let _scope = Scope::with_seed(seed);
            let matrix = Matrix::from_rows(&symbols(1, 4));
            let found = solve_for(&matrix, &[Expr::zero()], Columns::Any).expect("symbols are independent");
            assert_eq!(found.dependent, [0], "seed {seed}");
        }
    }

    #[test]
    fn small_units_are_no_zeros() {
        let scope = Scope::with_seed(16);
        let [m, r] = ["m", "r"].map(parameter);
        scope.set_reference(&[(m, 1e-15), (r, 1e-9)]);
        let matrix = Matrix::from_rows(&[vec![m, m * r], vec![m * r, 3 * m * r * r]]);
        let right = vector(2);
        check_solution(&matrix, &solve(&matrix, &right).expect("2 m² r² is not zero"), &right);
    }

    #[test]
    fn a_rolling_disc_follows_its_spin() {
        // x' = r cos(yaw) spin', y' = r sin(yaw) spin'
        let scope = Scope::with_seed(17);
        let [yaw, r] = ["yaw", "r"].map(parameter);
        scope.set_reference(&[(yaw, 0.0)]);
        let (zero, one) = (integer(0), integer(1));
        let rows = vec![vec![one, zero, zero, -r * yaw.cos()], vec![zero, one, zero, -r * yaw.sin()]];
        let matrix = Matrix::from_rows(&rows);
        let right = [zero, zero];
        let found = solve_for(&matrix, &right, Columns::Any).expect("the rows are solved already");
        assert_eq!((&found.dependent[..], &found.independent[..]), (&[0, 1][..], &[2, 3][..]));
        assert_eq!(found.coefficients, [[zero, r * yaw.cos()], [zero, r * yaw.sin()]]);
        check_elimination(&matrix, &right, &found);
        // For the spin: only the first row can give it while the disc heads along x.
        let found = solve_for(&matrix, &right, Columns::Prefer(&[3])).expect("x' gives the spin");
        assert_eq!((&found.dependent[..], &found.independent[..]), (&[1, 3][..], &[0, 2][..]));
        check_elimination(&matrix, &right, &found);
        let found = solve_for(&matrix, &right, Columns::Only(&[3, 1])).expect("x' gives the spin");
        assert!(found.determinant.is_same(r * yaw.cos()), "{}", found.determinant);
        let named = |columns: &[usize]| solve_for(&matrix, &right, Columns::Only(columns)).map(drop);
        let candidates = vec![(-r * yaw.sin()).to_string()];
        let chart = SolveError::SingularChart { rows: vec![1], columns: vec![3], candidates };
        assert_eq!(named(&[0, 3]), Err(chart));
        assert_eq!(named(&[0, 2]), Err(SolveError::Undetermined { columns: vec![2] }));
        assert_eq!(named(&[1]), Err(SolveError::TooFewColumns { rows: vec![0] }));
        assert_eq!(named(&[0, 1, 2, 3]), Err(SolveError::Undetermined { columns: vec![2, 3] }));
    }

    #[test]
    fn eliminations_with_constants_satisfy_their_rows() {
        for (rows, columns) in [(1, 1), (1, 4), (3, 5), (4, 4), (5, 7)] {
            let _scope = Scope::with_seed(18);
            let matrix = Matrix::from_rows(&symbols(rows, columns));
            let right = vector(rows);
            let found = solve_for(&matrix, &right, Columns::Any).expect("symbols are independent");
            assert_eq!((found.dependent.len(), found.independent.len()), (rows, columns - rows));
            check_elimination(&matrix, &right, &found);
            let block = |row: &Vec<(usize, Expr)>| row.iter().map(|entry| entry.1).collect::<Vec<_>>();
            let whole: Vec<Vec<Expr>> = matrix.rows.iter().map(block).collect();
            let picked: Vec<Vec<Expr>> =
                whole.iter().map(|row| found.dependent.iter().map(|&d| row[d]).collect()).collect();
            assert!(found.determinant.is_same(by_minors(&Matrix::from_rows(&picked))));
        }
    }

    #[test]
    fn redundant_rows_are_found_and_contradictions_named() {
        let _scope = Scope::with_seed(19);
        let mut rows = symbols(3, 4);
        let factor = parameter("x").tan();
        let third: Vec<Expr> = (0..4).map(|j| rows[0][j] * factor - rows[1][j]).collect();
        rows.insert(2, third);
        rows.push(vec![Expr::zero(); 4]);
        let matrix = Matrix::from_rows(&rows);
        let c = vector(3);
        let right = [c[0], c[1], c[0] * factor - c[1], c[2], parameter("z") - parameter("z")];
        let found = solve_for(&matrix, &right, Columns::Any).expect("the third row follows from the first two");
        assert_eq!((found.dependent.len(), found.redundant_rows.len()), (3, 2));
        assert!(found.redundant_rows.contains(&4));
        check_elimination(&matrix, &right, &found);
        assert_eq!(rank(&matrix).rank, 3);
        assert!(matches!(solve(&matrix, &right), Err(SolveError::Undetermined { columns }) if columns.len() == 1));
        let wrong = [c[0], c[1], c[0] * factor - c[1], c[2], c[0]];
        let expected = SolveError::Inconsistent { row: 4, remainder: "c0".to_owned() };
        assert_eq!(solve_for(&matrix, &wrong, Columns::Any).map(drop), Err(expected));
    }

    #[test]
    fn more_rows_than_columns_may_agree() {
        let _scope = Scope::with_seed(20);
        let matrix = Matrix::from_rows(&symbols(5, 2));
        let x = [parameter("x").cos(), parameter("y")];
        let right = matrix.times(&x);
        let found = solve(&matrix, &right).expect("made to agree");
        assert!(found.iter().zip(&x).all(|(a, b)| a.is_same(*b)));
        let mut right = right;
        right[4] += 1.into();
        assert!(matches!(solve(&matrix, &right), Err(SolveError::Inconsistent { .. })));
    }

    #[test]
    fn null_vectors_are_annihilated() {
        let _scope = Scope::with_seed(21);
        let matrix = Matrix::from_rows(&symbols(3, 6));
        let basis = null_space(&matrix).expect("symbols are independent");
        assert_eq!(basis.len(), 3);
        basis.iter().for_each(|x| check_solution(&matrix, x, &[Expr::zero(); 3]));
        assert_eq!(rank(&Matrix::from_rows(&basis)).rank, 3);
        let nothing = null_space(&Matrix::from_entries(2, Vec::new())).expect("no rows, no pivots");
        assert_eq!(nothing, [[integer(1), integer(0)], [integer(0), integer(1)]]);
    }

    #[test]
    fn solutions_are_bounded_by_cramers_rule() {
        let _scope = Scope::with_seed(22);
        let matrix = Matrix::from_rows(&symbols(8, 8));
        let x = solve(&matrix, &vector(8)).expect("symbols are independent");
        let degrees = expr::degrees(&x, 1);
        assert!(degrees.iter().all(|size| size.degree <= 8), "{degrees:?}");
        let _inner = Scope::with_seed(23);
        let matrix = Matrix::from_rows(&symbols(6, 9));
        let found = solve_for(&matrix, &vector(6), Columns::Any).expect("symbols are independent");
        let all: Vec<Expr> = found.coefficients.into_iter().flatten().chain(found.constants).collect();
        assert!(expr::degrees(&all, 1).iter().all(|size| size.degree <= 6));
    }

    #[test]
    fn no_bound_rests_on_itself() {
        // a solution that is older than its system keeps its own degree
        let _scope = Scope::with_seed(24);
        let [a, b, c] = ["a", "b", "c"].map(parameter);
        let (old, one) = (a * b.sin() / c, integer(1));
        let own = expr::degrees(&[old], 1)[0].degree;
        let late = (a + b).cos();
        let matrix = Matrix::from_rows(&[vec![one, late], vec![integer(0), one]]);
        let x = solve(&matrix, &[old, integer(0)]).expect("unit triangular");
        assert_eq!(x[0], old);
        assert!(own > 0 && expr::degrees(&x, 1)[0].degree >= own);
    }

    #[test]
    fn matrices_are_read_by_place() {
        let _scope = Scope::with_seed(25);
        let x = parameter("x");
        let hidden = x.sin().pow(2) + x.cos().pow(2) - 1;
        let matrix = Matrix::from_rows(&[vec![hidden, x, integer(2)], vec![integer(3), hidden, rational(1, 2)]]);
        assert_eq!((matrix.rows(), matrix.columns(), matrix.entries().len()), (2, 3, 4));
        assert_eq!([matrix.entry(0, 0), matrix.entry(0, 1), matrix.entry(1, 0)], [integer(0), x, integer(3)]);
        let turned = matrix.transposed();
        assert_eq!((turned.rows(), turned.columns(), turned.entry(1, 0)), (3, 2, x));
        assert_eq!(matrix.times(&[integer(1), integer(1), integer(4)]), [x + 8, integer(5)]);
    }

    #[test]
    fn systems_that_determine_their_unknowns() {
        let _scope = Scope::with_seed(1);
        let [a, x, y] = ["a", "x", "y"].map(parameter);
        let systems = [
            (vec![x + y - 1, x - a * y], vec![x, y]),
            (vec![x + y - 1, a * (x + y)], vec![x, y]),
            (vec![a * x - y], vec![x]),
            (vec![x * x - a], vec![x]),
            (vec![x * (a.sin() + 1) - a.sin() * x - 2], vec![x]),
            (vec![x * (y + 1) - x * y - a, y], vec![x, y]),
            (vec![a], vec![]),
        ];
        assert_eq!(determined(&systems), [true, false, true, false, true, true, true]);
    }
}

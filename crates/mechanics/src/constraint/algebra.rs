//! Small linear algebra over functions, for almost every state: pivots are nonzero by signature.
//!
//! ```text
//! rows  →  x_d + Σₖ b_dk x_k        d dependent, k independent columns        (1)
//! ```
//!
//! What is certified at the reference state is in `proof::linear`; here the question is what
//! holds in general, and a state where a pivot vanishes is no obstacle. Entries are kept short:
//! the simplest pivot first, and no symbol that only seems to occur.

use std::cell::Cell;

use expr::{Evaluator, Expr, Kind, Op, Substitution, integer, rational};

/// Expressions up to this size are simplified.
const SHORT: usize = 160;
/// What one question may cost, in squares of operations.
const MOST_EFFORT: usize = 120_000;

/// Rows in the form (1).
#[derive(Clone, Debug, Default)]
pub(super) struct SolvedForm {
    /// The dependent column of each row.
    pub dependent: Vec<usize>,
    /// The rows, with 1 in their own dependent column and 0 in those of the others.
    pub rows: Vec<Vec<Expr>>,
}

impl SolvedForm {
    /// The columns that are not dependent.
    pub fn independent(&self, columns: usize) -> Vec<usize> {
        (0..columns).filter(|column| !self.dependent.contains(column)).collect()
    }

    /// A basis of the vectors that all rows send to zero, one for each independent column.
    pub fn kernel(&self, columns: usize) -> Vec<Vec<Expr>> {
        let vector = |&free: &usize| {
            let mut vector = vec![Expr::zero(); columns];
            vector[free] = Expr::one();
            self.dependent.iter().zip(&self.rows).for_each(|(&d, row)| vector[d] = -row[free]);
            vector
        };
        self.independent(columns).iter().map(vector).collect()
    }
}

/// How much may still be simplified: expressions can swell beyond measure, and an answer that
/// takes minutes is none. Work is counted in squares of operations, so that it is the same in every run.
pub(super) struct Effort(Cell<usize>);

impl Effort {
    pub fn new() -> Effort {
        Effort(Cell::new(MOST_EFFORT))
    }

    /// Is nothing left? What was made since means nothing.
    pub fn is_spent(&self) -> bool {
        self.0.get() == 0
    }

    /// [`tidy`], while effort is left.
    pub fn tidy(&self, e: Expr) -> Expr {
        self.0.set(self.0.get().saturating_sub(e.operations().pow(2)));
        if self.is_spent() { e } else { tidy(e) }
    }
}

/// A row with the weights of its entries; `None` for zero.
struct Weighed {
    entries: Vec<Expr>,
    weights: Vec<Option<usize>>,
}

impl Weighed {
    fn new(entries: Vec<Expr>) -> Weighed {
        Weighed { weights: entries.iter().map(|&entry| weight(entry)).collect(), entries }
    }

    fn put(&mut self, column: usize, entry: Expr) {
        self.entries[column] = entry;
        self.weights[column] = weight(entry);
    }

    /// Takes the multiple of `normal` away that clears the column.
    fn clear(&mut self, column: usize, normal: &Weighed, effort: &Effort) {
        let factor = self.entries[column];
        for k in (0..self.entries.len()).filter(|&k| normal.weights[k].is_some()) {
            self.put(k, effort.tidy(self.entries[k] - factor * normal.entries[k]));
        }
        self.put(column, Expr::zero());
    }
}

/// Brings rows into the form (1); rows that follow from others vanish. Columns in `last` are
/// solved for only if there is no other. Means nothing if the effort is spent.
pub(super) fn solved_form(rows: Vec<Vec<Expr>>, last: &[usize], effort: &Effort) -> SolvedForm {
    let mut rows: Vec<Weighed> = rows.into_iter().map(Weighed::new).collect();
    let mut dependent = Vec::new();
    let mut found: Vec<Weighed> = Vec::new();
    while let Some((row, column)) = simplest(&rows, last).filter(|_| !effort.is_spent()) {
        let pivot_row = rows.swap_remove(row).entries;
        let normal = Weighed::new(pivot_row.iter().map(|&entry| effort.tidy(entry / pivot_row[column])).collect());
        let others = rows.iter_mut().chain(&mut found).filter(|other| other.weights[column].is_some());
        others.for_each(|other| other.clear(column, &normal, effort));
        dependent.push(column);
        found.push(normal);
    }
    SolvedForm { dependent, rows: found.into_iter().map(|row| row.entries).collect() }
}

/// The place of the entry that is best to divide by.
fn simplest(rows: &[Weighed], last: &[usize]) -> Option<(usize, usize)> {
    let weights =
        rows.iter().enumerate().flat_map(|(i, row)| row.weights.iter().enumerate().map(move |(j, w)| (i, j, w)));
    let keys = weights.filter_map(|(row, column, weight)| Some((last.contains(&column), (*weight)?, row, column)));
    keys.min().map(|(_, _, row, column)| (row, column))
}

/// 0 for ±1, 1 for numbers, 2 for what does not move, then by size; `None` for zero.
fn weight(e: Expr) -> Option<usize> {
    match e.as_number() {
        _ if e.is_zero() => None,
        Some(number) if number.abs().is_one() => Some(0),
        Some(_) => Some(1),
        None if !moves(e) => Some(2),
        None => Some(3 + e.operations()),
    }
}

/// Does it hold a symbol that is no parameter?
pub(super) fn moves(e: Expr) -> bool {
    !moving_symbols(e).is_empty()
}

/// The symbols in it that are no parameters.
pub(super) fn moving_symbols(e: Expr) -> Vec<Expr> {
    let moving = |symbol: &Expr| symbol.as_symbol().is_some_and(|symbol| symbol.kind != Kind::Parameter);
    if e.is_constant() { Vec::new() } else { e.symbols().into_iter().filter(moving).collect() }
}

/// The symbols in it that are no parameters and by which it changes.
pub(super) fn true_symbols(e: Expr) -> Vec<Expr> {
    let symbols = moving_symbols(e);
    match expr::gradient(e, &symbols) {
        Ok(slopes) => symbols.into_iter().zip(slopes).filter(|pair| !pair.1.is_zero()).map(|pair| pair.0).collect(),
        Err(_) => symbols,
    }
}

/// e without `symbols`, on which it does not depend: some number stands in their place. It comes
/// back as it is if it does depend on them, or no such number is found.
pub(super) fn freed(e: Expr, symbols: &[Expr]) -> Expr {
    let tries = [integer(0), integer(1), rational(1, 2), integer(2), expr::pi() / 4, integer(3)];
    let put = |value: Expr| {
        let map: Substitution = symbols.iter().map(|&symbol| (symbol, value)).collect();
        map.apply_one(e).ok().filter(|made| made.is_same(e))
    };
    tries.into_iter().find_map(put).unwrap_or(e)
}

/// The same function, shorter: symbols that only seem to occur are gone, in its parts as well.
pub(super) fn tidy(e: Expr) -> Expr {
    if e.is_zero() {
        return Expr::zero();
    }
    if !moves(e) && e.operations() < 12 {
        return e;
    }
    let sums = Evaluator::new(&[e], &[]).nodes().into_iter().filter(|node| node.op() == Op::Sum && *node != e);
    let map: Substitution = sums.map(|sum| (sum, without_ghosts(sum))).filter(|pair| pair.0 != pair.1).collect();
    let inner = map.apply_one(e).ok().filter(|made| made.is_same(e)).unwrap_or(e);
    let e = without_ghosts(inner);
    if e.operations() <= SHORT { expr::simplify(e, &[]) } else { e }
}

fn without_ghosts(e: Expr) -> Expr {
    let real = true_symbols(e);
    let ghosts: Vec<Expr> = moving_symbols(e).into_iter().filter(|symbol| !real.contains(symbol)).collect();
    if ghosts.is_empty() { e } else { freed(e, &ghosts) }
}

//! Elimination with pivots that are certified, or by signatures alone.

use super::*;

/// What an elimination (2) computes with.
pub(super) trait Arithmetic {
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

/// Expressions, with pivots that are nonzero at the state.
pub(super) struct CertifiedPivots;

/// An expression that is not zero by its signature, and its value at the state: exactly
/// zero if it differs from zero by no more than what its terms lost when they cancelled.
#[derive(Clone, Copy)]
pub(super) struct Certified {
    pub(super) e: Expr,
    pub(super) value: f64,
    /// The sum of the sizes of the terms that elimination has put together here.
    pub(super) size: f64,
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
pub(super) struct BySignature;

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
pub(super) enum Standing {
    Preferred,
    Allowed,
    Barred,
}

pub(super) struct Pivot<T> {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) entry: T,
}

/// Rows under elimination.
///
/// Invariant: the rows in `left` have no entry in the column of a pivot, and no zero entries.
pub(super) struct Tableau<A: Arithmetic> {
    arithmetic: A,
    pub(super) rows: Vec<Vec<(usize, A::Entry)>>,
    standings: Vec<Standing>,
    pub(super) pivots: Vec<Pivot<A::Entry>>,
    /// The rows that have had no pivot yet, ascending.
    pub(super) left: Vec<usize>,
}

impl<A: Arithmetic> Tableau<A> {
    pub(super) fn new(arithmetic: A, rows: Vec<Vec<(usize, A::Entry)>>, standings: Vec<Standing>) -> Tableau<A> {
        let left = (0..rows.len()).collect();
        Tableau { arithmetic, rows, standings, pivots: Vec::new(), left }
    }

    /// Eliminates as long as there are pivots.
    pub(super) fn eliminated(mut self) -> Tableau<A> {
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

    pub(super) fn is_open(&self, column: usize) -> bool {
        self.standings[column] != Standing::Barred
    }

    /// Is the column allowed a pivot, and has none?
    pub(super) fn is_unspent(&self, column: usize) -> bool {
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
    pub(super) fn places(&self) -> Vec<(usize, usize)> {
        self.pivots.iter().map(|pivot| (pivot.row, pivot.column)).collect()
    }
}

impl<A: Arithmetic<Entry: Into<Expr>>> Tableau<A> {
    /// The product of the pivots, with the sign of the permutation that takes rows to columns.
    pub(super) fn product_of_pivots(&self, places: &[(usize, usize)]) -> Expr {
        let product: Expr = self.pivots.iter().map(|pivot| pivot.entry.into()).product();
        if is_even(places) { product } else { -product }
    }
}

impl From<Certified> for Expr {
    fn from(entry: Certified) -> Expr {
        entry.e
    }
}

/// Sizes in steps of 16, from ¼ to 4 and so on: symbols that the state does not name,
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

pub(super) fn sorted(places: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut places: Vec<usize> = places.collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// The numbers below `end` that are not in the list, which ascends.
pub(super) fn others(end: usize, list: &[usize]) -> Vec<usize> {
    (0..end).filter(|place| list.binary_search(place).is_err()).collect()
}

// ---------------------------------------------------------------------------------------------
// Values at a state

/// The entries with their values at a state. A value that is only what rounding left
/// of larger terms, such as cos(π/2), is taken for the zero that it stands for.
pub(super) fn certified(matrix: &Matrix, at: &At) -> Vec<Vec<(usize, Certified)>> {
    let entries = matrix.entries();
    let largest = entries.iter().map(|&entry| at.value(entry).abs()).fold(1.0, f64::max);
    let is_suspect = |entry: &Expr| at.value(*entry).abs() < SUSPECT * largest;
    let suspects: Vec<Expr> = entries.iter().copied().filter(is_suspect).collect();
    let sizes: FxHashMap<Expr, f64> = suspects.iter().copied().zip(at.sizes_of_terms(&suspects)).collect();
    let certify = |e: &Expr| {
        let value = at.value(*e);
        let is_noise = sizes.get(e).is_some_and(|size| value.abs() <= NOISE * size);
        let value = if is_noise { 0.0 } else { value };
        Certified { e: *e, value, size: value.abs() }
    };
    matrix.refilled(entries.iter().map(certify))
}

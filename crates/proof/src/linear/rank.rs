//! The rank of a matrix: as functions, and at a state.

use super::*;

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

/// The rank at a state, in floating point: entries below `tolerance` times the
/// largest one count as zero. Less than [`rank`] where the state is singular.
pub fn rank_at(matrix: &Matrix, tolerance: f64, at: &At) -> usize {
    let mut rows: Vec<Vec<f64>> = vec![vec![0.0; matrix.columns]; matrix.rows()];
    for (row, entries) in certified(matrix, at).into_iter().enumerate() {
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

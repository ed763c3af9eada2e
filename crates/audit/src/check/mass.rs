//! Does some motion that the constraints allow move no mass?
//!
//! ```text
//! M_ij = T(e_i + e_j) − T(e_i) − T(e_j) + T(0),    T is quadratic in the rates: exact      (1)
//! M_ii = T(e_i) + T(−e_i) − 2 T(0)
//! M v = 0, A v = 0, v ≠ 0                          at a state without any symmetry         (2)
//! ```
//!
//! Then some equations of motion are of first order, or hold no derivative, and the count of free constants by coordinates
//! and constraints is too large.

use expr::Expr;
use expr::field::Random;
use linear::rank::reduce;
use linear::{Matrix, Scale};
use mechanics::constraint::Report;
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;

use super::rows::Acting;
use engine::Loaded;

/// Models with more coordinates are not looked at.
const MOST: usize = 60;

/// Whether (2) has a solution; not where that cannot be told.
pub(super) fn is_missing(loaded: &Loaded, acting: &Acting, report: &Report) -> bool {
    found(loaded, acting, report).unwrap_or(false)
}

fn found(loaded: &Loaded, acting: &Acting, report: &Report) -> Option<bool> {
    let system = &loaded.system;
    let (q, rates) = (system.q(), system.q_dot());
    if q.len() > MOST || !loaded.has_numbers() {
        return None;
    }
    let none = Rows::default();
    let given = Ingredients::of(system, &loaded.mode, &none, loaded.kind(), &loaded.at);
    let T = given.thawed(&[given.T().ok()?]).ok()?[0];
    let mut random = Random::new(0x0_a55);
    let mut draw = || 0.1 + 0.3 * ((random.next() >> 11) as f64 / (1_u64 << 53) as f64);
    let moved: Vec<(Expr, f64)> = q.iter().map(|&q| (q, loaded.at.value(q) + draw())).collect();
    let at = loaded.at.with(&moved);
    let kinetic = |places: &[usize]| {
        let rate = |(k, &rate): (usize, &Expr)| (rate, if places.contains(&k) { 1.0 } else { 0.0 });
        at.with(&rates.iter().enumerate().map(rate).collect::<Vec<_>>()).value(T)
    };
    let (zero, own): (f64, Vec<f64>) = (kinetic(&[]), (0..q.len()).map(|i| kinetic(&[i])).collect());
    let back = |i: usize| {
        let rate = |(k, &rate): (usize, &Expr)| (rate, if k == i { -1.0 } else { 0.0 });
        at.with(&rates.iter().enumerate().map(rate).collect::<Vec<_>>()).value(T)
    };
    let mass = Matrix::from_fn(q.len(), q.len(), |i, j| match i == j {
        true => own[i] + back(i) - 2.0 * zero,
        false => kinetic(&[i, j]) - own[i] - own[j] + zero,
    });
    // a model without any mass is one of constraints alone
    if !mass.is_finite() || mass.largest() == 0.0 {
        return None;
    }
    // entries that are rounding of their terms are none
    let size = own.iter().fold(zero.abs(), |size, x| size.max(x.abs()));
    let clean = |x: f64| if x.abs() <= 1e-13 * size { 0.0 } else { x };
    let slope = |&row: &usize| -> Option<Vec<f64>> {
        let (f, order) = (acting.rows.get(row)?.f, report.rows[row].class.order()?);
        let by = [q.clone(), rates.clone(), system.q_ddot()][order as usize].clone();
        let slopes = expr::gradient(f, &by).ok()?;
        Some(slopes.iter().map(|&slope| at.value(slope)).collect())
    };
    let rows = report.independent.iter().map(slope).collect::<Option<Vec<_>>>()?;
    let mut all: Vec<Vec<f64>> = mass.iter().map(|row| row.iter().map(|x| clean(*x)).collect()).collect();
    all.extend(rows);
    if all.iter().flatten().any(|x| !x.is_finite()) {
        return None;
    }
    let reduced = reduce(Matrix::from(&all), &[], Scale::RowsAndColumns, linear::tolerance::RANK).ok()?;
    Some(reduced.null_vectors().iter().next().is_some())
}

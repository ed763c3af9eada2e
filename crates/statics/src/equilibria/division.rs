//! Can one-sided supports carry the load that they share, and which of them carry nothing?
//!
//! ```text
//! λ = λ₀ + Σ c n,  Aᵀ n = 0        all multipliers that balance                                        (1)
//! λₖ ≥ 0                           for every closed one-sided row                                      (2)
//! ```
//!
//! A place is an equilibrium if some division (1) satisfies (2): the rule of `evaluate` and `simulate`, by the same
//! program (numeric's cones). A support carries nothing if its λ is zero in every division that satisfies (2).

use expr::At;
use linear::Matrix;
use linear::program::{NoMaximum, maximum};
use linear::vector::largest;
use mechanics::determined::Carriers;
use numeric::cones::{Cone, Share, share};

use super::Choice;
use super::program::Program;
use super::statics::Statics;

/// A multiplier that is smaller, relative to its natural size, is zero.
const NOTHING: f64 = 1e-9;

/// How closed one-sided constraints divide a load.
#[derive(Clone, Debug, Default)]
pub struct Division {
    /// Constraints that would have to pull, whatever the division.
    pub pulled: Vec<usize>,
    /// Constraints that carry nothing, whatever the division.
    pub idle: Vec<usize>,
    /// Whether it could be found.
    pub is_known: bool,
}

impl Division {
    /// At a state, from multipliers that balance there: those of the rows that are listed, then of those left out.
    pub fn of(statics: &Statics, program: &Program, lambda: &[f64], choice: &Choice, at: &At) -> Division {
        let closed: Vec<usize> = choice.iter().filter(|one| one.1).map(|one| one.0).collect();
        let rows: Vec<&mechanics::rows::Row> =
            statics.rows.list.iter().chain(&statics.rows.left_out).take(lambda.len()).collect();
        let A = Matrix::of_width(statics.force.len(), statics.slopes[..rows.len()].iter().map(|row| at.values(row)));
        let scales = scales(statics, program, &A);
        let bound: Vec<usize> = (0..rows.len()).filter(|&k| closed.contains(&rows[k].constraint)).collect();
        let cone = |&k: &usize| Cone { normal: k, slips: Vec::new(), mu: 0.0, press: 1.0, size: 1.0 / scales[k] };
        let cones: Vec<Cone> = bound.iter().map(cone).collect();
        if cones.is_empty() {
            return Division { is_known: true, ..Division::default() };
        }
        let turned = Matrix::from_fn(A.columns(), A.rows(), |s, k| A[k][s]);
        let Some(null) = Carriers::null_vectors(&turned) else { return Division::default() };
        let null = Matrix::of_width(rows.len(), null);
        let Some(Share { margin, forces, .. }) = share(&cones, lambda, &null) else { return Division::default() };
        let is_below = |k: usize, limit: f64| forces[k] < limit * scales[k];
        let of = |list: Vec<usize>| {
            let mut list: Vec<usize> = list.into_iter().map(|k| rows[k].constraint).collect();
            list.dedup();
            list
        };
        if margin < -NOTHING {
            let pulled = bound.iter().copied().filter(|&k| is_below(k, -NOTHING)).collect();
            return Division { pulled: of(pulled), is_known: true, ..Division::default() };
        }
        if margin > NOTHING {
            return Division { is_known: true, ..Division::default() };
        }
        let most = |k: usize| most((&bound, &scales), &forces, &null, k);
        let found: Option<Vec<(usize, f64)>> = bound.iter().map(|&k| Some((k, most(k)?))).collect();
        let Some(found) = found else { return Division::default() };
        let carries = |place: usize| found.iter().any(|&(k, most)| rows[k].constraint == place && most > NOTHING);
        let idle = closed.into_iter().filter(|&place| bound.iter().any(|&k| rows[k].constraint == place));
        Division { pulled: Vec::new(), idle: idle.filter(|&place| !carries(place)).collect(), is_known: true }
    }
}

/// Natural sizes of the multipliers: those of the program; rows that are left out balance the same forces.
fn scales(statics: &Statics, program: &Program, A: &Matrix) -> Vec<f64> {
    let (n, listed) = (program.searched.len(), statics.rows.list.len());
    let known = |k: usize| program.scales[n + k].abs();
    let force = (0..listed.min(A.rows())).map(|k| known(k) * largest(&A[k])).fold(0.0, f64::max);
    let of = |k: usize| match largest(&A[k]) {
        _ if k < listed => known(k),
        reach if reach > 0.0 && force > 0.0 => force / reach,
        _ => 1.0,
    };
    (0..A.rows()).map(of).collect()
}

/// The most that a row carries, in its natural size, in a division that satisfies (2); forces that do so are given.
fn most((bound, scales): (&[usize], &[f64]), forces: &[f64], null: &Matrix, place: usize) -> Option<f64> {
    let d = null.rows();
    let now = |k: usize| (forces[k] / scales[k]).max(0.0);
    // unknowns: c⁺, c⁻; the size of n is free, so that its largest part is one
    let size: Vec<f64> =
        null.iter().map(|n| bound.iter().map(|&k| (n[k] / scales[k]).abs()).fold(0.0, f64::max)).collect();
    let part = |i: usize, k: usize| if size[i] > 0.0 { null[i][k] / scales[k] / size[i] } else { 0.0 };
    let table = Matrix::from_fn(bound.len(), 2 * d, |row, j| if j < d { -1.0 } else { 1.0 } * part(j % d, bound[row]));
    let gain: Vec<f64> = (0..2 * d).map(|j| if j < d { 1.0 } else { -1.0 } * part(j % d, place)).collect();
    let bounds: Vec<f64> = bound.iter().map(|&k| now(k)).collect();
    match maximum(&gain, &table, &bounds) {
        Ok(x) => Some(now(place) + gain.iter().zip(&x).map(|(gain, x)| gain * x).sum::<f64>()),
        Err(NoMaximum::Unbounded) => Some(f64::INFINITY),
        Err(NoMaximum::Lost) => None,
    }
}

//! What do callers of the old solvers find here? The kernels of the crate `linear`.
//!
//! New code names the crate itself: its answers say why a system is not solved.

pub use ::linear::Solved;
use ::linear::tolerance::{LEAST, PIVOT};

/// Solves a square system in place; was there one solution?
pub fn eliminate(matrix: &mut [f64], right: &mut [f64]) -> bool {
    let n = right.len();
    ::linear::solve::eliminate(matrix, right, n, PIVOT, &mut Vec::new()).is_ok()
}

/// Solves a symmetric system in place; was there one solution?
pub fn symmetric(matrix: &mut [f64], right: &mut [f64], work: &mut Vec<f64>) -> bool {
    ::linear::cholesky::symmetric(matrix, right, work).is_ok()
}

/// Solves `[M, ±Aᵀ; A, 0]` in place; was there one solution?
pub fn saddle(matrix: &mut [f64], right: &mut [f64], n: usize, work: &mut Vec<f64>) -> bool {
    ::linear::saddle::saddle(matrix, right, n, work).is_ok()
}

/// The best solution, and of several the smallest in Σ weights x²; nothing if a number is not
/// finite.
pub fn least(matrix: &[f64], right: &[f64], weights: &[f64]) -> Option<(Vec<f64>, Solved)> {
    ::linear::least::least(matrix, right, weights, LEAST).ok()
}

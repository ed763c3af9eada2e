//! How large is the spectral radius of a matrix without negative entries, at most?
//!
//! ```text
//! ρ(B) ≤ max (B v)_i / v_i        for every v > 0 (Collatz and Wielandt)
//! ```
//!
//! Units of the unknowns do not matter: v takes them.

use crate::matrix::Matrix;

/// Steps by which v comes near to the vector of the radius.
const STEPS: usize = 24;

/// A bound of the radius; infinite if an entry is no number.
///
/// ```
/// let bound = linear::radius::at_most(&linear::Matrix::from([[0.0, 1e9], [1e-9, 0.0]]));
/// assert!((bound - 1.0).abs() < 1e-3);
/// ```
pub fn at_most(matrix: &Matrix) -> f64 {
    let n = matrix.rows();
    if !matrix.is_finite() {
        return f64::INFINITY;
    }
    let (mut v, mut best) = (vec![1.0; n], f64::INFINITY);
    for _ in 0..STEPS {
        let next = matrix.times_vector(&v);
        let bound = next.iter().zip(&v).map(|(x, v)| x / v).fold(0.0, f64::max);
        best = best.min(bound);
        if bound == 0.0 {
            return 0.0;
        }
        // half of the way, by ratios: what turns in a circle settles, and no entry vanishes
        v = next.iter().zip(&v).map(|(x, v)| (x / bound * v).sqrt()).collect();
        let size = v.iter().fold(0.0_f64, |size, x| size.max(*x));
        v.iter_mut().for_each(|x| *x = (*x / size).max(1e-200));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_above_the_radius_and_near_it() {
        for (matrix, radius) in [
            (Matrix::from([[2.0, 1.0], [1.0, 2.0]]), 3.0),
            (Matrix::from([[0.0, 4.0], [1.0, 0.0]]), 2.0),
            (Matrix::from([[0.5, 1e6], [0.0, 0.25]]), 0.5),
            (Matrix::from([[0.0, 0.0], [0.0, 0.0]]), 0.0),
        ] {
            let bound = at_most(&matrix);
            assert!(bound >= radius * (1.0 - 1e-12) && bound <= 1.3 * radius + 1e-12, "{bound} for {radius}");
        }
        assert_eq!(at_most(&Matrix::from([[f64::NAN]])), f64::INFINITY);
    }
}

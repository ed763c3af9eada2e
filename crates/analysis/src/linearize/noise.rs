//! Which entries of A are nothing but the error of the state?
//!
//! ```text
//! |A_ij| ≤ 10 max |A_ij(x + δ) − A_ij(x)|      δ of the size by which x may miss its constraints        (1)
//! ```
//!
//! What a symmetry makes zero, such as the column of the heading of a bicycle, is zero on the constraints. Beside them it is as
//! small as the state is wrong, more than the rounding of its own terms. Such an entry changes by as much as it is when the state
//! is shaken, and one that is there does not.

use linear::arithmetic::Rows;
use linear::weighed::Weighed;

use super::Trouble;
use super::bench::Bench;
use super::equations::{Slopes, State};
use super::state::somewhere;

/// What is larger is no error of the state. Scale: the largest entry.
const DOUBTFUL: f64 = 1e-7;
/// A state is shaken by this, so often. Scale: each value, or one.
const SHAKEN: f64 = 1e-12;
const SHAKES: u64 = 3;
/// (1)
const CERTAIN: f64 = 10.0;

impl Bench<'_> {
    /// A at a state; entries in the columns of coordinates that are errors of the state (1) are zero.
    pub fn without_noise(&self, state: &State, slopes: &Slopes<Weighed>) -> Result<Rows<Weighed>, Trouble> {
        let mut A = self.reduced_by(slopes)?.A;
        let largest = A.iter().flatten().fold(0.0_f64, |size, x| size.max(x.value.abs()));
        let is_doubtful = |x: f64| x != 0.0 && x.abs() <= DOUBTFUL * largest;
        let places: Vec<(usize, usize)> = (0..A.len())
            .flat_map(|i| (0..self.choice.coordinates.len()).map(move |j| (i, j)))
            .filter(|&(i, j)| is_doubtful(A[i][j].value))
            .collect();
        if places.is_empty() {
            return Ok(A);
        }
        let mut changes = vec![0.0_f64; places.len()];
        for shake in 0..SHAKES {
            let Ok(other) = self.reduced(&shaken(state, shake)) else { continue };
            for (change, &(i, j)) in changes.iter_mut().zip(&places) {
                *change = change.max((other.A[i][j].value - A[i][j].value).abs());
            }
        }
        for (change, (i, j)) in changes.into_iter().zip(places) {
            if A[i][j].value.abs() <= CERTAIN * change {
                A[i][j] = Weighed::ZERO;
            }
        }
        Ok(A)
    }
}

/// A state that differs by what a state may be wrong by.
fn shaken(state: &State, shake: u64) -> State {
    let mut next = state.clone();
    let lists = [&mut next.q, &mut next.q_dot, &mut next.q_ddot, &mut next.lambda];
    for (x, seed) in lists.into_iter().flatten().zip(shake * 10_000..) {
        *x += SHAKEN * x.abs().max(1.0) * somewhere(seed);
    }
    next
}

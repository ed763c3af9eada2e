//! Where are open supports at a distance, if nothing else depends on a coordinate that they bound?
//!
//! ```text
//! f(q) > 0      for every support that is open; coordinates that nothing depends on are moved until it holds    (1)
//! ```
//!
//! A ball on a floor with a wall at its side rests wherever it is beside the wall, also if the start is at the wall.

use algebra::{Condition, Sign};
use engine::Loaded;
use expr::{Comparison, Expr};

use super::answer::rest_at;
use super::choice::Choice;
use super::exact::Exact;
use super::statics::Statics;

/// Distances that are tried, against the size of what is there.
const DISTANCES: [f64; 5] = [1.0, 0.1, 1e-2, 1e-3, 1e-5];
/// So often the gaps are gone through.
const ROUNDS: usize = 16;

/// Moves free coordinates until the open supports that bound them are at a distance (1); whether they are.
pub fn cleared(loaded: &Loaded, statics: &Statics, choice: &Choice, q: &mut [f64]) -> bool {
    let free: Vec<Expr> = statics.free.iter().map(|&s| statics.q[s]).collect();
    let gaps: Vec<Expr> = gaps(loaded, choice).filter(|f| f.symbols().iter().any(|one| free.contains(one))).collect();
    let Ok(slopes) = expr::jacobian(&gaps, &free) else { return false };
    let values = |q: &[f64]| rest_at(loaded, statics, q, &[]).values(&gaps);
    if values(q).iter().all(|gap| *gap > 0.0) {
        return true;
    }
    for distance in DISTANCES {
        let mut moved = q.to_vec();
        for _ in 0..ROUNDS {
            for (gap, slope) in gaps.iter().zip(&slopes) {
                let at = rest_at(loaded, statics, &moved, &[]);
                let (value, slope) = (at.value(*gap), at.values(slope));
                let square: f64 = slope.iter().map(|x| x * x).sum();
                if value < distance && square > 0.0 && square.is_finite() {
                    let step = (distance - value) / square;
                    statics.free.iter().zip(&slope).for_each(|(&s, x)| moved[s] += step * x);
                }
            }
        }
        if values(&moved).iter().all(|gap| *gap > 1e-3 * distance) {
            q.copy_from_slice(&moved);
            return true;
        }
    }
    false
}

/// What open supports ask of coordinates that a family leaves free.
pub fn asked(loaded: &Loaded, statics: &Statics, choice: &Choice, branch: Option<&Exact>) -> Vec<String> {
    let of = |f: Expr| -> Option<String> {
        let value = expr::simplify(branch.map_or(Some(f), |branch| branch.value(f))?, &[]);
        let is_of_place = value.symbols().iter().any(|one| statics.q.contains(one));
        let known = branch.map_or(&[][..], |branch| branch.conditions());
        let is_sure = || algebra::sign(value, known) == Sign::Positive;
        (is_of_place && !is_sure()).then(|| Condition { value, comparison: Comparison::Greater }.to_string())
    };
    gaps(loaded, choice).filter_map(of).collect()
}

/// The gaps of open supports, as functions of the place.
fn gaps<'a>(loaded: &'a Loaded, choice: &'a Choice) -> impl Iterator<Item = Expr> + 'a {
    let open = choice.iter().filter(|one| !one.1).flat_map(|one| &loaded.system.constraints[one.0].rows);
    let is_rate = |symbol: &Expr| symbol.as_symbol().is_some_and(|one| one.order > 0);
    open.copied().filter(move |f| !f.symbols().iter().any(is_rate))
}

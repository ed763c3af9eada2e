//! Where does an eigenvalue touch the imaginary axis, or the origin, without crossing it?
//!
//! ```text
//! d = the least |λ|, or the least |Re λ| of a pair, beside those that are always zero, relative to the size of all       (1)
//! d > 1e-6 on both sides of a least value on the grid, d ≤ 1e-7 at the least by golden section: it touches there          (2)
//! ```
//!
//! The number of unstable eigenvalues is the same on both sides, so that counting does not see it: K = (v − v₀)², a damper that
//! touches zero, one pair that comes as another goes.

use linear::eigen::Complex;

/// Smaller is zero (2).
pub const ZERO: f64 = 1e-7;
/// Larger is clearly not zero (2).
const CLEAR: f64 = 1e-6;
/// A frequency that is smaller, against the size of all, is none.
const SLOW: f64 = 1e-4;
/// Steps of the golden section: enough for all digits.
const STEPS: usize = 90;

/// What is zero at a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// An eigenvalue.
    Whole,
    /// The real part of a pair.
    RealPart,
}

impl Touch {
    /// The sizes (1) of all candidates, the least first, each with its frequency.
    fn sizes(self, values: &[Complex], size: f64) -> Vec<(f64, f64)> {
        let size = size.max(1e-300);
        let mut list: Vec<(f64, f64)> = match self {
            Touch::Whole => values.iter().map(|x| (x[0].hypot(x[1]) / size, 0.0)).collect(),
            Touch::RealPart => {
                values.iter().filter(|x| x[1] > SLOW * size).map(|x| (x[0].abs() / size, x[1])).collect()
            }
        };
        list.sort_by(|a, b| a.0.total_cmp(&b.0));
        list
    }

    /// How many are zero.
    pub fn zeros(self, values: &[Complex], size: f64) -> usize {
        self.sizes(values, size).iter().filter(|one| one.0 <= ZERO).count()
    }

    /// d of (1) and its frequency, beside so many that are always zero; nothing if there is none.
    pub fn least(self, values: &[Complex], size: f64, zeros: usize) -> Option<(f64, f64)> {
        self.sizes(values, size).get(zeros).copied()
    }
}

/// The brackets in which d, given on a grid, may touch zero.
pub fn brackets(grid: &[f64], d: &[Option<f64>]) -> Vec<(f64, f64)> {
    let is_low = |k: &usize| {
        let [Some(before), Some(here), Some(after)] = [d[k - 1], d[*k], d[k + 1]] else { return false };
        before > CLEAR && after > CLEAR && here <= before && here < after
    };
    (1..grid.len().saturating_sub(1)).filter(is_low).map(|k| (grid[k - 1], grid[k + 1])).collect()
}

/// The least value in a bracket by golden section: where, and how small.
pub fn lowest((mut low, mut high): (f64, f64), mut d: impl FnMut(f64) -> Option<f64>) -> Option<(f64, f64)> {
    let part = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut a, mut b) = (high - part * (high - low), low + part * (high - low));
    let (mut at_a, mut at_b) = (d(a)?, d(b)?);
    for _ in 0..STEPS {
        if at_a <= at_b {
            (high, b, at_b) = (b, a, at_a);
            a = high - part * (high - low);
            at_a = d(a)?;
        } else {
            (low, a, at_a) = (a, b, at_b);
            b = low + part * (high - low);
            at_b = d(b)?;
        }
        if !(low < a && a < b && b < high) {
            break;
        }
    }
    Some(if at_a <= at_b { (a, at_a) } else { (b, at_b) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_touch_is_found_and_a_near_miss_is_none() {
        let grid: Vec<f64> = (0..=20).map(|k| f64::from(k) / 10.0).collect();
        for (lift, least) in [(0.0, 0.0), (1e-3, 1e-3)] {
            let f = |v: f64| (v - 0.7337).powi(2) + lift;
            let d: Vec<Option<f64>> = grid.iter().map(|&v| Some(f(v))).collect();
            let [bracket] = brackets(&grid, &d)[..] else { panic!("one bracket") };
            let (v, d) = lowest(bracket, |v| Some(f(v))).unwrap();
            assert!((v - 0.7337).abs() < 1e-7 && (d - least).abs() < 1e-14, "{v}: {d}");
        }
        // a plateau of zeros has no bracket
        let flat: Vec<Option<f64>> = grid.iter().map(|&v| Some((v - 1.0).max(0.0))).collect();
        assert!(brackets(&grid, &flat).is_empty());
    }

    #[test]
    fn what_is_always_zero_does_not_count() {
        let values = [[0.0, 0.0], [-1.0, 3.0], [-1.0, -3.0], [0.0, 2.0], [0.0, -2.0]];
        assert_eq!((Touch::Whole.zeros(&values, 3.0), Touch::RealPart.zeros(&values, 3.0)), (1, 1));
        assert_eq!(Touch::RealPart.least(&values, 3.0, 1), Some((1.0 / 3.0, 3.0)));
        assert_eq!(Touch::Whole.least(&values, 3.0, 1), Some((2.0 / 3.0, 0.0)));
    }
}

//! Where does an eigenvalue touch the imaginary axis, or the origin, without crossing it?
//!
//! ```text
//! d = the least |λ|, or the least |Re λ| of a pair, beside those that are always zero, relative to the largest that       (1)
//!     the one of the same rank becomes
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
    /// The sizes of all candidates, the least first, each with the size of its part of the matrix and its frequency.
    fn sizes(self, values: &[Complex], parts: &[f64]) -> Vec<(f64, f64, f64)> {
        let all = values.iter().zip(parts);
        let mut list: Vec<(f64, f64, f64)> = match self {
            Touch::Whole => all.map(|(x, part)| (x[0].hypot(x[1]), *part, 0.0)).collect(),
            Touch::RealPart => {
                all.filter(|(x, part)| x[1] > SLOW * **part).map(|(x, part)| (x[0].abs(), *part, x[1])).collect()
            }
        };
        list.sort_by(|a, b| a.0.total_cmp(&b.0));
        list
    }

    /// The scale of each candidate, the least first: the largest that it becomes at some value; nothing where that is zero
    /// beside its part of the matrix. A frequency that comes to zero alone would be its own size.
    pub fn scales<'a>(self, all: impl Iterator<Item = (&'a [Complex], &'a [f64])>) -> Vec<Option<f64>> {
        let mut scales: Vec<(f64, bool)> = Vec::new();
        for (values, parts) in all {
            for (k, (x, part, _)) in self.sizes(values, parts).into_iter().enumerate() {
                if k == scales.len() {
                    scales.push((0.0, false));
                }
                scales[k] = (scales[k].0.max(x), scales[k].1 || x > ZERO * part);
            }
        }
        scales.into_iter().map(|(scale, is_alive)| is_alive.then_some(scale)).collect()
    }

    /// d of (1) and its frequency, of the candidates that are not always zero; nothing if there is none.
    pub fn least(self, values: &[Complex], parts: &[f64], scales: &[Option<f64>]) -> Option<(f64, f64)> {
        let sizes = self.sizes(values, parts);
        let relative = sizes.iter().zip(scales).filter_map(|(one, scale)| Some((one.0 / (*scale)?, one.2)));
        relative.min_by(|a, b| a.0.total_cmp(&b.0))
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
        let parts = [3.0; 5];
        let least = |touch: Touch| {
            let scales = touch.scales([(&values[..], &parts[..])].into_iter());
            (scales.iter().filter(|scale| scale.is_none()).count(), touch.least(&values, &parts, &scales))
        };
        assert_eq!(least(Touch::Whole), (1, Some((1.0, 0.0))));
        assert_eq!(least(Touch::RealPart), (1, Some((1.0, 3.0))));
    }
}

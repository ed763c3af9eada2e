//! When do infinitely many impacts end?
//!
//! ```text
//! Δ₁ > Δ₂ > Δ₃ …      intervals between impacts, Δₖ₊₁/Δₖ → r < 1                                    (1)
//! t∞ = t + Δ r/(1 − r)                                                                             (2)
//! ```
//!
//! Bounces with a coefficient of restitution follow (1): their sum is finite, and at (2) the contact rests. The series is
//! followed until what is left of it is a millionth of what has passed, so that (2) is exact to rounding.

/// What is left of a series is so small, against what has passed.
const LEFT: f64 = 1e-6;
/// Ratios of intervals that differ by more, against 1 − r, are no series.
const SAME: f64 = 1e-2;

/// The impacts of a motion, as long as their intervals become shorter.
#[derive(Clone, Debug, Default)]
pub struct Impacts {
    list: Vec<(f64, Vec<usize>)>,
}

impl Impacts {
    /// How long ago the last impact was.
    pub fn since(&self, t: f64) -> Option<f64> {
        self.list.last().map(|last| t - last.0)
    }

    /// Another impact of these constraints. If it is the last that is worth following, or that can be followed since the
    /// way between them `is_small`: when all of them end (2), and the constraints that take part.
    pub fn accumulate(&mut self, t: f64, places: &[usize], is_small: bool) -> Option<(f64, Vec<usize>)> {
        if let [.., a, b] = &self.list[..]
            && t - b.0 >= b.0 - a.0
        {
            self.list.drain(..self.list.len() - 1);
        }
        self.list.push((t, places.to_vec()));
        if let (true, [.., b, c, d]) = (is_small, &self.list[..]) {
            let (second, third) = (c.0 - b.0, d.0 - c.0);
            let left = third * third / (second - third);
            let mut all: Vec<usize> = [b, c, d].into_iter().flat_map(|one| one.1.iter().copied()).collect();
            all.sort_unstable();
            all.dedup();
            self.list.clear();
            return Some((t + left, all));
        }
        if is_small {
            self.list.clear();
            return Some((t, places.to_vec()));
        }
        let [.., a, b, c, d] = &self.list[..] else { return None };
        let (first, second, third) = (b.0 - a.0, c.0 - b.0, d.0 - c.0);
        let (before, r) = (second / first, third / second);
        let left = third * r / (1.0 - r);
        let is_series = r < 1.0 && (r - before).abs() < SAME * (1.0 - r);
        if !is_series || left > LEFT * (t - self.list[0].0) {
            return None;
        }
        let mut all: Vec<usize> = [a, b, c, d].into_iter().flat_map(|one| one.1.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        self.list.clear();
        Some((t + left, all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_geometric_series_ends_at_its_sum() {
        let mut impacts = Impacts::default();
        let (mut t, mut interval, mut end) = (1.0, 1.0, None);
        while end.is_none() && interval > 1e-12 {
            end = impacts.accumulate(t, &[3], false);
            t += interval;
            interval *= 0.7;
        }
        let (at, places) = end.expect("an end");
        assert!((at - (1.0 + 1.0 / 0.3)).abs() < 1e-12, "{at}");
        assert_eq!(places, [3]);
    }

    #[test]
    fn what_is_too_small_to_be_followed_ends_too() {
        let mut impacts = Impacts::default();
        assert!([0.0, 1.0, 1.5].iter().all(|&t| impacts.accumulate(t, &[1], false).is_none()));
        assert_eq!(impacts.accumulate(1.75, &[1], true), Some((2.0, vec![1])));
        assert_eq!(impacts.accumulate(5.0, &[1], true), Some((5.0, vec![1])));
    }

    #[test]
    fn impacts_at_equal_intervals_do_not_end() {
        let mut impacts = Impacts::default();
        assert!((0..100).all(|k| impacts.accumulate(f64::from(k), &[0], false).is_none()));
    }
}

//! When do infinitely many impacts end?
//!
//! ```text
//! Δ₁ > Δ₂ > Δ₃ …      intervals between impacts, Δₖ₊₁/Δₖ → r < 1                                    (1)
//! t∞ = t + Δ r/(1 − r)                                                                             (2)
//! Δₖ₊₂/Δₖ → r < 1     contacts that take turns: t∞ = t + (Δ + Δ₋₁) r/(1 − r)                       (3)
//! Eₖ₊₁ ≤ r Eₖ          energies of their jumps, by (3) Eₖ₊₂ ≤ r Eₖ                                   (4)
//! ```
//!
//! Bounces with a coefficient of restitution follow (1): their sum is finite, and at (2) the contact rests. The series is
//! followed until what is left of it is a millionth of what has passed, so that (2) is exact to rounding. By (4) the
//! jumps go to zero with the intervals: in the end each contact of the series is closed, and none moves along its normal.

/// What is left of a series is so small, against what has passed.
const LEFT: f64 = 1e-6;
/// Ratios of intervals that differ by more, against 1 − r, are no series.
const SAME: f64 = 1e-2;

/// The impacts of a motion, as long as their intervals become shorter.
#[derive(Clone, Debug, Default)]
pub struct Impacts {
    list: Vec<Impact>,
}

#[derive(Clone, Debug)]
struct Impact {
    t: f64,
    places: Vec<usize>,
    /// The energy of its jump, once it is known.
    strength: Option<f64>,
}

/// The end of a series of impacts.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// When all of them end (2).
    pub t: f64,
    /// The constraints that take part.
    pub places: Vec<usize>,
    /// Whether the impacts are known to become weaker as (4) says, so that nothing is left of them in the end.
    pub falls: bool,
}

/// A series: each interval is `ratio` times the one `lag` before.
struct Series {
    lag: usize,
    ratio: f64,
    left: f64,
}

impl Impacts {
    /// The impacts as plain numbers.
    pub fn plain(&self) -> Vec<(u64, Vec<usize>, Option<u64>)> {
        let plain = |one: &Impact| (one.t.to_bits(), one.places.clone(), one.strength.map(f64::to_bits));
        self.list.iter().map(plain).collect()
    }

    /// The impacts from plain numbers.
    pub fn from_plain(list: &[(u64, Vec<usize>, Option<u64>)]) -> Impacts {
        let impact = |(t, places, strength): &(u64, Vec<usize>, Option<u64>)| Impact {
            t: f64::from_bits(*t),
            places: places.clone(),
            strength: strength.map(f64::from_bits),
        };
        Impacts { list: list.iter().map(impact).collect() }
    }

    /// How long ago the last impact was.
    pub fn since(&self, t: f64) -> Option<f64> {
        self.list.last().map(|last| t - last.t)
    }

    /// How strong the last impact was.
    pub fn had(&mut self, strength: f64) {
        if let Some(last) = self.list.last_mut() {
            last.strength = Some(strength);
        }
    }

    /// Another impact of these constraints. If it is the last that is worth following, or that can be followed since the
    /// way between them `is_small`: the end of all.
    pub fn accumulate(&mut self, t: f64, places: &[usize], is_small: bool) -> Option<Ending> {
        // two intervals together become shorter in (1) and in (3)
        if let [.., a, b, c] = &self.list[..]
            && t - b.t >= c.t - a.t
        {
            self.list.drain(..self.list.len() - 2);
        }
        self.list.push(Impact { t, places: places.to_vec(), strength: None });
        let series = [1, 2].into_iter().find_map(|lag| self.series(lag, false));
        let series = series.or_else(|| self.series(1, true).filter(|_| is_small));
        let Some(Series { lag, ratio, left }) = series else {
            if is_small {
                self.list.clear();
            }
            return is_small.then(|| Ending { t, places: places.to_vec(), falls: false });
        };
        if !is_small && left > LEFT * (t - self.list[0].t) {
            return None;
        }
        let falls = self.falls(lag, ratio);
        let first = self.list.len().saturating_sub(if is_small { 2 + lag } else { 3 + lag });
        let mut all: Vec<usize> = self.list.drain(first..).flat_map(|one| one.places).collect();
        all.sort_unstable();
        all.dedup();
        self.list.clear();
        Some(Ending { t: t + left, places: all, falls })
    }

    /// (1) or (3) at the last impacts; where intervals are `rough`, since they are small, they need only fall.
    fn series(&self, lag: usize, rough: bool) -> Option<Series> {
        let interval = |back: usize| {
            let last = self.list.len().checked_sub(back + 2)?;
            Some(self.list[last + 1].t - self.list[last].t)
        };
        let ratio = interval(0)? / interval(lag)?;
        let sum = (0..lag).map(interval).sum::<Option<f64>>()?;
        let left = sum * ratio / (1.0 - ratio);
        let is_same = |before: f64| (ratio - before).abs() < SAME * (1.0 - ratio);
        let before = || Some(interval(1)? / interval(1 + lag)?);
        let is_series = ratio < 1.0 && (rough || before().is_some_and(is_same));
        is_series.then_some(Series { lag, ratio, left })
    }

    /// (4) for the last two impacts whose strength is known.
    fn falls(&self, lag: usize, ratio: f64) -> bool {
        let known: Vec<f64> = self.list.iter().filter_map(|one| one.strength).collect();
        let [.., last, _] = (0..known.len()).collect::<Vec<_>>()[..] else { return false };
        (last..known.len()).all(|k| k >= lag && known[k] <= ratio * known[k - lag])
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
        let end = end.expect("an end");
        assert!((end.t - (1.0 + 1.0 / 0.3)).abs() < 1e-12, "{}", end.t);
        assert_eq!(end.places, [3]);
    }

    #[test]
    fn what_is_too_small_to_be_followed_ends_too() {
        let mut impacts = Impacts::default();
        assert!([0.0, 1.0, 1.5].iter().all(|&t| impacts.accumulate(t, &[1], false).is_none()));
        assert_eq!(impacts.accumulate(1.75, &[1], true), Some(Ending { t: 2.0, places: vec![1], falls: false }));
        assert_eq!(impacts.accumulate(5.0, &[1], true), Some(Ending { t: 5.0, places: vec![1], falls: false }));
    }

    #[test]
    fn contacts_that_take_turns_end_together() {
        // short and long intervals in turn, each 0.81 of the one two before; strengths fall, or one of them does not
        for weaker in [0.6, 0.9] {
            let mut impacts = Impacts::default();
            let (mut t, mut interval, mut end) = (0.0, [1.0, 3.0], None);
            let mut strength = 1.0;
            for k in 0..400 {
                end = end.or_else(|| impacts.accumulate(t, &[k % 2], false));
                impacts.had(strength);
                t += interval[k % 2];
                interval[k % 2] *= 0.81;
                strength *= if k % 2 == 0 { 1.0 } else { weaker };
            }
            let end = end.expect("an end");
            assert!((end.t - 4.0 / 0.19).abs() < 1e-9, "{}", end.t);
            assert_eq!((end.places, end.falls), (vec![0, 1], weaker < 0.81));
        }
    }

    #[test]
    fn impacts_at_equal_intervals_do_not_end() {
        let mut impacts = Impacts::default();
        assert!((0..100).all(|k| impacts.accumulate(f64::from(k), &[0], false).is_none()));
    }
}

//! Where does a function change its sign inside a step?
//!
//! ```text
//! p = Σ cₖ Tₖ                         the function at Chebyshev's points of the step, until cₖ fall off     (1)
//! |c₀| > Σ|cₖ|, k ≥ 1                 no zero                                                              (2)
//! p' of one sign by (2)               at most one zero: bisection                                          (3)
//! otherwise                           both halves
//! ```
//!
//! So two zeros close together are two zeros, however long the step is. What is smaller than the noise of the function
//! has no sign: a function that leaves zero slowly does not cross it on the way.

use std::sync::OnceLock;

/// The degree of (1) that is tried first, and then twice that.
const FIRST: usize = 8;
/// The largest degree of (1).
const MOST: usize = 64;
/// Halves that are shorter than this are not halved again.
const SHORTEST: f64 = 1e-9;

/// What is within so many times its noise has come to zero.
pub const THERE: f64 = 10.0;

/// A change of sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Where, as a fraction of the step.
    pub theta: f64,
    /// From negative to positive? `None` for a zero without a change of sign.
    pub rising: Option<bool>,
    /// Whether the function jumps there, or passes infinity, and is not zero.
    pub jumps: bool,
}

/// A function at the beginning of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Before {
    /// Its sign; 0 if not known.
    pub sign: i8,
    /// What it did where the step begins.
    pub lately: Lately,
}

/// What a function did where a step begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lately {
    /// Nothing.
    Nothing,
    /// It has come to zero, which was not told yet.
    Came,
    /// It has come to zero, which was told.
    Told,
}

/// Several functions on a step.
pub struct Samples {
    /// The coefficients (1) of each.
    series: Vec<Vec<f64>>,
    /// Which of them (1) does not follow: they jump, pass infinity, or change too fast for so long a step.
    pub rough: Vec<bool>,
}

impl Samples {
    /// Looks at functions all at once: `at` gives their values at a fraction of the step. What is smaller than its noise
    /// need not be followed.
    pub fn take<E>(noise: &[f64], mut at: impl FnMut(f64, &mut Vec<f64>) -> Result<(), E>) -> Result<Samples, E> {
        let count = noise.len();
        let mut degree = FIRST;
        let mut values: Vec<Vec<f64>> = Vec::new();
        let mut look = |theta: f64| {
            let mut list = Vec::with_capacity(count);
            at(theta, &mut list).map(|()| list)
        };
        for j in 0..=degree {
            values.push(look(node(j, degree))?);
        }
        loop {
            let series: Vec<Vec<f64>> =
                (0..count).map(|k| coefficients(&values.iter().map(|list| list[k]).collect::<Vec<f64>>())).collect();
            let rough: Vec<bool> = series.iter().zip(noise).map(|(c, noise)| !falls_off(c, *noise)).collect();
            if degree >= MOST || !rough.contains(&true) {
                return Ok(Samples { series, rough });
            }
            // Points of half the distance: every second one is known.
            let mut finer = Vec::with_capacity(2 * degree + 1);
            for (j, list) in values.into_iter().enumerate() {
                if j > 0 {
                    finer.push(look(node(2 * j - 1, 2 * degree))?);
                }
                finer.push(list);
            }
            values = finer;
            degree *= 2;
        }
    }

    /// The changes of sign of a function, the places where it touches zero, and its sign at the end; values up to
    /// `noise` have none.
    pub fn crossings(&self, which: usize, before: Before, noise: f64) -> (Vec<Crossing>, i8) {
        let series = &self.series[which];
        let (mut zeros, mut touches) = (Vec::new(), Vec::new());
        isolate(series, -1.0, 1.0, noise, &mut zeros, &mut touches);
        zeros.sort_by(f64::total_cmp);
        // not while it leaves zero at the beginning or comes to it at the end, not where the sign changes, not twice
        let far = |from: f64, to: f64| {
            (0..=16).any(|k| value(series, from + (to - from) * f64::from(k) / 16.0).abs() > 1e3 * noise)
        };
        let away = |x: f64| value(series, x).abs() > THERE * noise;
        touches.retain(|&x| {
            (away(-1.0) || far(-1.0, x))
                && (away(1.0) || far(x, 1.0))
                && zeros.iter().all(|zero| (x - zero).abs() > 1e-6)
        });
        let mut edges = vec![-1.0];
        edges.extend(&zeros);
        edges.push(1.0);
        let (mut list, mut sign, mut since) = (Vec::new(), before.sign, None);
        for (place, pair) in edges.windows(2).enumerate() {
            // the value of largest size between two zeros
            let at = |k: u32| value(series, pair[0] + (pair[1] - pair[0]) * f64::from(k) / 16.0);
            let peak = (0..=16).map(at).fold(0.0_f64, |peak, x| if x.abs() > peak.abs() { x } else { peak });
            let is_told = place == 0 && before.lately == Lately::Told && pair[1] < -1.0 + 1e-6;
            if peak.abs() <= noise || is_told {
                since = since.or(Some(pair[0]));
                continue;
            }
            let now = if peak > 0.0 { 1 } else { -1 };
            if sign != 0 && now != sign {
                // what was nothing from the beginning on changes its sign where it leaves
                let x = since.filter(|&from| from > -1.0).unwrap_or(pair[0]);
                list.push(Crossing { theta: fraction(x), rising: Some(now > 0), jumps: false });
            } else if let Some(from) = since.filter(|&from| from > -1.0 && now == sign) {
                // two zeros, and nothing but noise between them
                touches.push(0.5 * (from + pair[0]));
            }
            (sign, since) = (now, None);
        }
        touches.iter_mut().for_each(|x| *x = turning(series, *x));
        // it came to zero with the step before: does it go further, or turn?
        if before.lately == Lately::Came && list.is_empty() {
            let slope = derivative(series);
            let rise = |x: f64| f64::from(before.sign) * value(&slope, x);
            match (rise(-1.0) < 0.0, rise(1.0) < 0.0) {
                (false, _) => touches.push(-1.0),
                (true, false) => touches.push(bisect(&slope, value(&slope, -1.0))),
                (true, true) => {}
            }
        }
        touches.sort_by(f64::total_cmp);
        touches.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
        list.extend(touches.iter().map(|&x| Crossing { theta: fraction(x), rising: None, jumps: false }));
        list.sort_by(|a, b| a.theta.total_cmp(&b.theta));
        (list, sign)
    }

    /// Where a function is largest, with this sign, after a change of sign and before the next; looked for at distances that
    /// double. Nothing if it has that sign nowhere.
    pub fn peak(&self, which: usize, theta: f64, sign: f64) -> Option<f64> {
        let (from, mut best) = (2.0 * theta - 1.0, None);
        for k in (0..40).rev() {
            let x = from + (1.0 - from) * 0.5_f64.powi(k);
            let size = sign * value(&self.series[which], x);
            match best {
                Some((most, _)) if size <= 0.0 && most > 0.0 => break,
                Some((most, _)) if size <= most => {}
                _ if size > 0.0 => best = Some((size, fraction(x))),
                _ => {}
            }
        }
        best.map(|one| one.1)
    }

    /// The largest size of a function on the step.
    pub fn size(&self, which: usize) -> f64 {
        self.series[which].iter().map(|c| c.abs()).sum()
    }

    /// The values of a function at both ends of the step.
    pub fn ends(&self, which: usize) -> [f64; 2] {
        [-1.0, 1.0].map(|x| value(&self.series[which], x))
    }

    /// The slope of a function by the fraction of the step.
    pub fn slope(&self, which: usize, theta: f64) -> f64 {
        2.0 * value(&derivative(&self.series[which]), 2.0 * theta - 1.0)
    }
}

fn fraction(x: f64) -> f64 {
    (x + 1.0) / 2.0
}

/// cos(π j/n) for j < 2n, for every degree n that is used.
fn cosines(n: usize) -> &'static [f64] {
    static TABLES: [OnceLock<Vec<f64>>; MOST + 1] = [const { OnceLock::new() }; MOST + 1];
    TABLES[n].get_or_init(|| (0..2 * n).map(|j| (std::f64::consts::PI * j as f64 / n as f64).cos()).collect())
}

/// Chebyshev's points, from 1 down to 0.
fn node(j: usize, degree: usize) -> f64 {
    fraction(cosines(degree)[j])
}

/// The coefficients (1) from values at the points.
fn coefficients(values: &[f64]) -> Vec<f64> {
    let n = values.len() - 1;
    let cosines = cosines(n);
    (0..=n)
        .map(|k| {
            let term = |(j, value): (usize, &f64)| {
                let half = if j == 0 || j == n { 0.5 } else { 1.0 };
                half * value * cosines[j * k % (2 * n)]
            };
            let sum: f64 = values.iter().enumerate().map(term).sum();
            sum * if k == 0 || k == n { 1.0 } else { 2.0 } / n as f64
        })
        .collect()
}

/// Whether the last coefficients do not matter.
fn falls_off(c: &[f64], noise: f64) -> bool {
    let largest = c.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    let tail = c[c.len() - 3..].iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    // NaN is not resolved by more points
    largest.is_nan() || tail <= noise.max(1e-11 * largest)
}

/// Clenshaw's sum.
fn value(c: &[f64], x: f64) -> f64 {
    let (mut b1, mut b2) = (0.0, 0.0);
    for &c in c.iter().skip(1).rev() {
        (b1, b2) = (2.0 * x * b1 - b2 + c, b1);
    }
    x * b1 - b2 + c.first().unwrap_or(&0.0)
}

fn derivative(c: &[f64]) -> Vec<f64> {
    let n = c.len();
    if n < 2 {
        return vec![0.0];
    }
    let mut d = vec![0.0; n + 1];
    for k in (1..n).rev() {
        d[k - 1] = d[k + 1] + 2.0 * k as f64 * c[k];
    }
    d[0] /= 2.0;
    d.truncate(n - 1);
    d
}

/// (2), with a margin.
fn keeps_sign(c: &[f64], noise: f64) -> bool {
    c[0].abs() > c[1..].iter().map(|x| x.abs()).sum::<f64>() + noise
}

/// The series on a part of its interval.
fn restricted(c: &[f64], from: f64, to: f64) -> Vec<f64> {
    let n = (c.len() - 1).max(1);
    let cosines = cosines(n);
    let at = |j: usize| value(c, from + (to - from) * (cosines[j] + 1.0) / 2.0);
    coefficients(&(0..=n).map(at).collect::<Vec<f64>>())
}

/// The zeros between `from` and `to`, on which the series `c` is given; touches are minima of |p| in the noise.
fn isolate(c: &[f64], from: f64, to: f64, noise: f64, zeros: &mut Vec<f64>, touches: &mut Vec<f64>) {
    if c.iter().any(|x| x.is_nan()) || keeps_sign(c, noise) {
        return;
    }
    let (left, right) = (value(c, -1.0), value(c, 1.0));
    let place = |x: f64| from + (to - from) * (x + 1.0) / 2.0;
    if c.iter().map(|x| x.abs()).sum::<f64>() <= noise {
        // nothing but noise: halves would be no better
        match (left < 0.0) != (right < 0.0) {
            true => zeros.push(place(bisect(c, left))),
            false => touches.push(place(0.0)),
        }
        return;
    }
    if keeps_sign(&derivative(c), 0.0) {
        if (left < 0.0) != (right < 0.0) {
            zeros.push(place(bisect(c, left)));
        } else if left.abs() <= noise {
            touches.push(from);
        } else if right.abs() <= noise {
            touches.push(to);
        }
        return;
    }
    if to - from < SHORTEST {
        match (left < 0.0) != (right < 0.0) {
            true => zeros.push(place(bisect(c, left))),
            false if left.abs() <= noise => touches.push(place(0.0)),
            false => {}
        }
        return;
    }
    let middle = place(0.0);
    isolate(&restricted(c, -1.0, 0.0), from, middle, noise, zeros, touches);
    isolate(&restricted(c, 0.0, 1.0), middle, to, noise, zeros, touches);
}

/// Where a series turns, near a place where it is almost zero.
fn turning(c: &[f64], near: f64) -> f64 {
    let slope = derivative(c);
    for width in [1e-7, 1e-5, 1e-3, 1e-1] {
        let (from, to) = ((near - width).max(-1.0), (near + width).min(1.0));
        let left = value(&slope, from);
        if (left < 0.0) != (value(&slope, to) < 0.0) {
            return between(&slope, left, from, to);
        }
    }
    near
}

/// The zero of a series with different signs at its ends.
fn bisect(c: &[f64], left: f64) -> f64 {
    between(c, left, -1.0, 1.0)
}

/// The same between two places.
fn between(c: &[f64], left: f64, mut from: f64, mut to: f64) -> f64 {
    for _ in 0..60 {
        let middle = 0.5 * (from + to);
        if (value(c, middle) < 0.0) == (left < 0.0) { from = middle } else { to = middle }
    }
    0.5 * (from + to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crossings(f: impl Fn(f64) -> f64, before: i8) -> Vec<(f64, Option<bool>)> {
        let samples = Samples::take(&[1e-14], |theta, list| -> Result<(), ()> {
            list.push(f(theta));
            Ok(())
        });
        let found = samples.unwrap().crossings(0, Before { sign: before, lately: Lately::Nothing }, 1e-14).0;
        found.iter().map(|one| ((one.theta * 1e9).round() / 1e9, one.rising)).collect()
    }

    #[test]
    fn a_pair_of_zeros_close_together_is_found() {
        // a tenth of the step apart, and a thousandth; only the ends of the step: neither is seen
        let pair = |gap: f64| move |x: f64| (x - 0.43) * (x - 0.43 - gap) * (2.0 + (3.0 * x).sin());
        assert_eq!(crossings(pair(0.1), 1), [(0.43, Some(false)), (0.53, Some(true))]);
        assert_eq!(crossings(pair(0.001), 1), [(0.43, Some(false)), (0.431, Some(true))]);
    }

    #[test]
    fn what_leaves_zero_does_not_cross_it() {
        assert_eq!(crossings(|x| x * x * x, 1), []);
        assert_eq!(crossings(|x| x * x * x, 0), []);
        assert_eq!(crossings(|x| x * x * x - 1e-17, 1), []);
        assert_eq!(crossings(|x| x * x * (0.5 - x), 0), [(0.5, Some(false))]);
        assert_eq!(crossings(|x| -x, 1), [(0.0, Some(false))]);
    }

    #[test]
    fn functions_that_swing_are_followed() {
        let zeros = crossings(|x| (40.0 * x + 0.1).sin(), 1);
        let expected: Vec<f64> = (1..=12).map(|k| (f64::from(k) * std::f64::consts::PI - 0.1) / 40.0).collect();
        assert_eq!(zeros.len(), expected.len());
        assert!(zeros.iter().zip(&expected).all(|(zero, x)| (zero.0 - x).abs() < 1e-8), "{zeros:?}");
        assert!(crossings(|_| f64::NAN, 1).is_empty());
    }

    #[test]
    fn what_is_zero_all_the_way_is_done_with_at_once() {
        // without an end to the halves this takes a minute and gigabytes
        assert_eq!(crossings(|_| 0.0, 1), []);
        assert_eq!(crossings(|x| 1e-17 * (9.0 * x).sin(), 0), []);
    }

    #[test]
    fn a_zero_without_a_change_of_sign_is_told_apart() {
        let found = crossings(|x| (x - 0.25).powi(2), 1);
        assert!(found.iter().any(|one| one.1.is_none() && (one.0 - 0.25).abs() < 1e-9), "{found:?}");
        let found = crossings(|x| 1.0 - (3.0 * (x - 0.4)).cos(), 1);
        assert!(found.len() == 1 && found[0].1.is_none() && (found[0].0 - 0.4).abs() < 1e-9, "{found:?}");
    }
}

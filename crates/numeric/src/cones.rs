//! Can contacts that share a load carry it?
//!
//! ```text
//! f = f₀ + Σ c n                         all forces that balance                                        (1)
//! ±N ≥ t,   μ (±N) − |T| ≥ t             for every contact; the largest t, by choice of c               (2)
//! ```
//!
//! They can if t is not negative. Where nothing is shared there is no choice, and t is the smallest margin of all. A cone
//! in space is cut out by planes, and another plane is added wherever the answer lies outside the cone.

use linear::Matrix;
use linear::program::maximum;
use linear::vector::{add, dot, largest, length};

/// What a contact may carry.
#[derive(Clone, Debug, PartialEq)]
pub struct Cone {
    /// The place of N among the forces.
    pub normal: usize,
    /// The places of T; none if it does not matter.
    pub slips: Vec<usize>,
    /// The coefficient μ.
    pub mu: f64,
    /// The sign that N has.
    pub press: f64,
    /// What a force of one counts for: the units of N differ from row to row.
    pub size: f64,
}

/// How contacts carry a load together.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// t of (2).
    pub margin: f64,
    /// Forces (1) with that margin.
    pub forces: Vec<f64>,
    /// The size of the forces.
    pub size: f64,
}

/// So often a cone in space is cut.
const MOST_CUTS: usize = 40;
/// A part of a vector that is rounding, beside the largest.
const ROUNDING: f64 = 1e-9;
/// What an answer may lie outside a cone, beside the forces.
const OUTSIDE: f64 = 1e-11;

impl Cone {
    /// The margins of a force: (2) with T along each direction.
    fn margins(&self, directions: &[Vec<f64>]) -> Vec<Vec<(usize, f64)>> {
        let own = |factor: f64| (self.normal, self.press * factor * self.size);
        let along = |d: &Vec<f64>| {
            let tangential = self.slips.iter().zip(d).map(|(&slip, d)| (slip, -d * self.size));
            [own(self.mu)].into_iter().chain(tangential).collect()
        };
        [vec![own(1.0)]].into_iter().chain(directions.iter().map(along)).collect()
    }

    fn tangential(&self, f: &[f64]) -> Vec<f64> {
        self.slips.iter().map(|&slip| f[slip]).collect()
    }

    /// The smallest margin of a force.
    fn margin(&self, f: &[f64]) -> f64 {
        let normal = self.press * f[self.normal];
        let held = if self.slips.is_empty() { normal } else { self.mu * normal - length(&self.tangential(f)) };
        self.size * held.min(normal)
    }

    /// Directions in which T is looked at first.
    fn directions(&self) -> Vec<Vec<f64>> {
        let around = |k: usize| (0.3 + k as f64 * std::f64::consts::FRAC_PI_4).sin_cos();
        match self.slips.len() {
            0 => Vec::new(),
            1 => vec![vec![1.0], vec![-1.0]],
            _ => (0..8).map(|k| [around(k).0, around(k).1].to_vec()).collect(),
        }
    }
}

/// The share with the largest margin (2); `null` has the n of (1) as its rows. `None` where a number is not finite.
pub fn share(cones: &[Cone], given: &[f64], null: &Matrix) -> Option<Share> {
    let size = |f: &[f64]| {
        let parts = cones.iter().map(|cone| cone.size * f[cone.normal].abs().max(length(&cone.tangential(f))));
        parts.fold(0.0, f64::max)
    };
    let margin = |f: &[f64]| cones.iter().map(|cone| cone.margin(f)).fold(f64::INFINITY, f64::min);
    let most = size(given);
    if cones.is_empty() || !most.is_finite() || !null.is_finite() {
        return (most.is_finite() && null.is_finite()).then(|| Share {
            margin: 0.0,
            forces: given.to_vec(),
            size: most,
        });
    }
    // of what no cone looks at only rounding is seen
    let matters = |n: &&[f64]| size(n) > ROUNDING * largest(n);
    let null: Vec<Vec<f64>> = null.iter().filter(matters).map(|n| scaled(n, most / size(n))).collect();
    if null.is_empty() || most == 0.0 {
        return Some(Share { margin: margin(given), forces: given.to_vec(), size: most });
    }
    let mut directions: Vec<Vec<Vec<f64>>> = cones.iter().map(Cone::directions).collect();
    for _ in 0..MOST_CUTS {
        let rows: Vec<Vec<(usize, f64)>> =
            cones.iter().zip(&directions).flat_map(|(cone, directions)| cone.margins(directions)).collect();
        let (forces, bound) = best(&rows, given, &null, most)?;
        let found = margin(&forces);
        let mut is_cut = false;
        for (cone, directions) in cones.iter().zip(&mut directions) {
            let t = cone.tangential(&forces);
            let seen = directions.iter().map(|d| dot(d, &t)).fold(f64::NEG_INFINITY, f64::max);
            if cone.slips.len() > 1 && cone.size * (length(&t) - seen) > OUTSIDE * most {
                directions.push(scaled(&t, 1.0 / length(&t)));
                is_cut = true;
            }
        }
        if !is_cut || bound - found <= OUTSIDE * most {
            return Some(Share { margin: found, forces, size: most });
        }
    }
    None
}

fn scaled(x: &[f64], factor: f64) -> Vec<f64> {
    x.iter().map(|x| x * factor).collect()
}

/// The forces (1) with the largest smallest row, and that row.
fn best(rows: &[Vec<(usize, f64)>], given: &[f64], null: &[Vec<f64>], most: f64) -> Option<(Vec<f64>, f64)> {
    let value = |row: &[(usize, f64)], f: &[f64]| row.iter().map(|&(place, factor)| factor * f[place]).sum::<f64>();
    let now: Vec<f64> = rows.iter().map(|row| value(row, given)).collect();
    let (first, d) = (now.iter().copied().fold(f64::INFINITY, f64::min), null.len());
    // unknowns: c⁺, c⁻, and t above its first value, all in units of the largest force
    let mut table = Matrix::zeros(rows.len() + 1, 2 * d + 1);
    let mut bounds = Vec::with_capacity(rows.len() + 1);
    for (i, row) in rows.iter().enumerate() {
        for (k, n) in null.iter().enumerate() {
            table[i][k] = -value(row, n) / most;
            table[i][d + k] = value(row, n) / most;
        }
        table[i][2 * d] = 1.0;
        bounds.push((now[i] - first) / most);
    }
    table[rows.len()][2 * d] = 1.0;
    bounds.push((1.0 - first / most).max(0.0));
    let mut c = vec![0.0; 2 * d + 1];
    c[2 * d] = 1.0;
    let x = maximum(&c, &table, &bounds).ok()?;
    let mut forces = given.to_vec();
    null.iter().enumerate().for_each(|(k, n)| add(&mut forces, x[k] - x[d + k], n));
    let found = rows.iter().map(|row| value(row, &forces)).fold(f64::INFINITY, f64::min);
    (largest(&forces).is_finite()).then_some((forces, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(normal: usize) -> Cone {
        Cone { normal, slips: Vec::new(), mu: 0.0, press: 1.0, size: 1.0 }
    }

    #[test]
    fn bounds_that_are_almost_the_same_do_not_lead_astray() {
        // two feet of a car slide and two stick: cut after cut, the last rows differ by 1e-7, and a pivot that is rounding
        // was taken
        let slides = |normal| Cone { normal, slips: Vec::new(), mu: 0.0, press: 1.0, size: 1.0 };
        let sticks = |normal| Cone { normal, slips: vec![normal + 1, normal + 2], mu: 0.5, press: 1.0, size: 1.0 };
        let cones = [slides(0), sticks(1), slides(4), sticks(5)];
        let given = [
            27.790190760410404,
            0.0,
            0.0,
            -6.006424588909439,
            27.790190760410397,
            -1.9984014443252818e-15,
            5.324138909943802,
            -15.038090690772115,
        ];
        let null = Matrix::from([
            [
                -27.790190760410397,
                27.790190760410397,
                0.0,
                6.006424588909441,
                -27.790190760410386,
                27.790190760410404,
                -5.324138909943803,
                15.03809069077212,
            ],
            [
                -1.8335591711204762e-31,
                0.0,
                23.829891981254033,
                -14.297935188752417,
                1.1749133346478438e-15,
                0.0,
                -23.82989198125403,
                14.297935188752422,
            ],
        ]);
        let found = share(&cones, &given, &null).unwrap();
        // the best of a fine net of shares
        let margin = |f: &[f64]| cones.iter().map(|cone| cone.margin(f)).fold(f64::INFINITY, f64::min);
        let at = |a: f64, b: f64| {
            let f: Vec<f64> = (0..8).map(|k| given[k] + a * null[0][k] + b * null[1][k]).collect();
            margin(&f)
        };
        let net = (0..=400).flat_map(|a| (-200..=200).map(move |b| at(f64::from(a) / 400.0, f64::from(b) / 400.0)));
        let best = net.fold(f64::NEG_INFINITY, f64::max);
        assert!(found.margin >= best && found.margin < best + 0.1, "{} against {best}", found.margin);
    }

    #[test]
    fn a_beam_on_three_supports_tips_where_its_load_leaves_them() {
        // supports at −1, 0, 1, a load of 10 at x: N₁ + N₂ + N₃ = 10, N₃ − N₁ = 10 x; n = (1, −2, 1)
        let null = Matrix::from([[1.0, -2.0, 1.0]]);
        for (x, holds) in [(0.0, true), (0.9, true), (0.999, true), (1.0, true), (1.001, false), (-1.5, false)] {
            let given = [0.0, 10.0 - 10.0 * x, 10.0 * x];
            let found = share(&[plain(0), plain(1), plain(2)], &given, &null).unwrap();
            assert_eq!(found.margin >= -1e-12, holds, "{x}: {found:?}");
            // nearest to even: all of the load beyond the end is pulled
            if !holds {
                assert!((found.margin - 10.0 * (1.0 - x.abs()) / 3.0).abs() < 10.0 * (x.abs() - 1.0), "{found:?}");
            }
        }
    }

    #[test]
    fn two_feet_hold_together_what_one_cannot() {
        // N = 6 and 4, T₁ + T₂ = P; μ = 0.5: up to P = 5, in the plane and in space
        for (slips, null) in [
            (vec![vec![2], vec![3]], Matrix::from([[0.0, 0.0, 1.0, -1.0]])),
            (
                vec![vec![2, 4], vec![3, 5]],
                Matrix::from([[0.0, 0.0, 1.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0, -1.0]]),
            ),
        ] {
            let cones: Vec<Cone> = (0..2).map(|k| Cone { slips: slips[k].clone(), mu: 0.5, ..plain(k) }).collect();
            for (p, holds) in [(4.9, true), (5.0 - 1e-9, true), (5.0 + 1e-9, false), (7.0, false)] {
                // along a direction that is none of the first planes
                let given = [6.0, 4.0, 0.6 * p, 0.0, 0.8 * p, 0.0];
                let given = if slips[0].len() == 1 { vec![6.0, 4.0, p, 0.0] } else { given.to_vec() };
                let found = share(&cones, &given, &null).unwrap();
                assert_eq!(found.margin >= 0.0, holds, "{p}: {found:?}");
                assert!((found.margin - (5.0 - p) / 2.0).abs() < 1e-9, "{p}: {found:?}");
            }
        }
    }

    #[test]
    fn a_wedge_may_be_pressed_as_hard_as_one_likes() {
        // N₁ = N₂ = anything, T₁ = T₂ = 1, μ = 0.1
        let cones: Vec<Cone> = (0..2).map(|k| Cone { slips: vec![k + 2], mu: 0.1, ..plain(k) }).collect();
        let null = Matrix::from([[1.0, 1.0, 0.0, 0.0]]);
        assert!(share(&cones, &[0.0, 0.0, 1.0, 1.0], &null).unwrap().margin >= 0.0);
    }
}

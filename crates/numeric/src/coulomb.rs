//! Which forces does dry friction allow at one contact, and how does the contact go on?
//!
//! ```text
//! a = W f + b        f = (N, T), a = (normal, tangential) acceleration, or velocity after an impact      (1)
//! leaves             f = 0,                       a_n > 0                                                (2)
//! sticks             a = 0,                       |T| ≤ μ |N|                                            (3)
//! slides along d     T = −μ |N| d,  a_n = 0       and from rest: a_t = c d with c > 0                    (4)
//!                    D N = −b_n,  D = W_nn ∓ μ W_nt·d                                                    (5)
//! ```
//!
//! N is not negative if the contact may open; otherwise |N| = ±N and the sign in (5) is that of N. Where D is
//! negative, there is no way or there are several (Painlevé): all are found, and it is not for this page to choose.

use linear::tolerance::LEAST;

/// The contact, with all other constraints already eliminated.
#[derive(Clone, Debug)]
pub struct Contact {
    /// W of (1), row by row; normal first, then one or two directions along the plane.
    pub matrix: Vec<Vec<f64>>,
    /// b of (1).
    pub free: Vec<f64>,
    /// What is rounding in a.
    pub noise: f64,
    /// The coefficient μ.
    pub mu: f64,
    /// Whether it may open.
    pub opens: bool,
}

/// How a contact goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// What it does.
    pub kind: Kind,
    /// The normal force N.
    pub normal: f64,
    /// The tangential force T.
    pub tangential: Vec<f64>,
}

/// What a contact does.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// (2)
    Leaves,
    /// (3)
    Sticks,
    /// (4), in this direction.
    Slides(Vec<f64>),
}

/// Forces that differ by less, relative to their size, are the same.
const SAME: f64 = 1e-6;
/// So much beyond the cone is rounding.
const EDGE: f64 = 1e-9;
/// Directions in which a contact that rests in space is tried.
const DIRECTIONS: usize = 720;

impl Contact {
    fn directions(&self) -> usize {
        self.free.len() - 1
    }

    /// D of (5), relative to W_nn: it may be solved for N while this is positive.
    pub fn determinant(&self, direction: &[f64], press: f64) -> f64 {
        self.slope(direction, press) / self.matrix[0][0]
    }

    fn slope(&self, direction: &[f64], press: f64) -> f64 {
        let along: f64 = direction.iter().zip(&self.matrix[0][1..]).map(|(d, w)| d * w).sum();
        self.matrix[0][0] - press * self.mu * along
    }

    fn leaves(&self) -> Option<Way> {
        let is_free = self.opens && self.free[0] > self.noise;
        is_free.then(|| Way { kind: Kind::Leaves, normal: 0.0, tangential: vec![0.0; self.directions()] })
    }

    /// (4) along a direction, with the sign of N.
    fn slide(&self, direction: &[f64], press: f64) -> Option<Way> {
        let slope = self.slope(direction, press);
        let normal = -self.free[0] / slope;
        let is_pressed = press * normal >= -self.noise / slope.abs();
        let normal = if press * normal > 0.0 { normal } else { 0.0 };
        (slope != 0.0 && is_pressed).then(|| Way {
            kind: Kind::Slides(direction.to_vec()),
            normal,
            tangential: direction.iter().map(|d| -self.mu * normal.abs() * d).collect(),
        })
    }

    fn presses(&self) -> &'static [f64] {
        if self.opens { &[1.0] } else { &[1.0, -1.0] }
    }

    /// All ways on for a contact that slips along a direction.
    pub fn slipping(&self, direction: &[f64]) -> Vec<Way> {
        let slides = self.presses().iter().filter_map(|&press| self.slide(direction, press));
        self.distinct(self.leaves().into_iter().chain(slides).collect())
    }

    /// All ways on for a contact that does not slip at the moment.
    pub fn resting(&self) -> Vec<Way> {
        let mut ways: Vec<Way> = self.sticks().into_iter().chain(self.leaves()).collect();
        for &press in self.presses() {
            let starts = |direction: &[f64]| {
                let way = self.slide(direction, press)?;
                let a = self.after(&way);
                let along: f64 = a.iter().zip(direction).map(|(a, d)| a * d).sum();
                (along > self.noise).then_some(way)
            };
            match self.directions() {
                1 => ways.extend([[1.0], [-1.0]].iter().filter_map(|d| starts(d))),
                _ => ways.extend(self.turning_points(press).iter().filter_map(|d| starts(d))),
            }
        }
        self.distinct(ways)
    }

    /// The way on for a contact that has come to the edge of its cone: it begins to slip against the force that held it.
    pub fn edge(&self) -> Option<Way> {
        let (normal, tangential) = self.hold()?;
        let push = tangential.iter().map(|t| t * t).sum::<f64>().sqrt();
        let direction: Vec<f64> = tangential.iter().map(|t| -t / push).collect();
        self.slide(&direction, if normal < 0.0 { -1.0 } else { 1.0 }).filter(|_| push > 0.0)
    }

    /// The forces with a = 0; the smallest where other constraints hold the contact too.
    fn hold(&self) -> Option<(f64, Vec<f64>)> {
        let matrix = self.matrix.concat();
        let right: Vec<f64> = self.free.iter().map(|b| -b).collect();
        let (force, _) = linear::least::least(&matrix, &right, &vec![1.0; right.len()], LEAST).ok()?;
        let left = |i: usize| self.matrix[i].iter().zip(&force).map(|(w, f)| w * f).sum::<f64>() + self.free[i];
        let size = self.free.iter().fold(0.0_f64, |size, b| size.max(b.abs()));
        let holds = (0..right.len()).all(|i| left(i).abs() <= self.noise + EDGE * size);
        holds.then(|| (force[0], force[1..].to_vec()))
    }

    /// (3)
    fn sticks(&self) -> Option<Way> {
        let (normal, tangential) = self.hold()?;
        let small = self.small();
        let push = tangential.iter().map(|t| t * t).sum::<f64>().sqrt();
        let holds = push <= self.mu * normal.abs() * (1.0 + EDGE) + small;
        let is_pressed = !self.opens || normal >= -small;
        (holds && is_pressed).then_some(Way { kind: Kind::Sticks, normal, tangential })
    }

    /// A force that is rounding.
    fn small(&self) -> f64 {
        self.noise / self.matrix[0][0]
    }

    /// These ways without repetition.
    fn distinct(&self, ways: Vec<Way>) -> Vec<Way> {
        let mut kept: Vec<Way> = Vec::new();
        for way in ways {
            let near = |other: &Way| {
                let forces = |way: &Way| [&[way.normal], &way.tangential[..]].concat();
                let (a, b) = (forces(&way), forces(other));
                let size = a.iter().chain(&b).fold(0.0_f64, |size, x| size.max(x.abs()));
                a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= SAME * size + self.small())
            };
            if !kept.iter().any(near) {
                kept.push(way);
            }
        }
        kept
    }

    /// The tangential part of (1).
    fn after(&self, way: &Way) -> Vec<f64> {
        let row = |i: usize| {
            let tangential: f64 = way.tangential.iter().zip(&self.matrix[i][1..]).map(|(t, w)| t * w).sum();
            self.matrix[i][0] * way.normal + tangential + self.free[i]
        };
        (1..self.free.len()).map(row).collect()
    }

    /// Directions d in the plane with a_t along d.
    fn turning_points(&self, press: f64) -> Vec<[f64; 2]> {
        let direction = |angle: f64| [angle.cos(), angle.sin()];
        let across = |angle: f64| {
            let d = direction(angle);
            let normal = -self.free[0] / self.slope(&d, press);
            let tangential = d.iter().map(|d| -self.mu * normal.abs() * d).collect();
            let a = self.after(&Way { kind: Kind::Sticks, normal, tangential });
            d[0] * a[1] - d[1] * a[0]
        };
        let step = std::f64::consts::TAU / DIRECTIONS as f64;
        let mut found = Vec::new();
        for k in 0..DIRECTIONS {
            // not at round angles, where symmetric systems have their zeros
            let (mut low, mut high) = ((k as f64 + 0.3) * step, (k as f64 + 1.3) * step);
            let (first, last) = (across(low), across(high));
            if !(first.is_finite() && last.is_finite()) || (first < 0.0) == (last < 0.0) {
                continue;
            }
            for _ in 0..80 {
                let middle = 0.5 * (low + high);
                if (across(middle) < 0.0) == (first < 0.0) { low = middle } else { high = middle }
            }
            // a pole of N changes its sign too
            if across(low).abs() <= 1e-6 * first.abs().max(last.abs()) {
                found.push(direction(0.5 * (low + high)));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of unit mass on a plane inclined by α, in the plane or in space.
    fn block(mu: f64, slope: f64, directions: usize) -> Contact {
        let mut free = vec![-slope.cos(), slope.sin()];
        free.resize(1 + directions, 0.0);
        let unit = |i: usize| (0..=directions).map(|j| f64::from(i == j)).collect();
        Contact { matrix: (0..=directions).map(unit).collect(), free, noise: 1e-13, mu, opens: true }
    }

    #[test]
    fn a_block_sticks_up_to_the_angle_of_friction() {
        for directions in [1, 2] {
            let kinds =
                |mu: f64| block(mu, 0.3, directions).resting().into_iter().map(|way| way.kind).collect::<Vec<_>>();
            assert_eq!(kinds(0.3_f64.tan() + 1e-6), [Kind::Sticks]);
            let [Kind::Slides(d)] = &kinds(0.3_f64.tan() - 1e-6)[..] else { panic!("one way on") };
            assert!((d[0] - 1.0).abs() < 1e-12 && d.get(1).is_none_or(|d| d.abs() < 1e-12));
        }
    }

    #[test]
    fn a_rod_in_the_painleve_region_has_no_way_on_or_two() {
        // W_nt so large that D = 1 − μ W_nt < 0
        let rod = |b: f64| Contact {
            matrix: vec![vec![1.0, 0.75], vec![0.75, 1.0]],
            free: vec![b, 0.0],
            noise: 1e-13,
            mu: 1.5,
            opens: true,
        };
        assert!(rod(-1.0).determinant(&[1.0], 1.0) < 0.0);
        assert_eq!(rod(-1.0).slipping(&[1.0]), []);
        assert_eq!(rod(1.0).slipping(&[1.0]).len(), 2);
        assert_eq!(rod(-1.0).slipping(&[-1.0]).len(), 1);
    }

    #[test]
    fn a_wall_that_holds_the_contact_takes_the_force() {
        // nothing moves it along the plane
        let held = |b: f64| Contact {
            matrix: vec![vec![1.0, 0.0], vec![0.0, 0.0]],
            free: vec![-1.0, b],
            ..block(0.3, 0.0, 1)
        };
        let [way] = &held(0.0).resting()[..] else { panic!("one way on") };
        assert_eq!((&way.kind, way.tangential[0]), (&Kind::Sticks, 0.0));
        // it cannot stick where the others move it
        let [way] = &held(2.0).resting()[..] else { panic!("one way on") };
        assert_eq!(way.kind, Kind::Slides(vec![1.0]));
    }

    #[test]
    fn a_guide_presses_on_either_side() {
        let guide = |b: f64| Contact { opens: false, ..Contact { free: vec![b, 0.0], ..block(0.2, 0.0, 1) } };
        for b in [3.0, -3.0] {
            let [way] = &guide(b).slipping(&[1.0])[..] else { panic!("one way on") };
            assert_eq!((way.normal, way.tangential[0]), (-b, -0.2 * 3.0));
        }
        // where it presses on neither
        assert_eq!(guide(1e-15).slipping(&[1.0]).len(), 1);
    }
}

//! How do several contacts go on together: which stick, which slide, which open?
//!
//! ```text
//! a = W f + b          all rows of all contacts: normal, then one or two slips                        (1)
//! opens                f = 0,  a_n > 0
//! sticks               a = 0,  |T| ≤ μ |N|                        smooth contacts: a_n = 0, N ≥ 0     (2)
//! slides along d       a_n = 0,  T = −μ |N| d;  from rest: a_t = c d with c > 0
//! ```
//!
//! Every choice of (2) is tried, and every one that is consistent is found: two with other accelerations are two ways
//! on. Where contacts share a load, a choice is consistent if some division of it is ([`crate::cones`]); if friction
//! depends on how it is divided, the accelerations are not determined. Without friction a is unique, by Gauss's
//! principle, and found as the least compulsion under f ≥ 0.

use linear::rank::reduce;
use linear::tolerance::RANK;
use linear::vector::{add, dot, length};
use linear::{Matrix, Scale};

use crate::cones::{Cone, share};
use crate::coulomb::{Kind, Way};

/// One of the contacts.
#[derive(Clone, Debug, PartialEq)]
pub struct One {
    /// The row of its normal; the slips follow.
    pub row: usize,
    /// How many slips it has.
    pub slips: usize,
    /// The coefficient μ; infinite where nothing slips while it is closed.
    pub mu: f64,
    /// Whether it may open.
    pub opens: bool,
    /// The direction in which it slips.
    pub slip: Option<Vec<f64>>,
    /// The only kind that is looked at, with the sign of N.
    pub only: Option<(Kind, f64)>,
}

/// Contacts at a state, all other constraints eliminated.
#[derive(Clone, Debug)]
pub struct Contacts {
    /// W of (1), row by row.
    pub matrix: Matrix,
    /// b of (1).
    pub free: Vec<f64>,
    /// How large the terms of each b are.
    pub terms: Vec<f64>,
    /// The contacts.
    pub list: Vec<One>,
}

/// One way on.
#[derive(Clone, Debug, PartialEq)]
pub struct Going {
    /// What each contact does, with forces that balance.
    pub each: Vec<Way>,
    /// What may be added to the forces of all rows, since contacts share a load.
    pub spread: Vec<Vec<f64>>,
    /// a of (1).
    pub after: Vec<f64>,
}

/// Why there are no ways to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoWays {
    /// Friction depends on how contacts share a load.
    Undetermined,
    /// There are too many choices.
    TooMany,
    /// A search did not end, so that nothing is known of some choice.
    Unfound,
    /// A number is not finite.
    NotFinite,
}

/// So many choices are tried.
const MOST: usize = 20_000;
/// What is rounding in a, beside the terms.
const NOISE: f64 = 1e-12;
/// A margin below zero that is rounding, beside the forces.
const MARGIN: f64 = 1e-9;
/// Accelerations that differ by less, relative to their size, are the same.
const SAME: f64 = 1e-6;
/// Starts for directions of several contacts in space.
const STARTS: usize = 12;

/// What is tried for a contact: a kind with the sign of N; a slide in space without its direction.
#[derive(Clone, Debug)]
enum Choice {
    Opens,
    Sticks(f64),
    Slides(Vec<f64>, f64),
    Starts(f64),
}

impl Contacts {
    /// The determinant for the normal forces of those that slip, relative to that without friction: negative where
    /// solvability is lost. `None` if nothing slips, or if they share a load.
    pub fn determinant(&self) -> Option<f64> {
        let slipping: Vec<(&One, &Vec<f64>)> =
            self.list.iter().filter_map(|one| Some((one, one.slip.as_ref()?))).collect();
        let entry = |i: usize, j: usize| {
            let (row, (one, d)) = (&self.matrix[slipping[i].0.row], slipping[j]);
            row[one.row] - one.mu * one.rows().zip(d).map(|(slip, d)| row[slip] * d).sum::<f64>()
        };
        let n = slipping.len();
        let smooth = Matrix::from_fn(n, n, |i, j| self.matrix[slipping[i].0.row][slipping[j].0.row]);
        let relative = linear::solve_many(smooth, Matrix::from_fn(n, n, entry)).ok()?;
        (n > 0).then(|| linear::solve::determinant(relative))
    }

    /// Every way on.
    pub fn ways(&self) -> Result<Vec<Going>, NoWays> {
        let scaled = Scaled::of(self).ok_or(NoWays::NotFinite)?;
        if self.list.iter().all(|one| one.slips == 0 && one.opens && one.only.is_none()) {
            return scaled.smooth().map(|going| vec![going]);
        }
        let options: Vec<Vec<Choice>> = self.list.iter().map(One::options).collect();
        let count = options.iter().try_fold(1_usize, |count, list| count.checked_mul(list.len()));
        if count.is_none_or(|count| count > MOST) {
            return Err(NoWays::TooMany);
        }
        let (mut ways, mut is_unsure): (Vec<Going>, bool) = (Vec::new(), false);
        for k in 0..count.unwrap_or(0) {
            let mut rest = k;
            let choice = options.iter().map(|list| {
                let one = list[rest % list.len()].clone();
                rest /= list.len();
                one
            });
            let (found, is_seen) = scaled.consistent(&choice.collect::<Vec<_>>())?;
            is_unsure |= !is_seen;
            for going in found {
                if !ways.iter().any(|known| scaled.are_same(known, &going)) {
                    ways.push(going);
                }
            }
        }
        // that there is none is not known where directions were not found
        if ways.is_empty() && is_unsure { Err(NoWays::Unfound) } else { Ok(ways) }
    }
}

impl Going {
    /// Whether the forces of a contact are determined.
    pub fn determines(&self, one: &One) -> bool {
        let own = |n: &Vec<f64>| n[one.row..one.row + 1 + one.slips].iter().all(|x| *x == 0.0);
        self.spread.iter().all(own)
    }

    /// The forces of all rows.
    pub fn forces(&self) -> Vec<f64> {
        self.each.iter().flat_map(|way| std::iter::once(way.normal).chain(way.tangential.iter().copied())).collect()
    }
}

impl One {
    fn rows(&self) -> std::ops::Range<usize> {
        self.row + 1..self.row + 1 + self.slips
    }

    /// What may be tried, those that hold most first.
    fn options(&self) -> Vec<Choice> {
        if let Some((kind, press)) = &self.only {
            return vec![match kind {
                Kind::Leaves => Choice::Opens,
                Kind::Sticks => Choice::Sticks(*press),
                Kind::Slides(d) => Choice::Slides(d.clone(), *press),
            }];
        }
        let mut list = Vec::new();
        for press in if self.opens { &[1.0][..] } else { &[1.0, -1.0] } {
            match &self.slip {
                Some(d) => list.push(Choice::Slides(d.clone(), *press)),
                None => {
                    list.push(Choice::Sticks(*press));
                    match self.slips {
                        0 => {}
                        _ if self.mu == f64::INFINITY => {}
                        1 => list.extend([1.0, -1.0].map(|d| Choice::Slides(vec![d], *press))),
                        _ => list.push(Choice::Starts(*press)),
                    }
                }
            }
        }
        if self.opens {
            list.push(Choice::Opens);
        }
        list
    }
}

/// (1) with rows in units of what a force of one does to its own contact: metres and radians become alike.
struct Scaled<'a> {
    given: &'a Contacts,
    matrix: Matrix,
    free: Vec<f64>,
    noise: f64,
    /// What the rows were divided by.
    sizes: Vec<f64>,
}

/// A choice as a linear system: forces are columns times unknowns.
struct System {
    columns: Vec<Vec<(usize, f64)>>,
    rows: Vec<usize>,
    cones: Vec<Cone>,
}

impl<'a> Scaled<'a> {
    fn of(given: &'a Contacts) -> Option<Scaled<'a>> {
        let n = given.free.len();
        if !given.matrix.is_finite() || given.free.iter().chain(&given.terms).any(|x| !x.is_finite()) {
            return None;
        }
        let mut sizes = vec![1.0; n];
        for one in &given.list {
            let own = |row: usize| given.matrix[row][row].max(0.0).sqrt();
            let size = std::iter::once(one.row).chain(one.rows()).map(own).fold(0.0, f64::max);
            (one.row..one.row + 1 + one.slips).for_each(|row| sizes[row] = if size > 0.0 { size } else { 1.0 });
        }
        let matrix = Matrix::from_fn(n, n, |i, j| given.matrix[i][j] / (sizes[i] * sizes[j]));
        let free: Vec<f64> = given.free.iter().zip(&sizes).map(|(b, size)| b / size).collect();
        let terms = given.terms.iter().zip(&sizes).map(|(term, size)| term / size);
        let noise = NOISE * terms.chain(free.iter().map(|b| b.abs())).fold(0.0, f64::max);
        Some(Scaled { given, matrix, free, noise, sizes })
    }

    fn after(&self, forces: &[f64]) -> Vec<f64> {
        self.matrix.iter().zip(&self.free).map(|(row, b)| dot(row, forces) + b).collect()
    }

    /// Forces in the units that were given, with rounding put to zero.
    fn plain(&self, forces: impl Iterator<Item = Vec<f64>>) -> Vec<Vec<f64>> {
        let plain = |f: Vec<f64>| {
            let size = MARGIN * length(&f);
            f.iter().zip(&self.sizes).map(|(f, unit)| if f.abs() <= size { 0.0 } else { f / unit }).collect()
        };
        forces.map(plain).collect()
    }

    fn are_same(&self, one: &Going, two: &Going) -> bool {
        let both = || one.after.iter().zip(&two.after).zip(&self.sizes).map(|((a, b), size)| (a / size, b / size));
        let size = both().fold(self.free.iter().fold(0.0_f64, |size, b| size.max(b.abs())), |size, (a, b)| {
            size.max(a.abs()).max(b.abs())
        });
        both().all(|(a, b)| (a - b).abs() <= SAME * size + self.noise)
    }

    /// The way on without friction: f ≥ 0 with the least ½ fᵀW f + bᵀf (Lawson and Hanson's active sets).
    fn smooth(&self) -> Result<Going, NoWays> {
        let n = self.free.len();
        let (mut f, mut is_in) = (vec![0.0; n], vec![false; n]);
        for _ in 0..10 * n + 10 {
            let a = self.after(&f);
            let worst = (0..n).filter(|&k| !is_in[k]).min_by(|&i, &j| a[i].total_cmp(&a[j]));
            let Some(worst) = worst.filter(|&k| a[k] < -self.noise) else { break };
            is_in[worst] = true;
            for _ in 0..n + 1 {
                let rows: Vec<usize> = (0..n).filter(|&k| is_in[k]).collect();
                let right: Vec<f64> = rows.iter().map(|&k| -self.free[k]).collect();
                let part = self.matrix.part(&rows, &rows);
                let z = reduce(&part, &right, Scale::AsGiven, RANK).map_err(|_| NoWays::NotFinite)?.solution();
                let most = rows.iter().zip(&z).filter(|(_, z)| **z <= 0.0);
                let step = most.map(|(&k, z)| f[k] / (f[k] - z)).filter(|step| step.is_finite()).fold(1.0, f64::min);
                for (&k, z) in rows.iter().zip(&z) {
                    f[k] += step * (z - f[k]);
                }
                if step >= 1.0 {
                    break;
                }
                rows.iter().zip(&z).filter(|(_, z)| **z <= 0.0).for_each(|(&k, _)| {
                    if f[k] <= self.noise {
                        (f[k], is_in[k]) = (0.0, false);
                    }
                });
            }
        }
        let a = self.after(&f);
        if a.iter().any(|a| *a < -1e3 * self.noise) {
            return Err(NoWays::Unfound);
        }
        let closed: Vec<usize> = (0..n).filter(|&k| a[k] <= self.noise).collect();
        let null =
            reduce(self.matrix.part(&closed, &closed), &[], Scale::AsGiven, RANK).map_err(|_| NoWays::NotFinite)?;
        let spread = null.null_vectors().to_rows().into_iter().map(|n| {
            let mut whole = vec![0.0; self.free.len()];
            closed.iter().zip(n).for_each(|(&row, part)| whole[row] = part);
            whole
        });
        let way = |one: &One| Way {
            kind: if closed.contains(&one.row) { Kind::Sticks } else { Kind::Leaves },
            normal: f[one.row] / self.sizes[one.row],
            tangential: Vec::new(),
        };
        Ok(Going {
            each: self.given.list.iter().map(way).collect(),
            spread: self.plain(spread),
            after: a.iter().zip(&self.sizes).map(|(a, size)| a * size).collect(),
        })
    }

    /// What is consistent with a choice, several where directions in space are found; and whether some were found.
    fn consistent(&self, choice: &[Choice]) -> Result<(Vec<Going>, bool), NoWays> {
        let starting: Vec<usize> = (0..choice.len()).filter(|&k| matches!(choice[k], Choice::Starts(_))).collect();
        if starting.is_empty() {
            return Ok((self.tried(choice)?.into_iter().collect(), true));
        }
        let (mut found, mut is_seen) = (Vec::new(), false);
        for start in 0..STARTS * starting.len() {
            let Some(directed) = self.directed(choice, &starting, start) else { continue };
            is_seen = true;
            if let Some(going) = self.tried(&directed)?
                && !found.iter().any(|known| self.are_same(known, &going))
            {
                found.push(going);
            }
        }
        Ok((found, is_seen))
    }

    /// A choice with directions in which those that start really start: d is turned towards μ |N| d + a_t, which does
    /// not turn too far where the friction is much larger than what is left to accelerate.
    fn directed(&self, choice: &[Choice], starting: &[usize], start: usize) -> Option<Vec<Choice>> {
        let mut angles: Vec<f64> = (0..starting.len()).map(|k| 2.4 * (start * (k + 1)) as f64 + 0.7).collect();
        let with = |angles: &[f64]| {
            let mut choice = choice.to_vec();
            for (&k, angle) in starting.iter().zip(angles) {
                if let Choice::Starts(press) = choice[k] {
                    choice[k] = Choice::Slides(vec![angle.cos(), angle.sin()], press);
                }
            }
            choice
        };
        // how far each direction is from that of its acceleration
        let missed = |angles: &[f64]| -> Option<(Vec<f64>, Vec<f64>)> {
            let (_, forces, _) = self.balanced(&self.system(&with(angles)))?;
            let a = self.after(&forces);
            let turn = |(&k, angle): (&usize, &f64)| {
                let rows = self.given.list[k].rows();
                let across = a[rows.start + 1] * angle.cos() - a[rows.start] * angle.sin();
                let along = a[rows.start] * angle.cos() + a[rows.start + 1] * angle.sin();
                let held = self.given.list[k].mu * forces[rows.start - 1].abs();
                (across, across.atan2(along + held))
            };
            Some(starting.iter().zip(angles).map(turn).unzip())
        };
        for round in 0..100 {
            let (across, turns) = missed(&angles)?;
            if across.iter().all(|x| x.abs() <= 10.0 * self.noise) {
                return Some(with(&angles));
            }
            let is_near = turns.iter().all(|turn| turn.abs() < 0.1);
            let step = if is_near && round > 2 { newton(&angles, &turns, &|x| Some(missed(x)?.1)) } else { None };
            let step = step.filter(|step| step.iter().all(|x| x.abs() < 0.5)).unwrap_or(turns);
            angles.iter_mut().zip(&step).for_each(|(angle, step)| *angle += step);
        }
        None
    }

    /// A choice without open directions, if it is consistent.
    fn tried(&self, choice: &[Choice]) -> Result<Option<Going>, NoWays> {
        let system = self.system(choice);
        let Some((z, _, null)) = self.balanced(&system) else { return Ok(None) };
        let Some(shared) = share(&system.cones, &z, &null) else { return Err(NoWays::Unfound) };
        if shared.margin < -(MARGIN * shared.size + self.noise) {
            return Ok(None);
        }
        let forces = system.forces(&shared.forces, self.free.len());
        let a = self.after(&forces);
        let is_kept = |(one, option): (&One, &Choice)| match option {
            Choice::Opens => a[one.row] > self.noise,
            Choice::Slides(d, _) if one.slip.is_none() && one.only.is_none() => {
                one.rows().zip(d).map(|(row, d)| a[row] * d).sum::<f64>() > self.noise
            }
            _ => true,
        };
        if !self.given.list.iter().zip(choice).all(is_kept) {
            return Ok(None);
        }
        let moves = |n: &[f64]| {
            let forces = system.forces(n, self.free.len());
            let size = length(&forces);
            self.matrix.iter().any(|row| dot(row, &forces).abs() > 1e-7 * size)
        };
        if null.iter().any(moves) {
            return Err(NoWays::Undetermined);
        }
        Ok(Some(self.going(choice, &system, &forces, &null, &a)))
    }

    fn going(&self, choice: &[Choice], system: &System, forces: &[f64], null: &Matrix, a: &[f64]) -> Going {
        let spread = null.iter().map(|n| system.forces(n, forces.len()));
        let way = |(one, option): (&One, &Choice)| Way {
            kind: match option {
                Choice::Opens => Kind::Leaves,
                Choice::Slides(d, _) => Kind::Slides(d.clone()),
                _ => Kind::Sticks,
            },
            normal: forces[one.row] / self.sizes[one.row],
            tangential: one.rows().map(|row| forces[row] / self.sizes[row]).collect(),
        };
        Going {
            each: self.given.list.iter().zip(choice).map(way).collect(),
            spread: self.plain(spread),
            after: a.iter().zip(&self.sizes).map(|(a, size)| a * size).collect(),
        }
    }

    fn system(&self, choice: &[Choice]) -> System {
        let mut system = System { columns: Vec::new(), rows: Vec::new(), cones: Vec::new() };
        for (one, option) in self.given.list.iter().zip(choice) {
            let normal = system.columns.len();
            let mut cone = |slips: Vec<usize>, press: f64| {
                let is_bound = one.opens || !slips.is_empty();
                if is_bound {
                    system.cones.push(Cone { normal, slips, mu: one.mu, press, size: 1.0 });
                }
            };
            match option {
                Choice::Opens | Choice::Starts(_) => {}
                Choice::Sticks(press) => {
                    let has_cone = one.mu.is_finite();
                    cone(if has_cone { (normal + 1..normal + 1 + one.slips).collect() } else { Vec::new() }, *press);
                    system.columns.extend((one.row..one.row + 1 + one.slips).map(|row| vec![(row, 1.0)]));
                    system.rows.extend(one.row..one.row + 1 + one.slips);
                }
                Choice::Slides(d, press) => {
                    system.cones.push(Cone { normal, slips: Vec::new(), mu: 0.0, press: *press, size: 1.0 });
                    let friction = one.rows().zip(d).map(|(row, d)| (row, -one.mu * press * d));
                    system.columns.push([(one.row, 1.0)].into_iter().chain(friction).collect());
                    system.rows.push(one.row);
                }
            }
        }
        system
    }

    /// Unknowns and forces that keep the rows of a choice at rest, and what may be added; `None` if there are none.
    fn balanced(&self, system: &System) -> Option<(Vec<f64>, Vec<f64>, Matrix)> {
        let entry = |i: usize, j: usize| {
            system.columns[j].iter().map(|&(row, factor)| self.matrix[system.rows[i]][row] * factor).sum::<f64>()
        };
        let matrix = Matrix::from_fn(system.rows.len(), system.columns.len(), entry);
        let right: Vec<f64> = system.rows.iter().map(|&row| -self.free[row]).collect();
        let found = reduce(&matrix, &right, Scale::AsGiven, RANK).ok()?;
        let z = found.solution();
        let forces = system.forces(&z, self.free.len());
        let a = self.after(&forces);
        let size = right.iter().fold(0.0_f64, |size, b| size.max(b.abs()));
        let holds = system.rows.iter().all(|&row| a[row].abs() <= 10.0 * self.noise + MARGIN * size);
        holds.then(|| (z, forces, found.null_vectors()))
    }
}

impl System {
    fn forces(&self, z: &[f64], count: usize) -> Vec<f64> {
        let mut forces = vec![0.0; count];
        for (column, z) in self.columns.iter().zip(z) {
            column.iter().for_each(|&(row, factor)| forces[row] += factor * z);
        }
        forces
    }
}

/// A step of Newton for f(x) = 0, with slopes by differences.
fn newton(x: &[f64], f: &[f64], at: &dyn Fn(&[f64]) -> Option<Vec<f64>>) -> Option<Vec<f64>> {
    const STEP: f64 = 1e-3;
    let mut columns = Vec::with_capacity(x.len());
    for k in 0..x.len() {
        let mut slope = vec![0.0; x.len()];
        // to the fourth order: where a slip begins slowly, slopes almost balance each other
        for (steps, weight) in [(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)] {
            let mut moved = x.to_vec();
            moved[k] += steps * STEP;
            add(&mut slope, weight / (12.0 * STEP), &at(&moved)?);
        }
        columns.push(slope);
    }
    let slopes = Matrix::from_fn(x.len(), x.len(), |i, j| columns[j][i]);
    linear::solve(slopes, &f.iter().map(|f| -f).collect::<Vec<f64>>()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body in the plane with unit mass and this inertia, feet at (x, y), and a load (force and torque).
    fn body(inertia: f64, feet: &[[f64; 2]], normals: &[[f64; 2]], mu: f64, load: [f64; 3]) -> Contacts {
        let mut rows: Vec<[f64; 3]> = Vec::new();
        for (&[x, y], &[nx, ny]) in feet.iter().zip(normals) {
            // the velocity of the foot along n and along t = (n_y, −n_x)
            rows.extend([[nx, ny, x * ny - y * nx], [ny, -nx, -x * nx - y * ny]]);
        }
        let weighed = |row: &[f64; 3]| [row[0], row[1], row[2] / inertia];
        let w = |i: usize, j: usize| dot(&rows[i], &weighed(&rows[j]));
        let free: Vec<f64> = rows.iter().map(|row| dot(&weighed(row), &load)).collect();
        let one = |k: usize| One { row: 2 * k, slips: 1, mu, opens: true, slip: None, only: None };
        Contacts {
            matrix: Matrix::from_fn(rows.len(), rows.len(), w),
            terms: vec![length(&load); free.len()],
            free,
            list: (0..feet.len()).map(one).collect(),
        }
    }

    fn words(going: &Going) -> Vec<&'static str> {
        let word = |way: &Way| match way.kind {
            Kind::Leaves => "opens",
            Kind::Sticks => "sticks",
            Kind::Slides(_) => "slides",
        };
        going.each.iter().map(word).collect()
    }

    #[test]
    fn a_block_that_is_pushed_sticks_slides_or_tips() {
        // feet at (∓1, −1), weight 10, a push P at the height h over the centre
        let block = |mu: f64, push: f64, h: f64| {
            let load = [push, -10.0, -push * h];
            let ways = body(0.5, &[[-1.0, -1.0], [1.0, -1.0]], &[[0.0, 1.0]; 2], mu, load).ways().unwrap();
            assert_eq!(ways.len(), 1, "{ways:?}");
            words(&ways[0])
        };
        assert_eq!(block(0.5, 4.9, 0.0), ["sticks", "sticks"]);
        assert_eq!(block(0.5, 5.1, 0.0), ["slides", "slides"]);
        // it tips about its right foot if P (1 + h) > 10, and slides if P > 10 μ
        assert_eq!(block(2.0, 5.1, 1.0), ["opens", "sticks"]);
        assert_eq!(block(2.0, 4.9, 1.0), ["sticks", "sticks"]);
        assert_eq!(block(0.2, 4.9, 1.0), ["slides", "slides"]);
    }

    #[test]
    fn a_ladder_stands_up_to_its_angle() {
        // length 2, centre in the middle; at the angle α to the floor: smooth wall needs μ ≥ cot α/2, equal μ on both:
        // tan α ≥ (1 − μ²)/(2 μ)
        for (alpha, mu, stands) in [(1.0_f64, 0.30, true), (1.0, 0.28, false), (0.7, 0.48, true), (0.7, 0.45, false)] {
            let (x, y) = (alpha.cos(), alpha.sin());
            assert_eq!(alpha.tan() >= (1.0 - mu * mu) / (2.0 * mu), stands, "the closed form");
            let ladder =
                body(1.0 / 3.0, &[[x, -y], [-x, y]], &[[0.0, 1.0], [1.0, 0.0]], mu, [0.0, -9.81, 0.0]).ways().unwrap();
            assert_eq!(ladder.len(), 1, "{ladder:?}");
            assert_eq!(words(&ladder[0]), if stands { ["sticks"; 2] } else { ["slides"; 2] });
        }
    }

    #[test]
    fn what_two_rough_walls_hold_is_not_determined() {
        // between two walls nothing must press, but anything may: it falls as slowly as one likes
        let wedge = body(0.4, &[[-1.0, 0.0], [1.0, 0.0]], &[[1.0, 0.0], [-1.0, 0.0]], 0.3, [0.0, -9.81, 0.0]);
        assert_eq!(wedge.ways(), Err(NoWays::Undetermined));
    }

    #[test]
    fn without_friction_the_compulsion_is_least() {
        // a beam on four supports with a load beyond the last: it tips about it; one support is a copy
        let at = [-2.0, -1.0, 1.0, 1.0];
        for (torque, opens) in [(0.0, 0), (-9.0, 0), (-11.0, 2)] {
            let w = |i: usize, j: usize| 1.0 + at[i] * at[j] / 0.7;
            let supports = Contacts {
                matrix: Matrix::from_fn(4, 4, w),
                free: at.iter().map(|x| -10.0 + x * torque / 0.7).collect(),
                terms: vec![20.0; 4],
                list: (0..4).map(|row| One { row, slips: 0, mu: 0.0, opens: true, slip: None, only: None }).collect(),
            };
            let found = supports.ways().unwrap();
            let open = found[0].each.iter().filter(|way| way.kind == Kind::Leaves).count();
            assert_eq!(open, opens, "{torque}: {found:?}");
        }
    }

    #[test]
    fn a_table_in_space_begins_to_slide_on_all_legs() {
        // legs at equal angles on a circle of radius 1 below the centre by 0.5; M = 1, inertia 0.4; a push in an odd direction
        let legs: Vec<[f64; 3]> = (0..3).map(|k| (2.1 * f64::from(k)).sin_cos()).map(|(s, c)| [c, s, -0.5]).collect();
        let velocity = |p: &[f64; 3], n: [f64; 3]| {
            let turn = [p[1] * n[2] - p[2] * n[1], p[2] * n[0] - p[0] * n[2], p[0] * n[1] - p[1] * n[0]];
            [n[0], n[1], n[2], turn[0], turn[1], turn[2]]
        };
        let axes = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let rows: Vec<[f64; 6]> = legs.iter().flat_map(|p| axes.map(|n| velocity(p, n))).collect();
        let weighed = |row: &[f64; 6]| [row[0], row[1], row[2], row[3] / 0.4, row[4] / 0.4, row[5] / 0.4];
        let table = |push: f64| {
            let load = [0.6 * push, 0.8 * push, -10.0, 0.0, 0.0, 0.1 * push];
            Contacts {
                matrix: Matrix::from_fn(9, 9, |i, j| dot(&rows[i], &weighed(&rows[j]))),
                free: rows.iter().map(|row| dot(&weighed(row), &load)).collect(),
                terms: vec![20.0; 9],
                list: (0..3)
                    .map(|k| One { row: 3 * k, slips: 2, mu: 0.5, opens: true, slip: None, only: None })
                    .collect(),
            }
        };
        let held = table(4.0).ways().unwrap();
        assert_eq!((held.len(), words(&held[0])), (1, vec!["sticks"; 3]));
        let moved = table(6.0).ways().unwrap();
        assert_eq!((moved.len(), words(&moved[0])), (1, vec!["slides"; 3]), "{moved:?}");
        // the friction is μ N against each acceleration
        for (k, way) in moved[0].each.iter().enumerate() {
            let (a, t) = (&moved[0].after[3 * k + 1..3 * k + 3], &way.tangential);
            assert!((dot(a, t) + length(a) * 0.5 * way.normal).abs() < 1e-9 * way.normal, "{way:?}");
        }
    }
}

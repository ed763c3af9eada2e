//! Where are the equilibria? Newton's method from many places, then a proof that there are no others.
//!
//! ```text
//! λ₀ (Q − E) + Aᵀλ = 0,  max(|λ₀|, |λ_r|/s_r) = 1        so that multipliers lie in a box too          (1)
//! ```
//!
//! The proof needs a range for every coordinate: a box of the user's, or a full turn where the equations come back after
//! one. λ₀ = 0 in (1) is no equilibrium but a place where the constraints depend on each other.

use numeric::prune::{self, Equations, Pruned, Region};
use numeric::{Interval, Tape};

use super::program::Program;
use engine::progress::{Ear, Progress};

/// A range of a coordinate.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// Its ends.
    pub low: f64,
    /// Its ends.
    pub high: f64,
    /// Whether one full turn is searched: all of it, or what a wider range comes down to.
    pub is_turn: bool,
    /// Whether the equations come back after a full turn.
    pub is_angle: bool,
}

impl Range {
    /// The natural range of an angle.
    pub const TURN: Range =
        Range { low: -std::f64::consts::PI, high: std::f64::consts::PI, is_turn: true, is_angle: true };

    /// A range that the user gave. An angle comes back after a full turn, so that no more is searched.
    pub fn given(low: f64, high: f64, is_angle: bool) -> Range {
        let is_turn = is_angle && high - low > std::f64::consts::TAU * (1.0 + 1e-9);
        Range { low, high, is_turn, is_angle }
    }

    /// Whether the user gave it.
    pub fn is_given(&self) -> bool {
        !self.is_turn || self.is_wide()
    }

    /// Whether the user asked for more than a full turn.
    pub fn is_wide(&self) -> bool {
        self.is_turn && self.high - self.low > std::f64::consts::TAU * (1.0 + 1e-9)
    }
}

/// Where to look: a range for each coordinate that is searched, if it has one, and how far to go without.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The ranges.
    pub ranges: Vec<Option<Range>>,
    /// Places to start from.
    pub starts: Vec<Vec<f64>>,
    /// The middle and half the width of what is looked at.
    pub reach: Vec<(f64, f64)>,
}

/// What the proof said.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// Whether there are no equilibria in the ranges but those found and those in the boxes.
    pub is_finished: bool,
    /// Solutions, each proved unique in its box, as q.
    pub solutions: Vec<Vec<f64>>,
    /// How wide the enclosure of each is, at most.
    pub widths: Vec<f64>,
    /// Boxes that could not be decided, as ranges of q.
    pub undecided: Vec<Vec<Interval>>,
    /// Boxes where the constraints depend on each other, as ranges of q, each place once.
    pub singular: Vec<Vec<Interval>>,
    /// How many boxes were looked at.
    pub boxes: usize,
}

/// Off the places where angles like to be, so that no equilibrium lies on the edge of a full turn.
const SHIFT: f64 = 0.271_828;
/// Of so many solutions mirror images are looked at.
const MIRRORED: usize = 40;
/// A box with λ₀ below this is one of dependent constraints.
const SINGULAR: f64 = 1e-4;
/// Beyond the edges of a full turn.
const OVERLAP: f64 = 1e-3;

impl Ground {
    /// The same place with angles in (−π, π], or in their range.
    pub fn normal(&self, q: &[f64]) -> Vec<f64> {
        let turn = std::f64::consts::TAU;
        let normal = |(&x, range): (&f64, &Option<Range>)| match range {
            Some(range) if range.is_turn => wrapped(x),
            Some(range) if range.is_angle => {
                let room = 1e-9 * (range.high - range.low);
                let turned = x - turn * ((x - range.low + room) / turn).floor();
                if turned <= range.high + room { turned } else { x }
            }
            _ => x,
        };
        q.iter().zip(&self.ranges).map(normal).collect()
    }

    /// Is it in the ranges?
    pub fn contains(&self, q: &[f64]) -> bool {
        let inside = |(&x, range): (&f64, &Option<Range>)| match range {
            Some(range) if !range.is_turn => {
                let room = 1e-9 * (range.high - range.low);
                x >= range.low - room && x <= range.high + room
            }
            _ => true,
        };
        q.iter().zip(&self.ranges).all(inside)
    }

    /// Are two places the same, but for full turns?
    pub fn is_same(&self, a: &[f64], b: &[f64], close: f64) -> bool {
        (0..a.len()).all(|k| {
            let is_turn = self.ranges[k].is_some_and(|range| range.is_turn);
            let apart = if is_turn { wrapped(a[k] - b[k]) } else { a[k] - b[k] };
            apart.abs() <= close * self.reach[k].1.max(f64::MIN_POSITIVE)
        })
    }

    /// Mirror images of a place: coordinates on the other side of zero, or of the middle of their range. All of them if
    /// there are few coordinates, otherwise those of each alone and of all together.
    fn mirrored(&self, q: &[f64]) -> Vec<Vec<f64>> {
        const FEW: usize = 4;
        let n = q.len();
        let axis = |k: usize| self.ranges[k].filter(|range| !range.is_turn).map_or(0.0, |_| self.reach[k].0);
        let turned = |which: usize| -> Vec<f64> {
            (0..n).map(|k| if which >> k & 1 == 1 { 2.0 * axis(k) - q[k] } else { q[k] }).collect()
        };
        match n {
            0..=FEW => (1..1 << n).map(turned).collect(),
            _ if n < 64 => (0..n).map(|k| 1 << k).chain([(1 << n) - 1]).map(turned).collect(),
            _ => Vec::new(),
        }
    }

    /// Many places.
    pub fn places(&self, count: usize) -> Vec<Vec<f64>> {
        let random = (0..count).map(|k| {
            let at = |j: usize| {
                let (middle, half) = self.reach[j];
                middle + half * (2.0 * somewhere((k * self.reach.len() + j) as u64) - 1.0)
            };
            (0..self.reach.len()).map(at).collect()
        });
        // the corners and edges of a full turn, where symmetric places are
        let quarters = [0.0, 0.5, 1.0, -0.5].map(|x| x * std::f64::consts::PI);
        let turns = self.ranges.iter().filter(|range| range.is_some_and(|range| range.is_turn)).count();
        let corners = if turns > 0 && turns <= 3 { 4_usize.pow(turns as u32) } else { 0 };
        let corner = |k: usize| {
            let mut left = k;
            let at = |(range, reach): (&Option<Range>, &(f64, f64))| match range {
                Some(range) if range.is_turn => {
                    let quarter = quarters[left % 4];
                    left /= 4;
                    quarter
                }
                _ => reach.0,
            };
            self.ranges.iter().zip(&self.reach).map(at).collect::<Vec<f64>>()
        };
        self.starts.iter().cloned().chain((0..corners).map(corner)).chain(random).collect()
    }
}

/// An angle in (−π, π].
pub fn wrapped(x: f64) -> f64 {
    let turn = std::f64::consts::TAU;
    let rest = x - turn * (x / turn).round();
    if rest <= -std::f64::consts::PI * (1.0 - 1e-10) { rest + turn } else { rest }
}

/// A number in [0, 1) that looks random.
pub fn somewhere(seed: u64) -> f64 {
    let mixed = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// Solutions by Newton's method from many places, each once.
pub fn gathered(program: &Program, ground: &Ground, starts: usize, ear: &mut Ear<'_>) -> Vec<Vec<f64>> {
    let n = program.searched.len();
    let mut found: Vec<Vec<f64>> = Vec::new();
    let places = ground.places(starts);
    let count = places.len() as f64;
    ear.begins("looking from many places");
    for (k, q) in places.iter().enumerate() {
        if !ear.reached(k as f64 / count) {
            return found;
        }
        found.extend(new_from(program, ground, q, &found));
    }
    if starts == 0 {
        return found;
    }
    // a mirror image is an equilibrium too, as a rule
    let known: Vec<Vec<f64>> = found.iter().take(MIRRORED).map(|z| z[..n].to_vec()).collect();
    let images: Vec<Vec<f64>> = known.iter().flat_map(|q| ground.mirrored(q)).collect();
    let is_new = |q: &Vec<f64>| !known.iter().any(|one| ground.is_same(one, q, 1e-6));
    let images: Vec<Vec<f64>> = images.into_iter().filter(is_new).collect();
    for (k, q) in images.iter().enumerate() {
        if !ear.reached(k as f64 / images.len() as f64) {
            break;
        }
        found.extend(new_from(program, ground, q, &found));
    }
    found
}

/// The solution that Newton's method finds from a place, if it is new.
fn new_from(program: &Program, ground: &Ground, q: &[f64], found: &[Vec<f64>]) -> Option<Vec<f64>> {
    let n = program.searched.len();
    let mut z = program.solved(&program.with_multipliers(q))?;
    // multipliers beyond all measure: the constraints depend on each other there
    if z[n..].iter().zip(&program.scales[n..]).any(|(x, scale)| x.abs() > 1e7 * scale) {
        return None;
    }
    let normal = ground.normal(&z[..n]);
    z[..n].copy_from_slice(&normal);
    let is_new = ground.contains(&z[..n]) && !found.iter().any(|one| ground.is_same(&one[..n], &z[..n], 1e-6));
    is_new.then_some(z)
}

/// A proof by branch and prune, with solutions that are known as hints; nothing if ranges are missing, or if there are not
/// as many equations as unknowns. `work` is how many operations may be made, and less by those that were.
pub fn proved(
    program: &Program,
    ground: &Ground,
    hints: &[Vec<f64>],
    effort: Effort,
    work: &mut u64,
    ear: &mut Ear<'_>,
) -> Option<Proof> {
    let search = BoxSearch::new(program, ground, effort)?;
    // charts of (1): λ₀ = 1, or a multiplier at one end of its range
    let ends = (0..search.multipliers()).flat_map(|k| [Some((k, 1.0)), Some((k, -1.0))]);
    let charts: Vec<Chart> = [None].into_iter().chain(ends).collect();
    let share = 1.0 / charts.len() as f64;
    let mut proof = Proof { is_finished: true, ..Proof::default() };
    ear.begins("searching the box");
    for (place, chart) in charts.iter().enumerate() {
        let found = search.prune(chart, hints, *work, &mut |done| ear.reached(share * (place as f64 + done)));
        *work = work.saturating_sub(found.work);
        search.add(chart, found, &mut proof);
    }
    proof.undecided = joined(proof.undecided);
    proof.singular = once(joined(proof.singular), ground);
    Some(proof)
}

/// A chart of (1): λ₀ = 1, or a multiplier at this end of its range.
type Chart = Option<(usize, f64)>;

/// The box that is searched, for as many equations as unknowns.
struct BoxSearch<'a> {
    program: &'a Program,
    ground: &'a Ground,
    effort: Effort,
    tape: &'a Tape,
    ranges: Vec<Range>,
    /// The ranges as intervals, full turns shifted and a little wider.
    of_q: Vec<Interval>,
    /// Inputs of the tape that are known, and those that are not: q, λ.
    known: Vec<(usize, Interval)>,
    unknown: Vec<usize>,
}

impl<'a> BoxSearch<'a> {
    fn new(program: &'a Program, ground: &'a Ground, effort: Effort) -> Option<BoxSearch<'a>> {
        let ranges: Vec<Range> = ground.ranges.iter().copied().collect::<Option<_>>()?;
        let tape = program.scaled.as_ref()?;
        if program.instants.len() != 1 || program.equations() != program.unknowns() {
            return None;
        }
        let (known, unknown) = program.places();
        let of_turn = |range: &Range| match range.is_turn {
            true => Interval::new(-std::f64::consts::PI + SHIFT - OVERLAP, std::f64::consts::PI + SHIFT + OVERLAP),
            false => Interval::new(range.low, range.high),
        };
        let of_q = ranges.iter().map(of_turn).collect();
        Some(BoxSearch { program, ground, effort, tape, ranges, of_q, known, unknown })
    }

    /// How many coordinates are searched.
    fn n(&self) -> usize {
        self.program.searched.len()
    }

    fn multipliers(&self) -> usize {
        self.unknown.len() - self.n()
    }

    /// The natural size of a multiplier.
    fn size(&self, k: usize) -> f64 {
        self.program.scales[self.n() + k]
    }

    /// Searches the box in one chart.
    fn prune(&self, chart: &Chart, hints: &[Vec<f64>], work: u64, reached: &mut dyn FnMut(f64) -> bool) -> Pruned {
        let n = self.n();
        let factor = self.known.len() + self.unknown.len();
        let mut known = self.known.clone();
        let mut asked: Vec<usize> = self.unknown.clone();
        let mut within = self.of_q.clone();
        within.extend((0..self.multipliers()).map(|k| Interval::new(-self.size(k), self.size(k))));
        match chart {
            None => known.push((factor, Interval::point(1.0))),
            Some((k, sign)) => {
                known.push((asked[n + k], Interval::point(sign * self.size(*k))));
                asked.remove(n + k);
                within.remove(n + k);
                asked.push(factor);
                // λ₀ = 0 lies inside, so that it is told apart
                within.push(Interval::new(-0.01, 1.0));
            }
        }
        let size = |k: usize| self.size(k);
        let hints = hints.iter().filter_map(|z| hint(z, n, chart, &size, &self.of_q, &self.ranges)).collect();
        let equations = Equations { tape: self.tape, known: &known, unknown: &asked };
        let Effort { narrow, boxes, narrow_ones } = self.effort;
        let region = Region { within, narrow, most: boxes, work, most_narrow: narrow_ones, hints };
        prune::prune(equations, &region, reached)
    }

    /// Adds what was found in a chart to the proof. Where λ₀ vanishes there is no balance but dependent constraints.
    fn add(&self, chart: &Chart, found: Pruned, proof: &mut Proof) {
        let n = self.n();
        proof.boxes += found.parts;
        proof.is_finished &= found.is_finished;
        for one in &found.solutions {
            match one.at.last().filter(|_| chart.is_some()) {
                Some(factor) if factor.contains(0.0) => proof.singular.push(one.at[..n].to_vec()),
                // the same with all signs turned
                Some(factor) if factor.high < 0.0 => {}
                _ => self.add_solution(&one.at[..n], proof),
            }
        }
        let is_singular =
            |part: &Vec<Interval>| chart.is_some() && part.last().is_some_and(|factor| factor.size() < SINGULAR);
        let (singular, open): (Vec<_>, Vec<_>) = found.undecided.into_iter().partition(is_singular);
        proof.singular.extend(singular.into_iter().map(|part| part[..n].to_vec()));
        proof.undecided.extend(open.into_iter().map(|part| part[..n].to_vec()));
    }

    /// Adds a solution with its width, if it is new.
    fn add_solution(&self, at: &[Interval], proof: &mut Proof) {
        let q: Vec<f64> = at.iter().map(|x| x.middle()).collect();
        let q = self.ground.normal(&q);
        if !proof.solutions.iter().any(|other| self.ground.is_same(other, &q, 1e-7)) {
            proof.solutions.push(q);
            proof.widths.push(at.iter().map(|x| x.width()).fold(0.0, f64::max));
        }
    }
}

/// How hard to try.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Boxes narrower than this, relative to the range, are not cut further.
    pub narrow: f64,
    /// So many boxes are looked at.
    pub boxes: usize,
    /// So many may stay undecided before the search ends.
    pub narrow_ones: usize,
}

/// A solution in the unknowns of a chart, if it belongs there.
fn hint(
    z: &[f64],
    n: usize,
    chart: &Chart,
    size: &dyn Fn(usize) -> f64,
    of_q: &[Interval],
    ranges: &[Range],
) -> Option<Vec<f64>> {
    let turned = |((&x, within), range): ((&f64, &Interval), &Range)| match range.is_turn {
        true if x > within.high => x - std::f64::consts::TAU,
        true if x < within.low => x + std::f64::consts::TAU,
        _ => x,
    };
    let mut point: Vec<f64> = z[..n].iter().zip(of_q).zip(ranges).map(turned).collect();
    let ratios: Vec<f64> = z[n..].iter().enumerate().map(|(k, x)| x / size(k)).collect();
    let largest = ratios.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
    match chart {
        None if largest <= 1.0 + 1e-9 => point.extend(&z[n..]),
        Some((k, sign)) if ratios[*k] * sign >= largest * (1.0 - 1e-9) && largest > 1.0 => {
            point.extend(z[n..].iter().enumerate().filter(|(other, _)| other != k).map(|(_, x)| x / largest));
            point.push(1.0 / largest);
        }
        _ => return None,
    }
    Some(point)
}

/// Boxes around the same place are one, also where an angle has come back.
fn once(boxes: Vec<Vec<Interval>>, ground: &Ground) -> Vec<Vec<Interval>> {
    const SAME: f64 = 1e-3;
    let middle = |part: &Vec<Interval>| -> Vec<f64> { part.iter().map(|x| x.middle()).collect() };
    let mut list: Vec<Vec<Interval>> = Vec::new();
    for part in boxes {
        if !list.iter().any(|other| ground.is_same(&middle(other), &middle(&part), SAME)) {
            list.push(part);
        }
    }
    list
}

/// Boxes that touch are one.
fn joined(mut boxes: Vec<Vec<Interval>>) -> Vec<Vec<Interval>> {
    let touch = |a: &[Interval], b: &[Interval]| {
        a.iter().zip(b).all(|(x, y)| {
            let room = 0.5 * (x.width() + y.width()) + 1e-12;
            x.low <= y.high + room && y.low <= x.high + room
        })
    };
    let mut list: Vec<Vec<Interval>> = Vec::new();
    while let Some(mut one) = boxes.pop() {
        while let Some(place) = list.iter().position(|other| touch(&one, other)) {
            let other = list.swap_remove(place);
            one = one.iter().zip(&other).map(|(x, y)| x.hull(*y)).collect();
        }
        list.push(one);
    }
    list
}

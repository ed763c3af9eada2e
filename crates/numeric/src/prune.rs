//! Where in a box do as many equations as unknowns vanish? All solutions, each proved, or what could not be decided.
//!
//! ```text
//! 0 ∉ F(X)                                       nothing in X: dropped                                 (1)
//! 0 ∉ F(m) + F'(X) (X − m)                       the same by mean values                               (2)
//! X_j ∩ m_j − (F_i(m) + Σ_k≠j F'_ik (X_k − m_k))/F'_ij      X shrinks, row by row                       (3)
//! the same with Y F, Y F' for Y ≈ F'(m)⁻¹: if the result lies inside X, X has one solution, and only one (4)
//! ```
//!
//! What is left is looked at slice by slice along each unknown: slices in which (1) finds nothing are taken off its ends, and
//! the widest hole between slices is where it is cut. Of an angle that follows from the others up to half a turn two arcs
//! are left so, where (3) sees nothing. Without a hole it is cut in two along the unknown on which most depends. So on, until
//! every part is empty, has its one solution, or is too narrow to go on.
//!
//! Around each solution the largest box is kept in which (4) proves it the only one: parts inside it are done, and
//! solutions are not found twice. Bounds are rounded outwards, so that the answer is a proof for the equations as programs
//! of intervals; a float only chooses where to look.
//!
//! Sources: R. E. Moore, Interval Analysis (1966); E. Hansen, S. Sengupta, BIT 21 (1981) 203–211.

use linear::Matrix;

use crate::interval::{Interval, Tangent};
use crate::real::Real;
use crate::{Switches, Tape};

/// Equations as a program: the outputs of its first stage, which vanish.
#[derive(Clone, Copy, Debug)]
pub struct Equations<'a> {
    /// The program.
    pub tape: &'a Tape,
    /// The inputs that are known.
    pub known: &'a [(usize, Interval)],
    /// The inputs that are searched, as many as outputs.
    pub unknown: &'a [usize],
}

/// Where to look, and for how long.
#[derive(Clone, Debug)]
pub struct Region {
    /// The box.
    pub within: Vec<Interval>,
    /// A part is too narrow to go on if it is narrower than this times the box, in each direction.
    pub narrow: f64,
    /// So many parts are looked at.
    pub most: usize,
    /// So many operations on intervals are made, and no more but those for the part that is looked at.
    pub work: u64,
    /// The search ends when so many parts are too narrow: they carry a family, as a rule.
    pub most_narrow: usize,
    /// Where solutions may be.
    pub hints: Vec<Vec<f64>>,
}

/// A solution: it lies in `at`, and in `only` there is no other.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// A narrow box around it.
    pub at: Vec<Interval>,
    /// A wide box in which it is the only one.
    pub only: Vec<Interval>,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Pruned {
    /// The solutions.
    pub solutions: Vec<Solution>,
    /// Parts that are too narrow to go on, or that were not looked at.
    pub undecided: Vec<Vec<Interval>>,
    /// How many parts were looked at.
    pub parts: usize,
    /// How many operations on intervals that took, about.
    pub work: u64,
    /// Whether all was looked at.
    pub is_finished: bool,
}

impl Pruned {
    /// Are these all solutions in the box?
    pub fn is_complete(&self) -> bool {
        self.is_finished && self.undecided.is_empty()
    }

    /// One more solution, unless it is one that is known.
    fn take(&mut self, found: Option<Solution>) {
        let lies_in = |at: &[Interval], only: &[Interval]| at.iter().zip(only).all(|(x, only)| x.is_in(*only));
        let is_known = |one: &Solution, new: &Solution| lies_in(&new.at, &one.only) || lies_in(&one.at, &new.only);
        let is_new = |new: &Solution| !self.solutions.iter().any(|one| is_known(one, new));
        if let Some(new) = found.filter(is_new) {
            self.solutions.push(new);
        }
    }
}

/// What became of a part.
enum Part {
    Empty,
    /// Smaller, perhaps; with slopes over it.
    Left(Vec<Interval>, Vec<Vec<Interval>>),
    /// With one solution, and only one.
    One(Vec<Interval>),
}

/// All solutions in a box. `reached` hears how much of it is done, from 0 to 1, and says whether to go on.
pub fn prune(equations: Equations<'_>, region: &Region, reached: &mut dyn FnMut(f64) -> bool) -> Pruned {
    let sizes: Vec<f64> = region.within.iter().map(|x| x.width().max(f64::MIN_POSITIVE)).collect();
    let mut search = Search { equations, region, sizes, found: Pruned::default(), waiting: Vec::new() };
    search.take_hints();
    search.waiting.push((region.within.clone(), 1.0));
    let mut done = 0.0;
    while let Some((part, share)) = search.waiting.pop() {
        if search.is_over() || (search.found.parts.is_multiple_of(64) && !reached(done)) {
            search.waiting.push((part, share));
            break;
        }
        search.found.parts += 1;
        match search.left_of(part) {
            None => done += share,
            Some((one, other)) => search.waiting.extend([(one, 0.5 * share), (other, 0.5 * share)]),
        }
    }
    let Search { mut found, waiting, .. } = search;
    found.is_finished = waiting.is_empty();
    found.undecided.extend(waiting.into_iter().map(|one| one.0));
    // a solution proved outside the box is none of it
    found.solutions.retain(|one| one.at.iter().zip(&region.within).all(|(x, within)| !x.and(*within).is_empty()));
    found
}

/// A search under way.
struct Search<'a> {
    equations: Equations<'a>,
    region: &'a Region,
    /// How wide the box is.
    sizes: Vec<f64>,
    found: Pruned,
    /// Parts that were not looked at, each with its share of the box.
    waiting: Vec<(Vec<Interval>, f64)>,
}

impl Search<'_> {
    fn take_hints(&mut self) {
        for hint in &self.region.hints {
            if self.is_over() {
                return;
            }
            if !self.is_known(hint) {
                let near = self.equations.proved_near(hint, &self.sizes, &mut self.found.work);
                self.found.take(near);
            }
        }
    }

    fn is_over(&self) -> bool {
        let Pruned { parts, work, undecided, .. } = &self.found;
        *parts >= self.region.most || *work >= self.region.work || undecided.len() >= self.region.most_narrow
    }

    /// Whether a point lies where one solution is the only one.
    fn is_known(&self, point: &[f64]) -> bool {
        self.found.solutions.iter().any(|one| is_in(point, &one.only))
    }

    /// Whether all of a part does.
    fn is_done(&self, part: &[Interval]) -> bool {
        let holds = |one: &Solution| part.iter().zip(&one.only).all(|(x, only)| x.is_in(*only));
        self.found.solutions.iter().any(holds)
    }

    /// Looks at a part; two smaller ones if it is not decided.
    fn left_of(&mut self, part: Vec<Interval>) -> Option<(Vec<Interval>, Vec<Interval>)> {
        if self.is_done(&part) {
            return None;
        }
        let (part, slopes) = match self.equations.contracted(part, &self.sizes, &mut self.found.work) {
            Part::Empty => return None,
            Part::One(part) => {
                let only = self.equations.narrowed(part, &mut self.found.work);
                self.found.take(only);
                return None;
            }
            Part::Left(part, slopes) => (part, slopes),
        };
        let widest = part.iter().zip(&self.sizes).map(|(x, size)| x.width() / size).fold(0.0, f64::max);
        if widest < 0.05
            && let Some(point) = self.equations.newton(&part)
            && !self.is_known(&point)
        {
            let near = self.equations.proved_near(&point, &self.sizes, &mut self.found.work);
            self.found.take(near);
        }
        if widest <= self.region.narrow {
            if !self.is_done(&part) {
                self.found.undecided.push(part);
            }
            return None;
        }
        let (part, hole) = self.equations.sliced(part, &self.sizes, &mut self.found.work)?;
        Some(match hole {
            Some(hole) => hole.cut(part),
            None => cut(part, &slopes, &self.sizes, self.region.narrow),
        })
    }
}

/// Where in a part nothing is: between two numbers of one unknown.
struct Hole {
    unknown: usize,
    between: Interval,
    /// How wide it is, relative to the box.
    share: f64,
}

impl Hole {
    /// What is on both sides of it.
    fn cut(&self, part: Vec<Interval>) -> (Vec<Interval>, Vec<Interval>) {
        let (mut one, mut other) = (part.clone(), part);
        one[self.unknown].high = self.between.low;
        other[self.unknown].low = self.between.high;
        (one, other)
    }
}

fn is_in(point: &[f64], part: &[Interval]) -> bool {
    point.iter().zip(part).all(|(&x, part)| part.contains(x))
}

impl Equations<'_> {
    /// The values over a box.
    pub fn values<R: Real>(&self, at: &[R], known: impl Fn(Interval) -> R) -> Vec<R> {
        let mut memory = self.tape.memory::<R>();
        self.known.iter().for_each(|&(input, value)| self.tape.put(&mut memory, input, known(value)));
        self.unknown.iter().zip(at).for_each(|(&input, &value)| self.tape.put(&mut memory, input, value));
        self.tape.run(0, Switches::Free, &mut memory);
        self.tape.outputs(0).iter().map(|&slot| memory[slot as usize]).collect()
    }

    /// Values and slopes over a box.
    pub fn slopes(&self, part: &[Interval]) -> (Vec<Interval>, Vec<Vec<Interval>>) {
        match part.len() {
            0..=2 => self.along::<2>(part),
            3..=4 => self.along::<4>(part),
            _ => self.along::<8>(part),
        }
    }

    fn along<const L: usize>(&self, part: &[Interval]) -> (Vec<Interval>, Vec<Vec<Interval>>) {
        let mut values = Vec::new();
        let mut slopes: Vec<Vec<Interval>> = vec![Vec::with_capacity(part.len()); self.tape.outputs(0).len()];
        for begin in (0..part.len()).step_by(L) {
            let moving = |(k, &x): (usize, &Interval)| Tangent::<L>::moving(x, k.wrapping_sub(begin));
            let at: Vec<Tangent<L>> = part.iter().enumerate().map(moving).collect();
            let made = self.values(&at, |value| Tangent::moving(value, L));
            let lanes = (part.len() - begin).min(L);
            slopes.iter_mut().zip(&made).for_each(|(row, one)| row.extend(&one.along[..lanes]));
            values = made.iter().map(|one| one.value).collect();
        }
        (values, slopes)
    }

    /// (1) to (4), again while it helps.
    fn contracted(&self, mut part: Vec<Interval>, sizes: &[f64], work: &mut u64) -> Part {
        const ROUNDS: usize = 6;
        // in wider boxes (4) says nothing
        const WIDE: f64 = 0.2;
        let mut last = Vec::new();
        for _ in 0..ROUNDS {
            *work += self.cost() * (2 + part.len() as u64);
            // values alone cost much less than slopes
            if self.values(&part, |known| known).iter().any(|value| !value.contains(0.0)) {
                return Part::Empty;
            }
            let (_, slopes) = self.slopes(&part);
            let middle: Vec<f64> = part.iter().map(|x| x.middle()).collect();
            let at: Vec<Interval> = middle.iter().map(|&x| Interval::point(x)).collect();
            let there = self.values(&at, |known| known);
            let before = part.clone();
            if !there.iter().any(|value| value.is_empty()) {
                for (value, row) in there.iter().zip(&slopes) {
                    if !shrunk(&mut part, &middle, *value, row) {
                        return Part::Empty;
                    }
                }
                let is_wide = before.iter().zip(sizes).any(|(x, size)| x.width() > WIDE * size);
                match is_wide {
                    true => {}
                    false => match self.by_newton(&before, &mut part, &middle, &there, &slopes) {
                        Some(true) => return Part::One(part),
                        Some(false) => {}
                        None => return Part::Empty,
                    },
                }
            }
            last = slopes;
            let kept = part.iter().zip(&before).map(|(x, before)| x.width() / before.width().max(f64::MIN_POSITIVE));
            if kept.fold(1.0, f64::min) > 0.8 {
                break;
            }
        }
        Part::Left(part, last)
    }

    /// How many operations the values take.
    fn cost(&self) -> u64 {
        1 + self.tape.length(0) as u64
    }

    /// How many operations a step of Newton's method takes, in intervals and with an inverse.
    fn cost_of_newton(&self, n: usize) -> u64 {
        self.cost() * (2 + n as u64) + (n as u64).pow(3)
    }

    /// (1) slice by slice along every unknown that is wide: what is left of the part, and the widest hole in it; nothing if
    /// no slice is left.
    fn sliced(&self, mut part: Vec<Interval>, sizes: &[f64], work: &mut u64) -> Option<(Vec<Interval>, Option<Hole>)> {
        const SLICES: usize = 8;
        // narrower ones are left to (3) and (4)
        const WIDE: f64 = 0.05;
        let mut widest: Option<Hole> = None;
        for unknown in 0..part.len() {
            let all = part[unknown];
            if all.width() < WIDE * sizes[unknown] || !all.is_bounded() {
                continue;
            }
            let end = |k: usize| match k {
                0 => all.low,
                SLICES => all.high,
                _ => all.low + all.width() * (k as f64 / SLICES as f64),
            };
            let mut is_left = |k: usize| {
                part[unknown] = Interval::new(end(k), end(k + 1));
                self.values(&part, |known| known).iter().all(|value| value.contains(0.0))
            };
            let left: [bool; SLICES] = std::array::from_fn(&mut is_left);
            *work += self.cost() * SLICES as u64;
            let first = left.iter().position(|is_left| *is_left)?;
            let last = left.iter().rposition(|is_left| *is_left)?;
            part[unknown] = Interval::new(end(first), end(last + 1));
            let ends = (first..last).filter(|&k| left[k] && !left[k + 1]).map(|k| k + 1);
            let holes = ends.filter_map(|begin| Some((begin, begin + left[begin..].iter().position(|one| *one)?)));
            if let Some((begin, until)) = holes.max_by_key(|(begin, until)| until - begin) {
                let between = Interval::new(end(begin), end(until));
                let share = between.width() / sizes[unknown];
                if widest.as_ref().is_none_or(|hole| hole.share < share) {
                    widest = Some(Hole { unknown, between, share });
                }
            }
        }
        Some((part, widest))
    }

    /// (4) for a box and its slopes: `None` if there is no solution in it, true if there is one and only one.
    fn by_newton(
        &self,
        whole: &[Interval],
        part: &mut [Interval],
        middle: &[f64],
        there: &[Interval],
        slopes: &[Vec<Interval>],
    ) -> Option<bool> {
        let n = part.len();
        if slopes.iter().flatten().any(|slope| !slope.is_bounded()) {
            return Some(false);
        }
        let Some(inverse) = inverse(slopes) else { return Some(false) };
        let combined = |weights: &[f64], list: &dyn Fn(usize) -> Interval| {
            weights.iter().enumerate().fold(Interval::point(0.0), |sum, (i, &weight)| match weight == 0.0 {
                true => sum,
                false => sum.add(Interval::point(weight).mul(list(i))),
            })
        };
        let mut is_one = true;
        for (j, weights) in inverse.iter().enumerate() {
            let value = combined(weights, &|i| there[i]);
            let row: Vec<Interval> = (0..n).map(|k| combined(weights, &|i| slopes[i][k])).collect();
            if row[j].contains(0.0) || !row[j].is_bounded() {
                is_one = false;
                continue;
            }
            // over the whole box, for the proof; over what is left of it, to shrink
            let over = |all: &[Interval]| {
                let others = (0..n)
                    .filter(|&k| k != j)
                    .fold(value, |sum, k| sum.add(row[k].mul(all[k].sub(Interval::point(middle[k])))));
                Interval::point(middle[j]).sub(others.divided(row[j])[0])
            };
            is_one &= over(whole).is_inside(whole[j]);
            part[j] = part[j].and(over(part));
            if part[j].is_empty() {
                return None;
            }
        }
        Some(is_one)
    }

    /// The solution in a box that has one, as narrow as rounding allows.
    fn narrowed(&self, only: Vec<Interval>, work: &mut u64) -> Option<Solution> {
        let mut at = only.clone();
        for _ in 0..60 {
            *work += self.cost_of_newton(at.len());
            let (_, slopes) = self.slopes(&at);
            let middle: Vec<f64> = at.iter().map(|x| x.middle()).collect();
            let points: Vec<Interval> = middle.iter().map(|&x| Interval::point(x)).collect();
            let there = self.values(&points, |known| known);
            let before = at.clone();
            self.by_newton(&before, &mut at, &middle, &there, &slopes)?;
            let is_still = at.iter().zip(&before).all(|(x, before)| x.width() > 0.9 * before.width());
            if is_still {
                break;
            }
        }
        Some(Solution { at, only })
    }

    /// A solution near a point, proved, with a box as wide as can be.
    fn proved_near(&self, point: &[f64], sizes: &[f64], work: &mut u64) -> Option<Solution> {
        let start: Vec<Interval> = point.iter().zip(sizes).map(|(&x, size)| Interval::around(x, 1e-3 * size)).collect();
        let point = self.newton(&start).unwrap_or_else(|| point.to_vec());
        let proved = |radius: f64| {
            let whole: Vec<Interval> =
                point.iter().zip(sizes).map(|(&x, size)| Interval::around(x, radius * size)).collect();
            let (_, slopes) = self.slopes(&whole);
            let at: Vec<Interval> = point.iter().map(|&x| Interval::point(x)).collect();
            let there = self.values(&at, |known| known);
            let mut part = whole.clone();
            (self.by_newton(&whole, &mut part, &point, &there, &slopes) == Some(true)).then_some(whole)
        };
        let mut radius = 1e-10;
        let mut only = None;
        while radius < 0.5 {
            *work += self.cost_of_newton(point.len());
            match proved(radius) {
                Some(whole) => only = Some(whole),
                None if only.is_some() => break,
                None => {}
            }
            radius *= 3.0;
        }
        self.narrowed(only?, work)
    }

    /// Newton's method in floats from the middle of a box; nothing if it goes far away.
    fn newton(&self, part: &[Interval]) -> Option<Vec<f64>> {
        let mut x: Vec<f64> = part.iter().map(|x| x.middle()).collect();
        let reach: Vec<f64> = part.iter().map(|x| 2.0 * x.width()).collect();
        let first = x.clone();
        for _ in 0..25 {
            let at: Vec<Interval> = x.iter().map(|&x| Interval::point(x)).collect();
            let (values, slopes) = self.slopes(&at);
            let right: Vec<f64> = values.iter().map(|value| value.middle()).collect();
            let step = linear::solve(middle(&slopes), &right).ok()?;
            x.iter_mut().zip(&step).for_each(|(x, step)| *x -= step);
            if x.iter().zip(&first).zip(&reach).any(|((x, first), reach)| (x - first).abs() > *reach) {
                return None;
            }
            let is_there = step.iter().zip(&x).all(|(step, x)| step.abs() <= 4.0 * f64::EPSILON * x.abs().max(1e-3));
            if is_there {
                break;
            }
        }
        Some(x)
    }
}

/// Two parts: cut where the equations change most, relative to what each of them changes in all; what stands in many
/// equations counts more, since others follow from it.
fn cut(part: Vec<Interval>, slopes: &[Vec<Interval>], sizes: &[f64], narrow: f64) -> (Vec<Interval>, Vec<Interval>) {
    // not in the middle: solutions like to lie there
    const PLACE: f64 = 0.4837;
    let is_wide = |j: &usize| part[*j].width() > narrow * sizes[*j];
    let weight = |j: usize| -> f64 {
        let of_row = |row: &Vec<Interval>| {
            let change = |k: usize| (row[k].size() * part[k].width()).min(1e300);
            let all: f64 = (0..part.len()).map(change).sum();
            if all > 0.0 && all.is_finite() { change(j) / all } else { 0.0 }
        };
        let width = part[j].width() / sizes[j];
        let rows = slopes.iter().filter(|row| row[j] != Interval::point(0.0)).count();
        (slopes.iter().map(of_row).sum::<f64>() + 0.01) * rows.max(1) as f64 * width.sqrt()
    };
    let wide: Vec<usize> = (0..part.len()).filter(is_wide).collect();
    let place = wide.into_iter().max_by(|&i, &j| weight(i).total_cmp(&weight(j))).unwrap_or(0);
    let Interval { low, high } = part[place];
    let at = low + PLACE * (high - low);
    let (mut one, mut other) = (part.clone(), part);
    one[place].high = at;
    other[place].low = at;
    (one, other)
}

/// (2) and (3) by one equation; false if nothing is left.
fn shrunk(part: &mut [Interval], middle: &[f64], value: Interval, row: &[Interval]) -> bool {
    let terms: Vec<Interval> =
        row.iter().enumerate().map(|(k, slope)| slope.mul(part[k].sub(Interval::point(middle[k])))).collect();
    let all = terms.iter().fold(value, |sum, term| sum.add(*term));
    if !all.contains(0.0) {
        return false;
    }
    for j in 0..part.len() {
        if row[j] == Interval::point(0.0) || !row[j].is_bounded() {
            continue;
        }
        let others = terms.iter().enumerate().filter(|(k, _)| *k != j).fold(value, |sum, (_, term)| sum.add(*term));
        let pieces = others.divided(row[j]).map(|quotient| match quotient.is_empty() {
            true => Interval::NONE,
            false => part[j].and(Interval::point(middle[j]).sub(quotient)),
        });
        part[j] = match pieces.map(Interval::is_empty) {
            [true, true] => return false,
            [false, true] => pieces[0],
            [true, false] => pieces[1],
            [false, false] => pieces[0].hull(pieces[1]),
        };
    }
    true
}

/// The inverse of the middle of a matrix.
fn inverse(slopes: &[Vec<Interval>]) -> Option<Matrix> {
    let middle = middle(slopes);
    if middle.is_square() { linear::inverse(middle).ok() } else { None }
}

/// The middles of slopes.
fn middle(slopes: &[Vec<Interval>]) -> Matrix {
    let width = slopes.first().map_or(0, Vec::len);
    Matrix::from_fn(slopes.len(), width, |i, j| slopes[i][j].middle())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(texts: &[&str], within: &[(f64, f64)]) -> Pruned {
        let _scope = expr::Scope::enter();
        let names = ["x", "y", "z", "u", "v", "w", "a"];
        let symbols: Vec<expr::Expr> = names[..within.len()].iter().map(|name| expr::parameter(name)).collect();
        let list: Vec<expr::Expr> = texts.iter().map(|text| expr::parse(text).unwrap()).collect();
        let tape = Tape::new(&symbols, &[], &[], &[list]).unwrap();
        let unknown: Vec<usize> = (0..within.len()).collect();
        let equations = Equations { tape: &tape, known: &[], unknown: &unknown };
        let region = Region {
            within: within.iter().map(|&(low, high)| Interval::new(low, high)).collect(),
            narrow: 1e-7,
            most: 100_000,
            work: 100_000_000,
            most_narrow: 200,
            hints: Vec::new(),
        };
        prune(equations, &region, &mut |_| true)
    }

    fn points(found: &Pruned) -> Vec<Vec<f64>> {
        let mut list: Vec<Vec<f64>> = found
            .solutions
            .iter()
            .map(|one| one.at.iter().map(|x| (x.middle() * 1e9).round() / 1e9 + 0.0).collect())
            .collect();
        list.sort_by(|a: &Vec<f64>, b| a.partial_cmp(b).unwrap());
        list
    }

    #[test]
    fn all_roots_of_a_polynomial_are_found() {
        let roots = found(&["(x - 1)*(x + 2)*(x - 1/2)"], &[(-4.1, 3.3)]);
        assert!(roots.is_complete());
        assert_eq!(points(&roots), [[-2.0], [0.5], [1.0]]);
        assert!(roots.solutions.iter().all(|one| one.at[0].width() < 1e-13), "{:?}", roots.solutions);
    }

    #[test]
    fn a_circle_meets_a_wave() {
        let all = found(&["x^2 + y^2 - 4", "y - sin(3*x)"], &[(-3.0, 3.0), (-3.0, 3.0)]);
        assert!(all.is_complete(), "{:?}", all.undecided.len());
        assert_eq!(all.solutions.len(), 2);
        for point in points(&all) {
            assert!((point[1] - (3.0 * point[0]).sin()).abs() < 1e-8);
        }
    }

    #[test]
    fn where_nothing_vanishes_nothing_is_found() {
        let none = found(&["x^2 + y^2 + 1", "x - y"], &[(-9.0, 9.0), (-9.0, 9.0)]);
        assert!(none.is_complete() && none.solutions.is_empty());
    }

    #[test]
    fn a_double_root_stays_undecided() {
        let double = found(&["(x - 1/3)^2"], &[(-1.0, 1.0)]);
        assert!(!double.is_complete() && double.solutions.is_empty());
        assert!(double.undecided.iter().any(|part| part[0].contains(1.0 / 3.0)));
        assert!(double.undecided.iter().all(|part| (part[0].middle() - 1.0 / 3.0).abs() < 1e-3));
    }

    #[test]
    fn a_family_stays_undecided() {
        let family = found(&["x*y", "x*(y + 1)"], &[(-1.0, 1.0), (-1.0, 1.0)]);
        assert!(!family.is_complete() && family.solutions.is_empty());
    }

    #[test]
    fn a_corner_is_never_proved() {
        let corner = found(&["abs(x - 1/7)"], &[(-1.0, 1.0)]);
        assert!(corner.solutions.is_empty() && !corner.is_complete());
    }

    #[test]
    fn somebody_who_says_stop_is_heard() {
        let _scope = expr::Scope::enter();
        let x = expr::parameter("x");
        let tape = Tape::new(&[x], &[], &[], &[vec![x.sin()]]).unwrap();
        let equations = Equations { tape: &tape, known: &[], unknown: &[0] };
        let within = vec![Interval::new(-50.0, 50.0)];
        let region =
            Region { within, narrow: 1e-9, most: 100_000, work: 100_000_000, most_narrow: 10, hints: Vec::new() };
        let stopped = prune(equations, &region, &mut |_| false);
        assert!(!stopped.is_finished && stopped.parts == 0);
        let all = prune(equations, &region, &mut |_| true);
        assert_eq!((all.is_complete(), all.solutions.len()), (true, 31));
    }

    /// A chain of n rods between two supports: λ sin a_k = (μ − k) cos a_k, the ends 0.65 n apart; λ = x, μ = y.
    fn chain(n: usize) -> Pruned {
        let angles = ["z", "u", "v", "w", "a"];
        let mut texts: Vec<String> = (0..n).map(|k| format!("x*sin({0}) - (y - {k})*cos({0})", angles[k])).collect();
        let sum = |f: &str| angles[..n].iter().map(|a| format!("{f}({a})")).collect::<Vec<_>>().join(" + ");
        texts.push(format!("{} - 0.65*{n}", sum("cos")));
        texts.push(sum("sin"));
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let turn = (-2.9, 2.9 + 0.5);
        found(&texts, &[vec![(-4.0, 4.1), (-4.0, 8.1)], vec![turn; n]].concat())
    }

    #[test]
    fn angles_that_follow_up_to_half_a_turn_cost_no_more_than_their_sides() {
        let three = chain(3);
        let five = chain(5);
        for (one, n) in [(&three, 3), (&five, 5)] {
            assert!(one.is_complete() && one.solutions.len() >= 2, "{n} rods: {} undecided", one.undecided.len());
            for at in points(one) {
                let reach: f64 = at[2..].iter().map(|a| a.cos()).sum();
                assert!((reach - 0.65 * n as f64).abs() < 1e-7, "{at:?}");
            }
        }
        // cut without looking for holes, each angle would double the parts several times
        assert!(five.parts < 4_000, "{} parts", five.parts);
    }

    #[test]
    fn no_more_work_is_done_than_allowed_and_what_is_left_is_told() {
        let _scope = expr::Scope::enter();
        let x = expr::parameter("x");
        let tape = Tape::new(&[x], &[], &[], &[vec![x.sin()]]).unwrap();
        let equations = Equations { tape: &tape, known: &[], unknown: &[0] };
        let within = vec![Interval::new(-50.0, 50.0)];
        let region = Region { within, narrow: 1e-9, most: 100_000, work: 500, most_narrow: 10, hints: Vec::new() };
        let some = prune(equations, &region, &mut |_| true);
        assert!(!some.is_finished && !some.undecided.is_empty() && some.work < 1_000, "{}", some.work);
    }
}

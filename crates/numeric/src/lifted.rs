//! How is a system solved whose matrix is dense, but made of parts that each know few others?
//!
//! ```text
//! stationary  ½ xᵀ H x − gᵀ x        over unknowns x_u and parts x_p                                       (1)
//! part        x_p = Σ c_pj x_j + r_p put into (1) when no part is written by p any more                     (2)
//! unknown     x_s = (g_s − Σ H_sj x_j)/H_ss, put into (1) when no part is written by s any more             (3)
//! multiplier  a row of (1) with nothing on its diagonal: by (3) when all that it was coupled to are gone
//! ```
//!
//! Velocities of points and frames are such parts: written by few others, and by few unknowns. An unknown goes as soon as it
//! may, the one that couples fewest first; else the part that is farthest from those that no part is below, so that what hangs
//! on a point is gone before the point itself. The order is found once; what is left is a straight line, of O(n) operations for a chain
//! or a tree. Its pivots are those of L D Lᵀ in the same order, so that they are positive where the matrix of the unknowns
//! is; each is compared with the sum of what was added to it. Where one is not, (2) alone gives the dense system.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use expr::Expr;
use linear::tolerance::POSITIVE;

use crate::real::Real;

/// A system as (1), in expressions. Places: unknowns, then multipliers, then parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Lifted {
    /// How many of the unknowns are no multipliers; those come after them.
    pub free: usize,
    /// H, each pair of places once, the smaller first.
    pub matrix: Vec<(usize, usize, Expr)>,
    /// g.
    pub right: Vec<(usize, Expr)>,
    /// The parts, each written by what comes before it (2).
    pub parts: Vec<Part>,
}

/// A part (2).
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Places and coefficients c.
    pub by: Vec<(usize, Expr)>,
    /// r.
    pub rest: Expr,
}

impl Lifted {
    /// The numbers that it needs, in their order.
    pub(crate) fn entries(&self) -> Vec<Expr> {
        let values = self.matrix.iter().map(|one| one.2).chain(self.right.iter().map(|one| one.1));
        values.chain(self.parts.iter().flat_map(|part| part.by.iter().map(|one| one.1).chain([part.rest]))).collect()
    }

    /// How many operations solve it; nothing where an unknown has no pivot in this order, whatever the numbers are.
    pub fn length(&self, unknowns: usize) -> Option<usize> {
        let plan = Plan::of(self, unknowns);
        (!plan.is_stuck).then_some(plan.steps.len())
    }
}

/// A number of the straight line: entries come first, then what the steps make.
pub(crate) type Made = u32;

/// What a step makes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    Add(Made, Made),
    Sub(Made, Made),
    Mul(Made, Made),
    Negative(Made),
    Reciprocal(Made),
}

/// A factor that may be known to be one.
#[derive(Clone, Copy, Debug)]
enum Factor {
    One,
    Made(Made),
}

/// The straight line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    entries: usize,
    pub steps: Vec<Step>,
    /// Whether an unknown has no pivot.
    is_stuck: bool,
    /// Pivots that must be positive, and what each is compared with.
    pub pivots: Vec<(Made, Made)>,
    /// The solution; nothing is zero.
    pub solution: Vec<Option<Made>>,
    /// The shape, for the dense system.
    free: usize,
    matrix: Vec<(usize, usize)>,
    right: Vec<usize>,
    parts: Vec<Vec<usize>>,
}

impl Plan {
    pub fn of(lifted: &Lifted, unknowns: usize) -> Plan {
        let shape = Plan {
            entries: lifted.entries().len(),
            steps: Vec::new(),
            is_stuck: false,
            pivots: Vec::new(),
            solution: Vec::new(),
            free: lifted.free,
            matrix: lifted.matrix.iter().map(|&(i, j, _)| (i, j)).collect(),
            right: lifted.right.iter().map(|one| one.0).collect(),
            parts: lifted.parts.iter().map(|part| part.by.iter().map(|one| one.0).collect()).collect(),
        };
        Planner::new(lifted, unknowns, shape).planned()
    }

    /// The solution, given the entries; nothing where a pivot is not positive or a number not finite.
    pub fn solve(&self, entry: impl Fn(usize) -> f64, work: &mut Vec<f64>, to: &mut Vec<f64>) -> bool {
        work.clear();
        work.extend((0..self.entries).map(entry));
        for &step in &self.steps {
            let at = |made: Made| work[made as usize];
            let made = match step {
                Step::Add(a, b) => at(a) + at(b),
                Step::Sub(a, b) => at(a) - at(b),
                Step::Mul(a, b) => at(a) * at(b),
                Step::Negative(a) => -at(a),
                Step::Reciprocal(a) => 1.0 / at(a),
            };
            work.push(made);
        }
        let at = |made: Made| work[made as usize];
        to.clear();
        to.extend(self.solution.iter().map(|made| made.map_or(0.0, at)));
        self.pivots.iter().all(|&(pivot, size)| POSITIVE.ratio() * at(size) < at(pivot))
            && to.iter().all(|x| x.is_finite())
    }

    /// The dense system, matrix and right-hand side, by (2) alone.
    pub fn dense<R: Real>(&self, entry: impl Fn(usize) -> R) -> (Vec<R>, Vec<R>) {
        let (size, zero) = (self.solution.len(), R::float(0.0));
        let mut rows: Vec<BTreeMap<usize, R>> = vec![BTreeMap::new(); size + self.parts.len()];
        let mut right = vec![zero; rows.len()];
        let mut next = 0..;
        let mut read = || entry(next.next().unwrap_or(0));
        let add = |rows: &mut Vec<BTreeMap<usize, R>>, i: usize, j: usize, x: R| {
            for (i, j) in [(i, j), (j, i)].into_iter().take(if i == j { 1 } else { 2 }) {
                let sum = rows[i].get(&j).map_or(x, |&sum| sum.add(x));
                rows[i].insert(j, sum);
            }
        };
        for &(i, j) in &self.matrix {
            add(&mut rows, i, j, read());
        }
        for &i in &self.right {
            right[i] = right[i].add(read());
        }
        let mut parts: Vec<(Vec<(usize, R)>, R)> = Vec::with_capacity(self.parts.len());
        for by in &self.parts {
            let by = by.iter().map(|&j| (j, read())).collect();
            parts.push((by, read()));
        }
        for (p, (by, rest)) in parts.into_iter().enumerate().rev() {
            let p = size + p;
            let row = std::mem::take(&mut rows[p]);
            let own = row.get(&p).copied().unwrap_or(zero);
            let pull = right[p].sub(own.mul(rest));
            for (&k, &h) in row.iter().filter(|&(&k, _)| k != p) {
                rows[k].remove(&p);
                right[k] = right[k].sub(h.mul(rest));
                for &(j, c) in &by {
                    let term = c.mul(h);
                    // both halves meet on the diagonal
                    add(&mut rows, k, j, if k == j { term.add(term) } else { term });
                }
            }
            for (last, &(i, c)) in by.iter().enumerate() {
                right[i] = right[i].add(c.mul(pull));
                for &(j, other) in &by[..=last] {
                    add(&mut rows, i, j, c.mul(own).mul(other));
                }
            }
        }
        let matrix = (0..size * size).map(|k| rows[k / size].get(&(k % size)).copied().unwrap_or(zero)).collect();
        right.truncate(size);
        (matrix, right)
    }

    /// How many of the unknowns are no multipliers.
    pub fn free(&self) -> usize {
        self.free
    }
}

/// By what a part is written, and the rest where there is one.
type Written = (Vec<(usize, Factor)>, Option<Made>);

/// (1) while it gets smaller.
struct Planner {
    plan: Plan,
    unknowns: usize,
    /// H, row by row, each pair in both rows.
    rows: Vec<BTreeMap<usize, Made>>,
    right: Vec<Option<Made>>,
    /// What was added to the diagonal.
    sizes: Vec<Option<Made>>,
    parts: Vec<Written>,
    /// How far a part is from those that no part is below; unknowns are farther than all.
    levels: Vec<usize>,
    /// How many parts are written by a place.
    writes: Vec<usize>,
    /// To what a multiplier was coupled at first, how many of them are there.
    waits: Vec<usize>,
    coupled: Vec<Vec<usize>>,
    ready: BTreeSet<usize>,
}

/// What has gone, and by what it is found.
enum Gone {
    Part(usize),
    Unknown { place: usize, value: Option<Made>, by: Vec<(usize, Made)> },
}

impl Planner {
    fn new(lifted: &Lifted, unknowns: usize, plan: Plan) -> Planner {
        let count = unknowns + lifted.parts.len();
        let mut made = Planner {
            plan,
            unknowns,
            rows: vec![BTreeMap::new(); count],
            right: vec![None; count],
            sizes: vec![None; count],
            parts: Vec::with_capacity(lifted.parts.len()),
            levels: vec![usize::MAX; unknowns],
            writes: vec![0; count],
            waits: vec![0; count],
            coupled: vec![Vec::new(); count],
            ready: BTreeSet::new(),
        };
        let mut next = 0..;
        let mut read = || next.next().unwrap_or(0);
        for &(i, j, _) in &lifted.matrix {
            let entry = read();
            made.rows[i].insert(j, entry);
            made.rows[j].insert(i, entry);
            if i == j {
                made.sizes[i] = Some(entry);
            }
            for (row, other) in [(i, j), (j, i)] {
                if (lifted.free..unknowns).contains(&row) && row != other {
                    made.waits[row] += 1;
                    made.coupled[other].push(row);
                }
            }
        }
        for &(i, _) in &lifted.right {
            made.right[i] = Some(read());
        }
        for part in &lifted.parts {
            let mut by = Vec::with_capacity(part.by.len());
            for &(j, c) in &part.by {
                let entry = read();
                made.writes[j] += 1;
                by.push((j, if c == Expr::one() { Factor::One } else { Factor::Made(entry) }));
            }
            let below = part.by.iter().filter(|one| one.0 >= unknowns).map(|one| made.levels[one.0] + 1);
            made.levels.push(below.max().unwrap_or(0));
            let entry = read();
            made.parts.push((by, (part.rest != Expr::zero()).then_some(entry)));
        }
        made.ready = (0..count).filter(|&place| made.is_ready(place)).collect();
        made
    }

    fn is_ready(&self, place: usize) -> bool {
        self.writes[place] == 0 && self.waits[place] == 0
    }

    fn push(&mut self, step: Step) -> Made {
        self.plan.steps.push(step);
        (self.plan.entries + self.plan.steps.len() - 1) as Made
    }

    fn times(&mut self, factor: Factor, a: Made) -> Made {
        match factor {
            Factor::One => a,
            Factor::Made(c) => self.push(Step::Mul(c, a)),
        }
    }

    fn plus(&mut self, sum: Option<Made>, a: Made) -> Made {
        match sum {
            Some(sum) => self.push(Step::Add(sum, a)),
            None => a,
        }
    }

    fn less(&mut self, sum: Option<Made>, a: Made) -> Made {
        match sum {
            Some(sum) => self.push(Step::Sub(sum, a)),
            None => self.push(Step::Negative(a)),
        }
    }

    fn add(&mut self, i: usize, j: usize, a: Made) {
        let sum = self.plus(self.rows[i].get(&j).copied(), a);
        self.rows[i].insert(j, sum);
        self.rows[j].insert(i, sum);
    }

    fn planned(mut self) -> Plan {
        let mut gone = Vec::with_capacity(self.rows.len());
        let key = |made: &Planner, place: usize| (Reverse(made.levels[place]), made.degree(place), Reverse(place));
        while let Some(&place) = self.ready.iter().min_by_key(|&&place| key(&self, place)) {
            self.ready.remove(&place);
            let one = if place < self.unknowns { self.unknown(place) } else { self.part(place) };
            gone.push(one);
            for row in std::mem::take(&mut self.coupled[place]) {
                self.waits[row] -= 1;
                self.get_ready(row);
            }
        }
        let mut found: Vec<Option<Made>> = vec![None; self.rows.len()];
        for one in gone.into_iter().rev() {
            match one {
                Gone::Part(place) => {
                    let (by, rest) = self.parts[place - self.unknowns].clone();
                    let mut sum = rest;
                    for (j, c) in by {
                        if let Some(x) = found[j] {
                            let term = self.times(c, x);
                            sum = Some(self.plus(sum, term));
                        }
                    }
                    found[place] = sum;
                }
                Gone::Unknown { place, value, by } => {
                    let mut sum = value;
                    for (j, l) in by {
                        if let Some(x) = found[j] {
                            let term = self.push(Step::Mul(l, x));
                            sum = Some(self.less(sum, term));
                        }
                    }
                    found[place] = sum;
                }
            }
        }
        found.truncate(self.unknowns);
        self.plan.solution = found;
        self.plan
    }

    fn degree(&self, place: usize) -> usize {
        let own = self.rows[place].len();
        match place.checked_sub(self.unknowns) {
            Some(part) => own + self.parts[part].0.len(),
            None => own,
        }
    }

    fn get_ready(&mut self, place: usize) {
        if self.is_ready(place) {
            self.ready.insert(place);
        }
    }

    /// (2)
    fn part(&mut self, place: usize) -> Gone {
        let row = std::mem::take(&mut self.rows[place]);
        let (by, rest) = self.parts[place - self.unknowns].clone();
        let own = row.get(&place).copied();
        let mut pull = self.right[place];
        if let (Some(own), Some(rest)) = (own, rest) {
            let term = self.push(Step::Mul(own, rest));
            pull = Some(self.less(pull, term));
        }
        for (&k, &h) in row.iter().filter(|&(&k, _)| k != place) {
            self.rows[k].remove(&place);
            if let Some(rest) = rest {
                let term = self.push(Step::Mul(h, rest));
                self.right[k] = Some(self.less(self.right[k], term));
            }
            for &(j, c) in &by {
                let mut term = self.times(c, h);
                if k == j {
                    term = self.push(Step::Add(term, term));
                }
                self.add(k, j, term);
            }
        }
        for (i, &(to, c)) in by.iter().enumerate() {
            if let Some(pull) = pull {
                let term = self.times(c, pull);
                self.right[to] = Some(self.plus(self.right[to], term));
            }
            if let Some(own) = own {
                let scaled = self.times(c, own);
                for &(from, other) in &by[..=i] {
                    let term = self.times(other, scaled);
                    self.add(to, from, term);
                }
            }
            if let Some(size) = self.sizes[place] {
                let scaled = self.times(c, size);
                let term = self.times(c, scaled);
                self.sizes[to] = Some(self.plus(self.sizes[to], term));
            }
            self.writes[to] -= 1;
            self.get_ready(to);
        }
        Gone::Part(place)
    }

    /// (3)
    fn unknown(&mut self, place: usize) -> Gone {
        let row = std::mem::take(&mut self.rows[place]);
        let is_free = place < self.plan.free;
        let Some(&own) = row.get(&place) else {
            // nothing holds it: no pivot is positive then
            let none = self.push(Step::Sub(0, 0));
            self.plan.pivots.push((none, none));
            self.plan.is_stuck = true;
            for k in row.keys() {
                self.rows[*k].remove(&place);
            }
            return Gone::Unknown { place, value: None, by: Vec::new() };
        };
        let pivot = if is_free { own } else { self.push(Step::Negative(own)) };
        self.plan.pivots.push((pivot, self.sizes[place].unwrap_or(pivot)));
        let inverse = self.push(Step::Reciprocal(own));
        let by: Vec<(usize, Made)> = row.iter().filter(|&(&k, _)| k != place).map(|(&k, &h)| (k, h)).collect();
        let mut scaled = Vec::with_capacity(by.len());
        for &(k, h) in &by {
            self.rows[k].remove(&place);
            scaled.push((k, self.push(Step::Mul(h, inverse))));
        }
        for (i, &(to, l)) in scaled.iter().enumerate() {
            if let Some(g) = self.right[place] {
                let term = self.push(Step::Mul(l, g));
                self.right[to] = Some(self.less(self.right[to], term));
            }
            for &(from, h) in &by[..=i] {
                let term = self.push(Step::Mul(l, h));
                let sum = self.less(self.rows[to].get(&from).copied(), term);
                self.rows[to].insert(from, sum);
                self.rows[from].insert(to, sum);
                // a multiplier gets its pivot from unknowns, an unknown stiffness from multipliers
                let other_is_free = to < self.plan.free || to >= self.unknowns;
                if to == from && other_is_free != is_free {
                    let size = if is_free { term } else { self.push(Step::Negative(term)) };
                    self.sizes[to] = Some(self.plus(self.sizes[to], size));
                }
            }
        }
        let value = self.right[place].map(|g| self.push(Step::Mul(g, inverse)));
        Gone::Unknown { place, value, by: scaled }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Solve, Structure};
    use crate::system::{Linear, Trouble, entries};

    /// Numbers that are the same in every run.
    struct Draw(u64);

    impl Draw {
        fn below(&mut self, n: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 33) % n as u64) as usize
        }

        fn float(&mut self) -> f64 {
            self.below(2_000_001) as f64 * 1e-6 - 1.0
        }
    }

    fn same(a: &[f64], b: &[f64]) -> bool {
        let size = b.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9 * size)
    }

    /// Masses on a random tree: parts by earlier parts and by unknowns, some of them multipliers' rows; numbers apart.
    fn drawn(draw: &mut Draw) -> (Lifted, Vec<f64>, usize) {
        let (free, rows) = (2 + draw.below(8), draw.below(3).min(1 + draw.below(2)));
        let unknowns = free + rows;
        let mut numbers = Vec::new();
        let number = || expr::parameter("x");
        let mut lifted = Lifted { free, matrix: Vec::new(), right: Vec::new(), parts: Vec::new() };
        let count = free + draw.below(8);
        for place in 0..free {
            lifted.matrix.push((place, place, number()));
            numbers.push(0.1 + draw.float().abs());
            for row in free..unknowns {
                if draw.below(2) == 0 || (place + row) % 3 == 0 {
                    lifted.matrix.push((place, row, number()));
                    numbers.push(draw.float());
                }
            }
        }
        for part in 0..count {
            lifted.matrix.push((unknowns + part, unknowns + part, number()));
            numbers.push(0.5 + draw.float().abs());
            if part > 0 && draw.below(3) == 0 {
                lifted.matrix.push((unknowns + part - 1, unknowns + part, number()));
                numbers.push(0.3 * draw.float());
            }
        }
        for place in 0..unknowns + count {
            if draw.below(3) > 0 {
                lifted.right.push((place, number()));
                numbers.push(draw.float());
            }
        }
        for part in 0..count {
            let mut by = BTreeMap::new();
            if part > 0 {
                let unit = if draw.below(2) == 0 { Expr::one() } else { number() };
                by.insert(unknowns + draw.below(part), unit);
            }
            by.insert(draw.below(free), number());
            for &one in by.values() {
                numbers.push(if one == Expr::one() { 1.0 } else { 2.0 * draw.float() });
            }
            let rest = if draw.below(2) == 0 { Expr::zero() } else { number() };
            numbers.push(if rest == Expr::zero() { 0.0 } else { draw.float() });
            lifted.parts.push(Part { by: by.into_iter().collect(), rest });
        }
        (lifted, numbers, unknowns)
    }

    #[test]
    fn a_thousand_systems_have_the_solutions_of_their_dense_matrices() {
        // forget a term of the diagonal, or the second half of a pair, and this fails
        let _scope = expr::Scope::enter();
        let mut draw = Draw(5);
        let mut by_parts = 0;
        for round in 0..1000 {
            let (lifted, numbers, unknowns) = drawn(&mut draw);
            let plan = Plan::of(&lifted, unknowns);
            let entry = |k: usize| numbers[k];
            // the dense matrix by its definition: each unknown moved by one
            let value = |x: &[f64]| stationary(&lifted, unknowns, &numbers, x);
            let zero = value(&vec![0.0; unknowns]);
            let (matrix, right) = plan.dense(entry);
            for k in 0..unknowns {
                let unit: Vec<f64> = (0..unknowns).map(|i| f64::from(i == k)).collect();
                let column: Vec<f64> = value(&unit).iter().zip(&zero).map(|(a, b)| a - b).collect();
                let dense: Vec<f64> = (0..unknowns).map(|i| matrix[i * unknowns + k]).collect();
                assert!(same(&dense, &column), "round {round}: {dense:?} {column:?}");
            }
            assert!(same(&right, &zero.iter().map(|x| -x).collect::<Vec<_>>()), "round {round}");
            let mut found = Vec::new();
            let is_found = plan.solve(entry, &mut Vec::new(), &mut found);
            let wanted =
                linear::solve(linear::Matrix::from_fn(unknowns, unknowns, |i, j| matrix[i * unknowns + j]), &right);
            if let (true, Ok(wanted)) = (is_found, wanted) {
                by_parts += 1;
                assert!(same(&found, &wanted), "round {round}: {found:?} {wanted:?}");
            }
        }
        assert!(by_parts > 900, "{by_parts}");
    }

    /// The slopes of (1) along the unknowns, by the definition of the parts.
    fn stationary(lifted: &Lifted, unknowns: usize, numbers: &[f64], x: &[f64]) -> Vec<f64> {
        let count = unknowns + lifted.parts.len();
        let (mut next, mut x) = (lifted.matrix.len() + lifted.right.len(), x.to_vec());
        let mut ways: Vec<Vec<f64>> =
            (0..unknowns).map(|k| (0..unknowns).map(|i| f64::from(i == k)).collect()).collect();
        for part in &lifted.parts {
            let (mut sum, mut way) = (0.0, vec![0.0; unknowns]);
            for &(j, _) in &part.by {
                sum += numbers[next] * x[j];
                way.iter_mut().zip(&ways[j]).for_each(|(to, from)| *to += numbers[next] * from);
                next += 1;
            }
            x.push(sum + numbers[next]);
            ways.push(way);
            next += 1;
        }
        let mut pull = vec![0.0; count];
        for (&(i, j, _), h) in lifted.matrix.iter().zip(numbers) {
            pull[i] += h * x[j];
            if i != j {
                pull[j] += h * x[i];
            }
        }
        for (&(i, _), g) in lifted.right.iter().zip(&numbers[lifted.matrix.len()..]) {
            pull[i] -= g;
        }
        (0..unknowns).map(|k| pull.iter().zip(&ways).map(|(pull, way)| pull * way[k]).sum()).collect()
    }

    #[test]
    fn what_has_no_pivot_is_solved_densely_or_refused() {
        let _scope = expr::Scope::enter();
        let number = || expr::parameter("x");
        // two unknowns that move one mass, and nothing else: singular; with the second in a mass of its own it is not
        for (second, is_solved) in [(0.0, false), (1.0, true)] {
            let part = |by: &[usize]| Part { by: by.iter().map(|&j| (j, number())).collect(), rest: Expr::zero() };
            let lifted = Lifted {
                free: 2,
                matrix: vec![(2, 2, number()), (3, 3, number())],
                right: vec![(0, number())],
                parts: vec![part(&[0, 1]), part(&[1])],
            };
            let unknowns = vec![expr::parameter("a"), expr::parameter("b")];
            let structure = Structure::Lifted(Box::new(lifted));
            let solve = Solve { unknowns, matrix: Vec::new(), right: Vec::new(), structure };
            let mut linear = Linear::new(&solve, 0);
            // H, g, then coefficients and rest of both parts
            let numbers = [1.0, second, 3.0, 1.0, 1.0, 0.0, 1.0, 0.0];
            let found = linear.solve(|k| numbers[k], entries(&solve).len());
            match is_solved {
                true => assert_eq!((found.is_ok(), &linear.right[..]), (true, &[6.0, -3.0][..])),
                false => assert_eq!(found, Err(Trouble::Singular)),
            }
        }
    }
}

//! What values satisfy some equations, one level after the other? Newton's method on each connected part.
//!
//! ```text
//! J Δ = −f      for the solved unknowns, zero for the free ones; halved until |f| falls
//! ```
//!
//! Which unknowns are free is decided once for each part, at a generic point: the unknowns are tried as
//! solved ones from the last declared to the first, and those that are not needed are free. Where more
//! unknowns have a guess than are needed, all of them move, and as little as possible.

use expr::{Floats, Symbol};
use linear::basis::{Basis, Column};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Level;

/// An equation: its output must vanish.
pub(super) struct Row {
    pub output: usize,
    pub level: Level,
    /// Rows of smaller rank are respected first.
    pub rank: usize,
    /// Unknowns that only seem to occur in it.
    pub ghosts: Vec<usize>,
}

/// A coordinate or a rate.
pub(super) struct Unknown {
    pub symbol: Symbol,
    /// Its step in the program.
    pub step: usize,
    pub level: Level,
    pub is_given: bool,
    pub guess: Option<f64>,
}

/// The search for values.
pub(super) struct Solver<'a> {
    numbers: &'a Floats,
    /// The value of every step of the program.
    pub values: Vec<f64>,
    adjoints: Vec<f64>,
    rows: Vec<Row>,
    pub unknowns: Vec<Unknown>,
    /// The step of each unknown.
    steps: Vec<usize>,
    place_of_step: FxHashMap<usize, usize>,
    /// The value of each unknown.
    pub state: Vec<f64>,
    /// Which unknowns nothing fixes.
    pub zeroed: Vec<bool>,
    /// Which unknowns are known to a part of their digits only.
    pub vague: Vec<bool>,
    /// For each row, other rows that speak of the same.
    pub blamed: Vec<Vec<usize>>,
}

/// Unknowns and rows that hang together.
pub(super) struct Part {
    unknowns: Vec<usize>,
    rows: Vec<usize>,
    /// For each row, the steps that depend on unknowns, itself last.
    below: Vec<Vec<usize>>,
    /// All these steps.
    steps: Vec<usize>,
    /// The same with the steps that depend on what is known.
    whole: Vec<usize>,
}

/// The residual against the size of its row; infinite where the row has no value.
pub(super) fn relative(amount: f64, size: f64) -> f64 {
    let ratio = amount.abs() / size.max(f64::MIN_POSITIVE);
    if ratio.is_nan() { f64::INFINITY } else { ratio }
}

/// A slope that changes by more than half of itself when all values change by this, relative to their size, is noise.
const NOISE: f64 = 4e-15;

/// Residuals below this, against the size of their row, count as solved.
const SOLVED: f64 = 1e-11;

impl<'a> Solver<'a> {
    pub fn new(numbers: &'a Floats, values: Vec<f64>, rows: Vec<Row>, unknowns: Vec<Unknown>) -> Solver<'a> {
        let steps: Vec<usize> = unknowns.iter().map(|unknown| unknown.step).collect();
        let place_of_step = steps.iter().enumerate().map(|(place, &step)| (step, place)).collect();
        let state = vec![0.0; unknowns.len()];
        let zeroed = vec![false; unknowns.len()];
        let vague = zeroed.clone();
        let blamed = vec![Vec::new(); rows.len()];
        let adjoints = vec![0.0; numbers.len()];
        Solver { numbers, values, adjoints, rows, unknowns, steps, place_of_step, state, zeroed, vague, blamed }
    }

    /// Puts the state in its places and computes everything.
    pub fn run_all(&mut self) {
        for place in 0..self.unknowns.len() {
            self.values[self.steps[place]] = self.state[place];
        }
        self.numbers.run(0..self.numbers.len(), &mut self.values);
    }

    /// The unknowns that an output depends on.
    pub fn places_below(&self, output: usize) -> Vec<usize> {
        let steps = self.numbers.below(&[output], &|_| true);
        steps.iter().filter_map(|step| self.place_of_step.get(step).copied()).collect()
    }

    /// Finds first approximations that satisfy these outputs as well as possible.
    pub fn approximate(&mut self, outputs: &[usize]) {
        if outputs.is_empty() {
            return;
        }
        let places: Vec<usize> = (0..self.unknowns.len()).filter(|&place| !self.unknowns[place].is_given).collect();
        for &place in &places {
            self.put(place, self.unknowns[place].guess.unwrap_or(0.0));
        }
        let active = self.active(&places);
        let below: Vec<Vec<usize>> = outputs.iter().map(|&o| self.numbers.below(&[o], &|step| active[step])).collect();
        let below: Vec<Vec<usize>> = below.into_iter().filter(|steps| !steps.is_empty()).collect();
        let part = self.part(vec![], below);
        let places = part.unknowns.clone();
        self.numbers.run(0..self.numbers.len(), &mut self.values);
        self.least_squares(&part, &places);
        for place in places {
            self.unknowns[place].guess.get_or_insert(self.state[place]);
        }
    }

    /// Solves the rows of a level for its unknowns; without numbers it only decides which are free.
    pub fn solve(&mut self, level: Level, has_numbers: bool) {
        let is_open = |unknown: &Unknown| unknown.level == level && !unknown.is_given;
        let places: Vec<usize> = (0..self.unknowns.len()).filter(|&place| is_open(&self.unknowns[place])).collect();
        for &place in &places {
            self.state[place] = 0.0;
            self.zeroed[place] = true;
        }
        self.run_all();
        for part in self.parts(level, &places) {
            self.solve_part(&part, has_numbers);
        }
        self.run_all();
    }

    fn active(&self, places: &[usize]) -> Vec<bool> {
        let open: FxHashSet<&Symbol> = places.iter().map(|&place| &self.unknowns[place].symbol).collect();
        let bits = self.numbers.spread(|symbol| u8::from(open.contains(symbol)));
        bits.into_iter().map(|bit| bit != 0).collect()
    }

    /// The connected parts of a level: rows that share unknowns.
    fn parts(&self, level: Level, places: &[usize]) -> Vec<Part> {
        let active = self.active(places);
        let mut leader: Vec<usize> = (0..self.unknowns.len()).collect();
        fn find(leader: &mut [usize], mut place: usize) -> usize {
            while leader[place] != place {
                leader[place] = leader[leader[place]];
                place = leader[place];
            }
            place
        }
        let mut rows = Vec::new();
        for (row, equation) in self.rows.iter().enumerate() {
            if equation.level != level || !active[equation.output] {
                continue;
            }
            let below = self.numbers.below(&[equation.output], &|step| active[step]);
            let mut own = below.iter().filter_map(|step| self.place_of_step.get(step).copied());
            let Some(first) = own.next() else { continue };
            for other in own {
                let (a, b) = (find(&mut leader, first), find(&mut leader, other));
                leader[a] = b;
            }
            rows.push((row, first, below));
        }
        let mut groups: Vec<(usize, Vec<usize>, Vec<Vec<usize>>)> = Vec::new();
        let mut index: FxHashMap<usize, usize> = FxHashMap::default();
        for (row, first, below) in rows {
            let group = find(&mut leader, first);
            let at = *index.entry(group).or_insert_with(|| {
                groups.push((group, Vec::new(), Vec::new()));
                groups.len() - 1
            });
            groups[at].1.push(row);
            groups[at].2.push(below);
        }
        groups.into_iter().map(|(_, rows, below)| self.part(rows, below)).collect()
    }

    fn part(&self, rows: Vec<usize>, below: Vec<Vec<usize>>) -> Part {
        let mut steps: Vec<usize> = below.iter().flatten().copied().collect();
        steps.sort_unstable();
        steps.dedup();
        let mut unknowns: Vec<usize> = steps.iter().filter_map(|step| self.place_of_step.get(step).copied()).collect();
        unknowns.sort_unstable();
        let roots: Vec<usize> = below.iter().filter_map(|steps| steps.last().copied()).collect();
        let whole = self.numbers.below(&roots, &|_| true);
        Part { unknowns, rows, below, steps, whole }
    }

    pub(super) fn put(&mut self, place: usize, value: f64) {
        self.state[place] = value;
        self.values[self.steps[place]] = value;
    }

    pub(super) fn run(&mut self, part: &Part) {
        self.numbers.run(part.steps.iter().copied(), &mut self.values);
    }

    /// The columns of the matrix for these unknowns, rows scaled to size one; and the scales.
    fn columns(&mut self, part: &Part, order: &[usize]) -> (Vec<Column>, Vec<f64>) {
        let mut place_in_order = FxHashMap::default();
        order.iter().enumerate().for_each(|(at, &place)| {
            place_in_order.insert(self.steps[place], at);
        });
        let mut columns: Vec<Column> = vec![Vec::new(); order.len()];
        let mut scales = Vec::with_capacity(part.below.len());
        let mut entries: Vec<(usize, f64)> = Vec::new();
        let shaken = [1.0, -1.0].map(|sign| self.shaken(part, sign * NOISE));
        let mut other = vec![0.0; self.adjoints.len()];
        for (row, below) in part.below.iter().enumerate() {
            self.numbers.gradient(below, &self.values, &mut self.adjoints);
            entries.clear();
            let ghosts = part.rows.get(row).map_or(&[][..], |&row| &self.rows[row].ghosts);
            let slopes = below.iter().filter_map(|step| Some((*place_in_order.get(step)?, self.adjoints[*step])));
            entries.extend(slopes.filter(|entry| entry.1 != 0.0 && !ghosts.contains(&order[entry.0])));
            for values in &shaken {
                self.numbers.gradient(below, values, &mut other);
                let step_of = |at: usize| self.steps[order[at]];
                entries.retain(|&(at, slope)| {
                    let change = other[step_of(at)] - slope;
                    !change.is_finite() || change.abs() <= 0.5 * slope.abs()
                });
            }
            let scale = entries.iter().fold(0.0f64, |scale, entry| scale.max(entry.1.abs()));
            let scale = if scale > 0.0 { scale } else { 1.0 };
            entries.iter().for_each(|&(at, slope)| columns[at].push((row, slope / scale)));
            scales.push(scale);
        }
        (columns, scales)
    }

    /// The values of the steps of a part where every symbol is changed a little.
    fn shaken(&self, part: &Part, change: f64) -> Vec<f64> {
        let mut values = self.values.clone();
        for (_, symbol, step) in self.numbers.symbols() {
            values[step] *= 1.0 + change * somewhere(0.5, 1.0, symbol);
        }
        self.numbers.run(part.whole.iter().copied(), &mut values);
        values
    }

    pub(super) fn output(&self, part: &Part, row: usize) -> f64 {
        part.below[row].last().map_or(0.0, |&step| self.values[step])
    }

    fn solve_part(&mut self, part: &Part, has_numbers: bool) {
        let order = self.order(part, None);
        let Some((solved, basis)) = self.choose(part, &order) else {
            return self.blame_all(part);
        };
        self.blame(part, &basis);
        // All unknowns with a guess may move, so that the state found is near the guess.
        let mut moving = solved.clone();
        let guessed = |place: &&usize| self.unknowns[**place].guess.is_some() && !solved.contains(*place);
        moving.extend(part.unknowns.iter().filter(guessed));
        for &place in &moving {
            self.zeroed[place] = false;
        }
        let plain = moving.len() == solved.len();
        if !has_numbers {
            return;
        }
        if plain && self.try_from_guesses(part, &solved, &basis.pivoted) {
            self.touch(part, &solved, &basis.pivoted);
            return self.sharpen(part, &moving);
        }
        if !plain && self.nearest(part, &moving) {
            return self.sharpen(part, &moving);
        }
        // A free unknown may not be zero: let each of them be solved for in turn.
        let free: Vec<usize> = part.unknowns.iter().copied().filter(|place| !moving.contains(place)).collect();
        for &first in free.iter().rev().take(20) {
            let order = self.order(part, Some(first));
            let Some((solved, basis)) = self.choose(part, &order) else { continue };
            if self.try_from_guesses(part, &solved, &basis.pivoted) {
                self.blame(part, &basis);
                part.unknowns.iter().for_each(|&place| self.zeroed[place] = !solved.contains(&place));
                return;
            }
        }
        if self.nearest(part, &part.unknowns) {
            part.unknowns.iter().for_each(|&place| self.zeroed[place] = false);
            return;
        }
        self.blame_all(part);
    }

    /// Solves once more where more rows than needed almost hold: of rows that are independent elsewhere, some may only touch
    /// here, and Newton's method finds such a place to half the digits. Here those are chosen that stand well.
    fn sharpen(&mut self, part: &Part, moving: &[usize]) {
        let before = self.worst(part);
        if before <= SOLVED || before.is_nan() {
            return;
        }
        let old: Vec<f64> = moving.iter().map(|&place| self.state[place]).collect();
        let (columns, _) = self.columns(part, moving);
        if columns.iter().flatten().all(|entry| entry.1.is_finite()) {
            let basis = Basis::new(&vec![1.0; part.below.len()], &columns, &self.ranks(part));
            let solved: Vec<usize> = basis.columns().map(|at| moving[at]).collect();
            self.newton(part, &solved, &basis.pivoted);
        }
        if self.worst(part) < before {
            return;
        }
        moving.iter().zip(&old).for_each(|(&place, &old)| self.put(place, old));
        self.run(part);
    }

    /// What is left of the rows, against their sizes, the largest.
    fn worst(&mut self, part: &Part) -> f64 {
        let felt = self.felt(part);
        let left = |(row, size): (usize, f64)| relative(self.output(part, row), size);
        felt.into_iter().enumerate().map(left).fold(0.0, f64::max)
    }

    /// The order in which unknowns are taken to be solved for: guesses first, then the last declared.
    fn order(&self, part: &Part, first: Option<usize>) -> Vec<usize> {
        let mut order = part.unknowns.clone();
        order.sort_by_key(|&place| {
            (Some(place) != first, self.unknowns[place].guess.is_none(), std::cmp::Reverse(place))
        });
        order
    }

    /// Which unknowns are solved for, decided at a generic point; `None` if the rows have no value near the guesses.
    fn choose(&mut self, part: &Part, order: &[usize]) -> Option<(Vec<usize>, Basis)> {
        let before: Vec<f64> = part.unknowns.iter().map(|&place| self.state[place]).collect();
        let mut reach = 1.0;
        let mut found = None;
        while found.is_none() && reach > 1e-4 {
            for &place in &part.unknowns {
                let near = self.unknowns[place].guess.unwrap_or(0.0);
                let offset = reach * somewhere(0.35, 0.95, &self.unknowns[place].symbol);
                self.put(place, near + offset);
            }
            self.run(part);
            let (columns, _) = self.columns(part, order);
            if columns.iter().flatten().all(|entry| entry.1.is_finite()) {
                found = Some(Basis::new(&vec![1.0; part.below.len()], &columns, &self.ranks(part)));
            }
            reach /= 2.0;
        }
        for (&place, value) in part.unknowns.iter().zip(before) {
            self.put(place, value);
        }
        self.run(part);
        let basis = found?;
        Some((basis.columns().map(|at| order[at]).collect(), basis))
    }

    fn blame(&mut self, part: &Part, basis: &Basis) {
        for (at, &row) in part.rows.iter().enumerate() {
            if !basis.pivoted[at] {
                self.blamed[row] = basis.combination(at).into_iter().map(|other| part.rows[other]).collect();
            }
        }
    }

    fn blame_all(&mut self, part: &Part) {
        for &row in &part.rows {
            self.blamed[row] = part.rows.iter().copied().filter(|&other| other != row).take(12).collect();
        }
    }

    /// Newton's method from the guesses, then from places near them.
    fn try_from_guesses(&mut self, part: &Part, solved: &[usize], kept: &[bool]) -> bool {
        for reach in [0.0, 1e-2, 0.3, 1.0, -1.0, 3.0] {
            for &place in &part.unknowns {
                let is_solved = solved.contains(&place);
                let near = self.unknowns[place].guess.filter(|_| is_solved).unwrap_or(0.0);
                let offset = if is_solved { reach * somewhere(0.35, 0.95, &self.unknowns[place].symbol) } else { 0.0 };
                self.put(place, near + offset);
            }
            self.run(part);
            if self.newton(part, solved, kept) {
                return true;
            }
        }
        false
    }

    /// Improves the solved unknowns as far as rounding lets; whether the kept rows hold then.
    fn newton(&mut self, part: &Part, solved: &[usize], kept: &[bool]) -> bool {
        let rank = self.ranks(part);
        let mut norm_scales: Option<Vec<f64>> = None;
        for _ in 0..80 {
            let (columns, scales) = self.columns(part, solved);
            let fixed = norm_scales.get_or_insert_with(|| scales.clone()).clone();
            let before = self.norm(part, kept, &fixed);
            if before == 0.0 || !before.is_finite() {
                break;
            }
            let columns: Vec<Column> =
                columns.into_iter().map(|column| column.into_iter().filter(|&(row, _)| kept[row]).collect()).collect();
            if !columns.iter().flatten().all(|entry| entry.1.is_finite()) {
                break;
            }
            let right: Vec<f64> = (0..part.below.len())
                .map(|row| if kept[row] { -self.output(part, row) / scales[row] } else { 0.0 })
                .collect();
            let basis = Basis::new(&vec![1.0; part.below.len()], &columns, &rank);
            let step = basis.solve(&right);
            if !self.take(part, solved, kept, &fixed, &step, before) {
                break;
            }
        }
        self.holds(part, kept)
    }

    /// Goes along a step, shortened until the rows become smaller; takes it back if they never do.
    fn take(
        &mut self,
        part: &Part,
        solved: &[usize],
        kept: &[bool],
        scales: &[f64],
        step: &[(usize, f64)],
        before: f64,
    ) -> bool {
        let old: Vec<f64> = step.iter().map(|&(at, _)| self.state[solved[at]]).collect();
        let mut length = 1.0;
        for _ in 0..14 {
            for (&(at, change), old) in step.iter().zip(&old) {
                self.put(solved[at], old + length * change);
            }
            self.run(part);
            if self.norm(part, kept, scales) < before {
                return true;
            }
            length /= 2.0;
        }
        for (&(at, _), old) in step.iter().zip(&old) {
            self.put(solved[at], *old);
        }
        self.run(part);
        false
    }

    fn norm(&self, part: &Part, kept: &[bool], scales: &[f64]) -> f64 {
        let square = |row: usize| (self.output(part, row) / scales[row]).powi(2);
        (0..part.below.len()).filter(|&row| kept[row]).map(square).sum::<f64>().sqrt()
    }

    /// Whether what is left of the kept rows is small against their sizes.
    fn holds(&self, part: &Part, kept: &[bool]) -> bool {
        let sizes = self.sizes(part);
        (0..sizes.len()).filter(|&row| kept[row]).all(|row| relative(self.output(part, row), sizes[row]) <= SOLVED)
    }

    /// The size of the terms of each row.
    pub(super) fn sizes(&self, part: &Part) -> Vec<f64> {
        let sizes = self.numbers.sizes(&self.values);
        part.below.iter().map(|below| below.last().map_or(0.0, |&step| sizes[step])).collect()
    }

    /// The same, and no less than what a row changes by where each unknown changes by its own size: beside sin(c) at c = π,
    /// which has no size, the rounding of c is felt.
    pub(super) fn felt(&mut self, part: &Part) -> Vec<f64> {
        let sizes = self.sizes(part);
        let mut felt = Vec::with_capacity(sizes.len());
        for (row, size) in sizes.into_iter().enumerate() {
            let slopes = self.slopes(part, row, &part.unknowns);
            let change = |(slope, &place): (&f64, &usize)| (slope * self.state[place]).abs();
            let all: f64 = slopes.iter().zip(&part.unknowns).map(change).filter(|x| x.is_finite()).sum();
            felt.push(size.max(all));
        }
        felt
    }

    /// The slopes of a row along some unknowns.
    pub(super) fn slopes(&mut self, part: &Part, row: usize, places: &[usize]) -> Vec<f64> {
        let below = &part.below[row];
        self.numbers.gradient(below, &self.values, &mut self.adjoints);
        let slope = |&place: &usize| match below.binary_search(&self.steps[place]) {
            Ok(_) => self.adjoints[self.steps[place]],
            Err(_) => 0.0,
        };
        places.iter().map(slope).collect()
    }

    /// A solution near the guesses for which all of `moving` may move, the others are zero.
    fn nearest(&mut self, part: &Part, moving: &[usize]) -> bool {
        for reach in [0.0, 1e-3] {
            for &place in &part.unknowns {
                let near = self.unknowns[place].guess.unwrap_or(0.0);
                let offset = reach * somewhere(0.35, 0.95, &self.unknowns[place].symbol);
                self.put(place, if moving.contains(&place) { near + offset } else { 0.0 });
            }
            self.run(part);
            self.least_squares(part, moving);
            let (columns, _) = self.columns(part, moving);
            let basis = Basis::new(&vec![1.0; part.below.len()], &columns, &self.ranks(part));
            let solved: Vec<usize> = basis.columns().map(|at| moving[at]).collect();
            if self.newton(part, &solved, &basis.pivoted) {
                self.touch(part, &solved, &basis.pivoted);
                return true;
            }
        }
        false
    }

    fn ranks(&self, part: &Part) -> Vec<usize> {
        part.rows.iter().map(|&row| self.rows[row].rank).collect()
    }

    /// Least squares by Levenberg and Marquardt: (JᵀJ + μ) Δ = −Jᵀf, with the shortest Δ as μ → 0.
    fn least_squares(&mut self, part: &Part, moving: &[usize]) {
        let kept = vec![true; part.below.len()];
        let mut damping = 1e-3;
        for _ in 0..200 {
            let (columns, scales) = self.columns(part, moving);
            let before = self.norm(part, &kept, &scales);
            if !(before > 1e-15 && damping < 1e12) {
                return;
            }
            let right: Vec<f64> = (0..part.below.len()).map(|row| -self.output(part, row) / scales[row]).collect();
            let step = shortest(&columns, &right, damping);
            let old: Vec<f64> = moving.iter().map(|&place| self.state[place]).collect();
            for ((&place, old), change) in moving.iter().zip(&old).zip(&step) {
                self.put(place, old + change);
            }
            self.run(part);
            let after = self.norm(part, &kept, &scales);
            if after < before {
                damping = (damping / 10.0).max(1e-15);
                if after > 0.999999 * before {
                    return;
                }
                continue;
            }
            moving.iter().zip(&old).for_each(|(&place, &old)| self.put(place, old));
            self.run(part);
            damping *= 10.0;
        }
    }
}

/// The solution of (JᵀJ + μ) x = Jᵀb by conjugate gradients.
fn shortest(columns: &[Column], right: &[f64], damping: f64) -> Vec<f64> {
    let across = |x: &[f64]| {
        let mut product = vec![0.0; right.len()];
        for (column, x) in columns.iter().zip(x) {
            column.iter().for_each(|&(row, value)| product[row] += value * x);
        }
        product
    };
    let back = |y: &[f64]| -> Vec<f64> {
        columns.iter().map(|column| column.iter().map(|&(row, value)| value * y[row]).sum()).collect()
    };
    let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
    let mut x = vec![0.0; columns.len()];
    let mut rest = back(right);
    let mut direction = rest.clone();
    let mut size = square(&rest);
    let enough = 1e-28 * size;
    for _ in 0..2 * columns.len() + 10 {
        if size <= enough || size.is_nan() {
            break;
        }
        let image = across(&direction);
        let step = size / (square(&image) + damping * square(&direction));
        let pulled = back(&image);
        for at in 0..x.len() {
            x[at] += step * direction[at];
            rest[at] -= step * (pulled[at] + damping * direction[at]);
        }
        let next = square(&rest);
        for at in 0..x.len() {
            direction[at] = rest[at] + next / size * direction[at];
        }
        size = next;
    }
    x
}

/// A number between two bounds that looks random: it depends on the symbol, and is the same in every run.
pub(super) fn somewhere(low: f64, high: f64, symbol: &Symbol) -> f64 {
    let fold = |word: u64, byte: u8| (word ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let mut word = symbol.name.bytes().fold(u64::from(symbol.order) + 1, fold);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let fraction = ((word ^ (word >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
    low + (high - low) * fraction
}

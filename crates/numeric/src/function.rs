//! A function of numbers made ready: values at one place or at many, and exact slopes.
//!
//! ```text
//! outputs(x, z)      z from linear systems M(x) z = b(x), one after the other                   (1)
//! M z' = b' − M' z   along a direction: the slope of (1), nothing is differenced                (2)
//! ```
//!
//! A function never changes: threads share it, each with its own [`Work`]. Many places run side by side in lanes, and give the
//! bits that they give one by one.

use std::sync::{Arc, OnceLock};

use expr::Expr;
use jit::WIDE;

use crate::compiled::{Route, Stop, room, straight};
use crate::problem::{Solve, Structure};
use crate::real::{Lanes, Real};
use crate::slope::Slope;
use crate::system::Trouble;
use crate::system::{Kind, Linear, entries};
use crate::tape::{Switches, Tape, Unbound};

/// So many places run side by side.
const LANES: usize = WIDE;
/// Slopes are found along so many directions at once.
pub(crate) const DIRECTIONS: usize = 8;

/// A function made ready.
#[derive(Clone)]
pub struct Function {
    tape: Tape,
    solves: Vec<Linear>,
    inputs: usize,
    outputs: usize,
    has_least: bool,
    /// Compiled for one place and for many, when they are first asked for; nothing where that cannot be.
    compiled: Arc<[OnceLock<Option<Compiled>>; 2]>,
}

enum Compiled {
    /// One line from the inputs to the outputs.
    Straight(jit::Code),
    /// Where systems are solved outside.
    Route(Route),
}

/// Some of the inputs at many places.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The numbers, those of one place after those of the other.
    pub numbers: &'a [f64],
    /// How many belong to a place.
    pub width: usize,
    /// How far the next place is: the width, or zero where all have the same.
    pub step: usize,
}

impl<'a> Part<'a> {
    /// Those of a place.
    pub fn at(&self, place: usize) -> &'a [f64] {
        &self.numbers[place * self.step..][..self.width]
    }
}

/// Room to compute a function in.
pub struct Work {
    /// Inputs, outputs, flag.
    straight: Vec<f64>,
    wide_straight: Vec<[f64; WIDE]>,
    /// Memory of the tape.
    one: Vec<f64>,
    wide: Vec<[f64; WIDE]>,
    lanes: Vec<Lanes<LANES>>,
    slopes: Vec<Slope<DIRECTIONS>>,
    solves: Vec<Linear>,
}

impl Function {
    /// The outputs as a function of the inputs. Systems are solved only if the outputs need their unknowns.
    ///
    /// ```
    /// use numeric::{Function, Solve, Structure};
    /// let _scope = expr::Scope::enter();
    /// let (x, z) = (expr::coordinate("x"), expr::parameter("z"));
    /// let solve = Solve { unknowns: vec![z], matrix: vec![vec![x]], right: vec![x.pow(3)], structure: Structure::General };
    /// let f = Function::new(&[x], &[], &[], &[solve], &[z + x])?;
    /// let mut work = f.work();
    /// let mut to = [0.0; 2];
    /// f.values(2, &[3.0, -1.0], &mut work, &mut to).unwrap();
    /// assert_eq!(to, [12.0, 0.0]); // x² + x
    /// # Ok::<(), numeric::Unbound>(())
    /// ```
    pub fn new(
        inputs: &[Expr],
        fixed: &[(Expr, f64)],
        defined: &[(Expr, Expr)],
        solves: &[Solve],
        outputs: &[Expr],
    ) -> Result<Function, Unbound> {
        let count = (inputs.len(), outputs.len());
        if let Ok(tape) = Tape::new(inputs, fixed, defined, &[outputs.to_vec()]) {
            return Ok(Function::made(tape, Vec::new(), count, false));
        }
        let (mut all, mut stages, mut ready) = (inputs.to_vec(), Vec::new(), Vec::new());
        for solve in solves {
            ready.push(Linear::new(solve, all.len()));
            all.extend(&solve.unknowns);
            stages.push(entries(solve));
        }
        stages.push(outputs.to_vec());
        let tape = Tape::new(&all, fixed, defined, &stages)?;
        let has_least = solves.iter().any(|solve| matches!(solve.structure, Structure::Least(_)));
        Ok(Function::made(tape, ready, count, has_least))
    }

    fn made(tape: Tape, solves: Vec<Linear>, (inputs, outputs): (usize, usize), has_least: bool) -> Function {
        Function { tape, solves, inputs, outputs, has_least, compiled: Arc::default() }
    }

    fn compiled(&self, lanes: jit::Lanes) -> Option<&Compiled> {
        let make = || {
            if let Some(code) = straight(&self.tape, &self.solves, self.inputs, lanes) {
                return Some(Compiled::Straight(code));
            }
            let mut stops: Vec<Stop> = (0..self.solves.len()).map(|which| (which, Some(which))).collect();
            stops.push((self.solves.len(), None));
            Route::new(&self.tape, &stops, &self.solves, (0, &[]), lanes).map(Compiled::Route)
        };
        self.compiled[usize::from(lanes == jit::Lanes::Wide)].get_or_init(make).as_ref()
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// How many outputs there are.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// How many instructions lead to the outputs, without those that solve systems.
    pub fn length(&self) -> usize {
        (0..=self.solves.len()).map(|stage| self.tape.length(stage)).sum()
    }

    /// How many operations lead to the outputs, about, with those that solve systems.
    pub fn cost(&self) -> usize {
        let systems: usize = self.solves.iter().map(Linear::cost).sum();
        systems + (0..=self.solves.len()).map(|stage| self.tape.cost(stage)).sum::<usize>()
    }

    /// Whether its slopes are known: not where the smallest of many solutions is taken.
    pub fn has_slopes(&self) -> bool {
        !self.has_least
    }

    /// Room for one thread.
    pub fn work(&self) -> Work {
        let size = self.inputs + self.outputs + 1;
        Work {
            straight: vec![0.0; size],
            wide_straight: Vec::new(),
            one: Vec::new(),
            wide: Vec::new(),
            lanes: Vec::new(),
            slopes: Vec::new(),
            solves: self.solves.clone(),
        }
    }

    /// The outputs at `count` places: inputs and outputs of one place after those of the other. An error says at which place
    /// there is no answer.
    pub fn values(
        &self,
        count: usize,
        inputs: &[f64],
        work: &mut Work,
        to: &mut [f64],
    ) -> Result<(), (usize, Trouble)> {
        assert!(inputs.len() == count * self.inputs, "rows of one shape");
        let part = Part { numbers: inputs, width: self.inputs, step: self.inputs };
        self.values_of(0..count, &[part], work, to)
    }

    /// The same at some of the places, where the inputs stand in parts, one after the other.
    pub fn values_of(
        &self,
        places: std::ops::Range<usize>,
        inputs: &[Part<'_>],
        work: &mut Work,
        to: &mut [f64],
    ) -> Result<(), (usize, Trouble)> {
        let width: usize = inputs.iter().map(|part| part.width).sum();
        assert!(width == self.inputs && to.len() == places.len() * self.outputs, "rows of one shape");
        let (mut first, mut to) = (places.start, to);
        while places.end - first >= LANES {
            let (now, later) = to.split_at_mut(LANES * self.outputs);
            if !self.compiled_in_lanes(inputs, first, work, now) {
                self.in_lanes(inputs, first, work, now).map_err(|(lane, trouble)| (first + lane, trouble))?;
            }
            (first, to) = (first + LANES, later);
        }
        for place in first..places.end {
            let (now, later) = to.split_at_mut(self.outputs);
            self.one(inputs, place, work, now).map_err(|trouble| (place, trouble))?;
            to = later;
        }
        Ok(())
    }

    fn one(&self, inputs: &[Part<'_>], place: usize, work: &mut Work, to: &mut [f64]) -> Result<(), Trouble> {
        let compiled = self.compiled(jit::Lanes::One);
        if let Some(Compiled::Straight(code)) = compiled
            && self.straight(code, inputs, place, &mut work.straight, to)
        {
            return Ok(());
        }
        self.plain(compiled, inputs, place, work, to)
    }

    /// Straight through compiled code; false where it found something to decide. Few numbers are moved: no call for each part.
    fn straight(
        &self,
        code: &jit::Code,
        inputs: &[Part<'_>],
        place: usize,
        memory: &mut [f64],
        to: &mut [f64],
    ) -> bool {
        let mut slots = memory.iter_mut();
        for part in inputs {
            for &x in part.at(place) {
                slots.next().into_iter().for_each(|slot| *slot = x);
            }
        }
        code.run(memory);
        let (outputs, flag) = memory[self.inputs..].split_at(self.outputs);
        to.iter_mut().zip(outputs).for_each(|(to, &x)| *to = x);
        flag[0] == 0.0
    }

    /// By the way that solves systems outside, or by the tape.
    #[cold]
    #[inline(never)]
    fn plain(
        &self,
        compiled: Option<&Compiled>,
        inputs: &[Part<'_>],
        place: usize,
        work: &mut Work,
        to: &mut [f64],
    ) -> Result<(), Trouble> {
        if work.one.is_empty() {
            work.one = self.tape.memory();
            work.one.resize(room(&self.tape, 0), 0.0);
        }
        let memory = &mut work.one;
        for (k, &value) in inputs.iter().flat_map(|part| part.at(place)).enumerate() {
            self.tape.put(memory, k, value);
        }
        let is_there = match compiled {
            Some(Compiled::Route(route)) => route.run(&self.tape, &[], &mut work.solves, memory)?.is_some(),
            _ => false,
        };
        let last = self.solves.len();
        if !is_there {
            for (stage, solve) in work.solves.iter_mut().enumerate() {
                self.tape.run(stage, Switches::Free, memory);
                let slots = self.tape.outputs(stage);
                solve.solve(|entry| memory[slots[entry] as usize], slots.len())?;
                for k in 0..solve.unknowns {
                    self.tape.put(memory, solve.input + k, solve.right[k]);
                }
            }
            self.tape.run(last, Switches::Free, memory);
        }
        for (to, &slot) in to.iter_mut().zip(self.tape.outputs(last)) {
            *to = memory[slot as usize];
        }
        finite(to)
    }

    /// Compiled code for as many places as there are lanes. False where it must be done otherwise: there is no such code, or
    /// it found something to decide.
    fn compiled_in_lanes(&self, inputs: &[Part<'_>], first: usize, work: &mut Work, to: &mut [f64]) -> bool {
        let lanes = |part: &Part<'_>, k: usize| -> [f64; WIDE] {
            std::array::from_fn(|lane| part.numbers[(first + lane) * part.step + k])
        };
        let columns = inputs.iter().flat_map(|part| (0..part.width).map(move |k| lanes(part, k)));
        match self.compiled(jit::Lanes::Wide) {
            Some(Compiled::Straight(code)) => {
                let memory = &mut work.wide_straight;
                memory.resize(self.inputs + self.outputs + 1, [0.0; WIDE]);
                memory.iter_mut().zip(columns).for_each(|(slot, column)| *slot = column);
                code.run_wide(memory);
                let (outputs, flag) = memory[self.inputs..].split_at(self.outputs);
                if flag[0] != [0.0; WIDE] {
                    return false;
                }
                for (lane, to) in to.chunks_exact_mut(self.outputs.max(1)).enumerate() {
                    to.iter_mut().zip(outputs).for_each(|(to, output)| *to = output[lane]);
                }
                true
            }
            Some(Compiled::Route(route)) => {
                if work.wide.is_empty() {
                    work.wide = self.tape.memory::<f64>().into_iter().map(|x| [x; WIDE]).collect();
                    work.wide.resize(room(&self.tape, 0), [0.0; WIDE]);
                }
                for (k, column) in columns.enumerate() {
                    if let Some(slot) = self.tape.input(k) {
                        work.wide[slot as usize] = column;
                    }
                }
                if !route.run_wide(&self.tape, &mut work.solves, &mut work.wide) {
                    return false;
                }
                let slots = self.tape.outputs(self.solves.len());
                for (k, &slot) in slots.iter().enumerate() {
                    let values = work.wide[slot as usize];
                    (0..WIDE).for_each(|lane| to[lane * self.outputs + k] = values[lane]);
                }
                to.iter().all(|x| x.is_finite())
            }
            None => false,
        }
    }

    fn in_lanes(
        &self,
        inputs: &[Part<'_>],
        first: usize,
        work: &mut Work,
        to: &mut [f64],
    ) -> Result<(), (usize, Trouble)> {
        if work.lanes.is_empty() {
            work.lanes = self.tape.memory();
        }
        let memory = &mut work.lanes;
        let places = inputs.iter().flat_map(|part| (0..part.width).map(move |k| (part, k)));
        for (input, (part, k)) in places.enumerate() {
            self.tape.put(memory, input, Lanes(std::array::from_fn(|lane| part.at(first + lane)[k])));
        }
        for (stage, solve) in work.solves.iter_mut().enumerate() {
            self.tape.run(stage, Switches::Free, memory);
            let slots = self.tape.outputs(stage);
            let mut found = vec![Lanes([0.0; LANES]); solve.unknowns];
            for lane in 0..LANES {
                solve
                    .solve(|entry| memory[slots[entry] as usize].0[lane], slots.len())
                    .map_err(|trouble| (lane, trouble))?;
                found.iter_mut().zip(&solve.right).for_each(|(found, &x)| found.0[lane] = x);
            }
            found.iter().enumerate().for_each(|(k, &x)| self.tape.put(memory, solve.input + k, x));
        }
        let last = self.solves.len();
        self.tape.run(last, Switches::Free, memory);
        for (lane, to) in to.chunks_exact_mut(self.outputs.max(1)).enumerate() {
            for (to, &slot) in to.iter_mut().zip(self.tape.outputs(last)) {
                *to = memory[slot as usize].0[lane];
            }
            finite(to).map_err(|trouble| (lane, trouble))?;
        }
        Ok(())
    }

    /// The slopes of the outputs along the inputs in `along`, row by row: one row an output, one column an input.
    pub fn slopes(
        &self,
        inputs: &[f64],
        along: std::ops::Range<usize>,
        work: &mut Work,
        to: &mut [f64],
    ) -> Result<(), Trouble> {
        let width = along.len();
        assert!(inputs.len() == self.inputs && to.len() == self.outputs * width, "a matrix of this shape");
        if work.slopes.is_empty() {
            work.slopes = self.tape.memory();
        }
        let memory = &mut work.slopes;
        for first in along.clone().step_by(DIRECTIONS) {
            for (k, &value) in inputs.iter().enumerate() {
                let number = match k.checked_sub(first) {
                    Some(direction) if direction < DIRECTIONS && k < along.end => Slope::moving(value, direction),
                    _ => Slope::float(value),
                };
                self.tape.put(memory, k, number);
            }
            for (stage, solve) in work.solves.iter_mut().enumerate() {
                self.tape.run(stage, Switches::Free, memory);
                let slots = self.tape.outputs(stage);
                let entry = |k: usize| memory[slots[k] as usize];
                let found = solved(solve, entry, slots.len())?;
                found.iter().enumerate().for_each(|(k, &x)| self.tape.put(memory, solve.input + k, x));
            }
            let last = self.solves.len();
            self.tape.run(last, Switches::Free, memory);
            for (row, &slot) in self.tape.outputs(last).iter().enumerate() {
                for direction in 0..DIRECTIONS.min(along.end - first) {
                    to[row * width + first - along.start + direction] = memory[slot as usize].along[direction];
                }
            }
        }
        finite(to)
    }
}

/// The solution of a system with its slopes (2).
pub(crate) fn solved(
    solve: &mut Linear,
    entry: impl Fn(usize) -> Slope<DIRECTIONS>,
    count: usize,
) -> Result<Vec<Slope<DIRECTIONS>>, Trouble> {
    solve.solve(|k| entry(k).value, count)?;
    let n = solve.unknowns;
    let dense = match &solve.structure {
        Kind::Lifted(plan) => plan.dense(entry),
        _ => ((0..n * n).map(&entry).collect(), (0..n).map(|row| entry(n * n + row)).collect()),
    };
    let (matrix, given): (Vec<Slope<DIRECTIONS>>, Vec<Slope<DIRECTIONS>>) = dense;
    let mut right = vec![0.0; n * DIRECTIONS];
    for row in 0..n {
        for (direction, to) in right[row * DIRECTIONS..][..DIRECTIONS].iter_mut().enumerate() {
            let moved: f64 = (0..n).map(|k| matrix[row * n + k].along[direction] * solve.right[k]).sum();
            *to = given[row].along[direction] - moved;
        }
    }
    let mut matrix: Vec<f64> = matrix.iter().map(|entry| entry.value).collect();
    linear::solve::eliminate(&mut matrix, &mut right, n, linear::tolerance::PIVOT, &mut Vec::new())?;
    let slopes = |k: usize| std::array::from_fn(|direction| right[k * DIRECTIONS + direction]);
    Ok((0..n).map(|k| Slope { value: solve.right[k], along: slopes(k) }).collect())
}

fn finite(numbers: &[f64]) -> Result<(), Trouble> {
    if numbers.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(Trouble::NotFinite) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// z from two equations whose matrix depends on x and y; outputs z₁ x, z₂ + y.
    fn example() -> (Function, [Expr; 2], Vec<Expr>) {
        let (x, y) = (expr::coordinate("x"), expr::coordinate("y"));
        let z = [expr::parameter("z1"), expr::parameter("z2")];
        let matrix = vec![vec![x * x + expr::integer(1), x.sin()], vec![x.sin(), y * y + expr::integer(2)]];
        let right = vec![x * y, y.cos()];
        let outputs = [z[0] * x, z[1] + y];
        let det = matrix[0][0] * matrix[1][1] - matrix[0][1] * matrix[1][0];
        let by_cramer = |k: usize| match k {
            0 => (right[0] * matrix[1][1] - matrix[0][1] * right[1]) / det,
            _ => (matrix[0][0] * right[1] - matrix[1][0] * right[0]) / det,
        };
        let explicit = vec![by_cramer(0) * x, by_cramer(1) + y];
        let solve = Solve { unknowns: z.to_vec(), structure: Structure::of(&matrix), matrix, right };
        (Function::new(&[x, y], &[], &[], &[solve], &outputs).unwrap(), [x, y], explicit)
    }

    #[test]
    fn slopes_go_through_linear_systems() {
        let _scope = expr::Scope::enter();
        let (f, inputs, explicit) = example();
        let mut exact = Vec::new();
        for &output in &explicit {
            exact.extend(expr::gradient(output, &inputs).unwrap());
        }
        let g = Function::new(&inputs, &[], &[], &[], &exact).unwrap();
        let at = [0.7, -1.3];
        let (mut found, mut wanted) = ([0.0; 4], [0.0; 4]);
        f.slopes(&at, 0..2, &mut f.work(), &mut found).unwrap();
        g.values(1, &at, &mut g.work(), &mut wanted).unwrap();
        for (found, wanted) in found.iter().zip(&wanted) {
            assert!((found - wanted).abs() < 1e-13 * wanted.abs().max(1.0), "{found} {wanted}");
        }
        let mut one = [0.0; 2];
        f.slopes(&at, 1..2, &mut f.work(), &mut one).unwrap();
        assert_eq!(one, [found[1], found[3]]);
    }

    #[test]
    fn many_places_give_the_bits_of_one() {
        let _scope = expr::Scope::enter();
        let (f, ..) = example();
        let inputs: Vec<f64> = (0..2 * 19).map(|k| (f64::from(k) * 0.37).sin() * 3.0).collect();
        let (mut work, mut all) = (f.work(), vec![0.0; 2 * 19]);
        f.values(19, &inputs, &mut work, &mut all).unwrap();
        for (place, values) in all.chunks(2).enumerate() {
            let mut one = [0.0; 2];
            f.values(1, &inputs[2 * place..2 * place + 2], &mut work, &mut one).unwrap();
            assert_eq!(values, one);
        }
    }

    #[test]
    fn a_place_without_an_answer_is_named() {
        let _scope = expr::Scope::enter();
        let (x, z) = (expr::coordinate("x"), expr::parameter("z"));
        let matrix = vec![vec![x]];
        let solve = Solve { unknowns: vec![z], structure: Structure::General, matrix, right: vec![expr::integer(1)] };
        let f = Function::new(&[x], &[], &[], &[solve], &[z]).unwrap();
        let mut inputs = vec![1.0; 20];
        for place in [3, 17] {
            inputs[place] = 0.0;
            let found = f.values(20, &inputs, &mut f.work(), &mut [0.0; 20]);
            assert_eq!(found, Err((place, Trouble::Singular)));
            inputs[place] = 1.0;
        }
    }
}

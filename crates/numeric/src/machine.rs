//! A problem made ready: slopes, watched values, outputs and the way back to its levels, at any state.
//!
//! ```text
//! tape: solve | … | rates | rates of switches | later solve | … | watched | outputs
//! stuck switch:  s = w s₋ + (1 − w) s₊       w so that its argument keeps still          (1)
//! ```
//!
//! A switch whose two sides both drive its argument to zero sticks there (Filippov's solution): (1).

use std::ops::Range;

use expr::Expr;
use linear::{Matrix, Solved};

use crate::compiled::{Route, Stop, room};
use crate::function::{DIRECTIONS, solved};
use crate::integrate::{End, Field, Table, differences};
use crate::leap::{Leap, Source};
use crate::level::Ready;
use crate::problem::{Judged, Level, Problem, Solve};
use crate::real::Real;
use crate::series::{self, Series};
use crate::slope::Slope;
use crate::system::{Kind, Linear, Trouble, entries};
use crate::tape::{Switches, Tape, Unbound};

/// A problem that can be evaluated.
pub struct Machine {
    tape: Tape,
    memory: Vec<f64>,
    /// The systems before the rates, then those after.
    solves: Vec<Linear>,
    before: usize,
    levels: Vec<Ready>,
    followers: Vec<Ready>,
    guarded: Option<Watchful>,
    /// How many numbers a state has.
    n: usize,
    /// The sides that switches are on: 1 where the argument counts as negative.
    sides: Vec<f64>,
    /// The switches that stick.
    stuck: Vec<usize>,
    judged: Vec<Judged>,
    is_reversed: bool,
    /// Compiled ways to the slopes, the watched values and the outputs.
    routes: [Lazily; 3],
    /// Whole steps of a method, compiled, and how often some were made.
    leap: Option<(&'static Table, Leap)>,
    leaps: u32,
    /// Recurrences for the series of the motion, for sides of switches that it has been on.
    series: Vec<(usize, Option<Series>)>,
    /// How often the slope was computed.
    pub evaluations: u64,
    /// Whether some later system had many solutions.
    pub ambiguous: bool,
}

/// So often the tape runs before a way is compiled.
const SELDOM: u32 = 8;

/// Whole steps are compiled after so many, and one more for four operations of a slope: to compile them costs what some 250 save.
const STEADY: usize = 600;

/// For so many sides of switches recurrences are kept.
const MOST_SERIES: usize = 8;

/// What a way leads to.
#[derive(Clone, Copy)]
enum Goal {
    Slopes,
    Watched,
    Outputs,
}

/// A way that is compiled when it has been gone often enough.
#[derive(Default)]
struct Lazily {
    runs: u32,
    route: Option<Route>,
}

/// Rows that may lose their rank.
struct Watchful {
    tape: Tape,
    memory: Vec<f64>,
    columns: usize,
    rank: usize,
    /// The rows that were asked for last, and where: a step begins where the one before ended.
    last: Option<(f64, Vec<f64>, Matrix)>,
}

impl Machine {
    /// Makes a problem ready; a symbol without a value is an error.
    pub fn new(problem: &Problem) -> Result<Machine, Unbound> {
        let mut inputs = vec![problem.time];
        inputs.extend(&problem.state);
        let (mut stages, mut solves) = (Vec::new(), Vec::new());
        let mut add = |solve: &Solve, stages: &mut Vec<Vec<Expr>>| {
            solves.push(Linear::new(solve, inputs.len()));
            inputs.extend(&solve.unknowns);
            stages.push(entries(solve));
        };
        problem.solves.iter().for_each(|solve| add(solve, &mut stages));
        stages.push(problem.rates.clone());
        let arguments = Tape::switch_arguments(&inputs_for(problem), &problem.fixed, &problem.defined, &stages)?;
        stages.push(rates_of(&arguments, problem));
        problem.later.iter().for_each(|solve| add(solve, &mut stages));
        let judged = problem.judged.iter().flat_map(|one| one.inputs.iter().copied());
        stages.extend([problem.watched.iter().copied().chain(judged).collect(), problem.outputs.clone()]);
        let tape = Tape::new(&inputs, &problem.fixed, &problem.defined, &stages)?;
        let ready = |levels: &[Level]| levels.iter().map(|level| Ready::new(problem, level)).collect::<Result<_, _>>();
        let (levels, followers) = (ready(&problem.levels)?, ready(&problem.followers)?);
        let guarded = match &problem.guarded {
            Some(one) => {
                let entries: Vec<Expr> = one.rows.iter().flatten().copied().collect();
                let tape = Tape::new(&inputs_for(problem), &problem.fixed, &problem.defined, &[entries])?;
                let (memory, columns) = (tape.memory(), one.rows[0].len());
                Some(Watchful { tape, memory, columns, rank: one.rank, last: None })
            }
            None => None,
        };
        let before = problem.solves.len();
        let sides = vec![0.0; tape.switches_until(before).len()];
        let mut memory = tape.memory();
        memory.resize(room(&tape, sides.len()), 0.0);
        Ok(Machine {
            memory,
            routes: Default::default(),
            leap: None,
            leaps: 0,
            series: Vec::new(),
            tape,
            solves,
            before,
            levels,
            followers,
            guarded,
            n: problem.state.len(),
            sides,
            stuck: Vec::new(),
            judged: problem.judged.clone(),
            is_reversed: problem.is_reversed,
            evaluations: 0,
            ambiguous: false,
        })
    }

    /// How many instructions lead to the slope.
    pub fn length(&self) -> usize {
        (0..=self.before).map(|stage| self.tape.length(stage)).sum()
    }

    /// How many numbers a state has.
    pub fn size(&self) -> usize {
        self.n
    }

    /// The stages up to the slopes; (1) for switches that stick: their arguments turn linearly with all w.
    fn slopes(&mut self, t: f64, y: &[f64]) -> Result<(), Trouble> {
        let stuck = self.stuck.clone();
        if !stuck.is_empty() {
            let m = stuck.len();
            let mut turns = Vec::with_capacity(m + 1);
            for unit in 0..=m {
                for (k, &switch) in stuck.iter().enumerate() {
                    self.sides[switch] = f64::from(k + 1 == unit);
                }
                self.plain_slopes(t, y)?;
                turns.push(stuck.iter().map(|&switch| self.turn(switch)).collect::<Vec<f64>>());
            }
            let matrix = Matrix::from_fn(m, m, |i, j| turns[j + 1][i] - turns[0][i]);
            let right: Vec<f64> = turns[0].iter().map(|turn| -turn).collect();
            let shares = linear::solve(matrix, &right).map_err(|_| Trouble::Sticky)?;
            stuck.iter().zip(shares).for_each(|(&switch, share)| self.sides[switch] = share);
        }
        self.plain_slopes(t, y)
    }

    fn put(&mut self, t: f64, y: &[f64]) {
        self.tape.put(&mut self.memory, 0, t);
        for (k, &value) in y.iter().enumerate() {
            self.tape.put(&mut self.memory, 1 + k, value);
        }
    }

    /// Goes to the goal in compiled code, which gives the bits of the tape. False where the tape must run: switches stick, the
    /// way is new or cannot be compiled, or the code found something to decide.
    fn goes(&mut self, goal: Goal, t: f64, y: &[f64]) -> Result<bool, Trouble> {
        if !self.stuck.is_empty() {
            return Ok(false);
        }
        let runs = &mut self.routes[goal as usize].runs;
        *runs = runs.saturating_add(1);
        if *runs == SELDOM {
            self.routes[goal as usize].route = self.route(goal);
        }
        if self.routes[goal as usize].route.is_none() {
            return Ok(false);
        }
        self.put(t, y);
        let Some(route) = &self.routes[goal as usize].route else { return Ok(false) };
        let Some(solved) = route.run(&self.tape, &self.sides, &mut self.solves, &mut self.memory)? else {
            return Ok(false);
        };
        self.ambiguous |= solved == Solved::Smallest;
        self.evaluations += 1;
        Ok(true)
    }

    fn route(&self, goal: Goal) -> Option<Route> {
        let frozen = self.sides.len();
        let seen = if matches!(goal, Goal::Watched) { self.tape.switches_until(self.before) } else { &[] };
        Route::new(&self.tape, &self.stops(goal), &self.solves, (frozen, seen), jit::Lanes::One)
    }

    /// Where the recurrences for the sides that switches are on stand; they are made if they are not there.
    fn series_place(&mut self, order: usize) -> usize {
        let serves =
            |one: &(usize, Option<Series>)| one.0 == order && one.1.as_ref().is_none_or(|one| one.sides == self.sides);
        if let Some(place) = self.series.iter().position(serves) {
            return place;
        }
        let made = Series::new(&self.tape, &self.solves[..self.before], self.n, &self.sides, order);
        self.series.truncate(MOST_SERIES - 1);
        self.series.insert(0, (order, made));
        0
    }

    /// What whole steps are made from.
    fn source(&self) -> Source<'_> {
        Source { tape: &self.tape, solves: &self.solves[..self.before], sides: &self.sides, n: self.n }
    }

    /// The stages that lead to a goal, with the systems behind them.
    fn stops(&self, goal: Goal) -> Vec<Stop> {
        let mut stops: Vec<Stop> = (0..self.before).map(|which| (which, Some(which))).collect();
        stops.push((self.before, None));
        if !matches!(goal, Goal::Slopes) {
            // later stages may read what the rates of switches are made of
            stops.push((self.before + 1, None));
            stops.extend((self.before..self.solves.len()).map(|which| (which + 2, Some(which))));
            stops.push((self.solves.len() + 2, None));
        }
        if matches!(goal, Goal::Outputs) {
            stops.push((self.solves.len() + 3, None));
        }
        stops
    }

    fn plain_slopes(&mut self, t: f64, y: &[f64]) -> Result<(), Trouble> {
        self.evaluations += 1;
        self.put(t, y);
        for stage in 0..self.before {
            self.tape.run(stage, Switches::Frozen(&self.sides), &mut self.memory);
            self.solve(stage, stage)?;
        }
        self.tape.run(self.before, Switches::Frozen(&self.sides), &mut self.memory);
        Ok(())
    }

    fn solve(&mut self, which: usize, stage: usize) -> Result<(), Trouble> {
        let one = &mut self.solves[which];
        let (slots, memory) = (self.tape.outputs(stage), &self.memory);
        let solved = one.solve(|entry| memory[slots[entry] as usize], slots.len())?;
        self.ambiguous |= solved == Solved::Smallest;
        for k in 0..one.unknowns {
            self.tape.put(&mut self.memory, one.input + k, one.right[k]);
        }
        Ok(())
    }

    /// The stages after the slopes, up to the one that is named. They may read what the rates of switches are made of.
    fn later(&mut self, until: usize) -> Result<(), Trouble> {
        self.tape.run(self.before + 1, Switches::Frozen(&self.sides), &mut self.memory);
        for which in self.before..self.solves.len() {
            let stage = which + 2;
            self.tape.run(stage, Switches::Free, &mut self.memory);
            self.solve(which, stage)?;
        }
        for stage in self.solves.len() + 2..=until {
            self.tape.run(stage, Switches::Free, &mut self.memory);
        }
        Ok(())
    }

    fn gather(&self, stage: usize, to: &mut Vec<f64>) {
        to.clear();
        to.extend(self.tape.outputs(stage).iter().map(|&slot| self.memory[slot as usize]));
    }

    /// The rate of the argument of a switch, after the slopes.
    fn turn(&mut self, switch: usize) -> f64 {
        self.tape.run(self.before + 1, Switches::Frozen(&self.sides), &mut self.memory);
        self.memory[self.tape.outputs(self.before + 1)[switch] as usize]
    }

    /// Where judged values stand among the watched ones.
    pub fn judged(&self) -> Range<usize> {
        let inputs: usize = self.judged.iter().map(|one| one.inputs.len()).sum();
        let first = self.tape.outputs(self.solves.len() + 2).len() - inputs;
        first..first + self.judged.len()
    }

    /// Puts what is judged in place of the values that it is judged by.
    fn judge(&self, values: &mut Vec<f64>) {
        let inputs: usize = self.judged.iter().map(|one| one.inputs.len()).sum();
        let mut rest = &values.split_off(values.len() - inputs)[..];
        for one in &self.judged {
            let (own, others) = rest.split_at(one.inputs.len());
            values.push((one.judge)(own));
            rest = others;
        }
    }

    /// The watched values, and then the arguments of the switches that the slopes depend on; of a switch that sticks
    /// what vanishes where it gets loose.
    pub fn watch(&mut self, t: f64, y: &[f64], to: &mut Vec<f64>) -> Result<(), Trouble> {
        let stage = self.solves.len() + 2;
        if !self.goes(Goal::Watched, t, y)? {
            self.slopes(t, y)?;
            self.later(stage)?;
        }
        self.gather(stage, to);
        self.judge(to);
        let switches = self.tape.switches_until(self.before);
        to.extend(switches.iter().map(|&slot| self.memory[slot as usize]));
        for &stuck in &self.stuck {
            let (place, share) = (to.len() - self.sides.len() + stuck, self.sides[stuck]);
            to[place] = share * (1.0 - share);
        }
        Ok(())
    }

    /// The outputs at a state.
    pub fn outputs(&mut self, t: f64, y: &[f64]) -> Result<Vec<f64>, Trouble> {
        let stage = self.solves.len() + 3;
        if !self.goes(Goal::Outputs, t, y)? {
            self.slopes(t, y)?;
            self.later(stage)?;
        }
        let mut to = Vec::new();
        self.gather(stage, &mut to);
        Ok(to)
    }

    /// How many switches the slopes depend on.
    pub fn switches(&self) -> usize {
        self.sides.len()
    }

    /// The side that a switch is on: 1 where its argument counts as negative.
    pub fn side(&self, switch: usize) -> f64 {
        self.sides[switch]
    }

    /// What it remembers of the motion: the sides of switches, those that stick, and how often the slope was computed.
    pub fn memory(&self) -> (&[f64], &[usize], u64) {
        (&self.sides, &self.stuck, self.evaluations)
    }

    /// Takes over what another remembers.
    pub fn recall(&mut self, sides: Vec<f64>, stuck: Vec<usize>, evaluations: u64) {
        (self.sides, self.stuck, self.evaluations) = (sides, stuck, evaluations);
    }

    /// Whether a switch sticks.
    pub fn is_stuck(&self, switch: usize) -> bool {
        self.stuck.contains(&switch)
    }

    /// Lets the switches follow their arguments at a state, where they are not zero; the others look where the motion
    /// goes. Some that stick at once without saying which share each takes are an error.
    pub fn settle(&mut self, t: f64, y: &[f64]) -> Result<(), Trouble> {
        self.stuck.clear();
        for round in 0..2 {
            let mut values = Vec::new();
            self.watch(t, y, &mut values)?;
            let arguments = values.split_off(values.len() - self.sides.len());
            for (switch, &argument) in arguments.iter().enumerate() {
                if argument != 0.0 {
                    self.sides[switch] = f64::from(argument < 0.0);
                } else if round == 1 {
                    self.turned(switch, t, y)?;
                }
            }
        }
        Ok(())
    }

    /// Puts a switch whose argument has come to zero on the side that the motion takes from there.
    pub fn turned(&mut self, switch: usize, t: f64, y: &[f64]) -> Result<(), Trouble> {
        let was_stuck = self.is_stuck(switch);
        self.stuck.retain(|&other| other != switch);
        let before = self.sides[switch];
        let mut turns = [0.0; 2];
        for (side, turn) in [0.0, 1.0].into_iter().zip(&mut turns) {
            self.sides[switch] = side;
            self.slopes(t, y)?;
            *turn = self.turn(switch);
        }
        if self.is_reversed && turns[0] > 0.0 && turns[1] < 0.0 {
            return Err(Trouble::Forked);
        }
        self.sides[switch] = match (turns[0] >= 0.0, turns[1] <= 0.0) {
            (true, true) if was_stuck => f64::from(before > 0.5),
            // both sides lead away: the motion goes on as it came
            (true, true) => 1.0 - before.round(),
            (true, false) => 0.0,
            (false, true) => 1.0,
            (false, false) => {
                self.stuck.push(switch);
                before
            }
        };
        Ok(())
    }

    /// The rows that may lose their rank, at a state, and the rank that they have as a rule.
    pub fn guarded(&mut self, t: f64, y: &[f64]) -> Option<(Matrix, usize)> {
        let Watchful { tape, memory, columns, rank, last } = self.guarded.as_mut()?;
        if let Some((at, state, rows)) = last
            && *at == t
            && state == y
        {
            return Some((rows.clone(), *rank));
        }
        tape.put(memory, 0, t);
        (1..).zip(y).for_each(|(k, &value)| tape.put(memory, k, value));
        tape.run(0, Switches::Free, memory);
        let entries: Vec<f64> = tape.outputs(0).iter().map(|&slot| memory[slot as usize]).collect();
        let rows = Matrix::new(entries.len() / *columns, *columns, entries);
        *last = Some((t, y.to_vec(), rows.clone()));
        Some((rows, *rank))
    }

    /// Brings a state of these natural sizes back to its levels. False if a level could not be met.
    pub fn project(&mut self, t: f64, y: &mut [f64], sizes: &[f64]) -> bool {
        let mut met = true;
        for level in &mut self.levels {
            met &= level.project(t, y, sizes);
        }
        met
    }

    /// What is left of every row, relative to its natural size: that of its terms, or what it would be if the state
    /// were wrong by `sizes`.
    pub fn residuals(&mut self, t: f64, y: &[f64], sizes: &[f64]) -> Vec<f64> {
        let of = |level: &mut Ready| level.look(t, y, sizes).to_vec();
        self.levels.iter_mut().flat_map(of).collect()
    }

    /// The same of the rows that follow from others as a rule.
    pub fn followers(&mut self, t: f64, y: &[f64], sizes: &[f64]) -> Vec<f64> {
        let of = |level: &mut Ready| level.look(t, y, sizes).to_vec();
        self.followers.iter_mut().flat_map(of).collect()
    }
}

impl Field for Machine {
    fn rates(&mut self, t: f64, y: &[f64], to: &mut [f64]) -> Result<(), Trouble> {
        if !self.goes(Goal::Slopes, t, y)? {
            self.slopes(t, y)?;
        }
        let slots = self.tape.outputs(self.before);
        for (to, &slot) in to.iter_mut().zip(slots) {
            *to = self.memory[slot as usize];
        }
        if to.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(Trouble::NotFinite) }
    }

    fn series(&mut self, t: f64, y: &[f64], order: usize, to: &mut [f64]) -> Result<bool, Trouble> {
        if !self.stuck.is_empty() {
            return Ok(false);
        }
        let place = self.series_place(order);
        self.put(t, y);
        let Some(series) = &mut self.series[place].1 else { return Ok(false) };
        self.evaluations += 1;
        let ready =
            series::Ready { tape: &self.tape, memory: &mut self.memory, solves: &mut self.solves[..self.before] };
        series.expand(ready, (t, y), to)
    }

    fn stages(
        &mut self,
        table: &'static Table,
        from: End<'_>,
        h: f64,
        (k, trial): (&mut [f64], &mut [f64]),
        to: &mut [f64],
    ) -> bool {
        if !self.stuck.is_empty() {
            return false;
        }
        self.leaps = self.leaps.saturating_add(1);
        if self.leaps as usize >= STEADY && self.leap.is_none() {
            let source = self.source();
            if self.leaps as usize == STEADY + source.length() / 4 {
                self.leap = Leap::new(&source, table).map(|leap| (table, leap));
            }
        }
        let Some((own, leap)) = &mut self.leap else { return false };
        let is_done = std::ptr::eq(*own, table) && leap.run(&self.sides, from, h, (k, trial), to);
        self.evaluations += if is_done { table.a.len() as u64 - 1 } else { 0 };
        is_done
    }

    /// Exactly, but where switches stick or the smallest of many solutions is taken.
    fn jacobian(&mut self, from: End<'_>, h: f64, to: &mut [f64]) -> Result<(), Trouble> {
        let is_least = |one: &Linear| one.structure == Kind::Least;
        if !self.stuck.is_empty() || self.solves[..self.before].iter().any(is_least) {
            return differences(self, from, h, to);
        }
        let mut memory = self.tape.memory::<Slope<DIRECTIONS>>();
        self.tape.put(&mut memory, 0, Slope::float(from.t));
        for first in (0..self.n).step_by(DIRECTIONS) {
            for (k, &value) in from.y.iter().enumerate() {
                let number = match k.checked_sub(first).filter(|&direction| direction < DIRECTIONS) {
                    Some(direction) => Slope::moving(value, direction),
                    None => Slope::float(value),
                };
                self.tape.put(&mut memory, 1 + k, number);
            }
            for stage in 0..self.before {
                self.tape.run(stage, Switches::Frozen(&self.sides), &mut memory);
                let slots = self.tape.outputs(stage);
                let found = solved(&mut self.solves[stage], |k| memory[slots[k] as usize], slots.len())?;
                let input = self.solves[stage].input;
                found.iter().enumerate().for_each(|(k, &x)| self.tape.put(&mut memory, input + k, x));
            }
            self.tape.run(self.before, Switches::Frozen(&self.sides), &mut memory);
            for (row, &slot) in self.tape.outputs(self.before).iter().enumerate() {
                let count = DIRECTIONS.min(self.n - first);
                to[row * self.n + first..][..count].copy_from_slice(&memory[slot as usize].along[..count]);
            }
        }
        if to.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(Trouble::NotFinite) }
    }
}

/// All that the slopes may depend on.
fn inputs_for(problem: &Problem) -> Vec<Expr> {
    let unknowns = problem.solves.iter().flat_map(|solve| &solve.unknowns);
    [&problem.time].into_iter().chain(&problem.state).chain(unknowns).copied().collect()
}

/// The rates of these expressions along the motion; zero where there is none.
fn rates_of(list: &[Expr], problem: &Problem) -> Vec<Expr> {
    if list.is_empty() {
        return Vec::new();
    }
    let state = problem.state.iter().copied().zip(problem.rates.iter().copied());
    let mut along: Vec<(Expr, Expr)> = state.chain([(problem.time, Expr::one())]).collect();
    let rate = |flow: &expr::Flow, e: Expr| flow.rate(e).unwrap_or_else(|_| Expr::zero());
    for &(symbol, value) in &problem.defined {
        let turn = rate(&expr::Flow::new(&along), value);
        along.push((symbol, turn));
    }
    let flow = expr::Flow::new(&along);
    list.iter().map(|&e| rate(&flow, e)).collect()
}

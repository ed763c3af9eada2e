//! How does a whole step of an explicit method become one straight line?
//!
//! ```text
//! kᵢ = f(t + cᵢ h, y + h Σ aᵢⱼ kⱼ)          i = 1 …, by the stages of the tape each                             (1)
//! y₁ = y + h Σ bⱼ kⱼ                                                                                            (2)
//! ```
//!
//! The operations are those of the tape and of the method, in their order, so that the bits are the same. Nothing is decided
//! here: a flag is raised where the tape must run.

use jit::{Lanes, Value};
use rustc_hash::FxHashMap;

use crate::compiled::{Writer, fits};
use crate::integrate::{End, Table, Weights};
use crate::system::Linear;
use crate::tape::Tape;

/// Longer lines are not written.
const LARGEST: usize = 40_000;

/// What a leap is made from.
pub struct Source<'m> {
    /// The tape; its stages up to the rates.
    pub tape: &'m Tape,
    /// The systems before the rates.
    pub solves: &'m [Linear],
    /// The sides of the switches.
    pub sides: &'m [f64],
    /// How many numbers a state has.
    pub n: usize,
}

impl Source<'_> {
    /// How many operations one slope takes, about.
    pub fn length(&self) -> usize {
        let tape: usize = (0..=self.solves.len()).map(|stage| self.tape.length(stage)).sum();
        let solves = self.solves.iter().map(|solve| solve.unknowns.pow(3) / 3 + 2 * solve.unknowns.pow(2));
        tape + solves.sum::<usize>()
    }
}

/// A step as a straight line, and its memory.
pub struct Leap {
    code: jit::Code,
    memory: Vec<f64>,
    places: Places,
}

/// Where things stand in the memory of a leap.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    n: usize,
    flag: usize,
    sides: usize,
    t: usize,
    h: usize,
    y: usize,
    /// The slopes of the stages, side by side.
    k: usize,
    trial: usize,
    end: usize,
    /// How many slots there are.
    room: usize,
}

impl Places {
    fn of(source: &Source<'_>, table: &Table) -> Places {
        let (n, flag) = (source.n, source.tape.slots);
        let sides = flag + 1;
        let t = sides + source.sides.len();
        let (h, y) = (t + 1, t + 2);
        let k = y + n;
        let trial = k + table.a.len() * n;
        let end = trial + n;
        Places { n, flag, sides, t, h, y, k, trial, end, room: end + n }
    }
}

/// The straight line of a step.
struct Step<'t> {
    writer: Writer<'t>,
    places: Places,
    t: Value,
    h: Value,
    y: Vec<Value>,
    k: Vec<Vec<Value>>,
}

impl Step<'_> {
    /// y + h Σ weights k
    fn combined(&mut self, weights: Weights) -> Vec<Value> {
        let nothing: f64 = std::iter::empty::<f64>().sum();
        let made = |j: usize, step: &mut Self| {
            let program = &mut step.writer.program;
            // −0 and a term are the term
            let is_neutral = nothing == 0.0 && nothing.is_sign_negative();
            let mut sum = (!is_neutral).then(|| program.constant(nothing));
            for &(i, weight) in weights {
                let weight = program.constant(weight);
                let term = program.mul(weight, step.k[i][j]);
                sum = Some(sum.map_or(term, |sum| program.add(sum, term)));
            }
            let sum = sum.unwrap_or_else(|| program.constant(nothing));
            let along = program.mul(step.h, sum);
            program.add(step.y[j], along)
        };
        (0..self.places.n).map(|j| made(j, self)).collect()
    }

    /// f at an instant and a state.
    fn slope(&mut self, solves: &[Linear], t: Value, y: &[Value]) -> Vec<Value> {
        let tape = self.writer.tape;
        self.writer.made.fill(None);
        for (input, &value) in [t].iter().chain(y).enumerate() {
            if let Some(slot) = tape.input(input) {
                self.writer.made[slot as usize] = Some(value);
            }
        }
        for stage in 0..=solves.len() {
            self.writer.stage(stage);
            if let Some(solve) = solves.get(stage) {
                self.writer.system(stage, solve);
            }
        }
        let slope: Vec<Value> = tape.outputs(solves.len()).iter().map(|&slot| self.writer.at(slot)).collect();
        self.writer.finite.extend(&slope);
        slope
    }

    fn write(&mut self, place: usize, values: &[Value]) {
        values.iter().enumerate().for_each(|(j, &value)| self.writer.program.write((place + j) as u32, value));
    }
}

/// The code of a step, and where things stand in its memory; nothing where it cannot be compiled or is too long.
fn compiled(source: &Source<'_>, table: &Table) -> Option<(jit::Code, Places)> {
    let stages = table.a.len();
    if !jit::IS_HERE || !source.solves.iter().all(fits) || source.length() * stages > LARGEST {
        return None;
    }
    let places = Places::of(source, table);
    let constants: FxHashMap<u32, f64> = source.tape.constants.iter().copied().collect();
    let mut writer = Writer {
        tape: source.tape,
        constants: &constants,
        program: jit::Program::default(),
        made: vec![None; source.tape.slots],
        frozen: source.sides.len() as u32,
        sides: places.sides as u32,
        holds: None,
        finite: Vec::new(),
    };
    let mut read = |place: usize| writer.program.read(place as u32);
    let (t, h) = (read(places.t), read(places.h));
    let y: Vec<Value> = (0..source.n).map(|j| read(places.y + j)).collect();
    let first = (0..source.n).map(|j| read(places.k + j)).collect();
    let mut step = Step { writer, places, t, h, y, k: vec![first] };
    let mut last = Vec::new();
    for i in 1..stages {
        let trial = step.combined(table.a[i]);
        let program = &mut step.writer.program;
        let part = program.constant(table.c[i]);
        let part = program.mul(part, step.h);
        let instant = program.add(step.t, part);
        let slope = step.slope(source.solves, instant, &trial);
        step.write(places.k + i * source.n, &slope);
        step.k.push(slope);
        last = trial;
    }
    step.write(places.trial, &last);
    let end = step.combined(table.b);
    step.write(places.end, &end);
    let program = step.writer.finish(places.flag as u32);
    Some((jit::Code::new(&program, Lanes::One)?, places))
}

impl Leap {
    /// The line of a step; nothing where it cannot be compiled or is too long.
    pub fn new(source: &Source<'_>, table: &Table) -> Option<Leap> {
        let (code, places) = compiled(source, table)?;
        Some(Leap { code, memory: vec![0.0; places.room], places })
    }

    /// The slopes of the stages, the state of the last one and that at the end. False if a flag was raised.
    pub fn run(
        &mut self,
        sides: &[f64],
        from: End<'_>,
        h: f64,
        (k, trial): (&mut [f64], &mut [f64]),
        to: &mut [f64],
    ) -> bool {
        let Leap { code, memory, places } = self;
        let n = places.n;
        memory[places.sides..places.sides + sides.len()].copy_from_slice(sides);
        (memory[places.t], memory[places.h]) = (from.t, h);
        memory[places.y..places.y + n].copy_from_slice(from.y);
        memory[places.k..places.k + n].copy_from_slice(&k[..n]);
        code.run(memory);
        if memory[places.flag] != 0.0 {
            return false;
        }
        k.copy_from_slice(&memory[places.k..places.k + k.len()]);
        trial.copy_from_slice(&memory[places.trial..places.trial + n]);
        to.copy_from_slice(&memory[places.end..places.end + n]);
        true
    }
}

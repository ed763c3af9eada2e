//! Is a motion periodic, and what becomes in one period of motions that begin near it?
//!
//! ```text
//! q'' = F(q, q', t),  δq'' = F_x δx           along the motion; x independent there, chosen anew at every step    (1)
//! x(T) = x(0)                                 but for coordinates that nothing depends on and whole turns         (2)
//! δx(T) = Φ δx(0)                             ρ, the eigenvalues of Φ: Floquet's multipliers                      (3)
//! (Φ − 1) δx + x'(T) δT = x(0) − x(T)         the shortest step to a periodic motion; δT = 0 if the time          (4)
//!                                             stands in the equations
//! ```
//!
//! Without the time in the equations one multiplier is 1, along the motion. Steps are halved until Φ settles; what it
//! changed by in the end is taken for its error, and places of multipliers are judged with it.
//!
//! Source: Floquet 1883; for motions of equations without the time Andronov and Witt.

use expr::Op;
use linear::circle::{self, Place};
use linear::eigen::Complex;
use linear::least::shortest;
use linear::tolerance::LEAST;
use linear::weighed::{Weighed, Weighing, floats};
use linear::{Matrix, Tolerance};
use serde::Serialize;

use super::bench::Bench;
use super::choice::{self, Choice, Taste};
use super::equations::{By, Equations, Of, State};
use super::reduce::{Reduced, reduce};
use super::{Growth, Trouble, bad, state};
use engine::progress::Ear;
use engine::{Field, Progress};
use expr::decimal;

/// Steps in one period, at first and at the most.
const STEPS: (usize, usize) = (64, 1 << 14);
/// Φ is known if half the step changes it by less. Scale: its largest entry.
const SETTLED: Tolerance = Tolerance::new(1e-9);
/// The same as long as the motion is not nearly back, and when it is.
const ROUGHLY: Tolerance = Tolerance::new(1e-4);
const NEARLY: f64 = 1e-3;
/// A motion is back if it misses by less. Scale: how large each value becomes in one period.
const BACK: f64 = 1e-8;
/// It is corrected until it misses by less, or no longer comes nearer. Scale: as for [`BACK`].
const EXACTLY: f64 = 1e-12;
/// So many steps (4) are made.
const ROUNDS: usize = 16;
/// A periodic motion that is farther away is another one. Scale: as for [`BACK`], and the period.
const NEAR: f64 = 0.05;
/// The period alone is corrected as long as that leaves less than this part of what was missing.
const NEARER: f64 = 0.2;
/// A correction that is larger is told.
const TOLD: f64 = 1e-6;
/// Instants at which equations with the time must be the same a period later.
const INSTANTS: usize = 8;
/// How far they may differ. Scale: the largest acceleration.
const SAME: Tolerance = Tolerance::new(1e-7);

/// What happens in one period.
#[derive(Clone, Debug, Serialize)]
pub struct Period {
    /// How long it is.
    pub period: f64,
    /// Φ (3), for the states of the answer.
    pub monodromy: Vec<Vec<f64>>,
    /// Its eigenvalues, the largest first.
    pub floquet: Vec<Complex>,
    /// What they say.
    #[serde(skip)]
    pub stability: Growth,
}

/// One period from a state.
struct Lap {
    end: State,
    /// Φ (3) for all of x.
    Phi: Matrix,
    /// How far its entries may be wrong.
    errors: Matrix,
    /// How large each of x becomes.
    sizes: Vec<f64>,
    /// States on the way.
    passed: Vec<State>,
}

/// Finds the periodic motion through the state of the bench, or near it, and what happens in one period.
pub fn periodic(
    bench: &mut Bench<'_>,
    period: f64,
    notes: &mut Vec<String>,
    progress: &mut dyn Progress,
) -> Result<Period, Trouble> {
    if !(period > 0.0 && period.is_finite()) {
        return Err(bad("a period is a time above 0", "give it in seconds").of(Field::Periodic));
    }
    if !bench.named.is_empty() || bench.is_steady_wanted {
        let other = if bench.is_steady_wanted { Field::Steady } else { Field::Coordinates };
        let message = format!("`{}` and `{other}` exclude each other", Field::Periodic);
        return Err(bad(&message, "ask for one of them").of(Field::Periodic));
    }
    if let Some(state) = bench.equations.states.first() {
        let message = format!("a period with the first-order state `{state}` is not followed");
        return Err(bad(&message, "without `periodic` the matrices at an instant have it").of(Field::Periodic));
    }
    refuse_events(bench)?;
    let mut search =
        Search { begin: bench.state.clone(), asked: period, period, alone: !bench.equations.has_time, missed: None };
    let (mut steps, mut last, mut is_near) = (STEPS.0, f64::INFINITY, false);
    progress.begins("following one period");
    for _ in 0..ROUNDS {
        let lap = settled(bench, search.period, if is_near { SETTLED } else { ROUGHLY }, &mut steps, progress)?;
        let kept = bench.kept(&reduced_at(bench, &bench.state, &bench.choice)?);
        let misses = misses(bench, &lap, &kept);
        let far = |k: usize| misses[k].abs() / lap.sizes[kept[k]];
        let worst = (0..kept.len()).max_by(|&i, &j| far(i).total_cmp(&far(j)));
        let miss = worst.map_or(0.0, far);
        if miss <= NEARLY && !is_near {
            (is_near, last) = (true, f64::INFINITY);
            continue;
        }
        if miss <= EXACTLY || (miss <= BACK && miss > NEARER * last) {
            same_later(bench, &lap, search.period)?;
            search.note(bench, &lap, notes);
            return told(bench, &lap, &kept, &misses, search.period, notes);
        }
        search.alone &= miss < NEARER * last;
        last = miss;
        search.missed = search.missed.take().or_else(|| worst.map(|k| (bench.name_of_state(kept[k]), misses[k])));
        let moved = search.step(bench, &lap, &kept, &misses).and_then(|step| search.moved(bench, &lap, &kept, &step));
        match moved {
            Some(state) => bench.settle(state)?,
            None => break,
        }
    }
    Err(search.failed())
}

/// Refuses models whose motions have events: what happens there is not followed.
fn refuse_events(bench: &Bench<'_>) -> Result<(), Trouble> {
    let system = &bench.loaded.system;
    let one = system.constraints.iter().find(|one| one.is_one_sided() || one.from.is_some() || one.until.is_some());
    if let Some(one) = one {
        let why = format!("`{}` opens, closes or is switched, and a period is followed without events", one.name);
        return Err(Trouble::NoAnswer(why));
    }
    if let Some(one) = system.frictions.first() {
        return Err(Trouble::NoAnswer(format!("friction on `{}`: a period is followed without events", one.on)));
    }
    let switches = |op: Op| matches!(op, Op::Abs | Op::Sign | Op::Min | Op::Max | Op::IfNegative | Op::IfZero);
    let nodes = expr::Evaluator::new(&bench.equations.list, &[]).nodes();
    match nodes.into_iter().find(|node| switches(node.op())) {
        Some(node) => Err(Trouble::NoAnswer(format!("`{}` may switch, which is not followed", node.brief()))),
        None => Ok(()),
    }
}

/// One period in more and more steps, until Φ settles.
fn settled(
    bench: &Bench<'_>,
    period: f64,
    goal: Tolerance,
    steps: &mut usize,
    progress: &mut dyn Progress,
) -> Result<Lap, Trouble> {
    let mut progress = Ear::new(progress);
    let mut before = lap(bench, period, *steps, &mut progress);
    loop {
        let now = lap(bench, period, 2 * *steps, &mut progress);
        let is_last = 2 * *steps >= STEPS.1 || progress.is_over();
        match (before, now) {
            // too few steps may lead astray
            (_, Err(why)) if is_last => return Err(why),
            (Ok(before), Ok(now)) if is_settled(&before, &now, goal) => return better(bench, &before, now),
            (_, Ok(_)) if is_last => {
                let why = format!("{} steps do not follow one period closely enough for its multipliers", 2 * *steps);
                return Err(Trouble::NoAnswer(why));
            }
            (_, now) => before = now,
        }
        *steps *= 2;
    }
}

fn is_settled(before: &Lap, now: &Lap, goal: Tolerance) -> bool {
    let n = now.Phi.rows();
    let change = Matrix::from_fn(n, n, |i, j| now.Phi[i][j] - before.Phi[i][j]);
    goal.hides(change.largest(), now.Phi.largest().max(1.0))
}

/// What two numbers of steps say together: the method is of order four, so half the step leaves a sixteenth of the error.
fn better(bench: &Bench<'_>, before: &Lap, now: Lap) -> Result<Lap, Trouble> {
    let n = now.Phi.rows();
    let change = Matrix::from_fn(n, n, |i, j| now.Phi[i][j] - before.Phi[i][j]);
    let Phi = Matrix::from_fn(n, n, |i, j| now.Phi[i][j] + change[i][j] / 15.0);
    let errors = Matrix::from_fn(n, n, |i, j| change[i][j].abs() + 1e-13 * now.Phi.largest().max(1.0));
    let further = |now: &[f64], before: &[f64]| -> Vec<f64> {
        now.iter().zip(before).map(|(now, before)| now + (now - before) / 15.0).collect()
    };
    let (q, q_dot) = (further(&now.end.q, &before.end.q), further(&now.end.q_dot, &before.end.q_dot));
    let end = State { q, q_dot, ..now.end };
    let end = state::accelerated(&bench.equations, &end).map_err(|why| at_time(&end, why))?;
    Ok(Lap { end, Phi, errors, ..now })
}

/// One period from the state of the bench, in so many steps of Runge's and Kutta's method.
fn lap(bench: &Bench<'_>, period: f64, steps: usize, progress: &mut dyn Progress) -> Result<Lap, Trouble> {
    let (equations, h) = (&bench.equations, period / steps as f64);
    let first = reduced_at(bench, &bench.state, &bench.choice)?;
    let width = bench.choice.coordinates.len() + bench.choice.velocities.len();
    let mut at = Nearby::new(bench.state.clone(), &first, width);
    let mut sizes = sizes(equations, &bench.choice, &at.state);
    let mut passed = Vec::new();
    for step in 0..steps {
        if !progress.reached(step as f64 / steps as f64) {
            return Err(Trouble::NoAnswer("it was stopped".to_owned()));
        }
        if step % (steps / INSTANTS).max(1) == 0 {
            passed.push(at.state.clone());
        }
        at = at.stepped(bench, h).map_err(|failed| match is_astray(&bench.state, &failed.0) {
            true => Trouble::NoAnswer(format!(
                "{steps} steps of {} s do not follow a period of {} s: the motion changes faster, or grows without bound; \
                 give a shorter period",
                decimal(h),
                decimal(period)
            )),
            false => failed.1,
        })?;
        let now = self::sizes(equations, &bench.choice, &at.state);
        sizes.iter_mut().zip(now).for_each(|(size, x)| *size = size.max(x));
    }
    let end = state::accelerated(equations, &at.state).map_err(Trouble::NoAnswer)?;
    let Phi = independent(equations, &bench.choice, &end, &at.along, width);
    let least = f64::MIN_POSITIVE.max(1e-9 * sizes.iter().copied().fold(0.0, f64::max));
    sizes.iter_mut().for_each(|size| *size = size.max(least));
    Ok(Lap { end, errors: Matrix::zeros(width, width), Phi, sizes, passed })
}

/// A state, and how q and q' change with the x that the period began with: a column each.
struct Nearby {
    state: State,
    along: Matrix,
}

impl Nearby {
    fn new(state: State, first: &Reduced<Weighed>, width: usize) -> Nearby {
        let n = state.q.len();
        let coordinates = first.N.first().map_or(0, Vec::len);
        let (N, rates) = (floats(&first.N, coordinates), floats(&first.rates, width));
        let along = Matrix::from_fn(2 * n, width, |i, j| match i < n {
            true if j < coordinates => N[i][j],
            true => 0.0,
            false => rates[i - n][j],
        });
        Nearby { state, along }
    }

    /// One step of order four, back on the constraints; a failure comes with the state at which it happened.
    fn stepped(&self, bench: &Bench<'_>, h: f64) -> Result<Nearby, Box<(State, Trouble)>> {
        let equations = &bench.equations;
        let failed = |state: &State, why: String| Box::new((state.clone(), at_time(state, why)));
        let here = state::accelerated(equations, &self.state).map_err(|why| failed(&self.state, why))?;
        let taste = Taste { system: &bench.loaded.system, start: &bench.start, named: &[] };
        let choice = choice::choose(equations, &equations.slopes(&here), &taste).map_err(|why| failed(&here, why))?;
        let mut slopes: Vec<Change> = Vec::with_capacity(4);
        for ahead in [0.0, 0.5, 0.5, 1.0] {
            let there = match slopes.last() {
                Some(slope) => self.moved(&[(slope, ahead * h)], ahead * h),
                None => self.moved(&[], 0.0),
            };
            slopes.push(Change::at(bench, &choice, &there).map_err(|why| Box::new((there.state.clone(), why)))?);
        }
        let parts: Vec<(&Change, f64)> =
            slopes.iter().zip([1.0, 2.0, 2.0, 1.0]).map(|(slope, weight)| (slope, weight * h / 6.0)).collect();
        let Nearby { state, along } = self.moved(&parts, h);
        let state = state::projected(equations, &state)
            .ok_or_else(|| failed(&state, "the motion does not stay on the constraints".to_owned()))?;
        Ok(Nearby { state, along })
    }

    fn moved(&self, by: &[(&Change, f64)], later: f64) -> Nearby {
        let n = self.state.q.len();
        let mut made = Nearby { state: self.state.clone(), along: self.along.clone() };
        made.state.t += later;
        for (change, factor) in by {
            for k in 0..n {
                made.state.q[k] += factor * change.rates[k];
                made.state.q_dot[k] += factor * change.accelerations[k];
            }
            made.along =
                Matrix::from_fn(2 * n, made.along.columns(), |i, j| made.along[i][j] + factor * change.along[i][j]);
        }
        made
    }
}

/// How fast a state and what is near it change (1).
struct Change {
    rates: Vec<f64>,
    accelerations: Vec<f64>,
    along: Matrix,
}

impl Change {
    fn at(bench: &Bench<'_>, choice: &Choice, there: &Nearby) -> Result<Change, Trouble> {
        let equations = &bench.equations;
        let state = state::accelerated(equations, &there.state).map_err(|why| at_time(&there.state, why))?;
        let reduced = reduced_at(bench, &state, choice)?;
        let (n, width) = (equations.n(), there.along.columns());
        let own = choice.coordinates.len() + choice.velocities.len();
        let slopes = floats(&reduced.accelerations.0, own);
        let x = independent(equations, choice, &state, &there.along, own);
        let faster = slopes.times(&x);
        let along = Matrix::from_fn(2 * n, width, |i, j| match i < n {
            true => there.along[i + n][j],
            false => faster[i - n][j],
        });
        Ok(Change { rates: state.q_dot, accelerations: state.q_ddot, along })
    }
}

/// How the x of a choice change, where q and q' change so: a row for each of x.
fn independent(equations: &Equations, choice: &Choice, state: &State, along: &Matrix, own: usize) -> Matrix {
    let slopes = equations.slopes(state);
    let (by_q, by_rate) = (equations.block(&slopes, Of::Chosen, By::Q), equations.block(&slopes, Of::Chosen, By::Rate));
    let (n, count) = (equations.n(), choice.coordinates.len());
    Matrix::from_fn(own, along.columns(), |i, j| match i < count {
        true => along[choice.coordinates[i]][j],
        false => {
            let place = choice.velocities[i - count];
            let sum = |row: &[Weighed], from: usize| -> f64 { (0..n).map(|s| row[s].value * along[from + s][j]).sum() };
            sum(&by_q[place], 0) + sum(&by_rate[place], n)
        }
    })
}

fn reduced_at(bench: &Bench<'_>, state: &State, choice: &Choice) -> Result<Reduced<Weighed>, Trouble> {
    let slopes = bench.equations.slopes(state);
    reduce(&Weighing, &bench.equations, &slopes, choice, true).map_err(|why| at_time(state, why))
}

/// Whether a state that was reached is so far from where the motion began that its steps were too long.
fn is_astray(begin: &State, there: &State) -> bool {
    const FAR: f64 = 1e6;
    let size = |state: &State| state.q.iter().chain(&state.q_dot).fold(1.0_f64, |size, x| size.max(x.abs()));
    let is_finite = there.q.iter().chain(&there.q_dot).all(|x| x.is_finite());
    !is_finite || size(there) > FAR * size(begin)
}

fn at_time(state: &State, why: String) -> Trouble {
    Trouble::NoAnswer(format!("at t = {}: {why}", decimal(state.t)))
}

/// x at a state.
fn chosen(equations: &Equations, choice: &Choice, state: &State) -> Vec<f64> {
    let values = equations.values(state);
    let first = equations.of(Of::Chosen).start;
    let coordinates = choice.coordinates.iter().map(|&s| state.q[s]);
    coordinates.chain(choice.velocities.iter().map(|&place| values[first + place])).collect()
}

fn sizes(equations: &Equations, choice: &Choice, state: &State) -> Vec<f64> {
    chosen(equations, choice, state).into_iter().map(f64::abs).collect()
}

/// (2): x(T) − x(0) for the states that matter, angles without whole turns.
fn misses(bench: &Bench<'_>, lap: &Lap, kept: &[usize]) -> Vec<f64> {
    const TURN: f64 = std::f64::consts::TAU;
    let [begin, end] = [&bench.state, &lap.end].map(|state| chosen(&bench.equations, &bench.choice, state));
    let is_angle = |place: usize| {
        let coordinate = bench.choice.coordinates.get(place);
        coordinate.is_some_and(|&s| {
            bench.loaded.system.coordinates[s].dimension.as_ref().is_none_or(|dimension| dimension.is_none())
        })
    };
    let miss = |&place: &usize| {
        let gap = end[place] - begin[place];
        if is_angle(place) { gap - TURN * (gap / TURN).round() } else { gap }
    };
    kept.iter().map(miss).collect()
}

/// x' at a state, for the states that matter.
fn speeds(bench: &Bench<'_>, state: &State, kept: &[usize]) -> Vec<f64> {
    let values = bench.equations.values(state);
    let (first, count) = (bench.equations.of(Of::ChosenRate).start, bench.choice.coordinates.len());
    let speed = |&place: &usize| match place < count {
        true => state.q_dot[bench.choice.coordinates[place]],
        false => values[first + bench.choice.velocities[place - count]],
    };
    kept.iter().map(speed).collect()
}

/// The way from what was asked for to a periodic motion.
struct Search {
    begin: State,
    asked: f64,
    period: f64,
    /// Is the period alone corrected?
    alone: bool,
    /// What missed most at first, and by how much.
    missed: Option<(String, f64)>,
}

impl Search {
    /// (4): δx for the states that matter, then δT.
    fn step(&self, bench: &Bench<'_>, lap: &Lap, kept: &[usize], misses: &[f64]) -> Option<Vec<f64>> {
        let n = kept.len();
        let speeds = speeds(bench, &lap.end, kept);
        let right: Vec<f64> = misses.iter().map(|x| -x).collect();
        let sizes: Vec<f64> = kept.iter().map(|&place| lap.sizes[place]).collect();
        if self.alone {
            // each state in units of its size
            let along: Vec<f64> = speeds.iter().zip(&sizes).map(|(speed, size)| speed / size).collect();
            let missing: f64 = along.iter().zip(&right).zip(&sizes).map(|((v, x), size)| v * x / size).sum();
            let longer = missing / along.iter().map(|v| v * v).sum::<f64>();
            return longer.is_finite().then(|| [vec![0.0; n], vec![longer]].concat());
        }
        let is_free = !bench.equations.has_time;
        let matrix = Matrix::from_fn(n, n + usize::from(is_free), |i, j| match j < n {
            true => lap.Phi[kept[i]][kept[j]] - f64::from(u8::from(i == j)),
            false => speeds[i],
        });
        let spans = sizes.iter().copied().chain(is_free.then_some(self.period));
        let weights: Vec<f64> = spans.map(|size| 1.0 / (size * size)).collect();
        let mut step = shortest(matrix, &right, &weights, LEAST).ok()?.0;
        step.resize(n + 1, 0.0);
        Some(step)
    }

    /// Makes a step; the state after it, and nothing if that is far from what was asked for.
    fn moved(&mut self, bench: &Bench<'_>, lap: &Lap, kept: &[usize], step: &[f64]) -> Option<State> {
        let first = reduced_at(bench, &bench.state, &bench.choice).ok()?;
        let width = bench.choice.coordinates.len() + bench.choice.velocities.len();
        let along = Nearby::new(bench.state.clone(), &first, width).along;
        let mut state = bench.state.clone();
        let n = state.q.len();
        for (k, &place) in kept.iter().enumerate() {
            for s in 0..n {
                state.q[s] += along[s][place] * step[k];
                state.q_dot[s] += along[s + n][place] * step[k];
            }
        }
        self.period += step[kept.len()];
        let state = state::accelerated(&bench.equations, &state::projected(&bench.equations, &state)?).ok()?;
        let is_near =
            farthest(bench, &self.begin, &state, lap) <= NEAR && (self.period - self.asked).abs() <= NEAR * self.asked;
        is_near.then_some(state)
    }

    /// Tells what is not as it was asked for.
    fn note(&self, bench: &Bench<'_>, lap: &Lap, notes: &mut Vec<String>) {
        if (self.period - self.asked).abs() > TOLD * self.asked {
            notes.push(format!("the period is {} s, not {} s", decimal(self.period), decimal(self.asked)));
        }
        let moved = farthest(bench, &self.begin, &bench.state, lap);
        if moved > TOLD {
            notes.push(format!(
                "the start is not on a periodic motion: this is the nearest one that was found, {} of the size of the \
                 motion away",
                decimal(moved)
            ));
        }
    }

    fn failed(&self) -> Trouble {
        let miss =
            self.missed.as_ref().map_or(String::new(), |(name, by)| format!(": `{name}` differs by {}", decimal(*by)));
        Trouble::NoAnswer(format!(
            "after {} s the motion is not where it began{miss}, and no periodic motion was found near the start; begin \
             nearer to one, or give its period with more digits",
            decimal(self.asked)
        ))
    }
}

/// How far two states are apart, relative to how large each of x becomes.
fn farthest(bench: &Bench<'_>, a: &State, b: &State, lap: &Lap) -> f64 {
    let [a, b] = [a, b].map(|state| chosen(&bench.equations, &bench.choice, state));
    a.iter().zip(&b).zip(&lap.sizes).map(|((a, b), size)| (a - b).abs() / size).fold(0.0, f64::max)
}

/// Refuses equations with the time that are not the same a period later.
fn same_later(bench: &Bench<'_>, lap: &Lap, period: f64) -> Result<(), Trouble> {
    let numbers = |state: &State| -> Result<[Vec<f64>; 2], Trouble> {
        let state = state::accelerated(&bench.equations, state).map_err(|why| at_time(state, why))?;
        let slopes = slopes_at(bench, &state);
        Ok([state.q_ddot, slopes])
    };
    let laters = lap.passed.iter().map(|state| (state.clone(), State { t: state.t + period, ..state.clone() }));
    let ends = [(bench.state.clone(), lap.end.clone())];
    for (now, later) in laters.chain(ends) {
        let [a, b] = [numbers(&now)?, numbers(&later)?];
        let least = [lap.sizes.iter().copied().fold(0.0, f64::max) / (period * period), f64::MIN_POSITIVE];
        let differs = |k: usize| {
            let size = a[k].iter().chain(&b[k]).fold(least[k], |size, x| size.max(x.abs()));
            !SAME.hides(a[k].iter().zip(&b[k]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max), size)
        };
        if differs(0) || differs(1) {
            return Err(Trouble::NoAnswer(format!(
                "the forces at t = {} are not those a period of {} s later: the motion is not periodic",
                decimal(now.t),
                decimal(period)
            )));
        }
    }
    Ok(())
}

/// How forces and rows change with the state, in numbers.
fn slopes_at(bench: &Bench<'_>, state: &State) -> Vec<f64> {
    let (_, slopes) = bench.equations.plain_slopes(state);
    let width = bench.equations.by(By::Rate).end;
    let places = [Of::Motion, Of::Velocity, Of::Position].into_iter().flat_map(|of| bench.equations.of(of));
    places.flat_map(|row| slopes[row][..width].to_vec()).collect()
}

/// How far entries of Φ may be wrong: by the steps, since the motion misses its beginning, and since the period is not
/// exactly T, where Φ changes by A Φ δT.
fn with_misses(
    bench: &Bench<'_>,
    lap: &Lap,
    kept: &[usize],
    misses: &[f64],
    speeds: Option<&Vec<f64>>,
) -> Result<Matrix, Trouble> {
    let n = bench.choice.coordinates.len() + bench.choice.velocities.len();
    let A = floats(&reduced_at(bench, &lap.end, &bench.choice)?.A, n).part(kept, kept);
    let (Phi, steps) = (lap.Phi.part(kept, kept), lap.errors.part(kept, kept));
    let far = misses.iter().zip(kept).map(|(miss, &place)| miss.abs() / lap.sizes[place]).fold(0.0, f64::max);
    let longer = speeds.map_or(0.0, |speeds| {
        let along = speeds.iter().zip(kept).map(|(v, &place)| v.abs() / lap.sizes[place]).fold(0.0, f64::max);
        far / along
    });
    let faster = A.times(&Phi);
    let size = Phi.largest();
    Ok(Matrix::from_fn(kept.len(), kept.len(), |i, j| steps[i][j] + far * size + longer * faster[i][j].abs()))
}

/// (3), and what it says.
fn told(
    bench: &Bench<'_>,
    lap: &Lap,
    kept: &[usize],
    misses: &[f64],
    period: f64,
    notes: &mut Vec<String>,
) -> Result<Period, Trouble> {
    let (sizes, speeds): (Vec<f64>, _) =
        (kept.iter().map(|&place| lap.sizes[place]).collect(), speeds(bench, &lap.end, kept));
    let is_free =
        !bench.equations.has_time && speeds.iter().zip(&sizes).any(|(v, size)| v.abs() * period > 1e-6 * size);
    let Phi = lap.Phi.part(kept, kept);
    let errors = with_misses(bench, lap, kept, misses, is_free.then_some(&speeds))?;
    let mut found = circle::judged(&Phi, &errors)
        .ok_or_else(|| Trouble::NoAnswer("the multipliers were not found: the search did not end".to_owned()))?;
    let size = |value: Complex| value[0].hypot(value[1]);
    found.sort_by(|a, b| size(b.0).total_cmp(&size(a.0)).then(b.0[1].total_cmp(&a.0[1])));
    let mut others: Vec<(Complex, Place)> = found.clone();
    if is_free {
        let from_one = |one: &(Complex, Place)| (one.0[0] - 1.0).hypot(one.0[1]);
        let own = (0..others.len()).min_by(|&i, &j| from_one(&others[i]).total_cmp(&from_one(&others[j])));
        own.map(|own| others.remove(own));
        notes.push("the multiplier 1 belongs to disturbances along the motion".to_owned());
    }
    let stability = match () {
        () if others.iter().any(|one| one.1 == Place::Outside) => Growth::Unstable,
        () if !found.is_empty() && others.iter().all(|one| one.1 == Place::Inside) => Growth::Stable,
        () => Growth::Neutral,
    };
    if stability == Growth::Neutral {
        notes.push(
            "multipliers on the unit circle, as far as their errors tell: for larger disturbances nothing follows"
                .into(),
        );
    }
    Ok(Period { period, monodromy: Phi.to_rows(), floquet: found.into_iter().map(|one| one.0).collect(), stability })
}

//! Which steady motion has the values that the user fixes?
//!
//! ```text
//! R = 0, G = 0, h = 0, f = 0        the motion                                    (1)
//! u' = 0                            the independent velocities do not change      (2)
//! q_k' = 0                          but for coordinates that nothing depends on   (3)
//! e(q, q') = 0                      what the user fixes                           (4)
//! a' = 0                            first-order states do not change              (5)
//! ```
//!
//! Newton's method in q, q', q'', λ, a and the inputs that are solved for together, from the start of the model. Values
//! that (1) to (5) leave open are missing.

use linear::Scale;
use linear::rank::reduce;
use linear::tolerance::RANK;

use super::choice::Choice;
use super::equations::{By, Equations, Of, State};
use super::state::{accelerated, projected, somewhere};

/// A steady motion, or why there is none.
pub enum Steady {
    /// The state.
    Found(State),
    /// Values that nothing fixes, by name.
    Missing(Vec<String>),
    /// Newton's method found none; what was left, at the best.
    None(f64),
}

/// Steps of Newton's method.
const ROUNDS: usize = 60;
/// Starts that are tried: the state, and others around it.
const TRIES: u64 = 24;
/// A steady motion that is no farther from the start is taken at once. Scale: each value, or one.
const NEAR: f64 = 2.0;
/// What is left of scaled equations when they hold.
const HOLDS: f64 = 1e-10;

/// What is special about some unknowns.
#[derive(Clone, Copy)]
pub struct Open<'a> {
    /// Coordinates that nothing depends on: they stay where they are.
    pub pinned: &'a [usize],
    /// Inputs whose values are solved for.
    pub solved: &'a [usize],
}

impl Open<'_> {
    /// The columns of the unknowns: q, q', q'', λ, inputs, states.
    fn columns(&self, equations: &Equations) -> Vec<usize> {
        let inputs = equations.by(By::Input).start;
        let moving = 0..equations.by(By::Multiplier).end;
        moving.chain(self.solved.iter().map(|k| inputs + k)).chain(equations.by(By::State)).collect()
    }
}

/// The search from a state.
pub fn steady(equations: &Equations, choice: &Choice, open: Open<'_>, from: &State) -> Steady {
    let mut best = f64::INFINITY;
    let mut missing = None;
    let mut farther: Option<(f64, State)> = None;
    for attempt in 0..TRIES {
        let mut state = from.clone();
        if attempt > 0 {
            let reach = 0.1 * attempt as f64;
            let shift = |list: &mut [f64], seed: u64| {
                for (k, x) in list.iter_mut().enumerate() {
                    *x += reach * x.abs().max(0.3) * somewhere(seed + 64 * attempt + k as u64);
                }
            };
            shift(&mut state.q, 1 << 20);
            shift(&mut state.q_dot, 1 << 24);
            shift(&mut state.states, 1 << 28);
            for &s in open.pinned {
                state.q[s] = from.q[s];
            }
            state = projected(equations, &state).unwrap_or(state);
        }
        let state = accelerated(equations, &state).unwrap_or(state);
        match newton(equations, choice, open, state, from) {
            // at a pole the equations hold for want of a mass, and where a row loses its slope by an endless multiplier
            Ok((state, left)) if left.is_empty() => {
                match (is_steady(equations, choice, open, &state), distance(from, &state)) {
                    (false, _) => {}
                    (true, gap) if gap <= NEAR => return Steady::Found(state),
                    (true, gap) if farther.as_ref().is_none_or(|one| gap < one.0) => farther = Some((gap, state)),
                    _ => {}
                }
            }
            Ok((_, open)) => missing = missing.or(Some(open)),
            Err(left) => best = best.min(left),
        }
        if (missing.is_some() || farther.is_some()) && attempt > 3 {
            break;
        }
    }
    match (farther, missing) {
        (Some((_, state)), _) => Steady::Found(state),
        (None, Some(open)) => Steady::Missing(open),
        (None, None) => Steady::None(best),
    }
}

/// Whether (2), and what follows from (3), hold with the accelerations that the equations give, in their own units.
fn is_steady(equations: &Equations, choice: &Choice, open: Open<'_>, state: &State) -> bool {
    const STILL: f64 = 1e-6;
    let Ok(given) = accelerated(equations, state) else { return false };
    let size = given.q_ddot.iter().fold(1.0_f64, |size, a| size.max(a.abs()));
    let (values, first) = (equations.values(&given), equations.of(Of::ChosenRate).start);
    let rates = choice.velocities.iter().map(|place| values[first + place]);
    let kept = (0..equations.n()).filter(|s| !open.pinned.contains(s)).map(|s| given.q_ddot[s]);
    rates.chain(kept).all(|rate| rate.abs() <= STILL * size)
}

/// How far two states are apart.
fn distance(a: &State, b: &State) -> f64 {
    let pairs = a.q.iter().zip(&b.q).chain(a.q_dot.iter().zip(&b.q_dot));
    pairs.map(|(a, b)| (a - b).abs() / a.abs().max(1.0)).fold(0.0, f64::max)
}

/// The equations at a state: rows of slopes by the unknowns, and values.
fn system(
    equations: &Equations,
    choice: &Choice,
    open: Open<'_>,
    state: &State,
    from: &State,
) -> (Vec<Vec<f64>>, Vec<f64>) {
    let slopes = equations.slopes(state);
    let columns = open.columns(equations);
    let first = equations.of(Of::ChosenRate).start;
    let kinds = [Of::Motion, Of::Acceleration, Of::Velocity, Of::Position, Of::Further, Of::Law];
    let lists = kinds.map(|of| equations.of(of));
    let places = lists.into_iter().flatten().chain(choice.velocities.iter().map(|place| first + place));
    let slope = |row: usize| columns.iter().map(|&k| slopes.by[row][k].value).collect();
    let (mut rows, mut values): (Vec<Vec<f64>>, Vec<f64>) =
        places.map(|row| (slope(row), slopes.values[row].value)).unzip();
    let mut pin = |column: usize, value: f64| {
        rows.push((0..columns.len()).map(|k| if k == column { 1.0 } else { 0.0 }).collect());
        values.push(value);
    };
    for s in 0..equations.n() {
        match open.pinned.contains(&s) {
            true => pin(s, state.q[s] - from.q[s]),
            false => pin(equations.by(By::Rate).start + s, state.q_dot[s]),
        }
    }
    (rows, values)
}

/// The steady motion and the names of what is open, or what is left.
fn newton(
    equations: &Equations,
    choice: &Choice,
    open: Open<'_>,
    mut state: State,
    from: &State,
) -> Result<(State, Vec<String>), f64> {
    let measure = |rows: &[Vec<f64>], values: &[f64]| {
        let size = |row: &[f64]| row.iter().fold(0.0_f64, |size, x| size.max(x.abs())).max(1e-300);
        rows.iter().zip(values).map(|(row, x)| x.abs() / size(row)).fold(0.0, f64::max)
    };
    let (mut rows, mut values) = system(equations, choice, open, &state, from);
    let mut left = measure(&rows, &values);
    for _ in 0..ROUNDS {
        if !left.is_finite() {
            return Err(f64::INFINITY);
        }
        if left <= 1e-15 {
            break;
        }
        let back: Vec<f64> = values.iter().map(|value| -value).collect();
        let Ok(found) = reduce(&rows, &back, Scale::RowsAndColumns, RANK) else { return Err(f64::INFINITY) };
        let step = found.solution();
        let mut better = None;
        for halving in 0..12 {
            let next = moved(equations, open, &state, &step, 0.5_f64.powi(halving));
            let made = system(equations, choice, open, &next, from);
            let now = measure(&made.0, &made.1);
            if now < left {
                better = Some((next, made, now));
                break;
            }
        }
        let Some((next, made, now)) = better else { break };
        ((rows, values), state) = (made, next);
        let is_slow = left <= HOLDS && now > 0.5 * left;
        left = now;
        if is_slow {
            break;
        }
    }
    if left > HOLDS {
        return Err(left);
    }
    rest(&mut state, open);
    let Ok(found) = reduce(&rows, &[], Scale::RowsAndColumns, RANK) else { return Err(f64::INFINITY) };
    let null = found.null_vectors();
    let n = equations.n();
    let (loads, states) = (equations.by(By::Multiplier).end, equations.by(By::Multiplier).end + open.solved.len());
    let name = |k: usize| match k {
        _ if k < n => Some(equations.names[k].clone()),
        _ if k < 2 * n => Some(format!("{}'", equations.names[k - n])),
        _ if k < loads => None,
        _ if k < states => Some(equations.inputs[open.solved[k - loads]].clone()),
        _ => Some(equations.states[k - states].clone()),
    };
    let free = (0..states + equations.states.len()).filter(|&k| null.iter().any(|vector| vector[k].abs() > 1e-6));
    Ok((state, free.filter_map(name).collect()))
}

/// Makes (3) hold exactly.
fn rest(state: &mut State, open: Open<'_>) {
    let rates = state.q_dot.iter_mut().enumerate();
    rates.filter(|(s, rate)| !open.pinned.contains(s) && rate.abs() < HOLDS).for_each(|(_, rate)| *rate = 0.0);
}

fn moved(equations: &Equations, open: Open<'_>, state: &State, step: &[f64], factor: f64) -> State {
    let n = equations.n();
    let mut next = state.clone();
    let add = |list: &mut [f64], from: usize| list.iter_mut().zip(&step[from..]).for_each(|(x, d)| *x += factor * d);
    add(&mut next.q, 0);
    add(&mut next.q_dot, n);
    add(&mut next.q_ddot, 2 * n);
    add(&mut next.lambda, 3 * n);
    let loads = equations.by(By::Multiplier).end;
    open.solved.iter().zip(&step[loads..]).for_each(|(&k, d)| next.changes[k] += factor * d);
    add(&mut next.states, loads + open.solved.len());
    next
}

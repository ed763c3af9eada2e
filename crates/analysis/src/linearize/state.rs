//! What is the motion at a state, is the state on the constraints, and what lies near it?
//!
//! ```text
//! [R_q'' −Aᵀ; A 0] (q'', λ) = −(R, G)         at q'' = 0, λ = 0                            (1)
//! f_q Δq = −f,  h_q' Δq' = −h                 the smallest steps back to the constraints   (2)
//! ```

use linear::least::shortest;
use linear::span::{Span, first_dependent};
use linear::tolerance::{ANGLE, LEAST, SPAN};
use linear::vector::length;
use linear::weighed::{Weighed, floats};

use super::equations::{By, Equations, Of, Slopes, State};

/// Fills in accelerations and multipliers (1); the reason if they are not determined.
pub fn accelerated(equations: &Equations, state: &State) -> Result<State, String> {
    let (n, m) = (equations.n(), equations.rows.len());
    let still = State { q_ddot: vec![0.0; n], lambda: vec![0.0; m], ..state.clone() };
    let (values, slopes) = equations.steepness(&still);
    let places = [Of::Motion, Of::Acceleration].into_iter().flat_map(|of| equations.of(of));
    let (matrix, right): (Vec<Vec<f64>>, Vec<f64>) = places.map(|row| (slopes[row].clone(), -values[row])).unzip();
    if let Some(row) = right.iter().position(|value| !value.is_finite()) {
        let what = match row.checked_sub(n) {
            None => format!("the equation of motion of `{}`", equations.names[row]),
            Some(row) => format!("the constraint `{}`", equations.rows[row]),
        };
        return Err(format!("{what} has no value at this state"));
    }
    if let Some(name) = noise(equations, &still, &slopes) {
        return Err(vanishes(name));
    }
    if let Some(s) = massless(equations, &still, &slopes) {
        return Err(moves_nothing(&equations.names[s]));
    }
    let x = linear::solve::evaluated(matrix, &right)
        .ok()
        .ok_or_else(|| undetermined(equations, &equations.slopes(&still)))?;
    let (q_ddot, lambda) = x.split_at(n);
    Ok(State { q_ddot: q_ddot.to_vec(), lambda: lambda.to_vec(), ..state.clone() })
}

/// A row whose slopes are nothing but the rounding of the state: sin(c) at c = π is 1.2e-16, and as much in error.
fn noise<'a>(equations: &'a Equations, still: &State, slopes: &[Vec<f64>]) -> Option<&'a str> {
    const SMALL: f64 = 1e-12;
    let small = |row: usize| slopes[row].iter().all(|slope| slope.abs() < SMALL);
    let rows: Vec<usize> = equations.of(Of::Acceleration).filter(|&row| small(row)).collect();
    if rows.is_empty() {
        return None;
    }
    let shaken = shaken(equations, still);
    let is_noise =
        |row: usize| slopes[row].iter().zip(&shaken[row]).all(|(a, b)| *b == 0.0 || (a - b).abs() > 0.5 * a.abs());
    let row = rows.into_iter().find(|&row| is_noise(row))?;
    equations.rows.get(row - equations.of(Of::Acceleration).start).map(String::as_str)
}

/// A coordinate that moves no mass but for the rounding of the state: sin(c)^2 at c = π is 1.5e-32.
fn massless(equations: &Equations, still: &State, slopes: &[Vec<f64>]) -> Option<usize> {
    const SMALL: f64 = 1e-18;
    let own = |slopes: &[Vec<f64>], s: usize| slopes[equations.of(Of::Motion).start + s][s].abs();
    let masses: Vec<f64> = (0..equations.n()).map(|s| own(slopes, s)).collect();
    let largest = masses.iter().copied().fold(0.0, f64::max);
    let small = |s: &usize| masses[*s] > 0.0 && masses[*s] < SMALL * largest;
    let mut doubtful = (0..equations.n()).filter(small).peekable();
    doubtful.peek()?;
    let shaken = shaken(equations, still);
    doubtful.find(|&s| (own(&shaken, s) - masses[s]).abs() > 0.5 * masses[s])
}

/// Slopes by accelerations and multipliers at a state that differs by a little more than rounding.
fn shaken(equations: &Equations, still: &State) -> Vec<Vec<f64>> {
    const SHAKEN: f64 = 4e-15;
    let mut next = still.clone();
    next.q.iter_mut().enumerate().for_each(|(k, x)| *x += SHAKEN * x.abs().max(1.0) / (1.0 + 0.1 * k as f64));
    equations.steepness(&next).1
}

fn moves_nothing(name: &str) -> String {
    format!("`{name}` moves no mass at this state")
}

fn vanishes(name: &str) -> String {
    format!("the slope of `{name}` vanishes at this state, so that it says nothing about accelerations")
}

/// Why (1) has no solution.
fn undetermined(equations: &Equations, slopes: &Slopes<Weighed>) -> String {
    let A = equations.block(slopes, Of::Acceleration, By::Acceleration);
    let mut span = Span::default();
    for (row, name) in floats(&A, equations.n()).iter().zip(&equations.rows) {
        if length(row) < 1e-12 {
            return vanishes(name);
        }
        if !span.grow(row, SPAN) {
            return format!("the constraints are not independent at this state: `{name}` depends on those before it");
        }
    }
    let inertia = equations.block(slopes, Of::Motion, By::Acceleration);
    let idle = (0..equations.n())
        .find(|&s| inertia.iter().all(|row| row[s].value == 0.0) && A.iter().all(|row| row[s].value == 0.0));
    match idle {
        Some(s) => moves_nothing(&equations.names[s]),
        None => {
            "the mass matrix is singular at this state: some motion that the constraints allow moves no mass".to_owned()
        }
    }
}

/// The nearest state on the constraints (2), if Newton's method finds it.
pub fn projected(equations: &Equations, state: &State) -> Option<State> {
    let mut state = state.clone();
    for (of, by) in [(Of::Position, By::Q), (Of::Velocity, By::Rate)] {
        if equations.of(of).is_empty() {
            continue;
        }
        let mut previous = f64::INFINITY;
        for round in 0.. {
            let (values, rows) = equations.constraints(&state, of, by);
            let right: Vec<f64> = values.iter().map(|x| -x).collect();
            let size = |k: usize| rows[k].iter().map(|x| x.abs()).fold(1e-300, f64::max);
            let error = right.iter().enumerate().map(|(k, x)| x.abs() / size(k)).fold(0.0, f64::max);
            if error <= 1e-13 || (error < 1e-9 && error >= 0.5 * previous) {
                break;
            }
            if round > 30 || !error.is_finite() {
                return None;
            }
            previous = error;
            // the smallest step, if the rows are independent
            if first_dependent(&linear::Matrix::from(&rows), ANGLE).is_some() {
                return None;
            }
            let (step, _) = shortest(&rows, &right, &vec![1.0; equations.n()], LEAST).ok()?;
            let moved = if by == By::Q { &mut state.q } else { &mut state.q_dot };
            moved.iter_mut().zip(step).for_each(|(x, d)| *x += d);
        }
    }
    Some(state)
}

/// A number between −1 and 1 that depends on its seed alone.
pub fn somewhere(seed: u64) -> f64 {
    let mut x = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// A state on the constraints nearby, without any symmetry, with its accelerations.
pub fn nearby(equations: &Equations, state: &State, seed: u64) -> Option<State> {
    let shift = |list: &[f64], seed: u64| -> Vec<f64> {
        let one = |(k, x): (usize, &f64)| x + 0.07 * x.abs().max(1.0) * somewhere(seed * 1000 + k as u64);
        list.iter().enumerate().map(one).collect()
    };
    for shrink in 0..3 {
        let mut moved = State { q: shift(&state.q, seed), q_dot: shift(&state.q_dot, seed + 1), ..state.clone() };
        let small = 0.1_f64.powi(shrink);
        let pull = |to: &mut [f64], from: &[f64]| to.iter_mut().zip(from).for_each(|(x, y)| *x = y + small * (*x - y));
        pull(&mut moved.q, &state.q);
        pull(&mut moved.q_dot, &state.q_dot);
        if let Some(found) = projected(equations, &moved).and_then(|moved| accelerated(equations, &moved).ok()) {
            return Some(found);
        }
    }
    None
}

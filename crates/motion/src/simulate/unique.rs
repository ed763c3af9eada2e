//! Is rest the only motion from where everything rests?
//!
//! ```text
//! T(δ)                     the time in which the motion from rest at the distance δ comes to the distance D
//! T(δ) ~ ln(D/δ)           where the forces are Lipschitz and rest is unstable: no end as δ → 0
//! T(δ) → T(0) < ∞          the motion leaves a state of rest by itself, and resting is another one          (1)
//! ```

use numeric::guard::Guard;
use numeric::{Failure, Field, Machine, Method, Motion, Onlooker, Plan, Trouble};

use crate::simulate::phase::Phase;
use crate::simulate::state::State;

/// D and three δ, against the size of a coordinate.
const FAR: f64 = 1e-3;
const NEAR: [f64; 3] = [1e-6, 1e-9, 1e-12];
/// T has come to its end if it changes by less from each δ to the next.
const SAME: f64 = 0.05;
/// No departure takes more steps.
const MOST: usize = 2000;

/// A note if (1) holds at a state.
pub fn note(phase: &mut Phase, state: &State, sizes: &[f64], until: f64) -> Option<String> {
    let n = phase.coordinates;
    let mut slope = vec![0.0; state.y.len()];
    phase.machine.rates(state.t, &state.y, &mut slope).ok()?;
    let rests = (0..n).all(|k| {
        let turn = sizes[n + k] * sizes[n + k] / sizes[k];
        slope[k].abs() <= 1e-12 * sizes[n + k] && slope[n + k].abs() <= 1e-12 * turn
    });
    let rests = rests && (2 * n..phase.work).all(|k| slope[k].abs() <= 1e-12 * sizes[k]);
    if !rests || !(0..n).any(|k| is_steep(&mut phase.machine, state, sizes, &slope, k)) {
        return None;
    }
    let plan = Plan {
        method: Method::Dop853,
        is_free: false,
        tolerance: 1e-6,
        sizes: sizes.to_vec(),
        step: None,
        watches: Vec::new(),
        longest: (until - state.t) / 10.0,
        crosses: false,
        keeps: false,
    };
    let mut leaves = |k: usize, side: f64| {
        let times = NEAR.map(|near| {
            let mut y = state.y.clone();
            y[k] += side * near * sizes[k];
            phase.machine.project(state.t, &mut y, sizes);
            departure(&mut phase.machine, plan.clone(), state, y, until)
        });
        let [Some(one), Some(two), Some(three)] = times else { return false };
        two - one < SAME * one && three - two < SAME * two
    };
    let leaves = (0..n).any(|k| [1.0, -1.0].into_iter().any(|side| leaves(k, side)));
    // switches look again
    let _ = phase.machine.settle(state.t, &state.y);
    leaves.then(|| {
        "the motion from the start is not unique: everything rests there, and yet from smaller and smaller distances it \
         leaves in the same time, since a force is not Lipschitz; resting is one motion, and not the only one"
            .to_owned()
    })
}

/// Whether accelerations change faster and faster, the smaller a change of a coordinate is.
fn is_steep(machine: &mut Machine, state: &State, sizes: &[f64], rest: &[f64], k: usize) -> bool {
    let mut growth = |step: f64| {
        let (mut y, mut slope) = (state.y.clone(), rest.to_vec());
        y[k] += step * sizes[k];
        machine.rates(state.t, &y, &mut slope).ok()?;
        let change = slope.iter().zip(rest).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        Some(change / (step * sizes[k]))
    };
    let (Some(coarse), Some(fine)) = (growth(1e-4), growth(1e-8)) else { return false };
    fine > 2.0 * coarse && coarse > 0.0
}

/// The time in which a motion from rest is far away.
fn departure(machine: &mut Machine, plan: Plan, from: &State, y: Vec<f64>, until: f64) -> Option<f64> {
    let sizes = plan.sizes.clone();
    machine.settle(from.t, &y).ok()?;
    let mut motion = Motion::new(machine, plan, from.t, y).ok()?;
    let mut far = Far { from, sizes, steps: 0 };
    match motion.advance(until, &mut far) {
        Err(Failure::Interrupted { t }) if far.steps <= MOST => Some(t - from.t),
        _ => None,
    }
}

/// Who ends a motion that is far from where it began.
struct Far<'a> {
    from: &'a State,
    sizes: Vec<f64>,
    steps: usize,
}

impl Onlooker for Far<'_> {
    fn next(&self) -> Option<f64> {
        None
    }

    fn take(&mut self, _: &mut Machine, _: f64, _: &[f64]) -> Result<(), Trouble> {
        Ok(())
    }

    fn passes(&mut self, _: f64, _: &[f64], _: &Guard) -> bool {
        false
    }

    fn goes_on(&mut self, _: &mut Machine, _: f64, y: &[f64]) -> bool {
        self.steps += 1;
        let places = y.iter().zip(&self.from.y).zip(&self.sizes).take(y.len() / 2);
        let is_far = places.map(|((y, from), size)| (y - from).abs() / size).any(|away| away > FAR);
        !is_far && self.steps <= MOST
    }
}

//! Is a motion that of the model's text? Plain numbers decide, without an expression and without a formalism.
//!
//! ```text
//! R_s = Σ m r''·∂r/∂q_s + (Iω)'·∂θ/∂q_s − Σ F·∂r/∂q_s − M·∂θ/∂q_s       q'' as somebody says        (1)
//! R ⊥ every displacement that the rows admit:  R in the span of the A                               (2)
//! f'' = 0, f' = 0 or f = 0                       along the path, by the order of the row            (3)
//! ```
//!
//! The coordinates follow q + q' ε + q'' ε²/2; whatever the text says becomes a number with its derivatives along that
//! path (`jet.rs`, `scene.rs`). It is asked where forms do not agree: who is right, then, is neither a matter of votes
//! nor of one form. Tolerances are far apart: what is neither clearly right nor clearly wrong is not decided.

mod jet;
mod scene;

use rustc_hash::FxHashMap;

use crate::System;
use crate::rows::Row;
use jet::{Arrow, Jet, cross, dot, minus, rate, times, zero};
use scene::{Effort, Path, Scene, Target};

/// Up to this share of what cancels a motion is right, and from that one on it is wrong.
const RIGHT: f64 = 1e-7;
const WRONG: f64 = 1e-4;
/// By how much rates are changed to see what depends on them.
const STEP: f64 = 1e-3;

/// A state in numbers.
pub(crate) struct State {
    /// Parameters, inputs and unknowns.
    pub constants: FxHashMap<String, f64>,
    pub time: f64,
    pub q: Vec<f64>,
    pub q_dot: Vec<f64>,
}

/// Numbers for one model at one state.
pub(crate) struct Numbers<'a> {
    system: &'a System,
    rows: &'a [Row],
    state: &'a State,
}

/// Which derivative of the coordinates is changed.
#[derive(Clone, Copy)]
enum Change {
    Rate(usize, f64),
    Acceleration(usize, f64),
}

impl<'a> Numbers<'a> {
    pub fn new(system: &'a System, rows: &'a [Row], state: &'a State) -> Numbers<'a> {
        Numbers { system, rows, state }
    }

    /// Are these the values of the rows? Up to signs and directions in a plane; `None` if it cannot be told.
    pub fn have_rows(&self, values: &[f64]) -> Option<bool> {
        let still = vec![0.0; self.state.q.len()];
        let of_text = self.along(&still, None, |scene| self.row_jets(scene))??;
        let mut verdict = Some(true);
        for (place, row) in self.rows.iter().enumerate().filter(|(_, row)| row.order < 2) {
            // each constraint once, at its first row
            if self.rows[..place].iter().any(|before| before.constraint == row.constraint) {
                continue;
            }
            let own = |k: &usize| self.rows[*k].constraint == row.constraint && self.rows[*k].order < 2;
            let size =
                |value: &dyn Fn(usize) -> f64| (0..self.rows.len()).filter(own).map(|k| value(k).powi(2)).sum::<f64>();
            let (theirs, text) = (size(&|k| values[k]).sqrt(), size(&|k| of_text[k].value()).sqrt());
            verdict = both(verdict, judged((theirs - text).abs(), theirs + text + self.reach()));
        }
        verdict
    }

    /// Do these accelerations make the motion that the text describes? `None` if it cannot be told.
    pub fn allow(&self, q_ddot: &[f64]) -> Option<bool> {
        let (mut force, parts) = self.surplus(q_ddot)?;
        let (mut size, usual) = self.weighed(q_ddot, &force, parts)?;
        let mut slopes = Vec::with_capacity(self.rows.len());
        let still = vec![0.0; q_ddot.len()];
        let (moved, at_rest) = (self.conditions(q_ddot)?, self.conditions(&still)?);
        let mut verdict = Some(true);
        for (place, row) in self.rows.iter().enumerate() {
            let A = self.slopes(place, row.order, q_ddot)?;
            let carried: f64 = A.iter().zip(q_ddot).map(|(a, q)| a.abs() * (q.abs() + usual)).sum();
            verdict = both(verdict, judged(moved[place].abs(), carried + at_rest[place].abs()));
            slopes.push(A);
        }
        for direction in orthonormal(slopes) {
            let along: f64 = force.iter().zip(&direction).map(|(f, d)| f * d).sum();
            force.iter_mut().zip(&direction).for_each(|(f, d)| *f -= along * d);
            size.iter_mut().zip(&direction).for_each(|(size, d)| *size += (along * d).abs());
        }
        let largest = size.iter().copied().fold(0.0, f64::max);
        force.iter().fold(verdict, |verdict, f| both(verdict, judged(f.abs(), largest)))
    }

    /// How large forces and accelerations are here, so that nothing is judged by its own rounding: the parts of (1) and
    /// what accelerations weigh, also those that go with the speeds; and the acceleration that such forces give.
    fn weighed(&self, q_ddot: &[f64], force: &[f64], mut size: Vec<f64>) -> Option<(Vec<f64>, f64)> {
        let fast = self.state.q_dot.iter().fold(0.0_f64, |most, rate| most.max(rate * rate));
        let mut heaviest = 0.0_f64;
        for (k, acceleration) in q_ddot.iter().enumerate() {
            let mut more = q_ddot.to_vec();
            more[k] += 1.0;
            for ((size, pushed), force) in size.iter_mut().zip(self.surplus(&more)?.0).zip(force) {
                let weight = (pushed - force).abs();
                heaviest = heaviest.max(weight);
                *size += weight * (acceleration.abs() + fast);
            }
        }
        let largest = size.iter().copied().fold(0.0, f64::max);
        Some((size, if heaviest > 0.0 { largest / heaviest } else { 0.0 }))
    }

    /// A length of the state, so that a row that is nearly zero is not judged by its own rounding.
    fn reach(&self) -> f64 {
        1e-3 * self.state.q.iter().chain(&self.state.q_dot).map(|x| x.abs()).fold(0.0, f64::max)
    }

    /// What is left of (1), and how large its parts are.
    fn surplus(&self, q_ddot: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
        let n = q_ddot.len();
        let (mut sum, mut size) = (vec![0.0; n], vec![0.0; n]);
        let damped = self
            .along(q_ddot, None, |scene| scene.efforts.iter().any(|effort| matches!(effort, Effort::Dissipation(_))))?;
        for s in 0..n {
            let mut parts = self.parts(q_ddot, s)?;
            if damped {
                let energy = |h: f64| self.along(q_ddot, Some(Change::Rate(s, h)), dissipated);
                parts.push((energy(STEP)? - energy(-STEP)?) / (2.0 * STEP));
            }
            sum[s] = parts.iter().sum();
            size[s] = parts.iter().map(|part| part.abs()).sum();
        }
        sum.iter().all(|x| x.is_finite()).then_some((sum, size))
    }

    /// The parts of R_s.
    fn parts(&self, q_ddot: &[f64], s: usize) -> Option<Vec<f64>> {
        let coordinate = &self.system.coordinates[s].name;
        self.along(q_ddot, None, |scene| {
            self.displaced(s, |moved| {
                let mut parts = Vec::new();
                for (one, there) in scene.masses.iter().zip(&moved.masses) {
                    let displacement = shift(there.place);
                    parts.push(work(times(rate(rate(one.place)), one.mass), displacement));
                    if let (Some((axes, inertia)), Some((swung, _))) = (one.body, there.body) {
                        parts.push(work(rate(spin(axes, inertia)), turn(swung)));
                    }
                    if let Some(u) = one.exhaust {
                        parts.push(-work(times(u, one.mass.rate()), displacement));
                    }
                    for effort in &scene.efforts {
                        if let Effort::Gravity(g) = effort {
                            parts.push(-work(times(*g, one.mass), displacement));
                        }
                    }
                }
                for (effort, there) in scene.efforts.iter().zip(&moved.efforts) {
                    parts.extend(done(effort, there, moved, coordinate).map(|done| -done));
                }
                parts
            })
        })?
    }

    // ---- rows

    fn row_jets(&self, scene: &Scene<'_>) -> Option<Vec<Jet>> {
        let known = |row: &Row| scene.rows.get(&row.name).copied().filter(|_| !row.slips);
        self.rows.iter().map(known).collect()
    }

    /// (3)
    fn conditions(&self, q_ddot: &[f64]) -> Option<Vec<f64>> {
        let jets = self.along(q_ddot, None, |scene| self.row_jets(scene))??;
        let of = |(jet, row): (&Jet, &Row)| match row.order {
            0 => 2.0 * jet.0[2],
            1 => jet.0[1],
            _ => jet.0[0],
        };
        Some(jets.iter().zip(self.rows).map(of).collect())
    }

    /// A of a row: its slopes by what it is about.
    fn slopes(&self, place: usize, order: u32, q_ddot: &[f64]) -> Option<Vec<f64>> {
        let jet = |scene: &Scene<'_>| scene.rows.get(&self.rows[place].name).copied();
        let by = |s: usize| match order {
            0 => Some(self.displaced(s, |moved| jet(moved))??.0[1]),
            _ => {
                let change = |h| if order == 1 { Change::Rate(s, h) } else { Change::Acceleration(s, h) };
                let at = |h: f64| Some(self.along(q_ddot, Some(change(h)), jet)??.value());
                Some((at(STEP)? - at(-STEP)?) / (2.0 * STEP))
            }
        };
        (0..q_ddot.len()).map(by).collect()
    }

    // ---- paths

    /// The text while the coordinates follow q + q' ε + q'' ε²/2.
    fn along<T>(&self, q_ddot: &[f64], change: Option<Change>, ask: impl FnOnce(&Scene<'_>) -> T) -> Option<T> {
        let mut jets = Vec::new();
        for (s, &acceleration) in q_ddot.iter().enumerate() {
            let (mut first, mut second) = (self.state.q_dot[s], acceleration);
            match change {
                Some(Change::Rate(place, h)) if place == s => first += h,
                Some(Change::Acceleration(place, h)) if place == s => second += h,
                _ => {}
            }
            jets.push(Jet::along([self.state.q[s], first, second / 2.0]));
        }
        self.following(&jets, Jet::along([self.state.time, 1.0, 0.0]), ask)
    }

    /// The text while one coordinate is displaced and time stands still.
    fn displaced<T>(&self, place: usize, ask: impl FnOnce(&Scene<'_>) -> T) -> Option<T> {
        let of = |(s, &q): (usize, &f64)| Jet::along([q, if s == place { 1.0 } else { 0.0 }, 0.0]);
        let jets: Vec<Jet> = self.state.q.iter().enumerate().map(of).collect();
        self.following(&jets, Jet::constant(self.state.time), ask)
    }

    fn following<T>(&self, jets: &[Jet], time: Jet, ask: impl FnOnce(&Scene<'_>) -> T) -> Option<T> {
        let names = self.system.coordinates.iter().map(|coordinate| coordinate.name.clone());
        let coordinates: FxHashMap<String, Jet> = names.zip(jets.iter().copied()).collect();
        let path = Path { coordinates: &coordinates, constants: &self.state.constants, time };
        Scene::of(&self.system.lines, &path).map(|scene| ask(&scene))
    }
}

/// How a place is displaced.
fn shift(place: Arrow) -> [f64; 3] {
    place.map(|part| part.0[1])
}

/// By which angle axes are displaced: ½ Σ e × δe.
fn turn(axes: [Arrow; 3]) -> [f64; 3] {
    scene::turning(axes).map(Jet::value)
}

fn work(force: Arrow, displacement: [f64; 3]) -> f64 {
    force.iter().zip(displacement).map(|(force, shift)| force.value() * shift).sum()
}

/// I ω along N.
fn spin(axes: [Arrow; 3], inertia: [[Jet; 3]; 3]) -> Arrow {
    let omega = scene::turning(axes);
    let parts = axes.map(|e| dot(e, omega));
    let along = |a: usize| inertia[a][0] * parts[0] + inertia[a][1] * parts[1] + inertia[a][2] * parts[2];
    (0..3).fold(zero(), |sum, a| jet::plus(sum, times(axes[a], along(a))))
}

/// What an effort does while the coordinate is displaced; weights are done with the masses.
fn done(effort: &Effort, there: &Effort, moved: &Scene<'_>, coordinate: &str) -> Option<f64> {
    match (effort, there) {
        (Effort::Force { force, on: Target::Point(place), .. }, _) => Some(work(*force, shift(moved.points[*place]))),
        (Effort::Force { force, on: Target::Body(place), at }, _) => {
            let body = &moved.bodies[*place];
            let by_turn = turn(body.body?.0).map(Jet::constant);
            let arm = minus(*at, body.place).map(|part| Jet::constant(part.value()));
            Some(work(*force, shift(body.place)) + work(*force, cross(by_turn, arm).map(Jet::value)))
        }
        (Effort::Torque { torque, body }, _) => Some(work(*torque, turn(moved.bodies[*body].body?.0))),
        (Effort::Pull { force, .. }, Effort::Pull { length, .. }) => Some(-force.value() * length.0[1]),
        (Effort::Generalized { force, coordinate: own }, _) if own == coordinate => Some(force.value()),
        _ => None,
    }
}

fn dissipated(scene: &Scene<'_>) -> f64 {
    let of = |effort: &Effort| if let Effort::Dissipation(energy) = effort { energy.value() } else { 0.0 };
    scene.efforts.iter().map(of).sum()
}

/// Unit vectors that span what these span.
fn orthonormal(list: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let norm = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut found: Vec<Vec<f64>> = Vec::new();
    for mut v in list {
        let before = norm(&v);
        for _ in 0..2 {
            for known in &found {
                let along: f64 = v.iter().zip(known).map(|(a, b)| a * b).sum();
                v.iter_mut().zip(known).for_each(|(a, b)| *a -= along * b);
            }
        }
        let size = norm(&v);
        if size > 1e-9 * before {
            found.push(v.into_iter().map(|x| x / size).collect());
        }
    }
    found
}

/// Is what is left nothing, beside what cancelled?
fn judged(left: f64, size: f64) -> Option<bool> {
    match left {
        _ if !left.is_finite() || !size.is_finite() => None,
        _ if left <= RIGHT * size => Some(true),
        _ if left >= WRONG * size => Some(false),
        _ => None,
    }
}

/// Wrong if one is wrong; right if both are.
fn both(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

//! Forces that switch: `sign`, `abs`, `min`, `max`, `if`, with instants in closed form; dry friction that sticks.

use std::f64::consts::PI;

use crate::functions::root;
use crate::{follows, last, near, own, run};

/// A block of 1 kg with a force in newtons, from x with the velocity v.
fn block(force: &str, x: f64, v: f64) -> anholon::Settings {
    own(&format!(
        "
param m = 1 kg, k = 1 N/m, F = 1 N, b = 1 m, T = 1 s
coord x : m
point P = (x, 0) mass m
generalized force {force} on x
start x = {x} m, x' = {v} m/s
"
    ))
}

#[test]
fn a_force_that_turns_with_the_side() {
    // x'' = −sign x from 2: parabolas with the period 8
    let motion = run(&block("-F*sign(x)", 2.0, 0.0), 20.0);
    follows(&motion, "x", |t| match t % 8.0 {
        s if s < 2.0 => 2.0 - s * s / 2.0,
        s if s < 6.0 => -2.0 * (s - 2.0) + (s - 2.0).powi(2) / 2.0,
        s => 2.0 * (s - 6.0) - (s - 6.0).powi(2) / 2.0,
    });
    assert!(motion.energy_drift < 1e-11, "{:e}", motion.energy_drift);
}

#[test]
fn a_spring_that_saturates() {
    // x'' = −min(x, 1) from 3: falls evenly to 1 with −2, swings on √5, comes back
    let d = 2.0_f64.atan();
    let swing = 2.0 * PI - 2.0 * d;
    for force in ["-min(k*x, F)", "max(-k*x, -F)"] {
        let motion = run(&block(force, 3.0, 0.0), 20.0);
        follows(&motion, "x", |t| match t % (4.0 + swing) {
            s if s < 2.0 => 3.0 - s * s / 2.0,
            s if s < 2.0 + swing => 5.0_f64.sqrt() * (s - 2.0 + d).cos(),
            s => 3.0 - (4.0 + swing - s).powi(2) / 2.0,
        });
    }
}

#[test]
fn a_force_that_depends_on_the_place() {
    let motion = run(&block("if(x < b, 2*F, -F)", 0.0, 0.0), 20.0);
    follows(&motion, "x", |t| match t % 6.0 {
        s if s < 1.0 => s * s,
        s if s < 5.0 => 1.0 + 2.0 * (s - 1.0) - (s - 1.0).powi(2) / 2.0,
        s => (6.0 - s).powi(2),
    });
}

#[test]
fn a_force_that_ends_at_a_time() {
    let motion = run(&block("if(t < 1.7*T, F, 0)", 0.0, 0.0), 7.0);
    follows(&motion, "x", |t| if t < 1.7 { t * t / 2.0 } else { 1.445 + 1.7 * (t - 1.7) });
    follows(&motion, "x''", |t| if t < 1.7 { 1.0 } else { 0.0 });
}

#[test]
fn a_force_with_the_size_of_the_way() {
    // x'' = −|x|: a quarter of a swing, then away
    let motion = run(&block("-k*abs(x)", 1.0, 0.0), 6.0);
    follows(&motion, "x", |t| if t < PI / 2.0 { t.cos() } else { -(t - PI / 2.0).sinh() });
}

#[test]
fn a_sliding_block_stops_and_stays() {
    let motion = run(&block("-0.5*F*sign(x')", 0.0, 2.0), 30.0);
    follows(&motion, "x", |t| if t < 4.0 { 2.0 * t - t * t / 4.0 } else { 4.0 });
    follows(&motion, "x'", |t| if t < 4.0 { 2.0 - t / 2.0 } else { 0.0 });
    near("no acceleration", last(&motion, "x''"), 0.0, 1.0);
    near("the work", motion.work, -2.0, 1.0);
    assert!(motion.energy_drift < 1e-11, "{:e}", motion.energy_drift);
}

#[test]
fn a_spring_with_dry_friction_sticks_within_its_zone() {
    // each half swing is 0.6 shorter: 2, −1.4, 0.8, −0.2, and there the spring is weaker than the friction
    let motion = run(&block("-k*x - 0.3*F*sign(x')", 2.0, 0.0), 15.0);
    follows(&motion, "x", |t| {
        let n = (t / PI).floor().min(3.0);
        let sign = if n % 2.0 == 0.0 { 1.0 } else { -1.0 };
        let turns = sign * (2.0 - 0.6 * n);
        if n < 3.0 { sign * 0.3 + (turns - sign * 0.3) * (t - n * PI).cos() } else { turns }
    });
}

#[test]
fn a_block_at_rest_moves_when_the_pull_is_strong_enough() {
    // pull t/2 against 1
    let motion = run(&block("0.5*F*t/T - F*sign(x')", 0.0, 0.0), 6.0);
    follows(&motion, "x", |t| (t - 2.0).max(0.0).powi(3) / 12.0);
}

#[test]
fn a_shaken_block_sticks_slips_and_turns() {
    // 2 sin t against 1: sticks until sin t = 1/2, slips until its rate is 0, where the pull is −1.27: turns at once
    let motion = run(&block("2*F*sin(t/T) - F*sign(x')", 0.0, 0.0), 5.5);
    let begin = PI / 6.0;
    let first = |t: f64| 2.0 * begin.cos() - 2.0 * t.cos() - (t - begin);
    let turn = root(first, 3.0, 4.5);
    assert!(2.0 * turn.sin() < -1.0);
    follows(&motion, "x'", |t| match t {
        t if t < begin => 0.0,
        t if t < turn => first(t),
        t => 2.0 * turn.cos() - 2.0 * t.cos() + (t - turn),
    });
}

#[test]
fn a_mass_that_switches_is_met_at_its_instant() {
    // the bucket loses 1 kg/s for 2 s, nothing of it is pushed away: v stays, F/m grows
    let model = "
param F = 3 N, b = 1 kg/s, T = 2 s
let m = 5 kg - b*min(t, T)
coord x : m
point P = (x, 0) mass m exhaust 0
force (F, 0) on P
start x' = 0
";
    let motion = run(&own(model), 5.0);
    follows(&motion, "x'", |t| {
        let while_losing = -3.0 * (1.0 - t.min(2.0) / 5.0).ln();
        while_losing + (t - 2.0).max(0.0)
    });
}

#[test]
fn a_switch_in_the_condition_of_a_switch() {
    let motion = run(&block("if(abs(t/T - 5) < 1, F, 0)", 0.0, 1.0), 10.0);
    follows(&motion, "x'", |t| 1.0 + (t - 4.0).clamp(0.0, 2.0));
}

#[test]
fn two_blocks_may_stick_at_once() {
    let model = "
param m = 1 kg, F = 0.5 N
coord x, y : m
point P = (x, 0) mass m
point Q = (0, y) mass 2*m
generalized force -F*sign(x') on x
generalized force -F*sign(y') on y
start x' = 1 m/s, y' = 2 m/s
";
    let motion = run(&own(model), 20.0);
    follows(&motion, "x", |t| if t < 2.0 { t - t * t / 4.0 } else { 1.0 });
    follows(&motion, "y", |t| if t < 8.0 { 2.0 * t - t * t / 8.0 } else { 8.0 });
}

#[test]
fn a_ball_bounces_on_a_spring() {
    // x'' = 1 − 10⁴ max(x, 0) from −1: the same height each time
    let motion = run(&block("F - 10000*max(k*x, 0)", -1.0, 0.0), 100.0);
    assert!(motion.energy_drift < 1e-10);
}

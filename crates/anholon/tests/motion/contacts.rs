//! One-sided constraints: falling on, resting, letting go, coming back.

use std::f64::consts::PI;

use anholon::Simulate;

use crate::functions::{integral, root};
use crate::{EXACT, TIGHT, agree, ask, column, follows, happen, last, near, own, run};

const BALL: &str = "
param m = 0.4 kg, g = 9.81 m/s^2, h = 1.3 m
coord x, z : m
point P = (x, 0, z) mass m
gravity (0, 0, -g)
constraint floor: z >= 0
start z = h, x' = 0.7 m/s
";

#[test]
fn a_ball_falls_on_the_floor_and_rests() {
    let motion = run(&own(BALL), 20.0);
    let (m, g, h) = (0.4, 9.81_f64, 1.3);
    let lands = (2.0 * h / g).sqrt();
    happen(&motion, "floor", "closes", &[lands]);
    happen(&motion, "floor", "leaves", &[]);
    follows(&motion, "x", |t| 0.7 * t);
    follows(&motion, "z", |t| if t < lands { h - g * t * t / 2.0 } else { 0.0 });
    follows(&motion, "multiplier(floor)", |t| if t < lands { 0.0 } else { m * g });
    follows(&motion, "reaction(floor on P).z", |t| if t < lands { 0.0 } else { m * g });
    let event = &motion.events[0];
    near("the impulse", *event.impulse.as_ref().unwrap().get("floor").unwrap(), m * (2.0 * g * h).sqrt(), 1.0);
    near("the loss", event.energy_lost.unwrap(), m * g * h, 1.0);
    near("it rests", *event.state.get("z'").unwrap(), 0.0, 1.0);
    assert!(motion.energy_drift < 1e-11, "{:e}", motion.energy_drift);
    assert!(column(&motion, "z").iter().all(|z| *z > -1e-13));
}

#[test]
fn a_ball_that_lies_on_the_floor_stays_there() {
    let motion = run(
        &own(&format!("{BALL}\nstart z = 0, z' = 0\n").replace("start z = h, x' = 0.7 m/s", "start x' = 2 m/s")),
        50.0,
    );
    assert!(motion.events.is_empty(), "{:?}", motion.events);
    follows(&motion, "z", |_| 0.0);
    follows(&motion, "multiplier(floor)", |_| 0.4 * 9.81);
}

#[test]
fn a_lifted_block_leaves_when_the_lift_is_its_weight() {
    // F = k t, weight m g: leaves at m g/k, then m z'' = k (t − that)
    let model = "
param m = 2 kg, g = 9.81 m/s^2, k = 6 N/s
coord z : m
point P = (0, 0, z) mass m
gravity (0, 0, -g)
force (0, 0, k*t) on P
constraint floor: z >= 0
start z = 0, z' = 0
";
    let motion = run(&own(model), 8.0);
    let leaves = 2.0 * 9.81 / 6.0;
    happen(&motion, "floor", "leaves", &[leaves]);
    follows(&motion, "z", |t| 0.5 * (t - leaves).max(0.0).powi(3));
    follows(&motion, "multiplier(floor)", |t| (2.0 * 9.81 - 6.0 * t).max(0.0));
}

#[test]
fn a_block_on_a_shaking_table_leaves_and_comes_back() {
    // z ≥ a sin(w t): leaves where a w² sin(w t) = g, lands where the parabola meets the table
    let model = "
param m = 1 kg, g = 9.81 m/s^2, a = 0.05 m, w = 18 rad/s
coord z : m
point P = (0, 0, z) mass m
gravity (0, 0, -g)
constraint table: z >= a*sin(w*t)
start z = 0, z' = a*w
";
    let (g, a, w) = (9.81, 0.05, 18.0_f64);
    let table = |t: f64| a * (w * t).sin();
    let lifts = (g / (a * w * w)).asin() / w;
    let speed = a * w * (w * lifts).cos();
    let flight = |t: f64| table(lifts) + speed * (t - lifts) - g / 2.0 * (t - lifts).powi(2);
    let lands = root(|t| flight(t) - table(t), lifts + 0.02, lifts + 0.35);
    let motion = run(&own(model), 0.36);
    assert!(lands < 0.36);
    let (leaves, closes) = (crate::instants(&motion, "table", "leaves"), crate::instants(&motion, "table", "closes"));
    near("leaves", leaves[0], lifts, 0.1);
    near("lands", closes[0], lands, 0.1);
    let path = |t: f64| if t < lifts || t > lands { table(t) } else { flight(t) };
    let until = motion.table.t.iter().filter(|t| **t <= lands).count();
    let pairs: Vec<(f64, f64)> =
        column(&motion, "z").into_iter().zip(motion.table.t.iter().map(|&t| path(t))).collect();
    agree("z", &motion.table.t[..until], &pairs[..until], EXACT);
    // the table moves the block: its work is what the energy gained, less what the impact took
    assert!(motion.energy_drift < 1e-10, "{:e}", motion.energy_drift);
}

#[test]
fn a_bead_leaves_a_sphere_and_slides_on_along_the_floor() {
    // from rest at the angle a from the top: leaves where cos b = 2/3 cos a
    let model = "
param m = 0.7 kg, g = 9.81 m/s^2, R = 0.5 m, a = 0.3 rad
coord x, z : m
point P = (x, 0, z) mass m
gravity (0, 0, -g)
constraint ball:  x^2 + z^2 >= R^2
constraint floor: z >= 0
start x = R*sin(a), z = R*cos(a), x' = 0, z' = 0
";
    let (m, g, R, a) = (0.7, 9.81_f64, 0.5, 0.3_f64);
    let b = (2.0 / 3.0 * a.cos()).acos();
    // t = √(R/2g) ∫ dθ/√(cos a − cos θ), with θ = a + s²
    let slow = |s: f64| 2.0 / ((2.0 * (a + s * s / 2.0).sin() * (s * s / 2.0).sin()) / (s * s)).sqrt();
    let leaves = (R / (2.0 * g)).sqrt() * integral(slow, 0.0, (b - a).sqrt());
    let speed = (g * R * b.cos()).sqrt();
    let (u, v) = (speed * b.cos(), speed * b.sin());
    let lands = leaves + ((v * v + 2.0 * g * R * b.cos()).sqrt() - v) / g;
    let motion = run(&own(model), 2.0);
    happen(&motion, "ball", "leaves", &[leaves]);
    happen(&motion, "floor", "closes", &[lands]);
    assert_eq!(motion.events.len(), 2, "{:?}", motion.events);
    let begin = R * b.sin() - u * leaves;
    let after = motion.table.t.iter().position(|t| *t > leaves).unwrap();
    let x: Vec<(f64, f64)> =
        column(&motion, "x").into_iter().zip(motion.table.t.iter().map(|t| begin + u * t)).skip(after).collect();
    agree("x", &motion.table.t[after..], &x, EXACT);
    let loss = m / 2.0 * (v * v + 2.0 * g * R * b.cos());
    near("the loss", motion.events[1].energy_lost.unwrap(), loss, loss);
    near("it rests on the floor", last(&motion, "multiplier(floor)"), m * g, m * g);
    near("z", last(&motion, "z"), 0.0, R);
}

const THREAD: &str = "
param m = 0.3 kg, g = 9.81 m/s^2, l = 0.8 m, v = 5 m/s
coord x, y : m
point P = (x, y) mass m
gravity (0, -g)
constraint thread: x^2 + y^2 <= l^2
observe tension = 2*l*multiplier(thread)
start x = 0, y = -l, x' = v, y' = 0
";

#[test]
fn a_thread_becomes_slack_and_taut() {
    // from below with v² between 2 g l and 5 g l: slack at the height l sin α, sin α = (v²/(g l) − 2)/3; taut again
    // 4 V cos α/g later, V² = g l sin α
    let (m, g, l, v) = (0.3, 9.81, 0.8, 5.0_f64);
    let alpha = ((v * v / (g * l) - 2.0) / 3.0).asin();
    let rate = |phi: f64| (v * v - 2.0 * g * l * (1.0 - phi.cos())).sqrt() / l;
    let slack = integral(|phi| 1.0 / rate(phi), 0.0, PI / 2.0 + alpha);
    let speed = (g * l * alpha.sin()).sqrt();
    let taut = slack + 4.0 * speed * alpha.cos() / g;
    let motion = run(&own(THREAD), taut + 0.1);
    happen(&motion, "thread", "leaves", &[slack]);
    happen(&motion, "thread", "closes", &[taut]);
    // the rate along the thread is lost
    let (x, y) = (*motion.events[1].state.get("x").unwrap(), *motion.events[1].state.get("y").unwrap());
    let (u, w) = (-speed * alpha.sin(), speed * alpha.cos() - g * (taut - slack));
    let radial = (u * x + w * y) / l;
    near("x where it is taut", x, l * alpha.cos() + u * (taut - slack), l);
    near("the loss", motion.events[1].energy_lost.unwrap(), m * radial * radial / 2.0, 1.0);
    let across = (-u * y + w * x) / l;
    near("x' then", *motion.events[1].state.get("x'").unwrap(), -across * y / l, v);
    let tension = column(&motion, "tension");
    near("at first", tension[0], m * (g + v * v / l), 10.0);
    assert!(tension.iter().all(|&tension| tension >= 0.0));
    let inside =
        column(&motion, "x").into_iter().zip(column(&motion, "y")).all(|(x, y)| x.hypot(y) < l * (1.0 + 1e-13));
    assert!(inside && motion.energy_drift < 1e-11, "{:e}", motion.energy_drift);
}

#[test]
fn a_thread_that_falls_taut_hangs_as_a_pendulum() {
    // dropped beside the nail: taut where x² + y² = l², then swings without slack
    let model = THREAD.replace("start x = 0, y = -l, x' = v, y' = 0", "start x = 0.6*l, y = 0");
    let (g, l) = (9.81_f64, 0.8);
    let taut = (2.0 * 0.8 * l / g).sqrt();
    let motion = run(&own(&model), 10.0);
    happen(&motion, "thread", "closes", &[taut]);
    happen(&motion, "thread", "leaves", &[]);
    let speed = g * taut;
    let across = speed * 0.6;
    let energy = |k: usize| {
        let of = |name: &str| column(&motion, name)[k];
        (of("x'").powi(2) + of("y'").powi(2)) / 2.0 + g * of("y")
    };
    let kept = across * across / 2.0 - g * 0.8 * l;
    for (k, _) in motion.table.t.iter().enumerate().filter(|(_, t)| **t > taut) {
        near("energy", energy(k), kept, kept.abs());
    }
}

#[test]
fn contact_that_begins_with_approach_is_an_error() {
    // the gap is 0 and shrinks at the start: the rate cannot stay
    let model = BALL.replace("start z = h, x' = 0.7 m/s", "start z = 0, z' = -2 m/s");
    let loaded = anholon::open(&own(&model)).unwrap();
    let wanted = Simulate { duration: Some(1.0), ..Simulate::default() };
    let error = anholon::simulate(&loaded, &wanted, &mut anholon::Alone).map(|_| ()).unwrap_err();
    assert!(error.message().contains("cannot start") && error.message().contains("impact"), "{error}");
}

#[test]
fn a_ball_in_a_corner_rests_on_both_walls() {
    let model = "
param m = 1 kg, g = 9.81 m/s^2
coord x, z : m
point P = (x, 0, z) mass m
gravity (0, 0, -g)
constraint left:  z - x >= 0
constraint right: z + x >= 0
start z = 1 m, x = 0.2 m
";
    let motion = run(&own(model), 5.0);
    // lands on the left wall (z = x) at z = 0.2, slides down it and stops in the corner
    let first = (2.0 * 0.8 / 9.81_f64).sqrt();
    let speed = 9.81 * first / 2.0_f64.sqrt();
    let w = 9.81 / 2.0_f64.sqrt();
    let way = 0.2 * 2.0_f64.sqrt();
    let second = first + ((speed * speed + 2.0 * w * way).sqrt() - speed) / w;
    happen(&motion, "left", "closes", &[first]);
    happen(&motion, "right", "closes", &[second]);
    assert_eq!(motion.events.len(), 2, "{:?}", motion.events);
    near("z", last(&motion, "z"), 0.0, 1.0);
    near("left", last(&motion, "multiplier(left)"), 9.81 / 2.0, 10.0);
    near("right", last(&motion, "multiplier(right)"), 9.81 / 2.0, 10.0);
}

#[test]
fn two_contacts_close_at_once() {
    // straight into the corner
    let model = "
param m = 1 kg, g = 9.81 m/s^2
coord x, z : m
point P = (x, 0, z) mass m
gravity (0, 0, -g)
constraint left:  z - 2*x >= 0
constraint right: z + x >= 0
start z = 1 m
";
    let wanted = Simulate { duration: Some(2.0), tolerance: Some(TIGHT), ..Simulate::default() };
    let motion = ask(&own(model), &wanted);
    assert_eq!(motion.stopped_by.failure(), None);
    let lands = (2.0 / 9.81_f64).sqrt();
    happen(&motion, "left", "closes", &[lands]);
    happen(&motion, "right", "closes", &[lands]);
    near("z", last(&motion, "z"), 0.0, 1.0);
    // λ (−2, 1) + μ (1, 1) = (0, m g)
    near("left", last(&motion, "multiplier(left)"), 9.81 / 3.0, 10.0);
    near("right", last(&motion, "multiplier(right)"), 2.0 * 9.81 / 3.0, 10.0);
}

#[test]
fn walls_without_load_hold_what_has_stopped() {
    // no force at all: the multipliers are 0 all the way
    let model = "
param m = 1 kg
coord x, z : m
point P = (x, 0, z) mass m
constraint wall:  x >= 0
constraint floor: z >= 0
start x = 1 m, z = 2 m, x' = -1 m/s, z' = -1 m/s
";
    let motion = run(&own(model), 5.0);
    happen(&motion, "wall", "closes", &[1.0]);
    happen(&motion, "floor", "closes", &[2.0]);
    assert_eq!(motion.events.len(), 2, "{:?}", motion.events);
    follows(&motion, "x", |t| (1.0 - t).max(0.0));
    follows(&motion, "z", |t| (2.0 - t).max(0.0));
}

#[test]
fn two_balls_that_touch_fall_together() {
    let model = "
param m = 1 kg, M = 3 kg, g = 9.81 m/s^2
coord z1, z2 : m
point P = (0, 0, z1) mass m
point Q = (0, 0, z2) mass M
gravity (0, 0, -g)
constraint floor: z1 >= 0
constraint top:   z2 - z1 >= 0
start z1 = 1 m, z2 = 1 m
";
    let motion = run(&own(model), 2.0);
    let lands = (2.0 / 9.81_f64).sqrt();
    happen(&motion, "floor", "closes", &[lands]);
    follows(&motion, "z2", |t| if t < lands { 1.0 - 9.81 * t * t / 2.0 } else { 0.0 });
    near("floor", last(&motion, "multiplier(floor)"), 4.0 * 9.81, 40.0);
    near("top", last(&motion, "multiplier(top)"), 3.0 * 9.81, 40.0);
}

#[test]
fn a_beam_falls_flat_on_three_feet() {
    let model = "
param m = 1 kg, g = 9.81 m/s^2, l = 1 m
coord x, z : m
coord a : rad
frame B = N rotated y by a
body S mass m at (x, 0, z) frame B inertia (m*l^2/3, m*l^2/3, m*l^2/3)
gravity (0, 0, -g)
constraint left:   z + l*sin(a) >= 0
constraint middle: z >= 0
constraint right:  z - l*sin(a) >= 0
start z = 0.5 m
observe whole = multiplier(left) + multiplier(middle) + multiplier(right)
";
    let motion = run(&own(model), 2.0);
    happen(&motion, "middle", "closes", &[(1.0 / 9.81_f64).sqrt()]);
    near("z", last(&motion, "z"), 0.0, 1.0);
    // which of them do is not determined
    near("they carry the weight", last(&motion, "whole"), 9.81, 10.0);
    assert!(motion.constraint_residual < 1e-13, "{:e}", motion.constraint_residual);
}

#[test]
fn a_small_ball_falls_too() {
    let model = BALL.replace("h = 1.3 m", "h = 1e-10 m");
    let motion = run(&own(&model), 1e-3);
    happen(&motion, "floor", "closes", &[(2e-10 / 9.81_f64).sqrt()]);
}

#[test]
fn a_light_ball_has_its_weight() {
    let motion = run(&own(&BALL.replace("m = 0.4 kg", "m = 1e-30 kg")), 2.0);
    near("weight", last(&motion, "multiplier(floor)"), 9.81e-30, 9.81e-30);
}

#[test]
fn a_support_that_carries_nothing_lets_go_as_soon_as_it_would_pull() {
    let floor = |force: &str| {
        format!("coord x : m\npoint P = (x, 0) mass 1 kg\nforce {force}*N.x on P\nconstraint floor: x >= 0\n")
    };
    let slides = |loads: &str| {
        format!(
            "coord x, y : m\npoint P = (x, y) mass 1 kg\n{loads}\ncontact floor: P slides on plane(N.y, 0) unilateral\n\
             friction 0.5 on floor\n"
        )
    };
    let carts = "param k = 3 N/m\ncoord y, x : m\npoint P = (x, 0) mass 1 kg\npoint Q = (y, 0) mass 1 kg\npotential k*x^2/2\n\
                 constraint gap: y >= x\nstart x' = 1 m/s, y' = 1 m/s\n";
    let root = 3.0_f64.sqrt();
    for (text, name, end, right) in [
        (floor("(5 N)*sin((3 rad/s)*t)"), "x", 1.0, 5.0 / 3.0 - 5.0 / 9.0 * 3.0_f64.sin()),
        (floor("(5 N/s^2)*t^2"), "x", 1.0, 5.0 / 12.0),
        (floor("(5 N/s)*max(t - 1 s, 0 s)"), "x", 2.0, 5.0 / 6.0),
        (floor("-(5 N/s)*t"), "x", 1.0, 0.0),
        (carts.to_owned(), "x", 1.0, root.sin() / root),
        (slides("gravity (0, -10 m/s^2)\nforce (5 N + (1 N/s)*t)*N.x on P"), "x", 2.0, 8.0 / 6.0),
        (slides("gravity (0, -10 m/s^2)\nforce (5 N - (1 N/s)*t)*N.x on P"), "x", 1.0, 0.0),
        (slides("force (1 N/s)*t*(N.x + N.y) on P"), "y", 2.0, 8.0 / 6.0),
    ] {
        let motion = ask(&own(&text), &Simulate { duration: Some(end), ..Simulate::default() });
        assert_eq!(motion.stopped_by.failure(), None, "{text}");
        near(&text, last(&motion, name), right, 1.0);
    }
}

#[test]
fn what_lands_softly_while_the_load_turns_does_not_fall_through() {
    // b (1 − t)³ + a (t − 1)⁵ until it lands at t = 1; pressed down from then on, until 6 b = 20 a (t − 1)²
    for (a, b) in [(0.2_f64, 1.0), (0.2, 1.3), (0.3, 2.0), (0.33, 1.3), (0.4, 2.0), (0.1, 1.0)] {
        let text = format!(
            "param a = {a} m/s^5, b = {b} m/s^3, m = 1 kg\ncoord x : m\npoint P = (x, 0) mass m\n\
             force (m*6*b*(1 s - t) + m*20*a*(t - 1 s)^3)*N.x on P\nconstraint wall: x >= 0\n\
             start x = b*(1 s^3) - a*(1 s^5), x' = -3*b*(1 s^2) + 5*a*(1 s^4)\n"
        );
        let leaves = 1.0 + (6.0 * b / (20.0 * a)).sqrt();
        for tolerance in [1e-6, 1e-9, 1e-12] {
            let wish = Simulate { duration: Some(leaves + 0.5), tolerance: Some(tolerance), ..Simulate::default() };
            let motion = ask(&own(&text), &wish);
            assert_eq!(motion.stopped_by.failure(), None, "{a} {b} {tolerance:e}");
            let gone = motion.events.last().unwrap();
            assert!((gone.t - leaves).abs() < 1e-6, "{a} {b} {tolerance:e}: leaves at {}, not {leaves}", gone.t);
            assert!(column(&motion, "x").iter().all(|x| *x > -1e-10), "{a} {b} {tolerance:e}");
        }
    }
}

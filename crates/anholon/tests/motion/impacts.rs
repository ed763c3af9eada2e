//! Impacts that bounce, that never end but do, and constraints that begin and end.

use anholon::Simulate;
use anholon::answer::EventKind;

use crate::{ask, column, gallery, happen, instants, last, near, own, run};

const G: f64 = 9.81;

#[test]
fn bounces_are_a_geometric_series_and_end() {
    for e in [0.3_f64, 0.7, 0.9] {
        let motion = run(&gallery("bouncing-ball", &[&format!("e={e}")]), 10.0);
        let fall = (2.0 / G).sqrt();
        let end = (1.0 + e) / (1.0 - e) * fall;
        happen(&motion, "floor", "rests", &[end]);
        let bounces = instants(&motion, "floor", "bounces");
        for (k, t) in bounces.iter().enumerate() {
            let ratio = e.powi(i32::try_from(k).unwrap());
            near("a bounce", *t, fall * (1.0 + 2.0 * e * (1.0 - ratio) / (1.0 - e)), end);
        }
        let lost: f64 = motion.events.iter().filter_map(|event| event.energy_lost).sum();
        near("all energy is lost", lost, 0.1 * G, 1.0);
        let after = motion.table.t.iter().zip(column(&motion, "y")).filter(|(t, _)| **t > end);
        assert!(after.clone().count() > 5 && after.into_iter().all(|(_, y)| y.abs() < 1e-14));
        assert!(motion.energy_drift < 1e-11, "{:e}", motion.energy_drift);
    }
}

#[test]
fn bounces_on_a_high_floor_end_too() {
    let model = "
param m = 1 kg, g = 10 m/s^2, H = 1000 m, h = 1 m, e = 0.5
coord y : m
point P = (0, y) mass m
gravity (0, -g)
constraint floor: y >= H
restitution e on floor
start y = H + h
";
    for (high, low, e) in [(1000.0, 1.0, 0.5), (1.0, 1.0, 0.1), (1.0, 0.01, 0.9), (100.0, 1.0, 0.3_f64)] {
        let text = model.replace("H = 1000", &format!("H = {high}")).replace("h = 1 m", &format!("h = {low} m"));
        let motion = run(&own(&text.replace("e = 0.5", &format!("e = {e}"))), 20.0);
        let end = (1.0 + e) / (1.0 - e) * (2.0 * low / 10.0_f64).sqrt();
        let rests = instants(&motion, "floor", "rests");
        assert!(rests.len() == 1 && (rests[0] - end).abs() < 1e-5 * end, "{rests:?} should be {end}");
        assert!((last(&motion, "y") - high).abs() < 1e-9 * high);
    }
}

#[test]
fn a_perfect_ball_bounces_for_ever() {
    let motion = run(&gallery("bouncing-ball", &["e=1"]), 10.0);
    let fall = (2.0 / G).sqrt();
    let all: Vec<f64> = (0..).map(|k| fall * f64::from(2 * k + 1)).take_while(|t| *t < 10.0).collect();
    happen(&motion, "floor", "bounces", &all);
    assert!(motion.energy_drift < 1e-11, "{:e}", motion.energy_drift);
}

#[test]
fn two_balls_that_meet_share_their_momentum() {
    let model = "
param m = 1 kg, k = 3 kg, e = 0.4
coord x, y : m
point P = (x, 0) mass m
point Q = (y, 0) mass k
constraint gap: y >= x
restitution e on gap
start x = 0, y = 1 m, x' = 2 m/s, y' = 0
";
    let motion = run(&own(model), 2.0);
    happen(&motion, "gap", "bounces", &[0.5]);
    let (m, k, v) = (1.0, 3.0, 2.0);
    near("the first", last(&motion, "x'"), (m - 0.4 * k) * v / (m + k), 1.0);
    near("the second", last(&motion, "y'"), (1.0 + 0.4) * m * v / (m + k), 1.0);
    near("lost", motion.events[0].energy_lost.unwrap(), (1.0 - 0.16) * m * k / (m + k) * v * v / 2.0, 1.0);
}

#[test]
fn a_ball_thrown_into_a_corner_comes_back() {
    let model = "
coord x, y : m
point P = (x, y) mass 1 kg
constraint floor: y >= 0
constraint wall: x >= 0
restitution 0.5 on floor
restitution 0.8 on wall
start x = 1 m, y = 1 m, x' = -2 m/s, y' = -2 m/s
";
    let motion = run(&own(model), 2.0);
    near("along x", last(&motion, "x'"), 1.6, 1.0);
    near("along y", last(&motion, "y'"), 1.0, 1.0);
}

#[test]
fn a_block_rocks_as_housner_says() {
    for (b, h, time) in [(0.2_f64, 0.6_f64, 1.2), (0.1, 0.7, 4.0)] {
        let motion = run(&gallery("rocking-block", &[&format!("b={b}"), &format!("h={h}"), "w=0.4"]), time);
        let ratio = 1.0 - 1.5 * b * b / (b * b + h * h);
        let speeds: Vec<f64> = motion.events[..4].iter().map(|event| event.state.get("phi'").unwrap().abs()).collect();
        for (k, speed) in speeds.iter().enumerate() {
            near("after an impact", *speed, 0.4 * ratio.powi(i32::try_from(k + 1).unwrap()), 0.4);
        }
    }
}

/// A block of half width b and half height h that turns on its left foot with w, on two rough feet; the left one goes with
/// v over the floor.
fn rocking(b: f64, right: f64, h: f64, w: f64, mu: f64, v: f64) -> String {
    format!(
        "coord x, y, phi\nframe B = N rotated z by phi\nbody block mass 100 at (x, y) frame B inertia 100*({b}^2 + {h}^2)/3\n\
         point left = (x, y) + B*(-{b}, -{h}, 0)\npoint right = (x, y) + B*({right}, -{h}, 0)\ngravity (0, -9.81, 0)\n\
         contact one: left slides on plane(N.y, 0) unilateral\ncontact two: right slides on plane(N.y, 0) unilateral\n\
         friction {mu} on one\nfriction {mu} on two\nstart x = 0, y = {h}, phi = 0, phi' = {w}, velocity(left) = ({v}, 0, 0)\n"
    )
}

/// How long Housner's block is on one foot, from p² sin(α − θ) = −θ'': ∫ dv/|θ''| by Simpson's rule.
fn swing(b: f64, h: f64, w: f64) -> f64 {
    const PARTS: i32 = 400;
    let (p2, cos) = (0.75 * G / b.hypot(h), h / b.hypot(h));
    let slowness = |v: f64| 1.0 / (p2 * (1.0 - (cos + (w * w - v * v) / (2.0 * p2)).powi(2)).sqrt());
    let weight = |k: i32| if k == 0 || k == PARTS { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
    let sum: f64 = (0..=PARTS).map(|k| weight(k) * slowness(w * f64::from(k) / f64::from(PARTS))).sum();
    2.0 * sum * w / (3.0 * f64::from(PARTS))
}

#[test]
fn a_rough_block_rocks_to_rest() {
    // stop at the plastic impact of both feet, which would have to pull, and no run gets to the end
    for (b, h, w, within) in [(0.2_f64, 0.6_f64, 0.9, 1e-9), (0.3, 0.4, 1.0, 1e-9), (0.1, 0.7, 0.3, 1e-6)] {
        let ratio = 1.0 - 1.5 * b * b / (b * b + h * h);
        let speeds = std::iter::successors(Some(w), |w| Some(w * ratio)).take_while(|now| *now > 1e-14 * w);
        let end: f64 = speeds.map(|w| swing(b, h, w)).sum();
        for tolerance in [1e-6, 1e-9, 1e-12] {
            let wanted = Simulate { duration: Some(end + 1.0), tolerance: Some(tolerance), ..Simulate::default() };
            let motion = ask(&own(&rocking(b, b, h, w, 0.9, 0.0)), &wanted);
            assert_eq!(motion.stopped_by.failure(), None, "{b}, {h} at {tolerance}");
            let rests: Vec<f64> = ["one", "two"].iter().flat_map(|foot| instants(&motion, foot, "rests")).collect();
            let most = within * end + tolerance * end;
            assert!(rests.len() == 1 && (rests[0] - end).abs() <= most, "{rests:?} should be {end} at {tolerance}");
            assert!(motion.events.len() < 310, "{}", motion.events.len());
            assert!(last(&motion, "phi").abs() < 1e-12 && last(&motion, "phi'").abs() < 1e-12);
            for foot in ["multiplier(one.gap)", "multiplier(two.gap)"] {
                assert!((motion.last.get(foot).unwrap() - 50.0 * G).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn a_block_that_rocks_as_it_slides_rests_on_both_feet_and_slides_on() {
    // feet at unequal distances take unequal times; while it slides ∫ N dt = m g t − m y'(0), whatever the feet do
    let (b, h, w, mu, v) = (0.2, 0.6, 0.4, 0.1, 3.0);
    let stops = (v - h * w + mu * b * w) / (mu * G);
    for right in [0.2, 0.3] {
        for tolerance in [1e-6, 1e-9, 1e-12] {
            let wanted = Simulate { duration: Some(4.0), tolerance: Some(tolerance), ..Simulate::default() };
            let motion = ask(&own(&rocking(b, right, h, w, mu, v)), &wanted);
            assert_eq!(motion.stopped_by.failure(), None, "{right} at {tolerance}");
            assert_eq!(motion.events.iter().filter(|event| event.kind == EventKind::Rests).count(), 1);
            for foot in ["one", "two"] {
                let found = instants(&motion, foot, "sticks");
                let is_right = found.len() == 1 && (found[0] - stops).abs() < 1e-9 + tolerance;
                assert!(is_right, "{foot} at {tolerance}: {found:?}, not {stops}");
            }
        }
    }
}

#[test]
fn what_touches_and_gets_no_impulse_does_not_bounce() {
    // both ends of a long bar come down at once; what lifts the faster one lifts the other too
    let model = "
coord y, phi
frame B = N rotated z by phi
body D mass 1 at (0, y) frame B inertia 4
constraint one: y - sin(phi) >= 0
constraint two: y + sin(phi) >= 0
restitution 0.5 on one
restitution 0.5 on two
start y = 1, y' = -1, phi = -1/2, phi' = 1/2
";
    // an impulse of 2.25/(1 + 1/4) at the first
    for text in [model.to_owned(), model.replace("one", "both").replace("two", "one").replace("both", "two")] {
        let (fast, slow) = if text.contains("one: y - ") { ("one", "two") } else { ("two", "one") };
        let motion = run(&own(&text), 1.5);
        happen(&motion, fast, "bounces", &[1.0]);
        happen(&motion, slow, "bounces", &[]);
        happen(&motion, slow, "closes", &[1.0]);
        happen(&motion, slow, "leaves", &[1.0]);
        let impulse = motion.events.iter().find_map(|event| event.impulse.clone()).unwrap();
        assert_eq!(impulse.get(slow), None);
        near("impulse", *impulse.get(fast).unwrap(), 1.8, 1.0);
    }
}

#[test]
fn a_rough_bounce_takes_from_the_spin_as_much_as_friction_allows() {
    // a disc in the plane falls on a rough floor: impulse μ Λ while it slips, or what stops the slip
    let model = |mu: f64| {
        format!(
            "param m = 1 kg, r = 0.1 m, g = 9.81 m/s^2\ncoord x, y : m\ncoord phi : rad\nframe B = N rotated z by phi\n\
             body D mass m at (x, y) frame B inertia m*r^2/2\ngravity (0, -g, 0)\n\
             contact floor: D slides as disc(r, B.z) on plane(N.y, 0) unilateral\nfriction {mu} on floor\n\
             restitution 0.5 on floor\nstart y = r + 1 m, x' = 2 m/s\n"
        )
    };
    let fall = (2.0 * G).sqrt();
    for mu in [0.05, 0.5] {
        let motion = run(&own(&model(mu)), 0.6);
        // the slip x' + r φ' changes by 3 J/m for an impulse J
        let stops = 2.0 / 3.0;
        let impulse = (mu * 1.5 * fall).min(stops);
        let event = &motion.events[0];
        near("x'", *event.state.get("x'").unwrap(), 2.0 - impulse, 1.0);
        near("spin", *event.state.get("phi'").unwrap(), -2.0 * impulse / 0.1, 1.0);
        near("up", *event.state.get("y'").unwrap(), 0.5 * fall, 1.0);
    }
}

#[test]
fn a_rope_that_becomes_taut_loses_the_energy_of_the_lost_velocity() {
    let motion = run(&gallery("taut-rope", &[]), 1.0);
    let event = &motion.events[0];
    assert_eq!(event.kind, EventKind::Closes);
    let t = event.t;
    let (v, fall) = (2.0, G * t);
    let (x, y) = (v * t, -G * t * t / 2.0);
    let along = (v * x - fall * y) / x.hypot(y);
    near("Carnot", event.energy_lost.unwrap(), 0.3 * along * along / 2.0, 1.0);
}

#[test]
fn an_elbow_that_locks_keeps_the_moment_about_the_pivot() {
    let motion = run(&gallery("locking-elbow", &[]), 2.0);
    let event = &motion.events[0];
    assert_eq!((event.name.as_str(), event.kind), ("lock", EventKind::Begins));
    let L = 0.25 * (2.0 + 3.0 + 4.0 * 1.0_f64.cos());
    near("turns as one", last(&motion, "a'"), L / 1.25, 1.0);
    near("turns as one", last(&motion, "b'"), L / 1.25, 1.0);
    let before = 0.5 * 0.25 * (1.0 + 1.0 + 9.0 + 2.0 * 3.0 * 1.0_f64.cos());
    near("lost", event.energy_lost.unwrap(), before - L * L / 2.5, 1.0);
}

#[test]
fn a_constraint_begins_and_ends() {
    // a bead on a string that is caught at t = 1 s and let go at t = 2 s
    let model = "
coord x, y : m
point P = (x, y) mass 1 kg
constraint hold: y = 0 from t >= 1 s until t >= 2 s
force (0, 3 N*t/(1 s), 0) on P
start x' = 1 m/s
";
    let text = model.replace("force (0, 3 N*t/(1 s), 0) on P", "force (0, 3 N/s*max(0, t - 1.5 s), 0) on P");
    let motion = run(&own(&text), 3.0);
    happen(&motion, "hold", "begins", &[1.0]);
    happen(&motion, "hold", "ends", &[2.0]);
    // y'' = 3 (t − 1.5) from 2 on
    near("flies off", last(&motion, "y'"), 1.5 * (1.5_f64.powi(2) - 0.25), 1.0);
}

#[test]
fn a_constraint_that_begins_elsewhere_is_an_error_that_names_it() {
    let model = "
coord x : m
point P = (x, 0) mass 1 kg
constraint hold: x = 5 m from t >= 1 s
start x' = 1 m/s
";
    let loaded = anholon::open(&own(model)).unwrap();
    let wanted = anholon::Simulate { duration: Some(3.0), ..anholon::Simulate::default() };
    let motion = anholon::simulate(&loaded, &wanted, &mut anholon::Alone).unwrap();
    let failure = motion.stopped_by.failure().unwrap();
    assert!(failure.contains("`hold`") && failure.contains("does not hold"), "{failure}");
}

#[test]
fn what_is_driven_may_give_energy() {
    // a rate that is given from a time on: the drive works
    let text = "param m = 2 kg\ncoord x : m\npoint P = (x, 0) mass m\nconstraint a: x' = 1 m/s from t >= 0.2 s\n\
                start x = 0, x' = 0.5 m/s\n";
    let motion = run(&own(text), 1.0);
    near("energy lost", motion.events[0].energy_lost.unwrap(), 0.25 - 1.0, 1.0);
    near("x", last(&motion, "x"), 0.1 + 0.8, 1.0);
    assert!(motion.energy_drift < 1e-12, "{}", motion.energy_drift);
    // a wall that comes at 3 m/s throws a ball at rest with (1 + e) 3 m/s
    let wall = "param m = 2 kg, v = 3 m/s, e = 0.5\ncoord x : m\npoint P = (x, 0) mass m\n\
                constraint wall: x >= v*t - 1 m\nrestitution e on wall\nstart x = 0, x' = 0\n";
    let motion = run(&own(wall), 1.0);
    near("x'", last(&motion, "x'"), 4.5, 1.0);
    near("x", last(&motion, "x"), 4.5 * (1.0 - 1.0 / 3.0), 1.0);
    assert!(motion.energy_drift < 1e-12, "{}", motion.energy_drift);
}

#[test]
fn a_contact_that_lets_go_does_not_close_by_rounding() {
    // a weight on a spring above another that bounces, and a limit that is never reached
    let text = "param m = 1 kg, k = 200 N/m, g = 9.81 m/s^2, l = 0.5 m\ncoord x, z : m\npoint P = (0, x) mass m\n\
                point Q = (0, z) mass m\ngravity (0, -g)\npotential k*(x - z - l)^2/2\nconstraint floor: z >= 0\n\
                restitution 0.6 on floor\nconstraint lim: x - z >= -0.2 m\nstart x = 1.5 m, z = 1 m\n";
    for power in 2..=13 {
        for digit in [1.0, 2.0, 5.0] {
            let tolerance = digit * 10.0_f64.powi(-power);
            let wanted = Simulate { duration: Some(5.0), tolerance: Some(tolerance), ..Simulate::default() };
            let motion = ask(&own(text), &wanted);
            assert_eq!(motion.stopped_by.failure(), None, "{tolerance:e}");
            if tolerance < 1e-5 {
                assert!((last(&motion, "x") - 0.548_579_59).abs() < 1e-6, "{tolerance:e}: {}", last(&motion, "x"));
            }
        }
    }
}

//! Dry friction: sticking, sliding, what is between them, and where the law has no answer.

use std::f64::consts::SQRT_2;

use anholon::answer::Touch;
use anholon::{Evaluated, Settings, open};

use crate::ask::evaluate;

use crate::{EXACT, agree, column, follows, gallery, happen, last, near, own, run};

const G: f64 = 9.81;

/// What a rough contact does at the start, and its determinant.
fn state(settings: &Settings) -> (&'static str, f64) {
    let loaded = open(settings).unwrap_or_else(|error| panic!("{error}"));
    let friction = match evaluate(&loaded, None).unwrap() {
        Evaluated::Found(found) => found.friction,
        Evaluated::NoAnswer { friction, .. } => friction,
    };
    let friction = friction.expect("a rough contact").0.remove(0);
    (friction.state.word(), friction.determinant.unwrap())
}

/// Why a model is refused.
fn refusal(text: &str) -> String {
    open(&own(text)).err().expect("a refusal").to_string()
}

#[test]
fn a_block_slides_back_if_the_incline_is_steep_and_stays_otherwise() {
    let (v, slope) = (2.0, 0.5_f64);
    for mu in [0.3, 0.6] {
        let motion = run(&gallery("rough-incline", &[&format!("mu={mu}")]), 2.0);
        let (up, back) = (G * (slope.sin() + mu * slope.cos()), G * (slope.sin() - mu * slope.cos()));
        let rest = v / up;
        let is_steep = mu < slope.tan();
        happen(&motion, "plane", if is_steep { "turns" } else { "sticks" }, &[rest]);
        assert_eq!(motion.events.len(), 1);
        follows(&motion, "x'", |t| match t < rest {
            true => -v + up * t,
            false if is_steep => back * (t - rest),
            false => 0.0,
        });
        assert!(motion.energy_drift < 1e-12, "{:e}", motion.energy_drift);
    }
}

#[test]
fn a_block_begins_to_slide_where_the_pull_reaches_the_friction() {
    // pulled by k t: slides from μ m g/k on, with x' = k s²/2m − …, s the time since
    let model = "
param m = 2 kg, g = 9.81 m/s^2, k = 3 N/s, mu = 0.4
coord x, y : m
point P = (x, y) mass m
gravity (0, -g, 0)
force (k*t, 0, 0) on P
contact floor: P slides on plane(N.y, 0)
friction mu on floor
start x = 0
";
    let (m, k, mu) = (2.0, 3.0, 0.4);
    let motion = run(&own(model), 5.0);
    let begins = mu * m * G / k;
    happen(&motion, "floor", "slips", &[begins]);
    follows(&motion, "x'", |t| if t < begins { 0.0 } else { k * (t - begins).powi(2) / (2.0 * m) });
    follows(&motion, "reaction(floor).x", |t| -(k * t).min(mu * m * G));
}

#[test]
fn a_sphere_rolls_down_if_the_incline_is_rough_enough() {
    let slope = 0.9_f64;
    let edge = 2.0 / 7.0 * slope.tan();
    for (mu, word) in [(edge + 1e-6, "sticks"), (edge - 1e-6, "slides")] {
        assert_eq!(state(&gallery("sphere-on-incline", &[&format!("mu={mu}")])).0, word);
    }
    for (mu, rolls) in [(edge + 1e-6, true), (edge - 1e-2, false), (0.1, false)] {
        let motion = run(&gallery("sphere-on-incline", &[&format!("mu={mu}")]), 1.0);
        let acceleration = if rolls { 5.0 / 7.0 * G * slope.sin() } else { G * (slope.sin() - mu * slope.cos()) };
        follows(&motion, "x", |t| acceleration * t * t / 2.0);
        assert!(motion.events.is_empty(), "{:?}", motion.events);
    }
}

#[test]
fn a_ball_struck_aside_slips_along_a_parabola_and_rolls_off_straight() {
    let settings = gallery("billiard-ball", &[]);
    let text = settings.text.replace("omega(ball) = (0, spin, 0)", "omega(ball) = (50 rad/s, spin, 10 rad/s)");
    let motion = run(&Settings { text, ..settings }, 1.0);
    let (v, spin, r, mu): ([f64; 2], [f64; 2], f64, f64) = ([2.0, 0.0], [50.0, -40.0], 0.0286, 0.2);
    // slip of the lowest point: v − r (ω_y, −ω_x)
    let slip = [v[0] - r * spin[1], v[1] + r * spin[0]];
    let speed = slip[0].hypot(slip[1]);
    let rolls = 2.0 * speed / (7.0 * mu * G);
    happen(&motion, "cloth", "sticks", &[rolls]);
    for (axis, name) in ["x'", "y'"].into_iter().enumerate() {
        follows(&motion, name, |t| v[axis] - mu * G * slip[axis] / speed * t.min(rolls));
    }
}

#[test]
fn a_bead_in_a_bowl_comes_to_rest_inside_the_cone_and_stays() {
    let model = "
param m = 1 kg, g = 9.81 m/s^2, a = 1 m, mu = 0.2
coord x, y, z : m
point P = (x, y, z) mass m
gravity (0, 0, -g)
constraint bowl: x^2 + y^2 + z^2 <= a^2
friction mu on bowl
start x = 0.6 m, y = 0, z = -0.8 m, y' = 2 m/s
";
    let motion = run(&own(model), 4.0);
    assert_eq!(motion.events.iter().map(|event| event.kind.word()).collect::<Vec<_>>(), ["sticks"]);
    let (x, y, z) = (last(&motion, "x"), last(&motion, "y"), last(&motion, "z"));
    assert!(x.hypot(y) / -z < 0.2, "outside the cone: {x} {y} {z}");
    assert!(["x'", "y'", "z'"].iter().all(|rate| last(&motion, rate).abs() < 1e-12));
    assert!(motion.energy_drift < 1e-10, "{:e}", motion.energy_drift);
}

#[test]
fn a_ring_presses_outwards_or_inwards() {
    // a bead on a rough vertical circle: d(v²)/dφ = −2 g sin φ − 2 μ |v² + g cos φ|, a = 1, by an integration of its own
    let model = "
param g = 9.81 m/s^2, a = 1 m, mu = 0.1
coord x, y : m
point P = (x, y) mass 1 kg
gravity (0, -g, 0)
constraint wire: x^2 + y^2 = a^2
friction mu on wire
record bottom when x = 0
start x = 0, y = a, x' = 1 m/s
";
    let motion = run(&own(model), 1.2);
    // φ from the lowest point, from −π at the top; clockwise
    let slope = |phi: f64, square: f64| -2.0 * G * phi.sin() - 0.2 * (square + G * phi.cos()).abs();
    let (steps, mut square) = (2_000_000, 1.0);
    let h = std::f64::consts::PI / f64::from(steps);
    for k in 0..steps {
        let phi = -std::f64::consts::PI + h * f64::from(k);
        let first = slope(phi, square);
        square += h * slope(phi + h / 2.0, square + h / 2.0 * first);
    }
    let bottom = motion.events.iter().find(|event| event.name == "bottom").expect("it comes round");
    let is = bottom.state.get("x'").unwrap().powi(2);
    assert!((is - square).abs() < 1e-8 * square, "{is} should be {square}");
}

#[test]
fn the_speed_on_a_rough_ring_falls_as_one_over_time() {
    let motion = run(&gallery("rough-ring", &[]), 6.0);
    let pairs: Vec<(f64, f64)> = column(&motion, "x'")
        .iter()
        .zip(column(&motion, "y'"))
        .zip(&motion.table.t)
        .map(|((x, y), t)| (x.hypot(y), 3.0 / (1.0 + 0.75 * t)))
        .collect();
    agree("speed", &motion.table.t, &pairs, EXACT);
}

#[test]
fn friction_takes_energy_also_where_a_guide_begins_without_pressing() {
    // N = 0 at the start, and either sign afterwards
    for (k, sign) in [(10.0, 1.0), (-10.0, -1.0)] {
        let model = format!(
            "coord x, y : m\npoint P = (x, y) mass 1 kg\nforce (2 N, {k} N/s*t) on P\n\
             contact floor: P slides on plane(N.y, 0)\nfriction 0.3 on floor\nstart x = 0\n"
        );
        let motion = run(&own(&model), 0.6);
        follows(&motion, "x'", |t| 2.0 * t - 0.3 * 10.0 * t * t / 2.0);
        follows(&motion, "reaction(floor).y", |t| -sign * 10.0 * t);
    }
}

#[test]
fn a_wall_takes_over_what_friction_would_hold() {
    let model = |rough: &str| {
        format!(
            "param g = 10 m/s^2\ncoord x, y : m\npoint P = (x, y) mass 1 kg\ngravity (0, -g)\n\
             contact floor: P slides on plane(N.y, 0) unilateral\n\
             contact wall: P slides on plane(N.x, -1 m) unilateral\nfriction 0.3 on {rough}\nstart x' = -4 m/s\n"
        )
    };
    for rough in ["floor", "wall"] {
        let motion = run(&own(&model(rough)), 1.0);
        near("at the wall", last(&motion, "x"), -1.0, 1.0);
        near("at rest", last(&motion, "x'"), 0.0, 1.0);
    }
}

#[test]
fn what_leaves_at_the_start_has_no_friction() {
    let model = "
param m = 1 kg, g = 10 m/s^2, F = 25 N
coord x, y : m
point P = (x, y) mass m
gravity (0, -g)
force F*N.y on P
contact floor: P slides on plane(N.y, 0) unilateral
friction 0.3 on floor
claim free: m*y'' = F - m*g
claim along: x'' = 0
start x' = 1 m/s
";
    let loaded = open(&own(model)).unwrap();
    assert!(loaded.mode.sliding().next().is_none());
    let Evaluated::Found(found) = evaluate(&loaded, None).unwrap() else { panic!("it leaves") };
    assert_eq!((found.accelerations.get("x''"), found.friction.unwrap().0[0].state.word()), (Some(&0.0), "leaves"));
}

/// Painlevé's rod at an angle, turning at a rate.
fn rod(mu: f64, theta: f64, rate: f64) -> Settings {
    let at = format!("theta={theta}, tip.x=0, tip.y=0, velocity(tip)=(-3 m/s, 0, 0), theta'={rate}");
    Settings { at: Some(at), ..gallery("painleve-rod", &[&format!("mu={mu}")]) }
}

#[test]
fn a_uniform_rod_loses_solvability_above_four_thirds() {
    let worst = 2.0_f64.atan();
    assert_eq!(state(&rod(4.0 / 3.0 - 1e-9, worst, 0.0)).0, "slides");
    assert_eq!(state(&rod(4.0 / 3.0 + 1e-9, worst, 0.0)).0, "none");
    // between two angles for more friction, to 1e-10
    let mu = 2.0_f64;
    for sign in [-1.0, 1.0] {
        let edge = ((3.0 * mu + sign * (9.0 * mu * mu - 16.0).sqrt()) / 2.0).atan();
        assert_eq!(state(&rod(mu, edge + sign * 1e-10, 0.0)).0, "slides");
        assert_eq!(state(&rod(mu, edge - sign * 1e-10, 0.0)).0, "none");
        // fast enough for its end to be thrown upwards
        assert_eq!(state(&rod(mu, edge + sign * 1e-10, 9.0)).0, "leaves");
        assert_eq!(state(&rod(mu, edge - sign * 1e-10, 9.0)).0, "two solutions");
    }
}

#[test]
fn both_solutions_are_given_and_satisfy_the_law() {
    let loaded = open(&rod(2.0, 0.9, 8.0)).unwrap();
    let Evaluated::Found(found) = evaluate(&loaded, None).unwrap() else { panic!("two solutions") };
    assert_eq!(found.contact.get("floor"), Some(&Touch::Two));
    let [leaves, slides] = &found.solutions[..] else { panic!("two of them") };
    assert_eq!((&leaves.state[..], &slides.state[..]), ("leaves", "slides"));
    near("falls", *leaves.accelerations.get("y''").unwrap(), -G, G);
    // y'' of the end vanishes: y'' + l sin θ θ'² − l cos θ θ'' = 0
    let (y, turn) = (slides.accelerations.get("y''").unwrap(), slides.accelerations.get("theta''").unwrap());
    near("the end stays", y + 0.5 * 0.9_f64.sin() * 64.0 - 0.5 * 0.9_f64.cos() * turn, 0.0, G);
    let normal = *slides.multipliers.get("floor.gap").unwrap();
    near("friction", *slides.accelerations.get("x''").unwrap(), 2.0 * normal, G);
}

#[test]
fn a_dumb_bell_loses_solvability_first_at_two_root_two() {
    let worst = SQRT_2.atan();
    let at = format!("xa=0, ya=0, xb={}, yb={}, xa'=-1, xb'=-1, yb'=0", worst.cos(), worst.sin());
    let with = |mu: f64| Settings { at: Some(at.clone()), ..gallery("rough-dumb-bell", &[&format!("mu={mu}")]) };
    let (word, small) = state(&with(2.0 * SQRT_2 - 1e-9));
    assert_eq!(word, "slides");
    assert!(small > 0.0 && small < 1e-8, "{small}");
    assert_eq!(state(&with(2.0 * SQRT_2 + 1e-9)).0, "none");
}

#[test]
fn a_driven_rod_stops_where_solvability_is_lost() {
    // the middle is driven at a constant speed, the rod turns into the paradoxical interval: N grows without bound
    let model = "
param m = 1 kg, l = 0.5 m, g = 9.81 m/s^2, mu = 2
coord x, y : m
coord theta : rad
frame B = N rotated z by theta
body rod mass m at (x, y) frame B inertia m*l^2/3
point tip = (x, y) - l*B.x
gravity (0, -g, 0)
contact floor: tip slides on plane(N.y, 0) unilateral
friction mu on floor
constraint drive: x = -3 m/s*t
start theta = 0.5 rad, tip.y = 0, x' = -3 m/s, theta' = 0, velocity(tip).y = 0
";
    let loaded = open(&own(model)).unwrap();
    let wanted = anholon::Simulate { duration: Some(1.0), ..anholon::Simulate::default() };
    let motion = anholon::simulate(&loaded, &wanted, &mut anholon::Alone).unwrap();
    let failure = motion.stopped_by.failure().unwrap();
    assert!(failure.contains("Painlevé"), "{failure}");
    let event = motion.events.last().expect("the boundary");
    assert_eq!((event.name.as_str(), event.kind.word()), ("floor", "loses solvability"));
    near("the boundary", *event.state.get("theta").unwrap(), ((6.0 - 20.0_f64.sqrt()) / 2.0).atan(), 1.0);
}

#[test]
fn wrong_friction_is_refused_by_name() {
    let model = |lines: &str| {
        format!(
            "coord x, y : m\npoint P = (x, y) mass 1 kg\npoint Q = (x, 2 m) mass 1 kg\ngravity (0, -9.81 m/s^2, 0)\n\
             contact floor: P slides on plane(N.y, 0) unilateral\nconstraint wall: x >= -1 m\n{lines}\nstart x = 0\n"
        )
    };
    for (lines, words) in [
        ("friction -0.1 on floor", "the coefficient of friction on `floor` is -0.1"),
        ("friction x/(1 m) on floor", "depends on `x`"),
        ("friction 0.1 on wall", "friction on `wall` has no contact point"),
        ("friction 0.1 on floor\nfriction 0.2 on floor", "there is friction on `floor` already"),
        ("restitution 1.5 on floor", "the coefficient of restitution on `floor` is 1.5"),
        ("constraint rod: y = 0\nrestitution 0.5 on rod", "it never opens"),
        ("constraint slow: y' = 0\nfriction 0.5 on slow", "no contact point"),
    ] {
        let told = refusal(&model(lines));
        assert!(told.contains(words), "{lines}: {told}");
    }
}

//! Several contacts at once: which stick, slide and open, against closed forms and equations written here.

use anholon::{Evaluated, Simulate, open};

use crate::ask::evaluate;
use crate::{TIGHT, ask, follows, happen, instants, last, near, own, run};

const G: f64 = 9.81;

/// A block of 10 kg on two feet at (∓0.5, −0.5) m, with some lines more.
fn block(mu: f64, lines: &str) -> String {
    format!(
        "param m = 10 kg, J = 3 kg*m^2, g = 9.81 m/s^2\ncoord x, y : m\ncoord phi : rad\nframe B = N rotated z by phi\n\
         point C = (x, y)\nbody D mass m at C frame B inertia J\npoint L = C + B*(-0.5, -0.5, 0)*(1 m)\n\
         point R = C + B*(0.5, -0.5, 0)*(1 m)\ncontact l: L slides on plane(N.y, 0) unilateral\n\
         contact r: R slides on plane(N.y, 0) unilateral\nfriction {mu} on l\nfriction {mu} on r\ngravity (0, -g)\n{lines}\n"
    )
}

#[test]
fn a_block_that_is_pushed_harder_and_harder_slides() {
    let text = block(0.4, "force (20*t*(1 N/s), 0) on D at C\nstart x = 0, y = 0.5 m, phi = 0");
    let motion = run(&own(&text), 3.0);
    let (m, mu, k) = (10.0, 0.4, 20.0);
    let slips = mu * m * G / k;
    happen(&motion, "l", "slips", &[slips]);
    happen(&motion, "r", "slips", &[slips]);
    follows(&motion, "x", |t| if t < slips { 0.0 } else { k / m * (t - slips).powi(3) / 6.0 });
    // what holds it is moved to the front foot
    follows(&motion, "multiplier(l.gap)", |t| {
        let friction = (k * t).min(mu * m * G);
        (m * G - friction) / 2.0
    });
}

#[test]
fn a_block_that_is_pushed_high_tips_about_its_front_foot() {
    // pushed 0.7 m over its centre: it tips where P 1.2 m = m g 0.5 m, before it slides
    let text =
        block(2.0, "point P = C + 0.7*B.y*(1 m)\nforce (20*t*(1 N/s), 0) on D at P\nstart x = 0, y = 0.5 m, phi = 0");
    let motion = run(&own(&text), 2.6);
    let tips = 10.0 * G * 0.5 / (1.2 * 20.0);
    happen(&motion, "l", "leaves", &[tips]);
    assert_eq!(instants(&motion, "r", "slips"), [] as [f64; 0]);
    // the same block hinged at that foot from then on
    let hinged = format!(
        "param m = 10 kg, J = 3 kg*m^2, g = 9.81 m/s^2\ncoord phi : rad\nframe B = N rotated z by phi\n\
         point C = B*(-0.5, 0.5, 0)*(1 m)\nbody D mass m at C frame B inertia J\ngravity (0, -g)\n\
         point P = C + 0.7*B.y*(1 m)\nforce (20*t*(1 N/s), 0) on D at P\nstart t = {tips:.17} s, phi = 0, phi' = 0\n"
    );
    let other = run(&own(&hinged), 2.6 - tips);
    near("phi", last(&motion, "phi"), last(&other, "phi"), 1e2);
}

#[test]
fn a_sliding_block_comes_to_rest_on_both_feet() {
    let motion = run(&own(&block(0.3, "start x = 0, y = 0.5 m, phi = 0, x' = 2 m/s")), 1.0);
    let stops = 2.0 / (0.3 * G);
    for foot in ["l", "r"] {
        happen(&motion, foot, "sticks", &[stops]);
    }
    follows(&motion, "x", |t| {
        let t = t.min(stops);
        2.0 * t - 0.3 * G * t * t / 2.0
    });
}

#[test]
fn a_block_that_slides_on_three_feet_moves_although_they_share_its_weight() {
    let third = "point M = C - 0.5*B.y*(1 m)\ncontact c: M slides on plane(N.y, 0) unilateral\nfriction 0.3 on c\n";
    let motion = run(&own(&block(0.3, &format!("{third}start x = 0, y = 0.5 m, phi = 0, x' = 2 m/s"))), 0.5);
    follows(&motion, "x", |t| 2.0 * t - 0.3 * G * t * t / 2.0);
    assert!(crate::column(&motion, "multiplier(c.gap)").iter().all(|lambda| lambda.is_nan()), "it is shared");
    // with another coefficient on one foot the share decides, and nobody knows it
    let text = block(0.3, &format!("{}start x = 0, y = 0.5 m, phi = 0, x' = 2 m/s", third.replace("0.3", "0.6")));
    let loaded = open(&own(&text));
    let told = loaded.err().expect("a refusal").to_string();
    assert!(told.contains("not determined") && told.contains("share a load"), "{told}");
}

#[test]
fn a_block_that_falls_flat_stops_or_slides_on() {
    // 1 m/s down at the floor: the friction takes up to μ m (1 m/s) of the momentum along it
    for (mu, before) in [(0.2_f64, 0.5_f64), (0.2, 0.1)] {
        let text = block(mu, &format!("start x = 0, y = 0.6 m, phi = 0, x' = {before} m/s, y' = 0"));
        let motion = run(&own(&text), 0.2);
        let fall = (2.0 * G * 0.1).sqrt();
        let (lands, taken) = (fall / G, (mu * fall).min(before));
        for foot in ["l", "r"] {
            happen(&motion, foot, "closes", &[lands]);
        }
        let event = motion.events.iter().find(|event| event.energy_lost.is_some()).expect("an impact");
        near("what is left", *event.state.get("x'").unwrap(), before - taken, 1.0);
        near("it does not turn", *event.state.get("phi'").unwrap(), 0.0, 1.0);
        near(
            "the loss",
            event.energy_lost.unwrap(),
            5.0 * (fall * fall + before * before - (before - taken).powi(2)),
            1.0,
        );
    }
}

/// A ladder of 4 m and 10 kg at an angle to the floor.
fn ladder(mu: f64, angle: f64) -> String {
    format!(
        "param m = 10 kg, l = 4 m, g = 9.81 m/s^2\ncoord x, y : m\ncoord phi : rad\nframe B = N rotated z by phi\n\
         point C = (x, y)\nbody D mass m at C frame B inertia m*l^2/12\npoint F = C - l/2*B.x\npoint W = C + l/2*B.x\n\
         contact floor: F slides on plane(N.y, 0) unilateral\ncontact wall: W slides on plane(-N.x, 0) unilateral\n\
         friction {mu} on floor\nfriction {mu} on wall\ngravity (0, -g)\n\
         start phi = {angle}, y = l/2*sin(phi), x = -l/2*cos(phi)\n"
    )
}

#[test]
fn a_ladder_stands_or_slips_on_floor_and_wall() {
    for (mu, angle) in [(0.30, 1.0_f64), (0.28, 1.0), (0.48, 0.7), (0.45, 0.7), (0.3, 0.5)] {
        let stands = angle.tan() >= (1.0 - mu * mu) / (2.0 * mu);
        let loaded = open(&own(&ladder(mu, angle))).unwrap();
        let Evaluated::Found(found) = evaluate(&loaded, None).unwrap() else { panic!("an answer") };
        let states: Vec<&str> =
            found.friction.iter().flat_map(|all| all.0.iter().map(|one| one.state.word())).collect();
        assert_eq!(states, if stands { ["sticks"; 2] } else { ["slides"; 2] }, "{mu} {angle}");
        // from rest with φ'' = −a: x'' = −a l/2 sin φ, y'' = −a l/2 cos φ; friction holds against both slips
        let (s, c, l, m) = (angle.sin(), angle.cos(), 4.0, 10.0);
        // N (floor), W (wall), a: m x'' = −W + μ N, m y'' = N + μ W − m g, J φ'' = torques about the centre
        let inertia = m * l * l / 12.0;
        let (h, b) = (l / 2.0 * s, l / 2.0 * c);
        let matrix = [[mu, -1.0, m * h], [1.0, mu, m * b], [-b + mu * h, h + mu * b, inertia]];
        let x = solved(matrix, [0.0, m * G, 0.0]);
        let turn = *found.accelerations.get("phi''").unwrap();
        near("phi''", turn, if stands { 0.0 } else { -x[2] }, 1.0);
    }
}

/// Three equations, by Cramer's rule.
fn solved(a: [[f64; 3]; 3], b: [f64; 3]) -> [f64; 3] {
    let det = |m: [[f64; 3]; 3]| {
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    };
    let with = |k: usize| {
        let mut m = a;
        (0..3).for_each(|i| m[i][k] = b[i]);
        det(m) / det(a)
    };
    [with(0), with(1), with(2)]
}

#[test]
fn a_ladder_slides_down_both_walls() {
    // while both ends slide, φ is the only freedom: by Runge–Kutta here
    let (mu, l, m) = (0.2, 4.0, 10.0);
    let motion = run(&own(&ladder(mu, 1.0)), 0.8);
    assert_eq!(motion.events.len(), 0, "both slide");
    let turn = |phi: f64, w: f64| {
        let (h, b) = (l / 2.0 * phi.sin(), l / 2.0 * phi.cos());
        // x'' = h a + b w², y'' = b a − h w² with a = φ''; F to the left, W down
        let matrix = [[mu, -1.0, -m * h], [1.0, mu, -m * b], [b - mu * h, -h - mu * b, m * l * l / 12.0]];
        solved(matrix, [m * b * w * w, m * G - m * h * w * w, 0.0])[2]
    };
    let (mut phi, mut w, steps) = (1.0, 0.0, 4000);
    let dt = 0.8 / f64::from(steps);
    for _ in 0..steps {
        let (k1, l1) = (w, turn(phi, w));
        let (k2, l2) = (w + dt / 2.0 * l1, turn(phi + dt / 2.0 * k1, w + dt / 2.0 * l1));
        let (k3, l3) = (w + dt / 2.0 * l2, turn(phi + dt / 2.0 * k2, w + dt / 2.0 * l2));
        let (k4, l4) = (w + dt * l3, turn(phi + dt * k3, w + dt * l3));
        phi += dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        w += dt / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    near("phi", last(&motion, "phi"), phi, 1.0);
    near("phi'", last(&motion, "phi'"), w, 1.0);
}

#[test]
fn of_two_stacked_blocks_both_move_and_then_the_lower_is_pulled_away() {
    // bodies that do not turn; the lower one is pulled
    let text = "param m = 2 kg, M = 3 kg, g = 9.81 m/s^2\ncoord x, y, X, Y : m\nbody A mass M at (X, Y) frame N inertia 1 kg*m^2\n\
                point P = (x, y) mass m\npoint Q = (X, Y)\ncontact floor: Q slides on plane(N.y, 0) unilateral\n\
                contact top: P slides on plane(N.y, 0.2 m) of A unilateral\nfriction 0.3 on floor\nfriction 0.2 on top\n\
                gravity (0, -g)\nforce (4*t*(1 N/s), 0) on A at Q\nstart Y = 0, y = 0.2 m\n";
    let motion = run(&own(text), 9.0);
    let (first, second) = (0.3 * 5.0 * G / 4.0, 0.5 * 5.0 * G / 4.0);
    happen(&motion, "floor", "slips", &[first]);
    happen(&motion, "top", "slips", &[second]);
    follows(&motion, "x'", |t| {
        let together = |t: f64| 4.0 / 5.0 * (t - first).powi(2) / 2.0;
        if t < first {
            0.0
        } else if t < second {
            together(t)
        } else {
            together(second) + 0.2 * G * (t - second)
        }
    });
}

#[test]
fn a_wheel_in_a_groove_turns_when_the_torque_overcomes_both_sides() {
    // sides at 45 degrees: the torque is √2 μ m g r/(1 + μ²)
    let text = "param m = 4 kg, r = 0.3 m, g = 9.81 m/s^2\ncoord x, y : m\ncoord phi : rad\nframe B = N rotated z by phi\n\
                body D mass m at (x, y) frame B inertia m*r^2/2\ngravity (0, -g)\n\
                contact left: D slides as disc(r, B.z) on plane((N.x + N.y)/sqrt(2), 0) unilateral\n\
                contact right: D slides as disc(r, B.z) on plane((N.y - N.x)/sqrt(2), 0) unilateral\n\
                friction 0.4 on left\nfriction 0.4 on right\ntorque 2*t*N.z*(1 N*m/s) on D\n\
                start x = 0, y = r*sqrt(2), phi = 0\n";
    let motion = run(&own(text), 4.0);
    let (mu, w) = (0.4, 4.0 * G);
    let slips = 2.0_f64.sqrt() * mu * w * 0.3 / (1.0 + mu * mu) / 2.0;
    happen(&motion, "left", "slips", &[slips]);
    happen(&motion, "right", "slips", &[slips]);
    let inertia = 4.0 * 0.09 / 2.0;
    follows(&motion, "phi'", |t| if t < slips { 0.0 } else { 2.0 * (t - slips).powi(2) / 2.0 / inertia });
}

#[test]
fn what_is_wedged_between_parallel_walls_is_not_determined() {
    let text = "param m = 4 kg, r = 0.3 m, g = 9.81 m/s^2\ncoord x, y : m\ncoord phi : rad\nframe B = N rotated z by phi\n\
                body D mass m at (x, y) frame B inertia m*r^2/2\ngravity (0, -g)\n\
                contact left: D slides as disc(r, B.z) on plane(N.x, -r) unilateral\n\
                contact right: D slides as disc(r, B.z) on plane(-N.x, -r) unilateral\n\
                friction 0.4 on left\nfriction 0.4 on right\nstart x = 0, y = 0\n";
    let told = open(&own(text)).err().expect("a refusal").to_string();
    assert!(told.contains("not determined") && told.contains("`left`"), "{told}");
}

#[test]
fn a_table_on_three_legs_slides_when_it_is_pushed_along_the_floor() {
    let text = "param m = 6 kg, g = 9.81 m/s^2\ncoord x, y, z : m\ncoord a, b, c : rad\nframe A = N rotated z by c\n\
                frame E = A rotated x by a\nframe B = E rotated y by b\npoint C = (x, y, z)\n\
                body D mass m at C frame B inertia (0.4 kg*m^2, 0.5 kg*m^2, 0.7 kg*m^2)\n\
                point P = C + B*(0.5, 0, -0.4)*(1 m)\npoint Q = C + B*(-0.3, 0.4, -0.4)*(1 m)\n\
                point R = C + B*(-0.3, -0.4, -0.4)*(1 m)\npoint S = C - 0.4*B.z*(1 m)\n\
                contact p: P slides on plane(N.z, 0) unilateral\ncontact q: Q slides on plane(N.z, 0) unilateral\n\
                contact r: R slides on plane(N.z, 0) unilateral\nfriction 0.5 on p\nfriction 0.5 on q\nfriction 0.5 on r\n\
                gravity (0, 0, -g)\nforce (6*t, 8*t, 0)*(1 N/s) on D at F\nstart x = 0, y = 0, z = 0.4 m\n";
    // the push acts over the centre of the friction: N = m g by thirds and so on, all along the push
    let (thirds, total) = ([0.3 / 0.8, 0.25 / 0.8, 0.25 / 0.8], 6.0 * G);
    let at: f64 = 0.5 * thirds[0] - 0.3 * (thirds[1] + thirds[2]);
    assert!(at.abs() < 1e-12, "the weight is under the centre");
    let motion = run(&own(&text.replace("at F", "at S")), 4.0);
    let slips = 0.5 * total / 10.0;
    for leg in ["p", "q", "r"] {
        happen(&motion, leg, "slips", &[slips]);
    }
    // begin with a speed at once, and this fails: it was 1e-7 m/s too fast
    near("x", last(&motion, "x"), 0.6 * 10.0 / 6.0 * (4.0 - slips).powi(3) / 6.0, 10.0);
    near("y", last(&motion, "y"), 0.8 * 10.0 / 6.0 * (4.0 - slips).powi(3) / 6.0, 10.0);
    // a push that is there at once
    let motion = run(&own(&text.replace("at F", "at S").replace("(6*t, 8*t, 0)*(1 N/s)", "(21 N, 28 N, 0)")), 1.0);
    near("x", last(&motion, "x"), 0.6 * (35.0 / 6.0 - 0.5 * G) / 2.0, 10.0);
    near("y", last(&motion, "y"), 0.8 * (35.0 / 6.0 - 0.5 * G) / 2.0, 10.0);
}

const BEAM: &str = "param m = 10 kg, J = 3 kg*m^2, g = 9.81 m/s^2\ncoord x, y : m\ncoord phi : rad\n\
    frame B = N rotated z by phi\npoint C = (x, y)\nbody D mass m at C frame B inertia J\npoint L = C - B.x*(1 m)\n\
    point R = C + B.x*(1 m)\nconstraint l: L.y >= 0\nconstraint c: C.y >= 0\nconstraint r: R.y >= 0\ngravity (0, -g)\n\
    torque -60*t*N.z*(1 N*m/s) on D\nstart x = 0, y = 0, phi = 0\n";

#[test]
fn a_beam_on_three_supports_tips_about_the_last() {
    let motion = run(&own(BEAM), 2.0);
    let tips = 10.0 * G / 60.0;
    for support in ["l", "c"] {
        happen(&motion, support, "leaves", &[tips]);
    }
    let without = run(&own(&BEAM.replace("constraint c: C.y >= 0\n", "")), 2.0);
    near("phi", last(&motion, "phi"), last(&without, "phi"), 1.0);
    near("y", last(&motion, "y"), last(&without, "y"), 1.0);
}

#[test]
fn copies_of_a_support_let_go_together() {
    // two copies of a row, a third in other units, a lifting force that grows
    let text = "param m = 2 kg, g = 9.81 m/s^2\ncoord x, y : m\npoint P = (x, y) mass m\ngravity (0, -g)\n\
                constraint a: y >= 0\nconstraint b: y >= 0\nconstraint c: 1000*y >= 0\nforce (0, 10*t*(1 N/s)) on P\nstart x' = 1 m/s\n";
    for tolerance in [1e-6, 1e-9, TIGHT] {
        let wanted = Simulate { duration: Some(3.0), tolerance: Some(tolerance), ..Simulate::default() };
        let motion = ask(&own(text), &wanted);
        assert_eq!(motion.stopped_by.failure(), None);
        let leaves = 2.0 * G / 10.0;
        for name in ["a", "b", "c"] {
            let found = instants(&motion, name, "leaves");
            assert!(
                found.len() == 1 && (found[0] - leaves).abs() < 10.0 * tolerance,
                "{name} at {tolerance}: {found:?}"
            );
        }
        let y = 10.0 / 2.0 * (3.0 - leaves).powi(3) / 6.0;
        assert!((last(&motion, "y") - y).abs() < 100.0 * tolerance, "{} should be {y}", last(&motion, "y"));
    }
}

//! Are positions at which constraints become dependent found to their instant, whatever the tolerance and the order of
//! lines, and passed where the motion goes on in one way only?
//!
//! Motions with one degree of freedom are compared with u'' = (Σ F·P' − Σ m P'·P'' u'²)/Σ m P'² on a regular parameter u
//! of the branch, by the method of Runge and Kutta.

use std::f64::consts::PI;

use anholon::answer::EventKind;
use anholon::{Simulate, Simulation};

use crate::{ask, last, own};

const TOLERANCES: [f64; 5] = [1e-5, 1e-7, 1e-9, 1e-11, 1e-12];

/// A mass, its place and the force on it.
type Particle = (f64, [f64; 2], [f64; 2]);

/// One branch of a model by a regular parameter.
struct Branch {
    particles: fn(f64) -> Vec<Particle>,
    /// What vanishes where constraints become dependent.
    singular: fn(f64) -> f64,
    /// The parameter at the start, and its rate.
    start: [f64; 2],
    /// A coordinate of the model by the parameter.
    shown: (&'static str, fn(f64) -> f64),
}

impl Branch {
    /// The acceleration of the parameter.
    fn acceleration(&self, u: f64, rate: f64) -> f64 {
        const D: f64 = 1e-4;
        let [before, here, after] = [u - D, u, u + D].map(self.particles);
        let (mut top, mut bottom) = (0.0, 0.0);
        for ((one, two), three) in before.iter().zip(&here).zip(&after) {
            for k in 0..2 {
                let first = (three.1[k] - one.1[k]) / (2.0 * D);
                let second = (three.1[k] - 2.0 * two.1[k] + one.1[k]) / (D * D);
                top += two.2[k] * first - two.0 * first * second * rate * rate;
                bottom += two.0 * first * first;
            }
        }
        top / bottom
    }

    /// The singular instants, and the parameter at the end.
    fn run(&self, until: f64) -> (Vec<f64>, f64) {
        const STEPS: usize = 6000;
        let h = until / STEPS as f64;
        let [mut u, mut v] = self.start;
        let mut instants = Vec::new();
        for k in 0..STEPS {
            let a = |u: f64, v: f64| self.acceleration(u, v);
            let k1 = (v, a(u, v));
            let k2 = (v + 0.5 * h * k1.1, a(u + 0.5 * h * k1.0, v + 0.5 * h * k1.1));
            let k3 = (v + 0.5 * h * k2.1, a(u + 0.5 * h * k2.0, v + 0.5 * h * k2.1));
            let k4 = (v + h * k3.1, a(u + h * k3.0, v + h * k3.1));
            let next = u + h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
            let (one, two) = ((self.singular)(u), (self.singular)(next));
            if one * two < 0.0 {
                // linear in the parameter, quadratic in time: steps are short
                instants.push(h * (k as f64 + one / (one - two)));
            }
            (u, v) = (next, v + h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1));
        }
        (instants, u)
    }
}

/// The model with its constraints and coordinates in the opposite order.
fn reversed(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut constraints: Vec<&str> = lines.iter().copied().filter(|line| line.starts_with("constraint")).collect();
    let turned = lines.iter().map(|line| match line.split_once(' ') {
        Some(("constraint", _)) => constraints.pop().unwrap().to_owned(),
        Some(("coord", rest)) => {
            let (names, unit) = rest.split_once(':').unwrap();
            let names: Vec<&str> = names.split(',').map(str::trim).rev().collect();
            format!("coord {} :{unit}", names.join(", "))
        }
        _ => (*line).to_owned(),
    });
    turned.collect::<Vec<String>>().join("\n") + "\n"
}

/// The motion at each tolerance, in both orders of lines.
fn all(text: &str, duration: f64) -> Vec<(f64, Simulation)> {
    let mut list = Vec::new();
    for text in [text.to_owned(), reversed(text)] {
        for tolerance in TOLERANCES {
            let wanted = Simulate { duration: Some(duration), tolerance: Some(tolerance), ..Simulate::default() };
            list.push((tolerance, ask(&own(&text), &wanted)));
        }
    }
    list
}

fn singular(motion: &Simulation) -> Vec<f64> {
    motion.events.iter().filter(|event| event.kind == EventKind::Singular).map(|event| event.t).collect()
}

/// The motion passes exactly at these instants.
fn passes_at(text: &str, duration: f64, expected: &[f64], last: (&str, f64)) {
    for (tolerance, motion) in all(text, duration) {
        assert_eq!(motion.stopped_by.failure(), None, "{text} at {tolerance:e}");
        let found = singular(&motion);
        assert_eq!(found.len(), expected.len(), "{text} at {tolerance:e}: {found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 30.0 * tolerance + 3e-7, "{text} at {tolerance:e}: {found} {expected}");
        }
        let value = motion.last.get(last.0).unwrap();
        assert!((value - last.1).abs() < 1e3 * tolerance + 1e-6, "{text} at {tolerance:e}: {value} {}", last.1);
    }
}

/// The motion passes as the branch says.
fn passes(text: &str, duration: f64, branch: &Branch) {
    let (instants, u) = branch.run(duration);
    assert!(!instants.is_empty());
    passes_at(text, duration, &instants, (branch.shown.0, (branch.shown.1)(u)));
}

/// The motion ends there, and says why.
fn ends(text: &str, duration: f64, instant: f64, why: &str) {
    for (tolerance, motion) in all(text, duration) {
        let reason = motion.stopped_by.failure().unwrap_or_else(|| panic!("{text} goes on at {tolerance:e}"));
        assert!(reason.contains("become dependent") && reason.contains(why), "{reason}");
        let found = singular(&motion);
        assert!(
            found.len() == 1 && (found[0] - instant).abs() < 10.0 * tolerance + 3e-6,
            "{text} at {tolerance:e}: {found:?}"
        );
        assert_eq!(motion.last.t, found[0]);
    }
}

fn crank(u: f64, at: f64) -> [f64; 2] {
    [at + u.cos(), u.sin()]
}

#[test]
fn a_parallelogram_goes_through_its_dead_centres() {
    let model = |gravity: &str| {
        format!(
            "param l = 1 m, d = 2 m, m = 1 kg
coord a, b : rad
point A = l*(cos(a), sin(a)) mass m
point B = (d, 0) + l*(cos(b), sin(b)) mass 2*m
{gravity}constraint bar: dot(B - A, B - A) = d^2
start a = 1 rad, b = 1 rad, a' = 1 rad/s
"
        )
    };
    passes_at(&model(""), 3.0, &[PI - 1.0], ("b", 4.0));
    let branch = Branch {
        particles: |u| vec![(1.0, crank(u, 0.0), [0.0, -9.81]), (2.0, crank(u, 2.0), [0.0, -19.62])],
        singular: f64::sin,
        start: [1.0, 1.0],
        shown: ("b", |u| u),
    };
    passes(&model("gravity (0, -9.81 m/s^2)\n"), 3.0, &branch);
}

#[test]
fn a_driven_parallelogram_has_no_freedom_left_and_goes_through() {
    let model = "param l = 1 m, d = 2 m, m = 1 kg
coord a, b : rad
point A = l*(cos(a), sin(a)) mass m
point B = (d, 0) + l*(cos(b), sin(b)) mass m
constraint bar: dot(B - A, B - A) = d^2
constraint drive: a = 1 rad + t*(1 rad/s)
start a = 1 rad, b = 1 rad
";
    passes_at(model, 3.0, &[PI - 1.0], ("b", 4.0));
}

#[test]
fn two_bars_that_fold_at_the_same_instant_are_one_passage() {
    let model = |again: &str| {
        format!(
            "param l = 1 m, d = 2 m, m = 1 kg
coord a, b, c : rad
point A = l*(cos(a), sin(a)) mass m
point B = (d, 0) + l*(cos(b), sin(b)) mass m
point C = (2*d, 0) + l*(cos(c), sin(c)) mass m
gravity (0, -1 m/s^2)
constraint bar1: dot(B - A, B - A) = d^2
{again}constraint bar2: dot(C - B, C - B) = d^2
start a = 1 rad, b = 1 rad, c = 1 rad, a' = 1.5 rad/s
"
        )
    };
    let branch = Branch {
        particles: |u| vec![(3.0, crank(u, 0.0), [0.0, -3.0])],
        singular: f64::sin,
        start: [1.0, 1.5],
        shown: ("c", |u| u),
    };
    passes(&model(""), 3.0, &branch);
    // a row that says the same once more changes nothing
    passes(&model("constraint again: dot(A - B, A - B) = d^2\n"), 3.0, &branch);
}

#[test]
fn a_coupler_on_three_cranks_has_a_redundant_row_all_the_way() {
    let model = "param l = 1 m, d = 2 m, m = 1 kg, J = 0.7 kg*m^2
coord x, y : m
coord phi, a, b, c : rad
frame F = N rotated z by phi
body K mass m at (x, y) frame F inertia J
point A = l*(cos(a), sin(a)) mass m
point B = (d, 0) + l*(cos(b), sin(b)) mass m
point C = (2*d, 0) + l*(cos(c), sin(c)) mass m
constraint pa: (x, y) - d*F.x = A
constraint pb: (x, y) = B
constraint pc: (x, y) + d*F.x = C
force (0, 1 N) on K
start a = 1 rad, b = 1 rad, c = 1 rad, a' = 1 rad/s
";
    let branch = Branch {
        particles: |u| vec![(4.0, crank(u, 0.0), [0.0, 1.0])],
        singular: f64::sin,
        start: [1.0, 1.0],
        shown: ("c", |u| u),
    };
    passes(model, 3.0, &branch);
}

#[test]
fn a_mechanism_in_a_tilted_plane() {
    let model = "param l = 1 m, d = 2 m, m = 1 kg
coord a, b : rad
coord z : m
frame F = N rotated x by 0.3
point A = l*cos(a)*F.x + l*sin(a)*F.y mass m
point B = d*F.x + l*cos(b)*F.x + l*sin(b)*F.y + z*F.z mass m
gravity (0, -1 m/s^2, 0)
constraint bar: dot(B - A, B - A) = d^2
constraint flat: z = 0
start a = 1 rad, b = 1 rad, a' = 2 rad/s
";
    let branch = Branch {
        particles: |u| vec![(2.0, crank(u, 0.0), [0.0, -2.0 * 0.3_f64.cos()])],
        singular: f64::sin,
        start: [1.0, 2.0],
        shown: ("b", |u| u),
    };
    passes(model, 3.0, &branch);
}

#[test]
fn a_crank_as_long_as_its_rod_folds() {
    let model = |more: &str, rate: f64| {
        format!(
            "param m = 1 kg, r = 1 m
coord a : rad
coord s : m
point A = r*(cos(a), sin(a)) mass m
point B = (s, 0) mass m
{more}constraint rod: (s - r*cos(a))^2 + (r*sin(a))^2 = r^2
start a = 1 rad, a' = {rate} rad/s
guess s = 1.08 m
"
        )
    };
    let branch = Branch {
        particles: |u| vec![(1.0, crank(u, 0.0), [0.0; 2]), (1.0, [2.0 * u.cos(), 0.0], [0.0; 2])],
        singular: f64::cos,
        start: [1.0, 2.0],
        shown: ("s", |u| 2.0 * u.cos()),
    };
    passes(&model("", 2.0), 4.0, &branch);
    let branch = Branch {
        particles: |u| vec![(1.0, crank(u, 0.0), [1.0, -2.0]), (1.0, [2.0 * u.cos(), 0.0], [1.0, -2.0])],
        start: [1.0, 4.0],
        ..branch
    };
    passes(&model("gravity (1 m/s^2, -2 m/s^2)\n", 4.0), 3.0, &branch);
}

#[test]
fn a_lemniscate_has_a_node() {
    let model = "param c = 1 m, m = 1 kg
coord x, y : m
point P = (x, y) mass m
force (0.3 N, 0.2 N) on P
constraint curve: (x^2 + y^2)^2 = c^2*(x^2 - y^2)
start x = 0.5 m, x' = -1 m/s
guess y = 0.3 m
";
    fn place(u: f64) -> [f64; 2] {
        let s = 1.0 + u.sin().powi(2);
        [u.cos() / s, u.sin() * u.cos() / s]
    }
    // x = 1/2: cos u = (1 + sin² u)/2
    let c = -1.0 + 3.0_f64.sqrt();
    let u: f64 = c.acos();
    let slope = (place(u + 1e-6)[0] - place(u - 1e-6)[0]) / 2e-6;
    let branch = Branch {
        particles: |u| vec![(1.0, place(u), [0.3, 0.2])],
        singular: f64::cos,
        start: [u, -1.0 / slope],
        shown: ("x", |u| place(u)[0]),
    };
    passes(model, 3.0, &branch);
}

#[test]
fn two_wires_cross() {
    let model = "param c = 1 m, m = 1 kg
coord x, y : m
point P = (x, y) mass m
force (0.3 N, 0.2 N) on P
constraint wire: x*(y - x^2/c) = 0
start x = 0.5 m, x' = -1 m/s, y = 0.25 m
";
    let branch = Branch {
        particles: |u| vec![(1.0, [u, u * u], [0.3, 0.2])],
        singular: |u| u,
        start: [0.5, -1.0],
        shown: ("x", |u| u),
    };
    passes(model, 2.0, &branch);
}

#[test]
fn two_planes_cross_and_a_gate_opens_for_one_instant() {
    // 0.5 − t − 0.15 t² = 0
    let instant = (-1.0 + 1.3_f64.sqrt()) / 0.3;
    let planes = "param m = 1 kg
coord x, y, z : m
point P = (x, y, z) mass m
force (-0.3 N, 0.2 N, -1 N) on P
constraint planes: x*y = 0
start x = 0.5 m, x' = -1 m/s, y = 0, z = 0, z' = 1 m/s
";
    passes_at(planes, 2.0, &[instant], ("z", 0.0));
    let gate = "param m = 1 kg
coord x, y : m
point P = (x, y) mass m
force (-0.3 N, 0.2 N) on P
constraint gate: x*y' = 0
start x = 0.5 m, x' = -1 m/s, y = 0.3 m
";
    passes_at(gate, 2.0, &[instant], ("y", 0.3));
}

#[test]
fn at_the_tip_of_a_cone_nearby_motions_go_elsewhere() {
    let model = "param m = 1 kg
coord x, y, z : m
point P = (x, y, z) mass m
force (0.1 N, 0, 0) on P
constraint cone: z^2 = x^2 + y^2
start x = 1 m, y = 0, x' = -1 m/s, y' = 0
guess z = 1 m
";
    // 1 − t + 0.025 t² = 0
    ends(model, 2.0, (1.0 - 0.9_f64.sqrt()) / 0.05, "motions nearby");
}

#[test]
fn rates_that_vanish_have_no_direction() {
    let velocity_cone = "param m = 1 kg
coord x, y, z : m
point P = (x, y, z) mass m
force (-1 N, 0, -1 N) on P
constraint cone: z'^2 = x'^2 + y'^2
start x' = 1 m/s, y' = 0
guess z' = 1 m/s
";
    ends(velocity_cone, 3.0, 1.0, "no direction");
    let curvature = "param m = 1 kg
coord x, y : m
point P = (x, y) mass m
force (-1 N, 0) on P
constraint bend: x'*y'' - y'*x'' = 0
start x = 0, y = 0, x' = 1 m/s, y' = 0
";
    ends(curvature, 3.0, 1.0, "no direction");
}

#[test]
fn a_pursuer_meets_its_prey() {
    let straight = "param m = 1 kg
coord x, y : m
point P = (x, y) mass m
constraint aim: x'*(0 - y) - y'*(t*(1 m/s) + 1 m - x) = 0
start x = 0, y = 0, x' = 2 m/s, y' = 0
";
    ends(straight, 2.0, 1.0, "motions nearby");
    // capture at v d/(v² − w²)
    let across = "param m = 1 kg, v = 2 m/s
coord x, y : m
point P = (x, y) mass m
constraint aim: x'*(0 - y) - y'*(t*(1 m/s) - x) = 0
constraint speed: x'^2 + y'^2 = v^2
start x = 0, y = -1 m
guess y' = 2 m/s
";
    for (tolerance, motion) in all(across, 2.0) {
        let found = singular(&motion);
        assert!(motion.stopped_by.failure().is_some() && found.len() == 1, "{found:?}");
        assert!((found[0] - 2.0 / 3.0).abs() < 30.0 * tolerance + 1e-6, "{tolerance:e}: {found:?}");
    }
}

#[test]
fn cusps_and_branches_that_touch_end_a_motion() {
    let model = |curve: &str| {
        format!(
            "param c = 1 m, m = 1 kg
coord x, y : m
point P = (x, y) mass m
constraint curve: {curve}
start x = 1 m, x' = -1 m/s
guess y = 1 m
"
        )
    };
    // by the length of the curve at constant speed
    let cusp = (13.0_f64.powf(1.5) - 8.0) / 27.0 / 3.25_f64.sqrt();
    ends(&model("c*y^2 = x^3"), 2.0, cusp, "and");
    let length = (2.0 * 5.0_f64.sqrt() + 2.0_f64.asinh()) / 4.0;
    ends(&model("(c*y)^2 = x^4"), 2.0, length / 5.0_f64.sqrt(), "and");
}

#[test]
fn a_near_miss_is_no_singular_position() {
    // the rods are not of the same length: the crank turns past its dead centre at a distance
    let model = "param l = 1 m, d = 2 m, m = 1 kg
coord a, b : rad
point A = l*(cos(a), sin(a)) mass m
point B = (d, 0) + 1.001*l*(cos(b), sin(b)) mass m
constraint bar: dot(B - A, B - A) = (1.0005*d)^2
start a = 1 rad, a' = 1 rad/s
guess b = 1 rad
";
    for (tolerance, motion) in all(model, 3.0) {
        assert!(singular(&motion).is_empty(), "{tolerance:e}");
    }
}

#[test]
fn a_run_may_end_and_be_looked_at_where_it_is_singular() {
    let model = "param l = 1 m, d = 2 m, m = 1 kg
coord a, b : rad
point A = l*(cos(a), sin(a)) mass m
point B = (d, 0) + l*(cos(b), sin(b)) mass m
constraint bar: dot(B - A, B - A) = d^2
start a = 0.5 rad, b = 0.5 rad, a' = 1 rad/s
";
    for off in [-1e-3, -1e-6, -1e-10, 0.0, 1e-10, 1e-6, 1e-3, 0.01, 0.1] {
        let end = PI - 0.5 + off;
        let wanted = Simulate { duration: Some(end), ..Simulate::default() };
        let motion = ask(&own(model), &wanted);
        assert_eq!(motion.stopped_by.failure(), None, "{off:e}");
        assert_eq!(motion.last.t, end);
        for (name, value) in [("a", PI + off), ("b", PI + off), ("a'", 1.0), ("b'", 1.0)] {
            let found = motion.last.get(name).unwrap();
            assert!((found - value).abs() < 1e-8, "{off:e}: {name} = {found}");
        }
    }
    let wanted = Simulate { duration: Some(4.0), times: vec![PI - 0.5, 3.0], ..Simulate::default() };
    let motion = ask(&own(model), &wanted);
    let samples: Vec<_> = motion.table.samples().collect();
    let there = samples.iter().find(|sample| sample.t == PI - 0.5).unwrap();
    assert!((there.get("b").unwrap() - PI).abs() < 1e-9);
    // what an equation with rank 0 leaves open is not told
    assert!(there.get("multiplier(bar)").is_none_or(f64::is_nan) && there.get("a''").is_none_or(f64::is_nan));
    assert!(samples.iter().find(|sample| sample.t == 3.0).unwrap().get("a''").unwrap().abs() < 1e-9);
}

#[test]
fn what_runs_away_is_not_called_singular() {
    // x'' = 6 x² from x = 1, x' = 2 is 1/(1 − t)²; the rows never depend on each other
    let model = "param m = 1 kg, k = 6 N/m^2
coord x, y : m
point P = (x, y) mass m
force (k*x^2, 0) on P
constraint curve: (1 m)*y = (1 m^3)/x
start x = 1 m, x' = 2 m/s
";
    let wanted = Simulate { duration: Some(3.0), ..Simulate::default() };
    let motion = ask(&own(model), &wanted);
    let reason = motion.stopped_by.failure().unwrap();
    assert!(!reason.contains("dependent") && singular(&motion).is_empty(), "{reason}");
}

#[test]
fn a_deltoid_unfolds_where_two_of_its_branches_meet() {
    let model = "param a = 1 m, b = 2 m, m = 1 kg
coord u, v : rad
coord s : m
point A = a*(cos(u), sin(u)) mass m
point B = (s, 0) mass 2*m
point C = a*(cos(v), sin(v)) mass m
gravity (0, -3 m/s^2)
constraint up: dot(B - A, B - A) = b^2
constraint low: dot(B - C, B - C) = b^2
start u = 1 rad, v = -1 rad, u' = -1 rad/s
guess s = 2.3 m
";
    fn slider(u: f64) -> f64 {
        u.cos() + (4.0 - u.sin().powi(2)).sqrt()
    }
    let branch = Branch {
        particles: |u| {
            let weight = [0.0, -3.0];
            vec![(1.0, crank(u, 0.0), weight), (1.0, crank(-u, 0.0), weight), (2.0, [slider(u), 0.0], weight)]
        },
        singular: f64::sin,
        start: [1.0, -1.0],
        shown: ("s", slider),
    };
    passes(model, 3.0, &branch);
}

#[test]
fn a_mass_that_vanishes_ends_the_motion_at_its_instant() {
    // free, where nothing divides by it, and on a spring, where it is shaken faster and faster
    let free = "coord y\npoint P = (0, y) mass 1 - t\ngravity (0, -9.81)\n";
    let held = "coord x, s\npoint P = (x, 0) mass 1 - t\npoint S = (s, 0) mass 1\nspring 1 between P and S\n\
                start x = 0.3, s = 1, x' = 1\n";
    for text in [free, held] {
        for tolerance in TOLERANCES {
            let wanted = Simulate { duration: Some(2.0), tolerance: Some(tolerance), ..Simulate::default() };
            let motion = ask(&own(text), &wanted);
            let told = motion.stopped_by.failure().unwrap_or_default();
            assert!(told.starts_with("the mass of `P` vanishes at t = 1 s"), "at {tolerance}: {told:?}");
            assert!((motion.last.t - 1.0).abs() < 1e-7, "at {tolerance}: {}", motion.last.t);
        }
    }
}

#[test]
fn where_angles_are_singular_a_sample_has_a_place_and_no_accelerations() {
    let text = "coord a, b, c\nframe B = N rotated z by a, y by b, x by c\n\
                body D mass 1 at 0*N.x frame B inertia (0.3, 0.3, 0.3)\nstart b' = 1\n";
    let lock = std::f64::consts::FRAC_PI_2;
    for tolerance in TOLERANCES {
        let wanted = Simulate { times: vec![1.0, lock, 2.0], tolerance: Some(tolerance), ..Simulate::default() };
        let motion = ask(&own(text), &wanted);
        assert_eq!(motion.stopped_by.failure(), None, "at {tolerance}");
        let samples: Vec<_> = motion.table.samples().collect();
        for (sample, t) in samples.iter().zip([1.0, lock, 2.0]) {
            assert!((sample.get("b").unwrap() - t).abs() < 1e-11, "at {tolerance}: {:?}", sample.get("b"));
            assert_eq!(sample.get("a''").unwrap().is_nan(), t == lock, "at {tolerance}, t = {t}");
        }
    }
}

#[test]
fn a_run_may_end_where_angles_are_singular() {
    // a torque turns the body about its first axis: b = 1 − t²/2 comes to the lock at √2, where a and c turn about one axis
    let text = "coord a, b, c\nframe B = N rotated z by a, x by b, z by c\n\
                body D mass 1 at (0, 0, 0) frame B inertia (1, 2, 3)\ntorque (-1, 0, 0) on D\nstart b = 1\n";
    for tolerance in [1e-6, 1e-9, 1e-12] {
        let root = std::f64::consts::SQRT_2;
        for end in [root, 1.5 * root, 1.3 * root] {
            let wanted = Simulate { duration: Some(end), tolerance: Some(tolerance), ..Simulate::default() };
            let motion = ask(&own(text), &wanted);
            assert_eq!(motion.stopped_by.failure(), None, "{end} at {tolerance}");
            assert!(motion.events.is_empty(), "{:?}", motion.events);
            let near = |name: &str, right: f64| {
                let is = last(&motion, name);
                assert!((is - right).abs() < 1e-12 + tolerance, "{name} at {end}, {tolerance}: {is}, not {right}");
            };
            near("b", 1.0 - end * end / 2.0);
            near("b'", -end);
            near("a", 0.0);
        }
    }
}

//! Rough contacts in space that come to rest, and impacts of several: against closed forms and a plain integrator.

use anholon::Simulate;

use crate::{ask, happen, instants, last, own};

const G: f64 = 9.81;

/// A car of 6 kg on four locked wheels at (±0.5, ±0.3, −h) m.
fn car(h: f64, start: &str) -> String {
    let wheels = [(1, 0.5, 0.3), (2, -0.5, 0.3), (3, -0.5, -0.3), (4, 0.5, -0.3)].map(|(k, x, y)| {
        format!(
            "point P{k} = C + B*({x}, {y}, -{h})\ncontact c{k}: P{k} slides on plane(N.z, 0) unilateral\nfriction 0.5 on c{k}\n"
        )
    });
    format!(
        "coord x, y, z, a, b, c\nframe B = N rotated z by c, x by a, y by b\npoint C = (x, y, z)\n\
         body D mass 6 at C frame B inertia (0.4, 0.5, 0.7)\n{}gravity (0, 0, -9.81)\nstart z = {h}, {start}\n",
        wheels.concat()
    )
}

#[test]
fn a_car_on_four_locked_wheels_stops_with_all_of_them_at_once() {
    // let each slip come to rest by itself, and the run ends where one still moves by rounding
    for ([u, v], h) in [([2.0, 1.0], 0.1), ([-0.3, 1.7], 0.3), ([1.0, 0.0], 0.3), ([0.0, 1.5], 0.1)] {
        let speed = f64::hypot(u, v);
        let (stops, text) = (speed / (0.5 * G), car(h, &format!("x' = {u}, y' = {v}")));
        for tolerance in [1e-6, 1e-9, 1e-11, 1e-12] {
            let motion =
                ask(&own(&text), &Simulate { duration: Some(1.0), tolerance: Some(tolerance), ..Simulate::default() });
            assert_eq!(motion.stopped_by.failure(), None, "{u}, {v} at {tolerance}");
            let near = |what: &str, is: f64, right: f64, within: f64| {
                assert!((is - right).abs() <= within, "{what} of {u}, {v} at {tolerance}: {is}, not {right}");
            };
            // a turn that is rounding is as fast as the slip in the end, and moves the instant
            for wheel in ["c1", "c2", "c3", "c4"] {
                let found = instants(&motion, wheel, "sticks");
                assert_eq!(found.len(), 1, "{wheel} at {tolerance}: {:?}", motion.events);
                near(wheel, found[0], stops, 2e-6);
            }
            let way = speed * stops / 2.0;
            near("x", last(&motion, "x"), way * u / speed, 1e-9 + 1e2 * tolerance);
            near("y", last(&motion, "y"), way * v / speed, 1e-9 + 1e2 * tolerance);
            near("c", last(&motion, "c"), 0.0, 1e-9 + 1e2 * tolerance);
        }
    }
}

#[test]
fn a_car_that_is_too_high_tips_over_its_front_wheels() {
    // at a height of 1.2 m the friction of 0.5 m g outweighs a half length of 0.5 m; along x the wheels stay in pairs
    let motion = ask(&own(&car(1.2, "x' = 2")), &Simulate { duration: Some(0.05), ..Simulate::default() });
    assert_eq!(motion.stopped_by.failure(), None);
    for wheel in ["c2", "c3"] {
        assert_eq!(instants(&motion, wheel, "leaves"), [0.0]);
    }
    // N (1 + (p (p − μ h))/k²) = m g at the first instant, with p = 0.5 the half length and k² = J/m
    let (p, h, k) = (0.5, 1.2, 0.5 / 6.0);
    let normal = 6.0 * G / (1.0 + p * (p - 0.5 * h) / k);
    let loaded = anholon::open(&own(&car(1.2, "x' = 2"))).unwrap();
    let Ok(anholon::Evaluated::Found(found)) = crate::ask::evaluate(&loaded, None) else { panic!("no answer") };
    let front: f64 = ["c1.gap", "c4.gap"].iter().map(|name| found.multipliers.get(name).unwrap()).sum();
    assert!((front - normal).abs() < 1e-9 * normal, "{front}, not {normal}");
}

type V = [f64; 3];

fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn plus(a: V, b: V, factor: f64) -> V {
    [0, 1, 2].map(|i| a[i] + factor * b[i])
}

/// Three equations, by Cramer's rule; the columns of the matrix are given.
fn solved([a, b, c]: [V; 3], right: V) -> V {
    let det = |a: V, b: V, c: V| (0..3).map(|i| a[i] * cross(b, c)[i]).sum::<f64>();
    let whole = det(a, b, c);
    [det(right, b, c) / whole, det(a, right, c) / whole, det(a, b, right) / whole]
}

/// A body on one leg: places and velocities of its mass centre, the axes of its frame, its angular velocity.
#[derive(Clone, Copy)]
struct Leg {
    r: V,
    v: V,
    axes: [V; 3],
    w: V,
}

const MASS: f64 = 6.0;
const MOMENTS: V = [0.4, 0.5, 0.7];
const FOOT: V = [0.5, 0.3, -1.2];

impl Leg {
    /// A vector along the axes, in space.
    fn out(&self, own: V) -> V {
        (0..3).fold([0.0; 3], |sum, i| plus(sum, self.axes[i], own[i]))
    }

    /// J w, or its inverse.
    fn inertia(&self, w: V, power: i32) -> V {
        let along = |i: usize| (0..3).map(|k| self.axes[i][k] * w[k]).sum::<f64>();
        self.out([0, 1, 2].map(|i| MOMENTS[i].powi(power) * along(i)))
    }

    fn slip(&self) -> V {
        plus(self.v, cross(self.w, self.out(FOOT)), 1.0)
    }

    /// The slope: while the foot slides, or where it is.
    fn slope(&self, slides: bool) -> Leg {
        let (arm, w) = (self.out(FOOT), self.w);
        let gyro = self.inertia(cross(w, self.inertia(w, 1)), -1);
        let weight = [0.0, 0.0, -G];
        // what a force at the foot does to it, and what it does without one
        let answer = |f: V| plus(cross(self.inertia(cross(arm, f), -1), arm), f, 1.0 / MASS);
        let free = plus(plus(weight, cross(gyro, arm), -1.0), cross(w, cross(w, arm)), 1.0);
        let force = if slides {
            let [x, y, _] = self.slip();
            let along = [-0.5 * x / x.hypot(y), -0.5 * y / x.hypot(y), 1.0];
            along.map(|part| part * -free[2] / answer(along)[2])
        } else {
            let columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(answer);
            solved(columns, free.map(|x| -x))
        };
        let turn = plus(self.inertia(cross(arm, force), -1), gyro, -1.0);
        Leg { r: self.v, v: plus(weight, force, 1.0 / MASS), axes: self.axes.map(|axis| cross(w, axis)), w: turn }
    }

    fn moved(&self, slope: &Leg, by: f64) -> Leg {
        let axes = [0, 1, 2].map(|i| plus(self.axes[i], slope.axes[i], by));
        Leg { r: plus(self.r, slope.r, by), v: plus(self.v, slope.v, by), axes, w: plus(self.w, slope.w, by) }
    }

    /// One step of Runge and Kutta.
    fn step(&self, by: f64, slides: bool) -> Leg {
        let one = self.slope(slides);
        let two = self.moved(&one, by / 2.0).slope(slides);
        let three = self.moved(&two, by / 2.0).slope(slides);
        let four = self.moved(&three, by).slope(slides);
        let sum = self.moved(&one, by / 6.0).moved(&two, by / 3.0);
        sum.moved(&three, by / 3.0).moved(&four, by / 6.0)
    }
}

#[test]
fn a_slip_in_space_comes_to_rest_where_it_has_no_direction_any_more() {
    // without halt.rs the steps become too short there
    let mut leg = Leg {
        r: [0.0, 0.0, 1.2],
        v: [1.2, 0.5, 0.57],
        axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        w: [-0.4, 0.9, 0.08],
    };
    let (mut t, end) = (0.0, 0.1);
    // steps that become shorter with the slip
    let speed = |leg: &Leg| leg.slip()[0].hypot(leg.slip()[1]);
    while speed(&leg) > 1e-9 {
        let by = 1e-3 * speed(&leg).min(0.02);
        (leg, t) = (leg.step(by, true), t + by);
    }
    let halts = t;
    for _ in 0..2000 {
        leg = leg.step((end - halts) / 2000.0, false);
    }
    let text = "coord x, y, z, a, b, c\nframe B = N rotated z by c, x by a, y by b\npoint C = (x, y, z)\n\
                body D mass 6 at C frame B inertia (0.4, 0.5, 0.7)\npoint P = C + B*(0.5, 0.3, -1.2)\n\
                contact leg: P slides on plane(N.z, 0) unilateral\nfriction 0.5 on leg\ngravity (0, 0, -9.81)\n\
                observe first = B.x\nobserve second = B.y\n\
                start x = 0, y = 0, z = 1.2, a = 0, b = 0, c = 0\n\
                start x' = 1.2, y' = 0.5, z' = 0.57, a' = -0.4, b' = 0.9, c' = 0.08\n";
    for tolerance in [1e-6, 1e-9, 1e-12] {
        let motion =
            ask(&own(text), &Simulate { duration: Some(end), tolerance: Some(tolerance), ..Simulate::default() });
        assert_eq!(motion.stopped_by.failure(), None, "at {tolerance}");
        let found = instants(&motion, "leg", "sticks");
        assert!(found.len() == 1 && (found[0] - halts).abs() < 1e-8, "at {tolerance}: {found:?}, not {halts}");
        for (k, axis) in ["x", "y", "z"].iter().enumerate() {
            for (name, right) in [
                ((*axis).to_owned(), leg.r[k]),
                (format!("{axis}'"), leg.v[k]),
                (format!("first.{axis}"), leg.axes[0][k]),
                (format!("second.{axis}"), leg.axes[1][k]),
            ] {
                let is = last(&motion, &name);
                assert!((is - right).abs() < 1e-7, "{name} at {tolerance}: {is}, not {right}");
            }
        }
    }
}

#[test]
fn a_block_that_falls_on_a_stack_drags_it_over_the_floor() {
    // the blow goes through to the floor: 0.4 of it drags the lower block, 0.2 of it holds; 1 m/s down, 3 m/s along
    let text = "param m = 2, M = 3\ncoord x, y, X, Y\nbody A mass M at (X, Y) frame N inertia 1\npoint P = (x, y) mass m\n\
                point Q = (X, Y)\ncontact floor: Q slides on plane(N.y, 0) unilateral\n\
                contact top: P slides on plane(N.y, 0.2) of A unilateral\nfriction 0.2 on floor\nfriction 0.4 on top\n\
                gravity (0, -9.81)\nstart Y = 0, y = 0.2 + 1/(2*9.81), x' = 3\n";
    let motion = ask(&own(text), &Simulate { duration: Some(0.5), tolerance: Some(1e-12), ..Simulate::default() });
    assert_eq!(motion.stopped_by.failure(), None);
    let lands = 1.0 / G;
    happen(&motion, "top", "closes", &[lands]);
    let blow = motion.events.iter().find(|event| event.energy_lost.is_some()).expect("an impact");
    let state = |name: &str| *blow.state.get(name).unwrap();
    let near = |what: &str, is: f64, right: f64| assert!((is - right).abs() < 1e-9, "{what}: {is}, not {right}");
    let (above, below) = (3.0 - 0.4, (0.4 - 0.2) * 2.0 / 3.0);
    near("x'", state("x'"), above);
    near("X'", state("X'"), below);
    near("what is lost", blow.energy_lost.unwrap(), 9.0 + 1.0 - above * above - 1.5 * below * below);
    // then 0.4 g slows the upper one; the floor holds with 0.2 of all the weight: 0.4 m − 0.2 (m + M) < 0
    let (t, slow) = (0.5 - lands, (0.2 * 5.0 - 0.4 * 2.0) / 3.0 * G);
    near("x at the end", last(&motion, "x"), 3.0 * lands + above * t - 0.4 * G * t * t / 2.0);
    let stops = below / slow;
    near("X at the end", last(&motion, "X"), below * stops / 2.0);
    happen(&motion, "floor", "sticks", &[lands + stops]);
}

//! Spatial and plane linkages by `joint`s: accelerations and bearing forces beside a calculation of this file, which takes
//! the state alone and solves Newton's and Euler's equations of all bodies with the accelerations of their joints; and
//! loops that move although counting says they do not.

mod ask;

use anholon::answer::Evaluation;
use anholon::{Agreement, Alone, Evaluated, Prove, Settings, Simulate, open, prove, simulate};
use ask::evaluate;

type Triple = [f64; 3];

fn evaluated(text: &str) -> Evaluation {
    let loaded = open(&Settings::new("test.mech", text)).unwrap_or_else(|error| panic!("{error}\n{text}"));
    match evaluate(&loaded, None).unwrap_or_else(|error| panic!("{error}\n{text}")) {
        Evaluated::Found(found) => *found,
        Evaluated::NoAnswer { reason, .. } => panic!("{reason}\n{text}"),
    }
}

fn observed(found: &Evaluation, name: &str) -> Triple {
    let list = found.observes.get(name).unwrap_or_else(|| panic!("no {name}"));
    [list[0], list[1], list[2]]
}

fn cross(a: Triple, b: Triple) -> Triple {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Triple, b: Triple) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn minus(a: Triple, b: Triple) -> Triple {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn unit(k: usize) -> Triple {
    [0, 1, 2].map(|i| if i == k { 1.0 } else { 0.0 })
}

/// Elimination with row pivots.
fn solved(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    assert!(a.len() == n && a.iter().all(|row| row.len() == n), "{} equations, {n} unknowns", a.len());
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
        assert!(a[pivot][k].abs() > 1e-9, "singular");
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            (k..n).for_each(|j| a[i][j] -= factor * a[k][j]);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k][k];
    }
    b
}

/// A body at an instant: its mass centre, moment of inertia along N, angular velocity.
struct Body {
    m: f64,
    r: Triple,
    inertia: [Triple; 3],
    w: Triple,
}

/// A joint: of which bodies, where; the directions in which its forces and its torques act.
struct Joint {
    of: (usize, Option<usize>),
    at: Triple,
    forces: Vec<Triple>,
    torques: Vec<Triple>,
}

/// Accelerations of the mass centres, and what each joint does to its first body: force, torque.
fn newton_euler(bodies: &[Body], joints: &[Joint], g: Triple, moves: &[bool; 6]) -> (Vec<Triple>, Vec<[Triple; 2]>) {
    // the unknowns: for each body those of a and α that are free, then the forces and torques
    let free: Vec<usize> = (0..6).filter(|&k| moves[k]).collect();
    let (own, count) = (free.len(), joints.iter().map(|one| one.forces.len() + one.torques.len()).sum::<usize>());
    let size = own * bodies.len() + count;
    let (mut rows, mut right) = (Vec::new(), Vec::new());
    // m a − Σ F = m g,   I α − Σ (d × F + M) = −ω × I ω
    for (i, body) in bodies.iter().enumerate() {
        let spin = body.inertia.map(|row| dot(row, body.w));
        for &k in &free {
            let mut row = vec![0.0; size];
            let (e, is_turn) = (unit(k % 3), k >= 3);
            for (place, &other) in free.iter().enumerate().filter(|(_, other)| (**other >= 3) == is_turn) {
                row[own * i + place] =
                    if is_turn { body.inertia[k % 3][other % 3] } else { body.m * dot(e, unit(other % 3)) };
            }
            let mut place = own * bodies.len();
            for joint in joints {
                let sign = if joint.of.0 == i {
                    -1.0
                } else if joint.of.1 == Some(i) {
                    1.0
                } else {
                    0.0
                };
                let arm = minus(joint.at, body.r);
                for &f in &joint.forces {
                    row[place] = sign * if is_turn { dot(e, cross(arm, f)) } else { dot(e, f) };
                    place += 1;
                }
                for &m in &joint.torques {
                    row[place] = if is_turn { sign * dot(e, m) } else { 0.0 };
                    place += 1;
                }
            }
            rows.push(row);
            right.push(if is_turn { -dot(e, cross(body.w, spin)) } else { body.m * dot(e, g) });
        }
    }
    // along each force: a + α × d + ω × (ω × d) is the same on both sides; along each torque α is
    for joint in joints {
        let sides = [(Some(joint.of.0), 1.0), (joint.of.1, -1.0)];
        for (direction, is_turn) in
            joint.forces.iter().map(|&f| (f, false)).chain(joint.torques.iter().map(|&m| (m, true)))
        {
            let (mut row, mut known) = (vec![0.0; size], 0.0);
            for (side, sign) in sides {
                let Some(i) = side else { continue };
                let (body, arm) = (&bodies[i], minus(joint.at, bodies[i].r));
                for (place, &k) in free.iter().enumerate() {
                    let e = unit(k % 3);
                    let change = match (is_turn, k >= 3) {
                        (false, false) => e,
                        (false, true) => cross(e, arm),
                        (true, false) => [0.0; 3],
                        (true, true) => e,
                    };
                    row[own * i + place] += sign * dot(direction, change);
                }
                if !is_turn {
                    known -= sign * dot(direction, cross(body.w, cross(body.w, arm)));
                }
            }
            rows.push(row);
            right.push(known);
        }
    }
    let x = solved(rows, right);
    let of_body = |i: usize| {
        let mut a = [0.0; 3];
        free.iter().enumerate().filter(|(_, k)| **k < 3).for_each(|(place, &k)| a[k] = x[own * i + place]);
        a
    };
    let mut place = own * bodies.len();
    let mut acting = Vec::new();
    for joint in joints {
        let mut both = [[0.0; 3]; 2];
        for (kind, list) in [&joint.forces, &joint.torques].into_iter().enumerate() {
            for direction in list {
                (0..3).for_each(|k| both[kind][k] += x[place] * direction[k]);
                place += 1;
            }
        }
        acting.push(both);
    }
    ((0..bodies.len()).map(of_body).collect(), acting)
}

fn close(a: Triple, b: Triple) -> bool {
    let size = 1.0 + dot(b, b).sqrt();
    minus(a, b).iter().all(|x| x.abs() < 1e-8 * size)
}

/// The program says the same as [`newton_euler`]: accelerations, and what every joint does.
fn agrees(text: &str, names: &[&str], joints: &[&str], expected: &(Vec<Triple>, Vec<[Triple; 2]>)) {
    let found = evaluated(text);
    for (name, a) in names.iter().zip(&expected.0) {
        let own = observed(&found, &format!("a_{name}"));
        assert!(close(own, *a), "{name}: {own:?} is not {a:?}");
    }
    assert!(expected.0.iter().any(|a| dot(*a, *a) > 1.0), "nothing moves");
    for (name, [force, torque]) in joints.iter().zip(&expected.1) {
        let own = found.joint_reactions.iter().find(|one| one.joint == *name).unwrap();
        assert!(close(own.force, *force), "{name}: force {:?} is not {force:?}", own.force);
        assert!(close(own.torque, *torque), "{name}: torque {:?} is not {torque:?}", own.torque);
    }
    let loaded = open(&Settings::new("test.mech", text)).unwrap();
    let found = prove(&loaded, &Prove::default(), &mut Alone).unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(found.verdict, Agreement::Identical | Agreement::Equivalent), "{:?}", found.verdict);
}

/// What the model says of a body: where it is, how it turns.
fn body(found: &Evaluation, name: &str, m: f64, moments: Triple) -> Body {
    let axes = ["x", "y", "z"].map(|axis| observed(found, &format!("{axis}_{name}")));
    let inertia = [0, 1, 2].map(|i| [0, 1, 2].map(|j| (0..3).map(|k| moments[k] * axes[k][i] * axes[k][j]).sum()));
    Body { m, r: observed(found, &format!("r_{name}")), inertia, w: observed(found, &format!("w_{name}")) }
}

/// Lines that show a body to [`body`].
fn shown(name: &str, frame: &str) -> String {
    format!(
        "observe r_{name} = {name} + 0\nobserve w_{name} = omega({name})\nobserve a_{name} = acceleration({name})\n\
         observe x_{name} = {frame}.x\nobserve y_{name} = {frame}.y\nobserve z_{name} = {frame}.z\n"
    )
}

#[test]
fn a_spatial_four_bar() {
    let text = "\
param g = 9.81 m/s^2
coord x[1..3], y[1..3], z[1..3] : m
coord a[1..3], b[1..3], c[1..3] : rad
frame A = N rotated z by a[1], x by b[1], y by c[1]
frame B = N rotated z by a[2], y by b[2], x by c[2]
frame C = N rotated y by a[3], x by b[3], z by c[3]
body crank mass 1 kg at (x[1], y[1], z[1]) frame A as cylinder(0.05 m, 0.3 m, A.x)
body coupler mass 2 kg at (x[2], y[2], z[2]) frame B as cylinder(0.04 m, 1 m, B.x)
body rocker mass 1.5 kg at (x[3], y[3], z[3]) frame C as cylinder(0.05 m, 0.5 m, C.x)
gravity (0, 0, -g)
joint base: crank at crank - 0.15 m*A.x hinged about A.z, N.z to N at 0
joint ball1: crank at crank + 0.15 m*A.x pinned to coupler at coupler - 0.5 m*B.x
joint ball2: coupler at coupler + 0.5 m*B.x pinned to rocker at rocker + 0.25 m*C.x
joint stand: rocker at rocker - 0.25 m*C.x hinged about C.y, N.y to N at (0.8 m, 0.3 m, 0.1 m)
start a[1] = 1 rad, c[2] = 0.4 rad, a[1]' = 5 rad/s, dot(omega(coupler), B.x) = 2 rad/s
guess x[1] = 0.08 m, y[1] = 0.13 m, x[2] = 0.57 m, y[2] = 0.28 m, z[2] = 0.28 m, a[2] = 0.06 rad, b[2] = -0.6 rad
guess x[3] = 0.9 m, y[3] = 0.3 m, z[3] = 0.33 m, a[3] = -1.19 rad
"
    .to_owned()
        + &shown("crank", "A")
        + &shown("coupler", "B")
        + &shown("rocker", "C");
    let found = evaluated(&text);
    let cylinder = |m: f64, r: f64, h: f64| {
        let across = m * (3.0 * r * r + h * h) / 12.0;
        [m * r * r / 2.0, across, across]
    };
    let bodies = [
        body(&found, "crank", 1.0, cylinder(1.0, 0.05, 0.3)),
        body(&found, "coupler", 2.0, cylinder(2.0, 0.04, 1.0)),
        body(&found, "rocker", 1.5, cylinder(1.5, 0.05, 0.5)),
    ];
    let arm = |name: &str, length: f64| {
        let (r, x) = (observed(&found, &format!("r_{name}")), observed(&found, &format!("x_{name}")));
        [0, 1, 2].map(|k| r[k] + length * x[k])
    };
    let all = vec![unit(0), unit(1), unit(2)];
    let joint = |of, at, torques: Vec<Triple>| Joint { of, at, forces: all.clone(), torques };
    let joints = [
        joint((0, None), [0.0; 3], vec![unit(0), unit(1)]),
        joint((0, Some(1)), arm("crank", 0.15), vec![]),
        joint((1, Some(2)), arm("coupler", 0.5), vec![]),
        joint((2, None), [0.8, 0.3, 0.1], vec![unit(0), unit(2)]),
    ];
    // the state is one of the mechanism
    assert!(close(arm("crank", -0.15), [0.0; 3]) && close(arm("rocker", -0.25), [0.8, 0.3, 0.1]));
    assert!(close(arm("crank", 0.15), arm("coupler", -0.5)) && close(arm("coupler", 0.5), arm("rocker", 0.25)));
    let expected = newton_euler(&bodies, &joints, [0.0, 0.0, -9.81], &[true; 6]);
    agrees(&text, &["crank", "coupler", "rocker"], &["base", "ball1", "ball2", "stand"], &expected);
}

#[test]
fn a_six_bar() {
    let mut text = "\
param g = 9.81 m/s^2
coord x[1..5], y[1..5] : m
coord a[1..5] : rad
frame A[i] = N rotated z by a[i] for i in 1..5
body crank mass 1 kg at (x[1], y[1]) frame A[1] as rod(0.3 m, A[1].x)
body coupler mass 2 kg at (x[2], y[2]) frame A[2] inertia 0.2 kg*m^2
body rocker mass 1.2 kg at (x[3], y[3]) frame A[3] as rod(0.6 m, A[3].x)
body rod5 mass 0.8 kg at (x[4], y[4]) frame A[4] as rod(0.7 m, A[4].x)
body rod6 mass 0.7 kg at (x[5], y[5]) frame A[5] as rod(0.5 m, A[5].x)
gravity (0, -g)
joint O1: crank at crank - 0.15 m*A[1].x hinged about N.z to N at 0
joint P: crank at crank + 0.15 m*A[1].x hinged about N.z to coupler at coupler - 0.45 m*A[2].x
joint Q: coupler at coupler + 0.45 m*A[2].x hinged about N.z to rocker at rocker + 0.3 m*A[3].x
joint O2: rocker at rocker - 0.3 m*A[3].x hinged about N.z to N at (1 m, 0)
joint R: coupler at coupler + A[2]*(0.1 m, 0.3 m, 0) hinged about N.z to rod5 at rod5 - 0.35 m*A[4].x
joint S: rod5 at rod5 + 0.35 m*A[4].x hinged about N.z to rod6 at rod6 + 0.25 m*A[5].x
joint O3: rod6 at rod6 - 0.25 m*A[5].x hinged about N.z to N at (1.6 m, 0.2 m)
start a[1] = 1 rad, a[1]' = 6 rad/s
guess x[1] = 0.08 m, y[1] = 0.13 m, x[2] = 0.58 m, y[2] = 0.41 m, a[2] = 0.35 rad, x[3] = 1 m, y[3] = 0.3 m
guess a[3] = 1.56 rad, x[4] = 0.92 m, y[4] = 0.64 m, a[4] = -0.23 rad, x[5] = 1.43 m, y[5] = 0.38 m, a[5] = 2.32 rad
"
    .to_owned();
    let names = ["crank", "coupler", "rocker", "rod5", "rod6"];
    for (i, name) in names.iter().enumerate() {
        text += &shown(name, &format!("A[{}]", i + 1));
    }
    let found = evaluated(&text);
    let masses = [1.0, 2.0, 1.2, 0.8, 0.7];
    let moments = [1.0 * 0.09 / 12.0, 0.2, 1.2 * 0.36 / 12.0, 0.8 * 0.49 / 12.0, 0.7 * 0.25 / 12.0];
    let bodies: Vec<Body> = (0..5).map(|i| body(&found, names[i], masses[i], [0.0, 0.0, moments[i]])).collect();
    let arm = |name: &str, x: f64, y: f64| {
        let [r, e, f] = ["r", "x", "y"].map(|what| observed(&found, &format!("{what}_{name}")));
        [0, 1, 2].map(|k| r[k] + x * e[k] + y * f[k])
    };
    let joint = |of, at| Joint { of, at, forces: vec![unit(0), unit(1)], torques: vec![] };
    let joints = [
        joint((0, None), [0.0; 3]),
        joint((0, Some(1)), arm("crank", 0.15, 0.0)),
        joint((1, Some(2)), arm("coupler", 0.45, 0.0)),
        joint((2, None), [1.0, 0.0, 0.0]),
        joint((1, Some(3)), arm("coupler", 0.1, 0.3)),
        joint((3, Some(4)), arm("rod5", 0.35, 0.0)),
        joint((4, None), [1.6, 0.2, 0.0]),
    ];
    assert!(
        close(arm("coupler", 0.1, 0.3), arm("rod5", -0.35, 0.0))
            && close(arm("rod5", 0.35, 0.0), arm("rod6", 0.25, 0.0))
    );
    assert!(
        close(arm("rod6", -0.25, 0.0), [1.6, 0.2, 0.0]) && close(arm("coupler", 0.45, 0.0), arm("rocker", 0.3, 0.0))
    );
    let expected = newton_euler(&bodies, &joints, [0.0, -9.81, 0.0], &[true, true, false, false, false, true]);
    agrees(&text, &names, &["O1", "P", "Q", "O2", "R", "S", "O3"], &expected);
}

/// Four links whose hinges are neither parallel nor meet: it moves if sin(alpha)/a = sin(beta)/b.
const BENNETT: &str = "\
param a = 1 m, b = 1.5 m, alpha = 0.5 rad, m = 1 kg, g = 9.81 m/s^2
param beta = asin(b/a*sin(alpha))
coord q[1..3] : rad
frame A1 = N rotated z by q[1]
frame B1 = A1 rotated x by alpha
frame A2 = B1 rotated z by q[2]
frame B2 = A2 rotated x by beta
frame A3 = B2 rotated z by q[3]
frame B3 = A3 rotated x by alpha
point P1 = a*A1.x
point P2 = P1 + b*A2.x
point P3 = P2 + a*A3.x
body L1 mass m at a/2*A1.x frame A1 as rod(a, A1.x)
body L2 mass m at P1 + b/2*A2.x frame A2 as rod(b, A2.x)
body L3 mass m at P2 + a/2*A3.x frame A3 as rod(a, A3.x)
gravity (0, -g)
joint last: L3 at P3 hinged about B3.z, (0, sin(beta), cos(beta)) to N at -b*N.x
start q[1] = 1 rad
guess q[2] = 2.87 rad, q[3] = -1 rad
";

#[test]
fn bennetts_loop_moves() {
    let loaded = open(&Settings::new("test.mech", BENNETT)).unwrap();
    // several times through the pose in which all links lie on one line, where other rows carry the rank
    let wanted = Simulate { duration: Some(5.0), ..Simulate::default() };
    let found = simulate(&loaded, &wanted, &mut Alone).unwrap();
    assert!(found.stopped_by.failure().is_none(), "{:?}", found.stopped_by);
    // tan(q1/2) tan(q2/2) = sin((β + α)/2)/sin((β − α)/2), and q1 + q3 = 0: Bennett's relations
    let (alpha, beta) = (0.5_f64, (1.5 * 0.5_f64.sin()).asin());
    let value = |name: &str| {
        let place = loaded.system.coordinates.iter().position(|one| one.name == name).unwrap();
        found.last.values[place]
    };
    let ratio = ((beta + alpha) / 2.0).sin() / ((beta - alpha) / 2.0).sin();
    let product = (value("q[1]") / 2.0).tan() * (value("q[2]") / 2.0).tan();
    assert!((product - ratio).abs() < 1e-7 * ratio, "{product} {ratio}");
    assert!((value("q[1]") + value("q[3]")).abs() < 1e-8 && (value("q[1]") - 1.0).abs() > 0.3);
}

#[test]
fn bennetts_loop_with_another_twist_is_stiff() {
    // with another twist nothing moves: the freedoms are none, and the start is a contradiction
    let text = BENNETT.replace("param beta = asin(b/a*sin(alpha))", "param beta = 0.9 rad");
    let loaded = open(&Settings::new("test.mech", &text)).unwrap();
    let found = anholon::check(&loaded, &anholon::Inspect::default(), &mut Alone).unwrap();
    assert!(!found.start.contradictions.is_empty(), "{:?}", found.degrees_of_freedom);
}

/// Cranks of one length on a line, whose ends are held at their distances: the last row follows from the others where all
/// cranks are parallel, and nowhere else.
const CRANKS: &str = "\
param m = 1 kg, r = 0.3 m, d = 1 m, g = 9.81 m/s^2
coord a[1..3] : rad
point P[i] = (i*d + r*cos(a[i]), r*sin(a[i])) mass m for i in 1..3
gravity (0, -g)
constraint c12: dot(P[2] - P[1], P[2] - P[1]) = d^2
constraint c23: dot(P[3] - P[2], P[3] - P[2]) = d^2
constraint c13: dot(P[3] - P[1], P[3] - P[1]) = 4*d^2
start a[i] = 0.5 rad for i in 1..3
";

#[test]
fn three_parallel_cranks_move() {
    let loaded = open(&Settings::new("test.mech", CRANKS)).unwrap();
    let found = anholon::check(&loaded, &anholon::Inspect::default(), &mut Alone).unwrap();
    assert_eq!(found.degrees_of_freedom, 1);
    let wanted = Simulate { duration: Some(0.15), ..Simulate::default() };
    let found = simulate(&loaded, &wanted, &mut Alone).unwrap();
    assert!(found.stopped_by.failure().is_none(), "{:?}", found.stopped_by);
    // each falls as by itself: r a'' = -g cos(a), by Runge and Kutta
    let (mut a, mut w, h) = (0.5_f64, 0.0_f64, 0.15 / 2000.0);
    let slope = |a: f64| -9.81 / 0.3 * a.cos();
    for _ in 0..2000 {
        let (k1, l1) = (w, slope(a));
        let (k2, l2) = (w + h / 2.0 * l1, slope(a + h / 2.0 * k1));
        let (k3, l3) = (w + h / 2.0 * l2, slope(a + h / 2.0 * k2));
        let (k4, l4) = (w + h * l3, slope(a + h * k3));
        a += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        w += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    assert!(found.last.values[..3].iter().all(|value| (value - a).abs() < 1e-7), "{:?} {a}", found.last.values);
}

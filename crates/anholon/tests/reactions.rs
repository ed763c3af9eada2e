//! Do constraints carry what Newton's and Euler's laws of each single body ask for?
//!
//! ```text
//! Σ F = m (a − g)        Σ (r − c) × F + Σ M = I α + ω × I ω        for each body      (1)
//! ```
//!
//! The forces and couples of all joints are unknown, also of those that are built into coordinates. Places, velocities and
//! accelerations are those of the model's motion; (1) is solved here, and compared with what every verb tells.

mod ask;

use anholon::answer::{Evaluation, SharedLoad, Support};
use anholon::{Alone, Derive, Equilibria, Evaluated, Settings, Simulate, open, simulate};
use ask::{audit, derive, equilibria, evaluate};
use serde_json::Value;

type V = [f64; 3];

/// A rigid body, or a particle if it has no frame.
struct Rigid {
    name: &'static str,
    mass: f64,
    /// Along the axes of its frame.
    inertia: V,
    centre: &'static str,
    frame: &'static str,
    /// A given force at the mass centre.
    pull: V,
}

/// Forces at a place and couples in unknown amounts along some directions, on a body, and the opposite on another.
struct Joint {
    at: &'static str,
    on: usize,
    against: Option<usize>,
    forces: &'static [&'static str],
    couples: &'static [&'static str],
}

/// What some constraints do together to a point or body: a joint, or its opposite.
struct Told(&'static [&'static str], &'static str, usize, f64);

struct Case {
    name: &'static str,
    text: String,
    gravity: V,
    bodies: Vec<Rigid>,
    joints: Vec<Joint>,
    told: Vec<Told>,
}

const XY: &[&str] = &["N.x", "N.y"];
const XYZ: &[&str] = &["N.x", "N.y", "N.z"];
const DOWN: V = [0.0, -9.8, 0.0];
const LOW: V = [0.0, 0.0, -9.8];

fn body(name: &'static str, mass: f64, inertia: V, centre: &'static str, frame: &'static str) -> Rigid {
    Rigid { name, mass, inertia, centre, frame, pull: [0.0; 3] }
}

fn flat(name: &'static str, mass: f64, inertia: f64, centre: &'static str, frame: &'static str) -> Rigid {
    body(name, mass, [0.0, 0.0, inertia], centre, frame)
}

fn particle(name: &'static str, mass: f64) -> Rigid {
    body(name, mass, [0.0; 3], name, "")
}

fn joint(at: &'static str, on: usize, against: Option<usize>, forces: &'static [&'static str]) -> Joint {
    Joint { at, on, against, forces, couples: &[] }
}

/// A bar of the plane by coordinates of its own, with its two ends L and R.
fn bar(k: usize, length: f64, mass: f64, inertia: f64) -> String {
    let h = length / 2.0;
    format!(
        "coord x{k}, y{k}, c{k}\nframe B{k} = N rotated z by c{k}\npoint C{k} = (x{k}, y{k})\n\
         body D{k} mass {mass} at C{k} frame B{k} inertia {inertia}\npoint L{k} = C{k} - {h}*B{k}.x\n\
         point R{k} = C{k} + {h}*B{k}.x\n"
    )
}

/// A body in space by coordinates of its own, with its two ends L and R along its x.
fn solid(k: usize, length: f64, mass: f64, inertia: V) -> String {
    let (h, [a, b, c]) = (length / 2.0, inertia);
    format!(
        "coord x{k}, y{k}, z{k}, p{k}, r{k}, s{k}\nframe B{k} = N rotated z by p{k}, y by r{k}, x by s{k}\n\
         point C{k} = (x{k}, y{k}, z{k})\nbody D{k} mass {mass} at C{k} frame B{k} inertia ({a}, {b}, {c})\n\
         point L{k} = C{k} - {h}*B{k}.x\npoint R{k} = C{k} + {h}*B{k}.x\n"
    )
}

fn plane(name: &'static str, text: String, bodies: Vec<Rigid>, joints: Vec<Joint>, told: Vec<Told>) -> Case {
    let text = format!("{text}gravity (0, -9.8)\n");
    Case { name, text, gravity: DOWN, bodies, joints, told }
}

fn space(name: &'static str, text: String, bodies: Vec<Rigid>, joints: Vec<Joint>, told: Vec<Told>) -> Case {
    let text = format!("{text}gravity (0, 0, -9.8)\n");
    Case { name, text, gravity: LOW, bodies, joints, told }
}

fn bars() -> Vec<Case> {
    let rod = "coord c\nframe B = N rotated z by c\npoint Q = 3*B.x\nbody D mass 2 at 3/2*B.x frame B inertia 3/2\n";
    let d = || flat("D", 2.0, 1.5, "3/2*B.x", "B");
    let one = || flat("D1", 2.0, 1.5, "C1", "B1");
    let two = || flat("D2", 1.3, 0.7, "C2", "B2");
    vec![
        plane(
            "a rod with a support at its end, hinged by its coordinates",
            format!("{rod}constraint stop: Q.y = 0\nstart c = 0\n"),
            vec![d()],
            vec![joint("0*N.x", 0, None, XY), joint("Q", 0, None, &["N.y"])],
            vec![Told(&["stop"], "Q", 1, 1.0)],
        ),
        plane(
            "a rod on a one-sided support",
            format!("{rod}constraint stop: Q.y >= -1\nstart c = asin(-1/3)\n"),
            vec![d()],
            vec![joint("0*N.x", 0, None, XY), joint("Q", 0, None, &["N.y"])],
            vec![Told(&["stop"], "Q", 1, 1.0)],
        ),
        plane(
            "a rod on a pin",
            format!("{}constraint pin: L1 = 0\nstart c1 = 0.3, c1' = 2\n", bar(1, 3.0, 2.0, 1.5)),
            vec![one()],
            vec![joint("L1", 0, None, XY)],
            vec![Told(&["pin"], "L1", 0, 1.0)],
        ),
        plane(
            "a pin written with coordinates",
            format!("{}constraint pin: (x1, y1) - 3/2*B1.x = 0\nstart c1 = 0.3, c1' = 2\n", bar(1, 3.0, 2.0, 1.5)),
            vec![one()],
            vec![joint("L1", 0, None, XY)],
            vec![Told(&["pin"], "D1", 0, 1.0)],
        ),
        plane(
            "a pin behind an abbreviation that moves",
            format!(
                "{}let foot = C1 - 3/2*B1.x\nlet gap(P) = P - (0.1*sin(3*t), 0)\nconstraint pin: gap(foot) = 0\n\
                 start c1 = 0.3, c1' = 2\n",
                bar(1, 3.0, 2.0, 1.5)
            ),
            vec![one()],
            vec![joint("L1", 0, None, XY)],
            vec![Told(&["pin"], "D1", 0, 1.0)],
        ),
        plane(
            "a double pendulum",
            format!(
                "{}{}constraint first: L1 = 0\nconstraint second: L2 = R1\nstart c1 = 0.3, c2 = 1.1, c1' = 2, c2' = -3\n",
                bar(1, 3.0, 2.0, 1.5),
                bar(2, 1.6, 1.3, 0.7)
            ),
            vec![one(), two()],
            vec![joint("L1", 0, None, XY), joint("L2", 1, Some(0), XY)],
            vec![Told(&["first"], "L1", 0, 1.0), Told(&["second"], "L2", 1, 1.0), Told(&["second"], "R1", 1, -1.0)],
        ),
        plane(
            "a ladder on smooth walls",
            format!(
                "{}constraint wall: L1.x = 0\nconstraint floor: R1.y = 0\nstart c1 = -0.9, c1' = -0.4\n\
                 guess x1 = 1, y1 = 1\n",
                bar(1, 3.0, 2.0, 1.5)
            ),
            vec![one()],
            vec![joint("L1", 0, None, &["N.x"]), joint("R1", 0, None, &["N.y"])],
            vec![Told(&["wall"], "L1", 0, 1.0), Told(&["floor"], "R1", 1, 1.0)],
        ),
        plane(
            "a rod that slides through a sleeve",
            format!(
                "{}point E = (1, 0.5)\nconstraint sleeve: dot(C1 - E, B1.y) = 0\n\
                 start c1 = 0.4, c1' = 1.3, dot(C1 - E, B1.x) = 0.7, dot(velocity(C1), B1.x) = 0.6\n",
                bar(1, 3.0, 2.0, 1.5)
            ),
            vec![one()],
            vec![joint("E", 0, None, &["B1.y"])],
            vec![Told(&["sleeve"], "D1", 0, 1.0)],
        ),
        plane(
            "a sleigh",
            format!(
                "{}point K = C1 + 0.7*B1.x\nconstraint knife: dot(velocity(K), B1.y) = 0\n\
                 start c1 = 0.4, c1' = 1.3, dot(velocity(K), B1.x) = 0.6\n",
                bar(1, 3.0, 2.0, 1.5)
            ),
            vec![one()],
            vec![joint("K", 0, None, &["B1.y"])],
            vec![Told(&["knife"], "K", 0, 1.0)],
        ),
        plane(
            "a wheel that rolls",
            format!(
                "{}point K = C1 - 0.5*N.y\nforce (3, 0) on D1\nconstraint roll: velocity(D1 at K).x = 0\n\
                 constraint ground: C1.y = 0.5\nstart x1' = 1\n",
                bar(1, 1.0, 2.0, 0.25)
            ),
            vec![Rigid { pull: [3.0, 0.0, 0.0], ..flat("D1", 2.0, 0.25, "C1", "B1") }],
            vec![joint("K", 0, None, &["N.x"]), joint("C1", 0, None, &["N.y"])],
            vec![Told(&["roll"], "D1", 0, 1.0), Told(&["ground"], "C1", 1, 1.0)],
        ),
    ]
}

fn linkages() -> Vec<Case> {
    let one = || flat("D1", 0.4, 0.01, "C1", "B1");
    let two = || flat("D2", 1.2, 0.2, "C2", "B2");
    let three = || flat("D3", 1.0, 0.15, "C3", "B3");
    let built = "coord a, b, c\nframe A = N rotated z by a\nframe B = N rotated z by b\nframe C = N rotated z by c\n\
                 point E = (3, 0)\npoint P = A.x\npoint Q = P + 3*B.x\nbody crank mass 0.4 at 1/2*A.x frame A inertia 0.1\n\
                 body coupler mass 1.2 at P + 3/2*B.x frame B inertia 0.9\n\
                 body rocker mass 1 at E + 5/4*C.x frame C inertia 0.5\n";
    vec![
        plane(
            "a four-bar linkage of three free bars",
            format!(
                "{}{}{}constraint o: L1 = 0\nconstraint p: L2 = R1\nconstraint q: R2 = R3\nconstraint e: L3 = (3, 0)\n\
                 start c1 = 1, c1' = 6\nguess c2 = 0.5, c3 = 1.5, x1 = 0.3, y1 = 0.4, x2 = 1.8, y2 = 1.6, x3 = 3.1, y3 = 1.2\n",
                bar(1, 1.0, 0.4, 0.01),
                bar(2, 3.0, 1.2, 0.2),
                bar(3, 2.5, 1.0, 0.15)
            ),
            vec![one(), two(), three()],
            vec![
                joint("L1", 0, None, XY),
                joint("L2", 1, Some(0), XY),
                joint("R2", 1, Some(2), XY),
                joint("L3", 2, None, XY),
            ],
            vec![
                Told(&["o"], "L1", 0, 1.0),
                Told(&["p"], "L2", 1, 1.0),
                Told(&["p"], "R1", 1, -1.0),
                Told(&["q"], "R2", 2, 1.0),
                Told(&["q"], "R3", 2, -1.0),
                Told(&["e"], "L3", 3, 1.0),
            ],
        ),
        plane(
            "a four-bar linkage whose hinges are built in but one",
            format!("{built}constraint pin: Q = E + 5/2*C.x\nstart a = 1, a' = 6\nguess b = 0.5, c = 1.5\n"),
            vec![
                flat("crank", 0.4, 0.1, "1/2*A.x", "A"),
                flat("coupler", 1.2, 0.9, "P + 3/2*B.x", "B"),
                flat("rocker", 1.0, 0.5, "E + 5/4*C.x", "C"),
            ],
            vec![
                joint("0*N.x", 0, None, XY),
                joint("P", 1, Some(0), XY),
                joint("Q", 1, Some(2), XY),
                joint("E", 2, None, XY),
            ],
            vec![Told(&["pin"], "Q", 2, 1.0), Told(&["pin"], "rocker", 2, -1.0)],
        ),
        plane(
            "a slider-crank",
            "coord a, b\nframe A = N rotated z by a\nframe B = N rotated z by b\npoint P = A.x\n\
             body crank mass 0.4 at 1/2*A.x frame A inertia 0.1\nbody link mass 1.2 at P + 3/2*B.x frame B inertia 0.9\n\
             point S = P + 3*B.x mass 0.8\nconstraint guide: S.y = 0.2\nstart a = 1, a' = 6\nguess b = -0.2\n"
                .to_owned(),
            vec![flat("crank", 0.4, 0.1, "1/2*A.x", "A"), flat("link", 1.2, 0.9, "P + 3/2*B.x", "B"), particle("S", 0.8)],
            vec![
                joint("0*N.x", 0, None, XY),
                joint("P", 1, Some(0), XY),
                joint("S", 2, Some(1), XY),
                joint("S", 2, None, &["N.y"]),
            ],
            vec![Told(&["guide"], "S", 3, 1.0)],
        ),
        plane(
            "a block in guides, a bar and a particle",
            format!(
                "{}{}coord x3, y3\npoint P = (x3, y3) mass 0.8\nconstraint turn: c1 = 0\n\
                 constraint guide: L1.x = 0.5\nconstraint p: L2 = R1\nconstraint string: norm(P - R2) = 1\n\
                 start c2 = -0.3, c2' = 1, x3 = 4, x3' = 0.5\nguess y3 = -3, x1 = 1, y1 = 0, y1' = 0\n",
                bar(1, 1.0, 0.4, 0.01),
                bar(2, 3.0, 1.2, 0.2)
            ),
            vec![one(), two(), particle("P", 0.8)],
            vec![
                Joint { couples: &["N.z"], ..joint("C1", 0, None, &[]) },
                joint("L1", 0, None, &["N.x"]),
                joint("L2", 1, Some(0), XY),
                joint("P", 2, Some(1), &["P - R2"]),
            ],
            vec![
                Told(&["turn"], "D1", 0, 1.0),
                Told(&["guide"], "L1", 1, 1.0),
                Told(&["p"], "L2", 2, 1.0),
                Told(&["p"], "R1", 2, -1.0),
                Told(&["string"], "P", 3, 1.0),
                Told(&["string"], "R2", 3, -1.0),
            ],
        ),
    ]
}

fn particles() -> Vec<Case> {
    vec![
        space(
            "a spherical pendulum",
            "coord x, y, z\npoint P = (x, y, z) mass 2\nconstraint wire: x^2 + y^2 + z^2 = 4\n\
             start x = 1, y = 0.5, x' = 1, y' = -2\nguess z = -1.7\n"
                .to_owned(),
            vec![particle("P", 2.0)],
            vec![joint("P", 0, None, &["P"])],
            vec![Told(&["wire"], "P", 0, 1.0)],
        ),
        space(
            "a bead in spherical coordinates",
            "coord r, u, v\npoint P = r*(sin(u)*cos(v), sin(u)*sin(v), -cos(u)) mass 2\nconstraint cone: u = 0.4\n\
             constraint length: r + 0.3*v = 2\nstart v = 0.5, v' = 2\n"
                .to_owned(),
            vec![particle("P", 2.0)],
            vec![joint("P", 0, None, XYZ)],
            vec![Told(&["cone", "length"], "P", 0, 1.0)],
        ),
        plane(
            "two particles with a rod on a rail",
            "coord x, y, u, v\npoint A = (x, y) mass 2\npoint B = (u, v) mass 3\nconstraint rail: y = 0\n\
             constraint rod: (u - x)^2 + (v - y)^2 = 4\nstart u = 1.2, x' = 1, u' = -1\nguess v = -1.6\n"
                .to_owned(),
            vec![particle("A", 2.0), particle("B", 3.0)],
            vec![joint("A", 0, None, &["N.y"]), joint("B", 1, Some(0), &["B - A"])],
            vec![Told(&["rail"], "A", 0, 1.0), Told(&["rod"], "B", 1, 1.0), Told(&["rod"], "A", 1, -1.0)],
        ),
        plane(
            "Atwood's machine",
            "coord y, v\npoint A = (0, y) mass 2\npoint B = (1, v) mass 3\nconstraint string: y + v = 4\nstart y = 1\n"
                .to_owned(),
            vec![particle("A", 2.0), particle("B", 3.0)],
            vec![joint("A", 0, None, &["N.y"]), joint("B", 1, None, &["N.y"])],
            vec![Told(&["string"], "A", 0, 1.0), Told(&["string"], "B", 1, 1.0)],
        ),
    ]
}

fn solids() -> Vec<Case> {
    let one = || body("D1", 2.0, [0.3, 0.9, 1.1], "C1", "B1");
    let two = || body("D2", 1.5, [0.2, 0.5, 0.6], "C2", "B2");
    let first = || solid(1, 2.0, 2.0, [0.3, 0.9, 1.1]);
    let second = || solid(2, 1.4, 1.5, [0.2, 0.5, 0.6]);
    let turning = "start p1 = 0.3, r1 = 0.5, s1 = 0.2, p1' = 1, r1' = -0.7, s1' = 2\n";
    vec![
        space(
            "a body on a ball joint",
            format!("{}constraint ball: L1 = 0\n{turning}", first()),
            vec![one()],
            vec![joint("L1", 0, None, XYZ)],
            vec![Told(&["ball"], "L1", 0, 1.0)],
        ),
        space(
            "a body on a ball joint, by a quaternion",
            "coord x, y, z, e0, e1, e2, e3\nframe B1 = N quaternion (e0, e1, e2, e3)\npoint C1 = (x, y, z)\n\
             body D1 mass 2 at C1 frame B1 inertia (0.3, 0.9, 1.1)\npoint L1 = C1 - B1.x\nconstraint ball: L1 = 0\n\
             start e1 = 0.3, e2 = 0.1, e3 = 0.2, omega(D1) = (1, -0.7, 2)\nguess e0 = 0.9\n"
                .to_owned(),
            vec![one()],
            vec![joint("L1", 0, None, XYZ)],
            vec![Told(&["ball"], "L1", 0, 1.0)],
        ),
        space(
            "two bodies on ball joints",
            format!("{}{}constraint ball: L1 = 0\nconstraint next: L2 = R1\n{turning}start p2 = 1, r2 = -0.2, s2' = 1\n", first(), second()),
            vec![one(), two()],
            vec![joint("L1", 0, None, XYZ), joint("L2", 1, Some(0), XYZ)],
            vec![Told(&["ball"], "L1", 0, 1.0), Told(&["next"], "L2", 1, 1.0), Told(&["next"], "R1", 1, -1.0)],
        ),
        space(
            "a door on a hinge",
            format!(
                "{}constraint ball: L1 = 0\nconstraint u: dot(B1.z, N.x) = 0\nconstraint v: dot(B1.z, N.y) = 0\n\
                 start p1 = 0.3, p1' = 2\n",
                first()
            ),
            vec![one()],
            vec![joint("L1", 0, None, XYZ), Joint { couples: &["N.x", "N.y"], ..joint("C1", 0, None, &[]) }],
            vec![Told(&["ball"], "L1", 0, 1.0), Told(&["u", "v"], "D1", 1, 1.0)],
        ),
        space(
            "a spatial slider-crank",
            format!(
                "coord a\nframe A = N rotated x by a\npoint P = 0.5*A.y\nbody crank mass 0.7 at 1/4*A.y frame A inertia (0.2, 0.1, 0.15)\n\
                 {}constraint ball: L1 = P\nconstraint side: R1.y = 0.3\nconstraint rail: R1.z = 0.2\n\
                 start a = 0.8, a' = 3, s1' = 1\nguess x1 = 1, y1 = 0.3, z1 = 0.3, p1 = 0, r1 = 0\n",
                first()
            ),
            vec![body("crank", 0.7, [0.2, 0.1, 0.15], "1/4*A.y", "A"), one()],
            vec![
                Joint { couples: &["N.y", "N.z"], ..joint("0*N.x", 0, None, XYZ) },
                joint("L1", 1, Some(0), XYZ),
                joint("R1", 1, None, &["N.y"]),
                joint("R1", 1, None, &["N.z"]),
            ],
            vec![
                Told(&["ball"], "L1", 1, 1.0),
                Told(&["ball"], "P", 1, -1.0),
                Told(&["side"], "R1", 2, 1.0),
                Told(&["rail"], "R1", 3, 1.0),
            ],
        ),
        space(
            "a ball that rolls",
            "coord x, y, z, p, r, s\nframe B1 = N rotated z by p, y by r, x by s\npoint C1 = (x, y, z)\n\
             body D1 mass 2 at C1 frame B1 inertia (0.3, 0.4, 0.5)\ncontact ground: D1 rolls as sphere(0.5) on plane(N.z, 0)\n\
             start r = 0.3, z = 0.5, omega(D1) = (1, -0.7, 2)\n"
                .to_owned(),
            vec![body("D1", 2.0, [0.3, 0.4, 0.5], "C1", "B1")],
            vec![joint("C1 - 0.5*N.z", 0, None, XYZ)],
            vec![Told(&["ground"], "D1", 0, 1.0)],
        ),
    ]
}

// ---- Newton and Euler

fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn plus(a: V, b: V, factor: f64) -> V {
    [0, 1, 2].map(|i| a[i] + factor * b[i])
}

fn dot(a: V, b: V) -> f64 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

/// What the model is asked to show beside its own lines.
fn shown(case: &Case) -> String {
    let mut text = case.text.clone();
    let mut add = |name: String, what: &str| text += &format!("observe {name} = {what}\n");
    for (k, one) in case.bodies.iter().enumerate() {
        add(format!("ne_c{k}"), one.centre);
        add(format!("ne_a{k}"), &format!("acceleration({})", one.centre));
        if !one.frame.is_empty() {
            add(format!("ne_w{k}"), &format!("omega({})", one.name));
            add(format!("ne_e{k}"), &format!("omega({})'", one.name));
            ["x", "y", "z"].iter().for_each(|axis| add(format!("ne_{axis}{k}"), &format!("{}.{axis}", one.frame)));
        }
    }
    for (k, one) in case.joints.iter().enumerate() {
        add(format!("ne_p{k}"), one.at);
        one.forces.iter().enumerate().for_each(|(i, along)| add(format!("ne_f{k}_{i}"), along));
        one.couples.iter().enumerate().for_each(|(i, along)| add(format!("ne_m{k}_{i}"), along));
    }
    text
}

/// The force of each joint on its first body, and the couple: (1) solved.
fn balance(case: &Case, observed: &dyn Fn(&str) -> V) -> Vec<(V, V)> {
    let columns: usize = case.joints.iter().map(|one| one.forces.len() + one.couples.len()).sum();
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for (k, one) in case.bodies.iter().enumerate() {
        let c = observed(&format!("ne_c{k}"));
        let mut lines = vec![vec![0.0; columns + 1]; 6];
        let mut column = 0;
        for (j, joint) in case.joints.iter().enumerate() {
            let sign = if joint.on == k {
                1.0
            } else if joint.against == Some(k) {
                -1.0
            } else {
                0.0
            };
            let arm = plus(observed(&format!("ne_p{j}")), c, -1.0);
            for i in 0..joint.forces.len() {
                let along = observed(&format!("ne_f{j}_{i}"));
                let moment = cross(arm, along);
                (0..3).for_each(|s| (lines[s][column], lines[3 + s][column]) = (sign * along[s], sign * moment[s]));
                column += 1;
            }
            for i in 0..joint.couples.len() {
                let along = observed(&format!("ne_m{j}_{i}"));
                (0..3).for_each(|s| lines[3 + s][column] = sign * along[s]);
                column += 1;
            }
        }
        let force = plus(observed(&format!("ne_a{k}")), case.gravity, -1.0).map(|a| one.mass * a);
        let force = plus(force, one.pull, -1.0);
        let spin = if one.frame.is_empty() { [0.0; 3] } else { spin(one, k, observed) };
        (0..3).for_each(|s| (lines[s][columns], lines[3 + s][columns]) = (force[s], spin[s]));
        rows.extend(lines.into_iter().take(if one.frame.is_empty() { 3 } else { 6 }));
    }
    let amounts = dense(rows, columns, case.name);
    let mut next = amounts.into_iter();
    let mut sum = |letter: &str, j: usize, count: usize| {
        (0..count).fold([0.0; 3], |sum, i| plus(sum, observed(&format!("ne_{letter}{j}_{i}")), next.next().unwrap()))
    };
    let of = |(j, one): (usize, &Joint)| (sum("f", j, one.forces.len()), sum("m", j, one.couples.len()));
    case.joints.iter().enumerate().map(of).collect()
}

/// I α + ω × I ω.
fn spin(one: &Rigid, k: usize, observed: &dyn Fn(&str) -> V) -> V {
    let axes = ["x", "y", "z"].map(|axis| observed(&format!("ne_{axis}{k}")));
    let times = |v: V| (0..3).fold([0.0; 3], |sum, i| plus(sum, axes[i], one.inertia[i] * dot(axes[i], v)));
    let (w, alpha) = (observed(&format!("ne_w{k}")), observed(&format!("ne_e{k}")));
    plus(times(alpha), cross(w, times(w)), 1.0)
}

/// Solves equations that determine all unknowns and agree; the last column is the right side.
fn dense(mut rows: Vec<Vec<f64>>, unknowns: usize, name: &str) -> Vec<f64> {
    for k in 0..unknowns {
        let pivot = (k..rows.len()).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs())).unwrap();
        assert!(rows[pivot][k].abs() > 1e-9, "{name}: the joints are not determined");
        rows.swap(k, pivot);
        let (top, head) = (rows[k].clone(), rows[k][k]);
        for (i, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = row[k] / head;
            (k..=unknowns).for_each(|j| row[j] -= factor * top[j]);
            row[k] = if i == k { head } else { 0.0 };
        }
    }
    let left = rows[unknowns..].iter().fold(0.0_f64, |left, row| left.max(row[unknowns].abs()));
    assert!(left < 1e-6, "{name}: the bodies do not move like this, by {left}");
    (0..unknowns).map(|k| rows[k][unknowns] / rows[k][k]).collect()
}

// ---- what the verbs tell

/// A constraint, what it acts on, a force, and a torque.
type Acting = (String, String, V, Option<V>);

/// What is told of a state: outputs, and forces and torques.
struct Answer {
    observes: Vec<(String, Vec<f64>)>,
    reactions: Vec<Acting>,
}

fn of_evaluation(found: &Evaluation) -> Answer {
    let reactions = found.reactions.iter().map(|one| (one.constraint.clone(), one.on.clone(), one.vector, one.torque));
    Answer { observes: found.observes.0.clone(), reactions: reactions.collect() }
}

fn vector(value: &Value) -> V {
    [0, 1, 2].map(|i| value[i].as_f64().unwrap_or(f64::NAN))
}

fn of_sample(sample: &Value) -> Answer {
    let observes = sample["observes"].as_object().unwrap().iter();
    let observes = observes.filter(|one| one.1.is_array()).map(|(name, value)| (name.clone(), vector(value).to_vec()));
    let reactions = sample["reactions"].as_array().unwrap().iter().map(|one| {
        let name = |key: &str| one[key].as_str().unwrap().to_owned();
        (name("constraint"), name("on"), vector(&one["vector"]), one.get("torque").map(vector))
    });
    Answer { observes: observes.collect(), reactions: reactions.collect() }
}

impl Answer {
    fn observed(&self, name: &str) -> V {
        let found = self.observes.iter().find(|one| one.0 == name).unwrap_or_else(|| panic!("{name} is not observed"));
        [found.1[0], found.1[1], found.1[2]]
    }

    /// The force and the torque of some constraints on a point or body.
    fn on(&self, constraints: &[&str], on: &str) -> Option<(V, V)> {
        let is_own = |one: &&Acting| constraints.contains(&one.0.as_str()) && one.1 == on;
        let own: Vec<_> = self.reactions.iter().filter(is_own).collect();
        let sum = |part: &dyn Fn(&Acting) -> V| own.iter().fold([0.0; 3], |sum, one| plus(sum, part(one), 1.0));
        (!own.is_empty()).then(|| (sum(&|one| one.2), sum(&|one| one.3.unwrap_or([0.0; 3]))))
    }
}

fn near(a: V, b: V, size: f64) -> bool {
    (0..3).all(|i| (a[i] - b[i]).abs() <= 1e-8 * size)
}

/// Everything that is told is what (1) says; the forces that were compared.
fn compare(case: &Case, verb: &str, answer: &Answer, joints: &[(V, V)]) {
    let size = joints.iter().flat_map(|one| [one.0, one.1]).flatten().fold(1.0_f64, |size, x| size.max(x.abs()));
    for Told(constraints, on, k, sign) in &case.told {
        let context = format!("{}, {verb}: {constraints:?} on {on}", case.name);
        let (force, torque) = answer.on(constraints, on).unwrap_or_else(|| panic!("{context}: nothing"));
        let right = joints[*k].0.map(|x| sign * x);
        assert!(near(force, right, size), "{context}: the force {force:?}, not {right:?}");
        if let Some(place) = case.bodies.iter().position(|body| body.name == *on && !body.frame.is_empty()) {
            let arm = plus(answer.observed(&format!("ne_p{k}")), answer.observed(&format!("ne_c{place}")), -1.0);
            let right = plus(cross(arm, right), joints[*k].1, *sign);
            assert!(near(torque, right, size), "{context}: the torque {torque:?}, not {right:?}");
        }
    }
}

fn cases() -> Vec<Case> {
    [bars(), linkages(), particles(), solids()].into_iter().flatten().collect()
}

fn evaluated(text: &str, name: &str) -> Evaluation {
    let loaded = open(&Settings::new("own.mech", text)).unwrap_or_else(|error| panic!("{name}: {error}"));
    match evaluate(&loaded, None).unwrap_or_else(|error| panic!("{name}: {error}")) {
        Evaluated::Found(found) => *found,
        Evaluated::NoAnswer { reason, .. } => panic!("{name}: {reason}"),
    }
}

#[test]
fn joints_carry_what_each_body_needs() {
    // spread a constraint over bodies by least squares, and this fails
    assert!(cases().len() >= 20);
    for case in cases() {
        let answer = of_evaluation(&evaluated(&shown(&case), case.name));
        let joints = balance(&case, &|name| answer.observed(name));
        compare(&case, "evaluate", &answer, &joints);
    }
}

#[test]
fn joints_carry_along_a_motion_what_each_body_needs() {
    for case in cases() {
        let loaded = open(&Settings::new("own.mech", &shown(&case))).unwrap();
        let wanted = Simulate { duration: Some(0.05), ..Simulate::default() };
        let motion = simulate(&loaded, &wanted, &mut Alone).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let sample = serde_json::to_value(&motion.last).unwrap();
        let answer = of_sample(&sample);
        compare(&case, "simulate", &answer, &balance(&case, &|name| answer.observed(name)));
        // the same generalized reactions as `evaluate` tells, on the same coordinates
        let found = serde_json::to_value(evaluated(&case.text, case.name).generalized_reactions).unwrap();
        let keys = |value: &Value| -> Vec<(String, Vec<String>)> {
            let list = value.as_object().unwrap().iter();
            list.map(|(name, one)| (name.clone(), one.as_object().unwrap().keys().cloned().collect())).collect()
        };
        let sorted = |mut list: Vec<(String, Vec<String>)>| {
            list.iter_mut().for_each(|one| one.1.sort());
            list.sort();
            list
        };
        assert_eq!(sorted(keys(&sample["generalized_reactions"])), sorted(keys(&found)), "{}", case.name);
    }
}

#[test]
fn claims_about_joints_are_judged_by_what_each_body_needs() {
    for case in cases() {
        let answer = of_evaluation(&evaluated(&shown(&case), case.name));
        let joints = balance(&case, &|name| answer.observed(name));
        let size = joints.iter().flat_map(|one| one.0).fold(1.0_f64, |size, x| size.max(x.abs()));
        let mut claims = String::new();
        for (n, Told(constraints, on, k, sign)) in case.told.iter().enumerate().filter(|one| one.1.0.len() == 1) {
            let [x, y, z] = joints[*k].0.map(|x| sign * x);
            let (one, within) = (constraints[0], 1e-7 * size);
            claims += &format!(
                "claim right{n}: reaction({one}, {on}) = ({x:.12}, {y:.12}, {z:.12}) at start within {within:.12}\n"
            );
            claims += &format!(
                "claim wrong{n}: reaction({one}, {on}) = ({x:.12}, {y:.12}, {z:.12}) + (1, 1, 1) at start within {within:.12}\n"
            );
        }
        if claims.is_empty() {
            continue;
        }
        let mut settings = Settings::new("own.mech", &case.text);
        settings.with.push(("own.claims".to_owned(), claims));
        let found = audit(&open(&settings).unwrap_or_else(|error| panic!("{}: {error}", case.name))).unwrap();
        for claim in &found.claims {
            let right = if claim.name.starts_with("right") { "correct" } else { "wrong" };
            assert_eq!(
                claim.verdict.to_string(),
                right,
                "{}, audit: {} {:?}",
                case.name,
                claim.text,
                claim.explanation
            );
        }
    }
}

/// What `derive --reactions` writes for a case, in numbers: its lines with these multipliers put in.
fn of_derivation(case: &Case, found: &Evaluation) -> Answer {
    let loaded = open(&Settings::new("own.mech", &case.text)).unwrap();
    let wanted = Derive { reactions: true, ..Derive::default() };
    let derived = derive(&loaded, &wanted).unwrap_or_else(|error| panic!("{}: {error}", case.name));
    // longer names first: one may begin with another
    let mut multipliers = found.multipliers.0.clone();
    multipliers.sort_by_key(|one| std::cmp::Reverse(one.0.len()));
    let (mut text, mut acting) = (case.text.clone(), Vec::new());
    for one in &derived[0].reactions {
        for line in &one.lines {
            let Some((head, what)) = line.strip_prefix("on ").and_then(|line| line.rsplit_once(": ")) else { continue };
            let Some((kind, vector)) = what.split_once(' ') else { continue };
            let mut vector = vector.trim_end_matches(", about its mass centre").to_owned();
            for (name, value) in &multipliers {
                vector = vector.replace(&format!("lambda_{}", name.replace('.', "_")), &format!("({value:.17})"));
            }
            text += &format!("observe de_{} = {vector}\n", acting.len());
            let on = head.split(" at ").next().unwrap().to_owned();
            acting.push((one.constraint.clone(), on, kind == "torque"));
        }
    }
    let values = of_evaluation(&evaluated(&text, case.name));
    let reaction = |(k, (constraint, on, is_torque)): (usize, (String, String, bool))| {
        let value = values.observed(&format!("de_{k}"));
        let (force, torque) = if is_torque { ([0.0; 3], Some(value)) } else { (value, None) };
        (constraint, on, force, torque)
    };
    let reactions = acting.into_iter().enumerate().map(reaction).collect();
    Answer { observes: found.observes.0.clone(), reactions }
}

#[test]
fn derived_reactions_are_what_each_body_needs() {
    // put a factor of two on the force of a push, and this fails
    for case in cases() {
        let found = evaluated(&shown(&case), case.name);
        let joints = balance(&case, &|name| of_evaluation(&found).observed(name));
        compare(&case, "derive", &of_derivation(&case, &found), &joints);
    }
}

/// A place of rest as a state: coordinates that are free there are zero.
fn place(model: &Settings, one: &anholon::answer::Equilibrium) -> Settings {
    let free = one.free.iter().map(|name| (name.clone(), 0.0));
    let values: Vec<(String, f64)> = one.values.0.iter().cloned().chain(free).collect();
    let lines: Vec<String> = values.iter().map(|(name, x)| format!("{name} = {x:.17}, {name}' = 0")).collect();
    Settings { at: Some(lines.join(", ")), ..model.clone() }
}

#[test]
fn joints_carry_at_rest_what_each_body_needs() {
    // take one solution of many for one-sided supports, or half of the multipliers, and this fails
    let (mut places, mut bodies) = (0, 0);
    for case in cases() {
        let set = equilibria(&Settings::new("own.mech", &case.text), &Equilibria::default()).unwrap();
        let before = places;
        for one in &set.equilibria {
            let there = open(&place(&Settings::new("own.mech", &shown(&case)), one)).unwrap();
            // where angles are singular there are no accelerations; a support that is open carries nothing
            let Ok(Evaluated::Found(found)) = evaluate(&there, None) else { continue };
            let is_open = |told: &Told| told.0.iter().any(|name| one.contact.get(name) == Some(&Support::Open));
            if case.told.iter().any(is_open) {
                continue;
            }
            let still = found.accelerations.0.iter().all(|(_, value)| value.abs() < 1e-7);
            assert!(still, "{}: {:?} is no rest", case.name, found.accelerations);
            let answer = of_evaluation(&found);
            let joints = balance(&case, &|name| answer.observed(name));
            let acting = one.reactions.iter();
            let reactions = acting.map(|push| (push.constraint.clone(), push.on.clone(), push.vector, push.torque));
            let told = Answer { observes: answer.observes, reactions: reactions.collect() };
            compare(&case, "equilibria", &told, &joints);
            places += 1;
        }
        bodies += if places > before { case.bodies.len() } else { 0 };
    }
    assert!(places >= 30 && bodies >= 20, "{places} places of {bodies} bodies");
}

// ---- rows that share a load

const BEAM: &str = "coord x, y, c\nframe B = N rotated z by c\npoint C = (x, y)\nbody D mass 10 at C frame B inertia 3\n\
                    point P = C - 2*B.x\npoint Q = C + 2*B.x\ngravity (0, -9.8)\nconstraint a: P.y = 0\n\
                    constraint b: C.y = 0\nconstraint d: Q.y = 0\nconstraint hold: x = 0\nstart c = 0\n";

#[test]
fn supports_that_share_a_load_are_told_together_by_every_verb() {
    // take one of many solutions for the reactions, and this fails
    let found = evaluated(BEAM, "beam");
    let set = equilibria(&Settings::new("own.mech", BEAM), &Equilibria::default()).unwrap();
    let flat = set.equilibria.iter().find(|one| one.values.get("c").is_some_and(|c| c.abs() < 1e-9)).unwrap();
    for shared in [&found.shared_loads, &flat.shared_loads] {
        assert_eq!(shared.len(), 1, "{shared:?}");
        assert_eq!(shared[0].rows, ["a", "b", "d"]);
        assert!(near(shared[0].resultant.unwrap(), [0.0, 98.0, 0.0], 98.0), "{shared:?}");
        assert!((shared[0].generalized_reactions.get("y").unwrap() - 98.0).abs() < 1e-9);
    }
    for name in ["a", "b", "d"] {
        for list in [&found.multipliers, &flat.multipliers] {
            assert!(list.get(name).is_none_or(|value| value.is_nan()), "{name} carries {list:?}");
        }
        for list in [&found.reactions, &flat.reactions] {
            assert!(list.iter().filter(|one| one.constraint == name).all(|one| one.vector[1].is_nan()), "{list:?}");
        }
    }
    let loaded = open(&Settings::new("own.mech", BEAM)).unwrap();
    let motion = simulate(&loaded, &Simulate { duration: Some(0.1), ..Simulate::default() }, &mut Alone).unwrap();
    for name in ["a", "b", "d"] {
        assert!(motion.last.get(&format!("multiplier({name})")).unwrap().is_nan());
    }
    alike(&motion.last.shared_loads, &found.shared_loads);
    assert_eq!(motion.last.get("multiplier(hold)"), Some(0.0));
    // what is determined may be asked for, what is not is refused with its reason
    let mut settings = Settings::new("own.mech", BEAM);
    let claims = "claim sum: reaction(a) + reaction(b) + reaction(d) = (0, 98, 0) at start within 1e-9\n\
                  claim one: reaction(b) = (0, 98, 0) at start within 1e-9\n";
    settings.with.push(("own.claims".to_owned(), claims.to_owned()));
    let found = audit(&open(&settings).unwrap()).unwrap();
    let verdicts: Vec<String> = found.claims.iter().map(|claim| claim.verdict.to_string()).collect();
    assert_eq!(verdicts, ["correct", "unknown"], "{:?}", found.claims);
}

/// Shared loads are the same, but for rounding.
fn alike(own: &[SharedLoad], right: &[SharedLoad]) {
    assert!(!right.is_empty() && own.len() == right.len(), "{own:?}, not {right:?}");
    for (own, right) in own.iter().zip(right) {
        assert_eq!(own.rows, right.rows);
        let (force, other) = (own.resultant.unwrap(), right.resultant.unwrap());
        let size = other.iter().chain(right.generalized_reactions.0.iter().map(|one| &one.1));
        let size = size.fold(1.0_f64, |size, x| size.max(x.abs()));
        assert!(near(force, other, size), "{own:?}, not {right:?}");
        for ((name, x), (other, y)) in own.generalized_reactions.0.iter().zip(&right.generalized_reactions.0) {
            assert!(name == other && (x - y).abs() <= 1e-8 * size, "{own:?}, not {right:?}");
        }
    }
}

/// A door of 20 kg, 0.8 m wide, on two hinges 1.6 m apart: one row of the six follows from the others.
fn door() -> String {
    let text = solid(1, 0.8, 20.0, [1.2, 3.0, 2.1]);
    format!(
        "{text}gravity (0, 0, -9.8)\npoint U = L1 + 0.8*B1.z\npoint V = L1 - 0.8*B1.z\nconstraint up: U = (0, 0, 1.6)\n\
         constraint low: V = 0\nstart p1 = 0.3, p1' = 2\nguess x1 = 0.4, z1 = 0.8\n"
    )
}

#[test]
fn a_door_on_two_hinges_shares_its_weight_and_nothing_else() {
    // 32 N towards the axis, by halves; 78.4 N*m of weight by a couple of 49 N; the weight itself by both
    let along = |p: f64, amount: f64| [amount * p.cos(), amount * p.sin()];
    let found = evaluated(&door(), "door");
    let loaded = open(&Settings::new("own.mech", &door())).unwrap();
    let wanted = Simulate { times: vec![0.1, 0.3], ..Simulate::default() };
    let motion = simulate(&loaded, &wanted, &mut Alone).unwrap();
    let samples: Vec<Value> = motion.table.samples().map(|one| serde_json::to_value(one).unwrap()).collect();
    let mut states = vec![(0.3, serde_json::to_value(&found).unwrap())];
    states.extend(samples.into_iter().zip([0.5, 0.9]).map(|(sample, p)| (p, sample)));
    for (p, state) in &states {
        for (name, amount) in [("up", -65.0), ("low", 33.0)] {
            let list = state["reactions"].as_array().unwrap();
            let own = vector(&list.iter().find(|one| one["constraint"] == name).unwrap()["vector"]);
            let [x, y] = along(*p, amount);
            assert!(near([own[0], own[1], 0.0], [x, y, 0.0], 100.0) && own[2].is_nan(), "{name} at {p}: {own:?}");
        }
        let shared = &state["shared_loads"];
        assert!(shared.as_array().is_some_and(|list| list.len() == 1), "at {p}: {shared}");
        assert_eq!(shared[0]["rows"], serde_json::json!(["up.z", "low.z"]));
        assert!(near(vector(&shared[0]["resultant"]), [0.0, 0.0, 196.0], 196.0), "at {p}: {shared}");
        let on = |q: &str| shared[0]["generalized_reactions"][q].as_f64().unwrap();
        assert!((on("z1") - 196.0).abs() < 1e-6 && (on("r1") - 78.4).abs() < 1e-6, "at {p}: {shared}");
    }
}

#[test]
fn of_two_ball_joints_on_one_axis_only_the_pull_along_it_is_shared() {
    let text = format!(
        "{}gravity (0, -9.8, 0)\nconstraint left: L1 = 0\nconstraint right: R1.y = 0\nconstraint deep: R1.z = 0\n\
         constraint along: R1.x = 2\nstart s1' = 2\n\
         guess x1 = 1, p1 = 0, r1 = 0\n",
        solid(1, 2.0, 2.0, [0.3, 0.9, 0.9])
    );
    let found = evaluated(&text, "axle");
    let on = |constraint: &str| found.reactions.iter().find(|one| one.constraint == constraint).unwrap().vector;
    assert!(on("left")[0].is_nan() && (on("left")[1] - 9.8).abs() < 1e-9, "{:?}", found.reactions);
    assert!(near(on("right"), [0.0, 9.8, 0.0], 10.0) && on("along")[0].is_nan(), "{:?}", found.reactions);
    assert_eq!(found.shared_loads[0].rows, ["left.x", "along"]);
    // of `left` the row that shares, not the weight that it carries besides
    assert!(near(found.shared_loads[0].resultant.unwrap(), [0.0; 3], 20.0), "{:?}", found.shared_loads);
}

// ---- what does not follow

#[test]
fn what_is_built_in_or_not_said_is_refused() {
    let rod = "coord c\nframe B = N rotated z by c\npoint O = 0*B.x\nbody D mass 2 at 3/2*B.x frame B inertia 3/2\n\
               gravity (0, -9.8)\nstart c = 0\n";
    // the hinge is in the coordinates, and where a constraint on `c` pushes is not said
    let found = evaluated(&format!("{rod}constraint stop: c = 0\n"), "bare");
    assert!(found.reactions.is_empty() && found.resultants.is_empty(), "{:?}", found.reactions);
    assert!((found.generalized_reactions.get("stop").unwrap().get("c").unwrap() - 29.4).abs() < 1e-9);
    assert!(found.notes.iter().any(|note| note.contains("where it acts is not said")), "{:?}", found.notes);
    for (constraint, claim) in [("stop: c = 0", "reaction(stop)"), ("hinge: O = 0", "reaction(hinge)")] {
        let mut settings = Settings::new("own.mech", &format!("{rod}constraint {constraint}\n"));
        let claim = format!("claim some: {claim} = (0, 0, 0) at start within 1e-9\n");
        settings.with.push(("own.claims".to_owned(), claim));
        let found = audit(&open(&settings).unwrap()).unwrap();
        assert_eq!(found.claims[0].verdict.to_string(), "unknown", "{:?}", found.claims);
    }
}

#[test]
fn friction_is_in_the_generalized_reactions() {
    let text = "param mu = 0.3\ncoord x, y\npoint P = (x, y) mass 2\ngravity (0, -10)\n\
                contact floor: P slides on plane(N.y, 0)\nfriction mu on floor\nstart x' = 1\n";
    let loaded = open(&Settings::new("own.mech", text)).unwrap();
    let motion = simulate(&loaded, &Simulate { duration: Some(0.1), ..Simulate::default() }, &mut Alone).unwrap();
    let found = evaluated(text, "block");
    let told = found.generalized_reactions.get("floor").unwrap();
    for (coordinate, right) in [("x", -6.0), ("y", 20.0)] {
        assert!((told.get(coordinate).unwrap() - right).abs() < 1e-9, "{told:?}");
        let sample = motion.last.get(&format!("reaction(floor on {coordinate})")).unwrap();
        assert!((sample - right).abs() < 1e-9, "{coordinate}: {sample}");
    }
}

/// Two wheels on an axle: both roll without slipping, written as vectors, so that one row follows from the others; which
/// one depends on the heading.
const AXLE: &str = "param r = 0.2 m, b = 0.5 m, M = 0.3 N*m
coord x, y : m
coord psi, fl, fr : rad
frame B = N rotated z by psi
frame WL = B rotated y by fl
frame WR = B rotated y by fr
body A mass 2 kg at (x, y, r) frame B inertia (0.1 kg*m^2, 0.1 kg*m^2, 0.15 kg*m^2)
point L = (x, y, r) + b*B.y
point R = (x, y, r) - b*B.y
body wl mass 0.3 kg at L frame WL inertia (0.01 kg*m^2, 0.02 kg*m^2, 0.01 kg*m^2)
body wr mass 0.3 kg at R frame WR inertia (0.01 kg*m^2, 0.02 kg*m^2, 0.01 kg*m^2)
constraint left: velocity(wl at L - r*N.z) = 0
constraint right: velocity(wr at R - r*N.z) = 0
torque M*B.y on wl against A
start psi' = 0.5 rad/s, fl' = 1 rad/s
";

#[test]
fn rows_are_chosen_where_the_state_is() {
    let at = |psi: &str| {
        let settings = Settings { set: vec![format!("psi={psi}")], ..Settings::new("axle.mech", AXLE) };
        let Ok(Evaluated::Found(found)) = evaluate(&open(&settings).unwrap(), None) else { panic!("psi = {psi}") };
        found
    };
    let ahead = at("0");
    let number = |found: &Evaluation, name: &str| *found.accelerations.get(name).unwrap();
    for (psi, angle) in
        [("pi/2", std::f64::consts::FRAC_PI_2), ("1.57", 1.57), ("2", 2.0), ("-pi/2", -std::f64::consts::FRAC_PI_2)]
    {
        let found = at(psi);
        // the same motion, turned
        let (sin, cos) = angle.sin_cos();
        let (x, y) = (number(&ahead, "x''"), number(&ahead, "y''"));
        for (name, expected) in [
            ("x''", x * cos - y * sin),
            ("y''", x * sin + y * cos),
            ("psi''", number(&ahead, "psi''")),
            ("fl''", number(&ahead, "fl''")),
            ("fr''", number(&ahead, "fr''")),
        ] {
            assert!((number(&found, name) - expected).abs() < 1e-9, "psi = {psi}: {name} is {}", number(&found, name));
        }
        // what the wheels carry together is determined
        let [one] = &found.shared_loads[..] else { panic!("psi = {psi}: {:?}", found.shared_loads) };
        assert!(one.generalized_reactions.0.iter().all(|force| force.1.is_finite()), "psi = {psi}: {one:?}");
    }
}

#[test]
fn rows_that_only_touch_are_no_redundancy() {
    // y = 0 and y = k x^2 leave one point; a motion along y = 0 would break the second row
    let text = "param k = 1 1/m\ncoord x, y : m\npoint P = (x, y) mass 1 kg\ngravity (3 m/s^2, -10 m/s^2)\n\
                constraint a: y = 0\nconstraint b: y = k*x^2\nstart x = 0\n";
    let touching = open(&Settings::new("touch.mech", text)).unwrap();
    let wanted = Simulate { duration: Some(1.0), ..Simulate::default() };
    let moved = simulate(&touching, &wanted, &mut Alone).unwrap();
    assert!(matches!(moved.stopped_by, anholon::answer::StoppedBy::Failure(_)), "{:?}", moved.stopped_by);
    // a bar on three equal parallel links is redundant all along, also where another branch is near
    for angle in ["0.45", "0.5", "1.05", "2.5"] {
        let bar = format!(
            "param l = 0.5 m, d = 1 m\ncoord x, y : m\ncoord p : rad\nframe P = N rotated z by p\npoint G = (x, y)\n\
             body bar mass 3 kg at G frame P inertia 1 kg*m^2\ngravity (0, -10 m/s^2)\n\
             constraint ja: norm(G - d*P.x) = l\nconstraint jb: norm(G - (d, 0)) = l\n\
             constraint jc: norm(G + d*P.x - (2*d, 0)) = l\nstart x = d + l*cos({angle}), y = l*sin({angle}), p = 0\n"
        );
        let Ok(Evaluated::Found(found)) = evaluate(&open(&Settings::new("bar.mech", &bar)).unwrap(), None) else {
            panic!("{angle}: refused")
        };
        // l a'' = -g cos a, and y'' = l a'' cos a from rest
        let a: f64 = angle.parse().unwrap();
        let y = found.accelerations.get("y''").unwrap();
        assert!((y + 10.0 * a.cos().powi(2)).abs() < 1e-8, "{angle}: {y}");
    }
}

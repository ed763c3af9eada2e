//! What moves? The models of benches/peers/systems.py in our own language, with the same numbers and starts.

use std::fmt::Write;

/// A cart with `n` links of different masses and lengths; as parameters, or as numbers.
pub fn cart(n: usize, is_symbolic: bool) -> String {
    let mut text = format!("system \"Cart with {n} links\"\nparam g = 9.81\ncoord x\ncoord a[1..{n}]\n");
    let number = |name: &str, i: usize, value: f64, text: &mut String| {
        if is_symbolic {
            let _ = writeln!(text, "param {name}_{i} = {value:?}");
            format!("{name}_{i}")
        } else {
            format!("{value:?}")
        }
    };
    let mass = number("m", 0, 1.0, &mut text);
    let _ = writeln!(text, "point P[0] = (x, 0) mass {mass}");
    for i in 1..=n {
        let mass = number("m", i, 1.0 + 0.01 * i as f64, &mut text);
        let length = number("l", i, 0.5 + 0.01 * (i - 1) as f64, &mut text);
        let _ = writeln!(text, "point P[{i}] = P[{}] + {length}*(sin(a[{i}]), -cos(a[{i}])) mass {mass}", i - 1);
    }
    text + "gravity (0, -g)\n"
}

/// State `k` of the cart: coordinates, then rates.
pub fn cart_state(n: usize, k: usize) -> impl Iterator<Item = f64> {
    let width = 2 * (n + 1);
    (0..width).map(move |i| (0.7391 * (k * width + i) as f64).sin())
}

/// `n` equal bobs on `n` equal light rods.
pub fn chain(n: usize) -> String {
    let mut text = format!("system \"Chain of {n} links\"\nparam g = 9.81\ncoord a[1..{n}]\npoint P[0] = 0\n");
    for i in 1..=n {
        let _ = writeln!(text, "point P[{i}] = P[{}] + (sin(a[{i}]), -cos(a[{i}])) mass 1", i - 1);
    }
    text.push_str("gravity (0, -g)\n");
    for i in 1..=n {
        let angle = 2.0 + 0.5 * (i - 1) as f64 / (n - 1).max(1) as f64;
        let _ = writeln!(text, "start a[{i}] = {angle:?}");
    }
    text
}

/// The angles from which the `k`-th of many double pendulums is let go.
pub fn start(k: usize) -> [f64; 2] {
    let k = k as f64;
    [2.5 * (0.7391 * k).sin(), 2.5 * (1.1371 * k + 0.3).sin()]
}

/// A thin disc that rolls.
pub const DISC: &str = "\
system \"Rolling disc\"
param m = 1, r = 0.5, g = 9.81
coord x, y, yaw, lean, spin
frame Y = N rotated z by yaw, x by lean
frame R = Y rotated y by spin
point C = (x, y, r*cos(lean))
point K = C - r*Y.z
body disc mass m at C frame R inertia (m*r^2/4, m*r^2/2, m*r^2/4)
gravity (0, 0, -g)
constraint roll_x: velocity(disc at K).x = 0
constraint roll_y: velocity(disc at K).y = 0
start lean = 0.4, yaw' = 0.5, lean' = 0, spin' = 6
";

/// Chaplygin's sleigh.
pub const SLEIGH: &str = "\
system \"Chaplygin's sleigh\"
param m = 1, l = 0.3, J = 0.5
coord x, y, phi
frame B = N rotated z by phi
point K = (x, y)
body sleigh mass m at K + l*B.x frame B inertia J
constraint blade: dot(velocity(K), B.y) = 0
start x' = 0.2, y' = 0, phi' = 3
";

/// A bob on a stiff spring with a damper along it.
pub const STIFF: &str = "\
system \"Stiff pendulum\"
param m = 1, k = 1e10, c = 1e7, g = 9.81
coord x, y
point O = (0, 0)
point P = (x, y) mass m
gravity (0, -g)
spring k rest 1 between O and P
damper c between O and P
start x = sin(1), y = -cos(1), x' = 0, y' = 0
";

/// Andrews' squeezing mechanism and the car axis, without the facts about their ends, which would be a motion of their own.
pub fn andrews() -> String {
    without_facts(include_str!("../../../peers/andrews.mech"))
}

/// The second of them.
pub fn car_axis() -> String {
    without_facts(include_str!("../../../peers/car-axis.mech"))
}

fn without_facts(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("expect")).map(|line| format!("{line}\n")).collect()
}

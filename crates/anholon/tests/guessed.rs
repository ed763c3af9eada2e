//! What one would guess is read as one would mean it: each model beside the same written out, number for number, and
//! with all forms proved to agree.

mod ask;

use anholon::answer::Evaluation;
use anholon::{Agreement, Alone, Evaluated, Prove, Settings, open, prove};
use ask::evaluate;

fn evaluated(text: &str) -> Evaluation {
    let loaded = open(&Settings::new("test.mech", text)).unwrap_or_else(|error| panic!("{error}\n{text}"));
    match evaluate(&loaded, None).unwrap_or_else(|error| panic!("{error}\n{text}")) {
        Evaluated::Found(found) => *found,
        Evaluated::NoAnswer { reason, .. } => panic!("{reason}\n{text}"),
    }
}

fn refused(text: &str) -> String {
    match open(&Settings::new("test.mech", text)) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("this was accepted:\n{text}"),
    }
}

/// All forms agree, the ninth family among them.
fn proved(text: &str) {
    let loaded = open(&Settings::new("test.mech", text)).unwrap();
    let found = prove(&loaded, &Prove::default(), &mut Alone).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(matches!(found.verdict, Agreement::Identical | Agreement::Equivalent), "{:?}\n{text}", found.verdict);
    let ninth = found.forms.iter().find(|form| form.form == "positions").unwrap();
    assert!(ninth.applicable, "{ninth:?}");
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9 * (1.0 + a.abs())
}

/// The accelerations, in the order of the coordinates, and the energy.
fn numbers(text: &str) -> Vec<f64> {
    let found = evaluated(text);
    found.accelerations.0.iter().map(|(_, value)| *value).chain(found.energy).collect()
}

/// Both say the same, and all forms of the first agree.
fn same(new: &str, old: &str) {
    let (a, b) = (numbers(new), numbers(old));
    assert!(a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| close(*a, *b)), "{a:?} is not {b:?}\n{new}");
    assert!(a.iter().any(|x| x.abs() > 1e-3), "nothing moves: {a:?}");
    proved(new);
}

#[test]
fn numbers_units_and_greek_letters() {
    let new = "\
param m = 1kg, l = .5 m, g = 9.81 m s^-2, k = 3 N/m^(3/2), φ0 = 30deg
coord θ : rad
point P = l*(sin(θ), -cos(θ)) mass m
gravity (0, -g)
potential 2k/5*(P.x**2 + 1 mm^2)**(5/4)
start θ = φ0
input a, b : N = 0.5N
force (a, 2b) on P
";
    let old = "\
param m = 1 kg, l = 0.5 m, g = 9.81 m/s^2, k = 3 N/m^(3/2), phi0 = 30 deg
coord theta : rad
point P = l*(sin(theta), -cos(theta)) mass m
gravity (0, -g)
potential 2*k/5*(P.x^2 + 1 mm^2)^(5/4)
start theta = phi0
force (0.5 N, 1 N) on P
";
    same(new, old);
}

#[test]
fn a_body_is_its_mass_centre() {
    let new = "\
param m = 2 kg, J = 0.3 kg*m^2, l = 0.4 m, k = 50 N/m, c = 3 N*s/m, g = 9.81 m/s^2
coord x, y : m
coord a, b : rad
frame A = N rotated z by a
frame B = N rotated z by b
body D mass m at (x, y) frame A inertia J
body E mass m at D + l*A.x + l*B.x frame B inertia J
gravity (0, -g)
spring k rest l between D and E
damper c between D and 0
force (1 N, 0) on D
observe v = velocity(E)
observe w = D.x
observe d = D' + 0
start x = 0.1 m, a = 0.2 rad, b = -0.5 rad, x' = 0.3 m/s
";
    let old = "\
param m = 2 kg, J = 0.3 kg*m^2, l = 0.4 m, k = 50 N/m, c = 3 N*s/m, g = 9.81 m/s^2
coord x, y : m
coord a, b : rad
frame A = N rotated z by a
frame B = N rotated z by b
point C = (x, y)
body D mass m at C frame A inertia J
point F = C + l*A.x + l*B.x
body E mass m at F frame B inertia J
gravity (0, -g)
spring k rest l between C and F
damper c between C and 0
force (1 N, 0) on D
observe v = velocity(F)
observe w = C.x
observe d = C'
start x = 0.1 m, a = 0.2 rad, b = -0.5 rad, x' = 0.3 m/s
";
    same(new, old);
}

#[test]
fn frames_and_bodies_chain() {
    let new = "\
param n = 3, m = 1 kg, l = 0.5 m, g = 9.81 m/s^2
coord q[1..n] : rad
frame A[0] = N
frame A[i] = A[i-1] rotated z by q[i] for i in 1..n
point P[0] = 0
point P[i] = P[i-1] + l*A[i].x for i in 1..n
body L[i] mass m at P[i-1] + l/2*A[i].x frame A[i] as rod(l, A[i].x) for i in 1..n
gravity (0, -g)
torque 2 N*m*N.z on A[2] against A[1]
start q[1] = -1 rad, q[2] = 0.3 rad, q[3] = 0.2 rad
";
    let old = "\
param m = 1 kg, l = 0.5 m, g = 9.81 m/s^2
coord q1, q2, q3 : rad
frame A1 = N rotated z by q1
frame A2 = A1 rotated z by q2
frame A3 = A2 rotated z by q3
point P1 = l*A1.x
point P2 = P1 + l*A2.x
body L1 mass m at l/2*A1.x frame A1 inertia m*l^2/12
body L2 mass m at P1 + l/2*A2.x frame A2 inertia m*l^2/12
body L3 mass m at P2 + l/2*A3.x frame A3 inertia m*l^2/12
gravity (0, -g)
torque 2 N*m*N.z on L2 against L1
start q1 = -1 rad, q2 = 0.3 rad, q3 = 0.2 rad
";
    same(new, old);
}

#[test]
fn a_disc_has_inertia_and_surface() {
    let new = "\
param m = 1.5 kg, r = 0.3 m, g = 9.81 m/s^2
coord x, y, z : m
coord yaw, lean, spin : rad
frame R = N rotated z by yaw, x by lean, y by spin
body D mass m at (x, y, z) frame R as disc(r, R.y)
gravity (0, 0, -g)
contact ground: D rolls on plane(N.z, 0)
start lean = 0.3 rad, omega(D) = R*(0.2 rad/s, 6 rad/s, 1.1 rad/s)
";
    let old = "\
param m = 1.5 kg, r = 0.3 m, g = 9.81 m/s^2
coord x, y, z : m
coord yaw, lean, spin : rad
frame R = N rotated z by yaw, x by lean, y by spin
body D mass m at (x, y, z) frame R inertia (m*r^2/4, m*r^2/2, m*r^2/4)
gravity (0, 0, -g)
contact ground: D rolls as disc(r, R.y) on plane(N.z, 0)
start lean = 0.3 rad, omega(D) = R*(0.2 rad/s, 6 rad/s, 1.1 rad/s)
";
    same(new, old);
}

#[test]
fn a_rod_is_three_particles() {
    let new = "\
param m = 3 kg, l = 2 m, g = 9.81 m/s^2
coord x, y : m
point P = (x, 0)
point Q = (0, y)
rod R mass m between P and Q
gravity (0, -g)
constraint length: x^2 + y^2 = l^2
start x = 0.5 m
guess y = 1.9 m
observe c = R.x
";
    let old = "\
param m = 3 kg, l = 2 m, g = 9.81 m/s^2
coord x, y : m
point A = (x, 0) mass m/6
point B = (x/2, y/2) mass 2*m/3
point C = (0, y) mass m/6
gravity (0, -g)
constraint length: x^2 + y^2 = l^2
start x = 0.5 m
guess y = 1.9 m
";
    same(new, old);
}

#[test]
fn turns_about_axes_in_space() {
    let new = "\
param m = 1 kg, g = 9.81 m/s^2, l = 0.5 m
coord a, b, c : rad
frame R = N rotated space z by a, x by b, y by c
body D mass m at l*R.x frame R as box(l, l/2, l/4)
gravity (0, 0, -g)
start a = 0.3 rad, b = 0.4 rad, c = 0.1 rad, a' = 1 rad/s
";
    let old = "\
param m = 1 kg, g = 9.81 m/s^2, l = 0.5 m
coord a, b, c : rad
frame R = N rotated y by c, x by b, z by a
body D mass m at l*R.x frame R inertia (m*((l/2)^2+(l/4)^2)/12, m*(l^2+(l/4)^2)/12, m*(l^2+(l/2)^2)/12)
gravity (0, 0, -g)
start a = 0.3 rad, b = 0.4 rad, c = 0.1 rad, a' = 1 rad/s
";
    same(new, old);
}

#[test]
fn a_matrix_of_direction_cosines() {
    let new = "\
param m = 1 kg, g = 9.81 m/s^2, l = 0.5 m
coord a, b : rad
frame R = N matrix((cos(a), -sin(a)*cos(b), sin(a)*sin(b)), (sin(a), cos(a)*cos(b), -cos(a)*sin(b)), (0, sin(b), cos(b)))
body D mass m at l*R.y frame R as cone(l, l, R.y)
gravity (0, 0, -g)
start a = 0.3 rad, b = 0.4 rad, a' = 1 rad/s
";
    let old = "\
param m = 1 kg, g = 9.81 m/s^2, l = 0.5 m
coord a, b : rad
frame R = N rotated z by a, x by b
body D mass m at l*R.y frame R inertia (3*m*l^2/20 + 3*m*l^2/80, 3*m*l^2/10, 3*m*l^2/20 + 3*m*l^2/80)
gravity (0, 0, -g)
start a = 0.3 rad, b = 0.4 rad, a' = 1 rad/s
";
    same(new, old);
}

// ---- shapes

/// The central inertia of a uniform body of mass one: over the midpoints of a fine lattice that lie inside.
fn moments(inside: impl Fn([f64; 3]) -> bool, reach: [f64; 3], centre: f64) -> [f64; 3] {
    const N: usize = 80;
    let (mut count, mut sums) = (0.0, [0.0; 3]);
    let place = |k: usize, reach: f64| reach * ((2 * k + 1) as f64 / N as f64 - 1.0);
    for (i, j, k) in (0..N * N * N).map(|at| (at % N, at / N % N, at / N / N)) {
        let [x, y, z] = [place(i, reach[0]), place(j, reach[1]), place(k, reach[2])];
        if inside([x, y, z]) {
            let z = z - centre;
            let squares = [x * x, y * y, z * z];
            count += 1.0;
            (0..3).for_each(|axis| sums[axis] += squares[(axis + 1) % 3] + squares[(axis + 2) % 3]);
        }
    }
    sums.map(|sum| sum / count)
}

/// The inertia along the frame of a body of mass 1 kg with this shape: what a torque of 1 N*m about each axis does.
fn inertia(shape: &str) -> [f64; 3] {
    ["x", "y", "z"].map(|axis| {
        let text = format!(
            "param m = 1 kg\ncoord a : rad\nframe R = N rotated {axis} by a\nbody D mass m at 0 frame R as {shape}\n\
             torque 1 N*m*N.{axis} on D\nstart a = 0\n"
        );
        1.0 / evaluated(&text).accelerations.get("a''").unwrap()
    })
}

#[test]
fn shapes_have_the_inertia_of_what_they_look_like() {
    let within = |p: [f64; 3], r: f64| p[0] * p[0] + p[1] * p[1] <= r * r;
    type Inside = Box<dyn Fn([f64; 3]) -> bool>;
    let cone: Inside = Box::new(move |p| p[2] >= -0.25 && within(p, 0.6 * (0.75 - p[2])));
    let cases: [(&str, Inside, [f64; 3]); 6] = [
        ("sphere(0.7 m)", Box::new(|p| p.iter().map(|x| x * x).sum::<f64>() <= 0.49), [0.7; 3]),
        ("box(1 m, 0.6 m, 0.4 m)", Box::new(|_| true), [0.5, 0.3, 0.2]),
        ("cylinder(0.4 m, 1.2 m, R.z)", Box::new(move |p| within(p, 0.4)), [0.4, 0.4, 0.6]),
        ("cone(0.6 m, 1 m, R.z)", cone, [0.6, 0.6, 0.75]),
        (
            "ellipsoid(0.5 m, 0.8 m, 0.3 m)",
            Box::new(|p| (p[0] / 0.5).powi(2) + (p[1] / 0.8).powi(2) + (p[2] / 0.3).powi(2) <= 1.0),
            [0.5, 0.8, 0.3],
        ),
        (
            "torus(0.6 m, 0.2 m, R.z)",
            Box::new(|p| (p[0].hypot(p[1]) - 0.6).powi(2) + p[2] * p[2] <= 0.04),
            [0.8, 0.8, 0.2],
        ),
    ];
    for (shape, inside, reach) in cases {
        let (found, expected) = (inertia(shape), moments(inside, reach, 0.0));
        let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.02 * b);
        assert!(near, "{shape}: {found:?} is not {expected:?}");
    }
    // thin ones by their formulas
    for (shape, expected) in [
        ("shell(0.5 m)", [1.0 / 6.0; 3]),
        ("disc(0.5 m, R.y)", [1.0 / 16.0, 0.125, 1.0 / 16.0]),
        ("ring(0.5 m, R.y)", [0.125, 0.25, 0.125]),
        ("disc(0.5 m, N.x)", [0.125, f64::NAN, f64::NAN]),
    ] {
        for (axis, expected) in ["x", "y", "z"].into_iter().zip(expected).filter(|row| !row.1.is_nan()) {
            let text = format!(
                "param m = 1 kg\ncoord a : rad\nframe R = N rotated {axis} by a\nbody D mass m at 0 frame R as {shape}\n\
                 torque 1 N*m*N.{axis} on D\nstart a = 0\n"
            );
            let found = 1.0 / evaluated(&text).accelerations.get("a''").unwrap();
            assert!(close(found, expected), "{shape} about {axis}: {found} is not {expected}");
        }
    }
}

#[test]
fn an_inclined_axis_turns_the_inertia() {
    let new = "param m = 2 kg, r = 0.5 m\ncoord a, b, c : rad\nframe R = N rotated z by a, x by b, y by c\n\
               body D mass m at 0 frame R as disc(r, R*(0, 3, 4))\nstart a' = 1 rad/s, b = 0.3 rad, c' = 2 rad/s\n";
    let old = "param m = 2 kg, r = 0.5 m, i = m*r^2/4\ncoord a, b, c : rad\nframe R = N rotated z by a, x by b, y by c\n\
               body D mass m at 0 frame R inertia (i, i + 0.36*i, i + 0.64*i, 0, 0.48*i, 0)\n\
               start a' = 1 rad/s, b = 0.3 rad, c' = 2 rad/s\n";
    same(new, old);
}

#[test]
fn one_moment_is_enough_in_any_plane() {
    for (axis, arm) in [("x", "y"), ("y", "z"), ("z", "x")] {
        let text = |inertia: &str| {
            format!(
                "param m = 2 kg, l = 0.5 m, J = 0.3 kg*m^2, g = 9.81 m/s^2\ncoord a : rad\nframe B = N rotated {axis} by a\n\
                 point O = 0\nbody D mass m at l*B.{arm} frame B inertia {inertia}\ngravity (g, 2*g, 3*g)\nstart a = 0.4 rad\n"
            )
        };
        same(&text("J"), &text("(J, J, J)"));
        if axis != "z" {
            assert!(refused(&text("J about O")).contains("about its mass centre"), "{axis}");
        }
    }
}

// ---- joints

/// Newton's law for every body of a plane or spatial model whose mass centres are coordinates: what joints and gravity do
/// is the mass times the acceleration. It knows nothing of rows.
fn newton_holds(text: &str, bodies: &[(&str, f64, [&str; 3])], gravity: [f64; 3]) {
    let found = evaluated(text);
    let of = |name: &str| found.accelerations.get(&format!("{name}''")).copied().unwrap_or(0.0);
    for (body, mass, centre) in bodies {
        let mut force = gravity.map(|g| g * mass);
        for one in found.reactions.iter().filter(|one| one.on == *body) {
            (0..3).for_each(|k| force[k] += one.vector[k]);
        }
        for k in 0..3 {
            let expected = mass * of(centre[k]);
            assert!((force[k] - expected).abs() < 1e-8 * (1.0 + expected.abs()), "{body}: {force:?}, {k}: {expected}");
        }
    }
}

const SLIDER_CRANK: &str = "\
param m1 = 1 kg, m2 = 2 kg, m3 = 3 kg, r = 0.3 m, l = 1 m, g = 9.81 m/s^2, M = 5 N*m
coord x1, y1, x2, y2, x3, y3 : m
coord a1, a2, a3 : rad
frame A = N rotated z by a1
frame B = N rotated z by a2
frame C = N rotated z by a3
body crank mass m1 at (x1, y1) frame A as rod(r, A.x)
body rod1 mass m2 at (x2, y2) frame B as rod(l, B.x)
body piston mass m3 at (x3, y3) frame C as box(0.2 m, 0.1 m, 0.1 m)
gravity (0, -g)
torque M*N.z on crank
joint O: crank at crank - r/2*A.x hinged about N.z to N at 0
joint K: rod1 at rod1 - l/2*B.x hinged about N.z to crank at crank + r/2*A.x
joint W: piston at piston hinged about N.z to rod1 at rod1 + l/2*B.x
joint G: piston at piston slides along N.x to N at 0
start a1 = 60 deg
guess a2 = -0.3 rad, x1 = 0.1 m, x2 = 0.6 m, x3 = 1.1 m
";

#[test]
fn a_slider_crank_by_joints() {
    let crank = "\
param m1 = 1 kg, m2 = 2 kg, m3 = 3 kg, r = 0.3 m, l = 1 m, g = 9.81 m/s^2, M = 5 N*m
coord a1, a2 : rad
frame A = N rotated z by a1
frame B = N rotated z by a2
point K = r*A.x
point W = K + l*B.x
body crank mass m1 at r/2*A.x frame A inertia m1*r^2/12
body rod1 mass m2 at K + l/2*B.x frame B inertia m2*l^2/12
point piston = W mass m3
gravity (0, -g)
torque M*N.z on crank
constraint guide: W.y = 0
start a1 = 60 deg
guess a2 = -0.3 rad
";
    let (new, old) = (evaluated(SLIDER_CRANK), evaluated(crank));
    for name in ["a1''", "a2''"] {
        assert!(close(*new.accelerations.get(name).unwrap(), *old.accelerations.get(name).unwrap()));
    }
    let guide = new.joint_reactions.iter().find(|one| one.joint == "G").unwrap();
    assert!(close(guide.force[1], *old.multipliers.get("guide").unwrap()), "{guide:?}");
    let bodies = [("crank", 1.0, ["x1", "y1", ""]), ("rod1", 2.0, ["x2", "y2", ""]), ("piston", 3.0, ["x3", "y3", ""])];
    newton_holds(SLIDER_CRANK, &bodies, [0.0, -9.81, 0.0]);
    proved(SLIDER_CRANK);
}

#[test]
fn a_hinge_about_an_inclined_axis_has_bearing_force_and_moment() {
    let text = "\
param m = 2 kg, l = 1 m, g = 9.81 m/s^2, c = 0.6435011087932844 rad
coord x, y, z : m
coord q[0..3]
frame A = N quaternion (q[0], q[1], q[2], q[3])
body B mass m at (x, y, z) frame A as box(l, l/4, l/10)
gravity (0, 0, -g)
joint J: B at B - l/2*A.x hinged about A.z, (0, -0.6, 0.8) to N at (0, 0, 0)
start q[2] = 0, dot(omega(B), A.z) = 3 rad/s
guess q[0] = 0.9487, q[1] = 0.3162
observe F = reaction(J)
observe M = reaction_torque(J)
";
    let found = evaluated(text);
    let one = &found.joint_reactions[0];
    // r = l/2 e_x: the moment of the weight, less its part along the axis (0, -0.6, 0.8)
    let expected = [0.0, -9.81 * (1.0 - 0.36), -9.81 * 0.48];
    assert!((0..3).all(|k| (one.torque[k] - expected[k]).abs() < 1e-9), "{one:?}");
    // m a_C = F + m g, with a_C of a turn about the axis with 3 rad/s
    assert!(close(one.force[0], -9.0) && (one.force[2] - 14.4040984615).abs() < 1e-8, "{one:?}");
    newton_holds(text, &[("B", 2.0, ["x", "y", "z"])], [0.0, 0.0, -9.81]);
}

#[test]
fn joints_say_what_is_wrong() {
    let model = |line: &str| {
        format!(
            "param m = 1 kg, l = 1 m\ncoord x, y, z : m\ncoord a, b : rad\nframe A = N rotated z by a, x by b\n\
             body B mass m at (x, y, z) frame A as rod(l, A.x)\n{line}\n"
        )
    };
    for (line, part) in [
        ("joint J: B at 0 pinned to N at 0", "`0` is not fixed in `B`"),
        ("joint J: B at B pinned to N at (x, 0)", "is not fixed in the ground"),
        ("joint J: B at B hinged about A.z to N at 0", "`A.z` is not fixed in `N`"),
        ("joint J: B at B hinged about N.z to N at 0", "`N.z` is not fixed in the first body"),
        ("joint J: B at B universal about A.z, A.x to N at 0", "`A.x` is not fixed in the second"),
        ("joint J: B at B slides along unit((1, sin(x/l))) to N at 0", "is fixed in neither body"),
        ("joint J: B at B pinned to B at B", "a joint holds two bodies"),
        ("joint J: B at B hinged about 0*A.z, N.z to N at 0", "zero vector"),
        ("torque 1 N*m*N.z on N", "a torque on `N` does nothing"),
        ("frame M = N matrix((1, 0, 0), (0, 2, 0), (0, 0, 1))", "has not the length one"),
        ("frame M = N matrix((0, 1, 0), (1, 0, 0), (0, 0, 1))", "mirrors"),
        ("body D mass m at 0 frame A as disc(l, N.x)", "is not fixed in the frame `A`"),
        ("body D mass m at 0 frame A as disc(-l, A.x)", "radius"),
        ("contact c: B rolls on plane(N.z, 0)", "touches a plane is not known"),
    ] {
        let message = refused(&model(line));
        assert!(message.contains(part), "{line}\n{message}");
        assert!(message.contains("test.mech:6"), "{message}");
    }
}

// ---- parts, tables, impulses

const WHEEL: &str = "system \"A wheel\"
param r = 0.3 m, m = 2 kg
coord x, y, z : m
coord yaw, lean, spin : rad
frame R = N rotated z by yaw, x by lean, y by spin
body D mass m at (x, y, z) frame R as disc(r, R.y)
contact ground: D rolls on plane(N.z, 0)
expect of_the_part: freedoms = 3
";

fn with_files(text: &str, files: &[(&str, &str)]) -> Settings {
    let files = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    Settings { files, ..Settings::new("cars/test.mech", text) }
}

fn evaluated_with(settings: &Settings) -> Evaluation {
    let loaded = open(settings).unwrap_or_else(|error| panic!("{error}"));
    match evaluate(&loaded, None).unwrap() {
        Evaluated::Found(found) => *found,
        Evaluated::NoAnswer { reason, .. } => panic!("{reason}"),
    }
}

#[test]
fn a_part_that_is_used_moves_as_if_it_stood_there() {
    let start = "lean = 0.3 rad, omega(D) = R*(0.2 rad/s, 6 rad/s, 1.1 rad/s)";
    let used = format!(
        "use \"wheel.mech\" as front with r = 0.35 m\ngravity (0, 0, -9.81 m/s^2)\nstart {}\nobserve h = front.x + front.D.z\n",
        start.replace("lean", "front.lean").replace("(D)", "(front.D)").replace("R*", "front.R*")
    );
    let new = evaluated_with(&with_files(&used, &[("cars/wheel.mech", WHEEL)]));
    let old = WHEEL.replace("r = 0.3 m", "r = 0.35 m") + &format!("gravity (0, 0, -9.81 m/s^2)\nstart {start}\n");
    let old = evaluated(&old);
    for (name, value) in &old.accelerations.0 {
        assert!(close(*new.accelerations.get(&format!("front.{name}")).unwrap(), *value), "{name}");
    }
    assert!(close(new.observes.0[0].1[0], 0.35 * 0.3_f64.cos()));
    let set = Settings {
        set: vec!["front.r=0.4".to_owned(), "front.lean=0.2".to_owned()],
        ..with_files(&used, &[("cars/wheel.mech", WHEEL)])
    };
    assert!(close(*evaluated_with(&set).state.get("front.z").unwrap(), 0.4 * 0.2_f64.cos()));
}

const AXLE: &str = "param g = 9.81 m/s^2, b = 0.8 m, m = 4 kg
coord x, y : m
coord yaw : rad
frame A = N rotated z by yaw
body axle mass m at (x, y, 0.35 m) frame A as rod(b, A.y)
use \"wheel.mech\" as wheel[i] with r = 0.35 m for i in 1..2
joint hub[i]: wheel[i].D at wheel[i].D hinged about wheel[i].R.y, A.y to axle at axle + (i - 1.5)*b*A.y for i in 1..2
gravity (0, 0, -g)
force (5 N, 0, 0) on axle
start x' = 1 m/s, yaw' = 0.5 rad/s
";

#[test]
fn a_part_is_used_as_a_family() {
    let settings = with_files(AXLE, &[("cars/wheel.mech", WHEEL)]);
    let found = evaluated_with(&settings);
    // F = (m + 2 (m_w + m_w r²/2/r²)) x'', and a_y = v ω
    for (name, value) in
        [("x''", 0.5), ("y''", 0.5), ("wheel.spin[1]''", 0.5 / 0.35), ("wheel.y[2]''", 0.5 - 0.4 * 0.25)]
    {
        assert!(close(*found.accelerations.get(name).unwrap(), value), "{name}: {:?}", found.accelerations.get(name));
    }
    let proved = prove(&open(&settings).unwrap(), &Prove::default(), &mut Alone).unwrap();
    assert!(proved.pairs.iter().all(|pair| pair.verdict != Agreement::Different), "{:?}", proved.verdict);
}

#[test]
fn parts_say_what_is_wrong() {
    let refused = |text: &str, part: &str| match open(&with_files(text, &[("cars/wheel.mech", part)])) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("this was accepted:\n{text}"),
    };
    for (text, part, expected) in [
        ("use \"wheels.mech\" as w\n", WHEEL, "`cars/wheels.mech` is not at hand"),
        ("use \"wheel.mech\" as w with radius = 1 m\n", WHEEL, "has no parameter `radius`"),
        ("use \"wheel.mech\" as w with r = 1 kg\n", WHEEL, "is in"),
        ("use \"wheel.mech\" as w\nobserve q = w.q\n", WHEEL, "`w.q` is not declared"),
        ("use \"wheel.mech\" as w\n", "gravity (0, 1 m/s^2)\n", "a part has no gravity of its own"),
        ("use \"wheel.mech\" as w\n", "coord x : m\npoint P = (z, 0)\n", "cars/wheel.mech:2"),
        ("use \"wheel.mech\" as w\n", "use \"wheel.mech\" as w\n", "deep"),
        ("use \"wheel.mech\" as w[i] for i in 1..2\n", "coord a[1..2] : m\n", "two indices"),
        ("use \"wheel.mech\" as w\ncoord x : m\nuse \"wheel.mech\" as w\n", "coord x : m\n", "declared twice"),
    ] {
        let message = refused(text, part);
        assert!(message.contains(expected), "{text}\n{message}");
    }
}

#[test]
fn a_table_is_monotone_and_exact_at_its_rows() {
    const TABLE: &str = "# measured\nv [km/hour], f [N]\n-3.6, 1\n0, 1.5\n3.6, 4\n10.8, 4.5\n";
    let at = |v: f64| {
        let text = format!(
            "coord x : m\ntable f(v) = \"f.csv\"\npoint P = (x, 0) mass 1 kg\nforce f(x')*N.x on P\nstart x' = {v} m/s\n"
        );
        *evaluated_with(&with_files(&text, &[("cars/f.csv", TABLE)])).accelerations.get("x''").unwrap()
    };
    for (v, f) in [(-1.0, 1.0), (0.0, 1.5), (1.0, 4.0), (3.0, 4.5)] {
        assert!(close(at(v), f), "{v}: {}", at(v));
    }
    // slopes 0.5, 2.5, 0.25; harmonic means by Fritsch and Butland: 5/6 at 0, 1/2 at 1
    let hermite = |u: f64, y: [f64; 2], m: [f64; 2], h: f64| {
        let (a, b, d) = (m[0] * h, m[1] * h, y[1] - y[0]);
        y[0] + u * (a + u * (3.0 * d - 2.0 * a - b + u * (a + b - 2.0 * d)))
    };
    let second = (5.0 + 4.0) / (5.0 / 2.5 + 4.0 / 0.25);
    assert!(close(at(0.3), hermite(0.3, [1.5, 4.0], [5.0 / 6.0, second], 1.0)), "{}", at(0.3));
    assert!(close(at(2.5), hermite(0.75, [4.0, 4.5], [second, 0.25], 2.0)), "{}", at(2.5));
    let rising: Vec<f64> = (0..=20).map(|k| at(-1.0 + 0.2 * f64::from(k))).collect();
    assert!(rising.windows(2).all(|pair| pair[1] > pair[0]), "{rising:?}");
    for (table, expected) in [
        ("v, f\n0, 1\n1, 2\n", "has no unit"),
        ("v [m/s], f [N]\n0, 1\n0, 2\n", "must rise"),
        ("v [m/s], f [N]\n0, a\n", "is not a number"),
        ("v [m/s], f [N]\n0, 1, 2\n", "two columns"),
        ("v [m/s], f [N]\n0, 1\n", "two rows or more"),
        ("v [m/s], f [Nm]\n0, 1\n", "is not a unit"),
    ] {
        let text = "coord x : m\ntable f(v) = \"f.csv\"\n";
        let error = open(&with_files(text, &[("cars/f.csv", table)])).err().unwrap().to_string();
        assert!(error.contains(expected) && error.contains("test.mech:2"), "{error}");
    }
}

#[test]
fn an_impulse_at_the_start_strikes() {
    // a free rod at its end: v = J/m, omega = J (l/2)/(m l²/12)
    let rod = "param m = 2 kg, l = 1 m\ncoord x, y : m\ncoord a : rad\nframe A = N rotated z by a\n\
               body B mass m at (x, y) frame A as rod(l, A.x)\nstart impulse (0, 3 N*s) on B at B + l/2*A.x\nstart x' = 1 m/s\n";
    let found = evaluated(rod);
    for (name, value) in [("x'", 1.0), ("y'", 1.5), ("a'", 9.0)] {
        assert!(close(*found.state.get(name).unwrap(), value), "{name}: {:?}", found.state.get(name));
    }
    // held by a hinge at the other end: omega = J l/(m l²/3)
    let held = format!("{rod}joint O: B at B - l/2*A.x hinged about N.z to N at (-l/2, 0)\n")
        .replace("start x' = 1 m/s\n", "");
    let found = evaluated(&held);
    for (name, value) in [("x'", 0.0), ("y'", 2.25), ("a'", 4.5)] {
        assert!((found.state.get(name).unwrap() - value).abs() < 1e-9, "{name}: {:?}", found.state.get(name));
    }
    let rough = "coord y : m\npoint P = (0, y) mass 1 kg\nconstraint floor: y >= 0\nstart impulse (0, 1 N*s) on P\n";
    assert!(refused(rough).contains("beside `floor` is not known"));
    assert!(
        refused("coord y : m\npoint P = (0, y) mass 1 kg\nstart impulse 1 N*s on P\n")
            .contains("an impulse is a vector")
    );
}

#[test]
fn a_constraint_that_names_a_body_acts_on_it_as_the_joint_does() {
    let model = |line: &str| {
        format!(
            "param m = 2 kg, l = 1 m, g = 9.81 m/s^2\ncoord x, y : m\ncoord a : rad\nframe A = N rotated z by a\n\
             body B mass m at (x, y) frame A as rod(l, A.x)\ngravity (0, -g)\n{line}\nstart a = 0.3 rad, a' = 2 rad/s\n"
        )
    };
    let joint = evaluated(&model("joint J: B at B - l/2*A.x hinged about N.z to N at 0"));
    let own = evaluated(&model("constraint J: B - l/2*A.x = 0"));
    let (a, b) = (&joint.reactions[0], &own.reactions[0]);
    assert!(a.on == "B" && b.on == "B", "{a:?} {b:?}");
    assert!((0..3).all(|k| (a.vector[k] - b.vector[k]).abs() < 1e-9), "{a:?} {b:?}");
    assert!((0..3).all(|k| (a.torque.unwrap()[k] - b.torque.unwrap()[k]).abs() < 1e-9), "{a:?} {b:?}");
    assert!(a.vector[1] > 1.0 && a.torque.unwrap()[2] < -1.0, "{a:?}");
}

#[test]
fn a_turn_about_the_axis_of_another_frame() {
    let model = |turn: &str| {
        format!(
            "\
param m = 1 kg, l = 0.6 m, g = 9.81 m/s^2
coord a, b, c : rad
frame A = N rotated z by a
frame C = N rotated x by c
frame B = A rotated {turn} by b
point P = l*B.x + 0.2 m*B.y mass m
point Q = l*A.x mass m
body K mass m at l*C.y frame B inertia (0.1 kg*m^2, 0.2 kg*m^2, 0.25 kg*m^2)
gravity (0, 0, -g)
start a = 0.3 rad, b = 0.5 rad, c = -0.7 rad, a' = 1 rad/s, b' = 2 rad/s, c' = -1.5 rad/s
"
        )
    };
    same(&model("C.y"), &model("(sin(a)*cos(c), cos(a)*cos(c), sin(c))"));
    same(&model("3*C.y"), &model("C*(0, 2, 0)"));
    same(&model("N.z"), &model("z"));
    same(&model("about z"), &model("z"));
    let error = refused(&model("space C.y"));
    assert!(error.contains("after `space`"), "{error}");
    let error = refused(&model("C"));
    assert!(error.contains("axis"), "{error}");
    let error = refused(&model("A.x - A.x"));
    assert!(error.contains("zero vector"), "{error}");
}

/// A car whose front wheel is steered by an input, and whose wheels are parts.
const CAR: &str = "param g = 9.81 m/s^2, m = 800 kg, a = 1.3 m, b = 0.75 m
coord x, y, z : m
coord yaw, pitch, roll : rad
input delta : rad = 0.2*sin(t/(1 s))
input F : N = 300 N
frame C = N rotated z by yaw, y by pitch, x by roll
body hull mass m at (x, y, z) frame C as box(2*a, 2*b, 0.4 m)
frame K = C rotated z by delta
use \"wheel.mech\" as front with r = 0.32 m
use \"wheel.mech\" as rear[i] with r = 0.32 m for i in 1..2
joint fork: front.D at front.D hinged about front.R.y, K.y to hull at hull + a*C.x
joint hub[i]: rear[i].D at rear[i].D hinged about rear[i].R.y, C.y to hull at hull - a*C.x + (2*i - 3)*b*C.y for i in 1..2
gravity (0, 0, -g)
force F*C.x on hull
start x' = 4 m/s
guess z = 0.32 m, front.x = 1.3 m, front.z = 0.32 m
observe speed = dot(velocity(hull) - a*C.x', C.x)
observe curvature = tan(delta)/(2*a)
observe turning = yaw'
";

#[test]
fn a_car_by_parts_is_steered_by_an_input() {
    let settings = with_files(CAR, &[("cars/wheel.mech", WHEEL)]);
    let loaded = open(&settings).unwrap_or_else(|error| panic!("{error}"));
    let wanted = anholon::Simulate { duration: Some(3.0), ..anholon::Simulate::default() };
    let found = anholon::simulate(&loaded, &wanted, &mut Alone).unwrap();
    assert!(found.stopped_by.failure().is_none(), "{:?}", found.stopped_by);
    let value = |name: &str| {
        let place = found.last.columns.iter().position(|column| column.name() == name).unwrap();
        found.last.values[place]
    };
    // the rear wheels do not slip sideways, the front wheel goes where it points: yaw' = v tan(delta)/(2 a)
    let expected = value("speed") * value("curvature");
    assert!((value("turning") - expected).abs() < 1e-7 && expected.abs() > 0.01, "{} {expected}", value("turning"));
    // T + work: 300 N on the way of the hull, and what steering does
    assert!(found.energy_drift < 1e-9 && value("x") > 10.0, "{}", found.energy_drift);
    let moved = CAR.replace("K.y to hull", "front.R.z to hull");
    let error = open(&with_files(&moved, &[("cars/wheel.mech", WHEEL)])).err().unwrap().to_string();
    assert!(error.contains("is not fixed in the second body"), "{error}");
}

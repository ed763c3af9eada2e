//! Contacts against formulas that were found without them, what they stand for, and contacts that cannot be.

mod ask;

use anholon::answer::Evaluation;
use anholon::{Evaluated, Settings, Show, open};
use ask::{check, evaluate};

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

/// Values of the accelerations, in the order of the names.
fn accelerations(text: &str, names: &[&str]) -> Vec<f64> {
    let found = evaluated(text);
    names.iter().map(|name| *found.accelerations.get(&format!("{name}''")).unwrap()).collect()
}

fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    let is_close = a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9 * (1.0 + a.abs()));
    assert!(is_close, "{a:?} is not {b:?}");
}

const SPACE: &str = "param m = 2 kg, r = 0.5 m, g = 9.81 m/s^2
coord x, y, z : m
coord yaw, lean, spin : rad
frame Y = N rotated z by yaw, x by lean
frame R = Y rotated y by spin
body D mass m at (x, y, z) frame R inertia (m*r^2/4, m*r^2/2, m*r^2/3)
gravity (0.3 m/s^2, 0.1 m/s^2, -g)
";
const NAMES: [&str; 6] = ["x", "y", "z", "yaw", "lean", "spin"];
const MOVING: &str =
    "start lean = 0.3 rad, spin = 0.7 rad, yaw = 0.2 rad, lean' = -0.4 rad/s, yaw' = 0.7 rad/s, spin' = 1.2 rad/s\n";

fn in_space(contact: &str) -> Vec<f64> {
    accelerations(&format!("{SPACE}{contact}\n{MOVING}"), &NAMES)
}

#[test]
fn a_disc_moves_as_the_disc_of_the_gallery() {
    for state in [
        "lean = 0.3 rad, yaw' = 0.7 rad/s, lean' = -0.4 rad/s, spin' = 1.2 rad/s",
        "lean = -0.9 rad, yaw = 2 rad, yaw' = 3 rad/s, spin' = -2 rad/s",
    ] {
        let of = |name: &str| {
            let settings = Settings { at: Some(state.to_owned()), ..Settings::gallery(name).unwrap() };
            match evaluate(&open(&settings).unwrap(), None).unwrap() {
                Evaluated::Found(found) => NAMES.map(|name| *found.accelerations.get(&format!("{name}''")).unwrap()),
                Evaluated::NoAnswer { reason, .. } => panic!("{reason}"),
            }
        };
        close(&of("rolling-disc"), &of("rolling-disc-contact"));
    }
}

#[test]
fn a_ball_rolls_down_an_incline() {
    // 5/7 g sin(alpha) down the plane, for every direction of the plane
    let ball = |n: &str, g: &str| {
        let text = format!(
            "param m = 2 kg, r = 0.5 m, g = 9.81 m/s^2, al = 0.4, be = 0.7
coord x, y, z : m
coord e0, e1, e2, e3
frame B = N quaternion (e0, e1, e2, e3)
body D mass m at (x, y, z) frame B inertia (2/5*m*r^2, 2/5*m*r^2, 2/5*m*r^2)
gravity {g}
contact ground: D rolls as sphere(r) on plane({n}, 0.2 m)
"
        );
        accelerations(&text, &["x", "y", "z"])
    };
    let (g, al, be) = (9.81, 0.4_f64, 0.7_f64);
    let down = 5.0 / 7.0 * g * al.sin();
    close(&ball("(-sin(al), 0, cos(al))", "(0, 0, -g)"), &[-down * al.cos(), 0.0, -down * al.sin()]);
    close(&ball("(0, -sin(al), cos(al))", "(0, 0, -g)"), &[0.0, -down * al.cos(), -down * al.sin()]);
    // any length of the normal, and no component of it zero
    let expected = [-down * al.cos() * be.cos(), -down * al.cos() * be.sin(), -down * al.sin()];
    close(&ball("3*(-sin(al)*cos(be), -sin(al)*sin(be), cos(al))", "(0, 0, -g)"), &expected);
    close(&ball("N.x", "(-g, 0.7 m/s^2, 0)"), &[0.0, 0.5, 0.0]);
}

#[test]
fn a_torus_without_thickness_is_a_disc_and_a_round_ellipsoid_is_a_sphere() {
    let disc = in_space("contact c: D rolls as disc(r, R.y) on plane(N.z, 0)");
    close(&disc, &in_space("contact c: D rolls as torus(r, 0, R.y) on plane(N.z, 0)"));
    close(&disc, &in_space("contact c: D rolls as disc(r, 3*Y.y) on plane(2*N.z, 0)"));
    let sphere = in_space("contact c: D rolls as sphere(r) on plane(N.z, 0)");
    close(&sphere, &in_space("contact c: D rolls as ellipsoid(r, r, r) on plane(N.z, 0)"));
    // two equal axes take another way than three different ones
    let round = in_space("contact c: D rolls as ellipsoid(r, 0.3 m, r) on plane(N.z, 0)");
    close(&round, &in_space("contact c: D rolls as ellipsoid(r, 0.3 m, r + 1e-13 m) on plane(N.z, 0)"));
    // a torus is what rolls at the distance r from a disc: its tube adds to the height
    let tube = in_space("contact c: D rolls as torus(0.4 m, 0.1 m, R.y) on plane(N.z, 0)");
    let by_hand = in_space(
        "point K = (x, y, z) - 0.4 m*Y.z - 0.1 m*N.z\nconstraint gap: K.z = 0\n\
         constraint a: velocity(D at K).x = 0\nconstraint b: velocity(D at K).y = 0",
    );
    close(&tube, &by_hand);
}

#[test]
fn an_ellipse_rolls_by_its_height() {
    // v_C = ω × (C − K): the rate of the centre along the plane is its height times the angular velocity
    let text = |how: &str| {
        format!(
            "param a = 0.5 m, b = 0.3 m, m = 2 kg, g = 9.81 m/s^2
coord x, z : m
coord phi : rad
frame B = N rotated y by phi
body D mass m at (x, 0, z) frame B inertia (0.1 kg*m^2, 0.2 kg*m^2, 0.1 kg*m^2)
gravity (0, 0, -g)
{how}
start phi = 0.4 rad, phi' = 2 rad/s
"
        )
    };
    let by_hand = "let h = sqrt(a^2*sin(phi)^2 + b^2*cos(phi)^2)\nconstraint gap: z = h\nconstraint roll: x' = h*phi'";
    let names = ["x", "z", "phi"];
    let contact = "contact c: D rolls as ellipsoid(a, 0.2 m, b) on plane(N.z, 0)";
    close(&accelerations(&text(by_hand), &names), &accelerations(&text(contact), &names));
}

#[test]
fn a_centre_off_the_mass_centre() {
    // an eccentric wheel: height and rate of its geometric centre
    let text = |how: &str| {
        format!(
            "param r = 0.5 m, e = 0.2 m, m = 2 kg, g = 9.81 m/s^2
coord x, y : m
coord phi : rad
frame B = N rotated z by phi
point C = (x, y)
body D mass m at C + e*B.x frame B inertia 0.3 kg*m^2
gravity (0, -g)
{how}
start phi = 0.4 rad, phi' = 2 rad/s
"
        )
    };
    let names = ["x", "y", "phi"];
    let by_hand = accelerations(&text("constraint gap: y = r\nconstraint roll: x' = -r*phi'"), &names);
    close(&by_hand, &accelerations(&text("contact c: D rolls as disc(r, B.z) at C on plane(N.y, 0)"), &names));
    close(&by_hand, &accelerations(&text("contact c: D rolls as sphere(r) at C on plane(N.y, 0)"), &names));
    let slides = accelerations(&text("constraint gap: y = r"), &names);
    close(&slides, &accelerations(&text("contact c: D slides as sphere(r) at C on plane(N.y, 0)"), &names));
}

#[test]
fn a_skate_is_a_knife_edge() {
    let text = |how: &str| {
        format!(
            "param m = 2 kg, g = 9.81 m/s^2, al = 0.3
coord x, y, z : m
coord phi : rad
frame B = N rotated z by phi
body D mass m at (x, y, z) + 0.1 m*B.x frame B inertia (0.1 kg*m^2, 0.2 kg*m^2, 0.3 kg*m^2)
point P = (x, y, z)
gravity (g*sin(al), 0, -g*cos(al))
{how}
start phi = 0.4 rad, phi' = 2 rad/s, x'*cos(phi) + y'*sin(phi) = 1.5 m/s
"
        )
    };
    let names = ["x", "y", "z", "phi"];
    let by_hand = "constraint floor: z = 0\nconstraint edge: y'*cos(phi) - x'*sin(phi) = 0";
    let by_hand = accelerations(&text(by_hand), &names);
    close(&by_hand, &accelerations(&text("contact c: D skates along B.x at P on plane(N.z, 0)"), &names));
    // a direction that is tilted and not of length one means its trace on the plane
    close(&by_hand, &accelerations(&text("contact c: D skates along 2*B.x + N.z at P on plane(N.z, 0)"), &names));
}

#[test]
fn a_plane_moves_with_what_carries_it() {
    // a wheel on a wedge that slides: written in the inertial frame, and with the plane of the wedge
    let wedge = |how: &str| {
        format!(
            "param m = 2 kg, M = 5 kg, r = 0.2 m, al = 0.4, h = 0.3 m, g = 9.81 m/s^2
coord X, x, y : m
coord phi : rad
frame W = N rotated z by 0
frame B = N rotated z by phi
body block mass M at (X, 0.1 m) frame W inertia 1 kg*m^2
body D mass m at (x, y) frame B inertia m*r^2/2
gravity (0, -g)
let n = (-sin(al), cos(al))
{how}
start x = 0.5 m, X = 0.2 m, X' = 0.7 m/s, phi' = 2 rad/s
"
        )
    };
    let names = ["X", "x", "y", "phi"];
    let by_hand = "constraint gap: -sin(al)*(x - X) + cos(al)*(y - 0.1 m) = h + r
constraint roll: cos(al)*(x' - X') + sin(al)*y' = -r*phi'";
    let contact = "contact c: D rolls as disc(r, B.z) on plane(n, h) of block";
    close(&accelerations(&wedge(by_hand), &names), &accelerations(&wedge(contact), &names));
    let found = evaluated(&wedge(contact));
    let [on_wheel, on_block] =
        ["D", "block"].map(|name| found.reactions.iter().find(|one| one.on == name).unwrap().vector);
    close(&on_wheel, &on_block.map(|part| -part));

    // a plane that swings about the origin: the bead in turning coordinates
    let swing = |how: &str| {
        format!(
            "param w = 2 rad/s, g = 9.81 m/s^2
coord x, y : m
frame F = N rotated z by 0.3 rad + w*t
point P = (x, y) mass 1 kg
gravity (0, -g)
{how}
start x = 0.4 m, x' = 0.3 m/s
"
        )
    };
    let by_hand = "constraint gap: y*cos(0.3 rad + w*t) - x*sin(0.3 rad + w*t) = 0.1 m";
    let contact = "contact c: P slides on plane(F.y, 0.1 m) of F";
    let names = ["x", "y"];
    close(&accelerations(&swing(by_hand), &names), &accelerations(&swing(contact), &names));
    // the same without a carrier: a plane that slides needs none
    let free = "contact c: P slides on plane((-sin(0.3 rad + w*t), cos(0.3 rad + w*t)), 0.1 m)";
    close(&accelerations(&swing(by_hand), &names), &accelerations(&swing(free), &names));
    // what sticks to the frame turns with it: a = −w² r
    let stuck = swing("contact c: P rolls on plane(F.y, 0.1 m) of F").replace(", x' = 0.3 m/s", "");
    let found = evaluated(&stuck);
    let [x, y] = ["x", "y"].map(|name| *found.state.get(name).unwrap());
    close(&accelerations(&stuck, &names), &[-4.0 * x, -4.0 * y]);
}

#[test]
fn what_a_contact_stands_for_says_the_same() {
    // every pasted row follows from the rows of the contact, and there are as many independent ones
    let plane = "param m = 2 kg, r = 0.5 m, al = 0.4
coord x, y : m
coord phi : rad
coord X : m
frame B = N rotated z by phi
frame W = N rotated z by al
body D mass m at (x, y) frame B inertia 0.3 kg*m^2
body block mass m at (X, 0) frame W inertia 1 kg*m^2
point P = (x, y)
";
    let (space, plane) = (SPACE.to_owned(), plane.to_owned());
    for (head, contact, rows) in [
        (&space, "contact c: D rolls as disc(r, R.y) on plane(N.z, 0)", 3),
        (&space, "contact c: D rolls as disc(r, R.y + R.x) on plane((1, 1, 2), 0.1 m)", 3),
        (&space, "contact c: D rolls as torus(r, 0.1 m, 2*R.y) on plane(3*N.z, 0.1 m)", 3),
        (&space, "contact c: D rolls as ellipsoid(r, 2*r, 3*r) at (x, y, z) + 0.1 m*R.x on plane(N.z, 0)", 3),
        (&space, "contact c: D rolls as ellipsoid(r, 2*r, r) on plane(N.z, 0)", 3),
        (&space, "contact c: D slides as sphere(r) on plane(-N.z, r)", 1),
        (&space, "contact c: D skates along R.x as sphere(r) on plane(N.z, 0)", 2),
        (&space, "contact c: D skates along Y.x as disc(r, R.y) on plane(N.z, 0)", 2),
        (&plane, "contact c: D rolls as sphere(r) on plane(W.y, r) of block", 2),
        (&plane, "contact c: D rolls as sphere(r) on plane(W.y, r) of W", 2),
        (&plane, "contact c: P rolls on plane(N.y, r)", 2),
    ] {
        let text = format!("{head}{contact}\nstart lean = 0.3 rad, yaw = 0.2 rad\n");
        let text = if head == &plane { text.replace("start lean = 0.3 rad, yaw = 0.2 rad\n", "") } else { text };
        let alone = check(&Settings::new("a.mech", &text), Some(Show::Expansion)).unwrap();
        let lines = alone.shown.unwrap().equations.join("\n");
        let both = format!("{}\n{lines}\n", text.replace("start ", &format!("{lines}\nstart ")));
        let both = if text.contains("start ") { text.replace("start ", &format!("{lines}\nstart ")) } else { both };
        let found = check(&Settings::new("b.mech", &both), None).unwrap_or_else(|error| panic!("{error}\n{both}"));
        assert_eq!((alone.rank, found.rank, found.redundant.len()), (rows, rows, rows), "{contact}\n{lines}");
        // and by themselves they move it alike
        let pasted = text.replace(contact, &lines);
        let found = check(&Settings::new("c.mech", &pasted), None).unwrap_or_else(|error| panic!("{error}\n{pasted}"));
        assert_eq!((found.rank, found.redundant.len()), (rows, 0), "{contact}\n{lines}");
        let names: Vec<&str> = if head == &plane { vec!["x", "y", "phi", "X"] } else { NAMES.to_vec() };
        close(&accelerations(&text, &names), &accelerations(&pasted, &names));
    }
}

#[test]
fn what_is_built_into_the_coordinates_is_no_row() {
    let text = "param r = 0.5 m, m = 1 kg
coord x, y : m
coord yaw, lean, spin : rad
frame R = N rotated z by yaw, x by lean, y by spin
body D mass m at (x, y, r*cos(lean)) frame R inertia (m*r^2/4, m*r^2/2, m*r^2/4)
contact ground: D rolls as disc(r, R.y) on plane(N.z, 0)
start lean = 0.3 rad
";
    let found = check(&Settings::new("test.mech", text), None).unwrap();
    assert_eq!((found.rank, found.redundant.len(), found.constraints.len()), (2, 0, 2));
    let told = found.remarks.join("\n");
    assert!(told.contains("the gap of `ground` is zero in these coordinates"), "{told}");
    assert_eq!(evaluated(text).contact_reactions[0].normal, None);
    // in the plane the second direction says nothing
    let text = "param r = 0.5 m\ncoord x, y : m\ncoord phi : rad\nframe B = N rotated z by phi
body D mass 1 kg at (x, y) frame B inertia 0.1 kg*m^2\ncontact ground: D rolls as sphere(r) on plane(N.y, 0)\n";
    let found = check(&Settings::new("test.mech", text), None).unwrap();
    assert_eq!((found.rank, found.constraints.len()), (2, 2));
    assert!(found.remarks.join("\n").contains("no slip holds there identically"));
    // what cannot open is not unilateral
    let text = "coord x : m\npoint P = (x, 0) mass 1 kg\ncontact floor: P slides on plane(N.y, 0) unilateral\n";
    assert!(refused(text).contains("contact `floor` cannot open"));
}

#[test]
fn the_sign_of_a_root_is_that_of_the_start() {
    // leaning past the vertical and over: cos(lean) is negative there, the disc touches with its other side
    let at = |lean: f64| in_space_at(&format!("start lean = {lean} rad, spin' = 2 rad/s"));
    let (near, far) = (at(0.3), at(std::f64::consts::PI - 0.3));
    assert!(near.1 > 0.4 && (near.1 - far.1).abs() < 1e-12, "the centre is above the plane: {near:?} {far:?}");
    let told = check(&Settings::new("test.mech", &far.0), None).unwrap().remarks.join("\n");
    assert!(told.contains("`c` holds while -cos(lean) > 0, as at the start"), "{told}");
}

fn in_space_at(start: &str) -> (String, f64) {
    let text = format!("{SPACE}contact c: D rolls as disc(r, R.y) on plane(N.z, 0)\n{start}\n");
    let z = *evaluated(&text).state.get("z").unwrap();
    (text, z)
}

#[test]
fn a_reaction_has_a_place_and_parts() {
    let found = evaluated(&format!("{SPACE}contact c: D rolls as disc(r, R.y) on plane(N.z, 0)\n{MOVING}"));
    let one = &found.contact_reactions[0];
    let a = NAMES.map(|name| found.accelerations.get(&format!("{name}''")).copied().unwrap());
    // m a = m g + F
    close(&one.vector, &[2.0 * (a[0] - 0.3), 2.0 * (a[1] - 0.1), 2.0 * (a[2] + 9.81)]);
    assert_eq!(one.normal, Some(one.vector[2]));
    let (sin, cos) = 0.2_f64.sin_cos();
    close(
        &[one.along, one.across],
        &[cos * one.vector[0] + sin * one.vector[1], cos * one.vector[1] - sin * one.vector[0]],
    );
    // the point that touches: on the plane, r from the centre
    let lean = 0.3_f64.sin() * 0.5;
    close(&one.at, &[-sin * lean, cos * lean, 0.0]);
    let torque = found.reactions[0].torque.unwrap();
    let arm = [one.at[0], one.at[1], -0.5 * 0.3_f64.cos()];
    let [f, k] = [one.vector, arm];
    close(&torque, &[k[1] * f[2] - k[2] * f[1], k[2] * f[0] - k[0] * f[2], k[0] * f[1] - k[1] * f[0]]);
}

#[test]
fn a_unilateral_contact_opens_with_its_no_slip() {
    let ball = |lift: &str, start: &str| {
        format!(
            "param m = 1 kg, r = 0.1 m
coord x, y, z : m
coord yaw, lean, spin : rad
frame B = N rotated z by yaw, x by lean, y by spin
body D mass m at (x, y, z) frame B inertia (2/5*m*r^2, 2/5*m*r^2, 2/5*m*r^2)
gravity (0, 0, -10 m/s^2)
force (7 N, 0, {lift}) on D
contact c: D rolls as sphere(r) on plane(N.z, 0) unilateral
start z = r{start}
"
        )
    };
    let word = |text: &str| evaluated(text).contact.get("c").unwrap().word();
    // closed: no slip holds, 5/7 of the force is left
    assert_eq!(word(&ball("0", "")), "closed");
    close(&accelerations(&ball("0", ""), &["x", "z"]), &[5.0, 0.0]);
    // pulled off: it leaves, and no slip with it
    assert_eq!(word(&ball("12 N", "")), "leaves");
    close(&accelerations(&ball("12 N", ""), &["x", "z"]), &[7.0, 2.0]);
    // on its way up, or above: open
    assert_eq!(word(&ball("0", ", z' = 1 m/s, x' = 3 m/s")), "open");
    close(&accelerations(&ball("0", " + 1 m, x' = 3 m/s"), &["x", "z"]), &[7.0, -10.0]);
    // inside the plane
    let inside = ball("0", " - 0.05 m");
    let found = check(&Settings::new("test.mech", &inside), None).unwrap();
    assert!(
        !found.fine && found.start.contradictions[0].message.contains("contact `c` is inside the plane at the start")
    );
}

#[test]
fn a_contact_that_cannot_be_is_named() {
    for (contact, words) in [
        (
            "contact c: D rolls as disc(r, R.y) on plane(N.z, 0)\nstart lean = pi/2",
            "`c` is singular at the start: the disc lies flat",
        ),
        ("contact c: D rolls as torus(r, 0.1 m, R.y) on plane(N.z, 0)\nstart lean = pi/2", "the torus lies flat"),
        ("contact c: D rolls as disc(r, R.y) on plane(R.y, 0) of R", "contact `c`: the disc lies flat"),
        ("contact c: D rolls as sphere(r) on plane((0, 0, 0), 0)", "the normal of the plane of `c` is the zero vector"),
        (
            "param k = 0\ncontact c: D rolls as sphere(r) on plane(k*N.z, 0)",
            "the normal of the plane of `c` is the zero vector",
        ),
        ("contact c: D rolls as sphere(-r) on plane(N.z, 0)", "this radius is -0.5: it must be positive"),
        ("contact c: D rolls as ellipsoid(r, 0, r) on plane(N.z, 0)", "this radius is 0: it must be positive"),
        ("contact c: D rolls as torus(r, -1 mm, R.y) on plane(N.z, 0)", "it may not be negative"),
        ("contact c: D rolls as sphere(z) on plane(N.z, 0)", "this one depends on `z`"),
        ("contact c: D rolls as disc(r, 0*R.y) on plane(N.z, 0)", "this axis is the zero vector"),
        ("contact c: D rolls as disc(r, Y.x) on plane(N.z, 0)", "the axis of the surface of `c` is not fixed in `D`"),
        (
            "contact c: D rolls as sphere(r) at (0, 0, z) on plane(N.z, 0)",
            "the centre of the surface of `c` is not fixed in `D`",
        ),
        (
            "contact c: D rolls as sphere(r) on plane(R.z, 0)",
            "the plane of `c` turns, and nothing says how its points move",
        ),
        (
            "contact c: D slides as sphere(r) on plane(N.x, 0) of Y",
            "the normal of the plane of `c` does not turn with `Y`",
        ),
        ("contact c: D slides as sphere(r) on plane(R.x, 0) of D", "`D` touches a plane that it carries itself"),
        (
            "contact c: D skates along N.z as sphere(r) on plane(N.z, 0)",
            "contact `c`: the direction is normal to the plane",
        ),
        ("contact c: Y rolls as sphere(r) on plane(N.z, 0)", "`Y` is a frame"),
        ("contact c: D rolls as cone(r) on plane(N.z, 0)", "`cone` is not a shape"),
        ("contact c: D rolls as sphere(r) on plane(N.z, 0) of r", "a plane is carried by a frame or a body"),
        ("contact c: D rolls as sphere(r) on plane(N.z, 0)\nobserve f = multiplier(c)", "`c` is a contact"),
    ] {
        let error = refused(&format!("{SPACE}{contact}\n"));
        assert!(error.contains(words) && error.contains("test.mech:"), "{contact}:\n{error}");
    }
    let no_frame = "coord x : m\nbody D mass 1 kg at (x, 0) inertia 1 kg*m^2\n";
    assert!(refused(no_frame).contains("expected `frame`"));
}

// ---- loops

fn four_bar(lengths: &str, guess: &str) -> String {
    format!(
        "param {lengths}
coord a, b, c : rad
frame A = N rotated z by a
frame B = N rotated z by b
frame C = N rotated z by c
point Q = l1*A.x + l2*B.x mass 1 kg
constraint closure: Q = (l4, 0) + l3*C.x
start a = 1 rad, a' = 6 rad/s
{guess}
"
    )
}

#[test]
fn a_loop_closes_on_the_branch_of_the_guess() {
    let lengths = "l1 = 0.1 m, l2 = 0.3 m, l3 = 0.25 m, l4 = 0.3 m";
    let found = |guess: &str| {
        let found = check(&Settings::new("test.mech", &four_bar(lengths, guess)), None).unwrap();
        assert!(found.start.residual.unwrap() < 1e-14 && found.start.contradictions.is_empty());
        assert_eq!(found.start.solved, ["b", "c", "b'", "c'"]);
        assert!(found.start.guesses.iter().all(|guess| guess.used));
        found.start.values.get("c").unwrap().unwrap()
    };
    let (open, crossed) = (found("guess b = 0.5 rad, c = 1.5 rad"), found("guess b = -1 rad, c = -2 rad"));
    assert!(open > 1.0 && crossed < -1.0, "{open} {crossed}");
    // Freudenstein's equation on both
    for c in [open, crossed] {
        let [l1, l2, l3, l4, a] = [0.1, 0.3, 0.25, 0.3, 1.0_f64];
        let k3 = (l1 * l1 - l2 * l2 + l3 * l3 + l4 * l4) / (2.0 * l1 * l3);
        assert!((l4 / l1 * c.cos() - l4 / l3 * a.cos() + k3 - (a - c).cos()).abs() < 1e-12);
    }
}

#[test]
fn a_loop_that_cannot_close_is_named() {
    let text = four_bar("l1 = 0.1 m, l2 = 0.3 m, l3 = 0.25 m, l4 = 3 m", "guess b = 0.5 rad, c = 1.5 rad");
    let found = check(&Settings::new("test.mech", &text), None).unwrap();
    let told: Vec<&str> = found.start.contradictions.iter().map(|one| one.message.as_str()).collect();
    assert!(
        !found.fine && told.iter().any(|text| text.contains("`closure") && text.contains("does not hold at the start")),
        "{told:?}"
    );
}

#[test]
fn the_pitch_of_a_bicycle_closes_its_loop() {
    let at = "lean = 0.4 rad, steer = 0.8 rad, x' = 3 m/s, lean' = 0.5 rad/s, steer' = -1 rad/s";
    let settings = Settings { at: Some(at.to_owned()), ..Settings::gallery("bicycle").unwrap() };
    let bicycle = check(&settings, None).unwrap();
    assert!(bicycle.start.residual.unwrap() < 1e-13 && bicycle.start.contradictions.is_empty());
    let pitch = bicycle.start.values.get("pitch").unwrap().unwrap();
    assert!(pitch.abs() > 1e-3 && pitch.abs() < 0.2, "{pitch}");
    assert_eq!((bicycle.rank, bicycle.flag), (6, vec![4, 2, 0]));
}

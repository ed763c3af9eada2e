//! Model text in, the system as text out.

use expr::Expr;
use mechanics::{Fact, Motion, Reading, Sense, Speeds, System, Term, Vector, lower};

/// Lowers a model in a scope of its own and shows what is asked for, or what is wrong.
fn show(text: &str, what: fn(&System) -> Vec<String>) -> String {
    let _scope = expr::Scope::with_seed(1);
    let parsed = model::parse("test.mech", text);
    let model = parsed.model.as_ref().unwrap_or_else(|| panic!("{}", parsed.render()));
    match lower(model) {
        Ok(system) => what(&system).join("\n"),
        Err(errors) => model.sources.render_all(&errors),
    }
}

fn points(system: &System) -> Vec<String> {
    let row = |point: &mechanics::Point| format!("{} {}", point.name, point.position);
    system.points.iter().map(row).collect()
}

fn rows(system: &System) -> Vec<String> {
    let sign = |sense| if sense == Sense::Equal { "=" } else { ">=" };
    let rows = system.constraints.iter().flat_map(|constraint| {
        constraint.rows.iter().map(move |row| format!("{}: {row} {} 0", constraint.name, sign(constraint.sense)))
    });
    rows.chain(system.remarks.iter().map(|remark| format!("note: {}", remark.message))).collect()
}

fn start(system: &System) -> Vec<String> {
    system.start.iter().map(|equation| format!("{} = {}", equation.left, equation.right)).collect()
}

fn omegas(system: &System) -> Vec<String> {
    system.frames.iter().map(|frame| format!("{} {}", frame.name, frame.omega)).collect()
}

const SLED: &str = r#"
system "Sled on an incline"
param m = 1.3 kg, l = 0.8 m, g = 9.81 m/s^2, alpha = 0.4 rad
coord x1, y1, x2, y2 : m
point P1 = (x1, y1) mass m
point P2 = (x2, y2) mass m
gravity (g*sin(alpha), 0)
constraint rod:   (x2 - x1)^2 + (y2 - y1)^2 = l^2
constraint blade: (x2 - x1)*(y1' + y2') = (x1' + x2')*(y2 - y1)
start x1 = -l/2, x2 = l/2, y1 = 0, y2 = 0, y1' = -0.68 m/s, y2' = 0.68 m/s
expect tension: multiplier(rod) = -0.93925 N/m at t = 1 s within 1e-9        # -m*omega^2/4
"#;

#[test]
fn the_sled_of_the_design() {
    assert_eq!(show(SLED, points), "P1 (x1, y1, 0)\nP2 (x2, y2, 0)");
    assert_eq!(
        show(SLED, rows),
        "rod: (x2 - x1)^2 + (y2 - y1)^2 - l^2 = 0\n\
         blade: (x2 - x1)*(y1' + y2') - (y2 - y1)*(x1' + x2') = 0"
    );
    assert_eq!(show(SLED, start), "x1 = -l/2\nx2 = l/2\ny1 = 0\ny2 = 0\ny1' = -0.68\ny2' = 0.68");
    let parameters = |system: &System| {
        let row = |p: &mechanics::Parameter| {
            format!("{} = {} {}", p.name, p.value.unwrap(), p.dimension.as_ref().unwrap().unit())
        };
        system.parameters.iter().map(row).collect()
    };
    assert_eq!(show(SLED, parameters), "m = 13/10 kg\nl = 4/5 m\ng = 9.81 m/s^2\nalpha = 2/5 ");
}

/// A motion in which every multiplier is 7.
struct Sevens;

impl Motion for Sevens {
    fn multiplier(&self, _: &str) -> Option<Term> {
        Some(Term::Scalar(expr::integer(7)))
    }
    fn reaction(&self, _: &str, _: Option<mechanics::Target>) -> Option<Result<Vector, String>> {
        None
    }
    fn energy(&self) -> Option<Expr> {
        None
    }
    fn momentum(&self) -> Option<Result<Vector, String>> {
        None
    }
    fn angular_momentum(&self, _: Vector) -> Option<Result<Vector, String>> {
        None
    }
}

#[test]
fn what_needs_a_motion_is_read_when_there_is_one() {
    let facts = |system: &System| {
        let Fact::Relation { relation, within: Some(within), .. } = &system.statements[0].fact else { return vec![] };
        let deferred = matches!(relation.left, Term::Deferred(_)) && matches!(relation.right, Term::Scalar(_));
        let reading = Reading { motion: Some(&Sevens), ..Reading::default() };
        let (left, _, right) = system.relation(&relation.tree, reading).unwrap().scalars().unwrap();
        vec![format!("{} {deferred} {within} {left} {right}", system.title)]
    };
    assert_eq!(show(SLED, facts), "Sled on an incline true 1/1000000000 7 -0.93925");
}

const DISC: &str = "
param r = 0.5 m, m = 1 kg
coord x, y, z : m                                                                  # a disc, contact by helper
coord yaw, lean, spin : rad
frame R = N rotated z by yaw, x by lean, y by spin
body D mass m at (x, y, z) frame R inertia (m*r^2/4, m*r^2/2, m*r^2/4)
contact ground: D rolls as disc(r, R.y) on plane(N.z, 0)
start lean = 0.3 rad, omega(D) = R*(0.2 rad/s, 6 rad/s, 1.1 rad/s)
";

#[test]
fn the_disc_of_the_design() {
    assert_eq!(
        show(DISC, omegas),
        "N (0, 0, 0)\n\
         R (lean'*cos(yaw) - spin'*sin(yaw)*cos(lean), lean'*sin(yaw) + spin'*cos(yaw)*cos(lean), yaw' + spin'*sin(lean))"
    );
    let contact = |system: &System| {
        let (contact, body) = (&system.contacts[0], &system.bodies[0]);
        let shape = contact.shape.as_ref().unwrap();
        let inertia = body.inertia.entries.map(|entry| entry.to_string()).join(" ");
        vec![
            format!("{} {:?} {:?} {:?}", contact.name, contact.what, contact.motion, shape.kind),
            format!("radius {}, axis {}", shape.radii[0], shape.axis.unwrap()),
            format!("plane {} {}, centre {}", contact.normal, contact.distance, contact.centre),
            format!("frame {}, inertia {inertia} of {}", body.frame, body.inertia.given),
        ]
    };
    assert_eq!(
        show(DISC, contact),
        "ground Body(0) Rolls Disc\n\
         radius r, axis (-sin(yaw)*cos(lean), cos(yaw)*cos(lean), sin(lean))\n\
         plane (0, 0, 1) 0, centre (x, y, z)\n\
         frame 1, inertia m*r^2/4 m*r^2/2 m*r^2/4 0 0 0 of 3"
    );
    assert_eq!(show(DISC, start).lines().count(), 4);
}

#[test]
fn the_chain_of_the_design() {
    let chain = "
param n = 3, l = 1 m, m = 2 kg
coord a[1..n] : rad
point P[0] = 0
point P[i] = P[i-1] + l*(sin(a[i]), -cos(a[i])) mass m for i in 1..n
start a[i] = 0.1 rad*i for i in 1..n
";
    assert_eq!(
        show(chain, points),
        "P[0] (0, 0, 0)\n\
         P[1] (l*sin(a[1]), -l*cos(a[1]), 0)\n\
         P[2] (l*sin(a[1]) + l*sin(a[2]), -l*cos(a[1]) - l*cos(a[2]), 0)\n\
         P[3] (l*sin(a[3]) + (l*sin(a[1]) + l*sin(a[2])), (-l*cos(a[1]) - l*cos(a[2])) - l*cos(a[3]), 0)"
    );
    assert_eq!(show(chain, start), "a[1] = 1/10\na[2] = 1/5\na[3] = 3/10");
}

#[test]
fn a_double_pendulum_of_bodies_keeps_its_frames() {
    let text = "
param m = 1 kg, l = 2 m
coord p, q : rad
frame A = N rotated z by p
frame B = A rotated z by q
point J = l*A.x
body C mass m at l*A.x/2 frame A inertia m*l^2/12
body D mass m at J + B*(l/2, 0, 0) frame B inertia m*l^2/3 about J
constraint same: velocity(D at J) = velocity(J)
";
    assert_eq!(show(text, omegas), "N (0, 0, 0)\nA (0, 0, p')\nB (0, 0, p' + q')");
    let bodies = |system: &System| {
        let body = |body: &mechanics::Body| {
            let mechanics::Placement { from, arms } = &body.placement;
            let arms: Vec<String> =
                arms.iter().map(|(frame, arm)| format!("{} {arm}", system.frames[*frame].name)).collect();
            let about = body.inertia.about.map_or("its mass centre".to_owned(), |about| about.to_string());
            format!("{} from {from:?} along {}, inertia about {about}", body.name, arms.join(" "))
        };
        system.bodies.iter().map(body).collect()
    };
    assert_eq!(
        show(text, bodies),
        "C from None along A (l/2, 0, 0), inertia about its mass centre\n\
         D from Some(0) along B (l/2, 0, 0), inertia about (l*cos(p), l*sin(p), 0)"
    );
    assert_eq!(show(text, rows), "note: `same` holds identically: it constrains nothing");
}

#[test]
fn in_a_plane_nobody_asks_for_the_third_component() {
    let plane = "coord q : rad\ncoord x, y : m\nframe A = N rotated z by q\npoint P = (x, y) mass 1 kg\n\
        constraint loop: P = 1 m*A.x\n";
    assert!(!show(plane, rows).contains("note"), "{}", show(plane, rows));
    // in space it may be forgotten
    let space = plane.replace("N rotated z", "N rotated x").replace("1 m*A.x", "(1 m, 0)");
    let above =
        format!("coord z : m\n{space}").replace("P = (x, y) mass", "Q = (x, y, z) mass 1 kg\npoint P = (x, y) mass");
    assert!(show(&above, rows).contains("note: the component z of `loop` holds identically"), "{}", show(&above, rows));
}

#[test]
fn a_quaternion_frame_brings_its_norm() {
    let top = "
param J = 1 kg*m^2, h = 0.5 m
coord q0, q1, q2, q3
frame B = N quaternion (q0, q1, q2, q3)
body T mass 1 kg at h*B.z frame B inertia (J, J, 2*J) about (0, 0, 0)
";
    assert_eq!(show(top, rows), "B: q0^2 + q1^2 + q2^2 + q3^2 - 1 = 0");
    assert_eq!(
        show(top, omegas),
        "N (0, 0, 0)\n\
         B (2*(q0*q1' - q1*q0' - q3*q2' + q2*q3'), \
         2*(q3*q1' - q2*q0' + q0*q2' - q1*q3'), \
         2*(q1*q2' - q3*q0' - q2*q1' + q0*q3'))"
    );
    let centre = |system: &System| vec![system.bodies[0].centre.to_string()];
    assert_eq!(show(top, centre), "(h*(2*q0*q2 + 2*q1*q3), h*(2*q2*q3 - 2*q0*q1), h*(q0^2 - q1^2 - q2^2 + q3^2))");
}

const MIXED: &str = "
param m0 = 10 kg, k = 0.5 kg/s, c = 20 N/m, b = 3 N*s/m, l = 1 m, g = 9.81 m/s^2
param l2 = 2*l, e = 2
param G : N
coord x, y, z : m
speed u = x' + y'
speed v = x' - y'
inverse x' = (u + v)/2
dependent z'
input F : N = 5 N
unknown H : N
let side(p, q) = p - q
let d = side(x, y)
observe work = F*x + energy()
point O = 0
point P = (x, y, z) mass m0 - k*t exhaust (0, -800 m/s, 0)
point Q = P - l*N.z/2
gravity (0, -g)
force (F, H) on P against O
spring c rest l between O and P
damper b between P and Q
potential c*d^e/2
dissipation b*u^2/2
generalized force -b*z' on z
constraint vertical: Q = (x, y, x - l/2)
constraint floor: y >= 0
constraint roof: y <= 3 m until t > 10 s
friction 0.3 on floor
restitution 1/2 on floor
assume l > 0
stop landed when y <= 0
record top when velocity(P).y = 0
expect a: work = 3 J at start
expect b: freedoms = 2
expect c: constant d
expect d: event top at t = 2 s within 1 ms
expect e: equilibrium x = 0, y = 0 stable
claim f: u' = 0
start u = 1 m/s, P = (1 m, 2 m, 1 m)
guess z = 1 m, omega(N) = 0
";

#[test]
fn variable_mass_and_all_other_declarations_are_stored() {
    assert_eq!(
        show(MIXED, rows),
        "vertical: z - x = 0\n\
         floor: y >= 0\n\
         roof: 3 - y >= 0\n\
         note: the components x and y of `vertical` hold identically"
    );
    assert_eq!(show(MIXED, start), "x' + y' = 1\nx = 1\ny = 2\nz = 1");
    let loads = |system: &System| system.loads.iter().map(|load| format!("{:?}", load.kind)).collect();
    assert_eq!(
        show(MIXED, loads),
        "Gravity(Vector([0, -g, 0]))\n\
         Force { force: Vector([F, H, 0]), along: [(0, Vector([F, H, 0]))], on: Point(1), at: Vector([x, y, z]), against: Some(Point(0)) }\n\
         Spring { stiffness: c, rest: l, ends: [End { position: Vector([0, 0, 0]), point: Some(0) }, \
         End { position: Vector([x, y, z]), point: Some(1) }] }\n\
         Damper { coefficient: b, ends: [End { position: Vector([x, y, z]), point: Some(1) }, \
         End { position: Vector([x, y, z - l/2]), point: Some(2) }] }\n\
         Potential(c*(x - y)^2/2)\n\
         Dissipation(b*(x' + y')^2/2)\n\
         Generalized { force: -b*z', coordinate: 2 }"
    );
    let rest = |system: &System| {
        let particle = &system.points[1];
        let value = |name: &str| system.parameters.iter().find(|p| p.name == name).unwrap().value;
        vec![
            format!("mass {} exhaust {}", particle.mass.unwrap(), particle.exhaust.unwrap()),
            format!("values {:?} {:?}", value("l2"), value("G")),
            format!("inverse {} = {}", system.inverses[0].coordinate, system.inverses[0].value),
            format!("dependent {}", system.dependent[0].coordinate),
            format!("input {:?}", system.inputs[0].value),
            format!(
                "laws {} {} on {}",
                system.frictions[0].value, system.restitutions[0].value, system.frictions[0].on
            ),
            format!("assume {:?}", system.assumptions[0].scalars().unwrap()),
            format!("until {:?}", system.constraints[2].until.as_ref().unwrap().scalars().unwrap()),
            format!("events {:?}", system.events.iter().map(|event| event.when.scalars().unwrap()).collect::<Vec<_>>()),
            format!("observe {:?}", matches!(system.observes[0].value, Term::Deferred(_))),
            format!("{} statements, {} guesses", system.statements.len(), system.guesses.len()),
        ]
    };
    assert_eq!(
        show(MIXED, rest),
        "mass m0 - k*t exhaust (0, -800, 0)\n\
         values Some(2) None\n\
         inverse 0 = (u + v)/2\n\
         dependent 2\n\
         input Some(5)\n\
         laws 3/10 1/2 on floor\n\
         assume (l, Greater, 0)\n\
         until (t, Greater, 10)\n\
         events [(y, AtMost, 0), (y', Equal, 0)]\n\
         observe true\n\
         6 statements, 4 guesses"
    );
}

#[test]
fn placements_add_up_to_positions() {
    let text = "
param l = 2 m
coord x, y : m
coord p, q : rad
frame A = N rotated z by p, (1, 2, 2) by q
frame B[1] = A rotated x by q
let r = x*A.y
point O = (x, y)
point J = O + l*A.x/2 - 3*l*A.x + r
point K = 2*J - O + B[1]*(l, x, 0)/3
point L = A*B[1].x*l + J - O
point M = -(l*A.x - J)
point R = 0 mass 2 kg - 0.1 kg/s*t exhaust -300 m/s*unit(velocity(J) + velocity(R))
";
    let checked = |system: &System| {
        let check = |point: &mechanics::Point| {
            let mechanics::Placement { from, arms } = &point.placement;
            let start = from.map_or(Vector::zero(), |place| system.points[place].position);
            let sum = arms.iter().fold(start, |sum, (frame, arm)| sum + system.frames[*frame].vector(*arm));
            let frames: Vec<&str> = arms.iter().map(|(frame, _)| system.frames[*frame].name.as_str()).collect();
            format!("{} {} from {from:?} along {}", point.name, (sum - point.position).is_zero(), frames.join(" "))
        };
        system.points.iter().map(check).collect()
    };
    assert_eq!(
        show(text, checked),
        "O true from None along N\n\
         J true from Some(0) along A N\n\
         K true from None along N B[1]\n\
         L true from Some(1) along A N\n\
         M true from None along N\n\
         R true from None along "
    );
}

#[test]
fn a_claim_is_read_with_rates_or_with_speeds() {
    let claim = |system: &System| {
        let Fact::Relation { relation, .. } = &system.statements[5].fact else { return vec![] };
        let symbols = Reading { speeds: Speeds::Symbols, ..Reading::default() };
        let (left, ..) = system.relation(&relation.tree, symbols).unwrap().scalars().unwrap();
        vec![relation.scalars().unwrap().0.to_string(), left.to_string()]
    };
    assert_eq!(show(MIXED, claim), "x'' + y''\nu'");
}

#[test]
fn what_does_not_exist_is_told_with_its_place() {
    let nothing = |_: &System| vec!["no error".to_owned()];
    let division = "param l = 1 m\ncoord x : m\nlet a = x/(l - l)\npoint P = (a*x, 0)\nconstraint c: sqrt(-4)*x = 0";
    assert_eq!(
        show(division, nothing),
        "\
error: division by zero
  --> test.mech:3:12
3 | let a = x/(l - l)
  |            ^^^^^

error: `-4` is negative: this root is not real (`cbrt` takes the real cube root)
  --> test.mech:5:15
5 | constraint c: sqrt(-4)*x = 0
  |               ^^^^^^^^
"
    );
    let direction = "coord phi : rad\nparam a = 2\nframe B = N rotated (a - a, 0, 0) by phi\npoint P = B.x*(1 m)";
    assert_eq!(
        show(direction, nothing),
        "\
error: this direction is the zero vector
  --> test.mech:3:21
3 | frame B = N rotated (a - a, 0, 0) by phi
  |                     ^^^^^^^^^^^^^
"
    );
    let acceleration = "coord x : m\nstart x'' = 1 m/s^2";
    assert_eq!(
        show(acceleration, nothing),
        "\
error: the first state has coordinates and rates, no accelerations
  --> test.mech:2:7
2 | start x'' = 1 m/s^2
  |       ^^^^^^^^^^^^^
hint: accelerations follow from the equations of motion; leave this out
"
    );
    let function = "coord x : m\nlet f(a) = 1/a\nconstraint c: f(x - x) = 0";
    assert_eq!(
        show(function, nothing),
        "\
error: in `f`: division by zero
  --> test.mech:3:15
3 | constraint c: f(x - x) = 0
  |               ^^^^^^^^ `f` is called with these arguments
"
    );
}

#[test]
fn angles_and_turns_bring_pi() {
    let text = "param w = 30 rpm, a = 45 deg, v = 36 km/hour, p = 2 kN/mm^2\ncoord x : m";
    let values = |system: &System| system.parameters.iter().map(|p| p.value.unwrap().to_string()).collect();
    assert_eq!(show(text, values), "pi\npi/4\n10\n2000000000");
}

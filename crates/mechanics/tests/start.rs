//! Model text in, the first state as text out.

use mechanics::{Found, StartReport, System, lower, start, start_with};

/// What `work` makes of the system of a model, in a scope of its own.
fn with<T>(text: &str, work: impl FnOnce(&System) -> T) -> T {
    let _scope = expr::Scope::with_seed(1);
    let parsed = model::parse("test.mech", text);
    let model = parsed.model.as_ref().unwrap_or_else(|| panic!("{}", parsed.render()));
    let system = lower(model).unwrap_or_else(|errors| panic!("{}", model.sources.render_all(&errors)));
    work(&system)
}

/// The first state: given values exactly, solved ones as numbers.
fn show(text: &str) -> String {
    with(text, |system| describe(&start(system)))
}

fn describe(report: &StartReport) -> String {
    let mut lines = Vec::new();
    for (word, found) in [("given", Found::Given), ("solved", Found::Solved), ("zeroed", Found::Zeroed)] {
        let values = report.values().filter(|value| value.found == found);
        let values: Vec<String> = values
            .map(|value| match (found, value.exact, value.number) {
                (Found::Given, Some(exact), _) => format!("{} = {exact}", value.symbol),
                (Found::Zeroed, ..) => value.symbol.to_string(),
                (_, _, Some(number)) => format!("{} = {}", value.symbol, (number * 1e9).round() / 1e9 + 0.0),
                _ => format!("{} = ?", value.symbol),
            })
            .collect();
        if !values.is_empty() {
            lines.push(format!("{word}: {}", values.join(", ")));
        }
    }
    for contradiction in &report.contradictions {
        let row = &report.rows[contradiction.row];
        let misses = match (contradiction.misses_by, contradiction.exactly) {
            (Some(amount), _) => ((amount * 1e9).round() / 1e9).to_string(),
            (None, Some(exact)) => exact.to_string(),
            _ => "?".to_owned(),
        };
        let with = contradiction.with.join(" and ");
        lines.push(format!("{} ({:?}) misses by {misses} with {with}", row.name, row.level));
    }
    if let Some(residual) = report.residual.filter(|_| report.is_consistent()) {
        assert!(residual <= 1e-15, "{residual}: {report:?}");
    }
    let guesses = report.guesses.iter();
    lines.extend(guesses.map(|(text, used)| format!("guess {text}: {}", if *used { "used" } else { "not used" })));
    lines.extend(report.missing.iter().map(|name| format!("missing {name}")));
    lines.extend(report.inactive.iter().map(|name| format!("inactive {name}")));
    lines.join("\n")
}

const SLED: &str = "param l = 0.8 m
coord x1, y1, x2, y2 : m
constraint rod:   (x2 - x1)^2 + (y2 - y1)^2 = l^2
constraint blade: (x2 - x1)*(y1' + y2') = (x1' + x2')*(y2 - y1)
start x1 = -l/2, x2 = l/2, y1 = 0, y2 = 0, y1' = -0.68 m/s, y2' = 0.68 m/s";

#[test]
fn the_sled_starts_as_its_model_says() {
    assert_eq!(
        show(SLED),
        "given: x1 = -l/2, y1 = 0, x2 = l/2, y2 = 0, y1' = -0.68, y2' = 0.68\n\
         solved: x2' = 0\n\
         zeroed: x1'"
    );
    let numbers = with(SLED, |system| {
        let report = start(system);
        let numbers: Vec<Option<f64>> = report.coordinates.iter().map(|value| value.number).collect();
        (numbers, report.state(system).len(), report.rows.len())
    });
    assert_eq!(numbers, (vec![Some(-0.4), Some(0.0), Some(0.4), Some(0.0)], 1 + 1 + 8, 3));
}

#[test]
fn what_cannot_hold_together_is_named_with_the_amount() {
    let too_long = SLED.replace("x2 = l/2", "x2 = l").replace("y2' = 0.68", "y2' = 0.5");
    assert_eq!(
        show(&too_long),
        "given: x1 = -l/2, y1 = 0, x2 = l, y2 = 0, y1' = -0.68, y2' = 1/2\n\
         solved: x2' = 0\n\
         zeroed: x1'\n\
         rod (Position) misses by 0.8 with x1 = -l/2 and x2 = l and y1 = 0 and y2 = 0\n\
         blade (Velocity) misses by -0.216 with x1 = -l/2 and x2 = l and y1 = 0 and y2 = 0 \
         and y1' = -0.68 m/s and y2' = 0.5 m/s"
    );
    assert_eq!(
        show("coord x : m\nstart x = 1 m, x = 2 m"),
        "given: x = 1\nzeroed: x'\nx = 2 m (Position) misses by -1 with x = 1 m"
    );
    let rows = "coord x, y, z : m
constraint a: x + y = 1 m
constraint b: y + z = 2 m
constraint c: x + 2*y + z = 4 m";
    assert_eq!(
        show(rows),
        "solved: y = 1, z = 1, y' = 0, z' = 0\nzeroed: x, x'\nc (Position) misses by -1 with a and b"
    );
    assert_eq!(
        show("coord x, y : m\nconstraint c: x^2 + y^2 = -1 m^2"),
        "solved: x = 0, y = 0\nzeroed: x', y'\nc (Position) misses by 1 with "
    );
}

#[test]
fn without_numbers_the_given_is_checked_as_expressions() {
    let symbolic = "param l : m
coord x1, y1, x2, y2 : m
constraint rod: (x2 - x1)^2 + (y2 - y1)^2 = l^2
start x1 = -l/2, x2 = l/2, y1 = 0, y2 = 0";
    assert_eq!(
        show(symbolic),
        "given: x1 = -l/2, y1 = 0, x2 = l/2, y2 = 0\nsolved: x2' = ?\nzeroed: x1', y1', y2'\nmissing l"
    );
    assert_eq!(
        show(&symbolic.replace("x2 = l/2", "x2 = l")),
        "given: x1 = -l/2, y1 = 0, x2 = l, y2 = 0\nsolved: x2' = ?\nzeroed: x1', y1', y2'\n\
         rod (Position) misses by 5*l^2/4 with x1 = -l/2 and x2 = l and y1 = 0 and y2 = 0\nmissing l"
    );
    assert_eq!(
        show("param l : m\ncoord x, y : m\nconstraint rod: x^2 + y^2 = l^2"),
        "solved: y = ?\nzeroed: x, x', y'\nmissing l"
    );
}

#[test]
fn what_is_left_free_is_zero_in_the_order_of_declaration() {
    let circle = "coord x, y : m\nconstraint rod: x^2 + y^2 = 4 m^2\n";
    assert_eq!(show(&format!("{circle}start x' = 3 m/s")), "given: x' = 3\nsolved: y = 2, y' = 0\nzeroed: x");
    // x has a guess, so it is y that is left free.
    assert_eq!(show(&format!("{circle}guess x = -1 m")), "solved: x = -2, x' = 0\nzeroed: y, y'\nguess x = -1 m: used");
    // x = 0 is not on the circle.
    assert_eq!(
        show("coord x, y : m\nconstraint rod: (x - 5 m)^2 + y^2 = 4 m^2"),
        "solved: x = 3, x' = 0\nzeroed: y, y'"
    );
    // Neither x = 0 nor y = 0 is: the nearest point.
    assert_eq!(
        show("coord x, y : m\nconstraint rod: (x - 5 m)^2 + (y - 5 m)^2 = 4 m^2"),
        "solved: x = 3.585786438, y = 3.585786438, y' = 0\nzeroed: x'"
    );
}

#[test]
fn guesses_choose_the_branch() {
    let both = "coord x, y, z : m
constraint rod: x^2 + y^2 = 8 m^2
guess x = 1 m, y = 1 m, z = 2 m";
    assert_eq!(
        show(both),
        "solved: x = 2, y = 2, y' = 0\nzeroed: z, x', z'\n\
         guess x = 1 m: used\nguess y = 1 m: used\nguess z = 2 m: not used"
    );
    let vector = "coord x, y, z : m
point P = (x, y, z)
constraint rod: norm(P) = 3 m
guess 2*P = (2 m, -4 m, 4 m)";
    assert_eq!(
        show(vector),
        "solved: x = 1, y = -2, z = 2, z' = 0\nzeroed: x', y'\nguess 2*P = (2 m, -4 m, 4 m): used"
    );
    let cone = "coord x, y, z : m
constraint cone: x'^2 + y'^2 = z'^2
start x' = 3 m/s, y' = 4 m/s
guess z' = -1 m/s";
    assert_eq!(show(cone), "given: x' = 3, y' = 4\nsolved: z' = -5\nzeroed: x, y, z\nguess z' = -1 m/s: used");
    let four_bars = "param a = 0.1 m, b = 0.3 m, c = 0.25 m, d = 0.3 m
coord p, q, r : rad
constraint closed: a*(cos(p), sin(p)) + b*(cos(q), sin(q)) = (d, 0) + c*(cos(r), sin(r))
start p = 30 deg, p' = 10 rad/s
guess q = 1 rad, r = 1.5 rad";
    assert_eq!(
        show(four_bars),
        "given: p = pi/6, p' = 10\n\
         solved: q = 0.728759718, r = 1.529173025, q' = -3.922416944, r' = -1.135519755\n\
         guess q = 1 rad: used\nguess r = 1.5 rad: used"
    );
}

#[test]
fn vectors_time_and_speeds_fix_a_state() {
    let pin = "param l = 1 m
coord x, y : m
coord phi : rad
point P = (x, y)
constraint pin: P = l*(cos(phi), sin(phi))
start phi = 30 deg, phi' = 2 rad/s";
    assert_eq!(show(pin), "given: phi = pi/6, phi' = 2\nsolved: x = 0.866025404, y = 0.5, x' = -1, y' = 1.732050808");
    // At t = 0.5 s: x = cos 1, x' = -2 sin 1, y = x + sin 1, y' = x' + 2 cos 1.
    let rheonomic = "param w = 2 rad/s, r = 1 m
coord x, y : m
constraint drive: x = r*cos(w*t)
constraint slide: y = x + r*sin(w*t)
start t = 0.5 s";
    assert_eq!(show(rheonomic), "solved: x = 0.540302306, y = 1.381773291, x' = -1.68294197, y' = -0.602337358");
    let speeds = "coord x, y : m\nspeed u = x' + y'\nspeed v = x' - y'\nstart u = 3 m/s, v = 1 m/s";
    assert_eq!(show(speeds), "solved: x' = 2, y' = 1\nzeroed: x, y");
    assert_eq!(with(speeds, |system| start(system).speeds), [Some(3.0), Some(1.0)]);
    let chained = "param w = 2 rad/s\ncoord x, y : m\nstart t = 1 s, x = 1 m*sin(w*t), y = 2*x, x' = y*w";
    assert_eq!(show(chained), "given: x = sin(w), y = 2*sin(w), x' = 2*w*sin(w)\nzeroed: y'");
    let input = "param k = 2 N/m\ncoord x : m\ninput F : N = 3 N\nstart k*x = F";
    assert_eq!(show(input), "solved: x = 1.5\nzeroed: x'");
}

#[test]
fn bodies_start_with_an_angular_velocity() {
    // lean' = 0.2, yaw' cos(lean) = 1.1, spin' + yaw' sin(lean) = 6
    let disc = "param r = 0.5 m, m = 1 kg
coord x, y, z : m
coord yaw, lean, spin : rad
frame R = N rotated z by yaw, x by lean, y by spin
body D mass m at (x, y, z) frame R inertia (m*r^2/4, m*r^2/2, m*r^2/4)
contact ground: D rolls as disc(r, R.y) on plane(N.z, 0)
start lean = 0.3 rad, omega(D) = R*(0.2 rad/s, 6 rad/s, 1.1 rad/s)";
    assert_eq!(
        show(disc),
        "given: lean = 3/10\n\
         solved: z = 0.477668245, x' = 3, y' = -0.095533649, z' = -0.029552021, yaw' = 1.151426762, lean' = 0.2, \
         spin' = 5.659730125\n\
         zeroed: x, y, yaw, spin"
    );
    // q' = q∘(0, ω)/2 with ω in the body
    let top = "param J = 1 kg*m^2
coord q0, q1, q2, q3
frame B = N quaternion (q0, q1, q2, q3)
body T mass 1 kg at 0 frame B inertia (J, J, 2*J)
start q0 = 3/5, omega(T) = B*(0, 1 rad/s, 2 rad/s)";
    assert_eq!(
        show(top),
        "given: q0 = 3/5\n\
         solved: q3 = 0.8, q0' = -0.8, q1' = -0.4, q2' = 0.3, q3' = 0.6\n\
         zeroed: q1, q2"
    );
}

#[test]
fn a_quaternion_of_which_nothing_is_said_is_no_rotation() {
    let top = "coord q0, q1, q2, q3\nframe B = N quaternion (q0, q1, q2, q3)";
    assert_eq!(show(top), "solved: q0 = 1, q0' = 0\nzeroed: q1, q2, q3, q1', q2', q3'");
    let leaning = format!("{top}\nstart q1 = 0.6");
    assert_eq!(show(&leaning), "given: q1 = 3/5\nsolved: q0 = 0.8, q1' = 0\nzeroed: q2, q3, q0', q2', q3'");
}

#[test]
fn a_constraint_that_is_switched_on_later_is_left_out() {
    let text = "coord x : m
constraint late: x = 1 m from t >= 2 s
constraint early: x' = 1 m/s from t >= 0 s until x >= 3 m
constraint wall: x >= -1 m";
    assert_eq!(show(text), "solved: x' = 1\nzeroed: x\ninactive late");
}

#[test]
fn a_constraint_is_switched_by_the_state_that_is_found() {
    let over = "coord x : m\nconstraint hold: x = 0 m until t >= 1 s\nstart t = 2 s, x = 3 m";
    assert_eq!(show(over), "given: x = 3\nzeroed: x'\ninactive hold");
    let text = "coord x : m\nconstraint a: x = 0 m from x >= 1 m\nstart x = ";
    assert_eq!(show(&format!("{text}0.5 m")), "given: x = 1/2\nzeroed: x'\ninactive a");
    assert!(show(&format!("{text}2 m")).contains("a (Position) misses by 2"), "{}", show(&format!("{text}2 m")));
}

#[test]
fn rounding_errors_are_no_pivots() {
    // coefficients of z' and y' vanish identically
    let hidden = "coord x, y, z
constraint c: x' + (cos(y)^2 + sin(y)^2 - 1)*z' + (sin(x+y) - sin(x)*cos(y) - cos(x)*sin(y))*y' = 1
start x = 0.7, y = 0.3";
    assert_eq!(show(hidden), "given: x = 7/10, y = 3/10\nsolved: x' = 1\nzeroed: z, y', z'");
    let told = show(&format!("{hidden}, x' = 2"));
    assert!(told.contains("c (Velocity) misses by 1"), "{told}");
    let turned = "coord p, w, u : rad
frame B = N rotated x by p, z by w, y by u
body D mass 1 kg at 0 frame B inertia (1 kg*m^2, 1 kg*m^2, 1 kg*m^2)
constraint c: dot(omega(B), B.z) = 1 rad/s
start p = 0.4 rad, w = 0.7 rad, u = 0.2 rad";
    let large = with(turned, |system| {
        let report = start(system);
        assert!(report.is_consistent());
        report.values().filter_map(|value| value.number).fold(0.0, |largest: f64, number| largest.max(number.abs()))
    });
    assert!(large < 10.0, "{large}");
    // and one that vanishes at this state: cos(pi/2)
    let here = "coord p : rad\ncoord x\nconstraint c: cos(p)*x' = 1\nstart p = pi/2, p' = 0";
    assert!(show(here).contains("c (Velocity) misses by"), "{}", show(here));
}

#[test]
fn an_override_takes_the_place_of_a_line() {
    let report = with(SLED, |system| {
        let at = ["x1 = 0.1", "x1' = 2", "x2 = 0.9"].map(|text| syntax::parse_relation(text).unwrap());
        let overrides: Vec<_> = at.iter().flat_map(|relation| system.equations(relation).unwrap()).collect();
        describe(&start_with(system, &overrides))
    });
    assert_eq!(
        report,
        "given: x1 = 1/10, y1 = 0, x2 = 9/10, y2 = 0, x1' = 2, y1' = -0.68, y2' = 0.68\nsolved: x2' = 2"
    );
}

#[test]
fn large_systems_start() {
    let chain = "param n = 1000, l = 0.1 m, m = 1 kg
coord a[1..n] : rad
point P[0] = 0
point P[i] = P[i-1] + l*(sin(a[i]), -cos(a[i])) mass m for i in 1..n
start a[i] = 0.001 rad*i for i in 1..n";
    let net = "param n = 300, l = 0.1 m
coord x[1..n], y[1..n] : m
constraint rod[i]: (x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 = l^2 for i in 1..n-1
constraint rod[0]: (x[1] - x[n])^2 + (y[1] - y[n])^2 = l^2
guess x[i] = 50*l*cos(2*pi*i/n), y[i] = 50*l*sin(2*pi*i/n) for i in 1..n";
    let ring = "param n = 200, l = 0.1 m
coord a[1..n] : rad
point P[0] = 0
point P[i] = P[i-1] + l*(cos(a[i]), sin(a[i])) for i in 1..n
constraint closed: P[n] = (0, 0)
guess a[i] = 2*pi*i/n for i in 1..n";
    for (text, solved) in [(chain, 0), (&chain.replace("1000", "100"), 0), (net, 900), (ring, 202)] {
        let found = with(text, |system| {
            let report = start(system);
            assert!(report.residual.unwrap() <= 1e-15, "{:?}", report.residual);
            report.values().filter(|value| value.found == Found::Solved).count()
        });
        assert_eq!(found, solved);
    }
}

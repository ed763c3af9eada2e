//! Constraints from books and papers, and ones that are wrong.

use std::fmt::Write as _;

use expr::{At, Expr, Scope, coordinate, parameter};

use super::*;

/// Coordinates, parameters and constraints as text; the constraints' names are `a`, `b`, `c` …
fn given(coordinates: &str, parameters: &str, constraints: &[&str]) -> (Vec<Row>, Space) {
    let q: Vec<Expr> = coordinates.split_whitespace().map(coordinate).collect();
    parameters.split_whitespace().for_each(|name| _ = parameter(name));
    expr::time();
    let space = Space::new(&q).unwrap();
    let row = |(name, text): (char, &&str)| Row { name: name.to_string(), f: expr::parse(text).unwrap() };
    (('a'..).zip(constraints).map(row).collect(), space)
}

/// What was found, as text: one line for the counts, one for each row, finding and integral.
fn told(report: &Report) -> String {
    let mut text = String::new();
    let i = &report.integrability;
    let (n, rank) = (report.coordinates, report.rank);
    let (freedoms, constants) = (report.degrees_of_freedom, report.constants);
    let _ = writeln!(text, "n {n}, rank {rank}, freedoms {freedoms}, constants {constants}, flag {:?}", i.flag);
    let name = |row: usize| report.rows[row].name.clone();
    let parts = |parts: &[Part]| {
        let part = |part: &Part| match part.factor {
            Some(factor) => format!("{factor}*{}", name(part.row)),
            None => name(part.row),
        };
        parts.iter().map(part).collect::<Vec<_>>().join(" + ")
    };
    let names = |rows: &[usize]| rows.iter().map(|&row| name(row)).collect::<Vec<_>>().join(" ");
    for row in &report.rows {
        let integrable = match row.integrable {
            Some(true) => ", integrable",
            Some(false) => ", not integrable",
            None => "",
        };
        let _ = writeln!(text, "{}: {}{integrable}", row.name, row.class);
    }
    for finding in &report.findings {
        let _ = match finding {
            Finding::Vacuous { row } => writeln!(text, "{} always holds", name(*row)),
            Finding::SaysNothing { row } => writeln!(text, "{} says nothing", name(*row)),
            Finding::Contradiction { row, remainder } => writeln!(text, "{}: 0 = {remainder}", name(*row)),
            Finding::Outside { row } => writeln!(text, "{} is outside", name(*row)),
            Finding::Redundant { row, by, evidence } => {
                let sign = if *evidence == Evidence::Identity { "=" } else { "~" };
                writeln!(text, "{} {sign} {}", name(*row), parts(by))
            }
            Finding::Conflict { row, with, remainder, .. } => {
                let remainder = remainder.map_or("?".to_owned(), |e| e.to_string());
                writeln!(text, "{} against {}: 0 = {remainder}", name(*row), parts(with))
            }
            Finding::Implies { row, with, remainder } => {
                writeln!(text, "{} and {} imply 0 = {remainder}", name(*row), parts(with))
            }
            Finding::Undecided { row, with } => writeln!(text, "{} and {}?", name(*row), parts(with)),
            Finding::DependentOnConstraints { row, by } => writeln!(text, "{} ~~ {}", name(*row), names(by)),
            Finding::SingularHere { rows, on, rank, generic, everywhere } => {
                let all = if *everywhere { " everywhere" } else { "" };
                writeln!(text, "singular{all}: {} on [{}], {rank} of {generic}", names(rows), names(on))
            }
            Finding::UndefinedHere { rows } => writeln!(text, "undefined here: {}", names(rows)),
            Finding::NoState { rows, .. } => writeln!(text, "no state: {}", names(rows)),
            Finding::NoFreedom { .. } => writeln!(text, "no freedom"),
        };
    }
    for integral in &i.integrals {
        let _ = writeln!(
            text,
            "{} is constant{}",
            integral.f,
            integral.row.map_or(String::new(), |row| format!(": {}", name(row)))
        );
    }
    if i.missing > 0 {
        let _ = writeln!(text, "{} not found", i.missing);
    }
    text
}

/// Checks what is found about constraints, at a state.
#[track_caller]
fn check_at(state: &[(&str, f64)], coordinates: &str, parameters: &str, constraints: &[&str], expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    for seed in 1..=3 {
        let _scope = Scope::with_seed(seed);
        let (rows, space) = given(coordinates, parameters, constraints);
        let state: Vec<(Expr, f64)> = state.iter().map(|&(name, value)| (expr::parse(name).unwrap(), value)).collect();
        let found = told(&analyse(&rows, &space, &At::new(&state)).unwrap());
        let found: Vec<&str> = found.lines().collect();
        assert_eq!(found, expected, "\n{}\n", found.join("\n"));
    }
}

#[track_caller]
fn check(coordinates: &str, parameters: &str, constraints: &[&str], expected: &str) {
    check_at(&[], coordinates, parameters, constraints, expected);
}

// ---- classes

#[test]
fn classes() {
    for (constraint, class, rheonomic) in [
        ("x^2 + y^2 - 1", Class::Geometric, false),
        ("x - t", Class::Geometric, true),
        ("x*y' - y*x'", Class::Homogeneous, false),
        ("x' - y", Class::Affine, false),
        ("x' - 1", Class::Affine, false),
        ("x' - t", Class::Rheonomic, true),
        ("cos(t)*x' + y'", Class::Rheonomic, true),
        ("x'^2 + y'^2 - 1", Class::NonlinearFirst, false),
        ("abs(x' + 1)", Class::NonlinearFirst, false),
        ("x'' - y'^2 + t", Class::LinearSecond, true),
        ("x''*y'' - 1", Class::NonlinearSecond, false),
        ("x'''- 1", Class::Outside, false),
        // zeros in disguise
        ("x''*(sin(y)^2 + cos(y)^2 - 1) + x'^2 - (x' - 1)^2 - y", Class::Affine, false),
        ("(x' + y)^2 - x'^2 - 2*x'*y", Class::Geometric, false),
        ("x' - x' + cos(t)^2 + sin(t)^2 - 2 + x", Class::Geometric, false),
        ("sqrt((1 + x')^2*y^2)/y + 1", Class::NonlinearFirst, false),
        ("exp(x' + y')*exp(-x')*exp(-y')*x'", Class::Homogeneous, false),
        ("x' - x' + cos(x)^2 + sin(x)^2 - 1", Class::Vacuous, false),
        ("cos(x)^2 + sin(x)^2 - 2", Class::WithoutCoordinates, false),
        ("t - 1", Class::WithoutCoordinates, true),
    ] {
        let _scope = Scope::with_seed(1);
        let (rows, space) = given("x y", "", &[constraint]);
        let sorted = sort(&rows, &space).unwrap();
        assert_eq!((sorted[0].class, sorted[0].rheonomic), (class, rheonomic), "{constraint}");
        let above = [&space.q[..], &space.rates, &space.accelerations]
            [class.order().map_or(0, |k| k as usize + 1).min(2)..]
            .concat();
        let is_ghost = |symbol: &Expr| class.order() != Some(2) && class != Class::Outside && above.contains(symbol);
        assert!(!sorted[0].f.symbols().iter().any(is_ghost), "{constraint}");
    }
}

// ---- integrability

#[test]
fn a_rolling_disc_is_nonholonomic() {
    // contact built in: the third row is what is left of the vertical one
    check(
        "x y yaw lean spin",
        "r",
        &["x' - r*cos(yaw)*spin'", "y' - r*sin(yaw)*spin'", "lean'*(cos(lean)*sin(lean) - sin(2*lean)/2)"],
        "n 5, rank 2, freedoms 3, constants 8, flag [2, 1, 0]
         a: linear first order, homogeneous, not integrable
         b: linear first order, homogeneous, not integrable
         c: identically satisfied, integrable
         c always holds",
    );
}

#[test]
fn a_wheel_in_a_plane_is_geometric() {
    check(
        "x y phi",
        "r",
        &["y - r", "x' - r*phi'"],
        "n 3, rank 2, freedoms 1, constants 3, flag [1]
         a: geometric, integrable
         b: linear first order, homogeneous, integrable
         x - r*phi is constant: b",
    );
    // the radius as a coordinate that a geometric row fixes
    check(
        "x y phi",
        "r",
        &["y - r", "x' - y*phi'"],
        "n 3, rank 2, freedoms 1, constants 3, flag [1]
         a: geometric, integrable
         b: linear first order, homogeneous, integrable
         x - r*phi is constant: b",
    );
}

#[test]
fn rows_that_others_make_integrable() {
    check(
        "x y z",
        "",
        &["x' - y*z'"],
        "n 3, rank 1, freedoms 2, constants 5, flag [1, 0]
         a: linear first order, homogeneous, not integrable",
    );
    check(
        "x y z",
        "",
        &["x' - y*z'", "y'"],
        "n 3, rank 2, freedoms 1, constants 4, flag [2]
         a: linear first order, homogeneous, integrable
         b: linear first order, homogeneous, integrable
         y is constant: b
         x - y*z is constant",
    );
    check(
        "x y z",
        "",
        &["x' - y*z'", "y*y' + z*z'"],
        "n 3, rank 2, freedoms 1, constants 4, flag [2]
         a: linear first order, homogeneous, integrable
         b: linear first order, homogeneous, integrable
         y^2 + z^2 is constant: b
         1 not found",
    );
}

#[test]
fn integrals() {
    for (constraint, integral) in [
        ("x*y' + y*x'", "x*y"),
        ("x' - r*y'", "x - r*y"),
        ("x*y' - y*x'", "y/x"),
        ("x' - x*y'", "x*exp(-y)"),
        ("y*z*x' + x*z*y' + x*y*z'", "x*y*z"),
        ("sin(x)*cos(y)*x' + cos(x)*sin(y)*y'", "cos(x)*cos(y)"),
        ("x' + 2*x*y' - cos(y)*exp(-2*y)*y'", "x*exp(2*y) - sin(y)"),
        ("x' - t", "x - t^2/2"),
        ("x' - x*y' - cos(t)*x", "x*exp(-y - sin(t))"),
        ("x'*cos(x) - r*y'*y^2 + z'*exp(z)", "sin(x) - r*y^3/3 + exp(z)"),
        ("(x^2 + y^2)*z' + x*x' + y*y'", "(x^2 + y^2)*exp(2*z)"),
        ("x' - y'/(1 + y^2)", "x - atan(y)"),
    ] {
        let _scope = Scope::with_seed(1);
        let (rows, space) = given("x y z", "r", &[constraint]);
        let report = analyse(&rows, &space, &At::generic()).unwrap();
        let found = &report.integrability;
        assert_eq!((found.dimension, found.missing, report.rows[0].integrable), (1, 0, Some(true)), "{constraint}");
        let (f, g) = (found.integrals[0].f, expr::parse(integral).unwrap());
        let mut z = space.q.clone();
        z.push(space.t);
        let both = proof::linear::Matrix::from_rows(&expr::jacobian(&[f, g], &z).unwrap());
        assert_eq!(proof::linear::rank(&both).rank, 1, "{constraint} gave {f}");
        assert_eq!(found.integrals[0].row, Some(0));
        if !integral.contains("exp(-") {
            assert!(f.operations() <= g.operations() + 2, "{constraint} gave {f}");
        }
    }
}

#[test]
fn a_chaplygin_sleigh() {
    check(
        "x y phi",
        "",
        &["x'*sin(phi) - y'*cos(phi)"],
        "n 3, rank 1, freedoms 2, constants 5, flag [1, 0]
         a: linear first order, homogeneous, not integrable",
    );
}

#[test]
fn the_sled_of_the_lecture_notes() {
    // n = 2, 5 constants
    check_at(
        &[("x1", -0.4), ("x2", 0.4), ("y1", 0.0), ("y2", 0.0), ("l", 0.8)],
        "x1 y1 x2 y2",
        "l",
        &["(x2 - x1)^2 + (y2 - y1)^2 - l^2", "(x2 - x1)*(y1' + y2') - (x1' + x2')*(y2 - y1)"],
        "n 4, rank 2, freedoms 2, constants 5, flag [1, 0]
         a: geometric, integrable
         b: linear first order, homogeneous, not integrable",
    );
}

#[test]
fn two_wheels_on_an_axle_have_one_integral() {
    check(
        "x y theta u v",
        "r b",
        &[
            "x'*sin(theta) - y'*cos(theta)",
            "x'*cos(theta) + y'*sin(theta) + b*theta' - r*u'",
            "x'*cos(theta) + y'*sin(theta) - b*theta' - r*v'",
        ],
        "n 5, rank 3, freedoms 2, constants 7, flag [3, 2, 1]
         a: linear first order, homogeneous, not integrable
         b: linear first order, homogeneous, not integrable
         c: linear first order, homogeneous, not integrable
         u - 2*b*theta/r - v is constant",
    );
}

#[test]
fn flags_that_grow() {
    // Engel: dy − z dx, dz − w dx; Martinet's form in three variables
    check(
        "x y z w",
        "",
        &["y' - z*x'", "z' - w*x'"],
        "n 4, rank 2, freedoms 2, constants 6, flag [2, 1, 0]
         a: linear first order, homogeneous, not integrable
         b: linear first order, homogeneous, not integrable",
    );
    check(
        "x y z",
        "",
        &["z' - y^2*x'"],
        "n 3, rank 1, freedoms 2, constants 5, flag [1, 0]
         a: linear first order, homogeneous, not integrable",
    );
    // two groups of coordinates
    check(
        "x y z u v",
        "",
        &["x' - y*z'", "u' - v'"],
        "n 5, rank 2, freedoms 3, constants 8, flag [2, 1]
         a: linear first order, homogeneous, not integrable
         b: linear first order, homogeneous, integrable
         u - v is constant: b",
    );
}

#[test]
fn time_is_a_coordinate_of_the_forms() {
    check(
        "x y",
        "",
        &["x' - t"],
        "n 2, rank 1, freedoms 1, constants 3, flag [1]
         a: linear first order, rheonomic, integrable
         x - t^2/2 is constant: a",
    );
    check(
        "x y",
        "",
        &["x' - y"],
        "n 2, rank 1, freedoms 1, constants 3, flag [1, 0]
         a: linear first order, affine, not integrable",
    );
}

#[test]
fn the_flag_is_that_on_the_geometric_rows() {
    // where z = 0 the row says x' = 0, elsewhere it is nonholonomic
    check(
        "x y z w",
        "",
        &["z", "x' - z*w*y'"],
        "n 4, rank 2, freedoms 2, constants 5, flag [1]
         a: geometric, integrable
         b: linear first order, homogeneous, integrable
         x is constant: b",
    );
}

#[test]
fn rows_that_the_flag_leaves_out() {
    // Appell–Hamel, and an acceleration program
    check(
        "x y z",
        "a",
        &["x'^2 + y'^2 - a^2*z'^2", "z'' + y'*x"],
        "n 3, rank 2, freedoms 1, constants 5, flag []
         a: nonlinear first order
         b: linear second order",
    );
    check(
        "x y",
        "",
        &["x''^2 - y''"],
        "n 2, rank 1, freedoms 1, constants 4, flag []
         a: nonlinear second order",
    );
}

#[test]
fn a_disc_with_its_height_as_a_coordinate() {
    // no slip at the lowest point: v + ω × ρ = 0 with ρ = −r (up − axis (up·axis))/cos(lean)
    check_at(
        &[("z", 0.8), ("r", 1.0), ("lean", 0.8f64.acos())],
        "x y z yaw lean spin",
        "r",
        &[
            "z - r*cos(lean)",
            "x' + r*(yaw'*sin(lean) + spin')*cos(yaw) + r*lean'*cos(lean)*sin(yaw)",
            "y' + r*(yaw'*sin(lean) + spin')*sin(yaw) - r*lean'*cos(lean)*cos(yaw)",
            "z' + r*lean'*sin(lean)",
        ],
        "n 6, rank 3, freedoms 3, constants 8, flag [2, 1, 0]
         a: geometric, integrable
         b: linear first order, homogeneous, not integrable
         c: linear first order, homogeneous, not integrable
         d: linear first order, homogeneous, integrable
         d = 1*a",
    );
}

#[test]
fn a_truck_with_trailers() {
    // each axle has a blade; the flag loses one dimension a step (Laumond, Jean)
    let _scope = Scope::with_seed(1);
    let trailers = 4;
    let angles: Vec<String> = (0..=trailers).map(|k| format!("a{k}")).collect();
    let (_, space) = given(&format!("x y {}", angles.join(" ")), "", &[]);
    let d = |e: Expr| expr::total_derivative(e).unwrap();
    let (mut x, mut y) = (space.q[0], space.q[1]);
    let mut rows = Vec::new();
    for (k, &a) in space.q[2..].iter().enumerate() {
        rows.push(Row { name: format!("axle {k}"), f: d(x) * a.sin() - d(y) * a.cos() });
        (x, y) = (x - a.cos(), y - a.sin());
    }
    // the hitch of trailer k lies on the axle of trailer k − 1
    let report = analyse(&rows, &space, &At::generic()).unwrap();
    assert_eq!(report.integrability.flag, [5, 4, 3, 2, 1, 0]);
}

#[test]
fn a_ball_on_a_turntable() {
    // angular velocity of the ball by the rates of three angles, table turning at rate w
    check(
        "x y a b c",
        "r w",
        &["x' - r*(b'*cos(a) + c'*sin(a)*sin(b)) + w*y", "y' + r*(b'*sin(a) - c'*cos(a)*sin(b)) - w*x"],
        "n 5, rank 2, freedoms 3, constants 8, flag [2, 0]
         a: linear first order, affine, not integrable
         b: linear first order, affine, not integrable",
    );
}

// ---- rank

#[test]
fn duplicates() {
    check(
        "x y",
        "",
        &["x' - y'", "x' - y'", "2*y' - 2*x'"],
        "n 2, rank 1, freedoms 1, constants 3, flag [1]
         a: linear first order, homogeneous, integrable
         b: linear first order, homogeneous, integrable
         c: linear first order, homogeneous, integrable
         b = 1*a
         c = -2*a
         x - y is constant: a",
    );
    check(
        "x y",
        "",
        &["cos(x)*x' - y'*sin(x)", "x'*cos(x)^2 - y'*sin(2*x)/2"],
        "n 2, rank 1, freedoms 1, constants 3, flag [1]
         a: linear first order, homogeneous, integrable
         b: linear first order, homogeneous, integrable
         b = cos(x)*a
         exp(-y)*sin(x) is constant: a",
    );
    // a rate row that repeats a geometric one, which was written later
    check(
        "x y",
        "",
        &["x*x' + y*y'", "x^2 + y^2 - 1"],
        "n 2, rank 1, freedoms 1, constants 2, flag [0]
         a: linear first order, homogeneous, integrable
         b: geometric, integrable
         a = 1/2*b",
    );
    // and an acceleration row that repeats both
    check(
        "x y",
        "",
        &["x'' + y''", "x' + y' - t", "x + y - t^2/2"],
        "n 2, rank 1, freedoms 1, constants 2, flag [0]
         a: linear second order
         b: linear first order, rheonomic, integrable
         c: geometric, integrable
         b = 1*c
         a against 1*c: 0 = 1",
    );
}

#[test]
fn conflicts() {
    check(
        "x y",
        "",
        &["x' - 1", "x' - 2"],
        "n 2, rank 1, freedoms 1, constants 3, flag [1]
         a: linear first order, affine, integrable
         b: linear first order, affine
         b against 1*a: 0 = -1
         x - t is constant: a",
    );
    check(
        "x y",
        "",
        &["x - 1", "x - 2"],
        "n 2, rank 1, freedoms 1, constants 2, flag []
         a: geometric, integrable
         b: geometric, integrable
         b against 1*a: 0 = -1",
    );
    check(
        "x y",
        "",
        &["x - t", "x - 2*t"],
        "n 2, rank 1, freedoms 1, constants 2, flag []
         a: geometric, integrable
         b: geometric, integrable
         b against 1*a: 0 = -t",
    );
    check(
        "x y",
        "a b",
        &["x' - a", "x' - b", "a - b"],
        "n 2, rank 1, freedoms 1, constants 3, flag [1]
         a: linear first order, affine, integrable
         b: linear first order, affine
         c: without coordinates
         c: 0 = a - b
         b against 1*a: 0 = a - b
         x - a*t is constant: a",
    );
    check_at(
        &[("a", 2.0), ("b", 2.0)],
        "x y",
        "a b",
        &["x' - a", "x' - b", "a - b"],
        "n 2, rank 1, freedoms 1, constants 3, flag [1]
         a: linear first order, affine, integrable
         b: linear first order, affine, not integrable
         c: without coordinates
         c says nothing
         b ~ 1*a
         x - a*t is constant: a",
    );
}

#[test]
fn conditions_that_nobody_wrote_down() {
    check(
        "x y z",
        "",
        &["x' - y", "x' - z"],
        "n 3, rank 1, freedoms 2, constants 5, flag [1, 0]
         a: linear first order, affine, not integrable
         b: linear first order, affine
         b and 1*a imply 0 = y - z",
    );
}

#[test]
fn geometric_rows_that_depend_on_each_other_by_value() {
    check(
        "x y",
        "",
        &["x^2 + y^2 - 1", "(x^2 + y^2)^2 - 1"],
        "n 2, rank 1, freedoms 1, constants 2, flag []
         a: geometric, integrable
         b: geometric, integrable
         b ~ 2*(x^2 + y^2)*a",
    );
    check(
        "x y",
        "",
        &["x^2 + y^2 - 1", "(x^2 + y^2)^2 - 4"],
        "n 2, rank 1, freedoms 1, constants 2, flag []
         a: geometric, integrable
         b: geometric, integrable
         b against 2*(x^2 + y^2)*a: 0 = ?",
    );
    check(
        "x y",
        "",
        &["x^2 + y^2 + 1"],
        "n 2, rank 1, freedoms 1, constants 2, flag []
         a: geometric, integrable
         no state: a",
    );
}

#[test]
fn a_parallelogram_with_a_third_bar() {
    // a platform (x, y, angle) on three equal parallel bars: the third follows from two
    let bar = |k: i64| format!("(x + {k}*cos(a) - {k})^2 + (y + {k}*sin(a))^2 - 1");
    check_at(
        &[("x", 0.6), ("y", 0.8), ("a", 0.0)],
        "x y a",
        "",
        &[&bar(0), &bar(1), &bar(2)],
        "n 3, rank 2, freedoms 1, constants 2, flag []
         a: geometric, integrable
         b: geometric, integrable
         c: geometric, integrable
         c ~~ a b",
    );
}

#[test]
fn states_that_are_singular() {
    check_at(
        &[("x", 0.0)],
        "x y",
        "",
        &["x^2"],
        "n 2, rank 1, freedoms 1, constants 2, flag []
         a: geometric, integrable
         singular everywhere: a on [], 0 of 1",
    );
    check_at(
        &[("x", 0.0), ("y", 0.0)],
        "x y",
        "",
        &["x^2 - y^2"],
        "n 2, rank 1, freedoms 1, constants 2, flag []
         a: geometric, integrable
         singular: a on [], 0 of 1",
    );
    // the tip of 11.7: rod of length 2 from the wall (0, v) to the ellipse at its vertex (2, 1)
    let tip = ["x^2/4 + (y - 1)^2 - 1", "x^2 + (y - v)^2 - 4"];
    let regular = "n 3, rank 2, freedoms 1, constants 2, flag []
         a: geometric, integrable
         b: geometric, integrable";
    check_at(&[("x", 2f64.sqrt()), ("y", 1.0 - 0.5f64.sqrt()), ("v", 1.0 + 0.5f64.sqrt())], "x y v", "", &tip, regular);
    let singular = format!("{regular}\nsingular: b on [a], 1 of 2");
    check_at(&[("x", 2.0), ("y", 1.0), ("v", 1.0)], "x y v", "", &tip, &singular);
    // cos(π/2) is a zero with rounding errors
    check_at(
        &[("x", std::f64::consts::FRAC_PI_2), ("y", 1.0)],
        "x y",
        "",
        &["cos(x)*x'"],
        "n 2, rank 1, freedoms 1, constants 3, flag [1]
         a: linear first order, homogeneous, integrable
         singular: a on [], 0 of 1
         x is constant: a",
    );
    check_at(
        &[("x", 0.0)],
        "x y",
        "",
        &["sqrt(x) - y"],
        "n 2, rank 1, freedoms 1, constants 2, flag []
         a: geometric, integrable
         undefined here: a",
    );
}

#[test]
fn no_freedom_is_left() {
    check(
        "x",
        "",
        &["x - sin(t)"],
        "n 1, rank 1, freedoms 0, constants 0, flag []
         a: geometric, integrable
         no freedom",
    );
}

#[test]
fn counts() {
    let _scope = Scope::with_seed(1);
    let (rows, space) = given("x y z", "a", &["x^2 + y^2 + z^2 - a^2", "x*y' - y*x'", "z'' - 1"]);
    let report = analyse(&rows, &space, &At::generic()).unwrap();
    assert_eq!((report.rank_geometric, report.rank_rates, report.rank), (1, 2, 3));
    assert_eq!((report.unknowns, report.equations, report.constants), (6, 6, 3));
    assert_eq!(report.integrability.left_out, [2]);
}

#[test]
fn rows_in_other_units_are_judged_alike() {
    // a row in picometres beside one in metres vanishes only beside the largest of all
    let unit = [("x", 0.5), ("y", 0.5)];
    let expected = "n 3, rank 2, freedoms 1, constants 2, flag []
         a: geometric, integrable
         b: geometric, integrable";
    check_at(&unit, "x y z", "", &["x + y - 1", "(x - y)/10^12"], expected);
    // and the shortest step onto both meets both, not the larger one alone
    check_at(&[("x", 0.0), ("y", 0.0)], "x y z", "", &["10^8*(x + y - 1)", "x - y - 1/2"], expected);
}

// ---- displacements, velocities, accelerations

#[test]
fn motions() {
    let _scope = Scope::with_seed(1);
    let (rows, space) = given("x y phi", "r", &["y - r - t^2", "x' - y*phi' + t"]);
    let report = analyse(&rows, &space, &At::generic()).unwrap();
    let [x, y, phi] = [0, 1, 2].map(|k| space.q[k]);
    let basis = virtual_displacements(&rows, &space, &report, &[], &At::generic()).unwrap();
    assert_eq!(basis.len(), 1);
    assert!(basis[0][1].is_zero() && basis[0][0].is_same(y * basis[0][2]), "{basis:?}");
    let velocities = possible_velocities(&rows, &space, &report, &At::generic()).unwrap();
    let put = |set: &AffineSet, e: Expr| set.solved.apply_one(e).unwrap();
    assert_eq!((velocities.free.len(), velocities.equations.len()), (1, 2));
    let t = space.t;
    assert!(put(&velocities, space.rates[1]).is_same(2 * t));
    assert!(put(&velocities, space.rates[0] - y * space.rates[2] + t).is_zero());
    let accelerations = possible_accelerations(&rows, &space, &report, &At::generic()).unwrap();
    assert!(put(&accelerations, space.accelerations[1]).is_same(expr::integer(2)));
    let second = space.accelerations[0] - y * space.accelerations[2] - space.rates[1] * space.rates[2] + 1;
    assert!(put(&accelerations, second).is_zero());
    let _ = (x, phi);
}

#[test]
fn nonlinear_rows_enter_accelerations_only() {
    let _scope = Scope::with_seed(1);
    let (rows, space) = given("x y", "c", &["x'^2 + y'^2 - c^2"]);
    let report = analyse(&rows, &space, &At::generic()).unwrap();
    assert_eq!(possible_velocities(&rows, &space, &report, &At::generic()).unwrap().left_out, [0]);
    let accelerations = possible_accelerations(&rows, &space, &report, &At::generic()).unwrap();
    let [a, b] = [0, 1].map(|k| space.rates[k] * space.accelerations[k]);
    assert!(accelerations.solved.apply_one(a + b).unwrap().is_zero());
    assert_eq!(virtual_displacements(&rows, &space, &report, &[], &At::generic()).unwrap().len(), 1);
}

// ---- size

/// A closed net: `count` points on a circle in the plane, each joined to the next by a rod; and that state.
fn net(count: usize) -> (Vec<Row>, Space, At) {
    let name = |axis: &str, k: usize| coordinate(&format!("{axis}[{}]", k % count));
    let q: Vec<Expr> = (0..count).flat_map(|k| [name("x", k), name("y", k)]).collect();
    let l = parameter("l");
    let rod = |k: usize| {
        let (dx, dy) = (name("x", k + 1) - name("x", k), name("y", k + 1) - name("y", k));
        Row { name: format!("rod[{k}]"), f: dx.pow(2) + dy.pow(2) - l.pow(2) }
    };
    let space = Space::new(&q).unwrap();
    let rows = (0..count).map(rod).collect();
    let turn = std::f64::consts::TAU / count as f64;
    let mut state = vec![(l, 2.0 * (turn / 2.0).sin())];
    state.extend((0..count).map(|k| (name("x", k), (turn * k as f64).cos())));
    state.extend((0..count).map(|k| (name("y", k), (turn * k as f64).sin())));
    (rows, space, At::new(&state))
}

/// A rate row that reaches through all links of a chain: the flag's first step decides.
#[test]
fn a_blade_at_the_end_of_a_chain() {
    let _scope = Scope::with_seed(1);
    let a: Vec<Expr> = (0..200).map(|k| coordinate(&format!("a[{k}]"))).collect();
    let space = Space::new(&a).unwrap();
    let (x, y) = (a.iter().map(|a| a.cos()).sum(), a.iter().map(|a| a.sin()).sum());
    let [vx, vy] = [x, y].map(|e: Expr| expr::total_derivative(e).unwrap());
    let blade = Row { name: "blade".to_owned(), f: vx * a[199].sin() - vy * a[199].cos() };
    let slot = Row { name: "slot".to_owned(), f: vy };
    let report = analyse(&[blade], &space, &At::generic()).unwrap();
    assert_eq!((report.rows[0].integrable, report.integrability.flag), (Some(false), vec![1, 0]));
    let report = analyse(&[slot], &space, &At::generic()).unwrap();
    assert_eq!((report.rows[0].integrable, report.integrability.flag), (Some(true), vec![1]));
    assert!(report.integrability.integrals[0].f.is_same(y));
}

#[test]
fn large_systems_are_analysed() {
    let _scope = Scope::with_seed(1);
    let (mut rows, space, at) = net(300);
    let report = analyse(&rows, &space, &at).unwrap();
    assert_eq!((report.rank, report.degrees_of_freedom, report.findings.len()), (300, 300, 0));
    // with a rod that was written twice, and a rate row
    rows.push(Row { name: "again".to_owned(), f: 2 * rows[17].f });
    rows.push(Row { name: "rate".to_owned(), f: space.rates[3] - space.rates[8] });
    let report = analyse(&rows, &space, &at).unwrap();
    assert_eq!((report.redundant(), report.degrees_of_freedom), (vec![300], 299));
    assert_eq!((report.integrability.dimension, report.rows[301].integrable), (1, Some(true)));
    assert_eq!(report.integrability.integrals[0].f.to_string(), "y[1] - x[4]");
    let q: Vec<Expr> = (0..1000).map(|k| coordinate(&format!("a[{k}]"))).collect();
    assert_eq!(analyse(&[], &Space::new(&q).unwrap(), &at).unwrap().degrees_of_freedom, 1000);
}

/// Found by `cargo xtask fuzz`: expressions double with each step; brackets at random points tell all the same.
#[test]
fn a_flag_that_swells_is_found_at_points() {
    let rates = [
        "y*(x' - 2*sin(phi)*phi') - x",
        "x*y' - l*q' - y*q' - 2",
        "phi' - x*q' - z*z' - t",
        "z*phi' + t*(x' - 2*sin(phi)*phi') - x",
    ];
    let _scope = Scope::with_seed(1);
    let (rows, space) = given("x y z phi q", "l", &rates);
    let report = analyse(&rows, &space, &At::generic()).unwrap();
    assert_eq!((report.rank, report.integrability.undecided), (4, vec![]));
    assert_eq!((report.integrability.flag, report.integrability.dimension), (vec![4, 3, 1, 0], 0)); // two directions in six: they grow 2, 3, 5, 6
}

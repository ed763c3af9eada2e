//! Models as text in, what is found as text out.

use super::*;
use engine::{Alone, Settings};

/// What is found of a model as it stands.
fn check(settings: &Settings, show: Option<Show>) -> Result<Check, Error> {
    super::check(&engine::load(settings)?, &Inspect { show }, &mut Alone)
}

/// What is checked of a model without units, under a name of its own.
fn checked(text: &str) -> Check {
    check(&Settings::new("test.mech", text), None).unwrap_or_else(|error| panic!("{error}"))
}

/// Classes, counts, findings and contradictions, a line each.
fn told(text: &str) -> Vec<String> {
    let check = checked(text);
    let mut lines = vec![format!(
        "rank {}, freedoms {}, constants {}, integrable {}",
        check.rank,
        check.degrees_of_freedom,
        check.constants.map_or("not counted".to_owned(), |count| count.to_string()),
        check.integrable_dimension
    )];
    for row in &check.constraints {
        let integrable = match row.integrable {
            _ if row.order != Some(1) => "",
            Some(true) => ", integrable",
            Some(false) => ", nonholonomic",
            None => "",
        };
        let standing = format!("{:?}", row.standing).to_lowercase();
        let standing = if row.standing == Standing::Acts { String::new() } else { format!(" ({standing})") };
        lines.push(format!("{}: {}{integrable}{standing}", row.full_name(), row.class));
    }
    for integral in &check.integrals {
        let value = integral.value.map_or("?".to_owned(), expr::decimal);
        lines.push(format!(
            "integral of {}: {} = {value}",
            integral.of.as_deref().unwrap_or("several"),
            integral.formula
        ));
    }
    lines.extend(check.findings.iter().map(|finding| format!("{}: {}", finding.kind, finding.message)));
    lines.extend(check.start.contradictions.iter().map(|contradiction| contradiction.message.clone()));
    lines.push(if check.fine { "fine" } else { "not fine" }.to_owned());
    lines
}

#[track_caller]
fn expect_told(text: &str, expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(told(text), expected, "\n{}\n", told(text).join("\n"));
}

// ---- integrability

#[test]
fn a_rolling_disc_is_nonholonomic_and_a_cylinder_in_a_plane_is_not() {
    let disc = check(&Settings::gallery("rolling-disc").unwrap(), None).unwrap();
    let integrable: Vec<Option<bool>> = disc.constraints.iter().map(|row| row.integrable).collect();
    assert_eq!(integrable, [Some(true), Some(false), Some(false)]);
    // contact is built in: the vertical component of the no-slip vector is dropped with a note
    let hoop = check(&Settings::gallery("hoop").unwrap(), None).unwrap();
    assert_eq!(hoop.constraints.len(), 2);
    assert!(hoop.remarks[0].contains("the component z of `noslip` holds identically"), "{:?}", hoop.remarks);
    expect_told(
        "coord z\ncoord a : rad\nconstraint up: (z - z)' = 0\nconstraint turn: a' = 0\nstart a = 1 rad",
        "rank 1, freedoms 1, constants 3, integrable 1
        up: identically satisfied (idle)
        turn: linear first order, homogeneous, integrable
        integral of turn: a = 1
        fine",
    );
    expect_told(
        "param r = 0.5 m\ncoord x : m\ncoord phi : rad\nconstraint roll: x' = r*phi'\nstart x = 1 m",
        "rank 1, freedoms 1, constants 3, integrable 1
        roll: linear first order, homogeneous, integrable
        integral of roll: x - r*phi = 1
        fine",
    );
}

#[test]
fn rows_become_integrable_beside_others() {
    expect_told(
        "coord x, y, z\nconstraint a: x' = y*z'",
        "rank 1, freedoms 2, constants 5, integrable 0
        a: linear first order, homogeneous, nonholonomic
        fine",
    );
    expect_told(
        "coord x, y, z\nconstraint a: x' = y*z'\nconstraint b: y' = 0\nstart y = 2, z = 3, x = 1",
        "rank 2, freedoms 1, constants 4, integrable 2
        a: linear first order, homogeneous, integrable
        b: linear first order, homogeneous, integrable
        integral of b: y = 2
        integral of several: x - y*z = -5
        fine",
    );
}

#[test]
fn total_derivatives_and_integrating_factors_of_one_variable() {
    expect_told(
        "coord x, y\nconstraint a: x*y' + y*x' = 0\nstart x = 2, y = 3",
        "rank 1, freedoms 1, constants 3, integrable 1
        a: linear first order, homogeneous, integrable
        integral of a: x*y = 6
        fine",
    );
    expect_told(
        "coord x, y\nconstraint a: y' + 2*x*y*x' = 0\nstart x = 0, y = 3",
        "rank 1, freedoms 1, constants 3, integrable 1
        a: linear first order, homogeneous, integrable
        integral of a: y*exp(x^2) = 3
        fine",
    );
}

// ---- rank

#[test]
fn each_trouble_has_a_message_of_its_own() {
    expect_told(
        "coord x, y : m\nconstraint a: x + y = 2 m\nconstraint b: 2*x + 2*y = 4 m\nconstraint c: x' + y' = 0",
        "rank 1, freedoms 1, constants 2, integrable 0
        a: geometric
        b: geometric
        c: linear first order, homogeneous, integrable
        redundant: `b` follows from `a` times 2: it says nothing new
        redundant: `c` follows from `a`, differentiated in time: it says nothing new
        not fine",
    );
    expect_told(
        "coord x, y\nconstraint a: x*y = 0\nstart x = 0, y = 0",
        "rank 1, freedoms 1, constants 2, integrable 0
        a: geometric
        singular: this configuration is singular: the slope of `a` vanishes here, and only here (rank 0 instead of 1)
        fine",
    );
    expect_told(
        "coord x, y\nconstraint a: x^2 = 0",
        "rank 1, freedoms 1, constants 2, integrable 0
        a: geometric
        singular: wherever the constraints hold nearby, the slope of `a` vanishes (rank 0 instead of 1): what it says of rates is not seen
        fine",
    );
    expect_told(
        "coord x, y\nconstraint a: x + y = 2\nconstraint b: x + y = 3\nstart x = 1",
        "rank 1, freedoms 1, constants 2, integrable 0
        a: geometric
        b: geometric
        conflict: `b` contradicts `a`: together they say 0 = -1
        `b` does not hold at the start: its two sides differ by -1; it does not go together with `a`, `x = 1`
        not fine",
    );
    expect_told(
        "coord x, y\nconstraint a: x = 1\nconstraint b: y = 2",
        "rank 2, freedoms 0, constants 0, integrable 0
        a: geometric
        b: geometric
        no_freedom: no freedom is left: `a` and `b` let nothing move
        fine",
    );
    expect_told(
        "coord x, y\nconstraint a: x = 1\nconstraint b: y = 2*t",
        "rank 2, freedoms 0, constants 0, integrable 0
        a: geometric
        b: geometric
        no_freedom: no freedom is left: `a` and `b` prescribe the motion
        fine",
    );
    expect_told(
        "coord x, y\nconstraint a: x' = y\nconstraint b: x' = 2*y",
        "rank 1, freedoms 1, constants 3, integrable 0
        a: linear first order, affine, nonholonomic
        b: linear first order, affine
        implies: `b` and `a` together imply a condition that nobody wrote down: -y = 0
        fine",
    );
}

#[test]
fn a_redundant_row_says_with_whom_it_shares_a_load() {
    let check = checked("coord x, y\nconstraint a: x + y = 2\nconstraint b: x + y = 2");
    assert_eq!(check.redundant, ["b"]);
    assert!(check.findings[0].hint.as_ref().unwrap().starts_with("`a` shares a load with `b`"), "{:?}", check.findings);
}

#[test]
fn constants_of_the_lecture_notes() {
    let constants = |name: &str| check(&Settings::gallery(name).unwrap(), None).unwrap().constants;
    assert_eq!((constants("line"), constants("sled")), (Some(2), Some(5)), "examples 5.2 and 5.7: 6N - 2r - s");
}

// ---- the start

#[test]
fn a_contradictory_start_is_named_with_its_amount() {
    expect_told(
        "param l = 1 m\ncoord x, y : m\nconstraint rod: x^2 + y^2 = l^2\nstart x = 0.6 m, y = 0.7 m, x' = 0, y' = 1 m/s",
        "rank 1, freedoms 1, constants 2, integrable 0
        rod: geometric
        `rod` does not hold at the start: its two sides differ by -0.15; it does not go together with `x = 0.6 m`, `y = 0.7 m`
        the rate of `rod` is not zero at the start: its two sides differ by 1.4; it does not go together with `x = 0.6 m`, `y = 0.7 m`, `x' = 0`, `y' = 1 m/s`
        not fine",
    );
}

#[test]
fn a_rigid_body_keeps_its_inertia() {
    // forms of energy and forms of momentum would not agree: (J p')' = 0 or J p'' = 0
    let body = |inertia: &str, mass: &str| {
        format!(
            "coord x, p\nframe B = N rotated z by p\nbody D mass {mass} at (x, 0) + 0.3*B.x frame B inertia {inertia}\nstart p' = 1"
        )
    };
    for (inertia, with) in [("2 - t", "`t`"), ("1 + x^2", "`x`"), ("3 about (x, 0)", "`t`")] {
        let check = checked(&body(inertia, if inertia.ends_with(')') { "2 - t" } else { "2" }));
        let said = format!("the inertia of `D` changes with {with}");
        assert!(!check.fine && check.findings.iter().any(|one| one.message.starts_with(&said)), "{:?}", check.findings);
    }
    assert!(checked(&body("1 + x - x", "2 - t")).fine);
}

#[test]
fn rates_that_are_rounding_contradict_nothing() {
    // what is left has no size of its own, but the lengths have
    let at = |rate: &str| {
        checked(&format!(
            "param l = 2 m\ncoord x, y : m\npoint P = (x, y) mass 1 kg\nconstraint rod: x^2 + y^2 = l^2\n\
             start x = l, y = 0, x' = {rate} m/s, y' = 0"
        ))
    };
    assert!(at("1e-42").start.contradictions.is_empty());
    for rate in ["1e-12", "1e-20"] {
        assert_eq!(at(rate).start.contradictions.len(), 1, "{rate}");
    }
}

#[test]
fn rows_that_only_touch_are_solved_by_the_others() {
    // a door on two hinges: that they stay 1.6 apart says cos r cos s = 1, from which r is found to half the digits
    let check = checked(
        "coord x1, y1, z1, p1, r1, s1\nframe B1 = N rotated z by p1, y by r1, x by s1\npoint C1 = (x1, y1, z1)\n\
         body D1 mass 20 at C1 frame B1 inertia (1.2, 3, 2.1)\npoint L1 = C1 - 0.4*B1.x\npoint U = L1 + 0.8*B1.z\n\
         point V = L1 - 0.8*B1.z\nconstraint up: U = (0, 0, 1.6)\nconstraint low: V = 0\nstart p1 = 0.3, p1' = 2\n\
         guess x1 = 0.4, z1 = 0.8",
    );
    assert!(check.start.contradictions.is_empty(), "{:?}", check.start.contradictions);
    assert!(check.start.residual.is_some_and(|left| left < 1e-13), "{:?}", check.start.residual);
}

#[test]
fn a_start_where_rows_touch_has_all_its_digits() {
    let at = |start: &str| checked(&format!("coord x, y : m\npoint P = (x, y) mass 1 kg\nstart {start}"));
    for (start, x, y) in [
        ("x^2 - 2 m*x + 1 m^2 = 0", 1.0, 0.0),
        ("x^2 + y^2 = 25 m^2, 3*x + 4*y = 25 m", 3.0, 4.0),
        ("sin(x/(1 m)) = 1", std::f64::consts::FRAC_PI_2, 0.0),
        ("x^4 - 2 m^2*x^2 + 1 m^4 = 0, y = 2*x", 1.0, 2.0),
        ("x^2 + y^2 = 1e6 m^2, 0.6*x + 0.8*y = 1e3 m", 600.0, 800.0),
        // a simple root beside another one is left alone
        ("x^2 - 2 m*x + 0.9999999999 m^2 = 0", 1.0 - 1e-5, 0.0),
        ("x^2 - 2 m*x + 0.999999999999 m^2 = 0", 1.0 - 1e-6, 0.0),
    ] {
        let check = at(start);
        for (name, should) in [("x", x), ("y", y)] {
            let found = check.start.values.get(name).copied().flatten().unwrap();
            let allowed = if start.contains("9999") { 1e-8 } else { 1e-14 };
            assert!((found - should).abs() <= allowed * should.abs().max(1.0), "{start}: {name} = {found}");
        }
        assert!(start.contains("9999") || check.findings.is_empty(), "{start}: {:?}", check.findings);
    }
    // a threefold root keeps some of its digits to itself, and that is said
    let check = at("x^3 - 3 m*x^2 + 3 m^2*x - 1 m^3 = 0");
    assert!(check.findings[0].message.contains("only some digits of `x`"), "{:?}", check.findings);
}

#[test]
fn one_sided_and_switched_constraints_count_while_they_act() {
    expect_told(
        "coord x, y : m
constraint floor: y >= 0
constraint wall: x <= 1 m
constraint later: x' = 0 from t >= 2 s
constraint now: x' = 0 until t >= 1 s
start x = 0.25 m",
        "rank 2, freedoms 0, constants 1, integrable 1
        floor: geometric (closed)
        wall: geometric (open)
        later: linear first order, homogeneous (later)
        now: linear first order, homogeneous, integrable
        integral of now: x = 0.25
        no_freedom: no freedom is left: `floor` and `now` prescribe the motion, while closed
        closed: `floor` is one-sided and closed at the start: it counts while it is closed
        open: `wall` is one-sided and open at the start with the gap 0.75: it is in no count
        later: `later` is switched on when t >= 2 s: it is in no count before
        until: `now` is switched off when t >= 1 s
        fine",
    );
    expect_told(
        "coord y : m\nconstraint floor: y >= 0\nstart y = -0.5 m",
        "rank 0, freedoms 1, constants 2, integrable 0
        floor: geometric (violated)
        `floor` is violated at the start: its gap is -0.5
        not fine",
    );
    expect_told(
        "coord y : m\nconstraint floor: y >= 0\nstart y' = -1 m/s",
        "rank 0, freedoms 1, constants 2, integrable 0
        floor: geometric (violated)
        `floor` is closed at the start, and its gap shrinks at the rate 1: an impact
        not fine",
    );
}

#[test]
fn a_quaternion_brings_its_norm_and_a_second_order_row_no_condition() {
    expect_told(
        "coord a, b, c, d\nframe B = N quaternion (a, b, c, d)",
        "rank 1, freedoms 3, constants 6, integrable 0
        B: geometric
        fine",
    );
    expect_told(
        "coord x\nconstraint program: x'' = x\nstart x = 1, x' = 3",
        "rank 1, freedoms 0, constants 2, integrable 0
        program: linear second order
        no_freedom: no freedom is left: `program` prescribes the motion
        fine",
    );
}

#[test]
fn values_that_are_missing_or_too_large() {
    let check = checked("param l : m\ncoord x, y : m\nconstraint rod: x^2 + y^2 = l^2\nstart x = l, y = 0");
    assert_eq!((check.start.missing, check.start.residual, check.fine), (vec!["l".to_owned()], None, true));
    expect_told(
        "param r = 1e200\ncoord x, y\nconstraint c: x^2 + y^2 = r^2\nstart x = 6e199",
        "rank 1, freedoms 1, constants 2, integrable 0
        c: geometric
        `c` does not hold at the start: its two sides differ by no number (too large, or divided by zero); it does not go together with `x = 6e199`
        not fine",
    );
}

#[test]
fn masses_inverse_lines_and_assumptions_are_looked_at() {
    let first = |text: &str| checked(text).findings.remove(0).message;
    let mass = first("param m = -2 kg\ncoord x : m\npoint P = (x, 0) mass m");
    assert_eq!(mass, "the mass of `P` is -2 kg at the start");
    let inverse = first("coord x : m\nspeed u = 2*x'\ninverse x' = u/4\nstart x' = 1 m/s");
    assert_eq!(inverse, "`inverse x' = …` does not undo the speeds: it gives 0.5 at the start, and x' is 1");
    assert_eq!(first("coord x\nassume x > 1\nstart x = 1"), "`assume x > 1` does not hold at the start");
    assert!(checked("coord x : m\nspeed u = 2*x'\ninverse x' = u/2\nstart x' = 1 m/s").findings.is_empty());
}

#[test]
fn what_is_not_treated_is_refused() {
    let error = check(&Settings::new("test.mech", "coord x\nconstraint c: x''' = 1"), None).unwrap_err().to_string();
    assert!(error.contains("third derivative") && error.contains("test.mech:2"), "{error}");
    let error = check(&Settings::gallery("sled").unwrap(), Some(Show::Expansion)).unwrap_err().to_string();
    assert!(error.contains("the model declares no contact"), "{error}");
}

#[test]
fn an_equation_is_never_blamed_for_a_one_sided_row() {
    // whichever is written first, and of whichever order
    for rail in ["y = 0", "y' = 0"] {
        let text = format!("constraint floor: y >= 0\nconstraint rail: {rail}");
        let check = checked(&format!("coord x, y\npoint P = (x, y) mass 1\n{text}"));
        assert_eq!(check.redundant, ["floor"], "{text}");
        assert!(check.findings[0].message.starts_with("`floor` follows from `rail`"), "{:?}", check.findings);
    }
    // a motion that is prescribed may lift off
    let lift = checked("coord x, y\npoint P = (x, y) mass 1\nconstraint floor: y >= 0\nconstraint lift: y = t^2");
    assert!(lift.fine && lift.findings[0].kind == Matter::Bound, "{:?}", lift.findings);
    // an inequality of rates has no integral
    let ratchet = checked("coord x\npoint P = (x, 0) mass 1\nconstraint a: x' >= 0");
    assert_eq!((ratchet.constraints[0].integrable, ratchet.integrable_dimension), (None, 0));
    assert_eq!(ratchet.constraints[0].standing, Standing::Closed);
}

#[test]
fn constraints_that_are_switched_by_the_state_are_looked_at_there() {
    let text = "coord x\npoint P = (x, 0) mass 2\nconstraint v: x = 0 until t >= 1\nstart t = 2, x = 3";
    let check = checked(text);
    assert_eq!((check.constraints[0].standing, check.degrees_of_freedom, check.fine), (Standing::Over, 1, true));
    let check = checked("coord x\npoint P = (x, 0) mass 1\nconstraint a: x = 0 from x >= 1\nstart x = 2");
    assert_eq!(check.start.contradictions[0].misses_by, Some(2.0));
}

#[test]
fn a_condition_that_rows_imply_must_hold_at_the_start() {
    let text = "coord x, y\npoint P = (x, y) mass 1\nconstraint a: x'' = y\nconstraint b: x' = 2*t\nstart y = ";
    assert!(checked(&format!("{text}2")).fine);
    let check = checked(&format!("{text}1"));
    assert!(!check.fine && check.findings[0].kind == Matter::Implies, "{:?}", check.findings);
}

#[test]
fn what_cannot_be_is_found() {
    let kinds = |text: &str| checked(text).findings.iter().map(|finding| finding.kind.word()).collect::<Vec<_>>();
    let body = "coord a, b, c : rad\nframe R = N rotated z by a, x by b, z by c\nparam J = 1 kg*m^2
body D mass 1 kg at 0 frame R inertia (J, J, 3*J)\nstart b = 1 rad";
    assert_eq!(kinds(body), ["mass"]);
    assert!(kinds("coord x, y\npoint P = (x, y) mass 1\nconstraint c: abs(x) = y").contains(&"kink"));
    // at rest a wrong inverse gives the right rate
    assert_eq!(kinds("coord x\npoint P = (x, 0) mass 1\nspeed v = 2*x'\ninverse x' = v"), ["inverse"]);
    let error = check(&Settings::new("test.mech", "param m = 1"), None).unwrap_err().to_string();
    assert!(error.contains("no coordinates"), "{error}");
}

// ---- facts

/// The facts of a model: name, verdict, and what they wait for.
fn judged(text: &str) -> Vec<String> {
    let check = checked(text);
    let verdict = |expect: Expect| match (expect.holds, expect.waiting_for, expect.reason) {
        (Some(true), ..) => format!("{}: yes", expect.name),
        (Some(false), _, reason) => format!("{}: no, {}", expect.name, reason.unwrap_or_default()),
        (None, waiting, _) => format!("{}: {}", expect.name, waiting.unwrap_or_default()),
    };
    check.expects.into_iter().map(verdict).collect()
}

#[test]
fn facts_are_judged_or_wait_for_a_verb() {
    let wheel = "param r = 2 m, m = 1 kg
coord x : m
coord phi : rad
point P = (x, 0) mass m
constraint roll: x' = r*phi'
record turn when phi = 1 rad
start phi' = 3 rad/s
";
    let cases = [
        ("x' = 6 m/s at start", "yes"),
        ("x' = 5 m/s at start within 1e-9", "no, left is 6, right is 5: they differ by 1"),
        ("x' = 5.9 m/s at start within 0.2 m/s", "yes"),
        ("x' = 6.000000001 m/s at start", "no, left is 6, right is 6: they differ by 1.00000008e-9"),
        ("x' >= 6 m/s at start", "yes"),
        ("x' > 6 m/s at start", "no, left is 6, right is 6: they differ by 0"),
        ("x' != 6 m/s at start", "no, left is 6, right is 6: they differ by 0"),
        ("velocity(P) = (6 m/s, 0) at start", "yes"),
        ("x' = 6 m/s at t = 0", "yes"),
        ("x' = -2 m/s at phi' = -1 rad/s", "yes"),
        ("x = 1 m at phi' = 1 rad/s, x' = 5 m/s", "no, no such state: it contradicts `roll`"),
        ("freedoms = 1", "yes"),
        ("freedoms = 2", "no, there are 1"),
        ("x' = (2 m)*phi'", "yes"),
        ("x' = (3 m)*phi'", "no, not at phi' = 1"),
        ("x'' = r*phi''", "yes"),
        ("constant x - r*phi", "yes"),
        ("constant x'", "yes"),
        ("constant x", "no, its rate is not zero: not at phi' = 1"),
        ("x'' = 0", "yes"),
        ("x'' = x'/(1 s)", "no, not at phi' = 1"),
        ("x' > 0", "prove"),
        ("multiplier(roll) = 0", "yes"),
        ("multiplier(roll) = 0 at start", "yes"),
        ("multiplier(roll) = 1 N at start", "no, left is 0, right is 1: they differ by 1"),
        ("energy() = 18 J at start", "yes"),
        ("energy() = m*x'^2/2", "yes"),
        ("constant energy()", "yes"),
        ("x'' = 0 at start", "yes"),
        ("x = 6 m at t = 1 s within 1e-9", "yes"),
        ("x = 5 m at t = 1 s within 1e-9", "no, left is 6, right is 5: they differ by 1"),
        ("event turn at t = (1 s)/3", "yes"),
        ("event turn at t = 1 s", "no, left is 0.333333333, right is 1: they differ by 0.666666667"),
        ("equilibrium x = 0", "yes"),
    ];
    let lines = cases.iter().enumerate().map(|(k, case)| format!("expect f{k}: {}\n", case.0));
    let found = judged(&(wheel.to_owned() + &lines.collect::<String>()));
    let expected: Vec<String> = cases.iter().enumerate().map(|(k, case)| format!("f{k}: {}", case.1)).collect();
    for (found, (case, expected)) in found.iter().zip(cases.iter().zip(&expected)) {
        assert_eq!(found, expected, "{}", case.0);
    }
}

#[test]
fn facts_do_not_rest_on_constraints_that_may_be_open() {
    let floor = "coord x, y\npoint P = (x, y) mass 2\ngravity (0, -9)\nconstraint w: y >= 0\n";
    let facts = "expect a: y'' = 0 at x = 0, y = 1\nexpect b: y = 0\nexpect c: y'' = -9 at x = 0, y = 1
expect d: y'' = 0 at start\nexpect e: multiplier(w) = 18\nexpect f: x = 0 at y = -1\nexpect g: constant y
expect h: y'' = -9\nexpect i: multiplier(w) = 18 at start";
    assert_eq!(
        judged(&format!("{floor}{facts}")),
        [
            "a: no, left is -9, right is 0: they differ by 9",
            "b: prove",
            "c: yes",
            "d: yes",
            "e: prove",
            "f: no, no such state: `w` is violated there: its gap is -1",
            "g: integrals",
            "h: prove",
            "i: yes"
        ]
    );
    let up = floor.replace("-9", "9") + "expect a: y'' = 0 at start\nexpect b: constant y\nexpect c: y'' = 9 at start";
    assert_eq!(judged(&up), ["a: no, left is 9, right is 0: they differ by 9", "b: integrals", "c: yes"]);
    let free = "coord x\npoint P = (x, 0) mass 2\nconstraint v: x <= 1\nstart x = 0, x' = 1
expect a: constant x'\nexpect b: multiplier(v) = 0\nexpect c: x'' = 0 at start";
    assert_eq!(judged(free), ["a: integrals", "b: prove", "c: yes"]);
    let held = "coord x\npoint P = (x, 0) mass 2\nforce (10, 0) on P\nconstraint v: x = 0 until t >= 1
expect a: x'' = 5 at t = 2, x = 0\nexpect b: x = 0\nexpect c: x'' = 0 at start";
    assert_eq!(judged(held), ["a: yes", "b: prove", "c: yes"]);
}

#[test]
fn facts_without_numbers_are_compared_exactly() {
    let text = "param l, g : m\ncoord x : m\nstart x = 2*l\n";
    let facts = "expect a: x/2 = l at start\nexpect b: x = g at start\nexpect c: freedoms = 1\n";
    assert_eq!(judged(&format!("{text}{facts}")), ["a: yes", "b: a value of g, l", "c: yes"]);
}

#[test]
fn facts_that_rest_on_geometric_constraints() {
    let text = "coord x, y, z\nconstraint circle: x^2 + y^2 = 1\nconstraint plane: z = 2*x\nstart x = 0.6, y = 0.8\n";
    let facts = "expect a: x^2 + y^2 = 1\nexpect b: z = 2*x\nexpect c: x*x' + y*y' = 0\nexpect d: z = 3*x\nexpect e: y^2 = 1 - z^2/4\n";
    let verdicts = |text: &str| {
        let short = |line: String| line.split(',').next().unwrap_or_default().to_owned();
        judged(text).into_iter().map(short).collect::<Vec<_>>()
    };
    assert_eq!(verdicts(&format!("{text}{facts}")), ["a: yes", "b: yes", "c: yes", "d: no", "e: yes"]);
    let pendulum = "coord x, y\npoint P = (x, y) mass 1\ngravity (0, -9.81)\nconstraint rod: x^2 + y^2 = 4
guess y = -2\nexpect a: x*x' = 0\nexpect b: x*y'' - y*x'' = 9.81*x\nexpect c: x*y'' - y*x'' = -9.81*x
expect d: constant x^2\nexpect e: constant energy()\nexpect f: y*y' = -x*x'";
    assert_eq!(verdicts(pendulum), ["a: no", "b: no", "c: yes", "d: no", "e: yes", "f: yes"]);
    let text = "coord x, z\nconstraint plane: z = 2*x\nexpect b: z = 2*x\nexpect d: z = 3*x\n";
    assert_eq!(judged(text), ["b: yes", "d: no, not at x = 1/2, z = 1"]);
}

#[test]
fn a_state_in_place_of_the_start() {
    let mut settings = Settings::gallery("neutral-curve").unwrap();
    settings.at = Some("theta = 0.2, xA = 0".to_owned());
    let check = check(&settings, None).unwrap();
    assert!(check.start.elsewhere && check.fine);
    assert_eq!(check.start.given, ["xA", "theta"]);
    let angle = check.expects.iter().find(|expect| expect.text.contains("at start") && expect.waiting_for.is_some());
    assert!(angle.is_some(), "{:?}", check.expects);
}

// ---- motions

#[test]
fn possible_motions() {
    let shown = |text: &str, show: Show| {
        let shown = check(&Settings::new("test.mech", text), Some(show)).unwrap().shown.unwrap();
        [shown.solved, shown.free, shown.left_out].concat().join("; ")
    };
    let wheel = "param r = 1\ncoord x, phi\nconstraint roll: x' = r*phi' + t";
    assert_eq!(shown(wheel, Show::Displacements), "δx = r, δphi = 1");
    assert_eq!(shown(wheel, Show::Velocities), "x' = r*phi' + t; phi'");
    assert_eq!(shown(wheel, Show::Accelerations), "x'' = r*phi'' + 1; phi''");
    let cone = "coord x, y\nconstraint speed: x'^2 + y'^2 = 1\nstart y' = 0.6";
    assert_eq!(shown(cone, Show::Velocities), "x'; y'; speed");
}

/// The published laws of the gallery, by accelerations and multipliers of every form that gives both.
#[test]
fn closed_forms_come_out_of_every_form() {
    // a wrong sign in one formalism makes its own rows fail here, and no others
    let mut failures = Vec::new();
    let mut proved = 0;
    for example in engine::GALLERY.iter().filter(|example| example.name != "chain" && !example.is_theorem()) {
        let loaded = engine::load(&Settings::gallery(example.name).unwrap()).unwrap();
        let _in = loaded.enter();
        let space = Space::new(&loaded.system.q()).unwrap();
        let acting = rows::acting(&loaded).unwrap();
        let report = constraint::analyse(&acting.always, &space, &loaded.at).unwrap();
        let freedoms = report.degrees_of_freedom;
        let judge = Judge::new(&loaded, &acting.always, &space, &report, freedoms, acting.is_complete(&loaded));
        let on_every_motion = |statement: &&mechanics::Statement| {
            matches!(statement.fact, mechanics::Fact::Relation { at: None, .. } | mechanics::Fact::Constant { .. })
        };
        let laws: Vec<_> = loaded.system.statements.iter().filter(on_every_motion).collect();
        let known: Vec<bool> = laws.iter().map(|law| judge.judge(law).holds == Some(true)).collect();
        for formalism in mechanics::formalism::FORMALISMS.iter().filter(|formalism| !formalism.stranger) {
            let Some(by_form) = judge.by(formalism) else { continue };
            // What nobody proves yet needs the geometric constraints themselves.
            for (law, _) in laws.iter().zip(&known).filter(|(_, known)| **known) {
                proved += 1;
                if by_form.judge(law).holds != Some(true) {
                    failures.push(format!("{}: {} by {}", example.name, law.name, formalism.name));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
    assert!(proved > 300, "{proved}");
}

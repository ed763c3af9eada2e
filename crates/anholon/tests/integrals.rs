//! What is constant: published integrals are found and proved, candidates that are a little off are refuted.

mod ask;

use anholon::answer::{Constancy, Outcome};
use anholon::{Integrals, Settings};
use ask::integrals;

fn found(settings: &Settings) -> Integrals {
    integrals(settings, &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn gallery(name: &str) -> Settings {
    Settings::gallery(name).unwrap()
}

fn lines(found: &Integrals) -> Vec<String> {
    let line = |one: &anholon::answer::Integral| {
        assert!(one.proved, "{one:?}");
        let only = one.reason.as_ref().map_or("", |_| " (values of the model)");
        format!("{}: {}{only}", one.kind, one.text)
    };
    found.integrals.iter().map(line).collect()
}

fn check(name: &str, expected: &[&str]) {
    assert_eq!(lines(&found(&gallery(name))), expected, "{name}");
}

/// What became of a candidate, with its rate at the witness.
fn test(settings: &Settings, candidate: &str) -> (String, Option<f64>) {
    let answer = integrals(settings, &[candidate.to_owned()]).unwrap_or_else(|error| panic!("{candidate}: {error}"));
    let one = &answer.integrals[0];
    let verdict = one.verdict.unwrap();
    let is = |outcome| answer.outcome == outcome;
    let became = (is(Outcome::Proved), is(Outcome::Refuted));
    assert_eq!(became, (one.proved, verdict == Constancy::Changes), "{candidate}");
    (verdict.to_string(), one.witness.as_ref().map(|witness| witness.residual))
}

fn proved(name: &str, candidates: &[&str]) {
    for candidate in candidates {
        assert_eq!(test(&gallery(name), candidate), ("constant".to_owned(), None), "{name}: {candidate}");
    }
}

fn refuted(name: &str, candidates: &[&str]) {
    for candidate in candidates {
        let (verdict, rate) = test(&gallery(name), candidate);
        assert_eq!(verdict, "not constant", "{name}: {candidate}");
        assert!(rate.is_some_and(|rate| rate.abs() > 1e-9), "{name}: {candidate} has the rate {rate:?}");
    }
}

#[test]
fn what_holds_nothing_but_inputs_is_no_integral() {
    // w = 0 while nobody sets it, and k*w*(2*z - w) was told to be constant
    let wheel = "param m = 600 kg, k = 20 kN/m, c = 1500 N*s/m
coord z : m
input w : m = 0
point P = (z, 0) mass m
potential k*(z - w)^2/2
dissipation c*(z' - w')^2/2
start z = 0.05 m
";
    assert_eq!(lines(&found(&Settings::new("wheel", wheel))), Vec::<String>::new());
}

#[test]
fn dobronravov_has_its_linear_ones() {
    // the third is not in the book: b times the momentum along q2 turns into that about the axis of q2
    check(
        "dobronravov",
        &[
            "energy: m*(q1'^2 + q2'^2 + q3'^2)/2",
            "linear: q3'",
            "linear: q2'*sqrt(q3^2/b^2 + 1)",
            "linear: m*(q3*q1' - q1*q3' + b*q2')",
        ],
    );
    proved("dobronravov", &["q3'", "q2'*sqrt(1 + q3^2/b^2)", "energy()", "m*(q1'^2 + q2'^2)"]);
    refuted(
        "dobronravov",
        &["q2'", "q1'", "q2'*sqrt(1 + 2*q3^2/b^2)", "q2'*sqrt(1 - q3^2/(9*b^2))", "q3*q3'", "q1'^2"],
    );
}

#[test]
fn eulers_top_keeps_energy_and_angular_momentum() {
    check(
        "euler-top",
        &[
            "energy: (A*p^2 + B*q^2 + C*r^2)/2",
            "angular momentum: (C*r*sin(theta) - (A*p*sin(phi) + B*q*cos(phi))*cos(theta))*sin(psi) + (A*p*cos(phi) - B*q*sin(phi))*cos(psi)",
            "angular momentum: (A*p*cos(phi) - B*q*sin(phi))*sin(psi) + ((A*p*sin(phi) + B*q*cos(phi))*cos(theta) - C*r*sin(theta))*cos(psi)",
            "momentum: C*r*cos(theta) + (A*p*sin(phi) + B*q*cos(phi))*sin(theta)",
        ],
    );
    proved("euler-top", &["angular_momentum((0, 0, 0))", "A^2*p^2 + B^2*q^2 + C^2*r^2"]);
    refuted("euler-top", &["A*p^2 + B*q^2 - C*r^2", "A^2*p^2 + B^2*q^2", "p", "A*p^2 + 2*B*q^2 + C*r^2"]);
}

#[test]
fn energies_of_rolling_and_sliding_bodies() {
    check("hoop", &["energy: (m*a^2 + A)*p^2/2 + A*q^2/2 + (m*a^2 + C)*r^2/2 + m*g*a*sin(theta)"]);
    check("chaplygin-sleigh", &["energy: m*u^2/2 + J*w^2/2"]);
    refuted("hoop", &["C*r^2/2 + m*a^2*(p^2 + r^2)/2 - m*g*a*sin(theta) + A*(p^2 + q^2)/2", "r"]);
    refuted("chaplygin-sleigh", &["m*u^2/2 - J*w^2/2", "u", "w"]);
}

#[test]
fn a_double_pendulum_has_its_energy_and_nothing_linear() {
    let found = found(&gallery("double-pendulum"));
    assert_eq!(found.integrals.iter().map(|one| one.kind.word()).collect::<Vec<_>>(), ["energy"]);
    refuted("double-pendulum", &["energy() + 0.01*m1*l1^2*a1'^2", "a1'", "a2'"]);
}

#[test]
fn momenta_survive_where_the_constraints_let_them() {
    check(
        "cart-pendulum",
        &[
            "energy: (M + m)*x'^2/2 + m*l*x'*phi'*cos(phi) + m*l^2*phi'^2/2 - m*g*l*cos(phi)",
            "momentum: (M + m)*x' + m*l*phi'*cos(phi)",
        ],
    );
    check("spherical-pendulum", &["energy: m*(x'^2 + y'^2 + z'^2)/2 + m*g*z", "angular momentum: m*(x*y' - y*x')"]);
    // x is cyclic, but its direction is no virtual displacement
    refuted("chaplygin-sleigh", &["momentum().x", "angular_momentum((0, 0, 0)).z"]);
}

#[test]
fn jacobi_takes_the_place_of_the_energy_where_something_is_driven() {
    let governor = found(&gallery("governor"));
    assert_eq!(
        lines(&governor),
        ["jacobi: l^2*phi'^2*(2*m1*sin(phi)^2 + m) - m*l^2*Omega^2*sin(phi)^2 - 2*(m + m1)*g*l*cos(phi)"]
    );
    assert_eq!(governor.no_energy, ["the constraint `drive` may do work, since it is not homogeneous in the rates"]);
    let bead = found(&gallery("rotating-parabola"));
    assert_eq!(lines(&bead), ["jacobi: m*(x'^2 + y'^2 + z'^2)/2 + m*g*y - m*Omega^2*(x^2 + z^2)/2"]);
    assert_eq!(bead.no_energy, ["the kinetic energy contains a drive or a mass that changes with time"]);
    refuted("governor", &["energy()"]);
}

fn model(text: &str) -> Settings {
    Settings::new("mine.mech", text)
}

const OSCILLATOR: &str = "param m = 2, c = 3\ncoord x\npoint P = (x, 0) mass m\npotential c*x^2/2\n";

#[test]
fn what_changes_the_energy_is_named() {
    assert_eq!(lines(&found(&model(OSCILLATOR))), ["energy: m*x'^2/2 + c*x^2/2"]);
    let damped = found(&model(&format!("{OSCILLATOR}dissipation x'^2\n")));
    assert_eq!(damped.no_energy, ["forces without a potential do work"]);
    assert!(damped.integrals.is_empty() && damped.outcome == Outcome::Proved, "{damped:?}");
    let pumped = found(&model("param m = 2, c = 3\ncoord x\npoint P = (x, 0) mass m\npotential c*(2 + sin(t))*x^2\n"));
    assert_eq!(pumped.no_energy, ["the potential energy changes with time by itself"]);
}

#[test]
fn coefficients_may_depend_on_parameters() {
    let text = "param a = 2, b = 6\ncoord x, y\npoint P = (x, 0) mass 1\npoint Q = (y, 0) mass 1\n\
                generalized force a on x\ngeneralized force b on y\n";
    // constant forces have a potential although nobody declared it
    let expected = ["energy: (x'^2 + y'^2)/2 - a*x - b*y", "linear: y' - b*x'/a", "quadratic: x'^2 - 2*a*x"];
    assert_eq!(lines(&found(&model(text))), expected);
    let table = found(&gallery("ball-on-turntable"));
    assert!(table.integrals.iter().all(|one| one.proved && one.reason.is_none()), "{table:?}");
    proved("ball-on-turntable", &["x - (1 + k)/(k*Omega)*y'"]);
    refuted("ball-on-turntable", &["x - (2 + k)/(k*Omega)*y'", "x + (1 + k)/(k*Omega)*y'"]);
}

#[test]
fn integrals_that_need_the_numbers_of_the_model_say_so() {
    // a force towards the centre only as long as both springs are alike
    let text =
        |c: i64| format!("param b = 3, c = {c}\ncoord x, y\npoint P = (x, y) mass 1\npotential b*x^2/2 + c*y^2/2\n");
    let alike = lines(&found(&model(&text(3))));
    assert_eq!(alike.len(), 3, "{alike:?}");
    assert!(alike[1].ends_with("(values of the model)") && alike[1].contains("x*y'"), "{alike:?}");
    let apart = ["energy: (x'^2 + y'^2)/2 + b*x^2/2 + c*y^2/2", "quadratic: x'^2 + b*x^2"];
    assert_eq!(lines(&found(&model(&text(4)))), apart);
}

#[test]
fn forces_may_have_a_potential_that_nobody_declared() {
    // its coefficients are irrational, so no sum of positions has them
    let field = found(&gallery("ellipsoid-in-field"));
    assert_eq!(field.integrals.iter().map(|one| one.kind.word()).collect::<Vec<_>>(), ["energy"]);
    assert!(lines(&field)[0].contains("sqrt(14)*G"), "{field:?}");
    let cone = found(&gallery("velocity-cone"));
    assert_eq!(cone.integrals.iter().map(|one| one.kind.word()).collect::<Vec<_>>(), ["energy"]);
    let root = found(&gallery("cube-root"));
    assert_eq!(root.no_energy, ["forces do work whose potential is not declared (`potential` declares it)"]);
}

#[test]
fn roots_at_half_of_all_points_hide_no_energy() {
    // three distances: with many functions of the position no point of a field had them all
    let charges = found(&gallery("three-charges"));
    let kinds: Vec<&str> = charges.integrals.iter().map(|one| one.kind.word()).collect();
    assert_eq!(kinds, ["energy", "angular momentum", "angular momentum", "angular momentum"]);
}

#[test]
fn bad_input_is_answered_by_name() {
    let error = |settings: &Settings, candidate: &str| {
        integrals(settings, &[candidate.to_owned()]).map(|answer| format!("{answer:?}")).unwrap_err().to_string()
    };
    assert!(error(&gallery("dobronravov"), "q9'").contains("`q9` is not declared"));
    assert!(error(&gallery("dobronravov"), "q2'*sqrt(1 + q3^2").contains("`(` is never closed"));
    assert!(error(&gallery("dobronravov"), "q3'\nparam m = 2 kg").contains("is not one expression"));
    let rough = "coord x, y\npoint P = (x, y) mass 1\ngravity (0, -10)\ncontact floor: P slides on plane((0, 1, 0), 0)\n\
                 friction 0.2 on floor\n";
    let refusal = integrals(&model(rough), &[]).map(|answer| format!("{answer:?}")).unwrap_err().to_string();
    assert!(refusal.contains("cannot use the friction on `floor`"), "{refusal}");
}

#[test]
fn what_follows_from_others_on_the_constraints_is_left_out() {
    // the rotation by itself, and over the length of the rod squared
    check(
        "sled",
        &[
            "energy: m*(x2'^2 + y2'^2) - m*g*(x1 + x2)*sin(alpha)",
            "angular momentum: m*y2'*(x2 - x1) - m*x2'*(y2 - y1)",
        ],
    );
    refuted("sled", &["x2'*(y2 - y1) - y2'*(x1 - x2)"]);
}

#[test]
fn constraints_that_may_let_go_limit_what_is_said() {
    assert_eq!(found(&gallery("parabola")).as_long_as, ["`curve` acts"]);
    assert!(found(&gallery("dobronravov")).as_long_as.is_empty());
}

#[test]
fn all_components_about_the_contact_of_a_ball() {
    // a ball with three moments of inertia that rolls: look about the origin alone, and fewer are found
    let ball = "param m = 2 kg, r = 0.5 m, A = 0.2 kg*m^2, B = 0.3 kg*m^2, C = 0.4 kg*m^2\n\
                coord x, y, z : m\ncoord psi, theta, phi : rad\n\
                frame F = N rotated z by psi, x by theta, z by phi\n\
                body K mass m at (x, y, z) frame F inertia (A, B, C)\ngravity (0, 0, -9.81 m/s^2)\n\
                contact floor: K rolls as sphere(r) on plane(N.z, 0)\n\
                start z = r, theta = 0.9 rad, psi' = 0.4 rad/s, theta' = 0.5 rad/s, phi' = 1 rad/s\n";
    let found = found(&Settings::new("ball.mech", ball));
    let of = |kind: &str| found.integrals.iter().filter(|one| one.kind.word() == kind && one.proved).count();
    // the vertical one is also the momentum of psi
    assert_eq!((of("energy"), of("angular momentum") + of("momentum")), (1, 3), "{:?}", lines(&found));
}

#[test]
fn quadratic_ones_that_are_no_energy() {
    // two oscillators beside each other: the energy of each
    let two = "param m = 2 kg, k = 3 N/m, c = 5 N/m\ncoord x, y : m\npoint P = (x, y) mass m\n\
               potential k*x^2/2 + c*y^2/2\nstart x = 1 m, y' = 1 m/s\n";
    let found = found(&Settings::new("two.mech", two));
    let kinds: Vec<&str> = found.integrals.iter().map(|one| one.kind.word()).collect();
    assert_eq!(kinds, ["energy", "quadratic"], "{:?}", lines(&found));
    assert!(found.not_found.iter().any(|one| one.starts_with("a momentum")), "{:?}", found.not_found);
}

#[test]
fn momenta_beside_kinetic_lines_are_refused() {
    // what the line adds has no particles: leave the check out, and m x' is called the momentum
    let text = "param m = 2 kg, J = 3 kg\ncoord x : m\npoint P = (x, 0) mass m\nkinetic J*x'^2/2\n";
    for candidate in ["momentum().x", "angular_momentum((0, 0, 0)).z"] {
        let told = integrals(&Settings::new("k.mech", text), &[candidate.to_owned()]);
        let told = told.map_or_else(|error| error.to_string(), |found| format!("{found:?}"));
        assert!(told.contains("`kinetic`"), "{candidate}: {told}");
    }
    let energy = integrals(&Settings::new("k.mech", text), &["energy() - (m + J)*x'^2/2".to_owned()]).unwrap();
    assert_eq!(energy.outcome, Outcome::Proved);
}

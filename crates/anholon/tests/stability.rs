//! Stability with gyroscopic, periodic, degenerate and dissipative terms, against eigenvalues and multipliers found here.

mod ask;

use anholon::answer::Equilibrium;
use anholon::{Equilibria, Settings};

/// The equilibrium near some values of its coordinates.
fn at(model: &str, place: &[(&str, f64)]) -> Equilibrium {
    let wanted = Equilibria::default();
    let set = ask::equilibria(&Settings::new("test.mech", model), &wanted).unwrap();
    let is_here = |one: &&Equilibrium| {
        place.iter().all(|(name, x)| one.values.get(name).is_none_or(|value| (value - x).abs() < 1e-6))
    };
    set.equilibria.iter().find(is_here).unwrap_or_else(|| panic!("{:?}", set.equilibria)).clone()
}

fn word(model: &str) -> &'static str {
    at(model, &[("x", 0.0), ("y", 0.0), ("phi", 0.0), ("theta", 0.0)]).stability.word()
}

const TURNING: &str = "coord x, y : m\n\
    point P = (x*cos(W*t) - y*sin(W*t), x*sin(W*t) + y*cos(W*t)) mass m\n";

#[test]
fn an_oscillator_in_turning_axes_is_what_it_is() {
    // in axes at rest it swings with √(k/m), so that it is stable however fast the axes turn
    for speed in ["0.3", "3", "5", "40"] {
        let text = format!("param m = 1 kg, k = 1 N/m, W = {speed} rad/s\n{TURNING}spring k between P and 0\n");
        assert_eq!(word(&text), "stable", "W = {speed}");
    }
    // the same by a frame, by a term of the kinetic energy, and by a force
    let frame = "param m = 1 kg, k = 1 N/m, W = 5 rad/s\ncoord x, y : m\nframe R = N rotated z by W*t\n\
                 point P = x*R.x + y*R.y mass m\nspring k between P and 0\n";
    assert_eq!(word(frame), "stable");
    // x'' − B y' − x = 0, y'' + B x' − y = 0: λ² ± i B λ − 1 = 0 has imaginary roots for B > 2
    for (field, expected) in [("5", "stable"), ("2.5", "stable"), ("1", "unstable"), ("0.1", "unstable")] {
        let head = format!("param m = 1 kg, k = 1 N/m, B = {field} kg/s\ncoord x, y : m\npoint P = (x, y) mass m\n");
        let pot = "potential -k*(x^2 + y^2)/2\n";
        assert_eq!(word(&format!("{head}{pot}kinetic B*(x*y' - y*x')/2\n")), expected, "B = {field}");
        assert_eq!(word(&format!("{head}{pot}force (B*y', -B*x') on P\n")), expected, "B = {field}");
    }
}

#[test]
fn gyroscopic_forces_do_not_decide_what_is_not_linear() {
    let cubic = "param m = 1 kg, k = 1 N/m, B = 5 kg/s, c = 1 N/m^3\ncoord x, y : m\npoint P = (x, y) mass m\n\
                 potential -k*(x^2 + y^2)/2 + c*x^2*y^2\nkinetic B*(x*y' - y*x')/2\n";
    assert_eq!(word(cubic), "undecided");
    // one way down is one too many, whatever the frame does
    let saddle = "param m = 1 kg, k = 1 N/m, B = 50 kg/s\ncoord x, y : m\npoint P = (x, y) mass m\n\
                  potential k*(x^2 - y^2)/2\nkinetic B*(x*y' - y*x')/2\n";
    assert_eq!(word(saddle), "unstable");
    // damping in the turning axes drives a shaft above its critical speed: c W > c √(k/m)
    for (speed, expected) in [("5", "unstable"), ("0.5", "asymptotically stable")] {
        let text = format!(
            "param m = 1 kg, k = 1 N/m, c = 0.1 kg/s, W = {speed} rad/s\n{TURNING}spring k between P and 0\n\
             dissipation c*(x'^2 + y'^2)/2\n"
        );
        assert_eq!(word(&text), expected, "W = {speed}");
    }
}

/// The trace of the matrix that takes (x, x') of (m x')' = −k x through a period, by plain integration.
fn trace(m: &dyn Fn(f64) -> f64, k: &dyn Fn(f64) -> f64, period: f64) -> f64 {
    let steps = 20_000;
    let h = period / steps as f64;
    let run = |mut x: f64, mut p: f64| {
        for step in 0..steps {
            let t = h * step as f64;
            let f = |t: f64, x: f64, p: f64| (p / m(t), -k(t) * x);
            let a = f(t, x, p);
            let b = f(t + h / 2.0, x + h / 2.0 * a.0, p + h / 2.0 * a.1);
            let c = f(t + h / 2.0, x + h / 2.0 * b.0, p + h / 2.0 * b.1);
            let d = f(t + h, x + h * c.0, p + h * c.1);
            x += h / 6.0 * (a.0 + 2.0 * b.0 + 2.0 * c.0 + d.0);
            p += h / 6.0 * (a.1 + 2.0 * b.1 + 2.0 * c.1 + d.1);
        }
        (x, p)
    };
    run(1.0, 0.0).0 + run(0.0, 1.0).1
}

fn compare(found: &Equilibrium, trace: f64, is_linear: bool) {
    assert_eq!(found.floquet.len(), 2, "{found:?}");
    let sum = found.floquet[0][0] + found.floquet[1][0];
    assert!((sum - trace).abs() < 1e-6 * trace.abs().max(1.0), "{sum} is not {trace}");
    let expected = match (trace.abs() > 2.0, is_linear) {
        (true, _) => "unstable",
        (false, true) => "stable",
        (false, false) => "undecided",
    };
    assert_eq!(found.stability.word(), expected, "{} with the trace {trace}", found.reason);
}

#[test]
fn stiffness_and_mass_that_change_with_time_are_judged_by_multipliers() {
    use std::f64::consts::TAU;
    for (d, e, w) in [(1.0, 0.6, 2.0), (1.0, 0.2, 5.0), (1.0, 0.9, 1.0), (0.3, 0.2, 0.9), (1.0, 0.05, 2.0)] {
        let text = format!(
            "param m = 1 kg, d = {d} N/m, e = {e} N/m, W = {w} rad/s\ncoord x : m\npoint P = (x, 0) mass m\n\
             potential (d + e*cos(W*t))*x^2/2\n"
        );
        let trace = trace(&|_| 1.0, &|t: f64| d + e * (w * t).cos(), TAU / w);
        compare(&at(&text, &[("x", 0.0)]), trace, true);
    }
    for (e, w) in [(0.3, 2.0), (0.3, 5.0), (0.6, 0.7), (0.8, 1.9)] {
        let text = format!(
            "param m = 1 kg, e = {e}, W = {w} rad/s, k = 1 N/m\ncoord x : m\n\
             kinetic m*(1 + e*cos(W*t))*x'^2/2\npotential k*x^2/2\n"
        );
        let trace = trace(&|t: f64| 1.0 + e * (w * t).cos(), &|_| 1.0, TAU / w);
        compare(&at(&text, &[("x", 0.0)]), trace, true);
    }
    // a mass that only grows smaller has no period
    let text = "param m = 1 kg, c = 0.3 1/s, k = 1 N/m\ncoord x : m\nkinetic m*exp(-c*t)*x'^2/2\npotential k*x^2/2\n";
    assert_eq!(word(text), "undecided");
}

#[test]
fn a_shaken_pendulum_is_judged_by_multipliers() {
    use std::f64::consts::{PI, TAU};
    // φ'' = −(g + a W² cos(W t)) sin(φ)/l: the upper place is held by fast shaking, by slow shaking it is not
    let (g, l) = (9.81, 1.0);
    for (a, w) in [(0.1, 60.0), (0.1, 20.0), (0.3, 6.2), (0.05, 6.264)] {
        let text = format!(
            "param m = 1 kg, l = {l} m, g = {g} m/s^2, a = {a} m, W = {w} rad/s\ncoord phi : rad\n\
             point P = (l*sin(phi), -l*cos(phi) + a*cos(W*t)) mass m\ngravity (0, -g)\n"
        );
        for (phi, sign) in [(0.0, 1.0), (PI, -1.0)] {
            let trace = trace(&|_| 1.0, &|t: f64| sign * (g - a * w * w * (w * t).cos()) / l, TAU / w);
            compare(&at(&text, &[("phi", phi)]), trace, false);
        }
    }
    // with damping all that is held comes back
    let text = "param m = 1 kg, l = 1 m, g = 9.81 m/s^2, a = 0.1 m, W = 60 rad/s, b = 0.5 N*m*s\ncoord phi : rad\n\
                point P = (l*sin(phi), -l*cos(phi) + a*cos(W*t)) mass m\ngravity (0, -g)\n\
                dissipation b*phi'^2/2\n";
    for phi in [0.0, PI] {
        assert_eq!(at(text, &[("phi", phi)]).stability.word(), "asymptotically stable");
    }
}

#[test]
fn dissipation_that_feeds_energy_is_seen_at_any_order() {
    let head = "param m = 1 kg, k = 1 N/m\ncoord x : m\npoint P = (x, 0) mass m\npotential k*x^2/2\n";
    for (line, expected) in [
        ("dissipation (0.1 N*s^3/m^3)*x'^4/4", "stable"),
        ("dissipation -(0.1 N*s^3/m^3)*x'^4/4", "undecided"),
        ("dissipation -(0.1 N*s/m^3)*x^2*x'^2/2", "undecided"),
        ("dissipation (0.1 N*s/m^3)*x^2*x'^2/2", "stable"),
        ("dissipation (0.1 N*s/m^3)*(x^2 - 1 m^2)*x'^2/2", "unstable"),
        ("dissipation (0.1 N*s/m^3)*(1 m^2 - x^2)*x'^2/2", "asymptotically stable"),
        ("generalized force (0.1 N*s^3/m^3)*x'^3 on x", "undecided"),
        ("damper -0.1 N*s/m between P and (1 m, 0)", "unstable"),
        ("damper 0.1 N*s/m between P and (1 m, 0)", "asymptotically stable"),
        // across its length a damper feeds at the third order
        ("damper -0.1 N*s/m between P and (0, 1 m)", "undecided"),
        ("damper 0.1 N*s/m between P and (0, 1 m)", "stable"),
    ] {
        assert_eq!(word(&format!("{head}{line}\n")), expected, "{line}");
    }
}

#[test]
fn at_a_pole_the_verdict_is_about_the_place() {
    let head = "param m = 1 kg, l = 1 m, g = 9.81 m/s^2\ncoord theta, psi : rad\n\
                point P = (l*sin(theta)*cos(psi), l*sin(theta)*sin(psi), -l*cos(theta)) mass m\n";
    assert_eq!(word(&format!("{head}gravity (0, 0, -g)\n")), "stable");
    assert_eq!(word(&format!("{head}gravity (0, 0, g)\n")), "unstable");
    let found = at(&format!("{head}gravity (0, 0, -g)\n"), &[("theta", std::f64::consts::PI)]);
    assert_eq!(found.stability.word(), "unstable");
}

#[test]
fn conditions_of_stability_can_hold_together() {
    let text = format!("param m = 1 kg, k = 1 N/m, W = 5 rad/s\n{TURNING}spring k between P and 0\n");
    let set = ask::equilibria(&Settings::new("test.mech", &text), &Equilibria::default()).unwrap();
    for branch in &set.branches {
        let told = branch.stability.clone().unwrap_or_default();
        assert!(!(told.contains("k - m*W^2 > 0") && told.contains("m*W^2 - k > 0")), "{told}");
        assert!(!told.contains("unstable"), "gyroscopic forces hold it: {told}");
    }
}

#[test]
fn what_is_assumed_bounds_the_places() {
    let text = "param m = 1 kg, k = 1 N/m, a = 1 m\ncoord x : m\nassume x > 0\npoint P = (x, 0) mass m\n\
                potential k*(x^2 - a^2)^2/a^2/4\nstart x = 0.5 m\n";
    let set = ask::equilibria(&Settings::new("test.mech", text), &Equilibria::default()).unwrap();
    let places: Vec<f64> = set.equilibria.iter().map(|one| *one.values.get("x").unwrap()).collect();
    assert_eq!(places.len(), 1, "{places:?}");
    assert!((places[0] - 1.0).abs() < 1e-9 && set.equilibria[0].stability.word() == "stable");
}

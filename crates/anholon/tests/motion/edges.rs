//! Motions that come to the end of their equations: they end there, and others do not.

use anholon::Simulate;

use crate::{ask, gallery, own};

/// Why a motion ended, and when.
fn ended(text: &str, duration: f64) -> (String, f64) {
    let motion = ask(&own(text), &Simulate { duration: Some(duration), ..Simulate::default() });
    let why = motion.stopped_by.failure().unwrap_or_else(|| panic!("it went on: {text}")).to_owned();
    (why, motion.last.t)
}

fn goes_on(text: &str, duration: f64) {
    let motion = ask(&own(text), &Simulate { duration: Some(duration), ..Simulate::default() });
    assert_eq!(motion.stopped_by.failure(), None, "{text}");
}

const BEAD: &str = "
param m = 1 kg, r = 1 m, g = 9.81 m/s^2
coord x : m
point P = (x, -sqrt(r^2 - x^2)) mass m
";

#[test]
fn a_bead_does_not_turn_at_the_end_of_its_formula() {
    // without weight x = sin(10 t), up to the end at π/20 s
    let (why, t) = ended(&format!("{BEAD}start x = 0, x' = 10 m/s\n"), 2.0);
    assert!(why.contains("r^2 - x^2") && why.contains("without bound"), "{why}");
    assert!((t - std::f64::consts::PI / 20.0).abs() < 2e-5, "{t}");
    // with weight it is a pendulum that passes the height of its pivot: φ' = √(100 − 2 g (1 − cos φ))
    let (n, mut time) = (20_000, 0.0);
    for k in 0..n {
        let phi = std::f64::consts::FRAC_PI_2 * (f64::from(k) + 0.5) / f64::from(n);
        time += std::f64::consts::FRAC_PI_2 / f64::from(n) / (100.0 - 2.0 * 9.81 * (1.0 - phi.cos())).sqrt();
    }
    let falls = format!("{BEAD}gravity (0, -g)\nstart x = 0, x' = 10 m/s\n");
    for text in [
        falls.clone(),
        falls
            .replace("P = (x, -sqrt(r^2 - x^2))", "P = (x, y)")
            .replace("coord x", "coord x, y")
            .replace("start", "constraint wire: y = -sqrt(r^2 - x^2)\nstart"),
    ] {
        let (why, t) = ended(&text, 2.0);
        assert!(why.contains("without bound") && (t - time).abs() < 5e-5, "{t} in place of {time}: {why}");
    }
    // slower it swings to and fro
    goes_on(&falls.replace("10 m/s", "4 m/s"), 10.0);
}

#[test]
fn a_mass_that_grows_without_bound_ends_the_motion() {
    // x' = √(1 − x) v: the end is reached at 2 s
    let (why, t) = ended("param m = 1\ncoord x\nkinetic m*x'^2/(2*(1 - x))\nstart x' = 1\n", 4.0);
    assert!(why.contains("the mass that moves with `x`") && (t - 2.0).abs() < 1e-3, "{t}: {why}");
    let (why, _) = ended("coord x\nkinetic x'^2/2\npotential -sqrt(1 - x)\nstart x' = 3\n", 4.0);
    assert!(why.contains("the force on `x`") && why.contains("1 - x"), "{why}");
}

#[test]
fn an_energy_that_jumps_ends_the_motion() {
    let (why, t) = ended("coord x\nkinetic x'^2/2\npotential 3*sign(x)\nstart x = -1, x' = 1\n", 4.0);
    assert!(why.contains("energy balance is broken") && why.contains(" 6 J"), "{why}");
    assert!(t > 1.0 && t < 1.1, "{t}");
    // fixed steps keep no tolerance: it is a remark
    let text = "coord x\nkinetic x'^2/2\npotential 3*sign(x)\nstart x = -1, x' = 1\n";
    let motion = ask(&own(text), &Simulate { duration: Some(4.0), step: Some(0.01), ..Simulate::default() });
    assert_eq!(motion.stopped_by.failure(), None);
    assert!(motion.notes.iter().any(|note| note.contains("energy balance is broken")), "{:?}", motion.notes);
}

#[test]
fn what_is_removable_or_rests_goes_on() {
    // a force that grows 400 times on the way to a place where its divisor and what is above it vanish together
    for (law, time) in [("(x^2 - 1)/(x - 1)", 0.415), ("3*sin(x - 1)/(x - 1)", 0.335)] {
        let text = format!("coord x\npoint P = (x, 0) mass 1\ngeneralized force {law}*exp(6*x) on x\nstart x' = 1\n");
        goes_on(&text, time);
    }
    goes_on("coord x\nkinetic x'^2/2\ngeneralized force sin(x)/x on x\nstart x = -1.3, x' = 2\n", 3.0);
    // a stone thrown straight up: its drag has no direction at the top
    let stone = "param c = 0.3 kg/m\ncoord x, y : m\npoint P = (x, y) mass 1 kg\ngravity (0, -9.81 m/s^2)\n\
                 force -c*norm(velocity(P))*velocity(P) on P\nstart y' = 10 m/s\n";
    goes_on(stone, 2.0);
    // at rest on a stiff spring, far above the zero of heights: energies are rounding
    let rest = "param k = 1e7 N/m\ncoord y : m\npoint P = (0, y) mass 1 kg\ngravity (0, -9.81 m/s^2)\n\
                potential k*(y - 1000 m)^2/2\nstart y = 1000 m - 9.81 N/k\n";
    goes_on(rest, 3.0);
    goes_on("coord x : m\npoint P = (x, 0) mass 1 kg\nstart x = 1e6 m\n", 3.0);
    for tolerance in [1e-2, 1e-4, 1e-12] {
        let wanted = Simulate { duration: Some(3.0), tolerance: Some(tolerance), ..Simulate::default() };
        let motion = ask(&gallery("double-pendulum", &[]), &wanted);
        assert_eq!(motion.stopped_by.failure(), None, "{tolerance}");
        assert_eq!(motion.last.t, 3.0);
    }
}

#[test]
fn rows_that_drive_together_do_their_work_together() {
    // a mass driven at a steady speed against a damper: the drive does c v² t, told once or twice
    let model = "coord x\nparam c = 3, v = 2\npoint P = (x, 0) mass 1\nforce -c*velocity(P) on P\n\
        constraint one: x' = v\n";
    let start = "start x = 0\n";
    for second in ["", "constraint two: 2*x' = 2*v\n"] {
        let motion =
            ask(&own(&format!("{model}{second}{start}")), &Simulate { duration: Some(1.0), ..Simulate::default() });
        assert_eq!(motion.stopped_by.failure(), None);
        // what the drive does the damper takes
        assert!(motion.energy_drift < 1e-12 && motion.work.abs() < 1e-12, "{} {}", motion.energy_drift, motion.work);
    }
}

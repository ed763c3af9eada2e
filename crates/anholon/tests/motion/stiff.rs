//! Motions in which something is far faster than what one wants to see.

use anholon::answer::StoppedBy;
use anholon::{Method, Simulate};

use crate::{ask, last, own};

fn stiff(duration: f64, tolerance: f64) -> Simulate {
    Simulate {
        duration: Some(duration),
        every: Some(duration),
        tolerance: Some(tolerance),
        method: Some(Method::Radau5),
        ..Simulate::default()
    }
}

#[test]
fn a_strong_damper_is_followed_in_few_steps() {
    // x' tends to F/c in 1e-7 s; dop853 would need some ten million steps
    let model = "
param m = 1 kg, c = 1e7 kg/s, F = 3 N
coord x : m
point P = (x, 0) mass m
force (F - c*x', 0) on P
start x = 0, x' = 1 m/s
";
    let motion = ask(&own(model), &stiff(10.0, 1e-9));
    assert_eq!(motion.stopped_by, StoppedBy::Time);
    // x = F t/c + (v₀ − F/c) m/c
    let right = 3e-6 + (1.0 - 3e-7) * 1e-7;
    assert!((last(&motion, "x") - right).abs() < 1e-12, "{:e} {right:e}", last(&motion, "x"));
    assert!((last(&motion, "x'") - 3e-7).abs() < 1e-14, "{:e}", last(&motion, "x'"));
    assert!(motion.steps < 400, "{} steps", motion.steps);
}

#[test]
fn a_pendulum_on_a_hard_spring_swings_like_one_on_a_rod() {
    // k/m = 1e10, and a damper along the spring
    let model = "
param m = 1 kg, l = 1 m, k = 1e10 N/m, c = 1e5 kg/s, g = 9.81 m/s^2
coord r : m
coord a : rad
point P = (r*sin(a), -r*cos(a)) mass m
gravity (0, -g)
potential k*(r - l)^2/2
generalized force -c*r' on r
start r = 1 m + 1.5e-9 m, a = 0.5 rad, r' = 0, a' = 0
";
    let rod = "
param m = 1 kg, l = 1 m, g = 9.81 m/s^2
coord a : rad
point P = (l*sin(a), -l*cos(a)) mass m
gravity (0, -g)
start a = 0.5 rad
";
    let soft = ask(&own(model), &stiff(2.0, 1e-9));
    let hard = ask(&own(rod), &Simulate { method: Some(Method::Dop853), ..stiff(2.0, 1e-12) });
    let off = last(&soft, "a") - last(&hard, "a");
    assert!(off.abs() < 1e-7, "{off:e}");
    assert!(soft.steps < 4000, "{} steps", soft.steps);
}

#[test]
fn constraints_are_kept_by_the_implicit_method_too() {
    let motion = ask(&crate::gallery("four-bar", &[]), &stiff(3.0, 1e-8));
    let other = ask(&crate::gallery("four-bar", &[]), &Simulate { method: Some(Method::Dop853), ..stiff(3.0, 1e-11) });
    assert!(motion.constraint_residual < 1e-14, "{:e}", motion.constraint_residual);
    for column in motion.last.columns.iter().take(3).map(|column| column.name()) {
        let off = last(&motion, &column) - last(&other, &column);
        assert!(off.abs() < 1e-5, "{column}: {off:e}");
    }
}

/// A pendulum on a hard spring with a damper.
pub const SPRING: &str = "
param m = 1 kg, l = 1 m, k = 1e10 N/m, c = 1e5 kg/s, g = 9.81 m/s^2
coord r : m
coord a : rad
point P = (r*sin(a), -r*cos(a)) mass m
gravity (0, -g)
potential k*(r - l)^2/2
generalized force -c*r' on r
start r = 1 m + 1.5e-9 m, a = 0.5 rad
";

/// The same without a method.
fn free(duration: f64) -> Simulate {
    Simulate { method: None, ..stiff(duration, 1e-9) }
}

#[test]
fn stiffness_is_seen_and_said() {
    // a damper, a hard spring with one, and jumps between slow parts; nothing is said, and the first two take minutes
    let damper = "
param m = 1 kg, c = 1e7 kg/s, F = 3 N
coord x : m
point P = (x, 0) mass m
force (F - c*x', 0) on P
start x = 0, x' = 1 m/s
";
    let jumps = "
param mu = 1e5, m = 1 kg, k = 1 N/m, c = 1 kg/s, l = 1 m
coord x : m
point P = (x, 0) mass m
force (mu*c*(1 - x^2/l^2)*x' - k*x, 0) on P
start x = 2 m, x' = 0
";
    for (model, duration, most) in [(damper, 10.0, 200), (SPRING, 2.0, 2000), (jumps, 2e5, 20_000)] {
        let motion = ask(&own(model), &free(duration));
        assert_eq!(motion.stopped_by, StoppedBy::Time, "{model}");
        assert!(motion.notes.iter().any(|note| note.contains("is stiff at t = ")), "{:?}", motion.notes);
        assert_eq!(motion.method, "radau9", "{model}");
        assert!(motion.steps < most, "{} steps of {model}", motion.steps);
        let other = ask(&own(model), &stiff(duration, 1e-9));
        let name = if model == SPRING { "a" } else { "x" };
        let off = (last(&motion, name) - last(&other, name)).abs();
        assert!(off < 1e-5, "{off:e} of {model}");
    }
}

#[test]
fn what_is_not_stiff_is_left_alone() {
    // a vibration that is really there is no stiffness, and neither are the models of the gallery
    let vibrates = "
param m = 1 kg, l = 1 m, k = 1e6 N/m, g = 9.81 m/s^2
coord r : m
coord a : rad
point P = (r*sin(a), -r*cos(a)) mass m
gravity (0, -g)
potential k*(r - l)^2/2
start r = 1.01 m, a = 0.5 rad
";
    let mut models: Vec<_> =
        ["double-pendulum", "rolling-disc", "four-bar", "euler-top", "bouncing-ball", "hoop", "taut-rope", "sled"]
            .map(|name| crate::gallery(name, &[]))
            .into();
    models.push(own(vibrates));
    for model in models {
        for tolerance in [1e-4, 1e-9, 1e-12] {
            let motion = ask(&model, &Simulate { tolerance: Some(tolerance), ..free(3.0) });
            assert_eq!(motion.method, "dop853", "{} at {tolerance:e}", motion.title);
            assert!(!motion.notes.iter().any(|note| note.contains("is stiff")), "{:?}", motion.notes);
        }
    }
}

#[test]
fn mechanisms_of_the_test_set_end_where_it_says() {
    // a number of a body wrong, and this fails
    let models = [
        ("Andrews' squeezing mechanism", include_str!("../../../../benches/peers/andrews.mech"), 0.03),
        ("the car axis", include_str!("../../../../benches/peers/car-axis.mech"), 3.0),
    ];
    for (name, model, duration) in models {
        let wanted = Simulate { duration: Some(duration), tolerance: Some(1e-12), ..Simulate::default() };
        let motion = ask(&own(model), &wanted);
        assert_eq!(motion.stopped_by, StoppedBy::Time, "{name}");
        assert!(
            motion.expects.len() >= 4 && motion.expects.iter().all(|one| one.holds == Some(true)),
            "{name}: {:?}",
            motion.expects
        );
    }
}

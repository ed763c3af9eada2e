//! What a run keeps: states in order, accounts, notes, and what it has when somebody stops it.

use anholon::answer::{EventKind, StoppedBy};
use anholon::{Alone, Progress, Simulate, open, simulate};

use crate::{EXACT, TIGHT, ask, column, follows, gallery, last, near, own, run};

const FREE: &str = "
param m = 1 kg
coord x : m
point P = (x, 0) mass m
start t = 2 s, x = 0, x' = 3 m/s
";

#[test]
fn states_come_at_the_times_that_are_asked_for_in_order() {
    let wanted = Simulate { times: vec![5.5, 3.0, 3.0, 2.0, 4.25], ..Simulate::default() };
    let motion = ask(&own(FREE), &wanted);
    assert_eq!(motion.table.t, [2.0, 3.0, 4.25, 5.5]);
    assert_eq!(motion.last.t, 5.5);
    follows(&motion, "x", |t| 3.0 * (t - 2.0));
    let samples: Vec<f64> = motion.table.samples().map(|sample| sample.get("x").unwrap()).collect();
    assert_eq!(samples, column(&motion, "x"));
}

#[test]
fn every_and_times_are_joined() {
    let wanted = Simulate { duration: Some(1.0), times: vec![2.3, 2.5], every: Some(0.25), ..Simulate::default() };
    let motion = ask(&own(FREE), &wanted);
    assert_eq!(motion.table.t, [2.0, 2.25, 2.3, 2.5, 2.75, 3.0]);
    let wanted = Simulate { duration: Some(1.0), every: Some(0.3), ..Simulate::default() };
    let motion = ask(&own(FREE), &wanted);
    assert_eq!(motion.table.t.len(), 4);
    assert_eq!(motion.last.t, 3.0);
    near("x at the end", last(&motion, "x"), 3.0, 3.0);
    let motion = ask(&own(FREE), &Simulate::default());
    assert_eq!((motion.table.t.len(), motion.last.t), (101, 12.0));
}

#[test]
fn wishes_that_make_no_sense_are_refused() {
    let loaded = open(&own(FREE)).unwrap();
    let plain = Simulate::default;
    let bad = [
        ("0", Simulate { tolerance: Some(0.0), ..plain() }),
        ("tolerance", Simulate { tolerance: Some(-1e-9), ..plain() }),
        ("tolerance", Simulate { tolerance: Some(f64::NAN), ..plain() }),
        ("duration", Simulate { duration: Some(-1.0), ..plain() }),
        ("duration", Simulate { duration: Some(0.0), ..plain() }),
        ("duration", Simulate { duration: Some(f64::INFINITY), ..plain() }),
        ("before t = 20 s", Simulate { duration: Some(1.0), times: vec![20.0], ..plain() }),
        ("begins at t = 2 s", Simulate { times: vec![1.0], ..plain() }),
        ("no state", Simulate { times: vec![f64::NAN], ..plain() }),
        ("every", Simulate { every: Some(0.0), ..plain() }),
        ("states", Simulate { every: Some(1e-12), ..plain() }),
        ("step", Simulate { step: Some(-0.1), ..plain() }),
        ("has no effect", Simulate { step: Some(0.1), tolerance: Some(1e-6), ..plain() }),
        ("no step control", Simulate { method: Some(anholon::Method::Rk4), ..plain() }),
        ("`lagrang-1`", Simulate { form: Some("lagrang-1".to_owned()), ..plain() }),
    ];
    for (word, wanted) in bad {
        let error = simulate(&loaded, &wanted, &mut Alone).map(|_| ()).unwrap_err();
        let error = error.to_string();
        assert!(error.starts_with("error: ") && error.contains(word), "{wanted:?}: {error}");
    }
}

/// Stops a run.
struct Impatient(f64);

impl Progress for Impatient {
    fn reached(&mut self, share: f64) -> bool {
        assert!((0.0..=1.0).contains(&share));
        share < self.0
    }
}

#[test]
fn an_interrupted_run_keeps_what_it_has() {
    let loaded = open(&gallery("double-pendulum", &[])).unwrap();
    let wanted = Simulate { duration: Some(50.0), every: Some(0.1), ..Simulate::default() };
    let motion = simulate(&loaded, &wanted, &mut Impatient(0.2)).unwrap();
    assert_eq!(motion.stopped_by, StoppedBy::Interrupted);
    assert!(motion.last.t >= 10.0 && motion.last.t < 12.0, "{}", motion.last.t);
    let until = motion.table.t.last().unwrap();
    assert!(*until <= motion.last.t && motion.last.t - until < 0.1 + 1e-9, "{until} {}", motion.last.t);
    assert!(motion.steps > 10 && motion.energy_drift < 1e-8);
    // the same states as of the whole run
    let whole = simulate(&loaded, &wanted, &mut Alone).unwrap();
    assert_eq!(whole.table.rows[..motion.table.rows.len()], motion.table.rows);
    // at once
    let motion = simulate(&loaded, &wanted, &mut Impatient(f64::NEG_INFINITY)).unwrap();
    assert_eq!(motion.stopped_by, StoppedBy::Interrupted);
    assert_eq!((motion.last.t, motion.table.t.len()), (0.0, 1));
}

#[test]
fn the_rolling_disc_does_not_drift() {
    let wanted = Simulate { duration: Some(100.0), tolerance: Some(TIGHT), ..Simulate::default() };
    let motion = ask(&gallery("rolling-disc", &[]), &wanted);
    assert_eq!(motion.stopped_by.failure(), None);
    // a tenth of what 1,000 s may have
    assert!(motion.constraint_residual <= 1e-13, "{:e}", motion.constraint_residual);
    assert!(motion.energy_drift <= 1e-12, "{:e}", motion.energy_drift);
    // by our own hand: the touching point stays on the plane, and does not slip
    let of = |name: &str| column(&motion, name);
    let (z, lean) = (of("z"), of("lean"));
    assert!(z.iter().zip(&lean).all(|(z, lean)| (z - 0.5 * lean.cos()).abs() < 1e-14));
    let (yaw, x, turn, roll) = (of("yaw"), of("x'"), of("yaw'"), of("spin'"));
    let (tilt, energy) = (of("lean'"), of("energy"));
    for k in 0..x.len() {
        // v_C = r ((spin' + yaw' sin lean) along − (sin lean is carried by lean'))
        let along = 0.5 * (roll[k] + turn[k] * lean[k].sin());
        let slip = x[k] - along * yaw[k].cos() - 0.5 * tilt[k] * lean[k].cos() * yaw[k].sin();
        assert!(slip.abs() < 1e-12, "{slip:e}");
    }
    assert!(energy.iter().all(|now| (now - energy[0]).abs() < 1e-11 * energy[0]));
}

#[test]
fn the_cube_root_says_that_its_motion_is_not_the_only_one() {
    let motion = run(&gallery("cube-root", &[]), 2.0);
    assert!(motion.notes.iter().any(|note| note.contains("not unique")), "{:?}", motion.notes);
    // where it is Lipschitz it is silent, and follows the other motion t³
    let motion = run(&gallery("cube-root", &["x=1", "x'=3"]), 2.0);
    assert!(motion.notes.is_empty(), "{:?}", motion.notes);
    follows(&motion, "x", |t| (t + 1.0).powi(3));
    // a mass on a spring is not suspected
    assert!(run(&gallery("double-pendulum", &[]), 1.0).notes.is_empty());
}

#[test]
fn redundant_rows_give_the_motion_and_no_single_reaction() {
    // a point on a plane that is said twice, once with twice the size: λ and 2 μ carry the weight together
    let model = "
param m = 2 kg, g = 9.81 m/s^2
coord x, z : m
point P = (x, 0, z) mass m
gravity (0, 0, -g)
constraint once:  z = 0
constraint twice: 2*z = 0
start x' = 3 m/s
";
    let motion = run(&own(model), 5.0);
    follows(&motion, "x", |t| 3.0 * t);
    follows(&motion, "z", |_| 0.0);
    assert!(motion.notes.iter().any(|note| note.contains("not unique")), "{:?}", motion.notes);
    assert!(last(&motion, "multiplier(once)").is_nan() && last(&motion, "multiplier(twice)").is_nan());
    assert!(motion.constraint_residual < 1e-14);
}

#[test]
fn a_drive_does_the_work_that_the_energy_needs() {
    // x = a sin w t against a spring: E(t) − E(0) = m a² w² (cos² − 1)/2 + k a² sin²/2
    let model = "
param m = 2 kg, k = 5 N/m, a = 0.3 m, w = 4 rad/s
coord x : m
point P = (x, 0) mass m
spring k between P and (0, 0)
constraint drive: x = a*sin(w*t)
start x' = a*w
";
    let (m, k, a, w) = (2.0, 5.0, 0.3, 4.0);
    let motion = run(&own(model), 7.3);
    follows(&motion, "x", |t| a * (w * t).sin());
    follows(&motion, "multiplier(drive)", |t| (k - m * w * w) * a * (w * t).sin());
    let (s, c) = (w * 7.3_f64).sin_cos();
    let work = a * a / 2.0 * (m * w * w * (c * c - 1.0) + k * s * s);
    near("the work", motion.work, work, m * a * a * w * w / 2.0);
    assert!(motion.energy_drift < 1e-11, "{:e}", motion.energy_drift);
}

#[test]
fn a_pendulum_that_is_let_down_keeps_its_account() {
    // l = 1 + t/10: r² φ'' + 2 r r' φ' + g r sin φ = 0
    let model = "
param m = 1 kg, g = 9.81 m/s^2, v = 0.1 m/s, l = 1 m
coord x, y : m
point P = (x, y) mass m
gravity (0, -g)
constraint thread: x^2 + y^2 = (l + v*t)^2
start x = 0.6*l, y = -0.8*l
";
    let redundant = run(&own(model), 10.0);
    let polar = "
param m = 1 kg, g = 9.81 m/s^2, v = 0.1 m/s, l = 1 m
coord phi : rad
point P = (l + v*t)*(sin(phi), -cos(phi)) mass m
gravity (0, -g)
observe x = P.x
observe y = P.y
start phi = asin(0.6)
";
    let polar = run(&own(polar), 10.0);
    // the start of the redundant model must move along the thread: x' x + y' y = v l, and φ' = 0
    let (x, y) = (column(&redundant, "x'")[0], column(&redundant, "y'")[0]);
    near("the rate at the start", 0.6 * x - 0.8 * y, 0.1, 1.0);
    if (0.8 * x + 0.6 * y).abs() < 1e-14 {
        let pairs = |name: &str| column(&redundant, name).into_iter().zip(column(&polar, name)).collect::<Vec<_>>();
        crate::agree("x", &redundant.table.t, &pairs("x"), 10.0 * EXACT);
        crate::agree("y", &redundant.table.t, &pairs("y"), 10.0 * EXACT);
    }
    for motion in [&redundant, &polar] {
        assert!(motion.energy_drift < 1e-10, "{:e}", motion.energy_drift);
        let energy = column(motion, "energy");
        near("the work", motion.work, energy.last().unwrap() - energy[0], 10.0);
    }
}

#[test]
fn fixed_steps_have_the_order_of_their_method() {
    let error = |method, step| {
        let wanted = Simulate { duration: Some(2.0), method: Some(method), step: Some(step), ..Simulate::default() };
        let motion = ask(&gallery("chaplygin-sleigh", &[]), &wanted);
        (last(&motion, "w") - 4.0 / (2.4 * 2.0_f64).cosh()).abs()
    };
    use anholon::Method::{Dop853, Rk4};
    let ratio = error(Rk4, 0.05) / error(Rk4, 0.025);
    assert!(ratio > 12.0 && ratio < 24.0, "{ratio}");
    let ratio = error(Dop853, 0.25) / error(Dop853, 0.125);
    assert!(ratio > 100.0, "{ratio}");
}

#[test]
fn the_account_begins_at_the_start() {
    let model = "
param m = 1 kg, F = 2 N
coord x : m
point P = (x, 0) mass m
generalized force F on x
start x = 0
";
    let wanted = Simulate { times: vec![1.0, 2.0], ..Simulate::default() };
    let motion = ask(&own(model), &wanted);
    near("the work", motion.work, 8.0, 8.0);
    assert!(motion.energy_drift < 1e-10, "{:e}", motion.energy_drift);
}

#[test]
fn the_account_begins_on_the_right_side_of_a_switch() {
    // the length of a spring along a line is an absolute value: V at the start is k (1.5 − 1)²/2, not k (−1.5 − 1)²/2
    let model = "
param m = 2 kg, k = 40 N/m
coord s : m
point B = (s, 0) mass m
spring k rest 1 m between B and (3 m, 0)
start s = 1.5 m
";
    let motion = run(&own(model), 1.0);
    assert!(motion.energy_drift < 1e-11, "{:e}", motion.energy_drift);
}

#[test]
fn a_crank_that_folds_goes_on_smoothly() {
    // s (s − 2 r cos a) = 0: two branches meet at a = π/2; on s = 2 r cos a, a'² (1 + 4 sin² a) keeps its value.
    // a(4 s) by quadrature with SciPy; a step onto the other branch ends at −12.87.
    let model = "
param m = 1 kg, r = 1 m
coord a : rad
coord s : m
point A = r*(cos(a), sin(a)) mass m
point B = (s, 0) mass m
constraint rod: (s - r*cos(a))^2 + (r*sin(a))^2 = r^2
start a = 1 rad, a' = 2 rad/s
guess s = 1.08 m
";
    let motion = ask(&own(model), &Simulate { duration: Some(4.0), ..Simulate::default() });
    assert_eq!(motion.stopped_by.failure(), None);
    let passed = motion.events.iter().filter(|event| event.kind == EventKind::Singular).count();
    assert_eq!(passed, 3, "{:?}", motion.events);
    let a = motion.last.get("a").unwrap();
    assert!((a - 10.346599428684).abs() < 1e-6, "{a}");
}

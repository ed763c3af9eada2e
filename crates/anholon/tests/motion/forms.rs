//! Every form that applies drives the same motion.

use crate::ask::derive;
use anholon::{Derive, Settings, Simulate, open};
use mechanics::formalism::FORMALISMS;

use crate::{TIGHT, ask, gallery, last, near, own};

/// Coordinates and rates at a few instants with a form; nothing if the form does not apply.
fn states(settings: &Settings, form: &str, duration: f64) -> Option<Vec<Vec<f64>>> {
    let loaded = open(settings).unwrap();
    let asked = Derive { form: Some(form.to_owned()), ..Derive::default() };
    if !derive(&loaded, &asked).unwrap().iter().all(|one| one.applicable) {
        return None;
    }
    let n = loaded.system.coordinates.len();
    drop(loaded);
    let wanted = Simulate {
        duration: Some(duration),
        every: Some(duration / 10.0),
        tolerance: Some(TIGHT),
        form: Some(form.to_owned()),
        ..Simulate::default()
    };
    let motion = ask(settings, &wanted);
    assert_eq!(motion.stopped_by.failure(), None, "{form}");
    assert_eq!(motion.form, form);
    assert_eq!(motion.table.rows.len(), 11, "{form}");
    assert!(motion.constraint_residual < 1e-13, "{form}: {:e}", motion.constraint_residual);
    Some(motion.table.rows.iter().map(|row| row[..2 * n].to_vec()).collect())
}

/// All forms give the same motion to 1e-9 of the largest value of each coordinate or rate; at least so many apply.
fn same_motion(settings: &Settings, duration: f64, least: usize) {
    let mut first: Option<(&str, Vec<Vec<f64>>)> = None;
    let mut applied = 0;
    for form in FORMALISMS.iter().filter(|form| !form.stranger) {
        let Some(found) = states(settings, form.name, duration) else { continue };
        applied += 1;
        let Some((by, known)) = &first else {
            first = Some((form.name, found));
            continue;
        };
        for column in 0..known[0].len() {
            let size = known.iter().fold(0.0_f64, |size, row| size.max(row[column].abs())).max(1e-3);
            for (time, (a, b)) in known.iter().zip(&found).enumerate() {
                let apart = (a[column] - b[column]).abs() / size;
                assert!(apart < 1e-9, "{}: {by} {}, column {column} row {time}: {apart:e}", settings.file, form.name);
            }
        }
    }
    assert!(applied >= least, "{}: only {applied} forms apply", settings.file);
}

#[test]
fn holonomic() {
    same_motion(&gallery("spherical-pendulum", &["x=0.6", "y=0", "z=-0.8", "x'=0", "y'=1.3", "z'=0"]), 10.0, 10);
}

#[test]
fn linear_nonholonomic() {
    same_motion(&gallery("hoop", &[]), 10.0, 10);
}

#[test]
fn linear_nonholonomic_with_redundant_coordinates() {
    same_motion(&gallery("sled", &[]), 10.0, 5);
}

#[test]
fn nonlinear_first_order() {
    same_motion(&gallery("velocity-cone", &[]), 10.0, 8);
}

#[test]
fn second_order() {
    same_motion(&gallery("acceleration-program", &[]), 10.0, 5);
}

#[test]
fn variable_mass() {
    same_motion(&gallery("velocity-cone-rocket", &[]), 10.0, 5);
}

#[test]
fn rheonomic() {
    same_motion(&gallery("rheonomic-knife", &[]), 10.0, 8);
}

#[test]
fn a_state_on_another_branch_is_refused_by_the_speeds_and_right_without() {
    // q3' < 0: the `inverse` line is that of q3' > 0
    let cone =
        open(&Settings { set: vec!["q3'=-1.5".to_owned()], ..Settings::gallery("velocity-cone").unwrap() }).unwrap();
    let by = |form: Option<&str>| {
        let wanted = anholon::Evaluate { form: form.map(str::to_owned) };
        anholon::evaluate(&cone, &wanted, &mut anholon::Alone).unwrap()
    };
    for form in ["kane", "maggi", "appell"] {
        let anholon::Evaluated::NoAnswer { reason, .. } = by(Some(form)) else { panic!("{form} answers") };
        assert!(reason.contains("another branch"), "{form}: {reason}");
    }
    // m q'' = Q + λ (−q1', −q2', q3')·2 with 2 (q3' q3'' − q1' q1'' − q2' q2'') = 0
    for form in [None, Some("multipliers"), Some("lagrange-1")] {
        let anholon::Evaluated::Found(found) = by(form) else { panic!("{form:?} has no answer") };
        let (q, v) = (["q1''", "q2''", "q3''"], [1.2, 0.9, -1.5]);
        let a = q.map(|name| *found.accelerations.get(name).unwrap());
        near("the constraint", v[2] * a[2], v[0] * a[0] + v[1] * a[1], 1.0);
        let pull = [(2.0 - a[0]) / v[0], (1.0 - a[1]) / v[1], (a[2] + 1.0) / v[2]];
        near("the reaction", pull[0], pull[1], 1.0);
        near("the reaction", pull[0], pull[2], 1.0);
    }
}

#[test]
fn a_motion_leaves_the_branch_of_an_inverse_line_with_the_right_accelerations() {
    // y' = sqrt(v − u²) holds on the way up alone; on the way down the state gets a chart of its own
    let text = "param g = 9.81\ncoord x, y\npoint P = (x, y) mass 2\ngravity (0, -g)\nspeed u = x'\nspeed v = x'^2 + y'^2\n\
                inverse x' = u\ninverse y' = sqrt(v - u^2)\nstart x' = 1, y' = 3\n";
    for form in [Some("kane"), Some("appell"), Some("tzenoff"), Some("multipliers"), None] {
        for tolerance in [1e-6, 1e-9, 1e-12] {
            let name = form.unwrap_or("the usual form");
            let form = form.map(str::to_owned);
            let wanted =
                Simulate { duration: Some(0.5), form: form.clone(), tolerance: Some(tolerance), ..Simulate::default() };
            let motion = ask(&own(text), &wanted);
            assert_eq!(motion.stopped_by.failure(), None, "{name}");
            near(name, last(&motion, "y'"), 3.0 - 9.81 * 0.5, 1e2);
            near(name, last(&motion, "y''"), -9.81, 1e2);
            if form.is_none() {
                // what the model assumes of the branch is held against the motion
                let motion = ask(&own(&format!("{text}assume y' > 0\n")), &wanted);
                near(name, last(&motion, "y'"), 3.0 - 9.81 * 0.5, 1e2);
                let note = "the model assumes y' > 0, which does not hold from t = 0.305810398 s on";
                assert!(motion.notes.iter().any(|one| one == note), "{:?}", motion.notes);
            }
        }
    }
}

#[test]
fn a_system_is_driven_without_deriving_every_form() {
    // a chain of n links on a cart: forms differ little, and each takes long to derive
    let chain = |n: usize| {
        let angles: Vec<String> = (1..=n).map(|k| format!("a{k}")).collect();
        let mut text = format!("param m = 1 kg, l = 0.1 m, g = 9.81 m/s^2\ncoord x : m\ncoord {}\n", angles.join(", "));
        text += "point P0 = (x, 0) mass m\ngravity (0, -g)\n";
        for k in 1..=n {
            text += &format!("point P{k} = P{} + (l*sin(a{k}), -l*cos(a{k})) mass m\n", k - 1);
        }
        let start: Vec<String> = angles.iter().map(|a| format!("{a} = 0.3")).collect();
        text + &format!("start x = 0, {}\n", start.join(", "))
    };
    let wanted = Simulate { duration: Some(0.2), tolerance: Some(1e-11), ..Simulate::default() };
    let (small, large) = (ask(&own(&chain(3)), &wanted), ask(&own(&chain(14)), &wanted));
    // one for the accelerations at the start, one that drives
    for motion in [&small, &large] {
        assert!(motion.derived <= 3, "{} forms were derived", motion.derived);
    }
    let other = ask(&own(&chain(14)), &Simulate { form: Some("multipliers".to_owned()), ..wanted });
    for k in 1..=14 {
        let name = format!("a{k}");
        assert!((last(&large, &name) - last(&other, &name)).abs() < 1e-9, "{name}");
    }
}

#[test]
fn what_a_chart_may_divide_by_on_the_way_is_not_divided_by() {
    // the blade turns through every direction: a chart of one rate is singular twice a turn
    let text = "coord x, y, phi\nframe B = N rotated z by phi\npoint C = (x, y) + 0.2*B.x\nbody S mass 1 at C frame B inertia 0.2\n\
                constraint blade: y'*cos(phi) = x'*sin(phi)\nstart x = 0, y = 0, phi = 0.3, phi' = 1.3, x' = 0.5\n";
    let motion = ask(&own(text), &Simulate { duration: Some(10.0), ..Simulate::default() });
    assert_eq!((motion.stopped_by.failure(), motion.form, motion.phases), (None, "multipliers", 1));
    assert!(motion.derived <= 3, "{} forms were derived", motion.derived);
}

#[test]
fn reactions_in_balance_are_no_size_of_a_motion() {
    // what rounding leaves of the torques of two feet, 1e-15 rad/s², was taken for the size of phi': steps of 1e-4 s, and at 1e-12 none
    let text = "param m = 10, J = 3, g = 9.81\ncoord x, y, phi\nframe B = N rotated z by phi\npoint C = (x, y)\n\
                body D mass m at C frame B inertia J\npoint L = C + B*(-0.5, -0.5, 0)\npoint R = C + B*(0.5, -0.5, 0)\n\
                contact l: L slides on plane(N.y, 0) unilateral\ncontact r: R slides on plane(N.y, 0) unilateral\n\
                friction 0.4 on l\nfriction 0.4 on r\ngravity (0, -g)\nforce (20*t, 0) on D at C\nstart x = 0, y = 0.5, phi = 0\n";
    let slips = 0.4 * 10.0 * 9.81 / 20.0_f64;
    for form in ["multipliers", "udwadia-kalaba", "fundamental"] {
        for tolerance in [1e-9, 1e-12] {
            let form = Some(form.to_owned());
            let wanted = Simulate { duration: Some(3.0), form, tolerance: Some(tolerance), ..Simulate::default() };
            let motion = ask(&own(text), &wanted);
            assert_eq!(motion.stopped_by.failure(), None);
            assert!(motion.steps < 200, "{} steps by {}", motion.steps, motion.form);
            near("x", last(&motion, "x"), 20.0 / 10.0 * (3.0_f64 - slips).powi(3) / 6.0, 1e3);
        }
    }
}

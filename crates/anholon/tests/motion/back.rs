//! Motions that run backwards from their start.

use anholon::answer::StoppedBy;
use anholon::{Alone, Simulate, open, simulate};

use crate::{TIGHT, ask, gallery, last, own};

fn back(time: f64) -> Simulate {
    Simulate { back: Some(time), tolerance: Some(TIGHT), ..Simulate::default() }
}

/// The state at the end of a motion, as after `--at`.
fn state(motion: &anholon::Simulation, names: &[&str]) -> String {
    let pairs: Vec<String> = names
        .iter()
        .flat_map(|name| [(*name).to_owned(), format!("{name}'")])
        .map(|name| format!("{name} = {}", last(motion, &name)))
        .collect();
    format!("t = {}, {}", motion.last.t, pairs.join(", "))
}

#[test]
fn a_force_that_depends_on_time_is_followed_into_the_past() {
    // x'' = −x + 3 sin 2t with x(1), x'(1) of x = 2 cos t − sin 2t
    let model = "
param m = 1 kg, k = 1 N/m, F = 3 N, w = 2 rad/s, b = 1 m
coord x : m
point P = (x, 0) mass m
force (F*sin(w*t) - k*x, 0) on P
start t = 1 s, x = b*(2*cos(1) - sin(2)), x' = b*(-2*sin(1) - 2*cos(2))/(1 s)
";
    let motion = ask(&own(model), &Simulate { times: vec![0.5, -2.0, -4.0], ..back(6.0) });
    assert_eq!(motion.table.t, [0.5, -2.0, -4.0], "the latest first");
    assert_eq!((motion.began, motion.last.t), (1.0, -5.0));
    let (x, rate) = (motion.table.column("x").unwrap().1, motion.table.column("x'").unwrap().1);
    for (k, t) in motion.table.t.iter().enumerate() {
        assert!((x[k] - (2.0 * t.cos() - (2.0 * t).sin())).abs() < 1e-10, "x({t}) = {}", x[k]);
        assert!((rate[k] - (-2.0 * t.sin() - 2.0 * (2.0 * t).cos())).abs() < 1e-10, "x'({t}) = {}", rate[k]);
    }
    // the work of the force is accounted for
    assert!(motion.energy_drift < 1e-9, "{}", motion.energy_drift);
}

#[test]
fn what_ran_back_comes_again_to_where_it_began() {
    for (name, names, time) in [
        ("double-pendulum", &["a1", "a2"][..], 2.0),
        ("chaplygin-sleigh", &["x", "y", "theta"], 3.0),
        ("four-bar", &["a", "b", "c"], 2.0),
    ] {
        let settings = gallery(name, &[]);
        let loaded = open(&settings).unwrap();
        let names: Vec<&str> = match names.iter().all(|one| loaded.system.coordinates.iter().any(|c| c.name == **one)) {
            true => names.to_vec(),
            false => loaded.system.coordinates.iter().map(|c| c.name.as_str()).collect(),
        };
        let before = ask(&settings, &back(time));
        assert_eq!(before.stopped_by, StoppedBy::Time, "{name}");
        assert!(before.constraint_residual < 1e-12, "{name}: {}", before.constraint_residual);
        let there = anholon::Settings { at: Some(state(&before, &names)), ..settings.clone() };
        let again = ask(&there, &Simulate { duration: Some(time), tolerance: Some(TIGHT), ..Simulate::default() });
        let start = ask(&settings, &Simulate { duration: Some(1e-9), tolerance: Some(TIGHT), ..Simulate::default() });
        for one in &names {
            let (came, began) = (last(&again, one), last(&start, one));
            assert!((came - began).abs() < 1e-7, "{name}: {one} = {came} in place of {began}");
        }
    }
}

#[test]
fn events_on_the_way_back_are_those_of_the_motion_forward() {
    // y = 5 + 4 t − g t²/2: the top is before the start, and `above` became true before that
    let model = "
param m = 1 kg, g = 10 m/s^2
coord y : m
point P = (0, y) mass m
gravity (0, -g)
record top when y' < 0
record level when y = 4 m
record above when y > 3 m
start y = 5 m, y' = -4 m/s
";
    let motion = ask(&own(model), &Simulate { every: Some(0.25), ..back(2.0) });
    let told: Vec<(&str, f64)> = motion.events.iter().map(|one| (one.name.as_str(), one.t)).collect();
    // y = 5 − 4 t − 5 t²: the top at t = −0.4, y = 4 at t = −1.0 (and after the start), y = 3 at (−4 − √56)/10
    let wanted = [("top", -0.4), ("level", -1.0), ("above", (-4.0 - 56.0_f64.sqrt()) / 10.0)];
    assert_eq!(told.len(), 3, "{told:?}");
    for ((name, t), (right, then)) in told.iter().zip(wanted) {
        assert!(*name == right && (t - then).abs() < 1e-9, "{told:?}");
    }
    let ordered = motion.table.t.windows(2).all(|two| two[1] < two[0]);
    assert!(ordered && motion.table.t.len() == 9, "{:?}", motion.table.t);
}

#[test]
fn what_forgets_its_past_is_refused_by_name() {
    let ball = |start: &str| {
        format!(
            "
param m = 1 kg, g = 10 m/s^2
coord y : m
point P = (0, y) mass m
gravity (0, -g)
constraint floor: y >= 0
start {start}
"
        )
    };
    let refused = |text: &str, words: &[&str]| {
        let error = simulate(&open(&own(text)).unwrap(), &back(1.0), &mut Alone).unwrap_err().to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    };
    refused(&ball("y = 0, y' = 0"), &["`floor`", "touches", "test.mech:6"]);
    let held = ball("y = 2 m, y' = 0").replace("floor: y >= 0", "held: y = 2 m until t >= 3 s");
    refused(&held, &["`held`", "until", "test.mech:6"]);
    // on the way: it left the floor at y = 0 with y' = √40 up
    let motion = ask(&own(&ball("y = 1 m, y' = 2 m/s")), &back(1.0));
    let reason = motion.stopped_by.failure().expect("the floor").to_owned();
    let then = (2.0 - 24.0_f64.sqrt()) / 10.0;
    assert!(reason.contains("`floor`") && reason.contains("not known"), "{reason}");
    assert!((motion.last.t - then).abs() < 1e-9, "{} in place of {then}", motion.last.t);
    assert_eq!(motion.events.iter().map(|one| one.kind.word()).collect::<Vec<_>>(), ["leaves"]);
    // a brake that holds: what was before is not known
    let brake = "
param m = 1 kg, F = 2 N
coord x : m
point P = (x, 0) mass m
force (-F*sign(x'), 0) on P
start x = 0, x' = 0
";
    let found = simulate(&open(&own(brake)).unwrap(), &back(1.0), &mut Alone);
    let told = match &found {
        Ok(motion) => motion.stopped_by.failure().unwrap_or("nothing").to_owned(),
        Err(error) => error.to_string(),
    };
    assert!(told.contains("either side"), "{told}");
    // and one that slides has come from higher speed
    let slides = ask(&own(&brake.replace("x' = 0", "x' = 1 m/s")), &back(1.0));
    assert!((last(&slides, "x'") - 3.0).abs() < 1e-10, "{}", last(&slides, "x'"));
}

#[test]
fn times_and_lengths_that_are_not_before_the_start_are_refused() {
    let model = open(&gallery("double-pendulum", &[])).unwrap();
    let refused = |wanted: &Simulate, word: &str| {
        let error = simulate(&model, wanted, &mut Alone).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    };
    refused(&Simulate { duration: Some(1.0), ..back(1.0) }, "both say how long");
    refused(&Simulate { back: Some(-1.0), ..Simulate::default() }, "-1 s back");
    refused(&Simulate { times: vec![0.5], ..back(1.0) }, "t = 0.5 s");
    refused(&Simulate { times: vec![-1.5], ..back(1.0) }, "t = -1.5 s");
}

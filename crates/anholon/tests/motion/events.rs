//! `stop` and `record`: where they happen, and in which direction.

use std::f64::consts::PI;

use anholon::Simulate;
use anholon::answer::StoppedBy;

use crate::{TIGHT, ask, happen, instants, last, near, own, run};

/// x = cos t.
const OSCILLATOR: &str = "
param m = 1 kg, k = 1 N/m
coord x : m
point P = (x, 0) mass m
spring k between P and (0, 0)
start x = 1 m
";

#[test]
fn events_have_a_direction() {
    let model = format!(
        "{OSCILLATOR}
record up when x > 0
record down when x < 0
record both when x = 0
record at_least when x' >= 0.5 m/s
record at_most when x' <= 0.5 m/s
"
    );
    let motion = run(&own(&model), 10.0);
    happen(&motion, "up", "record", &[1.5 * PI]);
    happen(&motion, "down", "record", &[0.5 * PI, 2.5 * PI]);
    happen(&motion, "both", "record", &[0.5 * PI, 1.5 * PI, 2.5 * PI]);
    // −sin t = 1/2
    happen(&motion, "at_least", "record", &[7.0 * PI / 6.0, 19.0 * PI / 6.0]);
    happen(&motion, "at_most", "record", &[11.0 * PI / 6.0]);
    assert!(motion.events.is_sorted_by(|a, b| a.t <= b.t));
    let state = &motion.events[0].state;
    near("x then", *state.get("x").unwrap(), 0.0, 1.0);
    near("x' then", *state.get("x'").unwrap(), -1.0, 1.0);
}

#[test]
fn an_unnamed_stop_ends_the_motion() {
    let motion = run(&own(&format!("{OSCILLATOR}\nstop when x < -0.5 m\n")), 10.0);
    near("the end", motion.last.t, 2.0 * PI / 3.0, 1.0);
    near("x", last(&motion, "x"), -0.5, 1.0);
    assert_eq!(motion.events.len(), 1);
    assert_eq!(motion.stopped_by, StoppedBy::Event(motion.events[0].name.clone()));
    assert!(motion.table.t.last().unwrap() < &motion.last.t);
}

#[test]
fn an_event_that_holds_at_the_start_waits_for_its_next_time() {
    // x = 1 > 0 is true already; it becomes true again at 3π/2
    let motion = run(&own(&format!("{OSCILLATOR}\nrecord up when x > 0\nstop late when x' < 0\n")), 10.0);
    // x' = −sin t leaves 0 downwards at once: it becomes true at the start
    assert_eq!(motion.last.t, 0.0);
}

#[test]
fn a_pair_of_crossings_in_a_long_step_is_a_pair() {
    // x > cos(d) for 2 d around 2 π n: 0.3 ms, in steps that are 1,000 times longer
    let half = 1.5e-4;
    let below = 2.0 * (half / 2.0_f64).sin().powi(2);
    let model = format!(
        "{OSCILLATOR}
record enters when x - 1 m > -{below:.25} m
record exits when x - 1 m < -{below:.25} m
record both when x - 1 m = -{below:.25} m
start x = cos(1), x' = -sin(1) m/s
"
    )
    .replace("start x = 1 m\n", "")
    .replace("cos(1)", &format!("{} m", 1.0_f64.cos()))
    .replace("sin(1) m/s", &format!("{} m/s", 1.0_f64.sin()));
    let wanted = Simulate { duration: Some(30.0), tolerance: Some(TIGHT), ..Simulate::default() };
    let motion = ask(&own(&model), &wanted);
    assert!(motion.steps < 300, "steps of {} s", 30.0 / motion.steps as f64);
    let tops: Vec<f64> = (1..=4).map(|n| 2.0 * PI * f64::from(n) - 1.0).collect();
    let found = |name: &str| crate::instants(&motion, name, "record");
    let (enters, exits, both) = (found("enters"), found("exits"), found("both"));
    assert_eq!((enters.len(), exits.len(), both.len()), (4, 4, 8), "{enters:?} {exits:?} {both:?}");
    for (n, top) in tops.iter().enumerate() {
        // an error of 1e-11 in x is one of 1e-11/1.5e-4 in t here
        assert!((enters[n] - (top - half)).abs() < 1e-6, "{} {}", enters[n], top - half);
        assert!((exits[n] - (top + half)).abs() < 1e-6, "{} {}", exits[n], top + half);
        assert!((both[2 * n + 1] - both[2 * n] - 2.0 * half).abs() < 2e-6);
    }
}

#[test]
fn a_touch_is_no_crossing() {
    // x = cos t touches 1 from below: `=` may see it, `>` must not
    let motion = run(
        &own(&format!("{OSCILLATOR}\nrecord above when x > 1.000001 m\nrecord below when x < -1.000001 m\n")),
        40.0,
    );
    assert!(motion.events.is_empty(), "{:?}", motion.events);
}

#[test]
fn events_may_speak_of_energy_and_reactions() {
    // the tension of a pendulum from rest at 90° is 3 m g cos φ
    let model = "
param m = 2 kg, g = 9.81 m/s^2, l = 0.5 m
coord x, y : m
point P = (x, y) mass m
gravity (0, -g)
constraint rod: x^2 + y^2 = l^2
record heavy when norm(reaction(rod)) > 2*m*g
record slow when energy() - m*g*y < m*g*l/2
start x = l, y = 0
";
    let motion = run(&own(model), 1.0);
    // the kinetic energy is m g l cos φ: 2/3 and 1/2
    let first = motion.events.iter().find(|event| event.name == "heavy").unwrap();
    near("y", *first.state.get("y").unwrap(), -0.5 * 2.0 / 3.0, 1.0);
    let then = motion.events.iter().find(|event| event.name == "slow").unwrap();
    near("y", *then.state.get("y").unwrap(), -0.25, 1.0);
    assert!(then.t > first.t);
}

#[test]
fn events_at_one_instant_are_all_told() {
    let model = format!(
        "{OSCILLATOR}\nrecord a when x < 0\nrecord b when 2*x < 0\nrecord c when x*x*x < 0\nrecord d when t > 1 s\n"
    );
    let motion = run(&own(&model), 3.0);
    for name in ["a", "b"] {
        happen(&motion, name, "record", &[PI / 2.0]);
    }
    happen(&motion, "d", "record", &[1.0]);
    // a threefold zero has a third of the digits
    let third = crate::instants(&motion, "c", "record");
    assert!(third.len() == 1 && (third[0] - PI / 2.0).abs() < 1e-4, "{third:?}");
}

#[test]
fn events_that_come_fast_in_a_slow_motion_come_once() {
    let model = "
param m = 1 kg, w = 1000 rad/s
coord x : m
point P = (x, 0) mass m
record tick when sin(w*t) = 0
start x' = 1 m/s
";
    let motion = run(&own(model), 0.2);
    let ticks: Vec<f64> = (1..=63).map(|n| f64::from(n) * PI / 1000.0).collect();
    happen(&motion, "tick", "record", &ticks);
}

#[test]
fn a_strict_relation_fires_at_the_first_instant_if_it_becomes_true_there() {
    let model = |line: &str, rate: &str| {
        own(&format!(
            "coord x : m\npoint P = (x, 0) mass 1 kg\nforce (1 N, 0) on P\n{line}\nstart x = 0, x' = {rate} m/s\n"
        ))
    };
    // it leaves zero at once, with a speed or from rest
    for rate in ["1", "0"] {
        let motion = run(&model("stop gone when x > 0", rate), 2.0);
        assert_eq!((motion.stopped_by, motion.last.t), (StoppedBy::Event("gone".to_owned()), 0.0));
    }
    // it goes the other way first, and is counted once
    let motion = run(&model("record back when x > 0", "-1"), 3.0);
    let times: Vec<f64> = motion.events.iter().filter(|event| event.name == "back").map(|event| event.t).collect();
    assert!(matches!(times[..], [t] if (t - 2.0).abs() < 1e-9), "{times:?}");
    // true from the beginning: it does not become true
    assert!(run(&model("record never when x < 1 m", "-1"), 0.5).events.is_empty());
    // a constraint that begins after the start begins there, and what is recorded is recorded once
    let held = run(&model("record out when x > 0\nconstraint hold: x' = 1 m/s from t > 0 s", "1"), 2.0);
    assert_eq!(held.events.iter().filter(|event| event.name == "out").count(), 1, "{:?}", held.events);
    near("x at the end", last(&held, "x"), 2.0, 1.0);
}

#[test]
fn what_touches_zero_is_recorded_once_wherever_steps_end() {
    // all at t = 1; the crossing and the kink end steps there
    let model = "
param m = 1 kg
coord x, y : m
point P = (x, y) mass m
gravity (0, -2 m/s^2)
start x = 0, x' = 1 m/s, y' = 2 m/s
record quad when (x - 1 m)^2 = 0
record quart when (x - 1 m)^4 = 0
record apex when y = 1 m
record cross when x = 1 m
record cosine when cos(x*(1 rad/m) - 1 rad) = 1
record kink when abs(x - 1 m) = 0
";
    for lines in [0, 1, 2] {
        // with all of them, without the kink, without the crossing too
        let kept: Vec<&str> = model.lines().filter(|line| lines < 1 || !line.contains("kink")).collect();
        let kept: Vec<&str> = kept.into_iter().filter(|line| lines < 2 || !line.contains("cross")).collect();
        for duration in [1.5, 2.0, 3.0, 5.0, 50.0] {
            for tolerance in [1e-6, 1e-9, 1e-12] {
                let wanted = Simulate { duration: Some(duration), tolerance: Some(tolerance), ..Simulate::default() };
                let motion = ask(&own(&(kept.join("\n") + "\n")), &wanted);
                let early: Vec<_> = motion.events.iter().filter(|event| event.t < 3.0).collect();
                let mut names: Vec<&str> = early.iter().map(|event| event.name.as_str()).collect();
                names.sort_unstable();
                let mut expected = vec!["apex", "cosine", "cross", "kink", "quad", "quart"];
                expected.retain(|name| !(lines > 0 && *name == "kink" || lines > 1 && *name == "cross"));
                assert_eq!(names, expected, "{duration} {tolerance:e}");
                // a fourfold zero is wide
                let width = |name: &str| if name == "quart" { 1e-4 } else { 1e-6 };
                let is_near = early.iter().all(|event| (event.t - 1.0).abs() < width(&event.name));
                let in_order = motion.events.windows(2).all(|pair| pair[0].t <= pair[1].t);
                assert!(
                    is_near && in_order,
                    "{duration} {tolerance:e}: {:?}",
                    early.iter().map(|e| e.t).collect::<Vec<_>>()
                );
            }
        }
    }
}

#[test]
fn crossings_close_together_are_told_once_each() {
    let model = "
param m = 1 kg
coord x : m
point P = (x, 0) mass m
start x = 0, x' = 1 m/s
record one when x = 1 m
record two when x = 1.00000000001 m
record three when x = 1.0000000001 m
record four when x > 1.00000000002 m
";
    for duration in [1.5, 3.0, 50.0] {
        let motion = ask(&own(model), &Simulate { duration: Some(duration), ..Simulate::default() });
        let names: Vec<&str> = motion.events.iter().map(|event| event.name.as_str()).collect();
        assert_eq!(names, ["one", "two", "four", "three"]);
    }
}

#[test]
fn what_jumps_or_passes_infinity_is_no_zero() {
    let circle = |line: &str| {
        own(&format!(
            "coord x, y : m\npoint P = (x, y) mass 1 kg\npotential (1 N/m)*(x^2 + y^2)/2\nstart x = 1 m, y' = 1 m/s\n{line}\n"
        ))
    };
    let pi = std::f64::consts::PI;
    for (line, wanted) in [
        ("record it when atan2(y, x) = 0", vec![2.0 * pi]),
        ("record it when 1/x = 0 1/m", vec![]),
        ("record it when tan((0.5 rad/s)*t) = 0", vec![2.0 * pi]),
        ("record it when if(x < 0 m, -1, 1) = 0", vec![]),
        ("record it when sign(x) = 0", vec![pi / 2.0, 1.5 * pi]),
        ("record it when 1/(x + 0.5 m) < 0 1/m", vec![2.0 * pi / 3.0]),
        ("record it when 1/x > 0 1/m", vec![1.5 * pi]),
        ("record it when acos(x/(1 m)) >= 3", vec![3.0]),
        ("record it when abs(x) = 0 m", vec![pi / 2.0, 1.5 * pi]),
    ] {
        for tolerance in [1e-6, 1e-9, 1e-12] {
            let wish = Simulate { duration: Some(7.0), tolerance: Some(tolerance), ..Simulate::default() };
            let motion = ask(&circle(line), &wish);
            assert_eq!(motion.stopped_by.failure(), None, "{line} {tolerance:e}");
            let found = instants(&motion, "it", "record");
            let is_right = found.len() == wanted.len()
                && found.iter().zip(&wanted).all(|(t, right)| (t - right).abs() < 10.0 * tolerance.max(1e-9));
            assert!(is_right, "{line} {tolerance:e}: {found:?}, not {wanted:?}");
        }
    }
}

#[test]
fn what_becomes_true_by_a_jump_is_seen() {
    let ball =
        "coord x, y : m\npoint P = (x, y) mass 1 kg\ngravity (0, -10 m/s^2)\nconstraint floor: y >= 0\nstart y = 1 m\n";
    let lands = 0.2_f64.sqrt();
    let bouncing = format!("{ball}restitution 0.5 on floor\n");
    for (text, line, times) in [
        (&bouncing, "y' > 0", vec![lands, 2.0 * lands]),
        (&bouncing, "y' > -1 m/s", vec![lands, 2.0 * lands]),
        (&bouncing, "energy() < 5 J", vec![lands]),
        (&ball.to_owned(), "multiplier(floor) > 1 N", vec![lands]),
        (&ball.to_owned(), "norm(reaction(floor)) > 20 N", vec![]),
        (&ball.to_owned(), "y' >= 0", vec![lands]),
        (&ball.to_owned(), "y'' > -5 m/s^2", vec![lands]),
        (&ball.to_owned(), "y'' = -5 m/s^2", vec![]),
    ] {
        let motion = run(&own(&format!("{text}record it when {line}\n")), 1.0);
        happen(&motion, "it", "record", &times);
    }
    let stopped = run(&own(&format!("{ball}stop it when multiplier(floor) > 1 N\n")), 1.0);
    assert!(matches!(stopped.stopped_by, StoppedBy::Event(_)), "{:?}", stopped.stopped_by);
    near("its rate", last(&stopped, "y'"), 0.0, 1.0);
    // what is switched on by a bounce, and off
    let begins = run(&own(&format!("{bouncing}constraint side: x' = 1 m/s from y' > 0\n")), 1.0);
    near("begun", last(&begins, "x"), 1.0 - lands, 1.0);
    let ends =
        format!("{bouncing}start x' = 1 m/s\nforce (5 N)*N.x on P\nconstraint side: x = (1 m/s)*t until y' > 0\n");
    near("ended", last(&run(&own(&ends), 1.0), "x"), 1.0 + 2.5 * (1.0 - lands) * (1.0 - lands), 1.0);
}

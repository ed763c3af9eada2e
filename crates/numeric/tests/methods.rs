//! What must every method of integration do? Each in the list is asked.

use numeric::integrate::{End, Field};
use numeric::{Method, Stepper, Trouble};

/// A pendulum that swings far, x'' = −sin x, with a push: nothing about it is a polynomial.
struct Pendulum {
    asked: usize,
    /// After so many slopes there are none.
    most: usize,
}

impl Field for Pendulum {
    fn rates(&mut self, t: f64, y: &[f64], to: &mut [f64]) -> Result<(), Trouble> {
        self.asked += 1;
        to.copy_from_slice(&[y[1], 0.1 * t.cos() - y[0].sin()]);
        if self.asked > self.most { Err(Trouble::Singular) } else { Ok(()) }
    }

    fn series(&mut self, t: f64, y: &[f64], order: usize, to: &mut [f64]) -> Result<bool, Trouble> {
        self.asked += 1;
        let (mut sin, mut cos) = (vec![y[0].sin()], vec![y[0].cos()]);
        to[..2].copy_from_slice(y);
        // the k-th derivative of the push, over k!
        let mut factorial = 1.0;
        for k in 0..order {
            let push = 0.1 * (t + k as f64 * std::f64::consts::FRAC_PI_2).cos() / factorial;
            factorial *= (k + 1) as f64;
            to[2 * k + 2] = to[2 * k + 1] / (k + 1) as f64;
            to[2 * k + 3] = (push - sin[k]) / (k + 1) as f64;
            let turned =
                |w: &[f64]| (1..=k + 1).map(|j| j as f64 * to[2 * j] * w[k + 1 - j]).sum::<f64>() / (k + 1) as f64;
            let next = (turned(&cos), -turned(&sin));
            sin.push(next.0);
            cos.push(next.1);
        }
        if self.asked > self.most { Err(Trouble::Singular) } else { Ok(true) }
    }
}

fn pendulum() -> Pendulum {
    Pendulum { asked: 0, most: usize::MAX }
}

const START: [f64; 2] = [1.2, 0.3];

/// The state after some steps of one length.
fn after(stepper: &mut dyn Stepper, h: f64, steps: usize) -> Vec<f64> {
    let (mut field, mut y, mut slope) = (pendulum(), START.to_vec(), vec![0.0; 2]);
    for k in 0..steps {
        let (t, mut end) = (k as f64 * h, vec![0.0; 2]);
        field.rates(t, &y, &mut slope).unwrap();
        stepper.step(&mut field, End { t, y: &y, slope: &slope }, h, &mut end).unwrap();
        y = end;
    }
    y
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    (x[0] - y[0]).hypot(x[1] - y[1])
}

#[test]
fn names_and_purposes_are_told_once() {
    for (place, method) in Method::ALL.into_iter().enumerate() {
        assert_eq!(Method::ALL.iter().position(|other| other.name() == method.name()), Some(place));
        assert_eq!(Method::named(method.name()), Some(method));
        assert!(method.description().purpose.len() > 20, "{}", method.name());
    }
    assert!(Method::ALL[0].chooses_steps(), "the usual one is first");
}

#[test]
fn errors_fall_with_the_order() {
    // one wrong coefficient, and they do not
    for method in Method::ALL {
        let mut stepper = method.stepper(2);
        let (order, time) = (stepper.order(), 4.0);
        let mut error = |steps: usize| {
            let rough = after(&mut *stepper, time / steps as f64, steps);
            distance(&rough, &after(&mut *stepper, time / (8 * steps) as f64, 8 * steps))
        };
        // steps so short that the leading term rules, and not rounding
        let steps = (2..12).map(|k| 1 << k).find(|&steps| error(steps) < 3e-7).unwrap();
        let found = (error(steps) / error(2 * steps)).log2();
        let expected = f64::from(order);
        assert!(found > expected - 0.7 && found < expected + 1.5, "{}: order {found}", method.name());
    }
}

#[test]
fn an_estimate_is_there_if_steps_are_chosen_and_is_not_far_too_small() {
    for method in Method::ALL {
        let (mut stepper, mut field, mut slope, mut end) = (method.stepper(2), pendulum(), [0.0; 2], [0.0; 2]);
        field.rates(0.0, &START, &mut slope).unwrap();
        let from = End { t: 0.0, y: &START, slope: &slope };
        let mut step = |h: f64| {
            stepper.step(&mut field, from, h, &mut end).unwrap();
            let estimate = stepper.error(h, &[1.0; 2]);
            let exact = after(&mut *stepper, h / 16.0, 16);
            estimate.map(|estimate| (estimate, distance(&end, &exact), stepper.falls()))
        };
        let (one, half) = (step(0.3), step(0.15));
        assert_eq!(one.is_some(), method.chooses_steps(), "{}", method.name());
        if let (Some((one, error, order)), Some((half, ..))) = (one, half) {
            assert!(error < 100.0 * one, "{}: {error:e} {one:e}", method.name());
            let falls = (one / half).log2();
            assert!(falls > f64::from(order) - 1.0, "{}: the estimate falls with the power {falls}", method.name());
        }
    }
}

#[test]
fn what_lies_inside_a_step_meets_its_ends_and_the_motion_between() {
    for method in Method::ALL {
        let (mut stepper, mut field, h) = (method.stepper(2), pendulum(), 0.1);
        let (mut slope, mut end, mut rates, mut state) = ([0.0; 2], [0.0; 2], [0.0; 2], [0.0; 2]);
        field.rates(0.0, &START, &mut slope).unwrap();
        let from = End { t: 0.0, y: &START, slope: &slope };
        stepper.step(&mut field, from, h, &mut end).unwrap();
        field.rates(h, &end, &mut rates).unwrap();
        let dense = stepper.inside(&mut field, from, h, End { t: h, y: &end, slope: &rates }).unwrap();
        for (theta, expected) in [(0.0, START), (1.0, end)] {
            dense.at(theta, &mut state);
            assert!(distance(&state, &expected) < 1e-15, "{} at {theta}", method.name());
        }
        for theta in [0.25, 0.5, 0.75] {
            dense.at(theta, &mut state);
            let exact = after(&mut *stepper, theta * h / 16.0, 16);
            assert!(distance(&state, &exact) < 1e-6, "{} at {theta}: {:e}", method.name(), distance(&state, &exact));
        }
    }
}

#[test]
fn a_slope_that_is_missing_ends_the_step() {
    for method in Method::ALL {
        let mut field = Pendulum { asked: 0, most: 1 };
        let (mut slope, mut end) = ([0.0; 2], [0.0; 2]);
        field.rates(0.0, &START, &mut slope).unwrap();
        let from = End { t: 0.0, y: &START, slope: &slope };
        let made = method.stepper(2).step(&mut field, from, 0.1, &mut end);
        assert_eq!(made, Err(Trouble::Singular), "{}", method.name());
    }
}

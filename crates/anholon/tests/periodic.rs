//! What becomes of neighbours of a periodic motion: Floquet's multipliers against integrals and runs of the tests' own.

mod ask;

use anholon::answer::{Growth, Linearization, Period};
use anholon::{Linearize, Linearized, Settings};

const TURN: f64 = std::f64::consts::TAU;

fn asked(text: &str, period: f64) -> Linearized {
    let wanted = Linearize { periodic: Some(period), ..Linearize::default() };
    ask::linearize(&Settings::new("own.mech", text), &wanted).unwrap_or_else(|error| panic!("{error}"))
}

fn found(text: &str, period: f64) -> (Linearization, Period) {
    match asked(text, period) {
        Linearized::Found(found) => (*found.clone(), found.periodic.unwrap()),
        Linearized::NoAnswer { reason, .. } => panic!("{reason}"),
    }
}

fn refused(text: &str, period: f64) -> String {
    match asked(text, period) {
        Linearized::Found(found) => panic!("{:?}", found.periodic),
        Linearized::NoAnswer { reason, .. } => reason,
    }
}

/// y(t) by Runge's and Kutta's method in many steps.
fn run<const N: usize>(y: [f64; N], span: f64, field: impl Fn(f64, [f64; N]) -> [f64; N]) -> [f64; N] {
    const STEPS: usize = 20_000;
    let h = span / STEPS as f64;
    let plus = |y: [f64; N], k: [f64; N], by: f64| std::array::from_fn(|i| y[i] + by * k[i]);
    (0..STEPS).fold(y, |y, step| {
        let t = h * step as f64;
        let k1 = field(t, y);
        let k2 = field(t + h / 2.0, plus(y, k1, h / 2.0));
        let k3 = field(t + h / 2.0, plus(y, k2, h / 2.0));
        let k4 = field(t + h, plus(y, k3, h));
        std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
    })
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-7 * b.abs().max(1.0), "{a} for {b}");
}

const OSCILLATOR: &str = "
param m = 1, mu = 1
coord x
point P = (x, 0) mass m
potential x^2/2
";

#[test]
fn at_rest_multipliers_are_exponentials_of_eigenvalues() {
    // x'' = −x − 0.2 x': λ = −0.1 ± i √0.99
    let (_, period) = found(&format!("{OSCILLATOR}damper 0.2 between P and 0\n"), 3.0);
    let size = (-0.3_f64).exp();
    let angle = 3.0 * 0.99_f64.sqrt();
    for value in &period.floquet {
        close(value[0], size * angle.cos());
        close(value[1].abs(), size * angle.sin().abs());
    }
    assert_eq!(period.stability, Growth::Stable);
}

#[test]
fn the_cycle_of_van_der_pol_draws_its_neighbours_in() {
    // one multiplier is 1, and their product is exp ∫ μ (1 − x²) dt (Liouville)
    let text = format!("{OSCILLATOR}force (mu*(1 - x^2)*x', 0) on P\nstart x = 2.01\n");
    let (answer, period) = found(&text, 6.7);
    let x = answer.at.get("x").copied().unwrap();
    let v = answer.at.get("x'").copied().unwrap();
    let end = run([x, v, 0.0], period.period, |_, [x, v, _]| [v, (1.0 - x * x) * v - x, 1.0 - x * x]);
    assert!((end[0] - x).abs() < 1e-7 && (end[1] - v).abs() < 1e-7, "it is back: {end:?}");
    close(period.floquet[0][0], 1.0);
    close(period.floquet[1][0], end[2].exp());
    assert_eq!(period.stability, Growth::Stable);
    // neither start nor period were right, and it says so; what is noted of the model is not lost
    let assumed = format!("{}assume x < 0\n", text);
    let (answer_assumed, _) = found(&assumed, 6.7);
    assert!(answer_assumed.notes.iter().any(|note| note.contains("assume")), "{:?}", answer_assumed.notes);
    assert!(answer.notes.iter().any(|note| note.contains("not on a periodic motion")), "{:?}", answer.notes);
    assert!(answer.notes.iter().any(|note| note.contains("the period is")), "{:?}", answer.notes);
}

#[test]
fn the_reversed_cycle_drives_them_away() {
    let text = format!("{OSCILLATOR}force (-mu*(1 - x^2)*x', 0) on P\nstart x = 2.0086, x' = 0\n");
    let (_, period) = found(&text, 6.6633);
    assert_eq!(period.stability, Growth::Unstable);
    assert!(period.floquet[0][0] > 1000.0, "{:?}", period.floquet);
}

const PENDULUM: &str = "
param m = 2, l = 0.7, g = 9.81
coord a
point P = l*(sin(a), -cos(a)) mass m
gravity (0, -g)
";

/// The time of one swing or turn, by the arithmetic-geometric mean for swings.
fn swing(amplitude: f64) -> f64 {
    let (mut a, mut b) = (1.0, (amplitude / 2.0_f64).cos());
    for _ in 0..8 {
        (a, b) = ((a + b) / 2.0, (a * b).sqrt());
    }
    TURN * (0.7_f64 / 9.81).sqrt() / a
}

#[test]
fn a_pendulum_keeps_its_neighbours_and_a_double_multiplier_is_no_growth() {
    let (answer, period) = found(&format!("{PENDULUM}start a = 1.1\n"), swing(1.1));
    close(period.period, swing(1.1));
    assert_eq!(period.stability, Growth::Neutral);
    // T grows with the amplitude: Φ is no identity, and its determinant is 1
    let phi = &period.monodromy;
    close(phi[0][0] * phi[1][1] - phi[0][1] * phi[1][0], 1.0);
    assert!(phi[1][0].abs() > 0.1, "{phi:?}");
    assert!(answer.notes.iter().all(|note| !note.contains("nearest")), "{:?}", answer.notes);
}

#[test]
fn one_that_turns_over_is_back_after_a_turn_in_angles_and_in_cartesian_coordinates() {
    // by the tests' own run: the time until a = 2π from a' = 12 at the bottom
    let rate = 12.0;
    let time = |_: f64, [_, a]: [f64; 2]| {
        let v = (rate * rate - 2.0 * 9.81 / 0.7 * (1.0 - a.cos())).sqrt();
        [1.0 / v, 1.0]
    };
    let span = run([0.0, 0.0], TURN, time)[0];
    let (_, angle) = found(&format!("{PENDULUM}start a = 0, a' = 12\n"), span);
    let cartesian = "
param m = 2, l = 0.7, g = 9.81
coord x, y
point P = (x, y) mass m
gravity (0, -g)
constraint rod: x^2 + y^2 = l^2
start x = 0, y = -l, x' = 12*l
";
    let (_, plane) = found(cartesian, span);
    assert_eq!((angle.stability, plane.stability), (Growth::Neutral, Growth::Neutral));
    // x = l sin a: near the bottom δx = l δa and δx' = l δa'
    for (row, other) in angle.monodromy.iter().flatten().zip(plane.monodromy.iter().flatten()) {
        close(*row, *other);
    }
}

#[test]
fn a_driven_spring_by_mathieu() {
    // x'' + (d + e cos t) x = 0: the half trace of Φ by a run of the tests' own
    for (d, e, is_stable) in [(0.25, 0.2, false), (0.35, 0.05, true), (1.0, 0.4, false), (0.6, 0.3, true)] {
        let field = |t: f64, [x, v]: [f64; 2]| [v, -(d + e * t.cos()) * x];
        let (first, second) = (run([1.0, 0.0], TURN, field), run([0.0, 1.0], TURN, field));
        let text = format!(
            "param m = 1\ncoord x\npoint P = (x, 0) mass m\ngeneralized force -({d} + {e}*cos(t))*x on x\nstart x = 0\n"
        );
        let (_, period) = found(&text, TURN);
        close(period.floquet[0][0] + period.floquet[1][0], first[0] + second[1]);
        assert_eq!(period.stability == Growth::Neutral, is_stable, "{d} {e} {:?}", period.floquet);
        assert_eq!(period.stability == Growth::Unstable, !is_stable);
    }
}

#[test]
fn what_is_not_periodic_is_refused() {
    let reason = refused(&format!("{PENDULUM}start a = 1.1\n"), 1.2);
    assert!(reason.contains("is not where it began: `a") && reason.contains("1.2 s"), "{reason}");
    // at rest in a force of another period
    let text = "param m = 1\ncoord x\npoint P = (x, 0) mass m\ngeneralized force -(2 + cos(t))*x on x\nstart x = 0\n";
    let driven = text.replace("start", "force (cos(t), 0) on P\nstart");
    assert!(refused(&driven, 3.0).contains("periodic"));
    assert_eq!(found(text, TURN).1.stability, Growth::Neutral);
    let stop = format!("{PENDULUM}constraint stop: a >= 0\nstart a = 1.1\n");
    assert!(refused(&stop, 2.0).contains("`stop` opens, closes"));
    let switched = format!("{OSCILLATOR}force (sign(x'), 0) on P\nstart x = 1, x' = 0.3\n");
    assert!(refused(&switched, 6.0).contains("may switch"));
    let both = Linearize { periodic: Some(1.0), coordinates: vec!["a".to_owned()], ..Linearize::default() };
    let error = ask::linearize(&Settings::new("own.mech", PENDULUM), &both).unwrap_err();
    assert!(error.to_string().contains("exclude each other"), "{error}");
    let wanted = Linearize { periodic: Some(-1.0), ..Linearize::default() };
    let error = ask::linearize(&Settings::new("own.mech", PENDULUM), &wanted).unwrap_err();
    assert!(error.to_string().contains("a period is a time above 0"), "{error}");
}

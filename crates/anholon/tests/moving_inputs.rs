//! An input that moves something, a steering angle or a driven pivot, is a function of time with its rate and its
//! acceleration: each model beside the same with the function written out, and B of `linearize` beside differences.

mod ask;

use anholon::answer::Evaluation;
use anholon::{Agreement, Alone, Evaluated, Linearize, Linearized, Prove, Settings, linearize, open, prove};
use ask::evaluate;

fn evaluated(text: &str) -> Evaluation {
    let loaded = open(&Settings::new("test.mech", text)).unwrap_or_else(|error| panic!("{error}\n{text}"));
    match evaluate(&loaded, None).unwrap_or_else(|error| panic!("{error}\n{text}")) {
        Evaluated::Found(found) => *found,
        Evaluated::NoAnswer { reason, .. } => panic!("{reason}\n{text}"),
    }
}

fn refused(text: &str) -> String {
    match open(&Settings::new("test.mech", text)) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("this was accepted:\n{text}"),
    }
}

fn numbers(found: &Evaluation) -> Vec<f64> {
    let accelerations = found.accelerations.0.iter().map(|(_, value)| *value);
    accelerations.chain(found.multipliers.0.iter().map(|(_, value)| *value)).chain(found.energy).collect()
}

/// The model with an input says the same as with the function in its place, and all forms agree for any function.
fn same(text: &str, unit: &str, function: &str) {
    let with = text.replace("INPUT", &format!("input s : {unit} = {function}"));
    let without = text.replace("INPUT", &format!("let s = {function}"));
    let (a, b) = (numbers(&evaluated(&with)), numbers(&evaluated(&without)));
    assert!(a.len() == b.len() && a.len() > 1, "{a:?} {b:?}");
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-9 * (1.0 + a.abs())), "{a:?} is not {b:?}\n{with}");
    let open_function = text.replace("INPUT", &format!("input s : {unit}"));
    for text in [&with, &open_function] {
        let loaded = open(&Settings::new("test.mech", text)).unwrap();
        let found = prove(&loaded, &Prove::default(), &mut Alone).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(matches!(found.verdict, Agreement::Identical | Agreement::Equivalent), "{:?}\n{text}", found.verdict);
        let has_particles = !text.contains("kinetic");
        assert!(found.forms.iter().any(|form| form.form == "positions" && form.applicable == has_particles), "{text}");
    }
}

const CAR: &str = "\
param m = 800 kg, J = 1200 kg*m^2, a = 1.2 m, b = 1.3 m
coord x, y : m
coord yaw : rad
INPUT
frame B = N rotated z by yaw
frame W = B rotated z by s
body C mass m at (x, y) frame B inertia J
body F mass 20 kg at C + a*B.x frame W inertia 1 kg*m^2
constraint rear: dot(velocity(C at C - b*B.x), B.y) = 0
constraint front: dot(velocity(F), W.y) = 0
start t = 0.4 s, x' = 5 m/s, yaw = 0.3 rad
";

const PIVOT: &str = "\
param m = 1 kg, l = 0.7 m, g = 9.81 m/s^2
coord phi, psi : rad
INPUT
point A = (s, s^2/(2 m))
point P = A + l*(sin(phi)*cos(psi), sin(phi)*sin(psi), -cos(phi)) mass m
gravity (0, 0, -g)
start t = 0.3 s, phi = 0.5 rad, psi' = 2 rad/s
";

const ROPE: &str = "\
param m = 1.5 kg, g = 9.81 m/s^2
coord x, y : m
INPUT
point P = (x, y) mass m
gravity (0, -g)
constraint rope: x^2 + y^2 = s^2
start t = 0.2 s, x = 0.4 m, x' = 0.3 m/s
guess y = -1 m
";

const CRANE: &str = "\
param m = 2 kg, k = 40 N/m, c = 0.5 N*s/m
coord x, y : m
INPUT
point P = (x, y) mass m
spring k rest 0.4 m + s between P and (0, 2*s)
damper c between P and (s, 0)
potential (3 N/m)*x*s
start t = 0.3 s, x = 0.7 m, y = 0.2 m, x' = 1 m/s
";

const FLYWHEEL: &str = "\
param J = 0.2 kg*m^2, k = 3 N*m
coord phi, psi : rad
INPUT
kinetic J*(1 + s^2)*(phi' + s*psi')^2/2 + J*psi'^2/2
potential k*phi^2*cos(s)/2
start t = 0.3 s, phi = 0.7 rad, psi' = 1 rad/s
";

#[test]
fn a_steering_angle() {
    same(CAR, "rad", "0.2*sin(3*t/(1 s))");
}

#[test]
fn a_driven_pivot() {
    same(PIVOT, "m", "0.3 m*sin(2*t/(1 s))");
}

#[test]
fn a_rope_that_is_wound_up() {
    same(ROPE, "m", "1 m - 0.4 m/s^2*t^2");
}

#[test]
fn springs_dampers_and_energies() {
    same(CRANE, "m", "0.2 m*sin(5*t/(1 s)) + 0.3 m");
}

#[test]
fn energies_that_are_told() {
    same(FLYWHEEL, "1", "0.2*sin(5*t/(1 s)) + 0.3");
}

/// The slopes of one acceleration by an input, its rate and its acceleration, by differences.
fn differences(text: &str, acceleration: &str, [s, v, a]: [f64; 3]) -> Vec<f64> {
    let at = |[s, v, a]: [f64; 3]| {
        let law = format!("input s : m = {s} m + {v} m/s*t + {a} m/s^2*t^2/2");
        let found = evaluated(&text.replace("INPUT", &law));
        found.accelerations.0.iter().find(|(name, _)| name == acceleration).unwrap().1
    };
    let h = 1e-4;
    let step = |place: usize, h: f64| {
        let mut values = [s, v, a];
        values[place] += h;
        at(values)
    };
    (0..3).map(|place| (step(place, h) - step(place, -h)) / (2.0 * h)).collect()
}

#[test]
fn the_columns_of_b() {
    for (text, acceleration, state) in [
        (&ROPE.replace("t = 0.2 s, ", ""), "x''", [1.0, -0.3, 0.8]),
        (&PIVOT.replace("t = 0.3 s, ", ""), "phi''", [0.2, 0.4, -0.6]),
    ] {
        let [s, v, a] = state;
        let law = format!("input s : m = {s} m + {v} m/s*t + {a} m/s^2*t^2/2");
        let loaded = open(&Settings::new("test.mech", &text.replace("INPUT", &law))).unwrap();
        let found = linearize(&loaded, &Linearize::default(), &mut Alone).unwrap();
        let Linearized::Found(found) = found else { panic!("no answer") };
        assert_eq!(found.inputs, ["s", "s'", "s''"]);
        let row = found.states.iter().position(|state| format!("{state}'") == acceleration).unwrap();
        let expected = differences(text, acceleration, state);
        let columns = found.B.unwrap();
        assert!(expected.iter().any(|x| x.abs() > 0.1), "{expected:?}");
        for (k, expected) in expected.iter().enumerate() {
            assert!(
                (columns[row][k] - expected).abs() < 1e-5 * (1.0 + expected.abs()),
                "{:?} {expected}",
                columns[row]
            );
        }
    }
}

#[test]
fn what_is_asked_for_and_what_is_refused() {
    let open_function = ROPE.replace("INPUT", "input s : m");
    let loaded = open(&Settings::new("test.mech", &open_function)).unwrap();
    let error = evaluate(&loaded, None).err().map(|error| error.to_string()).unwrap();
    assert!(error.contains("`s` has no value"), "{error}");
    let follows = refused(&ROPE.replace("INPUT", "input s : m = 2*x"));
    assert!(follows.contains("function of time") && follows.contains("`x`"), "{follows}");
    let far = refused(&ROPE.replace("INPUT", "input s : m").replace("point P = (x, y)", "point P = (x, y + s'*(1 s))"));
    assert!(far.contains("third derivative"), "{far}");
    let far = refused(&ROPE.replace("INPUT", "input s : m").replace("x^2 + y^2 = s^2", "x' = s''*(1 s)"));
    assert!(far.contains("third derivative"), "{far}");
}

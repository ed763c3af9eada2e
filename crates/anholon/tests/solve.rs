//! Motions in closed form: against the simulation of the same model, against known periods, and what is refused.

use std::f64::consts::PI;

use anholon::answer::{ClosedForm, CourseKind, FormKind};
use anholon::{Alone, Model, Simulate, Solve, Solved};

fn solved(model: &Model) -> Solved {
    anholon::solve(model, &Solve::default(), &mut Alone).unwrap_or_else(|error| panic!("{error}"))
}

fn of(text: &str) -> (Model, Solved) {
    let model = anholon::load("test.mech", text).unwrap_or_else(|error| panic!("{error}"));
    let answer = solved(&model);
    (model, answer)
}

fn only(answer: &Solved) -> &ClosedForm {
    assert_eq!(answer.solutions.len(), 1, "{answer:?}");
    &answer.solutions[0]
}

/// The formula of a coordinate.
fn text<'a>(one: &'a ClosedForm, name: &str) -> &'a str {
    &one.motion.get(name).unwrap_or_else(|| panic!("no {name}: {:?}", one.motion)).text
}

/// Compares a closed form, at the values of the model, with the simulation of the model after some time.
#[track_caller]
fn moves_as_simulated(model: &Model, one: &ClosedForm, duration: f64) {
    assert_ne!(one.applies, Some(false), "the case of the model: {:?}", one.conditions);
    let wanted = Simulate { duration: Some(duration), tolerance: Some(1e-11), ..Simulate::default() };
    let run = anholon::simulate(model, &wanted, &mut Alone).unwrap_or_else(|error| panic!("{error}"));
    let parameters = model.system.parameters.iter().zip(&model.start.parameters);
    let parameters: Vec<(String, f64)> = parameters.map(|(one, value)| (one.name.clone(), value.unwrap())).collect();
    for (name, formula) in &one.motion.0 {
        let value = formula.tree.value(&|symbol| match symbol.name.as_str() {
            "t" => run.last.t,
            name => {
                let constant = one.constants.get(name).map(|constant| constant.value.unwrap());
                let parameter = parameters.iter().find(|one| one.0 == name).map(|one| one.1);
                constant.or(parameter).unwrap_or_else(|| panic!("{name} has no value"))
            }
        });
        let place = run.last.columns.iter().position(|column| column.name() == *name).unwrap();
        let simulated = run.last.values[place];
        let apart = (value - simulated).abs();
        assert!(apart <= 1e-7 * value.abs().max(1.0), "{name}: {value} and {simulated}: {}", formula.text);
    }
}

const SPRING: &str = "coord x : m\npoint P = (x, 0) mass m\n";

fn spring(values: &str, force: &str) -> (Model, Solved) {
    of(&format!("param {values}\n{SPRING}force ({force}, 0) on P\nstart x = 0.5 m, x' = 1 m/s\n"))
}

#[test]
fn linear_equations_move_as_simulated() {
    for (values, force) in [
        ("m = 2 kg, k = 8 N/m", "-k*x"),
        ("m = 2 kg, k = 8 N/m", "k*x"),
        ("m = 2 kg, k = 8 N/m, c = 1 kg/s", "-k*x - c*x'"),
        ("m = 2 kg, k = 8 N/m, c = 20 kg/s", "-k*x - c*x'"),
        ("m = 1 kg, k = 4 N/m, c = 4 kg/s", "-k*x - c*x'"),
        ("m = 2 kg, k = 8 N/m, c = 1 kg/s, F = 3 N", "F - k*x - c*x'"),
        ("m = 2 kg, k = 8 N/m, F = 3 N, w = 1.5 rad/s", "F*cos(w*t) - k*x"),
        ("m = 1 kg, k = 4 N/m, F = 3 N, w = 2 rad/s", "F*sin(w*t) - k*x"),
        ("m = 1 kg, k = 4 N/m, b = 3 N/s^2", "b*t^2 - k*x"),
        ("m = 1 kg, c = 3 kg/s, F = 2 N", "F - c*x'"),
        ("m = 1 kg, F = 2 N, w = 3 rad/s", "F*sin(w*t)^2"),
        ("m = 1 kg, F = 2 N, s = 3 1/s", "F*exp(-s*t)*t*s"),
    ] {
        let (model, answer) = spring(values, force);
        assert!(!answer.solutions.is_empty(), "{force}: {answer:?}");
        moves_as_simulated(&model, &answer.solutions[0], 1.7);
    }
}

#[test]
fn the_gallery_moves_as_simulated() {
    for (name, duration) in [
        ("sled", 2.3),
        ("atwood", 0.7),
        ("pulleys", 0.5),
        ("wedge", 0.3),
        ("rod-on-discs", 0.4),
        ("line", 0.6),
        ("plane", 0.6),
    ] {
        let model = anholon::gallery(name).unwrap();
        let answer = solved(&model);
        let first = answer.solutions.first().unwrap_or_else(|| panic!("{name}: {:?}", answer.reason));
        assert_eq!((first.kind, first.proved), (FormKind::Explicit, true), "{name}");
        moves_as_simulated(&model, first, duration);
    }
}

#[test]
fn several_freedoms_by_frequencies() {
    let masses = "param m = 1 kg, k = 4 N/m\ncoord x, y : m\npoint P = (x, 0) mass m\npoint Q = (y, 0) mass m\n\
                  potential k*x^2/2 + k*(y - x)^2/2 + k*y^2/2\nstart x = 0.1 m, y' = 0.3 m/s\n";
    let (model, answer) = of(masses);
    let one = only(&answer);
    assert!(text(one, "x").contains("cos(sqrt(3)*t*sqrt(k/m))"), "{}", text(one, "x"));
    moves_as_simulated(&model, one, 2.1);
    let charge = "param m = 2 kg, b = 3 kg/s, e = 1 N\ncoord x, y : m\npoint P = (x, y) mass m\n\
                  force (b*y' + e, -b*x') on P\nstart x' = 1 m/s\n";
    let (model, answer) = of(charge);
    moves_as_simulated(&model, only(&answer), 2.1);
    let later = "param m = 1 kg, c = 0.5 kg/s, g = 9.81 m/s^2\ncoord y : m\npoint P = (0, y) mass m\n\
                 gravity (0, -g)\nforce -c*velocity(P) on P\nstart t = 2 s, y' = 3 m/s\n";
    let (model, answer) = of(later);
    moves_as_simulated(&model, only(&answer), 1.5);
}

#[test]
fn cases_are_told_in_letters() {
    let (_, answer) =
        of("param m, c, k : 1\ncoord x : 1\npoint P = (x, 0) mass m\nforce (-k*x - c*x', 0) on P\nassume m > 0\n");
    let conditions: Vec<String> = answer.solutions.iter().map(|one| one.conditions[0].text.clone()).collect();
    assert_eq!(conditions, ["c^2 - 4*m*k > 0", "c^2 - 4*m*k < 0", "k = c^2/(4*m)"]);
    assert_eq!(text(&answer.solutions[2], "x"), "((c*x_0/(2*m) + v_x)*t + x_0)*exp(-c*t/(2*m))");
    // resonance is a case of its own, also where only the values say so
    let (_, answer) = spring("m = 1 kg, k = 4 N/m, F = 3 N, w = 2 rad/s", "F*sin(w*t) - k*x");
    assert!(only(&answer).conditions.iter().any(|one| one.text == "k = m*w^2"), "{answer:?}");
    let (_, answer) = spring("m = 2 kg, k = 8 N/m", "-k*x");
    let period = only(&answer).period.as_ref().unwrap().formula.as_ref().unwrap();
    assert_eq!(period.text, "2*pi/sqrt(k/m)");
}

/// The sled of the lecture notes: its centre draws a cycloid.
#[test]
fn the_sled_draws_a_cycloid() {
    let model = anholon::gallery("sled").unwrap();
    let answer = solved(&model);
    let [turning, straight] = &answer.solutions[..] else { panic!("{answer:?}") };
    assert_eq!((turning.conditions[0].text.as_str(), turning.applies), ("v_phi != 0", Some(true)));
    assert_eq!((straight.conditions[0].text.as_str(), straight.applies), ("v_phi = 0", Some(false)));
    let x = turning.observed.get("x").unwrap();
    let (g, alpha, omega, t) = (9.81, 0.4_f64, 1.7, 0.9);
    let values = |name: &str| match name {
        "t" => t,
        "g" => g,
        "alpha" => alpha,
        "l" => 0.8,
        name => turning.constants.get(name).unwrap().value.unwrap(),
    };
    let cycloid = g * alpha.sin() / (4.0 * omega * omega) * (1.0 - (2.0 * omega * t).cos());
    assert!((x.tree.value(&|symbol| values(&symbol.name)) - cycloid).abs() < 1e-12, "{}", x.text);
}

const PENDULUM: &str = "param m = 1 kg, l = 1 m, g = 9.81 m/s^2\ncoord a : rad\n\
                        point P = (l*sin(a), -l*cos(a)) mass m\ngravity (0, -g)\n";

/// The period by the mean of Gauss: T = 2π √(l/g) / agm(1, cos(a₀/2)).
fn by_mean(amplitude: f64) -> f64 {
    let (mut a, mut b): (f64, f64) = (1.0, (amplitude / 2.0).cos());
    while (a - b).abs() > 1e-15 {
        (a, b) = ((a + b) / 2.0, (a * b).sqrt());
    }
    2.0 * PI * (1.0_f64 / 9.81).sqrt() / a
}

#[test]
fn one_freedom_by_an_integral() {
    for amplitude in [0.1, 2.0, 3.1] {
        let (_, answer) = of(&format!("{PENDULUM}start a = {amplitude} rad\n"));
        let one = only(&answer);
        let quadrature = one.quadrature.as_ref().unwrap();
        assert_eq!(quadrature.energy.text, "m*l^2*a'^2/2 - m*g*l*cos(a) = E");
        assert_eq!(quadrature.time.text, "t = integral(sqrt(m*l^2/(2*(m*g*l*cos(a) + E))), a, a_0, a)");
        let course = quadrature.course.as_ref().unwrap();
        assert_eq!(course.kind, CourseKind::Libration);
        assert!((course.from + amplitude).abs() < 1e-12 && (course.to - amplitude).abs() < 1e-12, "{course:?}");
        let period = one.period.as_ref().unwrap();
        let (value, error) = (period.value.unwrap(), period.error.unwrap());
        let truth = by_mean(amplitude);
        assert!((value - truth).abs() <= error + 1e-15 * truth && error < 1e-9, "{value} ± {error}, {truth}");
    }
    let (_, answer) = of(&format!("{PENDULUM}start a' = 7 rad/s\n"));
    let quadrature = only(&answer).quadrature.as_ref().unwrap();
    assert_eq!(quadrature.course.as_ref().unwrap().kind, CourseKind::Rotation);
    // on the separatrix nothing is told: rounding would decide it
    let (_, answer) =
        of("param m = 1\ncoord x : 1\npoint P = (x, 0) mass m\npotential x^4/4 - x^2/2\nstart x = sqrt(2)\n");
    let course = only(&answer).quadrature.as_ref().unwrap().course.as_ref().unwrap();
    assert_eq!(course.kind, CourseKind::Undecided, "{course:?}");
    // the governor swings between its turning points
    let answer = solved(&anholon::gallery("governor").unwrap());
    assert_eq!(only(&answer).quadrature.as_ref().unwrap().course.as_ref().unwrap().kind, CourseKind::Libration);
}

#[test]
fn a_course_ends_where_energies_have_no_value() {
    let course = |text: &str| {
        let (_, answer) = of(&format!("coord x\n{text}"));
        only(&answer).quadrature.as_ref().and_then(|found| found.course.clone()).unwrap()
    };
    // neither a place without a value nor one where the mass vanishes or is infinite is passed
    for text in [
        "kinetic x'^2/2\npotential log(x)\nstart x = 1\n",
        "kinetic x'^2/2\npotential x*sqrt(x)\nstart x = 1\n",
        "kinetic x'^2/2\npotential log(x^2)\nstart x = 1\n",
        "kinetic x'^2/(2*(1 - x))\npotential x^2/2\nstart x = 0, x' = 2\n",
        "kinetic (1 - x^2)*x'^2/2\nstart x' = 1\n",
        "kinetic cos(x)*x'^2/2\nstart x' = 1\n",
        "kinetic x'^2/2\npotential -exp(-x^2)\nstart x = 30\n",
    ] {
        assert_eq!(course(text).kind, CourseKind::Undecided, "{text}");
    }
    // the powers of negative numbers are followed, however large they are
    let steep = course("kinetic x'^2/2\npotential x^100\nstart x = 1\n");
    assert_eq!((steep.kind, steep.from, steep.to), (CourseKind::Libration, -1.0, 1.0));
    assert_eq!(course("kinetic x'^2/2\npotential -cos(x)\nstart x = 0\n").kind, CourseKind::Rest);
}

#[test]
fn a_rod_gives_an_angle() {
    let text = "param m = 1 kg, l = 1 m, g = 9.81 m/s^2\ncoord x, y : m\npoint P = (x, y) mass m\ngravity (0, -g)\n\
                constraint rod: x^2 + y^2 = l^2\nstart x = l*sin(0.3), y = -l*cos(0.3)\n";
    let (_, answer) = of(text);
    let one = only(&answer);
    assert_eq!((self::text(one, "x"), one.introduced[0].name.as_str()), ("l*cos(phi)", "phi"));
    let value = one.period.as_ref().unwrap().value.unwrap();
    assert!((value - by_mean(0.3)).abs() < 1e-10, "{value}");
}

#[test]
fn what_cannot_be_had_is_refused_with_a_reason() {
    for (name, words) in [
        ("double-pendulum", "more than one freedom"),
        ("bouncing-ball", "`floor` does not always act"),
        ("ellipsoid", "`surface` is not solved for a coordinate"),
        ("acceleration-program", "second order"),
        ("romanov-three-one", "only the arguments are known"),
    ] {
        let answer = solved(&anholon::gallery(name).unwrap());
        assert!(answer.solutions.is_empty() && !answer.looked_for.is_empty(), "{name}");
        assert!(answer.reason.as_ref().unwrap().contains(words), "{name}: {:?}", answer.reason);
    }
}

#[test]
fn reasons_have_the_names_of_the_model() {
    let reason = |text: &str| of(text).1.reason.unwrap_or_default();
    let three = "param m = 1 kg, k = 4 N/m, a = 2 kg, b = 3 kg\ncoord x, y, z : m\n\
                 kinetic m*x'^2/2 + a*y'^2/2 + b*z'^2/2\n\
                 potential k*x^2/2 + k*(y - x)^2/2 + k*(z - y)^2/2\nstart x = 0.5 m\n";
    let why = reason(three);
    assert!(why.contains("lambda^2") && !why.contains('@'), "{why}");
    // one coordinate and its rate: nothing else moves
    let drag = "param c = 4 kg/m\ncoord y : m\npoint P = (0, y) mass 1 kg\ngravity (0, -9.81 m/s^2)\n\
                force (0, -c*y'*abs(y')) on P\nstart y' = 1 m/s\n";
    let why = reason(drag);
    assert!(why.contains("no energy integral") && why.contains("`abs(y')` has a kink"), "{why}");
    assert!(!why.contains("others move") && !why.contains('@'), "{why}");
    // times are those of the model
    let later = "coord x\nkinetic x'^2/2\npotential x^2\ngeneralized force tan(t) on x\nstart t = 2, x = 1\n";
    let why = reason(later);
    assert!(why.contains("tan(t)"), "{why}");
}

#[test]
fn kinks_are_no_constants_and_periods_go_over_them() {
    let period = |text: &str| {
        let (_, answer) = of(text);
        let one = only(&answer);
        let course = one.quadrature.as_ref().and_then(|found| found.course.clone()).unwrap();
        assert_eq!((course.kind, course.reason), (CourseKind::Libration, None), "{text}");
        let period = one.period.clone().unwrap();
        (period.value.unwrap(), period.error.unwrap())
    };
    // |x| with the amplitude a: four falls of √(2 a/g) each
    let (value, error) = period("coord x\nkinetic x'^2/2\npotential abs(x)\nstart x = 0.5\n");
    assert!((value - 4.0).abs() <= error + 1e-15 && error < 1e-12, "{value} ± {error}");
    // two springs, one on either side: half a swing of each
    let (value, error) = period("coord x\nkinetic x'^2/2\npotential 50*max(x, 0)^2 + 2*min(x, 0)^2\nstart x = 0.5\n");
    let truth = PI * (1.0 / 10.0 + 1.0 / 2.0);
    assert!((value - truth).abs() <= error + 1e-15 && error < 1e-12, "{value} ± {error}, {truth}");
}

#[test]
fn high_powers_of_time_are_bounded() {
    let load = "F*(t/T)^8*sin(t/T)*exp(-t/T) - k*x";
    let (model, answer) = spring("m = 1 kg, k = 4 N/m, F = 1 N, T = 1 s", load);
    let one = only(&answer);
    assert!(text(one, "x").len() < 3_000, "{} letters", text(one, "x").len());
    assert!(one.conditions.iter().any(|one| one.text == "k = 4"), "{:?}", one.conditions);
    moves_as_simulated(&model, one, 1.7);
    // without values nothing is told, and why
    let (_, answer) =
        of(&format!("param m, k, F, T : 1\ncoord x : 1\npoint P = (x, 0) mass m\nforce ({load}, 0) on P\n"));
    assert!(answer.reason.as_ref().is_some_and(|why| why.contains("power 8 of time")), "{:?}", answer.reason);
}
